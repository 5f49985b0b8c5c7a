//! A search from its first run to its result.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::board::Board;
use super::front::front;
use super::goal::Goal;
use super::rank::By;
use super::result::{CandidateResult, Finalist, TuneResult, values};
use super::rungs::{self, Rung, Search};
use super::standing::Standing;
use crate::measure::{Direction, Metric};
use crate::scenario::{Condition, Sweep};
use crate::study::difference::paired;
use crate::study::{Difference, Estimate, Progress, StudyError, SweepFacts, TwoGroups, run_sweep};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A candidate: a variant at a point.
#[derive(Debug, Clone)]
struct Candidate {
    point: usize,
    variant: usize,
    idle_axes: Vec<usize>,
}

/// A search. It can be asked for what it knows while it goes on.
#[derive(Debug)]
pub struct Tuning {
    sweep: Sweep,
    facts: SweepFacts,
    goal: Goal,
    search: Search,
    rungs: Vec<Rung>,
    candidates: Vec<Candidate>,
    /// How many of the best are run anew and reported.
    top: usize,
    /// Where the scenario lies, with its profiles.
    folder: PathBuf,
    board: Mutex<Board>,
}

impl Tuning {
    /// A search over all points and variants of a sweep; `search` is chosen by the number of runs if it is not given. A
    /// variant that an axis does not change is one candidate for all values of the axis. `facts` are the sweep's, with the
    /// replications of the last rung.
    pub fn new(
        sweep: Sweep,
        facts: SweepFacts,
        goal: Goal,
        search: Option<Search>,
        top: usize,
        folder: PathBuf,
    ) -> Self {
        let candidates = candidates(&sweep, &facts);
        let replications = facts.replications;
        let search = search.unwrap_or_else(|| Search::for_size(candidates.len(), replications));
        let rungs = search.rungs(candidates.len(), replications, top);
        let board = Mutex::new(Board::new(&goal, candidates.len()));
        let top = top.clamp(1, candidates.len().max(1));
        Self { sweep, facts, goal, search, rungs, candidates, top, folder, board }
    }

    /// The number of runs, the fresh ones of the best few included.
    pub fn runs(&self) -> u64 {
        rungs::runs(&self.rungs) + self.top as u64 * u64::from(self.facts.replications)
    }

    /// The number of candidates.
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Searches, in parallel on the current rayon pool. The result does not depend on the number of threads: who stays is
    /// decided at the end of a rung only. `watch` is told of every run that ends.
    ///
    /// # Errors
    /// Where a run does not balance.
    pub fn run(&self, watch: impl Fn(Progress) + Sync) -> Result<TuneResult, StudyError> {
        let events = AtomicU64::new(0);
        let all = 0..self.facts.replications;
        let last = rungs::climb(
            &self.rungs,
            self.candidates.len(),
            |left, replications| {
                let mut board = self.board();
                left.iter().for_each(|&candidate| board.rungs[candidate] += 1);
                drop(board);
                self.carry_out(left, replications, &events, &watch)
            },
            |left| self.board().better_first(&self.goal, By::Mean, left, all.clone()),
        )?;
        let best = self.board().better_first(&self.goal, By::Interval, &last, all);
        let best = &best[..self.top.min(best.len())];
        self.carry_out(best, self.fresh(), &events, &watch)?;
        Ok(self.result(best, self.fresh(), true))
    }

    /// What is known so far, for a search that is about to be ended; nothing before the first run.
    pub fn so_far(&self) -> Option<TuneResult> {
        let best = self.leaders();
        (!best.is_empty()).then(|| self.result(&best[..self.top.min(best.len())], 0..self.facts.replications, false))
    }

    /// The candidate that leads so far, in words, and its mean of the objective.
    pub fn leader(&self) -> Option<(String, f64)> {
        let leader = *self.leaders().first()?;
        let found = self.board().values(leader, self.goal.objective, 0..self.facts.replications);
        let defined: Vec<f64> = found.into_iter().flatten().collect();
        let Candidate { point, variant, idle_axes } = &self.candidates[leader];
        let labels = values(&self.facts, *point, idle_axes).join(" × ");
        let name = &self.facts.variants[*variant];
        Estimate::of(&defined).map(|found| (format!("{labels}, {name}"), found.mean))
    }

    /// Those of the highest rung that have run, better ones first.
    fn leaders(&self) -> Vec<usize> {
        let (board, all) = (self.board(), 0..self.facts.replications);
        let highest = board.rungs.iter().copied().max().unwrap_or(0);
        let is_in = |candidate: &usize| board.rungs[*candidate] == highest && board.ended(*candidate, all.clone()) > 0;
        let left: Vec<usize> = (0..self.candidates.len()).filter(is_in).collect();
        board.better_first(&self.goal, By::Mean, &left, all)
    }

    /// Replications that the search does not see. Who is picked from many has had good luck; these have it not.
    fn fresh(&self) -> Range<u32> {
        self.facts.replications..self.facts.replications.saturating_mul(2)
    }

    fn carry_out(
        &self,
        left: &[usize],
        replications: Range<u32>,
        events: &AtomicU64,
        watch: &(impl Fn(Progress) + Sync),
    ) -> Result<(), StudyError> {
        // The numbers of runs have room for the fresh replications.
        let facts = SweepFacts { replications: self.fresh().end, ..self.facts.clone() };
        let variants = facts.variants.len();
        let cell = |candidate: usize| self.candidates[candidate].point * variants + self.candidates[candidate].variant;
        let mut of_cell = vec![usize::MAX; facts.points() * variants];
        left.iter().for_each(|&candidate| of_cell[cell(candidate)] = candidate);
        // Replication by replication, so that what is known after a part of the time is known of every candidate.
        let number = |replication: u32, candidate: usize| {
            cell(candidate) as u64 * u64::from(facts.replications) + u64::from(replication)
        };
        let runs: Vec<u64> = replications
            .flat_map(|replication| left.iter().map(move |&candidate| number(replication, candidate)))
            .collect();
        run_sweep(&self.sweep.points, &facts, &runs, |run, metrics, events_of_run| {
            let place = facts.place(run);
            let mut board = self.board();
            board.put(of_cell[place.point * variants + place.variant], place.replication, metrics);
            let done = board.runs;
            drop(board);
            let events = events.fetch_add(events_of_run, Ordering::Relaxed) + events_of_run;
            watch(Progress { done, total: self.runs(), events });
        })?;
        Ok(())
    }

    fn result(&self, best: &[usize], shown: Range<u32>, is_finished: bool) -> TuneResult {
        let board = self.board();
        let candidates: Vec<CandidateResult> =
            (0..self.candidates.len()).map(|candidate| self.candidate(&board, candidate)).collect();
        let mut best: Vec<Finalist> =
            best.iter().map(|&candidate| self.finalist(&board, candidate, shown.clone())).collect();
        // Nothing but a condition moves anybody: an order by the fresh runs would pick good luck again.
        best.sort_by_key(|finalist| finalist.standing);
        let first = best.first().map(|first| first.candidate);
        for (number, finalist) in best.iter_mut().enumerate().skip(1) {
            finalist.difference =
                first.and_then(|first| self.difference(&board, first, finalist.candidate, number, &shown));
        }
        TuneResult {
            facts: self.facts.clone(),
            goal: self.goal.clone(),
            search: self.search,
            rungs: self.rungs.clone(),
            front: self.front(&candidates),
            candidates,
            best,
            runs: board.runs,
            is_finished,
        }
    }

    fn candidate(&self, board: &Board, candidate: usize) -> CandidateResult {
        let Candidate { point, variant, idle_axes } = self.candidates[candidate].clone();
        let all = 0..self.facts.replications;
        let standing =
            |condition: &Condition| Standing::of(condition, &board.values(candidate, condition.metric, all.clone()));
        CandidateResult {
            point,
            variant,
            idle_axes,
            rung: board.rungs[candidate],
            runs: board.ended(candidate, all.clone()),
            metrics: self.estimates(board, candidate, &all),
            standing: Standing::of_all(self.goal.conditions.iter().map(standing)),
        }
    }

    fn finalist(&self, board: &Board, candidate: usize, shown: Range<u32>) -> Finalist {
        let Candidate { point, variant, .. } = self.candidates[candidate];
        let values = |metric: Metric| board.values(candidate, metric, shown.clone());
        let standing = |condition: &Condition| Standing::of(condition, &values(condition.metric));
        let standings: Vec<Standing> = self.goal.conditions.iter().map(standing).collect();
        let objective: Vec<f64> = values(self.goal.objective).into_iter().flatten().collect();
        Finalist {
            candidate,
            runs: board.ended(candidate, shown.clone()),
            metrics: self.estimates(board, candidate, &shown),
            standing: Standing::of_all(standings.iter().copied()),
            standings,
            groups: TwoGroups::of(self.goal.objective, &objective),
            difference: None,
            pasted: self.sweep.paste(point, variant, &self.folder),
        }
    }

    fn estimates(&self, board: &Board, candidate: usize, replications: &Range<u32>) -> Vec<Option<Estimate>> {
        let defined = |metric: Metric| board.values(candidate, metric, replications.clone()).into_iter().flatten();
        let metrics = self.goal.metrics().into_iter();
        metrics.map(|metric| Estimate::of(&defined(metric).collect::<Vec<f64>>())).collect()
    }

    fn difference(
        &self,
        board: &Board,
        first: usize,
        candidate: usize,
        number: usize,
        shown: &Range<u32>,
    ) -> Option<Difference> {
        let metric = self.goal.objective;
        let values = |candidate: usize| board.values(candidate, metric, shown.clone());
        let found = paired(&values(candidate), &values(first), 1.0, 0.0)?;
        Some(Difference { variant: number, baseline: 0, metric, found })
    }

    /// The trade-off front, by the means of the search.
    fn front(&self, candidates: &[CandidateResult]) -> Vec<usize> {
        let metrics = self.goal.metrics();
        let cost = |candidate: &CandidateResult, metric: Metric, wants: Direction| {
            let place = metrics.iter().position(|known| *known == metric);
            let mean = place.and_then(|place| candidate.metrics[place]).map_or(f64::NAN, |found| found.mean);
            if wants == Direction::Higher { -mean } else { mean }
        };
        let Goal { objective, wants, against, against_wants, .. } = self.goal;
        let point = |one: &CandidateResult| (cost(one, against, against_wants), cost(one, objective, wants));
        front(&candidates.iter().map(point).collect::<Vec<_>>())
    }

    /// A panic elsewhere ends the program; what is held until then is whole.
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every variant at every point, once for all values of an axis that does not change it.
fn candidates(sweep: &Sweep, facts: &SweepFacts) -> Vec<Candidate> {
    let idle: Vec<Vec<usize>> = (0..facts.variants.len()).map(|variant| sweep.idle_axes(variant)).collect();
    let of_point = |point: usize| {
        let coordinates = facts.coordinates(point);
        let is_first = move |idle: &Vec<usize>| idle.iter().all(|&axis| coordinates[axis] == 0);
        let kept = idle.iter().enumerate().filter(move |(_, idle)| is_first(idle));
        kept.map(move |(variant, idle_axes)| Candidate { point, variant, idle_axes: idle_axes.clone() })
    };
    (0..facts.points()).flat_map(of_point).collect()
}
