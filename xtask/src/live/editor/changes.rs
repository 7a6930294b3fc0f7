//! The node tools on a scene that the editor has open: into the editor where it is not saved, into the
//! file where it is.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::super::Client;
use super::super::cases::{Cases, column, has, same};
use super::{MAIN, dirty, node, unsaved};

pub(super) fn run(cases: &mut Cases, client: &mut Client, project: &Path) {
    into_the_file(cases, client, project);
    into_the_editor(cases, client, project);
}

fn into_the_file(cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("an edit of a saved scene goes to the file", || {
        let before = fs::read(project.join("scenes/main.tscn"))?;
        let said = client.whole("edit_node", &edit(17))?.to_string();
        has("edit_node", &said, "the open editor has read")?;
        ensure!(fs::read(project.join("scenes/main.tscn"))? != before, "the file is as it was");
        same("in the editor", node(client, "Player", "z_index")?, 17)?;
        let one = client.call("live_status", &json!({}))?["running"][0].take();
        same("dialogs", &one["dialogs"], &json!([]))?;
        same("unsaved", unsaved(client, MAIN)?, Some(false))?;
        Ok("the editor has it, without a dialog".to_owned())
    });
}

fn into_the_editor(cases: &mut Cases, client: &mut Client, project: &Path) {
    let steps: [(&str, Value); 5] = [
        ("edit_node", edit(23)),
        (
            "add_node",
            json!({ "scenePath": MAIN, "nodeType": "Timer", "nodeName": "Tick", "properties": { "wait_time": 3 } }),
        ),
        (
            "rename_node",
            json!({ "scenePath": MAIN, "nodePath": "Coins/Coin1", "newName": "First" }),
        ),
        (
            "move_node",
            json!({ "scenePath": MAIN, "nodePath": "Coins/Coin2", "newParentPath": "." }),
        ),
        ("remove_node", json!({ "scenePath": MAIN, "nodePath": "Coins/GoldCoin" })),
    ];
    for (tool, arguments) in steps {
        cases.case(&format!("{tool} of an unsaved scene goes into the editor"), || {
            if unsaved(client, MAIN)? != Some(true) {
                dirty(client, project, "HUD layer 3")?;
            }
            let file = fs::read(project.join("scenes/main.tscn"))?;
            let before = portrait(client)?;
            let said = client.whole(tool, &arguments)?.to_string();
            has(tool, &said, "was changed in the open editor")?;
            let after = portrait(client)?;
            ensure!(after != before, "the editor's scene is as it was");
            let step = |action: &str| json!({ "scenePath": MAIN, "action": action });
            let undone = client.call("editor_scene", &step("undo"))?;
            has("the step", &undone["step"].to_string(), "scenewright")?;
            same("after one undo", &portrait(client)?, &before)?;
            client.call("editor_scene", &step("redo"))?;
            same("after redo", &portrait(client)?, &after)?;
            same("the file changed", fs::read(project.join("scenes/main.tscn"))? != file, false)?;
            same("what was done by hand", node(client, "HUD", "layer")?, 3)?;
            Ok("one step of its history, there and back; the file is as it was".to_owned())
        });
    }
    cases.case("reading an unsaved scene's file says so", || {
        let said = client
            .whole("get_node_properties", &json!({ "scenePath": MAIN, "nodePath": "Player" }))?;
        has("get_node_properties", &said.to_string(), "not saved")?;
        Ok("the answer tells that it is the file".to_owned())
    });
}

fn edit(z: i64) -> Value {
    json!({ "scenePath": MAIN, "nodePath": "Player", "properties": { "z_index": z } })
}

/// The open scene as far as the steps change it: its nodes in their order, and a value.
fn portrait(client: &mut Client) -> Result<(Vec<String>, Value)> {
    let tree = client.call("live_tree", &json!({ "scenePath": MAIN, "limit": 1000 }))?;
    let paths = column(&tree["nodes"], "path").into_iter().map(str::to_owned).collect();
    Ok((paths, node(client, "Player", "z_index")?))
}
