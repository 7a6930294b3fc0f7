//! Which well-known clients know this server, and whether what they would start answers them.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use scenewright_live::explorer::Address;
use serde_json::{Map, Value, json};

use super::{Finding, State};
use crate::clients::{self, CLIENTS, Client, Place, Scope};
use crate::install::file::{self, Refused};
use crate::{attach, os};

/// A server that takes longer to shake hands is of no use to its client.
const PATIENCE: Duration = Duration::from_secs(20);

/// What each client would come to, for all projects and for this folder.
pub(super) fn look() -> Vec<Finding> {
    let here = std::env::current_dir().unwrap_or_default();
    let places = CLIENTS.iter().flat_map(|client| {
        let user = (client, Scope::User, client.name.to_owned());
        [user, (client, Scope::Project, format!("{}, this folder", client.name))]
    });
    let mut seen = Vec::new();
    let look = |(client, scope, what): (&Client, Scope, String)| {
        let mut places = client.places(scope, &here);
        // One file may be two clients'; once is enough.
        places.retain(|place| place.path.is_file() && !seen.contains(&place.path));
        seen.extend(places.iter().map(|place| place.path.clone()));
        let mut told: Vec<_> = places.iter().flat_map(|place| judge(place, &here, scope)).collect();
        let is_for_user = scope == Scope::User && client.is_here();
        // Where a project has no file, the user's counts.
        if told.is_empty() && (is_for_user || !places.is_empty()) {
            let scope = if scope == Scope::Project { " --scope project" } else { "" };
            told.push((State::Absent, unknown(client, scope)));
        }
        let finding = move |(state, detail)| Finding {
            section: "Clients",
            state,
            what: what.clone(),
            detail,
        };
        told.into_iter().map(finding).collect::<Vec<_>>()
    };
    let mut findings: Vec<_> = places.flat_map(look).collect();
    if findings.is_empty() {
        let detail = "`scenewright install --list` names those that are known".to_owned();
        let what = "none found".to_owned();
        findings.push(Finding { section: "Clients", state: State::Absent, what, detail });
    }
    findings
}

fn unknown(client: &Client, scope: &str) -> String {
    format!("does not know scenewright; `scenewright install {}{scope}` tells it", client.id)
}

/// What a client's file would come to, one answer for each entry about us.
fn judge(place: &Place, here: &Path, scope: Scope) -> Vec<(State, String)> {
    let settings = match read(place) {
        Ok(settings) => settings,
        Err(problem) => {
            let shown = place.path.display();
            let detail = format!("{shown} {problem}; nothing in it counts until that is mended");
            return vec![(State::Bad, detail)];
        }
    };
    let ours = clients::servers(place.form, &settings, here);
    ours.map(|server| try_out(server, here, scope)).collect()
}

fn read(place: &Place) -> Result<Value, String> {
    let text = std::fs::read(&place.path).map_err(|error| format!("cannot be read: {error}"))?;
    let language = place.form.language();
    file::read(place.form, &text).map_err(|refused| match refused {
        Refused::Broken(why) | Refused::Taken(why) => format!("is not valid {language}: {why}"),
    })
}

/// Do what the client would do.
fn try_out(server: &Map<String, Value>, here: &Path, scope: Scope) -> (State, String) {
    let Some((command, args)) = clients::launch(server) else {
        let token = server.get("headers").and_then(|headers| headers["Authorization"].as_str());
        let token = token.and_then(|token| token.strip_prefix("Bearer "));
        let url = server.get("url").and_then(Value::as_str);
        return try_address(url.unwrap_or_default(), token);
    };
    let is_path = command.contains(['/', '\\']);
    let program = if is_path { Some(here.join(command)) } else { os::find_program(command) };
    let Some(program) = program.filter(|program| program.is_file()) else {
        let own = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("scenewright"));
        let place = if is_path { "is not there" } else { "is not on PATH" };
        let detail = format!("its command {command} {place}; this one is {}", own.display());
        return (State::Bad, detail);
    };
    // Whoever made this folder may have named any program; only ours is started, and not theirs.
    let is_ours = program.file_stem().is_some_and(|stem| stem == "scenewright") || is_own(&program);
    if !is_ours || (scope == Scope::Project && program.starts_with(here)) {
        let detail = format!(
            "knows scenewright, but {command} was not started for a try, because it may be any \
             program; run it in a terminal to see whether it answers"
        );
        return (State::Absent, detail);
    }
    match shake_hands(&program, &args, server, here) {
        Ok(who) => (State::Good, format!("{command} starts and answers as {who}")),
        Err(why) => (State::Bad, format!("{command} does not answer: {why}; try it in a terminal")),
    }
}

/// Whether a program is this one, under whatever name.
fn is_own(program: &Path) -> bool {
    let own = std::env::current_exe().and_then(|own| own.canonicalize());
    own.is_ok_and(|own| program.canonicalize().is_ok_and(|program| program == own))
}

fn try_address(url: &str, token: Option<&str>) -> (State, String) {
    match url.parse::<Address>() {
        Ok(address) if attach::is_there(&address) => match attach::is_ours(&address, token) {
            true => (State::Good, format!("scenewright answers at {url}")),
            false => (
                State::Bad,
                format!(
                    "something is at {url}, but does not answer as scenewright: another program has \
                     that port, or the Authorization header has not the server's token"
                ),
            ),
        },
        Ok(address) => {
            let (host, port) = address.target();
            let detail = format!(
                "nobody answers at {url}; `scenewright serve --http {host}:{port}` serves there"
            );
            (State::Absent, detail)
        }
        Err(_) => (State::Absent, format!("knows scenewright at {url}, which was not tried")),
    }
}

/// Start the server as its client would, and hear who answers.
fn shake_hands(
    program: &Path,
    args: &[&str],
    server: &Map<String, Value>,
    here: &Path,
) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(here);
    let env = ["env", "environment"].iter().find_map(|key| server.get(*key)?.as_object());
    let env = env.into_iter().flatten();
    command.envs(env.filter_map(|(name, value)| Some((name, value.as_str()?))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Ended(command.spawn().map_err(|error| error.to_string())?);
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "scenewright doctor", "version": env!("CARGO_PKG_VERSION") },
    } });
    // A server that has ended already says why elsewhere.
    let mut input = child.0.stdin.take();
    let _ = input.as_mut().map(|input| writeln!(input, "{hello}"));
    let answer = first_line(&mut child.0).ok_or_else(|| {
        let _ = child.0.kill();
        last_words(&mut child.0)
    })?;
    let answer: Value = serde_json::from_str(&answer)
        .map_err(|_| format!("it says {answer:?}, which is no message"))?;
    let who = &answer["result"]["serverInfo"];
    match (who["name"].as_str(), who["version"].as_str()) {
        (Some(name), Some(version)) => Ok(format!("{name} {version}")),
        _ => Err(answer["error"]["message"].as_str().unwrap_or("it is no MCP server").to_owned()),
    }
}

/// What it says first, if it does in time.
fn first_line(child: &mut Child) -> Option<String> {
    let output = BufReader::new(child.stdout.take()?);
    let (send, line) = mpsc::channel();
    std::thread::spawn(move || send.send(output.lines().next()));
    line.recv_timeout(PATIENCE).ok()??.ok()
}

/// Why it ended, in its own words.
fn last_words(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(stderr) = child.stderr.take() {
        let _ = stderr.take(64 * 1024).read_to_string(&mut said);
    }
    let why = said.lines().find_map(|line| line.strip_prefix("error: "));
    why.or_else(|| said.lines().next_back()).unwrap_or("it says nothing").to_owned()
}

/// A process that ends with us.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
