//! The tool `godotProject.getProjectSettings`, which MCP clients call `get_project_settings`.

use scenewright_contract::{Limits, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::settings::no_document;
use scenewright_tools_godot::base::{InGodot, InProject, to_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.getProjectSettings",
    keywords: "project.godot read configuration resolution display value renderer viewport size configured settings window gravity stretch rendering",
    mcp: Some("get_project_settings"),
    title: "Get Godot Project Settings",
    notes: Some("A setting that is not in the file has the engine's default, and is not listed."),
    category: "godot.project",
    limits: Limits { max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Read the size of the window",
        input: r#"{ "projectPath": "godot", "section": "display", "key": "window/size" }"#,
        output: r#"{
            "success": true,
            "configVersion": 5,
            "settings": [
                { "section": "display", "key": "window/size/viewport_width", "value": 640, "rawValue": "640", "line": 26 },
                { "section": "display", "key": "window/size/viewport_height", "value": 360, "rawValue": "360", "line": 27 },
                { "section": "display", "key": "window/size/window_width_override", "value": 1280, "rawValue": "1280", "line": 28 },
                { "section": "display", "key": "window/size/window_height_override", "value": 720, "rawValue": "720", "line": 29 }
            ],
            "sections": ["application", "autoload", "display", "input", "layer_names", "rendering"],
            "total": 4,
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read `project.godot`: all settings, one section, or one key and what is below it.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Only this section: `display`.
    section: Option<String>,
    /// Only this key or the ones below it: `window/size`, or `display/window/size` without a section.
    key: Option<String>,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The format of the file: 5 for Godot 4.
    config_version: i64,
    /// The settings, in file order.
    settings: Vec<Setting>,
    /// All sections there are, in file order.
    sections: Vec<String>,
    /// How many settings there are.
    total: usize,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Setting {
    /// The section.
    section: String,
    /// The key in it.
    key: String,
    /// The value, as far as JSON can say it.
    value: Json,
    /// The value as Godot wrote it.
    raw_value: String,
    /// The line, from 1.
    line: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let config = godot.open_settings()?.config;
    let mut sections: Vec<String> = Vec::new();
    let mut settings = Vec::new();
    let document = no_document();
    for (section, field) in config.entries() {
        let (section, key) = (section.into_owned(), field.key().into_owned());
        if !section.is_empty() && !sections.contains(&section) {
            sections.push(section.clone());
        }
        if is_wanted(&input, &section, &key) {
            let value = to_json(&document, &field.value().decode());
            let raw_value = field.value().raw().into_owned();
            settings.push(Setting { section, key, value, raw_value, line: field.line() });
        }
    }
    if let Some(wanted) = &input.section
        && !sections.contains(wanted)
    {
        let known = sections.iter().map(String::as_str);
        let otherwise = format!("the sections are {}", sections.join(", "));
        return Err(ToolError::not_found("section", wanted)
            .hint(suggest::did_you_mean(wanted, known, &otherwise)));
    }
    config.problems().iter().for_each(|problem| {
        cx.diagnose(format!("project.godot:{}: {}", problem.line, problem.message));
    });
    let total = settings.len();
    settings.truncate(input.limit);
    let version = config.find("", "config_version").and_then(scenewright_godot::Value::as_int);
    Ok(Output {
        success: true,
        config_version: version.unwrap_or(0),
        truncated: total > settings.len(),
        settings,
        sections,
        total,
    })
}

fn is_wanted(input: &Input, section: &str, key: &str) -> bool {
    if input.section.as_deref().is_some_and(|wanted| wanted != section) {
        return false;
    }
    let Some(wanted) = input.key.as_deref() else { return true };
    let is_below = |key: &str| {
        let rest = key.strip_prefix(wanted.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
    };
    is_below(key) || (input.section.is_none() && is_below(&format!("{section}/{key}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn values_that_span_lines_are_whole() {
        let found =
            GodotSample::new().call(super::TOOL.id, json!({ "key": "input/jump" })).unwrap();
        assert_eq!(found["total"], 1);
        assert_eq!(found["settings"][0]["value"]["deadzone"], 0.2);
        let raw = found["settings"][0]["rawValue"].as_str().unwrap();
        assert!(raw.starts_with("{\n\"deadzone\": 0.2,\n") && raw.ends_with("]\n}"), "{raw}");
    }

    #[test]
    fn a_feature_belongs_to_its_key_and_lists_are_cut() {
        let sample = GodotSample::new();
        let arguments = json!({ "section": "rendering", "key": "renderer/rendering_method" });
        let found = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(found["settings"][1]["key"], "renderer/rendering_method.mobile");
        let cut = sample.call(super::TOOL.id, json!({ "limit": 3 })).unwrap();
        assert_eq!(
            (cut["settings"].as_array().unwrap().len(), &cut["truncated"]),
            (3, &json!(true))
        );
    }

    #[test]
    fn an_unknown_section_is_said() {
        let error = GodotSample::new().error(super::TOOL.id, json!({ "section": "displya" }));
        assert_eq!(error, "section not found: displya; did you mean display?");
    }
}
