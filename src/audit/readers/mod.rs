//! One reader for each format; each ends in a [`Stack`](crate::audit::model::Stack).
//!
//! A text becomes a tree of items that know their place; the format's own language (functions, variables, expressions) is
//! worked out; and what is declared is linked to a stack.

mod attributes;
mod build;
mod cloudformation;
pub mod declared;
mod dialect;
mod item;
mod keys;
mod link;
mod resource;
mod serverless;
mod settings;
mod terraform;
mod tree;

pub use build::build;
pub use item::Item;
pub use settings::shortened;
pub use terraform::{Folder, Folders, parse as parse_terraform};
pub use tree::read_tree;

/// A format of a file that is YAML or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CloudFormation, SAM, CDK.
    CloudFormation,
    /// The Serverless Framework.
    Serverless,
    /// An answer of `aws sqs get-queue-attributes`.
    Attributes,
}

/// The format of a tree, if it is one of them.
pub fn format_of(tree: &Item) -> Option<Format> {
    if cloudformation::is_template(tree) {
        Some(Format::CloudFormation)
    } else if serverless::is_service(tree) {
        Some(Format::Serverless)
    } else {
        attributes::is_answer(tree).then_some(Format::Attributes)
    }
}
