//! What people look for and the tools that are right for it: the search finds them.

use std::path::Path;
use std::sync::Arc;

use scenewright_contract::Call;
use scenewright_toolkit::{Kept, Runner, Settings, Workspace};
use scenewright_tools::{ENGINES, new_runner};
use serde_json::{Value, json};

const QUERIES: &str = include_str!("data/queries.tsv");

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

#[test]
fn the_right_tool_is_found() {
    let (mut total, mut first, mut third, mut missed) = (0, 0, 0, String::new());
    for engine in ["unity", "godot"] {
        let (runner, other) =
            (runner(engine, true), if engine == "unity" { "godot" } else { "unity" });
        for line in QUERIES.lines().filter(|line| line.split('\t').next() == Some(engine)) {
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
                let best: Vec<_> = found.iter().take(4).collect();
                missed += &format!("{engine}: {query}: {right} at {place:?}, not {best:?}\n");
            }
            for name in &found {
                let engine = runner.known(name).unwrap().1.engine;
                assert_ne!(engine, Some(other), "{query}: {name}");
            }
        }
    }
    let share = |count: usize| count as f64 / f64::from(total) * 100.0;
    let (first, third) = (share(first), share(third));
    assert!(total >= 200 && first >= 85.0 && third >= 97.0, "{first:.1} {third:.1}\n{missed}");
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
    let answer = search(&runner("godot", true), "rename a node");
    assert!(answer["tools"][0].get("needs").is_none());
    assert_eq!(answer["call"]["tool"], "rename_node");
    assert!(answer["call"]["arguments"]["newName"].is_string());
}

#[test]
fn what_no_tool_does_is_said_with_what_is_nearest() {
    let runner = runner("unity", true);
    let answer = search(&runner, "cook a pizza with a scene");
    assert_eq!(answer["note"], "no tool does all of this; these are the nearest");
    assert!(!names(&answer).is_empty() && answer.get("call").is_none());
    let answer = search(&runner, "zzzzqqq");
    assert!(answer["note"].as_str().unwrap().starts_with("no tool has any of these words"));
    assert_eq!(answer["total"], 0);
    // One letter wrong is still found.
    assert_eq!(names(&search(&runner, "hierachy"))[0], "scene_hierarchy_dump");
}
