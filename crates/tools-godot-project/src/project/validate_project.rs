//! The tool `godotProject.validateProject`, which MCP clients call `validate_project`.

use std::time::{Duration, Instant};

use scenewright_contract::{Limits, ToolError};
use scenewright_godot::{FileEntry, FileKind, Tree, Use, UseKind};
use scenewright_live::godot::{MessageKind, Program};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::check_scripts;
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many issues are returned.
const MAX_ISSUES: usize = 1000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.validateProject",
    keywords: "lint problems broken references errors missing files everything ok check health",
    mcp: Some("validate_project"),
    title: "Validate Godot Project",
    notes: Some(
        "Works from the files. Scripts are parsed by the engine if there is one and the server may write, because loading a script can run code; the answer says whether they were.",
    ),
    category: "godot.project",
    limits: Limits {
        time_guard: Some(Duration::from_secs(240)),
        timeout: Duration::from_secs(320),
        max_items: Some(MAX_ISSUES),
    },
    examples: &[Example {
        description: "Validate the sample",
        input: r#"{ "projectPath": "godot", "checkScripts": false }"#,
        output: r#"{
            "success": true,
            "valid": true,
            "errorCount": 0,
            "warningCount": 0,
            "infoCount": 0,
            "issues": [],
            "truncated": false,
            "scriptsParsed": false,
            "projectInfo": {
                "name": "Lighthouse Run",
                "godotVersion": "4.4",
                "sceneCount": 5,
                "scriptCount": 6,
                "resourceCount": 4,
                "assetCount": 2
            }
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find what is wrong with a project: files that cannot be read, references that lead nowhere,
/// scenes that lose nodes, settings that name missing files, classes that do not exist.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Look at scripts.
    #[serde(default = "yes")]
    check_scripts: bool,
    /// Look at scenes.
    #[serde(default = "yes")]
    check_scenes: bool,
    /// Look at resources, imports and all other files.
    #[serde(default = "yes")]
    check_resources: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether there are no errors.
    valid: bool,
    /// How many errors there are.
    error_count: usize,
    /// How many warnings there are.
    warning_count: usize,
    /// How many remarks there are.
    info_count: usize,
    /// What was found, by file and line.
    issues: Vec<Issue>,
    /// Whether there are more than were returned.
    truncated: bool,
    /// Whether the engine has parsed the scripts.
    scripts_parsed: bool,
    /// What was looked at.
    project_info: Info,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// It does not work.
    Error,
    /// It may not work.
    Warning,
    /// Good to know.
    Info,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
struct Issue {
    /// The file, from the project's root.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// How bad it is.
    #[serde(rename = "type")]
    severity: Severity,
    /// `settings`, `scene`, `script`, `resource` or `project`.
    category: &'static str,
    /// What is wrong.
    message: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Info {
    /// The project's name.
    name: String,
    /// The version of Godot that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot_version: Option<String>,
    /// How many scenes it has.
    scene_count: usize,
    /// How many scripts.
    script_count: usize,
    /// How many resources.
    resource_count: usize,
    /// How many imported files.
    asset_count: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let facts = godot.read_facts()?;
    let mut issues = Vec::new();
    settings(&godot, facts.config_version, facts.main_scene.is_some(), &mut issues);
    files(&godot, &input, &mut issues);
    if input.check_scenes {
        scenes(&godot, &mut issues)?;
    }
    let scripts_parsed = input.check_scripts && scripts(&godot, &mut issues)?;
    issues.sort();
    issues.dedup();
    let count = |severity| issues.iter().filter(|issue| issue.severity == severity).count();
    let (errors, warnings, infos) =
        (count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let truncated = issues.len() > MAX_ISSUES;
    issues.truncate(MAX_ISSUES);
    let of_kind = |kind| godot.index.of_kind(kind).count();
    Ok(Output {
        success: true,
        valid: errors == 0,
        error_count: errors,
        warning_count: warnings,
        info_count: infos,
        issues,
        truncated,
        scripts_parsed,
        project_info: Info {
            name: facts.name,
            godot_version: facts.engine_version,
            scene_count: of_kind(FileKind::Scene),
            script_count: of_kind(FileKind::Script) + of_kind(FileKind::CSharp),
            resource_count: of_kind(FileKind::Resource),
            asset_count: of_kind(FileKind::Import),
        },
    })
}

fn category(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Scene => "scene",
        FileKind::Script | FileKind::CSharp => "script",
        FileKind::Settings => "settings",
        _ => "resource",
    }
}

fn settings(godot: &Godot<'_>, version: u32, has_main_scene: bool, issues: &mut Vec<Issue>) {
    let mut tell = |severity, file: Option<&str>, category, message: &str| {
        let (file, message) = (file.map(str::to_owned), message.to_owned());
        issues.push(Issue { file, line: None, severity, category, message });
    };
    let settings = Some("project.godot");
    if version < 5 {
        let message = format!(
            "config_version is {version}: this is no project of Godot 4, which would convert it"
        );
        tell(Severity::Warning, settings, "settings", &message);
    }
    if !has_main_scene {
        tell(
            Severity::Warning,
            settings,
            "settings",
            "no main scene is set, so the game has no start",
        );
    }
    let has = |name: &str| godot.project.root.join(name).is_file();
    let in_repository = godot.project.root.join(".git").exists();
    if in_repository && !has(".gitignore") {
        tell(Severity::Info, None, "project", "there is no .gitignore: .godot/ belongs into one");
    }
}

/// Files that cannot be read, and uses of files that are not there.
fn files(godot: &Godot<'_>, input: &Input, issues: &mut Vec<Issue>) {
    let is_wanted = |kind: FileKind| match category(kind) {
        "scene" => input.check_scenes,
        "script" => input.check_scripts,
        "settings" => true,
        _ => input.check_resources,
    };
    for problem in godot.index.problems() {
        let kind = FileKind::of_path(&problem.path);
        if is_wanted(kind) {
            let (line, message) = split_line(&problem.message);
            issues.push(Issue {
                file: Some(problem.path.clone()),
                line,
                severity: Severity::Error,
                category: category(kind),
                message: message.to_owned(),
            });
        }
    }
    for missing in godot.index.missing().filter(|missing| is_wanted(missing.file.kind)) {
        issues.push(missing_use(missing.file, missing.wanted));
    }
}

/// The line in `line 3: a value is expected`.
fn split_line(message: &str) -> (Option<usize>, &str) {
    let split = message.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
    let parsed = split.and_then(|(line, rest)| Some((line.parse().ok()?, rest)));
    parsed.map_or((None, message), |(line, rest)| (Some(line), rest))
}

fn missing_use(file: &FileEntry, wanted: &Use) -> Issue {
    let name = wanted.path.as_deref().or(wanted.uid.as_deref()).unwrap_or_default();
    let what = match wanted.kind {
        UseKind::MainScene => "the main scene",
        UseKind::Autoload => "an autoload",
        UseKind::Plugin => "an enabled plugin",
        UseKind::ImportSource => "the imported file",
        _ => "a file that is used here",
    };
    Issue {
        file: Some(file.path.clone()),
        line: Some(wanted.line),
        severity: Severity::Error,
        category: category(file.kind),
        message: format!("{what} is not there: {name}"),
    }
}

/// Scenes are looked at for so long.
const SCENES: Duration = Duration::from_secs(20);

/// What the engine would drop or complain about when it loads the scenes.
fn scenes(godot: &Godot<'_>, issues: &mut Vec<Issue>) -> Result<(), ToolError> {
    let started = Instant::now();
    let total = godot.index.of_kind(FileKind::Scene).count();
    for (done, file) in godot.index.of_kind(FileKind::Scene).enumerate() {
        godot.cx.check_cancelled()?;
        // The call may take minutes, which are for the engine.
        if started.elapsed() >= SCENES {
            godot.cx.diagnose(format!(
                "Scan of scenes stopped after {}ms. Processed {done} of {total} items. Results may be \
                 partial.",
                SCENES.as_millis()
            ));
            break;
        }
        // A file that cannot be read has been told already.
        let Some(tree) = Tree::build(&file.res_path(), &*godot.index) else { continue };
        for problem in tree.problems() {
            issues.push(Issue {
                file: Some(problem.file.trim_start_matches("res://").to_owned()),
                line: Some(problem.line),
                severity: Severity::Error,
                category: "scene",
                message: problem.message.clone(),
            });
        }
        issues.extend(unknown_classes(godot, &tree, &file.res_path()));
    }
    Ok(())
}

/// Nodes of classes that neither the engine nor the project has. An extension may bring them.
fn unknown_classes(godot: &Godot<'_>, tree: &Tree, scene: &str) -> Vec<Issue> {
    let classes = godot.classes();
    let mut issues = Vec::new();
    for node in tree.nodes().iter().filter(|node| node.origin.path() == scene) {
        let Some(class) = node.class.as_deref() else { continue };
        if classes.class(class).is_none() && godot.index.class(class).is_none() {
            issues.push(Issue {
                file: Some(scene.trim_start_matches("res://").to_owned()),
                line: Some(node.origin.line()),
                severity: Severity::Warning,
                category: "scene",
                message: format!(
                    "Godot {} has no class {class}, so {} is a placeholder unless an extension has it",
                    classes.version(),
                    node.path
                ),
            });
        }
    }
    issues
}

/// Let the engine parse the scripts, where that is possible; says whether it was.
fn scripts(godot: &Godot<'_>, issues: &mut Vec<Issue>) -> Result<bool, ToolError> {
    let cx = godot.cx;
    let paths: Vec<String> =
        godot.index.of_kind(FileKind::Script).map(|file| file.path.clone()).collect();
    if !cx.runner().settings().allow_runs {
        cx.diagnose("scripts were not parsed: loading them can run code, which needs --allow-runs");
        return Ok(false);
    }
    let engine = match Program::find(cx.cancel()) {
        Ok(engine) => engine,
        Err(error) => {
            cx.diagnose(format!("scripts were not parsed: {}", error.message));
            return Ok(false);
        }
    };
    for problem in check_scripts(godot, &engine, &paths)?.problems {
        issues.push(Issue {
            file: problem.file.map(|file| file.trim_start_matches("res://").to_owned()),
            line: problem.line,
            severity: match problem.kind {
                MessageKind::Error => Severity::Error,
                MessageKind::Warning => Severity::Warning,
            },
            category: "script",
            message: problem.text,
        });
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn issues(sample: &GodotSample, arguments: Value) -> String {
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let shown = output["issues"].as_array().unwrap().iter().map(|issue| {
            let text = |key: &str| issue[key].as_str().unwrap_or("-").to_owned();
            format!(
                "{} {} {}:{} {}\n",
                text("type"),
                text("category"),
                text("file"),
                issue["line"],
                text("message")
            )
        });
        shown.collect()
    }

    #[test]
    fn broken_things_are_found_where_they_are() {
        let sample = GodotSample::read_only();
        sample.write("scenes/broken.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Nodee\"]\n\n[node name=\"B\" type=\"Node\" parent=\"Nope\"]\n");
        sample.write("scenes/syntax.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=]\n");
        sample.write("scripts/lost.gd", "extends Node\nconst X = preload(\"res://nope.tscn\")\n");
        sample.write("scripts/again.gd", "class_name Coin\nextends Node\n");
        let settings = sample.read("project.godot").replace("game_state.gd", "gone.gd");
        sample.write("project.godot", &settings.replace("uid://dsckkculads6k", "uid://gone"));
        expect![[r#"
            error settings project.godot:16 the main scene is not there: uid://gone
            error settings project.godot:22 an autoload is not there: res://autoload/gone.gd
            warning scene scenes/broken.tscn:3 Godot 4.4 has no class Nodee, so . is a placeholder unless an extension has it
            error scene scenes/broken.tscn:5 the parent `Nope` of `B` is not there
            error scene scenes/syntax.tscn:3 a value is expected, not `]`
            error script scripts/coin.gd:null `scripts/again.gd` declares the class Coin too
            error script scripts/lost.gd:2 a file that is used here is not there: res://nope.tscn
        "#]].assert_eq(&issues(&sample, json!({})));
    }

    #[test]
    fn parts_can_be_left_out() {
        let sample = GodotSample::new();
        sample.write("scenes/syntax.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=]\n");
        let none = json!({ "checkScripts": false, "checkScenes": false, "checkResources": false });
        assert_eq!(issues(&sample, none), "");
    }
}
