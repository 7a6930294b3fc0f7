//! Logs go to stderr; stdout belongs to the protocol.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Log warnings, or more with `-v` and `-vv`; `SCENEWRIGHT_LOG` says it in detail.
pub fn set_up(verbose: u8) {
    let default = match verbose {
        // rmcp warns of every refused request; the client has been told already.
        0 => "warn,rmcp=error",
        1 => "info,rmcp=warn",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("SCENEWRIGHT_LOG").unwrap_or_else(|_| default.into());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
}
