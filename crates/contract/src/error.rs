//! One kind of error inside; each dialect has its own codes for it outside (`wire::errors`).

use serde_json::{Value, json};

use crate::JsonMap;
use crate::echo::brief;

/// Why a request was not answered with an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The bytes are not JSON.
    Parse,
    /// JSON, but not a JSON-RPC request.
    InvalidRequest,
    /// No such method in this dialect.
    MethodNotFound,
    /// The method's own parameters are missing or of the wrong type.
    BadEnvelope,
    /// No tool of that name.
    UnknownTool,
    /// The arguments do not fit the tool's schema.
    BadArguments,
    /// The tool ran and failed.
    ToolFailed,
    /// The project or the engine does not have what was asked for.
    EngineError,
    /// No resource at that URI.
    ResourceNotFound,
    /// The tool took longer than it may.
    Timeout,
    /// A setting of this server forbids the call.
    Denied,
    /// The call is allowed once a person agrees to it.
    ConfirmRequired,
    /// Too many calls at once, or too fast.
    RateLimited,
    /// What the tool needs is not connected.
    NotReady,
    /// No token, or a wrong one.
    AuthFailed,
    /// The caller gave up.
    Cancelled,
    /// A defect of ours.
    Internal,
}

impl ErrorKind {
    /// Every kind, in the order of the error table.
    pub const ALL: [Self; 17] = [
        Self::Parse,
        Self::InvalidRequest,
        Self::MethodNotFound,
        Self::BadEnvelope,
        Self::UnknownTool,
        Self::BadArguments,
        Self::ToolFailed,
        Self::EngineError,
        Self::ResourceNotFound,
        Self::Timeout,
        Self::Denied,
        Self::ConfirmRequired,
        Self::RateLimited,
        Self::NotReady,
        Self::AuthFailed,
        Self::Cancelled,
        Self::Internal,
    ];

    /// A stable word for the kind, the same in every dialect.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::InvalidRequest => "invalid_request",
            Self::MethodNotFound => "method_not_found",
            Self::BadEnvelope => "bad_envelope",
            Self::UnknownTool => "unknown_tool",
            Self::BadArguments => "bad_arguments",
            Self::ToolFailed => "tool_failed",
            Self::EngineError => "engine_error",
            Self::ResourceNotFound => "resource_not_found",
            Self::Timeout => "timeout",
            Self::Denied => "denied",
            Self::ConfirmRequired => "confirm_required",
            Self::RateLimited => "rate_limited",
            Self::NotReady => "not_ready",
            Self::AuthFailed => "auth_failed",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
        }
    }
}

/// A request that failed, said for a reader without a debugger.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError {
    /// What went wrong, as a kind.
    pub kind: ErrorKind,
    /// What was asked and what was found.
    pub message: String,
    /// What to try next.
    pub hint: Option<String>,
    /// The tool that was asked for, by the name the caller used.
    pub tool: Option<String>,
    /// Facts for programs: missing parameters, limits, paths.
    /// Boxed, because every fallible function carries this type.
    pub details: Box<JsonMap>,
}

impl ToolError {
    /// An error of `kind`.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, tool: None, details: Box::default() }
    }

    /// The tool ran and failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::ToolFailed, message)
    }

    /// The project has no such thing.
    pub fn not_found(what: &str, which: &str) -> Self {
        let which = brief(which);
        Self::new(ErrorKind::EngineError, format!("{what} not found: {which}"))
            .detail(what, which.as_ref())
    }

    /// The arguments fit the schema but not each other, or not the project.
    pub fn bad_argument(parameter: &str, problem: &str) -> Self {
        let parameter = brief(parameter);
        Self::new(ErrorKind::BadArguments, format!("Invalid tool arguments: {parameter} {problem}"))
            .detail("constraintViolations", json!([{ "parameter": parameter, "problem": problem }]))
    }

    /// The caller gave up before the end.
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "The call was cancelled by its caller")
    }

    /// The person who was asked said no.
    pub fn declined() -> Self {
        let message = "The person who was asked did not agree; nothing was changed";
        Self::new(ErrorKind::Denied, message).hint("do not ask again unless they want you to")
    }

    /// The client says no. Some do so by themselves, where no person is there to be asked.
    pub fn not_agreed() -> Self {
        let message =
            "The person did not agree, or the client answered for them; nothing was changed";
        Self::new(ErrorKind::Denied, message)
            .hint("say what you wanted to do, and call again only if the person asks you to")
    }

    /// Say what to try next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Say which tool it was about, unless already said.
    #[must_use]
    pub fn tool(mut self, tool: &str) -> Self {
        self.tool.get_or_insert_with(|| brief(tool).into_owned());
        self
    }

    /// Add a fact for programs.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Message and hint as one text, for people and models.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\nTry: {hint}", self.message),
            None => self.message.clone(),
        }
    }
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ToolError {}
