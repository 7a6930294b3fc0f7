//! The tool `godotResource.listResources`, which MCP clients call `list_resources`.

use std::collections::BTreeSet;

use scenewright_contract::ToolError;
use scenewright_godot::{FileEntry, FileKind};
use scenewright_text::time;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Page, in_folder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.listResources",
    keywords: "tres files materials themes all custom resources data items",
    mcp: Some("list_resources"),
    title: "List Resources",
    category: "godot.resource",
    examples: &[Example {
        description: "Find the themes of the sample",
        input: r#"{ "projectPath": "godot", "resourceType": "Theme" }"#,
        output: r#"{
            "success": true,
            "directory": "",
            "count": 1,
            "resources": [],
            "resourceTypes": ["Theme"]
        }"#,
        varies: &["resources"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the .tres and .res files of a project with their classes. The class of a binary .res is not
/// known here.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Folder to look in; the whole project by default.
    #[serde(default)]
    directory: String,
    /// Whether to look into the folders below as well.
    #[serde(default = "yes")]
    recursive: bool,
    /// Only resources of this class or of one below it, or of this script's class.
    resource_type: Option<String>,
    #[serde(flatten)]
    page: Page,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder, from the project's root.
    directory: String,
    /// How many there are.
    count: usize,
    /// The files, sorted by path.
    resources: Vec<Resource>,
    /// The classes of all of them, sorted.
    resource_types: Vec<String>,
    /// Pass this as `cursor` for the next ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Resource {
    /// The file.
    path: String,
    /// Its name without folders.
    name: String,
    /// `tres` or `res`.
    format: &'static str,
    /// Its class, or that of its script.
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_type: Option<String>,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    /// Size in bytes.
    size: u64,
    /// When it was changed.
    modified: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let folder = godot.folder(&input.directory)?;
    let mut resources = Vec::new();
    let mut types = BTreeSet::new();
    for file in godot.index.files().filter(|file| in_folder(file, &folder, input.recursive)) {
        let Some(format) = format(file) else { continue };
        let class = class(&godot, file);
        let is_wanted = match (&input.resource_type, &class) {
            (None, _) => true,
            (Some(wanted), Some(class)) => class == wanted || is_below(&godot, file, class, wanted),
            (Some(_), None) => false,
        };
        if !is_wanted {
            continue;
        }
        types.extend(class.clone());
        resources.push(Resource {
            path: file.res_path(),
            name: file.name().to_owned(),
            format,
            resource_type: class,
            uid: file.uid.clone(),
            size: file.size,
            modified: time::iso_nanoseconds(file.modified),
        });
    }
    let count = resources.len();
    let (resources, next_cursor) = input.page.of(resources);
    let resource_types = types.into_iter().collect();
    Ok(Output { success: true, directory: folder, count, resources, resource_types, next_cursor })
}

fn format(file: &FileEntry) -> Option<&'static str> {
    match file.kind {
        FileKind::Resource => Some("tres"),
        FileKind::Other if file.path.to_ascii_lowercase().ends_with(".res") => Some("res"),
        _ => None,
    }
}

/// The class of the script that a resource has, or else the engine's.
fn class(godot: &Godot<'_>, file: &FileEntry) -> Option<String> {
    let engine = file.class.clone()?;
    let scripts = file.uses.iter().filter_map(|used| godot.index.target_of(used)?.script.as_ref());
    // Only such a resource has nothing to tell but its script's.
    let own = scripts.filter(|_| engine == "Resource").find_map(|found| found.class_name.clone());
    Some(own.unwrap_or(engine))
}

fn is_below(godot: &Godot<'_>, file: &FileEntry, class: &str, wanted: &str) -> bool {
    let engine = file.class.as_deref().unwrap_or(class);
    let mut name = class.to_owned();
    for _ in 0..64 {
        let Some(script) = godot.index.class(&name).and_then(|file| file.script.as_ref()) else {
            break;
        };
        let Some(base) = script.base.clone() else { break };
        if base == wanted {
            return true;
        }
        name = base;
    }
    godot.classes().inherits(engine, wanted)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn list(sample: &GodotSample, arguments: Value) -> String {
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let line = |found: &Value| {
            let class = found["resourceType"].as_str().unwrap_or("-");
            format!("{} {class}", found["path"].as_str().unwrap())
        };
        let lines: Vec<String> = output["resources"].as_array().unwrap().iter().map(line).collect();
        format!("{} {}\n{}", output["count"], output["resourceTypes"], lines.join("\n"))
    }

    #[test]
    fn files_with_their_classes() {
        let sample = GodotSample::new();
        sample.write("art/mesh.res", "RSRC");
        expect![[r#"
            5 ["AudioBusLayout","CoinSettings","Theme","TileSet"]
            res://art/mesh.res -
            res://default_bus_layout.tres AudioBusLayout
            res://resources/coin_settings.tres CoinSettings
            res://resources/theme.tres Theme
            res://resources/tiles.tres TileSet"#]]
        .assert_eq(&list(&sample, json!({})));
        expect![[r#"
            1 ["AudioBusLayout"]
            res://default_bus_layout.tres AudioBusLayout"#]]
        .assert_eq(&list(&sample, json!({ "directory": "res://", "recursive": false })));
        expect![[r#"
            4 ["AudioBusLayout","CoinSettings","Theme","TileSet"]
            res://resources/coin_settings.tres CoinSettings
            res://resources/theme.tres Theme"#]]
        .assert_eq(&list(&sample, json!({ "resourceType": "Resource", "limit": 2, "cursor": 1 })));
        expect![[r#"
            1 ["CoinSettings"]
            res://resources/coin_settings.tres CoinSettings"#]]
        .assert_eq(&list(&sample, json!({ "resourceType": "CoinSettings" })));
        let error = sample.error(super::TOOL.id, json!({ "directory": "resource" }));
        expect!["folder not found: resource; did you mean resources?"].assert_eq(&error);
    }
}
