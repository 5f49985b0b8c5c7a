//! Shoryuken, for Ruby.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "shoryuken",
    title: "Shoryuken, for Ruby",
    summary: "25 threads and short polls.",
    consumers: &[
        given("concurrency", "25", "`concurrency`"),
        given("batch", "10", "`FETCH_LIMIT`; no more than there are free threads"),
        given("wait", "0s", "no `WaitTimeSeconds` is sent: the queue's own counts, which is 0 if nobody sets it"),
        given("pause", "100ms", "`delay` is 0: an assumption, see the source"),
    ],
    policy: &[],
    source: "ruby-shoryuken/shoryuken, `options.rb` (`DEFAULTS`, `default_worker_options`), `fetcher.rb`, `manager.rb`. With \
             `delay: 0` it polls again at once; the pause stands for the time of a request, and its length is an assumption. \
             `retry_intervals` is not set: a failed message waits for its lease.",
    trap: "`auto_delete` is false for plain workers: what nobody deletes comes back. The preset takes it as true, as nearly \
           everybody sets it. `auto_visibility_timeout` is false: a job longer than the lease runs twice.",
};
