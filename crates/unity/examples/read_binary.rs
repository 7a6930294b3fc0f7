//! Reads every binary file under the given folders, each folder one row of a table.
//!
//! `cargo run --release -p scenewright-unity --example read_binary -- FOLDER...`
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use scenewright_unity::binary::{BinaryError, BinaryFile, Kind, Object, Value};

const ENDINGS: [&str; 3] = ["asset", "unity", "prefab"];

#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    opened: usize,
    objects: usize,
    whole: usize,
    names: usize,
    values: usize,
    references: usize,
    outside: usize,
}

fn main() {
    println!(
        "folder\tfiles\tMB\topened\tobjects\tread\tnames\tvalues\treferences\tto other files\tms"
    );
    let (mut failures, mut writers) = (Vec::new(), BTreeMap::<String, usize>::new());
    for folder in std::env::args_os().skip(1).map(PathBuf::from) {
        let mut row = Row::default();
        let start = Instant::now();
        for path in files(&folder) {
            let Ok(bytes) = fs::read(&path) else { continue };
            if !is_of_interest(&bytes) {
                continue;
            }
            row.files += 1;
            row.bytes += bytes.len();
            match BinaryFile::open(&bytes) {
                Ok(file) => {
                    row.opened += 1;
                    let writer = format!("{} {}", file.format(), file.unity_version());
                    *writers.entry(writer).or_default() += 1;
                    let wrong = file.objects().filter_map(|object| count(object, &mut row).err());
                    failures.extend(wrong.map(|error| format!("{}: {error}", path.display())));
                }
                Err(error) => failures.push(format!("{}: {error}", path.display())),
            }
        }
        let Row { files, bytes, opened, objects, whole, names, values, references, outside } = row;
        let (mb, ms) = (bytes as f64 / 1e6, start.elapsed().as_millis());
        println!(
            "{}\t{files}\t{mb:.1}\t{opened}\t{objects}\t{whole}\t{names}\t{values}\t{references}\t{outside}\t{ms}",
            folder.file_name().unwrap_or_default().display()
        );
    }
    println!("{writers:?}\n{} failures", failures.len());
    failures.iter().for_each(|failure| println!("{failure}"));
}

/// Text, pointers of Git LFS and settings in JSON are no binary files.
fn is_of_interest(bytes: &[u8]) -> bool {
    let others: [&[u8]; 4] = [b"%YAML", b"\xef\xbb\xbf", b"version https://git-lfs", b"{"];
    bytes.len() > 20 && !others.iter().any(|start| bytes.starts_with(start))
}

fn count(object: Object<'_>, row: &mut Row) -> Result<(), BinaryError> {
    row.objects += 1;
    row.names += usize::from(object.name().is_some());
    row.values += walk(object.value()?);
    let references = object.references()?;
    row.references += references.len();
    row.outside += references.iter().filter(|reference| reference.guid.is_some()).count();
    row.whole += 1;
    Ok(())
}

fn walk(value: Value<'_>) -> usize {
    match value.kind() {
        Kind::List(many) if many > 10_000 => 1,
        Kind::List(_) | Kind::Map(_) => 1 + value.items().map(walk).sum::<usize>(),
        Kind::Struct => 1 + value.fields().map(|(_, value)| walk(value)).sum::<usize>(),
        _ => 1,
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                Ok(kind) if kind.is_file() => {
                    let ending = path.extension().and_then(|ending| ending.to_str());
                    found.extend(ending.is_some_and(|e| ENDINGS.contains(&e)).then_some(path));
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}
