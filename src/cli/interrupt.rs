//! Ctrl-C.

use retrystorm::report;

/// The exit code of a program that Ctrl-C has ended, by the custom of shells.
pub const INTERRUPTED: u8 = 130;

/// From now on Ctrl-C ends the program at once, but not in the middle of writing results.
pub fn exit_on_interrupt() {
    // Where the handler cannot be set, Ctrl-C ends the program as it ends any other.
    let _ = ctrlc::set_handler(|| {
        let _held_until_the_end = report::hold_writes();
        std::process::exit(INTERRUPTED.into());
    });
}
