//! Bad input gets one clear message for each mistake: where it is, what was found, what is allowed.

use proptest::prelude::*;
use retrystorm::scenario::{ScenarioError, parse, read_file};
use std::fs;
use std::path::Path;

/// A scenario with nothing wrong, a line for each section.
const VALID: &str = "\
title: a good scenario
seed: 7
duration: 20m
replications: 3
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 10 } }
producers: [ { rate: 800/s, until: 15m } ]
consumers: { fleet: 2, handler_time: { lognormal: { mean: 20ms, p99: 90ms } } }
downstream: { servers: 10, service_time: { exponential: 5ms }, outages: [ { at: 1m, for: 90s, mode: refuse } ] }
policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } }
variants: { a: {}, b: { policy: { breaker: { failures: 20, cooldown: 30s } } } }
expect: [ { variant: a, metric: dead_lettered.valid, equals: 0 } ]
claims: [ { variant: b, metric: sound_again_s, figure: 8m } ]
";

fn refused(text: &str) -> ScenarioError {
    match parse(text, "s.yaml", Path::new("no-such-folder")) {
        Err(error) => error,
        Ok(_) => panic!("this should be refused:\n{text}"),
    }
}

/// The valid scenario with one section replaced; `»` marks where the problem must be shown.
fn with_section(valid: &str, section: &str) -> (String, usize, usize) {
    let key = section.trim_start_matches('»').split(':').next().unwrap_or_default();
    let marked: String = valid
        .lines()
        .map(|line| if line.starts_with(&format!("{key}:")) { section } else { line })
        .flat_map(|line| [line, "\n"])
        .collect();
    let marked = if marked.contains('»') { marked } else { format!("{marked}{section}\n") };
    let before = &marked[..marked.find('»').expect("a case marks its problem")];
    let line = before.lines().count().max(1) + usize::from(before.ends_with('\n'));
    let column = before.lines().last().filter(|_| !before.ends_with('\n')).map_or(0, |line| line.chars().count()) + 1;
    (marked.replace('»', ""), line, column)
}

/// Cases: a section with the place of its problem, a part of the message, a part of the help.
fn check(cases: &[(&str, &str, &str)]) {
    check_in(VALID, cases);
}

/// The same in another scenario with nothing wrong.
fn check_in(valid: &str, cases: &[(&str, &str, &str)]) {
    for (section, message, help) in cases {
        let (text, line, column) = with_section(valid, section);
        let error = refused(&text);
        let [problem] = error.problems() else { panic!("one problem in {section}, found:\n{error}") };
        assert_eq!((problem.line(), problem.column()), (Some(line), Some(column)), "{error}");
        assert!(problem.message().contains(message), "{message}\n{error}");
        assert!(problem.help().unwrap_or_default().contains(help), "{help}\n{error}");
        assert!(error.to_string().contains(&format!("s.yaml:{line}:{column}")), "{error}");
    }
}

#[test]
fn the_valid_scenario_is_valid() {
    let scenario = parse(VALID, "s.yaml", Path::new("")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scenario.variants.len(), 2);
}

#[test]
fn unknown_and_repeated_keys_are_shown_with_the_nearest_right_one() {
    check(&[
        ("»titel: x", "unknown key `titel` in the scenario", "did you mean `title`?"),
        ("queue: { »retension: 4d }", "unknown key `retension` in the queue", "did you mean `retention`?"),
        ("queue: { redrive: { »maxReceiveCount: 4 } }", "unknown key", "did you mean `max_receive_count`?"),
        ("queue: { »colour: red }", "unknown key `colour`", "the queue takes `type`, `visibility_timeout`"),
        ("producers: [ { rate: 1/s, »utnil: 3m } ]", "in a producer", "did you mean `until`?"),
        ("variants: { a: { »seed: 3 }, b: {} }", "unknown key `seed` in a variant", "`queue`"),
        ("queue: { retention: 4d, »retention: 5d }", "`retention` is given twice", "keep one"),
        ("variants: { a: {}, b: {}, »a: {} }", "`a` is given twice", "keep one"),
        ("policy: { backoff: { »exponentail: { base: 1s } } }", "unknown kind", "did you mean `{ exponential: ... }`?"),
        ("policy: { »backoff: { fixed: {}, linear: {} } }", "exactly one kind, found 2", "`{ linear: ... }`"),
        ("policy: { backoff: »exponential }", "expected a backoff", "did you mean `{ exponential: ... }`?"),
        ("expect: [ { metric: calls, »form: 1s, equals: 1 } ]", "unknown key `form`", "did you mean `from`?"),
    ]);
}

#[test]
fn wrong_types_say_what_belongs_there() {
    check(&[
        ("title: »42", "expected a text, found the number `42`", "write \"42\""),
        ("seed: »-1", "expected a whole number, found the number `-1`", ""),
        ("seed: »1.5", "expected a whole number, found the number `1.5`", ""),
        ("seed: »18446744073709551616", "expected a whole number", ""),
        ("queue: »30s", "expected a mapping for the queue, found `30s`", "takes the keys"),
        ("»queue:", "expected a mapping for the queue, found nothing", "takes the keys"),
        ("queue: { back_of_queue: »on }", "expected `true` or `false`, found `on`", "did you mean `true`?"),
        ("queue: { return_order: »by-age }", "expected a return order, found `by-age`", "did you mean `by_age`?"),
        ("producers: »800/s", "expected a list", ""),
        ("consumers: { fleet: ».inf }", "expected a whole number, found the number `inf`", ""),
        ("consumers: { handler_time: »yes }", "expected a duration, found `yes`", ""),
        ("»variants: [a, b]", "expected a mapping for the variants", ""),
        ("expect: [ { metric: calls, »between: [1, 2, 3] } ]", "a range has two ends, found 3", ""),
    ]);
}

#[test]
fn durations_rates_and_shares_need_their_units() {
    check(&[
        ("duration: »20", "expected a duration, found the number `20`", "did you mean `20s`?"),
        ("duration: »20M", "expected a duration, found `20M`", "did you mean `20m`?"),
        ("duration: »20 min", "expected a duration", "did you mean `20m`?"),
        ("duration: »-5m", "expected a duration", "cannot be negative"),
        ("duration: »99999999999999d", "expected a duration", ""),
        ("duration: ».nan", "expected a duration, found the number `NaN`", ""),
        ("duration: »soon", "expected a duration, found `soon`", ""),
        ("duration: »500ms", "not a whole number of seconds", ""),
        ("duration: »0s", "`duration` is 0s, outside 1s to 3650d", ""),
        ("producers: [ { rate: »800 } ]", "expected a rate, found the number `800`", "did you mean `800/s`?"),
        ("producers: [ { rate: »-800/s } ]", "expected a rate", "a rate cannot be negative"),
        ("producers: [ { rate: »0/s } ]", "expected a rate", "a rate cannot be zero"),
        ("producers: [ { rate: 1/s, classes: { poison: »5 } } ]", "expected a share", "did you mean `5%`?"),
        ("producers: [ { rate: 1/s, classes: { poison: »-0.1 } } ]", "expected a share", ""),
        ("producers: [ { rate: 1/s, classes: { permanent: 60%, poison: »50% } } ]", "110% together", ""),
    ]);
}

#[test]
fn values_outside_their_range_name_the_range_and_the_rule() {
    check(&[
        ("replications: »0", "`replications` is 0, outside 1 to 100000", ""),
        ("queue: { visibility_timeout: »13h }", "is 13h, outside 0s to 12h (rule Q2, visibility timeout)", ""),
        ("queue: { redrive: { max_receive_count: »0 } }", "is 0, outside 1 to 1000 (rule Q7", ""),
        ("queue: { redrive: { max_receive_count: »1001 } }", "is 1001, outside 1 to 1000 (rule Q7", ""),
        ("queue: { retention: »15d }", "outside 1m to 14d (rule Q10", ""),
        ("queue: { dead_letter_queue: { retention: »59s } }", "outside 1m to 14d (rule Q10", ""),
        ("consumers: { batch: »11 }", "`batch` is 11, outside 1 to 10 (rule Q13", ""),
        ("consumers: { wait: »21s }", "`wait` is 21s, outside 0s to 20s (rule Q13", ""),
        ("consumers: { fleet: »10000, concurrency: 1000 }", "10000000 slots", "lower `fleet`"),
        ("consumers: { handler_time: { lognormal: { mean: 20ms, p99: »10ms } } }", "not above the mean", "50ms"),
        ("consumers: { handler_time: { lognormal: { mean: 20ms, p99: »1s } } }", "50.0 times the mean", "exp(z99^2/2)"),
        ("consumers: { wait: 0s, pause: »0s }", "`pause` is 0s, outside 1ms to 1h", ""),
        ("consumers: { pause: »2h }", "`pause` is 2h, outside 0s to 1h", ""),
        ("consumers: { handler_time: { »in_turn: [] } }", "`in_turn` has 1 to 10000 durations", ""),
        ("consumers: { handler_time: { in_turn: [1s, »2d] } }", "`handler_time` is 2d, outside 0s to 1d", ""),
        ("consumers: { handler_timeout_checked_every: »0s }", "is 0s, outside 1ms to 1d", ""),
        ("consumers: { acknowledge: { batched: { messages: »0 } } }", "`messages` is 0, outside 1 to 1000", ""),
        ("consumers: { acknowledge: { batched: { every: »0s } } }", "`every` is 0s, outside 1ms to 1h", ""),
        ("consumers: { acknowledge: »late }", "expected when messages are deleted, found `late`", "`early`"),
        ("consumers: { polls: »when_emtpy }", "expected when a consumer polls", "did you mean `when_empty`?"),
        ("consumers: { like: »celer }", "expected a client library, found `celer`", "did you mean `celery`?"),
        ("consumers: { prefetch: 1000000, like: »celery }", "1000004 slots", "lower `fleet`"),
        ("policy: { backoff: { fixed: { delay: »13h } } }", "is 13h, outside 0s to 12h (rule Q5", ""),
        ("policy: { backoff: { fixed: { delay: »1500ms } } }", "not a whole number of seconds", ""),
        ("policy: { backoff: { exponential: { base: 10s, cap: »5s } } }", "`cap` is 5s, below `base`", ""),
        ("policy: { backoff: { exponential: { base: 10s, factor: »0.5 } } }", "`factor` is 0.5, outside 1", ""),
        ("policy: { backoff: { exponential: { base: 10s, factor: ».inf } } }", "expected a number", ""),
        (
            "policy: { backoff: { linear: { step: 10s, cap: 1m, jitter: { floored_full: { floor: »2m } } } } }",
            "`floor` is 120s, above `cap`",
            "",
        ),
        ("policy: { backoff: { fixed: { delay: 9s, jitter: »decorrelated } } }", "past the 12h", "exponential"),
        ("policy: { »breaker: { failures: 3 } }", "a breaker needs the key `cooldown`", ""),
        ("policy: { floor: »13h }", "`floor` is 13h, outside 0s to 12h (rule Q5", ""),
        ("policy: { floor: »1500ms }", "not a whole number of seconds", ""),
        (
            "policy: { backoff: { intervals: { intervals: [1s, »13h] } } }",
            "`intervals` is 13h, outside 0s to 12h (rule Q5",
            "",
        ),
        ("policy: { backoff: { intervals: { »intervals: [] } } }", "`intervals` has 0 items", ""),
        ("policy: { backoff: { celery: { retry_backoff: »0s } } }", "`retry_backoff` is 0s, outside 1s to 12h", ""),
        ("policy: { client: { finagle-budget: { ttl: »2m } } }", "`ttl` is 2m, outside 1s to 1m", ""),
        ("policy: { client: { aws-sdk-2026: { attempts: »0 } } }", "`attempts` is 0, outside 1 to 1000", ""),
        ("policy: { client: { retries: { base: 2s, cap: »1s } } }", "`cap` is 1s, below `base`, which is 2s", ""),
    ]);
}

#[test]
fn kinds_of_policies_and_their_parameters_are_explained() {
    check(&[
        ("policy: { backoff: { »exponential: {} } }", "an exponential backoff needs the key `base`", ""),
        ("policy: { backoff: { exponential: { base: 1s, »factr: 2 } } }", "unknown key `factr` in an exp", "`factor`?"),
        ("policy: { backoff: { exponential: { base: 1s, »base: 2s } } }", "`base` is given twice", "keep one"),
        ("policy: { backoff: »sidekick }", "expected a backoff, found `sidekick`", "did you mean `sidekiq`?"),
        ("policy: { backoff: { »sidekiq: {} } }", "unknown kind `sidekiq` for a backoff", "did you mean `sidekiq`?"),
        ("policy: { backoff: { shoryuken: { retry_intervals: »5m } } }", "expected a list, found `5m`", ""),
        (
            "policy: { backoff: { shoryuken: { retry_intervals: [1s, »soon] } } }",
            "expected a duration, found `soon`",
            "",
        ),
        ("policy: { backoff: { celery: { retry_jitter: »full } } }", "expected `true` or `false`", ""),
        (
            "policy: { backoff: { spring-exponential: { jitter: »decorrelated } } }",
            "`jitter` is decorrelated, which is not a jitter of this kind",
            "",
        ),
        (
            "policy: { backoff: { spring-exponential: { cap: »50s } } }",
            "`cap` is 50s, below `initial`, which is 100s",
            "",
        ),
        (
            "policy: { backoff: { intervals: { intervals: [1s], jitter: »decorrelated } } }",
            "past the 12h",
            "exponential",
        ),
        ("policy: { backoff: { fixed: { delay: 9s, jitter: »ful } } }", "expected a jitter", "did you mean `full`?"),
        ("policy: { backoff: { fixed: { delay: 9s, jitter: { »bounded: {} } } } }", "needs the key `share`", ""),
        ("policy: { client: »aws-sdk-2027 }", "expected a client", "did you mean `aws-sdk-2026`?"),
        ("policy: { retry_after: »yes }", "expected what is done about a Retry-After", ""),
        ("policy: { ceiling_guard: »remain }", "expected a guard of the ceiling", "did you mean `remaining`?"),
    ]);
}

#[test]
fn breakers_that_could_not_work_are_explained() {
    check(&[
        (
            "policy: { »breaker: { cooldown: 3s } }",
            "a breaker needs one of the keys `failures`, `failure_rate` and `throttling`",
            "`failures: 20`",
        ),
        (
            "policy: { breaker: { »failure_rat: { share: 1% }, failures: 1, cooldown: 3s } }",
            "unknown key",
            "`failure_rate`?",
        ),
        (
            "policy: { breaker: { »failure_rate: { share: 50% }, cooldown: 3s } }",
            "a failure rate needs one of the keys `window` and `calls`",
            "`window: 30s`, or `calls: 100`",
        ),
        (
            "policy: { breaker: { failure_rate: { share: 50%, window: 30s, calls: »9 }, cooldown: 3s } }",
            "a failure rate has a `window` or `calls`, not both",
            "`none`",
        ),
        (
            "policy: { breaker: { »failure_rate: { calls: 9 }, cooldown: 3s } }",
            "a failure rate needs the key `share`",
            "",
        ),
        ("policy: { breaker: { failure_rate: { calls: 9, share: »0% }, cooldown: 3s } }", "without any failure", ""),
        (
            "policy: { breaker: { failure_rate: { share: 50%, calls: 9, minimum: »10 }, cooldown: 3s } }",
            "`minimum` is 10, above `calls`, which is 9",
            "",
        ),
        (
            "policy: { breaker: { failure_rate: { share: 50%, window: »1500ms }, cooldown: 3s } }",
            "not a whole number of seconds",
            "",
        ),
        ("policy: { breaker: { failures: »0, cooldown: 3s } }", "`failures` is 0, outside 1 to 1000000", ""),
        ("policy: { breaker: { failures: 1, probes: »0, cooldown: 3s } }", "`probes` is 0, outside 1 to 10000", ""),
        ("policy: { breaker: { »throttling: { share: 50% }, cooldown: 3s } }", "throttling needs the key `for`", ""),
        (
            "policy: { breaker: { throttling: { share: 5%, for: »2h }, cooldown: 3s } }",
            "`for` is 2h, outside 1s to 1h",
            "",
        ),
        ("policy: { breaker: { failures: 1, »ramp_up: {}, cooldown: 3s } }", "a ramp-up needs the key `for`", ""),
        (
            "policy: { breaker: { failures: 1, ramp_up: { for: »0s }, cooldown: 3s } }",
            "`for` is 0s, outside 1ms to 1d",
            "",
        ),
    ]);
}

#[test]
fn alarms_that_could_not_work_are_explained() {
    check(&[
        ("alarms: »3", "expected a mapping for the alarms, by their names", ""),
        ("alarms: { »'a.b': { metric: depth, above: 3 } }", "`a.b` is not a name for an alarm", ""),
        ("alarms: { deep: { metric: »dept, above: 3 } }", "expected a metric of an alarm, found `dept`", "`depth`?"),
        ("alarms: { »deep: { above: 3 } }", "an alarm needs the key `metric`", ""),
        ("alarms: { »deep: { metric: depth } }", "an alarm needs the key `above`", ""),
        ("alarms: { deep: { metric: depth, above: »3m } }", "the metric is in messages", ""),
        (
            "alarms: { deep: { metric: depth, above: 3, for: 3, out_of: »2 } }",
            "`out_of` is 2, below `for`, which is 3",
            "",
        ),
        ("alarms: { deep: { metric: depth, above: 3, period: »500ms } }", "not a whole number of seconds", ""),
        (
            "alarms: { deep: { metric: depth, above: 3, »fro: 3 } }",
            "unknown key `fro` in an alarm",
            "did you mean `for`?",
        ),
        ("expect: [ { metric: »alarm.deep.fired_s, above: 1 } ]", "there are no alarms", "metric: depth"),
    ]);
    let with_expectation = |metric: &str| {
        let alarms =
            "alarms: { deep: { metric: depth, above: 3 }, churn: { metric: received_over_deleted, above: 2 } }";
        refused(&format!("{VALID}{alarms}\n").replace("dead_lettered.valid", metric)).to_string()
    };
    let error = with_expectation("alarm.chrun.fired_s");
    assert!(error.contains("did you mean `alarm.churn.fired_s`?"), "{error}");
    let error = with_expectation("alarm.deep.firedd_s");
    assert!(error.contains("did you mean `alarm.deep.fired_s`?"), "{error}");
    let many: String = (0..21).map(|number| format!("a{number}: {{ metric: depth, above: 1 }}, ")).collect();
    let error = refused(&format!("{VALID}alarms: {{ {many} }}\n")).to_string();
    assert!(error.contains("there are 21 alarms, more than 20"), "{error}");
}

#[test]
fn autoscalers_that_could_not_work_are_explained() {
    check(&[
        ("consumers: { »autoscale: { max: 9 } }", "an autoscaler needs the key `target`", ""),
        ("consumers: { »autoscale: { target: 100 } }", "an autoscaler needs the key `max`", ""),
        ("consumers: { autoscale: { target: 9, min: 5, max: »4 } }", "`max` is 4, below `min`, which is 5", ""),
        ("consumers: { autoscale: { target: 9, max: 4, every: »1ms } }", "`every` is 1ms, outside 1s to 1d", ""),
        ("consumers: { autoscale: { target: 9, max: 4, »cool_down: 1m } }", "unknown key", "did you mean `cooldown`?"),
        ("consumers: { »autoscale: { target: 9, max: 200000 } }", "2000000 slots", "lower"),
    ]);
}

#[test]
fn lambda_mappings_that_the_service_would_refuse_are_explained() {
    let without_breaker = VALID.replace("breaker: { failures: 20, cooldown: 30s }", "floor: 1s");
    check_in(
        &without_breaker,
        &[
            ("consumers: { fleet: »2, lambda: {} }", "`fleet` belongs to a fleet", "give it in the others"),
            ("consumers: { batch: »5, lambda: {} }", "it has `lambda.batch`", ""),
            ("consumers: { start_up: »5s, lambda: {} }", "it has `lambda.cold_start`", ""),
            ("consumers: { crashes_after: »1h, lambda: {} }", "which only a poison message crashes", ""),
            ("consumers: { »heartbeat: { every: 5s, extend_to: 9s }, lambda: {} }", "nobody extends the leases", ""),
            (
                "consumers: { lambda: { batch: »11 } }",
                "a batch of 11 needs a window of at least 1s (rule L2",
                "window: 5s",
            ),
            (
                "consumers: { lambda: { batch: »10001, window: 5s } }",
                "`batch` is 10001, outside 1 to 10000 (rule L2",
                "",
            ),
            ("consumers: { lambda: { window: »301s } }", "`window` is 5m1s, outside 0s to 5m", ""),
            (
                "consumers: { lambda: { timeout: »31s } }",
                "above the queue's visibility timeout of 30s (rule L3",
                "6 times",
            ),
            ("consumers: { lambda: { timeout: »0s } }", "`timeout` is 0s, outside 1s to 15m", ""),
            ("consumers: { lambda: { maximum_concurrency: »1 } }", "outside 2 to 1000 (rule L1", ""),
            ("consumers: { lambda: { reserved_concurrency: »0 } }", "outside 1 to 1000000", ""),
            ("consumers: { lambda: { hides_failures: »5% } }", "nobody reads any", ""),
            ("consumers: { lambda: { unreadable_answers: »5% } }", "nobody reads any", ""),
            ("consumers: { lambda: { throttled: »prefech } }", "found `prefech`", "did you mean `prefetch`?"),
            ("consumers: { lambda: { pollers: { most: »4 } } }", "`most` is 4, below `initial`, which is 5", ""),
            ("consumers: { lambda: { memory_mb: »64 } }", "outside 128 to 10240", ""),
            (
                "consumers: { lambda: { batch: »1000, window: 5s, records: at_once } }",
                "works on up to 1250000 messages at once, more than 1000000",
                "maximum_concurrency",
            ),
        ],
    );
    let refusal = |consumers: &str, more: &str| {
        let text = VALID.replace("{ fleet: 2, handler_time: { lognormal: { mean: 20ms, p99: 90ms } } }", consumers);
        refused(&format!("{text}{more}\n").replace("queue: { ", "queue: { type: fifo, ")).to_string()
    };
    let error = refusal("{ lambda: { window: 1s, records: at_once } }", "operations: [ { at: 1m, fleet: 3 } ]");
    for message in [
        "a mapping of a FIFO queue has no window (rule L2",
        "messages of a FIFO queue are handled in turn (rule L4",
        "a Lambda mapping has no circuit breaker",
        "nobody scales or deploys the pollers of a Lambda mapping by hand",
    ] {
        assert!(error.contains(message), "{message}\n{error}");
    }
}

#[test]
fn sections_that_contradict_themselves_are_explained() {
    check(&[
        ("»variants: {}", "there are no variants", "variants: { base: {} }"),
        ("variants: { »'': {}, a: {}, b: {} }", "the name of a variant is empty", ""),
        ("variants: { »\"x\\ny\": {}, a: {}, b: {} }", "control characters", ""),
        ("»producers: []", "there are no producers", ""),
        ("producers: [ »{ rate: 1/s, burst: 3 } ]", "not `rate` and `burst`", ""),
        ("producers: [ »{ from: 3s } ]", "needs one of `rate`, `burst` and `profile`", "{ rate: 800/s }"),
        (
            "producers: [ { burst: 3, arrivals: »constant } ]",
            "`arrivals` does not belong to a producer with a `burst`",
            "",
        ),
        ("producers: [ { burst: 3, every: »0s } ]", "never end", ""),
        ("producers: [ { rate: 1/s, from: 3m, until: »2m } ]", "`until` is 2m, not after `from`", ""),
        ("producers: [ { rate: 1/s, until: »21m } ]", "beyond the end of the run at 20m", ""),
        ("producers: [ { profile: »none.csv } ]", "there is no file", ""),
        ("»downstream: { servers: 10 }", "the downstream needs the key `service_time`", ""),
    ]);
}

/// The section `downstream` with one outage, or several.
fn with_outages(outages: &str) -> String {
    format!("downstream: {{ servers: 10, service_time: 5ms, outages: [ {outages} ] }}")
}

#[test]
fn outages_have_to_fit_the_run_and_their_mode() {
    for (outages, message, help) in [
        ("{ at: 19m, for: »90s, mode: refuse }", "lasts until 20m30s, beyond the end of the run at 20m", "`duration`"),
        ("{ at: »20m, for: 90s, mode: refuse }", "beyond the end of the run", "`duration`"),
        ("{ at: 1m, for: »0s, mode: refuse }", "no time at all", ""),
        ("{ at: 1m, for: 30s, mode: »hang }", "need a `call_timeout`", "call_timeout: 2s"),
        ("{ at: 1m, for: 30s, mode: refuse, share: »5% }", "`share` belongs to mode `errors`", ""),
        ("{ at: 1m, for: 30s, mode: »errors }", "an outage of mode `errors` needs the key `share`", ""),
        ("{ at: 1m, for: 30s, mode: »slow }", "needs the key `factor`", ""),
        ("{ at: 1m, for: 30s, mode: »refuze }", "expected an outage mode, found `refuze`", "did you mean `refuse`?"),
        ("»{ at: 1m, mode: refuse }", "an outage needs the key `for`", ""),
    ] {
        check(&[(&with_outages(outages), message, help)]);
    }
    check(&[(
        &with_outages("{ at: 2m, for: 2m, mode: refuse }, { at: »3m, for: 30s, mode: refuse }"),
        "outages overlap: this one begins at 3m, while another lasts from 2m to 4m",
        "",
    )]);
}

#[test]
fn expectations_and_claims_look_at_what_exists() {
    check(&[
        (
            "expect: [ { metric: »dead_letterd.valid, equals: 0 } ]",
            "not a metric",
            "did you mean `dead_lettered.valid`?",
        ),
        ("expect: [ { metric: »happiness, equals: 0 } ]", "`happiness` is not a metric of a run", "`enqueued`"),
        ("expect: [ { metric: »never_cleard, equals: 0 } ]", "not a metric", "did you mean `never_cleared`?"),
        ("expect: [ { metric: »never_cleared, below: { variant: b } } ]", "a fact cannot be compared", "at_most: 5%"),
        ("expect: [ { metric: »never_cleared, at_most: 5 } ]", "5 is no share of the runs", "at_most: 5%"),
        ("expect: [ { metric: »never_cleared, between: [0, 101%] } ]", "1.01 is no share of the runs", ""),
        ("expect: [ { metric: »visible, equals: 0 } ]", "a metric of the series", "at: 90s"),
        ("expect: [ { metric: »visible, from: 1s, equals: 0 } ]", "not a flow of the series", "`calls`"),
        ("expect: [ { metric: »calls, at: 1s, equals: 0 } ]", "not a level of the series", "`visible`"),
        ("expect: [ { metric: calls, from: 9s, to: »3s, equals: 0 } ]", "the window ends at 3s", ""),
        ("expect: [ { metric: calls, to: »21m, equals: 0 } ]", "beyond the end of the run", ""),
        ("expect: [ { metric: visible, at: »1500ms, equals: 0 } ]", "not a whole number of seconds", ""),
        ("expect: [ { metric: visible, at: »9s, from: 1s, equals: 0 } ]", "exclude each other", ""),
        ("expect: [ »{ metric: calls } ]", "exactly one comparison, found none", "`at_most`"),
        ("expect: [ »{ metric: calls, below: 3, above: 1 } ]", "found `below`, `above`", ""),
        ("expect: [ { variant: »c, metric: calls, equals: 0 } ]", "there is no variant `c`", "`a`, `b`"),
        ("expect: [ { metric: calls, below: { variant: »c } } ]", "there is no variant `c`", ""),
        ("expect: [ { metric: calls, below: »90s } ]", "the metric is in calls", ""),
        ("expect: [ { metric: calls, »between: [2, 1] } ]", "begins at 2, above its end at 1", ""),
        ("claims: [ »{ metric: calls, figure: 3 } ]", "needs the key `variant`", ""),
        ("claims: [ { variant: a, metric: calls, figure: 3, close_within: »1% } ]", "below `reproduced_within`", ""),
        (
            "claims: [ »{ variant: a, metric: calls, figure: 0, close_within: 3 } ]",
            "a claim of 0 needs `reproduced_within` as a number",
            "reproduced_within: 10",
        ),
    ]);
}

#[test]
fn what_is_no_yaml_is_shown_where_it_breaks() {
    for (text, line, column, message) in [
        ("duration: [1, 2\nseed: 3\n", 2, 5, "not valid YAML"),
        ("duration: 10m\n\tseed: 1\n", 1, 11, "found a tab"),
        ("title: \"abc\nseed: 3\n", 1, 8, "not valid YAML"),
        ("seed: *x\n", 1, 7, "there is no anchor of this name"),
        ("seed: 1\n---\nseed: 2\n", 2, 1, "more than one YAML document"),
        ("a: &a [*a]\n", 1, 8, "contains it"),
        ("? [a]\n: 3\n", 1, 3, "a key has to be a text"),
        ("null: 3\n", 1, 1, "a key is empty or null"),
        ("- 1\n", 1, 1, "expected a mapping for the scenario, found a list"),
    ] {
        let error = refused(text);
        let [problem, ..] = error.problems() else { panic!("a problem in {text}") };
        assert_eq!((problem.line(), problem.column()), (Some(line), Some(column)), "{error}");
        assert!(problem.message().contains(message), "{error}");
    }
}

#[test]
fn nesting_and_alias_bombs_are_refused_without_harm() {
    let flow = "[".repeat(1_000) + &"]".repeat(1_000);
    let block: String = (0..1_000).map(|depth| " ".repeat(depth) + "a:\n").collect();
    for text in [flow, block, "[".repeat(500_000), "{a: ".repeat(100_000)] {
        assert!(refused(&text).to_string().contains("nested deeper than 32 levels"));
    }
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", "));
    }
    assert!(refused(&bomb).to_string().contains("too many aliases"));
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(500_000), vec!["*a"; 50_000].join(","));
    assert!(refused(&long).to_string().contains("a text of 500000 bytes"));
}

#[test]
fn the_largest_file_full_of_mistakes_is_refused_at_once() {
    let many = |count: usize, item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(", ");
    let keys = format!("{{ {} }}", many(20_000, &|index| format!("key{index}: 1")));
    let variants = format!(
        "downstream: {{ outages: [ {} ] }}\nvariants: {{ {} }}\n",
        many(4_000, &|_| "{ at: 1s, for: 1s, mode: hang }".to_owned()),
        many(10_000, &|index| format!("v{index}: {{}}"))
    );
    for text in [keys, variants] {
        let begun = std::time::Instant::now();
        assert!(!refused(&text).to_string().is_empty());
        assert!(begun.elapsed().as_secs() < 10, "took {:?}", begun.elapsed());
    }
}

#[test]
fn files_that_are_no_scenarios_get_one_message_with_their_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    for (path, message) in [
        (folder.path().join("missing.yaml"), "there is no file"),
        (folder.path().to_owned(), "is a folder, not a file"),
        (write("empty.yaml", b""), "is empty"),
        (write("blank.yaml", b" \n\n"), "is empty"),
        (write("comment.yaml", b"# nothing\n"), "is empty"),
        (write("binary.yaml", b"\x7fELF\0\0\x01"), "is a binary file"),
        (write("latin.yaml", b"title: a\nseed: caf\xe9\n"), "is not a UTF-8 text: the first wrong byte is in line 2"),
        (write("huge.yaml", &vec![b'#'; 1024 * 1024 + 1]), "is larger than 1024 KiB"),
    ] {
        let error = read_file(&path).expect_err("no scenario");
        assert_eq!(error.problems().len(), 1, "{error}");
        assert!(error.to_string().contains(message), "{error}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_device_without_an_end_is_not_read_to_its_end() {
    assert!(read_file("/dev/zero").expect_err("no scenario").to_string().contains("is larger than"));
}

#[test]
fn a_profile_names_its_own_file_and_line() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("arrivals.csv"), "time,messages\n0,10\n1m,-3\n").expect("a file");
    let (text, ..) = with_section(VALID, "producers: [ { profile: »arrivals.csv } ]");
    let error = parse(&text, "s.yaml", folder.path()).expect_err("a bad profile");
    assert!(error.to_string().contains("profile `arrivals.csv`, line 3: messages is `-3`"), "{error}");
}

#[test]
fn a_mistake_that_all_variants_share_is_shown_once_and_all_mistakes_come_in_file_order() {
    let text = VALID
        .replace("visibility_timeout: 30s", "visibility_timeout: 13h")
        .replace("failures: 20", "failures: 0")
        .replace("seed: 7", "sede: 7")
        .replace("figure: 8m", "figure: 8M");
    let error = refused(&text);
    let found: Vec<_> = error.problems().iter().map(|problem| problem.line()).collect();
    assert_eq!(found, [Some(2), Some(5), Some(10), Some(12)], "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = parse(&text, "s.yaml", Path::new("")).map_err(|error| error.styled());
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = parse(&text, "s.yaml", Path::new("")).map_err(|error| error.to_string());
    }

    #[test]
    fn no_mutation_of_a_scenario_makes_it_panic(edits in edits()) {
        let mut characters: Vec<char> = VALID.chars().collect();
        for (place, remove, insert) in edits {
            let start = place.index(characters.len() + 1);
            let end = (start + remove).min(characters.len());
            characters.splice(start..end, insert.chars());
        }
        let text: String = characters.into_iter().collect();
        if let Err(error) = parse(&text, "s.yaml", Path::new("no-such-folder")) {
            prop_assert!(!error.problems().is_empty());
            prop_assert!(!error.to_string().is_empty());
            let lines = text.lines().count().max(1) + 1;
            prop_assert!(error.problems().iter().all(|problem| problem.line().is_none_or(|line| line <= lines)));
        }
    }
}

/// Edits of a text: where, how many characters to remove, what to insert.
fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, String)>> {
    let fragment = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "0",
            "-1",
            ".inf",
            ".nan",
            "1e999",
            "99999999999999999999",
            "0s",
            "13h",
            "none",
            "null",
            "~",
            "\n",
            "\n  ",
            "\t",
            "{",
            "}",
            "[",
            "]",
            ",",
            ": ",
            "&a ",
            "*a",
            "<<: *a",
            "!!int ",
            "'",
            "\"",
            "|",
            "#",
            "%",
            "5%",
            "18446744073709551615",
            "fixed: {}",
            "profile: x.csv",
            "\u{feff}",
            "\r",
            "ä",
            "🙂",
        ])
        .prop_map(String::from),
    ];
    proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..6, fragment), 1..6)
}
