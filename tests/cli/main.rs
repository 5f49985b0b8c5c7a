//! What the binary promises: its commands, its exit codes, its files, and how it ends.

mod audit;
mod budget;
mod colours;
mod commands;
mod compare;
mod consumers;
mod determinism;
mod explain;
mod help;
mod init;
#[cfg(unix)]
mod interrupt;
#[cfg(target_os = "linux")]
mod live;
mod names;
mod policies;
mod refusals;
mod run;
mod shells;
mod statistics;
mod sweep;
mod tool;
mod trace;
mod tune;
#[cfg(unix)]
mod watch;
