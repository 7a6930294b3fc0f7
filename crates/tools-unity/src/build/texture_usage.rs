//! The tool `build.textureUsage`: Texture Usage.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use scenewright_contract::{Limits, Tier, ToolError};
use scenewright_toolkit::images::{self, Pixels};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::{Asset, AssetId, AssetKind, Flags};
use scenewright_unity::{ClassId, Document, Reference, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::footprint::human;
use crate::base::{InUnity, Unity};

const MATERIAL: ClassId = ClassId(21);
const MAX_TEXTURES: usize = 100;
const MAX_WARNINGS: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "build.textureUsage",
    keywords: "vram large textures texture memory compression max size biggest heaviest largest uncompressed ram",
    title: "Texture Usage",
    notes: Some(
        "Memory is width × height × bits of the format / 8, × 4/3 with mipmaps, for desktop builds.",
    ),
    category: "build",
    tier: Tier::Tier3,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(MAX_TEXTURES),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Ask for the textures of the Unity sample, which has none",
        input: "{}",
        output: r#"{
            "success": true,
            "totalTextureMemory": "0 B",
            "totalTextureBytes": 0,
            "textureCount": 0,
            "unreadableCount": 0,
            "usageByShader": {},
            "overdrawWarnings": [],
            "textures": []
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Estimate the memory of a Unity project's textures, in all and by the shaders whose materials use
/// them, and find sources that are larger than their import settings allow. Read from the images
/// and their metas: width × height × bits of the format / 8, × 4/3 with mipmaps.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Memory of all textures under Assets whose size could be read, for people.
    total_texture_memory: String,
    /// The same in bytes.
    total_texture_bytes: u64,
    /// How many textures there are.
    texture_count: usize,
    /// How many of them have a size that could not be read; they are in no sum.
    unreadable_count: usize,
    /// Memory of the textures that materials of each shader use. One that several shaders use is
    /// in the sum of each.
    usage_by_shader: BTreeMap<String, String>,
    /// Textures whose source is larger than maxTextureSize, worst first, at most a hundred.
    overdraw_warnings: Vec<Warning>,
    /// The textures, largest in memory first, at most a hundred.
    textures: Vec<Texture>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Warning {
    /// The texture.
    texture: String,
    /// By how many pixels the longer side of the source is over maxTextureSize.
    pixels_over_max_size: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Texture {
    /// The texture.
    path: String,
    /// Pixels across in the source.
    width: u32,
    /// Pixels down in the source.
    height: u32,
    /// The longer side that the import settings allow.
    max_texture_size: u32,
    /// The format in memory, by its bits: as the settings say, or as Unity chooses on desktops.
    format: String,
    /// Whether smaller copies are made.
    mipmaps: bool,
    /// Its memory.
    memory_bytes: u64,
    /// The same, for people.
    memory: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let guard = cx.time_guard();
    let assets: Vec<Asset<'_>> = unity
        .index
        .under("Assets")
        .filter(|asset| {
            asset.kind() == AssetKind::Texture && !asset.flags().contains(Flags::ASSET_MISSING)
        })
        .collect();
    let (mut textures, mut memory) = (Vec::new(), BTreeMap::new());
    let mut unreadable = BTreeMap::<String, usize>::new();
    for (done, asset) in assets.iter().enumerate() {
        cx.check_cancelled()?;
        if guard.expired() {
            guard.report(cx, done, Some(assets.len()));
            break;
        }
        match asset.open().ok().and_then(|file| images::read(&file, asset.name())) {
            Some(pixels) => {
                let texture = texture(*asset, pixels);
                memory.insert(asset.id(), texture.memory_bytes);
                textures.push(texture);
            }
            None => {
                let ending = asset.name().rsplit('.').next().unwrap_or_default();
                *unreadable.entry(ending.to_ascii_lowercase()).or_default() += 1;
            }
        }
    }
    let by_shader = by_shader(cx, &unity)?;
    let total = memory.values().sum();
    say(cx, &unreadable, &by_shader, &memory);
    let mut warnings: Vec<Warning> = textures.iter().filter_map(warning).collect();
    warnings.sort_by_key(|warning| std::cmp::Reverse(warning.pixels_over_max_size));
    shorten(cx, &mut warnings, MAX_WARNINGS, "warnings");
    textures.sort_by_key(|texture| std::cmp::Reverse(texture.memory_bytes));
    shorten(cx, &mut textures, MAX_TEXTURES, "textures");
    let sum = |used: &BTreeSet<AssetId>| used.iter().filter_map(|id| memory.get(id)).sum();
    Ok(Output {
        success: true,
        total_texture_memory: human(total),
        total_texture_bytes: total,
        texture_count: assets.len(),
        unreadable_count: unreadable.values().sum(),
        usage_by_shader: by_shader
            .iter()
            .map(|(shader, used)| (shader.clone(), human(sum(used))))
            .collect(),
        overdraw_warnings: warnings,
        textures,
    })
}

fn shorten<T>(cx: &Cx, list: &mut Vec<T>, most: usize, what: &str) {
    if list.len() > most {
        cx.diagnose(format!("{} {what}; the first {most} are shown", list.len()));
        list.truncate(most);
    }
}

/// What the numbers leave out.
fn say(
    cx: &Cx,
    unreadable: &BTreeMap<String, usize>,
    by_shader: &BTreeMap<String, BTreeSet<AssetId>>,
    memory: &BTreeMap<AssetId, u64>,
) {
    if memory.is_empty() && unreadable.is_empty() {
        return;
    }
    cx.diagnose(
        "An estimate: width × height × bits of the format / 8, × 4/3 with mipmaps, after \
         maxTextureSize; formats that Unity chooses are taken for desktops. Cubemaps count as flat.",
    );
    if !unreadable.is_empty() {
        let list: Vec<String> =
            unreadable.iter().map(|(ending, count)| format!("{count} .{ending}")).collect();
        cx.diagnose(format!("Not counted, for their size could not be read: {}", list.join(", ")));
    }
    let used: BTreeSet<_> = by_shader.values().flatten().collect();
    let others = memory.keys().filter(|id| !used.contains(id)).count();
    if others > 0 {
        cx.diagnose(format!(
            "{others} textures are in no material: sprites, UI, scripts or unused"
        ));
    }
}

fn warning(texture: &Texture) -> Option<Warning> {
    let over = texture.width.max(texture.height).checked_sub(texture.max_texture_size)?;
    let warning = Warning { texture: texture.path.clone(), pixels_over_max_size: over };
    (over > 0).then_some(warning)
}

/// What the meta says about an image in a desktop build.
fn texture(asset: Asset<'_>, pixels: Pixels) -> Texture {
    let meta = asset.read_meta();
    let meta = Document::parse(meta.unwrap_or_default());
    let importer = meta.root().get("TextureImporter");
    let number = |from: Option<Value<'_>>, key: &str| from?.get(key)?.as_i64();
    let platform = importer.and_then(platform);
    let of_platform = |key: &str| number(platform, key).or_else(|| number(importer, key));
    let max = of_platform("maxTextureSize")
        .and_then(|max| u32::try_from(max).ok())
        .filter(|max| *max > 0)
        .unwrap_or(2048);
    let has_alpha = pixels.alpha && number(importer, "alphaUsage") != Some(0);
    let is_normal_map = number(importer, "textureType") == Some(1);
    let (format, bits) = match of_platform("textureFormat").filter(|format| *format >= 0) {
        Some(explicit) => explicit_format(explicit),
        None => match of_platform("textureCompression").unwrap_or(1) {
            0 => ("uncompressed 32 bit".to_owned(), 32.0),
            2 => ("BC7 8 bit".to_owned(), 8.0),
            _ if has_alpha || is_normal_map => ("DXT5 8 bit".to_owned(), 8.0),
            _ => ("DXT1 4 bit".to_owned(), 4.0),
        },
    };
    let mipmaps = number(importer, "mipmaps.enableMipMap").unwrap_or(1) != 0;
    let scale = (f64::from(max) / f64::from(pixels.width.max(pixels.height))).min(1.0);
    let side = |length: u32| (f64::from(length) * scale).round().max(1.0);
    let whole = side(pixels.width) * side(pixels.height) * bits / 8.0;
    let memory_bytes = (whole * if mipmaps { 4.0 / 3.0 } else { 1.0 }).round() as u64;
    Texture {
        path: asset.path(),
        width: pixels.width,
        height: pixels.height,
        max_texture_size: max,
        format,
        mipmaps,
        memory_bytes,
        memory: human(memory_bytes),
    }
}

/// The settings for desktops where they differ, or those for all.
fn platform(importer: Value<'_>) -> Option<Value<'_>> {
    let all: Vec<Value<'_>> = importer.get("platformSettings")?.items().collect();
    let is = |item: &&Value<'_>, name: &str| {
        item.get("buildTarget").is_some_and(|target| target.text() == name)
    };
    let own = |item: &&Value<'_>| {
        is(item, "Standalone") && item.get("overridden").and_then(Value::as_bool) == Some(true)
    };
    let found =
        all.iter().find(own).or_else(|| all.iter().find(|i| is(i, "DefaultTexturePlatform")));
    found.copied()
}

/// Name and bits per pixel of a `TextureFormat`.
fn explicit_format(format: i64) -> (String, f64) {
    let (name, bits) = match format {
        1 => ("Alpha8", 8.0),
        2 | 13 => ("16 bit", 16.0),
        // Graphics cards have no 24 bit textures.
        3..=5 | 14 => ("uncompressed 32 bit", 32.0),
        7 | 9 | 15 | 62 => ("16 bit", 16.0),
        10 | 28 => ("DXT1 4 bit", 4.0),
        12 | 29 => ("DXT5 8 bit", 8.0),
        17 => ("RGBAHalf 64 bit", 64.0),
        20 => ("RGBAFloat 128 bit", 128.0),
        24 => ("BC6H 8 bit", 8.0),
        25 => ("BC7 8 bit", 8.0),
        26 => ("BC4 4 bit", 4.0),
        27 => ("BC5 8 bit", 8.0),
        30 | 31 => ("PVRTC 2 bit", 2.0),
        32 | 33 => ("PVRTC 4 bit", 4.0),
        34 | 45 | 46 => ("ETC 4 bit", 4.0),
        47 => ("ETC2 8 bit", 8.0),
        48 | 54 => ("ASTC 4x4 8 bit", 8.0),
        49 | 55 => ("ASTC 5x5 5.12 bit", 5.12),
        50 | 56 => ("ASTC 6x6 3.56 bit", 128.0 / 36.0),
        51 | 57 => ("ASTC 8x8 2 bit", 2.0),
        52 | 58 => ("ASTC 10x10 1.28 bit", 1.28),
        53 | 59 => ("ASTC 12x12 0.89 bit", 128.0 / 144.0),
        63 => ("R8 8 bit", 8.0),
        other => return (format!("format {other}, taken as 32 bit"), 32.0),
    };
    (name.to_owned(), bits)
}

/// The textures that the materials of each shader use.
fn by_shader(cx: &Cx, unity: &Unity<'_>) -> Result<BTreeMap<String, BTreeSet<AssetId>>, ToolError> {
    let mut shaders: BTreeMap<String, BTreeSet<AssetId>> = BTreeMap::new();
    for asset in unity.index.with_class(MATERIAL) {
        cx.check_cancelled()?;
        let Ok(document) = asset.document() else { continue };
        for material in document.objects().filter(|object| object.class_id() == MATERIAL) {
            let Some(slots) = material.get("m_SavedProperties.m_TexEnvs") else { continue };
            let used: BTreeSet<AssetId> = slots
                .items()
                .flat_map(Value::fields)
                .filter_map(|(_, slot)| slot.get("m_Texture")?.as_reference()?.guid)
                .filter_map(|guid| unity.index.by_guid(guid))
                .filter(|texture| texture.kind() == AssetKind::Texture)
                .map(Asset::id)
                .collect();
            if !used.is_empty() {
                let shader = material.get("m_Shader").and_then(Value::as_reference);
                shaders.entry(shader_name(unity, shader)).or_default().extend(used);
            }
        }
    }
    Ok(shaders)
}

fn shader_name(unity: &Unity<'_>, shader: Option<Reference>) -> String {
    let Some((shader, guid)) = shader.and_then(|shader| Some((shader, shader.guid?))) else {
        return "no shader".to_owned();
    };
    if guid.is_built_in() {
        let name = match shader.file_id.0 {
            7 => "Legacy Shaders/Diffuse",
            45 => "Standard (Specular setup)",
            46 => "Standard",
            10752 => "Unlit/Texture",
            10753 => "Sprites/Default",
            10770 => "UI/Default",
            other => return format!("built-in shader {other}"),
        };
        return name.to_owned();
    }
    let Some(asset) = unity.index.by_guid(guid) else { return format!("shader {guid}") };
    let source =
        asset.read().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let declared = source.lines().find_map(|line| {
        line.trim_start().strip_prefix("Shader")?.trim_start().strip_prefix('"')?.split('"').next()
    });
    declared.map_or_else(|| asset.path(), str::to_owned)
}

#[cfg(test)]
mod tests;
