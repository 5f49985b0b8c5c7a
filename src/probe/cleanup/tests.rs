use std::collections::BTreeSet;

use tokio::task::LocalSet;

use super::*;

/// What the fake does to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Fine,
    /// It creates a queue, and the answer gets lost.
    LosesAnswers,
    /// It refuses to create one.
    Refuses,
    /// It takes its time to create one.
    IsSlow,
    /// It deletes nothing.
    KeepsAll,
}

struct Fake {
    mood: Mood,
    queues: RefCell<BTreeSet<String>>,
}

impl Fake {
    fn new(mood: Mood, queues: &[&str]) -> Self {
        Self { mood, queues: RefCell::new(queues.iter().map(|name| (*name).to_owned()).collect()) }
    }
}

fn unreachable() -> ProbeError {
    ProbeError::Unreachable { endpoint: "here".to_owned(), cause: "no answer".to_owned() }
}

impl QueueStore for Fake {
    async fn find(&self, name: &str) -> Result<Option<String>, ProbeError> {
        Ok(self.queues.borrow().get(name).map(|name| format!("at/{name}")))
    }

    async fn create(&self, name: &str, _attributes: Attributes) -> Result<String, ProbeError> {
        if self.mood == Mood::Refuses {
            return Err(ProbeError::Refused { action: "CreateQueue", code: "No".to_owned(), message: "no".to_owned() });
        }
        if self.mood == Mood::IsSlow {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.queues.borrow_mut().insert(name.to_owned());
        if self.mood == Mood::LosesAnswers { Err(unreachable()) } else { Ok(format!("at/{name}")) }
    }

    async fn delete(&self, url: &str) -> Result<(), ProbeError> {
        if self.mood == Mood::KeepsAll {
            return Err(unreachable());
        }
        let name = url.strip_prefix("at/").expect("an address of this fake");
        assert!(self.queues.borrow_mut().remove(name), "{name} was not there");
        Ok(())
    }
}

/// Creates three queues, one of them FIFO, tidies up, and returns what is left and what the store still has.
fn create_and_clean_up(fake: Fake) -> (Vec<Leftover>, Vec<String>) {
    run(async {
        let ledger = Rc::new(Ledger::new(fake, "probe-x".to_owned()));
        for fifo in [false, true, false] {
            let _ = Ledger::create(&ledger, fifo, Vec::new()).await;
        }
        let left = Ledger::clean_up(&ledger).await;
        assert_eq!(left.len(), ledger.left_behind().len());
        (left, ledger.store().queues.borrow().iter().cloned().collect())
    })
}

fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    LocalSet::new().block_on(&runtime, test)
}

#[test]
fn all_queues_of_the_run_are_deleted_and_no_others() {
    for mood in [Mood::Fine, Mood::LosesAnswers, Mood::Refuses] {
        let (left, queues) = create_and_clean_up(Fake::new(mood, &["probe", "probe-x", "probe-y-0"]));
        assert_eq!((left, queues.join(" ")), (vec![], "probe probe-x probe-y-0".to_owned()), "{mood:?}");
    }
}

#[test]
fn a_queue_that_exists_is_an_error_and_stays() {
    run(async {
        let ledger = Rc::new(Ledger::new(Fake::new(Mood::Fine, &["probe-x-0"]), "probe-x".to_owned()));
        let refused = Ledger::create(&ledger, false, Vec::new()).await;
        assert!(matches!(refused, Err(ProbeError::Exists(name)) if name == "probe-x-0"));
        assert_eq!(Ledger::create(&ledger, true, Vec::new()).await.ok().as_deref(), Some("at/probe-x-1.fifo"));
        assert_eq!(Ledger::clean_up(&ledger).await, []);
        assert!(ledger.store().queues.borrow().iter().eq(["probe-x-0"]));
    });
}

#[test]
fn a_creation_that_nobody_waits_for_any_more_is_cleaned_up_too() {
    run(async {
        let ledger = Rc::new(Ledger::new(Fake::new(Mood::IsSlow, &[]), "probe-x".to_owned()));
        let impatient = tokio::time::timeout(LOOK, Ledger::create(&ledger, false, Vec::new())).await;
        assert!(impatient.is_err());
        assert_eq!(ledger.left_behind().len(), 1);
        assert_eq!(Ledger::clean_up(&ledger).await, []);
        assert!(ledger.store().queues.borrow().is_empty());
    });
}

#[test]
fn nothing_is_created_once_tidying_up_has_begun() {
    run(async {
        let ledger = Rc::new(Ledger::new(Fake::new(Mood::Fine, &[]), "probe-x".to_owned()));
        assert_eq!(Ledger::clean_up(&ledger).await, []);
        assert!(Ledger::create(&ledger, false, Vec::new()).await.is_err());
        assert!(ledger.store().queues.borrow().is_empty());
    });
}

#[test]
fn what_cannot_be_deleted_is_named() {
    let (left, queues) = create_and_clean_up(Fake::new(Mood::KeepsAll, &[]));
    let names: Vec<&str> = left.iter().map(|leftover| leftover.name.as_str()).collect();
    assert_eq!(names, ["probe-x-0", "probe-x-1.fifo", "probe-x-2"]);
    assert_eq!((left[0].why.as_str(), queues.len()), ("cannot reach here: no answer", 3));
}
