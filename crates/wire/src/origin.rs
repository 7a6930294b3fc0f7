//! Where a request comes from: the address and connection of its client, its session, its name.

use std::sync::Arc;

use http::{Extensions, HeaderMap};
use scenewright_contract::{Dialect, Listener, Origin, Reserved, Who};

use crate::transport::seats::Seat;

/// The header that names an MCP session.
pub(crate) const SESSION: &str = "mcp-session-id";

/// Where an HTTP request comes from.
pub(crate) fn of_http(headers: &HeaderMap, extensions: &Extensions, dialect: Dialect) -> Origin {
    let seat = extensions.get::<Arc<Seat>>();
    let session = headers.get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let who = Who { session, ..who_sits(seat.map(|seat| &**seat)) };
    let place = extensions.get::<Reserved>().cloned().unwrap_or_default();
    Origin { dialect, listener: Listener::Http, who: Arc::new(who), place }
}

/// Who is on a connection.
pub(crate) fn who_sits(seat: Option<&Seat>) -> Who {
    Who { peer: seat.map(|seat| seat.peer), connection: seat.map(|seat| seat.id), ..Who::default() }
}
