//! The profiles of `--hands`: how often and how fast people handle pieces and clocks.

/// Which hands play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Hands {
    /// Unhurried and tidy: nothing slides, nothing is adjusted, the king castles first
    Clean,
    /// A game of hours
    Classic,
    /// A game of half an hour
    Rapid,
    /// A game of minutes: one reply in seven begins before the other hand has left
    Blitz,
    /// A game of minutes as recordings of real boards have it: no reply begins before the other hand has left, and pieces
    /// are set down beside their way
    Real,
}

/// The numbers of a profile. Probabilities are per ply, pairs are ranges in seconds.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The time of a lifted piece in the air.
    pub air: (f64, f64),
    /// The probability that a move that can slide does.
    pub slide: f64,
    /// The time of a sliding piece over a square.
    pub slide_step: (f64, f64),
    /// How often captures take the victim first, the mover first, or land while the victim leaves (weights).
    pub captures: [f64; 3],
    /// How captured men of draughts are taken off: all of them first, each as it is jumped, all of them after the landing, or
    /// by the other hand after the press (weights).
    pub lifting: [f64; 4],
    /// How often the captor of several men touches a square where it turns.
    pub touch_down: f64,
    /// The time for which it is on that square.
    pub touched: (f64, f64),
    /// How often a captured man is forgotten on the board for some plies.
    pub forget: f64,
    /// How often castling moves the king first, the rook first, or both together (weights).
    pub castling: [f64; 3],
    /// How often a pawn, or a man of draughts, is put on the last rank before it is exchanged.
    pub pawn_first: f64,
    /// How often a piece is adjusted while a player thinks.
    pub adjust: f64,
    /// How often another piece is lifted and put back just before the move.
    pub touch: f64,
    /// How often a piece rests on a square on the way.
    pub rest: f64,
    /// How often a piece is put down on a square beside its way, and moved on.
    pub detour: f64,
    /// How often a piece beside the move is knocked over, and put back.
    pub knock: f64,
    /// How often a quiet legal move is made and withdrawn first.
    pub withdrawn: f64,
    /// How often a move against the rules is made and corrected first.
    pub illegal: f64,
    /// How often the reply begins before the other hand has left.
    pub overlap: f64,
    /// The time from the landing to the press of the clock.
    pub press: (f64, f64),
    /// Thinking time: median in seconds, and sigma of its logarithm.
    pub think: (f64, f64),
    /// Base time and increment in seconds, if the game has none.
    pub control: (f64, f64),
}

/// The profile of a game of hours; the other profiles are differences from it.
const CLASSIC: Profile = Profile {
    air: (0.2, 1.2),
    slide: 0.33,
    slide_step: (0.02, 0.16),
    captures: [0.5, 0.3, 0.2],
    lifting: [0.15, 0.25, 0.5, 0.1],
    touch_down: 0.8,
    touched: (0.1, 0.6),
    forget: 0.002,
    castling: [0.85, 0.08, 0.07],
    pawn_first: 0.5,
    adjust: 0.03,
    touch: 0.01,
    rest: 0.02,
    detour: 0.0,
    knock: 0.002,
    withdrawn: 0.0,
    illegal: 0.0,
    overlap: 0.0,
    press: (0.02, 0.15),
    think: (45.0, 1.1),
    control: (5400.0, 30.0),
};

impl Hands {
    /// The profile of these hands.
    pub fn profile(self) -> Profile {
        match self {
            Hands::Clean => Profile {
                air: (0.5, 1.5),
                slide: 0.0,
                captures: [0.6, 0.0, 0.4],
                lifting: [0.0, 0.3, 0.7, 0.0],
                touch_down: 1.0,
                touched: (0.4, 0.9),
                forget: 0.0,
                castling: [1.0, 0.0, 0.0],
                adjust: 0.0,
                touch: 0.0,
                rest: 0.0,
                knock: 0.0,
                press: (0.4, 1.5),
                think: (30.0, 0.8),
                ..CLASSIC
            },
            Hands::Classic => CLASSIC,
            Hands::Rapid => Profile {
                air: (0.12, 0.8),
                slide: 0.5,
                captures: [0.4, 0.35, 0.25],
                lifting: [0.15, 0.3, 0.4, 0.15],
                touch_down: 0.6,
                touched: (0.08, 0.4),
                forget: 0.005,
                knock: 0.005,
                withdrawn: 0.001,
                illegal: 0.001,
                overlap: 0.02,
                think: (8.0, 0.9),
                control: (900.0, 10.0),
                ..CLASSIC
            },
            Hands::Real => Profile {
                slide: 0.15,
                captures: [0.2, 0.2, 0.6],
                adjust: 0.013,
                rest: 0.04,
                detour: 0.015,
                overlap: 0.0,
                ..Hands::Blitz.profile()
            },
            Hands::Blitz => Profile {
                air: (0.1, 0.5),
                slide: 0.66,
                captures: [0.3, 0.35, 0.35],
                lifting: [0.1, 0.35, 0.35, 0.2],
                touch_down: 0.4,
                touched: (0.05, 0.25),
                forget: 0.01,
                knock: 0.01,
                withdrawn: 0.002,
                illegal: 0.002,
                overlap: 0.15,
                think: (1.6, 0.8),
                control: (180.0, 2.0),
                ..CLASSIC
            },
        }
    }
}
