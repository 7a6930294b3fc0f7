//! The tool `godotBatch.batchOperations`, which MCP clients call `batch_operations`.

use std::sync::Arc;
use std::time::Duration;

use scenewright_contract::{ErrorKind, JsonMap, Limits, Safety, ToolError};
use scenewright_toolkit::door::{Stage, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Operations of one batch.
const MAX_OPERATIONS: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "godotBatch.batchOperations",
    mcp: Some("batch_operations"),
    title: "Batch Operations",
    notes: Some(
        "Each operation sees what those before it did. Tools that act outside of the project's files, such as undoing or running the game, cannot be part of a batch.",
    ),
    category: "godot.batch",
    lean: true,
    safety: Safety::Destructive,
    delegates: true,
    asks_once: true,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Make a scene, give it a child, and look at it, in one change",
        input: r#"{
            "projectPath": "godot",
            "operations": [
                { "tool": "create_scene", "args": { "scenePath": "scenes/gate.tscn", "rootNodeType": "Area2D" } },
                { "tool": "add_node", "args": { "scenePath": "scenes/gate.tscn", "nodeType": "CollisionShape2D", "nodeName": "Shape", "properties": { "shape": { "type": "RectangleShape2D" } } } },
                { "tool": "instance_scene", "id": "use", "args": { "scenePath": "scenes/level.tscn", "instancePath": "scenes/gate.tscn" } }
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
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run up to 100 tools in order as one change: either all succeed and are written together, to be
/// undone together, or nothing is. Each operation sees what those before it did; success tells
/// whether it was written.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// What to do, in order.
    #[schemars(length(min = 1, max = 100))]
    operations: Vec<Operation>,
    /// Whether to stop at the first error; otherwise all errors are collected. Nothing is written
    /// either way.
    #[serde(default = "yes")]
    stop_on_error: bool,
    /// Refuse more operations than this.
    #[schemars(range(min = 1, max = 100))]
    max_operations: Option<usize>,
    #[serde(flatten)]
    write: Write,
}

/// One call.
#[derive(Deserialize, JsonSchema)]
struct Operation {
    /// The tool, by any of its names.
    tool: String,
    /// Its arguments; projectPath is that of the batch.
    #[serde(default)]
    args: JsonMap,
    /// A name for it in the results.
    id: Option<String>,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether all operations succeeded; if not, nothing was written.
    success: bool,
    /// How many operations there are.
    total_operations: usize,
    /// How many succeeded.
    success_count: usize,
    /// How many failed.
    failure_count: usize,
    /// Whether the rest was not run because one failed.
    stopped_early: bool,
    /// What came of each that was run.
    results: Vec<OperationResult>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OperationResult {
    /// Its place, from 0.
    index: usize,
    /// The tool.
    tool: String,
    /// Its name in this batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Whether it succeeded.
    success: bool,
    /// What it returned, without the diffs: those of the whole are in changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    /// What it remarked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<String>,
    /// Why it failed, and what to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let total = input.operations.len();
    let most = input.max_operations.unwrap_or(MAX_OPERATIONS);
    if total > most {
        return Err(ToolError::bad_argument(
            "operations",
            &format!("are {total}, and maxOperations is {most}"),
        ));
    }
    let stage = Arc::new(Stage::default());
    let mut results = Vec::new();
    let mut failure_count = 0;
    for (index, operation) in input.operations.into_iter().enumerate() {
        cx.check_cancelled()?;
        cx.progress(index as f64, Some(total as f64), &operation.tool);
        let Operation { tool, args, id } = operation;
        let outcome = run_one(&godot, &stage, &tool, args);
        let success = outcome.is_ok();
        let (result, diagnostics, error) = match outcome {
            Ok((output, diagnostics)) => (Some(output), diagnostics, None),
            Err(error) => (None, Vec::new(), Some(error.text())),
        };
        results.push(OperationResult { index, tool, id, success, result, diagnostics, error });
        failure_count += usize::from(!success);
        if !success && input.stop_on_error {
            break;
        }
    }
    let success = failure_count == 0;
    let written = match success {
        true => saved(&godot, stage.plan(godot.project), input.write)?,
        false => {
            cx.diagnose("nothing was written, because not all operations succeeded");
            Written {
                dry_run: input.write.dry_run,
                files_changed: 0,
                changes: Vec::new(),
                undo: None,
            }
        }
    };
    Ok(Output {
        success,
        total_operations: total,
        success_count: results.len() - failure_count,
        failure_count,
        stopped_early: results.len() < total,
        results,
        written,
    })
}

/// Run one operation; its changes wait in the stage.
fn run_one(
    godot: &Godot<'_>,
    stage: &Arc<Stage>,
    tool: &str,
    mut args: JsonMap,
) -> Result<(Value, Vec<String>), ToolError> {
    let runner = godot.cx.runner();
    let (wanted, info) = runner.known(tool)?;
    if wanted.at_once || wanted.delegates {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} cannot be part of a batch", info.mcp_name),
        )
        .hint("call it by itself, before or after the batch"));
    }
    for key in ["dryRun", "dry_run"] {
        if args.shift_remove(key) == Some(Value::Bool(true)) {
            return Err(ToolError::bad_argument(key, "belongs to the whole batch")
                .hint("give dryRun to batch_operations"));
        }
    }
    let takes = |key: &str| {
        info.words.input.get("properties").is_some_and(|properties| properties.get(key).is_some())
    };
    if let Some(key) = ["projectPath", "project"].into_iter().find(|key| takes(key))
        && !["projectPath", "project_path", "project"].iter().any(|key| args.contains_key(*key))
    {
        args.insert(key.to_owned(), godot.project.id.to_string().into());
    }
    let outcome = godot.cx.call_staged(info.id, args, Some(stage.clone()))?;
    if stage.has_others(godot.project) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "this changes another project, and a batch changes one",
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

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn batch() -> Value {
        json!([
            { "tool": "create_scene", "args": { "scenePath": "a.tscn" } },
            { "tool": "godotScene.addNode", "args": { "scene_path": "a.tscn", "nodeType": "Timer", "nodeName": "T" } },
            { "tool": "rename_node", "args": { "scenePath": "a.tscn", "nodePath": "T", "newName": "Clock" }, "id": "name" },
            { "tool": "instance_scene", "args": { "scenePath": "scenes/coin.tscn", "instancePath": "a.tscn" } },
            { "tool": "edit_node", "args": { "scenePath": "scenes/coin.tscn", "nodePath": "A/Clock", "properties": { "wait_time": 2 } } },
            { "tool": "rename_node", "args": { "scenePath": "a.tscn", "nodePath": "Clock", "newName": "Bell" } },
            { "tool": "get_node_tree", "args": { "scenePath": "scenes/coin.tscn", "nodePath": "A" } },
        ])
    }

    #[test]
    fn each_sees_what_those_before_it_did() {
        let sample = GodotSample::new();
        let output = sample.call(super::TOOL.id, json!({ "operations": batch() })).unwrap();
        expect![[r#"
            [
              {
                "index": 0,
                "tool": "create_scene",
                "success": true,
                "result": {
                  "success": true,
                  "scenePath": "a.tscn",
                  "rootNodeName": "A",
                  "rootNodeType": "Node2D",
                  "uid": "uid://fsfbgh2nfqve"
                }
              },
              {
                "index": 1,
                "tool": "godotScene.addNode",
                "success": true,
                "result": {
                  "success": true,
                  "nodePath": "T",
                  "nodeType": "Timer"
                }
              },
              {
                "index": 2,
                "tool": "rename_node",
                "id": "name",
                "success": true,
                "result": {
                  "success": true,
                  "oldPath": "T",
                  "nodePath": "Clock",
                  "referencesUpdated": 0,
                  "otherScenes": [],
                  "notTouched": []
                }
              },
              {
                "index": 3,
                "tool": "instance_scene",
                "success": true,
                "result": {
                  "success": true,
                  "nodePath": "A",
                  "instancePath": "a.tscn",
                  "nodeType": "Node2D"
                }
              },
              {
                "index": 4,
                "tool": "edit_node",
                "success": true,
                "result": {
                  "success": true,
                  "nodePath": "A/Clock",
                  "nodeType": "Timer",
                  "properties": [
                    "wait_time"
                  ]
                },
                "diagnostics": [
                  "A shows its children from now on ([editable]): Godot's editor drops changes inside of instances that do not"
                ]
              },
              {
                "index": 5,
                "tool": "rename_node",
                "success": true,
                "result": {
                  "success": true,
                  "oldPath": "Clock",
                  "nodePath": "Bell",
                  "referencesUpdated": 1,
                  "otherScenes": [
                    "scenes/coin.tscn"
                  ],
                  "notTouched": []
                }
              },
              {
                "index": 6,
                "tool": "get_node_tree",
                "success": true,
                "result": {
                  "scenePath": "scenes/coin.tscn",
                  "nodeCount": 5,
                  "tree": {
                    "name": "A",
                    "type": "Node2D",
                    "path": "A",
                    "instance": "res://a.tscn",
                    "children": [
                      {
                        "name": "Bell",
                        "type": "Timer",
                        "path": "A/Bell"
                      }
                    ]
                  },
                  "truncated": false
                }
              }
            ]"#]].assert_eq(&serde_json::to_string_pretty(&output["results"]).unwrap());
        let changes = output["changes"].as_array().unwrap().iter();
        let diffs = changes.map(|change| change["diff"].as_str().unwrap());
        let diffs: String = diffs.map(|diff| diff.replace("\n \n", "\n\n")).collect();
        expect![[r#"
            --- /dev/null
            +++ b/a.tscn
            @@ -0,0 +1,5 @@
            +[gd_scene format=3 uid="uid://fsfbgh2nfqve"]
            +
            +[node name="A" type="Node2D"]
            +
            +[node name="Bell" type="Timer" parent="."]
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,7 +1,8 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=5 format=3 uid="uid://da5dy46gvq05t"]

             [ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            +[ext_resource type="PackedScene" uid="uid://fsfbgh2nfqve" path="res://a.tscn" id="3_plkkt"]

             [sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
             radius = 7.0
            @@ -18,4 +19,11 @@
             [node name="Face" type="Polygon2D" parent="."]
             polygon = PackedVector2Array(0, -6, 4, -4, 6, 0, 4, 4, 0, 6, -4, 4, -6, 0, -4, -4)

            +[node name="A" parent="." instance=ExtResource("3_plkkt")]
            +
            +[node name="Bell" parent="A" index="0"]
            +wait_time = 2.0
            +
             [connection signal="body_entered" from="." to="." method="_on_body_entered"]
            +
            +[editable path="A"]
        "#]].assert_eq(&diffs);
        assert!(output["undo"].is_number());
        sample.undo();
        let scenes = sample.call("list_scenes", json!({})).unwrap();
        assert_eq!(scenes["count"], 5);
    }

    #[test]
    fn one_failure_keeps_everything_as_it_was() {
        let sample = GodotSample::new();
        let before = sample.read("scenes/coin.tscn");
        let mut operations = batch();
        operations[4]["args"]["nodePath"] = "Nobody".into();
        operations[6]["args"]["nodePath"] = "Nobody".into();
        for (stop, expected) in [(true, [4, 1]), (false, [5, 2])] {
            let arguments = json!({ "operations": operations, "stopOnError": stop });
            let output = sample.call(super::TOOL.id, arguments).unwrap();
            assert_eq!(output["success"], false);
            assert_eq!([&output["successCount"], &output["failureCount"]], expected);
            assert_eq!(output["stoppedEarly"], stop);
            assert_eq!(output["filesChanged"], 0);
            assert_eq!(sample.read("scenes/coin.tscn"), before);
            assert_eq!(sample.call("list_scenes", json!({})).unwrap()["count"], 5);
        }
    }

    #[test]
    fn a_dry_run_writes_nothing() {
        let sample = GodotSample::new();
        let arguments = json!({ "operations": batch(), "dryRun": true });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!((&output["success"], &output["filesChanged"]), (&json!(true), &json!(2)));
        assert_eq!(sample.call("list_scenes", json!({})).unwrap()["count"], 5);
    }

    #[test]
    fn a_read_only_server_lets_no_write_through() {
        let operations = json!([
            { "tool": "list_scenes" },
            { "tool": "create_scene", "args": { "scenePath": "a.tscn" } },
        ]);
        let sample = GodotSample::read_only();
        let output = sample.call(super::TOOL.id, json!({ "operations": operations })).unwrap();
        assert_eq!([&output["successCount"], &output["failureCount"]], [1, 1]);
        expect![[r#"
            godotScene.createScene changes the project, and this server is read-only
            Try: start the server with --allow-writes"#]]
        .assert_eq(output["results"][1]["error"].as_str().unwrap());
    }

    #[test]
    fn what_cannot_wait_is_refused() {
        let sample = GodotSample::new();
        let refuse = |operation: Value| {
            let arguments = json!({ "operations": [operation] });
            let output = sample.call(super::TOOL.id, arguments).unwrap();
            output["results"][0]["error"].as_str().unwrap().to_owned()
        };
        expect![[r#"
            batch_operations cannot be part of a batch
            Try: call it by itself, before or after the batch"#]]
        .assert_eq(&refuse(json!({ "tool": "batch_operations", "args": { "operations": [] } })));
        expect![[r#"
            Tool not found: create_scen
            Try: did you mean create_scene?"#]]
        .assert_eq(&refuse(json!({ "tool": "create_scen" })));
        expect![[r#"
            Invalid tool arguments: dryRun belongs to the whole batch
            Try: give dryRun to batch_operations"#]]
        .assert_eq(&refuse(
            json!({ "tool": "create_scene", "args": { "scenePath": "b", "dryRun": true } }),
        ));
        let many: Vec<Value> = (0..3).map(|_| json!({ "tool": "list_scenes" })).collect();
        let arguments = json!({ "operations": many, "maxOperations": 2 });
        expect!["Invalid tool arguments: operations are 3, and maxOperations is 2"]
            .assert_eq(&sample.error(super::TOOL.id, arguments));
    }
}
