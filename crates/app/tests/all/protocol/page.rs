//! What the page at `/` asks of the server: the question before a call, and what the call would change.

use scenewright_toolkit::Settings;

use crate::protocol::support::{Over, Setup, check, server};

const PAGE: &str = include_str!("../../../src/inspector.html");

fn writing() -> Setup {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    Setup { settings, ..Setup::default() }
}

#[tokio::test]
async fn a_person_at_the_page_sees_the_change_and_whether_it_can_be_undone() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"scenewright/preview","params":{"tool":"unity.edit","arguments":{"path":"Assets/Scenes/Main.unity","changes":[{"op":"set","object":"Player","component":"Rigidbody","field":"mass","value":2}]}}}
< {"jsonrpc":"2.0","id":1,"result":{"question":"Edit Scene, Prefab or Asset (unity.edit) changes the project, which can be undone. Run it?","changes":["Assets/Scenes/Main.unity (modified)","  Player","    ~ Rigidbody","        m_Mass: 1 → 2"]}}
> {"jsonrpc":"2.0","id":2,"method":"scenewright/preview","params":{"tool":"unity.edit","arguments":{"path":"Assets/Scenes/Main.unity","dryRun":true,"changes":[{"op":"set","object":"Player","component":"Rigidbody","field":"mass","value":2}]}}}
< {"jsonrpc":"2.0","id":2,"result":{"question":null,"changes":["Assets/Scenes/Main.unity (modified)","  Player","    ~ Rigidbody","        m_Mass: 1 → 2"]}}
> {"jsonrpc":"2.0","id":3,"method":"scenewright/preview","params":{"tool":"project.info","arguments":{}}}
< {"jsonrpc":"2.0","id":3,"result":{"question":null,"changes":[]}}
> {"jsonrpc":"2.0","id":4,"method":"scenewright/preview","params":{"tool":"tools.call","arguments":{"tool":"project_writeFile","arguments":{"path":"Assets/a.txt","content":"x","createMeta":false}}}}
< {"jsonrpc":"2.0","id":4,"error":"*"}
> {"jsonrpc":"2.0","id":5,"method":"scenewright/preview","params":{"tool":"tools.call","arguments":{"tool":"project_info","arguments":{}}}}
< {"jsonrpc":"2.0","id":5,"result":{"question":null,"changes":[]}}
> {"jsonrpc":"2.0","id":6,"method":"scenewright/preview","params":{"tool":"unity.edit","arguments":{"path":"Assets/Nope.unity","changes":[]}}}
< {"jsonrpc":"2.0","id":6,"error":"*"}
"#;
    check(&server(writing()), Over::Http("/editormcp"), transcript).await;
}

/// The call itself says why it is refused; a question would promise something.
#[tokio::test]
async fn nothing_is_asked_about_what_is_refused_anyway() {
    let transcript = r#"
> {"jsonrpc":"2.0","id":1,"method":"scenewright/preview","params":{"tool":"project.writeFile","arguments":{"path":"Assets/a.txt","content":"x"}}}
< {"jsonrpc":"2.0","id":1,"result":{"question":null,"changes":[]}}
"#;
    check(&server(Setup::default()), Over::Http("/editormcp"), transcript).await;
}

#[test]
fn the_page_asks_the_server_instead_of_guessing() {
    for asks in ["'tools.search'", "'scenewright/preview'", "overflow-wrap: anywhere"] {
        assert!(PAGE.contains(asks), "{asks}");
    }
    // Who does not know EditorMCP would ask what costs money.
    assert!(!PAGE.contains("tier"));
}
