//! Standard MCP beyond what the conformance suites ask.

use scenewright_toolkit::Settings;
use serde_json::{Value, json};

use crate::protocol::support::{Over, Setup, check, connect, like, replay, server};

const EVERYWHERE: [Over; 4] = [Over::Stdio, Over::Framed, Over::McpSocket, Over::Http("/mcp")];

const HELLO: &str = r#"
> {"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
< {"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-11-25","…":1}}
> {"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

#[tokio::test]
async fn every_handshake_version_is_agreed_on() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let transcript = HELLO.replace("2025-11-25", version);
        check(&server(Setup::default()), Over::Stdio, &transcript).await;
    }
    // A version without a handshake, or none that we know, is answered with the newest that has one.
    for version in ["2026-07-28", "1999-01-01"] {
        let transcript = HELLO.replacen("2025-11-25", version, 1);
        check(&server(Setup::default()), Over::Stdio, &transcript).await;
    }
}

#[tokio::test]
async fn the_stateless_protocol_needs_no_handshake() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let transcript = format!(
        r#"
> {{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{{{meta}}}}}
< {{"jsonrpc":"2.0","id":1,"result":{{"supportedVersions":"*","capabilities":"*","resultType":"complete","…":1}}}}
> {{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"project.info","arguments":{{"project":"godot"}},{meta}}}}}
< {{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete","structuredContent":{{"projectName":"Lighthouse Run","…":1}},"content":"*","isError":false,"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"scenewright","…":1}}}}}}}}
> {{"jsonrpc":"2.0","id":3,"method":"ping","params":{{{meta}}}}}
< {{"jsonrpc":"2.0","id":3,"error":{{"code":-32601,"…":1}}}}
> {{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{{"uri":"scenewright://project/nope",{meta}}}}}
< {{"jsonrpc":"2.0","id":4,"error":{{"code":-32602,"message":"*","data":"*"}}}}
"#
    );
    for over in [Over::Stdio, Over::Framed] {
        check(&server(Setup::default()), over, &transcript).await;
    }
}

/// The names of the default list of a server that may change these samples.
async fn listed_for_changes(open: &'static [&'static str]) -> Vec<String> {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Setup::default().settings };
    let server = server(Setup { settings, open, groups: &[], ..Setup::default() });
    let mut client = connect(&server, Over::Stdio).await;
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let answer = client.ask(request, true).await.unwrap();
    assert!(answer.len() <= 12_000, "{} bytes", answer.len());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let tools = answer["result"]["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn who_may_change_a_project_is_shown_how() {
    let unity = listed_for_changes(&["unity"]).await;
    for name in ["unity_edit", "scene_query", "scene_hierarchy_dump", "scene_components_list"] {
        assert!(unity.iter().any(|one| one == name), "{name}: {unity:?}");
    }
    let both = listed_for_changes(&["unity", "godot"]).await;
    for name in ["unity_edit", "edit_node"] {
        assert!(both.iter().any(|one| one == name), "{name}: {both:?}");
    }
}

#[tokio::test]
async fn the_default_list_is_lean_and_complete() {
    let mut client = connect(&server(Setup::default()), Over::Stdio).await;
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let answer = client.ask(request, true).await.unwrap();
    assert!(answer.len() <= 12_000, "{} bytes", answer.len());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in [
        "get_node_tree",
        "mcp_tool_describe",
        "project_check",
        "project_info",
        "scene_hierarchy_dump",
        "tools_call",
        "tools_read",
        "tools_search",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(names.is_sorted());
    for tool in tools {
        let shape = json!({
            "name": "*", "title": "*", "description": "*",
            "inputSchema": { "type": "object", "properties": "*", "required": "*", "…": 1 },
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        });
        // A tool that runs others is as harmless as what it may run, here: reads.
        assert!(like(&shape, tool), "{tool}");
    }
}

const REMARK: &str = "Scan stopped after 20ms. Processed 1 of 200 items. Results may be partial.";

/// A call, one with a remark, and one through another tool, with what must come back for each.
fn three_calls(expected: [&str; 3]) -> String {
    let [plain, remark, through] = expected;
    format!(
        r#"{HELLO}
> {{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"test_echo","arguments":{{"text":"hi"}}}}}}
< {{"jsonrpc":"2.0","id":1,"result":{plain}}}
> {{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"test.scan","arguments":{{"text":"x"}}}}}}
< {{"jsonrpc":"2.0","id":2,"result":{remark}}}
> {{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"tools_call","arguments":{{"tool":"test.echo","arguments":{{"text":"in"}}}}}}}}
< {{"jsonrpc":"2.0","id":3,"result":{through}}}
"#
    )
}

fn only_text(text: &str) -> String {
    json!({ "content": [{ "type": "text", "text": text }], "isError": false }).to_string()
}

/// Every client shows its model the text, and some nothing else. Whatever is said beside it is read twice or never.
#[tokio::test]
async fn the_text_of_an_answer_is_all_of_it() {
    let settings = Settings { structured: false, ..Setup::default().settings };
    let server = server(Setup { settings, ..Setup::default() });
    let remark = only_text(&format!("text: x\nnote: {REMARK}"));
    let texts = [&*only_text("text: hi"), &*remark, &*only_text("text: in")];
    for over in EVERYWHERE.into_iter().filter(|over| *over != Over::Framed) {
        check(&server, over, &three_calls(texts)).await;
    }
    // What comes in frames are programs.
    let data = [
        json!({ "text": "hi" }),
        json!({ "text": "x", "notes": [REMARK] }),
        json!({ "tool": "test.echo", "output": { "text": "in" } }),
    ];
    let data = data.map(|data| only_text(&data.to_string()));
    check(&server, Over::Framed, &three_calls([&data[0], &data[1], &data[2]])).await;
}

#[tokio::test]
async fn a_program_that_asks_for_data_gets_both() {
    let expected = [
        r#"{"content":[{"type":"text","text":"text: hi"}],"structuredContent":{"text":"hi"},"isError":false}"#.to_owned(),
        format!(
            r#"{{"content":[{{"type":"text","text":"text: x\nnote: {REMARK}"}}],"structuredContent":{{"text":"x","notes":["{REMARK}"]}},"isError":false,"_meta":{{"scenewright/diagnostics":["{REMARK}"]}}}}"#
        ),
        r#"{"structuredContent":{"tool":"test.echo","output":{"text":"in"}},"…":1}"#.to_owned(),
    ];
    let transcript = three_calls([&expected[0], &expected[1], &expected[2]]);
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, &transcript).await;
    }
    // By a call alone, where the server does not do it for all.
    let settings = Settings { structured: false, ..Setup::default().settings };
    let server = server(Setup { settings, ..Setup::default() });
    let transcript = transcript.replace(
        r#""arguments":{"text":"hi"}}"#,
        r#""arguments":{"text":"hi"},"_meta":{"scenewright/structured":true}}"#,
    );
    let mut lines = transcript.lines();
    let first: Vec<&str> = lines.by_ref().take(HELLO.lines().count() + 2).collect();
    check(&server, Over::Stdio, &first.join("\n")).await;
}

/// A protocol from before structured content does not have it, whatever is asked for.
#[tokio::test]
async fn an_older_protocol_has_no_structured_content() {
    for version in ["2024-11-05", "2025-03-26"] {
        let hello = HELLO.replace("2025-06-18", version).replace("2025-11-25", version);
        let transcript = format!(
            r#"{hello}
> {{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"test_echo","arguments":{{"text":"hi"}}}}}}
< {{"jsonrpc":"2.0","id":1,"result":{}}}
"#,
            only_text("text: hi")
        );
        check(&server(Setup::default()), Over::Stdio, &transcript).await;
    }
}

#[tokio::test]
async fn a_wrong_name_inside_a_call_is_for_the_model_to_read() {
    let transcript = format!(
        r#"{HELLO}
> {{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"tools_call","arguments":{{"tool":"projct.info"}}}}}}
< {{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"Tool not found: projct.info\nTry: did you mean project.info?"}}],"isError":true,"_meta":{{"scenewright/error":{{"kind":"unknown_tool","details":{{"didYouMean":["project.info"]}}}}}}}}}}
> {{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"mcp_tool_describe","arguments":{{"toolId":"zzz"}}}}}}
< {{"jsonrpc":"2.0","id":2,"result":{{"content":[{{"type":"text","text":"Tool not found: zzz\nTry: tools_search finds tools by words"}}],"isError":true,"_meta":{{"scenewright/error":{{"kind":"unknown_tool"}}}}}}}}
"#
    );
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, &transcript).await;
    }
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let stateless = format!(
        r#"
> {{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"mcp_tool_describe","arguments":{{"toolId":"zzz"}},{meta}}}}}
< {{"jsonrpc":"2.0","id":1,"result":{{"isError":true,"…":1}}}}
"#
    );
    check(&server(Setup::default()), Over::Stdio, &stateless).await;
}

#[tokio::test]
async fn a_prompt_about_nothing_that_is_there_has_bad_parameters() {
    let transcript = format!(
        r#"{HELLO}
> {{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{{"name":"project_overview","arguments":{{"project":"x"}}}}}}
< {{"jsonrpc":"2.0","id":1,"error":{{"code":-32602,"message":"*","data":{{"kind":"bad_envelope","…":1}}}}}}
> {{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{{"name":"explain_tool","arguments":{{"tool":"x"}}}}}}
< {{"jsonrpc":"2.0","id":2,"error":{{"code":-32602,"message":"*","data":{{"kind":"bad_envelope","…":1}}}}}}
> {{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{{"name":"optimize_scene","arguments":{{"projectPath":"x","scenePath":"a.tscn"}}}}}}
< {{"jsonrpc":"2.0","id":3,"error":{{"code":-32602,"message":"*","data":{{"kind":"bad_envelope","…":1}}}}}}
"#
    );
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, &transcript).await;
    }
}

#[tokio::test]
async fn completions_are_of_what_is_there() {
    let complete = |of: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{{"ref":{of},"argument":{{"name":"project","value":"go"}}}}}}"#
        )
    };
    let refused = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"*","data":"*"}}"#;
    let given = r#"{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["godot"],"…":1}}}"#;
    let transcript: String = [
        (r#"{"type":"ref/prompt","name":"no_such"}"#, refused),
        (r#"{"type":"ref/resource","uri":"scenewright://no/{such}"}"#, refused),
        (r#"{"type":"ref/prompt","name":"project_overview"}"#, given),
        (r#"{"type":"ref/resource","uri":"scenewright://project/{project}"}"#, given),
    ]
    .map(|(of, answer)| format!("> {}\n< {answer}\n", complete(of)))
    .concat();
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, &format!("{HELLO}{transcript}")).await;
    }
}

#[tokio::test]
async fn what_the_stateless_protocol_no_longer_has_is_said_in_words() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    for method in ["ping", "resources/subscribe", "resources/unsubscribe", "tasks/get"] {
        let transcript = format!(
            r#"
> {{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"uri":"a","taskId":"b",{meta}}}}}
< {{"jsonrpc":"2.0","id":1,"error":{{"code":-32601,"message":"Method not found: {method}"}}}}
"#
        );
        check(&server(Setup::default()), Over::Stdio, &transcript).await;
    }
}

/// What a call is told of on its way, and its answer.
async fn heard(client: &mut crate::protocol::support::Client, call: &str) -> Vec<Value> {
    client.send(call).await;
    let mut heard = Vec::new();
    loop {
        let message: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        let is_answer = message["id"] == json!("call");
        heard.push(message);
        if is_answer {
            return heard;
        }
    }
}

#[tokio::test]
async fn a_check_tells_how_far_it_is_to_its_end() {
    let mut client = connect(&server(Setup::default()), Over::Stdio).await;
    for (project, times) in [("unity", 2), ("godot", 2)] {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{{"name":"project_check","arguments":{{"project":"{project}"}},"_meta":{{"progressToken":1}}}}}}"#
        );
        for _ in 0..times {
            let heard = heard(&mut client, &call).await;
            let steps: Vec<&Value> = heard.iter().map(|message| &message["params"]).collect();
            let last = steps[steps.len() - 2];
            assert!(last["total"].as_f64() > Some(1.0), "{project}: {heard:?}");
            assert_eq!(last["progress"], last["total"], "{project}: {heard:?}");
        }
    }
}

#[tokio::test]
async fn a_client_that_wants_every_line_hears_of_every_call() {
    for over in [Over::Stdio, Over::Framed] {
        let mut client = connect(&server(Setup::default()), over).await;
        replay(&mut client, HELLO, "hello").await;
        for tool in ["project_getVersion", "mcp_health"] {
            let call = format!(
                r#"{{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{{"name":"{tool}"}}}}"#
            );
            let set = |level: &str| {
                format!(
                    r#"{{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{{"level":"{level}"}}}}"#
                )
            };
            client.ask(&set("info"), true).await;
            assert_eq!(heard(&mut client, &call).await.len(), 1, "{over:?} {tool}");
            client.ask(&set("debug"), true).await;
            let heard = heard(&mut client, &call).await;
            let said = &heard[0]["params"];
            assert_eq!((heard.len(), &said["level"]), (2, &json!("debug")), "{heard:?}");
            let said = said["data"].as_str().unwrap();
            assert!(said.starts_with(&format!("{}: done, ", tool.replace('_', "."))), "{said}");
        }
    }
}

#[tokio::test]
async fn failures_are_for_the_model_to_read() {
    let transcript = format!(
        r#"{HELLO}
> {{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"test_sleep","arguments":{{}}}}}}
< {{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"Invalid tool arguments: ms is required"}}],"isError":true,"_meta":{{"scenewright/error":{{"kind":"bad_arguments","details":{{"missingParameters":["ms"]}}}}}}}}}}
> {{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"test_missing","arguments":{{"text":"a"}}}}}}
< {{"jsonrpc":"2.0","id":2,"result":{{"content":[{{"type":"text","text":"Scene file not found"}}],"isError":true,"_meta":"*"}}}}
> {{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"test_sleep","arguments":{{"ms":5000}}}}}}
< {{"jsonrpc":"2.0","id":3,"result":{{"content":"*","isError":true,"_meta":{{"scenewright/error":{{"kind":"timeout","details":"*"}}}}}}}}
> {{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{{"name":"test_write","arguments":{{}}}}}}
< {{"jsonrpc":"2.0","id":4,"result":{{"content":"*","isError":true,"_meta":{{"scenewright/error":{{"kind":"denied","details":"*"}}}}}}}}
> {{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"no_such_tool","arguments":{{}}}}}}
< {{"jsonrpc":"2.0","id":5,"error":{{"code":-32602,"message":"Tool not found: no_such_tool\nTry: tools_search finds tools by words","data":{{"kind":"unknown_tool"}}}}}}
> {{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{{"name":"test_panic","arguments":{{}}}}}}
< {{"jsonrpc":"2.0","id":6,"error":{{"code":-32603,"message":"*","data":{{"kind":"internal"}}}}}}
> {{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{{"uri":"scenewright://nothing"}}}}
< {{"jsonrpc":"2.0","id":7,"error":{{"code":-32002,"message":"*","data":{{"kind":"resource_not_found","uri":"scenewright://nothing"}}}}}}
> {{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{{"cursor":"nonsense"}}}}
< {{"jsonrpc":"2.0","id":8,"error":{{"code":-32602,"message":"unknown cursor: nonsense"}}}}
"#
    );
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, &transcript).await;
    }
}

#[tokio::test]
async fn resources_prompts_and_completions_answer() {
    let transcript = format!(
        r#"{HELLO}
> {{"jsonrpc":"2.0","id":1,"method":"resources/list"}}
< {{"jsonrpc":"2.0","id":1,"result":{{"resources":"*"}}}}
> {{"jsonrpc":"2.0","id":2,"method":"resources/templates/list"}}
< {{"jsonrpc":"2.0","id":2,"result":{{"resourceTemplates":[{{"uriTemplate":"scenewright://project/{{project}}","…":1}},{{"uriTemplate":"scenewright://tool/{{tool}}","…":1}},{{"uriTemplate":"godot://project/settings/{{section}}","…":1}},{{"uriTemplate":"godot://scene/{{path}}","…":1}},{{"uriTemplate":"godot://scene/{{path}}/tree","…":1}},{{"uriTemplate":"godot://script/{{path}}","…":1}},{{"uriTemplate":"godot://assets/{{category}}","…":1}},{{"uriTemplate":"godot://class/{{class}}","…":1}},{{"uriTemplate":"godot://uid/{{path}}","…":1}},{{"uriTemplate":"unity://scene/{{sceneId}}/objects","…":1}},{{"uriTemplate":"unity://object/{{id}}","…":1}},{{"uriTemplate":"unity://object/{{id}}/components","…":1}},{{"uriTemplate":"unity://object/{{id}}/children","…":1}},{{"uriTemplate":"unity://object/{{id}}/component/members","…":1}},{{"uriTemplate":"unity://object/{{id}}/component/member","…":1}},{{"uriTemplate":"unity://console/script?path={{path}}","…":1}},{{"uriTemplate":"unity://search/singletons?query={{query}}","…":1}},{{"uriTemplate":"unity://search/static-classes?query={{query}}","…":1}},{{"uriTemplate":"unity://type/{{typeFullName}}/static-members","…":1}}]}}}}
> {{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{{"uri":"scenewright://tool/project.info"}}}}
< {{"jsonrpc":"2.0","id":3,"result":{{"contents":[{{"uri":"scenewright://tool/project.info","mimeType":"application/json","text":"*"}}]}}}}
> {{"jsonrpc":"2.0","id":4,"method":"completion/complete","params":{{"ref":{{"type":"ref/resource","uri":"scenewright://project/{{project}}"}},"argument":{{"name":"project","value":"g"}}}}}}
< {{"jsonrpc":"2.0","id":4,"result":{{"completion":{{"values":["godot"],"total":1,"hasMore":false}}}}}}
> {{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{{"ref":{{"type":"ref/prompt","name":"explain_tool"}},"argument":{{"name":"tool","value":"mcp.h"}}}}}}
< {{"jsonrpc":"2.0","id":5,"result":{{"completion":{{"values":["mcp_health"],"total":1,"hasMore":false}}}}}}
> {{"jsonrpc":"2.0","id":6,"method":"prompts/get","params":{{"name":"project_overview","arguments":{{"project":"godot"}}}}}}
< {{"jsonrpc":"2.0","id":6,"result":{{"description":"*","messages":[{{"role":"user","content":{{"type":"text","text":"*"}}}}]}}}}
> {{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{{"name":"explain_tool"}}}}
< {{"jsonrpc":"2.0","id":7,"error":{{"code":-32602,"message":"*","data":"*"}}}}
> {{"jsonrpc":"2.0","id":8,"method":"resources/read","params":{{"uri":"godot://scene/scenes%2Fmain.tscn/tree"}}}}
< {{"jsonrpc":"2.0","id":8,"result":{{"contents":[{{"uri":"godot://scene/scenes%2Fmain.tscn/tree","mimeType":"application/json","text":"*"}}]}}}}
> {{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{{"uri":"godot://scene/../secret.tscn"}}}}
< {{"jsonrpc":"2.0","id":9,"error":{{"code":-32002,"message":"*","data":{{"kind":"resource_not_found","uri":"godot://scene/../secret.tscn"}}}}}}
> {{"jsonrpc":"2.0","id":10,"method":"completion/complete","params":{{"ref":{{"type":"ref/prompt","name":"debug_physics"}},"argument":{{"name":"nodePath","value":"sh"}},"context":{{"arguments":{{"scenePath":"scenes/coin.tscn"}}}}}}}}
< {{"jsonrpc":"2.0","id":10,"result":{{"completion":{{"values":["Shape"],"total":1,"hasMore":false}}}}}}
> {{"jsonrpc":"2.0","id":11,"method":"prompts/get","params":{{"name":"optimize_scene","arguments":{{"scenePath":"scenes/nothing.tscn"}}}}}}
< {{"jsonrpc":"2.0","id":11,"error":{{"code":-32602,"message":"*","data":"*"}}}}
"#
    );
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, &transcript).await;
    }
}

#[tokio::test]
async fn progress_and_log_lines_come_before_the_answer() {
    let server = server(Setup::default());
    let mut client = connect(&server, Over::Stdio).await;
    replay(&mut client, HELLO, "stdio").await;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_report","arguments":{},"_meta":{"progressToken":"p"}}}"#;
    client.send(call).await;
    let mut methods = Vec::new();
    loop {
        let message: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        match message["method"].as_str() {
            Some(method) => methods.push(format!("{method} {}", message["params"]["progress"])),
            None => {
                assert_eq!(message["id"], 1);
                break;
            }
        }
    }
    // Steps come faster than anyone wants to know; the first and the last are told.
    let logged = methods.iter().filter(|method| *method == "notifications/message null").count();
    let progress: Vec<&String> = methods.iter().filter(|m| m.contains("progress")).collect();
    assert_eq!(logged, 3, "{methods:?}");
    assert_eq!(progress, ["notifications/progress 1.0", "notifications/progress 3.0"]);
    replay(
        &mut client,
        r#"
> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}
< {"jsonrpc":"2.0","id":2,"result":{}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"test_report","arguments":{}}}
< {"jsonrpc":"2.0","id":3,"result":"*"}
"#,
        "no log lines below the level",
    )
    .await;
}

#[tokio::test]
async fn a_cancelled_call_stops_and_is_not_answered() {
    let server = server(Setup::default());
    // Frames have a short way for plain calls, with a book of its own about what runs.
    for (id, over) in [("7", Over::Stdio), ("7.0", Over::Stdio), ("7", Over::Framed)] {
        let mut client = connect(&server, over).await;
        replay(&mut client, HELLO, "cancelling").await;
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"test_sleep","arguments":{{"ms":300}}}}}}"#)).await;
        client.send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)).await;
        client.send(r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"test_sleep","arguments":{"ms":350}}}"#).await;
        let answer: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        assert_eq!(answer["id"], 8, "the cancelled call {id} was answered");
    }
}

#[tokio::test]
async fn batches_exist_in_2025_03_26_and_nowhere_else() {
    let server = server(Setup::default());
    let mut client = connect(&server, Over::Stdio).await;
    let hello = HELLO.replace("2025-11-25", "2025-03-26");
    replay(&mut client, &hello, "stdio").await;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"test_echo","arguments":{}}},{"id":3},7]"#;
    let answer: Value = serde_json::from_str(&client.ask(batch, true).await.unwrap()).unwrap();
    let mut ids: Vec<String> =
        answer.as_array().unwrap().iter().map(|entry| entry["id"].to_string()).collect();
    ids.sort();
    assert_eq!(ids, ["\"b\"", "1", "3", "null"]);
    replay(&mut client, &HELLO.replace("hello", "again"), "stdio").await;
    let refused = client.ask(batch, true).await.unwrap();
    assert!(refused.contains("-32600"), "{refused}");
}

#[tokio::test]
async fn an_id_that_is_used_twice_is_answered_twice() {
    let server = server(Setup::default());
    let sleep = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_sleep","arguments":{"ms":200}}}"#;
    let mut client = connect(&server, Over::Stdio).await;
    replay(&mut client, &HELLO.replace("2025-11-25", "2025-03-26"), "stdio").await;
    client.send(sleep).await;
    let refused = client.ask(sleep, true).await.unwrap();
    assert!(refused.contains("another request with this id is not answered yet"), "{refused}");
    let answer = client.receive().await.unwrap();
    assert!(answer.contains(r#""result""#), "{answer}");
    // The id is free as soon as its answer can be read.
    for _ in 0..100 {
        let again = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        assert!(client.ask(again, true).await.unwrap().contains("result"));
    }

    let unreadable = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":7}}"#;
    let batch = format!("[{sleep},{sleep},{unreadable}]");
    let answer: Value = serde_json::from_str(&client.ask(&batch, true).await.unwrap()).unwrap();
    let entries = answer.as_array().unwrap();
    let codes: Vec<&Value> = entries.iter().map(|entry| &entry["error"]["code"]).collect();
    assert_eq!(json!(codes), json!([-32600, -32602, null]));
}

#[tokio::test]
async fn a_client_that_closes_its_end_still_gets_every_answer() {
    use tokio::io::AsyncWriteExt;
    let mut client = connect(&server(Setup::default()), Over::Stdio).await;
    replay(&mut client, HELLO, "stdio").await;
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_report","arguments":{},"_meta":{"progressToken":1}}}"#).await;
    client.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"test_sleep","arguments":{"ms":200}}}"#).await;
    let crate::protocol::support::Client::Stdio(_, output) = &mut client else {
        unreachable!("stdio")
    };
    output.shutdown().await.unwrap();
    let mut answered = Vec::new();
    while let Some(line) = client.receive().await {
        let message: Value = serde_json::from_str(&line).unwrap();
        answered.extend(message["id"].as_u64());
    }
    answered.sort_unstable();
    assert_eq!(answered, [1, 2]);
}

/// What is read of the world can be watched: by its path, whatever follows the question mark.
#[tokio::test]
async fn changes_of_the_world_are_told_to_who_subscribed() {
    let settings = Settings { allow_writes: true, ..Setup::default().settings };
    let server = server(Setup { settings, ..Setup::default() });
    let mut client = connect(&server, Over::Stdio).await;
    replay(&mut client, HELLO, "hello").await;
    let player = "unity://object/obj:1616470424/components?limit=1";
    let uris = ["unity://selection", player, "unity://search?name=Pla", "unity://hooks"];
    for (id, uri) in (10..).zip(uris) {
        let ask = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/subscribe","params":{{"uri":"{uri}"}}}}"#
        );
        client.ask(&ask, true).await.unwrap();
    }
    let calls = [
        ("explorer_selectObject", r#"{"objectId":"obj:1616470424"}"#),
        ("explorer_setActive", r#"{"objectId":"obj:1616470424","active":false}"#),
    ];
    for (id, (tool, arguments)) in (20..).zip(calls) {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        );
        client.send(&call).await;
    }
    let (mut updated, mut answers) = (Vec::new(), 0);
    while answers < 2 || updated.len() < 3 {
        let message: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        match message["method"].as_str() {
            Some("notifications/resources/updated") => {
                updated.push(message["params"]["uri"].as_str().unwrap().to_owned());
            }
            _ => {
                assert_eq!(message["result"]["structuredContent"]["ok"], true, "{message}");
                answers += 1;
            }
        }
    }
    updated.sort();
    assert_eq!(updated, [player, "unity://search?name=Pla", "unity://selection"]);
}
