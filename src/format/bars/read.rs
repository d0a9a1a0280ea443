//! BARS to game records: every number's shape, piece, square and path is checked, and every move's legality.

use super::{
    Matrix, crowns, matrix,
    parse::{Lines, Value},
};
use crate::{
    draughts::{Colour, Move, Piece, Position, Square},
    format::russian::{GameRecorder, ReadItem},
    record::{Anomaly, AnomalyKind, EndReason, GameEvent, Tags, Takeback},
};

/// Reads BARS line by line.
#[derive(Debug, Default)]
pub struct Reader {
    /// Mend numbers of which only the colour or the rank of the piece is wrong.
    lenient: bool,
    lines: Lines,
    /// The place of the current line.
    source: String,
    /// Games begun in this run.
    games: u32,
    /// A matrix that waits for its moves.
    waiting: Option<Matrix>,
    /// A game that is passed move by move.
    running: Option<Running>,
    items: Vec<ReadItem>,
}

/// A game that is passed move by move.
#[derive(Debug)]
struct Running {
    recorder: GameRecorder,
    /// A move was refused: those after it are skipped.
    broken: bool,
}

/// A number taken apart.
#[derive(Debug, Clone, Copy)]
struct Number<'a> {
    text: &'a str,
    captured: bool,
    piece: Piece,
    square: Square,
}

impl Reader {
    /// `lenient` corrects numbers of which only the colour or the rank of the piece is wrong, and reports it.
    pub fn new(lenient: bool) -> Reader {
        Reader { lenient, ..Reader::default() }
    }

    /// Reads a line, whose place is `source`; returns the items that are complete.
    pub fn line(&mut self, source: &str, line: &str) -> Vec<ReadItem> {
        source.clone_into(&mut self.source);
        for item in self.lines.take(line) {
            if let Err(problem) = item.and_then(|(name, value)| self.item(name.as_deref(), &value)) {
                self.items.push(ReadItem::Bad(problem));
            }
        }
        std::mem::take(&mut self.items)
    }

    /// The source has ended: the remaining items.
    pub fn end(&mut self) -> Vec<ReadItem> {
        if let Err(problem) = self.lines.finish() {
            self.items.push(ReadItem::Bad(problem));
        }
        self.close();
        if self.waiting.take().is_some() {
            self.items.push(ReadItem::Bad("the last area_monitor has no moves".into()));
        }
        std::mem::take(&mut self.items)
    }

    /// A top-level value: an object, a matrix, a game, a move, a matrix with a game, or several of these.
    fn item(&mut self, name: Option<&str>, value: &Value) -> Result<(), String> {
        match value {
            Value::Object(fields) => {
                let field = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, v)| v);
                let area = field("area_monitor").map(read_matrix).transpose()?;
                let go = field("go").ok_or("an object without `go`")?;
                self.go(area, go)
            }
            _ if name == Some("area_monitor") || is_matrix(value) => self.wait(read_matrix(value)?),
            Value::Word(_) => Err("this is not BARS".into()),
            Value::List(list) => match &list[..] {
                [area, go] if is_matrix(area) => self.go(Some(read_matrix(area)?), go),
                [Value::Object(_), ..] => list.iter().try_for_each(|game| self.item(None, game)),
                [Value::List(inner), ..] if inner.first().is_some_and(|part| part.list().is_some()) => {
                    list.iter().try_for_each(|game| self.item(None, game))
                }
                _ => self.go(None, value),
            },
        }
    }

    fn wait(&mut self, area: Matrix) -> Result<(), String> {
        match self.waiting.replace(area) {
            Some(_) => Err("an area_monitor without moves, before another one".into()),
            None => Ok(()),
        }
    }

    /// Moves, and the matrix they came with: one move, or a whole game.
    fn go(&mut self, area: Option<Matrix>, go: &Value) -> Result<(), String> {
        let area = area.or_else(|| self.waiting.take());
        let parts = go.list().ok_or("`go` is no list")?;
        let Some(moves) = parts.iter().map(Value::list).collect::<Option<Vec<_>>>() else {
            return self.step(area, parts);
        };
        self.close();
        let mut game = self.begin(area, moves.first().and_then(|m| m.first()))?;
        moves.into_iter().for_each(|numbers| self.play(&mut game, numbers));
        self.running = Some(game);
        self.close();
        Ok(())
    }

    /// A game that is passed move by move: the one that continues at this matrix.
    fn step(&mut self, area: Option<Matrix>, numbers: &[Value]) -> Result<(), String> {
        let mut running = match (self.running.take(), area) {
            (Some(running), None) => running,
            (running, area) => {
                let position = area.map(|area| position_of(&area, self.turn(&area, numbers.first())));
                let known = running.as_ref().zip(position.as_ref().and_then(|p| p.as_ref().ok()));
                let ply = known.and_then(|(running, position)| running.recorder.ply_of(position));
                // The start position again is far more often the next game than a first move withdrawn.
                let played = running.as_ref().map_or(0, |running| running.recorder.ply());
                let ply = ply.filter(|&ply| ply > 0 || played == 0);
                match (running, ply) {
                    (Some(mut running), Some(ply)) => {
                        if ply < running.recorder.ply() {
                            running.recorder.take_back(ply);
                            let back =
                                running.recorder.record(GameEvent::Takeback(Takeback { ply, reason: None }));
                            self.items.push(back.into());
                        }
                        running.broken = false;
                        running
                    }
                    (running, _) => {
                        self.running = running;
                        self.close();
                        self.begin(area, numbers.first())?
                    }
                }
            }
        };
        self.play(&mut running, numbers);
        self.running = Some(running);
        Ok(())
    }

    /// Ends the game that was passed move by move.
    fn close(&mut self) {
        if let Some(running) = self.running.take() {
            let end = running.recorder.end(None, EndReason::InputEnd, false);
            self.items.push(end.into());
        }
    }

    fn begin(&mut self, area: Option<Matrix>, first: Option<&Value>) -> Result<Running, String> {
        self.games += 1;
        let position = match area {
            None => Position::start(),
            Some(area) => position_of(&area, self.turn(&area, first))
                .map_err(|e| format!("game {}, area_monitor: {e}", self.games))?,
        };
        let (recorder, record) = GameRecorder::begin(self.games, position, Tags::default(), None);
        self.items.push(record.into());
        Ok(Running { recorder, broken: false })
    }

    /// The side to move: only the first number shows it.
    fn turn(&self, area: &Matrix, first: Option<&Value>) -> Colour {
        let Some(number) = first.and_then(|first| read_number(first).ok()) else { return Colour::White };
        let field = number.square.field() as usize;
        match area[field / 8][field % 8] {
            1 | 11 if self.lenient => Colour::White,
            2 | 12 if self.lenient => Colour::Black,
            _ => number.piece.colour,
        }
    }

    /// Plays one move and records it, or why it cannot be.
    fn play(&mut self, Running { recorder, broken }: &mut Running, numbers: &[Value]) {
        if *broken {
            return;
        }
        let ply = recorder.ply();
        let name = format!("game {}, move {}", self.games, ply + 1);
        let mut mended = Vec::new();
        match read_move(recorder.position(), numbers, self.lenient.then_some(&mut mended)) {
            Ok(m) => {
                let notes = mended.into_iter().map(|note| ReadItem::Note(format!("{name}, {note}")));
                self.items.extend(notes);
                let event = GameEvent::Move(Box::new(recorder.play(&m)));
                self.items.push(recorder.record(event).into());
            }
            Err((kind, problem)) => {
                let source = Some(self.source.clone());
                let anomaly =
                    Anomaly { source, ..Anomaly::new(ply, kind, format!("move {}, {problem}", ply + 1)) };
                self.items.push(recorder.record(GameEvent::Anomaly(anomaly)).into());
                let problem = format!("{name}, {problem}; it and what follows is left out");
                self.items.push(ReadItem::Bad(problem));
                *broken = true;
            }
        }
    }
}

/// Eight rows of eight numbers can be nothing else: a move has two numbers or an odd count.
fn is_matrix(value: &Value) -> bool {
    let is_row = |row| eight(row).is_some_and(|cells| cells.iter().all(|cell| cell.list().is_none()));
    eight(value).is_some_and(|rows| rows.iter().all(is_row))
}

/// The values of a list of eight.
fn eight(value: &Value) -> Option<&[Value; 8]> {
    value.list()?.try_into().ok()
}

fn read_matrix(value: &Value) -> Result<Matrix, String> {
    const SHAPE: &str = "area_monitor is not eight rows of eight numbers";
    let mut matrix = [[0; 8]; 8];
    for (y, row) in eight(value).ok_or(SHAPE)?.iter().enumerate() {
        for (x, cell) in eight(row).ok_or(SHAPE)?.iter().enumerate() {
            let Value::Word(text) = cell else { return Err(SHAPE.into()) };
            matrix[y][x] = match text.parse() {
                Ok(code @ (0 | 1 | 2 | 9 | 11 | 12)) => code,
                _ => return Err(format!("area_monitor[{y}][{x}] is `{text}`, not 0, 1, 2, 9, 11 or 12")),
            };
        }
    }
    Ok(matrix)
}

fn position_of(area: &Matrix, turn: Colour) -> Result<Position, String> {
    let mut pieces = Vec::new();
    for field in 0..64 {
        let (y, x) = (field as usize / 8, field as usize % 8);
        let (square, code) = (Square::from_field(field), area[y][x]);
        match (square, code) {
            (None, 9) | (Some(_), 0) => {}
            (Some(square), 1 | 2 | 11 | 12) => {
                let colour = if code % 10 == 1 { Colour::White } else { Colour::Black };
                pieces.push((square, Piece { colour, king: code > 10 }));
            }
            (None, _) => return Err(format!("[{y}][{x}] is {code} on a light square, which is always 9")),
            (Some(_), _) => return Err(format!("[{y}][{x}] is {code} on a dark square, which is never 9")),
        }
    }
    let position = Position::new(pieces, turn).map_err(|e| e.to_string())?;
    debug_assert_eq!(matrix(&position), *area);
    Ok(position)
}

/// Takes a number apart; none of the 256 valid numbers is refused.
fn read_number(value: &Value) -> Result<Number<'_>, String> {
    let Value::Word(text) = value else { return Err("a list is no number".into()) };
    let wrong = |why: &str| format!("`{text}` {why}");
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong("is no number"));
    }
    let digits = text.trim_start_matches('0');
    if digits.len() > 5 {
        return Err(wrong("has more than five digits"));
    }
    let padded = format!("{digits:0>5}");
    let [a, b, c, y, x] = std::array::from_fn(|n| padded.as_bytes()[n] - b'0');
    if a > 1 {
        return Err(wrong("begins with neither 0 (mover) nor 1 (captured)"));
    }
    if b > 1 {
        return Err(wrong("has neither 0 (man) nor 1 (king) for its second digit of five"));
    }
    let colour = match c {
        1 => Colour::White,
        2 => Colour::Black,
        _ => return Err(wrong("has neither 1 (white) nor 2 (black) for its third digit of five")),
    };
    if y > 7 || x > 7 {
        return Err(wrong("names a square off the board"));
    }
    let square = Square::from_field(y * 8 + x).ok_or_else(|| wrong("names a light square"))?;
    Ok(Number { text, captured: a == 1, piece: Piece { colour, king: b == 1 }, square })
}

type Refused = (AnomalyKind, String);

/// Reads a move; with `mended` pieces are taken from the board where a number has another, and noted there.
fn read_move(
    position: &Position,
    values: &[Value],
    mut mended: Option<&mut Vec<String>>,
) -> Result<Move, Refused> {
    let unreadable = |problem: String| (AnomalyKind::Unreadable, problem);
    let illegal = |problem: String| (AnomalyKind::Illegal, problem);
    let count = values.len();
    if count != 2 && (count < 3 || count.is_multiple_of(2)) {
        let problem = format!("{count} numbers: a move has two, a capture an odd count from three");
        return Err(unreadable(problem));
    }
    let mut over: Vec<Square> = Vec::new();
    let mut captured: Vec<Square> = Vec::new();
    let mut king = false;
    for (n, value) in values.iter().enumerate() {
        let at = |problem: String| format!("number {}: {problem}", n + 1);
        let number = read_number(value).map_err(|e| unreadable(at(e)))?;
        let square = number.square;
        let victim = count > 2 && n % 2 == 1;
        if number.captured != victim {
            let is = if victim { "a captured piece, which begins with 1" } else { "the mover" };
            return Err(unreadable(at(format!("{} is not {is}", number.text))));
        }
        // The piece that should be there: the one on the board, or the mover in its present state.
        let stands = if n == 0 || victim {
            position.get(square).ok_or_else(|| illegal(at(format!("{square} is empty"))))?
        } else {
            king |= crowns(position.turn(), square);
            Piece { colour: position.turn(), king }
        };
        if n == 0 {
            king = stands.king;
        }
        if number.piece != stands {
            let says = format!("{} is {} on {square}", number.text, name(number.piece));
            let Some(notes) = &mut mended else {
                return Err(unreadable(at(format!("{says}, where {} is", name(stands)))));
            };
            notes.push(at(format!("{says}, mended to {}", name(stands))));
        }
        let turn = position.turn();
        if n == 0 && stands.colour != turn {
            return Err(illegal(at(format!("it is {turn}'s turn"))));
        }
        if victim {
            if stands.colour == turn {
                return Err(illegal(at(format!("{turn}'s own piece on {square} is captured"))));
            }
            if captured.contains(&square) {
                return Err(illegal(at(format!("the piece on {square} is captured twice"))));
            }
            captured.push(square);
            continue;
        }
        if let (Some(from), Some(taken)) = (over.last(), captured.last())
            && !between(*from, *taken, square)
        {
            return Err(unreadable(at(format!("{taken} does not lie between {from} and {square}"))));
        }
        over.push(square);
    }
    let found = position.find(&over).map_err(|e| illegal(e.to_string()))?;
    let m = found.m;
    if !m.path().eq(over.iter().copied()) || !m.captured().eq(captured.iter().copied()) {
        return Err(illegal(format!("the legal move is {m}, with these landings")));
    }
    Ok(m)
}

/// Whether three squares lie in this order on a diagonal.
fn between(from: Square, middle: Square, to: Square) -> bool {
    let place = |square: Square| (i32::from(square.field()) / 8, i32::from(square.field()) % 8);
    let away = |a: Square, b: Square| (place(b).0 - place(a).0, place(b).1 - place(a).1);
    let ((y1, x1), (y2, x2)) = (away(from, middle), away(middle, to));
    y1.abs() == x1.abs() && y2.abs() == x2.abs() && (y1.signum(), x1.signum()) == (y2.signum(), x2.signum())
}

fn name(piece: Piece) -> String {
    format!("a {} {}", piece.colour, if piece.king { "king" } else { "man" })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::numbers, *};

    proptest! {
        #[test]
        fn any_text_is_taken(
            words in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(vec![
                        "[", "]", "(", ")", "{", "}", ",", ":", "=", "156", "145", "223", "\"go\"", "area_monitor",
                        "9,0,9,0,9,0,9,0", "'", "\n", "#", "é",
                    ]).prop_map(String::from),
                    ".{0,4}",
                ],
                0..40,
            )
        ) {
            let mut reader = Reader::new(true);
            words.concat().lines().for_each(|line| drop(reader.line("x:1", line)));
            reader.end();
        }

        /// Random games, played to their ends: what is written is read as the same moves.
        #[test]
        fn written_moves_are_read_back(choices in prop::collection::vec(any::<u16>(), 1..120)) {
            let mut position = Position::start();
            for choice in choices {
                let legal = position.legal_moves();
                for m in &legal {
                    let values: Vec<Value> =
                        numbers(&position, m).iter().map(|n| Value::Word(n.to_string())).collect();
                    prop_assert_eq!(read_move(&position, &values, None), Ok(*m));
                }
                let Some(m) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
                position = position.play(m);
                prop_assert_eq!(position_of(&matrix(&position), position.turn()), Ok(position));
            }
        }
    }
}
