//! What a pack of tools brings: groups for the list, and, for the runner, what can be read by URI,
//! prepared questions, its own gate, and who runs its tools instead.

use std::any::Any;
use std::sync::Arc;

use scenewright_contract::prompt::{CompletionOf, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Output, ToolError};
use serde_json::Value;

use crate::policy::{Inner, Settings};
use crate::{Cx, Runner, Tool, Workspace};

/// A folder of tools and its list.
pub struct Group {
    /// The first part of each id, the folder (in snake case), and the name that `--toolsets` takes.
    pub name: &'static str,
    /// The engine whose projects it is for; nothing for all.
    pub engine: Option<&'static str>,
    /// What the group is about, for people.
    pub about: &'static str,
    /// The tools, in the order of the documentation.
    pub tools: &'static [Tool],
}

/// What a runner is made of: the list of tools, and the packs that they come from.
pub struct Kit {
    /// Every tool, in the order of the list.
    pub groups: Vec<&'static Group>,
    /// The packs, in the order in which their resources and prompts are listed.
    pub packs: Vec<Box<dyn Pack>>,
}

/// A pack of tools, beyond the tools themselves. Most packs need little of this.
pub trait Pack: Any + Send + Sync {
    /// What the pack lets its tool do inside the operator's word; asked when the tool says so.
    fn gate(&self, _tool: &Tool, _settings: &Settings) -> Option<Inner> {
        None
    }

    /// Whether somebody else runs this tool, such as a game that the pack is linked to.
    fn runs_elsewhere(&self, _tool: &Tool) -> bool {
        false
    }

    /// Have it run there.
    fn run_elsewhere(&self, tool: &Tool, _cx: &Cx, _arguments: Value) -> Result<Output, ToolError> {
        Err(ToolError::failed(format!("nobody else runs {}", tool.id)))
    }

    /// Whether a running engine answers for this pack now.
    fn is_live(&self) -> bool {
        false
    }

    /// Other projects are open from now on.
    fn projects_changed(&self, _workspace: &Workspace) {}

    /// What can be read by a fixed URI.
    fn resources(&self, _runner: &Runner) -> Vec<ResourceInfo> {
        Vec::new()
    }

    /// Families of what can be read.
    fn templates(&self) -> &'static [TemplateInfo] {
        &[]
    }

    /// Read what is at a URI; nothing when URIs of its kind are not this pack's.
    fn read(&self, _runner: &Arc<Runner>, _uri: &str) -> Option<Result<ResourceText, ToolError>> {
        None
    }

    /// The engine that its prompts are about; nothing for any project.
    fn engine(&self) -> Option<&'static str> {
        None
    }

    /// Prepared questions, listed where a project of that engine is open.
    fn prompts(&self) -> Vec<PromptInfo> {
        Vec::new()
    }

    /// The text of one of them with its blanks filled; those that must be are.
    fn fill(
        &self,
        _runner: &Arc<Runner>,
        prompt: &PromptInfo,
        _values: &PromptValues,
    ) -> Result<String, ToolError> {
        Err(ToolError::failed(format!("the prompt {} has no text", prompt.name)))
    }

    /// Values for a blank of one of its prompts or templates. `others` are filled already.
    fn complete(
        &self,
        _runner: &Runner,
        _of: CompletionOf<'_>,
        _argument: &str,
        _others: &PromptValues,
    ) -> Vec<String> {
        Vec::new()
    }
}
