//! `retrystorm schema`

use retrystorm::scenario;

use super::{CliError, Ending, print};

/// Prints the JSON Schema of the scenario language.
pub fn run() -> Result<Ending, CliError> {
    print::output(&scenario::json_schema_text())?;
    Ok(Ending::Done)
}
