//! The simulator against exact results of queueing theory: mean waits in front of one, ten and sixty servers.

mod support;

use retrystorm::study::Estimate;
use support::{outcome_of, scenario};

/// Mean time from enqueue to success over independent replications, with its 95 % interval.
fn mean_time_in_system_s(rate: &str, servers: u32, service: &str, duration: &str, replications: u32) -> Estimate {
    let scenario = scenario(&format!(
        "
duration: {duration}
replications: {replications}
queue: {{ visibility_timeout: 12h, retention: 14d }}
producers: [ {{ rate: {rate} }} ]
consumers: {{ fleet: 1, concurrency: 5000, batch: 1 }}
downstream: {{ servers: {servers}, service_time: {{ exponential: {service} }} }}
variants: {{ only: {{}} }}
"
    ));
    let means: Vec<f64> = (0..replications)
        .map(|replication| outcome_of(&scenario, 0, replication).time_to_success.mean_s().expect("successes"))
        .collect();
    Estimate::of(&means).expect("replications")
}

/// The interval must hold the exact value, and be narrow enough to mean something.
fn assert_holds(estimate: Estimate, service_s: f64, wait_s: f64, tolerance_s: f64) {
    let exact = service_s + wait_s;
    assert!((estimate.lo..=estimate.hi).contains(&exact), "{exact} lies outside of {estimate:?}");
    assert!(estimate.hi - estimate.lo < 2.0 * tolerance_s, "too wide to tell anything: {estimate:?}");
}

#[test]
fn one_server_at_80_percent_makes_calls_wait_four_service_times() {
    assert_holds(mean_time_in_system_s("0.8/s", 1, "1s", "20h", 20), 1.0, 4.0, 0.2);
}

#[test]
fn ten_servers_at_80_percent_share_the_wait() {
    assert_holds(mean_time_in_system_s("8/s", 10, "1s", "2h", 20), 1.0, 0.204_590, 0.01);
}

#[test]
fn sixty_servers_at_92_percent_hardly_wait() {
    assert_holds(mean_time_in_system_s("1100/s", 60, "50ms", "5m", 100), 0.05, 0.004_032, 0.000_1);
}
