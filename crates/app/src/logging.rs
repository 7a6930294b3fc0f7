//! Logs go to stderr; stdout belongs to the protocol.

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

use crate::term::Paint;

/// Log warnings, or more with `-v` and `-vv`; `SCENEWRIGHT_LOG` says it in detail, such as
/// `info,scenewright_wire=debug`.
pub fn set_up(verbose: u8) {
    let layer = fmt::layer().with_writer(std::io::stderr).with_ansi(Paint::stderr().is_on());
    let directives = std::env::var("SCENEWRIGHT_LOG").ok();
    tracing_subscriber::registry().with(layer).with(filter(directives, verbose)).init();
}

/// By levels and modules only; what else some filters can judge, such as fields, takes a library
/// of regular expressions.
fn filter(directives: Option<String>, verbose: u8) -> Targets {
    let default = match verbose {
        // rmcp warns of every refused request; the client has been told already.
        0 => "warn,rmcp=error",
        1 => "info,rmcp=warn",
        _ => "debug",
    };
    let given = directives.and_then(|given| given.parse().ok());
    given.unwrap_or_else(|| default.parse().expect("the defaults are good directives"))
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn modules_have_levels_of_their_own() {
        let enables = |directives: Option<&str>, verbose, target, level| {
            filter(directives.map(str::to_owned), verbose).would_enable(target, &level)
        };
        assert!(enables(None, 0, "scenewright", Level::WARN));
        assert!(!enables(None, 0, "scenewright", Level::INFO));
        assert!(!enables(None, 0, "rmcp::service", Level::WARN));
        assert!(enables(None, 1, "rmcp::service", Level::WARN));
        assert!(enables(None, 2, "rmcp::service", Level::DEBUG));
        let given = Some("error,scenewright_wire::session=debug,hyper=off");
        assert!(enables(given, 2, "scenewright_wire::session", Level::DEBUG));
        assert!(!enables(given, 2, "scenewright_wire", Level::WARN));
        assert!(!enables(given, 2, "hyper::proto", Level::ERROR));
        // What cannot be read is as if it was not there.
        assert!(enables(Some("warn,a=loud"), 1, "scenewright", Level::INFO));
    }
}
