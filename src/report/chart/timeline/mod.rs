//! One message on a time axis: where it waited, who held it, who worked on it, and what the policy drew.

mod delays;
mod lanes;

use lanes::{Lane, colour_of, handling_colour, lane_of, meaning};

use super::context::outage_label;
use super::font::{Fonts, Weight};
use super::marker;
use super::page;
use super::paint;
use super::plot::Plot;
use super::scale::Scale;
use super::scene::{Anchor, Scene, Text};
use super::style::{
    AXIS, BODY, Colour, GRID, HAIRLINE, HEIGHT, INK, MARGIN, MUTED, OUTAGE_TEXT, SMALL, WIDTH, line_colour,
};
use crate::engine::time::seconds;
use crate::model::downstream::Outage;
use crate::report::files::RenderedFile;
use crate::report::trace::TraceReport;
use crate::report::{ReportError, number, words};
use crate::simulation::DeadLettering;
use crate::trace::{Ending, Stretch, Trace, Whereabouts};

/// Name of the picture's files.
const NAME: &str = "timeline";
/// Room for the names of the lanes.
const NAMES: f64 = 150.0;
/// Upper edge of the plot.
const TOP: f64 = 148.0;
/// Lower edge of the plot.
const BOTTOM: f64 = 420.0;
/// Part of a lane that its bars fill.
const FILLED: f64 = 0.46;
/// A bar is at least that wide: a call of some milliseconds is still there to be seen.
const THINNEST: f64 = 2.0;
/// Time axis beyond the last event, as a share of what comes before.
const BEYOND: f64 = 0.03;

/// The picture in the making.
struct Timeline<'a> {
    report: &'a TraceReport<'a>,
    plot: Plot,
    lanes: Vec<Lane>,
    from_us: u64,
}

/// Draws the timeline as SVG and as PNG.
pub fn render(report: &TraceReport<'_>) -> Result<[RenderedFile; 2], ReportError> {
    let failed = |reason| ReportError::Render { file: NAME, reason };
    let mut scene = Scene::new(Fonts::embedded().map_err(failed)?);
    draw(&mut scene, report);
    scene.description = words::clean(&scene.description);
    let svg = paint::svg(&scene).map_err(failed)?.into_bytes();
    let png = paint::png(&scene).map_err(failed)?;
    Ok([RenderedFile::new(format!("{NAME}.svg"), svg), RenderedFile::new(format!("{NAME}.png"), png)])
}

fn draw(scene: &mut Scene, report: &TraceReport<'_>) {
    let timeline = Timeline::new(report);
    let footer = [
        words::truncated(report.scenario_file, 60),
        format!("seed {}, replication {}", report.seed, report.replication),
        concat!("retrystorm ", env!("CARGO_PKG_VERSION")).to_owned(),
    ];
    page::draw_over(scene, &footer.join(" · "), |columns| title(report, columns), subtitle(report));
    timeline.ground(scene);
    timeline.receives(scene);
    timeline.whereabouts(scene);
    timeline.handlings(scene);
    timeline.delays(scene);
    timeline.fates(scene);
    timeline.legend(scene);
}

/// The finding: how often it was received, and what became of it.
fn title(report: &TraceReport<'_>, columns: usize) -> String {
    let trace = report.trace;
    let receives = number::counted(trace.answer().receives as f64, "receive");
    let fate =
        trace.tracks.iter().rfind(|track| track.line != trace.dead_letter_line()).map_or(String::new(), |track| {
            let after = number::duration(seconds(track.until_us - trace.tracks[0].from_us));
            format!(", {} after {after}", ending_words(track.ending))
        });
    format!("Message {} of {}: {receives}{fate}", trace.key, words::truncated(report.variant, columns))
}

fn ending_words(ending: Ending) -> &'static str {
    match ending {
        Ending::Deleted => "deleted",
        Ending::DeadLettered(DeadLettering::Polled | DeadLettering::AtOnce) => "used up and dead-lettered",
        Ending::DeadLettered(_) => "dead-lettered",
        Ending::Expired => "expired",
        Ending::Redriven => "redriven",
        Ending::Pending => "still there",
    }
}

fn subtitle(report: &TraceReport<'_>) -> [String; 2] {
    let answer = report.trace.answer();
    let spent: Vec<String> = answer
        .spent_us
        .iter()
        .map(|(whereabouts, us)| format!("{} {}", number::duration(seconds(*us)), whereabouts.words()))
        .collect();
    let calls = number::counted(answer.calls as f64, "call");
    [format!("{}.", spent.join(", ")), format!("{calls}, of which {} worked.", answer.successes)]
}

/// The last moment that the picture shows: the end of the story, or of the run if the message is still in a source queue.
fn last_us(trace: &Trace) -> u64 {
    let of_tracks =
        trace.tracks.iter().filter(|track| track.line != trace.dead_letter_line()).map(|track| track.until_us);
    let of_work = trace.tracks.iter().flat_map(|track| &track.handlings).map(|handling| handling.until_us);
    let of_entries = trace.entries.iter().map(|entry| entry.sight.at_us);
    of_tracks.chain(of_work).chain(of_entries).max().unwrap_or(0)
}

impl<'a> Timeline<'a> {
    fn new(report: &'a TraceReport<'a>) -> Self {
        let trace = report.trace;
        let from_us = trace.entries.first().map_or(0, |entry| entry.sight.at_us);
        let end_s = (seconds(last_us(trace) - from_us) * (1.0 + BEYOND)).max(0.001);
        let mut lanes = vec![Lane::Visible, Lane::Leased, Lane::Handler];
        if trace.entries.iter().any(|entry| entry.drawn.is_some()) {
            lanes.push(Lane::Drawn);
        }
        if trace.tracks.iter().any(|track| track.line == trace.dead_letter_line()) {
            lanes.push(Lane::DeadLetters);
        }
        let (left, right) = (MARGIN + NAMES, WIDTH - MARGIN);
        let plot = Plot { left, right, top: TOP, bottom: BOTTOM, end_s, scale: Scale::up_to(1.0) };
        Self { report, plot, lanes, from_us }
    }

    fn x(&self, at_us: u64) -> f64 {
        self.plot.x(seconds(at_us.saturating_sub(self.from_us)))
    }

    /// Upper and lower edge of a lane's bars.
    fn edges(&self, lane: Lane) -> (f64, f64) {
        let unit = (BOTTOM - TOP) / self.lanes.iter().map(|one| one.weight()).sum::<f64>();
        let above: f64 = self.lanes.iter().take_while(|one| **one != lane).map(|one| one.weight()).sum();
        let middle = TOP + unit * (above + lane.weight() / 2.0);
        // What is left free is the same between all lanes.
        let half = (unit * (lane.weight() - 1.0) + unit * FILLED) / 2.0;
        (middle - half, middle + half)
    }

    fn bar(&self, scene: &mut Scene, lane: Lane, (from_us, until_us): (u64, u64), colour: Colour) {
        let (top, bottom) = self.edges(lane);
        let from = self.x(from_us);
        let until = self.x(until_us).max(from + THINNEST).min(self.plot.right);
        scene.rectangle((from.min(until - THINNEST), top), (until, bottom), colour);
    }

    /// Outages, the axis, the names of the lanes.
    fn ground(&self, scene: &mut Scene) {
        let shifted = |outage: &Outage| Outage {
            from_us: outage.from_us.saturating_sub(self.from_us),
            until_us: outage.until_us - self.from_us,
            ..*outage
        };
        let end_us = last_us(self.report.trace);
        let is_seen = |outage: &&Outage| outage.until_us > self.from_us && outage.from_us < end_us;
        let seen: Vec<&Outage> = self.report.outages.iter().filter(is_seen).collect();
        let outages: Vec<Outage> = seen.iter().map(|outage| shifted(outage)).collect();
        self.plot.outages(scene, &outages, None);
        self.outage_labels(scene, &seen);
        for lane in &self.lanes {
            let (top, bottom) = self.edges(*lane);
            let middle = (top + bottom) / 2.0;
            if *lane != Lane::Drawn {
                scene.rule((self.plot.left, middle), (self.plot.right, middle), HAIRLINE, GRID);
            }
            let name = text(lane.name(), (MARGIN, middle + 4.5), Anchor::Start, BODY, Weight::Regular, INK);
            scene.text(name, NAMES - 6.0);
        }
        scene.rule((self.plot.left, BOTTOM), (self.plot.right, BOTTOM), HAIRLINE, AXIS);
        self.plot.time_axis(scene, 10, true, true);
        let since = match self.from_us {
            0 => "time of the run".to_owned(),
            from_us => format!("since it was sent, {} into the run", number::duration(seconds(from_us))),
        };
        scene.text(text(&since, (self.plot.right, BOTTOM + 37.0), Anchor::End, SMALL, Weight::Regular, MUTED), 400.0);
    }

    /// An outage may have begun before the picture does: its label tells its whole length.
    fn outage_labels(&self, scene: &mut Scene, outages: &[&Outage]) {
        const GAP: f64 = 14.0;
        let mut free_from = self.plot.left;
        for outage in outages {
            let words = outage_label(outage);
            let left = self.x(outage.from_us).max(free_from);
            let room = self.plot.right - left;
            let width = scene.fonts.width(&words, SMALL, Weight::Regular);
            if width <= room {
                let at = (left, TOP - 32.0);
                scene.text(text(&words, at, Anchor::Start, SMALL, Weight::Regular, OUTAGE_TEXT), room);
                free_from = left + width + GAP;
            }
        }
    }

    fn whereabouts(&self, scene: &mut Scene) {
        let trace = self.report.trace;
        for track in &trace.tracks {
            if track.line == trace.dead_letter_line() {
                self.bar(scene, Lane::DeadLetters, (track.from_us, track.until_us), INK);
            } else {
                // What is short is drawn last, so that what is long does not cover it.
                let is_handled = |stretch: &&Stretch| stretch.whereabouts == Whereabouts::Handled;
                let others = track.stretches.iter().filter(|stretch| !is_handled(stretch));
                for stretch in others.chain(track.stretches.iter().filter(is_handled)) {
                    let lane = lane_of(stretch.whereabouts);
                    self.bar(scene, lane, (stretch.from_us, stretch.until_us), colour_of(stretch.whereabouts));
                }
            }
        }
    }

    fn handlings(&self, scene: &mut Scene) {
        for handling in self.report.trace.tracks.iter().flat_map(|track| &track.handlings) {
            self.bar(scene, Lane::Handler, (handling.from_us, handling.until_us), handling_colour(handling));
        }
    }

    /// A number above the lanes for each receive, as far as they have room.
    fn receives(&self, scene: &mut Scene) {
        const APART: f64 = 15.0;
        let mut free_from = 0.0;
        for (at_us, count) in self.report.trace.tracks.iter().flat_map(|track| &track.receives) {
            let x = self.x(*at_us);
            scene.rule((x, TOP - 6.0), (x, BOTTOM), HAIRLINE, AXIS);
            if x >= free_from {
                let number = text(&count.to_string(), (x, TOP - 10.0), Anchor::Middle, SMALL, Weight::SemiBold, INK);
                scene.text(number, 40.0);
                free_from = x + APART;
            }
        }
        let name = text("receive", (MARGIN, TOP - 10.0), Anchor::Start, BODY, Weight::Regular, INK);
        scene.text(name, NAMES - 6.0);
    }

    /// A marker where a copy leaves its queue.
    fn fates(&self, scene: &mut Scene) {
        let trace = self.report.trace;
        let over = trace.tracks.iter().filter(|track| track.line != trace.dead_letter_line());
        for track in over.filter(|track| track.ending != Ending::Pending) {
            let (top, bottom) = self.edges(Lane::Leased);
            let x = self.x(track.until_us);
            let colour = if track.ending == Ending::Deleted { line_colour(2) } else { line_colour(1) };
            scene.rule((x, TOP - 6.0), (x, BOTTOM), 1.5, colour);
            marker::draw(scene, 3, (x, (top + bottom) / 2.0), 5.0, colour);
        }
    }

    /// What the colours mean, as far as they are there.
    fn legend(&self, scene: &mut Scene) {
        let mut x = MARGIN;
        let y = HEIGHT - 54.0;
        for (colour, words) in self.meanings() {
            scene.rectangle((x, y - 9.0), (x + 11.0, y + 2.0), colour);
            let width = scene.fonts.width(&words, SMALL, Weight::Regular);
            scene.text(text(&words, (x + 16.0, y + 1.0), Anchor::Start, SMALL, Weight::Regular, MUTED), width + 1.0);
            x += width + 34.0;
        }
    }

    fn meanings(&self) -> Vec<(Colour, String)> {
        let trace = self.report.trace;
        let spent = trace.answer().spent_us;
        let mut meanings: Vec<(Colour, String)> =
            spent.iter().map(|(whereabouts, _)| (colour_of(*whereabouts), meaning(*whereabouts).to_owned())).collect();
        let handlings = || trace.tracks.iter().flat_map(|track| &track.handlings);
        for (worked, words) in [(true, "call works"), (false, "attempt fails")] {
            if let Some(handling) = handlings().find(|handling| handling.worked == worked) {
                meanings.push((handling_colour(handling), words.to_owned()));
            }
        }
        meanings
    }
}

fn text(words: &str, at: (f64, f64), anchor: Anchor, size: f64, weight: Weight, colour: Colour) -> Text {
    Text { words: words.to_owned(), at, anchor, size, weight, colour }
}
