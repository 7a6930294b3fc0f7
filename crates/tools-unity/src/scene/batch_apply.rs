//! The tool `scene.batchApply`: Apply to Many Scenes.

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::Guid;
use scenewright_unity::edit::scene::{Classes, Editor, FromInstances, Given, Match, Refusal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::Unity;
use crate::base::classes::ProjectClasses;
use crate::base::editing::Several;
use crate::base::layers::Layer;

/// EditorMCP's own limit.
const MAX_SCENES: usize = 10;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.batchApply",
    title: "Apply to Many Scenes",
    keywords: "bulk change layer tag of all matching objects in several scenes apply prefab overrides mass edit same many levels",
    notes: Some(
        "One change with one undo; a scene that fails is left out, unless continueOnError is false.",
    ),
    category: "scene",
    tier: Tier::Tier3,
    safety: Safety::Destructive,
    examples: &[Example {
        description: "Put every light of both scenes of the Unity sample on a layer",
        input: r#"{ "scenes": ["Assets/Scenes/Main.unity", "Assets/Scenes/Cellar.unity"], "operation": "setLayer", "params": { "match": { "componentType": "Light" }, "layer": "Interactable" } }"#,
        output: r#"{ "success": true, "scenesProcessed": 2, "objectsAffected": 0, "summary": { "completed": 2, "failed": 0 }, "errors": [], "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["objectsAffected", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Apply one operation to matching objects in several scenes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The scenes; prefabs work, too.
    #[schemars(length(min = 1, max = 100))]
    scenes: Vec<String>,
    /// What to do: setLayer, setTag, applyPrefabOverride (values that instances override become
    /// their prefabs'), clearConsole (there is none without an editor).
    operation: String,
    /// Which objects, and what they get.
    params: Params,
    /// More scenes than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 10))]
    max_scenes: usize,
    /// Whether the other scenes are changed when one cannot be.
    #[serde(default = "yes")]
    continue_on_error: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// Which objects, and what they get.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Params {
    /// What the objects have in common: one of tag, layer and componentType.
    #[serde(rename = "match")]
    matching: Option<Wanted>,
    /// The new tag, for setTag.
    tag: Option<String>,
    /// The new layer, for setLayer: its number or name.
    layer: Option<Layer>,
    /// Whether everything below a matching object is meant as well.
    #[serde(default)]
    recursive: bool,
}

/// What objects have in common.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Wanted {
    /// Their tag.
    tag: Option<String>,
    /// Their layer: its number or name.
    layer: Option<Layer>,
    /// A class of their components, short or full.
    component_type: Option<String>,
}

fn most() -> usize {
    MAX_SCENES
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether every scene could be changed.
    success: bool,
    /// How many scenes were looked at.
    scenes_processed: usize,
    /// How many objects are other than before; for applyPrefabOverride, how many values.
    objects_affected: usize,
    /// How it went.
    summary: Summary,
    /// The scenes that could not be changed, and why.
    errors: Vec<SceneError>,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Summary {
    /// Scenes that were done.
    completed: usize,
    /// Scenes that could not be changed.
    failed: usize,
}

#[derive(Serialize, JsonSchema)]
struct SceneError {
    /// The scene as it was named.
    scene: String,
    /// Why not.
    error: String,
}

/// What is done to each scene.
enum Step {
    SetLayer(u32),
    SetTag(String),
    Apply,
}

/// What came of one scene.
#[derive(Default)]
struct CameTo {
    affected: usize,
    remarks: Vec<String>,
    given: Vec<(Guid, Given)>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let most = input.max_scenes.min(MAX_SCENES);
    if input.scenes.len() > most {
        let count = input.scenes.len();
        let text = format!("Max scenes limit exceeded: {count} scenes, at most {most}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("call several times"));
    }
    let step = step(&unity, &input)?;
    let what = matching(&unity, input.params.matching.as_ref())?;
    let below = input.params.recursive;
    let change = |editor: &mut Editor<'_>| apply(editor, &step, &what, below);
    let (mut several, done) = Several::edit(&unity, &input.scenes, change)?;
    if !input.continue_on_error {
        several.all_or_nothing("A scene cannot be changed")?;
    }
    let mut affected: usize = done.iter().map(|(_, came_to)| came_to.affected).sum();
    let mut remarks: Vec<String> = Vec::new();
    let mut given: BTreeMap<Guid, Vec<Given>> = BTreeMap::new();
    for (path, came_to) in &done {
        remarks.extend(came_to.remarks.iter().map(|remark| format!("{path}: {remark}")));
        for (guid, value) in &came_to.given {
            given.entry(*guid).or_default().push(value.clone());
        }
    }
    affected += several.give(&given)?;
    remarks.truncate(50);
    let errors: Vec<SceneError> = several
        .failed
        .iter()
        .map(|failed| SceneError {
            scene: failed.path.clone(),
            error: failed.error.message.clone(),
        })
        .collect();
    let written = several.commit(input.dry_run)?;
    Ok(Output {
        success: errors.is_empty(),
        scenes_processed: input.scenes.len(),
        objects_affected: affected,
        summary: Summary { completed: done.len(), failed: errors.len() },
        errors,
        remarks,
        written,
    })
}

fn step(unity: &Unity<'_>, input: &Input) -> Result<Step, ToolError> {
    let missing = |name: &str| {
        let text = format!("{} needs params.{name}", input.operation);
        ToolError::new(ErrorKind::BadArguments, text)
            .hint("which objects are meant stands apart, in params.match")
    };
    match input.operation.as_str() {
        "setLayer" => {
            let wanted = input.params.layer.as_ref().ok_or_else(|| missing("layer"))?;
            Ok(Step::SetLayer(wanted.number(unity)?))
        }
        "setTag" => {
            let tag = input.params.tag.as_ref().ok_or_else(|| missing("tag"))?;
            known_tag(unity, tag)?;
            Ok(Step::SetTag(tag.clone()))
        }
        "applyPrefabOverride" => Ok(Step::Apply),
        "clearConsole" => {
            let text = "clearConsole clears the console of a running editor, and none is here";
            Err(ToolError::new(ErrorKind::NotReady, text)
                .hint("the other operations work from files"))
        }
        other => {
            let known = ["setLayer", "setTag", "applyPrefabOverride", "clearConsole"];
            let text = format!("Invalid operation: {other}");
            let otherwise = format!("they are {}", known.join(", "));
            Err(ToolError::new(ErrorKind::BadArguments, text)
                .hint(suggest::did_you_mean(other, known, &otherwise)))
        }
    }
}

fn matching(unity: &Unity<'_>, wanted: Option<&Wanted>) -> Result<Match, ToolError> {
    let none = || {
        ToolError::new(ErrorKind::BadArguments, "params.match says what the objects have in common")
            .hint(
                r#"pass one of {"tag": …}, {"layer": …} and {"componentType": …} as params.match"#,
            )
    };
    let wanted = wanted.ok_or_else(none)?;
    match (&wanted.tag, &wanted.layer, &wanted.component_type) {
        (Some(tag), None, None) => {
            known_tag(unity, tag)?;
            Ok(Match::Tag(tag.clone()))
        }
        (None, Some(wanted), None) => Ok(Match::Layer(wanted.number(unity)?)),
        (None, None, Some(class)) => Ok(Match::Component(class.clone())),
        _ => Err(none()),
    }
}

fn known_tag(unity: &Unity<'_>, tag: &str) -> Result<(), ToolError> {
    let known = ProjectClasses::new(unity).tags();
    if known.is_empty() || known.iter().any(|one| one == tag) {
        return Ok(());
    }
    let names = known.iter().map(String::as_str);
    Err(ToolError::not_found("tag", tag).hint(suggest::did_you_mean(
        tag,
        names,
        "nothing was changed",
    )))
}

fn apply(
    editor: &mut Editor<'_>,
    step: &Step,
    what: &Match,
    below: bool,
) -> Result<CameTo, Refusal> {
    let matched = editor.matching(what, below);
    let left_out = matched.left_out.iter().map(|path| format!("{path} cannot be changed here"));
    let mut remarks: Vec<String> = left_out.collect();
    let (mut affected, mut given) = (0, Vec::new());
    match step {
        Step::SetLayer(layer) => affected = editor.set_layer(&matched, *layer)?,
        Step::SetTag(tag) => affected = editor.set_tag(&matched, tag)?,
        Step::Apply => {
            let from: FromInstances = editor.give_overrides(&matched)?;
            remarks.extend(from.kept);
            given = from.given;
        }
    }
    if matched.is_empty() {
        remarks.push("no object matches".to_owned());
    }
    Ok(CameTo { affected, remarks, given })
}

#[cfg(test)]
mod tests;
