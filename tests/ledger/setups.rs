//! Random setups: every choice that the scenario language has, at rates that a test can afford.

use crate::guards::*;
use crate::lambda::lambda;
use proptest::prelude::*;
use retrystorm::engine::distribution::TimeDistribution;
use retrystorm::engine::time::{DAY_US, HOUR_US, MILLISECOND_US, SECOND_US};
use retrystorm::measure::{AlarmMetric, AlarmSettings};
use retrystorm::model::consumer::{AutoscaleSettings, ConsumerSettings, ScalesOn};
use retrystorm::model::downstream::{DownstreamSettings, Outage, OutageMode, WarmUp};
use retrystorm::model::operator::{Action, Attribute, CountAfterRedrive, Operation};
use retrystorm::model::policy::catalogue::{Settings, Value};
use retrystorm::model::policy::{
    BACKOFFS, BackoffSettings, BreakerCounts, BreakerScope, BreakerSettings, BreakerTrips, CeilingGuard, FailureRate,
    Jitter, PolicySettings, RampUp, RateWindow, Throttling,
};
use retrystorm::model::producer::{Arrivals, ClassShares, ProducerSettings, ProfileStep};
use retrystorm::model::queue::{QueueKind, QueueSettings, RedriveTiming, ReturnOrder, StaleDelete, TwelveHourClock};
use retrystorm::scenario::{DeadLetterQueue, OtherQueue, Setup};

/// Simulated time: a retention of 60 s passes several times.
pub const DURATION_US: u64 = 240 * SECOND_US;

/// Setups of one queue with nothing around its calls; chance decides which.
pub fn setup() -> impl Strategy<Value = Setup> {
    guarded_setup().prop_map(without_guards)
}

/// Setups of one queue.
fn guarded_setup() -> impl Strategy<Value = Setup> {
    let producers = prop::collection::vec(producer(), 1..4);
    (queue(), producers, consumers(), downstream(), policy()).prop_map(
        |(queue, producers, consumers, downstream, policy)| {
            let policy = without_breaker_of_mapping(&consumers, policy);
            Setup::new(queue, producers, consumers, downstream, policy)
        },
    )
}

/// A mapping has no breaker in front of its polls: the language refuses one.
fn without_breaker_of_mapping(consumers: &ConsumerSettings, mut policy: PolicySettings) -> PolicySettings {
    policy.breaker = policy.breaker.filter(|_| consumers.lambda.is_none());
    policy
}

/// Setups with all that may stand beside the queue: FIFO, delays, limits, consumers of the dead-letter queue, another
/// source queue, an operator, limits and stores around the calls, messages that are sent twice.
pub fn whole_setup() -> impl Strategy<Value = Setup> {
    let dead_letters = prop::option::of((consumers(), policy()));
    let beside = (dead_letters, prop::option::of(other_queue()), prop::collection::vec(operation(), 0..6));
    let alarms = prop::collection::vec(alarm(), 0..4);
    let watchers = (alarms, prop::option::of(autoscale()));
    let whole = (guarded_setup(), extras(), beside, watchers);
    whole.prop_map(|(mut setup, extras, (dead_letters, other, operations), (alarms, autoscale))| {
        setup.alarms = alarms;
        setup.consumers.autoscale = autoscale.filter(|_| setup.consumers.lambda.is_none());
        extras.change(&mut setup.queue);
        setup.dead_letter_queue.queue.kind = setup.queue.kind;
        complete(setup, dead_letters, other, operations)
    })
}

/// What a queue may have beyond the basics.
#[derive(Debug, Clone)]
struct Extras {
    is_fifo: bool,
    delay_us: u64,
    in_flight_limit: u32,
    deletes_stale: bool,
    duplicate_share: f64,
    lost_share: f64,
    look_ahead: u32,
}

impl Extras {
    fn change(&self, queue: &mut QueueSettings) {
        queue.kind = if self.is_fifo { QueueKind::Fifo } else { QueueKind::Standard };
        queue.delay_us = self.delay_us;
        queue.in_flight_limit = self.in_flight_limit;
        queue.stale_delete = if self.deletes_stale { StaleDelete::Deletes } else { StaleDelete::Ignored };
        queue.duplicate_share = self.duplicate_share;
        queue.lost_share = self.lost_share;
        queue.look_ahead = self.look_ahead;
    }
}

fn extras() -> impl Strategy<Value = Extras> {
    let share = || prop_oneof![2 => Just(0.0), 1 => 0.0..0.3];
    let most = || prop_oneof![1 => 1..20_u32, 1 => Just(120_000)];
    let delay_us = whole_seconds_us(prop_oneof![2 => Just(0), 1 => 0..100_u64]);
    (any::<(bool, bool)>(), delay_us, most(), share(), share(), most()).prop_map(
        |((is_fifo, deletes_stale), delay_us, in_flight_limit, duplicate_share, lost_share, look_ahead)| Extras {
            is_fifo,
            delay_us,
            in_flight_limit,
            deletes_stale,
            duplicate_share,
            lost_share,
            look_ahead,
        },
    )
}

/// A setup of one queue with all that may stand beside it.
fn complete(
    mut setup: Setup,
    dead_letters: Option<(ConsumerSettings, PolicySettings)>,
    other: Option<OtherQueue>,
    mut operations: Vec<Operation>,
) -> Setup {
    if let Some((consumers, policy)) = dead_letters {
        let policy = without_breaker_of_mapping(&consumers, policy);
        setup.dead_letter_queue = DeadLetterQueue { consumers, policy, ..setup.dead_letter_queue };
    }
    operations.sort_by_key(|operation| operation.at_us);
    setup.operations = operations;
    setup.other_queues = other.into_iter().collect();
    // A FIFO queue has a FIFO dead-letter queue, and so do all that share it.
    setup.other_queues.iter_mut().for_each(|other| other.queue.kind = setup.queue.kind);
    setup
}

fn other_queue() -> impl Strategy<Value = OtherQueue> {
    (queue(), producer(), consumers(), policy()).prop_map(|(queue, producer, consumers, policy)| OtherQueue {
        name: "other".to_owned(),
        queue,
        producers: vec![producer],
        policy: without_breaker_of_mapping(&consumers, policy),
        consumers,
    })
}

fn autoscale() -> impl Strategy<Value = AutoscaleSettings> {
    let times_us = (time_us(SECOND_US, 60 * SECOND_US), 0..60 * SECOND_US, prop_oneof![Just(0), 0..60 * SECOND_US]);
    let scales_on = prop_oneof![Just(ScalesOn::Visible), Just(ScalesOn::VisibleAndInFlight)];
    (1..50_u32, 1..4_u32, 0..5_u32, times_us, scales_on, drain()).prop_map(
        |(target, min, more, (every_us, cooldown_us, start_up_us), scales_on, drain_us)| AutoscaleSettings {
            scales_on,
            target,
            min,
            max: min + more,
            every_us,
            cooldown_us,
            start_up_us,
            drain_us,
        },
    )
}

fn alarm() -> impl Strategy<Value = AlarmSettings> {
    let above = prop_oneof![Just(0.0), 0.0..2.0, 2.0..100.0];
    let period_us = whole_seconds_us(1..70_u64);
    (prop::sample::select(AlarmMetric::ALL), above, period_us, (1..4_usize, 0..3_usize), 0..60 * SECOND_US).prop_map(
        |(metric, above, period_us, (bad, more), delay_us)| AlarmSettings {
            name: metric.name().to_owned(),
            metric,
            above,
            period_us,
            bad,
            out_of: bad + more,
            delay_us,
        },
    )
}

/// How long a consumer may go on with what it holds.
fn drain() -> impl Strategy<Value = Option<u64>> {
    prop::option::of(prop_oneof![Just(0), 0..30 * SECOND_US])
}

fn operation() -> impl Strategy<Value = Operation> {
    let attribute = prop_oneof![
        whole_seconds_us(prop_oneof![Just(0), 0..100_u64])
            .prop_map(|timeout_us| Attribute::VisibilityTimeout { timeout_us }),
        (1..8_u32).prop_map(|receives| Attribute::MaxReceiveCount { receives }),
        whole_seconds_us(60..300_u64).prop_map(|retention_us| Attribute::Retention { retention_us }),
    ];
    let action = prop_oneof![
        (attribute, whole_seconds_us(0..60_u64))
            .prop_map(|(attribute, applies_after_us)| Action::Change { attribute, applies_after_us }),
        (1..8_u32, drain()).prop_map(|(fleet, drain_us)| Action::Scale { fleet, drain_us }),
        (0..40 * SECOND_US, 1..5_u32).prop_map(|(drain_us, at_once)| Action::Deploy { drain_us, at_once }),
        Just(Action::PausePolling),
        Just(Action::ResumePolling),
        (0.1..500.0, prop::option::of(1..50_u64), any::<bool>()).prop_map(|(rate_per_s, messages, keeps)| {
            let receive_count = if keeps { CountAfterRedrive::Kept } else { CountAfterRedrive::Reset };
            Action::Redrive { rate_per_s, messages, receive_count }
        }),
    ];
    (0..DURATION_US, action).prop_map(|(at_us, action)| Operation { at_us, action })
}

/// Times from `from_us` to `to_us` on the scale of a logarithm: short ones matter as much as long ones.
fn time_us(from_us: u64, to_us: u64) -> impl Strategy<Value = u64> {
    ((from_us as f64).ln()..=(to_us as f64).ln()).prop_map(|logarithm| logarithm.exp().round() as u64)
}

fn whole_seconds_us(seconds: impl Strategy<Value = u64>) -> impl Strategy<Value = u64> {
    seconds.prop_map(|seconds| seconds * SECOND_US)
}

/// 0 s, a few seconds, or up to 12 h.
fn visibility_timeout_us() -> impl Strategy<Value = u64> {
    whole_seconds_us(prop_oneof![1 => Just(0), 6 => 1..=30_u64, 2 => 31..=43_200_u64, 1 => Just(43_200)])
}

fn queue() -> impl Strategy<Value = QueueSettings> {
    let retention = || prop_oneof![2 => Just(60 * SECOND_US), 1 => Just(150 * SECOND_US), 2 => Just(4 * DAY_US)];
    let order = prop_oneof![Just(ReturnOrder::ByAge), Just(ReturnOrder::ByVisibleTime), Just(ReturnOrder::Random)];
    (visibility_timeout_us(), retention(), prop::option::of(1..=12_u32), any::<(bool, bool, bool)>(), order).prop_map(
        |(visibility_timeout_us, retention_us, max_receive_count, (eager, back, lifetime), order)| QueueSettings {
            visibility_timeout_us,
            retention_us,
            max_receive_count,
            redrive_timing: if eager { RedriveTiming::Eager } else { RedriveTiming::Lazy },
            back_of_queue: back,
            return_order: order,
            twelve_hour_clock: if lifetime { TwelveHourClock::Lifetime } else { TwelveHourClock::PerReceive },
            ..QueueSettings::default()
        },
    )
}

fn arrivals() -> impl Strategy<Value = Arrivals> {
    let step = |number: u64, messages: u64| ProfileStep {
        from_us: number * 20 * SECOND_US,
        until_us: (number + 1) * 20 * SECOND_US,
        messages,
    };
    prop_oneof![
        (0.05..15.0).prop_map(|rate_per_s| Arrivals::Poisson { rate_per_s }),
        (0.05..15.0).prop_map(|rate_per_s| Arrivals::Constant { rate_per_s }),
        (1..150_u64, prop::option::of(time_us(5 * SECOND_US, DURATION_US)))
            .prop_map(|(messages, every_us)| Arrivals::Burst { messages, every_us }),
        prop::collection::vec(0..100_u64, 1..8).prop_map(move |counts| {
            let steps = counts.into_iter().enumerate().map(|(number, count)| step(number as u64, count));
            Arrivals::Profile { steps: steps.collect() }
        }),
    ]
}

fn classes() -> impl Strategy<Value = ClassShares> {
    let share = || prop_oneof![2 => Just(0.0), 2 => 0.0..0.1, 1 => 0.1..1.0];
    (share(), share()).prop_map(|(permanent, poison): (f64, f64)| {
        let sum = (permanent + poison).max(1.0);
        ClassShares { permanent: permanent / sum, poison: poison / sum }
    })
}

fn producer() -> impl Strategy<Value = ProducerSettings> {
    let times = (0..DURATION_US / 2, DURATION_US / 4..=DURATION_US);
    (arrivals(), times, classes(), 0..3_u8, sent_twice(), deduplication()).prop_map(
        |(arrivals, (from_us, lasts_us), classes, tenant, sent_twice, deduplication)| ProducerSettings {
            groups: 1 + (from_us % 4) as u32,
            arrivals,
            from_us,
            until_us: (from_us + lasts_us).min(DURATION_US),
            classes,
            tenant,
            sent_twice,
            deduplication,
        },
    )
}

fn distribution(from_us: u64, to_us: u64) -> impl Strategy<Value = TimeDistribution> {
    prop_oneof![
        time_us(from_us, to_us).prop_map(|value_us| TimeDistribution::Constant { value_us }),
        time_us(from_us, to_us).prop_map(|mean_us| TimeDistribution::Exponential { mean_us: mean_us as f64 }),
        (time_us(from_us, to_us), 1.5..14.0).prop_map(|(mean_us, ratio): (u64, f64)| TimeDistribution::LogNormal {
            mean_us: mean_us as f64,
            p99_us: mean_us as f64 * ratio
        }),
    ]
}

/// Fleets, and now and then a Lambda mapping.
fn consumers() -> BoxedStrategy<ConsumerSettings> {
    prop_oneof![3 => fleet(), 1 => mapping()].boxed()
}

fn mapping() -> impl Strategy<Value = ConsumerSettings> {
    let handler_time =
        prop_oneof![Just(TimeDistribution::Constant { value_us: 0 }), distribution(MILLISECOND_US, 10 * SECOND_US)];
    let cold_start = distribution(MILLISECOND_US, 5 * SECOND_US);
    (lambda(), handler_time, idempotency(), cold_start).prop_map(
        |(mut lambda, handler_time, idempotency, cold_start)| {
            lambda.cold_starts.time = cold_start;
            ConsumerSettings { handler_time, idempotency, ..ConsumerSettings::of_lambda(lambda) }
        },
    )
}

fn fleet() -> BoxedStrategy<ConsumerSettings> {
    let wait_us = whole_seconds_us(prop_oneof![1 => Just(0), 2 => 1..=20_u64]);
    let prefetch = prop_oneof![2 => Just(0), 1 => 1..=20_u32];
    // Longer than most leases as often as not.
    let handler_time =
        prop_oneof![Just(TimeDistribution::Constant { value_us: 0 }), distribution(MILLISECOND_US, 100 * SECOND_US)];
    let restart_us = time_us(MILLISECOND_US, 60 * SECOND_US);
    let watch = (heartbeat(), handler_timeout_us(), idempotency());
    let start_up_us = prop_oneof![Just(0), 0..20 * SECOND_US];
    let life = (restart_us, start_up_us, prop::option::weighted(0.3, distribution(SECOND_US, 200 * SECOND_US)));
    let basics = (1..=5_u32, 1..=6_u32, 1..=10_u32, wait_us, prefetch, handler_time, life, watch);
    (basics, workers())
        .prop_map(|(basics, workers)| {
            let (fleet, concurrency, batch, wait_us, prefetch, handler_time, life, watch) = basics;
            // Listed times come instead of drawn ones, which are their mean.
            let listed = !workers.handler_times_us.is_empty();
            let handler_time = if listed { TimeDistribution::Constant { value_us: SECOND_US } } else { handler_time };
            ConsumerSettings {
                fleet,
                concurrency,
                batch,
                wait_us,
                prefetch,
                handler_time,
                restart_us: life.0,
                start_up_us: life.1,
                crashes_after: life.2,
                heartbeat: watch.0,
                handler_timeout_us: watch.1,
                idempotency: watch.2,
                autoscale: None,
                pause_us: if wait_us == 0 || workers.pause_us < SECOND_US { workers.pause_us } else { 0 },
                ..workers
            }
        })
        .boxed()
}

fn outage_mode() -> impl Strategy<Value = OutageMode> {
    prop_oneof![
        time_us(MILLISECOND_US, 20 * SECOND_US).prop_map(|after_us| OutageMode::Refuse { after_us }),
        Just(OutageMode::Hang),
        (0.0..=1.0).prop_map(|share| OutageMode::Errors { share }),
        (1.0..500.0).prop_map(|factor| OutageMode::Slow { factor }),
    ]
}

/// Outages in order of time, some of them back to back, some cutting the warm-up of the one before short.
fn outages() -> impl Strategy<Value = Vec<Outage>> {
    let warm_up = (time_us(SECOND_US, 60 * SECOND_US), 1.0..10.0)
        .prop_map(|(for_us, factor): (u64, f64)| WarmUp { for_us, factor });
    let gap_us = prop_oneof![1 => Just(0), 3 => 0..60 * SECOND_US];
    let outage = (gap_us, time_us(MILLISECOND_US, 120 * SECOND_US), outage_mode(), prop::option::of(warm_up));
    prop::collection::vec(outage, 0..4).prop_map(|outages| {
        let mut at_us = 0;
        let placed = outages.into_iter().map(|(gap_us, lasts_us, mode, warm_up)| {
            let from_us = at_us + gap_us;
            at_us = from_us + lasts_us;
            Outage { from_us, until_us: at_us, mode, warm_up }
        });
        placed.filter(|outage| outage.until_us <= DURATION_US).collect()
    })
}

fn downstream() -> BoxedStrategy<DownstreamSettings> {
    let patience = || prop::option::of(time_us(MILLISECOND_US, 60 * SECOND_US));
    let share = prop_oneof![2 => Just(0.0), 1 => 0.0..=1.0];
    let cost = prop_oneof![1 => Just(0.0), 1 => 0.0..=3.0];
    (
        (1..=20_u32, distribution(5 * MILLISECOND_US, 5 * SECOND_US), prop::option::of(0..=10_u32)),
        (patience(), time_us(MILLISECOND_US, 10 * SECOND_US), patience()),
        (share, cost, outages()),
        (rate_limit(), prop::collection::vec(0.1..20.0, 0..3), keys()),
    )
        .prop_map(
            |(
                (servers, service_time, max_waiting),
                (acquire_timeout_us, refuse_after_us, call_timeout_us),
                (error_rate, failure_cost, outages),
                (rate_limit, tenant_work, unique_constraint),
            )| {
                // Calls that hang need a timeout: the language insists on it.
                let hangs = outages.iter().any(|outage| outage.mode == OutageMode::Hang);
                let call_timeout_us = call_timeout_us.or(hangs.then_some(2 * SECOND_US));
                DownstreamSettings {
                    servers,
                    service_time,
                    max_waiting,
                    acquire_timeout_us,
                    refuse_after_us,
                    call_timeout_us,
                    rate_limit,
                    tenant_work,
                    unique_constraint,
                    error_rate,
                    failure_cost,
                    outages,
                }
            },
        )
        .boxed()
}

/// No floor is above 20 s, and no cap below it.
fn jitter() -> impl Strategy<Value = Jitter> {
    prop_oneof![
        Just(Jitter::None),
        Just(Jitter::Full),
        Just(Jitter::Equal),
        Just(Jitter::Decorrelated),
        Just(Jitter::Bounded { share: 0.3 }),
        (0..20_u32).prop_map(|floor_s| Jitter::FlooredFull { floor_s }),
    ]
}

/// A kind of the catalogue with parameters that do not contradict each other.
fn kind(name: &str, given: &[(&str, Value)]) -> BackoffSettings {
    let kind = retrystorm::model::policy::backoff(name).expect("a kind of the catalogue");
    Settings::new(kind, given).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

fn backoff() -> impl Strategy<Value = BackoffSettings> {
    let longest_s = (12 * HOUR_US / SECOND_US) as u32;
    let delay_s = || prop_oneof![1 => Just(0_u32), 6 => 1..=60_u32, 1 => 43_100..=43_200_u32];
    let first_s = || prop_oneof![6 => 1..=60_u32, 1 => 43_100..=43_200_u32];
    let steady = jitter().prop_filter("needs a cap, and no floor above the delay", |jitter| {
        !matches!(jitter, Jitter::Decorrelated | Jitter::FlooredFull { .. })
    });
    prop_oneof![
        3 => Just(BackoffSettings::default()),
        1 => (delay_s(), steady).prop_map(|(delay_s, jitter)| {
            kind("fixed", &[("delay", Value::seconds(delay_s)), ("jitter", Value::Jitter(jitter))])
        }),
        1 => (first_s(), 0..=200_u32, jitter()).prop_map(move |(step_s, more_s, jitter)| kind("linear", &[
            ("step", Value::seconds(step_s)),
            ("cap", Value::seconds((step_s + more_s).clamp(20, longest_s))),
            ("jitter", Value::Jitter(jitter)),
        ])),
        2 => (first_s(), 1.0..4.0, 0..=400_u32, jitter()).prop_map(move |(base_s, factor, more_s, jitter)| {
            kind("exponential", &[
                ("base", Value::seconds(base_s)),
                ("factor", Value::Number(factor)),
                ("cap", Value::seconds((base_s + more_s).clamp(20, longest_s))),
                ("jitter", Value::Jitter(jitter)),
            ])
        }),
        1 => prop::collection::vec(delay_s(), 1..5).prop_map(|delays_s| {
            kind("intervals", &[("intervals", Value::list_of_seconds(delays_s))])
        }),
        1 => (0..BACKOFFS.len()).prop_map(|index| Settings::of_example(BACKOFFS[index])),
    ]
}

/// Boxed, as the other large parts: a tree of values on the stack would outgrow it.
fn policy() -> BoxedStrategy<PolicySettings> {
    let crash_share = prop_oneof![3 => Just(0.0), 1 => 0.0..=1.0];
    let floor_s = prop_oneof![7 => Just(0_u32), 1 => 1..=60_u32];
    let guard = prop_oneof![Just(CeilingGuard::None), Just(CeilingGuard::Remaining)];
    let delays = (backoff(), floor_s, guard, retry_after(), client());
    let decisions = (delays, dispositions(), misreading(), crash_share);
    let limits = (prop::option::weighted(0.4, breaker()), call_rate_limit(), concurrency_limit());
    (decisions, limits)
        .prop_map(
            |(
                (delays, dispositions, misreading, dead_letter_crash_share),
                (breaker, rate_limit, concurrency_limit),
            )| {
                let (backoff, floor_s, ceiling_guard, retry_after, client) = delays;
                PolicySettings {
                    backoff,
                    floor_s,
                    retry_after,
                    ceiling_guard,
                    client,
                    dispositions,
                    misreading,
                    dead_letter_crash_share,
                    breaker,
                    rate_limit,
                    concurrency_limit,
                }
            },
        )
        .boxed()
}

fn breaker() -> impl Strategy<Value = BreakerSettings> {
    let ramp_up =
        (time_us(MILLISECOND_US, 60 * SECOND_US), 0.0..=1.0).prop_map(|(for_us, from)| RampUp { for_us, from });
    let probes = prop_oneof![2 => Just(1), 1 => 1..=5_u32];
    let reopening = (time_us(MILLISECOND_US, 60 * SECOND_US), probes, prop::option::of(ramp_up));
    (trips(), any::<(bool, bool, bool)>(), reopening).prop_map(
        |(trips, (batches, fleet, ignores_permanent), (cooldown_us, probes, ramp_up))| BreakerSettings {
            trips,
            counts: if batches { BreakerCounts::Batches } else { BreakerCounts::Messages },
            ignores_permanent,
            scope: if fleet { BreakerScope::Fleet } else { BreakerScope::Consumer },
            cooldown_us,
            probes,
            ramp_up,
        },
    )
}

fn trips() -> impl Strategy<Value = BreakerTrips> {
    let window = prop_oneof![
        whole_seconds_us(1..60_u64).prop_map(|length_us| RateWindow::Time { length_us }),
        (1..20_u32).prop_map(|count| RateWindow::Results { count }),
    ];
    let rate =
        (0.01..=1.0, window, 1..10_u32).prop_map(|(share, window, minimum)| FailureRate { share, window, minimum });
    let throttling = (0.01..=1.0, whole_seconds_us(1..60_u64), 1..10_u32)
        .prop_map(|(share, for_us, minimum)| Throttling { share, for_us, minimum });
    let failures = prop_oneof![3 => (1..=8_u32).prop_map(Some), 1 => Just(None)];
    (failures, prop::option::of(rate), prop::option::of(throttling))
        .prop_map(|(failures, failure_rate, throttling)| BreakerTrips { failures, failure_rate, throttling })
}
