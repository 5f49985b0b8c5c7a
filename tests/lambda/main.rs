//! Lambda mappings as whole runs: what a mapping loses, repeats and costs.

mod answers;
mod grid;
mod healthy;
mod over_pull;
#[path = "../support/mod.rs"]
mod support;
