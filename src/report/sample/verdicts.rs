//! Made-up expectations and claims, of each kind and outcome.

use super::run::around;
use crate::measure::{Metric, SeriesMetric};
use crate::scenario::{Bound, Claim, Comparison, Expectation, Holds, Quantity};
use crate::study::{ClaimResult, ExpectationResult, StudyResult, Verdict};

/// Adds them to the failover.
pub fn add(result: &mut StudyResult) {
    let expectation = |variant, quantity, comparison, says: &str, found: f64, bound: Vec<f64>, met| ExpectationResult {
        expectation: Expectation { variant, quantity, comparison, holds: Holds::Interval, says: says.to_owned() },
        found: Some(around(found)),
        bound,
        met,
        mean_holds: met,
    };
    let valid = Quantity::Metric(Metric::DeadLetteredValid);
    let in_outage = Quantity::Window { metric: SeriesMetric::Calls, from_s: 30, until_s: 90 };
    let fraction = Comparison::Below(Bound::Variant { variant: 0, times: 0.02, plus: 0.0 });
    result.expectations = vec![
        expectation(
            0,
            valid,
            Comparison::Between(2_000.0, 4_500.0),
            "case study: 3 100 in the DLQ",
            3_120.0,
            vec![2_000.0, 4_500.0],
            true,
        ),
        expectation(1, valid, Comparison::Below(Bound::Number(2.0)), "", 0.0, vec![2.0], true),
        expectation(
            2,
            in_outage,
            fraction,
            "no retry traffic while the breaker is open, which is what it is for; all that gets through are probes",
            720.0,
            vec![3_600.0],
            true,
        ),
        expectation(
            2,
            Quantity::Metric(Metric::SoundAgainS),
            Comparison::AtMost(Bound::Number(90.0)),
            "",
            92.5,
            vec![90.0],
            false,
        ),
    ];
    let claim = |variant, quantity, figure, says: &str, because: &str, found, verdict| ClaimResult {
        claim: Claim {
            variant,
            quantity,
            figure,
            says: says.to_owned(),
            reproduced_within: figure * 0.1,
            close_within: figure * 0.25,
            because: because.to_owned(),
        },
        found,
        verdict,
    };
    let visible = Quantity::Level { metric: SeriesMetric::Visible, at_s: 30 };
    result.claims = vec![
        claim(0, valid, 3_100.0, "3 100 valid messages in the DLQ", "", Some(around(3_120.0)), Verdict::Reproduced),
        claim(
            0,
            visible,
            24_000.0,
            "all 24 000 visible simultaneously at t = 30",
            "A fixed visibility timeout shifts arrivals and does not bunch them: messages return as they came, at 800 a second.",
            Some(around(9_800.0)),
            Verdict::NotReproduced,
        ),
        claim(2, Quantity::Metric(Metric::BreakerOpenedS), 15.0, "opens at t = 15 s", "", None, Verdict::NotReproduced),
        claim(
            1,
            Quantity::Metric(Metric::BacklogClearedS),
            160.0,
            "drained at t = 160",
            "",
            Some(around(180.0)),
            Verdict::Close,
        ),
    ];
}
