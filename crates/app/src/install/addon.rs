//! `scenewright install godot-addon`: the addon for live links, into the project or out of it.

use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use scenewright_contract::{Call, JsonMap};
use scenewright_toolkit::Settings;
use scenewright_tools::new_runner;
use scenewright_tools_godot::GodotProject;
use serde_json::{Value, json};

use crate::approval::Onlooker;
use crate::call;
use crate::cli::{Install, Projects};
use crate::power::may_write;
use crate::term::{self, Paint, Style, line, note};
use crate::workspace;

/// Its name beside those of clients.
pub(super) const ADDON: &str = "godot-addon";
/// Where it goes.
const FOLDER: &str = "addons/scenewright";

/// Puts the addon into the project, or takes it out. Who typed the command lets it write.
pub(super) fn run(options: &Install) -> Result<ExitCode> {
    if options.clients.len() > 1 {
        bail!("{ADDON} goes into a project and the others into clients; install it alone");
    }
    let folders = options.project.clone().into_iter().collect();
    let workspace = workspace::open_own(&Projects { folders, sample: false })?;
    let settings = Settings { allow_writes: may_write(!options.dry_run)?, ..Settings::default() };
    let runner = new_runner(workspace, settings, None, &[]);
    let arguments = json!({
        "uninstall": options.uninstall,
        "dryRun": options.dry_run,
        "diff": "none",
    });
    let arguments = arguments.as_object().cloned().unwrap_or_else(JsonMap::new);
    let mut asked = Call::new("install_godot_addon", arguments);
    let onlooker = Onlooker::of(&runner, &mut asked).map_err(|error| anyhow!(error.message))?;
    match call::call(&runner, asked) {
        Ok(outcome) if options.json => term::output(&outcome.output),
        Ok(outcome) => {
            let workspace = runner.workspace();
            let projects = workspace.projects();
            let godot = projects.iter().find(|project| project.of::<GodotProject>().is_some());
            let root = godot.map(|project| project.root.display().to_string()).unwrap_or_default();
            let output = outcome.output.into_value();
            tell(&output, &root, &onlooker.meaning(), options);
            outcome.diagnostics.iter().for_each(|text| note(&format!("note: {text}")));
        }
        Err(error) => {
            match options.json {
                true => term::json_error(&call::error_json(&error)),
                false => term::error(&error.text()),
            }
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// In words, as it is told of clients: the addon's own files by their number, the settings by what differs.
fn tell(output: &Value, root: &str, changed: &[String], options: &Install) {
    let paint = Paint::stdout();
    let name = paint.paint(Style::Bold, "Godot addon");
    let changes = output["changes"].as_array().map_or(&[][..], Vec::as_slice);
    if changes.is_empty() {
        line(&match options.uninstall {
            true => format!("{name}: {root} does not have it"),
            false => format!("{name}: {root} has it already"),
        });
        return;
    }
    let is_own = |path: &str| path.starts_with(FOLDER);
    let own = changes.iter().filter(|change| change["path"].as_str().is_some_and(is_own)).count();
    line(&format!("{name}: {root}"));
    if own > 0 {
        let sign = if options.uninstall { '-' } else { '+' };
        let files = scenewright_text::counted(own, "file");
        line(&paint.change_line(&format!("  {sign} {FOLDER}: {files}")));
    }
    for text in others(changed) {
        line(&format!("  {}", paint.change_line(text)));
    }
    line(&match (options.dry_run, options.uninstall) {
        (true, _) => "Nothing was written; leave out --dry-run to do it.".to_owned(),
        (false, true) => match output["next"].as_str() {
            None | Some("nothing") => "Taken out.".to_owned(),
            Some(next) => format!("Taken out. Next: {next}."),
        },
        (false, false) => {
            format!(
                "Written. Next: {}.",
                output["next"].as_str().unwrap_or("open the project in Godot")
            )
        }
    });
}

/// The lines about files that are not the addon's own.
fn others(changed: &[String]) -> impl Iterator<Item = &str> {
    let mut is_own = false;
    changed.iter().map(String::as_str).filter(move |text| {
        let is_head = [
            " (created)",
            " (modified)",
            " (deleted)",
            " (folder created)",
            " (folder deleted if empty)",
        ]
        .iter()
        .any(|end| text.ends_with(end));
        if is_head {
            is_own = text.starts_with(FOLDER);
        }
        !is_own
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addons_own_files_are_not_told_one_by_one() {
        let lines = [
            "addons/scenewright/a.gd (created)",
            "@@ -0,0 +1 @@",
            "+x",
            "project.godot (modified)",
            "  ~ autoload",
        ];
        let lines = lines.map(str::to_owned);
        assert_eq!(
            others(&lines).collect::<Vec<_>>(),
            ["project.godot (modified)", "  ~ autoload"]
        );
    }
}
