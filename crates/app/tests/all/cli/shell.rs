//! Completions, man pages, help of tools, groups, colours and `config`, as a shell gets them.

use std::process::{Output, Stdio};

use scenewright_fixture::{Folder, sample};
use serde_json::Value;

use super::{command, run, stderr, stdout};

const COMMANDS: [&str; 11] = [
    "serve",
    "call",
    "tools",
    "check",
    "tree",
    "install",
    "doctor",
    "init",
    "config",
    "completions",
    "man",
];

/// What the program answers the script of a shell, as the words that it offers.
fn offered(shell: &str, place: &std::path::Path, words: &[&str]) -> String {
    let mut asked = command(place);
    asked.env("SCENEWRIGHT_COMPLETE", shell).args(["--", "scenewright"]).args(words);
    let output = asked.env("_CLAP_COMPLETE_INDEX", words.len().to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{shell}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn five_shells_complete_every_command() {
    let folder = Folder::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let script = stdout(&output);
        assert!(script.contains("SCENEWRIGHT_COMPLETE"), "{shell} does not ask: {script}");
        let commands = offered(shell, folder.root(), &[""]);
        for name in COMMANDS {
            assert!(commands.contains(name), "{shell} does not know {name}");
        }
        assert!(offered(shell, folder.root(), &["check", "--changed"]).contains("--changed-since"));
        assert!(offered(shell, folder.root(), &["install", "curs"]).contains("cursor"), "{shell}");
    }
    let other = run(&["completions", "tcsh"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("possible values: bash"), "{}", stderr(&other));
}

/// The script does what it is for, in the shell that every Unix has.
#[cfg(unix)]
#[test]
fn bash_completes_what_is_typed() {
    let folder = Folder::copy_of(&sample("unity"));
    folder.write("Assets/Scenes/Boss $(touch owned).unity", "%YAML 1.1\n");
    folder.write("scenewright.bash", stdout(&run(&["completions", "bash"])));
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_scenewright")).parent().unwrap();
    let complete = |words: &str| {
        let line = format!(
            "source scenewright.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _clap_complete_scenewright scenewright \"${{COMP_WORDS[$COMP_CWORD]}}\" x; \
             printf '%s ' \"${{COMPREPLY[@]}}\""
        );
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let output = std::process::Command::new("bash")
            .args(["-c", &line])
            .env("PATH", path)
            .current_dir(folder.root())
            .output()
            .unwrap();
        stdout(&output).trim().to_owned()
    };
    for (typed, offered) in [
        ("scenewright inst", "install"),
        ("scenewright check --changed", "--changed-since"),
        ("scenewright nothing-like-it", ""),
        ("scenewright install cur", "cursor"),
        ("scenewright call component_set", "component_setProperty"),
        ("scenewright call component.set", "component.setProperty"),
        ("scenewright call component_setProperty hier", "hierarchyPath="),
        ("scenewright tree Mai", "Main.unity"),
        ("scenewright tree Assets/Scenes/C", "Assets/Scenes/Cellar.unity"),
        ("scenewright check --explain missing-scr", "missing-script"),
        ("scenewright tools describe add_nod", "add_node"),
        ("scenewright tools list godotTil", "godotTilemap"),
        ("scenewright serve --toolsets project,godotTil", "project,godotTilemap"),
        // A name in the project is never a command.
        ("scenewright tree Bos", r"Boss\ \$\(touch\ owned\).unity"),
    ] {
        assert_eq!(complete(typed), offered, "{typed}");
    }
    assert!(!folder.path("owned").exists());
}

#[test]
fn man_pages_are_printed_and_written() {
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH scenewright 1") && page.contains("Exit codes"), "{page}");
    let folder = Folder::empty();
    let output = command(folder.root()).args(["man", "man1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for name in COMMANDS {
        let page = folder.read(&format!("man1/scenewright-{name}.1"));
        assert!(page.contains(".SH OPTIONS"), "{name}: {page}");
    }
    folder.write("file", "");
    let refused = command(folder.root()).args(["man", "file"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("file"), "{}", stderr(&refused));
}

#[test]
fn a_tool_has_help_of_its_own() {
    let help = stdout(&run(&["call", "add_node", "--help"]));
    for part in [
        "Usage: scenewright call add_node nodeName=… nodeType=… scenePath=… [key=value]",
        "parentNodePath?",
        "--dry-run shows what it would do",
        "scenewright call add_node --json '{\"scenePath\":",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    let reads = stdout(&run(&["call", "project.info", "-h"]));
    assert!(!reads.contains("--allow-writes"), "{reads}");
    let unknown = run(&["call", "add_nod", "--help"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean add_node?"), "{}", stderr(&unknown));
    assert!(stdout(&run(&["call", "--help"])).contains("Usage: scenewright call"));
    assert_eq!(run(&["call"]).status.code(), Some(2), "without a tool there is nothing to call");
}

/// What the help shows can be typed as it is.
#[cfg(unix)]
#[test]
fn the_example_of_a_help_runs() {
    let folder = Folder::copy_of(&sample("godot"));
    let help = stdout(&run(&["call", "add_node", "--help"]));
    let line = help.lines().find(|line| line.starts_with("  scenewright call")).unwrap();
    let line = line.trim().replacen("scenewright", env!("CARGO_BIN_EXE_scenewright"), 1);
    let output = std::process::Command::new("bash")
        .args(["-c", &format!("{line} --dry-run")])
        .current_dir(folder.root())
        .env("HOME", folder.root())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn tools_are_in_groups() {
    let all = stdout(&run(&["tools"]));
    let (group, tool) = ("\nprefab  Prefabs", "\n  prefab.create ");
    assert!(all.find(group).unwrap() < all.find(tool).unwrap(), "{all}");
    let two = stdout(&run(&["tools", "list", "prefab", "material"]));
    assert!(two.contains("material.create") && !two.contains("project.info"), "{two}");
    let unknown = run(&["tools", "list", "prefabs"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean prefab?"), "{}", stderr(&unknown));
}

/// A client of standard MCP has few tools listed at first.
#[test]
fn what_a_client_sees_is_listed_as_it_sees_it() {
    let count = |args: &[&str]| {
        let list: Value = serde_json::from_slice(&run(args).stdout).unwrap();
        list["tools"].as_array().unwrap().len()
    };
    let (seen, all) = (
        count(&["tools", "list", "--dialect", "mcp"]),
        count(&["tools", "list", "--dialect", "mcp", "--all"]),
    );
    assert!(seen > 10 && seen < 60 && all > 200, "{seen} of {all}");
}

#[test]
fn colours_follow_the_words_of_the_environment() {
    let tools = |variables: &[(&str, &str)]| {
        let folder = Folder::empty();
        let mut command = command(folder.root());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        stdout(&command.args(["tools", "list", "prefab"]).output().unwrap()).contains('\x1b')
    };
    assert!(!tools(&[]), "not in a pipe");
    assert!(tools(&[("CLICOLOR_FORCE", "1")]));
    assert!(!tools(&[("CLICOLOR_FORCE", "0")]));
    assert!(!tools(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "no is no");
}

#[test]
fn a_change_is_told_by_object_for_people_and_is_data_for_programs() {
    let folder = Folder::copy_of(&sample("godot"));
    let call = |format: &[&str], colour: &str| {
        let mut command = command(folder.root());
        let add = ["call", "add_node", "--dry-run", "scenePath=scenes/main.tscn"];
        command.args(add).args(["nodeType=Timer", "nodeName=Late"]).args(format);
        command.env("CLICOLOR_FORCE", colour).env_remove("NO_COLOR").output().unwrap()
    };
    let text = stdout(&call(&["--format", "text"], "1"));
    assert!(
        text.contains("\x1b[32m  + Late\x1b[0m\n") && text.contains("Nothing was written"),
        "{text}"
    );
    assert!(!text.contains("\"diff\""), "{text}");
    let plain = stdout(&call(&["--format", "text"], "0"));
    assert!(plain.contains("\n  + Late\n") && !plain.contains('\x1b'), "{plain}");
    for format in [&[][..], &["--format", "json"]] {
        let value: Value = serde_json::from_slice(&call(format, "1").stdout).unwrap();
        assert!(value["changes"][0]["diff"].as_str().unwrap().contains("+[node name=\"Late\""));
    }
}

/// Who types a command is told which option it lacks, as text where a person reads it.
#[test]
fn what_is_refused_names_the_option() {
    let folder = Folder::copy_of(&sample("godot"));
    let add = ["call", "add_node", "scenePath=scenes/main.tscn", "nodeType=Timer", "nodeName=A"];
    let refused = |more: &[&str]| {
        let output = command(folder.root()).args(add).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        stderr(&output)
    };
    let error: Value = serde_json::from_str(&refused(&[])).unwrap();
    assert!(error["error"]["hint"].as_str().unwrap().starts_with("--dry-run shows"), "{error}");
    let text = refused(&["--format", "text"]);
    assert!(text.starts_with("error: ") && text.contains("--allow-writes lets it"), "{text}");
}

fn config(folder: &Folder, args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = command(folder.root());
    command.env_remove("SCENEWRIGHT_ATTACH_TOKEN").envs(variables.iter().copied());
    command.arg("config").args(args).stdin(Stdio::null()).output().unwrap()
}

/// Value and origin of a setting.
fn in_force(
    folder: &Folder,
    args: &[&str],
    variables: &[(&str, &str)],
    key: &str,
) -> (String, Option<String>) {
    let output = config(folder, &[args, &["--json"]].concat(), variables);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut every = all.as_object().unwrap().values().flat_map(|list| list.as_array().unwrap());
    let found = every.find(|one| one["key"] == key).unwrap_or_else(|| panic!("{key}: {all}"));
    (found["value"].as_str().unwrap().to_owned(), found["from"].as_str().map(str::to_owned))
}

#[test]
fn every_value_in_force_says_where_it_comes_from() {
    let folder = Folder::copy_of(&sample("godot"));
    folder.write(
        "scenewright.toml",
        "# ours\nhttp = \"127.0.0.1:1234\"\nallow-writes = true\n\n[check]\nexclude = [\"addons/**\"]\n",
    );
    let file = ["--config", "scenewright.toml"];
    let at = |line: u32| Some(format!("scenewright.toml:{line}"));
    let said = |value: &str, from: Option<String>| (value.to_owned(), from);
    assert_eq!(in_force(&folder, &file, &[], "http"), said("\"127.0.0.1:1234\"", at(2)));
    let typed = ["--config", "scenewright.toml", "--http", "127.0.0.1:2"];
    assert_eq!(in_force(&folder, &typed, &[], "http"), said("127.0.0.1:2", Some("--http".into())));
    assert_eq!(in_force(&folder, &[], &[], "http").1, None, "no file is read unasked");
    assert_eq!(in_force(&folder, &file, &[], "allow-writes"), said("true", at(3)));
    let forbidden = in_force(&folder, &file, &[("READ_ONLY_MODE", "yes")], "allow-writes");
    assert_eq!(forbidden, said("false", Some("READ_ONLY_MODE".into())));
    let secret = [("SCENEWRIGHT_TOKEN", "a-very-long-secret-of-mine")];
    let token = in_force(&folder, &[], &secret, "token");
    assert_eq!(token, said("(secret)", Some("SCENEWRIGHT_TOKEN".into())));
    let shown = stdout(&config(&folder, &[], &secret));
    assert!(!shown.contains("a-very-long"), "{shown}");
    let (value, from) = in_force(&folder, &[], &[], "check.exclude");
    assert_eq!(value, "[\"addons/**\"]");
    assert!(from.unwrap().ends_with("scenewright.toml:6"));
}

#[test]
fn what_serve_refuses_config_refuses() {
    let folder = Folder::copy_of(&sample("godot"));
    folder.write("bad.toml", "alow-writes = true\n");
    for (args, variables, says) in [
        (&["--config", "bad.toml"][..], &[][..], "unknown field `alow-writes`"),
        (&["--config", "gone.toml"], &[], "gone.toml cannot be read"),
        (&["--toolsets", "projct"], &[], "did you mean project?"),
        (&[], &[("READ_ONLY_MODE", "maybe")], "it takes true or false"),
    ] {
        let output = config(&folder, args, variables);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert!(stderr(&output).contains(says), "{args:?}: {}", stderr(&output));
    }
}

/// A report that goes to a file still says how it went.
#[test]
fn a_report_in_a_file_is_summed_up() {
    let folder = Folder::copy_of(&sample("godot"));
    let check = || {
        let mut command = command(folder.root());
        command.args(["check", "--format", "sarif", "--output", "r.sarif"]).output().unwrap()
    };
    let clean = check();
    assert_eq!(
        (clean.status.code(), stderr(&clean)),
        (Some(0), "0 errors, 0 warnings; see r.sarif\n".into())
    );
    std::fs::remove_file(folder.path("scenes/coin.tscn")).unwrap();
    let broken = check();
    assert_eq!(broken.status.code(), Some(1));
    assert!(stderr(&broken).starts_with("1 error,"), "{}", stderr(&broken));
}

/// What the operator named is not passed over in silence.
#[test]
fn doctor_tells_that_a_named_godot_is_not_there() {
    let folder = Folder::copy_of(&sample("godot"));
    let output =
        command(folder.root()).arg("doctor").env("GODOT_PATH", "/no/godot").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(said.contains("!!  Godot: GODOT_PATH is /no/godot, and there is no program"), "{said}");
}

#[cfg(unix)]
#[test]
fn doctor_tells_that_the_godot_on_the_path_does_not_run() {
    let folder = Folder::copy_of(&sample("godot"));
    folder.write("bin/godot", "#!/bin/sh\nexit 3\n");
    std::process::Command::new("chmod").arg("+x").arg(folder.path("bin/godot")).status().unwrap();
    let mut doctor = command(folder.root());
    doctor.arg("doctor").env("PATH", folder.path("bin")).env_remove("GODOT_PATH");
    let said = stdout(&doctor.output().unwrap());
    assert!(said.contains("!!  Godot: ") && said.contains("does not answer --version"), "{said}");
}

/// Whoever reads the help of a command knows what its exit codes mean.
#[test]
fn every_command_that_can_fail_tells_its_exit_codes() {
    assert!(stdout(&run(&["--help"])).contains("Exit codes:"));
    for name in COMMANDS.iter().filter(|name| !["completions", "man"].contains(name)) {
        let help = stdout(&run(&[name, "--help"]));
        assert!(help.contains("Exit code 0"), "{name}: {help}");
    }
}
