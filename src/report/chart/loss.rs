//! The loss: what became of the messages that were not processed.

use super::context::Context;
use super::curves::name_text;
use super::font::Weight;
use super::marker;
use super::plot::small;
use super::scene::{Anchor, Scene, Text};
use super::style::{self, AXIS, BODY, Colour, INK, MARGIN, MUTED, SMALL, WHITE, WIDTH};
use crate::measure::Fate;
use crate::model::MessageClass;
use crate::report::number;
use crate::study::VariantResult;

/// What can become of a message that is not processed, with its words and colour.
const FATES: [(Fate, &str, Colour); 4] = [
    (Fate::DeadLettered, "dead-lettered", Colour(0x6e, 0x1f, 0x35)),
    (Fate::Expired, "expired", Colour(0x6b, 0x4f, 0x9e)),
    (Fate::DeletedUnprocessed, "deleted unprocessed", Colour(0x2f, 0x5d, 0x62)),
    (Fate::Pending, "still pending", Colour(0x8b, 0x93, 0x9c)),
];

/// Share of white mixed into a fate's colour for each class.
const TINTS: [f64; MessageClass::ALL.len()] = [0.0, 0.4, 0.7];

const BOTTOM: f64 = 478.0;
/// Rows from this height on have room for two lines of text.
const TALL_ROW: f64 = 40.0;

/// A part of a bar.
struct Part {
    count: f64,
    colour: Colour,
    words: String,
}

/// Draws the chart.
pub fn draw(scene: &mut Scene, context: &Context) {
    super::page::draw(scene, context, |columns| title(context, columns), subtitle(context));
    let bars: Vec<Vec<Part>> = context.shown.iter().map(parts).collect();
    let top = legend(scene, &bars) + 24.0;
    let names = context.shown.iter().map(|variant| scene.fonts.width(&variant.name, BODY, Weight::SemiBold));
    let left = MARGIN + 18.0 + names.fold(40.0, f64::max).min(190.0) + 14.0;
    let longest = bars.iter().map(|bar| total(bar)).fold(0.0, f64::max);
    let space = ((BOTTOM - top) / bars.len().max(1) as f64).min(92.0);
    let remark = if space >= TALL_ROW { 172.0 } else { 225.0 };
    let scale = if longest > 0.0 { (WIDTH - MARGIN - remark - left) / longest } else { 0.0 };
    for (variant, bar) in bars.iter().enumerate() {
        row(scene, context, variant, bar, Row { left, scale, middle: top + space * (variant as f64 + 0.5), space });
    }
    let bottom = top + space * bars.len() as f64;
    scene.rule((left, top), (left, bottom), style::HAIRLINE, AXIS);
}

/// Every kind of part with its words and colour, in the order in which they are stacked.
fn kinds() -> impl Iterator<Item = (Fate, MessageClass, String, Colour)> {
    FATES.into_iter().flat_map(|(fate, name, colour)| {
        MessageClass::ALL
            .into_iter()
            .zip(TINTS)
            .map(move |(class, white)| (fate, class, format!("{name}, {}", class.name()), tinted(colour, white)))
    })
}

/// The parts of a variant's bar that are not empty.
fn parts(variant: &VariantResult) -> Vec<Part> {
    let part = |(fate, class, words, colour)| {
        let count = variant.fates[fate as usize][class as usize];
        (count > 0.0).then_some(Part { count, colour, words })
    };
    kinds().filter_map(part).collect()
}

fn tinted(colour: Colour, white: f64) -> Colour {
    let mix = |channel: u8| (f64::from(channel) + (255.0 - f64::from(channel)) * white).round() as u8;
    Colour(mix(colour.0), mix(colour.1), mix(colour.2))
}

fn total(bar: &[Part]) -> f64 {
    bar.iter().map(|part| part.count).sum()
}

/// Where a bar is.
struct Row {
    left: f64,
    scale: f64,
    middle: f64,
    space: f64,
}

fn row(scene: &mut Scene, context: &Context, variant: usize, bar: &[Part], row: Row) {
    let baseline = row.middle + 4.8;
    marker::draw(scene, variant, (MARGIN + 5.0, row.middle), 4.2, style::line_colour(variant));
    let name = name_text(context, variant, (MARGIN + 18.0, baseline));
    scene.text(name, row.left - MARGIN - 32.0);
    let half = (row.space * 0.31).min(20.0);
    let mut x = row.left;
    for part in bar {
        let end = x + part.count * row.scale;
        scene.rectangle((x, row.middle - half), (end, row.middle + half), part.colour);
        if bar.len() > 1 {
            inner_label(scene, part, (x, end), baseline);
            scene.rule((end, row.middle - half), (end, row.middle + half), 1.5, WHITE);
        }
        x = end;
    }
    remark(scene, &context.shown[variant], total(bar), x + 12.0, &row);
}

/// The number of a part, where there is room for it.
fn inner_label(scene: &mut Scene, part: &Part, (from, until): (f64, f64), baseline: f64) {
    let words = number::human(part.count);
    if scene.fonts.width(&words, SMALL, Weight::Regular) + 10.0 <= until - from {
        let brightness = u32::from(part.colour.0) * 3 + u32::from(part.colour.1) * 6 + u32::from(part.colour.2);
        let colour = if brightness < 1_450 { WHITE } else { INK };
        scene.text(small(&words, ((from + until) / 2.0, baseline), Anchor::Middle, colour), until - from);
    }
}

/// How many were not processed, and which share was.
fn remark(scene: &mut Scene, variant: &VariantResult, unprocessed: f64, left: f64, row: &Row) {
    let processed: f64 = variant.fates[Fate::Processed as usize].iter().sum();
    let all = processed + unprocessed;
    let count = if unprocessed > 0.0 { number::human(unprocessed) } else { "none".to_owned() };
    let share = if all > 0.0 {
        format!("{} processed", number::percent(processed / all))
    } else {
        "nothing was sent".to_owned()
    };
    let room = WIDTH - MARGIN - left;
    let text = |words: &str, baseline| Text {
        words: words.to_owned(),
        at: (left, baseline),
        anchor: Anchor::Start,
        size: BODY,
        weight: Weight::SemiBold,
        colour: INK,
    };
    if row.space >= TALL_ROW {
        scene.text(text(&count, row.middle - 3.0), room);
        scene.text(small(&share, (left, row.middle + 14.0), Anchor::Start, MUTED), room);
    } else {
        let width = scene.fonts.width(&count, BODY, Weight::SemiBold) + 8.0;
        scene.text(text(&count, row.middle + 4.8), room);
        scene.text(small(&share, (left + width, row.middle + 4.8), Anchor::Start, MUTED), room - width);
    }
}

/// Names the parts that occur, in the order in which they are stacked; returns the baseline of the last line.
fn legend(scene: &mut Scene, bars: &[Vec<Part>]) -> f64 {
    let occurs = |words: &str| bars.iter().flatten().any(|part| part.words == words);
    let (mut x, mut baseline) = (MARGIN, 102.0);
    for (_, _, words, colour) in kinds().filter(|kind| occurs(&kind.2)) {
        let width = scene.fonts.width(&words, SMALL, Weight::Regular) + 36.0;
        if x + width > WIDTH - MARGIN {
            (x, baseline) = (MARGIN, baseline + 20.0);
        }
        scene.rectangle((x, baseline - 10.0), (x + 12.0, baseline + 1.0), colour);
        scene.text(small(&words, (x + 18.0, baseline), Anchor::Start, INK), width);
        x += width;
    }
    baseline
}

/// The finding, with names of at most so many columns.
fn title(context: &Context, columns: usize) -> String {
    let unprocessed = |variant: &VariantResult| total(&parts(variant));
    let by_loss = |a: &&VariantResult, b: &&VariantResult| unprocessed(a).total_cmp(&unprocessed(b));
    let Some(worst) = context.shown.iter().max_by(by_loss).filter(|worst| unprocessed(worst) > 0.0) else {
        return "Nothing was lost: every message was processed".to_owned();
    };
    let name = Context::short_name(worst, columns);
    let count = number::counted(unprocessed(worst), "message");
    let best = context.shown.iter().filter(|one| one.name != worst.name).min_by(by_loss);
    let spared: Vec<&VariantResult> = context.shown.iter().filter(|one| unprocessed(one) == 0.0).collect();
    match best {
        None => format!("{name} leaves {count} unprocessed"),
        Some(best) if unprocessed(best) == unprocessed(worst) => format!("Every variant leaves {count} unprocessed"),
        Some(_) if spared.len() + 1 == context.shown.len() => {
            format!("{name} leaves {count} unprocessed, {}", Context::none_of(&spared, columns))
        }
        Some(best) if unprocessed(best) == 0.0 => {
            format!("{name} leaves {count} unprocessed, {} none", Context::short_name(best, columns))
        }
        Some(best) => {
            let fewest = number::human(unprocessed(best));
            format!("{name} leaves {count} unprocessed, {} only {fewest}", Context::short_name(best, columns))
        }
    }
}

fn subtitle(context: &Context) -> [String; 2] {
    let what = "Messages that were not processed by the end of the run, by fate and class";
    [format!("{what}, {}.", context.averaged()), String::new()]
}
