//! How long a one-line edit of a large scene takes from plan to journal:
//! `cargo run --release -p scenewright-tools --example commit -- [MEGABYTES] [FOLDER]`

#![allow(clippy::print_stdout, reason = "it is for people")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scenewright_contract::{Call, JsonMap, Safety, ToolError};
use scenewright_text::Edits;
use scenewright_tools::door::{Plan, ProjectPath, read};
use scenewright_tools::{Cx, Engine, Group, Settings, Tool, Workspace};
use serde_json::{Value, json};

const SCENE: &str = "Assets/Large.unity";
const ROUNDS: usize = 21;

const GROUPS: &[Group] = &[Group { name: "bench", about: "Measurements", tools: &[EDIT] }];

const EDIT: Tool = Tool {
    id: "bench.edit",
    title: "Edit",
    category: "bench",
    safety: Safety::SafeWrite,
    call: |cx, _| edit(cx),
    ..Tool::READ
};

/// Change one line in the middle.
fn edit(cx: &Cx) -> Result<Value, ToolError> {
    let project = cx.workspace().find(None)?;
    let path = ProjectPath::parse(project, SCENE)?;
    let bytes = read(project, &path)?;
    let place = bytes.len() / 2;
    let mut edits = Edits::default();
    edits.replace(place..place + 1, if bytes[place] == b'#' { "+" } else { "#" });
    let started = Instant::now();
    let mut plan = Plan::new(project);
    plan.edit(&path, &bytes, &edits)?;
    let written = plan.commit(cx, false, |_, _| Ok(()))?;
    let took = started.elapsed();
    Ok(json!({ "micros": took.as_micros() as u64, "lines": written.changes[0].added }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let megabytes: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = parent.join(format!("scenewright-commit-{}", std::process::id()));
    let measured = measure(&folder, megabytes);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn measure(folder: &Path, megabytes: usize) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder.join("Assets"))?;
    std::fs::create_dir_all(folder.join("ProjectSettings"))?;
    let version = folder.join("ProjectSettings/ProjectVersion.txt");
    std::fs::write(version, "m_EditorVersion: 2022.3.20f1\n")?;
    let lines = (0..).map(|n| format!("  m_LocalPosition: {{x: {n}, y: 0, z: 0}}\n"));
    let mut scene = String::new();
    lines.into_iter().any(|line| {
        scene.push_str(&line);
        scene.len() >= megabytes * 1_000_000
    });
    std::fs::write(folder.join(SCENE), scene)?;
    let workspace = Workspace::open_with_cache(&[folder.to_owned()], Some(folder.join("cache")))?;
    let settings = Settings { allow_writes: true, ..Settings::default() };
    let engine = Engine::new(workspace, settings, None, GROUPS);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let outcome = engine.admit(Call::new(EDIT.id, JsonMap::new()))?.run()?;
        times.push(Duration::from_micros(outcome.output["micros"].as_u64().unwrap_or(0)));
    }
    times.sort();
    println!(
        "{megabytes} MB, one line: median {:?}, best {:?}, worst {:?}",
        times[ROUNDS / 2],
        times[0],
        times[ROUNDS - 1]
    );
    Ok(())
}
