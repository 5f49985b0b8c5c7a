//! What surrounds the chart of a sweep: the finding, what is measured, the source.

use crate::measure::Metric;
use crate::report::chart::font::Weight;
use crate::report::chart::scale::Scale;
use crate::report::chart::scene::{Anchor, Scene, Text};
use crate::report::chart::style::{BODY, FOOTER, HEIGHT, INK, MARGIN, MUTED, TITLE_SIZES, WIDTH};
use crate::report::{number, words};
use crate::scenario::Condition;
use crate::study::{SweepFacts, SweepResult};

/// Writes title, subtitle and source line, and tells those who cannot see the picture what it shows.
pub fn draw(scene: &mut Scene, titles: &[String], subtitle: &str, footer: &str) {
    let room = WIDTH - 2.0 * MARGIN;
    let line = |words: &str, y: f64, size: f64, weight, colour| Text {
        words: words::clean(words),
        at: (MARGIN, y),
        anchor: Anchor::Start,
        size,
        weight,
        colour,
    };
    let attempts = titles.iter().flat_map(|title| TITLE_SIZES.map(|size| (title, size)));
    let smallest = titles.last().map(|title| (title, TITLE_SIZES[TITLE_SIZES.len() - 1]));
    let fits = |(title, size): &(&String, f64)| scene.fonts.width(title, *size, Weight::SemiBold) <= room;
    let Some((title, size)) = attempts.into_iter().find(fits).or(smallest) else { return };
    scene.description = format!("{title}. {subtitle}");
    scene.text(line(title, 42.0, size, Weight::SemiBold, INK), room);
    scene.text(line(subtitle, 65.0, BODY, Weight::Regular, MUTED), room);
    scene.text(line(footer, HEIGHT - 22.0, FOOTER, Weight::Regular, MUTED), room);
}

/// The source line of a sweep.
pub fn footer(facts: &SweepFacts, remark: Option<String>) -> String {
    let runs = number::counted(f64::from(facts.replications), "run");
    source(facts, remark, format!("{runs} a variant and point"))
}

/// Where numbers come from: a remark, the file, the seed, how many runs there were, and what made them.
pub fn source(facts: &SweepFacts, remark: Option<String>, runs: String) -> String {
    let parts = [
        words::truncated(&facts.file, 60),
        format!("seed {}", facts.seed),
        runs,
        concat!("retrystorm ", env!("CARGO_PKG_VERSION")).to_owned(),
    ];
    remark.into_iter().chain(parts).collect::<Vec<_>>().join(" · ")
}

/// What is measured and how, for subtitles.
pub fn measured(metric: Metric, facts: &SweepFacts) -> String {
    let averaged = match facts.replications {
        1 => "a single run each".to_owned(),
        many => format!("mean of {many} runs"),
    };
    format!("{} ({}), {averaged}", metric.name(), metric.unit())
}

/// A metric beside its axis.
pub fn axis_words(metric: Metric, scale: Scale) -> String {
    let scale = if scale.is_logarithmic { ", log scale" } else { "" };
    // A time's labels have their units.
    let unit = if metric.unit() == "s" { String::new() } else { format!(" ({})", metric.unit()) };
    format!("{}{unit}{scale}", capitalised(metric.words()))
}

/// A condition beside its line.
pub fn condition(condition: &Condition) -> String {
    format!("{} {} {}", condition.metric.words(), condition.side.sign(), written(condition.metric, condition.bound))
}

/// Words as a sentence begins.
fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A value of a metric, as the reports write it.
pub fn written(metric: Metric, value: f64) -> String {
    if metric.unit() == "s" { number::duration(value) } else { number::compact(value) }
}

/// The finding: for the variant that varies the most, where the metric is least and where it is greatest.
pub fn titles(result: &SweepResult, metric: Metric) -> Vec<String> {
    let facts = &result.facts;
    let extremes = |variant: usize| {
        let means: Vec<(usize, f64)> = (0..facts.points())
            .filter_map(|point| Some((point, result.metric(point, variant, metric)?.mean)))
            .filter(|(_, mean)| mean.is_finite())
            .collect();
        let least = means.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))?;
        // The first of equals, in both directions.
        let greatest = means.iter().copied().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((variant, least, greatest))
    };
    let spread = |found: &(usize, (usize, f64), (usize, f64))| found.2.1 - found.1.1;
    let all = (0..facts.variants.len()).filter_map(extremes);
    let Some((variant, least, greatest)) = all.rev().max_by(|a, b| spread(a).total_cmp(&spread(b))) else {
        return vec![format!("{}: defined at no point", capitalised(metric.words()))];
    };
    if least.1 == greatest.1 {
        return vec![format!("{}: {} at every point", capitalised(metric.words()), written(metric, least.1))];
    }
    [40, 28, 20, 14]
        .into_iter()
        .map(|columns| {
            let at = |point: usize| words::truncated(&facts.labels(point).collect::<Vec<_>>().join(" × "), columns);
            let name = match facts.variants.len() {
                1 => capitalised(metric.words()),
                _ => format!("{}: {}", words::truncated(&facts.variants[variant], columns), metric.words()),
            };
            let [low, high] = [least.1, greatest.1].map(|mean| written(metric, mean));
            format!("{name} from {low} (at {}) to {high} (at {})", at(least.0), at(greatest.0))
        })
        .collect()
}
