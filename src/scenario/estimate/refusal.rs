//! Scenarios that are too large to run.

use super::load::messages;
use super::{Estimate, estimate};
use crate::model::producer::{Arrivals, ProducerSettings};
use crate::scenario::checked::Scenario;
use crate::scenario::error::ScenarioError;
use crate::scenario::problems::Finding;
use crate::scenario::tree::{Entry, Node, Value};

/// Most events of a study: about half an hour of one core.
pub(in crate::scenario) const MOST_EVENTS: f64 = 2e10;
/// Most memory of a study.
pub(in crate::scenario) const MOST_BYTES: f64 = 8.0 * 1024.0 * 1024.0 * 1024.0;

/// The estimate of a scenario that is small enough to run. For a scenario whose replications or length were changed
/// after it had been read.
///
/// # Errors
/// The estimate and the key to change, if the study would handle more than about 20 billion events or need more than
/// about 8 GiB.
pub fn refuse_if_too_large(scenario: &Scenario) -> Result<Estimate, ScenarioError> {
    let estimate = estimate(scenario);
    match Refusal::of(scenario, &estimate) {
        None => Ok(estimate),
        Some(refusal) => Err(ScenarioError::of_file(&scenario.title, refusal.title, Some(refusal.help))),
    }
}

/// The same, pointing at the key in the text.
pub(in crate::scenario) fn refuse_in_text(scenario: &Scenario, tree: &Node) -> Result<(), Finding> {
    match Refusal::of(scenario, &estimate(scenario)) {
        None => Ok(()),
        Some(refusal) => {
            let node = refusal.path.find(tree).unwrap_or(tree);
            Err(Finding::new(node.place, refusal.title, "this makes it large").help(refusal.help))
        }
    }
}

/// Why a scenario is too large, and the key that makes it so.
struct Refusal {
    title: String,
    help: String,
    path: KeyPath,
}

impl Refusal {
    fn of(scenario: &Scenario, estimate: &Estimate) -> Option<Self> {
        let (excess, title) = if estimate.events > MOST_EVENTS {
            let title = format!(
                "too large to run: about {} events for {} messages, at most {} events",
                rough(estimate.events),
                rough(estimate.messages),
                rough(MOST_EVENTS)
            );
            (estimate.events / MOST_EVENTS, title)
        } else if estimate.bytes > MOST_BYTES {
            let gib = |bytes: f64| bytes / (MOST_BYTES / 8.0);
            let (needed, most) = (gib(estimate.bytes), gib(MOST_BYTES));
            (
                estimate.bytes / MOST_BYTES,
                format!("too large to run: about {needed:.0} GiB of memory, at most {most} GiB"),
            )
        } else {
            return None;
        };
        let replications_are_enough = estimate.events > MOST_EVENTS && f64::from(scenario.replications) > excess;
        let path = if replications_are_enough { KeyPath::Replications } else { KeyPath::largest_producer(scenario) };
        let help = format!("divide `{}` by {}, or make `duration` shorter", path.name(), excess.ceil());
        Some(Self { title, help, path })
    }
}

/// A number to two digits, as people say it.
pub(in crate::scenario) fn rough(number: f64) -> String {
    for (unit, name) in [(1e15, "thousand trillion"), (1e12, "trillion"), (1e9, "billion"), (1e6, "million")] {
        if number >= unit {
            return format!("{:.1} {name}", number / unit);
        }
    }
    format!("{number:.0}")
}

/// The way to a key.
enum KeyPath {
    Replications,
    Producer { variant: String, index: usize, key: &'static str },
}

impl KeyPath {
    /// The producer that sends the most, of all variants.
    fn largest_producer(scenario: &Scenario) -> Self {
        let all = scenario.variants.iter().flat_map(|variant| {
            variant.setup.producers.iter().enumerate().map(move |(index, producer)| (variant, index, producer))
        });
        let largest = all.max_by(|left, right| messages(left.2).total_cmp(&messages(right.2)));
        largest.map_or(Self::Replications, |(variant, index, producer)| Self::Producer {
            variant: variant.name.clone(),
            index,
            key: key_of(producer),
        })
    }

    fn name(&self) -> String {
        match self {
            Self::Replications => "replications".to_owned(),
            Self::Producer { index, key, .. } => format!("producers[{index}].{key}"),
        }
    }

    /// The node that the path leads to, in the variant if it is given there, else in the common setup.
    fn find<'a>(&self, tree: &'a Node) -> Option<&'a Node> {
        let Self::Producer { variant, index, key } = self else { return child(tree, "replications") };
        let own = child(tree, "variants").and_then(|variants| child(variants, variant));
        let producers = own.and_then(|own| child(own, "producers")).or_else(|| child(tree, "producers"))?;
        match &producers.value {
            Value::List(producers) => child(producers.get(*index)?, key),
            _ => None,
        }
    }
}

fn key_of(producer: &ProducerSettings) -> &'static str {
    match producer.arrivals {
        Arrivals::Poisson { .. } | Arrivals::Constant { .. } => "rate",
        Arrivals::Burst { .. } => "burst",
        Arrivals::Profile { .. } => "profile",
    }
}

fn child<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Mapping(entries) => entries.iter().find(|entry| entry.key == key).map(|entry: &Entry| &entry.node),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::{Scenario, ScenarioError, parse};
    use std::path::Path;

    fn read(parts: &str) -> Result<Scenario, ScenarioError> {
        let common = "downstream: { servers: 1000, service_time: 50ms }\nvariants: { base: {} }\n";
        parse(&format!("{common}{parts}"), "s.yaml", Path::new("."))
    }

    #[test]
    fn large_but_sensible_scenarios_pass() {
        for parts in [
            // 50 million messages in steady state.
            "duration: 50000s\nproducers: [ { rate: 1000/s } ]\nqueue: { redrive: {} }\nconsumers: { fleet: 60, concurrency: 50 }",
            // The same without a redrive policy.
            "duration: 50000s\nproducers: [ { rate: 1000/s } ]",
            // Poison messages that circulate for twelve days.
            "duration: 12d\nproducers: [ { rate: 1/h, classes: { poison: 100% } } ]\nqueue: { retention: 14d }",
            // The same with the shortest visibility timeout that hides a message at all.
            "duration: 12d\nproducers: [ { rate: 1/h, classes: { permanent: 1 } } ]\nqueue: { visibility_timeout: 1s }",
        ] {
            assert_eq!(read(parts).map(|scenario| scenario.variants.len()), Ok(1), "{parts}");
        }
    }

    #[test]
    fn a_scenario_that_would_run_away_is_refused_with_the_key_to_change() {
        let cases = [
            ("duration: 10d\nproducers: [ { burst: 5 }, { rate: 1000000/s } ]", 4, "divide `producers[1].rate` by"),
            (
                "duration: 1h\nproducers: [ { rate: 1000/s } ]\nreplications: 100000",
                5,
                "divide `replications` by 51, or make `duration` shorter",
            ),
            ("duration: 1h\nproducers: [ { burst: 500000000 } ]", 4, "divide `producers[0].burst` by 15"),
        ];
        for (parts, line, help) in cases {
            let error = read(parts).expect_err(parts);
            let [problem] = error.problems() else { panic!("one problem: {error}") };
            assert_eq!(problem.line(), Some(line), "{error}");
            assert!(problem.message().starts_with("too large to run: about "), "{error}");
            assert!(problem.help().is_some_and(|found| found.starts_with(help)), "{error}");
        }
    }
}
