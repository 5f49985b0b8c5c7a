//! What became of the messages that nobody processed, as finely as the books tell.
//!
//! The ledger counts by fate and class. What happened later in the dead-letter queue, and what was written down before it
//! was deleted, is counted too, but not by class. So a count is split further where that is certain, and its classes are
//! left out where it is not: no number is made up.

use super::style::Colour;
use crate::measure::{Fate, Metric};
use crate::model::MessageClass;
use crate::study::VariantResult;

/// An end of a message other than being processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// In the dead-letter queue, to be looked at.
    DeadLettered,
    /// Dead-lettered, and removed there by retention.
    ExpiredInDlq,
    /// Removed from its queue by retention.
    Expired,
    /// Deleted, and nobody knows of it.
    Deleted,
    /// Deleted after it was written down elsewhere: kept, if not processed.
    WrittenDown,
    /// Still in its queue.
    Pending,
}

impl End {
    /// Every end, in the order in which bars stack them.
    pub const ALL: [Self; 6] =
        [Self::DeadLettered, Self::ExpiredInDlq, Self::Expired, Self::Deleted, Self::WrittenDown, Self::Pending];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::DeadLettered => "dead-lettered",
            Self::ExpiredInDlq => "dead-lettered, expired there",
            Self::Expired => "expired",
            Self::Deleted => "deleted unprocessed",
            Self::WrittenDown => "written down, then deleted",
            Self::Pending => "still pending",
        }
    }

    /// Its colour.
    pub fn colour(self) -> Colour {
        match self {
            Self::DeadLettered => Colour(0x6e, 0x1f, 0x35),
            Self::ExpiredInDlq => Colour(0xb5, 0x4a, 0x1f),
            Self::Expired => Colour(0x6b, 0x4f, 0x9e),
            Self::Deleted => Colour(0x2f, 0x5d, 0x62),
            Self::WrittenDown => Colour(0x9c, 0x8a, 0x2e),
            Self::Pending => Colour(0x8b, 0x93, 0x9c),
        }
    }
}

/// Messages with the same end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// What became of them.
    pub end: End,
    /// Their class; `None` where they are of several, and nobody counted how many of each.
    pub class: Option<MessageClass>,
    /// How many, on the mean.
    pub count: f64,
}

type ByClass = [f64; MessageClass::ALL.len()];

/// The groups of a variant that are not empty, in the order of [`End::ALL`] and the classes.
pub fn groups(variant: &VariantResult) -> Vec<Group> {
    let of = |fate: Fate| variant.fates[fate as usize];
    let mean = |metric: Metric| variant.metric(metric).map_or(0.0, |found| found.mean);
    let taken_back = mean(Metric::Redriven) + mean(Metric::ProcessedInDeadLetterQueue);
    let dead = [(None, taken_back), (Some(End::ExpiredInDlq), mean(Metric::ExpiredInDeadLetterQueue))];
    let deleted = [(Some(End::WrittenDown), mean(Metric::WrittenDown))];
    let mut groups = split(of(Fate::DeadLettered), &dead, End::DeadLettered);
    groups.extend(split(of(Fate::Expired), &[], End::Expired));
    groups.extend(split(of(Fate::DeletedUnprocessed), &deleted, End::Deleted));
    groups.extend(split(of(Fate::Pending), &[], End::Pending));
    let order = |group: &Group| (group.end as usize, group.class.map_or(0, |class| class as usize));
    groups.sort_by_key(order);
    groups
}

/// Messages that were processed in the end, also by consumers of the dead-letter queue.
pub fn processed(variant: &VariantResult) -> f64 {
    let in_dlq = variant.metric(Metric::ProcessedInDeadLetterQueue).map_or(0.0, |found| found.mean);
    variant.fates[Fate::Processed as usize].iter().sum::<f64>() + in_dlq
}

/// Parts counts into what became of some of them (`None`: no end at all) and the rest.
fn split(by_class: ByClass, parts: &[(Option<End>, f64)], rest: End) -> Vec<Group> {
    let total: f64 = by_class.iter().sum();
    let mut left = total;
    let mut counts: Vec<(End, f64)> = Vec::new();
    for &(end, count) in parts {
        let count = count.clamp(0.0, left);
        left -= count;
        counts.extend(end.map(|end| (end, count)));
    }
    counts.push((rest, left));
    counts.retain(|(_, count)| *count > total * 1e-9);
    match (counts.as_slice(), only_class(by_class)) {
        // Everything has the same end, so every class does.
        ([(end, count)], None) if *count == total => of_each_class(*end, by_class),
        (counts, class) => counts.iter().map(|&(end, count)| Group { end, class, count }).collect(),
    }
}

fn of_each_class(end: End, by_class: ByClass) -> Vec<Group> {
    let group = |(class, count): (MessageClass, f64)| (count > 0.0).then_some(Group { end, class: Some(class), count });
    MessageClass::ALL.into_iter().zip(by_class).filter_map(group).collect()
}

/// The class of all messages, where it is only one.
fn only_class(by_class: ByClass) -> Option<MessageClass> {
    let mut classes = MessageClass::ALL.into_iter().zip(by_class).filter(|(_, count)| *count > 0.0);
    match (classes.next(), classes.next()) {
        (Some((class, _)), None) => Some(class),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(end: End, class: Option<MessageClass>, count: f64) -> Group {
        Group { end, class, count }
    }

    #[test]
    fn what_was_written_down_is_apart_from_what_is_lost() {
        let valid = Some(MessageClass::Valid);
        let of = |written| split([6_000.0, 0.0, 0.0], &[(Some(End::WrittenDown), written)], End::Deleted);
        assert_eq!(of(0.0), [group(End::Deleted, valid, 6_000.0)]);
        assert_eq!(of(6_000.0), [group(End::WrittenDown, valid, 6_000.0)]);
        assert_eq!(of(1.0), [group(End::WrittenDown, valid, 1.0), group(End::Deleted, valid, 5_999.0)]);
        assert_eq!(of(9_000.0), of(6_000.0), "some were written down twice");
    }

    #[test]
    fn what_was_taken_back_is_not_left() {
        let left = split([24_000.0, 0.0, 0.0], &[(None, 23_900.0)], End::DeadLettered);
        assert_eq!(left, [group(End::DeadLettered, Some(MessageClass::Valid), 100.0)]);
        assert!(split([5.0, 2.0, 0.0], &[(None, 7.0)], End::DeadLettered).is_empty());
    }

    #[test]
    fn classes_are_told_only_where_they_are_known() {
        let known = split([5.0, 2.0, 0.0], &[], End::DeadLettered);
        let (valid, permanent) = (Some(MessageClass::Valid), Some(MessageClass::Permanent));
        assert_eq!(known, [group(End::DeadLettered, valid, 5.0), group(End::DeadLettered, permanent, 2.0)]);
        let unknown = split([5.0, 2.0, 0.0], &[(None, 3.0)], End::DeadLettered);
        assert_eq!(unknown, [group(End::DeadLettered, None, 4.0)]);
    }
}
