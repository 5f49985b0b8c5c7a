//! What one drawn delay costs, for every backoff and jitter of the catalogues, and what a call costs for every client.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrystorm::engine::random::Streams;
use retrystorm::model::policy::catalogue::{Settings, Value};
use retrystorm::model::policy::{AttemptError, BACKOFFS, BackoffSettings, CLIENTS, Client, JITTERS};

/// Draws in one measured iteration: enough for the loop around them not to count.
const DRAWS: u32 = 1_000;

/// The example of every backoff of the catalogue, and every jitter on an exponential one.
fn policies() -> Vec<(String, BackoffSettings)> {
    let own = BACKOFFS.iter().map(|kind| (kind.about.name.to_owned(), Settings::of_example(kind)));
    let jitters = JITTERS.iter().filter_map(|jitter| {
        let given = [
            ("base", Value::seconds(10)),
            ("cap", Value::seconds(300)),
            ("jitter", Value::Jitter(Settings::of_example(jitter).build())),
        ];
        let settings = Settings::new(retrystorm::model::policy::backoff("exponential")?, &given).ok()?;
        Some((format!("exponential_{}", jitter.about.name), settings))
    });
    own.chain(jitters).collect()
}

fn backoff(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("backoff");
    group.throughput(Throughput::Elements(DRAWS.into()));
    for (name, settings) in policies() {
        let Some(backoff) = settings.build() else { continue };
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

/// A call that goes out, fails and is tried again, or not: what a client decides about each. Every fourth one succeeds, so
/// that its budget does not run dry.
fn client(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("client");
    group.throughput(Throughput::Elements(DRAWS.into()));
    for kind in CLIENTS {
        let mut client = Client::new(&Settings::of_example(kind));
        let mut draw = Streams::new(42, 0).keyed("policy").draw(7, 1);
        let mut now_us = 0;
        group.bench_function(kind.about.name, |bencher| {
            bencher.iter(|| {
                for number in 0..DRAWS {
                    now_us += 1_000;
                    black_box(client.admit(now_us, &mut draw));
                    if number % 4 == 0 {
                        client.succeeded(now_us, 1, None);
                    } else {
                        black_box(client.failed(now_us, AttemptError::Errored, black_box(1), &mut draw));
                    }
                }
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

criterion_group!(benches, backoff, client, keyed_draw);
criterion_main!(benches);
