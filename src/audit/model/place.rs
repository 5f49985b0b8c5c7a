//! The files of an audit, and places in them.

use crate::text::{Line, Place, column_at};

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The file, as people named it or as the walk came upon it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The bytes at which its lines begin: files are large, and findings many.
    line_starts: Vec<usize>,
}

/// A stretch of one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Spot {
    /// The file's number in [`Sources`].
    pub file: usize,
    /// The stretch.
    pub place: Place,
}

impl Spot {
    /// Whether another stretch lies within this one.
    pub fn covers(self, other: Self) -> bool {
        self.file == other.file && self.place.start <= other.place.start && other.place.end <= self.place.end
    }
}

/// All files of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Takes in a file, and says its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        self.files.len() - 1
    }

    /// The file that a stretch is in.
    pub fn file(&self, spot: Spot) -> &SourceFile {
        &self.files[spot.file]
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The line at which a stretch begins.
    pub fn line(&self, spot: Spot) -> Line<'_> {
        let file = self.file(spot);
        let before = file.line_starts.partition_point(|start| *start <= spot.place.start.min(file.text.len()));
        let start = file.line_starts[before.saturating_sub(1)];
        let end = file.line_starts.get(before).map_or(file.text.len(), |next| next - 1);
        Line { number: before.max(1), start, text: file.text[start..end].trim_end_matches('\r') }
    }

    /// Line and column at which a stretch begins, both from 1, the column in characters.
    pub fn line_and_column(&self, spot: Spot) -> (usize, usize) {
        let line = self.line(spot);
        (line.number, column_at(&line, spot.place.start))
    }
}
