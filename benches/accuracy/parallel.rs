//! Work spread over the cores, with a progress bar.

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use boardbus::progress;

/// Does all of `work` in up to `jobs` threads (none: one per core). `size`: by how much an item advances the bar.
pub fn each<T: Sync>(
    jobs: Option<usize>,
    what: &str,
    work: &[T],
    size: impl Fn(&T) -> usize + Sync,
    run: impl Fn(&T) + Sync,
) {
    let bar = progress::bar(work.iter().map(&size).sum::<usize>() as u64, what);
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..jobs.unwrap_or(cores).max(1) {
            scope.spawn(|| {
                while let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(one);
                    bar.inc(size(one) as u64);
                }
            });
        }
    });
    bar.finish_and_clear();
}
