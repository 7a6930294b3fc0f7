//! Values of small bodies, and the objects and problems of small files.

use expect_test::{Expect, expect};

use super::*;

/// Shows the values of a body: key, style where it is not plain, text.
fn check(body: &str, expected: Expect) {
    let document = Document::parse(body);
    let mut shown = String::new();
    show(document.root(), 0, &mut shown);
    for (at, trouble) in block::read(&document.as_bytes()[document.preamble()]).troubles {
        let at = document.preamble().start + at as usize;
        shown += &format!("! line {}: {trouble:?}\n", document.line(at));
    }
    expected.assert_eq(&shown);
}

fn show(value: Value<'_>, depth: usize, out: &mut String) {
    let key = value.key().map(|key| format!("{key:?}: ")).unwrap_or_default();
    let style = match value.style() {
        ValueStyle::Plain => String::new(),
        style => format!("{style:?} "),
    };
    let content = match value.kind() {
        ValueKind::Scalar if value.is_too_deep() => "too deep".into(),
        ValueKind::Scalar if value.is_null() => "nothing".into(),
        ValueKind::Scalar => format!("{:?}", value.text()),
        kind => format!("{kind:?}"),
    };
    *out += &format!("{}{key}{style}{content}\n", "  ".repeat(depth));
    for child in value.fields().map(|(_, value)| value).chain(value.items()) {
        show(child, depth + 1, out);
    }
}

/// Shows the objects and problems of a file.
fn check_file(text: &str, expected: Expect) {
    let document = Document::parse(text);
    let mut shown = format!("{:?}\n", document.kind());
    for object in document.objects() {
        let stripped = if object.is_stripped() { " stripped" } else { "" };
        shown += &format!("line {}: {} {object:?}{stripped}\n", object.line(), object.class_id());
    }
    for Problem { message, line, .. } in document.problems() {
        shown += &format!("! line {line}: {message}\n");
    }
    expected.assert_eq(&shown);
    assert_eq!(document.to_bytes(), text.as_bytes());
}

#[test]
fn lists_stand_at_the_column_of_their_key() {
    check(
        "GameObject:\n  m_Component:\n  - component: {fileID: 1}\n    order: 2\n  - component: {fileID: 2}\n  m_Empty: []\n  m_None: {}\n  m_Deep:\n    - a\n    -\n      b: 1\n  m_Name: x\n",
        expect![[r#"
            Block Map
              "GameObject": Block Map
                "m_Component": Block Sequence
                  Block Map
                    "component": Flow Map
                      "fileID": "1"
                    "order": "2"
                  Block Map
                    "component": Flow Map
                      "fileID": "2"
                "m_Empty": Flow Sequence
                "m_None": Flow Map
                "m_Deep": Block Sequence
                  "a"
                  Block Map
                    "b": "1"
                "m_Name": "x"
        "#]],
    );
}

#[test]
fn lists_nest_on_one_line() {
    check(
        "m:\n- - a: 1\n    b: 2\n  - c\n- - - d\n-\n  - e\nn: 1\n",
        expect![[r#"
        Block Map
          "m": Block Sequence
            Block Sequence
              Block Map
                "a": "1"
                "b": "2"
              "c"
            Block Sequence
              Block Sequence
                "d"
            Block Sequence
              "e"
          "n": "1"
    "#]],
    );
}

#[test]
fn flow_maps_are_cut_over_lines() {
    check(
        "m:\n  - target: {fileID: 1, guid: 0123,\r\n      type: 3}\r\n    value: {a: [1, {b: 'x, y'}, []], c: two\r\n      words, d:, 'e': \"\\n\", f}\r\nnext: 1\r\n",
        expect![[r#"
            Block Map
              "m": Block Sequence
                Block Map
                  "target": Flow Map
                    "fileID": "1"
                    "guid": "0123"
                    "type": "3"
                  "value": Flow Map
                    "a": Flow Sequence
                      "1"
                      Flow Map
                        "b": SingleQuoted "x, y"
                      Flow Sequence
                    "c": "two words"
                    "d": nothing
                    "e": DoubleQuoted "\n"
                    "f": nothing
              "next": "1"
        "#]],
    );
}

#[test]
fn text_folds_over_lines() {
    check(
        "a:\n  path: Assets/A very\n    long/name.unity\n  list:\n  - one\n    two\n\n    three\n  - 'x\n\ny: z'\n  - \"p\\\n    \\ q\"\n  empty: \n  late:\n    text\n  end: 1",
        expect![[r#"
            Block Map
              "a": Block Map
                "path": "Assets/A very long/name.unity"
                "list": Block Sequence
                  "one two\nthree"
                  SingleQuoted "x\ny: z"
                  DoubleQuoted "p q"
                "empty": nothing
                "late": "text"
                "end": "1"
        "#]],
    );
}

#[test]
fn odd_keys() {
    check(
        "m:\n  <Name>k__BackingField: 1\n  a b : 2\n  'quoted: key': 3\n  \"tab\\t\": 4\n  http://x:y: 5\n  0123:  6\n  ? long\n  : 7\n  x: a:b\n  twice: 8\n  twice: 9\n",
        expect![[r#"
            Block Map
              "m": Block Map
                "<Name>k__BackingField": "1"
                "a b": "2"
                "quoted: key": "3"
                "tab\t": "4"
                "http://x:y": "5"
                "0123": "6"
                "long": "7"
                "x": "a:b"
                "twice": "8"
                "twice": "9"
        "#]],
    );
}

#[test]
fn comments_and_hashes() {
    check(
        "# top\na: 1 # one\nb: x#y\nc: # none\n  # between\n  d: 'e' # f\ng: h\n  # no\n  i\n",
        expect![[r#"
            Block Map
              "a": "1"
              "b": "x#y"
              "c": Block Map
                "d": SingleQuoted "e"
              "g": "h"
            ! line 9: NoKey
        "#]],
    );
}

#[test]
fn block_text_in_metas() {
    check(
        "a: |\n  one\n   two\n\n  three\nb: >-\n  x\n  y\nc: |x\n",
        expect![[r#"
        Block Map
          "a": BlockText "one\n two\n\nthree\n"
          "b": BlockText "x y"
          "c": "|x"
    "#]],
    );
}

#[test]
fn byte_order_mark_line_ends_and_tabs() {
    check(
        "\u{feff}%YAML 1.1\r\na:\r\n\tb: 1\r\n\tc: \t2 \t\r\n  \r\nd: 3",
        expect![[r#"
            Block Map
              "a": Block Map
                "b": "1"
                "c": "2"
              "d": "3"
            ! line 3: Tab
            ! line 4: Tab
        "#]],
    );
}

#[test]
fn a_bad_line_costs_one_line() {
    check(
        "a: 1\n   b\n    c: 2\n- d\nstray\ne: 'open\nf: {g: 1, h: [2\ni: 'j' k\nl: {m: 1]\nn: 3\n",
        expect![[r#"
            Block Map
              "a": "1 b c: 2"
              "e": SingleQuoted "open f: {g: 1, h: [2 i: "
              "l": Flow Map
                "m": "1"
              "n": "3"
            ! line 4: Misplaced
            ! line 5: NoKey
            ! line 8: Trailing
            ! line 9: WrongBracket
        "#]],
    );
    check(
        "  a: 1\nb: 2\n  c: 3\n",
        expect![[r#"
        Block Map
          "a": "1"
          "c": "3"
        ! line 2: Misplaced
    "#]],
    );
}

/// Found by fuzzing: the value was given to the open bracket's key.
#[test]
fn a_colon_line_needs_a_key_line() {
    check(
        "a: {b\n: 0}\nc: 1\n",
        expect![[r#"
        Block Map
          "a": Flow Map
            "b": nothing
          "0}"
          "c": "1"
        ! line 1: OpenFlow
    "#]],
    );
}

#[test]
fn json_reads_as_flow() {
    check(
        "{\n\t\"name\": \"A\",\n\t\"list\": [1,2, {\"x\":null}],\n\"url\":\"a:b\"\n}\n",
        expect![[r#"
            Flow Map
              "name": DoubleQuoted "A"
              "list": Flow Sequence
                "1"
                "2"
                Flow Map
                  "x": "null"
              "url": DoubleQuoted "a:b"
        "#]],
    );
}

#[test]
fn objects_of_every_form() {
    check_file(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &1\nPrefabInstance:\n  a: 1\n--- !u!1001 &2\nPrefab:\n--- !u!4 &-3 stripped  \nTransform:\n--- !u!149 &4\n--- !u!999999 &5\n",
        expect![[r#"
            UnityYaml
            line 3: 1001 PrefabInstance &1
            line 6: 1001 Prefab &2
            line 8: 4 Transform &-3 stripped
            line 10: 149 NetworkManager &4
            line 11: 999999 Class 999999 &5
        "#]],
    );
}

#[test]
fn problems_are_said_and_nothing_is_lost() {
    check_file(
        "--- !u!1 &1\nGameObject:\n  a: 'x\n--- !u!x &2\nLost:\n--- !u!1 &1\nGameObject:\n\tb: 1\n--- !u!1 &3 frozen\n",
        expect![[r#"
            UnityYaml
            line 1: 1 GameObject &1
            line 6: 1 GameObject &1
            line 9: 1 GameObject &3
            ! line 3: the quote is never closed; the line is taken as plain text
            ! line 4: the header is not `--- !u!<class> &<id>`; the object is not read
            ! line 6: the id 1 occurs a second time in this file
            ! line 8: a tab is in the indentation, where YAML allows only spaces
            ! line 9: the header has unknown words behind the id
        "#]],
    );
    check_file(
        "fileFormatVersion: 2\n<<<<<<< HEAD\nguid: 1\n=======\nguid: 2\n>>>>>>> theirs\n",
        expect![[r#"
            MergeConflict
            ! line 2: a conflict marker is left from a merge; resolve the conflict
            ! line 4: a conflict marker is left from a merge; resolve the conflict
            ! line 6: a conflict marker is left from a merge; resolve the conflict
        "#]],
    );
    let invalid = Document::parse(b"--- !u!1 &1\nA:\n  b: \xff\xfe\n".as_slice());
    expect![[r#"[Problem { message: "the text is not valid UTF-8 from here on", span: 20..21, line: 3 }]"#]].assert_eq(&format!("{:?}", invalid.problems()));
    assert_eq!(invalid.object(FileId(1)).unwrap().get("b").unwrap().text(), "\u{fffd}\u{fffd}");
}

pub(super) const RENDERER: &str = "--- !u!23 &-7\nMeshRenderer:\n  m_Enabled: 1\n  m_Pos: {x: -0.5, y: 1e-3, z: Infinity}\n  m_Materials:\n  - {fileID: 2100000, guid: 0123456789abcdef0123456789ABCDEF,\n    type: 2}\n  - {fileID: 0}\n  a.b: dotted\n  a:\n    b: nested\n    c:\n    - - 5\n      - 18446744073709551615\n  name: 'It''s'\n  block:\n    fileID: 9\n    type: 3\n";

#[test]
fn paths_in_every_spelling() {
    let document = Document::parse(RENDERER);
    let object = document.object(FileId(-7)).unwrap();
    let text = |path: &str| object.get(path).map(|value| value.text().into_owned());
    let mut shown = String::new();
    for path in [
        "m_Pos.x",
        "m_Pos.w",
        "m_Materials.Array.data[1]",
        "m_Materials[1].fileID",
        "m_Materials.data[2]",
        "m_Materials[99999999999999999999]",
        "m_Materials[x]",
        "a.b",
        "a.c[0][1]",
        "a.c.Array.data[0].Array.data[0]",
        "name",
        "name.x",
        "",
    ] {
        shown += &format!(
            "{path} = {:.40?}\n",
            text(path).map(|text| text.chars().take(40).collect::<String>())
        );
    }
    expect![[r#"
        m_Pos.x = Some("-0.5")
        m_Pos.w = None
        m_Materials.Array.data[1] = Some("{fileID: 0}")
        m_Materials[1].fileID = Some("0")
        m_Materials.data[2] = None
        m_Materials[99999999999999999999] = None
        m_Materials[x] = None
        a.b = Some("dotted")
        a.c[0][1] = Some("18446744073709551615")
        a.c.Array.data[0].Array.data[0] = Some("5")
        name = Some("It's")
        name.x = None
         = Some("m_Enabled: 1\n  m_Pos: {x: -0.5, y: 1e-3,")
    "#]]
    .assert_eq(&shown);
}

#[test]
fn values_as_numbers_and_references() {
    let document = Document::parse(RENDERER);
    let object = document.object_at(0).unwrap();
    let get = |path: &str| object.get(path).unwrap();
    assert_eq!(get("m_Enabled").as_bool(), Some(true));
    assert_eq!(get("m_Pos.x").as_f64(), Some(-0.5));
    assert_eq!(get("m_Pos.y").as_f64(), Some(0.001));
    assert_eq!(get("m_Pos.z").as_f64(), Some(f64::INFINITY));
    assert_eq!(get("a.c[0][1]").as_i64(), None);
    assert_eq!(get("a.c[0][1]").as_u64(), Some(u64::MAX));
    assert_eq!(get("m_Pos").as_f64(), None);
    let references = ["m_Materials[0]", "m_Materials[1]", "block", "m_Pos", "name"];
    expect![[r#"
        [
            Some(
                Reference {
                    file_id: FileId(
                        2100000,
                    ),
                    guid: Some(
                        0123456789abcdef0123456789abcdef,
                    ),
                    kind: 2,
                },
            ),
            Some(
                Reference {
                    file_id: FileId(
                        0,
                    ),
                    guid: None,
                    kind: 0,
                },
            ),
            Some(
                Reference {
                    file_id: FileId(
                        9,
                    ),
                    guid: None,
                    kind: 3,
                },
            ),
            None,
            None,
        ]"#]]
    .assert_eq(&format!("{:#?}", references.map(|path| get(path).as_reference())));
    assert_eq!(
        get("m_Materials[0]").as_reference().unwrap(),
        document.references().next().unwrap().reference
    );
}

#[test]
fn spans_are_places_in_the_file() {
    let document = Document::parse(RENDERER);
    let object = document.object_at(0).unwrap();
    for path in ["m_Enabled", "m_Pos", "m_Materials", "m_Materials[1]", "a.c", "name", "block"] {
        let value = object.get(path).unwrap();
        assert_eq!(&document.as_bytes()[value.span()], value.raw_bytes());
    }
    expect![[r#"
        b: nested
            c:
            - - 5
              - 18446744073709551615"#]]
    .assert_eq(&object.get("a").unwrap().raw());
    expect!["'It''s'"].assert_eq(&object.get("name").unwrap().raw());
}

#[test]
fn references_know_their_object() {
    let document = Document::parse(
        "a: {fileID: 1}\n--- !u!1 &1\nA:\n  b: {fileID: 2}\n--- broken\nc: {fileID: 3}\n--- !u!1 &2\nA:\n  d: {fileID: 4}\n",
    );
    let found = document.references().map(|found| (found.object, found.reference.file_id.0));
    assert_eq!(found.collect::<Vec<_>>(), [(None, 1), (Some(0), 2), (None, 3), (Some(1), 4)]);
}

#[test]
fn beside_another_version_only_what_is_new_is_wrong() {
    let text = |first: &str, second: &str| {
        format!(
            "--- !u!1 &1\nA:\n  a: {first}\n--- !u!1 &2\nB:\n  b: {second}\n--- !u!1 &3\nC:\n  c: 1\n"
        )
    };
    let told = |before: &str, after: &str| -> Vec<String> {
        let problems = Document::parse(after).problems_beside(before.as_bytes());
        problems.into_iter().map(|problem| problem.message).collect()
    };
    let open = "the quote is never closed; the line is taken as plain text";
    let (old, fine) = (text("'x", "1"), text("1", "1"));
    assert_eq!(told(&fine, &text("1", "2")), [""; 0]);
    assert_eq!(told(&fine, &text("1", "'x")), [open]);
    // What was wrong before stands in an object that is the same.
    assert_eq!(told(&old, &text("'x", "2")), [""; 0]);
    assert_eq!(told(&old, &text("'xy", "1")), [open]);
    let twice = fine.replace("&3", "&1");
    assert_eq!(told(&fine, &twice), ["the id 1 occurs a second time in this file"]);
    assert_eq!(told(&fine, ""), [""; 0]);
    assert_eq!(told("", &text("1", "'x")), [open]);
}
