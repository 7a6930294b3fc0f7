//! A headless editor of our own, for its language server and its debugger.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, ToolError};

use super::games::{Game, GameState, Games};
use super::lsp::Lsp;
use super::{Program, StreamName};

/// The first import of a large project takes minutes.
const START_TIME: Duration = Duration::from_secs(240);
/// How often a new editor is tried.
const LOOK: Duration = Duration::from_millis(200);
/// One that is about to answer does so within this time.
const TRY_TIME: Duration = Duration::from_secs(30);

/// An editor that runs without a window. It ends with the [`Games`] that it is kept in.
#[derive(Debug)]
pub struct Editor {
    /// Where its debug adapter listens.
    pub dap_port: u16,
    /// Where its debugger waits for games.
    pub game_port: u16,
    lsp_port: u16,
    root: PathBuf,
    process: std::sync::Arc<Game>,
}

impl Editor {
    /// Start an editor on a folder that is ours to change, and wait until its language server
    /// answers. `told` is called while that takes time.
    pub fn start(
        program: &Program,
        root: &Path,
        kept: &Games,
        cancel: &Cancel,
        told: &mut dyn FnMut(Duration),
    ) -> Result<(Self, Lsp), ToolError> {
        let [lsp_port, dap_port, game_port] = free_ports()?;
        let mut command = program.headless(root);
        command.arg("--editor");
        command.args(["--lsp-port", &lsp_port.to_string()]);
        command.args(["--dap-port", &dap_port.to_string()]);
        command.args(["--debug-server", &format!("tcp://127.0.0.1:{game_port}")]);
        let (process, _) = kept.start(command, None)?;
        let editor = Self { dap_port, game_port, lsp_port, root: root.to_owned(), process };
        let until = Instant::now() + START_TIME;
        while Instant::now() < until {
            if !editor.is_running() {
                return Err(editor.failed("ended before it answered"));
            }
            if let Ok(lsp) = editor.language(cancel) {
                return Ok((editor, lsp));
            }
            if cancel.wait(LOOK) {
                kept.end();
                return Err(ToolError::cancelled());
            }
            told(editor.process.age());
        }
        let error = editor.failed("did not answer in time");
        kept.end();
        Err(error)
    }

    /// A new connection to its language server.
    pub fn language(&self, cancel: &Cancel) -> Result<Lsp, ToolError> {
        let lsp = Lsp::connect(self.lsp_port, TRY_TIME, cancel)?;
        // Somebody else may have taken the port first.
        if lsp.root() != self.root {
            return Err(self.failed("does not answer on its port, and another one does"));
        }
        Ok(lsp)
    }

    /// Whether it is still there.
    pub fn is_running(&self) -> bool {
        self.process.state() == GameState::Running
    }

    /// The folder that it has open.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn failed(&self, how: &str) -> ToolError {
        self.process.output.settle(Duration::from_millis(500));
        let lines = self.process.output.since(0).into_iter();
        let errors: Vec<String> =
            lines.filter(|line| line.stream == StreamName::Stderr).map(|line| line.text).collect();
        let words = errors[errors.len().saturating_sub(8)..].join("\n");
        ToolError::new(ErrorKind::NotReady, format!("the headless editor {how}:\n{words}"))
    }
}

/// Ports that nobody listens on now. All are found before any is let go, so that they differ.
fn free_ports() -> Result<[u16; 3], ToolError> {
    let listen = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let ports = || -> std::io::Result<[u16; 3]> {
        let listeners = [listen()?, listen()?, listen()?];
        let mut ports = [0; 3];
        for (port, listener) in ports.iter_mut().zip(&listeners) {
            *port = listener.local_addr()?.port();
        }
        Ok(ports)
    };
    ports().map_err(|error| ToolError::failed(format!("no port of this machine is free: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_differ() {
        let [a, b, c] = free_ports().unwrap();
        assert!(a != b && b != c && a != c);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_is_no_editor_is_told_with_its_words() {
        use std::os::unix::fs::PermissionsExt;

        let folder = scenewright_fixture::Folder::files(
            "//- godot\n#!/bin/sh\necho 'no such option' >&2\nexit 1\n",
        );
        let path = folder.path("godot");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = Program { path, version: "4".to_owned() };
        let kept = Games::default();
        let root = folder.path("");
        let error =
            Editor::start(&program, &root, &kept, &Cancel::default(), &mut |_| {}).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotReady);
        assert_eq!(error.message, "the headless editor ended before it answered:\nno such option");
    }
}
