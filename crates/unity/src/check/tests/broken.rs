//! The screen clears what is in order, and nothing else.

use super::super::hierarchy;
use super::super::screen::Doubts;
use super::*;

/// Puts a file beside a script and a prefab, and says whether the screen clears it and what the
/// expansion finds in it.
fn judge(path: &str, content: &str) -> (bool, usize) {
    let text = [
        file("Door.cs", DOOR, DOOR_CS),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file(path, 0xa0000009, content),
    ];
    let dir = Folder::unity(&text.concat());
    let store = Store::open(dir.root(), None);
    let index = store.index();
    let asset = index.by_path(&format!("Assets/{path}")).unwrap();
    let expander = Expander::new(Arc::new(Files(index.clone())));
    let judge = Judge::new(&index);
    let screen = Screen::new(&judge);
    let look = |doubts| {
        let mut findings = Vec::new();
        hierarchy::check(&judge, &expander, asset, doubts, &|| false, &mut findings);
        findings
    };
    let findings = look(Doubts::All);
    assert_eq!(look(screen.doubts(asset)), findings, "where the index has no doubt");
    (screen.clears(asset), findings.len())
}

const BASE: u32 = 0xb0000001;

#[test]
fn files_in_order_are_cleared() {
    let nested = format!(
        "{}\n--- !u!4 &102 stripped\nTransform:\n  m_CorrespondingSourceObject: {{fileID: 2, guid: {}, type: 3}}\n  m_PrefabInstance: {{fileID: 100}}\n\
         --- !u!1 &5\nGameObject:\n  m_Component:\n  - component: {{fileID: 6}}\n  m_Name: Below\n--- !u!4 &6\nTransform:\n  m_GameObject: {{fileID: 5}}\n  m_Father: {{fileID: 102}}",
        instance(BASE, &change(BASE, 1)),
        guid(BASE)
    );
    for content in [
        prefab("A", DOOR, "  target: {fileID: 2}\n  none: {fileID: 0}"),
        instance(BASE, " []"),
        instance(BASE, &change(BASE, 3)),
        nested,
    ] {
        assert_eq!(judge("A.prefab", &content), (true, 0), "{content}");
    }
}

#[test]
fn what_is_broken_is_not_cleared() {
    let whole = prefab("A", DOOR, "  target: {fileID: 2}");
    let second = "--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 0}\n";
    for (what, content) in [
        ("a reference to nothing", whole.replace("target: {fileID: 2}", "target: {fileID: 9}")),
        ("a lost script", prefab("A", 0xdead, "")),
        ("a null script", whole.replace("m_Script: {fileID: 11500000", "m_Script: {fileID: 0} #")),
        (
            "a father that is not there",
            whole.replace("m_Father: {fileID: 0}", "m_Father: {fileID: 8}"),
        ),
        (
            "an object that is its father",
            whole.replace("m_Father: {fileID: 0}", "m_Father: {fileID: 2}"),
        ),
        ("a child of nobody", whole.replace("m_Children: []", "m_Children:\n  - {fileID: 8}")),
        (
            "a component that is not there",
            whole.replace("component: {fileID: 3}", "component: {fileID: 7}"),
        ),
        ("no transform", whole.replace("!u!4 &2", "!u!33 &2")),
        ("an id twice", format!("{whole}\n{second}")),
        ("a prefab that is gone", instance(0xdead, " []")),
        ("an override of nothing", instance(BASE, &change(BASE, 44))),
        ("an override elsewhere", instance(BASE, &change(DOOR, 1))),
        (
            "roots that are none",
            format!("{whole}\n--- !u!1660057539 &9\nSceneRoots:\n  m_Roots:\n  - {{fileID: 3}}"),
        ),
    ] {
        let (is_cleared, findings) = judge("A.prefab", &content);
        assert!(findings > 0, "{what}: the example is not broken");
        assert!(!is_cleared, "{what}");
    }
}

#[test]
fn nothing_is_found_in_what_is_cleared_of_the_sample() {
    let root = scenewright_fixture::sample("unity");
    let store = Store::open(&root, None);
    let index = store.index();
    let judge = Judge::new(&index);
    let (screen, expander) = (Screen::new(&judge), Expander::new(Arc::new(Files(index.clone()))));
    let judged = index.assets().filter(|asset| is_judged(*asset, Scope::All));
    let (cleared, others): (Vec<_>, Vec<_>) = judged.partition(|asset| screen.clears(*asset));
    let mut findings = Vec::new();
    let is_hierarchy =
        |asset: &Asset<'_>| matches!(asset.kind(), AssetKind::Scene | AssetKind::Prefab);
    for asset in cleared.iter().filter(|asset| is_hierarchy(asset)) {
        hierarchy::check(&judge, &expander, *asset, Doubts::All, &|| false, &mut findings);
    }
    assert_eq!(findings, []);
    assert!(cleared.len() > others.len(), "{} against {others:?}", cleared.len());
}
