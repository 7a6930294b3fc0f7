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
    ids: Mutex<HashSet<RequestId>>,
    changed: Notify,
}

impl Pending {
    /// A message goes to `rmcp`: a request is open from now on, a cancelled one no longer.
    pub(crate) fn sent(&self, message: &ClientJsonRpcMessage) {
        match message {
            // A subscription is answered when its client ends it, which it will not do by leaving.
            JsonRpcMessage::Request(request)
                if !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) =>
            {
                self.ids().insert(request.id.clone());
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.remove(id);
                }
            }
            _ => {}
        }
    }

    /// A message came from `rmcp`; an answer closes its request.
    pub(crate) fn came(&self, message: &TxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Response(response) => self.remove(&response.id),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.remove(id);
                }
            }
            _ => {}
        }
    }

    /// Wait until every request is answered.
    pub(crate) async fn none(&self) {
        loop {
            let changed = self.0.changed.notified();
            if self.ids().is_empty() {
                return;
            }
            changed.await;
        }
    }

    fn remove(&self, id: &RequestId) {
        self.ids().remove(id);
        self.0.changed.notify_waiters();
    }

    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.0.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
