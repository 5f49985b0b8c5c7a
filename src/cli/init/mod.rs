//! `retrystorm init`

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{CliError, Ending, print};

/// The name that stands for standard output.
const STANDARD_OUTPUT: &str = "-";

/// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm init
  retrystorm init --template lambda mine.yaml
  retrystorm init --template spring -")]
pub struct InitArguments {
    /// The file to write; `-` prints the scenario
    #[arg(default_value = "scenario.yaml")]
    file: PathBuf,
    /// What to begin with
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Template::Failover)]
    template: Template,
}

/// A scenario to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Template {
    /// A fleet of consumers whose database fails over
    Failover,
    /// A Lambda function behind a database that is slow for a while
    Lambda,
    /// A third party that answers so many requests a second and no more
    ThirdParty,
    /// A Spring Cloud AWS listener that calls a service with bad minutes
    Spring,
}

impl Template {
    fn text(self) -> &'static str {
        match self {
            Self::Failover => include_str!("templates/failover.yaml"),
            Self::Lambda => include_str!("templates/lambda.yaml"),
            Self::ThirdParty => include_str!("templates/third-party.yaml"),
            Self::Spring => include_str!("templates/spring.yaml"),
        }
    }
}

/// Writes a scenario to begin with.
pub fn run(arguments: &InitArguments) -> Result<Ending, CliError> {
    let text = arguments.template.text();
    if arguments.file == Path::new(STANDARD_OUTPUT) {
        print::output(text)?;
        return Ok(Ending::Done);
    }
    write_new(&arguments.file, text)?;
    let file = arguments.file.display();
    print::output(&format!(
        "{file} is written. Change what is marked with CHANGE in it, and go on with\n  \
         retrystorm check {file}\n  retrystorm run {file}\n"
    ))?;
    Ok(Ending::Done)
}

/// Writes a file that must not be there yet.
fn write_new(path: &Path, text: &str) -> Result<(), CliError> {
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let file = path.display();
        CliError::Usage(match error.kind() {
            ErrorKind::AlreadyExists => format!(
                "`{file}` is there already and stays as it is: name another file, such as `retrystorm init mine.yaml`, \
                 or print the scenario with `retrystorm init -`"
            ),
            _ => format!("cannot write `{file}`: {error}"),
        })
    })
}
