//! What a run prints: the comparison, what was expected of it and what was claimed.

use super::{alarms, differences, happened, number, probabilities, table, verdicts, words};
use crate::engine::time::seconds;
use crate::study::StudyResult;

/// Columns that every text keeps to.
pub const WIDTH: usize = 100;

/// The report of a study as text of at most a hundred columns, with colours where `colour` allows them.
pub fn text(result: &StudyResult, colour: bool) -> String {
    let paint = Paint { colour };
    let mut text = String::new();
    for line in words::wrapped(&result.scenario.title, WIDTH) {
        text.push_str(&paint.bold(&line));
        text.push('\n');
    }
    text.push_str(&setting(result));
    text.push('\n');
    text.push_str(&table::comparison(result));
    text.push('\n');
    text.push_str(&happened::section(result, paint));
    text.push_str(&differences::section(result, paint));
    text.push_str(&probabilities::section(result, paint));
    text.push_str(&alarms::table(result, paint));
    text.push_str(&verdicts::expectations(result, paint));
    text.push_str(&verdicts::claims(result, paint));
    text
}

/// What was run, in a line or two.
pub fn setting(result: &StudyResult) -> String {
    let scenario = &result.scenario;
    let runs = match scenario.replications {
        1 => "a single run, so that no interval can be given".to_owned(),
        many => format!("means of {many} runs, ± half of the 95 % interval where it exceeds 0.5 %"),
    };
    let until = result.until.as_ref().map_or_else(String::new, |until| match until.reached {
        true => format!("; enough for {}", until.until),
        false => format!("; not enough for {}", until.until),
    });
    let duration = number::duration(seconds(scenario.duration_us));
    let warm_up = scenario.warm_up_us().map(|warm_up_us| number::duration(seconds(warm_up_us)));
    let counted = warm_up.map_or(String::new(), |warm_up| format!(", counted from {warm_up} on"));
    let line = format!("{duration} simulated{counted}, seed {}; {runs}{until}", scenario.seed);
    words::wrapped(&line, WIDTH).join("\n") + "\n"
}

/// Colours and weights, or none.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    colour: bool,
}

impl Paint {
    /// With colours, or without.
    pub fn with(colour: bool) -> Self {
        Self { colour }
    }

    /// No colours.
    #[cfg(test)]
    pub fn none() -> Self {
        Self { colour: false }
    }

    /// A heading.
    pub fn bold(self, text: &str) -> String {
        self.styled("1", text)
    }

    /// Good news, filled up to a width.
    pub fn good(self, text: &str, width: usize) -> String {
        self.filled("32", text, width)
    }

    /// News to look at.
    pub fn fair(self, text: &str, width: usize) -> String {
        self.filled("33", text, width)
    }

    /// Bad news.
    pub fn bad(self, text: &str, width: usize) -> String {
        self.filled("1;31", text, width)
    }

    fn filled(self, code: &str, text: &str, width: usize) -> String {
        // The fill stays outside of the style: its escape codes would count as width.
        format!("{}{:fill$}", self.styled(code, text), "", fill = width.saturating_sub(text.len()))
    }

    fn styled(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::report::sample;

    #[test]
    fn reads_from_the_title_to_the_claims() {
        insta::assert_snapshot!(text(&sample::failover(), false));
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let result = sample::failover();
        let coloured = text(&result, true);
        assert!(coloured.contains("\u{1b}[1;31mMISSED\u{1b}[0m"));
        let mut plain = coloured;
        for code in ["1", "32", "33", "1;31", "0"] {
            plain = plain.replace(&format!("\u{1b}[{code}m"), "");
        }
        assert_eq!(plain, text(&result, false));
    }

    #[test]
    fn every_line_fits() {
        for result in [sample::failover(), sample::many(100), sample::odd_names(), sample::empty()] {
            for line in text(&result, false).lines() {
                assert!(line.width() <= WIDTH, "{} columns: {line}", line.width());
            }
        }
    }
}
