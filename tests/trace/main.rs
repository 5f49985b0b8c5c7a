//! Stories of single messages, worked out by hand and compared line by line.

mod outcomes;
mod picks;
mod story;
#[path = "../support/mod.rs"]
mod support;
mod told;
