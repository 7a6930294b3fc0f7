//! What every tool promises, tool by tool: a dry run is a read and changes nothing, and an error
//! repeats little of what it was given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scenewright_contract::echo::MAX_ECHO;
use scenewright_contract::{By, Call, Consent, ErrorKind, JsonMap, Runs, Safety, Shown, ToolError};
use scenewright_fixture::Folder;
use scenewright_toolkit::tool::{Gate, Powers};
use scenewright_toolkit::{Kept, Runner, Settings, Tool, Workspace};
use scenewright_tools::{ENGINES, GROUPS, new_runner};
use serde_json::{Value, json};

fn samples() -> Folder {
    Folder::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"))
}

fn runner(folder: &Folder, allow_writes: bool) -> Arc<Runner> {
    let folders = [folder.path("unity"), folder.path("godot")];
    let workspace = Workspace::open(ENGINES, &folders, Kept::default()).unwrap();
    new_runner(
        workspace,
        Settings { allow_writes, allow_runs: allow_writes, ..Settings::default() },
        None,
        &[],
    )
}

fn tools() -> impl Iterator<Item = &'static Tool> {
    GROUPS.iter().flat_map(|group| group.tools)
}

/// The tools whose dry run a read-only server admits.
fn dry() -> impl Iterator<Item = &'static Tool> {
    tools().filter(|tool| {
        let info = tool.info(GROUPS[0], Safety::ReadOnly);
        let takes = info.words.input["properties"].get("dryRun").is_some();
        takes && tool.gate == Gate::Operator && tool.runs == Runs::No
    })
}

fn object(text: &str) -> JsonMap {
    serde_json::from_str(text).unwrap()
}

/// Every file with its content, links as where they lead.
fn content(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => {
                found.insert(path.clone(), Vec::new());
                found.extend(content(&path));
            }
            false => drop(found.insert(path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    found
}

#[test]
fn a_dry_run_is_a_read_and_changes_no_byte() {
    let mut count = 0;
    // What there is to take back is kept by the server that wrote it.
    for tool in dry().filter(|tool| tool.id != "project.undoLast") {
        let folder = samples();
        let writing = runner(&folder, true);
        let prepared = tool.after.iter().all(|earlier| {
            let call = Call::new(earlier.tool, object(earlier.input));
            writing.admit(call).unwrap().run().is_ok()
        });
        drop(writing);
        if !prepared {
            continue;
        }
        for (at, example) in tool.examples.iter().enumerate() {
            if let Some(earlier) = at.checked_sub(1).map(|at| &tool.examples[at]) {
                // Some examples go on from the one before.
                let call = Call::new(tool.id, object(earlier.input));
                let _ = runner(&folder, true).admit(call).and_then(|call| call.run());
            }
            let reading = runner(&folder, false);
            let mut arguments = object(example.input);
            arguments.insert("dryRun".to_owned(), json!(true));
            let before = content(folder.root());
            let place = format!("{}, example '{}'", tool.id, example.description);
            let outcome =
                reading.admit(Call::new(tool.id, arguments.clone())).and_then(|c| c.run());
            let after = content(folder.root());
            let changed: Vec<_> = after.iter().filter(|(k, v)| before.get(*k) != Some(v)).collect();
            assert!(changed.is_empty() && before.len() == after.len(), "{place}: {changed:?}");
            match outcome {
                Ok(_) => count += 1,
                Err(error) => assert!(
                    matches!(error.kind, ErrorKind::NotReady)
                        || error.message.contains("may not run anything"),
                    "{place}: {error}"
                ),
            }
            // And without it nothing is admitted.
            arguments.insert("dryRun".to_owned(), json!(false));
            let refused = reading.admit(Call::new(tool.id, arguments)).err();
            if tool.safety != Safety::ReadOnly && !tool.delegates {
                assert_eq!(refused.unwrap().kind, ErrorKind::Denied, "{place}");
            }
        }
    }
    assert!(count > 50, "only {count} examples ran");
}

/// Every example of every tool that writes, in projects that protect all of their files.
#[test]
fn no_tool_writes_what_is_protected() {
    let folder = samples();
    for project in ["unity", "godot"] {
        folder.write(&format!("{project}/scenewright.toml"), "[protect]\npaths = [\"/\"]\n");
    }
    let before = content(folder.root());
    let runner = runner(&folder, true);
    let mut refused = 0;
    // What starts an engine is another power, and what makes a new project is beside the old one.
    let writes = |tool: &&Tool| tool.powers().writes && tool.runs == Runs::No;
    let in_project = |tool: &&Tool| tool.id != "godotProject.createProject";
    for tool in tools().filter(writes).filter(in_project) {
        for example in tool.examples {
            let call = Call::new(tool.id, object(example.input));
            let result = runner.admit(call).and_then(|call| call.run());
            let is_by_us =
                |error: &ToolError| error.details.get("setting") == Some(&json!("protect.paths"));
            refused += usize::from(result.as_ref().is_err_and(is_by_us));
            let place = format!("{}, example '{}': {result:?}", tool.id, example.description);
            assert!(content(folder.root()) == before, "{place}");
        }
    }
    assert!(refused > 100, "only {refused} examples were refused for what is protected");
}

#[test]
fn a_batch_that_is_only_shown_is_a_read() {
    let folder = samples();
    let reading = runner(&folder, false);
    let before = content(folder.root());
    let batch = |dry_run: bool, tool: &str, args: Value| {
        let arguments =
            json!({ "operations": [{ "tool": tool, "args": args }], "dryRun": dry_run });
        let Value::Object(arguments) = arguments else { unreachable!("an object literal") };
        let call = Call::new("batch_operations", arguments);
        reading.admit(call).and_then(|call| call.run()).map(|outcome| outcome.output)
    };
    let add = json!({ "scenePath": "scenes/main.tscn", "nodeType": "Timer", "nodeName": "Late" });
    let shown = batch(true, "add_node", add.clone()).unwrap();
    assert_eq!((&shown["success"], &shown["filesChanged"]), (&json!(true), &json!(1)), "{shown:?}");
    let refused = batch(false, "add_node", add).unwrap_err();
    assert!(refused.message.contains("this server is read-only"), "{refused:?}");
    // What is no plan of files is done, not shown; so it is refused.
    let active = json!({ "objectId": "obj:1", "active": false });
    let refused = batch(true, "SetActive", active).unwrap_err();
    assert!(refused.message.contains("cannot be part of a batch"), "{refused:?}");
    assert!(content(folder.root()) == before);
}

#[test]
fn whoever_is_asked_about_a_tool_can_agree() {
    let folder = samples();
    let workspace = Workspace::open(ENGINES, &[folder.path("godot")], Kept::default()).unwrap();
    let settings = Settings {
        allow_writes: true,
        allow_runs: true,
        require_confirm: true,
        ..Settings::default()
    };
    let runner = new_runner(workspace, settings, None, &[]);
    let powerful = |tool: &&Tool| tool.powers() != Powers::default();
    let mut count = 0;
    for tool in tools().filter(powerful).filter(|tool| tool.gate == Gate::Operator) {
        let Some(example) = tool.examples.first() else { continue };
        let mut arguments = object(example.input);
        arguments.remove("dryRun");
        let asked = runner.admit(Call::new(tool.id, arguments.clone())).err();
        // Tools that run others are asked about with those.
        if tool.delegates && !tool.asks_once {
            continue;
        }
        assert_eq!(asked.map(|error| error.kind), Some(ErrorKind::ConfirmRequired), "{}", tool.id);
        // No argument stands for a person.
        let mut said = arguments.clone();
        said.insert("confirm".to_owned(), json!(true));
        let refused = runner.admit(Call::new(tool.id, said)).err();
        assert_eq!(refused.map(|error| error.kind), Some(ErrorKind::BadArguments), "{}", tool.id);
        let consent = Consent { by: By::Client, shown: Shown::default() };
        let call = Call { consent: Some(Arc::new(consent)), ..Call::new(tool.id, arguments) };
        let agreed = runner.admit(call).err();
        assert!(agreed.is_none(), "{}: {agreed:?}", tool.id);
        count += 1;
    }
    assert!(count > 50, "only {count} tools were asked about");
}

#[test]
fn no_argument_of_ours_stands_for_a_person() {
    let mut count = 0;
    for tool in tools() {
        let info = tool.info(GROUPS[0], tool.safety);
        let takes = info.words.input["properties"].get("confirm").is_some();
        // Spec 001 has it, and means the word of whoever calls.
        assert!(!takes || tool.explorer.is_some(), "{}", tool.id);
        count += usize::from(takes);
    }
    assert!(count > 20, "only {count} tools of the Explorer interface take it");
}

/// The arguments of an example with one of them made long, for each that is a text.
fn long_ones(example: &JsonMap) -> Vec<JsonMap> {
    let texts = example.iter().filter(|(_, value)| value.is_string());
    texts
        .map(|(name, _)| {
            let mut arguments = example.clone();
            arguments.insert(name.clone(), json!("x".repeat(20 * MAX_ECHO)));
            arguments
        })
        .collect()
}

#[test]
fn no_error_repeats_a_long_argument() {
    let folder = samples();
    let reading = runner(&folder, false);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for tool in tools().filter(|tool| tool.safety == Safety::ReadOnly).chain(dry()) {
        for example in tool.examples {
            for mut arguments in long_ones(&object(example.input)) {
                if tool.safety != Safety::ReadOnly {
                    arguments.insert("dryRun".to_owned(), json!(true));
                }
                let call = Call::new(tool.id, arguments);
                let Err(error) = reading.admit(call).and_then(|call| call.run()) else { continue };
                count += 1;
                let said = format!("{error} {}", Value::Object((*error.details).clone()));
                if said.contains(&"x".repeat(MAX_ECHO + 1)) {
                    wrong.push(format!("{}: {:.300}", tool.id, said));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 50, "only {count} errors were seen");
}
