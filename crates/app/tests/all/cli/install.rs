//! `scenewright install` on the files of real clients, in a home of its own.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use scenewright_fixture::{Folder, sample};
use serde_json::Value;

use super::terminal::typing;
use super::{command, stderr, stdout};

/// Clients with their file and what people have in it.
const FILES: [(&str, &str, &str); 19] = [
    (
        "claude-code",
        ".claude.json",
        "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"files\": { \"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"files\"] }\n  },\n  \"projects\": {}\n}",
    ),
    (
        "claude-desktop",
        "settings/Claude/claude_desktop_config.json",
        "{\n    \"globalShortcut\": \"\",\n    \"mcpServers\": {}\n}\n",
    ),
    (
        "cline",
        ".cline/data/settings/cline_mcp_settings.json",
        "{\n  \"mcpServers\": {\n    \"a\": { \"command\": \"npx\", \"disabled\": true }\n  }\n}\n",
    ),
    (
        "codex",
        ".codex/config.toml",
        "model = \"gpt-5\" # mine\n\n[mcp_servers.files]\ncommand = \"npx\"\n",
    ),
    ("continue", ".continue/mcpServers/scenewright.json", ""),
    (
        "continue",
        ".continue/config.yaml",
        "name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  # files of the project\n  - name: files\n    command: npx\n    args: [-y, files]\n\nmodels: [] # none yet\n",
    ),
    ("copilot", ".copilot/mcp-config.json", "{ \"mcpServers\": { } }\n"),
    ("cursor", ".cursor/mcp.json", "{\"mcpServers\":{\"a\":{\"url\":\"http://127.0.0.1:1\"}}}"),
    ("gemini", ".gemini/settings.json", "{\n\t\"theme\": \"Default\"\n}\n"),
    ("jetbrains", ".junie/mcp/mcp.json", "{\r\n  \"mcpServers\": {\r\n  }\r\n}\r\n"),
    ("kilo", "settings/kilo/kilo.json", "{\n  \"share\": \"disabled\",\n  \"mcp\": {}\n}\n"),
    ("kimi", ".kimi-code/mcp.json", ""),
    ("nanocoder", "settings/nanocoder/.mcp.json", "{\n  \"mcpServers\": {}\n}\n"),
    (
        "opencode",
        "settings/opencode/opencode.jsonc",
        "{\n  // mine\n  \"mcp\": {\n    \"files\": { \"type\": \"local\", \"command\": [\"npx\", \"files\"] },\n  },\n}\n",
    ),
    ("qwen", ".qwen/settings.json", "{\n  \"$version\": 3\n}\n"),
    (
        "vibe",
        ".vibe/config.toml",
        "active_model = \"devstral\"\n\n[[mcp_servers]]\nname = \"files\" # mine\ntransport = \"stdio\"\ncommand = \"npx\"\n\n[mcp_servers.env]\nA = \"1\"\n\n[tools.bash]\npermission = \"ask\"\n",
    ),
    (
        "vscode",
        "settings/Code/User/mcp.json",
        "{\n\t// servers of all projects\n\t\"servers\": {\n\t\t\"one\": { \"type\": \"http\", \"url\": \"http://127.0.0.1:1\" }, // local\n\t},\n\t\"inputs\": [],\n}\n",
    ),
    ("windsurf", ".codeium/windsurf/mcp_config.json", "{}"),
    (
        "zed",
        "settings/zed/settings.json",
        "// Zed settings\n{\n  \"theme\": \"One Dark\", /* for the night */\n  \"context_servers\": {\n  }\n}\n",
    ),
];

fn install(home: &Folder, args: &[&str]) -> Output {
    install_command(home, args).output().unwrap()
}

fn install_command(home: &Folder, args: &[&str]) -> Command {
    let mut command = command(home.root());
    command.env("XDG_CONFIG_HOME", home.path("settings")).env_remove("CODEX_HOME");
    command.arg("install").args(args).stdin(Stdio::null());
    command
}

/// What doctor says of the clients that know this server.
#[cfg(target_os = "linux")]
fn doctor(home: &Folder) -> Vec<String> {
    let mut command = command(home.root());
    command.env("XDG_CONFIG_HOME", home.path("settings")).env_remove("CODEX_HOME");
    let output = command.args(["doctor", "--json"]).output().unwrap();
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = value["findings"].as_array().unwrap().iter();
    let found = found.filter(|one| one["section"] == "Clients" && one["state"] != "absent");
    let words = |one: &Value| {
        let detail = one["detail"].as_str().unwrap();
        let end = detail.find(" as scenewright").unwrap_or(detail.len());
        detail[..end].rsplit('/').next().unwrap_or_default().to_owned()
    };
    found.map(words).collect()
}

/// Below the home; Zed has its file there on every Unix.
fn place(file: &str) -> String {
    match file {
        "settings/zed/settings.json" => ".config/zed/settings.json".to_owned(),
        _ => file.to_owned(),
    }
}

fn home_with(text: Option<(&str, &str)>) -> (Folder, Option<PathBuf>) {
    let home = Folder::empty();
    let path = text.map(|(file, text)| {
        let file = place(file);
        if !text.is_empty() {
            home.write(&file, text);
        }
        home.path(&file)
    });
    (home, path)
}

/// The words of the command that a client would start.
fn command_of(client: &str, path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    if path.extension().is_some_and(|end| end == "yaml") {
        // What is written there is JSON behind the key.
        let said = |key: &str| -> Value {
            let own = text.split("- name: \"scenewright\"\n").nth(1).unwrap();
            let line = own.lines().find_map(|line| line.trim().strip_prefix(key));
            serde_json::from_str(line.unwrap()).unwrap()
        };
        return words(&[&said("command: "), &said("args: ")]);
    }
    let key = match client {
        "codex" | "vibe" => "mcp_servers",
        "vscode" => "servers",
        "zed" => "context_servers",
        "kilo" | "opencode" => "mcp",
        _ => "mcpServers",
    };
    let value: Value = match client {
        "codex" | "vibe" => toml::from_str(&text).unwrap(),
        _ => scenewright_text::read_commented_json(text.as_bytes()).unwrap().1,
    };
    let listed = value[key].as_array().into_iter().flatten();
    let entry = listed.clone().find(|entry| entry["name"] == "scenewright");
    let entry = entry.unwrap_or(&value[key]["scenewright"]);
    words(&[&entry["command"], &entry["args"]])
}

fn words(values: &[&Value]) -> Vec<String> {
    let all = values.iter().flat_map(|value| match value {
        Value::Array(words) => words.iter().collect(),
        word => vec![*word],
    });
    all.filter_map(|word| Some(word.as_str()?.to_owned())).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn every_client_is_told_and_left_as_it_was() {
    let project = sample("unity");
    let project = project.to_str().unwrap();
    for (client, file, before) in FILES {
        let (home, path) = home_with(Some((file, before)));
        let path = path.unwrap();
        let dry = install(&home, &[client, "--project", project, "--dry-run"]);
        assert_eq!(dry.status.code(), Some(0), "{client}: {}", stderr(&dry));
        assert!(stdout(&dry).contains("+") && stdout(&dry).contains("Nothing was written"));
        assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), before, "{client}");

        let output = install(&home, &[client, "--project", project, "--allow-writes"]);
        assert_eq!(output.status.code(), Some(0), "{client}: {}", stderr(&output));
        let words = command_of(client, &path);
        let program = Path::new(&words[0]);
        assert!(program.is_absolute() && program.is_file(), "{client}: {words:?}");
        let wanted = ["serve", "--stdio", "--project", project, "--allow-writes"];
        assert_eq!(words[1..wanted.len() + 1], wanted, "{client}");
        assert_eq!(doctor(&home), ["scenewright starts and answers"], "{client}");
        if !before.is_empty() {
            let backup = format!("{}.before-scenewright", path.display());
            assert_eq!(std::fs::read_to_string(&backup).unwrap(), before, "{client}");
        }
        assert!(
            stdout(&install(&home, &[client, "--project", project, "--allow-writes"]))
                .contains("knows it already")
        );

        let output = install(&home, &[client, "--uninstall"]);
        assert_eq!(output.status.code(), Some(0), "{client}: {}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), before, "{client}");
        assert!(stdout(&install(&home, &[client, "--uninstall"])).contains("does not know"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_client_that_works_in_no_folder_is_given_a_project() {
    let file = "settings/Claude/claude_desktop_config.json";
    let (home, path) = home_with(Some((file, "{}")));
    let path = path.unwrap();
    let output = install(&home, &["claude-desktop"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(said.contains("scenewright install claude-desktop --project DIR"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
    // The one that it is run in is offered.
    home.write("game/project.godot", "config_version=5\n");
    let game = home.path("game");
    let mut command = install_command(&home, &["claude-desktop"]);
    let output = command.current_dir(&game).output().unwrap();
    let said = stdout(&output);
    assert!(said.contains(&format!("claude-desktop --project {}", game.display())), "{said}");
    let mut command = install_command(&home, &["claude-desktop"]);
    command.current_dir(&game);
    let (code, seen) = typing(command, "\n");
    assert_eq!(code, Some(0), "{seen}");
    assert!(seen.contains("Its folder (Enter for "), "{seen}");
    let words = command_of("claude-desktop", &path);
    assert_eq!(words[1..5], ["serve", "--stdio", "--project", game.to_str().unwrap()], "{words:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn broken_files_and_entries_of_others_are_left_alone() {
    for (client, file, text, told) in [
        ("cursor", ".cursor/mcp.json", "{ \"mcpServers\": {", "cannot be read"),
        ("codex", ".codex/config.toml", "model = ", "cannot be read"),
        (
            "vscode",
            "settings/Code/User/mcp.json",
            "{ \"servers\": [] }",
            "is not what it should be",
        ),
        (
            "zed",
            "settings/zed/settings.json",
            "{ \"context_servers\": { \"scenewright\": { \"command\": \"node\" } } }",
            "starts another program",
        ),
    ] {
        let (home, path) = home_with(Some((file, text)));
        let output = install(&home, &[client]);
        assert_eq!(output.status.code(), Some(1), "{client}: {}", stdout(&output));
        assert!(stdout(&output).contains(told), "{client}: {}", stdout(&output));
        assert_eq!(std::fs::read_to_string(path.unwrap()).unwrap(), text, "{client}");
    }
}

#[test]
fn what_changed_since_stays_when_the_entry_goes() {
    let (home, path) = home_with(Some((".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n")));
    let path = path.unwrap();
    install(&home, &["cursor"]);
    let text = std::fs::read_to_string(&path).unwrap();
    let more = text.replace("\"mcpServers\": {", "\"mcpServers\": {\n    \"new\": {},");
    std::fs::write(&path, more).unwrap();
    install(&home, &["cursor", "--uninstall"]);
    let after = std::fs::read_to_string(&path).unwrap();
    assert_eq!(after, "{\n  \"mcpServers\": {\n    \"new\": {}\n  }\n}\n");
}

#[test]
fn the_list_and_what_nobody_knows() {
    let (home, _) = home_with(Some((".cursor/mcp.json", "{}")));
    let list = stdout(&install(&home, &["--list"]));
    assert!(list.lines().any(|line| line.starts_with("cursor") && line.contains("is here and does not know it")), "{list}");
    assert!(
        list.lines().any(|line| line.starts_with("windsurf") && line.contains("not found")),
        "{list}"
    );
    install(&home, &["all"]);
    let list = stdout(&install(&home, &["--list"]));
    assert!(
        list.lines().any(|line| line.starts_with("cursor") && line.contains(" knows it")),
        "{list}"
    );
    let output = install(&home, &["emacs"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("there are claude-code, claude-desktop, cline, codex"),
        "{}",
        stderr(&output)
    );
    // One that cannot is told before another is changed.
    home.write(".codeium/windsurf/mcp_config.json", "{}");
    let output = install(&home, &["cursor", "windsurf", "--scope", "project", "--name", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!std::fs::read_to_string(home.path(".cursor/mcp.json")).unwrap().contains("\"x\""));
    assert_eq!(install(&home, &["all", "--scope", "project"]).status.code(), Some(0));
    let output = install(&home, &["windsurf", "--scope", "project"]);
    assert!(stderr(&output).contains("has no file for one project"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_private_file_behind_a_link_stays_both() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = Folder::empty();
    home.write("dotfiles/claude.json", "{}\n");
    let real = home.path("dotfiles/claude.json");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, home.path(".claude.json")).unwrap();
    install(&home, &["claude-code"]);
    assert!(std::fs::symlink_metadata(home.path(".claude.json")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("scenewright"));
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_addon_for_godot_is_told_in_words_and_as_data_on_request() {
    let folder = Folder::copy_of(&sample("godot"));
    let install = |more: &[&str]| {
        let output =
            command(folder.root()).args(["install", "godot-addon"]).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let settings = || std::fs::read_to_string(folder.path("project.godot")).unwrap();
    let before = settings();
    let dry = install(&["--dry-run"]);
    assert!(dry.contains("  + addons/scenewright: 19 files\n"), "{dry}");
    assert!(dry.contains("  project.godot (modified)\n"), "{dry}");
    assert!(dry.ends_with("Nothing was written; leave out --dry-run to do it.\n"), "{dry}");
    assert_eq!(settings(), before);
    assert!(install(&[]).contains("Written. Next: open the project in Godot"));
    assert!(install(&[]).contains("has it already"));
    let told: Value = serde_json::from_str(&install(&["--json", "--uninstall"])).unwrap();
    assert_eq!(told["filesChanged"], 20);
    assert!(install(&["--uninstall"]).contains("does not have it"));
    assert_eq!(settings(), before);
}

#[test]
fn a_committed_entry_names_no_path_and_says_what_others_need() {
    let home = Folder::empty();
    home.write("game/project.godot", "config_version=5\n");
    let game = home.path("game");
    let game = game.to_str().unwrap();
    for (client, file) in
        [("vscode", ".vscode/mcp.json"), ("vibe", ".vibe/config.toml"), ("kilo", "kilo.json")]
    {
        let output = install(&home, &[client, "--scope", "project", "--project", game]);
        assert_eq!(output.status.code(), Some(0), "{client}: {}", stderr(&output));
        assert!(stdout(&output).contains("needs scenewright in PATH"), "{}", stdout(&output));
        let path = home.path("game").join(file);
        assert_eq!(command_of(client, &path), ["scenewright", "serve", "--stdio"], "{client}");
        let output =
            install(&home, &[client, "--scope", "project", "--project", game, "--via", "npx"]);
        assert!(stdout(&output).contains("needs Node"), "{}", stdout(&output));
        let package = format!("scenewright@{}", env!("CARGO_PKG_VERSION"));
        assert_eq!(command_of(client, &path), ["npx", "-y", &package, "serve", "--stdio"]);
        install(&home, &[client, "--scope", "project", "--project", game, "--uninstall"]);
        assert!(!path.exists(), "{client}");
    }
}

#[test]
fn what_the_agent_may_do_is_in_the_entry() {
    let (home, path) = home_with(Some((".cursor/mcp.json", "{}")));
    let given = [
        "--allow-writes",
        "--require-confirm",
        "--refuse-while-open",
        "--toolsets",
        "project,scene",
        "--audit",
        "audit.jsonl",
    ];
    let output = install(&home, &[&["cursor"], &given[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let words = command_of("cursor", &path.unwrap());
    assert_eq!(words[3..9], given[..6]);
    assert!(Path::new(&words[9]).is_absolute() && words[9].ends_with("audit.jsonl"), "{words:?}");
    let output = install(&home, &["cursor", "--toolsets", "projct"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no toolset 'projct'"), "{}", stderr(&output));
}

#[test]
fn the_cli_of_continue_is_thought_of() {
    let (home, _) = home_with(None);
    home.write(".continue/index", "");
    let output = install(&home, &["continue"]);
    assert!(stdout(&output).contains("The Continue CLI reads"), "{}", stdout(&output));
    home.write(".continue/config.yaml", "name: mine\n");
    let output = install(&home, &["continue"]);
    assert!(!stdout(&output).contains("The Continue CLI reads"), "{}", stdout(&output));
    let words = command_of("continue", &home.path(".continue/config.yaml"));
    assert_eq!(words[1..], ["serve", "--stdio"]);
    // Both files would be two servers.
    assert!(stdout(&output).contains("Taken out."), "{}", stdout(&output));
    assert!(!home.path(".continue/mcpServers/scenewright.json").exists());
    install(&home, &["continue", "--uninstall"]);
    assert_eq!(
        std::fs::read_to_string(home.path(".continue/config.yaml")).unwrap(),
        "name: mine\n"
    );
}
