//! Standard MCP, every version: the `rmcp` crate speaks the protocol, this module answers.
//!
//! [`Handler`] is what `rmcp` calls; it turns each request into a question to the
//! [`Host`] and the answer into MCP's shapes (`render`). The router in front
//! (`check`, `raw_id`) answers what `rmcp`'s typed parse would lose.

mod call;
mod confirm;
mod fixtures;
mod handler;
mod plain;
pub(crate) mod raw_id;
mod render;
mod report;
mod service;
mod single;
mod subscriptions;
pub(crate) mod weight;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, Implementation, RequestStateCodec};
use rmcp::service::{RunningService, serve_directly};
use rmcp::{RoleServer, model as m};
use scenewright_contract::call::Reads;
use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, Listener, Origin, Safety, ToolError, bounds};
use tokio::sync::mpsc;

use crate::envelope::{self, Envelope, Id, Members};
use crate::host::{Changes, Host, Identity};
use crate::mcp::service::McpService;
use crate::session::Pipe;

pub use handler::Handler;
pub(crate) use plain::{Plain, PlainCalls};
pub(crate) use render::tool as render;
pub(crate) use report::LogLevel;
pub(crate) use single::answer as answer_single;

/// Messages waiting for `rmcp` before a conversation is held up.
const INBOX: usize = 64;

/// What all MCP conversations of a server share.
pub struct Shared {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) changes: Changes,
    /// Seals what travels through the client while a person is asked.
    pub(crate) seal: RequestStateCodec,
    pub(crate) fixtures: bool,
    /// The list and the edition that it is of: it is asked for far more often than it changes.
    listed: Mutex<(u64, Arc<Vec<m::Tool>>)>,
    /// Every name of the tools that only read, and whether they answer at once.
    pub(crate) plain: HashMap<String, bool>,
    /// What we tell clients about ourselves, but for the instructions; the stateless protocol asks with
    /// every request.
    config: m::ServerConfig,
    pub(crate) server_info: serde_json::Value,
}

impl Shared {
    pub(crate) fn new(host: Arc<dyn Host>, changes: Changes, fixtures: bool) -> Arc<Self> {
        let mut key = [0_u8; 32];
        getrandom::fill(&mut key).expect("the operating system gives random bytes");
        let listed = Mutex::new((host.edition(), Arc::new(listed(&*host, fixtures))));
        let seal = RequestStateCodec::try_new(key).expect("32 bytes are long enough");
        let plain = host
            .catalog()
            .into_iter()
            .filter(|tool| tool.safety == Safety::ReadOnly && !tool.delegates)
            .flat_map(|tool| {
                [(tool.id.to_owned(), tool.instant), (tool.mcp_name.clone(), tool.instant)]
            })
            .collect();
        let config = config(&host.identity(), fixtures);
        let server_info = serde_json::json!(config.server_info);
        Arc::new(Self { host, changes, seal, fixtures, listed, plain, config, server_info })
    }

    /// What we tell clients about ourselves now.
    pub(crate) fn config(&self) -> m::ServerConfig {
        self.config.clone().with_instructions(&*self.host.identity().instructions)
    }

    /// The tools that clients see listed, by name.
    pub(crate) fn tools(&self) -> Arc<Vec<m::Tool>> {
        let mut known = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let edition = self.host.edition();
        if known.0 != edition {
            *known = (edition, Arc::new(listed(&*self.host, self.fixtures)));
        }
        known.1.clone()
    }
}

/// One tool of the list.
struct Shown {
    /// Whether it serves projects of one engine only.
    is_of_engine: bool,
    /// Whether it changes something, which is what a server that allows it is for.
    writes: bool,
    tool: m::Tool,
}

impl Shown {
    fn bytes(&self) -> usize {
        serde_json::to_vec(&self.tool).map_or(0, |json| json.len() + 1)
    }

    fn make_bare(&mut self) {
        let mut input = (*self.tool.input_schema).clone();
        bounds::bare(&mut input);
        self.tool.input_schema = Arc::new(input);
        // What the protocol takes for granted.
        if let Some(hints) = &mut self.tool.annotations {
            hints.read_only_hint.take_if(|is| !*is);
            hints.destructive_hint.take_if(|is| *is);
            hints.idempotent_hint.take_if(|is| !*is);
        }
    }
}

/// The list. Where it would be too long, it says less of each argument; where that does not do, the
/// largest entries of single engines are left out, those that change something last: they are found
/// by search, and called by name all the same.
fn listed(host: &dyn Host, fixtures: bool) -> Vec<m::Tool> {
    /// What is around the entries.
    const AROUND: usize = 150;
    let shown = host.catalog().into_iter().filter(|tool| host.is_listed(tool));
    let mut shown: Vec<Shown> = shown
        .map(|info| Shown {
            is_of_engine: info.engine.is_some(),
            writes: info.safety != Safety::ReadOnly,
            tool: render::tool(info),
        })
        .collect();
    if let Some(most) = host.list_bytes() {
        let is_too_long =
            |shown: &[Shown]| shown.iter().map(Shown::bytes).sum::<usize>() + AROUND > most;
        if is_too_long(&shown) {
            shown.iter_mut().for_each(Shown::make_bare);
        }
        while is_too_long(&shown) {
            let of_engine = shown.iter().enumerate().filter(|(_, one)| one.is_of_engine);
            let Some((largest, _)) = of_engine.max_by_key(|(_, one)| (!one.writes, one.bytes()))
            else {
                break;
            };
            shown.remove(largest);
        }
    }
    let mut tools: Vec<m::Tool> = shown.into_iter().map(|one| one.tool).collect();
    if fixtures {
        tools.extend(fixtures::tools());
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

/// Marks an HTTP request whose address asks for data beside the text.
#[derive(Clone, Copy)]
pub(crate) struct WantsData;

impl Shared {
    /// What a client of this version reads. Structured content is for programs that ask for it: most clients that get
    /// both show their model only one of them, or the same twice. What comes in frames are programs, which read JSON.
    pub(crate) fn reads(&self, listener: Listener, version: Option<&str>, asks: bool) -> Reads {
        /// The first version with structured content.
        const STRUCTURED: &str = "2025-06-18";
        let has_it = version.is_none_or(|version| version >= STRUCTURED);
        match has_it && (asks || self.host.gives_data()) {
            true => Reads::Both,
            false if listener == Listener::Framed => Reads::Data,
            false => Reads::Text,
        }
    }
}

#[expect(deprecated, reason = "MCP deprecates logging, but every deployed client still has it")]
fn config(identity: &Identity, fixtures: bool) -> m::ServerConfig {
    let capabilities = m::ServerCapabilities::builder()
        .enable_logging()
        .enable_completions()
        .enable_prompts()
        .enable_prompts_list_changed()
        .enable_resources()
        .enable_resources_list_changed()
        .enable_resources_subscribe()
        .enable_tools()
        .enable_tool_list_changed()
        .build();
    let ourselves = Implementation::new(identity.name, identity.version).with_title(identity.title);
    m::ServerConfig::new(fixtures::capabilities(capabilities, fixtures))
        .with_protocol_version(m::ProtocolVersion::V_2025_11_25)
        .with_server_info(ourselves)
}

/// One running MCP conversation.
pub(crate) struct Conversation {
    inbox: mpsc::Sender<ClientJsonRpcMessage>,
    running: RunningService<RoleServer, McpService>,
}

impl Conversation {
    /// Start `rmcp` on a pipe. The handshake is an ordinary request to the handler, so that a
    /// client may also leave it out, repeat it, or speak the stateless protocol beside it.
    pub(crate) fn start(shared: &Arc<Shared>, origin: Origin, level: LogLevel, pipe: Pipe) -> Self {
        let (inbox, messages) = mpsc::channel(INBOX);
        let service = McpService(Handler::new(shared.clone(), origin, level));
        Self { inbox, running: serve_directly(service, pipe.transport(messages), None) }
    }

    /// Hand on a message; false when the conversation is over.
    pub(crate) async fn send(&self, message: ClientJsonRpcMessage) -> bool {
        self.inbox.send(message).await.is_ok()
    }

    /// Let the calls that run come to an end.
    pub(crate) async fn finish(self) {
        drop(self.inbox);
        let _ = self.running.waiting().await;
    }
}

/// What must hold of any MCP message and what `rmcp` would not answer as it should.
pub(crate) fn check(message: &Envelope<'_>) -> Result<(), ToolError> {
    message.versioned.clone()?;
    if matches!(message.id, Id::Null | Id::Invalid) {
        let problem = "Invalid request: id must be a string or a number";
        return Err(ToolError::new(ErrorKind::InvalidRequest, problem));
    }
    if message.params.is_some_and(|params| !params.get().starts_with('{')) {
        return Err(bad_params(&message.method, "params must be an object"));
    }
    Ok(())
}

/// The parameters of `method` are not what it takes.
pub(crate) fn bad_params(method: &str, problem: &str) -> ToolError {
    let (method, problem) = (brief(method), brief(problem));
    ToolError::new(ErrorKind::BadEnvelope, format!("Invalid params for {method}: {problem}"))
}

/// The protocol version that an `initialize` asks for.
pub(crate) fn requested_version<'a>(message: &Envelope<'a>) -> Option<&'a str> {
    let version = message.members.as_ref()?.one(&["protocolVersion"]).ok()??;
    serde_json::from_str(version.get()).ok()
}

/// What the client of an `initialize` calls itself.
pub(crate) fn client_name(message: &Envelope<'_>) -> Option<String> {
    let client = message.members.as_ref()?.one(&["clientInfo"]).ok()??;
    let name = Members::of(client)?.one(&["name"]).ok()??;
    envelope::text(name).map(|name| brief(&name).into_owned())
}

/// Whether the client of an `initialize` says that it can tell which folders it works in.
pub(crate) fn tells_folders(message: &Envelope<'_>) -> bool {
    let told = || {
        let can = message.members.as_ref()?.one(&["capabilities"]).ok()??;
        let roots = Members::of(can)?.one(&["roots"]).ok()??;
        Some(roots.get().starts_with('{'))
    };
    told().unwrap_or_default()
}

/// An error of ours as a protocol error.
pub(crate) fn protocol_error(error: &ToolError) -> rmcp::ErrorData {
    let code = match crate::errors::of(error.kind).mcp {
        crate::errors::McpForm::Error(code) => code,
        crate::errors::McpForm::Result => -32603,
    };
    let mut data = serde_json::json!({ "kind": error.kind.as_str() });
    for (key, value) in error.details.iter() {
        data[key] = value.clone();
    }
    rmcp::ErrorData::new(m::ErrorCode(code), error.text(), Some(data))
}
