//! `cargo xtask packages --cache DIR`: what Unity saves of the classes of its packages, which
//! `crates/unity` embeds for projects whose packages are not on disk.
//!
//! The folder is one as Unity keeps it, `Library/PackageCache`, with as many versions of each package
//! as there are: `com.unity.cinemachine@2.9.7`. Of `com.unity.ugui`, which has had the same version
//! over years, what follows the `@` is the version of Unity.

mod declare;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use miniz_oxide::deflate::compress_to_vec;
use scenewright_unity::packages::version_parts;
use scenewright_unity::script::{ScriptFile, parse_bytes};
use xtask::paths;

/// The highest level of the format. It takes a second, once.
const LEVEL: u8 = 10;
/// Folders whose classes are in no scene of a game.
const APART: [&str; 6] = ["Editor", "Tests", "Samples~", "Samples", "Documentation~", "External"];

/// Symbols that the packages define when what they build on is there, as in a project that uses it.
const DEFINED: [&str; 8] = [
    "CINEMACHINE_PHYSICS_2D",
    "CINEMACHINE_PHYSICS",
    "CINEMACHINE_UGUI",
    "CINEMACHINE_TIMELINE",
    "CINEMACHINE_UNITY_INPUTSYSTEM",
    "CINEMACHINE_UNITY_ANIMATION",
    "UNITY_INPUT_SYSTEM_ENABLE_UI",
    "INCLUDE_PHYSICS",
];

/// A package in one version.
struct Package {
    name: String,
    version: String,
    /// The oldest Unity that it works with.
    unity: String,
    folder: PathBuf,
}

pub(crate) fn run(cache: &str) -> Result<()> {
    let mut packages = packages(Path::new(cache))?;
    packages.sort_by_key(|package| (package.name.clone(), version_parts(&package.version)));
    let table = table(&packages);
    let length = u32::try_from(table.len()).context("the table is larger than its length field")?;
    let packed = [&length.to_le_bytes()[..], &compress_to_vec(table.as_bytes(), LEVEL)].concat();
    fs::write(paths::target().join("unity-packages.txt"), &table)?;
    let file = paths::root().join("crates/unity/data/packages.bin");
    fs::write(&file, &packed)?;
    println!("{}  {} bytes, of {}", file.display(), packed.len(), table.len());
    Ok(())
}

fn packages(cache: &Path) -> Result<Vec<Package>> {
    let mut packages = Vec::new();
    for entry in fs::read_dir(cache).with_context(|| cache.display().to_string())? {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((name, version)) = name.split_once('@') else { continue };
        let about = fs::read(folder.join("package.json")).unwrap_or_default();
        let about: serde_json::Value = serde_json::from_slice(&about).unwrap_or_default();
        let unity = about["unity"].as_str().unwrap_or_default().to_owned();
        packages.push(Package {
            name: name.to_owned(),
            version: version.to_owned(),
            unity,
            folder,
        });
    }
    Ok(packages)
}

/// Lines that say which package (`=`), which class (`>`), since which version of it and for which
/// Unity (`@`), and then the declaration. Versions that say the same are one.
fn table(packages: &[Package]) -> String {
    let mut table = String::new();
    let mut parsed = Parsed::new();
    for of_one in packages.chunk_by(|a, b| a.name == b.name) {
        let mut classes: BTreeMap<String, Vec<(&Package, String)>> = BTreeMap::new();
        let mut first = None;
        for package in of_one {
            let now = declarations(package, &mut parsed);
            // The first versions of some had libraries in place of sources.
            first = first.or_else(|| (!now.is_empty()).then_some(&package.version));
            let gone: Vec<String> =
                classes.keys().filter(|name| !now.contains_key(*name)).cloned().collect();
            let gone = gone.into_iter().map(|name| (name, String::new()));
            for (name, text) in now.into_iter().chain(gone) {
                let versions = classes.entry(name).or_default();
                if versions.last().is_none_or(|(_, last)| *last != text) {
                    versions.push((package, text));
                }
            }
        }
        let Some(first) = first else { continue };
        let _ = writeln!(table, "={} {first}", of_one[0].name);
        for (class, versions) in classes {
            let _ = writeln!(table, ">{class}");
            for (package, text) in versions {
                let Some(Row { version, unity, text }) = row(package, text) else { continue };
                let _ = writeln!(table, "@{version} {unity}\n{text}");
            }
        }
    }
    table
}

/// What a class has since a version of its package, or of Unity.
struct Row<'a> {
    version: &'a str,
    unity: &'a str,
    text: String,
}

/// TextMesh Pro is a part of Unity since 2023.2, and version 5 of its package is empty. What is saved there
/// is what its last version of its own has, a preview that tried classes of the engine for its assets.
const TEXT_OF_ENGINE: [(&str, &str); 5] = [
    ("]FontAsset ", "]TMP_FontAsset "),
    ("]SpriteAsset ", "]TMP_SpriteAsset "),
    ("]TextStyleSheet ", "]TMP_StyleSheet "),
    ("]TextColorGradient ", "]TMP_ColorGradient "),
    ("ColorGradientMode", "ColorMode"),
];

/// The row of a class; none where it went in that preview alone.
fn row(package: &Package, text: String) -> Option<Row<'_>> {
    let Package { name, version, unity, .. } = package;
    if name != "com.unity.textmeshpro" || !version.starts_with("4.") {
        return Some(Row { version, unity, text });
    }
    let text = TEXT_OF_ENGINE.iter().fold(text, |text, (engine, own)| text.replace(engine, own));
    (!text.is_empty()).then_some(Row { version: "5.0.0", unity: "2023.2", text })
}

/// Sources by their bytes: most are the same in the next version.
type Parsed = HashMap<Vec<u8>, Arc<ScriptFile>>;

/// The declarations of a package by the names of the classes outside others.
fn declarations(package: &Package, parsed: &mut Parsed) -> BTreeMap<String, String> {
    let mut paths = Vec::new();
    sources(&package.folder, &mut paths);
    paths.sort();
    let mut parse = |bytes: Vec<u8>| {
        let file = parsed.get(&bytes).cloned();
        let file = file.unwrap_or_else(|| Arc::new(parse_bytes(&defined(&bytes))));
        parsed.entry(bytes).or_insert(file).clone()
    };
    let read = paths.iter().filter_map(|path| fs::read(path).ok());
    let files: Vec<Arc<ScriptFile>> = read.map(&mut parse).collect();
    declare::all(&files)
}

/// A source in which the conditions on what a project has hold.
fn defined(source: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(source);
    let lines = text.lines().map(|line| match line.trim_start().starts_with("#if") {
        true => DEFINED.iter().fold(line.to_owned(), |line, name| line.replace(name, "true")),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

fn sources(folder: &Path, paths: &mut Vec<PathBuf>) {
    let apart: BTreeSet<&str> = APART.into();
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match path.is_dir() {
            true if !apart.contains(&*name) => sources(&path, paths),
            false if name.ends_with(".cs") => paths.push(path),
            _ => {}
        }
    }
}
