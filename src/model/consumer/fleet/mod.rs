//! The fleet: who has room, who waits for messages, who works on what.

mod processes;

use std::collections::VecDeque;

use super::{ConsumerSettings, Polls};

/// One place of one consumer in which a message is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotId(pub u32);

/// A receive call that waits for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poll {
    /// Messages that it asks for at most.
    pub limit: u32,
    /// Whether it is the probe of a circuit breaker.
    pub is_probe: bool,
}

/// What the end of a long poll's wait means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollTimer {
    /// Nothing waits any more.
    Idle,
    /// A later poll waits: ask again at that time.
    AskAgain {
        /// When.
        at_us: u64,
    },
    /// The poll has come back empty, and no longer waits.
    Empty(Poll),
}

/// Within one cache line, if the work is small enough: a run goes round thousands of them.
#[derive(Debug)]
#[repr(align(64))]
struct Slot<W> {
    consumer: u32,
    /// While it is idle: the idle slot below it in its consumer's pile, `NO_SLOT` where it is the last.
    below: SlotId,
    work: Option<W>,
}

/// Stands for a slot that is not there.
const NO_SLOT: SlotId = SlotId(u32::MAX);

#[derive(Debug)]
struct Consumer<W> {
    /// Its idle slots, as a pile: the one that came last is on top and is used first. The pile runs through the slots
    /// themselves, which are fetched into the cache anyway.
    top_idle: SlotId,
    idle_count: u32,
    /// Received and not begun; their leases run.
    buffer: VecDeque<W>,
    /// Received and not begun, because an earlier message of their group is in hand.
    aside: VecDeque<W>,
    waiting: Option<WaitingPoll>,
    /// Whether the end of a wait is scheduled: one at a time, since the delay is always the same.
    timer_is_set: bool,
    /// End of a pause after an empty poll or one that brought too much, while it lasts.
    paused_until_us: Option<u64>,
    is_down: bool,
    /// Whether its process has been told to end: it finishes what it holds.
    is_stopping: bool,
    /// Whether the fleet has been scaled below it.
    is_dismissed: bool,
    /// When it is killed, if it still holds something.
    killed_us: Option<u64>,
    /// When it crashes by itself.
    crashes_us: Option<u64>,
    /// Processes that it has had so far, but for the first.
    restarts: u64,
}

#[derive(Debug, Clone, Copy)]
struct WaitingPoll {
    poll: Poll,
    began_us: u64,
    /// Its number in the line; an entry with another one is of a poll that has ended.
    number: u64,
}

/// Ended polls in the line that are tolerated before a clean-up.
const LINE_SLACK: usize = 64;

/// The fleet as a state machine over any kind of work `W`.
#[derive(Debug)]
pub struct Fleet<W> {
    settings: ConsumerSettings,
    consumers: Vec<Consumer<W>>,
    /// All slots, those of a consumer next to each other.
    slots: Vec<Slot<W>>,
    /// Polls in the order in which they came: the queue answers the longest-waiting first.
    line: VecDeque<(u32, u64)>,
    polls: u64,
    busy_count: usize,
    /// Consumers whose process has been told to end.
    stopping_count: u32,
}

impl<W> Fleet<W> {
    /// An idle fleet.
    pub fn new(settings: ConsumerSettings) -> Self {
        let mut fleet = Self {
            consumers: Vec::new(),
            slots: Vec::new(),
            line: VecDeque::new(),
            polls: 0,
            busy_count: 0,
            stopping_count: 0,
            settings,
        };
        (0..fleet.settings.fleet).for_each(|_| fleet.hire());
        fleet
    }

    /// One more consumer.
    fn hire(&mut self) {
        let (number, concurrency) = (self.consumers.len() as u32, self.settings.concurrency);
        let first = number * concurrency;
        self.slots.extend((0..concurrency).map(|_| Slot { consumer: number, below: NO_SLOT, work: None }));
        self.consumers.push(Consumer {
            top_idle: NO_SLOT,
            idle_count: 0,
            buffer: VecDeque::new(),
            aside: VecDeque::new(),
            waiting: None,
            timer_is_set: false,
            paused_until_us: None,
            is_down: false,
            is_stopping: false,
            is_dismissed: false,
            killed_us: None,
            crashes_us: None,
            restarts: 0,
        });
        (first..first + concurrency).rev().for_each(|slot| self.pile_up(SlotId(slot)));
    }

    /// A slot is idle now.
    #[inline]
    fn pile_up(&mut self, slot: SlotId) {
        let place = &mut self.slots[slot.0 as usize];
        let state = &mut self.consumers[place.consumer as usize];
        place.below = std::mem::replace(&mut state.top_idle, slot);
        state.idle_count += 1;
    }

    /// The fleet has that many consumers from now on. Those that are dismissed finish what they hold and poll no more;
    /// returns their waiting polls, which end. Those that are hired, or hired again, may poll at once.
    pub fn scale(&mut self, fleet: u32) -> Vec<(u32, Poll)> {
        while (self.consumers.len() as u32) < fleet {
            self.hire();
        }
        self.settings.fleet = fleet;
        let mut ended = Vec::new();
        for number in 0..self.consumers.len() as u32 {
            let state = &mut self.consumers[number as usize];
            state.is_dismissed = number >= fleet;
            if number < fleet && !state.is_stopping {
                state.killed_us = None;
            }
            if number >= fleet {
                ended.extend(self.stop_waiting(number).map(|poll| (number, poll)));
            }
        }
        ended
    }

    /// Consumers in the fleet.
    pub fn size(&self) -> u32 {
        self.settings.fleet
    }

    /// Slots in which somebody works.
    pub fn busy_count(&self) -> usize {
        self.busy_count
    }

    /// The consumer that a slot belongs to.
    #[inline]
    pub fn consumer_of(&self, slot: SlotId) -> u32 {
        self.slots[slot.0 as usize].consumer
    }

    /// How many messages a consumer may ask for: none while it is down or pauses, or has a poll under way already.
    #[inline]
    pub fn room(&self, consumer: u32) -> u32 {
        let state = &self.consumers[consumer as usize];
        if state.is_down
            || state.is_stopping
            || state.is_dismissed
            || state.waiting.is_some()
            || state.paused_until_us.is_some()
        {
            return 0;
        }
        let room = self.places(state);
        match self.settings.polls {
            Polls::WhenRoom => room.min(self.settings.batch),
            Polls::WhenEmpty if room < self.settings.concurrency.saturating_add(self.settings.prefetch) => 0,
            Polls::WhenEmpty => room.min(self.settings.batch),
            Polls::Always => self.settings.batch,
        }
    }

    /// Messages that a consumer has a place for, in a slot or in its buffer. What is aside has the place that it will need.
    #[inline]
    fn places(&self, state: &Consumer<W>) -> u32 {
        let in_buffer = self.settings.prefetch.saturating_sub(state.buffer.len() as u32);
        (state.idle_count + in_buffer).saturating_sub(state.aside.len() as u32)
    }

    /// Whether a consumer has a place for one more message.
    pub fn has_place(&self, consumer: u32) -> bool {
        self.places(&self.consumers[consumer as usize]) > 0
    }

    /// The slots of a consumer.
    pub fn slots_of(&self, consumer: u32) -> impl Iterator<Item = SlotId> + use<W> {
        let first = consumer * self.settings.concurrency;
        (first..first + self.settings.concurrency).map(SlotId)
    }

    /// Messages that a consumer has in its slots, in its buffer and aside.
    pub fn held(&self, consumer: u32) -> u32 {
        let state = &self.consumers[consumer as usize];
        self.settings.concurrency - state.idle_count + (state.buffer.len() + state.aside.len()) as u32
    }

    /// A consumer's poll begins to wait. Returns when to call [`poll_timer`](Self::poll_timer), unless it is set already.
    #[inline]
    pub fn wait(&mut self, now_us: u64, consumer: u32, poll: Poll) -> Option<u64> {
        // Polls that have ended stay in the line until they come to its front or outnumber the others.
        if self.line.len() > 2 * self.consumers.len() + LINE_SLACK {
            self.forget_ended_polls();
        }
        self.polls += 1;
        let state = &mut self.consumers[consumer as usize];
        state.waiting = Some(WaitingPoll { poll, began_us: now_us, number: self.polls });
        self.line.push_back((consumer, self.polls));
        let sets_timer = !std::mem::replace(&mut state.timer_is_set, true);
        sets_timer.then(|| now_us + self.settings.wait_us)
    }

    #[cold]
    fn forget_ended_polls(&mut self) {
        let consumers = &self.consumers;
        let waits = |&(consumer, number): &(u32, u64)| {
            consumers[consumer as usize].waiting.is_some_and(|waiting| waiting.number == number)
        };
        self.line.retain(waits);
    }

    /// Whether a poll may wait; some of those in the line may have ended.
    #[inline]
    pub fn may_have_waiting(&self) -> bool {
        !self.line.is_empty()
    }

    /// The poll that has waited longest. It waits on until [`stop_waiting`](Self::stop_waiting).
    #[inline]
    pub fn first_waiting(&mut self) -> Option<(u32, Poll)> {
        while let Some(&(consumer, number)) = self.line.front() {
            match self.consumers[consumer as usize].waiting {
                Some(waiting) if waiting.number == number => return Some((consumer, waiting.poll)),
                _ => self.line.pop_front(),
            };
        }
        None
    }

    /// A waiting poll ends: answered, or cut short. Returns it, if there was one.
    #[inline]
    pub fn stop_waiting(&mut self, consumer: u32) -> Option<Poll> {
        self.consumers[consumer as usize].waiting.take().map(|waiting| waiting.poll)
    }

    /// The wait of a poll may have ended.
    pub fn poll_timer(&mut self, now_us: u64, consumer: u32) -> PollTimer {
        let state = &mut self.consumers[consumer as usize];
        state.timer_is_set = false;
        match state.waiting {
            None => PollTimer::Idle,
            Some(waiting) if waiting.began_us + self.settings.wait_us > now_us => {
                state.timer_is_set = true;
                PollTimer::AskAgain { at_us: waiting.began_us + self.settings.wait_us }
            }
            Some(waiting) => {
                state.waiting = None;
                PollTimer::Empty(waiting.poll)
            }
        }
    }

    /// A consumer does not ask again before that time, whatever happens meanwhile. Call
    /// [`pause_ended`](Self::pause_ended) then.
    pub fn pause(&mut self, consumer: u32, until_us: u64) {
        self.consumers[consumer as usize].paused_until_us = Some(until_us);
    }

    /// Whether a consumer pauses.
    pub fn is_pausing(&self, consumer: u32) -> bool {
        self.consumers[consumer as usize].paused_until_us.is_some()
    }

    /// The pause of a consumer may have ended; says whether it has just now.
    pub fn pause_ended(&mut self, now_us: u64, consumer: u32) -> bool {
        let pause = &mut self.consumers[consumer as usize].paused_until_us;
        pause.take_if(|until_us| *until_us == now_us).is_some()
    }

    /// Gives a consumer a received message: returns the slot that begins on it, or nothing where it goes to the buffer.
    #[inline]
    pub fn take(&mut self, consumer: u32, work: W) -> Option<SlotId> {
        let state = &mut self.consumers[consumer as usize];
        if state.idle_count == 0 {
            state.buffer.push_back(work);
            return None;
        }
        let slot = state.top_idle;
        let place = &mut self.slots[slot.0 as usize];
        place.work = Some(work);
        state.top_idle = place.below;
        state.idle_count -= 1;
        self.busy_count += 1;
        Some(slot)
    }

    /// The work of a slot; `None` where it is idle.
    #[inline]
    pub fn work_mut(&mut self, slot: SlotId) -> Option<&mut W> {
        self.slots[slot.0 as usize].work.as_mut()
    }

    /// A slot is done: returns its work, and whether it goes straight on with a buffered message.
    #[inline]
    pub fn finish(&mut self, slot: SlotId) -> (Option<W>, bool) {
        let place = &mut self.slots[slot.0 as usize];
        let state = &mut self.consumers[place.consumer as usize];
        let Some(next) = state.buffer.pop_front() else {
            place.below = std::mem::replace(&mut state.top_idle, slot);
            state.idle_count += 1;
            self.busy_count -= 1;
            return (place.work.take(), false);
        };
        (place.work.replace(next), true)
    }

    /// Takes from a consumer all that it holds: what is in its slots, then what is in its buffer, then what is aside.
    pub fn empty(&mut self, consumer: u32) -> Vec<W> {
        let mut held: Vec<W> = Vec::new();
        for slot in self.slots_of(consumer) {
            if let Some(work) = self.slots[slot.0 as usize].work.take() {
                held.push(work);
                self.pile_up(slot);
                self.busy_count -= 1;
            }
        }
        let state = &mut self.consumers[consumer as usize];
        held.extend(state.buffer.drain(..).chain(state.aside.drain(..)));
        held
    }

    /// Whether any work that a consumer holds is like that.
    pub fn has(&self, consumer: u32, is_like_that: impl Fn(&W) -> bool) -> bool {
        let state = &self.consumers[consumer as usize];
        let in_slots = self.slots_of(consumer).filter_map(|slot| self.slots[slot.0 as usize].work.as_ref());
        in_slots.chain(&state.buffer).chain(&state.aside).any(is_like_that)
    }

    /// A consumer holds a received message without a place for it: it may not begin yet.
    pub fn put_aside(&mut self, consumer: u32, work: W) {
        self.consumers[consumer as usize].aside.push_back(work);
    }

    /// The first of the messages aside that is like that, if there is one.
    pub fn take_aside(&mut self, consumer: u32, is_like_that: impl Fn(&W) -> bool) -> Option<W> {
        let aside = &mut self.consumers[consumer as usize].aside;
        let place = aside.iter().position(is_like_that)?;
        aside.remove(place)
    }

    /// Slots of a consumer in which somebody works.
    pub fn busy_slots(&self, consumer: u32) -> u32 {
        self.settings.concurrency - self.consumers[consumer as usize].idle_count
    }
}

#[cfg(test)]
mod tests;
