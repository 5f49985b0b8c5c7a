//! Standard output and standard error, for terminals and pipes.

use std::io::{self, IsTerminal, Write};

use super::CliError;

/// Prints text as it is. A reader that has gone away (`| head`) is no error.
pub fn output(text: &str) -> Result<(), CliError> {
    let written = anstream::stdout().write_all(text.as_bytes()).and_then(|()| anstream::stdout().flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Output(error)),
        _ => Ok(()),
    }
}

/// Prints a note for people beside the results.
pub fn note(text: &str) {
    // Nobody can be told that nobody can be told.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints an error. A scenario's errors come with the lines that they are in.
pub fn error(error: &CliError) {
    match error {
        CliError::Scenario(scenario) => note(scenario.styled().trim_end()),
        other => note(&format!("error: {other}")),
    }
}

/// Whether standard output is a terminal that shows colours.
pub fn shows_colours() -> bool {
    let choice = anstream::AutoStream::choice(&io::stdout());
    io::stdout().is_terminal() && choice != anstream::ColorChoice::Never
}
