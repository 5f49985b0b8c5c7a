//! What the binary promises: its commands, its exit codes, its files, and how it ends.

mod commands;
mod compare;
mod consumers;
mod determinism;
#[cfg(unix)]
mod interrupt;
mod policies;
mod refusals;
mod run;
mod statistics;
mod sweep;
mod tool;
mod trace;
mod tune;
