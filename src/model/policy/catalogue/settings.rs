//! A kind with its checked parameters.

use super::{About, Kind, Refusal, Value, Values};
use std::fmt;

/// Which kind, and with what parameters.
pub struct Settings<T: 'static> {
    kind: &'static Kind<T>,
    values: Values,
}

impl<T> Settings<T> {
    /// A kind with the given parameters; the others have their defaults.
    ///
    /// # Errors
    /// What is wrong with the parameters: unknown, missing, outside its range, or in contradiction to another.
    pub fn new(kind: &'static Kind<T>, given: &[(&str, Value)]) -> Result<Self, Refusal> {
        match Self::checked(kind, given) {
            (Some(settings), _) => Ok(settings),
            (None, mut refusals) => Err(refusals.swap_remove(0)),
        }
    }

    /// The same with everything that is wrong; without settings there is at least one refusal.
    pub fn checked(kind: &'static Kind<T>, given: &[(&str, Value)]) -> (Option<Self>, Vec<Refusal>) {
        let about = &kind.about;
        let unknown = given.iter().filter(|(name, _)| about.parameter(name).is_none()).map(|(name, _)| {
            let title = format!("{} has no parameter `{name}`", about.title);
            Refusal::new(name, title, "not a parameter of this kind".to_owned())
        });
        let mut refusals: Vec<Refusal> = unknown.collect();
        let mut values = Vec::new();
        for parameter in about.parameters {
            let own = given.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
            let Some(value) = own.or(parameter.default.as_ref()) else {
                let title = format!("{} needs the key `{}`", about.title, parameter.name);
                refusals.push(Refusal::new(parameter.name, title, format!("`{}` is missing", parameter.name)));
                continue;
            };
            refusals.extend(parameter.refusal(value));
            values.push(value.clone());
        }
        if refusals.is_empty() {
            let values = Values::new(about, values);
            refusals = about.contradictions(&values);
            if refusals.is_empty() {
                return (Some(Self { kind, values }), refusals);
            }
        }
        (None, refusals)
    }

    /// The kind with the parameters of its example.
    pub fn of_example(kind: &'static Kind<T>) -> Self {
        // A test builds every example.
        Self::new(kind, kind.about.example).expect("the example of a kind is sound")
    }

    /// The kind.
    pub fn kind(&self) -> &'static Kind<T> {
        self.kind
    }

    /// The checked parameters.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The kind as a scenario writes it, without the parameters that have their defaults.
    ///
    /// ```
    /// use retrystorm::model::policy::backoff;
    /// use retrystorm::model::policy::catalogue::{Settings, Value};
    ///
    /// let kind = backoff("exponential").expect("it is in the catalogue");
    /// let settings = Settings::new(kind, &[("base", Value::seconds(10))])?;
    /// assert_eq!(settings.written(), "exponential: { base: 10s }");
    /// # Ok::<(), retrystorm::model::policy::catalogue::Refusal>(())
    /// ```
    pub fn written(&self) -> String {
        let About { name, parameters, .. } = self.kind.about;
        let given = parameters.iter().filter_map(|parameter| {
            let value = self.values.get(parameter.name)?;
            (Some(value) != parameter.default.as_ref()).then(|| format!("{}: {}", parameter.name, value.written()))
        });
        let given: Vec<String> = given.collect();
        if given.is_empty() { name.to_owned() } else { format!("{name}: {{ {} }}", given.join(", ")) }
    }

    /// Builds the part.
    pub fn build(&self) -> T {
        (self.kind.build)(&self.values)
    }
}

impl<T> Clone for Settings<T> {
    fn clone(&self) -> Self {
        Self { kind: self.kind, values: self.values.clone() }
    }
}

impl<T> PartialEq for Settings<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<T> fmt::Debug for Settings<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = formatter.debug_struct(self.kind.about.name);
        for parameter in self.kind.about.parameters {
            parts.field(parameter.name, &self.values.get(parameter.name).map(Value::written));
        }
        parts.finish()
    }
}
