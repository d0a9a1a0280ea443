//! Frames: where a message begins and ends, in both directions and both modes.
//!
//! Only the first byte of a frame has bit 7 set, so a byte with bit 7 is where a decoder that lost its way
//! begins again, and nothing can hide inside a frame. Every byte that goes in comes out in exactly one
//! frame or fault, whatever the chunks it arrives in.

use crate::record::Mode;

/// The greatest length that two 7-bit bytes can say, header and checksum included.
pub const LONGEST: usize = (1 << 14) - 1;

const START: u8 = 0x80;
const SINGLE_HEADER: usize = 3;
const BUS_HEADER: usize = 5;
/// The bus header and the checksum.
const BUS_LEAST: usize = 6;

/// The checksum of the bus: the sum of all bytes before it, kept to 7 bits.
pub fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte)) & 0x7f
}

/// A 14-bit number as two bytes of 7 bits, the upper first: bus addresses and lengths.
pub fn split14(number: u16) -> [u8; 2] {
    [(number >> 7) as u8 & 0x7f, number as u8 & 0x7f]
}

/// The number in two bytes of 7 bits.
pub fn join14(high: u8, low: u8) -> u16 {
    u16::from(high & 0x7f) << 7 | u16::from(low & 0x7f)
}

/// A message of a board, its framing taken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What the message is: `wire::message` knows.
    pub id: u8,
    /// Bus address of the sender; none in single-board mode, whose frames carry neither address nor checksum.
    pub address: Option<u16>,
    /// The content, 7 bits a byte.
    pub data: &'a [u8],
}

impl Frame<'_> {
    /// Length on the wire, in bytes.
    pub fn length(&self) -> usize {
        self.data.len() + if self.address.is_some() { BUS_LEAST } else { SINGLE_HEADER }
    }

    /// Appends the frame as it goes over the wire; bit 7 of data bytes is not sent.
    ///
    /// # Panics
    /// When the frame would be longer than [`LONGEST`]; no ring of a board holds as much.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let begin = out.len();
        let length = self.length();
        assert!(length <= LONGEST, "a frame of {length} bytes");
        out.push(self.id | START);
        out.extend(split14(length as u16));
        out.extend(self.address.into_iter().flat_map(split14));
        out.extend(self.data.iter().map(|byte| byte & 0x7f));
        if self.address.is_some() {
            out.push(checksum(&out[begin..]));
        }
    }
}

/// Bytes that are no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault<'a> {
    /// What is wrong with them.
    pub trouble: Trouble,
    /// All of them, at most [`LONGEST`].
    pub bytes: &'a [u8],
}

/// Why bytes are no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// A frame of the length it says, with a wrong checksum.
    Checksum,
    /// A header that says a length no frame has.
    Length,
    /// The next frame, or silence, came before the frame was whole.
    CutShort,
    /// Bytes outside any frame.
    Stray,
}

/// Finds frames in what boards send, in chunks of any size.
#[derive(Debug, Clone)]
pub struct Decoder(Framer<Replies>);

impl Decoder {
    /// A decoder for a line in this mode.
    pub fn new(mode: Mode) -> Decoder {
        Decoder(Framer { grammar: Replies { mode }, held: Vec::new() })
    }

    /// Takes the next bytes and hands on each frame and fault that ends in them.
    pub fn push(&mut self, bytes: &[u8], mut on: impl FnMut(Result<Frame<'_>, Fault<'_>>)) {
        self.0.push(bytes, &mut on);
    }

    /// No more bytes will come, or none came in time: what is held is a fault.
    pub fn finish(&mut self, mut on: impl FnMut(Result<Frame<'_>, Fault<'_>>)) {
        self.0.finish(&mut on);
    }

    /// How many bytes of a frame not yet whole are held.
    pub fn held(&self) -> usize {
        self.0.held.len()
    }

    /// The least number of bytes that the frame not yet whole still needs; 0 between frames.
    pub fn missing(&self) -> usize {
        self.0.missing()
    }
}

/// What a host sends to a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'a> {
    /// A command to one board on the bus, or to all: address 0.
    Bus {
        /// The command, bit 7 set: `BusCommand::from_byte` knows most.
        byte: u8,
        /// Bus address, 14 bits.
        address: u16,
        /// Empty but for the long commands of newer firmware (from a0).
        data: &'a [u8],
    },
    /// A command to a board alone on its line.
    Single {
        /// The command: `SingleCommand::from_byte` knows most.
        byte: u8,
        /// What follows the size byte, its closing 00 included; empty for commands of one byte.
        data: &'a [u8],
    },
}

/// Finds commands in what a host sends, in chunks of any size: a board's ear.
#[derive(Debug, Clone, Default)]
pub struct RequestDecoder(Framer<Requests>);

impl RequestDecoder {
    /// An ear that has heard nothing.
    pub fn new() -> RequestDecoder {
        RequestDecoder::default()
    }

    /// Takes the next bytes and hands on each command and fault that ends in them.
    pub fn push(&mut self, bytes: &[u8], mut on: impl FnMut(Result<Request<'_>, Fault<'_>>)) {
        self.0.push(bytes, &mut on);
    }

    /// No more bytes will come, or none came in time: what is held is a fault.
    pub fn finish(&mut self, mut on: impl FnMut(Result<Request<'_>, Fault<'_>>)) {
        self.0.finish(&mut on);
    }

    /// How many bytes of a command not yet whole are held.
    pub fn held(&self) -> usize {
        self.0.held.len()
    }
}

/// What differs between the two directions.
trait Grammar {
    type Item<'a>;

    /// Whether a frame can begin with this byte. One with bit 7 always can, and ends any other.
    fn starts(byte: u8) -> bool;

    /// How long the frame that begins with `head` is, as far as `head` can say: at least the bytes that
    /// say it, at most [`LONGEST`].
    fn length(&self, head: &[u8]) -> usize;

    /// Reads a frame of the length that it says.
    fn read<'a>(&self, whole: &'a [u8]) -> Result<Self::Item<'a>, Trouble>;
}

/// Cuts a stream into frames; holds at most one that is not whole yet.
#[derive(Debug, Clone, Default)]
struct Framer<G> {
    grammar: G,
    held: Vec<u8>,
}

impl<G: Grammar> Framer<G> {
    fn push(&mut self, mut bytes: &[u8], on: &mut impl FnMut(Result<G::Item<'_>, Fault<'_>>)) {
        while !self.held.is_empty() && !bytes.is_empty() {
            bytes = self.resume(bytes, on);
        }
        while !bytes.is_empty() {
            let wanted = self.wanted(bytes);
            let run = 1 + run::<G>(bytes[0], &bytes[1..wanted.min(bytes.len())]);
            let cut = run < wanted.min(bytes.len());
            if !cut && run < wanted {
                self.held.extend_from_slice(bytes);
                return;
            }
            self.settle(&bytes[..run], cut, on);
            bytes = &bytes[run..];
        }
    }

    /// Goes on with the held bytes; looks at new ones only, so that single bytes cost no more than blocks.
    fn resume<'b>(
        &mut self,
        bytes: &'b [u8],
        on: &mut impl FnMut(Result<G::Item<'_>, Fault<'_>>),
    ) -> &'b [u8] {
        let wanted = self.wanted(&self.held);
        let window = &bytes[..(wanted - self.held.len()).min(bytes.len())];
        let run = run::<G>(self.held[0], window);
        self.held.extend_from_slice(&window[..run]);
        let cut = run < window.len();
        if cut || self.wanted(&self.held) <= self.held.len() {
            let held = std::mem::take(&mut self.held);
            self.settle(&held, cut, on);
            self.held = held;
            self.held.clear();
        }
        &bytes[run..]
    }

    fn finish(&mut self, on: &mut impl FnMut(Result<G::Item<'_>, Fault<'_>>)) {
        if !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            self.settle(&held, true, on);
        }
    }

    fn missing(&self) -> usize {
        match self.held.first() {
            Some(&first) if G::starts(first) => self.wanted(&self.held) - self.held.len(),
            _ => 0,
        }
    }

    /// How long the piece that begins with `head` will be; stray bytes go on until a frame starts.
    #[inline]
    fn wanted(&self, head: &[u8]) -> usize {
        if G::starts(head[0]) { self.grammar.length(head) } else { LONGEST }
    }

    #[inline]
    fn settle(&self, bytes: &[u8], cut: bool, on: &mut impl FnMut(Result<G::Item<'_>, Fault<'_>>)) {
        let result = match (G::starts(bytes[0]), cut) {
            (false, _) => Err(Trouble::Stray),
            (true, true) => Err(Trouble::CutShort),
            (true, false) => self.grammar.read(bytes),
        };
        on(result.map_err(|trouble| Fault { trouble, bytes }));
    }
}

/// How many of these bytes go on with the piece that begins with `first`.
#[inline]
fn run<G: Grammar>(first: u8, bytes: &[u8]) -> usize {
    if !G::starts(first) {
        return bytes.iter().position(|&byte| G::starts(byte)).unwrap_or(bytes.len());
    }
    // Looking at all of them at once is what makes whole frames fast.
    if bytes.iter().fold(0, |all, &byte| all | byte) & START == 0 {
        return bytes.len();
    }
    bytes.iter().position(|&byte| byte & START != 0).unwrap_or(bytes.len())
}

/// Board to host.
#[derive(Debug, Clone)]
struct Replies {
    mode: Mode,
}

impl Replies {
    fn least(&self) -> usize {
        match self.mode {
            Mode::Bus => BUS_LEAST,
            Mode::Single => SINGLE_HEADER,
        }
    }
}

impl Grammar for Replies {
    type Item<'a> = Frame<'a>;

    #[inline]
    fn starts(byte: u8) -> bool {
        byte & START != 0
    }

    #[inline]
    fn length(&self, head: &[u8]) -> usize {
        match head {
            &[_, high, low, ..] => {
                let length = usize::from(join14(high, low));
                if length < self.least() { SINGLE_HEADER } else { length }
            }
            _ => SINGLE_HEADER,
        }
    }

    #[inline]
    fn read<'a>(&self, whole: &'a [u8]) -> Result<Frame<'a>, Trouble> {
        if whole.len() < self.least() || usize::from(join14(whole[1], whole[2])) != whole.len() {
            return Err(Trouble::Length);
        }
        match self.mode {
            Mode::Single => Ok(Frame { id: whole[0], address: None, data: &whole[SINGLE_HEADER..] }),
            Mode::Bus => {
                let (body, sum) = whole.split_at(whole.len() - 1);
                if checksum(body) != sum[0] {
                    return Err(Trouble::Checksum);
                }
                let address = Some(join14(body[3], body[4]));
                Ok(Frame { id: body[0], address, data: &body[BUS_HEADER..] })
            }
        }
    }
}

/// Host to board. Both command sets are understood at any time.
#[derive(Debug, Clone, Default)]
struct Requests;

/// Bus commands from here on have a length, as replies do.
const LONG_COMMANDS: u8 = 0xa0;
/// A bus command without a length.
const BUS_COMMAND: usize = 4;

impl Grammar for Requests {
    type Item<'a> = Request<'a>;

    fn starts(byte: u8) -> bool {
        matches!(byte, START..|0x2b| 0x2c | 0x40..=0x60)
    }

    fn length(&self, head: &[u8]) -> usize {
        match (head[0], head) {
            (LONG_COMMANDS.., &[_, high, low, ..]) => {
                let length = usize::from(join14(high, low));
                if length < BUS_LEAST { SINGLE_HEADER } else { length }
            }
            (LONG_COMMANDS.., _) => SINGLE_HEADER,
            (START.., _) => BUS_COMMAND,
            (0x2b | 0x2c | 0x60, &[_, size, ..]) => 2 + usize::from(size & 0x7f),
            (0x2b | 0x2c | 0x60, _) => 2,
            _ => 1,
        }
    }

    fn read<'a>(&self, whole: &'a [u8]) -> Result<Request<'a>, Trouble> {
        let byte = whole[0];
        if byte & START == 0 {
            return Ok(Request::Single { byte, data: whole.get(2..).unwrap_or_default() });
        }
        if byte >= LONG_COMMANDS && whole.len() < BUS_LEAST {
            return Err(Trouble::Length);
        }
        let (body, sum) = whole.split_at(whole.len() - 1);
        if checksum(body) != sum[0] {
            return Err(Trouble::Checksum);
        }
        let (address, data) =
            if byte >= LONG_COMMANDS { body[3..].split_at(2) } else { body[1..].split_at(2) };
        Ok(Request::Bus { byte, address: join14(address[0], address[1]), data })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    /// What came out, with the bytes it was made of.
    #[derive(Debug, Clone, PartialEq)]
    enum Out {
        Frame(u8, Option<u16>, Vec<u8>),
        Request(u8, Option<u16>, Vec<u8>),
        Fault(Trouble, Vec<u8>),
    }

    fn out(event: Result<Frame<'_>, Fault<'_>>) -> Out {
        match event {
            Ok(frame) => Out::Frame(frame.id, frame.address, frame.data.into()),
            Err(fault) => Out::Fault(fault.trouble, fault.bytes.into()),
        }
    }

    fn request(event: Result<Request<'_>, Fault<'_>>) -> Out {
        match event {
            Ok(Request::Bus { byte, address, data }) => Out::Request(byte, Some(address), data.into()),
            Ok(Request::Single { byte, data }) => Out::Request(byte, None, data.into()),
            Err(fault) => Out::Fault(fault.trouble, fault.bytes.into()),
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
        let mut decoder = RequestDecoder::new();
        let mut all = Vec::new();
        for chunk in chunks {
            decoder.push(chunk, |event| all.push(request(event)));
        }
        decoder.finish(|event| all.push(request(event)));
        all
    }

    /// The vectors of the makers' header, of a real controller, and some made by hand from the rule.
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
    fn a_frame_is_written_as_the_documents_show_it() {
        let mut bytes = Vec::new();
        Frame { id: 0x87, address: Some(1025), data: &[] }.encode(&mut bytes);
        Frame { id: 0x8e, address: None, data: &[0x34, 0x00] }.encode(&mut bytes);
        assert_eq!(bytes, [0x87, 0x00, 0x06, 0x08, 0x01, 0x16, 0x8e, 0x00, 0x05, 0x34, 0x00]);
    }

    #[test]
    fn after_trouble_the_next_byte_with_bit_7_begins_again() {
        let ping = [0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
        let good = Out::Frame(0x87, Some(1025), vec![]);
        for (before, trouble) in [
            (&[0x00, 0x42][..], Trouble::Stray),
            (&[0x85, 0x00], Trouble::CutShort),
            (&[0x85, 0x7f, 0x7f, 0x08, 0x01, 0x40], Trouble::CutShort),
            (&[0x85, 0x00, 0x05], Trouble::Length),
            (&[0x87, 0x00, 0x06, 0x08, 0x02, 0x16], Trouble::Checksum),
        ] {
            let bytes = [before, &ping].concat();
            assert_eq!(decode(Mode::Bus, [&bytes[..]]), [Out::Fault(trouble, before.into()), good.clone()]);
        }
    }

    /// A message that a real board sent and nobody can explain.
    #[test]
    fn an_unexplained_message_of_a_real_board_does_not_hide_the_next() {
        let bytes =
            [0x90, 0x81, 0x00, 0x08, 0x00, 0x00, 0xb5, 0x00, 0x08, 0x91, 0x8e, 0x00, 0x05, 0x24, 0x01];
        let all = decode(Mode::Single, [&bytes[..]]);
        assert_eq!(all.last(), Some(&Out::Frame(0x8e, None, vec![0x24, 0x01])));
        assert_eq!(all.len(), 5);
    }

    #[test]
    fn the_probe_of_another_brand_does_not_hide_a_frame() {
        let bytes = [0xdf, 0x0d, 0x12, 0x03, 0x87, 0x00, 0x06, 0x08, 0x01, 0x16];
        let all = decode(Mode::Bus, [&bytes[..]]);
        assert_eq!(
            all,
            [Out::Fault(Trouble::CutShort, bytes[..4].into()), Out::Frame(0x87, Some(1025), vec![])]
        );
    }

    #[test]
    fn a_decoder_says_how_much_a_reply_still_needs() {
        let mut decoder = Decoder::new(Mode::Bus);
        for (byte, missing) in [(0x87, 2), (0x00, 1), (0x06, 3), (0x08, 2), (0x01, 1), (0x16, 0)] {
            decoder.push(&[byte], |_| {});
            assert_eq!(decoder.missing(), missing);
        }
    }

    #[test]
    fn endless_bytes_without_a_frame_are_given_out_in_pieces() {
        let all = decode(Mode::Bus, [&[0x11; 40_000][..]]);
        let lengths: Vec<_> =
            all.iter().map(|out| if let Out::Fault(_, b) = out { b.len() } else { 0 }).collect();
        assert_eq!(lengths, [16383, 16383, 7234]);
    }

    #[test]
    fn commands_of_all_three_shapes_are_heard() {
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
                Out::Fault(Trouble::Checksum, vec![0x83, 0x08, 0x01, 0x0d]),
                Out::Fault(Trouble::Stray, vec![0x03]),
            ]
        );
    }

    /// Bytes as lines have them: much noise, and frames that are nearly or wholly right.
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
        fn a_frame_reads_as_it_was_written(
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
        fn chunks_of_any_size_say_the_same_and_lose_no_byte(
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
        fn commands_in_chunks_of_any_size_say_the_same(
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
}
