//! A pool of engines with a thread each. A caller keeps a [`Desk`] of positions; the engines fetch jobs from it.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{
    position::Position,
    process::{Ask, Engine, Settings, Trouble},
    uci::Limit,
};
use crate::record::{Evaluation, GameRecord};

/// An engine is given up after this many failures without an answer in between.
const TRIES: u32 = 5;

/// A position for an engine.
#[derive(Debug, Clone)]
pub struct Job {
    /// The key by which the desk recognises it.
    pub(super) id: u64,
    pub(super) position: Arc<Position>,
    pub(super) limit: Limit,
}

/// The outcome of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The engine's evaluation.
    Found(Evaluation),
    /// There is none, and will be none.
    LeftOut,
    /// No engine was asked.
    NotAsked,
}

/// The source of jobs and the receiver of answers. Records pass through it, each with the evaluations written for it.
pub trait Desk: Send {
    /// Reads a line of the input, with its game record, if it is one.
    fn line(&mut self, line: &[u8], record: Option<&GameRecord>);
    /// Removes and returns the bytes that are ready to be written.
    fn take(&mut self) -> Vec<u8>;
    /// Whether the caller should wait for the engines before it reads more.
    fn is_full(&self) -> bool;
    /// Whether more will be written later.
    fn waits(&self) -> bool;
    /// No engine is left: stops waiting for evaluations.
    fn give_up(&mut self);
    /// The next position to evaluate.
    fn next(&mut self) -> Option<Job>;
    /// Whether an engine should end with its result so far, because another position comes first.
    fn ends_early(&mut self, id: u64) -> bool;
    /// Stores the outcome of a job.
    fn store(&mut self, job: Job, outcome: Outcome);
}

/// Engines that work for a desk.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// Signals that there may be a job.
    work: Condvar,
    /// Signals that there may be something to write.
    answers: Condvar,
    settings: Settings,
    report: fn(&str),
}

struct State {
    desk: Box<dyn Desk>,
    closing: bool,
    /// The number of engines that were not given up.
    engines: usize,
    /// Messages that concern all engines alike and were reported.
    reported: BTreeSet<String>,
    left_out: u64,
    /// Jobs on which an engine ended; each is tried once more.
    asked_again: BTreeSet<u64>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("engines", &self.threads.len()).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool of this many engines, started when there is a job. Failures are reported as messages.
    pub fn new(desk: Box<dyn Desk>, engines: usize, settings: Settings, report: fn(&str)) -> Pool {
        let (reported, asked_again) = Default::default();
        let state = State { desk, closing: false, engines, reported, left_out: 0, asked_again };
        let (work, answers) = (Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { state: Mutex::new(state), work, answers, settings, report });
        let threads = (0..engines).map(|_| {
            let shared = shared.clone();
            thread::spawn(move || shared.work())
        });
        Pool { threads: threads.collect(), shared }
    }

    /// Calls `f` with the desk.
    pub fn at_desk<T>(&self, f: impl FnOnce(&mut dyn Desk) -> T) -> T {
        let mut state = self.shared.lock();
        let done = f(&mut *state.desk);
        drop(state);
        self.shared.work.notify_all();
        done
    }

    /// Waits for an answer, up to this time.
    pub fn wait(&self, longest: Duration) {
        let state = self.shared.lock();
        drop(self.shared.answers.wait_timeout(state, longest));
    }

    /// Whether all engines were given up.
    pub fn is_given_up(&self) -> bool {
        self.shared.lock().engines == 0
    }

    /// The number of positions without an evaluation because engines failed.
    pub fn left_out(&self) -> u64 {
        self.shared.lock().left_out
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.work.notify_all();
        for thread in self.threads.drain(..) {
            _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job; none when there will be no more.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.closing {
                return None;
            }
            if let Some(job) = state.desk.next() {
                return Some(job);
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn ask(&self, id: u64) -> Ask {
        let mut state = self.lock();
        if state.closing {
            Ask::Leave
        } else if state.desk.ends_early(id) {
            Ask::Stop
        } else {
            Ask::GoOn
        }
    }

    fn store(&self, job: Job, outcome: Outcome) {
        let mut state = self.lock();
        state.left_out += u64::from(outcome == Outcome::LeftOut);
        state.desk.store(job, outcome);
        drop(state);
        self.answers.notify_all();
        self.work.notify_all();
    }

    /// Reports a message that would be the same for each engine, once.
    fn report_once(&self, words: String) {
        if self.lock().reported.insert(words.clone()) {
            (self.report)(&words);
        }
    }

    /// The work of one engine's thread, and of the engines that replace a failed one.
    fn work(&self) {
        let (mut engine, mut failures) = (None, 0);
        while let Some(job) = self.next() {
            match self.answer(&mut engine, &job) {
                Ok(outcome) => {
                    failures = 0;
                    self.store(job, outcome);
                }
                Err(Trouble::Left) => self.store(job, Outcome::NotAsked),
                Err(trouble) => {
                    failures += 1;
                    if self.fails(&trouble, job, failures) {
                        return;
                    }
                }
            }
        }
    }

    /// Handles an engine that failed; returns whether no other replaces it.
    fn fails(&self, trouble: &Trouble, job: Job, failures: u32) -> bool {
        let is_given_up = match trouble {
            Trouble::NoStart(_) | Trouble::NoUci => true,
            _ => failures >= TRIES,
        };
        let outcome = match trouble {
            Trouble::NoStart(_) | Trouble::NoUci | Trouble::EndedAtOnce => Outcome::NotAsked,
            // Something else may have ended it.
            Trouble::Ended if self.lock().asked_again.insert(job.id) => Outcome::NotAsked,
            _ => Outcome::LeftOut,
        };
        let name = self.settings.program.name();
        if matches!(trouble, Trouble::NoStart(_) | Trouble::NoUci | Trouble::EndedAtOnce) {
            self.report_once(format!("{name} {trouble}"));
        } else {
            let left_out = outcome == Outcome::LeftOut;
            let position = if left_out { "which is left out" } else { "which is asked for once more" };
            let then = if is_given_up { "it is given up" } else { "it is started again" };
            (self.report)(&format!("{name} {trouble} at {}, {position}; {then}", job.position.fen()));
        }
        if is_given_up {
            let mut state = self.lock();
            state.engines -= 1;
            if state.engines == 0 {
                state.desk.give_up();
            }
        }
        self.store(job, outcome);
        is_given_up
    }

    fn answer(&self, engine: &mut Option<Engine>, job: &Job) -> Result<Outcome, Trouble> {
        let mut running = match engine.take() {
            Some(running) => running,
            None => {
                let begun = Engine::start(&self.settings, &mut || match self.ask(job.id) {
                    Ask::Leave => Ask::Leave,
                    Ask::Stop | Ask::GoOn => Ask::GoOn,
                })?;
                for name in &begun.unknown {
                    self.report_once(format!("{} has no option \"{name}\"", begun.name()));
                }
                begun
            }
        };
        if !running.can(&job.position) {
            self.report_once(format!("{} plays no Chess960: such positions are left out", running.name()));
            *engine = Some(running);
            return Ok(Outcome::LeftOut);
        }
        // Dropping an engine ends it.
        let mut evaluate = || running.evaluate(&job.position, job.limit, &mut || self.ask(job.id));
        // An engine that got no processor time has a move and no score: it is asked once more.
        let found = match evaluate()? {
            None => evaluate()?,
            found => found,
        };
        if found.is_none() {
            let (name, fen) = (running.name(), job.position.fen());
            (self.report)(&format!("{name} gave no score for {fen}: it is left out"));
        }
        *engine = Some(running);
        Ok(found.map_or(Outcome::LeftOut, Outcome::Found))
    }
}
