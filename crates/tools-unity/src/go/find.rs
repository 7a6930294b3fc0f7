//! The tool `go.find`: Find GameObjects.

use std::borrow::Cow;

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::objects::{self, Criteria, Pattern};
use crate::base::{INSTANCE_IDS, InUnity, tell_of_instance_ids};

pub(crate) const TOOL: Tool = Tool {
    id: "go.find",
    keywords: "named called lookup object by name tag component locate wildcard glob hierarchy path search objects layer player",
    title: "Find GameObjects",
    category: "go",
    limits: Limits { max_items: Some(5000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Find everything below the player of the Unity sample",
        input: r#"{ "hierarchyPath": "Player/**", "maxResults": 1 }"#,
        output: r#"{
            "matches": [],
            "activeScene": "Assets/Scenes/Main.unity",
            "totalMatches": 3
        }"#,
        varies: &["matches"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find GameObjects by path glob, name, component, tag and layer; all criteria must hold. Without
/// a running editor the active scene is the first one of the build settings.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path glob: `*` stays within a name, `**` crosses them.
    hierarchy_path: Option<String>,
    /// Has a component of this class, short or full.
    component_type: Option<String>,
    /// Has this tag.
    tag: Option<String>,
    /// Is on this layer, as an index.
    #[schemars(range(min = 0, max = 31))]
    layer: Option<u32>,
    /// Name with `*`, whatever the case.
    name_pattern: Option<String>,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn most() -> usize {
    100
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The objects, sorted by path.
    matches: Vec<Match>,
    /// The scene that was looked at.
    active_scene: String,
    /// How many there are.
    total_matches: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Match {
    /// A stable number for it.
    instance_id: i32,
    /// Its name.
    name: String,
    /// Its path in the hierarchy.
    hierarchy_path: String,
    /// Its components, by class.
    components: Vec<Cow<'static, str>>,
    /// Its tag.
    tag: String,
    /// Its layer, as an index.
    layer: u32,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let scene = unity.active_scene(input.scene_path)?;
    let (active_scene, hierarchy) = unity.hierarchy(&scene)?;
    let path = input.hierarchy_path.map(|glob| {
        globset::GlobBuilder::new(&glob)
            .literal_separator(true)
            .build()
            .map(|glob| glob.compile_matcher())
            .map_err(|_| ToolError::bad_argument("hierarchyPath", "Invalid hierarchy path pattern"))
    });
    let criteria = Criteria {
        component: input.component_type,
        name_pattern: input.name_pattern.as_deref().map(Pattern::new),
        tag: input.tag,
        layer: input.layer,
        path: path.transpose()?,
        ..Criteria::default()
    };
    let (found, total) = objects::find(cx, &unity, &hierarchy, &criteria, input.max_results)?;
    let mut matches: Vec<Match> = found
        .into_iter()
        .map(|card| Match {
            instance_id: card.instance_id,
            name: card.name,
            hierarchy_path: card.path,
            components: card.components,
            tag: card.tag,
            layer: card.layer,
        })
        .collect();
    matches.sort_by(|a, b| a.hierarchy_path.cmp(&b.hierarchy_path));
    tell_of_instance_ids(cx);
    Ok(Output { matches, active_scene, total_matches: total })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{call_project, call_sample};

    #[test]
    fn a_name_of_megabytes_is_cut_and_everything_below_it_is_found() {
        let object = |id: usize, name: &str, father: usize, children: &[usize]| {
            let transform = id + 1;
            let children = children.iter().map(|id| format!("  - {{fileID: {id}}}\n"));
            format!(
                "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {transform}}}\n  m_Name: {name}\n\
                 --- !u!4 &{transform}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_Children:\n{}  m_Father: {{fileID: {father}}}\n",
                children.collect::<String>()
            )
        };
        let children: Vec<usize> = (0..99).map(|at| 10 + 2 * at).collect();
        let transforms: Vec<usize> = children.iter().map(|id| id + 1).collect();
        let mut scene = object(1, &"x".repeat(1 << 20), 0, &transforms);
        scene.extend(children.iter().map(|id| object(*id, "Child", 2, &[])));
        let project = format!("//- Assets/long.unity\n%YAML 1.1\n{scene}");
        for tool in [super::TOOL.id, "scene.objects.find"] {
            let arguments = json!({ "scenePath": "Assets/long.unity", "namePattern": "*" });
            let outcome = call_project(&project, tool, arguments).unwrap();
            assert_eq!(outcome.output["matches"].as_array().unwrap().len(), 100, "{tool}");
            assert!(outcome.output.to_string().len() < 200_000, "{tool}");
            let said = outcome.diagnostics.join("\n");
            assert!(said.contains("1 name is longer than 1000 bytes"), "{tool}: {said}");
        }
    }

    #[test]
    fn a_misspelt_class_or_tag_is_no_silent_nothing() {
        for tool in [super::TOOL.id, "scene.objects.find"] {
            let hint = |key: &str, value: &str| {
                let arguments = json!({ "scenePath": "Assets/Scenes/Main.unity", key: value });
                call_sample(tool, arguments).unwrap_err().hint.unwrap_or_default()
            };
            assert_eq!(hint("componentType", "Lihgt"), "did you mean Light?");
            assert_eq!(hint("tag", "Playr"), "did you mean Player?");
        }
    }
}
