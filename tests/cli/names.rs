//! Names that break what is careless with them: quotes, angle brackets, formulas, emoji, letters that turn the reading
//! order, two hundred characters. Each goes through every command that writes names, and into every kind of file.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::tool::Desk;

/// The names of variants; a YAML text in double quotes reads as a JSON one does.
fn names() -> Vec<String> {
    let names = [
        "a\"b'c\\d",
        "<script>alert('x')</script> & &amp; ]]>",
        "=HYPERLINK(\"http://example.org\",\"x\")",
        "+1+1",
        "-2",
        "@SUM(A1:A9)",
        "＝1＋1",
        "| `pipe` * _under_ ~ [link](x) # !",
        "🎉🔥👩‍👩‍👧 日本語の変種",
        "\u{202e}detrever\u{2066}",
        "null",
    ];
    names.into_iter().map(str::to_owned).chain(["long ".repeat(40), "W".repeat(200)]).collect()
}

const TITLE: &str = "=1+1 \"<b>\" & '\u{1b}[31m'\u{7} 🎉 | `x`\nand a second line";

const FILE: &str = "=odd 'na<me>&\"🎉.yaml";

/// A small scenario of these variants, with a queue and a claim of such names; `more` is appended.
fn scenario(names: &[String], more: &str) -> String {
    let text = |words: &str| serde_json::to_string(words).expect("a text");
    let variants: String = names.iter().map(|name| format!("  {}: {{}}\n", text(name))).collect();
    let expectation = |name: &String| {
        let says = text(&format!("why {name}"));
        format!("  - {{ variant: {}, metric: dead_lettered, below: 0, says: {says} }}\n", text(name))
    };
    let expectations: String = names.iter().map(expectation).collect();
    format!(
        "title: {title}
duration: 40s
replications: 2
queue: {{ visibility_timeout: 4s, redrive: {{ max_receive_count: 3 }} }}
producers: [ {{ rate: 20/s, until: 30s, tenant: {tenant} }}, {{ rate: 2/s, until: 30s, tenant: plain }} ]
consumers: {{ fleet: 2, concurrency: 20 }}
downstream: {{ servers: 10, service_time: 20ms, outages: [ {{ at: 5s, for: 20s, mode: refuse, after: 50ms }} ] }}
variants:
{variants}expect:
{expectations}{more}",
        title = text(TITLE),
        tenant = text("<t>|=1"),
    )
}

/// No character that steers a terminal or turns the reading order.
fn assert_plain(what: &str, text: &str) {
    let steers = |character: char| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found: Vec<char> = text.chars().filter(|character| steers(*character)).collect();
    assert!(found.is_empty(), "{what} has {found:?}:\n{text}");
}

fn assert_xml(what: &str, text: &str) {
    assert_plain(what, text);
    let mut reader = Reader::from_str(text);
    let mut depth = 0;
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{what}: {error}")) {
            Event::Start(tag) => {
                depth += 1;
                assert!(tag.attributes().all(|attribute| attribute.is_ok()), "{what}");
            }
            Event::Empty(tag) => assert!(tag.attributes().all(|attribute| attribute.is_ok()), "{what}"),
            Event::End(_) => depth -= 1,
            Event::GeneralRef(name) => {
                let name = name.as_ref().to_owned();
                assert!(["amp", "lt", "gt", "quot", "apos"].contains(&name.as_str()), "{what} has &{name};");
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "{what}");
}

/// Rows of the same width; no cell that a spreadsheet takes for a formula, but numbers.
fn assert_csv(what: &str, bytes: &[u8]) {
    let mut rows = csv::Reader::from_reader(bytes);
    let mut count = 0;
    for row in rows.records() {
        let row = row.unwrap_or_else(|error| panic!("{what}: {error}"));
        for cell in row.iter().filter(|cell| cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']))
        {
            assert!(cell.parse::<f64>().is_ok(), "{what} has the cell {cell}");
        }
        count += 1;
    }
    assert!(count > 0, "{what} has no rows");
}

/// Every file of a folder, by what its name says it is.
fn assert_files(desk: &Desk, folder: &str) {
    let names = desk.names(folder);
    assert!(!names.is_empty(), "{folder} is empty");
    for name in names {
        let bytes = desk.read(&format!("{folder}/{name}"));
        let text = || String::from_utf8(bytes.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        match name.rsplit('.').next() {
            Some("svg") => assert_xml(&name, &text()),
            Some("csv") => assert_csv(&name, &bytes),
            Some("json") => {
                drop(serde_json::from_str::<Value>(&text()).unwrap_or_else(|error| panic!("{name}: {error}")))
            }
            Some("jsonl") => text().lines().for_each(|line| {
                serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{name}: {error}"));
            }),
            // What is in it is the matter of tests/page.rs.
            Some("html") => {
                assert!(
                    text().to_lowercase().starts_with("<!doctype html>") && !text().contains("<script>alert"),
                    "{name}"
                )
            }
            Some("txt") => assert_plain(&name, &text()),
            Some("png") => assert!(bytes.starts_with(b"\x89PNG"), "{name}"),
            _ => panic!("{name} is not looked at"),
        }
    }
}

/// A desk with the scenario.
fn desk(more: &str) -> Desk {
    let desk = Desk::new();
    desk.put(FILE, &scenario(&names(), more));
    desk
}

#[test]
fn a_study_of_odd_names_is_sound_in_every_format_and_file() {
    let desk = desk("");
    let reports = ["--report", "markdown=r.md", "--report", "junit=r.xml"];
    let run = desk.run(&[["run", FILE, "--out", "out"].as_slice(), &reports].concat()).ended_with(3);
    assert_plain("the report", run.stdout());
    assert_plain("what is said aside", run.stderr());
    for line in run.stdout().lines() {
        assert!(line.width() <= 100, "wider than 100 columns: {line}");
    }
    assert_files(&desk, "out");
    let summary: Value = serde_json::from_slice(&desk.read("out/summary.json")).expect("JSON");
    let read: Vec<&str> =
        summary["variants"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(read, names(), "for programs every name is as it was written");
}

#[test]
fn reports_of_odd_names_can_be_read() {
    let desk = desk("");
    let junit = desk.run(&["run", FILE, "--format", "junit", "--out", "out"]).ended_with(3);
    assert_xml("JUnit", junit.stdout());
    let markdown = desk.run(&["run", FILE, "--format", "markdown", "--out", "out"]).ended_with(3);
    let text = markdown.stdout();
    assert_plain("Markdown", text);
    assert!(!text.contains(['<', '>']), "{text}");
    for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
        let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
        let first = table.lines().next().map(bars);
        assert!(table.lines().all(|line| Some(bars(line)) == first), "{table}");
    }
    let json = desk.run(&["run", FILE, "--format", "json", "--out", "out"]).ended_with(3);
    serde_json::from_str::<Value>(json.stdout()).expect("JSON");
}

#[test]
fn sweeps_searches_traces_and_comparisons_of_odd_names_are_sound() {
    let sweep = "sweep: { queue.redrive.max_receive_count: [1, 3] }\n";
    let desk = desk("");
    desk.put("sweep.yaml", &scenario(&names()[..3], sweep));
    desk.put("two.yaml", &scenario(&names()[7..10], &sweep.replace(" }", ", queue.visibility_timeout: [4s, 8s] }")));
    for file in ["sweep.yaml", "two.yaml"] {
        let run = desk.run(&["run", file, "--out", "swept"]).ended_with(0);
        assert_plain(file, run.stdout());
        assert_files(&desk, "swept");
        let tune = desk.run(&["tune", file, "--objective", "dead_lettered", "--out", "tuned"]).ended_with(0);
        assert_plain(file, tune.stdout());
        assert_files(&desk, "tuned");
    }
    for name in names() {
        let trace = desk.run(&["trace", FILE, &format!("--variant={name}"), "--message", "0", "--out", "traced"]);
        assert_plain(&name, trace.ended_with(0).stdout());
        assert_files(&desk, "traced");
    }
    desk.run(&["run", FILE, "--out", "one"]);
    desk.run(&["run", FILE, "--out", "other", "--seed", "7"]);
    let compared = desk.run(&["compare", "one/summary.json", "other/summary.json"]);
    assert_plain("the comparison", compared.stdout());
    assert_plain("what the comparison says aside", compared.stderr());
}
