//! What happened to each variant, in words: its phases, its busiest second, and whether it stayed degraded.

use super::terminal::{Paint, WIDTH};
use super::{number, words};
use crate::engine::time::{SECOND_US, seconds};
use crate::measure::{Fact, Metric};
use crate::model::downstream::Outage;
use crate::study::{PeakCause, PhaseSpan, Proportion, StudyResult, VariantResult, peak, phases};

/// For more variants the sentences would be longer than anybody reads; `summary.json` has their numbers.
const MOST_VARIANTS: usize = 6;
/// What lies before a sentence.
const INDENT: usize = 4;

/// The phases of a variant.
pub fn phases_of(result: &StudyResult, variant: &VariantResult) -> Vec<PhaseSpan> {
    let outage = outages(result, variant).first();
    phases(&variant.series, outage.map(|outage| seconds(outage.from_us)))
}

/// A variant's time from its first outage until calls are sound and the backlog is cleared, whichever is later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disturbance {
    /// When the first outage begins.
    pub from_s: f64,
    /// When it is over, on the mean of the runs.
    pub until_s: f64,
    /// Runs at whose end it was not over.
    pub unfinished: Proportion,
}

impl Disturbance {
    /// How long it lasts; 0 where the outage is not felt.
    pub fn length_s(self) -> f64 {
        (self.until_s - self.from_s).max(0.0)
    }
}

/// What the outages do to a variant; `None` without outages.
pub fn disturbance(result: &StudyResult, variant: &VariantResult) -> Option<Disturbance> {
    let from_s = seconds(outages(result, variant).first()?.from_us);
    let ends = [Metric::SoundAgainS, Metric::BacklogClearedS].map(|metric| variant.metric(metric));
    let until_s = ends.iter().flatten().map(|found| found.mean).fold(from_s, f64::max);
    let unfinished = [Fact::NeverSoundAgain, Fact::NeverCleared].map(|fact| variant.facts.get(fact as usize));
    let unfinished = unfinished.into_iter().flatten().max_by_key(|of| of.k)?;
    Some(Disturbance { from_s, until_s, unfinished: *unfinished })
}

/// The outages of a variant, in order of time.
pub fn outages<'a>(result: &'a StudyResult, variant: &VariantResult) -> &'a [Outage] {
    let named = result.scenario.variants.iter().find(|one| one.name == variant.name);
    named.map_or(&[], |one| &one.setup.downstream.outages)
}

/// Sentences on each variant; nothing where there are too many, or where nothing happens to any of them.
pub fn section(result: &StudyResult, paint: Paint) -> String {
    let stories: Vec<Vec<String>> = result.variants.iter().map(|variant| story(result, variant)).collect();
    let nothing_happens = stories.iter().all(|story| story.len() < 2);
    if result.variants.len() > MOST_VARIANTS || nothing_happens {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.bold("What happened, on the mean of the runs"));
    for (variant, story) in result.variants.iter().zip(&stories) {
        text.push_str(&format!("  {}\n", words::truncated(&variant.name, WIDTH - 2)));
        for line in story.iter().flat_map(|sentence| words::wrapped(sentence, WIDTH - INDENT)) {
            text.push_str(&format!("{:INDENT$}{line}\n", ""));
        }
    }
    text
}

/// What there is to say of a variant: its phases, and what is worth a sentence of its own.
pub fn story(result: &StudyResult, variant: &VariantResult) -> Vec<String> {
    let phases = phases_of(result, variant);
    let mut sentences = vec![course(&phases)];
    if phases.len() < 2 {
        return sentences;
    }
    sentences.extend(spike(variant));
    sentences.extend(stays_degraded(variant));
    sentences
}

fn course(phases: &[PhaseSpan]) -> String {
    let Some((last, before)) = phases.split_last() else { return "nothing to tell of".to_owned() };
    if before.is_empty() {
        return format!("{} throughout", last.phase.name());
    }
    let until = |span: &PhaseSpan| format!("{} until {}", span.phase.name(), number::duration(span.until_s as f64));
    let before: Vec<String> = before.iter().map(until).collect();
    format!("{}, then {}", before.join(", "), last.phase.name())
}

fn spike(variant: &VariantResult) -> Option<String> {
    let peak = peak(&variant.series)?;
    let at = number::duration(peak.at_s as f64);
    let each = |calls: Option<f64>| number::human(calls.unwrap_or_default());
    let cause = match peak.cause() {
        PeakCause::Nothing => String::new(),
        PeakCause::Retries => format!(": {} retries for each new message", each(peak.retries_per_message)),
        PeakCause::Backlog => {
            format!(": {} for each new message, most of them for what has waited", each(peak.calls_per_message))
        }
    };
    Some(format!("most calls at {at}, {} a second{cause}", number::human(peak.calls_per_s)))
}

/// When the busiest second falls, and what it is made of.
pub fn cause_of_spike(result: &StudyResult, variant: &VariantResult) -> Option<String> {
    let peak = peak(&variant.series)?;
    let at_us = peak.at_s * SECOND_US;
    let outages = outages(result, variant);
    let when = match outages.iter().rfind(|outage| outage.from_us <= at_us) {
        Some(outage) if at_us < outage.until_us => "while the outage lasts",
        Some(_) => "after the outage",
        None if outages.is_empty() => "without an outage",
        None => "before the outage",
    };
    let why = match peak.cause() {
        PeakCause::Nothing => "messages that arrive, and hardly a retry",
        PeakCause::Retries => "retries",
        PeakCause::Backlog => "messages that have waited",
    };
    Some(format!("that spike falls {when}, and is made of {why}"))
}

/// Whether the failure feeds itself, where it does in any run.
pub fn stays_degraded(variant: &VariantResult) -> Option<String> {
    let found = variant.facts.get(Fact::StaysDegraded as usize)?;
    let after = variant.metric(Metric::DegradedAfterOutageS)?;
    (found.k > 0).then(|| {
        format!(
            "calls go on failing for {} after the outage, for more than a minute in {} of {} runs",
            number::duration(after.mean),
            found.k,
            found.n
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::study::Phase;

    #[test]
    fn a_spike_has_a_time_and_a_cause() {
        let result = sample::failover();
        let cause = |index: usize| cause_of_spike(&result, &result.variants[index]);
        let overloaded = "and is made of retries";
        assert_eq!(cause(1), Some(format!("that spike falls while the outage lasts, {overloaded}")));
        assert_eq!(cause(2), Some(format!("that spike falls after the outage, {overloaded}")));
        assert_eq!(cause_of_spike(&sample::empty(), &sample::empty().variants[0]), None);
    }

    #[test]
    fn a_course_is_told_in_one_sentence() {
        let span = |phase, from_s, until_s| PhaseSpan { phase, from_s, until_s };
        let spans = [
            span(Phase::Stable, 0, 60),
            span(Phase::Degraded, 60, 150),
            span(Phase::Recovering, 150, 180),
            span(Phase::Stable, 180, 600),
        ];
        let told = course(&spans);
        assert_eq!(
            told.replace('\u{a0}', " "),
            "stable until 60 s, degraded until 2 min 30 s, recovering until 3 min, then stable"
        );
        assert_eq!(course(&spans[..1]), "stable throughout");
    }
}
