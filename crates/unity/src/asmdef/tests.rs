//! Graphs written one assembly to a line.

use expect_test::{Expect, expect};

use super::*;

fn guid_of(letter: char) -> Guid {
    Guid::parse(letter.to_string().repeat(32)).unwrap()
}

/// Each line is `Name[!?] : reference reference`; `!` makes it editor-only, `?` one of tests.
fn graph(text: &str) -> Graph {
    let assemblies = text.lines().enumerate().map(|(number, line)| {
        let (name, references) = line.split_once(':').unwrap_or((line, ""));
        let editor = if name.contains('!') { "\"Editor\"" } else { "" };
        let test = if name.contains('?') { "\"UNITY_INCLUDE_TESTS\"" } else { "" };
        let name = name.trim().trim_end_matches(['!', '?']);
        let list: Vec<String> =
            references.split_whitespace().map(|r| format!("\"{}\"", r.replace('@', ":"))).collect();
        let json = format!(
            r#"{{"name":"{name}","references":[{}],"includePlatforms":[{editor}],"defineConstraints":[{test}]}}"#,
            list.join(",")
        );
        let guid = Some(guid_of(char::from(b'a' + number as u8)));
        Assembly::parse(&format!("Assets/{number}/{name}.asmdef"), guid, json.as_bytes()).unwrap()
    });
    Graph::new(assemblies.collect(), Vec::new())
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(&graph(text).check(Presence::Complete, &|_| true)));
}

fn show(report: &Report) -> String {
    let mut shown = String::new();
    report.cycles.iter().for_each(|cycle| shown += &format!("cycle {}\n", cycle.join(" ")));
    for Finding { kind, path, about } in &report.findings {
        shown += &format!("{kind:?} {path} {about}\n");
    }
    shown + &format!("longest {}\n", report.longest.join(" "))
}

#[test]
fn finds_cycles_and_the_longest_chain() {
    check(
        "App : Core Ui\nUi : Core Net\nNet : Ui\nCore : Base\nBase\nSelf : Self",
        expect![[r#"
            cycle Net Ui
            cycle Self
            longest App Ui Core Base
        "#]],
    );
}

#[test]
fn a_cycle_is_told_in_the_order_of_its_references() {
    check(
        "A : D\nB : A\nC : B\nD : C",
        expect![[r#"
            cycle A D C B
            longest A
        "#]],
    );
}

#[test]
fn guids_and_names_are_followed() {
    check(
        &format!("A : GUID@{} C\nB\nC : GUID@{}", guid_of('b'), guid_of('f')),
        expect![[r#"
            DeadReference Assets/2/C.asmdef GUID:ffffffffffffffffffffffffffffffff
            longest A B
        "#]],
    );
}

#[test]
fn runtime_code_must_not_use_the_editor_s() {
    check(
        "Game : Tools\nTools! : Game\nMore! : Tools",
        expect![[r#"
            cycle Game Tools
            EditorOnly Assets/0/Game.asmdef Tools
            longest More Tools
        "#]],
    );
}

#[test]
fn names_and_folders_are_unique() {
    let at = |path| Assembly::parse(path, None, br#"{"name":"A"}"#).unwrap();
    let assemblies = vec![at("Assets/A.asmdef"), at("Assets/B.asmdef"), at("Packages/x/A.asmdef")];
    let report = Graph::new(assemblies, Vec::new()).check(Presence::Complete, &|_| true);
    expect![[r#"
        DuplicateName Assets/B.asmdef Assets/A.asmdef
        DuplicateName Packages/x/A.asmdef Assets/A.asmdef
        SharedFolder Assets/B.asmdef Assets/A.asmdef
        longest A
    "#]]
    .assert_eq(&show(&report));
}

#[test]
fn what_a_missing_package_may_have_is_not_called_dead() {
    let extension = Extension::parse("Assets/X.asmref", br#"{"reference":"Gone"}"#).unwrap();
    let assembly = Assembly::parse("Assets/A.asmdef", None, br#"{"name":"A","references":["B"]}"#);
    let graph = Graph::new(vec![assembly.unwrap()], vec![extension]);
    let kinds = |presence| -> Vec<FindingKind> {
        graph.check(presence, &|_| true).findings.iter().map(|finding| finding.kind).collect()
    };
    assert_eq!(kinds(Presence::Partial), [FindingKind::Undecided, FindingKind::Undecided]);
    let dead = [FindingKind::DeadReference, FindingKind::DeadExtension];
    assert_eq!(kinds(Presence::Complete), dead);
}

#[test]
fn only_what_is_asked_for_is_judged() {
    let graph = graph("A : B Gone\nB : C\nC : B\nD : Lost");
    let report = graph.check(Presence::Complete, &|path| path.ends_with("A.asmdef"));
    expect![[r#"
        DeadReference Assets/0/A.asmdef Gone
        longest A B
    "#]]
    .assert_eq(&show(&report));
}

#[test]
fn deep_chains_do_not_recurse() {
    let text: String = (0..5000).map(|n| format!("N{n} : N{}\n", n + 1)).collect();
    let assemblies = text.lines().map(|line| {
        let (name, reference) = line.split_once(" : ").unwrap();
        let json = format!(r#"{{"name":"{name}","references":["{reference}"]}}"#);
        Assembly::parse(&format!("Assets/{name}/a.asmdef"), None, json.as_bytes()).unwrap()
    });
    let graph = Graph::new(assemblies.collect(), Vec::new());
    assert_eq!(graph.check(Presence::Complete, &|_| true).longest.len(), 5000);
}

#[test]
fn broken_files_say_what_is_wrong() {
    let message = |text: &str| Assembly::parse("a", None, text.as_bytes()).unwrap_err().to_string();
    assert_eq!(message("{"), "not JSON: EOF while parsing an object at line 1 column 1");
    assert_eq!(message("[]"), "it has no \"name\"");
    assert!(Assembly::parse("a", None, "\u{feff}{\"name\":\"A\"}".as_bytes()).is_ok());
    let error = Extension::parse("a", br#"{"reference":""}"#).unwrap_err();
    assert_eq!(error, AsmdefError::Missing("reference"));
}

#[test]
fn links_are_names_or_guids() {
    let guid = guid_of('a');
    assert_eq!(Link::parse(&format!("GUID:{guid}")), Some(Link::Guid(guid)));
    assert_eq!(Link::parse("GUID:12"), Some(Link::Name("GUID:12".to_owned())));
    assert_eq!(Link::parse("Überbau"), Some(Link::Name("Überbau".to_owned())));
    assert_eq!(Link::parse(" "), None);
}

#[test]
fn tests_may_use_what_only_the_editor_has() {
    check(
        "Game : Tool\nTests? : Tool\nTool!",
        expect![[r#"
            EditorOnly Assets/0/Game.asmdef Tool
            longest Game Tool
        "#]],
    );
}
