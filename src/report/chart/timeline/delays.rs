//! The delays of a timeline: what was drawn, and the range that it was drawn from.

use super::lanes::{Lane, colour_of};
use super::{Timeline, text};
use crate::engine::time::seconds;
use crate::report::chart::font::Weight;
use crate::report::chart::marker;
use crate::report::chart::scene::{Anchor, Scene};
use crate::report::chart::style::{INK, MARK};
use crate::trace::{Drawn, Whereabouts};

impl Timeline<'_> {
    /// What the policy has drawn, and the range that it drew from: one below the other, since the ranges overlap.
    pub(super) fn delays(&self, scene: &mut Scene) {
        let entries = self.report.trace.entries.iter();
        let delays: Vec<(u64, Drawn)> = entries.filter_map(|entry| Some((entry.sight.at_us, entry.drawn?))).collect();
        let (top, bottom) = self.edges(Lane::Drawn);
        let row = (bottom - top) / delays.len().max(1) as f64;
        for (number, (at_us, drawn)) in delays.iter().enumerate() {
            self.delay(scene, *at_us, *drawn, (top + row * (number as f64 + 0.5), row));
        }
    }

    fn delay(&self, scene: &mut Scene, at_us: u64, drawn: Drawn, (middle, row): (f64, f64)) {
        let x = |delay_s: u32| self.plot.x(seconds(at_us - self.from_us) + f64::from(delay_s));
        let (low, high, at) = (x(drawn.low_s), x(drawn.high_s), x(drawn.delay_s));
        let colour = colour_of(Whereabouts::BackingOff);
        let tick = (row * 0.3).min(5.0);
        if drawn.low_s != drawn.high_s {
            scene.rule((low, middle), (high, middle), 2.0, colour);
            scene.rule((low, middle - tick), (low, middle + tick), 1.5, colour);
            if high < self.plot.right {
                scene.rule((high, middle - tick), (high, middle + tick), 1.5, colour);
            }
        }
        marker::draw(scene, 0, (at, middle), (row * 0.3).clamp(1.5, 3.5), INK);
        if row >= MARK {
            self.delay_label(scene, drawn, (low, at, high), middle);
        }
    }

    /// Beside the range, or before it where there is no room behind.
    fn delay_label(&self, scene: &mut Scene, drawn: Drawn, (low, at, high): (f64, f64, f64), middle: f64) {
        const GAP: f64 = 9.0;
        let words = match drawn.low_s == drawn.high_s {
            true => format!("{} s", drawn.delay_s),
            false => format!("{} s of {} to {} s", drawn.delay_s, drawn.low_s, drawn.high_s),
        };
        let width = scene.fonts.width(&words, MARK, Weight::Regular);
        let is_wide = high + GAP + width > self.plot.right;
        let (x, anchor) = match is_wide {
            false => (high + GAP, Anchor::Start),
            true => (low.min(at) - GAP, Anchor::End),
        };
        scene.text(text(&words, (x, middle + 4.0), anchor, MARK, Weight::Regular, INK), width + 1.0);
    }
}
