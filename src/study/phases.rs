//! The course of a variant in words: when it was stable, degraded, overloaded or recovering.

use super::Series;
use crate::measure::SeriesMetric;

/// Length of the pieces that are judged, in seconds; where a step of the series is longer, the step is.
const PIECE_S: u64 = 10;
/// Share of the calls that may fail beyond what fails before the first outage.
const FAILING_SHARE: f64 = 0.05;
/// Calls for each new message from which on retries are most of the load that is not needed.
const LOADED: f64 = 1.5;
/// Calls for each new message below which something holds them back.
const HELD_BACK: f64 = 0.5;
/// Calls for each new message beyond the one that it needs, below which a peak has no cause to tell.
const NOTHING_TO_TELL: f64 = 0.2;

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Calls succeed, and nothing waits for long.
    Stable,
    /// Calls fail, and there are about as many as messages.
    Degraded,
    /// Calls fail, and there are half as many again as messages, or more: retries are a load of their own.
    Overloaded,
    /// Calls succeed or are not made: messages wait, and far less is called than arrives. A breaker is open, or consumers
    /// are not there.
    HeldBack,
    /// Calls succeed, and what has piled up is worked off.
    Recovering,
}

impl Phase {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Degraded => "degraded",
            Self::Overloaded => "overloaded",
            Self::HeldBack => "held back",
            Self::Recovering => "recovering",
        }
    }
}

/// A time in one phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseSpan {
    /// Which.
    pub phase: Phase,
    /// When it begins, in seconds.
    pub from_s: u64,
    /// When it ends, in seconds.
    pub until_s: u64,
}

/// The second with the most calls, on the mean of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// When it begins.
    pub at_s: u64,
    /// Calls a second.
    pub calls_per_s: f64,
    /// Calls for each message that is sent, on the mean over the time in which messages are sent; `None` where none is.
    pub calls_per_message: Option<f64>,
    /// Those of them that are retries.
    pub retries_per_s: f64,
    /// Retries for each message that is sent.
    pub retries_per_message: Option<f64>,
}

impl Peak {
    /// Why there are so many.
    pub fn cause(&self) -> PeakCause {
        let (Some(calls), Some(retries)) = (self.calls_per_message, self.retries_per_message) else {
            return PeakCause::Nothing;
        };
        match calls - 1.0 {
            more if more < NOTHING_TO_TELL => PeakCause::Nothing,
            more if retries >= more / 2.0 => PeakCause::Retries,
            _ => PeakCause::Backlog,
        }
    }
}

/// What the calls of a peak beyond those of the messages that are sent mostly are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeakCause {
    /// There are hardly more calls than messages.
    Nothing,
    /// Messages that were tried before are tried again.
    Retries,
    /// Messages that have waited are tried for the first time.
    Backlog,
}

impl PeakCause {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "none",
            Self::Retries => "retries",
            Self::Backlog => "backlog",
        }
    }
}

/// Sums over one piece of the course.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    calls: f64,
    failing_share: f64,
    visible: f64,
}

/// The phases of a course, without gaps, on the mean of the runs. What is normal is what it shows before the first outage.
///
/// A piece of ten seconds is *degraded* if more than 5 % of its calls fail beyond what is normal, *overloaded* if moreover
/// there are 1.5 calls or more for each message that arrives. If calls do not fail, but more messages are visible than a
/// second brings and than twice what is normal, it is *recovering*, or *held back* with less than half a call for each message
/// that arrives. A single piece between two longer times counts with the one
/// before it.
pub fn phases(series: &Series, first_outage_s: Option<f64>) -> Vec<PhaseSpan> {
    let steps = (PIECE_S / series.step_s.max(1)).max(1) as usize;
    let pieces: Vec<Piece> = pieces(series, steps);
    let before = first_outage_s.map_or(0, |at_s| (at_s / (steps as u64 * series.step_s.max(1)) as f64) as usize);
    let normal = |value: fn(&Piece) -> f64| {
        let before = &pieces[..before.min(pieces.len())];
        before.iter().map(value).sum::<f64>() / before.len().max(1) as f64
    };
    let (failing, visible) = (normal(|piece| piece.failing_share), normal(|piece| piece.visible));
    let arrivals_per_s = arrivals_per_s(series);
    let phase = |piece: &Piece| {
        if piece.failing_share > failing + FAILING_SHARE {
            return if piece.calls > LOADED * arrivals_per_s { Phase::Overloaded } else { Phase::Degraded };
        }
        match piece.visible > arrivals_per_s.max(2.0 * visible) {
            true if piece.calls < HELD_BACK * arrivals_per_s => Phase::HeldBack,
            true => Phase::Recovering,
            false => Phase::Stable,
        }
    };
    let found: Vec<Phase> = pieces.iter().map(phase).collect();
    let length_s = series.of(SeriesMetric::Calls).len() as u64 * series.step_s;
    spans(&found, steps as u64 * series.step_s.max(1), length_s)
}

/// The busiest second of a course; `None` where nothing is called.
pub fn peak(series: &Series) -> Option<Peak> {
    let calls = series.of(SeriesMetric::Calls);
    let (step, &calls_per_s) = calls.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1))?;
    let arrivals_per_s = arrivals_per_s(series);
    let retries_per_s = series.of(SeriesMetric::Retries).get(step).copied().unwrap_or(0.0);
    let per_message = |of_all: f64| (arrivals_per_s > 0.0).then(|| of_all / arrivals_per_s);
    (calls_per_s > 0.0).then(|| Peak {
        at_s: step as u64 * series.step_s,
        calls_per_s,
        calls_per_message: per_message(calls_per_s),
        retries_per_s,
        retries_per_message: per_message(retries_per_s),
    })
}

/// Mean arrivals in the seconds in which messages arrive.
fn arrivals_per_s(series: &Series) -> f64 {
    let arriving = series.of(SeriesMetric::Enqueued).iter().filter(|arrivals| **arrivals > 0.0);
    arriving.clone().sum::<f64>() / arriving.count().max(1) as f64
}

fn pieces(series: &Series, steps: usize) -> Vec<Piece> {
    let mean = |metric: SeriesMetric, from: usize| {
        let values = &series.of(metric)[from..(from + steps).min(series.of(metric).len())];
        values.iter().sum::<f64>() / values.len().max(1) as f64
    };
    let piece = |from: usize| {
        let (failures, successes) = (mean(SeriesMetric::Failures, from), mean(SeriesMetric::Successes, from));
        let ended = failures + successes;
        Piece {
            calls: mean(SeriesMetric::Calls, from),
            failing_share: if ended > 0.0 { failures / ended } else { 0.0 },
            visible: mean(SeriesMetric::Visible, from),
        }
    };
    (0..series.of(SeriesMetric::Calls).len()).step_by(steps).map(piece).collect()
}

fn spans(found: &[Phase], piece_s: u64, length_s: u64) -> Vec<PhaseSpan> {
    let mut spans: Vec<PhaseSpan> = Vec::new();
    for (number, &phase) in found.iter().enumerate() {
        let (from_s, until_s) = (number as u64 * piece_s, ((number as u64 + 1) * piece_s).min(length_s));
        let is_alone = found.get(number + 1).is_some_and(|next| *next != phase) || number + 1 == found.len();
        match spans.last_mut() {
            Some(last) if last.phase == phase || is_alone => last.until_s = until_s,
            _ => spans.push(PhaseSpan { phase, from_s, until_s }),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use Phase::{Degraded, HeldBack, Overloaded, Recovering, Stable};

    /// A course of 100 arrivals a second: calls, failures and visible messages of each ten seconds.
    fn course(pieces: &[(f64, f64, f64)]) -> Series {
        let mut mean = vec![Vec::new(); SeriesMetric::ALL.len()];
        for &(calls, failures, visible) in pieces {
            for _ in 0..10 {
                mean[SeriesMetric::Enqueued as usize].push(100.0);
                mean[SeriesMetric::Calls as usize].push(calls);
                mean[SeriesMetric::Retries as usize].push(if failures > 100.0 { calls - 100.0 } else { 0.0 });
                mean[SeriesMetric::Failures as usize].push(failures);
                mean[SeriesMetric::Successes as usize].push(calls - failures);
                mean[SeriesMetric::Visible as usize].push(visible);
            }
        }
        Series { step_s: 1, mean, calls_lowest: Vec::new(), calls_highest: Vec::new() }
    }

    fn found(pieces: &[(f64, f64, f64)], first_outage_s: Option<f64>) -> Vec<(Phase, u64, u64)> {
        let spans = phases(&course(pieces), first_outage_s);
        spans.iter().map(|span| (span.phase, span.from_s, span.until_s)).collect()
    }

    const SOUND: (f64, f64, f64) = (100.0, 0.0, 0.0);
    const DOWN: (f64, f64, f64) = (100.0, 100.0, 0.0);
    const STORM: (f64, f64, f64) = (300.0, 290.0, 0.0);
    const CATCHING_UP: (f64, f64, f64) = (400.0, 0.0, 5_000.0);

    #[test]
    fn an_outage_with_all_its_phases() {
        let pieces = [SOUND, SOUND, DOWN, DOWN, STORM, STORM, STORM, CATCHING_UP, CATCHING_UP, SOUND, SOUND];
        let phases =
            [(Stable, 0, 20), (Degraded, 20, 40), (Overloaded, 40, 70), (Recovering, 70, 90), (Stable, 90, 110)];
        assert_eq!(found(&pieces, Some(20.0)), phases);
    }

    #[test]
    fn an_open_breaker_holds_back() {
        let (open, closed) = ((0.0, 0.0, 2_000.0), (400.0, 0.0, 2_000.0));
        let phases = [(Degraded, 0, 20), (HeldBack, 20, 40), (Recovering, 40, 60)];
        assert_eq!(found(&[DOWN, DOWN, open, open, closed, closed], Some(0.0)), phases);
    }

    #[test]
    fn what_always_fails_is_normal_and_without_an_outage_nothing_is() {
        let malformed = (100.0, 30.0, 0.0);
        assert_eq!(found(&[malformed; 4], Some(20.0)), [(Stable, 0, 40)]);
        assert_eq!(found(&[malformed; 4], None), [(Degraded, 0, 40)]);
    }

    #[test]
    fn a_single_piece_counts_with_what_was_before_it() {
        assert_eq!(found(&[SOUND, SOUND, DOWN, SOUND, SOUND], Some(20.0)), [(Stable, 0, 50)]);
        assert_eq!(found(&[DOWN, SOUND, SOUND], Some(0.0)), [(Degraded, 0, 10), (Stable, 10, 30)]);
    }

    #[test]
    fn the_peak_is_the_first_of_the_busiest_seconds() {
        let found = peak(&course(&[SOUND, STORM, SOUND])).expect("calls");
        assert_eq!((found.at_s, found.calls_per_s, found.calls_per_message), (10, 300.0, Some(3.0)));
        assert_eq!((found.retries_per_s, found.retries_per_message), (200.0, Some(2.0)));
        assert_eq!(peak(&course(&[(0.0, 0.0, 0.0)])), None);
    }

    #[test]
    fn a_peak_is_of_retries_or_of_what_has_waited_or_of_nothing() {
        let cause = |pieces: &[(f64, f64, f64)]| peak(&course(pieces)).map(|peak| peak.cause());
        assert_eq!(cause(&[SOUND, STORM]), Some(PeakCause::Retries));
        assert_eq!(cause(&[SOUND, CATCHING_UP]), Some(PeakCause::Backlog));
        assert_eq!(cause(&[SOUND, DOWN]), Some(PeakCause::Nothing));
    }
}
