//! JUnit XML: every expectation as a test, for what shows tests of a pull request.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{ReportError, verdicts, words};
use crate::study::{ExpectationResult, StudyResult};

/// The expectations of a study as one suite of tests. Nothing in it depends on a clock.
///
/// `scenario_file` is the scenario's file name as it shall appear in it.
pub fn junit(result: &StudyResult, scenario_file: &str) -> Result<String, ReportError> {
    let failed = |reason: String| ReportError::Render { file: "JUnit XML", reason };
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    document(&mut writer, result, &words::clean(scenario_file)).map_err(|error| failed(error.to_string()))?;
    String::from_utf8(writer.into_inner()).map(|text| text + "\n").map_err(|error| failed(error.to_string()))
}

fn document(writer: &mut Writer<Vec<u8>>, result: &StudyResult, file: &str) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let tests = result.expectations.len().to_string();
    let failures = result.expectations.iter().filter(|one| !one.met).count().to_string();
    let title = words::clean(&result.scenario.title);
    let counts = [("tests", tests.as_str()), ("failures", failures.as_str()), ("errors", "0")];
    let suites = writer.create_element("testsuites").with_attribute(("name", "retrystorm")).with_attributes(counts);
    suites.write_inner_content(|writer| {
        let suite = writer.create_element("testsuite").with_attribute(("name", title.as_str())).with_attributes(counts);
        suite.write_inner_content(|writer| {
            properties(writer, result)?;
            result.expectations.iter().try_for_each(|one| case(writer, result, one, file))
        })?;
        Ok(())
    })?;
    Ok(())
}

fn properties(writer: &mut Writer<Vec<u8>>, result: &StudyResult) -> io::Result<()> {
    let scenario = &result.scenario;
    let known = [("seed", scenario.seed.to_string()), ("replications", scenario.replications.to_string())];
    writer.create_element("properties").write_inner_content(|writer| {
        for (name, value) in &known {
            let property = writer.create_element("property");
            property.with_attributes([("name", *name), ("value", value.as_str())]).write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

fn case(writer: &mut Writer<Vec<u8>>, result: &StudyResult, one: &ExpectationResult, file: &str) -> io::Result<()> {
    let expected = &one.expectation;
    let variant = words::clean(words::variant_name(result, expected.variant));
    let wanted = words::expected(result, expected.quantity, &expected.comparison, &one.bound);
    // Without what was found: a test is known by its name from one run to the next.
    let rule = words::rule(result, expected.quantity, &expected.comparison);
    let name = format!("{variant}: {} {rule}", words::clean(&words::quantity(result, expected.quantity)));
    let case = writer.create_element("testcase").with_attributes([("name", name.as_str()), ("classname", file)]);
    if one.met {
        case.write_empty()?;
        return Ok(());
    }
    let found = words::found(expected.quantity, one.found);
    let message = format!("found {found}, expected {wanted}");
    let says = words::clean(&expected.says);
    let details: Vec<&str> =
        [says.as_str(), verdicts::doubt(one)].into_iter().filter(|text| !text.is_empty()).collect();
    case.write_inner_content(|writer| {
        let failure = writer.create_element("failure");
        let failure = failure.with_attributes([("type", "expectation"), ("message", message.as_str())]);
        failure.write_text_content(BytesText::new(&details.join("\n")))?;
        Ok(())
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use quick_xml::Reader;

    /// Names of elements and unescaped values of attributes; panics where it is not well-formed.
    fn parsed(text: &str) -> (Vec<String>, Vec<String>) {
        let mut reader = Reader::from_str(text);
        let (mut names, mut values) = (Vec::new(), Vec::new());
        loop {
            match reader.read_event().expect("well-formed") {
                Event::Eof => return (names, values),
                Event::Start(element) | Event::Empty(element) => {
                    names.push(element.name().as_ref().to_owned());
                    for attribute in element.attributes() {
                        let value = attribute.expect("an attribute").value.into_owned();
                        values.push(quick_xml::escape::unescape(&value).expect("known entities").into_owned());
                    }
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_expectation_is_a_test() {
        let text = junit(&sample::failover(), "failover.yaml").unwrap();
        insta::assert_snapshot!(text);
        let (names, _) = parsed(&text);
        assert_eq!(names.iter().filter(|name| *name == "testcase").count(), 4);
        assert_eq!(names.iter().filter(|name| *name == "failure").count(), 1);
    }

    #[test]
    fn names_from_hell_stay_well_formed() {
        let mut result = sample::failover();
        result.scenario.variants[2].name = "a\"b'<c>&\u{0}\u{1b}]]>\u{ffff}".to_owned();
        result.scenario.title = "<!-- & -->".to_owned();
        result.expectations[3].expectation.says = "</failure> & <b>".to_owned();
        let (_, values) = parsed(&junit(&result, "<&\u{8}>.yaml").unwrap());
        assert!(values.iter().any(|value| value.starts_with("a\"b'<c>&")), "{values:?}");
        assert!(values.contains(&"<!-- & -->".to_owned()));
    }

    #[test]
    fn no_expectation_is_an_empty_suite() {
        let text = junit(&sample::empty(), "x.yaml").unwrap();
        assert!(text.contains("tests=\"0\""), "{text}");
        parsed(&text);
    }
}
