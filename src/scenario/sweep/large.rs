//! Sweeps that are too large: by their points, their runs, their events or their memory.

use super::axes::RawAxis;
use crate::model::producer::Arrivals;
use crate::scenario::checked::Scenario;
use crate::scenario::estimate::{Estimate, MOST_BYTES, MOST_EVENTS, estimate, rough};
use crate::scenario::problems::Finding;
use crate::scenario::text::Place;

/// Most points of a sweep.
pub(super) const MOST_POINTS: usize = 10_000;
/// Most runs of a sweep. Some numbers of each are kept.
pub(super) const MOST_RUNS: u64 = 1_000_000;
/// Bytes of a variant at a point: its settings without what a profile has, its results, and their text in the files.
const BYTES_A_SETUP: f64 = 16_384.0;
/// Bytes of a step of a profile.
const BYTES_A_PROFILE_STEP: f64 = 24.0;
/// Bytes that are kept of a run: its metrics.
const BYTES_A_RUN: f64 = 512.0;

/// The number of points; refused where there are too many.
pub(super) fn count(axes: &[RawAxis]) -> Result<usize, Finding> {
    let points = axes.iter().try_fold(1_usize, |points, axis| points.checked_mul(axis.values.len()));
    match points.filter(|points| *points <= MOST_POINTS) {
        Some(points) => Ok(points),
        None => {
            let factors: Vec<String> = axes.iter().map(|axis| axis.values.len().to_string()).collect();
            let title = format!("the sweep has {} points, more than {MOST_POINTS}", factors.join(" x "));
            Err(Finding::new(largest(axes), title, "this axis has the most values").help("take fewer values"))
        }
    }
}

fn largest(axes: &[RawAxis]) -> Place {
    axes.iter().max_by_key(|axis| axis.values.len()).map_or(Place::default(), |axis| axis.place)
}

/// Refuses a sweep whose points are known to need too much memory before they have all been read.
pub(super) fn refuse_points(axes: &[RawAxis], points: usize, first: &Scenario) -> Result<(), Finding> {
    let bytes = bytes_of_settings(first) * points as f64;
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let title = format!("too large to run: about {:.0} GiB of memory for the settings of all points", bytes / GIB);
    Err(Finding::new(largest(axes), title, "this axis has the most values").help("take fewer values"))
}

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

fn bytes_of_settings(scenario: &Scenario) -> f64 {
    let of_arrivals = |arrivals: &Arrivals| match arrivals {
        Arrivals::Profile { steps } => steps.len() as f64 * BYTES_A_PROFILE_STEP,
        _ => 0.0,
    };
    let setups = scenario.variants.iter().map(|variant| &variant.setup);
    setups
        .map(|setup| BYTES_A_SETUP + setup.all_producers().map(|(_, one)| of_arrivals(&one.arrivals)).sum::<f64>())
        .sum()
}

/// About what a sweep costs.
pub(super) fn estimate_of(points: &[Scenario]) -> Estimate {
    let mut total = Estimate { messages: 0.0, events: 0.0, bytes: 0.0 };
    let mut kept_bytes = 0.0;
    for point in points {
        let one = estimate(point);
        total.messages += one.messages;
        total.events += one.events;
        total.bytes = total.bytes.max(one.bytes);
        let runs = point.variants.len() as f64 * f64::from(point.replications);
        kept_bytes += bytes_of_settings(point) + runs * BYTES_A_RUN;
    }
    total.bytes += kept_bytes;
    total
}

/// Why a sweep is too large to run, and what to do about it; `None` if it is not.
pub(super) fn refusal(points: &[Scenario]) -> Option<(String, String)> {
    let runs: u64 = points.iter().map(|point| point.variants.len() as u64 * u64::from(point.replications)).sum();
    if runs > MOST_RUNS {
        let title = format!("too large to run: {runs} runs, at most {MOST_RUNS}");
        return Some((title, "take fewer values or fewer `replications`".to_owned()));
    }
    let total = estimate_of(points);
    let count = points.len();
    let (excess, title) = if total.events > MOST_EVENTS {
        let (events, most) = (rough(total.events), rough(MOST_EVENTS));
        (
            total.events / MOST_EVENTS,
            format!("too large to run: about {events} events at {count} points, at most {most}"),
        )
    } else if total.bytes > MOST_BYTES {
        let title = format!("too large to run: about {:.0} GiB of memory at {count} points", total.bytes / GIB);
        (total.bytes / MOST_BYTES, title)
    } else {
        return None;
    };
    let help = format!(
        "it is {:.0} times too large: take fewer values, fewer `replications` or a shorter `duration`",
        excess.ceil()
    );
    Some((title, help))
}

/// The refusal as a finding, at the largest axis.
pub(super) fn finding(axes: &[RawAxis], points: &[Scenario]) -> Option<Finding> {
    let (title, help) = refusal(points)?;
    Some(Finding::new(largest(axes), title, "this axis has the most values").help(help))
}
