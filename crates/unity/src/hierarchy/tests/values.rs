//! Values after the overrides of several files.

use expect_test::{Expect, expect};

use super::*;

const SCRIPT: &str = "--- !u!114 &40\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n  m_Enabled: 1\n  list:\n  - a\n  - b\n  empty: []\n  self: {fileID: 11}\n  targets:\n  - {fileID: 20}\n  nested:\n    inner: {x: 1, y: 2}\n    rows:\n    - name: one\n      refs:\n      - {fileID: 20}\n  hex: 0a000000\n";

/// The script after overrides of a prefab around it and of the scene around that.
fn expand_script(inner: &str, outer: &str) -> Hierarchy {
    let prefab =
        object(10, "P", 0, &[21]).replacen("  m_Name", "  - component: {fileID: 40}\n  m_Name", 1)
            + &object(20, "Q", 11, &[])
            + SCRIPT;
    let middle = instance(1000, '1', 0, &format!("m_Modifications:\n{inner}"));
    let scene =
        object(1, "Top", 0, &[]) + &instance(5000, '2', 0, &format!("m_Modifications:\n{outer}"));
    expand(&[('e', "S.unity", scene), ('1', "P.prefab", prefab), ('2', "M.prefab", middle)])
}

fn script(hierarchy: &Hierarchy) -> Component<'_> {
    hierarchy.find_by_path("P").unwrap().components().remove(1)
}

const OUTER: i64 = 1000 ^ 40;

fn check(inner: &str, outer: &str, paths: &[&str], expected: Expect) {
    let hierarchy = expand_script(inner, outer);
    let script = script(&hierarchy);
    let mut shown = String::new();
    for path in paths {
        let value = script.value(path);
        let by = value.as_ref().and_then(|value| value.overridden_by);
        let by = by.and_then(|guid| hierarchy.expander.path(guid)).unwrap_or_else(|| "-".into());
        writeln!(shown, "{path} = {} by {by}", value.map_or("nothing".into(), |v| spell(&v)))
            .unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn the_outermost_override_wins() {
    check(
        &(set('1', 40, "nested.inner.x", "5") + &set('1', 40, "nested.inner.y", "6")),
        &set('2', OUTER, "nested.inner.x", "7"),
        &["nested.inner.x", "nested.inner.y", "nested.inner", "list", "m_Enabled"],
        expect![[r#"
            nested.inner.x = "7" by S.unity
            nested.inner.y = "6" by M.prefab
            nested.inner = {x: "7", y: "6"} by S.unity
            list = ["a", "b"] by -
            m_Enabled = "1" by -
        "#]],
    );
}

#[test]
fn lists_grow_and_shrink() {
    check(
        &(set('1', 40, "'list.Array.data[2]'", "c")
            + &set('1', 40, "list.Array.size", "4")
            + &set('1', 40, "empty.Array.size", "2")
            + &set('1', 40, "'empty.Array.data[1].a'", "z")),
        &(set('2', OUTER, "targets.Array.size", "0")
            + &set('2', OUTER, "'nested.rows.Array.data[0].name'", "two")
            + &set('2', OUTER, "nested.rows.Array.size", "2")),
        &[
            "list",
            "list.Array.size",
            "list.Array.data[3]",
            "list.Array.data[4]",
            "empty",
            "targets",
            "targets.Array.size",
            "nested.rows",
            "nested.rows.Array.data[1].refs.Array.size",
        ],
        expect![[r#"
            list = ["a", "b", "c", "b"] by M.prefab
            list.Array.size = "4" by M.prefab
            list.Array.data[3] = "b" by M.prefab
            list.Array.data[4] = nothing by -
            empty = ["", {a: "z"}] by M.prefab
            targets = [] by S.unity
            targets.Array.size = "0" by S.unity
            nested.rows = [{name: "two", refs: [&20]}, {name: "one", refs: [&20]}] by S.unity
            nested.rows.Array.data[1].refs.Array.size = "1" by -
        "#]],
    );
}

#[test]
fn fields_the_file_does_not_have() {
    check(
        &set('1', 40, "fresh.deep", "1"),
        &(set('2', OUTER, "'more.Array.data[0]'", "1")
            + &set('2', OUTER, "more.Array.size", "1")
            + &set('2', OUTER, "'hex.Array.data[0]'", "1")),
        &["fresh", "fresh.deep", "more", "hex", "nothing"],
        expect![[r#"
            fresh = {deep: "1"} by M.prefab
            fresh.deep = "1" by M.prefab
            more = ["1"] by S.unity
            hex = "0a000000" by S.unity
            nothing = nothing by -
        "#]],
    );
}

#[test]
fn wild_overrides_do_no_harm() {
    let deep = "a.".repeat(100_000);
    let inner = set('1', 40, "list.Array.size", "999999999999")
        + &set('1', 40, "targets.Array.size", "-1")
        + &set('1', 40, "'list.Array.data[99999999999999999999999]'", "x")
        + &set('1', 40, "'list.Array.data['", "x")
        + &set('1', 40, &deep, "x")
        + &set('1', 40, "", "x");
    check(
        &inner,
        "",
        &["list", "targets", "", "m_Enabled"],
        expect![[r#"
            list = ["a", "b"] by M.prefab
            targets = [&20] by M.prefab
             = {} by -
            m_Enabled = "1" by -
        "#]],
    );
}

#[test]
fn fields_are_those_of_the_file_and_of_overrides() {
    let hierarchy = expand_script(
        &(set('1', 40, "m_Enabled", "0") + &set('1', 40, "", "x")),
        &set('2', OUTER, "fresh", "1"),
    );
    let script = script(&hierarchy);
    assert_eq!(script.enabled(), Some(false));
    assert!(script.is_overridden() && !script.is_added());
    let shown: Vec<_> =
        script.fields().map(|(key, value)| format!("{key}: {}", spell(&value))).collect();
    expect![[r#"
        m_GameObject: &10
        m_Enabled: "0"
        list: ["a", "b"]
        empty: []
        self: &11
        targets: [&20]
        nested: {inner: {x: "1", y: "2"}, rows: [{name: "one", refs: [&20]}]}
        hex: "0a000000"
        fresh: "1""#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn references_count_from_the_file_that_states_them() {
    let lists = change('1', 40, "self", "", &format!("{{fileID: {}}}", 1000 ^ 20))
        + &change('1', 40, "'targets.Array.data[0]'", "", "{fileID: 12345}");
    let outer =
        change('2', OUTER, "nested.rows.Array.data[0].refs.Array.data[0]", "", "{fileID: 1}");
    let hierarchy = expand_script(&lists, &outer);
    let mut shown = String::new();
    for link in hierarchy.find_by_path("P").unwrap().references() {
        writeln!(shown, "{}: {:?}", link.path, link.target).unwrap();
    }
    expect![[r#"
        self: Node(Node("Q"))
        targets.Array.data[0]: BrokenLocal { file: 22222222222222222222222222222222, file_id: FileId(12345) }
        nested.rows.Array.data[0].refs.Array.data[0]: Node(Node("Top"))
    "#]].assert_eq(&shown);
}

#[test]
fn references_to_what_is_removed_are_broken() {
    let scene = instance(
        5000,
        '1',
        0,
        "m_RemovedGameObjects:\n- {fileID: 20}\nm_RemovedComponents:\n- {fileID: 50}",
    );
    let prefab = object(10, "P", 0, &[21]).replacen(
        "  m_Name",
        "  - component: {fileID: 40}\n  - component: {fileID: 50}\n  m_Name",
        1,
    ) + &object(20, "Q", 11, &[31])
        + &object(30, "R", 21, &[])
        + "--- !u!108 &50\nLight:\n  m_GameObject: {fileID: 10}\n"
        + "--- !u!114 &40\nMonoBehaviour:\n  m_GameObject: {fileID: 10}\n  a: {fileID: 20}\n  b: {fileID: 30}\n  c: {fileID: 31}\n  d: {fileID: 50}\n  e: {fileID: 10}\n  f: {fileID: 0}\n";
    let hierarchy = expand(&[('e', "S.unity", scene), ('1', "P.prefab", prefab)]);
    let links = hierarchy.roots()[0].references();
    let shown: Vec<_> = links
        .iter()
        .map(|link| match link.target {
            Target::BrokenLocal { file_id, .. } => format!("{} broken {file_id}", link.path),
            _ => format!("{} {:?}", link.path, link.target),
        })
        .collect();
    expect![[r#"
        a broken 20
        b broken 30
        c broken 31
        d broken 50
        e Node(Node("P"))
        f Null"#]]
    .assert_eq(&shown.join("\n"));
}
