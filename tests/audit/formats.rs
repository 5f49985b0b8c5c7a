//! How findings are written: for people, as JSON, as SARIF.

use retrystorm::audit::{Audit, Options, RULES, audit_texts};
use retrystorm::report::{audit_json, audit_sarif, audit_text};
use serde_json::Value;

const QUEUE: &str = "# retrystorm: allow RS001 it may expire
resource \"aws_sqs_queue\" \"parked\" {}

resource \"aws_sqs_queue\" \"orders\" {
  visibility_timeout_seconds = 1200
  message_retention_seconds  = 43200
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 36
  })
}

resource \"aws_sqs_queue\" \"orders_dlq\" {
  delay_seconds = var.delay
}

variable \"delay\" {}
";

fn audited() -> Audit {
    audit_texts(&[("queues/main.tf", QUEUE)], &Options::default())
}

#[test]
fn people_see_the_line_the_numbers_and_the_remedy() {
    insta::assert_snapshot!(audit_text(&audited(), false).replace('\u{a0}', " "));
}

#[test]
fn a_template_shows_its_place() {
    let template = "Resources:\n  Orders:\n    Type: AWS::SQS::Queue\n    Properties:\n      VisibilityTimeout: 30 # 5 minutes\n      RetentionPeriod: 5\n";
    let audit = audit_texts(&[("template.yaml", template)], &Options::default());
    insta::assert_snapshot!(audit_text(&audit, false).replace('\u{a0}', " "));
}

#[test]
fn json_has_every_finding_with_its_place() {
    let value: Value = serde_json::from_str(&audit_json(&audited()).expect("JSON")).expect("JSON");
    assert_eq!(value["counts"]["error"], 1);
    assert_eq!(value["counts"]["allowed"], 1);
    assert_eq!(value["counts"]["unresolved"], 1);
    let finding = &value["findings"][0];
    assert_eq!((&finding["rule"], &finding["file"]), (&"RS010".into(), &"queues/main.tf".into()));
    assert_eq!((&finding["line"], &finding["column"]), (&9.into(), &27.into()));
    assert_eq!(value["allowed"][0]["reason"], "it may expire");
    assert_eq!(value["unresolved"][0]["line"], 14);
}

#[test]
fn sarif_has_what_its_standard_asks_for() {
    let value: Value = serde_json::from_str(&audit_sarif(&audited()).expect("SARIF")).expect("JSON");
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), RULES.len());
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "what stands and what is allowed");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(!result["message"]["text"].as_str().expect("a message").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "queues/main.tf");
        let region = &place["region"];
        for key in ["startLine", "startColumn", "endLine", "endColumn"] {
            assert!(region[key].as_u64().expect("a number") >= 1, "{key} in {region}");
        }
    }
    assert_eq!(results[1]["suppressions"][0]["justification"], "it may expire");
    assert!(run["invocations"][0]["executionSuccessful"].as_bool().expect("a truth value"));
}
