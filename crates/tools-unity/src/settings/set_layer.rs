//! The tool `settings.setLayer`: Name Layer.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::TAG_MANAGER;
use scenewright_unity::edit::{self, Item, New, Refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{check_name, exists, settings, texts};
use crate::base::draft::{self, Draft};

/// Layers whose names are Unity's.
const BUILT_IN: [usize; 5] = [0, 1, 2, 4, 5];

pub(crate) const TOOL: Tool = Tool {
    id: "settings.setLayer",
    keywords: "new layer called add name layer layers project settings tag manager physics collision camera",
    argument_aliases: &[("layer", "name")],
    title: "Name Layer",
    category: "settings",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A layer for enemies in the Unity sample",
        input: r#"{ "project": "unity", "name": "Enemies" }"#,
        output: r#"{ "success": true, "name": "Enemies", "index": 8, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Give a layer a name: the first one without a name from 6 on, or the one that you say.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The name.
    name: String,
    /// Which layer.
    #[schemars(range(min = 0, max = 31))]
    index: Option<usize>,
    /// A layer that has a name gets this one instead.
    #[serde(default)]
    rename: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The name.
    name: String,
    /// Which layer has it.
    index: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    check_name("name", &input.name)?;
    let project = crate::base::changing(cx, input.project.as_deref())?;
    let mut file = Draft::open(cx, project, TAG_MANAGER)?;
    let layers = texts(file.document(), "layers", None);
    let index = place(&layers, &input)?;
    file.change(|document, manner, edits| {
        let object = settings(document).ok_or_else(|| Refused::NoPlace("layers".into()))?;
        let item = |at: usize| match at == index {
            true => Item::New(New::Text(input.name.clone())),
            false => Item::Old(at),
        };
        let items: Vec<Item> = (0..layers.len()).map(item).collect();
        edit::set_list(object, "layers", &items, manner, edits)
    })?;
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    Ok(Output { success: true, name: input.name, index, written })
}

fn place(layers: &[String], input: &Input) -> Result<usize, ToolError> {
    let wrong = |text: String, hint: &str| {
        Err(ToolError::new(ErrorKind::EngineError, text).hint(hint.to_owned()))
    };
    if layers.contains(&input.name) {
        return Err(exists("Layer", &input.name));
    }
    let free = (6..layers.len()).find(|at| layers[*at].is_empty());
    let Some(index) = input.index.or(free) else {
        return wrong(
            "every layer has a name".to_owned(),
            "nothing was changed; rename one with index and rename",
        );
    };
    match layers.get(index) {
        None => wrong(format!("the project has no layer {index}"), "nothing was changed"),
        Some(_) if BUILT_IN.contains(&index) => wrong(
            format!("layer {index} is one of Unity's own"),
            "nothing was changed; choose another",
        ),
        Some(name) if !name.is_empty() && !input.rename => wrong(
            format!("layer {index} is {name} already"),
            "nothing was changed; rename: true gives it the other name",
        ),
        Some(_) => Ok(index),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_layer_without_a_name_gets_one() {
        let bench = bench();
        expect![[r#"
            --- a/ProjectSettings/TagManager.asset
            +++ b/ProjectSettings/TagManager.asset
            @@ -15,7 +15,7 @@
               - UI
               - Interactable
               - Ground
            -  - 
            +  - Enemies
               - 
               - 
               - 
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "name": "Enemies" })));
        let errors = [
            bench.error(super::TOOL.id, json!({ "name": "Enemies" })),
            bench.error(super::TOOL.id, json!({ "name": "Sky", "index": 4 })),
            bench.error(super::TOOL.id, json!({ "name": "Sky", "index": 7 })),
            bench.error(super::TOOL.id, json!({ "name": "" })),
        ];
        expect![[r#"
            Layer exists already: Enemies; nothing was changed
            layer 4 is one of Unity's own; nothing was changed; choose another
            layer 7 is Ground already; nothing was changed; rename: true gives it the other name
            Invalid tool arguments: name must be a name on one line"#]]
        .assert_eq(&errors.join("\n"));
        expect![[r#"
            --- a/ProjectSettings/TagManager.asset
            +++ b/ProjectSettings/TagManager.asset
            @@ -14,7 +14,7 @@
               - Water
               - UI
               - Interactable
            -  - Ground
            +  - Floor
               - Enemies
               - 
               - 
        "#]]
        .assert_eq(
            &bench.diff(super::TOOL.id, json!({ "name": "Floor", "index": 7, "rename": true })),
        );
    }
}
