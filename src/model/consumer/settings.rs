//! What a fleet is configured with.

use super::AutoscaleSettings;
use crate::engine::distribution::TimeDistribution;

/// A fleet of equal consumers.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsumerSettings {
    /// Consumer processes, at least 1.
    pub fleet: u32,
    /// Slots of each consumer: messages that it handles at the same time, at least 1.
    pub concurrency: u32,
    /// Messages that one receive call asks for at most, 1 to 10 (rule Q13).
    pub batch: u32,
    /// Long-poll wait, 0 s to 20 s (rule Q13).
    pub wait_us: u64,
    /// Messages that a consumer may hold beyond its slots; their leases run meanwhile (rule Q3).
    pub prefetch: u32,
    /// The handler's own work on a message before it calls the downstream.
    pub handler_time: TimeDistribution,
    /// How long a consumer that a poison message has crashed needs to come back.
    pub restart_us: u64,
    /// Who changes the size of the fleet, if anybody.
    pub autoscale: Option<AutoscaleSettings>,
}

impl ConsumerSettings {
    /// Most consumers that the fleet can have, but for what an operator does.
    pub fn largest_fleet(&self) -> u32 {
        self.autoscale.map_or(self.fleet, |autoscale| self.fleet.max(autoscale.max))
    }
}
