//! The headline of the load chart: who calls most, and whose calls come to nothing.

use super::context::Context;
use super::load::{peak, success_share};
use crate::measure::{Metric, SeriesMetric};
use crate::report::number;
use crate::study::VariantResult;

/// Steps of at least this share of a course's highest belong to its peak.
const ALIKE: f64 = 0.95;
/// Variants whose peaks are at least this share of the highest are not told apart by them.
const NO_FINDING: f64 = 0.85;
/// Peaks within this share of the lowest count as one.
const TIE: f64 = 0.01;
/// And less than this multiple of the best share, lest a difference be suggested that there is not.
const FAR_BELOW: f64 = 0.6;
/// Where less than this share of the calls succeeds, the calls that fail are the finding.
const MOSTLY_FAILING: f64 = 0.5;

/// The finding, with names of at most so many columns.
pub fn title(context: &Context, columns: usize) -> String {
    let by_peak = |a: &&VariantResult, b: &&VariantResult| peak(a).total_cmp(&peak(b));
    let (Some(worst), Some(best)) = (context.shown.iter().max_by(by_peak), context.shown.iter().min_by(by_peak)) else {
        return "Nothing was run".to_owned();
    };
    if peak(worst) == 0.0 {
        return "No call reached the downstream".to_owned();
    }
    let failing = mostly_failing(context);
    let peak_of_worst = format!("{}{}", calls_per_s(peak(worst)), times_arrivals(worst));
    if context.shown.len() == 1 {
        return format!("{} peaks at {peak_of_worst}", Context::short_name(worst, columns));
    }
    if peak(best) >= peak(worst) * NO_FINDING {
        return all_alike(context, &calls_per_s(peak(worst)), failing, columns);
    }
    // What reads as the same number is the same to a reader.
    let is_worst = |one: &&VariantResult| number::mean_count(peak(one)) == number::mean_count(peak(worst));
    let highest: Vec<&VariantResult> = context.shown.iter().filter(is_worst).collect();
    let (name, verb) = (Context::names(&highest, columns), if highest.len() == 1 { "peaks" } else { "peak" });
    let other = match failing {
        Some(failing) => failing_words(failing, Some(worst).filter(|_| highest.len() == 1), columns),
        None => lowest_words(context, peak(best), columns),
    };
    format!("{name} {verb} at {peak_of_worst}; {other}")
}

fn calls_per_s(rate: f64) -> String {
    format!("{}/s", number::counted(rate, "call"))
}

/// Who has the lowest peak; variants that are as low share the place.
fn lowest_words(context: &Context, lowest: f64, columns: usize) -> String {
    let as_low: Vec<&VariantResult> =
        context.shown.iter().filter(|variant| peak(variant) <= lowest * (1.0 + TIE)).collect();
    format!("{} at {}", Context::names(&as_low, columns), number::mean_count(lowest))
}

/// The variant whose calls succeed least, where most of them fail.
fn mostly_failing<'a>(context: &Context<'a>) -> Option<(&'a VariantResult, f64)> {
    let shares = context.shown.iter().filter_map(|variant| Some((variant, success_share(variant)?)));
    let shares: Vec<(&VariantResult, f64)> = shares.collect();
    let best = shares.iter().map(|one| one.1).fold(0.0, f64::max);
    let least = shares.into_iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    (least.1 < MOSTLY_FAILING && least.1 < best * FAR_BELOW && fails_without_cause(least.0)).then_some(least)
}

/// Whether most calls fail that could have succeeded: those of messages that never can are no fault of a policy.
fn fails_without_cause(variant: &VariantResult) -> bool {
    let sum = |metric: SeriesMetric| variant.series.of(metric).iter().sum::<f64>() * variant.series.step_s as f64;
    let of_messages = variant.metric(Metric::CallsFailedPermanent).map_or(0.0, |found| found.mean);
    let failures = (sum(SeriesMetric::Failures) - of_messages).max(0.0);
    failures > sum(SeriesMetric::Successes)
}

/// How few calls succeed; "its" where the sentence has just named the variant.
fn failing_words((variant, share): (&VariantResult, f64), named: Option<&VariantResult>, columns: usize) -> String {
    let whose = match named {
        Some(named) if named.name == variant.name => "its calls".to_owned(),
        _ => {
            let name = Context::short_name(variant, columns);
            let ending = if name.ends_with('s') { "'" } else { "'s" };
            format!("{name}{ending} calls")
        }
    };
    match share {
        0.0 => format!("none of {whose} succeed"),
        share => format!("only {} of {whose} succeed", number::percent(share)),
    }
}

/// The finding where the first peak is common to all: calls that come to nothing, or what follows the peak.
fn all_alike(context: &Context, peak: &str, failing: Option<(&VariantResult, f64)>, columns: usize) -> String {
    if let Some(failing) = failing {
        return format!("All peak near {peak}; {}", failing_words(failing, None, columns));
    }
    let later: Vec<f64> = context.shown.iter().map(later_peak).collect();
    let (most, least) = (later.iter().copied().fold(0.0, f64::max), later.iter().copied().fold(f64::MAX, f64::min));
    if least >= most * 0.8 {
        return format!("All variants peak near {peak}");
    }
    let at = |value: f64| {
        let is_there = |variant: &&VariantResult| (later_peak(variant) - value).abs() <= most * TIE;
        let names: Vec<&VariantResult> = context.shown.iter().filter(is_there).collect();
        format!("{} at {}", Context::names(&names, columns), number::mean_count(value))
    };
    format!("All peak near {peak}; later {}, {}", at(most), at(least))
}

/// Arrivals per second, over the time in which there are any.
fn arrivals(variant: &VariantResult) -> Option<f64> {
    let sent: Vec<f64> =
        variant.series.of(SeriesMetric::Enqueued).iter().copied().filter(|value| *value > 0.0).collect();
    (!sent.is_empty()).then(|| sent.iter().sum::<f64>() / sent.len() as f64)
}

/// The highest calls per second of the mean course after its first peak has halved.
fn later_peak(variant: &VariantResult) -> f64 {
    let calls = variant.series.of(SeriesMetric::Calls);
    let highest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let most = highest(calls);
    let first = calls.iter().position(|value| *value >= most * ALIKE).unwrap_or(0);
    let halved = calls[first..].iter().position(|value| *value < most / 2.0);
    halved.map_or(0.0, |after| highest(&calls[first + after..]))
}

/// How a peak compares with the arrivals, where it exceeds them.
fn times_arrivals(variant: &VariantResult) -> String {
    // A ratio needs no more than one decimal.
    let ratio = arrivals(variant).map(|rate| (peak(variant) / rate * 10.0).round() / 10.0);
    ratio
        .filter(|ratio| *ratio > 1.0)
        .map_or(String::new(), |ratio| format!(", {} × the arrivals", number::human(ratio)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::study::{Estimate, StudyResult};

    fn headline(result: &StudyResult) -> String {
        title(&Context::new(result, ""), 20).replace(number::NO_BREAK, " ")
    }

    fn with_ended_calls(result: &mut StudyResult, variant: usize, successes: f64, failures: f64) {
        let mean = &mut result.variants[variant].series.mean;
        mean[SeriesMetric::Successes as usize].fill(successes);
        mean[SeriesMetric::Failures as usize].fill(failures);
    }

    #[test]
    fn calls_that_come_to_nothing_are_said() {
        let mut result = sample::failover();
        with_ended_calls(&mut result, 0, 4.0, 96.0);
        with_ended_calls(&mut result, 2, 100.0, 1.0);
        assert!(headline(&result).ends_with("; only 4 % of no-backoff's calls succeed"), "{}", headline(&result));
        with_ended_calls(&mut result, 1, 0.0, 100.0);
        assert!(headline(&result).starts_with("full-jitter peaks"));
        assert!(headline(&result).ends_with("; none of its calls succeed"), "{}", headline(&result));
    }

    #[test]
    fn failures_that_are_the_messages_own_fault_are_no_finding() {
        let mut result = sample::failover();
        with_ended_calls(&mut result, 0, 4.0, 96.0);
        with_ended_calls(&mut result, 2, 100.0, 1.0);
        let permanent = Estimate::of(&[96.0 * 1_200.0]);
        result.variants[0].metrics[Metric::CallsFailedPermanent as usize] = permanent;
        assert!(headline(&result).ends_with("; with-breaker at 1 872"), "{}", headline(&result));
    }

    #[test]
    fn variants_with_the_same_high_peak_share_the_place() {
        let mut result = sample::failover();
        for variant in [0, 1] {
            result.variants[variant].metrics[Metric::CallsPeakPerS as usize] = Estimate::of(&[4_000.0]);
        }
        let expected = "no-backoff and full-jitter peak at 4 000 calls/s, 5 × the arrivals; with-breaker at 1 872";
        assert_eq!(headline(&result), expected);
    }

    #[test]
    fn variants_with_the_same_low_peak_share_the_place() {
        let mut result = sample::failover();
        for variant in [0, 2] {
            result.variants[variant].metrics[Metric::CallsPeakPerS as usize] = Estimate::of(&[498.0]);
        }
        assert!(headline(&result).ends_with("; no-backoff and with-breaker at 498"), "{}", headline(&result));
    }
}
