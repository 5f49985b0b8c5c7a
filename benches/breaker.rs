//! What a result costs a circuit breaker, for every kind of trip.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrystorm::model::policy::{
    Breaker, BreakerCounts, BreakerScope, BreakerSettings, BreakerTrips, CallOutcome, FailureRate, RateWindow,
    Throttling,
};

/// Results in one measured iteration: enough for the loop around them not to count.
const RESULTS: u64 = 1_000;
const SECOND_US: u64 = 1_000_000;

fn breaker(trips: BreakerTrips) -> Breaker {
    let settings = BreakerSettings {
        trips,
        counts: BreakerCounts::Messages,
        ignores_permanent: false,
        scope: BreakerScope::Fleet,
        cooldown_us: 30 * SECOND_US,
        probes: 1,
        ramp_up: None,
    };
    Breaker::new(settings, 10)
}

/// One result in ten is a failure, so that no breaker opens.
fn record(criterion: &mut Criterion) {
    let rate = |window| Some(FailureRate { share: 0.5, window, minimum: 20 });
    let none = BreakerTrips::default();
    let kinds = [
        ("failures", BreakerTrips { failures: Some(20), ..none }),
        ("window_30s", BreakerTrips { failure_rate: rate(RateWindow::Time { length_us: 30 * SECOND_US }), ..none }),
        ("last_1000", BreakerTrips { failure_rate: rate(RateWindow::Results { count: 1_000 }), ..none }),
        (
            "throttling_30s",
            BreakerTrips { throttling: Some(Throttling { share: 0.5, for_us: 30 * SECOND_US, minimum: 20 }), ..none },
        ),
    ];
    let mut group = criterion.benchmark_group("breaker_record");
    group.throughput(Throughput::Elements(RESULTS));
    for (name, trips) in kinds {
        let mut breaker = breaker(trips);
        let mut now_us = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for number in 0..RESULTS {
                    now_us += 1_250;
                    let outcome = if number % 10 == 0 { CallOutcome::Failure } else { CallOutcome::Success };
                    black_box(breaker.record(now_us, black_box(outcome), None));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, record);
criterion_main!(benches);
