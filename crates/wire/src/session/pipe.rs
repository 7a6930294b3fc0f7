//! The end of a conversation that `rmcp` holds: typed messages in, bytes out.

use bytes::Bytes;
use rmcp::RoleServer;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use tokio::sync::mpsc;

use crate::aside;
use crate::mcp::{raw_id, weight};
use crate::session::batch::Batches;
use crate::session::pending::Pending;

/// Where the bytes of a conversation go.
#[derive(Clone)]
pub(crate) struct Pipe {
    out: mpsc::Sender<Bytes>,
    batches: Batches,
    pending: Pending,
}

impl Pipe {
    pub(crate) fn new(out: mpsc::Sender<Bytes>, batches: Batches, pending: Pending) -> Self {
        Self { out, batches, pending }
    }

    /// The transport that `rmcp` is given, fed from `inbox`.
    pub(crate) fn transport(self, inbox: mpsc::Receiver<ClientJsonRpcMessage>) -> PipeTransport {
        PipeTransport { inbox, pipe: self }
    }
}

pub(crate) struct PipeTransport {
    inbox: mpsc::Receiver<ClientJsonRpcMessage>,
    pipe: Pipe,
}

/// The other side is gone.
#[derive(Debug, thiserror::Error)]
#[error("the connection is closed")]
pub(crate) struct Closed;

impl Transport<RoleServer> for PipeTransport {
    type Error = Closed;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Closed>> + Send + 'static {
        let write = || serde_json::to_vec(&item).map(|bytes| raw_id::restore(bytes.into()));
        let bytes = aside::run(weight::of_message(&item), write);
        let Pipe { out, batches, pending } = self.pipe.clone();
        async move {
            let _leaving = pending.came(&item);
            match batches.keep(bytes.map_err(|_| Closed)?) {
                Some(bytes) => out.send(bytes).await.map_err(|_| Closed),
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.inbox.recv().await
    }

    async fn close(&mut self) -> Result<(), Closed> {
        self.inbox.close();
        Ok(())
    }
}
