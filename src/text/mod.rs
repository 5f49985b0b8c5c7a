//! Texts that people wrote: files, places in them, the line with the mark below, the nearest right word; and numbers as
//! people read them.

mod file;
mod nearest;
pub mod number;
mod place;
mod snippet;

pub use file::read_text;
pub(crate) use file::too_large;
pub use nearest::nearest;
pub use place::{Line, Place, byte_at, column_at, floor_char_boundary, line_at, quoted};
pub use snippet::snippet;
