//! The MCP requests that are not answered yet, so that a conversation can end without losing one.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId,
};
use rmcp::service::TxJsonRpcMessage;
use tokio::sync::Notify;

/// The open requests of a conversation.
#[derive(Clone, Default)]
pub(crate) struct Pending(Arc<State>);

#[derive(Default)]
struct State {
    requests: Mutex<Requests>,
    changed: Notify,
}

#[derive(Default)]
struct Requests {
    /// Those without an answer.
    open: HashSet<RequestId>,
    /// How many answers are on their way out. Their ids are free again: a client that reads one may
    /// use its id before we know that it was written.
    leaving: usize,
}

/// An answer on its way out, until this is dropped.
pub(crate) struct Leaving(Arc<State>);

impl Drop for Leaving {
    fn drop(&mut self) {
        requests(&self.0).leaving -= 1;
        self.0.changed.notify_waiters();
    }
}

impl Pending {
    /// A message goes to `rmcp`: a request is open from now on, a cancelled one no longer.
    pub(crate) fn sent(&self, message: &ClientJsonRpcMessage) {
        match message {
            // A subscription is answered when its client ends it, which it will not do by leaving.
            JsonRpcMessage::Request(request)
                if !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) =>
            {
                requests(&self.0).open.insert(request.id.clone());
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    requests(&self.0).open.remove(id);
                    self.0.changed.notify_waiters();
                }
            }
            _ => {}
        }
    }

    /// Whether a message is a request with the id of one that is open.
    pub(crate) fn has(&self, message: &ClientJsonRpcMessage) -> bool {
        let is_open = |id| requests(&self.0).open.contains(id);
        matches!(message, JsonRpcMessage::Request(request) if is_open(&request.id))
    }

    /// A message came from `rmcp` and is about to be written; an answer closes its request.
    pub(crate) fn came(&self, message: &TxJsonRpcMessage<RoleServer>) -> Option<Leaving> {
        let id = match message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => error.id.as_ref()?,
            _ => return None,
        };
        let mut requests = requests(&self.0);
        requests.open.remove(id).then(|| {
            requests.leaving += 1;
            Leaving(self.0.clone())
        })
    }

    /// Whether every request is answered.
    pub(crate) fn is_empty(&self) -> bool {
        requests(&self.0).is_empty()
    }

    /// Wait until every request is answered.
    pub(crate) async fn none(&self) {
        loop {
            let changed = self.0.changed.notified();
            if requests(&self.0).is_empty() {
                return;
            }
            changed.await;
        }
    }
}

impl Requests {
    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.leaving == 0
    }
}

fn requests(state: &State) -> MutexGuard<'_, Requests> {
    state.requests.lock().unwrap_or_else(PoisonError::into_inner)
}
