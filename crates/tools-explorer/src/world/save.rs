//! The world's changes, back into the files of its scenes.
//!
//! A [`Draft`](draft::Draft) compares the objects of a scene with what they were loaded from and
//! gathers edits, together with what they claim: that an object then has this value, this parent, or
//! is gone. The edited file is expanded again and every claim is checked, before it is written and
//! after it was.

mod claim;
mod components;
mod draft;
mod encode;
mod finish;
mod instances;
mod make;
mod parts;
mod removal;
mod structure;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use scenewright_contract::ToolError;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Project};
use scenewright_tools_unity::base::{NAME, Unity};
use scenewright_unity::Document;
use scenewright_world::{ObjectId, Scene, SceneKey, World};
use schemars::JsonSchema;
use serde::Serialize;

use self::claim::Claims;
use self::draft::Draft;
use super::load::{self, Origin};
use super::world_project;

/// Something of the world that its file does not get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotSaved {
    /// The object; that of its parent if it is destroyed.
    pub(crate) object_id: String,
    /// Its path in the hierarchy.
    pub(crate) path: String,
    /// What of it.
    pub(crate) what: String,
    /// The reason.
    pub(crate) why: String,
}

/// What was saved, or would be.
pub(crate) struct Saved {
    /// The files of the scenes with changes.
    pub(crate) scenes: Vec<String>,
    /// The changes, in words.
    pub(crate) lines: Vec<String>,
    pub(crate) not_saved: Vec<NotSaved>,
    pub(crate) written: Written,
}

/// What becomes of one scene.
struct Change {
    key: SceneKey,
    path: String,
    origin: Arc<Origin>,
    after: Vec<u8>,
    lines: Vec<String>,
    not_saved: Vec<NotSaved>,
    claims: Claims,
    names: scenewright_world::Written,
}

/// Write the changes of these scenes to their files.
pub(crate) fn save(
    cx: &Cx,
    world: &mut World,
    scenes: &[SceneKey],
    dry_run: bool,
) -> Result<Saved, ToolError> {
    let unity = world_project(cx)?;
    let project = project(cx)?;
    let mut changes = Vec::new();
    for scene in world.scenes().iter().filter(|scene| scenes.contains(&scene.key())) {
        cx.check_cancelled()?;
        changes.push(draft(cx, &unity, world, scene)?);
    }
    let mut plan = Plan::new(project);
    for change in changes.iter().filter(|change| !change.claims.is_empty()) {
        let path = ProjectPath::parse(project, &change.path)?;
        let before = change.origin.hierarchy.document().as_bytes();
        if door::read(cx, project, &path)? != before {
            let text = format!("{path} changed on disk since the world loaded it");
            return Err(ToolError::failed(text)
                .hint("nothing was written; LoadScene loads it anew, without the world's changes")
                .detail("path", path.as_str()));
        }
        plan.write(&path, Some(before), change.after.as_slice());
    }
    let written = plan.commit(cx, dry_run, |path, bytes| {
        let change = changes.iter().find(|change| change.path == path.as_str());
        let Some(change) = change else { return Ok(()) };
        let document = Arc::new(Document::parse(bytes));
        let hierarchy = unity.expander.scene(document, change.origin.hierarchy.guid());
        let shape = load::shape(cx, hierarchy).map_err(|error| error.message)?;
        change.claims.check(&shape)
    })?;
    if !dry_run && written.files_changed > 0 {
        settle(cx, world, &changes)?;
    }
    let changed = || changes.iter().filter(|change| !change.claims.is_empty());
    Ok(Saved {
        scenes: changed().map(|change| change.path.clone()).collect(),
        lines: changed().flat_map(|change| change.lines.clone()).collect(),
        not_saved: changes.iter().flat_map(|change| change.not_saved.clone()).collect(),
        written,
    })
}

/// What would be lost with the loaded scenes, in words.
pub(crate) fn unsaved(cx: &Cx, world: &World) -> Result<Vec<String>, ToolError> {
    let unity = world_project(cx)?;
    let mut lines = Vec::new();
    for scene in world.scenes().iter().filter(|scene| may_differ(world, scene)) {
        cx.check_cancelled()?;
        let change = draft(cx, &unity, world, scene)?;
        lines.extend(change.lines);
        // What was moved to where it outlives its scene is not lost.
        let stays = |not: &NotSaved| {
            let object = ObjectId::parse(&not.object_id).ok().and_then(|id| world.object(id));
            object.is_some_and(|object| object.scene() == SceneKey::DONT_DESTROY)
        };
        let not_saved = change.not_saved.into_iter().filter(|not| !stays(not));
        lines.extend(not_saved.map(|not| format!("{} {}", not.path, not.what)));
    }
    Ok(lines)
}

/// Whether anything was done to a scene; most of the time nothing was, and comparing takes long.
fn may_differ(world: &World, scene: &Scene) -> bool {
    let Some(origin) = Origin::of(scene.origin()) else { return true };
    let objects = || world.descend(scene.roots()).filter(|object| !object.is_test());
    let loaded = |object: &scenewright_world::Object| {
        object.origin().is_some_and(|(key, _)| key == scene.key())
    };
    objects().any(|object| object.is_touched() || !loaded(object))
        || objects().count() != origin.nodes.len()
}

fn draft(cx: &Cx, unity: &Unity<'_>, world: &World, scene: &Scene) -> Result<Change, ToolError> {
    let origin = Origin::of(scene.origin())
        .ok_or_else(|| ToolError::failed(format!("{} was not loaded from a file", scene.name())))?;
    let drafted = match instances::add(cx, unity, world, scene, &origin)? {
        Some(grown) => grown.draft(cx, unity, scene.key())?,
        None => Draft::new(unity, world, scene, &origin).finish(cx)?,
    };
    let (key, path) = (scene.key(), scene.path().to_owned());
    let finish::Finished { after, lines, not_saved, claims, names } = drafted;
    Ok(Change { key, path, origin, after, lines, not_saved, claims, names })
}

/// Read what is on the disk now, compare it with the world, and take it for what was loaded.
fn settle(cx: &Cx, world: &mut World, changes: &[Change]) -> Result<(), ToolError> {
    let unity = world_project(cx)?;
    for change in changes.iter().filter(|change| !change.claims.is_empty()) {
        let (path, hierarchy) = unity.hierarchy(&change.path)?;
        let shape = load::shape(cx, hierarchy)?;
        change.claims.check(&shape).map_err(|why| {
            ToolError::failed(format!(
                "{} was written, but is not as it should be: {why}",
                change.path
            ))
            .hint("project_undoLast puts it back; please report this")
        })?;
        let data = load::expanded(cx, &unity, &path, shape.origin.hierarchy)?;
        world.rebase(change.key, data, &change.names);
    }
    Ok(())
}

/// The project that the world is of, where only one can be meant.
fn project(cx: &Cx) -> Result<&Project, ToolError> {
    cx.project_of(NAME, None)
}
