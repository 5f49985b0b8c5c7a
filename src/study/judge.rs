//! Expectations and claims, held against what the runs have found.

use super::difference::paired;
use super::result::{ClaimResult, ExpectationResult, Verdict};
use super::{Estimate, Proportion};
use crate::scenario::{Bound, Claim, Comparison, Expectation, Holds, Quantity};

/// Values of a quantity, one a replication; `None` in those that do not define it.
pub(super) type Values = Vec<Option<f64>>;

/// Judges an expectation. A quantity that no run defines meets nothing. `others` are the values of the same quantity of
/// the variant that the bound names, if it names one.
pub(super) fn judge_expectation(
    expectation: &Expectation,
    values: &[Option<f64>],
    others: Option<&[Option<f64>]>,
) -> ExpectationResult {
    let found = estimate(expectation.quantity, values);
    let other = others.and_then(|others| estimate(expectation.quantity, others));
    let bounds = bounds(&expectation.comparison, other);
    let (mean_holds, interval_holds) = match (found, &bounds) {
        (Some(found), Some(bounds)) => {
            let judged = judged(expectation, values, others, found);
            let against = against(&expectation.comparison, bounds);
            let point = Estimate { lo: found.mean, hi: found.mean, min: found.mean, max: found.mean, ..found };
            let interval = judged.is_some_and(|judged| holds(&expectation.comparison, judged, &against));
            (holds(&expectation.comparison, point, bounds), interval)
        }
        _ => (false, false),
    };
    let met = if expectation.holds == Holds::Mean { mean_holds } else { interval_holds };
    ExpectationResult { expectation: expectation.clone(), found, bound: bounds.unwrap_or_default(), met, mean_holds }
}

/// The mean with its interval. That of a share is Wilson's: all runs alike do not make it certain.
fn estimate(quantity: Quantity, values: &[Option<f64>]) -> Option<Estimate> {
    let found = Estimate::of(&values.iter().flatten().copied().collect::<Vec<f64>>())?;
    Some(match quantity {
        Quantity::Fact(_) => {
            let Proportion { lo, hi, .. } = found.proportion();
            Estimate { lo, hi, ..found }
        }
        _ => found,
    })
}

/// The bound in numbers; for `between` both ends.
fn bounds(comparison: &Comparison, other: Option<Estimate>) -> Option<Vec<f64>> {
    match (comparison, comparison.bound()) {
        (Comparison::Between(from, to), _) => Some(vec![*from, *to]),
        (_, Some(Bound::Number(number))) => Some(vec![*number]),
        (_, Some(Bound::Variant { times, plus, .. })) => other.map(|other| vec![other.mean * times + plus]),
        (_, None) => None,
    }
}

/// Whose interval is judged: the quantity's, or that of its distance from what the other variant had with the same luck.
fn judged(
    expectation: &Expectation,
    values: &[Option<f64>],
    others: Option<&[Option<f64>]>,
    found: Estimate,
) -> Option<Estimate> {
    if let Some(Bound::Variant { times, plus, .. }) = expectation.comparison.bound() {
        return paired(values, others?, *times, *plus);
    }
    let (lowest, highest) = expectation.quantity.range();
    // Half a message less than none is an artefact of the interval, and must not fail "at least 0".
    Some(Estimate { lo: found.lo.max(lowest), hi: found.hi.min(highest), ..found })
}

/// What the judged interval is held against: a distance against 0.
fn against(comparison: &Comparison, bounds: &[f64]) -> Vec<f64> {
    if comparison.other_variant().is_some() { vec![0.0] } else { bounds.to_vec() }
}

/// Whether every value of the interval stands to the bounds as it should.
fn holds(comparison: &Comparison, found: Estimate, bounds: &[f64]) -> bool {
    let bound = bounds[0];
    match comparison {
        // The sum of equal numbers may be off by a hair; the numbers are not.
        Comparison::Equals(_) => found.min == bound && found.max == bound,
        Comparison::Below(_) => found.hi < bound,
        Comparison::AtMost(_) => found.hi <= bound,
        Comparison::Above(_) => found.lo > bound,
        Comparison::AtLeast(_) => found.lo >= bound,
        Comparison::Between(from, to) => found.lo >= *from && found.hi <= *to,
    }
}

/// Judges a claim by the bounds that the scenario states.
pub(super) fn judge_claim(claim: &Claim, values: &[Option<f64>]) -> ClaimResult {
    let found = estimate(claim.quantity, values);
    let verdict = match found.map(|found| (found.mean - claim.figure).abs()) {
        Some(distance) if distance <= claim.reproduced_within => Verdict::Reproduced,
        Some(distance) if distance <= claim.close_within => Verdict::Close,
        _ => Verdict::NotReproduced,
    };
    ClaimResult { claim: claim.clone(), found, verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Metric;
    use crate::scenario::Quantity;

    const LOST: Quantity = Quantity::Metric(Metric::DeadLettered);

    fn judged(quantity: Quantity, comparison: Comparison, holds: Holds, values: &[f64]) -> ExpectationResult {
        let expectation = Expectation { variant: 0, quantity, comparison, holds, says: String::new() };
        judge_expectation(&expectation, &values.iter().copied().map(Some).collect::<Vec<_>>(), None)
    }

    fn met(comparison: Comparison, mean: f64, other_mean: Option<f64>) -> bool {
        let expectation =
            Expectation { variant: 0, quantity: LOST, comparison, holds: Holds::Mean, says: String::new() };
        let other = [other_mean];
        judge_expectation(&expectation, &[Some(mean)], Some(&other)).met
    }

    #[test]
    fn strict_comparisons_leave_the_bound_out_and_the_others_take_it_in() {
        let two = || Bound::Number(2.0);
        assert!(!met(Comparison::Below(two()), 2.0, None));
        assert!(met(Comparison::AtMost(two()), 2.0, None));
        assert!(!met(Comparison::Above(two()), 2.0, None));
        assert!(met(Comparison::AtLeast(two()), 2.0, None));
        assert!(met(Comparison::Equals(two()), 2.0, None));
        assert!(!met(Comparison::Equals(two()), 2.1, None));
        assert!(met(Comparison::Between(2.0, 3.0), 3.0, None));
        assert!(!met(Comparison::Between(2.0, 3.0), 3.1, None));
    }

    #[test]
    fn a_fact_is_judged_by_the_interval_of_a_probability() {
        let fact = Quantity::Fact(crate::measure::Fact::LosesValidMessages);
        let runs = |k: usize, n: usize| (0..n).map(|run| if run < k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        let at_most = |share: f64| Comparison::AtMost(Bound::Number(share));
        // None of 20: up to 16 %. None of 80: up to 4.6 %.
        let few = judged(fact, at_most(0.05), Holds::Interval, &runs(0, 20));
        assert!(!few.met && few.mean_holds, "not shown by 20 runs: {:?}", few.found);
        assert!(judged(fact, at_most(0.05), Holds::Interval, &runs(0, 80)).met);
        assert!(judged(fact, at_most(0.05), Holds::Mean, &runs(1, 20)).met);
        let often = judged(fact, at_most(0.05), Holds::Interval, &runs(9, 20));
        assert!(!often.met && !often.mean_holds);
        assert!(!judged(fact, Comparison::AtLeast(Bound::Number(0.9)), Holds::Interval, &runs(20, 20)).met);
        assert!(judged(fact, Comparison::AtLeast(Bound::Number(0.8)), Holds::Interval, &runs(20, 20)).met);
    }

    #[test]
    fn a_bound_may_be_a_multiple_of_another_variant() {
        let tenth = || Comparison::Below(Bound::Variant { variant: 1, times: 0.1, plus: 0.0 });
        assert!(met(tenth(), 9.0, Some(100.0)));
        assert!(!met(tenth(), 11.0, Some(100.0)));
        assert!(!met(tenth(), 9.0, None), "nothing to compare with");
    }

    #[test]
    fn the_whole_interval_has_to_hold_or_the_mean_alone() {
        // 10 with an interval from 2.5 to 17.5.
        let values = [7.0, 10.0, 13.0];
        let (interval, mean) = (Holds::Interval, Holds::Mean);
        for (bound, by_interval, by_mean) in [(20.0, true, true), (15.0, false, true), (9.0, false, false)] {
            let below = || Comparison::Below(Bound::Number(bound));
            let found = judged(LOST, below(), interval, &values);
            assert_eq!((found.met, found.mean_holds), (by_interval, by_mean), "below {bound}");
            assert_eq!(judged(LOST, below(), mean, &values).met, by_mean, "below {bound}");
        }
        assert!(judged(LOST, Comparison::Between(2.0, 18.0), interval, &values).met);
        assert!(!judged(LOST, Comparison::Between(3.0, 18.0), interval, &values).met);
        assert!(!judged(LOST, Comparison::Equals(Bound::Number(10.0)), interval, &values).met, "every run");
        assert!(judged(LOST, Comparison::Equals(Bound::Number(0.1)), interval, &[0.1; 6]).met);
    }

    #[test]
    fn an_interval_ends_where_the_metric_does() {
        let at_least_0 = || Comparison::AtLeast(Bound::Number(0.0));
        let values = [0.0, 0.0, 1.0];
        assert!(judged(LOST, at_least_0(), Holds::Interval, &values).met);
        let lead = Quantity::Alarm { alarm: 0, figure: crate::measure::AlarmFigure::LeadS };
        assert!(!judged(lead, at_least_0(), Holds::Interval, &values).met, "a lead can be negative");
    }

    #[test]
    fn a_difference_is_judged_replication_by_replication() {
        let comparison = |times, plus| Comparison::Below(Bound::Variant { variant: 1, times, plus });
        let expectation = |comparison| Expectation {
            variant: 0,
            quantity: LOST,
            comparison,
            holds: Holds::Interval,
            says: String::new(),
        };
        // Wide apart from run to run, and always one or two below the other.
        let (values, others) = ([99.0, 898.0, 299.0].map(Some), [100.0, 900.0, 300.0].map(Some));
        let judge = |comparison| judge_expectation(&expectation(comparison), &values, Some(&others));
        assert!(!judge(comparison(1.0, 0.0)).met, "1.3 below, with an interval from −0.1 to 2.8");
        assert!(judge(comparison(1.0, 2.0)).met);
        assert_eq!(judge(comparison(0.5, -10.0)).bound, [433.333_333_333_333_3 * 0.5 - 10.0]);
    }

    #[test]
    fn a_quantity_that_no_run_defines_meets_nothing() {
        let found = judged(
            Quantity::Metric(Metric::TimeToDlqMeanS),
            Comparison::AtLeast(Bound::Number(0.0)),
            Holds::Interval,
            &[],
        );
        assert!(!found.met && !found.mean_holds);
    }

    #[test]
    fn claims_are_judged_by_their_distance() {
        let claim = Claim {
            variant: 0,
            quantity: Quantity::Metric(Metric::DeadLettered),
            figure: 100.0,
            says: String::new(),
            reproduced_within: 10.0,
            close_within: 30.0,
            because: String::new(),
        };
        let verdict = |mean: f64| judge_claim(&claim, &[Some(mean)]).verdict;
        assert_eq!(verdict(110.0), Verdict::Reproduced);
        assert_eq!(verdict(129.0), Verdict::Close);
        assert_eq!(verdict(69.0), Verdict::NotReproduced);
        assert_eq!(judge_claim(&claim, &[]).verdict, Verdict::NotReproduced);
    }
}
