//! Calls of tools in tests: a runner, and what it did to the files of its first project.

#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use scenewright_contract::{Call, JsonMap, Limits, Outcome, ToolError};
use serde_json::Value;

use crate::{Cx, Project, Runner, door};

/// Call a tool.
pub fn call(runner: &Arc<Runner>, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    runner.admit(Call::new(tool, arguments))?.run()
}

/// A runner that tests call, and the files of its first project.
pub struct Bench(pub Arc<Runner>);

impl Bench {
    /// The runner.
    pub fn runner(&self) -> &Arc<Runner> {
        &self.0
    }

    /// The project's folder, as the server names it.
    pub fn root(&self) -> String {
        self.folder().to_str().unwrap().to_owned()
    }

    /// The folder that the project's folder is in.
    pub fn parent(&self) -> String {
        self.folder().parent().unwrap().to_str().unwrap().to_owned()
    }

    /// The first project.
    pub fn project(&self) -> Arc<Project> {
        self.0.workspace().projects()[0].clone()
    }

    fn folder(&self) -> PathBuf {
        self.project().root.clone()
    }

    /// Where a file is, or would be.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Whether there is such a file.
    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// A file of it, as text.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Put a file into it.
    pub fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Call a tool on it.
    pub fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        Ok(call(&self.0, tool, arguments)?.output.into_value())
    }

    /// Take the last change back.
    pub fn undo(&self) {
        let call = Call::new("", JsonMap::new());
        let cx = Cx::new(self.0.clone(), call, Limits::DEFAULT);
        door::undo(&cx, &self.project(), None, false).unwrap();
    }

    /// What a call changed in all files, as diffs.
    pub fn diff(&self, tool: &str, arguments: Value) -> String {
        let output = self.call(tool, arguments).unwrap();
        let changes = output["changes"].as_array().unwrap().iter();
        let diffs = changes.map(|change| change["diff"].as_str().unwrap_or_default());
        // An unchanged empty line is a single space, which expectations cannot hold.
        diffs.map(|diff| diff.replace("\n \n", "\n\n")).collect()
    }

    /// What a call that cannot be done says: the message, and what to try.
    pub fn error(&self, tool: &str, arguments: Value) -> String {
        let error = self.call(tool, arguments).unwrap_err();
        match error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message,
        }
    }
}
