//! Bytes of a line: frames in both modes, the log of a board, the text of a capture.

use boardbus::{
    bus::{answers, bus_mode::overheard::Overheard, tracker::Tracker},
    capture::{self, Direction, Traffic},
    record::{BoardEvent, BoardRecord, Mode, Time},
    wire::{
        eeprom,
        frame::{Decoder, Frame},
        message::Message,
        records::{self, Recorder},
    },
};

use super::{bytes::Bytes, record::board_record_reads_as_written};

/// A frame, or invalid bytes with the reason, as values.
type Found = Result<(u8, Option<u16>, Vec<u8>), (String, Vec<u8>)>;

/// Decodes data of boards in both modes: bytes as they are, or frames composed as the input determines.
pub fn decode(data: &[u8]) {
    let mut input = Bytes::new(data);
    let how = input.byte();
    let mode = if how & 1 == 0 { Mode::Bus } else { Mode::Single };
    let block = 1 + input.below(64);
    let stream = if how & 2 == 0 { input.rest().to_vec() } else { frames(&mut input, mode) };
    let whole = decoded(mode, stream.chunks(stream.len().max(1)));
    assert_eq!(
        whole,
        decoded(mode, stream.chunks(block)),
        "the result depends on the blocks in which bytes arrive"
    );
    let overhead = if mode == Mode::Bus { 6 } else { 3 };
    let lengths = whole.iter().map(|found| match found {
        Ok((.., data)) => data.len() + overhead,
        Err((_, bytes)) => bytes.len(),
    });
    assert_eq!(lengths.sum::<usize>(), stream.len(), "a byte is in no frame and no fault, or in two");
    let mut recorder = Recorder::new(mode);
    for (n, found) in whole.iter().enumerate() {
        let Ok((id, address, data)) = found else { continue };
        let frame = Frame { id: *id, address: *address, data };
        let mut encoded = Vec::new();
        if let Ok(message) = Message::decode(&frame)
            && message.encode(*address, &mut encoded)
        {
            let mut same = Vec::new();
            frame.encode(&mut same);
            let found = decoded(mode, [&encoded[..]].into_iter());
            let Some(Ok((id, address, data))) = found.first() else {
                panic!("{message:?} is no frame: {encoded:02x?}")
            };
            let again = Message::decode(&Frame { id: *id, address: *address, data });
            assert_eq!(again, Ok(message), "{same:02x?} and {encoded:02x?}");
        }
        recorder.record(&frame, Some(Time(n as i64 * 100)), |board, event| {
            board_record_reads_as_written(&BoardRecord::new(Some(Time(0)), board, event));
        });
    }
}

/// Frames, some of them spoilt.
fn frames(input: &mut Bytes<'_>, mode: Mode) -> Vec<u8> {
    let mut stream = Vec::new();
    while !input.is_empty() {
        let id = input.byte() | 0x80;
        let address = (mode == Mode::Bus).then(|| input.below(1 << 14) as u16);
        let length = input.below(140);
        let data = input.take(length);
        let begin = stream.len();
        Frame { id, address, data }.encode(&mut stream);
        let spoilt = input.below(256);
        if spoilt < stream.len() - begin && spoilt > 0 {
            stream[begin + spoilt] = input.byte();
        }
    }
    stream
}

fn decoded<'a>(mode: Mode, blocks: impl Iterator<Item = &'a [u8]>) -> Vec<Found> {
    let (mut decoder, mut found) = (Decoder::new(mode), Vec::new());
    let mut take = |event: Result<Frame<'_>, boardbus::wire::frame::BadBytes<'_>>| {
        found.push(match event {
            Ok(frame) => Ok((frame.id, frame.address, frame.data.to_vec())),
            Err(bad) => Err((format!("{:?}", bad.damage), bad.bytes.to_vec())),
        });
    };
    for block in blocks {
        decoder.push(block, &mut take);
        assert!(decoder.held() <= boardbus::wire::frame::LONGEST);
    }
    decoder.finish(&mut take);
    found
}

/// Reads the log of a board: its entries, a packet, its history, and what a tracker makes of them.
pub fn eeprom(data: &[u8]) {
    let (&cut, log) = data.split_first().unwrap_or((&0, &[]));
    let entries: Vec<eeprom::Entry<'_>> = eeprom::entries(log).collect();
    // Bytes cut out after an invalid entry may have been all that kept it from being valid.
    if !entries.iter().any(|entry| matches!(entry, eeprom::Entry::Bad(_))) {
        let mut written = Vec::new();
        entries.iter().for_each(|entry| entry.encode(&mut written));
        let again: Vec<eeprom::Entry<'_>> = eeprom::entries(&written).collect();
        assert_eq!(entries, again, "written entries are read differently");
    }
    assert!(eeprom::torn_entries(log).count() <= entries.len().max(log.len()));
    let (before, later) = log.split_at(usize::from(cut).min(log.len()));
    let packets = [before, later].map(|packet| records::packet(packet).collect::<Vec<BoardEvent>>());
    for torn in [false, true] {
        let events = answers::history(log, torn, "attack");
        let Some((BoardEvent::History(history), rest)) = events.split_first() else {
            panic!("no history of {log:02x?}")
        };
        assert_eq!(history.count as usize, rest.len());
        let mut tracker = Tracker::default();
        tracker.apply(&packets[0]);
        tracker.missed(rest);
        tracker.may_come_again(&packets[1]);
        let unpublished = tracker.unpublished(&packets[1]);
        assert!(unpublished.len() <= packets[1].len());
        tracker.apply(&unpublished);
        tracker.restart();
        tracker.apply(rest);
        tracker.apply(&packets[1]);
        tracker.take_contradiction();
        for event in events {
            board_record_reads_as_written(&BoardRecord::new(None, Some(1025), event));
        }
    }
}

/// Reads the text of a capture: each line, and the bus traffic in them.
pub fn capture(data: &[u8]) {
    let (mut overheard, mut bytes) = (Overheard::default(), Vec::new());
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(Some(traffic)) = capture::parse(line, &mut bytes) else { continue };
        let written = traffic.with(&bytes).to_string();
        let mut again = Vec::new();
        let read: Option<Traffic> =
            capture::parse(written.as_bytes(), &mut again).expect("a line of a capture");
        assert_eq!((read, &again), (Some(traffic), &bytes), "{written}");
        // Commands with a correct checksum, which a fuzzer does not find.
        if traffic.direction == Direction::ToBoards && bytes.len() == 4 {
            bytes[0] |= 0x80;
            bytes[1..3].iter_mut().for_each(|byte| *byte &= 0x7f);
            bytes[3] = boardbus::wire::frame::checksum(&bytes[..3]);
        }
        overheard.traffic(traffic.time, traffic.direction, &bytes);
        overheard.take_records().into_iter().for_each(|record| board_record_reads_as_written(&record));
    }
    overheard.finish();
    overheard.take_records().into_iter().for_each(|record| board_record_reads_as_written(&record));
}
