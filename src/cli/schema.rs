//! `retrystorm schema`

use clap::Args;
use retrystorm::scenario;

use super::{CliError, Ending, print};

/// Arguments of `schema`: none.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm schema > scenario.schema.json

An editor uses it for a scenario that begins with
  # yaml-language-server: $schema=scenario.schema.json")]
pub struct SchemaArguments {}

/// Prints the JSON Schema of the scenario language.
pub fn run() -> Result<Ending, CliError> {
    print::output(&scenario::json_schema_text())?;
    Ok(Ending::Done)
}
