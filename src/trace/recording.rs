//! What happened to one message, event by event.

use super::walk::{Track, Whereabouts};
use super::{Answer, Pick, TraceError};
use crate::model::policy::{Backoff, ClassDisposition, Disposition, Dispositions, PolicySettings};
use crate::model::queue::QueueKind;
use crate::scenario::Setup;
use crate::simulation::{Happening, MessageIdentity, Sight};

/// Which message is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The one with that number; all its copies are followed.
    Message(u64),
    /// One that has to be found first.
    Picked(Pick),
}

/// A delay of a policy, and what it was drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// The delay, in seconds.
    pub delay_s: u32,
    /// The smallest delay that this attempt could have drawn.
    pub low_s: u32,
    /// The largest.
    pub high_s: u32,
}

/// Something that happened to the message, and how it stood just before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// What happened.
    pub sight: Sight,
    /// Time since the entry before.
    pub since_us: u64,
    /// Where this copy was.
    pub whereabouts: Whereabouts,
    /// For how long.
    pub stood_us: u64,
    /// The count of its latest receive, this entry included.
    pub receive_count: u32,
    /// Other messages that were received from its queue while it was visible.
    pub overtaken_by: u64,
    /// What a decision has drawn, where a backoff was asked.
    pub drawn: Option<Drawn>,
}

/// The story of one message.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Its number.
    pub key: u64,
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// Its copies, each in each of its queues, in the order in which they came.
    pub tracks: Vec<Track>,
    /// Names of the queues, the dead-letter queue last.
    pub queues: Vec<String>,
    /// The limit of receives of each queue.
    pub max_receive_counts: Vec<Option<u32>>,
    /// End of the run.
    pub end_us: u64,
}

impl Trace {
    /// Number of the dead-letter queue.
    pub fn dead_letter_line(&self) -> usize {
        self.queues.len() - 1
    }

    /// What it comes to.
    pub fn answer(&self) -> Answer {
        Answer::of(self)
    }
}

/// What a queue's policy does about an error.
#[derive(Debug)]
struct Policy {
    dispositions: Dispositions,
    backoff: Option<Backoff>,
    floor_s: u32,
}

/// Follows one message through a run.
#[derive(Debug)]
pub(super) struct Recording {
    key: u64,
    policies: Vec<Policy>,
    queues: Vec<String>,
    max_receive_counts: Vec<Option<u32>>,
    entries: Vec<Entry>,
    tracks: Vec<Track>,
    /// Receives of each queue so far.
    receives: Vec<u64>,
    /// The same when each track's message became visible.
    receives_before: Vec<u64>,
    /// Messages that producers have sent.
    sent: u64,
}

impl Recording {
    /// Of the message of that number.
    pub fn new(setup: &Setup, key: u64) -> Self {
        let policy = |settings: &PolicySettings| Policy {
            dispositions: settings.dispositions,
            backoff: settings.backoff.build(),
            floor_s: settings.floor_s,
        };
        let others = &setup.other_queues;
        let named = |kind: QueueKind, name: &str| match kind {
            QueueKind::Standard => name.to_owned(),
            QueueKind::Fifo => format!("{name} (FIFO)"),
        };
        let mut queues = vec![named(setup.queue.kind, "the queue")];
        queues.extend(others.iter().map(|other| named(other.queue.kind, &format!("queue {}", other.name))));
        queues.push("the dead-letter queue".to_owned());
        let mut max_receive_counts = vec![setup.queue.max_receive_count];
        max_receive_counts.extend(others.iter().map(|other| other.queue.max_receive_count));
        max_receive_counts.push(setup.dead_letter_queue.queue.max_receive_count);
        Self {
            key,
            policies: setup.policies().map(policy).collect(),
            receives: vec![0; queues.len()],
            queues,
            max_receive_counts,
            entries: Vec::new(),
            tracks: Vec::new(),
            receives_before: Vec::new(),
            sent: 0,
        }
    }

    /// Something has happened to some message.
    pub fn note(&mut self, sight: &Sight) {
        if matches!(sight.happening, Happening::Received { .. } | Happening::DeliveryLost { .. }) {
            self.receives[sight.line] += 1;
        }
        if let Happening::Entered { .. } | Happening::Deduplicated = sight.happening {
            self.sent = self.sent.max(sight.message.key + 1);
        }
        if sight.message.key == self.key {
            self.record(sight);
        }
    }

    fn record(&mut self, sight: &Sight) {
        let mut sight = *sight;
        let before_us = self.entries.last().map_or(sight.at_us, |entry| entry.sight.at_us);
        if let (Happening::WorkedUnheard, Some(last)) = (sight.happening, self.entries.last()) {
            sight.line = last.sight.line;
        }
        let number = self.track(&sight);
        let track = &mut self.tracks[number];
        let (whereabouts, stood_since_us) = track.now();
        let was_visible = whereabouts == Whereabouts::Visible;
        track.step(&sight);
        let (now, receive_count) = (track.now().0, track.receive_count());
        let overtaken_by = self.overtaken_by(&sight, number, was_visible);
        if now == Whereabouts::Visible && !was_visible {
            self.receives_before[number] = self.receives[sight.line];
        }
        self.entries.push(Entry {
            sight,
            since_us: sight.at_us - before_us,
            whereabouts,
            stood_us: sight.at_us - stood_since_us,
            receive_count,
            overtaken_by,
            drawn: self.drawn(&sight),
        });
    }

    /// How many receives of others there were since it became visible; its own receive counts already.
    fn overtaken_by(&self, sight: &Sight, track: usize, was_visible: bool) -> u64 {
        let own = match sight.happening {
            Happening::Received { .. } | Happening::DeliveryLost { .. } => 1,
            _ => 0,
        };
        let all = self.receives[sight.line] - self.receives_before[track];
        if was_visible { all.saturating_sub(own) } else { 0 }
    }

    /// The track of that copy, a new one where it has just come.
    fn track(&mut self, sight: &Sight) -> usize {
        let is_its = |track: &Track| track.line == sight.line && track.message == sight.message;
        let comes = matches!(sight.happening, Happening::Entered { .. });
        match self.tracks.iter().rposition(is_its) {
            Some(number) if !comes => number,
            _ => {
                self.tracks.push(Track::new(sight));
                self.receives_before.push(self.receives[sight.line]);
                self.tracks.len() - 1
            }
        }
    }

    /// What a decision has drawn, and from what.
    fn drawn(&self, sight: &Sight) -> Option<Drawn> {
        let Happening::Decided { receive_count, seen, disposition, .. } = sight.happening else { return None };
        let Disposition::ChangeVisibility { delay_s } = disposition else { return None };
        let policy = self.policies.get(sight.line)?;
        let backs_off = policy.dispositions.of(seen.class()) == ClassDisposition::BackOff;
        let range = policy.backoff.as_ref().filter(|_| backs_off)?.range(receive_count);
        Some(Drawn { delay_s, low_s: range.low_s.max(policy.floor_s), high_s: range.high_s.max(policy.floor_s) })
    }

    /// The run is over.
    pub fn finish(mut self, end_us: u64) -> Result<Trace, TraceError> {
        if self.entries.is_empty() {
            return Err(TraceError::NoSuchMessage { key: self.key, sent: self.sent });
        }
        self.tracks.iter_mut().for_each(|track| track.finish(end_us));
        Ok(Trace {
            key: self.key,
            entries: self.entries,
            tracks: self.tracks,
            queues: self.queues,
            max_receive_counts: self.max_receive_counts,
            end_us,
        })
    }
}

/// A copy in a few words; empty for what its producer sent first.
pub fn copy_words(message: MessageIdentity) -> String {
    let second = message.is_second_send.then(|| "second send".to_owned());
    let times = (message.times_anew > 0).then(|| format!("copy {}", message.times_anew));
    let extra = (message.extra_copy > 0).then(|| format!("extra {}", message.extra_copy));
    [second, times, extra].into_iter().flatten().collect::<Vec<_>>().join(", ")
}
