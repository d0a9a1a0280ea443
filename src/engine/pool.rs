//! Engines at work, a thread each. Who wants something evaluated keeps a [`Desk`]; the engines come to it.

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

/// An engine that fails so often without an answer in between is given up.
const TRIES: u32 = 5;

/// What an engine is to evaluate.
#[derive(Debug, Clone)]
pub struct Job {
    /// By what the desk knows it again.
    pub(super) id: u64,
    pub(super) position: Arc<Position>,
    pub(super) limit: Limit,
}

/// What became of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The engine's evaluation.
    Found(Evaluation),
    /// There is none, and there will be none.
    LeftOut,
    /// No engine was asked after all.
    NotAsked,
}

/// Where jobs come from and answers go to: records go through it, each with what is to be written for it.
pub trait Desk: Send {
    /// Takes a line of the input, and the record of a game that it is, if it is one.
    fn line(&mut self, line: &[u8], record: Option<&GameRecord>);
    /// Takes out what is to be written by now.
    fn take(&mut self) -> Vec<u8>;
    /// Whether engines should catch up before there is more.
    fn is_full(&self) -> bool;
    /// Whether something will be written later.
    fn waits(&self) -> bool;
    /// No engine is left: nothing is waited for any more.
    fn give_up(&mut self);
    /// What should be evaluated next.
    fn next(&mut self) -> Option<Job>;
    /// Whether an engine should end with what it has, because something else comes first.
    fn ends_early(&mut self, id: u64) -> bool;
    /// What became of a job.
    fn done(&mut self, job: Job, outcome: Outcome);
}

/// Engines that come to a desk.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// There may be something to do.
    work: Condvar,
    /// There may be something to write.
    answers: Condvar,
    settings: Settings,
    report: fn(&str),
}

struct State {
    desk: Box<dyn Desk>,
    closing: bool,
    /// How many engines have not been given up.
    engines: usize,
    /// What was reported that concerns all engines alike.
    reported: BTreeSet<String>,
    left_out: u64,
    /// Jobs at which an engine ended, which are asked for once more.
    asked_again: BTreeSet<u64>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("engines", &self.threads.len()).finish_non_exhaustive()
    }
}

impl Pool {
    /// So many engines, none of which is started before there is something to do. What goes wrong is reported in words.
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

    /// Does something at the desk.
    pub fn at_desk<T>(&self, f: impl FnOnce(&mut dyn Desk) -> T) -> T {
        let mut state = self.shared.lock();
        let done = f(&mut *state.desk);
        drop(state);
        self.shared.work.notify_all();
        done
    }

    /// Waits for an answer, no longer than this.
    pub fn wait(&self, longest: Duration) {
        let state = self.shared.lock();
        drop(self.shared.answers.wait_timeout(state, longest));
    }

    /// Whether all engines were given up.
    pub fn is_given_up(&self) -> bool {
        self.shared.lock().engines == 0
    }

    /// How many positions have no evaluation because of what engines did.
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

    /// The next thing to do; none when there will be no more.
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

    fn done(&self, job: Job, outcome: Outcome) {
        let mut state = self.lock();
        state.left_out += u64::from(outcome == Outcome::LeftOut);
        state.desk.done(job, outcome);
        drop(state);
        self.answers.notify_all();
        self.work.notify_all();
    }

    /// Reports what would be said of each engine once.
    fn report_once(&self, words: String) {
        if self.lock().reported.insert(words.clone()) {
            (self.report)(&words);
        }
    }

    /// What one engine does, and whichever takes its place.
    fn work(&self) {
        let (mut engine, mut failures) = (None, 0);
        while let Some(job) = self.next() {
            match self.answer(&mut engine, &job) {
                Ok(outcome) => {
                    failures = 0;
                    self.done(job, outcome);
                }
                Err(Trouble::Left) => self.done(job, Outcome::NotAsked),
                Err(trouble) => {
                    failures += 1;
                    if self.fails(&trouble, job, failures) {
                        return;
                    }
                }
            }
        }
    }

    /// An engine is of no more use; whether no other takes its place.
    fn fails(&self, trouble: &Trouble, job: Job, failures: u32) -> bool {
        let is_given_up = match trouble {
            Trouble::NoStart(_) | Trouble::NoUci => true,
            _ => failures >= TRIES,
        };
        let outcome = match trouble {
            Trouble::NoStart(_) | Trouble::NoUci | Trouble::EndedAtOnce => Outcome::NotAsked,
            // That it ended may be the doing of somebody else.
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
        self.done(job, outcome);
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
        // An engine that fails is dropped, which ends it.
        let mut evaluate = || running.evaluate(&job.position, job.limit, &mut || self.ask(job.id));
        // One that had no turn of the processor in its time has a move and no score: it is asked once more.
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
