//! What was expected and what was claimed, and how it came out.

use maud::{Markup, html};

use super::{part, table, variant_name};
use crate::report::{summary, verdicts, words};
use crate::study::{ClaimResult, ExpectationResult, StudyResult, Verdict};

/// The expectations; nothing where there is none.
pub fn expectations(result: &StudyResult) -> Markup {
    if result.expectations.is_empty() {
        return Markup::default();
    }
    let header = ["", "variant", "metric", "found", "expected", "why"].map(str::to_owned);
    let row = |one: &ExpectationResult| {
        let expected = &one.expectation;
        vec![
            if one.met { verdict("good", "met") } else { verdict("bad", "missed") },
            variant_name(result, expected.variant),
            html! { (words::quantity(result, expected.quantity)) },
            html! { (words::found(expected.quantity, one.found)) },
            html! { (words::expected(result, expected.quantity, &expected.comparison, &one.bound)) },
            remarks(&[&expected.says, verdicts::doubt(one)]),
        ]
    };
    let rows: Vec<Vec<Markup>> = result.expectations.iter().map(row).collect();
    let met = result.expectations.iter().filter(|one| one.met).count();
    let heading = format!("Expectations: {met} of {} met", result.expectations.len());
    part("expectations", &heading, table("What must hold", &header, &rows, "words"))
}

/// The claims; nothing where there is none.
pub fn claims(result: &StudyResult) -> Markup {
    if result.claims.is_empty() {
        return Markup::default();
    }
    let header = ["", "variant", "metric", "claimed", "found", "why"].map(str::to_owned);
    let row = |one: &ClaimResult| {
        let quantity = one.claim.quantity;
        let kind = match one.verdict {
            Verdict::Reproduced => "good",
            Verdict::Close => "fair",
            Verdict::NotReproduced => "bad",
        };
        vec![
            verdict(kind, summary::verdict_name(one.verdict)),
            variant_name(result, one.claim.variant),
            html! { (words::quantity(result, quantity)) },
            html! { (words::value(quantity, one.claim.figure)) },
            html! { (words::found(quantity, one.found)) },
            remarks(&[&one.claim.says, &one.claim.because]),
        ]
    };
    let rows: Vec<Vec<Markup>> = result.claims.iter().map(row).collect();
    let reproduced = result.claims.iter().filter(|one| one.verdict == Verdict::Reproduced).count();
    let heading = format!("Claims: {reproduced} of {} reproduced", result.claims.len());
    part("claims", &heading, table("Published figures against the simulation", &header, &rows, "words"))
}

fn verdict(kind: &str, word: &str) -> Markup {
    let mark = match kind {
        "good" => "✓",
        "fair" => "≈",
        _ => "✗",
    };
    html! { span class={ "verdict " (kind) } { span aria-hidden="true" { (mark) " " } (word) } }
}

fn remarks(all: &[&str]) -> Markup {
    html! { @for remark in all.iter().filter(|remark| !remark.is_empty()) { p { (words::clean(remark)) } } }
}
