//! What passed between a client and the servers that it started.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use super::tap::Passed;

const META: &str = "io.modelcontextprotocol/";

/// A call of a tool, and what the server sent back.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) tool: String,
    pub(super) result: Value,
}

impl Exchange {
    /// The data of its picture.
    pub(super) fn picture(&self) -> Option<&str> {
        let blocks = self.result["content"].as_array()?;
        blocks.iter().find(|block| block["type"] == "image")?["data"].as_str()
    }
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// How the client introduces itself.
    pub(super) name: String,
    /// The version that both agreed on.
    pub(super) protocol: String,
    /// Whether every request says it, without a handshake.
    pub(super) is_stateless: bool,
    /// What the client says that it can be asked for.
    pub(super) offers: Vec<String>,
    pub(super) instructions: String,
    pub(super) tools: Vec<String>,
    pub(super) exchanges: Vec<Exchange>,
}

/// Read what taps have kept.
pub(super) fn read(folder: &Path) -> Result<Traffic> {
    let mut passed: Vec<(usize, Passed)> = Vec::new();
    for (server, entry) in fs::read_dir(folder)?.enumerate() {
        // The last line may be half written when a client is ended.
        let text = fs::read_to_string(entry?.path())?;
        passed.extend(
            text.lines().filter_map(|line| Some((server, serde_json::from_str(line).ok()?))),
        );
    }
    passed.sort_by_key(|(_, passed)| passed.at);
    let mut traffic = Traffic::default();
    let mut asked: BTreeMap<(usize, String), Value> = BTreeMap::new();
    for (server, Passed { from_client, message, .. }) in passed {
        let key = (server, message["id"].to_string());
        match (from_client, message.get("method").is_some()) {
            (true, true) => {
                traffic.hear(&message["params"]);
                asked.insert(key, message);
            }
            (false, false) => {
                if let Some(request) = asked.remove(&key) {
                    traffic.answered(&request, &message);
                }
            }
            _ => {}
        }
    }
    Ok(traffic)
}

impl Traffic {
    /// What a request tells of its client.
    fn hear(&mut self, params: &Value) {
        let meta = &params["_meta"];
        let of_meta = |key: &str| &meta[format!("{META}{key}")];
        let (info, offers) = match of_meta("protocolVersion").as_str() {
            Some(version) => {
                (self.protocol, self.is_stateless) = (version.to_owned(), true);
                (of_meta("clientInfo"), of_meta("clientCapabilities"))
            }
            None => (&params["clientInfo"], &params["capabilities"]),
        };
        if let Some(name) = info["name"].as_str() {
            self.name = name.to_owned();
        }
        if let Some(offers) = offers.as_object() {
            self.offers = offers.keys().cloned().collect();
            self.offers.sort();
        }
    }

    fn answered(&mut self, request: &Value, answer: &Value) {
        let result = &answer["result"];
        if let Some(words) = result["instructions"].as_str() {
            self.instructions = words.to_owned();
        }
        match request["method"].as_str() {
            Some("initialize") => {
                self.protocol = result["protocolVersion"].as_str().unwrap_or_default().to_owned();
                self.is_stateless = false;
            }
            Some("tools/list") => {
                let tools = result["tools"].as_array().into_iter().flatten();
                self.tools =
                    tools.filter_map(|tool| Some(tool["name"].as_str()?.to_owned())).collect();
            }
            Some("tools/call") => {
                let tool = request["params"]["name"].as_str().unwrap_or_default().to_owned();
                // An error of the protocol is no answer of a tool.
                let result = answer.get("result").unwrap_or(&answer["error"]).clone();
                self.exchanges.push(Exchange { tool, result });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn write(folder: &Path, messages: &[(bool, Value)]) {
        fs::create_dir_all(folder).unwrap();
        let lines = messages.iter().enumerate().map(|(at, (from_client, message))| {
            let passed =
                Passed { at: at as u128, from_client: *from_client, message: message.clone() };
            serde_json::to_string(&passed).unwrap() + "\n"
        });
        fs::write(folder.join("mcp-1.jsonl"), lines.collect::<String>() + "{\"at\":").unwrap();
    }

    #[test]
    fn tells_both_ways_of_introducing_oneself() {
        let folder = crate::paths::target().join("clients-traffic-test");
        let call = json!({ "id": 2, "method": "tools/call", "params": { "name": "t" } });
        let answer = json!({ "id": 2, "result": { "content": [] } });
        let hello = json!({ "id": 1, "method": "initialize", "params": {
            "clientInfo": { "name": "old" }, "capabilities": { "roots": {}, "elicitation": {} } } });
        let welcome =
            json!({ "id": 1, "result": { "protocolVersion": "2025-06-18", "instructions": "i" } });
        write(&folder, &[(true, hello), (false, welcome), (true, call.clone()), (false, answer)]);
        let traffic = read(&folder).unwrap();
        assert_eq!((&*traffic.name, &*traffic.protocol), ("old", "2025-06-18"));
        assert_eq!(traffic.offers, ["elicitation", "roots"]);
        assert_eq!((traffic.exchanges.len(), &*traffic.instructions), (1, "i"));

        let mut call = call;
        call["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "new" },
        });
        write(&folder, &[(true, call)]);
        let traffic = read(&folder).unwrap();
        assert_eq!(
            (&*traffic.name, &*traffic.protocol, traffic.is_stateless),
            ("new", "2026-07-28", true)
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
