//! Just enough Markdown to hold the documents against the code.

use std::fs;
use std::path::{Path, PathBuf};

/// A fenced block of a document.
pub struct Block {
    /// Where it begins, for messages: file and line.
    pub place: String,
    /// What stands behind the fence, such as `yaml`, `yaml fragment` or `yaml as mine.yaml`.
    pub info: String,
    pub text: String,
}

impl Block {
    /// What it is, without the name of the file that it would be.
    pub fn kind(&self) -> &str {
        self.info.split(" as ").next().unwrap_or_default()
    }
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A document, by its path from the root.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths of all documents, from the root.
pub fn documents() -> Vec<String> {
    let mut documents: Vec<String> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .into_iter()
        .filter(|name| root().join(name).exists())
        .map(str::to_owned)
        .collect();
    documents.extend(
        files(&root().join("docs"), "md")
            .iter()
            .filter_map(|path| Some(path.strip_prefix(root()).ok()?.display().to_string())),
    );
    documents
}

/// All files below a folder with that ending, in order.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The fenced blocks of a document.
pub fn blocks(path: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in read(path).lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let place = format!("{path}:{}", number + 1);
                open = Some(Block { place, info: info.trim().to_owned(), text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{path}: a fenced block has no end");
    blocks
}

/// The text below a heading, up to the next one of any level.
pub fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let start = document
        .match_indices(heading)
        .map(|(at, _)| at)
        .find(|at| document[..*at].ends_with('\n') && document[at + heading.len()..].starts_with('\n'))
        .unwrap_or_else(|| panic!("there is no heading `{heading}`"));
    let rest = &document[start + heading.len()..];
    rest.find("\n#").map_or(rest, |end| &rest[..end])
}

/// The tables of a text, each with its header row first; cells are trimmed.
pub fn tables(text: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut in_table = false;
    for line in text.lines() {
        let Some(row) = line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|')) else {
            in_table = false;
            continue;
        };
        if !in_table {
            tables.push(Vec::new());
            in_table = true;
        }
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        if !cells.iter().all(|cell| cell.chars().all(|character| character == '-')) {
            tables.last_mut().expect("a table is open").push(cells);
        }
    }
    tables
}

/// What stands between backticks.
pub fn code_spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The headings of a document, without their marks.
pub fn headings(document: &str) -> Vec<&str> {
    let mut in_block = false;
    document
        .lines()
        .filter(|line| {
            in_block ^= line.starts_with("```");
            !in_block && line.starts_with('#')
        })
        .map(|line| line.trim_start_matches('#').trim())
        .collect()
}

/// The anchor that a heading gets.
pub fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|character| match character {
            ' ' => Some('-'),
            '-' | '_' => Some(character),
            other => other.is_alphanumeric().then_some(other),
        })
        .collect()
}
