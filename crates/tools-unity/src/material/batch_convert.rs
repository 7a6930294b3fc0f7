//! The tool `material.batchConvert`: Convert Materials.

mod roles;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::material::{Setting, set_keywords, set_properties};
use scenewright_unity::edit::{Manner, New, set};
use scenewright_unity::{Document, Object, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::set_properties::{material, read_material, shader_of};
use crate::base::materials::{Chosen, Surface, refused};
use crate::base::{InUnity, Unity};

/// More materials in one call are refused, as the catalogue has it.
const MAX_MATERIALS: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "material.batchConvert",
    keywords: "convert upgrade materials to urp hdrp universal render pipeline from standard built-in pink magenta shader change many replace switch",
    argument_aliases: &[
        ("paths", "materialPaths"),
        ("materials", "materialPaths"),
        ("shader", "targetShader"),
    ],
    title: "Convert Materials",
    notes: Some(
        "Textures are not made anew: HDRP's mask map packs metal, occlusion and smoothness in one, and stays empty.",
    ),
    category: "material",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "See what the materials of the Unity sample would be in URP",
        input: r#"{ "materialPaths": ["Assets/Materials/Stone.mat"], "targetShader": "Universal Render Pipeline/Lit", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "convertedCount": 1,
            "converted": [{
                "path": "Assets/Materials/Stone.mat",
                "from": "Standard",
                "moved": ["_Color -> _BaseColor", "_Glossiness -> _Smoothness", "_GlossyReflections -> _EnvironmentReflections", "_MainTex -> _BaseMap"],
                "surface": "opaque"
            }],
            "errors": [],
            "dryRun": true,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Move materials to another shader. Properties of the same name keep their values; colours,
/// textures, smoothness, normal maps, emission and transparency go to the names that the other
/// pipeline has for them, and keywords follow. Materials that cannot be converted are told, and the
/// others are.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The materials, at most 20.
    #[schemars(length(min = 1))]
    material_paths: Vec<String>,
    /// The shader to have, by name or by the path of its file.
    target_shader: String,
    /// How many materials there may be.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 20))]
    max_materials: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    MAX_MATERIALS
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether every material could be converted.
    success: bool,
    /// How many were converted.
    converted_count: usize,
    /// What became of each.
    converted: Vec<Converted>,
    /// Those that stay as they are.
    errors: Vec<Failed>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Converted {
    /// The material.
    path: String,
    /// The shader that it had; empty when its source is not here.
    from: String,
    /// Values that have another name now.
    moved: Vec<String>,
    /// `opaque`, `cutout` or `transparent`.
    surface: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct Failed {
    /// The material.
    path: String,
    /// Why it stays.
    error: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    if input.material_paths.len() > input.max_materials.min(MAX_MATERIALS) {
        let message = format!(
            "Max materials limit exceeded: {} of {}",
            input.material_paths.len(),
            input.max_materials
        );
        return Err(
            ToolError::new(ErrorKind::BadArguments, message).hint("convert them in several calls")
        );
    }
    let target = unity.find_shader(&input.target_shader)?;
    let mut files: Vec<(ProjectPath, Vec<u8>, Vec<u8>)> = Vec::new();
    let (mut converted, mut errors) = (Vec::new(), Vec::new());
    for asked in &input.material_paths {
        cx.check_cancelled()?;
        let done = read_material(cx, &unity, asked).and_then(|(path, before)| {
            let (told, after) = convert(&unity, &path, before.clone(), &target)?;
            Ok((path, before, after, told))
        });
        match done {
            Ok((path, ..)) if files.iter().any(|(known, ..)| *known == path) => {}
            Ok((path, before, after, told)) => {
                files.push((path, before, after));
                converted.push(told);
            }
            Err(error) => errors.push(Failed { path: asked.clone(), error: error.text() }),
        }
    }
    let mut plan = Plan::new(unity.project);
    for (path, before, after) in &files {
        plan.write(path, Some(before), after.as_slice());
    }
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: errors.is_empty(),
        converted_count: converted.len(),
        converted,
        errors,
        written,
    })
}

/// One material with another shader: what became of it, and its bytes.
fn convert(
    unity: &Unity<'_>,
    path: &ProjectPath,
    bytes: Vec<u8>,
    target: &Chosen,
) -> Result<(Converted, Vec<u8>), ToolError> {
    let document = Document::parse(bytes);
    let object = material(&document, path)?;
    let parent = object.get("m_Parent").and_then(Value::as_reference);
    if parent.is_some_and(|parent| !parent.file_id.is_null()) {
        return Err(ToolError::failed(format!("{path} is a variant"))
            .hint("convert its base: a variant has the shader of its base"));
    }
    let source = shader_of(unity, object);
    let is_same = source.as_ref().is_some_and(|source| source.reference == target.reference);
    let from = source.as_ref().map(|source| source.name.clone()).unwrap_or_default();
    let surface = Surface::of(object);
    let mut told =
        Converted { path: path.to_string(), from, moved: Vec::new(), surface: surface.name() };
    if is_same {
        return Ok((told, document.into_bytes()));
    }
    let manner = Manner::of(&document);
    let mut edits = Edits::default();
    set(object, "m_Shader", &New::Reference(target.reference), &manner, &mut edits)
        .map_err(refused)?;
    let (moved, mut settings) = roles::moved(object, source.as_ref(), target);
    told.moved = moved;
    if roles::needs_surface(source.as_ref(), target) {
        surface.set(target, &mut settings);
        set(object, "m_CustomRenderQueue", &New::int(surface.queue()), &manner, &mut edits)
            .map_err(refused)?;
    }
    let list: Vec<(&str, Setting)> =
        settings.iter().map(|(name, setting)| (name.as_str(), *setting)).collect();
    set_properties(object, &list, &manner, &mut edits).map_err(refused)?;
    let after =
        edits.apply(document.as_bytes()).map_err(|error| ToolError::failed(error.to_string()))?;
    with_keywords(after, path, target, surface).map(|after| (told, after))
}

fn with_keywords(
    bytes: Vec<u8>,
    path: &ProjectPath,
    target: &Chosen,
    surface: Surface,
) -> Result<Vec<u8>, ToolError> {
    let document = Document::parse(bytes);
    let object: Object<'_> = material(&document, path)?;
    let (on, off) = roles::keywords(object, target, surface);
    let mut edits = Edits::default();
    set_keywords(object, &on, &off, &Manner::of(&document), &mut edits).map_err(refused)?;
    edits.apply(document.as_bytes()).map_err(|error| ToolError::failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::json;

    use crate::testing::call_writing;

    #[test]
    fn standard_becomes_urp_and_comes_back() {
        let folder = Folder::copy_of(&sample("unity"));
        let convert = |shader: &str, paths: &[&str]| {
            let arguments = json!({ "materialPaths": paths, "targetShader": shader });
            call_writing(&folder, super::TOOL.id, arguments).unwrap().output
        };
        let set = json!({
            "path": "Assets/Materials/Stone.mat", "renderQueue": 2450, "enableKeywords": ["_ALPHATEST_ON"],
            "properties": { "_Mode": 1, "_MainTex.scale": [2, 3], "_EmissionColor": [1, 0, 0] },
        });
        call_writing(&folder, "material.setProperties", set).unwrap();
        let output =
            convert("URP/Lit", &["Assets/Materials/Stone.mat", "Assets/Materials/None.mat"]);
        assert_eq!((&output["success"], &output["convertedCount"]), (&json!(false), &json!(1)));
        assert_eq!(output["converted"][0]["surface"], "cutout");
        expect![[r#"
            Asset at path 'Assets/Materials/None.mat' not found
            Try: did you mean Assets/Materials/Stone.mat or Assets/Materials/Flame.mat?"#]]
        .assert_eq(output["errors"][0]["error"].as_str().unwrap());
        let diff = output["changes"][0]["diff"].as_str().unwrap();
        let changed = diff.lines().filter(|line| line.starts_with(['+', '-']));
        expect![[r#"
            --- a/Assets/Materials/Stone.mat
            +++ b/Assets/Materials/Stone.mat
            -  m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}
            +  m_Shader: {fileID: 4800000, guid: 933532a4fcc9baf4fa0491de14d08ed7, type: 3}
            +    - _BaseMap:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 2, y: 3}
            +        m_Offset: {x: 0, y: 0}
            +    - _SpecGlossMap:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 1, y: 1}
            +        m_Offset: {x: 0, y: 0}
            +    - unity_Lightmaps:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 1, y: 1}
            +        m_Offset: {x: 0, y: 0}
            +    - unity_LightmapsInd:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 1, y: 1}
            +        m_Offset: {x: 0, y: 0}
            +    - unity_ShadowMasks:
            +        m_Texture: {fileID: 0}
            +        m_Scale: {x: 1, y: 1}
            +        m_Offset: {x: 0, y: 0}
            +    - _AlphaClip: 1
            +    - _Blend: 0
            +    - _ClearCoatMask: 0
            +    - _ClearCoatSmoothness: 0
            +    - _Cull: 2
            +    - _DetailAlbedoMapScale: 1
            +    - _EnvironmentReflections: 1
            +    - _QueueOffset: 0
            +    - _ReceiveShadows: 1
            +    - _Smoothness: 0.1
            +    - _Surface: 0
            +    - _WorkflowMode: 1
            +    - _BaseColor: {r: 0.42, g: 0.43, b: 0.46, a: 1}
            +    - _SpecColor: {r: 0.2, g: 0.2, b: 0.2, a: 1}
        "#]]
        .assert_eq(&changed.map(|line| format!("{line}\n")).collect::<String>());
        assert_eq!(convert("URP/Lit", &["Assets/Materials/Stone.mat"])["filesChanged"], 0);
        convert("Standard", &["Assets/Materials/Stone.mat"]);
        let back = folder.read("Assets/Materials/Stone.mat");
        for line in [
            "m_Shader: {fileID: 46,",
            "- _Glossiness: 0.1",
            "- _Mode: 1",
            "- _ALPHATEST_ON",
            "- _EMISSION",
        ] {
            assert!(back.contains(line), "{line} in {back}");
        }
    }

    #[test]
    fn too_many_and_unknown_shaders_are_refused() {
        let folder = Folder::copy_of(&sample("unity"));
        let told = |paths: Vec<String>, shader: &str| {
            let arguments = json!({ "materialPaths": paths, "targetShader": shader });
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text()
        };
        let many = (0..21).map(|at| format!("Assets/{at}.mat")).collect();
        let refused = [
            told(many, "Standard"),
            told(vec!["Assets/Materials/Stone.mat".into()], "Universal Lit"),
        ];
        expect![[r#"
            Max materials limit exceeded: 21 of 20
            Try: convert them in several calls
            Shader not found: Universal Lit
            Try: did you mean Universal Render Pipeline/Lit or Universal Render Pipeline/Unlit or Universal Render Pipeline/Simple Lit?"#]].assert_eq(&refused.join("\n"));
    }
}
