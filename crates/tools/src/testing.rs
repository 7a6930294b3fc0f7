//! Calls of tools in tests: on the samples, or on a project written as one text.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use scenewright_contract::{Call, Outcome, ToolError};
use serde_json::Value;

use crate::world::HasWorld;
use crate::{ENGINES, Runner, Settings, Workspace, new_runner};

/// Call a tool with the samples open.
pub(crate) fn call_sample(tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    call_in(&[samples.join("unity"), samples.join("godot")], tool, arguments)
}

/// Call a tool on a Unity project, each file of which stands under a `//- path` line.
pub(crate) fn call_project(
    project: &str,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let folder = Folder::project(project);
    call_in(std::slice::from_ref(&folder.0), tool, arguments)
}

/// Call a tool that may write on a project that stays.
pub(crate) fn call_writing(
    folder: &Folder,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let settings = Settings { allow_writes: true, ..Settings::default() };
    call_with(settings, std::slice::from_ref(&folder.0), tool, arguments)
}

fn call_in(folders: &[PathBuf], tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    call_with(Settings::default(), folders, tool, arguments)
}

fn call_with(
    settings: Settings,
    folders: &[PathBuf],
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let runner = new_runner(Workspace::open(ENGINES, folders, None).unwrap(), settings, None, &[]);
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    runner.admit(Call::new(tool, arguments))?.run()
}

/// A folder that is removed when dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("scenewright-tools-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// A Unity project, each file of which stands under a `//- path` line.
    pub(crate) fn project(project: &str) -> Self {
        let folder = Self::new();
        folder.write("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 2022.3.20f1\n");
        std::fs::create_dir_all(folder.0.join("Assets")).unwrap();
        folder.add(project)
    }

    /// Any files, each of which stands under a `//- path` line.
    pub(crate) fn files(files: &str) -> Self {
        Self::new().add(files)
    }

    fn add(self, files: &str) -> Self {
        for file in files.split("//- ").skip(1) {
            let (name, content) = file.split_once('\n').unwrap_or((file, ""));
            self.write(name.trim(), content);
        }
        self
    }

    /// Where a file is, or would be.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A copy of the Godot sample that may be written.
pub(crate) struct GodotSample {
    /// Removed with it.
    _folder: Folder,
    runner: std::sync::Arc<Runner>,
}

impl GodotSample {
    /// A fresh copy.
    pub(crate) fn new() -> Self {
        Self::open("", true)
    }

    /// A fresh copy in a folder of this name, which has nothing else in it.
    pub(crate) fn inside(parent: &str) -> Self {
        Self::open(parent, true)
    }

    /// A fresh copy under a server that may not write.
    pub(crate) fn read_only() -> Self {
        Self::open("", false)
    }

    fn open(parent: &str, allow_writes: bool) -> Self {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/godot");
        let folder = Folder::new();
        let root = match parent {
            "" => folder.0.clone(),
            parent => folder.0.join(parent).join("godot"),
        };
        copy_folder(&sample, &root);
        let settings = Settings { allow_writes, ..Settings::default() };
        let workspace = Workspace::open(ENGINES, std::slice::from_ref(&root), None).unwrap();
        let runner = new_runner(workspace, settings, None, &[]);
        Self { _folder: folder, runner }
    }

    /// The project's folder, as the server names it.
    pub(crate) fn root(&self) -> String {
        self.runner.workspace().projects()[0].root.to_str().unwrap().to_owned()
    }

    /// The folder that the project's folder is in.
    pub(crate) fn parent(&self) -> String {
        Path::new(&self.root()).parent().unwrap().to_str().unwrap().to_owned()
    }

    /// Where a file is, or would be.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.root()).join(name)
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Call a tool on it.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        Ok(self.runner.admit(Call::new(tool, arguments))?.run()?.output.into_value())
    }

    /// The runner that has it open.
    pub(crate) fn runner(&self) -> &std::sync::Arc<Runner> {
        &self.runner
    }

    /// What a call changed in all files, as diffs.
    pub(crate) fn diff(&self, tool: &str, arguments: Value) -> String {
        let output = self.call(tool, arguments).unwrap();
        let changes = output["changes"].as_array().unwrap().iter();
        let diffs = changes.map(|change| change["diff"].as_str().unwrap_or_default());
        // An unchanged empty line is a single space, which expectations cannot hold.
        diffs.map(|diff| diff.replace("\n \n", "\n\n")).collect()
    }

    /// What a call that cannot be done says: the message, and what to try.
    pub(crate) fn error(&self, tool: &str, arguments: Value) -> String {
        let error = self.call(tool, arguments).unwrap_err();
        match error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message,
        }
    }

    /// A file of it, as text.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Put a file into it.
    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}

/// A copy of the Unity sample that may be written, with code that may run.
pub(crate) struct UnitySample {
    folder: Folder,
    runner: std::sync::Arc<Runner>,
}

impl UnitySample {
    /// A fresh copy.
    pub(crate) fn new() -> Self {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/unity");
        let folder = Folder::new();
        copy_folder(&sample, &folder.0);
        Self::open(folder)
    }

    /// A project that is there already.
    pub(crate) fn open(folder: Folder) -> Self {
        let settings = Settings { allow_writes: true, ..Settings::default() };
        let workspace = Workspace::open(ENGINES, std::slice::from_ref(&folder.0), None).unwrap();
        let runner = new_runner(workspace, settings, None, &[]);
        runner.world().config().enable_console_eval = true;
        Self { folder, runner }
    }

    /// Call a tool on it.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        Ok(self.runner.admit(Call::new(tool, arguments))?.run()?.output.into_value())
    }

    /// A file of it, as text.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path(name)).unwrap()
    }

    /// Put a file into it.
    pub(crate) fn write(&self, name: &str, content: &str) {
        self.folder.write(name, content);
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
