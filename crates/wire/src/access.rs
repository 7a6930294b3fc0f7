//! Who may talk to us: the token, and which Host and Origin a browser may come with.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

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

/// What a request says about where it comes from, as its headers have it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place<'a> {
    /// `Host`.
    pub host: Option<&'a str>,
    /// `Origin`.
    pub origin: Option<&'a str>,
    /// `Sec-Fetch-Site`.
    pub site: Option<&'a str>,
}

/// What a browser says of a request without an Origin that may pass: a person asked, or a page of
/// this machine.
const SITES: [&str; 3] = ["none", "same-origin", "same-site"];

/// Why a request was turned away before it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The Host header names another machine: a page that rebound its name to us.
    Host,
    /// The Origin header names a page that is not from this machine.
    Origin,
    /// A page of another site made the browser ask, and the browser sent no Origin.
    Site,
    /// No token, or a wrong one.
    Token,
}

impl Refusal {
    /// What the audit says; `shown` is whether there was a token at all.
    pub(crate) fn reason(self, shown: bool) -> &'static str {
        match self {
            Self::Host => "foreign Host",
            Self::Origin => "foreign Origin",
            Self::Site => "foreign page",
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
    pub fn check_place(&self, place: Place<'_>) -> Result<(), Refusal> {
        let host = match place.host.map(name_of) {
            Some(None) => return Err(Refusal::Host),
            named => named.flatten().unwrap_or_default(),
        };
        if self.token.is_none() && !is_local(host) {
            return Err(Refusal::Host);
        }
        match (place.origin, place.site) {
            (Some(origin), _) if origin_is_ours(origin, host) => Ok(()),
            (Some(_), _) => Err(Refusal::Origin),
            // With `no-cors`, as an image is fetched, browsers send no Origin.
            (None, Some(site)) if !SITES.contains(&site) => Err(Refusal::Site),
            (None, _) => Ok(()),
        }
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
fn origin_is_ours(origin: &str, host: &str) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let name = rest.and_then(name_of);
    name.is_some_and(|name| is_local(name) || name.eq_ignore_ascii_case(host))
}

fn is_local(name: &str) -> bool {
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The name in `name`, `name:port` or `[address]:port`, read to the end: what has anything else in
/// it, such as somebody's name before an `@`, names no host.
fn name_of(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, _) = rest.split_once(']')?;
            address.parse::<Ipv6Addr>().ok()?;
            address.len() + 2
        }
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (name, port) = authority.split_at(end);
    let is_port = port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit())
                && (digits.is_empty() || digits.parse::<u16>().is_ok())
        });
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let is_name = name.starts_with('[') || (!name.is_empty() && name.bytes().all(is_letter));
    (is_name && is_port).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str, origin: Option<&str>) -> Result<(), Refusal> {
        Access::default().check_place(Place { host: Some(host), origin, site: None })
    }

    #[test]
    fn this_machine_by_any_name_is_let_in() {
        for host in
            ["localhost", "LOCALHOST:80", "127.0.0.1:27182", "[::1]:9", "127.5.5.5", "localhost:"]
        {
            assert_eq!(check(host, Some("http://localhost:6274")), Ok(()), "{host}");
        }
        assert_eq!(check("localhost", Some("https://[::1]")), Ok(()));
    }

    #[test]
    fn rebound_names_and_foreign_pages_are_not() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "",
            "[::1].evil.example",
            "[::1]evil:80",
            "[::1",
            "::1",
            "[localhost]",
            "[127.0.0.1]",
            "[[::1]]",
            "localhost]evil",
            "localhost:80:80",
            "localhost:evil",
            "localhost:+80",
            "localhost:65536",
            "localhost ",
            "user@127.0.0.1",
            "127.0.0.1:80@bar.example",
            "127.0.0.1/",
        ] {
            assert_eq!(check(host, None), Err(Refusal::Host), "{host}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "file://",
            "http://localhost.evil.example",
            "http://localhost:80@evil.example",
            "http://localhost/@evil.example",
            "http://[::1].evil.example",
            "http://localhost]evil.example",
            "http://user@localhost",
            "http://localhost:80:80",
            "http://http://localhost",
            "http://localhost/",
            "http://",
        ] {
            assert_eq!(check("localhost", Some(origin)), Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn what_a_page_of_another_site_fetches_blindly_is_refused() {
        let check = |origin, site| {
            Access::default().check_place(Place { host: Some("localhost"), origin, site })
        };
        assert_eq!(check(None, Some("cross-site")), Err(Refusal::Site));
        assert_eq!(check(None, Some("nonsense")), Err(Refusal::Site));
        for site in [None, Some("none"), Some("same-origin"), Some("same-site")] {
            assert_eq!(check(None, site), Ok(()), "{site:?}");
        }
        // `localhost` and `127.0.0.1` are two sites on one machine; the Origin says which.
        assert_eq!(check(Some("http://127.0.0.1:6274"), Some("cross-site")), Ok(()));
        assert_eq!(check(Some("http://a.example"), Some("cross-site")), Err(Refusal::Origin));
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
        let check =
            |host, origin| access.check_place(Place { host: Some(host), origin, site: None });
        assert_eq!(check("Build-Box:80", origin), Ok(()));
        assert_eq!(check("build_box", None), Ok(()));
        assert_eq!(check("build-box", Some("http://evil.example")), Err(Refusal::Origin));
        for host in ["build-box:80@evil.example", "[build-box]", "user@build-box", ""] {
            assert_eq!(check(host, Some("http://localhost")), Err(Refusal::Host), "{host}");
        }
    }
}
