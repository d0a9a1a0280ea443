//! Frames: where a message begins and ends, in both directions and both modes.
//!
//! Only the first byte of a frame has bit 7 set. A decoder that finds damaged bytes starts again at the next byte with
//! bit 7, so damage never hides the frame that follows. Each input byte is output in exactly one frame or fault, and the
//! sizes of the input chunks make no difference. A row of bytes with bit 7, which noise can make of any length, is one fault.

use crate::record::Mode;

/// The greatest length in bytes that two 7-bit bytes can state, header and checksum included.
pub const LONGEST: usize = (1 << 14) - 1;

const START: u8 = 0x80;
const SINGLE_HEADER: usize = 3;
const BUS_HEADER: usize = 5;
/// The bus header and the checksum.
const BUS_LEAST: usize = 6;

/// The checksum of the bus: the sum of all bytes before it, kept to 7 bits.
#[inline]
pub fn checksum(bytes: &[u8]) -> u8 {
    let Some(word) = word(bytes) else {
        return bytes.iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte)) & 0x7f;
    };
    // Adds all bytes in parallel: pairs of an even and an odd byte in lanes of 16 bits, then the lanes by multiplication.
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let lanes = |half: u64| (half & EVEN) + (half >> 8 & EVEN);
    let sums = lanes(word as u64) + lanes((word >> 64) as u64);
    (sums.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u8 & 0x7f
}

/// Up to 16 bytes as one number, the first lowest; none of more. Most frames are that short, and a loop over their bytes
/// would take most of the time of decoding.
#[inline]
fn word(bytes: &[u8]) -> Option<u128> {
    let length = bytes.len();
    Some(match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if length <= 16 => {
            let rest = u64::from_le_bytes(*last).unbounded_shr(8 * (16 - length) as u32);
            u128::from(u64::from_le_bytes(*first)) | u128::from(rest) << 64
        }
        (Some(_), _) => return None,
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                let rest = u32::from_le_bytes(*last).unbounded_shr(8 * (8 - length) as u32);
                u128::from(u32::from_le_bytes(*first)) | u128::from(rest) << 32
            }
            _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
        },
    })
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
    /// The kind of message; `wire::message` interprets it.
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

    /// Appends the bytes of the frame; bit 7 of data bytes is cleared.
    ///
    /// # Panics
    /// When the frame would be longer than [`LONGEST`]; the log of a board is shorter.
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
pub struct BadBytes<'a> {
    /// What is wrong with them.
    pub damage: Damage,
    /// All of them, at most [`LONGEST`].
    pub bytes: &'a [u8],
}

/// Why bytes are no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Damage {
    /// A frame of its stated length, with a wrong checksum.
    Checksum,
    /// A header with a length that no frame has.
    Length,
    /// The next frame, or a pause, came before the frame was complete.
    CutShort,
    /// Bytes outside any frame.
    Stray,
}

/// Finds frames in the bytes that boards send, in chunks of any size.
pub type Decoder = Framer<Replies>;

impl Decoder {
    /// A decoder for a line in this mode.
    pub fn new(mode: Mode) -> Decoder {
        Framer { grammar: Replies { mode }, held: Vec::new(), broken: Vec::new() }
    }
}

/// A command that a host sends to a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'a> {
    /// A command to one board on the bus, or to all: address 0.
    Bus {
        /// The byte of the command, with bit 7; `BusCommand::from_byte` returns most commands.
        byte: u8,
        /// Bus address, 14 bits.
        address: u16,
        /// Empty except in the long commands of newer firmware (from a0).
        data: &'a [u8],
    },
    /// A command to a board alone on its line.
    Single {
        /// The byte of the command; `SingleCommand::from_byte` returns most commands.
        byte: u8,
        /// The bytes after the size byte, the closing 00 included; empty for commands of one byte.
        data: &'a [u8],
    },
}

/// Finds commands in the bytes that a host sends, in chunks of any size.
pub type RequestDecoder = Framer<Requests>;

/// The differences between the two directions.
pub trait Grammar {
    /// A decoded frame.
    type Item<'a>;

    /// Whether a frame can begin with this byte. A byte with bit 7 always begins one and ends the frame before it.
    fn starts(byte: u8) -> bool;

    /// The length in bytes of the frame that begins with `head`. While `head` does not contain the length, the number of
    /// bytes up to its end; at most [`LONGEST`].
    fn length(&self, head: &[u8]) -> usize;

    /// Reads a frame of its stated length.
    fn read<'a>(&self, whole: &'a [u8]) -> Result<Self::Item<'a>, Damage>;
}

/// Cuts a stream into frames; buffers at most one incomplete frame, and bytes before it that began no whole frame.
#[derive(Debug, Clone, Default)]
pub struct Framer<G> {
    grammar: G,
    held: Vec<u8>,
    /// Bytes before `held`, each of which has bit 7 and was followed by another such byte; at most [`LONGEST`].
    broken: Vec<u8>,
}

impl<G: Grammar> Framer<G> {
    /// Takes the next bytes and passes each frame and fault that ends in them to `on`.
    pub fn push(&mut self, mut bytes: &[u8], mut on: impl FnMut(Result<G::Item<'_>, BadBytes<'_>>)) {
        while !self.held.is_empty() && !bytes.is_empty() {
            bytes = self.resume(bytes, &mut on);
        }
        while !bytes.is_empty() {
            let wanted = self.wanted(bytes);
            let run = 1 + run::<G>(bytes[0], &bytes[1..wanted.min(bytes.len())]);
            let cut = run < wanted.min(bytes.len());
            if !cut && run < wanted {
                self.held.extend_from_slice(bytes);
                return;
            }
            self.settle(&bytes[..run], cut, &mut on);
            bytes = &bytes[run..];
        }
    }

    /// Continues the held piece and returns the remaining bytes. It examines only new bytes, so that single bytes cost no
    /// more than blocks.
    fn resume<'b>(
        &mut self,
        bytes: &'b [u8],
        on: &mut impl FnMut(Result<G::Item<'_>, BadBytes<'_>>),
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

    /// Passes the held bytes to `on` as a fault: no more bytes will come, or none came in time.
    pub fn finish(&mut self, mut on: impl FnMut(Result<G::Item<'_>, BadBytes<'_>>)) {
        if !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            self.settle(&held, true, &mut on);
        }
        self.settle_broken(&mut on);
    }

    /// The number of held bytes, which begin a frame that is incomplete.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// The least number of bytes that the incomplete frame still needs; 0 between frames.
    pub fn missing(&self) -> usize {
        match self.held.first() {
            Some(&first) if G::starts(first) => self.wanted(&self.held) - self.held.len(),
            _ => 0,
        }
    }

    /// The length of the piece that begins with `head`; stray bytes continue until a frame starts.
    #[inline]
    fn wanted(&self, head: &[u8]) -> usize {
        if G::starts(head[0]) { self.grammar.length(head) } else { LONGEST }
    }

    #[inline(always)]
    fn settle(&mut self, bytes: &[u8], cut: bool, on: &mut impl FnMut(Result<G::Item<'_>, BadBytes<'_>>)) {
        if cut && bytes.len() == 1 && bytes[0] & START != 0 {
            self.broken.extend_from_slice(bytes);
            if self.broken.len() == LONGEST {
                self.settle_broken(on);
            }
            return;
        }
        if !self.broken.is_empty() {
            self.settle_broken(on);
        }
        let damage = match (G::starts(bytes[0]), cut) {
            (false, _) => Damage::Stray,
            (true, true) => Damage::CutShort,
            (true, false) => match self.grammar.read(bytes) {
                Ok(whole) => return on(Ok(whole)),
                Err(damage) => damage,
            },
        };
        on(Err(BadBytes { damage, bytes }));
    }

    #[cold]
    fn settle_broken(&mut self, on: &mut impl FnMut(Result<G::Item<'_>, BadBytes<'_>>)) {
        if !self.broken.is_empty() {
            on(Err(BadBytes { damage: Damage::CutShort, bytes: &self.broken }));
            self.broken.clear();
        }
    }
}

/// The number of these bytes that continue the piece that begins with `first`.
#[inline]
fn run<G: Grammar>(first: u8, bytes: &[u8]) -> usize {
    if !G::starts(first) {
        return bytes.iter().position(|&byte| G::starts(byte)).unwrap_or(bytes.len());
    }
    if let Some(word) = word(bytes) {
        let starts = word & (u128::MAX / 0xff * START as u128);
        return if starts == 0 { bytes.len() } else { starts.trailing_zeros() as usize / 8 };
    }
    if bytes.iter().fold(0, |all, &byte| all | byte) & START == 0 {
        return bytes.len();
    }
    bytes.iter().position(|&byte| byte & START != 0).unwrap_or(bytes.len())
}

/// The length that a header states; if the header is incomplete or states less than `least`, the length of the header.
#[inline]
fn length_in_header(head: &[u8], least: usize) -> usize {
    match head {
        &[_, high, low, ..] => {
            let length = usize::from(join14(high, low));
            if length < least { SINGLE_HEADER } else { length }
        }
        _ => SINGLE_HEADER,
    }
}

/// Returns a frame of the bus without its checksum.
///
/// # Errors
/// The checksum is wrong.
#[inline(always)]
fn checked(whole: &[u8]) -> Result<&[u8], Damage> {
    let (body, sum) = whole.split_at(whole.len() - 1);
    if checksum(body) == sum[0] { Ok(body) } else { Err(Damage::Checksum) }
}

/// Board to host.
#[derive(Debug, Clone)]
pub struct Replies {
    mode: Mode,
}

impl Replies {
    fn least(&self) -> usize {
        match self.mode {
            Mode::Bus => BUS_LEAST,
            _ => SINGLE_HEADER,
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
        length_in_header(head, self.least())
    }

    #[inline(always)]
    fn read<'a>(&self, whole: &'a [u8]) -> Result<Frame<'a>, Damage> {
        if whole.len() < self.least() || usize::from(join14(whole[1], whole[2])) != whole.len() {
            return Err(Damage::Length);
        }
        match self.mode {
            Mode::Bus => {
                let body = checked(whole)?;
                let address = Some(join14(body[3], body[4]));
                Ok(Frame { id: body[0], address, data: &body[BUS_HEADER..] })
            }
            _ => Ok(Frame { id: whole[0], address: None, data: &whole[SINGLE_HEADER..] }),
        }
    }
}

/// Host to board. The commands of both modes are accepted at any time.
#[derive(Debug, Clone, Default)]
pub struct Requests;

/// Bus commands from this byte on have a length, as replies do.
const LONG_COMMANDS: u8 = 0xa0;
/// Bytes of a bus command without a length.
const BUS_COMMAND: usize = 4;

impl Grammar for Requests {
    type Item<'a> = Request<'a>;

    fn starts(byte: u8) -> bool {
        matches!(byte, START..|0x2b| 0x2c | 0x40..=0x60)
    }

    fn length(&self, head: &[u8]) -> usize {
        match (head[0], head) {
            (LONG_COMMANDS.., _) => length_in_header(head, BUS_LEAST),
            (START.., _) => BUS_COMMAND,
            (0x2b | 0x2c | 0x60, &[_, size, ..]) => 2 + usize::from(size & 0x7f),
            (0x2b | 0x2c | 0x60, _) => 2,
            _ => 1,
        }
    }

    fn read<'a>(&self, whole: &'a [u8]) -> Result<Request<'a>, Damage> {
        let byte = whole[0];
        if byte & START == 0 {
            return Ok(Request::Single { byte, data: whole.get(2..).unwrap_or_default() });
        }
        if byte >= LONG_COMMANDS && whole.len() < BUS_LEAST {
            return Err(Damage::Length);
        }
        let body = checked(whole)?;
        let (address, data) =
            if byte >= LONG_COMMANDS { body[3..].split_at(2) } else { body[1..].split_at(2) };
        Ok(Request::Bus { byte, address: join14(address[0], address[1]), data })
    }
}

#[cfg(test)]
mod tests;
