//! Whatever the files hold, an audit ends, and without a panic.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use retrystorm::audit::{Options, audit_texts};
use retrystorm::report::{audit_json, audit_sarif, audit_text};

use crate::corpus::folder;

/// A name for each reader.
const NAMES: [&str; 4] = ["main.tf", "template.yaml", "serverless.yml", "queue.json"];

fn audited(name: &str, text: &str) {
    let audit = audit_texts(&[(name, text)], &Options { handler_time_s: Some(45.0), ..Options::default() });
    let shown = audit_text(&audit, true);
    assert!(!shown.is_empty());
    audit_json(&audit).expect("JSON");
    audit_sarif(&audit).expect("SARIF");
}

/// All files of the set, with the name that their reader goes by.
fn seeds() -> Vec<(&'static str, String)> {
    let mut open = vec![folder()];
    let mut seeds = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = match path.extension().and_then(|ending| ending.to_str()) {
                Some("tf") => NAMES[0],
                Some("yaml") => NAMES[1],
                Some("yml") => NAMES[2],
                Some("json") => NAMES[3],
                _ => continue,
            };
            seeds.push((name, fs::read_to_string(&path).expect("a text")));
        }
    }
    seeds.sort();
    seeds
}

/// What goes wrong with a text.
#[derive(Debug, Clone)]
enum Mutation {
    Cut(usize, usize),
    Repeat(usize, usize),
    Insert(usize, String),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let telling = "[{]|[}]|\\[|\\]|:|#|\"|\\$\\{|!Ref |!Sub |\\*a|&a |<<: |- |\n|\t|999999999999|-1|1e308|ü|\u{e000}0\u{e000}|each\\.key|null";
    prop_oneof![
        (any::<usize>(), 0_usize..60).prop_map(|(at, length)| Mutation::Cut(at, length)),
        (any::<usize>(), 0_usize..120).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        (any::<usize>(), telling).prop_map(|(at, text)| Mutation::Insert(at, text)),
    ]
}

fn mutated(text: &str, mutations: &[Mutation]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for mutation in mutations {
        let length = letters.len();
        match mutation {
            Mutation::Cut(at, count) => {
                let at = at % (length + 1);
                letters.drain(at..(at + count).min(length));
            }
            Mutation::Repeat(at, count) => {
                let at = at % (length + 1);
                let piece: Vec<char> = letters[at..(at + count).min(length)].to_vec();
                letters.splice(at..at, piece);
            }
            Mutation::Insert(at, text) => {
                let at = at % (length + 1);
                letters.splice(at..at, text.chars());
            }
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn files_that_went_wrong_are_audited_or_refused(
        seed in any::<prop::sample::Index>(),
        mutations in prop::collection::vec(mutation(), 1..8),
    ) {
        static SEEDS: LazyLock<Vec<(&str, String)>> = LazyLock::new(seeds);
        let seeds = &*SEEDS;
        let (name, text) = &seeds[seed.index(seeds.len())];
        audited(name, &mutated(text, &mutations));
    }

    #[test]
    fn any_text_is_audited_or_refused(name in prop::sample::select(&NAMES[..]), text in "\\PC{0,200}") {
        audited(name, &text);
    }
}

#[test]
fn what_grows_without_bounds_is_refused_in_time() {
    let began = Instant::now();
    let repeated = |piece: &str, times: usize| piece.repeat(times);
    let locals: String = (0..60).map(|at| format!("  l{at} = [local.l{}, local.l{}]\n", at + 1, at + 1)).collect();
    let texts: String =
        (0..60).map(|at| format!("  t{at} = \"${{local.t{}}}${{local.t{}}}\"\n", at + 1, at + 1)).collect();
    let chain: String = (0..5_000).map(|at| format!("  c{} = [local.c{at}]\n", at + 1)).collect();
    let users: String = (0..5_000)
        .map(|at| format!("resource \"aws_sqs_queue\" \"q{at}\" {{\n  delay_seconds = local.c{at}\n}}\n"))
        .collect();
    let queue = "resource \"aws_sqs_queue\" \"q\" {\n  delay_seconds = local.l0\n  name = local.t0\n}\n";
    let terraform = [
        format!("locals {{\n{locals}  l60 = \"x\"\n{texts}  t60 = \"xxxxxxxxxxxxxxxx\"\n}}\n{queue}"),
        format!("locals {{\n  c0 = 1\n{chain}}}\n{users}"),
        "locals {\n  l0 = local.t0\n  t0 = local.l0\n}\n".to_owned() + queue,
        "x = ".to_owned() + &repeated("[", 100_000),
        "module \"a\" {\n  source = \"./\"\n}\nmodule \"b\" {\n  source = \"./\"\n}\n".to_owned() + queue,
    ];
    terraform.iter().for_each(|text| audited("main.tf", text));
    let conditions: String =
        (0..40).map(|at| format!("  C{at}: !And [!Condition C{}, !Condition C{}]\n", at + 1, at + 1)).collect();
    let aliases: String = (1..30).map(|at| format!("a{at}: &a{at} [*a{}, *a{}]\n", at - 1, at - 1)).collect();
    let resources = "Resources:\n  Q:\n    Type: AWS::SQS::Queue\n    Condition: C0\n";
    let yaml = [
        format!("Conditions:\n{conditions}  C40: !Condition C0\n{resources}"),
        format!("a0: &a0 [x]\n{aliases}{resources}"),
        "a: &a [*a]\n".to_owned(),
        repeated("[", 1_000_000),
        repeated("{a: ", 100_000),
        repeated("- ", 100_000),
    ];
    yaml.iter().for_each(|text| audited("template.yaml", text));
    let custom: String =
        (0..40).map(|at| format!("  v{at}: \"${{self:custom.v{}}}${{self:custom.v{}}}\"\n", at + 1, at + 1)).collect();
    let services = [
        format!("service: x\nprovider: {{ name: aws }}\ncustom:\n{custom}  v40: x\n"),
        "service: x\nprovider: { name: aws }\ncustom:\n  a: { b: \"${self:custom.a}\" }\n".to_owned(),
        "service: x\nprovider: { name: \"${self:}\" }\n".to_owned(),
        format!("service: x\nprovider:\n  name: \"{}\"\n", repeated("${self:", 5_000)),
    ];
    services.iter().for_each(|text| audited("serverless.yml", text));
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn ten_megabytes_take_seconds() {
    let queue = "resource \"aws_sqs_queue\" \"q@\" {\n  visibility_timeout_seconds = 30 # 5 minutes\n  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.q0.arn, maxReceiveCount = 1 })\n}\n\n";
    let terraform: String = (0..10_000_000 / queue.len()).map(|at| queue.replace('@', &at.to_string())).collect();
    let queue = "  Q@:\n    Type: AWS::SQS::Queue\n    Properties:\n      VisibilityTimeout: 30 # 5 minutes\n      RedrivePolicy: { deadLetterTargetArn: !GetAtt Q0.Arn, maxReceiveCount: 1 }\n";
    let queues: String = (0..10_000_000 / queue.len()).map(|at| queue.replace('@', &at.to_string())).collect();
    for (name, text) in [("main.tf", terraform), ("template.yaml", format!("Resources:\n{queues}"))] {
        let began = Instant::now();
        let audit = audit_texts(&[(name, &text)], &Options::default());
        assert!(audit.findings.len() > 50_000, "{name}");
        // Five times what it takes on a machine that does nothing else.
        assert!(began.elapsed() < Duration::from_secs(10), "{name}: {:?}", began.elapsed());
        println!("{name}: {:?}", began.elapsed());
    }
}
