//! The framed protocol's own methods, spec 002: who you are and whether we are well. Everything
//! else in a frame is a message of another dialect.

use scenewright_contract::echo::brief;
use scenewright_contract::{Dialect, ErrorKind, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::envelope::{Envelope, Id};
use crate::errors::HEALTH_CHECK_FAILED;
use crate::reply::{self, ReplyId};
use crate::server::Server;

/// After this many wrong tokens the connection is closed.
const MAX_FAILURES: u8 = 3;

/// Whether this connection has shown the token.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    authenticated: bool,
    failures: u8,
}

impl Gate {
    /// The gate of a client that has shown the token elsewhere.
    pub(crate) fn open() -> Self {
        Self { authenticated: true, failures: 0 }
    }

    /// Whether anything but the methods below may pass.
    pub(crate) fn is_open(&self, server: &Server) -> bool {
        self.authenticated || server.access.token.is_none()
    }

    /// Whether the client has guessed often enough.
    pub(crate) fn is_locked(&self) -> bool {
        self.failures >= MAX_FAILURES
    }

    /// How often the client was wrong.
    pub(crate) fn failures(&self) -> u8 {
        self.failures
    }

    /// Count a refused message against the connection.
    pub(crate) fn refuse(&mut self, id: ReplyId<'_>) -> String {
        self.failures += 1;
        reply::failure(id, Dialect::Framed, &authentication_failed())
    }

    /// Answer `session.authenticate` or `transport.healthCheck`.
    pub(crate) fn answer(&mut self, server: &Server, message: &Envelope<'_>) -> String {
        let id = message.id.token().map_or(ReplyId::Null, ReplyId::Token);
        if let Err(error) = check(message) {
            return reply::failure(id, Dialect::Framed, &error);
        }
        if message.method == "session.authenticate" {
            return match self.authenticate(server, message) {
                Ok(result) => reply::result(id, result),
                Err(error) => reply::failure(id, Dialect::Framed, &error),
            };
        }
        match self.health(server, message) {
            Ok(result) => reply::result(id, result),
            Err(error) if error.kind == ErrorKind::NotReady => {
                let data = json!({ "reason": error.message, "hint": error.hint });
                reply::error(id, HEALTH_CHECK_FAILED, "Health check failed", Some(data))
            }
            Err(error) => reply::failure(id, Dialect::Framed, &error),
        }
    }

    fn authenticate(
        &mut self,
        server: &Server,
        message: &Envelope<'_>,
    ) -> Result<Value, ToolError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            token: String,
            max_frame: Option<u64>,
        }
        let Params { token, max_frame } =
            read(message, "session.authenticate takes {\"token\": string}")?;
        if server.access.token.as_ref().is_some_and(|expected| !expected.matches(&token)) {
            self.failures += 1;
            return Err(authentication_failed());
        }
        self.authenticated = true;
        let mut result = json!({ "sessionId": session_id() });
        // A client that tells its frame limit is told ours.
        if max_frame.is_some() {
            result["maxFrame"] = json!(server.limits.message);
        }
        Ok(result)
    }

    /// `{"status":"ok"}`, as the specification has it; with `mode` the details as well, for those
    /// who may see them.
    fn health(&self, server: &Server, message: &Envelope<'_>) -> Result<Value, ToolError> {
        #[derive(Deserialize, Default)]
        struct Params {
            mode: Option<Mode>,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Mode {
            Fast,
            Strict,
        }
        let Params { mode } = match message.params {
            None => Params::default(),
            Some(_) => {
                read(message, "transport.healthCheck takes {\"mode\": \"fast\" | \"strict\"}")?
            }
        };
        let details = server.host.health()?;
        Ok(match mode {
            // Both modes look at the same facts while there is no engine to be asked.
            Some(Mode::Fast | Mode::Strict) if self.is_open(server) => details,
            _ => json!({ "status": details["status"] }),
        })
    }
}

fn check(message: &Envelope<'_>) -> Result<(), ToolError> {
    message.versioned.clone()?;
    match message.id {
        Id::Token(_) => Ok(()),
        _ => Err(ToolError::new(
            ErrorKind::InvalidRequest,
            "Invalid request: id is required, a string or a number",
        )),
    }
}

fn read<'a, T: Deserialize<'a>>(message: &Envelope<'a>, usage: &str) -> Result<T, ToolError> {
    message.object().map_err(|problem| {
        ToolError::new(ErrorKind::BadEnvelope, format!("{usage}: {}", brief(&problem)))
    })
}

fn authentication_failed() -> ToolError {
    ToolError::new(ErrorKind::AuthFailed, "Authentication failed")
}

fn session_id() -> String {
    let mut bytes = [0; 16];
    // Without randomness the id only loses its uniqueness; nothing is guarded by it.
    let _ = getrandom::fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
