//! Which game a call is about, and the scene that one starts with.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::{Game, GameState};
use scenewright_toolkit::{Cx, Project};

use super::{Godot, InGodot};
use crate::base::{GodotProject, NAME};

/// The game that a call is about: of the named project, or of the only one that has any.
pub fn game<'a>(cx: &'a Cx, wanted: Option<&str>) -> Result<(Godot<'a>, Arc<Game>), ToolError> {
    let games = |godot: &Godot<'_>| godot.godot.games.current();
    let no_game = || {
        ToolError::new(ErrorKind::NotReady, "no game was started by this server")
            .hint("run_project starts one")
    };
    if wanted.is_some() {
        let godot = cx.godot(wanted)?;
        let game = games(&godot).ok_or_else(no_game)?;
        return Ok((godot, game));
    }
    let current = |project: &Project| project.of::<GodotProject>()?.games.current();
    let mut found: Vec<(&Project, Arc<Game>)> = cx
        .workspace()
        .candidates(Some(NAME))
        .filter_map(|project| Some((project, current(project)?)))
        .collect();
    // One that runs is meant rather than one that ran.
    let is_running = |(_, game): &(&Project, Arc<Game>)| game.state() == GameState::Running;
    if found.iter().any(is_running) {
        found.retain(is_running);
    }
    let meant: Vec<&Project> = found.iter().map(|(project, _)| *project).collect();
    let id = cx.choose_among(&meant).ok_or_else(no_game)??.id.to_string();
    let godot = cx.godot(Some(&id))?;
    let game = games(&godot).ok_or_else(no_game)?;
    Ok((godot, game))
}

/// The scene that was asked for, and the path of the one to start with. The main scene is named, too:
/// the engine finds it by its uid only in a project that was imported.
pub fn start_scene(
    godot: &Godot<'_>,
    wanted: Option<&str>,
) -> Result<(Option<String>, String), ToolError> {
    let Some(wanted) = wanted else {
        let facts =
            godot.godot.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
        let Some(main) = facts.main_scene else {
            return Err(ToolError::new(ErrorKind::EngineError, "the project has no main scene")
                .hint("give a scene, or set application/run/main_scene"));
        };
        let found = godot.index.find(&main);
        let found = found.ok_or_else(|| ToolError::not_found("main scene", &main))?;
        return Ok((None, found.res_path()));
    };
    let path = godot.path(wanted)?;
    if !godot.exists(&path) {
        return Err(ToolError::not_found("scene", path.as_str())
            .hint("list_scenes shows the scenes of the project"));
    }
    let scene = format!("res://{path}");
    Ok((Some(scene.clone()), scene))
}
