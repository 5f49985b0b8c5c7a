//! The loss: what became of the messages that were not processed.

use super::context::Context;
use super::curves::name_text;
use super::fates::{self, End, Group};
use super::font::Weight;
use super::marker;
use super::plot::small;
use super::scene::{Anchor, Scene, Text};
use super::style::{self, AXIS, BODY, Colour, INK, MARGIN, MUTED, SMALL, WHITE, WIDTH};
use crate::model::MessageClass;
use crate::report::number;
use crate::study::VariantResult;

/// Share of white mixed into a fate's colour for each class.
const TINTS: [f64; MessageClass::ALL.len()] = [0.0, 0.4, 0.7];

const BOTTOM: f64 = 478.0;
/// Rows from this height on have room for two lines of text.
const TALL_ROW: f64 = 40.0;

/// A part of a bar.
pub struct Part {
    /// Messages, on the mean.
    pub count: f64,
    /// Its colour.
    pub colour: Colour,
    /// What became of them.
    pub words: String,
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

/// The parts of a variant's bar.
pub fn parts(variant: &VariantResult) -> Vec<Part> {
    let part = |group: Group| Part {
        count: group.count,
        colour: colour(group.end, group.class),
        words: words(group.end, group.class),
    };
    fates::groups(variant).into_iter().map(part).collect()
}

fn words(end: End, class: Option<MessageClass>) -> String {
    format!("{}, {}", end.words(), class.map_or("any class", MessageClass::name))
}

fn colour(end: End, class: Option<MessageClass>) -> Colour {
    tinted(end.colour(), class.map_or(0.2, |class| TINTS[class as usize]))
}

/// Every kind of part with its words and colour, in the order in which they are stacked.
fn kinds() -> impl Iterator<Item = (String, Colour)> {
    let classes = || MessageClass::ALL.into_iter().map(Some).chain([None]);
    End::ALL.into_iter().flat_map(move |end| classes().map(move |class| (words(end, class), colour(end, class))))
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
    let words = number::mean_count(part.count);
    if scene.fonts.width(&words, SMALL, Weight::Regular) + 10.0 <= until - from {
        let brightness = u32::from(part.colour.0) * 3 + u32::from(part.colour.1) * 6 + u32::from(part.colour.2);
        let colour = if brightness < 1_450 { WHITE } else { INK };
        scene.text(small(&words, ((from + until) / 2.0, baseline), Anchor::Middle, colour), until - from);
    }
}

/// How many were not processed, and which share was.
fn remark(scene: &mut Scene, variant: &VariantResult, unprocessed: f64, left: f64, row: &Row) {
    let processed = fates::processed(variant);
    let all = processed + unprocessed;
    let count = if unprocessed > 0.0 { number::mean_count(unprocessed) } else { "none".to_owned() };
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
    for (words, colour) in kinds().filter(|kind| occurs(&kind.0)) {
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

/// Messages that were left unprocessed and are kept nowhere else, of all classes or of one.
fn left(variant: &VariantResult, of: impl Fn(&Group) -> bool) -> f64 {
    let groups = fates::groups(variant);
    groups.iter().filter(|group| group.end != End::WrittenDown && of(group)).map(|group| group.count).sum()
}

fn unprocessed(variant: &VariantResult) -> f64 {
    left(variant, |_| true)
}

fn written_down(variant: &VariantResult) -> f64 {
    let groups = fates::groups(variant);
    groups.iter().filter(|group| group.end == End::WrittenDown).map(|group| group.count).sum()
}

/// Whether messages of which nobody can say that they could never succeed are left.
fn leaves_valid(variant: &VariantResult) -> bool {
    left(variant, |group| matches!(group.class, None | Some(MessageClass::Valid))) > 0.0
}

/// The finding, with names of at most so many columns.
pub fn title(context: &Context, columns: usize) -> String {
    format!("{}{}", who_leaves_most(context, columns), who_writes_down(context, columns))
}

fn who_writes_down(context: &Context, columns: usize) -> String {
    let writers: Vec<&VariantResult> = context.shown.iter().filter(|one| written_down(one) > 0.0).collect();
    let most = writers.iter().map(|writer| written_down(writer)).fold(0.0, f64::max);
    match writers.len() {
        0 => String::new(),
        1 => format!("; {} writes {} down", Context::names(&writers, columns), number::mean_count(most)),
        _ => format!("; {} write up to {} down", Context::names(&writers, columns), number::mean_count(most)),
    }
}

fn who_leaves_most(context: &Context, columns: usize) -> String {
    let most = context.shown.iter().map(unprocessed).fold(0.0, f64::max);
    if most == 0.0 {
        let writes = context.shown.iter().any(|one| written_down(one) > 0.0);
        return if writes { "Nothing was lost" } else { "Nothing was lost: every message was processed" }.to_owned();
    }
    // What reads as the same number is the same to a reader.
    let is_worst = |one: &&VariantResult| number::mean_count(unprocessed(one)) == number::mean_count(most);
    let worst: Vec<&VariantResult> = context.shown.iter().filter(is_worst).collect();
    let count = number::counted(most, "message");
    let quality = if worst.iter().any(|one| leaves_valid(one)) { "" } else { ", none of them valid" };
    let least = who_leaves_least(context, &worst, columns);
    match worst.len() {
        all if all == context.shown.len() && all > 1 => {
            format!("Every variant leaves {count} unprocessed{quality}")
        }
        1 => {
            let name = Context::names(&worst, columns);
            format!("{name} leaves {count} unprocessed{quality}{least}")
        }
        _ => {
            let names = Context::names(&worst, columns);
            format!("{names} leave {count} each{quality}{least}")
        }
    }
}

/// The other end of the comparison, for the sentence that has named the worst.
fn who_leaves_least(context: &Context, worst: &[&VariantResult], columns: usize) -> String {
    let others: Vec<&VariantResult> =
        context.shown.iter().filter(|one| worst.iter().all(|bad| bad.name != one.name)).collect();
    let spared: Vec<&VariantResult> =
        others.iter().copied().filter(|one| unprocessed(one) == 0.0 && written_down(one) == 0.0).collect();
    let by_count = |a: &&&VariantResult, b: &&&VariantResult| unprocessed(a).total_cmp(&unprocessed(b));
    let writers_only = others.iter().all(|one| written_down(one) > 0.0);
    match others.iter().min_by(by_count) {
        Some(_) if spared.len() == others.len() => format!(", {} none", Context::other_names(&spared, columns)),
        Some(_) if !spared.is_empty() => format!(", {} none", Context::names(&spared, columns)),
        Some(best) if !writers_only && unprocessed(best) > 0.0 => {
            format!(", {} only {}", Context::names(&[best], columns), number::mean_count(unprocessed(best)))
        }
        _ => String::new(),
    }
}

fn subtitle(context: &Context) -> [String; 2] {
    let what = "Messages that were not processed by the end of the run, by fate and class";
    [format!("{what}, {}.", context.averaged()), String::new()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Fate, Metric};
    use crate::report::sample;
    use crate::study::{Estimate, StudyResult};

    /// A study of three variants with what they delete unprocessed, by class.
    fn study(deleted: [[f64; 3]; 3]) -> StudyResult {
        let mut result = sample::many(3);
        for (index, (variant, deleted)) in result.variants.iter_mut().zip(deleted).enumerate() {
            variant.name = ["a", "b", "c"][index].to_owned();
            variant.fates = Default::default();
            variant.fates[Fate::DeletedUnprocessed as usize] = deleted;
        }
        result
    }

    fn headline(result: &StudyResult) -> String {
        title(&Context::new(result, ""), 20).replace(number::NO_BREAK, " ")
    }

    #[test]
    fn what_was_written_down_is_not_called_unprocessed() {
        let valid = [6_000.0, 0.0, 0.0];
        let mut result = study([valid, [0.0; 3], valid]);
        assert_eq!(headline(&result), "a and c leave 6 000 messages each, b none");
        result.variants[2].metrics[Metric::WrittenDown as usize] = Estimate::of(&[6_000.0]);
        assert_eq!(headline(&result), "a leaves 6 000 messages unprocessed, b none; c writes 6 000 down");
        let words: Vec<String> = parts(&result.variants[2]).into_iter().map(|part| part.words).collect();
        assert_eq!(words, ["written down, then deleted, valid"]);
    }

    #[test]
    fn ties_are_named_as_ties() {
        let (none, valid) = ([0.0; 3], [50.0, 0.0, 0.0]);
        assert_eq!(headline(&study([valid, none, none])), "a leaves 50 messages unprocessed, b and c none");
        assert_eq!(headline(&study([valid; 3])), "Every variant leaves 50 messages unprocessed");
        assert_eq!(headline(&study([valid, [7.0, 0.0, 0.0], [9.0; 3]])), "a leaves 50 messages unprocessed, b only 7");
        assert_eq!(headline(&study([none; 3])), "Nothing was lost: every message was processed");
    }

    #[test]
    fn messages_that_could_never_succeed_are_told_from_valid_ones() {
        let permanent = [0.0, 23.3, 0.0];
        assert_eq!(
            headline(&study([permanent; 3])),
            "Every variant leaves 23 messages unprocessed, none of them valid"
        );
        let both = study([[10.0, 10.0, 10.0], [0.0; 3], [0.0; 3]]);
        let colours: Vec<Colour> = parts(&both.variants[0]).into_iter().map(|part| part.colour).collect();
        assert!(colours[0] != colours[1] && colours[1] != colours[2] && colours.len() == 3);
    }
}
