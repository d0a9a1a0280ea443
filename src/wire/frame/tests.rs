//! Tests of both decoders with the examples of the documents, and with any bytes in any chunks.

use proptest::{collection::vec, prelude::*};

use super::*;

/// An output of a decoder, with its own copy of the bytes.
#[derive(Debug, Clone, PartialEq)]
enum Out {
    Frame(u8, Option<u16>, Vec<u8>),
    Request(u8, Option<u16>, Vec<u8>),
    Fault(Damage, Vec<u8>),
}

fn out(event: Result<Frame<'_>, BadBytes<'_>>) -> Out {
    match event {
        Ok(frame) => Out::Frame(frame.id, frame.address, frame.data.into()),
        Err(fault) => Out::Fault(fault.damage, fault.bytes.into()),
    }
}

fn request(event: Result<Request<'_>, BadBytes<'_>>) -> Out {
    match event {
        Ok(Request::Bus { byte, address, data }) => Out::Request(byte, Some(address), data.into()),
        Ok(Request::Single { byte, data }) => Out::Request(byte, None, data.into()),
        Err(fault) => Out::Fault(fault.damage, fault.bytes.into()),
    }
}

fn decode<'a>(mode: Mode, chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Out> {
    let mut decoder = Decoder::new(mode);
    let mut all = Vec::new();
    for chunk in chunks {
        decoder.push(chunk, |event| all.push(out(event)));
        assert!(decoder.held() <= LONGEST);
    }
    decoder.finish(|event| all.push(out(event)));
    assert_eq!((decoder.held(), decoder.missing()), (0, 0));
    all
}

fn requests<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Out> {
    let mut decoder = RequestDecoder::default();
    let mut all = Vec::new();
    for chunk in chunks {
        decoder.push(chunk, |event| all.push(request(event)));
    }
    decoder.finish(|event| all.push(request(event)));
    all
}

/// Examples from the makers' header, from a real controller, and some made by hand from the rule.
#[test]
fn checksums_are_those_of_the_documents() {
    for (bytes, expected) in [
        (&[0x81, 0x10, 0x06][..], 0x17),
        (&[0x87, 0x00, 0x00], 0x07),
        (&[0x8b, 0x00, 0x00], 0x0b),
        (&[0x83, 0x10, 0x06], 0x19),
        (&[0x8a, 0x08, 0x01], 0x13),
        (&[0x83, 0x7f, 0x7f], 0x01),
        (&[0x87, 0x00, 0x06, 0x08, 0x01], 0x16),
        (&[0x89, 0x00, 0x08, 0x08, 0x01, 0x01, 0x06], 0x21),
        (&[0x85, 0x00, 0x06, 0x08, 0x01], 0x14),
        (&[0x85, 0x00, 0x0a, 0x08, 0x01, 0x40, 0x34, 0x41, 0x24], 0x71),
        (&[0x85, 0x00, 0x0d, 0x08, 0x01, 0x40, 0x34, 0x41, 0x24, 0x70, 0x59, 0x58], 0x15),
        (&[0x84, 0x00, 0x0d, 0x08, 0x01, 0x20, 0x05, 0x05, 0x20, 0x05, 0x04, 0x09], 0x76),
    ] {
        assert_eq!(checksum(bytes), expected, "{bytes:02x?}");
        let frame = [bytes, &[expected]].concat();
        if bytes.len() == 3 {
            let address = u16::from(bytes[1]) * 128 + u16::from(bytes[2]);
            assert_eq!(requests([&frame[..]]), [Out::Request(bytes[0], Some(address), vec![])]);
        } else {
            let expected = Out::Frame(bytes[0], Some(1025), bytes[5..].into());
            assert_eq!(decode(Mode::Bus, [&frame[..]]), [expected]);
        }
    }
    let mut dump = vec![0x83, 0x00, 0x46, 0x08, 0x01, 8, 9, 10, 12, 11, 10, 9, 8];
    dump.extend([7; 8]);
    dump.extend([0; 32]);
    dump.extend([1; 8]);
    dump.extend([2, 3, 4, 6, 5, 4, 3, 2]);
    assert_eq!(checksum(&dump), 0x7c);
}

#[test]
fn addresses_are_the_plain_binary_value() {
    assert_eq!(join14(0x10, 0x06), 2054);
    assert_eq!(join14(0x08, 0x01), 1025);
    assert_eq!(join14(0x34, 0x1d), 6685);
    assert_eq!(split14(1025), [0x08, 0x01]);
    assert_eq!(split14(6685), [0x34, 0x1d]);
    assert_eq!(split14(0x1f03), [0x3e, 0x03]);
}

#[test]
fn frames_are_encoded_as_in_the_documents() {
    let mut bytes = Vec::new();
    Frame { id: 0x87, address: Some(1025), data: &[] }.encode(&mut bytes);
    Frame { id: 0x8e, address: None, data: &[0x34, 0x00] }.encode(&mut bytes);
    assert_eq!(bytes, [0x87, 0x00, 0x06, 0x08, 0x01, 0x16, 0x8e, 0x00, 0x05, 0x34, 0x00]);
}

#[test]
fn damage_ends_at_the_next_byte_with_bit_7() {
    let ping = [0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
    let good = Out::Frame(0x87, Some(1025), vec![]);
    for (before, trouble) in [
        (&[0x00, 0x42][..], Damage::Stray),
        (&[0x85, 0x00], Damage::CutShort),
        (&[0x85, 0x7f, 0x7f, 0x08, 0x01, 0x40], Damage::CutShort),
        (&[0x85, 0x00, 0x05], Damage::Length),
        (&[0x87, 0x00, 0x06, 0x08, 0x02, 0x16], Damage::Checksum),
    ] {
        let bytes = [before, &ping].concat();
        assert_eq!(decode(Mode::Bus, [&bytes[..]]), [Out::Fault(trouble, before.into()), good.clone()]);
    }
}

/// A real board sent the first bytes, which no document explains.
#[test]
fn an_unexplained_message_does_not_hide_the_next() {
    let bytes = [0x90, 0x81, 0x00, 0x08, 0x00, 0x00, 0xb5, 0x00, 0x08, 0x91, 0x8e, 0x00, 0x05, 0x24, 0x01];
    let all = decode(Mode::Single, [&bytes[..]]);
    assert_eq!(all.last(), Some(&Out::Frame(0x8e, None, vec![0x24, 0x01])));
    assert_eq!(all.len(), 5);
}

#[test]
fn probes_of_other_makes_do_not_hide_frames() {
    let bytes = [0xdf, 0x0d, 0x12, 0x03, 0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
    let all = decode(Mode::Bus, [&bytes[..]]);
    assert_eq!(all, [Out::Fault(Damage::CutShort, bytes[..4].into()), Out::Frame(0x87, Some(1025), vec![])]);
}

#[test]
fn a_decoder_returns_how_many_bytes_are_missing() {
    let mut decoder = Decoder::new(Mode::Bus);
    for (byte, missing) in [(0x87, 2), (0x00, 1), (0x06, 3), (0x08, 2), (0x01, 1), (0x16, 0)] {
        decoder.push(&[byte], |_| {});
        assert_eq!(decoder.missing(), missing);
    }
}

#[test]
fn endless_stray_bytes_are_output_in_pieces() {
    let all = decode(Mode::Bus, [&[0x11; 40_000][..]]);
    let lengths: Vec<_> =
        all.iter().map(|out| if let Out::Fault(_, b) = out { b.len() } else { 0 }).collect();
    assert_eq!(lengths, [16383, 16383, 7234]);
}

#[test]
fn commands_of_all_three_forms_are_decoded() {
    let bytes = [
        0x83, 0x08, 0x01, 0x0c, // to a board on the bus
        0x4a, 0x42, // single bytes
        0x60, 0x04, 0x01, 0x00, 0x3f, 0x00, // lights
        0x2b, 0x03, 0x09, 0x01, 0x00, // a clock command
        0xa0, 0x00, 0x07, 0x08, 0x01, 0x05, 0x35, // a long one of newer firmware
        0x83, 0x08, 0x01, 0x0d, // a wrong checksum
        0x03, // no command
    ];
    assert_eq!(
        requests([&bytes[..]]),
        [
            Out::Request(0x83, Some(1025), vec![]),
            Out::Request(0x4a, None, vec![]),
            Out::Request(0x42, None, vec![]),
            Out::Request(0x60, None, vec![0x01, 0x00, 0x3f, 0x00]),
            Out::Request(0x2b, None, vec![0x09, 0x01, 0x00]),
            Out::Request(0xa0, Some(1025), vec![0x05]),
            Out::Fault(Damage::Checksum, vec![0x83, 0x08, 0x01, 0x0d]),
            Out::Fault(Damage::Stray, vec![0x03]),
        ]
    );
}

/// Bytes as on a real line: noise, and frames that are almost or entirely right.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let frame = (any::<u8>(), prop::option::of(0..1u16 << 14), vec(0..0x80u8, 0..20)).prop_map(
        |(id, address, data)| {
            let mut bytes = Vec::new();
            Frame { id, address, data: &data }.encode(&mut bytes);
            bytes
        },
    );
    let noise = vec(any::<u8>(), 0..12);
    let short = (0x80..=0xffu8, 0..2u8, 0..12u8).prop_map(|(id, high, low)| vec![id, high, low]);
    vec(prop_oneof![frame, noise, short], 0..30).prop_map(|parts| parts.concat())
}

fn chunks<'a>(mut bytes: &'a [u8], sizes: &[usize]) -> Vec<&'a [u8]> {
    let mut chunks = Vec::new();
    for &size in sizes.iter().cycle() {
        if bytes.is_empty() {
            break;
        }
        let (chunk, rest) = bytes.split_at(size.min(bytes.len()));
        chunks.push(chunk);
        bytes = rest;
    }
    chunks
}

proptest! {
    #[test]
    fn a_checksum_is_the_sum_of_its_bytes(bytes in vec(any::<u8>(), 0..40)) {
        let sum: u32 = bytes.iter().map(|byte| u32::from(*byte)).sum();
        prop_assert_eq!(u32::from(checksum(&bytes)), sum % 128);
    }

    #[test]
    fn a_frame_is_decoded_as_it_was_encoded(
        id in 0x80..=0xffu8,
        address in prop::option::of(0..1u16 << 14),
        data in vec(0..0x80u8, 0..300),
    ) {
        let mut bytes = Vec::new();
        let frame = Frame { id, address, data: &data };
        frame.encode(&mut bytes);
        prop_assert_eq!(bytes.len(), frame.length());
        let mode = if address.is_some() { Mode::Bus } else { Mode::Single };
        prop_assert_eq!(decode(mode, [&bytes[..]]), [Out::Frame(id, address, data)]);
    }

    #[test]
    fn chunk_sizes_change_nothing_and_no_byte_is_lost(
        bytes in lines(),
        sizes in vec(1..40usize, 1..8),
        single in any::<bool>(),
    ) {
        let mode = if single { Mode::Single } else { Mode::Bus };
        let whole = decode(mode, [&bytes[..]]);
        prop_assert_eq!(&decode(mode, chunks(&bytes, &sizes)), &whole);
        let again: Vec<u8> = whole.iter().flat_map(|out| match out {
            Out::Frame(id, address, data) => {
                let mut bytes = Vec::new();
                Frame { id: *id, address: *address, data }.encode(&mut bytes);
                bytes
            }
            Out::Fault(_, bytes) => bytes.clone(),
            Out::Request(..) => unreachable!("a request from a board"),
        }).collect();
        prop_assert_eq!(again, bytes);
    }

    #[test]
    fn chunk_sizes_do_not_change_decoded_commands(
        bytes in vec(any::<u8>(), 0..200),
        sizes in vec(1..10usize, 1..8),
    ) {
        prop_assert_eq!(requests(chunks(&bytes, &sizes)), requests([&bytes[..]]));
    }

    #[test]
    fn a_frame_after_any_garbage_is_found(garbage in vec(any::<u8>(), 0..100)) {
        let ping = [0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
        let all = decode(Mode::Bus, [&garbage[..], &ping]);
        prop_assert_eq!(all.last(), Some(&Out::Frame(0x87, Some(1025), vec![])));
    }
}

#[test]
fn a_flood_of_frame_starts_hides_no_frame() {
    let ping = [0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
    let flood = vec![0x85; 3 * LONGEST + 7];
    let bytes = [&flood[..], &ping].concat();
    for chunk in [1, 2, 100, bytes.len()] {
        let all = decode(Mode::Bus, bytes.chunks(chunk));
        let (last, faults) = all.split_last().unwrap();
        assert_eq!(last, &Out::Frame(0x87, Some(1025), vec![]));
        let lengths = faults.iter().map(|fault| match fault {
            Out::Fault(Damage::CutShort, bytes) => bytes.len(),
            other => panic!("{other:?}"),
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [LONGEST, LONGEST, LONGEST, 7], "chunks of {chunk}");
    }
}
