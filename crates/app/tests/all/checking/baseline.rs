//! What a team accepts: a baseline that is found by itself, and single findings.

use serde_json::Value;

use super::*;

/// The numbers of errors and of accepted findings, and the notes.
fn told(output: &Output) -> (usize, u64, String) {
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let findings = report["findings"].as_array().unwrap();
    let errors = findings.iter().filter(|found| found["severity"] == "error").count();
    let notes = report["notes"].as_array().unwrap();
    let notes: Vec<&str> = notes.iter().filter_map(Value::as_str).collect();
    (errors, report["accepted"].as_u64().unwrap(), notes.join("\n"))
}

fn json(folder: &Path, args: &[&str]) -> (usize, u64, String) {
    told(&check(folder, &[args, &["--format", "json"]].concat()))
}

fn write_baseline(folder: &Folder, args: &[&str]) {
    let output = check(folder.root(), &[&["--write-baseline"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

fn replace(folder: &Folder, file: &str, from: &str, to: &str) {
    let text = folder.read(file);
    assert!(text.contains(from), "{text}");
    folder.write(file, text.replace(from, to));
}

#[test]
fn a_baseline_is_written_and_found_by_itself() {
    let folder = Folder::files(PROJECT);
    assert_eq!(json(folder.root(), &[]).0, 2);
    write_baseline(&folder, &[]);
    let (errors, accepted, notes) = json(folder.root(), &[]);
    assert_eq!((errors, accepted), (0, 2), "{notes}");
    assert_eq!(check(folder.root(), &[]).status.code(), Some(0));
    assert!(text(&check(folder.root(), &[])).ends_with("2 accepted by the baseline\n"));
    assert_eq!(json(folder.root(), &["--no-baseline"]).0, 2);
    // One more of the same is new.
    replace(&folder, "Assets/A/One.mat", "type: 3}", "type: 3}\n  m_Parent: {fileID: 7}");
    assert_eq!(json(folder.root(), &[]).0, 1);
}

#[test]
fn the_tool_goes_by_the_baseline_too() {
    let folder = Folder::files(PROJECT);
    write_baseline(&folder, &[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
    command.current_dir(folder.root()).args(["call", "project_check"]);
    command.env("XDG_CACHE_HOME", folder.path("cache")).env("HOME", folder.root());
    let answer: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!((&answer["errors"], &answer["accepted"]), (&0.into(), &2.into()), "{answer:#}");
}

#[test]
fn a_file_that_is_moved_brings_nothing_new() {
    let folder = Folder::files(PROJECT);
    write_baseline(&folder, &[]);
    for end in ["", ".meta"] {
        let path = |name: &str| folder.path(&format!("Assets/{name}{end}"));
        std::fs::rename(path("A/One.mat"), path("B/Moved.mat")).unwrap();
    }
    let (errors, accepted, notes) = json(folder.root(), &[]);
    assert_eq!((errors, accepted), (0, 2), "{notes}");
    // Another file that has the same is new: what moved was known by its guid.
    folder.write("Assets/A/One.mat", folder.read("Assets/B/Two.mat"));
    folder.write("Assets/A/One.mat.meta", "guid: abc00000000000000000000000000009\n");
    assert_eq!(json(folder.root(), &[]).0, 1);
}

#[test]
fn what_is_mended_is_told_and_refreshed() {
    let folder = Folder::files(PROJECT);
    write_baseline(&folder, &[]);
    folder.write("Assets/B/Two.mat", "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Two\n");
    let (errors, accepted, notes) = json(folder.root(), &[]);
    assert_eq!((errors, accepted), (0, 1));
    assert!(notes.contains("1 entry is no longer needed in scenewright-baseline.json"), "{notes}");
    // A check of a part cannot know.
    assert_eq!(json(folder.root(), &["Assets/A"]).2, "");
    write_baseline(&folder, &[]);
    assert_eq!(json(folder.root(), &[]).2, "");
    assert_eq!(folder.read("scenewright-baseline.json").matches("\"rule\"").count(), 1);
}

#[test]
fn a_part_is_accepted_beside_the_rest() {
    let folder = Folder::files(PROJECT);
    write_baseline(&folder, &[]);
    replace(&folder, "Assets/A/One.mat", "dead", "dea2");
    replace(&folder, "Assets/B/Two.mat", "dead", "dea2");
    let output = check(folder.root(), &["Assets/A", "--write-baseline"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let (errors, accepted, _) = json(folder.root(), &[]);
    assert_eq!((errors, accepted), (1, 1), "the other folder's entry is as it was");
}

#[test]
fn files_that_were_not_fetched_are_not_in_it_and_keep_their_entries() {
    let folder = Folder::files(PROJECT);
    write_baseline(&folder, &[]);
    let before = folder.read("scenewright-baseline.json");
    let whole = folder.read("Assets/A/One.mat");
    folder.write("Assets/A/One.mat", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    let (errors, accepted, notes) = json(folder.root(), &[]);
    assert_eq!((errors, accepted), (0, 1));
    assert!(!notes.contains("no longer needed"), "{notes}");
    write_baseline(&folder, &[]);
    assert_eq!(folder.read("scenewright-baseline.json"), before);
    folder.write("Assets/A/One.mat", whole);
    assert_eq!(json(folder.root(), &[]).0, 0);
}

#[test]
fn the_settings_name_another_file() {
    let folder = Folder::files(PROJECT);
    folder.write("scenewright.toml", "[check]\nbaseline = 'ci/accepted.json'\n");
    let output = check(folder.root(), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("names the baseline ci/accepted.json") && said.contains("--write-baseline")
    );
    std::fs::create_dir(folder.path("ci")).unwrap();
    write_baseline(&folder, &[]);
    assert!(folder.path("ci/accepted.json").is_file());
    assert!(!folder.path("scenewright-baseline.json").exists());
    assert_eq!(json(folder.root(), &[]).1, 2);
    // It is in the project: what a repository names outside of it is not read.
    folder.write("scenewright.toml", "[check]\nbaseline = '../accepted.json'\n");
    assert_eq!(check(folder.root(), &[]).status.code(), Some(2));
}

#[test]
fn an_old_baseline_is_refused_with_what_to_do() {
    let folder = Folder::files(PROJECT);
    let old = r#"{ "version": 1, "accepted": { "broken-reference|Assets/A/One.mat||gone": 1 } }"#;
    folder.write("scenewright-baseline.json", old);
    let output = check(folder.root(), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("version 1") && said.contains("--write-baseline"), "{said}");
    write_baseline(&folder, &[]);
    assert_eq!(json(folder.root(), &[]).1, 2);
}

#[test]
fn each_project_of_a_repository_has_its_own() {
    let folder = Folder::empty();
    for (name, text) in scenewright_fixture::files(PROJECT) {
        folder.write(&format!("one/{name}"), text);
        folder.write(&format!("deep/er/two/{name}"), text);
    }
    std::fs::create_dir(folder.path(".git")).unwrap();
    write_baseline(&folder, &[]);
    assert_eq!(json(folder.root(), &[]).1, 4);
    assert_eq!(json(&folder.path("deep/er/two"), &[]).1, 2);
    std::fs::remove_file(folder.path("one/scenewright-baseline.json")).unwrap();
    assert_eq!(json(folder.root(), &[]).0, 2);
    // Or all of them one together.
    write_baseline(&folder, &["all.json"]);
    assert_eq!(json(folder.root(), &["--baseline", "all.json"]).1, 4);
}

#[test]
fn one_finding_is_allowed_with_a_reason() {
    let folder = Folder::files(PROJECT);
    let allow = |more: &str| {
        let entry =
            format!("[[check.allow]]\nrule = 'broken-reference'\n{more}why = 'made later'\n");
        folder.write("scenewright.toml", entry);
        json(folder.root(), &[])
    };
    assert_eq!(allow("file = 'Assets/A/One.mat'\n").0, 1);
    assert_eq!(allow("file = 'Assets/**'\n").0, 0);
    assert_eq!(allow("").0, 0);
    let (errors, _, notes) = allow("file = 'Assets/A/One.mat'\nobject = 'Door'\n");
    assert_eq!(errors, 2);
    let wanted =
        "allows broken-reference in Assets/A/One.mat on Door, and there is no such finding";
    assert!(notes.contains(wanted), "{notes}");
    folder.write("scenewright.toml", "[[check.allow]]\nrule = 'broken-referense'\n");
    let output = check(folder.root(), &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("did you mean broken-reference?"), "{said}");
}
