//! A sweep on one thread and on two: points x variants x replications share no work, so that two take little more than
//! half the time.

use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use retrystorm::scenario;
use retrystorm::study::{SweepFacts, run_sweep};

fn sweep(criterion: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/sweeps/base-and-receives.yaml");
    let plan = scenario::read_plan(path, &[]).expect("the scenario in the repository is sound");
    let sweep = plan.sweep.expect("it is a sweep");
    let facts = SweepFacts::of(&sweep, "sweep.yaml", &[]);
    let runs: Vec<u64> = (0..facts.runs()).collect();
    let mut group = criterion.benchmark_group("sweep");
    group.sample_size(10).throughput(Throughput::Elements(facts.runs()));
    for threads in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(format!("{threads}-threads"), |bencher| {
            bencher.iter(|| pool.install(|| run_sweep(&sweep.points, &facts, &runs, |_, _, _| ())));
        });
    }
    group.finish();
}

criterion_group!(benches, sweep);
criterion_main!(benches);
