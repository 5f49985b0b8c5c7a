//! What an audit promises: what it finds in files of every format, what it stays silent about, and how it says it.

mod corpus;
mod examples;
mod formats;
mod robustness;
