//! Edits at random: what a tool is asked, and what has to come of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use xtask::random::Random;

use super::ground::Ground;
use super::survey::{Answer, Property, Section, Seen};
use super::values::{self, Given};

/// One edit.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
    pub(super) effect: Effect,
    /// Whether it may not be refused; where not, the engine is asked.
    pub(super) is_plain: bool,
}

/// What must be different afterwards, and nothing else. Paths of nodes are from the scene's root.
#[derive(Debug, Clone)]
pub(super) enum Effect {
    /// A node has another path.
    Moved {
        scene: String,
        from: String,
        to: String,
    },
    /// The root has another name.
    RootRenamed {
        scene: String,
        name: String,
    },
    Removed {
        scene: String,
        at: String,
    },
    /// A node is there twice.
    Copied {
        scene: String,
        from: String,
        to: String,
    },
    Added {
        scene: String,
        at: String,
        class: String,
        set: Option<(String, Given)>,
    },
    Instanced {
        scene: String,
        at: String,
        instance: String,
    },
    Set {
        scene: String,
        node: String,
        key: String,
        given: Given,
    },
    /// A node has a script, or none.
    Script {
        scene: String,
        node: String,
        script: String,
    },
    Connected {
        scene: String,
        from: String,
        to: String,
        signal: String,
        method: String,
    },
    Disconnected {
        scene: String,
        from: String,
        to: String,
        signal: String,
        method: String,
    },
    /// A node is in a group, or not.
    Group {
        scene: String,
        node: String,
        group: String,
        is_in: bool,
    },
    FileMoved {
        from: String,
        to: String,
    },
    /// A resource's file has a value.
    Resource {
        file: String,
        key: String,
        given: Given,
    },
}

/// What edits are made up from.
pub(super) struct Source<'a> {
    pub(super) ground: &'a Ground,
    /// Everything as it is, with the engine's classes and the project's scripts.
    pub(super) before: &'a Answer,
    /// The scenes that load, from the root.
    pub(super) scenes: Vec<&'a String>,
}

type Maker = fn(&Source<'_>, &mut Random) -> Option<Wish>;

/// What is tried, as often as it is listed here.
const MAKERS: [Maker; 30] = [
    rename,
    rename,
    rename,
    move_node,
    move_node,
    move_node,
    duplicate,
    duplicate,
    remove,
    remove,
    set,
    set,
    set,
    set,
    set,
    set_odd,
    set_odd,
    set_path,
    add,
    add,
    instance,
    attach,
    attach,
    detach,
    connect,
    disconnect,
    group,
    move_file,
    move_file,
    modify_resource,
];

/// An edit of this project: the same for the same random numbers.
pub(super) fn make(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    // Not every project has what every edit needs.
    (0..40).find_map(|_| random.pick(&MAKERS)(source, random))
}

impl<'a> Source<'a> {
    fn scene(&self, random: &mut Random) -> Option<(&'a String, &'a Seen)> {
        if self.scenes.is_empty() {
            return None;
        }
        let path = *random.pick(&self.scenes);
        Some((path, &self.before.scenes[path]))
    }

    /// A scene and a node that its own file makes, but not its root.
    fn child(&self, random: &mut Random) -> Option<(&'a String, &'a Seen, &'a Section)> {
        let (path, seen) = self.scene(random)?;
        let own: Vec<&Section> = own(seen).filter(|section| section.path != ".").collect();
        if own.is_empty() { None } else { Some((path, seen, *random.pick(&own))) }
    }

    /// A scene and any node that its own file makes.
    fn node(&self, random: &mut Random) -> Option<(&'a String, &'a Seen, &'a Section)> {
        let (path, seen) = self.scene(random)?;
        let own: Vec<&Section> = own(seen).collect();
        if own.is_empty() { None } else { Some((path, seen, *random.pick(&own))) }
    }

    fn properties(&self, class: &str) -> Vec<&'a Property> {
        let known = self.before.classes.get(class);
        known.map(|known| known.properties.iter().collect()).unwrap_or_default()
    }
}

/// The sections that make a node, and do not only change one of another scene.
fn own(seen: &Seen) -> impl Iterator<Item = &Section> {
    seen.state.iter().filter(|section| {
        let is_base = section.path == "." && !seen.base.is_empty();
        (!section.class.is_empty() || !section.instance.is_empty()) || is_base
    })
}

fn wish(tool: &'static str, arguments: Value, effect: Effect) -> Option<Wish> {
    Some(Wish { tool, arguments, effect, is_plain: true })
}

fn res(path: &str) -> String {
    format!("res://{path}")
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(parent, _)| parent)
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

pub(super) fn join(parent: &str, name: &str) -> String {
    match (parent, name) {
        (".", name) => name.to_owned(),
        (parent, ".") => parent.to_owned(),
        _ => format!("{parent}/{name}"),
    }
}

pub(super) fn is_within(path: &str, above: &str) -> bool {
    above == "."
        || path == above
        || path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

fn fresh_name(random: &mut Random) -> String {
    format!("Quick Zebra{}", random.below(10_000))
        .replace(if random.below(3) == 0 { "" } else { " " }, "")
}

fn rename(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, node) = source.node(random)?;
    let name = fresh_name(random);
    let arguments = json!({ "scenePath": scene, "nodePath": node.path, "newName": name });
    let effect = if node.path == "." {
        Effect::RootRenamed { scene: scene.clone(), name }
    } else {
        let to = join(parent(&node.path), &name);
        Effect::Moved { scene: scene.clone(), from: node.path.clone(), to }
    };
    wish("godotScene.renameNode", arguments, effect)
}

fn move_node(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, seen, node) = source.child(random)?;
    let fits = |to: &&Section| {
        let there = join(&to.path, name_of(&node.path));
        !is_within(&to.path, &node.path)
            && to.path != parent(&node.path)
            && !seen.nodes.iter().any(|other| other.path == there)
    };
    let parents: Vec<&Section> = own(seen).filter(fits).collect();
    if parents.is_empty() {
        return None;
    }
    let to = random.pick(&parents);
    let arguments = json!({ "scenePath": scene, "nodePath": node.path, "newParentPath": to.path });
    let to = join(&to.path, name_of(&node.path));
    wish(
        "godotScene.moveNode",
        arguments,
        Effect::Moved { scene: scene.clone(), from: node.path.clone(), to },
    )
}

fn duplicate(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, node) = source.child(random)?;
    let name = fresh_name(random);
    let arguments = json!({ "scenePath": scene, "nodePath": node.path, "newName": name });
    let to = join(parent(&node.path), &name);
    wish(
        "godotScene.duplicateNode",
        arguments,
        Effect::Copied { scene: scene.clone(), from: node.path.clone(), to },
    )
}

fn remove(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, node) = source.child(random)?;
    let arguments = json!({ "scenePath": scene, "nodePath": node.path });
    wish(
        "godotScene.removeNode",
        arguments,
        Effect::Removed { scene: scene.clone(), at: node.path.clone() },
    )
}

fn set(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    set_with(source, random, values::offered)
}

fn set_odd(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    set_with(source, random, values::odd)
}

fn set_with(
    source: &Source<'_>,
    random: &mut Random,
    value: fn(&mut Random, &Property) -> Option<Given>,
) -> Option<Wish> {
    let (scene, seen, section) = source.node(random)?;
    let node = seen.nodes.iter().find(|node| node.path == section.path)?;
    let script = source.before.scripts.get(&node.script);
    let exported = script.map(|script| script.properties.iter().collect::<Vec<_>>());
    let of_script = exported.filter(|list| !list.is_empty() && random.below(3) == 0);
    let known = of_script.unwrap_or_else(|| source.properties(&node.class));
    if known.is_empty() {
        return None;
    }
    let property = *random.pick(&known);
    let mut given = value(random, property)?;
    let key = property.name.clone();
    // The engine keeps it until the node is in a tree, where a text is shown from its beginning.
    given.is_senseless |=
        key.starts_with("scroll_") && ["TextEdit", "CodeEdit"].contains(&node.class.as_str());
    let arguments = json!({
        "scenePath": scene, "nodePath": node.path, "properties": BTreeMap::from([(&key, &given.json)]),
    });
    let is_plain = given.is_offered;
    let effect = Effect::Set { scene: scene.clone(), node: node.path.clone(), key, given };
    Some(Wish { tool: "godotScene.editNode", arguments, effect, is_plain })
}

/// A path to another node, right or leading nowhere.
fn set_path(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    const NODE_PATH: i64 = 22;
    let (scene, seen, section) = source.node(random)?;
    let node = seen.nodes.iter().find(|node| node.path == section.path)?;
    let is_path = |property: &&Property| property.kind == NODE_PATH;
    let known: Vec<&Property> =
        source.properties(&node.class).into_iter().filter(is_path).collect();
    let other = random.pick(&seen.nodes);
    if known.is_empty() {
        return None;
    }
    let leads = random.below(3) > 0;
    let depth = if node.path == "." { 0 } else { node.path.split('/').count() };
    let up = "../".repeat(depth);
    let path = match (leads, other.path.as_str()) {
        (false, _) => "Nowhere/AtAll".to_owned(),
        (true, ".") => {
            if up.is_empty() {
                ".".to_owned()
            } else {
                up.trim_end_matches('/').to_owned()
            }
        }
        (true, other) => format!("{up}{other}"),
    };
    let key = random.pick(&known).name.clone();
    let arguments = json!({
        "scenePath": scene, "nodePath": node.path, "properties": BTreeMap::from([(&key, &path)]),
    });
    let given = Given {
        json: json!(path),
        text: format!("NodePath({path:?})"),
        is_offered: leads,
        is_senseless: !leads,
    };
    let effect = Effect::Set { scene: scene.clone(), node: node.path.clone(), key, given };
    Some(Wish { tool: "godotScene.editNode", arguments, effect, is_plain: false })
}

fn add(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, parent) = source.node(random)?;
    // Those of OpenXR complain wherever there is no headset.
    let is_usual = |class: &&String| !class.starts_with("OpenXR");
    let classes: Vec<&String> = source.before.classes.keys().filter(is_usual).collect();
    let class = (*random.pick(&classes)).clone();
    let name = fresh_name(random);
    let known = source.properties(&class);
    let property = if known.is_empty() { None } else { Some(*random.pick(&known)) };
    let set = property.and_then(|property| {
        let given = match random.below(4) {
            0 => values::odd(random, property),
            _ => values::offered(random, property),
        };
        Some((property.name.clone(), given?))
    });
    let properties: BTreeMap<&String, &Value> =
        set.iter().map(|(key, given)| (key, &given.json)).collect();
    let arguments = json!({
        "scenePath": scene, "nodeType": class, "nodeName": name,
        "parentNodePath": parent.path, "properties": properties,
    });
    let is_plain = set.as_ref().is_none_or(|(_, given)| given.is_offered);
    let at = join(&parent.path, &name);
    let effect = Effect::Added { scene: scene.clone(), at, class, set };
    Some(Wish { tool: "godotScene.addNode", arguments, effect, is_plain })
}

fn instance(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, parent) = source.node(random)?;
    let (other, _) = source.scene(random)?;
    // A scene inside of itself is refused for a reason.
    let users = source.ground.users(&[scene.trim_start_matches("res://").to_owned()]);
    let local = other.trim_start_matches("res://");
    if other == scene || users.contains(local) {
        return None;
    }
    let name = fresh_name(random);
    let arguments = json!({
        "scenePath": scene, "instancePath": other, "parentNodePath": parent.path, "instanceName": name,
    });
    let effect = Effect::Instanced {
        scene: scene.clone(),
        at: join(&parent.path, &name),
        instance: other.clone(),
    };
    wish("godotScene.instanceScene", arguments, effect)
}

fn attach(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, node) = source.node(random)?;
    let scripts: Vec<&String> = source.before.scripts.keys().collect();
    if scripts.is_empty() {
        return None;
    }
    let script = (*random.pick(&scripts)).clone();
    let arguments = json!({ "scenePath": scene, "nodePath": node.path, "scriptPath": script });
    let effect = Effect::Script { scene: scene.clone(), node: node.path.clone(), script };
    Some(Wish { tool: "godotScript.attachScript", arguments, effect, is_plain: false })
}

fn detach(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, node) = source.node(random)?;
    if !node.properties.contains_key("script") {
        return None;
    }
    let arguments = json!({ "scenePath": scene, "nodePath": node.path });
    let effect =
        Effect::Script { scene: scene.clone(), node: node.path.clone(), script: String::new() };
    Some(Wish {
        tool: "godotScript.detachScript",
        arguments,
        effect,
        is_plain: node.instance.is_empty(),
    })
}

fn connect(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, seen, from) = source.node(random)?;
    let from = seen.nodes.iter().find(|node| node.path == from.path)?;
    let to = random.pick(&seen.nodes);
    let mut signals: Vec<&String> = Vec::new();
    signals.extend(source.before.classes.get(&from.class).into_iter().flat_map(|it| &it.signals));
    signals.extend(source.before.scripts.get(&from.script).into_iter().flat_map(|it| &it.signals));
    let methods = source.before.scripts.get(&to.script).map(|script| &script.methods)?;
    if signals.is_empty() || methods.is_empty() {
        return None;
    }
    let (signal, method) = ((*random.pick(&signals)).clone(), random.pick(methods).clone());
    let is_there = seen.connections.iter().any(|it| {
        it.from == from.path
            && it.to == to.path
            && it.rest.starts_with(&format!("{signal}|{method}|"))
    });
    if is_there || method.starts_with('@') {
        return None;
    }
    let arguments = json!({
        "scenePath": scene, "fromNodePath": from.path, "signal": signal, "toNodePath": to.path, "method": method,
    });
    let effect = Effect::Connected {
        scene: scene.clone(),
        from: from.path.clone(),
        to: to.path.clone(),
        signal,
        method,
    };
    wish("godotScene.connectSignal", arguments, effect)
}

fn disconnect(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, seen) = source.scene(random)?;
    // Those of other scenes are not this file's.
    let own: Vec<&str> = own(seen).map(|section| section.path.as_str()).collect();
    let is_own = |path: &str| own.contains(&path);
    let is_whole =
        |path: &str| seen.state.iter().any(|it| it.path == path && it.instance.is_empty());
    let found: Vec<_> = seen
        .connections
        .iter()
        .filter(|it| is_own(&it.from) && is_own(&it.to) && (is_whole(&it.from) || is_whole(&it.to)))
        .filter(|_| seen.base.is_empty())
        .collect();
    if found.is_empty() {
        return None;
    }
    let it = random.pick(&found);
    let mut rest = it.rest.split('|').map(str::to_owned);
    let (signal, method) = (rest.next()?, rest.next()?);
    let arguments = json!({
        "scenePath": scene, "fromNodePath": it.from, "signal": signal, "toNodePath": it.to, "method": method,
    });
    let effect = Effect::Disconnected {
        scene: scene.clone(),
        from: it.from.clone(),
        to: it.to.clone(),
        signal,
        method,
    };
    wish("godotScene.disconnectSignal", arguments, effect)
}

fn group(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let (scene, _, node) = source.node(random)?;
    let is_in = node.groups.is_empty() || random.below(2) == 0;
    let group = if is_in { "zebras 1".to_owned() } else { random.pick(&node.groups).clone() };
    let action = if is_in { "add" } else { "remove" };
    let arguments =
        json!({ "scenePath": scene, "nodePath": node.path, "action": action, "groups": [group] });
    let effect = Effect::Group { scene: scene.clone(), node: node.path.clone(), group, is_in };
    wish("godotScene.manageGroups", arguments, effect)
}

fn move_file(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let files =
        source.ground.files(&[".tscn", ".tres", ".gd", ".png", ".svg", ".gdshader", ".ogg"]);
    if files.is_empty() {
        return None;
    }
    let from = random.pick(&files).clone();
    let (_, ending) = from.rsplit_once('.')?;
    let to = match random.below(2) {
        0 => format!("quick zebra/moved {}.{ending}", random.below(1000)),
        _ => format!(
            "{}zebra{}.{ending}",
            from.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/")),
            random.below(1000)
        ),
    };
    if source.ground.has(&to) {
        return None;
    }
    let arguments =
        json!({ "resourcePath": res(&from), "newPath": res(&to), "updateScripts": true });
    wish("godotResource.renameResource", arguments, Effect::FileMoved { from, to })
}

/// Another name for a resource; every resource can have one.
fn modify_resource(source: &Source<'_>, random: &mut Random) -> Option<Wish> {
    let files = source.ground.files(&[".tres"]);
    let loads =
        |path: &&String| source.before.scenes.get(&res(path)).is_some_and(|seen| seen.loads);
    let files: Vec<&String> = files.iter().filter(loads).collect();
    if files.is_empty() {
        return None;
    }
    let file: &&String = random.pick(&files);
    let file = res(file);
    let given = Given {
        json: json!("zebra"),
        text: r#""zebra""#.to_owned(),
        is_offered: true,
        is_senseless: false,
    };
    let key = "resource_name".to_owned();
    let arguments = json!({ "resourcePath": file, "properties": { "resource_name": "zebra" } });
    wish("godotResource.modifyResource", arguments, Effect::Resource { file, key, given })
}
