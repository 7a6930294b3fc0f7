//! Prompts for Godot projects. Each says what is wanted and shows what the open project has for it,
//! so that the answer fits the project instead of a tutorial.

mod complete;
mod facts;
mod texts;

use std::sync::Arc;

use scenewright_contract::ToolError;
use scenewright_contract::prompt::{PromptInfo, PromptValues};
use scenewright_toolkit::Runner;

use crate::resources::find;

pub(crate) use complete::complete;
pub(crate) use texts::PROMPTS;

/// A prompt of a Godot project.
pub(crate) struct GodotPrompt {
    pub(crate) info: PromptInfo,
    /// What of the project is shown besides its headline facts.
    shows: Shows,
    /// Classes of the engine that the task is about; those that the project's version has are shown.
    classes: &'static [&'static str],
    /// What is asked. `{name}` stands for an argument, `{name|words}` for one that may be left out.
    task: &'static str,
    /// Values to offer for arguments.
    pub(super) choices: &'static [(&'static str, &'static [&'static str])],
}

/// What of a project a prompt shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Its headline facts only.
    Facts,
    /// The tree of the scene `scenePath`.
    Scene,
    /// The text of the script `scriptPath`.
    Script,
    /// What a check finds.
    Problems,
}

/// Longer arguments are cut; a prompt is no place for whole logs.
const MAX_VALUE: usize = 4000;

/// The text of a prompt.
pub(crate) fn fill(
    runner: &Arc<Runner>,
    prompt: &PromptInfo,
    values: &PromptValues,
) -> Result<String, ToolError> {
    let found = PROMPTS.iter().find(|known| known.info.name == prompt.name);
    let prompt = found.ok_or_else(|| ToolError::not_found("prompt", prompt.name))?;
    let value = |name: &str| values.get(name).map(String::as_str).filter(|text| !text.is_empty());
    let workspace = runner.workspace();
    let (project, godot) = find(&workspace, value("projectPath"))?;
    let index = godot.index();
    let mut text = format!("{}\n\n", task(prompt.task, values));
    text += &facts::of_project(project, godot, &index)?;
    text += &facts::of_classes(godot, prompt.classes);
    text += &match prompt.shows {
        Shows::Facts => String::new(),
        Shows::Scene => facts::of_scene(&index, value("scenePath").unwrap_or_default())?,
        Shows::Script => facts::of_script(&index, value("scriptPath").unwrap_or_default())?,
        Shows::Problems => facts::of_problems(runner, project)?,
    };
    text += &closing(runner, &project.id.to_string());
    Ok(text)
}

/// The task with its blanks filled.
fn task(text: &str, values: &PromptValues) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled += before;
        let Some((blank, tail)) = after.split_once('}') else { return filled };
        let (name, otherwise) = blank.split_once('|').unwrap_or((blank, ""));
        let value = values.get(name).map(String::as_str).filter(|value| !value.trim().is_empty());
        let value = value.unwrap_or(otherwise);
        filled.extend(value.chars().take(MAX_VALUE));
        rest = tail;
    }
    filled + rest
}

fn closing(runner: &Runner, id: &str) -> String {
    let writes = if runner.settings().allow_writes {
        "Make the changes with the tools of this server: try each with dryRun first, and look at the \
         scene tree or run project_check when you are done."
    } else {
        "This server is read-only, so show each change as code or as the tool call that would make \
         it, and say that the server must be started with --allow-writes to make them."
    };
    format!(
        "\n## How to work\n\nUse the names that the project already has: its input actions, classes, \
         groups and layers. Find tools with tools_search and name the project `{id}`. Write typed \
         GDScript for the version above, and use no class or method that it does not have. {writes}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_filled_once() {
        let values = PromptValues::from([
            ("a".to_owned(), "{b}".to_owned()),
            ("b".to_owned(), "two".to_owned()),
            ("c".to_owned(), "  ".to_owned()),
        ]);
        assert_eq!(task("{a} {b|x} {c|three} {d|four} {e}.", &values), "{b} two three four .");
        assert_eq!(task("open {a", &values), "open ");
    }

    #[test]
    fn every_blank_is_an_argument_and_every_argument_is_used() {
        for prompt in &PROMPTS {
            let blanks: Vec<&str> = prompt
                .task
                .split('{')
                .skip(1)
                .filter_map(|part| part.split(['|', '}']).next())
                .collect();
            let names: Vec<&str> =
                prompt.info.arguments.iter().map(|argument| argument.name).collect();
            let unknown: Vec<_> = blanks.iter().filter(|blank| !names.contains(blank)).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", prompt.info.name);
            let unused: Vec<_> = names
                .iter()
                .filter(|name| !blanks.contains(name) && **name != "projectPath")
                .collect();
            assert!(unused.is_empty(), "{}: {unused:?}", prompt.info.name);
            let offered = prompt.choices.iter().map(|(name, _)| name);
            assert!(offered.clone().all(|name| names.contains(name)), "{}", prompt.info.name);
        }
    }
}
