//! What was published of one board: the position that follows from it, the last packet, and everything since the start
//! mark, so that what the board logged and what was published can be compared.

use crate::record::{BoardEvent, Change, Mark, MarkKind, Placement, Press, RING, Side};

/// How many pieces a game of chess begins with.
const ALL_PIECES: usize = 32;

/// What was published of one board so far.
#[derive(Debug, Clone, Default)]
pub struct Tracker {
    /// The data of the last packet that is known to have been sent, which a REPEAT would bring again.
    pub last: Option<Vec<u8>>,
    placement: Option<Placement>,
    /// What changes told while the placement is unknown.
    told: Option<Placement>,
    /// Entries published since the start mark, or while none is known the last of them.
    published: Vec<u32>,
    /// Whether `published` begins with the start mark.
    marked: bool,
    /// A change said what was there already.
    contradicted: bool,
}

impl Tracker {
    /// What stands on the board by what was published; none while unknown.
    pub fn placement(&self) -> Option<&Placement> {
        self.placement.as_ref()
    }

    /// Whether a change said what was there already, since this was last asked: a packet may be missing, or the
    /// board has written over its last entry, which it may.
    pub fn take_contradiction(&mut self) -> bool {
        std::mem::take(&mut self.contradicted)
    }

    /// Whether everything since the board's start mark was published.
    pub fn knows_start(&self) -> bool {
        self.marked
    }

    /// Takes what a board dump says for the truth.
    pub fn stands(&mut self, placement: Placement) {
        self.placement = Some(placement);
    }

    /// Takes events that are published.
    pub fn apply(&mut self, events: &[BoardEvent]) {
        for event in events {
            match event {
                BoardEvent::Change(Change { square, piece, .. }) => {
                    if let Some(placement) = &mut self.placement {
                        let before = *placement;
                        placement.set(*square, *piece);
                        // A result piece leaves its square as empty as it was.
                        self.contradicted |=
                            before == *placement && piece.is_none_or(|p| p.letter().is_some());
                    } else {
                        self.told.get_or_insert(Placement::EMPTY).set(*square, *piece);
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
                    // Some boards list their pieces without saying so. When all of them were told nothing else stands.
                    let set_up = [MarkKind::Begin, MarkKind::BeginRotated, MarkKind::FourRows].contains(mark);
                    if set_up && self.placement.is_none() {
                        self.placement = self.told.filter(|told| told.count() == ALL_PIECES);
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

    /// Forgets what was published: the board's own log since its start mark follows, for everything that happened.
    pub fn begin_anew(&mut self) {
        (self.placement, self.told) = (None, None);
        self.published.clear();
        self.marked = false;
    }

    /// Whether a packet equal to the last one can be a new one all the same. A new change changes something; a
    /// press comes again only after the other side's, and never with the same time; a listing can come twice.
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

    /// What of the board's last packet was not published before: the rest of it, after what the end of what was published has
    /// in common with its beginning. Of a board of which nothing was published nothing can be missing.
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

    /// Compares the board's own log since its start mark with what was published since then: what the log has beyond
    /// that; none where they differ earlier, or it cannot be said where.
    pub fn missed(&self, log: &[BoardEvent]) -> Option<Vec<BoardEvent>> {
        let published = &self.published;
        let logged: Vec<(u32, &BoardEvent)> = log.iter().filter_map(|e| Some((key(e)?, e))).collect();
        let keys = logged.iter().map(|&(key, _)| key);
        let beyond = logged.get(published.len()..)?;
        let agrees = self.marked && keys.zip(published).all(|(a, &b)| a == b);
        agrees.then(|| beyond.iter().map(|&(_, event)| event.clone()).collect())
    }
}

/// An entry of the log in a number; none for what is no entry or need not be in every copy of the log.
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
        tracker.stands(Placement::start());
        tracker.apply(&[start(), change("e1", "K"), change("e8", "k")]);
        assert_eq!(tracker.placement().unwrap().to_string(), "4k3/8/8/8/8/8/8/4K3");
        assert!(!tracker.take_contradiction());
    }

    #[test]
    fn a_change_that_changes_nothing_is_odd() {
        let mut tracker = Tracker::default();
        tracker.stands(Placement::start());
        tracker.apply(&[change("e2", ""), change("e4", "P")]);
        assert!(!tracker.take_contradiction());
        tracker.apply(&[change("e2", "")]);
        assert!(tracker.take_contradiction() && !tracker.take_contradiction());
        tracker.apply(&[change("e5", "1-0")]);
        assert!(!tracker.take_contradiction());
    }

    #[test]
    fn only_packets_with_the_same_ends_can_repeat() {
        let press = BoardEvent::Press(Press { side: Side::Left, seconds: Seconds(3598.0) });
        let mut tracker = Tracker::default();
        tracker.stands(Placement::start());
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
    fn packets_a_killed_run_left_unreported_are_reported() {
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
    fn logs_have_the_missed_changes() {
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
