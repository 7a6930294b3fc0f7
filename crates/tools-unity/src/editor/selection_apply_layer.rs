//! The tool `editor.selection.applyLayer`: Apply Layer to Objects.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Selection, apply};

pub(crate) const TOOL: Tool = Tool {
    id: "editor.selection.applyLayer",
    keywords: "set layer of selected objects several at once physics water ui assign",
    title: "Apply Layer to Objects",
    notes: Some(
        "Without a running editor nothing is selected: objectPaths names the objects. Inside a prefab instance the layer becomes an override.",
    ),
    category: "editor",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Put an object of the Unity sample on a layer",
        input: r#"{ "project": "unity", "layer": 5, "scenePath": "Assets/Scenes/Cellar.unity", "objectPaths": ["Floor"] }"#,
        output: r#"{ "success": true, "layer": 5, "objectsLayered": 1, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set the layer of some objects of a scene or prefab, without their children.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Layer, as an index.
    #[schemars(range(min = 0, max = 31))]
    layer: u32,
    #[serde(flatten)]
    selection: Selection,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The layer.
    layer: u32,
    /// How many objects it was about.
    objects_layered: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let Input { layer, selection } = input;
    let (count, written) = apply(cx, TOOL.id, selection, "m_Layer", &json!(layer))?;
    Ok(Output { success: true, layer, objects_layered: count, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_contract::ErrorKind;
    use serde_json::json;

    use crate::testing::bench;

    const SCENE: &str = "Assets/Scenes/Cellar.unity";

    #[test]
    fn objects_of_the_scene_and_in_instances_get_it() {
        let bench = bench();
        let arguments =
            json!({ "layer": 5, "scenePath": SCENE, "objectPaths": ["Floor", "Storage Room/Key"] });
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -267,6 +267,10 @@
                   propertyPath: value
                   value: 3
                   objectReference: {fileID: 0}
            +    - target: {fileID: 6626262341088967097, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +      propertyPath: m_Layer
            +      value: 5
            +      objectReference: {fileID: 0}
                 - target: {fileID: 6980475793544814359, guid: f755b277b36ec092bed9651617f3a926, type: 3}
                   propertyPath: m_Intensity
                   value: 2.5
            @@ -332,7 +336,7 @@
               - component: {fileID: 786083072}
               - component: {fileID: 786083073}
               - component: {fileID: 786083074}
            -  m_Layer: 7
            +  m_Layer: 5
               m_Name: Floor
               m_TagString: Untagged
               m_Icon: {fileID: 0}
        "#]].assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
        assert_eq!(bench.diff(super::TOOL.id, arguments), "");
    }

    #[test]
    fn what_cannot_be_done_is_told() {
        let bench = bench();
        let none = bench.call(super::TOOL.id, json!({ "layer": 5 })).unwrap_err();
        assert_eq!(none.kind, ErrorKind::NotReady);
        let errors = [
            bench.error(super::TOOL.id, json!({ "layer": 5, "scenePath": SCENE, "objectPaths": ["Flor"] })),
            bench.error(super::TOOL.id, json!({ "layer": 5, "scenePath": SCENE, "objectPaths": ["Floor", "Floor"], "maxObjects": 1 })),
            bench.error(super::TOOL.id, json!({ "layer": 32, "scenePath": SCENE, "objectPaths": ["Floor"] })),
        ];
        expect![[r#"
            GameObject not found: Flor; did you mean Floor?
            Selection exceeds maxObjects limit: 2 objects, at most 1; call several times
            Invalid tool arguments: layer must be at most 31"#]]
        .assert_eq(&errors.join("\n"));
    }
}
