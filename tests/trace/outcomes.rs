//! Who watches changes nothing.

use std::fs;
use std::path::Path;

use retrystorm::scenario;
use retrystorm::simulation::{Happening, Run, simulate, simulate_watched};

/// Scenarios with all kinds of consumers, queues and policies, cut to a length that a test can afford.
const SCENARIOS: [&str; 6] = [
    "failover.yaml",
    "dlq-redrive-in-batches.yaml",
    "fifo-poison-head.yaml",
    "naive-vs-exponential.yaml",
    "third-party-api.yaml",
    "lambda-advice-against-defaults.yaml",
];

#[test]
fn outcomes_are_the_same_to_the_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    for name in SCENARIOS {
        let text = fs::read_to_string(folder.join(name)).expect("a scenario");
        let scenario = scenario::parse(&text, name, &folder).unwrap_or_else(|error| panic!("{error}"));
        for variant in &scenario.variants {
            let run = Run { seed: scenario.seed, replication: 0, duration_us: scenario.duration_us.min(120_000_000) };
            let alone = simulate(&variant.setup, run).expect("the ledger balances");
            let mut receives = 0;
            let watched = simulate_watched(&variant.setup, run, &mut |sight| {
                receives += u64::from(matches!(sight.happening, Happening::Received { .. }));
            });
            let watched = watched.expect("the ledger balances");
            assert!(receives > 0, "{name}, {}", variant.name);
            assert!(format!("{alone:?}") == format!("{watched:?}"), "{name}, {}", variant.name);
        }
    }
}
