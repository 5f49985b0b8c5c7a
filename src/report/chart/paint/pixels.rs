//! A picture made smaller, and as PNG.

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

/// Bytes a pixel: red, green and blue.
pub const CHANNELS: usize = 3;
/// Side of the square of pixels that become one.
const SIDE: usize = 3;
/// The light of white, in steps fine enough to tell the darkest bytes apart.
const FULL: u32 = 1 << 14;

/// The picture, a third as wide and as high, as a file.
pub fn file(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width / SIDE as u32, height / SIDE as u32);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&shrunk(pixels, width as usize * CHANNELS))?;
    writer.finish()?;
    Ok(bytes)
}

/// Each square of pixels as its mean. It is the mean of light, not of bytes: letters and thin lines keep their weight.
fn shrunk(pixels: &[u8], row: usize) -> Vec<u8> {
    let light: Vec<u32> = (0..=u8::MAX).map(decoded).collect();
    let bytes: Vec<u8> = (0..=FULL).map(encoded).collect();
    let mut small = Vec::with_capacity(pixels.len() / (SIDE * SIDE));
    let mut sums = vec![[0; CHANNELS]; row / CHANNELS / SIDE];
    for rows in pixels.chunks_exact(row * SIDE) {
        sums.fill([0; CHANNELS]);
        for line in rows.chunks_exact(row) {
            add(&mut sums, line, &light);
        }
        small.extend(sums.as_flattened().iter().map(|sum| bytes[*sum as usize / (SIDE * SIDE)]));
    }
    small
}

/// Adds the light of a row of pixels to the squares they belong to.
fn add(sums: &mut [[u32; CHANNELS]], line: &[u8], light: &[u32]) {
    for (sum, pixels) in sums.iter_mut().zip(line.chunks_exact(SIDE * CHANNELS)) {
        for pixel in pixels.chunks_exact(CHANNELS) {
            for (sum, byte) in sum.iter_mut().zip(pixel) {
                *sum += light[usize::from(*byte)];
            }
        }
    }
}

/// The light that a byte of sRGB stands for.
fn decoded(byte: u8) -> u32 {
    let value = f64::from(byte) / 255.0;
    let light = if value <= 0.040_45 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
    (light * f64::from(FULL)).round() as u32
}

/// The byte of sRGB that stands for light.
fn encoded(light: u32) -> u8 {
    let light = f64::from(light) / f64::from(FULL);
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_colours_stay_as_they_are() {
        for byte in 0..=u8::MAX {
            assert_eq!(shrunk(&[byte; SIDE * SIDE * CHANNELS], SIDE * CHANNELS), [byte; CHANNELS]);
        }
    }

    #[test]
    fn mixes_light_and_keeps_channels_apart() {
        let mut square = [255; SIDE * SIDE * CHANNELS];
        square[..4 * CHANNELS].copy_from_slice(&[[0, 255, 255]; 4].concat());
        assert_eq!(shrunk(&square, SIDE * CHANNELS), [197, 255, 255]);
    }
}
