//! Which moment is shown of what was read to its end.

use crate::record::{A_DAY, Time};

/// The moment that is shown of what was read to its end, whose last record is of the `latest`: one of less than a day ago may
/// be recorded still, and nothing came since; an older one stands as it ended.
pub fn moment(latest: Option<Time>) -> Time {
    let now = Time::now();
    latest.filter(|latest| !(0.0..A_DAY).contains(&latest.seconds_until(now))).unwrap_or(now)
}
