//! The tool `settings.addSortingLayer`: Add Sorting Layer.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::TAG_MANAGER;
use scenewright_unity::edit::{self, Item, New, Refused, inner_guid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{check_name, exists, settings, texts};
use crate::base::draft::{self, Draft};

pub(crate) const TOOL: Tool = Tool {
    id: "settings.addSortingLayer",
    keywords: "new sorting layer sprite order 2d draw in front behind project settings",
    title: "Add Sorting Layer",
    category: "settings",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A sorting layer behind the others of the Unity sample",
        input: r#"{ "project": "unity", "name": "Background", "index": 0 }"#,
        output: r#"{ "success": true, "layers": ["Background", "Default", "Foreground"], "uniqueID": 0, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["uniqueID", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a sorting layer for sprites: in front of the others, or at a place.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The name.
    name: String,
    /// Its place: 0 is drawn first, behind all others; last by default.
    index: Option<usize>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// All sorting layers in their order.
    layers: Vec<String>,
    /// The number that renderers have in `m_SortingLayerID`.
    #[serde(rename = "uniqueID")]
    unique_id: u32,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    const LIST: &str = "m_SortingLayers";
    check_name("name", &input.name)?;
    let project = crate::base::changing(cx, input.project.as_deref())?;
    let mut file = Draft::open(cx, project, TAG_MANAGER)?;
    let known = texts(file.document(), LIST, Some("name"));
    if known.contains(&input.name) {
        return Err(exists("Sorting layer", &input.name));
    }
    let numbers = texts(file.document(), LIST, Some("uniqueID"));
    let unique_id = number(&input.name, &numbers);
    let item = New::Map(vec![
        ("name".to_owned(), New::Text(input.name.clone())),
        ("uniqueID".to_owned(), New::int(unique_id.into())),
        ("locked".to_owned(), New::int(0)),
    ]);
    file.change(|document, manner, edits| {
        let object = settings(document).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
        let mut items: Vec<Item> = (0..known.len()).map(Item::Old).collect();
        items.insert(input.index.unwrap_or(known.len()).min(known.len()), Item::New(item));
        edit::set_list(object, LIST, &items, manner, edits)
    })?;
    let layers = texts(file.document(), LIST, Some("name"));
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    Ok(Output { success: true, layers, unique_id, written })
}

/// A number that no other layer has; the same for the same name.
fn number(name: &str, known: &[String]) -> u32 {
    let numbers = (0..).map(|turn| {
        let guid = inner_guid(&format!("sorting layer/{name}/{turn}"));
        let [a, b, c, d, ..] = guid.0;
        u32::from_le_bytes([a, b, c, d]) & 0x7fff_ffff
    });
    let is_free = |number: &u32| *number != 0 && !known.contains(&number.to_string());
    numbers.into_iter().find(is_free).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_sorting_layer_comes_where_it_is_wanted() {
        let bench = bench();
        expect![[r#"
            --- a/ProjectSettings/TagManager.asset
            +++ b/ProjectSettings/TagManager.asset
            @@ -40,6 +40,9 @@
               - 
               - 
               m_SortingLayers:
            +  - name: Background
            +    uniqueID: 1341271369
            +    locked: 0
               - name: Default
                 uniqueID: 0
                 locked: 0
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "name": "Background", "index": 0 })));
        expect![[r#"
            --- a/ProjectSettings/TagManager.asset
            +++ b/ProjectSettings/TagManager.asset
            @@ -49,3 +49,6 @@
               - name: Foreground
                 uniqueID: 1384206917
                 locked: 0
            +  - name: Glow
            +    uniqueID: 926788044
            +    locked: 0
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "name": "Glow" })));
        expect!["Sorting layer exists already: Glow; nothing was changed"]
            .assert_eq(&bench.error(super::TOOL.id, json!({ "name": "Glow" })));
    }
}
