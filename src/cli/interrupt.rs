//! Ctrl-C, and the signal with which a batch system ends a job or a container before its time.

use std::sync::{Mutex, PoisonError};

use retrystorm::report;

/// The exit code of a program that was interrupted, by the custom of shells that of Ctrl-C.
pub const INTERRUPTED: u8 = 130;

type Task = Box<dyn Fn() + Send>;

/// What is done before the program ends.
static BEFORE_EXIT: Mutex<Option<Task>> = Mutex::new(None);

/// From now on an interrupt ends the program at once, but not in the middle of writing results.
pub fn exit_on_interrupt() {
    // Where a handler cannot be set, its signal ends the program as it ends any other.
    let _ = ctrlc::set_handler(|| exit());
    #[cfg(unix)]
    exit_on_termination();
}

/// Slurm, Kubernetes and Spot machines send SIGTERM when they take a job's place away, and kill it some seconds later.
/// A hangup is left alone, for `nohup` to ignore it.
#[cfg(unix)]
fn exit_on_termination() {
    use signal_hook::{consts::SIGTERM, iterator::Signals};
    if let Ok(mut signals) = Signals::new([SIGTERM]) {
        std::thread::spawn(move || {
            if signals.wait().next().is_some() {
                exit();
            }
        });
    }
}

fn exit() -> ! {
    if let Some(task) = &*BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner) {
        task();
    }
    let _held_until_the_end = report::hold_writes();
    std::process::exit(INTERRUPTED.into());
}

/// From now on an interrupt does this before it ends the program; it has to be short.
pub fn before_exit(task: impl Fn() + Send + 'static) {
    *BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(task));
}

/// From now on an interrupt does nothing more before it ends the program.
pub fn nothing_before_exit() {
    *BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner) = None;
}
