//! `retrystorm audit`

use crate::tool::Desk;

const BARE: &str = "Resources:\n  Orders:\n    Type: AWS::SQS::Queue\n";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("template.yaml", BARE);
    desk
}

#[test]
fn findings_end_with_3_and_none_with_0() {
    let desk = desk();
    let found = desk.run(&["audit", "template.yaml"]).ended_with(3);
    assert!(found.stdout().contains("warning[RS001]"), "{}", found.stdout());
    desk.run(&["audit", "template.yaml", "--fail-on", "error"]).ended_with(0);
    let allowed = desk.run(&["audit", "template.yaml", "--allow", "RS001=it may expire"]).ended_with(0);
    assert!(allowed.stdout().contains("no findings (1 allowed)"), "{}", allowed.stdout());
}

#[test]
fn a_folder_is_searched_and_other_yaml_in_it_is_left_alone() {
    let desk = desk();
    let found = desk.run(&["audit", "."]).ended_with(3);
    assert!(found.stdout().ends_with("1 queue in 1 file: 1 warning\n"), "{}", found.stdout());
}

#[test]
fn what_cannot_be_read_ends_with_2() {
    let desk = desk();
    desk.put("broken.yaml", "Resources: [\n");
    let broken = desk.run(&["audit", "broken.yaml"]).ended_with(2);
    assert!(broken.stderr().contains("broken.yaml cannot be read"), "{}", broken.stderr());
    let missing = desk.run(&["audit", "nothing.tf"]).ended_with(2);
    assert!(missing.stderr().contains("there is no file nothing.tf"), "{}", missing.stderr());
    let other = desk.run(&["audit", "small.yaml"]).ended_with(2);
    assert!(other.stderr().contains("small.yaml declares no queues"), "{}", other.stderr());
}

#[test]
fn reports_go_into_a_file() {
    let desk = desk();
    let run = desk.run(&["audit", "template.yaml", "--format", "sarif", "--output", "audit.sarif"]).ended_with(3);
    assert_eq!(run.stdout(), "");
    let text = std::fs::read_to_string(desk.path("audit.sarif")).expect("the report");
    assert!(text.contains("\"ruleId\": \"RS001\""), "{text}");
}

#[test]
fn a_finding_is_allowed_with_a_reason_only() {
    let desk = desk();
    let bare = desk.run(&["audit", "template.yaml", "--allow", "RS001"]).ended_with(2);
    assert!(bare.stderr().contains("needs a reason"), "{}", bare.stderr());
    let unknown = desk.run(&["audit", "template.yaml", "--allow", "RS01=x"]).ended_with(2);
    assert!(unknown.stderr().contains("there is no rule `RS01` to allow; did you mean RS0"), "{}", unknown.stderr());
}
