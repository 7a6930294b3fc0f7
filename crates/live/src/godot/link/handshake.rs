//! Both sides prove that they can read the announcement before either says anything: each draws random
//! bytes, and each proves the token over both. The token itself never goes through the socket, and what
//! a stranger says is not repeated.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use scenewright_text::proof::{self, hex};
use serde_json::{Value, json};

use super::PROTOCOL;
use super::announced::Announced;
use super::frames;

/// Both steps are done by a thread of the other side that nothing keeps.
const TIME: Duration = Duration::from_secs(5);
/// Who has proved nothing says little.
const MAX_FRAME: usize = 16 * 1024;
const NONCE_BYTES: usize = 32;

/// Whose proof it is. It is a part of the proof, so that nobody's own can be given back to him.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// Who listens: the editor or the game.
    Server,
    /// Who connects: this program.
    Client,
}

/// What both sides drew.
pub(super) struct Nonces {
    pub(super) client: Vec<u8>,
    pub(super) server: Vec<u8>,
}

/// Have the other side prove the token, then prove it, and hear what the other side says of itself.
/// An error says what is wrong in our words.
pub(super) fn shake(stream: &TcpStream, to: &Announced) -> Result<Value, String> {
    let mut stream = Timed { stream, until: Instant::now() + TIME };
    let failed = |why: &str| {
        format!(
            "whoever listens on port {} does not prove to be the {} of process {}: {why}",
            to.port, to.side, to.pid
        )
    };
    let mut drawn = [0; NONCE_BYTES];
    getrandom::fill(&mut drawn).map_err(|_| failed("this system gives no random bytes"))?;
    let asked = json!({ "protocol": PROTOCOL, "nonce": hex(&drawn) });
    let said = ask(&mut stream, "session.challenge", &asked).map_err(|why| failed(&why))?;
    let part = |name: &str| said[name].as_str().and_then(bytes).unwrap_or_default();
    let nonces = Nonces { client: drawn.to_vec(), server: part("nonce") };
    if nonces.server.len() != NONCE_BYTES {
        return Err(failed("it does not answer the challenge"));
    }
    if !with_parts(to, Role::Server, &nonces, |parts| {
        proof::holds(to.token.as_bytes(), parts, &part("proof"))
    }) {
        return Err(failed("it does not know the token"));
    }
    let shown = json!({ "proof": hex(&prove(to, Role::Client, &nonces)) });
    ask(&mut stream, "session.authenticate", &shown).map_err(|why| failed(&why))
}

/// The proof of one side.
pub(super) fn prove(to: &Announced, role: Role, nonces: &Nonces) -> [u8; proof::BYTES] {
    with_parts(to, role, nonces, |parts| proof::of(to.token.as_bytes(), parts))
}

/// What a proof is of; `_proof` in the addon's `link/server.gd` is its twin.
fn with_parts<T>(
    to: &Announced,
    role: Role,
    nonces: &Nonces,
    look: impl FnOnce(&[&[u8]]) -> T,
) -> T {
    let role: &[u8] = match role {
        Role::Server => b"server",
        Role::Client => b"client",
    };
    let (protocol, pid, port) = (PROTOCOL.to_string(), to.pid.to_string(), to.port.to_string());
    look(&[
        b"scenewright link",
        protocol.as_bytes(),
        role,
        &nonces.client,
        &nonces.server,
        to.project.as_bytes(),
        pid.as_bytes(),
        port.as_bytes(),
    ])
}

/// One question and its answer; there is nothing else on the line yet.
fn ask(stream: &mut Timed<'_>, method: &str, params: &Value) -> Result<Value, String> {
    let message = json!({ "jsonrpc": "2.0", "id": 0, "method": method, "params": params });
    frames::write(&mut stream.stream, &message).map_err(|_| "it takes nothing".to_owned())?;
    let said = frames::read(stream, MAX_FRAME);
    let Ok(Some(text)) = said else { return Err("it gives no answer".to_owned()) };
    let mut said: Value =
        serde_json::from_slice(&text).map_err(|_| "its answer is no JSON".to_owned())?;
    match said.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err("it refuses".to_owned()),
    }
}

/// A stream of which everything has to come before one moment, however slowly it drips.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(into)
    }
}

/// What hexadecimal digits say; nothing where they are no such text.
pub(super) fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| char::from(digits.as_bytes()[at]).to_digit(16);
    if !digits.len().is_multiple_of(2) || digits.len() > 2 * NONCE_BYTES {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::try_from(digit(at)? * 16 + digit(at + 1)?).ok())
        .collect()
}
