//! A line of a report by its columns, which count from 1 as in FIDE's text.

/// The cells of a line; those that contain only further bytes of a letter are `'\0'`.
pub struct Cells(Vec<char>);

impl Cells {
    /// Each letter in a column of its own.
    pub fn of_letters(line: &str) -> Cells {
        Cells(line.chars().collect())
    }

    /// As counted by a program that pads names by bytes of UTF-8.
    pub fn of_bytes(line: &str) -> Cells {
        let filled = |c: char| std::iter::once(c).chain(std::iter::repeat_n('\0', c.len_utf8() - 1));
        Cells(line.chars().flat_map(filled).collect())
    }

    /// The line with a blank added before a column, or with this many blanks removed there; none where there are not as
    /// many.
    pub fn shifted(line: &str, column: usize, by: isize) -> Option<Cells> {
        let mut cells = Cells::of_letters(line).0;
        let gone = column - 1..column - 1 + by.min(0).unsigned_abs();
        if cells.get(gone.clone())?.iter().any(|cell| *cell != ' ') {
            return None;
        }
        cells.splice(gone, (by > 0).then_some(' '));
        Some(Cells(cells))
    }

    /// Columns `from` to `to`, blanks where the line has ended.
    pub fn columns(&self, from: usize, to: usize) -> String {
        let cells = (from..=to).map(|column| self.0.get(column - 1).copied().unwrap_or(' '));
        cells.filter(|cell| *cell != '\0').collect()
    }

    /// The content of a column, in lower case; a blank beyond the end.
    pub fn at(&self, column: usize) -> char {
        self.0.get(column - 1).copied().unwrap_or(' ').to_ascii_lowercase()
    }

    /// The number right-aligned in columns `from` to `to`; None where they are blank, an error where anything else stands there.
    pub fn number(&self, from: usize, to: usize) -> Result<Option<u32>, ()> {
        match self.columns(from, to).trim_start_matches(' ') {
            "" => Ok(None),
            signed if signed.starts_with('+') => Err(()),
            digits => digits.parse().map(Some).map_err(|_| ()),
        }
    }

    /// The first column with a control character, for example a tab.
    pub fn control(&self) -> Option<usize> {
        self.0.iter().position(|cell| cell.is_control() && *cell != '\0').map(|at| at + 1)
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.0.len()
    }
}
