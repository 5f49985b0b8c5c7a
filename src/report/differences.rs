//! What variants do better and worse than the baseline, in sentences.

use super::terminal::{Paint, WIDTH};
use super::words;
use crate::measure::Metric;
use crate::study::{Difference, DifferenceVerdict, StudyResult};

/// Up to this many variants every difference has its line.
const MOST_VARIANTS: usize = 4;
/// Room for the name of a variant within a sentence.
const NAME: usize = 24;

/// What is shown of each variant, in sentences; nothing for a single variant or a single replication.
pub fn section(result: &StudyResult, paint: Paint) -> String {
    let Some(first) = result.differences.first().filter(|_| result.scenario.replications > 1) else {
        return String::new();
    };
    let baseline = words::truncated(words::variant_name(result, first.baseline), NAME);
    let mut text =
        format!("\n{}\n", paint.bold(&format!("Differences from {baseline}, run by run with the same luck")));
    for line in lines(result) {
        let wrapped = words::wrapped(&line, WIDTH - 4).into_iter().enumerate();
        text.extend(wrapped.map(|(index, line)| format!("{}{line}\n", if index == 0 { "  " } else { "    " })));
    }
    text
}

/// The sentences, without their heading.
pub fn lines(result: &StudyResult) -> Vec<String> {
    let differences = &result.differences;
    if result.variants.len() > MOST_VARIANTS {
        let shown = differences.iter().filter(|one| one.verdict() != DifferenceVerdict::NotShown).count();
        return vec![format!("{shown} of {} differences are shown; differences.csv has them all", differences.len())];
    }
    let of_variant = |variant: usize| {
        let own = || differences.iter().filter(move |one| one.variant == variant);
        let mut lines: Vec<String> = own().filter_map(|one| sentence(result, one)).collect();
        let others = own().filter(|one| one.verdict() == DifferenceVerdict::NotShown);
        let others: Vec<&str> = others.map(|one| one.metric.name()).collect();
        if !others.is_empty() {
            let name = words::truncated(words::variant_name(result, variant), NAME);
            lines.push(format!("{name}: no difference shown in {}", others.join(", ")));
        }
        lines
    };
    (0..result.variants.len()).flat_map(of_variant).collect()
}

/// A difference that is shown, such as `full-jitter loses 3 061 fewer valid messages than no-backoff, 95 % [2 870, 3 240]`.
fn sentence(result: &StudyResult, one: &Difference) -> Option<String> {
    let found = one.found;
    let (is_less, amount, lo, hi) = match one.verdict() {
        DifferenceVerdict::Less => (true, -found.mean, -found.hi, -found.lo),
        DifferenceVerdict::More => (false, found.mean, found.lo, found.hi),
        DifferenceVerdict::NotShown => return None,
    };
    let [variant, baseline] =
        [one.variant, one.baseline].map(|variant| words::truncated(words::variant_name(result, variant), NAME));
    let [amount, lo, hi] = [amount, lo, hi].map(|value| words::metric_value(one.metric, value));
    let deed = deed(one.metric, &amount, is_less);
    Some(format!("{variant} {deed} than {baseline}, 95 % [{lo}, {hi}]"))
}

/// What a variant does less or more of.
fn deed(metric: Metric, amount: &str, is_less: bool) -> String {
    let (fewer, lower) = if is_less { ("fewer", "lower") } else { ("more", "higher") };
    let (earlier, faster) = if is_less { ("earlier", "faster") } else { ("later", "slower") };
    match metric {
        Metric::DeadLetteredValid => format!("dead-letters {amount} {fewer} valid messages"),
        Metric::DeletedUnprocessed => format!("deletes {amount} {fewer} messages unprocessed"),
        Metric::CallsWasted => format!("wastes {amount} {fewer} calls"),
        Metric::CallsPeakPerS => format!("has a busiest second that is {amount} calls {lower}"),
        Metric::BacklogClearedS => format!("has cleared its backlog {amount} {earlier}"),
        Metric::SoundAgainS => format!("has sound calls {amount} {earlier}"),
        Metric::TimeToSuccessP99S => format!("is {amount} {faster} at the 99th percentile of the time to success"),
        other => format!("has {} {amount} {lower}", other.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn shown_differences_are_sentences_and_the_others_a_list() {
        let mut result = sample::failover();
        let last = result.differences.last_mut().unwrap();
        (last.found.lo, last.found.hi) = (-3.0, 5.0);
        insta::assert_snapshot!(section(&result, Paint::none()));
    }

    #[test]
    fn a_single_run_shows_nothing() {
        let mut result = sample::failover();
        result.scenario.replications = 1;
        assert_eq!(section(&result, Paint::none()), "");
        assert_eq!(section(&sample::empty(), Paint::none()), "");
    }

    #[test]
    fn many_variants_get_one_line() {
        assert_eq!(lines(&sample::many(7)).len(), 1);
    }
}
