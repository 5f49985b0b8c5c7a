//! What an axis changes. A sweep that changes nothing looks like a finding, and is a mistake.

use super::axes::RawAxis;
use super::value::Axis;
use crate::scenario::checked::Scenario;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::quoted;

/// Reports every axis that changes no variant at any point.
pub(super) fn check(raw: &[RawAxis], axes: &[Axis], points: &[Scenario], problems: &mut Problems) {
    let variants = points.first().map_or(0, |point| point.variants.len());
    for (number, axis) in raw.iter().enumerate() {
        let names = unchanged(axes, number, points);
        if names.len() == variants {
            report(axis, &names, problems);
        }
    }
}

/// The first axis that changes no variant at any point, though it has several values.
pub(super) fn idle<'a>(axes: &'a [Axis], points: &[Scenario]) -> Option<&'a Axis> {
    let variants = points.first().map_or(0, |point| point.variants.len());
    let numbered = axes.iter().enumerate();
    numbered
        .map(|(number, axis)| (axis, unchanged(axes, number, points)))
        .find(|(_, names)| names.len() == variants)
        .map(|(axis, _)| axis)
}

/// The axes that change a variant at no point, by their numbers.
pub(super) fn idle_axes(axes: &[Axis], points: &[Scenario], variant: usize) -> Vec<usize> {
    let Some(variant) = points.first().and_then(|first| first.variants.get(variant)) else { return Vec::new() };
    (0..axes.len()).filter(|&axis| unchanged(axes, axis, points).contains(&variant.name.as_str())).collect()
}

/// A note for each axis that leaves some variants as they are.
pub(super) fn notes(axes: &[Axis], points: &[Scenario]) -> Vec<String> {
    let is_common = |(_, axis): &(usize, &Axis)| !axis.path.starts_with("variants.");
    let note = |(number, axis): (usize, &Axis)| {
        let names: Vec<String> = unchanged(axes, number, points).into_iter().map(quoted).collect();
        let why = "its own settings go before the common ones";
        (!names.is_empty()).then(|| format!("the axis `{}` does not change {}: {why}", axis.path, names.join(", ")))
    };
    axes.iter().enumerate().filter(is_common).filter_map(note).collect()
}

fn report(axis: &RawAxis, names: &[&str], problems: &mut Problems) {
    let title = format!("the axis {} changes nothing", quoted(&axis.axis.path));
    let name = names.first().unwrap_or(&"NAME");
    let path = &axis.axis.path;
    let help = if path.starts_with("variants.") {
        "its values all mean the same".to_owned()
    } else {
        format!(
            "every variant has settings of its own there; vary them, such as `variants.{name}.{path}`, or take them out"
        )
    };
    problems.report(Finding::new(axis.place, title, "all points would be the same").help(help));
}

/// The variants that an axis changes at no point; none where the axis has but one value.
fn unchanged<'a>(axes: &[Axis], number: usize, points: &'a [Scenario]) -> Vec<&'a str> {
    let count = axes[number].values.len();
    let Some(first) = points.first().filter(|_| count > 1) else { return Vec::new() };
    let stride: usize = axes[number + 1..].iter().map(|axis| axis.values.len()).product();
    let mut changes = vec![false; first.variants.len()];
    for (index, point) in points.iter().enumerate() {
        let base = &points[index - index / stride % count * stride];
        for (variant, changes) in changes.iter_mut().enumerate() {
            *changes |=
                point.duration_us != base.duration_us || point.variants[variant].setup != base.variants[variant].setup;
        }
        if changes.iter().all(|changes| *changes) {
            break;
        }
    }
    let named = first.variants.iter().zip(changes);
    named.filter(|(_, changes)| !changes).map(|(variant, _)| variant.name.as_str()).collect()
}
