//! How a computed delay is randomised.
//!
//! A jitter is an arm of [`Jitter`] and an entry of [`JITTERS`].

use super::catalogue::{About, Kind, Parameter, ParameterKind, Value};
use super::spread::Spread;
use crate::engine::time::{SECOND_US, written};

/// How a computed delay is randomised.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Jitter {
    /// Not at all.
    #[default]
    None,
    /// Uniform from 0 to the delay.
    Full,
    /// Half the delay, plus uniform from 0 to the other half.
    Equal,
    /// Uniform from the first delay to three times the previous delay.
    Decorrelated,
    /// Full jitter, but never below a floor.
    FlooredFull {
        /// The floor, in seconds.
        floor_s: u32,
    },
    /// Uniform around the delay.
    Bounded {
        /// How far it goes to either side, as a share of the delay.
        share: f64,
    },
}

impl Jitter {
    /// The name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Full => "full",
            Self::Equal => "equal",
            Self::Decorrelated => "decorrelated",
            Self::FlooredFull { .. } => "floored_full",
            Self::Bounded { .. } => "bounded",
        }
    }

    /// The jitter as a scenario writes it.
    pub fn written(self) -> String {
        match self {
            Self::FlooredFull { floor_s } => {
                format!("{{ floored_full: {{ floor: {} }} }}", written(u64::from(floor_s) * SECOND_US))
            }
            Self::Bounded { share } => format!("{{ bounded: {{ share: {} }} }}", Value::Share(share).written()),
            plain => plain.name().to_owned(),
        }
    }

    /// The whole numbers that a delay is drawn from, evenly. Decorrelated jitter depends on the previous delay, and is
    /// drawn by whoever knows it.
    pub fn spread(self, delay: u32, most: u32) -> Spread {
        match self {
            Self::None | Self::Decorrelated => Spread::exactly(delay),
            Self::Full | Self::FlooredFull { .. } => Spread { low: 0, more: delay },
            // Half is rounded up, so that fixed part and largest draw add up to the delay.
            Self::Equal => Spread { low: delay.div_ceil(2), more: delay / 2 },
            Self::Bounded { share } => {
                let [low, high] = [1.0 - share, 1.0 + share].map(|part| (f64::from(delay) * part).round() as u32);
                Spread { low: low.min(most), more: high.min(most).saturating_sub(low) }
            }
        }
    }

    /// What no delay is below.
    pub fn floor_s(self) -> u32 {
        match self {
            Self::FlooredFull { floor_s } => floor_s,
            _ => 0,
        }
    }
}

/// A jitter of the catalogue.
pub type JitterKind = Kind<Jitter>;

/// All jitters.
pub static JITTERS: &[&JitterKind] = &[&NONE, &FULL, &EQUAL, &HALF, &DECORRELATED, &FLOORED_FULL, &BOUNDED];

const ARCHITECTURE_BLOG: &str = "M. Brooker, \"Exponential Backoff And Jitter\", AWS Architecture Blog, 2015";

static NONE: JitterKind = Kind {
    about: About {
        name: "none",
        title: "no jitter",
        summary: "Not at all.",
        formula: "d",
        source: "No library's own.",
        mistake: "With any backoff: what failed together comes back together, as a spike of the same height.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Jitter::None,
};

static FULL: JitterKind = Kind {
    about: About {
        name: "full",
        title: "full jitter",
        summary: "Uniform from 0 to the delay.",
        formula: "U{0..d}",
        source: ARCHITECTURE_BLOG,
        mistake: "With a first delay near the lease: the mean is half of it, so messages come back sooner than with no \
                  policy at all.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Jitter::Full,
};

static EQUAL: JitterKind = Kind {
    about: About {
        name: "equal",
        title: "equal jitter",
        summary: "Half the delay, plus uniform over the other half.",
        formula: "⌈d/2⌉ + U{0..⌊d/2⌋}",
        source: ARCHITECTURE_BLOG,
        mistake: "Where load has to be as even as can be: it spreads over half the time that full jitter has.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Jitter::Equal,
};

/// Spring's name: U{⌈t/2⌉..t} is ⌈t/2⌉ + U{0..⌊t/2⌋}, number for number. One mechanism, two names.
static HALF: JitterKind = Kind {
    about: About {
        name: "half",
        title: "half jitter",
        summary: "`equal`, under Spring's name: the same numbers.",
        formula: "U{⌈d/2⌉..d}",
        source: "Spring Cloud AWS, Jitter.java",
        mistake: "As `equal`.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Jitter::Equal,
};

static DECORRELATED: JitterKind = Kind {
    about: About {
        name: "decorrelated",
        title: "decorrelated jitter",
        summary: "Uniform from the base to 3 × the previous delay.",
        formula: "min(cap, U{base..3 × previous delay})",
        source: ARCHITECTURE_BLOG,
        mistake: "Where nothing keeps the previous delay: a queue does not carry it, so a consumer needs a store of its \
                  own.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Jitter::Decorrelated,
};

static FLOORED_FULL: JitterKind = Kind {
    about: About {
        name: "floored_full",
        title: "floored full jitter",
        summary: "Full jitter, but never below a floor.",
        formula: "max(floor, U{0..d})",
        source: "A usual remedy against delays of nothing; Spring Cloud AWS has it with a floor of 1 s.",
        mistake: "With a floor near the base: at a floor of the base the first delay has no jitter at all.",
        parameters: &[Parameter {
            name: "floor",
            meaning: "The smallest delay.",
            kind: ParameterKind::Seconds { from_s: 0, to_s: 43_200 },
            default: None,
        }],
        ordered: &[],
        example: &[("floor", Value::seconds(5))],
    },
    build: |values| Jitter::FlooredFull { floor_s: values.seconds("floor") },
};

static BOUNDED: JitterKind = Kind {
    about: About {
        name: "bounded",
        title: "bounded jitter",
        summary: "Uniform around the delay, by a share of it.",
        formula: "U{d × (1 − share)..d × (1 + share)}, both ends rounded, at most 12 h",
        source: "Common in client libraries, as a jitter of some per cent; MassTransit has 25 %.",
        mistake: "With a small share against retries in lockstep: 10 % of a short delay is no spread to speak of. The \
                  cap is of the delay before jitter: the largest draw is above it.",
        parameters: &[Parameter {
            name: "share",
            meaning: "How far it goes to either side, as a share of the delay.",
            kind: ParameterKind::Share,
            default: None,
        }],
        ordered: &[],
        example: &[("share", Value::Share(0.2))],
    },
    build: |values| Jitter::Bounded { share: values.number("share") },
};
