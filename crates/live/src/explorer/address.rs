//! Where a host is.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use http::Uri;

/// The address of a host of the Unity Explorer interface: a name or number, and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// What is connected to: the name or number, and the port.
    pub fn target(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// The `Host` of a request.
    pub(super) fn authority(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }

    /// Whether it can only be on this machine.
    pub fn is_loopback(&self) -> bool {
        self.is_localhost() || self.ip().is_some_and(|ip| ip.is_loopback())
    }

    /// Whether a listener at `own` is what would answer.
    pub fn is_served_by(&self, own: SocketAddr) -> bool {
        let same_ip = match (self.ip(), own.ip()) {
            (_, own) if own.is_unspecified() => self.is_loopback(),
            (Some(ip), own) => ip == own,
            (None, own) => self.is_localhost() && own.is_loopback(),
        };
        same_ip && self.port == own.port()
    }

    fn is_localhost(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost")
    }

    fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}/", self.authority())
    }
}

impl FromStr for Address {
    type Err = String;

    /// Read a URL. Its path may be one of the interface's own; there is no other to choose.
    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "a host is named as http://127.0.0.1:51477";
        let uri: Uri = text.trim().parse().map_err(|error| format!("{error}; {FORM}"))?;
        if uri.scheme_str() != Some("http") {
            return Err(format!("only http is spoken to hosts; {FORM}"));
        }
        if !matches!(uri.path().trim_end_matches('/'), "" | "/mcp" | "/message")
            || uri.query().is_some()
            || uri.authority().is_some_and(|authority| authority.as_str().contains('@'))
        {
            return Err(format!("it has more than an address; {FORM}"));
        }
        let host = uri.host().unwrap_or_default();
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        let port: u16 = match authority.strip_prefix(host).and_then(|rest| rest.strip_prefix(':')) {
            None => 80,
            Some(port) => port.parse().unwrap_or(0),
        };
        let host = host.trim_matches(['[', ']']);
        if host.is_empty() || port == 0 {
            return Err(format!("it has no address that can be connected to; {FORM}"));
        }
        // Hosts write the address that they listen on, and one on all of them is also on ours.
        let host = match host.parse::<IpAddr>() {
            Ok(IpAddr::V4(ip)) if ip.is_unspecified() => "127.0.0.1",
            Ok(IpAddr::V6(ip)) if ip.is_unspecified() => "::1",
            _ => host,
        };
        Ok(Self { host: host.to_owned(), port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let said = text.parse::<Address>().map(|address| address.to_string());
        assert_eq!(said.as_deref(), Ok(expected), "{text}");
    }

    #[test]
    fn urls_of_hosts_are_read() {
        check("http://127.0.0.1:51477", "http://127.0.0.1:51477/");
        check("HTTP://127.0.0.1:51477/mcp", "http://127.0.0.1:51477/");
        check(" http://localhost:1/message/\n", "http://localhost:1/");
        check("http://0.0.0.0:51477/", "http://127.0.0.1:51477/");
        check("http://[::]:7/", "http://[::1]:7/");
        check("http://build-box", "http://build-box:80/");
    }

    #[test]
    fn other_urls_are_not() {
        for (text, problem) in [
            ("https://127.0.0.1:1/", "only http"),
            ("127.0.0.1:51477", "only http"),
            ("ws://127.0.0.1:1/", "only http"),
            ("http://127.0.0.1:1/editormcp", "more than an address"),
            ("http://127.0.0.1:1/?x=1", "more than an address"),
            ("http://me:secret@127.0.0.1:1/", "more than an address"),
            ("http://127.0.0.1:0", "no address"),
            ("http://", "http://127.0.0.1:51477"),
            ("http://127.0.0.1:99999", "no address"),
            ("http://127.0.0.1:x", "http://127.0.0.1:51477"),
            ("", "http://127.0.0.1:51477"),
        ] {
            let error = text.parse::<Address>().unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn a_server_knows_its_own_address() {
        let is_own = |text: &str, own: &str| {
            text.parse::<Address>().unwrap().is_served_by(own.parse().unwrap())
        };
        assert!(is_own("http://127.0.0.1:5", "127.0.0.1:5"));
        assert!(is_own("http://localhost:5", "127.0.0.1:5"));
        assert!(is_own("http://0.0.0.0:5", "0.0.0.0:5"));
        assert!(!is_own("http://127.0.0.1:5", "127.0.0.1:6"));
        assert!(!is_own("http://[::1]:5", "127.0.0.1:5"));
        assert!(!is_own("http://10.0.0.1:5", "0.0.0.0:5"));
    }
}
