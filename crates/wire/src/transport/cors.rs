//! What browsers are told: who may read our answers, and that no page may show ours as its own.

use http::{HeaderMap, HeaderValue, Method, Request, header};

use crate::server::Server;

/// Headers that a page may send: spec 001's two, and those of standard MCP.
const ALLOWED: HeaderValue = HeaderValue::from_static(
    "Content-Type, Authorization, Accept, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID, \
     Mcp-Method, Mcp-Name",
);
/// Headers that a page may read.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After");
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, OPTIONS");
/// MCP sessions end with DELETE.
const METHODS_OF_MCP: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");
const MAX_AGE: HeaderValue = HeaderValue::from_static("86400");

/// The headers for the answer to `request`, whose Origin the guard has let pass already. A server
/// that lets nobody write tells everyone what it knows; one that does names the page it trusts. Who
/// sends no Origin is no page, and hears what spec 001 says of all answers.
pub(crate) fn headers<B>(server: &Server, request: &Request<B>) -> HeaderMap {
    let page = request.headers().get(header::ORIGIN).filter(|_| server.host.allows_writes());
    let origin = page.cloned().unwrap_or(HeaderValue::from_static("*"));
    let methods = if request.uri().path() == "/mcp" { METHODS_OF_MCP } else { METHODS };
    HeaderMap::from_iter([
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED),
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
        (header::VARY, HeaderValue::from_static("Origin")),
    ])
}

/// Add `headers` to an answer.
pub(crate) fn add(headers: &HeaderMap, to: &mut HeaderMap) {
    for (name, value) in headers {
        if name == header::VARY {
            to.append(name, value.clone());
        } else {
            to.insert(name, value.clone());
        }
    }
}

/// The page has its script and its style in itself, and talks only to us. Nobody may put it, or any
/// other answer, into a frame: a click there would be meant for another page.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// What every answer says to browsers, also a refusal.
pub(crate) fn protect(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// Whether a browser asks what it may do. It sends no token with that.
pub(crate) fn is_preflight(method: &Method) -> bool {
    method == Method::OPTIONS
}
