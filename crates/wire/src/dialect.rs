//! Whose words a message speaks. Order: what the listener fixes, what the message shows, what the
//! connection showed before, what the listener defaults to.

use scenewright_contract::echo::brief;
use scenewright_contract::{Dialect, ErrorKind, ToolError};
use serde_json::value::RawValue;

use crate::envelope::{Envelope, Members};
use crate::explorer;

/// The key that standard MCP requests carry from 2026-07-28 on.
const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What a connection knows about its dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The listener speaks only this one.
    Fixed(Dialect),
    /// Whatever the messages show; this one while they show nothing.
    Open(Dialect),
    /// Standard MCP since its handshake; a message that shows another dialect is an exception.
    Agreed,
}

impl Choice {
    /// The dialect of `message`. What it shows is remembered for messages that show nothing.
    pub fn choose(&mut self, message: &Envelope<'_>) -> Result<Dialect, ToolError> {
        let seen = Peek::at(message);
        seen.check_names()?;
        match (*self, evidence(&message.method, &seen)) {
            (Self::Fixed(dialect), _) => Ok(dialect),
            (Self::Open(_), Some(Dialect::Mcp)) if message.method == "initialize" => {
                *self = Self::Agreed;
                Ok(Dialect::Mcp)
            }
            (Self::Agreed, shown) => Ok(shown.unwrap_or(Dialect::Mcp)),
            // The framed methods are spoken beside any dialect and say nothing about it.
            (Self::Open(_), Some(Dialect::Framed)) => Ok(Dialect::Framed),
            (Self::Open(_), Some(dialect)) => {
                *self = Self::Open(dialect);
                Ok(dialect)
            }
            (Self::Open(dialect), None) => Ok(dialect),
        }
    }

    /// The dialect to use for what cannot be read.
    pub fn default(self) -> Dialect {
        match self {
            Self::Fixed(dialect) | Self::Open(dialect) => dialect,
            Self::Agreed => Dialect::Mcp,
        }
    }
}

/// What a single message gives away about its dialect.
fn evidence(method: &str, seen: &Peek<'_>) -> Option<Dialect> {
    if seen.is_modern_mcp() {
        return Some(Dialect::Mcp);
    }
    match method {
        "initialize" | "server/discover" => Some(Dialect::Mcp),
        "tools/describe" | "tools/batchCall" | "server/info" => Some(Dialect::Editor),
        "tools/call" if seen.tool.is_some() && seen.name.is_none() => Some(Dialect::Editor),
        "tools/list" if seen.category.is_some() || seen.tier.is_some() => Some(Dialect::Editor),
        "session.authenticate" | "transport.healthCheck" => Some(Dialect::Framed),
        _ if explorer::is_private(method) => Some(Dialect::Explorer),
        _ => None,
    }
}

/// The few parameters that give a dialect away.
#[derive(Default)]
struct Peek<'a> {
    tool: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    category: Option<&'a RawValue>,
    tier: Option<&'a RawValue>,
    meta: Option<&'a RawValue>,
}

impl<'a> Peek<'a> {
    fn at(message: &Envelope<'a>) -> Self {
        let seen = message.members.as_ref().and_then(|members| {
            let one = |name| members.one(&[name]).ok();
            Some(Self {
                tool: one("tool")?,
                name: one("name")?,
                category: one("category")?,
                tier: one("tier")?,
                meta: one("_meta")?,
            })
        });
        // One that is there twice says nothing, nor do the others then.
        seen.unwrap_or_default()
    }

    fn is_modern_mcp(&self) -> bool {
        let meta = self.meta.and_then(Members::of);
        meta.is_some_and(|meta| meta.last(PROTOCOL_VERSION).is_some())
    }

    /// `tool` and `name` may both be there only when they agree.
    fn check_names(&self) -> Result<(), ToolError> {
        match (self.tool, self.name) {
            (Some(tool), Some(name)) if tool.get() != name.get() => Err(ToolError::new(
                ErrorKind::BadEnvelope,
                format!(
                    "params.tool ({}) and params.name ({}) differ; send one of them",
                    brief(tool.get()),
                    brief(name.get())
                ),
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envelope::{Message, parse};

    fn choose(choice: &mut Choice, method: &str, params: &str) -> Result<Dialect, ToolError> {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let Ok(Message::Call(call)) = parse(text.as_bytes()) else { panic!("{text}") };
        choice.choose(&call)
    }

    #[test]
    fn the_message_decides_and_is_remembered() {
        let mut choice = Choice::Open(Dialect::Mcp);
        assert_eq!(choose(&mut choice, "tools/list", "null"), Ok(Dialect::Mcp));
        assert_eq!(choose(&mut choice, "tools/call", r#"{"tool":"x"}"#), Ok(Dialect::Editor));
        assert_eq!(choose(&mut choice, "tools/list", "{}"), Ok(Dialect::Editor));
        assert_eq!(choose(&mut choice, "transport.healthCheck", "null"), Ok(Dialect::Framed));
        assert_eq!(choose(&mut choice, "tools/list", "{}"), Ok(Dialect::Editor));
        let modern = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
        assert_eq!(choose(&mut choice, "tools/list", modern), Ok(Dialect::Mcp));
        assert_eq!(choose(&mut choice, "list_tools", "{}"), Ok(Dialect::Explorer));
        assert_eq!(choose(&mut choice, "tools/list", "{}"), Ok(Dialect::Explorer));
        let mut choice = Choice::Open(Dialect::Mcp);
        assert_eq!(choose(&mut choice, "Call_Tool", "{}"), Ok(Dialect::Explorer));
    }

    #[test]
    fn after_the_handshake_other_dialects_are_exceptions() {
        let mut choice = Choice::Open(Dialect::Editor);
        assert_eq!(choose(&mut choice, "initialize", "{}"), Ok(Dialect::Mcp));
        assert_eq!(choose(&mut choice, "tools/list", r#"{"tier":"core"}"#), Ok(Dialect::Editor));
        assert_eq!(choose(&mut choice, "tools/call", r#"{"name":"x"}"#), Ok(Dialect::Mcp));
        assert_eq!(choose(&mut choice, "tools/list", "{}"), Ok(Dialect::Mcp));
    }

    #[test]
    fn a_fixed_listener_does_not_change_its_mind() {
        let mut choice = Choice::Fixed(Dialect::Editor);
        assert_eq!(choose(&mut choice, "initialize", "{}"), Ok(Dialect::Editor));
        assert_eq!(choose(&mut choice, "tools/list", "{}"), Ok(Dialect::Editor));
    }

    #[test]
    fn two_names_must_agree() {
        let mut choice = Choice::Open(Dialect::Editor);
        let same = r#"{"tool":"a","name":"a"}"#;
        assert_eq!(choose(&mut choice, "tools/call", same), Ok(Dialect::Editor));
        let differ = choose(&mut choice, "tools/call", r#"{"tool":"a","name":"b"}"#).unwrap_err();
        assert_eq!(differ.kind, ErrorKind::BadEnvelope);
    }
}
