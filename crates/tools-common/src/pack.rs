//! What every project has, whatever its engine: resources about the server, its projects and its
//! tools, and prompts about them.

use std::sync::{Arc, Mutex};

use scenewright_contract::definition::Definition;
use scenewright_contract::prompt::{CompletionOf, PromptArgument, PromptInfo, PromptValues};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{JsonMap, ToolError};
use scenewright_toolkit::Runner;
use scenewright_toolkit::pack::Pack;
use scenewright_toolkit::resources::{self, JSON, decode, missing, run, template};
use serde_json::{Value, json};

use crate::tools::search::Index;

const SERVER: &str = "scenewright://server";
const PROJECT: &str = "scenewright://project/";
const TOOL: &str = "scenewright://tool/";

/// The pack of what every project has.
#[derive(Default)]
pub struct CommonPack {
    /// The words of all tools, once somebody has searched, and for which projects.
    pub(crate) tools: Mutex<Option<(u64, Arc<Index>)>>,
}

impl Pack for CommonPack {
    fn resources(&self, runner: &Runner) -> Vec<ResourceInfo> {
        let workspace = runner.workspace();
        let projects = workspace.projects().iter().map(|project| ResourceInfo {
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
            "find_the_right_tool" => plan(runner, value("task").unwrap_or_default()),
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
    let workspace = runner.workspace();
    let project = match project {
        Some(wanted) => workspace.named(wanted)?,
        None => workspace.candidates(None).next().ok_or_else(|| workspace.nothing_open())?,
    };
    let id = &project.id;
    let facts = resources::read(runner, &format!("scenewright://project/{id}"))?.text;
    Ok(format!(
        "These are the headline facts of the project `{id}`:\n\n```json\n{facts}\n```\n\n\
         Explain in a few sentences what kind of project this is and what stands out. Then use \
         tools_search to find the tools that tell more (scenes, assets, scripts, problems), run \
         the two or three most useful ones with `project: \"{id}\"`, and finish with a short list \
         of what a newcomer should look at first."
    ))
}

/// Tools that a plan is made of.
const MAX_TOOLS: usize = 10;

fn plan(runner: &Arc<Runner>, task: &str) -> Result<String, ToolError> {
    let writes = if runner.settings().allow_writes {
        "Tools that change the project may run."
    } else {
        "This server is read-only: plan changes, but say that it must be started with \
         --allow-writes to make them."
    };
    let query = json!({ "query": task, "limit": MAX_TOOLS });
    let query = query.as_object().cloned().unwrap_or_default();
    let found = run(runner, "tools.search", query)?;
    Ok(format!(
        "Task: {task}\n\n{}\n{}\nIf none of these fits, try other words with tools_search. Read \
         what an argument means with mcp_tool_describe, and write a plan with one tool call per \
         step; several changes are one with batch. {writes} Then carry the plan out and check the \
         result of each step before the next.",
        open_projects(runner),
        listed(&found)
    ))
}

/// What is open, a line for each.
fn open_projects(runner: &Runner) -> String {
    let workspace = runner.workspace();
    let projects = workspace.projects().iter().take(MAX_TOOLS);
    let lines = projects.map(|project| {
        let (id, title) = (&project.id, project.made_by.title);
        format!("- `{id}`, a {title} project in {}\n", project.root.display())
    });
    format!("Open:\n\n{}", lines.collect::<String>())
}

/// The tools that a search found, a line for each, and a call of the best.
fn listed(found: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tools = found["tools"].as_array().into_iter().flatten();
    let lines = tools.map(|tool| {
        let arguments = tool["arguments"].as_array().into_iter().flatten().map(text);
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let needs =
            tool["needs"].as_str().map(|flag| format!(" Needs {flag}.")).unwrap_or_default();
        format!("- `{}({arguments})`: {}{needs}\n", text(&tool["name"]), text(&tool["summary"]))
    });
    let mut list = format!("The tools that fit best:\n\n{}", lines.collect::<String>());
    if let Some(note) = found["note"].as_str() {
        list += &format!("\n({note})\n");
    }
    if found["call"].is_object() {
        list += &format!("\nA call of the first, as an example: `{}`\n", found["call"]);
    }
    list
}

fn explain(runner: &Arc<Runner>, tool: &str) -> Result<String, ToolError> {
    let definition = resources::read(runner, &format!("scenewright://tool/{tool}"))?.text;
    Ok(format!(
        "This is the definition of a tool:\n\n```json\n{definition}\n```\n\nExplain what it is \
         for, when to prefer it over others, and show one realistic call with its arguments."
    ))
}
