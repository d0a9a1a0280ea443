//! The prices of deviations from the plain move, in one table, and the account to which they are charged.
//!
//! A price is roughly minus the natural logarithm of how often hands, scanners and clocks do such a thing. Something
//! that is assumed without having been seen costs more than what was seen in its place; [`super`] explains why.
//!
//! `scripts/accuracy FOLDER --prices` counts how often each deviation is charged on the true path of simulated games
//! and prints the count beside the price; the column `often` has such counts. The prices themselves were set by what
//! explains played games best. Where price and count disagree is the first place to look for an improvement. The
//! simulated boards have no dead squares. Limits of the search (how many hypotheses, how much worse, how long) are in
//! `limits`.
//!
//! All parts of the search charge through this file, and nothing else adds to a cost. To add a deviation, add a row to
//! the table, charge it where it is detected (mostly in `hypothesis::apply_move` and `propose`), and test that step
//! alone there. Then `scripts/accuracy` shows how often it occurs on the true path, the floor in `tests/accuracy` what
//! it does to games, and `scripts/compare-builds` what it does to everything else.

/// What brings a deviation about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The scanner, which reads squares one by one; nobody did anything unusual.
    Scanner,
    /// A square of the board is broken.
    Board,
    /// A hand that moves, touches or drops pieces other than the plain move does.
    Hand,
    /// A clock that is pressed early, late, twice or not at all.
    Clock,
    /// An agreement of the players: a takeback, a withdrawn move, play continued from what stands on the board.
    Players,
    /// Nothing: it was not seen, and the search assumes it.
    Unseen,
}

/// A row of the table of prices.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// The deviation.
    pub deviation: Deviation,
    /// Its name in `--explain` and in the table of `scripts/accuracy`.
    pub name: &'static str,
    /// The cost of one occurrence.
    pub cost: f32,
    /// What brings it about.
    pub cause: Cause,
    /// How often it is charged per thousand plies on the true path, with clocks in use, for classic, rapid and blitz hands:
    /// counted by `scripts/accuracy FOLDER --prices` over 2,874 games of chess, and over 87 of draughts for deviations of
    /// draughts; other sets of some thousand games give similar figures. None for what only ranks a hypothesis, and for
    /// rulings, which are not simulated.
    pub often: Option<[f32; 3]>,
}

/// Creates the enumeration and its table from the same rows, so that they cannot differ.
macro_rules! deviations {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $cost:expr, $cause:ident, $often:expr;)*) => {
        /// What hands, scanners, clocks and players do beside the plain move.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Deviation {
            $($(#[$doc])* $name,)*
        }

        /// The price of every deviation, in the order of [`Deviation`].
        pub const PRICES: &[Price] = &[
            $(Price {
                deviation: Deviation::$name,
                name: $text,
                cost: $cost,
                cause: Cause::$cause,
                often: $often,
            },)*
        ];
    };
}

deviations! {
    // These only rank a hypothesis and are not charged: an explanation may still be found.
    /// A square change that the hypothesis has not explained yet.
    Unexplained, "unexplained", 0.7, Hand, None;
    /// The same, for each further change after [`super::limits::FRESH_CHANGES`].
    Ageing, "ageing", 0.25, Hand, None;
    /// An unexplained change of a piece that is under way and has left that square again.
    PassedBy, "passed-by", 0.1, Scanner, None;

    // How a single move was seen.
    /// A piece seen on a square on the way of its move, or clearing it late.
    Transit, "transit", 0.05, Scanner, Some([165.44, 237.42, 311.76]);
    /// The moving piece stood on a square on its way for longer than a scan.
    Stood, "stood", 2.0, Hand, Some([5.27, 5.43, 5.91]);
    /// The moving piece was set down on a square where it does not pass, and moved on.
    Detour, "detour", 3.5, Hand, Some([0.09, 0.67, 1.55]);
    /// The moving piece itself was lifted and put back, or set down and lifted, within its move.
    Hesitate, "hesitate", 0.5, Hand, Some([3.81, 4.23, 3.91]);
    /// The moving piece was seen on its old square again.
    HesitateFrom, "hesitate-from", 1.5, Hand, Some([3.53, 3.77, 3.1]);
    /// A piece of the mover's lifted and put back.
    AdjustOwn, "adjust-own", 2.5, Hand, Some([33.97, 36.13, 28.84]);
    /// A piece of the side that did not move lifted and put back.
    AdjustOther, "adjust-other", 3.5, Hand, Some([0.0, 0.0, 0.0]);
    /// A change on a square with a piece, for no known reason.
    Stray, "stray", 4.5, Hand, Some([0.0, 0.0, 0.0]);
    /// A capture that turns, whose piece was seen on its turning points in another order than that of its way; each
    /// time.
    StopsInverted, "stops-inverted", 2.0, Hand, None;
    /// A captured man that is on the board after its captor has landed, each; a hand removes it later, or forgets to.
    CapturedStanding, "captured-standing", 1.0, Hand, Some([30.66, 39.24, 54.57]);
    /// The mover of a castling left the rook where it was, or that of a capture en passant the pawn.
    Forgotten, "forgotten", 3.0, Hand, None;
    /// A pawn was left on the last rank for the queen that it has become.
    PawnLeft, "pawn-left", 3.0, Hand, None;
    /// A change older than all of a move, of the other side, is unexplained when the move is complete.
    LeftOpen, "left-open", 0.5, Hand, Some([0.03, 1.83, 15.22]);
    /// The same for a change of the mover's own side.
    LeftOpenOwn, "left-open-own", 2.0, Hand, Some([0.17, 0.59, 2.0]);

    // The order in which moves follow each other.
    /// The first change of a move came before the last change of the previous move.
    Overlap, "overlap", 0.8, Hand, Some([1.82, 19.48, 117.28]);
    /// Each further change of a move that came before the last change of the previous move.
    OverlapMore, "overlap-more", 0.5, Hand, Some([1.69, 4.93, 28.73]);
    /// An overlap although the board reports that more than 250 ms passed between.
    OverlapSlow, "overlap-slow", 1.5, Hand, Some([1.52, 1.74, 1.06]);
    /// The first or last change of a move came before that of the previous move.
    Inverted, "inverted", 1.0, Scanner, Some([0.03, 2.95, 27.66]);
    /// The same although the board reports that more than 250 ms passed between.
    InvertedSlow, "inverted-slow", 3.0, Hand, Some([0.0, 0.01, 0.08]);
    /// A move began before the last move of the same side was over.
    OwnOverlap, "own-overlap", 2.0, Hand, Some([0.0, 0.01, 0.57]);
    /// The next move of a side continues with the same piece along its way, with hardly any time between.
    WentOn, "went-on", 4.0, Hand, Some([0.01, 1.25, 4.73]);

    // What is assumed without having been seen.
    /// A square never showed the piece that landed there, because the reply captured it there.
    UnseenRecapture, "unseen-recapture", 3.4, Unseen, Some([0.01, 1.03, 9.32]);
    /// The same for a capture en passant: two squares were not seen in time.
    UnseenEnPassant, "unseen-en-passant", 1.4, Unseen, Some([0.0, 0.0, 0.0]);
    /// A square between two moves of the same piece was never seen.
    UnseenWentOn, "unseen-went-on", 3.5, Unseen, Some([0.0, 0.0, 0.43]);
    /// A piece came to a square and left it again; the board reported only that the square is empty.
    EmptiedAgain, "emptied-again", 1.0, Board, Some([0.0, 0.0, 0.0]);
    /// A piece whose landing was not seen is assumed on a square where it can be captured at a profit.
    EnPrise, "en-prise", 0.8, Unseen, Some([0.0, 0.0, 0.01]);
    /// A pawn was promoted to another piece than a queen, and that piece was not seen.
    PromotedToLess, "promoted-to-less", 3.5, Unseen, None;
    /// Multiplied by the logarithm of the number of replies that such a landing allowed.
    Choice, "choice", 0.5, Unseen, Some([0.0, 0.0, 0.42]);
    /// A man of draughts was captured before it was seen to have moved.
    HiddenCapture, "hidden-capture", 2.0, Unseen, Some([0.0, 1.84, 10.42]);
    /// A square is taken for dead: a piece that left another square went there, and the board did not report it.
    DeadSquare, "dead-square", 8.0, Board, Some([0.0, 0.0, 0.0]);
    /// The same for a square that has reported pieces before.
    Died, "died", 2.0, Board, Some([0.0, 0.0, 0.0]);
    /// A further move to or from a square that is taken for dead.
    DeadAgain, "dead-again", 0.5, Board, Some([0.0, 0.0, 0.0]);
    /// A square on which an unreported piece was assumed reports that piece after all: it was read late.
    ReadLate, "read-late", 0.5, Board, Some([0.0, 0.0, 0.0]);
    /// A square that was taken for dead reports something else.
    DeadReported, "dead-spoke", 4.0, Board, Some([0.0, 0.0, 0.0]);
    /// Moves that a gap in the data hides.
    Bridged, "bridged", 6.0, Unseen, Some([0.0, 0.0, 0.0]);

    // Boards at rest.
    /// A poll is over, without a clock, and a square is mismatched: 377, 255, 147 times in a thousand plies.
    PolledOpen, "polled-open", 0.8, Hand, None;
    /// The board rests with a mismatched square, each.
    RestMismatched, "rest-mismatched", 3.5, Hand, Some([0.05, 0.85, 1.75]);
    /// Squares are mismatched for so long that no hand is at work, though another explanation has all squares right.
    LongMismatched, "long-mismatched", 4.0, Hand, Some([0.0, 0.13, 0.51]);
    /// How much is added to the rank of an explanation with mismatched squares, so that it comes after those without.
    PutBehind, "put-behind", 1.0, Hand, Some([0.0, 0.0, 0.03]);

    // Clocks.
    /// A move is complete although the earlier move of its mover was not pressed, with a clock in use.
    NoPress, "no-press", 1.5, Clock, Some([0.0, 0.23, 3.35]);
    /// A press although the last press of that side belongs to no move yet.
    PressTwice, "press-twice", 3.5, Clock, Some([0.0, 0.0, 0.06]);
    /// A press before the last square of its move.
    PressEarly, "press-early", 0.3, Clock, Some([617.16, 607.31, 536.65]);
    /// The poll that reported a press is over, and a piece of the side that pressed is mismatched.
    PressedOpen, "pressed-open", 2.0, Clock, Some([26.93, 34.23, 52.81]);
    /// A press before any change of its move was seen.
    PressFirst, "press-first", 0.7, Clock, Some([9.03, 16.84, 21.54]);
    /// A move that was seen to land long after its press.
    LongPressed, "long-pressed", 3.0, Clock, Some([0.0, 0.03, 0.05]);
    /// A press was lost: the next press of its side is for the move that was lifted before it.
    LiftedBeforePress, "lifted-before-press", 1.5, Clock, Some([0.0, 0.41, 5.08]);
    /// A move that is complete before the previous move was pressed.
    ReplyBeforePress, "reply-before-press", 0.4, Clock, Some([0.0, 1.08, 19.59]);

    // What players agree on.
    /// A legal move was made and withdrawn before the clock was pressed.
    Withdrawn, "withdrawn", 4.0, Players, Some([0.0, 0.27, 0.6]);
    /// The same after the press.
    WithdrawnPressed, "withdrawn-pressed", 8.0, Players, Some([0.0, 0.0, 0.0]);
    /// An illegal move was made, pressed and put back.
    IllegalPressed, "illegal-pressed", 6.0, Players, None;
    /// Both players go back to an earlier position of the game, after which other moves may follow.
    Takeback, "takeback", 9.0, Players, Some([0.0, 0.0, 0.0]);
    /// The same by moves that are legal, but were not pressed with a clock in use.
    WentBack, "went-back", 2.0, Players, Some([0.0, 0.0, 0.0]);
    /// The piece to which a pawn was promoted was replaced by another one.
    ChangedFor, "changed-for", 3.0, Players, None;
    /// While the clock was stopped the board returned to the position at the stop, or to an earlier one.
    StoppedAndBack, "stopped-and-back", 2.0, Players, None;
    /// An arbiter ruled otherwise than the board showed.
    RuledOtherwise, "ruled-otherwise", 6.0, Players, None;
    /// Pieces stand beside their squares, and the game goes on as if they did not.
    Displaced, "displaced", 7.0, Players, None;
    /// The game goes on from a position that stands and that no move explains.
    Resumed, "resumed", 8.0, Players, Some([0.0, 0.0, 0.0]);
}

/// The part of [`Deviation::WentOn`] that is charged when its side pressed the clock between the two moves,
pub const WENT_ON_PRESSED: f32 = 0.25;
/// when a piece of the other side was seen to land between, or more time passed than one scan takes,
pub const WENT_ON_AFTER_A_REPLY: f32 = 0.5;
/// and when there was a reply and the input has no times, where one in several steps can come between.
pub const WENT_ON_TIMELESS: f32 = 0.125;

impl Deviation {
    /// Its row of the table.
    pub fn row(self) -> &'static Price {
        &PRICES[self as usize]
    }

    /// The cost of one occurrence.
    pub fn price(self) -> f32 {
        self.row().cost
    }
}

/// The sum of the costs of these deviations, each multiplied by its number.
pub fn price_of(together: &[(Deviation, f32)]) -> f32 {
    together.iter().map(|&(deviation, times)| deviation.price() * times).sum()
}

/// A deviation that was charged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge {
    /// The deviation.
    pub deviation: Deviation,
    /// Its cost, all occurrences together.
    pub cost: f32,
}

/// The total that a hypothesis has paid since its game began and, if itemised, the charges since its last move.
#[derive(Debug, Clone)]
pub struct Account {
    total: f32,
    /// None where charges are not itemised, which most accounts need not be.
    charges: Option<Vec<Charge>>,
}

impl Account {
    /// An empty account; `itemised` accounts keep their charges.
    pub fn new(itemised: bool) -> Account {
        Account { total: 0.0, charges: itemised.then(Vec::new) }
    }

    /// The sum of all charges.
    pub fn total(&self) -> f32 {
        self.total
    }

    /// Whether the charges are kept.
    pub fn is_itemised(&self) -> bool {
        self.charges.is_some()
    }

    /// Charges one occurrence.
    pub fn charge(&mut self, deviation: Deviation) {
        self.charge_times(deviation, 1.0);
    }

    /// Charges these deviations, each multiplied by its number, as one sum. The last bits of a total depend on the
    /// order of additions, and equally good explanations are ordered by these bits.
    pub fn charge_all(&mut self, together: &[(Deviation, f32)]) {
        let paid = self.total;
        self.total = 0.0;
        for &(deviation, times) in together {
            self.charge_times(deviation, times);
        }
        self.total += paid;
    }

    /// Charges a deviation multiplied by `times`, which may be a fraction; zero charges nothing.
    pub fn charge_times(&mut self, deviation: Deviation, times: f32) {
        if times > 0.0 {
            let cost = deviation.price() * times;
            self.total += cost;
            if let Some(charges) = &mut self.charges {
                charges.push(Charge { deviation, cost });
            }
        }
    }

    /// The same account with another total.
    pub fn at(&self, total: f32) -> Account {
        Account { total, charges: self.charges.clone() }
    }

    /// Takes the charges since the last call; empty where they are not itemised.
    pub fn take_charges(&mut self) -> Vec<Charge> {
        self.charges.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_and_unique() {
        let mut names: Vec<&str> = PRICES.iter().map(|row| row.name).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PRICES.len());
    }

    #[test]
    fn an_unseen_landing_costs_more_than_two_overlaps() {
        // With these the other way round most blitz games are lost: see the module.
        let two_overlaps = 2.0 * Deviation::Overlap.price();
        for unseen in [Deviation::UnseenRecapture, Deviation::UnseenWentOn, Deviation::Bridged] {
            assert!(unseen.price() > two_overlaps, "{unseen:?}");
        }
        for row in PRICES.iter().filter(|row| row.cause == Cause::Scanner) {
            assert!(row.cost <= 1.0, "{row:?}");
        }
    }

    #[test]
    fn an_account_adds_up_and_itemises_on_request() {
        let mut plain = Account::new(false);
        let mut itemised = Account::new(true);
        for account in [&mut plain, &mut itemised] {
            account.charge(Deviation::Overlap);
            account.charge_times(Deviation::OverlapMore, 2.0);
            account.charge_times(Deviation::Hesitate, 0.0);
        }
        assert_eq!((plain.total(), itemised.total()), (1.8, 1.8));
        assert_eq!(plain.take_charges(), []);
        let charge = |deviation, cost| Charge { deviation, cost };
        let two = [charge(Deviation::Overlap, 0.8), charge(Deviation::OverlapMore, 1.0)];
        assert_eq!(itemised.take_charges(), two);
        assert_eq!(itemised.take_charges(), [], "each is taken once");
        assert_eq!(itemised.total(), 1.8);
    }
}
