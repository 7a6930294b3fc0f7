//! The tool `material.create`: Create Material.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::material::{MAIN_ID, Setting, new_file};
use scenewright_unity::{Document, RenderPipeline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::{NewFiles, stem};
use crate::base::materials::{Scope, Values, change};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "material.create",
    keywords: "new make add material mat shader color colour texture albedo urp hdrp standard lit unlit emission shiny metal glass transparent red look surface",
    argument_aliases: &[("shaderName", "shader")],
    title: "Create Material",
    notes: Some(
        "Of the shaders of Unity and its pipelines the properties are written that all versions have, unless the package's source is in the project; the shader's defaults hold for the others.",
    ),
    category: "material",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A red, shining material for the Unity sample",
        input: r#"{ "path": "Assets/Materials/Ruby.mat", "shader": "Standard", "properties": { "_Color": [0.8, 0, 0.1, 1], "_Glossiness": 0.9 } }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Materials/Ruby.mat",
            "guid": "",
            "shader": "Standard",
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

/// Create a material with a shader, its properties and keywords. The shader is named as in Unity
/// (`Standard`, `Universal Render Pipeline/Lit`, one of the project's own) or by the path of its
/// file; without one it is the lit shader of the project's pipeline.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Where it will be, such as `Assets/Materials/Ruby.mat`.
    path: String,
    /// Name of the shader, or the path of its `.shader` or `.shadergraph` file.
    shader: Option<String>,
    #[serde(flatten)]
    values: Values,
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
    /// The name of its shader.
    shader: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    if !path.as_str().to_ascii_lowercase().ends_with(".mat") {
        return Err(ToolError::bad_argument("path", "must end with .mat"));
    }
    unity.must_be_new(&path)?;
    let wanted = input.shader.as_deref().unwrap_or_else(|| usual(&unity));
    let chosen = unity.find_shader(wanted)?;
    let defaults: Vec<(&str, Setting)> =
        chosen.shader.properties.iter().map(|own| (own.name.as_str(), own.default)).collect();
    let version = &unity.unity.settings.version;
    let text = new_file(stem(path.as_str()), chosen.reference, &defaults, version);
    let text = text.ok_or_else(|| {
        let message = format!("materials of Unity {version} are not written here");
        ToolError::new(ErrorKind::EngineError, message).hint("Unity 5 and later is")
    })?;
    let document = Document::parse(unity.with_asset_version(text, &chosen));
    let object =
        document.object(MAIN_ID).ok_or_else(|| ToolError::failed("no material was made"))?;
    let settings = unity.settings(object, Some(&chosen), &input.values)?;
    let mut edits = Edits::default();
    let scope = Scope::Shader;
    change(&document, object, Some(&chosen), &settings, &input.values, scope, &mut edits)?;
    let content =
        edits.apply(document.as_bytes()).map_err(|error| ToolError::failed(error.to_string()))?;
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, content)?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        guid: guid.map(|guid| guid.to_string()).unwrap_or_default(),
        shader: chosen.name,
        written,
    })
}

/// The lit shader of the pipeline that the project uses.
fn usual(unity: &Unity<'_>) -> &'static str {
    match unity.unity.settings.facts().map(|facts| facts.render_pipeline) {
        Ok(RenderPipeline::Urp) => "Universal Render Pipeline/Lit",
        Ok(RenderPipeline::Hdrp) => "HDRP/Lit",
        _ => "Standard",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    const OWN: &str = "//- Assets/Water.shader\nShader \"Game/Water\" { Properties {\n _MainTex (\"T\", 2D) = \"white\" {}\n _Depth (\"D\", Float) = 2\n _Tint (\"C\", Color) = (0,0,1,1)\n } }\n\
        //- Assets/Water.shader.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\nShaderImporter:\n\
        //- Assets/Waves.png\nx\n\
        //- Assets/Waves.png.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000002\nTextureImporter:\n  textureShape: 1\n";

    #[test]
    fn a_material_has_what_its_own_shader_declares() {
        let folder = Folder::unity(OWN);
        let arguments = json!({
            "path": "Assets/New/Sea.mat", "shader": "Game/Water", "renderQueue": 3000,
            "properties": { "_MainTex": "Assets/Waves.png", "_MainTex.scale": [4, 4], "_Tint.a": 0.5 },
            "enableKeywords": ["_FOAM"],
        });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        assert_eq!((&output["shader"], &output["filesChanged"]), (&json!("Game/Water"), &json!(3)));
        let made = folder.read("Assets/New/Sea.mat");
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!21 &2100000
            Material:
              serializedVersion: 8
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_Name: Sea
              m_Shader: {fileID: 4800000, guid: abc00000000000000000000000000001, type: 3}
              m_Parent: {fileID: 0}
              m_ModifiedSerializedProperties: 0
              m_ValidKeywords:
              - _FOAM
              m_InvalidKeywords: []
              m_LightmapFlags: 4
              m_EnableInstancingVariants: 0
              m_DoubleSidedGI: 0
              m_CustomRenderQueue: 3000
              stringTagMap: {}
              disabledShaderPasses: []
              m_LockedProperties: 
              m_SavedProperties:
                serializedVersion: 3
                m_TexEnvs:
                - _MainTex:
                    m_Texture: {fileID: 2800000, guid: abc00000000000000000000000000002, type: 3}
                    m_Scale: {x: 4, y: 4}
                    m_Offset: {x: 0, y: 0}
                m_Ints: []
                m_Floats:
                - _Depth: 2
                m_Colors:
                - _Tint: {r: 0, g: 0, b: 1, a: 0.5}
              m_BuildTextureStacks: []
        "#]]
        .assert_eq(&made);
        let meta = folder.read("Assets/New/Sea.mat.meta");
        assert!(meta.contains("mainObjectFileID: 2100000\n"), "{meta}");
    }

    #[test]
    fn emission_and_normal_maps_turn_their_keywords_on() {
        let folder = Folder::unity(OWN);
        let arguments = json!({
            "path": "Assets/Lamp.mat", "shader": "URP/Lit",
            "properties": { "_EmissionColor": "#ffcc00", "_BumpMap": "Assets/Waves.png" },
        });
        let outcome = call_writing(&folder, super::TOOL.id, arguments).unwrap();
        expect!["Universal Render Pipeline/Lit comes with com.unity.render-pipelines.universal, which the project does not have."].assert_eq(&outcome.diagnostics.join("\n"));
        let made = folder.read("Assets/Lamp.mat");
        let keywords = "  m_ValidKeywords:\n  - _EMISSION\n  - _NORMALMAP\n  m_InvalidKeywords: []\n  m_LightmapFlags: 2\n";
        assert!(made.contains(keywords), "{made}");
    }

    #[test]
    fn toggles_turn_the_keywords_on_that_their_shader_names() {
        let folder = Folder::unity(
            "//- Assets/Rim.shader\nShader \"Rim\" { Properties {\n [Toggle(_RIM_LIGHT)] _RimLight (\"R\", Float) = 0\n [Toggle] _Fog (\"F\", Float) = 1\n [ToggleOff] _Shine (\"S\", Float) = 1\n } }\n\
            //- Assets/Rim.shader.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\nShaderImporter:\n",
        );
        let arguments =
            json!({ "path": "Assets/M.mat", "shader": "Rim", "properties": { "_RimLight": 1 } });
        call_writing(&folder, super::TOOL.id, arguments).unwrap();
        let made = folder.read("Assets/M.mat");
        assert!(made.contains("  m_ValidKeywords:\n  - _FOG_ON\n  - _RIM_LIGHT\n"), "{made}");
        let arguments =
            json!({ "path": "Assets/M.mat", "properties": { "_RimLight": 0, "_Shine": 0 } });
        call_writing(&folder, "material.setProperties", arguments).unwrap();
        let made = folder.read("Assets/M.mat");
        assert!(made.contains("  m_ValidKeywords:\n  - _FOG_ON\n  - _SHINE_OFF\n"), "{made}");
    }

    #[test]
    fn a_transparent_surface_of_the_universal_pipeline_is_drawn_so() {
        let folder = Folder::unity(OWN);
        let arguments = json!({ "path": "Assets/Glass.mat", "shader": "URP/Lit", "properties": { "_Surface": 1 } });
        call_writing(&folder, super::TOOL.id, arguments).unwrap();
        let made = folder.read("Assets/Glass.mat");
        for line in [
            "  - _SURFACE_TYPE_TRANSPARENT\n",
            "  m_CustomRenderQueue: 3000\n  stringTagMap:\n    RenderType: Transparent\n",
            "- _SrcBlend: 5\n",
            "- _DstBlend: 10\n",
            "- _ZWrite: 0\n",
        ] {
            assert!(made.contains(line), "{line} in {made}");
        }
    }

    #[test]
    fn properties_that_other_materials_have_with_the_shader_are_known() {
        let folder = Folder::unity(OWN);
        let made = json!({ "path": "Assets/A.mat", "shader": "HDRP/Lit", "properties": { "_Rain": 0.5 }, "addUnknown": true });
        let set = |value: serde_json::Value| json!({ "path": "Assets/B.mat", "shader": "HDRP/Lit", "dryRun": true, "properties": { "_Rain": value } });
        expect!["Invalid property: _Rain is none that is known of the shader HDRP/Lit, whose source is not here"]
            .assert_eq(&call_writing(&folder, super::TOOL.id, set(json!(1))).unwrap_err().message);
        call_writing(&folder, super::TOOL.id, made).unwrap();
        call_writing(&folder, super::TOOL.id, set(json!(1))).unwrap();
    }

    #[test]
    fn a_material_of_hdrp_has_the_version_of_the_others() {
        let version = "--- !u!114 &-43\nMonoBehaviour:\n  m_ObjectHideFlags: 11\n  m_Script: {fileID: 11500000, guid: da692e001514ec24dbc4cca1949ff7e8, type: 3}\n  m_Name: \n  version: 13\n  hdPluginSubTargetMaterialVersions:\n    m_Keys: []\n    m_Values: \n";
        let other =
            format!("//- Assets/Old.mat\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{version}");
        let folder = Folder::unity(&other);
        let arguments = json!({ "path": "Assets/New.mat", "shader": "HDRP/Lit", "properties": { "_Metallic": 1 } });
        call_writing(&folder, super::TOOL.id, arguments.clone()).unwrap();
        let made = folder.read("Assets/New.mat");
        let start =
            format!("%TAG !u! tag:unity3d.com,2011:\n{version}--- !u!21 &2100000\nMaterial:\n");
        assert!(made.contains(&start) && made.contains("- _Metallic: 1\n"), "{made}");
        let outcome = call_writing(&Folder::unity(OWN), super::TOOL.id, arguments).unwrap();
        assert!(outcome.diagnostics.iter().any(|told| told.contains("HDRP keeps")));
    }

    #[test]
    fn what_cannot_be_is_refused_and_nothing_is_made() {
        let folder = Folder::unity(OWN);
        let told = |arguments| call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text();
        let made = [
            told(json!({ "path": "Assets/A.mat", "shader": "Standart" })),
            told(
                json!({ "path": "Assets/A.mat", "shader": "Standard", "properties": { "_Colour": "#fff" } }),
            ),
            told(
                json!({ "path": "Assets/A.mat", "shader": "Standard", "properties": { "_Color": "red" } }),
            ),
            told(
                json!({ "path": "Assets/A.mat", "shader": "Game/Water", "properties": { "_MainTex": "Assets/Wave.png" } }),
            ),
            told(
                json!({ "path": "Assets/A.mat", "shader": "Game/Water", "properties": { "_MainTex": "Assets/Water.shader" } }),
            ),
            told(json!({ "path": "Assets/Waves.png", "shader": "Standard" })),
            told(json!({ "path": "../A.mat", "shader": "Standard" })),
        ];
        expect![[r##"
            Shader not found: Standart
            Try: did you mean Standard?
            Invalid property: _Colour is none of the shader Standard
            Try: did you mean _Color?
            Invalid value of _Color: "red" is no colour; a colour is [r, g, b, a] with numbers from 0 to 1, {"r": 1, …} or "#rrggbb"
            Invalid value of _MainTex: Asset at path 'Assets/Wave.png' not found
            Try: did you mean Assets/Waves.png?
            Invalid value of _MainTex: Assets/Water.shader is no texture
            Invalid tool arguments: path must end with .mat
            Path must be inside the project: ../A.mat
            Try: name it from the project's root: Assets/Door.prefab, res://door.tscn"##]].assert_eq(&made.join("\n"));
        assert!(!folder.path("Assets/A.mat").exists());
    }
}
