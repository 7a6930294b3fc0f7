//! The tool `scene.hierarchy.dump`: Dump Scene Hierarchy.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use scenewright_contract::{self as contract, JsonMap, ToolError};
use scenewright_toolkit::tool::{call_written, written};
use scenewright_toolkit::{Cx, Example, Tool, answer, schema};
use scenewright_unity::hierarchy::{Node, labels};
use schemars::JsonSchema;
use serde::ser::{Error, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::base::objects::node_id;
use crate::base::{InUnity, Unity, tell_of_instance_ids};

/// JSON that nests deeper is refused by many readers; deeper objects are counted instead.
const MAX_DEPTH: usize = 48;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.hierarchy.dump",
    keywords: "prefab contents game objects tree structure show what is inside under children nested outline list of scene everything level room",
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
    text: Some(text),
    call: |cx, args| call_written(cx, args, run),
    ..Tool::READ
};

/// Show the GameObject hierarchy of a Unity scene or prefab as a tree, with the components of each object.
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
    /// How many levels to show; 0 for the roots alone. What is below says `childrenNotShown`.
    depth: Option<usize>,
    /// How many objects to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 200_000))]
    max_objects: usize,
}

/// A line per object: its name, its prefab, its components but for the Transform that every object has.
fn text(output: &Value) -> String {
    answer::with_tree(output, &["rootObjects"], &|object, path| {
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let mut line = text("name").unwrap_or_default().to_owned();
        if let Some(alike) = object.get("alike") {
            line += &format!(" ×{alike}");
        } else if let Some(own) = object.get("path").filter(|own| !answer::leads_to(own, path)) {
            line += &format!(" path: {}", answer::cell(own));
        }
        if let Some(prefab) = text("prefab") {
            line += &format!(" <{prefab}>");
        }
        let components = object.get("components").and_then(Value::as_array).into_iter().flatten();
        let components = components.filter_map(Value::as_str).filter(|name| *name != "Transform");
        let components: Vec<&str> = components.collect();
        if !components.is_empty() {
            line += &format!(" [{}]", components.join(", "));
        }
        if object.get("active") == Some(&Value::Bool(false)) {
            line += " (inactive)";
        }
        if let Some(opaque) = text("opaque") {
            line += &format!(" ({opaque})");
        }
        line
    })
}

fn yes() -> bool {
    true
}

fn most() -> usize {
    100_000
}

/// Its objects are read while it is written: a large scene is not built in memory a second time.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    /// The scene or prefab.
    scene_path: String,
    /// The roots, in the editor's order.
    #[schemars(with = "Vec<Object>")]
    root_objects: Siblings<'a>,
    /// How many objects are in the answer.
    #[schemars(with = "usize")]
    object_count: &'a Cell<usize>,
    /// Whether objects are left out: more than `maxObjects`, or deeper ones than `depth`.
    #[schemars(with = "bool")]
    truncated: &'a Cell<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    /// Its name.
    name: Cow<'a, str>,
    /// Its path in the hierarchy.
    path: &'a str,
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
    children: Siblings<'a>,
    /// How many of its children are left out, where some are.
    #[serde(skip_serializing_if = "is_none", serialize_with = "count")]
    #[schemars(with = "Option<usize>")]
    children_not_shown: Rc<Cell<usize>>,
}

fn is_none(count: &Cell<usize>) -> bool {
    count.get() == 0
}

fn count<S: Serializer>(count: &Cell<usize>, serializer: S) -> Result<S::Ok, S::Error> {
    count.serialize(serializer)
}

/// What is asked for, and how far the answer is.
struct Dump<'a> {
    cx: &'a Cx,
    unity: &'a Unity<'a>,
    inactive: bool,
    depth: usize,
    most: usize,
    count: Cell<usize>,
    truncated: Cell<bool>,
}

/// Objects under one parent.
struct Siblings<'a> {
    dump: &'a Dump<'a>,
    nodes: Vec<Node<'a>>,
    parent: &'a str,
    level: usize,
    /// How many of them the answer has no room for; known when they were written.
    left_out: Rc<Cell<usize>>,
}

fn run(cx: &Cx, input: Input) -> Result<contract::Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (scene_path, hierarchy) = unity.hierarchy(&input.scene_path)?;
    let nodes = match &input.root {
        None => hierarchy.roots(),
        Some(root) => vec![unity.object(
            &hierarchy,
            root,
            &format!("GameObject with path '{root}' not found in scene"),
        )?],
    };
    let dump = Dump {
        cx,
        unity: &unity,
        inactive: input.include_inactive,
        depth: input.depth.unwrap_or(usize::MAX),
        most: input.max_objects,
        count: Cell::new(0),
        truncated: Cell::new(false),
    };
    // A single root keeps the path that it was named by.
    let parent = match &input.root {
        Some(_) => nodes[0].parent().map_or_else(String::new, |parent| parent.path()),
        None => String::new(),
    };
    let left_out = Rc::default();
    let output = written(&Output {
        scene_path,
        root_objects: Siblings { dump: &dump, nodes, parent: &parent, level: 0, left_out },
        object_count: &dump.count,
        truncated: &dump.truncated,
    });
    // Only this ends the walk before its end.
    cx.check_cancelled()?;
    if dump.truncated.get() {
        cx.diagnose(format!(
            "{} objects are shown; root, depth or maxObjects choose others",
            dump.count.get()
        ));
    }
    tell_of_instance_ids(cx);
    output
}

impl Serialize for Siblings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dump = self.dump;
        let mut list = serializer.serialize_seq(None)?;
        let mut left = self.nodes.iter().filter(|node| dump.shows(node)).count();
        for (label, node) in labels(&self.nodes).into_iter().zip(&self.nodes) {
            if !dump.shows(node) {
                continue;
            }
            dump.cx.check_cancelled().map_err(|error| Error::custom(error.message))?;
            let parent = self.parent;
            let path = if parent.is_empty() { label } else { format!("{parent}/{label}") };
            if dump.count.get() == dump.most || !dump.cx.keep(path.len() + 96) {
                dump.leave_out(&self.left_out, left);
                break;
            }
            dump.count.set(dump.count.get() + 1);
            left -= 1;
            list.serialize_element(&dump.object(node, &path, self.level))?;
        }
        list.end()
    }
}

impl<'a> Dump<'a> {
    fn object(&'a self, node: &'a Node<'a>, path: &'a str, level: usize) -> Object<'a> {
        let (mut nodes, left_out) = (node.children(), Rc::default());
        if level >= self.depth.min(MAX_DEPTH) {
            self.leave_out(&left_out, nodes.iter().filter(|node| self.shows(node)).count());
            nodes.clear();
        }
        Object {
            name: node.name(),
            path,
            instance_id: node_id(node),
            active: node.is_active_self(),
            components: self.unity.component_names(node),
            prefab: node
                .prefab()
                .map(|prefab| prefab.path.unwrap_or_else(|| prefab.guid.to_string())),
            opaque: node.opaque().map(|why| why.to_string()),
            children_not_shown: left_out.clone(),
            children: Siblings { dump: self, nodes, parent: path, level: level + 1, left_out },
        }
    }

    fn shows(&self, node: &Node<'_>) -> bool {
        self.inactive || node.is_active_self()
    }

    fn leave_out(&self, place: &Cell<usize>, count: usize) {
        place.set(count);
        self.truncated.set(self.truncated.get() || count > 0);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

    #[test]
    fn a_name_means_the_scene_before_the_folder_of_that_name() {
        const PROJECT: &str = "//- Assets/Scenes/Boot.unity\n%YAML 1.1\n\
            //- Assets/Scenes/Boot.unity.meta\nguid: abc00000000000000000000000000001\n\
            //- Assets/Scenes/Boot.meta\nguid: abc00000000000000000000000000002\nfolderAsset: yes\n\
            //- Assets/Scenes/Boot/Note.txt\nx\n";
        let arguments = json!({ "scenePath": "Boot" });
        let told = match call_project(PROJECT, super::TOOL.id, arguments) {
            Ok(outcome) => outcome.output["scenePath"].to_string(),
            Err(error) => error.hint.unwrap_or_default(),
        };
        assert!(told.contains("Assets/Scenes/Boot.unity"), "{told}");
    }

    #[test]
    fn a_cut_does_not_look_like_a_leaf() {
        let dump = |key: &str, value: Value| {
            let arguments =
                json!({ "scenePath": "Assets/Scenes/Main.unity", "root": "Player", key: value });
            let output = call_sample(super::TOOL.id, arguments).unwrap().output.into_value();
            let root = &output["rootObjects"][0];
            let counts = [&root["children"], &root["children"][0]["children"]]
                .map(|children| children.as_array().map_or(0, Vec::len));
            let left_out = [root, &root["children"][0]].map(|object| &object["childrenNotShown"]);
            format!("{counts:?} {left_out:?} {}", output["truncated"])
        };
        expect!["[0, 0] [Number(1), Null] true"].assert_eq(&dump("depth", json!(0)));
        expect!["[1, 0] [Null, Number(1)] true"].assert_eq(&dump("depth", json!(1)));
        expect!["[1, 1] [Null, Null] false"].assert_eq(&dump("depth", json!(9)));
        expect!["[1, 0] [Null, Number(1)] true"].assert_eq(&dump("maxObjects", json!(2)));
    }
}
