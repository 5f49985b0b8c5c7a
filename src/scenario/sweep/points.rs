//! The scenario of every point.

use super::axes::{self, RawAxis};
use super::vary::{self, Appended};
use super::{Axis, Source, Sweep, effect, large, path};
use crate::scenario::checked::Scenario;
use crate::scenario::error::ScenarioError;
use crate::scenario::estimate::Estimate;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::tree::Node;

/// Reads one point's scenario from its tree.
pub(in crate::scenario) trait ReadPoint: FnMut(&Node, &mut Problems) -> Option<Scenario> {}
impl<F: FnMut(&Node, &mut Problems) -> Option<Scenario>> ReadPoint for F {}

/// How many runs a sweep may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Limits {
    /// As many as are sensible, each of which is carried out.
    AllAreRun,
    /// Any number: which of them are carried out is not known yet.
    SomeAreRun,
}

/// The scenarios of all points; `None` where neither the tree nor the arguments have an axis. The tree loses its section
/// `sweep`.
pub(in crate::scenario) fn read_points(
    tree: &mut Node,
    arguments: &Appended,
    limits: Limits,
    read: &mut impl ReadPoint,
    problems: &mut Problems,
) -> Option<(Scenario, Sweep)> {
    let section = axes::take_section(tree);
    let varied = vary::axes(arguments).unwrap_or_else(|findings| {
        findings.into_iter().for_each(|finding| problems.report(finding));
        Vec::new()
    });
    if section.is_none() && varied.is_empty() {
        return None;
    }
    let axes = axes::read(section.as_ref(), varied, problems);
    if axes.is_empty() || !problems.is_empty() {
        return None;
    }
    match read_all(tree, axes, limits, read, problems) {
        Ok(found) => found,
        Err(finding) => {
            problems.report(finding);
            None
        }
    }
}

fn read_all(
    tree: &Node,
    raw: Vec<RawAxis>,
    limits: Limits,
    read: &mut impl ReadPoint,
    problems: &mut Problems,
) -> Result<Option<(Scenario, Sweep)>, Finding> {
    let axes = raw.as_slice();
    let count = large::count(axes)?;
    // Every value once: that finds all mistakes there are in the values themselves.
    let mut stride = count;
    let mut first = None;
    for axis in axes {
        stride /= axis.values.len();
        for value in 0..axis.values.len() {
            let point = point(tree, axes, value * stride, read, problems)?;
            first = first.or(point);
        }
    }
    let Some(first) = first.filter(|_| problems.is_empty()) else { return Ok(None) };
    large::refuse_points(axes, count, &first)?;
    let mut points = Vec::with_capacity(count);
    for number in 0..count {
        // What one point reports after the first pass comes of a combination; a few of those are enough to see it.
        match point(tree, axes, number, read, problems)? {
            Some(point) if problems.is_empty() => points.push(point),
            _ => return Ok(None),
        }
    }
    if limits == Limits::AllAreRun
        && let Some(finding) = large::finding(axes, &points)
    {
        return Err(finding);
    }
    let axes: Vec<Axis> = raw.iter().map(|axis| axis.axis.clone()).collect();
    effect::check(&raw, &axes, &points, problems);
    let notes = effect::notes(&axes, &points);
    let scenario = points[0].clone();
    let source = Source::of(tree, raw);
    Ok(Some((scenario, Sweep { axes, points, notes, source })))
}

/// The tree with the values of a point in their places.
pub(super) fn tree_of_point(tree: &Node, axes: &[RawAxis], number: usize) -> Result<Node, Finding> {
    let mut tree = tree.clone();
    for (axis, value) in axes.iter().zip(values_of_point(axes, number)) {
        path::put(&mut tree, &axis.axis.path, axis.place, value)?;
    }
    Ok(tree)
}

/// The value of each axis at a point; those of the last axis follow each other.
pub(super) fn values_of_point(axes: &[RawAxis], number: usize) -> Vec<&Node> {
    let mut rest = number;
    let mut values: Vec<&Node> = axes
        .iter()
        .rev()
        .map(|axis| {
            let value = &axis.values[rest % axis.values.len()];
            rest /= axis.values.len();
            value
        })
        .collect();
    values.reverse();
    values
}

/// The scenario of a point, without what is not judged there.
fn point(
    tree: &Node,
    axes: &[RawAxis],
    number: usize,
    read: &mut impl ReadPoint,
    problems: &mut Problems,
) -> Result<Option<Scenario>, Finding> {
    let scenario = read(&tree_of_point(tree, axes, number)?, problems);
    Ok(scenario.map(|scenario| Scenario { expectations: Vec::new(), claims: Vec::new(), ..scenario }))
}

impl Sweep {
    /// About what all runs of the sweep cost together.
    pub fn estimate(&self) -> Estimate {
        large::estimate_of(&self.points)
    }

    /// Sets the number of replications of every point.
    ///
    /// # Errors
    /// Where the sweep is then too large to run.
    pub fn set_replications(&mut self, replications: u32) -> Result<(), ScenarioError> {
        self.points.iter_mut().for_each(|point| point.replications = replications);
        match large::refusal(&self.points) {
            None => Ok(()),
            Some((title, help)) => {
                let name = self.points.first().map_or("the sweep", |point| point.title.as_str());
                Err(ScenarioError::of_file(name, title, Some(help)))
            }
        }
    }

    /// Sets the seed of every point.
    pub fn set_seed(&mut self, seed: u64) {
        self.points.iter_mut().for_each(|point| point.seed = seed);
    }
}
