//! A healthy fleet at half load dead-letters nothing, loses nothing and does nothing twice, whatever kind of consumers it has.

use retrystorm::measure::Metric;
use retrystorm::model::consumer::presets::PRESETS;

#[path = "support/mod.rs"]
mod support;

use support::{metric, outcome, scenario};

/// Two consumers with so many slots, each slot busy for half the time, for an hour.
fn is_healthy(consumers: &str, slots: u32, queue: &str) {
    are_healthy(&format!("fleet: 2, {consumers}"), slots, queue);
}

fn are_healthy(consumers: &str, slots: u32, queue: &str) {
    let service_ms = slots * 50;
    let outcome = outcome(&format!(
        "
duration: 1h
queue: {{ redrive: {{ max_receive_count: 3 }}, {queue} }}
producers: [ {{ rate: 20/s, groups: 1000 }} ]
consumers: {{ {consumers} }}
downstream: {{ servers: 1000, service_time: {service_ms}ms }}
variants: {{ only: {{}} }}
"
    ));
    let names = [
        Metric::DeadLettered,
        Metric::Expired,
        Metric::DeletedUnprocessed,
        Metric::Duplicates,
        Metric::DuplicateEffects,
        Metric::CallsFailed,
        Metric::HandlersKilled,
        Metric::AcknowledgementsLost,
    ];
    for name in names {
        assert_eq!(metric(&outcome, name), 0.0, "{} of {consumers}", name.name());
    }
    let (enqueued, processed) = (metric(&outcome, Metric::Enqueued), metric(&outcome, Metric::Processed));
    assert!(enqueued > 70_000.0 && enqueued - processed < 200.0, "{processed} of {enqueued} with {consumers}");
}

#[test]
fn whenever_they_poll_and_whenever_they_delete() {
    for polls in ["when_room", "when_empty", "always"] {
        for acknowledge in ["each", "early", "{ batched: {} }"] {
            for drops_aged in [false, true] {
                let kind = format!("polls: {polls}, acknowledge: {acknowledge}, drops_aged: {drops_aged}");
                is_healthy(&format!("{kind}, concurrency: 10, prefetch: 5"), 10, "");
            }
        }
    }
}

#[test]
fn whatever_they_do_with_what_they_have_no_place_for() {
    for overflow in ["leave", "release"] {
        is_healthy(&format!("polls: always, overflow: {overflow}, concurrency: 20, prefetch: 10"), 20, "");
    }
}

#[test]
fn on_a_fifo_queue_too() {
    for acknowledge in ["each", "early", "{ batched: {} }"] {
        is_healthy(&format!("acknowledge: {acknowledge}"), 10, "type: fifo");
    }
}

#[test]
fn as_sequential_batches() {
    is_healthy("concurrency: 1, prefetch: 9, polls: when_empty", 1, "");
    is_healthy("concurrency: 1, prefetch: 9, polls: when_empty, drops_aged: true, wait: 0s", 1, "");
}

#[test]
fn with_the_defaults_of_every_client_library() {
    for preset in PRESETS {
        let text = format!(
            "duration: 1m\nproducers: [ {{ rate: 1/s }} ]\ndownstream: {{ servers: 1, service_time: 1ms }}\n\
             consumers: {{ like: {} }}\nvariants: {{ only: {{}} }}",
            preset.name
        );
        let consumers = &scenario(&text).variants[0].setup.consumers;
        let like = format!("like: {}", preset.name);
        match consumers.lambda {
            None => is_healthy(&like, consumers.concurrency, ""),
            // Five pollers at first, and twenty messages a second of 50 ms each.
            Some(_) => are_healthy(&like, 1, ""),
        }
    }
}
