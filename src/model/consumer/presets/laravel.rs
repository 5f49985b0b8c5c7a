//! Laravel's queue worker, for PHP.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "laravel",
    title: "Laravel's `queue:work`, for PHP",
    summary: "One job at a time; sleeps when there is none.",
    consumers: &[
        given("concurrency", "1", "a worker is one process that runs one job"),
        given("batch", "1", "no `MaxNumberOfMessages` is sent"),
        given("wait", "0s", "no `WaitTimeSeconds` is sent: the queue's own counts, which is 0 if nobody sets it"),
        given("pause", "3s", "`--sleep=3`"),
        given("handler_timeout", "60s", "`--timeout=60`"),
    ],
    policy: &[given(
        "dispositions",
        "{ transient: record_and_delete, throttled: record_and_delete, permanent: record_and_delete, unknown: \
         record_and_delete }",
        "`--tries=1`: a job that fails goes to the table of failed jobs",
    )],
    source: "laravel/framework, `src/Illuminate/Queue/Console/WorkCommand.php` and `SqsQueue.php`. A job that times out is \
             left to its lease here; with `--tries=1` the framework also marks it as failed, and a process manager has to \
             start the worker again.",
    trap: "`--timeout` longer than the visibility timeout of the queue: another worker begins the job while it runs. With more \
           tries and `--backoff=0` a failed job is back at once: write `visibility_zero` in place of `record_and_delete`.",
};
