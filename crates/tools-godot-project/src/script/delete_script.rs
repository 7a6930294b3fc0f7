//! The tool `godotScript.deleteScript`, which MCP clients call `delete_script`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{FileKind, UseKind};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Unread, Unreads, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// So many users are listed.
const MAX_USERS: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.deleteScript",
    keywords: "remove gd file erase script",
    mcp: Some("delete_script"),
    title: "Delete Godot Script",
    category: "godot.script",
    safety: Safety::Destructive,
    idempotent: false,
    examples: &[Example {
        description: "Look what would break without the script of the coins",
        input: r#"{ "projectPath": "godot", "scriptPath": "res://scripts/coin.gd", "force": true, "dryRun": true }"#,
        output: r#"{
            "success": true,
            "path": "res://scripts/coin.gd",
            "deleted": ["scripts/coin.gd", "scripts/coin.gd.uid"],
            "users": [{ "file": "scenes/coin.tscn", "line": 3, "how": "resource" }],
            "userCount": 1,
            "dryRun": true,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Delete a script and its `.uid` file. Refused while something uses it, unless `force`; the users
/// are listed and stay as they are.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    /// Delete it although it is used.
    #[serde(default)]
    force: bool,
    /// Delete it although files that may use it could not be read.
    #[serde(default)]
    skip_unreadable: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The script.
    path: String,
    /// The files that are gone.
    deleted: Vec<String>,
    /// Who uses it and is broken now, at most 100.
    users: Vec<User>,
    /// How many there are.
    user_count: usize,
    /// Files that could not be read and may use it, at most 100.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<Unread>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Debug, Serialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
struct User {
    /// The file.
    file: String,
    /// The line, from 1.
    line: usize,
    /// `resource`, `load`, `autoload`, `text`, or `class` for its class name in code.
    how: &'static str,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path(&input.script_path)?;
    if !matches!(FileKind::of_path(path.as_str()), FileKind::Script | FileKind::CSharp) {
        return Err(ToolError::new(ErrorKind::BadArguments, format!("{path} is no script")));
    }
    let content = godot
        .read(&path)
        .map_err(|error| error.hint("list_scripts shows the scripts of the project"))?;
    let mut users = users(&godot, &path)?;
    if !users.is_empty() && !input.force {
        return Err(in_use(&path, &users));
    }
    let unread = Unreads::of(&godot);
    unread.check(input.skip_unreadable || input.force)?;
    let uid_path = godot.path(&format!("{path}.uid"))?;
    let uid = godot.exists(&uid_path).then(|| godot.read(&uid_path)).transpose()?;
    let mut plan = Plan::new(godot.project);
    let mut deleted = vec![path.to_string()];
    plan.remove(&path, &content);
    if let Some(uid) = &uid {
        plan.remove(&uid_path, uid);
        deleted.push(uid_path.to_string());
    }
    let user_count = users.len();
    users.truncate(MAX_USERS);
    Ok(Output {
        success: true,
        path: format!("res://{path}"),
        deleted,
        users,
        user_count,
        unread: unread.list(),
        written: saved(&godot, plan, input.write)?,
    })
}

fn in_use(path: &ProjectPath, users: &[User]) -> ToolError {
    let shown: Vec<String> =
        users.iter().take(5).map(|user| format!("{}:{}", user.file, user.line)).collect();
    let more = if users.len() > shown.len() { ", …" } else { "" };
    let listed: Vec<_> = users.iter().take(MAX_USERS).map(|user| json!(user)).collect();
    ToolError::new(
        ErrorKind::EngineError,
        format!("{path} is still used, by {}{more}", shown.join(", ")),
    )
    .hint("nothing was changed; detach_script takes it from nodes, force: true deletes it all the same")
    .detail("users", listed)
}

/// Everything that names the file, its uid, or its class.
fn users(godot: &Godot<'_>, path: &ProjectPath) -> Result<Vec<User>, ToolError> {
    let mut users: Vec<User> = godot
        .index
        .users(path.as_str())
        .filter(|(file, _)| file.companion_of() != Some(path.as_str()))
        .map(|(file, used)| User { file: file.path.clone(), line: used.line, how: how(used.kind) })
        .collect();
    let entry = godot.index.by_path(path.as_str());
    let class = entry.and_then(|file| file.script.as_ref()?.class_name.clone());
    if let Some(class) = class {
        for file in godot.index.of_kind(FileKind::Script).filter(|f| f.path != path.as_str()) {
            godot.cx.check_cancelled()?;
            let text = godot.path(&file.path).and_then(|path| godot.read(&path));
            let Ok(text) = text else { continue };
            let lines = lines_with(&String::from_utf8_lossy(&text), &class);
            let user = |line| User { file: file.path.clone(), line, how: "class" };
            users.extend(lines.into_iter().map(user));
        }
    }
    users.sort();
    users.dedup();
    Ok(users)
}

fn how(kind: UseKind) -> &'static str {
    match kind {
        UseKind::ExtResource | UseKind::Value => "resource",
        UseKind::Load => "load",
        UseKind::Autoload => "autoload",
        _ => "text",
    }
}

/// The lines of code that have a name, comments and texts left out.
fn lines_with(text: &str, name: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let has = |line: &str| code_of(line).split(|c: char| !is_part(c)).any(|word| word == name);
    (1..).zip(text.lines()).filter(|(_, line)| has(line)).map(|(number, _)| number).collect()
}

fn code_of(line: &str) -> String {
    let mut code = String::new();
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => drop(characters.next()),
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '#') => break,
            (None, _) => code.push(character),
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn an_unused_script_goes_with_its_uid_and_comes_back() {
        let sample = GodotSample::new();
        sample.write("old.gd", "extends Node\n");
        sample.write("old.gd.uid", "uid://bold\n");
        let output = sample.call(super::TOOL.id, json!({ "scriptPath": "old.gd" })).unwrap();
        assert_eq!(output["deleted"], json!(["old.gd", "old.gd.uid"]));
        assert_eq!(output["userCount"], 0);
        assert!(!sample.has("old.gd") && !sample.has("old.gd.uid"));
        sample.undo();
        assert_eq!(sample.read("old.gd"), "extends Node\n");
    }

    #[test]
    fn what_cannot_be_read_may_use_it() {
        let sample = GodotSample::new();
        sample.write("old.gd", "extends Node\n");
        std::fs::write(sample.path("wide.tscn"), b"\xff\xfe[\0g\0d\0").unwrap();
        let refused = sample.error(super::TOOL.id, json!({ "scriptPath": "old.gd" }));
        expect!["1 file could not be looked at and may use it: wide.tscn (it is UTF-16, which Godot does not read); nothing was changed; repair what is named, or go on with skipUnreadable: true"].assert_eq(&refused);
        assert!(sample.has("old.gd"));
        let arguments = json!({ "scriptPath": "old.gd", "skipUnreadable": true });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["unread"][0]["file"], "wide.tscn");
        assert!(!sample.has("old.gd"));
    }

    #[test]
    fn a_used_one_stays() {
        let sample = GodotSample::new();
        let refuse = |path: &str| sample.error(super::TOOL.id, json!({ "scriptPath": path }));
        expect!["scripts/coin.gd is still used, by scenes/coin.tscn:3; nothing was changed; detach_script takes it from nodes, force: true deletes it all the same"].assert_eq(&refuse("scripts/coin.gd"));
        expect!["scripts/actor.gd is still used, by scenes/actor.tscn:3, scripts/player.gd:2; nothing was changed; detach_script takes it from nodes, force: true deletes it all the same"].assert_eq(&refuse("scripts/actor.gd"));
        expect!["autoload/game_state.gd is still used, by project.godot:22; nothing was changed; detach_script takes it from nodes, force: true deletes it all the same"].assert_eq(&refuse("autoload/game_state.gd"));
        expect!["file not found: scripts/nope.gd; list_scripts shows the scripts of the project"]
            .assert_eq(&refuse("scripts/nope.gd"));
        expect!["icon.svg is no script"].assert_eq(&refuse("icon.svg"));
        assert!(sample.has("scripts/coin.gd"));
    }
}
