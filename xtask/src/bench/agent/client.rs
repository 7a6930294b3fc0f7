//! An agent's end of the line: standard MCP over stdio, with a count of what a model would read and write.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::older;
use super::task::Way;
use crate::bench::call::{self, Call};
use crate::bench::pipe::Pipe;
use crate::binary;
use crate::server::Server;

const LIMIT: Duration = Duration::from_secs(300);
/// So long a server may take to end what it started.
const END_LIMIT: Duration = Duration::from_secs(10);
/// What one token is counted as.
const BYTES_PER_TOKEN: usize = 4;

/// What was said so far, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) calls: usize,
    /// The arguments of calls.
    pub(crate) bytes_in: usize,
    /// Texts and data of answers. Pictures are counted by nobody in bytes.
    pub(crate) bytes_out: usize,
}

impl Cost {
    pub(crate) fn tokens_in(&self) -> usize {
        self.bytes_in.div_ceil(BYTES_PER_TOKEN)
    }

    pub(crate) fn tokens_out(&self) -> usize {
        self.bytes_out.div_ceil(BYTES_PER_TOKEN)
    }
}

/// What a tool said.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) is_error: bool,
    pub(crate) text: String,
    /// Of the tool that was asked for, also when another one called it.
    pub(crate) data: Value,
    /// In base64.
    pub(crate) pictures: Vec<String>,
}

/// A conversation with a server of its own.
pub(crate) struct Agent {
    server: Server,
    pipe: Pipe,
    next_id: u64,
    listed: BTreeSet<String>,
    /// What the server said to begin with.
    words: String,
    pub(crate) list_bytes: usize,
    pub(crate) cost: Cost,
    /// Whether it is an older binary that is asked.
    pub(crate) is_older: bool,
}

impl Agent {
    /// Start a server on a project, shake hands and read its list of tools. What it keeps for itself
    /// lies in `home`.
    pub(crate) fn start(
        binary: &Path,
        project: &Path,
        home: &Path,
        godot: Option<&Path>,
    ) -> Result<Agent> {
        let options = ["--stdio", "--allow-writes", "--allow-runs", "--project"];
        let mut command = binary::serve(binary, &options);
        command.arg(project).env("HOME", home).env("APPDATA", home).env("LOCALAPPDATA", home);
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        // A Godot of this machine is not to be found where none was asked for.
        command.env("GODOT_PATH", godot.unwrap_or(Path::new("")));
        let (server, stdin, stdout) = Server::start_stdio(&mut command, LIMIT)?;
        let pipe = Pipe::stdio(stdin, stdout);
        let (listed, cost) = (BTreeSet::new(), Cost::default());
        let mut agent = Agent {
            server,
            pipe,
            next_id: 1_000_000,
            listed,
            words: String::new(),
            list_bytes: 0,
            cost,
            is_older: false,
        };
        let hello = agent.ask(&call::initialize())?;
        let words = hello["result"]["instructions"].as_str().unwrap_or_default();
        agent.words = words.to_owned();
        agent.pipe.send(call::INITIALIZED)?;
        let list = agent.ask(&Call::new("tools/list", &json!({})))?;
        agent.list_bytes = list.to_string().len();
        let tools = list["result"]["tools"].as_array().context("no list of tools")?;
        agent.listed = tools.iter().filter_map(|t| Some(t["name"].as_str()?.to_owned())).collect();
        Ok(agent)
    }

    /// Let it end by itself, so that games and editors that it started end with it.
    pub(crate) fn end(self) {
        drop(self.pipe);
        self.server.end(END_LIMIT);
    }

    /// Whether an agent knows of a tool from the start: it is listed, or the first words name it.
    pub(crate) fn knows(&self, tool: &str) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        self.listed.contains(tool) || self.words.split(|c| !is_name(c)).any(|word| word == tool)
    }

    /// Call a tool; an older binary in the words that it knows.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value, way: Way) -> Result<Answer> {
        if !self.is_older {
            return self.call_as_is(tool, arguments, way);
        }
        let (tool, arguments) = older::words(tool, arguments);
        let before = self.cost;
        let answer = self.call_as_is(&tool, &arguments, way)?;
        let fewer = older::without_unknown(&arguments, &answer.text);
        let Some(fewer) = fewer.filter(|_| answer.is_error) else { return Ok(answer) };
        self.cost = before;
        self.call_as_is(&tool, &fewer, way)
    }

    /// Call a tool: itself where it is listed, and otherwise through the one that calls any.
    fn call_as_is(&mut self, tool: &str, arguments: &Value, way: Way) -> Result<Answer> {
        let is_listed = self.listed.contains(tool);
        let through = match way {
            Way::Reads if self.listed.contains("tools_read") => "tools_read",
            _ => "tools_call",
        };
        let wrapped = json!({ "tool": tool, "arguments": arguments });
        let (name, sent) = if is_listed { (tool, arguments) } else { (through, &wrapped) };
        self.cost.calls += 1;
        self.cost.bytes_in += sent.to_string().len();
        let mut message = self.ask(&Call::tool(name, sent))?;
        if let Some(error) = message.get("error") {
            let text = error["message"].as_str().unwrap_or_default().to_owned();
            self.cost.bytes_out += error.to_string().len();
            return Ok(Answer { is_error: true, text, ..Answer::default() });
        }
        let result = message["result"].take();
        self.cost.bytes_out += content_bytes(&result);
        Ok(read_answer(result, !is_listed))
    }

    fn ask(&mut self, call: &Call) -> Result<Value> {
        self.next_id += 1;
        self.pipe.send(&call.with_id(self.next_id))?;
        loop {
            let message = self.pipe.next_message();
            let message = message.with_context(|| self.server.stderr_tail())?;
            let message: Value = serde_json::from_slice(message).context("no JSON")?;
            if message["id"] == self.next_id {
                return Ok(message);
            }
            if message.get("method").is_none() {
                bail!("an answer to nothing: {message}");
            }
        }
    }
}

/// The bytes of an answer that reach a model. The data is there because the checks of the tasks read it; a model's client
/// does not ask for it.
pub(crate) fn content_bytes(result: &Value) -> usize {
    let parts = result["content"].as_array().into_iter().flatten();
    parts.filter_map(|part| part["text"].as_str()).map(str::len).sum()
}

fn read_answer(mut result: Value, is_wrapped: bool) -> Answer {
    let parts = result["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = parts.clone().filter_map(|part| part["text"].as_str()).collect();
    let text = texts.join("\n");
    let pictures = parts.filter_map(|part| Some(part["data"].as_str()?.to_owned())).collect();
    let is_error = result["isError"] == true;
    let mut data = result["structuredContent"].take();
    if is_wrapped && data["output"].is_object() {
        data = data["output"].take();
    }
    Answer { is_error, text, data, pictures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reaches_a_model_is_counted() {
        let result = json!({
            "content": [
                { "type": "text", "text": "four" },
                { "type": "image", "data": "AAAA", "mimeType": "image/png" },
            ],
            "structuredContent": { "a": 1 },
        });
        assert_eq!(content_bytes(&result), 4);
        let cost = Cost { calls: 1, bytes_in: 9, bytes_out: 8 };
        assert_eq!((cost.tokens_in(), cost.tokens_out()), (3, 2));
    }

    #[test]
    fn an_answer_through_another_tool_is_that_of_the_tool() {
        let result = json!({
            "content": [{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }],
            "structuredContent": { "tool": "x", "output": { "count": 2 } },
        });
        let answer = read_answer(result, true);
        assert_eq!((&*answer.text, &answer.data["count"]), ("a\nb", &json!(2)));
    }
}
