//! What hands do on a board when no game is on: set pieces up, show the result, look at what might have been.

use super::{
    Instant,
    game::Game,
    hands::{Gesture, Player, Touch},
};
use crate::record::{Outcome, Piece, Placement, Square};

/// What has been done so far, on a board that stands so.
#[derive(Debug)]
pub struct Doings {
    /// All touches, in order of time.
    pub touches: Vec<Touch>,
    /// When the last is over.
    pub now: Instant,
    /// How the board stands then.
    pub stands: Placement,
}

impl Doings {
    /// Nothing yet.
    pub fn new(now: Instant, stands: Placement) -> Doings {
        Doings { touches: Vec::new(), now, stands }
    }

    /// A gesture, after a pause.
    fn then(&mut self, pause: Instant, gesture: Gesture) {
        let from = self.now + pause;
        for touch in gesture.touches {
            self.stands.set(touch.square, touch.piece);
            self.touches.push(Touch { at: touch.at + from, ..touch });
        }
        self.now = from + gesture.free;
    }

    fn put(&mut self, player: &mut Player<'_>, square: Square, piece: Option<Piece>) {
        self.now += player.time((0.2, 1.2));
        self.touches.push(Touch { at: self.now, square, piece });
        self.stands.set(square, piece);
    }
}

/// Sets up `target` in whatever order comes: from the squares where pieces stand, and from the box.
pub fn set_up(player: &mut Player<'_>, doings: &mut Doings, target: &Placement) {
    loop {
        let stands = doings.stands;
        let wrong: Vec<Square> =
            Square::all().filter(|&s| stands.get(s).is_some() && stands.get(s) != target.get(s)).collect();
        let homes: Vec<Square> =
            Square::all().filter(|&s| target.get(s).is_some() && stands.get(s) != target.get(s)).collect();
        if wrong.is_empty() && homes.is_empty() {
            return;
        }
        if !wrong.is_empty() && (homes.is_empty() || player.random.chance(0.7)) {
            let from = wrong[player.random.below(wrong.len())];
            let own: Vec<Square> =
                homes.iter().copied().filter(|&h| target.get(h) == stands.get(from)).collect();
            match player.random.pick(&own) {
                Some(&home) => {
                    let pause = player.time((0.1, 1.0));
                    let gesture = player.place(&stands, from, home, false);
                    doings.then(pause, gesture);
                }
                None => doings.put(player, from, None),
            }
        } else {
            let home = homes[player.random.below(homes.len())];
            if stands.get(home).is_some() {
                doings.put(player, home, None);
            }
            doings.put(player, home, target.get(home));
        }
    }
}

/// Puts the kings in the centre: both on light squares 1-0, on dark ones 0-1, one of each a draw.
pub fn kings(player: &mut Player<'_>, doings: &mut Doings, result: Outcome) {
    const LIGHT: [&str; 2] = ["e4", "d5"];
    const DARK: [&str; 2] = ["d4", "e5"];
    let mut ways: Vec<(&str, &str)> = match result {
        Outcome::WhiteWins => vec![(LIGHT[0], LIGHT[1]), (LIGHT[1], LIGHT[0])],
        Outcome::BlackWins => vec![(DARK[0], DARK[1]), (DARK[1], DARK[0])],
        Outcome::Draw => {
            LIGHT.iter().flat_map(|&l| DARK.iter().flat_map(move |&d| [(l, d), (d, l)])).collect()
        }
    };
    player.random.shuffle(&mut ways);
    let king = |letter| Piece::from_letter(letter);
    let (white, black) = (king(b'K'), king(b'k'));
    let square = |name: &str| name.parse::<Square>().ok();
    // No king is put where the other stands, or it would have to make way.
    let free = |(w, b): &&(&str, &str)| {
        square(w).is_some_and(|w| doings.stands.get(w) != black)
            && square(b).is_some_and(|b| doings.stands.get(b) != white)
    };
    let Some(&(w, b)) = ways.iter().find(free) else { return };
    let mut pair = [(white, square(w)), (black, square(b))];
    player.random.shuffle(&mut pair);
    for (king, to) in pair {
        let Some(to) = to else { continue };
        let Some(from) = Square::all().find(|&s| doings.stands.get(s) == king) else { continue };
        if from == to {
            continue;
        }
        let pause = player.time((0.3, 4.0));
        let slide = player.profile.slide > 0.0 && player.random.chance(0.3);
        let gesture = player.place(&doings.stands, from, to, slide);
        doings.then(pause, gesture);
    }
}

/// Puts the piece that announces the result on an empty square of the centre; that square.
pub fn result_piece(player: &mut Player<'_>, doings: &mut Doings, result: Outcome) -> Option<Square> {
    let centre = 16..48;
    let free: Vec<Square> =
        centre.filter_map(Square::from_field).filter(|&s| doings.stands.get(s).is_none()).collect();
    let &square = player.random.pick(&free)?;
    let piece = result.text().parse().ok();
    doings.put(player, square, piece);
    Some(square)
}

/// The players look at the end of the game again: take moves back, try others, push pieces about.
pub fn analyse(player: &mut Player<'_>, doings: &mut Doings, game: &Game, turned: bool) {
    let view = |p: Placement| if turned { p.turned() } else { p };
    let seen = |s: Square| if turned { s.turned() } else { s };
    let plies = game.plies.len();
    for _ in 0..1 + player.random.below(3) {
        let from = plies - player.random.below(plies.min(8) + 1);
        set_up(player, doings, &view(game.after(from)));
        for ply in game.plies.iter().skip(from).take(1 + player.random.below(4)) {
            if let Some(&(a, b)) = player.random.pick(&ply.others) {
                for (a, b) in [(a, b), (b, a)] {
                    let pause = player.time((0.5, 8.0));
                    let gesture = player.place(&doings.stands, seen(a), seen(b), false);
                    doings.then(pause, gesture);
                }
            }
            doings.now += player.time((0.5, 8.0));
            set_up(player, doings, &view(ply.after));
        }
    }
}
