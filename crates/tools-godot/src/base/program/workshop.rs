//! A headless editor of our own in a copy of the project, kept while it is used.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError, Weak};
use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::dap::Dap;
use scenewright_live::godot::lsp::{DEFAULT_PORT, Lsp};
use scenewright_live::godot::{Editor, Game, Games};
use schemars::JsonSchema;
use serde::Serialize;

use super::mirror::{Mirror, News};
use crate::base::Godot;

/// An editor takes some hundred megabytes, so one that nobody asks anything is ended.
const IDLE: Duration = Duration::from_secs(600);
/// How often that is looked at.
const LOOK: Duration = Duration::from_secs(20);
/// An editor of somebody else answers within this time, or is not asked.
const ASK_TIME: Duration = Duration::from_secs(2);

/// The workshop of a project, if one was needed.
#[derive(Debug, Default, Clone)]
pub struct Workshops(Arc<Mutex<Option<Workshop>>>);

/// The copy, its editor, and who speaks to it.
#[derive(Debug)]
pub struct Workshop {
    /// The game that is being debugged.
    pub debugging: Option<Debugging>,
    editor: Editor,
    lsp: Option<Lsp>,
    mirror: Mirror,
    /// The processes end with it.
    kept: Arc<Games>,
    used: Instant,
}

/// A game under the debugger.
#[derive(Debug)]
pub struct Debugging {
    /// The debugger.
    pub dap: Dap,
    /// The game.
    pub game: Arc<Game>,
}

/// Whose language server answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Server {
    /// Of an editor that has this project open.
    Editor,
    /// Of a headless editor of our own, in a copy of the project.
    Headless,
}

/// A workshop that is ours for the time of a call.
pub struct Entered<'a>(MutexGuard<'a, Option<Workshop>>);

impl Workshops {
    /// End the editor and remove the copy. One that is in use just now loses its editor, and its
    /// call says so.
    pub fn end(&self, kept: &Games) {
        kept.end();
        if let Ok(mut workshop) = self.0.try_lock() {
            workshop.take();
        }
    }

    /// Whether an editor is there already.
    pub fn is_open(&self) -> bool {
        match self.0.try_lock() {
            Ok(workshop) => workshop.as_ref().is_some_and(|open| open.editor.is_running()),
            // Somebody works in it.
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Poisoned(_)) => false,
        }
    }

    fn enter(&self, godot: &Godot<'_>) -> Result<Entered<'_>, ToolError> {
        loop {
            match self.0.try_lock() {
                Ok(open) => return Ok(Entered(open)),
                Err(TryLockError::Poisoned(open)) => return Ok(Entered(open.into_inner())),
                // The call before uses it; the caller's own timeout ends the wait.
                Err(TryLockError::WouldBlock)
                    if godot.cx.cancel().wait(Duration::from_millis(20)) =>
                {
                    return Err(ToolError::cancelled());
                }
                Err(TryLockError::WouldBlock) => {}
            }
        }
    }
}

impl Entered<'_> {
    /// What is in it.
    pub fn workshop(&mut self) -> &mut Workshop {
        self.0.as_mut().expect("it is filled before it is given away")
    }
}

impl Workshop {
    /// The root of the copy.
    pub fn root(&self) -> &Path {
        self.editor.root()
    }

    /// The editor.
    pub fn editor(&self) -> &Editor {
        &self.editor
    }

    /// The connection to its language server; a new one if the last was lost.
    fn lsp(&mut self, godot: &Godot<'_>) -> Result<&mut Lsp, ToolError> {
        let lsp = match self.lsp.take() {
            Some(lsp) => lsp,
            None => self.editor.language(godot.cx.cancel())?,
        };
        Ok(self.lsp.insert(lsp))
    }
}

impl Godot<'_> {
    /// The workshop, with a copy that is like the project and an editor that runs. It runs the
    /// project's code where that is to run in editors.
    pub fn workshop(&self) -> Result<Entered<'_>, ToolError> {
        let program = self.program()?;
        let mut entered = self.godot.workshops.enter(self)?;
        let open = entered.0.take().filter(|open| open.editor.is_running());
        let mirror = match open {
            Some(mut open) => match open.mirror.update(self)? {
                // What is being debugged is not replaced under the feet of the one who looks.
                News::None | News::Scripts => {
                    open.used = Instant::now();
                    *entered.0 = Some(open);
                    return Ok(entered);
                }
                News::Files => {
                    open.kept.end();
                    open.mirror
                }
            },
            None => Mirror::new(self)?,
        };
        let kept = self.godot.editors.clone();
        let mut told = |age: Duration| {
            self.cx.progress(age.as_secs_f64(), None, "seconds until the headless editor is ready");
        };
        let (editor, lsp) =
            Editor::start(&program, mirror.path(), &kept, self.cx.cancel(), &mut told)?;
        watch(&self.godot.workshops);
        *entered.0 = Some(Workshop {
            debugging: None,
            editor,
            lsp: Some(lsp),
            mirror,
            kept,
            used: Instant::now(),
        });
        Ok(entered)
    }

    /// The workshop of the game that is being debugged.
    pub fn debugged(&self) -> Result<Entered<'_>, ToolError> {
        let mut entered = self.godot.workshops.enter(self)?;
        match entered.0.as_mut().filter(|open| open.debugging.is_some()) {
            Some(open) => open.used = Instant::now(),
            None => {
                return Err(ToolError::new(ErrorKind::NotReady, "no game is being debugged")
                    .hint("debug_start starts one"));
            }
        }
        Ok(entered)
    }

    /// Ask the language server of this project: of the editor that has it open, or of one of ours.
    /// `ask` gets the root that paths are below there.
    pub fn ask_language<T>(
        &self,
        ask: impl FnOnce(&mut Lsp, &Path) -> Result<T, ToolError>,
    ) -> Result<(T, Server), ToolError> {
        if let Some(mut lsp) = self.open_editor(DEFAULT_PORT) {
            let root = lsp.root().to_owned();
            return Ok((ask(&mut lsp, &root)?, Server::Editor));
        }
        let mut entered = self.workshop()?;
        let workshop = entered.workshop();
        let root: PathBuf = workshop.root().to_owned();
        let answer = ask(workshop.lsp(self)?, &root);
        // After a failure nobody knows what is still to come on that line.
        if answer.is_err() {
            workshop.lsp = None;
        }
        Ok((answer?, Server::Headless))
    }

    /// The language server on a port, if it is of an editor that has this very project open.
    pub fn open_editor(&self, port: u16) -> Option<Lsp> {
        let lsp = Lsp::connect(port, ASK_TIME, self.cx.cancel()).ok()?;
        let root = scenewright_toolkit::workspace::canonical(lsp.root()).ok()?;
        (root == self.project.root).then_some(lsp)
    }
}

/// End the workshop once nobody has used it for a while, on a thread of its own.
fn watch(workshops: &Workshops) {
    let workshops: Weak<Mutex<Option<Workshop>>> = Arc::downgrade(&workshops.0);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOK);
            let Some(workshops) = workshops.upgrade() else { return };
            let Ok(mut open) = workshops.try_lock() else { continue };
            let Some(workshop) = open.as_ref() else { return };
            if workshop.used.elapsed() >= IDLE {
                workshop.kept.end();
                open.take();
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpListener};

    use scenewright_contract::{Call, JsonMap, Limits};
    use scenewright_toolkit::Cx;

    use super::*;
    use crate::base::InGodot;
    use crate::testing::{self, runner};

    type GodotSample = testing::GodotSample<testing::None>;

    /// A language server that says which project it has open, or says nothing.
    fn server(project: Option<&Path>) -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let path = project.map(|path| path.to_string_lossy().into_owned());
        std::thread::spawn(move || {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut buffer = [0; 4096];
            let _ = stream.read(&mut buffer);
            let Some(path) = path else { return };
            let whose = serde_json::json!({
                "method": "gdscript_client/changeWorkspace", "params": { "path": path },
            });
            let answer = serde_json::json!({ "id": 0, "result": {} });
            for message in [whose.to_string(), answer.to_string()] {
                let framed = format!("Content-Length: {}\r\n\r\n{message}", message.len());
                let _ = stream.write_all(framed.as_bytes());
            }
            let _ = stream.read(&mut buffer);
        });
        port
    }

    #[test]
    fn only_a_server_of_this_very_project_is_used() {
        let sample = GodotSample::inside("game");
        let runner = runner(&sample.path(""), &[], false);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        let godot = cx.godot(None).unwrap();
        let root = &godot.project.root;
        assert!(godot.open_editor(server(Some(root))).is_some());
        // A folder above or below it is another project.
        assert!(godot.open_editor(server(root.parent())).is_none());
        assert!(godot.open_editor(server(Some(&root.join("scenes")))).is_none());
        assert!(godot.open_editor(server(None)).is_none());
    }
}
