//! What a running server does after one file changed: a check, and a rename that is only planned.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::super::call::Call;
use super::super::pipe::Pipe;
use super::super::samples::Series;
use super::super::table::{Row, goal, number};
use super::{FILES, Home, LIMIT};
use crate::server::Server;
use crate::synth;

const TOUCHES: usize = 20;
/// Within so much a change must be noticed.
const NOTICE: Duration = Duration::from_secs(20);
/// A scene that others have instances of.
const USED: &str = "part_00/set_0000/scenes/scene_03.tscn";

/// Checks after one change, of a scene among many and of large ones; and planned renames.
pub(super) fn measure(binary: &Path, home: &Home) -> Result<Vec<Row>> {
    let many = synth::godot_project(FILES, None)?;
    let large = synth::large_godot_project(None)?;
    let mut rows = Vec::new();
    let mut cases = vec![(many.as_path(), USED, format!("one of {FILES} files"))];
    for (name, megabytes) in synth::LARGE_GODOT_SCENES {
        cases.push((large.as_path(), name, format!("a scene of {} MB", megabytes / 1_000_000)));
    }
    for (project, scene, what) in &cases {
        let median = recheck(binary, home, project, scene)?.median().map(|s| s * 1000.0);
        let label = format!("check after a change of {what}, ms");
        rows.push(goal(&label, number(median, 1), "≤ 20", median.map(|ms| ms <= 20.0)));
    }
    for (project, scene, what) in &cases[..2] {
        let median = rename(binary, home, project, scene)?.median().map(|s| s * 1000.0);
        let label = format!("rename_node planned in {what}, ms");
        rows.push(goal(&label, number(median, 1), "≤ 30", median.map(|ms| ms <= 30.0)));
    }
    Ok(rows)
}

fn open(binary: &Path, home: &Home, project: &Path) -> Result<(Server, Pipe)> {
    let mut command = Command::new(binary);
    command.args(["serve", "--allow-writes", "--tcp", "127.0.0.1:0", "--project"]).arg(project);
    let server = Server::start(home.fresh(&mut command)?, LIMIT)?;
    let mut pipe = Pipe::framed(&server.framed_address()?)?;
    pipe.shake_hands()?;
    Ok((server, pipe))
}

fn tool(name: &str, arguments: Value) -> Call {
    Call::new("tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// The first resource of a scene is lost and found again, and the server is asked what is wrong.
fn recheck(binary: &Path, home: &Home, project: &Path, scene: &str) -> Result<Series> {
    let (_server, mut pipe) = open(binary, home, project)?;
    let check = tool("project_check", json!({ "maxResults": 1 }));
    let errors = |pipe: &mut Pipe| -> Result<u64> {
        let answer = pipe.ask(&check)?;
        answer["structuredContent"]["errors"].as_u64().context("no count of errors")
    };
    let whole = errors(&mut pipe)?;
    let file = project.join(scene);
    let good = fs::read_to_string(&file)?;
    let start = good.find("[ext_resource").context("the scene has no resource")?;
    let lost = good[start..].replacen(" uid=\"uid://", " uid=\"uid://lost", 1);
    let lost = lost.replacen(" path=\"res://", " path=\"res://lost/", 1);
    let bad = good[..start].to_owned() + &lost;
    ensure!(good != bad, "{scene} has no resource");
    let mut seconds = Series::default();
    for touch in 0..TOUCHES {
        let is_lost = touch % 2 == 0;
        let written = Instant::now();
        fs::write(&file, if is_lost { &bad } else { &good })?;
        loop {
            let asked = Instant::now();
            if (errors(&mut pipe)? > whole) == is_lost {
                seconds.push(asked.elapsed().as_secs_f64());
                break;
            }
            ensure!(written.elapsed() < NOTICE, "the change of {scene} was not noticed");
            thread::sleep(Duration::from_millis(1));
        }
    }
    ensure!(fs::read_to_string(&file)? == good, "{scene} is not what it was");
    Ok(seconds)
}

/// A rename that is only planned, after the first one, which reads the project.
fn rename(binary: &Path, home: &Home, project: &Path, scene: &str) -> Result<Series> {
    let (_server, mut pipe) = open(binary, home, project)?;
    let mut seconds = Series::default();
    for touch in 0..=TOUCHES {
        let input = json!({ "scenePath": scene, "nodePath": "Group0", "newName": format!("Renamed{touch}"), "dryRun": true });
        let (taken, answer) = pipe.ask_timed(&tool("rename_node", input))?;
        let count = answer["structuredContent"]["filesChanged"].as_u64();
        ensure!(count.is_some_and(|count| count > 0), "rename_node plans nothing: {answer}");
        if touch > 0 {
            seconds.push(taken);
        }
    }
    Ok(seconds)
}
