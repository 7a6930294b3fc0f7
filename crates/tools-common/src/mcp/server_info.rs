//! The tool `mcp.server.info`: MCP Server Info.

use std::collections::BTreeSet;

use scenewright_contract::{Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_explorer::HasWorld;
use scenewright_tools_unity::base::UnityProject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "mcp.server.info",
    keywords: "is writing allowed may write permissions what can this server do version of scenewright capabilities read-only mode which projects are open read only tier",
    title: "MCP Server Info",
    category: "mcp.platform",
    instant: true,
    examples: &[Example {
        description: "Ask who is answering",
        input: "{}",
        output: r#"{
            "success": true,
            "serverVersion": "0.1.0",
            "unityVersion": "2022.3.20f1",
            "platform": "Linux",
            "enabledToolCategories": ["mcp.platform", "project", "tools"],
            "tier": "tier4",
            "minUnityVersion": "5.0",
            "isCompatible": true,
            "toolCount": 10,
            "readOnly": true,
            "projects": [{ "id": "unity", "engine": "unity" }, { "id": "godot", "engine": "godot" }]
        }"#,
        varies: &["serverVersion", "platform", "enabledToolCategories", "toolCount"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what this server is: version, open projects, tool categories, and whether it may write.
/// Call it first to see what you are working on.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Version of scenewright.
    server_version: String,
    /// Editor version of the first Unity project; `none` without one.
    unity_version: String,
    /// Operating system that the server runs on.
    platform: String,
    /// Categories of the tools on offer, sorted.
    enabled_tool_categories: BTreeSet<&'static str>,
    /// Highest tier on offer.
    tier: Tier,
    /// Oldest Unity whose text files are read.
    min_unity_version: String,
    /// Whether every open project can be read.
    is_compatible: bool,
    /// Number of tools on offer.
    tool_count: usize,
    /// Whether tools that change projects are refused.
    read_only: bool,
    /// The open projects; calls name one by its id.
    projects: Vec<OpenProject>,
    /// The running Unity Explorer host that the `explorer` tools go to, under `--attach`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explorer_host: Option<ExplorerHost>,
}

#[derive(Serialize, JsonSchema)]
struct ExplorerHost {
    /// Where it is; absent while none is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// Whether it answers.
    connected: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct OpenProject {
    /// What calls name it by.
    id: String,
    /// `unity` or `godot`.
    engine: String,
}

fn run(cx: &Cx, Input {}: Input) -> Result<Output, ToolError> {
    let catalog = cx.catalog();
    let categories: BTreeSet<&str> = catalog.iter().map(|tool| tool.category).collect();
    let projects = cx.workspace().projects();
    let unity_version = projects.iter().find_map(|project| project.of::<UnityProject>());
    let unity_version = unity_version.map(|unity| unity.settings.version.to_string());
    let settings = cx.runner().settings();
    let host = cx.runner().world().link().map(|link| link.status());
    Ok(Output {
        success: true,
        server_version: env!("CARGO_PKG_VERSION").to_owned(),
        unity_version: unity_version.unwrap_or_else(|| "none".to_owned()),
        platform: platform().to_owned(),
        enabled_tool_categories: categories,
        tier: settings.tier,
        min_unity_version: "5.0".to_owned(),
        is_compatible: true,
        tool_count: catalog.len(),
        read_only: !settings.allow_writes,
        projects: projects
            .iter()
            .map(|project| OpenProject {
                id: project.id.to_string(),
                engine: project.engine.name().to_owned(),
            })
            .collect(),
        explorer_host: host.map(|status| ExplorerHost {
            url: status.url,
            connected: status.connected,
            problem: status.problem,
        }),
    })
}

fn platform() -> &'static str {
    match std::env::consts::OS {
        "linux" => "Linux",
        "macos" => "macOS",
        "windows" => "Windows",
        other => other,
    }
}
