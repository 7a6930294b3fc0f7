//! The tool `asset.create`: Create Asset.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::{New, NewObject, fresh, new_file};
use scenewright_unity::{ClassId, FileId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::assets::{NewFiles, ending, stem};
use crate::base::editing::with_values;
use crate::base::{InUnity, Unity};

/// What files of Unity's own kinds end in, and the class of what is in them.
const KINDS: [(&str, ClassId); 5] = [
    ("physicMaterial", ClassId(134)),
    ("physicsMaterial", ClassId(134)),
    ("physicsMaterial2D", ClassId(62)),
    ("renderTexture", ClassId(84)),
    ("overrideController", ClassId(221)),
];
/// Other endings, and who makes such files.
const ELSEWHERE: [(&str, &str); 13] = [
    ("mat", "material_create"),
    ("anim", "animation_clip_create"),
    ("controller", "animator_controller_create"),
    ("asset", "sobj_create"),
    ("prefab", "prefab_create"),
    ("playable", "timeline_create"),
    ("cs", "script_create"),
    ("uxml", "ui_createDocument"),
    ("txt", "project_writeFile"),
    ("json", "project_writeFile"),
    ("uss", "project_writeFile"),
    ("shader", "project_writeFile"),
    ("asmdef", "project_writeFile"),
];

pub(crate) const TOOL: Tool = Tool {
    id: "asset.create",
    keywords: "new physics material bouncy friction render texture animator override controller make asset",
    title: "Create Asset",
    category: "asset",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A physics material for ice in the Unity sample",
        input: r#"{ "project": "unity", "path": "Assets/Ice.physicMaterial", "values": { "dynamicFriction": 0.05 } }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Ice.physicMaterial",
            "guid": "",
            "class": "PhysicMaterial",
            "fields": ["m_Name", "dynamicFriction", "staticFriction", "bounciness", "frictionCombine", "bounceCombine"],
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create an asset of one of Unity's own kinds, with what Unity gives a new one and values of your own:
/// physics materials (`.physicMaterial`, `.physicsMaterial2D`), render textures (`.renderTexture`) and
/// animator override controllers (`.overrideController`).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Where it will be, such as `Assets/Ice.physicMaterial`; the ending says what it is.
    path: String,
    /// Values by field, as C# or the file names them.
    #[serde(default)]
    values: Map<String, Value>,
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
    /// The class, as this version of Unity calls it.
    class: String,
    /// The fields that it has, in order.
    fields: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    let class = class(path.as_str())?;
    unity.must_be_new(&path)?;
    let (object, fields) = object(&unity, class, stem(path.as_str()))?;
    let key = object.key.clone();
    let text = new_file(&object, unity.unity.settings.habits());
    let content = with_values(&unity, text, &input.values)?;
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, content)?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let guid = guid.map(|guid| guid.to_string()).unwrap_or_default();
    Ok(Output { success: true, path: path.to_string(), guid, class: key, fields, written })
}

/// The class of what a file of this name is for.
fn class(path: &str) -> Result<ClassId, ToolError> {
    let own = ending(path);
    let known = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(own));
    known.map(|(_, class)| *class).ok_or_else(|| {
        let other = ELSEWHERE.iter().find(|(known, _)| known.eq_ignore_ascii_case(own));
        let text = match other {
            Some((_, tool)) => format!("ends with .{own}, and {tool} makes such files"),
            None => format!("must end with .{}", KINDS.map(|(known, _)| known).join(", .")),
        };
        ToolError::bad_argument("path", &text)
    })
}

/// A new object of a class, and the names of what it has besides what all have.
fn object(
    unity: &Unity<'_>,
    class: ClassId,
    name: &str,
) -> Result<(NewObject, Vec<String>), ToolError> {
    let unknown = || {
        let text = format!("Unity {} has no such assets", unity.unity.settings.version);
        ToolError::new(ErrorKind::EngineError, text)
    };
    let mut fields = fresh::native(class, unity.version()).ok_or_else(unknown)?;
    fresh::put(&mut fields, "m_Name", New::Text(name.to_owned()));
    let is_common = |key: &str| {
        key.starts_with("m_Prefab")
            || matches!(
                key,
                "m_ObjectHideFlags" | "m_CorrespondingSourceObject" | "serializedVersion"
            )
    };
    let names = fields.iter().map(|(key, _)| key.clone()).filter(|key| !is_common(key)).collect();
    let key = fresh::key(class, unity.version()).ok_or_else(unknown)?.to_owned();
    let id = FileId(i64::from(class.0) * 100_000);
    Ok((NewObject { class, id, key, stripped: false, fields }, names))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn assets_are_as_unity_makes_them() {
        let bench = bench();
        let made = |path: &str, values: serde_json::Value| {
            bench.call(super::TOOL.id, json!({ "path": path, "values": values })).unwrap();
            bench.read(path)
        };
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!134 &13400000
            PhysicMaterial:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Ball
              dynamicFriction: 0.6
              staticFriction: 0.6
              bounciness: 0.9
              frictionCombine: 0
              bounceCombine: 3
        "#]]
        .assert_eq(&made(
            "Assets/Ball.physicMaterial",
            json!({ "bounciness": 0.9, "bounceCombine": 3 }),
        ));
        assert!(
            bench.read("Assets/Ball.physicMaterial.meta").contains("mainObjectFileID: 13400000\n")
        );
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!62 &6200000
            PhysicsMaterial2D:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Ice
              friction: 0
              bounciness: 0
        "#]]
        .assert_eq(&made("Assets/Ice.physicsMaterial2D", json!({ "friction": 0 })));
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!84 &8400000
            RenderTexture:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Mirror
              m_ImageContentsHash:
                serializedVersion: 2
                Hash: 00000000000000000000000000000000
              m_ForcedFallbackFormat: 4
              m_DownscaleFallback: 0
              m_IsAlphaChannelOptional: 0
              serializedVersion: 5
              m_Width: 512
              m_Height: 512
              m_AntiAliasing: 1
              m_MipCount: -1
              m_DepthStencilFormat: 94
              m_ColorFormat: 8
              m_MipMap: 0
              m_GenerateMips: 1
              m_SRGB: 0
              m_UseDynamicScale: 0
              m_BindMS: 0
              m_EnableCompatibleFormat: 1
              m_EnableRandomWrite: 0
              m_TextureSettings:
                serializedVersion: 2
                m_FilterMode: 1
                m_Aniso: 0
                m_MipBias: 0
                m_WrapU: 1
                m_WrapV: 1
                m_WrapW: 1
              m_Dimension: 2
              m_VolumeDepth: 1
              m_ShadowSamplingMode: 2
        "#]]
        .assert_eq(&made(
            "Assets/Mirror.renderTexture",
            json!({ "m_Width": 512, "m_Height": 512 }),
        ));
        bench
            .call("animator.controller.create", json!({ "path": "Assets/Hero.controller" }))
            .unwrap();
        let override_controller = made(
            "Assets/Elf.overrideController",
            json!({ "m_Controller": "Assets/Hero.controller" }),
        );
        let guid = bench.read("Assets/Hero.controller.meta");
        let guid = guid.lines().nth(1).unwrap().replace("guid: ", "");
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!221 &22100000
            AnimatorOverrideController:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Elf
              m_Controller: {fileID: 9100000, guid: (guid of the controller), type: 2}
              m_Clips: []
        "#]]
        .assert_eq(&override_controller.replace(&guid, "(guid of the controller)"));
    }

    #[test]
    fn what_others_make_and_what_is_unknown_is_told() {
        let bench = bench();
        let error = |path: &str, values: serde_json::Value| {
            bench.error(super::TOOL.id, json!({ "path": path, "values": values }))
        };
        let errors = [
            error("Assets/A.mat", json!({})),
            error("Assets/A.xyz", json!({})),
            error("Assets/A.physicMaterial", json!({ "bouncyness": 1 })),
            error("Assets/A.physicMaterial", json!({ "bounciness": "much" })),
            error(
                "Assets/A.overrideController",
                json!({ "m_Controller": "Assets/Materials/Stone.mat" }),
            ),
        ];
        expect![[r#"
            Invalid tool arguments: path ends with .mat, and material_create makes such files
            Invalid tool arguments: path must end with .physicMaterial, .physicsMaterial, .physicsMaterial2D, .renderTexture, .overrideController
            PhysicsMaterial has no field bouncyness; did you mean bounciness?
            bounciness of PhysicsMaterial: the field takes a number, and not "much"; nothing was changed
            m_Controller of AnimatorOverrideController: the field takes a RuntimeAnimatorController, and Assets/Materials/Stone.mat is a Material; nothing was changed"#]].assert_eq(&errors.join("\n"));
    }
}
