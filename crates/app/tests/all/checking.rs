//! `scenewright check` as a team uses it: paths, excludes, rules of its own, what changed.

mod baseline;
mod places;

use std::path::Path;
use std::process::{Command, Output};

use scenewright_fixture::Folder;
use serde_json::Value;

/// A project with a broken reference in each of two folders, and a script that is gone.
const PROJECT: &str = "\
//- ProjectSettings/ProjectVersion.txt
m_EditorVersion: 2022.3.20f1
//- Packages/manifest.json
{\"dependencies\": {}}
//- Assets/A.meta
guid: abc00000000000000000000000000001
folderAsset: yes
//- Assets/A/One.mat
%YAML 1.1
--- !u!21 &2100000
Material:
  m_Shader: {fileID: 1, guid: abc0000000000000000000000000dead, type: 3}
//- Assets/A/One.mat.meta
guid: abc00000000000000000000000000002
//- Assets/B.meta
guid: abc00000000000000000000000000003
folderAsset: yes
//- Assets/B/Two.mat
%YAML 1.1
--- !u!21 &2100000
Material:
  m_Shader: {fileID: 1, guid: abc0000000000000000000000000dead, type: 3}
//- Assets/B/Two.mat.meta
guid: abc00000000000000000000000000004
";

fn check(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
    command.current_dir(folder).arg("check").args(args);
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("HOME", folder);
    command.output().unwrap()
}

/// The files that have findings, and the worst severity.
fn files(output: &Output) -> (Vec<String>, String) {
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let findings = report["findings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let worst = findings.iter().map(|f| text(&f["severity"])).min().unwrap_or_default();
    (findings.iter().map(|f| text(&f["file"])).collect(), worst)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn findings_of_one_cause_are_told_together() {
    let folder = Folder::files(PROJECT);
    let told = text(&check(folder.root(), &[]));
    assert!(
        told.starts_with(
            "error no asset has the guid abc0000000000000000000000000dead — 2 times in 2 files [broken-reference]\n  Assets/A/One.mat:4: Material.m_Shader is missing\n"
        ),
        "{told}"
    );
    let each = text(&check(folder.root(), &["--each"]));
    assert!(each.starts_with("Assets/A/One.mat\n  4: error "), "{each}");
}

#[test]
fn paths_and_patterns_say_what_is_reported() {
    let folder = Folder::files(PROJECT);
    let files = |args: &[&str]| {
        let args: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
        files(&check(folder.root(), &args)).0
    };
    assert_eq!(files(&["."]), ["Assets/A/One.mat", "Assets/B/Two.mat"]);
    assert_eq!(files(&["Assets/B"]), ["Assets/B/Two.mat"]);
    assert_eq!(files(&["Assets/A/One.mat", "--exclude", "Assets/B"]), ["Assets/A/One.mat"]);
    assert_eq!(files(&["--exclude", "**/*.mat"]), [""; 0]);
    let outside = check(folder.root(), &["/"]);
    assert_eq!(outside.status.code(), Some(2));
}

#[test]
fn a_team_sets_what_is_bad() {
    let folder = Folder::files(PROJECT);
    let set = |rules: &str| std::fs::write(folder.path("scenewright.toml"), rules).unwrap();
    let run = || check(folder.root(), &["--format", "json"]);
    set("[check.rules]\nbroken-reference = \"warning\"\n");
    assert_eq!((files(&run()).1, run().status.code()), ("warning".to_owned(), Some(0)));
    set("[check]\nexclude = [\"Assets/A\"]\n");
    assert_eq!(files(&run()).0, ["Assets/B/Two.mat"]);
    set("[check.rules]\nbroken-reference = \"off\"\n");
    assert_eq!(files(&run()).0, [""; 0]);
    set("[check.rules]\nbroken-referense = \"off\"\n");
    let wrong = run();
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said.contains("no rule is called broken-referense"), "{said}");
    assert!(said.contains("did you mean broken-reference?"), "{said}");
}

#[cfg(unix)]
#[test]
fn what_a_team_wants_is_read_from_the_project_alone() {
    let folder = Folder::files(PROJECT);
    let secret = Folder::files("//- secret\ntoken = hidden\n");
    let path = folder.path("scenewright.toml");
    std::os::unix::fs::symlink(secret.path("secret"), &path).unwrap();
    let output = check(folder.root(), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("scenewright.toml: ") && !said.contains("hidden"), "{said}");
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, " ".repeat(2 << 20)).unwrap();
    assert_eq!(check(folder.root(), &[]).status.code(), Some(2));
}

#[test]
fn rules_are_explained() {
    let folder = Folder::empty();
    let told = text(&check(folder.root(), &["--explain", "missing-script"]));
    assert!(told.starts_with("missing-script (error)\nA script is gone\n\n"), "{told}");
    let all = text(&check(folder.root(), &["--explain"]));
    assert!(all.contains("godot-cycle") && all.contains("asset-without-meta"), "{all}");
    assert_eq!(check(folder.root(), &["--explain", "nothing"]).status.code(), Some(2));
}

#[test]
fn only_what_changed_since_a_revision_is_reported() {
    let folder = Folder::files(PROJECT);
    let git = |args: &[&str]| scenewright_fixture::git_done(folder.root(), args);
    let since = |args: &[&str]| {
        let args: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
        files(&check(folder.root(), &args)).0
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    let everything = ["Assets/A/One.mat", "Assets/B/Two.mat"];
    assert_eq!(since(&["--changed-since", "HEAD"]), everything, "before the first commit");
    git(&["commit", "-q", "-m", "first"]);
    assert_eq!(since(&["--changed-since", "HEAD"]), [""; 0]);
    let changed = "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Parent: {fileID: 3}\n";
    std::fs::write(folder.path("Assets/B/Two.mat"), changed).unwrap();
    assert_eq!(since(&["--changed-since", "HEAD"]), ["Assets/B/Two.mat"]);
    let wrong = check(folder.root(), &["--changed-since", "nowhere"]);
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(wrong.status.code() == Some(2) && said.contains("nowhere"), "{said}");
    assert_eq!(check(folder.root(), &["--changed-since", "--output=x"]).status.code(), Some(2));
}

/// The files that code hosts are told of, in each of their formats, which must agree.
fn remarked(output: impl Fn(&str) -> Output) -> Vec<String> {
    let sarif: Value = serde_json::from_slice(&output("sarif").stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let uri = |result: &Value| {
        let place = &result["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    let uris: Vec<String> = results.iter().map(uri).collect();
    let github = text(&output("github"));
    let lines = github.lines().filter_map(|line| line.strip_prefix("::error file="));
    let files: Vec<&str> = lines.filter_map(|line| line.split(',').next()).collect();
    assert_eq!(uris, files);
    let gitlab: Value = serde_json::from_slice(&output("gitlab").stdout).unwrap();
    let paths = gitlab.as_array().unwrap().iter().map(|entry| entry["location"]["path"].as_str());
    assert!(paths.eq(uris.iter().map(|uri| Some(uri.as_str()))), "{gitlab:#}");
    uris
}

#[test]
fn folders_have_names_with_spaces_and_letters_of_any_language() {
    let folder = Folder::empty();
    for (name, text) in scenewright_fixture::files(PROJECT) {
        folder.write(&format!("Größe & Spiel/ゲーム #1/{}", name.replace("/A/", "/Ä b/")), text);
    }
    let game = folder.path("Größe & Spiel/ゲーム #1");
    let named = ["Assets/B/Two.mat", "Assets/Ä b/One.mat"];
    let from_above = ["--project", "Größe & Spiel/ゲーム #1", "--format", "json"];
    let broken = |output: &Output| {
        let mut found = files(output).0;
        found.retain(|file| file.ends_with(".mat"));
        found
    };
    assert_eq!(broken(&check(folder.root(), &from_above)), named);
    assert_eq!(broken(&check(&game, &["Assets/Ä b", "--format", "json"])), named[1..]);
    let git = |args: &[&str]| scenewright_fixture::git_done(folder.root(), args);
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let one = game.join("Assets/Ä b/One.mat");
    let text = std::fs::read_to_string(&one).unwrap();
    std::fs::write(&one, text.replace("dead", "dea2")).unwrap();
    let since = ["--changed-since", "HEAD", "--format", "sarif"];
    let report: Value = serde_json::from_slice(&check(&game, &since).stdout).unwrap();
    let results = report["runs"][0]["results"].as_array().unwrap();
    let place = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    let folders = "Gr%C3%B6%C3%9Fe%20%26%20Spiel/%E3%82%B2%E3%83%BC%E3%83%A0%20%231";
    assert_eq!(place, &format!("{folders}/Assets/%C3%84%20b/One.mat"));
    assert_eq!(results.len(), 1, "{report:#}");
}

#[test]
fn remarks_name_files_from_the_root_of_the_repository() {
    let folder = Folder::empty();
    for (name, text) in scenewright_fixture::files(PROJECT) {
        folder.write(&format!("apps/game/{name}"), text);
        folder.write(&format!("apps/other/{name}"), text);
    }
    let game = folder.path("apps/game");
    let from = |folder: &Path, args: &[&str]| {
        remarked(|format| check(folder, &[args, &["--format", format]].concat()))
    };
    let one = ["Assets/A/One.mat", "Assets/B/Two.mat"];
    assert_eq!(from(&game, &[]), one, "in no repository");
    std::fs::create_dir(folder.path(".git")).unwrap();
    assert_eq!(from(&game, &[]), one.map(|file| format!("apps/game/{file}")));
    assert_eq!(from(&game, &["Assets/A"]), ["apps/game/Assets/A/One.mat"]);
    let both = from(folder.root(), &["--project", "apps/other", "--project", "apps/game"]);
    assert_eq!(both[0], "apps/other/Assets/A/One.mat");
    assert_eq!(both[3], "apps/game/Assets/B/Two.mat");
    // A submodule has a file of that name, and is a repository of its own.
    std::fs::write(game.join(".git"), "gitdir: ../../.git/modules/game\n").unwrap();
    assert_eq!(from(&game, &[]), one);
    // People and programs of the project still read the project's own names.
    assert_eq!(files(&check(&folder.path("apps/other"), &["--format", "json"])).0, one);
}
