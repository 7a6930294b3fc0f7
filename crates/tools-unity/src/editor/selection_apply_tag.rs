//! The tool `editor.selection.applyTag`: Apply Tag to Objects.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Selection, apply};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "editor.selection.applyTag",
    keywords: "set tag of selected objects several at once player enemy assign",
    title: "Apply Tag to Objects",
    notes: Some(
        "Without a running editor nothing is selected: objectPaths names the objects. Inside a prefab instance the tag becomes an override.",
    ),
    category: "editor",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Tag an object of the Unity sample",
        input: r#"{ "project": "unity", "tag": "Player", "scenePath": "Assets/Scenes/Cellar.unity", "objectPaths": ["Floor"] }"#,
        output: r#"{ "success": true, "tag": "Player", "objectsTagged": 1, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tag some objects of a scene or prefab with a tag that the project has.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The tag, which must exist.
    tag: String,
    #[serde(flatten)]
    selection: Selection,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The tag.
    tag: String,
    /// How many objects it was about.
    objects_tagged: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let Input { tag, selection } = input;
    let unity = cx.unity(selection.project.as_deref())?;
    check_tag(&unity, &tag)?;
    let (count, written) = apply(cx, TOOL.id, selection, "m_TagString", &json!(tag))?;
    Ok(Output { success: true, tag, objects_tagged: count, written })
}

/// Refuses a tag that the project does not have.
fn check_tag(unity: &Unity<'_>, tag: &str) -> Result<(), ToolError> {
    let tags = unity.tags().filter(|tags| tags.is_there);
    let Some(tags) = tags.filter(|tags| !tags.all().any(|known| known == tag)) else {
        return Ok(());
    };
    let otherwise = format!("the tags are {}", tags.all().collect::<Vec<_>>().join(", "));
    let hint = suggest::did_you_mean(tag, tags.all(), &otherwise);
    Err(ToolError::new(ErrorKind::EngineError, format!("Tag does not exist: {tag}")).hint(hint))
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
        let arguments = json!({ "tag": "Player", "scenePath": SCENE, "objectPaths": ["Floor", "Storage Room/Key"] });
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -267,6 +267,10 @@
                   propertyPath: value
                   value: 3
                   objectReference: {fileID: 0}
            +    - target: {fileID: 6626262341088967097, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +      propertyPath: m_TagString
            +      value: Player
            +      objectReference: {fileID: 0}
                 - target: {fileID: 6980475793544814359, guid: f755b277b36ec092bed9651617f3a926, type: 3}
                   propertyPath: m_Intensity
                   value: 2.5
            @@ -334,7 +338,7 @@
               - component: {fileID: 786083074}
               m_Layer: 7
               m_Name: Floor
            -  m_TagString: Untagged
            +  m_TagString: Player
               m_Icon: {fileID: 0}
               m_NavMeshLayer: 0
               m_StaticEditorFlags: 0
        "#]].assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
        assert_eq!(bench.diff(super::TOOL.id, arguments), "");
    }

    #[test]
    fn what_cannot_be_done_is_told() {
        let bench = bench();
        let none = bench.call(super::TOOL.id, json!({ "tag": "Player" })).unwrap_err();
        assert_eq!(none.kind, ErrorKind::NotReady);
        let errors = [
            bench.error(super::TOOL.id, json!({ "tag": "Player", "scenePath": SCENE, "objectPaths": ["Flor"] })),
            bench.error(super::TOOL.id, json!({ "tag": "Player", "scenePath": SCENE, "objectPaths": ["Floor", "Floor"], "maxObjects": 1 })),
            bench.error(super::TOOL.id, json!({ "tag": "Playr", "scenePath": SCENE, "objectPaths": ["Floor"] })),
        ];
        expect![[r#"
            GameObject not found: Flor; did you mean Floor?
            Selection exceeds maxObjects limit: 2 objects, at most 1; call several times
            Tag does not exist: Playr; did you mean Player?"#]]
        .assert_eq(&errors.join("\n"));
    }
}
