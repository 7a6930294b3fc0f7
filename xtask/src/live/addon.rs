//! The addon itself: every script passes the engine's own check with warnings as errors.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::Ground;
use super::cases::Cases;

/// Warnings that a careful project has on, as errors, in addons too.
const STRICT: &str = "\n[debug]\n\ngdscript/warnings/exclude_addons=false\n\
    gdscript/warnings/directory_rules={\n\"res://addons\": 1\n}\n\
    gdscript/warnings/unused_variable=2\ngdscript/warnings/unused_parameter=2\n\
    gdscript/warnings/unused_signal=2\ngdscript/warnings/unused_private_class_variable=2\n\
    gdscript/warnings/shadowed_variable=2\ngdscript/warnings/shadowed_variable_base_class=2\n\
    gdscript/warnings/shadowed_global_identifier=2\ngdscript/warnings/unreachable_code=2\n\
    gdscript/warnings/standalone_expression=2\ngdscript/warnings/incompatible_ternary=2\n\
    gdscript/warnings/integer_division=2\ngdscript/warnings/narrowing_conversion=2\n\
    gdscript/warnings/int_as_enum_without_cast=2\ngdscript/warnings/redundant_await=2\n\
    gdscript/warnings/static_called_on_instance=2\n";

/// A script that has such a warning, to see that they are looked at.
const FAULTY: &str = "extends RefCounted\n\n\nfunc a() -> void:\n\tvar unused := 1\n";

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("addon")?;
    let settings = project.join("project.godot");
    let text = fs::read_to_string(&settings)?;
    fs::write(&settings, format!("{text}{STRICT}"))?;
    let scripts = scripts(&project.join("addons/scenewright"))?;
    cases.case("no script has a warning", || {
        let faulty = project.join("addons/scenewright/faulty.gd");
        fs::write(&faulty, FAULTY)?;
        let said = check(ground, &project, &faulty)?;
        ensure!(said.is_some(), "the engine says nothing of a script with a fault");
        fs::remove_file(&faulty)?;
        let mut wrong = Vec::new();
        for script in &scripts {
            wrong.extend(check(ground, &project, script)?);
        }
        ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
        Ok(format!("{} scripts, and one with a fault was found out", scripts.len()))
    });
    Ok(())
}

/// What the engine says against a script.
fn check(ground: &Ground, project: &Path, script: &Path) -> Result<Option<String>> {
    let name = script.strip_prefix(project)?.to_string_lossy().replace('\\', "/");
    let said = ground.errand(project, &["--check-only", "--script", &format!("res://{name}")])?;
    let is_good = said.status.success() && !said.stderr.contains("ERROR");
    Ok((!is_good).then(|| format!("{name}: {}", said.tail())))
}

fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(scripts(&path)?),
            false if path.extension().is_some_and(|extension| extension == "gd") => {
                found.push(path)
            }
            false => {}
        }
    }
    found.sort();
    Ok(found)
}
