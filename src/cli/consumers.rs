//! `retrystorm consumers`

use clap::Args;
use retrystorm::model::consumer::presets::{Default, PRESETS, Preset};

use super::names::NameOf;
use super::page::{INDENT, list_line, paragraph, unknown, wrapped};
use super::{CliError, Ending, print};

/// Arguments of `consumers`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm consumers
  retrystorm consumers spring-cloud-aws")]
pub struct ConsumersArguments {
    /// Tell all about this one
    #[arg(value_parser = NameOf(names), hide_possible_values = true)]
    name: Option<String>,
}

/// Lists the client libraries whose defaults a scenario can take, or describes one.
pub fn run(arguments: &ConsumersArguments) -> Result<Ending, CliError> {
    let text = match &arguments.name {
        None => listing(),
        Some(name) => page(find(name)?),
    };
    print::output(&text)?;
    Ok(Ending::Done)
}

/// The names of all client libraries.
fn names() -> Vec<String> {
    PRESETS.iter().map(|preset| preset.name.to_owned()).collect()
}

fn find(name: &str) -> Result<&'static Preset, CliError> {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let found = PRESETS.iter().find(|preset| preset.name == name).copied();
    found.ok_or_else(|| CliError::Usage(unknown("consumer", "consumers", name, &names)))
}

fn listing() -> String {
    let width = PRESETS.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    let lines = PRESETS.iter().map(|preset| list_line(preset.name, width, preset.summary));
    let lines: String = lines.collect();
    format!("Consumers\n  {}\n\n{lines}\n`retrystorm consumers NAME` tells all about one.\n", scenario("NAME"))
}

/// What stands in a scenario.
fn scenario(name: &str) -> String {
    format!("consumers: {{ like: {name} }}")
}

/// What there is to know of a preset.
fn page(preset: &Preset) -> String {
    let mut text = format!("{} (consumer)\n", preset.name);
    text += &paragraph("", &format!("{}. {}", preset.title, preset.summary));
    text += &defaults("Defaults of consumers", preset.consumers);
    text += &defaults("Defaults of the policy", preset.policy);
    text += &paragraph("Scenario", &scenario(preset.name));
    text += &paragraph("A trap", preset.trap);
    text += &paragraph("Source", preset.source);
    text
}

fn defaults(title: &str, defaults: &[Default]) -> String {
    if defaults.is_empty() {
        return paragraph(title, "none");
    }
    let indent = " ".repeat(2 * INDENT + 2);
    let lines = defaults.iter().map(|default| {
        let given = wrapped(&format!("{}: {}", default.key, default.value), 2 * INDENT);
        format!("  {given}\n{indent}{}\n", wrapped(default.setting, indent.len()))
    });
    format!("\n{title}\n{}", lines.collect::<String>())
}
