//! What the story of a message comes to: how often it was received, where its time went, and why the gaps between its
//! receives are what they are.

use super::gap::{Gap, GapEnd, gaps};
use super::recording::{Trace, copy_words};
use super::span::exact;
use super::walk::{Ending, Track, Whereabouts};
use crate::simulation::{DeadLettering, Happening};

/// Gaps that differ by less than this share of the longest are even.
const EVEN: f64 = 0.01;

/// What the story of a message comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Receives, of all its copies.
    pub receives: u64,
    /// Receives that led to a call.
    pub receives_with_call: u64,
    /// Calls that went out.
    pub calls: u64,
    /// Calls that were a success.
    pub successes: u64,
    /// Where its time in source queues went, in the order of a message's life.
    pub spent_us: Vec<(Whereabouts, u64)>,
    /// Sentences that say all that.
    pub sentences: Vec<String>,
    /// The gaps of each copy that has any, with a sentence for each.
    pub gaps: Vec<(Gap, String)>,
    /// Why the gaps are even or not.
    pub evenness: Vec<String>,
}

impl Answer {
    /// Of a trace.
    pub(super) fn of(trace: &Trace) -> Self {
        let count =
            |is: fn(Happening) -> bool| trace.entries.iter().filter(|entry| is(entry.sight.happening)).count() as u64;
        let mut answer = Self {
            receives: trace.tracks.iter().map(|track| track.receives.len() as u64).sum(),
            receives_with_call: count(|happening| matches!(happening, Happening::CallBegan { tries: 1, .. })),
            calls: count(|happening| matches!(happening, Happening::CallBegan { .. })),
            successes: count(|happening| matches!(happening, Happening::CallWorked { .. })),
            spent_us: spent_us(trace),
            sentences: Vec::new(),
            gaps: trace.tracks.iter().flat_map(|track| told_gaps(trace, track)).collect(),
            evenness: Vec::new(),
        };
        answer.sentences = answer.told(trace);
        answer.evenness = evenness(&answer.gaps);
        answer
    }

    fn told(&self, trace: &Trace) -> Vec<String> {
        let mut told = vec![self.counts(trace)];
        told.extend(trace.tracks.iter().map(|track| fate(trace, track)));
        if self.successes > 1 {
            told.push(format!("It was processed {} times: whatever its call does was done as often.", self.successes));
        }
        let total_us: u64 = self.spent_us.iter().map(|(_, spent_us)| spent_us).sum();
        if total_us > 0 {
            let parts: Vec<String> = self
                .spent_us
                .iter()
                .map(|(whereabouts, spent_us)| format!("{} {}", exact(*spent_us), whereabouts.words()))
                .collect();
            told.push(format!(
                "Where its {} outside the dead-letter queue went: {}.",
                exact(total_us),
                parts.join(", ")
            ));
        }
        told
    }

    fn counts(&self, trace: &Trace) -> String {
        let calls = match self.receives_with_call {
            all if all == self.receives => "each led to a call".to_owned(),
            some => format!("{some} of these led to a call"),
        };
        let limit = match trace.tracks.first().and_then(|track| trace.max_receive_counts[track.line]) {
            Some(limit) => format!("N = {limit}"),
            None => "its queue has no limit of receives".to_owned(),
        };
        let copies = match trace.tracks.iter().filter(|track| track.line != trace.dead_letter_line()).count() {
            0 | 1 => String::new(),
            copies => format!(", over {copies} copies that each count anew"),
        };
        match self.receives {
            0 => format!("It was never received ({limit})."),
            1 => format!(
                "It was received once ({limit}); {}.",
                if self.receives_with_call == 1 { "that led to a call" } else { "that led to no call" }
            ),
            receives => format!("It was received {receives} times ({limit}){copies}; {calls}."),
        }
    }
}

/// Where the time in source queues went; what took no time is left out.
fn spent_us(trace: &Trace) -> Vec<(Whereabouts, u64)> {
    let dead_letter_line = trace.dead_letter_line();
    let stretches =
        || trace.tracks.iter().filter(|track| track.line != dead_letter_line).flat_map(|track| &track.stretches);
    let spent = |whereabouts| {
        let of = stretches().filter(|stretch| stretch.whereabouts == whereabouts);
        (whereabouts, of.map(|stretch| stretch.until_us - stretch.from_us).sum())
    };
    Whereabouts::ALL.into_iter().map(spent).filter(|(_, spent_us)| *spent_us > 0).collect()
}

/// What became of a copy.
fn fate(trace: &Trace, track: &Track) -> String {
    let (after, queue) = (exact(track.until_us - track.from_us), &trace.queues[track.line]);
    let who = match copy_words(track.message) {
        copy if copy.is_empty() => format!("In {queue} it"),
        copy => format!("In {queue} the {copy}"),
    };
    let limit = trace.max_receive_counts[track.line].map_or(String::new(), |limit| format!(" of {limit}"));
    match track.ending {
        Ending::Deleted => format!("{who} was deleted after {after}."),
        Ending::DeadLettered(DeadLettering::Polled) => format!(
            "{who} was used up by receive {}{limit}; it moved to the dead-letter queue after {after}, when the next poll met \
             it (rule Q7, lazy redrive).",
            track.receive_count()
        ),
        Ending::DeadLettered(DeadLettering::AtOnce) => format!(
            "{who} was used up by receive {}{limit}; it moved to the dead-letter queue after {after}, when that lease ended.",
            track.receive_count()
        ),
        Ending::DeadLettered(_) => format!("{who} was sent to the dead-letter queue by its consumer after {after}."),
        Ending::Expired => format!("{who} was removed by retention after {after} (rule Q10, retention)."),
        Ending::Redriven => {
            format!("{who} lay for {after}, until a redrive sent it anew (rule R1, message move task).")
        }
        Ending::Pending => format!("{who} is still there at the end of the run, after {after}."),
    }
}

/// The gaps of a copy, with a sentence for each.
fn told_gaps(trace: &Trace, track: &Track) -> Vec<(Gap, String)> {
    let copy = copy_words(track.message);
    let of_copy = if copy.is_empty() { String::new() } else { format!(" of the {copy}") };
    gaps(trace, track)
        .into_iter()
        .map(|gap| (gap.clone(), format!("{}{of_copy}: {}", ends(&gap), parts(&gap))))
        .collect()
}

fn ends(gap: &Gap) -> String {
    match gap.end {
        GapEnd::Receive(count) => format!("receive {} to {count}, {}", gap.receive_count, exact(gap.for_us)),
        GapEnd::Left(_) => format!("receive {} to the move, {}", gap.receive_count, exact(gap.for_us)),
    }
}

fn parts(gap: &Gap) -> String {
    let part = |whereabouts: Whereabouts, for_us: u64| {
        let time = exact(for_us);
        match (whereabouts, gap.drawn, gap.overtaken_by) {
            (Whereabouts::BackingOff, Some(drawn), _) if drawn.low_s != drawn.high_s => format!(
                "{time} hidden by the backoff, which drew {} s of {} to {} s",
                drawn.delay_s, drawn.low_s, drawn.high_s
            ),
            (Whereabouts::Visible, _, 0) => format!("{time} visible until a poll met it"),
            (Whereabouts::Visible, _, 1) => format!("{time} visible, while 1 other was received"),
            (Whereabouts::Visible, _, others) => format!("{time} visible, while {others} others were received"),
            (whereabouts, ..) => format!("{time} {}", whereabouts.words()),
        }
    };
    let mut parts: Vec<String> = gap.parts.iter().map(|of| part(of.whereabouts, of.for_us)).collect();
    if let Some(drawn) = gap.drawn.filter(|drawn| drawn.low_s != drawn.high_s)
        && gap.part_us(Whereabouts::BackingOff) == 0
    {
        parts.push(format!("the backoff drew {} s of {} to {} s", drawn.delay_s, drawn.low_s, drawn.high_s));
    }
    match gap.lease_ended_at {
        Some(Whereabouts::Buffered) => parts.push("the lease ended in the buffer".to_owned()),
        Some(_) => parts.push("the lease ended while the handler was at work".to_owned()),
        None => {}
    }
    parts.join(", ")
}

/// Why the gaps are even or not.
fn evenness(gaps: &[(Gap, String)]) -> Vec<String> {
    let lengths = || gaps.iter().map(|(gap, _)| gap.for_us);
    let (Some(shortest_us), Some(longest_us)) = (lengths().min(), lengths().max()) else { return Vec::new() };
    if gaps.len() < 2 {
        return Vec::new();
    }
    if (longest_us - shortest_us) as f64 <= longest_us as f64 * EVEN {
        return vec![match shortest_us == longest_us {
            true => format!("The gaps are even: {} each.", exact(shortest_us)),
            false => format!("The gaps are even: {} to {}.", exact(shortest_us), exact(longest_us)),
        }];
    }
    let range = format!("The gaps are uneven, {} to {}:", exact(shortest_us), exact(longest_us));
    let reasons = reasons(gaps, (longest_us as f64 * EVEN) as u64);
    vec![format!("{range} {}.", reasons.join("; "))]
}

fn reasons(gaps: &[(Gap, String)], noticeable_us: u64) -> Vec<String> {
    let drawn = || gaps.iter().filter_map(|(gap, _)| gap.drawn);
    let count = |is: &dyn Fn(&Gap) -> bool| gaps.iter().filter(|(gap, _)| is(gap)).count();
    let mut reasons = Vec::new();
    if drawn().any(|drawn| drawn.low_s != drawn.high_s) {
        reasons.push("jitter draws each delay anew".to_owned());
    }
    if drawn().zip(drawn().skip(1)).any(|(one, next)| (one.low_s, one.high_s) != (next.low_s, next.high_s)) {
        reasons.push("what the backoff draws from changes from attempt to attempt".to_owned());
    }
    let in_work = count(&|gap| gap.lease_ended_at == Some(Whereabouts::Handled));
    let in_buffer = count(&|gap| gap.lease_ended_at == Some(Whereabouts::Buffered));
    let waited = count(&|gap| gap.part_us(Whereabouts::Visible) > noticeable_us);
    let ran = count(&|gap| gap.part_us(Whereabouts::LeaseRuns) > noticeable_us);
    let times = |count: usize| if count == 1 { "once".to_owned() } else { format!("{count} times") };
    for (count, words) in [
        (in_work, "a lease ended while the handler was still at work"),
        (in_buffer, "a lease ended in the buffer"),
        (waited, "it had to wait visible for a poll to get to it"),
        (ran, "nobody changed the lease, and it ran to its end"),
    ] {
        if count > 0 {
            reasons.push(format!("{} {words}", times(count)));
        }
    }
    if reasons.is_empty() {
        reasons.push("its handlers took different times".to_owned());
    }
    reasons
}
