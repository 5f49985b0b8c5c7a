//! A budget for programs.

use serde::Serialize;

use super::{BudgetEntry, BudgetReport};
use crate::budget::{Attempt, Moment, RetentionVerdict, RideOutVerdict};
use crate::report::ReportError;

/// The version of the shape; later versions only add to it.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    source: Option<&'a str>,
    budgets: Vec<BudgetFacts<'a>>,
}

#[derive(Serialize)]
struct BudgetFacts<'a> {
    name: &'a str,
    backoff: String,
    floor_s: u32,
    visibility_timeout_s: f64,
    max_receive_count: u32,
    handler_s: f64,
    receives: Vec<ReceiveFacts>,
    time_to_dlq_s: MomentFacts,
    outage: Option<OutageFacts>,
    retention: RetentionFacts,
    grid_s: u64,
}

#[derive(Serialize)]
struct ReceiveFacts {
    number: u32,
    begins_s: MomentFacts,
    then_waits_s: WaitFacts,
}

#[derive(Serialize)]
struct WaitFacts {
    mean: f64,
    min: f64,
    max: f64,
}

#[derive(Serialize)]
struct MomentFacts {
    mean: f64,
    min: f64,
    p50: f64,
    p95: f64,
    p99: f64,
    max: f64,
}

#[derive(Serialize)]
struct OutageFacts {
    length_s: f64,
    verdict: &'static str,
    survives_chance: f64,
    lost_share: f64,
    lost_s: f64,
}

#[derive(Serialize)]
struct RetentionFacts {
    length_s: f64,
    verdict: &'static str,
    expires_chance: f64,
    dlq_length_s: f64,
    left_in_dlq_s: f64,
}

impl MomentFacts {
    fn of(moment: &Moment) -> Self {
        let &Moment { mean_s, low_s, p50_s, p95_s, p99_s, high_s } = moment;
        Self { mean: mean_s, min: low_s, p50: p50_s, p95: p95_s, p99: p99_s, max: high_s }
    }
}

impl ReceiveFacts {
    fn of(attempt: &Attempt) -> Self {
        let &Attempt { number, wait_mean_s, wait_low_s, wait_high_s, .. } = attempt;
        let then_waits_s = WaitFacts { mean: wait_mean_s, min: wait_low_s, max: wait_high_s };
        Self { number, begins_s: MomentFacts::of(&attempt.begins), then_waits_s }
    }
}

impl<'a> BudgetFacts<'a> {
    fn of(entry: &'a BudgetEntry) -> Self {
        let (settings, budget) = (&entry.settings, &entry.budget);
        let outage = budget.ride_out.map(|found| OutageFacts {
            length_s: found.outage_s,
            verdict: ride_out_name(found.verdict),
            survives_chance: found.chance,
            lost_share: found.lost_share,
            lost_s: found.lost_s,
        });
        let retention = RetentionFacts {
            length_s: budget.retention.retention_s,
            verdict: retention_name(budget.retention.verdict),
            expires_chance: budget.retention.expires_chance,
            dlq_length_s: settings.dead_letter_retention_s,
            left_in_dlq_s: budget.retention.left_in_dead_letter_queue_s,
        };
        Self {
            name: &entry.name,
            backoff: settings.backoff.written(),
            floor_s: settings.floor_s,
            visibility_timeout_s: settings.visibility_timeout_s,
            max_receive_count: settings.max_receive_count,
            handler_s: settings.handler_s,
            receives: budget.attempts.iter().map(ReceiveFacts::of).collect(),
            time_to_dlq_s: MomentFacts::of(&budget.to_dead_letter_queue),
            outage,
            retention,
            grid_s: budget.grid_s,
        }
    }
}

fn ride_out_name(verdict: RideOutVerdict) -> &'static str {
    match verdict {
        RideOutVerdict::Always => "always",
        RideOutVerdict::Sometimes => "sometimes",
        RideOutVerdict::Never => "never",
    }
}

fn retention_name(verdict: RetentionVerdict) -> &'static str {
    match verdict {
        RetentionVerdict::Ample => "ample",
        RetentionVerdict::Close => "close",
        RetentionVerdict::Reached => "reached",
        RetentionVerdict::Unreachable => "unreachable",
    }
}

/// The budgets as JSON.
///
/// # Errors
/// Where they cannot be rendered: a defect of this program.
pub fn budget_json(report: &BudgetReport) -> Result<String, ReportError> {
    let budgets = report.entries.iter().map(BudgetFacts::of).collect();
    let facts = Report { schema: SCHEMA, source: report.source.as_deref(), budgets };
    serde_json::to_string_pretty(&facts)
        .map(|text| text + "\n")
        .map_err(|error| ReportError::Render { file: "budget.json", reason: error.to_string() })
}
