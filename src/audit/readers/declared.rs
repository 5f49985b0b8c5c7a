//! What the formats declare.

use std::path::Path;

use super::resource::Declared;
use super::{Folders, Format, Item, attributes, cloudformation, serverless, terraform};

/// What a tree declares.
pub fn tree(format: Format, tree: &Item) -> Declared {
    match format {
        Format::CloudFormation => cloudformation::declared(tree),
        Format::Serverless => serverless::declared(tree),
        Format::Attributes => attributes::declared(std::iter::once(("queue", tree))),
    }
}

/// What the answers in a folder declare, each with the name of its file.
pub fn answers<'a>(answers: impl Iterator<Item = (&'a str, &'a Item)>) -> Declared {
    attributes::declared(answers)
}

/// What a folder of Terraform declares.
pub fn folder(path: &Path, folders: &Folders) -> Declared {
    terraform::declared(path, folders)
}
