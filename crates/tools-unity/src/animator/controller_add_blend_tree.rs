//! The tool `animator.controller.addBlendTree`: Add Blend Tree.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::FileId;
use scenewright_unity::animator::{Child, Tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Place, change};
use crate::base::editing::SetField;

pub(crate) const TOOL: Tool = Tool {
    id: "animator.controller.addBlendTree",
    keywords: "animator controller blend tree walk run speed mix clips 1d 2d locomotion",
    argument_aliases: &[("assetPath", "controllerPath")],
    title: "Add Blend Tree",
    category: "animator",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Walk and run by speed in a controller of the Unity sample",
        input: r#"{ "project": "unity", "controllerPath": "Assets/Hero.controller", "state": "Move", "parameter": "Speed", "motions": [{ "motion": "Assets/Walk.anim" }, { "motion": "Assets/Walk.anim", "timeScale": 2 }] }"#,
        output: r#"{
            "success": true,
            "controllerPath": "Assets/Hero.controller",
            "fileID": 0,
            "stateFileID": 0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["fileID", "stateFileID", "changes", "undo"],
    }],
    after: &[
        Earlier {
            tool: "animator.controller.create",
            input: r#"{ "project": "unity", "path": "Assets/Hero.controller", "parameters": [{ "name": "Speed", "type": "float" }] }"#,
        },
        Earlier {
            tool: "animation.clip.create",
            input: r#"{ "project": "unity", "path": "Assets/Walk.anim" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a blend tree to an animator controller as the motion of a state, which is made when there is none
/// of the name. Parameters are of the type Float.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The controller.
    controller_path: String,
    /// The layer; the first one by default.
    layer: Option<String>,
    /// The state that plays it.
    state: String,
    /// How its motions are mixed.
    #[serde(default)]
    blend_type: BlendType,
    /// The parameter that it goes by.
    parameter: Option<String>,
    /// The second one, of trees in two dimensions.
    parameter_y: Option<String>,
    /// What it mixes.
    #[schemars(length(min = 1, max = 100))]
    motions: Vec<Motion>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum BlendType {
    /// By one parameter.
    #[default]
    Simple1D,
    /// By two, one motion for each direction.
    SimpleDirectional2D,
    /// By two, several for a direction.
    FreeformDirectional2D,
    /// By two that are no direction.
    FreeformCartesian2D,
    /// By a weight for each motion.
    Direct,
}

/// A motion of a blend tree.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Motion {
    /// The clip: `Assets/Walk.anim`, or `Assets/Hero.fbx#Walk` of a model.
    motion: String,
    /// Value of the parameter where it is alone; from 0 to 1 in even steps when no motion has one.
    threshold: Option<f32>,
    /// The same for two parameters.
    #[serde(default)]
    position: Place,
    /// How fast it plays.
    #[serde(default = "one")]
    time_scale: f32,
    /// The parameter that is its weight, of trees of the type direct.
    weight: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The controller.
    controller_path: String,
    /// What the file calls the tree; unity_edit sets its other fields.
    #[serde(rename = "fileID")]
    file_id: i64,
    /// What the file calls the state.
    #[serde(rename = "stateFileID")]
    state_file_id: i64,
    #[serde(flatten)]
    written: Written,
}

fn one() -> f32 {
    1.0
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    check(&input)?;
    let child = |motion: &Motion| Child {
        threshold: motion.threshold,
        position: [motion.position.x, motion.position.y],
        time_scale: motion.time_scale,
        weight: motion.weight.clone(),
    };
    let tree = Tree {
        kind: input.blend_type as u32,
        parameters: [input.parameter.clone(), input.parameter_y.clone()],
        children: input.motions.iter().map(child).collect(),
    };
    let motion = |(at, motion): (usize, &Motion), object: FileId| SetField {
        object,
        field: format!("m_Childs[{at}].m_Motion"),
        value: json!(motion.motion),
    };
    let (project, path) = (input.project.as_deref(), &input.controller_path);
    let (controller_path, (id, state), written) =
        change(cx, project, path, input.dry_run, |controller| {
            let done = controller.add_blend_tree(input.layer.as_deref(), &input.state, &tree)?;
            let motions = input.motions.iter().enumerate();
            Ok((done, motions.map(|one| motion(one, done.0)).collect()))
        })?;
    Ok(Output { success: true, controller_path, file_id: id.0, state_file_id: state.0, written })
}

/// Whether the parameters are those that its type takes.
fn check(input: &Input) -> Result<(), ToolError> {
    let is_direct = input.blend_type == BlendType::Direct;
    let is_flat = !is_direct && input.blend_type != BlendType::Simple1D;
    if !is_direct && input.parameter.is_none() {
        return Err(ToolError::bad_argument("parameter", "is missing"));
    }
    if is_flat != input.parameter_y.is_some() {
        let text = if is_flat { "is missing" } else { "is for trees in two dimensions" };
        return Err(ToolError::bad_argument("parameterY", text));
    }
    if input.motions.iter().any(|motion| motion.weight.is_some() != is_direct) {
        let text = "has a weight in each item where blendType is direct, and in none otherwise";
        return Err(ToolError::bad_argument("motions", text));
    }
    let given = input.motions.iter().filter(|motion| motion.threshold.is_some()).count();
    if given != 0 && given != input.motions.len() {
        return Err(ToolError::bad_argument("motions", "has a threshold in each item, or in none"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_tree_is_the_motion_of_a_state() {
        let bench = bench();
        let path = "Assets/Hero.controller";
        let parameters =
            json!([{ "name": "Speed", "type": "float" }, { "name": "Jump", "type": "trigger" }]);
        bench
            .call("animator.controller.create", json!({ "path": path, "parameters": parameters }))
            .unwrap();
        bench.call("animation.clip.create", json!({ "path": "Assets/Walk.anim" })).unwrap();
        let guid = bench.read("Assets/Walk.anim.meta");
        let guid = guid.lines().nth(1).unwrap().replace("guid: ", "");
        let tree = |parameter: &str, state: &str, motions: serde_json::Value| json!({ "controllerPath": path, "state": state, "parameter": parameter, "motions": motions });
        let walk = json!([{ "motion": "Assets/Walk.anim", "threshold": 1 }, { "motion": "Assets/Walk.anim", "threshold": 3.5, "timeScale": 2 }]);
        let diff = bench.diff(super::TOOL.id, tree("Speed", "Move", walk.clone()));
        expect![[r#"
            --- a/Assets/Hero.controller
            +++ b/Assets/Hero.controller
            @@ -34,6 +34,63 @@
                 m_IKPass: 0
                 m_SyncedLayerAffectsTiming: 0
                 m_Controller: {fileID: 9100000}
            +--- !u!206 &692083616667177312
            +BlendTree:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: Blend Tree
            +  m_Childs:
            +  - serializedVersion: 2
            +    m_Motion: {fileID: 7400000, guid: (guid of the clip), type: 2}
            +    m_Threshold: 1
            +    m_Position: {x: 0, y: 0}
            +    m_TimeScale: 1
            +    m_CycleOffset: 0
            +    m_DirectBlendParameter: Blend
            +    m_Mirror: 0
            +  - serializedVersion: 2
            +    m_Motion: {fileID: 7400000, guid: (guid of the clip), type: 2}
            +    m_Threshold: 3.5
            +    m_Position: {x: 0, y: 0}
            +    m_TimeScale: 2
            +    m_CycleOffset: 0
            +    m_DirectBlendParameter: Blend
            +    m_Mirror: 0
            +  m_BlendParameter: Speed
            +  m_BlendParameterY: Blend
            +  m_MinThreshold: 1
            +  m_MaxThreshold: 3.5
            +  m_UseAutomaticThresholds: 0
            +  m_NormalizedBlendValues: 0
            +  m_BlendType: 0
            +--- !u!1102 &6732856665059096124
            +AnimatorState:
            +  serializedVersion: 6
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: Move
            +  m_Speed: 1
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
            +  m_Motion: {fileID: 692083616667177312}
            +  m_Tag: 
            +  m_SpeedParameter: 
            +  m_MirrorParameter: 
            +  m_CycleOffsetParameter: 
            +  m_TimeParameter: 
             --- !u!1107 &7480542223984327078
             AnimatorStateMachine:
               serializedVersion: 6
            @@ -42,7 +99,10 @@
               m_PrefabInstance: {fileID: 0}
               m_PrefabAsset: {fileID: 0}
               m_Name: Base Layer
            -  m_ChildStates: []
            +  m_ChildStates:
            +  - serializedVersion: 1
            +    m_State: {fileID: 6732856665059096124}
            +    m_Position: {x: 200, y: 0, z: 0}
               m_ChildStateMachines: []
               m_AnyStateTransitions: []
               m_EntryTransitions: []
            @@ -52,4 +112,4 @@
               m_EntryPosition: {x: 50, y: 120, z: 0}
               m_ExitPosition: {x: 800, y: 120, z: 0}
               m_ParentStateMachinePosition: {x: 800, y: 20, z: 0}
            -  m_DefaultState: {fileID: 0}
            +  m_DefaultState: {fileID: 6732856665059096124}
        "#]]
        .assert_eq(&diff.replace(&guid, "(guid of the clip)"));
        let errors = [
            bench.error(super::TOOL.id, tree("Speed", "Move", walk.clone())),
            bench.error(super::TOOL.id, tree("Sped", "Run", walk.clone())),
            bench.error(super::TOOL.id, tree("Jump", "Run", walk)),
            bench.error(
                super::TOOL.id,
                tree("Speed", "Run", json!([{ "motion": "Assets/Walk.anim", "weight": "Speed" }])),
            ),
            bench.error(
                super::TOOL.id,
                tree("Speed", "Run", json!([{ "motion": "Assets/Wlk.anim" }])),
            ),
        ];
        expect![[r#"
            the state Move has a motion already; name another state; one that is not there is made
            the controller has no parameter Sped; did you mean Speed?
            Jump is no Float, and a blend tree takes such parameters only; add a parameter of the type Float
            Invalid tool arguments: motions has a weight in each item where blendType is direct, and in none otherwise
            m_Childs[0].m_Motion of BlendTree: there is no asset Assets/Wlk.anim; did you mean Assets/Walk.anim?"#]].assert_eq(&errors.join("\n"));
    }
}
