//! Made-up alarms.

use super::run::around;
use crate::engine::time::MINUTE_US;
use crate::measure::{AlarmFigure, AlarmMetric, AlarmSettings};
use crate::study::{AlarmResult, Estimate, StudyResult};

/// The study with three alarms: one that fires late, one that never does, one that fires early.
pub fn with_alarms(mut result: StudyResult) -> StudyResult {
    let alarm = |name: &str, metric, above| AlarmSettings {
        name: name.to_owned(),
        metric,
        above,
        period_us: MINUTE_US,
        bad: 1,
        out_of: 1,
        delay_us: 0,
    };
    result.scenario.alarms = vec![
        alarm("letters", AlarmMetric::DlqDepth, 0.0),
        alarm("a-name-of-an-alarm-that-is-as-long-as-names-may-be", AlarmMetric::OldestAge, 600.0),
        alarm("churn", AlarmMetric::ReceivedOverDeleted, 2.0),
    ];
    let runs = result.scenario.replications;
    for variant in &mut result.variants {
        variant.alarms = vec![
            did(runs, runs / 2, [Some(660.0), None, Some(540.0), Some(-60.0)]),
            did(runs, 0, [None, None, Some(0.0), None]),
            did(runs, runs, [Some(120.0), Some(480.0), Some(360.0), Some(480.0)]),
        ];
    }
    result
}

/// First fired, first cleared, in alarm, and the lead.
fn did(runs: u32, fired_runs: u32, times: [Option<f64>; 4]) -> AlarmResult {
    let share = f64::from(fired_runs) / f64::from(runs.max(1));
    let fired = Estimate { mean: share, lo: share, hi: share, min: share.floor(), max: share.ceil(), sd: 0.5, n: 20 };
    let times = times.map(|time| time.map(ordered));
    let mut figures = vec![None; AlarmFigure::ALL.len()];
    figures[AlarmFigure::Fired as usize] = Some(fired);
    let of = [AlarmFigure::FiredS, AlarmFigure::ClearedS, AlarmFigure::InAlarmS, AlarmFigure::LeadS];
    of.iter().zip(times).for_each(|(&figure, time)| figures[figure as usize] = time);
    AlarmResult { runs, fired_runs, figures }
}

fn ordered(mean: f64) -> Estimate {
    let found = around(mean);
    let Estimate { lo, hi, min, max, .. } = found;
    Estimate { lo: lo.min(hi), hi: hi.max(lo), min: min.min(max), max: max.max(min), sd: found.sd.abs(), ..found }
}
