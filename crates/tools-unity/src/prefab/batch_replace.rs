//! The tool `prefab.batchReplace`: Replace Prefab Instances.

use std::collections::HashSet;

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::FileId;
use scenewright_unity::edit::scene::{Editor, Replaced};
use scenewright_unity::index::{Asset, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::Unity;
use crate::base::editing::Several;

/// EditorMCP's own limit.
const MAX_INSTANCES: usize = 100;
/// More is counted, not told.
const MAX_TOLD: usize = 50;

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.batchReplace",
    title: "Replace Prefab Instances",
    keywords: "swap exchange instances of one prefab by another in scenes keep overrides transforms all placeholders levels",
    notes: Some(
        "All or nothing, with one undo. What does not fit the new prefab is told in dropped.",
    ),
    category: "prefab",
    tier: Tier::Tier3,
    safety: Safety::Destructive,
    examples: &[Example {
        description: "Make the lanterns of the main scene of the Unity sample golden",
        input: r#"{ "oldPrefabPath": "Assets/Prefabs/Lantern.prefab", "newPrefabPath": "Assets/Prefabs/GoldenLantern.prefab", "scenePaths": ["Assets/Scenes/Main.unity"] }"#,
        output: r#"{ "success": true, "oldPrefab": "Assets/Prefabs/Lantern.prefab", "newPrefab": "Assets/Prefabs/GoldenLantern.prefab", "replacedCount": 0, "preservedOverrides": 0, "dropped": [], "remarks": [], "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["replacedCount", "preservedOverrides", "dropped", "remarks", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Replace the instances of one prefab by another in scenes and prefabs. They stay where they are;
/// overrides that fit by object path and component class are kept.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The prefab whose instances are replaced.
    old_prefab_path: String,
    /// The prefab that they become instances of.
    new_prefab_path: String,
    /// The scenes; prefabs work, too.
    #[schemars(length(min = 1, max = 1000))]
    scene_paths: Vec<String>,
    /// More instances than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100))]
    max_instances: usize,
    /// Whether overrides that fit are kept; place and name always are.
    #[serde(default = "yes")]
    preserve_overrides: bool,
    /// Whether instances in the prefabs that those scenes use are replaced as well.
    #[serde(default)]
    nested: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    MAX_INSTANCES
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The prefab whose instances were replaced.
    old_prefab: String,
    /// The prefab that they are instances of now.
    new_prefab: String,
    /// How many instances were replaced.
    replaced_count: usize,
    /// How many overrides were kept, without place and name.
    preserved_overrides: usize,
    /// What did not fit and is gone, or was put elsewhere, by file.
    dropped: Vec<String>,
    /// What else is to be known.
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let old = prefab(&unity, &input.old_prefab_path)?;
    let new = prefab(&unity, &input.new_prefab_path)?;
    let (old_prefab, new_prefab) = (old.path(), new.path());
    let guid = old.guid().ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, format!("{old_prefab} has no .meta file"))
    })?;
    if old_prefab == new_prefab {
        let text = format!("{old_prefab} cannot be replaced by itself");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("nothing was changed"));
    }
    let mut paths = Vec::new();
    for path in &input.scene_paths {
        let asset = unity
            .asset(Some(path), None)
            .map_err(|error| ToolError { message: format!("Scene not found: {path}"), ..error })?;
        paths.push(asset.path());
    }
    let inner = inner_users(&unity, &paths, old);
    let mut remarks = Vec::new();
    match input.nested {
        true => paths.extend(inner.into_iter().filter(|path| *path != new_prefab)),
        false => remarks.extend(inner.into_iter().map(|path| {
            format!(
                "{path}, which is used there, has instances of it, too; nested: true replaces them"
            )
        })),
    }
    let keep = input.preserve_overrides;
    let change = |editor: &mut Editor<'_>| editor.replace_prefab(guid, &new_prefab, keep);
    let (several, done) = Several::edit(&unity, &paths, change)?;
    several.all_or_nothing("The instances of a file cannot be replaced")?;
    let replaced_count: usize = done.iter().map(|(_, replaced)| replaced.instances.len()).sum();
    let limit = input.max_instances.min(MAX_INSTANCES);
    if replaced_count > limit {
        let text =
            format!("Max instances limit exceeded: {replaced_count} instances, at most {limit}");
        let hint = "nothing was changed; name fewer scenes in each call";
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint(hint));
    }
    remarks.extend(done.iter().flat_map(|(path, replaced)| lost(&unity, path, replaced)));
    let written = several.commit(input.dry_run)?;
    Ok(Output {
        success: true,
        old_prefab,
        new_prefab,
        replaced_count,
        preserved_overrides: done.iter().map(|(_, replaced)| replaced.kept).sum(),
        dropped: told(&done),
        remarks,
        written,
    })
}

fn prefab<'u>(unity: &'u Unity<'_>, path: &str) -> Result<Asset<'u>, ToolError> {
    let asset = unity
        .asset(Some(path), None)
        .map_err(|error| ToolError { message: format!("Prefab not found: {path}"), ..error })?;
    match asset.kind() {
        AssetKind::Prefab => Ok(asset),
        _ => {
            let text = format!("Prefab not found: {path} is no prefab");
            Err(ToolError::new(ErrorKind::EngineError, text).hint("name a .prefab file"))
        }
    }
}

/// The prefabs that files use, however deep, and that have instances of `old` themselves.
fn inner_users(unity: &Unity<'_>, paths: &[String], old: Asset<'_>) -> Vec<String> {
    let mut seen: HashSet<String> = paths.iter().cloned().collect();
    let mut open: Vec<String> = paths.to_vec();
    let mut found = Vec::new();
    let old_path = old.path();
    while let Some(path) = open.pop() {
        let Ok(asset) = unity.asset(Some(&path), None) else { continue };
        let used = unity.direct_dependencies(asset);
        let is_user = used.contains(&old_path) && !paths.contains(&path) && path != old_path;
        // A variant is no instance in something: that would change what it is.
        if is_user && !is_variant(unity, &path) {
            found.push(path);
        }
        for inner in used.into_iter().filter(|path| path.ends_with(".prefab")) {
            if seen.insert(inner.clone()) {
                open.push(inner);
            }
        }
    }
    found.sort();
    found
}

fn is_variant(unity: &Unity<'_>, path: &str) -> bool {
    let Ok((_, hierarchy)) = unity.hierarchy(path) else { return false };
    hierarchy.roots().first().is_some_and(|root| root.outer_instance().is_some())
}

/// The files that override something inside of instances that were replaced in a prefab: the ids
/// that they use are those of the old one.
fn lost(unity: &Unity<'_>, path: &str, replaced: &Replaced) -> Vec<String> {
    let guid = unity.asset(Some(path), None).ok().and_then(|asset| asset.guid());
    let Some(guid) = guid.filter(|_| !replaced.lost.is_empty()) else { return Vec::new() };
    let ids: HashSet<FileId> = replaced.lost.iter().copied().collect();
    let mut told = Vec::new();
    for user in unity.index.incoming(guid) {
        let Ok(document) = user.document() else { continue };
        let count = document
            .references()
            .filter(|found| found.reference.guid == Some(guid))
            .filter(|found| ids.contains(&found.reference.file_id))
            .count();
        if count > 0 {
            let user = user.path();
            told.push(format!(
                "{user} changes {count} things inside of what was replaced in {path}; those overrides no longer apply"
            ));
        }
    }
    told
}

fn told(done: &[(String, Replaced)]) -> Vec<String> {
    let all = done.iter().flat_map(|(path, replaced)| {
        replaced.dropped.iter().map(move |what| format!("{path}: {what}"))
    });
    let mut told: Vec<String> = all.collect();
    let more = told.len().saturating_sub(MAX_TOLD);
    told.truncate(MAX_TOLD);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told
}

#[cfg(test)]
mod tests;
