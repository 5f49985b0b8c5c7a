//! The class of a message, which every part may need to know.

/// What will happen to a message when it is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum MessageClass {
    /// Succeeds as soon as the downstream does.
    #[default]
    Valid = 0,
    /// Fails at every attempt: malformed, or refused by a business rule.
    Permanent = 1,
    /// Crashes the consumer process that handles it.
    Poison = 2,
}

impl MessageClass {
    /// Every class, in the order of reports.
    pub const ALL: [Self; 3] = [Self::Valid, Self::Permanent, Self::Poison];

    /// The name in scenarios and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Permanent => "permanent",
            Self::Poison => "poison",
        }
    }
}
