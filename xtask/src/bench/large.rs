//! Answers of many megabytes: how many bytes a second stdio brings, and HTTP with and without a
//! session. The tool writes the tree of a large scene, which stays in memory from call to call.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::call::Call;
use super::http::{Request, Session};
use super::pipe::Pipe;
use super::samples::Samples;
use crate::http::{self, Connection};
use crate::server::Server;
use crate::{binary, paths, synth};

/// A server that hangs is ended after this.
const SERVER_LIMIT: Duration = Duration::from_secs(120);
const OBJECTS: u64 = 50_000;
const TOOL: &str = "scene_hierarchy_dump";

/// The project with the large scene; made when it is not there yet.
pub(crate) fn project() -> Result<PathBuf> {
    let project = synth::unity_project(100, Some(paths::target().join("synth/unity-scene")))?;
    synth::add_scene(&project, "Large", "1", || synth::large_scene(OBJECTS))?;
    Ok(project)
}

/// The three ways one after the other, each with a server of its own that has read the scene.
pub(crate) fn measure(
    binary: &Path,
    project: &Path,
    window: Duration,
    samples: &mut Samples,
) -> Result<()> {
    let (_stdio, stdin, stdout) =
        Server::start_stdio(&mut serve(binary, project, &["--stdio"]), SERVER_LIMIT)?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    pipe.shake_hands()?;
    let call = Call::tool(TOOL, &arguments());
    samples.stdio_large.push(megabytes_per_second(window, || pipe.exchange(&call))?);

    let address = ["--http", "127.0.0.1:0"];
    let server = Server::start(&mut serve(binary, project, &address), SERVER_LIMIT)?;
    let url = server.mcp_url()?;
    let params = json!({ "name": TOOL, "arguments": arguments() });
    let request = Request::new(&url, "tools/call", Some(TOOL), params)?;
    let mut connection = Connection::open(http::split(&url)?.0)?;
    let alone = || request.exchange_timed(&mut connection, 1);
    samples.http_large.push(megabytes_per_second(window, alone)?);

    let mut session = Session::open(&url)?;
    let in_session = || session.exchange_timed(&call);
    samples.http_session_large.push(megabytes_per_second(window, in_session)?);
    Ok(())
}

fn serve(binary: &Path, project: &Path, args: &[&str]) -> Command {
    let mut command = binary::serve(binary, args);
    command.arg("--project").arg(project);
    command
}

fn arguments() -> Value {
    json!({ "scenePath": "Assets/Large.unity" })
}

/// Of answers that come one after the other. `exchange` gives the bytes of one and its seconds.
fn megabytes_per_second(
    window: Duration,
    mut exchange: impl FnMut() -> Result<(usize, f64)>,
) -> Result<f64> {
    let (size, _) = exchange().context("the first answer, which reads the scene")?;
    ensure!(size > 1 << 20, "{size} bytes are not large");
    let started = Instant::now();
    let (mut bytes, mut seconds) = (0, 0.0);
    while started.elapsed() < window {
        let (size, time) = exchange()?;
        bytes += size;
        seconds += time;
    }
    Ok(bytes as f64 / seconds / 1e6)
}
