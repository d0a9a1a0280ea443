//! How a game begins: the rules that a board is set up for, and whether it is turned.

use std::rc::Rc;

use super::{
    game_line::GameLine,
    limits,
    options::{Options, Start},
};
use crate::{
    record::{CHESS_MEN, DRAUGHTS_HOME, DRAUGHTS_MEN, Placement, Rules},
    rules::{
        Colour, Game, Squares, bit,
        chess::ChessGame,
        russian::{RussianGame, sets::Set},
        set_of, squares,
    },
};

/// A start position on a board.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The position.
    pub start: Start,
    /// The board is turned by 180°.
    pub rotated: bool,
    /// The pieces that stand for the men of draughts.
    pub set: Set,
}

/// A game that may never have begun: nothing of it is published yet.
#[derive(Debug, Clone)]
pub struct HeldBack {
    /// The number of plies without a clock after which it has begun; with one, a press is enough.
    pub plies: u32,
    /// The number of plies from which on it is published, unless it is over before.
    pub publish_from_ply: u32,
    /// It has surely begun.
    pub begun: bool,
    /// The last game of the board, which ended without a result: where the same moves are made again without a press,
    /// that game is played through, and this one is no game.
    pub replayed: Option<Rc<GameLine>>,
}

impl HeldBack {
    /// Held back until this many plies are played, or one is pressed.
    pub fn until(plies: u32) -> HeldBack {
        HeldBack { plies, publish_from_ply: 0, begun: false, replayed: None }
    }
}

/// The start position that a board shows. `marked`: the board or the host marked it as one.
pub fn standing(board: &Placement, marked: bool, options: &Options) -> Option<Standing> {
    match &options.start {
        Some(start) => given(start, board, options),
        None => usual(board, marked, options),
    }
}

/// The only start position allowed.
fn given(start: &Start, board: &Placement, options: &Options) -> Option<Standing> {
    let sets = options.set.map_or_else(|| vec![Set::Disks, Set::Pawns], |set| vec![set]);
    sets.into_iter().find_map(|set| shown(start, set, board))
}

/// This start position, where a board shows it with this set, turned or not.
pub fn shown(start: &Start, set: Set, board: &Placement) -> Option<Standing> {
    let shows = |placement: &Placement| match start {
        Start::Chess(game) => placement == game.placement(),
        Start::Russian(game) => set.read_all(placement) == *game.placement(),
    };
    let rotated = [(*board, false), (board.turned(), true)].iter().find(|(placement, _)| shows(placement))?.1;
    Some(Standing { start: start.clone(), rotated, set })
}

/// A start position of either game.
fn usual(board: &Placement, marked: bool, options: &Options) -> Option<Standing> {
    // Without a piece on a7 and on h2 it is no start of either game: a cheap check for every change.
    let codes = board.codes();
    if codes[8] == 0 || codes[55] == 0 {
        return None;
    }
    for (placement, rotated) in [(*board, false), (board.turned(), true)] {
        if options.plays(Rules::Chess)
            && (placement == Placement::start() || (marked && placement.is_start_of_chess960()))
        {
            let start = Start::Chess(ChessGame::from_placement(&placement)?);
            return Some(Standing { start, rotated, set: Set::Disks });
        }
        if options.plays(Rules::Russian)
            && let Some(set) = Set::of_start(&placement)
        {
            let set = options.set.unwrap_or(set);
            let start = RussianGame::start();
            if set.read_all(&placement) == *start.placement() {
                return Some(Standing { start: Start::Russian(start), rotated, set });
            }
        }
    }
    None
}

/// A chess position with all pieces on the start rows, some of a side's first row on each other's squares: a game may
/// begin from there, if nobody notices. If somebody does, it begins from what was [`meant`].
pub fn exchanged(board: &Placement, options: &Options) -> Option<Standing> {
    if options.start.is_some() || !options.plays(Rules::Chess) {
        return None;
    }
    let rotated = board.meant_start()? != Placement::start();
    let placement = if rotated { board.turned() } else { *board };
    let start = Start::Chess(ChessGame::from_placement(&placement)?);
    Some(Standing { start, rotated, set: Set::Disks })
}

/// The start that was meant where pieces stood on each other's squares.
pub fn meant(begin: &Placement, options: &Options) -> Option<Placement> {
    let may_be = options.start.is_none() && options.plays(Rules::Chess);
    begin.meant_start().filter(|_| may_be)
}

/// Adds the pieces on dead squares to a start position; also returns which of these squares were not known to be dead:
/// up to `most` of the squares `may_be`.
pub fn filled(board: &Placement, dead: Squares, may_be: Squares, most: u32) -> Option<(Placement, Squares)> {
    let stands = board.occupied();
    let of_draughts = stands & !CHESS_MEN != 0 || stands & !DRAUGHTS_HOME == 0;
    let home = if of_draughts { DRAUGHTS_HOME } else { CHESS_MEN };
    let missing = home & !stands;
    let new = missing & !dead;
    if missing == 0 || stands & !home != 0 || new.count_ones() > most || new & !may_be != 0 {
        return None;
    }
    let mut codes = *board.codes();
    for at in squares(missing) {
        // The piece opposite shows which one is missing: in chess one of the same kind, in draughts any man of the
        // side.
        let camp = DRAUGHTS_MEN.iter().find(|men| *men & bit(at) != 0).copied().unwrap_or_default();
        codes[usize::from(at)] = if home == CHESS_MEN {
            match board.codes()[usize::from(at ^ 56)] {
                0 => Placement::start().codes()[usize::from(at)],
                code if code > 6 => code - 6,
                code => code + 6,
            }
        } else {
            squares(camp & stands).next().map_or(0, |man| board.codes()[usize::from(man)])
        };
    }
    Some((Placement::from_codes(codes), new))
}

/// The start position without the pieces on these squares; none where that is no position of a game, or only one start
/// is allowed.
pub fn lacking(whole: &Standing, missing: Squares, options: &Options) -> Option<Standing> {
    let missing = if whole.rotated { missing.reverse_bits() } else { missing };
    let without = |placement: &Placement| {
        let mut codes = *placement.codes();
        squares(missing).for_each(|at| codes[usize::from(at)] = 0);
        Placement::from_codes(codes)
    };
    let start = match &whole.start {
        _ if options.start.is_some() => return None,
        Start::Chess(game) => Start::Chess(ChessGame::from_placement(&without(game.placement()))?),
        Start::Russian(game) => {
            Start::Russian(RussianGame::from_placement(&without(game.placement()), Set::Pawns)?)
        }
    };
    Some(Standing { start, ..whole.clone() })
}

/// The squares of the board with kings at the start.
pub fn kings(start: &Standing) -> Squares {
    let Start::Chess(game) = &start.start else { return 0 };
    let seen = set_of((0..64).filter(|&at| ChessGame::announces(game.placement().codes()[usize::from(at)])));
    if start.rotated { seen.reverse_bits() } else { seen }
}

/// The game that starts from any position: one with a start mark, White to move, or one in play. `turn`: the side to
/// move on a board that is turned or not. The pawns show whether the board is turned: at the start of a game most are
/// on their start squares.
pub fn marked(board: &Placement, options: &Options, turn: impl Fn(bool) -> Colour) -> Option<Standing> {
    if options.start.is_some() {
        return None;
    }
    let at_home = |board: &Placement| {
        let home = |(at, &code): (usize, &u8)| matches!((at / 8, code), (6, 1) | (1, 7));
        board.codes().iter().enumerate().filter(|&man| home(man)).count()
    };
    let turned = board.turned();
    let rotated = at_home(&turned) >= at_home(board) + limits::TURNED_BY_PAWNS;
    let board = if rotated { &turned } else { board };
    let turn = turn(rotated);
    let set = options.set.unwrap_or_else(|| Set::guess(board));
    let chess = || options.plays(Rules::Chess).then(|| ChessGame::with_turn(board, turn)).flatten();
    let russian = || {
        // Unless draughts is asked for, a few chess pieces are no position of draughts.
        let asked = options.rules == Some(Rules::Russian) || set == Set::Disks;
        asked.then(|| RussianGame::with_turn(board, set, turn)).flatten()
    };
    let start = match chess().filter(|_| options.rules != Some(Rules::Russian)) {
        Some(game) => Start::Chess(game),
        None => Start::Russian(russian().filter(|_| options.plays(Rules::Russian))?),
    };
    Some(Standing { start, rotated, set })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconstruct::tests::DISKS;

    fn found(placement: &str, options: &Options) -> Option<(Rules, bool, Set)> {
        let standing = standing(&placement.parse().unwrap(), false, options)?;
        Some((standing.start.rules(), standing.rotated, standing.set))
    }

    #[test]
    fn the_rules_follow_the_start_position() {
        let any = Options::default();
        let only = |rules| Options { rules: Some(rules), ..Options::default() };
        let turned: String = DISKS.chars().rev().collect();
        assert_eq!(found(DISKS, &any), Some((Rules::Russian, false, Set::Disks)));
        assert_eq!(found(&turned, &any), Some((Rules::Russian, true, Set::Disks)));
        assert_eq!(found(DISKS, &only(Rules::Chess)), None);
        let chess = Placement::start().to_string();
        assert_eq!(found(&chess, &any).map(|found| found.0), Some(Rules::Chess));
        assert_eq!(found(&chess, &only(Rules::Russian)), None);
    }

    #[test]
    fn only_the_requested_set_is_accepted() {
        let with = |set| Options { set: Some(set), ..Options::default() };
        assert_eq!(found(DISKS, &with(Set::Disks)), Some((Rules::Russian, false, Set::Disks)));
        assert_eq!(found(DISKS, &with(Set::DisksOld)), None, "white kings only");
        let old = DISKS.replace('B', "p");
        assert_eq!(found(&old, &with(Set::DisksOld)), Some((Rules::Russian, false, Set::DisksOld)));
    }

    #[test]
    fn a_start_from_a_fen_matches_any_set() {
        let start = Start::from_fen("B:WKc1,a3:Bh6,b8").unwrap();
        let options = Options { start: Some(start), ..Options::default() };
        for placement in ["1B6/8/7B/8/8/P7/8/2p5", "1p6/8/7p/8/8/P7/8/2Q5", "1q6/8/7r/8/8/N7/8/2P5"] {
            assert!(found(placement, &options).is_some(), "{placement}");
        }
        assert!(found("1B6/8/7B/8/8/P7/8/8", &options).is_none());
        assert!(Start::from_fen("W:Wa2:Bb8").unwrap_err().contains("`a2`"));
    }
}
