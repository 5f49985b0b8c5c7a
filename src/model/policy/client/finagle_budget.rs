//! Finagle's retry budget.

use super::window::Window;
use super::{ClientKind, ClientRules, may_pass};
use crate::engine::random::KeyedDraw;
use crate::engine::time::{HOUR_US, MINUTE_US, SECOND_US};
use crate::model::policy::AttemptError;
use crate::model::policy::catalogue::{About, Kind, Parameter, ParameterKind, Value, Values};
use crate::model::policy::spread::Spread;

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "finagle-budget",
        title: "Finagle's retry budget",
        summary: "Finagle's budget: a share of calls, and a reserve.",
        formula: "Each call puts 1000 into an account, each retry takes 1000 / percent_can_retry out of it; both are \
                  forgotten after ttl. The account starts at min_retries_per_s × ttl retries. A call retries at most \
                  ⌈0.2 × balance⌉ times, the balance being retries.",
        source: "twitter/finagle: RetryBudget.scala and RequeueFilter.scala. Deposits are made at the answer of the first \
                 try, and the window has ten slices.",
        mistake: "With many processes of few calls each: the reserve of every one is 10 retries a second, whatever its \
                  share of calls.",
        parameters: &[
            Parameter {
                name: "ttl",
                meaning: "How long a call is remembered.",
                kind: ParameterKind::Duration { from_us: SECOND_US, to_us: MINUTE_US },
                default: Some(Value::seconds(10)),
            },
            Parameter {
                name: "min_retries_per_s",
                meaning: "Retries a second that need no calls.",
                kind: ParameterKind::Count { from: 0, to: 1_000_000 },
                default: Some(Value::Count(10)),
            },
            Parameter {
                name: "percent_can_retry",
                meaning: "Share of the calls that may be made again.",
                kind: ParameterKind::Share,
                default: Some(Value::Share(0.2)),
            },
            Parameter {
                name: "delay",
                meaning: "Wait before a retry; Finagle's requeues have none.",
                kind: ParameterKind::Duration { from_us: 0, to_us: HOUR_US },
                default: Some(Value::seconds(0)),
            },
        ],
        ordered: &[],
        example: &[],
    },
    build: |values| Box::new(Budget::new(values)),
};

/// What a call puts into the account.
const DEPOSIT: i64 = 1_000;
/// Dearest retry.
const MOST_COST: f64 = i32::MAX as f64;
/// Share of the balance that one call may use.
const SHARE_OF_ONE_CALL: f64 = 0.2;

#[derive(Debug)]
struct Budget {
    account: Window,
    reserve: i64,
    deposit: i64,
    cost: i64,
    delay_us: u32,
}

impl Budget {
    fn new(values: &Values) -> Self {
        let share = values.number("percent_can_retry");
        let (deposit, cost) = if share > 0.0 {
            (DEPOSIT, (DEPOSIT as f64 / share).clamp(1.0, MOST_COST) as i64)
        } else {
            // Without a share calls give nothing, and a retry costs one of the reserve.
            (0, 1)
        };
        let ttl_us = values.us("ttl");
        let reserve = values.count("min_retries_per_s") as i64 * (ttl_us / SECOND_US) as i64 * cost;
        let delay_us = u32::try_from(values.us("delay")).unwrap_or(u32::MAX);
        Self { account: Window::new(ttl_us), reserve, deposit, cost, delay_us }
    }

    /// Retries that can be made now.
    fn balance(&mut self, now_us: u64) -> i64 {
        (self.reserve + self.account.sum(now_us)).max(0) / self.cost
    }

    /// Whether one call may be tried once more. Its own retries so far count as part of the balance that it found.
    fn may_try(&mut self, now_us: u64, tries: u32) -> bool {
        let balance = self.balance(now_us);
        let retries = i64::from(tries) - 1;
        balance > 0 && f64::from(tries) <= (SHARE_OF_ONE_CALL * (balance + retries) as f64).ceil()
    }
}

impl ClientRules for Budget {
    fn succeeded(&mut self, now_us: u64, tries: u32, _last_error: Option<AttemptError>) {
        if tries == 1 {
            self.account.add(now_us, self.deposit);
        }
    }

    fn failed(&mut self, now_us: u64, error: AttemptError, tries: u32, _draw: &mut KeyedDraw) -> Option<u64> {
        if tries == 1 {
            self.account.add(now_us, self.deposit);
        }
        if !may_pass(error) || !self.may_try(now_us, tries) {
            return None;
        }
        self.account.add(now_us, -self.cost);
        Some(self.delay_us.into())
    }

    fn wait_us(&self, tries: u32) -> Option<Spread> {
        let retries = (SHARE_OF_ONE_CALL * (self.reserve / self.cost) as f64).ceil();
        (f64::from(tries) <= retries).then(|| Spread::exactly(self.delay_us))
    }
}
