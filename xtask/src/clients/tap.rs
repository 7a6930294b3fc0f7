//! Stands where the server is, passes everything on and keeps it. It is this program under another name: a file beside
//! it says what to do.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The file beside the program.
const ORDERS: &str = "tap.json";
/// So long the server may take to end when its client has left.
const END_LIMIT: Duration = Duration::from_secs(5);

/// What a tap does.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Orders {
    pub(super) server: PathBuf,
    /// Where a file for each server goes.
    pub(super) folder: PathBuf,
    /// Given to the server behind what the client gives it.
    pub(super) more: Vec<String>,
    pub(super) spoil: Spoil,
}

/// What becomes of answers on their way to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Spoil {
    Nothing,
    /// The middle of each text is lost.
    Cut,
    /// Each text comes twice.
    Double,
}

/// A message on its way, as it was before it was spoiled.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Passed {
    /// Milliseconds since 1970, to put what several servers said in order.
    pub(super) at: u128,
    pub(super) from_client: bool,
    pub(super) message: Value,
}

/// Put a tap where clients look for the server.
pub(super) fn install(place: &Path, orders: &Orders) -> Result<()> {
    let own = std::env::current_exe()?;
    if fs::hard_link(&own, place).is_err() {
        fs::copy(&own, place).with_context(|| place.display().to_string())?;
    }
    let file = place.with_file_name(ORDERS);
    Ok(fs::write(file, serde_json::to_vec(orders)?)?)
}

/// Whether this program was started as a tap; then it has done its work.
pub(crate) fn stand_in() -> Option<ExitCode> {
    let orders = std::env::current_exe().ok()?.with_file_name(ORDERS);
    let orders: Orders = serde_json::from_slice(&fs::read(orders).ok()?).ok()?;
    Some(match pass(&orders) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tap: {error:#}");
            ExitCode::FAILURE
        }
    })
}

fn pass(orders: &Orders) -> Result<()> {
    let log = Arc::new(log(&orders.folder)?);
    let mut command = Command::new(&orders.server);
    command.args(std::env::args_os().skip(1)).args(&orders.more);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let stdin = server.stdin.take().context("it is piped")?;
    let stdout = server.stdout.take().context("it is piped")?;
    let kept = Arc::clone(&log);
    // Left behind when the server ends first: nothing else ends a read of stdin.
    thread::spawn(move || forward(&kept, stdin));
    let spoil = orders.spoil;
    let back = thread::spawn(move || bring_back(&log, stdout, spoil));
    let ended = back.join().map_err(|_| anyhow::anyhow!("the way back panicked"))?;
    // Its output has ended, so it is about to.
    let started = SystemTime::now();
    while server.try_wait()?.is_none() {
        if started.elapsed().is_ok_and(|waited| waited > END_LIMIT) {
            server.kill()?;
        }
        thread::sleep(Duration::from_millis(5));
    }
    ended
}

/// A file of its own for each server that the client starts.
fn log(folder: &Path) -> Result<File> {
    for number in 1.. {
        match File::create_new(folder.join(format!("mcp-{number}.jsonl"))) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.context("no file for what passes"),
        }
    }
    unreachable!("numbers do not end")
}

fn keep(mut log: &File, from_client: bool, message: Value) -> Result<()> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let passed = Passed { at: since.as_millis(), from_client, message };
    let mut line = serde_json::to_vec(&passed)?;
    line.push(b'\n');
    // In one piece: the other way writes here, too.
    Ok(log.write_all(&line)?)
}

/// To the server, until the client leaves.
fn forward(log: &File, mut server: ChildStdin) -> Result<()> {
    let mut client = BufReader::new(std::io::stdin());
    let mut line = Vec::new();
    while client.read_until(b'\n', &mut line)? > 0 {
        keep(log, true, serde_json::from_slice(&line).unwrap_or_default())?;
        server.write_all(&line)?;
        server.flush()?;
        line.clear();
    }
    Ok(())
}

/// To the client, until the server ends.
fn bring_back(log: &File, server: impl Read, spoil: Spoil) -> Result<()> {
    let mut server = BufReader::new(server);
    let mut client = std::io::stdout();
    let mut line = Vec::new();
    while server.read_until(b'\n', &mut line)? > 0 {
        let sent: Value = serde_json::from_slice(&line).unwrap_or_default();
        let mut message = sent.clone();
        leave_out_fixtures(&mut message);
        keep(log, false, message.clone())?;
        spoiled(&mut message, spoil);
        if message != sent {
            line = format!("{message}\n").into_bytes();
        }
        let written = client.write_all(&line);
        // A client that has left wants no more.
        if written.and_then(|()| client.flush()).is_err() {
            return Ok(());
        }
        line.clear();
    }
    Ok(())
}

/// Of the fixtures only the picture is called; the others, which have no annotations, are not what people have listed.
fn leave_out_fixtures(message: &mut Value) {
    if let Some(tools) = message.pointer_mut("/result/tools").and_then(Value::as_array_mut) {
        tools.retain(|tool| {
            tool.get("annotations").is_some() || tool["name"] == "test_image_content"
        });
    }
}

fn spoiled(message: &mut Value, spoil: Spoil) {
    let blocks = message.pointer_mut("/result/content").and_then(Value::as_array_mut);
    let Some(blocks) = blocks else { return };
    match spoil {
        Spoil::Nothing => {}
        // In the same block: some clients pass on the first one alone.
        Spoil::Double => {
            for block in blocks.iter_mut().filter(|block| block["text"].is_string()) {
                let text = block["text"].as_str().unwrap_or_default();
                block["text"] = json!(format!("{text}\n{text}"));
            }
        }
        Spoil::Cut => {
            for block in blocks.iter_mut().filter(|block| block["text"].is_string()) {
                let text: Vec<char> = block["text"].as_str().unwrap_or_default().chars().collect();
                let third = text.len() / 3;
                let left = text[..third].iter().chain(&text[text.len() - third..]);
                block["text"] = json!(left.collect::<String>());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_spoiled_as_ordered() {
        let message = json!({ "result": { "content": [{ "type": "text", "text": "abcdef" }] } });
        let after = |spoil| {
            let mut message = message.clone();
            spoiled(&mut message, spoil);
            message["result"]["content"].clone()
        };
        assert_eq!(after(Spoil::Nothing), message["result"]["content"]);
        assert_eq!(after(Spoil::Cut)[0]["text"], "abef");
        assert_eq!(after(Spoil::Double)[0]["text"], "abcdef\nabcdef");
    }

    #[test]
    fn fixtures_are_not_listed_but_for_the_picture() {
        let mut message = json!({ "result": { "tools": [
            { "name": "greet" }, { "name": "project_info", "annotations": {} }, { "name": "test_image_content" },
        ] } });
        leave_out_fixtures(&mut message);
        assert_eq!(message["result"]["tools"].as_array().map(Vec::len), Some(2));
    }
}
