//! The tool `project.batch`, which spec 004 calls `batch_operations`. Its MCP name has a prefix: clients that
//! show names without the server have other tools called `batch`.

mod answers;

use std::sync::Arc;
use std::time::Duration;

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, JsonMap, Limits, Safety, ToolError};
use scenewright_toolkit::arguments::spellings;
use scenewright_toolkit::door::{Stage, Written};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::answers::Answers;

/// Steps of one batch.
const MAX_STEPS: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "project.batch",
    aliases: &["batch", "batch_operations", "godotBatch.batchOperations"],
    title: "Batch",
    keywords: "several many operations steps edits at once in one atomic transaction all or nothing combine multiple changes together undo go calls",
    notes: Some(
        "A text that begins with $ and is a name, and ${…} inside of a text, are answers of earlier steps; $$ at the beginning, and $${ inside, are a plain $. Tools that act outside of the project's files, such as undoing or running the game, cannot be steps.",
    ),
    category: "project",
    lean: true,
    safety: Safety::Destructive,
    delegates: true,
    asks_once: true,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[
        Example {
            description: "Make a scene, give it a child, and put it into a level, in one change",
            input: r#"{
                "project": "godot",
                "steps": [
                    { "tool": "create_scene", "as": "gate", "arguments": { "scenePath": "scenes/gate.tscn", "rootNodeType": "Area2D" } },
                    { "tool": "add_node", "arguments": { "scenePath": "$gate.scenePath", "nodeType": "CollisionShape2D", "nodeName": "Shape", "properties": { "shape": { "type": "RectangleShape2D" } } } },
                    { "tool": "instance_scene", "arguments": { "scenePath": "scenes/level.tscn", "instancePath": "res://${1.scenePath}" } }
                ]
            }"#,
            output: r#"{
                "success": true,
                "totalOperations": 3,
                "successCount": 3,
                "failureCount": 0,
                "stoppedEarly": false,
                "results": [],
                "dryRun": false,
                "filesChanged": 2,
                "changes": []
            }"#,
            varies: &["changes", "undo", "results"],
        },
        Example {
            description: "Several questions about a Unity project in one call",
            input: r#"{
                "project": "unity",
                "steps": [
                    { "tool": "project_scenes_list" },
                    { "tool": "project_info" }
                ]
            }"#,
            output: r#"{
                "success": true,
                "totalOperations": 2,
                "successCount": 2,
                "failureCount": 0,
                "stoppedEarly": false,
                "results": [],
                "dryRun": false,
                "filesChanged": 0,
                "changes": []
            }"#,
            varies: &["results"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run several tools as one change (batch), up to 100 in order: one diff, one undo, all or nothing. A step
/// sees what earlier ones planned and can use their answers: `$1.nodePath`, `$name.items.0`,
/// `${1.nodePath}` in a text. Try `dryRun` first.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; by default the only open one that the tools are for.
    project: Option<String>,
    /// What to do, in order.
    #[schemars(length(min = 1, max = 100))]
    steps: Vec<Step>,
    /// Whether to stop at the first error; otherwise all errors are collected. Nothing is written
    /// either way.
    #[serde(default = "yes")]
    stop_on_error: bool,
    /// Refuse more steps than this.
    #[schemars(range(min = 1, max = 100))]
    max_operations: Option<usize>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// One call.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// The tool, by any of its names.
    tool: String,
    /// Its arguments; the project is that of the batch.
    #[serde(default)]
    arguments: JsonMap,
    /// A name for what it answers.
    #[serde(rename = "as")]
    name: Option<String>,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error, and then nothing was written.
    success: bool,
    /// How many steps there are.
    total_operations: usize,
    /// How many succeeded: all.
    success_count: usize,
    /// How many failed: none.
    failure_count: usize,
    /// Always false: the rest is not run only when one fails.
    stopped_early: bool,
    /// What came of each.
    results: Vec<StepResult>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StepResult {
    /// Its number, from 1, by which later steps call it.
    step: usize,
    /// Its place, from 0.
    index: usize,
    /// The tool.
    tool: String,
    /// Its name in this batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Always true.
    success: bool,
    /// What it returned, without the diffs: those of the whole are in changes.
    result: Value,
    /// What it remarked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<String>,
}

/// A step that failed.
struct Failure {
    step: usize,
    tool: String,
    error: ToolError,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let total = input.steps.len();
    let most = input.max_operations.unwrap_or(MAX_STEPS);
    if total > most {
        let problem = format!("are {total}, and maxOperations is {most}");
        return Err(ToolError::bad_argument("steps", &problem));
    }
    let batch = Batch {
        cx,
        project: project(cx, input.project.as_deref(), &input.steps)?,
        stage: Arc::new(Stage::default()),
    };
    let mut answers = Answers::default();
    let (mut results, mut failures) = (Vec::new(), Vec::new());
    for (index, Step { tool, arguments, name }) in input.steps.into_iter().enumerate() {
        cx.check_cancelled()?;
        cx.progress(index as f64, Some(total as f64), &tool);
        let step = index + 1;
        let outcome = answers.fill(arguments).and_then(|filled| batch.run(&tool, filled));
        match outcome {
            Ok((result, diagnostics)) => {
                answers.add(name.clone(), Some(result.clone()));
                let id = name;
                let success = true;
                results.push(StepResult { step, index, tool, id, success, result, diagnostics });
            }
            Err(error) => {
                answers.add(name, None);
                failures.push(Failure { step, tool, error });
                if input.stop_on_error {
                    break;
                }
            }
        }
    }
    if !failures.is_empty() {
        return Err(failed(&failures, results.len(), total));
    }
    // Every content was checked when its step planned it.
    let plan = batch.stage.plan(batch.project);
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    Ok(Output {
        success: true,
        total_operations: total,
        success_count: total,
        failure_count: 0,
        stopped_early: false,
        results,
        written,
    })
}

/// The error of the whole: the first step that failed, and all of them as data.
fn failed(failures: &[Failure], succeeded: usize, total: usize) -> ToolError {
    let Failure { step, tool, error } = &failures[0];
    let kind = match error.kind {
        // It is not this tool that nobody knows.
        ErrorKind::UnknownTool => ErrorKind::BadArguments,
        kind => kind,
    };
    let (tool, message) = (brief(tool), error.message.trim_end_matches('.'));
    let more = match failures.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let message =
        format!("step {step} of {total} ({tool}) failed{more}: {message}. Nothing was written.");
    let told = |Failure { step, tool, error }: &Failure| json!({ "step": step, "index": step - 1, "tool": brief(tool), "error": error.text() });
    let whole = ToolError { kind, tool: None, message, ..error.clone() };
    whole
        .detail("step", *step)
        .detail("failures", failures.iter().map(told).collect::<Vec<_>>())
        .detail("totalOperations", total)
        .detail("successCount", succeeded)
        .detail("failureCount", failures.len())
        .detail("stoppedEarly", succeeded + failures.len() < total)
        .detail("filesChanged", 0)
}

/// The project of a batch: the one that it or one of its steps names, or the only one that its tools
/// are for.
fn project<'a>(cx: &'a Cx, wanted: Option<&str>, steps: &[Step]) -> Result<&'a Project, ToolError> {
    let named = steps.iter().flat_map(|step| &step.arguments);
    let mut named = named.filter(|(key, _)| is_argument(key, "project"));
    let wanted = wanted.or_else(|| named.find_map(|(_, value)| value.as_str()));
    if wanted.is_some_and(|name| !name.starts_with('$')) {
        return cx.project(wanted);
    }
    let engine_of = |step: &Step| cx.runner().known(&step.tool).ok()?.1.engine;
    let engine = steps.iter().find_map(engine_of);
    // A step with a tool that nobody knows fails by itself.
    let acts = |step: &Step| !cx.would_only_read(&step.tool, &step.arguments).unwrap_or(true);
    cx.choose(engine, None, steps.iter().any(acts))
}

fn is_argument(key: &str, name: &str) -> bool {
    spellings::meant(key, &[name.to_owned()]).is_some()
}

/// What the steps share.
struct Batch<'a> {
    cx: &'a Cx,
    project: &'a Project,
    stage: Arc<Stage>,
}

impl Batch<'_> {
    /// Run one step; its changes wait in the stage.
    fn run(&self, tool: &str, mut args: JsonMap) -> Result<(Value, Vec<String>), ToolError> {
        let (wanted, info) = self.cx.runner().known(tool)?;
        if wanted.at_once || wanted.delegates {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{} cannot be part of a batch", info.mcp_name),
            )
            .hint("call it by itself, before or after the batch"));
        }
        let dry: Vec<String> =
            args.keys().filter(|key| is_argument(key, "dryRun")).cloned().collect();
        for key in dry {
            let asked = args.shift_remove(&key).unwrap_or_default();
            // In whatever form somebody writes it: what is dropped here would be written.
            if !asked.is_null() && asked != false && asked != "false" {
                return Err(ToolError::bad_argument(&key, "belongs to the whole batch")
                    .hint("give dryRun to batch itself"));
            }
        }
        let properties = info.words.input.get("properties").and_then(Value::as_object);
        let names: Vec<String> =
            properties.into_iter().flatten().map(|(name, _)| name.clone()).collect();
        if let Some(key) = spellings::meant("project", &names)
            && !args.keys().any(|given| is_argument(given, "project"))
        {
            args.insert(key.to_owned(), self.project.id.to_string().into());
        }
        let outcome = self.cx.call_staged(info.id, args, Some(self.stage.clone()))?;
        if self.stage.has_others(self.project) {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!(
                    "this changes another project than {}, and a batch changes one",
                    self.project.id
                ),
            ));
        }
        let mut output = outcome.output.into_value();
        if let Value::Object(members) = &mut output {
            // The batch tells what is written, once for all.
            for key in ["changes", "dryRun", "filesChanged", "undo"] {
                members.shift_remove(key);
            }
        }
        Ok((output, outcome.diagnostics))
    }
}
