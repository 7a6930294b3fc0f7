//! One conversation over any transport that carries whole messages both ways: stdio lines,
//! WebSocket messages, TCP frames, or memory in tests.

mod batch;
mod pending;
mod pipe;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use rmcp::model::ClientJsonRpcMessage;
use scenewright_contract::{Dialect, ErrorKind, Listener, Origin, ToolError, Who};
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use crate::aside;
use crate::dialect::Choice;
use crate::envelope::{self, Broken, Envelope, Id, Message};
use crate::explorer::{self, Form, Said};
use crate::framed::Gate;
use crate::mcp::{LogLevel, Plain, PlainCalls, raw_id};
use crate::origin::who_sits;
use crate::reply::{self, ReplyId};
use crate::server::Server;
use crate::transport::seats::{Purpose, Seat, Turn};
use crate::{editor, mcp};

use batch::Batches;
use pending::Pending;
pub(crate) use pipe::Pipe;

/// Messages waiting to be written before a conversation is held up.
const OUTBOX: usize = 256;

/// A client that has gone waits for no answer longer than this; nor do we.
const FINISH: Duration = Duration::from_secs(30);
/// And when the whole server ends, no longer than this.
const GRACE: Duration = Duration::from_secs(3);

/// The longest message of a client that has not shown its token.
const LONGEST_OF_STRANGERS: usize = 64 * 1024;

/// After these a client is asked which folders it works in.
const CHANGES_FOLDERS: [&str; 2] = ["initialize", "notifications/roots/list_changed"];

/// The most messages in a batch. Its answers are kept until all are there.
const MAX_BATCH: usize = 1000;

/// What to do with the connection after a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Read on.
    Continue,
    /// Write what is left and close.
    Close,
}

/// One conversation.
pub struct Session {
    server: Arc<Server>,
    origin: Origin,
    choice: Choice,
    gate: Option<Gate>,
    out: mpsc::Sender<Bytes>,
    mcp: Option<mcp::Conversation>,
    plain: Option<PlainCalls>,
    level: LogLevel,
    /// The client can tell which folders it works in.
    tells_folders: bool,
    batches: Batches,
    pending: Pending,
    tasks: TaskTracker,
    streaming: Option<AbortOnDropHandle<()>>,
    /// The end of this conversation, or of the server.
    end: CancellationToken,
    /// The place of its connection.
    seat: Option<Arc<Seat>>,
}

impl Session {
    /// Begin a conversation; its answers come out of the receiver.
    pub fn new(
        server: Arc<Server>,
        listener: Listener,
        choice: Choice,
    ) -> (Self, mpsc::Receiver<Bytes>) {
        let (out, outbox) = mpsc::channel(OUTBOX);
        // HTTP and WebSocket clients have shown their token in a header; frames have none.
        let gate = (listener == Listener::Framed).then(Gate::default);
        let level = LogLevel::default();
        let origin = Origin::new(Dialect::Mcp, listener);
        let plain = (listener == Listener::Framed).then(|| {
            PlainCalls::new(server.mcp.clone(), out.clone(), level.clone(), origin.clone())
        });
        let end = server.shutdown.child_token();
        let session = Self {
            server,
            origin,
            choice,
            gate,
            out,
            mcp: None,
            plain,
            level,
            tells_folders: false,
            batches: Batches::default(),
            pending: Pending::default(),
            tasks: TaskTracker::new(),
            streaming: None,
            end,
            seat: None,
        };
        (session, outbox)
    }

    /// The conversation is on a connection with this place: whether anything runs for it, and
    /// whether it has shown who it is, decides if it may have to make room for another.
    pub(crate) fn sit(&mut self, seat: Option<Arc<Seat>>) {
        if let Some(seat) = &seat {
            let (tasks, pending) = (self.tasks.clone(), self.pending.clone());
            seat.watch(move || !tasks.is_empty() || !pending.is_empty());
        }
        self.set_who(who_sits(seat.as_deref()));
        self.seat = seat;
    }

    fn set_who(&mut self, who: Who) {
        self.origin.who = Arc::new(who);
        if let Some(plain) = &mut self.plain {
            plain.set_origin(self.origin.clone());
        }
    }

    /// The peers agreed elsewhere on a version that has batches.
    pub(crate) fn allow_batches(&mut self) {
        self.batches.allow(true);
    }

    /// Take one message. A large one is read beside the loop, before the next of this client.
    pub async fn receive(&mut self, bytes: &[u8]) -> Flow {
        let turn = self.seat.clone().map(|seat| Turn::new(seat, Purpose::Call));
        if let Some(turn) = turn.as_ref().filter(|_| self.is_known()) {
            turn.begin();
        }
        match bytes.len() > aside::LARGE {
            true => aside::steps(|| true, self.take(bytes)).await,
            false => self.take(bytes).await,
        }
    }

    async fn take(&mut self, bytes: &[u8]) -> Flow {
        match envelope::parse(bytes) {
            Ok(Message::Call(message)) => self.call(bytes, message).await,
            Ok(Message::Answer) => self.answer(bytes).await,
            _ if self.speaks_explorer() => self.call_explorer(bytes),
            Ok(Message::Batch(items)) => self.batch(items).await,
            Err(Broken { id, error }) => self.fail(id, &error).await,
        }
    }

    /// Whether the client has shown who it is, if it has to.
    fn is_known(&self) -> bool {
        self.gate.as_ref().is_none_or(|gate| gate.is_open(&self.server))
    }

    /// Whether what cannot be read is taken for that dialect.
    fn speaks_explorer(&self) -> bool {
        self.choice.default() == Dialect::Explorer && self.is_known()
    }

    /// Say that a message was too long to be read.
    pub async fn too_long(&mut self, length: u64) -> Flow {
        let most = self.longest();
        let error = ToolError::new(
            ErrorKind::InvalidRequest,
            format!("Invalid request: a message of {length} bytes is over the limit of {most}"),
        );
        self.fail(None, &error).await
    }

    /// No more messages will come: finish what was begun. Answers go on coming out of the receiver
    /// until it ends.
    pub async fn finish(self) {
        self.tasks.close();
        let begun = async {
            self.tasks.wait().await;
            // `rmcp` takes no more notifications once its input has ended, and a tool that reports
            // would wait for it; so the input ends only when everything is answered.
            self.pending.none().await;
        };
        tokio::select! {
            () = begun => {}
            () = tokio::time::sleep(FINISH) => {}
            () = shut_down(&self.server) => {}
        }
        self.end.cancel();
        if let Some(streaming) = self.streaming {
            // What waits is still written, if the client still reads.
            let _ = tokio::time::timeout(GRACE, streaming).await;
        }
        if let Some(conversation) = self.mcp {
            conversation.finish().await;
        }
    }

    async fn call(&mut self, bytes: &[u8], message: Envelope<'_>) -> Flow {
        let dialect = match self.choice.choose(&message) {
            Ok(dialect) => dialect,
            Err(error) => return self.fail(message.id.token(), &error).await,
        };
        if let Some(gate) = &mut self.gate
            && dialect != Dialect::Framed
            && !gate.is_open(&self.server)
        {
            let refusal = gate.refuse(reply_id(message.id));
            self.server.host.turned_away(&self.origin, "no token");
            return self.send_and_look(refusal).await;
        }
        match dialect {
            Dialect::Mcp => self.call_mcp(bytes, message).await,
            Dialect::Editor => self.call_editor(bytes).await,
            Dialect::Framed => {
                let server = self.server.clone();
                let gate = self.gate.get_or_insert_default();
                let failures = gate.failures();
                let answer = gate.answer(&server, &message);
                if gate.failures() > failures {
                    let origin = Origin { dialect: Dialect::Framed, ..self.origin.clone() };
                    server.host.turned_away(&origin, "wrong token");
                }
                self.send_and_look(answer).await
            }
            Dialect::Explorer if explorer::opens_stream(&message) => self.stream(message.id).await,
            Dialect::Explorer => self.call_explorer(bytes),
        }
    }

    /// A tool may take long, so the answer is written by a task of its own.
    async fn call_editor(&mut self, bytes: &[u8]) -> Flow {
        let (host, out) = (self.server.host.clone(), self.out.clone());
        let origin = self.origin.clone();
        let bytes = Bytes::copy_from_slice(bytes);
        self.spawn(bytes.len(), async move {
            if let Ok(Message::Call(message)) = envelope::parse(&bytes)
                && let Some(answer) = editor::answer(&host, &origin, message).await
            {
                let _ = out.send(answer.into()).await;
            }
        });
        Flow::Continue
    }

    /// The same for Unity Explorer.
    fn call_explorer(&mut self, bytes: &[u8]) -> Flow {
        let (server, out, origin) = (self.server.clone(), self.out.clone(), self.origin.clone());
        let bytes = Bytes::copy_from_slice(bytes);
        self.spawn(bytes.len(), async move {
            if let Said::Answer(_, answer) = explorer::receive(server, origin, bytes).await {
                let _ = out.send(answer.into()).await;
            }
        });
        Flow::Continue
    }

    /// Answer a message of `size` bytes beside the others.
    fn spawn(&self, size: usize, answer: impl Future<Output = ()> + Send + 'static) {
        match size > aside::LARGE {
            true => self.tasks.spawn(aside::steps(|| true, answer)),
            false => self.tasks.spawn(answer),
        };
    }

    /// Events of the world among the other messages of this conversation, until it ends.
    async fn stream(&mut self, id: Id<'_>) -> Flow {
        let opened = match &self.streaming {
            Some(_) => Err(ToolError::new(
                ErrorKind::InvalidRequest,
                "Invalid request: this connection streams events already",
            )),
            None => {
                let form = Form::Messages(self.origin.listener);
                explorer::open(&self.server, form, self.end.clone()).await
            }
        };
        let (first, mut stream) = match opened {
            Ok(opened) => opened,
            Err(error) => match explorer::refuse(&self.server, id, &error) {
                Said::Answer(_, answer) => return self.send(answer).await,
                Said::Nothing => return Flow::Continue,
            },
        };
        for message in first {
            if self.out.send(message).await.is_err() {
                return Flow::Close;
            }
        }
        let out = self.out.clone();
        let turn = self.seat.clone().map(|seat| Turn::new(seat, Purpose::Stream));
        self.streaming = Some(AbortOnDropHandle::new(tokio::spawn(async move {
            turn.iter().for_each(Turn::begin);
            while let Some(message) = stream.next().await {
                if out.send(message).await.is_err() {
                    return;
                }
            }
        })));
        Flow::Continue
    }

    /// The longest message that is read now: strangers have little to say.
    pub(crate) fn longest(&self) -> usize {
        let most = self.server.limits.message;
        match &self.gate {
            Some(gate) if !gate.is_open(&self.server) => most.min(LONGEST_OF_STRANGERS),
            _ => most,
        }
    }

    /// Whether the client is here to listen, so that its silence means nothing.
    pub(crate) fn is_streaming(&self) -> bool {
        self.streaming.is_some()
    }

    async fn call_mcp(&mut self, bytes: &[u8], message: Envelope<'_>) -> Flow {
        if let Err(error) = mcp::check(&message) {
            return self.fail(message.id.token(), &error).await;
        }
        if message.method == "initialize" {
            self.batches.allow(mcp::requested_version(&message) == Some("2025-03-26"));
            let client = mcp::client_name(&message);
            self.set_who(Who { client, ..(*self.origin.who).clone() });
            let is_alone = self.origin.listener == Listener::Stdio;
            self.tells_folders = is_alone && mcp::tells_folders(&message);
        }
        // What comes after it waits, whenever the client is asked.
        if self.tells_folders && CHANGES_FOLDERS.contains(&&*message.method) {
            self.server.host.expect_folders();
        }
        // On stdio answers keep the order that clients of the standard are used to; frames are for
        // programs that make many small calls.
        if let Some(plain) = &self.plain {
            match plain.take(&message, &self.tasks).await {
                Plain::Answer(answer) => return self.send(answer).await,
                Plain::Taken => return Flow::Continue,
                Plain::No => {}
            }
        }
        match self.typed(bytes, &message) {
            Ok(typed) => self.pass_to_mcp(typed).await,
            // A notification that cannot be read is not answered.
            Err(_) if message.id == Id::Absent => Flow::Continue,
            Err(error) => self.fail(message.id.token(), &error).await,
        }
    }

    /// A message as `rmcp` takes it. It answers the same id only once at a time, so a second request
    /// is refused while the first is open.
    fn typed(
        &self,
        bytes: &[u8],
        message: &Envelope<'_>,
    ) -> Result<ClientJsonRpcMessage, ToolError> {
        let typed = raw_id::parse(bytes, message)
            .map_err(|error| mcp::bad_params(&message.method, &error.to_string()))?;
        if self.pending.has(&typed) {
            let problem = "Invalid request: another request with this id is not answered yet";
            return Err(ToolError::new(ErrorKind::InvalidRequest, problem)
                .hint("give every request an id of its own"));
        }
        Ok(typed)
    }

    /// An answer to a question that we asked, such as an elicitation.
    async fn answer(&mut self, bytes: &[u8]) -> Flow {
        match serde_json::from_slice::<ClientJsonRpcMessage>(bytes) {
            Ok(answer) if self.mcp.is_some() => self.pass_to_mcp(answer).await,
            _ => Flow::Continue,
        }
    }

    async fn pass_to_mcp(&mut self, message: ClientJsonRpcMessage) -> Flow {
        let conversation = self.mcp.get_or_insert_with(|| {
            let pipe = Pipe::new(self.out.clone(), self.batches.clone(), self.pending.clone());
            mcp::Conversation::start(
                &self.server.mcp,
                self.origin.clone(),
                self.level.clone(),
                pipe,
            )
        });
        self.pending.sent(&message);
        if conversation.send(message).await { Flow::Continue } else { Flow::Close }
    }

    /// Batches exist only between peers that agreed on 2025-03-26.
    async fn batch(&mut self, items: Vec<&RawValue>) -> Flow {
        if !self.batches.allowed() || items.is_empty() {
            let message = "Invalid request: batch requests are not supported; send one at a time";
            return self.fail(None, &ToolError::new(ErrorKind::InvalidRequest, message)).await;
        }
        if items.len() > MAX_BATCH {
            let message = format!(
                "Invalid request: a batch has at most {MAX_BATCH} messages, not {}",
                items.len()
            );
            return self.fail(None, &ToolError::new(ErrorKind::InvalidRequest, message)).await;
        }
        let (ids, broken) = self.batches.read(&items);
        self.batches.open(ids, broken, &self.out).await;
        for item in items {
            let bytes = item.get().as_bytes();
            let Ok(Message::Call(message)) = envelope::parse(bytes) else { continue };
            if mcp::check(&message).is_err() {
                continue;
            }
            match self.typed(bytes, &message) {
                Ok(typed) => drop(self.pass_to_mcp(typed).await),
                Err(error) => {
                    let Some(id) = message.id.token() else { continue };
                    let answer = reply::failure(ReplyId::Token(id), Dialect::Mcp, &error);
                    if let Some(answer) = self.batches.keep(answer.into()) {
                        self.send(answer).await;
                    }
                }
            }
        }
        Flow::Continue
    }

    async fn fail(&mut self, id: Option<&str>, error: &ToolError) -> Flow {
        let dialect = self.choice.default();
        let id = id.map_or(ReplyId::Null, ReplyId::Token);
        self.send(reply::failure(id, dialect, error)).await
    }

    async fn send_and_look(&mut self, answer: String) -> Flow {
        let flow = self.send(answer).await;
        if self.gate.as_ref().is_some_and(Gate::is_locked) { Flow::Close } else { flow }
    }

    async fn send(&mut self, answer: impl Into<Bytes>) -> Flow {
        match self.out.send(answer.into()).await {
            Ok(()) => Flow::Continue,
            Err(_) => Flow::Close,
        }
    }
}

async fn shut_down(server: &Server) {
    server.shutdown.cancelled().await;
    tokio::time::sleep(GRACE).await;
}

fn reply_id(id: Id<'_>) -> ReplyId<'_> {
    id.token().map_or(ReplyId::Null, ReplyId::Token)
}
