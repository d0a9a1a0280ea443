//! Which files of a room know each other: no circle of them without its reason.
//!
//! A file knows another when a path in it (`use`, `crate::…`, `super::…`, a name it imported) leads to what that file
//! defines, through whatever re-exports. A file that declares others and re-exports what they have does not know them
//! by that, only by using it. A file that calls a method on `self` knows the file whose `impl` has it.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{self, Token, closing, read, stand};

/// What begins the line of a module's documentation that says why its file is in a circle.
const REASON: &str = "Circle:";

/// The words of a path, by `::`.
type Path = Vec<String>;

/// One file, read.
#[derive(Default)]
struct File {
    name: String,
    source: String,
    code: Vec<Token>,
    /// What it imports: the name here, the path there, whether it passes it on.
    imports: Vec<(String, Path, bool)>,
    /// What it imports all of.
    globs: Vec<Path>,
    /// The paths in its code outside `use`.
    paths: Vec<Path>,
    /// The words in its code outside `use`.
    words: BTreeSet<String>,
    /// The functions that it has in `impl` blocks of a type, which is named by its path.
    methods: Vec<(Path, BTreeSet<String>)>,
    /// The functions called on `self` or `Self`.
    calls: BTreeSet<String>,
}

/// The files of a circle, each with those of it that it knows and how.
type Circle<'a> = BTreeMap<&'a Path, Vec<(&'a Path, String)>>;

/// The files of a project by the module they are, those of tests apart.
struct House(BTreeMap<Path, File>);

fn is_word(token: &Token) -> bool {
    token.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// A path with a word behind it.
fn joined(path: &[String], word: &str) -> Path {
    let mut joined = path.to_vec();
    joined.push(word.to_owned());
    joined
}

/// The path that begins here, and where it ends.
fn path(code: &[Token], mut at: usize) -> (Path, usize) {
    let mut path = vec![code[at].text.clone()];
    at += 1;
    while stand(code, at, &[":", ":"]) && code.get(at + 2).is_some_and(is_word) {
        path.push(code[at + 2].text.clone());
        at += 3;
    }
    (path, at)
}

impl File {
    fn read(name: &str, source: &str, code: Vec<Token>) -> File {
        let mut file = File { name: name.into(), source: source.into(), ..File::default() };
        let mut at = 0;
        while at < code.len() {
            let token = &code[at];
            if *token == "use" {
                // Not `impl Trait + use<'a>`.
                let end = at + code[at..].iter().position(|token| *token == ";").unwrap_or(1);
                let public = at > 0 && (code[at - 1] == "pub" || code[at - 1] == ")");
                file.import(&code[at + 1..end], &[], public);
                at = end;
            } else if *token == "impl" {
                file.implements(&code, at);
            } else if is_word(token) && !(at > 0 && code[at - 1] == ".") {
                let (path, end) = path(&code, at);
                file.words.insert(path[0].clone());
                if path.len() > 1 && path[0] == "Self" {
                    file.calls.insert(path[1].clone());
                } else if path == ["self"] && stand(&code, end, &["."]) {
                    file.calls.extend(code.get(end + 1).map(|called| called.text.clone()));
                } else if path.len() > 1 {
                    file.paths.push(path);
                }
                at = end;
                continue;
            }
            at += 1;
        }
        file.code = code;
        file
    }

    /// A tree of `use`.
    fn import(&mut self, tree: &[Token], before: &[String], public: bool) {
        if tree.is_empty() {
            return; // Behind the last comma of a group.
        }
        let mut path = before.to_vec();
        let mut at = 0;
        while let Some(token) = tree.get(at) {
            if *token == "{" {
                let mut begin = at + 1;
                let mut depth = 0;
                for end in at + 1..tree.len() {
                    match tree[end].text.as_str() {
                        "{" => depth += 1,
                        "}" if depth > 0 => depth -= 1,
                        "," | "}" if depth == 0 => {
                            self.import(&tree[begin..end], &path, public);
                            begin = end + 1;
                        }
                        _ => {}
                    }
                }
                return;
            } else if *token == "*" {
                self.globs.push(path);
                return;
            } else if *token == "as" {
                self.imports.push((tree[at + 1].text.clone(), path, public));
                return;
            } else if is_word(token) && (*token != "self" || path.is_empty()) {
                path.push(token.text.clone());
            }
            at += 1;
        }
        if let Some(name) = path.last().cloned() {
            self.imports.push((name, path, public));
        }
    }

    /// An `impl` block that is of a type, not of a trait for one.
    fn implements(&mut self, code: &[Token], at: usize) {
        let mut begin = at + 1;
        if code[begin] == "<" {
            let mut depth = 0;
            begin += code[begin..]
                .iter()
                .position(|token| {
                    depth += i32::from(*token == "<") - i32::from(*token == ">");
                    depth == 0
                })
                .unwrap_or(0)
                + 1;
        }
        let Some(open) = code[begin..].iter().position(|token| *token == "{").map(|n| begin + n) else {
            return;
        };
        if !is_word(&code[begin]) || code[begin..open].iter().any(|token| *token == "for" || *token == ";") {
            return;
        }
        let block = &code[open..=closing(code, open)];
        let functions = block.windows(2).filter(|w| w[0] == "fn").map(|w| w[1].text.clone()).collect();
        self.methods.push((path(code, begin).0, functions));
    }
}

impl House {
    /// Reads files: module, name, source.
    fn read(files: &[(Path, String, String)]) -> House {
        let mut house = BTreeMap::new();
        let mut for_tests = Vec::new();
        for (module, name, source) in files {
            let (code, tests) = source::code(source::tokens(source));
            for_tests.extend(tests.iter().map(|test| joined(module, test)));
            house.insert(module.clone(), File::read(name, source, code));
        }
        house.retain(|module, _| !for_tests.iter().any(|test| module.starts_with(test)));
        House(house)
    }

    /// The module in which a path leads to something, the path being written in `from`; none outside the project.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<Path> {
        let file = self.0.get(from)?;
        let (mut at, mut rest) = (from.to_vec(), path);
        let first = rest.first()?;
        if first == "crate" {
            (at, rest) = (Vec::new(), &rest[1..]);
        } else if first == "self" {
            rest = &rest[1..];
        } else if first == "super" {
            while rest.first().is_some_and(|word| word == "super") {
                at.pop();
                rest = &rest[1..];
            }
        } else if !self.0.contains_key(&joined(&at, first)) {
            let (_, target, _) = file.imports.iter().find(|(name, ..)| name == first)?;
            if target.first() == Some(first) || depth == 0 {
                return None; // A crate's name.
            }
            return self.resolve(from, &[target, &rest[1..]].concat(), depth - 1);
        }
        while let Some((word, after)) = rest.split_first() {
            let below = joined(&at, word);
            if !self.0.contains_key(&below) {
                break;
            }
            (at, rest) = (below, after);
        }
        // Passed on from elsewhere?
        let (Some(item), true) = (rest.first(), depth > 0) else { return Some(at) };
        let there = self.0.get(&at)?;
        if at != from
            && let Some((_, target, _)) = there.imports.iter().find(|(name, ..)| name == item)
            && let Some(found) = self.resolve(&at, target, depth - 1)
        {
            return Some(found);
        }
        for glob in &there.globs {
            if let Some(found) = self.resolve(&at, &joined(glob, item), depth - 1)
                && self.defines(&found, item)
            {
                return Some(found);
            }
        }
        Some(at)
    }

    fn defines(&self, module: &[String], item: &str) -> bool {
        const KINDS: [&str; 9] = ["struct", "enum", "fn", "const", "static", "trait", "type", "union", "mod"];
        self.0.get(module).is_some_and(|file| {
            file.code.windows(2).any(|w| w[1].text == item && KINDS.contains(&w[0].text.as_str()))
        })
    }

    /// The files that a file knows, each with how.
    fn known(&self, module: &Path, file: &File) -> BTreeMap<Path, String> {
        const THROUGH: usize = 8;
        let mut known = BTreeMap::new();
        let mut knows = |path: &Path, target: Option<Path>| {
            if let Some(target) = target.filter(|target| target != module) {
                known.entry(target).or_insert_with(|| path.join("::"));
            }
        };
        for (name, path, public) in &file.imports {
            let target = self.resolve(module, path, THROUGH);
            let own = target.as_ref().is_some_and(|target| target.starts_with(module));
            if !(*public && own) || file.words.contains(name) {
                knows(path, target);
            }
        }
        for path in &file.paths {
            knows(path, self.resolve(module, path, THROUGH));
        }
        for path in &file.globs {
            let target = self.resolve(module, path, THROUGH);
            if !target.as_ref().is_some_and(|target| target.starts_with(module)) {
                knows(path, target);
            }
        }
        // The methods that others have in blocks of a type that is defined here, or has a block here as well.
        let types = |module: &Path, file: &File| -> BTreeSet<(Path, String)> {
            let of = |path: &Path| {
                let home = self.resolve(module, path, THROUGH).unwrap_or_else(|| module.clone());
                (home, path.last().cloned().unwrap_or_default())
            };
            file.methods.iter().map(|(path, _)| of(path)).collect()
        };
        let mine: BTreeSet<&String> = file.methods.iter().flat_map(|(_, functions)| functions).collect();
        for (other, there) in
            self.0.iter().filter(|(other, _)| *other != module && other.first() == module.first())
        {
            let shared = types(other, there).intersection(&types(module, file)).next().is_some();
            if !shared {
                continue;
            }
            let mut theirs = there.methods.iter().flat_map(|(_, functions)| functions);
            if let Some(called) = theirs.find(|f| file.calls.contains(*f) && !mine.contains(f)) {
                knows(&vec!["self".into(), called.clone()], Some(other.clone()));
            }
        }
        known
    }

    /// The circles of each room.
    fn circles(&self) -> Vec<Circle<'_>> {
        let room = |module: &Path| module.first().cloned();
        let mut edges: Circle<'_> = BTreeMap::new();
        for (module, file) in self.0.iter().filter(|(module, _)| !module.is_empty()) {
            let known = self.known(module, file).into_iter();
            let known = known.filter(|(target, _)| room(target) == room(module));
            edges.insert(
                module,
                known.filter_map(|(target, how)| Some((self.0.get_key_value(&target)?.0, how))).collect(),
            );
        }
        let reached = |from: &Path| {
            let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(module) = next.pop() {
                for (target, _) in edges.get(module).into_iter().flatten() {
                    if reached.insert(*target) {
                        next.push(target);
                    }
                }
            }
            reached
        };
        let reached: BTreeMap<&Path, BTreeSet<&Path>> = edges.keys().map(|m| (*m, reached(m))).collect();
        let mut circles: BTreeMap<&Path, Circle<'_>> = BTreeMap::new();
        for (module, targets) in &edges {
            let circle = |other: &Path| reached[module].contains(other) && reached[other].contains(module);
            let Some(first) = edges.keys().find(|other| circle(other)) else { continue };
            let inside = targets.iter().filter(|(target, _)| circle(target)).cloned().collect();
            circles.entry(first).or_default().insert(module, inside);
        }
        circles.into_values().collect()
    }
}

/// Whether a file's documentation says why it is in a circle.
fn has_reason(source: &str) -> bool {
    let doc = source.lines().take_while(|line| line.starts_with("//!"));
    doc.filter_map(|line| line[3..].trim().strip_prefix(REASON))
        .any(|reason| reason.split_whitespace().count() >= 3)
}

/// The circles of files given as module and source, in words: `room::a > room::b` for each that knows another.
fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<(Path, String, String)> = files
        .iter()
        .map(|(module, source)| {
            (module.split("::").map(str::to_owned).collect(), module.to_string(), source.to_string())
        })
        .collect();
    let house = House::read(&files);
    let circles = house.circles().into_iter().flatten();
    circles
        .flat_map(|(from, to)| {
            to.into_iter().map(move |(to, _)| format!("{} > {}", from.join("::"), to.join("::")))
        })
        .collect()
}

#[test]
fn files_using_each_other_are_circles() {
    let both = ["r::a > r::b", "r::b > r::a"];
    for a in [
        "use super::b::B;",
        "use crate::{other::X, r::{self, b::{C, B as D}}};",
        "fn f() -> super::b::B { todo() }",
        "use super::b; fn f() { b::g(1) }",
        "fn f() { vec![crate::r::b::g(\"x\")] }",
        "use super::B;",
        "use super::{\n    b::B,\n};",
        "impl super::b::B { fn f(&self) {} }",
    ] {
        let room = "mod a; mod b; pub use b::B;";
        let circles = circles_of(&[("r", room), ("r::a", a), ("r::b", "use super::a::A; pub struct B;")]);
        assert_eq!(circles, both, "{a}");
    }
}

#[test]
fn long_circles_are_found_without_mere_readers_of_them() {
    let files = [
        ("r", "mod a; mod b; mod c; mod d; mod e;"),
        ("r::a", "use super::b::B;"),
        ("r::b", "use super::c::C;"),
        ("r::c", "use super::{a::A, e::E};"),
        ("r::d", "use super::a::A;"),
        ("r::e", "use std::fmt; use crate::s::S;"),
        ("s", "use crate::r::a::A;"),
    ];
    assert_eq!(circles_of(&files), ["r::a > r::b", "r::b > r::c", "r::c > r::a"]);
}

#[test]
fn import_groups_do_not_import_the_module_before() {
    let files =
        [("r", "mod a; mod b; fn f() { a::g() }"), ("r::a", "use super::{\n    b::B,\n};"), ("r::b", "")];
    assert_eq!(circles_of(&files), [""; 0]);
}

#[test]
fn modules_reach_children_through_their_items() {
    let child = ("r::a", "use super::Options; pub struct A;");
    let with = |parent: &str| circles_of(&[("r", parent), child]);
    assert_eq!(with("mod a; pub use a::A; pub struct Options;"), [""; 0]);
    let circle = ["r > r::a", "r::a > r"];
    assert_eq!(with("mod a; pub use a::A; pub struct Options; fn f(a: A) {}"), circle);
    assert_eq!(with("mod a; pub struct Options; fn f(a: a::A) {}"), circle);
    assert_eq!(with("mod a; use a::A; pub struct Options;"), circle);
}

#[test]
fn methods_of_one_type_connect_their_files() {
    let child = ("r::a", "use super::Game; impl<'a, T: Into<u8>> Game<'a, T> { pub fn end(&mut self) {} }");
    let with = |call: &str| {
        circles_of(&[("r", &format!("mod a; struct Game; impl Game {{ fn f(&self) {{ {call} }} }}")), child])
    };
    assert_eq!(with("self.end()"), ["r > r::a", "r::a > r"]);
    assert_eq!(with("Self::end(self)"), ["r > r::a", "r::a > r"]);
    assert_eq!(with("self.begin()"), [""; 0]);
}

#[test]
fn tests_may_use_any_room() {
    let files = [
        ("r", "mod a; #[cfg(test)] mod tests;"),
        ("r::a", "#[cfg(test)] mod tests { use super::super::tests::X; }"),
        ("r::tests", "use super::a::A; mod deep;"),
        ("r::tests::deep", "use super::X;"),
    ];
    assert_eq!(circles_of(&files), [""; 0]);
}

#[test]
fn reasons_of_circles_are_in_the_file_docs() {
    assert!(has_reason(
        "//! What it is for.\n//!\n//! Circle: a board and its line make each other.\n\nuse x;"
    ));
    assert!(!has_reason("//! Circle:\n"));
    assert!(!has_reason("//! What it is for.\n\n//! Circle: not in the documentation above."));
    assert!(!has_reason("//! No circle: said in passing only."));
}

#[test]
fn room_files_have_no_circles_without_a_reason() {
    let files: Vec<(Path, String, String)> = source::rust_files("src")
        .iter()
        .map(|path| (source::module(path), source::name(path), read(path)))
        .collect();
    let house = House::read(&files);
    let circles = house.circles();
    let in_circles: BTreeSet<&str> =
        circles.iter().flat_map(|circle| circle.keys().map(|module| &*house.0[*module].name)).collect();
    let mut wrong = Vec::new();
    for circle in &circles {
        for (module, known) in circle {
            let file = &house.0[*module];
            if has_reason(&file.source) {
                continue;
            }
            let known: Vec<String> =
                known.iter().map(|(other, how)| format!("{} by `{how}`", house.0[*other].name)).collect();
            wrong.push(format!("{} knows {}", file.name, known.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "files in a circle: part them, or say why (`//! {REASON} …`): {wrong:#?}");
    for file in house.0.values() {
        assert!(
            in_circles.contains(&*file.name) || !has_reason(&file.source),
            "{}: no circle now",
            file.name
        );
    }
}
