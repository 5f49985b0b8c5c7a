//! `retrystorm policies`

mod listing;
mod page;
mod plot;

use std::collections::BTreeSet;

use clap::Args;
use retrystorm::model::policy::catalogue::{About, Kind, Settings, Value};
use retrystorm::model::policy::{
    BACKOFFS, BackoffSettings, CLIENTS, JITTERS, Jitter, LOAD_CONTROLS, Range, Spread, backoff,
};

use super::names::NameOf;
use super::page::unknown;
use super::{CliError, Ending, print};

/// Attempts that a plot shows.
const ATTEMPTS: u32 = 10;

/// Arguments of `policies`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm policies
  retrystorm policies exponential")]
pub struct PoliciesArguments {
    /// Tell all about this one: a backoff, a jitter, a client or a load control
    #[arg(value_parser = NameOf(names), hide_possible_values = true)]
    name: Option<String>,
}

/// Lists all policies, or describes one.
pub fn run(arguments: &PoliciesArguments) -> Result<Ending, CliError> {
    let sections = sections();
    let text = match &arguments.name {
        None => listing::text(&sections),
        Some(name) => pages(&sections, name)?,
    };
    print::output(&text)?;
    Ok(Ending::Done)
}

/// The names of all kinds, each once.
fn names() -> Vec<String> {
    let sections = sections();
    let names: BTreeSet<&str> =
        sections.iter().flat_map(|section| section.entries.iter().map(|entry| entry.about.name)).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// A catalogue, for people.
struct Section {
    title: &'static str,
    /// What stands around one of its kinds in a scenario, with `@` in its place.
    scenario: &'static str,
    entries: Vec<Entry>,
}

/// A kind, for people.
struct Entry {
    about: &'static About,
    /// What its delays are like, after the first attempts.
    delays: Delays,
}

/// What a plot shows.
enum Delays {
    /// Nothing: there are none, and why.
    None(&'static str),
    /// Delays of the first attempts, in microseconds.
    After(Vec<Bar>),
}

/// The delays after one attempt, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bar {
    low_us: f64,
    mean_us: f64,
    high_us: f64,
}

/// Why a load control has no plot.
const HELD_BACK: &str = "It delays nothing by itself: polls or calls are held back, or not.";

/// All catalogues. Another one, of whatever kind of part, is another section.
fn sections() -> Vec<Section> {
    vec![
        Section { title: "Backoffs", scenario: "policy: { backoff: @ }", entries: entries(BACKOFFS, of_backoff) },
        Section {
            title: "Jitters",
            scenario: "policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: @ } } }",
            entries: entries(JITTERS, |settings| of_jitter(settings.build())),
        },
        Section {
            title: "Clients",
            scenario: "policy: { client: @ }",
            entries: entries(CLIENTS, |settings| of_waits(|tries| settings.build().wait_us(tries))),
        },
        Section {
            title: "Load controls",
            scenario: "policy: @",
            entries: LOAD_CONTROLS.iter().map(|&about| Entry { about, delays: Delays::None(HELD_BACK) }).collect(),
        },
    ]
}

fn entries<T>(catalogue: &'static [&'static Kind<T>], delays: impl Fn(&Settings<T>) -> Delays) -> Vec<Entry> {
    let entry = |kind: &&'static Kind<T>| Entry { about: &kind.about, delays: delays(&Settings::of_example(kind)) };
    catalogue.iter().map(entry).collect()
}

fn of_backoff(settings: &BackoffSettings) -> Delays {
    let bar = |range: Range| Bar {
        low_us: f64::from(range.low_s) * 1e6,
        mean_us: range.mean_s * 1e6,
        high_us: f64::from(range.high_s) * 1e6,
    };
    match settings.build() {
        None => Delays::None("The lease of the queue is the delay."),
        Some(backoff) => Delays::After(backoff.ranges().take(ATTEMPTS as usize).map(bar).collect()),
    }
}

/// A jitter is shown on an exponential backoff.
fn of_jitter(jitter: Jitter) -> Delays {
    let given = [("base", Value::seconds(10)), ("cap", Value::seconds(300)), ("jitter", Value::Jitter(jitter))];
    let settings = backoff("exponential").map(|kind| Settings::new(kind, &given));
    match settings {
        Some(Ok(settings)) => of_backoff(&settings),
        _ => Delays::None("It has no delays with this backoff."),
    }
}

fn of_waits(wait_us: impl Fn(u32) -> Option<Spread>) -> Delays {
    let bar = |spread: Spread| Bar {
        low_us: spread.low.into(),
        mean_us: spread.mean_above(0),
        high_us: spread.high().into(),
    };
    let bars: Vec<Bar> = (1..=ATTEMPTS).map_while(wait_us).map(bar).collect();
    if bars.is_empty() { Delays::None("It does not retry within a receive.") } else { Delays::After(bars) }
}

/// The pages of all kinds of this name.
fn pages(sections: &[Section], name: &str) -> Result<String, CliError> {
    let all = || sections.iter().flat_map(|section| section.entries.iter().map(move |entry| (section, entry)));
    let pages: Vec<String> = all()
        .filter(|(_, entry)| entry.about.name == name)
        .map(|(section, entry)| page::text(section, entry))
        .collect();
    if pages.is_empty() {
        let names: Vec<&str> = all().map(|(_, entry)| entry.about.name).collect();
        return Err(CliError::Usage(unknown("policy", "policies", name, &names)));
    }
    Ok(pages.join("\n"))
}
