//! What client libraries do if nobody tells them otherwise, so that a scenario can name the library instead of its defaults.
//!
//! A preset is one file that declares a [`Preset`], and one line in [`PRESETS`]. Its values are written as a scenario writes
//! them; the scenario language reads them and lays what the user has written over them.

mod bbc_sqs_consumer;
mod celery;
mod lambda;
mod laravel;
mod masstransit;
mod nservicebus;
mod shoryuken;
mod spring_cloud_aws;

/// The defaults of one client library.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name that scenarios call it by.
    pub name: &'static str,
    /// The name in a sentence.
    pub title: &'static str,
    /// What kind of consumer it is, in one short line.
    pub summary: &'static str,
    /// Keys of `consumers`.
    pub consumers: &'static [Default],
    /// Keys of `policy`: what it does after a failed attempt.
    pub policy: &'static [Default],
    /// Where the defaults are written down, and what of them is an assumption.
    pub source: &'static str,
    /// What it is known to go wrong with.
    pub trap: &'static str,
}

/// One default.
#[derive(Debug, PartialEq, Eq)]
pub struct Default {
    /// The key of the scenario language.
    pub key: &'static str,
    /// Its value, as a scenario writes it.
    pub value: &'static str,
    /// What the library calls it, or why it is so.
    pub setting: &'static str,
}

/// All presets.
pub const PRESETS: &[&Preset] = &[
    &spring_cloud_aws::PRESET,
    &bbc_sqs_consumer::PRESET,
    &shoryuken::PRESET,
    &celery::PRESET,
    &lambda::PRESET,
    &laravel::PRESET,
    &masstransit::PRESET,
    &nservicebus::PRESET,
];

impl Preset {
    /// The defaults as a piece of a scenario: a line for each section.
    pub fn written(&self) -> String {
        let section = |name: &str, defaults: &[Default]| {
            let keys: Vec<String> = defaults.iter().map(|given| format!("{}: {}", given.key, given.value)).collect();
            if keys.is_empty() { String::new() } else { format!("{name}: {{ {} }}\n", keys.join(", ")) }
        };
        section("consumers", self.consumers) + &section("policy", self.policy)
    }
}

const fn given(key: &'static str, value: &'static str, setting: &'static str) -> Default {
    Default { key, value, setting }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SMALL: Preset = Preset {
        name: "small",
        title: "Small",
        summary: "One at a time.",
        consumers: &[given("concurrency", "1", ""), given("wait", "20s", "")],
        policy: &[],
        source: "",
        trap: "",
    };

    #[test]
    fn a_preset_is_written_as_a_scenario_writes_it() {
        assert_eq!(SMALL.written(), "consumers: { concurrency: 1, wait: 20s }\n");
    }

    #[test]
    fn no_two_presets_share_a_name() {
        let names: std::collections::HashSet<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        assert_eq!(names.len(), PRESETS.len());
    }
}
