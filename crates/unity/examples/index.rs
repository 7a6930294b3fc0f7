//! Builds the index of a project and says what is in it and how long that took.
//!
//! `cargo run --release -p scenewright-unity --example index -- PROJECT...`

#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use scenewright_unity::index::{Index, Store};

fn main() {
    let cache = env::temp_dir().join(format!("scenewright-index-{}", std::process::id()));
    for folder in env::args_os().skip(1).map(PathBuf::from) {
        measure(&folder, &cache);
    }
    let _ = fs::remove_file(cache);
}

fn measure(root: &std::path::Path, cache: &std::path::Path) {
    println!("{}", root.display());
    let (index, _) = timed("build", || Index::build(root, None, &()).expect("not cancelled"));
    let counts = index.counts();
    println!("  {counts:?}");
    println!("  {} packages, {} absent", index.packages().len(), index.absent_packages().count());
    let mut problems = BTreeMap::new();
    for problem in index.problems() {
        *problems.entry(problem.kind).or_insert(0) += 1;
    }
    println!("  problems {problems:?}");
    let guids: Vec<_> = index.assets().filter_map(|asset| asset.guid()).collect();
    timed("first incoming", || guids.first().map(|guid| index.incoming(*guid).len()));
    let (sources, _) = timed("all incoming", || {
        guids.iter().map(|guid| index.incoming(*guid).len()).sum::<usize>()
    });
    println!("  {sources} edges inside the project, {} MB resident", resident());
    timed("save", || index.save(cache).expect("the temporary folder can be written"));
    println!("  cache of {} MB", fs::metadata(cache).map_or(0, |meta| meta.len() >> 20));
    let (loaded, load) = timed("load", || Index::load(cache, root).expect("just saved"));
    let (_, walk) = timed("build from cache", || Index::build(root, Some(&loaded), &()));
    println!("  start from cache {:.1} ms", (load + walk) * 1e3);
    let store = Store::open(root, Some(cache));
    // A file of which nothing changed is read all the same.
    let mut files = index.assets().skip(index.len() / 2).filter_map(|asset| asset.disk_path().ok());
    let asset = files.find(|path| path.is_file()).expect("there is a file");
    timed("refresh of an unchanged file", || store.refresh(std::slice::from_ref(&asset)));
    if env::var_os("TOUCH").is_some() {
        for _ in 0..3 {
            let text = fs::read(&asset).expect("read");
            fs::write(&asset, text).expect("written");
            timed("refresh of a changed file", || store.refresh(std::slice::from_ref(&asset)));
            let new = asset.with_extension("new");
            fs::write(&new, "x").expect("written");
            timed("refresh of a new file", || store.refresh(std::slice::from_ref(&new)));
            fs::remove_file(&new).expect("removed");
            timed("refresh of a removed file", || store.refresh(std::slice::from_ref(&new)));
        }
        println!("  {:?}", store.changes_since(1));
    }
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> (T, f64) {
    let (start, cpu) = (Instant::now(), cpu());
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    println!("  {what}: {:.2} ms, {} ms CPU", seconds * 1e3, self::cpu() - cpu);
    (result, seconds)
}

/// Time of all threads, in steps of the system's clock.
fn cpu() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * 10
}

fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: Option<usize> =
        line.and_then(|line| line.trim().split(' ').next()?.parse().ok());
    kilobytes.unwrap_or(0) >> 10
}
