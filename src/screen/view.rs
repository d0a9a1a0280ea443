//! The user's view, and the effect of keys.

use super::{
    board::Board,
    hall::{Hall, Name},
    look::Look,
    players,
};

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The arrows,
    Up,
    /// down,
    Down,
    /// left,
    Left,
    /// right.
    Right,
    /// A screen back,
    PageUp,
    /// on.
    PageDown,
    /// The first board, or ply,
    Home,
    /// the last.
    End,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// The key that takes back a letter.
    Backspace,
    /// A letter, a figure, a sign.
    Letter(char),
}

/// The user's view.
#[derive(Debug, Default)]
pub struct View {
    /// The selected board.
    chosen: Option<Name>,
    /// It is shown alone.
    pub large: bool,
    /// Black is at the bottom.
    pub flipped: bool,
    /// The picture is frozen.
    pub held: bool,
    /// The keys are explained.
    pub help: bool,
    /// The text of a search, while it is typed.
    pub search: Option<String>,
    /// The board where the search began.
    from: Option<Name>,
    /// The text of the last search.
    found: String,
    /// The text of a search without a match, until the next key.
    pub missing: Option<String>,
    /// The number of plies shown of the board alone; none: all.
    pub plies: Option<usize>,
    /// The boards in a row of the picture, and its rows, as last drawn.
    pub shape: (usize, usize),
    /// The first row that is drawn.
    pub top: usize,
    /// A recording is replayed: left and right go through its moves, not through those of this view.
    replayed: bool,
}

/// The effect of a key besides a new picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wish {
    /// Nothing.
    None,
    /// To leave.
    Quit,
    /// In a replay: to the previous move (-1) or the next one (1).
    Step(i32),
    /// In a replay: faster (2.0) or slower (0.5).
    Speed(f64),
}

impl View {
    /// A view of a replay.
    pub fn of_a_recording() -> View {
        View { replayed: true, ..View::default() }
    }

    /// The index of the selected board in the order of the hall.
    pub fn place(&self, hall: &Hall) -> usize {
        let chosen = self.chosen.as_ref();
        chosen.and_then(|chosen| hall.boards().position(|(name, _)| name == chosen)).unwrap_or(0)
    }

    /// The selected board.
    pub fn chosen<'a>(&self, hall: &'a Hall) -> Option<(&'a Name, &'a Board)> {
        hall.boards().nth(self.place(hall))
    }

    /// Handles a key.
    pub fn key(&mut self, key: Key, hall: &Hall) -> Wish {
        let missing = self.missing.take();
        if self.help {
            self.help = false;
            return if key == Key::Letter('q') { Wish::Quit } else { Wish::None };
        }
        if let Some(typed) = self.search.take() {
            self.search_key(typed, key, hall, missing);
            return Wish::None;
        }
        match key {
            Key::Letter('q') => return Wish::Quit,
            Key::Letter('?' | 'h') => self.help = true,
            Key::Letter(' ') => self.held = !self.held,
            Key::Letter('f') => self.flipped = !self.flipped,
            Key::Letter('/') => {
                self.from = self.chosen(hall).map(|(name, _)| name.clone());
                self.search = Some(String::new());
            }
            Key::Letter('+') => return Wish::Speed(2.0),
            Key::Letter('-') => return Wish::Speed(0.5),
            Key::Letter('<' | ',') => return Wish::Step(-1),
            Key::Letter('>' | '.') => return Wish::Step(1),
            Key::Enter if !self.large => (self.large, self.plies) = (true, None),
            Key::Enter | Key::Escape | Key::Backspace => self.large = false,
            Key::Left | Key::Right | Key::Home | Key::End if self.large => {
                return self.through_moves(key, hall);
            }
            Key::Up => self.go(hall, if self.large { -1 } else { -(self.shape.0.max(1) as isize) }),
            Key::Down => self.go(hall, if self.large { 1 } else { self.shape.0.max(1) as isize }),
            Key::Left => self.go(hall, -1),
            Key::Right => self.go(hall, 1),
            Key::PageUp => self.go(hall, -(self.screenful() as isize)),
            Key::PageDown => self.go(hall, self.screenful() as isize),
            Key::Home => self.go(hall, isize::MIN / 2),
            Key::End => self.go(hall, isize::MAX / 2),
            Key::Letter(_) => {}
        }
        Wish::None
    }

    fn screenful(&self) -> usize {
        (self.shape.0 * self.shape.1).max(1)
    }

    /// Selects the board this many places on. A row up from the first row, or down from the last, has no effect.
    fn go(&mut self, hall: &Hall, by: isize) {
        let (at, count) = (self.place(hall) as isize, hall.boards().len() as isize);
        let to = at.saturating_add(by);
        let row = by.unsigned_abs() == self.shape.0 && self.shape.0 > 1;
        if count == 0 || row && !(0..count).contains(&to) {
            return;
        }
        let to = to.clamp(0, count - 1) as usize;
        self.chosen = hall.boards().nth(to).map(|(name, _)| name.clone());
        self.plies = None;
    }

    fn through_moves(&mut self, key: Key, hall: &Hall) -> Wish {
        if self.replayed && matches!(key, Key::Left | Key::Right) {
            return Wish::Step(if key == Key::Left { -1 } else { 1 });
        }
        let Some(game) = self.chosen(hall).and_then(|(_, board)| board.game.as_ref()) else {
            return Wish::None;
        };
        let (all, now) = (game.moves.len(), self.plies.unwrap_or(usize::MAX).min(game.moves.len()));
        let to = match key {
            Key::Left => now.saturating_sub(1),
            Key::Right => now + 1,
            Key::Home => 0,
            _ => all,
        };
        self.plies = Some(to).filter(|to| *to < all);
        Wish::None
    }

    fn search_key(&mut self, mut typed: String, key: Key, hall: &Hall, missing: Option<String>) {
        match key {
            Key::Letter(letter) => typed.push(letter),
            Key::Backspace if typed.pop().is_some() => {}
            Key::Enter => {
                self.missing = missing;
                self.find_again(&typed, hall);
                self.found = typed;
                return;
            }
            // The search was cancelled.
            Key::Escape | Key::Backspace => return,
            _ => {}
        }
        if !self.find(&typed, hall) {
            self.missing = Some(typed.clone());
        }
        self.search = Some(typed);
    }

    /// Selects the board with this address, or the first one, from the selected one on, whose address or players match;
    /// returns whether there is one.
    fn find(&mut self, what: &str, hall: &Hall) -> bool {
        let from = self.place(hall);
        let mut round = hall.boards().skip(from).chain(hall.boards().take(from));
        let exact =
            |((_, address), _): &(&Name, &Board)| address.is_some_and(|board| board.to_string() == what);
        let found = round.clone().find(exact).or_else(|| round.find(|board| has(board, what)));
        self.choose(found)
    }

    /// Repeats the last search, where it began at a board that matches: selects the next match.
    fn find_again(&mut self, what: &str, hall: &Hall) {
        let from = hall.boards().position(|(name, _)| Some(name) == self.from.as_ref());
        let Some(from) = from.filter(|_| what == self.found && !what.is_empty()) else { return };
        let round = hall.boards().skip(from).chain(hall.boards().take(from));
        let mut having = round.filter(|board| has(board, what));
        if having.next().is_some_and(|(name, _)| Some(name) == self.from.as_ref()) {
            self.choose(having.next());
        }
    }

    fn choose(&mut self, found: Option<(&Name, &Board)>) -> bool {
        if let Some((name, _)) = found {
            (self.chosen, self.plies) = (Some(name.clone()), None);
        }
        found.is_some()
    }
}

/// Whether a board's address or players contain this text.
fn has((name, board): &(&Name, &Board), what: &str) -> bool {
    let what = what.to_lowercase();
    let names = ["White", "Black"].into_iter().filter_map(|tag| board.tags().get(tag)).map(str::to_lowercase);
    // A short name is the same in letters, except for the sign where it is cut.
    let called = players::called(name, true, Look { ascii: true, colour: false }).to_lowercase();
    names.chain([called]).any(|name| name.contains(&what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        format::pgn::Dress,
        record::{Record, parse},
    };

    /// The boards that these keys lead to, one after the other, in a hall of some.
    fn found(boards: &[u16], searches: &[&str]) -> Vec<u16> {
        let mut hall = Hall::new(Dress::default());
        for board in boards {
            let line = format!("{{\"type\":\"quiet\",\"board\":{board}}}");
            let Ok(Record::Board(record)) = parse(line.as_bytes()) else { panic!("{line}") };
            hall.record(&record);
        }
        let mut view = View::default();
        let search = |search: &&str| {
            for key in search.chars() {
                view.key(if key == '\r' { Key::Enter } else { Key::Letter(key) }, &hall);
            }
            view.chosen(&hall).unwrap().0.1.unwrap()
        };
        searches.iter().map(search).collect()
    }

    #[test]
    fn complete_addresses_are_found_before_partial_matches() {
        assert_eq!(found(&[3, 15, 20, 115, 150], &["/20\r", "/15\r"]), [20, 15]);
    }

    #[test]
    fn repeated_searches_continue_to_the_next_match() {
        let again = "/15\r";
        assert_eq!(found(&[3, 15, 20, 115, 150], &[again; 5]), [15, 115, 150, 15, 115]);
        assert_eq!(found(&[3, 15], &[again; 2]), [15, 15]);
        // From elsewhere it begins anew.
        assert_eq!(found(&[3, 15, 115], &[again, "/3\r", again]), [15, 3, 15]);
    }
}
