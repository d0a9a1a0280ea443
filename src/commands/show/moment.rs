//! The time that is shown of an input that was read to its end.

use crate::record::{A_DAY, Time};

/// The time that is shown of an input that was read to its end, with this `latest` record. A record of less than a day
/// ago may be of a recording that continues: the present is shown. An older recording is shown as it ended.
pub fn moment(latest: Option<Time>) -> Time {
    let now = Time::now();
    latest.filter(|latest| !(0.0..A_DAY).contains(&latest.seconds_until(now))).unwrap_or(now)
}
