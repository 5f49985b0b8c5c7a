//! What happened, in plain words, and the rule that explains it.

use super::recording::{Entry, Trace};
use super::span::exact;
use super::walk::Whereabouts;
use crate::model::policy::{AttemptError, Disposition};
use crate::model::queue::{ChangeRefused, DeleteAnswer};
use crate::simulation::{Changed, DeadLettering, Happening, Standing};

/// An event in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened.
    pub words: String,
    /// The rule that explains it, such as `rule Q1, expired lease`.
    pub rule: Option<&'static str>,
}

impl Told {
    fn plain(words: impl Into<String>) -> Self {
        Self { words: words.into(), rule: None }
    }

    fn by(words: impl Into<String>, rule: &'static str) -> Self {
        Self { words: words.into(), rule: Some(rule) }
    }
}

/// Says what an entry is.
pub fn tell(trace: &Trace, entry: &Entry) -> Told {
    let told = of_entry(trace, entry);
    match entry.sight.happening.attempt() {
        Some(receive_count) if receive_count < entry.receive_count => {
            Told { words: format!("from receive {receive_count}: {}", told.words), ..told }
        }
        _ => told,
    }
}

fn of_entry(trace: &Trace, entry: &Entry) -> Told {
    match entry.sight.happening {
        Happening::Received { receive_count, leased_until_us, consumer } => {
            received(trace, entry, receive_count, leased_until_us, consumer)
        }
        Happening::LeaseEnded(standing) => lease_ended(trace, entry, standing),
        Happening::Decided { error, seen, disposition, .. } => decided(entry, misread(error, seen), disposition),
        Happening::VisibilityChanged { delay_s, changed } => {
            self::changed(&format!("its visibility is set to {delay_s} s"), changed)
        }
        Happening::Extended { extend_to_s, changed } => {
            self::changed(&format!("a heartbeat extends its lease to {extend_to_s} s from now"), changed)
        }
        Happening::HandlerBegan { .. } if entry.whereabouts == Whereabouts::Visible => {
            Told::plain("a handler begins, though its lease is over")
        }
        Happening::Deleted { answer } => deleted(answer),
        Happening::DeadLettered(way) => dead_lettered(entry, way),
        happening => of_queue(trace, entry, happening).unwrap_or_else(|| of_consumer(happening)),
    }
}

/// What happens at the queue.
fn of_queue(trace: &Trace, entry: &Entry, happening: Happening) -> Option<Told> {
    Some(match happening {
        Happening::Entered { class, delayed_until_us, others } => {
            let what = match (entry.sight.line == trace.dead_letter_line(), entry.sight.message.times_anew) {
                (true, _) => "arrives",
                (false, 0) if entry.sight.message.is_second_send => "is sent a second time",
                (false, 0) => "is sent",
                (false, _) => "comes as a new message",
            };
            let queue = &trace.queues[entry.sight.line];
            let first = format!("{what}, class {}: {} visible in {queue}", class.name(), others_words(others));
            match delayed_until_us {
                None => Told::plain(first),
                Some(at_us) => {
                    Told::by(format!("{first}; held back until {}", exact(at_us)), "rule Q16, delivery delay")
                }
            }
        }
        Happening::Deduplicated => {
            Told::by("is sent again, and the queue does not take it again", "rule F7, deduplication")
        }
        Happening::DelayEnded(standing) => {
            let words = format!("its delay is over: visible, {}", beside(standing));
            Told::by(words, "rule Q16, delivery delay")
        }
        Happening::DeliveryLost { receive_count, leased_until_us } => Told::by(
            format!("receive {receive_count} reaches nobody; leased until {}", exact(leased_until_us)),
            "rule Q14, duplicates and lost deliveries",
        ),
        Happening::Expired => Told::by("its retention is over: removed", "rule Q10, retention"),
        Happening::Redriven => Told::by("a redrive takes it, to send it anew", "rule R1, message move task"),
        Happening::Resent => Told::plain("its consumer sends a copy of it"),
        _ => return None,
    })
}

/// What happens at the consumer.
fn of_consumer(happening: Happening) -> Told {
    match happening {
        Happening::Buffered => Told::plain("waits in its consumer's hands: no handler is free for it yet"),
        Happening::NoPlace => Told::plain("its consumer has no place for it"),
        Happening::AgedOut => Told::plain("its consumer comes to it after its lease, and lets it be"),
        Happening::GroupStopped => Told::by(
            "an earlier message of its group has failed: its consumer lets it be, and its lease runs on",
            "rule S1, container defaults",
        ),
        Happening::Invoked { is_cold, batch } => {
            let start = if is_cold { ", in a new environment" } else { "" };
            Told::plain(format!("a function is invoked with its batch of {batch}{start}"))
        }
        Happening::BatchDropped => {
            Told::by("its batch is given up before any handler has seen it; the lease runs on", "rule L6, over-pull")
        }
        Happening::CameBackWithBatch { has_failed: true, .. } => {
            Told::by("the function has ended, and the message stays under its lease", "rule L4, batch failures")
        }
        Happening::CameBackWithBatch { .. } => Told::by(
            "the function has ended, and the message stays under its lease with the rest of its batch, though it did not fail",
            "rule L4, batch failures",
        ),
        Happening::HandlerBegan { .. } => Told::plain("a handler begins"),
        Happening::CallBegan { tries: 1, .. } => Told::plain("its call goes out"),
        Happening::CallBegan { tries, .. } => Told::plain(format!("its call goes out, try {tries} of this receive")),
        Happening::CallWaits => Told::plain("its call waits: no server is free"),
        Happening::CallWorked { is_first: true, .. } => Told::plain("its call works"),
        Happening::CallWorked { .. } => {
            Told::plain("its call works, though one has worked before: it is processed once more")
        }
        Happening::CallFailed { error, .. } => Told::plain(error_words(error)),
        Happening::WorkedUnheard => {
            Told::plain("the downstream does the work of its call all the same, and nobody hears of it")
        }
        Happening::Skipped { .. } => Told::plain("the store says that it is done already: no call"),
        Happening::ClientRetries { after_us } => {
            Told::plain(format!("the client library will try again in {}", exact(after_us)))
        }
        Happening::DeleteHeldBack => {
            Told::by("its delete waits for those of others", "rule S2, batched acknowledgements")
        }
        Happening::DeleteLost => {
            Told::by("its delete was held back, and dies with its consumer", "rule S2, batched acknowledgements")
        }
        Happening::HandlerKilled { .. } => Told::plain("its handler took too long and is killed; the lease runs on"),
        Happening::ConsumerDied { .. } => Told::plain("its consumer's process dies; the lease runs on"),
        // The rest is said elsewhere.
        _ => Told::plain("something else happens"),
    }
}

fn received(trace: &Trace, entry: &Entry, receive_count: u32, leased_until_us: u64, consumer: u32) -> Told {
    let lease = format!("leased until {}", exact(leased_until_us));
    let waited = match (entry.whereabouts, entry.stood_us, entry.overtaken_by) {
        (Whereabouts::Visible, 0, _) => String::new(),
        (Whereabouts::Visible, us, 0) => format!(" after {} visible", exact(us)),
        (Whereabouts::Visible, us, 1) => format!(" after {} visible, behind 1 other", exact(us)),
        (Whereabouts::Visible, us, others) => format!(" after {} visible, behind {others} others", exact(us)),
        _ => " though nobody's lease has ended".to_owned(),
    };
    let is_last = trace.max_receive_counts[entry.sight.line] == Some(receive_count);
    let last = if is_last { "; this receive uses it up" } else { "" };
    let words = format!("receive {receive_count}, by consumer {consumer}{waited}: {lease}{last}");
    match entry.whereabouts {
        Whereabouts::Visible if is_last => Told::by(words, "rule Q7, lazy redrive"),
        Whereabouts::Visible => Told::by(words, "rule Q3, lease per receive"),
        _ => Told::by(words, "rule Q14, duplicates and lost deliveries"),
    }
}

fn lease_ended(trace: &Trace, entry: &Entry, standing: Standing) -> Told {
    let why = match entry.whereabouts {
        Whereabouts::BackingOff => "its delay is over",
        Whereabouts::Handled => "its lease ends while its handler is at work",
        Whereabouts::Buffered => "its lease ends in its consumer's buffer",
        _ => "its lease ends",
    };
    let is_used_up = trace.max_receive_counts[entry.sight.line].is_some_and(|limit| entry.receive_count >= limit);
    match (is_used_up, standing.at_back && standing.others > 0) {
        (true, _) => Told::by(
            format!("{why}: visible again, {}; used up, but it moves only when a poll meets it", beside(standing)),
            "rule Q7, lazy redrive",
        ),
        (false, true) => Told::by(
            format!("{why}: visible again, at the back, behind {}", others_words(standing.others)),
            "rule Q8, back of queue",
        ),
        (false, false) if entry.whereabouts == Whereabouts::BackingOff => {
            Told::by(format!("{why}: visible again, {}", beside(standing)), "rule Q4, change replaces")
        }
        (false, false) => Told::by(format!("{why}: visible again, {}", beside(standing)), "rule Q1, expired lease"),
    }
}

/// What the consumer took the error for, where it took it for another one.
fn misread(error: AttemptError, seen: AttemptError) -> &'static str {
    match seen {
        seen if seen == error => "",
        AttemptError::Permanent => ", which its consumer takes for a permanent one,",
        AttemptError::Unknown => ", of which its consumer can make nothing,",
        _ => ", which its consumer takes for the downstream's,",
    }
}

fn decided(entry: &Entry, read: &str, disposition: Disposition) -> Told {
    match disposition {
        Disposition::LetLeaseExpire => {
            Told::by(format!("after this error{read} the policy lets the lease run out"), "rule Q1, expired lease")
        }
        Disposition::ChangeVisibility { delay_s } => {
            let from = match entry.drawn {
                Some(drawn) if drawn.low_s != drawn.high_s => {
                    format!(", drawn from {} to {} s", drawn.low_s, drawn.high_s)
                }
                _ => String::new(),
            };
            Told::plain(format!("after this error{read} the policy wants {delay_s} s{from}"))
        }
        Disposition::DeadLetter => {
            Told::plain(format!("after this error{read} the policy gives it up to the dead-letter queue"))
        }
        Disposition::Delete => Told::plain(format!("after this error{read} the policy deletes it")),
        Disposition::RecordAndDelete => {
            Told::plain(format!("after this error{read} the policy writes it down and deletes it"))
        }
        Disposition::Resend => Told::plain(format!("after this error{read} the policy sends a copy and deletes it")),
        Disposition::RetryInProcess { after_us } => Told::plain(format!(
            "after this error{read} the policy tries again in {}, within the receive",
            exact(after_us)
        )),
    }
}

fn changed(what: &str, changed: Changed) -> Told {
    match changed {
        Changed::HiddenUntil { at_us } => {
            Told::by(format!("{what}: hidden until {}", exact(at_us)), "rule Q4, change replaces")
        }
        Changed::Visible(standing) if standing.at_back && standing.others > 0 => Told::by(
            format!("{what}: visible now, at the back, behind {}", others_words(standing.others)),
            "rule Q8, back of queue",
        ),
        Changed::Visible(standing) => {
            Told::by(format!("{what}: visible now, {}", beside(standing)), "rule Q4, change replaces")
        }
        Changed::Moved => Told::by(format!("{what}: it is used up"), "rule Q7, lazy redrive"),
        Changed::Nothing => Told::by(format!("{what}, without effect: that lease is over"), "rule Q15, stale handles"),
        Changed::Refused(ChangeRefused::MessageGone) => {
            Told::by(format!("{what}, and refused: it is not in the queue any more"), "rule Q15, stale handles")
        }
        Changed::Refused(_) => Told::by(
            format!("{what}, and refused: too long; the lease runs out instead"),
            "rule Q5, twelve-hour ceiling",
        ),
    }
}

fn deleted(answer: DeleteAnswer) -> Told {
    match answer {
        DeleteAnswer::Deleted => Told::plain("deleted"),
        DeleteAnswer::AlreadyGone => {
            Told::by("its delete finds nothing: it is gone already", "rule Q15, stale handles")
        }
        DeleteAnswer::Ignored => Told::by(
            "its delete does nothing: it has been received again since, and the receipt is stale",
            "rule Q15, stale handles",
        ),
        DeleteAnswer::Refused => Told::by("its delete is refused: the lease is over", "rule F3, late delete refused"),
    }
}

fn dead_lettered(entry: &Entry, way: DeadLettering) -> Told {
    let count = entry.receive_count;
    match way {
        DeadLettering::Polled => {
            let waited =
                if entry.stood_us == 0 { String::new() } else { format!(" after {} visible", exact(entry.stood_us)) };
            Told::by(
                format!(
                    "a poll meets it{waited}, sees {count} receives behind it, and moves it to the dead-letter queue"
                ),
                "rule Q7, lazy redrive",
            )
        }
        DeadLettering::AtOnce => Told::by(
            format!("its lease ends after {count} receives, and the queue moves it to the dead-letter queue at once"),
            "rule Q7, lazy redrive",
        ),
        DeadLettering::ByConsumer => Told::plain("its consumer has sent it to the dead-letter queue"),
        DeadLettering::Copied => {
            Told::plain("its consumer has sent a copy to the dead-letter queue, and this one is not deleted")
        }
    }
}

fn error_words(error: AttemptError) -> &'static str {
    match error {
        AttemptError::Refused => "its call fails: the downstream did not take it",
        AttemptError::TimedOut => "its call fails: no answer in time",
        AttemptError::Errored => "its call fails: the downstream answers with an error",
        AttemptError::Throttled => "its call fails: too many requests",
        AttemptError::Rejected => "its own client does not let the call out",
        AttemptError::Permanent => "its call fails: the message itself is at fault",
        AttemptError::Unknown => "its attempt fails, nobody knows why",
    }
}

fn others_words(others: u64) -> String {
    match others {
        0 => "no other is".to_owned(),
        1 => "1 other".to_owned(),
        others => format!("{others} others"),
    }
}

fn beside(standing: Standing) -> String {
    match standing.others {
        0 => "alone".to_owned(),
        others => format!("beside {}", others_words(others)),
    }
}
