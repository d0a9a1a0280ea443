//! Commands, which a host sends to a board.
//!
//! Sources: the makers' header of 1998 to 2017 for most; those marked *newer firmware* are only in the constants of the
//! makers' later protocol description, and not all of them were seen in use.

use super::frame::{checksum, split14};

/// The address that means all boards of a bus.
pub const BROADCAST: u16 = 0;

/// The commands of a mode, each with its byte and the ids of the messages that a board replies with.
macro_rules! commands {
    ($(#[$doc:meta])* pub enum $name:ident {
        $($(#[$command_doc:meta])* $command:ident = $byte:literal => [$($reply:literal),*],)*
    }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$command_doc])* $command = $byte,)*
        }

        impl $name {
            /// All of them, by byte.
            pub const ALL: &[$name] = &[$($name::$command),*];

            /// The command with this byte.
            pub fn from_byte(byte: u8) -> Option<$name> {
                $name::ALL.iter().copied().find(|command| command.byte() == byte)
            }

            /// Its byte; bit 7 is set in commands on a bus and clear in single-board mode.
            pub fn byte(self) -> u8 {
                self as u8
            }

            /// The ids of the messages that the command causes, in their order: one reply each, or updates from then on.
            pub fn replies(self) -> &'static [u8] {
                match self {
                    $($name::$command => &[$($reply),*],)*
                }
            }
        }
    };
}

commands! {
    /// A command on the bus: four bytes `command, address, address, checksum`.
    ///
    /// A board answers within milliseconds, up to 20 ms while it writes its EEPROM; the header suggests to wait
    /// 80 ms. It stores one command only: the host must not send the next before the reply, or before that wait is over.
    pub enum BusCommand {
        /// Asks for the clock as the board last received it: up to 1 s old. Reply 84.
        SendClock = 0x81 => [0x84],
        /// Asks for a dump of the position. Reply 83; 77 ms on the wire.
        SendBoard = 0x82 => [0x83],
        /// Asks for everything logged since the last such command, **and has the board discard the packet before**. Reply
        /// 85 (or 8b). After a bad checksum the host must send [`RepeatChanges`](BusCommand::RepeatChanges), never this.
        SendChanges = 0x83 => [0x85],
        /// Asks for the last packet of changes again, unchanged. Reply 85 (or 8b).
        RepeatChanges = 0x84 => [0x85],
        /// Writes the start mark and a list of all pieces into the log. Reply 88 after about 70 ms.
        SetStartGame = 0x85 => [0x88],
        /// Asks for the log since the last start mark, without entries that are pending for `SendChanges`. Reply 86,
        /// which takes seconds when the log is long.
        SendFromStart = 0x86 => [0x86],
        /// Asks a board to report its presence. Reply 87. To address 0 every board replies once, at a random moment
        /// within 1100 ms.
        Ping = 0x87 => [0x87],
        /// Leaves bus mode for single-board mode. No reply. Not with several boards on the line.
        EndBusMode = 0x88 => [],
        /// The reset of a power-up; takes some seconds. No reply. Address 0: all boards.
        Reset = 0x89 => [],
        /// Has the board ignore the next ping to address 0. Reply 87, without a random delay.
        IgnoreNextPing = 0x8a => [0x87],
        /// Asks for the version. Reply 89, without data up to version 1.2.
        SendVersion = 0x8b => [0x89],
        /// Asks for the dump of the 50 black squares of a draughts board. Reply 8a. Header of 2011 on.
        SendBoard50Black = 0x8c => [0x8a],
        /// Asks for changes, clock and dump: replies 85, 84, 83 in a row. Header of 2011 on.
        SendAll = 0x8d => [0x85, 0x84, 0x83],
        /// *Newer firmware*: asks for the serial number. Reply b0.
        SendSerial = 0x91 => [0xb0],
        /// *Newer firmware*: a ping answered at a random moment. Reply 87.
        RandomPing = 0x92 => [0x87],
        /// *Newer firmware*: asks for the I²C clock. Reply b1.
        SendI2cClock = 0x93 => [0xb1],
        /// *Newer firmware*: asks for buttons of the I²C clock. Reply b1.
        SendI2cButton = 0x94 => [0xb1],
        /// *Newer firmware*: asks for acknowledgements of the I²C clock. Reply b1.
        SendI2cAck = 0x95 => [0xb1],
        /// *Newer firmware*: asks for statistics. Reply b2.
        SendStats = 0x96 => [0xb2],
        /// *Newer firmware*: asks for the trade mark text. Reply b4.
        SendTrademark = 0x97 => [0xb4],
        /// *Newer firmware*: asks for the battery. Reply b5.
        SendBattery = 0x98 => [0xb5],
        /// *Newer firmware*: asks for the last button packet again. Reply b1.
        RepeatI2cButton = 0x99 => [0xb1],
        /// *Newer firmware*: asks for the last acknowledgement packet again. Reply b1.
        RepeatI2cAck = 0x9a => [0xb1],
        /// *Newer firmware*: asks for the hardware version. Reply 8c.
        SendHardwareVersion = 0x9b => [0x8c],
    }
}

impl BusCommand {
    /// The four bytes that go over the wire; `address` has 14 bits.
    pub fn encode(self, address: u16) -> [u8; 4] {
        let [high, low] = split14(address);
        [self.byte(), high, low, checksum(&[self.byte(), high, low])]
    }

    /// Whether a message with this id can be the reply, or one of the replies.
    pub fn expects(self, id: u8) -> bool {
        // Newer firmware sends some updates with another id.
        self.replies().contains(&id) || id == 0x8b && self.replies().contains(&0x85)
    }
}

commands! {
    /// A command of single-board mode: one byte, except for the three that carry data.
    ///
    /// Any of them switches a board on a bus to single-board mode and is executed. Leave about 0.1 s between
    /// commands. 4e, which starts the boot loader, is left out on purpose: never send it.
    pub enum SingleCommand {
        /// A clock command: `2b size … 00`. Reply 8d, an acknowledgement, in the update modes.
        ClockMessage = 0x2b => [0x8d],
        /// *Newer firmware*: the same for the I²C clock.
        I2cClockMessage = 0x2c => [],
        /// Idle mode: ends any update mode. No reply.
        Reset = 0x40 => [],
        /// Asks for the clock. Reply 8d.
        SendClock = 0x41 => [0x8d],
        /// Asks for a dump of the position; the mode stays. Reply 86.
        SendBoard = 0x42 => [0x86],
        /// Update mode: field updates 8e, and the clock 8d at least once a second.
        Update = 0x43 => [0x8e, 0x8d],
        /// Update mode without the clock: 8e.
        UpdateBoard = 0x44 => [0x8e],
        /// Asks for the serial number. Reply 91.
        SendSerial = 0x45 => [0x91],
        /// Asks for the bus address. Reply 90.
        SendAddress = 0x46 => [0x90],
        /// Asks for the trade mark text. Reply 92.
        SendTrademark = 0x47 => [0x92],
        /// *Newer firmware*: asks for the hardware version. Reply 96.
        SendHardwareVersion = 0x48 => [0x96],
        /// Asks for the whole log. Reply 8f, which takes 8 s.
        SendLog = 0x49 => [0x8f],
        /// Bus mode from now on. No reply.
        ToBusMode = 0x4a => [],
        /// Update mode, the clock 8d only when it changed, 8e.
        UpdateNice = 0x4b => [0x8e, 0x8d],
        /// Asks for the battery (Bluetooth boards). Reply a0.
        SendBattery = 0x4c => [0xa0],
        /// Asks for the version. Reply 93.
        SendVersion = 0x4d => [0x93],
        /// Asks for the black squares of a draughts board. Reply 94.
        SendBoard50Black = 0x50 => [0x94],
        /// Scan the 50 black squares from now on; kept in the EEPROM. No reply.
        Scan50Black = 0x51 => [],
        /// Asks for the white squares of a draughts board. Reply 95.
        SendBoard50White = 0x52 => [0x95],
        /// Scan the 50 white squares from now on; kept in the EEPROM. No reply.
        Scan50White = 0x53 => [],
        /// Scan all 100 squares from now on; kept in the EEPROM. No reply.
        Scan100 = 0x54 => [],
        /// Asks for the long serial number. Reply a2.
        SendLongSerial = 0x55 => [0xa2],
        /// *Newer firmware*: asks for the I²C clock. Reply a3.
        SendI2cClock = 0x56 => [0xa3],
        /// *Newer firmware*: update mode with the I²C clock: 8e, a3.
        UpdateI2c = 0x57 => [0x8e, 0xa3],
        /// *Newer firmware*: the same, the clock only when it changed.
        UpdateI2cNice = 0x58 => [0x8e, 0xa3],
        /// Lights of a Revelation II: `60 04 pattern from to 00`, fields 0 (a8) to 63 (h1). No reply.
        SetLights = 0x60 => [],
    }
}

impl SingleCommand {
    /// Whether the command carries data.
    pub fn has_data(self) -> bool {
        use SingleCommand::*;
        matches!(self, ClockMessage | I2cClockMessage | SetLights)
    }

    /// Appends the command; a command with data gets its size byte and the closing 00.
    ///
    /// `data` is left out by commands of one byte; at most 126 bytes of it are sent, without bit 7.
    pub fn encode(self, data: &[u8], out: &mut Vec<u8>) {
        out.push(self.byte());
        if self.has_data() {
            let data = &data[..data.len().min(126)];
            out.push(data.len() as u8 + 1);
            out.extend(data.iter().map(|byte| byte & 0x7f));
            out.push(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::frame::{Request, RequestDecoder};

    #[test]
    fn bus_commands_are_encoded_as_in_the_documents() {
        assert_eq!(BusCommand::SendClock.encode(2054), [0x81, 0x10, 0x06, 0x17]);
        assert_eq!(BusCommand::Ping.encode(BROADCAST), [0x87, 0x00, 0x00, 0x07]);
        assert_eq!(BusCommand::SendVersion.encode(BROADCAST), [0x8b, 0x00, 0x00, 0x0b]);
        assert_eq!(BusCommand::SendChanges.encode(2054), [0x83, 0x10, 0x06, 0x19]);
        assert_eq!(BusCommand::IgnoreNextPing.encode(1025), [0x8a, 0x08, 0x01, 0x13]);
        assert_eq!(BusCommand::SendChanges.encode(16383), [0x83, 0x7f, 0x7f, 0x01]);
    }

    #[test]
    fn bus_commands_are_decoded_as_encoded() {
        for &command in BusCommand::ALL {
            let mut decoded = None;
            RequestDecoder::default().push(&command.encode(6685), |request| {
                if let Ok(Request::Bus { byte, address: 6685, data: [] }) = request {
                    decoded = BusCommand::from_byte(byte);
                }
            });
            assert_eq!(decoded, Some(command));
        }
        assert_eq!(BusCommand::from_byte(0x8e), None);
    }

    #[test]
    fn single_mode_commands_are_decoded_as_encoded() {
        for &command in SingleCommand::ALL {
            let mut bytes = Vec::new();
            command.encode(&[0x09, 0x01], &mut bytes);
            let mut decoded = Vec::new();
            RequestDecoder::default().push(&bytes, |request| {
                if let Ok(Request::Single { byte, data }) = request {
                    decoded.push((SingleCommand::from_byte(byte), data.to_vec()));
                }
            });
            let data = if command.has_data() { vec![0x09, 0x01, 0x00] } else { vec![] };
            assert_eq!(decoded, [(Some(command), data)]);
        }
    }

    #[test]
    fn clock_commands_and_lights_get_size_and_end() {
        let mut bytes = Vec::new();
        SingleCommand::ClockMessage.encode(&[0x09], &mut bytes);
        SingleCommand::SetLights.encode(&[0x01, 0x00, 0x3f], &mut bytes);
        assert_eq!(bytes, [0x2b, 0x02, 0x09, 0x00, 0x60, 0x04, 0x01, 0x00, 0x3f, 0x00]);
    }

    #[test]
    fn replies_are_those_of_the_header() {
        assert_eq!(BusCommand::SendFromStart.replies(), [0x86]);
        assert_eq!(BusCommand::SendAll.replies(), [0x85, 0x84, 0x83]);
        assert_eq!(SingleCommand::SendBoard.replies(), [0x86]);
        assert!(BusCommand::RepeatChanges.expects(0x8b) && BusCommand::RepeatChanges.expects(0x85));
        assert!(!BusCommand::SendBoard.expects(0x8b));
        assert!(BusCommand::Reset.replies().is_empty());
    }
}
