//! A scene as SVG: text stays text, and no file beside it is needed.

use plotters::prelude::{FontStyle, IntoDrawingArea, RGBColor, SVGBackend, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, Drawn, Pen, SIZE, STEPS, draw, draw_path, place, rgb};
use crate::report::chart::font::Weight;
use crate::report::chart::scene::{Anchor, Scene, Text};
use crate::report::chart::style::{HEIGHT, WIDTH};

/// Fonts to show text in, the best first.
const FAMILY: &str = "Inter, system-ui, sans-serif";
/// Size of a font to the library for an em of one.
const SIZE_OF_EM: f64 = 1.24;
/// How far below the top of a text the library puts its baseline, in ems.
const ASCENT: f64 = 0.76;

/// The scene as a document of its own.
pub fn svg(scene: &Scene) -> Result<String, String> {
    let mut drawn = String::new();
    draw(&SVGBackend::with_string(&mut drawn, SIZE).into_drawing_area(), scene).map_err(|error| error.to_string())?;
    finished(&drawn, &scene.description).ok_or_else(|| "the drawing starts in an unknown way".to_owned())
}

/// The document in its true size and with what the library leaves out: words for those who cannot see it, round lines,
/// and the weight that the text was measured in. Quotes in texts are escaped, so that an attribute is always one.
fn finished(drawn: &str, description: &str) -> Option<String> {
    let rest = drawn.strip_prefix(&format!("<svg width=\"{}\" height=\"{}\"", SIZE.0, SIZE.1))?;
    Some(format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" aria-label=\"{}\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\"{}",
        escaped(description),
        rest.replace("font-weight=\"bold\"", "font-weight=\"600\"")
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Pen for SVGBackend<'_> {
    fn line(area: &Area<Self>, points: Vec<(i32, i32)>, width: u32, colour: RGBColor) -> Drawn<Self> {
        draw_path(area, points, width, colour)
    }

    /// Leaves the letters to the viewer.
    fn text(area: &Area<Self>, _: &Scene, text: &Text) -> Drawn<Self> {
        let weight = match text.weight {
            Weight::Regular => FontStyle::Normal,
            Weight::SemiBold => FontStyle::Bold,
        };
        let anchor = match text.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let font = (FAMILY, text.size * STEPS * SIZE_OF_EM, weight);
        let colour = rgb(text.colour);
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(anchor, VPos::Top));
        area.draw_text(&text.words, &style, place((text.at.0, text.at.1 - ASCENT * text.size)))
    }
}
