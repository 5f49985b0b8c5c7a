//! Random settings of what stands around a call: limits, stores, watches, dispositions.

use proptest::prelude::*;
use retrystorm::engine::time::{MILLISECOND_US, SECOND_US};
use retrystorm::model::consumer::{Acknowledge, ConsumerSettings, GroupOrder, Heartbeat, Idempotency, Overflow, Polls};
use retrystorm::model::downstream::{RateLimit, RateLimitScope};
use retrystorm::model::policy::catalogue::Settings;
use retrystorm::model::policy::{
    AdaptiveSettings, CLIENTS, CallRateLimit, ClassDisposition, ClientSettings, ConcurrencySettings, Dispositions,
    LimitScope, Misreading, RetryAfter, WhenFull,
};
use retrystorm::model::producer::{Deduplication, SentTwice};
use retrystorm::model::{IdempotencyKey, KeySettings};
use retrystorm::scenario::Setup;

/// The setup with nothing around its calls: for what holds only there.
pub fn without_guards(mut setup: Setup) -> Setup {
    for producer in &mut setup.producers {
        (producer.tenant, producer.sent_twice) = (0, None);
    }
    let consumers = &mut setup.consumers;
    (consumers.heartbeat, consumers.handler_timeout_us, consumers.idempotency) = (None, None, Idempotency::None);
    // Released messages end their leases early, and early deletes lose messages.
    (consumers.overflow, consumers.acknowledge) = (Overflow::Leave, without_early(consumers.acknowledge));
    if let Some(lambda) = &mut consumers.lambda {
        // An answer that hides a failure deletes a message without a success.
        lambda.wrong_answers.hiding_share = 0.0;
    }
    let downstream = &mut setup.downstream;
    (downstream.rate_limit, downstream.unique_constraint) = (None, None);
    let policy = &mut setup.policy;
    (policy.client, policy.dispositions, policy.misreading) = (None, Dispositions::default(), Misreading::default());
    (policy.dead_letter_crash_share, policy.rate_limit, policy.concurrency_limit) = (0.0, None, None);
    setup
}

fn without_early(acknowledge: Acknowledge) -> Acknowledge {
    if acknowledge == Acknowledge::Early { Acknowledge::Each } else { acknowledge }
}

/// How consumers of another kind differ: when they poll, what they do with what is too much or too old, when they delete.
pub fn workers() -> impl Strategy<Value = ConsumerSettings> {
    let polls = prop_oneof![2 => Just(Polls::WhenRoom), 1 => Just(Polls::WhenEmpty), 1 => Just(Polls::Always)];
    let overflow = prop_oneof![Just(Overflow::Leave), Just(Overflow::Release)];
    let batched = (1..=12_u32, duration_us(MILLISECOND_US, 20 * SECOND_US))
        .prop_map(|(messages, every_us)| Acknowledge::Batched { messages, every_us });
    let acknowledge = prop_oneof![2 => Just(Acknowledge::Each), 1 => Just(Acknowledge::Early), 1 => batched];
    let pause_us = prop_oneof![Just(SECOND_US), duration_us(MILLISECOND_US, 10 * SECOND_US)];
    let times_us = prop::option::weighted(0.2, prop::collection::vec(duration_us(0, 60 * SECOND_US), 1..4));
    let checked_us = prop_oneof![Just(0), duration_us(MILLISECOND_US, 60 * SECOND_US)];
    let groups = prop_oneof![Just(GroupOrder::AtOnce), Just(GroupOrder::InTurn)];
    ((polls, groups), overflow, any::<bool>(), acknowledge, pause_us, times_us, checked_us).prop_map(
        |((polls, groups), overflow, drops_aged, acknowledge, pause_us, times_us, timeout_checked_every_us)| {
            ConsumerSettings {
                polls,
                groups,
                overflow,
                drops_aged,
                acknowledge,
                pause_us,
                handler_times_us: times_us.unwrap_or_default(),
                timeout_checked_every_us,
                ..ConsumerSettings::default()
            }
        },
    )
}

/// Most setups have none of these; some have several.
fn rarely<T: std::fmt::Debug + Clone + 'static>(
    strategy: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Option<T>> {
    prop_oneof![3 => Just(None), 1 => strategy.prop_map(Some)]
}

fn duration_us(from_us: u64, to_us: u64) -> impl Strategy<Value = u64> {
    from_us..=to_us
}

pub fn keys() -> impl Strategy<Value = Option<KeySettings>> {
    let key = prop_oneof![Just(IdempotencyKey::MessageId), Just(IdempotencyKey::BusinessKey)];
    let ttl_us = prop::option::of(duration_us(SECOND_US, 120 * SECOND_US));
    rarely((key, ttl_us).prop_map(|(key, ttl_us)| KeySettings { key, ttl_us }))
}

pub fn idempotency() -> impl Strategy<Value = Idempotency> {
    keys().prop_map(|keys| keys.map_or(Idempotency::None, Idempotency::Store))
}

pub fn heartbeat() -> impl Strategy<Value = Option<Heartbeat>> {
    let at_most_us = prop::option::of(duration_us(SECOND_US, 200 * SECOND_US));
    rarely(
        (duration_us(SECOND_US, 40 * SECOND_US), 1..=60_u32, at_most_us)
            .prop_map(|(every_us, extend_to_s, at_most_us)| Heartbeat { every_us, extend_to_s, at_most_us }),
    )
}

pub fn handler_timeout_us() -> impl Strategy<Value = Option<u64>> {
    rarely(duration_us(MILLISECOND_US, 60 * SECOND_US))
}

pub fn rate_limit() -> impl Strategy<Value = Option<RateLimit>> {
    let retry_after_us = prop::option::of(duration_us(MILLISECOND_US, 20 * SECOND_US));
    let answer_after_us = duration_us(MILLISECOND_US, SECOND_US);
    rarely((0.5..50.0, 1..=50_u32, any::<(bool, bool)>(), answer_after_us, retry_after_us).prop_map(
        |(rate_per_s, burst, (by_tenant, counts_throttled), answer_after_us, retry_after_us)| RateLimit {
            rate_per_s,
            burst,
            scope: if by_tenant { RateLimitScope::Tenant } else { RateLimitScope::Fleet },
            answer_after_us,
            retry_after_us,
            counts_throttled,
        },
    ))
}

fn disposition() -> impl Strategy<Value = ClassDisposition> {
    prop_oneof![
        4 => Just(ClassDisposition::BackOff),
        1 => Just(ClassDisposition::LetLeaseExpire),
        1 => Just(ClassDisposition::VisibilityZero),
        1 => Just(ClassDisposition::DeadLetter),
        1 => Just(ClassDisposition::Delete),
        1 => Just(ClassDisposition::RecordAndDelete),
        1 => Just(ClassDisposition::Resend),
    ]
}

pub fn dispositions() -> impl Strategy<Value = Dispositions> {
    (disposition(), disposition(), disposition(), disposition()).prop_map(
        |(transient, throttled, permanent, unknown)| Dispositions { transient, throttled, permanent, unknown },
    )
}

pub fn misreading() -> impl Strategy<Value = Misreading> {
    let share = || prop_oneof![3 => Just(0.0), 1 => 0.0..=1.0];
    (share(), share(), share()).prop_map(|(transient_as_permanent, permanent_as_transient, unknown)| Misreading {
        transient_as_permanent,
        permanent_as_transient,
        unknown,
    })
}

fn scope() -> impl Strategy<Value = LimitScope> {
    prop_oneof![Just(LimitScope::Consumer), Just(LimitScope::Fleet)]
}

pub fn call_rate_limit() -> impl Strategy<Value = Option<CallRateLimit>> {
    rarely(
        (0.5..50.0, 1..=50_u32, scope(), any::<bool>())
            .prop_map(|(rate_per_s, burst, scope, per_tenant)| CallRateLimit { rate_per_s, burst, scope, per_tenant }),
    )
}

pub fn concurrency_limit() -> impl Strategy<Value = Option<ConcurrencySettings>> {
    let adaptive = (1..=3_u32, 0..=9_u32, 0.1..5.0, 0.1..0.9).prop_map(|(least, more, increase, decrease_to)| {
        AdaptiveSettings { least, most: least + more, increase, decrease_to }
    });
    let limit = (1..=12_u32, scope(), any::<(bool, bool)>(), prop::option::of(adaptive));
    rarely(limit.prop_map(|(calls, scope, (per_tenant, rejects), adaptive)| ConcurrencySettings {
        calls: adaptive.map_or(calls, |adaptive: AdaptiveSettings| calls.clamp(adaptive.least, adaptive.most)),
        scope,
        per_tenant,
        when_full: if rejects { WhenFull::Reject } else { WhenFull::Wait },
        adaptive,
    }))
}

pub fn sent_twice() -> impl Strategy<Value = Option<SentTwice>> {
    rarely((0.0..=1.0, duration_us(0, 400 * SECOND_US)).prop_map(|(share, after_us)| SentTwice { share, after_us }))
}

pub fn deduplication() -> impl Strategy<Value = Deduplication> {
    prop_oneof![Just(Deduplication::Message), Just(Deduplication::BusinessKey)]
}

pub fn retry_after() -> impl Strategy<Value = RetryAfter> {
    prop_oneof![Just(RetryAfter::Ignore), Just(RetryAfter::Honour)]
}

/// Every client of the catalogue, with its defaults.
pub fn client() -> impl Strategy<Value = Option<ClientSettings>> {
    let one =
        (0..CLIENTS.len()).prop_map(|number| Settings::new(CLIENTS[number], &[]).expect("its defaults are sound"));
    rarely(one)
}
