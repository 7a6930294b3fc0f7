//! The list of packages that a project asks for, changed in its own manner.

use scenewright_contract::ToolError;
use scenewright_text::{Edits, JsonNode, read_json};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Project};
use serde_json::Value;

const MANIFEST: &str = "Packages/manifest.json";
/// What is said after a change.
pub const RESOLVED: &str =
    "Unity resolves packages, and writes packages-lock.json, when it opens the project.";

/// `Packages/manifest.json`.
pub struct Manifest<'a> {
    project: &'a Project,
    path: ProjectPath,
    before: Vec<u8>,
    root: JsonNode,
}

impl<'a> Manifest<'a> {
    /// The manifest of a project; an error when it has none or it cannot be read.
    pub fn read(cx: &Cx, project: &'a Project) -> Result<Self, ToolError> {
        let path = ProjectPath::parse(project, MANIFEST)?;
        let before = door::read(cx, project, &path)?;
        let root = read_json(&before).map_err(|why| {
            ToolError::failed(format!("{MANIFEST} is no JSON: {why}"))
                .hint("nothing was changed; project_readFile shows the file")
        })?;
        Ok(Self { project, path, before, root })
    }

    /// What it asks for of a package.
    pub fn version(&self, name: &str) -> Option<String> {
        let value = self.root.get("dependencies")?.get(name)?;
        serde_json::from_slice(&self.before[value.span.clone()]).ok()
    }

    /// The packages that it asks for.
    pub fn names(&self) -> Vec<String> {
        let list = self.root.get("dependencies").map(JsonNode::members).unwrap_or_default();
        list.iter().map(|(name, ..)| name.clone()).collect()
    }

    /// Ask for a version of a package.
    pub fn set(
        &self,
        cx: &Cx,
        name: &str,
        version: &str,
        dry_run: bool,
    ) -> Result<Written, ToolError> {
        let mut edits = Edits::default();
        let value = Value::from(version);
        let is_sorted = self.names().is_sorted_by_key(|name| place(name));
        let is_behind = |other: &str| is_sorted && place(other) > place(name);
        let put = match self.root.get("dependencies") {
            Some(_) if self.version(name).as_deref() == Some(version) => Some(()),
            Some(list) => list.put(&self.before, name, &value, is_behind, &mut edits),
            None => {
                let list = serde_json::json!({ name: version });
                self.root.put(&self.before, "dependencies", &list, |_| true, &mut edits)
            }
        };
        self.commit(cx, put, edits, dry_run)
    }

    /// Ask for a package no more.
    pub fn remove(&self, cx: &Cx, name: &str, dry_run: bool) -> Result<Written, ToolError> {
        let mut edits = Edits::default();
        let removed = self
            .root
            .get("dependencies")
            .and_then(|list| list.remove(&self.before, name, &mut edits));
        self.commit(cx, removed, edits, dry_run)
    }

    fn commit(
        &self,
        cx: &Cx,
        done: Option<()>,
        edits: Edits,
        dry_run: bool,
    ) -> Result<Written, ToolError> {
        done.ok_or_else(|| {
            ToolError::failed(format!("the dependencies of {MANIFEST} are no object"))
                .hint("nothing was changed; project_readFile shows the file")
        })?;
        let mut plan = Plan::new(self.project);
        plan.edit(&self.path, &self.before, &edits)?;
        plan.commit(cx, dry_run, |_, bytes| read_json(bytes).map(drop))
    }
}

/// Unity writes the modules of the engine last.
fn place(name: &str) -> (bool, &str) {
    (name.starts_with("com.unity.modules."), name)
}
