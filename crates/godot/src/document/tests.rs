//! Whatever a file holds, it comes back as it was, and nothing panics or hangs.

use std::time::Instant;

use expect_test::{Expect, expect};

use super::*;
use crate::{ResourceId, Scene, Variant};

const SMALL: &str = r#"[gd_scene format=3 uid="uid://a"]

[ext_resource type="Script" path="res://a.gd" id="1_a"]

[sub_resource type="Curve" id="Curve_a"]
_data = [Vector2(0, 1), 0.0, &"x", {"k": null}] ; a comment

[node name="Root" type="Node2D" groups=["é"]]
script = ExtResource("1_a")
curve = SubResource("Curve_a")
"odd key" = Array[int]([1, 2])

[node name="A" parent="." instance=ExtResource("1_a")]
text = "two
lines \" \\ \u00e9"
path = NodePath("../B:x")

[connection signal="s" from="." to="A" method="m"]
"#;

/// Calls everything on every part.
fn visit_all(bytes: &[u8], form: Form) -> usize {
    let document = Document::parse(bytes, form);
    assert_eq!(document.to_bytes(), bytes);
    let mut count = 0;
    for problem in document.problems() {
        assert!(problem.offset <= bytes.len() && problem.line > 0 && problem.column > 0);
    }
    for section in document.sections() {
        let _ = (section.name(), section.line());
        assert!(section.tag_span().end <= section.span().end);
        for field in section.attributes().chain(section.properties()) {
            assert!(field.span().end <= section.span().end);
            let value = field.value();
            let _ = (field.key(), value.as_str(), value.as_text(), value.as_int());
            // Compared as text, because `nan` does not equal itself.
            let again = Variant::parse(&value.raw()).expect("values were checked");
            assert_eq!(format!("{again:?}"), format!("{:?}", value.decode()));
            count += 1;
        }
    }
    for mention in document.mentions() {
        assert!(document.section_at(mention.span.start).is_some());
        count += 1;
    }
    count
}

fn problems(text: &str, expected: Expect) {
    let document = Document::parse(text, Form::Resource);
    let mut shown = String::new();
    for problem in document.problems() {
        let Problem { kind, message, line, column, .. } = problem;
        shown += &format!("{line}:{column} {kind:?}: {message}\n");
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_good_file_has_no_problems() {
    problems(SMALL, expect![[""]]);
    problems(&SMALL.replace('\n', "\r\n"), expect![[""]]);
    problems(
        &SMALL.replace("two\nlines", "two lines").replace(" ; a comment", "").replace('\n', " "),
        expect![[""]],
    );
}

#[test]
fn the_engine_refuses_these() {
    problems(
        "",
        expect![[r#"
        1:1 Rule: the file ends before its first node or resource
    "#]],
    );
    problems(
        "[gd_scene format=3]\n",
        expect![[r#"
        2:1 Rule: the file ends before its first node or resource
    "#]],
    );
    problems(
        "[gd_scene format=5]\n[node name=\"A\" type=\"Node\"]\n",
        expect![[r#"
        1:1 Rule: format 5 is newer than Godot 4.6 can read
    "#]],
    );
    problems(
        "[node name=\"A\" type=\"Node\"]\n",
        expect![[r#"
        1:1 Rule: the file does not start with `[gd_scene]` or `[gd_resource]`
    "#]],
    );
    problems(
        "\u{feff}[gd_scene]\n[node name=\"A\"]\n",
        expect![[r#"
        1:1 Syntax: the file starts with a byte order mark, which Godot refuses
    "#]],
    );
    problems(
        "[gd_scene]\na = 1\n[node name=\"A\"]\n",
        expect![[r#"
        1:1 Rule: `[gd_scene]` cannot have properties
    "#]],
    );
    problems(
        "[gd_resource]\n[resource]\n",
        expect![[r#"
        1:1 Rule: `[gd_resource]` has no `type`
    "#]],
    );
    problems(
        "[gd_scene]\n[resource]\n",
        expect![[r#"
        2:1 Rule: `[resource]` belongs into the other kind of file
    "#]],
    );
    problems(
        "[gd_scene]\n[node name=\"A\"]\n[sub_resource type=\"T\" id=\"a\"]\n",
        expect![[r#"
        3:1 Rule: `[sub_resource]` stands too far down in the file
    "#]],
    );
    problems(
        "[gd_scene]\n[ext_resource path=\"a\"]\n[node name=\"A\"]\n[what]\n",
        expect![[r#"
        2:1 Rule: `[ext_resource]` has no `type`
        2:1 Rule: `[ext_resource]` has no `id`
        4:1 Rule: `[what]` is not a section of such a file
    "#]],
    );
    problems(
        "[gd_scene]\n[node name=\"A\"]\na = SubResource(\"x\")\nb = ExtResource(1)\n",
        expect![[r#"
            3:17 Rule: no `[sub_resource]` above has the id `x`
            4:17 Rule: no `[ext_resource]` above has the id `1`
        "#]],
    );
    problems(
        "[gd_scene]\n[node name=\"A\" name]\n[node name=\"B\"]\nx = [1\n",
        expect![[r#"
        2:20 Syntax: `=` is expected, not `]`
        5:1 Syntax: the value of `x`: `,` or `]` is expected, not the end of the file
    "#]],
    );
    problems(
        "[gd_scene]\n# not a comment\n[node name=\"A\"]\n",
        expect![[r#"
        2:1 Syntax: `# not a comment` is neither a section nor `key=value`
    "#]],
    );
}

#[test]
fn a_dropped_value_points_nowhere() {
    for text in ["a = SubResource(\"x\")\n", "[gd_scene]\n= NodePath(\"x\")\n", "[a b=RID(), c=1"] {
        visit_all(text.as_bytes(), Form::Resource);
        assert_eq!(Document::parse(text, Form::Resource).mentions().count(), 0);
    }
}

#[test]
fn the_samples_read_without_problems() {
    let samples = scenewright_fixture::sample("godot");
    let mut folders = vec![samples];
    let (mut files, mut shown) = (0, String::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Some(form) = Form::of_path(&path) else { continue };
            let bytes = std::fs::read(&path).unwrap();
            assert!(visit_all(&bytes, form) > 0);
            files += 1;
            let document = Document::parse(bytes, form);
            document
                .problems()
                .iter()
                .for_each(|problem| shown += &format!("{path:?} {problem:?}\n"));
            // All values are written as Godot wrote them.
            for field in document.sections().flat_map(Section::properties) {
                let (raw, value) = (field.value().raw(), field.value().decode());
                let text = document.value_text(&value);
                assert_eq!(text.trim_end(), raw.replace("\r\n", "\n").trim_end());
            }
        }
    }
    expect![""].assert_eq(&shown);
    assert!(files >= 10, "{files} files found");
}

#[test]
fn any_cut_reads() {
    for at in 0..SMALL.len() {
        for form in [Form::Resource, Form::Config] {
            visit_all(&SMALL.as_bytes()[..at], form);
            visit_all(&SMALL.as_bytes()[at..], form);
        }
    }
}

#[test]
fn any_changed_byte_reads() {
    for at in 0..SMALL.len() {
        for byte in *b"\n -\"{[(,=;#&\\0\xff" {
            let mut bytes = SMALL.as_bytes().to_vec();
            bytes[at] = byte;
            visit_all(&bytes, Form::Resource);
            visit_all(&bytes, Form::Config);
        }
    }
}

/// What a change leaves behind must be readable, whatever the file was.
#[test]
fn any_changed_byte_can_be_edited_or_is_refused() {
    for at in 0..SMALL.len() {
        for byte in *b"\n \"]=;a" {
            let mut bytes = SMALL.as_bytes().to_vec();
            bytes[at] = byte;
            let mut scene = Scene::parse(bytes.clone());
            let results = [
                scene.rename_node("A", "B").is_ok(),
                scene.set_node_property("B", "text", &Variant::Nil).is_ok(),
                scene.remove_node("B").is_ok(),
                scene.change(|document| document.add_ext_resource("T", "res://t", None)).is_ok(),
            ];
            match results.contains(&true) {
                true => assert!(scene.is_sound(), "{}", String::from_utf8_lossy(&scene.to_bytes())),
                false => assert_eq!(scene.to_bytes(), bytes),
            }
        }
    }
}

/// A megabyte of what would be slow if any part were read again and again. The times are printed
/// and not asserted; run with `--nocapture` to see them.
#[test]
fn hostile_input_is_read_in_few_passes() {
    let parts = [
        "[",
        "]",
        "{",
        "(",
        "\"",
        "\\",
        "\"\\",
        "a=\"\n",
        "a={\n",
        "a=[\n",
        "a=1\n",
        "a\n",
        "=",
        "a=\n",
        ";",
        ";\n",
        "\n",
        "\0",
        "#",
        "-",
        "&",
        "1,",
        "[a]\n",
        "[a",
        "[node name=\"",
        "[node]\n",
        "a=Vector2(",
        "a=PackedFloat32Array(1,",
        "a=Array[",
        "a=SubResource(1)\n",
        "\u{feff}",
        "é",
        "\r\n",
        "a=Object(A,",
        "a = \"\\ud800",
        "[gd_scene]\n",
        "a;",
        "\"a\"",
    ];
    // A debug build is too slow for the whole; its part still fails when a stack overflows.
    let size = if cfg!(debug_assertions) { 1 << 16 } else { 1 << 20 };
    for part in parts {
        for form in [Form::Resource, Form::Config] {
            let text = part.repeat(size / part.len());
            let start = Instant::now();
            visit_all(text.as_bytes(), form);
            eprintln!("{:>5} ms  {part:?} of {} bytes", start.elapsed().as_millis(), text.len());
        }
    }
}

#[test]
fn settings_are_changed_in_their_manner() {
    let check = |text: &str, section: &str, key: &str, expected: &str| {
        let mut config = crate::Config::parse(text);
        config.set(section, key, &Variant::int(7)).unwrap();
        assert_eq!(String::from_utf8(config.to_bytes()).unwrap(), expected);
        assert!(config.remove(section, key).unwrap());
        assert!(!config.remove(section, key).unwrap());
    };
    check("v=5\n\n[a]\n\nx=1\n", "a", "y", "v=5\n\n[a]\n\nx=1\ny=7\n");
    check("v=5\n\n[a]\n\nx=1\n", "a", "x", "v=5\n\n[a]\n\nx=7\n");
    check(
        "v=5\r\n\r\n[a]\r\n\r\nx=1",
        "b",
        "k v",
        "v=5\r\n\r\n[a]\r\n\r\nx=1\r\n\r\n[b]\r\n\r\n\"k v\"=7",
    );
    check(
        "v=5\n\n[a]\n\nx=1\n\n[c]\n\nx=1\n",
        "b",
        "y",
        "v=5\n\n[a]\n\nx=1\n\n[b]\n\ny=7\n\n[c]\n\nx=1\n",
    );
    check("[b]\n\nx=1\n", "", "v", "v=7\n\n[b]\n\nx=1\n");
    check("[b]\n\nx=1\n", "a", "v", "[b]\n\nx=1\n\n[a]\n\nv=7\n");
    check("", "a", "v", "[a]\n\nv=7\n");
    check("; only\n", "a", "v", "; only\n\n[a]\n\nv=7\n");
    check("; only", "", "v", "; only\nv=7\n");
    check("[a]\n\n; last", "a", "v", "[a]\n\nv=7\n\n; last");
}

#[test]
fn lines_with_comments_and_several_keys_keep_the_rest() {
    let mut config = crate::Config::parse("[a]\nx=1 ; keep\ny=2 z=3\n");
    config.set("a", "x", &Variant::Bool(true)).unwrap();
    assert!(config.remove("a", "y").unwrap());
    config.set("a", "w", &Variant::Nil).unwrap();
    assert_eq!(config.to_bytes(), b"[a]\nx=true ; keep\n z=3\nw=null\n");
}

#[test]
fn a_new_property_stands_above_another() {
    let text = "[gd_resource type=\"X\" load_steps=3 format=3]\r\n\r\n[sub_resource type=\"A\" id=\"1\"]\r\n\r\n[sub_resource type=\"B\" id=\"2\"]\r\n\r\n[resource]\r\nb = 2 ; two\r\n";
    let mut document = Document::parse(text, Form::Resource);
    document.set_property_before(3, "a", &Variant::int(1), Some("b")).unwrap();
    document.set_property_before(3, "c", &Variant::int(3), Some("missing")).unwrap();
    // One that is there stays where it is.
    document.set_property_before(3, "c", &Variant::int(4), Some("a")).unwrap();
    let first = Unused { sub: vec![ResourceId("1".into())], ..Unused::default() };
    document.remove_resources(&first).unwrap();
    let shown = String::from_utf8(document.to_bytes()).unwrap();
    assert_eq!(shown.matches('\n').count(), shown.matches("\r\n").count());
    expect![[r#"
        [gd_resource type="X" load_steps=2 format=3]

        [sub_resource type="B" id="2"]

        [resource]
        a = 1
        b = 2 ; two
        c = 4
    "#]]
    .assert_eq(&shown.replace('\r', ""));
    assert!(document.set_property_before(9, "a", &Variant::int(1), None).is_err());
}

#[test]
fn a_run_of_lines_goes_with_one_of_its_empty_lines() {
    let text = "[gd_scene format=3]\n\n[ext_resource path=\"a\" id=\"1\"]\n[ext_resource path=\"b\" id=\"2\"]\n\n[node name=\"A\"]\n";
    let mut document = Document::parse(text, Form::Resource);
    document.remove_sections(&[1, 2]).unwrap();
    assert_eq!(document.as_bytes(), b"[gd_scene format=3]\n\n[node name=\"A\"]\n");
    let mut document = Document::parse(text, Form::Resource);
    document.remove_sections(&[2]).unwrap();
    let kept = "[gd_scene format=3]\n\n[ext_resource path=\"a\" id=\"1\"]\n\n[node name=\"A\"]\n";
    assert_eq!(document.as_bytes(), kept.as_bytes());
}

#[test]
fn what_is_too_large_is_no_mistake_of_the_file() {
    let list = "1,".repeat(1_000_001);
    let text = format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = [{list}]\n");
    let document = Document::parse(text, Form::Resource);
    let kinds: Vec<_> = document.problems().iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [ProblemKind::TooLarge]);
}
