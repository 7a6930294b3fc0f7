//! Any file that calls itself an LDtk project is imported or refused, and the scenes and tile sets
//! that come of it can be read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use scenewright_contract::Call;
use scenewright_godot::{Document, Form, Scene};
use scenewright_toolkit::{Engine, Kept, Kit, Runner, Settings, Workspace};
use scenewright_tools_godot::{ENGINE, GodotPack};
use scenewright_tools_godot_scenes::tilemap;
use serde_json::{Value, json};

const ENGINES: &[Engine] = &[ENGINE];
/// Answers cut their diffs beyond this, whatever is in the levels.
const LONGEST: usize = 4 << 20;

/// A project with the image that the seeds draw from.
struct Project {
    root: PathBuf,
    runner: Arc<Runner>,
}

static PROJECT: LazyLock<Project> = LazyLock::new(|| {
    let root = std::env::temp_dir().join(format!("scenewright-fuzz-{}", std::process::id()));
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/godot");
    for file in ["project.godot", "art/tiles.png", "art/tiles.png.import", "scenes/coin.tscn"] {
        let to = root.join(file);
        fs::create_dir_all(to.parent().expect("it is in a folder")).expect("a temporary folder");
        fs::copy(sample.join(file), to).expect("the sample has it");
    }
    fs::create_dir_all(root.join("levels")).expect("a temporary folder");
    let workspace = Workspace::open(ENGINES, std::slice::from_ref(&root), Kept::default())
        .expect("it is a project");
    let settings = Settings { allow_writes: true, ..Settings::default() };
    let kit = Kit { groups: vec![&tilemap::GROUP], packs: vec![Box::new(GodotPack)] };
    Project { runner: Runner::new(kit, workspace, settings, None), root }
});

pub(crate) fn run(bytes: &[u8]) {
    let Project { root, runner } = &*PROJECT;
    fs::write(root.join("levels/level.ldtk"), bytes).expect("a temporary file");
    let arguments = json!({
        "ldtkPath": "res://levels/level.ldtk",
        "createCollision": true,
        "entityMapping": [{ "ldtkIdentifier": "Coin", "godotNodeType": "res://scenes/coin.tscn" }],
        "dryRun": true,
    });
    let Value::Object(arguments) = arguments else { unreachable!("it is an object") };
    let call = Call::new("godotTilemap.importLdtkLevel", arguments);
    let Ok(outcome) = runner.admit(call).expect("the arguments are right").run() else { return };
    let output = outcome.output.into_value();
    assert!(output.to_string().len() < LONGEST);
    for change in output["changes"].as_array().expect("every change is listed") {
        let diff = change["diff"].as_str().unwrap_or_default();
        if change["diffCut"] != true {
            check_file(&added(diff));
        }
    }
}

/// The lines of a new file, from its diff.
fn added(diff: &str) -> String {
    let lines = diff.split_inclusive('\n').skip_while(|line| !line.starts_with("@@"));
    lines.filter_map(|line| line.strip_prefix('+')).collect()
}

fn check_file(text: &str) {
    let document = Document::parse(text, Form::Resource);
    assert!(document.problems().is_empty(), "{:?} in\n{text}", document.problems());
    if text.starts_with("[gd_scene") {
        let scene = Scene::parse(text);
        assert!(scene.is_sound(), "{text}");
        assert!(scene.nodes().next().is_some(), "{text}");
    }
}
