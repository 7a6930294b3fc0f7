//! The command line as scripts use it: the real binary, its output and its exit codes.

#[cfg(unix)]
mod agreeing;
mod checking;
mod driver_paths;
#[cfg(unix)]
mod hostile;
mod init;
mod install;
#[cfg(unix)]
mod live_link;
mod merging;
#[cfg(unix)]
mod orphans;
mod projects;
mod protecting;
mod serving;
mod shell;
mod terminal;
mod trees;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use scenewright_fixture::{Folder, copy, sample};
use serde_json::Value;

/// A new file of the folder, as an argument.
fn file(folder: &Folder, name: &str, text: &str) -> String {
    folder.write(name, text);
    folder.path(name).to_str().unwrap().to_owned()
}

/// The binary in `folder`, with a cache of its own there.
fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_scenewright"));
    command.current_dir(folder).env("XDG_CACHE_HOME", folder).env("HOME", folder);
    command.env_remove("SCENEWRIGHT_TOKEN").env_remove("READ_ONLY_MODE");
    command
}

fn run(args: &[&str]) -> Output {
    let folder = Folder::empty();
    command(folder.root()).args(args).stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn call_prints_json_and_exits_0() {
    let project = sample("godot");
    let output = run(&["call", "project.info", "--project", project.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["projectName"], "Lighthouse Run");
    assert_eq!(stderr(&output), "");
}

#[test]
fn call_takes_typed_arguments() {
    let output = run(&["call", "tools.search", "query=10", "limit=2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output =
        run(&["call", "tools_search", "--json", r#"{"query":"project version","limit":1}"#]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["tools"][0]["name"], "project_getVersion");
}

/// What does not fit on a command line comes from a file or a pipe.
#[test]
fn call_takes_json_from_files_and_from_standard_input() {
    let folder = Folder::empty();
    let json = "{\"query\": \"project version\", \"limit\": 1}\n";
    folder.write("with space.json", json);
    folder.write("marked.json", format!("\u{feff}{json}"));
    folder.write("list.json", "[1]");
    folder.write("piped.json", json);
    let call = |given: &str, input: Stdio| {
        let mut command = command(folder.root());
        command.args(["call", "tools.search", "--json", given]).stdin(input).output().unwrap()
    };
    let first = |output: &Output| {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["tools"].as_array().unwrap().len(), 1);
        value["tools"][0]["name"].clone()
    };
    assert_eq!(first(&call("@with space.json", Stdio::null())), "project_getVersion");
    assert_eq!(first(&call("@marked.json", Stdio::null())), "project_getVersion");
    let piped = std::fs::File::open(folder.path("piped.json")).unwrap();
    assert_eq!(first(&call("-", piped.into())), "project_getVersion");
    for (given, says) in [
        ("@nowhere.json", "'nowhere.json' cannot be read"),
        ("@list.json", "this one from list.json is none"),
        ("-", "this one from standard input is none"),
        ("{", "this one is none"),
    ] {
        let output = call(given, Stdio::null());
        assert_eq!(output.status.code(), Some(2), "{given}: {}", stdout(&output));
        assert!(stderr(&output).contains(says), "{given}: {}", stderr(&output));
    }
}

#[test]
fn a_tool_error_is_json_on_stderr_and_exit_1() {
    let project = sample("godot");
    let project = project.to_str().unwrap();
    let output = run(&["call", "project.info", "project=nope", "--project", project]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let error: Value = serde_json::from_str(&stderr(&output)).unwrap();
    assert_eq!(error["error"]["kind"], "engine_error");
    let output = run(&["call", "project.infoo", "--project", project]);
    let error: Value = serde_json::from_str(&stderr(&output)).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(error["error"]["hint"], "did you mean project.info?");
}

#[test]
fn where_there_is_no_project_nothing_is_reported_about_another() {
    for args in [
        &["check"][..],
        &["check", "--format", "junit"],
        &["tree", "scenes/main.tscn"],
        &["call", "project.info"],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains("no project here") && said.contains("--project DIR"), "{said}");
        assert_eq!(stdout(&output), "", "{args:?}");
        let output = run(&[args, &["--sample"]].concat());
        assert!(output.status.code() != Some(2), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_project_is_found_from_any_folder_in_it() {
    let folder = Folder::copy_of(&sample("godot"));
    std::fs::create_dir_all(folder.path("deep/er")).unwrap();
    for place in ["", "scenes", "deep/er"] {
        let call = |args: &[&str]| command(&folder.path(place)).args(args).output().unwrap();
        let output = call(&["call", "project.info"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["projectName"], "Lighthouse Run", "{place}");
        assert!(stdout(&call(&["tree", "res://scenes/coin.tscn"])).contains("Coin"), "{place}");
        let output = call(&["check", "--format", "json", "--fail-on", "never"]);
        assert_eq!(output.status.code(), Some(0), "{place}: {}", stderr(&output));
    }
}

#[test]
fn a_dry_run_needs_no_word_of_the_operator() {
    let folder = Folder::copy_of(&sample("godot"));
    let project = folder.root().to_str().unwrap();
    let scene = || std::fs::read_to_string(folder.path("scenes/main.tscn")).unwrap();
    let before = scene();
    let arguments = ["scenePath=scenes/main.tscn", "nodeType=Timer", "nodeName=10"];
    let add = [&["call", "add_node", "--project", project][..], &arguments].concat();
    let shown = run(&[&add[..], &["--dry-run"]].concat());
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    let value: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!((&value["dryRun"], &value["filesChanged"]), (&true.into(), &1.into()));
    assert_eq!(run(&add).status.code(), Some(1), "without it the write is refused");
    assert_eq!(scene(), before);
}

/// An editor that is open is told of, and in the way where the operator says so.
#[test]
fn a_project_that_unity_has_open_is_told_or_refused() {
    let folder = Folder::copy_of(&sample("unity"));
    let project = folder.root().to_str().unwrap();
    let scene = || folder.read("Assets/Scenes/Main.unity");
    let call = |value: &str, more: &[&str]| {
        let field = ["propertyPath=m_Intensity", value, "componentType=Light"];
        let object = ["call", "component.setProperty", "hierarchyPath=Directional Light"];
        run(&[&object[..], &field, &["--allow-writes", "--project", project], more].concat())
    };
    let refuse = &["--refuse-while-open"][..];
    let output = call("value=2", refuse);
    assert_eq!((output.status.code(), &*stderr(&output)), (Some(0), ""), "nobody has it open");
    let before = scene();
    folder.write("Temp/UnityLockfile", "");
    let output = call("value=3", refuse);
    let error: Value = serde_json::from_str(&stderr(&output)).unwrap();
    assert_eq!((output.status.code(), &error["error"]["kind"]), (Some(1), &"denied".into()));
    assert_eq!(error["error"]["details"]["setting"], "refuse-while-open");
    assert!(error["error"]["message"].as_str().unwrap().contains("Temp/UnityLockfile"), "{error}");
    assert_eq!(scene(), before);
    let output = call("value=3", &["--refuse-while-open", "--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "a dry run writes nothing: {}", stderr(&output));
    let output = call("value=3", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("Temp/UnityLockfile is there"), "{}", stderr(&output));
    assert!(stderr(&output).contains("reloads changed files"), "{}", stderr(&output));
    assert_ne!(scene(), before);
    let output = run(&["call", "project.info", "--project", project]);
    assert_eq!(stderr(&output), "", "what only reads is in nobody's way");
}

/// A limit on the size of files ends the write, not the program.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = Folder::copy_of(&sample("godot"));
    let home = Folder::empty();
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]);
    limited.arg(env!("CARGO_BIN_EXE_scenewright"));
    limited.args(["call", "add_node", "--allow-writes", "scenePath=scenes/main.tscn"]);
    limited.args(["nodeType=Timer", "nodeName=Late", "--project"]).arg(folder.root());
    limited.current_dir(home.root()).env("XDG_CACHE_HOME", home.root()).env("HOME", home.root());
    let output = limited.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("\"error\""), "{}", stderr(&output));
}

#[test]
fn read_only_mode_holds_for_every_command() {
    let folder = Folder::copy_of(&sample("godot"));
    let home = Folder::empty();
    let call = |mode: &str| {
        let mut command = command(home.root());
        command.env("READ_ONLY_MODE", mode).args(["call", "add_node", "--allow-writes"]);
        command.args([
            "scenePath=scenes/main.tscn",
            "nodeType=Timer",
            "nodeName=Late",
            "--project",
        ]);
        command.arg(folder.root()).stdin(Stdio::null()).output().unwrap()
    };
    let scene = || std::fs::read_to_string(folder.path("scenes/main.tscn")).unwrap();
    let before = scene();
    for mode in ["true", "1", "YES", "on"] {
        let output = call(mode);
        assert_eq!(output.status.code(), Some(1), "{mode}: {}", stderr(&output));
        assert!(stderr(&output).contains("\"denied\""), "{mode}: {}", stderr(&output));
    }
    let output = call("maybe");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("it takes true or false"), "{}", stderr(&output));
    assert_eq!(scene(), before);
    let output = call("off");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(scene().contains("Late"));
}

#[test]
fn bad_usage_is_exit_2_and_says_what_to_try() {
    for (args, hint) in [
        (&["call", "project.info", "oops"][..], "key=value"),
        (&["call", "project.info", "--json", "7"], "JSON object"),
        (&["call", "project.info", "--project", "no/such/folder"], "no/such/folder"),
        (&["call", "project.info", "--allow-write"], "--allow-writes"),
        (&["serv"], "serve"),
        (&["serve", "--tier", "gold"], "unknown tier 'gold'"),
        (&["serve", "--toolsets", "projct"], "did you mean project?"),
        (&["serve", "--http", "0.0.0.0:0"], "--token"),
        (&["serve", "--token-file", "none"], "none"),
        (&["serve", "--http", "0.0.0.0:0", "--token", ""], "at least 16"),
        (&["serve", "--tcp", "0.0.0.0:0", "--token", "short"], "at least 16"),
        (&["serve", "--config", "none.toml"], "none.toml"),
        (&["tools", "describe", "project.infoo"], "did you mean project.info?"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(hint), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{args:?}");
    }
}

#[test]
fn tools_are_listed_for_people_and_for_every_dialect() {
    let table = stdout(&run(&["tools"]));
    assert!(table.contains("project.info") && !table.contains('\x1b'), "{table}");
    for (dialect, name) in [("mcp", "project_info"), ("editor", "project.info")] {
        let output = run(&["tools", "list", "--dialect", dialect]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let key = if dialect == "mcp" { "name" } else { "id" };
        assert!(value["tools"].as_array().unwrap().iter().any(|tool| tool[key] == name));
    }
    let explorer = run(&["tools", "list", "--dialect", "explorer"]);
    assert!(stdout(&explorer).starts_with(r#"{"tools":[{"name":"GetStatus","description":""#));
    let described = stdout(&run(&["tools", "describe", "tools_search"]));
    assert!(described.contains("query?") && described.contains("scenewright call tools_search"));
}

#[test]
fn definitions_are_validated_with_pointers() {
    let folder = Folder::empty();
    let good = run(&["tools", "list", "--dialect", "editor"]);
    let good = file(&folder, "good.json", &stdout(&good));
    let output = run(&["tools", "validate", "--profile", "open", &good]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let bad = file(
        &folder,
        "bad.json",
        r#"{"tools":[{"id":"Scene Dump","inputs":{"a":{"type":"int"}}}]}"#,
    );
    let output = run(&["tools", "validate", &bad]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    for pointer in ["#/tools/0 ", "#/tools/0/id ", "#/tools/0/inputs/a/type "] {
        assert!(text.contains(pointer), "{pointer}: {text}");
    }
    let json = run(&["tools", "validate", "--json", &bad, &good]);
    let value: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(value["errors"].as_u64().unwrap() > 0 && value["problems"].is_array());
    let broken = file(&folder, "broken.json", "{");
    assert_eq!(run(&["tools", "validate", &broken]).status.code(), Some(2));
}

#[test]
fn doctor_tells_what_is_there() {
    let project = sample("unity");
    let output = run(&["doctor", "--project", project.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for word in ["Lantern Keep", "2022.3.20f1", "Engines", "Clients"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // No Godot project, and no editor or game of an older protocol.
    assert!(!text.contains("Live links"), "{text}");
    let json = run(&["doctor", "--json", "--project", project.to_str().unwrap()]);
    let value: Value = serde_json::from_slice(&json.stdout).unwrap();
    let findings = value["findings"].as_array().unwrap();
    for section in ["Projects", "Engines", "Clients"] {
        assert!(findings.iter().any(|finding| finding["section"] == section), "{section}");
    }
}

#[test]
fn doctor_tries_what_a_client_would_start() {
    let folder = Folder::empty();
    copy(&sample("godot"), &folder.path("game"));
    let told = |settings: &str| {
        folder.write("game/.mcp.json", settings);
        let mut command = command(&folder.path("game"));
        command.env("HOME", folder.root()).env("TMPDIR", folder.root());
        let output = command.args(["doctor", "--json"]).stdin(Stdio::null()).output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = value["findings"].as_array().unwrap();
        let found = findings.iter().find(|f| f["what"] == "Claude Code, this folder").unwrap();
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        (text("state"), text("detail"), output.status.code())
    };
    let entry = |command: &str, args: &str| {
        let server =
            serde_json::json!({ "command": command, "args": args.split(' ').collect::<Vec<_>>() });
        serde_json::json!({ "mcpServers": { "scenewright": server } }).to_string()
    };
    let own = env!("CARGO_BIN_EXE_scenewright");
    let (state, detail, code) = told(&entry(own, "serve --project ."));
    assert_eq!((&*state, code), ("ok", Some(0)), "{detail}");
    assert!(detail.contains("starts and answers as scenewright "), "{detail}");
    for (settings, why) in [
        (entry("/nowhere/scenewright", "serve"), "/nowhere/scenewright is not there; this one is "),
        (entry("scenewright-of-old", "serve"), "scenewright-of-old is not on PATH"),
        (entry(own, "serve --project gone"), "gone"),
        ("{ \"mcpServers\": { \"scenewright\": ".to_owned(), "is not valid JSON: EOF"),
    ] {
        let (state, detail, code) = told(&settings);
        assert_eq!((&*state, code), ("problem", Some(1)), "{settings}: {detail}");
        assert!(detail.contains(why), "{settings}: {detail}");
    }
    let (state, detail, _) = told("{}");
    assert!(
        state == "absent" && detail.contains("scenewright install claude-code --scope project"),
        "{detail}"
    );
    // A folder's own programs are not run.
    folder.write("game/scenewright", "");
    let (state, detail, _) = told(&entry("./scenewright", "serve"));
    assert!(state == "absent" && detail.contains("was not started"), "{detail}");
    // What may be any program is not called good, for nobody saw it answer.
    let (state, detail, _) = told(&entry("sh", "-c scenewright"));
    assert!(state == "absent" && detail.contains("run it in a terminal"), "{detail}");
    // This very program is, under whatever name.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(own, folder.path("other-name")).unwrap();
        let linked = folder.path("other-name");
        let (state, detail, _) = told(&entry(linked.to_str().unwrap(), "serve --project ."));
        assert!(state == "ok" && detail.contains("answers as scenewright "), "{detail}");
    }
    // Somebody else has the port.
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = other.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in other.incoming().flatten() {
            let mut stream = stream;
            let _ = std::io::Read::read(&mut stream, &mut [0; 1024]);
            let _ = std::io::Write::write_all(
                &mut stream,
                b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello",
            );
        }
    });
    let settings = format!(r#"{{"mcpServers":{{"scenewright":{{"url":"http://{at}/mcp"}}}}}}"#);
    let (state, detail, _) = told(&settings);
    assert!(state == "problem" && detail.contains("does not answer as scenewright"), "{detail}");
    let nobody = r#"{"mcpServers":{"scenewright":{"type":"http","url":"http://127.0.0.1:1/mcp"}}}"#;
    let (state, detail, _) = told(nobody);
    assert!(state == "absent" && detail.contains("serve --http 127.0.0.1:1"), "{detail}");
}

/// A copy of the Unity sample to break.
fn broken_sample(folder: &Folder) -> PathBuf {
    let project = folder.path("keep");
    copy(&sample("unity"), &project);
    // Every package is on disk, so that what is unknown is really unknown.
    std::fs::write(project.join("Packages/manifest.json"), r#"{"dependencies":{}}"#).unwrap();
    std::fs::write(project.join("Packages/packages-lock.json"), r#"{"dependencies":{}}"#).unwrap();
    std::fs::remove_file(project.join("Assets/Scripts/Collectible.cs")).unwrap();
    std::fs::remove_file(project.join("Assets/Materials/Stone.mat")).unwrap();
    std::fs::remove_file(project.join("Assets/Materials/Stone.mat.meta")).unwrap();
    project
}

#[test]
fn check_finds_what_is_broken_in_every_format() {
    let folder = Folder::empty();
    let project = broken_sample(&folder);
    let project = project.to_str().unwrap();
    let output = run(&["check", "--project", project, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let has = |rule: &str, file: &str, object: &str| {
        findings.iter().any(|f| f["rule"] == rule && f["file"] == file && f["object"] == object)
    };
    assert!(has("missing-script", "Assets/Prefabs/Room.prefab", "Room/Key"), "{findings:#?}");
    assert!(has("missing-script", "Assets/Prefabs/GoldenLantern.prefab", "GoldenLantern"));
    assert!(has("broken-reference", "Assets/Scenes/Main.unity", "Ground"));
    assert!(findings.iter().any(|f| {
        f["rule"] == "meta-without-asset" && f["file"] == "Assets/Scripts/Collectible.cs.meta"
    }));
    for (format, word) in [
        ("text", "missing-script: Restore"),
        ("sarif", "\"version\": \"2.1.0\""),
        ("junit", "<testsuite name="),
        ("github", "::error file=Assets/Prefabs/Room.prefab,line="),
        ("gitlab", "\"path\": \"Assets/Prefabs/Room.prefab\""),
    ] {
        let output = run(&["check", "--project", project, "--format", format]);
        assert!(stdout(&output).contains(word), "{format}: {}", stdout(&output));
    }
    let accepted = folder.path("accepted.json");
    let accepted = accepted.to_str().unwrap();
    let output = run(&["check", "--project", project, "--write-baseline", accepted]);
    assert_eq!(output.status.code(), Some(0));
    let output = run(&["check", "--project", project, "--baseline", accepted]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let output = run(&["check", "--project", project, "--fail-on", "never"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn check_judges_godot_projects() {
    let project = sample("godot");
    let output =
        run(&["check", "--project", project.to_str().unwrap(), "--fail-on", "warning", "--all"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let folder = Folder::empty();
    let write = |name: &str, text: &str| folder.write(name, text);
    write("project.godot", "config_version=5\n");
    write(
        "main.tscn",
        "[gd_scene format=3]\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\
         [node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n",
    );
    let project = folder.root().to_str().unwrap();
    let output = run(&["check", "--project", project, "--format", "github"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("::error file=main.tscn,line=2,title=godot-missing-resource"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn tree_draws_what_the_editor_shows() {
    let scene = sample("unity").join("Assets/Scenes/Cellar.unity");
    let project = sample("unity");
    let output = run(&["tree", scene.to_str().unwrap(), "--project", project.to_str().unwrap()]);
    assert_eq!(
        stdout(&output).lines().skip(1).collect::<Vec<_>>(),
        [
            "├─ Cellar Camera",
            "├─ Floor",
            "├─ Rune Stone ᚠ",
            "├─ Storage Room <Assets/Prefabs/Room.prefab>",
            "│  ├─ Floor",
            "│  ├─ Wall North",
            "│  ├─ Key",
            "│  ├─ GoldenLantern <Assets/Prefabs/GoldenLantern.prefab>",
            "│  │  ├─ Flame",
            "│  │  └─ Gilded Ring",
            "│  └─ Wall Lantern <Assets/Prefabs/Lantern.prefab>",
            "│     └─ Flame",
            "└─ Drip Sound",
        ]
    );
    assert_eq!(run(&["tree", "Assets/Nope.unity", "--sample"]).status.code(), Some(1));
}

#[test]
fn tree_draws_godot_scenes_with_what_instances_bring() {
    let scene = sample("godot").join("scenes/player.tscn");
    let project = sample("godot");
    let output = run(&["tree", scene.to_str().unwrap(), "--project", project.to_str().unwrap()]);
    assert_eq!(
        stdout(&output).lines().collect::<Vec<_>>(),
        [
            "scenes/player.tscn",
            "└─ Player CharacterBody2D <scenes/actor.tscn> scripts/player.gd",
            "   ├─ Shape CollisionShape2D",
            "   ├─ Body Polygon2D",
            "   │  └─ Scarf Polygon2D",
            "   ├─ AnimationPlayer AnimationPlayer",
            "   └─ CoyoteTimer Timer",
        ]
    );
    let output = run(&["tree", "res://scenes/coin.tscn", "--depth", "0", "--json", "--sample"]);
    let dumped: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(dumped["objectCount"], 1);
    assert_eq!(dumped["rootObjects"][0]["groups"], serde_json::json!(["coins"]));
    assert_eq!(run(&["tree", "scenes/nope.tscn", "--sample"]).status.code(), Some(1));
}

#[test]
fn tree_names_what_is_not_there_and_what_it_leaves_out() {
    let (unity, godot) = (sample("unity"), sample("godot"));
    let tree = |project: &Path, args: &[&str]| {
        run(&[&["tree", "--project", project.to_str().unwrap()], args].concat())
    };
    let said = stderr(&tree(&unity, &["Assets/Prefabs/Room.prefb"]));
    assert!(said.contains("Assets/Prefabs/Room.prefb"), "{said}");
    let near = tree(&unity, &["Assets/Scenes/Mian.unity"]);
    let said = stderr(&near);
    assert!(said.contains("there is no Assets/Scenes/Mian.unity; this is"), "{said}");
    assert!(stdout(&near).starts_with("Assets/Scenes/Main.unity\n"), "{}", stdout(&near));
    let said = stderr(&tree(&godot, &["scenes/nope.tscn"]));
    assert!(said.contains("scenes/nope.tscn"), "{said}");
    let drawn = stdout(&tree(&godot, &["scenes/player.tscn", "--components", "--depth", "1"]));
    assert!(!drawn.contains('['), "no components in Godot: {drawn}");
    assert!(drawn.contains("Body Polygon2D … 1 below") && !drawn.contains("Scarf"), "{drawn}");
    let drawn = stdout(&tree(&unity, &["Assets/Scenes/Cellar.unity", "--depth", "0"]));
    assert!(drawn.contains("Storage Room <Assets/Prefabs/Room.prefab> … 5 below"), "{drawn}");
    assert!(drawn.contains("Drip Sound\n") && !drawn.contains("Key"), "{drawn}");
    for (project, file) in [(&godot, "scenes/player.tscn"), (&unity, "Assets/Prefabs/Room.prefab")]
    {
        let output = tree(project, &[file, "--depth", "0", "--json"]);
        let dumped: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(dumped["truncated"], true, "{dumped}");
        let root = &dumped["rootObjects"][0];
        assert!(root["childrenNotShown"].as_u64().is_some_and(|count| count > 3), "{dumped}");
    }
}

#[test]
fn a_port_is_blamed_only_for_what_is_its_fault() {
    let said = stderr(&run(&["serve", "--http", "0.0.0.0:0"]));
    assert!(said.contains("--token") && !said.contains("another port"), "{said}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = stderr(&run(&["serve", "--http", &address]));
    assert!(said.contains("another port: --http 127.0.0.1:0"), "{said}");
}
