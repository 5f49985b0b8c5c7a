//! What an axis changes. A sweep that changes nothing looks like a finding, and is a mistake.

use super::axes::RawAxis;
use crate::scenario::checked::Scenario;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::quoted;

/// Reports every axis that changes no variant at any point, and returns a note for each that leaves some as they are.
pub(super) fn check(axes: &[RawAxis], points: &[Scenario], problems: &mut Problems) -> Vec<String> {
    let mut notes = Vec::new();
    for (number, axis) in axes.iter().enumerate().filter(|(_, axis)| axis.values.len() > 1) {
        let names = unchanged(axes, number, points);
        let variants = points.first().map_or(0, |point| point.variants.len());
        if names.len() == variants {
            report(axis, &names, problems);
        } else if !names.is_empty() && !axis.axis.path.starts_with("variants.") {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            notes.push(format!(
                "the axis `{}` does not change {}: its own settings go before the common ones",
                axis.axis.path,
                names.join(", ")
            ));
        }
    }
    notes
}

fn report(axis: &RawAxis, names: &[&str], problems: &mut Problems) {
    let title = format!("the axis {} changes nothing", quoted(&axis.axis.path));
    let name = names.first().unwrap_or(&"NAME");
    let help = format!(
        "every variant has settings of its own there; vary them, such as `variants.{name}.{}`, or take them out",
        axis.axis.path
    );
    let help = if axis.axis.path.starts_with("variants.") { "its values all mean the same".to_owned() } else { help };
    problems.report(Finding::new(axis.place, title, "all points would be the same").help(help));
}

/// The variants that an axis changes at no point.
fn unchanged<'a>(axes: &[RawAxis], number: usize, points: &'a [Scenario]) -> Vec<&'a str> {
    let Some(first) = points.first() else { return Vec::new() };
    let stride: usize = axes[number + 1..].iter().map(|axis| axis.values.len()).product();
    let count = axes[number].values.len();
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
