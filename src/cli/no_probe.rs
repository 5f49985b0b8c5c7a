//! `retrystorm probe`, where the program was built without it.

use std::ffi::OsString;

use clap::Args;

use super::{CliError, Ending};

/// Arguments of `probe`: any, so that all who look for it learn how to get it.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct ProbeArguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _ignored: Vec<OsString>,
}

/// Says how to get the command.
pub fn run(_arguments: &ProbeArguments) -> Result<Ending, CliError> {
    Err(CliError::Usage(
        "this build cannot probe; build one that can: cargo build --release --features probe (see docs/probe.md)"
            .to_owned(),
    ))
}
