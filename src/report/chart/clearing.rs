//! Who clears the backlog when: the headline of the backlog chart.

use super::backlog;
use super::context::Context;
use crate::measure::{Fate, Metric, SeriesMetric};
use crate::model::MessageClass;
use crate::report::number;
use crate::study::VariantResult;

/// Times within this share of the earliest count as one: nobody could say who was first.
const TIE: f64 = 0.02;
/// A variant that loses more than this share of its messages has not cleared its backlog by work alone.
const LOSS_WORTH_SAYING: f64 = 0.01;

/// Seconds of arrivals that may be in a queue by chance.
const CHANCE_S: f64 = 3.0;

/// The variants by what became of their backlog. Those that never had one are in neither list: there is nothing to praise.
struct Clearing<'a> {
    /// With the mean time at which it was cleared, in that order.
    cleared: Vec<(&'a VariantResult, f64)>,
    /// Still there at the end of at least one run; a time at which it is cleared does not exist.
    uncleared: Vec<&'a VariantResult>,
}

impl<'a> Clearing<'a> {
    fn of(context: &Context<'a>) -> Self {
        let mut clearing = Self { cleared: Vec::new(), uncleared: Vec::new() };
        for variant in context.shown.iter().filter(|variant| has_backlog(context, variant)) {
            match variant.metric(Metric::BacklogClearedS) {
                Some(found) if found.max >= context.duration_s() => clearing.uncleared.push(variant),
                // A mean over runs with and without a backlog would be a time at which nothing happens.
                Some(found) if found.min > 0.0 => clearing.cleared.push((variant, found.mean)),
                _ => {}
            }
        }
        clearing.cleared.sort_by(|a, b| a.1.total_cmp(&b.1));
        clearing
    }

    /// How many are as early as the first.
    fn firsts(&self) -> usize {
        let first_s = self.cleared.first().map_or(0.0, |first| first.1);
        self.cleared.partition_point(|(_, time_s)| *time_s <= first_s * (1.0 + TIE))
    }

    /// Those that are as late as the last.
    fn lasts(&self) -> Vec<&'a VariantResult> {
        let last_s = self.cleared.last().map_or(0.0, |last| last.1);
        let is_last = |one: &&(&VariantResult, f64)| one.1 >= last_s * (1.0 - TIE);
        self.cleared.iter().filter(is_last).map(|one| one.0).collect()
    }
}

/// Whether ever more was in the queue than chance alone puts there: the metric takes the second of arrivals that it needs
/// for a backlog also where levels only fluctuate, and then its time says nothing.
fn has_backlog(context: &Context, variant: &VariantResult) -> bool {
    let peaks = backlog::peak(variant, SeriesMetric::Visible) + backlog::peak(variant, SeriesMetric::InFlight);
    peaks > CHANCE_S * sent(variant) / context.duration_s().max(1.0)
}

/// The finding, with names of at most so many columns.
pub fn title(context: &Context, columns: usize) -> String {
    let clearing = Clearing::of(context);
    match (clearing.cleared.is_empty(), clearing.uncleared.is_empty()) {
        (true, true) => without_backlog(context),
        (true, false) => nobody_clears(context, &clearing.uncleared, columns),
        _ => who_clears_first(context, &clearing, columns),
    }
}

fn without_backlog(context: &Context) -> String {
    let visible = context.shown.iter().map(|variant| backlog::peak(variant, SeriesMetric::Visible));
    match visible.fold(0.0, f64::max) {
        0.0 => "No message had to wait".to_owned(),
        most => {
            format!("No variant builds up a backlog: at most {} visible at a time", number::counted(most, "message"))
        }
    }
}

fn nobody_clears(context: &Context, uncleared: &[&VariantResult], columns: usize) -> String {
    let names = match (uncleared.len(), context.shown.len()) {
        (many, all) if many == all && many > 1 => "No variant clears its".to_owned(),
        (1, _) => format!("{} does not clear its", Context::names(uncleared, columns)),
        _ => format!("{} do not clear their", Context::names(uncleared, columns)),
    };
    format!("{names} backlog {}", when_not(context, uncleared))
}

fn who_clears_first(context: &Context, clearing: &Clearing, columns: usize) -> String {
    let firsts = clearing.firsts();
    let first_s = number::duration(clearing.cleared[0].1.round());
    let names: Vec<&VariantResult> = clearing.cleared[..firsts].iter().map(|one| one.0).collect();
    let is_alone = firsts == clearing.cleared.len() && clearing.uncleared.is_empty();
    let when = if is_alone { format!("at {first_s}") } else { format!("first, at {first_s}") };
    let loss = loss_words(&names);
    let first = match firsts {
        all if all == context.shown.len() && all > 1 => format!("All variants clear their backlog at about {first_s}"),
        1 => format!("{} clears its backlog {when}", Context::names(&names, columns)),
        _ => format!("{} clear their backlog {when}", Context::names(&names, columns)),
    };
    format!("{first}{loss}{}", who_follows(context, clearing, columns))
}

/// Who is last: those that never get there, or else the latest of those that do.
fn who_follows(context: &Context, clearing: &Clearing, columns: usize) -> String {
    let uncleared = &clearing.uncleared;
    if !uncleared.is_empty() {
        let names = Context::names(uncleared, columns);
        return format!("; {names} not {}", when_not(context, uncleared));
    }
    match clearing.cleared.last() {
        Some((_, last_s)) if clearing.firsts() < clearing.cleared.len() => {
            let names = Context::names(&clearing.lasts(), columns);
            format!("; {names} last, at {}", number::duration(last_s.round()))
        }
        _ => String::new(),
    }
}

/// In which runs a backlog is not cleared: in none, or in some.
fn when_not(context: &Context, uncleared: &[&VariantResult]) -> &'static str {
    let in_every_run = |variant: &&VariantResult| {
        let found = variant.metric(Metric::BacklogClearedS);
        found.is_some_and(|found| found.min >= context.duration_s())
    };
    if uncleared.iter().all(in_every_run) { "by the end of the run" } else { "in every run" }
}

/// A backlog is gone soon where messages are lost: then the time is no merit.
fn loss_words(firsts: &[&VariantResult]) -> String {
    let most = firsts.iter().map(|variant| lost_valid(variant)).fold(0.0, f64::max);
    let says = firsts.iter().any(|variant| lost_valid(variant) > sent(variant) * LOSS_WORTH_SAYING);
    match (says, firsts.len()) {
        (false, _) => String::new(),
        (true, 1) => format!(" with {} lost", number::mean_count(most)),
        (true, _) => format!(" with up to {} lost", number::mean_count(most)),
    }
}

fn sent(variant: &VariantResult) -> f64 {
    variant.metric(Metric::Enqueued).map_or(0.0, |found| found.mean)
}

/// Valid messages that were neither processed nor kept: what was taken back out of the dead-letter queue, or written down,
/// is not lost.
fn lost_valid(variant: &VariantResult) -> f64 {
    let of = |fate: Fate| variant.fates[fate as usize][MessageClass::Valid as usize];
    let mean = |metric: Metric| variant.metric(metric).map_or(0.0, |found| found.mean);
    let in_dlq = of(Fate::DeadLettered) - mean(Metric::Redriven) - mean(Metric::ProcessedInDeadLetterQueue);
    let deleted = of(Fate::DeletedUnprocessed) - mean(Metric::WrittenDown);
    in_dlq.max(0.0) + deleted.max(0.0) + of(Fate::Expired)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::study::{Estimate, StudyResult};

    /// A study of variants with the times at which their backlogs are cleared in each of two runs.
    fn study(times_s: &[[f64; 2]]) -> StudyResult {
        let mut result = sample::many(times_s.len());
        for (index, (variant, times_s)) in result.variants.iter_mut().zip(times_s).enumerate() {
            variant.name = ["a", "b", "c", "d", "e"][index].to_owned();
            variant.fates = Default::default();
            variant.metrics[Metric::BacklogClearedS as usize] = Estimate::of(times_s);
        }
        result
    }

    fn headline(result: &StudyResult) -> String {
        title(&Context::new(result, ""), 20).replace(number::NO_BREAK, " ")
    }

    #[test]
    fn a_variant_without_a_backlog_is_not_praised() {
        let result = study(&[[0.0; 2], [60.0; 2], [90.0; 2]]);
        assert_eq!(headline(&result), "b clears its backlog first, at 60 s; c last, at 90 s");
        assert_eq!(headline(&study(&[[0.0; 2], [60.0; 2]])), "b clears its backlog at 60 s");
        let nobody = "No variant builds up a backlog: at most 52 000 messages visible at a time";
        assert_eq!(headline(&study(&[[0.0; 2], [0.0; 2]])), nobody);
        assert_eq!(headline(&study(&[[0.0, 70.0], [60.0; 2]])), "b clears its backlog at 60 s", "in one run only");
    }

    #[test]
    fn the_end_of_the_run_is_not_a_time_at_which_anything_is_clear() {
        let end = [1_200.0; 2];
        assert_eq!(
            headline(&study(&[[60.0; 2], end])),
            "a clears its backlog first, at 60 s; b not by the end of the run"
        );
        assert_eq!(
            headline(&study(&[[60.0; 2], [300.0, 1_200.0]])),
            "a clears its backlog first, at 60 s; b not in every run"
        );
        assert_eq!(headline(&study(&[end, end])), "No variant clears its backlog by the end of the run");
        assert_eq!(headline(&study(&[[0.0; 2], end])), "b does not clear its backlog by the end of the run");
        assert_eq!(headline(&study(&[[0.0; 2], end, end])), "b and c do not clear their backlog by the end of the run");
    }

    #[test]
    fn levels_that_only_fluctuate_are_no_backlog() {
        let mut result = study(&[[60.0; 2], [90.0; 2]]);
        for variant in &mut result.variants {
            variant.metrics[Metric::BacklogPeak as usize] = Estimate::of(&[700.0]);
            variant.metrics[Metric::InFlightPeak as usize] = Estimate::of(&[100.0]);
        }
        assert_eq!(headline(&result), "No variant builds up a backlog: at most 700 messages visible at a time");
    }

    #[test]
    fn ties_are_named_as_ties() {
        let (early, late, end) = ([60.0; 2], [90.0; 2], [1_200.0; 2]);
        assert_eq!(
            headline(&study(&[early, early, late, late])),
            "a and b clear their backlog first, at 60 s; c and d last, at 90 s"
        );
        assert_eq!(
            headline(&study(&[early, early, early, end, end])),
            "3 variants clear their backlog first, at 60 s; d and e not by the end of the run"
        );
        assert_eq!(headline(&study(&[early, early])), "All variants clear their backlog at about 60 s");
    }

    #[test]
    fn whoever_loses_messages_is_not_simply_first() {
        let mut result = study(&[[60.0; 2], [90.0; 2]]);
        result.variants[0].fates[Fate::DeadLettered as usize][MessageClass::Valid as usize] = 18_000.0;
        assert_eq!(headline(&result), "a clears its backlog first, at 60 s with 18 000 lost; b last, at 90 s");
        result.variants[0].metrics[Metric::Redriven as usize] = Estimate::of(&[18_000.0]);
        assert_eq!(headline(&result), "a clears its backlog first, at 60 s; b last, at 90 s", "taken back");
    }
}
