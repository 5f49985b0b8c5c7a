//! The plain values of the language: durations, rates, shares, numbers, texts.

mod amount;
mod decimal;
mod duration;
mod number;
mod rate;
mod share;
mod text;

pub(super) use amount::{Amount, Tolerance};
pub(super) use duration::Duration;
pub(super) use number::{Count, Number};
pub(super) use rate::Rate;
pub(super) use share::{Share, percent};
