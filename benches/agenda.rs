//! What the agenda costs: take the next event out and schedule another one, with many pending.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::Rng;
use retrystorm::engine::agenda::Agenda;
use retrystorm::engine::random::Streams;

/// Constant delays, as of leases and timeouts.
const LANE_DELAYS_US: [u64; 4] = [1_000_000, 30_000_000, 60_000_000, 300_000_000];
/// Longest of the random delays.
const LONGEST_US: u64 = 300_000_000;
/// Steps of one measured iteration.
const STEPS: u64 = 10_000;

fn agenda(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("agenda");
    group.throughput(Throughput::Elements(STEPS)).sample_size(20);
    for pending in [1_000_u64, 10_000, 100_000, 1_000_000] {
        group.bench_with_input(BenchmarkId::new("random_delays", pending), &pending, |bencher, &pending| {
            let mut random = Streams::new(42, 0).sequential("bench", 0);
            let mut agenda = Agenda::new(0);
            (0..pending).for_each(|number| agenda.schedule(random.next_u64() % LONGEST_US, number));
            bencher.iter(|| {
                for _ in 0..STEPS {
                    let Some((now_us, payload)) = agenda.pop() else { return };
                    agenda.schedule(now_us + random.next_u64() % LONGEST_US, black_box(payload));
                }
            });
        });
        group.bench_with_input(BenchmarkId::new("four_lanes", pending), &pending, |bencher, &pending| {
            let mut random = Streams::new(42, 0).sequential("bench", 0);
            let mut agenda = Agenda::new(LANE_DELAYS_US.len());
            for (lane, delay_us) in LANE_DELAYS_US.into_iter().enumerate() {
                let step_us = delay_us * LANE_DELAYS_US.len() as u64 / pending;
                (0..pending / 4).for_each(|number| agenda.schedule_in_lane(lane, number * step_us, lane as u64));
            }
            bencher.iter(|| {
                for _ in 0..STEPS {
                    let Some((now_us, _)) = agenda.pop() else { return };
                    let lane = (random.next_u64() % LANE_DELAYS_US.len() as u64) as usize;
                    agenda.schedule_in_lane(lane, now_us + LANE_DELAYS_US[lane], black_box(lane as u64));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, agenda);
criterion_main!(benches);
