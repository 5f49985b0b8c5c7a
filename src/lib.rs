//! What will this retry policy do to us when the downstream fails?

pub mod engine;
pub mod measure;
pub mod model;
pub mod report;
pub mod scenario;
pub mod simulation;
pub mod study;
