//! The command that gives the results of a run again.

use retrystorm::study::StudyResult;

use super::run::RunArguments;

/// The command, ready to paste into a shell: with the seed and the replications that were used, whether an option set
/// them, the scenario did, or `--until` came to them.
pub fn command(arguments: &RunArguments, scenario_file: &str, result: &StudyResult) -> String {
    let scenario = &result.scenario;
    let (seed, replications) = (scenario.seed.to_string(), scenario.replications.to_string());
    let mut words = vec!["retrystorm", "run", scenario_file, "--seed", &seed, "--replications", &replications];
    if let Some(baseline) = &arguments.baseline {
        words.extend(["--baseline", baseline]);
    }
    if !arguments.only.is_empty() {
        words.push("--only");
        words.extend(arguments.only.iter().map(String::as_str));
    }
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./=+:,@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("with-breaker"), "with-breaker");
        assert_eq!(quoted("it's $1"), r"'it'\''s $1'");
        assert_eq!(quoted(""), "''");
    }
}
