//! Values against what their parameters allow.

use super::{About, JitterChoice, Parameter, ParameterKind, Value, Values};
use crate::engine::time::{SECOND_US, written};
use crate::model::policy::Jitter;
use std::fmt;

/// The queue refuses to hide a message any longer.
const CEILING_RULE: &str = "rule Q5, twelve-hour ceiling of a visibility timeout";

/// Why a value is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The parameter, or what was given as one.
    pub parameter: Box<str>,
    /// The parameter of the jitter inside, if that is at fault.
    pub inside: Option<&'static str>,
    /// The item of the list, if that is at fault.
    pub item: Option<u32>,
    /// What is wrong, in one line.
    pub title: String,
    /// What is allowed, in a few words.
    pub allowed: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}; {}", self.title, self.allowed)
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    pub(super) fn new(parameter: &str, title: String, allowed: String) -> Self {
        Self { parameter: parameter.into(), inside: None, item: None, title, allowed, help: None }
    }
}

impl Parameter {
    /// Why a value is not one for this parameter, if so.
    pub fn refusal(&self, value: &Value) -> Option<Refusal> {
        match (self.kind, value) {
            (ParameterKind::Seconds { from_s, to_s }, Value::Duration { us }) => self.refuse_seconds(*us, from_s, to_s),
            (ParameterKind::Duration { from_us, to_us }, Value::Duration { us }) => {
                (!(from_us..=to_us).contains(us)).then(|| self.outside(&written(*us), ""))
            }
            (ParameterKind::Count { from, to }, Value::Count(count)) => {
                (!(from..=to).contains(count)).then(|| self.outside(&count.to_string(), ""))
            }
            (ParameterKind::Number { from, to }, Value::Number(number)) => {
                (!(from..=to).contains(number)).then(|| self.outside(&number.to_string(), ""))
            }
            (ParameterKind::Share, Value::Share(share)) => {
                (!(0.0..=1.0).contains(share)).then(|| self.outside(&share.to_string(), ""))
            }
            (ParameterKind::SecondsList { from_s, to_s, most }, Value::Durations(list)) => {
                self.refuse_list(list, from_s, to_s, most)
            }
            (ParameterKind::Jitter { choice, .. }, Value::Jitter(jitter)) => self.refuse_jitter(*jitter, choice),
            (ParameterKind::Rate, Value::Rate { per_s }) => {
                (!(per_s.is_finite() && *per_s > 0.0)).then(|| self.outside(&value.written(), ""))
            }
            (ParameterKind::Switch, Value::Switch(_)) => None,
            _ => {
                let title = format!("`{}` is {}, not a {}", self.name, value.written(), self.kind.name());
                Some(Refusal::new(self.name, title, format!("allowed: {}", self.kind.allowed())))
            }
        }
    }

    fn outside(&self, found: &str, rule: &str) -> Refusal {
        let allowed = self.kind.allowed();
        let because = if rule.is_empty() { String::new() } else { format!(" ({rule})") };
        let title = format!("`{}` is {found}, outside {allowed}{because}", self.name);
        Refusal::new(self.name, title, format!("allowed: {allowed}"))
    }

    fn refuse_seconds(&self, us: u64, from_s: u32, to_s: u32) -> Option<Refusal> {
        if !us.is_multiple_of(SECOND_US) {
            let title = format!("`{}` is {}, which is not a whole number of seconds", self.name, written(us));
            return Some(Refusal::new(self.name, title, "whole seconds belong here".to_owned()));
        }
        let is_within = (u64::from(from_s)..=u64::from(to_s)).contains(&(us / SECOND_US));
        (!is_within).then(|| self.outside(&written(us), CEILING_RULE))
    }

    fn refuse_list(&self, list: &[u64], from_s: u32, to_s: u32, most: usize) -> Option<Refusal> {
        if list.is_empty() || list.len() > most {
            let title = format!("`{}` has {} items", self.name, list.len());
            return Some(Refusal::new(self.name, title, format!("1 to {most} items belong here")));
        }
        let item = ParameterKind::Seconds { from_s, to_s };
        let item = Parameter { name: self.name, meaning: self.meaning, kind: item, default: None };
        list.iter().enumerate().find_map(|(index, us)| {
            let refusal = item.refuse_seconds(*us, from_s, to_s)?;
            Some(Refusal { item: u32::try_from(index).ok(), ..refusal })
        })
    }

    fn refuse_jitter(&self, jitter: Jitter, choice: JitterChoice) -> Option<Refusal> {
        match choice {
            JitterChoice::Any => None,
            JitterChoice::Steady if jitter != Jitter::Decorrelated => None,
            JitterChoice::Steady => {
                let title = "decorrelated jitter grows without limit under a backoff without a `cap`, past the 12h of the queue";
                let refusal = Refusal::new(self.name, title.to_owned(), "needs a backoff with a `cap`".to_owned());
                let help = "write `{ exponential: { base: ..., cap: ..., jitter: decorrelated } }`".to_owned();
                Some(Refusal { help: Some(help), ..refusal })
            }
            JitterChoice::Only(names) if names.contains(&jitter.name()) => None,
            JitterChoice::Only(names) => {
                let title = format!("`{}` is {}, which is not a jitter of this kind", self.name, jitter.written());
                Some(Refusal::new(self.name, title, format!("allowed: {}", names.join(", "))))
            }
        }
    }
}

impl About {
    /// Values, each of them allowed, that contradict each other.
    pub fn contradictions(&self, values: &Values) -> Vec<Refusal> {
        let ordered = self.ordered.iter().filter_map(|(low, high)| {
            let (low_us, high_us) = (values.us(low), values.us(high));
            let title = format!("`{high}` is {}, below `{low}`, which is {}", plain(high_us), plain(low_us));
            (high_us < low_us).then(|| Refusal::new(high, title, format!("has to be at least `{low}`")))
        });
        let floors = self.parameters.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Jitter { limit: Some(limit), .. } => floor_above(parameter.name, limit, values),
            _ => None,
        });
        ordered.chain(floors).collect()
    }
}

/// A floor of a jitter above the largest delay would be the delay.
fn floor_above(jitter: &'static str, limit: &str, values: &Values) -> Option<Refusal> {
    let Jitter::FlooredFull { floor_s } = values.jitter(jitter) else { return None };
    let limit_s = values.seconds(limit);
    let title = format!("`floor` is {floor_s}s, above `{limit}`, which is {limit_s}s");
    (floor_s > limit_s).then(|| Refusal {
        inside: Some("floor"),
        ..Refusal::new(jitter, title, format!("has to be at most `{limit}`"))
    })
}

/// A duration in one unit, so that two of them are easy to compare.
fn plain(us: u64) -> String {
    if us.is_multiple_of(SECOND_US) { format!("{}s", us / SECOND_US) } else { written(us) }
}
