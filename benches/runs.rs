//! Whole runs, with all measuring on: events a second of the failover case study and of a healthy steady state.

use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use retrystorm::scenario::{self, Scenario};
use retrystorm::simulation::{Run, simulate};

fn failover(criterion: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/failover.yaml");
    let mut scenario = scenario::read_file(&path).expect("the scenario in the repository is sound");
    bench_variants(criterion, "failover", &scenario);

    for variant in &mut scenario.variants {
        variant.setup.downstream.outages.clear();
    }
    scenario.variants.truncate(1);
    bench_variants(criterion, "healthy", &scenario);
}

fn bench_variants(criterion: &mut Criterion, name: &str, scenario: &Scenario) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    let run = Run { seed: scenario.seed, replication: 0, duration_us: scenario.duration_us };
    for variant in &scenario.variants {
        let events = simulate(&variant.setup, run).expect("the ledger balances").events;
        group.throughput(Throughput::Elements(events));
        group.bench_function(&variant.name, |bencher| bencher.iter(|| simulate(&variant.setup, run)));
    }
    group.finish();
}

criterion_group!(benches, failover);
criterion_main!(benches);
