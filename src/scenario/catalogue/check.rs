//! From what is written to checked settings of a kind.

use super::{Catalogue, RawKind, RawValue};
use crate::model::policy::catalogue::{Parameter, Refusal, Settings, Value};
use crate::scenario::language::{Field, Located};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::Place;

/// The settings of a kind; where something is wrong, those of its example in their place.
pub(in crate::scenario) fn settings<C: Catalogue>(
    raw: &RawKind<C>,
    place: Place,
    problems: &mut Problems,
) -> Settings<C::Built> {
    let kind = raw.kind();
    let mut given = Vec::new();
    // Parameters that could not be read, or that were refused on their own; that has been reported.
    let mut broken = Vec::new();
    for parameter in kind.about.parameters {
        match raw.field(parameter.name) {
            None | Some(Field::Absent) => {}
            Some(Field::Unreadable) => broken.push(parameter.name),
            Some(Field::Given(located)) => match checked(raw, parameter, located, problems) {
                Some(value) => given.push((parameter.name, value)),
                None => broken.push(parameter.name),
            },
        }
    }
    let (settings, refusals) = Settings::checked(kind, &given);
    let missing = |refusal: &Refusal| raw.field(&refusal.parameter).is_none_or(Field::is_absent);
    for refusal in refusals {
        let is_known = broken.contains(&&*refusal.parameter);
        // What is broken has no value to contradict another.
        if !is_known && (broken.is_empty() || missing(&refusal)) {
            report(raw, refusal, place, problems);
        }
    }
    settings.unwrap_or_else(|| Settings::of_example(kind))
}

/// The value of a parameter, if it is allowed.
fn checked<C: Catalogue>(
    raw: &RawKind<C>,
    parameter: &Parameter,
    located: &Located<RawValue>,
    problems: &mut Problems,
) -> Option<Value> {
    let value = match &located.value {
        RawValue::Duration(duration) => Value::Duration { us: duration.us },
        RawValue::Count(count) => Value::Count(count.value),
        RawValue::Number(number) => Value::Number(number.value),
        RawValue::Rate(rate) => Value::Rate { per_s: rate.per_s },
        RawValue::Share(share) => Value::Share(share.value),
        RawValue::Switch(switch) => Value::Switch(*switch),
        RawValue::Durations(list) => Value::Durations(list.readable().map(|item| item.value.us).collect()),
        RawValue::Jitter(jitter) => Value::Jitter(settings(jitter, located.place, problems).build()),
    };
    match parameter.refusal(&value) {
        None => Some(value),
        Some(refusal) => {
            report(raw, refusal, located.place, problems);
            None
        }
    }
}

fn report<C: Catalogue>(raw: &RawKind<C>, refusal: Refusal, kind_place: Place, problems: &mut Problems) {
    let place = place_of(raw, &refusal).or(raw.parameters.as_ref().map(|located| located.place)).unwrap_or(kind_place);
    let finding = Finding::new(place, refusal.title, refusal.allowed);
    problems.report(match refusal.help {
        Some(help) => finding.help(help),
        None => finding,
    });
}

/// Where that stands which is refused.
fn place_of<C: Catalogue>(raw: &RawKind<C>, refusal: &Refusal) -> Option<Place> {
    let field = raw.field(&refusal.parameter).and_then(Field::given)?;
    match (&field.value, refusal.inside, refusal.item) {
        (RawValue::Jitter(jitter), Some(inside), _) => jitter.place_of(inside).or(Some(field.place)),
        (RawValue::Durations(list), _, Some(item)) => list.readable().nth(item as usize).map(|item| item.place),
        _ => Some(field.place),
    }
}
