//! A probe from its first call to its last: connect, ask, tidy up.

use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;

use tokio::task::{JoinSet, LocalSet};

use super::cases::Case;
use super::cleanup::{Ledger, Leftover};
use super::connect::connect;
use super::error::ProbeError;
use super::expected::answers_of_the_model;
use super::interrupt::Interrupts;
use super::live::Live;
use super::question::Findings;
use super::report::{ProbeReport, Row, rows};
use super::store::{QueueStore, SqsStore};

/// For all cases together.
const LIMIT: Duration = Duration::from_secs(90);
/// For tidying up.
const TIDY_LIMIT: Duration = Duration::from_secs(60);

/// What to probe, and how.
#[derive(Debug, Clone)]
pub struct ProbeOptions {
    /// The endpoint; `None`: the service itself.
    pub endpoint_url: Option<String>,
    /// The region; `None`: as configured.
    pub region: Option<String>,
    /// What the names of all queues begin with.
    pub queue_prefix: String,
}

impl ProbeOptions {
    /// The endpoint in words.
    fn endpoint(&self) -> String {
        match (&self.endpoint_url, &self.region) {
            (Some(url), _) => url.clone(),
            (None, Some(region)) => format!("SQS in {region}"),
            (None, None) => "SQS".to_owned(),
        }
    }
}

/// The end of a probe.
pub struct Probed {
    /// What was found, or why nothing was.
    pub outcome: Result<ProbeReport, ProbeError>,
    /// Queues that are still there.
    pub left: Vec<Leftover>,
}

impl From<ProbeError> for Probed {
    fn from(error: ProbeError) -> Self {
        Self { outcome: Err(error), left: Vec::new() }
    }
}

/// Probes an endpoint. `begins` is told what the names of the queues begin with, before there is one.
pub fn probe(options: &ProbeOptions, begins: impl FnOnce(&str)) -> Probed {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => LocalSet::new().block_on(&runtime, with_interrupts(options, begins)),
        Err(error) => ProbeError::from(error).into(),
    }
}

async fn with_interrupts(options: &ProbeOptions, begins: impl FnOnce(&str)) -> Probed {
    let mut interrupts = match Interrupts::listen() {
        Ok(interrupts) => interrupts,
        Err(error) => return ProbeError::from(error).into(),
    };
    let prepared = tokio::select! {
        prepared = prepare(options) => prepared,
        () = interrupts.next() => Err(ProbeError::Interrupted),
    };
    let ledger = match prepared {
        Ok(ledger) => Rc::new(ledger),
        Err(error) => return error.into(),
    };
    begins(ledger.run());
    let answers = tokio::select! {
        answers = tokio::time::timeout(LIMIT, ask_all(&ledger)) => answers.unwrap_or(Err(ProbeError::TooSlow(LIMIT))),
        () = interrupts.next() => Err(ProbeError::Interrupted),
    };
    let left = tokio::select! {
        left = tokio::time::timeout(TIDY_LIMIT, Ledger::clean_up(&ledger)) => left.unwrap_or_else(|_| ledger.left_behind()),
        () = interrupts.next() => ledger.left_behind(),
    };
    let report = |rows| ProbeReport::new(options.endpoint(), ledger.run().to_owned(), rows);
    Probed { outcome: answers.map(report), left }
}

/// Connects, and makes sure that the endpoint is one of SQS and lets us in.
async fn prepare(options: &ProbeOptions) -> Result<Ledger<SqsStore>, ProbeError> {
    let run = format!("{}-{}", options.queue_prefix, random_suffix()?);
    let client = connect(options.endpoint_url.as_deref(), options.region.as_deref()).await?;
    let store = SqsStore::new(client, options.endpoint());
    match store.find(&run).await {
        Ok(None) => Ok(Ledger::new(store, run)),
        Ok(Some(_)) => Err(ProbeError::Exists(run)),
        Err(ProbeError::Refused { action, code, message }) => {
            let cause = format!("{action}: {code}: {message}");
            Err(ProbeError::NotSqs { endpoint: options.endpoint(), cause })
        }
        Err(error) => Err(error),
    }
}

/// Sixteen hexadecimal digits that no other run has.
fn random_suffix() -> Result<String, ProbeError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| ProbeError::System(error.to_string()))?;
    Ok(bytes.iter().fold(String::new(), |mut suffix, byte| {
        // Writing into a string does not fail.
        let _ = write!(suffix, "{byte:02x}");
        suffix
    }))
}

/// Puts all cases to the endpoint at the same time.
async fn ask_all(ledger: &Rc<Ledger<SqsStore>>) -> Result<Vec<Row>, ProbeError> {
    let service = Rc::new(Live::new(Rc::clone(ledger)));
    let mut asking = JoinSet::new();
    for (place, case) in Case::ALL.iter().enumerate() {
        let service = Rc::clone(&service);
        asking.spawn_local(async move { ask(*case, &service).await.map(|rows| (place, rows)) });
    }
    let mut answers = Vec::with_capacity(Case::ALL.len());
    while let Some(joined) = asking.join_next().await {
        answers.push(joined.map_err(|error| ProbeError::System(error.to_string()))??);
    }
    // They end in any order.
    answers.sort_by_key(|(place, _)| *place);
    Ok(answers.into_iter().flat_map(|(_, rows)| rows).collect())
}

async fn ask(case: Case, service: &Live) -> Result<Vec<Row>, ProbeError> {
    let model = answers_of_the_model(case).await?;
    let mut found = Findings::default();
    match case.ask(service, &mut found).await {
        Err(error) if error.ends_the_probe() => Err(error),
        ended => Ok(rows(case, model, &found, ended.as_ref().err())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_runs_have_the_same_suffix() {
        let (one, other) = (random_suffix().expect("a suffix"), random_suffix().expect("a suffix"));
        assert_ne!(one, other);
        assert!(one.len() == 16 && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
