//! Files that tools make.

use scenewright_contract::ToolError;
use scenewright_godot::Uid;
use scenewright_godot::classes::Version;
use scenewright_toolkit::door::{Plan, ProjectPath};

use crate::base::{Godot, OpenDocument};

impl Godot<'_> {
    /// A uid that no file of the project has, for one that is to be made.
    pub fn new_uid(&self, path: &ProjectPath) -> String {
        Uid::for_path(path.as_str(), |uid| self.index.by_uid(uid).is_some()).to_string()
    }

    /// Whether scripts and shaders have their uid in a file beside them, as since Godot 4.4.
    pub fn has_uid_files(&self) -> bool {
        self.facts().is_some_and(|facts| facts.config_version == 5)
            && self.version() >= Version::V4_4
    }

    /// Whether the project is of Godot 3, which has another grammar and other classes.
    pub fn is_godot_3(&self) -> bool {
        self.facts().is_some_and(|facts| facts.config_version > 0 && facts.config_version < 5)
    }

    /// A resource file to be made, of a class of the engine and with nothing set yet.
    pub fn new_resource(&self, path: ProjectPath, class: &str) -> Result<OpenDocument, ToolError> {
        let uid = self.new_uid(&path);
        let header = format!("[gd_resource type=\"{class}\" format=3 uid=\"{uid}\"]");
        self.new_document(path, format!("{header}\n\n[resource]\n"))
    }

    /// Make the file with the uid of a new script or shader, where Godot would make one.
    pub fn add_uid_file(
        &self,
        plan: &mut Plan<'_>,
        path: &ProjectPath,
    ) -> Result<Option<String>, ToolError> {
        let beside = self.path(&format!("{path}.uid"))?;
        if !self.has_uid_files() || self.exists(&beside) {
            return Ok(None);
        }
        let uid = self.new_uid(path);
        plan.write(&beside, None, format!("{uid}\n").into_bytes());
        Ok(Some(uid))
    }
}
