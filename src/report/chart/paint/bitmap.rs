//! A scene as PNG: drawn large and shrunk, which is what smooths its edges.

use ab_glyph::Font;
use plotters::prelude::{BitMapBackend, Circle, Color, IntoDrawingArea, RGBColor};

use super::{Area, Drawn, Pen, SIZE, STEPS, draw, draw_path, pixels, rgb};
use crate::report::chart::scene::{Anchor, Scene, Text};

/// The scene as a file of 1920 x 1080 pixels.
pub fn png(scene: &Scene) -> Result<Vec<u8>, String> {
    let mut large = vec![0; SIZE.0 as usize * SIZE.1 as usize * pixels::CHANNELS];
    draw(&BitMapBackend::with_buffer(&mut large, SIZE).into_drawing_area(), scene)
        .map_err(|error| error.to_string())?;
    pixels::file(&large, SIZE).map_err(|error| error.to_string())
}

impl Pen for BitMapBackend<'_> {
    /// Draws each segment and a dot at each of its ends: the joints of the library's longer lines grow thorns. Dots are a
    /// little smaller than the line is wide, as the library adds their centre to their radius.
    fn line(area: &Area<Self>, points: Vec<(i32, i32)>, width: u32, colour: RGBColor) -> Drawn<Self> {
        let radius = (width / 2).saturating_sub(1);
        for segment in points.windows(2) {
            draw_path(area, segment.to_vec(), width, colour)?;
            for end in segment {
                area.draw(&Circle::new(*end, radius, colour.filled()))?;
            }
        }
        Ok(())
    }

    /// Draws letters where the font wants them. The library's own text leaves out the space that a letter keeps to its
    /// left, which makes gaps uneven.
    fn text(area: &Area<Self>, scene: &Scene, text: &Text) -> Drawn<Self> {
        let width = scene.fonts.width(&text.words, text.size, text.weight);
        let left = match text.anchor {
            Anchor::Start => text.at.0,
            Anchor::Middle => text.at.0 - width / 2.0,
            Anchor::End => text.at.0 - width,
        };
        let start = (left * STEPS, text.at.1 * STEPS);
        let (face, colour) = (scene.fonts.face(text.weight), rgb(text.colour));
        let mut drawn = Ok(());
        for glyph in scene.fonts.glyphs(&text.words, text.size * STEPS, text.weight, start) {
            let Some(outline) = face.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, coverage| {
                let place = (corner.x as i32 + x as i32, corner.y as i32 + y as i32);
                if drawn.is_ok() {
                    drawn = area.draw_pixel(place, &colour.mix(coverage.into()));
                }
            });
        }
        drawn
    }
}
