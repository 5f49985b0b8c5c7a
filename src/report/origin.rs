//! Where a study came from: what a reader needs to see it again.

/// The scenario's file and how it was run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Origin<'a> {
    /// The name of the scenario's file, without its folder: the same study gives the same bytes wherever it lies.
    pub file: &'a str,
    /// The text of the scenario; empty where it is not to be shown.
    pub text: &'a str,
    /// The command that gives the same results again; empty where there is none.
    pub command: &'a str,
}

impl<'a> Origin<'a> {
    /// A file of which no more than the name is known.
    pub fn of_file(file: &'a str) -> Self {
        Self { file, ..Self::default() }
    }
}
