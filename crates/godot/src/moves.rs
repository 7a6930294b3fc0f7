//! Files that go to other places, and the texts that name them.

use std::collections::BTreeMap;
use std::ops::Range;

use scenewright_text::Edits;

use crate::tree::{absolute, simplified};
use crate::{Document, FileKind, Script};

/// Which files go where, by paths from the project root.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    files: BTreeMap<String, String>,
    folder: Option<(String, String)>,
}

/// A text in code that names a file which moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeMention {
    /// The line, from 1.
    pub line: usize,
    /// The text as it stands there.
    pub text: String,
    /// What it has to be, when it is nothing but a path.
    pub instead: Option<String>,
    /// Where the text stands, without its quotes; nothing when it is written in an unusual way.
    pub span: Option<Range<usize>>,
    /// It is the end of the file's path and no path by itself, so that code may put it together with
    /// a folder, or mean something else.
    pub is_name: bool,
}

impl Moves {
    /// One file that moves.
    pub fn file(from: &str, to: &str) -> Moves {
        let mut moves = Moves::default();
        moves.add(from, to);
        moves
    }

    /// A folder that moves; its files are added one by one.
    pub fn folder(from: &str, to: &str) -> Moves {
        Moves { folder: Some((from.into(), to.into())), ..Moves::default() }
    }

    /// Adds a file.
    pub fn add(&mut self, from: &str, to: &str) {
        self.files.insert(from.into(), to.into());
    }

    /// All files, by where they are now.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.files.iter().map(|(from, to)| (&**from, &**to))
    }

    /// Where a file goes, if it moves.
    pub fn to(&self, file: &str) -> Option<&str> {
        self.files.get(file).map(String::as_str)
    }

    /// The name of the folder that moves, without those above it.
    pub fn folder_name(&self) -> Option<&str> {
        let (from, _) = self.folder.as_ref()?;
        from.rsplit('/').next()
    }

    /// What a text has to be that is the path of something which moves: `res://a.gd`, the
    /// `*res://a.gd` of an autoload, `res://a.tscn::1` for something inside of a file.
    pub fn instead(&self, text: &str) -> Option<String> {
        let (star, path) = match text.strip_prefix('*') {
            Some(path) => ("*", path),
            None => ("", text),
        };
        let path = simplified(path);
        let local = path.strip_prefix("res://")?;
        let (file, inner) = local.split_at(local.find("::").unwrap_or(local.len()));
        if let Some(to) = self.files.get(file) {
            return Some(format!("{star}res://{to}{inner}"));
        }
        let (from, to) = self.folder.as_ref()?;
        let end = local.strip_prefix(&**from).filter(|end| matches!(*end, "" | "/"))?;
        Some(format!("{star}res://{to}{end}"))
    }

    /// What has to change in one of Godot's text files, which may itself be one that moves.
    pub fn edits(&self, file: &str, document: &Document) -> Edits {
        let mut edits = Edits::default();
        let base = format!("res://{file}");
        for found in document.ext_resources() {
            let Some(field) = found.0.find_attribute("path") else { continue };
            let path = found.path();
            if path.contains("://") {
                continue;
            }
            // A path from the file's own folder is wrong as soon as one of both moves.
            let full = absolute(&base, &path);
            let instead = self.instead(&full);
            if instead.is_some() || self.files.contains_key(file) {
                edits.replace(field.value().span(), quoted(&instead.unwrap_or(full)));
            }
        }
        for found in document.texts_with("res://") {
            if let Some(instead) = self.instead(&found.text) {
                edits.replace(found.span, quoted(&instead));
            }
        }
        edits
    }

    /// The texts in code that name what moves, in file order.
    pub fn in_code(&self, file: &str, kind: FileKind, text: &str) -> Vec<CodeMention> {
        let base = format!("res://{file}");
        let found = match kind {
            FileKind::Script => script_texts(text),
            _ => plain_texts(text),
        };
        let mut mentions = Vec::new();
        for found in found {
            let path = match found.is_load && !found.text.contains("://") {
                true => absolute(&base, &found.text),
                false => found.text.clone(),
            };
            let is_relative = path != found.text;
            let moved = self.instead(&path);
            let breaks = is_relative && self.files.contains_key(file);
            let instead = moved.or_else(|| breaks.then_some(path));
            let is_name = instead.is_none() && self.is_name(&found.text);
            if instead.is_some() || is_name || self.is_inside(&found.text) {
                let exact = text.get(found.span.clone()) == Some(&*found.text);
                let span = Some(found.span).filter(|_| exact && instead.is_some());
                let Found { line, text, .. } = found;
                mentions.push(CodeMention { line, text, instead, span, is_name });
            }
        }
        mentions
    }

    /// Whether a text is the end of the path of a file that moves: its name, alone or with folders.
    /// Files of a folder that moves keep their names.
    pub fn is_name(&self, text: &str) -> bool {
        let is_end = |path: &str| {
            let before = path.strip_suffix(text);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let name = text.rsplit('/').next().unwrap_or_default();
        self.folder.is_none() && name.contains('.') && self.files.keys().any(|path| is_end(path))
    }

    /// True when a longer text holds a path that moves, or the folder that does.
    fn is_inside(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some(at) = rest.find("res://") {
            rest = &rest[at + 6..];
            let starts = |path: &str| {
                let end = rest.strip_prefix(path);
                end.is_some_and(|end| !end.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            };
            let folder = self.folder.as_ref().is_some_and(|(from, _)| starts(from));
            if folder || self.files.keys().any(|from| starts(from)) {
                return true;
            }
        }
        false
    }
}

/// A text in code.
struct Found {
    text: String,
    /// Without its quotes.
    span: Range<usize>,
    line: usize,
    /// True when the code loads what it names.
    is_load: bool,
}

fn script_texts(text: &str) -> Vec<Found> {
    let script = Script::parse(text);
    // What a script extends is loaded as well; only its first text can be that.
    let base = script.literals.iter().find(|literal| Some(&literal.text) == script.base.as_ref());
    let base = base.map(|literal| literal.offset);
    let found = script.literals.into_iter().map(|literal| Found {
        span: literal.offset + 1..literal.offset + 1 + literal.text.len(),
        line: literal.line,
        is_load: literal.is_loaded || Some(literal.offset) == base,
        text: literal.text,
    });
    found.filter(|found| !found.text.is_empty()).collect()
}

/// Quoted texts on one line, as in C# and shaders.
fn plain_texts(text: &str) -> Vec<Found> {
    let mut list = Vec::new();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_include = line.trim_start().starts_with("#include");
        let mut rest = line;
        while let Some((_, after)) = rest.split_once('"') {
            let Some((inner, more)) = after.split_once('"') else { break };
            let at = start + line.len() - after.len();
            list.push(Found {
                text: inner.to_owned(),
                span: at..at + inner.len(),
                line: number + 1,
                is_load: is_include,
            });
            rest = more;
        }
        start += line.len();
    }
    list.retain(|found| !found.text.is_empty());
    list
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", crate::syntax::escape_string(text))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::Form;

    #[test]
    fn knows_every_way_to_name_a_file() {
        let mut moves = Moves::folder("old", "new/place");
        moves.add("old/a.gd", "new/place/a.gd");
        let check = |text: &str| moves.instead(text).unwrap_or_default();
        assert_eq!(check("res://old/a.gd"), "res://new/place/a.gd");
        assert_eq!(check("*res://old/a.gd"), "*res://new/place/a.gd");
        assert_eq!(check("res://old/a.gd::3"), "res://new/place/a.gd::3");
        assert_eq!(check("res://old/"), "res://new/place/");
        assert_eq!(check("res://old"), "res://new/place");
        for text in ["res://old/b.gd", "res://older", "old/a.gd", "uid://abc", "res://old/a.gdx"] {
            assert_eq!(check(text), "", "{text}");
        }
    }

    fn rewrite(moves: &Moves, file: &str, text: &str) -> String {
        let form = Form::of_path(file.as_ref()).unwrap();
        let document = Document::parse(text, form);
        String::from_utf8(moves.edits(file, &document).apply(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn rewrites_text_files() {
        let moves = Moves::file("a.gd", "b/c.gd");
        assert_eq!(
            rewrite(
                &moves,
                "x/y.tscn",
                "[ext_resource path=\"../a.gd\" id=\"1\"]\n[node name=\"N\"]\nv = [&\"res://a.gd\", Resource(\"res://a.gd\")]\nw = \"see res://a.gd\"\n"
            ),
            "[ext_resource path=\"res://b/c.gd\" id=\"1\"]\n[node name=\"N\"]\nv = [&\"res://b/c.gd\", Resource(\"res://b/c.gd\")]\nw = \"see res://a.gd\"\n"
        );
        assert_eq!(
            rewrite(&moves, "project.godot", "[autoload]\r\n\r\nA=\"*res://a.gd\" ; keep\r\n"),
            "[autoload]\r\n\r\nA=\"*res://b/c.gd\" ; keep\r\n"
        );
    }

    #[test]
    fn a_file_that_moves_keeps_what_it_names() {
        let moves = Moves::file("x/y.tres", "z/y.tres");
        assert_eq!(
            rewrite(&moves, "x/y.tres", "[ext_resource path=\"a.gd\" id=\"1\"]\n"),
            "[ext_resource path=\"res://x/a.gd\" id=\"1\"]\n"
        );
    }

    #[test]
    fn finds_texts_in_code() {
        let moves = Moves::file("x/a.gd", "b.gd");
        let text = "extends \"a.gd\"\nvar p = preload('res://x/a.gd') # res://x/a.gd\nvar q = \"\"\"res://x/a.gd\"\"\"\nvar r = \"see res://x/a.gd.\"\nvar s = \"a.gd\"\nvar t = \"x/a.gd\" + \"ba.gd\" + \"gd\"\n";
        let shown: String = moves
            .in_code("x/k.gd", FileKind::Script, text)
            .iter()
            .map(|found| {
                let there = found.span.clone().map(|span| &text[span]);
                let name = if found.is_name { " may mean it" } else { "" };
                format!("{} {:?} {:?} {there:?}{name}\n", found.line, found.text, found.instead)
            })
            .collect();
        expect![[r#"
            1 "a.gd" Some("res://b.gd") Some("a.gd")
            2 "res://x/a.gd" Some("res://b.gd") Some("res://x/a.gd")
            3 "res://x/a.gd" Some("res://b.gd") None
            4 "see res://x/a.gd." None None
            5 "a.gd" None None may mean it
            6 "x/a.gd" None None may mean it
        "#]]
        .assert_eq(&shown);
        let shader = "shader_type spatial;\n#include \"a.gd\"\n";
        let found = moves.in_code("x/s.gdshader", FileKind::Shader, shader);
        assert_eq!(found[0].instead.as_deref(), Some("res://b.gd"));
        assert_eq!(found[0].span.clone().map(|span| &shader[span]), Some("a.gd"));
    }
}
