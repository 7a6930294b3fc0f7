//! What a running server does after one file changed: a check, and a rename that is only planned.

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::json;

use super::super::samples::Series;
use super::super::table::{Row, goal, number};
use super::super::touched::{self, tool};
use super::{FILES, Home};
use crate::synth;

const RENAMES: usize = 20;
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

/// The first resource of a scene is lost and found again, and the server is asked what is wrong.
fn recheck(binary: &Path, home: &Home, project: &Path, scene: &str) -> Result<Series> {
    let (_server, mut pipe) = home.serve(binary, project)?;
    let broken = |good: &str| {
        let Some(start) = good.find("[ext_resource") else { return good.to_owned() };
        let lost = good[start..].replacen(" uid=\"uid://", " uid=\"uid://lost", 1);
        good[..start].to_owned() + &lost.replacen(" path=\"res://", " path=\"res://lost/", 1)
    };
    // Where the resource was a scene, what stands on its nodes is lost with it.
    Ok(touched::measure(&mut pipe, &project.join(scene), broken, |more| more > 0)?.recheck)
}

/// A rename that is only planned, after the first one, which reads the project.
fn rename(binary: &Path, home: &Home, project: &Path, scene: &str) -> Result<Series> {
    let (_server, mut pipe) = home.serve(binary, project)?;
    let mut seconds = Series::default();
    for touch in 0..=RENAMES {
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
