//! The look of things: with colours or without, with figures or letters.

use ratatui_core::style::{Color, Modifier, Style};

use super::stand::Man;

/// The abilities of the terminal, or the user's wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Letters instead of figures.
    pub ascii: bool,
    /// Colours.
    pub colour: bool,
}

// From the 256 colours of every terminal.
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
        // With colours both sides have the filled figures, which are easier to see.
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

    /// The style of a square and its piece.
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

    /// The style of a finding.
    pub fn trouble(self) -> Style {
        self.coloured(203, Modifier::BOLD)
    }

    /// The style of less important text.
    pub fn faint(self) -> Style {
        self.coloured(245, Modifier::empty())
    }

    /// The style of a piece of Black, where only letters distinguish it from one of White.
    pub fn black(self) -> Style {
        self.coloured(6, Modifier::empty())
    }

    /// The style of a heading, and of a running clock.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The style of the selected board.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The style of the lines at the top and the bottom.
    pub fn frame(self) -> Style {
        if self.colour {
            Style::new().bg(Color::Indexed(237)).fg(Color::Indexed(252))
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    /// The separator between two parts of a line.
    pub fn dash(self) -> &'static str {
        if self.ascii { "-" } else { "–" }
    }

    /// The sign at the end of a cut text.
    pub fn more(self) -> char {
        if self.ascii { '~' } else { '…' }
    }
}
