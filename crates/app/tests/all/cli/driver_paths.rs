//! The merge driver on every path that git can have: what looks like an option is a path, and whatever goes wrong,
//! theirs is never lost.

use std::ffi::OsString;
use std::fs;
use std::process::Output;

use scenewright_fixture::{Folder, git, git_done as done};

use super::{command, stderr, stdout};

const SCENE: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_ObjectHideFlags: 0\n  m_Layer: 0\n  m_Name: Base\n";

/// Names that git can have in a tree.
fn names() -> Vec<OsString> {
    let mut names: Vec<OsString> = [
        "-hub/Main.unity",
        "-h.unity",
        "-help/Main.unity",
        "-Vx/Main.unity",
        "-V.unity",
        "--help/Main.unity",
        "--version.unity",
        "--no-pager.unity",
        "--/Main.unity",
        "--report=x/Main.unity",
        "--marker-size/Main.unity",
        "plain.unity",
        "two words/it's.unity",
        "größe ゲーム.unity",
    ]
    .map(OsString::from)
    .into();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        names.push("line\nbreak \"quoted\" $(id) `id`\\.unity".into());
        // Some file systems take no other names than text.
        let odd = OsString::from_vec(b"caf\xe9.unity".to_vec());
        let folder = Folder::empty();
        if fs::write(folder.root().join(&odd), "").is_ok() {
            names.push(odd);
        }
    }
    names
}

/// Scenes under these names of which both sides changed another line beside each other, merged by the driver that
/// is set up with a line.
struct Merged {
    folder: Folder,
    output: Output,
}

impl Merged {
    fn new(names: &[OsString], driver: Option<&str>, base: &str) -> Merged {
        let folder = Folder::empty();
        let root = folder.root();
        done(root, &["init", "-q", "-b", "main"]);
        let installed = command(root).args(["git", "install"]).output().unwrap();
        assert_eq!(installed.status.code(), Some(0), "{}", stderr(&installed));
        if let Some(line) = driver {
            let line = line.replace("PROGRAM", &format!("'{}'", env!("CARGO_BIN_EXE_scenewright")));
            done(root, &["config", "merge.scenewright.driver", &line]);
        }
        let write = |text: &str| {
            for name in names {
                let path = root.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            done(root, &["add", "-A"]);
            done(root, &["commit", "-q", "-m", "x"]);
        };
        write(base);
        done(root, &["checkout", "-q", "-b", "side"]);
        write(&base.replace("Base", "THEIRS"));
        done(root, &["checkout", "-q", "main"]);
        write(&base.replace("m_Layer: 0", "m_Layer: 5"));
        let output = git(root, &["merge", "--no-edit", "side"]);
        Merged { folder, output }
    }

    fn read(&self, name: &OsString) -> String {
        fs::read_to_string(self.folder.root().join(name)).unwrap()
    }
}

/// As 0.1.0 set it up, without `--` before the paths.
const OLD: &str = "PROGRAM git merge-driver %O %A %B %P --marker-size %L";

#[test]
fn both_sides_are_in_the_file_whatever_its_name() {
    let both = SCENE.replace("Base", "THEIRS").replace("m_Layer: 0", "m_Layer: 5");
    for driver in [None, Some(OLD), Some("PROGRAM git merge-driver %O %A %B %P")] {
        let merged = Merged::new(&names(), driver, SCENE);
        let said = String::from_utf8_lossy(&merged.output.stdout).into_owned();
        assert!(merged.output.status.success(), "{driver:?}: {said}");
        for name in names() {
            assert_eq!(merged.read(&name), both, "{driver:?} {}", name.display());
        }
        assert_eq!(done(merged.folder.root(), &["status", "--porcelain"]), "", "{driver:?}");
    }
}

#[test]
fn what_is_not_merged_has_the_markers_of_git() {
    // No scene that can be read, and both change one line of it.
    let broken = SCENE.replace("%YAML", "%YAM{L").replace("\n  m_Name", "  m_Name");
    for driver in [None, Some(OLD)] {
        let merged = Merged::new(&names(), driver, &broken);
        assert!(!merged.output.status.success());
        for name in names() {
            let text = merged.read(&name);
            assert!(
                text.contains("THEIRS") && text.contains("m_Layer: 5"),
                "{}: {text}",
                name.display()
            );
            assert!(
                text.contains("<<<<<<<") && text.contains(">>>>>>>"),
                "{}: {text}",
                name.display()
            );
        }
    }
    // Driver lines that give what the driver does not take.
    for driver in [
        "PROGRAM git merge-driver %O %A %B %P --unknown",
        "PROGRAM git merge-driver --unknown -- %O %A %B %P",
        "PROGRAM git merge-driver -- %O %A",
    ] {
        let name = [OsString::from("a.unity")];
        let merged = Merged::new(&name, Some(driver), SCENE);
        assert!(!merged.output.status.success(), "{driver}");
        let stages = done(merged.folder.root(), &["ls-files", "--unmerged"]);
        assert_eq!(stages.lines().count(), 3, "{driver}: both sides are kept by git");
    }
}

#[test]
fn an_old_driver_line_is_noticed() {
    let folder = Folder::empty();
    let root = folder.root();
    done(root, &["init", "-q"]);
    let run = |args: &[&str]| {
        let output = command(root).args(args).output().unwrap();
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    assert_eq!(run(&["git", "install"]).0, Some(0));
    assert_eq!(run(&["git", "install", "--check"]).0, Some(0));
    folder.write("project.godot", "config_version=5\n");
    assert!(!run(&["doctor"]).1.contains("older version"));
    done(
        root,
        &[
            "config",
            "merge.scenewright.driver",
            "scenewright git merge-driver %O %A %B %P --marker-size %L",
        ],
    );
    for args in [&["git", "install", "--check"][..], &["doctor"]] {
        let (code, said) = run(args);
        assert!(
            code == Some(1)
                && said.contains("older version")
                && said.contains("scenewright git install"),
            "{args:?}: {said}"
        );
    }
    assert_eq!(run(&["git", "install"]).0, Some(0));
    assert_eq!(run(&["git", "install", "--check"]).0, Some(0));
    assert!(!run(&["doctor"]).1.contains("older version"));
}

#[test]
fn help_is_told_only_when_it_is_asked_for_alone() {
    let folder = Folder::empty();
    let run = |args: &[&str]| command(folder.root()).args(args).output().unwrap();
    let help = run(&["git", "merge-driver", "--help"]);
    assert!(
        help.status.success() && stdout(&help).contains("-- BASE OURS THEIRS PATH"),
        "{}",
        stdout(&help)
    );
    for path in ["-h", "-V", "--help", "--version", "-hub/a.unity"] {
        let output = run(&["git", "merge-driver", "a", "b", "c", path]);
        assert!(
            !output.status.success() && stdout(&output).is_empty(),
            "{path}: {}",
            stdout(&output)
        );
    }
}
