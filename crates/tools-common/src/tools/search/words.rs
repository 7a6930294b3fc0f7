//! Words as people write them, made comparable: parts of names, endings left out, and others that
//! mean the same.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Words that say nothing about what a tool does.
const EMPTY: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from",
    "get", "give", "how", "i", "if", "in", "into", "is", "it", "its", "let", "make", "me", "my",
    "need", "of", "on", "or", "please", "should", "so", "some", "tell", "that", "the", "their",
    "them", "there", "these", "this", "to", "tool", "want", "was", "what", "when", "where",
    "which", "with", "you", "your",
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
    &["usage", "use", "used", "who", "refer", "reference", "depend", "dependency", "need"],
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
    &["animation", "animate", "anim"],
    &["keyframe", "key"],
    &["tile", "tilemap", "tileset"],
    &["navigation", "navmesh", "pathfinding", "navmesh"],
    &["particle", "vfx", "emitter", "effect"],
    &["batch", "several", "many", "multiple", "atomic", "once"],
    &["output", "console", "log", "print"],
    &["tag", "label", "group"],
    &["upgrade", "convert", "migrate"],
    &["info", "detail", "describe", "about", "summary", "overview", "fact"],
];

/// What a file of a question is, by its ending. Its name says nothing about the tool.
const KINDS: &[(&str, &[&str])] = &[
    ("script", &["gd", "cs"]),
    ("scene", &["tscn", "scn", "unity"]),
    ("resource", &["tres", "res", "asset"]),
    ("prefab", &["prefab"]),
    ("material", &["mat"]),
    ("shader", &["gdshader", "shader"]),
    ("texture", &["png", "jpg", "jpeg", "svg", "webp", "tga", "psd"]),
    ("sound", &["wav", "ogg", "mp3"]),
    ("model", &["fbx", "glb", "gltf", "obj"]),
    ("text file", &["txt", "json", "md", "cfg", "csv", "xml"]),
    ("assembly definition", &["asmdef"]),
    ("project setting", &["godot"]),
];

/// The words of a text or a name, in order, by their stems.
pub(super) fn stems(text: &str) -> Vec<String> {
    parts(text).map(|word| stem(&word)).collect()
}

/// Words that ask for something, and words that tell to do something.
const ASKING: &[&str] = &[
    "what", "which", "where", "who", "how", "is", "are", "does", "list", "show", "find", "read",
    "get", "search", "inspect", "view", "see", "look", "print", "count", "locate", "grep",
];
const TELLING: &[&str] = &[
    "add",
    "assign",
    "attach",
    "bake",
    "bind",
    "change",
    "configure",
    "connect",
    "copy",
    "create",
    "delete",
    "detach",
    "disconnect",
    "duplicate",
    "edit",
    "fix",
    "hook",
    "import",
    "insert",
    "make",
    "modify",
    "move",
    "new",
    "paint",
    "place",
    "put",
    "remove",
    "rename",
    "replace",
    "revert",
    "set",
    "setup",
    "spawn",
    "swap",
    "undo",
    "update",
    "write",
];

/// Whether a question asks for something to be told, or to be done; nothing when it may be both.
pub(super) fn is_telling(text: &str) -> Option<bool> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    match (has(ASKING), has(TELLING)) {
        (true, false) => Some(false),
        (false, true) => Some(true),
        _ => None,
    }
}

/// A question with the files in it as what they are: `errors in player.gd` is about a script.
fn with_kinds(text: &str) -> String {
    let mut plain = String::new();
    for word in text.split_whitespace() {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
        let kind = end.and_then(|end| KINDS.iter().find(|(_, ends)| ends.contains(&&*end)));
        plain.push_str(match kind {
            Some((kind, _)) => kind,
            None if name.eq_ignore_ascii_case("c") && word.ends_with('#') => "csharp",
            None => word,
        });
        plain.push(' ');
    }
    plain
}

/// How much a word of a question says. Names of somebody's classes, objects and variables, such as
/// `TakeDamage`, `health_changed` and `Player`, are about what the tool is given.
fn share_of(word: &str, is_first: bool, is_own: &dyn Fn(&str) -> bool) -> f32 {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let is_name = is_capital && !is_first && letters.next().is_some_and(char::is_lowercase);
    let mut humps = word.chars().zip(word.chars().skip(1));
    let is_code = humps.any(|(one, two)| one.is_lowercase() && two.is_uppercase())
        || word.trim_matches('_').contains('_');
    let is_theirs = if is_code { !is_own(word) } else { is_name };
    if is_theirs { NAME_SHARE } else { 1.0 }
}

/// What a name counts in a question.
const NAME_SHARE: f32 = 0.4;

/// The stems of a question and how much each counts: without words that say nothing, unless it has no
/// others. `is_own` tells names that tools have.
pub(super) fn asked(text: &str, most: usize, is_own: &dyn Fn(&str) -> bool) -> Vec<(String, f32)> {
    let text = with_kinds(text);
    let words = text.split_whitespace().enumerate().flat_map(|(number, word)| {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let share = share_of(name, number == 0, is_own);
        parts(word).map(move |part| (part, share))
    });
    let all: Vec<(String, f32)> = words.take(most).collect();
    let says_nothing = |word: &str| EMPTY.contains(&word);
    let is_empty = all.iter().all(|(word, _)| says_nothing(word));
    let mut seen = HashSet::new();
    all.into_iter()
        .filter(|(word, _)| is_empty || !says_nothing(word))
        .map(|(word, share)| (stem(&word), share))
        .filter(|(stem, _)| seen.insert(stem.clone()))
        .collect()
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
    fn a_question_asks_or_tells() {
        assert_eq!(is_telling("Which scenes use this"), Some(false));
        assert_eq!(is_telling("set a property"), Some(true));
        assert_eq!(is_telling("find and replace"), None);
        assert_eq!(is_telling("node tree"), None);
    }

    #[test]
    fn names_are_their_words() {
        assert_eq!(stems("get_node_tree"), ["get", "nod", "tre"]);
        assert_eq!(stems("getNodeTree"), stems("get node tree"));
        assert_eq!(stems("RigidBody2D"), ["rigid", "body2", "d"]);
        let words = |text: &str| -> Vec<String> {
            asked(text, 9, &|_| false).into_iter().map(|(word, _)| word).collect()
        };
        assert_eq!(words("what is the"), stems("what is the"));
        assert_eq!(words("find the node, the Node"), ["find", "nod"]);
        assert_eq!(words("errors in res://scripts/player.gd"), ["error", "script"]);
        assert_eq!(words("project.info"), stems("project info"));
        let shares: Vec<f32> = asked("Callers of takeDamage on Player", 9, &|_| false)
            .into_iter()
            .map(|(_, share)| share)
            .collect();
        assert_eq!(shares, [1.0, NAME_SHARE, NAME_SHARE, NAME_SHARE, NAME_SHARE]);
        assert_eq!(asked("get_node_tree", 9, &|_| true)[0], ("nod".to_owned(), 1.0));
        // A word that tools have, too, and here somebody's.
        assert_eq!(asked("rename Player", 9, &|_| true)[1], ("player".to_owned(), NAME_SHARE));
    }
}
