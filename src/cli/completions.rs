//! `retrystorm completions`

use clap::Args;
use clap_complete::{Shell, generate};

use super::{CliError, Ending, PROGRAM, print, program};

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm completions bash > ~/.local/share/bash-completion/completions/retrystorm
  retrystorm completions zsh > ~/.zfunc/_retrystorm
  retrystorm completions fish > ~/.config/fish/completions/retrystorm.fish
  retrystorm completions powershell >> $PROFILE
  retrystorm completions elvish >> ~/.config/elvish/rc.elv")]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints what a shell has to know to complete commands, options and names.
pub fn run(arguments: &CompletionsArguments) -> Result<Ending, CliError> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut program(), PROGRAM, &mut script);
    print::output(&String::from_utf8_lossy(&script))?;
    Ok(Ending::Done)
}
