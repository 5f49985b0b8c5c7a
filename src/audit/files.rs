//! From paths to an audit: which files are read, and by whom.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::model::Spot;
use super::readers::{Folder, Folders, Format, Item, build, declared, format_of, parse_terraform, read_tree};
use super::{Audit, Options, Unreadable};
use crate::text::read_text;

/// Largest file in bytes.
const LARGEST_BYTES: u64 = 20 * 1024 * 1024;
/// Deepest folder below one that is named.
const DEEPEST_FOLDER: usize = 64;

/// What is read, for messages.
const FORMATS: &str = "what is read: CloudFormation, SAM and CDK templates (.yaml, .yml, .json, .template), Terraform (.tf), serverless.yml, and answers of `aws sqs get-queue-attributes` (.json)";

/// Audits files and folders.
pub fn audit(paths: &[PathBuf], options: &Options) -> Audit {
    let mut reading = Reading::default();
    for path in paths {
        reading.add(path);
    }
    reading.add_called_modules();
    reading.finish(paths, options)
}

/// Audits texts that are at hand, each with the name of its file.
pub fn audit_texts(files: &[(&str, &str)], options: &Options) -> Audit {
    let mut reading = Reading::default();
    for (name, text) in files {
        reading.add_text(Path::new(name), (*text).to_owned(), true);
    }
    reading.finish(&[], options)
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    audit: Audit,
    seen: HashSet<PathBuf>,
    /// Terraform, by folder.
    folders: Folders,
    /// The folders in the order of their names, and whether they are only there for those that call them.
    is_only_called: BTreeMap<PathBuf, bool>,
    /// Templates and services.
    trees: Vec<(Format, Item)>,
    /// Answers of the service, by folder: the name of the file and its tree.
    answers: BTreeMap<PathBuf, Vec<(String, Item)>>,
}

impl Reading {
    fn add(&mut self, path: &Path) {
        if path.is_dir() {
            self.walk(path, 0);
        } else if is_terraform(path) {
            // One file of a module says little without the others.
            self.terraform_folder(folder(path), false);
            if !self.seen.contains(path) {
                self.add_file(path, true);
            }
        } else {
            self.add_file(path, true);
            // The dead-letter queue lies beside its source.
            if self.answers.contains_key(&folder(path)) {
                self.answers_beside(&folder(path));
            }
        }
    }

    fn walk(&mut self, path: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(path) else {
            self.fail(format!("cannot read the folder {}", path.display()), None);
            return;
        };
        let mut paths: Vec<(PathBuf, bool)> =
            entries.flatten().map(|entry| (entry.path(), entry.file_type().is_ok_and(|kind| kind.is_dir()))).collect();
        paths.sort();
        for (path, is_folder) in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || (is_folder && (name == "node_modules" || depth >= DEEPEST_FOLDER)) {
                continue;
            }
            if is_folder {
                self.walk(&path, depth + 1);
            } else if is_terraform(&path) || has_ending(&path, &["yaml", "yml", "json", "template"]) {
                self.add_file(&path, false);
            }
        }
    }

    fn terraform_folder(&mut self, path: PathBuf, is_only_called: bool) {
        let entries = fs::read_dir(if path.as_os_str().is_empty() { Path::new(".") } else { &path });
        let mut files: Vec<PathBuf> =
            entries.into_iter().flatten().flatten().map(|entry| path.join(entry.file_name())).collect();
        files.retain(|path| is_terraform(path) && path.is_file());
        files.sort();
        if files.is_empty() {
            return;
        }
        let known = self.is_only_called.entry(path).or_insert(is_only_called);
        *known = *known && is_only_called;
        files.iter().for_each(|file| self.add_file(file, true));
    }

    fn answers_beside(&mut self, path: &Path) {
        let entries = fs::read_dir(if path.as_os_str().is_empty() { Path::new(".") } else { path });
        let mut files: Vec<PathBuf> =
            entries.into_iter().flatten().flatten().map(|entry| path.join(entry.file_name())).collect();
        files.retain(|path| has_ending(path, &["json"]) && path.is_file());
        files.sort();
        for file in files {
            let is_answer = !self.seen.contains(&file)
                && read_text(&file, LARGEST_BYTES).is_ok_and(|text| {
                    read_tree(&text, 0).is_ok_and(|tree| format_of(&tree) == Some(Format::Attributes))
                });
            if is_answer {
                self.add_file(&file, true);
            }
        }
    }

    /// Modules that lie outside of what was named.
    fn add_called_modules(&mut self) {
        let mut open: Vec<PathBuf> = self.folders.keys().cloned().collect();
        open.sort();
        while let Some(path) = open.pop() {
            let called = self.folders.get(&path).map(|folder| folder.called(&path)).unwrap_or_default();
            for path in called.into_iter().filter(|path| !self.folders.contains_key(path)).collect::<Vec<_>>() {
                self.terraform_folder(path.clone(), true);
                if self.folders.contains_key(&path) {
                    open.push(path);
                }
            }
        }
    }

    fn add_file(&mut self, path: &Path, is_named: bool) {
        if !self.seen.insert(path.to_path_buf()) {
            return;
        }
        match read_text(path, LARGEST_BYTES) {
            Ok(text) => self.add_text(path, text, is_named),
            Err(message) if is_named => self.fail(message, None),
            // Empty and binary files in a folder are nobody's mistake.
            Err(_) => {}
        }
    }

    fn add_text(&mut self, path: &Path, text: String, is_named: bool) {
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        if is_terraform(path) {
            return self.add_terraform(path, text);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !is_named && !is_worth_reading(&name, &text) {
            return;
        }
        let file = self.audit.sources.files().len();
        match read_tree(&text, file) {
            Ok(tree) => match format_of(&tree) {
                Some(format) => {
                    self.audit.sources.add(path.display().to_string(), text);
                    self.add_tree(path, format, tree);
                }
                None if is_named => self.fail(format!("{} declares no queues; {FORMATS}", path.display()), None),
                None => {}
            },
            Err(error) => {
                self.audit.sources.add(path.display().to_string(), text);
                let message = format!("{} cannot be read: {}", path.display(), error.message);
                self.fail(message, Some(Spot { file, place: error.place }));
            }
        }
    }

    fn add_tree(&mut self, path: &Path, format: Format, tree: Item) {
        if format == Format::Attributes {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            self.answers.entry(folder(path)).or_default().push((stem, tree));
        } else {
            self.trees.push((format, tree));
        }
    }

    fn add_terraform(&mut self, path: &Path, text: String) {
        let parsed = parse_terraform(&text);
        let file = self.audit.sources.add(path.display().to_string(), text);
        match parsed {
            Ok(body) => {
                let of: &mut Folder = self.folders.entry(folder(path)).or_default();
                self.is_only_called.entry(folder(path)).or_insert(false);
                let files = if has_ending(path, &["tf"]) { &mut of.files } else { &mut of.values };
                files.push((file, body));
            }
            Err((place, message)) => {
                let message = format!("{} cannot be read: {message}", path.display());
                self.fail(message, Some(Spot { file, place }));
            }
        }
    }

    fn fail(&mut self, message: String, spot: Option<Spot>) {
        self.audit.unreadable.push(Unreadable { message, spot });
    }

    fn finish(mut self, paths: &[PathBuf], options: &Options) -> Audit {
        let stacks = self.trees.iter().map(|(format, tree)| build(&declared::tree(*format, tree)));
        self.audit.stacks.extend(stacks);
        let answers = self
            .answers
            .values()
            .map(|answers| build(&declared::answers(answers.iter().map(|(name, tree)| (name.as_str(), tree)))));
        self.audit.stacks.extend(answers);
        let roots = self.roots();
        self.audit.stacks.extend(roots.iter().map(|root| build(&declared::folder(root, &self.folders))));
        if self.audit.stacks.is_empty() && self.audit.unreadable.is_empty() && !paths.is_empty() {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            self.fail(format!("nothing in {} declares queues; {FORMATS}", names.join(", ")), None);
        }
        self.audit.judge(options);
        self.audit
    }

    /// The folders of Terraform that are looked at by themselves: those that no other calls.
    fn roots(&self) -> Vec<PathBuf> {
        let called: HashSet<PathBuf> = self.folders.iter().flat_map(|(path, folder)| folder.called(path)).collect();
        let named = self.is_only_called.iter().filter(|(_, is_only_called)| !**is_only_called).map(|(path, _)| path);
        let named: Vec<&PathBuf> = named.filter(|path| self.folders.contains_key(*path)).collect();
        let roots: Vec<PathBuf> =
            named.iter().filter(|path| !called.contains(**path)).map(|path| (*path).clone()).collect();
        // Folders that call each other have no root.
        if roots.is_empty() { named.into_iter().cloned().collect() } else { roots }
    }
}

fn folder(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// A file of Terraform, or one with values that it takes by itself.
fn is_terraform(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    has_ending(path, &["tf"]) || name == "terraform.tfvars" || name.ends_with(".auto.tfvars")
}

/// Whether a file that nobody has named may be one of ours: packages and lock files are large.
fn is_worth_reading(name: &str, text: &str) -> bool {
    text.contains("AWS::")
        || name.starts_with("serverless.")
        || (text.contains("\"Attributes\"") && name.ends_with(".json"))
}
