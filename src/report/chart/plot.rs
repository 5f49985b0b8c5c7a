//! A plot: the rectangle in which curves live, its scales, its grid and its outages.

use super::axis;
use super::context::outage_label;
use super::font::Weight;
use super::scale::Scale;
use super::scene::{Anchor, Point, Scene, Text};
use super::style::{AXIS, GRID, HAIRLINE, MARK, MUTED, OUTAGE, OUTAGE_BAR, OUTAGE_TEXT, SMALL};
use crate::engine::time::seconds;
use crate::model::downstream::Outage;

/// Labels of values keep this distance; those that would be nearer are left out.
const LABEL_HEIGHT: f64 = 12.0;

/// How values are written beside their axis.
pub type ValueFormat = fn(f64) -> String;

/// The rectangle and its scales; time starts at zero.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    /// Left edge.
    pub left: f64,
    /// Right edge.
    pub right: f64,
    /// Upper edge.
    pub top: f64,
    /// Lower edge.
    pub bottom: f64,
    /// Time at the right edge, in seconds.
    pub end_s: f64,
    /// The scale of the values.
    pub scale: Scale,
}

impl Plot {
    /// Where a time is.
    pub fn x(&self, time_s: f64) -> f64 {
        self.left + (self.right - self.left) * (time_s / self.end_s).clamp(0.0, 1.0)
    }

    /// Where a value is.
    pub fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * self.scale.share(value)
    }

    /// Where points are.
    pub fn place(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|(time_s, value)| (self.x(*time_s), self.y(*value))).collect()
    }

    /// Shades outages; with labels where they may take the room up to a place, on a baseline.
    pub fn outages(&self, scene: &mut Scene, outages: &[Outage], label_room: Option<(f64, f64)>) {
        let mut free_from = self.left;
        for outage in outages.iter().filter(|outage| seconds(outage.from_us) < self.end_s) {
            let (from, until) = (self.x(seconds(outage.from_us)), self.x(seconds(outage.until_us)));
            let until = until.max(from + 1.0);
            scene.rectangle((from, self.top), (until, self.bottom), OUTAGE);
            scene.rectangle((from, self.top - 2.0), (until, self.top), OUTAGE_BAR);
            if let Some((right, baseline)) = label_room {
                let middle = (from + until) / 2.0;
                free_from = place_label(scene, &outage_label(outage), middle, (free_from, right), baseline);
            }
        }
    }

    /// Draws hairlines at the values, labelled at the left where there is a format.
    pub fn value_axis(&self, scene: &mut Scene, values: &[f64], format: Option<ValueFormat>) {
        let mut free_from = f64::INFINITY;
        for value in values {
            let y = self.y(*value);
            let colour = if *value == 0.0 { AXIS } else { GRID };
            scene.rule((self.left, y), (self.right, y), HAIRLINE, colour);
            if let Some(format) = format.filter(|_| y <= free_from) {
                free_from = y - LABEL_HEIGHT;
                scene.text(small(&format(*value), (self.left - 9.0, y + 4.4), Anchor::End, MUTED), self.left);
            }
        }
    }

    /// Draws ticks at round times, at most so many, as far as their labels have room; labelled where `labelled`; with
    /// `hugs_edges` no label leaves the plot.
    pub fn time_axis(&self, scene: &mut Scene, most: usize, labelled: bool, hugs_edges: bool) {
        for (time_s, words) in self.roomy_ticks(scene, most, hugs_edges) {
            let x = self.x(time_s);
            scene.rule((x, self.bottom), (x, self.bottom + 4.0), HAIRLINE, AXIS);
            if labelled {
                scene.text(small(&words, (x, self.bottom + 19.0), self.tick_anchor(x, hugs_edges), MUTED), 90.0);
            }
        }
    }

    /// The most ticks whose labels have room. Where those would be zero and one more, the last of closer ticks goes without
    /// a label instead.
    fn roomy_ticks(&self, scene: &Scene, most: usize, hugs_edges: bool) -> Vec<(f64, String)> {
        const ENOUGH: usize = 3;
        let ticks = |most: usize| axis::time_ticks(self.end_s, most);
        let has_room = |ticks: &[(f64, String)]| self.labels_have_room(scene, ticks, hugs_edges);
        let all = (2..=most).rev().map(ticks).find(|ticks| ticks.len() >= ENOUGH && has_room(ticks));
        let but_last = || {
            let is_roomy = |ticks: &Vec<(f64, String)>| ticks.len() > ENOUGH && has_room(&ticks[..ticks.len() - 1]);
            let mut ticks = (2..=most).rev().map(ticks).find(is_roomy)?;
            if let Some(last) = ticks.last_mut() {
                last.1.clear();
            }
            Some(ticks)
        };
        let few = || (1..=most).rev().map(ticks).find(|ticks| has_room(ticks));
        all.or_else(but_last).or_else(few).unwrap_or_else(|| ticks(1))
    }

    /// Whether the labels of ticks keep a distance at which nobody reads two of them as one.
    fn labels_have_room(&self, scene: &Scene, ticks: &[(f64, String)], hugs_edges: bool) -> bool {
        const APART: f64 = 14.0;
        let ends = ticks.iter().map(|(time_s, words)| {
            let (x, width) = (self.x(*time_s), scene.fonts.width(words, SMALL, Weight::Regular));
            match self.tick_anchor(x, hugs_edges) {
                Anchor::Start => (x, x + width),
                Anchor::Middle => (x - width / 2.0, x + width / 2.0),
                Anchor::End => (x - width, x),
            }
        });
        let ends: Vec<(f64, f64)> = ends.collect();
        ends.windows(2).all(|pair| pair[1].0 - pair[0].1 >= APART)
    }

    fn tick_anchor(&self, x: f64, hugs_edges: bool) -> Anchor {
        if hugs_edges { self.inward(x) } else { Anchor::Middle }
    }

    /// The anchor that keeps a label below `x` between the edges.
    fn inward(&self, x: f64) -> Anchor {
        const NEAR: f64 = 20.0;
        if x < self.left + NEAR {
            Anchor::Start
        } else if x > self.right - NEAR {
            Anchor::End
        } else {
            Anchor::Middle
        }
    }

    /// Marks lengths on the time axis, in order; with their words above where those are wanted.
    pub fn references(&self, scene: &mut Scene, references: &[(f64, String)], labelled: bool) {
        let mut free_from = self.left;
        for (time_s, words) in references {
            let x = self.x(*time_s);
            scene.dashed_rule(x, self.top, self.bottom, OUTAGE_BAR);
            if labelled {
                free_from = place_label(scene, words, x, (free_from, self.right), self.top - 9.0);
            }
        }
    }

    /// Says beside the uppermost value that equal distances are equal ratios, where that is so.
    pub fn say_logarithmic(&self, scene: &mut Scene) {
        if self.scale.is_logarithmic {
            let at = (self.left - 9.0, self.top - 7.0);
            scene.text(Text { size: MARK, ..small("log scale", at, Anchor::End, MUTED) }, self.left);
        }
    }
}

/// Writes a label above a plot, around `middle` as far as the room allows, or not at all where there is none; returns
/// where the next one may start.
fn place_label(scene: &mut Scene, words: &str, middle: f64, (left, right): (f64, f64), baseline: f64) -> f64 {
    const GAP: f64 = 16.0;
    let width = scene.fonts.width(words, SMALL, Weight::Regular);
    if width > right - left {
        return left;
    }
    let start = (middle - width / 2.0).min(right - width).max(left);
    scene.text(small(words, (start, baseline), Anchor::Start, OUTAGE_TEXT), width + 1.0);
    start + width + GAP
}

/// A small text that explains.
pub fn small(words: &str, at: Point, anchor: Anchor, colour: super::style::Colour) -> Text {
    Text { words: words.to_owned(), at, anchor, size: SMALL, weight: Weight::Regular, colour }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::font::Fonts;

    fn labels(width: f64, end_s: f64) -> String {
        let plot = Plot { left: 0.0, right: width, top: 0.0, bottom: 10.0, end_s, scale: Scale::up_to(1.0) };
        let scene = Scene::new(Fonts::embedded().unwrap());
        let labels: Vec<String> = plot.roomy_ticks(&scene, 4, true).into_iter().map(|tick| tick.1).collect();
        labels.join(", ").replace(crate::report::number::NO_BREAK, " ")
    }

    #[test]
    fn labels_of_ticks_never_nearly_touch() {
        assert_eq!(labels(195.0, 1_800.0), "0, 15 min, 30 min", "30 min would stand close to 20 min");
        assert_eq!(labels(400.0, 1_800.0), "0, 10 min, 20 min, 30 min");
        assert_eq!(labels(195.0, 2_700.0), "0, 15 min, 30 min, ", "the last one goes without");
    }
}
