//! Games and editors that are killed and started again: never a stale link, never a hang.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::cases::{Cases, column, has, same};
use super::{Client, Ground, Side, game};

const ROUNDS: usize = 5;
const FULL_ROUNDS: usize = 50;
/// A link that is down is known to be within this time.
const MOST_SECONDS: f64 = 1.0;

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("restart")?;
    game::add_scene(&project)?;
    let mut client = Client::start(ground, &project)?;
    let rounds = if ground.full { FULL_ROUNDS } else { ROUNDS };
    let args: &[&str] = &["res://cases.tscn"];
    cases.case("games", || {
        let worst = kill_often(ground, &mut client, &project, (Side::Game, args), rounds)?;
        Ok(format!("{rounds} kills, each known within {:.0} ms", worst * 1000.0))
    });
    let rounds = rounds.div_ceil(3);
    cases.case("editors", || {
        let worst = kill_often(ground, &mut client, &project, (Side::Editor, &[]), rounds)?;
        Ok(format!("{rounds} kills, each known within {:.0} ms", worst * 1000.0))
    });
    cases.case("runs with a seed", || {
        let first = drawn(&mut client, 7)?;
        same("the same seed", drawn(&mut client, 7)?, first)?;
        let other = drawn(&mut client, 8)?;
        ensure!(other != first, "another seed begins with {other} as well");
        Ok(format!("7 begins with {first} twice, 8 with {other}"))
    });
    Ok(())
}

/// The first lot that a game draws which begins with a seed.
fn drawn(client: &mut Client, seed: i64) -> Result<i64> {
    let run =
        json!({ "headless": true, "fixedFps": 60, "seed": seed, "scene": "res://cases.tscn" });
    client.call("run_project", &run)?;
    // A busy machine starts it later than the tool looks.
    for _ in 0..100 {
        let status = client.call("live_status", &json!({}))?;
        if status["running"].as_array().is_some_and(|running| !running.is_empty()) {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let said = client.call("game_call", &json!({ "expression": "randi()" }))?;
    client.call("stop_project", &json!({}))?;
    said["value"].as_i64().with_context(|| format!("no number: {said}"))
}

/// Start, use, kill, so often; the longest time in seconds until a call knew of it.
fn kill_often(
    ground: &Ground,
    client: &mut Client,
    project: &Path,
    (side, args): (Side, &[&str]),
    rounds: usize,
) -> Result<f64> {
    let (tool, arguments): (&str, Value) = match side {
        Side::Game => ("live_tree", json!({})),
        Side::Editor => ("editor_class", json!({ "name": "Timer" })),
    };
    let mut worst = 0.0f64;
    for round in 1..=rounds {
        let running = ground.start(side, project, args)?;
        client.call(tool, &arguments)?;
        let said = client.call("live_status", &json!({}))?;
        same("who runs", &said["running"][0]["process"], running.pid)?;
        running.kill();
        let started = Instant::now();
        let said = client.refusal(tool, &arguments)?;
        let seconds = started.elapsed().as_secs_f64();
        worst = worst.max(seconds);
        ensure!(seconds < MOST_SECONDS, "round {round}: known after {seconds:.2} s");
        // A call may be on its way when the end of the stream is heard: then that is what it says.
        if !said.contains("before it answered") {
            has("after the kill", &said, &format!("no {} is connected", side.name()))?;
        }
        let said = client.refusal(tool, &arguments)?;
        has("the next call", &said, &format!("no {} is connected", side.name()))?;
        let said = client.call("live_status", &json!({}))?;
        same("listed", column(&said["running"], "side"), Vec::<&str>::new())?;
    }
    Ok(worst)
}
