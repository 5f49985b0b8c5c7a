//! A small shape for each variant: what tells curves apart where colours do not.

use super::scene::{Point, Scene};
use super::style::{Colour, WHITE};

/// Draws the marker of a variant, with a white rim that sets it off from the curves below.
pub fn draw(scene: &mut Scene, variant: usize, at: Point, radius: f64, colour: Colour) {
    scene.area(outline(variant, at, radius + 1.2), WHITE, 1.0);
    scene.area(outline(variant, at, radius), colour, 1.0);
}

/// Circle, square, triangle and diamond in turn, of about the same area.
fn outline(variant: usize, at: Point, radius: f64) -> Vec<Point> {
    match variant % 4 {
        0 => polygon(at, radius, 24, 0.0),
        1 => polygon(at, radius * 1.25, 4, 0.125),
        2 => polygon((at.0, at.1 + radius * 0.2), radius * 1.4, 3, -0.25),
        _ => polygon(at, radius * 1.35, 4, 0.0),
    }
}

/// A regular polygon; `start` is the direction of its first corner, in turns clockwise from the right.
fn polygon(centre: Point, radius: f64, corners: usize, start: f64) -> Vec<Point> {
    let corner = |index: usize| {
        let angle = std::f64::consts::TAU * (start + index as f64 / corners as f64);
        (centre.0 + radius * libm::cos(angle), centre.1 + radius * libm::sin(angle))
    };
    (0..corners).map(corner).collect()
}
