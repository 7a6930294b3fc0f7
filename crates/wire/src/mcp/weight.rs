//! How large an answer is: writing a large one takes time that the message loop does not have.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::RoleServer;
use rmcp::model::{self as m, JsonRpcMessage, ServerResult};
use rmcp::service::TxJsonRpcMessage;

/// The size of the answer to an HTTP request. `rmcp` writes the answer, and whoever polls it asks here whether to do so
/// beside the loop.
#[derive(Clone, Default)]
pub(crate) struct Weight(Arc<AtomicUsize>);

impl Weight {
    pub(crate) fn set(&self, result: &m::CallToolResult) {
        self.0.store(of_result(result), Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// About how many bytes of text a message has.
pub(crate) fn of_message(message: &TxJsonRpcMessage<RoleServer>) -> usize {
    let JsonRpcMessage::Response(response) = message else { return 0 };
    match &response.result {
        ServerResult::CallToolResult(result) => of_result(result),
        ServerResult::ReadResourceResult(result) => {
            let texts = result.contents.iter().map(|content| match content {
                m::ResourceContents::TextResourceContents { text, .. } => text.len(),
                m::ResourceContents::BlobResourceContents { blob, .. } => blob.len(),
                _ => 0,
            });
            texts.sum()
        }
        _ => 0,
    }
}

/// The same for the result of a tool. Structured content weighs what its text weighs, and more.
pub(crate) fn of_result(result: &m::CallToolResult) -> usize {
    let size = |block: &m::ContentBlock| match block {
        m::ContentBlock::Text(text) => text.text.len(),
        m::ContentBlock::Image(image) => image.data.len(),
        _ => 0,
    };
    let texts: usize = result.content.iter().map(size).sum();
    if result.structured_content.is_some() { 4 * texts } else { texts }
}
