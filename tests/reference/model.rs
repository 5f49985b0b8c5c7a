//! The queue once more, as the rules say it (docs/model.md) and as slow as it likes: a list of messages in the order of
//! their arrival, gone through from end to end for every question.

use retrystorm::engine::time::{HOUR_US, MINUTE_US, SECOND_US};
use retrystorm::model::queue::{
    ChangeRefused, MessageTag, NewMessage, QueueDraws, QueueKind, QueueSettings, RedriveTiming, Removed, ReturnOrder,
    StaleDelete, TwelveHourClock,
};

/// Where a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Delayed { until_us: u64 },
    Visible,
    InFlight { until_us: u64 },
}

/// A message.
#[derive(Debug, Clone)]
struct Message {
    id: u64,
    group: u32,
    tag: MessageTag,
    enqueued_us: u64,
    /// When it came into this queue, by a send or by a move.
    arrived_us: u64,
    first_received_us: Option<u64>,
    received_us: u64,
    receives: u32,
    /// Receives before it came here.
    receives_before: u32,
    /// Counts up with every send and receive in the queue; tells receipts apart.
    number: u64,
    state: State,
    /// Counts up with every end of a lease or delay that is set: of those at the same moment the earlier comes first.
    end_number: u64,
    /// While it is visible: the time by which it lines up.
    rank_us: u64,
    /// The receive call that returned it and left it visible all the same.
    doubled_by: Option<u64>,
}

/// What a consumer gets for a receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handle {
    pub id: u64,
    number: u64,
}

/// A step of a receive call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Message { handle: Handle, receives: u32, enqueued_us: u64, first_received_us: u64, until_us: u64 },
    DeadLettered(Removed),
    Lost { until_us: u64 },
    Nothing,
    OverLimit,
}

/// What a delete answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    Yes(Removed),
    AlreadyGone,
    Ignored,
    Refused,
}

/// What a change of visibility answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    Nothing,
    Until(u64),
    Visible,
    DeadLettered(Removed),
}

/// The queue.
#[derive(Debug)]
pub struct Reference {
    pub settings: QueueSettings,
    horizon_us: u64,
    draws: QueueDraws,
    messages: Vec<Message>,
    /// Deduplication ids that were accepted, and when.
    accepted: Vec<(u64, u64)>,
    last_number: u64,
    calls: u64,
}

impl Reference {
    pub fn new(settings: QueueSettings, horizon_us: u64, draws: QueueDraws) -> Self {
        Self { settings, horizon_us, draws, messages: Vec::new(), accepted: Vec::new(), last_number: 0, calls: 0 }
    }

    fn is_fifo(&self) -> bool {
        self.settings.kind == QueueKind::Fifo
    }

    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    fn position(&self, id: u64) -> Option<usize> {
        self.messages.iter().position(|message| message.id == id)
    }

    fn count(&self, counts: impl Fn(State) -> bool) -> usize {
        self.messages.iter().filter(|message| counts(message.state)).count()
    }

    /// Visible, in flight and delayed messages have none in common (rule Q18, queue metrics).
    pub fn counts(&self) -> [usize; 3] {
        [
            self.count(|state| state == State::Visible),
            self.count(|state| matches!(state, State::InFlight { .. })),
            self.count(|state| matches!(state, State::Delayed { .. })),
        ]
    }

    /// Sends a message; `None`: refused as a duplicate, else the end of its delay, if it has one.
    pub fn send(&mut self, now_us: u64, new: NewMessage) -> Option<Option<u64>> {
        // Rule F7, deduplication: within five minutes of an accepted one, wherever its message is.
        if let Some(id) = new.deduplication_id.filter(|_| self.is_fifo()) {
            if self.accepted.iter().any(|&(other, at_us)| other == id && now_us - at_us < 5 * MINUTE_US) {
                return None;
            }
            self.accepted.push((id, now_us));
        }
        // Rule Q16, delivery delay: of the message or of the queue, on FIFO only of the queue.
        let own_delay_us = new.delay_us.filter(|_| !self.is_fifo());
        let delay_us = own_delay_us.unwrap_or(self.settings.delay_us);
        let delayed_until_us = (delay_us > 0).then_some(now_us + delay_us);
        let number = self.next_number();
        self.messages.push(Message {
            id: new.id,
            group: new.group,
            tag: new.tag,
            enqueued_us: now_us,
            arrived_us: now_us,
            first_received_us: None,
            received_us: 0,
            receives: 0,
            receives_before: 0,
            number,
            state: delayed_until_us.map_or(State::Visible, |until_us| State::Delayed { until_us }),
            end_number: number,
            rank_us: now_us,
            doubled_by: None,
        });
        Some(delayed_until_us)
    }

    /// Takes in what another queue has moved to this one.
    pub fn send_moved(&mut self, now_us: u64, removed: Removed) {
        // Rule Q11, age in the DLQ: kept on standard queues, anew on FIFO queues.
        let enqueued_us = if self.is_fifo() { now_us } else { removed.enqueued_us };
        let number = self.next_number();
        self.messages.push(Message {
            id: removed.id,
            group: removed.group,
            tag: removed.tag,
            enqueued_us,
            arrived_us: now_us,
            first_received_us: removed.first_received_us,
            received_us: 0,
            // Rule Q6, receive count: it goes on.
            receives: removed.receive_count,
            receives_before: removed.receive_count,
            number,
            state: State::Visible,
            end_number: number,
            rank_us: enqueued_us,
            doubled_by: None,
        });
    }

    fn remove(&mut self, position: usize) -> Removed {
        let message = self.messages.remove(position);
        Removed {
            id: message.id,
            enqueued_us: message.enqueued_us,
            first_received_us: message.first_received_us,
            receive_count: message.receives,
            group: if self.is_fifo() { message.group } else { 0 },
            tag: message.tag,
        }
    }

    fn is_used_up(&self, position: usize) -> bool {
        self.settings.max_receive_count.is_some_and(|limit| self.messages[position].receives >= limit)
    }

    /// A whole receive call (rule Q13, receive call).
    pub fn receive(&mut self, now_us: u64, limit: usize, visibility_timeout_us: Option<u64>) -> Vec<Step> {
        self.calls += 1;
        let mut steps = Vec::new();
        let mut returned = 0;
        // The group that the call takes from on a FIFO queue, and what it has taken of it.
        let mut run: Option<(u32, Vec<u64>)> = None;
        while returned < limit {
            // Rule Q12, in-flight limit; on FIFO without an error (rule F5, silent in-flight limit).
            if self.counts()[1] >= self.settings.in_flight_limit as usize {
                steps.push(if self.is_fifo() { Step::Nothing } else { Step::OverLimit });
                break;
            }
            let next = if self.is_fifo() { self.next_of_groups(&mut run) } else { self.next_by_rank() };
            let Some(position) = next else {
                steps.push(Step::Nothing);
                break;
            };
            // Rule Q7, lazy redrive: N receives behind it, so this call moves it and goes on.
            if self.is_used_up(position) {
                steps.push(Step::DeadLettered(self.remove(position)));
                continue;
            }
            returned += 1;
            steps.push(self.deliver(now_us, position, visibility_timeout_us));
        }
        steps
    }

    /// On a standard queue: duplicates of earlier calls, then the visible message with the first rank; of equals the one
    /// that was sent or last received first (rule Q9, return order).
    fn next_by_rank(&self) -> Option<usize> {
        let eligible = |message: &Message| message.state == State::Visible && message.doubled_by != Some(self.calls);
        let key = |message: &Message| {
            let rank_us = if message.doubled_by.is_some() { 0 } else { message.rank_us };
            (message.doubled_by.is_none(), rank_us, message.number)
        };
        let positions = (0..self.messages.len()).filter(|&position| eligible(&self.messages[position]));
        positions.min_by_key(|&position| key(&self.messages[position]))
    }

    /// On a FIFO queue: more of the group of this call, else the earliest message of any group.
    fn next_of_groups(&self, run: &mut Option<(u32, Vec<u64>)>) -> Option<usize> {
        // Rule F6, search depth.
        let searched = self.messages.len().min(self.settings.look_ahead as usize);
        if let Some((group, taken)) = run {
            let of_group = |&position: &usize| {
                let message = &self.messages[position];
                message.group == *group && !taken.contains(&message.id) && self.is_deliverable(position, taken)
            };
            // Rule F2, one group first.
            if let Some(position) = (0..searched).find(of_group) {
                taken.push(self.messages[position].id);
                return Some(position);
            }
        }
        let position = (0..searched).find(|&position| self.is_deliverable(position, &[]))?;
        *run = Some((self.messages[position].group, vec![self.messages[position].id]));
        Some(position)
    }

    /// Rule F1, group blocking: visible, and no earlier message of its group is hidden, but for what the call itself has
    /// just taken.
    fn is_deliverable(&self, position: usize, taken: &[u64]) -> bool {
        let message = &self.messages[position];
        let blocks = |earlier: &Message| {
            earlier.group == message.group && earlier.state != State::Visible && !taken.contains(&earlier.id)
        };
        message.state == State::Visible && !self.messages[..position].iter().any(blocks)
    }

    fn deliver(&mut self, now_us: u64, position: usize, visibility_timeout_us: Option<u64>) -> Step {
        let number = self.next_number();
        let (call, is_fifo) = (self.calls, self.is_fifo());
        // Rule Q2, visibility timeout: of the call, else of the queue.
        let until_us = now_us + visibility_timeout_us.unwrap_or(self.settings.visibility_timeout_us);
        let message = &mut self.messages[position];
        message.number = number;
        message.received_us = now_us;
        message.first_received_us.get_or_insert(now_us);
        message.receives += 1;
        message.doubled_by = None;
        message.state = State::InFlight { until_us };
        message.end_number = number;
        // Rule Q14, duplicates and lost deliveries.
        let mut luck = self.draws.delivery.draw(message.id, message.receives.into());
        let is_lost = luck.unit() < self.settings.lost_share;
        let is_doubled = luck.unit() < self.settings.duplicate_share;
        if is_lost && !is_fifo {
            return Step::Lost { until_us };
        }
        if is_doubled && !is_fifo {
            message.state = State::Visible;
            message.doubled_by = Some(call);
        }
        Step::Message {
            handle: Handle { id: message.id, number },
            receives: message.receives,
            enqueued_us: message.enqueued_us,
            first_received_us: message.first_received_us.unwrap_or(now_us),
            until_us,
        }
    }

    /// Deletes a message.
    pub fn delete(&mut self, handle: Handle) -> Deleted {
        let Some(position) = self.position(handle.id) else { return Deleted::AlreadyGone };
        let message = &self.messages[position];
        let is_latest = message.number == handle.number;
        if self.is_fifo() {
            // Rule F3, late delete refused.
            let in_time = is_latest && matches!(message.state, State::InFlight { .. });
            return if in_time { Deleted::Yes(self.remove(position)) } else { Deleted::Refused };
        }
        // Rule Q15, stale handles.
        if is_latest || self.settings.stale_delete == StaleDelete::Deletes {
            Deleted::Yes(self.remove(position))
        } else {
            Deleted::Ignored
        }
    }

    /// Changes the visibility of a message.
    pub fn change(&mut self, now_us: u64, handle: Handle, delay_s: u32) -> Result<Changed, ChangeRefused> {
        // Rule Q5, twelve-hour ceiling.
        if delay_s > 43_200 {
            return Err(ChangeRefused::OutOfRange);
        }
        let position = self.position(handle.id).ok_or(ChangeRefused::MessageGone)?;
        let message = &self.messages[position];
        // Rule Q15, stale handles: after the end of the lease nothing happens; 0 releases even a newer lease.
        if !matches!(message.state, State::InFlight { .. }) {
            return Ok(Changed::Nothing);
        }
        if delay_s == 0 {
            return Ok(self.end_lease(now_us, position).map_or(Changed::Visible, Changed::DeadLettered));
        }
        if message.number != handle.number {
            return Ok(Changed::Nothing);
        }
        let clock_start_us = match self.settings.twelve_hour_clock {
            TwelveHourClock::PerReceive => message.received_us,
            TwelveHourClock::Lifetime => message.first_received_us.unwrap_or(now_us),
        };
        // Rule Q4, change replaces.
        let until_us = now_us + u64::from(delay_s) * SECOND_US;
        if until_us > clock_start_us + 12 * HOUR_US {
            return Err(ChangeRefused::BeyondTwelveHours);
        }
        let end_number = self.next_number();
        let message = &mut self.messages[position];
        message.state = State::InFlight { until_us };
        message.end_number = end_number;
        Ok(Changed::Until(until_us))
    }

    /// When the next lease or delay ends.
    pub fn next_end_us(&self) -> Option<u64> {
        let end_us = |message: &Message| match message.state {
            State::Visible => None,
            State::Delayed { until_us } | State::InFlight { until_us } => Some(until_us),
        };
        self.messages.iter().filter_map(end_us).min()
    }

    /// Ends what ends at this moment; returns how many messages are visible by it, and which have moved at once.
    pub fn end_all(&mut self, now_us: u64) -> (usize, Vec<Removed>) {
        let (mut visible, mut moved) = (0, Vec::new());
        let mut ends: Vec<(u64, u64)> = self.messages.iter().map(|message| (message.end_number, message.id)).collect();
        ends.sort_unstable();
        for (_, id) in ends {
            let Some(position) = self.position(id) else { continue };
            match self.messages[position].state {
                State::InFlight { until_us } if until_us == now_us => match self.end_lease(now_us, position) {
                    Some(removed) => moved.push(removed),
                    None => visible += 1,
                },
                State::Delayed { until_us } if until_us == now_us => {
                    self.messages[position].state = State::Visible;
                    visible += 1;
                }
                _ => {}
            }
        }
        (visible, moved)
    }

    /// Rule Q1, expired lease; or rule Q7, lazy redrive, switched to eager.
    fn end_lease(&mut self, now_us: u64, position: usize) -> Option<Removed> {
        if self.settings.redrive_timing == RedriveTiming::Eager && self.is_used_up(position) {
            return Some(self.remove(position));
        }
        let rank_us = self.return_rank_us(now_us, position);
        let message = &mut self.messages[position];
        message.state = State::Visible;
        message.rank_us = rank_us;
        None
    }

    fn return_rank_us(&self, now_us: u64, position: usize) -> u64 {
        let message = &self.messages[position];
        // Rule Q8, back of queue: from the third receive on, without a redrive policy or with N above 3.
        let may_go_to_back =
            self.settings.back_of_queue && self.settings.max_receive_count.is_none_or(|limit| limit > 3);
        if may_go_to_back && message.receives - message.receives_before >= 3 {
            return now_us;
        }
        // Rule Q9, return order.
        match self.settings.return_order {
            ReturnOrder::ByAge => message.enqueued_us,
            ReturnOrder::ByVisibleTime => now_us,
            ReturnOrder::Random => {
                let lined_up = |other: &&Message| other.state == State::Visible && other.doubled_by.is_none();
                let ranks = self.messages.iter().filter(lined_up).map(|other| other.rank_us);
                let first_us = ranks.min().unwrap_or(now_us);
                let share = self.draws.order.draw(message.id, message.receives.into()).unit();
                first_us + (share * now_us.saturating_sub(first_us) as f64) as u64
            }
        }
    }

    /// Rule Q10, retention: removes what is too old, in flight or not; returns it, and when the next is due.
    pub fn expire(&mut self, now_us: u64) -> (Vec<Removed>, Option<u64>) {
        let retention_us = self.settings.retention_us;
        let mut expired = Vec::new();
        if retention_us >= self.horizon_us {
            return (expired, None);
        }
        while let Some(position) = self.messages.iter().position(|message| message.enqueued_us + retention_us <= now_us)
        {
            expired.push(self.remove(position));
        }
        (expired, self.messages.iter().map(|message| message.enqueued_us + retention_us).min())
    }

    /// Rule Q18, queue metrics: since when the oldest message is here, those with three receives here left out; on FIFO
    /// queues none is.
    pub fn oldest_us(&self) -> Option<u64> {
        let counts = |message: &&Message| self.is_fifo() || message.receives - message.receives_before < 3;
        self.messages.iter().filter(counts).map(|message| message.arrived_us).min()
    }

    /// Rule R1, message move task: takes the oldest visible messages; on FIFO the earliest that could be delivered.
    pub fn take_oldest(&mut self, count: usize) -> Vec<Removed> {
        let mut taken = Vec::new();
        while taken.len() < count {
            let visible = (0..self.messages.len()).filter(|&position| self.messages[position].state == State::Visible);
            let age = |&position: &usize| (self.messages[position].enqueued_us, self.messages[position].number);
            let next = if self.is_fifo() { self.next_of_groups(&mut None) } else { visible.min_by_key(age) };
            let Some(position) = next else { break };
            taken.push(self.remove(position));
        }
        taken
    }
}
