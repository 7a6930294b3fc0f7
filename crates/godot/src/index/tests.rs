//! Snapshots of small projects, and what a change reads again.

use std::fs;

use expect_test::expect;
use scenewright_fixture::Folder;

use super::*;
use crate::Tree;

const PROJECT: &str = r#"
//- project.godot
config_version=5
[application]
run/main_scene="uid://main"
config/icon="res://icon.svg"
[autoload]
State="*res://state.gd"
[editor_plugins]
enabled=PackedStringArray("res://addons/tool/plugin.cfg")
[input]
jump={"events": []}
//- main.tscn
[gd_scene format=3 uid="uid://main"]
[ext_resource type="PackedScene" uid="uid://coin" path="res://old.tscn" id="1"]
[ext_resource type="Script" path="state.gd" id="2"]
[ext_resource type="Texture2D" path="res://gone.png" id="3"]
[node name="Main" type="Node2D" groups=["level"]]
script = ExtResource("2")
file = "res://notes.txt"
[node name="Coin" parent="." groups=["coins", "level"] instance=ExtResource("1")]
//- sub/coin.tscn
[gd_scene format=3 uid="uid://coin"]
[node name="Coin" type="Area2D"]
//- state.gd
class_name State
extends Base
const COIN = preload("res://sub/coin.tscn")
var lost = load("res://lost.gd")
var text = "res://made/%d.tscn"
//- state.gd.uid
uid://state
//- base.gd
class_name Base extends "node_base.gd"
//- node_base.gd
extends Node
//- icon.svg
//- icon.svg.import
[remap]
importer="texture"
type="CompressedTexture2D"
uid="uid://icon"
path="res://.godot/imported/icon.ctex"
[deps]
source_file="res://icon.svg"
dest_files=["res://.godot/imported/icon.ctex"]
//- ignored/.gdignore
//- ignored/x.gd
//- .godot/y.gd
//- copy.tres
[gd_resource type="Theme" format=3 uid="uid://coin"]
[resource]
"#;

#[test]
fn knows_files_uids_and_users() {
    let dir = Folder::files(PROJECT);
    let index = Index::build(dir.root(), None);
    let mut shown = String::new();
    for file in index.files() {
        let uid = index.uid_of(&file.path).unwrap_or("-");
        let class = file.class.as_deref().unwrap_or("-");
        shown += &format!("{} {:?} {uid} {class}\n", file.path, file.kind);
        for used in &file.uses {
            let target = index.target_of(used).map_or("MISSING", |file| &file.path);
            shown += &format!("    {}: {:?} {target}\n", used.line, used.kind);
        }
    }
    for IndexProblem { path, message, .. } in index.problems() {
        shown += &format!("{path}: {message}\n");
    }
    expect![[r#"
        base.gd Script - res://node_base.gd
            1: Load node_base.gd
        copy.tres Resource uid://coin Theme
        icon.svg Other uid://icon -
        icon.svg.import Import uid://icon CompressedTexture2D
            7: ImportSource icon.svg
        main.tscn Scene uid://main Node2D
            2: ExtResource sub/coin.tscn
            3: ExtResource state.gd
            4: ExtResource MISSING
            7: Text MISSING
        node_base.gd Script - Node
        project.godot Settings - -
            3: MainScene main.tscn
            6: Autoload state.gd
            8: Plugin MISSING
            4: Text icon.svg
        state.gd Script uid://state Base
            3: Load sub/coin.tscn
            4: Load MISSING
        state.gd.uid Uid uid://state -
        sub/coin.tscn Scene uid://coin Area2D
        sub/coin.tscn: `copy.tres` has the same uid, uid://coin
    "#]]
    .assert_eq(&shown);
    let users = |path| index.users(path).map(|(file, _)| file.path.clone()).collect::<Vec<_>>();
    assert_eq!(users("res://state.gd"), ["main.tscn", "project.godot"]);
    assert_eq!(users("sub/coin.tscn"), ["main.tscn", "state.gd"]);
    let missing: Vec<_> =
        index.missing().map(|missing| missing.wanted.path.clone().unwrap_or_default()).collect();
    assert_eq!(missing, ["res://gone.png", "res://addons/tool/plugin.cfg", "res://lost.gd"]);
    assert_eq!(index.engine_base("State"), Some("Node"));
    assert_eq!(index.by_uid("uid://icon").map(|file| &*file.path), Some("icon.svg"));
    assert_eq!(index.by_path("project.godot").unwrap().actions, ["jump"]);
    assert_eq!(index.by_path("main.tscn").unwrap().groups, ["level", "coins"]);
}

#[test]
fn trees_are_built_from_it() {
    let dir = Folder::files(&PROJECT.replace("copy.tres", "ignored/copy.tres"));
    let index = Index::build(dir.root(), None);
    let tree = Tree::build("res://main.tscn", &index).unwrap();
    let coin = tree.node("Coin").unwrap();
    assert_eq!(coin.class.as_deref(), Some("Area2D"));
    assert_eq!(coin.instance.as_deref(), Some("res://sub/coin.tscn"));
    assert_eq!(tree.root().unwrap().script().as_deref(), Some("state.gd"));
}

#[test]
fn only_changes_are_read_again() {
    let dir = Folder::files(PROJECT);
    for file in Index::build(dir.root(), None).files() {
        let long_ago =
            std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        let file = fs::File::options().write(true).open(dir.path(&file.path)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let store = Store::open(dir.root());
    let before = store.index();
    assert!(Arc::ptr_eq(&before, &store.rebuild()));
    fs::write(dir.path("base.gd"), "class_name Other\n").unwrap();
    fs::write(dir.path("new.gd"), "extends Base\n").unwrap();
    fs::remove_file(dir.path("state.gd")).unwrap();
    let after = store.rebuild();
    assert!(after.class("Base").is_none() && after.class("Other").is_some());
    let changes = store.changes_since(1);
    let shown: Vec<_> =
        changes.changes.iter().map(|one| format!("{} {:?}", one.path, one.kind)).collect();
    assert_eq!(shown, ["base.gd Modified", "new.gd Added", "state.gd Removed"]);
    assert!(changes.complete && changes.now == 2 && !store.changes_since(0).complete);
    let kept = |index: &Index| index.files[index.position("main.tscn").unwrap()].clone();
    assert!(Arc::ptr_eq(&kept(&before), &kept(&after)));
}

#[test]
fn only_named_paths_are_looked_at_again() {
    let dir = Folder::files(PROJECT);
    let store = Store::open(dir.root());
    let refresh = |paths: &[&str]| {
        let start = store.generation();
        store.refresh(&paths.iter().map(|path| dir.path(path)).collect::<Vec<_>>());
        let changes = store.changes_since(start).changes;
        assert_eq!(
            store.index().files().map(|file| &*file.path).collect::<Vec<_>>(),
            Index::build(dir.root(), None).files().map(|file| &*file.path).collect::<Vec<_>>(),
        );
        changes.iter().map(|one| format!("{} {:?}", one.path, one.kind)).collect::<Vec<_>>()
    };
    let write = |path: &str, text: &str| fs::write(dir.path(path), text).unwrap();
    assert_eq!(refresh(&["base.gd", "main.tscn", ".godot/y.gd", "../elsewhere"]), [""; 0]);
    write("base.gd", "class_name Other\n");
    write("sub/new.gd", "class_name New\n");
    fs::remove_file(dir.path("state.gd")).unwrap();
    assert_eq!(
        refresh(&["base.gd", "sub/new.gd", "state.gd"]),
        ["base.gd Modified", "state.gd Removed", "sub/new.gd Added"]
    );
    assert!(store.index().class("Base").is_none() && store.index().class("New").is_some());
    // A folder takes a walk: of it nobody knows yet whether the engine looks into it.
    fs::create_dir_all(dir.path("made/ignored")).unwrap();
    write("made/ignored/.gdignore", "");
    write("made/a.gd", "");
    write("made/ignored/b.gd", "");
    assert_eq!(refresh(&["made/ignored/b.gd"]), ["made/a.gd Added"]);
    write("sub/.gdignore", "");
    assert_eq!(refresh(&["sub/.gdignore"]), ["sub/coin.tscn Removed", "sub/new.gd Removed"]);
    fs::remove_dir_all(dir.path("made")).unwrap();
    assert_eq!(refresh(&["made"]), ["made/a.gd Removed"]);
    let problems = Index::build(dir.root(), None).problems;
    assert_eq!(store.index().problems, problems);
}

#[test]
fn a_file_read_again_to_be_sure_is_no_change() {
    let dir = Folder::files("//- project.godot\n//- a.gd\nextends Node\n");
    let store = Store::open(dir.root());
    store.rebuild();
    assert_eq!((store.generation(), store.changes_since(1).changes), (1, vec![]));
}

#[test]
fn code_loads_or_only_names() {
    let dir = Folder::files(
        "//- project.godot\n//- a.cs\nvar a = GD.Load<Texture2D>(\"res://a.png\");\nvar b = \"res://b.png\";\nLoad( \"uid://c\");\n//- a.gdshader\n#include \"res://d.gdshaderinc\"\n",
    );
    let index = Index::build(dir.root(), None);
    let uses = index.files().flat_map(|file| &file.uses);
    let shown: Vec<_> = uses.map(|used| format!("{} {:?}", used.line, used.kind)).collect();
    assert_eq!(shown, ["1 Load", "2 Text", "3 Load", "1 Load"]);
}

#[test]
fn the_sample_has_nothing_missing() {
    let samples = scenewright_fixture::sample("godot");
    let index = Index::build(&samples, None);
    assert!(index.len() > 20);
    assert_eq!(index.problems(), []);
    let missing: Vec<_> = index.missing().map(|missing| format!("{missing:?}")).collect();
    assert_eq!(missing, Vec::<String>::new());
    assert_eq!(index.engine_base("Player"), Some("CharacterBody2D"));
}
