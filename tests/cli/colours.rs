//! Colours are for terminals, and only for those whose owners want them.

use crate::tool::{Desk, Finished, SMALL};

/// The byte that begins every colour.
const ESCAPE: char = '\u{1b}';

/// Commands that print to standard output or to standard error, in all the ways that there are.
const COMMANDS: [&[&str]; 9] = [
    &["run", "small.yaml"],
    &["run", "broken.yaml"],
    &["check", "small.yaml"],
    &["explain", "queue"],
    &["policies", "exponential"],
    &["--help"],
    &["run", "--help"],
    &["runn"],
    &["completions", "zsh"],
];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("broken.yaml", &SMALL.replace("replications", "replicatoins"));
    desk
}

fn has_colours(desk: &Desk, arguments: &[&str], environment: &[(&str, &str)]) -> bool {
    let mut command = desk.command(arguments);
    command.envs(environment.iter().copied());
    let run = Finished::of(command.output().expect("the binary starts"));
    run.stdout().contains(ESCAPE) || run.stderr().contains(ESCAPE)
}

#[test]
fn what_goes_into_a_pipe_has_no_colours() {
    let desk = desk();
    for arguments in COMMANDS {
        assert!(!has_colours(&desk, arguments, &[]), "{arguments:?}");
        assert!(!has_colours(&desk, arguments, &[("TERM", "xterm-256color")]), "{arguments:?}");
    }
}

#[test]
fn no_color_takes_away_colours_that_there_would_be() {
    let desk = desk();
    for arguments in [&["run", "broken.yaml"][..], &["runn"], &["run", "--help"]] {
        let forced = ("CLICOLOR_FORCE", "1");
        assert!(has_colours(&desk, arguments, &[forced]), "the test has to be able to fail: {arguments:?}");
        assert!(!has_colours(&desk, arguments, &[forced, ("NO_COLOR", "1")]), "{arguments:?}");
    }
}
