//! Time zones: records are in UTC, people and the dates of games are somewhere.

use jiff::{
    Timestamp,
    tz::{self, TimeZone},
};

use super::value::Time;

/// A time zone, with its rules of summer and winter; they are part of the program, so that the same records give the same
/// dates on every machine.
#[derive(Debug, Clone)]
pub struct Zone(TimeZone);

impl Zone {
    /// That of this machine, or of the variable TZ; UTC where it is not set.
    pub fn here() -> Zone {
        Zone(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// That of this IANA name, `Europe/Berlin`.
    pub fn named(name: &str) -> Option<Zone> {
        tz::db().get(name).ok().map(Zone)
    }

    /// Its IANA name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.0.iana_name()
    }

    /// The date there, as tags have it: `2026.11.21`.
    pub fn date(&self, time: Time) -> String {
        self.at(time, "%Y.%m.%d")
    }

    /// The time of day there: `11:00:07`, beside something that says where.
    pub fn hour(&self, time: Time) -> String {
        self.at(time, "%H:%M:%S")
    }

    /// The minute there, with the zone: `11:00 CET`.
    pub fn minute(&self, time: Time) -> String {
        self.at(time, "%H:%M %Z")
    }

    /// The time of day there, with the zone: `11:00:07 CET`.
    pub fn time_of_day(&self, time: Time) -> String {
        self.at(time, "%H:%M:%S %Z")
    }

    /// Date and time of day there, with the zone: `2026-11-21 11:00:07 CET`.
    pub fn date_and_time(&self, time: Time) -> String {
        self.at(time, "%Y-%m-%d %H:%M:%S %Z")
    }

    fn at(&self, time: Time, format: &str) -> String {
        let stamp = Timestamp::from_millisecond(time.0).unwrap_or_default();
        stamp.to_zoned(self.0.clone()).strftime(format).to_string()
    }
}

impl Default for Zone {
    /// UTC.
    fn default() -> Zone {
        Zone(TimeZone::UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evening_is_on_its_own_day_and_summer_is_known() {
        let evening: Time = "2026-11-22T01:30:00.000Z".parse().unwrap();
        let summer: Time = "2026-07-01T23:30:00.000Z".parse().unwrap();
        let [york, berlin] = ["America/New_York", "Europe/Berlin"].map(|name| Zone::named(name).unwrap());
        assert_eq!((york.date(evening), berlin.date(evening)), ("2026.11.21".into(), "2026.11.22".into()));
        assert_eq!(york.date_and_time(evening), "2026-11-21 20:30:00 EST");
        assert_eq!(berlin.time_of_day(summer), "01:30:00 CEST");
        assert_eq!(berlin.date(summer), "2026.07.02");
        assert_eq!(Zone::default().time_of_day(summer), "23:30:00 UTC");
        assert_eq!(berlin.name(), Some("Europe/Berlin"));
        assert!(Zone::named("Hall/Two").is_none());
    }
}
