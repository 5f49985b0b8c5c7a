//! What surrounds the chart of a sweep: the finding, what is measured, the source.

use crate::measure::Metric;
use crate::report::chart::font::Weight;
use crate::report::chart::scene::{Anchor, Scene, Text};
use crate::report::chart::style::{BODY, FOOTER, HEIGHT, INK, MARGIN, MUTED, TITLE, WIDTH};
use crate::report::{number, words};
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
    let fits = |title: &&String| scene.fonts.width(title, TITLE, Weight::SemiBold) <= room;
    let title = titles.iter().find(fits).or(titles.last()).cloned().unwrap_or_default();
    scene.description = format!("{title}. {subtitle}");
    scene.text(line(&title, 42.0, TITLE, Weight::SemiBold, INK), room);
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
        return vec![format!("{} is defined at no point", metric.name())];
    };
    if least.1 == greatest.1 {
        return vec![format!("{} is {} at every point", metric.name(), written(metric, least.1))];
    }
    [40, 28, 20, 14]
        .into_iter()
        .map(|columns| {
            let at = |point: usize| words::truncated(&facts.labels(point).collect::<Vec<_>>().join(" × "), columns);
            let name = match facts.variants.len() {
                1 => metric.name().to_owned(),
                _ => format!("{}: {}", words::truncated(&facts.variants[variant], columns), metric.name()),
            };
            let [low, high] = [least.1, greatest.1].map(|mean| written(metric, mean));
            format!("{name} from {low} (at {}) to {high} (at {})", at(least.0), at(greatest.0))
        })
        .collect()
}
