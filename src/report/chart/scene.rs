//! A picture as a list of shapes, in the chart's own units: drawn once, written as SVG and as PNG.

use super::font::{Fonts, Weight};
use super::style::Colour;

/// A place in the chart; y grows downwards.
pub type Point = (f64, f64);

/// A shape.
pub enum Shape {
    /// A filled area.
    Area {
        /// Its outline, which does not cross itself.
        outline: Vec<Point>,
        /// Its colour.
        colour: Colour,
        /// 0 (invisible) to 1.
        opacity: f64,
    },
    /// A filled rectangle with upright sides.
    Rectangle {
        /// Its upper left corner.
        from: Point,
        /// Its lower right corner.
        to: Point,
        /// Its colour.
        colour: Colour,
    },
    /// A line with round ends and joints.
    Line {
        /// Where it goes.
        points: Vec<Point>,
        /// How wide it is.
        width: f64,
        /// Its colour.
        colour: Colour,
    },
    /// A line of text.
    Text(Text),
}

/// Which end of a text its place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// A line of text.
#[derive(Clone)]
pub struct Text {
    /// What it says.
    pub words: String,
    /// Where its anchor is on the baseline.
    pub at: Point,
    /// What is at that place.
    pub anchor: Anchor,
    /// Size of the em.
    pub size: f64,
    /// Its weight.
    pub weight: Weight,
    /// Its colour.
    pub colour: Colour,
}

/// A picture in the making.
pub struct Scene {
    /// What a reader who cannot see it is told.
    pub description: String,
    /// Its shapes, from back to front.
    pub shapes: Vec<Shape>,
    /// The fonts that measure and draw its text.
    pub fonts: &'static Fonts,
}

impl Scene {
    /// An empty picture.
    pub fn new(fonts: &'static Fonts) -> Self {
        Self { description: String::new(), shapes: Vec::new(), fonts }
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, from: Point, to: Point, colour: Colour) {
        self.shapes.push(Shape::Rectangle { from, to, colour });
    }

    /// A filled area.
    pub fn area(&mut self, outline: Vec<Point>, colour: Colour, opacity: f64) {
        self.shapes.push(Shape::Area { outline, colour, opacity });
    }

    /// A line.
    pub fn line(&mut self, points: Vec<Point>, width: f64, colour: Colour) {
        self.shapes.push(Shape::Line { points, width, colour });
    }

    /// A straight line of the grid: a thin rectangle, so that its edges stay crisp.
    pub fn rule(&mut self, (x0, y0): Point, (x1, y1): Point, width: f64, colour: Colour) {
        let half = width / 2.0;
        if y0 == y1 {
            self.rectangle((x0, y0 - half), (x1, y1 + half), colour);
        } else {
            self.rectangle((x0 - half, y0), (x1 + half, y1), colour);
        }
    }

    /// A vertical dashed line, for a moment or length to compare with.
    pub fn dashed_rule(&mut self, x: f64, top: f64, bottom: f64, colour: Colour) {
        const DASH: f64 = 4.0;
        const GAP: f64 = 3.0;
        let mut y = top;
        while y < bottom {
            self.rule((x, y), (x, (y + DASH).min(bottom)), 1.25, colour);
            y += DASH + GAP;
        }
    }

    /// A line of text that is cut where it exceeds `room`.
    pub fn text(&mut self, mut text: Text, room: f64) {
        text.words = self.fonts.fit(&text.words, text.size, text.weight, room);
        self.shapes.push(Shape::Text(text));
    }
}
