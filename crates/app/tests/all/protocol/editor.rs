//! EditorMCP beyond the specification's own examples.

use scenewright_contract::Tier;
use scenewright_toolkit::Settings;

use crate::protocol::support::{Over, Setup, check, server};

const EVERYWHERE: [Over; 4] =
    [Over::Stdio, Over::Framed, Over::WebSocket, Over::Http("/editormcp")];

#[tokio::test]
async fn every_kind_of_failure_has_its_code_and_type() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"test.sleep","arguments":{"ms":"x","extra":1}}}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"*","data":{"tool":"test.sleep","errorType":"validation","details":{"typeMismatches":[{"parameter":"ms","expected":"integer","actual":"string"}],"constraintViolations":[{"parameter":"extra","problem":"*"}]}}}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"tool":"test.sleep","arguments":{"ms":60001}}}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"Invalid tool arguments: ms must be at most 60000","data":{"tool":"test.sleep","errorType":"validation","details":{"constraintViolations":[{"parameter":"ms","problem":"must be at most 60000"}]}}}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"tool":"test.sleep","arguments":{"ms":5000}}}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32003,"message":"Tool execution timed out","data":{"tool":"test.sleep","errorType":"timeout","details":{"timeoutMs":2000,"tool":"test.sleep"},"hint":"*"}}}
> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"tool":"test.write","arguments":{}}}
< {"jsonrpc":"2.0","id":4,"error":{"code":-32005,"message":"test.write changes the project, and this server is read-only","data":{"tool":"test.write","errorType":"permission","details":{"setting":"allow-writes","safetyLevel":"safe-write"},"hint":"start the server with --allow-writes"}}}
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"tool":"test.panic","arguments":{}}}
< {"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"*","data":{"tool":"test.panic","errorType":"execution","details":{},"hint":"*"}}}
> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"tool":"test.missing","arguments":{"text":"a"}}}
< {"jsonrpc":"2.0","id":6,"error":{"code":-32004,"message":"Unity Editor error: Scene file not found","data":{"tool":"test.missing","errorType":"unity","details":{"unityError":"Scene file 'a' does not exist","scenePath":"a"}}}}
> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"tool":"project.infoo","arguments":{}}}
< {"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Tool not found: project.infoo","data":{"tool":"project.infoo","errorType":"not_found","details":{"didYouMean":["project.info"]},"hint":"did you mean project.info?"}}}
> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"tool":"test.scan","arguments":{"text":"part"}}}
< {"jsonrpc":"2.0","id":8,"result":{"tool":"test.scan","output":{"text":"part"},"diagnostics":["Scan stopped after 20ms. Processed 1 of 200 items. Results may be partial."]}}
> {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"tool":"test.echo","arguments":{"text":"still here"}}}
< {"jsonrpc":"2.0","id":9,"result":{"tool":"test.echo","output":{"text":"still here"}}}
"#;
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, transcript).await;
    }
}

#[tokio::test]
async fn a_tier_limit_hides_tools_and_refuses_them() {
    let settings = Settings { tier: Tier::Core, ..Setup::default().settings };
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"category":"tools"}}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"id":"tools.call","name":"*","description":"*","category":"tools","safetyLevel":"read-only","tier":"core"},{"id":"tools.read","…":1},{"id":"tools.search","…":1}]}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"tier":"pro"}}
< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"tool":"project.getVersion","arguments":{}}}
< {"jsonrpc":"2.0","id":3,"error":{"code":-32005,"message":"Tool not available in current tier","data":{"tool":"project.getVersion","errorType":"permission","details":{"requiredTier":"tier2","currentTier":"core"},"hint":"*"}}}
> {"jsonrpc":"2.0","id":4,"method":"tools/describe","params":{"tool":"project.getVersion"}}
< {"jsonrpc":"2.0","id":4,"error":{"code":-32005,"message":"Tool not available in current tier","data":"*"}}
> {"jsonrpc":"2.0","id":5,"method":"server/info","params":{}}
< {"jsonrpc":"2.0","id":5,"result":{"serverVersion":"*","unityVersion":"2022.3.20f1","platform":"*","enabledToolCategories":"*","tier":"core"}}
"#;
    for over in EVERYWHERE {
        let settings = settings.clone();
        check(&server(Setup { settings, ..Setup::default() }), over, transcript).await;
    }
}

#[tokio::test]
async fn both_names_for_the_tool_and_no_arguments_are_fine() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"mcp.health"}}
< {"jsonrpc":"2.0","id":1,"result":{"tool":"mcp.health","output":"*"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"tool":"mcp.health","name":"mcp.health"}}
< {"jsonrpc":"2.0","id":2,"result":{"tool":"mcp.health","output":"*"}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"tool":"mcp.tool.describe","arguments":{"tool":"mcp.health"}}}
< {"jsonrpc":"2.0","id":3,"result":{"tool":"mcp.tool.describe","output":{"id":"mcp.health","…":1}}}
> {"jsonrpc":"2.0","id":4,"method":"tools/describe","params":{"toolId":"mcp.health"}}
< {"jsonrpc":"2.0","id":4,"result":{"tool":{"id":"mcp.health","…":1}}}
> {"jsonrpc":"2.0","id":5,"method":"tools/describe","params":{"tool":"no.such"}}
< {"jsonrpc":"2.0","id":5,"error":{"code":-32001,"message":"Tool not found: no.such","data":{"tool":"no.such","errorType":"not_found","details":{}}}}
"#;
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, transcript).await;
    }
}

#[tokio::test]
async fn an_answer_names_the_tool_by_its_id() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"tool":"test_echo","arguments":{"text":"a"}}}
< {"jsonrpc":"2.0","id":1,"result":{"tool":"test.echo","output":{"text":"a"}}}
> {"jsonrpc":"2.0","id":2,"method":"tools/batchCall","params":{"calls":[{"tool":"test_echo","arguments":{"text":"a"}}]}}
< {"jsonrpc":"2.0","id":2,"result":{"results":[{"tool":"test.echo","output":{"text":"a"}}],"…":1}}
"#;
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, transcript).await;
    }
}

#[tokio::test]
async fn server_info_takes_an_object_or_nothing() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"server/info","params":[]}
< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Params must be an object for server/info","data":"*"}}
> {"jsonrpc":"2.0","id":2,"method":"server/info"}
< {"jsonrpc":"2.0","id":2,"result":{"tier":"*","…":1}}
"#;
    for over in EVERYWHERE {
        check(&server(Setup::default()), over, transcript).await;
    }
}

#[tokio::test]
async fn a_batch_call_runs_up_to_ten_and_reports_each() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"tools/batchCall","params":{"calls":[{"tool":"test.echo","arguments":{"text":"a"}},{"tool":"no.such"}]}}
< {"jsonrpc":"2.0","id":1,"result":{"totalCalls":2,"successfulCalls":1,"failedCalls":1,"results":[{"tool":"test.echo","output":{"text":"a"}}],"errors":[{"index":1,"tool":"no.such","code":-32001,"message":"Tool not found: no.such","data":"*"}]}}
> {"jsonrpc":"2.0","id":2,"method":"tools/batchCall","params":{"calls":[]}}
< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"*","data":"*"}}
"#;
    check(&server(Setup::default()), Over::WebSocket, transcript).await;
}
