//! From what is written to what it means: the settings of each variant, with defaults and ranges applied.
//!
//! Checks run on the merged setup of each variant. They report what is wrong and go on with the default in its place, so
//! that one run finds all mistakes; what they return is used only if nothing was reported.

mod alarm;
mod autoscale;
mod breaker;
mod consumers;
mod dispositions;
mod distribution;
mod downstream;
mod idempotency;
mod judgement;
mod lambda;
mod limits;
mod operator;
mod policy;
mod producer;
mod profile;
mod quantity;
mod queue;
mod range;
mod scenario;
mod tenants;

pub(super) use profile::Profiles;
pub(super) use scenario::check;

use super::problems::Problems;
use super::text::Place;
use crate::measure::AlarmSettings;
use tenants::Tenants;

/// What checks need to know beside their section.
struct Context<'a> {
    problems: &'a mut Problems,
    /// The length of the run; `None` if it is not known because it is wrong itself.
    duration_us: Option<u64>,
    /// How long the run warms up.
    warm_up_us: u64,
    /// The alarms.
    alarms: Vec<AlarmSettings>,
    /// Where the scenario begins.
    start: Place,
    profiles: &'a mut Profiles,
    /// The tenants of the setup that is being checked.
    tenants: Tenants,
}
