//! Projects of Godot 3 through the engine's own converter, on a copy of their text files.

use std::time::Duration;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::Finished;

use super::Scratch;
use crate::base::Godot;

/// What the converter reads and writes.
const CONVERTED: [&str; 9] =
    ["gd", "cs", "csproj", "shader", "gdshader", "tscn", "tres", "godot", "import"];
/// A larger file is no text that was written by hand.
const MAX_FILE: u64 = 16 << 20;

/// The version of a project's settings: 4 for Godot 3, 5 for Godot 4.
pub fn config_version(godot: &Godot<'_>) -> Result<u32, ToolError> {
    let facts = godot.godot.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
    Ok(facts.config_version)
}

/// Run the converter with `flag` on a copy; the copy is as it left it.
pub fn convert_copy(
    godot: &Godot<'_>,
    flag: &str,
    timeout: Duration,
) -> Result<(Scratch, Finished), ToolError> {
    let program = godot.program()?;
    if program.major() < 4 {
        return Err(ToolError::new(
            ErrorKind::NotReady,
            format!(
                "{} is Godot {}, and Godot 4 converts",
                program.path.display(),
                program.version
            ),
        ));
    }
    let scratch = Scratch::new()?;
    for file in godot.index.files() {
        godot.cx.check_cancelled()?;
        let extension = file.path.rsplit('.').next().unwrap_or_default();
        if CONVERTED.contains(&extension) && file.size <= MAX_FILE {
            scratch.write(&file.path, &godot.read(&godot.path(&file.path)?)?)?;
        }
    }
    let mut command = program.headless(scratch.path());
    command.arg(flag);
    let finished = program.run(command, timeout, godot.cx.cancel())?;
    Ok((scratch, finished))
}

/// The line in which the converter counts its files.
pub fn summary(output: &str) -> Option<&str> {
    output.lines().map(str::trim).find(|line| line.contains("ended - all files("))
}
