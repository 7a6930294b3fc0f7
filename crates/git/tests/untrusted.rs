//! What a repository says of itself is not believed, and what people need of it is still told.

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use std::fs;
use std::path::Path;
use std::process::Command;

use scenewright_fixture::{Folder, git_done as git};
use scenewright_git::{Blobs, Range, Repository, State};

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", message]);
}

fn repository(folder: &Folder) {
    git(folder.root(), &["init", "-q", "-b", "main"]);
    folder.write("a.txt", "one\n");
    folder.write("deep/b.txt", "two\n");
    commit(folder.root(), "first");
}

/// The paths that differ, with git's letters.
fn changes(folder: &Path, range: &Range) -> Vec<String> {
    let repository = Repository::of(folder).expect("it is a repository");
    let changes = repository.changes(folder, range, &[], true).expect("git tells");
    let mut lines: Vec<String> =
        changes.iter().map(|change| format!("{} {}", change.status, change.path)).collect();
    lines.sort();
    lines
}

fn since(revision: &str) -> Range {
    Range { from: Some(revision.to_owned()), ..Range::default() }
}

fn refused(folder: &Path) -> String {
    Repository::around(folder).expect_err("it is refused").to_string()
}

#[test]
fn changes_are_those_that_git_tells() {
    let folder = Folder::empty();
    repository(&folder);
    let root = folder.root();
    assert_eq!(changes(root, &Range::default()), [""; 0]);
    folder.write("a.txt", "changed\n");
    folder.write("new.txt", "x");
    fs::remove_file(folder.path("deep/b.txt")).unwrap();
    assert_eq!(changes(root, &Range::default()), ["D deep/b.txt", "M a.txt"]);
    assert_eq!(
        changes(&folder.path("deep"), &Range::default()),
        ["D b.txt"],
        "from a folder below"
    );
    assert_eq!(Repository::of(root).unwrap().unknown(root).unwrap(), ["new.txt"]);
    let staged = Range { staged: true, ..Range::default() };
    assert_eq!(changes(root, &staged), [""; 0]);
    git(root, &["add", "-A"]);
    assert_eq!(changes(root, &staged), ["A new.txt", "D deep/b.txt", "M a.txt"]);
    commit(root, "second");
    git(root, &["tag", "-a", "-m", "x", "v1"]);
    git(root, &["mv", "a.txt", "moved.txt"]);
    commit(root, "third");
    for name in ["v1", "HEAD~1", "main^", "HEAD@{1}", "v1^{commit}", ":/second"] {
        assert_eq!(changes(root, &since(name)), ["R moved.txt"], "{name}");
    }
    let range = Range { from: Some("HEAD~2".into()), to: Some("HEAD~1".into()), staged: false };
    assert_eq!(changes(root, &range), ["A new.txt", "D deep/b.txt", "M a.txt"]);
    git(root, &["pack-refs", "--all"]);
    git(root, &["gc", "-q"]);
    assert_eq!(changes(root, &since("v1")), ["R moved.txt"], "packed");
    for wrong in ["", "-p", "--output=x", "nowhere"] {
        let repository = Repository::of(root).unwrap();
        assert!(repository.changes(root, &since(wrong), &[], true).is_err(), "{wrong}");
    }
}

#[test]
fn a_read_writes_nothing_and_sees_what_changed_in_the_same_moment() {
    let folder = Folder::empty();
    repository(&folder);
    let root = folder.root();
    let index = folder.path(".git/index");
    // Only the time of the file changes; git would write that into the index.
    let before = fs::read(&index).unwrap();
    let file = fs::File::options().write(true).open(folder.path("a.txt")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    drop(file);
    assert_eq!(changes(root, &Range::default()), [""; 0]);
    assert!(fs::read(&index).unwrap() == before, "the index is as it was");
    // The same length in the moment in which the index was written.
    folder.write("a.txt", "two\n");
    git(root, &["add", "-A"]);
    folder.write("a.txt", "six\n");
    let repository = Repository::of(root).unwrap();
    let found = repository.changes(root, &Range::default(), &[], true).unwrap();
    assert!(matches!(&found[0].new, State::File(file) if fs::read(file).unwrap() == b"six\n"));
    let staged = git(root, &["rev-parse", ":a.txt"]);
    let content = Blobs::open(&repository, root, &[&staged]).unwrap().next(100).unwrap();
    assert_eq!(content, b"two\n");
}

#[test]
fn line_ends_and_rules_of_ignoring_are_those_of_the_clone() {
    let folder = Folder::empty();
    repository(&folder);
    let root = folder.root();
    git(root, &["config", "core.autocrlf", "true"]);
    folder.write("a.txt", "one\r\n");
    assert_eq!(changes(root, &Range::default()), [""; 0], "only line ends differ, as git was told");
    git(root, &["config", "core.autocrlf", "false"]);
    assert_eq!(changes(root, &Range::default()), ["M a.txt"]);
    folder.write(".git/info/exclude", "*.tmp\n");
    folder.write("x.tmp", "");
    folder.write("y.txt", "");
    assert_eq!(Repository::of(root).unwrap().unknown(root).unwrap(), ["y.txt"]);
}

#[test]
fn a_pointer_of_git_lfs_is_the_file_that_it_names() {
    let folder = Folder::empty();
    git(folder.root(), &["init", "-q", "-b", "main"]);
    let pointer = |digest: &str, size: u64| {
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {size}\n")
    };
    // SHA-256 of "picture\n", as sha256sum tells it.
    let digest = "cf2a6b9dc684296c5190ba63f0f60e5962de3cb9197fabd692d8c110117f3025";
    folder.write(".gitattributes", "*.png filter=lfs\n*.bin filter=other\n");
    folder.write("a.png", pointer(digest, 8));
    folder.write("b.png", pointer(&"0".repeat(64), 8));
    folder.write("c.bin", "x");
    commit(folder.root(), "first");
    folder.write("a.png", "picture\n");
    folder.write("b.png", "picture\n");
    assert_eq!(changes(folder.root(), &Range::default()), ["M b.png"]);
}

#[test]
fn a_folder_that_looks_like_a_bare_repository_is_a_folder() {
    let folder = Folder::empty();
    repository(&folder);
    let inner = folder.path("game");
    git(folder.root(), &["init", "-q", "--bare", "game"]);
    folder.write("game/project.godot", "");
    let found = Repository::of(&inner).unwrap();
    assert_eq!(found.top(), folder.root(), "that around it");
    let alone = Folder::empty();
    git(alone.root(), &["init", "-q", "--bare", "."]);
    assert!(Repository::around(alone.root()).unwrap().is_none());
}

#[test]
fn a_git_file_counts_where_the_other_side_agrees() {
    let folder = Folder::empty();
    folder.write("main/a.txt", "one\n");
    git(&folder.path("main"), &["init", "-q", "-b", "main"]);
    commit(&folder.path("main"), "first");
    git(&folder.path("main"), &["worktree", "add", "-q", "../tree"]);
    folder.write("tree/a.txt", "changed\n");
    assert_eq!(changes(&folder.path("tree"), &Range::default()), ["M a.txt"]);
    // A submodule.
    folder.write("outer/x.txt", "");
    git(&folder.path("outer"), &["init", "-q", "-b", "main"]);
    git(&folder.path("outer"), &["submodule", "--quiet", "add", "../main", "sub"]);
    commit(&folder.path("outer"), "first");
    folder.write("outer/sub/a.txt", "changed\n");
    assert_eq!(changes(&folder.path("outer/sub"), &Range::default()), ["M a.txt"]);
    assert_eq!(
        changes(&folder.path("outer"), &Range::default()),
        [""; 0],
        "a repository of its own"
    );
    // What somebody made up leads nowhere: to a repository, to a work tree of it, through a link.
    let made_up = folder.path("archive");
    fs::create_dir(&made_up).unwrap();
    for target in
        ["../main/.git", "../main/.git/worktrees/tree", "../outer/.git/modules/sub", "../none"]
    {
        folder.write("archive/.git", format!("gitdir: {target}\n"));
        let why = refused(&made_up);
        assert!(why.contains("leads to"), "{why}");
    }
    // A work tree of its own making, whose shared folder is somebody else's.
    fs::remove_file(folder.path("archive/.git")).unwrap();
    let fake = "archive/held/worktrees/x";
    folder.write(&format!("{fake}/HEAD"), "ref: refs/heads/main\n");
    folder.write(&format!("{fake}/commondir"), format!("{}\n", folder.path("main/.git").display()));
    folder.write(&format!("{fake}/gitdir"), format!("{}\n", folder.path("archive/.git").display()));
    folder.write("archive/.git", "gitdir: held/worktrees/x\n");
    assert!(refused(&made_up).contains("does not name this work tree"));
    #[cfg(unix)]
    {
        fs::remove_file(folder.path("archive/.git")).unwrap();
        std::os::unix::fs::symlink("../main/.git", folder.path("archive/.git")).unwrap();
        assert!(refused(&made_up).contains("is neither a folder nor a file"));
    }
}

#[test]
fn objects_and_names_from_elsewhere_are_not_shown() {
    let private = Folder::empty();
    repository(&private);
    private.write("a.txt", "secret\n");
    commit(private.root(), "secret");
    let folder = Folder::empty();
    repository(&folder);
    let alternates = ".git/objects/info/alternates";
    folder.write(alternates, format!("{}\n", private.path(".git/objects").display()));
    let why = refused(folder.root());
    assert!(why.contains("takes objects from another repository"), "{why}");
    fs::remove_file(folder.path(alternates)).unwrap();
    assert_eq!(changes(folder.root(), &Range::default()), [""; 0]);
    // A commit that shows another in its place.
    folder.write("a.txt", "two\n");
    commit(folder.root(), "second");
    git(folder.root(), &["replace", "HEAD", "HEAD~1"]);
    assert_eq!(changes(folder.root(), &since("HEAD~1")), ["M a.txt"]);
    assert_eq!(changes(folder.root(), &Range::default()), [""; 0]);
    #[cfg(unix)]
    for (link, target) in [
        (".git/objects/pack/x.pack", ".git/objects/pack"),
        (".git/objects/zz", ".git/objects"),
        (".git/refs/heads/other", ".git/refs/heads/main"),
        (".git/shallow", "a.txt"),
    ] {
        std::os::unix::fs::symlink(private.path(target), folder.path(link)).unwrap();
        let why = refused(folder.root());
        assert!(why.contains("plain file"), "{link}: {why}");
        fs::remove_file(folder.path(link)).unwrap();
    }
    assert_eq!(changes(folder.root(), &Range::default()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_at_once() {
    for place in [
        "HEAD",
        "index",
        "config",
        "packed-refs",
        "refs/heads/x",
        "shallow",
        "info/exclude",
        "objects/x",
        "MERGE_HEAD",
    ] {
        let folder = Folder::empty();
        repository(&folder);
        let path = folder.path(".git").join(place);
        let _ = fs::remove_file(&path);
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo is there");
        assert!(made.success());
        let why = refused(folder.root());
        assert!(why.contains("plain file"), "{place}: {why}");
    }
    // As the `.git` itself.
    let folder = Folder::empty();
    assert!(Command::new("mkfifo").arg(folder.path(".git")).status().unwrap().success());
    assert!(refused(folder.root()).contains("neither a folder nor a file"));
}

#[test]
fn what_is_staged_after_a_conflict_is_what_git_add_stages() {
    let folder = Folder::empty();
    repository(&folder);
    let root = folder.root();
    let name = "[x] *.txt";
    folder.write(name, "base\n");
    commit(root, "base");
    git(root, &["checkout", "-q", "-b", "side"]);
    folder.write(name, "theirs\n");
    commit(root, "theirs");
    git(root, &["checkout", "-q", "main"]);
    folder.write(name, "ours\n");
    commit(root, "ours");
    let merge = scenewright_fixture::git(root, &["merge", "side"]);
    assert!(!merge.status.success());
    let repository = Repository::of(root).unwrap();
    assert_eq!(repository.conflicted(root).unwrap(), [name]);
    let [base, ours, theirs] = repository.stages(root, name, 100).unwrap();
    assert_eq!([base, ours, theirs].map(Option::unwrap), [&b"base\n"[..], b"ours\n", b"theirs\n"]);
    assert_eq!(repository.stages(root, "a.txt", 100).unwrap(), [None, None, None]);
    folder.write(name, "both\n");
    repository.settle(root, name, b"both\n").unwrap();
    assert_eq!(git(root, &["status", "--porcelain"]), format!("M  \"{name}\""));
    assert_eq!(git(root, &["show", &format!(":{name}")]), "both");
    assert!(repository.settle(root, "a.txt", b"").is_err(), "not in conflict");
}

#[test]
fn a_merge_moves_the_branch_and_runs_no_hook() {
    let folder = Folder::empty();
    repository(&folder);
    let root = folder.root();
    git(root, &["checkout", "-q", "-b", "side"]);
    folder.write("side.txt", "side\n");
    commit(root, "side");
    git(root, &["checkout", "-q", "main"]);
    folder.write("main.txt", "main\n");
    commit(root, "main");
    git(root, &["config", "user.name", "B"]);
    git(root, &["config", "user.email", "b@example.org"]);
    let ran = folder.path("ran");
    let hook = format!("#!/bin/sh\ntouch '{}'\n", ran.display());
    for name in [
        "post-merge",
        "pre-merge-commit",
        "commit-msg",
        "prepare-commit-msg",
        "reference-transaction",
        "post-index-change",
    ] {
        folder.write(&format!(".git/hooks/{name}"), &hook);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let path = folder.path(&format!(".git/hooks/{name}"));
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    let repository = Repository::of(root).unwrap();
    let status = repository.merge("side", &[], "").unwrap();
    assert!(status.success() && !ran.exists());
    assert_eq!(git(root, &["rev-list", "--parents", "-n", "1", "HEAD"]).split(' ').count(), 3);
    fs::remove_dir_all(folder.path(".git/hooks")).unwrap();
    assert_eq!(git(root, &["log", "-1", "--format=%an"]), "B");
    assert_eq!(git(root, &["status", "--porcelain"]), "");
    assert_eq!(folder.read("side.txt"), "side\n");
    assert!(Repository::of(root).unwrap().merge("--help", &[], "").is_err());
}
