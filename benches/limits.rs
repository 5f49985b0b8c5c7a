//! What a limit in front of a call costs: a token bucket, a semaphore, an adaptive limit, a store of idempotency keys.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use retrystorm::model::policy::{AdaptiveSettings, ConcurrencyLimit, ConcurrencySettings, LimitScope, WhenFull};
use retrystorm::model::{KeyStore, TokenBucket};

const FIXED: ConcurrencySettings = ConcurrencySettings {
    calls: 50,
    scope: LimitScope::Consumer,
    per_tenant: false,
    when_full: WhenFull::Reject,
    adaptive: None,
};

fn limits(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("limits");
    group.bench_function("token bucket, reserve", |bencher| {
        let (mut bucket, mut now_us) = (TokenBucket::new(450.0, 450), 0);
        bencher.iter(|| {
            now_us += 2_000;
            black_box(bucket.reserve(now_us))
        });
    });
    let adaptive = AdaptiveSettings { least: 1, most: 1_000, increase: 1.0, decrease_to: 0.5 };
    for (name, settings) in [
        ("concurrency, fixed", FIXED),
        ("concurrency, adaptive", ConcurrencySettings { adaptive: Some(adaptive), ..FIXED }),
    ] {
        group.bench_function(name, |bencher| {
            let mut limit = ConcurrencyLimit::new(&settings);
            let mut calls = 0_u32;
            bencher.iter(|| {
                calls += 1;
                black_box(limit.ask());
                limit.ended(black_box(Some(!calls.is_multiple_of(64))));
            });
        });
    }
    group.bench_function("key store, look up and write", |bencher| {
        let (mut store, mut now_us) = (KeyStore::new(Some(60_000_000)), 0);
        bencher.iter(|| {
            now_us += 1_000;
            black_box(store.contains(now_us, now_us));
            store.insert(now_us, now_us)
        });
    });
    group.finish();
}

criterion_group!(benches, limits);
criterion_main!(benches);
