//! How a game begins: which game a board is set up for, and which way round it stands.

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

/// A start position that stands on a board.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The position.
    pub start: Start,
    /// The board is turned by 180°.
    pub rotated: bool,
    /// What stands for the men of draughts.
    pub set: Set,
}

/// A game of which nothing is told yet: it may never have begun.
#[derive(Debug, Clone)]
pub struct HeldBack {
    /// Without a clock so many plies say that it has; with one, a move that was pressed.
    pub plies: u32,
    /// It is told from so many plies on, or when it is over.
    pub told_from: u32,
    /// It has surely begun.
    pub begun: bool,
    /// The last game of the board, which ended without a result: where the same moves are made once more, and nobody presses, that
    /// game is played through, and this one is none.
    pub again: Option<Rc<GameLine>>,
}

impl HeldBack {
    /// Until so many plies are played, or one is pressed.
    pub fn until(plies: u32) -> HeldBack {
        HeldBack { plies, told_from: 0, begun: false, again: None }
    }
}

/// The start position that a board shows. `marked`: the board or the host says that one may stand there.
pub fn standing(board: &Placement, marked: bool, options: &Options) -> Option<Standing> {
    match &options.start {
        Some(start) => given(start, board, options),
        None => usual(board, marked, options),
    }
}

/// The only start position there is.
fn given(start: &Start, board: &Placement, options: &Options) -> Option<Standing> {
    let sets = options.set.map_or_else(|| vec![Set::Disks, Set::Pawns], |set| vec![set]);
    sets.into_iter().find_map(|set| shown(start, set, board))
}

/// This start position, where a board shows it with such a set, either way round.
pub fn shown(start: &Start, set: Set, board: &Placement) -> Option<Standing> {
    let shows = |placement: &Placement| match start {
        Start::Chess(game) => placement == game.placement(),
        Start::Russian(game) => set.read_all(placement) == *game.placement(),
    };
    let rotated = [(*board, false), (board.turned(), true)].iter().find(|(placement, _)| shows(placement))?.1;
    Some(Standing { start: start.clone(), rotated, set })
}

/// A start position of any game looked for.
fn usual(board: &Placement, marked: bool, options: &Options) -> Option<Standing> {
    // A man stands on a7 and on h2, or it is no start of either game: cheap enough to ask at every change.
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

/// The pieces of chess all at home, but some of a side's first row exchanged: a game may begin from there, if nobody notices.
/// If somebody does, it begins from what was [`meant`].
pub fn exchanged(board: &Placement, options: &Options) -> Option<Standing> {
    if options.start.is_some() || !options.plays(Rules::Chess) {
        return None;
    }
    let rotated = board.meant_start()? != Placement::start();
    let placement = if rotated { board.turned() } else { *board };
    let start = Start::Chess(ChessGame::from_placement(&placement)?);
    Some(Standing { start, rotated, set: Set::Disks })
}

/// What should have stood at the start where pieces stood exchanged by mistake.
pub fn meant(begin: &Placement, options: &Options) -> Option<Placement> {
    let may_be = options.start.is_none() && options.plays(Rules::Chess);
    begin.meant_start().filter(|_| may_be)
}

/// What would stand if the dead squares told of theirs, at the start of a game; and which of them were not known to be dead: at
/// most so many of these that `may_be`.
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
        // In chess the piece opposite is the same, of the other side; in draughts all men of a side are.
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

/// The start from what stands of a whole one, without what these squares of the board do not show; none where that is no position of
/// a game, or no other start is looked for.
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

/// The squares of the board on which kings stand at the start.
pub fn kings(start: &Standing) -> Squares {
    let Start::Chess(game) = &start.start else { return 0 };
    let seen = set_of((0..64).filter(|&at| ChessGame::announces(game.placement().codes()[usize::from(at)])));
    if start.rotated { seen.reverse_bits() } else { seen }
}

/// The game that starts from any position: one that a start mark was written for, White to move, or one of a game that is on. `turn`:
/// who moves, on a board that is turned or not. The pawns say whether the board stands
/// turned: at the start of a game most stand where they began, and not one rank from their last.
pub fn marked(board: &Placement, options: &Options, turn: impl Fn(bool) -> Colour) -> Option<Standing> {
    if options.start.is_some() {
        return None;
    }
    let at_home = |board: &Placement| {
        let home = |(at, &code): (usize, &u8)| matches!((at / 8, code), (6, 1) | (1, 7));
        board.codes().iter().enumerate().filter(|&man| home(man)).count()
    };
    let turned = board.turned();
    let rotated = at_home(&turned) >= at_home(board) + limits::PAWNS_AT_HOME;
    let board = if rotated { &turned } else { board };
    let turn = turn(rotated);
    let set = options.set.unwrap_or_else(|| Set::guess(board));
    let chess = || options.plays(Rules::Chess).then(|| ChessGame::with_turn(board, turn)).flatten();
    let russian = || {
        // Unless draughts are asked for, a few chess figures are no position of theirs.
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

    const DISKS: &str = "1B1B1B1B/B1B1B1B1/1B1B1B1B/8/8/P1P1P1P1/1P1P1P1P/P1P1P1P1";

    fn found(placement: &str, options: &Options) -> Option<(Rules, bool, Set)> {
        let standing = standing(&placement.parse().unwrap(), false, options)?;
        Some((standing.start.rules(), standing.rotated, standing.set))
    }

    #[test]
    fn the_game_a_board_is_set_up_for_is_found_unless_another_is_asked_for() {
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
    fn a_set_that_is_asked_for_is_the_only_one() {
        let with = |set| Options { set: Some(set), ..Options::default() };
        assert_eq!(found(DISKS, &with(Set::Disks)), Some((Rules::Russian, false, Set::Disks)));
        assert_eq!(found(DISKS, &with(Set::DisksOld)), None, "white kings only");
        let old = DISKS.replace('B', "p");
        assert_eq!(found(&old, &with(Set::DisksOld)), Some((Rules::Russian, false, Set::DisksOld)));
    }

    #[test]
    fn a_start_from_a_fen_is_known_with_any_set() {
        let start = Start::from_fen("B:WKc1,a3:Bh6,b8").unwrap();
        let options = Options { start: Some(start), ..Options::default() };
        for placement in ["1B6/8/7B/8/8/P7/8/2p5", "1p6/8/7p/8/8/P7/8/2Q5", "1q6/8/7r/8/8/N7/8/2P5"] {
            assert!(found(placement, &options).is_some(), "{placement}");
        }
        assert!(found("1B6/8/7B/8/8/P7/8/8", &options).is_none());
        assert!(Start::from_fen("W:Wa2:Bb8").unwrap_err().contains("`a2`"));
    }
}
