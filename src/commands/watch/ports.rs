//! The ports that are watched, and the lines of their boards.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::to_writer::Lines;
use crate::{
    bus::{Recalled, recall::Recall},
    commands::line,
    error::{Error, Result},
    record::Mode,
    stdio,
};

/// The ports, and the possible lines of their boards.
pub(super) struct Ports {
    /// The ports.
    pub paths: Vec<PathBuf>,
    /// The line names of each port.
    pub lines: Vec<Lines>,
    /// The lines with which the recording begins; others begin with their first record.
    pub begun: Vec<Option<Arc<str>>>,
}

impl Ports {
    /// These ports, or all that exist, with these names of lines: none, one for each, or one for all.
    ///
    /// # Errors
    /// [`Error::Usage`] where the numbers of names and ports differ, or two boards got one number.
    pub fn new(ports: &[PathBuf], names: &[String], numbers: &[(String, u16)]) -> Result<Ports> {
        let paths = if ports.is_empty() { line::all_ports()? } else { ports.to_vec() };
        let count = paths.len();
        if names.len() > 1 && names.len() != count {
            return Err(Error::Usage(format!("{count} ports and {} --line names", names.len())));
        }
        for (n, (name, number)) in numbers.iter().enumerate() {
            if let Some((other, _)) =
                numbers[..n].iter().find(|(other, also)| number == also || name == other)
            {
                let problem = format!("--name: {other} and {name} both have the number {number}, or are one");
                return Err(Error::Usage(problem));
            }
        }
        let is_absent =
            |path: &Path| path.is_absolute() && !path.exists() && !paths.iter().any(|port| port == path);
        for (name, number) in numbers.iter().filter(|(name, _)| is_absent(Path::new(name))) {
            stdio::say(format_args!("--name: there is no port {name} yet: no board has the number {number}"));
        }
        let same = |name: &str| Lines { bus: Some(name.into()), alone: Some(name.into()) };
        let lines: Vec<Lines> = match names {
            [] if count == 1 => vec![Lines::default()],
            [] => {
                let of = |path: &PathBuf| Lines { bus: Some(path.display().to_string().into()), alone: None };
                paths.iter().map(of).collect()
            }
            [one] => vec![same(one); count],
            each => each.iter().map(|name| same(name)).collect(),
        };
        let mut begun: Vec<Option<Arc<str>>> = Vec::new();
        for line in lines.iter().filter(|line| line.bus == line.alone) {
            if !begun.contains(&line.bus) {
                begun.push(line.bus.clone());
            }
        }
        Ok(Ports { paths, lines, begun })
    }

    /// What a journal has about the boards of a port, and their mode.
    pub fn recalled(&self, recall: &mut Recall, lines: &Lines, port: &str) -> (Recalled, Option<Mode>) {
        let Lines { bus, alone } = lines;
        let (bus, alone) = (bus.as_deref(), alone.as_deref());
        let is_shared = self.lines.iter().filter(|other| other.alone.as_deref() == alone).count() > 1;
        let boards = if is_shared || recall.had_several_ports(alone) {
            let of_bus = if bus == alone { Recalled::new() } else { recall.line_named(bus) };
            recall.boards_on(alone, port).into_iter().chain(of_bus).collect()
        } else {
            recall.line_named(bus)
        };
        let mode = recall.mode_on(alone, port).or_else(|| recall.mode_on(bus, port));
        (boards, mode)
    }
}

/// `PORT=NUMBER` or `SERIAL=NUMBER`.
pub(super) fn name(text: &str) -> std::result::Result<(String, u16), String> {
    let problem = || "not PORT=NUMBER with a number from 1 to 16383, such as /dev/ttyACM0=5".to_owned();
    let (name, number) = text.rsplit_once('=').ok_or_else(problem)?;
    match number.parse() {
        Ok(number @ 1..=16_383) if !name.is_empty() => Ok((name.into(), number)),
        _ => Err(problem()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    fn ports(count: usize, names: &[&str], numbers: &[&str]) -> std::result::Result<Ports, String> {
        let paths: Vec<PathBuf> = (1..=count).map(|n| format!("/dev/port{n}").into()).collect();
        let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
        let numbers: Vec<_> = numbers.iter().map(|text| name(text).unwrap()).collect();
        Ports::new(&paths, &names, &numbers).map_err(|error| error.to_string())
    }

    #[test]
    fn boards_alone_on_several_ports_share_a_line() {
        let lines = |count, names: &[&str]| -> Vec<(Option<String>, Option<String>)> {
            let name = |name: &Option<Arc<str>>| name.as_deref().map(str::to_owned);
            ports(count, names, &[])
                .unwrap()
                .lines
                .iter()
                .map(|line| (name(&line.bus), name(&line.alone)))
                .collect()
        };
        let both = |name: &str| (Some(name.to_owned()), Some(name.to_owned()));
        assert_eq!(lines(1, &[]), [(None, None)]);
        assert_eq!(lines(2, &[]), [(Some("/dev/port1".into()), None), (Some("/dev/port2".into()), None)]);
        assert_eq!(lines(2, &["club"]), [both("club"), both("club")]);
        assert_eq!(lines(2, &["a", "b"]), [both("a"), both("b")]);
        assert!(ports(3, &["a", "b"], &[]).is_err());
    }

    /// The numbers of the boards that a journal with these `board` records has about the only port, and their mode.
    fn recalled(found: &[&str]) -> (Vec<u16>, Option<Mode>) {
        let mut recall = Recall::default();
        for found in found {
            let record = format!("{{\"type\":\"board\",{found}}}");
            recall.record(record::parse(record.as_bytes()).unwrap());
        }
        let ports = ports(1, &[], &[]).unwrap();
        let (boards, mode) = ports.recalled(&mut recall, &ports.lines[0], "/dev/port1");
        (boards.into_keys().collect(), mode)
    }

    #[test]
    fn one_port_of_several_has_its_own_boards() {
        let certabo = r#""board":2,"port":"/dev/port1","make":"certabo""#;
        let alone = r#""board":1025,"port":"/dev/port2","mode":"single""#;
        assert_eq!(recalled(&[certabo, alone]), (vec![2], Some(Mode::CERTABO)));
        assert_eq!(recalled(&[alone, certabo]), (vec![2], Some(Mode::CERTABO)));
        let elsewhere = r#""board":1,"port":"/dev/port3","make":"chessnut""#;
        assert_eq!(recalled(&[alone, elsewhere]), (vec![], None));
    }

    #[test]
    fn a_renamed_port_has_the_boards_of_the_journal() {
        let alone = r#""board":1025,"port":"/dev/port2","mode":"single""#;
        // What is on a port of that name now is not known.
        assert_eq!(recalled(&[alone]), (vec![1025], None));
        let bus = |board, port| format!(r#""board":{board},"port":"{port}","mode":"bus""#);
        let (before, after) = (bus(1025, "/dev/port2"), bus(1026, "/dev/port1"));
        assert_eq!(recalled(&[&before, &after]), (vec![1025, 1026], Some(Mode::Bus)));
    }

    #[test]
    fn a_number_is_given_once() {
        assert!(ports(2, &[], &["/dev/port1=5", "/dev/port2=6"]).is_ok());
        assert!(ports(2, &[], &["/dev/port1=5", "3000147740=5"]).is_err());
        assert!(ports(2, &[], &["/dev/port1=5", "/dev/port1=6"]).is_err());
        for wrong in ["5", "=5", "/dev/port1=", "/dev/port1=0", "/dev/port1=16384"] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}
