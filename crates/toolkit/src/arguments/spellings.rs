//! Other words for arguments, in one table: whoever knows one family of tools can call the others, and
//! `project`, `scene`, `object`, `node` and `path` are taken by every tool that has such an argument,
//! whatever its published name. The schemas have each argument once.

use serde_json::Value;

/// Words for one thing. Every tool takes each of them for the one of its own.
const ALIKE: &[&[&str]] = &[
    &["project", "projectPath"],
    SCENE,
    &["node", "nodePath"],
    &["parent", "parentPath", "parentNodePath", "newParentPath"],
    OBJECT,
    &["asset", "assetPath"],
    &["script", "scriptPath"],
    &["resource", "resourcePath"],
    &["shader", "shaderPath"],
    &["texture", "texturePath"],
    &["component", "componentType", "componentName"],
    &["field", "fieldPath", "property", "propertyPath", "fieldName", "propertyName"],
    &["class", "className"],
    &["content", "contents", "text", "code"],
    &["op", "operation", "action"],
    &["arguments", "args"],
    &["tool", "toolId"],
    &["steps", "operations"],
    &["as", "id"],
    &["limit", "maxResults"],
    &["keycode", "key"],
    &["key", "setting"],
    &["position", "coords"],
    &["pattern", "query"],
];

/// Words for the scene that a call is about.
const SCENE: &[&str] = &["scene", "scenePath", "sceneName", "scenePaths", "scenes"];

/// Words for the GameObject that a call is about.
const OBJECT: &[&str] = &[
    "gameObjectPath",
    "hierarchyPath",
    "objectPath",
    "gameObject",
    "object",
    "childPath",
    "objectId",
    "objectPaths",
];

/// Words for the node that a call is about.
const NODE: &[&str] = &["node", "nodePath"];
/// Words that say what the node is, too. A parent, and what a signal goes to, are other nodes.
const NODES: &[&str] = &[
    "node",
    "nodePath",
    "playerNodePath",
    "tilemapNodePath",
    "animTreePath",
    "regionPath",
    "fromNodePath",
    "nodes",
];

/// Words that mean a thing only where the tool has no argument of that name, and not the other way
/// round: a `type` can be more than a component. In small letters.
const ALSO: &[(&str, &[&str])] = &[
    ("from", &["fromNodePath"]),
    ("source", &["fromNodePath"]),
    ("to", &["toNodePath"]),
    ("target", &["toNodePath"]),
    ("target", OBJECT),
    ("path", OBJECT),
    ("path", NODES),
    ("path", PLACES),
    ("object", NODES),
    ("gameobject", NODES),
    ("node", OBJECT),
    ("nodepath", OBJECT),
    ("type", &["component", "componentType", "nodeType"]),
    ("name", &["nodeName"]),
    ("properties", &["values"]),
    ("fields", &["values"]),
    ("find", OLD),
    ("old", OLD),
    ("oldstring", OLD),
    ("search", OLD),
    ("replace", NEW),
    ("replacement", NEW),
    ("new", NEW),
    ("newstring", NEW),
    ("scene", FILE),
    ("prefab", FILE),
];

/// The text that an edit takes away, and the one that it puts there.
const OLD: &[&str] = &["oldText"];
const NEW: &[&str] = &["newText"];

/// Words for the file that a call is about, whatever it is.
const FILE: &[&str] = &["path", "file", "filePath"];
/// Words that say what it is. Where a tool has one such argument, it is the file.
const KINDS: &[&str] = &[
    "scenePath",
    "assetPath",
    "scriptPath",
    "resourcePath",
    "prefabPath",
    "materialPath",
    "timelinePath",
];
/// The same, of arguments that are the file in some tools and something else in others: they stand for
/// `path`, and no other word is meant by them.
const FILES: &[&str] = &[
    "scene",
    "sceneName",
    "scenes",
    "scenePaths",
    "paths",
    "assetPaths",
    "basePrefabPath",
    "materialPaths",
    "baseMaterialPath",
    "clipPath",
    "controllerPath",
    "mixerPath",
    "meshPath",
    "texturePath",
    "texturePaths",
    "shaderPath",
    "tilesetPath",
    "environmentPath",
    "ldtkPath",
    "streamPath",
    "instancePath",
    "document",
    "asmdefPaths",
    "assemblyPath",
    "sourcePath",
    "importPath",
    "resultsPath",
    "reportPath",
    "catalogPath",
    "target",
    "directory",
    "folder",
];
/// Arguments that are lists: a word for one is taken for them, and not the other way round.
const LISTS: &[&str] = &[
    "scenes",
    "scenePaths",
    "paths",
    "assetPaths",
    "materialPaths",
    "texturePaths",
    "asmdefPaths",
    "objectPaths",
    "nodes",
];
/// Words for where something new goes.
const PLACES: &[&str] =
    &["outputPath", "newPath", "savePath", "variantPath", "destinationPath", "buildPath"];

/// How the names of the files end that an argument takes.
const ENDINGS: &[(&[&str], &[&str])] = &[
    (SCENE, &["unity", "tscn", "scn"]),
    (&["instancePath"], &["tscn", "scn"]),
    (&["prefabPath", "basePrefabPath", "variantPath"], &["prefab"]),
    (&["script", "scriptPath"], &["cs", "gd"]),
    (&["materialPath", "materialPaths", "baseMaterialPath", "savePath"], &["mat", "tres"]),
    (&["shader", "shaderPath"], &["shader", "gdshader"]),
    (&["texturePath", "texturePaths"], &["png", "jpg", "jpeg", "svg", "webp", "tga", "psd"]),
    (&["tilesetPath", "environmentPath", "resourcePath"], &["tres", "res"]),
    (&["streamPath"], &["wav", "ogg", "mp3"]),
    (&["timelinePath"], &["playable"]),
    (&["clipPath"], &["anim"]),
    (&["controllerPath"], &["controller"]),
    (&["mixerPath"], &["mixer"]),
    (&["meshPath"], &["asset", "mesh", "tres", "res"]),
];

/// The argument among `known` that `asked` is another word for, also when it is the same word in
/// another case. Nothing where it could be two of them.
pub fn meant<'a>(asked: &str, known: &'a [String]) -> Option<&'a str> {
    let plain_asked = plain(asked);
    if let Some(name) = known.iter().find(|name| plain(name) == plain_asked) {
        return Some(name);
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let has_file = known.iter().any(|name| [FILE, KINDS, FILES].iter().any(|one| has(one, name)));
    let is_no_file = |name: &&str| has(OBJECT, name) || has(NODES, name);
    // A file, or what is in one: what is asked for it tells, and what else is given.
    if plain_asked == "path" && has_file && known.iter().any(is_no_file) {
        return None;
    }
    let mut found = groups(&plain_asked).filter_map(|group| {
        // Where there is a file, a path is its.
        let is_other = plain_asked == "path" && has_file && !group.is_file;
        only(&known, |name| group.has(name)).filter(|_| !is_other)
    });
    found.next()
}

/// The same by what is still open in a call: the arguments that it has not given. `value` is what it
/// gives for `asked`; where several are open, the file that it names tells which is meant, or the one
/// that must be given.
pub fn meant_of<'a>(
    asked: &str,
    value: &Value,
    open: &[&'a str],
    required: &[&str],
) -> Option<&'a str> {
    let asked = plain(asked);
    if asked == "path" {
        let is_one = |name: &&&str| groups(&asked).any(|group| group.has(name));
        let all: Vec<&str> = open.iter().filter(is_one).copied().collect();
        return chosen(&all, value, required);
    }
    groups(&asked).find_map(|group| {
        let all: Vec<&str> = open.iter().filter(|name| group.has(name)).copied().collect();
        chosen(&all, value, required)
    })
}

fn chosen<'a>(all: &[&'a str], value: &Value, required: &[&str]) -> Option<&'a str> {
    let ending = value.as_str().and_then(|text| text.rsplit_once('.')).map(|(_, ending)| ending);
    let ends_so = |name: &str| {
        let mut endings = ENDINGS.iter().filter(|(names, _)| names.contains(&name));
        ending.is_some_and(|ending| endings.any(|(_, endings)| endings.contains(&ending)))
    };
    let is_no_file = |name: &str| has(OBJECT, name) || has(NODES, name);
    let is_required = |name: &str| required.contains(&name);
    match all {
        [only] => Some(only),
        _ => only(all, ends_so)
            .or_else(|| only(all, |name| is_no_file(name) && ending.is_none()))
            .or_else(|| only(all, is_required)),
    }
}

/// Arguments that one word may stand for.
struct Group {
    names: [&'static [&'static str]; 3],
    is_file: bool,
    /// The word is for one thing, so that lists of them are meant as well.
    is_list: bool,
}

impl Group {
    fn has(&self, name: &str) -> bool {
        let fits = !self.is_list || has(LISTS, name);
        fits && self.names.iter().any(|names| has(names, name))
    }
}

/// The groups that a word may stand for, the most likely first.
fn groups(asked: &str) -> impl Iterator<Item = Group> {
    let is_list = has(LISTS, asked);
    let of = move |names: &'static [&'static str]| Group {
        names: [names, &[], &[]],
        is_file: false,
        is_list,
    };
    let file = match (has(FILE, asked), has(KINDS, asked)) {
        (true, _) => Some([FILE, KINDS, FILES]),
        (_, true) => Some([FILE, &[], &[]]),
        _ => None,
    };
    let file = file.map(|names| Group { names, is_file: true, is_list });
    let alike = ALIKE.iter().filter(|group| has(group, asked)).map(|group| of(group));
    let node = has(NODE, asked).then(|| of(NODES));
    let also = ALSO.iter().filter(|(word, _)| *word == asked).map(|(_, group)| of(group));
    alike.chain(node).chain(file).chain(also).collect::<Vec<_>>().into_iter()
}

/// The other words that a tool takes for one of its arguments, whatever else a call gives.
pub fn others(name: &str, known: &[String]) -> Vec<&'static str> {
    let groups = ALIKE.iter().copied().filter(|group| group.contains(&name));
    let words = groups.chain([FILE, KINDS, NODE, OBJECT]).flatten().copied();
    let words =
        words.chain(ALSO.iter().filter(|(_, group)| group.contains(&name)).map(|(word, _)| *word));
    let mut found: Vec<&str> = Vec::new();
    for word in words.filter(|word| *word != name && meant(word, known) == Some(name)) {
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

fn only<'a>(known: &[&'a str], is_one: impl Fn(&str) -> bool) -> Option<&'a str> {
    let mut found = known.iter().filter(|name| is_one(name));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn has(group: &[&str], name: &str) -> bool {
    let name = plain(name);
    group.iter().any(|word| plain(word) == name)
}

/// A name without what differs between `snake_case` and `camelCase`.
fn plain(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(known: &[&str], asked: &str, expected: Option<&str>) {
        let known: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(meant(asked, &known), expected, "{asked} among {known:?}");
    }

    #[test]
    fn another_word_is_the_argument_of_the_tool() {
        check(&["projectPath", "scenePath"], "project", Some("projectPath"));
        check(&["project"], "project_path", Some("project"));
        check(&["scenePath", "nodePath"], "node", Some("nodePath"));
        check(&["hierarchyPath"], "gameObjectPath", Some("hierarchyPath"));
        check(&["tool", "arguments"], "args", Some("arguments"));
        check(&["scenePath"], "path", Some("scenePath"));
        check(&["path"], "scene_path", Some("path"));
        check(&["scenePath", "playerNodePath"], "nodePath", Some("playerNodePath"));
        check(&["type", "keycode"], "key", Some("keycode"));
        check(&["op", "object", "field"], "gameObject", Some("object"));
        check(&["op", "object", "field"], "propertyPath", Some("field"));
        check(&["path", "scenePath"], "timelinePath", Some("path"));
    }

    #[test]
    fn words_of_other_editors_are_taken_where_they_have_one_meaning() {
        let change = ["op", "object", "component", "field", "values", "prefab"];
        check(&change, "target", Some("object"));
        check(&change, "path", Some("object"));
        check(&change, "type", Some("component"));
        check(&change, "properties", Some("values"));
        check(&change, "fields", Some("values"));
        check(&change, "prefab", Some("prefab"));
        check(&["path", "changes"], "scene", Some("path"));
        check(&["path", "changes"], "prefab", Some("path"));
        check(&["scenePath", "prefabPath", "object"], "path", None);
        check(&["target", "object"], "target", Some("target"));
        check(&["type"], "component", None);
        check(&["nodePath", "scenePath"], "object", Some("nodePath"));
        check(&["hierarchyPath", "scenePath"], "node", Some("hierarchyPath"));
        check(&["oldText", "newText"], "find", Some("oldText"));
        check(&["pattern", "root"], "query", Some("pattern"));
        check(&["hierarchyPath", "to"], "target", Some("hierarchyPath"));
        check(&["scenePaths", "from"], "scene", Some("scenePaths"));
        check(&["scenePath", "from"], "scenePaths", None);
    }

    #[test]
    fn what_could_be_two_arguments_is_none() {
        check(&["scenePath", "scriptPath"], "path", None);
        check(&["scenePath", "prefabPath"], "path", None);
        check(&["property", "propertyPath"], "field", None);
        check(&["scenePath"], "scriptPath", None);
        check(&["scenePath", "scriptPath"], "script", Some("scriptPath"));
        check(&["objectPath", "gameObject"], "hierarchyPath", None);
        check(&["scenePath"], "depth", None);
        check(&["parentNodePath"], "node", None);
        // A signal is of the node that it comes from.
        check(&["fromNodePath", "toNodePath"], "nodePath", Some("fromNodePath"));
    }

    #[test]
    fn what_is_open_tells_which_of_two_is_meant() {
        let check = |open: &[&str], value: &str, expected: Option<&str>| {
            let required = ["scenePath", "nodePath", "scriptPath", "hierarchyPath", "prefabPath"];
            let found = meant_of("path", &json!(value), open, &required);
            assert_eq!(found, expected, "{value} for {open:?}");
        };
        check(&["scenePath", "scriptPath"], "res://a.gd", Some("scriptPath"));
        check(&["scenePath", "scriptPath"], "res://a.tscn", Some("scenePath"));
        check(&["scenePath", "scriptPath"], "res://a", None);
        check(&["scriptPath"], "res://a", Some("scriptPath"));
        check(&["scenePath", "hierarchyPath"], "Player/Lamp", Some("hierarchyPath"));
        check(&["sceneName", "prefabPath"], "Assets/Lamp", Some("prefabPath"));
        check(&["scenePath", "nodePath", "scriptPath"], "Player", Some("nodePath"));
        check(&["depth"], "Player", None);
    }

    #[test]
    fn every_other_word_leads_back() {
        let known = ["scenePath".to_owned(), "project".to_owned()];
        assert_eq!(others("project", &known), ["projectPath"]);
        let scene = others("scenePath", &known);
        assert!(scene.starts_with(&["scene", "sceneName"]) && scene.contains(&"path"), "{scene:?}");
    }
}
