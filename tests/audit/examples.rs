//! The two examples of each rule.

use retrystorm::audit::{Audit, Example, Options, RULES, Rule, audit_texts};

/// With a handler's time for the one rule that needs it.
fn audited(rule: &Rule, example: &Example) -> Audit {
    let options = Options { handler_time_s: (rule.id == "RS005").then_some(60.0), ..Options::default() };
    audit_texts(&[(example.file, example.text)], &options)
}

#[test]
fn an_example_that_fails_has_the_finding_of_its_rule() {
    for rule in RULES {
        let audit = audited(rule, &rule.fails);
        assert!(audit.unreadable.is_empty(), "{}: {:?}", rule.id, audit.unreadable);
        let ids: Vec<&str> = audit.findings.iter().map(|finding| finding.rule.id).collect();
        assert_eq!(ids, [rule.id], "{}", rule.fails.text);
    }
}

#[test]
fn an_example_that_passes_has_no_finding_at_all() {
    for rule in RULES {
        let audit = audited(rule, &rule.passes);
        let found: Vec<&str> = audit.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert!(found.is_empty() && audit.unreadable.is_empty(), "{}: {found:?} {:?}", rule.id, audit.unreadable);
        assert!(audit.unresolved.is_empty(), "{}: {:?}", rule.id, audit.unresolved);
    }
}

#[test]
fn ids_are_numbered_and_names_are_their_own() {
    for (at, rule) in RULES.iter().enumerate() {
        assert_eq!(rule.id, format!("RS{:03}", at + 1));
        assert!(!RULES[..at].iter().any(|other| other.name == rule.name), "{}", rule.name);
    }
}
