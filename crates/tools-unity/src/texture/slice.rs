//! The tool `texture.slice`: Slice Sprites.

use image::GenericImageView;
use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::Document;
use scenewright_unity::importer::Importer;
use scenewright_unity::importer::sprites::Sprite;
use scenewright_unity::types::Version;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::stem;
use crate::base::{InUnity, Unity};

/// More sprites than this no texture has.
const MAX_SPRITES: usize = 4096;

pub(crate) const TOOL: Tool = Tool {
    id: "texture.slice",
    keywords: "sprite sheet slicing grid cells frames sprites multiple rect spritesheet cut texture meta tiles animation",
    argument_aliases: &[("texturePath", "path")],
    title: "Slice Sprites",
    notes: Some(
        "The texture needs a `.meta` of Unity 2019.2 or later, which Unity makes when it sees the file.",
    ),
    category: "texture",
    safety: Safety::SafeWrite,
    idempotent: true,
    after: SHEET,
    examples: &[Example {
        description: "Cut a sheet of two cells that was made before",
        input: r#"{ "path": "Assets/Sheet.tga", "cellWidth": 2, "cellHeight": 2 }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Sheet.tga",
            "sprites": [
                { "name": "Sheet_0", "rect": [0, 0, 2, 2], "internalID": 1 },
                { "name": "Sheet_1", "rect": [2, 0, 2, 2], "internalID": 2 }
            ],
            "empty": 0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["sprites", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// A picture of four by two pixels whose bytes are all letters or control characters, and its meta.
const SHEET: &[Earlier] = &[
    Earlier {
        tool: "project.writeFile",
        input: r#"{ "project": "unity", "path": "Assets/Sheet.tga", "content": "\u0000\u0000\u0002\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0004\u0000\u0002\u0000\u0018\u0000abcdefghijklmnopqrstuvwx" }"#,
    },
    Earlier {
        tool: "project.writeFile",
        input: r#"{ "project": "unity", "path": "Assets/Sheet.tga.meta", "content": "fileFormatVersion: 2\nguid: 3a0c3b1d2e4f5061728394a5b6c7d8e9\nTextureImporter:\n  internalIDToNameTable: []\n  spriteMode: 1\n  textureType: 8\n  spriteSheet:\n    serializedVersion: 2\n    sprites: []\n    nameFileIdTable: {}\n" }"#,
    },
];

/// Cut a texture into sprites, in its `.meta`: by a grid of cells, or by rectangles of your own. A
/// sprite that keeps its name keeps its id, so references hold; sprites that are not named any more
/// go, which the answer tells.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The texture, such as `Assets/Art/Hero.png`.
    path: String,
    /// Width of a cell in pixels; with `cellHeight`, instead of `sprites`.
    #[schemars(range(min = 1))]
    cell_width: Option<u32>,
    /// Height of a cell in pixels.
    #[schemars(range(min = 1))]
    cell_height: Option<u32>,
    /// Pixels before the first cell, from the left and from the top: two numbers.
    #[serde(default)]
    offset: Vec<u32>,
    /// Pixels between two cells, across and down: two numbers.
    #[serde(default)]
    padding: Vec<u32>,
    /// What names begin with; the texture's name by default. Cells are counted from the upper left.
    prefix: Option<String>,
    /// Keep cells in which nothing is to be seen.
    #[serde(default)]
    keep_empty: bool,
    /// Pivot of every cell, from 0 to 1, with the origin at the lower left.
    pivot: Option<Vec<f32>>,
    /// Rectangles with names.
    #[serde(default)]
    sprites: Vec<Part>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Part {
    /// Its name, unique in the texture.
    name: String,
    /// Left, bottom, width and height in pixels, with the origin at the lower left, as Unity has it.
    rect: Vec<u32>,
    /// Pivot, from 0 to 1: two numbers.
    pivot: Option<Vec<f32>>,
    /// Left, bottom, right and top of what does not stretch.
    border: Option<Vec<f32>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The texture, from the project's root.
    path: String,
    /// Its sprites now.
    sprites: Vec<Made>,
    /// How many cells were left out because nothing is to be seen in them.
    empty: usize,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Made {
    /// Its name.
    name: String,
    /// Left, bottom, width and height in pixels.
    rect: [u32; 4],
    /// The id by which references name it.
    #[serde(rename = "internalID")]
    internal_id: i64,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (path, picture) = unity.picture(&input.path)?;
    let size = picture.dimensions();
    let (sprites, empty) = match (input.sprites.is_empty(), input.cell_width, input.cell_height) {
        (true, Some(width), Some(height)) => {
            let alpha =
                (!input.keep_empty && picture.color().has_alpha()).then(|| picture.to_rgba8());
            let is_seen = |[x, y, width, height]: [u32; 4]| {
                let Some(pixels) = &alpha else { return true };
                let top = size.1 - y - height;
                pixels.view(x, top, width, height).pixels().any(|(_, _, pixel)| pixel.0[3] > 0)
            };
            grid(&input, stem(path.as_str()), size, (width, height), is_seen)?
        }
        (false, None, None) => (parts(&input.sprites, size)?, 0),
        _ => {
            let message = "either sprites, or both cellWidth and cellHeight are needed";
            return Err(ToolError::new(ErrorKind::BadArguments, message));
        }
    };
    let meta = unity.meta_path(&path)?;
    let before = door::read(cx, unity.project, &meta).map_err(|_| {
        ToolError::new(ErrorKind::EngineError, format!("{path} has no .meta"))
            .hint("Unity makes it when it sees the file; open the project once")
    })?;
    let (edits, ids) = cut(cx, &unity, &path, &before, &sprites)?;
    let after = edits.apply(&before).map_err(|error| ToolError::failed(error.to_string()))?;
    unity.tell_lost_sprite(&path, &before, &after);
    let mut plan = Plan::new(unity.project);
    plan.edit(&meta, &before, &edits)?;
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let made = sprites.into_iter().zip(ids);
    let made =
        made.map(|(sprite, id)| Made { name: sprite.name, rect: sprite.rect, internal_id: id });
    Ok(Output { success: true, path: path.to_string(), sprites: made.collect(), empty, written })
}

fn cut(
    cx: &Cx,
    unity: &Unity<'_>,
    path: &ProjectPath,
    meta: &[u8],
    sprites: &[Sprite],
) -> Result<(Edits, Vec<i64>), ToolError> {
    let refused = |why: String| {
        ToolError::new(ErrorKind::EngineError, format!("{path} cannot be cut: {why}"))
            .hint("nothing was changed")
    };
    let document = Document::parse(meta);
    let importer = Importer::of(&document).filter(|importer| importer.class == "TextureImporter");
    let importer = importer.ok_or_else(|| refused("its .meta is not one of a texture".into()))?;
    let version = Version::parse(&unity.unity.settings.version.text).unwrap_or(Version::NEWEST);
    let seed = document.guid().map(|guid| guid.to_string()).unwrap_or_default();
    let mut edits = Edits::default();
    let ids = importer
        .set_sprites(sprites, version, &seed, &mut edits)
        .map_err(|why| refused(why.to_string()))?;
    let is_gone = |name: &str| !sprites.iter().any(|sprite| sprite.name == name);
    let gone: Vec<String> = importer
        .sprites()
        .into_iter()
        .map(|(sprite, _)| sprite.name)
        .filter(|name| is_gone(name))
        .collect();
    if !gone.is_empty() {
        let more =
            if gone.len() > 5 { format!(" and {} more", gone.len() - 5) } else { String::new() };
        let few = gone.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        cx.diagnose(format!("Sprites that are gone, with every reference to them: {few}{more}."));
    }
    Ok((edits, ids))
}

/// The cells of a grid in which something is to be seen, and how many others there are.
fn grid(
    input: &Input,
    name: &str,
    (width, height): (u32, u32),
    (cell_width, cell_height): (u32, u32),
    is_seen: impl Fn([u32; 4]) -> bool,
) -> Result<(Vec<Sprite>, usize), ToolError> {
    let two = |name: &str, given: &[u32]| match given {
        [] => Ok([0, 0]),
        given => numbers(name, given),
    };
    let (offset, padding) = (two("offset", &input.offset)?, two("padding", &input.padding)?);
    let count = |whole: u32, before: u32, cell: u32, between: u32| {
        let room = u64::from(whole.saturating_sub(before)) + u64::from(between);
        (room / (u64::from(cell) + u64::from(between)).max(1)) as u32
    };
    let columns = count(width, offset[0], cell_width, padding[0]);
    let rows = count(height, offset[1], cell_height, padding[1]);
    let cells = u64::from(columns) * u64::from(rows);
    if cells == 0 || cells > MAX_SPRITES as u64 || cell_width == 0 || cell_height == 0 {
        let message = format!(
            "cells of {cell_width} x {cell_height} come to {cells} in {width} x {height} pixels"
        );
        return Err(ToolError::new(ErrorKind::BadArguments, message)
            .hint(format!("there may be 1 to {MAX_SPRITES}")));
    }
    let prefix = input.prefix.as_deref().unwrap_or(name);
    let pivot = input.pivot.as_deref().map(|pivot| numbers("pivot", pivot)).transpose()?;
    let (mut sprites, mut empty) = (Vec::new(), 0);
    for row in 0..rows {
        for column in 0..columns {
            let x = offset[0] + column * (cell_width + padding[0]);
            let top = offset[1] + row * (cell_height + padding[1]);
            let rect = [x, height - top - cell_height, cell_width, cell_height];
            if !is_seen(rect) {
                empty += 1;
                continue;
            }
            let name = format!("{prefix}_{}", sprites.len());
            sprites.push(Sprite { name, rect, pivot, border: None });
        }
    }
    match sprites.is_empty() {
        true => {
            Err(ToolError::failed("nothing is to be seen in any cell").hint("keepEmpty keeps them"))
        }
        false => Ok((sprites, empty)),
    }
}

/// So many numbers as are needed.
fn numbers<T: Copy, const N: usize>(name: &str, given: &[T]) -> Result<[T; N], ToolError> {
    let found = given.try_into();
    found.map_err(|_| ToolError::bad_argument(name, &format!("must have {N} numbers")))
}

/// Rectangles of the caller's own.
fn parts(parts: &[Part], (width, height): (u32, u32)) -> Result<Vec<Sprite>, ToolError> {
    let bad = |message: String| Err(ToolError::new(ErrorKind::BadArguments, message));
    if parts.len() > MAX_SPRITES {
        return bad(format!("{} sprites are more than {MAX_SPRITES}", parts.len()));
    }
    let mut sprites: Vec<Sprite> = Vec::new();
    for Part { name, rect, pivot, border } in parts {
        let rect: [u32; 4] = numbers("rect", rect)?;
        let pivot = pivot.as_deref().map(|pivot| numbers("pivot", pivot)).transpose()?;
        let border = border.as_deref().map(|border| numbers("border", border)).transpose()?;
        let [x, y, w, h] = rect;
        let is_inside = w > 0
            && h > 0
            && x.checked_add(w).is_some_and(|right| right <= width)
            && y.checked_add(h).is_some_and(|top| top <= height);
        if !is_inside {
            return bad(format!("{name} at {rect:?} is not inside of {width} x {height} pixels"));
        }
        if name.trim().is_empty() || sprites.iter().any(|other| other.name == *name) {
            return bad(format!("{name:?} is no name, or that of two sprites"));
        }
        sprites.push(Sprite { name: name.clone(), rect, pivot, border });
    }
    Ok(sprites)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use image::{DynamicImage, Rgba, RgbaImage};
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::base::pictures::encode;
    use crate::testing::call_writing;

    const META: &str = "//- Assets/Hero.png.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\nTextureImporter:\n  internalIDToNameTable: []\n  spriteMode: 1\n  textureType: 0\n  spriteSheet:\n    sprites: []\n    nameFileIdTable: {}\n";

    fn folder() -> Folder {
        let folder = Folder::unity(META);
        let mut picture = RgbaImage::new(34, 16);
        picture.put_pixel(3, 3, Rgba([1, 2, 3, 255]));
        picture.put_pixel(20, 12, Rgba([1, 2, 3, 4]));
        let bytes = encode("a.png", &DynamicImage::ImageRgba8(picture)).unwrap();
        std::fs::write(folder.path("Assets/Hero.png"), bytes).unwrap();
        folder
    }

    fn call(folder: &Folder, arguments: Value) -> Result<Vec<String>, String> {
        let outcome =
            call_writing(folder, super::TOOL.id, arguments).map_err(|error| error.text())?;
        let sprites = outcome.output["sprites"].as_array().unwrap().iter();
        let told = sprites
            .map(|sprite| format!("{} {}", sprite["name"].as_str().unwrap(), sprite["rect"]));
        Ok(told.chain(outcome.diagnostics.clone()).collect())
    }

    #[test]
    fn users_of_a_single_sprite_that_is_cut_are_told() {
        let folder = folder();
        folder.write(
            "Assets/Hero.png.meta",
            folder.read("Assets/Hero.png.meta").replace("textureType: 0", "textureType: 8"),
        );
        folder.write(
            "Assets/Hero.prefab",
            "%YAML 1.1\n--- !u!212 &5\nSpriteRenderer:\n  m_Sprite: {fileID: 21300000, guid: abc00000000000000000000000000001, type: 3}\n",
        );
        folder.write(
            "Assets/Hero.prefab.meta",
            "fileFormatVersion: 2\nguid: abc00000000000000000000000000002\nPrefabImporter:\n",
        );
        let lost =
            "Assets/Hero.png is no single sprite any more, so these lose it: Assets/Hero.prefab.";
        let mode = json!({ "path": "Assets/Hero.png", "settings": { "spriteMode": "Multiple" }, "dryRun": true });
        let outcome = call_writing(&folder, "asset.importSettings", mode).unwrap();
        assert_eq!(outcome.diagnostics, [lost]);
        let cut = json!({ "path": "Assets/Hero.png", "cellWidth": 8, "cellHeight": 8 });
        assert_eq!(call(&folder, cut).unwrap().last().unwrap(), lost);
    }

    #[test]
    fn cells_are_counted_from_the_upper_left_and_empty_ones_left_out() {
        let folder = folder();
        let told =
            call(&folder, json!({ "path": "Assets/Hero.png", "cellWidth": 8, "cellHeight": 8 }))
                .unwrap();
        assert_eq!(told, ["Hero_0 [0,8,8,8]", "Hero_1 [16,0,8,8]"]);
        let meta = folder.read("Assets/Hero.png.meta");
        assert!(meta.contains("  spriteMode: 2\n  textureType: 8\n"), "{meta}");
        let id = |name: &str, meta: &str| {
            let table = meta.split("nameFileIdTable:\n").nth(1).unwrap().to_owned();
            let line = table.lines().find(|line| line.trim().starts_with(name)).map(str::to_owned);
            line.unwrap_or_default()
        };
        let first = id("Hero_1", &meta);
        let parts = json!([{ "name": "Hero_1", "rect": [0, 0, 4, 4], "pivot": [0, 0], "border": [1, 1, 1, 1] }]);
        let told = call(&folder, json!({ "path": "Assets/Hero.png", "sprites": parts })).unwrap();
        assert_eq!(
            told,
            ["Hero_1 [0,0,4,4]", "Sprites that are gone, with every reference to them: Hero_0."]
        );
        assert_eq!(id("Hero_1", &folder.read("Assets/Hero.png.meta")), first);
        let all = json!({ "path": "Assets/Hero.png", "cellWidth": 16, "cellHeight": 16, "padding": [2, 0], "prefix": "run", "keepEmpty": true });
        assert_eq!(call(&folder, all).unwrap()[..2], ["run_0 [0,0,16,16]", "run_1 [18,0,16,16]"]);
    }

    #[test]
    fn what_is_not_inside_or_not_clear_is_refused() {
        let folder = folder();
        folder.write("Assets/Bare.png", "x");
        let told = |arguments: Value| call(&folder, arguments).unwrap_err();
        let part = |name: &str, rect: [u32; 4]| json!([{ "name": name, "rect": rect }, { "name": "b", "rect": [0, 0, 1, 1] }]);
        let refused = [
            told(json!({ "path": "Assets/Hero.png" })),
            told(json!({ "path": "Assets/Hero.png", "cellWidth": 8 })),
            told(json!({ "path": "Assets/Hero.png", "cellWidth": 80, "cellHeight": 8 })),
            told(json!({ "path": "Assets/Hero.png", "sprites": part("a", [30, 0, 8, 8]) })),
            told(json!({ "path": "Assets/Hero.png", "sprites": part("b", [0, 0, 8, 8]) })),
            told(json!({ "path": "Assets/Bare.png", "cellWidth": 8, "cellHeight": 8 })),
        ];
        expect![[r#"
            either sprites, or both cellWidth and cellHeight are needed
            either sprites, or both cellWidth and cellHeight are needed
            cells of 80 x 8 come to 0 in 34 x 16 pixels
            Try: there may be 1 to 4096
            a at [30, 0, 8, 8] is not inside of 34 x 16 pixels
            "b" is no name, or that of two sprites
            Assets/Bare.png cannot be read as a picture: unexpected end of file"#]]
        .assert_eq(&refused.join("\n"));
        assert!(folder.read("Assets/Hero.png.meta").contains("spriteMode: 1"));
    }
}
