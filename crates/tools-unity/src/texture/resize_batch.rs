//! The tool `texture.resizeBatch`: Resize Textures.

use std::time::Duration;

use image::GenericImageView;
use image::imageops::FilterType;
use scenewright_contract::{ErrorKind, Limits, Safety, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::meta::with_guid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::{NewFiles, ending};
use crate::base::pictures::{encode, resize};
use crate::base::{InUnity, Unity};

/// More textures in one call are refused, as the catalogue has it.
const MAX_TEXTURES: usize = 10;
/// Larger ones no graphics card takes.
const MAX_SIDE: u32 = 8192;

pub(crate) const TOOL: Tool = Tool {
    id: "texture.resizeBatch",
    keywords: "scale down shrink textures images png smaller size resolution downscale copies half pictures reduce dimensions",
    argument_aliases: &[
        ("paths", "texturePaths"),
        ("width", "targetWidth"),
        ("height", "targetHeight"),
    ],
    title: "Resize Textures",
    notes: Some(
        "PNG, JPEG, TGA and BMP. The most that a texture has in the game is a setting of its import: asset_importSettings sets `maxTextureSize` without a copy.",
    ),
    category: "texture",
    safety: Safety::SafeWrite,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[Example {
        description: "What a texture that is not there comes to",
        input: r#"{ "texturePaths": ["Assets/Textures/None.png"], "targetWidth": 64, "targetHeight": 64, "dryRun": true }"#,
        output: r#"{
            "success": false,
            "resizedCount": 0,
            "details": [],
            "dryRun": true,
            "filesChanged": 0,
            "changes": []
        }"#,
        varies: &["details"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Write copies of textures in another size, named `…_resized` beside them, each with the import
/// settings of its original. Colours of transparent pixels do not bleed. What cannot be read is told,
/// and the others are made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The textures, at most 10.
    #[schemars(length(min = 1))]
    texture_paths: Vec<String>,
    /// Pixels across, from 1 to 8192.
    target_width: u32,
    /// Pixels down, from 1 to 8192.
    target_height: u32,
    /// How pixels are mixed; Trilinear is Bilinear for a single picture.
    #[serde(default)]
    filter_mode: Filter,
    /// How many textures there may be.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 10))]
    max_textures: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    MAX_TEXTURES
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
enum Filter {
    Point,
    #[default]
    Bilinear,
    Trilinear,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether every texture could be resized.
    success: bool,
    /// How many copies there are.
    resized_count: usize,
    /// What became of each texture.
    details: Vec<Detail>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// The texture.
    texture_path: String,
    /// Its copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_path: Option<String>,
    /// Its width and height.
    original_size: Vec<u32>,
    /// Those of the copy.
    new_size: Vec<u32>,
    /// Whether there is a copy.
    resized: bool,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let sides = 1..=MAX_SIDE;
    let size = [input.target_width, input.target_height];
    if !size.iter().all(|side| sides.contains(side)) {
        let message = format!("Invalid target dimensions: {} x {}", size[0], size[1]);
        return Err(ToolError::new(ErrorKind::BadArguments, message)
            .hint(format!("sides are from 1 to {MAX_SIDE} pixels")));
    }
    let count = input.texture_paths.len();
    if count > input.max_textures.min(MAX_TEXTURES) {
        let message = format!("Max textures limit exceeded: {count} of {}", input.max_textures);
        return Err(
            ToolError::new(ErrorKind::BadArguments, message).hint("resize them in several calls")
        );
    }
    let filter = match input.filter_mode {
        Filter::Point => FilterType::Nearest,
        Filter::Bilinear | Filter::Trilinear => FilterType::Triangle,
    };
    let mut files = NewFiles::default();
    let mut details = Vec::new();
    for asked in &input.texture_paths {
        cx.check_cancelled()?;
        details.push(match one(&unity, asked, size, filter, &mut files) {
            Ok(detail) => detail,
            Err(error) => Detail {
                texture_path: asked.clone(),
                new_path: None,
                original_size: Vec::new(),
                new_size: Vec::new(),
                resized: false,
                error: Some(error.text()),
            },
        });
    }
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let resized_count = details.iter().filter(|detail| detail.resized).count();
    Ok(Output { success: resized_count == details.len(), resized_count, details, written })
}

fn one(
    unity: &Unity<'_>,
    asked: &str,
    [width, height]: [u32; 2],
    filter: FilterType,
    files: &mut NewFiles,
) -> Result<Detail, ToolError> {
    let (path, picture) = unity.picture(asked)?;
    let (before, end) = (picture.dimensions(), ending(path.as_str()));
    let start = &path.as_str()[..path.as_str().len() - end.len() - 1];
    let copy = unity.asset_place(&format!("{start}_resized.{end}"))?;
    unity.must_be_new(&copy)?;
    let bytes = encode(copy.as_str(), &resize(&picture, width, height, filter))?;
    files.add_bare(copy.clone(), bytes);
    // Without a meta Unity makes one, with its own settings.
    if let Some(meta) = unity.meta_of(&path) {
        let meta = with_guid(&meta, unity.fresh_guid()?);
        if let Some(meta) = meta {
            files.add_bare(unity.meta_path(&copy)?, meta);
        }
    }
    Ok(Detail {
        texture_path: path.to_string(),
        new_path: Some(copy.to_string()),
        original_size: vec![before.0, before.1],
        new_size: vec![width, height],
        resized: true,
        error: None,
    })
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, GenericImageView, Rgba, RgbaImage};
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::base::pictures::encode;
    use crate::testing::call_writing;

    const META: &str = "//- Assets/A.png.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\nTextureImporter:\n  isReadable: 1\n//- Assets/B.psd\nx\n";

    #[test]
    fn copies_have_the_size_and_the_settings() {
        let folder = Folder::unity(META);
        let picture: DynamicImage = RgbaImage::from_pixel(8, 4, Rgba([200, 100, 50, 255])).into();
        std::fs::write(folder.path("Assets/A.png"), encode("a.png", &picture).unwrap()).unwrap();
        let call = |paths: &[&str], width: u32| {
            let arguments =
                json!({ "texturePaths": paths, "targetWidth": width, "targetHeight": 2 });
            call_writing(&folder, super::TOOL.id, arguments)
        };
        let output = call(&["Assets/A.png", "Assets/B.psd", "Assets/C.png"], 4).unwrap().output;
        assert_eq!((&output["resizedCount"], &output["success"]), (&json!(1), &json!(false)));
        assert_eq!(output["details"][0]["originalSize"], json!([8, 4]));
        let why = |at: usize| output["details"][at]["error"].as_str().unwrap();
        assert!(why(1).contains("its format is not one of PNG"), "{}", why(1));
        assert!(why(2).starts_with("Texture not found"), "{}", why(2));
        let small = image::open(folder.path("Assets/A_resized.png")).unwrap();
        assert_eq!(small.dimensions(), (4, 2));
        assert_eq!(small.get_pixel(1, 1).0, [200, 100, 50, 255]);
        let meta = folder.read("Assets/A_resized.png.meta");
        assert!(meta.ends_with("TextureImporter:\n  isReadable: 1\n"), "{meta}");
        assert!(!meta.contains("abc00000000000000000000000000001"), "{meta}");
        // It is there now.
        let again = call(&["Assets/A.png"], 4).unwrap().output;
        assert_eq!(again["resizedCount"], 0);
        let told = call(&["Assets/A.png"], 0).unwrap_err().message;
        assert_eq!(told, "Invalid target dimensions: 0 x 2");
        let many = ["Assets/A.png"; 11];
        assert_eq!(call(&many, 4).unwrap_err().message, "Max textures limit exceeded: 11 of 10");
    }
}
