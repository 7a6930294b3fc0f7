//! The tool `animator.controller.addTransition`: Add Animator Transition.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::animator::{Condition, Mode, Transition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change;

/// The part of a state after which one without conditions goes on, as in the editor.
const EXIT_TIME: f32 = 0.75;

pub(crate) const TOOL: Tool = Tool {
    id: "animator.controller.addTransition",
    keywords: "animator controller transition condition any state entry exit time switch connect states",
    argument_aliases: &[("assetPath", "controllerPath")],
    title: "Add Animator Transition",
    category: "animator",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Open a door of the Unity sample when a parameter is true",
        input: r#"{ "project": "unity", "controllerPath": "Assets/Door.controller", "from": "Closed", "to": "Open", "conditions": [{ "parameter": "IsOpen", "mode": "if" }] }"#,
        output: r#"{
            "success": true,
            "controllerPath": "Assets/Door.controller",
            "fileID": 0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["fileID", "changes", "undo"],
    }],
    after: &[
        Earlier {
            tool: "animator.controller.create",
            input: r#"{ "project": "unity", "path": "Assets/Door.controller", "parameters": [{ "name": "IsOpen", "type": "bool" }] }"#,
        },
        Earlier {
            tool: "animator.controller.addState",
            input: r#"{ "project": "unity", "controllerPath": "Assets/Door.controller", "name": "Closed" }"#,
        },
        Earlier {
            tool: "animator.controller.addState",
            input: r#"{ "project": "unity", "controllerPath": "Assets/Door.controller", "name": "Open" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a transition between two states of an animator controller, from Any State or Entry, or to Exit.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The controller.
    controller_path: String,
    /// The layer; the first one by default.
    layer: Option<String>,
    /// The state that it starts from, `Any State`, or `Entry`; `Machine/State` of an inner machine.
    from: String,
    /// The state that it leads to, or `Exit`.
    to: String,
    /// All that it waits for.
    #[serde(default)]
    conditions: Vec<Wanted>,
    /// The part of the first state after which it starts, such as 0.75; by default only where there
    /// are no conditions.
    exit_time: Option<f32>,
    /// How long it takes, in seconds; 0.25 by default.
    duration: Option<f32>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// What a transition waits for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Wanted {
    /// The parameter.
    parameter: String,
    /// How it is compared.
    mode: Compared,
    /// With what number.
    #[serde(default)]
    threshold: f32,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Compared {
    /// A Bool or Trigger is true.
    If,
    /// A Bool is false.
    IfNot,
    /// It is more.
    Greater,
    /// It is less.
    Less,
    /// An Int is the same.
    Equals,
    /// An Int is another.
    NotEqual,
}

impl From<&Wanted> for Condition {
    fn from(wanted: &Wanted) -> Condition {
        let mode = match wanted.mode {
            Compared::If => Mode::If,
            Compared::IfNot => Mode::IfNot,
            Compared::Greater => Mode::Greater,
            Compared::Less => Mode::Less,
            Compared::Equals => Mode::Equals,
            Compared::NotEqual => Mode::NotEqual,
        };
        Condition { parameter: wanted.parameter.clone(), mode, threshold: wanted.threshold }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The controller.
    controller_path: String,
    /// What the file calls the transition; unity_edit sets its other fields.
    #[serde(rename = "fileID")]
    file_id: i64,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (project, path) = (input.project.as_deref(), &input.controller_path);
    let waits = input.conditions.is_empty().then_some(EXIT_TIME);
    let wanted = Transition {
        from: input.from,
        to: input.to,
        conditions: input.conditions.iter().map(Condition::from).collect(),
        exit_time: input.exit_time.or(waits),
        duration: input.duration,
    };
    let (controller_path, id, written) = change(cx, project, path, input.dry_run, |controller| {
        Ok((controller.add_transition(input.layer.as_deref(), &wanted)?, Vec::new()))
    })?;
    Ok(Output { success: true, controller_path, file_id: id.0, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_transition_hangs_on_the_state_that_it_starts_from() {
        let bench = bench();
        let path = "Assets/Door.controller";
        let parameters =
            json!([{ "name": "IsOpen", "type": "bool" }, { "name": "Speed", "type": "float" }]);
        bench
            .call("animator.controller.create", json!({ "path": path, "parameters": parameters }))
            .unwrap();
        for name in ["Closed", "Open"] {
            bench
                .call(
                    "animator.controller.addState",
                    json!({ "controllerPath": path, "name": name }),
                )
                .unwrap();
        }
        let add = |from: &str, to: &str, conditions: serde_json::Value| json!({ "controllerPath": path, "from": from, "to": to, "conditions": conditions });
        let is_open = json!([{ "parameter": "IsOpen", "mode": "if" }, { "parameter": "Speed", "mode": "greater", "threshold": 0.5 }]);
        expect![[r#"
            --- a/Assets/Door.controller
            +++ b/Assets/Door.controller
            @@ -70,7 +70,8 @@
               m_Name: Closed
               m_Speed: 1
               m_CycleOffset: 0
            -  m_Transitions: []
            +  m_Transitions:
            +  - {fileID: 2865190194355733051}
               m_StateMachineBehaviours: []
               m_Position: {x: 50, y: 50, z: 0}
               m_IKOnFeet: 0
            @@ -86,6 +87,34 @@
               m_MirrorParameter: 
               m_CycleOffsetParameter: 
               m_TimeParameter: 
            +--- !u!1101 &2865190194355733051
            +AnimatorStateTransition:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: 
            +  m_Conditions:
            +  - m_ConditionMode: 1
            +    m_ConditionEvent: IsOpen
            +    m_EventTreshold: 0
            +  - m_ConditionMode: 3
            +    m_ConditionEvent: Speed
            +    m_EventTreshold: 0.5
            +  m_DstStateMachine: {fileID: 0}
            +  m_DstState: {fileID: 372149213081719384}
            +  m_Solo: 0
            +  m_Mute: 0
            +  m_IsExit: 0
            +  serializedVersion: 3
            +  m_TransitionDuration: 0.25
            +  m_TransitionOffset: 0
            +  m_ExitTime: 0.75
            +  m_HasExitTime: 0
            +  m_HasFixedDuration: 1
            +  m_InterruptionSource: 0
            +  m_OrderedInterruption: 1
            +  m_CanTransitionToSelf: 1
             --- !u!1107 &7480542223984327078
             AnimatorStateMachine:
               serializedVersion: 6
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, add("Closed", "Open", is_open)));
        expect![[r#"
            --- a/Assets/Door.controller
            +++ b/Assets/Door.controller
            @@ -44,7 +44,8 @@
               m_Name: Open
               m_Speed: 1
               m_CycleOffset: 0
            -  m_Transitions: []
            +  m_Transitions:
            +  - {fileID: 5127024490602688991}
               m_StateMachineBehaviours: []
               m_Position: {x: 50, y: 50, z: 0}
               m_IKOnFeet: 0
            @@ -114,3 +115,25 @@
               m_HasFixedDuration: 1
               m_InterruptionSource: 0
               m_OrderedInterruption: 1
            +  m_CanTransitionToSelf: 1
            +--- !u!1101 &5127024490602688991
            +AnimatorStateTransition:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: 
            +  m_Conditions: []
            +  m_DstStateMachine: {fileID: 0}
            +  m_DstState: {fileID: 0}
            +  m_Solo: 0
            +  m_Mute: 0
            +  m_IsExit: 1
            +  serializedVersion: 3
            +  m_TransitionDuration: 0.25
            +  m_TransitionOffset: 0
            +  m_ExitTime: 0.75
            +  m_HasExitTime: 1
            +  m_HasFixedDuration: 1
            +  m_InterruptionSource: 0
            +  m_OrderedInterruption: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, add("Open", "Exit", json!([]))));
        expect![[r#"
            --- a/Assets/Door.controller
            +++ b/Assets/Door.controller
            @@ -155,7 +155,8 @@
                 m_Position: {x: 235, y: 65, z: 0}
               m_ChildStateMachines: []
               m_AnyStateTransitions: []
            -  m_EntryTransitions: []
            +  m_EntryTransitions:
            +  - {fileID: 7490391136715638651}
               m_StateMachineTransitions: {}
               m_StateMachineBehaviours: []
               m_AnyStatePosition: {x: 50, y: 20, z: 0}
            @@ -163,3 +164,17 @@
               m_ExitPosition: {x: 800, y: 120, z: 0}
               m_ParentStateMachinePosition: {x: 800, y: 20, z: 0}
               m_DefaultState: {fileID: 843112347945042730}
            +--- !u!1109 &7490391136715638651
            +AnimatorTransition:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: 
            +  m_Conditions: []
            +  m_DstStateMachine: {fileID: 0}
            +  m_DstState: {fileID: 372149213081719384}
            +  m_Solo: 0
            +  m_Mute: 0
            +  m_IsExit: 0
            +  serializedVersion: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, add("Entry", "Open", json!([]))));
        bench.call(super::TOOL.id, add("Any State", "Closed", json!([]))).unwrap();
        let errors = [
            bench.error(super::TOOL.id, add("Clsed", "Open", json!([]))),
            bench.error(super::TOOL.id, add("Closed", "Opened", json!([]))),
            bench.error(super::TOOL.id, add("Entry", "Exit", json!([]))),
            bench.error(
                super::TOOL.id,
                add("Open", "Closed", json!([{ "parameter": "IsOpn", "mode": "if" }])),
            ),
            bench.error(
                super::TOOL.id,
                add("Open", "Closed", json!([{ "parameter": "Speed", "mode": "if" }])),
            ),
        ];
        expect![[r#"
            the layer has no state Clsed; did you mean Closed?
            the layer has no state Opened; did you mean Open?
            nothing leads from Entry to Exit; name a state that it starts from
            the controller has no parameter IsOpn; did you mean IsOpen?
            If does not fit Speed; If and IfNot are for Bool and Trigger, Greater and Less for Float and Int, Equals and NotEqual for Int"#]].assert_eq(&errors.join("\n"));
    }
}
