//! A server on a copy of the sample, asked over its pipes as a client would.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};
use xtask::server::Server;

use crate::sandbox::Sandbox;

/// An import on a busy machine takes its time.
const LIMIT: Duration = Duration::from_secs(300);

pub(crate) struct Session {
    server: Server,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
}

/// What a tool answered.
pub(crate) enum Reply {
    Done(Value),
    /// An error, in words.
    Refused(String),
}

impl Session {
    pub(crate) fn start(scenewright: &Path, copy: &Sandbox, godot: &Path) -> Result<Session> {
        let mut command = Command::new(scenewright);
        command
            .args([
                "serve",
                "--stdio",
                "--structured",
                "--allow-writes",
                "--allow-runs",
                "--project",
            ])
            .arg(copy.root());
        command.env("GODOT_PATH", godot);
        let (server, stdin, stdout) = Server::start_stdio(copy.at_home(&mut command), LIMIT)?;
        Ok(Session { server, stdin, stdout: BufReader::new(stdout), next_id: 1 })
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Reply> {
        let id = self.next_id;
        self.next_id += 1;
        let params = json!({ "name": tool, "arguments": arguments });
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        writeln!(self.stdin, "{message}")?;
        let mut line = String::new();
        loop {
            line.clear();
            let length = self.stdout.read_line(&mut line)?;
            ensure!(length > 0, "the server ended: {}", self.server.stderr_tail());
            let mut answer: Value = serde_json::from_str(&line)?;
            // Everything else is a notification.
            if answer["id"] == id {
                return reply(answer["result"].take(), &answer);
            }
        }
    }

    /// Let the server end by itself: it takes along the games that it started.
    pub(crate) fn end(self) -> Result<()> {
        drop(self.stdin);
        self.server.wait()
    }
}

fn reply(mut result: Value, answer: &Value) -> Result<Reply> {
    if result["isError"] == true {
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        return Ok(Reply::Refused(text.to_owned()));
    }
    // Beside a picture the data is a text.
    let of_picture = || -> Option<Value> {
        let parts = result["content"].as_array()?;
        parts.iter().find(|part| part["type"] == "image")?;
        serde_json::from_str(parts.first()?["text"].as_str()?).ok()
    };
    let data = of_picture().unwrap_or_else(|| result["structuredContent"].take());
    match data {
        Value::Null => bail!("this is no answer of a tool: {answer}"),
        output => Ok(Reply::Done(output)),
    }
}
