//! Terraform: all files of a folder together, and the modules beside them that they call.

mod evaluate;
mod expression;
mod functions;
mod module;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use hcl_edit::parser::parse_body;
use hcl_edit::structure::Body;

use super::resource::Declared;
use crate::text::{Place, byte_at};

/// The parsed files of a folder.
#[derive(Debug, Default)]
pub struct Folder {
    /// Files by number, with their bodies.
    pub files: Vec<(usize, Body)>,
    /// Files with values of variables.
    pub values: Vec<(usize, Body)>,
}

/// All folders that were read, by their path.
pub type Folders = HashMap<PathBuf, Folder>;

/// Parses a file.
///
/// # Errors
/// The place and the message of the first mistake.
pub fn parse(text: &str) -> Result<Body, (Place, String)> {
    parse_body(text).map_err(|error| {
        let location = error.location();
        let start = byte_at(text, location.line(), location.column());
        (Place { start, end: start }, error.message().to_owned())
    })
}

impl Folder {
    /// The folders of the modules that this one calls, by paths.
    pub fn called(&self, own: &Path) -> Vec<PathBuf> {
        let bodies = self.files.iter().flat_map(|(_, body)| body.get_blocks("module"));
        let source = |block: &hcl_edit::structure::Block| {
            let source = block.body.get_attribute("source")?.value.as_str()?.to_owned();
            folder_of(own, &source)
        };
        bodies.filter_map(source).collect()
    }
}

/// The folder of a module beside the one that calls it.
fn folder_of(own: &Path, source: &str) -> Option<PathBuf> {
    if !source.starts_with("./") && !source.starts_with("../") {
        return None;
    }
    let mut folder = own.to_path_buf();
    for part in Path::new(source).components() {
        match part {
            Component::ParentDir if folder.file_name().is_some() => {
                folder.pop();
            }
            Component::ParentDir => folder.push(".."),
            Component::Normal(name) => folder.push(name),
            _ => {}
        }
    }
    Some(folder)
}

/// What a folder declares, together with the modules that it calls.
pub fn declared(folder: &Path, folders: &Folders) -> Declared {
    module::declared(folder, folders)
}
