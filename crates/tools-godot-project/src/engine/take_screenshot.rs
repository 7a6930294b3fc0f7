//! The tool `godotEngine.takeScreenshot`, which MCP clients call `take_screenshot`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Image, Limits, Runs, Safety, ToolError};
use scenewright_live::godot::no_screen;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::Scratch;
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.takeScreenshot",
    keywords: "picture photo render preview how it looks capture image of game running see visual look window frame",
    mcp: Some("take_screenshot"),
    title: "Take Godot Screenshot",
    notes: Some(
        "Runs the scene with the project's code. The picture comes with the answer where the protocol has pictures, made to fit 1024x768 and 100 KB; the file has its full size. Godot draws nothing without a screen: where there is none, start the server under xvfb-run.",
    ),
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::Only,
    dry_runs: true,
    limits: Limits { timeout: Duration::from_secs(150), ..Limits::DEFAULT },
    needs: Needs::ProgramAndScreen,
    examples: &[Example {
        description: "Take a picture of the level and keep it in the project",
        input: r#"{ "projectPath": "godot", "scenePath": "res://scenes/level.tscn", "outputPath": "screenshots/level.png", "delay": 0.2 }"#,
        output: r#"{
            "success": true,
            "path": "screenshots/level.png",
            "scenePath": "res://scenes/level.tscn",
            "width": 1280,
            "height": 720,
            "delay": 0.2,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["width", "height", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run a scene for a moment and show what it looks like. The project is not changed unless
/// `outputPath` names a file for the picture.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The scene; the main scene by default.
    scene_path: Option<String>,
    /// The PNG to make in the project, such as `screenshots/level.png`; a temporary file by default.
    output_path: Option<String>,
    /// Seconds to let the scene run before.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 60))]
    delay: f64,
    #[serde(flatten)]
    write: Write,
}

fn one() -> f64 {
    1.0
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The picture in its full size, from the project's root; the whole path of a temporary file.
    path: String,
    /// The scene.
    scene_path: String,
    /// In pixels.
    width: u32,
    /// In pixels.
    height: u32,
    /// Seconds that the scene ran before.
    delay: f64,
    #[serde(flatten)]
    written: Written,
}

/// Loads a scene, waits, and saves what is on the screen. Its codes tell what did not work.
const SCRIPT: &str = r"extends SceneTree

func _initialize() -> void:
	_take.call_deferred()

func _take() -> void:
	var arguments := OS.get_cmdline_user_args()
	if change_scene_to_file(arguments[0]) != OK:
		quit(3)
		return
	await create_timer(arguments[2].to_float()).timeout
	await RenderingServer.frame_post_draw
	var image := root.get_texture().get_image()
	if image == null or image.is_empty():
		quit(4)
		return
	if image.save_png(arguments[1]) != OK:
		quit(5)
		return
	_show(image, arguments[1].get_basename())
	quit(0)

func _show(image: Image, base: String) -> void:
	var scale := minf(1.0, minf(1024.0 / image.get_width(), 768.0 / image.get_height()))
	if scale < 1.0:
		var width := maxi(1, roundi(image.get_width() * scale))
		var height := maxi(1, roundi(image.get_height() * scale))
		image.resize(width, height, Image.INTERPOLATE_LANCZOS)
	image.save_png(base + '-shown.png')
	image.save_jpg(base + '-shown.jpg', 0.85)
";
/// Larger pictures are refused by clients, and letters stand for bytes on the way: four for three.
const MAX_SHOWN: usize = 740_000;

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let scene = scene_path(&godot, input.scene_path.as_deref())?;
    let path = input.output_path.as_deref();
    let path = path.map(|path| godot.new_path(path, &["png"])).transpose()?;
    let program = godot.program()?;
    godot.warn_unless_imported();
    let scratch = Scratch::new()?;
    let script = scratch.write("take.gd", SCRIPT.as_bytes())?;
    let picture = scratch.path().join("picture.png");
    let mut command = program.on(&godot.project.root);
    command.arg("--script").arg(script).arg("--").arg(&scene).arg(&picture);
    command.arg(input.delay.to_string());
    let timeout = Duration::from_secs(60) + Duration::from_secs_f64(input.delay);
    let finished = program.run(command, timeout, cx.cancel())?;
    let image = fs::read(&picture).unwrap_or_default();
    let Some((width, height)) = size(&image).filter(|_| finished.is_success()) else {
        return Err(no_screen(&finished.stderr).unwrap_or_else(|| {
            let why = match finished.code {
                Some(3) => "the scene cannot be loaded".to_owned(),
                Some(4) => "there was no picture to take: the engine draws nothing here".to_owned(),
                Some(5) => "the picture could not be saved".to_owned(),
                _ => format!("Godot {}", finished.how()),
            };
            ToolError::failed(format!("{why}:\n{}", finished.last_words(12)))
        }));
    };
    match shown(scratch.path()) {
        Some(image) => cx.show(image),
        None => cx.diagnose("the picture could not be made small enough to be shown here"),
    }
    let mut plan = Plan::new(godot.project);
    let before;
    let path = match path {
        Some(path) => {
            before = godot.exists(&path).then(|| godot.read(&path)).transpose()?;
            plan.write(&path, before.as_deref(), image);
            path.to_string()
        }
        None => {
            let name = scene.rsplit('/').next().and_then(|name| name.split('.').next());
            let name = format!("{}-{}.png", godot.project.id, name.unwrap_or("scene"));
            Scratch::keep(&name.replace(['/', '\\'], "-"), &image)?.display().to_string()
        }
    };
    Ok(Output {
        success: true,
        path,
        scene_path: scene,
        width,
        height,
        delay: input.delay,
        written: saved(&godot, plan, input.write)?,
    })
}

/// The picture as it is shown: without loss, if that is small enough.
fn shown(folder: &Path) -> Option<Image> {
    let files = [("picture-shown.png", "image/png"), ("picture-shown.jpg", "image/jpeg")];
    files.into_iter().find_map(|(name, mime)| {
        let bytes = fs::read(folder.join(name)).ok()?;
        (1..=MAX_SHOWN).contains(&bytes.len()).then_some(Image { mime, bytes })
    })
}

fn scene_path(godot: &Godot<'_>, wanted: Option<&str>) -> Result<String, ToolError> {
    let facts = godot.godot.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
    let Some(wanted) = wanted.map(str::to_owned).or(facts.main_scene) else {
        return Err(ToolError::new(ErrorKind::EngineError, "the project has no main scene")
            .hint("give scenePath"));
    };
    let path = godot.path(&wanted)?;
    if !godot.exists(&path) {
        return Err(ToolError::not_found("scene", path.as_str())
            .hint("list_scenes shows the scenes of the project"));
    }
    Ok(format!("res://{path}"))
}

/// The width and height that a PNG says it has.
fn size(image: &[u8]) -> Option<(u32, u32)> {
    let body = image.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| Some(u32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?));
    Some((number(8)?, number(12)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn what_cannot_be_taken_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        let error = sample.error(super::TOOL.id, json!({ "scenePath": "nope.tscn" }));
        assert_eq!(
            error,
            "scene not found: nope.tscn; list_scenes shows the scenes of the project"
        );
        let error = sample.error(super::TOOL.id, json!({ "outputPath": "a.jpg" }));
        assert_eq!(error, "a.jpg ends in .jpg, and this makes .png");
    }

    #[test]
    fn what_is_shown_is_small_enough() {
        let folder = super::Scratch::new().unwrap();
        let shown = || super::shown(folder.path()).map(|image| (image.mime, image.bytes.len()));
        assert_eq!(shown(), None);
        folder.write("picture-shown.png", &vec![1; super::MAX_SHOWN + 1]).unwrap();
        assert_eq!(shown(), None);
        folder.write("picture-shown.jpg", &[1; 100]).unwrap();
        assert_eq!(shown(), Some(("image/jpeg", 100)));
        folder.write("picture-shown.png", &vec![1; super::MAX_SHOWN]).unwrap();
        assert_eq!(shown(), Some(("image/png", super::MAX_SHOWN)));
        assert!(super::MAX_SHOWN.div_ceil(3) * 4 < 1_000_000);
    }

    #[test]
    fn the_size_is_read_from_the_picture() {
        let tiles = include_bytes!("../../../../samples/godot/art/tiles.png");
        assert!(super::size(tiles).is_some_and(|(width, height)| width > 0 && height > 0));
        assert_eq!(super::size(b"\x89PNG\r\n\x1a\nshort"), None);
        assert_eq!(super::size(b""), None);
    }
}
