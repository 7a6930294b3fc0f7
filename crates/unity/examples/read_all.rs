//! Reads every file under the given folders and says what was found and how fast.
//!
//! `cargo run --release -p scenewright-unity --example read_all -- FOLDER...`
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use scenewright_unity::{Document, DocumentKind, Value, scan_guid, scan_headers, scan_references};

fn main() {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => {
                    files.extend(fs::read(entry.path()).map(|bytes| (entry.path(), bytes)))
                }
                _ => {}
            }
        }
    }
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut texts, mut metas, mut problems) = (Vec::new(), Vec::new(), 0);
    for (path, bytes) in files {
        let document = Document::parse(bytes.as_slice());
        assert_eq!(document.to_bytes(), bytes, "{}", path.display());
        let count = kinds.entry(format!("{:?}", document.kind())).or_default();
        *count = (count.0 + 1, count.1 + bytes.len());
        // Source code and the like is walked too, which must not panic; its problems mean nothing.
        walk(document.root());
        match document.kind() {
            DocumentKind::UnityYaml => texts.push(bytes),
            DocumentKind::Meta => metas.push(bytes),
            _ => {
                document.objects().for_each(|object| _ = walk(object.value()));
                document.problems();
                continue;
            }
        }
        for problem in document.problems() {
            problems += 1;
            println!("{}:{}: {}", path.display(), problem.line, problem.message);
        }
    }
    for (kind, (count, size)) in kinds {
        println!("{kind}: {count} files, {size} bytes");
    }
    println!("{problems} problems");
    measure("headers", &texts, |text| scan_headers(text).count());
    measure("references", &texts, |text| scan_references(text).count());
    measure("parse", &texts, |text| Document::parse(text).objects().len());
    measure("all values, read", &texts, |text| {
        let document = Document::parse(text);
        document.objects().map(|object| object.fields().count()).sum()
    });
    measure("all values, decoded", &texts, |text| {
        let document = Document::parse(text);
        document.objects().map(|object| walk(object.value())).sum()
    });
    measure("problems", &texts, |text| Document::parse(text).problems().len());
    measure("meta guids", &metas, |text| usize::from(scan_guid(text).is_some()));
    measure("meta values, decoded", &metas, |text| walk(Document::parse(text).root()));
}

fn walk(value: Value<'_>) -> usize {
    let _ = (value.key(), value.text(), value.as_f64(), value.as_i64(), value.as_reference());
    let children = value.fields().map(|(_, value)| value).chain(value.items());
    1 + children.map(walk).sum::<usize>()
}

fn measure(what: &str, texts: &[Vec<u8>], run: impl Fn(&[u8]) -> usize) {
    let size: usize = texts.iter().map(Vec::len).sum();
    let time = || {
        let start = Instant::now();
        let count: usize = texts.iter().map(|text| run(text)).sum();
        (start.elapsed(), count)
    };
    let Some((best, count)) = (0..5).map(|_| time()).min() else { return };
    let speed = size as f64 / 1e6 / best.as_secs_f64();
    println!(
        "{what}: {count} in {} files, {:.1} MB, {speed:.0} MB/s",
        texts.len(),
        size as f64 / 1e6
    );
}
