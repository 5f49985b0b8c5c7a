//! A scene as PNG: edges smoothed by exact coverage, colours mixed in linear light.

use ab_glyph::Font;
use ab_glyph_rasterizer::{Point as Corner, Rasterizer, point};

use super::scene::{Anchor, Point, Scene, Shape, Text};
use super::style::{Colour, HEIGHT, WHITE, WIDTH};

/// Pixels a unit of the chart.
const SCALE: f64 = 2.0;
/// Coverage below this is left over from rounding.
const INVISIBLE: f32 = 1.0 / 512.0;
/// Corners of each round end of a line.
const CAP_CORNERS: usize = 8;

/// The scene as a file of 1920 x 1080 pixels.
pub fn file(scene: &Scene) -> Result<Vec<u8>, String> {
    let mut canvas = Canvas::new();
    for shape in &scene.shapes {
        match shape {
            Shape::Area { outline, colour, opacity } => canvas.area(outline, *colour, *opacity as f32),
            Shape::Line { points, width, colour } => canvas.line(points, *width, *colour),
            Shape::Text(text) => canvas.text(scene, text),
        }
    }
    encoded(&canvas).map_err(|error| error.to_string())
}

fn encoded(canvas: &Canvas) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width as u32, canvas.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.srgb())?;
    writer.finish()?;
    Ok(bytes)
}

/// The picture in linear light.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<[f32; 3]>,
}

/// A rectangle of the canvas.
struct Frame {
    left: i64,
    top: i64,
    width: usize,
    height: usize,
}

/// Coverage of a rectangle of the canvas, 0 to 1 a pixel.
struct Mask {
    frame: Frame,
    coverage: Vec<f32>,
}

impl Canvas {
    fn new() -> Self {
        let (width, height) = ((WIDTH * SCALE) as usize, (HEIGHT * SCALE) as usize);
        Self { width, height, pixels: vec![linear(WHITE); width * height] }
    }

    fn area(&mut self, outline: &[Point], colour: Colour, opacity: f32) {
        let outline: Vec<Point> = outline.iter().map(|(x, y)| (x * SCALE, y * SCALE)).collect();
        let mut mask = Mask::around(&outline, 1.0);
        mask.unite(&mut Rasterizer::new(0, 0), &outline);
        self.blend(&mask, colour, opacity);
    }

    /// The union of its segments with round ends. Joining their coverage by its maximum keeps edges smooth where
    /// segments meet, which adding it up would not.
    fn line(&mut self, points: &[Point], width: f64, colour: Colour) {
        let points: Vec<Point> = points.iter().map(|(x, y)| (x * SCALE, y * SCALE)).collect();
        let radius = width * SCALE / 2.0;
        let mut mask = Mask::around(&points, radius + 1.0);
        let mut rasterizer = Rasterizer::new(0, 0);
        for pair in points.windows(2) {
            mask.unite(&mut rasterizer, &segment(pair[0], pair[1], radius));
        }
        self.blend(&mask, colour, 1.0);
    }

    fn text(&mut self, scene: &Scene, text: &Text) {
        let width = scene.fonts.width(&text.words, text.size, text.weight);
        let left = match text.anchor {
            Anchor::Start => text.at.0,
            Anchor::Middle => text.at.0 - width / 2.0,
            Anchor::End => text.at.0 - width,
        };
        let face = scene.fonts.face(text.weight);
        let (left, baseline) = (left * SCALE, text.at.1 * SCALE);
        for glyph in scene.fonts.glyphs(&text.words, text.size * SCALE, text.weight, left, baseline) {
            let Some(outline) = face.outline_glyph(glyph) else { continue };
            let bounds = outline.px_bounds();
            let (x0, y0) = (bounds.min.x as i64, bounds.min.y as i64);
            let light = linear(text.colour);
            outline.draw(|x, y, coverage| self.mix(x0 + i64::from(x), y0 + i64::from(y), light, coverage.min(1.0)));
        }
    }

    fn blend(&mut self, mask: &Mask, colour: Colour, opacity: f32) {
        let light = linear(colour);
        for (row, coverages) in mask.coverage.chunks_exact(mask.frame.width).enumerate() {
            for (column, coverage) in coverages.iter().enumerate().filter(|(_, coverage)| **coverage > INVISIBLE) {
                let (x, y) = (mask.frame.left + column as i64, mask.frame.top + row as i64);
                if opacity < 1.0 {
                    self.tint(x, y, light, coverage * opacity);
                } else {
                    self.mix(x, y, light, *coverage);
                }
            }
        }
    }

    /// A pixel, unless it lies outside.
    fn pixel(&mut self, x: i64, y: i64) -> Option<&mut [f32; 3]> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x < self.width { self.pixels.get_mut(y * self.width + x) } else { None }
    }

    /// Covers a share of a pixel.
    fn mix(&mut self, x: i64, y: i64, light: [f32; 3], share: f32) {
        for (channel, light) in self.pixel(x, y).into_iter().flatten().zip(light) {
            *channel += (light - *channel) * share;
        }
    }

    /// Lets the ground shine through. Viewers of SVG mix such colours as encoded, which the square root comes close to;
    /// mixing light would turn blue bands into violet ones.
    fn tint(&mut self, x: i64, y: i64, light: [f32; 3], share: f32) {
        for (channel, light) in self.pixel(x, y).into_iter().flatten().zip(light) {
            let encoded = channel.sqrt() + (light.sqrt() - channel.sqrt()) * share;
            *channel = encoded * encoded;
        }
    }

    /// The pixels as the eye's encoding has them.
    fn srgb(&self) -> Vec<u8> {
        const STEPS: usize = 1 << 14;
        let table: Vec<u8> = (0..=STEPS).map(|step| encode(step as f64 / STEPS as f64)).collect();
        let byte = |light: &f32| table[((light * STEPS as f32).round() as usize).min(STEPS)];
        self.pixels.iter().flatten().map(byte).collect()
    }
}

impl Frame {
    /// One that holds all points and some space around them.
    fn around(points: &[Point], space: f64) -> Self {
        let extent = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
            // The limits keep what lies far outside of the canvas from taking memory.
            let within = |value: f64| value.clamp(-100.0, WIDTH * SCALE + 100.0);
            let (low, high) = (within((low - space).floor()), within((high + space).ceil()));
            (low as i64, (high - low).max(0.0) as usize + 1)
        };
        let (left, width) = extent(&mut points.iter().map(|point| point.0));
        let (top, height) = extent(&mut points.iter().map(|point| point.1));
        Self { left, top, width, height }
    }
}

impl Mask {
    /// An empty one that holds all points and some space around them.
    fn around(points: &[Point], space: f64) -> Self {
        let frame = Frame::around(points, space);
        let coverage = vec![0.0; frame.width * frame.height];
        Self { frame, coverage }
    }

    /// Adds an area.
    fn unite(&mut self, rasterizer: &mut Rasterizer, outline: &[Point]) {
        let part = Frame::around(outline, 1.0);
        rasterizer.reset(part.width, part.height);
        let corner = |(x, y): Point| -> Corner { point((x - part.left as f64) as f32, (y - part.top as f64) as f32) };
        for (from, to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
            rasterizer.draw_line(corner(*from), corner(*to));
        }
        rasterizer.for_each_pixel_2d(|x, y, coverage| {
            let (x, y) = (part.left + i64::from(x) - self.frame.left, part.top + i64::from(y) - self.frame.top);
            let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
            if x < self.frame.width && y < self.frame.height {
                let pixel = &mut self.coverage[y * self.frame.width + x];
                *pixel = pixel.max(coverage.min(1.0));
            }
        });
    }
}

/// The outline of a segment with round ends.
fn segment(from: Point, to: Point, radius: f64) -> Vec<Point> {
    let angle = libm::atan2(to.1 - from.1, to.0 - from.0);
    let cap = |centre: Point, start: f64| {
        (0..=CAP_CORNERS).map(move |corner| {
            let turn = start + std::f64::consts::PI * corner as f64 / CAP_CORNERS as f64;
            (centre.0 + radius * libm::cos(turn), centre.1 + radius * libm::sin(turn))
        })
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    cap(to, angle - quarter).chain(cap(from, angle + quarter)).collect()
}

fn linear(colour: Colour) -> [f32; 3] {
    [colour.0, colour.1, colour.2].map(|byte| {
        let value = f64::from(byte) / 255.0;
        let light = if value <= 0.040_45 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
        light as f32
    })
}

fn encode(light: f64) -> u8 {
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}
