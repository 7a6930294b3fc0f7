//! `serve --attach`: two servers of ours, of which one is the host that the other passes the Unity
//! Explorer interface on to.

mod support;

use scenewright_fixture::sample;
use serde_json::{Value, json};

use support::{Home, Server, until};

/// The id of the first object.
fn object(server: &Server) -> String {
    let objects = server.output("ListObjects", json!({}));
    objects["Items"][0]["Id"].as_str().unwrap().to_owned()
}

fn is_connected(server: &Server) -> bool {
    server.output("GetStatus", json!({}))["Host"]["Connected"] == true
}

#[test]
fn tools_and_resources_are_the_hosts() {
    let home = Home::new();
    let host = home.host(&[]);
    // No Unity project is open here, so nothing can come from an own world.
    let godot = sample("godot");
    let relay = home.attached("auto", &["--project", godot.to_str().unwrap()]);
    let id = object(&host);
    for (tool, arguments) in [
        ("GetVersion", json!({})),
        ("ListScenes", json!({})),
        ("listobjects", json!({ "limit": 3 })),
        ("GetObject", json!({ "id": id })),
        ("SearchObjects", json!({ "query": "Tür 🚪" })),
        ("GetConfig", json!({})),
    ] {
        let expected = host.output(tool, arguments.clone());
        assert_eq!(relay.output(tool, arguments), expected, "{tool}");
    }
    for uri in [
        "unity://scenes",
        "unity://search?query=light&limit=2",
        "unity://console/scripts",
        "unity://hooks",
        &format!("unity://object/{id}/components"),
    ] {
        assert_eq!(relay.read(uri), host.read(uri), "{uri}");
        let (status, read) = relay.ask("read_resource", json!({ "uri": uri }));
        assert_eq!((status, &read["result"]["contents"][0]["uri"]), (200, &json!(uri)));
    }
    let (_, list) = relay.ask("list_resources", json!({}));
    assert!(list["result"]["resources"].as_array().unwrap().len() > 10, "{list}");
    let (_, hello) = relay.ask("initialize", json!({}));
    assert!(hello["result"]["instructions"].as_str().unwrap().contains("host"), "{hello}");
}

#[test]
fn the_status_says_who_answers() {
    let home = Home::new();
    let host = home.host(&[]);
    let relay = home.attached(&format!("{}mcp", host.url()), &["--require-live"]);
    let notes = relay.notes();
    let line = format!("Explorer tools go to the running host at {}", host.url());
    assert!(notes.contains(&line), "{notes}");
    let mut status = relay.output("GetStatus", json!({}));
    let said = status.as_object_mut().unwrap().shift_remove("Host").unwrap();
    assert_eq!(said["Url"], host.url());
    assert_eq!((&said["Connected"], &said["LastError"]), (&json!(true), &Value::Null));
    assert_eq!(status, host.output("GetStatus", json!({})));
    assert_eq!(relay.read("unity://Status/").1["Host"]["Url"], host.url());
    // Once the host answers there is one line about it, however often it is asked.
    until(|| relay.notes().contains("Connected to the Unity Explorer host"));
    object(&relay);
    assert_eq!(relay.notes().matches("Connected to").count(), 1, "{}", relay.notes());

    let mcp = |tool: &str| {
        let params = json!({ "name": tool, "arguments": {} });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let headers = ["Accept: application/json, text/event-stream"];
        relay.post("/mcp", &call, &headers).1["result"]["structuredContent"].clone()
    };
    let expected = json!({ "url": host.url(), "connected": true });
    assert_eq!(mcp("mcp_server_info")["explorerHost"], expected);
    assert_eq!(mcp("explorer_getStatus")["Host"]["Connected"], true);
    let health = mcp("mcp_health");
    assert_eq!((&health["status"], &health["mode"]), (&json!("healthy"), &json!("live")));
}

#[test]
fn failures_are_those_of_the_host() {
    let home = Home::new();
    let host = home.host(&["--allow-writes"]);
    host.output("SetConfig", json!({ "requireConfirm": true }));
    let relay = home.attached(&host.url(), &["--allow-writes"]);
    let id = object(&host);
    for (tool, arguments, status, kind) in [
        ("GetObject", json!({ "id": "nonsense" }), 400, "InvalidArgument"),
        ("GetObject", json!({ "id": "obj:123456" }), 404, "NotFound"),
        ("SetActive", json!({ "objectId": id, "active": false }), 200, "PermissionDenied"),
        (
            "SetActive",
            json!({ "objectId": "obj:1", "active": true, "confirm": true }),
            200,
            "NotFound",
        ),
        ("ConsoleEval", json!({ "code": "1", "confirm": true }), 200, "PermissionDenied"),
    ] {
        let (expected, said) = (host.call(tool, arguments.clone()), relay.call(tool, arguments));
        assert_eq!(said.0, status, "{tool}: {said:?}");
        let kinds = [&said.1["data"]["kind"], &said.1["error"]["kind"]];
        assert!(kinds.contains(&&json!(kind)), "{tool}: {said:?}");
        let message = |answer: &Value| {
            let error = if answer["error"].is_null() { answer } else { &answer["error"] };
            (error["code"].clone(), error["message"].clone())
        };
        assert_eq!((said.0, message(&said.1)), (expected.0, message(&expected.1)), "{tool}");
    }
    let uri = "unity://no/such/thing";
    assert_eq!(relay.read(uri).0, 404);
    assert_eq!(relay.read(uri).1["error"]["message"], "resource not supported");
}

#[test]
fn our_gates_hold_before_those_of_the_host() {
    let home = Home::new();
    let host = home.host(&["--allow-writes"]);
    let id = object(&host);
    let hide = json!({ "objectId": id, "active": false });
    let confirmed = json!({ "objectId": id, "active": false, "confirm": true });
    let is_active = || host.output("GetObject", json!({ "id": id }))["Active"] == true;
    let message = |(_, answer): (u16, Value)| answer["error"]["message"].clone();

    let read_only = home.attached("auto", &[]);
    assert_eq!(message(read_only.call("SetActive", confirmed.clone())), "Writes disabled");
    assert_eq!(message(read_only.call("SetConfig", json!({}))), "Writes disabled");
    let asking = home.attached("auto", &["--allow-writes", "--require-confirm"]);
    assert_eq!(message(asking.call("SetActive", hide.clone())), "Confirmation required");
    assert!(is_active());
    // No argument stands for the person that our operator wants asked.
    let (_, waits) = asking.call("SetActive", confirmed.clone());
    let hint = waits["error"]["hint"].as_str().unwrap_or_else(|| panic!("{waits}"));
    assert!(hint.contains("scenewright approve"), "{waits}");
    assert!(is_active());

    // The host's settings are the host's, and its gates come second.
    let open = home.attached("auto", &["--allow-writes"]);
    open.output("SetConfig", json!({ "requireConfirm": true, "componentAllowlist": ["A.B"] }));
    let config = host.output("GetConfig", json!({}));
    assert_eq!(config["componentAllowlist"], json!(["A.B"]));
    assert_eq!(message(open.call("SetActive", hide)), "Confirmation required");
    open.output("SetActive", confirmed.clone());
    open.output("SetConfig", json!({ "allowWrites": false }));
    assert_eq!(message(open.call("SetActive", confirmed)), "Writes disabled");
}

#[test]
fn events_are_passed_on_once() {
    let home = Home::new();
    let host = home.host(&["--allow-writes"]);
    let relay = home.attached("auto", &["--allow-writes"]);
    let id = object(&host);
    until(|| is_connected(&relay));
    until(|| relay.notes().contains("Connected to"));
    let mut events = relay.events();
    let scenes = events.until("scenes", |_| true);
    assert_eq!(scenes, host.output("ListScenes", json!({})));
    // Whether the relay hears the host already shows by what somebody does there.
    until(|| {
        host.output("SetTimeScale", json!({ "value": 2 }));
        events.has("tool_result", |payload| payload["name"] == "SetTimeScale")
    });

    // Somebody else at the host.
    host.output("SelectObject", json!({ "objectId": id }));
    assert_eq!(events.until("selection", |s| s["ActiveId"] == json!(id))["Items"], json!([id]));
    events.until("tool_result", |result| result["name"] == "SelectObject");

    // Our own calls, good and bad: the relay tells of them itself, and the host's word is dropped.
    events.seen.clear();
    relay.output("GetVersion", json!({}));
    relay.call("GetObject", json!({ "id": "obj:77" }));
    relay.call("SetActive", json!({ "objectId": "obj:77", "active": true }));
    relay.output("SetActive", json!({ "objectId": id, "active": false }));
    host.output("SpawnTestUi", json!({}));
    events.until("tool_result", |result| result["name"] == "SpawnTestUi");
    let results = |name: &str| {
        let named = |event: &&(String, Value)| event.0 == "tool_result" && event.1["name"] == name;
        events.seen.iter().filter(named).map(|event| event.1["ok"] == true).collect::<Vec<_>>()
    };
    assert_eq!(results("GetVersion"), [true]);
    assert_eq!(results("GetObject"), [false]);
    assert_eq!(results("SetActive"), [false, true]);
    // The host's log is the log: the line about the write is there once.
    let audits = events.seen.iter().filter(|(name, payload)| {
        let text = payload["message"].as_str().unwrap_or_default();
        name == "log" && text.starts_with("tool=SetActive ok=true")
    });
    assert_eq!(audits.count(), 1, "{:#?}", events.seen);
}

#[test]
fn a_host_that_is_away_is_never_stood_in_for() {
    let home = Home::new();
    // A Unity project is open, but its world is not what was asked for.
    let relay = home.attached("auto", &["--allow-writes"]);
    let (status, error) = relay.call("ListScenes", json!({}));
    assert_eq!((status, &error["code"]), (503, &json!(-32002)), "{error}");
    assert!(error["message"].as_str().unwrap().contains("discovery.json"), "{error}");
    assert_eq!(relay.read("unity://scenes").0, 503);
    let status = relay.output("GetStatus", json!({}));
    assert_eq!((&status["Ready"], &status["ScenesLoaded"]), (&json!(false), &json!(0)));
    assert_eq!(status["Host"]["Connected"], false);
    let mut events = relay.events();
    events
        .until("log", |line| line["message"].as_str().unwrap().contains("No Unity Explorer host"));

    let host = home.host(&[]);
    events.until("scenes", |scenes| scenes["Total"].as_u64() > Some(0));
    assert!(is_connected(&relay));
    let first = host.url();
    host.kill();
    events.until("log", |line| line["category"] == "host" && line["level"] == "warn");
    let (status, error) = relay.call("GetObject", json!({ "id": "obj:1" }));
    assert_eq!((status, &error["data"]["kind"]), (503, &json!("NotReady")));
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(&first) && error["data"]["hint"].is_string(), "{error}");
    let (status, refused) = relay.call("SpawnTestUi", json!({}));
    assert_eq!((status, &refused["error"]["kind"]), (200, &json!("NotReady")));
    let (_, read) = relay.read("unity://status");
    assert_eq!((&read["Ready"], &read["Host"]["Url"]), (&json!(false), &json!(first)));

    // The file of the host that crashed is still there; the next one has another port.
    events.seen.clear();
    let host = home.host(&[]);
    assert_ne!(host.url(), first);
    until(|| is_connected(&relay));
    assert_eq!(relay.output("GetStatus", json!({}))["Host"]["Url"], host.url());
    assert_eq!(object(&relay), object(&host));
    events.until("scenes", |_| true);
    let notes = relay.notes();
    assert_eq!(notes.matches("Connected to").count(), 2, "{notes}");
    assert_eq!(notes.matches("answer again when it is back").count(), 2, "{notes}");
}

#[test]
fn a_server_is_not_its_own_host() {
    let home = Home::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = free.to_string();
    let url = format!("http://localhost:{}/", free.port());
    let output = home.run(&["serve", "--http", &address, "--attach", &url]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("is this server itself"), "{said}");

    // A host that ended without a word left a file, and its port is ours now.
    let file = format!(r#"{{ "pid": 1, "baseUrl": "http://0.0.0.0:{}/" }}"#, free.port());
    std::fs::write(home.discovery(), &file).unwrap();
    let project = sample("unity");
    let mut command = home.command(&["serve", "--http", &address, "--attach", "auto"]);
    command.arg("--project").arg(project);
    let relay = Server::start(command);
    let (status, error) = relay.call("ListScenes", json!({}));
    assert_eq!(status, 503);
    assert!(error["message"].as_str().unwrap().contains("is this server itself"), "{error}");
    // Nor does it take the host's place in the file.
    assert_eq!(std::fs::read_to_string(home.discovery()).unwrap(), file);
}

#[test]
fn a_token_is_shown_to_a_host_that_asks() {
    let home = Home::new();
    let mut command =
        home.command(&["serve", "--http", "127.0.0.1:0", "--token", "s3cret-of-the-host"]);
    command.arg("--project").arg(sample("unity"));
    let host = Server::start(command);
    let without = home.attached(&host.url(), &[]);
    let (status, error) = without.call("ListScenes", json!({}));
    assert_eq!(status, 503, "{error}");
    assert!(error["message"].as_str().unwrap().contains("token"), "{error}");
    let mut command = home.command(&["serve", "--http", "127.0.0.1:0", "--attach", &host.url()]);
    command
        .env("SCENEWRIGHT_ATTACH_TOKEN", "s3cret-of-the-host")
        .arg("--project")
        .arg(sample("unity"));
    let with = Server::start(command);
    until(|| is_connected(&with));
    assert!(with.output("ListScenes", json!({}))["Total"].as_u64() > Some(0));
    assert!(!with.notes().contains("s3cret-of-the-host"));
}

#[test]
fn bad_addresses_are_bad_usage() {
    let home = Home::new();
    for (args, word) in [
        (&["serve", "--attach", "https://127.0.0.1:1"][..], "only http"),
        (&["serve", "--attach", "nonsense"], "http://127.0.0.1:51477"),
        (&["serve", "--attach", "http://127.0.0.1:1/editormcp"], "more than an address"),
        (&["serve", "--attach", "auto", "--scene", "Assets/A.unity"], "--scene"),
        (&["serve", "--attach", "auto", "--attach-token", "a\nb"], "token"),
    ] {
        let output = home.run(args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(word), "{args:?}: {said}");
    }
}

#[test]
fn a_token_made_for_the_run_is_in_the_discovery_file_and_opens_the_host() {
    for by_variable in [false, true] {
        let home = Home::new();
        let host = match by_variable {
            true => {
                let mut command = home.command(&["serve", "--http", "127.0.0.1:0", "--project"]);
                command.arg(sample("unity")).env("SCENEWRIGHT_TOKEN", "auto");
                Server::start(command)
            }
            false => home.host(&["--token", "auto"]),
        };
        until(|| home.discovery().is_file() && host.notes().contains("Ctrl-C"));
        let said: Value =
            serde_json::from_slice(&std::fs::read(home.discovery()).unwrap()).unwrap();
        let token = said["token"].as_str().unwrap();
        assert_eq!(token.len(), 43, "32 bytes");
        assert!(host.notes().contains(&format!("Token       {token}")), "{}", host.notes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(home.discovery()).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(host.ask("ping", json!({})).0, 401, "nobody is let in without it");
        // Attached by the file, another server has it; so the call is answered.
        let relay = home.attached("auto", &[]);
        assert!(object(&relay).starts_with("obj:"));
        let doctor = home.run(&["doctor", "--project", sample("godot").to_str().unwrap()]);
        let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(!text.contains(token), "{text}");
        // It is another scenewright and not a game, which is worth no line.
        assert!(!text.contains("Unity Explorer"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_discovery_file_that_others_may_write_is_not_believed() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let host = home.host(&[]);
    until(|| home.discovery().is_file());
    let relay = home.attached("auto", &["--attach-token", "a secret for the host"]);
    until(|| is_connected(&relay));
    drop(relay);
    let mode = std::fs::Permissions::from_mode(0o666);
    std::fs::set_permissions(home.discovery(), mode).unwrap();
    let relay = home.attached("auto", &["--attach-token", "a secret for the host"]);
    let (_, error) = relay.call("GetVersion", json!({}));
    assert!(error.to_string().contains("other users may write it"), "{error}");
    drop(host);
}
