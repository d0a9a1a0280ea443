//! How things look: with colours or without, with figures or letters.

use ratatui_core::style::{Color, Modifier, Style};

use super::stand::Man;

/// What the terminal can show, or the user wants to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Letters instead of figures.
    pub ascii: bool,
    /// Colours.
    pub colour: bool,
}

// Of the 256 colours that every terminal has had for twenty years.
const LIGHT: Color = Color::Indexed(144);
const DARK: Color = Color::Indexed(65);
const MOVED: [Color; 2] = [Color::Indexed(185), Color::Indexed(142)];
const WRONG: Color = Color::Indexed(160);
const WHITE: Color = Color::Indexed(231);
const BLACK: Color = Color::Indexed(16);

impl Look {
    /// The sign of a man, or of an empty square.
    pub fn sign(self, man: Option<Man>, dark: bool) -> char {
        let Some(man) = man else { return if dark && !self.colour { '.' } else { ' ' } };
        if self.ascii {
            let letter = if man.kind == 'm' { 'o' } else { man.kind };
            return if man.white { letter.to_ascii_uppercase() } else { letter };
        }
        // With colours both sides have the full figures: they are seen better.
        let full = self.colour || !man.white;
        let [hollow, filled] = match man.kind {
            'k' => ['♔', '♚'],
            'q' => ['♕', '♛'],
            'r' => ['♖', '♜'],
            'b' => ['♗', '♝'],
            'n' => ['♘', '♞'],
            'm' => ['⛀', '⛂'],
            'd' => ['⛁', '⛃'],
            _ => ['♙', '♟'],
        };
        if full { filled } else { hollow }
    }

    /// A square and what stands on it.
    pub fn square(self, dark: bool, white: bool, moved: bool, wrong: bool) -> Style {
        if !self.colour {
            return if wrong { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        }
        let ground = match (wrong, moved, dark) {
            (true, ..) => WRONG,
            (_, true, dark) => MOVED[usize::from(dark)],
            (.., true) => DARK,
            _ => LIGHT,
        };
        Style::new().bg(ground).fg(if white { WHITE } else { BLACK })
    }

    fn coloured(self, colour: u8, plain: Modifier) -> Style {
        if self.colour { Style::new().fg(Color::Indexed(colour)) } else { Style::new().add_modifier(plain) }
    }

    /// What needs a hand.
    pub fn trouble(self) -> Style {
        self.coloured(203, Modifier::BOLD)
    }

    /// What is less important.
    pub fn faint(self) -> Style {
        self.coloured(245, Modifier::empty())
    }

    /// A piece of Black's, where letters are all that tells it from one of White's.
    pub fn black(self) -> Style {
        self.coloured(6, Modifier::empty())
    }

    /// A heading, and a clock that runs.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The board that is chosen.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The lines at the top and the bottom.
    pub fn frame(self) -> Style {
        if self.colour {
            Style::new().bg(Color::Indexed(237)).fg(Color::Indexed(252))
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    /// What stands between two things in a line.
    pub fn dash(self) -> &'static str {
        if self.ascii { "-" } else { "–" }
    }

    /// How a text goes on that has no room.
    pub fn more(self) -> char {
        if self.ascii { '~' } else { '…' }
    }
}
