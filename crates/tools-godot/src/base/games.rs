//! Which game a call is about.

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
