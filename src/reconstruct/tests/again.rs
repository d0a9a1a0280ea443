//! Games that could be lost: unseen landings, and withdrawn moves.

use super::{START, final_moves, game, games, games_from};

#[test]
fn a_rested_move_is_withdrawn_and_replaced() {
    // The bishop slides to h3, stands there while the board rests, and goes back.
    let tried = "-c8 qbd7 q-d7 qbf5 q-f5 qbg4 q-g4 qbh3 +2 . +2 -h3 bc8";
    let stream = format!(
        "={START} @begin . +4 -d2 Pd4 +2 . -d7 pd6 +2 . -c2 Pc4 +2 . +4 {tried} +2 -e7 qpe6 +2 . +9 -b1 Nc3 +2 . +9 ."
    );
    assert_eq!(games(&stream), ["d4 d6 c4 e6 Nc3 [* input-end]"]);
}

#[test]
fn a_square_changes_hands_without_being_seen_empty() {
    // By the reply: the bishop leaves g4 and the pawn comes there.
    let moves = "-g1 Nf3 L90 +2 -d7 pd6 R90 +2 -e2 Pe3 L89 +2 -c8 bg4 R89 +2 -h2 Ph3 L88 +2 .";
    assert_eq!(game(&format!("{moves} bh5 Pg4 R88 -g2 L87 +2 . -b8 nc6 R86")), "Nf3 d6 e3 Bg4 h3 Bh5 g4 Nc6");
    // By a piece of one's own: three moves at once, in which e7 goes from the pawn to the bishop.
    let moves = "-d2 Pd4 L90 +2 -d7 pd5 R90 +2 -g1 Nf3 L89 +2 .";
    assert_eq!(
        game(&format!("{moves} R89 Qd2 q-d1 qbe7 qpe6 q-f8 L88 R87 +2 . -b1 Nc3 L86")),
        "d4 d5 Nf3 e6 Qd2 Be7 Nc3"
    );
}

#[test]
fn pieces_move_on_unseen_before_the_reply_lands() {
    // The pawn stood on g6 between two scans, while the rook came to h5 and went to g5.
    let stream = "=k6r/5p2/8/6P1/8/8/8/1K6 @start . +4 -b1 Kc1 L90 +2 . -h8 rh6 q-h6 R89 +2 -g5 qrh5 q-h5 L88 rg5 qPf7 R87 L86 +2 . +9 .";
    assert_eq!(games(stream), ["Kc1 Rh5 g6 Rg5 gxf7 [* input-end]"]);
}

#[test]
fn replies_are_played_before_the_first_landing() {
    // The pawn stood on g4 between two scans; the bishop was seen on d7 and is gone when the pawn comes to g5.
    let moves = "-g2 Pg3 L90 +2 -d7 pd6 R90 +2 -b1 Nc3 L89 +2 -b8 nc6 R89 +2 .";
    let hidden = "-g3 L88 -c8 qbd7 R88 +1 -d7 qbf5 qPg5 L87 q-f5 qbg4 R86 +2 .";
    let rest = "-c3 Ne4 L85 +2 . -e7 pe5 R85 +2 . -h2 Ph3 L84 +2 . -d8 qd7 R84 +2 . -f1 Bg2 L83 +2 .";
    assert_eq!(game(&format!("{moves} {hidden} {rest}")), "g3 d6 Nc3 Nc6 g4 Bd7 g5 Bg4 Ne4 e5 h3 Qd7 Bg2");
}

#[test]
fn a_piece_returning_unseen_does_not_lose_the_game() {
    // Where the queen stood between two scans is open; that she moved twice is shown by the presses and the king.
    let stream = "=k7/7p/8/8/6K1/3q4/8/7R @start . +4 -g4 Kg5 L90 +2 . +3 -d3 R89 -g5 Kf6 L88 qd3 R87 +2 . \
        +3 -h1 Rc1 L86 +2 . +3 -h7 ph6 R86 +2 . +3 -c1 Rc7 L85 +2 . +3 -h6 ph5 R85 +2 . +3 -c7 Re7 L84 +2 . +9 .";
    let published = games(stream).concat();
    let words: Vec<_> = published.split(' ').collect();
    assert_eq!((words[0], words[2]), ("Kg5", "Kf6"), "{published}");
    assert!(words[3].starts_with("Qd3"), "{published}");
    assert_eq!(words[4..9], ["Rc1", "h6", "Rc7", "h5", "Re7"], "{published}");
}

#[test]
fn three_captures_hidden_by_a_fourth_are_found() {
    // exd4, Qxd4 and Nxd4 were on d4 between two scans; the pawn that took last is seen there.
    let moves = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -d2 Pd4 L89 +2 -b8 nc6 R89 +2 -c2 Pc3 L88 +2 -f8 be7 R88 +2 -h2 Ph3 L87 +2 .";
    let chain = "-e5 q-d4 R87 q-d1 L86 -c6 R86 q-c3 qPd4 L85 +2 .";
    let rest = "-g8 nf6 R84 +2 . -f1 Bd3 L84 +2 . -d7 pd6 R83 +2 . -g1 Nf3 L83 +2 . -c8 be6 R82 +2 .";
    assert_eq!(
        game(&format!("{moves} {chain} {rest}")),
        "e4 e5 d4 Nc6 c3 Be7 h3 exd4 Qxd4 Nxd4 cxd4 Nf6 Bd3 d6 Nf3 Be6"
    );
}

#[test]
fn unseen_recaptures_that_move_on_are_found() {
    // Qxd4 and Rxd4 were on d4 between two scans; the rook is back on d1 when the bishop has come to c5.
    let stream = "=3q2k1/4bp2/8/8/3N4/8/6P1/1K1R4 @start . +4 -g2 Pg3 L90 +2 . -d8 qd7 q-d7 -d1 -d4 R90 L89 -e7 bc5 Rd1 R89 L88 \
        +2 . -f7 pf6 R88 +2 . -g3 Pg4 L87 +2 . -g8 kf7 R87 +2 . -b1 Kc2 L86 +2 . +9 .";
    assert_eq!(games(stream), ["g3 Qxd4 Rxd4 Bc5 Rd1 f6 g4 Kf7 Kc2 [* input-end]"]);
}

#[test]
fn castled_rooks_moved_on_unseen_are_found() {
    let moves = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -g1 Nf3 L89 +2 -b8 nc6 R89 +2 -f1 Bc4 L88 +2 -f8 bc5 R88 +2 .";
    let castles = "-e1 Kg1 -h1 L87 -d7 pd6 R87 Re1 L86 +2 .";
    let rest = "-g8 nf6 R86 +2 . -c2 Pc3 L85 +2 . -a7 pa6 R85 +2 . -a2 Pa4 L84 +2 . -h7 ph6 R84 +2 .";
    assert_eq!(
        game(&format!("{moves} {castles} {rest}")),
        "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O d6 Re1 Nf6 c3 a6 a4 h6"
    );
}

#[test]
fn a_pawn_captured_where_it_promoted_unseen_is_found() {
    let stream = "=6k1/5p2/8/5K2/8/p7/5P2/3R4 @start . +4 -f5 Ke5 L90 +2 . -a3 R90 -f2 Pf4 L89 R89 -d1 Ra1 L88 +2 . \
        -g8 kg7 R88 +2 . -a1 Rb1 L87 +2 . -f7 pf6 R87 +2 . -e5 Kd5 L86 +2 . +9 .";
    assert_eq!(games(stream), ["Ke5 a2 f4 a1=Q+ Rxa1 Kg7 Rb1 f6+ Kd5 [* input-end]"]);
}

#[test]
fn an_unseen_repetition_keeps_its_first_move() {
    let fen = "r5k1/R5R1/4n1p1/1p2p3/p3P3/4B2P/1r3PP1/6K1 b - - 3 39";
    // Rg7-h7 and back between two scans: g7 is seen empty, then the rook again.
    let play = "+2 -g8 R166 kh8 +2 -g7 L208 -h8 R167 qkg8 qRg7 +2 . +10 .";
    let games = games_from(fen, &format!("clock +1 R170 {play}"));
    assert_eq!(final_moves(&games), ["Kh8 Rh7+ Kg8 Rhg7+ [* input-end]"]);
}
