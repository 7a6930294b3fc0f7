//! Words as people write them, made comparable: parts of names, endings left out, and others that
//! mean the same.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Words that say nothing about what a tool does.
const EMPTY: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from",
    "get", "give", "have", "how", "i", "if", "in", "into", "is", "it", "its", "let", "make", "me",
    "my", "need", "of", "on", "or", "please", "should", "so", "some", "tell", "that", "the",
    "their", "them", "there", "these", "this", "to", "tool", "use", "used", "using", "want", "was",
    "what", "when", "where", "which", "with", "you", "your",
];

/// Words whose last letters are no ending.
const WHOLE: &[&str] =
    &["string", "setting", "missing", "sibling", "lighting", "physics", "canvas"];

/// Words that mean the same to who looks for a tool.
const ALIKE: &[&[&str]] = &[
    &["add", "create", "insert", "new", "put", "place", "spawn"],
    &["remove", "delete", "destroy", "erase", "clear", "drop"],
    &["change", "edit", "modify", "set", "update", "configure", "tweak", "adjust"],
    &["list", "show", "enumerate", "all", "overview"],
    &["find", "search", "locate", "look", "query", "grep"],
    &["read", "open", "view", "content", "see", "inspect", "print"],
    &["write", "save", "store"],
    &["usage", "who", "refer", "reference", "depend", "dependency", "need"],
    &["check", "validate", "verify", "lint", "audit", "problem", "wrong", "broken", "diagnose"],
    &["missing", "lost", "gone", "dangling", "dead", "broken", "null"],
    &["error", "problem", "diagnostic", "warn", "fail"],
    &["move", "position", "translate", "transform"],
    &["move", "reparent", "parent"],
    &["duplicate", "copy", "clone"],
    &["run", "play", "start", "launch", "execute"],
    &["stop", "end", "quit", "kill"],
    &["screenshot", "picture", "image", "capture", "photo"],
    &["undo", "revert", "back", "rollback"],
    &["history", "log", "journal"],
    &["script", "code", "gdscript", "csharp", "source"],
    &["property", "field", "value", "attribute", "member", "parameter"],
    &["gameobject", "object", "entity"],
    &["node", "object"],
    &["hierarchy", "tree", "structure", "outline"],
    &["scene", "level", "map"],
    &["asset", "file", "resource"],
    &["ui", "interface", "gui", "hud", "menu", "button", "label", "control", "widget"],
    &["sound", "audio", "music", "sfx"],
    &["light", "lamp", "lighting"],
    &["collision", "collider", "hitbox", "shape"],
    &["rigidbody", "physics", "body"],
    &["package", "upm", "plugin", "dependency"],
    &["setting", "config", "configuration", "option", "preference"],
    &["autoload", "singleton", "global"],
    &["input", "key", "keybind", "keyboard", "action", "controller", "gamepad"],
    &["signal", "event", "connect", "connection", "callback"],
    &["unused", "orphan", "unreferenced", "dead"],
    &["size", "large", "big", "memory", "weight"],
    &["texture", "image", "sprite"],
    &["translation", "localization", "locale", "language", "string"],
    &["version", "release"],
    &["export", "build", "publish", "ship"],
    &["import", "reimport"],
    &["rename", "name"],
    &["instance", "instantiate", "prefab"],
    &["api", "class", "type", "method", "doc", "documentation"],
    &["animation", "animate", "keyframe", "anim"],
    &["tile", "tilemap", "tileset"],
    &["navigation", "navmesh", "pathfinding", "navmesh"],
    &["particle", "vfx", "emitter", "effect"],
    &["batch", "several", "many", "multiple", "atomic", "once"],
    &["output", "console", "log", "print"],
    &["tag", "label", "group"],
    &["upgrade", "convert", "migrate"],
    &["info", "detail", "describe", "about", "summary", "overview", "fact"],
];

/// The words of a text or a name, in order, by their stems.
pub(super) fn stems(text: &str) -> Vec<String> {
    parts(text).map(|word| stem(&word)).collect()
}

/// The stems of a question: without words that say nothing, unless it has no others.
pub(super) fn asked(text: &str, most: usize) -> Vec<String> {
    let all: Vec<String> = parts(text).take(most).collect();
    let telling = all.iter().filter(|word| !EMPTY.contains(&word.as_str()));
    let mut words: Vec<String> = telling.map(|word| stem(word)).collect();
    if words.is_empty() {
        words = all.iter().map(|word| stem(word)).collect();
    }
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

/// Other words that mean the same, by their stems.
pub(super) fn alike(word: &str) -> &'static [String] {
    static BY_STEM: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        let mut all: HashMap<String, Vec<String>> = HashMap::new();
        for group in ALIKE {
            let stems: Vec<String> = group.iter().map(|word| stem(word)).collect();
            for stem in &stems {
                let others = stems.iter().filter(|other| *other != stem).cloned();
                all.entry(stem.clone()).or_default().extend(others);
            }
        }
        all
    });
    BY_STEM.get(word).map_or(&[], Vec::as_slice)
}

/// `getNodeTree`, `get_node_tree` and `get node tree` are the same three words.
fn parts(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(humps).filter(|word| !word.is_empty())
}

fn humps(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if c.is_uppercase() && was_small {
            words.push(String::new());
        }
        was_small = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    // `RigidBody` and `GameObject` are also known as one word.
    let joined: String = words.concat();
    if words.len() == 2 {
        words.push(joined);
    }
    words
}

/// A word without the endings of English.
fn stem(word: &str) -> String {
    if WHOLE.contains(&word) {
        return word.to_owned();
    }
    let end = |tail: &str, least: usize| {
        word.strip_suffix(tail).filter(|rest| rest.chars().count() >= least)
    };
    if let Some(rest) = end("ies", 2) {
        return format!("{rest}y");
    }
    let is_hissing = |rest: &&str| ["s", "x", "z", "ch", "sh"].iter().any(|e| rest.ends_with(e));
    if let Some(rest) = end("es", 3).filter(is_hissing) {
        return rest.to_owned();
    }
    if let Some(rest) = end("s", 3).filter(|rest| !rest.ends_with(['s', 'u', 'i'])) {
        return stem(rest);
    }
    for tail in ["ing", "ed"] {
        if let Some(rest) = end(tail, 3) {
            return undoubled(rest);
        }
    }
    // `create`, `created` and `creating` meet.
    end("e", 3).map_or_else(|| word.to_owned(), str::to_owned)
}

/// `run`, as `running` has two of them.
fn undoubled(word: &str) -> String {
    let mut last = word.chars().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(two)) if one == two && !"lsz".contains(one) => {
            word[..word.len() - one.len_utf8()].to_owned()
        }
        _ => word.strip_suffix('e').unwrap_or(word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            &["create", "creates", "created", "creating"][..],
            &["property", "properties"],
            &["class", "classes"],
            &["run", "runs", "running"],
            &["setting", "settings"],
            &["usage", "usages"],
            &["mesh", "meshes"],
        ] {
            let stems: HashSet<String> = forms.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{forms:?} {stems:?}");
        }
        assert_ne!(stem("setting"), stem("set"));
    }

    #[test]
    fn names_are_their_words() {
        assert_eq!(stems("get_node_tree"), ["get", "nod", "tre"]);
        assert_eq!(stems("getNodeTree"), stems("get node tree"));
        assert_eq!(stems("RigidBody2D"), ["rigid", "body2", "d"]);
        assert_eq!(asked("what is the", 9), stems("what is the"));
        assert_eq!(asked("find the node, the Node", 9), ["find", "nod"]);
    }
}
