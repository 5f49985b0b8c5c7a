//! What surrounds every chart: the finding, what is measured, the source.

use super::context::Context;
use super::font::Weight;
use super::scene::{Anchor, Scene, Text};
use super::style::{BODY, FOOTER, HEIGHT, INK, MARGIN, MUTED, TITLE_SIZES, WIDTH};

/// Writes title, subtitle (in up to two lines; empty ones are left out) and source line, and tells those who cannot
/// see the picture what it shows. The title is a sentence for names of at most so many columns.
pub fn draw(scene: &mut Scene, context: &Context, title: impl Fn(usize) -> String, subtitle: [String; 2]) {
    draw_over(scene, &context.footer(), title, subtitle);
}

/// The same over any source line.
pub fn draw_over(scene: &mut Scene, footer: &str, title: impl Fn(usize) -> String, subtitle: [String; 2]) {
    let room = WIDTH - 2.0 * MARGIN;
    let (title, size) = fitting(scene, title, room);
    let line = |words: &str, y: f64, size: f64, weight, colour| Text {
        words: words.to_owned(),
        at: (MARGIN, y),
        anchor: Anchor::Start,
        size,
        weight,
        colour,
    };
    scene.description = format!("{title}. {}", subtitle.join(" ")).trim_end().to_owned();
    scene.text(line(&title, 42.0, size, Weight::SemiBold, INK), room);
    for (index, words) in subtitle.iter().filter(|words| !words.is_empty()).enumerate() {
        scene.text(line(words, 65.0 + 18.0 * index as f64, BODY, Weight::Regular, MUTED), room);
    }
    scene.text(line(footer, HEIGHT - 22.0, FOOTER, Weight::Regular, MUTED), room);
}

/// The title with the longest names that leave room for the finding, and its size: rather smaller letters than names that
/// nobody can make out.
fn fitting(scene: &Scene, title: impl Fn(usize) -> String, room: f64) -> (String, f64) {
    const READABLE: [usize; 3] = [40, 28, 20];
    const SHORT: [usize; 3] = [16, 12, 8];
    let wanted = READABLE.into_iter().flat_map(|columns| TITLE_SIZES.map(|size| (columns, size)));
    let smallest = TITLE_SIZES[TITLE_SIZES.len() - 1];
    let mut attempts = wanted.chain(SHORT.map(|columns| (columns, smallest)));
    let fits = |(columns, size): (usize, f64)| {
        let title = title(columns);
        (scene.fonts.width(&title, size, Weight::SemiBold) <= room).then_some((title, size))
    };
    attempts.find_map(fits).unwrap_or_else(|| (title(SHORT[SHORT.len() - 1]), smallest))
}
