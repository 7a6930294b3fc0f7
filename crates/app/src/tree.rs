//! `scenewright tree`: a scene or prefab as the editor shows it, for people.

mod godot;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use scenewright_contract::{Call, JsonMap, ToolError};
use scenewright_toolkit::{Settings, Workspace};
use scenewright_tools::new_runner;
use scenewright_tools_godot::GodotProject;
use serde_json::{Value, json};

use crate::cli::Tree;
use crate::term::{self, Paint, Style, line, note};
use crate::workspace;

/// So many alike siblings in a row are shown as one.
const FOLD: usize = 3;
/// How many children of an object are not in a dump.
const LEFT_OUT: &str = "childrenNotShown";

/// Show the file. The tool `scene.hierarchy.dump` does the work for Unity; this draws it.
pub fn run(options: &Tree) -> Result<ExitCode> {
    let workspace = workspace::open_own(&options.projects)?;
    let (project, file) = place(&workspace, &options.file);
    let dumped = match godot_project(&workspace, project.as_deref(), &file) {
        Some(godot) => godot::dump(godot, &file, options.depth)
            .ok_or_else(|| ToolError::not_found("scene", &file)),
        None => dump_unity(workspace, project, &file, options.depth),
    };
    let dumped = match dumped {
        Ok(dumped) => dumped,
        Err(error) => {
            term::error(&said(&error));
            return Ok(ExitCode::FAILURE);
        }
    };
    if options.json {
        term::json(&dumped);
        return Ok(ExitCode::SUCCESS);
    }
    let paint = Paint::stdout();
    // A name that is nearly right leads to the file that is meant, which is told.
    let shown = dumped["scenePath"].as_str().unwrap_or(&file);
    if Path::new(shown).file_name() != Path::new(&file).file_name() {
        note(&format!("note: there is no {file}; this is {shown}"));
    }
    line(&paint.paint(Style::Bold, shown));
    let pen = Pen { components: options.components, paint };
    pen.draw(children(&dumped, "rootObjects"), "");
    for problem in children(&dumped, "problems").iter().filter_map(Value::as_str) {
        note(&format!("note: {problem}"));
    }
    // What a given depth leaves out is told where it would be.
    if dumped["truncated"] == true && options.depth.is_none() {
        note("note: not everything is shown; --depth shows less of it");
    }
    Ok(ExitCode::SUCCESS)
}

/// An error in a line. The specification's words name no file; what is behind them does.
fn said(error: &ToolError) -> String {
    let named = error.details.get("unityError").and_then(Value::as_str);
    let hint = error.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
    format!("{}{hint}", named.unwrap_or(&error.message))
}

fn dump_unity(
    workspace: Workspace,
    project: Option<String>,
    file: &str,
    depth: Option<usize>,
) -> Result<Value, ToolError> {
    let mut arguments = JsonMap::from_iter([("scenePath".to_owned(), json!(file))]);
    if let Some(project) = project {
        arguments.insert("project".to_owned(), json!(project));
    }
    if let Some(depth) = depth {
        arguments.insert("depth".to_owned(), json!(depth));
    }
    let runner = new_runner(workspace, Settings::default(), None, &[]);
    let outcome = runner.admit(Call::new("scene.hierarchy.dump", arguments))?.run()?;
    Ok(outcome.output.into_value())
}

/// The Godot project that a file belongs to; by its name when it is not found on disk.
fn godot_project<'a>(
    workspace: &'a Workspace,
    project: Option<&str>,
    file: &str,
) -> Option<&'a GodotProject> {
    let is_scene = [".tscn", ".escn"].iter().any(|end| file.ends_with(end));
    workspace.projects().iter().find_map(|found| {
        let godot = found.of()?;
        let is_meant = project.map_or(is_scene, |project| found.id.to_string() == project);
        is_meant.then_some(godot)
    })
}

/// The project that a file on disk belongs to, and its path there.
fn place(workspace: &Workspace, file: &str) -> (Option<String>, String) {
    let real = Path::new(file).canonicalize().ok();
    let found = real.and_then(|real| {
        workspace.projects().iter().find_map(|project| {
            let root = project.root.canonicalize().ok()?;
            let inside = real.strip_prefix(root).ok()?;
            Some((project.id.to_string(), inside.to_string_lossy().replace('\\', "/")))
        })
    });
    found.map_or_else(|| (None, file.to_owned()), |(project, inside)| (Some(project), inside))
}

fn children<'v>(object: &'v Value, key: &str) -> &'v [Value] {
    object[key].as_array().map_or(&[], Vec::as_slice)
}

/// How a tree is drawn.
struct Pen {
    components: bool,
    paint: Paint,
}

impl Pen {
    fn draw(&self, objects: &[Value], indent: &str) {
        let mut at = 0;
        while at < objects.len() {
            let object = &objects[at];
            let alike = objects[at..].iter().take_while(|other| same(object, other)).count();
            let shown = if alike > FOLD { alike } else { 1 };
            let last = at + shown == objects.len();
            let (branch, next) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let alike = &objects[at..at + shown];
            let mut label = label(alike, self.components, self.paint);
            if let Some(left_out) = object.get(LEFT_OUT) {
                let left_out = format!("… {left_out} below");
                label = format!("{label} {}", self.paint.paint(Style::Dim, &left_out));
            }
            line(&format!("{indent}{branch}{label}"));
            self.draw(children(object, "children"), &format!("{indent}{next}"));
            at += shown;
        }
    }
}

/// Whether two siblings look the same apart from a number in their names.
fn same(a: &Value, b: &Value) -> bool {
    let plain = |object: &Value| {
        let name = object["name"].as_str().unwrap_or_default();
        name.trim_end_matches(|c: char| c.is_ascii_digit() || " ()".contains(c)).to_owned()
    };
    let look = ["components", "prefab", "active", "type", "script", "instance", "state", LEFT_OUT];
    plain(a) == plain(b)
        && look.iter().all(|key| a.get(key) == b.get(key))
        && children(a, "children").len() == children(b, "children").len()
}

/// The first of some siblings that look the same, with the name of the last where they have several.
fn label(alike: &[Value], components: bool, paint: Paint) -> String {
    let (object, count) = (&alike[0], alike.len());
    let text = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let has_one_name = alike.iter().all(|other| other["name"] == object["name"]);
    let name = match alike.last().and_then(|last| last["name"].as_str()) {
        Some(last) if !has_one_name => format!("{} … {last}", text("name")),
        _ => text("name"),
    };
    let mut label = match object["active"].as_bool() {
        Some(false) => paint.paint(Style::Dim, &format!("{name} (inactive)")),
        _ => name,
    };
    if count > 1 {
        label = format!("{label} {}", paint.paint(Style::Yellow, &format!("×{count}")));
    }
    let parts = [
        ("type", Style::Dim, ["", ""]),
        ("prefab", Style::Cyan, ["<", ">"]),
        ("instance", Style::Cyan, ["<", ">"]),
        ("script", Style::Green, ["", ""]),
        ("opaque", Style::Red, ["(", ")"]),
        ("state", Style::Red, ["(", ")"]),
    ];
    for (key, style, [open, close]) in parts {
        if object.get(key).is_some() {
            let shown = format!("{open}{}{close}", text(key).trim_start_matches("res://"));
            label = format!("{label} {}", paint.paint(style, &shown));
        }
    }
    // A node of Godot is what it is; it has no components.
    if components && let Some(names) = object["components"].as_array() {
        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
        label = format!("{label} {}", paint.paint(Style::Dim, &format!("[{}]", names.join(", "))));
    }
    label
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn alike_siblings_with_several_names_are_told_from_the_first_to_the_last() {
        let told = |names: &[&str]| {
            let objects: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
            label(&objects, false, Paint::never())
        };
        expect!["Shot1 … Shot4 ×4"].assert_eq(&told(&["Shot1", "Shot2", "Shot3", "Shot4"]));
        expect!["Lamp ×4"].assert_eq(&told(&["Lamp"; 4]));
        expect!["Lamp … Lamp ×4"].assert_eq(&told(&["Lamp", "Lamp (1)", "Lamp (2)", "Lamp"]));
    }
}
