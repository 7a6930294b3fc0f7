//! The tool `animation.clip.create`: Create Animation Clip.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::animation::new_clip;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::assets::{NewFiles, stem};

pub(crate) const TOOL: Tool = Tool {
    id: "animation.clip.create",
    keywords: "new animation clip anim loop frame rate keyframes",
    argument_aliases: &[("clipPath", "path"), ("loopTime", "loop")],
    title: "Create Animation Clip",
    category: "animation",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A clip that repeats for the Unity sample",
        input: r#"{ "project": "unity", "path": "Assets/Animation/Swing.anim", "loop": true }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Animation/Swing.anim",
            "guid": "",
            "dryRun": false,
            "filesChanged": 3,
            "changes": []
        }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create an animation clip without curves; animation_clip_setCurve adds them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Where it will be, such as `Assets/Animation/Swing.anim`.
    path: String,
    /// It begins again at its end.
    #[serde(default)]
    r#loop: bool,
    /// Frames per second.
    #[serde(default = "sixty")]
    #[schemars(range(min = 1, max = 1000))]
    sample_rate: f32,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// The guid that it got.
    guid: String,
    #[serde(flatten)]
    written: Written,
}

fn sixty() -> f32 {
    60.0
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    if !path.as_str().ends_with(".anim") {
        return Err(ToolError::bad_argument("path", "must end with .anim"));
    }
    unity.must_be_new(&path)?;
    let (version, habits) = (unity.version(), unity.unity.settings.habits());
    let name = stem(path.as_str());
    let text = new_clip(name, input.sample_rate, input.r#loop, version, habits);
    let text = text.ok_or_else(|| {
        let text = format!("clips of Unity {} are not written here", unity.unity.settings.version);
        ToolError::new(ErrorKind::EngineError, text)
    })?;
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, text.into_bytes())?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let guid = guid.map(|guid| guid.to_string()).unwrap_or_default();
    Ok(Output { success: true, path: path.to_string(), guid, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_clip_is_as_unity_writes_it() {
        let bench = bench();
        let arguments = json!({ "path": "Assets/Swing.anim", "loop": true, "sampleRate": 30 });
        bench.call(super::TOOL.id, arguments.clone()).unwrap();
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!74 &7400000
            AnimationClip:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Swing
              serializedVersion: 7
              m_Legacy: 0
              m_Compressed: 0
              m_UseHighQualityCurve: 1
              m_RotationCurves: []
              m_CompressedRotationCurves: []
              m_EulerCurves: []
              m_PositionCurves: []
              m_ScaleCurves: []
              m_FloatCurves: []
              m_PPtrCurves: []
              m_SampleRate: 30
              m_WrapMode: 0
              m_Bounds:
                m_Center: {x: 0, y: 0, z: 0}
                m_Extent: {x: 0, y: 0, z: 0}
              m_ClipBindingConstant:
                genericBindings: []
                pptrCurveMapping: []
              m_AnimationClipSettings:
                serializedVersion: 2
                m_AdditiveReferencePoseClip: {fileID: 0}
                m_AdditiveReferencePoseTime: 0
                m_StartTime: 0
                m_StopTime: 1
                m_OrientationOffsetY: 0
                m_Level: 0
                m_CycleOffset: 0
                m_HasAdditiveReferencePose: 0
                m_LoopTime: 1
                m_LoopBlend: 0
                m_LoopBlendOrientation: 0
                m_LoopBlendPositionY: 0
                m_LoopBlendPositionXZ: 0
                m_KeepOriginalOrientation: 0
                m_KeepOriginalPositionY: 1
                m_KeepOriginalPositionXZ: 0
                m_HeightFromFeet: 0
                m_Mirror: 0
              m_EditorCurves: []
              m_EulerEditorCurves: []
              m_HasGenericRootTransform: 0
              m_HasMotionFloatCurves: 0
              m_Events: []
        "#]]
        .assert_eq(&bench.read("Assets/Swing.anim"));
        assert!(bench.read("Assets/Swing.anim.meta").contains("mainObjectFileID: 7400000\n"));
        let errors = [
            bench.error(super::TOOL.id, arguments),
            bench.error(super::TOOL.id, json!({ "path": "Assets/Swing.controller" })),
        ];
        expect![[r#"
            Assets/Swing.anim exists already; nothing was changed; choose another path, or delete it first with asset_delete
            Invalid tool arguments: path must end with .anim"#]].assert_eq(&errors.join("\n"));
    }
}
