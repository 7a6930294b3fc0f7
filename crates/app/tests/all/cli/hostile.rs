//! A repository whose author wants a program of theirs to run: every place where git takes the name of a program has
//! one that leaves a trace, and everything of ours that asks git is used on it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use scenewright_fixture::{Folder, git as run_git, git_done as git};

use super::{command, stderr, stdout};

/// The settings of git's documentation whose value is a program, a command or a folder of programs. `x` is the name of
/// a driver, tool or remote that the attributes or the repository use.
const PROGRAMS: [&str; 71] = [
    "alias.diff",
    "alias.diff-index",
    "alias.log",
    "alias.status",
    "browser.x.cmd",
    "browser.x.path",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.hooksPath",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.external",
    "diff.guitool",
    "diff.tool",
    "diff.x.command",
    "diff.x.textconv",
    "difftool.x.cmd",
    "difftool.x.path",
    "filter.x.clean",
    "filter.x.process",
    "filter.x.smudge",
    "filter.a=b.clean.clean",
    "filter.lfs.clean",
    "filter.lfs.process",
    "filter.lfs.smudge",
    "gc.recentObjectsHook",
    "gpg.program",
    "gpg.openpgp.program",
    "gpg.ssh.defaultKeyCommand",
    "gpg.ssh.program",
    "gpg.x509.program",
    "guitool.x.cmd",
    "hook.x.command",
    "http.proxy",
    "imap.tunnel",
    "init.templateDir",
    "instaweb.browser",
    "instaweb.httpd",
    "interactive.diffFilter",
    "man.x.cmd",
    "man.x.path",
    "merge.tool",
    "merge.x.driver",
    "merge.scenewright.driver",
    "mergetool.x.cmd",
    "mergetool.x.path",
    "notes.rewriteRef",
    "pager.diff",
    "pager.log",
    "pager.status",
    "receive.certNonceSeed",
    "remote.origin.proxy",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "remote.origin.vcs",
    "sendemail.ccCmd",
    "sendemail.headerCmd",
    "sendemail.sendmailCmd",
    "sendemail.smtpServer",
    "sendemail.toCmd",
    "sequence.editor",
    "submodule.sub.update",
    "tar.x.command",
    "trailer.x.cmd",
    "trailer.x.command",
    "uploadpack.packObjectsHook",
    "web.browser",
];

/// Hooks that git knows by name.
const HOOKS: [&str; 16] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
];

const SCENE: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &100\nGameObject:\n  m_Component:\n  - component: {fileID: 101}\n  - component: {fileID: 102}\n  m_Layer: 0\n  m_Name: Door\n--- !u!4 &101\nTransform:\n  m_GameObject: {fileID: 100}\n  m_Children: []\n  m_Father: {fileID: 0}\n--- !u!114 &102\nMonoBehaviour:\n  m_GameObject: {fileID: 100}\n  m_Script: {fileID: 11500000, guid: abc00000000000000000000000000007, type: 3}\n";
const ASSET: &str = "Assets/Main.unity";

/// A repository with traps, and a project in a folder of it that is an embedded bare repository as well.
struct Hostile {
    folder: Folder,
}

impl Hostile {
    /// `main` and `side` changed other objects, or both the name of one.
    fn new(in_conflict: bool) -> Hostile {
        let hostile = Hostile { folder: Folder::empty() };
        let root = hostile.root();
        hostile.write_project(SCENE);
        hostile.folder.write(
            "outer/game/Assets/Gone.cs.meta",
            "fileFormatVersion: 2\nguid: abc00000000000000000000000000007\n",
        );
        let gone = "class Gone : UnityEngine.MonoBehaviour {}\n";
        hostile.folder.write("outer/game/Assets/Gone.cs", gone);
        git(&root, &["init", "-q", "-b", "main"]);
        git(&root, &["config", "user.name", "A"]);
        git(&root, &["config", "user.email", "a@example.org"]);
        hostile.commit("first");
        fs::remove_file(hostile.game().join("Assets/Gone.cs.meta")).unwrap();
        fs::remove_file(hostile.game().join("Assets/Gone.cs")).unwrap();
        hostile.commit("second");
        git(&root, &["checkout", "-q", "-b", "side"]);
        hostile.write_project(&SCENE.replace("Door", "Gate"));
        hostile.commit("theirs");
        git(&root, &["checkout", "-q", "main"]);
        let ours = if in_conflict {
            SCENE.replace("Door", "Hatch")
        } else {
            SCENE.replace("m_Layer: 0", "m_Layer: 5")
        };
        hostile.write_project(&ours);
        hostile.commit("ours");
        if in_conflict {
            assert!(!run_git(&root, &["merge", "side"]).status.success(), "git has a conflict");
        }
        hostile.set_traps();
        hostile
    }

    fn root(&self) -> PathBuf {
        self.folder.path("outer")
    }

    fn game(&self) -> PathBuf {
        self.folder.path("outer/game")
    }

    fn write_project(&self, scene: &str) {
        let game = |name: &str, text: &str| self.folder.write(&format!("outer/game/{name}"), text);
        game("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.20f1\n");
        game("Packages/manifest.json", "{ \"dependencies\": {} }\n");
        game(ASSET, scene);
        game(
            "Assets/Main.unity.meta",
            "fileFormatVersion: 2\nguid: 00000000000000000000000000000001\n",
        );
        let attributes = "* filter=x diff=x merge=x\n*.meta filter=a=b.clean\n*.asset filter=lfs\n";
        self.folder.write("outer/.gitattributes", attributes);
    }

    fn commit(&self, message: &str) {
        git(&self.root(), &["add", "-A"]);
        git(&self.root(), &["commit", "-q", "-m", message]);
    }

    /// A program that leaves a trace under a name, and lets everything through.
    fn trap(&self, name: &str) -> String {
        let name = name.replace(['/', '='], "_");
        let path = self.folder.path("traps").join(&name);
        let ran = self.folder.path("ran");
        fs::create_dir_all(&ran).unwrap();
        self.folder.write(
            &format!("traps/{name}"),
            format!("#!/bin/sh\n: > '{}/{name}'\ncat\n", ran.display()),
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    /// All settings, with a trap in each that tells where it was set.
    fn settings(&self, place: &str) -> String {
        let setting = |key: &&str| {
            let (section, rest) = key.split_once('.').unwrap();
            let trap = match *key {
                "core.hooksPath" | "init.templateDir" => self.hooks(place),
                _ => self.trap(&format!("{place}-{key}")),
            };
            let mark = if key.starts_with("alias.") || key.ends_with(".update") { "!" } else { "" };
            match rest.rsplit_once('.') {
                Some((part, name)) => format!("[{section} \"{part}\"]\n\t{name} = {mark}{trap}\n"),
                None => format!("[{section}]\n\t{rest} = {mark}{trap}\n"),
            }
        };
        PROGRAMS.iter().map(setting).collect()
    }

    /// A folder of hooks.
    fn hooks(&self, place: &str) -> String {
        let folder = self.folder.path(&format!("hooks-{place}"));
        fs::create_dir_all(&folder).unwrap();
        for hook in HOOKS {
            let trap = self.trap(&format!("{place}-hook-{hook}"));
            fs::copy(trap, folder.join(hook)).unwrap();
        }
        folder.display().to_string()
    }

    fn set_traps(&self) {
        let git_dir = self.root().join(".git");
        let own = fs::read_to_string(git_dir.join("config")).unwrap();
        let more = "[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = ../included\n[includeIf \"gitdir:**\"]\n\tpath = ../included-if\n";
        let own = own.replace("repositoryformatversion = 0", "repositoryformatversion = 1");
        fs::write(git_dir.join("config"), own + more + &self.settings("config")).unwrap();
        fs::write(git_dir.join("config.worktree"), self.settings("worktree")).unwrap();
        self.folder.write("outer/included", self.settings("included"));
        self.folder.write("outer/included-if", self.settings("includedIf"));
        fs::create_dir_all(git_dir.join("info")).unwrap();
        fs::write(git_dir.join("info/attributes"), "* filter=x diff=x merge=x\n").unwrap();
        for hook in HOOKS {
            fs::create_dir_all(git_dir.join("hooks")).unwrap();
            fs::copy(self.trap(&format!("hooks-{hook}")), git_dir.join("hooks").join(hook))
                .unwrap();
        }
        // The folder of the project is a git directory, too, for whoever believes it.
        let bare = "[core]\n\tbare = false\n\tworktree = .\n\trepositoryformatversion = 0\n";
        self.folder.write("outer/game/config", bare.to_owned() + &self.settings("embedded"));
        for part in ["HEAD", "refs", "objects", "index"] {
            copy(&git_dir.join(part), &self.game().join(part));
        }
        // And `git` is a program of the project, for whoever looks there.
        fs::copy(self.trap("own-git"), self.game().join("git")).unwrap();
        fs::copy(self.trap("own-git"), self.root().join("git")).unwrap();
        // All times differ from those of the index, so that git wants to look into every file.
        let file = fs::File::options().write(true).open(self.game().join(ASSET)).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    }

    /// What has run since the last look.
    fn ran(&self) -> Vec<String> {
        let folder = self.folder.path("ran");
        let entries = fs::read_dir(&folder).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
        names.sort();
        names
    }

    /// Our program in a folder, with everything in its environment that could lead git elsewhere.
    fn run(&self, folder: &Path, args: &[&str]) -> Output {
        let mut command = command(folder);
        command.args(args).stdin(Stdio::null()).env("HOME", self.folder.path("home"));
        self.lead_astray(&mut command);
        let output = command.output().unwrap();
        assert_eq!(self.ran(), [""; 0], "{args:?} in {}", folder.display());
        output
    }

    fn lead_astray(&self, command: &mut Command) {
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!(".:{}:{path}", self.game().display()));
        command.env("GIT_DIR", self.root().join(".git")).env("GIT_WORK_TREE", self.root());
        command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "core.fsmonitor");
        command.env("GIT_CONFIG_VALUE_0", self.trap("environment-count"));
        command.env(
            "GIT_CONFIG_PARAMETERS",
            format!("'core.fsmonitor'='{}'", self.trap("environment-parameters")),
        );
        command.env("GIT_CONFIG_GLOBAL", self.root().join("included"));
        command.env("GIT_CONFIG_SYSTEM", self.root().join("included"));
        command.env("GIT_EXEC_PATH", self.folder.path("traps"));
        for name in [
            "GIT_PAGER",
            "PAGER",
            "GIT_EDITOR",
            "EDITOR",
            "GIT_EXTERNAL_DIFF",
            "GIT_SSH_COMMAND",
            "GIT_ASKPASS",
        ] {
            command.env(name, self.trap(&format!("environment-{name}")));
        }
    }
}

fn copy(from: &Path, to: &Path) {
    match from.is_dir() {
        true => scenewright_fixture::copy(from, to),
        false => drop(fs::copy(from, to).unwrap()),
    }
}

#[test]
fn the_traps_are_alive() {
    let hostile = Hostile::new(false);
    fs::write(hostile.game().join(ASSET), SCENE.replace("m_Layer: 0", "m_Layer: 7")).unwrap();
    run_git(&hostile.root(), &["diff"]);
    let ran = hostile.ran();
    for trap in ["core.fsmonitor", "diff.x.command", "filter.x.process"] {
        assert!(ran.iter().any(|name| name.ends_with(trap)), "{trap}: {ran:?}");
    }
    run_git(&hostile.game(), &["diff", "--no-ext-diff"]);
    assert!(!hostile.ran().is_empty(), "git believes the folder of the project");
    run_git(&hostile.root(), &["commit", "--allow-empty", "-m", "x"]);
    assert!(hostile.ran().iter().any(|name| name.contains("hook-")));
}

#[test]
fn nothing_that_a_repository_names_runs() {
    let hostile = Hostile::new(false);
    let (game, root) = (hostile.game(), hostile.root());
    let scene = game.join(ASSET);
    fs::write(&scene, SCENE.replace("m_Layer: 0", "m_Layer: 7")).unwrap();
    for folder in [&game, &root] {
        let output = hostile.run(folder, &["diff"]);
        assert!(stdout(&output).contains("m_Layer"), "{}{}", stdout(&output), stderr(&output));
        assert!(
            stdout(&output).contains('7') && stdout(&output).contains('5'),
            "{}",
            stdout(&output)
        );
        hostile.run(folder, &["diff", "--staged"]);
        hostile.run(folder, &["diff", "--from", "HEAD~1", "--to", "HEAD"]);
        hostile.run(folder, &["diff", "--from", "side"]);
        hostile.run(folder, &["git", "install", "--check"]);
        hostile.run(folder, &["merge", "--all", "--list"]);
        let names = ["--project", game.to_str().unwrap()];
        for args in [
            &["check", "--changed-since", "HEAD"][..],
            &["check", "--changed-since", "side"],
            &["check"],
            &["doctor"],
        ] {
            let output = hostile.run(folder, &[args, &names].concat());
            assert!(
                output.status.code().is_some_and(|code| code < 2),
                "{args:?}: {}",
                stderr(&output)
            );
        }
        for tool in ["project.diff", "project.mergeConflicts", "project.check"] {
            let output = hostile.run(folder, &[&["call", tool][..], &names].concat());
            assert_eq!(output.status.code(), Some(0), "{tool}: {}", stderr(&output));
        }
    }
    // What became of a script that the history had is still told.
    let output = hostile.run(&root, &["check", "--project", game.to_str().unwrap()]);
    assert!(stdout(&output).contains("Assets/Gone.cs had it until commit"), "{}", stdout(&output));
}

#[test]
fn merges_and_setting_up_run_nothing_either() {
    let hostile = Hostile::new(true);
    let output =
        hostile.run(&hostile.root(), &["merge", "--all", "--resolve", "all=theirs", "--add"]);
    // The attributes name a filter for the scene, so that nobody but git can add it.
    assert!(stderr(&output).contains("the attributes name a filter"), "{}", stderr(&output));
    fs::write(hostile.root().join(".gitattributes"), "* diff=x merge=x\n").unwrap();
    fs::write(hostile.root().join(".git/info/attributes"), "* diff=x merge=x\n").unwrap();
    let output = hostile
        .run(&hostile.root(), &["merge", "--all", "--force", "--resolve", "all=theirs", "--add"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let hostile = Hostile::new(false);
    fs::write(hostile.root().join(".gitattributes"), "").unwrap();
    fs::write(hostile.root().join(".git/info/attributes"), "").unwrap();
    git(
        &hostile.root(),
        &[
            "-c",
            "core.fsmonitor=",
            "-c",
            "core.hooksPath=/dev/null",
            "checkout",
            "-q",
            "--",
            "game/Assets",
            ".gitattributes",
        ],
    );
    hostile.ran();
    let attributes = "* !filter\n*.unity merge=scenewright\n";
    fs::write(hostile.root().join(".git/info/attributes"), attributes).unwrap();
    let output = hostile.run(&hostile.root(), &["git", "merge-base-in", "side"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let scene = fs::read_to_string(hostile.game().join(ASSET)).unwrap();
    assert!(scene.contains("m_Layer: 5") && scene.contains("m_Name: Gate"), "{scene}");
    for args in [&["git", "install"][..], &["git", "install", "--check"], &["git", "uninstall"]] {
        hostile.run(&hostile.root(), args);
    }
}

/// What a pull request can bring is what a clone has: files. The folder of the checkout has a configuration of the
/// runner's making.
#[test]
fn the_action_runs_nothing_of_a_pull_request() {
    let hostile = Hostile::new(false);
    for part in ["config", "HEAD", "refs", "objects", "index"] {
        copy(&hostile.game().join(part), &hostile.root().join(part));
    }
    let clean = hostile.folder.path("clean");
    copy(&hostile.root(), &clean);
    fs::remove_dir_all(clean.join(".git")).unwrap();
    git(&clean, &["init", "-q", "-b", "main"]);
    let names = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    git(&clean, &[&names[..], &["add", "-A", "-f"]].concat());
    git(&clean, &[&names[..], &["commit", "-q", "-m", "x"]].concat());
    git(hostile.folder.root(), &["clone", "-q", clean.to_str().unwrap(), "checkout"]);
    hostile.ran();
    let held = hostile.folder.path("held");
    fs::create_dir_all(held.join("node_modules/.bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_scenewright"), held.join("node_modules/.bin/scenewright")).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/github.sh");
    for (folder, project) in [("checkout", "game"), ("checkout", "."), ("checkout/game", ".")] {
        let mut command = Command::new("bash");
        command
            .arg(&script)
            .current_dir(hostile.folder.path(folder))
            .env("HOME", hostile.folder.path("home"));
        command
            .env("HELD", &held)
            .env("PROJECT", project)
            .env("CHANGED_SINCE", "auto")
            .env("BASE", "main");
        for name in ["BASELINE", "ARGS", "PACKAGE"] {
            command.env(name, "");
        }
        command.env("SARIF", held.join("report.sarif")).env("FAIL_ON", "never");
        command.env("GITHUB_OUTPUT", held.join("output"));
        let output = command.output().expect("bash is there");
        assert_eq!(hostile.ran(), [""; 0], "{folder} {project}");
        assert!(
            output.status.success(),
            "{folder} {project}: {}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}
