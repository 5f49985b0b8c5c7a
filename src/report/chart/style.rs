//! Colours, sizes and weights that all charts share.

/// Width of every chart, in its own units.
pub const WIDTH: f64 = 960.0;
/// Height of every chart.
pub const HEIGHT: f64 = 540.0;
/// Distance of everything from the edges.
pub const MARGIN: f64 = 28.0;

/// Size of the finding.
pub const TITLE: f64 = 21.0;
/// Sizes of findings that need more words.
pub const TITLE_SIZES: [f64; 3] = [TITLE, 18.0, 16.0];
/// Size of what is said in a sentence or a name.
pub const BODY: f64 = 13.5;
/// Size of ticks and remarks.
pub const SMALL: f64 = 12.5;
/// Size of the words at a marked moment.
pub const MARK: f64 = 11.5;
/// Size of the source line.
pub const FOOTER: f64 = 11.5;

/// Width of a line that carries data.
pub const LINE: f64 = 2.0;
/// Width of a line where panels are small.
pub const FINE_LINE: f64 = 1.5;
/// Width of the line at a marked moment.
pub const MARK_LINE: f64 = 1.25;
/// Width of a line of the grid.
pub const HAIRLINE: f64 = 1.0;

/// A colour as the eye's encoding has it (sRGB).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// The ground.
pub const WHITE: Colour = Colour(0xff, 0xff, 0xff);
/// Titles and numbers.
pub const INK: Colour = Colour(0x22, 0x26, 0x2b);
/// What explains.
pub const MUTED: Colour = Colour(0x5f, 0x66, 0x6f);
/// Lines of the grid.
pub const GRID: Colour = Colour(0xe6, 0xe8, 0xeb);
/// The line at zero, ticks.
pub const AXIS: Colour = Colour(0x9a, 0xa0, 0xa8);
/// The time of an outage.
pub const OUTAGE: Colour = Colour(0xf4, 0xf0, 0xeb);
/// The bar above it.
pub const OUTAGE_BAR: Colour = Colour(0x8a, 0x81, 0x78);
/// The words above it.
pub const OUTAGE_TEXT: Colour = Colour(0x6a, 0x61, 0x58);

/// How much a spread around a curve covers.
pub const BAND_OPACITY: f64 = 0.16;
/// Calls that succeed: of no variant's colour, as it means the same in every plot.
pub const SUCCESSES: Colour = Colour(0x7c, 0x87, 0x93);
/// How much of it covers the grid.
pub const SUCCESSES_OPACITY: f64 = 0.45;

/// The colours of Okabe and Ito, which stay apart for colour-blind readers.
const LINES: [Colour; 6] = [
    Colour(0x00, 0x72, 0xb2),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0xcc, 0x79, 0xa7),
    Colour(0x56, 0xb4, 0xe9),
];

/// The same, dark enough for small letters on white.
const WORDS: [Colour; 6] = [
    Colour(0x00, 0x68, 0xa3),
    Colour(0xb8, 0x4f, 0x00),
    Colour(0x00, 0x7a, 0x59),
    Colour(0x94, 0x64, 0x00),
    Colour(0xa3, 0x4a, 0x7c),
    Colour(0x1b, 0x77, 0xab),
];

/// The colour of a variant's lines, the same in every chart.
pub fn line_colour(variant: usize) -> Colour {
    LINES[variant % LINES.len()]
}

/// The colour of a variant's name.
pub fn word_colour(variant: usize) -> Colour {
    WORDS[variant % WORDS.len()]
}
