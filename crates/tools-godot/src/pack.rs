//! What the pack of Godot's tools brings besides them.

use std::sync::Arc;

use scenewright_contract::prompt::{CompletionOf, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Cancel, ToolError};
use scenewright_live::godot::{Program, has_screen};
use scenewright_toolkit::pack::Pack;
use scenewright_toolkit::{Needs, Runner};

use crate::{prompts, resources};

/// What of a tool's needs is not there now, in words that the error of a call has.
pub fn missing(needs: Needs) -> Option<String> {
    let no_program = || Program::find(&Cancel::default()).err().map(|error| error.message);
    let no_screen = || (!has_screen()).then(|| needs.without().to_owned());
    match needs {
        Needs::Nothing => None,
        Needs::Program => no_program(),
        Needs::ProgramAndScreen => no_program().or_else(no_screen),
        // Which project is meant is not known before a call.
        Needs::Editor | Needs::Game => Some(needs.without().to_owned()),
    }
}

/// The pack of Godot's tools.
pub struct GodotPack;

impl Pack for GodotPack {
    fn resources(&self, runner: &Runner) -> Vec<ResourceInfo> {
        resources::list(&runner.workspace())
    }

    fn templates(&self) -> &'static [TemplateInfo] {
        resources::TEMPLATES
    }

    fn read(&self, runner: &Arc<Runner>, uri: &str) -> Option<Result<ResourceText, ToolError>> {
        resources::read(runner, uri)
    }

    fn engine(&self) -> Option<&'static str> {
        Some("godot")
    }

    fn prompts(&self) -> Vec<PromptInfo> {
        prompts::PROMPTS.iter().map(|prompt| prompt.info.clone()).collect()
    }

    fn fill(
        &self,
        runner: &Arc<Runner>,
        prompt: &PromptInfo,
        values: &PromptValues,
    ) -> Result<String, ToolError> {
        prompts::fill(runner, prompt, values)
    }

    fn complete(
        &self,
        runner: &Runner,
        of: CompletionOf<'_>,
        argument: &str,
        others: &PromptValues,
    ) -> Vec<String> {
        prompts::complete(runner, of, argument, others)
    }
}
