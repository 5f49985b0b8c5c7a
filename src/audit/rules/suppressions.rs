//! Findings that somebody allows have to say why.

use crate::audit::finding::{Example, Rule, Severity};

pub static BARE_SUPPRESSION: Rule = Rule {
    id: "RS025",
    name: "bare-suppression",
    severity: Severity::Warning,
    looks_for: "A comment or a metadata key that allows a finding without a reason, or a finding of a rule that does not exist.",
    leads_to: "Nobody can tell later whether it still holds; a misspelt id allows nothing.",
    remedy: "write `retrystorm: allow RS001` and then the reason",
    source: "docs/rules.md, how to allow a finding.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS025/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS025/passes.tf") },
};
