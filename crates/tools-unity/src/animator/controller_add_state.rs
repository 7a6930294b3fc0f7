//! The tool `animator.controller.addState`: Add Animator State.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::FileId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Place, change};
use crate::base::editing::SetField;

pub(crate) const TOOL: Tool = Tool {
    id: "animator.controller.addState",
    keywords: "animator controller state machine animation clip motion play default node",
    argument_aliases: &[("assetPath", "controllerPath"), ("clip", "motion")],
    title: "Add Animator State",
    category: "animator",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A state for a controller of the Unity sample",
        input: r#"{ "project": "unity", "controllerPath": "Assets/Door.controller", "name": "Open", "speed": 1.5 }"#,
        output: r#"{
            "success": true,
            "controllerPath": "Assets/Door.controller",
            "fileID": 0,
            "states": ["Open"],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["fileID", "changes", "undo"],
    }],
    after: &[Earlier {
        tool: "animator.controller.create",
        input: r#"{ "project": "unity", "path": "Assets/Door.controller" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a state to a layer of an animator controller, with the clip that it plays. The first state of a
/// layer is where that begins.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The controller.
    controller_path: String,
    /// Its name.
    name: String,
    /// The layer; the first one by default.
    layer: Option<String>,
    /// The clip: `Assets/Open.anim`, or `Assets/Door.fbx#Open` of a model.
    motion: Option<String>,
    /// How fast it plays; less than zero plays it backwards.
    speed: Option<f64>,
    /// Its tag, for scripts that ask for it.
    tag: Option<String>,
    /// Values that it does not animate go back to where they were.
    write_defaults: Option<bool>,
    /// The layer begins with it.
    #[serde(default)]
    is_default: bool,
    /// Where it is in the window; below the last one by default.
    position: Option<Place>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The controller.
    controller_path: String,
    /// What the file calls the state; unity_edit sets its other fields.
    #[serde(rename = "fileID")]
    file_id: i64,
    /// All states of the layer.
    states: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

impl Input {
    fn fields(&self, object: FileId) -> Vec<SetField> {
        let fields: [(&str, Option<Value>); 4] = [
            ("m_Motion", self.motion.as_ref().map(|motion| json!(motion))),
            ("m_Speed", self.speed.map(|speed| json!(speed))),
            ("m_Tag", self.tag.as_ref().map(|tag| json!(tag))),
            ("m_WriteDefaultValues", self.write_defaults.map(|is_on| json!(is_on))),
        ];
        let given =
            fields.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?)));
        given.map(|(field, value)| SetField { object, field, value }).collect()
    }
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (project, path) = (input.project.as_deref(), &input.controller_path);
    let (controller_path, (id, states), written) =
        change(cx, project, path, input.dry_run, |controller| {
            let layer = input.layer.as_deref();
            let place = input.position.map(|Place { x, y }| [x, y]);
            let id = controller.add_state(layer, &input.name, place, input.is_default)?;
            Ok(((id, controller.states(layer)?), input.fields(id)))
        })?;
    Ok(Output { success: true, controller_path, file_id: id.0, states, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_state_comes_with_its_clip() {
        let bench = bench();
        let path = "Assets/Door.controller";
        bench.call("animator.controller.create", json!({ "path": path })).unwrap();
        bench.call("animation.clip.create", json!({ "path": "Assets/Open.anim" })).unwrap();
        let guid = bench.read("Assets/Open.anim.meta");
        let guid = guid.lines().nth(1).unwrap().replace("guid: ", "");
        bench.call(super::TOOL.id, json!({ "controllerPath": path, "name": "Idle" })).unwrap();
        let arguments = json!({ "controllerPath": path, "name": "Open", "motion": "Assets/Open.anim", "speed": -1.5 });
        expect![[r#"
            --- a/Assets/Door.controller
            +++ b/Assets/Door.controller
            @@ -22,6 +22,32 @@
                 m_IKPass: 0
                 m_SyncedLayerAffectsTiming: 0
                 m_Controller: {fileID: 9100000}
            +--- !u!1102 &372149213081719384
            +AnimatorState:
            +  serializedVersion: 6
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: Open
            +  m_Speed: -1.5
            +  m_CycleOffset: 0
            +  m_Transitions: []
            +  m_StateMachineBehaviours: []
            +  m_Position: {x: 50, y: 50, z: 0}
            +  m_IKOnFeet: 0
            +  m_WriteDefaultValues: 1
            +  m_Mirror: 0
            +  m_SpeedParameterActive: 0
            +  m_MirrorParameterActive: 0
            +  m_CycleOffsetParameterActive: 0
            +  m_TimeParameterActive: 0
            +  m_Motion: {fileID: 7400000, guid: (guid of the clip), type: 2}
            +  m_Tag: 
            +  m_SpeedParameter: 
            +  m_MirrorParameter: 
            +  m_CycleOffsetParameter: 
            +  m_TimeParameter: 
             --- !u!1107 &7480542223984327078
             AnimatorStateMachine:
               serializedVersion: 6
            @@ -34,6 +60,9 @@
               - serializedVersion: 1
                 m_State: {fileID: 8638656094893539142}
                 m_Position: {x: 200, y: 0, z: 0}
            +  - serializedVersion: 1
            +    m_State: {fileID: 372149213081719384}
            +    m_Position: {x: 235, y: 65, z: 0}
               m_ChildStateMachines: []
               m_AnyStateTransitions: []
               m_EntryTransitions: []
        "#]]
        .assert_eq(
            &bench.diff(super::TOOL.id, arguments.clone()).replace(&guid, "(guid of the clip)"),
        );
        let errors = [
            bench.error(super::TOOL.id, arguments),
            bench.error(super::TOOL.id, json!({ "controllerPath": path, "name": "A", "layer": "Bass Layer" })),
            bench.error(super::TOOL.id, json!({ "controllerPath": path, "name": "A", "motion": "Assets/Materials/Stone.mat" })),
            bench.error(super::TOOL.id, json!({ "controllerPath": path, "name": "A", "motion": "Assets/Opn.anim" })),
        ];
        expect![[r#"
            the layer has a state "Open" already; nothing was changed
            the controller has no layer Bass Layer; did you mean Base Layer?
            m_Motion of AnimatorState: the field takes a Motion, and Assets/Materials/Stone.mat is a Material; nothing was changed
            m_Motion of AnimatorState: there is no asset Assets/Opn.anim; did you mean Assets/Open.anim?"#]].assert_eq(&errors.join("\n"));
    }
}
