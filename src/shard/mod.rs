//! Sweeps in parts: shares of the runs, the files that hold them, and how they are joined again.
//!
//! A part is a file with the raw metrics of some runs of a sweep. A shard is the finished part of one job of several; a
//! checkpoint is a part that is not finished yet. Both have the same form, so that what is done is never done again.

mod digest;
mod environment;
mod error;
mod join;
mod part;
mod share;
mod text;

pub use digest::fingerprint;
pub use environment::share_of_environment;
pub use error::ShardError;
pub use join::{Joined, join, shard_files};
pub use part::{Part, read_part};
pub use share::Share;
