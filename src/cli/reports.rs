//! In which forms a study is told, and where each goes.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use retrystorm::report::{self, RenderedFile, ReportError};
use retrystorm::study::StudyResult;

use super::print;

/// A form of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    Text,
    /// The contents of summary.json
    Json,
    /// The expectations as JUnit XML
    Junit,
    /// The table as Markdown, for the summary of a job
    Markdown,
}

/// A form, and the file that it goes to; without one it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    format: Format,
    file: Option<PathBuf>,
}

impl FromStr for Destination {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = match text.split_once('=') {
            None => (text, None),
            Some((format, "")) => return Err(format!("`{format}=` names no file")),
            Some((format, file)) => (format, Some(PathBuf::from(file))),
        };
        let known = "text, json, junit and markdown";
        let format =
            Format::from_str(format, false).map_err(|_| format!("there is no report `{format}`, but {known}"))?;
        Ok(Self { format, file })
    }
}

/// All forms that were asked for.
#[derive(Debug, Clone)]
pub struct Reports {
    printed: Vec<Format>,
    files: Vec<(Format, PathBuf)>,
}

impl Reports {
    /// From the options. Where all reports go to files, `otherwise` is printed, if there is one.
    pub fn of(destinations: &[Destination], otherwise: Option<Format>) -> Self {
        let (mut printed, mut files) = (Vec::new(), Vec::new());
        for destination in destinations {
            match &destination.file {
                None => printed.push(destination.format),
                Some(file) => files.push((destination.format, file.clone())),
            }
        }
        if printed.is_empty() {
            printed.extend(otherwise);
        }
        Self { printed, files }
    }

    /// Whether the files can be written, as far as that can be seen before the study.
    pub fn check(&self) -> Result<(), ReportError> {
        self.files.iter().try_for_each(|(_, path)| report::check_file(path))
    }

    /// The text to print.
    pub fn printed(&self, result: &StudyResult, scenario_file: &str) -> Result<String, ReportError> {
        self.printed.iter().map(|format| format.render(result, scenario_file, print::shows_colours())).collect()
    }

    /// The files to write, each with its folder.
    pub fn files(
        &self,
        result: &StudyResult,
        scenario_file: &str,
    ) -> Result<Vec<(PathBuf, RenderedFile)>, ReportError> {
        let rendered = self.files.iter().map(|(format, path)| {
            let text = format.render(result, scenario_file, false)?;
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Ok((folder.to_owned(), RenderedFile { name, bytes: text.into_bytes() }))
        });
        rendered.collect()
    }
}

impl Format {
    fn render(self, result: &StudyResult, scenario_file: &str, colour: bool) -> Result<String, ReportError> {
        match self {
            Self::Text => Ok(report::text(result, colour)),
            Self::Json => report::json(result, scenario_file),
            Self::Junit => report::junit(result, scenario_file),
            Self::Markdown => Ok(report::markdown(result)),
        }
    }
}
