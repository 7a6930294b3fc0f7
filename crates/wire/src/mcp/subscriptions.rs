//! Who wants to hear of which change: `resources/subscribe` of the handshake versions, and
//! `subscriptions/listen` of 2026-07-28.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rmcp::model as m;
use rmcp::service::SubscriptionContext;
use rmcp::{Peer, RoleServer, ServiceError};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::task::AbortOnDropHandle;

use crate::host::{Change, Changes};

/// One conversation may watch so many resources.
const MAX_WATCHED: usize = 1024;

/// What one conversation of the handshake versions is told of.
#[derive(Default)]
pub(crate) struct Watched {
    uris: Arc<Mutex<BTreeSet<String>>>,
    /// Tells the client while the conversation lives.
    following: OnceLock<AbortOnDropHandle<()>>,
}

impl Watched {
    /// Tell the client of lists that change, and of what it watches, from now on.
    pub(crate) fn begin(&self, changes: &Changes, peer: &Peer<RoleServer>) {
        self.following.get_or_init(|| {
            let follow = follow(self.uris.clone(), changes.listen(), peer.clone());
            AbortOnDropHandle::new(tokio::spawn(follow))
        });
    }

    /// Watch `uri`; false when the conversation watches too many already.
    pub(crate) fn add(&self, uri: String, changes: &Changes, peer: &Peer<RoleServer>) -> bool {
        let mut uris = locked(&self.uris);
        if uris.len() >= MAX_WATCHED {
            return false;
        }
        uris.insert(uri);
        self.begin(changes, peer);
        true
    }

    /// Watch `uri` no longer.
    pub(crate) fn remove(&self, uri: &str) {
        locked(&self.uris).remove(uri);
    }
}

fn locked(uris: &Mutex<BTreeSet<String>>) -> MutexGuard<'_, BTreeSet<String>> {
    uris.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tell a client until it is gone. The lists it is told of without being asked: we declare that.
async fn follow(
    watched: Arc<Mutex<BTreeSet<String>>>,
    mut changes: Receiver<Change>,
    peer: Peer<RoleServer>,
) {
    while let Some(change) = next(&mut changes).await {
        let told = match change {
            Change::Tools => peer.notify_tool_list_changed().await,
            Change::Resources => peer.notify_resource_list_changed().await,
            Change::Prompts => peer.notify_prompt_list_changed().await,
            Change::Resource(_) | Change::Below(_) => {
                update(&peer, concerned(&watched, &change)).await
            }
        };
        if told.is_err() {
            return;
        }
    }
}

/// Those of what is watched that a change may be one of.
fn concerned(watched: &Mutex<BTreeSet<String>>, change: &Change) -> Vec<String> {
    locked(watched).iter().filter(|uri| concerns(change, uri)).cloned().collect()
}

async fn update(peer: &Peer<RoleServer>, uris: Vec<String>) -> Result<(), ServiceError> {
    for uri in uris {
        peer.notify_resource_updated(m::ResourceUpdatedNotificationParam::new(uri)).await?;
    }
    Ok(())
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
