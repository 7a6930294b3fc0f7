//! `scenewright tree`: a scene or prefab as the editor shows it, for people.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use scenewright_contract::{Call, JsonMap};
use scenewright_tools::{Engine, Settings, Workspace};
use serde_json::{Value, json};

use crate::cli::Tree;
use crate::term::{self, Paint, Style, line, note};
use crate::workspace::{self, Origin};

/// So many alike siblings in a row are shown as one.
const FOLD: usize = 3;

/// Show the file. The tool `scene.hierarchy.dump` does the work; this draws it.
pub fn run(options: &Tree) -> Result<ExitCode> {
    let (workspace, origin) = workspace::open(&options.projects)?;
    if origin == Origin::Samples {
        note(
            "note: no project here; this is about the bundled samples (--project DIR opens yours)",
        );
    }
    let (project, file) = place(&workspace, &options.file);
    let mut arguments = JsonMap::from_iter([("scenePath".to_owned(), json!(file))]);
    if let Some(project) = project {
        arguments.insert("project".to_owned(), json!(project));
    }
    if let Some(depth) = options.depth {
        arguments.insert("depth".to_owned(), json!(depth));
    }
    let engine = Engine::new(workspace, Settings::default(), None, &[]);
    let outcome =
        engine.admit(Call::new("scene.hierarchy.dump", arguments)).and_then(|call| call.run());
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            term::error(&error.text().replace("\nTry: ", "; "));
            return Ok(ExitCode::FAILURE);
        }
    };
    if options.json {
        term::json(&outcome.output);
        return Ok(ExitCode::SUCCESS);
    }
    let paint = Paint::stdout();
    line(&paint.paint(Style::Bold, &file));
    draw(&children(&outcome.output, "rootObjects"), "", options.components, paint);
    if outcome.output["truncated"] == true {
        note("note: not everything is shown; --depth shows less of it");
    }
    Ok(ExitCode::SUCCESS)
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

fn children(object: &Value, key: &str) -> Vec<Value> {
    object[key].as_array().cloned().unwrap_or_default()
}

fn draw(objects: &[Value], indent: &str, components: bool, paint: Paint) {
    let mut at = 0;
    while at < objects.len() {
        let object = &objects[at];
        let alike = objects[at..].iter().take_while(|other| same(object, other)).count();
        let shown = if alike > FOLD { alike } else { 1 };
        let last = at + shown == objects.len();
        let (branch, next) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        line(&format!("{indent}{branch}{}", label(object, shown, components, paint)));
        draw(&children(object, "children"), &format!("{indent}{next}"), components, paint);
        at += shown;
    }
}

/// Whether two siblings look the same apart from a number in their names.
fn same(a: &Value, b: &Value) -> bool {
    let plain = |object: &Value| {
        let name = object["name"].as_str().unwrap_or_default();
        name.trim_end_matches(|c: char| c.is_ascii_digit() || " ()".contains(c)).to_owned()
    };
    plain(a) == plain(b)
        && a["components"] == b["components"]
        && a["prefab"] == b["prefab"]
        && a["active"] == b["active"]
        && children(a, "children").len() == children(b, "children").len()
}

fn label(object: &Value, count: usize, components: bool, paint: Paint) -> String {
    let text = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let mut label = match object["active"].as_bool() {
        Some(false) => paint.paint(Style::Dim, &format!("{} (inactive)", text("name"))),
        _ => text("name"),
    };
    if count > 1 {
        label = format!("{label} {}", paint.paint(Style::Yellow, &format!("×{count}")));
    }
    if object.get("prefab").is_some() {
        label = format!("{label} {}", paint.paint(Style::Cyan, &format!("<{}>", text("prefab"))));
    }
    if object.get("opaque").is_some() {
        label = format!("{label} {}", paint.paint(Style::Red, &format!("({})", text("opaque"))));
    }
    if components {
        let names: Vec<&str> = object["components"]
            .as_array()
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        label = format!("{label} {}", paint.paint(Style::Dim, &format!("[{}]", names.join(", "))));
    }
    label
}
