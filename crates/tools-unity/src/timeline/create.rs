//! The tool `timeline.create`: Create Timeline.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use scenewright_unity::timeline::{director_fields, new_asset};
use scenewright_unity::{FileId, Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DIRECTOR_KEY, PACKAGE, object_id, tell_package};
use crate::base::assets::NewFiles;
use crate::base::draft::{self, SceneDraft};
use crate::base::{InUnity, Unity};

/// The main object of every asset of this kind.
const MAIN: FileId = FileId(11_400_000);

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.create",
    keywords: "new timeline asset playable cutscene sequence director component cinematic intro movie",
    title: "Create Timeline",
    notes: Some(
        "The director is added to an object of the scene itself, not to one inside of a prefab instance.",
    ),
    category: "timeline",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a Timeline in the Unity sample, and let an object of its scene play it",
        input: r#"{ "project": "unity", "path": "Assets/Timelines/Intro.playable", "scenePath": "Assets/Scenes/Cellar.unity", "objectPath": "Drip Sound" }"#,
        output: r#"{
            "success": true,
            "timelinePath": "Assets/Timelines/Intro.playable",
            "directorPath": "Drip Sound",
            "dryRun": false,
            "filesChanged": 4,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a new Timeline asset, and let an object of a scene play it with a PlayableDirector.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The new file, such as `Assets/Timelines/Intro.playable`.
    path: String,
    /// Frames per second that the editor snaps to.
    #[serde(default = "usual_rate")]
    #[schemars(range(min = 1, max = 1000))]
    frame_rate: f64,
    /// Scene with the object; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Object that gets a PlayableDirector for it; none by default.
    object_path: Option<String>,
    /// Whether the director plays when the scene starts.
    #[serde(default = "yes")]
    play_on_awake: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn usual_rate() -> f64 {
    60.0
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    timeline_path: String,
    /// The object that plays it, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    director_path: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let path = ProjectPath::parse(project, &input.path)?;
    let stem = path.as_str().rsplit('/').next().and_then(|name| name.strip_suffix(".playable"));
    let Some(stem) = stem.filter(|stem| !stem.is_empty() && path.as_str().starts_with("Assets/"))
    else {
        let problem = "must be a file below Assets/ that ends in .playable";
        return Err(ToolError::bad_argument("path", problem));
    };
    if unity.index.by_path(path.as_str()).is_some() {
        return Err(ToolError::new(ErrorKind::EngineError, format!("{path} is there already"))
            .hint("choose another path, or add tracks to it with timeline_createTrack"));
    }
    let content = new_asset(stem, input.frame_rate, knows_preview(&unity));
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, content.into_bytes())?.unwrap_or_default();
    let mut plan = Plan::new(project);
    files.put(&mut plan);
    let scene = match input.object_path.as_deref() {
        Some(object) => Some(with_director(&unity, project, &input, object, guid)?),
        None => None,
    };
    if let Some((scene, _)) = &scene {
        scene.file.add_to(&mut plan);
    }
    let written = draft::commit_plan(cx, project, plan, input.dry_run)?;
    tell_package(cx, &unity);
    let director_path = scene.map(|(_, path)| path);
    Ok(Output { success: true, timeline_path: path.to_string(), director_path, written })
}

/// Whether the package has the setting for previews: since 1.6, which came with 2021.
fn knows_preview(unity: &Unity<'_>) -> bool {
    let package = unity.index.package(PACKAGE);
    let version = package.and_then(|package| package.version.as_deref().map(numbers));
    match version {
        Some(version) => version >= (1, 6),
        None => unity.unity.settings.version.release().is_some_and(|release| release >= (2021, 1)),
    }
}

fn numbers(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

fn with_director<'u>(
    unity: &'u Unity<'u>,
    project: &Project,
    input: &Input,
    object: &str,
    guid: Guid,
) -> Result<(SceneDraft<'u>, String), ToolError> {
    let mut scene = SceneDraft::open(unity, project, input.scene_path.clone())?;
    let missing = format!("GameObject not found: {object}");
    let node = unity.object(scene.hierarchy(), object, &missing)?;
    let (class, key) = DIRECTOR_KEY;
    let path = node.path();
    if node.components().iter().any(|component| component.class_id() == class) {
        let text = format!("{path} has a {key} already, and may have one only");
        return Err(ToolError::new(ErrorKind::EngineError, text).hint("choose another objectPath"));
    }
    let id = object_id(&node).ok_or_else(|| {
        ToolError::failed(format!("{path} is inside of a source that cannot be read"))
    })?;
    let timeline = Reference { file_id: MAIN, guid: Some(guid), kind: 2 };
    scene.add_component(id, class, key, director_fields(timeline, input.play_on_awake))?;
    Ok((scene, path))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_timeline_comes_with_its_meta_and_a_director() {
        let bench = bench();
        let arguments = json!({
            "path": "Assets/Timelines/Intro.playable",
            "scenePath": "Assets/Scenes/Cellar.unity", "objectPath": "Drip Sound",
        });
        let diff = bench.diff(super::TOOL.id, arguments.clone());
        let guid = bench.read("Assets/Timelines/Intro.playable.meta")[26..60].to_owned();
        let folder = bench.read("Assets/Timelines.meta")[26..60].to_owned();
        expect![[r#"
            --- /dev/null
            +++ b/Assets/Timelines.meta
            @@ -0,0 +1,8 @@
            +fileFormatVersion: 2
            +guid: FOLDER
            +folderAsset: yes
            +DefaultImporter:
            +  externalObjects: {}
            +  userData: 
            +  assetBundleName: 
            +  assetBundleVariant: 
            --- /dev/null
            +++ b/Assets/Timelines/Intro.playable
            @@ -0,0 +1,22 @@
            +%YAML 1.1
            +%TAG !u! tag:unity3d.com,2011:
            +--- !u!114 &11400000
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: bfda56da833e2384a9677cd3c976a436, type: 3}
            +  m_Name: Intro
            +  m_EditorClassIdentifier: 
            +  m_Version: 0
            +  m_Tracks: []
            +  m_FixedDuration: 0
            +  m_EditorSettings:
            +    m_Framerate: 60
            +    m_ScenePreview: 1
            +  m_DurationMode: 0
            +  m_MarkerTrack: {fileID: 0}
            --- /dev/null
            +++ b/Assets/Timelines/Intro.playable.meta
            @@ -0,0 +1,8 @@
            +fileFormatVersion: 2
            +guid: GUID
            +NativeFormatImporter:
            +  externalObjects: {}
            +  mainObjectFileID: 11400000
            +  userData: 
            +  assetBundleName: 
            +  assetBundleVariant: 
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -123,6 +123,23 @@
                 debug:
                   m_Flags: 0
               m_NavMeshData: {fileID: 0}
            +--- !u!320 &203101520
            +PlayableDirector:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 634486858}
            +  m_Enabled: 1
            +  serializedVersion: 3
            +  m_PlayableAsset: {fileID: 11400000, guid: GUID, type: 2}
            +  m_InitialState: 1
            +  m_WrapMode: 2
            +  m_DirectorUpdateMode: 1
            +  m_InitialTime: 0
            +  m_SceneBindings: []
            +  m_ExposedReferences:
            +    m_References: []
             --- !u!1 &634486858
             GameObject:
               m_ObjectHideFlags: 0
            @@ -133,6 +150,7 @@
               m_Component:
               - component: {fileID: 634486859}
               - component: {fileID: 634486860}
            +  - component: {fileID: 203101520}
               m_Layer: 0
               m_Name: Drip Sound
               m_TagString: Untagged
        "#]]
        .assert_eq(&diff.replace(&folder, " FOLDER\n").replace(guid.trim(), "GUID"));
        expect!["Assets/Timelines/Intro.playable is there already; choose another path, or add tracks to it with timeline_createTrack"].assert_eq(&bench.error(super::TOOL.id, arguments));
        let director = json!({
            "path": "Assets/Other.playable",
            "scenePath": "Assets/Scenes/Cellar.unity", "objectPath": "Drip Sound",
        });
        expect!["Drip Sound has a PlayableDirector already, and may have one only; choose another objectPath"].assert_eq(&bench.error(super::TOOL.id, director));
        let elsewhere = json!({ "path": "Assets/Other.asset" });
        expect!["Invalid tool arguments: path must be a file below Assets/ that ends in .playable"]
            .assert_eq(&bench.error(super::TOOL.id, elsewhere));
        bench.undo();
        assert!(!bench.has("Assets/Timelines/Intro.playable"));
    }
}
