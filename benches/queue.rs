//! What a queue costs with many messages in it: receive and delete, and changes of visibility.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::Rng;
use retrystorm::engine::random::Streams;
use retrystorm::model::queue::{
    Delivery, MessageTag, NewMessage, Queue, QueueDraws, QueueKind, QueueSettings, ReceiveCall, Received,
};

/// Steps of one measured iteration.
const STEPS: u64 = 1_000;

/// A kind of queue under measurement.
#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    kind: QueueKind,
    /// Message groups; `None`: each message has its own.
    groups: Option<u64>,
}

const KINDS: [Kind; 3] = [
    Kind { name: "standard", kind: QueueKind::Standard, groups: None },
    Kind { name: "fifo_10_groups", kind: QueueKind::Fifo, groups: Some(10) },
    Kind { name: "fifo_group_each", kind: QueueKind::Fifo, groups: None },
];

/// A queue that is kept at one number of messages.
struct Load {
    queue: Queue,
    kind: Kind,
    last_id: u64,
    now_us: u64,
}

impl Load {
    fn new(kind: Kind, messages: u64) -> Self {
        let settings = QueueSettings {
            kind: kind.kind,
            in_flight_limit: u32::MAX,
            look_ahead: u32::MAX,
            ..QueueSettings::default()
        };
        let queue = Queue::new(settings, u64::MAX, QueueDraws::new(&Streams::new(42, 0)));
        let mut load = Self { queue, kind, last_id: 0, now_us: 0 };
        (0..messages).for_each(|_| load.send());
        load
    }

    fn send(&mut self) {
        self.last_id += 1;
        self.now_us += 1;
        let group = self.last_id % self.kind.groups.unwrap_or(u64::from(u32::MAX));
        let new = NewMessage { group: group as u32, ..NewMessage::new(self.last_id, MessageTag::default()) };
        self.queue.enqueue(self.now_us, new);
    }

    fn receive(&mut self) -> Option<Delivery> {
        match self.queue.receive_next(self.now_us, &mut ReceiveCall::new()) {
            Received::Message(delivery) => Some(delivery),
            _ => None,
        }
    }

    /// Receives a message, deletes it, and sends another one in its place.
    fn receive_and_delete(&mut self) {
        let Some(delivery) = self.receive() else { return };
        self.queue.delete(delivery.receipt);
        self.queue.let_go(delivery.receipt);
        self.send();
    }

    /// Makes a message visible that is in flight, and receives the one that now comes first.
    fn release_and_receive(&mut self, held: &mut Delivery) {
        let released = self.queue.change_visibility(self.now_us, held.receipt, 0);
        assert!(released.is_ok());
        self.queue.let_go(held.receipt);
        if let Some(delivery) = self.receive() {
            *held = delivery;
        }
    }
}

fn queue(criterion: &mut Criterion) {
    for kind in KINDS {
        let mut group = criterion.benchmark_group(kind.name);
        group.throughput(Throughput::Elements(STEPS)).sample_size(20);
        for messages in [1_000_u64, 10_000, 100_000, 1_000_000] {
            group.bench_with_input(
                BenchmarkId::new("receive_delete_send", messages),
                &messages,
                |bencher, &messages| {
                    let mut load = Load::new(kind, messages);
                    bencher.iter(|| (0..STEPS).for_each(|_| load.receive_and_delete()));
                },
            );
            group.bench_with_input(BenchmarkId::new("extend", messages), &messages, |bencher, &messages| {
                let mut load = Load::new(kind, messages);
                let held: Vec<Delivery> = (0..messages / 2).map_while(|_| load.receive()).collect();
                let mut random = Streams::new(42, 0).sequential("bench", 0);
                bencher.iter(|| {
                    for _ in 0..STEPS {
                        let picked = held[random.next_u64() as usize % held.len()];
                        assert!(load.queue.change_visibility(load.now_us, picked.receipt, 600).is_ok());
                    }
                });
            });
            group.bench_with_input(BenchmarkId::new("release_receive", messages), &messages, |bencher, &messages| {
                let mut load = Load::new(kind, messages);
                let mut held: Vec<Delivery> = (0..messages / 2).map_while(|_| load.receive()).collect();
                let mut random = Streams::new(42, 0).sequential("bench", 0);
                bencher.iter(|| {
                    for _ in 0..STEPS {
                        let picked = random.next_u64() as usize % held.len();
                        load.release_and_receive(&mut held[picked]);
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, queue);
criterion_main!(benches);
