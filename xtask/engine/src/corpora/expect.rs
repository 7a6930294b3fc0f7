//! Whether what the engine makes of a project after an edit is what was asked for, and no more.
//!
//! The scene as it was is changed in thought, by moving paths, and compared with the one that is
//! there. Where a reference leads is compared, not how it is written: a rename has to rewrite it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::survey::{Answer, Connection, Node, Section, Seen};
use super::wish::{Effect, is_within, join};

/// Everything as it was, or a part of it.
pub(super) type Scenes = BTreeMap<String, Seen>;

/// What an edit does to one scene.
#[derive(Default)]
struct Change {
    /// Nodes with all below them that are elsewhere, or gone.
    moved: Vec<(String, Option<String>)>,
    /// Nodes that are new, with all below them.
    added: Vec<String>,
    /// Nodes of which only the class is compared.
    loose: Vec<String>,
    /// A property in the file that is another.
    property: Option<(String, String)>,
    /// A connection that is new or gone: from, to, and how its rest starts.
    connected: Vec<(String, String, String)>,
    disconnected: Vec<(String, String, String)>,
    /// A text that is another everywhere.
    words: Option<(String, String)>,
    /// Whether the root has another name.
    is_root_renamed: bool,
}

/// Where the engine's scenes are not what the edit should have made of them.
pub(super) fn differences(effect: &Effect, before: &Scenes, after: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    for (path, now) in &after.scenes {
        let old = match effect {
            Effect::FileMoved { from, to } if *path == format!("res://{to}") => {
                format!("res://{from}")
            }
            _ => path.clone(),
        };
        let Some(was) = before.get(&old) else { continue };
        let change = change(effect, path, was, before);
        let mut differences = compare(was, now, &change);
        differences.extend(special(effect, path, was, now, before));
        found.extend(differences.into_iter().map(|it| format!("{path}: {it}")));
    }
    if let Some(want) = after.want.as_ref().filter(|want| !want.is) {
        found.push(format!("the value is {}", want.got));
    }
    found
}

/// Complaints that the engine did not have before.
pub(super) fn new_complaints(
    effect: &Effect,
    known: &BTreeSet<String>,
    after: &Answer,
) -> Vec<String> {
    let words = match effect {
        Effect::Moved { from, to, .. } => Some((to.clone(), from.clone())),
        Effect::FileMoved { from, to } => Some((to.clone(), from.clone())),
        _ => None,
    };
    let is_known = |complaint: &&String| {
        let old = words.as_ref().map(|(new, old)| complaint.replace(new, old));
        let (last_new, last_old) =
            words.as_ref().map_or(("", ""), |(new, old)| (last(new), last(old)));
        known.contains(*complaint)
            || old.is_some_and(|old| known.contains(&old))
            || !last_new.is_empty() && known.contains(&complaint.replace(last_new, last_old))
    };
    let all = after.all_complaints();
    all.iter().filter(|complaint| !is_known(complaint)).cloned().collect()
}

fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn change(effect: &Effect, path: &str, was: &Seen, before: &Scenes) -> Change {
    let mut change = Change::default();
    let places = |scene: &str, node: &str| -> Vec<String> {
        roots(scene, was, before).iter().map(|root| join(root, node)).collect()
    };
    match effect {
        Effect::Moved { scene, from, to } => {
            let to = places(scene, to).into_iter().map(Some);
            change.moved = places(scene, from).into_iter().zip(to).collect();
        }
        Effect::RootRenamed { scene, .. } => change.is_root_renamed = scene == path,
        Effect::Removed { scene, at } => {
            change.moved = places(scene, at).into_iter().map(|at| (at, None)).collect();
        }
        Effect::Copied { scene, to: at, .. }
        | Effect::Added { scene, at, .. }
        | Effect::Instanced { scene, at, .. } => change.added = places(scene, at),
        Effect::Set { scene, node, key, .. } => {
            change.property = (scene == path).then(|| (node.clone(), key.clone()));
            // A path that was set leads elsewhere, and so may what starts there.
            change.loose = places(scene, node);
        }
        Effect::Script { scene, node, .. } => {
            change.property = (scene == path).then(|| (node.clone(), "script".to_owned()));
            change.loose = places(scene, node);
        }
        Effect::Group { scene, node, .. } => change.loose = places(scene, node),
        Effect::Connected { scene, from, to, signal, method } => {
            change.connected = ends(places(scene, from), places(scene, to), signal, method);
        }
        Effect::Disconnected { scene, from, to, signal, method } => {
            change.disconnected = ends(places(scene, from), places(scene, to), signal, method);
        }
        Effect::Resource { .. } => {}
        Effect::FileMoved { from, to } => {
            change.words = Some((format!("res://{from}"), format!("res://{to}")));
        }
    }
    change
}

/// A connection in every place where its scene is.
fn ends(
    from: Vec<String>,
    to: Vec<String>,
    signal: &str,
    method: &str,
) -> Vec<(String, String, String)> {
    let rest = format!("{signal}|{method}|");
    from.into_iter().zip(to).map(|(from, to)| (from, to, rest.clone())).collect()
}

/// Where the root of `scene`, or of one that inherits it, is among the nodes.
fn roots(scene: &str, seen: &Seen, before: &Scenes) -> Vec<String> {
    let is_of = |path: &str| {
        let mut now = path.to_owned();
        for _ in 0..16 {
            if now == scene {
                return true;
            }
            match before.get(&now).map(|seen| seen.base.clone()).filter(|base| !base.is_empty()) {
                Some(base) => now = base,
                None => return false,
            }
        }
        false
    };
    seen.nodes.iter().filter(|node| is_of(&node.scene)).map(|node| node.path.clone()).collect()
}

impl Change {
    /// The path that a node has afterwards.
    fn path(&self, path: &str) -> Option<String> {
        for (from, to) in &self.moved {
            if is_within(path, from) {
                return to.as_ref().map(|to| format!("{to}{}", &path[from.len()..]));
            }
        }
        Some(path.to_owned())
    }

    /// Where a reference leads afterwards.
    fn reference(&self, target: &str) -> String {
        let (path, rest) = match target.find(':') {
            Some(at) => target.split_at(at),
            None => (target, ""),
        };
        self.path(path).map_or_else(|| format!("!{rest}"), |path| format!("{path}{rest}"))
    }

    fn text(&self, text: &str) -> String {
        let follow = |(old, new): &(String, String)| {
            // What is inside of a file is `file::id`.
            let rest = text.strip_prefix(old.as_str())?;
            (rest.is_empty() || rest.starts_with("::")).then(|| format!("{new}{rest}"))
        };
        self.words.as_ref().and_then(follow).unwrap_or_else(|| text.to_owned())
    }

    fn is_new(&self, path: &str) -> bool {
        self.added.iter().any(|added| is_within(path, added))
    }

    /// Whether the order among siblings says nothing about it.
    fn is_placed_anew(&self, path: &str) -> bool {
        let ends = self.moved.iter().filter_map(|(_, to)| to.as_ref());
        self.is_new(path) || ends.into_iter().any(|to| is_within(path, to))
    }

    /// Long values are told by hashes, of which nobody knows what a path in them does.
    fn is_same_value(&self, was: &str, now: &str) -> bool {
        let is_hashed = |text: &str| text.contains('#') || text.contains("res://");
        self.text(was) == now || self.words.is_some() && is_hashed(was) && is_hashed(now)
    }
}

fn compare(was: &Seen, now: &Seen, change: &Change) -> Vec<String> {
    if !was.loads {
        return Vec::new();
    }
    if !now.loads {
        return vec!["it does not load any more".to_owned()];
    }
    let mut found = Vec::new();
    if was.name != now.name && !change.is_root_renamed {
        found.push(format!("the root was {} and is {}", was.name, now.name));
    }
    found.extend(compare_nodes(was, now, change));
    found.extend(compare_order(was, now, change));
    found.extend(compare_sections(was, now, change));
    found.extend(compare_connections(was, now, change));
    found
}

fn compare_nodes(was: &Seen, now: &Seen, change: &Change) -> Vec<String> {
    let mut found = Vec::new();
    let mut left: BTreeMap<&str, &Node> =
        now.nodes.iter().map(|node| (node.path.as_str(), node)).collect();
    for node in &was.nodes {
        let Some(path) = change.path(&node.path) else { continue };
        match left.remove(path.as_str()) {
            None => found.push(format!("there is no node {path}")),
            Some(there) => found.extend(compare_node(node, there, change)),
        }
    }
    let new = left.keys().filter(|path| !change.is_new(path));
    found.extend(new.map(|path| format!("{path} is a new node")));
    found
}

fn compare_node(was: &Node, now: &Node, change: &Change) -> Vec<String> {
    let mut found = Vec::new();
    let path = &now.path;
    if was.class != now.class {
        found.push(format!("{path} was a {} and is a {}", was.class, now.class));
    }
    if change.loose.contains(&was.path) {
        return found;
    }
    if change.text(&was.script) != now.script || change.text(&was.scene) != now.scene {
        found.push(format!(
            "{path} was of {} {} and is of {} {}",
            was.script, was.scene, now.script, now.scene
        ));
    }
    if was.groups != now.groups {
        found.push(format!("{path} was in {:?} and is in {:?}", was.groups, now.groups));
    }
    let keys: BTreeSet<&String> = was.refs.keys().chain(now.refs.keys()).collect();
    for key in keys {
        let led = was.refs.get(key).map(|target| change.reference(target));
        let leads = now.refs.get(key);
        let is_gone = |target: Option<&str>| target.is_none_or(|it| it.starts_with('!'));
        if led.as_ref() != leads && !(is_gone(led.as_deref()) && is_gone(leads.map(String::as_str)))
        {
            found.push(format!("{path} [{key}] should lead to {led:?} and leads to {leads:?}"));
        }
    }
    found
}

/// The nodes that were not moved are in the order in which they were.
fn compare_order(was: &Seen, now: &Seen, change: &Change) -> Vec<String> {
    let is_still = |path: &&str| change.moved.iter().all(|(from, _)| !is_within(path, from));
    let old = was.nodes.iter().map(|node| node.path.as_str()).filter(is_still);
    let new = now.nodes.iter().map(|node| node.path.as_str());
    let new = new.filter(|path| !change.is_placed_anew(path));
    // A renamed node keeps its place, and stands between others.
    match old.zip(new).find(|(old, new)| old != new) {
        Some((old, new)) => vec![format!("{new} stands where {old} was")],
        None => Vec::new(),
    }
}

fn compare_sections(was: &Seen, now: &Seen, change: &Change) -> Vec<String> {
    let mut found = Vec::new();
    let mut left: BTreeMap<&str, &Section> =
        now.state.iter().map(|section| (section.path.as_str(), section)).collect();
    for section in &was.state {
        let Some(path) = change.path(&section.path) else { continue };
        let Some(there) = left.remove(path.as_str()) else {
            if !section.properties.is_empty() {
                found.push(format!("the file says nothing more of {path}"));
            }
            continue;
        };
        if section.class != there.class || change.text(&section.instance) != there.instance {
            found.push(format!("{path} is another class or instance in the file"));
        }
        found.extend(compare_properties(section, there, change));
    }
    for (path, section) in left {
        let is_asked = change.property.as_ref().is_some_and(|(node, _)| node == path)
            || change.is_new(path)
            || change.loose.iter().any(|it| it == path);
        if !is_asked && !section.properties.is_empty() {
            found.push(format!("the file now has {:?} for {path}", section.properties));
        }
    }
    found
}

fn compare_properties(was: &Section, now: &Section, change: &Change) -> Vec<String> {
    let keys: BTreeSet<&String> = was.properties.keys().chain(now.properties.keys()).collect();
    let is_asked = |key: &String| {
        change.property.as_ref().is_some_and(|(node, name)| *node == was.path && name == key)
    };
    let differ = |key: &&String| {
        let (old, new) = (was.properties.get(*key), now.properties.get(*key));
        // Where a path leads is compared elsewhere; a default that is written out may lead there.
        let is_path = |text: Option<&String>| text.is_none_or(|text| text == "NodePath");
        match (old, new) {
            (Some(old), Some(new)) => !change.is_same_value(old, new),
            _ => !(is_path(old) && is_path(new)),
        }
    };
    let differing = keys.into_iter().filter(|key| !is_asked(key)).filter(differ);
    let tell = |key: &String| {
        let show =
            |section: &Section| section.properties.get(key).cloned().unwrap_or("nothing".into());
        format!("{}.{key} was {} and is {}", now.path, show(was), show(now))
    };
    differing.map(tell).collect()
}

fn compare_connections(was: &Seen, now: &Seen, change: &Change) -> Vec<String> {
    let follow = |it: &Connection| {
        Some(Connection {
            from: change.path(&it.from)?,
            to: change.path(&it.to)?,
            rest: it.rest.clone(),
        })
    };
    let mut expected: Vec<Connection> = was.connections.iter().filter_map(follow).collect();
    expected.retain(|it| !change.disconnected.iter().any(|ends| is_between(it, ends)));
    let mut awaited: Vec<_> = change.connected.iter().collect();
    let mut found = Vec::new();
    for it in &now.connections {
        if let Some(at) = awaited.iter().position(|ends| is_between(it, ends)) {
            awaited.swap_remove(at);
        } else if let Some(at) = expected.iter().position(|old| is_same_connection(old, it, change))
        {
            expected.swap_remove(at);
        } else if !(change.is_new(&it.from) || change.is_new(&it.to)) {
            found.push(format!("{} -> {} {} is a new connection", it.from, it.to, it.rest));
        }
    }
    let lost = expected.iter().map(|it| format!("{} -> {} {} is lost", it.from, it.to, it.rest));
    found.extend(lost);
    found.extend(awaited.iter().map(|(from, to, _)| format!("{from} -> {to} is not connected")));
    found
}

fn is_between(it: &Connection, (from, to, rest): &(String, String, String)) -> bool {
    it.from == *from && it.to == *to && it.rest.starts_with(rest)
}

/// With another script a method may be there or not; that is asked for.
fn is_same_connection(was: &Connection, now: &Connection, change: &Change) -> bool {
    let is_same =
        was.rest == now.rest || change.loose.contains(&now.to) && cut(&was.rest) == cut(&now.rest);
    was.from == now.from && was.to == now.to && is_same
}

fn cut(rest: &str) -> &str {
    rest.rsplit_once('|').map_or(rest, |(rest, _)| rest)
}

/// What an edit has to do besides leaving the rest alone.
fn special(effect: &Effect, path: &str, was: &Seen, now: &Seen, before: &Scenes) -> Vec<String> {
    let find = |at: &str| now.nodes.iter().find(|node| node.path == at);
    let mut found = Vec::new();
    match effect {
        Effect::RootRenamed { scene, name } if scene == path && now.name != *name => {
            found.push(format!("the root is {}", now.name));
        }
        Effect::Added { scene, at, class, .. } if scene == path => match find(at) {
            Some(node) if node.class == *class => {}
            node => found.push(format!("{at} is {:?}", node.map(|node| &node.class))),
        },
        Effect::Instanced { scene, at, instance } if scene == path => {
            let there = find(at).is_some_and(|node| node.scene == *instance);
            if !there {
                found.push(format!("there is no instance at {at}"));
            }
        }
        Effect::Script { scene, node, script } if scene == path => match find(node) {
            Some(node) if node.script == *script => {}
            node => found.push(format!("its script is {:?}", node.map(|node| &node.script))),
        },
        Effect::Group { scene, node, group, is_in } => {
            for root in roots(scene, was, before) {
                let place = join(&root, node);
                let there = find(&place).is_some_and(|node| node.groups.contains(group));
                // A scene above may have added it again.
                if there != *is_in && scene == path {
                    found.push(format!("{place} is in {group}: {there}"));
                }
            }
        }
        Effect::Copied { scene, from, to } if scene == path => {
            found.extend(compare_copy(was, now, from, to))
        }
        _ => {}
    }
    found
}

/// The copy is what the original is, and what leads around inside of it does so in the copy.
fn compare_copy(was: &Seen, now: &Seen, from: &str, to: &str) -> Vec<String> {
    let mut found = Vec::new();
    let inside =
        Change { moved: vec![(from.to_owned(), Some(to.to_owned()))], ..Change::default() };
    for node in was.nodes.iter().filter(|node| is_within(&node.path, from)) {
        let path = inside.path(&node.path).unwrap_or_default();
        match now.nodes.iter().find(|node| node.path == path) {
            None => found.push(format!("the copy has no {path}")),
            Some(copy) => found.extend(compare_node(node, copy, &inside)),
        }
    }
    for section in was.state.iter().filter(|section| is_within(&section.path, from)) {
        let path = inside.path(&section.path).unwrap_or_default();
        let Some(copy) = now.state.iter().find(|section| section.path == path) else {
            found.push(format!("the file has no {path}"));
            continue;
        };
        let mut section = section.clone();
        // A name that is unique stays with the original.
        section.properties.remove("unique_name_in_owner");
        found.extend(compare_properties(&section, copy, &inside));
    }
    let is_inside = |it: &&Connection| is_within(&it.from, from) && is_within(&it.to, from);
    for it in was.connections.iter().filter(is_inside) {
        let copy = Connection {
            from: inside.reference(&it.from),
            to: inside.reference(&it.to),
            rest: it.rest.clone(),
        };
        if !now.connections.contains(&copy) {
            found.push(format!("the copy lacks {} -> {} {}", copy.from, copy.to, copy.rest));
        }
    }
    found
}

/// Whether the answer says that something was left that leads nowhere now.
pub(super) fn is_told(output: &Value) -> bool {
    let some = |key: &str| output[key].as_array().is_some_and(|list| !list.is_empty());
    some("notTouched") || some("brokenConnections") || some("unread")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scene with `lines` of nodes, `path>where a reference leads`.
    fn scene(lines: &str) -> Seen {
        let node = |line: &str| {
            let (path, target) = line.split_once('>').unwrap_or((line, ""));
            let refs = (!target.is_empty()).then(|| ("to".to_owned(), target.to_owned()));
            let scene = if path == "." { "res://a.tscn" } else { "" };
            Node {
                path: path.to_owned(),
                class: "Node".to_owned(),
                script: String::new(),
                scene: scene.to_owned(),
                groups: vec![],
                refs: refs.into_iter().collect(),
            }
        };
        Seen { loads: true, nodes: lines.split(' ').map(node).collect(), ..Seen::default() }
    }

    fn judge(effect: &Effect, was: &str, now: &str) -> Vec<String> {
        let before = Scenes::from([("res://a.tscn".to_owned(), scene(was))]);
        let scenes = Scenes::from([("res://a.tscn".to_owned(), scene(now))]);
        differences(effect, &before, &Answer { scenes, ..Answer::default() })
    }

    fn moved(from: &str, to: &str) -> Effect {
        Effect::Moved { scene: "res://a.tscn".into(), from: from.into(), to: to.into() }
    }

    #[test]
    fn a_rename_takes_along_what_leads_there_and_below() {
        let rename = moved("A", "Z");
        assert_eq!(judge(&rename, ". A A/B C>A/B", ". Z Z/B C>Z/B"), [""; 0]);
        assert_eq!(
            judge(&rename, ". A A/B C>A/B", ". Z Z/B C>!"),
            [r#"res://a.tscn: C [to] should lead to Some("Z/B") and leads to Some("!")"#]
        );
    }

    #[test]
    fn scripts_inside_of_a_moved_scene_move_along() {
        let words = Some(("res://a.tscn".to_owned(), "res://b.tscn".to_owned()));
        let change = Change { words, ..Change::default() };
        assert_eq!(change.text("res://a.tscn"), "res://b.tscn");
        assert_eq!(change.text("res://a.tscn::1"), "res://b.tscn::1");
        assert_eq!(change.text("res://a.tscn2"), "res://a.tscn2");
    }

    #[test]
    fn nothing_else_may_change() {
        let remove = Effect::Removed { scene: "res://a.tscn".into(), at: "A".into() };
        assert_eq!(judge(&remove, ". A A/B C>A", ". C>!"), [""; 0]);
        assert_eq!(judge(&remove, ". A B", ". B X"), ["res://a.tscn: X is a new node"]);
        assert_eq!(judge(&remove, ". A B C", ". C B"), ["res://a.tscn: C stands where B was"]);
        assert_eq!(judge(&moved("A", "B/A"), ". A B", ". A B").len(), 3);
    }

    #[test]
    fn a_copy_leads_around_in_itself() {
        let copy =
            Effect::Copied { scene: "res://a.tscn".into(), from: "A".into(), to: "Z".into() };
        assert_eq!(judge(&copy, ". A A/B>A", ". A A/B>A Z Z/B>Z"), [""; 0]);
        assert_eq!(judge(&copy, ". A A/B>A", ". A A/B>A Z Z/B>A").len(), 1);
        assert_eq!(judge(&copy, ". A A/B", ". A A/B Z").len(), 1);
    }
}
