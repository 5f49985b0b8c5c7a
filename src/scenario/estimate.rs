//! What a study will cost, before it starts.

use super::checked::Scenario;
use super::error::ScenarioError;
use super::problems::Finding;
use super::tree::Node;

/// Estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {}

/// Estimate.
pub fn estimate(_scenario: &Scenario) -> Estimate {
    Estimate {}
}
/// Refuse.
pub fn refuse_if_too_large(_scenario: &Scenario) -> Result<Estimate, ScenarioError> {
    Ok(Estimate {})
}
pub(super) fn refuse_in_text(_scenario: &Scenario, _tree: &Node) -> Result<(), Finding> {
    Ok(())
}
