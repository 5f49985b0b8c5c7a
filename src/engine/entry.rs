//! An event in one number: time above, scheduling order below it, the caller's payload at the bottom. So one comparison
//! of two numbers is the whole order of events.

/// A packed event.
pub(super) type Entry = u128;

/// Later than every event: stands for "nothing there".
pub(super) const NEVER: Entry = u128::MAX;

/// Bits of the caller's payload.
pub(super) const PAYLOAD_BITS: u32 = 36;
/// Bits of the scheduling order: more events than any accepted scenario has.
const ORDER_BITS: u32 = 40;
/// Position of the time.
const TIME_SHIFT: u32 = PAYLOAD_BITS + ORDER_BITS;
/// The latest time that fits above it, 142 years; what is due later is due after the end of every run just as well.
const LATEST_US: u64 = (1 << (u128::BITS - TIME_SHIFT)) - 2;

#[inline]
pub(super) fn pack(at_us: u64, order: u64, payload: u64) -> Entry {
    u128::from(at_us.min(LATEST_US)) << TIME_SHIFT | u128::from(order) << PAYLOAD_BITS | u128::from(payload)
}

#[inline]
pub(super) fn time_us(entry: Entry) -> u64 {
    (entry >> TIME_SHIFT) as u64
}

#[inline]
pub(super) fn payload(entry: Entry) -> u64 {
    entry as u64 & ((1 << PAYLOAD_BITS) - 1)
}
