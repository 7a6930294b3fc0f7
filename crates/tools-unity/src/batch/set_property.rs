//! The tool `batch.setProperty`: Set Property on Many Assets.

use std::collections::{BTreeSet, HashSet};

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, files, schema};
use scenewright_unity::edit::scene::{Editor, FileKind, Refusal};
use scenewright_unity::index::{Asset, Flags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::editing::{Several, given};
use crate::base::{InUnity, Unity};

/// As many as a call may ask for.
const MOST: usize = 10_000;
/// More remarks are counted, not told.
const MAX_REMARKS: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "batch.setProperty",
    title: "Set Property on Many Assets",
    keywords: "folder of prefabs lights bulk change same field value in several prefabs materials scenes scriptable objects mass edit all many every object set across files once",
    notes: Some("All or nothing, with one undo. Inside a prefab instance it becomes an override."),
    category: "batch",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Give both lanterns of the Unity sample another colour",
        input: r##"{ "assetPaths": ["Assets/Prefabs/Lantern.prefab", "Assets/Prefabs/GoldenLantern.prefab"], "componentType": "Light", "propertyPath": "m_Color", "value": "#ffd080" }"##,
        output: r#"{ "success": true, "modifiedCount": 2, "dryRun": false, "filesChanged": 2, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set the same field in many assets: prefabs, scenes, materials, ScriptableObjects.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The assets; a folder or a pattern such as `Assets/Prefabs/**/*.prefab` is every prefab, scene,
    /// material or asset there that has the component.
    #[schemars(length(min = 1, max = 10_000))]
    asset_paths: Vec<String>,
    /// Class of the component, short or full; of an asset without objects its own, such as
    /// `Material`; `GameObject` for fields of the object itself.
    component_type: String,
    /// Path of the object in each; by default the first with such a component in prefabs, and every
    /// one in scenes.
    hierarchy_path: Option<String>,
    /// Field: its path in files or its name in C#; a material's `_Color`.
    property_path: String,
    /// New value: any JSON; references as unity_edit takes them.
    #[serde(default, deserialize_with = "given")]
    #[schemars(schema_with = "schema::any_value", required)]
    value: Option<Value>,
    /// More assets than this are refused.
    #[serde(default = "usual")]
    #[schemars(range(min = 1, max = 10_000))]
    max_assets: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn usual() -> usize {
    50
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many assets are other than before.
    modified_count: usize,
    /// How many assets folders and patterns stand for; those without the component are among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_count: Option<usize>,
    /// What else is to be known, by asset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let value = input.value.clone();
    let value = value.ok_or_else(|| ToolError::bad_argument("value", "must be given"))?;
    let unity = cx.unity(input.project.as_deref())?;
    let Matched { paths, of_many, count: matched, gone } = expanded(&unity, &input.asset_paths)?;
    let (count, most) = (paths.len(), input.max_assets.min(MOST));
    if count > most {
        let text = format!("Asset count exceeds maxAssets limit: {count} assets, at most {most}");
        let hint = format!("pass maxAssets: {count}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint(hint));
    }
    for path in &input.asset_paths {
        if matched.is_some() && is_many(&unity, path) {
            continue;
        }
        unity.asset(Some(path), None).map_err(|error| {
            let text = format!("Invalid asset path: {path}");
            let invalid =
                ToolError::new(ErrorKind::EngineError, text).detail("path", path.as_str());
            invalid.hint(error.hint.unwrap_or(error.message))
        })?;
    }
    let change = |editor: &mut Editor<'_>| set(editor, &input, &value);
    let (mut several, done) = Several::edit(&unity, &paths, change)?;
    if !done.is_empty() {
        // Of a folder those are meant that have it.
        several
            .failed
            .retain(|failed| !of_many.contains(&failed.path) || !is_missing(&failed.error.message));
    }
    several.all_or_nothing(words(&several))?;
    let written = several.commit(input.dry_run)?;
    let modified_count = done.iter().filter(|(_, came_to)| came_to.changed).count();
    let said = done.iter().flat_map(|(path, came_to)| {
        came_to.remarks.iter().map(move |remark| format!("{path}: {remark}"))
    });
    let passed_over =
        gone.iter().map(|path| format!("{path}: passed over, only its .meta is there"));
    let remarks = told(passed_over.chain(said).collect());
    Ok(Output { success: true, modified_count, matched_count: matched, remarks, written })
}

/// No more remarks than an answer has room for.
fn told(mut remarks: Vec<String>) -> Vec<String> {
    let more = remarks.len().saturating_sub(MAX_REMARKS);
    remarks.truncate(MAX_REMARKS);
    if more > 0 {
        remarks.push(format!("and {more} more remarks"));
    }
    remarks
}

/// The catalogue has words of its own for the most usual reason.
fn words(several: &Several<'_>) -> &'static str {
    match several.failed.first() {
        Some(first) if is_missing(&first.error.message) => {
            "Component not found on one or more assets"
        }
        _ => "The property cannot be set on one or more assets",
    }
}

fn is_missing(message: &str) -> bool {
    message.contains("has a component") || message.contains("has no component")
}

/// What a call is about.
#[derive(Default)]
struct Matched {
    paths: Vec<String>,
    /// Those that a folder or a pattern stands for.
    of_many: HashSet<String>,
    /// How many these are, where there is any folder or pattern.
    count: Option<usize>,
    /// Those of which only the meta is there.
    gone: BTreeSet<String>,
}

/// Files that have fields to be set.
const KINDS: [&str; 4] = [".prefab", ".unity", ".mat", ".asset"];

fn expanded(unity: &Unity<'_>, asked: &[String]) -> Result<Matched, ToolError> {
    let mut found = Matched::default();
    for text in asked {
        if !is_many(unity, text) {
            found.paths.push(text.clone());
            continue;
        }
        let folder = text.trim_matches('/');
        let is_pattern = text.contains(['*', '?']);
        let pattern = if is_pattern { text.clone() } else { format!("{folder}/**") };
        let pattern = files::glob(&pattern)?;
        let is_meant =
            |path: &str| KINDS.iter().any(|end| path.ends_with(end)) && pattern.is_match(path);
        let is_gone = |asset: &Asset<'_>| asset.flags().contains(Flags::ASSET_MISSING);
        let assets = unity.index.assets().filter(|asset| is_meant(&asset.path()));
        let (gone, there): (Vec<_>, Vec<_>) = assets.partition(is_gone);
        found.gone.extend(gone.into_iter().map(Asset::path));
        let mut paths: Vec<String> = there.into_iter().map(Asset::path).collect();
        if paths.is_empty() {
            let message = format!("{text} has no prefab, scene, material or asset");
            return Err(ToolError::new(ErrorKind::EngineError, message)
                .hint("project_listFiles shows what is there"));
        }
        paths.sort();
        *found.count.get_or_insert(0) += paths.len();
        found.of_many.extend(paths.iter().cloned());
        found.paths.extend(paths);
    }
    Ok(found)
}

/// Whether a text stands for several assets: a folder, or a pattern.
fn is_many(unity: &Unity<'_>, text: &str) -> bool {
    let inside = text.trim_matches('/');
    let is_folder = || !inside.is_empty() && unity.project.root.join(inside).is_dir();
    text.contains(['*', '?']) && unity.index.by_path(inside).is_none()
        || inside.starts_with("Assets") && !inside.contains("..") && is_folder()
}

#[derive(Default)]
struct CameTo {
    changed: bool,
    remarks: Vec<String>,
}

fn set(editor: &mut Editor<'_>, input: &Input, value: &Value) -> Result<CameTo, Refusal> {
    let is_object = ["GameObject", "UnityEngine.GameObject"].contains(&&*input.component_type);
    let class = Some(&*input.component_type).filter(|_| !is_object);
    let targets: Vec<(String, Option<String>)> = match (&input.hierarchy_path, class) {
        (Some(path), class) if editor.kind() != FileKind::Asset => {
            vec![(path.clone(), class.map(str::to_owned))]
        }
        (_, None) => vec![(editor.root_path()?, None)],
        (_, Some(class)) => {
            let mut all = editor.all_with(class)?;
            if editor.kind() == FileKind::Prefab {
                all.truncate(1);
            }
            all.into_iter().map(|(object, component)| (object, Some(component))).collect()
        }
    };
    let mut came_to = CameTo::default();
    for (object, component) in targets {
        let done = editor.set(Some(&object), component.as_deref(), &input.property_path, value)?;
        came_to.changed |= done.changed;
        came_to.remarks.extend(done.remarks);
    }
    came_to.remarks.sort();
    came_to.remarks.dedup();
    Ok(came_to)
}

#[cfg(test)]
mod tests;
