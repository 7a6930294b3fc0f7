//! The tool `asset.importSettings`: Import Settings.

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::importer::{Importer, Refused};
use scenewright_unity::{Document, Value, ValueKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::base::InUnity;

pub(crate) const TOOL: Tool = Tool {
    id: "asset.importSettings",
    keywords: "texture importer model importer audio importer meta max size compression readable mipmaps srgb filter wrap sprite normal map pixels per unit load type get set change mode scale quality format platform rig read write enabled",
    argument_aliases: &[("values", "settings")],
    title: "Import Settings",
    notes: Some(
        "Unity imports the asset anew when it sees the change. Settings that the `.meta` does not have cannot be added.",
    ),
    category: "asset",
    safety: Safety::SafeWrite,
    reads_if: Some(|arguments| {
        arguments.get("action").is_some_and(|action| action == "get")
            || !["settings", "values"].iter().any(|name| arguments.contains_key(*name))
    }),
    idempotent: true,
    after: &[
        Earlier {
            tool: "project.writeFile",
            input: r#"{ "project": "unity", "path": "Assets/Stone.png.meta", "content": "fileFormatVersion: 2\nguid: 3a0c3b1d2e4f5061728394a5b6c7d8e9\nTextureImporter:\n  isReadable: 0\n  textureType: 0\n" }"#,
        },
        Earlier {
            tool: "project.writeFile",
            input: r#"{ "project": "unity", "path": "Assets/Stone.png", "content": "" }"#,
        },
    ],
    examples: &[Example {
        description: "Make a texture that was put there before a normal map",
        input: r#"{ "path": "Assets/Stone.png", "settings": { "textureType": "NormalMap", "readable": true } }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Stone.png",
            "importer": "TextureImporter",
            "settings": { "isReadable": 1, "textureType": 1 },
            "platforms": [],
            "changed": ["textureType", "isReadable"],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell how Unity imports a texture, model, sound or other asset, and set it: any setting of its
/// `.meta`, by the name in the file or in Unity's API, with choices by name. Everything else in the
/// `.meta` keeps its bytes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The asset, such as `Assets/Textures/Stone.png`.
    path: String,
    /// `get` tells the settings, `set` sets them; as `settings` are given or not by default.
    action: Option<Action>,
    /// What to set, such as `{"maxTextureSize": 512, "filterMode": "Point", "isReadable": true}`;
    /// nothing is changed without it.
    #[serde(default)]
    settings: Map<String, Json>,
    /// Platform that the settings are for, such as `Android`; textures only.
    platform: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Get,
    Set,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The asset, from the project's root.
    path: String,
    /// What imports it, such as `TextureImporter`.
    importer: String,
    /// Its settings, afterwards, by their paths in the `.meta`.
    settings: Map<String, Json>,
    /// The platforms with settings of their own, in the order of `platformSettings`.
    platforms: Vec<String>,
    /// The settings that were asked for, by their paths.
    changed: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let asset = unity.asset(Some(&input.path), None)?;
    let path = ProjectPath::parse(unity.project, &asset.path())?;
    let meta = unity.meta_path(&path)?;
    let before = door::read(cx, unity.project, &meta).map_err(|_| {
        ToolError::new(ErrorKind::EngineError, format!("{path} has no .meta"))
            .hint("Unity makes it when it sees the file; open the project once")
    })?;
    let document = Document::parse(before.as_slice());
    let importer = Importer::of(&document)
        .ok_or_else(|| ToolError::new(ErrorKind::EngineError, format!("{meta} has no importer")))?;
    if input.action == Some(Action::Get) && !input.settings.is_empty() {
        return Err(ToolError::bad_argument("settings", "are for the action set"));
    }
    let mut edits = Edits::default();
    let changed = set(&importer, &input, &mut edits)?;
    let after = edits.apply(&before).map_err(|error| ToolError::failed(error.to_string()))?;
    let document = Document::parse(after.as_slice());
    let now = Importer::of(&document)
        .ok_or_else(|| ToolError::failed("the .meta cannot be read any more"))?;
    unity.tell_lost_sprite(&path, &before, &after);
    let mut plan = Plan::new(unity.project);
    plan.write(&meta, Some(&before), after.as_slice());
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        importer: now.class.to_string(),
        settings: now.settings().into_iter().map(|(path, value)| (path, json(value))).collect(),
        platforms: now.platform_names(),
        changed,
        written,
    })
}

fn set(
    importer: &Importer<'_>,
    input: &Input,
    edits: &mut Edits,
) -> Result<Vec<String>, ToolError> {
    let refused = |why: Refused| {
        let error = ToolError::new(ErrorKind::BadArguments, why.to_string());
        let Refused::Unknown { name, .. } = &why else { return error };
        let known = importer.settings();
        let last = known.iter().map(|(path, _)| path.rsplit('.').next().unwrap_or(path));
        let known: BTreeSet<&str> = last.collect();
        if input.platform.is_some() && known.contains(name.as_str()) {
            return error.hint("it is for all platforms: set it without `platform`");
        }
        let near = suggest::nearest(name, known);
        match near.is_empty() {
            false => error.hint(format!("did you mean {}?", near.join(" or "))),
            true => error.hint("without settings the tool tells all that there are"),
        }
    };
    match &input.platform {
        None => {
            let set =
                |(name, value): (&String, &Json)| importer.set(name, value, edits).map_err(refused);
            input.settings.iter().map(set).collect()
        }
        Some(platform) => {
            let values: Vec<(&str, &Json)> =
                input.settings.iter().map(|(name, value)| (name.as_str(), value)).collect();
            if values.is_empty() {
                return Ok(Vec::new());
            }
            importer.set_platform(platform, &values, edits).map_err(refused)?;
            Ok(values.into_iter().map(|(name, _)| format!("{platform}.{name}")).collect())
        }
    }
}

fn json(value: Value<'_>) -> Json {
    match value.kind() {
        ValueKind::Map => {
            value.fields().map(|(key, value)| (key.into_owned(), json(value))).collect()
        }
        _ => match (value.as_i64(), value.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(number)) => number.into(),
            (None, None) => value.text().into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_writing};

    const ASSETS: &str = "//- Assets/A.png\nx\n//- Assets/A.png.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\nTextureImporter:\n  mipmaps:\n    enableMipMap: 1\n  platformSettings:\n  - serializedVersion: 3\n    buildTarget: DefaultTexturePlatform\n    maxTextureSize: 2048\n    overridden: 0\n  spritePivot: {x: 0.5, y: 0.5}\n//- Assets/B.wav\nx\n//- Assets/B.wav.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000002\nAudioImporter:\n  defaultSettings:\n    loadType: 0\n    quality: 1\n  forceToMono: 0\n//- Assets/C.txt\nx\n";

    #[test]
    fn settings_are_told_without_a_permission_to_write() {
        let output =
            call_project(ASSETS, super::TOOL.id, json!({ "path": "Assets/A.png" })).unwrap().output;
        let expected = json!({
            "mipmaps.enableMipMap": 1,
            "platformSettings[0].buildTarget": "DefaultTexturePlatform",
            "platformSettings[0].maxTextureSize": 2048,
            "platformSettings[0].overridden": 0,
            "spritePivot": { "x": 0.5, "y": 0.5 },
        });
        assert_eq!(output["settings"], expected);
        assert_eq!(output["platforms"], json!(["DefaultTexturePlatform"]));
        let refused = call_project(
            ASSETS,
            super::TOOL.id,
            json!({ "path": "Assets/A.png", "settings": { "readable": true } }),
        );
        assert!(refused.is_err());
    }

    #[test]
    fn a_setting_of_an_old_meta_is_set_where_it_is_told() {
        let folder = Folder::unity(
            "//- Assets/Shot.wav\nx\n//- Assets/Shot.wav.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000003\nAudioImporter:\n  serializedVersion: 4\n  quality: -1\n  stream: 1\n",
        );
        let call = |settings: Value| {
            let arguments = json!({ "path": "Assets/Shot.wav", "settings": settings });
            call_writing(&folder, super::TOOL.id, arguments)
        };
        let output = call(json!({ "quality": 7 })).unwrap().output;
        assert_eq!(output["settings"], json!({ "quality": 7, "stream": 1 }));
        assert_eq!(output["changed"], json!(["quality"]));
        assert!(folder.read("Assets/Shot.wav.meta").ends_with("  quality: 7\n  stream: 1\n"));
        expect![[r#"
            AudioImporter has no setting loadType
            Try: without settings the tool tells all that there are"#]]
        .assert_eq(&call(json!({ "loadType": "Streaming" })).unwrap_err().text());
    }

    #[test]
    fn settings_change_and_the_rest_stays() {
        let folder = Folder::unity(ASSETS);
        let call = |arguments: Value| call_writing(&folder, super::TOOL.id, arguments);
        let set = |path: &str, settings: Value| call(json!({ "path": path, "settings": settings }));
        set(
            "Assets/B.wav",
            json!({ "loadType": "Streaming", "quality": 0.5, "forceToMono": true }),
        )
        .unwrap();
        assert!(
            folder
                .read("Assets/B.wav.meta")
                .ends_with("    loadType: 2\n    quality: 0.5\n  forceToMono: 1\n")
        );
        let output = set("Assets/A.png", json!({ "maxTextureSize": 256, "mipmapEnabled": false }))
            .unwrap()
            .output;
        assert_eq!(
            output["changed"],
            json!(["platformSettings[0].maxTextureSize", "mipmaps.enableMipMap"])
        );
        call(json!({ "path": "Assets/A.png", "settings": { "maxTextureSize": 128 }, "platform": "Android" })).unwrap();
        let meta = folder.read("Assets/A.png.meta");
        expect![[r#"
            fileFormatVersion: 2
            guid: abc00000000000000000000000000001
            TextureImporter:
              mipmaps:
                enableMipMap: 0
              platformSettings:
              - serializedVersion: 3
                buildTarget: DefaultTexturePlatform
                maxTextureSize: 256
                overridden: 0
              - serializedVersion: 3
                buildTarget: Android
                maxTextureSize: 128
                overridden: 1
              spritePivot: {x: 0.5, y: 0.5}
        "#]]
        .assert_eq(&meta);
        let told = |arguments: Value| call(arguments).unwrap_err().text();
        let refused = [
            told(json!({ "path": "Assets/A.png", "settings": { "maxTexturSize": 1 } })),
            told(json!({ "path": "Assets/B.wav", "settings": { "loadType": "Fast" } })),
            told(
                json!({ "path": "Assets/B.wav", "settings": { "quality": 1 }, "platform": "Android" }),
            ),
            told(
                json!({ "path": "Assets/A.png", "settings": { "spritePivot": [0, 0] }, "platform": "Android" }),
            ),
            told(json!({ "path": "Assets/C.txt", "settings": {} })),
        ];
        expect![[r#"
            TextureImporter has no setting maxTexturSize
            Try: did you mean maxTextureSize?
            loadType cannot be "Fast": there is DecompressOnLoad, CompressedInMemory, Streaming
            AudioImporter has no settings by platform
            TextureImporter has no setting spritePivot
            Try: it is for all platforms: set it without `platform`
            Assets/C.txt has no .meta
            Try: Unity makes it when it sees the file; open the project once"#]]
        .assert_eq(&refused.join("\n"));
    }
}
