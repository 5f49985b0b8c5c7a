//! `retrystorm check`

use std::path::PathBuf;

use clap::Args;
use retrystorm::scenario::{self, Sweep};

use super::{CliError, Ending, print};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm check scenario.yaml")]
pub struct CheckArguments {
    /// The scenario file (YAML)
    scenario: PathBuf,
}

/// Checks a scenario.
pub fn run(arguments: &CheckArguments) -> Result<Ending, CliError> {
    let plan = scenario::read_plan(&arguments.scenario, &[])?;
    if let Some(sweep) = &plan.sweep {
        return check_sweep(arguments, sweep);
    }
    let scenario = plan.scenario;
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

/// Says what a sweep is, and what its author should know.
fn check_sweep(arguments: &CheckArguments, sweep: &Sweep) -> Result<Ending, CliError> {
    let axes: Vec<String> = sweep.axes.iter().map(|axis| format!("{} ({})", axis.path, axis.values.len())).collect();
    sweep.notes.iter().for_each(|note| print::note(&format!("note: {note}")));
    print::output(&format!(
        "{} is sound: a sweep over {}: {} points, {} runs; about {:.0} M events\n",
        arguments.scenario.display(),
        axes.join(" x "),
        sweep.points.len(),
        sweep.runs(),
        (sweep.estimate().events / 1e6).max(1.0),
    ))?;
    Ok(Ending::Done)
}
