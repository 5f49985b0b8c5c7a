//! Pages of keys.

use retrystorm::model::policy::catalogue::{Kind, find};
use retrystorm::model::policy::{BACKOFFS, CLIENTS, JITTERS};
use retrystorm::scenario::{Form, Key};

use super::super::page::{hanging, paragraph, preformatted};
use super::source;

/// Keys with what they are, one after the other.
pub fn list(keys: &[&Key]) -> String {
    let width = keys.iter().map(|key| key.name().len()).max().unwrap_or(0);
    keys.iter().map(|key| hanging(key.name(), width, key.summary())).collect()
}

/// What a word stands for that several keys have for a name.
pub fn choice(word: &str, keys: &[&Key]) -> String {
    let lines: String = keys.iter().map(|key| format!("  {}\n{}", key.path, hanging("", 0, key.summary()))).collect();
    format!("Keys with the name {word}\n{lines}\n`retrystorm explain` with one of these paths tells all about it.\n")
}

/// What there is to know of a key, by its places.
pub fn page(all: &[Key], places: &[&Key]) -> String {
    let Some((key, others)) = places.split_first() else { return String::new() };
    let sections = [
        format!("{} (key)\n{}", key.path, paragraph("", &key.meaning)),
        forms(key),
        keys_below(all, key),
        given(key),
        source(&words(key)),
        format!("\nScenario\n{}", preformatted(&key.example())),
        catalogue(key),
        elsewhere(others),
    ];
    sections.concat()
}

/// All that is said of a key and of what it takes.
fn words(key: &Key) -> String {
    let of_forms = key.forms.iter().map(|form| match form {
        Form::Word(_, meaning) | Form::Kind(_, meaning) => meaning.as_str(),
        Form::Notation(..) | Form::List(_) | Form::Section => "",
    });
    std::iter::once(key.meaning.as_str()).chain(of_forms).collect::<Vec<_>>().join(" ")
}

/// What may be written. That a key is a section and nothing else, its keys say.
fn forms(key: &Key) -> String {
    // A name alone stands for the kind with every default; it is shown once.
    let is_word = |name: &str| key.forms.iter().any(|form| matches!(form, Form::Word(word, _) if word == name));
    let named = |form: &Form| match form {
        Form::Kind(kind, _) if is_word(kind) => None,
        Form::Word(word, meaning) => Some((word.clone(), meaning.clone())),
        Form::Kind(kind, meaning) => Some((format!("{{ {kind}: ... }}"), meaning.clone())),
        Form::Notation(..) | Form::List(_) | Form::Section => None,
    };
    let names: Vec<(String, String)> = key.forms.iter().filter_map(named).collect();
    let width = names.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let described = names.iter().map(|(name, meaning)| hanging(name, width, meaning));
    let lines: String = key.forms.iter().filter_map(sentence).chain(described).collect();
    let is_only_a_section = key.forms == [Form::Section];
    if is_only_a_section { String::new() } else { format!("\nValue\n{lines}") }
}

fn sentence(form: &Form) -> Option<String> {
    match form {
        Form::Notation(sentence, _) => Some(paragraph("", sentence)),
        Form::List(Some(item)) => Some(paragraph("", "A list, and of each item:") + &paragraph("", item)),
        Form::List(None) => Some(paragraph("", "A list.")),
        Form::Section => Some(paragraph("", "A section with the keys below.")),
        Form::Word(..) | Form::Kind(..) => None,
    }
}

/// The keys of a section; kinds are among the forms already.
fn keys_below(all: &[Key], key: &Key) -> String {
    let is_kind = |name: &str| key.forms.iter().any(|form| matches!(form, Form::Kind(kind, _) if kind == name));
    let below: Vec<&Key> = key.below(all).into_iter().filter(|below| !is_kind(below.name())).collect();
    let title = match key.forms.first() {
        Some(Form::List(_)) => "Keys of each item",
        _ if key.is_by_name(all) => "Keys below each name, which is your own",
        _ => "Keys",
    };
    if below.is_empty() { String::new() } else { format!("\n{title}\n{}", list(&below)) }
}

fn given(key: &Key) -> String {
    match &key.default {
        Some(default) => paragraph("Default", default),
        None if key.is_required => paragraph("Default", "None: it has to be given."),
        None => String::new(),
    }
}

/// Where the catalogue of policies tells more of a kind.
fn catalogue(key: &Key) -> String {
    let parts: Vec<&str> = key.path.split('.').collect();
    let kind = parts.windows(2).rfind(|pair| match pair[0] {
        "backoff" => is_in(BACKOFFS, pair[1]),
        "client" => is_in(CLIENTS, pair[1]),
        "jitter" => is_in(JITTERS, pair[1]),
        _ => false,
    });
    match kind {
        Some(pair) => paragraph("Formula, source and plot", &format!("retrystorm policies {}", pair[1])),
        None => String::new(),
    }
}

fn is_in<T>(catalogue: &[&'static Kind<T>], name: &str) -> bool {
    find(catalogue, name).is_some()
}

/// The other places of the same key.
fn elsewhere(others: &[&Key]) -> String {
    let lines: String = others.iter().map(|other| format!("  {}\n", other.path)).collect();
    if lines.is_empty() { lines } else { format!("\nThe same key stands at\n{lines}") }
}
