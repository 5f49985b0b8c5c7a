//! Moments on the time axis: what an operator does, and when an alarm first fires.

use super::context::Context;
use super::font::Weight;
use super::plot::Plot;
use super::scene::{Anchor, Scene, Text};
use super::style::{Colour, INK, MARK, MARK_LINE};
use crate::engine::time::seconds;
use crate::measure::AlarmFigure;
use crate::model::operator::{Action, Attribute};
use crate::report::{number, words};
use crate::study::VariantResult;

/// More alarms than this in one plot would hide the curves.
const MOST_ALARMS: usize = 4;
/// Distance of two labels.
const GAP: f64 = 10.0;
/// Columns of an alarm's name.
const ALARM_COLUMNS: usize = 18;

/// A moment with a few words.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// When it is.
    pub time_s: f64,
    /// What happens.
    pub words: String,
    /// Colour of line and words.
    pub colour: Colour,
    /// Whether somebody does it, which is a fact; a dashed mark is a mean over the runs.
    pub is_exact: bool,
}

/// Where the warm-up ends, and what an operator does to a variant.
pub fn operations(context: &Context, variant: &VariantResult, colour: Colour) -> Vec<Mark> {
    let of = |operation: &crate::model::operator::Operation| Mark {
        time_s: seconds(operation.at_us),
        words: action_words(operation.action),
        colour,
        is_exact: true,
    };
    let counted_from = context.result.scenario.warm_up_us().map(|warm_up_us| Mark {
        time_s: seconds(warm_up_us),
        words: "counted from here".to_owned(),
        colour,
        is_exact: true,
    });
    counted_from.into_iter().chain(context.operations(variant).iter().map(of)).collect()
}

/// When the alarms of a variant first fire, on the mean of the runs in which they do; none where they are too many.
pub fn alarms(context: &Context, variant: &VariantResult, colour: Colour) -> Vec<Mark> {
    let fired = context.result.scenario.alarms.iter().zip(&variant.alarms).filter_map(|(alarm, found)| {
        let time_s = found.figure(AlarmFigure::FiredS)?.mean;
        let name = words::truncated(&alarm.name, ALARM_COLUMNS);
        let words = match found.fired_runs {
            all if all == found.runs => format!("alarm {name}"),
            some => format!("alarm {name} in {some} of {} runs", found.runs),
        };
        Some(Mark { time_s, words, colour, is_exact: false })
    });
    let fired: Vec<Mark> = fired.collect();
    if fired.len() <= MOST_ALARMS { fired } else { Vec::new() }
}

/// The marks of all variants for one plot: each in its variant's colour, or once where all have the same.
pub fn of_all(of_each: Vec<Vec<Mark>>) -> Vec<Mark> {
    let is_alike = |one: &Vec<Mark>, other: &Vec<Mark>| {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| (a.time_s, &a.words) == (b.time_s, &b.words))
    };
    match of_each.split_first() {
        Some((first, others)) if others.iter().all(|other| is_alike(first, other)) => {
            first.iter().cloned().map(|mark| Mark { colour: INK, ..mark }).collect()
        }
        _ => of_each.into_iter().flatten().collect(),
    }
}

/// An operator's action in few words.
fn action_words(action: Action) -> String {
    match action {
        Action::Scale { fleet, .. } => format!("fleet {fleet}"),
        Action::Deploy { .. } => "deploy".to_owned(),
        Action::PausePolling => "polling paused".to_owned(),
        Action::ResumePolling => "polling resumed".to_owned(),
        Action::Redrive { rate_per_s, .. } => format!("redrive {}/s", number::human(rate_per_s)),
        Action::Change { attribute, .. } => attribute_words(attribute),
    }
}

fn attribute_words(attribute: Attribute) -> String {
    match attribute {
        Attribute::VisibilityTimeout { timeout_us } => {
            format!("visibility timeout {}", number::duration(seconds(timeout_us)))
        }
        Attribute::MaxReceiveCount { receives } => format!("max receives {receives}"),
        Attribute::Retention { retention_us } => format!("retention {}", number::duration(seconds(retention_us))),
    }
}

/// Draws the lines of marks across a plot; those of the same moment stand side by side.
pub fn lines(scene: &mut Scene, plot: &Plot, marks: &[Mark]) {
    for (index, mark) in marks.iter().enumerate().filter(|(_, mark)| mark.time_s <= plot.end_s) {
        let before = marks[..index].iter().filter(|other| other.time_s == mark.time_s).count();
        let x = plot.x(mark.time_s) + 2.0 * before as f64;
        if mark.is_exact {
            scene.rule((x, plot.top - 5.0), (x, plot.bottom), MARK_LINE, mark.colour);
        } else {
            scene.dashed_rule(x, plot.top - 5.0, plot.bottom, mark.colour);
        }
    }
}

/// Writes the words of marks on one line, each as near to its moment as those before it allow; what finds no room is
/// left to its line.
pub fn labels(scene: &mut Scene, plot: &Plot, marks: &[Mark], baseline: f64, right: f64) {
    let mut marks: Vec<&Mark> = marks.iter().filter(|mark| mark.time_s <= plot.end_s).collect();
    marks.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    let widths: Vec<f64> = marks.iter().map(|mark| scene.fonts.width(&mark.words, MARK, Weight::Regular)).collect();
    for ((mark, width), start) in marks.iter().zip(&widths).zip(starts(plot, &marks, &widths, right)) {
        if let Some(start) = start {
            let words = mark.words.clone();
            let (anchor, size, weight) = (Anchor::Start, MARK, Weight::Regular);
            scene.text(Text { words, at: (start, baseline), anchor, size, weight, colour: mark.colour }, width + 1.0);
        }
    }
}

/// Where labels begin: from their moment on, moved left where what follows needs the room.
fn starts(plot: &Plot, marks: &[&Mark], widths: &[f64], right: f64) -> Vec<Option<f64>> {
    let mut latest = right;
    let mut wanted: Vec<f64> = Vec::new();
    for (mark, width) in marks.iter().zip(widths).rev() {
        let start = plot.x(mark.time_s).min(latest - width);
        latest = start - GAP;
        wanted.push(start);
    }
    let mut free_from = plot.left;
    let placed = wanted.into_iter().rev().zip(widths).map(|(start, width)| {
        let start = start.max(free_from);
        let fits = start + width <= right + 0.5;
        if fits {
            free_from = start + width + GAP;
        }
        fits.then_some(start)
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::time::{MINUTE_US, SECOND_US};
    use crate::model::operator::{CountAfterRedrive, Operation};
    use crate::report::chart::scale::Scale;
    use crate::report::sample;

    const PLOT: Plot =
        Plot { left: 0.0, right: 200.0, top: 0.0, bottom: 100.0, end_s: 200.0, scale: Scale::up_to(1.0) };

    fn mark(time_s: f64) -> Mark {
        Mark { time_s, words: String::new(), colour: INK, is_exact: true }
    }

    #[test]
    fn actions_have_short_names() {
        let change = |attribute| Action::Change { attribute, applies_after_us: SECOND_US };
        let redrive = Action::Redrive { rate_per_s: 100.0, messages: None, receive_count: CountAfterRedrive::Reset };
        let cases = [
            (Action::Scale { fleet: 10, drain_us: None }, "fleet 10"),
            (Action::Deploy { drain_us: 0, at_once: 1 }, "deploy"),
            (Action::PausePolling, "polling paused"),
            (redrive, "redrive 100/s"),
            (change(Attribute::VisibilityTimeout { timeout_us: 5 * MINUTE_US }), "visibility timeout 5 min"),
            (change(Attribute::MaxReceiveCount { receives: 8 }), "max receives 8"),
        ];
        for (action, words) in cases {
            assert_eq!(action_words(action).replace(number::NO_BREAK, " "), words);
        }
    }

    #[test]
    fn labels_stand_at_their_moment_and_never_on_each_other() {
        let marks = [mark(10.0), mark(20.0), mark(190.0)];
        let marks: Vec<&Mark> = marks.iter().collect();
        let starts = starts(&PLOT, &marks, &[60.0, 60.0, 60.0], 200.0);
        assert_eq!(starts, [Some(0.0), Some(70.0), Some(140.0)]);
        assert_eq!(super::starts(&PLOT, &marks, &[150.0, 60.0, 60.0], 200.0)[2], None, "no room");
    }

    #[test]
    fn what_all_variants_have_is_marked_once() {
        let blue = Mark { colour: Colour(0, 0, 255), ..mark(5.0) };
        assert_eq!(of_all(vec![vec![blue.clone()], vec![mark(5.0)]]), [mark(5.0)]);
        assert_eq!(of_all(vec![vec![blue.clone()], vec![]]), [blue]);
    }

    #[test]
    fn an_alarm_that_never_fires_has_no_mark() {
        let result = sample::with_alarms(sample::failover());
        let context = Context::new(&result, "");
        let marks = alarms(&context, &context.shown[0], INK);
        let words: Vec<&str> = marks.iter().map(|mark| mark.words.as_str()).collect();
        assert_eq!(words, ["alarm letters in 10 of 20 runs", "alarm churn"]);
        let mut result = sample::failover();
        let operations = &mut result.scenario.variants[1].setup.operations;
        operations.push(Operation { at_us: MINUTE_US, action: Action::Scale { fleet: 4, drain_us: None } });
        let context = Context::new(&result, "");
        assert_eq!(super::operations(&context, &context.shown[1], INK)[0].words, "fleet 4");
        assert!(super::operations(&context, &context.shown[0], INK).is_empty());
    }
}
