//! The page as a file: sound HTML, complete without scripts, and closed to the network, whatever names it has to show.

use std::collections::BTreeSet;
use std::path::Path;

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use retrystorm::report::{self, Origin};
use retrystorm::{scenario, study};

/// Everything that a name must not be able to do.
const NASTY: &str = r#"
# What do "<names>" do? </pre><script>alert(1)</script>
title: "</title></script><script>alert(1)</script> \u2028 '\"&<b>"
duration: 40s
replications: 2
queue: { visibility_timeout: 4s, redrive: { max_receive_count: 3 } }
producers: [ { rate: 20/s, until: 30s } ]
consumers: { fleet: 2, concurrency: 20 }
downstream:
  servers: 10
  service_time: { exponential: 20ms }
  outages: [ { at: 5s, for: 12s, mode: refuse, after: 50ms } ]
variants:
  "<img src=x onerror=alert(1)>'\"&": {}
  "🎉 </script><!--": { policy: { backoff: { exponential: { base: 1s, cap: 20s, jitter: full } } } }
  "LONG": { policy: { backoff: none } }
expect:
  - { variant: "🎉 </script><!--", metric: enqueued, above: 1, says: "<i>says</i>" }
"#;

fn page_of(text: &str, replications: Option<u32>) -> String {
    let mut scenario = scenario::parse(text, "some.yaml", Path::new(".")).expect("a sound scenario");
    scenario.replications = replications.unwrap_or(scenario.replications);
    let result = study::run_study(&scenario, |_| ()).expect("a study");
    let origin = Origin { file: "some <b>.yaml", text, command: "retrystorm run 'some <b>.yaml'" };
    let files = report::render(&result, origin).expect("a report");
    let page = files.into_iter().find(|file| file.name == "report.html").expect("a page");
    String::from_utf8(page.bytes).expect("UTF-8")
}

fn nasty_page() -> String {
    page_of(&NASTY.replace("LONG", &"x".repeat(200)), None)
}

/// A page as a browser reads it.
struct Page(RcDom);

/// An element: its name and its attributes.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    node: Handle,
}

impl Element {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    fn text(&self) -> String {
        let mut text = String::new();
        collect_text(&self.node, &mut text);
        text
    }
}

fn collect_text(node: &Handle, text: &mut String) {
    if let NodeData::Text { contents } = &node.data {
        text.push_str(&contents.borrow());
    }
    node.children.borrow().iter().for_each(|child| collect_text(child, text));
}

fn collect_elements(node: &Handle, elements: &mut Vec<Element>) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attributes = attrs.borrow().iter().map(|one| (one.name.local.to_string(), one.value.to_string())).collect();
        elements.push(Element { name: name.local.to_string(), attributes, node: node.clone() });
    }
    node.children.borrow().iter().for_each(|child| collect_elements(child, elements));
}

impl Page {
    fn parsed(text: &str) -> Self {
        Self(parse_document(RcDom::default(), ParseOpts::default()).one(text))
    }

    fn elements(&self, is_wanted: impl Fn(&Element) -> bool) -> Vec<Element> {
        let mut elements = Vec::new();
        collect_elements(&self.0.document, &mut elements);
        elements.retain(is_wanted);
        elements
    }

    fn named(&self, name: &str) -> Vec<Element> {
        self.elements(|element| element.name == name)
    }
}

#[test]
fn names_and_titles_stay_text() {
    let text = nasty_page();
    let page = Page::parsed(&text);
    assert_eq!(page.0.errors.borrow().len(), 0, "{:?}", page.0.errors.borrow());
    let scripts = page.named("script");
    assert_eq!(scripts.len(), 3, "the data, the library and the page's own");
    for forbidden in ["img", "b", "i", "iframe", "object", "link"] {
        assert!(page.named(forbidden).is_empty(), "an element <{forbidden}>");
    }
    let heading = page.named("h1").remove(0).text();
    assert!(heading.starts_with("</title></script><script>alert(1)</script>"), "{heading}");
    assert!(page.elements(|one| one.attributes.iter().any(|(name, _)| name.starts_with("on"))).is_empty());
    let data: serde_json::Value = serde_json::from_str(&scripts[0].text()).expect("JSON");
    let names: Vec<&str> = data["variants"].as_array().expect("a list").iter().filter_map(|one| one.as_str()).collect();
    assert_eq!(names, ["<img src=x onerror=alert(1)>'\"&", "🎉 </script><!--", "x".repeat(200).as_str()]);
}

#[test]
fn nothing_is_fetched_and_only_its_own_scripts_may_run() {
    let text = nasty_page();
    let page = Page::parsed(&text);
    let reaches_out = |element: &Element| {
        let is_local = |value: &str| value.starts_with('#');
        ["src", "href", "action", "data", "poster", "srcset", "background"]
            .iter()
            .any(|name| element.attribute(name).is_some_and(|value| !is_local(value)))
    };
    assert!(page.elements(reaches_out).is_empty());
    let style = page.named("style").remove(0).text();
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert!(
        page.elements(|element| element.attribute("style").is_some()).is_empty(),
        "the policy forbids inline styles"
    );
    let policy = page.elements(|element| element.attribute("http-equiv").is_some()).remove(0);
    let policy = policy.attribute("content").expect("a policy").to_owned();
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(policy.matches("sha256-").count(), 3, "two scripts and a style: {policy}");
}

#[test]
fn without_scripts_everything_is_there() {
    let page = Page::parsed(&nasty_page());
    let pictures = page.elements(|element| {
        element.name == "svg" && element.attribute("role") == Some("img") && element.attribute("viewBox").is_some()
    });
    assert_eq!(pictures.len(), 4, "the four charts");
    for picture in pictures {
        assert!(picture.attribute("aria-label").is_some_and(|label| label.len() > 40), "words for who cannot see it");
    }
    let headings: Vec<String> = page.named("h2").iter().map(Element::text).collect();
    for part in [
        "The answer",
        "The charts",
        "What happened when",
        "The numbers side by side",
        "What was assumed",
        "What the model leaves out",
        "The same numbers again",
    ] {
        assert!(headings.iter().any(|heading| heading == part), "{part} is missing: {headings:?}");
    }
    let text = page.named("main").remove(0).text();
    for said in [
        "retrystorm run 'some <b>.yaml'",
        "service_time: { exponential: 20ms }",
        "queue.retention",
        "Clock skew",
        "<i>says</i>",
    ] {
        assert!(text.contains(said), "nothing says: {said}");
    }
    assert!(page.named("header").remove(0).text().contains("What do \"<names>\" do?"));
}

#[test]
fn who_cannot_see_the_page_finds_the_way() {
    let page = Page::parsed(&nasty_page());
    for landmark in ["header", "main", "footer"] {
        assert!(!page.named(landmark).is_empty(), "a {landmark}");
    }
    assert_eq!(page.named("html")[0].attribute("lang"), Some("en"));
    let ids: Vec<String> = page
        .elements(|one| one.attribute("id").is_some())
        .iter()
        .filter_map(|one| one.attribute("id").map(str::to_owned))
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "each id once");
    assert_eq!(page.named("table").len(), page.named("caption").len());
    assert!(page.named("th").iter().all(|cell| matches!(cell.attribute("scope"), Some("col" | "row"))));
    let toggles = page.elements(|one| one.attribute("data-toggle").is_some());
    assert_eq!(toggles.len(), 3);
    assert!(toggles.iter().all(|one| one.name == "button" && one.attribute("aria-pressed") == Some("true")));
    let named = |one: &Element| one.attribute("aria-label").is_some() || !one.text().trim().is_empty();
    assert!(page.named("button").iter().all(named), "each button has a name");
}

#[test]
fn the_main_scenario_stays_below_two_megabytes() {
    let text = std::fs::read_to_string("scenarios/failover.yaml").expect("the main scenario");
    let page = page_of(&text, Some(2));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let main = Page::parsed(&page).named("main").remove(0).text();
    for said in [
        "valid messages",
        "calibrated: enough slots",
        "version 2 loses next to nothing",
        "all 24 000 messages become visible",
    ] {
        assert!(main.contains(said), "nothing says: {said}");
    }
}
