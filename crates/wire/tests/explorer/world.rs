//! A host with a handful of tools and a world in which things can be made to happen.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use scenewright_contract::prompt::{Completion, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::tool::{LazyWords, Words};
use scenewright_contract::{
    Call, ErrorKind, JsonMap, Level, Limits, Origin, Outcome, Reserved, Runs, Safety, Tier,
    ToolError, ToolInfo,
};
use scenewright_wire::host::Answer;
use scenewright_wire::{Access, Changes, Event, Explorer, Host, Identity, Server, Token};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, broadcast};

/// The world, and the host around it.
pub(crate) struct World {
    identity: Identity,
    tools: Vec<ToolInfo>,
    writes: bool,
    events: broadcast::Sender<Event>,
    lines: Mutex<Vec<String>>,
    /// What the tool `Wait` waits for.
    pub(crate) gate: Arc<Semaphore>,
}

impl World {
    pub(crate) fn new(writes: bool) -> Arc<Self> {
        let tools = vec![
            tool("world.status", "GetStatus", Safety::ReadOnly),
            tool("world.fail", "Fail", Safety::ReadOnly),
            tool("world.wait", "Wait", Safety::ReadOnly),
            tool("world.setActive", "SetActive", Safety::SafeWrite),
            tool("world.refuse", "Refuse", Safety::SafeWrite),
        ];
        Arc::new(Self {
            identity: Identity {
                name: "world",
                title: "World",
                version: "0.0.0",
                instructions: "".into(),
            },
            tools,
            writes,
            events: broadcast::channel(8192).0,
            lines: Mutex::default(),
            gate: Arc::new(Semaphore::new(0)),
        })
    }

    /// Let something happen.
    pub(crate) fn emit(&self, name: &str, payload: Value) {
        let _ = self.events.send(Event { name: name.to_owned(), payload });
    }

    /// The log so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    /// The streams that the server listens for right now: two receivers, or none.
    pub(crate) fn is_heard(&self) -> bool {
        self.events.receiver_count() > 0
    }
}

/// A server in front of a world that only shows itself.
pub(crate) fn serve(world: &Arc<World>) -> Arc<Server> {
    serve_with(world, None, scenewright_wire::Limits::default())
}

pub(crate) fn serve_with(
    world: &Arc<World>,
    token: Option<&str>,
    limits: scenewright_wire::Limits,
) -> Arc<Server> {
    let access = Access { token: token.map(Token::unchecked) };
    Server::new(world.clone(), Changes::default(), access, limits, false)
}

/// Every kind of error by its name, as the tool `Fail` and the resource `unity://fail` make it.
fn failure(kind: &str) -> ToolError {
    let kind = ErrorKind::ALL.into_iter().find(|known| known.as_str() == kind);
    ToolError::new(kind.unwrap_or(ErrorKind::Internal), "as you wish").hint("ask for less")
}

fn tool(id: &'static str, explorer: &'static str, safety: Safety) -> ToolInfo {
    let schema = json!({ "type": "object", "properties": { "kind": { "type": "string" } } });
    let Value::Object(schema) = schema else { unreachable!("an object") };
    ToolInfo {
        id,
        mcp_name: id.replace('.', "_"),
        explorer: Some(explorer),
        aliases: &[],
        title: explorer,
        keywords: "",
        notes: None,
        category: "world",
        toolset: "world",
        engine: None,
        lean: true,
        tier: Tier::Core,
        safety,
        runs: Runs::No,
        delegates: false,
        idempotent: false,
        instant: false,
        limits: Limits::DEFAULT,
        words: LazyWords::new(move || Words {
            description: format!("{explorer}."),
            input: schema,
            output: JsonMap::new(),
            examples: Vec::new(),
        }),
    }
}

impl Host for World {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }

    fn catalog(&self) -> Vec<&ToolInfo> {
        let offered = |tool: &&ToolInfo| self.writes || tool.safety == Safety::ReadOnly;
        self.tools.iter().filter(offered).collect()
    }

    fn is_listed(&self, _: &ToolInfo) -> bool {
        true
    }

    fn call(&self, call: Call) -> Answer<Outcome> {
        let is = |name: &str| call.tool.eq_ignore_ascii_case(name);
        let catalog = self.catalog();
        let found = catalog.iter().find(|t| t.explorer.is_some_and(is) || is(&t.mcp_name));
        let result = match found.and_then(|tool| tool.explorer) {
            Some("GetStatus") => {
                Ok(json!({ "Version": "1", "Selection": call.arguments.get("echo") }))
            }
            Some("Wait") => {
                let gate = self.gate.clone();
                return Box::pin(async move {
                    let _ = gate.acquire().await;
                    Ok(Outcome::default())
                });
            }
            Some("SetActive") => {
                self.emit("selection", json!({ "ActiveId": "obj:1", "Items": [] }));
                Ok(json!({ "ok": true }))
            }
            Some("Refuse") => Ok(json!({
                "ok": false,
                "error": { "kind": "NotFound", "message": "Not found", "hint": null },
            })),
            Some(_) => {
                Err(failure(call.arguments.get("kind").and_then(Value::as_str).unwrap_or_default()))
            }
            // It exists, but this server lets nobody write.
            None if is("SetActive") => Err(ToolError::new(ErrorKind::Denied, "read-only")
                .hint("--allow-writes")
                .detail("setting", "allow-writes")),
            None => {
                let text = format!("Tool not found: {}", call.tool);
                Err(ToolError::new(ErrorKind::UnknownTool, text))
            }
        };
        let result =
            result.map(|output| Outcome { tool: "a", output: output.into(), ..Outcome::default() });
        Box::pin(std::future::ready(result))
    }

    fn reserve(&self, _: &Call) -> Result<Reserved, ToolError> {
        Ok(Reserved::default())
    }

    fn health(&self) -> Result<Value, ToolError> {
        Ok(json!({ "status": "ok" }))
    }

    fn resources(&self, _: &Origin) -> Answer<Vec<ResourceInfo>> {
        let info = |uri: &str| ResourceInfo {
            uri: uri.to_owned(),
            name: "Status".to_owned(),
            title: "Status".to_owned(),
            description: "How it is.".to_owned(),
            mime: "application/json",
        };
        let resources = vec![info("unity://status"), info("project://elsewhere")];
        Box::pin(std::future::ready(Ok(resources)))
    }

    fn templates(&self) -> &'static [TemplateInfo] {
        &[TemplateInfo {
            uri: "unity://object/{id}",
            name: "Object",
            title: "Object",
            description: "One object.",
            mime: "application/json",
        }]
    }

    fn read(&self, uri: String, _: &Origin) -> Answer<ResourceText> {
        let result = match uri.strip_prefix("unity://") {
            Some(rest) if rest.starts_with("status") => Ok(ResourceText {
                mime: "application/json",
                text: json!({ "Version": "1", "Asked": uri }).to_string(),
                uri,
            }),
            Some(rest) if rest.starts_with("fail/") => Err(failure(&rest["fail/".len()..])),
            _ => Err(ToolError::new(ErrorKind::ResourceNotFound, "resource not supported")),
        };
        Box::pin(std::future::ready(result))
    }

    fn prompts(&self) -> Vec<PromptInfo> {
        Vec::new()
    }

    fn prompt(&self, _: String, _: PromptValues, _: &Origin) -> Answer<String> {
        Box::pin(std::future::ready(Ok(String::new())))
    }

    fn complete(&self, _: Completion, _: &Origin) -> Answer<Vec<String>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn explorer(&self) -> Option<&dyn Explorer> {
        Some(self)
    }
}

impl Explorer for World {
    fn version(&self) -> &str {
        "4.12.8.0"
    }

    fn instructions(&self) -> &str {
        "Look around."
    }

    fn tools(&self) -> Vec<&ToolInfo> {
        self.tools.iter().collect()
    }

    fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    fn snapshot(&self) -> Answer<Vec<Event>> {
        let event = |name: &str, payload| Event { name: name.to_owned(), payload };
        let scenes = event("scenes", json!({ "Total": 0, "Items": [] }));
        let selection = event("selection", json!({ "ActiveId": null, "Items": [] }));
        Box::pin(async {
            // A real world may have to be waited for.
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok(vec![scenes, selection])
        })
    }

    fn log(&self, level: Level, category: Option<&'static str>, message: &str) {
        self.lines.lock().unwrap().push(message.to_owned());
        let level = format!("{level:?}").to_lowercase();
        self.emit("log", json!({ "level": level, "message": message, "category": category }));
    }
}
