//! When the circuit breaker was open: a hatched strip at the upper edge of a plot, in the variant's colour.

use super::course::View;
use super::plot::Plot;
use super::scene::{Point, Scene};
use super::style::{self, Colour};
use crate::measure::SeriesMetric;
use crate::study::Series;

/// The breaker counts as open from this share of all consumers and runs on.
const MOSTLY: f64 = 0.5;
/// Height of a strip.
pub const HEIGHT: f64 = 7.0;
/// Distance of the strips of two variants in one plot.
const APART: f64 = 2.0;
/// Distance of two lines of the hatching.
const HATCHING: f64 = 5.0;
/// How much of the strip's ground covers what is below.
const OPACITY: f64 = 0.3;
/// What the hatching means, for legends.
pub const WORDS: &str = "breaker open";
/// The same, for subtitles.
pub const SENTENCE: &str = "Hatched: breaker open.";

/// A time from when to when, in seconds.
pub type Span = (f64, f64);

/// The times in which most breakers were open or half-open, as far as the view goes; a level is that of the step that it
/// ends.
pub fn spans(view: View, series: &Series) -> Vec<Span> {
    let step_s = series.step_s.max(1) as f64;
    let mut spans: Vec<Span> = Vec::new();
    for (step, share) in series.of(SeriesMetric::BreakerOpen).iter().enumerate() {
        let (from_s, until_s) = (step as f64 * step_s, (step + 1) as f64 * step_s);
        if *share < MOSTLY || from_s >= view.end_s {
            continue;
        }
        match spans.last_mut() {
            Some(last) if last.1 == from_s => last.1 = until_s,
            _ => spans.push((from_s, until_s)),
        }
    }
    spans
}

/// Draws the strip of a variant; `lane` counts those that are above it in the same plot.
pub fn draw(scene: &mut Scene, plot: &Plot, lane: usize, colour: Colour, spans: &[Span]) {
    let top = plot.top + 1.0 + lane as f64 * (HEIGHT + APART);
    for (from_s, until_s) in spans {
        let left = plot.x(*from_s);
        hatched(scene, (left, top), (plot.x(*until_s).max(left + 1.0), top + HEIGHT), colour);
    }
}

/// A hatched rectangle.
pub fn hatched(scene: &mut Scene, (left, top): Point, (right, bottom): Point, colour: Colour) {
    scene.area(vec![(left, top), (right, top), (right, bottom), (left, bottom)], colour, OPACITY);
    // At places of the picture, not of the rectangle, so that neighbours make one pattern.
    let height = bottom - top;
    let mut x = (left / HATCHING).ceil() * HATCHING;
    while x + height <= right {
        scene.line(vec![(x, bottom), (x + height, top)], style::HAIRLINE, colour);
        x += HATCHING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::course::Shows;
    use crate::report::sample;

    #[test]
    fn steps_beside_each_other_are_one_span_and_few_open_breakers_are_none() {
        let mut series = sample::failover().variants[2].series.clone();
        let step_s = series.step_s as f64;
        let shares = &mut series.mean[SeriesMetric::BreakerOpen as usize];
        shares.iter_mut().for_each(|share| *share = 0.0);
        shares[1..5].copy_from_slice(&[0.5, 1.0, 0.49, 0.7]);
        let view = View { end_s: 1_000.0 * step_s, is_cut: false, point_s: series.step_s, shows: Shows::Calls };
        assert_eq!(spans(view, &series), [(step_s, 3.0 * step_s), (4.0 * step_s, 5.0 * step_s)]);
        assert_eq!(spans(View { end_s: 2.0 * step_s, ..view }, &series), [(step_s, 2.0 * step_s)]);
    }
}
