//! Edits of one small file, as the lines that differ.

use expect_test::{Expect, expect};
use scenewright_text::Edits;

use super::*;
use crate::{ClassId, Document, FileId, Guid, Reference};

const SCENE: &str = "%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!4 &20
Transform:
  m_GameObject: {fileID: 10}
  m_LocalPosition: {x: 0, y: 1.0, z: -0}
  m_Children:
  - {fileID: 21}
  - {fileID: 22}
  - {fileID: 23}
  m_Father: {fileID: 0}
  m_Name: 
  m_Shadows:
    m_Type: 2
    m_Last: 
  m_Empty: []
  m_Odd:
  - - 1
  - 2
--- !u!1001 &30
PrefabInstance:
  m_Modification:
    m_TransformParent: {fileID: 0}
    m_Modifications:
    - target: {fileID: 5, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
      propertyPath: m_LocalPosition.x
      value: 0
      objectReference: {fileID: 0}
    - target: {fileID: 7, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
      propertyPath: m_Name
      value: Lamp
      objectReference: {fileID: 0}
    m_RemovedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
";

/// The lines that differ after an edit, with CRLF as well as with LF.
fn check(edit: impl Fn(&Document, &Manner, &mut Edits), expected: Expect) {
    let run = |text: &str| {
        let document = Document::parse(text);
        let mut edits = Edits::default();
        edit(&document, &Manner::of(&document), &mut edits);
        let after = edits.apply(document.as_bytes()).unwrap();
        assert_eq!(
            Document::parse(after.clone()).problems(),
            [],
            "{}",
            String::from_utf8_lossy(&after)
        );
        String::from_utf8(after).unwrap()
    };
    let after = run(SCENE);
    assert_eq!(run(&SCENE.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
    let diff = scenewright_text::diff::unified(SCENE.as_bytes(), after.as_bytes(), "a", "b", 0);
    let lines = diff.text.lines().skip(2).filter(|line| !line.starts_with("@@"));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

fn set_20(path: &'static str, new: New) -> impl Fn(&Document, &Manner, &mut Edits) {
    move |document, manner, edits| {
        set(document.object(FileId(20)).unwrap(), path, &new, manner, edits).unwrap();
    }
}

#[test]
fn only_what_differs_is_written() {
    let to = New::flow([("x", 0.5), ("y", 1.0), ("z", 0.0)]);
    check(
        set_20("m_LocalPosition", to),
        expect![[r#"
        -  m_LocalPosition: {x: 0, y: 1.0, z: -0}
        +  m_LocalPosition: {x: 0.5, y: 1.0, z: -0}
    "#]],
    );
    check(set_20("m_LocalPosition.y", New::int(1)), expect![""]);
    check(
        set_20("m_Father", New::local(FileId(44))),
        expect![[r#"
        -  m_Father: {fileID: 0}
        +  m_Father: {fileID: 44}
    "#]],
    );
}

#[test]
fn an_empty_item_of_a_list_keeps_its_dash_and_its_blank() {
    let text = "--- !u!114 &1\nMonoBehaviour:\n  ss:\n  - a\n  - \n  -\n  - \n";
    let after = |at: usize, new: &str| {
        let document = Document::parse(text);
        let mut edits = Edits::default();
        let object = document.object(FileId(1)).unwrap();
        let path = format!("ss.Array.data[{at}]");
        set(object, &path, &New::Text(new.into()), &Manner::of(&document), &mut edits).unwrap();
        String::from_utf8(edits.apply(document.as_bytes()).unwrap()).unwrap()
    };
    assert_eq!(after(1, "a: b"), text.replacen("- \n", "- 'a: b'\n", 1));
    assert_eq!(after(2, "x"), text.replacen("  -\n", "  - x\n", 1));
    assert_eq!(after(3, ""), text);
}

#[test]
fn keys_that_are_missing_come_last_in_their_map() {
    check(
        set_20("m_Shadows.m_Bias", New::float(0.05)),
        expect![[r#"
        +    m_Bias: 0.05
    "#]],
    );
    check(
        set_20("m_New.m_Deep", New::Text("a: b".into())),
        expect![[r#"
        +  m_New:
        +    m_Deep: 'a: b'
    "#]],
    );
    check(
        set_20("m_LocalPosition.w", New::int(1)),
        expect![[r#"
        -  m_LocalPosition: {x: 0, y: 1.0, z: -0}
        +  m_LocalPosition: {x: 0, y: 1.0, z: -0, w: 1}
    "#]],
    );
    check(
        set_20("m_Name", New::Text("Rune \u{16a0}".into())),
        expect![[r#"
        -  m_Name: 
        +  m_Name: "Rune \u16A0"
    "#]],
    );
}

#[test]
fn lists_keep_the_items_that_stay() {
    let list = |path: &'static str, items: Vec<Item>| {
        move |document: &Document, manner: &Manner, edits: &mut Edits| {
            let object = document.object(FileId(20)).unwrap();
            set_list(object, path, &items, manner, edits).unwrap();
        }
    };
    let new = |id| Item::New(New::local(FileId(id)));
    let old = Item::Old;
    check(list("m_Children", vec![old(0), old(1), old(2)]), expect![""]);
    check(
        list("m_Children", vec![old(0), old(1), old(2), new(9)]),
        expect![[r#"
        +  - {fileID: 9}
    "#]],
    );
    check(
        list("m_Children", vec![new(9), old(2), old(1)]),
        expect![[r#"
            -  - {fileID: 21}
            +  - {fileID: 9}
            +  - {fileID: 23}
            -  - {fileID: 23}
        "#]],
    );
    check(
        list("m_Children", vec![old(0), old(2)]),
        expect![[r#"
        -  - {fileID: 22}
    "#]],
    );
    check(
        list("m_Children", vec![]),
        expect![[r#"
        -  m_Children:
        -  - {fileID: 21}
        -  - {fileID: 22}
        -  - {fileID: 23}
        +  m_Children: []
    "#]],
    );
    check(
        list("m_Empty", vec![new(1), new(2)]),
        expect![[r#"
        -  m_Empty: []
        +  m_Empty:
        +  - {fileID: 1}
        +  - {fileID: 2}
    "#]],
    );
    let document = Document::parse(SCENE);
    let object = document.object(FileId(20)).unwrap();
    let mut edits = Edits::default();
    // Its first item shares a line with the list around it.
    let odd = set_list(object, "m_Odd[0]", &[new(1)], &Manner::of(&document), &mut edits);
    assert_eq!((odd.is_err(), edits.is_empty()), (true, true));
}

#[test]
fn lists_of_values_grow_and_shrink() {
    let list = |items: &[f32]| New::List(items.iter().map(|item| New::float(*item)).collect());
    check(
        set_20("m_Empty", list(&[1.5, 2.0])),
        expect![[r#"
        -  m_Empty: []
        +  m_Empty:
        +  - 1.5
        +  - 2
    "#]],
    );
    let rows = New::List(vec![New::Map(vec![
        ("a".into(), New::int(1)),
        ("b".into(), New::List(vec![New::List(vec![New::int(1), New::int(2)]), New::int(3)])),
    ])]);
    check(
        set_20("m_Rows", rows),
        expect![[r#"
        +  m_Rows:
        +  - a: 1
        +    b:
        +    - - 1
        +      - 2
        +    - 3
    "#]],
    );
}

#[test]
fn overrides_are_replaced_or_join_those_of_their_object() {
    let instance = |changes: Vec<(i64, &'static str, New)>| {
        move |document: &Document, manner: &Manner, edits: &mut Edits| {
            let changes = changes.iter().cloned().map(|(target, path, value)| Override {
                target: FileId(target),
                path: path.into(),
                value,
            });
            let changes: Vec<Override> = changes.collect();
            let object = document.object(FileId(30)).unwrap();
            set_overrides(object, &changes, document, manner, edits).unwrap();
        }
    };
    let material = New::Reference(Reference {
        file_id: FileId(2100000),
        guid: Guid::parse("c57a184794a05b349955e5023bbf7e99"),
        kind: 2,
    });
    check(
        instance(vec![
            (7, "m_Name", New::Text("Old # lamp".into())),
            (5, "m_LocalPosition.y", New::float(2.5)),
            (6, "m_Materials.Array.data[0]", material),
            (9, "m_IsActive", New::bool(false)),
        ]),
        expect![[r#"
            +    - target: {fileID: 5, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
            +      propertyPath: m_LocalPosition.y
            +      value: 2.5
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 6, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
            +      propertyPath: m_Materials.Array.data[0]
            +      value: 
            +      objectReference: {fileID: 2100000, guid: c57a184794a05b349955e5023bbf7e99, type: 2}
            -      value: Lamp
            +      value: 'Old # lamp'
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 9, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
            +      propertyPath: m_IsActive
            +      value: 0
        "#]],
    );
}

#[test]
fn overrides_go_again() {
    check(
        |document, manner, edits| {
            let object = document.object(FileId(30)).unwrap();
            let gone = remove_override(object, FileId(7), "m_Name", manner, edits);
            assert_eq!(gone, Ok(true));
            let none = remove_override(object, FileId(7), "m_Tag", manner, edits);
            assert_eq!(none, Ok(false));
        },
        expect![[r#"
            -    - target: {fileID: 7, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
            -      propertyPath: m_Name
            -      value: Lamp
            -      objectReference: {fileID: 0}
        "#]],
    );
}

#[test]
fn objects_come_in_order_and_go() {
    check(
        |document, manner, edits| {
            let class = crate::ClassId::GAME_OBJECT;
            let fields = vec![("m_Name".into(), New::Text("Door".into()))];
            let key = "GameObject".into();
            let object = NewObject { class, id: FileId(25), key, stripped: false, fields };
            insert_object(document, &object, manner, edits);
            remove_object(document.object(FileId(20)).unwrap(), edits);
            edits.insert(document.object(FileId(20)).unwrap().span().start, "");
        },
        expect![[r#"
            ---- !u!4 &20
            -Transform:
            -  m_GameObject: {fileID: 10}
            -  m_LocalPosition: {x: 0, y: 1.0, z: -0}
            -  m_Children:
            -  - {fileID: 21}
            -  - {fileID: 22}
            -  - {fileID: 23}
            -  m_Father: {fileID: 0}
            -  m_Name: 
            -  m_Shadows:
            -    m_Type: 2
            -    m_Last: 
            -  m_Empty: []
            -  m_Odd:
            -  - - 1
            -  - 2
            +--- !u!1 &25
            +GameObject:
            +  m_Name: Door
        "#]],
    );
    let document = Document::parse(SCENE);
    let one = fresh_ids(&document, &Default::default(), "Door", 3);
    assert_eq!(one, fresh_ids(&document, &Default::default(), "Door", 3));
    let taken = [one.0 + 1].into_iter().collect();
    assert_eq!(fresh_ids(&document, &taken, "Door", 3).0, one.0 + 2);
}

#[test]
fn long_references_fold_where_the_file_folds_them() {
    let folded = SCENE.replace(", type: 3}", ",\n        type: 3}");
    let document = Document::parse(folded);
    let mut edits = Edits::default();
    let change =
        Override { target: FileId(222837617576246371), path: "m_Layer".into(), value: New::int(3) };
    let object = document.object(FileId(30)).unwrap();
    set_overrides(object, &[change], &document, &Manner::of(&document), &mut edits).unwrap();
    let after = String::from_utf8(edits.apply(document.as_bytes()).unwrap()).unwrap();
    assert!(
        after.contains("- target: {fileID: 222837617576246371, guid: c57a184794a05b349955e5023bbf7e99,\n        type: 3}\n      propertyPath: m_Layer\n"),
        "{after}"
    );
}

#[test]
fn long_structures_fold_where_the_file_folds_them() {
    let long = "{x: -0.0000000014518197, y: 0.000000009046295, z: -0.45885998,";
    let scene = format!("--- !u!4 &1\nTransform:\n  m_LocalRotation: {long}\n    w: 1}}\n");
    let parts = [("x", -1.4518197e-9), ("y", 9.046295e-9), ("z", -0.45885998), ("w", 1.0)];
    let fields = vec![("m_LocalRotation".to_owned(), New::flow(parts))];
    let key = "Transform".to_owned();
    let class = ClassId::TRANSFORM;
    let object = NewObject { class, id: FileId(1), key, stripped: false, fields };
    let document = Document::parse(scene.clone());
    assert_eq!(object.text(Manner::of(&document)), scene);
    assert_eq!(object.text(Manner::PLAIN), scene.replace("\n    w", " w"));
}

#[test]
fn a_dash_is_quoted_before_a_blank_only() {
    let spelled =
        ["- Note -", "-", "---UI---", "--+", "-1", "-70,-1"].map(|text| new::spell(text, false));
    assert_eq!(spelled, ["'- Note -'", "'-'", "---UI---", "--+", "-1", "-70,-1"]);
}

#[test]
fn numbers_and_text_are_spelled_as_unity_does() {
    let float = |value: f32| match New::float(value) {
        New::Number(text) => text,
        other => panic!("{other:?}"),
    };
    let shown = [
        0.1,
        -0.0,
        5.5879354e-9,
        4.051354e-11,
        3.4028235e38,
        123456.0,
        f32::NAN,
        f32::NEG_INFINITY,
    ];
    expect!["0.1 -0 0.0000000055879354 4.051354e-11 3.4028235e+38 123456 NaN -Infinity"]
        .assert_eq(&shown.map(float).join(" "));
    for text in [
        "",
        "a",
        "a: b",
        "a:",
        " a",
        "it's",
        "- a",
        "-1",
        "'",
        "x #y",
        "x#y",
        "\u{e9}",
        "a\nb",
        "\"",
        "{a}",
        "tab\t",
        "%",
        "On",
        "0x1",
        "a\\b",
        "\u{1f600}\u{a0}",
    ] {
        let field = format!(
            "--- !u!1 &1\nGameObject:\n  m_Name: {}\n  m_Last: 1\n",
            new::spell(text, false)
        );
        let document = Document::parse(field.clone());
        let object = document.object(FileId(1)).unwrap();
        assert_eq!(object.get("m_Name").unwrap().text(), text, "{field}");
        assert_eq!(object.get("m_Last").unwrap().text(), "1", "{field}");
    }
}

#[test]
fn text_with_line_breaks_is_spelled_as_unity_does() {
    let scene = "--- !u!114 &1\nMonoBehaviour:\n  m_Text: a\n  list:\n  - text: b\n  m_Last: 1\n";
    for (path, text, spelled) in [
        ("m_Text", "About\n", "'About\n\n'"),
        ("m_Text", "one\ntwo", "'one\n\n    two'"),
        ("m_Text", "it's\n\ntwo\n\n", "'it''s\n\n\n    two\n\n\n'"),
        ("m_Text", "\n", "'\n\n'"),
        ("m_Text", "\ntwo", "'\n\n    two'"),
        ("list[0].text", "one\ntwo", "'one\n\n      two'"),
        ("m_Text", "one \ntwo", "\"one \\ntwo\""),
        ("m_Text", "one\nzw\u{f6}lf", "\"one\\nzw\\xF6lf\""),
    ] {
        let document = Document::parse(scene);
        let object = document.object(FileId(1)).unwrap();
        let mut edits = Edits::default();
        set(object, path, &New::Text(text.to_owned()), &Manner::of(&document), &mut edits).unwrap();
        let after = String::from_utf8(edits.apply(scene.as_bytes()).unwrap()).unwrap();
        assert!(after.contains(&format!("ext: {spelled}\n")), "{after}");
        let document = Document::parse(after.clone());
        let object = document.object(FileId(1)).unwrap();
        assert_eq!(object.get(path).unwrap().text(), text, "{after}");
        assert_eq!(object.get("m_Last").unwrap().text(), "1", "{after}");
    }
}

/// A text of the shape of `words` words of seven letters, the last with `more`.
fn words(words: usize, more: &str) -> String {
    (1..=words).map(|word| format!("word_{word:02}")).collect::<Vec<_>>().join(" ") + more
}

/// How a text is spelled behind `  m_Text:`, whose value begins in column 10, after other lines.
fn long(other: &str, release: Option<(u32, u32)>, path: &str, text: &str) -> String {
    let head = format!("--- !u!114 &1\nMonoBehaviour:\n{other}");
    let scene = format!("{head}  m_Text: a\n  m_List:\n  - a\n  m_Last: 1\n");
    let document = Document::parse(scene.clone());
    let manner = Manner::of(&document).in_release(release);
    let mut edits = Edits::default();
    let object = document.object(FileId(1)).unwrap();
    set(object, path, &New::Text(text.to_owned()), &manner, &mut edits).unwrap();
    let after = String::from_utf8(edits.apply(scene.as_bytes()).unwrap()).unwrap();
    let document = Document::parse(after.clone());
    let object = document.object(FileId(1)).unwrap();
    assert_eq!(object.get(path).unwrap().text(), text, "{after}");
    assert_eq!(object.get("m_Last").unwrap().text(), "1", "{after}");
    // Without the two blanks before each line.
    after[head.len()..].lines().map(|line| format!("{}\n", line.get(2..).unwrap_or(""))).collect()
}

#[test]
fn long_text_ends_its_line_at_the_first_space_behind_column_80() {
    let told = |text: &str| long("", None, "m_Text", text);
    // 10 + 9 * 8 - 1 = 81: a space there does, one in column 80 does not.
    expect![[r#"
        m_Text: word_01 word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09
          word_10 word_11
        m_List:
        - a
        m_Last: 1
    "#]]
    .assert_eq(&told(&words(11, "")));
    expect![[r#"
        m_Text: word_1 word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09 word_10
          word_11
        m_List:
        - a
        m_Last: 1
    "#]]
    .assert_eq(&told(&words(11, "").replace("word_01", "word_1")));
    // Quotes count, and what is escaped as it is written.
    expect![[r#"
        m_Text: 'word_01: word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09
          word_10 word_11 '
        m_List:
        - a
        m_Last: 1
    "#]]
    .assert_eq(&told(&words(11, " ").replacen(' ', ": ", 1)));
    expect![[r#"
        m_Text: "w\xF6rd word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09
          \ word_10 word_11"
        m_List:
        - a
        m_Last: 1
    "#]]
    .assert_eq(&told(&words(11, "").replace("word_01", "w\u{f6}rd").replace("09 ", "09  ")));
    // Of several spaces none can go, so the next one that can ends the line.
    expect![[r#"
        m_Text: word_01 word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09  word_10
          word_11
        m_List:
        - a
        m_Last: 1
    "#]]
    .assert_eq(&told(&words(11, "").replace("09 ", "09  ")));
    // Each line of several, and items of lists, whose dash counts.
    expect![[r#"
        m_Text: 'one

          word_01 word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09 word_10
          word_11'
        m_List:
        - a
        m_Last: 1
    "#]]
    .assert_eq(&told(&format!("one\n{}", words(11, ""))));
    expect![[r#"
        m_Text: a
        m_List:
        - word_01 word_02 word_03 word_04 word_05 word_06 word_07 word_08 word_09 word_10
          word_11
        m_Last: 1
    "#]]
    .assert_eq(&long("", None, "m_List[0]", &words(11, "")));
}

#[test]
fn a_line_of_text_may_begin_with_anything() {
    for word in [
        "-", "?", "[x]", "{y}", "&a", "*b", "!c", "|", ">", "%d", "@", "`", "'q'", "\"r\"", "...",
        "---", "-1", "a:b", "x: y", "# z", "\u{f6} -",
    ] {
        let lines = long("", None, "m_Text", &words(9, &format!(" {word} end")));
        assert!(lines.contains("word_09\n"), "{lines}");
    }
}

#[test]
fn since_2019_3_a_space_in_column_80_ends_a_line_unless_the_file_shows_otherwise() {
    let text = words(10, "").replace("word_01", "word_1");
    let is_cut = |other: &str, release| {
        let lines = long(other, release, "m_Text", &text);
        let cut = lines.contains("word_09\n  word_10\n");
        assert!(cut || lines.contains("word_09 word_10\n"), "{lines}");
        cut
    };
    for (release, expected) in [
        ((5, 6), false),
        ((2018, 4), false),
        ((2019, 2), false),
        ((2019, 3), true),
        ((6000, 0), true),
    ] {
        assert_eq!(is_cut("", Some(release)), expected, "{release:?}");
    }
    assert!(!is_cut("", None));
    // A file that was written before leaves such a space, one of another program every.
    let left = format!("  m_Old: {}\n", words(10, ""));
    assert!(!is_cut(&left, Some((2022, 3))));
    let whole = format!("  m_Whole: {}\n", words(12, ""));
    assert_eq!(long(&whole, Some((2022, 3)), "m_Text", &words(12, "")).lines().count(), 4);
    // References and other maps are cut by rules of their own.
    let map = format!("  m_Map: {{{}}}\n", "x: 1, ".repeat(20));
    assert!(is_cut(&map, Some((2022, 3))));
}

#[test]
fn what_stands_behind_the_guid_may_pass_the_width() {
    let folded = SCENE.replace(", type: 3}", ",\n        type: 3}");
    let document = Document::parse(folded);
    let manner = Manner::of(&document);
    let to = Reference { file_id: FileId(1), guid: Some(Guid([7; 16])), kind: 3 };
    // The comma stands in column 80, or behind it.
    let start = "{fileID: 1, guid: ,".len() + 32;
    assert!(!manner.reference(to, 80 - start, 4).contains('\n'));
    assert!(manner.reference(to, 81 - start, 4).contains('\n'));
}
