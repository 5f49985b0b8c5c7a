//! Files of text, as they are read whatever is in them.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The text of a file, or a message that says why there is none. Never reads more than the given size, whatever the file
/// claims to be.
///
/// # Errors
/// A sentence that names the file.
pub fn read_text(path: &Path, largest_bytes: u64) -> Result<String, String> {
    let name = path.display();
    let cannot = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!("there is no file {name}"),
        ErrorKind::PermissionDenied => format!("no permission to read {name}"),
        ErrorKind::IsADirectory => format!("{name} is a folder, not a file"),
        _ => format!("cannot read {name}: {error}"),
    };
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if metadata.is_dir() {
        return Err(format!("{name} is a folder, not a file"));
    }
    if metadata.len() > largest_bytes {
        return Err(too_large(&name.to_string(), largest_bytes));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(cannot)?.take(largest_bytes + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > largest_bytes {
        return Err(too_large(&name.to_string(), largest_bytes));
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => Err(format!("{name} is a binary file, not a text")),
        Ok(text) if text.trim().is_empty() => Err(format!("{name} is empty")),
        Ok(text) => Ok(text),
        Err(error) => {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n');
            Err(format!("{name} is not a UTF-8 text: the first wrong byte is in line {}", line.count() + 1))
        }
    }
}

pub(crate) fn too_large(name: &str, largest_bytes: u64) -> String {
    format!("{name} is larger than {} KiB, the most that is read", largest_bytes / 1024)
}
