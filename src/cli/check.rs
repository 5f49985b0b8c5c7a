//! `retrystorm check`

use std::path::PathBuf;

use clap::Args;
use retrystorm::scenario;

use super::{CliError, Ending, print};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The scenario file (YAML)
    scenario: PathBuf,
}

/// Checks a scenario.
pub fn run(arguments: &CheckArguments) -> Result<Ending, CliError> {
    let scenario = scenario::read_file(&arguments.scenario)?;
    let estimate = scenario::estimate(&scenario);
    let names: Vec<&str> = scenario.variants.iter().map(|variant| variant.name.as_str()).collect();
    print::output(&format!(
        "{} is sound: {} ({}), {} replications, {} expectations, {} claims; about {:.0} M events\n",
        arguments.scenario.display(),
        if names.len() == 1 { "1 variant".to_owned() } else { format!("{} variants", names.len()) },
        names.join(", "),
        scenario.replications,
        scenario.expectations.len(),
        scenario.claims.len(),
        (estimate.events / 1e6).max(1.0),
    ))?;
    Ok(Ending::Done)
}
