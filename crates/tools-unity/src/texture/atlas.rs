//! The tool `texture.atlas`: Pack Atlas.

mod pack;

use std::time::Duration;

use image::{DynamicImage, RgbaImage};
use scenewright_contract::{ErrorKind, Limits, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::importer::Importer;
use scenewright_unity::importer::sprites::{self, Sprite};
use scenewright_unity::meta::with_guid;
use scenewright_unity::{Document, Guid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::{NewFiles, stem};
use crate::base::pictures::encode;
use crate::base::{InUnity, Unity};

/// More textures in one call are refused, as the catalogue has it.
const MAX_TEXTURES: usize = 16;
const MAX_SIDE: u32 = 4096;

pub(crate) const TOOL: Tool = Tool {
    id: "texture.atlas",
    keywords: "pack combine textures sprites into one atlas sheet spritesheet png images sprite pictures texture packer",
    argument_aliases: &[("paths", "texturePaths"), ("name", "atlasName")],
    title: "Pack Atlas",
    notes: Some(
        "The sources stay, and nothing refers to the atlas yet. Its import settings are those of the first texture, with a sprite for each.",
    ),
    category: "texture",
    safety: Safety::SafeWrite,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    after: &[
        Earlier {
            tool: "project.writeFile",
            input: r#"{ "project": "unity", "path": "Assets/A.tga", "content": "\u0000\u0000\u0002\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0004\u0000\u0002\u0000\u0018\u0000abcdefghijklmnopqrstuvwx" }"#,
        },
        Earlier {
            tool: "project.writeFile",
            input: r#"{ "project": "unity", "path": "Assets/B.tga", "content": "\u0000\u0000\u0002\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0004\u0000\u0002\u0000\u0018\u0000abcdefghijklmnopqrstuvwx" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    examples: &[Example {
        description: "Pack two small pictures that were made before",
        input: r#"{ "texturePaths": ["Assets/A.tga", "Assets/B.tga"], "atlasName": "Icons", "padding": 0 }"#,
        output: r#"{
            "success": true,
            "atlasPath": "Assets/Icons.png",
            "size": [4, 4],
            "uvRects": [{ "x": 0.0, "y": 0.5, "w": 1.0, "h": 0.5 }, { "x": 0.0, "y": 0.0, "w": 1.0, "h": 0.5 }],
            "sourceMapping": [],
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["sourceMapping", "changes", "undo"],
    }],
    ..Tool::READ
};

/// Pack textures into one PNG whose sides are powers of two, with a sprite of the name of each in its
/// `.meta`. Tells where each texture is, as UV rectangles with the origin at the lower left.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The textures, at most 16.
    #[schemars(length(min = 1))]
    texture_paths: Vec<String>,
    /// Name of the atlas, or a path that ends with `.png`; beside the first texture by default.
    atlas_name: String,
    /// The longest side, a power of two up to 4096.
    #[serde(default = "usual_side")]
    max_size: u32,
    /// How many textures there may be.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 16))]
    max_textures: usize,
    /// Pixels between two textures.
    #[serde(default = "usual_padding")]
    #[schemars(range(max = 256))]
    padding: u32,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn usual_side() -> u32 {
    2048
}

fn most() -> usize {
    MAX_TEXTURES
}

fn usual_padding() -> u32 {
    4
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The atlas, from the project's root.
    atlas_path: String,
    /// Its width and height.
    size: Vec<u32>,
    /// Where each texture is, in the order of the call.
    uv_rects: Vec<UvRect>,
    /// The same with the textures.
    source_mapping: Vec<Source>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
struct UvRect {
    /// Left.
    x: f64,
    /// Bottom.
    y: f64,
    /// Width.
    w: f64,
    /// Height.
    h: f64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Source {
    /// The texture.
    source: String,
    /// Where it is.
    uv_rect: UvRect,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let sources = sources(cx, &unity, &input)?;
    let sizes: Vec<(u32, u32)> = sources.iter().map(|(_, picture)| picture.dimensions()).collect();
    let packed = pack::pack(&sizes, input.padding, input.max_size).ok_or_else(|| {
        let message =
            format!("Failed to pack textures: they do not fit into {0} x {0}", input.max_size);
        ToolError::new(ErrorKind::EngineError, message).hint("raise maxSize, or pack fewer")
    })?;
    let path = place(&unity, &sources[0].0, &input.atlas_name)?;
    unity.must_be_new(&path)?;
    let (width, height) = packed.size;
    let mut atlas = RgbaImage::new(width, height);
    for ((_, picture), at) in sources.iter().zip(&packed.places) {
        image::imageops::replace(&mut atlas, picture, at.0.into(), at.1.into());
    }
    let mut files = NewFiles::default();
    files.parents(&unity, &path)?;
    files.add_bare(path.clone(), encode(path.as_str(), &DynamicImage::ImageRgba8(atlas))?);
    let sprites = sprites(&sources, &packed);
    let guid = unity.fresh_guid()?;
    let meta = meta_like(&unity, &sources[0].0, &sprites, guid);
    let meta = meta.or_else(|why| match new_meta(&unity, &sprites, guid) {
        Some(meta) => {
            cx.diagnose(format!("The atlas has the usual settings of sprites: {why}."));
            Ok(meta)
        }
        None => Err(why),
    });
    match meta {
        Ok(meta) => files.add_bare(unity.meta_path(&path)?, meta),
        Err(why) => cx.diagnose(format!(
            "The atlas has no .meta with sprites, and Unity will make one: {why}."
        )),
    }
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let uv_rects: Vec<UvRect> = sprites.iter().map(|sprite| uv(sprite.rect, packed.size)).collect();
    let mapped = sources.iter().zip(&uv_rects);
    Ok(Output {
        success: true,
        atlas_path: path.to_string(),
        size: vec![width, height],
        source_mapping: mapped
            .map(|((path, _), rect)| Source { source: path.to_string(), uv_rect: *rect })
            .collect(),
        uv_rects,
        written,
    })
}

/// The textures that a call names.
fn sources(
    cx: &Cx,
    unity: &Unity<'_>,
    input: &Input,
) -> Result<Vec<(ProjectPath, RgbaImage)>, ToolError> {
    let bad = |message: String| ToolError::new(ErrorKind::BadArguments, message);
    if !input.max_size.is_power_of_two() || input.max_size > MAX_SIDE {
        let size = input.max_size;
        return Err(bad(format!("Invalid max size (must be power of 2, ≤ {MAX_SIDE}): {size}")));
    }
    let count = input.texture_paths.len();
    if count == 0 || count > input.max_textures.min(MAX_TEXTURES) {
        return Err(bad(format!("Max textures limit exceeded: {count} of {}", input.max_textures)));
    }
    let mut sources: Vec<(ProjectPath, RgbaImage)> = Vec::new();
    for asked in &input.texture_paths {
        cx.check_cancelled()?;
        let (path, picture) = unity.picture(asked)?;
        if sources.iter().any(|(known, _)| *known == path) {
            return Err(bad(format!("{path} is named twice")));
        }
        sources.push((path, picture.to_rgba8()));
    }
    Ok(sources)
}

fn place(unity: &Unity<'_>, first: &ProjectPath, name: &str) -> Result<ProjectPath, ToolError> {
    let name = name.trim();
    let folder = first.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    match (name.contains('/'), name.to_ascii_lowercase().ends_with(".png")) {
        (true, true) => unity.asset_place(name),
        (true, false) => unity.asset_place(&format!("{name}.png")),
        (false, true) => unity.asset_place(&format!("{folder}/{name}")),
        (false, false) => unity.asset_place(&format!("{folder}/{name}.png")),
    }
}

fn sprites(sources: &[(ProjectPath, RgbaImage)], packed: &pack::Packed) -> Vec<Sprite> {
    let mut sprites: Vec<Sprite> = Vec::new();
    for ((path, picture), (x, y)) in sources.iter().zip(&packed.places) {
        let (width, height) = picture.dimensions();
        let plain = stem(path.as_str());
        let is_taken = |name: &str| sprites.iter().any(|other| other.name == name);
        let mut name = plain.to_owned();
        // Two files of one name in different folders.
        for number in 1.. {
            if !is_taken(&name) {
                break;
            }
            name = format!("{plain} {number}");
        }
        // Rows of pictures go down, those of sprites up.
        let rect = [*x, packed.size.1 - y - height, width, height];
        sprites.push(Sprite { name, rect, pivot: None, border: None });
    }
    sprites
}

fn uv([x, y, width, height]: [u32; 4], size: (u32, u32)) -> UvRect {
    let share = |part: u32, of: u32| f64::from(part) / f64::from(of);
    UvRect {
        x: share(x, size.0),
        y: share(y, size.1),
        w: share(width, size.0),
        h: share(height, size.1),
    }
}

/// The meta of the first texture with other sprites and another guid; or why there is none.
fn meta_like(
    unity: &Unity<'_>,
    first: &ProjectPath,
    sprites: &[Sprite],
    guid: Guid,
) -> Result<Vec<u8>, String> {
    let meta = unity.meta_of(first).ok_or_else(|| format!("{first} has no .meta"))?;
    let meta = with_guid(&meta, guid).ok_or_else(|| format!("the .meta of {first} has no guid"))?;
    with_sprites(unity, meta, sprites, guid).map_err(|why| format!("{first}: {why}"))
}

/// A meta as the project's version of Unity makes one.
fn new_meta(unity: &Unity<'_>, sprites: &[Sprite], guid: Guid) -> Option<Vec<u8>> {
    let meta = sprites::new_meta(guid, unity.version())?;
    with_sprites(unity, meta.into_bytes(), sprites, guid).ok()
}

fn with_sprites(
    unity: &Unity<'_>,
    meta: Vec<u8>,
    sprites: &[Sprite],
    guid: Guid,
) -> Result<Vec<u8>, String> {
    let document = Document::parse(meta);
    let importer = Importer::of(&document).filter(|importer| importer.class == "TextureImporter");
    let importer = importer.ok_or("the .meta is not one of a texture")?;
    let mut edits = Edits::default();
    importer
        .set_sprites(sprites, unity.version(), &guid.to_string(), &mut edits)
        .map_err(|why| why.to_string())?;
    edits.apply(document.as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use image::{DynamicImage, GenericImageView, Rgba, RgbaImage};
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::base::pictures::encode;
    use crate::testing::call_writing;

    const META: &str = "//- Assets/A.png.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\nTextureImporter:\n  internalIDToNameTable: []\n  spriteMode: 1\n  textureType: 0\n  spriteSheet:\n    sprites: []\n    nameFileIdTable: {}\n";

    fn folder() -> Folder {
        let folder = Folder::unity(META);
        for (name, size, color) in
            [("A", (16, 16), [255, 0, 0, 255]), ("B", (8, 30), [0, 255, 0, 255])]
        {
            let picture: DynamicImage = RgbaImage::from_pixel(size.0, size.1, Rgba(color)).into();
            let bytes = encode("a.png", &picture).unwrap();
            std::fs::write(folder.path(&format!("Assets/{name}.png")), bytes).unwrap();
        }
        folder
    }

    #[test]
    fn every_texture_is_where_the_answer_says() {
        let folder = folder();
        let arguments = json!({ "texturePaths": ["Assets/A.png", "Assets/B.png"], "atlasName": "Both", "padding": 2 });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        assert_eq!(output["atlasPath"], "Assets/Both.png");
        let atlas = image::open(folder.path("Assets/Both.png")).unwrap();
        let (width, height) = atlas.dimensions();
        assert_eq!(output["size"], json!([width, height]));
        assert!(width.is_power_of_two() && height.is_power_of_two());
        for (at, color) in [[255, 0, 0, 255], [0, 255, 0, 255]].into_iter().enumerate() {
            let rect = &output["uvRects"][at];
            let part = |key: &str, of: u32| (rect[key].as_f64().unwrap() * f64::from(of)) as u32;
            let (x, y, w, h) =
                (part("x", width), part("y", height), part("w", width), part("h", height));
            let top = height - y - h;
            for (x, y) in [(x, top), (x + w - 1, top + h - 1)] {
                assert_eq!(atlas.get_pixel(x, y).0, color, "{at}");
            }
        }
        let meta = folder.read("Assets/Both.png.meta");
        for part in [
            "    second: A\n",
            "    second: B\n",
            "  spriteMode: 2\n  textureType: 8\n",
            "      name: A\n      rect:\n        serializedVersion: 2\n        x: 10\n        y: 16\n        width: 16\n        height: 16\n",
            "      name: B\n      rect:\n        serializedVersion: 2\n        x: 0\n        y: 2\n        width: 8\n        height: 30\n",
        ] {
            assert!(meta.contains(part), "{part} in {meta}");
        }
        assert!(!meta.contains("guid: abc0"), "{meta}");
    }

    #[test]
    fn an_atlas_of_an_old_texture_has_sprites() {
        let folder = folder();
        let old = "fileFormatVersion: 2\nguid: abc00000000000000000000000000001\nTextureImporter:\n  fileIDToRecycleName: {}\n  serializedVersion: 4\n  spriteMode: 1\n  spriteSheet:\n    sprites: []\n";
        std::fs::write(folder.path("Assets/A.png.meta"), old).unwrap();
        std::fs::write(
            folder.path("ProjectSettings/ProjectVersion.txt"),
            "m_EditorVersion: 2022.3.20f1\n",
        )
        .unwrap();
        let arguments =
            json!({ "texturePaths": ["Assets/A.png", "Assets/B.png"], "atlasName": "Both" });
        let outcome = call_writing(&folder, super::TOOL.id, arguments).unwrap();
        expect!["The atlas has the usual settings of sprites: Assets/A.png: sprites cannot be 2 rectangles: the meta is of a Unity before 2019.2, which names sprites in another way."].assert_eq(&outcome.diagnostics.join("\n"));
        let meta = folder.read("Assets/Both.png.meta");
        for part in [
            "    second: A\n",
            "    second: B\n",
            "  externalObjects: {}\n  serializedVersion: 12\n",
            "  spriteMode: 2\n  spriteExtrude: 1\n",
            "      name: A\n      rect:\n        serializedVersion: 2\n        x: 12\n        y: 16\n",
            "      name: B\n      rect:\n        serializedVersion: 2\n        x: 0\n        y: 2\n",
        ] {
            assert!(meta.contains(part), "{part} in {meta}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let folder = folder();
        let told = |paths: Value, size: u32| {
            let arguments = json!({ "texturePaths": paths, "atlasName": "C", "maxSize": size });
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text()
        };
        let both = json!(["Assets/A.png", "Assets/B.png"]);
        let refused = [
            told(both.clone(), 16),
            told(both.clone(), 100),
            told(json!(["Assets/A.png", "Assets/A.png"]), 64),
            told(json!(["Assets/C.png"]), 64),
            told(json!(vec!["Assets/A.png"; 17]), 64),
        ];
        expect![[r#"
            Failed to pack textures: they do not fit into 16 x 16
            Try: raise maxSize, or pack fewer
            Invalid max size (must be power of 2, ≤ 4096): 100
            Assets/A.png is named twice
            Texture not found: Asset at path 'Assets/C.png' not found
            Try: did you mean Assets/A.png or Assets/B.png?
            Max textures limit exceeded: 17 of 16"#]]
        .assert_eq(&refused.join("\n"));
        assert!(!folder.path("Assets/C.png").exists());
    }
}
