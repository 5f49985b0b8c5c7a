//! Checks of the consumers.

use super::autoscale::autoscale;
use super::distribution::{Shortest, distribution};
use super::downstream::{some, some_of};
use super::idempotency::keys;
use super::lambda::lambda_consumers;
use super::policy::CEILING_RULE;
use super::range::{duration_us, require, small_count, whole_seconds_us};
use crate::engine::distribution::TimeDistribution;
use crate::engine::time::{DAY_US, HOUR_US, MILLISECOND_US, SECOND_US};
use crate::model::consumer::{Acknowledge, ConsumerSettings, Heartbeat, Idempotency};
use crate::scenario::language::{Field, List, Located};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{RawAcknowledge, RawConsumers, RawHandlerTime, RawHeartbeat};
use crate::scenario::text::Place;
use crate::scenario::value::Duration;

/// Most slots and prefetched messages of a whole fleet.
const MOST_HELD: u64 = 1_000_000;
/// Shortest time that a crash takes. Were it none, a poison message without a lease could crash its consumer infinitely
/// often at one moment.
const SHORTEST_RESTART_US: u64 = MILLISECOND_US;
/// Shortest pause after an empty short poll. Were it none, a consumer could poll infinitely often at one moment.
const SHORTEST_PAUSE_US: u64 = MILLISECOND_US;
/// Most deletes that a consumer holds back.
const MOST_HELD_BACK: u32 = 1_000;
/// Most handler times that a list has.
const MOST_TIMES: usize = 10_000;
const RECEIVE_RULE: &str = "rule Q13, receive";

/// The settings of consumers: of a fleet, or of a Lambda mapping.
pub(super) fn consumers(raw: &RawConsumers, problems: &mut Problems) -> ConsumerSettings {
    let consumers = match some(&raw.lambda) {
        Some(lambda) => lambda_consumers(raw, lambda, problems),
        None => fleet(raw, problems),
    };
    let (handler_time, handler_times_us) = handler_time(raw, problems);
    let idempotency = keys(&raw.idempotency_store, problems).map_or(Idempotency::None, Idempotency::Store);
    ConsumerSettings { handler_time, handler_times_us, idempotency, ..consumers }
}

/// What only a fleet has.
fn fleet(raw: &RawConsumers, problems: &mut Problems) -> ConsumerSettings {
    let most = MOST_HELD as u32;
    let handler_timeout = some_of(&raw.handler_timeout);
    let checked_every = some_of(&raw.handler_timeout_checked_every);
    let wait_us = whole_seconds_us(&raw.wait, "wait", 20 * SECOND_US, 0..=20 * SECOND_US, RECEIVE_RULE, problems);
    let settings = ConsumerSettings {
        fleet: small_count(&raw.fleet, "fleet", 1, 1..=most, "", problems),
        concurrency: small_count(&raw.concurrency, "concurrency", 10, 1..=most, "", problems),
        batch: small_count(&raw.batch, "batch", 10, 1..=10, RECEIVE_RULE, problems),
        wait_us,
        pause_us: pause_us(raw, wait_us, problems),
        prefetch: small_count(&raw.prefetch, "prefetch", 0, 0..=most, "", problems),
        groups: raw.groups.value().copied().unwrap_or_default(),
        polls: raw.polls.value().copied().unwrap_or_default(),
        overflow: raw.overflow.value().copied().unwrap_or_default(),
        drops_aged: raw.drops_aged.value().copied().unwrap_or_default(),
        acknowledge: acknowledge(raw, problems),
        timeout_checked_every_us: checked_every.given().map_or(0, |_| {
            let range_us = MILLISECOND_US..=DAY_US;
            duration_us(&checked_every, "handler_timeout_checked_every", DAY_US, range_us, "", problems)
        }),
        autoscale: raw
            .autoscale
            .given()
            .and_then(|given| Some(autoscale(given.value.as_option()?, given.place, problems))),
        restart_us: duration_us(&raw.restart, "restart", 10 * SECOND_US, SHORTEST_RESTART_US..=DAY_US, "", problems),
        start_up_us: duration_us(&raw.start_up, "start_up", 0, 0..=DAY_US, "", problems),
        crashes_after: crashes_after(raw, problems),
        heartbeat: some(&raw.heartbeat).map(|(raw, place)| heartbeat(raw, place, problems)),
        handler_timeout_us: handler_timeout
            .given()
            .map(|_| duration_us(&handler_timeout, "handler_timeout", DAY_US, MILLISECOND_US..=DAY_US, "", problems)),
        ..ConsumerSettings::default()
    };
    limit_held(raw, &settings, problems);
    settings
}

fn crashes_after(raw: &RawConsumers, problems: &mut Problems) -> Option<TimeDistribution> {
    let given = some_of(&raw.crashes_after);
    let given = given.given()?;
    let lifetime = distribution(given, "crashes_after", Shortest::Microsecond, problems)?;
    if lifetime.mean_us() < SECOND_US as f64 {
        let title = "`crashes_after` is less than a second on the mean";
        problems.report(Finding::new(given.place, title, "at least 1s on the mean"));
    }
    Some(lifetime)
}

/// What handlers take, and the same listed message by message, if it is.
fn handler_time(raw: &RawConsumers, problems: &mut Problems) -> (TimeDistribution, Vec<u64>) {
    let none = TimeDistribution::Constant { value_us: 0 };
    let Some(given) = raw.handler_time.given() else { return (none, Vec::new()) };
    if let RawHandlerTime::InTurn(list) = &given.value {
        let times_us = times_in_turn_us(&list.value, list.place, problems);
        let mean_us = times_us.iter().sum::<u64>() / times_us.len().max(1) as u64;
        return (TimeDistribution::Constant { value_us: mean_us.max(1) }, times_us);
    }
    let drawn = given.value.distribution().map(|value| Located { value, place: given.place });
    let drawn = drawn.and_then(|drawn| distribution(&drawn, "handler_time", Shortest::Zero, problems));
    (drawn.unwrap_or(none), Vec::new())
}

fn times_in_turn_us(list: &List<Duration>, place: Place, problems: &mut Problems) -> Vec<u64> {
    let mut times_us = Vec::new();
    for time in list.readable().take(MOST_TIMES + 1) {
        let field = Field::Given(time.clone());
        times_us.push(duration_us(&field, "handler_time", 0, 0..=DAY_US, "", problems));
    }
    if list.is_empty() || times_us.len() > MOST_TIMES {
        let title = format!("`in_turn` has 1 to {MOST_TIMES} durations");
        problems.report(Finding::new(place, title, "none, or too many"));
    }
    times_us
}

/// The pause after an empty poll.
fn pause_us(raw: &RawConsumers, wait_us: u64, problems: &mut Problems) -> u64 {
    let (default_us, shortest_us) = if wait_us == 0 { (SECOND_US, SHORTEST_PAUSE_US) } else { (0, 0) };
    duration_us(&raw.pause, "pause", default_us, shortest_us..=HOUR_US, "", problems)
}

fn acknowledge(raw: &RawConsumers, problems: &mut Problems) -> Acknowledge {
    match raw.acknowledge.value() {
        None | Some(RawAcknowledge::Each) => Acknowledge::Each,
        Some(RawAcknowledge::Early) => Acknowledge::Early,
        Some(RawAcknowledge::Batched(raw)) => Acknowledge::Batched {
            messages: small_count(&raw.value.messages, "messages", 10, 1..=MOST_HELD_BACK, "", problems),
            every_us: duration_us(&raw.value.every, "every", SECOND_US, MILLISECOND_US..=HOUR_US, "", problems),
        },
    }
}

fn heartbeat(raw: &RawHeartbeat, place: Place, problems: &mut Problems) -> Heartbeat {
    require(&raw.every, "every", "a heartbeat", place, problems);
    require(&raw.extend_to, "extend_to", "a heartbeat", place, problems);
    let at_most = some_of(&raw.at_most);
    let extend_to_us = SECOND_US..=12 * HOUR_US;
    Heartbeat {
        every_us: duration_us(&raw.every, "every", SECOND_US, SECOND_US..=DAY_US, "", problems),
        extend_to_s: (whole_seconds_us(&raw.extend_to, "extend_to", SECOND_US, extend_to_us, CEILING_RULE, problems)
            / SECOND_US) as u32,
        at_most_us: at_most
            .given()
            .map(|_| duration_us(&at_most, "at_most", SECOND_US, SECOND_US..=DAY_US, "", problems)),
    }
}

/// Reports a fleet that could hold more messages than can be simulated.
fn limit_held(raw: &RawConsumers, settings: &ConsumerSettings, problems: &mut Problems) {
    let each = u64::from(settings.concurrency) + u64::from(settings.prefetch);
    let held = u64::from(settings.largest_fleet()) * each;
    if held > MOST_HELD {
        let by_autoscaler = if settings.fleet < settings.largest_fleet() { raw.autoscale.place() } else { None };
        let places = [by_autoscaler, raw.fleet.place(), raw.concurrency.place(), raw.prefetch.place()];
        let place: Place = places.into_iter().flatten().next().unwrap_or_default();
        let title = format!("the fleet has {held} slots and prefetched messages, more than {MOST_HELD}");
        problems.report(
            Finding::new(place, title, "fleet x (concurrency + prefetch) is too large")
                .help("lower `fleet`, `concurrency` or `prefetch`"),
        );
    }
}
