//! MCP sessions over HTTP: when each was last used, so that the one that nobody uses makes room for
//! a new one. Many clients never end theirs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use crate::server::Limits;
use crate::transport::seats::Purpose;

/// The sessions of a server.
pub(super) struct McpSessions {
    /// Those that `rmcp` holds.
    pub(super) open: Arc<LocalSessionManager>,
    most: usize,
    uses: Arc<Mutex<HashMap<String, Use>>>,
}

#[derive(Clone, Copy)]
struct Use {
    last: Instant,
    /// Requests that are being answered.
    calls: usize,
    /// Streams that the client reads.
    streams: usize,
    /// It agreed on 2025-03-26, the one version with batches.
    batches: bool,
}

/// One use of a session, until this is dropped.
pub(super) struct Held {
    uses: Arc<Mutex<HashMap<String, Use>>>,
    id: String,
    what: Purpose,
}

impl McpSessions {
    pub(super) fn new(limits: &Limits) -> Self {
        let mut open = LocalSessionManager::default();
        open.session_config.keep_alive = Some(limits.session_idle);
        Self { open: Arc::new(open), most: limits.sessions, uses: Arc::default() }
    }

    /// Make room for a new one; false when all are in use.
    pub(super) async fn make_room(&self) -> bool {
        let open: Vec<String> =
            self.open.sessions.read().await.keys().map(|id| id.to_string()).collect();
        let longest_idle = {
            let mut uses = self.uses();
            uses.retain(|id, _| open.contains(id));
            if open.len() < self.most {
                return true;
            }
            // One that was never used is as old as can be.
            let idle = open.into_iter().filter(|id| uses.get(id).is_none_or(|one| one.calls == 0));
            idle.min_by_key(|id| uses.get(id).map(|one| (one.streams > 0, one.last)))
        };
        let Some(id) = longest_idle else { return false };
        tracing::debug!("a session that nobody used made room for another");
        self.open.close_session(&id.into()).await.is_ok()
    }

    /// A session is new, or used again.
    pub(super) async fn hold(&self, id: &str, what: Purpose) -> Option<Held> {
        // Anyone may say the name of a session that there is not.
        if !self.open.sessions.read().await.contains_key(id) {
            return None;
        }
        let mut uses = self.uses();
        let new = Use { last: Instant::now(), calls: 0, streams: 0, batches: false };
        *uses.entry(id.to_owned()).or_insert(new).count(what) += 1;
        Some(Held { uses: self.uses.clone(), id: id.to_owned(), what })
    }

    /// The client of a session may send batches.
    pub(super) fn allow_batches(&self, id: &str) {
        if let Some(one) = self.uses().get_mut(id) {
            one.batches = true;
        }
    }

    /// Whether it may.
    pub(super) async fn may_send_batches(&self, id: &str) -> bool {
        let is_open = self.open.sessions.read().await.contains_key(id);
        is_open && self.uses().get(id).is_some_and(|one| one.batches)
    }

    fn uses(&self) -> MutexGuard<'_, HashMap<String, Use>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Use {
    fn count(&mut self, what: Purpose) -> &mut usize {
        match what {
            Purpose::Call => &mut self.calls,
            Purpose::Stream => &mut self.streams,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = uses.get_mut(&self.id) {
            *one.count(self.what) -= 1;
            one.last = Instant::now();
        }
    }
}
