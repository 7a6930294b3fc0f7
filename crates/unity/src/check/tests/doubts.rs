//! What the index leaves in doubt is where all findings are: a look at the rest of the file finds
//! nothing more.

use super::super::hierarchy;
use super::super::screen::{Doubts, Screen};
use super::*;
use crate::index::AssetKind;
use crate::judge::Judge;

const BASE: u32 = 0xb0000001;
/// A prefab that the scene has no instance of: what is said of those is part of how it hangs together.
const OTHER: u32 = 0xb0000002;
const LOST: u32 = 0xdead0001;

/// What is found in the scene, when all fields are looked at and when only those in doubt are; and
/// how many objects the latter are said to be at most, if that is said.
fn looks(text: &str) -> (Vec<Finding>, Vec<Finding>, Option<usize>) {
    let dir = Folder::unity(text);
    let store = Store::open(dir.root(), None);
    let index = store.index();
    let judge = Judge::new(&index);
    let screen = Screen::new(&judge);
    let scene = index.of_kind(AssetKind::Scene).next().unwrap();
    let look = |doubts| {
        let expander = Expander::new(Arc::new(Files(index.clone())));
        let mut findings = Vec::new();
        hierarchy::check(&judge, &expander, scene, doubts, &|| false, &mut findings);
        findings
    };
    let doubts = screen.doubts(scene);
    let count = match &doubts {
        Doubts::Some { targets, scripts } => Some(targets.len() + scripts.len()),
        _ => None,
    };
    (look(Doubts::Fields), look(doubts), count)
}

/// A GameObject with a component of a script; their ids start with `base`.
fn object(base: u32, script: &str, more: &str) -> String {
    format!(
        "--- !u!1 &{base}1\nGameObject:\n  m_Component:\n  - component: {{fileID: {base}2}}\n  - component: {{fileID: {base}3}}\n  m_Name: Object{base}\n\
         --- !u!4 &{base}2\nTransform:\n  m_GameObject: {{fileID: {base}1}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n\
         --- !u!114 &{base}3\nMonoBehaviour:\n  m_GameObject: {{fileID: {base}1}}\n  m_Script: {script}\n{more}"
    )
}

fn scene(objects: &[String]) -> String {
    let text = format!("%YAML 1.1\n{}", objects.concat());
    [
        file("Door.cs", DOOR, DOOR_CS),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Other.prefab", OTHER, &prefab("Other", DOOR, "")),
        file("Main.unity", 0xa0000001, &text),
    ]
    .concat()
}

fn script(number: u32) -> String {
    format!("{{fileID: 11500000, guid: {}, type: 3}}", guid(number))
}

#[test]
fn what_is_wrong_is_found_among_what_is_in_doubt() {
    let good = script(DOOR);
    let field = |number: u32, id: i64| {
        format!("  a: {{fileID: {id}, guid: {}, type: 2}}\n  b: {{fileID: 12}}\n", guid(number))
    };
    let mut instance = instance(BASE, &change(BASE, 3)).replace("%YAML 1.1\n", "") + "\n";
    instance = instance.replacen(
        "objectReference: {fileID: 0}",
        &format!("objectReference: {{fileID: 5, guid: {}, type: 2}}", guid(LOST)),
        1,
    );
    let objects = [
        object(1, &good, ""),
        object(2, &good, &field(OTHER, 3)),
        object(3, &good, &field(OTHER, 99)),
        object(4, &script(LOST), ""),
        object(5, "{fileID: 0}", ""),
        object(6, &format!("{{fileID: 0, guid: {:032}, type: 0}}", 0), ""),
        object(7, &good, &field(LOST, 5)),
        instance,
        object(8, &good, &field(OTHER, 99).replace("abc", "ABC")),
    ];
    let (all, doubted, count) = looks(&scene(&objects));
    assert_eq!(all, doubted);
    let kinds = |kind| all.iter().filter(|found| found.kind == kind).count();
    assert_eq!((kinds(FindingKind::BrokenReference), kinds(FindingKind::MissingScript)), (4, 3));
    // Three targets that are lost, one of them a script, and three components.
    assert_eq!(count, Some(6));
}

#[test]
fn where_only_unknown_scripts_are_in_doubt_the_rest_is_passed_over() {
    let (all, doubted, count) = looks(&scene(&[object(1, &script(DOOR), "")]));
    assert!(all.is_empty() && doubted.is_empty());
    assert_eq!(count, Some(0));
}

#[test]
fn a_file_whose_objects_disagree_is_looked_at_whole() {
    let odd = object(1, &script(DOOR), "  a: {fileID: 77}\n");
    let (all, doubted, count) = looks(&scene(&[odd]));
    assert_eq!(count, None);
    assert_eq!(all.len(), 1);
    assert_eq!(all, doubted);
}
