//! Prepared questions, filled with facts of the open project, and completions for their blanks.

mod complete;
mod godot;

#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use scenewright_contract::prompt::{PromptArgument, PromptInfo, PromptValues};
use scenewright_contract::{ErrorKind, ToolError, suggest};

use crate::{Runner, resources};

pub use complete::complete;

/// At most this many completions are returned; MCP allows no more.
pub const MAX_COMPLETIONS: usize = 100;

/// Every prompt, those for any project first.
pub fn list() -> &'static [PromptInfo] {
    static ALL: LazyLock<Vec<PromptInfo>> = LazyLock::new(|| {
        let godot = godot::PROMPTS.iter().map(|prompt| prompt.info.clone());
        GENERAL.iter().cloned().chain(godot).collect()
    });
    &ALL
}

/// Prompts for any project.
const GENERAL: &[PromptInfo] = &[
    PromptInfo {
        name: "project_overview",
        title: "Project overview",
        description: "Get to know a project before working on it",
        arguments: &[PromptArgument {
            name: "project",
            description: "Id of the project; the first open one by default",
            required: false,
        }],
    },
    PromptInfo {
        name: "find_the_right_tool",
        title: "Find the right tool",
        description: "Plan a task with the tools of this server",
        arguments: &[PromptArgument {
            name: "task",
            description: "What you want to get done, in your words",
            required: true,
        }],
    },
    PromptInfo {
        name: "explain_tool",
        title: "Explain a tool",
        description: "What a tool does, with its whole definition at hand",
        arguments: &[PromptArgument {
            name: "tool",
            description: "Name of the tool",
            required: true,
        }],
    },
];

/// The text of a prompt with its blanks filled.
pub fn fill(runner: &Arc<Runner>, name: &str, values: &PromptValues) -> Result<String, ToolError> {
    let prompt = find(name)?;
    for argument in prompt.arguments.iter().filter(|argument| argument.required) {
        if values.get(argument.name).is_none_or(|value| value.trim().is_empty()) {
            return Err(ToolError::new(
                ErrorKind::BadEnvelope,
                format!(
                    "prompt {name} needs the argument '{}': {}",
                    argument.name, argument.description
                ),
            ));
        }
    }
    if let Some(prompt) = godot::PROMPTS.iter().find(|godot| godot.info.name == prompt.name) {
        return godot::fill(runner, prompt, values);
    }
    let value = |name: &str| values.get(name).map(String::as_str);
    match prompt.name {
        "project_overview" => overview(runner, value("project")),
        "find_the_right_tool" => Ok(plan(runner, value("task").unwrap_or_default())),
        _ => explain(runner, value("tool").unwrap_or_default()),
    }
}

fn find(name: &str) -> Result<&'static PromptInfo, ToolError> {
    list().iter().find(|prompt| prompt.name == name).ok_or_else(|| {
        let known = list().iter().map(|prompt| prompt.name);
        ToolError::new(ErrorKind::BadEnvelope, format!("no prompt is called '{name}'"))
            .hint(suggest::did_you_mean(name, known, "prompts/list names them"))
    })
}

fn overview(runner: &Arc<Runner>, project: Option<&str>) -> Result<String, ToolError> {
    let id = &runner.workspace().find(project)?.id;
    let facts = resources::read(runner, &format!("scenewright://project/{id}"))?.text;
    Ok(format!(
        "These are the headline facts of the project `{id}`:\n\n```json\n{facts}\n```\n\n\
         Explain in a few sentences what kind of project this is and what stands out. Then use \
         tools_search to find the tools that tell more (scenes, assets, scripts, problems), run \
         the two or three most useful ones with `project: \"{id}\"`, and finish with a short list \
         of what a newcomer should look at first."
    ))
}

fn plan(runner: &Arc<Runner>, task: &str) -> String {
    let writes = if runner.settings().allow_writes {
        "Tools that change the project may run."
    } else {
        "This server is read-only: plan changes, but say that it must be started with \
         --allow-writes to make them."
    };
    format!(
        "Task: {task}\n\nFind the tools for it with tools_search (try several wordings), read \
         their arguments with mcp_tool_describe, and write a plan with one tool call per step. \
         {writes} Then carry the plan out and check the result of each step before the next."
    )
}

fn explain(runner: &Arc<Runner>, tool: &str) -> Result<String, ToolError> {
    let definition = resources::read(runner, &format!("scenewright://tool/{tool}"))?.text;
    Ok(format!(
        "This is the definition of a tool:\n\n```json\n{definition}\n```\n\nExplain what it is \
         for, when to prefer it over others, and show one realistic call with its arguments."
    ))
}
