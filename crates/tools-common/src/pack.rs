//! What every project has, whatever its engine: resources about the server, its projects and its
//! tools, and prompts about them.

use std::sync::{Arc, OnceLock};

use scenewright_contract::definition::Definition;
use scenewright_contract::prompt::{CompletionOf, PromptArgument, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{JsonMap, ToolError};
use scenewright_toolkit::Runner;
use scenewright_toolkit::pack::Pack;
use scenewright_toolkit::resources::{self, JSON, decode, missing, run, template};
use serde_json::json;

use crate::tools::search::Index;

const SERVER: &str = "scenewright://server";
const PROJECT: &str = "scenewright://project/";
const TOOL: &str = "scenewright://tool/";

/// The pack of what every project has.
#[derive(Default)]
pub struct CommonPack {
    /// The words of all tools, once somebody has searched.
    pub(crate) tools: OnceLock<Index>,
}

impl Pack for CommonPack {
    fn resources(&self, runner: &Runner) -> Vec<ResourceInfo> {
        let projects = runner.workspace().projects().iter().map(|project| ResourceInfo {
            uri: format!("{PROJECT}{}", project.id),
            name: project.id.to_string(),
            title: format!("Project {}", project.id),
            description: format!("Headline facts of a {} project", project.engine.name()),
            mime: JSON,
        });
        let server = ResourceInfo {
            uri: SERVER.to_owned(),
            name: "server".to_owned(),
            title: "Server".to_owned(),
            description: "What this server is and which projects are open".to_owned(),
            mime: JSON,
        };
        projects.chain([server]).collect()
    }

    #[rustfmt::skip]
    fn templates(&self) -> &'static [TemplateInfo] {
        const ALL: &[TemplateInfo] = &[
            template("scenewright://project/{project}", "project", "Project", "Headline facts of a project, by its id", JSON),
            template("scenewright://tool/{tool}", "tool", "Tool definition", "The whole definition of a tool, by its name", JSON),
        ];
        ALL
    }

    fn read(&self, runner: &Arc<Runner>, uri: &str) -> Option<Result<ResourceText, ToolError>> {
        let value = if uri == SERVER {
            run(runner, "mcp.server.info", JsonMap::new())
        } else if let Some(id) = uri.strip_prefix(PROJECT) {
            let arguments = JsonMap::from_iter([("project".to_owned(), json!(decode(id)))]);
            run(runner, "project.info", arguments).map_err(|error| missing(uri, error))
        } else {
            let name = decode(uri.strip_prefix(TOOL)?);
            let tool = runner.describe(&name).map_err(|error| missing(uri, error));
            tool.map(|tool| serde_json::to_value(Definition::of(tool)).unwrap_or_default())
        };
        Some(value.map(|value| resources::json(uri, &value)))
    }

    fn prompts(&self) -> Vec<PromptInfo> {
        PROMPTS.to_vec()
    }

    fn fill(
        &self,
        runner: &Arc<Runner>,
        prompt: &PromptInfo,
        values: &PromptValues,
    ) -> Result<String, ToolError> {
        let value = |name: &str| values.get(name).map(String::as_str);
        match prompt.name {
            "project_overview" => overview(runner, value("project")),
            "find_the_right_tool" => Ok(plan(runner, value("task").unwrap_or_default())),
            _ => explain(runner, value("tool").unwrap_or_default()),
        }
    }

    fn complete(
        &self,
        runner: &Runner,
        _of: CompletionOf<'_>,
        argument: &str,
        _others: &PromptValues,
    ) -> Vec<String> {
        match argument {
            "project" => {
                runner.workspace().projects().iter().map(|project| project.id.to_string()).collect()
            }
            "tool" => runner.catalog().iter().map(|tool| tool.mcp_name.clone()).collect(),
            _ => Vec::new(),
        }
    }
}

/// Prompts for any project.
const PROMPTS: &[PromptInfo] = &[
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
