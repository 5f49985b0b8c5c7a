//! The standard mode of the AWS SDKs (rule C1, standard mode).

use super::aws_quota::{Cost, Mode, Quota};
use super::retries::attempts;
use super::{ClientKind, ClientRules};
use crate::engine::random::KeyedDraw;
use crate::model::policy::AttemptError;
use crate::model::policy::catalogue::{About, Kind, Values};
use crate::model::policy::spread::Spread;

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "aws-sdk-standard",
        title: "the standard mode of the AWS SDKs",
        summary: "AWS SDKs, mode `standard` until 2026.",
        formula: "after try n: U(0, 1) × min(20 s, 2^(n − 1) s). A bucket of 500 tokens: a retry takes 5, after a timeout \
                  10; a retry that succeeds gives its tokens back, a success at the first try gives 1; too few tokens \
                  end the call at once.",
        source: "boto/botocore: botocore/retries/standard.py and quota.py (rule C1, standard mode)",
        mistake: "With many processes: each has its own bucket, and 500 tokens are 100 retries of each before the first \
                  is held back.",
        parameters: &[attempts(3)],
        ordered: &[],
        example: &[],
    },
    build: |values| Box::new(Standard { quota: Quota::new(mode(values)) }),
};

pub(super) fn mode(values: &Values) -> Mode {
    Mode {
        attempts: u32::try_from(values.count("attempts")).unwrap_or(u32::MAX),
        base_us: 1_000_000,
        throttled_base_us: 1_000_000,
        cost: Cost { usual: 5, timed_out: 10, throttled: 5 },
    }
}

/// A client with nothing but its quota.
#[derive(Debug)]
pub(super) struct Standard {
    pub quota: Quota,
}

impl ClientRules for Standard {
    fn succeeded(&mut self, _now_us: u64, _tries: u32, last_error: Option<AttemptError>) {
        self.quota.succeeded(last_error);
    }

    fn failed(&mut self, _now_us: u64, error: AttemptError, tries: u32, draw: &mut KeyedDraw) -> Option<u64> {
        self.quota.failed(error, tries, draw)
    }

    fn wait_us(&self, tries: u32) -> Option<Spread> {
        self.quota.fresh_wait_us(tries)
    }
}
