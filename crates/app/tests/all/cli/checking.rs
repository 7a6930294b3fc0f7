//! `check` with a history: what is new since a revision, and what a merge broke.

use serde_json::Value;

use super::merging::Repository;
use super::{stderr, stdout};

/// A material whose shader is nowhere, an asset, and one that can lead to it.
const FILES: [(&str, &str); 8] = [
    ("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.20f1\n"),
    ("Packages/manifest.json", "{\"dependencies\": {}}\n"),
    ("Assets/Old.mat", OLD),
    ("Assets/Old.mat.meta", "guid: abc00000000000000000000000000002\n"),
    ("Assets/Wood.asset", "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Wood\n"),
    ("Assets/Wood.asset.meta", "guid: abc00000000000000000000000000003\n"),
    ("Assets/Door.asset", DOOR),
    ("Assets/Door.asset.meta", "guid: abc00000000000000000000000000004\n"),
];

const OLD: &str = "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Old\n  m_Shader: {fileID: 1, guid: abc0000000000000000000000000dead, type: 3}\n";
const DOOR: &str = "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Door\n  part: {fileID: 0}\n  last: a\n";
/// The same, with something that leads to the asset.
const USES: &str = "%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Door\n  part: {fileID: 11400000, guid: abc00000000000000000000000000003, type: 2}\n  last: a\n";

fn project() -> Repository {
    let repository = Repository::new("a.txt", "x");
    for (path, text) in FILES {
        repository.folder.write(path, text);
    }
    repository.commit("a.txt", "y", "project");
    repository
}

/// The exit code, the files of findings, and how many are not new.
fn check(repository: &Repository, args: &[&str]) -> (Option<i32>, Vec<String>, u64) {
    let output = repository.scenewright(&[&["check", "--format", "json"], args].concat());
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}{}", stdout(&output), stderr(&output)));
    let findings = report["findings"].as_array().unwrap();
    let files = findings.iter().map(|found| found["file"].as_str().unwrap().to_owned());
    let known = report["known"]["count"].as_u64().unwrap_or_default();
    (output.status.code(), files.collect(), known)
}

fn files(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_was_there_at_the_revision_is_counted_and_does_not_fail() {
    let repository = project();
    assert_eq!(check(&repository, &[]), (Some(1), files(&["Assets/Old.mat"]), 0));
    let since = || check(&repository, &["--changed-since", "HEAD"]);
    assert_eq!(since(), (Some(0), Vec::new(), 0), "nothing changed");
    // Changed, re-ordered, with another name: it is the same finding.
    repository.folder.write("Assets/Old.mat", OLD.replace("m_Name: Old", "m_Name: Older"));
    assert_eq!(since(), (Some(0), Vec::new(), 1));
    repository.git(&["mv", "Assets/Old.mat", "Assets/New.mat"]);
    repository.git(&["mv", "Assets/Old.mat.meta", "Assets/New.mat.meta"]);
    assert_eq!(since(), (Some(0), Vec::new(), 1));
    let told = repository.scenewright(&["check", "--changed-since", "HEAD"]);
    let told = stdout(&told);
    assert!(told.contains("0 errors, 0 warnings; 1 in changed files were there at HEAD"), "{told}");
    // One more of them is new, in the same file.
    let more = OLD.to_owned() + "  m_Parent: {fileID: 1, guid: abc0000000000000000000000000dea2}\n";
    repository.folder.write("Assets/New.mat", more);
    assert_eq!(since(), (Some(1), files(&["Assets/New.mat"]), 1));
    assert!(!has_traces(&repository));
}

#[test]
fn what_a_change_breaks_elsewhere_is_new() {
    let repository = project();
    repository.commit("Assets/Door.asset", USES, "uses");
    repository.git(&["rm", "-q", "Assets/Wood.asset", "Assets/Wood.asset.meta"]);
    let since = check(&repository, &["--changed-since", "HEAD"]);
    assert_eq!(since, (Some(1), files(&["Assets/Door.asset"]), 0));
    repository.git(&["commit", "-q", "-m", "gone"]);
    let since = check(&repository, &["--changed-since", "HEAD~1"]);
    assert_eq!(since, (Some(1), files(&["Assets/Door.asset"]), 0));
    let since = check(&repository, &["--changed-since", "HEAD"]);
    assert_eq!(since, (Some(0), Vec::new(), 0), "it was there at HEAD");
}

#[test]
fn an_object_that_was_renamed_brings_nothing_new() {
    let scene = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {fileID: 101}\n  - component: {fileID: 102}\n  m_Name: Door\n--- !u!4 &101\nTransform:\n  m_GameObject: {fileID: 100}\n  m_Children: []\n  m_Father: {fileID: 0}\n--- !u!114 &102\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n  m_Script: {fileID: 11500000, guid: abc0000000000000000000000000dead, type: 3}\n";
    let repository = project();
    repository.folder.write("Assets/a.unity.meta", "guid: abc00000000000000000000000000009\n");
    repository.commit("Assets/a.unity", scene, "scene");
    let all = check(&repository, &["Assets/a.unity"]);
    assert_eq!(all, (Some(1), files(&["Assets/a.unity"]), 0));
    repository.folder.write("Assets/a.unity", scene.replace("Door", "Gate"));
    let since = check(&repository, &["Assets/a.unity", "--changed-since", "HEAD"]);
    assert_eq!(since, (Some(0), Vec::new(), 1));
    // Another object that has the same is new.
    let more =
        scene[scene.find("--- !u!1 ").unwrap()..].replace("&10", "&20").replace(": 10", ": 20");
    let more = scene.replace("Door", "Gate") + &more.replace("Door", "Window");
    repository.folder.write("Assets/a.unity", more);
    let since = check(&repository, &["Assets/a.unity", "--changed-since", "HEAD"]);
    assert_eq!(since, (Some(1), files(&["Assets/a.unity"]), 1));
}

#[test]
fn a_merge_that_broke_a_reference_is_told_and_what_its_parents_had_is_not() {
    let repository = project();
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.git(&["rm", "-q", "Assets/Wood.asset", "Assets/Wood.asset.meta"]);
    repository.commit("b.txt", "b", "without wood");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("Assets/Door.asset", USES, "with wood");
    // Both parents are as whole as they were.
    for parent in ["side", "main"] {
        repository.git(&["checkout", "-q", parent]);
        let all = check(&repository, &[]);
        assert_eq!(all, (Some(1), files(&["Assets/Old.mat"]), 0), "{parent}");
    }
    repository.git(&["merge", "-q", "--no-commit", "side"]);
    let broken = (Some(1), files(&["Assets/Door.asset"]), 1);
    assert_eq!(check(&repository, &["--merge"]), broken, "under way");
    repository.git(&["commit", "-q", "-m", "merge"]);
    assert_eq!(check(&repository, &["--merge"]), broken);
    // What comes after the merge is not the merge's.
    repository.commit("Assets/Door.asset", DOOR, "mended");
    assert_eq!(check(&repository, &["--merge=HEAD~1"]), broken);
    let output = repository.scenewright(&["check", "--merge"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("HEAD is no merge"), "{}", stderr(&output));
    assert!(!has_traces(&repository));
}

#[test]
fn a_merge_of_what_was_broken_on_one_side_broke_nothing() {
    let repository = project();
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.commit("Assets/Door.asset", &USES.replace("0003", "dea2"), "broken here");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("b.txt", "b", "other");
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(check(&repository, &["--merge"]), (Some(0), Vec::new(), 2));
    let told = stdout(&repository.scenewright(&["check", "--merge"]));
    assert!(told.contains("; 2 were there before the merge"), "{told}");
}

#[test]
fn a_godot_merge_that_lost_a_scene_is_told() {
    let main = "[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n";
    let uses = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://door.tscn\" id=\"1\"]\n\n[node name=\"Main\" type=\"Node\"]\n\n[node name=\"Door\" parent=\".\" instance=ExtResource(\"1\")]\n";
    let repository = Repository::new("project.godot", "config_version=5\n");
    repository.folder.write("door.tscn", main);
    repository.commit("main.tscn", main, "scenes");
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.git(&["rm", "-q", "door.tscn"]);
    repository.commit("b.txt", "b", "without door");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("main.tscn", uses, "with door");
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    let (code, found, known) = check(&repository, &["--merge"]);
    assert_eq!((code, known), (Some(1), 0));
    assert!(found.iter().all(|file| file == "main.tscn") && !found.is_empty(), "{found:?}");
}

/// Whether a folder with files of a revision was left in git's own.
fn has_traces(repository: &Repository) -> bool {
    let held = std::fs::read_dir(repository.folder.path(".git")).unwrap();
    held.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("scenewright-past"))
}
