//! Do the attempts outlast an outage?

use super::sums::Sum;

/// Whether they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RideOutVerdict {
    /// Even the shortest waits are long enough.
    Always,
    /// It depends on what is drawn.
    Sometimes,
    /// Even the longest waits are too short.
    Never,
}

/// What becomes of the messages of an outage in which every attempt fails. The last attempt has to begin when it is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RideOut {
    /// Length of the outage.
    pub outage_s: f64,
    /// Whether a message that is received first when the outage begins survives it.
    pub verdict: RideOutVerdict,
    /// The chance that it does.
    pub chance: f64,
    /// The share of all messages that are received first within the outage, at any moment alike, that is dead-lettered.
    pub lost_share: f64,
    /// How much time in which messages come is lost with them: times the rate it is the number of dead letters.
    pub lost_s: f64,
}

impl RideOut {
    pub(super) fn of(outage_s: f64, last_attempt: &Sum) -> Self {
        let survives: f64 = last_attempt.cases().filter(|(at_s, _)| *at_s >= outage_s).map(|(_, chance)| chance).sum();
        let lost_s: f64 = last_attempt.cases().map(|(at_s, chance)| (outage_s - at_s).max(0.0) * chance).sum();
        let verdict = match last_attempt.total {
            total if total.low_s >= outage_s => RideOutVerdict::Always,
            total if total.high_s < outage_s => RideOutVerdict::Never,
            _ => RideOutVerdict::Sometimes,
        };
        let chance = match verdict {
            RideOutVerdict::Always => 1.0,
            RideOutVerdict::Never => 0.0,
            RideOutVerdict::Sometimes => survives.clamp(0.0, 1.0),
        };
        Self { outage_s, verdict, chance, lost_share: (lost_s / outage_s).clamp(0.0, 1.0), lost_s }
    }
}
