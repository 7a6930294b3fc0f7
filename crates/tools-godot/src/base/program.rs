//! What tools have the Godot program do: convert, export, import, bake, look at scripts. The program
//! itself is `scenewright_live`'s.

mod breakpoints;
mod convert;
mod export;
mod import;
mod language;
mod mirror;
mod navigation;
mod place;
mod scratch;
mod scripts;
mod templates;
mod trial;
mod workshop;

use std::process::Command;
use std::time::Duration;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::{Finished, Program};

use crate::base::Godot;

pub use breakpoints::check_breakpoint;
pub use convert::{config_version, convert_copy, summary};
pub use export::{Export, export};
pub use import::{Products, reimport};
pub use language::{Diagnosed, OpenScript, ScriptPlace, ScriptProblem};
pub use mirror::Mirror;
pub use navigation::{Bake, bake};
pub use place::place_for_scripts;
pub use scratch::Scratch;
pub use scripts::check_scripts;
pub use trial::{Trial, Trials};
pub use workshop::{Debugging, Entered, Server, Workshop, Workshops};

impl Godot<'_> {
    /// The program, for what files alone cannot tell. It may run the project's code, so that it is
    /// started only where that is allowed, whatever the tool is said to do.
    pub fn program(&self) -> Result<Program, ToolError> {
        if !self.cx.runner().settings().allow_runs {
            let message = "this needs Godot, and this server may not run anything";
            return Err(ToolError::new(ErrorKind::Denied, message)
                .hint("start the server with --allow-runs")
                .detail("setting", "allow-runs"));
        }
        Program::find(self.cx.cancel())
    }

    /// Run a command of the program to its end; the caller is told how it goes.
    pub fn run_told(
        &self,
        program: &Program,
        command: Command,
        timeout: Duration,
    ) -> Result<Finished, ToolError> {
        let mut told = |age: Duration, line: &str| {
            // Seconds only grow, which progress has to.
            self.cx.progress(age.as_secs_f64(), None, line);
        };
        program.run_told(command, timeout, self.cx.cancel(), &mut told)
    }

    /// Say in the answer that the engine does not know all of the project yet.
    pub fn warn_unless_imported(&self) {
        if !self.project.root.join(".godot/imported").is_dir() {
            self.cx.diagnose(
                "the project was not imported yet: assets and class names may be missing; reimport_assets imports it",
            );
        }
    }
}
