//! Links to editors and games that run with our addon: found by the files that they leave in the
//! project, told apart by process, and each connected once for all who ask.

mod announced;
mod connection;
mod events;
mod frames;
mod handshake;
mod message;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use scenewright_contract::{Cancel, ErrorKind, ToolError};
use serde::Serialize;
use serde_json::{Map, Value};

pub use announced::Side;
use announced::{Absent, Announced};
use connection::Connection;

/// The version of the wire that this program speaks.
const PROTOCOL: u32 = 2;
/// The version of the addon that comes with this program.
pub const ADDON_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The links of one project.
pub struct Links {
    project: PathBuf,
    known: Mutex<Vec<Arc<Peer>>>,
}

/// An editor or a game that is connected.
pub struct Peer {
    announced: Announced,
    /// Its version of Godot.
    pub godot: String,
    connection: Connection,
}

/// What is known of an editor or a game without asking it anything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkState {
    /// Which it is.
    pub side: Side,
    /// Its process.
    pub pid: u32,
    /// The version of its addon.
    pub addon: String,
    /// Its version of Godot, once connected.
    pub godot: Option<String>,
    /// Why it is not connected; nothing when it is.
    pub problem: Option<String>,
}

impl Links {
    /// Links of the project in a folder. Nothing is connected before somebody asks.
    pub fn new(project: &Path) -> Self {
        Self { project: project.to_owned(), known: Mutex::default() }
    }

    /// The one editor or game of a side, or the one of a process. It is looked for at each call, so
    /// one that came later is found and one that is gone is not believed.
    pub fn peer(&self, side: Side, pid: Option<u32>) -> Result<Arc<Peer>, ToolError> {
        let (mut here, problems) =
            self.here(|one| one.side == side && pid.is_none_or(|pid| one.pid == pid));
        match here.len() {
            1 => Ok(here.remove(0)),
            0 => Err(absent(side, pid, &problems)),
            _ => {
                let pids: Vec<String> =
                    here.iter().map(|peer| peer.announced.pid.to_string()).collect();
                let message = format!(
                    "{} {side}s of this project run, the processes {}",
                    here.len(),
                    pids.join(", ")
                );
                Err(ToolError::new(ErrorKind::BadArguments, message)
                    .hint("name one with `process`"))
            }
        }
    }

    /// Every editor and game that the project's files name, each tried.
    pub fn states(&self) -> (Vec<LinkState>, Vec<String>) {
        let announced = announced::all(&self.project);
        let states = announced.found.into_iter().map(|one| {
            let (side, pid, addon) = (one.side, one.pid, one.version.clone());
            let (godot, problem) = match self.connected(one) {
                Ok(peer) => (Some(peer.godot.clone()), None),
                Err(problem) => (None, Some(problem)),
            };
            LinkState { side, pid, addon, godot, problem }
        });
        let mut states: Vec<LinkState> = states.collect();
        // The file of a process that crashed tells of nothing that is there.
        states.retain(|state| state.problem.as_deref() != Some(GONE));
        let mut problems = announced.problems;
        problems.extend(self.known().iter().filter_map(|peer| peer.dropped_events()));
        (states, problems)
    }

    /// Take away the files of processes that are gone. Only who may write into the project asks for it.
    pub fn forget_gone(&self) {
        for one in announced::all(&self.project).found {
            if one.look() == Err(Absent::Gone) {
                one.forget(&self.project);
            }
        }
    }

    /// Every editor that is linked; mostly none or one.
    pub fn editors(&self) -> Vec<Arc<Peer>> {
        self.here(|one| one.side == Side::Editor).0
    }

    /// Those that are wanted and answer, and why others do not.
    fn here(&self, is_wanted: impl Fn(&Announced) -> bool) -> (Vec<Arc<Peer>>, Vec<String>) {
        let announced = announced::all(&self.project);
        let (mut here, mut problems) = (Vec::new(), announced.problems);
        for one in announced.found.into_iter().filter(is_wanted) {
            match self.connected(one) {
                Ok(peer) => here.push(peer),
                Err(problem) => problems.push(problem),
            }
        }
        (here, problems)
    }

    fn known(&self) -> MutexGuard<'_, Vec<Arc<Peer>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self, announced: Announced) -> Result<Arc<Peer>, String> {
        let mut known = self.known();
        known.retain(|peer| peer.connection.is_open());
        if let Some(peer) = known.iter().find(|peer| peer.announced == announced) {
            return Ok(peer.clone());
        }
        match announced.look() {
            Ok(()) => {}
            Err(Absent::Gone) => return Err(GONE.to_owned()),
            Err(Absent::Taken) => return Err(taken(&announced)),
        }
        // An older addon wants the token itself, which is sent to nobody.
        if announced.protocol != PROTOCOL {
            return Err(other_version(&announced));
        }
        let (connection, hello) = match Connection::open(&announced) {
            Err(connection::Trouble::Nobody) => return Err(GONE.to_owned()),
            Err(connection::Trouble::Other(why)) => return Err(why),
            Ok(opened) => opened,
        };
        let godot = hello["godot"].as_str().unwrap_or_default().to_owned();
        let peer = Arc::new(Peer { announced, godot, connection });
        known.push(peer.clone());
        Ok(peer)
    }
}

impl std::fmt::Debug for Links {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Links").field("project", &self.project).finish_non_exhaustive()
    }
}

const GONE: &str = "the process is gone";

impl Peer {
    /// Whether it is an editor or a game.
    pub fn side(&self) -> Side {
        self.announced.side
    }

    /// Ask it something and wait for the answer, for a time at most or until the caller gives up.
    /// Every call names the project, so that another one is never touched.
    pub fn call(
        &self,
        method: &str,
        mut params: Map<String, Value>,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Value, ToolError> {
        params.insert("project".to_owned(), self.announced.project.clone().into());
        self.connection.call(self.announced.side, method, params, timeout, cancel)
    }

    /// Why its addon is not the one that comes with this program; nothing when it is.
    pub fn other_version(&self) -> Option<String> {
        (self.announced.version != ADDON_VERSION).then(|| other_version(&self.announced))
    }

    /// What it told by itself since an event of this number, and the number of the last one.
    pub fn events(&self, since: u64) -> (Vec<Value>, u64) {
        self.connection.events(since)
    }

    /// What is said of events that were too large to be kept; nothing when there were none.
    fn dropped_events(&self) -> Option<String> {
        let count = self.connection.dropped_events();
        let Announced { side, pid, .. } = &self.announced;
        (count > 0).then(|| {
            let events = scenewright_text::counted(count, "event");
            format!("the {side} of process {pid} told {events} too large to be kept")
        })
    }
}

fn taken(announced: &Announced) -> String {
    format!(
        "port {}, on which the {} of process {} listened, belongs to another user now; nothing was sent there",
        announced.port, announced.side, announced.pid
    )
}

fn other_version(announced: &Announced) -> String {
    format!(
        "the {} of process {} has the addon {}, and this is scenewright {ADDON_VERSION}; \
         `scenewright install godot-addon` brings its own, then restart the {}",
        announced.side, announced.pid, announced.version, announced.side
    )
}

fn absent(side: Side, pid: Option<u32>, problems: &[String]) -> ToolError {
    let which = pid.map_or(String::new(), |pid| format!(" with the process {pid}"));
    let mut message =
        format!("no {side} is connected: none of this project{which} has our addon and runs");
    for problem in problems.iter().filter(|problem| *problem != GONE) {
        message.push_str("; ");
        message.push_str(problem);
    }
    let hint = match side {
        Side::Editor => {
            "open the project in Godot with the addon: `scenewright install godot-addon` puts it there"
        }
        Side::Game => {
            "run_project or editor_play starts one; the addon has to be in the project: `scenewright install godot-addon`"
        }
    };
    ToolError::new(ErrorKind::NotReady, message).hint(hint)
}

#[cfg(test)]
mod tests;
