//! The tool `godotProject.listExportPresets`, which MCP clients call `list_export_presets`.

use scenewright_contract::ToolError;
use scenewright_godot::{Config, Section, Value};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.listExportPresets",
    keywords: "platform targets export configurations platforms windows android web template configured",
    mcp: Some("list_export_presets"),
    title: "List Godot Export Presets",
    notes: Some(
        "The options of presets may hold keys and passwords and are not read, nor is the file of credentials.",
    ),
    category: "godot.project",
    examples: &[Example {
        description: "List the presets of the sample",
        input: r#"{ "projectPath": "godot" }"#,
        output: r#"{
            "success": true,
            "presetsFile": "export_presets.cfg",
            "count": 2,
            "presets": [
                { "index": 0, "name": "Linux", "platform": "Linux", "runnable": true, "exportPath": "build/linux/lighthouse_run.x86_64", "exportFilter": "all_resources" },
                { "index": 1, "name": "Web", "platform": "Web", "runnable": true, "exportPath": "build/web/index.html", "exportFilter": "all_resources", "excludeFilter": "*.md" }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the export presets of a project.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file that they are in.
    presets_file: String,
    /// How many there are.
    count: usize,
    /// They, in file order.
    presets: Vec<Preset>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Preset {
    /// Its number.
    index: u32,
    /// Its name, which export_project takes.
    name: String,
    /// The platform.
    platform: String,
    /// Whether the editor deploys with it at one click.
    runnable: bool,
    /// Where it exports to.
    #[serde(skip_serializing_if = "Option::is_none")]
    export_path: Option<String>,
    /// What it takes along.
    #[serde(skip_serializing_if = "Option::is_none")]
    export_filter: Option<String>,
    /// Files that it takes along besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    include_filter: Option<String>,
    /// Files that it leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    exclude_filter: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path("export_presets.cfg")?;
    let presets = match godot.exists(&path) {
        true => presets(&Config::parse(godot.read(&path)?)),
        false => Vec::new(),
    };
    let message = presets
        .is_empty()
        .then(|| "no presets: the editor makes them under Project > Export".to_owned());
    let presets_file = path.to_string();
    Ok(Output { success: true, presets_file, count: presets.len(), presets, message })
}

fn presets(config: &Config) -> Vec<Preset> {
    let read = |section: Section<'_>| {
        let index = section.name().strip_prefix("preset.")?.parse().ok()?;
        let text = |key| section.property(key).and_then(Value::as_str).map(|t| t.into_owned());
        let some = |key| text(key).filter(|text| !text.is_empty());
        Some(Preset {
            index,
            name: text("name").unwrap_or_default(),
            platform: text("platform").unwrap_or_default(),
            runnable: section.property("runnable").is_some_and(|value| value.raw() == "true"),
            export_path: some("export_path"),
            export_filter: some("export_filter"),
            include_filter: some("include_filter"),
            exclude_filter: some("exclude_filter"),
        })
    };
    config.sections().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn secrets_stay_where_they_are() {
        let sample = GodotSample::new();
        sample.write(
            "export_presets.cfg",
            "[preset.0]\nname=\"A\"\nplatform=\"Android\"\nscript_encryption_key=\"hush\"\n\n[preset.0.options]\nkeystore/release_password=\"hush\"\n",
        );
        let found = sample.call(super::TOOL.id, json!({})).unwrap();
        assert_eq!(
            found["presets"],
            json!([{ "index": 0, "name": "A", "platform": "Android", "runnable": false }])
        );
        assert!(!found.to_string().contains("hush"));
    }

    #[test]
    fn a_project_without_presets_has_none() {
        let sample = GodotSample::new();
        sample.write("export_presets.cfg", "");
        let found = sample.call(super::TOOL.id, json!({})).unwrap();
        assert_eq!(found["count"], 0);
        assert_eq!(found["message"], "no presets: the editor makes them under Project > Export");
    }
}
