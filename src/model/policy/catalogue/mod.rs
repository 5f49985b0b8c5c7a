//! What a catalogue of policies says of each of its kinds, so that the scenario language, the documents, the command line
//! and the benches can be driven by it: name, formula, source, parameters, and the function that builds the part.
//!
//! There are three catalogues: [`BACKOFFS`](super::BACKOFFS), [`JITTERS`](super::JITTERS) and
//! [`CLIENTS`](super::CLIENTS). A kind is one file that declares a [`Kind`], and one line in its table. Beside them,
//! [`LOAD_CONTROLS`](super::LOAD_CONTROLS) says the same of parts that have sections of their own in the language.

mod check;
mod parameter;
#[cfg(test)]
pub(super) mod samples;
mod settings;
mod value;

pub use check::Refusal;
pub use parameter::{JitterChoice, Parameter, ParameterKind};
pub use settings::Settings;
pub use value::{Value, Values};

/// What there is to know of a kind.
#[derive(Debug)]
pub struct About {
    /// The name that scenarios call it by.
    pub name: &'static str,
    /// The name in a sentence, with its article.
    pub title: &'static str,
    /// What it does, in one short line.
    pub summary: &'static str,
    /// The delay as a formula, or the rules as a few lines of text. d is a delay before jitter, n the attempt, from 1 on.
    pub formula: &'static str,
    /// Where the behaviour is written down.
    pub source: &'static str,
    /// When it is a mistake to use it.
    pub mistake: &'static str,
    /// What it is configured with.
    pub parameters: &'static [Parameter],
    /// Pairs of parameters of which the first must not be above the second.
    pub ordered: &'static [(&'static str, &'static str)],
    /// Parameters of a sensible example; the others keep their defaults.
    pub example: &'static [(&'static str, Value)],
}

impl About {
    /// A parameter by its name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// Whether the name alone says everything: no parameter has to be given.
    pub fn stands_alone(&self) -> bool {
        self.parameters.iter().all(|parameter| parameter.default.is_some())
    }

    /// The example as a scenario writes it.
    pub fn example_written(&self) -> String {
        if self.example.is_empty() {
            return self.name.to_owned();
        }
        let given = self.example.iter().map(|(name, value)| format!("{name}: {}", value.written()));
        format!("{{ {}: {{ {} }} }}", self.name, given.collect::<Vec<_>>().join(", "))
    }
}

/// One line of a catalogue: what there is to know, and how the part is built from checked parameters.
#[derive(Debug)]
pub struct Kind<T: 'static> {
    /// What there is to know.
    pub about: About,
    /// Builds the part. The values have been checked against the parameters.
    pub build: fn(&Values) -> T,
}

/// A kind of a catalogue by its name.
pub fn find<T>(catalogue: &[&'static Kind<T>], name: &str) -> Option<&'static Kind<T>> {
    catalogue.iter().find(|kind| kind.about.name == name).copied()
}
