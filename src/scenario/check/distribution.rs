//! Checks of distributions.

use crate::engine::distribution::TimeDistribution;
use crate::scenario::language::Located;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::RawDistribution;
use crate::scenario::text::Place;
use crate::scenario::value::Duration;

/// The 99 % point of the standard normal distribution.
const Z99: f64 = 2.326_347_874_040_840_8;

/// Whether a duration may be nothing at all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortest {
    Zero,
    Microsecond,
}

/// The distribution, or nothing if it is wrong.
pub(super) fn distribution(
    raw: &Located<RawDistribution>,
    key: &str,
    shortest: Shortest,
    problems: &mut Problems,
) -> Option<TimeDistribution> {
    match &raw.value {
        RawDistribution::Constant(value) => {
            let allowed = value.value.us > 0 || shortest == Shortest::Zero;
            (allowed || report_zero(value, key, problems))
                .then_some(TimeDistribution::Constant { value_us: value.value.us })
        }
        RawDistribution::Exponential(mean) => (mean.value.us > 0 || report_zero(mean, key, problems))
            .then_some(TimeDistribution::Exponential { mean_us: mean.value.us as f64 }),
        RawDistribution::Lognormal(raw) => {
            let (mean, p99) = (raw.value.mean.given()?, raw.value.p99.given()?);
            let mean_is_positive = mean.value.us > 0 || report_zero(mean, key, problems);
            let (mean_us, p99_us) = (mean.value.us as f64, p99.value.us as f64);
            (mean_is_positive && p99_is_reachable(mean_us, p99_us, p99.place, problems))
                .then_some(TimeDistribution::LogNormal { mean_us, p99_us })
        }
    }
}

fn report_zero(value: &Located<Duration>, key: &str, problems: &mut Problems) -> bool {
    let title = format!("`{key}` is {}, but has to be at least 1us", value.value);
    problems.report(Finding::new(value.place, title, "allowed: 1us and more"));
    false
}

/// Whether a lognormal of that mean has that 99th percentile. With mean m and spread s the percentile is
/// m exp(s Z99 - s^2/2), which grows only up to s = Z99: more spread moves weight below it again.
fn p99_is_reachable(mean_us: f64, p99_us: f64, place: Place, problems: &mut Problems) -> bool {
    let largest_ratio = (Z99 * Z99 / 2.0).exp();
    if p99_us <= mean_us {
        let finding = Finding::new(place, "`p99` is not above the mean", "has to be above `mean`");
        problems.report(finding.help("for a time that never varies write it alone, such as `50ms`"));
        return false;
    }
    let reachable = p99_us / mean_us <= largest_ratio;
    if !reachable {
        let title = format!("`p99` is {:.1} times the mean, which no lognormal reaches", p99_us / mean_us);
        let label = format!("at most {largest_ratio:.2} times `mean`");
        let help = "beyond that ratio, exp(z99^2/2), more spread moves the 99th percentile down again, not up";
        problems.report(Finding::new(place, title, label).help(help));
    }
    reachable
}
