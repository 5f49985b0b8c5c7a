//! What a search prints: the best few, what can be told apart, the trade-off front, and what to paste.

use crate::measure::{Direction, Metric};
use crate::report::table::{drawn, either, fits};
use crate::report::terminal::{Paint, WIDTH};
use crate::report::{number, probabilities, words};
use crate::scenario::{Condition, Quantity};
use crate::study::{CandidateResult, DifferenceVerdict, Estimate, Finalist, Search, Standing, TuneResult};

/// Room for a value of an axis, from much to little.
const LABELS: [usize; 4] = [24, 16, 10, 6];
/// Room for a line of a heading, as far as its words allow it.
const HEADING: usize = 14;
/// Room for the name of a variant.
const NAME: usize = 20;
/// Most points of the front that are printed.
const MOST_POINTS: usize = 8;

/// The report of a search as text of at most a hundred columns, with colours where `colour` allows them.
pub fn tune_text(result: &TuneResult, colour: bool) -> String {
    let paint = Paint::with(colour);
    let mut text = String::new();
    if !result.is_finished {
        text += &format!("{}\n", paint.bad("UNFINISHED: interrupted, this is what was known by then", 0));
    }
    for line in words::wrapped(&result.facts.title, WIDTH) {
        text += &format!("{}\n", paint.bold(&line));
    }
    text += &wrapped(&goal(result), 0);
    text += &wrapped(&setting(result), 0);
    text += &format!("\n{}\n{}\n\n", paint.bold(&heading(result)), best_table(result));
    text += &verdict(result, paint);
    for sentence in sentences(result) {
        text += &wrapped(&sentence, 2);
    }
    text += &format!("\n{}\n{}\n", paint.bold("Trade-off front, by the runs of the search"), front_table(result));
    text += &paste(result, paint);
    text
}

/// The best so far in a few words, for a line of progress.
pub fn best_so_far(objective: Metric, candidate: &str, mean: f64) -> String {
    format!(", best {} at {}", words::metric_value(objective, mean), words::truncated(candidate, 30))
}

fn wrapped(text: &str, indent: usize) -> String {
    words::wrapped(text, WIDTH - indent).iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

fn goal(result: &TuneResult) -> String {
    let goal = &result.goal;
    let most = if goal.wants == Direction::Higher { "most" } else { "least" };
    let conditions: Vec<String> = goal.conditions.iter().map(condition).collect();
    let subject =
        if conditions.is_empty() { String::new() } else { format!(", subject to {}", conditions.join(" and ")) };
    format!("Wanted: the {most} {} ({}){subject}", goal.objective.name(), goal.objective.unit())
}

/// A condition with its bound as people read it.
fn condition(condition: &Condition) -> String {
    let bound = words::metric_value(condition.metric, condition.bound);
    format!("{} {} {bound}", condition.metric.name(), condition.side.sign())
}

fn setting(result: &TuneResult) -> String {
    let facts = &result.facts;
    let count = result.candidates.len();
    let search = match result.search {
        Search::Grid => format!("{count} candidates, each with {}", runs(facts.replications)),
        Search::Halving => {
            let rungs: Vec<String> =
                result.rungs.iter().map(|rung| format!("{} with {}", rung.candidates, rung.replications)).collect();
            format!("{count} candidates by halving, by runs: {}", rungs.join(", "))
        }
    };
    let simulated =
        facts.duration_s.map_or(String::new(), |seconds| format!("; {} simulated", number::duration(seconds)));
    format!("{search}{simulated}, seed {}; {} runs in all", facts.seed, number::human(result.runs as f64))
}

fn runs(count: u32) -> String {
    number::counted(f64::from(count), "run")
}

fn heading(result: &TuneResult) -> String {
    let count = result.best.len();
    let best = if count == 1 { "The best".to_owned() } else { format!("The best {count}") };
    match result.is_finished {
        true => format!("{best}, in {} that the search has not seen", fresh_runs(result.facts.replications)),
        false => format!("{best}, in the runs that they were picked by: expect somewhat worse"),
    }
}

fn fresh_runs(count: u32) -> String {
    if count == 1 { "a fresh run".to_owned() } else { format!("{count} fresh runs each") }
}

/// A row for each of the best.
fn best_table(result: &TuneResult) -> String {
    let axes = result.facts.axes.len();
    let whole = LABELS.into_iter().map(|room| Layout { room, skipped: 0, has_short_heads: false });
    let shorter = (0..=axes).map(|skipped| Layout { room: LABELS[LABELS.len() - 2], skipped, has_short_heads: true });
    let mut table = String::new();
    for layout in whole.chain(shorter) {
        table = best_rows(result, &layout);
        if fits(&table) {
            break;
        }
    }
    table
}

/// What a table gives up to be narrow enough.
struct Layout {
    /// Room for a value of an axis.
    room: usize,
    /// Axes that are left out, from the left.
    skipped: usize,
    /// Whether an axis is known by its last key alone.
    has_short_heads: bool,
}

impl Layout {
    fn head(&self, path: &str) -> String {
        let short = words::short_path(path);
        match short.rsplit_once('.') {
            Some((_, last)) if self.has_short_heads => heading_of(last),
            _ => heading_of(&short),
        }
    }
}

fn best_rows(result: &TuneResult, layout: &Layout) -> String {
    let Layout { room, skipped, .. } = *layout;
    let (facts, goal) = (&result.facts, &result.goal);
    let metrics = goal.metrics();
    let axes = || facts.axes.iter().skip(skipped).map(|axis| layout.head(&axis.path));
    let named = metrics.iter().map(|metric| heading_of(metric.name()));
    let conditions = (!goal.conditions.is_empty()).then(|| "conditions".to_owned());
    let others = (result.best.len() > 1).then(|| "against 1".to_owned());
    let header: Vec<String> = std::iter::once(String::new())
        .chain(axes())
        .chain(["variant".to_owned()])
        .chain(named)
        .chain(conditions)
        .chain(others)
        .collect();
    let rows = result.best.iter().enumerate().map(|(number, best)| {
        let candidate = &result.candidates[best.candidate];
        let labels = candidate.values(facts).into_iter().skip(skipped).map(|label| words::truncated(label, room));
        let variant = words::truncated(&facts.variants[candidate.variant], NAME);
        let numbers = metrics.iter().map(|&metric| cell(result, best, metric));
        let standing = (!goal.conditions.is_empty()).then(|| best.standing.name().to_owned());
        let difference = (result.best.len() > 1).then(|| against_first(result, best));
        std::iter::once((number + 1).to_string())
            .chain(labels)
            .chain([variant])
            .chain(numbers)
            .chain(standing)
            .chain(difference)
            .collect()
    });
    drawn(axes().count() + 2, header, rows)
}

/// A name in lines that are short enough for the head of a column.
fn heading_of(name: &str) -> String {
    let mut lines = vec![String::new()];
    for part in name.split_inclusive(['.', '_']) {
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.len() + part.len() <= HEADING => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| words::truncated(line, LABELS[0])).collect::<Vec<_>>().join("\n")
}

fn cell(result: &TuneResult, best: &Finalist, metric: Metric) -> String {
    match best.groups.filter(|_| metric == result.goal.objective) {
        Some(groups) => either(metric, groups),
        None => mean(metric, result.found(&best.metrics, metric)),
    }
}

fn mean(metric: Metric, found: Option<Estimate>) -> String {
    found.map_or("–".to_owned(), |found| words::found(Quantity::Metric(metric), Some(found)))
}

fn against_first(result: &TuneResult, best: &Finalist) -> String {
    let Some(difference) = best.difference else { return String::new() };
    match difference.verdict() {
        DifferenceVerdict::NotShown => "not shown".to_owned(),
        verdict => {
            let sign = if verdict == DifferenceVerdict::More { "+" } else { "" };
            format!("{sign}{}", mean(result.goal.objective, Some(difference.found)))
        }
    }
}

/// Whether the best keeps to the conditions; nothing where there are none.
fn verdict(result: &TuneResult, paint: Paint) -> String {
    let Some(best) = result.best.first().filter(|_| !result.goal.conditions.is_empty()) else { return String::new() };
    let count =
        |standing: Standing| result.candidates.iter().filter(|one| one.runs > 0 && one.standing == standing).count();
    let [holding, open, breaking] = [Standing::Holds, Standing::NotShown, Standing::Breaks].map(count);
    let rest = if open > 0 { format!("; for {open} neither is shown") } else { String::new() };
    let all = format!("In the runs of the search they hold for {holding} candidates and break for {breaking}{rest}.");
    let (word, sentence) = match (best.standing, holding) {
        (Standing::Holds, _) => (paint.good("holds", 0), "candidate 1 is shown to keep to every condition.".to_owned()),
        (_, 0) => {
            (paint.bad("NONE HOLDS", 0), format!("no candidate is shown to keep to every condition. {}", closest(best)))
        }
        (_, _) => (
            paint.bad("NONE HOLDS", 0),
            format!("none of the best is shown to keep to every condition. {}", closest(best)),
        ),
    };
    // The style is taken off the width, so it goes on after wrapping.
    let plain = if best.standing == Standing::Holds { "holds" } else { "NONE HOLDS" };
    let lines = wrapped(&format!("{plain}: {sentence} {all}"), 2);
    lines.replacen(plain, &word, 1)
}

fn closest(best: &Finalist) -> &'static str {
    match best.standing {
        Standing::Breaks => "Those above come closest.",
        _ => "Those above come closest; where it is `not shown`, more --replications make the interval narrower.",
    }
}

fn sentences(result: &TuneResult) -> Vec<String> {
    let objective = result.goal.objective;
    let mut sentences = Vec::new();
    let numbered = || result.best.iter().enumerate().skip(1);
    let alike: Vec<String> = numbered()
        .filter(|(_, best)| best.difference.is_some_and(|one| one.verdict() == DifferenceVerdict::NotShown))
        .map(|(number, _)| (number + 1).to_string())
        .collect();
    if !alike.is_empty() {
        let them = alike.join(", ");
        sentences.push(format!(
            "No difference shown in {} between 1 and {them}, run by run with the same luck.",
            objective.name()
        ));
    }
    sentences.extend(numbered().filter_map(|(number, best)| better_than_first(result, number, best)));
    for (number, best) in result.best.iter().enumerate() {
        if let Some(groups) = &best.groups {
            sentences.push(format!("{}: {}.", number + 1, probabilities::two_groups(objective, groups)));
        }
        let defined = result.found(&best.metrics, objective).map_or(0, |found| found.n);
        if defined < best.runs {
            sentences.push(format!(
                "{}: only {defined} of {} define {}.",
                number + 1,
                runs(best.runs),
                objective.name()
            ));
        }
    }
    sentences
}

/// A warning where fresh runs show the order of the search to be wrong.
fn better_than_first(result: &TuneResult, number: usize, best: &Finalist) -> Option<String> {
    let better = if result.goal.wants == Direction::Higher { DifferenceVerdict::More } else { DifferenceVerdict::Less };
    let holds_as_well = result.best.first().is_some_and(|first| best.standing <= first.standing);
    let is_better = best.difference?.verdict() == better && holds_as_well;
    is_better.then(|| {
        let name = result.goal.objective.name();
        format!("{} does better than 1 in {name} here: the search had too few --replications to see it.", number + 1)
    })
}

/// The points of the front; where they are many, every so many of them and the last.
fn front_table(result: &TuneResult) -> String {
    let TuneResult { goal, front, .. } = result;
    let step = front.len().saturating_sub(1).div_ceil(MOST_POINTS - 1).max(1);
    let shown = front.iter().enumerate().filter(|(index, _)| index % step == 0 || index + 1 == front.len());
    let header = [goal.against.name(), goal.objective.name(), "candidate"].map(str::to_owned).to_vec();
    let rows = shown.map(|(_, &number)| {
        let candidate = &result.candidates[number];
        let of = |metric| mean(metric, result.found(&candidate.metrics, metric));
        let place = result.best.iter().position(|best| best.candidate == number);
        let place = place.map_or(String::new(), |place| format!(" ({})", place + 1));
        vec![of(goal.against), of(goal.objective), label(result, candidate, 44) + &place]
    });
    drawn(0, header, rows)
}

/// A candidate in a few words: its values, and its variant where there are several.
pub(in crate::report) fn label(result: &TuneResult, candidate: &CandidateResult, room: usize) -> String {
    let facts = &result.facts;
    let values = candidate.values(facts).join(" × ");
    match facts.variants.len() {
        1 => words::truncated(&values, room),
        _ => words::truncated(&format!("{values}, {}", facts.variants[candidate.variant]), room),
    }
}

fn paste(result: &TuneResult, paint: Paint) -> String {
    let Some(best) = result.best.first() else { return String::new() };
    let heading = match (best.pasted.is_whole, best.standing) {
        (true, _) => "To save as a scenario: candidate 1",
        (false, Standing::Holds) => "To paste below `variants:`: candidate 1",
        (false, _) => "To paste below `variants:`: candidate 1, which is not shown to keep to the conditions",
    };
    format!("\n{}\n{}", paint.bold(heading), best.pasted.yaml)
}
