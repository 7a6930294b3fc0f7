//! `--require-confirm` as clients see it: what is asked, and what a yes or a no does. A shell script
//! stands in the place of the engine, which only Unix starts.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use scenewright_contract::{JsonMap, Runs, Safety};
use scenewright_fixture::{Folder, copy, sample};
use scenewright_toolkit::Tool;
use scenewright_toolkit::tool::Gate;
use scenewright_tools::GROUPS;
use serde_json::{Value, json};

use crate::cli::command;
use crate::cli::serving::Server;
use crate::cli::terminal::typing;

/// A server that asks a person, over copies of the samples, and what its client declares.
fn serve(folder: &Folder, capabilities: &Value) -> Server {
    for name in ["godot", "unity"] {
        if !folder.path(name).exists() {
            copy(&sample(name), &folder.path(name));
        }
    }
    let engine = folder.path("engine");
    folder
        .write("engine", "#!/bin/sh\n[ \"$1\" = --version ] && echo 4.6.stable && exit\nexit 3\n");
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command(folder.root());
    command.args(["serve", "--stdio", "--allow-writes", "--allow-runs", "--require-confirm"]);
    command.arg("--audit").arg(folder.path("audit.jsonl"));
    for name in ["godot", "unity"] {
        command.arg("--project").arg(folder.path(name));
    }
    command.env("GODOT_PATH", &engine).env("UNITY_PATH", &engine);
    command.env("XDG_STATE_HOME", folder.path("state")).env_remove("XDG_RUNTIME_DIR");
    let mut server = Server::start(command);
    let hello = json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": capabilities,
        "clientInfo": { "name": "t", "version": "1" },
    } });
    server.send(&hello.to_string());
    assert_eq!(server.receive()["id"], "hello");
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    server
}

/// What came of a call, and what a person was asked on the way; each question gets this answer.
fn call(
    server: &mut Server,
    tool: &str,
    arguments: &JsonMap,
    action: &str,
) -> (Value, Vec<String>) {
    let request = json!({ "jsonrpc": "2.0", "id": tool, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments } });
    server.send(&request.to_string());
    let mut asked = Vec::new();
    loop {
        let message = server.receive();
        if message["method"] == "elicitation/create" {
            asked.push(message["params"]["message"].as_str().unwrap().to_owned());
            let result = json!({ "action": action, "content": { "confirm": true } });
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
            server.send(&answer.to_string());
        } else if message["id"] == tool {
            return (message, asked);
        }
    }
}

/// The first text of an answer.
fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// Every tool that starts an engine, with arguments that lead to a start.
fn runs() -> Vec<(&'static Tool, JsonMap)> {
    let tools = GROUPS.iter().flat_map(|group| group.tools).filter(|tool| tool.runs != Runs::No);
    let with = |tool: &'static Tool| {
        let example = tool.examples.iter().map(|example| example.input).next();
        let mut arguments: JsonMap = serde_json::from_str(example.unwrap_or("{}")).unwrap();
        arguments.remove("dryRun");
        (tool, arguments)
    };
    tools.map(with).collect()
}

#[test]
fn every_run_is_asked_about_once_and_can_be_agreed_to() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({ "elicitation": {} }));
    let (mut all, mut before) = (0, Vec::new());
    for (tool, arguments) in runs() {
        all += 1;
        let (declined, asked) = call(&mut server, tool.id, &arguments, "decline");
        if asked.is_empty() {
            // Nobody is asked about what cannot be done here.
            assert!(text(&declined).contains("is connected"), "{}: {declined}", tool.id);
            before.push(tool.id);
        } else {
            assert_eq!(asked.len(), 1, "{}: {asked:?}", tool.id);
            assert!(text(&declined).contains("did not agree"), "{}: {declined}", tool.id);
        }
        let (agreed, again) = call(&mut server, tool.id, &arguments, "accept");
        assert_eq!(again.len(), asked.len(), "{}: {again:?}", tool.id);
        for word in ["did not agree", "Run it?", "person"] {
            assert!(!text(&agreed).contains(word), "{}: {agreed}", tool.id);
        }
        // A dry run that starts nothing asks nothing.
        if !tool.dry_runs && (tool.input)()["properties"].get("dryRun").is_some() {
            let mut dry = arguments.clone();
            dry.insert("dryRun".to_owned(), json!(true));
            let (answer, asked) = call(&mut server, tool.id, &dry, "decline");
            assert!(asked.is_empty(), "{}: {asked:?}", tool.id);
            assert!(!text(&answer).contains("Run it?"), "{}: {answer}", tool.id);
        }
    }
    assert_eq!(all, 33);
    // What a running editor or game is needed for.
    assert_eq!(before, ["godotEditor.play", "godotGame.set", "godotGame.input"]);
}

#[test]
fn a_dry_run_that_starts_the_engine_is_a_run() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({ "elicitation": {} }));
    let picture = json!({ "projectPath": "godot", "dryRun": true });
    let step = json!({ "tool": "take_screenshot", "arguments": {} });
    let batch = json!({ "project": "godot", "steps": [step], "dryRun": true });
    for (tool, arguments) in [("take_screenshot", picture), ("batch", batch)] {
        let Value::Object(arguments) = arguments else { unreachable!("an object literal") };
        let (answer, asked) = call(&mut server, tool, &arguments, "decline");
        assert_eq!(asked.len(), 1, "{tool}: {answer}");
        assert!(text(&answer).contains("did not agree"), "{tool}: {answer}");
    }
}

fn object(value: Value) -> JsonMap {
    let Value::Object(object) = value else { unreachable!("an object literal") };
    object
}

#[test]
fn a_yes_holds_for_what_was_shown_and_for_nothing_else() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({ "elicitation": {} }));
    let add = json!({ "name": "add_node", "arguments": { "projectPath": "godot",
        "scenePath": "res://scenes/main.tscn", "nodeType": "Timer", "nodeName": "Clock" } });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": add });
    server.send(&request.to_string());
    let question = server.receive();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    // Somebody saves the scene while the person reads.
    let scene = folder.path("godot/scenes/main.tscn");
    let saved = std::fs::read_to_string(&scene).unwrap().replace("Main", "Stage");
    std::fs::write(&scene, &saved).unwrap();
    let result = json!({ "action": "accept", "content": { "confirm": true } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
    server.send(&answer.to_string());
    let refused = server.receive();
    assert!(text(&refused).contains("the project changed since a person agreed"), "{refused}");
    assert_eq!(std::fs::read_to_string(&scene).unwrap(), saved);
    let arguments = object(add["arguments"].clone());
    let (done, asked) = call(&mut server, "add_node", &arguments, "accept");
    assert_eq!((asked.len(), &done["result"]["isError"]), (1, &json!(false)), "{done}");
}

/// A change that draws new names is the one that was shown, too.
#[test]
fn every_change_can_be_agreed_to() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({ "elicitation": {} }));
    let tools = GROUPS.iter().flat_map(|group| group.tools).filter(|tool| {
        tool.gate == Gate::Operator && tool.runs == Runs::No && tool.safety != Safety::ReadOnly
    });
    let (mut done, mut asked) = (0, 0);
    for tool in tools {
        for example in tool.examples {
            let mut arguments: JsonMap = serde_json::from_str(example.input).unwrap();
            arguments.remove("dryRun");
            let (answer, questions) = call(&mut server, tool.id, &arguments, "accept");
            let said = text(&answer);
            assert!(questions.len() < 2, "{}: {questions:?}", tool.id);
            let is_refused = said.contains("person") || said.contains("Run it?");
            let is_done = answer["result"]["isError"] == false;
            assert!(is_done || !is_refused, "{}: {said}", tool.id);
            asked += questions.len();
            done += usize::from(is_done);
        }
    }
    assert!(done > 80 && asked > 100, "{done} done, {asked} asked");
}

/// What the tests of the terminal wait for: a node that nobody has added yet.
fn clock() -> JsonMap {
    object(json!({ "projectPath": "godot", "scenePath": "res://scenes/main.tscn",
        "nodeType": "Timer", "nodeName": "Clock" }))
}

/// The id under which an answer says that its call waits.
fn pending(answer: &Value) -> String {
    let said = text(answer);
    let id = said.split("pending as ").nth(1).unwrap_or_else(|| panic!("{answer}"));
    let id = &id[..6];
    assert!(said.contains(&format!("`scenewright approve {id}`")), "{said}");
    id.to_owned()
}

fn approve(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = command(folder.root());
    command.env("XDG_STATE_HOME", folder.path("state")).arg("approve").args(arguments);
    command
}

/// What a person sees at a terminal who types this.
fn at_a_terminal(folder: &Folder, arguments: &[&str], typed: &str) -> String {
    let (code, seen) = typing(approve(folder, arguments), typed);
    assert_eq!(code, Some(0), "{seen}");
    seen
}

fn scene(folder: &Folder) -> String {
    folder.read("godot/scenes/main.tscn")
}

#[test]
fn a_client_that_cannot_ask_waits_for_a_person() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({}));
    let before = scene(&folder);
    let (waits, _) = call(&mut server, "add_node", &clock(), "");
    let id = pending(&waits);
    assert!(text(&waits).contains("\n  + Clock"), "{waits}");
    // Asking again changes nothing and waits no second time; nor does another order of words.
    let turned: JsonMap = clock().into_iter().rev().collect();
    for again in [clock(), turned] {
        assert_eq!(pending(&call(&mut server, "godotScene.addNode", &again, "").0), id);
    }
    // A program without a terminal agrees to nothing, whatever it writes.
    folder.write("yes", "y\n".repeat(9));
    let piped = std::fs::File::open(folder.path("yes")).unwrap();
    let output = approve(&folder, &[&id]).stdin(piped).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("at a terminal"));
    assert_eq!(pending(&call(&mut server, "add_node", &clock(), "").0), id);
    // Later is no answer either. The lines of the file are there for who wants them.
    let seen = at_a_terminal(&folder, &[], "d\nx\n");
    assert!(seen.contains(&id) && seen.contains("+ Clock"), "{seen}");
    assert!(seen.contains("+[node name=\"Clock\""), "{seen}");
    assert_eq!(pending(&call(&mut server, "add_node", &clock(), "").0), id);
    assert_eq!(scene(&folder), before);

    let seen = at_a_terminal(&folder, &[&id], "y\n");
    assert!(seen.contains("Agreed.") && !seen.contains("[node"), "{seen}");
    assert_eq!(scene(&folder), before, "it is carried out when the client calls again");
    let (done, _) = call(&mut server, "add_node", &clock(), "");
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert_eq!(scene(&folder).matches("\"Clock\"").count(), 1);
    // A yes is used once.
    let other = json!({ "nodeName": "Clock2" });
    let mut more = clock();
    more.extend(object(other));
    assert_ne!(pending(&call(&mut server, "add_node", &more, "").0), id);
    assert_eq!(scene(&folder).matches("\"Clock").count(), 1);
    let audit = folder.read("audit.jsonl");
    let agreed = format!(r#""agreed":{{"by":"terminal","id":"{id}"}}"#);
    assert_eq!(audit.matches(&agreed).count(), 2, "before and after: {audit}");
    assert!(audit.contains(r#""files":["scenes/main.tscn"]"#), "{audit}");
    assert!(audit.contains(r#""event":"refused","kind":"confirm_required""#), "{audit}");
}

#[test]
fn a_no_at_the_terminal_reaches_the_client_once() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({}));
    let id = pending(&call(&mut server, "add_node", &clock(), "").0);
    assert!(at_a_terminal(&folder, &[&id], "n\n").contains("Declined."));
    let (declined, _) = call(&mut server, "add_node", &clock(), "");
    assert!(text(&declined).contains("did not agree"), "{declined}");
    let anew = pending(&call(&mut server, "add_node", &clock(), "").0);
    assert_ne!(anew, id);
    assert!(at_a_terminal(&folder, &[&anew, "--decline"], "").contains("Declined."));
    let (declined, _) = call(&mut server, "add_node", &clock(), "");
    assert!(text(&declined).contains("did not agree"), "{declined}");
    assert!(!scene(&folder).contains("\"Clock\""));
    let audit = folder.read("audit.jsonl");
    assert_eq!(audit.matches(r#""declined":{"by":"terminal""#).count(), 2, "{audit}");
}

#[test]
fn a_yes_to_files_that_changed_is_asked_for_anew() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({}));
    let id = pending(&call(&mut server, "add_node", &clock(), "").0);
    at_a_terminal(&folder, &[&id], "y\n");
    let saved = scene(&folder).replace("Main", "Stage");
    folder.write("godot/scenes/main.tscn", &saved);
    let (anew, _) = call(&mut server, "add_node", &clock(), "");
    assert_eq!(pending(&anew), id);
    assert!(text(&anew).contains("the files changed since"), "{anew}");
    assert_eq!(scene(&folder), saved);
    let seen = at_a_terminal(&folder, &[&id], "y\n");
    assert!(seen.contains("The files changed since this was shown first."), "{seen}");
    let (done, _) = call(&mut server, "add_node", &clock(), "");
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert!(scene(&folder).contains("Stage") && scene(&folder).contains("\"Clock\""));
}

#[test]
fn every_run_waits_for_a_person_and_can_be_agreed_to() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({}));
    let mut waits = Vec::new();
    for (tool, arguments) in runs() {
        let (answer, _) = call(&mut server, tool.id, &arguments, "");
        if text(&answer).contains("is connected") {
            continue;
        }
        waits.push((tool, arguments, pending(&answer)));
    }
    assert_eq!(waits.len(), 30);
    let seen = at_a_terminal(&folder, &[], &"y\n".repeat(waits.len()));
    assert_eq!(seen.matches("Agreed.").count(), waits.len(), "{seen}");
    for (tool, arguments, id) in waits {
        assert!(seen.contains(&id), "{}", tool.id);
        let (answer, _) = call(&mut server, tool.id, &arguments, "");
        for word in ["pending", "did not agree", "Run it?", "person"] {
            assert!(!text(&answer).contains(word), "{}: {answer}", tool.id);
        }
    }
}

/// Every older protocol has its own words for it, and none has a way around it.
#[test]
fn every_protocol_waits_for_a_person() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({}));
    let write = r#"{"project":"godot","path":"a.txt","content":"a"}"#;
    let confirmed = r#"{"project":"godot","path":"a.txt","content":"a","confirm":true}"#;
    let active = r#"{"objectId":"obj:1","active":false,"confirm":true}"#;
    for (method, params, word) in [
        (
            "tools/call",
            format!(r#"{{"tool":"project.writeFile","arguments":{write}}}"#),
            "pending as",
        ),
        (
            "tools/call",
            format!(r#"{{"tool":"project.writeFile","arguments":{confirmed}}}"#),
            "nobody's word",
        ),
        (
            "tools/call",
            format!(
                r#"{{"name":"tools_call","arguments":{{"tool":"project.writeFile","arguments":{write}}}}}"#
            ),
            "pending as",
        ),
        (
            "tools/call",
            format!(
                r#"{{"name":"tools_call","arguments":{{"tool":"project.writeFile","arguments":{confirmed}}}}}"#
            ),
            "nobody's word",
        ),
        (
            "call_tool",
            format!(r#"{{"name":"SetActive","arguments":{active}}}"#),
            "scenewright approve",
        ),
    ] {
        server.send(&format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"{method}","params":{params}}}"#
        ));
        let answer = loop {
            let answer = server.receive();
            if answer["id"] == "x" {
                break answer;
            }
        };
        assert!(answer.to_string().contains(word), "{params}: {answer}");
    }
    assert!(!folder.path("godot/a.txt").exists());
}

#[test]
fn a_batch_waits_once_and_shows_all() {
    let folder = Folder::empty();
    let mut server = serve(&folder, &json!({}));
    let node = |name: &str| {
        json!({ "tool": "add_node", "arguments": {
            "scenePath": "res://scenes/main.tscn", "nodeType": "Timer", "nodeName": name } })
    };
    let batch = object(json!({ "project": "godot", "steps": [node("One"), node("Two")] }));
    let (waits, _) = call(&mut server, "batch", &batch, "");
    let id = pending(&waits);
    assert!(text(&waits).contains("+ One") && text(&waits).contains("+ Two"), "{waits}");
    let seen = at_a_terminal(&folder, &[], "y\n");
    assert_eq!(seen.matches("Let it run?").count(), 1, "{seen}");
    assert!(seen.contains(&id) && seen.contains("+ One") && seen.contains("+ Two"), "{seen}");
    let (done, _) = call(&mut server, "batch", &batch, "");
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert!(scene(&folder).contains("\"One\"") && scene(&folder).contains("\"Two\""));
}
