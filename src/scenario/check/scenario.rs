//! Checks of the whole scenario.

use super::alarm::alarms;
use super::consumers::consumers;
use super::downstream::downstream;
use super::judgement::{claim, expectations};
use super::lambda::{check_lambda_on_queue, refuse_breaker, refuse_scaling};
use super::operator::operations;
use super::policy::policy;
use super::producer::producer;
use super::queue::{dead_letter_queue, queue};
use super::range::{small_count, whole_seconds_us};
use super::tenants::Tenants;
use super::{Context, Problems, Profiles};
use crate::engine::time::{DAY_US, SECOND_US, written};
use crate::model::consumer::ConsumerSettings;
use crate::model::downstream::DownstreamSettings;
use crate::model::policy::PolicySettings;
use crate::model::producer::ProducerSettings;
use crate::model::queue::QueueSettings;
use crate::scenario::checked::{OtherQueue, Scenario, Setup, Variant};
use crate::scenario::language::{Field, Located, NamedEntry};
use crate::scenario::problems::Finding;
use crate::scenario::raw::{
    RawConsumers, RawDeadLetterQueue, RawOtherQueue, RawQueue, RawScenario, RawSetup, with_defaults_of_library,
};
use crate::scenario::text::{Place, quoted};

/// More queues beside the scenario's own and the dead-letter queue: a run has room for eight in all.
const MOST_OTHER_QUEUES: usize = 6;
const DEFAULT_SEED: u64 = 42;
const MOST_REPLICATIONS: u32 = 100_000;
const MOST_VARIANTS: usize = 100;
/// Longest name of a variant, in characters.
const LONGEST_NAME: usize = 200;
/// Longest run.
const LONGEST_RUN_US: u64 = 3_650 * DAY_US;

/// The checked scenario; meaningful only if no problem has been reported.
pub(in crate::scenario) fn check(
    raw: &RawScenario,
    start: Place,
    default_title: &str,
    profiles: &mut Profiles,
    problems: &mut Problems,
) -> Option<Scenario> {
    let duration_us = run_length_us(raw, problems);
    let warm_up_us = warm_up_us(raw, duration_us, problems);
    let replications = small_count(&raw.replications, "replications", 1, 1..=MOST_REPLICATIONS, "", problems);
    let entries = raw.variants.value().map_or(&[][..], |variants| &variants.entries);
    check_variants(raw, entries, problems);
    let entries = &entries[..entries.len().min(MOST_VARIANTS)];
    let tenants = Tenants::default();
    let mut context = Context { problems, duration_us, warm_up_us, alarms: Vec::new(), start, profiles, tenants };
    context.alarms = alarms(&raw.alarms, &mut context);
    let common = raw.common();
    let variants: Vec<Option<Variant>> = entries.iter().map(|entry| variant(&common, entry, &mut context)).collect();
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let holds = raw.holds.value().copied().unwrap_or_default();
    let expectations: Vec<_> = raw.expect.value().map_or_else(Vec::new, |list| {
        list.readable().filter_map(|raw| expectations(raw, &names, holds, &mut context)).flatten().collect()
    });
    let claims: Vec<_> = raw
        .claims
        .value()
        .map_or_else(Vec::new, |list| list.readable().filter_map(|raw| claim(raw, &names, &mut context)).collect());
    Some(Scenario {
        title: raw.title.value().filter(|title| !title.trim().is_empty()).map_or(default_title, |title| title).into(),
        seed: raw.seed.value().map_or(DEFAULT_SEED, |seed| seed.value),
        duration_us: duration_us?,
        replications,
        alarms: context.alarms,
        variants: variants.into_iter().collect::<Option<_>>()?,
        expectations,
        claims,
    })
}

/// The length of the run; nothing if it is missing or wrong.
fn run_length_us(raw: &RawScenario, problems: &mut Problems) -> Option<u64> {
    let range_us = SECOND_US..=LONGEST_RUN_US;
    let length_us = whole_seconds_us(&raw.duration, "duration", 0, range_us, "", problems);
    (length_us > 0).then_some(length_us)
}

/// How long a run warms up: for less than it lasts.
fn warm_up_us(raw: &RawScenario, duration_us: Option<u64>, problems: &mut Problems) -> u64 {
    let range_us = 0..=LONGEST_RUN_US;
    let warm_up_us = whole_seconds_us(&raw.warm_up, "warm_up", 0, range_us, "", problems);
    let (Some(duration_us), Some(place)) = (duration_us, raw.warm_up.place()) else { return warm_up_us };
    if warm_up_us >= duration_us {
        let title = format!("`warm_up` is {}, and the run lasts {}", written(warm_up_us), written(duration_us));
        let finding = Finding::new(place, title, "nothing would be left to count");
        problems.report(finding.help("make `warm_up` shorter than `duration`"));
    }
    warm_up_us
}

fn check_variants<T>(raw: &RawScenario, entries: &[NamedEntry<T>], problems: &mut Problems) {
    if let Some(place) = raw.variants.place() {
        if entries.is_empty() {
            let finding = Finding::new(place, "there are no variants", "at least one variant belongs here");
            problems.report(finding.help("a single one that changes nothing is `variants: { base: {} }`"));
        }
        if entries.len() > MOST_VARIANTS {
            let title = format!("there are {} variants, more than {MOST_VARIANTS}", entries.len());
            problems.report(Finding::new(place, title, format!("at most {MOST_VARIANTS} variants")));
        }
    }
    for entry in entries {
        let finding = |title: String| Finding::new(entry.name_place, title, "not a name for a variant");
        let length = entry.name.chars().count();
        if entry.name.trim().is_empty() {
            problems.report(finding("the name of a variant is empty".to_owned()));
        } else if length > LONGEST_NAME {
            let title = format!("the name of a variant has {length} characters, more than {LONGEST_NAME}");
            problems.report(finding(title));
        } else if entry.name.chars().any(char::is_control) {
            let title = format!("the name {} has control characters, such as a line break", quoted(&entry.name));
            problems.report(finding(title));
        }
    }
}

/// A variant: its changes laid over the common setup, and the result checked.
fn variant(common: &RawSetup, entry: &NamedEntry<RawSetup>, context: &mut Context<'_>) -> Option<Variant> {
    let merged = common.with(entry.value.as_ref()?);
    context.tenants = Tenants::default();
    let own = source(&merged, context);
    let dead_letters = merged.queue.value().and_then(|queue| queue.dead_letter_queue.value());
    let no_dead_letters = RawDeadLetterQueue::default();
    let dead_letter_queue = dead_letter_queue(dead_letters.unwrap_or(&no_dead_letters), &own.queue, context.problems);
    refuse_scaling(&merged.operations, &own.consumers, context.problems);
    // Producers name tenants, so they come first.
    let other_queues = other_queues(&merged, context);
    let setup = Setup {
        downstream: downstream_of(&merged, context)?,
        dead_letter_queue,
        other_queues: other_queues?,
        operations: operations(&merged.operations, context),
        alarms: context.alarms.clone(),
        warm_up_us: context.warm_up_us,
        queue: own.queue,
        producers: own.producers?,
        consumers: own.consumers,
        policy: own.policy,
    };
    Some(Variant { name: entry.name.clone(), setup })
}

/// A queue with its producers and consumers.
struct Source {
    queue: QueueSettings,
    producers: Option<Vec<ProducerSettings>>,
    consumers: ConsumerSettings,
    policy: PolicySettings,
}

fn source(merged: &RawSetup, context: &mut Context<'_>) -> Source {
    let (own_consumers, own_policy) = with_defaults_of_library(&merged.consumers, &merged.policy);
    let source = Source {
        queue: queue(merged.queue.value().unwrap_or(&RawQueue::default()), context.problems),
        consumers: consumers(own_consumers.value().unwrap_or(&RawConsumers::default()), context.problems),
        policy: own_policy.value().map(|raw| policy(raw, context.problems)).unwrap_or_default(),
        producers: producers(merged, context),
    };
    check_lambda_on_queue(own_consumers.value(), &source.consumers, &source.queue, context.problems);
    refuse_breaker(&source.consumers, own_policy.value(), context.problems);
    source
}

/// The other source queues; they share the dead-letter queue and the downstream of the setup.
fn other_queues(merged: &RawSetup, context: &mut Context<'_>) -> Option<Vec<OtherQueue>> {
    let entries = merged.other_queues.value().map_or(&[][..], |queues| &queues.entries);
    if let Some(entry) = entries.get(MOST_OTHER_QUEUES) {
        let title = format!("there are {} other queues, more than {MOST_OTHER_QUEUES}", entries.len());
        context.problems.report(Finding::new(entry.name_place, title, "one too many"));
    }
    let other = |entry: &NamedEntry<RawOtherQueue>| {
        let Source { queue, producers, consumers, policy } = source(&entry.value.as_ref()?.over(merged), context);
        Some(OtherQueue { name: entry.name.clone(), queue, producers: producers?, consumers, policy })
    };
    let queues: Vec<Option<OtherQueue>> = entries.iter().take(MOST_OTHER_QUEUES).map(other).collect();
    queues.into_iter().collect()
}

fn producers(merged: &RawSetup, context: &mut Context<'_>) -> Option<Vec<ProducerSettings>> {
    match &merged.producers {
        Field::Absent => {
            report_missing_section("producers", "[ { rate: 800/s } ]", context);
            None
        }
        Field::Unreadable => None,
        Field::Given(Located { value: list, place }) => {
            if list.is_empty() {
                let title = "there are no producers, so no message would ever arrive";
                context.problems.report(Finding::new(*place, title, "at least one producer belongs here"));
            }
            let producers: Vec<Option<_>> = list.readable().map(|raw| producer(raw, context)).collect();
            producers.into_iter().collect()
        }
    }
}

fn downstream_of(merged: &RawSetup, context: &mut Context<'_>) -> Option<DownstreamSettings> {
    match &merged.downstream {
        Field::Absent => {
            report_missing_section("downstream", "{ servers: 100, service_time: 50ms }", context);
            None
        }
        Field::Unreadable => None,
        Field::Given(given) => Some(downstream(&given.value, given.place, context)),
    }
}

/// Reports a section that neither the common setup nor a variant has. The message names no variant, so that it stands
/// there once.
fn report_missing_section(section: &str, example: &str, context: &mut Context<'_>) {
    let title = format!("the scenario needs the section `{section}`");
    let finding = Finding::new(context.start, title, format!("`{section}` is missing"));
    context.problems.report(finding.help(format!("add, for example, `{section}: {example}`")));
}
