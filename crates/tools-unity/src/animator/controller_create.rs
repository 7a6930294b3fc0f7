//! The tool `animator.controller.create`: Create Animator Controller.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::Document;
use scenewright_unity::animator::{Controller, new_controller};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Type;
use crate::base::InUnity;
use crate::base::assets::{NewFiles, stem};
use crate::base::editing::refused;

pub(crate) const TOOL: Tool = Tool {
    id: "animator.controller.create",
    keywords: "new animator controller animation state machine mecanim layer parameters",
    argument_aliases: &[("controllerPath", "path")],
    title: "Create Animator Controller",
    category: "animator",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A controller for a door of the Unity sample",
        input: r#"{ "project": "unity", "path": "Assets/Animation/Door.controller", "parameters": [{ "name": "IsOpen", "type": "bool" }] }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Animation/Door.controller",
            "guid": "",
            "layers": ["Base Layer"],
            "parameters": ["IsOpen"],
            "dryRun": false,
            "filesChanged": 3,
            "changes": []
        }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create an animator controller with a layer named Base Layer, further layers and parameters.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Where it will be, such as `Assets/Animation/Door.controller`.
    path: String,
    /// Parameters that it has.
    #[serde(default)]
    parameters: Vec<Parameter>,
    /// Layers behind the first one.
    #[serde(default)]
    layers: Vec<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// A parameter of a new controller.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Parameter {
    /// Its name.
    name: String,
    /// What it holds.
    r#type: Type,
    /// What it begins with; 1 is true.
    #[serde(default)]
    default: f64,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// The guid that it got.
    guid: String,
    /// Its layers.
    layers: Vec<String>,
    /// Its parameters.
    parameters: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    if !path.as_str().ends_with(".controller") {
        return Err(ToolError::bad_argument("path", "must end with .controller"));
    }
    unity.must_be_new(&path)?;
    let (version, habits) = (unity.version(), unity.unity.settings.habits());
    let text = new_controller(stem(path.as_str()), version, habits).ok_or_else(|| {
        let text =
            format!("controllers of Unity {} are not written here", unity.unity.settings.version);
        ToolError::new(ErrorKind::EngineError, text)
    })?;
    let document = Arc::new(Document::parse(text));
    let mut controller = Controller::open(document, version, habits).map_err(refused)?;
    for layer in &input.layers {
        controller.add_layer(layer).map_err(refused)?;
    }
    for Parameter { name, r#type, default } in &input.parameters {
        controller.add_parameter(name, (*r#type).into(), *default).map_err(refused)?;
    }
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, controller.to_bytes())?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        guid: guid.map(|guid| guid.to_string()).unwrap_or_default(),
        layers: controller.layers(),
        parameters: controller.parameters().into_iter().map(|(name, _)| name).collect(),
        written,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_controller_has_a_layer_with_a_machine() {
        let bench = bench();
        let arguments = json!({ "path": "Assets/Door.controller", "parameters": [{ "name": "Speed", "type": "float", "default": 1.5 }] });
        bench.call(super::TOOL.id, arguments.clone()).unwrap();
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!91 &9100000
            AnimatorController:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Door
              serializedVersion: 5
              m_AnimatorParameters:
              - m_Name: Speed
                m_Type: 1
                m_DefaultFloat: 1.5
                m_DefaultInt: 0
                m_DefaultBool: 0
                m_Controller: {fileID: 9100000}
              m_AnimatorLayers:
              - serializedVersion: 5
                m_Name: Base Layer
                m_StateMachine: {fileID: 7480542223984327078}
                m_Mask: {fileID: 0}
                m_Motions: []
                m_Behaviours: []
                m_BlendingMode: 0
                m_SyncedLayerIndex: -1
                m_DefaultWeight: 0
                m_IKPass: 0
                m_SyncedLayerAffectsTiming: 0
                m_Controller: {fileID: 9100000}
            --- !u!1107 &7480542223984327078
            AnimatorStateMachine:
              serializedVersion: 6
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Base Layer
              m_ChildStates: []
              m_ChildStateMachines: []
              m_AnyStateTransitions: []
              m_EntryTransitions: []
              m_StateMachineTransitions: {}
              m_StateMachineBehaviours: []
              m_AnyStatePosition: {x: 50, y: 20, z: 0}
              m_EntryPosition: {x: 50, y: 120, z: 0}
              m_ExitPosition: {x: 800, y: 120, z: 0}
              m_ParentStateMachinePosition: {x: 800, y: 20, z: 0}
              m_DefaultState: {fileID: 0}
        "#]]
        .assert_eq(&bench.read("Assets/Door.controller"));
        assert!(bench.read("Assets/Door.controller.meta").contains("mainObjectFileID: 9100000\n"));
        let twice = json!([{ "name": "A", "type": "int" }, { "name": "A", "type": "int" }]);
        let errors = [
            bench.error(super::TOOL.id, arguments),
            bench.error(super::TOOL.id, json!({ "path": "Assets/Door.anim" })),
            bench.error(
                super::TOOL.id,
                json!({ "path": "Assets/B.controller", "parameters": twice }),
            ),
            bench.error(
                super::TOOL.id,
                json!({ "path": "Assets/B.controller", "layers": ["Base Layer"] }),
            ),
        ];
        expect![[r#"
            Assets/Door.controller exists already; nothing was changed; choose another path, or delete it first with asset_delete
            Invalid tool arguments: path must end with .controller
            the controller has a parameter A already; nothing was changed
            the controller has a layer "Base Layer" already; nothing was changed"#]].assert_eq(&errors.join("\n"));
    }
}
