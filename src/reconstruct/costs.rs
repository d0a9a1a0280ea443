//! What a deviation from the plain move costs: one table of prices, and the account that they are charged to.
//!
//! A price is roughly minus the natural logarithm of how rarely hands, scanners and clocks do such a thing; what is assumed
//! without being seen costs more than what was seen in its place ([`super`] teaches it).
//!
//! `scripts/accuracy FOLDER --prices` counts how often each deviation is charged on the true path of simulated games and
//! prints it beside its price; the column `often` is such a count. Prices were set by what explains played games best, not
//! worked out from counts: where the two disagree is where to look first. Boards of the bench are sound. Limits of the
//! search (how many hypotheses, how much worse, how long) are no prices: they stand in `limits`.
//!
//! Every file of the search charges here; nothing else adds to a cost. A new deviation is a row of the table, a `charge` where
//! it is seen (most are in `hypothesis::apply_move` and `propose`), and a test there of that step alone; then the bench says how
//! often it is on the true path, the floor of `tests/accuracy` what it does to games, and `scripts/compare-builds` to all others.

/// Who brings a deviation about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Squares are read one by one: nobody did anything unusual.
    Scanner,
    /// A square of it is broken.
    Board,
    /// A hand moves, touches or drops pieces otherwise than the plain move does.
    Hand,
    /// A clock is pressed early, late, twice or not at all.
    Clock,
    /// The players agree on something: a takeback, a withdrawn move, play that goes on from where the pieces stand.
    Players,
    /// Nobody saw it: the search assumes it.
    Unseen,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// What it is the price of.
    pub deviation: Deviation,
    /// The deviation's name in `--explain` and in the bench.
    pub name: &'static str,
    /// What it costs, each time.
    pub cost: f32,
    /// Who does it.
    pub cause: Cause,
    /// How often it was charged on the true path of a thousand plies with clocks in use, by classic, rapid and blitz
    /// hands: counted by the bench (`scripts/accuracy FOLDER --prices`) over 2,874 games of chess, what is of draughts alone
    /// over 87 of draughts; any few thousand games give such figures. None for what ranks and is not charged, and for what
    /// no simulated arbiter does.
    pub often: Option<[f32; 3]>,
}

/// Makes the enumeration and its table of the same rows, so that they cannot differ.
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
    // What ranks a hypothesis without being charged: it may still find its explanation.
    /// A square change that it has not explained yet.
    Unexplained, "unexplained", 0.7, Hand, None;
    /// The same, for each further change since it ceased to be fresh.
    Ageing, "ageing", 0.25, Hand, None;
    /// A change not explained yet of a piece that is under way and has left the square again.
    PassedBy, "passed-by", 0.1, Scanner, None;

    // What is seen of a move.
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
    /// A piece of the other side's lifted and put back.
    AdjustOther, "adjust-other", 3.5, Hand, Some([0.0, 0.0, 0.0]);
    /// A square of a piece that changed for no reason known.
    Stray, "stray", 4.5, Hand, Some([0.0, 0.0, 0.0]);
    /// Where a capture turns the piece was seen in another order than that of its way, each time.
    StopsInverted, "stops-inverted", 2.0, Hand, None;
    /// A captured man still stands though its captor has landed, each: a hand comes for it in time, or forgets it.
    CapturedStanding, "captured-standing", 1.0, Hand, Some([30.66, 39.24, 54.57]);
    /// Who castled has left the rook, or who captured in passing the pawn.
    Forgotten, "forgotten", 3.0, Hand, None;
    /// A pawn was left standing on the last rank for the queen that it has become.
    PawnLeft, "pawn-left", 3.0, Hand, None;
    /// A change older than all of a move is still unexplained when the move is complete: the other side's.
    LeftOpen, "left-open", 0.5, Hand, Some([0.03, 1.83, 15.22]);
    /// The same of the mover's own side.
    LeftOpenOwn, "left-open-own", 2.0, Hand, Some([0.17, 0.59, 2.0]);

    // In which order moves follow each other.
    /// The first change of a move came before the last change of the move before.
    Overlap, "overlap", 0.8, Hand, Some([1.82, 19.48, 117.28]);
    /// Each change of a move beyond the first that came before the last change of the move before.
    OverlapMore, "overlap-more", 0.5, Hand, Some([1.69, 4.93, 28.73]);
    /// An overlap although the board says that more than 250 ms lay between.
    OverlapSlow, "overlap-slow", 1.5, Hand, Some([1.52, 1.74, 1.06]);
    /// A move's first or last change came before the same of the move before.
    Inverted, "inverted", 1.0, Scanner, Some([0.03, 2.95, 27.66]);
    /// The same although the board says that more than 250 ms lay between.
    InvertedSlow, "inverted-slow", 3.0, Hand, Some([0.0, 0.01, 0.08]);
    /// A move began before its own side's last move was over.
    OwnOverlap, "own-overlap", 2.0, Hand, Some([0.0, 0.01, 0.57]);
    /// The same piece goes on along its way as its side's next move, with hardly any time between.
    WentOn, "went-on", 4.0, Hand, Some([0.01, 1.25, 4.73]);

    // What has to be assumed.
    /// A square never showed the piece that landed there, because the reply captured it there.
    UnseenRecapture, "unseen-recapture", 3.4, Unseen, Some([0.01, 1.03, 9.32]);
    /// The same where the capture was en passant: two squares were not seen in time.
    UnseenEnPassant, "unseen-en-passant", 1.4, Unseen, Some([0.0, 0.0, 0.0]);
    /// A square between two moves of the same piece was never seen.
    UnseenWentOn, "unseen-went-on", 3.5, Unseen, Some([0.0, 0.0, 0.43]);
    /// A piece came to a square and left it again, of which the board told no more than that it is empty.
    EmptiedAgain, "emptied-again", 1.0, Board, Some([0.0, 0.0, 0.0]);
    /// A piece whose landing no one saw is said to have gone where it could be taken at a profit.
    EnPrise, "en-prise", 0.8, Unseen, Some([0.0, 0.0, 0.01]);
    /// A pawn became something else than a queen, and nobody saw it stand.
    PromotedToLess, "promoted-to-less", 3.5, Unseen, None;
    /// For the logarithm of the number of replies that such a landing left.
    Choice, "choice", 0.5, Unseen, Some([0.0, 0.0, 0.42]);
    /// A man of draughts was captured before it was seen to have moved.
    HiddenCapture, "hidden-capture", 2.0, Unseen, Some([0.0, 1.84, 10.42]);
    /// A square is taken for dead: a piece that left another came there, and the board never said so.
    DeadSquare, "dead-square", 8.0, Board, Some([0.0, 0.0, 0.0]);
    /// The same, of a square that has told of pieces before.
    Died, "died", 2.0, Board, Some([0.0, 0.0, 0.0]);
    /// A further move to or from a square that is taken for dead.
    DeadAgain, "dead-again", 0.5, Board, Some([0.0, 0.0, 0.0]);
    /// A square on which a piece was thought to stand unheard tells of that piece after all: it was read late.
    ReadLate, "read-late", 0.5, Board, Some([0.0, 0.0, 0.0]);
    /// A square that was taken for dead tells of something else.
    DeadSpoke, "dead-spoke", 4.0, Board, Some([0.0, 0.0, 0.0]);
    /// Moves that a gap in the data hides, each.
    Bridged, "bridged", 6.0, Unseen, Some([0.0, 0.0, 0.0]);

    // Boards at rest.
    /// A poll is over, without a clock, and a square is not as it should be: 377, 255, 147 times in a thousand plies.
    PolledOpen, "polled-open", 0.8, Hand, None;
    /// The board rests though a square is not as it should be, each.
    RestMismatched, "rest-mismatched", 3.5, Hand, Some([0.05, 0.85, 1.75]);
    /// A square is not as it should be for so long that no hand is at work, though another explanation has all
    /// squares right.
    LongMismatched, "long-mismatched", 4.0, Hand, Some([0.0, 0.13, 0.51]);
    /// What stands on the board counts, and this explanation leaves some of it over: by how much it is put behind.
    PutBehind, "put-behind", 1.0, Hand, Some([0.0, 0.0, 0.03]);

    // Clocks.
    /// A move completed without its mover's earlier move having been pressed, with a clock in use.
    NoPress, "no-press", 1.5, Clock, Some([0.0, 0.23, 3.35]);
    /// A press although the presser's last press has no move yet.
    PressTwice, "press-twice", 3.5, Clock, Some([0.0, 0.0, 0.06]);
    /// A press before the last square of its move.
    PressEarly, "press-early", 0.3, Clock, Some([617.16, 607.31, 536.65]);
    /// The poll that told of a press is over, and a piece of who pressed is not where it should be.
    PressedOpen, "pressed-open", 2.0, Clock, Some([26.93, 34.23, 52.81]);
    /// A press before anything of its move was seen.
    PressFirst, "press-first", 0.7, Clock, Some([9.03, 16.84, 21.54]);
    /// A move was seen to land only when the clock had long been pressed.
    LongPressed, "long-pressed", 3.0, Clock, Some([0.0, 0.03, 0.05]);
    /// A press was lost: the next one of its side is for the move that was lifted before it.
    LiftedBeforePress, "lifted-before-press", 1.5, Clock, Some([0.0, 0.41, 5.08]);
    /// A move that is complete before the move before it was pressed.
    ReplyBeforePress, "reply-before-press", 0.4, Clock, Some([0.0, 1.08, 19.59]);

    // What players agree on.
    /// A legal move was made and withdrawn before the clock was pressed.
    Withdrawn, "withdrawn", 4.0, Players, Some([0.0, 0.27, 0.6]);
    /// The same after it.
    WithdrawnPressed, "withdrawn-pressed", 8.0, Players, Some([0.0, 0.0, 0.0]);
    /// An illegal move was made and pressed, and put back.
    IllegalPressed, "illegal-pressed", 6.0, Players, None;
    /// Both players go back to an earlier position of the game, where others of its moves may follow.
    Takeback, "takeback", 9.0, Players, Some([0.0, 0.0, 0.0]);
    /// The same by moves that look legal, but were not pressed with a clock in use.
    WentBack, "went-back", 2.0, Players, Some([0.0, 0.0, 0.0]);
    /// What a pawn has become was changed for another piece.
    ChangedFor, "changed-for", 3.0, Players, None;
    /// While the clock was stopped the board came to stand as it did then, or before in the game.
    StoppedAndBack, "stopped-and-back", 2.0, Players, None;
    /// An arbiter ruled otherwise than the board showed.
    RuledOtherwise, "ruled-otherwise", 6.0, Players, None;
    /// Pieces stand beside where the game has them, which goes on as if they did not.
    Displaced, "displaced", 7.0, Players, None;
    /// A position that stands and that no move explains is where the game goes on from.
    Resumed, "resumed", 8.0, Players, Some([0.0, 0.0, 0.0]);
}

/// The part of [`Deviation::WentOn`] that is left when its side pressed the clock between.
pub const WENT_ON_PRESSED: f32 = 0.25;
/// The same when the other side's piece was seen to land between.
pub const WENT_ON_AFTER_A_REPLY: f32 = 0.5;
/// The same where nothing ever said how much time passes: who replied has hardly moved in steps as well, each in its turn.
pub const WENT_ON_TIMELESS: f32 = 0.125;
/// The same when there was some time between, more than one scan takes.
pub const WENT_ON_AFTER_A_WHILE: f32 = 0.5;

impl Deviation {
    /// Its row.
    pub fn row(self) -> &'static Price {
        &PRICES[self as usize]
    }

    /// What it costs, each time.
    pub fn price(self) -> f32 {
        self.row().cost
    }
}

/// What these cost together, each so many times.
pub fn price_of(together: &[(Deviation, f32)]) -> f32 {
    together.iter().map(|&(deviation, times)| deviation.price() * times).sum()
}

/// Something that was paid for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charge {
    /// What.
    pub deviation: Deviation,
    /// For how much, all times together.
    pub cost: f32,
}

/// What a hypothesis has paid since its game began and, where it is to be explained, what for since its last move.
#[derive(Debug, Clone)]
pub struct Account {
    total: f32,
    /// None where nobody asks: most accounts belong to hypotheses that nobody will ever see.
    charges: Option<Vec<Charge>>,
}

impl Account {
    /// Nothing paid. `itemised`: it keeps what for.
    pub fn new(itemised: bool) -> Account {
        Account { total: 0.0, charges: itemised.then(Vec::new) }
    }

    /// All that was paid.
    pub fn total(&self) -> f32 {
        self.total
    }

    /// Whether it keeps what it was charged for.
    pub fn is_itemised(&self) -> bool {
        self.charges.is_some()
    }

    /// Charges one deviation.
    pub fn charge(&mut self, deviation: Deviation) {
        self.charge_times(deviation, 1.0);
    }

    /// Charges what comes together, each so many times, as one sum: the last bits of a total depend on the order of
    /// its additions, and explanations that are equally good are told apart by them.
    pub fn charge_all(&mut self, together: &[(Deviation, f32)]) {
        let paid = self.total;
        self.total = 0.0;
        for &(deviation, times) in together {
            self.charge_times(deviation, times);
        }
        self.total += paid;
    }

    /// Charges a deviation so many times, or a part of it; nothing where that is none of a time.
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

    /// What was paid for since this was last asked; empty where it is not itemised.
    pub fn take_charges(&mut self) -> Vec<Charge> {
        self.charges.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_records_and_no_two_are_the_same() {
        let mut names: Vec<&str> = PRICES.iter().map(|row| row.name).collect();
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PRICES.len());
    }

    #[test]
    fn what_was_not_seen_costs_more_than_what_it_implies() {
        // With these the other way round blitz games fall apart: see the module.
        let two_overlaps = 2.0 * Deviation::Overlap.price();
        for unseen in [Deviation::UnseenRecapture, Deviation::UnseenWentOn, Deviation::Bridged] {
            assert!(unseen.price() > two_overlaps, "{unseen:?}");
        }
        for row in PRICES.iter().filter(|row| row.cause == Cause::Scanner) {
            assert!(row.cost <= 1.0, "{row:?}");
        }
    }

    #[test]
    fn an_account_adds_up_and_says_what_for_if_asked() {
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
        assert_eq!(itemised.take_charges(), [], "each is told once");
        assert_eq!(itemised.total(), 1.8);
    }
}
