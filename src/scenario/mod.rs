//! The scenario language: YAML in, a checked and immutable [`Scenario`] out.
//!
//! A text goes through four stages, each in files of its own:
//!
//! 1. `tree`: YAML becomes a tree of nodes that know their place in the text.
//! 2. `raw`: the tree becomes typed sections in which every key is optional, as it was written.
//! 3. `overlay` (in `language`): each variant's sections are laid over the common ones, key by key.
//! 4. `check`: the merged sections of each variant become the settings of the model, with defaults and ranges applied.
//!
//! Every stage collects its problems instead of stopping at the first, so that one run shows all mistakes of a file.
//!
//! ```
//! let text = "
//! duration: 10m
//! producers: [ { rate: 100/s } ]
//! downstream: { servers: 10, service_time: 50ms }
//! variants:
//!   plain: {}
//!   backoff: { policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } } }
//! ";
//! let scenario = retrystorm::scenario::parse(text, "example.yaml", std::path::Path::new(".")).unwrap();
//! assert_eq!(scenario.variants.len(), 2);
//! ```

mod catalogue;
mod check;
mod checked;
mod condition;
mod diagnostic;
mod error;
mod estimate;
mod keys;
mod language;
mod problems;
mod raw;
mod read;
mod schema;
mod selection;
mod sweep;
mod syntax;
mod tree;
mod value;
mod words;

use crate::text;

pub use checked::{
    Bound, Claim, Comparison, DeadLetterQueue, Expectation, Holds, OtherQueue, Quantity, Scenario, Setup, Variant,
};
pub use condition::{Condition, Side};
pub use error::{Problem, ScenarioError};
pub use estimate::{Estimate, estimate, refuse_if_too_large};
pub use keys::{Form, FoundKeys, Key, defaults_of, find_keys, keys};
pub use read::{parse, profiles_of, read_file, read_plan, read_search};
pub use schema::{json_schema, json_schema_text};
pub use selection::UnknownVariant;
pub use sweep::{Axis, AxisUnit, AxisValue, Pasted, Plan, Sweep};
pub use words::{metric_named, nearest_word};

/// A duration as scenarios write it, in microseconds.
///
/// ```
/// assert_eq!(retrystorm::scenario::duration_us("1m30s"), Ok(90_000_000));
/// assert!(retrystorm::scenario::duration_us("90").is_err_and(|error| error.contains("90s")));
/// ```
///
/// # Errors
/// What a duration looks like, and what was probably meant.
pub fn duration_us(text: &str) -> Result<u64, String> {
    value::Duration::read_us(text)
}
