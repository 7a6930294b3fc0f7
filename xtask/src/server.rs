//! A server under test: started on free loopback ports, its addresses read from stderr.

use std::io::{BufRead, BufReader};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process::{self, Guard};

const START_LIMIT: Duration = Duration::from_secs(20);

/// A running server; it ends with this value.
#[derive(Debug)]
pub struct Server {
    guard: Guard,
    stderr: Arc<Mutex<String>>,
}

impl Server {
    /// Start a network server; it gets no stdin.
    pub(crate) fn start(command: &mut Command, limit: Duration) -> Result<Server> {
        Server::spawn(command.stdin(Stdio::null()).stdout(Stdio::null()), limit)
    }

    /// Start a server that talks over its pipes.
    pub fn start_stdio(
        command: &mut Command,
        limit: Duration,
    ) -> Result<(Server, ChildStdin, ChildStdout)> {
        let server = Server::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()), limit)?;
        let (stdin, stdout) = {
            let mut child = server.guard.child();
            (child.stdin.take(), child.stdout.take())
        };
        let piped = "both pipes were asked for";
        Ok((server, stdin.expect(piped), stdout.expect(piped)))
    }

    fn spawn(command: &mut Command, limit: Duration) -> Result<Server> {
        let guard = Guard::spawn(command.stderr(Stdio::piped()), limit)?;
        let stderr = Arc::new(Mutex::new(String::new()));
        let pipe = guard.child().stderr.take().context("no stderr pipe")?;
        let log = Arc::clone(&stderr);
        // Read to the end, also after the address is known: a full pipe would stop the server.
        thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(|line| line.ok()) {
                let mut log = log.lock().expect("nobody panics while holding the log");
                log.push_str(&line);
                log.push('\n');
            }
        });
        Ok(Server { guard, stderr })
    }

    /// Wait until it ends by itself.
    pub fn wait(self) -> Result<()> {
        self.guard.wait().map(drop)
    }

    /// Give it so long to end by itself; it is ended then.
    pub(crate) fn end(self, limit: Duration) {
        let started = Instant::now();
        while started.elapsed() < limit && matches!(self.guard.child().try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// End it now.
    pub(crate) fn kill(&self) {
        let _ = self.guard.child().kill();
    }

    /// The MCP endpoint, such as `http://127.0.0.1:4000/mcp`.
    pub(crate) fn mcp_url(&self) -> Result<String> {
        self.address("http://", "/mcp")
    }

    /// The framed socket as `127.0.0.1:4001`.
    pub(crate) fn framed_address(&self) -> Result<String> {
        let address = self.address("tcp://", "")?;
        Ok(address.trim_start_matches("tcp://").trim_end_matches('/').to_owned())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.guard.child().id()
    }

    /// The last lines of its log, for an error message.
    pub fn stderr_tail(&self) -> String {
        process::last_lines(&self.log(), 12)
    }

    fn address(&self, scheme: &str, ending: &str) -> Result<String> {
        let started = Instant::now();
        while started.elapsed() < START_LIMIT {
            if let Some(address) = find_address(&self.log(), scheme, ending) {
                return Ok(address);
            }
            if let Some(status) = self.guard.child().try_wait()? {
                bail!("the server ended with {status} before it listened:\n{}", self.stderr_tail());
            }
            thread::sleep(Duration::from_millis(5));
        }
        let seconds = START_LIMIT.as_secs();
        bail!("no {scheme} address on stderr in {seconds} s, only:\n{}", self.stderr_tail())
    }

    /// All of its log.
    pub(crate) fn log(&self) -> String {
        self.stderr.lock().expect("nobody panics while holding the log").clone()
    }
}

fn find_address(log: &str, scheme: &str, ending: &str) -> Option<String> {
    log.match_indices(scheme).find_map(|(at, _)| {
        let rest = &log[at..];
        let in_url = |c: char| c.is_ascii_alphanumeric() || ":/.-[]".contains(c);
        let end = rest.find(|c| !in_url(c))?;
        let address = rest[..end].trim_end_matches('.');
        address.ends_with(ending).then(|| address.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::find_address;

    #[test]
    fn finds_the_endpoint_among_other_lines() {
        let log = "INFO inspector http://127.0.0.1:9/\nINFO \x1b[1mhttp://127.0.0.1:9/mcp\x1b[0m\n";
        assert_eq!(find_address(log, "http://", "/mcp").as_deref(), Some("http://127.0.0.1:9/mcp"));
        assert_eq!(find_address(log, "tcp://", ""), None);
    }

    #[test]
    fn waits_for_the_whole_line() {
        assert_eq!(find_address("tcp://127.0.0.1:4", "tcp://", ""), None);
    }
}
