//! The tool `project.migratePipeline`: Migrate Render Pipeline.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::InUnity;
use scenewright_tools_unity::base::editor::not_connected;
use scenewright_unity::RenderPipeline;
use scenewright_unity::index::AssetKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.migratePipeline",
    keywords: "convert project to urp hdrp universal high definition render pipeline upgrade materials switch built-in whole",
    engine: Some("unity"),
    title: "Migrate Render Pipeline",
    notes: Some(
        "The converters of the pipelines run in a running editor, to which this version has no link. What would be wrong is told first: the pipeline in use, the package that is missing.",
    ),
    category: "project",
    tier: Tier::Tier4,
    safety: Safety::Destructive,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Move the Unity sample to the Universal Render Pipeline",
        input: r#"{ "project": "unity", "fromPipeline": "Built-in", "toPipeline": "URP" }"#,
        output: r#"{
            "success": true,
            "migrationStarted": true,
            "materialsMigrated": 2,
            "shadersMigrated": 0,
            "warnings": []
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Move a project to another render pipeline. Needs the converters of a running editor.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The pipeline in use.
    from_pipeline: From,
    /// The pipeline to use.
    to_pipeline: To,
    /// Convert materials.
    #[serde(default = "yes", rename = "migrateMaterials")]
    _migrate_materials: bool,
    /// Convert shaders.
    #[serde(default = "yes", rename = "migrateShaders")]
    _migrate_shaders: bool,
    /// Keep a copy first.
    #[serde(default = "yes", rename = "backup")]
    _backup: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum From {
    #[serde(rename = "Built-in")]
    BuiltIn,
    #[serde(rename = "URP")]
    Urp,
    #[serde(rename = "HDRP")]
    Hdrp,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum To {
    #[serde(rename = "URP")]
    Urp,
    #[serde(rename = "HDRP")]
    Hdrp,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether it began.
    migration_started: bool,
    /// Materials that were converted.
    materials_migrated: usize,
    /// Shaders that were converted.
    shaders_migrated: usize,
    /// What to look at.
    warnings: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let used = unity.unity.settings.facts().map_err(unreadable)?.render_pipeline;
    let from = match input.from_pipeline {
        From::BuiltIn => RenderPipeline::BuiltIn,
        From::Urp => RenderPipeline::Urp,
        From::Hdrp => RenderPipeline::Hdrp,
    };
    let (to, package) = match input.to_pipeline {
        To::Urp => (RenderPipeline::Urp, "com.unity.render-pipelines.universal"),
        To::Hdrp => (RenderPipeline::Hdrp, "com.unity.render-pipelines.high-definition"),
    };
    if used != RenderPipeline::Unknown && used != from {
        let text = format!("Invalid pipeline: the project uses {used}, not {from}");
        return Err(
            ToolError::new(ErrorKind::BadArguments, text).hint(format!("fromPipeline is {used}"))
        );
    }
    if from == to {
        let text = format!("Invalid pipeline: the project uses {to} already");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("choose another toPipeline"));
    }
    if unity.index.lists_packages() && unity.index.package(package).is_none() {
        cx.diagnose(format!("Required package not installed: {package}"));
    }
    let materials = unity
        .index
        .of_kind(AssetKind::Material)
        .filter(|asset| asset.path().starts_with("Assets/"));
    let count = materials.count();
    Err(not_connected(
        "project.migratePipeline",
        "install the package, and use Window > Rendering > Render Pipeline Converter in Unity",
    )
    .detail("package", package)
    .detail("materials", count))
}

#[cfg(test)]
mod tests {
    use scenewright_contract::ErrorKind;
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    #[test]
    fn what_is_wrong_is_told_before_what_it_needs() {
        let folder = Folder::copy_of(&scenewright_fixture::sample("unity"));
        let call = |from: &str, to: &str| {
            let arguments = json!({ "fromPipeline": from, "toPipeline": to });
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err()
        };
        assert_eq!(
            call("URP", "HDRP").message,
            "Invalid pipeline: the project uses Built-in, not URP"
        );
        let ready = call("Built-in", "URP");
        assert_eq!(ready.kind, ErrorKind::NotReady);
        assert_eq!(ready.details["package"], "com.unity.render-pipelines.universal");
        assert_eq!(ready.details["materials"], 2);
    }
}
