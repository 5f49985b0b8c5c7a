//! Expectations and claims, held against what the runs have found.

use super::Estimate;
use super::result::{ClaimResult, ExpectationResult, Verdict};
use crate::scenario::{Bound, Claim, Comparison, Expectation};

/// Judges an expectation on the mean. A quantity that no run defines meets nothing. `other` is the same quantity of the
/// variant that the bound names, if it names one.
pub(super) fn judge_expectation(
    expectation: &Expectation,
    found: Option<Estimate>,
    other: Option<Estimate>,
) -> ExpectationResult {
    let bounds: Option<Vec<f64>> = match &expectation.comparison {
        Comparison::Between(from, to) => Some(vec![*from, *to]),
        other_comparison => other_comparison.bound().and_then(|bound| number(bound, other)).map(|bound| vec![bound]),
    };
    let met = match (found, &bounds) {
        (Some(found), Some(bounds)) => holds(&expectation.comparison, found.mean, bounds),
        _ => false,
    };
    ExpectationResult { expectation: expectation.clone(), found, bound: bounds.unwrap_or_default(), met }
}

fn number(bound: &Bound, other: Option<Estimate>) -> Option<f64> {
    match bound {
        Bound::Number(number) => Some(*number),
        Bound::Variant { times, .. } => other.map(|other| other.mean * times),
    }
}

fn holds(comparison: &Comparison, mean: f64, bounds: &[f64]) -> bool {
    let bound = bounds[0];
    match comparison {
        Comparison::Equals(_) => mean == bound,
        Comparison::Below(_) => mean < bound,
        Comparison::AtMost(_) => mean <= bound,
        Comparison::Above(_) => mean > bound,
        Comparison::AtLeast(_) => mean >= bound,
        Comparison::Between(from, to) => (*from..=*to).contains(&mean),
    }
}

/// Judges a claim by the bounds that the scenario states.
pub(super) fn judge_claim(claim: &Claim, found: Option<Estimate>) -> ClaimResult {
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

    fn met(comparison: Comparison, mean: f64, other_mean: Option<f64>) -> bool {
        let quantity = Quantity::Metric(Metric::DeadLettered);
        let expectation = Expectation { variant: 0, quantity, comparison, says: String::new() };
        let other = other_mean.and_then(|mean| Estimate::of(&[mean]));
        judge_expectation(&expectation, Estimate::of(&[mean]), other).met
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
    fn a_bound_may_be_a_multiple_of_another_variant() {
        let tenth = || Comparison::Below(Bound::Variant { variant: 1, times: 0.1 });
        assert!(met(tenth(), 9.0, Some(100.0)));
        assert!(!met(tenth(), 11.0, Some(100.0)));
        assert!(!met(tenth(), 9.0, None), "nothing to compare with");
    }

    #[test]
    fn a_quantity_that_no_run_defines_meets_nothing() {
        let quantity = Quantity::Metric(Metric::TimeToDlqMeanS);
        let comparison = Comparison::AtLeast(Bound::Number(0.0));
        let expectation = Expectation { variant: 0, quantity, comparison, says: String::new() };
        assert!(!judge_expectation(&expectation, None, None).met);
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
        let verdict = |mean: f64| judge_claim(&claim, Estimate::of(&[mean])).verdict;
        assert_eq!(verdict(110.0), Verdict::Reproduced);
        assert_eq!(verdict(129.0), Verdict::Close);
        assert_eq!(verdict(69.0), Verdict::NotReproduced);
        assert_eq!(judge_claim(&claim, None).verdict, Verdict::NotReproduced);
    }
}
