//! Who watches changes nothing, and is told of everything that counts.

use proptest::prelude::*;
use retrystorm::measure::Metric;
use retrystorm::scenario::Variant;
use retrystorm::simulation::{DeadLettering, Happening, Run, simulate_watched};
use retrystorm::trace::{TraceError, Wanted, trace};

use crate::setups::{DURATION_US, whole_setup};
use crate::{CASES, config, metric, outcome};

/// What was told, as often as it was.
#[derive(Debug, Default)]
struct Told {
    receives: u64,
    calls: u64,
    successes: u64,
    dead_lettered: u64,
    redriven: u64,
    killed: u64,
}

impl Told {
    fn note(&mut self, happening: Happening, is_at_source: bool) {
        let count = match happening {
            Happening::Received { .. } | Happening::DeliveryLost { .. } if is_at_source => &mut self.receives,
            Happening::CallBegan { .. } => &mut self.calls,
            Happening::CallWorked { .. } => &mut self.successes,
            Happening::DeadLettered(way) if way != DeadLettering::Copied => &mut self.dead_lettered,
            Happening::Redriven => &mut self.redriven,
            Happening::HandlerKilled { .. } => &mut self.killed,
            _ => return,
        };
        *count += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES / 6, ..config() })]

    #[test]
    fn who_watches_changes_nothing_and_is_told_everything(setup in whole_setup(), seed in any::<u64>()) {
        let run = Run { seed, replication: 0, duration_us: DURATION_US };
        let dead_letter_line = setup.other_queues.len() + 1;
        let mut told = Told::default();
        let watched = simulate_watched(&setup, run, &mut |sight| {
            told.note(sight.happening, sight.line != dead_letter_line);
        });
        let (watched, alone) = (watched.expect("the ledger balances"), outcome(&setup, seed));
        prop_assert_eq!(format!("{watched:?}"), format!("{alone:?}"));
        prop_assert_eq!(told.receives as f64, metric(&alone, Metric::Receives));
        prop_assert_eq!(told.calls as f64, metric(&alone, Metric::Calls));
        prop_assert_eq!(told.dead_lettered as f64, metric(&alone, Metric::DeadLettered));
        prop_assert_eq!(told.redriven as f64, metric(&alone, Metric::Redriven));
        let firsts = alone.time_to_success.count() as f64;
        prop_assert_eq!(told.successes as f64, firsts + metric(&alone, Metric::Duplicates));
    }

    /// Every moment of a copy in a queue is told, and none twice; and every story can be told in words.
    #[test]
    fn a_story_has_no_gaps(setup in whole_setup(), seed in any::<u64>(), key in 0_u64..40) {
        let run = Run { seed, replication: 0, duration_us: DURATION_US };
        let variant = Variant { name: "only".to_owned(), setup };
        let story = match trace(&variant, run, Wanted::Message(key)) {
            Ok(story) => story,
            Err(TraceError::NoSuchMessage { .. }) => return Ok(()),
            Err(other) => panic!("{other}"),
        };
        for track in &story.tracks {
            let mut at_us = track.from_us;
            for stretch in &track.stretches {
                prop_assert_eq!(stretch.from_us, at_us);
                at_us = stretch.until_us;
            }
            prop_assert_eq!(at_us, track.until_us);
            prop_assert!(track.receives.iter().all(|(at_us, _)| *at_us <= track.until_us));
            let namesakes = story.tracks.iter().filter(|other| (other.line, other.message) == (track.line, track.message));
            prop_assert_eq!(namesakes.count(), 1, "two copies with one name");
        }
        let answer = story.answer();
        prop_assert!(answer.successes <= answer.calls);
        prop_assert!(!answer.sentences.is_empty());
        for entry in &story.entries {
            prop_assert!(retrystorm::trace::tell(&story, entry).words != "something else happens", "{:?}", entry);
        }
        let report = retrystorm::report::TraceReport {
            trace: &story, scenario_file: "test.yaml", variant: "only", seed, replication: 0,
            outages: &variant.setup.downstream.outages,
        };
        prop_assert!(retrystorm::report::trace_text(&report).lines().all(|line| line.chars().count() <= 100));
        prop_assert!(retrystorm::report::trace_json(&report).lines().count() == story.entries.len() + 2);
    }
}
