//! A pool of servers, a bounded line of calls in front of it, and the work that failures leave behind.

use std::collections::VecDeque;

use slab::Slab;

use super::condition::{Condition, ConditionTimeline};
use super::rate_limit::RateLimiter;
use super::{
    Answer, CallFailure, CallId, CallRequest, DownstreamSettings, Ended, Finished, OutageMode, Refused, Started,
};

/// Abandoned calls in the line, beyond as many as wait there, that are tolerated before a clean-up: cleaning up costs
/// O(1) a call, and memory follows the calls that are outstanding.
const ABANDONED_SLACK: u32 = 1_024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallState {
    /// In the line.
    Waiting,
    /// On a server.
    InService { fails: bool },
    /// The caller has gone: off the line as soon as it comes to the front, or off its server when that is done.
    Abandoned { works: bool },
}

#[derive(Debug, Clone, Copy)]
struct Call {
    request: CallRequest,
    /// When the caller stops waiting for an answer.
    patience_ends_us: u64,
    /// When it stops waiting for a server, if it is in the line.
    gives_up_us: u64,
    state: CallState,
}

/// The downstream as a state machine. It holds who waits and who is worked on; whoever drives it calls back at the times
/// that it returns.
#[derive(Debug)]
pub struct Downstream {
    settings: DownstreamSettings,
    condition: ConditionTimeline,
    rate_limiter: Option<RateLimiter>,
    calls: Slab<Call>,
    idle_servers: Vec<u32>,
    /// The call of each server; `None`: it is idle or clears up after a failed call.
    server_calls: Vec<Option<CallId>>,
    line: VecDeque<CallId>,
    /// Calls in the line that have not been abandoned.
    waiting_count: u32,
    /// Calls in the line that have been.
    abandoned_in_line: u32,
    /// Work that failed calls have left, before any call in the line.
    clearing_up: VecDeque<u64>,
}

impl Downstream {
    /// An idle downstream.
    pub fn new(settings: DownstreamSettings) -> Self {
        Self {
            condition: ConditionTimeline::new(&settings.outages),
            rate_limiter: settings.rate_limit.map(RateLimiter::new),
            calls: Slab::new(),
            idle_servers: (0..settings.servers).rev().collect(),
            server_calls: vec![None; settings.servers as usize],
            line: VecDeque::new(),
            waiting_count: 0,
            abandoned_in_line: 0,
            clearing_up: VecDeque::new(),
            settings,
        }
    }

    /// Whether an outage of any kind lasts.
    #[inline]
    pub fn in_outage(&mut self, now_us: u64) -> bool {
        matches!(self.condition.at(now_us), Condition::Outage(_))
    }

    /// A call arrives, for a message of that tenant, from a caller who is gone at `deadline_us` whatever comes. What the
    /// call brings is only drawn where the downstream takes it.
    #[inline]
    pub fn call(&mut self, now_us: u64, tenant: u8, deadline_us: u64, request: impl FnOnce() -> CallRequest) -> Answer {
        let patience_ends_us =
            now_us.saturating_add(self.settings.call_timeout_us.unwrap_or(u64::MAX)).min(deadline_us);
        if let Some((at_us, failure)) = self.turned_away(now_us, patience_ends_us) {
            return Answer::Fails { at_us, failure };
        }
        if let Some(limiter) = &mut self.rate_limiter
            && let Err(at_us) = limiter.admit(now_us, tenant)
        {
            return fails_within(patience_ends_us, at_us, CallFailure::Throttled);
        }
        let request = request();
        if let Some(server) = self.idle_servers.pop() {
            let call = self.admit(request, patience_ends_us, u64::MAX);
            return Answer::Started(self.start(now_us, server, call));
        }
        if self.settings.max_waiting.is_some_and(|limit| self.waiting_count >= limit) {
            self.leave_work(now_us, request.work_us);
            return fails_within(patience_ends_us, now_us + self.settings.refuse_after_us, CallFailure::Refused);
        }
        let server_patience_us = now_us.saturating_add(self.settings.acquire_timeout_us.unwrap_or(u64::MAX));
        let gives_up_us = server_patience_us.min(patience_ends_us);
        let call = self.admit(request, patience_ends_us, gives_up_us);
        self.line.push_back(call);
        self.waiting_count += 1;
        Answer::Waiting { call, gives_up_us: (gives_up_us < u64::MAX).then_some(gives_up_us) }
    }

    /// A server is done. Returns the call that it has worked on, if that matters to anybody, and what the server does next;
    /// appends to `refused` the waiting calls that were turned away.
    #[inline]
    pub fn server_done(
        &mut self,
        now_us: u64,
        server: u32,
        refused: &mut Vec<Refused>,
    ) -> (Option<Ended>, Option<Started>) {
        let ended = self.server_calls[server as usize].take().and_then(|call| self.finish(call));
        (ended, self.next_work(now_us, server, refused))
    }

    /// The patience of a call has ended, in the line or on a server. Returns who called and why the call failed; `None`
    /// where it had ended before. The second result is a server that clears up after it, if one was idle.
    #[inline]
    pub fn patience_ended(&mut self, now_us: u64, call: CallId) -> (Option<(u32, CallFailure)>, Option<Started>) {
        let Some(&Call { request, patience_ends_us, gives_up_us, state }) = self.calls.get(call.0 as usize) else {
            return (None, None);
        };
        let failure = match state {
            CallState::Waiting if gives_up_us == now_us && patience_ends_us > now_us => CallFailure::Refused,
            CallState::Waiting if gives_up_us == now_us => CallFailure::TimedOut,
            CallState::InService { .. } if patience_ends_us == now_us => CallFailure::TimedOut,
            _ => return (None, None),
        };
        self.abandon(call);
        self.leave_work(now_us, request.work_us);
        (Some((request.caller, failure)), self.clear_up_if_idle(now_us))
    }

    /// The callers that `leave` are gone, with whatever they waited for: a process has died. A server goes on with
    /// abandoned work.
    pub fn abandon_callers(&mut self, leave: impl Fn(u32) -> bool) {
        let left: Vec<CallId> = self
            .calls
            .iter()
            .filter(|(_, call)| !matches!(call.state, CallState::Abandoned { .. }) && leave(call.request.caller))
            .map(|(slot, _)| CallId(slot as u32))
            .collect();
        left.into_iter().for_each(|call| self.abandon(call));
    }

    /// Whether the downstream takes no calls at this moment: when and how such a call fails.
    #[inline]
    fn turned_away(&mut self, now_us: u64, patience_ends_us: u64) -> Option<(u64, CallFailure)> {
        match self.condition.at(now_us) {
            Condition::Outage(OutageMode::Refuse { after_us }) if now_us + after_us <= patience_ends_us => {
                Some((now_us + after_us, CallFailure::Refused))
            }
            Condition::Outage(OutageMode::Refuse { .. } | OutageMode::Hang) => {
                Some((patience_ends_us, CallFailure::TimedOut))
            }
            _ => None,
        }
    }

    #[inline]
    fn admit(&mut self, request: CallRequest, patience_ends_us: u64, gives_up_us: u64) -> CallId {
        let call = Call { request, patience_ends_us, gives_up_us, state: CallState::Waiting };
        CallId(self.calls.insert(call) as u32)
    }

    #[inline(always)]
    fn start(&mut self, now_us: u64, server: u32, id: CallId) -> Started {
        let condition = self.condition.at(now_us);
        let error_share = match condition {
            Condition::Outage(OutageMode::Errors { share }) => {
                self.settings.error_rate + (1.0 - self.settings.error_rate) * share
            }
            _ => self.settings.error_rate,
        };
        let call = &mut self.calls[id.0 as usize];
        let fails = call.request.error_roll < error_share;
        call.state = CallState::InService { fails };
        self.server_calls[server as usize] = Some(id);
        let done_us = now_us + slowed(call.request.work_us, condition.slowness(now_us));
        let patience = (call.patience_ends_us < done_us).then_some((id, call.patience_ends_us));
        Started { server, done_us, succeeds: !fails && patience.is_none(), patience }
    }

    #[inline]
    fn finish(&mut self, call: CallId) -> Option<Ended> {
        let Call { request, state, .. } = self.calls.remove(call.0 as usize);
        match state {
            CallState::InService { fails } => {
                Some(Ended::Answered(Finished { caller: request.caller, succeeded: !fails }))
            }
            CallState::Abandoned { works: true } => request.effect.map(|effect| Ended::Unheard { effect }),
            CallState::Waiting | CallState::Abandoned { works: false } => None,
        }
    }

    /// What a free server turns to: clearing up first, then the line, then rest.
    #[inline]
    fn next_work(&mut self, now_us: u64, server: u32, refused: &mut Vec<Refused>) -> Option<Started> {
        if let Some(work_us) = self.clearing_up.pop_front() {
            return Some(self.clear_up(now_us, server, work_us));
        }
        while let Some(id) = self.line.pop_front() {
            let call = self.calls[id.0 as usize];
            if matches!(call.state, CallState::Abandoned { .. }) {
                self.abandoned_in_line -= 1;
                self.calls.remove(id.0 as usize);
                continue;
            }
            self.waiting_count -= 1;
            let Some((at_us, failure)) = self.turned_away(now_us, call.patience_ends_us) else {
                return Some(self.start(now_us, server, id));
            };
            self.calls.remove(id.0 as usize);
            refused.push(Refused { caller: call.request.caller, at_us, failure });
        }
        self.idle_servers.push(server);
        None
    }

    fn abandon(&mut self, call: CallId) {
        let call = &mut self.calls[call.0 as usize];
        let was_waiting = call.state == CallState::Waiting;
        call.state = CallState::Abandoned { works: call.state == CallState::InService { fails: false } };
        if was_waiting {
            self.waiting_count -= 1;
            self.abandoned_in_line += 1;
            if self.abandoned_in_line > self.waiting_count + ABANDONED_SLACK {
                self.forget_abandoned();
            }
        }
    }

    /// Takes abandoned calls out of the line. Under overload servers may never come to them.
    #[cold]
    fn forget_abandoned(&mut self) {
        let calls = &mut self.calls;
        self.line.retain(|id| {
            let waits = calls[id.0 as usize].state == CallState::Waiting;
            if !waits {
                calls.remove(id.0 as usize);
            }
            waits
        });
        self.abandoned_in_line = 0;
    }

    /// A failed call leaves work behind, unless nobody is there to do it.
    #[inline]
    fn leave_work(&mut self, now_us: u64, work_us: u64) {
        let down = matches!(self.condition.at(now_us), Condition::Outage(OutageMode::Refuse { .. } | OutageMode::Hang));
        if self.settings.failure_cost > 0.0 && !down {
            self.clearing_up.push_back(slowed(work_us, self.settings.failure_cost));
        }
    }

    fn clear_up_if_idle(&mut self, now_us: u64) -> Option<Started> {
        if self.clearing_up.is_empty() {
            return None;
        }
        let server = self.idle_servers.pop()?;
        let work_us = self.clearing_up.pop_front()?;
        Some(self.clear_up(now_us, server, work_us))
    }

    #[inline]
    fn clear_up(&mut self, now_us: u64, server: u32, work_us: u64) -> Started {
        let slowness = self.condition.at(now_us).slowness(now_us);
        Started { server, done_us: now_us + slowed(work_us, slowness), succeeds: false, patience: None }
    }
}

/// A call that fails at that time, unless the caller's patience ends before.
#[inline]
fn fails_within(patience_ends_us: u64, at_us: u64, failure: CallFailure) -> Answer {
    if patience_ends_us < at_us {
        Answer::Fails { at_us: patience_ends_us, failure: CallFailure::TimedOut }
    } else {
        Answer::Fails { at_us, failure }
    }
}

#[inline]
fn slowed(work_us: u64, factor: f64) -> u64 {
    if factor == 1.0 { work_us } else { (work_us as f64 * factor + 0.5) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::distribution::TimeDistribution;
    use crate::model::downstream::{Outage, RateLimit, RateLimitScope};

    fn settings() -> DownstreamSettings {
        DownstreamSettings {
            max_waiting: Some(1),
            acquire_timeout_us: Some(1_000),
            refuse_after_us: 50,
            ..DownstreamSettings::new(1, TimeDistribution::Constant { value_us: 100 })
        }
    }

    fn request(caller: u32) -> CallRequest {
        CallRequest { caller, work_us: 100, error_roll: 0.5, effect: Some(caller.into()) }
    }

    fn call(downstream: &mut Downstream, now_us: u64, request: CallRequest) -> Answer {
        downstream.call(now_us, 0, u64::MAX, || request)
    }

    fn is_good(ended: Ended) -> bool {
        matches!(ended, Ended::Answered(Finished { succeeded: true, .. }))
    }

    fn started(server: u32, done_us: u64) -> Started {
        Started { server, done_us, succeeds: true, patience: None }
    }

    #[test]
    fn calls_are_served_in_order_and_a_full_line_refuses() {
        let mut downstream = Downstream::new(settings());
        assert_eq!(call(&mut downstream, 0, request(1)), Answer::Started(started(0, 100)));
        assert!(matches!(call(&mut downstream, 0, request(2)), Answer::Waiting { gives_up_us: Some(1_000), .. }));
        assert_eq!(call(&mut downstream, 10, request(3)), Answer::Fails { at_us: 60, failure: CallFailure::Refused });
        let (finished, next) = downstream.server_done(100, 0, &mut Vec::new());
        assert_eq!(finished, Some(Ended::Answered(Finished { caller: 1, succeeded: true })));
        assert_eq!(next, Some(started(0, 200)));
    }

    #[test]
    fn a_waiting_call_gives_up_and_its_place_is_free_again() {
        let mut downstream = Downstream::new(settings());
        call(&mut downstream, 0, CallRequest { work_us: 5_000, ..request(1) });
        let Answer::Waiting { call: second, .. } = call(&mut downstream, 0, request(2)) else {
            panic!("the server is busy")
        };
        assert_eq!(downstream.patience_ended(1_000, second), (Some((2, CallFailure::Refused)), None));
        assert_eq!(downstream.patience_ended(1_000, second), (None, None), "it has ended already");
        assert!(matches!(call(&mut downstream, 1_000, request(3)), Answer::Waiting { .. }));
        let (_, next) = downstream.server_done(5_000, 0, &mut Vec::new());
        assert_eq!(next, Some(started(0, 5_100)), "the one that gave up is passed over");
    }

    #[test]
    fn calls_that_give_up_in_front_of_a_server_that_is_never_free_are_forgotten() {
        let mut downstream = Downstream::new(DownstreamSettings { max_waiting: None, ..settings() });
        call(&mut downstream, 0, CallRequest { work_us: u64::MAX / 2, ..request(0) });
        let mut latest = None;
        for now_us in 0..100_000 {
            let Answer::Waiting { call, .. } = call(&mut downstream, now_us, request(1)) else { panic!("it is busy") };
            // Each gives up when the next one comes, so that two wait at most.
            if let Some((gives_up_us, former)) = latest.replace((now_us + 1_000, call)) {
                let (ended, _) = downstream.patience_ended(gives_up_us, former);
                assert_eq!(ended, Some((1, CallFailure::Refused)));
            }
        }
        let held = (downstream.calls.len(), downstream.line.len(), downstream.waiting_count);
        assert!(held.0 < 3_000 && held.1 < 3_000, "{held:?}");
        assert_eq!(held.2, 1, "the one that still waits");
    }

    #[test]
    fn a_refused_call_costs_its_share_before_the_line() {
        let mut downstream = Downstream::new(DownstreamSettings { failure_cost: 0.5, ..settings() });
        call(&mut downstream, 0, request(1));
        call(&mut downstream, 0, request(2));
        call(&mut downstream, 0, request(3));
        assert_eq!(
            downstream.server_done(100, 0, &mut Vec::new()).1,
            Some(Started { succeeds: false, ..started(0, 150) }),
            "half a call's work"
        );
        assert_eq!(downstream.server_done(150, 0, &mut Vec::new()).1, Some(started(0, 250)), "then the line");
    }

    #[test]
    fn a_caller_without_patience_leaves_the_server_at_work() {
        let mut downstream = Downstream::new(DownstreamSettings { call_timeout_us: Some(40), ..settings() });
        let Answer::Started(Started { patience: Some((call, 40)), done_us: 100, .. }) =
            call(&mut downstream, 0, request(1))
        else {
            panic!("the call starts and outlasts the patience")
        };
        assert_eq!(downstream.patience_ended(40, call).0, Some((1, CallFailure::TimedOut)));
        let (ended, _) = downstream.server_done(100, 0, &mut Vec::new());
        assert_eq!(ended, Some(Ended::Unheard { effect: 1 }), "and the work gets done");
    }

    #[test]
    fn an_outage_refuses_new_calls_and_waiting_ones_when_their_turn_comes() {
        let outage = Outage { from_us: 50, until_us: 500, mode: OutageMode::Refuse { after_us: 7 }, warm_up: None };
        let mut downstream =
            Downstream::new(DownstreamSettings { outages: vec![outage], failure_cost: 1.0, ..settings() });
        call(&mut downstream, 0, request(1));
        call(&mut downstream, 0, request(2));
        assert_eq!(call(&mut downstream, 60, request(3)), Answer::Fails { at_us: 67, failure: CallFailure::Refused });
        let mut refused = Vec::new();
        let (finished, next) = downstream.server_done(100, 0, &mut refused);
        assert_eq!(
            finished,
            Some(Ended::Answered(Finished { caller: 1, succeeded: true })),
            "a call in service finishes"
        );
        assert_eq!((next, refused[0].caller, refused[0].at_us), (None, 2, 107));
        assert_eq!(call(&mut downstream, 500, request(4)), Answer::Started(started(0, 600)), "no work was left behind");
    }

    #[test]
    fn a_hanging_downstream_answers_when_patience_ends() {
        let outage = Outage { from_us: 0, until_us: 500, mode: OutageMode::Hang, warm_up: None };
        let mut downstream =
            Downstream::new(DownstreamSettings { outages: vec![outage], call_timeout_us: Some(2_000), ..settings() });
        assert_eq!(
            call(&mut downstream, 10, request(1)),
            Answer::Fails { at_us: 2_010, failure: CallFailure::TimedOut }
        );
    }

    #[test]
    fn errors_strike_where_the_roll_is_below_the_share() {
        let outage = Outage { from_us: 0, until_us: 500, mode: OutageMode::Errors { share: 0.6 }, warm_up: None };
        let mut downstream = Downstream::new(DownstreamSettings { outages: vec![outage], ..settings() });
        call(&mut downstream, 0, request(1));
        assert_eq!(downstream.server_done(100, 0, &mut Vec::new()).0.map(is_good), Some(false));
        call(&mut downstream, 500, request(1));
        assert_eq!(downstream.server_done(600, 0, &mut Vec::new()).0.map(is_good), Some(true));
    }

    #[test]
    fn a_caller_that_is_killed_leaves_at_its_deadline() {
        let mut downstream = Downstream::new(settings());
        let Answer::Started(Started { patience: Some((_, 30)), .. }) = downstream.call(0, 0, 30, || request(1)) else {
            panic!("the caller is gone before the answer")
        };
        let answer = downstream.call(0, 0, 20, || request(2));
        assert!(matches!(answer, Answer::Waiting { gives_up_us: Some(20), .. }), "{answer:?}");
    }

    #[test]
    fn a_call_over_the_limit_is_answered_at_once_and_costs_no_work() {
        let limit = RateLimit {
            rate_per_s: 1.0,
            burst: 1,
            scope: RateLimitScope::Fleet,
            answer_after_us: 7,
            retry_after_us: Some(1),
            counts_throttled: false,
        };
        let mut downstream =
            Downstream::new(DownstreamSettings { rate_limit: Some(limit), failure_cost: 1.0, ..settings() });
        assert!(matches!(call(&mut downstream, 0, request(1)), Answer::Started(_)));
        let throttled = Answer::Fails { at_us: 17, failure: CallFailure::Throttled };
        assert_eq!(call(&mut downstream, 10, request(2)), throttled);
        assert_eq!(downstream.server_done(100, 0, &mut Vec::new()).1, None);
        assert!(matches!(call(&mut downstream, 1_000_000, request(3)), Answer::Started(_)));
    }
}
