//! The tool `sobj.create`: Create ScriptableObject.

use rayon::prelude::*;
use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::script_fields::{Missing, script_values};
use scenewright_unity::edit::{Habits, New, NewObject, fresh, new_file};
use scenewright_unity::index::{Asset, AssetKind};
use scenewright_unity::script::{self, ScriptFile, ScriptSet, TypeRef, UnityBase};
use scenewright_unity::types::Version;
use scenewright_unity::{ClassId, FileId, Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::base::assets::{NewFiles, stem};
use crate::base::editing::with_values;
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "sobj.create",
    keywords: "scriptable object asset new make instance of class data settings config item createassetmenu weapon stats",
    argument_aliases: &[("typeName", "class")],
    title: "Create ScriptableObject",
    notes: Some(
        "Classes of sources in the project; those of packages and libraries are not made here.",
    ),
    category: "sobj",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Settings for another lantern of the Unity sample",
        input: r#"{ "path": "Assets/Data/Torch.asset", "class": "LanternSettings", "values": { "displayName": "Torch", "burnTimes": [30, 60], "fuel": { "capacity": 2 } } }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Data/Torch.asset",
            "guid": "",
            "class": "LanternKeep.LanternSettings",
            "fields": ["flickerSpeed", "tint", "displayName", "burnTimes", "fuel"],
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

/// Create an asset of a ScriptableObject class with the fields that Unity saves, their initial values,
/// and values of your own: numbers, texts, truth values, enums by name, vectors and colours, lists,
/// nested objects, references as unity_edit takes them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Where it will be, such as `Assets/Data/Torch.asset`.
    path: String,
    /// Class, short or with its namespace.
    class: String,
    /// Values by field, as the source or the file names them; `fuel.capacity` sets one inside.
    #[serde(default)]
    values: Map<String, Json>,
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
    /// The class with its namespace.
    class: String,
    /// The fields that it has, in order.
    fields: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

/// A source of the project.
struct Source {
    guid: Guid,
    file: ScriptFile,
    stem: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    if !path.as_str().ends_with(".asset") {
        return Err(ToolError::bad_argument("path", "must end with .asset"));
    }
    unity.must_be_new(&path)?;
    let sources = sources(&unity);
    let set = ScriptSet::new(sources.iter().map(|source| &source.file));
    let (guid, ty) = class(&set, &sources, &input.class)?;
    let version = unity.version();
    let (own, unknown) = script_values(&set, ty, version);
    for unknown in unknown {
        cx.diagnose(match unknown.what {
            Missing::Field => format!(
                "{} of type {} is left out: its type is not in the project.",
                unknown.path, unknown.ty
            ),
            Missing::Value(text) => {
                format!("{} is left to Unity: what {text} comes to is not known.", unknown.path)
            }
            Missing::Base => {
                format!("Fields of the base {} are left out: it is not in the project.", unknown.ty)
            }
        });
    }
    let fields: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
    let habits = unity.unity.settings.habits();
    let text = text(stem(path.as_str()), guid, own, version, habits).ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, "this version of Unity is not known")
    })?;
    let text = with_values(&unity, text, &input.values)?;
    let mut files = NewFiles::default();
    let made = files.add(&unity, &path, text)?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        guid: made.map(|guid| guid.to_string()).unwrap_or_default(),
        class: ty.decl.full_name(),
        fields,
        written,
    })
}

/// Every C# source of the project itself.
fn sources(unity: &Unity<'_>) -> Vec<Source> {
    let is_own =
        |asset: &Asset<'_>| asset.kind() == AssetKind::Script && asset.name().ends_with(".cs");
    let assets: Vec<Asset<'_>> = unity.index.assets().filter(is_own).collect();
    let read = |asset: Asset<'_>| {
        let small = asset.size() <= script::MAX_SOURCE_BYTES as u64;
        let bytes = small.then(|| asset.read().ok())??;
        let stem = stem(asset.name()).to_owned();
        Some(Source { guid: asset.guid()?, file: script::parse_bytes(&bytes), stem })
    };
    assets.into_par_iter().filter_map(read).collect()
}

/// The script and the declaration of a class.
fn class<'s>(
    set: &ScriptSet<'s>,
    sources: &'s [Source],
    wanted: &str,
) -> Result<(Guid, TypeRef<'s>), ToolError> {
    let engine = |message: String| ToolError::new(ErrorKind::EngineError, message);
    let all = || {
        sources.iter().flat_map(|source| {
            source.file.all_types().map(move |decl| (source, TypeRef { file: &source.file, decl }))
        })
    };
    let is_asset = |ty: TypeRef<'s>| set.unity_base(ty) == UnityBase::ScriptableObject;
    let is_named = |ty: &TypeRef<'_>| ty.decl.name == wanted || ty.decl.full_name() == wanted;
    let mut found: Vec<_> = all().filter(|(_, ty)| is_named(ty)).collect();
    // A partial class is in the file that has its name.
    if found.len() > 1
        && found.iter().all(|(_, ty)| ty.decl.full_name() == found[0].1.decl.full_name())
    {
        found.sort_by_key(|(source, ty)| source.stem != ty.decl.name);
        found.truncate(1);
    }
    match found.as_slice() {
        [(source, ty)] if !is_asset(*ty) => Err(engine(format!(
            "{} is no ScriptableObject ({})",
            ty.decl.full_name(),
            match set.unity_base(*ty) {
                UnityBase::Unknown(base) => format!("its base {base} is not in the project"),
                other => format!("it derives from {other:?}"),
            }
        ))
        .detail("guid", source.guid.to_string())),
        [(_, ty)]
            if ty.decl.about.modifiers.has(script::Modifier::Abstract)
                || !ty.decl.type_parameters.is_empty() =>
        {
            Err(engine(format!(
                "{} is abstract or generic: there are no assets of it",
                ty.decl.full_name()
            )))
        }
        [(source, ty)] => Ok((source.guid, *ty)),
        [] => {
            let names: Vec<String> =
                all().filter(|(_, ty)| is_asset(*ty)).map(|(_, ty)| ty.decl.full_name()).collect();
            let otherwise = "script_create makes a class";
            Err(engine(format!("Type not found: {wanted}")).hint(suggest::did_you_mean(
                wanted,
                names.iter().map(String::as_str),
                otherwise,
            )))
        }
        several => {
            let names: Vec<String> = several.iter().map(|(_, ty)| ty.decl.full_name()).collect();
            Err(engine(format!("{wanted} may be {}", names.join(" or "))))
        }
    }
}

/// The file of the new object.
fn text(
    name: &str,
    script: Guid,
    own: Vec<(String, New)>,
    version: Version,
    habits: Habits,
) -> Option<String> {
    let mut fields = fresh::native(ClassId::MONO_BEHAVIOUR, version)?;
    let script = Reference { file_id: FileId(11_500_000), guid: Some(script), kind: 3 };
    fresh::put(&mut fields, "m_Enabled", New::int(1));
    fresh::put(&mut fields, "m_Script", New::Reference(script));
    fresh::put(&mut fields, "m_Name", New::Text(name.to_owned()));
    fields.extend(own);
    let object = NewObject {
        class: ClassId::MONO_BEHAVIOUR,
        id: FileId(11_400_000),
        key: "MonoBehaviour".to_owned(),
        stripped: false,
        fields,
    };
    Some(new_file(&object, habits))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    #[test]
    fn an_asset_is_as_unity_writes_it() {
        let folder = Folder::copy_of(&sample("unity"));
        let arguments = json!({
            "path": "Assets/Data/New/LanternSettings.asset", "class": "LanternKeep.LanternSettings",
            "values": {
                "flickerSpeed": 3.5, "tint": [1, 0.72, 0.38, 1], "displayName": "Keep Lantern", "burnTimes": [60, 120, 300],
                "fuel": { "capacity": 12.5, "refillCost": 3 }, "fuel.note": "Oil",
            },
        });
        call_writing(&folder, super::TOOL.id, arguments).unwrap();
        let known = folder.read("Assets/Data/LanternSettings.asset");
        let expected = known[..known.find("    note:").unwrap()].to_owned() + "    note: Oil\n";
        assert_eq!(folder.read("Assets/Data/New/LanternSettings.asset"), expected);
        let meta = folder.read("Assets/Data/New/LanternSettings.asset.meta");
        assert!(meta.contains("mainObjectFileID: 11400000\n"), "{meta}");
    }

    const ITEM: &str = "//- Assets/Item.cs\nusing UnityEngine;\nusing System.Collections.Generic;\npublic enum Kind { Sword, Bow = 5 }\npublic class Item : ScriptableObject {\n  public Kind kind = Kind.Bow;\n  public bool isRare;\n  public Vector3 size;\n  public Material look;\n  public List<string> tags;\n  public Kind[] others;\n  [SerializeField] Item next;\n}\npublic abstract class Base : ScriptableObject {}\npublic class Enemy : MonoBehaviour {}\n\
        //- Assets/Item.cs.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\n\
        //- Assets/Red.mat\n%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Red\n\
        //- Assets/Red.mat.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000002\nNativeFormatImporter:\n  mainObjectFileID: 2100000\n";

    #[test]
    fn values_of_every_kind_are_set() {
        let folder = Folder::unity(ITEM);
        let values = json!({ "kind": "Sword", "isRare": true, "size": { "y": 2 }, "look": "Assets/Red.mat", "tags": ["a", "b: c"], "others": ["Bow", 0], "next": null });
        let arguments = json!({ "path": "Assets/Blade.asset", "class": "Item", "values": values });
        call_writing(&folder, super::TOOL.id, arguments).unwrap();
        let made = folder.read("Assets/Blade.asset");
        expect![[r#"
            : 
              kind: 0
              isRare: 1
              size: {x: 0, y: 2, z: 0}
              look: {fileID: 2100000, guid: abc00000000000000000000000000002, type: 2}
              tags:
              - a
              - 'b: c'
              others: 0500000000000000
              next: {fileID: 0}
        "#]]
        .assert_eq(made.split("m_EditorClassIdentifier").nth(1).unwrap());
        let told = |class: &str, values: Value| {
            let arguments = json!({ "path": "Assets/New.asset", "class": class, "values": values });
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text()
        };
        let refused = [
            told("Itme", json!({})),
            told("Enemy", json!({})),
            told("Base", json!({})),
            told("Item", json!({ "knid": 1 })),
            told("Item", json!({ "kind": "Axe" })),
            told("Item", json!({ "isRare": "yes" })),
            told("Item", json!({ "look": "Assets/Blue.mat" })),
            told("Item", json!({ "look": "Assets/Item.cs" })),
            told("Item", json!({ "tags": "a" })),
        ];
        expect![[r#"
            Type not found: Itme
            Try: did you mean Item?
            Enemy is no ScriptableObject (it derives from MonoBehaviour)
            Base is abstract or generic: there are no assets of it
            Item has no field knid
            Try: did you mean kind?
            kind of Item: the field takes one of Sword, Bow, or its number, and not "Axe"
            Try: nothing was changed
            isRare of Item: the field takes true or false, and not "yes"
            Try: nothing was changed
            look of Item: there is no asset Assets/Blue.mat
            Try: did you mean Assets/Red.mat?
            look of Item: the field takes a Material, and Assets/Item.cs is a MonoScript
            Try: nothing was changed
            tags of Item: the field takes a list, each item text, and not "a"
            Try: nothing was changed"#]]
        .assert_eq(&refused.join("\n"));
        assert!(!folder.path("Assets/New.asset").exists());
    }
}
