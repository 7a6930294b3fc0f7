//! `scenewright merge`: three versions of a file, or what a merge of git left in conflict.

pub(crate) mod tell;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use scenewright_merge::work::{self, Conflicts, Sidecar, Stages, Undecided};
use scenewright_merge::{Choices, FileKind, Inputs, Merged, read_file};
use scenewright_text::write_whole;
use serde_json::{Value, json};

use crate::cli::Merge;
use crate::term::{self, line, note};

/// Merge what is asked for.
pub fn run(options: &Merge) -> Result<ExitCode> {
    if options.output.is_some() {
        return three_files(options);
    }
    let files = match (options.all, options.files.is_empty()) {
        (true, _) => {
            let folder = std::env::current_dir()?;
            let files = Conflicts::below(&folder)?.files()?;
            files.into_iter().map(PathBuf::from).collect()
        }
        (false, false) => options.files.clone(),
        (false, true) => bail!("name files that are in conflict, or say --all; see --help"),
    };
    if files.is_empty() {
        line("nothing is in conflict");
        return Ok(ExitCode::SUCCESS);
    }
    let mut results = Vec::new();
    let mut worst = 0;
    for file in &files {
        let (code, result) = again(options, file)?;
        worst = worst.max(code);
        results.push(result);
    }
    if options.json {
        term::json(&Value::Array(results));
    }
    Ok(ExitCode::from(worst))
}

/// Three files, of which the merge is a fourth.
fn three_files(options: &Merge) -> Result<ExitCode> {
    let [base, ours, theirs] = options.files.as_slice() else {
        bail!("--output takes BASE OURS THEIRS, three versions of one file");
    };
    let read = |path: &Path| read_file(path).with_context(|| format!("{}", path.display()));
    let stages = Stages {
        // Git's mergetool has no base for a file that both added.
        base: if base.as_os_str().is_empty() { None } else { Some(read(base)?) },
        ours: Some(read(ours)?),
        theirs: Some(read(theirs)?),
    };
    let name = options.path.as_deref().unwrap_or(ours);
    let inputs = stages.inputs().context("both sides are there")?;
    let (merged, _) = decided(name, inputs, &options.resolve, Choices::new())?;
    let output = options.output.as_deref().context("the caller saw it")?;
    match output.as_os_str() == "-" {
        true => term::raw(&merged.bytes),
        false => {
            write_whole(output, &merged.bytes).with_context(|| format!("{}", output.display()))?
        }
    }
    if options.json {
        term::json_error(&summary(name, &merged));
    } else {
        tell::notes(&merged);
        tell::conflicts(&merged);
    }
    Ok(ExitCode::from(u8::from(!merged.is_clean())))
}

/// One file in conflict, merged from the index.
fn again(options: &Merge, file: &Path) -> Result<(u8, Value)> {
    let shown = file.display().to_string();
    if FileKind::of_path(file).is_none() {
        note(&format!("{shown}: left to git; nothing is known of files of this kind"));
        return Ok((
            1,
            json!({ "file": file, "reason": "nothing is known of files of this kind" }),
        ));
    }
    let (folder, name) = place(file)?;
    let conflicts = Conflicts::below(&folder)?;
    let stages = conflicts.stages(&name)?;
    let Some(inputs) = stages.inputs() else {
        let reason = if stages.is_conflict() { work::DELETED } else { "it is not in conflict" };
        note(&format!("{shown}: {reason}"));
        return Ok((1, json!({ "file": file, "reason": reason })));
    };
    let known = Sidecar::read(file);
    let now = fs::read(file).unwrap_or_default();
    if !options.force && !options.list && !stages.may_replace(&now, known.as_ref()) {
        let reason = "somebody has edited it since; --force merges again and loses that";
        note(&format!("{shown}: {reason}"));
        return Ok((1, json!({ "file": file, "reason": reason })));
    }
    let before = known.map(|known| known.choices()).unwrap_or_default();
    let (merged, choices) = match decided(file, inputs, &options.resolve, before) {
        Ok(decided) => decided,
        Err(error) => {
            note(&format!("{shown}: left to git, for {error:#}"));
            return Ok((2, json!({ "file": file, "reason": format!("{error:#}") })));
        }
    };
    if !options.list {
        write(file, &shown, &merged, &choices)?;
    }
    if !options.json {
        tell::file(&shown, &merged, options.list);
    }
    if merged.is_clean() && options.add && !options.list {
        conflicts
            .settle(&name, &merged.bytes)
            .with_context(|| format!("{shown} cannot be staged"))?;
    }
    Ok((u8::from(!merged.is_clean()), summary(file, &merged)))
}

fn decided(
    name: &Path,
    inputs: Inputs<'_>,
    words: &[String],
    choices: Choices,
) -> Result<(Merged, Choices)> {
    work::decided(name, inputs, words, choices).map_err(|why| match why {
        Undecided::Refused(refused) => anyhow::Error::new(refused),
        Undecided::Choice(why) => anyhow::Error::msg(why),
    })
}

fn write(file: &Path, shown: &str, merged: &Merged, choices: &Choices) -> Result<()> {
    let beside = Sidecar::path(file);
    // Where no comment can tell of conflicts, git's own markers stay until all is decided.
    let (written, is_new) = match merged.is_clean() || merged.is_marked {
        true => (merged.bytes.clone(), true),
        false => (fs::read(file).unwrap_or_default(), false),
    };
    if is_new {
        write_whole(file, &written).with_context(|| shown.to_owned())?;
    }
    if merged.is_clean() {
        #[allow(clippy::disallowed_methods, reason = "what we wrote ourselves about the conflicts")]
        let _ = fs::remove_file(&beside);
        return Ok(());
    }
    write_whole(&beside, Sidecar::of(shown, merged, choices, &written).to_text())
        .with_context(|| format!("{}", beside.display()))
}

/// The folder of a file and its name there.
fn place(file: &Path) -> Result<(PathBuf, String)> {
    let name = file.file_name().and_then(|name| name.to_str()).context("the name is no text")?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    Ok((folder, name.to_owned()))
}

fn summary(file: &Path, merged: &Merged) -> Value {
    json!({
        "file": file,
        "clean": merged.is_clean(),
        "conflicts": merged.conflicts,
        "notes": merged.notes,
    })
}
