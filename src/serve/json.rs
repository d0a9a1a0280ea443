//! JSON as LiveChess prints it over HTTP: indented, with blanks around the colons. Some programs search for this text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

/// A value as LiveChess prints it.
pub fn indented(value: &impl Serialize) -> Vec<u8> {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Indented::default());
    match value.serialize(&mut serializer) {
        Ok(()) => text,
        Err(_) => b"null".to_vec(),
    }
}

/// A value without any blanks.
pub fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

/// Prints objects with a line for each field, and arrays in one line.
#[derive(Default)]
struct Indented {
    depth: usize,
    has_any: bool,
}

impl Indented {
    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        write!(writer, "\n{:1$}", "", 2 * self.depth)
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"[ ")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let end: &[u8] = if std::mem::replace(&mut self.has_any, true) { b" ]" } else { b"]" };
        writer.write_all(end)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.has_any = false;
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_any = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.has_any = false;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if std::mem::replace(&mut self.has_any, true) {
            self.line(writer)?;
        } else {
            writer.write_all(b" ")?;
        }
        writer.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.line(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.has_any = false;
        writer.write_all(b" : ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_any = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn it_is_printed_as_livechess_prints() {
        let print = |value| String::from_utf8(super::indented(&value)).unwrap();
        assert_eq!(
            print(json!([{"board": "8/8", "clock": null}, {"board": "k7"}])),
            "[ {\n  \"board\" : \"8/8\",\n  \"clock\" : null\n}, {\n  \"board\" : \"k7\"\n} ]"
        );
        assert_eq!(print(json!([])), "[ ]");
        assert_eq!(
            print(json!({"moves": [], "nr": 1, "of": {}})),
            "{\n  \"moves\" : [ ],\n  \"nr\" : 1,\n  \"of\" : { }\n}"
        );
    }
}
