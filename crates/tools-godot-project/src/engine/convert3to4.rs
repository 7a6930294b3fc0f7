//! The tool `godotEngine.convert3to4`, which MCP clients call `convert_3to4`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Scratch, config_version, convert_copy, summary};
use scenewright_tools_godot::base::{Godot, InGodot, Write, places, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.convert3to4",
    keywords: "upgrade port migrate old godot 3 project 4",
    mcp: Some("convert_3to4"),
    title: "Convert Godot Project 3 to 4",
    notes: Some(
        "The engine's converter works on a temporary copy of the text files; what it changed is then written here, all or nothing, and can be undone. Its result needs work by hand. For a project of Godot 4 no engine is needed.",
    ),
    category: "godot.engine",
    safety: Safety::SafeWrite,
    runs: Runs::AndWrites,
    dry_runs: true,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(640), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Ask about a project that is one of Godot 4",
        input: r#"{ "sourcePath": "godot" }"#,
        output: r#"{
            "success": true,
            "sourcePath": "godot",
            "converted": false,
            "summary": "it is a project of Godot 4 already",
            "dryRun": false,
            "filesChanged": 0,
            "changes": []
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Convert a project of Godot 3 with the engine's own converter, in place or into a new folder.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Folder or id of the project, which must be open.
    source_path: String,
    /// A new folder beside the project; the source stays as it is then.
    target_path: Option<String>,
    /// Accepted and without effect: the engine has no such option.
    #[serde(default)]
    no_convert_sign: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The project.
    source_path: String,
    /// Whether something was converted, or would be.
    converted: bool,
    /// The new folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_path: Option<String>,
    /// The engine's own count.
    summary: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(Some(&input.source_path))?;
    let dry_run = input.write.dry_run;
    let mut output = Output {
        success: true,
        source_path: godot.project.id.to_string(),
        converted: false,
        target_path: None,
        summary: "it is a project of Godot 4 already".to_owned(),
        written: Written { dry_run, files_changed: 0, changes: Vec::new(), undo: None },
    };
    if config_version(&godot)? >= 5 {
        return Ok(output);
    }
    if input.no_convert_sign {
        cx.diagnose("noConvertSign has no effect: the engine knows no such option");
    }
    let target = input.target_path.as_deref().map(|text| new_folder(&godot, text)).transpose()?;
    let (copy, finished) = convert_copy(&godot, "--convert-3to4", Duration::from_secs(600))?;
    let Some(summary) = summary(&finished.stdout).filter(|_| finished.is_success()) else {
        return Err(ToolError::failed(format!(
            "the converter {}, and nothing was changed:\n{}",
            finished.how(),
            finished.last_words(12)
        )));
    };
    output.converted = true;
    output.summary = summary.to_owned();
    match target {
        Some(target) => {
            if !dry_run {
                copy_project(&godot, &target, &copy)?;
                cx.changed(std::iter::once(target.display().to_string()));
            }
            output.target_path = Some(target.display().to_string());
        }
        None => output.written = convert_in_place(&godot, &copy, input.write)?,
    }
    Ok(output)
}

/// Write what the converter changed through the door.
fn convert_in_place(godot: &Godot<'_>, copy: &Scratch, write: Write) -> Result<Written, ToolError> {
    let mut changes: Vec<(ProjectPath, Option<Vec<u8>>, Vec<u8>)> = Vec::new();
    for name in copy.files() {
        let path = godot.path(&name)?;
        let before = godot.exists(&path).then(|| godot.read(&path)).transpose()?;
        let after = fs::read(copy.path().join(&name)).map_err(|error| {
            ToolError::failed(format!("the converted {name} cannot be read: {error}"))
        })?;
        changes.push((path, before, after));
    }
    let mut plan = Plan::new(godot.project);
    for (path, before, after) in &changes {
        plan.write(path, before.as_deref(), after.clone());
    }
    saved(godot, plan, write)
}

fn new_folder(godot: &Godot<'_>, text: &str) -> Result<std::path::PathBuf, ToolError> {
    let folder = places::find(godot.cx.workspace(), text)?;
    let is_empty = fs::read_dir(&folder).map_or(true, |mut entries| entries.next().is_none());
    if folder.starts_with(&godot.project.root) || folder.is_file() || !is_empty {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} is no new folder outside of the project", folder.display()),
        )
        .hint("nothing was changed; name a new folder beside the project"));
    }
    Ok(folder)
}

/// Everything of the project, with the converted files in place of theirs.
#[expect(
    clippy::disallowed_methods,
    reason = "a new project beside the old one, without a door yet"
)]
fn copy_project(godot: &Godot<'_>, target: &Path, copy: &Scratch) -> Result<(), ToolError> {
    let failed = |name: &str, error: &std::io::Error| {
        ToolError::failed(format!("{name} cannot be copied: {error}"))
            .hint(format!("{} is not complete; remove it", target.display()))
    };
    let converted = copy.files();
    let own = godot.index.files().map(|file| file.path.clone());
    for name in own.filter(|name| !converted.contains(name)).chain(converted.iter().cloned()) {
        godot.cx.check_cancelled()?;
        let is_converted = converted.contains(&name);
        let from = if is_converted { copy.path() } else { &godot.project.root };
        let to = target.join(&name);
        let folder = to.parent().unwrap_or(target);
        let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(from.join(&name), &to));
        copied.map_err(|error| failed(&name, &error))?;
    }
    Ok(())
}
