//! `scenewright install` on the files of real clients, in a home of its own.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Output;

use scenewright_fixture::{Folder, sample};
use serde_json::Value;

use super::{command, stderr, stdout};

/// Clients with their file and what people have in it.
const FILES: [(&str, &str, &str); 10] = [
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
        "codex",
        ".codex/config.toml",
        "model = \"gpt-5\" # mine\n\n[mcp_servers.files]\ncommand = \"npx\"\n",
    ),
    ("continue", ".continue/mcpServers/scenewright.json", ""),
    ("cursor", ".cursor/mcp.json", "{\"mcpServers\":{\"a\":{\"url\":\"http://127.0.0.1:1\"}}}"),
    ("gemini", ".gemini/settings.json", "{\n\t\"theme\": \"Default\"\n}\n"),
    ("jetbrains", ".junie/mcp/mcp.json", "{\r\n  \"mcpServers\": {\r\n  }\r\n}\r\n"),
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
    let mut command = command(home.root());
    command.env("XDG_CONFIG_HOME", home.path("settings")).env_remove("CODEX_HOME");
    command.arg("install").args(args).output().unwrap()
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

fn entry(client: &str, text: &[u8]) -> Value {
    let key = match client {
        "codex" => "mcp_servers",
        "vscode" => "servers",
        "zed" => "context_servers",
        _ => "mcpServers",
    };
    let value = match client {
        "codex" => toml::from_str(std::str::from_utf8(text).unwrap()).unwrap(),
        _ => scenewright_text::read_commented_json(text).unwrap().1,
    };
    value[key]["scenewright"].clone()
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
        let entry = entry(client, &std::fs::read(&path).unwrap());
        let program = Path::new(entry["command"].as_str().unwrap());
        assert!(program.is_absolute() && program.is_file(), "{client}: {entry}");
        let args: Vec<_> =
            entry["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(args, ["serve", "--stdio", "--project", project, "--allow-writes"], "{client}");
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
        stderr(&output).contains("there are claude-code, claude-desktop, codex"),
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
