//! The tool `godotAnimation.setupStateMachine`, which MCP clients call `setup_state_machine`.

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_godot::Variant;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_tools_godot::base::animations::check_animation;
use scenewright_tools_godot::base::trees::{AUTO, END, START, Transition, check_name};
use scenewright_tools_godot::base::{
    AnimationGraph, Godot, InGodot, InScene, OpenScene, Write, given,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAnimation.setupStateMachine",
    keywords: "states transitions idle run jump fsm walk attack switch animator state condition",
    mcp: Some("setup_state_machine"),
    title: "Setup State Machine",
    category: "godot.animation",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Idle until a hop begins, and back when it is over",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/actor.tscn",
            "animTreePath": "MotionTree",
            "states": [
                { "name": "idle", "animation": "idle" },
                { "name": "hop", "animation": "hop" }
            ],
            "transitions": [
                { "from": "idle", "to": "hop", "advanceCondition": "jumping", "xfadeTime": 0.1 },
                { "from": "hop", "to": "idle", "autoAdvance": true, "switchMode": "at_end" }
            ],
            "startState": "idle"
        }"#,
        output: r#"{
            "success": true,
            "animTreePath": "MotionTree",
            "states": [
                { "name": "idle", "animation": "idle" },
                { "name": "hop", "animation": "hop" }
            ],
            "statesAdded": 2,
            "transitionsAdded": 3,
            "startState": "idle",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "godotAnimation.createAnimationTree",
        input: r#"{
            "projectPath": "godot", "scenePath": "res://scenes/actor.tscn",
            "nodeName": "MotionTree", "animPlayerPath": "AnimationPlayer"
        }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add states and transitions to the state machine of an AnimationTree. What is there already is
/// changed; what is not named stays.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the AnimationTree from the scene's root.
    anim_tree_path: String,
    /// States to have.
    #[schemars(length(min = 1, max = 200))]
    states: Vec<State>,
    /// Transitions to have; `Start` and `End` are states, too.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    transitions: Vec<Link>,
    /// The state it begins with, instead of the one so far.
    start_state: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct State {
    name: String,
    /// The animation it plays; by default the one of its name, if there is one.
    animation: Option<String>,
    /// Where a state that is a 1D blend space begins.
    blend_position: Option<f64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Link {
    from: String,
    to: String,
    /// Go on by itself.
    auto_advance: Option<bool>,
    /// Go on by itself while this condition of the tree is true.
    advance_condition: Option<String>,
    /// Seconds of cross-fade.
    #[schemars(range(min = 0))]
    xfade_time: Option<f64>,
    switch_mode: Option<SwitchMode>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SwitchMode {
    Immediate,
    Sync,
    AtEnd,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the tree from the scene's root.
    anim_tree_path: String,
    /// The named states and what they play.
    states: Vec<StateSet>,
    /// How many of them are new.
    states_added: usize,
    /// How many transitions are new, that to the first state included.
    transitions_added: usize,
    /// The state it begins with, if the call names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_state: Option<String>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct StateSet {
    name: String,
    /// The animation it plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    animation: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let mut graph = godot.animation_graph(&mut open, &input.anim_tree_path)?;
    graph.expect_state_machine()?;
    let before = graph.nodes(&open).len();
    let mut states = Vec::new();
    for state in &input.states {
        if states.iter().any(|set: &StateSet| set.name == state.name) {
            return Err(bad(format!("the state {} is given twice", state.name)));
        }
        states.push(set_state(&godot, &mut open, &mut graph, state)?);
    }
    let transitions_added = set_transitions(&godot, &mut open, &mut graph, &input)?;
    let states_added = graph.nodes(&open).len() - before;
    let written = graph.root.save(&open, &godot, input.write)?;
    Ok(Output {
        success: true,
        anim_tree_path: graph.tree,
        states,
        states_added,
        transitions_added,
        start_state: input.start_state,
        written,
    })
}

fn bad(text: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, text)
}

fn set_state(
    godot: &Godot<'_>,
    open: &mut OpenScene,
    graph: &mut AnimationGraph,
    state: &State,
) -> Result<StateSet, ToolError> {
    check_name(&state.name)?;
    let has = |name: &String| graph.animations.as_ref().is_some_and(|known| known.contains(name));
    let animation = state.animation.as_ref().or(Some(&state.name).filter(|name| has(name)));
    let animation = animation.cloned();
    if let Some(animation) = &animation {
        check_animation(graph.animations.as_ref(), animation)?;
    }
    let plays = |name: &String| ("animation", Variant::StringName(name.clone()));
    let there = graph.node(open, &state.name);
    match &there {
        None => {
            let properties: Vec<_> = animation.iter().map(plays).collect();
            let id = graph.add_resource(open, "AnimationNodeAnimation", &properties)?;
            graph.set_node(open, &state.name, &id)?;
        }
        Some((id, class)) if class == "AnimationNodeAnimation" => {
            let properties: Vec<_> = state.animation.iter().map(plays).collect();
            graph.set_properties(open, godot, id, &properties)?;
        }
        Some((_, class)) if state.animation.is_some() => {
            return Err(bad(format!(
                "the state {} is {class} and plays no one animation",
                state.name
            )));
        }
        Some(_) => {}
    }
    if let Some(position) = state.blend_position {
        let is_space = there.is_some_and(|(_, class)| class == "AnimationNodeBlendSpace1D");
        if !is_space {
            return Err(bad(format!("the state {} is no 1D blend space", state.name))
                .hint("blend_animations makes a state that is one"));
        }
        let key = format!("parameters/{}/blend_position", state.name);
        godot.set_node(open, &graph.tree, &given([(&key, Some(position.into()))]))?;
    }
    Ok(StateSet { name: state.name.clone(), animation: shown_animation(open, graph, &state.name) })
}

fn shown_animation(open: &OpenScene, graph: &AnimationGraph, state: &str) -> Option<String> {
    let (id, _) = graph.node(open, state)?;
    let animation = graph.root.document(open).sub_resource(&id)?.0.property("animation")?;
    Some(animation.as_str()?.into_owned())
}

/// Write the transitions; how many are new.
fn set_transitions(
    godot: &Godot<'_>,
    open: &mut OpenScene,
    graph: &mut AnimationGraph,
    input: &Input,
) -> Result<usize, ToolError> {
    let names: BTreeSet<String> = graph.nodes(open).into_iter().collect();
    let start = input.start_state.as_ref().map(|state| Link {
        from: START.to_owned(),
        to: state.clone(),
        auto_advance: Some(true),
        advance_condition: None,
        xfade_time: None,
        switch_mode: None,
    });
    graph.replacing(open, |graph, open| {
        let mut all = graph.transitions(open);
        if let Some(state) = &input.start_state {
            all.retain(|known| known.from != START || known.to == *state);
        }
        let mut added = 0;
        for link in start.iter().chain(&input.transitions) {
            check_link(link, &names)?;
            let properties = properties(link);
            let known = all.iter().find(|known| known.from == link.from && known.to == link.to);
            if let Some(Variant::SubResource(id)) = known.map(|known| &known.resource) {
                graph.set_properties(open, godot, id, &properties)?;
                continue;
            }
            const CLASS: &str = "AnimationNodeStateMachineTransition";
            let id = graph.add_resource(open, CLASS, &[])?;
            graph.set_properties(open, godot, &id, &properties)?;
            let resource = Variant::SubResource(id);
            all.push(Transition { from: link.from.clone(), to: link.to.clone(), resource });
            added += 1;
        }
        if !all.is_empty() {
            graph.set_transitions(open, &all)?;
        }
        Ok(added)
    })
}

fn check_link(link: &Link, names: &BTreeSet<String>) -> Result<(), ToolError> {
    for (state, other) in [(&link.from, START), (&link.to, END)] {
        if state != other && !names.contains(state) {
            let known = names.iter().map(String::as_str);
            let otherwise =
                format!("the states are {}", known.clone().collect::<Vec<_>>().join(", "));
            return Err(ToolError::not_found("state", state)
                .hint(suggest::did_you_mean(state, known, &otherwise)));
        }
    }
    if link.from == link.to {
        return Err(bad(format!("a transition from {} to itself does nothing", link.from)));
    }
    if let Some(condition) = &link.advance_condition
        && (condition.is_empty() || condition.contains(['/', ':', '.', '"', ' ']))
    {
        return Err(bad(format!("'{condition}' cannot be the name of a condition"))
            .hint("conditions are names as variables have them: is_moving"));
    }
    Ok(())
}

fn properties(link: &Link) -> Vec<(&'static str, Variant)> {
    let mut properties = Vec::new();
    if let Some(seconds) = link.xfade_time {
        properties.push(("xfade_time", Variant::float(seconds)));
    }
    if let Some(mode) = link.switch_mode {
        properties.push(("switch_mode", Variant::int(mode as i64)));
    }
    // A condition counts only where the transition is taken by itself.
    match link.auto_advance.or(link.advance_condition.as_ref().map(|_| true)) {
        Some(true) => properties.push(("advance_mode", Variant::int(AUTO))),
        Some(false) => properties.push(("advance_mode", Variant::int(1))),
        None => {}
    }
    if let Some(condition) = &link.advance_condition {
        properties.push(("advance_condition", Variant::StringName(condition.clone())));
    }
    properties
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    /// The sample with a tree among its actor's nodes.
    fn sample() -> GodotSample {
        let sample = GodotSample::new();
        let tree = json!({
            "scenePath": "scenes/actor.tscn", "nodeName": "Tree",
            "animPlayerPath": "AnimationPlayer",
        });
        sample.call("godotAnimation.createAnimationTree", tree).unwrap();
        sample
    }

    fn machine(states: Value, transitions: Value, start: Option<&str>) -> Value {
        let mut arguments = json!({
            "scenePath": "scenes/actor.tscn", "animTreePath": "Tree",
            "states": states, "transitions": transitions,
        });
        if let Some(start) = start {
            arguments["startState"] = start.into();
        }
        arguments
    }

    #[test]
    fn states_come_before_what_connects_them() {
        let sample = sample();
        let states = json!([{ "name": "idle" }, { "name": "In Air", "animation": "hop" }]);
        let transitions = json!([
            { "from": "idle", "to": "In Air", "advanceCondition": "jumping", "xfadeTime": 0.2 },
            { "from": "In Air", "to": "End", "switchMode": "at_end", "autoAdvance": true },
        ]);
        let arguments = machine(states, transitions, Some("idle"));
        expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=8 format=3 uid="uid://u4ujiidj5i7c"]
            +[gd_scene load_steps=13 format=3 uid="uid://u4ujiidj5i7c"]
 
             [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
            @@ -86,7 +86,30 @@
             &"idle": SubResource("Animation_i6d1e")
             }
 
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_e6la7"]
            +animation = &"idle"
            +
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_qn31u"]
            +animation = &"hop"
            +
            +[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_fksdq"]
            +advance_mode = 2
            +
            +[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_mlvxr"]
            +xfade_time = 0.2
            +advance_mode = 2
            +advance_condition = &"jumping"
            +
            +[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_7knnh"]
            +switch_mode = 2
            +advance_mode = 2
            +
             [sub_resource type="AnimationNodeStateMachine" id="AnimationNodeStateMachine_u6lm6"]
            +"states/In Air/node" = SubResource("AnimationNodeAnimation_qn31u")
            +"states/In Air/position" = Vector2(540, 100)
            +states/idle/node = SubResource("AnimationNodeAnimation_e6la7")
            +states/idle/position = Vector2(380, 100)
            +transitions = ["Start", "idle", SubResource("AnimationNodeStateMachineTransition_fksdq"), "idle", "In Air", SubResource("AnimationNodeStateMachineTransition_mlvxr"), "In Air", "End", SubResource("AnimationNodeStateMachineTransition_7knnh")]
 
             [node name="Actor" type="CharacterBody2D"]
             script = ExtResource("1_a9c2f")
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments.clone()));
        // The same again changes nothing.
        expect![[""]].assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_is_there_is_changed_and_another_start_takes_its_place() {
        let sample = sample();
        let states = json!([{ "name": "idle" }, { "name": "hop" }]);
        let transitions = json!([{ "from": "idle", "to": "hop", "xfadeTime": 0.2 }]);
        sample.call(super::TOOL.id, machine(states, transitions, Some("idle"))).unwrap();
        let states = json!([{ "name": "hop", "animation": "idle" }, { "name": "also" }]);
        let transitions = json!([{ "from": "idle", "to": "hop", "switchMode": "sync" }]);
        let arguments = machine(states, transitions, Some("hop"));
        expect![[r#"
            --- a/scenes/actor.tscn
            +++ b/scenes/actor.tscn
            @@ -1,4 +1,4 @@
            -[gd_scene load_steps=12 format=3 uid="uid://u4ujiidj5i7c"]
            +[gd_scene load_steps=13 format=3 uid="uid://u4ujiidj5i7c"]
 
             [ext_resource type="Script" uid="uid://dfj8q1gjnywwd" path="res://scripts/actor.gd" id="1_a9c2f"]
 
            @@ -90,20 +90,25 @@
             animation = &"idle"
 
             [sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_qn31u"]
            -animation = &"hop"
            -
            -[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_kj1fb"]
            -advance_mode = 2
            +animation = &"idle"
 
             [sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_36ddx"]
             xfade_time = 0.2
            +switch_mode = 1
 
            +[sub_resource type="AnimationNodeAnimation" id="AnimationNodeAnimation_sog4k"]
            +
            +[sub_resource type="AnimationNodeStateMachineTransition" id="AnimationNodeStateMachineTransition_lapxy"]
            +advance_mode = 2
            +
             [sub_resource type="AnimationNodeStateMachine" id="AnimationNodeStateMachine_u6lm6"]
            +states/also/node = SubResource("AnimationNodeAnimation_sog4k")
            +states/also/position = Vector2(700, 100)
             states/hop/node = SubResource("AnimationNodeAnimation_qn31u")
             states/hop/position = Vector2(540, 100)
             states/idle/node = SubResource("AnimationNodeAnimation_e6la7")
             states/idle/position = Vector2(380, 100)
            -transitions = ["Start", "idle", SubResource("AnimationNodeStateMachineTransition_kj1fb"), "idle", "hop", SubResource("AnimationNodeStateMachineTransition_36ddx")]
            +transitions = ["idle", "hop", SubResource("AnimationNodeStateMachineTransition_36ddx"), "Start", "hop", SubResource("AnimationNodeStateMachineTransition_lapxy")]
 
             [node name="Actor" type="CharacterBody2D"]
             script = ExtResource("1_a9c2f")
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = sample();
        let refuse = |states: Value, transitions: Value, start: Option<&str>| {
            sample.error(super::TOOL.id, machine(states, transitions, start))
        };
        let idle = || json!([{ "name": "idle" }]);
        expect!["animation not found: hopp; did you mean hop?"].assert_eq(&refuse(
            json!([{ "name": "a", "animation": "hopp" }]),
            json!([]),
            None,
        ));
        expect!["'Start' is there already and cannot be set; name Start and End in transitions, or give startState"].assert_eq(&refuse(json!([{ "name": "Start" }]), json!([]), None));
        expect![
            "'a/b' cannot be the name of a state; names are not empty and have no / . : or quotes"
        ]
        .assert_eq(&refuse(json!([{ "name": "a/b" }]), json!([]), None));
        expect!["the state a is given twice"].assert_eq(&refuse(
            json!([{ "name": "a" }, { "name": "a" }]),
            json!([]),
            None,
        ));
        expect!["the state a is no 1D blend space; blend_animations makes a state that is one"]
            .assert_eq(&refuse(json!([{ "name": "a", "blendPosition": 1 }]), json!([]), None));
        expect!["state not found: idel; did you mean idle?"].assert_eq(&refuse(
            idle(),
            json!([{ "from": "idle", "to": "idel" }]),
            None,
        ));
        expect!["state not found: End; the states are idle"].assert_eq(&refuse(
            idle(),
            json!([{ "from": "End", "to": "idle" }]),
            None,
        ));
        expect!["state not found: hop; the states are idle"].assert_eq(&refuse(
            idle(),
            json!([]),
            Some("hop"),
        ));
        let mut elsewhere = machine(idle(), json!([]), None);
        elsewhere["animTreePath"] = "AnimationPlayer".into();
        expect!["AnimationPlayer is AnimationPlayer, and this works on AnimationTree; get_node_tree shows the nodes with their classes"].assert_eq(&sample.error(super::TOOL.id, elsewhere));
    }
}
