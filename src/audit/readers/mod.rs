//! One reader for each format; each ends in a [`Stack`](crate::audit::model::Stack).

mod attributes;
mod build;
mod dialect;
mod item;
mod keys;
mod link;
mod resource;
mod settings;
mod serverless;
mod tree;
mod cloudformation;
mod terraform;
