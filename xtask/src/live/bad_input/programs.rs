//! Programs that hang, flood, die, are of another version, or are there twice.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;

use super::super::cases::{Cases, has, same};
use super::super::{Client, Ground, Side};
use crate::bench::agent::projects;
use crate::bench::usage;

/// Lines of a flood, and what the program may grow by meanwhile.
const FLOOD: u64 = 1_000_000;
const MOST_GROWTH_MB: f64 = 30.0;

pub(super) fn run(
    ground: &Ground,
    cases: &mut Cases,
    client: &mut Client,
    project: &Path,
) -> Result<()> {
    endless(ground, cases, client, project);
    flood(ground, cases, client, project);
    other_version(ground, cases, client, project);
    editors(ground, cases, client, project);
    Ok(())
}

fn endless(ground: &Ground, cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("a game in an endless loop", || {
        let game = ground.start(Side::Game, project, &["res://cases.tscn"])?;
        client.begin("game_call", &json!({ "nodePath": ".", "method": "forever" }))?;
        std::thread::sleep(Duration::from_millis(300));
        let mut other = Client::start(ground, project)?;
        let started = Instant::now();
        let said = other.refusal("live_tree", &json!({}))?;
        let seconds = started.elapsed().as_secs_f64();
        has("live_tree", &said, "its main thread has been busy for")?;
        ensure!(seconds < 12.0, "that took {seconds:.1} s");
        game.kill();
        let (is_error, said) = client.answer()?;
        ensure!(is_error, "the call in the loop is said to be good: {said}");
        has("the call in the loop", &said, "the game ended")?;
        let again = ground.start(Side::Game, project, &["res://cases.tscn"])?;
        let state = client.call("live_status", &json!({}))?;
        same("another game", &state["running"][0]["process"], again.pid)?;
        client.call("live_tree", &json!({}))?;
        Ok(format!("told as busy after {seconds:.1} s; another game is linked at once"))
    });
}

fn flood(ground: &Ground, cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("a game that floods its output", || {
        let _game = ground.start(Side::Game, project, &["res://cases.tscn"])?;
        let cursor = client.call("live_log", &json!({}))?["cursor"].as_u64().unwrap_or_default();
        let before = usage::resident_mb(client.pid());
        // In parts, so that none is longer than a call may be on a busy machine.
        for _ in 0..20 {
            let part = json!({ "nodePath": ".", "method": "flood", "arguments": [FLOOD / 20] });
            client.call("game_call", &part)?;
        }
        let said = client.call("live_log", &json!({ "since": cursor.max(1), "limit": 5 }))?;
        let lost = said["lost"].as_u64().unwrap_or_default();
        ensure!(lost > FLOOD / 2, "lost: {said}");
        let last = client.call("live_log", &json!({ "limit": 1 }))?;
        same(
            "the last line",
            &last["lines"][0]["text"],
            format!("flood {}", FLOOD / 20 - 1).as_str(),
        )?;
        let growth = usage::resident_mb(client.pid()).zip(before).map(|(now, before)| now - before);
        ensure!(growth.is_none_or(|growth| growth < MOST_GROWTH_MB), "it grew by {growth:?} MB");
        Ok(format!(
            "{FLOOD} lines, {lost} told as lost; grew by {:.1} MB",
            growth.unwrap_or_default()
        ))
    });
}

fn other_version(ground: &Ground, cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("an addon of another version", || {
        let file = project.join("addons/scenewright/link/server.gd");
        let own = fs::read_to_string(&file)?;
        let older = own.replacen("const VERSION := \"", "const VERSION := \"0.0.", 1);
        ensure!(older != own, "the addon tells no version");
        fs::write(&file, &older)?;
        let game = ground.start(Side::Game, project, &["res://cases.tscn"])?;
        let said = client.whole("live_tree", &json!({}))?.to_string();
        has("an older version", &said, "has the addon 0.0.")?;
        drop(game);
        fs::write(&file, older.replacen("const PROTOCOL := 2", "const PROTOCOL := 1", 1))?;
        let game = ground.start(Side::Game, project, &["res://cases.tscn"])?;
        let said = client.refusal("live_tree", &json!({}))?;
        has("an older protocol", &said, "scenewright install godot-addon")?;
        drop(game);
        fs::write(&file, own)?;
        Ok("told; one that speaks otherwise is not spoken to".to_owned())
    });
}

fn editors(ground: &Ground, cases: &mut Cases, client: &mut Client, project: &Path) {
    cases.case("two editors, a project that moved, one killed in a call", || {
        let one = ground.start(Side::Editor, project, &[])?;
        let two = ground.start(Side::Editor, project, &[])?;
        let said = client.refusal("editor_class", &json!({ "name": "Timer" }))?;
        has("two editors", &said, "2 editors of this project run")?;
        let named = json!({ "name": "Timer", "process": two.pid });
        client.call("editor_class", &named)?;
        let moved = ground.scratch.join("moved");
        projects::copy(project, &moved)?;
        projects::copy(&project.join(".godot"), &moved.join(".godot"))?;
        let mut there = Client::start(ground, &moved)?;
        let said = there.refusal("editor_class", &json!({ "name": "Timer" }))?;
        has("a project that moved", &said, "it is of the project")?;
        drop(two);
        client.begin("live_picture", &json!({ "of": "editor" }))?;
        one.kill();
        let (is_error, said) = client.answer()?;
        ensure!(is_error, "a killed editor gave a picture: {said}");
        let said = client.refusal("editor_class", &json!({ "name": "Timer" }))?;
        has("afterwards", &said, "no editor is connected")?;
        Ok("named apart by process; files of another folder are not believed".to_owned())
    });
}
