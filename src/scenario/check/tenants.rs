//! The tenants of a setup: names in the scenario, numbers in a run.

use crate::scenario::language::Located;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::words::did_you_mean;

/// Most tenants of a setup.
const MOST_TENANTS: usize = 100;

/// The names of a setup's tenants; producers that name none are all of the same, nameless one.
#[derive(Debug, Default)]
pub(super) struct Tenants {
    names: Vec<String>,
}

impl Tenants {
    /// The number of a tenant that a producer names, or does not name.
    pub fn number(&mut self, name: Option<&Located<String>>, problems: &mut Problems) -> u8 {
        let text = name.map_or("", |name| name.value.as_str());
        if let Some(number) = self.names.iter().position(|known| known == text) {
            return number as u8;
        }
        if let Some(name) = name.filter(|_| self.names.len() == MOST_TENANTS) {
            let title = format!("there are more than {MOST_TENANTS} tenants");
            problems.report(Finding::new(name.place, title, "one too many"));
            return 0;
        }
        self.names.push(text.to_owned());
        (self.names.len() - 1) as u8
    }

    /// The number of a tenant that some producer has named.
    pub fn known(&self, name: &Located<String>, problems: &mut Problems) -> Option<u8> {
        let number = self.names.iter().position(|known| *known == name.value);
        if number.is_none() {
            let names: Vec<&str> = self.names.iter().filter(|name| !name.is_empty()).map(String::as_str).collect();
            let title = format!("no producer sends messages of a tenant `{}`", name.value);
            let finding = Finding::new(name.place, title, "not a tenant of this setup");
            problems.report(match names.is_empty() {
                true => finding.help("name it at a producer, such as `{ rate: 10/s, tenant: big }`"),
                false => finding.help(did_you_mean(&name.value, &names, "a slow tenant")),
            });
        }
        number.map(|number| number as u8)
    }
}
