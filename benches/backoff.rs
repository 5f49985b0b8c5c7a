//! What one drawn delay costs, for every kind of backoff and jitter.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrystorm::engine::random::Streams;
use retrystorm::model::policy::{Backoff, BackoffSettings, Jitter};

/// Draws in one measured iteration: enough for the loop around them not to count.
const DRAWS: u32 = 1_000;

fn backoff(criterion: &mut Criterion) {
    let exponential = |jitter| BackoffSettings::Exponential { base_s: 10, factor: 2.0, cap_s: 300, jitter };
    let policies = [
        ("fixed", BackoffSettings::Fixed { delay_s: 30, jitter: Jitter::None }),
        ("linear", BackoffSettings::Linear { step_s: 20, cap_s: 300, jitter: Jitter::None }),
        ("exponential", exponential(Jitter::None)),
        ("exponential_full", exponential(Jitter::Full)),
        ("exponential_equal", exponential(Jitter::Equal)),
        ("exponential_decorrelated", exponential(Jitter::Decorrelated)),
        ("exponential_floored_full", exponential(Jitter::FlooredFull { floor_s: 30 })),
    ];
    let mut group = criterion.benchmark_group("backoff");
    group.throughput(Throughput::Elements(DRAWS.into()));
    for (name, settings) in policies {
        let Some(backoff) = Backoff::new(&settings) else { continue };
        let stream = Streams::new(42, 0).keyed("policy");
        group.bench_function(name, |bencher| {
            // One sequence of random numbers: the arithmetic is measured, not the derivation of a stream.
            let mut draw = stream.draw(7, 1);
            let mut previous_s = None;
            bencher.iter(|| {
                for number in 0..DRAWS {
                    previous_s = Some(backoff.delay_s(black_box(number % 10 + 1), previous_s, &mut draw));
                }
                previous_s
            });
        });
    }
    group.finish();
}

/// What a draw costs with the derivation of the stream that belongs to its message and attempt.
fn keyed_draw(criterion: &mut Criterion) {
    let stream = Streams::new(42, 0).keyed("policy");
    criterion.bench_function("keyed_draw", |bencher| {
        let mut message = 0;
        bencher.iter(|| {
            message += 1;
            stream.draw(black_box(message), 1).up_to(300)
        });
    });
}

criterion_group!(benches, backoff, keyed_draw);
criterion_main!(benches);
