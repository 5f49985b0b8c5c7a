//! Every candidate as a point, the front through those that no other beats, and the limits of the conditions.

use super::names::{self, Area, Placed};
use crate::measure::Metric;
use crate::report::chart::font::Weight;
use crate::report::chart::marker;
use crate::report::chart::plot::small;
use crate::report::chart::scale::ValueAxis;
use crate::report::chart::scene::{Anchor, Point, Scene, Text};
use crate::report::chart::style::{
    AXIS, BODY, Colour, GRID, HAIRLINE, INK, LINE, MARGIN, MUTED, OUTAGE_BAR, OUTAGE_TEXT, SMALL, WHITE, WIDTH,
    line_colour, word_colour,
};
use crate::report::chart::sweep::page::{self, written};
use crate::report::tune::label;
use crate::report::{number, words};
use crate::scenario::Condition;
use crate::study::{CandidateResult, Standing, TuneResult};

const TOP: f64 = 132.0;
const BOTTOM: f64 = 440.0;
/// Room for the labels of the value axis.
const VALUE_LABELS: f64 = 66.0;
/// Points keep this distance from the edges.
const INSET: f64 = 14.0;
/// More candidates than this are drawn as small squares.
const MOST_MARKERS: usize = 400;
/// Most of the best that have a name.
const MOST_NAMES: usize = 8;
/// Points on a line that stand for it where names look for a place.
const ON_A_LINE: u32 = 60;
/// Colour of candidates that break a condition.
const MUTED_POINT: Colour = Colour(0xc4, 0xc9, 0xcf);
/// Colour of candidates of which it is not shown whether they do.
const OPEN_POINT: Colour = Colour(0x8f, 0xb8, 0xd8);

/// Where things are.
struct Frame {
    plot: Area,
    x: ValueAxis,
    y: ValueAxis,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        let (left, right) = (self.plot.left + INSET, self.plot.right - INSET);
        left + (right - left) * self.x.scale.share(value)
    }

    fn y(&self, value: f64) -> f64 {
        let (top, bottom) = (self.plot.top + INSET, self.plot.bottom - INSET);
        bottom - (bottom - top) * self.y.scale.share(value)
    }
}

/// Draws the chart.
pub fn draw(scene: &mut Scene, result: &TuneResult) {
    page::draw(scene, &titles(result), &subtitle(result), &footer(result));
    let plot = Area { left: MARGIN + VALUE_LABELS, top: TOP, right: WIDTH - MARGIN, bottom: BOTTOM };
    let goal = &result.goal;
    let values = |metric: Metric| {
        let means =
            result.candidates.iter().filter_map(move |one| result.found(&one.metrics, metric)).map(|found| found.mean);
        means.chain(limits(result, metric).map(|limit| limit.bound))
    };
    let frame = Frame { plot, x: ValueAxis::of(values(goal.against)), y: ValueAxis::of(values(goal.objective)) };
    legend(scene, result);
    axes(scene, &frame, result);
    let taken = limit_lines(scene, &frame, result);
    let mut covered = front_line(scene, &frame, result);
    covered.extend(limit_points(&frame, result));
    covered.extend(cloud(scene, &frame, result));
    best(scene, &frame, result, taken, &covered);
}

fn titles(result: &TuneResult) -> Vec<String> {
    let goal = &result.goal;
    let Some(best) = result.best.first() else { return vec!["No candidate was run".to_owned()] };
    let value = |metric: Metric| {
        let found = result.found(&best.metrics, metric);
        found.map_or("never observed".to_owned(), |found| written(metric, found.mean))
    };
    let start = match (result.is_finished, best.standing) {
        (false, _) => "Unfinished, best so far",
        (true, Standing::Holds) => "Best",
        (true, _) => "None is shown to hold; closest",
    };
    let (objective, against) = (goal.objective.words(), goal.against.words());
    let title = |room: usize| {
        let name = label(result, &result.candidates[best.candidate], room);
        format!("{start}: {name}; {objective}: {}, {against}: {}", value(goal.objective), value(goal.against))
    };
    [60, 40, 28, 18, 10].map(title).to_vec()
}

fn subtitle(result: &TuneResult) -> String {
    let goal = &result.goal;
    let (up, across) = (goal.objective, goal.against);
    let averaged = match runs_range(result) {
        (least, most) if least == most => format!("mean of {}", number::counted(f64::from(most), "run")),
        (least, most) => format!("mean of {least} to {most} runs"),
    };
    format!(
        "A point a candidate, {averaged} of the search; upward {} in {}, across {} in {}",
        up.name(),
        up.unit(),
        across.name(),
        across.unit()
    )
}

fn runs_range(result: &TuneResult) -> (u32, u32) {
    let runs = || result.candidates.iter().map(|candidate| candidate.runs).filter(|runs| *runs > 0);
    (runs().min().unwrap_or(0), runs().max().unwrap_or(0))
}

fn footer(result: &TuneResult) -> String {
    let runs = format!("{} runs", number::human(result.runs as f64));
    let fresh = result.is_finished.then(|| "the title has the fresh runs".to_owned());
    page::source(&result.facts, fresh, runs)
}

/// The conditions on a metric.
fn limits(result: &TuneResult, metric: Metric) -> impl Iterator<Item = &Condition> {
    result.goal.conditions.iter().filter(move |condition| condition.metric == metric)
}

fn colour(standing: Standing) -> Colour {
    match standing {
        Standing::Holds => line_colour(0),
        Standing::NotShown => OPEN_POINT,
        Standing::Breaks => MUTED_POINT,
    }
}

/// What colours and shapes mean, as far as they occur.
fn legend(scene: &mut Scene, result: &TuneResult) {
    let baseline = 92.0;
    let mut x = MARGIN;
    let occurs = |standing: Standing| result.candidates.iter().any(|one| one.runs > 0 && one.standing == standing);
    let mut entry = |scene: &mut Scene, shape: usize, colour: Colour, words: &str| {
        let width = scene.fonts.width(words, SMALL, Weight::Regular) + 34.0;
        if x + width > WIDTH - MARGIN {
            return;
        }
        marker::draw(scene, shape, (x + 6.0, baseline - 4.5), 4.2, colour);
        scene.text(small(words, (x + 17.0, baseline), Anchor::Start, INK), width);
        x += width;
    };
    entry(scene, 0, line_colour(1), "one of the best");
    if !result.goal.conditions.is_empty() {
        let words = ["keeps to the conditions", "not shown", "breaks a condition"];
        for (standing, words) in [Standing::Holds, Standing::NotShown, Standing::Breaks].into_iter().zip(words) {
            if occurs(standing) {
                entry(scene, 0, colour(standing), words);
            }
        }
    }
    let variants = &result.facts.variants;
    if (2..=4).contains(&variants.len()) && result.candidates.len() <= MOST_MARKERS {
        for (variant, name) in variants.iter().enumerate() {
            entry(scene, variant, MUTED, &words::truncated(name, 18));
        }
    }
}

fn axes(scene: &mut Scene, frame: &Frame, result: &TuneResult) {
    let (goal, plot) = (&result.goal, &frame.plot);
    for value in &frame.y.ticks {
        let y = frame.y(*value);
        scene.rule((plot.left, y), (plot.right, y), HAIRLINE, if *value == 0.0 { AXIS } else { GRID });
        scene.text(small(&written(goal.objective, *value), (plot.left - 9.0, y + 4.4), Anchor::End, MUTED), plot.left);
    }
    scene.rule((plot.left, plot.bottom), (plot.right, plot.bottom), HAIRLINE, AXIS);
    let mut free_from = f64::NEG_INFINITY;
    for value in &frame.x.ticks {
        let (x, words) = (frame.x(*value), written(goal.against, *value));
        let half = scene.fonts.width(&words, SMALL, Weight::Regular) / 2.0;
        scene.rule((x, plot.bottom), (x, plot.bottom + 5.0), HAIRLINE, AXIS);
        if x - half >= free_from && x + half <= WIDTH - 2.0 {
            scene.text(small(&words, (x, plot.bottom + 19.0), Anchor::Middle, MUTED), 120.0);
            free_from = x + half + 10.0;
        }
    }
    let middle = (plot.left + plot.right) / 2.0;
    let across = Text {
        words: page::axis_words(goal.against, frame.x.scale),
        at: (middle, plot.bottom + 41.0),
        anchor: Anchor::Middle,
        size: SMALL,
        weight: Weight::SemiBold,
        colour: INK,
    };
    scene.text(across.clone(), plot.right - plot.left);
    let upward = Text {
        words: page::axis_words(goal.objective, frame.y.scale),
        at: (MARGIN, plot.top - 14.0),
        anchor: Anchor::Start,
        ..across
    };
    scene.text(upward, plot.right - plot.left);
}

/// Draws the bounds of the conditions on either axis; returns where their words are.
fn limit_lines(scene: &mut Scene, frame: &Frame, result: &TuneResult) -> Vec<Area> {
    let plot = &frame.plot;
    let mut taken = Vec::new();
    for limit in limits(result, result.goal.against) {
        let x = frame.x(limit.bound);
        scene.dashed_rule(x, plot.top, plot.bottom, OUTAGE_BAR);
        let words = page::condition(limit);
        let width = scene.fonts.width(&words, SMALL, Weight::Regular);
        let left = (x - width / 2.0).clamp(plot.left + 210.0, plot.right - width);
        scene.text(small(&words, (left, plot.top - 6.0), Anchor::Start, OUTAGE_TEXT), width + 1.0);
    }
    for limit in limits(result, result.goal.objective) {
        let y = frame.y(limit.bound);
        scene.rule((plot.left, y), (plot.right, y), 1.25, OUTAGE_BAR);
        let words = page::condition(limit);
        let width = scene.fonts.width(&words, SMALL, Weight::Regular);
        scene.text(small(&words, (plot.right, y - 5.0), Anchor::End, OUTAGE_TEXT), width + 1.0);
        taken.push(Area { left: plot.right - width, top: y - 18.0, right: plot.right, bottom: y + 2.0 });
    }
    taken
}

/// Points on the upright lines of the limits, which names had better not cover.
fn limit_points(frame: &Frame, result: &TuneResult) -> Vec<Point> {
    let on_line = |limit: &Condition| {
        let x = frame.x(limit.bound);
        names::points_between((x, frame.plot.top), (x, frame.plot.bottom), ON_A_LINE)
    };
    limits(result, result.goal.against).flat_map(on_line).collect()
}

/// Where a candidate is.
fn place(frame: &Frame, result: &TuneResult, candidate: &CandidateResult) -> Option<Point> {
    let mean = |metric| result.found(&candidate.metrics, metric).map(|found| found.mean);
    Some((frame.x(mean(result.goal.against)?), frame.y(mean(result.goal.objective)?)))
}

/// Draws the front in steps: between two of its points nothing better is known than the nearer of them. Returns points on
/// it.
fn front_line(scene: &mut Scene, frame: &Frame, result: &TuneResult) -> Vec<Point> {
    let points: Vec<Point> =
        result.front.iter().filter_map(|&number| place(frame, result, &result.candidates[number])).collect();
    let mut steps: Vec<Point> = Vec::new();
    for point in points {
        if let Some(last) = steps.last().copied() {
            steps.push((point.0, last.1));
        }
        steps.push(point);
    }
    let on_line = steps.windows(2).flat_map(|pair| names::points_between(pair[0], pair[1], ON_A_LINE)).collect();
    if steps.len() > 1 {
        scene.line(steps, LINE, AXIS);
    }
    on_line
}

/// Draws the candidates but the best; returns where all of them are.
fn cloud(scene: &mut Scene, frame: &Frame, result: &TuneResult) -> Vec<Point> {
    let is_best = |number: usize| result.best.iter().any(|best| best.candidate == number);
    let mut placed: Vec<(Standing, usize, usize, Point)> = Vec::new();
    for (number, candidate) in result.candidates.iter().enumerate() {
        if let Some(point) = place(frame, result, candidate) {
            placed.push((candidate.standing, candidate.variant, number, point));
        }
    }
    let mut order: Vec<&(Standing, usize, usize, Point)> = placed.iter().collect();
    // What breaks a condition lies at the back.
    order.sort_by_key(|(standing, ..)| std::cmp::Reverse(*standing));
    for (standing, variant, number, (x, y)) in order {
        if is_best(*number) {
            continue;
        }
        if result.candidates.len() > MOST_MARKERS {
            scene.rectangle((x - 1.7, y - 1.7), (x + 1.7, y + 1.7), colour(*standing));
        } else {
            marker::draw(scene, *variant, (*x, *y), 3.8, colour(*standing));
        }
    }
    placed.into_iter().map(|(.., point)| point).collect()
}

/// Whether two points can hardly be told apart: they have one name.
fn is_at(one: Point, other: Point) -> bool {
    (one.0 - other.0).hypot(one.1 - other.1) < 7.0
}

/// Draws the best with their numbers and names, the first in front.
fn best(scene: &mut Scene, frame: &Frame, result: &TuneResult, mut taken: Vec<Area>, points: &[Point]) {
    let of = |number: usize| {
        let candidate = &result.candidates[result.best[number].candidate];
        Some((number, candidate, place(frame, result, candidate)?))
    };
    let placed: Vec<(usize, &CandidateResult, Point)> = (0..result.best.len()).filter_map(of).collect();
    taken.extend(placed.iter().map(|(.., (x, y))| Area {
        left: x - 5.0,
        top: y - 5.0,
        right: x + 5.0,
        bottom: y + 5.0,
    }));
    let mut named: Vec<Placed> = Vec::new();
    let mut names = Vec::new();
    for (index, (number, candidate, point)) in placed.iter().enumerate() {
        if names.len() == MOST_NAMES || placed[..index].iter().any(|(.., other)| is_at(*other, *point)) {
            continue;
        }
        let at_same = placed[index + 1..].iter().filter(|(.., other)| is_at(*point, *other));
        let others: Vec<String> = at_same.map(|(other, ..)| (other + 1).to_string()).collect();
        let also = if others.is_empty() { String::new() } else { format!(" (also {})", others.join(", ")) };
        let words = format!("{}  {}{also}", number + 1, label(result, candidate, 34));
        let width = scene.fonts.width(&words, BODY, Weight::SemiBold) + 2.0;
        if let Some(found) = names::place(*point, width, &frame.plot, &taken, &named, points) {
            named.push(found);
            names.push(words);
        }
    }
    for (from, to) in named.iter().filter_map(|one| one.line) {
        scene.line(vec![from, to], HAIRLINE, word_colour(1));
    }
    for (number, candidate, point) in placed.iter().rev() {
        marker::draw(scene, candidate.variant, *point, if *number == 0 { 6.5 } else { 5.0 }, line_colour(1));
    }
    for (words, Placed { area, .. }) in names.into_iter().zip(named) {
        let Area { left, top, right, bottom } = area;
        let ground = vec![(left, top + 1.0), (right, top + 1.0), (right, bottom - 1.0), (left, bottom - 1.0)];
        scene.area(ground, WHITE, 0.8);
        let at = (area.left + 1.0, area.bottom - 4.6);
        let text =
            Text { words, at, anchor: Anchor::Start, size: BODY, weight: Weight::SemiBold, colour: word_colour(1) };
        scene.text(text, area.right - area.left + 1.0);
    }
}
