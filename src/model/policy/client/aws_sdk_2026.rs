//! The standard mode of the AWS SDKs with the values of 2026 (rule C2, values of 2026).

use super::ClientKind;
use super::aws_quota::{Cost, Mode, Quota};
use super::aws_sdk_standard::Standard;
use super::retries::attempts;
use crate::model::policy::catalogue::{About, Kind};

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "aws-sdk-2026",
        title: "the standard mode of the AWS SDKs since 2026",
        summary: "AWS SDKs, mode `standard` of 2026: short, dear.",
        formula: "after try n: U(0, 1) × min(20 s, base × 2^(n − 1)), base 50 ms, after throttling 1 s. A bucket of 500 \
                  tokens: a retry takes 14, after throttling 5; the rest as in `aws-sdk-standard`.",
        source: "boto/botocore: botocore/retries/standard.py, version 2.1 of the mode; docs.aws.amazon.com/sdkref, \
                 feature-retry-behavior.html (rule C2, values of 2026), on with AWS_NEW_RETRIES_2026. Its header x-amz-retry-after is left out.",
        mistake: "When an outage lasts longer than a moment: three tries are over in a tenth of a second.",
        parameters: &[attempts(3)],
        ordered: &[],
        example: &[],
    },
    build: |values| {
        let mode = Mode {
            attempts: u32::try_from(values.count("attempts")).unwrap_or(u32::MAX),
            base_us: 50_000,
            throttled_base_us: 1_000_000,
            cost: Cost { usual: 14, timed_out: 14, throttled: 5 },
        };
        Box::new(Standard { quota: Quota::new(mode) })
    },
};
