//! What `rmcp` calls for each request of a client.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rmcp::model as m;
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use scenewright_contract::call::{LARGE, Reads, fits_members};
use scenewright_contract::echo::brief;
use scenewright_contract::prompt::{Completion, PromptValues};
use scenewright_contract::{By, Consent, ErrorKind, Level, Listener, Origin, Outcome, ToolError};
use serde_json::Value;
use tokio::sync::broadcast::Receiver;

use crate::aside;
use crate::host::{Change, Question};
use crate::mcp::call::{self, Way};
use crate::mcp::confirm::{self, Asked, Returned};
use crate::mcp::report::LogLevel;
use crate::mcp::subscriptions::{self, Watched};
use crate::mcp::weight::Weight;
use crate::mcp::{Shared, WantsData, fixtures, protocol_error, render, report};
use crate::origin::{self, SESSION};
use crate::transport::http::VERSION;

/// A page of a list. All of today's lists fit on one.
const PAGE: usize = 250;
/// The first version without a handshake.
pub(super) const STATELESS: &str = "2026-07-28";
pub(super) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// A member of `_meta` by which a program asks for `structuredContent` beside the text.
const STRUCTURED: &str = "scenewright/structured";
/// What the stateless protocol no longer has.
const REMOVED: [&str; 5] =
    ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/// One conversation's handler.
pub struct Handler {
    pub(super) shared: Arc<Shared>,
    origin: Origin,
    level: LogLevel,
    watched: Watched,
    /// For each `subscriptions/listen` that is about to be acknowledged: its ear. A client may act
    /// on the acknowledgement before [`ServerHandler::listen`] runs, so the ear is older than it.
    ears: Mutex<VecDeque<Receiver<Change>>>,
}

impl Handler {
    /// A handler for one conversation, or for one request of a client without sessions.
    pub(crate) fn new(shared: Arc<Shared>, origin: Origin, level: LogLevel) -> Self {
        Self { shared, origin, level, watched: Watched::default(), ears: Mutex::default() }
    }

    fn ears(&self) -> MutexGuard<'_, VecDeque<Receiver<Change>>> {
        self.ears.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a request comes from. Over HTTP each says it anew.
    fn origin(&self, context: &RequestContext<RoleServer>) -> Origin {
        let mut origin = match context.extensions.get::<http::request::Parts>() {
            Some(head) => origin::of_http(&head.headers, &head.extensions, self.origin.dialect),
            None => self.origin.clone(),
        };
        // The stateless protocol says it with every request, and another client may be next.
        let client = context.meta.client_info().map(|client| client.name);
        let client = client.or_else(|| {
            let client = context.peer.peer_info().filter(|_| origin.who.client.is_none())?;
            Some(client.client_info.name.clone())
        });
        if let Some(client) = client {
            Arc::make_mut(&mut origin.who).client = Some(brief(&client).into_owned());
        }
        origin
    }

    /// Whether the request speaks the stateless protocol.
    pub(super) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
        context.protocol_version().is_some_and(|version| version.as_str() >= STATELESS)
    }

    /// Results of the stateless protocol say who answers; there is no handshake to say it in.
    fn meta(&self, context: &RequestContext<RoleServer>) -> Option<m::MetaObject> {
        Self::is_modern(context).then(|| {
            let mut meta = m::MetaObject::new();
            meta.insert(SERVER_INFO.to_owned(), self.shared.server_info.clone());
            meta
        })
    }

    /// The level from which on the client wants log lines; the stateless protocol says it with
    /// each request.
    pub(super) fn log_level(&self, context: &RequestContext<RoleServer>) -> Option<Level> {
        if Self::is_modern(context) {
            return context.meta.log_level().map(report::from_mcp);
        }
        Some(self.level.get())
    }

    /// What of an answer the client reads.
    fn reads(&self, origin: &Origin, context: &RequestContext<RoleServer>) -> Reads {
        let asks = context.meta.get(STRUCTURED) == Some(&Value::Bool(true))
            || of_http::<WantsData>(context).is_some();
        // Over HTTP `rmcp` takes a request without session and version for one of an old protocol, which it need not be.
        let head = context.extensions.get::<http::request::Parts>().map(|head| &head.headers);
        let is_known =
            head.is_none_or(|head| head.contains_key(VERSION) || head.contains_key(SESSION));
        let agreed = context.peer.peer_info().map(|client| client.protocol_version.clone());
        let version = context.protocol_version().or(agreed).filter(|_| is_known);
        let version = version.as_ref().map(|version| version.as_str());
        self.shared.reads(origin.listener, version, asks)
    }

    /// Run a tool, passing on what it reports while it runs.
    async fn run(
        &self,
        request: &m::CallToolRequestParams,
        consent: Option<Consent>,
        asks: bool,
        context: &RequestContext<RoleServer>,
    ) -> Result<Outcome, ToolError> {
        let token = context.meta.get_progress_token();
        let (sender, mut events) = report::channel(token.is_some(), self.log_level(context));
        let origin = self.origin(context);
        let reads = self.reads(&origin, context);
        let way = Way { origin, consent, asks, reads, reporter: Some(Arc::new(sender)) };
        let call = call::of_request(request, way);
        let cancel = call.cancel.clone();
        let mut answer = self.shared.host.call(call);
        let result = loop {
            tokio::select! {
                biased;
                Some(event) = events.recv() => event.send(&context.peer, token.as_ref()).await,
                result = &mut answer => break result,
                () = context.ct.cancelled() => {
                    cancel.cancel();
                    return Err(ToolError::cancelled());
                }
            }
        };
        while let Ok(event) = events.try_recv() {
            event.send(&context.peer, token.as_ref()).await;
        }
        result
    }

    async fn call(
        &self,
        request: m::CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<m::CallToolResponse, ErrorData> {
        let asks = confirm::can_ask(context);
        let consent = match confirm::returned(&self.shared, &request)? {
            Some(Returned::Declined) => {
                return Ok(render::failure(&self.declined(&request, context)).into());
            }
            Some(Returned::Agreed(shown)) => Some(Consent { by: By::Client, shown }),
            None => None,
        };
        let mut result = self.run(&request, consent, asks, context).await;
        if let Err(error) = &result
            && error.kind == ErrorKind::ConfirmRequired
            && asks
        {
            let plain = call::of_request(&request, Way::plain(self.origin(context)));
            let Question { text, shown } =
                match self.shared.host.question(plain, error.clone()).await {
                    Ok(question) => question,
                    // A person need not be asked about what would fail.
                    Err(error) => return Ok(render::failure(&error).into()),
                };
            let modern = Self::is_modern(context);
            match confirm::ask(&self.shared, &text, &shown, &request, context, modern).await? {
                Asked::Agreed => {
                    let consent = Consent { by: By::Client, shown };
                    result = self.run(&request, Some(consent), asks, context).await;
                }
                Asked::Declined => result = Err(self.declined(&request, context)),
                Asked::Later(question) => return Ok(question.into()),
                // It cannot ask after all, so it is as good as one that never said so.
                Asked::Failed => result = self.run(&request, None, false, context).await,
            }
        }
        render::response(&request.name, result).map(Into::into)
    }

    /// The person said no.
    fn declined(
        &self,
        request: &m::CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> ToolError {
        self.shared.host.declined(&call::of_request(request, Way::plain(self.origin(context))));
        ToolError::not_agreed()
    }
}

/// What the HTTP route has put beside a request.
fn of_http<T: Clone + Send + Sync + 'static>(context: &RequestContext<RoleServer>) -> Option<&T> {
    context.extensions.get::<http::request::Parts>()?.extensions.get()
}

fn is_large(request: &m::CallToolRequestParams) -> bool {
    request.arguments.as_ref().is_some_and(|arguments| !fits_members(arguments, &mut { LARGE }))
}

pub(super) fn not_found(method: &str) -> ErrorData {
    let message = format!("Method not found: {}", brief(method));
    ErrorData::new(m::ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// One page of `items` and the cursor of the next.
fn page<T>(
    items: Vec<T>,
    request: Option<m::PaginatedRequestParams>,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let start = match request.and_then(|request| request.cursor) {
        None => 0,
        Some(cursor) => {
            from_cursor(&cursor).filter(|start| *start <= items.len()).ok_or_else(|| {
                ErrorData::invalid_params(format!("unknown cursor: {}", brief(&cursor)), None)
            })?
        }
    };
    let end = start + PAGE;
    let next = (end < items.len()).then(|| BASE64_URL_SAFE_NO_PAD.encode(format!("at:{end}")));
    Ok((items.into_iter().skip(start).take(PAGE).collect(), next))
}

fn from_cursor(cursor: &str) -> Option<usize> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
    std::str::from_utf8(&bytes).ok()?.strip_prefix("at:")?.parse().ok()
}

#[expect(
    deprecated,
    reason = "MCP deprecates logging and resources/subscribe, but every deployed client still has them"
)]
impl ServerHandler for Handler {
    fn get_info(&self) -> m::ServerConfig {
        self.shared.config()
    }

    async fn initialize(
        &self,
        request: m::InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<m::InitializeResult, ErrorData> {
        // Asking for 2026-07-28 in a handshake is fine and gets an older version; a handshake that
        // is itself a request of 2026-07-28 is not.
        if context.meta.protocol_version().is_some_and(|version| version.as_str() >= STATELESS) {
            return Err(not_found("initialize"));
        }
        let result = self.negotiate_initialize(&request)?;
        let mut agreed = request;
        agreed.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(agreed);
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<m::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<m::ListToolsResult, ErrorData> {
        self.settle().await;
        let (mut tools, next_cursor) = page((*self.shared.tools()).clone(), request)?;
        // What a model could fill in is not offered where a person can be asked.
        if confirm::can_ask(&context) {
            tools.iter_mut().for_each(confirm::without_argument);
        }
        let meta = self.meta(&context);
        Ok(m::ListToolsResult { tools, next_cursor, meta, ..Default::default() })
    }

    fn get_tool(&self, name: &str) -> Option<m::Tool> {
        self.shared.tools().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: m::CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<m::CallToolResponse, ErrorData> {
        // Boxed: `rmcp` moves a future as large as its largest branch for every request.
        let mut response = if self.shared.fixtures && fixtures::is_tool(&request.name) {
            Box::pin(fixtures::call_tool(self, &request, &context)).await?
        } else {
            let large = is_large(&request);
            aside::steps(|| large, self.call(request, &context)).await?
        };
        let said = match &mut response {
            m::CallToolResponse::Complete(result) => {
                if let Some(weight) = of_http::<Weight>(&context) {
                    weight.set(result);
                }
                &mut result.meta
            }
            m::CallToolResponse::InputRequired(result) => &mut result.meta,
            m::CallToolResponse::Task(result) => &mut result.meta,
            _ => return Ok(response),
        };
        if let Some(meta) = self.meta(&context) {
            said.get_or_insert_default().extend(meta);
        }
        Ok(response)
    }

    async fn list_resources(
        &self,
        request: Option<m::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<m::ListResourcesResult, ErrorData> {
        let listed = self
            .shared
            .host
            .resources(&self.origin(&context))
            .await
            .map_err(|error| protocol_error(&error))?;
        let mut all: Vec<m::Resource> = listed.into_iter().map(render::resource).collect();
        if self.shared.fixtures {
            all.extend(fixtures::resources());
        }
        let (resources, next_cursor) = page(all, request)?;
        let meta = self.meta(&context);
        Ok(m::ListResourcesResult { resources, next_cursor, meta, ..Default::default() })
    }

    async fn list_resource_templates(
        &self,
        request: Option<m::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<m::ListResourceTemplatesResult, ErrorData> {
        let mut all: Vec<m::ResourceTemplate> =
            self.shared.host.templates().iter().map(render::template).collect();
        if self.shared.fixtures {
            all.extend(fixtures::templates());
        }
        let (resource_templates, next_cursor) = page(all, request)?;
        let meta = self.meta(&context);
        Ok(m::ListResourceTemplatesResult {
            resource_templates,
            next_cursor,
            meta,
            ..Default::default()
        })
    }

    async fn read_resource(
        &self,
        request: m::ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<m::ReadResourceResponse, ErrorData> {
        if self.shared.fixtures
            && let Some(contents) = fixtures::read(&request.uri)
        {
            return Ok(m::ReadResourceResult::new(vec![contents]).into());
        }
        let read = self.shared.host.read(request.uri, &self.origin(&context)).await;
        let text = read.map_err(|error| protocol_error(&error))?;
        let contents = m::ResourceContents::text(text.text, text.uri).with_mime_type(text.mime);
        let mut result = m::ReadResourceResult::new(vec![contents]);
        result.meta = self.meta(&context);
        Ok(result.into())
    }

    async fn subscribe(
        &self,
        request: m::SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if !(self.shared.fixtures && fixtures::read(&request.uri).is_some()) {
            let origin = self.origin(&context);
            let read = self.shared.host.read(request.uri.clone(), &origin).await;
            read.map_err(|error| protocol_error(&error))?;
        }
        if self.watched.add(request.uri, &self.shared.changes, &context.peer) {
            return Ok(());
        }
        let problem = "this conversation watches too many resources; unsubscribe from some first";
        Err(ErrorData::invalid_params(problem, None))
    }

    async fn unsubscribe(
        &self,
        request: m::UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.watched.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &m::SubscriptionFilter,
    ) -> Option<m::SubscriptionFilter> {
        self.ears().push_back(self.shared.changes.listen());
        Some(requested.clone())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let ear = self.ears().pop_front();
        let changes = ear.unwrap_or_else(|| self.shared.changes.listen());
        subscriptions::listen(changes, subscription).await;
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<m::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<m::ListPromptsResult, ErrorData> {
        self.settle().await;
        let mut all: Vec<m::Prompt> =
            self.shared.host.prompts().iter().map(render::prompt).collect();
        if self.shared.fixtures {
            all.extend(fixtures::prompts());
        }
        let (prompts, next_cursor) = page(all, request)?;
        let meta = self.meta(&context);
        Ok(m::ListPromptsResult { prompts, next_cursor, meta, ..Default::default() })
    }

    async fn get_prompt(
        &self,
        request: m::GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<m::GetPromptResponse, ErrorData> {
        if self.shared.fixtures && fixtures::is_prompt(&request.name) {
            return Box::pin(fixtures::get_prompt(request, context)).await;
        }
        let mut values = PromptValues::new();
        for (key, value) in request.arguments.unwrap_or_default() {
            let Value::String(value) = value else {
                let problem = format!("prompt argument '{}' must be a string", brief(&key));
                return Err(ErrorData::invalid_params(problem, None));
            };
            values.insert(key, value);
        }
        let origin = self.origin(&context);
        let filled = self.shared.host.prompt(request.name.clone(), values, &origin).await;
        let text = filled.map_err(|error| protocol_error(&error))?;
        let message = m::PromptMessage::new_text(m::Role::User, text);
        let mut result = m::GetPromptResult::new(vec![message]);
        let prompts = self.shared.host.prompts();
        result.description = prompts
            .iter()
            .find(|prompt| prompt.name == request.name)
            .map(|prompt| prompt.description.to_owned());
        result.meta = self.meta(&context);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: m::CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<m::CompleteResult, ErrorData> {
        let (of_prompt, name) = match request.r#ref {
            m::Reference::Prompt(prompt) => (true, prompt.name),
            m::Reference::Resource(template) => (false, template.uri),
            _ => return Ok(m::CompleteResult::default()),
        };
        if self.shared.fixtures && of_prompt && fixtures::is_prompt(&name) {
            return Ok(m::CompleteResult::default());
        }
        let (argument, typed) = (request.argument.name, request.argument.value);
        let others = request.context.and_then(|context| context.arguments);
        let others: PromptValues = others.unwrap_or_default().into_iter().collect();
        let asked = Completion { of_prompt, name, argument, typed, others };
        let completed = self.shared.host.complete(asked, &self.origin(&context)).await;
        let mut values = completed.map_err(|error| protocol_error(&error))?;
        let total = values.len();
        values.truncate(m::CompletionInfo::MAX_VALUES);
        let mut completion = m::CompletionInfo::default();
        completion.has_more = Some(total > values.len());
        completion.total = u32::try_from(total).ok();
        completion.values = values;
        let mut result = m::CompleteResult::new(completion);
        result.meta = self.meta(&context);
        Ok(result)
    }

    async fn set_level(
        &self,
        request: m::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if Self::is_modern(&context) {
            return Err(not_found("logging/setLevel"));
        }
        self.level.set(report::from_mcp(request.level));
        Ok(())
    }

    // `rmcp` lets the three of these through only where the tasks extension was declared.
    async fn get_task(
        &self,
        request: m::GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<m::GetTaskResult, ErrorData> {
        fixtures::tasks::get(&request.task_id)
    }

    async fn update_task(
        &self,
        request: m::UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        fixtures::tasks::update(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: m::CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        fixtures::tasks::cancel(&request.task_id)
    }

    /// What `rmcp` could not read as a standard request ends up here.
    async fn on_custom_request(
        &self,
        request: m::CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<m::CustomResult, ErrorData> {
        let modern = Self::is_modern(&context);
        let problem = match &*request.method {
            method if modern && REMOVED.contains(&method) => return Err(not_found(method)),
            "tools/call" => "it takes {name: string, arguments?: object}",
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => {
                "it takes {uri: string}"
            }
            "prompts/get" => "it takes {name: string, arguments?: object of strings}",
            "completion/complete" => "it takes {ref, argument: {name, value}}",
            "logging/setLevel" => "it takes {level: one of the eight RFC 5424 levels}",
            "initialize" => "it takes {protocolVersion, capabilities, clientInfo}",
            "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => {
                "it takes {cursor?: string}"
            }
            method => return Err(not_found(method)),
        };
        let message = format!("Invalid params for {}: {problem}", request.method);
        Err(ErrorData::invalid_params(message, None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.watched.begin(&self.shared.changes, &context.peer);
        self.ask_where_the_client_works(&context.peer);
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.ask_where_the_client_works(&context.peer);
    }
}

impl Handler {
    /// Ask a client that has the server to itself which folders it works in.
    #[expect(deprecated, reason = "MCP deprecates roots, but deployed clients still have them")]
    fn ask_where_the_client_works(&self, peer: &Peer<RoleServer>) {
        let tells = peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
        if !tells || self.origin.listener != Listener::Stdio {
            return;
        }
        let Some(number) = self.shared.host.folders_expected() else { return };
        let (shared, peer) = (self.shared.clone(), peer.clone());
        tokio::spawn(async move {
            let told = peer.list_roots().await.inspect_err(|error| {
                tracing::warn!(%error, "the client does not say which folders it works in");
            });
            let addresses = told.ok().map(|told| told.roots.into_iter().map(|root| root.uri));
            let taken = shared.host.take_folders(number, addresses.map(Iterator::collect)).await;
            if let Err(error) = taken {
                tracing::warn!(%error, "the client's folders are not opened");
            }
        });
    }

    /// Wait until it is known which projects are open.
    async fn settle(&self) {
        if let Some(settling) = self.shared.host.settling() {
            settling.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(cursor: Option<String>) -> Option<m::PaginatedRequestParams> {
        let mut request = m::PaginatedRequestParams::default();
        request.cursor = cursor;
        Some(request)
    }

    #[test]
    fn a_long_list_comes_in_pages_and_every_item_once() {
        let all: Vec<usize> = (0..2 * PAGE + 7).collect();
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let (items, next) = page(all.clone(), ask(cursor)).unwrap();
            seen.extend(items);
            pages += 1;
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!((seen, pages), (all, 3));
    }

    #[test]
    fn a_cursor_of_somebody_else_is_refused() {
        for cursor in ["", "nonsense", "YXQ6OTk5OTk5", "YXQ6LTE"] {
            let error = page(vec![1, 2, 3], ask(Some(cursor.to_owned()))).unwrap_err();
            assert_eq!(error.code, m::ErrorCode::INVALID_PARAMS, "{cursor}");
        }
    }
}
