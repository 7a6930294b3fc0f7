//! "Console scripts (file-level parity)".

use expect_test::expect;
use serde_json::{Value, json};

use crate::explorer::support::{Setup, World};

/// The limit of the document: 256 KB.
const MAX: usize = 262_144;

async fn read(world: &World, path: &str) -> Value {
    world.call("ReadConsoleScript", json!({ "path": path })).await
}

/// "expose UnityExplorer’s `Scripts/` folder […] so an agent can list, read, write, and run scripts
/// safely."
#[tokio::test]
async fn an_agent_lists_reads_writes_runs_and_deletes() {
    let world = World::writable();
    world.done("SetConfig", json!({ "enableConsoleEval": true })).await;
    let code = "var n = GameObject.Find(\"Player\").transform.childCount;\r\nreturn n + 122;\r\n";
    world.done("WriteConsoleScript", json!({ "path": "count.cs", "content": code })).await;
    let listed = world.read("unity://console/scripts").await;
    assert_eq!(listed["Items"], json!([{ "Name": "count.cs", "Path": world.script("count.cs") }]));
    assert_eq!(read(&world, "count.cs").await["Content"], code, "line ends as they were");
    let ran = world.call("RunConsoleScript", json!({ "path": "count.cs" })).await;
    assert_eq!(ran, json!({ "ok": true, "result": "123" }));
    world.done("WriteConsoleScript", json!({ "path": "count.cs", "content": "return 4;" })).await;
    assert_eq!(read(&world, "count.cs").await["Content"], "return 4;", "replaced whole");
    world.done("DeleteConsoleScript", json!({ "path": "count.cs" })).await;
    assert!(!world.script("count.cs").exists());
    assert_eq!(world.read("unity://console/scripts").await["Total"], 0);
}

/// "`unity://console/script?path=<relativeOrAbsolute>` — `ConsoleScriptFileDto`", with folders below the
/// Scripts folder, which a write makes.
#[tokio::test]
async fn paths_are_relative_or_absolute() {
    let world = World::writable();
    let inside = world.script("tools").join("Größe 1.cs");
    world.done("WriteConsoleScript", json!({ "path": inside, "content": "return 1;" })).await;
    assert_eq!(std::fs::read_to_string(&inside).unwrap(), "return 1;");
    for uri in [
        "unity://console/script?path=tools/Gr%C3%B6%C3%9Fe%201.cs".to_owned(),
        "unity://console/script?path=tools%2FGr%C3%B6%C3%9Fe+1.cs".to_owned(),
        format!("unity://console/script?path={}", inside.display()),
    ] {
        let script = world.read(&uri).await;
        assert_eq!(script["Name"], "Größe 1.cs", "{uri}");
        assert_eq!(script["Path"], json!(inside), "{uri}");
    }
}

/// "`Content` is truncated at a fixed max size (256 KB) to avoid multi‑MB transfers", and "max 256KB"
/// for writes.
#[tokio::test]
async fn the_limit_is_256_kb_to_the_byte() {
    let world = World::writable();
    let write = async |size: usize| {
        let content = "x".repeat(size);
        world.said("WriteConsoleScript", json!({ "path": "a.cs", "content": content })).await
    };
    assert_eq!(write(MAX).await, "ok");
    let whole = read(&world, "a.cs").await;
    assert_eq!((&whole["SizeBytes"], &whole["Truncated"]), (&json!(MAX), &json!(false)));
    assert_eq!(write(MAX + 1).await, "InvalidArgument: Content too large; max 262144 bytes");
    assert_eq!(read(&world, "a.cs").await, whole, "what was there stays");

    world.write_script("b.cs", &[b"y".repeat(MAX), b"z".to_vec()].concat());
    let cut = read(&world, "b.cs").await;
    assert_eq!((&cut["SizeBytes"], &cut["Truncated"]), (&json!(MAX + 1), &json!(true)));
    assert_eq!(cut["Content"], "y".repeat(MAX));
    // In the middle of a letter, too.
    world.write_script("c.cs", "ä".repeat(MAX).as_bytes());
    assert_eq!(read(&world, "c.cs").await["Content"], "ä".repeat(MAX / 2));
    world.write_script("d.cs", format!("x{}", "ä".repeat(MAX)).as_bytes());
    let text = read(&world, "d.cs").await["Content"].as_str().unwrap().to_owned();
    assert!(text.starts_with("xää") && text.chars().count() <= MAX / 2 + 1);
}

/// "BOM: reads strip a leading UTF‑8 BOM; writes emit UTF‑8 without BOM."
#[tokio::test]
async fn byte_order_marks_are_left_out() {
    let world = World::writable();
    world.write_script("read.cs", b"\xef\xbb\xbfreturn 1;");
    let script = read(&world, "read.cs").await;
    assert_eq!((&script["Content"], &script["SizeBytes"]), (&json!("return 1;"), &json!(12)));
    let content = "\u{feff}return \"\u{feff}ä\";";
    world.done("WriteConsoleScript", json!({ "path": "write.cs", "content": content })).await;
    let bytes = std::fs::read(world.script("write.cs")).unwrap();
    assert_eq!(bytes, "return \"\u{feff}ä\";".as_bytes(), "only the leading one");
    let content = format!("\u{feff}{}", "x".repeat(MAX));
    let said = world.said("WriteConsoleScript", json!({ "path": "full.cs", "content": content }));
    assert_eq!(said.await, "ok", "it does not count");
    world.write_script("latin.cs", b"return \"\xe4\";");
    assert_eq!(read(&world, "latin.cs").await["Content"], "return \"\u{fffd}\";");
}

/// "`GetStartupScript()` → `{ ok, enabled, path, content? }`", "`SetStartupScriptEnabled(enabled,
/// confirm?)`", "`WriteStartupScript(content, confirm?)`" and "`RunStartupScript(confirm?)` → `{ ok,
/// result }`".
#[tokio::test]
async fn the_startup_script() {
    let world = World::writable();
    world.done("SetConfig", json!({ "enableConsoleEval": true })).await;
    let on = world.script("startup.cs");
    let off = world.script("startup.disabled.cs");
    let about = async || world.call("GetStartupScript", json!({})).await;
    let none = json!({ "ok": true, "enabled": false, "path": on, "content": null });
    assert_eq!(about().await, none);
    world.done("SetStartupScriptEnabled", json!({ "enabled": true })).await;
    assert_eq!(about().await, none, "there is nothing to switch on");

    world.done("WriteStartupScript", json!({ "content": "\u{feff}return 7;" })).await;
    let enabled = json!({ "ok": true, "enabled": true, "path": on, "content": "return 7;" });
    assert_eq!(about().await, enabled);
    world.done("SetStartupScriptEnabled", json!({ "enabled": false })).await;
    let disabled = json!({ "ok": true, "enabled": false, "path": off, "content": "return 7;" });
    assert_eq!(about().await, disabled);
    let ran = world.call("RunStartupScript", json!({})).await;
    assert_eq!(ran, json!({ "ok": true, "result": "7", "path": off }));
    world.done("WriteStartupScript", json!({ "content": "return 8;" })).await;
    assert!(!off.exists(), "a new one takes the place of the old");
    assert_eq!(about().await["content"], "return 8;");
    world.done("SetStartupScriptEnabled", json!({ "enabled": true })).await;
    let ran = world.call("RunStartupScript", json!({})).await;
    assert_eq!(ran, json!({ "ok": true, "result": "8", "path": on }));
}

/// "maps to the built-in `startup.cs` behavior": it runs when the world begins, if code may run.
#[tokio::test]
async fn the_startup_script_runs_at_the_start() {
    let world = World::writable();
    let code = "new GameObject(\"FromStartup\");";
    world.done("WriteStartupScript", json!({ "content": code })).await;
    let made =
        async || world.call("ListObjects", json!({ "name": "FromStartup" })).await["Total"].clone();
    world.done("SetConfig", json!({ "restart": true })).await;
    assert_eq!(made().await, 0, "code may not run");
    world.done("SetConfig", json!({ "restart": true, "enableConsoleEval": true })).await;
    assert_eq!(made().await, 1);
    world.done("WriteStartupScript", json!({ "content": "1 +" })).await;
    world.done("SetConfig", json!({ "restart": true })).await;
    assert_eq!(made().await, 0);
    let log = world.log(20).await.join("\n");
    assert!(log.contains("startup.cs failed: Unable to compile"), "{log}");
}

/// "Errors: `InvalidArgument` for invalid paths (outside Scripts folder), `NotFound` for missing files,
/// `PermissionDenied` for gating": a read fails as a request, a write says it itself.
#[tokio::test]
async fn errors_have_their_kinds() {
    let world = World::writable();
    let mut text = String::new();
    for tool in ["ReadConsoleScript", "DeleteConsoleScript"] {
        for path in ["../a.cs", "none.cs", "a.txt", ""] {
            text +=
                &format!("{tool}({path}) {}\n", world.said(tool, json!({ "path": path })).await);
        }
    }
    let run = world.said("RunConsoleScript", json!({ "path": "a.cs" })).await;
    text += &format!("RunConsoleScript {run}\n");
    expect![[r#"
        ReadConsoleScript(../a.cs) 400 InvalidArgument: path must stay inside the Scripts folder
        ReadConsoleScript(none.cs) 404 NotFound: Not found
        ReadConsoleScript(a.txt) 400 InvalidArgument: Only .cs files are allowed
        ReadConsoleScript() 400 InvalidArgument: path is required
        DeleteConsoleScript(../a.cs) InvalidArgument: path must stay inside the Scripts folder
        DeleteConsoleScript(none.cs) NotFound: Not found
        DeleteConsoleScript(a.txt) InvalidArgument: Only .cs files are allowed
        DeleteConsoleScript() InvalidArgument: path is required
        RunConsoleScript PermissionDenied: ConsoleEval disabled by config
    "#]]
    .assert_eq(&text);
}

/// "`NotReady` (-32002, HTTP 503)": without a folder for the interface there are no scripts.
#[tokio::test]
async fn without_a_home_nothing_is_ready() {
    let world = World::with(Setup { has_home: false, ..Setup::default() });
    assert_eq!(world.read("unity://console/scripts").await["Total"], 0);
    let read = world.said("ReadConsoleScript", json!({ "path": "a.cs" })).await;
    expect!["503 NotReady: NotReady: no Scripts folder is set"].assert_eq(&read);
    let write = json!({ "path": "a.cs", "content": "" });
    expect!["NotReady: NotReady: no Scripts folder is set"]
        .assert_eq(&world.said("WriteConsoleScript", write).await);
}
