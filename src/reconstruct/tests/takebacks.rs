//! Why what was published is withdrawn.

use super::{START, games_of, records};
use crate::{
    reconstruct::Options,
    record::{GameEvent, TakebackReason},
};

/// The reasons of all takebacks of a stream that begins with the start position.
fn reasons(stream: &str) -> Vec<Option<TakebackReason>> {
    let published = games_of(&records(&format!("={START} @begin . +4 {stream}")), Options::default());
    let reason = |event: &GameEvent| match event {
        GameEvent::Takeback(back) => Some(back.reason),
        _ => None,
    };
    published.iter().filter_map(|record| reason(&record.event)).collect()
}

#[test]
fn players_take_back_what_they_played() {
    let played = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 .";
    let back = "-f3 Ng1 -e5 pe7 +2 . +2 . -c7 pc5 R86 +2 . -g1 Nf3 L85 +2 .";
    assert_eq!(reasons(&format!("{played} {back}")), [Some(TakebackReason::TakenBack)]);
}

#[test]
fn a_rook_that_rests_before_its_king_castles_is_corrected() {
    let ready = "-e2 Pe4 . +2 -e7 pe5 . +2 -g1 Nf3 . +2 -b8 nc6 . +2 -f1 Bc4 . +2 -f8 bc5 . +2";
    assert_eq!(
        reasons(&format!("{ready} +6 -h1 Rf1 +2 . +2 -e1 Kg1 +2 .")),
        [Some(TakebackReason::Corrected)]
    );
}

#[test]
fn what_was_tried_before_the_round_is_set_up() {
    let tried = "stopped -f2 Pf3 +2 . +2 -b8 na6 +2 . +2 -a6 nb8 +2 Pf2 -f3 +2 . +2 .";
    assert_eq!(reasons(tried), [Some(TakebackReason::SetUp)]);
}

#[test]
fn play_that_goes_on_after_a_mate_was_withdrawn_is_resumed() {
    let mate = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -f1 Bc4 L88 +2 -b8 nc6 R88 +2 -d1 Qh5 L80 +2 -g8 nf6 R80 +2 .";
    let taken = "+3 -f7 -h5 Qf7 L70 +2 . +20 .";
    let instead = "-f7 Qh5 pf7 +2 . +3 -f7 -c4 Bf7 L65 +2 . +4 -e8 ke7 R70 +2 .";
    assert_eq!(reasons(&format!("{mate} {taken} {instead}")), [Some(TakebackReason::Resumed)]);
}

#[test]
fn what_players_try_when_they_look_at_the_game_is_looked_at() {
    let played = "-e2 Pe4 +2 . +40 -e7 pe5 +2 . +40 -g1 Nf3 +2 . +40 -b8 nc6 +2 . +40 -f1 Bb5 +2 . +40 -a7 pa6 +2 . +90";
    let looked = "-a6 pa7 +2 . +4 -g8 nf6 +2 . +4 -c2 Pc3 +2 . +4 -c3 Pc2 +1 -f6 ng8 +2 . +2 -b5 Bf1 +2 . +2 -c6 nb8 +2 . +2 \
                  -f3 Ng1 +2 . +4 -f2 Pf4 +2 . +4";
    let reasons = reasons(&format!("{played} {looked} +20 ."));
    assert_eq!(reasons.last(), Some(&Some(TakebackReason::LookedAt)), "{reasons:?}");
}
