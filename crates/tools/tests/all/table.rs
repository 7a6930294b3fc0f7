//! The one list of tools, checked entry by entry: names, rules, examples, files, documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scenewright_contract::definition::Definition;
use scenewright_contract::definition::validate::{Profile, Severity, validate};
use scenewright_contract::{Call, ErrorKind, JsonMap, Safety, Tier};
use scenewright_fixture::Folder;
use scenewright_toolkit::arguments::{Arguments, spellings};
use scenewright_toolkit::tool::Powers;
use scenewright_toolkit::{Kept, Runner, Settings, Tool, Workspace};
use scenewright_tools::{ENGINES, GROUPS, docs, new_runner};
use scenewright_tools_explorer::HasWorld;
use serde_json::{Value, json};

/// The ids of spec 000 and 003, which must pass those to the letter.
const SPECIFIED: [&str; 4] =
    ["mcp.server.info", "mcp.tools.list", "mcp.tool.describe", "project.info"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn runner() -> Arc<Runner> {
    let samples = repository().join("samples");
    let workspace =
        Workspace::open(ENGINES, &[samples.join("unity"), samples.join("godot")], Kept::default())
            .unwrap();
    new_runner(workspace, Settings::default(), None, &[])
}

/// For tools that a read-only server does not offer. It has no project to harm.
fn writing_runner() -> Arc<Runner> {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    new_runner(Workspace::default(), settings, None, &[])
}

fn tools() -> impl Iterator<Item = &'static Tool> {
    GROUPS.iter().flat_map(|group| group.tools)
}

#[test]
fn names_are_unique_in_every_dialect() {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for tool in tools() {
        for name in tool.names().collect::<BTreeSet<_>>() {
            let other = owners.insert(name.to_lowercase(), tool.id);
            assert_eq!(other, None, "{name} is a name of {} as well", tool.id);
        }
        let name = tool.mcp_name();
        let fits = name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        assert!(fits, "{name} does not fit every model's rules for names");
    }
}

/// Words that look like tools and are something else.
const NO_TOOLS: [&str; 1] = ["texture_scale"];

/// What the texts of a source name as tools and what is none: the name of a group with something behind
/// it, or a tool's name the wrong way round.
fn strange_tools(source: &str, known: &BTreeSet<String>) -> Vec<String> {
    let groups = GROUPS.iter().flat_map(|group| [group.name, command_of(group.name)]);
    let groups: BTreeSet<String> = groups.map(str::to_lowercase).collect();
    let looks_like_one = |word: &str| {
        let (group, _) = word.split_once('_')?;
        let reversed = word.rsplit('_').collect::<Vec<_>>().join("_");
        (groups.contains(group) || known.contains(&reversed)).then_some(())
    };
    let is_strange = |word: &&str| {
        looks_like_one(word).is_some() && !known.contains(*word) && !NO_TOOLS.contains(word)
    };
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    // What is between quotes, and a sentence.
    let texts = code.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
    let words = texts
        .filter(|text| text.contains(' '))
        .flat_map(|text| text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(is_strange).map(str::to_owned).collect()
}

/// A group without its engine: `packages` for `unityPackages`. Words of Godot begin like its groups.
fn command_of(group: &str) -> &str {
    group.strip_prefix("unity").filter(|rest| !rest.is_empty()).unwrap_or(group)
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        match path.is_dir() {
            _ if is_test => {}
            true => sources(&path, found),
            false if path.extension().is_some_and(|end| end == "rs") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn hints_name_tools_that_there_are() {
    let known: BTreeSet<String> = tools().flat_map(Tool::names).collect();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("tools") {
            sources(&path.join("src"), &mut files);
        }
    }
    assert!(files.len() > 300, "only {} files were looked through", files.len());
    for file in files {
        let found = strange_tools(&std::fs::read_to_string(&file).unwrap(), &known);
        assert!(found.is_empty(), "{} names {}", file.display(), found.join(", "));
    }
    let wrong =
        r#"hint("packages_add adds it, and check_project or scene_dump tells; scene_load loads");"#;
    let found = strange_tools(wrong, &known);
    assert_eq!(found, ["packages_add", "check_project", "scene_dump"]);
}

#[test]
fn definitions_keep_the_rules_of_spec_003() {
    let (runner, writing) = (runner(), writing_runner());
    let definition = |id: &str| {
        let tool = runner.describe(id).or_else(|_| writing.describe(id)).unwrap();
        (id.to_owned(), serde_json::to_value(Definition::of(tool)).unwrap())
    };
    let all: Vec<_> = tools().map(|tool| definition(tool.id)).collect();
    let strict: Vec<_> = SPECIFIED.into_iter().map(definition).collect();
    for (sources, profile) in [(all, Profile::Open), (strict, Profile::V01)] {
        let problems: Vec<String> = validate(&sources, profile)
            .into_iter()
            .filter(|problem| problem.severity == Severity::Error)
            .map(|problem| format!("{}{}: {}", problem.source, problem.pointer, problem.message))
            .collect();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}

#[test]
fn every_tool_tells_what_it_needs_to() {
    let (runner, writing) = (runner(), writing_runner());
    for tool in tools() {
        let info = tool.info(GROUPS[0], Safety::ReadOnly);
        assert!(!info.title.is_empty() && !info.category.is_empty(), "{}", tool.id);
        let is_small = |b: u8| b.is_ascii_lowercase() || b == b'.';
        assert!(info.category.bytes().all(is_small), "{}: category {}", tool.id, info.category);
        assert!(
            info.words.description.contains(". ") || info.words.description.ends_with('.'),
            "{}",
            tool.id
        );
        assert!(!tool.examples.is_empty(), "{} has no example", tool.id);
        assert!(tool.limits.timeout.as_secs() >= 1, "{}", tool.id);
        assert!(tool.limits.time_guard.is_none_or(|guard| guard < tool.limits.timeout));
        assert_eq!(
            info.words.input.get("additionalProperties"),
            Some(&Value::Bool(false)),
            "{}",
            tool.id
        );
        for schema in [&info.words.input, &info.words.output] {
            assert!(jsonschema::meta::is_valid(&Value::Object(schema.clone())), "{}", tool.id);
        }
        for (alias, name) in tool.argument_aliases {
            let properties = info.words.input["properties"].as_object().unwrap();
            assert!(properties.contains_key(*name), "{}: {alias} means {name}", tool.id);
            assert!(!properties.contains_key(*alias), "{}: {alias} is a name already", tool.id);
        }
        assert!(writing.describe(tool.id).is_ok(), "{}", tool.id);
        let reads = tool.powers() == Powers::default() || tool.reads_if.is_some();
        let is_offered = reads || tool.delegates;
        assert_eq!(runner.describe(tool.id).is_ok(), is_offered, "{}", tool.id);
    }
}

#[test]
fn a_tool_is_judged_by_what_its_arguments_do() {
    let readers = ["list", "get", "read", "show", "status"];
    for tool in tools().filter(|tool| tool.powers() != Powers::default()) {
        let schema = Value::Object((tool.input)()).to_string();
        let reads = readers.iter().any(|word| {
            schema.contains(&format!("\"const\":\"{word}\""))
                || schema.contains(&format!("[\"{word}\""))
                || schema.contains(&format!(",\"{word}\""))
        });
        assert_eq!(tool.reads_if.is_some(), reads, "{}: {schema}", tool.id);
    }
    let call = |action: &str| {
        let arguments = json!({
            "projectPath": "godot", "scenePath": "res://scenes/main.tscn", "nodePath": ".",
            "action": action, "groups": ["a"],
        });
        let Value::Object(arguments) = arguments else { unreachable!("an object") };
        runner().admit(Call::new("manage_groups", arguments))?.run()
    };
    assert!(call("list").is_ok());
    assert_eq!(call("add").unwrap_err().kind, ErrorKind::Denied);
}

#[test]
fn every_example_fits_its_schemas_and_runs() {
    run_examples();
}

/// What runs in the end is the same call, so that it need not run again.
#[test]
fn every_example_is_the_same_call_with_other_words_for_its_arguments() {
    for tool in tools() {
        let known = names_of(tool);
        let other = |name: &str| match spellings::others(name, &known).first() {
            Some(word) => (*word).to_owned(),
            None => snake(name),
        };
        let arguments = Arguments::new(&(tool.input)(), tool.argument_aliases).unwrap();
        for example in tool.examples {
            let mut plain: JsonMap = serde_json::from_str(example.input).unwrap();
            let words = plain.clone().into_iter().map(|(name, value)| (other(&name), value));
            let mut words: JsonMap = words.collect();
            arguments.respell(&mut plain);
            arguments.respell(&mut words);
            assert_eq!(words, plain, "{}", tool.id);
        }
    }
}

#[test]
fn every_word_for_an_argument_is_taken() {
    let runner = writing_runner();
    let mut count = 0;
    for tool in tools() {
        let known = names_of(tool);
        for example in tool.examples {
            let arguments: JsonMap = serde_json::from_str(example.input).unwrap();
            for (name, value) in &arguments {
                let others = spellings::others(name, &known);
                for word in others.into_iter().map(str::to_owned).chain([snake(name)]) {
                    let mut respelled = arguments.clone();
                    respelled.shift_remove(name);
                    respelled.insert(word.clone(), value.clone());
                    // What the world of the explorer lets happen is another question.
                    let error = runner.admit(Call::new(tool.id, respelled)).err();
                    let error = error.filter(|error| error.kind != ErrorKind::Denied);
                    assert_eq!(error, None, "{}: {word} for {name}", tool.id);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 500, "only {count}");
}

/// The words that every tool takes, whatever it calls what they mean.
const WORDS: [&str; 5] = ["project", "scene", "object", "node", "path"];

/// What a word means to a tool, by the ends of the names of its arguments.
fn is_meant(word: &str, name: &str) -> bool {
    let is = |names: &[&str]| names.contains(&name);
    match word {
        "project" => is(&["project", "projectPath"]),
        "scene" => is(&["scene", "scenePath", "sceneName"]),
        "object" => is(&[
            "object",
            "hierarchyPath",
            "gameObjectPath",
            "objectPath",
            "childPath",
            "objectId",
        ]),
        "node" => is(&[
            "node",
            "nodePath",
            "playerNodePath",
            "tilemapNodePath",
            "animTreePath",
            "fromNodePath",
        ]),
        // What a tool leads to or makes is not what it is about.
        _ if is(&["targetPath", "buildPath", "previousBuildPath", "animPlayerPath"]) => false,
        _ => {
            is(&["path", "document", "directory", "folder", "root", "target"])
                || name.ends_with("Path")
                    && !["projectPath", "menuPath", "groupPath", "fieldPath", "propertyPath"]
                        .contains(&name)
                    && !name.contains("arent")
                    && !name.contains("Node")
                    && !["old", "new"].iter().any(|which| name.starts_with(which))
        }
    }
}

#[test]
fn every_tool_takes_the_words_that_all_have() {
    let mut counts = BTreeMap::new();
    let mut wrong = Vec::new();
    for tool in tools() {
        let known = names_of(tool);
        let arguments = Arguments::new(&(tool.input)(), tool.argument_aliases).unwrap();
        let read = |mut given: JsonMap| {
            arguments.respell(&mut given);
            given
        };
        let taken = |word: &str| known.iter().any(|name| name == word);
        for word in WORDS.into_iter().filter(|word| !taken(word)) {
            for example in tool.examples {
                let given: JsonMap = serde_json::from_str(example.input).unwrap();
                let plain = read(given.clone());
                // Below a scene, a root is an object.
                let is_root = |name: &str| name == "root" && taken("scenePath");
                let meant =
                    |name: &&String| is_meant(word, name) && !(word == "path" && is_root(name));
                for name in given.keys().filter(meant) {
                    let mut other = given.clone();
                    let value = other.shift_remove(name).unwrap();
                    other.insert(word.to_owned(), value);
                    if read(other) != plain {
                        wrong.push(format!("{}: {word} for {name}", tool.id));
                    }
                    *counts.entry(word).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for word in WORDS {
        assert!(counts.get(word).is_some_and(|count| *count > 20), "{counts:?}");
    }
}

#[test]
fn no_tool_repeats_what_the_table_of_words_has() {
    let mut repeated = Vec::new();
    for tool in tools() {
        let known = names_of(tool);
        for (alias, name) in tool.argument_aliases {
            if spellings::meant(alias, &known) == Some(name) {
                repeated.push(format!("{}: {alias} for {name}", tool.id));
            }
        }
    }
    assert!(repeated.is_empty(), "{}", repeated.join("\n"));
}

#[test]
fn null_is_as_if_it_were_left_out_for_every_optional_argument() {
    let mut count = 0;
    for tool in tools() {
        let schema = (tool.input)();
        let arguments = Arguments::new(&schema, tool.argument_aliases).unwrap();
        let Some(example) = tool.examples.first() else { continue };
        let given: JsonMap = serde_json::from_str(example.input).unwrap();
        let mut plain = given.clone();
        arguments.respell(&mut plain);
        let required =
            schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        for (name, property) in schema["properties"].as_object().unwrap() {
            // Where anything is taken, null is a value.
            let is_free = ["type", "anyOf", "enum"].iter().all(|key| property[*key].is_null());
            let is_any = property["type"].as_array().is_some_and(|types| types.len() > 4);
            if required.iter().any(|one| one == name)
                || given.contains_key(name)
                || is_free
                || is_any
            {
                continue;
            }
            for name in [name.clone(), snake(name)] {
                let mut with = given.clone();
                with.insert(name.clone(), Value::Null);
                arguments.respell(&mut with);
                assert_eq!(with, plain, "{}: {name}", tool.id);
                assert_eq!(arguments.check(&Value::Object(with)), Ok(()), "{}: {name}", tool.id);
                count += 1;
            }
        }
        count += nulls_inside(&Value::Object(schema), tool.id);
    }
    assert!(count > 1500, "only {count}");
}

/// The same for what is inside of lists and objects: nothing is left of an object that has only nulls.
fn nulls_inside(schema: &Value, at: &str) -> usize {
    let mut count = 0;
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        for (inner, in_list) in [(property, false), (&property["items"], true)] {
            let Some(parts) = inner["properties"].as_object() else { continue };
            let required = inner["required"].as_array();
            let is_optional = |name: &&String| {
                let is_required = required.is_some_and(|all| all.iter().any(|one| one == *name));
                let part = &parts[*name];
                let is_any = part["type"].as_array().is_some_and(|types| types.len() > 4);
                !is_required && !part["type"].is_null() && !is_any
            };
            let nulls: JsonMap =
                parts.keys().filter(is_optional).map(|name| (name.clone(), Value::Null)).collect();
            count += nulls.len();
            let (nulls, nothing) = (Value::Object(nulls), json!({}));
            let (given, expected) =
                if in_list { (json!([nulls]), json!([nothing])) } else { (nulls, nothing) };
            let holder = json!({ "properties": { name: property }, "required": [name] });
            let Value::Object(holder) = holder else { unreachable!("an object literal") };
            let mut arguments = JsonMap::from_iter([(name.clone(), given)]);
            Arguments::new(&holder, &[]).unwrap().respell(&mut arguments);
            assert_eq!(arguments[name], expected, "{at}");
            count += nulls_inside(inner, &at);
        }
    }
    count
}

#[test]
fn every_tool_is_described_in_few_words() {
    /// About 400 tokens.
    const MOST: usize = 1600;
    let (reading, writing) = (runner(), writing_runner());
    let describe = |runner: &Arc<Runner>, id: &str, schema: bool| {
        let arguments = json!({ "toolId": id, "schema": schema });
        let Value::Object(arguments) = arguments else { unreachable!("an object literal") };
        let call = Call::new("mcp.tool.describe", arguments);
        runner.admit(call).unwrap().run().unwrap().output.into_value()
    };
    for tool in tools() {
        let short = describe(&writing, tool.id, false);
        assert!(short.to_string().len() <= MOST, "{}: {}", tool.id, short.to_string().len());
        let told = short["arguments"].as_object().unwrap();
        for name in names_of(tool).iter().filter(|name| *name != "confirm") {
            assert!(told.contains_key(name), "{}: {name}", tool.id);
        }
        let required = (tool.input)().get("required").cloned().unwrap_or_default();
        for name in required.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let told = told[name].as_str().unwrap();
            assert!(told.contains(", required"), "{}: {name}: {told}", tool.id);
        }
        let has_arguments = tool.examples.iter().any(|example| example.input.trim() != "{}");
        assert_eq!(short["example"].is_object(), has_arguments, "{}: {short}", tool.id);
        // Reading about a tool is no call of it: a read-only server tells what it needs.
        let needs = describe(&reading, tool.id, false)["needs"].clone();
        let is_offered = reading.describe(tool.id).is_ok();
        assert_eq!(needs.is_null(), is_offered, "{}: {needs}", tool.id);
        assert_eq!(describe(&reading, tool.id, true)["id"], tool.id);
    }
    let edit = describe(&writing, "unity_edit", false).to_string();
    for known in ["UnityEvent", "onClick", "method", "QualitySettings.asset", "insertItem"] {
        assert!(edit.contains(known), "{known}: {edit}");
    }
}

fn names_of(tool: &Tool) -> Vec<String> {
    (tool.input)()["properties"].as_object().unwrap().keys().cloned().collect()
}

/// Run every example.
fn run_examples() {
    let samples = runner();
    let mut wrong = Vec::new();
    for tool in tools() {
        let info = tool.info(GROUPS[0], Safety::ReadOnly);
        let writes = tool.powers() != Powers::default();
        // Each tool that writes starts from the samples as they are.
        let copy = (writes || !tool.after.is_empty()).then(Copy::new);
        let runner = copy.as_ref().map_or_else(|| samples.clone(), Copy::runner);
        let missing = scenewright_tools_godot::missing(tool.needs);
        let mut is_prepared = true;
        for earlier in tool.after {
            let call = Call::new(earlier.tool, serde_json::from_str(earlier.input).unwrap());
            if let Err(error) = runner.admit(call).unwrap().run() {
                let told = missing.as_ref().is_some_and(|missing| error.message.contains(missing));
                assert!(told, "before {}: {error}", tool.id);
                is_prepared = false;
            }
        }
        let input = jsonschema::draft202012::new(&Value::Object(info.words.input.clone())).unwrap();
        let output =
            jsonschema::draft202012::new(&Value::Object(info.words.output.clone())).unwrap();
        for example in tool.examples {
            let place = format!("{}, example '{}'", tool.id, example.description);
            let arguments: Value = serde_json::from_str(example.input).expect(&place);
            let expected: Value = serde_json::from_str(example.output).expect(&place);
            assert!(input.is_valid(&arguments), "{place}: the input does not fit");
            assert!(output.is_valid(&expected), "{place}: the output does not fit");
            let Value::Object(arguments) = arguments else { panic!("{place}") };
            let admitted = runner.admit(Call::new(tool.id, arguments));
            let outcome = admitted.unwrap_or_else(|error| panic!("{place}: {error}")).run();
            // Without what it needs a tool says just that.
            if let (Some(missing), Err(error)) = (&missing, &outcome) {
                assert_eq!(error.kind, ErrorKind::NotReady, "{place}: {error}");
                let told = !is_prepared || error.message.contains(missing);
                assert!(told, "{place}: {error}");
                continue;
            }
            let actual = outcome.unwrap_or_else(|error| panic!("{place}: {error}")).output;
            assert!(output.is_valid(&actual), "{place}: it answered {actual}");
            if let Some(expected) = example.instead_of(&actual) {
                wrong.push(format!("{place}\n  answered {actual}\n  not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The samples in a temporary folder, where tools may write.
struct Copy(Folder);

impl Copy {
    fn new() -> Self {
        Self(Folder::copy_of(&repository().join("samples")))
    }

    fn runner(&self) -> Arc<Runner> {
        let folders = [self.0.path("unity"), self.0.path("godot")];
        let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
        let runner = new_runner(
            Workspace::open(ENGINES, &folders, Kept::default()).unwrap(),
            settings,
            None,
            &[],
        );
        let list = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect());
        let mut config = runner.world().config();
        config.export_root = Some(self.0.path("explorer").display().to_string());
        config.enable_console_eval = true;
        config.component_allowlist = list(&["UnityEngine.Light", "UnityEngine.Rigidbody"]);
        config.reflection_allowlist_members =
            list(&["UnityEngine.Transform.localPosition", "UnityEngine.Transform.GetSiblingIndex"]);
        config.hook_allowlist_signatures = list(&["UnityEngine.GameObject"]);
        drop(config);
        runner
    }
}

#[test]
fn folders_and_lists_agree() {
    for group in GROUPS {
        let folder = folder_of(group.name);
        let files: BTreeSet<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let listed: BTreeSet<String> = group.tools.iter().map(|tool| file_name(tool.id)).collect();
        assert_eq!(files, listed, "the folder and the list of {}", group.name);
        assert!(group.tools.iter().all(|tool| tool.id.split('.').next() == Some(group.name)));
    }
}

/// The folder of a group: in the pack of its world, whose name is not repeated.
fn folder_of(group: &str) -> PathBuf {
    let name = snake(group);
    let places = [
        ("tools-common", Some(&*name)),
        ("tools-explorer", Some(&*name)),
        ("tools-godot-live", name.strip_prefix("godot_")),
        ("tools-godot-project", name.strip_prefix("godot_")),
        ("tools-godot-scenes", name.strip_prefix("godot_")),
        ("tools-unity", Some(name.strip_prefix("unity_").unwrap_or(&name))),
    ];
    let folders = places.iter().filter_map(|(pack, name)| {
        let folder = repository().join("crates").join(pack).join("src").join((*name)?);
        folder.is_dir().then_some(folder)
    });
    let mut folders: Vec<PathBuf> = folders.collect();
    assert_eq!(folders.len(), 1, "the tools of {group} are in one folder: {folders:?}");
    folders.remove(0)
}

/// `mcp.selfTest` is in `mcp/self_test.rs`.
fn file_name(id: &str) -> String {
    snake(id.split_once('.').unwrap().1)
}

fn snake(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            '.' => name.push('_'),
            c if c.is_ascii_uppercase() => {
                name.push('_');
                name.push(c.to_ascii_lowercase());
            }
            c => name.push(c),
        }
    }
    name
}

#[test]
fn tools_above_the_tier_and_writes_are_neither_listed_nor_run() {
    let samples = repository().join("samples/godot");
    let settings = Settings { tier: Tier::Core, ..Settings::default() };
    let more = scenewright_toolkit::fixtures::GROUPS;
    let runner = new_runner(
        Workspace::open(ENGINES, &[samples], Kept::default()).unwrap(),
        settings,
        None,
        more,
    );
    let listed: Vec<&str> = runner.catalog().iter().map(|tool| tool.id).collect();
    for hidden in ["project.getVersion", "test.write", "test.destroy"] {
        assert!(!listed.contains(&hidden), "{hidden}");
        let error = runner.admit(Call::new(hidden, JsonMap::new())).err().unwrap();
        assert_eq!(error.kind, scenewright_contract::ErrorKind::Denied, "{hidden}");
        let through = JsonMap::from_iter([("tool".to_owned(), hidden.into())]);
        let error = runner.admit(Call::new("tools.call", through)).unwrap().run().unwrap_err();
        assert_eq!(error.kind, scenewright_contract::ErrorKind::Denied, "{hidden}");
    }
}

#[test]
fn docs_are_fresh() {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    let mut pages = docs::render(&new_runner(Workspace::default(), settings, None, &[]));
    pages.push(("docs/rules.md".to_owned(), docs::render_rules()));
    let read = |name: &str| {
        std::fs::read_to_string(repository().join(name)).unwrap_or_default().replace("\r\n", "\n")
    };
    pages.push(("docs/SUMMARY.md".to_owned(), docs::contents(&read("docs/SUMMARY.md"))));
    let updates = std::env::var_os("UPDATE_DOCS").is_some();
    for (name, rendered) in &pages {
        let path = repository().join(name);
        if updates {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, rendered).unwrap();
        }
        assert!(read(name) == *rendered, "{name} is stale; run `cargo xtask docs`");
    }
    for entry in std::fs::read_dir(repository().join("docs/tools")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("docs/tools/{}", path.file_name().unwrap().to_str().unwrap());
        let is_one = pages.iter().any(|(known, _)| *known == name);
        if updates && !is_one {
            std::fs::remove_file(&path).unwrap();
        }
        assert!(is_one || updates, "{name} is of no group; run `cargo xtask docs`");
    }
}

#[test]
fn every_rule_has_a_name_of_its_own_and_tells_what_it_means() {
    let rules: Vec<_> =
        scenewright_tools::ENGINES.iter().flat_map(|engine| (engine.rules)()).collect();
    let mut names: Vec<_> = rules.iter().map(|rule| rule.id).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() == rules.len() && rules.len() > 40, "{}", rules.len());
    for rule in rules {
        for text in [rule.title, rule.help, rule.about] {
            assert!(text.len() > 10 && text.starts_with(|c: char| c.is_uppercase()), "{}", rule.id);
        }
    }
}
