//! Seeds for the fuzz targets, gathered from what the repository has anyway: the samples, and the
//! texts in its tests. What has no other place is in `fuzz/seeds`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::literals::literals;
use crate::paths;

/// All seeds are tried before anything else is, so more would take a short run's time for themselves.
const MAX_SEEDS: usize = 300;

/// Write the seeds of a target into a folder, one file each; how many there are.
pub(crate) fn write(target: &str, into: &Path, max_bytes: usize) -> Result<usize> {
    let mut seeds = match target {
        "commented_json" => {
            let written = [texts("text/src/json"), texts("app/src/install")].concat();
            [sample(&["json", "asmdef"])?, written].concat()
        }
        "console" => texts("console/"),
        "csharp_script" => [sample(&["cs"])?, texts("unity/src/script/")].concat(),
        "envelope" => transcripts().into_iter().flatten().collect(),
        // An odd first byte says that lines are to be framed; see the target.
        "frames" => {
            transcripts().iter().map(|lines| [b"a", &*lines.join(&b'\n')].concat()).collect()
        }
        "git_output" => texts("git/src/output"),
        "godot_binary" => texts("godot/src/binary"),
        "godot_document" => {
            let files = ["tscn", "tres", "godot", "cfg", "import", "gd"];
            [sample(&files)?, texts("godot/src/")].concat()
        }
        "ldtk_level" => sample(&["ldtk"])?,
        "markup" => {
            [sample(&["uxml", "uss"])?, texts("unity/src/uxml"), texts("unity/src/uss")].concat()
        }
        "merge" => versions()?,
        "records" => texts("toolkit/src/door/tests/planted"),
        "unity_binary" => texts("unity/src/binary"),
        "unity_document" => {
            let files = ["unity", "prefab", "asset", "mat", "meta", "mixer"];
            [sample(&files)?, texts("unity/src/document"), texts("unity/src/hierarchy")].concat()
        }
        "unity_mesh" => texts("unity/src/mesh"),
        _ => bail!("xtask/src/fuzz/seeds.rs has no seeds for {target}"),
    };
    seeds.extend(files(&paths::root().join("fuzz/seeds").join(target), &|_| true)?.1);
    let seeds: BTreeSet<Vec<u8>> =
        seeds.into_iter().filter(|seed| !seed.is_empty() && seed.len() <= max_bytes).collect();
    // Some of every sort: in their order, those that begin alike stand together.
    let chosen: Vec<_> = seeds.iter().step_by(seeds.len().div_ceil(MAX_SEEDS).max(1)).collect();
    for (number, seed) in chosen.iter().enumerate() {
        fs::write(into.join(format!("{number:04}")), seed)?;
    }
    Ok(chosen.len())
}

/// Files of the samples, by extension.
fn sample(extensions: &[&str]) -> Result<Vec<Vec<u8>>> {
    let is_wanted = |path: &Path| {
        path.extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted))
    };
    Ok(files(&paths::root().join("samples"), &is_wanted)?.1)
}

/// The texts in the sources whose path has this in it, under `crates`.
fn texts(part: &str) -> Vec<Vec<u8>> {
    sources(part).iter().flat_map(|source| literals(source)).map(String::into_bytes).collect()
}

/// Three versions of each text file of the samples: as it is, and with another digit near each end. The first byte says
/// what the file is; see the target.
fn versions() -> Result<Vec<Vec<u8>>> {
    let sorts: [&[&str]; 8] = [
        &["unity", "prefab"],
        &["meta"],
        &["asset", "mat", "controller"],
        &["tscn"],
        &["tres"],
        &["godot"],
        &["asmdef"],
        &["json"],
    ];
    let mut seeds = Vec::new();
    for (sort, extensions) in (0_u8..).zip(sorts) {
        for text in sample(extensions)? {
            let digits = text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit());
            let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
            let with = |place: Option<&usize>| {
                let mut text = text.clone();
                if let Some(at) = place {
                    text[*at] = b'0' + (text[*at] - b'0' + 1) % 10;
                }
                text
            };
            let (early, late) = (with(digits.get(digits.len() / 4)), with(digits.last()));
            seeds.push([&[sort][..], &text, b"\n\x01\n", &early, b"\n\x01\n", &late].concat());
        }
    }
    Ok(seeds)
}

/// What clients say in the transcripts of the protocol's tests, line by line.
fn transcripts() -> Vec<Vec<Vec<u8>>> {
    let said = |text: String| -> Vec<Vec<u8>> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
        // Transcripts are formatted, so that braces are doubled in some.
        lines.map(|line| line.replace("{{", "{").replace("}}", "}").into_bytes()).collect()
    };
    let all = sources("app/tests/all/protocol").into_iter().flat_map(|source| literals(&source));
    all.map(said).filter(|lines| !lines.is_empty()).collect()
}

fn sources(part: &str) -> Vec<String> {
    let is_wanted = |path: &Path| {
        let text = path.to_string_lossy().replace('\\', "/");
        text.contains(part) && text.ends_with(".rs")
    };
    let found = files(&paths::root().join("crates"), &is_wanted);
    let sources = found.map(|(_, sources)| sources).unwrap_or_default();
    sources.into_iter().filter_map(|source| String::from_utf8(source).ok()).collect()
}

/// The files below a folder that are wanted, in the order of their paths, with their bytes.
fn files(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Result<(Vec<PathBuf>, Vec<Vec<u8>>)> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            match path.is_dir() {
                true => open.push(path),
                false if is_wanted(&path) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    let bytes = found.iter().map(fs::read).collect::<Result<_, _>>()?;
    Ok((found, bytes))
}
