//! Celery on SQS, for Python.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "celery",
    title: "Celery with kombu's SQS transport, for Python",
    summary: "Deletes before the task runs, and holds a buffer.",
    consumers: &[
        given("concurrency", "4", "`worker_concurrency` is the number of processors: an assumption"),
        given("prefetch", "16", "`worker_prefetch_multiplier` 4 × `worker_concurrency`"),
        given("batch", "10", "`SQS_MAX_MESSAGES`"),
        given("wait", "10s", "`wait_time_seconds`"),
        given("acknowledge", "early", "`task_acks_late` is false"),
    ],
    policy: &[],
    source: "celery/kombu, `kombu/transport/SQS.py` (`default_wait_time_seconds`, `SQS_MAX_MESSAGES`); Celery's \
             configuration reference. `polling_interval` is not in the model. A task that fails without a retry of its own \
             is gone; one with a retry is sent as a new message, which is not in the model either.",
    trap: "A worker that dies loses what it was at work on. Queues that kombu creates have a visibility timeout of 30 min \
           (`visibility_timeout` 1800): set `queue.visibility_timeout`. With `task_acks_late`, write `acknowledge: each`; \
           then a task longer than the lease, its time in the buffer included, runs twice.",
};
