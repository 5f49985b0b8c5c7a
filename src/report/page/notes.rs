//! What the author of a scenario wrote beside its values: the comments of the file, which hold its assumptions.

/// Lines for editors, not for readers.
const FOR_EDITORS: &str = "yaml-language-server:";

/// A comment, and the line of the scenario that it is on.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Number of the line that it speaks of.
    pub line: usize,
    /// That line without comments.
    pub of: String,
    /// What it says.
    pub says: String,
}

/// The first paragraph of the file's leading comment: what the scenario asks.
pub fn question(text: &str) -> Option<String> {
    introduction(text).into_iter().next()
}

/// The paragraphs of the leading comment.
pub fn introduction(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| line.starts_with('#'));
    let lines = lines.map(|line| line.trim_start_matches('#').trim()).filter(|line| !line.starts_with(FOR_EDITORS));
    let mut paragraphs = vec![String::new()];
    for line in lines {
        if line.is_empty() {
            paragraphs.push(String::new());
        } else if let Some(paragraph) = paragraphs.last_mut() {
            append(paragraph, line);
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// Every other comment with the line that it speaks of: its own, or the next one that has a value.
pub fn notes(text: &str) -> Vec<Note> {
    let is_leading = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let leading = text.lines().take_while(is_leading).count();
    let mut notes = Vec::new();
    let mut above = String::new();
    for (index, line) in text.lines().enumerate().skip(leading) {
        let (value, comment) = parted(line);
        if value.trim().is_empty() {
            match comment {
                Some(comment) => append(&mut above, comment),
                None => above.clear(),
            }
            continue;
        }
        let mut says = std::mem::take(&mut above);
        append(&mut says, comment.unwrap_or_default());
        if !says.is_empty() {
            notes.push(Note { line: index + 1, of: value.trim().to_owned(), says });
        }
    }
    notes
}

fn append(text: &mut String, more: &str) {
    let more = more.trim();
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// A line's value and its comment: a `#` at its start or after a space, and in no quotes.
fn parted(line: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    let mut before = ' ';
    for (place, character) in line.char_indices() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(character),
            (None, '#') if before.is_whitespace() => return (&line[..place], Some(&line[place + 1..])),
            _ => {}
        }
        before = character;
    }
    (line, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# yaml-language-server: $schema=x
#
# What does it
# do?
#
# Much.

title: \"one # two\"
queue:
  # calibrated: by
  # the article
  retention: 4d   # four

# nothing below

producers: [] # it's none
";

    #[test]
    fn the_leading_comment_asks_the_question() {
        assert_eq!(introduction(TEXT), ["What does it do?", "Much."]);
        assert_eq!(question("title: x"), None);
        assert_eq!(question(""), None);
    }

    #[test]
    fn comments_belong_to_the_values_they_speak_of() {
        let note = |line, of: &str, says: &str| Note { line, of: of.to_owned(), says: says.to_owned() };
        let expected =
            [note(12, "retention: 4d", "calibrated: by the article four"), note(16, "producers: []", "it's none")];
        assert_eq!(notes(TEXT), expected);
    }
}
