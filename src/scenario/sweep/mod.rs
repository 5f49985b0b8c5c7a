//! Sweeps: the same scenario at every point of a grid of values.
//!
//! A sweep works on the tree of the text: at each point the values of the axes stand in the place of what the file says,
//! and the point's scenario is read by the ordinary stages. So any key can be an axis, and a mistake in a value is
//! reported as it would be anywhere else, at the place where the axis has it.

mod axes;
mod effect;
mod label;
mod large;
mod paste;
mod path;
mod points;
mod range;
mod schema;
mod value;
mod vary;
mod yaml;

pub use paste::Pasted;
pub(super) use paste::Source;
pub(super) use points::{Limits, read_points};
pub(super) use schema::RawSweep;
pub use value::{Axis, AxisUnit, AxisValue};
pub(super) use vary::{Arguments, append};

use super::checked::Scenario;
use super::selection::UnknownVariant;

/// What a file and the command line ask for: one scenario, or one at every point of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The scenario; of a sweep, that of its first point.
    pub scenario: Scenario,
    /// The sweep, if there is one.
    pub sweep: Option<Sweep>,
    /// The text that both were read from.
    pub text: String,
}

/// A scenario at every point of a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// What is varied; at least one axis.
    pub axes: Vec<Axis>,
    /// The scenario of each point, without expectations and claims: the values of the last axis follow each other.
    /// All points have the same variants, the same seed and the same number of replications.
    pub points: Vec<Scenario>,
    /// What the author should know, such as a variant that an axis does not change.
    pub notes: Vec<String>,
    /// What the points were made of.
    source: Source,
}

impl Sweep {
    /// The sweep with the named variants only.
    ///
    /// # Errors
    /// Where the scenario has no variant of a name.
    pub fn only(mut self, names: &[String]) -> Result<Self, UnknownVariant> {
        self.points = self.points.iter().map(|point| point.only(names)).collect::<Result<_, _>>()?;
        self.notes = effect::notes(&self.axes, &self.points);
        Ok(self)
    }

    /// An axis that changes none of the variants; there is one only where variants were taken away.
    pub fn idle_axis(&self) -> Option<&Axis> {
        effect::idle(&self.axes, &self.points)
    }

    /// The axes that change a variant at no point, by their numbers: its own settings go before them.
    pub fn idle_axes(&self, variant: usize) -> Vec<usize> {
        effect::idle_axes(&self.axes, &self.points, variant)
    }

    /// The number of runs: points x variants x replications.
    pub fn runs(&self) -> u64 {
        let of_point = |point: &Scenario| point.variants.len() as u64 * u64::from(point.replications);
        self.points.iter().map(of_point).sum()
    }
}

#[cfg(test)]
mod tests;
