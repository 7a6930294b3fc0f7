//! Words that tools of different families have for the same argument, in one table: whoever knows
//! one family can call the tools of the other. The schemas have each argument once.

/// Words for one thing. Every tool takes each of them for the one of its own.
const ALIKE: &[&[&str]] = &[
    &["project", "projectPath"],
    &["scene", "scenePath", "sceneName"],
    &["node", "nodePath"],
    &["parent", "parentPath", "parentNodePath"],
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
];

/// Words for the object that a call is about.
const OBJECT: &[&str] =
    &["gameObjectPath", "hierarchyPath", "objectPath", "gameObject", "object", "childPath"];

/// Words that mean a thing only where the tool has no argument of that name, and not the other way
/// round: a `type` can be more than a component.
const ALSO: &[(&str, &[&str])] = &[
    ("target", OBJECT),
    ("path", OBJECT),
    ("type", &["component", "componentType"]),
    ("properties", &["values"]),
    ("fields", &["values"]),
    ("scene", FILE),
    ("prefab", FILE),
];

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

/// Words for the node that a call is about.
const NODE: &[&str] = &["node", "nodePath"];

/// The argument among `known` that `asked` is another word for, also when it is the same word in
/// another case. Nothing where it could be two of them.
pub fn meant<'a>(asked: &str, known: &'a [String]) -> Option<&'a str> {
    let asked = plain(asked);
    if let Some(name) = known.iter().find(|name| plain(name) == asked) {
        return Some(name);
    }
    let has = |group: &[&str], name: &str| group.iter().any(|word| plain(word) == plain(name));
    let mut groups = ALIKE.iter().filter(|group| has(group, &asked));
    let alike = groups.find_map(|group| only(known, |name| has(group, name)));
    // A tool may say what the node is: `playerNodePath`. A parent is another node.
    let is_node = |name: &str| name.ends_with("NodePath") && !name.starts_with("parent");
    let node = || only(known, is_node).filter(|_| has(NODE, &asked));
    let file = || match (has(FILE, &asked), has(KINDS, &asked)) {
        (true, _) => only(known, |name| has(FILE, name) || has(KINDS, name)),
        (_, true) => only(known, |name| has(FILE, name)),
        _ => None,
    };
    let also = || {
        // Where there is a file, a path is its.
        let is_file = |name: &String| has(FILE, name) || has(KINDS, name);
        let mut also = ALSO.iter().filter(|(word, _)| *word == asked);
        let (_, group) = also.find(|(word, _)| *word != "path" || !known.iter().any(is_file))?;
        only(known, |name| has(group, name))
    };
    alike.or_else(node).or_else(file).or_else(also)
}

/// The other words that a tool takes for one of its arguments.
pub fn others(name: &str, known: &[String]) -> Vec<&'static str> {
    let groups =
        ALIKE.iter().copied().filter(|group| group.contains(&name)).chain([FILE, KINDS, NODE]);
    let also = ALSO.iter().filter(|(_, group)| group.contains(&name)).map(|(word, _)| *word);
    let words = groups.flatten().copied().chain(also);
    words.filter(|word| *word != name && meant(word, known) == Some(name)).collect()
}

fn only(known: &[String], is_alike: impl Fn(&str) -> bool) -> Option<&str> {
    let mut alike = known.iter().filter(|name| is_alike(name));
    let first = alike.next()?;
    alike.next().is_none().then_some(first)
}

/// A name without what differs between `snake_case` and `camelCase`.
fn plain(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
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
        check(&["fromNodePath", "toNodePath"], "nodePath", None);
        check(&["parentNodePath"], "node", None);
    }

    #[test]
    fn every_other_word_leads_back() {
        let known = ["scenePath".to_owned(), "project".to_owned()];
        assert_eq!(others("project", &known), ["projectPath"]);
        assert_eq!(others("scenePath", &known), ["scene", "sceneName", "path", "file", "filePath"]);
    }
}
