//! What was lost, as a bar for each variant: of elements, so that a variant can be taken out.

use maud::{Markup, html};

use super::variant_name;
use crate::report::chart::{Facts, LossPart};
use crate::report::number;
use crate::study::StudyResult;

/// The bars of the variants that the charts show.
pub fn bars(result: &StudyResult) -> Markup {
    let all: Vec<Vec<LossPart>> = Facts::of(result).shown().iter().map(Facts::loss).collect();
    let total = |bar: &[LossPart]| bar.iter().map(|part| part.count).sum::<f64>();
    let longest = all.iter().map(|bar| total(bar)).fold(0.0, f64::max);
    html! {
        @for (index, bar) in all.iter().enumerate() {
            div.loss-row data-variant=(index) {
                div.loss-head {
                    (variant_name(result, index))
                    strong { @if bar.is_empty() { "none" } @else { (number::counted(total(bar), "message")) } }
                }
                @if !bar.is_empty() {
                    (drawn(bar, longest))
                    ul.legend {
                        @for part in bar { li { (key(part)) (number::mean_count(part.count)) " " (part.words) } }
                    }
                }
            }
        }
    }
}

fn key(part: &LossPart) -> Markup {
    html! { svg.key width="12" height="12" aria-hidden="true" { rect width="12" height="12" fill=(part.colour) {} } }
}

/// The bar is a picture of the words below it.
fn drawn(bar: &[LossPart], longest: f64) -> Markup {
    let ends = bar.iter().scan(0.0, |so_far, part| {
        let from = *so_far;
        *so_far += part.count / longest * 100.0;
        Some((from, *so_far - from))
    });
    html! {
        svg.bar aria-hidden="true" width="100%" height="22" {
            @for (part, (from, width)) in bar.iter().zip(ends) {
                rect x=(format!("{from:.3}%")) y="0" width=(format!("{width:.3}%")) height="22" fill=(part.colour) {}
            }
        }
    }
}
