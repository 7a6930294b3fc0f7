//! The tool `godotResource.getDependencies`, which MCP clients call `get_dependencies`.

use std::collections::{BTreeSet, VecDeque};

use scenewright_contract::ToolError;
use scenewright_godot::{FileEntry, FileKind, UseKind, code_lines};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Page, use_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More files are not followed.
const MAX_FILES: usize = 20_000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.getDependencies",
    keywords: "what a scene depends on needs requires outgoing external resources ext_resource loads uses load missing dependency",
    mcp: Some("get_dependencies"),
    title: "Get Dependencies",
    category: "godot.resource",
    examples: &[Example {
        description: "What the coin scene needs",
        input: r#"{ "projectPath": "godot", "resourcePath": "res://scenes/coin.tscn", "recursive": false }"#,
        output: r#"{
            "success": true,
            "resourcePath": "res://scenes/coin.tscn",
            "count": 2,
            "missing": 0,
            "dependencies": [
                {
                    "path": "res://resources/coin_settings.tres",
                    "kind": "ext_resource",
                    "depth": 1,
                    "usedBy": "res://scenes/coin.tscn",
                    "line": 4,
                    "missing": false
                },
                {
                    "path": "res://scripts/coin.gd",
                    "kind": "ext_resource",
                    "depth": 1,
                    "usedBy": "res://scenes/coin.tscn",
                    "line": 3,
                    "missing": false
                }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the files that a file needs, directly and through others, and say which are missing. Each
/// is listed once, with the shortest way to it; scripts also need the classes that they name.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file: `res://main.tscn`.
    resource_path: String,
    /// Whether to follow what those need, too.
    #[serde(default = "yes")]
    recursive: bool,
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
    /// The file.
    resource_path: String,
    /// How many it needs.
    count: usize,
    /// How many of those are missing.
    missing: usize,
    /// What it needs, the nearest first, then sorted by path.
    dependencies: Vec<Dependency>,
    /// Pass this as `cursor` for the next ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Dependency {
    /// The file, or the `uid://` of one that is missing.
    path: String,
    /// How it is used: `ext_resource`, `load`, `class` and others.
    kind: &'static str,
    /// 1 for what the file itself names.
    depth: usize,
    /// The file that names it.
    used_by: String,
    /// The line there, from 1.
    line: usize,
    /// Whether there is no such file.
    missing: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path(&input.resource_path)?;
    let Some(start) = godot.index.by_path(path.as_str()) else {
        return Err(ToolError::not_found("file", path.as_str())
            .hint("project_listFiles shows what is there"));
    };
    let mut seen = BTreeSet::from([start.path.clone()]);
    let mut open = VecDeque::from([(start, 1)]);
    let mut found: Vec<Dependency> = Vec::new();
    while let Some((file, depth)) = open.pop_front() {
        cx.check_cancelled()?;
        for needed in needs(&godot, file) {
            let name = needed.target.map_or(needed.written, |target| target.path.clone());
            if seen.len() > MAX_FILES || !seen.insert(name.clone()) {
                continue;
            }
            if let Some(target) = needed.target.filter(|_| input.recursive) {
                open.push_back((target, depth + 1));
            }
            found.push(Dependency {
                path: needed.target.map_or(name, FileEntry::res_path),
                kind: needed.kind,
                depth,
                used_by: file.res_path(),
                line: needed.line,
                missing: needed.target.is_none(),
            });
        }
    }
    if seen.len() > MAX_FILES {
        cx.diagnose(format!("Only the first {MAX_FILES} files were followed."));
    }
    found.sort_by(|one, two| (one.depth, &one.path).cmp(&(two.depth, &two.path)));
    let (count, missing) = (found.len(), found.iter().filter(|one| one.missing).count());
    let (dependencies, next_cursor) = input.page.of(found);
    Ok(Output {
        success: true,
        resource_path: start.res_path(),
        count,
        missing,
        dependencies,
        next_cursor,
    })
}

struct Need<'a> {
    target: Option<&'a FileEntry>,
    /// As it is written, for what is missing.
    written: String,
    kind: &'static str,
    line: usize,
}

/// What a file names itself.
fn needs<'a>(godot: &'a Godot<'_>, file: &'a FileEntry) -> Vec<Need<'a>> {
    let mut needs = Vec::new();
    for used in &file.uses {
        let target = godot.index.target_of(used);
        // A text may look like a path and be none.
        if target.is_none() && used.kind == UseKind::Text {
            continue;
        }
        let written = used.path.clone().or_else(|| used.uid.clone()).unwrap_or_default();
        needs.push(Need { target, written, kind: use_name(used.kind), line: used.line });
    }
    if file.kind == FileKind::Script {
        let bytes = godot.path(&file.path).and_then(|path| godot.read(&path)).unwrap_or_default();
        let lines = code_lines(&String::from_utf8_lossy(&bytes));
        for (line, code) in lines.iter().enumerate() {
            let words = code.split(|char: char| !char.is_alphanumeric() && char != '_');
            for class in words.filter_map(|word| godot.index.class(word)) {
                let written = String::new();
                needs.push(Need { target: Some(class), written, kind: "class", line: line + 1 });
            }
        }
    }
    needs
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(sample: &GodotSample, arguments: Value, expected: Expect) {
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let mut shown = format!("{} of which {} missing\n", output["count"], output["missing"]);
        for found in output["dependencies"].as_array().unwrap() {
            let text = |key: &str| found[key].as_str().unwrap().to_owned();
            let missing = if found["missing"] == true { " MISSING" } else { "" };
            let (path, kind, user) = (text("path"), text("kind"), text("usedBy"));
            shown +=
                &format!("{} {path} {kind} by {user}:{}{missing}\n", found["depth"], found["line"]);
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn follows_files_and_classes() {
        let sample = GodotSample::new();
        check(
            &sample,
            json!({ "resourcePath": "scenes/player.tscn" }),
            expect![[r#"
            3 of which 0 missing
            1 res://scenes/actor.tscn ext_resource by res://scenes/player.tscn:3
            1 res://scripts/player.gd ext_resource by res://scenes/player.tscn:4
            2 res://scripts/actor.gd ext_resource by res://scenes/actor.tscn:3
        "#]],
        );
        check(
            &sample,
            json!({ "resourcePath": "scripts/coin.gd", "recursive": false }),
            expect![[r#"
            2 of which 0 missing
            1 res://scripts/coin_settings.gd class by res://scripts/coin.gd:7
            1 res://scripts/player.gd class by res://scripts/coin.gd:24
        "#]],
        );
    }

    #[test]
    fn circles_end_and_missing_files_are_said() {
        let sample = GodotSample::new();
        sample.write("a.gd", "const B = preload(\"res://b.gd\")\nconst C = preload(\"c.gd\")\n");
        sample
            .write("b.gd", "const A = preload(\"res://a.gd\")\nvar d = load(\"uid://nothing\")\n");
        check(
            &sample,
            json!({ "resourcePath": "a.gd" }),
            expect![[r#"
            3 of which 2 missing
            1 res://b.gd load by res://a.gd:1
            1 res://c.gd load by res://a.gd:2 MISSING
            2 uid://nothing load by res://b.gd:2 MISSING
        "#]],
        );
        let error = sample.error(super::TOOL.id, json!({ "resourcePath": "c.gd" }));
        expect!["file not found: c.gd; project_listFiles shows what is there"].assert_eq(&error);
    }
}
