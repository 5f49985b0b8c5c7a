//! Whatever `serverless.yml` holds, an audit of it ends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use retrystorm::audit::{Options, audit_texts};
use retrystorm::report::{audit_sarif, audit_text};

fuzz_target!(|text: &str| {
    let audit = audit_texts(&[("serverless.yml", text)], &Options { handler_time_s: Some(45.0), ..Options::default() });
    audit_text(&audit, false);
    audit_sarif(&audit).expect("SARIF");
});
