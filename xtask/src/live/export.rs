//! Exported games: without the addon, unless the project asks for it.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

use super::Ground;
use super::cases::{Cases, same};

/// The setting by which a project asks for it.
const ASKED: &str = "\n[scenewright]\n\nexport_with_game=true\n";

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("export")?;
    let settings = project.join("project.godot");
    let text = fs::read_to_string(&settings)?;
    cases.case("a usual export", || {
        let pack = export(ground, &project, "usual.pck")?;
        same("files of the addon", files_of_addon(&pack), 0)?;
        same("the autoload is there", contains(&pack, "ScenewrightLink"), false)?;
        same("the project's file changed", fs::read_to_string(&settings)? != text, false)?;
        starts(ground, "usual.pck")?;
        Ok(format!("nothing of the addon in {} bytes, and the game starts", pack.len()))
    });
    cases.case("an export that asks for it", || {
        fs::write(&settings, format!("{text}{ASKED}"))?;
        let pack = export(ground, &project, "asked.pck")?;
        let files = files_of_addon(&pack);
        ensure!(files > 0, "the addon is not in it");
        same("the autoload is there", contains(&pack, "ScenewrightLink"), true)?;
        starts(ground, "asked.pck")?;
        Ok(format!("{files} names of its files are in it, and the game starts"))
    });
    Ok(())
}

fn export(ground: &Ground, project: &Path, name: &str) -> Result<Vec<u8>> {
    let pack = ground.scratch.join(name);
    let said = ground.errand(project, &["--export-pack", "Linux", &pack.to_string_lossy()])?;
    ensure!(pack.is_file(), "no pack was made: {}", said.tail());
    Ok(fs::read(pack)?)
}

/// A pack runs for some frames without a word of error.
fn starts(ground: &Ground, pack: &str) -> Result<()> {
    let mut command = ground.headless();
    command.arg("--main-pack").arg(ground.scratch.join(pack)).args(["--quit-after", "5"]);
    let said =
        crate::process::capture(command.current_dir(&ground.scratch), super::ground::ERRAND_LIMIT)?;
    let has_errors = said.stderr.contains("ERROR") || said.stdout.contains("ERROR");
    ensure!(said.status.success() && !has_errors, "{pack} in Godot: {}", said.tail());
    Ok(())
}

/// How often a pack names a file of the addon as its own: what only points there is called `res://`.
fn files_of_addon(pack: &[u8]) -> usize {
    let name = b"addons/scenewright/";
    let places = (0..pack.len()).filter(|&at| pack[at..].starts_with(name));
    places.filter(|&at| !pack[..at].ends_with(b"res://")).count()
}

fn contains(pack: &[u8], text: &str) -> bool {
    pack.windows(text.len()).any(|part| part == text.as_bytes())
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_are_told_from_what_points_to_them() {
        assert_eq!(
            super::files_of_addon(b"\0res://addons/scenewright/a.gd\0addons/scenewright/a.gdc"),
            1
        );
    }
}
