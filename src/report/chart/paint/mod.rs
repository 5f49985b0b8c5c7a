//! A scene as SVG and as PNG: the same shapes go through the same library, which draws both.

mod bitmap;
mod document;
mod pixels;

use plotters::coord::Shift;
use plotters::prelude::{
    Color, DrawingArea, DrawingAreaErrorKind, DrawingBackend, PathElement, Polygon, RGBColor, Rectangle,
};

pub use self::bitmap::png;
pub use self::document::svg;
use super::scene::{Point, Scene, Shape, Text};
use super::style::{Colour, HEIGHT, WHITE, WIDTH};

/// Steps of the library a unit of the chart. It places things at whole steps only: this many keep curves smooth.
const STEPS: f64 = 6.0;
/// Width and height in steps.
const SIZE: (u32, u32) = ((WIDTH * STEPS) as u32, (HEIGHT * STEPS) as u32);

/// What is drawn on.
type Area<B> = DrawingArea<B, Shift>;
/// Whether drawing went well.
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// What the two kinds of picture draw each in its own way.
trait Pen: DrawingBackend {
    /// Draws a line with round ends and joints.
    fn line(area: &Area<Self>, points: Vec<(i32, i32)>, width: u32, colour: RGBColor) -> Drawn<Self>;

    /// Draws a line of text.
    fn text(area: &Area<Self>, scene: &Scene, text: &Text) -> Drawn<Self>;
}

fn draw<B: Pen>(area: &Area<B>, scene: &Scene) -> Drawn<B> {
    area.fill(&rgb(WHITE))?;
    scene.shapes.iter().try_for_each(|shape| draw_shape(area, scene, shape))?;
    area.present()
}

fn draw_shape<B: Pen>(area: &Area<B>, scene: &Scene, shape: &Shape) -> Drawn<B> {
    match shape {
        Shape::Area { outline, colour, opacity } => {
            area.draw(&Polygon::new(places(outline), rgb(*colour).mix(*opacity)))
        }
        Shape::Rectangle { from, to, colour } => {
            area.draw(&Rectangle::new([place(*from), place(*to)], rgb(*colour).filled()))
        }
        Shape::Line { points, width, colour } => {
            B::line(area, places(points), (width * STEPS).round() as u32, rgb(*colour))
        }
        Shape::Text(text) => B::text(area, scene, text),
    }
}

/// Draws a line as the library does.
fn draw_path<B: DrawingBackend>(area: &Area<B>, points: Vec<(i32, i32)>, width: u32, colour: RGBColor) -> Drawn<B> {
    area.draw(&PathElement::new(points, colour.stroke_width(width)))
}

fn places(points: &[Point]) -> Vec<(i32, i32)> {
    points.iter().copied().map(place).collect()
}

fn place((x, y): Point) -> (i32, i32) {
    ((x * STEPS).round() as i32, (y * STEPS).round() as i32)
}

fn rgb(colour: Colour) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}
