//! What no client should send, and what it is told: always something, and soon.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::explorer::http::{
    PATIENCE, ask, begin, call, connect, events, post, request, stream_events, until,
};
use crate::explorer::support::{LANTERNS, PLAYER, World};

async fn check(world: &World, message: &str, expected: &Expect) {
    let response = post(&world.server, message).await;
    expected.assert_eq(&format!("{} {}", response.status, response.body));
}

/// Ids that are none, for every tool and resource that takes one.
#[tokio::test]
async fn bad_ids() {
    let world = World::writable();
    let (no_prefix, no_number) = (
        "InvalidArgument: Invalid id; expected 'obj:<instanceId>'",
        "InvalidArgument: Invalid instance id",
    );
    for (id, said) in [
        ("", no_prefix),
        ("5", no_prefix),
        ("scn:0", no_prefix),
        ("OBJ:5", no_prefix),
        (" obj:5", no_prefix),
        ("obj:", no_number),
        ("obj:x", no_number),
        ("obj:1.5", no_number),
        ("obj:0x5", no_number),
        ("obj: 5", no_number),
        ("obj:2147483648", no_number),
        ("obj:99999999999999999999999", no_number),
        ("obj:٣", no_number),
    ] {
        let read = world.said("GetObject", json!({ "id": id })).await;
        assert_eq!(read, format!("400 {said}"), "{id}");
        let list = world.said("GetComponents", json!({ "objectId": id })).await;
        assert_eq!(list, format!("400 {said}"), "{id}");
        let write = world.said("SetActive", json!({ "objectId": id, "active": true })).await;
        assert_eq!(write, said, "{id}");
    }
    for id in ["obj:0", "obj:-1", "obj:2147483647", "obj:-2147483648", "obj:5"] {
        let said = world.said("GetObject", json!({ "id": id })).await;
        assert_eq!(said, "404 NotFound: Not found", "{id}");
    }
}

/// Ids of objects that were destroyed are ids of nothing, for every tool that takes one.
#[tokio::test]
async fn ids_of_destroyed_objects() {
    let world = World::writable();
    let config = json!({
        "componentAllowlist": ["UnityEngine.Light"],
        "reflectionAllowlistMembers": ["UnityEngine.Transform.position", "UnityEngine.Transform.GetSiblingIndex"],
    });
    world.done("SetConfig", config).await;
    let lanterns = world.call("ListChildren", json!({ "objectId": LANTERNS })).await;
    let child = lanterns["Items"][0]["Id"].as_str().unwrap();
    let class = "UnityEngine.Transform";
    let member = json!({ "objectId": child, "componentType": class, "name": "position" });
    let handle = world
        .call(
            "ReadComponentMember",
            json!({ "objectId": child, "componentType": class, "name": "parent" }),
        )
        .await;
    world.done("SelectObject", json!({ "objectId": child })).await;
    world.done("SetClipboardObject", json!({ "objectId": child })).await;
    world.done("DestroyObject", json!({ "objectId": LANTERNS })).await;
    for (tool, arguments) in [
        ("SetActive", json!({ "objectId": child, "active": true })),
        ("SelectObject", json!({ "objectId": child })),
        ("DestroyObject", json!({ "objectId": child })),
        ("DestroyObject", json!({ "objectId": LANTERNS })),
        ("Reparent", json!({ "objectId": child, "newParentId": PLAYER })),
        ("Reparent", json!({ "objectId": PLAYER, "newParentId": child })),
        ("AddComponent", json!({ "objectId": child, "type": "UnityEngine.Light" })),
        ("RemoveComponent", json!({ "objectId": child, "typeOrIndex": "1" })),
        (
            "SetMember",
            json!({
                "objectId": child,
                "componentType": class,
                "member": "position",
                "jsonValue": "[0,0,0]",
            }),
        ),
        (
            "CallMethod",
            json!({ "objectId": child, "componentType": class, "method": "GetSiblingIndex" }),
        ),
        ("SetClipboardObject", json!({ "objectId": child })),
    ] {
        assert_eq!(world.said(tool, arguments).await, "NotFound: Not found", "{tool}");
    }
    for (tool, arguments) in [
        ("GetObject", json!({ "id": child })),
        ("GetComponents", json!({ "objectId": child })),
        ("ListChildren", json!({ "objectId": LANTERNS })),
        ("ReadComponentMember", member),
    ] {
        assert_eq!(world.said(tool, arguments).await, "404 NotFound: Not found", "{tool}");
    }
    assert_eq!(
        world.call("GetSelection", json!({})).await,
        json!({ "ActiveId": null, "Items": [] })
    );
    assert_eq!(world.respond("GetClipboard", json!({})).await.status, 200);
    assert_eq!(world.respond("InspectRef", json!({ "refId": handle["refId"] })).await.status, 200);
}

/// "`limit`" below one is one, "`offset`" below zero is zero, and neither has to be small.
#[tokio::test]
async fn limits_and_offsets_of_any_size() {
    let world = World::read_only();
    let page = async |limit: Value, offset: Value| {
        let page = world.call("ListObjects", json!({ "limit": limit, "offset": offset })).await;
        (page["Total"].clone(), page["Items"].as_array().unwrap().len())
    };
    let total = json!(20);
    for (limit, offset, count) in [
        (json!(-1), json!(null), 1),
        (json!(0), json!(-1), 1),
        (json!(i64::MIN), json!(i64::MIN), 1),
        (json!(i64::MAX), json!(0), 20),
        (json!(i64::MAX), json!(i64::MAX), 0),
        (json!(null), json!(15), 5),
    ] {
        assert_eq!(
            page(limit.clone(), offset.clone()).await,
            (total.clone(), count),
            "{limit} {offset}"
        );
    }
    for (limit, problem) in [(json!("two"), "string"), (json!(1.5), "number"), (json!([]), "array")]
    {
        let said = world.said("ListObjects", json!({ "limit": limit })).await;
        let expected = format!("400 InvalidArgument: limit must be integer, not {problem}");
        assert_eq!(said, expected);
    }
    let minus = world.read("unity://search?limit=-1&offset=-1").await;
    assert_eq!(minus["Items"].as_array().unwrap().len(), 1);
    assert_eq!(
        world.call("TailLogs", json!({ "count": -1 })).await["Items"].as_array().unwrap().len(),
        1
    );
}

/// A time scale that is no number: JSON has none, and what comes closest is refused in words.
#[tokio::test]
async fn a_time_scale_that_is_no_number() {
    let world = World::writable();
    let set = |value: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"call_tool","params":{{"name":"SetTimeScale","arguments":{{"value":{value}}}}}}}"#
        )
    };
    check(&world, &set("NaN"), &expect![[r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"kind":"InvalidRequest","hint":null,"detail":"expected value at line 1 column 99"}}}"#]]).await;
    check(&world, &set("Infinity"), &expect![[r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"kind":"InvalidRequest","hint":null,"detail":"expected value at line 1 column 99"}}}"#]]).await;
    check(&world, &set("1e999"), &expect![[r#"400 {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: 'arguments' cannot be read: number out of range at line 1 column 14","data":{"kind":"InvalidArgument","hint":null}}}"#]]).await;
    for value in [json!("NaN"), json!(null), json!([1]), json!(true)] {
        let said = world.said("SetTimeScale", json!({ "value": value })).await;
        assert!(said.starts_with("InvalidArgument: value must be number"), "{said}");
    }
    let missing = world.said("SetTimeScale", json!({})).await;
    assert_eq!(missing, "InvalidArgument: value is required");
    assert_eq!(world.call("GetTimeScale", json!({})).await["value"], 1.0, "it stays as it was");
}

/// Arguments of the wrong kind, missing and unknown ones.
#[tokio::test]
async fn wrong_arguments() {
    let world = World::writable();
    let mut text = String::new();
    for (tool, arguments) in [
        ("GetObject", json!({})),
        ("GetObject", json!({ "id": null })),
        ("GetObject", json!({ "id": PLAYER, "depth": 1 })),
        ("MousePick", json!({ "mode": "sky" })),
        ("MousePick", json!({ "x": "left" })),
        ("SetActive", json!({ "objectId": PLAYER })),
        ("SetActive", json!({ "objectId": PLAYER, "active": "yes" })),
        ("SetConfig", json!({ "componentAllowlist": "UnityEngine.Light" })),
        ("SetConfig", json!({ "componentAllowlist": [1] })),
        (
            "SetMember",
            json!({ "objectId": PLAYER, "componentType": "A", "member": "b", "jsonValue": 5 }),
        ),
        ("LoadScene", json!({ "name": "Main", "mode": "twice" })),
    ] {
        let said = world.said(tool, arguments.clone()).await;
        text += &format!("{tool} {arguments}\n    {said}\n");
    }
    expect![[r#"
        GetObject {}
            400 InvalidArgument: id is required
        GetObject {"id":null}
            400 InvalidArgument: id must be string, not null
        GetObject {"id":"obj:1616470424","depth":1}
            400 InvalidArgument: depth is not known: there is id
        MousePick {"mode":"sky"}
            400 InvalidArgument: mode must be "world" or "ui"
        MousePick {"x":"left"}
            400 InvalidArgument: x must be number, not string
        SetActive {"objectId":"obj:1616470424"}
            InvalidArgument: active is required
        SetActive {"objectId":"obj:1616470424","active":"yes"}
            InvalidArgument: active must be boolean, not string
        SetConfig {"componentAllowlist":"UnityEngine.Light"}
            ok
        SetConfig {"componentAllowlist":[1]}
            InvalidArgument: componentAllowlist.0 must be string, not integer
        SetMember {"objectId":"obj:1616470424","componentType":"A","member":"b","jsonValue":5}
            NotFound: Component not found
        LoadScene {"name":"Main","mode":"twice"}
            InvalidArgument: mode must be "single" or "additive"
    "#]]
    .assert_eq(&text);
}

/// Values that a member does not take change nothing: no zero is written in silence.
#[tokio::test]
async fn values_that_do_not_fit() {
    let world = World::writable();
    let list = json!([
        "UnityEngine.Transform.localPosition",
        "UnityEngine.Rigidbody.mass",
        "UnityEngine.Rigidbody.interpolation"
    ]);
    world.done("SetConfig", json!({ "reflectionAllowlistMembers": list })).await;
    let mut text = String::new();
    for (class, member, value) in [
        ("Transform", "localPosition", "up"),
        ("Transform", "localPosition", ""),
        ("Transform", "localPosition", "[1,2]"),
        ("Transform", "localPosition", r#"{"x":1}"#),
        ("Transform", "localPosition", "\"(1, 2, 3)\""),
        ("Rigidbody", "mass", "\"heavy\""),
        ("Rigidbody", "mass", "null"),
        ("Rigidbody", "interpolation", "\"Sometimes\""),
    ] {
        let class = format!("UnityEngine.{class}");
        let read = json!({ "objectId": PLAYER, "componentType": class, "name": member });
        let before = world.call("ReadComponentMember", read.clone()).await;
        let set = json!({
            "objectId": PLAYER,
            "componentType": class,
            "member": member,
            "jsonValue": value,
        });
        text += &format!("{member} = {value}: {}\n", world.said("SetMember", set).await);
        assert_eq!(world.call("ReadComponentMember", read).await, before, "{member} = {value}");
    }
    expect![[r#"
        localPosition = up: InvalidArgument: jsonValue is not JSON: expected value at line 1 column 1
        localPosition = : InvalidArgument: jsonValue is not JSON: EOF while parsing a value at line 1 column 0
        localPosition = [1,2]: InvalidArgument: a Vector3 is expected, as {"x":1,"y":2,"z":3} or [1,2,3]; found [1,2]
        localPosition = {"x":1}: InvalidArgument: a Vector3 is expected, as {"x":1,"y":2,"z":3} or [1,2,3]; found {"x":1}
        localPosition = "(1, 2, 3)": InvalidArgument: a Vector3 is expected, as {"x":1,"y":2,"z":3} or [1,2,3]; found "(1, 2, 3)"
        mass = "heavy": InvalidArgument: a Single is expected, as a number; found "heavy"
        mass = null: InvalidArgument: a Single is expected, as a number; found null
        interpolation = "Sometimes": InvalidArgument: a RigidbodyInterpolation is expected, as a member's name or its number; found "Sometimes"
    "#]].assert_eq(&text);
}

/// Letters beyond ASCII, raw and escaped, in a body of known length and in one that comes in chunks.
#[tokio::test]
async fn bodies_in_any_language_and_in_chunks() {
    let world = World::writable();
    let message = json!({ "jsonrpc": "2.0", "id": "ключ", "method": "call_tool", "params": {
        "name": "WriteConsoleScript", "arguments": { "path": "Größe.cs", "content": "return \"日本 🏮\";" },
    } });
    let raw = message.to_string();
    let answer = post(&world.server, &raw).await;
    assert_eq!((answer.status, &answer.json()["id"]), (200, &json!("ключ")));
    assert_eq!(std::fs::read_to_string(world.script("Größe.cs")).unwrap(), "return \"日本 🏮\";");

    let escaped: String = raw
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
            _ => format!("\\u{unit:04x}"),
        })
        .collect();
    assert_eq!(post(&world.server, &escaped).await.json(), answer.json());

    // Chunks end in the middle of letters.
    let mut chunked = Vec::new();
    for part in raw.as_bytes().chunks(7) {
        chunked.extend(format!("{:x}\r\n", part.len()).into_bytes());
        chunked.extend([part, b"\r\n"].concat());
    }
    chunked.extend(b"0\r\n\r\n");
    let headers = [("Transfer-Encoding", "chunked")];
    let again = ask(&world.server, "POST /message", &headers, &chunked).await;
    assert_eq!(again.json(), answer.json());

    let latin =
        ask(&world.server, "POST /message", &[], b"{\"id\":1,\"method\":\"p\xefng\"}").await;
    assert_eq!((latin.status, latin.json()["error"]["code"].clone()), (400, json!(-32700)));
    let found = world.call("SearchObjects", json!({ "name": "日本" })).await;
    assert_eq!(found["Total"], 0);
}

/// Batches are not part of this interface, and who sends one is told so.
#[tokio::test]
async fn batches() {
    let world = World::read_only();
    let refused = expect![[
        r#"400 {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: batch requests are not supported; send one at a time","data":{"kind":"InvalidRequest","hint":null}}}"#
    ]];
    for batch in ["[]", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[1,[2]]"] {
        check(&world, batch, &refused).await;
    }
}

/// A body that is too large, too deep, or never complete is answered, or given up without harm.
#[tokio::test]
async fn bodies_without_measure() {
    let world = World::read_only();
    let huge = format!(r#"{{"id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(17 << 20));
    let answer = ask(&world.server, "POST /message", &[], huge.as_bytes()).await;
    assert_eq!(answer.status, 413);
    let deep = format!(
        r#"{{"id":1,"method":"call_tool","params":{{"name":"GetStatus","arguments":{}{}}}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(post(&world.server, &deep).await.status, 400);
    let mut half = connect(&world.server, 1 << 16);
    let head = request("POST /message", &[("Content-Length", "1000")], b"");
    half.write_all(format!("{head}{{\"id\":1").as_bytes()).await.unwrap();
    drop(half);
    assert_eq!(call(&world.server, "GetStatus", "{}").await.status, 200);
}

/// A client that asks for a stream and never reads it holds up nobody, and the log says what it lost.
#[tokio::test]
async fn a_stream_whose_client_stopped_reading() {
    let world = World::read_only();
    let mut stuck = connect(&world.server, 64);
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"stream_events"}"#;
    stuck.write_all(request("POST /message", &[], message).as_bytes()).await.unwrap();
    stuck.write_all(message).await.unwrap();
    let mut start = [0; 12];
    tokio::time::timeout(PATIENCE, stuck.read_exact(&mut start)).await.unwrap().unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");

    // More than fits on the way to it; then more messages than wait for anyone.
    world.write_script("large.cs", &[b'x'; 262_144]);
    world.call("ReadConsoleScript", json!({ "path": "large.cs" })).await;
    let mut other = stream_events(&world.server).await;
    for number in 0..300 {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"ping"}}"#);
        let answer = post(&world.server, &ping).await.json();
        while other.next().await.unwrap() != answer {}
    }
    let lost = "[MCP] http stream 1 backpressure: dropped 1 pending message(s) (limit 256).";
    assert_eq!(world.log(10).await, [lost], "once for the whole time");
    assert!(stuck.read_u8().await.is_ok(), "and it may go on when it likes");
}

/// Of a thousand streams the first 128 are served, the rest are told why not, and all who were served
/// hear of what happens.
#[tokio::test]
async fn a_thousand_streams() {
    let world = World::writable();
    let (mut open, mut refused) = (Vec::new(), 0);
    for number in 0..1000 {
        let stream = match number % 2 {
            0 => events(&world.server, "GET /").await,
            _ => {
                let message = br#"{"jsonrpc":"2.0","id":5,"method":"stream_events"}"#;
                begin(&world.server, "POST /message", &[], message).await
            }
        };
        match stream.head.status() {
            200 => open.push(stream),
            429 => refused += 1,
            status => panic!("{status}"),
        }
    }
    assert_eq!((open.len(), refused), (128, 872));
    let text = "[MCP] error -32005: Cannot have more than 128 parallel streams. Please slow down.";
    assert_eq!(world.log(1).await, [text]);
    world.done("SelectObject", json!({ "objectId": PLAYER })).await;
    for stream in &mut open {
        while stream.next().await.unwrap()["params"]["payload"]["ActiveId"] != PLAYER {}
    }
    drop(open);
    until(async || events(&world.server, "GET /").await.head.status() == 200).await;
}
