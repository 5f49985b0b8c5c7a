//! The line that a place is in, with the spot marked, as a compiler shows it.

use annotate_snippets::{Annotation, AnnotationKind, Snippet};

use super::place::{Line, Place, floor_char_boundary};

/// The line with a mark and a label; a place that spans several lines is marked to the end of its first.
pub fn snippet<'a>(file: &'a str, line: &Line<'a>, place: Place, label: &'a str) -> Snippet<'a, Annotation<'a>> {
    let from = floor_char_boundary(line.text, place.start.saturating_sub(line.start));
    let until = floor_char_boundary(line.text, place.end.saturating_sub(line.start)).max(from);
    let mark = AnnotationKind::Primary.span(from..until).label(label);
    Snippet::source(line.text).line_start(line.number).path(file).annotation(mark)
}
