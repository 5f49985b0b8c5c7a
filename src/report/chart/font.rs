//! The font of the charts: Inter in two weights, cut down to the characters that reports use.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, Glyph, InvalidFont, PxScale, ScaleFont, point};

use super::scene::Point;

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// For what explains.
    Regular,
    /// For what matters.
    SemiBold,
}

/// Both weights.
pub struct Fonts {
    regular: FontRef<'static>,
    semi_bold: FontRef<'static>,
}

static FONTS: LazyLock<Result<Fonts, InvalidFont>> = LazyLock::new(|| {
    Ok(Fonts {
        regular: FontRef::try_from_slice(include_bytes!("../../../assets/fonts/Inter-Regular.subset.otf"))?,
        semi_bold: FontRef::try_from_slice(include_bytes!("../../../assets/fonts/Inter-SemiBold.subset.otf"))?,
    })
});

impl Fonts {
    /// The fonts that the program carries.
    pub fn embedded() -> Result<&'static Self, String> {
        FONTS.as_ref().map_err(|error| format!("the embedded font is broken: {error}"))
    }

    /// The font of a weight.
    pub fn face(&self, weight: Weight) -> &FontRef<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::SemiBold => &self.semi_bold,
        }
    }

    /// The width of a text whose em has the given size.
    pub fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        let face = self.face(weight);
        let scaled = face.as_scaled(scale(face, size));
        text.chars().map(|character| f64::from(scaled.h_advance(face.glyph_id(drawable(face, character))))).sum()
    }

    /// The text, cut with an ellipsis where it is wider than `room`.
    pub fn fit(&self, text: &str, size: f64, weight: Weight, room: f64) -> String {
        if self.width(text, size, weight) <= room {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        loop {
            kept.pop();
            let cut: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if kept.is_empty() || self.width(&cut, size, weight) <= room {
                return cut;
            }
        }
    }

    /// The glyphs of a text along a baseline, from its left end.
    pub fn glyphs(&self, text: &str, size: f64, weight: Weight, (left, baseline): Point) -> Vec<Glyph> {
        let face = self.face(weight);
        let scale = scale(face, size);
        let scaled = face.as_scaled(scale);
        let mut x = left as f32;
        let place = |character| {
            let id = face.glyph_id(drawable(face, character));
            let glyph = id.with_scale_and_position(scale, point(x, baseline as f32));
            x += scaled.h_advance(id);
            glyph
        };
        text.chars().map(place).collect()
    }
}

/// The scale at which the em of a font has the given size; the library counts from its ascent to its descent.
fn scale(face: &FontRef, size: f64) -> PxScale {
    let units = face.units_per_em().unwrap_or(1.0);
    PxScale::from(size as f32 * face.height_unscaled() / units)
}

/// The character, or a box where the font lacks it.
fn drawable(face: &FontRef, character: char) -> char {
    const MISSING: ab_glyph::GlyphId = ab_glyph::GlyphId(0);
    if face.glyph_id(character) == MISSING { '□' } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_reports_is_there() {
        let fonts = Fonts::embedded().unwrap();
        for weight in [Weight::Regular, Weight::SemiBold] {
            for character in "aZ09 .,:;()/%+-–—…×±≥≤≈µμ−→'’“”·é\u{a0}□".chars() {
                assert_ne!(fonts.face(weight).glyph_id(character).0, 0, "{character:?}");
            }
        }
    }

    #[test]
    fn cuts_what_does_not_fit() {
        let fonts = Fonts::embedded().unwrap();
        let long = "a name that goes on and on 🎉 日本語".repeat(5);
        let cut = fonts.fit(&long, 13.0, Weight::SemiBold, 120.0);
        assert!(cut.ends_with('…') && fonts.width(&cut, 13.0, Weight::SemiBold) <= 120.0);
        assert_eq!(fonts.fit("short", 13.0, Weight::Regular, 120.0), "short");
        assert_eq!(fonts.fit("none", 13.0, Weight::Regular, 0.0), "…");
    }
}
