//! Unusual games of PGN, generated from a number, that both readers must read alike.

use std::fmt::Write;

use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position, fen::Fen, san::SanPlus, uci::UciMove};

/// Where games begin: the start, and positions for promotions, moves that need a file or a rank, e.p., castling of Chess960.
const STARTS: [(&str, CastlingMode); 8] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", CastlingMode::Standard),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", CastlingMode::Standard),
    ("6k1/8/1Q1Q4/8/1Q1Q4/8/8/K1N1N3 w - - 0 1", CastlingMode::Standard),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", CastlingMode::Standard),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 40", CastlingMode::Standard),
    ("1rk3r1/8/2N1N3/8/2N1N3/8/q7/1RK3R1 w GBgb - 0 1", CastlingMode::Chess960),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", CastlingMode::Chess960),
];

/// A game, and what must be read of it.
#[derive(Default)]
pub struct Generated {
    pub text: String,
    /// The moves of the main line.
    pub moves: Vec<String>,
    /// Words of comments after semicolons, sorted.
    pub semicolon_comments: Vec<String>,
    /// How many variations, NAGs, comments in braces and promotions it has.
    pub counts: [usize; 4],
    pub result: &'static str,
}

/// Random numbers from a seed (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

/// The game of a seed.
pub fn game(seed: u64) -> Generated {
    let mut numbers = Numbers(seed);
    let mut game = Generated::default();
    let (fen, mode) = STARTS[numbers.below(STARTS.len())];
    game.result = numbers.of(&["1-0", "0-1", "1/2-1/2", "*"]);
    game.text = format!("[Event \"{seed}\"]\n[White \"a \\\"b\\\" \\\\ é\"]\n[FEN \"{fen}\"]\n");
    if mode.is_chess960() {
        game.text += "[Variant \"Chess960\"]\n";
    }
    if numbers.one_in(2) {
        let _ = writeln!(game.text, "[Result \"{}\"]", game.result);
    }
    game.text += numbers.of(&["\n", "\r\n", "\n%hidden e4\n"]);
    if numbers.one_in(4) {
        comment(&mut numbers, &mut game);
    }
    let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
    let plies = numbers.below(60);
    line(&mut numbers, &mut game, Chess::from_setup(setup, mode).expect("a position"), plies, 0);
    game.semicolon_comments.sort();
    game.text += game.result;
    game.text.push('\n');
    game
}

/// Something between two words.
fn space(numbers: &mut Numbers, game: &mut Generated) {
    game.text += numbers.of(&[" ", " ", " ", "\n", "\r\n", "  ", "\t", " \n ", "\n%hidden e4 {\n", "\n\n"]);
}

fn comment(numbers: &mut Numbers, game: &mut Generated) {
    if numbers.one_in(6) {
        let word = format!("semicolon{}", game.semicolon_comments.len());
        let _ = writeln!(game.text, " ;{word} }} {{ )");
        game.semicolon_comments.extend([word, "}".into(), "{".into(), ")".into()]);
        return;
    }
    game.counts[2] += 1;
    game.text.push('{');
    for _ in 0..numbers.below(6) {
        game.text += numbers.of(&[
            "good",
            "{",
            "(",
            ")",
            ";",
            "%",
            "é",
            "♘",
            "[%clk 0:01:02]",
            "[%emt\n0:00:07.25]",
            "[%eval 0.3]",
            "$5",
            "1-0",
            "e4",
            "\"x\"",
            "[x",
            "12.",
            "\n",
            "\n\n",
        ]);
        game.text += numbers.of(&[" ", " ", "\n"]);
    }
    if numbers.one_in(40) {
        game.text += &"longer than what is read at once é ".repeat(20);
    }
    game.text.push('}');
}

fn line(numbers: &mut Numbers, game: &mut Generated, mut pos: Chess, plies: usize, depth: usize) {
    for nth in 0..plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return;
        }
        // Promotions and castling are rare, so they are played whenever they are possible.
        let rare: Vec<_> = moves.iter().filter(|m| m.is_promotion() || m.is_castle()).collect();
        let m = match &rare[..] {
            [] => moves[numbers.below(moves.len())],
            rare => *rare[numbers.below(rare.len())],
        };
        game.counts[3] += usize::from(m.is_promotion());
        if depth == 0 {
            game.moves.push(UciMove::from_move(m, pos.castles().mode()).to_string());
        }
        if nth == 0 || numbers.one_in(2) {
            let dots = if pos.turn() == Color::White { "." } else { "..." };
            let _ = write!(game.text, "{}{dots}{}", pos.fullmoves(), numbers.of(&["", " ", "  "]));
        }
        let before = pos.clone();
        let mut name = SanPlus::from_move_and_play_unchecked(&mut pos, m).to_string();
        if m.is_castle() && numbers.one_in(2) {
            name = name.replace('O', "0");
        }
        game.text += if numbers.one_in(3) { name.trim_end_matches(['+', '#']) } else { &name };
        if numbers.one_in(5) {
            game.text += numbers.of(&["!", "?", "!!", "??", "!?", "?!", " $1 $14", " $255", "$7"]);
            game.counts[1] += 1;
        }
        if numbers.one_in(4) {
            game.text += numbers.of(&["", " "]);
            comment(numbers, game);
        }
        while depth < 4 && numbers.one_in(7) {
            game.text += numbers.of(&["(", " (", " ( ", "\n("]);
            if numbers.one_in(4) {
                comment(numbers, game);
            }
            let plies = 1 + numbers.below(8);
            line(numbers, game, before.clone(), plies, depth + 1);
            game.text.push(')');
            game.counts[0] += 1;
            if numbers.one_in(4) {
                comment(numbers, game);
            }
        }
        space(numbers, game);
    }
}
