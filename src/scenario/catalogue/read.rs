//! Reading a kind, and laying a variant's over the common one.

use super::{Catalogue, RawJitter, RawKind, RawParameters, RawValue, names};
use crate::model::policy::catalogue::{About, ParameterKind, find};
use crate::scenario::language::{Alternative, Field, Language, List, Located, MappingReader, pick};
use crate::scenario::problems::Problems;
use crate::scenario::tree::Node;
use crate::scenario::value::{Count, Duration, Number, Rate, Share};
use std::marker::PhantomData;

impl<C: Catalogue> Language for RawKind<C> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let words = names::<C>(About::stands_alone);
        let mappings = names::<C>(|about| !about.parameters.is_empty());
        let (name, parameters) = match pick(node, C::NAME, &[], &words, &mappings, problems)? {
            Alternative::Word(name) => (name, None),
            Alternative::Kind(name, entry) => {
                let about = &find(C::kinds(), name)?.about;
                let value = RawParameters::read(&entry.node, about, C::IS_GIVEN_WHOLE, problems)?;
                (name, Some(Located { value, place: entry.node.place }))
            }
            Alternative::Plain => return None,
        };
        Some(Self { name, parameters, catalogue: PhantomData })
    }

    /// The same kind with parameters is merged; another kind, or a name alone, replaces the common one.
    fn overlay(base: &mut Located<Self>, over: &Located<Self>) {
        match (&mut base.value.parameters, &over.value.parameters) {
            (Some(common), Some(own)) if base.value.name == over.value.name => common.value.overlay(&own.value),
            _ => *base = over.clone(),
        }
    }
}

impl RawParameters {
    fn read(node: &Node, about: &'static About, whole: bool, problems: &mut Problems) -> Option<Self> {
        let keys: Vec<&'static str> = about.parameters.iter().map(|parameter| parameter.name).collect();
        let mut reader = MappingReader::new(node, about.title, &keys, problems)?;
        let fields = about.parameters.iter().map(|parameter| {
            let read = |node: &Node, problems: &mut Problems| RawValue::read(node, parameter.kind, problems);
            reader.field_with(parameter.name, whole && parameter.default.is_none(), read)
        });
        Some(Self { fields: fields.collect() })
    }

    fn overlay(&mut self, over: &Self) {
        for (base, over) in self.fields.iter_mut().zip(&over.fields) {
            match (&mut *base, over) {
                (_, Field::Absent) => {}
                (Field::Given(base), Field::Given(over)) => RawValue::overlay(base, over),
                (base, over) => *base = over.clone(),
            }
        }
    }
}

impl RawValue {
    fn read(node: &Node, kind: ParameterKind, problems: &mut Problems) -> Option<Self> {
        match kind {
            ParameterKind::Seconds { .. } | ParameterKind::Duration { .. } => {
                Duration::read(node, problems).map(Self::Duration)
            }
            ParameterKind::Count { .. } => Count::read(node, problems).map(Self::Count),
            ParameterKind::Number { .. } => Number::read(node, problems).map(Self::Number),
            ParameterKind::Rate => Rate::read(node, problems).map(Self::Rate),
            ParameterKind::Share => Share::read(node, problems).map(Self::Share),
            ParameterKind::Switch => bool::read(node, problems).map(Self::Switch),
            ParameterKind::SecondsList { .. } => List::read(node, problems).map(Self::Durations),
            ParameterKind::Jitter { .. } => RawJitter::read(node, problems).map(Self::Jitter),
        }
    }

    /// A jitter of the same kind is merged; everything else replaces the common value.
    fn overlay(base: &mut Located<Self>, over: &Located<Self>) {
        let (Self::Jitter(common), Self::Jitter(own)) = (&base.value, &over.value) else {
            *base = over.clone();
            return;
        };
        let mut merged = Located { value: common.clone(), place: base.place };
        RawJitter::overlay(&mut merged, &Located { value: own.clone(), place: over.place });
        *base = Located { value: Self::Jitter(merged.value), place: merged.place };
    }
}
