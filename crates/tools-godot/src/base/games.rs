//! Which game a call is about, and the scene that one starts with.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::{Game, GameState};
use scenewright_toolkit::Cx;

use super::{Godot, InGodot};
use crate::base::GodotProject;

/// The game that a call is about: of the named project, or of the first one that has any.
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
    let mut found = Vec::new();
    for project in cx.workspace().projects() {
        if let Some(godot) = project.of::<GodotProject>()
            && let Some(game) = godot.games.current()
        {
            found.push((project.id.to_string(), game));
        }
    }
    // One that runs is meant rather than one that ran.
    found.sort_by_key(|(_, game)| game.state() != GameState::Running);
    let (id, game) = found.into_iter().next().ok_or_else(no_game)?;
    Ok((cx.godot(Some(&id))?, game))
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
