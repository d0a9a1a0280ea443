//! Data of each line, by its name: most streams have one line only, and its records come one by one.

use std::{
    collections::HashMap,
    ops::{Index, IndexMut},
    sync::Arc,
};

/// The name of a line; none where its source was given no name.
type Name = Option<Arc<str>>;

/// Data of each line. Lines are numbered in the order of their first records.
#[derive(Debug, Clone)]
pub struct ByLine<T> {
    numbers: HashMap<Name, usize>,
    lines: Vec<(Name, T)>,
    /// The line of the last call, which is usually that of the next one too.
    last: usize,
}

impl<T> Default for ByLine<T> {
    fn default() -> ByLine<T> {
        ByLine { numbers: HashMap::new(), lines: Vec::new(), last: 0 }
    }
}

impl<T> ByLine<T> {
    /// The number of the line with this name, if there is one.
    pub fn find(&mut self, name: &Name) -> Option<usize> {
        if self.lines.get(self.last).is_none_or(|(last, _)| last != name) {
            self.last = *self.numbers.get(name)?;
        }
        Some(self.last)
    }

    /// The number of the line with this name, which is added with `new` data if there is none.
    pub fn number(&mut self, name: &Name, new: impl FnOnce() -> T) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.last = self.lines.len();
            self.numbers.insert(name.clone(), self.last);
            self.lines.push((name.clone(), new()));
            self.last
        })
    }

    /// All lines.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &T)> {
        self.lines.iter().map(|(name, of)| (name, of))
    }
}

impl<T> Index<usize> for ByLine<T> {
    type Output = T;

    fn index(&self, number: usize) -> &T {
        &self.lines[number].1
    }
}

impl<T> IndexMut<usize> for ByLine<T> {
    fn index_mut(&mut self, number: usize) -> &mut T {
        &mut self.lines[number].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_own_data() {
        let mut lines: ByLine<u8> = ByLine::default();
        let names: Vec<Name> = vec![None, Some("a".into()), Some("b".into())];
        assert_eq!(names.iter().map(|name| lines.find(name)).collect::<Vec<_>>(), [None; 3]);
        assert_eq!([1, 0, 2, 1, 1, 0].map(|at| lines.number(&names[at], || at as u8)), [0, 1, 2, 0, 0, 1]);
        assert_eq!([0, 1, 2].map(|number| lines[number]), [1, 0, 2]);
        assert_eq!(lines.find(&Some("c".into())), None);
        assert_eq!(lines.find(&names[2]), Some(2));
    }
}
