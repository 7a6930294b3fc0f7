use std::borrow::Cow;

use scenewright_contract::{JsonMap, ToolError};
use scenewright_unity::hierarchy::{Node, labels};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unity::objects::node_id;
use crate::unity::{INSTANCE_IDS, Unity};
use crate::{Cx, Example, Tool, call_large, schema};

/// JSON that nests deeper is refused by many readers; deeper objects are counted instead.
const MAX_DEPTH: usize = 48;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.hierarchy.dump",
    argument_aliases: &[("path", "scenePath")],
    title: "Dump Scene Hierarchy",
    notes: Some("Large scenes give large answers: narrow them with root, depth or maxObjects."),
    category: "scene",
    lean: true,
    examples: &[Example {
        description: "Dump the camera of the Unity sample",
        input: r#"{ "scenePath": "Assets/Scenes/Main.unity", "root": "Main Camera" }"#,
        output: r#"{
            "scenePath": "Assets/Scenes/Main.unity",
            "rootObjects": [{
                "name": "Main Camera",
                "path": "Main Camera",
                "instanceId": 1,
                "active": true,
                "components": ["Transform", "Camera", "AudioListener"],
                "children": []
            }],
            "objectCount": 1,
            "truncated": false
        }"#,
        varies: &["rootObjects"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call_large(cx, args, run),
    ..Tool::READ
};

/// Return the GameObject hierarchy of a scene or prefab with the components of each object.
/// Prefab instances, variants and overrides are expanded as the editor shows them.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab, such as `Assets/Scenes/Main.unity`.
    scene_path: String,
    /// Only this object and what is below it, by its path.
    root: Option<String>,
    /// Whether to include inactive objects.
    #[serde(default = "yes")]
    include_inactive: bool,
    /// How many levels to show; 0 for the roots alone.
    depth: Option<usize>,
    /// How many objects to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 200_000))]
    max_objects: usize,
}

fn yes() -> bool {
    true
}

fn most() -> usize {
    100_000
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The scene or prefab.
    scene_path: String,
    /// The roots, in the editor's order.
    root_objects: Vec<Object>,
    /// How many objects are in the answer.
    object_count: usize,
    /// Whether there are more than `maxObjects`, or deeper ones than can be shown.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Object {
    /// Its name.
    name: String,
    /// Its path in the hierarchy.
    path: String,
    /// A stable number for it.
    instance_id: i32,
    /// Whether its own switch is on.
    active: bool,
    /// Its components, by class.
    components: Vec<Cow<'static, str>>,
    /// The prefab it is an instance of.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefab: Option<String>,
    /// Why nothing is known of what is inside: a model, or a source that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    opaque: Option<String>,
    /// What is below it, in the editor's order.
    #[schemars(with = "Vec<JsonMap>")]
    children: Vec<Object>,
}

struct Dump<'a> {
    cx: &'a Cx,
    unity: &'a Unity<'a>,
    inactive: bool,
    depth: usize,
    left: usize,
    truncated: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (scene_path, hierarchy) = unity.hierarchy(&input.scene_path)?;
    let roots = match &input.root {
        None => hierarchy.roots(),
        Some(root) => vec![unity.object(
            &hierarchy,
            root,
            &format!("GameObject with path '{root}' not found in scene"),
        )?],
    };
    let mut dump = Dump {
        cx,
        unity: &unity,
        inactive: input.include_inactive,
        depth: input.depth.unwrap_or(usize::MAX),
        left: input.max_objects,
        truncated: false,
    };
    // A single root keeps the path that it was named by.
    let parent = match &input.root {
        Some(_) => roots[0].parent().map_or_else(String::new, |parent| parent.path()),
        None => String::new(),
    };
    let root_objects = dump.list(roots, &parent, 0)?;
    let (truncated, object_count) = (dump.truncated, input.max_objects - dump.left);
    if truncated {
        cx.diagnose(format!(
            "{object_count} objects are shown; root, depth or maxObjects choose others"
        ));
    }
    cx.diagnose(INSTANCE_IDS);
    Ok(Output { scene_path, root_objects, object_count, truncated })
}

impl Dump<'_> {
    fn list(
        &mut self,
        nodes: Vec<Node<'_>>,
        parent: &str,
        level: usize,
    ) -> Result<Vec<Object>, ToolError> {
        self.cx.check_cancelled()?;
        let mut objects = Vec::new();
        for (label, node) in labels(&nodes).into_iter().zip(nodes) {
            if !self.inactive && !node.is_active_self() {
                continue;
            }
            if self.left == 0 {
                self.truncated = true;
                break;
            }
            self.left -= 1;
            let path = if parent.is_empty() { label } else { format!("{parent}/{label}") };
            objects.push(self.object(&node, path, level)?);
        }
        Ok(objects)
    }

    fn object(&mut self, node: &Node<'_>, path: String, level: usize) -> Result<Object, ToolError> {
        let children = if level >= self.depth {
            Vec::new()
        } else if level >= MAX_DEPTH {
            self.truncated |= !node.children().is_empty();
            Vec::new()
        } else {
            self.list(node.children(), &path, level + 1)?
        };
        Ok(Object {
            name: node.name().into_owned(),
            path,
            instance_id: node_id(node),
            active: node.is_active_self(),
            components: self.unity.component_names(node),
            prefab: node
                .prefab()
                .map(|prefab| prefab.path.unwrap_or_else(|| prefab.guid.to_string())),
            opaque: node.opaque().map(|why| why.to_string()),
            children,
        })
    }
}
