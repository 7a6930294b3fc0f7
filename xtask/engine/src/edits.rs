//! Edits of Unity's files, judged by those files: `cargo xtask remake --corpora DIR --kind field`.
//!
//! No Unity is at hand to say what an edit has to look like. But what a real file has can be changed and
//! changed back, or taken away and made again with the same values, by the engine that the tools use: the
//! bytes must be those of the file. Nothing is written.

mod applied;
mod field;
mod ground;
mod instance;
mod object;
mod orders;
mod overridden;
mod unpacked;
mod values;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use scenewright_contract::{Call, JsonMap, Limits};
use scenewright_toolkit::{Cx, Kept, Kit, Runner, Settings, Workspace};
use scenewright_tools_unity::ENGINE;
use scenewright_tools_unity::base::editing::Opened;
use scenewright_tools_unity::base::{InUnity, Unity};
use scenewright_unity::Document;
use xtask::random::Random;

use ground::Ground;
use orders::Orders;

const USAGE: &str = "usage: cargo xtask remake --corpora DIR --kind field|override|instance|object|unpack|apply [--tries N] [--seed S] [--project NAME]";
/// So often each kind is tried, unless told.
const TRIES: usize = 2_000;
/// At least so many places of a file are tried, since it is read and expanded once for all.
const OF_A_FILE: usize = 8;
/// Of one file as many places say nothing before the next one is opened.
const LOOKS: usize = 400;
/// Larger files take long, and have nothing that others lack.
const LARGEST: u64 = 4 << 20;
/// Projects lie this deep in a folder of them.
const DEEPEST: usize = 6;
/// So many differences are shown.
const SHOWN: usize = 12;

/// What became of one try.
enum Verdict {
    /// The bytes are those of the file.
    Same,
    /// The same, at another place among its like, though other lists tell its own.
    Moved(String),
    /// The same, at another place, which nothing in the project tells.
    Free(String),
    /// It was not made again as it was.
    Other(String),
    /// It says nothing of the engine, for this reason.
    Untold(String),
}

/// How many places of a file may be tried.
type Count = fn(&Document) -> usize;
/// Try one of them: nothing where it is no place after all.
type Try = fn(&mut Opened<'_>, &Ground, usize, &mut Random) -> Option<Verdict>;

/// A kind of tries, and the files that it is made in.
struct Kind {
    name: &'static str,
    endings: &'static [&'static str],
    count: Count,
    judge: Try,
    /// The order of overrides matters, which versions have of their own.
    has_lists: bool,
}

const SCENES: &[&str] = &["unity", "prefab"];
const ALL: &[&str] =
    &["unity", "prefab", "asset", "mat", "controller", "anim", "physicMaterial", "playable"];

const KINDS: [Kind; 6] = [
    Kind {
        name: "field",
        endings: ALL,
        count: field::count,
        judge: field::judge,
        has_lists: false,
    },
    Kind {
        name: "override",
        endings: SCENES,
        count: overridden::count,
        judge: overridden::judge,
        has_lists: true,
    },
    Kind {
        name: "instance",
        endings: SCENES,
        count: instance::count,
        judge: instance::judge,
        has_lists: true,
    },
    Kind {
        name: "object",
        endings: SCENES,
        count: object::count,
        judge: object::judge,
        has_lists: false,
    },
    Kind {
        name: "unpack",
        endings: SCENES,
        count: unpacked::count,
        judge: unpacked::judge,
        has_lists: false,
    },
    Kind {
        name: "apply",
        endings: SCENES,
        count: unpacked::count,
        judge: applied::judge,
        has_lists: false,
    },
];

/// Whether there is such a kind.
pub(crate) fn knows(kind: &str) -> bool {
    KINDS.iter().any(|known| known.name == kind)
}

/// Run the task.
pub(crate) fn run(dir: &str, kind: &str, rest: &[&str]) -> Result<()> {
    let kind = KINDS.iter().find(|known| known.name == kind).context(USAGE)?;
    let (mut tries, mut seed, mut only) = (TRIES, 1, "");
    for pair in rest.chunks(2) {
        match pair {
            ["--tries", count] => tries = count.parse()?,
            ["--seed", number] => seed = number.parse()?,
            ["--project", name] => only = name,
            _ => bail!(USAGE),
        }
    }
    let mut roots = Vec::new();
    for dir in dir.split(',') {
        roots.extend(projects(Path::new(dir))?);
    }
    roots.retain(|root| root.to_string_lossy().contains(only));
    roots.sort_by_cached_key(|root| (size(root), root.clone()));
    ensure!(!roots.is_empty(), "{dir} has no Unity project");
    let mut tally = Tally::default();
    for (at, root) in roots.iter().enumerate() {
        // What small projects lack, those behind them have.
        let left = tries.saturating_sub(tally.told());
        judge_project(root, kind, left.div_ceil(roots.len() - at), seed, &mut tally)?;
    }
    tally.print(kind.name);
    let is_awake = tally.is_awake || tally.told() == 0;
    ensure!(
        is_awake,
        "nothing that was made could be broken on purpose, so nobody knows the judge"
    );
    Ok(())
}

fn judge_project(
    root: &Path,
    kind: &Kind,
    tries: usize,
    seed: u64,
    tally: &mut Tally,
) -> Result<()> {
    let workspace = Workspace::open(&[ENGINE], &[root.to_owned()], Kept::default())?;
    let kit = Kit { groups: Vec::new(), packs: Vec::new() };
    let runner = Runner::new(kit, workspace, Settings::default(), None);
    let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
    let unity = cx.unity(None).map_err(|error| anyhow!("{}", error.message))?;
    let files = files(&unity, kind.endings);
    if files.is_empty() {
        return Ok(());
    }
    let version = &unity.unity.settings.version.text;
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let row = format!("{name} {version}");
    let orders = Rc::new(orders(&unity, &files, kind));
    let mut random = Random::new(seed, kind.name, 0);
    let files = shuffled(files, &mut random);
    let goal = tally.told() + tries;
    for (at, path) in files.iter().enumerate() {
        let left = goal.saturating_sub(tally.told());
        if left == 0 {
            break;
        }
        let share = left.div_ceil(files.len() - at).max(OF_A_FILE).min(left);
        let Ok(opened) = Opened::new(&unity, path) else { continue };
        let ground = Ground::of(&opened, orders.clone());
        judge_file((opened, ground), kind, share, &row, &mut random, tally)?;
    }
    Ok(())
}

/// What the lists of a project tell of each other.
fn orders(unity: &Unity<'_>, files: &[String], kind: &Kind) -> Orders {
    let mut orders = Orders::default();
    for path in files.iter().filter(|_| kind.has_lists) {
        if let Ok(bytes) = fs::read(unity.unity.settings.root.join(path)) {
            orders.learn(&Document::parse(bytes));
        }
    }
    orders
}

/// So many tries of one file that tell something, as far as it has places.
fn judge_file(
    (mut opened, ground): (Opened<'_>, Ground),
    kind: &Kind,
    share: usize,
    row: &str,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<()> {
    let places: Vec<usize> = (0..(kind.count)(&ground.document)).collect();
    let row = match kind.has_lists {
        true => format!("{row}, {}", ground.order()),
        false => row.to_owned(),
    };
    let goal = tally.told() + share;
    for place in shuffled(places, random).into_iter().take(LOOKS.max(share)) {
        if tally.told() == goal {
            break;
        }
        let mut again = random.clone();
        let Some(verdict) = (kind.judge)(&mut opened, &ground, place, random) else { continue };
        if matches!(verdict, Verdict::Same) && !tally.is_awake {
            // The same once more, with another value: who says "the same" again, sees nothing.
            let broken = ground.broken(|| (kind.judge)(&mut opened, &ground, place, &mut again));
            let path = opened.path.as_str();
            match broken {
                None => {}
                Some(Some(Verdict::Other(_))) => tally.is_awake = true,
                Some(_) => bail!("{path}: a value was broken on purpose and nobody notices"),
            }
        }
        tally.add(&row, opened.path.as_str(), verdict);
    }
    Ok(())
}

fn shuffled<T>(mut all: Vec<T>, random: &mut Random) -> Vec<T> {
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at + 1));
    }
    all
}

/// The files of a project that may be changed, in order.
fn files(unity: &Unity<'_>, endings: &[&str]) -> Vec<String> {
    let root = &unity.unity.settings.root;
    let fits = |path: &String| {
        let ending = path.rsplit('.').next().unwrap_or_default();
        let size = fs::metadata(root.join(path)).map_or(u64::MAX, |meta| meta.len());
        endings.contains(&ending) && path.starts_with("Assets/") && size < LARGEST
    };
    let mut files: Vec<String> =
        unity.index.assets().map(|asset| asset.path()).filter(fits).collect();
    files.sort();
    files
}

/// The Unity projects below a folder.
fn projects(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![(dir.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        if folder.join("ProjectSettings").join("ProjectVersion.txt").exists() {
            found.push(folder);
            continue;
        }
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() && depth < DEEPEST {
                open.push((path, depth + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// How many files lie in the assets of a project, as far as that matters for an order.
fn size(root: &Path) -> usize {
    let mut open = vec![root.join("Assets")];
    let mut count = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => open.push(path),
                _ => count += 1,
            }
        }
    }
    count
}

/// What came of all tries, by project.
#[derive(Default)]
struct Tally {
    rows: BTreeMap<String, [usize; 5]>,
    /// Why tries say nothing.
    untold: BTreeMap<String, usize>,
    /// What stands elsewhere, how often and where first.
    moved: BTreeMap<String, (usize, String)>,
    free: BTreeMap<String, (usize, String)>,
    /// By their first line, how often and where first.
    others: BTreeMap<String, (usize, String)>,
    /// The judge noticed what was broken on purpose.
    is_awake: bool,
}

impl Tally {
    /// How many tries told something.
    fn told(&self) -> usize {
        self.rows.values().map(|row| row[..4].iter().sum::<usize>()).sum()
    }

    fn add(&mut self, row: &str, path: &str, verdict: Verdict) {
        let counts = self.rows.entry(row.to_owned()).or_default();
        let place = |sorts: &mut BTreeMap<String, (usize, String)>, what: String| {
            sorts.entry(what).or_insert_with(|| (0, path.to_owned())).0 += 1;
        };
        match verdict {
            Verdict::Same => counts[0] += 1,
            Verdict::Free(what) => {
                counts[1] += 1;
                place(&mut self.free, what);
            }
            Verdict::Moved(what) => {
                counts[2] += 1;
                place(&mut self.moved, what);
            }
            Verdict::Other(why) => {
                counts[3] += 1;
                let (head, rest) = why.split_once('\n').unwrap_or((&why, ""));
                let first = || (0, format!("{path}\n{rest}"));
                self.others.entry(head.to_owned()).or_insert_with(first).0 += 1;
            }
            Verdict::Untold(why) => {
                counts[4] += 1;
                *self.untold.entry(why).or_default() += 1;
            }
        }
    }

    fn print(&self, kind: &str) {
        let heads = ["same", "free", "moved", "other", "untold"].map(|head| format!("{head:>7}"));
        println!("{kind:60} {}", heads.join(" "));
        let mut all = [0; 5];
        for (row, counts) in &self.rows {
            let shown = counts.map(|count| format!("{count:>7}"));
            println!("{row:60} {}", shown.join(" "));
            all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let [same, free, moved, other, untold] = all;
        let rate = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let told = same + free + moved + other;
        println!("\n{same} of {told} are the same: {:.2} %", rate(same, told));
        if free > 0 {
            println!(
                "{free} have their place not determined by the file: {:.2} %",
                rate(free, told)
            );
            println!("of the others {:.2} % are the same", rate(same, told - free));
        }
        if moved > 0 {
            println!("{moved} are at another place than their like: {:.2} %", rate(moved, told));
        }
        println!("{untold} tell nothing");
        let mut untold: Vec<_> = self.untold.iter().collect();
        untold.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (why, count) in untold.into_iter().take(SHOWN) {
            println!("  {count} {why}");
        }
        print_sorts("at a place that nothing tells", &self.free);
        print_sorts("at another place", &self.moved);
        print_sorts("other", &self.others);
        if self.is_awake {
            println!("\na value that was broken on purpose was noticed");
        }
    }
}

/// Each sort of a difference, the most frequent first.
fn print_sorts(what: &str, sorts: &BTreeMap<String, (usize, String)>) {
    let mut sorts: Vec<_> = sorts.iter().collect();
    sorts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (why, (count, first)) in sorts.iter().take(SHOWN) {
        println!("\n{count} times {what}: {why}\n  {}", first.trim_end().replace('\n', "\n  "));
    }
    let rest: usize = sorts.iter().skip(SHOWN).map(|(_, (count, _))| count).sum();
    if rest > 0 {
        println!("\n{rest} times {what}, of {} more sorts", sorts.len() - SHOWN);
    }
}

/// The first lines in which two files differ.
fn difference(before: &[u8], after: &[u8]) -> String {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - start;
    let ends = old.iter().rev().zip(new.iter().rev());
    let end = ends.take(most).take_while(|(old, new)| old == new).count();
    let show = |mark: char, lines: &[&str]| -> String {
        lines.iter().take(6).map(|line| format!("{mark} {line}\n")).collect()
    };
    show('-', &old[start..old.len() - end]) + &show('+', &new[start..new.len() - end])
}
