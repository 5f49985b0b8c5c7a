//! The queues of a run: created here, written down before anything else, and deleted in the end. No other queue is ever
//! touched.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::error::ProbeError;
use super::store::{Attributes, QueueStore};

/// How long tidying up waits for creations that are under way.
const UNDER_WAY_LIMIT: Duration = Duration::from_secs(12);
/// Between two looks at them.
const LOOK: Duration = Duration::from_millis(20);
/// Tries at deleting a queue, beside those of the SDK itself.
const TRIES: u32 = 3;
/// Between two of them.
const PAUSE: Duration = Duration::from_millis(500);

/// What is known of a queue of this run.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// Its creation is under way.
    UnderWay,
    /// The service may have created it: the answer did not arrive.
    Unknown,
    /// It is there, under this address.
    There(String),
    /// It was never created, or is deleted.
    Gone,
}

#[derive(Debug)]
struct Entry {
    name: String,
    state: State,
}

/// A queue that could not be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Its name.
    pub name: String,
    /// Why it is still there.
    pub why: String,
}

/// All queues of one run.
pub struct Ledger<S> {
    store: S,
    run: String,
    entries: RefCell<Vec<Entry>>,
    closed: Cell<bool>,
}

impl<S: QueueStore + 'static> Ledger<S> {
    /// No queues yet. `run` begins the name of each, and belongs to this run alone.
    pub fn new(store: S, run: String) -> Self {
        Self { store, run, entries: RefCell::default(), closed: Cell::new(false) }
    }

    /// What the name of each queue begins with.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Where the queues are.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Creates a queue and returns its address. A queue that is there already is an error, and is left alone.
    ///
    /// The creation goes on where its caller does not: nobody else would learn the address.
    pub async fn create(ledger: &Rc<Self>, fifo: bool, attributes: Attributes) -> Result<String, ProbeError> {
        let ledger = Rc::clone(ledger);
        let creation = tokio::task::spawn_local(async move { ledger.create_in_full(fifo, attributes).await });
        creation.await.map_err(|error| ProbeError::System(error.to_string()))?
    }

    async fn create_in_full(&self, fifo: bool, attributes: Attributes) -> Result<String, ProbeError> {
        if self.closed.get() {
            return Err(ProbeError::Interrupted);
        }
        let place = self.entries.borrow().len();
        let name = format!("{}-{place}{}", self.run, if fifo { ".fifo" } else { "" });
        // `Gone` for now: what is found under the name next would not be ours.
        self.entries.borrow_mut().push(Entry { name: name.clone(), state: State::Gone });
        if self.store.find(&name).await?.is_some() {
            return Err(ProbeError::Exists(name));
        }
        if self.closed.get() {
            return Err(ProbeError::Interrupted);
        }
        self.set(place, State::UnderWay);
        let created = self.store.create(&name, attributes).await;
        self.set(
            place,
            match &created {
                Ok(url) => State::There(url.clone()),
                Err(error) if error.leaves_open() => State::Unknown,
                Err(_) => State::Gone,
            },
        );
        created
    }

    /// Deletes every queue of this run, all at the same time, and creates no more; returns what is left.
    pub async fn clean_up(ledger: &Rc<Self>) -> Vec<Leftover> {
        ledger.closed.set(true);
        ledger.wait_for_creations().await;
        let mut deleting = JoinSet::new();
        for (place, name) in ledger.outstanding() {
            let ledger = Rc::clone(ledger);
            deleting.spawn_local(async move {
                let deleted = ledger.delete(place, &name).await;
                deleted.err().map(|error| Leftover { name, why: error.to_string() })
            });
        }
        let mut left: Vec<Leftover> = deleting.join_all().await.into_iter().flatten().collect();
        left.sort_by(|one, other| one.name.cmp(&other.name));
        left
    }

    /// What has not been deleted so far, for somebody who cannot wait.
    pub fn left_behind(&self) -> Vec<Leftover> {
        let why = "there was no time to delete it";
        self.outstanding().into_iter().map(|(_, name)| Leftover { name, why: why.to_owned() }).collect()
    }

    async fn wait_for_creations(&self) {
        let under_way = || self.entries.borrow().iter().any(|entry| entry.state == State::UnderWay);
        let wait = async {
            while under_way() {
                tokio::time::sleep(LOOK).await;
            }
        };
        // What is still under way then is looked for by its name.
        let _ = tokio::time::timeout(UNDER_WAY_LIMIT, wait).await;
    }

    fn outstanding(&self) -> Vec<(usize, String)> {
        let entries = self.entries.borrow();
        let outstanding = entries.iter().enumerate().filter(|(_, entry)| entry.state != State::Gone);
        outstanding.map(|(place, entry)| (place, entry.name.clone())).collect()
    }

    async fn delete(&self, place: usize, name: &str) -> Result<(), ProbeError> {
        let mut tries = 1;
        loop {
            match self.try_to_delete(place, name).await {
                Err(_) if tries < TRIES => tries += 1,
                outcome => return outcome,
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn try_to_delete(&self, place: usize, name: &str) -> Result<(), ProbeError> {
        let url = match self.state(place) {
            State::There(url) => Some(url),
            // There was no queue of that name before this run asked for one.
            State::UnderWay | State::Unknown => self.store.find(name).await?,
            State::Gone => None,
        };
        if let Some(url) = url {
            self.store.delete(&url).await?;
        }
        self.set(place, State::Gone);
        Ok(())
    }

    fn state(&self, place: usize) -> State {
        self.entries.borrow().get(place).map_or(State::Gone, |entry| entry.state.clone())
    }

    fn set(&self, place: usize, state: State) {
        if let Some(entry) = self.entries.borrow_mut().get_mut(place) {
            entry.state = state;
        }
    }
}

#[cfg(test)]
mod tests;
