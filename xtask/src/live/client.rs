//! A client of the real program over stdio, and what its tools said.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Ground;
use crate::bench::call::{self, Call};
use crate::bench::pipe::Pipe;
use crate::binary;
use crate::server::Server;

/// Longer than all cases together.
const LIMIT: Duration = Duration::from_secs(1800);

/// A server of its own on one project, and the conversation with it.
pub(crate) struct Client {
    server: Server,
    pipe: Pipe,
    next_id: u64,
}

impl Client {
    /// Serve a project. What the server keeps for itself lies beside the projects.
    pub(crate) fn start(ground: &Ground, project: &Path) -> Result<Client> {
        let options = [
            "--stdio",
            "--allow-writes",
            "--allow-runs",
            "--toolsets",
            "all",
            "--answer-tokens",
            "1000000",
            "--project",
        ];
        let home = ground.scratch.join("home");
        let mut command = binary::serve(&ground.binary, &options);
        command.arg(project).env("HOME", &home).env("APPDATA", &home).env("LOCALAPPDATA", &home);
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        command.env("GODOT_PATH", &ground.engine);
        let (server, stdin, stdout) = Server::start_stdio(&mut command, LIMIT)?;
        let mut client = Client { server, pipe: Pipe::stdio(stdin, stdout), next_id: 1 };
        client.exchange(&call::initialize())?;
        client.pipe.send(call::INITIALIZED)?;
        Ok(client)
    }

    /// What a tool gave back; a refusal is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        let mut result = self.ask(tool, arguments)?;
        ensure!(result["isError"] != true, "{tool} {arguments} failed: {}", text_of(&result));
        Ok(result["structuredContent"].take())
    }

    /// All that a good answer says, with texts and pictures.
    pub(crate) fn whole(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        let result = self.ask(tool, arguments)?;
        ensure!(result["isError"] != true, "{tool} {arguments} failed: {}", text_of(&result));
        Ok(result)
    }

    /// Why a tool refused; a good answer is an error.
    pub(crate) fn refusal(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        let result = self.ask(tool, arguments)?;
        let text = text_of(&result);
        ensure!(
            result["isError"] == true,
            "{tool} {arguments} was expected to be refused, and said: {text}"
        );
        Ok(text)
    }

    /// Begin a call whose answer is read with [`Client::answer`].
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> Result<()> {
        self.next_id += 1;
        self.pipe.send(&Call::tool(tool, arguments).with_id(self.next_id))
    }

    /// The answer to what was begun last: whether it is an error, and what it says.
    pub(crate) fn answer(&mut self) -> Result<(bool, String)> {
        let result = self.receive()?;
        Ok((result["isError"] == true, text_of(&result)))
    }

    /// The process of the server.
    pub(crate) fn pid(&self) -> u32 {
        self.server.pid()
    }

    fn ask(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        self.exchange(&Call::tool(tool, arguments))
    }

    fn exchange(&mut self, call: &Call) -> Result<Value> {
        self.next_id += 1;
        self.pipe.send(&call.with_id(self.next_id))?;
        self.receive()
    }

    /// The result, or an error of the protocol in the form of a tool's.
    fn receive(&mut self) -> Result<Value> {
        loop {
            let message = self.pipe.next_message().with_context(|| self.server.stderr_tail())?;
            let mut message: Value = serde_json::from_slice(message).context("no JSON")?;
            if message["id"] != self.next_id {
                continue;
            }
            if let Some(error) = message.get("error") {
                return Ok(json!({ "isError": true, "content": [{ "text": error["message"] }] }));
            }
            return Ok(message["result"].take());
        }
    }
}

/// The texts of an answer.
pub(super) fn text_of(result: &Value) -> String {
    let parts = result["content"].as_array().into_iter().flatten();
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}
