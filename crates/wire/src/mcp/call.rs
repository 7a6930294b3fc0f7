//! `tools/call` on its way to the host: the one place where MCP's parameters become a [`Call`].
//! `rmcp` reads them for its conversations, [`Brief`] for the short ways around it.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model as m;
use scenewright_contract::call::{Diffs, Reads};
use scenewright_contract::{Call, Cancel, Consent, JsonMap, Origin, Reporter};
use serde_json::value::RawValue;

use crate::envelope::{self, Envelope};

/// What a call has beside its parameters.
pub(super) struct Way {
    /// Where it comes from.
    pub(super) origin: Origin,
    /// A person has agreed to it.
    pub(super) consent: Option<Consent>,
    /// The client can ask a person.
    pub(super) asks: bool,
    /// What of the answer the client reads.
    pub(super) reads: Reads,
    /// Where progress goes if `_meta` has a token for it, and log lines.
    pub(super) reporter: Option<Arc<dyn Reporter>>,
}

impl Way {
    /// A call that asks nobody and reports nothing.
    pub(super) fn plain(origin: Origin) -> Self {
        Self { origin, consent: None, asks: false, reads: Reads::Data, reporter: None }
    }
}

/// The call that a request of a conversation asks for. The request is kept: it may have to be
/// confirmed and asked again.
pub(super) fn of_request(request: &m::CallToolRequestParams, way: Way) -> Call {
    make(request.name.to_string(), request.arguments.clone().unwrap_or_default(), way)
}

/// The parameters of a call that says no more than which tool, its arguments and `_meta`. Values
/// are left as they were written: most turn out to be for a conversation, and `rmcp` reads those.
pub(super) struct Brief<'a> {
    pub(super) name: Cow<'a, str>,
    arguments: Option<&'a RawValue>,
    pub(super) meta: Option<&'a RawValue>,
}

impl<'a> Brief<'a> {
    /// The parameters of `message`, if it is such a call.
    pub(super) fn read(message: &Envelope<'a>) -> Option<Self> {
        let members = message.members.as_ref().filter(|_| message.method == "tools/call")?;
        if !members.are_among(&["name", "arguments", "_meta"]) {
            return None;
        }
        Some(Self {
            name: envelope::text(members.one(&["name"]).ok()??)?,
            arguments: members.one(&["arguments"]).ok()?,
            meta: members.one(&["_meta"]).ok()?,
        })
    }

    /// The call; none when its arguments are no object, which `rmcp` knows how to say.
    pub(super) fn call(self, way: Way) -> Option<Call> {
        let arguments = match self.arguments {
            Some(written) => serde_json::from_str(written.get()).ok()?,
            None => JsonMap::new(),
        };
        Some(make(self.name.into_owned(), arguments, way))
    }
}

fn make(tool: String, arguments: JsonMap, way: Way) -> Call {
    let Way { origin, consent, asks, reads, reporter } = way;
    let Origin { dialect, listener, who, place } = origin;
    Call {
        tool,
        arguments,
        confirmed: false,
        says_confirm: false,
        consent: consent.map(Arc::new),
        witness: None,
        asks,
        dry: false,
        dialect,
        listener,
        who,
        place,
        cancel: Cancel::default(),
        reads,
        budget: None,
        diffs: Diffs::Full,
        reporter,
    }
}

#[cfg(test)]
mod tests {
    use scenewright_contract::{Dialect, Listener};

    use super::*;
    use crate::envelope::Message;

    /// The call that parameters ask for, read for a short way and as `rmcp` reads them.
    fn both(params: &str) -> [Option<(String, JsonMap)>; 2] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let Ok(Message::Call(message)) = envelope::parse(text.as_bytes()) else { panic!("{text}") };
        let way = || Way::plain(Origin::new(Dialect::Mcp, Listener::Http));
        let brief = Brief::read(&message).and_then(|brief| brief.call(way()));
        let request = serde_json::from_str::<m::CallToolRequestParams>(params);
        let request = request.ok().map(|request| of_request(&request, way()));
        [brief, request].map(|call| {
            call.map(|call| {
                assert_eq!((call.dialect, call.listener), (Dialect::Mcp, Listener::Http));
                (call.tool, call.arguments)
            })
        })
    }

    #[test]
    fn a_call_is_the_same_on_every_way() {
        for params in [
            r#"{"name":"a"}"#,
            r#"{"name":"\u0061","arguments":null}"#,
            r#"{"name":"a","arguments":{},"_meta":{}}"#,
            r#"{"name":"a","arguments":{"b":[1,{"c":null}],"d":"\n"},"_meta":null}"#,
        ] {
            let [brief, request] = both(params);
            assert!(brief.is_some(), "{params}");
            assert_eq!(brief, request, "{params}");
        }
    }

    #[test]
    fn what_is_no_such_call_is_left_to_the_conversation() {
        for params in [
            r#"{}"#,
            r#"{"name":1}"#,
            r#"{"name":"a","arguments":[]}"#,
            r#"{"name":"a","name":"b"}"#,
            r#"{"name":"a","requestState":"s"}"#,
        ] {
            assert_eq!(both(params)[0], None, "{params}");
        }
    }
}
