//! Who wants to hear of which change: `resources/subscribe` of the handshake versions, and
//! `subscriptions/listen` of 2026-07-28.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model as m;
use rmcp::service::SubscriptionContext;
use rmcp::{Peer, RoleServer};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::host::{Change, Changes};

/// One conversation may watch so many resources.
const MAX_WATCHED: usize = 1024;

/// The subscriptions of one conversation, handshake versions.
#[derive(Clone, Default)]
pub(crate) struct Watched(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    uris: BTreeSet<String>,
    following: bool,
}

impl Watched {
    /// Watch `uri`; false when the conversation watches too many already.
    pub(crate) fn add(&self, uri: String, changes: &Changes, peer: &Peer<RoleServer>) -> bool {
        let mut state = self.state();
        if state.uris.len() >= MAX_WATCHED {
            return false;
        }
        state.uris.insert(uri);
        if !state.following {
            state.following = true;
            tokio::spawn(self.clone().follow(changes.listen(), peer.clone()));
        }
        true
    }

    /// Watch `uri` no longer.
    pub(crate) fn remove(&self, uri: &str) {
        self.state().uris.remove(uri);
    }

    /// Tell the client of what it watches, until it is gone or watches nothing.
    async fn follow(self, mut changes: Receiver<Change>, peer: Peer<RoleServer>) {
        while let Some(change) = next(&mut changes).await {
            let uris: Vec<String> = {
                let mut state = self.state();
                if state.uris.is_empty() || peer.is_transport_closed() {
                    state.following = false;
                    return;
                }
                state.uris.iter().filter(|uri| concerns(&change, uri)).cloned().collect()
            };
            for uri in uris {
                let update = m::ResourceUpdatedNotificationParam::new(uri);
                if peer.notify_resource_updated(update).await.is_err() {
                    return;
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serve one `subscriptions/listen` until its client ends it.
pub(crate) async fn listen(mut changes: Receiver<Change>, subscription: SubscriptionContext) {
    let sink = subscription.sink();
    loop {
        let change = tokio::select! {
            change = next(&mut changes) => change,
            () = subscription.cancelled() => return,
        };
        // The sink drops what the client did not ask for, with an error that says so.
        let sent = match change {
            Some(change @ (Change::Resource(_) | Change::Below(_))) => {
                let asked = subscription.accepted().resource_subscriptions.iter().flatten();
                for uri in asked.filter(|uri| concerns(&change, uri)) {
                    if let Err(error) = sink.notify_resource_updated(uri.clone()).await {
                        tracing::trace!(%error, "a change was not sent");
                    }
                }
                continue;
            }
            Some(Change::Tools) => sink.notify_tool_list_changed().await,
            Some(Change::Resources) => sink.notify_resource_list_changed().await,
            Some(Change::Prompts) => sink.notify_prompt_list_changed().await,
            None => return,
        };
        if let Err(error) = sent {
            tracing::trace!(%error, "a change was not sent");
        }
    }
}

/// Whether a change may be one of the resource at `uri`.
fn concerns(change: &Change, uri: &str) -> bool {
    match change {
        Change::Resource(changed) => changed == uri,
        Change::Below(base) => {
            let path = uri.split('?').next().unwrap_or(uri);
            path.strip_prefix(base.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Change::Tools | Change::Resources | Change::Prompts => false,
    }
}

/// The next change; a listener that was too slow goes on with what comes now.
async fn next(changes: &mut Receiver<Change>) -> Option<Change> {
    loop {
        match changes.recv().await {
            Ok(change) => return Some(change),
            Err(RecvError::Lagged(missed)) => tracing::warn!(missed, "changes were missed"),
            Err(RecvError::Closed) => return None,
        }
    }
}
