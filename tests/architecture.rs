//! Who may import whom: ARCHITECTURE.md says it, and the sources are held against it.

#[path = "support/markdown.rs"]
#[allow(dead_code, reason = "another test needs the rest")]
mod markdown;
#[path = "support/paths.rs"]
mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use markdown::{code_spans, files, read, root, section, tables};
use paths::paths;

/// Rooms that know nothing of files, threads and clocks.
const PURE: [&str; 4] = ["engine", "measure", "model", "simulation"];
/// What they must not use.
const IMPURE: [&[&str]; 4] = [&["std", "fs"], &["std", "thread"], &["std", "time"], &["rayon"]];

/// The rules of the house.
struct Rules {
    /// What each room may use beside itself.
    allowed: BTreeMap<String, BTreeSet<String>>,
    /// The parts of the model.
    parts: BTreeSet<String>,
}

impl Rules {
    /// From the document, and the folders of the model.
    fn read() -> Self {
        let map = read("ARCHITECTURE.md");
        let table = tables(section(&map, "## Who may import whom")).remove(0);
        let names = |cell: &str| -> BTreeSet<String> { code_spans(cell).into_iter().map(str::to_owned).collect() };
        let allowed = table[1..].iter().map(|row| (row[0].trim_matches('`').to_owned(), names(&row[1]))).collect();
        let folders = fs::read_dir(root().join("src/model")).expect("the model").map(|entry| entry.expect("an entry"));
        let parts = folders.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string());
        Self { allowed, parts: parts.collect::<Result<_, _>>().expect("plain names") }
    }

    /// The paths in a source that its module must not use.
    fn violations(&self, module: &[&str], source: &str) -> Vec<String> {
        let found = paths(module, source).into_iter().filter(|path| !self.may_use(module, path));
        found.map(|path| path.join("::")).collect()
    }

    fn may_use(&self, module: &[&str], path: &[String]) -> bool {
        let room = module[0];
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match path.as_slice() {
            ["crate", "model", part, ..] if room == "model" => {
                // What is no part is what all may know; a glob would bring in the parts.
                let own = module.get(1).is_none_or(|own| own == part);
                own || !(self.parts.contains(*part) || *part == "*")
            }
            ["crate", other, ..] if *other == room => true,
            ["crate", "scenario", rest @ ..] if room == "simulation" => rest == ["Setup"],
            ["crate", other, ..] => self.allowed[room].contains(*other),
            ["crate"] => false,
            outside => !PURE.contains(&room) || !IMPURE.iter().any(|impure| outside.starts_with(impure)),
        }
    }
}

/// The modules of a room: names and sources.
fn modules(room: &str) -> Vec<(Vec<String>, String)> {
    let source_root = root().join("src");
    let sources = files(&source_root.join(room), "rs").into_iter().map(|path| {
        let inside = path.strip_prefix(&source_root).expect("a source").with_extension("");
        let mut module: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|name| name == "mod") {
            module.pop();
        }
        (module, fs::read_to_string(&path).expect("a source"))
    });
    sources.collect()
}

#[test]
fn no_room_uses_what_it_may_not_know() {
    let rules = Rules::read();
    let mut seen = BTreeSet::new();
    for room in rules.allowed.keys() {
        for (module, source) in modules(room) {
            let module: Vec<&str> = module.iter().map(String::as_str).collect();
            let violations = rules.violations(&module, &source);
            assert!(violations.is_empty(), "{} must not use {}", module.join("::"), violations.join(", "));
            seen.extend(paths(&module, &source).into_iter().map(|path| (room.clone(), path.join("::"))));
        }
    }
    // The search sees what is known to be there; else it would find nothing wrong anywhere.
    for (room, path) in [
        ("simulation", "crate::model::queue::Queue"),
        ("simulation", "crate::scenario::Setup"),
        ("model", "crate::model::MessageClass"),
        ("model", "crate::model::queue::QueueSettings"),
        ("study", "std::time::Instant"),
    ] {
        assert!(seen.contains(&(room.to_owned(), path.to_owned())), "{room} uses {path}");
    }
}

#[test]
fn the_table_has_every_room_of_the_library_and_the_library_has_no_command_line() {
    let library = read("src/lib.rs");
    let declared: BTreeSet<String> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert_eq!(declared, Rules::read().allowed.into_keys().collect());
    assert!(!library.contains("mod cli"), "the command line belongs to the binary");
    assert!(read("src/main.rs").contains("mod cli;"));
}

#[test]
fn a_wrong_import_is_found() {
    let rules = Rules::read();
    let cases: [(&[&str], &str, &[&str]); 15] = [
        (&["engine", "agenda"], "use crate::model::MessageClass;", &["crate::model::MessageClass"]),
        (&["engine", "agenda"], "use super::super::measure;", &["crate::measure"]),
        (&["model", "queue", "standard"], "use crate::scenario::Setup;", &["crate::scenario::Setup"]),
        (
            &["model", "queue", "standard"],
            "use crate::model::{MessageClass, policy::Backoff};",
            &["crate::model::policy::Backoff"],
        ),
        (&["model", "queue", "standard"], "use super::super::consumer::Fleet;", &["crate::model::consumer::Fleet"]),
        (&["model", "queue"], "use crate::{engine::time, simulation::*};", &["crate::simulation::*"]),
        (&["model", "queue"], "mod tests { use super::super::policy; }", &["crate::model::policy"]),
        (&["model", "queue"], "mod tests { use super::policy; }", &[]),
        (&["model", "queue"], "mod tests { use super::super::super::policy; }", &["crate::policy"]),
        (&["model", "queue"], "fn f() { let x = crate::report::text(1); }", &["crate::report::text"]),
        (
            &["measure", "recorder"],
            "use std::{fmt, time::{Duration, Instant}};",
            &["std::time::Duration", "std::time::Instant"],
        ),
        (&["simulation", "world"], "use rayon::prelude::*;", &["rayon::prelude::*"]),
        (&["simulation", "world"], "use crate::scenario::{Setup, parse};", &["crate::scenario::parse"]),
        (&["study", "run"], "use crate::report; use crate::cli::run;", &["crate::report", "crate::cli::run"]),
        (
            &["engine"],
            "// use crate::model;\n/* std::fs */ const A: &str = \"crate::model\"; const B: char = '\"';",
            &[],
        ),
    ];
    for (module, source, expected) in cases {
        assert_eq!(rules.violations(module, source), expected, "{source}");
    }
}
