//! Pages of a terminal: paragraphs under headings, and lists of names.

use retrystorm::scenario;

/// Columns of a page.
pub const WIDTH: usize = 80;
/// Columns in front of a paragraph.
pub const INDENT: usize = 2;

/// A paragraph, with a heading if there is one.
pub fn paragraph(title: &str, text: &str) -> String {
    let indent = " ".repeat(INDENT);
    let heading = if title.is_empty() { String::new() } else { format!("\n{title}\n") };
    format!("{heading}{indent}{}\n", wrapped(text, INDENT))
}

/// A text broken into lines, of which all but the first are indented.
pub fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && indent + line + 1 + word.chars().count() > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// A name in a column of that width, and beside it a text of one line or several.
pub fn hanging(name: &str, width: usize, text: &str) -> String {
    let indent = 2 * INDENT + width;
    format!("  {name:width$}  {}", wrapped(text, indent)).trim_end().to_owned() + "\n"
}

/// Lines that stay as they are, indented.
pub fn preformatted(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// One line of a list: a name in a column of that width, and what it is.
pub fn list_line(name: &str, width: usize, summary: &str) -> String {
    format!("  {name:width$}  {summary}\n")
}

/// What is said of a name that `command` does not know.
pub fn unknown(what: &str, command: &str, name: &str, names: &[&str]) -> String {
    let nearest = match scenario::nearest_word(name, names) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`retrystorm {command}` lists all"),
    };
    format!("there is no {what} `{}`; {nearest}", name.escape_default())
}
