//! The reasons of withdrawals.

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
fn a_takeback_has_reason_taken_back() {
    let played = "-e2 Pe4 L90 +2 . -e7 pe5 R90 +2 . -g1 Nf3 L88 +2 .";
    let back = "-f3 Ng1 -e5 pe7 +2 . +2 . -c7 pc5 R86 +2 . -g1 Nf3 L85 +2 .";
    assert_eq!(reasons(&format!("{played} {back}")), [Some(TakebackReason::TakenBack)]);
}

#[test]
fn castling_after_a_rook_move_has_reason_corrected() {
    let ready = "-e2 Pe4 . +2 -e7 pe5 . +2 -g1 Nf3 . +2 -b8 nc6 . +2 -f1 Bc4 . +2 -f8 bc5 . +2";
    assert_eq!(
        reasons(&format!("{ready} +6 -h1 Rf1 +2 . +2 -e1 Kg1 +2 .")),
        [Some(TakebackReason::Corrected)]
    );
}

#[test]
fn moves_before_the_round_have_reason_set_up() {
    let tried = "stopped -f2 Pf3 +2 . +2 -b8 na6 +2 . +2 -a6 nb8 +2 Pf2 -f3 +2 . +2 .";
    assert_eq!(reasons(tried), [Some(TakebackReason::SetUp)]);
}

#[test]
fn play_after_a_withdrawn_mate_has_reason_resumed() {
    let mate = "-e2 Pe4 L90 +2 -e7 pe5 R90 +2 -f1 Bc4 L88 +2 -b8 nc6 R88 +2 -d1 Qh5 L80 +2 -g8 nf6 R80 +2 .";
    let taken = "+3 -f7 -h5 Qf7 L70 +2 . +20 .";
    let instead = "-f7 Qh5 pf7 +2 . +3 -f7 -c4 Bf7 L65 +2 . +4 -e8 ke7 R70 +2 .";
    assert_eq!(reasons(&format!("{mate} {taken} {instead}")), [Some(TakebackReason::Resumed)]);
}

#[test]
fn analysis_has_reason_looked_at() {
    let played = "-e2 Pe4 +2 . +40 -e7 pe5 +2 . +40 -g1 Nf3 +2 . +40 -b8 nc6 +2 . +40 -f1 Bb5 +2 . +40 -a7 pa6 +2 . +90";
    let looked = "-a6 pa7 +2 . +4 -g8 nf6 +2 . +4 -c2 Pc3 +2 . +4 -c3 Pc2 +1 -f6 ng8 +2 . +2 -b5 Bf1 +2 . +2 -c6 nb8 +2 . +2 \
                  -f3 Ng1 +2 . +4 -f2 Pf4 +2 . +4";
    let reasons = reasons(&format!("{played} {looked} +20 ."));
    assert_eq!(reasons.last(), Some(&Some(TakebackReason::LookedAt)), "{reasons:?}");
}
