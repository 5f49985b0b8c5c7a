//! What a page has to know of the charts to draw them anew, so that they say the same as the pictures.

use super::context::{Context, outage_label};
use super::course::{Shows, View};
use super::style::Colour;
use super::{Chart, clearing, load_title, loss, time_to_dlq};
use crate::engine::time::seconds;
use crate::study::{StudyResult, VariantResult};

/// Columns for the names in a finding: a page breaks its lines.
const NAME_COLUMNS: usize = 40;
/// Finer than any plot: only where the axis ends is asked.
const ANY_POINTS: usize = 1_400;

/// A study as its charts show it.
pub struct Facts<'a>(Context<'a>);

/// Messages of a variant that were not processed and have the same end.
pub struct LossPart {
    /// How many, on the mean.
    pub count: f64,
    /// What became of them.
    pub words: String,
    /// The colour of the chart, as CSS writes it.
    pub colour: String,
}

impl<'a> Facts<'a> {
    /// What the charts of a study show.
    pub fn of(result: &'a StudyResult) -> Self {
        Self(Context::new(result, ""))
    }

    /// The variants that are shown.
    pub fn shown(&self) -> &'a [VariantResult] {
        self.0.shown
    }

    /// A chart's finding, in a sentence.
    pub fn finding(&self, chart: Chart) -> String {
        let context = &self.0;
        match chart {
            Chart::Load => load_title::title(context, NAME_COLUMNS),
            Chart::Backlog => clearing::title(context, NAME_COLUMNS),
            Chart::TimeToDlq => time_to_dlq::title(context, NAME_COLUMNS),
            Chart::Loss => loss::title(context, NAME_COLUMNS),
        }
    }

    /// The end of the time in which something happens, in seconds.
    pub fn end_s(&self) -> f64 {
        let ends = [Shows::Calls, Shows::Levels].map(|shows| View::of(&self.0, shows, ANY_POINTS).end_s);
        ends.into_iter().fold(0.0, f64::max)
    }

    /// The outages, where all shown variants have the same: from when until when, and in few words.
    pub fn outages(&self) -> Vec<(f64, f64, String)> {
        let outages = self.0.common_outages().unwrap_or_default();
        outages.iter().map(|one| (seconds(one.from_us), seconds(one.until_us), outage_label(one))).collect()
    }

    /// What became of a variant's messages that were not processed.
    pub fn loss(variant: &VariantResult) -> Vec<LossPart> {
        let part = |part: loss::Part| LossPart { count: part.count, words: part.words, colour: hex(part.colour) };
        loss::parts(variant).into_iter().map(part).collect()
    }
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::chart::style::{GRID, INK, MUTED, OUTAGE, OUTAGE_TEXT, WHITE, line_colour, word_colour};

    #[test]
    fn the_page_knows_every_colour_of_the_charts() {
        let style = include_str!("../../../assets/page/page.css");
        let of_variants = (0..6).flat_map(|variant| [line_colour(variant), word_colour(variant)]);
        for colour in of_variants.chain([WHITE, INK, MUTED, GRID, OUTAGE, OUTAGE_TEXT]) {
            let colour = hex(colour).to_uppercase();
            assert!(style.contains(&format!("[fill=\"{colour}\"]")), "{colour} stays as it is in the dark");
        }
        assert!((0..6).all(|variant| style.contains(&format!("--v{variant}: {}", hex(line_colour(variant))))));
    }
}
