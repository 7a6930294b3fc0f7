//! The tool `godotScript.writeScript`, which MCP clients call `write_script`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::Script;
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.writeScript",
    keywords: "create new gdscript csharp file generate overwrite save gd code behaviour extends component function movement script logic template",
    mcp: Some("write_script"),
    title: "Write Godot Script",
    notes: Some(
        "Code that Godot 4 could not parse is refused; what names mean is not looked at, get_script_errors asks the engine. For projects of Godot 4.4 and later a new script gets its .uid file.",
    ),
    category: "godot.script",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Write a new script",
        input: r#"{
            "projectPath": "godot",
            "scriptPath": "res://scripts/lamp.gd",
            "content": "class_name Lamp\nextends Node2D\n\n\nfunc _ready() -> void:\n\tmodulate = Color.YELLOW\n"
        }"#,
        output: r#"{
            "success": true,
            "path": "res://scripts/lamp.gd",
            "created": true,
            "lines": 6,
            "className": "Lamp",
            "uid": "uid://cd4y2nlw0mqya",
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo", "uid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a script, or replace one with `overwrite`. Line ends follow the file that is there.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The script: `res://player.gd`, or the path from the project's root; `.cs` is fine too.
    script_path: String,
    /// All of its text.
    #[schemars(length(max = 4_194_304))]
    content: String,
    /// Replace a script that is there.
    #[serde(default)]
    overwrite: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// Whether it is new.
    created: bool,
    /// How many lines it has.
    lines: usize,
    /// The class that it declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    class_name: Option<String>,
    /// The uid that it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.new_path(&input.script_path, &["gd", "cs"])?;
    let before = match godot.exists(&path) {
        true if !input.overwrite => {
            return Err(ToolError::new(ErrorKind::BadArguments, format!("{path} exists already"))
                .hint("nothing was changed; give overwrite: true to replace it"));
        }
        true => Some(godot.read(&path)?),
        false => None,
    };
    let content = in_the_manner_of(before.as_deref(), &input.content);
    let class_name = match path.as_str().ends_with(".gd") {
        true => Script::parse(&content).class_name,
        false => None,
    };
    check_class(&godot, &path, class_name.as_deref())?;
    check_syntax(&godot, &path, &content)?;
    let lines = content.lines().count();
    let mut plan = Plan::new(godot.project);
    plan.write(&path, before.as_deref(), content.into_bytes());
    let uid = match godot.index.uid_of(path.as_str()) {
        Some(known) if before.is_some() => Some(known.to_owned()),
        _ => new_uid(&godot, &path, &mut plan)?,
    };
    Ok(Output {
        success: true,
        path: format!("res://{path}"),
        created: before.is_none(),
        lines,
        class_name,
        uid,
        written: saved(&godot, plan, input.write)?,
    })
}

/// The uid file that Godot would make, unless one is there.
fn new_uid(
    godot: &Godot<'_>,
    path: &ProjectPath,
    plan: &mut Plan<'_>,
) -> Result<Option<String>, ToolError> {
    let beside = godot.path(&format!("{path}.uid"))?;
    if godot.exists(&beside) {
        let text = String::from_utf8_lossy(&godot.read(&beside)?).trim().to_owned();
        return Ok(Some(text));
    }
    if !godot.has_uid_files() {
        return Ok(None);
    }
    let uid = godot.new_uid(path);
    plan.write(&beside, None, format!("{uid}\n").into_bytes());
    Ok(Some(uid))
}

/// The text with a line end at its end, and with the line ends of what is there.
fn in_the_manner_of(before: Option<&[u8]>, content: &str) -> String {
    let ends = |pattern: &[u8]| {
        before.map_or(0, |bytes| bytes.windows(pattern.len()).filter(|w| *w == pattern).count())
    };
    let is_crlf = ends(b"\r\n") > 0 && ends(b"\r\n") == ends(b"\n");
    let mut text = content.to_owned();
    if is_crlf && !text.contains('\r') {
        text = text.replace('\n', "\r\n");
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(if text.contains("\r\n") { "\r\n" } else { "\n" });
    }
    text
}

/// What the engine could not even read would be no script at all.
fn check_syntax(godot: &Godot<'_>, path: &ProjectPath, content: &str) -> Result<(), ToolError> {
    // Godot 3 has another grammar, and C# is for its compiler to judge.
    if !path.as_str().ends_with(".gd") || godot.is_godot_3() {
        return Ok(());
    }
    let Some(problem) = Script::find_problem(content) else { return Ok(()) };
    let place = format!("line {}, column {}", problem.line, problem.column);
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("Godot could not parse this: {place}: {}", problem.message),
    )
    .hint("nothing was changed; mend the code and write it again")
    .detail("line", problem.line.to_string()))
}

/// Two scripts with one class name are an error in both.
fn check_class(
    godot: &Godot<'_>,
    path: &ProjectPath,
    class: Option<&str>,
) -> Result<(), ToolError> {
    let Some(class) = class else { return Ok(()) };
    if godot.classes().class(class).is_some() {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("class_name {class} hides a class of the engine, which Godot refuses"),
        )
        .hint("nothing was changed; choose another class_name"));
    }
    match godot.index.class(class).filter(|other| other.path != path.as_str()) {
        Some(other) => Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} declares class_name {class} already", other.res_path()),
        )
        .hint("nothing was changed; choose another class_name")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn a_new_script_comes_with_its_uid() {
        let diff = GodotSample::new().diff(
            super::TOOL.id,
            json!({ "scriptPath": "scripts/lamp", "content": "extends Node" }),
        );
        expect![[r#"
            --- /dev/null
            +++ b/scripts/lamp.gd
            @@ -0,0 +1 @@
            +extends Node
            --- /dev/null
            +++ b/scripts/lamp.gd.uid
            @@ -0,0 +1 @@
            +uid://2ilp7ah1p2qy
        "#]]
        .assert_eq(&diff);
    }

    #[test]
    fn older_projects_have_no_uid_files() {
        let sample = GodotSample::new();
        let settings = sample.read("project.godot").replace("\"4.4\"", "\"4.3\"");
        sample.write("project.godot", &settings);
        let arguments = json!({ "scriptPath": "lamp.gd", "content": "extends Node\n" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!((&output["filesChanged"], &output["uid"]), (&json!(1), &Value::Null));
    }

    #[test]
    fn a_script_that_is_replaced_keeps_its_uid_and_line_ends() {
        let sample = GodotSample::new();
        sample.write("scripts/coin.gd", "extends Area2D\r\n");
        let arguments = json!({ "scriptPath": "scripts/coin.gd", "content": "extends Node2D\n# b", "overwrite": true });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["uid"], "uid://lgq4s0tugd20");
        assert_eq!((&output["created"], &output["filesChanged"]), (&json!(false), &json!(1)));
        assert_eq!(sample.read("scripts/coin.gd"), "extends Node2D\r\n# b\r\n");
    }

    #[test]
    fn what_would_do_harm_is_refused() {
        let sample = GodotSample::new();
        let refuse = |path: &str, content: &str| {
            sample.error(super::TOOL.id, json!({ "scriptPath": path, "content": content }))
        };
        expect!["scripts/coin.gd exists already; nothing was changed; give overwrite: true to replace it"].assert_eq(&refuse("scripts/coin.gd", ""));
        expect!["a.txt ends in .txt, and this makes .gd or .cs"].assert_eq(&refuse("a.txt", ""));
        expect!["res://scripts/coin.gd declares class_name Coin already; nothing was changed; choose another class_name"].assert_eq(&refuse("a.gd", "class_name Coin"));
        expect!["class_name Sprite2D hides a class of the engine, which Godot refuses; nothing was changed; choose another class_name"].assert_eq(&refuse("a.gd", "class_name Sprite2D"));
        expect!["Path must be inside the project: ../a.gd; name it from the project's root: Assets/Door.prefab, res://door.tscn"].assert_eq(&refuse("../a.gd", ""));
    }

    #[test]
    fn code_that_does_not_parse_is_refused() {
        let sample = GodotSample::new();
        let arguments = |content: &str| json!({ "scriptPath": "a.gd", "content": content });
        let broken = "extends Node\n\nfunc _ready(:\n\tpass\n";
        expect!["Godot could not parse this: line 3, column 13: a name is expected here, not `:`; nothing was changed; mend the code and write it again"].assert_eq(&sample.error(super::TOOL.id, arguments(broken)));
        assert!(!sample.has("a.gd"));
        sample.call(super::TOOL.id, arguments("extends Node\nfunc a(): return b\n")).unwrap();
        // C# has its own compiler, and Godot 3 its own grammar.
        let other = json!({ "scriptPath": "A.cs", "content": "class A { void B(" });
        sample.call(super::TOOL.id, other).unwrap();
        sample.write("project.godot", "config_version=4\n");
        let old = "export(int) var a = 1 setget b\n";
        sample.call(super::TOOL.id, json!({ "scriptPath": "c.gd", "content": old })).unwrap();
    }
}
