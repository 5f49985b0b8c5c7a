//! The catalogues of policies as parts of the language. What a kind is called, which keys it has and what they allow is
//! not written here: the catalogues of the model say it, and reader, overlay, schema and check follow them.

mod check;
mod read;
mod schema;

pub(super) use check::settings;

use super::language::{Field, Located};
use super::text::Place;
use super::value::{Count, Duration, Number, Rate, Share};
use crate::model::policy::catalogue::{About, Kind, find};
use crate::model::policy::{BACKOFFS, Backoff, CLIENTS, ClientRules, JITTERS, Jitter};
use crate::scenario::language::List;
use std::marker::PhantomData;

/// A catalogue, as the language knows it.
pub(super) trait Catalogue: Copy + std::fmt::Debug + PartialEq + 'static {
    /// What its kinds build.
    type Built;
    /// What one of its kinds is called in messages.
    const NAME: &'static str;
    /// Its name in the schema.
    const SCHEMA_NAME: &'static str;
    /// What editors show.
    const DESCRIPTION: &'static str;
    /// Whether a text that names a kind has to give all that has no default. Where variants add to what the common setup
    /// says, it need not.
    const IS_GIVEN_WHOLE: bool;

    /// All kinds.
    fn kinds() -> &'static [&'static Kind<Self::Built>];
}

/// The catalogue of backoffs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Backoffs;

impl Catalogue for Backoffs {
    type Built = Option<Backoff>;
    const NAME: &'static str = "a backoff";
    const SCHEMA_NAME: &'static str = "Backoff";
    const DESCRIPTION: &'static str = "The delay before the next attempt, in whole seconds of at most 12h (rule Q5).";
    const IS_GIVEN_WHOLE: bool = false;

    fn kinds() -> &'static [&'static Kind<Self::Built>] {
        BACKOFFS
    }
}

/// The catalogue of jitters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jitters;

impl Catalogue for Jitters {
    type Built = Jitter;
    const NAME: &'static str = "a jitter";
    const SCHEMA_NAME: &'static str = "Jitter";
    const DESCRIPTION: &'static str = "How a delay is randomised.";
    const IS_GIVEN_WHOLE: bool = true;

    fn kinds() -> &'static [&'static Kind<Self::Built>] {
        JITTERS
    }
}

/// The catalogue of clients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Clients;

impl Catalogue for Clients {
    type Built = Box<dyn ClientRules>;
    const NAME: &'static str = "a client";
    const SCHEMA_NAME: &'static str = "Client";
    const DESCRIPTION: &'static str = "What a client library does within one receive.";
    const IS_GIVEN_WHOLE: bool = false;

    fn kinds() -> &'static [&'static Kind<Self::Built>] {
        CLIENTS
    }
}

/// A kind as it is written: its name alone, or with parameters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawKind<C> {
    name: &'static str,
    /// `None` for the name alone, which stands for all defaults.
    parameters: Option<Located<RawParameters>>,
    catalogue: PhantomData<C>,
}

pub(super) type RawBackoff = RawKind<Backoffs>;
pub(super) type RawJitter = RawKind<Jitters>;
pub(super) type RawClient = RawKind<Clients>;

impl<C: Catalogue> RawKind<C> {
    /// What its name stands for; the reader has found it in the catalogue.
    fn kind(&self) -> &'static Kind<C::Built> {
        find(C::kinds(), self.name).unwrap_or(C::kinds()[0])
    }

    /// Where a parameter stands, if it is given.
    fn place_of(&self, parameter: &str) -> Option<Place> {
        self.field(parameter).and_then(Field::place)
    }

    fn field(&self, parameter: &str) -> Option<&Field<RawValue>> {
        let place = self.kind().about.parameters.iter().position(|own| own.name == parameter)?;
        self.parameters.as_ref()?.value.fields.get(place)
    }
}

/// The parameters of a kind, in its own order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawParameters {
    fields: Vec<Field<RawValue>>,
}

/// The value of a parameter as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RawValue {
    Duration(Duration),
    Count(Count),
    Number(Number),
    Rate(Rate),
    Share(Share),
    Switch(bool),
    Durations(List<Duration>),
    Jitter(RawJitter),
}

/// The names of the kinds that a condition holds for.
fn names<C: Catalogue>(condition: fn(&About) -> bool) -> Vec<&'static str> {
    C::kinds().iter().map(|kind| &kind.about).filter(|about| condition(about)).map(|about| about.name).collect()
}
