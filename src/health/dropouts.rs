//! Pieces that drop out: whether it is the square, the piece, or hands.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    hands::{Hands, What, passed},
    limits,
    pieces::DropOut,
    reach::is_pawn,
    series::Series,
};
use crate::record::{Piece, Square, Time};

/// So many of the latest are kept.
const LATEST: usize = 26;
/// In the place of the square on which a piece began its game, where that is not known.
const UNKNOWN: u8 = 64;

/// What drops out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Culprit {
    /// Whatever stands there.
    Square(Square),
    /// The piece that began its game there.
    Piece(Square),
}

/// A culprit with what speaks against it.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// Who it is.
    pub culprit: Culprit,
    /// How often,
    pub count: u32,
    /// and since when.
    pub since: Option<Time>,
    /// A piece did so on this square alone.
    pub on: Option<Square>,
}

/// A piece that drops out on a square: which square, which piece (by the square on which it began its game), and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cell {
    square: u8,
    home: u8,
    code: u8,
}

impl Cell {
    /// This piece on this square.
    fn of(square: u8, (piece, home): (Piece, Option<Square>)) -> Cell {
        Cell { square, home: home.map_or(UNKNOWN, |home| home.field()), code: piece.code() }
    }

    fn piece(&self) -> Option<Piece> {
        Piece::from_code(self.code)
    }
}

/// How often a piece dropped out on a square.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    all: u32,
    /// Of those it was back quickly so often.
    quick: u32,
}

impl Count {
    /// Whether most of them were quick.
    fn is_quick(&self) -> bool {
        2 * self.quick > self.all
    }

    /// Whether there are more than hands cause, if they came close together.
    fn is_too_many(&self, culprit: Culprit) -> bool {
        let quick = matches!(culprit, Culprit::Square(_)) && self.is_quick();
        let fewest = if quick { limits::NO_QUICK_HANDS[0].0 } else { limits::NO_HANDS[0].0 };
        self.all as usize >= fewest
    }
}

/// Who may drop out, and what speaks against it.
#[derive(Debug, Clone, Copy)]
struct Suspect {
    culprit: Culprit,
    /// What it is, of a piece.
    code: Option<u8>,
    count: Count,
    /// Of a square: what the times say for which pieces stood there, and elsewhere.
    times: Times,
}

/// What the times say for which pieces stood on a square and elsewhere, and how often they dropped out there: of a square and of
/// the piece that did so most often on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Times {
    /// It is the square: other pieces do as often there, or this one does not elsewhere.
    Square,
    /// It is the piece.
    Piece,
    /// Nothing.
    Nothing,
}

impl Suspect {
    /// Of one piece on one square both have about the same count: bad contacts are quick, weak pieces slow. That counts where
    /// nothing else tells them apart.
    fn likelihood(&self) -> u32 {
        let all = self.count.all;
        match (self.culprit, self.times) {
            (Culprit::Square(_), Times::Square) => 2 * all,
            (Culprit::Square(_), Times::Nothing) if self.count.is_quick() => all + all / 2,
            (Culprit::Piece(_), _) if !self.count.is_quick() => all + all / 2,
            _ => all,
        }
    }
}

/// Drop-outs of a board, by square and by piece. Most squares have none.
#[derive(Debug, Clone, Default)]
pub struct DropOuts {
    cells: BTreeMap<Cell, Count>,
    /// For how long a piece stood on a square, in seconds.
    stood: HashMap<Cell, f64>,
    /// What stands on each square now, and since when; empty where nothing was looked at.
    stands: Vec<Option<(Cell, Option<Time>)>>,
    /// When that was looked at first, and when last.
    began: Option<Time>,
    now: Option<Time>,
    hands: Hands,
    squares: BTreeMap<u8, Lately>,
    /// The same of squares, of those drop-outs alone after which the piece was back quickly.
    quick: BTreeMap<u8, Lately>,
    pieces: BTreeMap<u8, Lately>,
    /// Of pieces alike, by their code: which dropped out last.
    last_alike: BTreeMap<u8, u8>,
}

/// The drop-outs of one square, or of one piece.
#[derive(Debug, Clone, Default)]
struct Lately {
    series: Series,
    /// What passed while something stood there, in seconds, since the first: up to the last look, and since when it does again.
    stood: f64,
    stands: Option<(What, f64)>,
    /// The same at the latest drop-outs, the last first; when those were, and of which piece, or on which square.
    stood_at: [f64; LATEST],
    came_at: [Option<Time>; LATEST],
    with: [u8; LATEST],
    /// They came closer together than hands cause.
    many: Option<Many>,
    /// So often another piece alike had dropped out before.
    turns: u32,
}

/// Drop-outs that came closer together than hands cause.
#[derive(Debug, Clone, Copy)]
struct Many {
    /// When the first of them was.
    since: Option<Time>,
    /// Three in four of all that did so were of this piece, or on this square; none where they were of several.
    with: Option<u8>,
}

impl Lately {
    /// Another, of this piece or on this square, which is too many where as many come within as little time as `no_hands` says.
    fn add(
        &mut self,
        with: u8,
        time: Option<Time>,
        (what, hands): (What, &Hands),
        no_hands: &[(usize, f64)],
    ) {
        self.look(Some(what), hands);
        if time.is_none() {
            self.stood += limits::UNTIMED;
        }
        self.series.add(time);
        self.stood_at.rotate_right(1);
        self.came_at.rotate_right(1);
        self.with.rotate_right(1);
        (self.stood_at[0], self.came_at[0], self.with[0]) = (self.stood, time, with);
        let close = |&&(many, seconds): &&(usize, f64)| {
            self.series.count as usize >= many && self.stood - self.stood_at[many - 1] <= seconds
        };
        let Some(&(many, _)) = no_hands.iter().find(close) else { return };
        let with = &self.with[..many];
        let times = |one: &u8| with.iter().filter(|other| *other == one).count();
        let most = with.iter().copied().max_by_key(times).filter(|most| 4 * times(most) >= 3 * many);
        let known = self.many.get_or_insert(Many { since: self.came_at[many - 1], with: most });
        known.with = known.with.filter(|_| known.with == most);
    }

    /// Something stands there from now on, and what passes for it, or nothing.
    fn look(&mut self, stands: Option<What>, hands: &Hands) {
        self.stood += self.stands.map_or(0.0, |(what, since)| hands.passed(what) - since);
        self.stands = stands.map(|what| (what, hands.passed(what)));
    }
}

impl DropOuts {
    /// A piece dropped out and came back.
    pub fn add(&mut self, dropped: DropOut, time: Option<Time>) {
        let square = dropped.square.field();
        let cell = Cell::of(square, (dropped.piece, dropped.home));
        let Cell { home: piece, code, .. } = cell;
        let count = self.cells.entry(cell).or_default();
        count.all += 1;
        count.quick += u32::from(dropped.quick);
        self.hands.work(time);
        let hands = (What::hands_at(dropped.piece), &self.hands);
        self.squares.entry(square).or_default().add(piece, time, hands, &limits::NO_HANDS);
        if dropped.quick {
            let quick = self.quick.entry(square).or_default();
            quick.add(piece, time, (What::Time, &self.hands), &limits::NO_QUICK_HANDS);
        }
        let of_piece = self.pieces.entry(piece).or_default();
        of_piece.add(square, time, hands, &limits::NO_HANDS);
        if self.last_alike.insert(code, piece) != Some(piece) {
            of_piece.turns += 1;
        }
    }

    /// This piece stands on a square now, with the square on which it began its game, or nothing.
    pub fn look(&mut self, square: Square, piece: Option<(Piece, Option<Square>)>, time: Option<Time>) {
        self.hands.work(time);
        let hands = piece.map(|(piece, _)| What::hands_at(piece));
        let time_passes = piece.map(|_| What::Time);
        for (of_squares, stands) in [(&mut self.squares, hands), (&mut self.quick, time_passes)] {
            if let Some(lately) = of_squares.get_mut(&square.field()) {
                lately.look(stands, &self.hands);
            }
        }
        (self.began, self.now) = (self.began.or(time), self.now.max(time));
        let square = square.field();
        if self.stands.is_empty() {
            self.stands.resize(64, None);
        }
        let stands = piece.map(|piece| (Cell::of(square, piece), time));
        let stood = std::mem::replace(&mut self.stands[usize::from(square)], stands);
        self.hands.left([&stood, &stands].map(|stands| stands.and_then(|(cell, _)| cell.piece())));
        if let Some((cell, since)) = stood {
            *self.stood.entry(cell).or_default() += passed(since, time);
        }
    }

    /// It is another piece that stands on this square, and has since it came.
    pub fn is_another(&mut self, square: Square, piece: Option<(Piece, Option<Square>)>) {
        let square = square.field();
        if let Some((Some(standing), piece)) = self.stands.get_mut(usize::from(square)).zip(piece) {
            standing.0 = Cell::of(square, piece);
        }
    }

    fn of(&self, culprit: Culprit) -> Option<&Lately> {
        match culprit {
            Culprit::Square(square) => self.squares.get(&square.field()),
            Culprit::Piece(home) => self.pieces.get(&home.field()),
        }
    }

    /// Whether this came closer together than hands cause, and not with what is known by now alone.
    fn is_suspect(&self, cells: &BTreeMap<Cell, Count>, culprit: Culprit) -> bool {
        let is_left = |with: u8| {
            cells.keys().any(|cell| match culprit {
                Culprit::Square(square) => cell.square == square.field() && cell.home == with,
                Culprit::Piece(home) => cell.home == home.field() && cell.square == with,
            })
        };
        self.many(culprit).any(|many| many.with.is_none_or(is_left))
    }

    /// What came closer together than hands cause.
    fn many(&self, culprit: Culprit) -> impl Iterator<Item = Many> {
        let quick = match culprit {
            Culprit::Square(square) => self.quick.get(&square.field()),
            Culprit::Piece(_) => None,
        };
        self.of(culprit).into_iter().chain(quick).filter_map(|lately| lately.many)
    }

    /// Who drops out more than hands cause; of squares and pieces that share what speaks against them the likelier.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let mut cells = self.cells.clone();
        let mut found: Vec<Verdict> = Vec::new();
        while let Some(Suspect { culprit, code, count, .. }) = self.worst(&cells) {
            let mut squares = cells.keys().filter(|cell| Some(cell.code) == code).map(|cell| cell.square);
            let first = squares.next().filter(|first| squares.all(|square| square == *first));
            let on = first.and_then(Square::from_field);
            match culprit {
                Culprit::Square(square) => cells.retain(|cell, _| cell.square != square.field()),
                // Others alike were taken for it, unless they take turns with it.
                Culprit::Piece(home) => cells.retain(|cell, _| {
                    let taken = Some(cell.code) == code && !self.takes_turns(*cell);
                    cell.home != home.field() && !taken
                }),
            }
            // Where one is found, what hands may have done is no second one.
            cells.retain(|_, count| count.all >= limits::HANDS);
            let first = || self.of(culprit).and_then(|lately| lately.series.first);
            let since = self.many(culprit).filter_map(|many| many.since).min().or_else(first);
            found.push(Verdict { culprit, count: count.all, since, on });
        }
        found
    }

    /// Whether a piece drops out in turn with others alike, so that it is none that was taken for one of them.
    fn takes_turns(&self, cell: Cell) -> bool {
        self.pieces.get(&cell.home).is_some_and(|lately| {
            cell.home != UNKNOWN
                && lately.turns >= limits::TURNS
                && lately.turns * limits::IN_A_ROW >= lately.series.count
        })
    }

    /// The suspect with the most drop-outs of those that are left, if those are too many for hands.
    fn worst(&self, cells: &BTreeMap<Cell, Count>) -> Option<Suspect> {
        let squares: BTreeSet<u8> = cells.keys().map(|cell| cell.square).collect();
        let squares = squares.into_iter().filter_map(|square| self.square(cells, square));
        let codes: BTreeSet<u8> = cells.keys().map(|cell| cell.code).collect();
        let pieces = codes.into_iter().filter_map(|code| self.piece(cells, code));
        let too_many = |suspect: &Suspect| suspect.count.is_too_many(suspect.culprit);
        squares.chain(pieces).filter(too_many).max_by_key(Suspect::likelihood)
    }

    /// A square that is a suspect.
    fn square(&self, cells: &BTreeMap<Cell, Count>, square: u8) -> Option<Suspect> {
        let culprit =
            Square::from_field(square).map(Culprit::Square).filter(|it| self.is_suspect(cells, *it))?;
        let count = sum(cells, |cell| cell.square == square);
        // Where what dropped out most there is known already, the rest may be hands.
        if !count.is_too_many(culprit) {
            return None;
        }
        match self.times(cells, square) {
            // It has more of it than hands cause because that piece stood there.
            (Times::Piece, Some(code)) => self.alike(cells, code),
            (times, _) => Some(Suspect { culprit, code: None, count, times }),
        }
    }

    /// See [`Times`]. Both explanations are told apart by how likely they make the counts, as those of chances that come at the
    /// same pace at all times: at that of the culprit where it takes part, at that of hands elsewhere.
    fn times(&self, cells: &BTreeMap<Cell, Count>, square: u8) -> (Times, Option<u8>) {
        let on_square = || cells.iter().filter(|(cell, _)| cell.square == square);
        let Some((&worst, _)) = on_square().max_by_key(|(_, count)| count.all) else {
            return (Times::Nothing, None);
        };
        let is_piece = |cell: &Cell| cell.code == worst.code;
        let homes: BTreeSet<u8> = cells
            .iter()
            .filter(|(cell, count)| is_piece(cell) && count.all >= limits::HANDS)
            .map(|(cell, _)| cell.home)
            .collect();
        let takes_part = |cell: &Cell| {
            cell.square == square || is_piece(cell) && (cell.home == worst.home || homes.contains(&cell.home))
        };
        let stand = self.stands.iter().flatten().map(|(cell, _)| cell);
        let known = cells.keys().chain(self.stood.keys()).chain(stand);
        let all: BTreeSet<Cell> = known.filter(|cell| takes_part(cell)).copied().collect();
        let counts = |of: &dyn Fn(&Cell) -> bool| {
            all.iter().filter(|cell| of(cell)).fold((0.0, 0.0), |(count, seconds), cell| {
                let here = cells.get(cell).map_or(0, |count| count.all);
                (count + f64::from(here), seconds + self.stood_for(cell))
            })
        };
        // Of the piece there both say the same.
        let common = counts(&|cell| cell.square == square && is_piece(cell));
        let others = counts(&|cell| cell.square == square && !is_piece(cell));
        // Others alike are taken for it: it cannot have stood elsewhere while one of them stood there.
        let (count, seconds) = counts(&|cell| cell.square != square);
        let elsewhere = (count, seconds.min((passed(self.began, self.now) - common.1).max(0.0)));
        // What comes at the culprit's pace, against what comes at that of hands.
        let speaks = |(count, seconds): (f64, f64)| {
            let pace = (common.0 + count) / (common.1 + seconds).max(1.0);
            let ratio = (pace / limits::HANDS_A_SECOND).max(1.0);
            count * ratio.ln() - (pace - limits::HANDS_A_SECOND).max(0.0) * seconds
        };
        // Some of that time it was another, taken for it.
        let as_another = |(count, seconds): (f64, f64)| {
            let more = (count - 2.0 * limits::HANDS_A_SECOND * seconds).max(0.0);
            let pace = common.0 / common.1.max(1.0);
            let alike = Piece::from_code(worst.code).is_some_and(is_pawn);
            let seconds = match more > 0.0 {
                true => seconds.min(limits::TAKEN_FOR * more / pace),
                false if alike => seconds * limits::OF_PAWNS,
                false => seconds,
            };
            speaks((more, seconds))
        };
        let (own, rare) = (speaks(others), as_another(elsewhere));
        let times = match own - rare {
            more if more >= limits::TIMES_SAY => Times::Square,
            less if less <= -limits::TIMES_SAY => Times::Piece,
            _ => Times::Nothing,
        };
        (times, Some(worst.code))
    }

    /// Of pieces alike, one of which is a suspect, the one that is it. They are taken for each other, so all of them speak
    /// against it; at home, before it has moved, each is surely known.
    fn piece(&self, cells: &BTreeMap<Cell, Count>, code: u8) -> Option<Suspect> {
        let homes: BTreeSet<u8> =
            cells.keys().filter(|cell| cell.code == code).map(|cell| cell.home).collect();
        let alike = || homes.iter().filter_map(|home| Square::from_field(*home));
        alike()
            .any(|home| self.is_suspect(cells, Culprit::Piece(home)))
            .then(|| self.alike(cells, code))
            .flatten()
    }

    /// Of pieces alike the one that drops out.
    fn alike(&self, cells: &BTreeMap<Cell, Count>, code: u8) -> Option<Suspect> {
        let homes: BTreeSet<u8> =
            cells.keys().filter(|cell| cell.code == code).map(|cell| cell.home).collect();
        let alike = homes.iter().filter_map(|home| Square::from_field(*home));
        let speaks = |home: &Square| {
            let own = |cell: &Cell| cell.code == code && cell.home == home.field();
            let at_home = |cell: &Cell| own(cell) && cell.square == home.field();
            sum(cells, own).all + limits::AT_HOME * sum(cells, at_home).all
        };
        let home = alike.max_by_key(speaks)?;
        let count = sum(cells, |cell| cell.code == code);
        Some(Suspect { culprit: Culprit::Piece(home), code: Some(code), count, times: Times::Nothing })
    }

    /// For how long a piece has stood on a square up to now, in seconds.
    fn stood_for(&self, cell: &Cell) -> f64 {
        let standing = self.stands.get(usize::from(cell.square)).copied().flatten();
        let standing =
            standing.filter(|(it, _)| it == cell).map_or(0.0, |(_, since)| passed(since, self.now));
        self.stood.get(cell).copied().unwrap_or_default() + standing
    }

    /// Whether this drops out now.
    pub fn is_at_it(&self, culprit: Culprit, now: Time) -> bool {
        self.of(culprit).is_some_and(|lately| lately.series.within(now, limits::NOW.1) >= limits::NOW.0)
    }
}

fn sum(cells: &BTreeMap<Cell, Count>, of: impl Fn(&Cell) -> bool) -> Count {
    let own = cells.iter().filter(|(cell, _)| of(cell)).map(|(_, count)| count);
    own.fold(Count::default(), |sum, count| Count {
        all: sum.all + count.all,
        quick: sum.quick + count.quick,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece from a square drops out on another so often, and is back quickly so often.
    fn dropped(drop_outs: &mut DropOuts, (letter, home): (u8, &str), on: &str, (count, quick): (u32, u32)) {
        let (piece, home) = (Piece::from_letter(letter).unwrap(), home.parse().ok());
        for n in 0..count {
            let at = drop_outs.squares.values().map(|lately| lately.series.count).sum::<u32>();
            let dropped = DropOut { square: on.parse().unwrap(), piece, home, quick: n < quick };
            drop_outs.add(dropped, Some(Time(i64::from(at) * 10_000)));
        }
    }

    fn found(drop_outs: &DropOuts) -> Vec<(Culprit, u32)> {
        drop_outs.verdicts().into_iter().map(|verdict| (verdict.culprit, verdict.count)).collect()
    }

    fn piece(home: &str) -> Culprit {
        Culprit::Piece(home.parse().unwrap())
    }

    #[test]
    fn what_a_square_or_a_piece_made_drop_out_speaks_for_no_other_once_that_is_known() {
        let pawns = |drop_outs: &mut DropOuts| {
            for home in ["b7", "c7", "d7"] {
                dropped(drop_outs, (b'p', home), home, (5, 0));
            }
        };
        let mut of_square = DropOuts::default();
        dropped(&mut of_square, (b'p', "a7"), "a7", (3, 0));
        dropped(&mut of_square, (b'p', "a7"), "a6", (20, 20));
        dropped(&mut of_square, (b'n', "b8"), "a6", (20, 20));
        pawns(&mut of_square);
        assert_eq!(found(&of_square), [(Culprit::Square("a6".parse().unwrap()), 40)]);
        // It captured a pawn there, which was adjusted before.
        let mut of_piece = DropOuts::default();
        dropped(&mut of_piece, (b'p', "f7"), "f7", (5, 0));
        dropped(&mut of_piece, (b'Q', "d1"), "d1", (20, 0));
        dropped(&mut of_piece, (b'Q', "d1"), "f7", (20, 0));
        pawns(&mut of_piece);
        assert_eq!(found(&of_piece), [(piece("d1"), 40)]);
    }

    #[test]
    fn a_weak_piece_that_was_taken_for_another_alike_is_the_one_that_dropped_out_at_home() {
        let mut drop_outs = DropOuts::default();
        dropped(&mut drop_outs, (b'N', "b1"), "b1", (40, 1));
        dropped(&mut drop_outs, (b'N', "b1"), "c3", (10, 0));
        // Since the two were lifted at a time.
        dropped(&mut drop_outs, (b'N', "g1"), "e4", (60, 1));
        assert_eq!(found(&drop_outs), [(piece("b1"), 110)]);
    }

    #[test]
    fn a_weak_piece_that_never_leaves_its_square_is_weak_whoever_it_is_taken_for() {
        let mut drop_outs = DropOuts::default();
        dropped(&mut drop_outs, (b'P', "g2"), "g2", (44, 4));
        dropped(&mut drop_outs, (b'P', "d2"), "g2", (13, 2));
        assert_eq!(found(&drop_outs), [(piece("g2"), 57)]);
        // A bad contact is quick.
        let mut drop_outs = DropOuts::default();
        dropped(&mut drop_outs, (b'P', "g2"), "g2", (44, 40));
        dropped(&mut drop_outs, (b'P', "d2"), "g2", (13, 12));
        assert_eq!(found(&drop_outs), [(Culprit::Square("g2".parse().unwrap()), 57)]);
    }

    #[test]
    fn a_square_on_which_two_kinds_of_pieces_drop_out_is_it_however_slowly_they_come_back() {
        for counts in [(70, 13), (25, 13), (200, 100), (13, 70)] {
            let mut drop_outs = DropOuts::default();
            dropped(&mut drop_outs, (b'P', "d2"), "d3", (counts.0, 2));
            dropped(&mut drop_outs, (b'Q', "d1"), "d3", (counts.1, 0));
            let square = Culprit::Square("d3".parse().unwrap());
            assert_eq!(found(&drop_outs), [(square, counts.0 + counts.1)]);
        }
    }

    /// A piece from a square stands on another from then on, which it left where it stood before.
    fn goes(drop_outs: &mut DropOuts, (letter, home): (u8, &str), (from, to): (&str, &str), second: i64) {
        let (piece, time) = (Piece::from_letter(letter).unwrap(), Some(Time(second * 1000)));
        if from != to {
            drop_outs.look(from.parse().unwrap(), None, time);
        }
        drop_outs.look(to.parse().unwrap(), Some((piece, home.parse().ok())), time);
    }

    #[test]
    fn a_square_whose_piece_does_not_drop_out_elsewhere_is_it_however_slowly_it_comes_back() {
        let (king, bishop) = ((b'k', "e8"), (b'b', "f8"));
        for (castles, expected) in [(true, Culprit::Square("e8".parse().unwrap())), (false, piece("e8"))] {
            let mut drop_outs = DropOuts::default();
            goes(&mut drop_outs, king, ("e8", "e8"), 0);
            goes(&mut drop_outs, bishop, ("f8", "f8"), 0);
            dropped(&mut drop_outs, king, "e8", (40, 0));
            let (who, way) = if castles { (king, ("e8", "g8")) } else { (bishop, ("f8", "c5")) };
            goes(&mut drop_outs, who, way, 400);
            goes(&mut drop_outs, who, (way.1, way.1), 1000);
            assert_eq!(found(&drop_outs), [(expected, 40)]);
        }
    }

    #[test]
    fn a_piece_on_whose_square_no_other_drops_out_is_it_however_quickly_it_comes_back() {
        let (knight, rook) = ((b'N', "b1"), (b'R', "a1"));
        for (followed, expected) in [(true, piece("b1")), (false, Culprit::Square("b1".parse().unwrap()))] {
            let mut drop_outs = DropOuts::default();
            goes(&mut drop_outs, knight, ("b1", "b1"), 0);
            dropped(&mut drop_outs, knight, "b1", (40, 40));
            // It is captured, and a rook stands there.
            let to = if followed { "b1" } else { "d1" };
            drop_outs.look("b1".parse().unwrap(), None, Some(Time(400_000)));
            goes(&mut drop_outs, rook, ("a1", to), 400);
            goes(&mut drop_outs, rook, (to, to), 1000);
            assert_eq!(found(&drop_outs), [(expected, 40)]);
        }
    }

    #[test]
    fn a_king_that_is_put_right_again_and_again_beside_the_last_rook_is_no_weak_piece() {
        let (king, rook, all) =
            ((b'K', "e1"), (b'R', "a1"), ["b1", "c1", "d1", "f1", "g1", "h1", "a2", "b2"]);
        for (others, expected) in [(&[][..], vec![]), (&all[..], vec![(piece("e1"), 13)])] {
            let mut drop_outs = DropOuts::default();
            others.iter().for_each(|at| goes(&mut drop_outs, (b'P', at), (at, at), 0));
            goes(&mut drop_outs, rook, ("a1", "h4"), 0);
            // It goes on meanwhile.
            for (n, to) in (0..13).zip(["d4"; 7].into_iter().chain(["c4"; 6])) {
                goes(&mut drop_outs, king, ("d4", to), 10 * n);
                dropped(&mut drop_outs, king, to, (1, 0));
            }
            assert_eq!(found(&drop_outs), expected);
        }
    }

    #[test]
    fn of_two_weak_pieces_of_different_kinds_both_are_found() {
        let mut drop_outs = DropOuts::default();
        for _ in 0..5 {
            dropped(&mut drop_outs, (b'N', "b1"), "c3", (3, 0));
            dropped(&mut drop_outs, (b'p', "e7"), "e5", (3, 0));
            dropped(&mut drop_outs, (b'N', "b1"), "d5", (3, 0));
            dropped(&mut drop_outs, (b'p', "e7"), "e4", (2, 0));
        }
        assert_eq!(found(&drop_outs), [(piece("b1"), 30), (piece("e7"), 25)]);
    }
}
