//! The report as Markdown, for the summary of a job or a pull request.

use super::{differences, probabilities, summary, table, terminal, verdicts, words};
use crate::study::StudyResult;

/// The report of a study as GitHub's Markdown.
pub fn markdown(result: &StudyResult) -> String {
    let mut text =
        format!("## {}\n\n{}\n", escaped(&result.scenario.title), terminal::setting(result).replace('\n', " "));
    let (header, rows) = table::cells(result);
    text.push('\n');
    text.push_str(&grid(&header, rows));
    text.push_str(&list("Differences", shown_differences(result)));
    text.push_str(&list("Two outcomes, not one", probabilities::groups(result)));
    text.push_str(&expectations(result));
    text.push_str(&claims(result));
    text
}

fn shown_differences(result: &StudyResult) -> Vec<String> {
    if result.differences.is_empty() || result.scenario.replications < 2 {
        Vec::new()
    } else {
        differences::lines(result)
    }
}

fn expectations(result: &StudyResult) -> String {
    if result.expectations.is_empty() {
        return String::new();
    }
    let met = result.expectations.iter().filter(|one| one.met).count();
    let rows = result.expectations.iter().map(|one| {
        let expected = &one.expectation;
        let remarks = [expected.says.as_str(), verdicts::doubt(one)];
        vec![
            if one.met { "✅ met" } else { "❌ **missed**" }.to_owned(),
            escaped(words::variant_name(result, expected.variant)),
            escaped(&words::quantity(result, expected.quantity)),
            escaped(&words::found(expected.quantity, one.found)),
            escaped(&words::expected(result, expected.quantity, &expected.comparison, &one.bound)),
            escaped(&joined(&remarks)),
        ]
    });
    let header = ["", "variant", "metric", "found", "expected", "why"].map(str::to_owned);
    let count = result.expectations.len();
    format!("\n### Expectations: {met} of {count} met\n\n{}", aligned(&header, rows.collect(), "---"))
}

fn claims(result: &StudyResult) -> String {
    if result.claims.is_empty() {
        return String::new();
    }
    let rows = result.claims.iter().map(|one| {
        let quantity = one.claim.quantity;
        vec![
            summary::verdict_name(one.verdict).to_owned(),
            escaped(words::variant_name(result, one.claim.variant)),
            escaped(&words::quantity(result, quantity)),
            escaped(&words::found(quantity, one.found)),
            escaped(&words::value(quantity, one.claim.figure)),
            escaped(&joined(&[&one.claim.says, &one.claim.because])),
        ]
    });
    let header = ["", "variant", "metric", "found", "claimed", "why"].map(str::to_owned);
    format!("\n### Claims\n\n{}", aligned(&header, rows.collect(), "---"))
}

fn joined(remarks: &[&str]) -> String {
    remarks.iter().filter(|remark| !remark.is_empty()).copied().collect::<Vec<_>>().join("; ")
}

fn list(heading: &str, lines: Vec<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items = lines.iter().map(|line| format!("- {}\n", escaped(line)));
    format!("\n### {heading}\n\n{}", items.collect::<String>())
}

/// A table whose cells are Markdown already; numbers stand at the right, all but the first column.
pub(super) fn grid(header: &[String], rows: Vec<Vec<String>>) -> String {
    aligned(header, rows, "--:")
}

fn aligned(header: &[String], rows: Vec<Vec<String>>, others: &str) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rules: Vec<String> =
        (0..header.len()).map(|column| if column == 0 { "---" } else { others }.to_owned()).collect();
    let rows = rows.iter().map(|row| line(row)).collect::<String>();
    format!("{}{}{rows}", line(header), line(&rules))
}

/// Text in which nothing is Markdown, HTML or the name of somebody to notify.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in words::clean(text).chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '@' => safe.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' => safe.extend(['\\', character]),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn reads_from_the_title_to_the_claims() {
        insta::assert_snapshot!(markdown(&sample::failover()));
    }

    #[test]
    fn names_cannot_break_the_table() {
        assert_eq!(escaped("a|b\n<c> @d *e*"), "a\\|b\u{fffd}&lt;c&gt; &#64;d \\*e\\*");
        let text = markdown(&sample::odd_names());
        let header = text.lines().find(|line| line.starts_with("|  |")).expect("a table");
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        for line in text.lines().filter(|line| line.starts_with("| ")).take(10) {
            assert_eq!(columns(line), columns(header), "{line}");
        }
    }
}
