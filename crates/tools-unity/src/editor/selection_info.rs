//! The tool `editor.selection.info`: Editor Selection Info.

use scenewright_contract::ToolError;
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{self, INSTANCE_IDS, files, tell_scenes};

pub(crate) const TOOL: Tool = Tool {
    id: "editor.selection.info",
    keywords: "selected currently active object in editor",
    title: "Editor Selection Info",
    notes: Some(
        "Without an editor the selection is not known: the answer is empty, and `activeScene` is the first enabled scene of the build.",
    ),
    category: "editor",
    examples: &[Example {
        description: "Ask for the selection in the Unity sample, which no editor has open",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "selectedObjects": [],
            "activeScene": "Assets/Scenes/Main.unity"
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what is selected in the editor. Works from files and so knows no selection: the list is
/// empty, and a diagnostic says so.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What is selected, GameObjects before assets; empty without an editor.
    selected_objects: Vec<Selected>,
    /// The scene that is open; without an editor the first enabled scene of the build, or empty.
    active_scene: String,
    /// The GameObject that is active; left out without an editor.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_game_object: Option<Active>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Selected {
    /// Its name.
    name: String,
    /// Its place in the hierarchy, or the file.
    path: String,
    /// Its type.
    r#type: String,
    /// The editor's number for it.
    instance_id: i64,
    /// The components of a GameObject.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<Vec<String>>,
    /// Guid of an asset.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Active {
    /// Its name.
    name: String,
    /// Its place in the hierarchy.
    path: String,
}

fn run(cx: &Cx, Input { project }: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, project.as_deref())?;
    let unity = files::unity(project, "The selection of Unity's editor")?;
    let facts = unity.facts().map_err(unreadable)?;
    cx.diagnose("No editor is connected: what is selected is not known");
    tell_scenes(cx, &facts);
    let scene = facts.scenes_in_build.into_iter().find(|scene| scene.enabled);
    cx.diagnose(match &scene {
        Some(_) => "activeScene is the first enabled scene of the build, not the one that is open",
        None => "activeScene is empty: the build has no enabled scene",
    });
    Ok(Output {
        success: true,
        selected_objects: Vec::new(),
        active_scene: scene.map(|scene| scene.path).unwrap_or_default(),
        active_game_object: None,
    })
}

#[cfg(test)]
mod tests {
    use scenewright_contract::ErrorKind;
    use serde_json::json;

    use crate::testing::{call_project, call_sample};

    #[test]
    fn says_that_there_is_no_editor() {
        let outcome = call_sample(super::TOOL.id, json!({})).unwrap();
        assert_eq!(
            outcome.diagnostics,
            [
                "No editor is connected: what is selected is not known",
                "activeScene is the first enabled scene of the build, not the one that is open",
            ]
        );
    }

    #[test]
    fn without_a_build_scene_there_is_none() {
        let outcome = call_project("", super::TOOL.id, json!({})).unwrap();
        assert_eq!(outcome.output["activeScene"], "");
        let said = "activeScene is empty: the build has no enabled scene";
        assert_eq!(outcome.diagnostics[2], said);
    }

    #[test]
    fn godot_is_refused() {
        let error = call_sample(super::TOOL.id, json!({ "project": "godot" })).unwrap_err();
        assert_eq!(error.kind, ErrorKind::EngineError);
    }
}
