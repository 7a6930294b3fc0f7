//! The tool `prefab.createVariant`: Create Prefab Variant.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::assets::NewFiles;
use crate::base::classes::ProjectClasses;
use crate::base::editing::{self, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.createVariant",
    title: "Create Prefab Variant",
    keywords: "derive prefab inherit variant of base prefab new variation derived version stronger enemy other colour",
    notes: Some("unity_edit changes what is other in the variant."),
    category: "prefab",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a variant of the lantern of the Unity sample",
        input: r#"{ "basePrefabPath": "Assets/Prefabs/Lantern.prefab", "variantPath": "Assets/Prefabs/BlueLantern.prefab" }"#,
        output: r#"{ "success": true, "variantPath": "Assets/Prefabs/BlueLantern.prefab", "guid": "", "dryRun": false, "filesChanged": 2, "changes": [] }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a variant of a prefab: it has everything of its base, and what is changed in it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The prefab that it is a variant of.
    base_prefab_path: String,
    /// Where the variant comes.
    variant_path: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The variant.
    variant_path: String,
    /// Its guid.
    guid: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let base = unity.asset(Some(&input.base_prefab_path), None)?;
    let base = base.guid().ok_or_else(|| ToolError::failed("the prefab has no .meta file"))?;
    let place = super::prefab_place(&unity, &input.variant_path)?;
    let name = place.parts().last().unwrap_or_default();
    let name = name.strip_suffix(".prefab").unwrap_or(name);
    let classes = ProjectClasses::new(&unity);
    let project = editing::engine_project(&unity, &classes);
    let content = Editor::variant(project, base, name).map_err(refused)?;
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &place, content)?.unwrap_or_default();
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    let (variant_path, guid) = (place.to_string(), guid.to_string());
    Ok(Output { success: true, variant_path, guid, written })
}
