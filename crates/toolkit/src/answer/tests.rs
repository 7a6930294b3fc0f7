//! What outputs look like as text.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::text;

#[track_caller]
fn check(output: Value, expected: Expect) {
    expected.assert_eq(&text(&output));
}

#[test]
fn members_are_lines() {
    check(
        json!({
            "success": true, "truncated": false, "path": "Assets/A B.unity", "count": 3, "isOpen": false, "none": null,
            "position": { "x": 1, "y": 2.5, "z": -3 }, "tags": ["a", "b c"], "empty": [], "bare": {},
            "inner": { "one": "x".repeat(70), "two": { "three": "y".repeat(70) } },
        }),
        expect![[r#"
            path: Assets/A B.unity
            count: 3
            isOpen: false
            position: {x: 1, y: 2.5, z: -3}
            tags: [a, b c]
            empty: []
            bare: {}
            inner:
              one: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
              two: {three: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy}"#]],
    );
    check(json!({ "success": true }), expect!["done"]);
    check(json!({ "success": false }), expect!["success: false"]);
}

#[test]
fn what_could_be_something_else_has_quotes() {
    check(
        json!({
            "number": "5", "yes": "true", "none": "", "space": " a", "quoted": "\"a\"", "list": "[1, 2]",
            "bracket": "[node name=1]", "escape": "\u{1b}[0m", "colon": "a: b", "uid": "uid://abc",
            "flow": ["a, b", "c: d", "res://x.gd", "-1", ""], "odd: key": 1,
        }),
        expect![[r#"
            number: "5"
            yes: "true"
            none: ""
            space: " a"
            quoted: "\"a\""
            list: "[1, 2]"
            bracket: [node name=1]
            escape: "\u001b[0m"
            colon: a: b
            uid: uid://abc
            flow: ["a, b", "c: d", res://x.gd, "-1", ""]
            "odd: key": 1"#]],
    );
}

#[test]
fn a_text_of_several_lines_is_a_block() {
    check(
        json!({ "content": "func a():\n\tpass\n\nend\n", "diff": "-a\n+b", "after": 1 }),
        expect![[r#"
            content: |
              func a():
              	pass

              end
            diff: |-
              -a
              +b
            after: 1"#]],
    );
}

#[test]
fn a_list_of_objects_is_a_table() {
    check(
        json!({ "lines": [
            { "file": "A.cs", "line": 3, "text": "int a | b;", "at": [1, 2] },
            { "file": "B.cs", "line": 4, "text": "", "at": [3, 4] },
        ] }),
        expect![[r#"
            lines (2): file | line | text | at
              A.cs | 3 | "int a | b;" | [1, 2]
              B.cs | 4 | "" | [3, 4]"#]],
    );
}

#[test]
fn a_table_says_once_what_is_the_same_and_names_what_few_have() {
    check(
        json!({ "objects": [
            { "kind": "scene", "path": "a", "size": 1 },
            { "kind": "scene", "path": "b", "size": 2, "note": "open, unsaved" },
            { "kind": "scene", "path": "c" },
        ] }),
        expect![[r#"
            objects (3; kind: scene): path | size
              a | 1
              b | 2 | note: open, unsaved
              c"#]],
    );
}

#[test]
fn objects_with_long_members_are_items() {
    check(
        json!({ "files": [
            { "file": "a.txt", "found": ["x".repeat(60), "y".repeat(60)], "size": 3 },
            { "file": "b.txt", "found": [], "text": "one\ntwo" },
            ["z"], "plain",
        ], "rows": [
            { "name": "a", "size": 3, "found": ["x".repeat(60), "y".repeat(60)] },
            { "name": "b", "size": 4, "found": [] },
        ] }),
        expect![[r#"
            files (4):
            - file: a.txt
              found (2):
              - xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
              - yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
              size: 3
            - file: b.txt
              text: |-
                one
                two
            - [z]
            - plain
            rows (2): name | size
              a | 3
                found (2):
                - xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                - yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy
              b | 4"#]],
    );
}

#[test]
fn a_tree_has_a_line_per_node() {
    check(
        json!({ "scene": "a.tscn", "root": { "name": "Root", "path": ".", "type": "Node2D", "children": [
            { "name": "Door", "path": "Door", "type": "Area2D", "groups": [], "children": [
                { "name": "Shape", "path": "Door/Shape", "children": [] },
            ] },
            { "name": "Lamp", "path": "Lamp2", "childCount": 3, "children": [] },
            { "name": "C1 … C9", "alike": 9, "childCount": 2, "children": [{ "name": "x", "children": [] }] },
        ] } }),
        expect![[r#"
            scene: a.tscn
            root:
              Root {path: ., type: Node2D}
                Door {type: Area2D}
                  Shape
                Lamp {path: Lamp2} … 3 children
                C1 … C9 {alike: 9} … 1 of 2 children
                  x"#]],
    );
}

#[test]
fn written_files_have_their_diffs_below_them() {
    let diff = "--- a/x.gd\n+++ b/x.gd\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n";
    let changes = json!([
        { "path": "x.gd", "action": "modified", "diff": diff, "added": 1, "removed": 1, "bytes": 9 },
        { "path": "b.png", "action": "renamed", "from": "a.png", "added": 0, "removed": 0, "bytes": 9 },
    ]);
    check(
        json!({ "success": true, "node": "Door", "dryRun": false, "filesChanged": 2, "changes": changes, "undo": 7 }),
        expect![[r#"
            node: Door
            undo: 7
            written:
              modified x.gd, +1 -1 lines
                @@ -1,2 +1,2 @@
                -a
                +b
                 c
              renamed a.png to b.png"#]],
    );
    check(
        json!({ "dryRun": true, "filesChanged": 9, "changes": [changes[1]] }),
        expect![[r#"
            dry run, nothing is written yet: the first 1 of 9 files
              renamed a.png to b.png"#]],
    );
    check(
        json!({ "dryRun": true, "filesChanged": 0, "changes": [] }),
        expect!["dry run: nothing would change"],
    );
}

#[test]
fn no_depth_and_no_size_is_too_much() {
    let mut deep = json!("end");
    for n in 0..120 {
        deep =
            if n % 2 == 0 { json!({ "a": deep, "b": "x".repeat(50) }) } else { json!([deep, "y"]) };
    }
    assert!(text(&json!({ "deep": deep })).contains("end"));
    let wide: Vec<Value> = (0..50_000).map(|n| json!({ "n": n, "m": n * 2 })).collect();
    assert_eq!(text(&json!({ "wide": wide })).lines().count(), 50_001);
}
