//! What a client library does within one receive: waits of milliseconds, retry budgets, limits of its own.
//!
//! A client is one file that declares its [`ClientKind`], and one line in [`CLIENTS`].

mod aws_quota;
mod aws_sdk_2026;
mod aws_sdk_adaptive;
mod aws_sdk_standard;
mod finagle_budget;
mod none;
mod rate_limiter;
mod retries;
mod sre_adaptive_throttling;
#[cfg(test)]
mod tests;
mod window;

use super::AttemptError;
use super::catalogue::{Kind, Settings, find};
use super::spread::Spread;
use crate::engine::random::KeyedDraw;
use std::fmt::Debug;

/// A client of the catalogue.
pub type ClientKind = Kind<Box<dyn ClientRules>>;

/// Which client, and with what parameters.
pub type ClientSettings = Settings<Box<dyn ClientRules>>;

/// All clients. One line each.
pub static CLIENTS: &[&ClientKind] = &[
    &none::KIND,
    &retries::KIND,
    &aws_sdk_standard::KIND,
    &aws_sdk_2026::KIND,
    &aws_sdk_adaptive::KIND,
    &finagle_budget::KIND,
    &sre_adaptive_throttling::KIND,
];

/// A client by its name.
pub fn client(name: &str) -> Option<&'static ClientKind> {
    find(CLIENTS, name)
}

/// Whether a call may go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallAdmission {
    /// Now.
    Go,
    /// At that time, without asking again: its place is reserved.
    WaitUntil {
        /// When it goes out.
        at_us: u64,
    },
    /// Not at all: the call fails in the client.
    Rejected,
}

/// What a client library decides. It has a state, reads no clock and schedules nothing.
pub trait ClientRules: Debug + Send {
    /// Asked before each call, retries included.
    fn admit(&mut self, _now_us: u64, _draw: &mut KeyedDraw) -> CallAdmission {
        CallAdmission::Go
    }

    /// A call has succeeded, at the given try. `last_error` is the error of the try before, if there was one.
    fn succeeded(&mut self, _now_us: u64, _tries: u32, _last_error: Option<AttemptError>) {}

    /// A call has failed at the given try, from 1 on: how long to wait in microseconds before it is made again in this
    /// receive; nothing to give up.
    fn failed(&mut self, _now_us: u64, _error: AttemptError, _tries: u32, _draw: &mut KeyedDraw) -> Option<u64> {
        None
    }

    /// What the wait after a transient error of the given try is drawn from in a fresh client, in microseconds.
    fn wait_us(&self, _tries: u32) -> Option<Spread> {
        None
    }
}

/// The client library of one consumer process.
///
/// ```
/// use retrystorm::engine::random::Streams;
/// use retrystorm::model::policy::catalogue::Settings;
/// use retrystorm::model::policy::{AttemptError, Client, client};
///
/// let kind = client("aws-sdk-standard").expect("it is in the catalogue");
/// let mut client = Client::new(&Settings::new(kind, &[])?);
/// let mut draw = Streams::new(42, 0).keyed("client").draw(0, 1);
/// let wait_us = client.failed(0, AttemptError::TimedOut, 1, &mut draw);
/// assert!(wait_us.is_some_and(|wait_us| wait_us <= 1_000_000));
/// assert_eq!(client.failed(0, AttemptError::TimedOut, 3, &mut draw), None, "three attempts are all");
/// # Ok::<(), retrystorm::model::policy::catalogue::Refusal>(())
/// ```
#[derive(Debug)]
pub struct Client {
    rules: Box<dyn ClientRules>,
}

impl Client {
    /// A fresh client.
    pub fn new(settings: &ClientSettings) -> Self {
        Self { rules: settings.build() }
    }

    /// Asked before each call, retries included.
    pub fn admit(&mut self, now_us: u64, draw: &mut KeyedDraw) -> CallAdmission {
        self.rules.admit(now_us, draw)
    }

    /// A call has succeeded, at the given try. `last_error` is the error of the try before, if there was one.
    pub fn succeeded(&mut self, now_us: u64, tries: u32, last_error: Option<AttemptError>) {
        self.rules.succeeded(now_us, tries, last_error);
    }

    /// A call has failed at the given try, from 1 on: how long to wait in microseconds before it is made again in this
    /// receive; nothing to give up.
    pub fn failed(&mut self, now_us: u64, error: AttemptError, tries: u32, draw: &mut KeyedDraw) -> Option<u64> {
        self.rules.failed(now_us, error, tries, draw)
    }
}

/// Whether another try of the same call can help: not where the message is at fault, and not where the client itself has
/// held the call back.
fn may_pass(error: AttemptError) -> bool {
    !matches!(error, AttemptError::Permanent | AttemptError::Rejected)
}
