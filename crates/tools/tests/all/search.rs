//! What people look for and the tools that are right for it: the search finds them.

use std::path::Path;
use std::sync::Arc;

use scenewright_contract::Call;
use scenewright_toolkit::{Kept, Runner, Settings, Workspace};
use scenewright_tools::{ENGINES, new_runner};
use serde_json::{Value, json};

const QUERIES: &str = include_str!("data/queries.tsv");
/// Questions in other words, about fields and settings above all.
const FIELDS: &str = include_str!("data/fields.tsv");
/// Questions as people type them: short, in slang, with names of their own.
const COLLOQUIAL: &str = include_str!("data/colloquial.tsv");

fn runner(engine: &str, allow_writes: bool) -> Arc<Runner> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(engine);
    let workspace = Workspace::open(ENGINES, &[sample], Kept::default()).unwrap();
    let settings = Settings { allow_writes, allow_runs: allow_writes, ..Settings::default() };
    new_runner(workspace, settings, None, &[])
}

fn search(runner: &Arc<Runner>, query: &str) -> Value {
    let Value::Object(arguments) = json!({ "query": query }) else { unreachable!("an object") };
    let outcome = runner.admit(Call::new("tools.search", arguments)).unwrap().run().unwrap();
    serde_json::to_value(&outcome.output).unwrap()
}

fn names(answer: &Value) -> Vec<&str> {
    let tools = answer["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// How often the right tool comes first and among three, in percent, and what was missed.
fn found(queries: &str) -> (f64, f64, String) {
    let (mut total, mut first, mut third, mut missed) = (0, 0, 0, String::new());
    for engine in ["unity", "godot"] {
        let (runner, other) =
            (runner(engine, true), if engine == "unity" { "godot" } else { "unity" });
        for line in queries.lines().filter(|line| line.split('\t').next() == Some(engine)) {
            let [_, query, right] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let answer = search(&runner, query);
            let found = names(&answer);
            let place = found.iter().position(|name| right.split(' ').any(|right| right == *name));
            total += 1;
            first += usize::from(place == Some(0));
            third += usize::from(place.is_some_and(|place| place < 3));
            if place != Some(0) {
                missed += &format!("{engine}: {query}: {right} at {place:?}, not {found:?}\n");
            }
            for name in &found {
                let engine = runner.known(name).unwrap().1.engine;
                assert_ne!(engine, Some(other), "{query}: {name}");
            }
            let size = answer.to_string().len();
            assert!(size <= 1000 && found.len() <= 5, "{query}: {size} bytes");
        }
    }
    assert!(total >= 120, "{total} questions");
    let share = |count: usize| count as f64 / f64::from(total) * 100.0;
    (share(first), share(third), missed)
}

#[test]
fn every_sentence_is_of_a_tool() {
    for (engine, sentences) in [
        ("unity", include_str!("../../../tools-common/src/tools/search/phrases/unity.txt")),
        ("unity", include_str!("../../../tools-common/src/tools/search/phrases/explorer.txt")),
        ("godot", include_str!("../../../tools-common/src/tools/search/phrases/godot.txt")),
    ] {
        let runner = runner(engine, true);
        for line in sentences.lines() {
            let (name, sentences) = line.split_once(": ").expect(line);
            let tool = runner.known(name).unwrap_or_else(|_| panic!("{name}")).1;
            assert!(tool.engine.is_none_or(|of| of == engine), "{name}");
            assert_eq!(tool.mcp_name, name, "the name, and not an alias");
            assert!(sentences.split(" | ").all(|one| !one.trim().is_empty()), "{name}");
        }
    }
}

#[test]
fn the_right_tool_is_found() {
    let (first, third, missed) = found(QUERIES);
    assert!(first >= 91.0 && third >= 98.0, "{first:.1} {third:.1}\n{missed}");
}

#[test]
fn the_words_of_a_field_lead_to_what_sets_and_reads_it() {
    let (first, third, missed) = found(FIELDS);
    assert!(first >= 93.0 && third >= 97.0, "{first:.1} {third:.1}\n{missed}");
}

#[test]
fn slang_and_names_of_ones_own_lead_to_the_tool() {
    let (first, third, missed) = found(COLLOQUIAL);
    assert!(first >= 91.0 && third >= 97.0, "{first:.1} {third:.1}\n{missed}");
}

#[test]
fn the_call_of_an_answer_is_of_the_field_that_was_asked_for() {
    let unity = runner("unity", true);
    let godot = runner("godot", true);
    let change = |query: &str| search(&unity, query)["call"]["arguments"]["changes"][0].clone();
    let asked = change("particle system start colour");
    assert_eq!(
        (&asked["component"], &asked["field"]),
        (&json!("ParticleSystem"), &json!("startColor"))
    );
    let arguments = search(&godot, "set the zoom of the camera")["call"]["arguments"].clone();
    assert!(arguments["properties"]["zoom"].is_object(), "{arguments}");
    // Of what the sample has the call can be made as it is.
    for query in ["change quality settings shadow distance", "set the fixed timestep"] {
        let answer = search(&unity, query);
        let Value::Object(mut arguments) = answer["call"]["arguments"].clone() else {
            panic!("{query}: {answer}")
        };
        arguments.insert("dryRun".to_owned(), json!(true));
        let done = unity.admit(Call::new("unity.edit", arguments)).unwrap().run().unwrap();
        assert_eq!(done.output["filesChanged"], 1, "{query}");
    }
}

#[test]
fn the_call_of_an_answer_runs_and_does_what_was_asked() {
    let runner = runner("unity", true);
    for (query, op, part) in [
        ("instantiate prefab", "instantiate", "prefab"),
        ("rename an object", "rename", "name"),
        ("create UI button with label and onClick", "create", "components"),
    ] {
        let answer = search(&runner, query);
        let place = names(&answer).iter().position(|name| *name == "unity_edit");
        assert!(place.is_some_and(|place| place < 3), "{query}: {:?}", names(&answer));
        if place != Some(0) {
            continue;
        }
        let change = &answer["call"]["arguments"]["changes"][0];
        assert_eq!(change["op"], op, "{query}");
        assert!(change.get(part).is_some(), "{query}: {change}");
        let Value::Object(mut arguments) = answer["call"]["arguments"].clone() else {
            panic!("{answer}")
        };
        arguments.insert("dryRun".to_owned(), json!(true));
        let done = runner.admit(Call::new("unity.edit", arguments)).unwrap().run();
        assert_eq!(done.unwrap().output["filesChanged"], 1, "{query}");
    }
    let lights = search(&runner, "change all lights in a folder of prefabs");
    assert!(names(&lights)[..3].contains(&"batch_setProperty"), "{:?}", names(&lights));
    // Examples name the projects of the samples.
    assert_eq!(search(&runner, "project version")["call"]["arguments"], json!({}));
    let godot = search(&self::runner("godot", true), "rename a node");
    assert_eq!(godot["call"]["arguments"].get("projectPath"), None);
}

#[test]
fn a_tool_that_the_server_does_not_offer_is_found_with_what_it_needs() {
    let answer = search(&runner("godot", false), "rename a node");
    assert_eq!(names(&answer)[0], "rename_node");
    assert_eq!(answer["tools"][0]["needs"], "--allow-writes");
    let answer = search(&runner("godot", false), "run the game");
    assert_eq!(answer["tools"][0]["needs"], "--allow-runs");
    assert_eq!(names(&search(&runner("godot", false), "screenshoot"))[0], "take_screenshot");
    let answer = search(&runner("godot", true), "rename a node");
    assert!(answer["tools"][0].get("needs").is_none());
    assert_eq!(answer["call"]["tool"], "rename_node");
    assert!(answer["call"]["arguments"]["newName"].is_string());
}

#[test]
fn what_no_tool_does_is_said_with_what_is_nearest() {
    let runner = runner("unity", true);
    let answer = search(&runner, "cook a pizza with a scene");
    let note = answer["note"].as_str().unwrap();
    assert!(note.starts_with("no tool has all of these words; unity_edit sets"), "{note}");
    assert!(!names(&answer).is_empty() && answer.get("call").is_none());
    // What only the editor does is said, with what to do instead.
    let answer = search(&runner, "bake the navmesh");
    let note = answer["note"].as_str().unwrap();
    assert!(note.starts_with("no tool does this: only the Unity editor bakes"), "{note}");
    // What a tool does is never denied, whatever else is in the question.
    for query in ["particle system start colour", "add a NavMesh agent and set its speed"] {
        let answer = search(&runner, query);
        assert!(answer.get("note").is_none() && answer["call"].is_object(), "{query}: {answer}");
    }
    for query in ["generate a dragon model with AI", "write me a soundtrack"] {
        let answer = search(&runner, query);
        let note = answer["note"].as_str().unwrap_or_default();
        assert!(note.starts_with("no tool does this") && answer.get("call").is_none(), "{answer}");
    }
    let answer = search(&runner, "zzzzqqq");
    assert!(answer["note"].as_str().unwrap().starts_with("no tool has any of these words"));
    assert_eq!(answer["total"], 0);
    // One letter wrong is still found.
    assert_eq!(names(&search(&runner, "hierachy"))[0], "scene_hierarchy_dump");
}
