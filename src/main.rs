//! The binary: parse the arguments, run a command, turn its end into an exit code.

mod cli;
#[cfg(feature = "probe")]
mod probe;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
