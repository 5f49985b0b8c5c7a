//! Checks of Lambda mappings.

use super::distribution::{Shortest, distribution};
use super::downstream::some_of;
use super::range::{duration_us, small_count, whole_seconds_us};
use crate::engine::distribution::TimeDistribution;
use crate::engine::time::{DAY_US, MILLISECOND_US, MINUTE_US, SECOND_US};
use crate::model::consumer::{
    BatchResponses, ColdStarts, ConsumerSettings, LambdaSettings, PollerSettings, RecordOrder, WrongAnswers,
};
use crate::model::queue::{QueueKind, QueueSettings};
use crate::scenario::language::{Field, List, OrNone};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{RawConsumers, RawLambda, RawOperation, RawPolicy, RawPollers};
use crate::scenario::text::Place;
use crate::scenario::value::{Count, Duration, Share};
use std::ops::RangeInclusive;

const BATCH_RULE: &str = "rule L2, batch and window";
const TIMEOUT_RULE: &str = "rule L3, timeout against lease";
const SCALING_RULE: &str = "rule L1, poller scaling";
/// Largest batch without a window, and on FIFO queues (rule L2, batch and window).
const LARGEST_PLAIN_BATCH: u32 = 10;
const LARGEST_BATCH: u32 = 10_000;
const MOST_POLLERS: u32 = 100_000;
/// Messages that all invocations together may have in work at the same time.
const MOST_AT_ONCE: u64 = 1_000_000;
const MEMORY_MB: RangeInclusive<u32> = 128..=10_240;

/// The settings of a mapping as those of a fleet.
pub(super) fn lambda_consumers(
    raw: &RawConsumers,
    lambda: (&RawLambda, Place),
    problems: &mut Problems,
) -> ConsumerSettings {
    refuse_keys_of_a_fleet(raw, problems);
    let (raw, place) = lambda;
    let settings = lambda_settings(raw, problems);
    check_batch(raw, &settings, problems);
    check_answers(raw, &settings, problems);
    check_pollers(raw, &settings, place, problems);
    ConsumerSettings::of_lambda(settings)
}

fn lambda_settings(raw: &RawLambda, problems: &mut Problems) -> LambdaSettings {
    let defaults = LambdaSettings::default();
    let reoffer = &raw.reoffer_after;
    LambdaSettings {
        batch: small_count(&raw.batch, "batch", defaults.batch, 1..=LARGEST_BATCH, BATCH_RULE, problems),
        window_us: whole_seconds_us(&raw.window, "window", 0, 0..=5 * MINUTE_US, BATCH_RULE, problems),
        timeout_us: whole_seconds_us(
            &raw.timeout,
            "timeout",
            defaults.timeout_us,
            SECOND_US..=15 * MINUTE_US,
            "",
            problems,
        ),
        reserved_concurrency: limit(&raw.reserved_concurrency, "reserved_concurrency", 1..=1_000_000, "", problems),
        maximum_concurrency: limit(&raw.maximum_concurrency, "maximum_concurrency", 2..=1_000, SCALING_RULE, problems),
        responses: raw.responses.value().copied().unwrap_or_default(),
        wrong_answers: WrongAnswers {
            unreadable_share: raw.unreadable_answers.value().map_or(0.0, |share| share.value),
            hiding_share: raw.hides_failures.value().map_or(0.0, |share| share.value),
        },
        throttled: raw.throttled.value().copied().unwrap_or_default(),
        reoffer_after_us: duration_us(reoffer, "reoffer_after", SECOND_US, MILLISECOND_US..=DAY_US, "", problems),
        records: raw.records.value().copied().unwrap_or_default(),
        cold_starts: cold_starts(raw, problems),
        memory_mb: small_count(&raw.memory_mb, "memory_mb", defaults.memory_mb, MEMORY_MB, "", problems),
        pollers: pollers(raw, problems),
    }
}

fn limit(
    field: &Field<OrNone<Count>>,
    key: &str,
    range: RangeInclusive<u32>,
    rule: &str,
    problems: &mut Problems,
) -> Option<u32> {
    let field = some_of(field);
    field.given().map(|_| small_count(&field, key, *range.start(), range, rule, problems))
}

fn cold_starts(raw: &RawLambda, problems: &mut Problems) -> ColdStarts {
    let time = raw.cold_start.given().and_then(|given| distribution(given, "cold_start", Shortest::Zero, problems));
    let kept_warm_us = ColdStarts::default().kept_warm_us;
    ColdStarts {
        time: time.unwrap_or(TimeDistribution::Constant { value_us: 0 }),
        kept_warm_us: duration_us(&raw.kept_warm, "kept_warm", kept_warm_us, 0..=DAY_US, "", problems),
    }
}

fn pollers(raw: &RawLambda, problems: &mut Problems) -> PollerSettings {
    let defaults = PollerSettings::default();
    let absent = RawPollers::default();
    let pollers = raw.pollers.value().unwrap_or(&absent);
    let per_minute = &pollers.per_minute;
    PollerSettings {
        initial: small_count(&pollers.initial, "initial", defaults.initial, 1..=MOST_POLLERS, "", problems),
        per_minute: small_count(per_minute, "per_minute", defaults.per_minute, 0..=1_000_000, "", problems),
        most: small_count(&pollers.most, "most", defaults.most, 1..=MOST_POLLERS, "", problems),
        backs_off_on_errors: raw.backs_off_on_errors.value().copied().unwrap_or(defaults.backs_off_on_errors),
        backs_off_on_throttles: raw.backs_off_on_throttles.value().copied().unwrap_or(defaults.backs_off_on_throttles),
    }
}

/// A mapping has pollers, batches and a timeout of its own.
fn refuse_keys_of_a_fleet(raw: &RawConsumers, problems: &mut Problems) {
    fn given<T>(field: &Field<OrNone<T>>) -> Option<Place> {
        field.given().filter(|given| given.value.as_option().is_some()).map(|given| given.place)
    }
    let keys = [
        ("fleet", raw.fleet.place(), "`lambda.pollers`"),
        ("concurrency", raw.concurrency.place(), "`lambda.records` and `lambda.reserved_concurrency`"),
        ("batch", raw.batch.place(), "`lambda.batch`"),
        ("wait", raw.wait.place(), "its pollers, which always wait 20s"),
        ("prefetch", raw.prefetch.place(), "`lambda.throttled: prefetch`"),
        ("pause", raw.pause.place(), "its pollers, which read on at once"),
        ("polls", raw.polls.place(), "its pollers, which read the next batch after the last"),
        ("groups", raw.groups.place(), "`lambda.records`"),
        ("overflow", raw.overflow.place(), "`lambda.throttled`"),
        ("drops_aged", raw.drops_aged.place(), "`lambda.throttled: drop`"),
        ("acknowledge", raw.acknowledge.place(), "`lambda.responses`"),
        ("handler_timeout_checked_every", given(&raw.handler_timeout_checked_every), "`lambda.timeout`"),
        ("restart", raw.restart.place(), "`lambda.cold_start`"),
        ("start_up", raw.start_up.place(), "`lambda.cold_start`"),
        ("crashes_after", given(&raw.crashes_after), "environments, which only a poison message crashes"),
        ("heartbeat", given(&raw.heartbeat), "no heartbeat: nobody extends the leases of a batch"),
        ("handler_timeout", given(&raw.handler_timeout), "`lambda.timeout`"),
        ("autoscale", given(&raw.autoscale), "`lambda.pollers`"),
    ];
    for (key, place, instead) in keys {
        if let Some(place) = place {
            let title = format!("`{key}` belongs to a fleet, and a Lambda mapping has none: it has {instead}");
            let help = "take it away; where only some variants have a mapping, give it in the others";
            problems.report(Finding::new(place, title, "not with `lambda`").help(help));
        }
    }
}

fn check_batch(raw: &RawLambda, settings: &LambdaSettings, problems: &mut Problems) {
    if let Some(place) = raw.batch.place().filter(|_| settings.batch > LARGEST_PLAIN_BATCH && settings.window_us == 0) {
        let title = format!("a batch of {} needs a window of at least 1s ({BATCH_RULE})", settings.batch);
        let finding = Finding::new(place, title, "at most 10 without a window");
        problems.report(finding.help("add, for example, `window: 5s`"));
    }
}

fn check_answers(raw: &RawLambda, settings: &LambdaSettings, problems: &mut Problems) {
    if settings.responses == BatchResponses::FailedItems {
        return;
    }
    let above_0 = |field: &Field<Share>| field.given().filter(|share| share.value.value > 0.0).map(|share| share.place);
    let keys =
        [("unreadable_answers", above_0(&raw.unreadable_answers)), ("hides_failures", above_0(&raw.hides_failures))];
    for (key, place) in keys {
        if let Some(place) = place {
            let title = format!("`{key}` is about answers, and with `responses: whole_batch` nobody reads any");
            problems.report(Finding::new(place, title, "only with `responses: failed_items`"));
        }
    }
}

fn check_pollers(raw: &RawLambda, settings: &LambdaSettings, place: Place, problems: &mut Problems) {
    let pollers = settings.pollers;
    let given = |of: fn(&RawPollers) -> Option<Place>| raw.pollers.value().and_then(of);
    if pollers.most < pollers.initial {
        let at = given(|raw| raw.most.place()).or(given(|raw| raw.initial.place())).unwrap_or(place);
        let title = format!("`most` is {}, below `initial`, which is {}", pollers.most, pollers.initial);
        problems.report(Finding::new(at, title, "has to be at least `initial`"));
    }
    let at_once = u64::from(settings.most_pollers()) * u64::from(settings.slots());
    if at_once > MOST_AT_ONCE {
        let at = raw.batch.place().unwrap_or(place);
        let title = format!("the function works on up to {at_once} messages at once, more than {MOST_AT_ONCE}");
        let finding = Finding::new(at, title, "pollers x batch is too large");
        problems.report(finding.help("lower `batch`, `pollers.most` or `maximum_concurrency`"));
    }
}

/// What the mapping and its queue say together.
pub(super) fn check_lambda_on_queue(
    raw: Option<&RawConsumers>,
    consumers: &ConsumerSettings,
    queue: &QueueSettings,
    problems: &mut Problems,
) {
    let (Some(lambda), Some(raw)) = (&consumers.lambda, raw.and_then(|raw| raw.lambda.given())) else { return };
    let Some(keys) = raw.value.as_option() else { return };
    if lambda.timeout_us > queue.visibility_timeout_us {
        let (timeout, lease) = (Duration { us: lambda.timeout_us }, Duration { us: queue.visibility_timeout_us });
        let title = format!(
            "the function's `timeout` is {timeout}, above the queue's visibility timeout of {lease} ({TIMEOUT_RULE})"
        );
        let finding =
            Finding::new(keys.timeout.place().unwrap_or(raw.place), title, "the service refuses such a mapping");
        problems.report(finding.help("the advice is a visibility timeout of 6 times the timeout plus the window"));
    }
    if queue.kind == QueueKind::Fifo {
        refuse_on_fifo(keys, lambda, problems);
    }
}

fn refuse_on_fifo(raw: &RawLambda, lambda: &LambdaSettings, problems: &mut Problems) {
    let mut refuse = |place: Option<Place>, title: &str| {
        if let Some(place) = place {
            problems.report(Finding::new(place, title, "not on a FIFO queue"));
        }
    };
    if lambda.window_us > 0 {
        refuse(raw.window.place(), "a mapping of a FIFO queue has no window (rule L2, batch and window)");
    } else if lambda.batch > LARGEST_PLAIN_BATCH {
        refuse(raw.batch.place(), "a batch of a FIFO queue has at most 10 messages (rule L2, batch and window)");
    }
    if lambda.records == RecordOrder::AtOnce {
        refuse(raw.records.place(), "messages of a FIFO queue are handled in turn (rule L4, batch failures)");
    }
}

/// A mapping has no circuit breaker in front of its polls.
pub(super) fn refuse_breaker(consumers: &ConsumerSettings, policy: Option<&RawPolicy>, problems: &mut Problems) {
    let breaker = policy.and_then(|policy| policy.breaker.given()).filter(|raw| raw.value.as_option().is_some());
    if let Some(breaker) = breaker.filter(|_| consumers.lambda.is_some()) {
        let title = "a Lambda mapping has no circuit breaker: the service polls, and nothing in the function stops it";
        let finding = Finding::new(breaker.place, title, "not with `lambda`");
        problems.report(finding.help("take it away with `breaker: none`, where it comes from the common policy"));
    }
}

/// Nobody scales the pollers of a mapping by hand.
pub(super) fn refuse_scaling(list: &Field<List<RawOperation>>, consumers: &ConsumerSettings, problems: &mut Problems) {
    let operations = list.value().into_iter().flat_map(List::readable);
    let places = operations.filter_map(|operation| operation.value.fleet.place().or(operation.value.deploy.place()));
    for place in places.filter(|_| consumers.lambda.is_some()) {
        let title = "nobody scales or deploys the pollers of a Lambda mapping by hand";
        let help = "their numbers are `consumers.lambda.pollers` and `consumers.lambda.maximum_concurrency`";
        problems.report(Finding::new(place, title, "not with `lambda`").help(help));
    }
}
