//! What became of expectations and claims, for the terminal.

use super::terminal::{Paint, WIDTH};
use super::{summary, words};
use crate::study::{ClaimResult, ExpectationResult, StudyResult, Verdict};

/// Room for the verdict before each entry.
const INDENT: usize = 16;

/// A paragraph for each expectation; nothing where there is none.
pub fn expectations(result: &StudyResult, paint: Paint) -> String {
    if result.expectations.is_empty() {
        return String::new();
    }
    let met = result.expectations.iter().filter(|one| one.met).count();
    let heading = format!("Expectations: {met} of {} met", result.expectations.len());
    let entries = result.expectations.iter().map(|one| expectation(result, one, paint));
    format!("\n{}\n{}", paint.bold(&heading), entries.collect::<String>())
}

fn expectation(result: &StudyResult, one: &ExpectationResult, paint: Paint) -> String {
    let expected = &one.expectation;
    let name = words::truncated(words::variant_name(result, expected.variant), 32);
    let statement = format!(
        "{name}: {} {}, expected {}",
        words::quantity(result, expected.quantity),
        words::found(expected.quantity, one.found),
        words::expected(result, expected.quantity, &expected.comparison, &one.bound),
    );
    let verdict = if one.met { paint.good("met", INDENT) } else { paint.bad("MISSED", INDENT) };
    entry(&verdict, &statement, &[doubt(one), &expected.says])
}

/// What a miss leaves open.
pub(super) fn doubt(one: &ExpectationResult) -> &'static str {
    if !one.met && one.mean_holds {
        "the mean holds, but not its whole 95 % interval: more replications make it narrower"
    } else {
        ""
    }
}

/// A paragraph for each claim; nothing where there is none.
pub fn claims(result: &StudyResult, paint: Paint) -> String {
    if result.claims.is_empty() {
        return String::new();
    }
    let reproduced = result.claims.iter().filter(|one| one.verdict == Verdict::Reproduced).count();
    let heading = format!("Claims: {reproduced} of {} reproduced", result.claims.len());
    let entries = result.claims.iter().map(|one| claim(result, one, paint));
    format!("\n{}\n{}", paint.bold(&heading), entries.collect::<String>())
}

fn claim(result: &StudyResult, one: &ClaimResult, paint: Paint) -> String {
    let quantity = one.claim.quantity;
    let name = words::truncated(words::variant_name(result, one.claim.variant), 32);
    let statement = format!(
        "{name}: {}, claimed {}, found {}",
        words::quantity(result, quantity),
        words::value(quantity, one.claim.figure),
        words::found(quantity, one.found),
    );
    let word = summary::verdict_name(one.verdict);
    let verdict = match one.verdict {
        Verdict::Reproduced => paint.good(word, INDENT),
        Verdict::Close => paint.fair(word, INDENT),
        Verdict::NotReproduced => paint.bad(word, INDENT),
    };
    entry(&verdict, &statement, &[&one.claim.says, &one.claim.because])
}

/// A verdict, the statement beside it, and the author's words below.
fn entry(verdict: &str, statement: &str, remarks: &[&str]) -> String {
    let room = WIDTH - INDENT - 2;
    let remarks = remarks.iter().filter(|remark| !remark.is_empty());
    let lines = words::wrapped(statement, room)
        .into_iter()
        .chain(remarks.flat_map(|remark| words::wrapped(remark, room - 2)).map(|line| format!("  {line}")));
    lines
        .enumerate()
        .map(|(index, line)| match index {
            0 => format!("  {verdict}{line}\n"),
            _ => format!("  {:INDENT$}{line}\n", ""),
        })
        .collect()
}
