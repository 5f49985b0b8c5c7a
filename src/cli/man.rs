//! `retrystorm man`

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use retrystorm::report::{self, RenderedFile};

use super::{CliError, Ending, PROGRAM, print, program};

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm man | man -l -
  retrystorm man ~/.local/share/man/man1")]
pub struct ManArguments {
    /// Write one page for the program and one for each command to this folder [default: print the program's page]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the manual page of the program, or writes all pages.
pub fn run(arguments: &ManArguments) -> Result<Ending, CliError> {
    let mut program = program().disable_help_subcommand(true);
    program.build();
    let Some(folder) = &arguments.folder else {
        print::output(&String::from_utf8_lossy(&page(&program)?.bytes))?;
        return Ok(Ending::Done);
    };
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let pages = std::iter::once(&program).chain(commands).map(page).collect::<Result<Vec<_>, _>>()?;
    report::check_folder(folder)?;
    report::write(folder, &pages)?;
    print::note(&format!("{} files written to {}", pages.len(), folder.display()));
    Ok(Ending::Done)
}

/// The page of the program or of a command.
fn page(command: &Command) -> Result<RenderedFile, CliError> {
    let man = Man::new(command.clone()).source(format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION")));
    let name = man.get_filename();
    let mut bytes = Vec::new();
    man.render(&mut bytes).map_err(CliError::Output)?;
    Ok(RenderedFile { name, bytes })
}
