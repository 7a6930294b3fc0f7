//! `scenewright tree`: a scene or prefab as the editor shows it, for people.

mod find;
mod godot;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use scenewright_contract::{Call, JsonMap, ToolError};
use scenewright_toolkit::{Runner, Settings, Workspace};
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
/// The values of an object, as lines.
const VALUES: &str = "values";

/// Show the file. The tool `scene.hierarchy.dump` does the work for Unity; this draws it.
pub fn run(options: &Tree) -> Result<ExitCode> {
    let workspace = workspace::open_own(&options.projects)?;
    let runner = new_runner(workspace, Settings::default(), None, &[]);
    let dumped = match dump(&runner, options) {
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
    let file = &options.file;
    let shown = dumped["scenePath"].as_str().unwrap_or(file);
    let stem = |path: &str| Path::new(path).file_stem().map(|stem| stem.to_ascii_lowercase());
    if stem(shown) != stem(file) {
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

/// The scene or prefab as JSON, with what was asked for.
fn dump(runner: &Arc<Runner>, options: &Tree) -> Result<Value, ToolError> {
    let workspace = runner.workspace();
    let (project, file) = place(&workspace, &options.file);
    // What is looked for may be at any depth.
    let depth = options.depth.filter(|_| options.find.is_none());
    let values = options.components && options.find.is_some();
    let in_godot = |godot| godot::dump(godot, &file, depth, values);
    let mut dumped = match godot_project(&workspace, project.as_deref(), &file) {
        Some(godot) => in_godot(godot)?,
        // A name without an ending may be that of a scene of either engine.
        None => {
            dump_unity(runner, project.as_deref(), &file, depth).or_else(|error| {
                match godots(&workspace).find(|godot| godot::has(godot, &file)) {
                    Some(godot) => in_godot(godot),
                    None => Err(error),
                }
            })?
        }
    };
    if let Some(wanted) = &options.find {
        find::keep(&mut dumped, wanted, options.depth.unwrap_or(0))?;
        let is_unity =
            !children(&dumped, "rootObjects").iter().any(|root| root.get("type").is_some());
        if values && is_unity {
            find::add_values(runner, project.as_deref(), &mut dumped)?;
        }
    }
    Ok(dumped)
}

/// An error in a line. The specification's words name no file; what is behind them does.
fn said(error: &ToolError) -> String {
    let named = error.details.get("unityError").and_then(Value::as_str);
    let hint = error.hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
    format!("{}{hint}", named.unwrap_or(&error.message))
}

fn dump_unity(
    runner: &Arc<Runner>,
    project: Option<&str>,
    file: &str,
    depth: Option<usize>,
) -> Result<Value, ToolError> {
    let mut arguments = JsonMap::from_iter([("scenePath".to_owned(), json!(file))]);
    if let Some(depth) = depth {
        arguments.insert("depth".to_owned(), json!(depth));
    }
    ask(runner, "scene.hierarchy.dump", project, arguments)
}

/// What a tool answers about a project.
fn ask(
    runner: &Arc<Runner>,
    tool: &str,
    project: Option<&str>,
    mut arguments: JsonMap,
) -> Result<Value, ToolError> {
    if let Some(project) = project {
        arguments.insert("project".to_owned(), json!(project));
    }
    Ok(runner.admit(Call::new(tool, arguments))?.run()?.output.into_value())
}

/// The Godot project that a file belongs to; by its name when it is not found on disk.
fn godot_project<'a>(
    workspace: &'a Workspace,
    project: Option<&str>,
    file: &str,
) -> Option<&'a GodotProject> {
    let is_scene = file.starts_with("res://") || godot::is_scene(file);
    let has_others = workspace.projects().len() > godots(workspace).count();
    match project {
        Some(id) => workspace.projects().iter().find(|found| found.id.to_string() == id)?.of(),
        None if is_scene => {
            let found = godots(workspace).find(|godot| godot::has(godot, file));
            found.or_else(|| godots(workspace).next())
        }
        None if has_others => None,
        None => godots(workspace).next(),
    }
}

fn godots(workspace: &Workspace) -> impl Iterator<Item = &GodotProject> {
    workspace.projects().iter().filter_map(|project| project.of())
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
            let below = !children(object, "children").is_empty();
            for value in children(object, VALUES).iter().filter_map(Value::as_str) {
                let value = self.paint.paint(Style::Dim, value);
                line(&format!("{indent}{next}{}{value}", if below { "│ " } else { "  " }));
            }
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
    let look =
        ["components", "prefab", "active", "type", "script", "instance", "state", LEFT_OUT, VALUES];
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
        _ if object[find::FOUND] == true => paint.paint(Style::Bold, &name),
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
    if components
        && object.get(VALUES).is_none()
        && let Some(names) = object["components"].as_array()
    {
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
