//! The merge driver: what git calls for a file that both sides changed.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use scenewright_merge::work::Sidecar;
use scenewright_merge::{Choices, MAX_BYTES, Merged, Refusal, Refused, merge_owned, read_file};
use scenewright_text::write_whole;
use serde_json::json;

use crate::cli::MergeDriver;
use crate::merge::tell;
use crate::term::note;

/// What is merged, and how it is told.
struct Versions {
    base: PathBuf,
    ours: PathBuf,
    theirs: PathBuf,
    path: PathBuf,
    marker_size: Option<u32>,
    report: Option<PathBuf>,
}

impl Versions {
    /// Four paths, whatever they look like. Options may follow them, as in the driver line of 0.1.0.
    fn of(options: &MergeDriver) -> Result<Versions> {
        let [base, ours, theirs, path, rest @ ..] = options.versions.as_slice() else {
            bail!(
                "git merge-driver takes BASE OURS THEIRS PATH, as git gives them for %O %A %B %P"
            );
        };
        let [base, ours, theirs, path] = [base, ours, theirs, path].map(PathBuf::from);
        let (mut marker_size, mut report) = (options.marker_size, options.report.clone());
        let mut rest = rest.iter();
        while let Some(option) = rest.next() {
            let value =
                rest.next().with_context(|| format!("{} has no value", option.display()))?;
            match option.to_str() {
                Some("--marker-size") => {
                    marker_size = value.to_str().and_then(|size| size.parse().ok())
                }
                Some("--report") => report = Some(value.into()),
                _ => bail!("{} is no option of git merge-driver", option.display()),
            }
        }
        Ok(Versions { base, ours, theirs, path, marker_size, report })
    }
}

/// Merge; the result is in ours, where git looks for it.
pub(super) fn run(options: &MergeDriver) -> Result<ExitCode> {
    run_within(&Versions::of(options)?, MAX_BYTES as u64)
}

/// The same with another limit of what is read, in bytes. Whatever goes wrong, both sides stay in the file: git's
/// own merge is left there, for git takes ours as it is for the whole result.
fn run_within(versions: &Versions, most: u64) -> Result<ExitCode> {
    let merged = panic::catch_unwind(|| merge(versions, most));
    let why = match merged {
        Ok(Ok(code)) => return Ok(code),
        Ok(Err(why)) => format!("{why:#}"),
        Err(_) => "this program has an error, shown above".to_owned(),
    };
    let shown = versions.path.display();
    note(&format!("scenewright: {shown}: left to git, for {why}"));
    line_merge(versions)?;
    Ok(ExitCode::FAILURE)
}

fn merge(options: &Versions, most: u64) -> Result<ExitCode> {
    if let Some(refused) = too_large(options, most) {
        return by_line(options, &refused);
    }
    let read = |path: &Path| read_file(path).with_context(|| format!("{}", path.display()));
    let texts = [read(&options.base)?, read(&options.ours)?, read(&options.theirs)?];
    let shown = options.path.display().to_string();
    match merge_owned(&options.path, texts, &Choices::new()) {
        Ok(merged) if merged.is_clean() => {
            report(options, "merged", Some(&merged), None)?;
            write_result(&options.ours, &merged.bytes)?;
            let asks = merged.notes.iter().filter(|note| note.is_warning).count();
            if asks > 0 {
                note(&format!("scenewright: {shown}: merged; {asks} places to look at:"));
                tell::notes(&merged);
            }
            Ok(ExitCode::SUCCESS)
        }
        Ok(merged) => conflicts(options, &merged),
        Err(refused) => by_line(options, &refused),
    }
}

/// The version that is larger than is read; git merges it without reading it into memory here.
fn too_large(options: &Versions, most: u64) -> Option<Refused> {
    let versions = [("ours", &options.ours), ("theirs", &options.theirs), ("base", &options.base)];
    versions.into_iter().find_map(|(version, path)| {
        let size = fs::metadata(path).ok()?.len();
        let reason = Refusal::TooLarge(usize::try_from(size >> 20).unwrap_or(usize::MAX));
        (size > most).then_some(Refused { version, reason })
    })
}

fn conflicts(options: &Versions, merged: &Merged) -> Result<ExitCode> {
    let shown = options.path.display().to_string();
    report(options, "conflict", Some(merged), None)?;
    note(&format!("scenewright: {shown}: {} left to decide:", tell::count(merged)));
    tell::conflicts(merged);
    if !merged.is_marked {
        // No comment can tell of it in the file, so that git's own markers have to.
        line_merge(options)?;
        return Ok(ExitCode::FAILURE);
    }
    write_result(&options.ours, &merged.bytes)?;
    // In a bare repository there is no file to be beside of.
    let folder = options.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_none_or(Path::is_dir) {
        let sidecar = Sidecar::of(&shown, merged, &Choices::new(), &merged.bytes);
        write_whole(&Sidecar::path(&options.path), sidecar.to_text())?;
        note(&format!("scenewright: decide with: scenewright merge {shown:?} --resolve 1=theirs"));
    }
    Ok(ExitCode::FAILURE)
}

/// Git's own merge, for what is not merged here. Clean only where nothing speaks against it.
fn by_line(options: &Versions, refused: &Refused) -> Result<ExitCode> {
    let shown = options.path.display().to_string();
    note(&format!("scenewright: {shown}: left to git, for {refused}"));
    let is_clean = line_merge(options)?;
    let is_foreign = matches!(refused.reason, Refusal::UnknownKind);
    report(options, "left to git", None, Some(refused))?;
    if is_clean && !is_foreign {
        note(&format!("scenewright: {shown}: merged by line without conflict; look at it"));
    }
    Ok(if is_clean && is_foreign { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Merges by line into ours, with markers; true when it is clean.
fn line_merge(options: &Versions) -> Result<bool> {
    let versions = [&*options.base, &*options.ours, &*options.theirs];
    Ok(scenewright_git::merge_lines(versions, options.marker_size)?)
}

fn write_result(path: &Path, bytes: &[u8]) -> Result<()> {
    // Whole or not at all: an end from outside leaves ours as it was.
    write_whole(path, bytes).with_context(|| format!("{}", path.display()))?;
    // Git takes what is there for both sides.
    let found = fs::read(path).with_context(|| format!("{}", path.display()))?;
    if found != bytes {
        bail!("{} does not hold what was written", path.display());
    }
    Ok(())
}

fn report(
    options: &Versions,
    result: &str,
    merged: Option<&Merged>,
    refused: Option<&Refused>,
) -> Result<()> {
    let Some(path) = &options.report else { return Ok(()) };
    let report = json!({
        "file": options.path,
        "result": result,
        "verified": result == "merged",
        "conflicts": merged.map(|merged| &merged.conflicts),
        "notes": merged.map(|merged| &merged.notes),
        "reason": refused.map(ToString::to_string),
    });
    write_whole(path, format!("{report:#}\n"))
        .with_context(|| format!("the report {}", path.display()))
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    const BASE: &str = "%YAML 1.1\n--- !u!1 &1\nGameObject:\n  m_Layer: 0\n  m_Name: Door\n  m_A: 0\n  m_B: 0\n  m_C: 0\n";

    /// The driver with a limit below the size of ours, and what it leaves in ours.
    fn driven(ours: &str, theirs: &str, most: u64) -> (bool, String, String) {
        let folder = Folder::empty();
        for (name, text) in [("base", BASE), ("ours", ours), ("theirs", theirs)] {
            folder.write(name, text);
        }
        let path = |name: &str| folder.path(name);
        let versions = Versions {
            base: path("base"),
            ours: path("ours"),
            theirs: path("theirs"),
            path: "a.unity".into(),
            marker_size: None,
            report: Some(path("report")),
        };
        let code = run_within(&versions, most).expect("the driver ends");
        let read = |name: &str| fs::read_to_string(path(name)).expect("it is there");
        (code == ExitCode::SUCCESS, read("ours"), read("report"))
    }

    #[test]
    fn a_file_above_the_limit_is_merged_by_git_and_never_called_clean() {
        let ours = BASE.replace("m_Layer: 0", "m_Layer: 5");
        let most = ours.len() as u64;
        let theirs = BASE.replace("m_Name: Door", "m_Name: Gate");
        let both = ours.replace("m_Name: Door", "m_Name: Gate");
        let (is_clean, text, report) = driven(&ours, &theirs, most);
        assert_eq!((is_clean, text.as_str()), (true, both.as_str()), "as large as the limit");
        assert!(report.contains("\"merged\""), "{report}");
        let (is_clean, text, report) = driven(&ours, &theirs, most - 1);
        let markers = "<<<<<<< ours\n  m_Layer: 5\n  m_Name: Door\n=======\n  m_Layer: 0\n  m_Name: Gate\n>>>>>>> theirs\n";
        let by_line = BASE.replace("  m_Layer: 0\n  m_Name: Door\n", markers);
        assert_eq!((is_clean, text), (false, by_line), "git's own markers, and theirs not lost");
        assert!(report.contains("left to git") && report.contains("256 are read"), "{report}");
        // Far apart, git has no conflict; both are in it, and a person is told to look.
        let theirs = BASE.replace("m_C: 0", "m_C: 1");
        let (is_clean, text, _) = driven(&ours, &theirs, most - 1);
        assert_eq!((is_clean, text), (false, ours.replace("m_C: 0", "m_C: 1")));
    }
}
