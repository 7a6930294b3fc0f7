//! Who may talk to us: the token, and which Host and Origin a browser may come with.

use std::net::SocketAddr;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A shared secret. It is kept as a hash, so that it cannot be printed by mistake and comparing
/// takes the same time whatever was sent.
#[derive(Clone)]
pub struct Token([u8; 32]);

/// A secret that could be guessed, or was left out by mistake: an unset variable is an empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the token has {0} characters, and at least {MIN_TOKEN} are needed")]
pub struct Weak(usize);

/// With fewer characters a token is no secret.
const MIN_TOKEN: usize = 16;

impl Token {
    /// The token that `secret` stands for.
    pub fn new(secret: &str) -> Result<Self, Weak> {
        match secret.trim().chars().count() {
            length if length < MIN_TOKEN => Err(Weak(length)),
            _ => Ok(Self::unchecked(secret)),
        }
    }

    /// The same of any strength: the specifications' own examples have short ones.
    pub fn unchecked(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }

    /// Whether `offered` is the secret.
    pub fn matches(&self, offered: &str) -> bool {
        let offered: [u8; 32] = Sha256::digest(offered.as_bytes()).into();
        self.0.ct_eq(&offered).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The rules for everyone who connects.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The secret that HTTP, WebSocket and framed clients must show.
    pub token: Option<Token>,
}

/// Why a request was turned away before it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The Host header names another machine: a page that rebound its name to us.
    Host,
    /// The Origin header names a page that is not from this machine.
    Origin,
    /// No token, or a wrong one.
    Token,
}

impl Refusal {
    /// What the audit says; `shown` is whether there was a token at all.
    pub(crate) fn reason(self, shown: bool) -> &'static str {
        match self {
            Self::Host => "foreign Host",
            Self::Origin => "foreign Origin",
            Self::Token if shown => "wrong token",
            Self::Token => "no token",
        }
    }
}

impl Access {
    /// Addresses beyond this machine are open only to those who have a token.
    pub fn may_bind(&self, address: SocketAddr) -> bool {
        address.ip().is_loopback() || self.token.is_some()
    }

    /// Check where an HTTP request or WebSocket upgrade comes from.
    pub fn check_place(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Refusal> {
        let host_name = host.map(without_port).unwrap_or_default();
        if self.token.is_none() && !is_local(host_name) {
            return Err(Refusal::Host);
        }
        if origin.is_some_and(|origin| !origin_is_ours(origin, host_name)) {
            return Err(Refusal::Origin);
        }
        Ok(())
    }

    /// Check the `Authorization` header.
    pub fn check_token(&self, authorization: Option<&str>) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        let offered = authorization.and_then(|text| {
            let (scheme, secret) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
        });
        if offered.is_some_and(|secret| token.matches(secret)) {
            Ok(())
        } else {
            Err(Refusal::Token)
        }
    }
}

/// A page may talk to us when it was served from this machine, or from the very host it talks to.
fn origin_is_ours(origin: &str, host_name: &str) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    // Before an `@` stands somebody's name, and the host behind it.
    let rest = rest.filter(|rest| !rest.contains(['@', '/', '?', '#', '\\']));
    rest.map(without_port).is_some_and(|name| is_local(name) || name == host_name)
}

fn is_local(name: &str) -> bool {
    let name = name.trim_matches(['[', ']']);
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn without_port(authority: &str) -> &str {
    if let Some(end) = authority.find(']') {
        return &authority[..=end];
    }
    authority.split(':').next().unwrap_or(authority)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str, origin: Option<&str>) -> Result<(), Refusal> {
        Access::default().check_place(Some(host), origin)
    }

    #[test]
    fn this_machine_by_any_name_is_let_in() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:27182", "[::1]:9", "127.5.5.5"] {
            assert_eq!(check(host, Some("http://localhost:6274")), Ok(()), "{host}");
        }
        assert_eq!(check("localhost", Some("https://[::1]")), Ok(()));
    }

    #[test]
    fn rebound_names_and_foreign_pages_are_not() {
        for host in ["evil.example", "localhost.evil.example", "10.0.0.1", ""] {
            assert_eq!(check(host, None), Err(Refusal::Host), "{host}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "file://",
            "http://localhost.evil.example",
            "http://localhost:80@evil.example",
            "http://localhost/@evil.example",
        ] {
            assert_eq!(check("localhost", Some(origin)), Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn what_could_be_guessed_is_no_token() {
        for weak in ["", " ", "s3cret", "                    ", "fifteen-letters"] {
            assert!(Token::new(weak).is_err(), "{weak:?}");
        }
        assert!(Token::new("sixteen-letters!").is_ok());
        assert_eq!(
            Token::new("").unwrap_err().to_string(),
            "the token has 0 characters, and at least 16 are needed"
        );
    }

    #[test]
    fn a_token_opens_other_hosts_to_those_who_have_it() {
        let access = Access { token: Some(Token::unchecked("s3cret")) };
        assert_eq!(access.check_token(Some("Bearer s3cret")), Ok(()));
        assert_eq!(access.check_token(Some("bearer s3cret")), Ok(()));
        for wrong in [None, Some("Bearer "), Some("Bearer s3cre"), Some("s3cret")] {
            assert_eq!(access.check_token(wrong), Err(Refusal::Token), "{wrong:?}");
        }
        let origin = Some("http://build-box:8080");
        assert_eq!(access.check_place(Some("build-box:80"), origin), Ok(()));
        let elsewhere = Some("http://evil.example");
        assert_eq!(access.check_place(Some("build-box"), elsewhere), Err(Refusal::Origin));
    }
}
