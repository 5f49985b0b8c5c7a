//! A scene as SVG: text stays text, and no file beside it is needed.

use std::fmt::Write as _;

use super::font::Weight;
use super::scene::{Anchor, Point, Scene, Shape, Text};
use super::style::{HEIGHT, WHITE, WIDTH};

/// The scene as a document of its own.
pub fn document(scene: &Scene) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\" \
         font-family=\"Inter, system-ui, sans-serif\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{}\"/>\n",
        escaped(&scene.description),
        WHITE.hex(),
    );
    for shape in &scene.shapes {
        push_shape(&mut svg, shape);
    }
    svg.push_str("</svg>\n");
    svg
}

fn push_shape(svg: &mut String, shape: &Shape) {
    match shape {
        Shape::Area { outline, colour, opacity } => {
            let opacity = if *opacity < 1.0 { format!(" fill-opacity=\"{opacity}\"") } else { String::new() };
            push(svg, format_args!("<polygon fill=\"{}\"{opacity} points=\"{}\"/>\n", colour.hex(), places(outline)));
        }
        Shape::Line { points, width, colour } => push(
            svg,
            format_args!(
                "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" points=\"{}\"/>\n",
                colour.hex(),
                places(points)
            ),
        ),
        Shape::Text(text) => push_text(svg, text),
    }
}

fn push_text(svg: &mut String, text: &Text) {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = match text.weight {
        Weight::Regular => "",
        Weight::SemiBold => " font-weight=\"600\"",
    };
    push(
        svg,
        format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{weight}{anchor}>{}</text>\n",
            rounded(text.at.0),
            rounded(text.at.1),
            text.size,
            text.colour.hex(),
            escaped(&text.words)
        ),
    );
}

fn push(svg: &mut String, arguments: std::fmt::Arguments) {
    // Writing to a string cannot fail.
    let _ = svg.write_fmt(arguments);
}

fn places(points: &[Point]) -> String {
    let mut text = String::with_capacity(points.len() * 12);
    for (index, (x, y)) in points.iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        push(&mut text, format_args!("{gap}{},{}", rounded(*x), rounded(*y)));
    }
    text
}

/// To a hundredth of a unit, which no screen resolves.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            other => safe.push(other),
        }
    }
    safe
}
