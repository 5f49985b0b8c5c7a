//! The queue against a second, naive implementation of its rules, under random operations.

mod model;
mod operations;
mod pair;

use operations::{Operation, operation, settings};
use pair::{Held, Pair};
use proptest::prelude::*;
use proptest::sample::Index;
use retrystorm::engine::random::Streams;
use retrystorm::model::queue::{MessageTag, NewMessage, QueueDraws, QueueKind, QueueSettings, Removed};

/// A source and its dead-letter queue, each beside its reference.
struct Bench {
    now_us: u64,
    pairs: [Pair; 2],
    held: Vec<(usize, Held)>,
    last_id: u64,
}

impl Bench {
    fn new(source: &QueueSettings, dead_letter_queue: &QueueSettings) -> Self {
        let draws = QueueDraws::new(&Streams::new(7, 0));
        let pairs = [Pair::new(source, draws), Pair::new(dead_letter_queue, draws)];
        Self { now_us: 0, pairs, held: Vec::new(), last_id: 0 }
    }

    fn run(mut self, operations: &[Operation]) {
        for operation in operations {
            self.apply(operation);
            self.pairs.iter_mut().for_each(Pair::compare_levels);
        }
        for (queue, held) in std::mem::take(&mut self.held) {
            self.pairs[queue].let_go(held);
        }
        self.pairs.iter_mut().for_each(Pair::compare_levels);
    }

    fn apply(&mut self, operation: &Operation) {
        match *operation {
            Operation::Send { queue, delay_us, group, deduplication_id } => {
                let new = NewMessage { delay_us, group, deduplication_id, ..self.next_message() };
                self.pairs[queue].send(self.now_us, new);
            }
            Operation::Receive { queue, limit, visibility_timeout_us } => {
                let (moved, held) = self.pairs[queue].receive(self.now_us, limit, visibility_timeout_us);
                self.held.extend(held.into_iter().map(|held| (queue, held)));
                self.move_on(queue, moved);
            }
            Operation::Delete { held } => {
                if let Some((queue, held)) = self.pick(held) {
                    self.pairs[queue].delete(held);
                }
            }
            Operation::Change { held, delay_s } => {
                if let Some((queue, held)) = self.pick(held) {
                    let moved = self.pairs[queue].change(self.now_us, held, delay_s);
                    self.move_on(queue, moved.into_iter().collect());
                }
            }
            Operation::LetGo { held } => {
                if let Some((queue, held)) = self.take(held) {
                    self.pairs[queue].let_go(held);
                }
            }
            Operation::Wait { for_us } => self.wait_until(self.now_us + for_us),
            Operation::WaitForEnd { announced } => {
                if let Some(end_us) = self.next_end_us() {
                    if end_us > self.now_us && !announced {
                        self.now_us = end_us;
                    } else {
                        self.wait_until(end_us);
                    }
                }
            }
            Operation::Expire { queue } => self.pairs[queue].expire(self.now_us),
            Operation::SetVisibilityTimeout { queue, visibility_timeout_us } => {
                self.pairs[queue].set_visibility_timeout_us(visibility_timeout_us);
            }
            Operation::SetMaxReceiveCount { queue, max_receive_count } => {
                self.pairs[queue].set_max_receive_count(max_receive_count);
            }
            Operation::SetRetention { queue, retention_us } => self.pairs[queue].set_retention_us(retention_us),
            Operation::Redrive { count } => self.redrive(count),
        }
    }

    fn next_message(&mut self) -> NewMessage {
        self.last_id += 1;
        NewMessage::new(self.last_id, MessageTag::default())
    }

    /// Messages that have left a queue: from the source to the dead-letter queue, from there out of sight.
    fn move_on(&mut self, queue: usize, moved: Vec<Removed>) {
        if queue == 0 {
            moved.into_iter().for_each(|removed| self.pairs[1].send_moved(self.now_us, removed));
        }
    }

    /// Rule R1, message move task: what comes back are new messages.
    fn redrive(&mut self, count: usize) {
        for removed in self.pairs[1].take_oldest(count) {
            let new = NewMessage { group: removed.group, ..self.next_message() };
            self.pairs[0].send(self.now_us, new);
        }
    }

    fn pick(&self, held: Index) -> Option<(usize, Held)> {
        (!self.held.is_empty()).then(|| self.held[held.index(self.held.len())])
    }

    fn take(&mut self, held: Index) -> Option<(usize, Held)> {
        (!self.held.is_empty()).then(|| self.held.swap_remove(held.index(self.held.len())))
    }

    fn next_end_us(&self) -> Option<u64> {
        self.pairs.iter().filter_map(Pair::next_end_us).min()
    }

    /// Moves time on, from end to end.
    fn wait_until(&mut self, until_us: u64) {
        while let Some(end_us) = self.next_end_us().filter(|&end_us| end_us <= until_us) {
            self.now_us = end_us;
            for queue in 0..self.pairs.len() {
                let moved = self.pairs[queue].end_all(end_us);
                self.move_on(queue, moved);
            }
        }
        self.now_us = until_us;
    }
}

/// Steps of each case.
const STEPS: usize = 60;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn a_standard_queue_answers_as_its_reference(
        source in settings(QueueKind::Standard),
        dead_letter_queue in settings(QueueKind::Standard),
        operations in prop::collection::vec(operation(), STEPS),
    ) {
        Bench::new(&source, &dead_letter_queue).run(&operations);
    }

    #[test]
    fn a_fifo_queue_answers_as_its_reference(
        source in settings(QueueKind::Fifo),
        dead_letter_queue in settings(QueueKind::Fifo),
        operations in prop::collection::vec(operation(), STEPS),
    ) {
        Bench::new(&source, &dead_letter_queue).run(&operations);
    }
}
