//! The published entries of one board since its start mark, to be compared with the board's log; the position that follows
//! from them, and the last packet.

use crate::record::{BoardEvent, Change, Mark, MarkKind, Placement, Press, RING, Side};

/// The number of pieces at the start of a game of chess.
const ALL_PIECES: usize = 32;

/// The published entries of one board.
#[derive(Debug, Clone, Default)]
pub struct Tracker {
    /// The data of the last packet that the board is known to have sent, which REPEAT_CHANGES would fetch again.
    pub last: Option<Vec<u8>>,
    placement: Option<Placement>,
    /// The squares of changes while the placement is unknown.
    partial: Option<Placement>,
    /// Entries published since the start mark; without a known start mark the last entries.
    published: Vec<u32>,
    /// Whether `published` begins with the start mark.
    marked: bool,
    /// A change left its square as it was.
    contradicted: bool,
}

impl Tracker {
    /// The position that follows from the published records; none while unknown.
    pub fn placement(&self) -> Option<&Placement> {
        self.placement.as_ref()
    }

    /// Whether a change since the last call left its square as it was: a packet may be missing, or the board has
    /// overwritten its last entry, as boards may.
    pub fn take_contradiction(&mut self) -> bool {
        std::mem::take(&mut self.contradicted)
    }

    /// Whether everything since the board's start mark was published.
    pub fn has_start(&self) -> bool {
        self.marked
    }

    /// Sets the position to that of a dump.
    pub fn set_placement(&mut self, placement: Placement) {
        self.placement = Some(placement);
    }

    /// Applies published events.
    pub fn apply(&mut self, events: &[BoardEvent]) {
        for event in events {
            match event {
                BoardEvent::Change(Change { square, piece, .. }) => {
                    if let Some(placement) = &mut self.placement {
                        let before = *placement;
                        placement.set(*square, *piece);
                        // A result piece is not kept on its square, so it changes nothing.
                        self.contradicted |=
                            before == *placement && piece.is_none_or(|p| p.letter().is_some());
                    } else {
                        self.partial.get_or_insert(Placement::EMPTY).set(*square, *piece);
                    }
                }
                BoardEvent::Mark(Mark { mark, listing }) => {
                    if *mark == MarkKind::Start {
                        self.published.clear();
                        self.marked = true;
                    }
                    if *listing {
                        self.placement = Some(Placement::EMPTY);
                    }
                    // Some boards list their pieces without a mark for it. If 32 pieces are known, the position is complete.
                    let set_up = [MarkKind::Begin, MarkKind::BeginRotated, MarkKind::FourRows].contains(mark);
                    if set_up && self.placement.is_none() {
                        self.placement = self.partial.filter(|partial| partial.count() == ALL_PIECES);
                    }
                }
                _ => {}
            }
            self.published.extend(key(event));
        }
        if self.published.len() > RING {
            self.published.drain(..RING / 2);
            self.marked = false;
        }
    }

    /// Drops all entries and the position, before the board's own log since its start mark is applied.
    pub fn restart(&mut self) {
        (self.placement, self.partial) = (None, None);
        self.published.clear();
        self.marked = false;
    }

    /// Whether a packet equal to the last one can be a new one. A new change must change its square; a press cannot come
    /// twice without the other side's between them, and never with the same time; a listing can come twice.
    pub fn may_come_again(&self, packet: &[BoardEvent]) -> bool {
        let Some(placement) = &self.placement else { return true };
        for event in packet {
            match event {
                BoardEvent::Press(_) => return false,
                BoardEvent::Mark(Mark { listing: true, .. }) => return true,
                BoardEvent::Change(Change { square, piece, .. }) => {
                    let mut after = *placement;
                    after.set(*square, *piece);
                    if after == *placement {
                        return false;
                    }
                    return !packet.iter().any(|event| matches!(event, BoardEvent::Press(_)));
                }
                _ => {}
            }
        }
        false
    }

    /// The entries of the board's last packet that were not published: those after the longest beginning of the packet with
    /// which the published entries end. None are missing of a board without published entries.
    pub fn unpublished(&self, packet: &[BoardEvent]) -> Vec<BoardEvent> {
        if self.published.is_empty() {
            return Vec::new();
        }
        let keyed: Vec<(usize, u32)> = (0..).zip(packet).filter_map(|(n, e)| Some((n, key(e)?))).collect();
        let keys: Vec<u32> = keyed.iter().map(|&(_, key)| key).collect();
        let common = (0..=keys.len()).rev().find(|&n| self.published.ends_with(&keys[..n])).unwrap_or(0);
        let from = keyed.get(common).map_or(packet.len(), |&(n, _)| n);
        packet[from..].to_vec()
    }

    /// Compares the board's own log since its start mark with the published entries, and returns the entries after those.
    /// None if the two differ earlier, or if the published entries do not begin with the start mark.
    pub fn missed(&self, log: &[BoardEvent]) -> Option<Vec<BoardEvent>> {
        let published = &self.published;
        let logged: Vec<(u32, &BoardEvent)> = log.iter().filter_map(|e| Some((key(e)?, e))).collect();
        let keys = logged.iter().map(|&(key, _)| key);
        let beyond = logged.get(published.len()..)?;
        let agrees = self.marked && keys.zip(published).all(|(a, &b)| a == b);
        agrees.then(|| beyond.iter().map(|&(_, event)| event.clone()).collect())
    }
}

/// An entry of the log as a number; none for other events, and for entries that are not in every copy of the log.
fn key(event: &BoardEvent) -> Option<u32> {
    Some(match event {
        BoardEvent::Change(Change { square, piece, quick }) => {
            let quick = u32::from(*quick == Some(true));
            quick << 16 | u32::from(piece.map_or(0, |p| p.code())) << 8 | u32::from(square.field())
        }
        BoardEvent::Press(Press { side, seconds }) => {
            1 << 24 | u32::from(*side == Side::Left) << 20 | (seconds.0.clamp(0.0, 1e5) as u32)
        }
        BoardEvent::Mark(Mark { mark, .. }) => match mark {
            MarkKind::Downloaded | MarkKind::End => return None,
            mark => 2 << 24 | *mark as u32,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Piece, Seconds};

    fn change(square: &str, piece: &str) -> BoardEvent {
        let piece: Option<Piece> = (!piece.is_empty()).then(|| piece.parse().unwrap());
        BoardEvent::Change(Change { square: square.parse().unwrap(), piece, quick: None })
    }

    fn start() -> BoardEvent {
        BoardEvent::Mark(Mark { mark: MarkKind::Start, listing: true })
    }

    #[test]
    fn a_listing_begins_on_an_empty_board() {
        let mut tracker = Tracker::default();
        tracker.set_placement(Placement::start());
        tracker.apply(&[start(), change("e1", "K"), change("e8", "k")]);
        assert_eq!(tracker.placement().unwrap().to_string(), "4k3/8/8/8/8/8/8/4K3");
        assert!(!tracker.take_contradiction());
    }

    #[test]
    fn a_change_without_effect_is_a_contradiction() {
        let mut tracker = Tracker::default();
        tracker.set_placement(Placement::start());
        tracker.apply(&[change("e2", ""), change("e4", "P")]);
        assert!(!tracker.take_contradiction());
        tracker.apply(&[change("e2", "")]);
        assert!(tracker.take_contradiction() && !tracker.take_contradiction());
        tracker.apply(&[change("e5", "1-0")]);
        assert!(!tracker.take_contradiction());
    }

    #[test]
    fn only_a_packet_without_net_effect_can_come_again() {
        let press = BoardEvent::Press(Press { side: Side::Left, seconds: Seconds(3598.0) });
        let mut tracker = Tracker::default();
        tracker.set_placement(Placement::start());
        let packet = [change("e2", ""), change("e4", "P")];
        assert!(tracker.may_come_again(&packet));
        tracker.apply(&packet);
        assert!(!tracker.may_come_again(&packet));
        assert!(tracker.may_come_again(&[change("g1", ""), change("g1", "N")]));
        assert!(!tracker.may_come_again(&[change("g1", ""), change("g1", "N"), press.clone()]));
        assert!(!tracker.may_come_again(&[press]));
        assert!(tracker.may_come_again(&[start(), change("g1", "N")]));
    }

    #[test]
    fn unpublished_entries_of_the_last_packet_are_returned() {
        let mut tracker = Tracker::default();
        let packet = [change("e2", ""), change("e4", "P"), change("e7", "")];
        assert_eq!(tracker.unpublished(&packet), []);
        tracker.apply(&[change("d7", ""), change("d5", "p")]);
        assert_eq!(tracker.unpublished(&packet), packet);
        tracker.apply(&packet[..2]);
        assert_eq!(tracker.unpublished(&packet), packet[2..]);
        tracker.apply(&packet[2..]);
        assert_eq!(tracker.unpublished(&packet), []);
    }

    #[test]
    fn missed_entries_are_found_in_the_log() {
        let press = BoardEvent::Press(Press { side: Side::Left, seconds: Seconds(3598.0) });
        let end = BoardEvent::Mark(Mark { mark: MarkKind::End, listing: false });
        let mut tracker = Tracker::default();
        assert_eq!(tracker.missed(&[start()]), None);
        tracker.apply(&[start(), change("e2", "P"), change("e2", "")]);
        let mut log = vec![start(), change("e2", "P"), change("e2", "")];
        assert_eq!(tracker.missed(&log), Some(vec![]));
        log.extend([change("e4", "P"), press.clone(), end]);
        assert_eq!(tracker.missed(&log), Some(vec![change("e4", "P"), press]));
        log.remove(1);
        assert_eq!(tracker.missed(&log), None);
        assert_eq!(tracker.missed(&[]), None);
    }
}
