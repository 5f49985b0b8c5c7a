//! The JSON Schema of the scenario language, for editors.

use super::raw::RawScenario;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The JSON Schema (draft 2020-12) of scenarios, made from the same declarations as the reader.
///
/// It knows keys, types and notations. What depends on several values at once, such as an outage that ends within the
/// run, only the reader knows.
pub fn json_schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<RawScenario>();
    schema.insert("title".to_owned(), "A retrystorm scenario".into());
    schema.to_value()
}

/// The schema as text, as `retrystorm schema` prints it.
pub fn json_schema_text() -> String {
    // Printing a JSON value cannot fail: its keys are strings.
    format!("{:#}\n", json_schema())
}
