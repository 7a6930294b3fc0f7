//! The file by which clients of the Unity Explorer interface find a server on this machine.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use serde_json::{Value, json};

/// The file's name in the folder for temporary files.
const NAME: &str = "unity-explorer-mcp.json";
/// The variable by which clients name another file.
const ELSEWHERE: &str = "UE_MCP_DISCOVERY";

/// The file of a server that runs; it is removed when the server ends.
pub(crate) struct Discovery(PathBuf);

impl Discovery {
    /// Tell clients where the interface is. Without the file they need to be told the address.
    pub(crate) fn announce(address: SocketAddr) -> Option<Self> {
        let file = std::env::var_os(ELSEWHERE)
            .map_or_else(|| std::env::temp_dir().join(NAME), PathBuf::from);
        let said = json!({
            "pid": std::process::id(),
            "port": address.port(),
            "baseUrl": format!("http://{address}/"),
            "modeHints": ["streamable-http"],
            "startedAt": scenewright_tools::world::timestamp_now(),
        });
        let text = serde_json::to_string_pretty(&said).ok()? + "\n";
        match scenewright_text::write_whole(&file, text) {
            Ok(()) => Some(Self(file)),
            Err(error) => {
                tracing::warn!(%error, "clients cannot find this server by its discovery file");
                None
            }
        }
    }
}

impl Drop for Discovery {
    /// Another server may have written the file since; then it stays.
    fn drop(&mut self) {
        let said: Option<Value> =
            fs::read(&self.0).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if said.is_some_and(|said| said["pid"] == std::process::id()) {
            let _ = fs::remove_file(&self.0);
        }
    }
}
