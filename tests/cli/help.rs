//! The help of every command, and what is said of commands that do not exist.

use crate::tool::Desk;

/// The names of all commands that the help lists, without `help` itself.
pub fn commands() -> Vec<String> {
    let help = Desk::new().run(&["--help"]).ended_with(0);
    let lines =
        help.stdout().lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_help_of_every_command_has_examples_and_fits_into_100_columns() {
    let commands = commands();
    assert!(commands.len() >= 12, "{commands:?}");
    for command in &commands {
        let help = Desk::new().run(&[command, "--help"]).ended_with(0);
        let text = help.stdout();
        assert!(text.contains(&format!("\nExamples:\n  retrystorm {command}")), "{command} has no example:\n{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
        assert_eq!(help.stderr(), "");
    }
}

#[test]
fn the_readme_names_every_command() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("the page");
    for command in commands() {
        assert!(readme.contains(&format!("`{command}")), "{command} is not in README.md");
    }
}

#[test]
fn a_mistyped_command_is_refused_with_the_nearest_one() {
    let desk = Desk::new();
    for (typed, meant) in
        [("runn", "run"), ("chek", "check"), ("polices", "policies"), ("explian", "explain"), ("inti", "init")]
    {
        let run = desk.run(&[typed]).ended_with(2);
        assert!(run.stderr().contains("similar subcommand"), "{}", run.stderr());
        assert!(run.stderr().contains(&format!("'{meant}'")), "{typed}: {}", run.stderr());
        assert_eq!(run.stdout(), "");
    }
    let run = desk.run(&["xyzzy"]).ended_with(2);
    assert!(!run.stderr().contains("similar"), "{}", run.stderr());
}
