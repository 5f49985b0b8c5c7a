//! The time that messages take to the dead-letter queue.

use super::context::Context;
use super::curves::{self, Axes, Curves};
use super::font::Weight;
use super::panes;
use super::scale::ValueAxis;
use super::scene::{Anchor, Point, Scene, Text};
use super::style::{HEIGHT, INK, TITLE, WIDTH};
use crate::engine::time::seconds;
use crate::report::number;
use crate::study::VariantResult;

/// Where the headers of small plots begin.
const PANES_TOP: f64 = 94.0;
/// A retention of up to this many times the longest time is marked.
const SHOWN_BEYOND: f64 = 1.5;

/// Draws the chart.
pub fn draw(scene: &mut Scene, context: &Context) {
    let longest_s = context.shown.iter().filter_map(|variant| variant.time_to_dlq.max_s()).fold(0.0, f64::max);
    super::page::draw(scene, context, |columns| title(context, columns), subtitle(context, longest_s));
    if context.shown.iter().all(|variant| variant.time_to_dlq.count() == 0) {
        say_nothing(scene);
        return;
    }
    let references = references(context, longest_s);
    let end_s = references.iter().map(|one| one.0).fold(longest_s, f64::max).max(1.0) * 1.04;
    let axes = Axes {
        end_s,
        values: ValueAxis::through(if context.is_shared() {
            vec![0.0, 0.25, 0.5, 0.75, 1.0]
        } else {
            vec![0.0, 0.5, 1.0]
        }),
        format: number::percent,
        shades_outages: false,
        references,
    };
    let all: Vec<Curves> = context.shown.iter().map(|variant| curves_of(context, variant, end_s)).collect();
    if context.is_shared() {
        curves::shared(scene, context, &axes, curves::WHOLE, &all);
    } else {
        panes::draw(scene, context, &axes, &all, PANES_TOP);
    }
}

fn say_nothing(scene: &mut Scene) {
    let text = Text {
        words: "No message reached the DLQ".to_owned(),
        at: (WIDTH / 2.0, HEIGHT / 2.0 + 10.0),
        anchor: Anchor::Middle,
        size: TITLE,
        weight: Weight::Regular,
        colour: INK,
    };
    scene.text(text, WIDTH);
}

/// The length of the only outage, where all variants have the same one.
fn outage_s(context: &Context) -> Option<f64> {
    match context.common_outages()? {
        [outage] => Some(seconds(outage.until_us - outage.from_us)),
        _ => None,
    }
}

/// The retention of the source queue, where all variants have the same.
fn retention_s(context: &Context) -> Option<f64> {
    let mut all = context.result.scenario.variants.iter().map(|variant| variant.setup.queue.retention_us);
    let first_us = all.next()?;
    all.all(|other_us| other_us == first_us).then_some(seconds(first_us))
}

/// Lengths to compare the times with, in order: that of the outage, and the retention where it is not far beyond all of
/// them.
fn references(context: &Context, longest_s: f64) -> Vec<(f64, String)> {
    let mut references: Vec<(f64, String)> = Vec::new();
    let outage = outage_s(context).map(|length_s| (length_s, "length of the outage"));
    let retention = retention_s(context).filter(|length_s| *length_s <= longest_s * SHOWN_BEYOND);
    for (length_s, words) in outage.into_iter().chain(retention.map(|length_s| (length_s, "retention"))) {
        references.push((length_s, format!("{words}, {}", number::duration(length_s))));
    }
    references.sort_by(|a, b| a.0.total_cmp(&b.0));
    references
}

fn curves_of(context: &Context, variant: &VariantResult, end_s: f64) -> Curves {
    let histogram = &variant.time_to_dlq;
    let Some(median_s) = histogram.quantile_s(0.5) else {
        let notes = vec!["no message reached".to_owned(), "the DLQ".to_owned()];
        return Curves { notes: if context.is_shared() { notes } else { vec![notes.join(" ")] }, ..Curves::default() };
    };
    let count = number::counted(messages(context, variant), "message");
    let median = format!("median {}", number::duration(median_s));
    let notes = if context.is_shared() {
        vec![count, median]
    } else {
        vec![number::mean_count(messages(context, variant)), median]
    };
    Curves { line: stairs(variant, end_s), notes, label_at: 1.0, ..Curves::default() }
}

/// The share of the dead-lettered messages that were dead-lettered by each time.
fn stairs(variant: &VariantResult, end_s: f64) -> Vec<Point> {
    let all = variant.time_to_dlq.count() as f64;
    let mut points = vec![(0.0, 0.0)];
    let (mut so_far, mut share) = (0, 0.0);
    for (time_s, count) in variant.time_to_dlq.steps() {
        points.push((time_s, share));
        so_far += count;
        share = so_far as f64 / all;
        points.push((time_s, share));
    }
    points.push((end_s, share));
    thinned(points, end_s)
}

/// Drops points that share a hair's breadth of the time axis with both neighbours: nobody could tell them apart.
fn thinned(points: Vec<Point>, end_s: f64) -> Vec<Point> {
    let slot = |point: &Point| (point.0 / end_s * 2_000.0) as u64;
    let mut kept: Vec<Point> = Vec::new();
    for piece in points.chunk_by(|a, b| slot(a) == slot(b)) {
        kept.extend(piece.first());
        if piece.len() > 1 {
            kept.extend(piece.last());
        }
    }
    kept
}

/// Dead-lettered messages of a run, averaged.
fn messages(context: &Context, variant: &VariantResult) -> f64 {
    variant.time_to_dlq.count() as f64 / context.replications()
}

/// The finding, with names of at most so many columns.
pub fn title(context: &Context, columns: usize) -> String {
    let by_count = |a: &&VariantResult, b: &&VariantResult| a.time_to_dlq.count().cmp(&b.time_to_dlq.count());
    let Some(worst) = context.shown.iter().max_by(by_count).filter(|worst| worst.time_to_dlq.count() > 0) else {
        return "No message reached the DLQ".to_owned();
    };
    let name = Context::short_name(worst, columns);
    let count = number::counted(messages(context, worst), "message");
    let (spared, others): (Vec<_>, Vec<_>) =
        context.shown.iter().filter(|one| one.name != worst.name).partition(|one| one.time_to_dlq.count() == 0);
    match (spared.as_slice(), others.as_slice()) {
        ([], []) => format!("{name} dead-letters {count}"),
        (spared, []) => format!("{name} dead-letters {count}, {} none", Context::other_names(spared, columns)),
        (_, others) => medians(others, worst, columns).unwrap_or_else(|| most(context, worst, columns)),
    }
}

/// The fastest and the slowest variant, where a reader can tell them apart.
fn medians(others: &[&VariantResult], worst: &VariantResult, columns: usize) -> Option<String> {
    let all = others.iter().copied().chain([worst]);
    let mut by_time: Vec<_> = all.filter_map(|one| Some((one, one.time_to_dlq.quantile_s(0.5)?))).collect();
    by_time.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [(fast, fast_s), .., (slow, slow_s)] = by_time.as_slice() else { return None };
    let (shortest, longest) = (number::duration(*fast_s), number::duration(*slow_s));
    let [fast, slow] = [fast, slow].map(|one| Context::short_name(one, columns));
    (shortest != longest).then(|| format!("Median time to the DLQ: {shortest} with {fast}, {longest} with {slow}"))
}

/// Who dead-letters most, where the times say nothing; those with the same count share the place.
fn most(context: &Context, worst: &VariantResult, columns: usize) -> String {
    let count = number::counted(messages(context, worst), "message");
    let is_as_bad = |one: &&VariantResult| number::counted(messages(context, one), "message") == count;
    let worst: Vec<&VariantResult> = context.shown.iter().filter(is_as_bad).collect();
    match worst.len() {
        all if all == context.shown.len() => format!("Every variant dead-letters {count}"),
        1 => format!("{} dead-letters most: {count}", Context::names(&worst, columns)),
        _ => format!("{} dead-letter most: {count} each", Context::names(&worst, columns)),
    }
}

fn subtitle(context: &Context, longest_s: f64) -> [String; 2] {
    let what = "Share of the dead-lettered messages that reached the DLQ within a time from their first receive";
    let counts = match context.replications() {
        1.0 => String::new(),
        _ => format!("; counts: {}", context.averaged()),
    };
    let references = references(context, longest_s);
    let mut remark = String::new();
    if !references.is_empty() && !context.is_shared() {
        let words: Vec<&str> = references.iter().map(|one| one.1.as_str()).collect();
        remark = format!("Dashed: {}. ", words.join("; "));
    }
    let is_beyond = |length_s: &f64| longest_s > 0.0 && *length_s > longest_s * SHOWN_BEYOND;
    if let Some(length_s) = retention_s(context).filter(is_beyond) {
        remark.push_str(&format!("The retention, {}, is beyond the axis.", number::duration(length_s)));
    }
    [format!("{what}{counts}."), remark.trim_end().to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::study::StudyResult;

    fn headline(result: &StudyResult) -> String {
        title(&Context::new(result, ""), 20).replace(number::NO_BREAK, " ")
    }

    #[test]
    fn times_and_counts_that_read_alike_are_not_told_apart() {
        let mut result = sample::failover();
        let histogram = result.variants[0].time_to_dlq.clone();
        result.variants[1].time_to_dlq = histogram.clone();
        assert_eq!(headline(&result), "no-backoff and full-jitter dead-letter most: 3 120 messages each");
        result.variants[2].time_to_dlq = histogram;
        assert_eq!(headline(&result), "Every variant dead-letters 3 120 messages");
    }
}
