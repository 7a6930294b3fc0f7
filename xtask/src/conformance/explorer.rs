//! The world of a Unity project, as clients of standard MCP see it and as those of the Unity Explorer
//! interface do, with exact values.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::inspector::{ERAS, Inspector};
use super::python_client::run_script;
use super::{SERVER_LIMIT, report::Report};
use crate::server::Server;
use crate::{explorer, install, paths};

/// A client that Python alone is enough for, with the private names of the interface's document.
pub(crate) fn plain_http(binary: &Path) -> Result<Option<Report>> {
    let Some(python) = install::or_notice("Python", install::python())? else { return Ok(None) };
    let server = serve(binary)?;
    let url = format!("http://{}", explorer::host(&server)?);
    let mut client = Command::new(python);
    client.arg(paths::asset("explorer_http.py")).arg(url).arg(expected().to_string());
    run_script(&mut client, &server).map(Some)
}

/// The official Python client.
pub(crate) fn python(binary: &Path) -> Result<Option<Report>> {
    let installed = install::or_notice("Python mcp 2.3 client", install::python())?;
    let Some(python) = installed else { return Ok(None) };
    let server = serve(binary)?;
    let mut client = Command::new(python);
    // Else a folder of compiled modules would appear among the sources.
    client.env("PYTHONDONTWRITEBYTECODE", "1");
    client.arg(paths::asset("explorer_client.py")).arg(server.mcp_url()?);
    run_script(client.arg(expected().to_string()), &server).map(Some)
}

/// The official TypeScript client; also two of them next to a client of the interface.
pub(crate) fn typescript(binary: &Path) -> Result<Option<Report>> {
    let installed = install::node().and_then(|node| Ok((node, install::typescript_sdk()?)));
    let installed = install::or_notice("TypeScript SDK 1.32", installed)?;
    let Some((node, sdk)) = installed else { return Ok(None) };
    let server = serve(binary)?;
    let mut client = Command::new(node);
    client.arg(paths::asset("explorer_client.mjs")).arg(sdk).arg(server.mcp_url()?);
    run_script(client.arg(expected().to_string()), &server).map(Some)
}

/// The Inspector's four calls: the tools, the resources, a call, a reading.
pub(crate) fn inspector(binary: &Path) -> Result<Option<Report>> {
    let Some(inspector) = Inspector::install()? else { return Ok(None) };
    let server = serve(binary)?;
    let url = server.mcp_url()?;
    let target = ["--server-url", &url, "--transport", "http"];
    let expected = expected();
    let mut report = Report::default();
    for era in ERAS {
        let ask = |request: &[&str]| inspector.ask(era, &target, request);
        let mut record = |name: &str, outcome| report.record(&format!("{era} {name}"), outcome);
        let tools = ask(&["tools/list", "--strict"]);
        let lists_all = |tools: Value| has_all(&texts(&tools["tools"], "name"), &expected["tools"]);
        record("tools/list", tools.and_then(lists_all));
        let resources = ask(&["resources/list"]);
        let lists_all =
            |found: Value| has_all(&texts(&found["resources"], "uri"), &expected["resources"]);
        record("resources/list", resources.and_then(lists_all));
        let called = ask(&["tools/call", "--tool-name", "explorer_getStatus"]);
        let is_status = |found: Value| same(&found["structuredContent"], &expected["status"]);
        record("explorer_getStatus", called.and_then(is_status));
        let read = ask(&["resources/read", "--uri", "unity://scenes"]);
        let are_scenes = |found: Value| {
            let text = found["contents"][0]["text"].as_str().unwrap_or_default();
            same(&serde_json::from_str(text)?, &expected["scenes"])
        };
        record("unity://scenes", read.and_then(are_scenes));
    }
    Ok(Some(report))
}

fn serve(binary: &Path) -> Result<Server> {
    let extra = ["--toolsets", "explorer"];
    explorer::serve(binary, "conformance-explorer", &explorer::sample(), &extra, SERVER_LIMIT)
}

fn texts(list: &Value, key: &str) -> Vec<Value> {
    list.as_array().into_iter().flatten().map(|item| item[key].clone()).collect()
}

fn has_all(found: &[Value], wanted: &Value) -> Result<()> {
    let mut wanted = wanted.as_array().into_iter().flatten();
    match wanted.find(|one| !found.contains(one)) {
        None => Ok(()),
        Some(missing) => anyhow::bail!("{missing} is not in {found:?}"),
    }
}

fn same(found: &Value, wanted: &Value) -> Result<()> {
    ensure!(found == wanted, "found {found}, wanted {wanted}");
    Ok(())
}

/// What the Unity sample holds.
fn expected() -> Value {
    let platform = match std::env::consts::OS {
        "windows" => "WindowsPlayer",
        "macos" => "OSXPlayer",
        _ => "LinuxPlayer",
    };
    let scene = |id: &str, name: &str, index: i32, is_loaded: bool, roots: u32| json!({ "Id": id, "Name": name, "Index": index, "IsLoaded": is_loaded, "RootCount": roots });
    json!({
        "tools": [
            "explorer_getStatus", "explorer_listObjects", "explorer_searchObjects",
            "explorer_getObject", "explorer_mousePick",
        ],
        "privateTools": [
            "GetStatus", "ListScenes", "ListObjects", "GetObject", "GetComponents", "GetVersion",
            "SearchObjects", "GetCameraInfo", "MousePick", "TailLogs", "ReadConsoleScript",
            "GetSelection", "GetTimeScale", "SetConfig", "GetConfig", "HookListMethods",
        ],
        "status": {
            "Version": "0.1.0", "UnityVersion": "2022.3.20f1", "Platform": platform,
            "Runtime": "scenewright", "ExplorerVersion": env!("CARGO_PKG_VERSION"),
            "Ready": true, "ScenesLoaded": 1, "Selection": [],
        },
        "scenes": { "Total": 3, "Items": [
            scene("scn:0", "Main", 0, true, 8),
            scene("scn:ddol", "DontDestroyOnLoad", -1, true, 0),
            scene("scn:hide", "HideAndDontSave", -2, false, 0),
        ] },
        // Its id is looked up.
        "player": {
            "Name": "Player", "Path": "/Player", "Tag": "Player", "Layer": 0, "Active": true,
            "ComponentCount": 4,
        },
        "resources": [
            "unity://status", "unity://scenes", "unity://search", "unity://selection",
            "unity://camera/active", "unity://logs/tail", "unity://console/scripts",
            "unity://hooks", "unity://clipboard", "unity://freecam",
        ],
        "templates": [
            "unity://scene/{sceneId}/objects", "unity://object/{id}",
            "unity://object/{id}/components", "unity://object/{id}/children",
            "unity://object/{id}/component/members", "unity://object/{id}/component/member",
            "unity://console/script?path={path}", "unity://search/singletons?query={query}",
            "unity://search/static-classes?query={query}",
            "unity://type/{typeFullName}/static-members",
        ],
    })
}
