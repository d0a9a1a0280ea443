//! Time zones: records are in UTC, dates of games and displayed times are local.

use std::{env, fs, path::Path};

use jiff::{
    Timestamp,
    tz::{self, TimeZone},
};

use super::value::Time;

/// The file with the rules of this machine's zone, often a link that contains its name; and Debian's file with its
/// name.
const RULES: &str = "/etc/localtime";
const NAME: &str = "/etc/timezone";
/// The part of a path in a database of zones before the name of the zone.
const DATABASE: &str = "zoneinfo/";
/// A time longer ago than this many seconds is shown as a date.
pub const A_DAY: f64 = 86_400.0;
/// Days of ten years whose rules are the same in every edition of the database: 2015 to 2024, counted from 1970.
const KNOWN_DAYS: std::ops::Range<i64> = 16436..20089;

/// A time zone with its daylight saving rules; these are part of the program, so that the same records give the same
/// dates on every machine.
#[derive(Debug, Clone)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone of this machine, or of the variable TZ; UTC where neither has one.
    pub fn here() -> Zone {
        Zone::named_here().or_else(|| TimeZone::try_system().ok().map(Zone)).unwrap_or_default()
    }

    /// The same, only where an IANA name is found: so UTC is a zone that was set, and no default.
    pub fn named_here() -> Option<Zone> {
        match env::var_os("TZ") {
            Some(text) => Zone::of_variable(text.to_str()?),
            None => {
                let text = fs::read_to_string(NAME).ok();
                Zone::of_link(RULES).or_else(|| Zone::beside_rules(&text?, fs::read(RULES).ok().as_deref()))
            }
        }
    }

    /// The zone of TZ: a name, or a link to rules; rules alone do not identify a zone.
    fn of_variable(text: &str) -> Option<Zone> {
        if text.is_empty() {
            return Some(Zone::default());
        }
        let text = text.strip_prefix(':').unwrap_or(text);
        Zone::called(text).or_else(|| Zone::of_link(text))
    }

    /// The zone of a link to rules.
    fn of_link(path: impl AsRef<Path>) -> Option<Zone> {
        let link = fs::read_link(path).ok()?;
        link.to_str().filter(|link| link.contains(DATABASE)).and_then(Zone::called)
    }

    /// The zone of a name in a file, unless the rules beside it are those of another zone.
    fn beside_rules(name: &str, rules: Option<&[u8]>) -> Option<Zone> {
        let rules = rules.and_then(|rules| TimeZone::tzif("", rules).ok());
        Zone::called(name).filter(|zone| rules.is_none_or(|rules| zone.agrees(&rules)))
    }

    /// The zone of this name, or of this path in a database of zones.
    fn called(name: &str) -> Option<Zone> {
        let name = name.rsplit_once(DATABASE).map_or(name, |(_, name)| name).trim();
        let name = ["posix/", "right/"].iter().find_map(|part| name.strip_prefix(part)).unwrap_or(name);
        Zone::named(name)
    }

    /// Whether its offsets are the same as by these rules.
    fn agrees(&self, rules: &TimeZone) -> bool {
        let mut days = KNOWN_DAYS.filter_map(|day| Timestamp::from_second(day * 24 * 60 * 60).ok());
        days.all(|day| self.0.to_offset(day) == rules.to_offset(day))
    }

    /// The zone of this IANA name, `Europe/Berlin`.
    pub fn named(name: &str) -> Option<Zone> {
        tz::db().get(name).ok().map(Zone)
    }

    /// Its IANA name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.0.iana_name()
    }

    /// The date there in the form of tags: `2026.11.21`.
    pub fn date(&self, time: Time) -> String {
        self.at(time, "%Y.%m.%d")
    }

    /// The time of day there, `11:00:07`, for use beside the name of the zone.
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

    /// The date there, `2026-11-21`, of a time more than a day ago; none for later times.
    pub fn long_ago(&self, time: Time, now: Time) -> Option<String> {
        (time.seconds_until(now) >= A_DAY).then(|| self.at(time, "%Y-%m-%d"))
    }

    /// The duration of a state, in the words that `span` has for its seconds; beyond a day its first date: `since
    /// 2026-11-21`.
    pub fn lasting(&self, since: Time, now: Time, span: impl Fn(f64) -> String) -> String {
        let date = self.long_ago(since, now).map(|date| format!("since {date}"));
        date.unwrap_or_else(|| span(since.seconds_until(now)))
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

    fn name(zone: Option<Zone>) -> Option<String> {
        zone.and_then(|zone| zone.name().map(str::to_owned))
    }

    /// Rules as a file has them: only POSIX ones.
    fn rules(posix: &str) -> Vec<u8> {
        // RFC 8536: a header of each version with its counts, one type of local time with its name, and the rules.
        let part = |long: &[u8]| {
            let counts = [0_u32, 0, 0, 0, 1, 4].map(u32::to_be_bytes).concat();
            [&b"TZif2"[..], &[0; 15], &counts, &[0; 6], b"UTC\0", long].concat()
        };
        [part(b""), part(format!("\n{posix}\n").as_bytes())].concat()
    }

    #[test]
    fn variables_name_a_zone_or_none() {
        let of = |text: &str| name(Zone::of_variable(text));
        for text in [
            "America/New_York",
            ":America/New_York",
            "America/New_York ",
            "/usr/share/zoneinfo/America/New_York",
            ":/usr/share/zoneinfo/posix/America/New_York",
        ] {
            assert_eq!(of(text).as_deref(), Some("America/New_York"), "{text}");
        }
        assert_eq!((of("UTC").as_deref(), of("").as_deref()), (Some("UTC"), Some("UTC")));
        for text in ["bogus", "EST5EDT,M3.2.0,M11.1.0", "/nowhere", ":", " "] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn a_link_to_rules_names_their_zone() {
        let folder = tempfile::tempdir().unwrap();
        for (n, target, expected) in [
            (0, "/usr/share/zoneinfo/America/New_York", Some("America/New_York")),
            (1, "../usr/share/zoneinfo/posix/America/New_York", Some("America/New_York")),
            (2, "/usr/share/zoneinfo/right/America/New_York", Some("America/New_York")),
            (3, "/srv/UTC", None),
        ] {
            let link = folder.path().join(n.to_string());
            std::os::unix::fs::symlink(target, &link).unwrap();
            assert_eq!(name(Zone::of_link(&link)).as_deref(), expected, "{target}");
            let variable = format!(":{}", link.display());
            assert_eq!(name(Zone::of_variable(&variable)).as_deref(), expected, "{target}");
        }
    }

    #[test]
    fn a_name_beside_rules_must_fit_them() {
        let york = rules("EST5EDT,M3.2.0,M11.1.0");
        let of = |text: &str| name(Zone::beside_rules(text, Some(&york)));
        assert_eq!(of("America/New_York\n").as_deref(), Some("America/New_York"));
        for other in ["Europe/Berlin", "UTC", "bogus", ""] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(name(Zone::beside_rules("Europe/Berlin\n", None)).as_deref(), Some("Europe/Berlin"));
    }

    #[test]
    fn dates_and_daylight_saving_follow_the_zone() {
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
