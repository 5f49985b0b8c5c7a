//! From a file or a text to a checked scenario.

use super::check::{Profiles, check};
use super::checked::Scenario;
use super::error::ScenarioError;
use super::estimate::refuse_in_text;
use super::language::Language;
use super::problems::{Finding, Problems};
use super::raw::RawScenario;
use super::sweep::{self, Arguments, Limits, Plan};
use super::text::{Place, read_text, too_large};
use super::tree::{Node, Value, read_tree};
use std::path::{Path, PathBuf};

/// Largest scenario in bytes. The largest sensible one is a hundred times smaller.
const LARGEST_BYTES: u64 = 1024 * 1024;

/// Reads and checks the scenario in a file; of a sweep, that of its first point. Profiles are looked up beside the file.
///
/// # Errors
/// Everything that is wrong with the file or the scenario, ready to print.
pub fn read_file(path: impl AsRef<Path>) -> Result<Scenario, ScenarioError> {
    read_plan(path, &[]).map(|plan| plan.scenario)
}

/// Reads and checks the scenario in a file and its sweep, to which each argument `KEY=A,B,C` adds an axis or replaces one.
///
/// # Errors
/// Everything that is wrong with the file, the scenario or the arguments, ready to print.
pub fn read_plan(path: impl AsRef<Path>, vary: &[String]) -> Result<Plan, ScenarioError> {
    read(path.as_ref(), Arguments { option: "--vary", axes: vary }, Limits::AllAreRun)
}

/// The same for a search: the arguments are those of `--over`, and the number of runs has no limit, since a search does
/// not carry out all of them. Whoever knows how many it does asks [`Sweep::set_replications`](super::Sweep).
///
/// # Errors
/// As those of [`read_plan`].
pub fn read_search(path: impl AsRef<Path>, over: &[String]) -> Result<Plan, ScenarioError> {
    read(path.as_ref(), Arguments { option: "--over", axes: over }, Limits::SomeAreRun)
}

/// The profiles that the scenario in a file names, as far as it can be read. Whether it is sound is not asked.
pub fn profiles_of(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let text = read_text(path, LARGEST_BYTES).unwrap_or_default();
    let Ok(tree) = read_tree(text.strip_prefix('\u{feff}').unwrap_or(&text)) else { return Vec::new() };
    let mut names = Vec::new();
    collect_profiles(&tree, &mut names);
    let folder = path.parent().unwrap_or(Path::new(""));
    names.into_iter().map(|name| folder.join(name)).collect()
}

fn collect_profiles<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| collect_profiles(item, names)),
        Value::Mapping(entries) => entries.iter().for_each(|entry| match &entry.node.value {
            Value::Text(name) if entry.key == "profile" => names.push(name),
            _ => collect_profiles(&entry.node, names),
        }),
        _ => {}
    }
}

fn read(path: &Path, arguments: Arguments<'_>, limits: Limits) -> Result<Plan, ScenarioError> {
    let name = path.display().to_string();
    let text = read_text(path, LARGEST_BYTES).map_err(|message| ScenarioError::of_file(&name, message, None))?;
    parse_plan(&text, &name, path.parent().unwrap_or(Path::new("")), arguments, limits)
}

/// Checks the scenario in a text. The name stands in messages, and its stem is the default title; profiles are looked up
/// in the given folder. Of a sweep it is the scenario of the first point.
///
/// # Errors
/// Everything that is wrong with the scenario, ready to print.
pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Scenario, ScenarioError> {
    parse_plan(text, name, folder, Arguments { option: "--vary", axes: &[] }, Limits::AllAreRun)
        .map(|plan| plan.scenario)
}

pub(super) fn parse_plan(
    text: &str,
    name: &str,
    folder: &Path,
    arguments: Arguments<'_>,
    limits: Limits,
) -> Result<Plan, ScenarioError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() as u64 > LARGEST_BYTES {
        return Err(ScenarioError::of_file(name, too_large(name, LARGEST_BYTES), None));
    }
    let arguments = sweep::append(text, arguments);
    let fail =
        |findings| ScenarioError::in_text(name, &arguments.text, findings).with_arguments_at(arguments.starts_at);
    let mut tree = read_tree(text).map_err(|finding| fail(vec![finding]))?;
    if tree.value == Value::Null {
        let help = "a scenario begins, for example, with `duration: 20m`".to_owned();
        return Err(ScenarioError::of_file(name, format!("{name} is empty"), Some(help)));
    }
    let default_title = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    let mut profiles = Profiles::new(folder);
    let mut read_one = |tree: &Node, problems: &mut Problems| {
        let raw = RawScenario::read(tree, problems)?;
        check(&raw, tree.place, &default_title, &mut profiles, problems)
    };
    let mut problems = Problems::default();
    let sweep = sweep::read_points(&mut tree, &arguments, limits, &mut read_one, &mut problems);
    if sweep.is_some() || !problems.is_empty() {
        let plan = |(scenario, sweep)| Plan { scenario, sweep: Some(sweep), text: text.to_owned() };
        return sweep.filter(|_| problems.is_empty()).map(plan).ok_or_else(|| fail(findings(problems)));
    }
    match read_one(&tree, &mut problems) {
        Some(scenario) if problems.is_empty() => {
            refuse_in_text(&scenario, &tree).map_err(|finding| fail(vec![finding]))?;
            Ok(Plan { scenario, sweep: None, text: text.to_owned() })
        }
        _ => Err(fail(findings(problems))),
    }
}

/// Every mistake in the order of the text; never none.
fn findings(problems: Problems) -> Vec<Finding> {
    let mut findings = problems.into_sorted();
    if findings.is_empty() {
        findings.push(Finding::new(Place::default(), "this is not a usable scenario", "here"));
    }
    findings
}
