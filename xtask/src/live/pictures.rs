//! Pictures of a game and of an editor with a screen, compared pixel by pixel where the colours are known.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::cases::{Cases, has};
use super::{Client, Godot, Ground, Side};
use crate::{godot, install, process};

/// So often an editor is looked at until it has drawn a scene.
const DRAWN_LOOKS: usize = 20;

/// Four colours, each a quarter of the window.
const SCENE: &str = r#"[gd_scene format=3]

[node name="Colours" type="Control"]

[node name="Red" type="ColorRect" parent="."]
offset_right = 320.0
offset_bottom = 180.0
color = Color(1, 0, 0, 1)

[node name="Green" type="ColorRect" parent="."]
offset_left = 320.0
offset_right = 640.0
offset_bottom = 180.0
color = Color(0, 1, 0, 1)

[node name="Blue" type="ColorRect" parent="."]
offset_top = 180.0
offset_right = 320.0
offset_bottom = 360.0
color = Color(0, 0, 1, 1)

[node name="White" type="ColorRect" parent="."]
offset_left = 320.0
offset_top = 180.0
offset_right = 640.0
offset_bottom = 360.0
color = Color(1, 1, 1, 1)
"#;

/// The engine reads the picture: its own decoder made it, and ours would be one more crate.
const READER: &str = r#"extends SceneTree


func _init() -> void:
	var image := Image.load_from_file(OS.get_cmdline_user_args()[0])
	var said := PackedStringArray()
	for place: Vector2 in [Vector2(0.25, 0.25), Vector2(0.75, 0.25), Vector2(0.25, 0.75), Vector2(0.75, 0.75)]:
		said.append(image.get_pixelv(Vector2i(place * Vector2(image.get_size()))).to_html(false))
	var colours := {}
	for x in range(0, image.get_width(), 7):
		for y in range(0, image.get_height(), 7):
			colours[image.get_pixel(x, y)] = true
	print("pixels %s of %d colours, %s" % [" ".join(said), colours.size(), image.get_size()])
	quit()
"#;

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("pictures")?;
    fs::write(project.join("colours.tscn"), SCENE)?;
    fs::write(ground.scratch.join("reader.gd"), READER)?;
    let mut client = Client::start(ground, &project)?;
    without_screen(ground, cases, &mut client, &project);
    let screen = install::or_notice("pictures", godot::ensure_with_screen())?;
    let Some(screen) = screen else { return Ok(()) };
    let shown = |side, args: &[&str]| {
        let mut command = Command::new(&screen);
        command.env("HOME", ground.scratch.join("home"));
        Godot::start(command, side, &project, args)
    };
    cases.case("the game and a node of it", || {
        let _game = shown(Side::Game, &["res://colours.tscn"])?;
        let whole = picture(ground, &mut client, &json!({}))?;
        has("the whole picture", &whole, "pixels ff0000 00ff00 0000ff ffffff of")?;
        let node = picture(ground, &mut client, &json!({ "nodePath": "Blue" }))?;
        has("one node", &node, "pixels 0000ff 0000ff 0000ff 0000ff of 1 colours")?;
        let small = picture(ground, &mut client, &json!({ "maxSize": 64 }))?;
        has("made smaller", &small, "(64, 36)")?;
        Ok("four colours in their places; of Blue only blue".to_owned())
    });
    cases.case("the editor's 2D view", || {
        let _editor = shown(Side::Editor, &["res://colours.tscn"])?;
        let mut said = String::new();
        // It is linked before it has drawn anything; on a busy machine that takes a while.
        for _ in 0..DRAWN_LOOKS {
            std::thread::sleep(Duration::from_secs(1));
            said = picture(ground, &mut client, &json!({ "of": "2d" }))?;
            if !said.contains("of 1 colours") {
                return Ok(said);
            }
        }
        bail!("it is blank: {said}");
    });
    Ok(())
}

fn without_screen(ground: &Ground, cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("without a window", || {
        let _game = ground.start(Side::Game, project, &["res://colours.tscn"])?;
        let said = client.refusal("live_picture", &json!({}))?;
        has("live_picture", &said, "this game has no window")?;
        Ok("an error that says so, and no black picture".to_owned())
    });
}

/// What the engine reads in the picture that a call gave.
fn picture(ground: &Ground, client: &mut Client, arguments: &Value) -> Result<String> {
    let said = client.whole("live_picture", arguments)?;
    let parts = said["content"].as_array().into_iter().flatten();
    let Some(data) = parts.filter_map(|part| part["data"].as_str()).next() else {
        bail!("no picture in the answer to {arguments}");
    };
    let file = ground.scratch.join("picture.png");
    fs::write(&file, STANDARD.decode(data)?)?;
    let mut command = ground.headless();
    command.arg("--script").arg(ground.scratch.join("reader.gd")).arg("--").arg(&file);
    let said = process::capture(command.current_dir(&ground.scratch), super::ground::ERRAND_LIMIT)?;
    let line = said.stdout.lines().find(|line| line.starts_with("pixels "));
    Ok(line.with_context(|| said.tail())?.to_owned())
}
