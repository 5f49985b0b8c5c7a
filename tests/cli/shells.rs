//! `retrystorm completions` and `retrystorm man`.

use crate::help::commands;
use crate::tool::Desk;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn every_shell_gets_the_commands_and_the_names_that_exist() {
    let desk = Desk::new();
    for shell in SHELLS {
        let run = desk.run(&["completions", shell]).ended_with(0);
        for command in commands() {
            assert!(run.stdout().contains(&command), "{shell} does not know {command}");
        }
        assert_eq!(run.stderr(), "");
    }
    // The other shells are told of no names.
    for shell in ["bash", "zsh"] {
        let run = desk.run(&["completions", shell]).ended_with(0);
        for name in ["spring-exponential", "spring-cloud-aws", "third-party", "queue.visibility_timeout"] {
            assert!(run.stdout().contains(name), "{shell} does not know {name}");
        }
    }
}

#[test]
fn another_shell_is_refused_with_those_that_there_are() {
    let run = Desk::new().run(&["completions", "bsh"]).ended_with(2);
    assert!(SHELLS.iter().all(|shell| run.stderr().contains(shell)), "{}", run.stderr());
    assert!(run.stderr().contains("'bash'"), "{}", run.stderr());
}

#[test]
#[cfg(unix)]
fn bash_takes_the_completions() {
    let desk = Desk::new();
    let script = desk.run(&["completions", "bash"]).ended_with(0);
    desk.put("completions.bash", script.stdout());
    let words = "source completions.bash; COMP_WORDS=(retrystorm policies expo); COMP_CWORD=2; \
                 _retrystorm retrystorm expo policies; echo \"${COMPREPLY[@]}\"";
    let bash = std::process::Command::new("bash").current_dir(desk.path("")).args(["-c", words]).output();
    // Where there is no bash, nobody needs its completions.
    let Ok(output) = bash else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout), "exponential\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_manual_has_a_page_for_the_program_and_one_for_each_command() {
    let desk = Desk::new();
    let page = desk.run(&["man"]).ended_with(0);
    assert!(page.stdout().contains(".TH retrystorm 1"), "{}", page.stdout());
    assert_eq!(desk.names("."), ["small.yaml"]);
    let written = desk.run(&["man", "pages"]).ended_with(0);
    assert!(written.stderr().contains("files written to pages"), "{}", written.stderr());
    let mut expected: Vec<String> = commands().iter().map(|command| format!("retrystorm-{command}.1")).collect();
    expected.push("retrystorm.1".to_owned());
    expected.sort();
    assert_eq!(desk.names("pages"), expected);
    assert_eq!(desk.read("pages/retrystorm.1"), page.stdout().as_bytes());
    let run = String::from_utf8(desk.read("pages/retrystorm-run.1")).expect("text");
    for words in ["replications", "Examples:", concat!("retrystorm ", env!("CARGO_PKG_VERSION"))] {
        assert!(run.contains(words), "{words} in {run}");
    }
}

#[test]
fn a_folder_of_the_manual_that_is_a_file_is_refused() {
    let run = Desk::new().run(&["man", "small.yaml"]).ended_with(2);
    assert!(run.stderr().contains("small.yaml"), "{}", run.stderr());
}
