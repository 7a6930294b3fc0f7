//! The tool `addressables.updateRemoteCatalog`: Update Remote Catalog.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::groups;
use crate::base::InUnity;
use crate::base::editor::not_connected;

pub(crate) const TOOL: Tool = Tool {
    id: "addressables.updateRemoteCatalog",
    keywords: "publish content update upload bundles remote storage bucket cdn patch server",
    title: "Update Remote Catalog",
    notes: Some(
        "Needs a link to a running editor, which this version does not have, and access to the storage.",
    ),
    category: "addressables",
    tier: Tier::Tier4,
    safety: Safety::Destructive,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Publish what changed since a build of the Unity sample",
        input: r#"{ "project": "unity", "bucket": "keep-content", "catalogPath": "catalog.json", "previousBuildPath": "Builds/1.0" }"#,
        output: r#"{
            "success": true,
            "catalogUpdated": true,
            "groupsUpdated": 1,
            "remotePath": "keep-content/catalog.json"
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Publish a content update of Addressables to remote storage. Needs a running editor.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Storage.
    #[serde(rename = "bucket")]
    _bucket: String,
    /// Catalogue there.
    #[serde(rename = "catalogPath")]
    _catalog_path: String,
    /// Build to compare with.
    #[serde(rename = "previousBuildPath")]
    _previous_build_path: String,
    /// Groups to update; all that changed by default.
    #[serde(default, rename = "updateGroups")]
    update_groups: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether the catalogue there is another one now.
    catalog_updated: bool,
    /// How many groups were updated.
    groups_updated: usize,
    /// The catalogue.
    remote_path: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let groups = groups(&unity)?;
    for name in &input.update_groups {
        super::find_group(&groups, name)?;
    }
    Err(not_connected(
        "addressables.updateRemoteCatalog",
        "addressables_buildGroups builds the content where Unity is installed; upload what it made with the storage's own program",
    ))
}
