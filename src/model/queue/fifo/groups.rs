//! The message groups of a FIFO queue, and which of them have something to deliver.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use slab::Slab;

use crate::model::queue::call::GroupRun;

/// A message of a group: its number in the order of arrival, and its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub sequence: u64,
    pub slot: u32,
}

/// One group. A group that has become empty gives its place back.
#[derive(Debug)]
struct Group {
    id: u32,
    /// Visible from their arrival on; in order.
    fresh: VecDeque<Member>,
    /// Visible again.
    returned: BTreeSet<Member>,
    /// In flight or delayed.
    hidden: BTreeSet<Member>,
    /// Where it stands among the groups that are ready.
    ready: Option<u64>,
}

impl Group {
    fn new(id: u32) -> Self {
        Self { id, fresh: VecDeque::new(), returned: BTreeSet::new(), hidden: BTreeSet::new(), ready: None }
    }

    fn first_visible(&self) -> Option<Member> {
        let fresh = self.fresh.front().copied();
        fresh.into_iter().chain(self.returned.first().copied()).min()
    }

    fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.returned.is_empty() && self.hidden.is_empty()
    }

    /// The first message, if no earlier one is hidden (rule F1, group blocking).
    fn deliverable(&self) -> Option<Member> {
        self.first_visible().filter(|visible| self.hidden.first().is_none_or(|hidden| visible < hidden))
    }

    fn take_visible(&mut self, member: Member) {
        if self.fresh.front() == Some(&member) {
            self.fresh.pop_front();
        } else {
            self.returned.remove(&member);
        }
    }
}

/// The groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    by_id: HashMap<u32, u32>,
    groups: Slab<Group>,
    /// Groups whose first message can be delivered, by its number.
    ready: BTreeMap<u64, u32>,
}

impl Groups {
    /// Adds a message that is visible, or hidden until its delay ends; returns where the record of the group is.
    pub fn add(&mut self, id: u32, member: Member, is_visible: bool) -> u32 {
        let groups = &mut self.groups;
        let group = *self.by_id.entry(id).or_insert_with(|| groups.insert(Group::new(id)) as u32);
        let record = &mut self.groups[group as usize];
        if is_visible {
            record.fresh.push_back(member);
        } else {
            record.hidden.insert(member);
        }
        self.refresh(group);
        group
    }

    /// A visible message is in flight now.
    pub fn hide(&mut self, group: u32, member: Member) {
        let record = &mut self.groups[group as usize];
        record.take_visible(member);
        record.hidden.insert(member);
        self.refresh(group);
    }

    /// A hidden message is visible now.
    pub fn show(&mut self, group: u32, member: Member) {
        let record = &mut self.groups[group as usize];
        record.hidden.remove(&member);
        record.returned.insert(member);
        self.refresh(group);
    }

    /// A message has left the queue; if it was the last, its group goes too.
    pub fn remove(&mut self, group: u32, member: Member, was_visible: bool) {
        let record = &mut self.groups[group as usize];
        if was_visible {
            record.take_visible(member);
        } else {
            record.hidden.remove(&member);
        }
        self.refresh(group);
        if self.groups[group as usize].is_empty() {
            let record = self.groups.remove(group as usize);
            self.by_id.remove(&record.id);
        }
    }

    /// The number of the earliest message that can be delivered.
    #[inline]
    pub fn first_ready(&self) -> Option<u64> {
        self.ready.first_key_value().map(|(&sequence, _)| sequence)
    }

    /// Begins to take from the group that has the earliest message; the run goes on with [`next_of`](Self::next_of).
    pub fn begin_run(&self) -> Option<(GroupRun, Member)> {
        let (_, &group) = self.ready.first_key_value()?;
        let record = &self.groups[group as usize];
        let first = record.deliverable()?;
        let blocked_from = record.hidden.first().map_or(u64::MAX, |hidden| hidden.sequence);
        Some((GroupRun { group_id: record.id, group, last_sequence: first.sequence, blocked_from }, first))
    }

    /// The next message of a run. What the run itself has hidden does not block it (rule F2, one group first).
    pub fn next_of(&self, run: &GroupRun) -> Option<Member> {
        let record = self.groups.get(run.group as usize).filter(|record| record.id == run.group_id)?;
        let after = Member { sequence: run.last_sequence + 1, slot: 0 };
        let returned = record.returned.range(after..).next().copied();
        let fresh = record.fresh.front().copied();
        let next = returned.into_iter().chain(fresh).min()?;
        (next.sequence < run.blocked_from).then_some(next)
    }

    fn refresh(&mut self, group: u32) {
        let record = &mut self.groups[group as usize];
        let ready = record.deliverable().map(|member| member.sequence);
        if ready == record.ready {
            return;
        }
        if let Some(before) = record.ready {
            self.ready.remove(&before);
        }
        if let Some(sequence) = ready {
            self.ready.insert(sequence, group);
        }
        record.ready = ready;
    }
}
