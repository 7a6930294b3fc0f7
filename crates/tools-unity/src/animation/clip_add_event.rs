//! The tool `animation.clip.addEvent`: Add Animation Event.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::animation::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::open;
use crate::base::InUnity;
use crate::base::editing::{SetField, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "animation.clip.addEvent",
    keywords: "animation event clip call method function time footstep",
    argument_aliases: &[("assetPath", "clipPath"), ("functionName", "function")],
    title: "Add Animation Event",
    category: "animation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Call a method in the middle of a clip of the Unity sample",
        input: r#"{ "project": "unity", "clipPath": "Assets/Swing.anim", "time": 0.5, "function": "Creak", "text": "soft" }"#,
        output: r#"{
            "success": true,
            "clipPath": "Assets/Swing.anim",
            "index": 0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "animation.clip.create",
        input: r#"{ "project": "unity", "path": "Assets/Swing.anim" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add an event to an animation clip: a method of a script beside the Animator that is called then.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The clip.
    clip_path: String,
    /// When, in seconds.
    #[schemars(range(min = 0))]
    time: f32,
    /// The method.
    #[schemars(length(min = 1))]
    function: String,
    /// Text that it is given.
    #[serde(default)]
    text: String,
    /// Number that it is given.
    #[serde(default)]
    float: f32,
    /// Whole number that it is given.
    #[serde(default)]
    int: i32,
    /// Asset that it is given, by its path.
    object: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The clip.
    clip_path: String,
    /// Its place among the events, which are in the order of time.
    index: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (opened, mut clip) = open(&unity, &input.clip_path)?;
    let Input { time, function, text, float, int, object, dry_run, .. } = input;
    let event = Event { time, function, text, float, int: int.into() };
    let index = clip.add_event(&event).map_err(refused)?;
    let object = object.map(|path| SetField {
        object: clip.id(),
        field: format!("m_Events[{index}].objectReferenceParameter"),
        value: json!(path),
    });
    let after = opened.with_fields(clip.to_bytes(), object.as_slice())?;
    let written = opened.commit_bytes(after, dry_run)?;
    Ok(Output { success: true, clip_path: opened.path.to_string(), index, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn events_are_in_the_order_of_time() {
        let bench = bench();
        let clip = "Assets/Swing.anim";
        bench.call("animation.clip.create", json!({ "path": clip })).unwrap();
        let late = json!({ "clipPath": clip, "time": 2, "function": "Stop", "int": 3 });
        bench.call(super::TOOL.id, late).unwrap();
        let early = json!({ "clipPath": clip, "time": 0.5, "function": "Creak", "object": "Assets/Materials/Stone.mat" });
        expect![[r#"
            --- a/Assets/Swing.anim
            +++ b/Assets/Swing.anim
            @@ -51,6 +51,13 @@
               m_HasGenericRootTransform: 0
               m_HasMotionFloatCurves: 0
               m_Events:
            +  - time: 0.5
            +    functionName: Creak
            +    data: 
            +    objectReferenceParameter: {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2}
            +    floatParameter: 0
            +    intParameter: 0
            +    messageOptions: 0
               - time: 2
                 functionName: Stop
                 data: 
        "#]].assert_eq(&bench.diff(super::TOOL.id, early));
        let errors = [
            bench.error(super::TOOL.id, json!({ "clipPath": "Assets/Swng.anim", "time": 0, "function": "A" })),
            bench.error(super::TOOL.id, json!({ "clipPath": "Assets/Materials/Stone.mat", "time": 0, "function": "A" })),
            bench.error(super::TOOL.id, json!({ "clipPath": clip, "time": 0, "function": "A", "object": "Assets/Nothing.mat" })),
        ];
        expect![[r#"
            Asset at path 'Assets/Swng.anim' not found; did you mean Assets/Swing.anim?
            the file has no animation clip; nothing was changed
            m_Events[0].objectReferenceParameter of AnimationClip: there is no asset Assets/Nothing.mat; did you mean Assets/Materials/Stone.mat?"#]].assert_eq(&errors.join("\n"));
    }
}
