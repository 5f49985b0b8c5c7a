//! Checks of expectations and claims.

use super::Context;
use super::quantity::{RawQuantity, quantity, report_unit};
use super::range::number;
use crate::scenario::checked::{Bound, Claim, Comparison, Expectation, Holds, Quantity};
use crate::scenario::language::{Field, Located};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{RawBound, RawClaim, RawExpectation, RawPair};
use crate::scenario::text::{Place, quoted};
use crate::scenario::value::{Amount, Tolerance};
use crate::scenario::words::{list, nearest};
use std::ops::Range;

/// Default of `reproduced_within`, as a share of the figure.
const REPRODUCED_WITHIN: Tolerance = Tolerance { amount: Amount::Percent(0.1) };
/// Default of `close_within`, as a share of the figure.
const CLOSE_WITHIN: Tolerance = Tolerance { amount: Amount::Percent(0.3) };

/// The expectations that an entry stands for: one, or without a variant one for each.
pub(super) fn expectations(
    raw: &Located<RawExpectation>,
    names: &[&str],
    holds: Holds,
    context: &mut Context<'_>,
) -> Option<Vec<Expectation>> {
    let RawExpectation { metric, from, to, at, .. } = &raw.value;
    let variants = variants(&raw.value.variant, names, context.problems);
    let quantity = quantity(&RawQuantity { metric, from, to, at }, context);
    let unit = quantity.map(|(_, unit)| unit);
    let comparison = comparison(raw, unit, names, context);
    let (variants, (quantity, _), comparison) = (variants?, quantity?, comparison?);
    if let Quantity::Fact(_) = quantity {
        check_share(raw, &comparison, context)?;
    }
    let holds = raw.value.holds.value().copied().unwrap_or(holds);
    let says = raw.value.says.value().cloned().unwrap_or_default();
    let each = |variant| Expectation { variant, quantity, comparison: comparison.clone(), holds, says: says.clone() };
    Some(variants.map(each).collect())
}

/// The share of the runs in which a fact is so can be held against shares only.
fn check_share(raw: &Located<RawExpectation>, comparison: &Comparison, context: &mut Context<'_>) -> Option<()> {
    let place = raw.value.metric.place().unwrap_or(raw.place);
    let numbers = match (comparison, comparison.bound()) {
        (Comparison::Between(lowest, highest), _) => vec![*lowest, *highest],
        (_, Some(Bound::Number(number))) => vec![*number],
        _ => {
            let title = "a fact cannot be compared with another variant";
            let finding = Finding::new(place, title, "so in some runs, and not in others");
            context.problems.report(finding.help("write the share of the runs, such as `at_most: 5%`"));
            return None;
        }
    };
    if let Some(number) = numbers.into_iter().find(|number| !(0.0..=1.0).contains(number)) {
        let title = format!("{number} is no share of the runs");
        let finding = Finding::new(place, title, "a share from 0 to 1, or from 0% to 100%");
        context.problems.report(finding.help("write, for example, `at_most: 5%`"));
        return None;
    }
    Some(())
}

/// A claim, or nothing if it is wrong.
pub(super) fn claim(raw: &Located<RawClaim>, names: &[&str], context: &mut Context<'_>) -> Option<Claim> {
    let RawClaim { metric, from, to, at, .. } = &raw.value;
    let variants = variants(&raw.value.variant, names, context.problems);
    if raw.value.variant.is_absent() && names.len() > 1 {
        let title = "a claim needs the key `variant` where there are several variants";
        context.problems.report(Finding::new(raw.place, title, "which one is it about?"));
    }
    let quantity = quantity(&RawQuantity { metric, from, to, at }, context);
    let unit = quantity.map(|(_, unit)| unit);
    let given = raw.value.figure.given();
    let figure = given.and_then(|given| amount(given.value, given.place, unit, context));
    let (figure, (quantity, unit)) = (figure?, quantity?);
    let within = [
        ("reproduced_within", &raw.value.reproduced_within, REPRODUCED_WITHIN),
        ("close_within", &raw.value.close_within, CLOSE_WITHIN),
    ]
    .map(|(key, field, default)| tolerance(key, field, default, figure, unit, raw.place, context));
    let [Some(reproduced_within), Some(mut close_within)] = within else { return None };
    if raw.value.close_within.is_absent() {
        close_within = close_within.max(reproduced_within);
    } else if close_within < reproduced_within {
        let place = raw.value.close_within.place().or(raw.value.reproduced_within.place()).unwrap_or(raw.place);
        let title =
            format!("`close_within` is {close_within}, below `reproduced_within`, which is {reproduced_within}");
        context.problems.report(Finding::new(place, title, "the wider of the two is `close_within`"));
    }
    let text = |field: &Field<String>| field.value().cloned().unwrap_or_default();
    let (says, because) = (text(&raw.value.says), text(&raw.value.because));
    let variant = variants?.start;
    Some(Claim { variant, quantity, figure, says, reproduced_within, close_within, because })
}

fn tolerance(
    key: &str,
    field: &Field<Tolerance>,
    default: Tolerance,
    figure: f64,
    unit: &str,
    claim: Place,
    context: &mut Context<'_>,
) -> Option<f64> {
    let (tolerance, place) = match field {
        Field::Absent => (default, claim),
        Field::Unreadable => return None,
        Field::Given(given) => (given.value, given.place),
    };
    let around = tolerance.around(figure, unit);
    if around.is_none() && figure == 0.0 {
        let title = format!("a claim of 0 needs `{key}` as a number, because a share of 0 is nothing");
        let finding = Finding::new(place, title, format!("`{key}` has to be a number"));
        context.problems.report(finding.help(format!("write, for example, `{key}: 10`")));
    } else if around.is_none() {
        report_unit(place, unit, context);
    }
    around
}

/// The indices of the variants that a name stands for; without a name, all.
fn variants(field: &Field<String>, names: &[&str], problems: &mut Problems) -> Option<Range<usize>> {
    match field {
        Field::Absent => Some(0..names.len()),
        Field::Unreadable => None,
        Field::Given(given) => variant(given, names, problems).map(|index| index..index + 1),
    }
}

/// The index of a variant; reports a name that there is not.
fn variant(given: &Located<String>, names: &[&str], problems: &mut Problems) -> Option<usize> {
    let index = names.iter().position(|name| *name == given.value);
    // Without any variant, that is the mistake to mend.
    if index.is_none() && !names.is_empty() {
        let title = format!("there is no variant {}", quoted(&given.value));
        let finding = Finding::new(given.place, title, "not a variant of this scenario");
        problems.report(finding.help(match nearest(&given.value, names.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("the variants are {}", list(names)),
        }));
    }
    index
}

/// How the quantity must stand; exactly one comparison has to be given.
fn comparison(
    raw: &Located<RawExpectation>,
    unit: Option<&str>,
    names: &[&str],
    context: &mut Context<'_>,
) -> Option<Comparison> {
    type Make = fn(Bound) -> Comparison;
    let value = &raw.value;
    let simple: [(&str, &Field<RawBound>, Make); 5] = [
        ("equals", &value.equals, Comparison::Equals),
        ("below", &value.below, Comparison::Below),
        ("at_most", &value.at_most, Comparison::AtMost),
        ("above", &value.above, Comparison::Above),
        ("at_least", &value.at_least, Comparison::AtLeast),
    ];
    let mut keys: Vec<&str> = simple.iter().filter(|(_, field, _)| !field.is_absent()).map(|(key, ..)| *key).collect();
    keys.extend((!value.between.is_absent()).then_some("between"));
    if keys.len() != 1 {
        let found = if keys.is_empty() { "none".to_owned() } else { list(&keys) };
        let title = format!("an expectation has exactly one comparison, found {found}");
        let finding = Finding::new(raw.place, title, "one comparison belongs here");
        let all = ["equals", "below", "at_most", "above", "at_least", "between"];
        context.problems.report(finding.help(format!("the comparisons are {}", list(&all))));
        return None;
    }
    if let Some(pair) = value.between.given() {
        return between(pair, unit, context);
    }
    let (_, field, make) = simple.into_iter().find(|(_, field, _)| !field.is_absent())?;
    bound(field.given()?, unit, names, context).map(make)
}

fn between(pair: &Located<RawPair>, unit: Option<&str>, context: &mut Context<'_>) -> Option<Comparison> {
    let lowest = amount(pair.value.lowest, pair.place, unit, context)?;
    let highest = amount(pair.value.highest, pair.place, unit, context)?;
    if lowest > highest {
        let title = format!("the range begins at {lowest}, above its end at {highest}");
        context.problems.report(Finding::new(pair.place, title, "write `[lowest, highest]`"));
    }
    Some(Comparison::Between(lowest, highest))
}

fn bound(given: &Located<RawBound>, unit: Option<&str>, names: &[&str], context: &mut Context<'_>) -> Option<Bound> {
    match &given.value {
        RawBound::Amount(value) => amount(*value, given.place, unit, context).map(Bound::Number),
        RawBound::Other(raw) => {
            let times = number(&raw.times, "times", 1.0, 0.0..=f64::MAX, context.problems);
            let plus = match &raw.plus {
                Field::Absent => Some(0.0),
                Field::Unreadable => None,
                Field::Given(given) => amount(given.value, given.place, unit, context),
            };
            let variant = variant(raw.variant.given()?, names, context.problems)?;
            Some(Bound::Variant { variant, times, plus: plus? })
        }
    }
}

/// An amount in the metric's unit; without a unit, because the metric is wrong, nothing is said about it.
pub(super) fn amount(amount: Amount, place: Place, unit: Option<&str>, context: &mut Context<'_>) -> Option<f64> {
    let unit = unit?;
    let value = amount.in_unit(unit);
    if value.is_none() {
        report_unit(place, unit, context);
    }
    value
}
