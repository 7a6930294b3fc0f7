//! Every example of specs 000, 002 and 003, sent as written and answered as written, values of our
//! samples aside. Where an example shows what no sample gives (a scan that ran out of time, a
//! definition word for word), a double with the specification's own definition stands in.

use std::time::Duration;

use scenewright_contract::definition::Definition;
use scenewright_contract::definition::validate::{Profile, validate};
use scenewright_contract::{JsonMap, Limits, Output, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Group, Tool};
use serde_json::{Value, json};

use crate::protocol::support::{Over, Setup, assert_like, check, connect, like, server};

const EVERYWHERE: [Over; 4] =
    [Over::Stdio, Over::Framed, Over::WebSocket, Over::Http("/editormcp")];

const DOUBLES: &[Group] =
    &[Group { name: "scene", engine: None, about: "Doubles", tools: &[DUMP, MISSING] }];

const DUMP: Tool = Tool {
    id: "scene.hierarchy.dump",
    title: "Dump Scene Hierarchy",
    category: "scene",
    notes: Some("Large scenes with thousands of objects may take several seconds to process."),
    examples: &[Example {
        description: "Dump hierarchy for main scene",
        input: r#"{ "scenePath": "Assets/Scenes/Main.unity" }"#,
        output: r#"{
            "scenePath": "Assets/Scenes/Main.unity",
            "rootObjects": [{
                "name": "Main Camera",
                "path": "Main Camera",
                "instanceId": 12345,
                "components": ["Transform", "Camera"],
                "children": []
            }]
        }"#,
        varies: &[],
    }],
    input: || object(dump_input()),
    output: || object(dump_output()),
    call: dump,
    ..Tool::READ
};

const MISSING: Tool = Tool {
    id: "project.references.missing",
    title: "Find Missing References",
    category: "project",
    limits: Limits { time_guard: Some(Duration::from_secs(15)), ..Limits::DEFAULT },
    input: || object(json!({ "type": "object", "properties": {} })),
    output: || object(json!({ "type": "object", "properties": {} })),
    call: missing,
    ..Tool::READ
};

fn object(value: Value) -> JsonMap {
    value.as_object().cloned().unwrap_or_default()
}

fn dump_input() -> Value {
    json!({
        "type": "object",
        "description": "Returns the complete GameObject hierarchy for a scene, including components per node and object paths. Cornerstone tool for editor reasoning and structural analysis.",
        "properties": {
            "scenePath": { "type": "string", "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')" },
        },
        "required": ["scenePath"],
        "additionalProperties": false,
    })
}

fn dump_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "scenePath": { "type": "string", "description": "Path to the scene that was dumped" },
            "rootObjects": {
                "type": "array",
                "description": "Root GameObjects in the scene",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": { "type": "string" },
                        "path": { "type": "string" },
                        "instanceId": { "type": "integer" },
                        "components": { "type": "array", "items": { "type": "string" } },
                        "children": { "type": "array" },
                    },
                },
            },
        },
    })
}

fn dump(_: &Cx, _: Value) -> Result<Output, ToolError> {
    Ok(serde_json::from_str::<Value>(DUMP.examples[0].output).unwrap().into())
}

fn missing(cx: &Cx, _: Value) -> Result<Output, ToolError> {
    cx.time_guard().report(cx, 50, Some(200));
    Ok(json!({
        "missingScripts": [{
            "path": "Assets/Scenes/Test.unity",
            "gameObjectPath": "Player",
            "componentIndex": 1,
            "context": "Missing script component at index 1 on GameObject 'Player'",
        }],
        "brokenReferences": [],
    })
    .into())
}

fn doubles() -> Setup {
    Setup { groups: DOUBLES, ..Setup::default() }
}

/// Send a message laid out over lines as the specifications print it.
async fn golden(setup: fn() -> Setup, over: &[Over], request: &str, response: &str) {
    let (request, response): (Value, Value) =
        (serde_json::from_str(request).unwrap(), serde_json::from_str(response).unwrap());
    for over in over {
        check(&server(setup()), *over, &format!("> {request}\n< {response}")).await;
    }
}

#[tokio::test]
async fn spec_000_tool_execution() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-001",
      "method": "tools/call",
      "params": {
        "tool": "scene.hierarchy.dump",
        "arguments": {
          "scenePath": "Assets/Scenes/Main.unity"
        }
      }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-001",
      "result": {
        "tool": "scene.hierarchy.dump",
        "output": {
          "scenePath": "Assets/Scenes/Main.unity",
          "rootObjects": "*",
          "objectCount": 20,
          "truncated": false
        },
        "diagnostics": "*"
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
    // The first root is the specification's, with the components of our sample.
    let mut client = connect(&server(Setup::default()), Over::WebSocket).await;
    let request: Value = serde_json::from_str(request).unwrap();
    let answer = client.ask(&request.to_string(), true).await.unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let camera = json!({
        "name": "Main Camera",
        "path": "Main Camera",
        "instanceId": "*",
        "active": true,
        "components": ["Transform", "Camera", "AudioListener"],
        "children": [],
    });
    let first = &answer["result"]["output"]["rootObjects"][0];
    assert!(like(&camera, first), "{first}");
}

#[tokio::test]
async fn spec_000_list_tools() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-002",
      "method": "tools/list",
      "params": {
        "category": "scene"
      }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-002",
      "result": {
        "tools": [
          { "id": "scene.components.list", "…": 1 },
          {
            "id": "scene.hierarchy.dump",
            "name": "Dump Scene Hierarchy",
            "description": "*",
            "category": "scene",
            "safetyLevel": "read-only",
            "tier": "core"
          },
          { "id": "scene.objects.find", "…": 1 },
          { "id": "scene.query", "…": 1 },
          { "id": "scene.save", "…": 1 }
        ]
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
}

#[tokio::test]
async fn spec_000_describe_tool() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-003",
      "method": "tools/describe",
      "params": {
        "tool": "project.info"
      }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-003",
      "result": {
        "tool": {
          "id": "project.info",
          "name": "Project Info",
          "description": "*",
          "category": "project",
          "safetyLevel": "read-only",
          "tier": "core",
          "inputs": { "project": { "type": "string", "description": "*", "required": false } },
          "outputs": "*",
          "notes": "*",
          "examples": "*"
        }
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
}

#[tokio::test]
async fn spec_000_server_info() {
    let request = r#"{ "jsonrpc": "2.0", "id": "req-004", "method": "server/info", "params": {} }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-004",
      "result": {
        "serverVersion": "0.1.0",
        "unityVersion": "2022.3.20f1",
        "platform": "*",
        "enabledToolCategories": "*",
        "tier": "tier4"
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
}

#[tokio::test]
async fn spec_000_tool_execution_with_diagnostics() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-002",
      "method": "tools/call",
      "params": { "tool": "project.references.missing", "arguments": {} }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-002",
      "result": {
        "tool": "project.references.missing",
        "output": {
          "missingScripts": [
            {
              "path": "Assets/Scenes/Test.unity",
              "gameObjectPath": "Player",
              "componentIndex": 1,
              "context": "Missing script component at index 1 on GameObject 'Player'"
            }
          ],
          "brokenReferences": []
        },
        "diagnostics": [
          "Scan stopped after 15000ms. Processed 50 of 200 items. Results may be partial."
        ]
      }
    }"#;
    golden(doubles, &EVERYWHERE, request, response).await;
}

#[tokio::test]
async fn spec_000_invalid_arguments() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-001",
      "method": "tools/call",
      "params": { "tool": "scene.hierarchy.dump", "arguments": {} }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-001",
      "error": {
        "code": -32002,
        "message": "Invalid tool arguments: scenePath is required",
        "data": {
          "tool": "scene.hierarchy.dump",
          "errorType": "validation",
          "details": {
            "missingParameters": ["scenePath"]
          }
        }
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
}

#[tokio::test]
async fn spec_000_tool_not_found() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-002",
      "method": "tools/call",
      "params": { "tool": "invalid.tool.id", "arguments": {} }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-002",
      "error": {
        "code": -32001,
        "message": "Tool not found: invalid.tool.id",
        "data": {
          "tool": "invalid.tool.id",
          "errorType": "not_found",
          "details": {}
        }
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
}

#[tokio::test]
async fn spec_000_unity_editor_error() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": "req-003",
      "method": "tools/call",
      "params": {
        "tool": "scene.hierarchy.dump",
        "arguments": { "scenePath": "Assets/Scenes/Missing.unity" }
      }
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": "req-003",
      "error": {
        "code": -32004,
        "message": "Unity Editor error: Scene file not found",
        "data": {
          "tool": "scene.hierarchy.dump",
          "errorType": "unity",
          "details": {
            "unityError": "Scene file 'Assets/Scenes/Missing.unity' does not exist",
            "scenePath": "Assets/Scenes/Missing.unity"
          }
        }
      }
    }"#;
    golden(Setup::default, &EVERYWHERE, request, response).await;
}

fn secret() -> Setup {
    Setup { token: Some("SECRET"), ..Setup::default() }
}

fn other_secret() -> Setup {
    Setup { token: Some("OTHER"), ..Setup::default() }
}

const AUTHENTICATE: &str = r#"{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "session.authenticate",
  "params": { "token": "SECRET" }
}"#;

#[tokio::test]
async fn spec_002_authenticate() {
    let success = r#"{
      "jsonrpc": "2.0",
      "id": 1,
      "result": { "sessionId": "*" }
    }"#;
    golden(secret, &[Over::Framed], AUTHENTICATE, success).await;
    let failure = r#"{
      "jsonrpc": "2.0",
      "id": 1,
      "error": { "code": 1000, "message": "Authentication failed" }
    }"#;
    golden(other_secret, &[Over::Framed], AUTHENTICATE, failure).await;
}

#[tokio::test]
async fn spec_002_health_check() {
    let request = r#"{
      "jsonrpc": "2.0",
      "id": 2,
      "method": "transport.healthCheck",
      "params": null
    }"#;
    let response = r#"{
      "jsonrpc": "2.0",
      "id": 2,
      "result": { "status": "ok" }
    }"#;
    golden(Setup::default, &[Over::Framed], request, response).await;
}

/// The "Complete Example" of spec 003.
const COMPLETE: &str = r#"{
  "id": "scene.hierarchy.dump",
  "name": "Dump Scene Hierarchy",
  "description": "Returns the complete GameObject hierarchy for a scene, including components per node and object paths. Cornerstone tool for editor reasoning and structural analysis.",
  "category": "scene",
  "safetyLevel": "read-only",
  "tier": "core",
  "inputs": {
    "scenePath": {
      "type": "string",
      "required": true,
      "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')"
    }
  },
  "outputs": {
    "scenePath": {
      "type": "string",
      "description": "Path to the scene that was dumped"
    },
    "rootObjects": {
      "type": "array",
      "description": "Root GameObjects in the scene",
      "items": {
        "type": "object",
        "properties": {
          "name": {"type": "string"},
          "path": {"type": "string"},
          "instanceId": {"type": "integer"},
          "components": {"type": "array", "items": {"type": "string"}},
          "children": {"type": "array"}
        }
      }
    }
  },
  "notes": "Large scenes with thousands of objects may take several seconds to process.",
  "examples": [
    {
      "description": "Dump hierarchy for main scene",
      "input": {
        "scenePath": "Assets/Scenes/Main.unity"
      },
      "output": {
        "scenePath": "Assets/Scenes/Main.unity",
        "rootObjects": [
          {
            "name": "Main Camera",
            "path": "Main Camera",
            "instanceId": 12345,
            "components": ["Transform", "Camera"],
            "children": []
          }
        ]
      }
    }
  ]
}"#;

#[test]
fn spec_003_complete_example_is_valid_and_is_how_we_render_the_same_tool() {
    let complete: Value = serde_json::from_str(COMPLETE).unwrap();
    let problems = validate(&[("spec".to_owned(), complete.clone())], Profile::V01);
    assert!(problems.is_empty(), "{problems:?}");
    let rendered = json!(Definition::of(&DUMP.info(&DOUBLES[0], Safety::ReadOnly)));
    assert_eq!(rendered, complete);
}

#[tokio::test]
async fn spec_003_complete_example_is_what_describe_answers() {
    let mut client = connect(&server(doubles()), Over::WebSocket).await;
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/describe","params":{"tool":"scene.hierarchy.dump"}}"#;
    let answer = client.ask(request, true).await.unwrap();
    let expected = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tool":{COMPLETE}}}}}"#);
    assert_like(&expected, &answer, "tools/describe");
}

/// The parameter and output examples of spec 003, each in a definition around it.
#[test]
fn spec_003_field_examples_are_valid() {
    let inputs = r#"{
      "scenePath": {
        "type": "string",
        "required": true,
        "description": "Path to the scene file (e.g., 'Assets/Scenes/Main.unity')"
      },
      "includeInBuild": {
        "type": "boolean",
        "required": false,
        "description": "Filter by scenes included in build settings",
        "default": null
      },
      "depth": {
        "type": "integer",
        "required": false,
        "description": "Maximum depth to traverse dependency graph",
        "default": 2,
        "minimum": 1,
        "maximum": 10
      }
    }"#;
    let outputs = r#"{
      "scenes": {
        "type": "array",
        "description": "List of scenes in the project",
        "items": {
          "type": "object",
          "properties": {
            "path": {"type": "string"},
            "name": {"type": "string"},
            "enabledInBuild": {"type": "boolean"}
          }
        }
      }
    }"#;
    let definition = json!({
        "id": "project.scenes.list",
        "name": "List Project Scenes",
        "description": "Lists all scenes in the project with their paths and build settings status.",
        "category": "project",
        "safetyLevel": "read-only",
        "tier": "core",
        "inputs": serde_json::from_str::<Value>(inputs).unwrap(),
        "outputs": serde_json::from_str::<Value>(outputs).unwrap(),
    });
    let problems = validate(&[("spec".to_owned(), definition)], Profile::V01);
    assert!(problems.is_empty(), "{problems:?}");
}
