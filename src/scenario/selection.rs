//! A scenario with some of its variants.

use super::checked::{Bound, Comparison, Scenario, Variant};
use super::words::did_you_mean;

/// A variant was asked for that the scenario does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the scenario has no variant `{name}`: {help}")]
pub struct UnknownVariant {
    name: String,
    help: String,
}

impl Scenario {
    /// The index of the variant of that name.
    ///
    /// # Errors
    /// Where there is none.
    pub fn variant(&self, name: &str) -> Result<usize, UnknownVariant> {
        let known: Vec<&str> = self.variants.iter().map(|variant| variant.name.as_str()).collect();
        let unknown = || UnknownVariant { name: name.to_owned(), help: did_you_mean(name, &known, "it") };
        known.iter().position(|known| *known == name).ok_or_else(unknown)
    }

    /// The scenario with the named variants only, in its own order. Expectations and claims about others go with them.
    ///
    /// # Errors
    /// Where it has no variant of a name.
    pub fn only(&self, names: &[String]) -> Result<Self, UnknownVariant> {
        names.iter().try_for_each(|name| self.variant(name).map(|_| ()))?;
        let kept: Vec<usize> =
            (0..self.variants.len()).filter(|&number| is_named(&self.variants[number], names)).collect();
        let moved = |variant: usize| kept.iter().position(|&old| old == variant);
        let expectations = self.expectations.iter().filter_map(|expectation| {
            let mut expectation = expectation.clone();
            expectation.variant = moved(expectation.variant)?;
            if let Some(other) = other_variant_mut(&mut expectation.comparison) {
                *other = moved(*other)?;
            }
            Some(expectation)
        });
        let claims = self.claims.iter().filter_map(|claim| {
            let mut claim = claim.clone();
            claim.variant = moved(claim.variant)?;
            Some(claim)
        });
        Ok(Self {
            variants: kept.iter().map(|&number| self.variants[number].clone()).collect(),
            expectations: expectations.collect(),
            claims: claims.collect(),
            ..self.clone()
        })
    }
}

fn is_named(variant: &Variant, names: &[String]) -> bool {
    names.contains(&variant.name)
}

impl Comparison {
    /// The bound, but for `between`, which has two numbers.
    pub fn bound(&self) -> Option<&Bound> {
        match self {
            Self::Equals(bound)
            | Self::Below(bound)
            | Self::AtMost(bound)
            | Self::Above(bound)
            | Self::AtLeast(bound) => Some(bound),
            Self::Between(..) => None,
        }
    }

    /// The other variant that it compares with, if it names one.
    pub fn other_variant(&self) -> Option<usize> {
        match self.bound()? {
            Bound::Variant { variant, .. } => Some(*variant),
            Bound::Number(_) => None,
        }
    }
}

fn other_variant_mut(comparison: &mut Comparison) -> Option<&mut usize> {
    match comparison {
        Comparison::Equals(Bound::Variant { variant, .. })
        | Comparison::Below(Bound::Variant { variant, .. })
        | Comparison::AtMost(Bound::Variant { variant, .. })
        | Comparison::Above(Bound::Variant { variant, .. })
        | Comparison::AtLeast(Bound::Variant { variant, .. }) => Some(variant),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        crate::scenario::parse(
            "
duration: 1m
producers: [ { rate: 1/s } ]
downstream: { servers: 1, service_time: 1ms }
variants: { a: {}, b: {}, c: {} }
expect:
  - { variant: c, metric: calls, at_most: { variant: a, times: 1 } }
  - { variant: c, metric: calls, at_most: { variant: b, times: 1 } }
  - { variant: b, metric: calls, above: 1 }
",
            "test.yaml",
            std::path::Path::new("."),
        )
        .expect("a sound scenario")
    }

    #[test]
    fn what_refers_to_other_variants_goes_with_them() {
        let selected = scenario().only(&["c".to_owned(), "a".to_owned()]).expect("known names");
        assert_eq!(selected.variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(selected.expectations.len(), 1);
        assert_eq!(selected.expectations[0].variant, 1);
        assert_eq!(selected.expectations[0].comparison.other_variant(), Some(0));
    }

    #[test]
    fn an_unknown_name_is_refused_with_those_that_there_are() {
        let error = scenario().only(&["d".to_owned()]).expect_err("no such variant").to_string();
        assert_eq!(error, "the scenario has no variant `d`: it takes `a`, `b`, `c`");
    }
}
