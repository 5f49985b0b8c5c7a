//! Ctrl-C.

use std::sync::{Mutex, PoisonError};

use retrystorm::report;

/// The exit code of a program that Ctrl-C has ended, by the custom of shells.
pub const INTERRUPTED: u8 = 130;

type Task = Box<dyn Fn() + Send>;

/// What is done before the program ends.
static BEFORE_EXIT: Mutex<Option<Task>> = Mutex::new(None);

/// From now on Ctrl-C ends the program at once, but not in the middle of writing results.
pub fn exit_on_interrupt() {
    // Where the handler cannot be set, Ctrl-C ends the program as it ends any other.
    let _ = ctrlc::set_handler(|| {
        if let Some(task) = &*BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner) {
            task();
        }
        let _held_until_the_end = report::hold_writes();
        std::process::exit(INTERRUPTED.into());
    });
}

/// From now on Ctrl-C does this before it ends the program; it has to be short.
pub fn before_exit(task: impl Fn() + Send + 'static) {
    *BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(task));
}

/// From now on Ctrl-C does nothing more before it ends the program.
pub fn nothing_before_exit() {
    *BEFORE_EXIT.lock().unwrap_or_else(PoisonError::into_inner) = None;
}
