//! Problems as a compiler shows them: the line of the file, the spot marked, the remedy below.

use super::error::{Problem, ScenarioError};
use super::text::{line_at, snippet};
use annotate_snippets::{Group, Level, Renderer};

/// How many problems are shown in full; a file with more is better mended in steps.
const SHOWN: usize = 40;

/// Every problem as text, blank lines between them.
pub(super) fn render(error: &ScenarioError, text: &str, colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let mut parts: Vec<String> =
        error.problems().iter().take(SHOWN).map(|problem| renderer.render(&groups(problem, error, text))).collect();
    let more = error.problems().len().saturating_sub(SHOWN);
    if more > 0 {
        parts.push(renderer.render(&[Group::with_title(
            Level::NOTE.primary_title(format!("{more} more problems in {} are not shown", error.file())),
        )]));
    }
    parts.join("\n\n")
}

fn groups<'a>(problem: &'a Problem, error: &'a ScenarioError, text: &'a str) -> Vec<Group<'a>> {
    let title = Level::ERROR.primary_title(problem.message());
    let main = match problem.place {
        Some(place) => {
            let mut line = line_at(text, place.start);
            let before = error.lines_before_arguments(place);
            line.number -= before.unwrap_or(0);
            let file = if before.is_some() { "the command line" } else { error.file() };
            title.element(snippet(file, &line, place, problem.label()))
        }
        None => Group::with_title(title),
    };
    let help = problem.help().map(|help| Group::with_title(Level::HELP.secondary_title(help)));
    std::iter::once(main).chain(help).collect()
}
