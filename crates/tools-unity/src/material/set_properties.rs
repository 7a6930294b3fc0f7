//! The tool `material.setProperties`: Set Material Properties.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::{Manner, New, set};
use scenewright_unity::{Document, Object};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::materials::{Chosen, MATERIAL, Scope, Values, change, is_variant, refused};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "material.setProperties",
    keywords: "change edit material color colour tint texture albedo normal map smoothness metallic emission glow float keyword shader render queue tiling shininess transparent alpha",
    argument_aliases: &[("values", "properties")],
    title: "Set Material Properties",
    category: "material",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "See what a rougher, darker stone in the Unity sample would change",
        input: r##"{ "path": "Assets/Materials/Stone.mat", "properties": { "_Color": "#303030", "_Glossiness": 0.05 }, "dryRun": true }"##,
        output: r#"{
            "success": true,
            "path": "Assets/Materials/Stone.mat",
            "shader": "Standard",
            "propertiesSet": ["_Color", "_Glossiness"],
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

/// Set properties, keywords and settings of a material by name, and its shader. Properties that it
/// does not have yet are added where Unity sorts them; everything else keeps its bytes. A normal map
/// or an emission turns on the keyword that it needs in shaders that are known, a toggle the one that
/// its shader names, and `_Mode`, `_Surface` or `_AlphaClip` bring blending, queue, tag and keywords.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The material, such as `Assets/Materials/Stone.mat`.
    path: String,
    /// Another shader, by name or path; its properties keep their names. `material_batchConvert`
    /// brings values over to the names of another pipeline.
    shader: Option<String>,
    #[serde(flatten)]
    values: Values,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// The name of its shader; empty when its source is not here.
    shader: String,
    /// The properties that were asked for, sorted.
    properties_set: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (path, bytes) = read_material(cx, &unity, &input.path)?;
    let document = Document::parse(bytes.as_slice());
    let object = material(&document, &path)?;
    let mut edits = Edits::default();
    let chosen = match input.shader.as_deref() {
        Some(_) if is_variant(object) => {
            return Err(ToolError::failed(format!("{path} is a variant"))
                .hint("set the shader of its base: a variant has the shader of its base"));
        }
        Some(wanted) => {
            let chosen = unity.find_shader(wanted)?;
            let new = New::Reference(chosen.reference);
            set(object, "m_Shader", &new, &Manner::of(&document), &mut edits).map_err(refused)?;
            Some(chosen)
        }
        None => shader_of(&unity, object),
    };
    let settings = unity.settings(object, chosen.as_ref(), &input.values)?;
    let scope = if input.shader.is_some() { Scope::Shader } else { Scope::Given };
    change(&document, object, chosen.as_ref(), &settings, &input.values, scope, &mut edits)?;
    let mut plan = Plan::new(unity.project);
    plan.edit(&path, &bytes, &edits)?;
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        shader: chosen.map(|chosen| chosen.name).unwrap_or_default(),
        properties_set: settings.into_keys().collect(),
        written,
    })
}

/// The material that a call names, as it is on the disk.
pub(super) fn read_material(
    cx: &Cx,
    unity: &Unity<'_>,
    text: &str,
) -> Result<(ProjectPath, Vec<u8>), ToolError> {
    let asset = unity.asset(Some(text), None)?;
    let path = ProjectPath::parse(unity.project, &asset.path())?;
    let bytes = door::read(cx, unity.project, &path)?;
    Ok((path, bytes))
}

/// The material in a file.
pub(super) fn material<'d>(
    document: &'d Document,
    path: &ProjectPath,
) -> Result<Object<'d>, ToolError> {
    document.objects().find(|object| object.class_id() == MATERIAL).ok_or_else(|| {
        let message = format!("{path} has no material that can be read as text");
        ToolError::new(ErrorKind::EngineError, message)
            .hint("materials are .mat files; those inside models belong to the model")
            .detail("path", path.as_str())
    })
}

/// The shader of a material, if it is known or its source is here.
pub(super) fn shader_of(unity: &Unity<'_>, object: Object<'_>) -> Option<Chosen> {
    let reference = object.get("m_Shader").and_then(|shader| shader.as_reference())?;
    unity.shader_of(reference)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    fn diff(output: &Value) -> String {
        let diff = output["changes"][0]["diff"].as_str().unwrap();
        diff.lines()
            .filter(|line| line.starts_with(['+', '-']))
            .map(|line| format!("{line}\n"))
            .collect()
    }

    #[test]
    fn properties_change_by_name_and_the_rest_stays() {
        let folder = Folder::copy_of(&sample("unity"));
        let arguments = json!({
            "path": "Assets/Materials/Stone.mat",
            "properties": { "_Color": "#ff8000", "_EmissionColor": [1, 1, 1], "_Metallic": true, "_MainTex_ST": [2, 2, 0, 0.5] },
            "enableKeywords": ["_ALPHATEST_ON"], "renderQueue": 2450, "enableInstancing": true,
        });
        let output = call_writing(&folder, super::TOOL.id, arguments.clone()).unwrap().output;
        expect![[r#"
            --- a/Assets/Materials/Stone.mat
            +++ b/Assets/Materials/Stone.mat
            -  m_ValidKeywords: []
            +  m_ValidKeywords:
            +  - _ALPHATEST_ON
            +  - _EMISSION
            -  m_LightmapFlags: 4
            -  m_EnableInstancingVariants: 0
            +  m_LightmapFlags: 2
            +  m_EnableInstancingVariants: 1
            -  m_CustomRenderQueue: -1
            +  m_CustomRenderQueue: 2450
            -        m_Scale: {x: 1, y: 1}
            -        m_Offset: {x: 0, y: 0}
            +        m_Scale: {x: 2, y: 2}
            +        m_Offset: {x: 0, y: 0.5}
            -    - _Metallic: 0
            +    - _Metallic: 1
            -    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 1}
            -    - _EmissionColor: {r: 0, g: 0, b: 0, a: 1}
            +    - _Color: {r: 1, g: 0.5019608, b: 0, a: 1}
            +    - _EmissionColor: {r: 1, g: 1, b: 1, a: 1}
        "#]]
        .assert_eq(&diff(&output));
        let again = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        assert_eq!(again["filesChanged"], 0);
    }

    #[test]
    fn what_a_variant_has_of_its_own_is_in_its_mask() {
        let folder = Folder::copy_of(&sample("unity"));
        let variant =
            json!({ "baseMaterialPath": "Assets/Materials/Stone.mat", "variantName": "A" });
        call_writing(&folder, "material.createVariant", variant).unwrap();
        let path = "Assets/Materials/A.mat";
        let arguments = json!({ "path": path, "renderQueue": 3000, "doubleSidedGI": true });
        call_writing(&folder, super::TOOL.id, arguments).unwrap();
        let made = folder.read(path);
        assert!(made.contains("  m_ModifiedSerializedProperties: 24\n"), "{made}");
        let shader = json!({ "path": path, "shader": "Unlit/Color" });
        expect![[r#"
            Assets/Materials/A.mat is a variant
            Try: set the shader of its base: a variant has the shader of its base"#]]
        .assert_eq(&call_writing(&folder, super::TOOL.id, shader).unwrap_err().text());
    }

    #[test]
    fn a_mode_alone_brings_what_it_needs() {
        let folder = Folder::copy_of(&sample("unity"));
        let path = "Assets/Materials/Stone.mat";
        let set = |properties: Value| {
            let arguments = json!({ "path": path, "properties": properties });
            diff(&call_writing(&folder, super::TOOL.id, arguments).unwrap().output)
        };
        expect![[r#"
            --- a/Assets/Materials/Stone.mat
            +++ b/Assets/Materials/Stone.mat
            -  m_ValidKeywords: []
            +  m_ValidKeywords:
            +  - _ALPHABLEND_ON
            +  - _GLOSSYREFLECTIONS_OFF
            -  m_CustomRenderQueue: -1
            -  stringTagMap: {}
            +  m_CustomRenderQueue: 3000
            +  stringTagMap:
            +    RenderType: Transparent
            -    - _DstBlend: 0
            +    - _DstBlend: 10
            -    - _GlossyReflections: 1
            +    - _GlossyReflections: 0
            -    - _Mode: 0
            +    - _Mode: 2
            -    - _SrcBlend: 1
            +    - _SrcBlend: 5
        "#]]
        .assert_eq(&set(json!({ "_Mode": 2, "_ZWrite": 1, "_GlossyReflections": 0 })));
        expect![[r#"
            --- a/Assets/Materials/Stone.mat
            +++ b/Assets/Materials/Stone.mat
            -  m_ValidKeywords:
            -  - _ALPHABLEND_ON
            -  - _GLOSSYREFLECTIONS_OFF
            +  m_ValidKeywords: []
            -  m_CustomRenderQueue: 3000
            -  stringTagMap:
            -    RenderType: Transparent
            +  m_CustomRenderQueue: -1
            +  stringTagMap: {}
            -    - _DstBlend: 10
            +    - _DstBlend: 0
            -    - _GlossyReflections: 0
            +    - _GlossyReflections: 1
            -    - _Mode: 2
            +    - _Mode: 0
            -    - _SrcBlend: 5
            +    - _SrcBlend: 1
        "#]]
        .assert_eq(&set(json!({ "_Mode": 0, "_GlossyReflections": 1 })));
    }

    /// A material of the pipeline's `Lit` as Unity 6 saves it, opaque.
    const LIT: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  serializedVersion: 8\n  m_Name: Glass\n  m_Shader: {fileID: 4800000, guid: 933532a4fcc9baf4fa0491de14d08ed7, type: 3}\n  m_ValidKeywords: []\n  m_InvalidKeywords: []\n  m_CustomRenderQueue: -1\n  stringTagMap:\n    RenderType: Opaque\n  disabledShaderPasses:\n  - MOTIONVECTORS\n  m_SavedProperties:\n    serializedVersion: 3\n    m_TexEnvs: []\n    m_Ints: []\n    m_Floats:\n    - _AlphaClip: 0\n    - _AlphaToMask: 0\n    - _Blend: 0\n    - _BlendModePreserveSpecular: 1\n    - _DstBlend: 0\n    - _DstBlendAlpha: 0\n    - _QueueOffset: 0\n    - _SrcBlend: 1\n    - _SrcBlendAlpha: 1\n    - _Surface: 0\n    - _ZWrite: 1\n    m_Colors: []\n";

    #[test]
    fn a_surface_of_the_pipeline_is_as_its_editor_saves_it() {
        let folder = Folder::unity(&format!(
            "//- Assets/Glass.mat\n{LIT}//- Assets/Glass.mat.meta\nguid: 1123456789abcdef0123456789abcdef\n"
        ));
        let set = |properties: Value| {
            let arguments = json!({ "path": "Assets/Glass.mat", "properties": properties });
            diff(&call_writing(&folder, super::TOOL.id, arguments).unwrap().output)
        };
        expect![[r#"
            --- a/Assets/Glass.mat
            +++ b/Assets/Glass.mat
            -  m_ValidKeywords: []
            +  m_ValidKeywords:
            +  - _ALPHAPREMULTIPLY_ON
            +  - _SURFACE_TYPE_TRANSPARENT
            -  m_CustomRenderQueue: -1
            +  m_CustomRenderQueue: 3000
            -    RenderType: Opaque
            +    RenderType: Transparent
            +  - DepthOnly
            +  - SHADOWCASTER
            -    - _DstBlend: 0
            -    - _DstBlendAlpha: 0
            +    - _DstBlend: 10
            +    - _DstBlendAlpha: 10
            -    - _Surface: 0
            -    - _ZWrite: 1
            +    - _Surface: 1
            +    - _ZWrite: 0
        "#]]
        .assert_eq(&set(json!({ "_Surface": 1 })));
        // What is added to what is behind it.
        expect![[r#"
            --- a/Assets/Glass.mat
            +++ b/Assets/Glass.mat
            -    - _Blend: 0
            +    - _Blend: 2
            -    - _DstBlend: 10
            -    - _DstBlendAlpha: 10
            +    - _DstBlend: 1
            +    - _DstBlendAlpha: 1
        "#]]
        .assert_eq(&set(json!({ "_Blend": 2 })));
        expect![[r#"
            --- a/Assets/Glass.mat
            +++ b/Assets/Glass.mat
            -  - _ALPHAPREMULTIPLY_ON
            +  - _ALPHAMODULATE_ON
            -    - _Blend: 2
            +    - _Blend: 3
            -    - _DstBlend: 1
            +    - _DstBlend: 0
            -    - _SrcBlend: 1
            -    - _SrcBlendAlpha: 1
            +    - _SrcBlend: 2
            +    - _SrcBlendAlpha: 0
        "#]]
        .assert_eq(&set(json!({ "_Blend": 3 })));
        expect![[r#"
            --- a/Assets/Glass.mat
            +++ b/Assets/Glass.mat
            -  m_ValidKeywords:
            -  - _ALPHAMODULATE_ON
            -  - _SURFACE_TYPE_TRANSPARENT
            +  m_ValidKeywords: []
            -  m_CustomRenderQueue: 3000
            +  m_CustomRenderQueue: -1
            -    RenderType: Transparent
            +    RenderType: Opaque
            -  - DepthOnly
            -  - SHADOWCASTER
            -    - _DstBlendAlpha: 1
            +    - _DstBlendAlpha: 0
            -    - _SrcBlend: 2
            -    - _SrcBlendAlpha: 0
            -    - _Surface: 1
            -    - _ZWrite: 0
            +    - _SrcBlend: 1
            +    - _SrcBlendAlpha: 1
            +    - _Surface: 0
            +    - _ZWrite: 1
        "#]]
        .assert_eq(&set(json!({ "_Surface": 0 })));
    }

    #[test]
    fn what_is_cut_out_has_smooth_edges_and_is_drawn_when_its_offset_says() {
        let folder = Folder::unity(&format!(
            "//- Assets/Glass.mat\n{LIT}//- Assets/Glass.mat.meta\nguid: 1123456789abcdef0123456789abcdef\n"
        ));
        let set = |properties: Value| {
            let arguments = json!({ "path": "Assets/Glass.mat", "properties": properties });
            diff(&call_writing(&folder, super::TOOL.id, arguments).unwrap().output)
        };
        let cut = set(json!({ "_AlphaClip": 1, "_QueueOffset": 5 }));
        assert!(cut.contains("+    - _AlphaToMask: 1"), "{cut}");
        assert!(cut.contains("+  m_CustomRenderQueue: 2455\n"), "{cut}");
        // What is behind it shows through: nothing to smooth.
        let clear = set(json!({ "_Surface": 1 }));
        assert!(clear.contains("+    - _AlphaToMask: 0"), "{clear}");
        assert!(clear.contains("+  m_CustomRenderQueue: 3005\n"), "{clear}");
        let opaque = set(json!({ "_Surface": 0, "_AlphaClip": 0, "_QueueOffset": 0 }));
        assert!(opaque.contains("+  m_CustomRenderQueue: -1\n"), "{opaque}");
    }

    #[test]
    fn another_shader_has_other_properties() {
        let folder = Folder::copy_of(&sample("unity"));
        let arguments = json!({ "path": "Assets/Materials/Stone.mat", "shader": "Unlit/Color", "properties": { "_Color.g": 1 } });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        expect![[r#"
            --- a/Assets/Materials/Stone.mat
            +++ b/Assets/Materials/Stone.mat
            -  m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}
            +  m_Shader: {fileID: 10755, guid: 0000000000000000f000000000000000, type: 0}
            -    - _Color: {r: 0.42, g: 0.43, b: 0.46, a: 1}
            +    - _Color: {r: 0.42, g: 1, b: 0.46, a: 1}
        "#]]
        .assert_eq(&diff(&output));
        let told =
            |arguments: Value| call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text();
        let refused = [
            told(json!({ "path": "Assets/Materials/Stone.mat", "properties": { "_Tint": 1 } })),
            told(json!({ "path": "Assets/Materials/Granite.mat", "properties": {} })),
            told(json!({ "path": "Assets/Prefabs/Room.prefab", "properties": {} })),
            told(json!({ "path": "Assets/Materials/Stone.mat", "properties": { "_MainTex": 3 } })),
        ];
        expect![[r#"
            Invalid property: _Tint is none of the shader Unlit/Color
            Try: there is _MainTex, _DetailNormalMap, _ZWrite, _OcclusionStrength, _DetailNormalMapScale, _SmoothnessTextureChannel, _DetailMask, _Glossiness, _EmissionMap, _EmissionColor, _DetailAlbedoMap, _MetallicGlossMap and 15 more; addUnknown: true sets it all the same
            Asset at path 'Assets/Materials/Granite.mat' not found
            Try: did you mean Assets/Materials/Stone.mat or Assets/Materials/Flame.mat?
            Assets/Prefabs/Room.prefab has no material that can be read as text
            Try: materials are .mat files; those inside models belong to the model
            Invalid value of _MainTex: 3 is no texture; a texture is a path, null, or {"guid": …, "fileID": …, "type": …}"#]].assert_eq(&refused.join("\n"));
    }
}
