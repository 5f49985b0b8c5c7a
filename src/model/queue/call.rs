//! A receive call on its way through a queue.

/// One receive call: what it asks for, and how far it has come. The same value goes into each of its steps, a new one
/// into the next call.
///
/// ```
/// use retrystorm::model::queue::ReceiveCall;
///
/// assert_eq!(ReceiveCall::new().visibility_timeout_us, None);
/// assert_eq!(ReceiveCall::with_visibility_timeout_us(5_000_000).visibility_timeout_us, Some(5_000_000));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReceiveCall {
    /// Visibility timeout of the messages that this call returns, in place of the queue's (rule Q2, visibility timeout).
    pub visibility_timeout_us: Option<u64>,
    /// Duplicates of earlier calls that it has still to meet; `None` before its first step.
    pub(super) duplicates_left: Option<usize>,
    /// The message group that it takes from.
    pub(super) run: Option<GroupRun>,
}

/// Messages of one group that a call takes one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupRun {
    /// The group's id, and where its record was when the run began.
    pub group_id: u32,
    pub group: u32,
    /// The message taken last.
    pub last_sequence: u64,
    /// The first message that was hidden before the run began: it blocks what follows (rule F1, group blocking).
    pub blocked_from: u64,
}

impl ReceiveCall {
    /// A call that leaves the visibility timeout to the queue.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// A call with a visibility timeout of its own, 0 s to 12 h.
    pub fn with_visibility_timeout_us(visibility_timeout_us: u64) -> Self {
        Self { visibility_timeout_us: Some(visibility_timeout_us), ..Self::default() }
    }
}
