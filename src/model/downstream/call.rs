//! A call, and what a downstream answers to it.

#[cfg(doc)]
use super::Downstream;

/// A call that waits or is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallId(pub u32);

/// What a caller brings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallRequest {
    /// Who calls, as a number of the caller's choice.
    pub caller: u32,
    /// Work of the call at normal speed.
    pub work_us: u64,
    /// Uniform from 0 to 1: the call fails where it is below the error share of the moment.
    pub error_roll: f64,
    /// What a good call brings about, as a number of the caller's choice; `None`: nothing ever.
    pub effect: Option<u64>,
}

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFailure {
    /// Not taken: the downstream is down, its line is full, or no server came free in time.
    Refused,
    /// No answer within the caller's patience.
    TimedOut,
    /// Worked on, and answered with an error.
    Errored,
    /// Over the limit of calls.
    Throttled,
}

/// What a call meets with at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A server works on it.
    Started(Started),
    /// It waits for a server; call [`Downstream::patience_ended`] at `gives_up_us`, if there is one.
    Waiting {
        /// The call.
        call: CallId,
        /// When it gives up.
        gives_up_us: Option<u64>,
    },
    /// It fails at that time, whatever happens.
    Fails {
        /// When the caller learns of it.
        at_us: u64,
        /// Why.
        failure: CallFailure,
    },
}

/// A server has begun to work; call [`Downstream::server_done`] at `done_us`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// Which server.
    pub server: u32,
    /// When it will be done.
    pub done_us: u64,
    /// Whether a caller will have a good answer then, and nothing but the caller's own end can prevent it.
    pub succeeds: bool,
    /// Where the caller's patience ends before that: the call, and when; call [`Downstream::patience_ended`] then.
    pub patience: Option<(CallId, u64)>,
}

/// A call has been worked on while its caller was waiting for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Who called.
    pub caller: u32,
    /// Whether it came out well.
    pub succeeded: bool,
}

/// A call that a server has done its work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Its caller gets the answer.
    Answered(Finished),
    /// Its caller has gone and will never know, but the work is done.
    Unheard {
        /// What it has brought about.
        effect: u64,
    },
}

/// A waiting call was turned away when its turn came, because the downstream is down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// Who called.
    pub caller: u32,
    /// When the caller learns of it.
    pub at_us: u64,
    /// Why.
    pub failure: CallFailure,
}
