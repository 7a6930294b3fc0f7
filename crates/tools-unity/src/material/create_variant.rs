//! The tool `material.createVariant`: Create Material Variant.

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::material::{PropertyKind, Setting, property, set_properties};
use scenewright_unity::edit::{Manner, New, set, set_list};
use scenewright_unity::{Document, FileId, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::set_properties::{material, read_material, shader_of};
use crate::base::assets::NewFiles;
use crate::base::materials::{Values, refused};
use crate::base::{InUnity, Unity};

/// Materials have had parents since this release.
const HAS_PARENTS: (u32, u32) = (2022, 1);

pub(crate) const TOOL: Tool = Tool {
    id: "material.createVariant",
    keywords: "material variant child parent inherit override copy duplicate recolor tint derived from base recolour version other colour",
    argument_aliases: &[("basePath", "baseMaterialPath"), ("name", "variantName")],
    title: "Create Material Variant",
    notes: Some(
        "Keywords, render queue and flags are the base's; material_setProperties gives a variant a queue and flags of its own. Its shader is always the base's.",
    ),
    category: "material",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A mossy stone that follows the stone of the Unity sample but for its colour",
        input: r#"{ "baseMaterialPath": "Assets/Materials/Stone.mat", "variantName": "MossyStone", "properties": { "_Color": [0.3, 0.4, 0.2, 1] } }"#,
        output: r#"{
            "success": true,
            "variantPath": "Assets/Materials/MossyStone.mat",
            "guid": "",
            "propertiesChanged": 1,
            "isVariant": true,
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

/// Create a material from a base with some properties of its own. Since Unity 2022.1 it is a variant:
/// what it does not override follows the base. Before that it is a copy, and the answer says so.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The base, such as `Assets/Materials/Stone.mat`.
    base_material_path: String,
    /// Name of the new material, without its ending.
    variant_name: String,
    /// What differs, by the names of the shader, as in `material_setProperties`.
    #[serde(default)]
    properties: Map<String, Json>,
    /// Folder or `.mat` path of the new material; beside the base by default.
    save_path: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new material, from the project's root.
    variant_path: String,
    /// The guid that it got.
    guid: String,
    /// How many properties are its own.
    properties_changed: usize,
    /// Whether it follows the base; otherwise it is a copy.
    is_variant: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (base, bytes) = read_material(cx, &unity, &input.base_material_path)
        .map_err(|error| named(error, "Base material not found"))?;
    let path = place(&unity, &base, &input)?;
    unity.must_be_new(&path).map_err(|error| named(error, "Variant already exists at path"))?;
    let document = Document::parse(bytes);
    let object = material(&document, &base)?;
    let is_variant = object.get("m_Parent").is_some()
        && unity.unity.settings.version.release().is_none_or(|release| release >= HAS_PARENTS);
    let chosen = shader_of(&unity, object);
    let values = Values { properties: input.properties, ..Values::default() };
    let mut settings = unity.settings(object, chosen.as_ref(), &values)?;
    // A variant has whole values, so what is not given is the base's.
    for (name, setting) in &mut settings {
        let own = property(object, name).and_then(|own| own.setting());
        *setting = own.map_or(*setting, |own| setting.or(own));
    }
    let manner = Manner::of(&document);
    let mut edits = Edits::default();
    let name = New::Text(input.variant_name.clone());
    set(object, "m_Name", &name, &manner, &mut edits).map_err(refused)?;
    if is_variant {
        let guid = unity.index.by_path(base.as_str()).and_then(|asset| asset.guid());
        let guid = guid.ok_or_else(|| {
            ToolError::failed(format!("{base} has no guid"))
                .hint("Unity makes its .meta when it sees the file")
        })?;
        let parent = Reference { file_id: object.file_id(), guid: Some(guid), kind: 2 };
        set(object, "m_Parent", &New::Reference(parent), &manner, &mut edits).map_err(refused)?;
        for kind in PropertyKind::ALL.into_iter().filter(|kind| object.get(kind.list()).is_some()) {
            set_list(object, kind.list(), &[], &manner, &mut edits).map_err(refused)?;
        }
    } else {
        cx.diagnose(format!(
            "Materials of Unity {} have no variants: it is a copy and does not follow {base}.",
            unity.unity.settings.version
        ));
    }
    let copy =
        edits.apply(document.as_bytes()).map_err(|error| ToolError::failed(error.to_string()))?;
    let copy = with_properties(copy, object.file_id(), &settings)?;
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, copy)?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        variant_path: path.to_string(),
        guid: guid.map(|guid| guid.to_string()).unwrap_or_default(),
        properties_changed: settings.len(),
        is_variant,
        written,
    })
}

/// The same error with the words that clients of the catalogue know before it.
fn named(error: ToolError, words: &str) -> ToolError {
    ToolError { message: format!("{words}: {}", error.message), ..error }
}

fn place(unity: &Unity<'_>, base: &ProjectPath, input: &Input) -> Result<ProjectPath, ToolError> {
    let name = input.variant_name.trim();
    if name.is_empty() || name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']) {
        return Err(ToolError::bad_argument("variantName", "must be a name for a file"));
    }
    let folder = base.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    match input.save_path.as_deref().map(str::trim) {
        None => unity.asset_place(&format!("{folder}/{name}.mat")),
        Some(path) if path.to_ascii_lowercase().ends_with(".mat") => unity.asset_place(path),
        Some(folder) => {
            unity.asset_place(&format!("{}/{name}.mat", folder.trim_end_matches(['/', '\\'])))
        }
    }
}

fn with_properties(
    copy: Vec<u8>,
    id: FileId,
    settings: &BTreeMap<String, Setting>,
) -> Result<Vec<u8>, ToolError> {
    let document = Document::parse(copy);
    let object = document.object(id);
    let object = object.ok_or_else(|| {
        ToolError::new(ErrorKind::Internal, "the copy of the material cannot be read")
    })?;
    let list: Vec<_> = settings.iter().map(|(name, setting)| (name.as_str(), *setting)).collect();
    let mut edits = Edits::default();
    set_properties(object, &list, &Manner::of(&document), &mut edits).map_err(refused)?;
    edits.apply(document.as_bytes()).map_err(|error| ToolError::failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::json;

    use crate::testing::call_writing;

    #[test]
    fn a_variant_has_a_parent_and_only_what_differs() {
        let folder = Folder::copy_of(&sample("unity"));
        let arguments = json!({
            "baseMaterialPath": "Assets/Materials/Stone.mat", "variantName": "Moss",
            "properties": { "_Color.g": 0.9, "_Glossiness": 0.3, "_MainTex": { "scale": 2 } },
            "savePath": "Assets/Variants",
        });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        assert_eq!(output["propertiesChanged"], 3);
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
              m_Name: Moss
              m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}
              m_Parent: {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2}
              m_ModifiedSerializedProperties: 0
              m_ValidKeywords: []
              m_InvalidKeywords: []
              m_LightmapFlags: 4
              m_EnableInstancingVariants: 0
              m_DoubleSidedGI: 0
              m_CustomRenderQueue: -1
              stringTagMap: {}
              disabledShaderPasses: []
              m_LockedProperties: 
              m_SavedProperties:
                serializedVersion: 3
                m_TexEnvs:
                - _MainTex:
                    m_Texture: {fileID: 0}
                    m_Scale: {x: 2, y: 2}
                    m_Offset: {x: 0, y: 0}
                m_Ints: []
                m_Floats:
                - _Glossiness: 0.3
                m_Colors:
                - _Color: {r: 0.42, g: 0.9, b: 0.46, a: 1}
              m_BuildTextureStacks: []
        "#]]
        .assert_eq(&folder.read("Assets/Variants/Moss.mat"));
    }

    #[test]
    fn a_variant_of_a_variant_fills_up_from_the_materials_that_it_is_of() {
        let folder = Folder::copy_of(&sample("unity"));
        let call = |tool: &str, arguments| call_writing(&folder, tool, arguments).unwrap();
        let first = json!({ "baseMaterialPath": "Assets/Materials/Stone.mat", "variantName": "A" });
        call(super::TOOL.id, first);
        let second = json!({ "baseMaterialPath": "Assets/Materials/A.mat", "variantName": "B", "properties": { "_Color.r": 1 } });
        call(super::TOOL.id, second);
        let color = "    m_Colors:\n    - _Color: {r: 1, g: 0.43, b: 0.46, a: 1}\n";
        assert!(folder.read("Assets/Materials/B.mat").contains(color));
        let third = json!({ "path": "Assets/Materials/A.mat", "properties": { "_Color": { "r": 1 }, "_BumpMap.scale": 2 } });
        call("material.setProperties", third);
        assert!(folder.read("Assets/Materials/A.mat").contains(color));
    }

    #[test]
    fn an_older_unity_gets_a_copy_and_is_told() {
        let folder = Folder::copy_of(&sample("unity"));
        folder.write("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2021.3.1f1\n");
        let arguments = json!({
            "baseMaterialPath": "Assets/Materials/Stone.mat", "variantName": "Moss", "properties": { "_Glossiness": 0.3 },
        });
        let outcome = call_writing(&folder, super::TOOL.id, arguments).unwrap();
        assert_eq!(outcome.output["isVariant"], false);
        assert_eq!(
            outcome.diagnostics,
            [
                "Materials of Unity 2021.3.1f1 have no variants: it is a copy and does not follow Assets/Materials/Stone.mat."
            ]
        );
        let base = folder.read("Assets/Materials/Stone.mat");
        let expected = base
            .replace("m_Name: Stone", "m_Name: Moss")
            .replace("_Glossiness: 0.1", "_Glossiness: 0.3");
        assert_eq!(folder.read("Assets/Materials/Moss.mat"), expected);
        let told = |name: &str, base: &str, value| {
            let arguments = json!({ "baseMaterialPath": base, "variantName": name, "properties": { "_Glossiness": value } });
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text()
        };
        let refused = [
            told("Moss", "Assets/Materials/Stone.mat", json!(1)),
            told("a/b", "Assets/Materials/Stone.mat", json!(1)),
            told("New", "Assets/Materials/Rock.mat", json!(1)),
            told("New", "Assets/Materials/Stone.mat", json!("much")),
        ];
        expect![[r#"
            Variant already exists at path: Assets/Materials/Moss.mat exists already
            Try: nothing was changed; choose another path, or delete it first with asset_delete
            Invalid tool arguments: variantName must be a name for a file
            Base material not found: Asset at path 'Assets/Materials/Rock.mat' not found
            Try: did you mean Assets/Materials/Moss.mat or Assets/Materials/Stone.mat or Assets/Materials/Flame.mat?
            Invalid value of _Glossiness: "much" is no number"#]].assert_eq(&refused.join("\n"));
    }
}
