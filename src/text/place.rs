//! A text that somebody wrote, and places in it.

/// A stretch of the text, in bytes; the end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

/// One line of the text, and where it begins.
pub struct Line<'a> {
    /// Number of the line, from 1.
    pub number: usize,
    /// Byte at which it begins.
    pub start: usize,
    /// The line without its end.
    pub text: &'a str,
}

/// The line that a byte is in; the last line for a byte beyond the end.
pub fn line_at(text: &str, byte: usize) -> Line<'_> {
    let byte = floor_char_boundary(text, byte);
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let number = before.matches('\n').count() + 1;
    Line { number, start, text: text[start..end].trim_end_matches('\r') }
}

/// Column of a byte in its line, from 1, in characters.
pub fn column_at(line: &Line<'_>, byte: usize) -> usize {
    let within = floor_char_boundary(line.text, byte.saturating_sub(line.start));
    line.text[..within].chars().count() + 1
}

/// The byte at a line and a column, both from 1; the end of the line or of the text where they are beyond it.
pub fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let line = text[before..].lines().next().unwrap_or_default();
    before + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(byte, _)| byte)
}

/// The nearest start of a character at or before a byte.
pub fn floor_char_boundary(text: &str, byte: usize) -> usize {
    let mut boundary = byte.min(text.len());
    while !text.is_char_boundary(boundary) {
        boundary -= 1;
    }
    boundary
}

/// A value from the text, quoted for a message, cut where it is long.
pub fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = found.chars().take(LONGEST).flat_map(printable).collect();
    let dots = if found.chars().count() > LONGEST { "..." } else { "" };
    format!("`{shown}{dots}`")
}

/// A character as it may stand in a terminal: control characters are escaped.
fn printable(character: char) -> impl Iterator<Item = char> {
    let escaped = character.is_control().then(|| character.escape_default());
    let plain = escaped.is_none().then_some(character);
    escaped.into_iter().flatten().chain(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "a: 1\r\nä: ö2\n";
        let line = line_at(text, 11);
        assert_eq!((line.number, line.text), (2, "ä: ö2"));
        assert_eq!(column_at(&line, 10), 4);
        assert_eq!(column_at(&line, 11), 4, "a byte inside a character belongs to it");
        assert_eq!(line_at(text, 999).number, 3);
    }

    #[test]
    fn a_line_and_a_column_are_a_byte() {
        let text = "a: 1\r\nä: ö2\n";
        assert_eq!(byte_at(text, 2, 4), 10);
        assert_eq!(byte_at(text, 2, 99), 13);
        assert_eq!(byte_at(text, 9, 9), text.len());
    }

    #[test]
    fn quoted_values_are_short_and_printable() {
        assert_eq!(quoted("a\u{7}b"), "`a\\u{7}b`");
        assert_eq!(quoted(&"x".repeat(50)).len(), 45);
    }
}
