//! Expectations and claims as they are written.

use crate::scenario::checked::Holds;
use crate::scenario::language::{Language, mapping, report_type, words};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::tree::{Node, Value};
use crate::scenario::value::{Amount, Duration, Number, Tolerance};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

mapping! {
    /// Something that must hold over the replications. Exactly one of equals, below, at_most, above, at_least and between.
    RawExpectation is "an expectation" {
        /// The variant. Default: it must hold for every variant.
        variant: String,
        /// A metric of the whole run, or a fact; with from and to a flow of the series; with at a level of the series.
        metric: String = required,
        /// Start of the window, in whole seconds. Default: 0s, if `to` is given.
        from: Duration,
        /// End of the window, exclusive, in whole seconds. Default: the end of the run, if `from` is given.
        to: Duration,
        /// The moment of a level, in whole seconds.
        at: Duration,
        /// Equal to the bound.
        equals: RawBound,
        /// Strictly less than the bound.
        below: RawBound,
        /// Less than the bound, or equal.
        at_most: RawBound,
        /// Strictly more than the bound.
        above: RawBound,
        /// More than the bound, or equal.
        at_least: RawBound,
        /// Between two numbers, both included: [lowest, highest].
        between: RawPair,
        /// What has to hold: the whole 95 % interval of the mean, or the mean alone. Default: the scenario's holds.
        holds: Holds,
        /// Why, in a few words.
        says: String,
    }
}

words! {
    Holds is "what has to hold" {
        "interval" = Interval, "The whole 95 % interval of the mean.";
        "mean" = Mean, "The mean alone, however wide its interval is.";
    }
}

mapping! {
    /// A published figure to hold against the simulation.
    RawClaim is "a claim" {
        /// The variant that the claim is about. May be left out if there is only one.
        variant: String,
        /// A metric of the whole run, or a fact; with from and to a flow of the series; with at a level of the series.
        metric: String = required,
        /// Start of the window, in whole seconds. Default: 0s, if `to` is given.
        from: Duration,
        /// End of the window, exclusive, in whole seconds. Default: the end of the run, if `from` is given.
        to: Duration,
        /// The moment of a level, in whole seconds.
        at: Duration,
        /// The published figure: a number, or a duration such as 90s for metrics in seconds.
        figure: Amount = required,
        /// What the source says, in short.
        says: String,
        /// Largest distance of the simulated mean from the figure that counts as reproduced. Default: 10%.
        reproduced_within: Tolerance,
        /// Largest distance that counts as close. Default: 30%.
        close_within: Tolerance,
        /// Why it comes out as it does, in one sentence.
        because: String,
    }
}

mapping! {
    /// The same metric of another variant, times a number, plus an amount.
    RawOther is "a comparison with another variant" {
        /// The other variant.
        variant: String = required,
        /// The multiple. Default: 1.
        times: Number,
        /// What is added, in the metric's unit; below 0 it is taken off. Default: 0.
        plus: Amount,
    }
}

/// What a metric is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) enum RawBound {
    Amount(Amount),
    Other(RawOther),
}

impl Language for RawBound {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.value {
            Value::Mapping(_) => RawOther::read(node, problems).map(Self::Other),
            _ => Amount::read(node, problems).map(Self::Amount),
        }
    }
}

impl JsonSchema for RawBound {
    fn schema_name() -> Cow<'static, str> {
        "Bound".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let choices = [generator.subschema_for::<Amount>(), generator.subschema_for::<RawOther>()];
        schemars::json_schema!({ "anyOf": choices })
    }
}

/// The two ends of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) struct RawPair {
    pub lowest: Amount,
    pub highest: Amount,
}

impl Language for RawPair {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::List(nodes) = &node.value else {
            report_type(node, "a range", "`[lowest, highest]`", None, problems);
            return None;
        };
        let [lowest, highest] = nodes.as_slice() else {
            let title = format!("a range has two ends, found {}", nodes.len());
            problems.report(Finding::new(node.place, title, "write `[lowest, highest]`"));
            return None;
        };
        let (lowest, highest) = (Amount::read(lowest, problems), Amount::read(highest, problems));
        Some(Self { lowest: lowest?, highest: highest? })
    }
}

impl JsonSchema for RawPair {
    fn schema_name() -> Cow<'static, str> {
        "Range".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let end = generator.subschema_for::<Amount>();
        schemars::json_schema!({ "type": "array", "items": end, "minItems": 2, "maxItems": 2 })
    }
}
