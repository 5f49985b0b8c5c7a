//! What an audit has found: for people, for programs, and for those who collect findings of many tools.

mod json;
mod sarif;
mod text;

pub use json::audit_json;
pub use sarif::audit_sarif;
pub use text::audit_text;
