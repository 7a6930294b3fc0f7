//! The power goes while a change is made: what was not yet on the disk is lost, or torn.
//!
//! A change is made once and every step of it noted. Then many disks are built as a cut at any moment
//! may leave them, and each is opened again.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use super::super::disk::Op;
use super::*;

/// Files, and folders without content, by path.
type Tree = BTreeMap<PathBuf, Option<Vec<u8>>>;

fn tree_of(folders: &[&Path]) -> Tree {
    let mut tree = Tree::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        tree.insert(folder, None);
        for entry in entries.flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => open.push(entry.path()),
                false => drop(tree.insert(entry.path(), Some(fs::read(entry.path()).unwrap()))),
            }
        }
    }
    tree
}

fn build(tree: &Tree, folders: &[&Path]) {
    for folder in folders {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).unwrap();
    }
    for (path, content) in tree {
        match content {
            None => fs::create_dir_all(path).unwrap(),
            // A key that others may read is none.
            Some(bytes) => scenewright_text::private::write_whole(path, bytes).unwrap(),
        }
    }
}

fn folders_of(op: &Op) -> BTreeSet<&Path> {
    let paths: Vec<&PathBuf> = match op {
        Op::Write { path, .. } | Op::Remove { path } => vec![path],
        Op::MakeFolder { path } | Op::RemoveFolder { path } => vec![path],
        Op::Rename { from, to } => vec![from, to],
        Op::Exchange { one, other } => vec![one, other],
        Op::Sync { .. } => Vec::new(),
    };
    paths.into_iter().filter_map(|path| path.parent()).collect()
}

/// Which of the steps up to the cut are on the disk. In each folder they come in order, and what was
/// done before its last sync is there; folders know nothing of each other.
fn survivors<'o>(ops: &'o [Op], random: &mut Random) -> Vec<&'o Op> {
    let mut synced: HashMap<&Path, usize> = HashMap::new();
    let mut counts: HashMap<&Path, usize> = HashMap::new();
    for op in ops {
        if let Op::Sync { folder } = op {
            synced.insert(folder, counts.get(&**folder).copied().unwrap_or(0));
        }
        folders_of(op).into_iter().for_each(|folder| *counts.entry(folder).or_default() += 1);
    }
    let mut names: Vec<&Path> = counts.keys().copied().collect();
    names.sort();
    let kept: HashMap<&Path, usize> = names
        .into_iter()
        .map(|folder| {
            let least = synced.get(folder).copied().unwrap_or(0);
            (folder, least + random.below(counts[folder] - least + 1))
        })
        .collect();
    let mut done: HashMap<&Path, usize> = HashMap::new();
    ops.iter()
        .filter(|op| {
            let folders = folders_of(op);
            let is_kept =
                folders.iter().all(|folder| done.get(folder).unwrap_or(&0) < &kept[folder]);
            folders.into_iter().for_each(|folder| *done.entry(folder).or_default() += 1);
            is_kept
        })
        .collect()
}

fn replay(tree: &mut Tree, op: &Op, random: &mut Random) {
    match op {
        Op::Write { path, bytes, durable } => {
            let torn = if *durable { bytes.len() } else { random.below(bytes.len() + 1) };
            tree.insert(path.clone(), Some(bytes[..torn].to_vec()));
        }
        Op::Rename { from, to } => {
            if let Some(content) = tree.remove(from) {
                tree.insert(to.clone(), content);
            }
        }
        Op::Exchange { one, other } => {
            if let (Some(first), Some(second)) = (tree.remove(one), tree.remove(other)) {
                tree.insert(one.clone(), second);
                tree.insert(other.clone(), first);
            }
        }
        Op::Remove { path } | Op::RemoveFolder { path } => drop(tree.remove(path)),
        Op::MakeFolder { path } => drop(tree.insert(path.clone(), None)),
        Op::Sync { .. } => {}
    }
}

/// Without what is ours and hidden: a temporary file may outlast its record.
fn visible(bench: &Bench) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut all = bench.everything();
    all.retain(|name, _| !name.contains(".scenewright"));
    all
}

fn cut(change: fn(&Arc<Runner>) -> Result<Written, ToolError>, tries: usize) {
    let bench = Bench::new();
    let root = bench.folder.root().canonicalize().unwrap();
    let cache = bench.cache.root().canonicalize().unwrap();
    let folders = [root.as_path(), cache.as_path()];
    // A key is on the disk before the first record that it proves.
    project(&bench.open()).door.keys.own().unwrap();
    let start = tree_of(&folders);
    let before = visible(&bench);
    let runner = bench.open();
    project(&runner).door.disk.fault.watch();
    change(&runner).unwrap();
    let ops = project(&runner).door.disk.fault.watched();
    drop(runner);
    let after = visible(&bench);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut old, mut new) = (0, 0);
    for number in 0..tries {
        let cut = random.below(ops.len() + 1);
        let mut tree = start.clone();
        for op in survivors(&ops[..cut], &mut random) {
            replay(&mut tree, op, &mut random);
        }
        build(&tree, &folders);
        let runner = bench.open();
        let now = visible(&bench);
        assert!(
            now == before || now == after,
            "try {number}, cut after {cut} of {ops:#?}\n{now:?}"
        );
        if now == before {
            old += 1
        } else {
            new += 1
        }
        // And it can be written again.
        let open = project(&runner);
        let mut plan = Plan::new(&open);
        plan.write(&path(&runner, "Assets/again.txt"), None, b"again".to_vec());
        plan.commit(&cx(&runner), false, no_check).unwrap();
    }
    assert!(old > 0 && new > 0, "{old} as before, {new} complete");
}

fn tries() -> usize {
    if std::env::var("SCENEWRIGHT_FAULTS").is_ok_and(|word| word == "full") { 5000 } else { 150 }
}

#[test]
fn power_cut_in_a_change_of_many_files_leaves_all_or_nothing() {
    cut(|runner| mixed(runner, false), tries());
}

#[test]
fn power_cut_in_a_change_of_one_file_leaves_all_or_nothing() {
    cut(|runner| set(runner, "Assets/b.txt", "changed"), tries());
}
