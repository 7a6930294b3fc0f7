//! Whatever a file holds, it comes back as it was, and nothing panics, hangs or overflows.

use std::time::Instant;

use expect_test::expect;

use super::tests::RENDERER;
use super::*;

/// Calls everything on every value; values nest no deeper than the bound, so this may recurse.
fn visit(value: Value<'_>, bytes: &[u8]) -> usize {
    assert_eq!(&bytes[value.span()], value.raw_bytes());
    let _ = (value.key(), value.key_span(), value.text(), value.style(), value.is_empty());
    let _ = (value.as_i64(), value.as_u64(), value.as_f64(), value.as_bool(), value.as_guid());
    let _ = (value.as_reference(), value.get("a.Array.data[0].b"));
    let children = value.fields().map(|(_, value)| value).chain(value.items());
    let visit_child = |child: Value<'_>| {
        let (inner, outer) = (child.span(), value.span());
        assert!(outer.start <= inner.start && inner.end <= outer.end, "{inner:?} in {outer:?}");
        visit(child, bytes)
    };
    1 + children.map(visit_child).sum::<usize>()
}

fn visit_all(bytes: &[u8]) -> usize {
    let document = Document::parse(bytes);
    assert_eq!(document.to_bytes(), bytes);
    let _ = (document.kind(), document.guid(), document.problems());
    let visit_object = |object: Object<'_>| {
        let _ = (object.class_name(), object.line(), document.object(object.file_id()));
        visit(object.value(), bytes)
    };
    let objects = document.objects().map(visit_object).sum::<usize>();
    objects + visit(document.root(), bytes) + document.references().count()
}

#[test]
fn the_sample_project_reads_without_problems() {
    let samples = scenewright_fixture::sample("unity");
    let mut folders = vec![samples];
    let mut shown = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            assert!(visit_all(&bytes) > 0);
            let problems = Document::parse(bytes).problems();
            problems.iter().for_each(|problem| shown += &format!("{path:?} {problem:?}\n"));
        }
    }
    expect![""].assert_eq(&shown);
}

#[test]
fn any_cut_reads() {
    let text = format!(
        "{RENDERER}--- !u!1 &1 stripped\r\nA:\r\n  - - 'é''\r\n\r\n  x'\r\n  ? q\r\n  : {{\r\n  \"\\u00e9\\\r\n  \": |\r\n   t\r\n"
    );
    for at in 0..text.len() {
        visit_all(&text.as_bytes()[..at]);
        visit_all(&text.as_bytes()[at..]);
    }
}

#[test]
fn any_changed_byte_reads() {
    for at in 0..RENDERER.len() {
        for byte in *b"\n\t -:'\"{}[],#?|&\\\0\xff" {
            let mut bytes = RENDERER.as_bytes().to_vec();
            bytes[at] = byte;
            visit_all(&bytes);
        }
    }
}

#[test]
fn nesting_has_a_bound() {
    for text in ["- ".repeat(10_000), "[".repeat(10_000), "{a: ".repeat(10_000)] {
        let document = Document::parse(text.as_str());
        let (mut value, mut depth) = (document.root(), 0);
        while let Some(child) = value.items().next().or_else(|| Some(value.fields().next()?.1)) {
            (value, depth) = (child, depth + 1);
        }
        assert_eq!((depth, value.is_too_deep()), (tree::MAX_DEPTH, true));
        assert_eq!(value.span().end, text.trim_end().len());
    }
    let document = Document::parse(format!("{}b: 1\n", stairs("a:\n", 1000)));
    assert_eq!(document.root().get("b").unwrap().as_i64(), Some(1));
}

/// Lines, each one column deeper than the one before.
fn stairs(line: &str, count: usize) -> String {
    (0..count).map(|depth| format!("{}{line}", " ".repeat(depth))).collect()
}

/// A megabyte of what would be slow if any part were read again and again. The times are printed
/// and not asserted; run with `--nocapture` to see them.
#[test]
fn hostile_input_is_read_in_one_pass() {
    let repeated = [
        "- ",
        "[",
        "{",
        "{a: ",
        "a: {\n",
        "a: [b,\n",
        "a: '\n",
        "a: \"\n",
        "a: ''\n",
        "'",
        "\"",
        "\\",
        "a: \"\\",
        "\n",
        " ",
        "\t\n",
        "a: b\n\n",
        "#\n",
        "a: b\n #\n",
        ":",
        ": ",
        "?\n",
        "? a\n:\n",
        "-",
        "-\n",
        "|\n",
        "a: |\n",
        "a: b #",
        "{fileID:",
        "{fileID: 1, ",
        "fileID: ",
        "guid:",
        "\nguid: 1",
        "- 'fileID: ",
        "a: '{fileID: 1}\n",
        "--- !u!1 &1\n",
        "--- x\n",
        "\n---",
        "--- !u!1 &1\na: '\n",
        "<<<<<<< \n>>>>>>> \n",
        "<",
        "=======\n",
        "a: {fileID: 1,\n  guid: ",
        "{'",
        "{\"",
        "[a,",
        "{a,",
        "{a: b\n ",
        "\u{feff}",
        "é",
        "a:\r\n",
    ];
    // A debug build is too slow for the whole; its part still fails when a stack overflows.
    let size = if cfg!(debug_assertions) { 1 << 16 } else { 1 << 20 };
    let repeated = repeated.iter().map(|part| (*part, part.repeat(size / part.len())));
    let deeper = ["a:\n", "a: {\n", "- a\n", "a: '\n", "a: b\n", "? a\n", "a: |\n"]
        .map(|line| (line, stairs(line, size.isqrt() * 7 / 5)));
    let prefixed = ["a: '\n", "a: \"\n", "a: {b\n", "a: |\n", "a: b\n"]
        .map(|line| (line, format!("{line}{}", " \n: ''\n".repeat(size / 7))));
    for (what, text) in repeated.chain(deeper).chain(prefixed) {
        let start = Instant::now();
        visit_all(text.as_bytes());
        eprintln!("{:>5} ms  {what:?} of {} bytes", start.elapsed().as_millis(), text.len());
    }
}
