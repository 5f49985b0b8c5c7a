//! The documents say what the code does: tables, names, scenarios and rule numbers are held against it.

#[path = "support/markdown.rs"]
mod markdown;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;
use retrystorm::audit::{Example, RULES, Rule};
use retrystorm::measure::{AlarmFigure, AlarmMetric, Fact, Metric, SeriesMetric};
use retrystorm::model::consumer::presets::{PRESETS, Preset};
use retrystorm::model::policy::catalogue::{About, Parameter};
use retrystorm::model::policy::{BACKOFFS, CLIENTS, JITTERS, LOAD_CONTROLS};
use retrystorm::scenario::{self, Scenario};
use retrystorm::{report, study};
use serde_json::Value;

use markdown::{anchor, blocks, code_spans, documents, files, headings, read, root, section, tables};

/// Events of a scenario that a test may take the time for.
const FEW_EVENTS: f64 = 2e7;

fn parsed(place: &str, text: &str, folder: &Path) -> Scenario {
    scenario::parse(text, "example.yaml", folder).unwrap_or_else(|error| panic!("{place}:\n{error}\n{text}"))
}

#[test]
fn every_whole_scenario_in_a_document_is_sound_and_runs() {
    let mut whole = 0;
    for document in documents() {
        for block in blocks(&document).iter().filter(|block| block.kind() == "yaml") {
            whole += 1;
            let mut scenario = parsed(&block.place, &block.text, root());
            scenario.replications = 1;
            if scenario::estimate(&scenario).events < FEW_EVENTS {
                study::run_study(&scenario, |_| ()).unwrap_or_else(|error| panic!("{}: {error}", block.place));
            }
        }
    }
    assert!(whole >= 2, "the language's page has at least two whole scenarios");
}

/// What a fragment is completed with, by key, unless it has the key itself.
const REST: [(&str, &str); 4] = [
    ("duration", "duration: 30m"),
    ("producers", "producers: [ { rate: 1/s } ]"),
    ("downstream", "downstream: { servers: 10, service_time: 50ms }"),
    ("variants", "variants: { as-is: {}, longer-lease: { queue: { visibility_timeout: 2m } } }"),
];

#[test]
fn every_fragment_of_a_scenario_is_sound_in_a_scenario() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let language = blocks("docs/scenario-language.md");
    let profile = language.iter().find(|block| block.kind() == "csv").expect("an example of a profile");
    std::fs::write(folder.path().join("arrivals.csv"), &profile.text).expect("a profile in the temporary folder");
    let mut fragments = 0;
    for document in documents() {
        for block in blocks(&document).iter().filter(|block| block.info == "yaml fragment") {
            fragments += 1;
            let is_given = |key: &str| block.text.lines().any(|line| line.starts_with(&format!("{key}:")));
            let rest = REST.iter().filter(|(key, _)| !is_given(key)).map(|(_, line)| format!("{line}\n"));
            parsed(&block.place, &format!("{}{}", rest.collect::<String>(), block.text), folder.path());
        }
    }
    assert!(fragments >= 4, "the language's page has fragments");
}

#[test]
fn every_scenario_block_says_whether_it_is_whole() {
    for document in documents() {
        for block in blocks(&document) {
            let known = [
                "yaml",
                "yaml fragment",
                "yml",
                "csv",
                "hcl",
                "json",
                "rust",
                "sh",
                "sh engine",
                "text",
                "text output",
                "toml",
                "",
            ];
            assert!(known.contains(&block.kind()), "{}: unknown kind `{}`", block.place, block.info);
            let looks_like_yaml = block.text.contains("\nproducers:") || block.text.contains("\ndownstream:");
            assert!(
                !looks_like_yaml || block.info.starts_with("yaml"),
                "{}: a scenario that nothing checks",
                block.place
            );
        }
    }
}

type Row<const COLUMNS: usize> = [String; COLUMNS];

fn metric_rows<const COLUMNS: usize>(heading: &str, columns: [&str; COLUMNS]) -> Vec<Row<COLUMNS>> {
    let document = read("docs/metrics.md");
    let table = tables(section(&document, heading)).into_iter().next().expect("a table below the heading");
    assert_eq!(table[0], columns, "{heading}");
    let row = |row: &Vec<String>| std::array::from_fn(|column| row[column].trim_matches('`').to_owned());
    table[1..].iter().map(row).collect()
}

const COLUMNS: [&str; 3] = ["name", "unit", "definition"];

#[test]
fn the_tables_of_metrics_are_those_of_the_code() {
    let rows: Vec<Row<4>> = Metric::ALL
        .iter()
        .map(|metric| [metric.name(), metric.words(), metric.unit(), metric.definition()].map(str::to_owned))
        .collect();
    assert_eq!(metric_rows("## Metrics of a run", ["name", "in words", "unit", "definition"]), rows);
    let rows: Vec<Row<3>> =
        Fact::ALL.iter().map(|fact| [fact.name(), fact.unit(), fact.definition()].map(str::to_owned)).collect();
    assert_eq!(metric_rows("## Facts", COLUMNS), rows);
    let rows: Vec<Row<3>> = SeriesMetric::ALL
        .iter()
        .map(|metric| [metric.name(), metric.unit(), metric.definition()].map(str::to_owned))
        .collect();
    assert_eq!(metric_rows("## The series", COLUMNS), rows);
    let rows: Vec<Row<3>> = AlarmMetric::ALL
        .iter()
        .map(|metric| [metric.name(), metric.unit(), metric.definition()].map(str::to_owned))
        .collect();
    assert_eq!(metric_rows("### What an alarm looks at", COLUMNS), rows);
    let rows: Vec<Row<3>> = AlarmFigure::ALL
        .iter()
        .map(|figure| [figure.name(), figure.unit(), figure.definition()].map(str::to_owned))
        .collect();
    assert_eq!(metric_rows("### What an alarm did", COLUMNS), rows);
}

#[test]
fn the_levels_of_the_series_are_those_of_the_code() {
    let levels: Vec<String> = SeriesMetric::ALL
        .iter()
        .filter(|metric| metric.is_level())
        .map(|metric| format!("`{}`", metric.name()))
        .collect();
    let (last, others) = levels.split_last().expect("levels");
    let sentence = format!("{} and {last} are levels. All others are flows.", others.join(", "));
    assert!(read("docs/metrics.md").contains(&sentence), "missing: {sentence}");
}

/// A small study with an expectation and a claim of each kind.
fn small_study() -> study::StudyResult {
    let scenario = parsed(
        "the small study",
        "
duration: 1m
queue: { visibility_timeout: 1s, redrive: { max_receive_count: 2 } }
producers: [ { rate: 5/s, classes: { permanent: 50% } } ]
downstream: { servers: 10, service_time: 50ms, outages: [ { at: 3s, for: 2s, mode: refuse } ] }
alarms: { churn: { metric: received_over_deleted, above: 1, period: 5s, for: 1, out_of: 2 } }
variants: { one: {}, twin: {} }
expect:
  - { metric: calls, from: 0s, to: 9s, above: 0 }
claims:
  - { variant: one, metric: visible, at: 9s, figure: 1 }
",
        root(),
    );
    study::run_study(&scenario, |_| ()).expect("the ledger balances")
}

#[test]
fn the_files_and_their_columns_are_those_of_a_run() {
    let document = read("docs/metrics.md");
    let table = tables(section(&document, "## The files")).remove(0).join(&Vec::new()[..]).join(" ");
    for file in report::render(&small_study(), report::Origin::of_file("small.yaml")).expect("a report") {
        let (stem, ending) = file.name.rsplit_once('.').expect("a name with an ending");
        let chart = table.contains(&format!("`{stem}`")) && table.contains(&format!("`.{ending}`"));
        assert!(chart || table.contains(&format!("`{}`", file.name)), "`{}` is not in the table of files", file.name);
        if ending == "csv" {
            let text = String::from_utf8(file.bytes).expect("text");
            let header = text.lines().next().expect("a header");
            assert!(document.contains(&format!("\n    {header}\n")), "{}: the header is {header}", file.name);
        }
    }
}

#[test]
fn the_columns_and_files_of_a_sweep_are_those_of_the_page() {
    let path = root().join("docs/sweeps.md");
    let document = std::fs::read_to_string(&path).expect("the page of sweeps");
    let block = &blocks("docs/sweeps.md").into_iter().find(|block| block.info == "yaml").expect("a sweep").text;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("s.yaml");
    std::fs::write(&file, block).expect("a file of the test");
    let sweep = scenario::read_plan(&file, &[]).expect("a sound sweep").sweep.expect("a sweep");
    let facts = study::SweepFacts::of(&sweep, "s.yaml", &[Metric::Calls]);
    let result = study::SweepResult::of(facts.clone(), &study::RunValues::new(facts.runs()));
    for file in report::render_sweep(&result).expect("a report") {
        let name = file.name.replace("calls", "METRIC").replace(".png", ".svg");
        assert!(document.contains(&format!("`{name}`")), "{name} is not on the page");
        if file.name == "sweep.csv" {
            let text = String::from_utf8(file.bytes).expect("text");
            let header = text.lines().next().expect("a header");
            let columns = header.rsplit_once("count,").expect("the last axis").1;
            assert!(document.contains(&format!("\n    {columns}\n")), "the columns are {columns}");
        }
    }
}

/// The number of jobs in `auto/N`.
fn jobs(options: &str) -> u64 {
    let count = options.split("auto/").nth(1).and_then(|rest| rest.split(|next: char| !next.is_ascii_digit()).next());
    count.and_then(|count| count.parse().ok()).expect("auto/N")
}

#[test]
fn the_kubernetes_manifest_is_one_and_fits_together() {
    let blocks = blocks("docs/scale.md");
    let block = blocks.iter().find(|block| block.text.starts_with("apiVersion:")).expect("a manifest");
    let manifest: Value = serde_saphyr::from_str(&block.text).expect("YAML");
    assert_eq!((&manifest["apiVersion"], &manifest["kind"]), (&"batch/v1".into(), &"Job".into()));
    let job = &manifest["spec"];
    assert_eq!(job["completionMode"], "Indexed", "without it there is no JOB_COMPLETION_INDEX");
    let pod = &job["template"]["spec"];
    assert!(job["backoffLimitPerIndex"].is_u64() && pod["restartPolicy"] == "Never", "the first needs the second");
    let container = &pod["containers"][0];
    let texts = |list: &Value| -> Vec<String> {
        list.as_array().expect("a list").iter().map(|one| one.as_str().expect("a text").to_owned()).collect()
    };
    let arguments = texts(&container["args"]);
    assert_eq!(job["completions"].as_u64(), Some(jobs(&arguments.join(" "))));
    let names = |list: &Value, key: &str| -> Vec<String> {
        list.as_array().expect("a list").iter().map(|one| one[key].as_str().expect("a text").to_owned()).collect()
    };
    assert_eq!(names(&container["volumeMounts"], "name"), names(&pod["volumes"], "name"));
    for folder in names(&container["volumeMounts"], "mountPath") {
        assert!(arguments.iter().any(|argument| argument.starts_with(&folder)), "nothing is in {folder}");
    }
}

#[test]
fn the_arrays_of_the_page_of_scale_have_as_many_jobs_as_their_shards() {
    let arrays = Regex::new(r"--array[= ]0-(\d+)").expect("a pattern");
    let mut found = 0;
    for block in blocks("docs/scale.md") {
        let last = arrays.captures(&block.text).map(|array| array[1].parse::<u64>().expect("a number"));
        if let Some(last) = last {
            assert_eq!(last + 1, jobs(&block.text), "{}", block.place);
            found += 1;
        }
    }
    assert_eq!(found, 2, "Slurm and HyperQueue");
}

/// The keys of all mappings in a value, by the path that leads to them; the metrics' own names are left out.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let key = match (Metric::from_name(key), Fact::from_name(key)) {
                    (Some(_), _) => "METRIC",
                    (_, Some(_)) => "FACT",
                    _ => key,
                };
                let path = format!("{path}.{key}");
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, path, found)),
        _ => {}
    }
}

#[test]
fn the_example_of_summary_json_has_the_keys_of_a_real_one() {
    let blocks = blocks("docs/metrics.md");
    let example = &blocks.iter().find(|block| block.info == "json").expect("an example").text;
    let real = report::json(&small_study(), "small.yaml").expect("a report");
    let [example, real] = [example, &real].map(|text| {
        let mut found = BTreeSet::new();
        keys(&serde_json::from_str(text).expect("JSON"), "", &mut found);
        found
    });
    assert_eq!(example, real);
    let document = read("docs/metrics.md");
    let words: BTreeSet<&str> = code_spans(section(&document, "## summary.json")).into_iter().collect();
    for path in &real {
        let key = path.rsplit('.').next().expect("a key");
        let is_explained_elsewhere = path.contains("METRIC")
            || path.contains(".found.")
            || path.contains(".difference.")
            || path.contains("_s.")
            || path.starts_with(".scenario.")
            || ["FACT", "name"].contains(&key);
        assert!(is_explained_elsewhere || words.contains(key), "`{key}` is not explained");
    }
}

/// The keys of every mapping of the language.
fn keys_of_the_language(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(entries) => {
            if let Some(Value::Object(properties)) = entries.get("properties") {
                found.extend(properties.keys().cloned());
            }
            entries.values().for_each(|value| keys_of_the_language(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| keys_of_the_language(item, found)),
        _ => {}
    }
}

#[test]
fn the_tables_of_the_language_have_its_keys_and_no_others() {
    let mut in_code = BTreeSet::new();
    keys_of_the_language(&scenario::json_schema(), &mut in_code);
    let word = Regex::new(r"\b[a-z][a-z0-9_-]*\b").expect("a pattern");
    let mut in_document = BTreeSet::new();
    for table in tables(&read("docs/scenario-language.md")) {
        if ["key", "form", "jitter"].contains(&table[0][0].as_str()) {
            let columns = if table[0][1] == "its keys" { 2 } else { 1 };
            for span in table[1..].iter().flat_map(|row| &row[..columns]).flat_map(|cell| code_spans(cell)) {
                in_document.extend(word.find_iter(span).map(|found| found.as_str().to_owned()));
            }
        }
    }
    let missing: Vec<&String> = in_code.difference(&in_document).collect();
    assert!(missing.is_empty(), "not in docs/scenario-language.md: {missing:?}");
    let names: Vec<&str> = policies().into_iter().map(|(_, _, about)| about.name).collect();
    let unknown: Vec<&String> =
        in_document.difference(&in_code).filter(|word| !names.contains(&word.as_str())).collect();
    assert!(unknown.is_empty(), "in docs/scenario-language.md, but not in the language: {unknown:?}");
}

/// All kinds of all catalogues: what it is called there, what stands around it in a scenario, what there is to know.
fn policies() -> Vec<(&'static str, &'static str, &'static About)> {
    let backoffs = BACKOFFS.iter().map(|kind| ("Backoff", "policy: { backoff: @ }", &kind.about));
    let around = "policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: @ } } }";
    let jitters = JITTERS.iter().map(|kind| ("Jitter", around, &kind.about));
    let clients = CLIENTS.iter().map(|kind| ("Client", "policy: { client: @ }", &kind.about));
    let controls = LOAD_CONTROLS.iter().map(|&about| ("Load control", "policy: @", about));
    backoffs.chain(jitters).chain(clients).chain(controls).collect()
}

/// What docs/policies.md says of a kind.
fn section_of(catalogue: &str, around: &str, about: &About) -> String {
    let rows: String = about.parameters.iter().map(row_of).collect();
    let header = "| parameter | meaning | type and range | default |\n| --- | --- | --- | --- |\n";
    let table = if rows.is_empty() { "No parameters.\n".to_owned() } else { format!("{header}{rows}") };
    format!(
        "### {catalogue}: {}\n\n{}\n\n- **Formula:** {}\n- **Source:** {}\n- **When it is a mistake:** {}\n\n{table}\n\
         ```yaml fragment\n{}\n```\n",
        about.name,
        about.summary,
        about.formula,
        about.source,
        about.mistake,
        around.replace('@', &about.example_written()),
    )
}

fn row_of(parameter: &Parameter) -> String {
    let default = parameter.default_written().map_or("has to be given".to_owned(), |default| format!("`{default}`"));
    let kind = format!("{}, {}", parameter.kind.name(), parameter.kind.allowed());
    format!("| `{}` | {} | {kind} | {default} |\n", parameter.name, parameter.meaning)
}

#[test]
fn the_page_of_the_policies_has_every_kind_as_the_catalogue_has_it_and_no_other() {
    let document = read("docs/policies.md");
    let missing: String = policies()
        .into_iter()
        .map(|(catalogue, around, about)| section_of(catalogue, around, about))
        .filter(|section| !document.contains(section))
        .collect();
    assert!(missing.is_empty(), "docs/policies.md lacks, or has otherwise:\n\n{missing}");
    let in_code: Vec<String> =
        policies().into_iter().map(|(catalogue, _, about)| format!("{catalogue}: {}", about.name)).collect();
    let in_document: Vec<&str> = headings(&document).into_iter().filter(|heading| heading.contains(": ")).collect();
    assert_eq!(in_document, in_code);
}

/// What docs/consumers.md says of a preset.
fn section_of_preset(preset: &Preset) -> String {
    let row = |section: &str, given: &retrystorm::model::consumer::presets::Default| {
        format!("| `{section}.{}` | `{}` | {} |\n", given.key, given.value, given.setting)
    };
    let consumers = preset.consumers.iter().map(|given| row("consumers", given));
    let rows: String = consumers.chain(preset.policy.iter().map(|given| row("policy", given))).collect();
    format!(
        "## Consumer: {}\n\n{}. {}\n\n| key | value | why |\n| --- | --- | --- |\n{rows}\n- **Source:** {}\n\
         - **A trap:** {}\n\n```yaml fragment\nconsumers: {{ like: {} }}\n```\n",
        preset.name, preset.title, preset.summary, preset.source, preset.trap, preset.name,
    )
}

#[test]
fn the_page_of_the_consumers_has_every_preset_as_the_table_has_it_and_no_other() {
    let document = read("docs/consumers.md");
    let sections = PRESETS.iter().map(|preset| section_of_preset(preset));
    let missing: String = sections.filter(|section| !document.contains(section)).collect::<Vec<_>>().join("\n");
    assert!(missing.is_empty(), "docs/consumers.md lacks, or has otherwise:\n\n{missing}");
    let in_code: Vec<String> = PRESETS.iter().map(|preset| format!("Consumer: {}", preset.name)).collect();
    let in_document: Vec<&str> =
        headings(&document).into_iter().filter(|heading| heading.starts_with("Consumer: ")).collect();
    assert_eq!(in_document, in_code);
}

/// What docs/rules.md says of a rule of the audit.
fn section_of_rule(rule: &Rule) -> String {
    let example = |example: &Example| {
        let language = match example.file.rsplit('.').next() {
            Some("tf") => "hcl",
            Some("json") => "json",
            // Else the block would be a scenario.
            _ => "yml",
        };
        format!("```{language}\n{}```\n", example.text)
    };
    format!(
        "### {}: {}\n\n{}\n\n- **Severity:** {}\n- **What it leads to:** {}\n- **Remedy:** {}.\n- **Source:** {}\n\n\
         This fails (`{}`):\n\n{}\nThis passes:\n\n{}",
        rule.id,
        rule.name,
        rule.looks_for,
        rule.severity.name(),
        rule.leads_to,
        rule.remedy,
        rule.source,
        rule.fails.file,
        example(&rule.fails),
        example(&rule.passes),
    )
}

#[test]
fn the_page_of_the_audit_has_every_rule_as_the_catalogue_has_it_and_no_other() {
    let document = read("docs/rules.md");
    let sections = RULES.iter().map(|rule| section_of_rule(rule));
    let missing: String = sections.filter(|section| !document.contains(section)).collect::<Vec<_>>().join("\n");
    assert!(missing.is_empty(), "docs/rules.md lacks, or has otherwise:\n\n{missing}");
    let in_code: Vec<String> = RULES.iter().map(|rule| format!("{}: {}", rule.id, rule.name)).collect();
    let in_document: Vec<&str> = headings(&document).into_iter().filter(|heading| heading.starts_with("RS")).collect();
    assert_eq!(in_document, in_code);
}

/// The titles of the rules by number, from the headings of the model.
fn rules(model: &str) -> BTreeMap<String, String> {
    let rule = Regex::new(r"^([QFRLSCB][0-9]+), (.+)$").expect("a pattern");
    let rules = headings(model).into_iter().filter_map(|heading| {
        let found = rule.captures(heading)?;
        Some((found[1].to_owned(), found[2].to_owned()))
    });
    rules.collect()
}

/// A source without the marks of comments, so that a citation that is broken over two lines is one again.
fn without_comment_marks(source: &str) -> String {
    let marks = Regex::new(r"\s*\n\s*//[/!]? ?").expect("a pattern");
    marks.replace_all(source, " ").into_owned()
}

/// Citations in a source that the model does not bear out.
fn wrong_citations(source: &str, rules: &BTreeMap<String, String>) -> Vec<String> {
    let citation = Regex::new(r#"\b[Rr]ule ([A-Z][0-9]+)(?:, ([^,.;:()"`]+))?"#).expect("a pattern");
    let source = without_comment_marks(source);
    let wrong = citation.captures_iter(&source).filter(|found| {
        let words = found.get(2).map_or("", |words| words.as_str().trim());
        !rules.get(&found[1]).is_some_and(|title| is_titled(title, words))
    });
    wrong.map(|found| found[0].to_owned()).collect()
}

/// Messages may shorten a title to its first or last words, or go on after it.
fn is_titled(title: &str, words: &str) -> bool {
    title.starts_with(words) || title.ends_with(&format!(" {words}")) || words.starts_with(&format!("{title} "))
}

#[test]
fn every_rule_that_the_code_cites_is_in_the_model_under_that_title() {
    let rules = rules(&read("docs/model.md"));
    let mut cited = 0;
    for path in files(&root().join("src"), "rs") {
        let source = std::fs::read_to_string(&path).expect("a source");
        cited += source.matches("rule Q").count();
        assert_eq!(wrong_citations(&source, &rules), [""; 0], "{}", path.display());
    }
    assert!(cited > 40, "only {cited} citations were found");
}

#[test]
fn a_wrong_citation_is_found() {
    let rules = BTreeMap::from([("Q7".to_owned(), "lazy redrive".to_owned())]);
    for right in ["rule Q7", "(rule Q7, lazy redrive)", "rule Q7, redrive", "/// rule Q7,\n    /// lazy redrive."] {
        assert_eq!(wrong_citations(right, &rules), [""; 0], "{right}");
    }
    for wrong in ["rule Q8", "(rule Q7, eager redrive)", "Rule Q7, lazily", "/// rule Q7,\n    /// lease per receive."]
    {
        assert_eq!(wrong_citations(wrong, &rules).len(), 1, "{wrong}");
    }
}

#[test]
fn the_models_table_of_rules_has_every_rule_under_its_title() {
    let model = read("docs/model.md");
    let in_table: BTreeMap<String, String> = tables(section(&model, "## All rules and their status"))[0][1..]
        .iter()
        .map(|row| (row[0].trim_start_matches('[').split(']').next().unwrap_or_default().to_owned(), row[1].clone()))
        .collect();
    assert_eq!(in_table, rules(&model));
}

#[test]
fn every_link_within_the_repository_leads_somewhere() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").expect("a pattern");
    for document in documents() {
        let text = read(&document);
        for found in link.captures_iter(&text).map(|found| found[1].to_owned()) {
            if found.contains("://") || found.starts_with("mailto:") {
                continue;
            }
            let (file, place) = found.split_once('#').unwrap_or((&found, ""));
            let folder = root().join(&document).parent().expect("a folder").to_owned();
            let target = if file.is_empty() { root().join(&document) } else { folder.join(file) };
            assert!(target.exists(), "{document}: no file for {found}");
            if !place.is_empty() && target.extension().is_some_and(|ending| ending == "md") {
                let target = std::fs::read_to_string(&target).expect("a document");
                let known = headings(&target).into_iter().any(|heading| anchor(heading) == place);
                assert!(known, "{document}: no heading for {found}");
            }
        }
    }
}

#[test]
fn the_map_of_the_code_names_files_and_functions_that_exist() {
    let map = read("ARCHITECTURE.md");
    for path in code_spans(&map).into_iter().filter(|span| span.starts_with("src/") || span.starts_with("tests/")) {
        assert!(root().join(path).exists(), "`{path}` does not exist");
    }
    for entry in std::fs::read_dir(root().join("src")).expect("the sources") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        let path = format!("`src/{name}");
        assert!(map.contains(&path), "`src/{name}` is not in ARCHITECTURE.md");
    }
    let sources: String =
        files(&root().join("src"), "rs").iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect();
    let function = Regex::new(r"^(?:[A-Z]\w+::)?([a-z_]+)$").expect("a pattern");
    let mut functions = 0;
    for span in code_spans(section(&map, "## How an event travels")) {
        if let Some(found) = function.captures(span) {
            functions += 1;
            let declared = ["(", "<"].iter().any(|after| sources.contains(&format!("fn {}{after}", &found[1])));
            assert!(declared, "there is no function `{span}`");
        }
    }
    assert!(functions > 20, "only {functions} functions were found");
}

#[test]
fn every_case_in_which_an_engine_differs_is_in_the_document_with_its_rule() {
    let cases: Value = serde_json::from_str(&read("tests/conformance/recorded.json")).expect("JSON");
    let cell = |case: &Value, key: &str| case[key].as_str().expect("a text").to_owned();
    let cases = cases.as_array().expect("a list of cases");
    let differing = |is_open: bool| -> BTreeSet<(String, String)> {
        let listed = cases.iter().filter(|case| !case["why"].is_null() && (case["real"] == "open") == is_open);
        listed.map(|case| (cell(case, "name"), cell(case, "rule"))).collect()
    };
    let document = read("docs/conformance.md");
    let tables = tables(section(&document, "## Where the model and an engine differ"));
    let rows = |table: &[Vec<String>]| -> BTreeSet<(String, String)> {
        table[1..].iter().map(|row| (row[0].clone(), row[1].clone())).collect()
    };
    assert_eq!(rows(&tables[0]), differing(false));
    assert!(rows(&tables[1]).is_superset(&differing(true)), "what the service leaves open is a choice of the model");
    let rules = rules(&read("docs/model.md"));
    let unknown: Vec<String> =
        cases.iter().map(|case| cell(case, "rule")).filter(|rule| !rules.contains_key(rule)).collect();
    assert!(unknown.is_empty(), "rules that the model does not have: {unknown:?}");
}
