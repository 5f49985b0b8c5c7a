//! Every chart, with plausible and with odd results.

use std::path::Path;

use super::*;
use crate::engine::time::SECOND_US;
use crate::measure::{Metric, SeriesMetric};
use crate::model::operator::{Action, CountAfterRedrive, Operation};
use crate::report::{Origin, render as render_all, sample, write};
use crate::study::Estimate;

fn rendered(result: &StudyResult) -> Vec<RenderedFile> {
    Chart::ALL.into_iter().flat_map(|chart| render(chart, result, "failover.yaml").unwrap()).collect()
}

fn documents(result: &StudyResult) -> Vec<String> {
    let is_svg = |file: &RenderedFile| file.name.ends_with(".svg");
    let files = rendered(result).into_iter().filter(is_svg);
    files.map(|file| String::from_utf8(file.bytes).unwrap()).collect()
}

/// Tags close, attributes are quoted, and no letter is left that XML takes for markup.
fn assert_well_formed(svg: &str) {
    let mut depth = 0;
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("each tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => depth -= 1,
            (_, false) => depth += 1,
            _ => {}
        }
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
        let plain = entities.iter().fold(format!("{tag}{text}"), |text, entity| text.replace(entity, ""));
        assert!(!plain.contains('&') && !text.contains(['>', '"']), "{tag}{text}");
        assert!(!plain.contains(|character: char| character.is_control() && character != '\n'));
    }
    assert_eq!(depth, 0);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "a place is not a number");
}

#[test]
fn documents_are_well_formed_whatever_the_names() {
    let few = [sample::failover(), sample::odd_names(), sample::empty(), sample::two_days(), sample::lockstep()];
    for result in few.into_iter().chain([1, 2, 5, 9, 100].map(sample::many)) {
        documents(&result).iter().for_each(|svg| assert_well_formed(svg));
    }
}

#[test]
fn documents_have_the_size_they_promise_and_words_for_those_who_cannot_see_them() {
    for document in documents(&sample::odd_names()) {
        let (root, rest) = document.split_once('>').unwrap();
        assert!(root.starts_with("<svg width=\"960\" height=\"540\" role=\"img\" aria-label=\""), "{root}");
        assert!(root.contains("stroke-linejoin=\"round\"") && root.contains("viewBox=\"0 0 5760 3240\""), "{root}");
        assert!(rest.contains("font-family=\"Inter, system-ui, sans-serif\"") && rest.contains("font-weight=\"600\""));
        assert!(!rest.contains("font-weight=\"bold\""));
    }
}

#[test]
fn pictures_have_the_size_they_promise() {
    for file in rendered(&sample::failover()).iter().filter(|file| file.name.ends_with(".png")) {
        let reader = ::png::Decoder::new(std::io::Cursor::new(&file.bytes)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (1_920, 1_080));
        assert!(file.bytes.len() < 600_000, "{} takes {} bytes", file.name, file.bytes.len());
    }
}

#[test]
fn the_same_study_gives_the_same_bytes() {
    let (first, second) = (
        render_all(&sample::failover(), Origin::of_file("f.yaml")),
        render_all(&sample::failover(), Origin::of_file("f.yaml")),
    );
    assert_eq!(first.unwrap(), second.unwrap());
}

#[test]
fn charts_with_nothing_to_show_say_so() {
    let documents = documents(&sample::empty());
    assert!(documents[0].contains("No call reached the downstream"));
    assert!(documents[1].contains("No message had to wait"));
    assert!(documents[2].contains("No message reached the DLQ"));
    assert!(documents[3].contains("Nothing was lost"));
}

#[test]
fn a_variant_that_loses_nothing_says_so() {
    let document = &documents(&sample::failover())[2];
    assert!(document.contains("no message reached"));
}

#[test]
fn more_variants_than_fit_are_said_to_be_left_out() {
    for document in documents(&sample::many(100)) {
        assert!(document.contains("the first 12 of 100 variants"));
    }
}

#[test]
fn titles_say_the_finding() {
    let plain: Vec<String> = documents(&sample::failover())
        .iter()
        .map(|document| document.replace(crate::report::number::NO_BREAK, " "))
        .collect();
    let titles: Vec<&str> = plain.iter().filter_map(|document| title_of(document)).collect();
    insta::assert_snapshot!(titles.join("\n"));
}

#[test]
fn outages_that_differ_are_not_shaded_as_if_they_were_common() {
    let mut result = sample::failover();
    result.scenario.variants[1].setup.downstream.outages[0].until_us *= 2;
    let documents = documents(&result);
    assert!(documents[1].contains("outages differ by variant") && !documents[1].contains("downstream down"));
    assert!(documents[0].contains("Shaded: outages of the downstream"), "each plot has its own");
}

/// The texts of a document, from the first that was drawn to the last.
fn texts(document: &str) -> String {
    let texts = document.split("<text").skip(1).filter_map(|text| Some(text.split_once('>')?.1.split_once('<')?.0));
    let lines: Vec<String> = texts.map(|text| text.trim().replace(crate::report::number::NO_BREAK, " ")).collect();
    lines.join("\n")
}

/// Five variants: an operator acts in the second, and the third calls twenty times as much as the others.
fn dwarfed_and_marked() -> StudyResult {
    let mut result = sample::many(5);
    let operation =
        |at_s: u64, fleet| Operation { at_us: at_s * SECOND_US, action: Action::Scale { fleet, drain_us: None } };
    result.scenario.variants[1].setup.operations = vec![operation(300, 4), operation(360, 60)];
    let series = &mut result.variants[2].series;
    let calls = &mut series.mean[SeriesMetric::Calls as usize];
    calls.iter_mut().chain(&mut series.calls_highest).chain(&mut series.calls_lowest).for_each(|value| *value *= 20.0);
    result.variants[2].metrics[Metric::CallsPeakPerS as usize] = Estimate::of(&[37_400.0]);
    result
}

#[test]
fn the_load_says_what_succeeds_that_the_scale_is_logarithmic_and_what_an_operator_does() {
    insta::assert_snapshot!(texts(&documents(&dwarfed_and_marked())[0]));
}

#[test]
fn operations_and_alarms_are_marked_on_the_backlog() {
    let mut result = sample::with_alarms(sample::failover());
    let action = Action::Redrive { rate_per_s: 100.0, messages: None, receive_count: CountAfterRedrive::Reset };
    result.scenario.variants[0].setup.operations = vec![Operation { at_us: 300 * SECOND_US, action }];
    let texts = texts(&documents(&result)[1]);
    assert!(texts.contains("redrive 100/s") && texts.contains("alarm churn"), "{texts}");
}

fn title_of(document: &str) -> Option<&str> {
    let (_, text) = document.split_once("<text")?;
    let (_, text) = text.split_once('>')?;
    Some(text.split_once('<')?.0.trim())
}

/// Writes the charts of made-up studies below the folder for temporary files, for people to look at:
/// `cargo test write_charts_to_look_at -- --ignored --nocapture`.
#[test]
#[ignore = "for people who want to see the charts"]
fn write_charts_to_look_at() {
    let root = std::env::temp_dir().join("retrystorm-charts");
    let studies: [(&str, StudyResult); 11] = [
        ("failover", sample::failover()),
        ("two", sample::many(2)),
        ("two-days", sample::two_days()),
        ("lockstep", sample::lockstep()),
        ("five", sample::many(5)),
        ("twelve", sample::many(12)),
        ("hundred", sample::many(100)),
        ("odd", sample::odd_names()),
        ("empty", sample::empty()),
        ("cut", dwarfed_and_marked()),
        ("alarms", sample::with_alarms(sample::failover())),
    ];
    for (name, result) in studies {
        let folder: &Path = &root.join(name);
        write(folder, &render_all(&result, Origin::of_file("failover.yaml")).unwrap()).unwrap();
        println!("{}", folder.display());
    }
}
