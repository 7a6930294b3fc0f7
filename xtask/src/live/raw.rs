//! The port of an editor or a game as a stranger sees it: bytes there and back.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::Godot;

/// A frame comes within this time, or none does.
const READ_LIMIT: Duration = Duration::from_secs(12);

/// What a test draws.
pub(super) const NONCE: &str = "00000000000000000000000000000000000000000000000000000000000000ff";

/// One connection.
pub(super) struct Raw {
    stream: TcpStream,
}

impl Raw {
    /// Connect to the port that a Godot announced.
    pub(super) fn open(godot: &Godot) -> Result<Raw> {
        Raw::connect(Ipv4Addr::LOCALHOST, port(godot)?)
    }

    /// Connect to a port at an address of this machine.
    pub(super) fn connect(address: Ipv4Addr, port: u16) -> Result<Raw> {
        let stream =
            TcpStream::connect_timeout(&SocketAddr::from((address, port)), Duration::from_secs(2))?;
        stream.set_read_timeout(Some(READ_LIMIT))?;
        stream.set_write_timeout(Some(READ_LIMIT))?;
        Ok(Raw { stream })
    }

    /// Connect and prove the token.
    pub(super) fn known(godot: &Godot) -> Result<Raw> {
        let mut raw = Raw::open(godot)?;
        let nonce = raw.challenge(godot)?;
        let proof = proof(godot, "client", &nonce)?;
        let said = raw.ask("session.authenticate", &json!({ "proof": proof }))?;
        ensure!(said["result"]["pid"] == godot.pid, "the proof was not taken: {said}");
        Ok(raw)
    }

    /// Have the other side prove the token; what it drew.
    pub(super) fn challenge(&mut self, godot: &Godot) -> Result<String> {
        let said = self.ask("session.challenge", &json!({ "nonce": NONCE }))?;
        let nonce = said["result"]["nonce"].as_str().context("no challenge came")?.to_owned();
        ensure!(
            said["result"]["proof"] == proof(godot, "server", &nonce)?,
            "it proves nothing: {said}"
        );
        Ok(nonce)
    }

    /// Say any bytes.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.write_all(bytes).context("could not send")
    }

    /// Say a text in a frame.
    pub(super) fn frame(&mut self, text: &str) -> Result<()> {
        let length = u32::try_from(text.len())?.to_le_bytes();
        self.send(&[&length, text.as_bytes()].concat())
    }

    /// The next frame.
    pub(super) fn read(&mut self) -> Result<Value> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).context("no frame came")?;
        let length = u32::from_le_bytes(length) as usize;
        ensure!(length <= 16 << 20, "a frame of {length} bytes");
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text).context("half a frame came")?;
        serde_json::from_slice(&text).context("the frame is no JSON")
    }

    /// Ask, and read the answer.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.frame(
            &json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string(),
        )?;
        // What it tells by itself comes between.
        loop {
            let said = self.read()?;
            if said.get("id").is_some() {
                return Ok(said);
            }
        }
    }

    /// What comes until the other side closes, and how long that takes.
    pub(super) fn rest(&mut self) -> Result<(Vec<u8>, f64)> {
        let started = Instant::now();
        let mut bytes = Vec::new();
        match self.stream.read_to_end(&mut bytes) {
            // What was sent and not read ends a connection in this way.
            Err(error) if error.kind() != ErrorKind::ConnectionReset => {
                Err(error).context("it was not closed")
            }
            _ => Ok((bytes, started.elapsed().as_secs_f64())),
        }
    }
}

/// The port that a Godot announced.
pub(super) fn port(godot: &Godot) -> Result<u16> {
    let port = godot.announcement()?["port"].as_u64().context("no port was announced")?;
    Ok(u16::try_from(port)?)
}

/// The proof of a side, as the addon and the program make it.
pub(super) fn proof(godot: &Godot, role: &str, nonce: &str) -> Result<String> {
    let said = godot.announcement()?;
    let text = |name: &str| match &said[name] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut code = Hmac::<Sha256>::new_from_slice(text("token").as_bytes())?;
    for part in [
        b"scenewright link".to_vec(),
        text("protocol").into_bytes(),
        role.as_bytes().to_vec(),
        bytes(NONCE)?,
        bytes(nonce)?,
        text("project").into_bytes(),
        text("pid").into_bytes(),
        text("port").into_bytes(),
    ] {
        code.update(&(part.len() as u64).to_le_bytes());
        code.update(&part);
    }
    let proof = code.finalize().into_bytes();
    Ok(proof.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn bytes(digits: &str) -> Result<Vec<u8>> {
    let pair = |at: usize| Ok(u8::from_str_radix(&digits[at..at + 2], 16)?);
    (0..digits.len()).step_by(2).map(pair).collect()
}
