//! How long changes take, from the call to the answer: read, changed, written through to the disk and
//! read back.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::super::pipe::Pipe;
use super::super::samples::Series;
use super::super::touched::tool;
use super::open;
use crate::{paths, synth};

/// Assets of the folder that is moved.
pub(super) const MOVED: usize = 1_000;
/// Prefabs whose field is changed in one call.
pub(super) const PREFABS: usize = 1_000;
/// Objects that one call makes.
pub(super) const MADE: usize = 10_000;
/// A scene of so many objects has 5 MB.
const OBJECTS: u64 = 3_560;
const SCENE: &str = "Assets/Edited.unity";
/// Files are settled after so long, on any disk.
const YOUNG: Duration = Duration::from_millis(2_500);
const FOLDERS: [&str; 2] = ["Assets/Crates", "Assets/Barrels"];

/// What is measured, in seconds.
#[derive(Default)]
pub(super) struct Edits {
    /// One field of a scene of 5 MB.
    pub(super) field: Series,
    /// A folder that goes to another place.
    pub(super) folder: Series,
    /// The same field of many prefabs.
    pub(super) batch: Series,
    /// Many objects in one parent, shown and not made.
    pub(super) made: Series,
}

/// Change one field, move one folder there and back, change many prefabs, make many objects.
pub(super) fn measure(binary: &Path, rounds: usize) -> Result<Edits> {
    let project = synth::unity_project(100, Some(paths::target().join("synth/unity-edits")))?;
    // What an earlier run left may be of another size, and its edits are in it.
    if project.join(SCENE).exists() {
        fs::remove_file(project.join(SCENE))?;
    }
    synth::add_scene(&project, "Edited", "4", || synth::large_scene(OBJECTS))?;
    let size = fs::metadata(project.join(SCENE))?.len();
    ensure!((4_800_000..5_400_000).contains(&size), "{SCENE} has {size} bytes");
    write_folder(&project)?;
    let prefabs = write_prefabs(&project)?;
    settle();
    let (_server, mut pipe) = open(binary, &project, &["--allow-writes"])?;
    // Opens the index, which is no part of a change.
    pipe.ask(&tool("project_changes", json!({})))?;
    let mut edits = Edits::default();
    // First, because what the others change is looked at by the call that comes next.
    for round in 0..=2 * rounds {
        let change = json!({ "op": "set", "object": "#10020", "component": "Transform", "field": "m_LocalPosition", "value": [round, 1, 2] });
        let change = json!({ "path": SCENE, "changes": [change] });
        let seconds = change_files(&mut pipe, "unity_edit", change)?;
        // The first round warms the page cache.
        if round > 0 {
            edits.field.push(seconds);
        }
    }
    for round in 0..=2 * rounds {
        let (from, to) = (FOLDERS[round % 2], FOLDERS[(round + 1) % 2]);
        let moved = json!({ "path": from, "newPath": to });
        let folder = change_files(&mut pipe, "asset_move", moved)?;
        ensure!(project.join(to).join("Crate7.mat.meta").exists(), "{from} is not at {to}");
        let batch = json!({ "assetPaths": prefabs, "componentType": "Transform", "propertyPath": "m_LocalPosition",
                            "value": [round, 1, 2], "maxAssets": PREFABS });
        let batch = change_files(&mut pipe, "batch_setProperty", batch)?;
        let made = change_files(&mut pipe, "unity_edit", many_objects())?;
        if round > 0 {
            edits.folder.push(folder);
            edits.batch.push(batch);
            edits.made.push(made);
        }
    }
    Ok(edits)
}

/// Wait until all of the project is on the disk, where there is a program for it, and old enough: the time
/// of a file that was written just now does not tell whether it is written again, so it is read whole.
fn settle() {
    let _ = Command::new("sync").status();
    thread::sleep(YOUNG);
}

/// A call that would make many objects in one parent.
fn many_objects() -> Value {
    let one = |number: usize| json!({ "op": "create", "parent": "#10020", "name": format!("Crate {number}") });
    let changes: Vec<Value> = (0..MADE).map(one).collect();
    json!({ "path": SCENE, "changes": changes, "dryRun": true, "diff": "none" })
}

fn change_files(pipe: &mut Pipe, name: &str, arguments: Value) -> Result<f64> {
    let (seconds, answer) = pipe.ask_timed(&tool(name, arguments))?;
    let count = answer["structuredContent"]["filesChanged"].as_u64();
    ensure!(count.is_some_and(|count| count > 0), "{name} changed nothing: {answer}");
    Ok(seconds)
}

/// The folder as it is before the first move, however the last run ended.
fn write_folder(project: &Path) -> Result<()> {
    for folder in FOLDERS {
        let folder = project.join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let meta = folder.with_extension("meta");
        if meta.exists() {
            fs::remove_file(meta)?;
        }
    }
    let folder = project.join(FOLDERS[0]);
    fs::create_dir_all(&folder)?;
    let guid = |number: usize| format!("fileFormatVersion: 2\nguid: c4a7e5{number:026x}\n");
    fs::write(folder.with_extension("meta"), guid(0) + "folderAsset: yes\n")?;
    for number in 1..=MOVED {
        let mut text = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n".to_owned();
        let _ = write!(
            text,
            "--- !u!21 &2100000\nMaterial:\n  serializedVersion: 8\n  m_Name: Crate{number}\n"
        );
        fs::write(folder.join(format!("Crate{number}.mat")), text)?;
        fs::write(folder.join(format!("Crate{number}.mat.meta")), guid(number))?;
    }
    Ok(())
}

/// Prefabs of one object each; their paths in the project.
fn write_prefabs(project: &Path) -> Result<Vec<String>> {
    let folder = project.join("Assets/Boxes");
    fs::create_dir_all(&folder)?;
    let links = "  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n";
    let place = "  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}\n  m_LocalPosition: {x: 0, y: 0, z: 0}\n  m_LocalScale: {x: 1, y: 1, z: 1}\n";
    let mut paths = Vec::new();
    for number in 0..PREFABS {
        let name = format!("Box{number}.prefab");
        let text = format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n{links}  serializedVersion: 6\n  m_Component:\n  - component: {{fileID: 2}}\n  m_Layer: 0\n  m_Name: Box{number}\n  m_TagString: Untagged\n  m_IsActive: 1\n--- !u!4 &2\nTransform:\n{links}  m_GameObject: {{fileID: 1}}\n{place}  m_Children: []\n  m_Father: {{fileID: 0}}\n"
        );
        fs::write(folder.join(&name), text)?;
        let guid = format!("fileFormatVersion: 2\nguid: b0c5e5{number:026x}\n");
        fs::write(folder.join(format!("{name}.meta")), guid)?;
        paths.push(format!("Assets/Boxes/{name}"));
    }
    Ok(paths)
}
