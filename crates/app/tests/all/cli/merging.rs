//! Merges with the real git: driver, rebase, cherry-pick, stash, conflicts and how they are decided.

use std::path::Path;
use std::process::{Command, Output};

use scenewright_fixture::Folder;
use serde_json::Value;

use super::{command, stderr, stdout};

const SCENE: &str = "\
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &100
GameObject:
  m_Component:
  - component: {fileID: 101}
  m_Layer: 0
  m_Name: Door
--- !u!4 &101
Transform:
  m_GameObject: {fileID: 100}
  m_LocalPosition: {x: 1, y: 2, z: 3}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_Children: []
  m_Father: {fileID: 0}
";

/// A repository with a scene, and git that knows the driver.
pub(super) struct Repository {
    pub(super) folder: Folder,
}

impl Repository {
    pub(super) fn new(file: &str, text: &str) -> Repository {
        let repository = Repository { folder: Folder::empty() };
        repository.git(&["init", "-q", "-b", "main"]);
        repository.git(&["config", "user.email", "a@example.com"]);
        repository.git(&["config", "user.name", "A"]);
        repository.git(&["config", "core.autocrlf", "false"]);
        let installed = repository.scenewright(&["git", "install"]);
        assert_eq!(installed.status.code(), Some(0), "{}", stderr(&installed));
        repository.commit(file, text, "start");
        repository
    }

    fn root(&self) -> &Path {
        self.folder.root()
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new("git");
        command.current_dir(self.root()).args(args).env("HOME", self.root());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_EDITOR", "true");
        command.output().expect("git is installed")
    }

    pub(super) fn git(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "git {args:?}: {}{}", stdout(&output), stderr(&output));
        stdout(&output)
    }

    pub(super) fn scenewright(&self, args: &[&str]) -> Output {
        command(self.root()).args(args).env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap()
    }

    pub(super) fn commit(&self, file: &str, text: &str, message: &str) {
        self.folder.write(file, text);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path(file)).unwrap()
    }

    /// `main` has ours, `side` has theirs.
    fn branches(&self, file: &str, ours: &str, theirs: &str) {
        self.git(&["checkout", "-q", "-b", "side"]);
        self.commit(file, theirs, "theirs");
        self.git(&["checkout", "-q", "main"]);
        self.commit(file, ours, "ours");
    }
}

/// Changes of one line each, beside each other: git's own merge has a conflict.
fn sides() -> (String, String, String) {
    let ours = SCENE.replace("m_Layer: 0", "m_Layer: 5");
    let theirs = SCENE.replace("m_Name: Door", "m_Name: Gate");
    let both = ours.replace("m_Name: Door", "m_Name: Gate");
    (ours, theirs, both)
}

#[test]
fn git_merges_rebases_picks_and_unstashes_with_the_driver() {
    let (ours, theirs, both) = sides();
    for way in [
        &["merge", "-q", "--no-edit", "side"][..],
        &["rebase", "-q", "side"],
        &["cherry-pick", "side"],
    ] {
        let repository = Repository::new("a.unity", SCENE);
        repository.branches("a.unity", &ours, &theirs);
        repository.git(way);
        assert_eq!(repository.read("a.unity"), both, "{way:?}");
    }
    let repository = Repository::new("a.unity", SCENE);
    repository.folder.write("a.unity", &theirs);
    repository.git(&["stash", "-q"]);
    repository.commit("a.unity", &ours, "ours");
    repository.git(&["stash", "pop", "-q"]);
    assert_eq!(repository.read("a.unity"), both);
}

#[test]
fn without_the_driver_git_has_a_conflict() {
    let (ours, theirs, _) = sides();
    let repository = Repository::new("a.unity", SCENE);
    assert_eq!(repository.scenewright(&["git", "install", "--check"]).status.code(), Some(0));
    let undone = repository.scenewright(&["git", "uninstall"]);
    assert_eq!(undone.status.code(), Some(0), "{}", stderr(&undone));
    assert!(!repository.folder.path(".gitattributes").exists());
    assert_eq!(repository.scenewright(&["git", "install", "--check"]).status.code(), Some(1));
    repository.branches("a.unity", &ours, &theirs);
    assert!(!repository.run(&["merge", "--no-edit", "side"]).status.success());
    assert!(repository.read("a.unity").contains("\n<<<<<<< HEAD"));
    // What is in conflict already is merged from the index.
    let merged = repository.scenewright(&["merge", "--all", "--add"]);
    assert_eq!(merged.status.code(), Some(0), "{}{}", stdout(&merged), stderr(&merged));
    assert_eq!(repository.read("a.unity"), sides().2);
    repository.git(&["commit", "-q", "--no-edit"]);
}

#[test]
fn a_program_that_is_gone_leaves_the_markers_of_git() {
    let (ours, theirs, _) = sides();
    let repository = Repository::new("a.unity", SCENE);
    let driver = repository.git(&["config", "merge.scenewright.driver"]);
    let gone = driver.trim().replace(env!("CARGO_BIN_EXE_scenewright"), "/nowhere/scenewright");
    assert_ne!(gone, driver.trim());
    repository.git(&["config", "merge.scenewright.driver", &gone]);
    repository.branches("a.unity", &ours, &theirs);
    assert!(!repository.run(&["merge", "--no-edit", "side"]).status.success());
    let text = repository.read("a.unity");
    assert!(text.contains("<<<<<<< ours") && text.contains(">>>>>>> theirs"), "{text}");
}

#[test]
fn a_conflict_is_marked_listed_and_decided() {
    let ours = SCENE.replace("m_Layer: 0", "m_Layer: 5");
    let theirs = SCENE.replace("m_Layer: 0", "m_Layer: 6").replace("m_Name: Door", "m_Name: Gate");
    let repository = Repository::new("Assets/a.unity", SCENE);
    repository.branches("Assets/a.unity", &ours, &theirs);
    let merge = repository.run(&["merge", "--no-edit", "side"]);
    assert_eq!(merge.status.code(), Some(1), "{}", stderr(&merge));
    assert!(stderr(&merge).contains("GameObject.m_Layer"), "{}", stderr(&merge));
    let marked = repository.read("Assets/a.unity");
    assert!(
        marked
            .contains("# <<<<<<< GameObject.m_Layer: ours in place | theirs: 6 | base: 0 >>>>>>>"),
        "{marked}"
    );
    assert!(marked.contains("m_Layer: 5") && marked.contains("m_Name: Gate"));
    assert!(repository.folder.path("Assets/a.unity.conflict.json").exists());
    assert!(!repository.git(&["status", "--porcelain"]).contains("conflict.json"));
    let listed = repository.scenewright(&["merge", "Assets/a.unity", "--list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed[0]["conflicts"][0]["id"], "100#GameObject.m_Layer");
    let wrong = repository.scenewright(&["merge", "Assets/a.unity", "--resolve", "9=ours"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stdout(&wrong));
    assert!(stderr(&wrong).contains("no conflict \"9\""), "{}", stderr(&wrong));
    let done = repository.scenewright(&[
        "merge",
        "Assets/a.unity",
        "--resolve",
        "100#GameObject.m_Layer=theirs",
        "--add",
    ]);
    assert_eq!(done.status.code(), Some(0), "{}{}", stdout(&done), stderr(&done));
    assert_eq!(repository.read("Assets/a.unity"), theirs);
    assert!(!repository.folder.path("Assets/a.unity.conflict.json").exists());
    repository.git(&["commit", "-q", "--no-edit"]);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_somebody_edited_is_not_written_over() {
    let ours = SCENE.replace("m_Layer: 0", "m_Layer: 5");
    let theirs = SCENE.replace("m_Layer: 0", "m_Layer: 6");
    let repository = Repository::new("a.unity", SCENE);
    repository.branches("a.unity", &ours, &theirs);
    assert_eq!(repository.run(&["merge", "--no-edit", "side"]).status.code(), Some(1));
    let edited = ours.replace("Door", "By hand");
    repository.folder.write("a.unity", &edited);
    let refused = repository.scenewright(&["merge", "a.unity", "--resolve", "all=theirs"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("somebody has edited it"), "{}", stderr(&refused));
    assert_eq!(repository.read("a.unity"), edited);
    let forced =
        repository.scenewright(&["merge", "a.unity", "--resolve", "all=theirs", "--force"]);
    assert_eq!(forced.status.code(), Some(0), "{}", stderr(&forced));
    assert_eq!(repository.read("a.unity"), theirs);
}

#[test]
fn what_is_not_merged_here_is_left_to_git_with_a_word() {
    let pointer =
        |id: u32| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{id}\nsize 1\n");
    let repository = Repository::new("a.unity", &pointer(1));
    repository.branches("a.unity", &pointer(2), &pointer(3));
    let merge = repository.run(&["merge", "--no-edit", "side"]);
    assert_eq!(merge.status.code(), Some(1));
    assert!(stderr(&merge).contains("pointer of Git LFS"), "{}", stderr(&merge));
    assert!(repository.read("a.unity").contains("<<<<<<< ours"));
    // Not readable, and clean by line: git would take it, but nobody knows what it is.
    let broken =
        SCENE.replace("m_Name: Door", "m_Name: Door\n<<<<<<< HEAD\n  a: 1\n=======\n>>>>>>> x");
    let repository = Repository::new("a.unity", SCENE);
    repository.branches(
        "a.unity",
        &broken,
        &SCENE.replace("m_LocalScale: {x: 1", "m_LocalScale: {x: 2"),
    );
    let merge = repository.run(&["merge", "--no-edit", "side"]);
    assert_eq!(merge.status.code(), Some(1));
    assert!(stderr(&merge).contains("conflict markers are in it"), "{}", stderr(&merge));
}

#[test]
fn a_file_that_both_added_and_one_renamed_are_merged() {
    let repository = Repository::new("other.txt", "x");
    let (ours, theirs, both) = sides();
    repository.branches("a.unity", &ours, &theirs);
    let merge = repository.run(&["merge", "--no-edit", "side"]);
    assert_eq!(merge.status.code(), Some(1), "both added the object, with other content");
    assert!(repository.read("a.unity").contains("# <<<<<<< 100"));
    let repository = Repository::new("a.unity", SCENE);
    repository.git(&["checkout", "-q", "-b", "side"]);
    repository.git(&["mv", "a.unity", "b.unity"]);
    repository.commit("b.unity", &theirs, "theirs");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("a.unity", &ours, "ours");
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(repository.read("b.unity"), both);
}

/// Two branches that merged each other, each with a result of its own: what both started from is no one
/// commit any more.
fn criss_crossed(
    file: &str,
    base: &str,
    [ours, theirs]: [&str; 2],
    results: [&str; 2],
) -> Repository {
    let repository = Repository::new(file, base);
    repository.branches(file, ours, theirs);
    repository.git(&["branch", "old", "main"]);
    for (branch, other, result) in [("main", "side", results[0]), ("side", "old", results[1])] {
        repository.git(&["checkout", "-q", branch]);
        // Clean or not, the result is what somebody made of it.
        repository.run(&["merge", "-q", "--no-commit", other]);
        repository.commit(file, result, "merged");
    }
    repository.git(&["checkout", "-q", "main"]);
    let bases = repository.git(&["merge-base", "--all", "main", "side"]);
    assert_eq!(bases.lines().count(), 2, "{bases}");
    repository
}

#[test]
fn criss_cross_merges_that_go_together_are_clean() {
    let (ours, theirs, both) = sides();
    let [mine, other] =
        [("{x: 1, y: 1, z: 1}", "{x: 4, y: 1, z: 1}"), ("y: 2", "y: 9")].map(|(from, to)| {
            let changed = both.replace(from, to);
            assert_ne!(changed, both);
            changed
        });
    let repository = criss_crossed("a.unity", SCENE, [&ours, &theirs], [&mine, &other]);
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(repository.read("a.unity"), mine.replace("y: 2", "y: 9"));

    let node = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nz_index = 1\nrotation = 1.0\nscale = Vector2(1, 1)\nvisible = false\n";
    let changed = |text: &str, from: &str, to: &str| text.replace(from, to);
    let ours = changed(node, "z_index = 1", "z_index = 2");
    let theirs = changed(node, "rotation = 1.0", "rotation = 2.0");
    let both = changed(&ours, "rotation = 1.0", "rotation = 2.0");
    let mine = changed(&both, "Vector2(1, 1)", "Vector2(3, 1)");
    let other = changed(&both, "visible = false\n", "");
    let repository = criss_crossed("a.tscn", node, [&ours, &theirs], [&mine, &other]);
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    assert_eq!(repository.read("a.tscn"), changed(&mine, "visible = false\n", ""));
}

#[test]
fn a_criss_cross_merge_that_was_decided_in_two_ways_is_asked_about_again() {
    let layer = |number: u32| SCENE.replace("m_Layer: 0", &format!("m_Layer: {number}"));
    let [mine, other] = [layer(5), layer(6)];
    let repository =
        criss_crossed("a.unity", SCENE, [&mine, &other], [&mine, &other.replace("Door", "Gate")]);
    let merge = repository.run(&["merge", "--no-edit", "side"]);
    assert_eq!(merge.status.code(), Some(1), "{}", stderr(&merge));
    // Only that field, with ours in its place and both others beside it.
    let mark = "  # <<<<<<< GameObject.m_Layer: ours in place | theirs: 6 | base: 0 >>>>>>>\n";
    let expected =
        mine.replace("Door", "Gate").replace("  m_Layer: 5", &format!("{mark}  m_Layer: 5"));
    assert_eq!(repository.read("a.unity"), expected);
    let decided = repository.scenewright(&["merge", "a.unity", "--resolve", "1=theirs", "--add"]);
    assert_eq!(decided.status.code(), Some(0), "{}", stderr(&decided));
    assert_eq!(repository.read("a.unity"), other.replace("Door", "Gate"));
}

#[test]
fn the_driver_reports_as_json_and_three_files_make_a_fourth() {
    let (ours, theirs, both) = sides();
    let folder = Folder::empty();
    for (name, text) in [("base", SCENE), ("ours", &ours), ("theirs", &theirs)] {
        folder.write(name, text);
    }
    let run = |args: &[&str]| command(folder.root()).args(args).output().unwrap();
    let merged = run(&["merge", "base", "ours", "theirs", "--path", "a.unity", "-o", "-"]);
    assert_eq!(
        (merged.status.code(), stdout(&merged)),
        (Some(0), both.clone()),
        "{}",
        stderr(&merged)
    );
    let driven =
        run(&["git", "merge-driver", "base", "ours", "theirs", "a.unity", "--report", "r.json"]);
    assert_eq!(driven.status.code(), Some(0), "{}", stderr(&driven));
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("r.json")).unwrap()).unwrap();
    assert_eq!(
        (report["result"].as_str(), report["verified"].as_bool()),
        (Some("merged"), Some(true))
    );
    assert_eq!(std::fs::read_to_string(folder.path("ours")).unwrap(), both);
    let unknown = run(&["merge", "base", "ours", "theirs", "-o", "-"]);
    assert_eq!(unknown.status.code(), Some(0), "the text tells that it is Unity's");
    folder.write("base", "x");
    let unknown = run(&["merge", "base", "base", "base", "-o", "-"]);
    assert_eq!(unknown.status.code(), Some(2));
}

#[test]
fn a_branch_is_merged_without_anything_installed() {
    let (ours, theirs, both) = sides();
    let repository = Repository::new("a.unity", SCENE);
    repository.scenewright(&["git", "uninstall"]);
    repository.branches("a.unity", &ours, &theirs);
    let merged = repository.scenewright(&["git", "merge-base-in", "side"]);
    assert_eq!(merged.status.code(), Some(0), "{}{}", stdout(&merged), stderr(&merged));
    assert_eq!(repository.read("a.unity"), both);
}

#[test]
fn differences_of_revisions_the_index_the_work_tree_and_two_files() {
    let repository = Repository::new("a.unity", SCENE);
    let renamed = SCENE.replace("m_Name: Door", "m_Name: Gate");
    repository.commit("a.unity", &renamed, "renamed");
    repository.folder.write("a.unity", renamed.replace("m_Layer: 0", "m_Layer: 3"));
    let told = |args: &[&str]| {
        let output = repository.scenewright(&[&["diff"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(told(&["--from", "HEAD~1", "--to", "HEAD"]).contains("m_Name: Door → Gate"));
    assert!(told(&[]).contains("m_Layer: 0 → 3"));
    assert_eq!(told(&["--staged"]), "");
    repository.git(&["add", "-A"]);
    assert!(told(&["--staged", "--stat"]).contains("a.unity  ~1 1 field"));
    let json: Value = serde_json::from_str(&told(&["--format", "json", "a.unity"])).unwrap();
    assert_eq!(json["files"][0]["differences"]["objects"][0]["fields"][0]["new"], "3");
    assert!(told(&["--format", "markdown"]).contains("| `a.unity` |"));
    assert!(told(&["--format", "html"]).starts_with("<!doctype html>"));
    let differs = repository.scenewright(&["diff", "--exit-code"]);
    assert_eq!(differs.status.code(), Some(1));
    let wrong = repository.scenewright(&["diff", "--from", "nowhere"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stdout(&wrong));
    repository.folder.write("old.unity", SCENE);
    let mut piped = command(repository.root());
    piped.args(["diff", "old.unity", "-"]).stdin(std::process::Stdio::piped());
    let mut piped = piped.stdout(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut piped.stdin.take().unwrap(), renamed.as_bytes()).unwrap();
    assert!(stdout(&piped.wait_with_output().unwrap()).contains("Door → Gate"));
    let shown = repository.git(&["diff", "HEAD~1", "HEAD", "--", "a.unity"]);
    assert!(shown.contains("Transform of \"Gate\""), "git shows names: {shown}");
}

#[test]
fn a_file_that_one_side_renamed_is_merged_in_every_way_of_git() {
    let (ours, theirs, both) = sides();
    let renamed = || {
        let repository = Repository::new("a.unity", SCENE);
        repository.git(&["checkout", "-q", "-b", "side"]);
        repository.git(&["mv", "a.unity", "b.unity"]);
        repository.commit("b.unity", &theirs, "renamed");
        repository.git(&["checkout", "-q", "main"]);
        repository
    };
    for way in [
        &["merge", "-q", "--no-edit", "side"][..],
        &["rebase", "-q", "side"],
        &["cherry-pick", "side"],
    ] {
        let repository = renamed();
        repository.commit("a.unity", &ours, "ours");
        repository.git(way);
        assert_eq!(repository.read("b.unity"), both, "{way:?}");
        assert!(!repository.folder.path("a.unity").exists(), "{way:?}");
    }
    let repository = renamed();
    repository.folder.write("a.unity", &ours);
    repository.git(&["stash", "-q"]);
    repository.git(&["merge", "-q", "--ff-only", "side"]);
    repository.git(&["stash", "pop", "-q"]);
    assert_eq!(repository.read("b.unity"), both);
}

#[test]
fn all_repositories_of_a_user_can_be_told() {
    let (ours, theirs, both) = sides();
    let repository = Repository::new("a.unity", SCENE);
    assert_eq!(repository.scenewright(&["git", "uninstall"]).status.code(), Some(0));
    repository.branches("a.unity", &ours, &theirs);
    let home = Folder::empty();
    let at_home = |mut command: Command| {
        command.current_dir(repository.root()).env("HOME", home.root());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME").output().unwrap()
    };
    let global = |args: &[&str]| {
        let mut command = command(repository.root());
        command.arg("git").args(args).arg("--global");
        at_home(command)
    };
    assert_eq!(global(&["install", "--check"]).status.code(), Some(1));
    let installed = global(&["install"]);
    assert_eq!(installed.status.code(), Some(0), "{}", stderr(&installed));
    assert_eq!(global(&["install", "--check"]).status.code(), Some(0));
    let mut merge = Command::new("git");
    merge.args(["merge", "--no-edit", "side"]);
    let merge = at_home(merge);
    assert!(merge.status.success(), "{}{}", stdout(&merge), stderr(&merge));
    assert_eq!(repository.read("a.unity"), both);
    assert_eq!(global(&["uninstall"]).status.code(), Some(0));
    assert_eq!(global(&["install", "--check"]).status.code(), Some(1));
}

#[test]
fn the_mergetool_of_git_merges_what_is_in_conflict() {
    let (ours, theirs, both) = sides();
    let repository = Repository::new("a.unity", SCENE);
    repository.branches("a.unity", &ours, &theirs);
    // By line it is a conflict.
    repository.git(&["config", "--remove-section", "merge.scenewright"]);
    assert_eq!(repository.run(&["merge", "--no-edit", "side"]).status.code(), Some(1));
    repository.git(&["mergetool", "--no-prompt", "--tool=scenewright", "a.unity"]);
    assert_eq!(repository.read("a.unity"), both);
    assert_eq!(repository.git(&["ls-files", "--unmerged"]), "");
    // What has to be decided stays in conflict.
    let other = SCENE.replace("m_Layer: 0", "m_Layer: 6");
    let repository = Repository::new("a.unity", SCENE);
    repository.branches("a.unity", &ours, &other);
    repository.git(&["config", "--remove-section", "merge.scenewright"]);
    assert_eq!(repository.run(&["merge", "--no-edit", "side"]).status.code(), Some(1));
    let tool = repository.run(&["mergetool", "--no-prompt", "--tool=scenewright", "a.unity"]);
    assert!(!tool.status.success(), "{}", stdout(&tool));
    assert_ne!(repository.git(&["ls-files", "--unmerged"]), "");
}
