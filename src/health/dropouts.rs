//! Pieces that drop out: whether the square, the piece or hands cause it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    hands::{Hands, Meter, seconds_between},
    limits,
    pieces::DropOut,
    reach::is_pawn,
    series::Series,
};
use crate::record::{Piece, Square, Time};

/// How many of the latest drop-outs are kept: as many as the largest limit counts.
const KEPT: usize = limits::TOO_MANY_DROP_OUTS[limits::TOO_MANY_DROP_OUTS.len() - 1].0;
/// Stands for an unknown home, after the 64 fields.
const UNKNOWN_HOME: u8 = 64;

/// What causes drop-outs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Culprit {
    /// The square, whatever stands there.
    Square(Square),
    /// The piece with this home.
    Piece(Square),
}

/// A culprit and the drop-outs it caused.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub culprit: Culprit,
    /// How many drop-outs it caused.
    pub count: u32,
    /// Since when.
    pub since: Option<Time>,
    /// The square, if a piece dropped out on one square only.
    pub on: Option<Square>,
}

/// A piece on a square: the field, the home field of the piece, and the code of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cell {
    square: u8,
    home: u8,
    code: u8,
}

impl Cell {
    /// The cell of a piece, with its home, on a field.
    fn of(square: u8, (piece, home): (Piece, Option<Square>)) -> Cell {
        Cell { square, home: home.map_or(UNKNOWN_HOME, |home| home.field()), code: piece.code() }
    }

    fn piece(&self) -> Option<Piece> {
        Piece::from_code(self.code)
    }
}

/// How often a piece dropped out on a square.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    all: u32,
    /// How often it was back quickly.
    quick: u32,
}

impl Count {
    /// Whether most of them were quick.
    fn is_quick(&self) -> bool {
        2 * self.quick > self.all
    }

    /// Whether these are more than hands cause, if they came close together.
    fn is_too_many(&self, culprit: Culprit) -> bool {
        let quick = matches!(culprit, Culprit::Square(_)) && self.is_quick();
        let fewest =
            if quick { limits::TOO_MANY_QUICK_DROP_OUTS[0].0 } else { limits::TOO_MANY_DROP_OUTS[0].0 };
        self.all as usize >= fewest
    }
}

/// A possible culprit and its drop-outs.
#[derive(Debug, Clone, Copy)]
struct Suspect {
    culprit: Culprit,
    /// For a piece, the code of its type.
    code: Option<u8>,
    count: Count,
    /// For a square, what the occupation times show.
    blame: Blame,
}

/// What occupation times show about a square and the piece that dropped out most often on it: how long pieces stood on that
/// square and elsewhere, and how often they dropped out meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blame {
    /// The square: other pieces drop out there as often, or this one does not elsewhere.
    Square,
    /// It is the piece.
    Piece,
    /// Undecided.
    Neither,
}

impl Suspect {
    /// The number of drop-outs, raised for the more likely culprit. A piece that stands on one square only yields about equal
    /// counts for both; then speed decides, as bad contacts are quick and weak pieces slow.
    fn likelihood(&self) -> u32 {
        let all = self.count.all;
        match (self.culprit, self.blame) {
            (Culprit::Square(_), Blame::Square) => 2 * all,
            (Culprit::Square(_), Blame::Neither) if self.count.is_quick() => all + all / 2,
            (Culprit::Piece(_), _) if !self.count.is_quick() => all + all / 2,
            _ => all,
        }
    }
}

/// The drop-outs of a board by square and by piece. Most squares have none.
#[derive(Debug, Clone, Default)]
pub struct DropOuts {
    cells: BTreeMap<Cell, Count>,
    /// For how many seconds each piece stood on each square.
    stood: HashMap<Cell, f64>,
    /// What stands on each square, and since when; empty before the first piece was seen.
    stands: Vec<Option<(Cell, Option<Time>)>>,
    /// When a piece was first seen.
    began: Option<Time>,
    /// The latest time.
    now: Option<Time>,
    hands: Hands,
    squares: BTreeMap<u8, Recent>,
    /// The same for quick drop-outs only, by square.
    quick: BTreeMap<u8, Recent>,
    pieces: BTreeMap<u8, Recent>,
    /// For each type of piece, by its code, the home of the one that dropped out last.
    last_alike: BTreeMap<u8, u8>,
}

/// The latest drop-outs of one square or one piece.
#[derive(Debug, Clone, Default)]
struct Recent {
    series: Series,
    /// Seconds on the meter while the square was occupied, or the piece stood on the board.
    stood: f64,
    /// The meter that runs for what stands there now, and its reading when it was last added to `stood`.
    stands: Option<(Meter, f64)>,
    /// `stood` at each of the latest drop-outs, the last first; their times; and the piece or square of each.
    stood_at: [f64; KEPT],
    came_at: [Option<Time>; KEPT],
    with: [u8; KEPT],
    /// They came closer together than hands cause.
    many: Option<Many>,
    /// How often an identical piece had dropped out in between.
    turns: u32,
}

/// Drop-outs that came closer together than hands cause.
#[derive(Debug, Clone, Copy)]
struct Many {
    /// The time of the first of them.
    since: Option<Time>,
    /// The piece, or the square, of at least three in four whenever there were too many; none if they were spread.
    with: Option<u8>,
}

impl Recent {
    /// Adds a drop-out of the piece, or on the square, `with`. `too_many`: how many within how many seconds.
    fn add(
        &mut self,
        with: u8,
        time: Option<Time>,
        (meter, hands): (Meter, &Hands),
        too_many: &[(usize, f64)],
    ) {
        self.set_standing(Some(meter), hands);
        if time.is_none() {
            self.stood += limits::DROP_OUT_SECONDS;
        }
        self.series.add(time);
        self.stood_at.rotate_right(1);
        self.came_at.rotate_right(1);
        self.with.rotate_right(1);
        (self.stood_at[0], self.came_at[0], self.with[0]) = (self.stood, time, with);
        let close = |&&(many, seconds): &&(usize, f64)| {
            self.series.count as usize >= many && self.stood - self.stood_at[many - 1] <= seconds
        };
        let Some(&(many, _)) = too_many.iter().find(close) else { return };
        let with = &self.with[..many];
        let times = |one: &u8| with.iter().filter(|other| *other == one).count();
        let most = with.iter().copied().max_by_key(times).filter(|most| 4 * times(most) >= 3 * many);
        let known = self.many.get_or_insert(Many { since: self.came_at[many - 1], with: most });
        known.with = known.with.filter(|_| known.with == most);
    }

    /// Something, whose meter this is, or nothing stands there from now on.
    fn set_standing(&mut self, stands: Option<Meter>, hands: &Hands) {
        self.stood += self.stands.map_or(0.0, |(meter, since)| hands.elapsed(meter) - since);
        self.stands = stands.map(|meter| (meter, hands.elapsed(meter)));
    }
}

impl DropOuts {
    /// Adds a drop-out that has just ended.
    pub fn add(&mut self, dropped: DropOut, time: Option<Time>) {
        let square = dropped.square.field();
        let cell = Cell::of(square, (dropped.piece, dropped.home));
        let Cell { home: piece, code, .. } = cell;
        let count = self.cells.entry(cell).or_default();
        count.all += 1;
        count.quick += u32::from(dropped.quick);
        self.hands.advance(time);
        let hands = (Meter::hands_of(dropped.piece), &self.hands);
        self.squares.entry(square).or_default().add(piece, time, hands, &limits::TOO_MANY_DROP_OUTS);
        if dropped.quick {
            let quick = self.quick.entry(square).or_default();
            quick.add(piece, time, (Meter::Time, &self.hands), &limits::TOO_MANY_QUICK_DROP_OUTS);
        }
        let of_piece = self.pieces.entry(piece).or_default();
        of_piece.add(square, time, hands, &limits::TOO_MANY_DROP_OUTS);
        if self.last_alike.insert(code, piece) != Some(piece) {
            of_piece.turns += 1;
        }
    }

    /// A piece, with its home, or nothing stands on a square from now on.
    pub fn set_piece(&mut self, square: Square, piece: Option<(Piece, Option<Square>)>, time: Option<Time>) {
        self.hands.advance(time);
        let hands = piece.map(|(piece, _)| Meter::hands_of(piece));
        let plain = piece.map(|_| Meter::Time);
        for (of_squares, meter) in [(&mut self.squares, hands), (&mut self.quick, plain)] {
            if let Some(recent) = of_squares.get_mut(&square.field()) {
                recent.set_standing(meter, &self.hands);
            }
        }
        (self.began, self.now) = (self.began.or(time), self.now.max(time));
        let square = square.field();
        if self.stands.is_empty() {
            self.stands.resize(64, None);
        }
        let stands = piece.map(|piece| (Cell::of(square, piece), time));
        let stood = std::mem::replace(&mut self.stands[usize::from(square)], stands);
        self.hands.replace([&stood, &stands].map(|stands| stands.and_then(|(cell, _)| cell.piece())));
        if let Some((cell, since)) = stood {
            *self.stood.entry(cell).or_default() += seconds_between(since, time);
        }
    }

    /// The piece on this square turns out to have been another since it came there.
    pub fn reidentify(&mut self, square: Square, piece: Option<(Piece, Option<Square>)>) {
        let square = square.field();
        if let Some((Some(standing), piece)) = self.stands.get_mut(usize::from(square)).zip(piece) {
            standing.0 = Cell::of(square, piece);
        }
    }

    fn of(&self, culprit: Culprit) -> Option<&Recent> {
        match culprit {
            Culprit::Square(square) => self.squares.get(&square.field()),
            Culprit::Piece(home) => self.pieces.get(&home.field()),
        }
    }

    /// Whether its drop-outs came closer together than hands cause, and `cells` still has the piece or square they were of.
    fn is_suspect(&self, cells: &BTreeMap<Cell, Count>, culprit: Culprit) -> bool {
        let is_left = |with: u8| {
            cells.keys().any(|cell| match culprit {
                Culprit::Square(square) => cell.square == square.field() && cell.home == with,
                Culprit::Piece(home) => cell.home == home.field() && cell.square == with,
            })
        };
        self.many(culprit).any(|many| many.with.is_none_or(is_left))
    }

    /// The drop-outs that came closer together than hands cause.
    fn many(&self, culprit: Culprit) -> impl Iterator<Item = Many> {
        let quick = match culprit {
            Culprit::Square(square) => self.quick.get(&square.field()),
            Culprit::Piece(_) => None,
        };
        self.of(culprit).into_iter().chain(quick).filter_map(|recent| recent.many)
    }

    /// The culprits, the most likely first. Each removes its own drop-outs before the next is sought.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let mut cells = self.cells.clone();
        let mut found: Vec<Verdict> = Vec::new();
        while let Some(Suspect { culprit, code, count, .. }) = self.worst(&cells) {
            let mut squares = cells.keys().filter(|cell| Some(cell.code) == code).map(|cell| cell.square);
            let first = squares.next().filter(|first| squares.all(|square| square == *first));
            let on = first.and_then(Square::from_field);
            match culprit {
                Culprit::Square(square) => cells.retain(|cell, _| cell.square != square.field()),
                // Identical pieces were mistaken for it, unless they alternate with it.
                Culprit::Piece(home) => cells.retain(|cell, _| {
                    let taken = Some(cell.code) == code && !self.alternates(*cell);
                    cell.home != home.field() && !taken
                }),
            }
            // Once a culprit is known, a few further drop-outs may be hands.
            cells.retain(|_, count| count.all >= limits::MIN_DROP_OUTS);
            let first = || self.of(culprit).and_then(|recent| recent.series.first);
            let since = self.many(culprit).filter_map(|many| many.since).min().or_else(first);
            found.push(Verdict { culprit, count: count.all, since, on });
        }
        found
    }

    /// Whether a piece alternates with identical ones, so that it drops out itself and was not mistaken for one of them.
    fn alternates(&self, cell: Cell) -> bool {
        self.pieces.get(&cell.home).is_some_and(|recent| {
            cell.home != UNKNOWN_HOME
                && recent.turns >= limits::MIN_DROP_OUTS
                && recent.turns * limits::MIN_DROP_OUTS >= recent.series.count
        })
    }

    /// The most likely of the remaining culprits with more drop-outs than hands cause.
    fn worst(&self, cells: &BTreeMap<Cell, Count>) -> Option<Suspect> {
        let squares: BTreeSet<u8> = cells.keys().map(|cell| cell.square).collect();
        let squares = squares.into_iter().filter_map(|square| self.square(cells, square));
        let codes: BTreeSet<u8> = cells.keys().map(|cell| cell.code).collect();
        let pieces = codes.into_iter().filter_map(|code| self.piece(cells, code));
        let too_many = |suspect: &Suspect| suspect.count.is_too_many(suspect.culprit);
        squares.chain(pieces).filter(too_many).max_by_key(Suspect::likelihood)
    }

    /// A square as a suspect.
    fn square(&self, cells: &BTreeMap<Cell, Count>, square: u8) -> Option<Suspect> {
        let culprit =
            Square::from_field(square).map(Culprit::Square).filter(|it| self.is_suspect(cells, *it))?;
        let count = sum(cells, |cell| cell.square == square);
        // If the piece that dropped out most often there is already a culprit, the other drop-outs may be due to hands.
        if !count.is_too_many(culprit) {
            return None;
        }
        match self.blame(cells, square) {
            // The square has more drop-outs than hands cause only because that piece stood there.
            (Blame::Piece, Some(code)) => self.alike(cells, code),
            (blame, _) => Some(Suspect { culprit, code: None, count, blame }),
        }
    }

    /// Decides between a square and the type of piece that dropped out most often there; also returns the code of that type. Both
    /// hypotheses are compared by the likelihood of the counts under Poisson processes: at the culprit's rate where the culprit
    /// takes part, at the rate of hands elsewhere.
    fn blame(&self, cells: &BTreeMap<Cell, Count>, square: u8) -> (Blame, Option<u8>) {
        let on_square = || cells.iter().filter(|(cell, _)| cell.square == square);
        let Some((&worst, _)) = on_square().max_by_key(|(_, count)| count.all) else {
            return (Blame::Neither, None);
        };
        let is_piece = |cell: &Cell| cell.code == worst.code;
        let homes: BTreeSet<u8> = cells
            .iter()
            .filter(|(cell, count)| is_piece(cell) && count.all >= limits::MIN_DROP_OUTS)
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
        // The term of the piece on this square is the same under both hypotheses.
        let common = counts(&|cell| cell.square == square && is_piece(cell));
        let others = counts(&|cell| cell.square == square && !is_piece(cell));
        // Identical pieces are mistaken for it, but it cannot have stood elsewhere while it stood here.
        let (count, seconds) = counts(&|cell| cell.square != square);
        let elsewhere = (count, seconds.min((seconds_between(self.began, self.now) - common.1).max(0.0)));
        // Logarithm of the likelihood at the culprit's rate over that at the rate of hands.
        let log_ratio = |(count, seconds): (f64, f64)| {
            let pace = (common.0 + count) / (common.1 + seconds).max(1.0);
            let ratio = (pace / limits::LIFTS_PER_SECOND).max(1.0);
            count * ratio.ln() - (pace - limits::LIFTS_PER_SECOND).max(0.0) * seconds
        };
        // For some of that time an identical piece was mistaken for it.
        let as_another = |(count, seconds): (f64, f64)| {
            let more = (count - 2.0 * limits::LIFTS_PER_SECOND * seconds).max(0.0);
            let pace = common.0 / common.1.max(1.0);
            let alike = Piece::from_code(worst.code).is_some_and(is_pawn);
            let seconds = match more > 0.0 {
                true => seconds.min(limits::MAX_TIME_RATIO * more / pace),
                false if alike => seconds * limits::PAWN_TIME_SHARE,
                false => seconds,
            };
            log_ratio((more, seconds))
        };
        let (of_square, of_piece) = (log_ratio(others), as_another(elsewhere));
        let blame = match of_square - of_piece {
            more if more >= limits::MIN_LOG_RATIO => Blame::Square,
            less if less <= -limits::MIN_LOG_RATIO => Blame::Piece,
            _ => Blame::Neither,
        };
        (blame, Some(worst.code))
    }

    /// The culprit among identical pieces, if one of them is a suspect.
    fn piece(&self, cells: &BTreeMap<Cell, Count>, code: u8) -> Option<Suspect> {
        let homes: BTreeSet<u8> =
            cells.keys().filter(|cell| cell.code == code).map(|cell| cell.home).collect();
        let alike = || homes.iter().filter_map(|home| Square::from_field(*home));
        alike()
            .any(|home| self.is_suspect(cells, Culprit::Piece(home)))
            .then(|| self.alike(cells, code))
            .flatten()
    }

    /// The culprit among identical pieces. They are mistaken for each other, so the drop-outs of all count against it; a piece is
    /// surely identified on its home square, before it has moved, so drop-outs there count three times in the choice.
    fn alike(&self, cells: &BTreeMap<Cell, Count>, code: u8) -> Option<Suspect> {
        let homes: BTreeSet<u8> =
            cells.keys().filter(|cell| cell.code == code).map(|cell| cell.home).collect();
        let alike = homes.iter().filter_map(|home| Square::from_field(*home));
        let weight = |home: &Square| {
            let own = |cell: &Cell| cell.code == code && cell.home == home.field();
            let at_home = |cell: &Cell| own(cell) && cell.square == home.field();
            sum(cells, own).all + 2 * sum(cells, at_home).all
        };
        let home = alike.max_by_key(weight)?;
        let count = sum(cells, |cell| cell.code == code);
        Some(Suspect { culprit: Culprit::Piece(home), code: Some(code), count, blame: Blame::Neither })
    }

    /// For how many seconds a piece has stood on a square up to now.
    fn stood_for(&self, cell: &Cell) -> f64 {
        let standing = self.stands.get(usize::from(cell.square)).copied().flatten();
        let standing =
            standing.filter(|(it, _)| it == cell).map_or(0.0, |(_, since)| seconds_between(since, self.now));
        self.stood.get(cell).copied().unwrap_or_default() + standing
    }

    /// Whether this culprit is dropping out now.
    pub fn is_active(&self, culprit: Culprit, now: Time) -> bool {
        let (count, seconds) = limits::ACTIVE_DROP_OUTS;
        self.of(culprit).is_some_and(|recent| recent.series.within(now, seconds) >= count)
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

    /// A piece with this home drops out `count` times on a square and is back quickly `quick` times.
    fn dropped(drop_outs: &mut DropOuts, (letter, home): (u8, &str), on: &str, (count, quick): (u32, u32)) {
        let (piece, home) = (Piece::from_letter(letter).unwrap(), home.parse().ok());
        for n in 0..count {
            let at = drop_outs.squares.values().map(|recent| recent.series.count).sum::<u32>();
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
    fn drop_outs_of_a_known_culprit_accuse_no_other() {
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
        // The queen captured a pawn there that had been adjusted before.
        let mut of_piece = DropOuts::default();
        dropped(&mut of_piece, (b'p', "f7"), "f7", (5, 0));
        dropped(&mut of_piece, (b'Q', "d1"), "d1", (20, 0));
        dropped(&mut of_piece, (b'Q', "d1"), "f7", (20, 0));
        pawns(&mut of_piece);
        assert_eq!(found(&of_piece), [(piece("d1"), 40)]);
    }

    #[test]
    fn drop_outs_at_home_identify_the_weak_piece() {
        let mut drop_outs = DropOuts::default();
        dropped(&mut drop_outs, (b'N', "b1"), "b1", (40, 1));
        dropped(&mut drop_outs, (b'N', "b1"), "c3", (10, 0));
        // The two have been mistaken for each other since both were lifted at a time.
        dropped(&mut drop_outs, (b'N', "g1"), "e4", (60, 1));
        assert_eq!(found(&drop_outs), [(piece("b1"), 110)]);
    }

    #[test]
    fn slow_drop_outs_on_one_square_blame_the_piece() {
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
    fn slow_drop_outs_of_two_kinds_blame_the_square() {
        for counts in [(70, 13), (25, 13), (200, 100), (13, 70)] {
            let mut drop_outs = DropOuts::default();
            dropped(&mut drop_outs, (b'P', "d2"), "d3", (counts.0, 2));
            dropped(&mut drop_outs, (b'Q', "d1"), "d3", (counts.1, 0));
            let square = Culprit::Square("d3".parse().unwrap());
            assert_eq!(found(&drop_outs), [(square, counts.0 + counts.1)]);
        }
    }

    /// A piece with this home moves from one square to another at this second.
    fn goes(drop_outs: &mut DropOuts, (letter, home): (u8, &str), (from, to): (&str, &str), second: i64) {
        let (piece, time) = (Piece::from_letter(letter).unwrap(), Some(Time(second * 1000)));
        if from != to {
            drop_outs.set_piece(from.parse().unwrap(), None, time);
        }
        drop_outs.set_piece(to.parse().unwrap(), Some((piece, home.parse().ok())), time);
    }

    #[test]
    fn slow_drop_outs_on_one_square_only_blame_it() {
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
    fn quick_drop_outs_of_one_piece_only_blame_it() {
        let (knight, rook) = ((b'N', "b1"), (b'R', "a1"));
        for (followed, expected) in [(true, piece("b1")), (false, Culprit::Square("b1".parse().unwrap()))] {
            let mut drop_outs = DropOuts::default();
            goes(&mut drop_outs, knight, ("b1", "b1"), 0);
            dropped(&mut drop_outs, knight, "b1", (40, 40));
            // The knight is captured, and a rook stands there.
            let to = if followed { "b1" } else { "d1" };
            drop_outs.set_piece("b1".parse().unwrap(), None, Some(Time(400_000)));
            goes(&mut drop_outs, rook, ("a1", to), 400);
            goes(&mut drop_outs, rook, (to, to), 1000);
            assert_eq!(found(&drop_outs), [(expected, 40)]);
        }
    }

    #[test]
    fn one_of_two_last_pieces_may_be_adjusted_often() {
        let (king, rook, all) =
            ((b'K', "e1"), (b'R', "a1"), ["b1", "c1", "d1", "f1", "g1", "h1", "a2", "b2"]);
        for (others, expected) in [(&[][..], vec![]), (&all[..], vec![(piece("e1"), 13)])] {
            let mut drop_outs = DropOuts::default();
            others.iter().for_each(|at| goes(&mut drop_outs, (b'P', at), (at, at), 0));
            goes(&mut drop_outs, rook, ("a1", "h4"), 0);
            // The king moves on in between.
            for (n, to) in (0..13).zip(["d4"; 7].into_iter().chain(["c4"; 6])) {
                goes(&mut drop_outs, king, ("d4", to), 10 * n);
                dropped(&mut drop_outs, king, to, (1, 0));
            }
            assert_eq!(found(&drop_outs), expected);
        }
    }

    #[test]
    fn two_weak_pieces_of_different_kinds_are_both_found() {
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
