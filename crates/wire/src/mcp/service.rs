//! The handler as `rmcp` serves it on a pipe: its answers, and those that `rmcp` gives before the
//! handler is asked. Over HTTP `rmcp` takes nothing but a handler.

use std::borrow::Cow;

use rmcp::model as m;
use rmcp::service::{NotificationContext, RequestContext, ServiceRole};
use rmcp::{ErrorData, RoleServer, Service};

use crate::mcp::Handler;
use crate::mcp::handler::not_found;

/// A handler whose errors all say what is wrong.
pub(super) struct McpService(pub(super) Handler);

impl Service<RoleServer> for McpService {
    async fn handle_request(
        &self,
        request: <RoleServer as ServiceRole>::PeerReq,
        context: RequestContext<RoleServer>,
    ) -> Result<<RoleServer as ServiceRole>::Resp, ErrorData> {
        self.0.handle_request(request, context).await.map_err(in_words)
    }

    async fn handle_notification(
        &self,
        notification: <RoleServer as ServiceRole>::PeerNot,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.handle_notification(notification, context).await
    }

    fn get_info(&self) -> m::ServerConfig {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [m::ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}

/// `rmcp` says of a method that a version does not have its name and no more.
fn in_words(error: ErrorData) -> ErrorData {
    match error.code {
        m::ErrorCode::METHOD_NOT_FOUND if !error.message.contains(' ') => not_found(&error.message),
        _ => error,
    }
}
