//! The text of BARS: JSON and what Python programs print: lists, tuples, assignments, calls, comments, numbers
//! padded with zeros.

/// Deeper lists than these mean nothing; an array of games in an object in a call has five.
const DEEPEST: u32 = 16;

/// A value of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number or a word, quoted or not, as written.
    Word(String),
    /// A list or tuple.
    List(Vec<Value>),
    /// An object.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The values of a list or tuple.
    pub(super) fn list(&self) -> Option<&[Value]> {
        if let Value::List(list) = self { Some(list) } else { None }
    }
}

/// A top-level value, with the name it is given.
pub(super) type Item = (Option<String>, Value);

/// The greatest length of an item, 16 MiB: a bracket that is open for longer was never closed.
const LONGEST: usize = 16 << 20;

/// Collects lines until their brackets are closed. A bracket that was not closed is found by what follows: numbers are
/// no deeper than the first of their item, and no object is within another or after numbers. Text that breaks this rule
/// is the next item.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    /// The brackets that are open, and where in the text.
    open: Vec<(char, usize)>,
    /// How many of these are objects.
    objects: usize,
    /// How many of these were opened last, without text between them.
    run: usize,
    /// The depth of the first number that is in no object.
    numbers: Option<usize>,
}

impl Lines {
    /// Adds one line; returns the items that are complete now, and the problems.
    pub(super) fn take(&mut self, line: &str) -> Vec<Result<Item, String>> {
        let mut found = Vec::new();
        let mut tokens = Tokens(line);
        // Only what was read: otherwise each cut would copy the rest of a long line.
        let mut rest = line;
        while let Some(token) = tokens.next() {
            self.text.push_str(&rest[..rest.len() - tokens.0.len()]);
            rest = tokens.0;
            let in_object = self.objects > 0;
            let run = std::mem::take(&mut self.run);
            match token {
                Token::Open(bracket) => {
                    self.run = run + 1;
                    self.open.push((bracket, self.text.len() - 1));
                    self.objects += usize::from(bracket == '{');
                    if bracket == '{' && (in_object || self.numbers.is_some()) {
                        found.push(Err(self.cut(self.open.len() - 1)));
                    }
                }
                Token::Close(_) => {
                    let closed = self.open.pop();
                    self.objects -= usize::from(closed.is_some_and(|(bracket, _)| bracket == '{'));
                    self.numbers = self.numbers.filter(|_| !self.open.is_empty());
                }
                Token::Bare(word) if !in_object && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    let first = *self.numbers.get_or_insert(self.open.len());
                    if self.open.len() > first && run > 0 {
                        found.push(Err(self.cut(self.open.len() - run)));
                    }
                }
                _ => {}
            }
        }
        self.text.push_str(rest);
        self.text.push('\n');
        if !self.open.is_empty() && self.text.len() > LONGEST {
            found.extend(self.finish().err().map(Err));
        }
        if self.open.is_empty() {
            self.numbers = None;
            match items(&std::mem::take(&mut self.text)) {
                Ok(items) => found.extend(items.into_iter().map(Ok)),
                Err(why) => found.push(Err(why)),
            }
        }
        found
    }

    /// The `nth` open bracket, from 0, begins the next item: a bracket before it was not closed.
    fn cut(&mut self, nth: usize) -> String {
        let at = self.open[nth].1;
        let rest = self.text.split_off(at);
        self.open.drain(..nth);
        self.open.iter_mut().for_each(|(_, place)| *place -= at);
        self.objects = self.open.iter().filter(|(bracket, _)| *bracket == '{').count();
        self.numbers = (self.open[0].0 != '{').then_some(self.open.len());
        unclosed(&std::mem::replace(&mut self.text, rest))
    }

    /// The source has ended; returns the problem when brackets are open.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let Lines { text, open, .. } = std::mem::take(self);
        if open.is_empty() { Ok(()) } else { Err(unclosed(&text)) }
    }
}

fn unclosed(text: &str) -> String {
    format!("`{}`: a bracket is not closed", beginning(text))
}

/// The first characters of a text, for a message.
fn beginning(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let short: String = line.chars().take(40).collect();
    if short.len() < line.len() { short + "…" } else { short }
}

#[derive(Debug, Clone, PartialEq)]
enum Token<'a> {
    Open(char),
    Close(char),
    Comma,
    /// `:` or `=`
    Is,
    Quoted(&'a str),
    Bare(&'a str),
}

/// The tokens of a text; comments (`#` to the end of the line) are left out.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.0 = self.0.trim_start();
            let Some(comment) = self.0.strip_prefix('#') else { break };
            self.0 = comment.find('\n').map_or("", |at| &comment[at..]);
        }
        let first = self.0.chars().next()?;
        let (token, length) = match first {
            '[' | '(' | '{' => (Token::Open(first), 1),
            ']' | ')' | '}' => (Token::Close(first), 1),
            ',' | ';' => (Token::Comma, 1),
            ':' | '=' => (Token::Is, 1),
            '"' | '\'' => {
                let rest = &self.0[1..];
                // No text of BARS needs an escape.
                let end = rest.find([first, '\n']).unwrap_or(rest.len());
                (Token::Quoted(&rest[..end]), (end + 2).min(self.0.len()))
            }
            _ => {
                let end = |c: char| c.is_whitespace() || "[](){},;:=#\"'".contains(c);
                let length = self.0.find(end).unwrap_or(self.0.len());
                (Token::Bare(&self.0[..length]), length)
            }
        };
        self.0 = self.0.get(length..).unwrap_or_default();
        Some(token)
    }
}

/// The values of a text whose brackets are closed, with their names.
fn items(text: &str) -> Result<Vec<Item>, String> {
    let wrong = |problem: &str| format!("`{}`: {problem}", beginning(text));
    let mut tokens = Tokens(text).peekable();
    let mut items = Vec::new();
    let mut name = None;
    while let Some(token) = tokens.next() {
        match token {
            Token::Comma => {}
            Token::Bare(word) | Token::Quoted(word) if tokens.peek() == Some(&Token::Is) => {
                tokens.next();
                name = Some(word.to_owned());
            }
            // A call: its arguments are a tuple.
            Token::Bare(_) if tokens.peek() == Some(&Token::Open('(')) => {}
            token => match value(token, &mut tokens, 0).map_err(|e| wrong(&e))? {
                Value::Word(_) => return Err(wrong("this is not BARS")),
                value => items.push((name.take(), value)),
            },
        }
    }
    Ok(items)
}

/// The value that begins with this token.
fn value<'a>(
    token: Token<'a>,
    tokens: &mut std::iter::Peekable<Tokens<'a>>,
    depth: u32,
) -> Result<Value, String> {
    if depth > DEEPEST {
        return Err("lists in lists without end".into());
    }
    let unexpected = |what: &str| Err(format!("`{what}` is out of place"));
    match token {
        Token::Bare(word) | Token::Quoted(word) => Ok(Value::Word(word.into())),
        Token::Open(open) => {
            let close = match open {
                '[' => ']',
                '(' => ')',
                _ => '}',
            };
            let mut list = Vec::new();
            let mut object = Vec::new();
            loop {
                match tokens.next() {
                    Some(Token::Close(c)) if c == close => break,
                    Some(Token::Close(c)) => return Err(format!("`{open}` is closed by `{c}`")),
                    Some(Token::Comma) => {}
                    Some(Token::Bare(name) | Token::Quoted(name)) if open == '{' => {
                        if tokens.next() != Some(Token::Is) {
                            return unexpected(name);
                        }
                        let token = tokens.next().ok_or("a bracket is not closed")?;
                        object.push((name.to_owned(), value(token, tokens, depth + 1)?));
                    }
                    Some(_) if open == '{' => return unexpected("{"),
                    Some(token) => list.push(value(token, tokens, depth + 1)?),
                    None => return Err("a bracket is not closed".into()),
                }
            }
            Ok(if open == '{' { Value::Object(object) } else { Value::List(list) })
        }
        Token::Close(c) => unexpected(&c.to_string()),
        Token::Comma => unexpected(","),
        Token::Is => unexpected("="),
    }
}
