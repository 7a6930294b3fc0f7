//! Everything that names one file, made to name another: by its path, and by its uid.

use scenewright_text::Edits;

use crate::tree::absolute;
use crate::{Document, FileKind, Moves, Script};

/// A file as others name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// The path from the project root.
    pub path: String,
    /// The uid, where it has one.
    pub uid: Option<String>,
    /// The engine's class, where it is known.
    pub class: Option<String>,
}

/// What has to change in one of Godot's text files, and in how many places. As in the engine, a uid that is known wins over
/// the path beside it: `is_known` tells whether a file has it.
pub fn replace_in_document(
    file: &str,
    document: &Document,
    from: &Named,
    to: &Named,
    is_known: &dyn Fn(&str) -> bool,
) -> (Edits, usize) {
    let mut edits = Edits::default();
    let mut count = 0;
    let (base, full) = (format!("res://{file}"), format!("res://{}", from.path));
    let mut done = Vec::new();
    for found in document.ext_resources() {
        done.push(found.0.span());
        let uid = found.uid().filter(|uid| is_known(uid));
        let is_it = match &uid {
            Some(uid) => Some(&**uid) == from.uid.as_deref(),
            None => absolute(&base, &found.path()) == full,
        };
        if !is_it {
            continue;
        }
        count += 1;
        if let Some(field) = found.0.find_attribute("path") {
            edits.replace(field.value().span(), quoted(&format!("res://{}", to.path)));
        }
        if let Some(field) = found.0.find_attribute("uid") {
            match &to.uid {
                Some(uid) => edits.replace(field.value().span(), quoted(uid)),
                // With the blank before it.
                None => edits.remove(field.span().start - 1..field.span().end),
            }
        }
        if let (Some(field), Some(class)) = (found.0.find_attribute("type"), &to.class)
            && Some(&*found.class()) == from.class.as_deref()
            && to.class != from.class
        {
            edits.replace(field.value().span(), quoted(class));
        }
    }
    let texts = document.texts_with("res://").into_iter().chain(document.texts_with("uid://"));
    for text in texts {
        if done.iter().any(|span| span.contains(&text.span.start)) {
            continue;
        }
        if let Some(new) = instead(&text.text, from, to) {
            edits.replace(text.span, quoted(&new));
            count += 1;
        }
    }
    (edits, count)
}

/// What has to change in a script: texts that are nothing but the path or the uid. Gives the edits,
/// and the lines that name the file in another way.
pub fn replace_in_code(
    file: &str,
    kind: FileKind,
    text: &str,
    from: &Named,
    to: &Named,
) -> (Edits, Vec<(usize, String)>) {
    let mut edits = Edits::default();
    let mut left = Vec::new();
    for found in Moves::file(&from.path, &to.path).in_code(file, kind, text) {
        match (found.instead, found.span) {
            (Some(new), Some(span)) => edits.replace(span, new),
            _ => left.push((found.line, found.text)),
        }
    }
    let by_uid = match kind {
        FileKind::Script => Script::parse(text).literals,
        _ => Vec::new(),
    };
    for literal in by_uid.iter().filter(|one| one.text.starts_with("uid://")) {
        let Some(new) = instead(&literal.text, from, to) else { continue };
        let span = literal.offset + 1..literal.offset + 1 + literal.text.len();
        match text.get(span.clone()) == Some(&*literal.text) {
            true => edits.replace(span, new),
            false => left.push((literal.line, literal.text.clone())),
        }
    }
    (edits, left)
}

/// What a text has to be that is the path or the uid of the file, also with the `*` of an autoload.
fn instead(text: &str, from: &Named, to: &Named) -> Option<String> {
    let (star, plain) = match text.strip_prefix('*') {
        Some(plain) => ("*", plain),
        None => ("", text),
    };
    if plain.starts_with("uid://") {
        let is_it = Some(plain) == from.uid.as_deref();
        let new = to.uid.clone().unwrap_or_else(|| format!("res://{}", to.path));
        return is_it.then(|| format!("{star}{new}"));
    }
    // What is inside of the file is not in the other one.
    Moves::file(&from.path, &to.path).instead(text).filter(|_| !text.contains("::"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", crate::syntax::escape_string(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;

    fn named(path: &str, uid: Option<&str>, class: &str) -> Named {
        Named { path: path.into(), uid: uid.map(Into::into), class: Some(class.into()) }
    }

    fn check(text: &str, to: &Named, expected: &str) {
        let from = named("a.png", Some("uid://aaa"), "Texture2D");
        let document = Document::parse(text, Form::Resource);
        let known = |uid: &str| matches!(uid, "uid://aaa" | "uid://other");
        let (edits, _) = replace_in_document("s/x.tscn", &document, &from, to, &known);
        let after = edits.apply(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(after).unwrap(), expected);
    }

    #[test]
    fn paths_and_uids_become_those_of_the_other() {
        let b = named("b.png", Some("uid://bbb"), "Texture2D");
        let line = |rest: &str| format!("[ext_resource type=\"Texture2D\" {rest} id=\"1\"]\n");
        let old = line("uid=\"uid://aaa\" path=\"res://old_place.png\"");
        check(&old, &b, &line("uid=\"uid://bbb\" path=\"res://b.png\""));
        check(&line("path=\"res://a.png\""), &b, &line("path=\"res://b.png\""));
        check(&line("path=\"../a.png\""), &b, &line("path=\"res://b.png\""));
        // A uid that no file has is passed over, as the engine does.
        let lost = line("uid=\"uid://lost\" path=\"res://a.png\"");
        check(&lost, &b, &line("uid=\"uid://bbb\" path=\"res://b.png\""));
        let other = line("uid=\"uid://other\" path=\"res://a.png\"");
        check(&other, &b, &other);
        let plain = named("b.tres", None, "GradientTexture2D");
        check(
            &line("uid=\"uid://aaa\" path=\"res://a.png\""),
            &plain,
            "[ext_resource type=\"GradientTexture2D\" path=\"res://b.tres\" id=\"1\"]\n",
        );
        let values = "[node name=\"A\"]\nx = [\"res://a.png\", \"uid://aaa\", \"res://a.png.import\", \"a.png\"]\n";
        check(
            values,
            &b,
            "[node name=\"A\"]\nx = [\"res://b.png\", \"uid://bbb\", \"res://a.png.import\", \"a.png\"]\n",
        );
    }

    #[test]
    fn code_is_changed_where_a_text_is_the_path_alone() {
        let (from, to) = (named("a.png", Some("uid://aaa"), "T"), named("b.png", None, "T"));
        let text = "var a = load(\"res://a.png\")\nvar b = preload('uid://aaa')\nvar c = \"see res://a.png!\" # res://a.png\n";
        let (edits, left) = replace_in_code("x.gd", FileKind::Script, text, &from, &to);
        let after = String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            after,
            "var a = load(\"res://b.png\")\nvar b = preload('res://b.png')\nvar c = \"see res://a.png!\" # res://a.png\n"
        );
        assert_eq!(left, [(3, "see res://a.png!".to_owned())]);
    }
}
