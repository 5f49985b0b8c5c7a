//! Many runs and what they say together.

mod result;

pub use result::{
    ClaimResult, Estimate, ExpectationResult, Fate, RunStatistics, Series, StudyResult, VariantResult, Verdict,
};
