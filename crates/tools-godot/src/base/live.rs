//! Files that a running editor has open: what is not saved there is neither overwritten nor forgotten.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scenewright_contract::{Cancel, ErrorKind, Image, ToolError};
use scenewright_live::godot::{Links, Peer};
use scenewright_toolkit::Cx;
use scenewright_toolkit::door::ProjectPath;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Godot, Write};

/// A picture as an editor or a game gives it.
#[derive(Deserialize)]
pub struct Picture {
    png: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

impl Picture {
    /// The bytes of the PNG.
    pub fn bytes(&self) -> Result<Vec<u8>, ToolError> {
        STANDARD
            .decode(&self.png)
            .map_err(|error| ToolError::new(ErrorKind::EngineError, format!("no picture: {error}")))
    }

    /// Show it to those who can see it.
    pub fn show(&self, cx: &Cx) -> Result<(), ToolError> {
        cx.show(Image { mime: "image/png", bytes: self.bytes()? });
        Ok(())
    }
}

/// An editor that does not answer within this time is busy, and files are written without it.
const ASK_TIME: Duration = Duration::from_secs(3);
/// Putting a change into an open scene, or reading scenes again, takes longer.
const WORK_TIME: Duration = Duration::from_secs(30);

/// A scene that an editor has open with changes that are not in its file.
pub(super) struct LiveScene {
    peer: Arc<Peer>,
    scene: String,
    text: String,
    version: Value,
}

#[derive(Deserialize)]
struct State {
    scenes: Vec<OpenTab>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenTab {
    scene: String,
    #[serde(default)]
    is_unsaved: Option<bool>,
}

#[derive(Deserialize)]
struct Text {
    text: String,
    version: Value,
}

#[derive(Deserialize)]
struct Reloaded {
    reloaded: Vec<String>,
}

impl Godot<'_> {
    /// The scene as an editor has it, if it has changes there that are not saved. A call that only
    /// reads gets the file, and hears of it.
    pub(super) fn live_scene(&self, path: &ProjectPath) -> Result<Option<LiveScene>, ToolError> {
        let scene = format!("res://{path}");
        let mut holders: Vec<Arc<Peer>> = self.godot.links.editors();
        holders.retain(|peer| unsaved(peer).is_ok_and(|unsaved| unsaved.contains(&scene)));
        let Some(peer) = holders.pop() else { return Ok(None) };
        if self.cx.may_guess() {
            self.cx.diagnose(format!(
                "{path} has changes in the open editor that are not saved, and this is the file; live_tree and live_node tell them."
            ));
            return Ok(None);
        }
        // Two editors would have two scenes, and a batch is of files.
        if self.cx.stage().is_some() || !holders.is_empty() {
            return Err(unsaved_error(&scene));
        }
        let params = Map::from_iter([("scene".to_owned(), json!(scene))]);
        let said = peer.call("scene.text", params, WORK_TIME, self.cx.cancel())?;
        let Text { text, version } = read(said)?;
        Ok(Some(LiveScene { peer, scene, text, version }))
    }
}

impl LiveScene {
    /// The scene as the editor has it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Put what the scene is to be into the editor, as one step of its history. The editor compares
    /// what it has then with what was wanted.
    pub(super) fn apply(
        &self,
        godot: &Godot<'_>,
        after: &[u8],
        write: Write,
    ) -> Result<(), ToolError> {
        if write.dry_run {
            godot.cx.diagnose(format!(
                "{} would be changed in the open editor, where it has unsaved changes; the file stays.",
                self.scene
            ));
            return Ok(());
        }
        let params = json!({
            "scene": self.scene, "version": self.version, "before": self.text,
            "after": String::from_utf8_lossy(after), "title": godot.cx.tool(),
        });
        let Value::Object(params) = params else { return Ok(()) };
        self.peer.call("scene.apply", params, WORK_TIME, godot.cx.cancel())?;
        godot.cx.diagnose(format!(
            "{} was changed in the open editor, where it has unsaved changes; the file is as it was. editor_scene saves it, or takes this back with undo.",
            self.scene
        ));
        Ok(())
    }
}

/// Nothing is written over a scene that somebody is changing, in whichever editor.
pub(super) fn before_write(links: &Links, paths: &[String]) -> Result<(), ToolError> {
    for peer in links.editors() {
        // An editor that is busy cannot be asked; it finds another file when it saves.
        let Ok(unsaved) = unsaved(&peer) else { continue };
        let mut touched = paths.iter().map(|path| format!("res://{path}"));
        if let Some(scene) = touched.find(|scene| unsaved.contains(scene)) {
            return Err(unsaved_error(&scene));
        }
    }
    Ok(())
}

/// Open editors read what was written again, before they would ask a person about it.
pub(super) fn after_write(links: &Links, paths: &[String]) -> Option<String> {
    let paths: Vec<String> = paths.iter().map(|path| format!("res://{path}")).collect();
    let mut said = Vec::new();
    links.forget_gone();
    for peer in links.editors() {
        let params = Map::from_iter([("paths".to_owned(), json!(paths))]);
        let told = peer.call("files.changed", params, WORK_TIME, &Cancel::default());
        match told.and_then(read::<Reloaded>) {
            Err(error) => said.push(format!(
                "The files are written; the open editor was not told: {}.",
                error.message
            )),
            Ok(read) if read.reloaded.is_empty() => {}
            Ok(read) => said.push(format!(
                "Written to the file; the open editor has read {} again.",
                read.reloaded.join(", ")
            )),
        }
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// The open scenes that are not saved.
fn unsaved(peer: &Peer) -> Result<Vec<String>, ToolError> {
    let state: State = read(peer.call("state", Map::new(), ASK_TIME, &Cancel::default())?)?;
    let unsaved = state.scenes.into_iter().filter(|open| open.is_unsaved == Some(true));
    Ok(unsaved.map(|open| open.scene).collect())
}

fn read<T: serde::de::DeserializeOwned>(said: Value) -> Result<T, ToolError> {
    serde_json::from_value(said).map_err(|error| {
        ToolError::new(
            ErrorKind::EngineError,
            format!("the editor answers otherwise than expected: {error}"),
        )
    })
}

fn unsaved_error(scene: &str) -> ToolError {
    ToolError::new(
        ErrorKind::NotReady,
        format!(
            "{scene} has changes in the open editor that are not saved, and this writes its file"
        ),
    )
    .hint("editor_scene saves it there, or reads it again with discard: true")
}
