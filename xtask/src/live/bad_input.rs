//! Strangers on the port, files that lie, and games that do not answer: a clear error in time, and a
//! link that works again afterwards.

mod programs;

use std::net::Ipv4Addr;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::cases::{Cases, has, same};
use super::raw::{NONCE, Raw, port, proof};
use super::{Client, Godot, Ground, Side, game};
use crate::os;

pub(super) fn run(ground: &Ground, cases: &mut Cases) -> Result<()> {
    let project = ground.project("bad-input")?;
    game::add_scene(&project)?;
    let mut client = Client::start(ground, &project)?;
    let running = ground.start(Side::Game, &project, &["res://cases.tscn"])?;
    strangers(cases, &running);
    frames(cases, &running);
    cases.case("still there", || {
        let said = client.call("live_status", &json!({}))?;
        same("who runs", &said["running"][0]["process"], running.pid)?;
        Ok("after all of that the game answers".to_owned())
    });
    file(cases, &mut client, &running);
    drop(running);
    programs::run(ground, cases, &mut client, &project)
}

fn strangers(cases: &mut Cases, running: &Godot) {
    cases.case("a wrong proof", || {
        let token = running.announcement()?["token"].clone();
        let refused = |raw: &mut Raw, params: &serde_json::Value| {
            let said = raw.ask("session.authenticate", params)?;
            same("the error", &said["error"]["code"], 1000)?;
            ensure!(said.get("result").is_none(), "something else was told: {said}");
            Ok(())
        };
        let mut raw = Raw::open(running)?;
        refused(&mut raw, &json!({ "token": token }))?;
        refused(&mut raw, &json!({ "proof": "0".repeat(64) }))?;
        refused(&mut raw, &json!({}))?;
        let (rest, _) = raw.rest()?;
        same("after the third", rest.len(), 0)?;
        // A proof holds once, for its side and for the bytes of its connection.
        let mut raw = Raw::open(running)?;
        let first = raw.challenge(running)?;
        refused(&mut raw, &json!({ "proof": proof(running, "server", &first)? }))?;
        refused(&mut raw, &json!({ "proof": proof(running, "client", &first)? }))?;
        let mut raw = Raw::open(running)?;
        raw.challenge(running)?;
        refused(&mut raw, &json!({ "proof": proof(running, "client", &first)? }))?;
        // The control: the same, done rightly.
        Raw::known(running)?;
        Ok("the token itself, a mirrored and a replayed proof are refused; closed after three"
            .to_owned())
    });
    cases.case("what the challenge tells", || {
        let mut raw = Raw::open(running)?;
        let said = raw.ask("session.challenge", &json!({ "nonce": NONCE }))?;
        let told: Vec<&String> = said["result"].as_object().context("no answer")?.keys().collect();
        same("the answer", told, vec!["nonce", "proof", "protocol"])?;
        for nonce in [json!(""), json!("zz".repeat(32)), json!(7)] {
            let said = Raw::open(running)?.ask("session.challenge", &json!({ "nonce": nonce }))?;
            same("a bad one", &said["error"]["code"], 1000)?;
        }
        Ok("its protocol, its bytes and its proof, and nothing else".to_owned())
    });
    cases.case("requests before the proof", || {
        let mut raw = Raw::open(running)?;
        for method in ["state", "transport.healthCheck", "evaluate"] {
            let params =
                json!({ "expression": "1", "project": running.announcement()?["project"] });
            let said = raw.ask(method, &params)?;
            same(method, &said["error"]["message"], "Authentication failed")?;
            ensure!(said.get("result").is_none() && said["error"].get("data").is_none(), "{said}");
        }
        same("then", raw.rest()?.0.len(), 0)?;
        Ok("refused without another word, then closed".to_owned())
    });
    cases.case("a web page", || {
        let mut raw = Raw::open(running)?;
        raw.send(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://example.org\r\nContent-Length: 2\r\n\r\n{}")?;
        same("bytes", raw.rest()?.0.len(), 0)?;
        Ok("gets no byte".to_owned())
    });
    cases.case("beyond loopback", || {
        let others: Vec<Ipv4Addr> = addresses()?;
        for address in &others {
            ensure!(Raw::connect(*address, port(running)?).is_err(), "it listens at {address} too");
        }
        // The control: where it does listen, the same way works.
        Raw::open(running)?;
        Ok(format!("nobody listens at {others:?}"))
    });
}

/// Addresses of this machine other than the one of the port.
fn addresses() -> Result<Vec<Ipv4Addr>> {
    let mut found = vec![Ipv4Addr::new(127, 0, 0, 2)];
    // No packet is sent; it only chooses the address that one would be sent from.
    let socket = std::net::UdpSocket::bind("0.0.0.0:0")?;
    if socket.connect("192.0.2.1:9").is_ok()
        && let std::net::IpAddr::V4(own) = socket.local_addr()?.ip()
        && !own.is_loopback()
    {
        found.push(own);
    }
    Ok(found)
}

fn frames(cases: &mut Cases, running: &Godot) {
    cases.case("a frame of 1 GiB announced", || {
        let huge = (1u32 << 30).to_le_bytes();
        let mut raw = Raw::open(running)?;
        raw.send(&huge)?;
        same("a stranger hears", raw.rest()?.0.len(), 0)?;
        let mut raw = Raw::known(running)?;
        raw.send(&huge)?;
        let said = raw.read()?;
        has("who is known hears", &said["error"]["message"].to_string(), "1073741824 bytes")?;
        raw.rest()?;
        Ok("closed at once; who is known is told why".to_owned())
    });
    cases.case("half a frame, then silence", || {
        let mut raw = Raw::known(running)?;
        raw.send(&[40, 0, 0, 0, b'{'])?;
        let (_, seconds) = raw.rest()?;
        ensure!((4.0..9.0).contains(&seconds), "closed after {seconds:.1} s, expected about 5");
        Ok(format!("closed after {seconds:.1} s"))
    });
    cases.case("what is no request", || {
        let mut raw = Raw::known(running)?;
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let deep_object = format!(
            "{{\"method\":\"state\",\"params\":{}{}}}",
            "{\"a\":".repeat(50_000),
            "}".repeat(50_000)
        );
        for text in [
            "[1, 2]",
            "garbage \u{1}",
            "",
            "{\"method\": 7}",
            "{\"method\":\"state\",\"params\":[]}",
            &deep,
            &deep_object,
        ] {
            raw.frame(text)?;
            let said = raw.read().with_context(|| text.chars().take(30).collect::<String>())?;
            same("the error", &said["error"]["code"], -32600)?;
        }
        let said = raw.ask("transport.healthCheck", &json!({}))?;
        same("afterwards", &said["result"]["status"], "ok")?;
        let said = raw.ask("state", &json!({ "project": "/somewhere/else" }))?;
        has(
            "another project",
            &said["error"]["message"].to_string(),
            "this game is of the project",
        )?;
        let said = raw.ask("no.such", &json!({ "project": running.announcement()?["project"] }))?;
        same("no such method", &said["error"]["code"], -32601)?;
        Ok("seven kinds, each an error; the next request is answered".to_owned())
    });
}

fn file(cases: &mut Cases, client: &mut Client, running: &Godot) {
    cases.case("the file with the token", || {
        let file = running.file();
        if let Some(mode) = os::mode(&file)? {
            same("its mode", format!("{mode:o}"), "600")?;
            os::allow(&file, 0o644)?;
            let said = client.refusal("live_tree", &json!({}))?;
            os::allow(&file, 0o600)?;
            has("read by others", &said, "other users may read its token")?;
        }
        client.call("live_tree", &json!({}))?;
        client.call("game_call", &json!({ "expression": "tree.quit()" }))?;
        running.ended()?;
        same("after the game", file.exists(), false)?;
        Ok("only its owner may read it, or it is not believed; gone with the game".to_owned())
    });
}
