//! Writing rendered files, each whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use super::ReportError;

/// A file that is ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFile {
    /// Its name within the result folder.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl RenderedFile {
    pub(super) fn new(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), bytes }
    }
}

static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written, and keeps it so until the guard is dropped.
///
/// [`write()`] holds the same guard. A handler of an interrupt takes it before it ends the process, and never drops it:
/// then the set of files is either all old or all new, and no temporary file stays behind.
pub fn hold_writes() -> MutexGuard<'static, ()> {
    // The lock guards no data, so that a panic while it was held leaves nothing broken.
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether [`write()`] could create the folder, as far as that can be seen beforehand: nobody likes to wait for a study and
/// then learn that a file is in the way.
///
/// # Errors
/// Where something on the path is no folder.
pub fn check_folder(folder: &Path) -> Result<(), ReportError> {
    match folder.ancestors().find(|path| path.exists()) {
        Some(path) if !path.is_dir() => Err(failed(folder, io::Error::from(io::ErrorKind::NotADirectory))),
        _ => Ok(()),
    }
}

/// Whether a file could be written there, as far as that can be seen beforehand.
///
/// # Errors
/// Where the path is a folder, has no name, or leads through something that is no folder.
pub fn check_file(path: &Path) -> Result<(), ReportError> {
    if path.is_dir() || path.file_name().is_none() {
        return Err(failed(path, io::Error::from(io::ErrorKind::IsADirectory)));
    }
    path.parent().map_or(Ok(()), check_folder)
}

/// Writes the files into `folder`, which is created if need be.
///
/// All of them are written under temporary names first and renamed after that: a full disk, or a
/// folder in the place of a file, leaves the former files as they were.
pub fn write(folder: &Path, files: &[RenderedFile]) -> Result<(), ReportError> {
    let _guard = hold_writes();
    fs::create_dir_all(folder).map_err(|reason| failed(folder, reason))?;
    let mut written = Vec::with_capacity(files.len());
    for file in files {
        let path = folder.join(&file.name);
        if path.is_dir() {
            // The one obstacle to a rename that can be seen before the first of them is done.
            return Err(failed(&path, io::Error::from(io::ErrorKind::IsADirectory)));
        }
        match write_temporary(folder, &file.bytes) {
            Ok(temporary) => written.push((temporary, path)),
            Err(reason) => return Err(failed(&path, reason)),
        }
    }
    for (temporary, path) in written {
        temporary.persist(&path).map_err(|error| failed(&path, error.error))?;
    }
    Ok(())
}

fn write_temporary(folder: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".retrystorm-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private by default; a result is as readable as the user's mask lets any new file be.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    // Without this a crash of the machine could leave the new name with no content.
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

fn failed(path: &Path, reason: io::Error) -> ReportError {
    ReportError::Write { path: path.to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> RenderedFile {
        RenderedFile::new(name, text.as_bytes().to_vec())
    }

    #[test]
    fn creates_the_folder_and_replaces_files() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b");
        write(&folder, &[file("one", "old"), file("two", "old")]).unwrap();
        write(&folder, &[file("one", "new")]).unwrap();
        assert_eq!(fs::read_to_string(folder.join("one")).unwrap(), "new");
        assert_eq!(fs::read_to_string(folder.join("two")).unwrap(), "old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no temporary file stays");
    }

    #[test]
    fn says_which_path_failed_and_leaves_nothing_behind() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("taken"), "a file").unwrap();
        let error = write(&root.path().join("taken"), &[file("one", "new")]).unwrap_err().to_string();
        assert!(error.contains("taken"), "{error}");
        assert!(check_folder(&root.path().join("taken/deeper")).is_err(), "it can be seen beforehand");
        assert!(check_folder(&root.path().join("new/deeper")).is_ok());

        let folder = root.path().join("folder");
        fs::create_dir_all(folder.join("one")).unwrap();
        fs::write(folder.join("first"), "old").unwrap();
        let error = write(&folder, &[file("first", "new"), file("one", "new")]).unwrap_err().to_string();
        assert!(error.contains("one"), "{error}");
        assert_eq!(fs::read_to_string(folder.join("first")).unwrap(), "old", "all or none");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no temporary file stays");
    }

    #[cfg(unix)]
    #[test]
    fn results_are_as_readable_as_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("plain"), "").unwrap();
        write(root.path(), &[file("ours", "")]).unwrap();
        let mode = |name| fs::metadata(root.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("ours"), mode("plain"));
    }
}
