//! A set of files with all that is to be found in them, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use retrystorm::audit::model::Spot;
use retrystorm::audit::{Audit, Options, audit};

/// The folder of the set.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/audit/files")
}

/// Each case with what is expected of it. A case is a file, or a folder whose files belong together.
fn expected() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(folder().join("expected.txt")).expect("the table");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let case = |line: &str| {
        let (case, found) = line.split_once(": ").unwrap_or_else(|| panic!("a case and what is in it: {line}"));
        let found = found.split(' ').filter(|word| *word != "clean").map(str::to_owned);
        (case.to_owned(), found.collect())
    };
    lines.map(case).collect()
}

/// The cases that are there: files and folders below the folders of the formats, and what CDK makes.
fn cases() -> Vec<String> {
    let entries = |path: &Path| -> Vec<String> {
        let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        entries.map(|name| name.into_string().expect("a plain name")).collect()
    };
    let mut cases = Vec::new();
    for format in entries(&folder()) {
        match format.as_str() {
            "expected.txt" => {}
            "cdk.out" => cases.push(format),
            _ => cases.extend(entries(&folder().join(&format)).iter().map(|case| format!("{format}/{case}"))),
        }
    }
    cases.sort();
    cases
}

/// What was found in a case, as the table writes it.
fn found(case: &str) -> Vec<String> {
    let path = folder().join(case);
    let audit = audit(std::slice::from_ref(&path), &Options::default());
    assert!(audit.unreadable.is_empty(), "{case}: {:?}", audit.unreadable);
    let at = |spot: Spot| place(&audit, spot, &path);
    let findings = audit.findings.iter().map(|finding| format!("{}@{}", finding.rule.id, at(finding.spot)));
    let allowed = audit
        .suppressed
        .iter()
        .map(|suppressed| format!("allowed-{}@{}", suppressed.finding.rule.id, at(suppressed.finding.spot)));
    let open = audit.unresolved.iter().map(|unresolved| format!("open@{}", at(unresolved.spot)));
    findings.chain(allowed).chain(open).collect()
}

fn place(audit: &Audit, spot: Spot, case: &Path) -> String {
    let (line, _) = audit.sources.line_and_column(spot);
    let name = Path::new(&audit.sources.file(spot).name);
    match name.strip_prefix(case).map(Path::to_string_lossy) {
        Ok(inside) if !inside.is_empty() => format!("{inside}:{line}"),
        _ => line.to_string(),
    }
}

#[test]
fn in_every_file_is_found_what_is_expected_and_nothing_else() {
    let expected = expected();
    let names: Vec<&String> = expected.keys().collect();
    assert_eq!(names, cases().iter().collect::<Vec<_>>(), "every case has a line in the table, every line a case");
    assert!(expected.len() >= 40);
    let wrong: Vec<String> = expected
        .iter()
        .map(|(case, expected)| (case, expected, found(case)))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(case, expected, found)| format!("{case}:\n  expected {expected:?}\n  found    {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_dead_letter_queue_beside_the_file_that_is_named_is_read_too() {
    let source = folder().join("attributes/pair-short/orders.json");
    let found = audit(&[source], &Options::default());
    assert_eq!(found.findings.iter().map(|finding| finding.rule.id).collect::<Vec<_>>(), ["RS009"]);
}

#[test]
fn the_other_files_of_a_module_are_read_with_the_one_that_is_named() {
    let named = audit(&[folder().join("terraform/locals/main.tf")], &Options::default());
    let ids: Vec<&str> = named.findings.iter().map(|finding| finding.rule.id).collect();
    assert_eq!(ids, ["RS004", "RS007"]);
}
