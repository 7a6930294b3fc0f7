//! The short way of a call that is answered from memory: there is nothing to report and nothing to
//! cancel, so it needs no conversation around it.

use scenewright_contract::{Call, JsonMap, Listener};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::envelope::Envelope;
use crate::mcp::{DIALECT, Shared, render};
use crate::reply::{self, ReplyId};

/// What such a call may have. `_meta` makes it one for the conversation: a version, a progress
/// token, a log level.
#[derive(Deserialize)]
struct Params<'a> {
    name: String,
    arguments: Option<JsonMap>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

/// Answer `message` at once if it is a plain call of a tool that can be.
pub(crate) async fn at_once(shared: &Shared, message: &Envelope<'_>) -> Option<String> {
    let id = message.id.token().filter(|_| message.method == "tools/call")?;
    let Params { name, arguments, meta: None } = message.object().ok()? else { return None };
    if !shared.instant.contains(&name) {
        return None;
    }
    let mut call = Call::new(name, arguments.unwrap_or_default());
    call.dialect = DIALECT;
    call.listener = Listener::Framed;
    let id = ReplyId::Token(id);
    Some(match render::response(shared.host.call(call).await) {
        Ok(mut result) => {
            // The handshake versions know no result types.
            result.result_type = None;
            reply::result(id, result)
        }
        Err(error) => reply::error(id, error.code.0, &error.message, error.data),
    })
}
