//! What needs a project that is broken on purpose: a debugger in an endless loop, scripts and scenes
//! with errors, a game that reports errors and ends with 0. Each check has to see the fault, and has
//! to see none in what is fine.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::cases::Programs;
use crate::sandbox::Sandbox;
use crate::session::{Reply, Session};

/// Files that are added to the sample: scripts, and a scene for each.
const SCRIPTS: [(&str, &str); 4] = [
    ("wrong", "extends Node\nfunc g():\n\tvar s = \"😀é\"; print(s, nope)\n"),
    ("loops", "extends Node\nvar turns = 0\nfunc _ready():\n\twhile true:\n\t\tturns += 1\n"),
    ("reports", "extends Node\nfunc _ready():\n\tpush_error(\"no\")\n\tget_tree().quit(0)\n"),
    (
        "null",
        "extends Node\nfunc _ready():\n\tvar gone = get_node_or_null(\"gone\")\n\tgone.hide()\n",
    ),
];

/// Every check; says what was seen.
pub(crate) fn judge(programs: &Programs, copy: &Sandbox) -> Result<String> {
    let root = copy.root();
    for (name, text) in SCRIPTS {
        fs::write(root.join(format!("{name}.gd")), text)?;
        fs::write(root.join(format!("{name}.tscn")), scene(name))?;
    }
    let before = copy.contents()?;
    let mut session = Session::start(&programs.scenewright, copy, &programs.godot)?;
    scripts(&mut session)?;
    debugger(&mut session)?;
    scenes(&mut session)?;
    let changed = copy.contents()? != before;
    ensure!(!changed, "the project was changed by calls that only run");
    rename(&mut session, &root)?;
    session.end()?;
    Ok("scripts, debugger, scenes and a rename are as they should be".to_owned())
}

fn scene(name: &str) -> String {
    format!(
        "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://{name}.gd\" id=\"1\"]\n\n[node name=\"Root\" type=\"Node\"]\nscript = ExtResource(\"1\")\n"
    )
}

fn done(session: &mut Session, tool: &str, arguments: &Value) -> Result<Value> {
    match session.call(tool, arguments)? {
        Reply::Done(output) => Ok(output),
        Reply::Refused(why) => anyhow::bail!("{tool} fails: {why}"),
    }
}

fn scripts(session: &mut Session) -> Result<()> {
    let said = done(session, "get_script_errors", &json!({}))?;
    let errors = said["errors"].as_array().cloned().unwrap_or_default();
    let is_error = |one: &&Value| one["type"] == "error";
    let errors: Vec<&Value> = errors.iter().filter(is_error).collect();
    ensure!(errors.len() == 1, "one script is wrong, and this is said: {said}");
    let place = (&errors[0]["file"], &errors[0]["line"], &errors[0]["column"]);
    let is_right = *place.0 == "res://wrong.gd" && *place.1 == 3 && *place.2 == 25;
    ensure!(is_right, "the place of the error is not {place:?}");
    Ok(())
}

fn debugger(session: &mut Session) -> Result<()> {
    let never = json!({ "breakpoints": [{ "scriptPath": "scripts/main.gd", "line": 1 }] });
    let refused = matches!(session.call("debug_start", &never)?, Reply::Refused(_));
    ensure!(refused, "a line without a statement is taken as a breakpoint");
    let stopped = done(session, "debug_start", &json!({ "scene": "null.tscn" }))?;
    let place = &stopped["stack"][0];
    ensure!(
        stopped["reason"] == "exception" && place["file"] == "res://null.gd" && place["line"] == 4,
        "the null is not found: {stopped}"
    );
    ensure!(stopped["locals"][0]["value"] == "<null>", "nor its variable: {stopped}");
    let runs = done(session, "debug_start", &json!({ "scene": "loops.tscn", "wait": 1 }))?;
    ensure!(runs["state"] == "running", "an endless loop does not run: {runs}");
    let waits = done(session, "debug_step", &json!({ "how": "pause" }))?;
    ensure!(waits["stack"][0]["file"] == "res://loops.gd", "it cannot be paused: {waits}");
    let asked = json!({ "evaluate": ["turns > 0", "nope"] });
    let values = done(session, "debug_inspect", &asked)?["values"].take();
    ensure!(
        values[0]["value"] == "true" && values[1].get("value").is_none(),
        "expressions are not told apart: {values}"
    );
    done(session, "debug_stop", &json!({})).map(drop)
}

fn scenes(session: &mut Session) -> Result<()> {
    let smoke = json!({ "framework": "smoke", "timeout": 5 });
    let said = done(session, "run_tests", &smoke)?;
    let status = |name: &str| {
        let tests = said["tests"].as_array().into_iter().flatten();
        let own = tests.into_iter().find(|test| test["name"] == format!("res://{name}.tscn"));
        own.map(|test| test["status"].clone()).unwrap_or_default()
    };
    for bad in ["wrong", "loops", "reports", "null"] {
        ensure!(status(bad) == "failed", "{bad}.tscn does not fail: {said}");
    }
    for fine in ["scenes/coin", "scenes/level", "scenes/main"] {
        ensure!(status(fine) == "passed", "{fine}.tscn does not pass: {said}");
    }
    let run = json!({ "scene": "reports.tscn", "headless": true, "seconds": 10 });
    let said = done(session, "run_project", &run)?;
    ensure!(
        said["exitCode"] == 0 && said["report"]["clean"] == false,
        "an error with the code 0 passes: {said}"
    );
    Ok(())
}

fn rename(session: &mut Session, root: &Path) -> Result<()> {
    let own =
        json!({ "scriptPath": "scripts/player.gd", "symbol": "move_and_slide", "newName": "a" });
    let refused = matches!(session.call("script_rename", &own)?, Reply::Refused(_));
    ensure!(refused, "a method of the engine gets another name");
    let wanted = json!({ "scriptPath": "wrong.gd", "symbol": "s", "line": 3, "newName": "text" });
    let said = done(session, "script_rename", &wanted)?;
    ensure!(said["places"] == 2, "a name is not renamed where it is: {said}");
    let text = fs::read_to_string(root.join("wrong.gd"))?;
    ensure!(text.contains("\tvar text = \"😀é\"; print(text, nope)"), "the file has {text}");
    Ok(())
}
