//! The tool `settings.addTag`: Add Tag.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::{self, New, Refused};
use scenewright_unity::{BUILT_IN_TAGS, TAG_MANAGER};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{check_name, exists, settings, texts};
use crate::base::draft::{self, Draft};

pub(crate) const TOOL: Tool = Tool {
    id: "settings.addTag",
    keywords: "new tag tags project settings tag manager define",
    argument_aliases: &[("name", "tag")],
    title: "Add Tag",
    category: "settings",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Another tag for the Unity sample",
        input: r#"{ "project": "unity", "tag": "Enemy" }"#,
        output: r#"{ "success": true, "tags": ["Collectible", "Lantern", "Enemy"], "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a tag to the project, so that objects can have it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The tag.
    tag: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The project's own tags.
    tags: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    check_name("tag", &input.tag)?;
    let project = crate::base::changing(cx, input.project.as_deref())?;
    let mut file = Draft::open(cx, project, TAG_MANAGER)?;
    let known = texts(file.document(), "tags", None);
    if BUILT_IN_TAGS.contains(&&*input.tag) || known.contains(&input.tag) {
        return Err(exists("Tag", &input.tag));
    }
    file.change(|document, manner, edits| {
        let object = settings(document).ok_or_else(|| Refused::NoPlace("tags".into()))?;
        edit::append(object, "tags", New::Text(input.tag.clone()), manner, edits)
    })?;
    let tags = texts(file.document(), "tags", None);
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    Ok(Output { success: true, tags, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{bench, bench_on};

    #[test]
    fn a_tag_comes_last_and_once() {
        let bench = bench();
        expect![[r#"
            --- a/ProjectSettings/TagManager.asset
            +++ b/ProjectSettings/TagManager.asset
            @@ -6,6 +6,7 @@
               tags:
               - Collectible
               - Lantern
            +  - 'Enemy: small'
               layers:
               - Default
               - TransparentFX
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "tag": "Enemy: small" })));
        let errors = [
            bench.error(super::TOOL.id, json!({ "tag": "Lantern" })),
            bench.error(super::TOOL.id, json!({ "tag": "Player" })),
            bench.error(super::TOOL.id, json!({ "tag": " " })),
        ];
        expect![[r#"
            Tag exists already: Lantern; nothing was changed
            Tag exists already: Player; nothing was changed
            Invalid tool arguments: tag must be a name on one line"#]]
        .assert_eq(&errors.join("\n"));
    }

    #[test]
    fn the_first_tag_of_a_project() {
        let bench = bench_on(
            "//- ProjectSettings/TagManager.asset\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!78 &1\nTagManager:\n  serializedVersion: 2\n  tags: []\n  layers:\n  - Default\n",
        );
        expect![[r#"
            --- a/ProjectSettings/TagManager.asset
            +++ b/ProjectSettings/TagManager.asset
            @@ -3,6 +3,7 @@
             --- !u!78 &1
             TagManager:
               serializedVersion: 2
            -  tags: []
            +  tags:
            +  - Enemy
               layers:
               - Default
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "tag": "Enemy" })));
    }
}
