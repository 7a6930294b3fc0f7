//! Scenes, scripts and assets of a Godot project, as JSON or as they are.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::{FileEntry, FileKind, Index, NodeState, Sources, Tree};
use scenewright_text::links::LEAVES;
use serde_json::{Value, json};

use super::OUTSIDE;

/// Entries of a list; more are counted.
const MAX_ENTRIES: usize = 1000;
/// The largest text that is sent.
const MAX_TEXT: u64 = 4 << 20;
/// Nodes of one tree that are shown, and how deep.
const MAX_NODES: usize = 5000;
const MAX_DEPTH: usize = 64;

/// The kinds of assets and the ends of their names.
const CATEGORIES: &[(&str, &[&str])] = &[
    ("images", &["png", "jpg", "jpeg", "webp", "svg", "bmp", "tga", "exr", "hdr", "ktx", "dds"]),
    ("audio", &["wav", "ogg", "mp3", "opus"]),
    ("models", &["glb", "gltf", "fbx", "obj", "blend", "dae", "escn", "mesh"]),
    ("fonts", &["ttf", "otf", "woff", "woff2", "fnt", "font"]),
    ("shaders", &["gdshader", "gdshaderinc", "shader"]),
    ("resources", &["tres", "res", "material", "theme"]),
    ("scenes", &["tscn", "scn"]),
    ("scripts", &["gd", "cs"]),
    ("data", &["json", "csv", "txt", "xml", "cfg", "ini", "yaml", "yml", "po", "translation"]),
];

/// The names of the categories.
pub(crate) fn categories() -> impl Iterator<Item = &'static str> {
    CATEGORIES.iter().map(|(name, _)| *name)
}

/// The media type of a file by its name.
pub(super) fn mime(path: &str) -> &'static str {
    match extension(path).as_str() {
        "gd" => "text/x-gdscript",
        "tscn" | "escn" => "text/x-godot-scene",
        "tres" => "text/x-godot-resource",
        "res" | "scn" => "application/x-godot-resource",
        "godot" => "text/x-godot-project",
        "gdshader" | "gdshaderinc" => "text/x-godot-shader",
        "cs" => "text/x-csharp",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "bmp" => "image/bmp",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "mp3" => "audio/mpeg",
        "glb" => "model/gltf-binary",
        "gltf" => "model/gltf+json",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "json" => "application/json",
        "csv" => "text/csv",
        "txt" => "text/plain",
        _ => "application/octet-stream",
    }
}

fn extension(path: &str) -> String {
    path.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_ascii_lowercase())
}

/// A file of the project by its path, `res://` path or uid. Only what the index has is found, so no
/// path leads out of the project.
pub(crate) fn find<'a>(index: &'a Index, path: &str) -> Result<&'a FileEntry, ToolError> {
    index.find(path).ok_or_else(|| {
        if let Some(why) = index.why_unlisted(path) {
            let message = format!("{path} is not read");
            let error = match why == LEAVES {
                true => outside(message, path),
                false => ToolError::new(ErrorKind::ResourceNotFound, message),
            };
            return error.hint(format!("it is {why}"));
        }
        if path.split(['/', '\\']).any(|part| part == "..") {
            let message = format!("{path} is not read: it leads out of the project");
            return outside(message, path)
                .hint("name the file by its path from the project's root");
        }
        let known = index.files().map(|file| &*file.path);
        let otherwise = "godot://scenes, godot://scripts and godot://assets list what is there";
        ToolError::new(ErrorKind::ResourceNotFound, format!("no file is called {path}"))
            .hint(suggest::did_you_mean(path, known, otherwise))
    })
}

/// A path that is refused, and not only one that is not there.
fn outside(message: String, path: &str) -> ToolError {
    ToolError::new(ErrorKind::Denied, message).detail(OUTSIDE, path)
}

/// The text of a file of one of these kinds.
pub(super) fn text(
    index: &Index,
    path: &str,
    kinds: &[FileKind],
) -> Result<(&'static str, String), ToolError> {
    let file = find(index, path)?;
    let refused =
        |why: String| ToolError::new(ErrorKind::ResourceNotFound, format!("{} {why}", file.path));
    if !kinds.contains(&file.kind) {
        let hint = "godot://scenes and godot://scripts list what can be read so";
        return Err(refused("is of another kind".into()).hint(hint));
    }
    if file.size > MAX_TEXT {
        let why = format!("has {} bytes, and {MAX_TEXT} at most are sent", file.size);
        return Err(refused(why).hint("project_searchText finds lines of it"));
    }
    let bytes = index.read(&file.path).ok_or_else(|| refused("cannot be read".into()))?;
    Ok((mime(&file.path), String::from_utf8_lossy(&bytes).into_owned()))
}

/// Entries under a name, with how many there are.
fn listing<'a>(
    name: &str,
    files: impl Iterator<Item = &'a FileEntry>,
    entry: impl Fn(&FileEntry) -> Value,
) -> Value {
    let files: Vec<&FileEntry> = files.collect();
    let shown: Vec<Value> = files.iter().take(MAX_ENTRIES).map(|file| entry(file)).collect();
    json!({ "count": files.len(), "truncated": files.len() > shown.len(), name: shown })
}

pub(super) fn scenes(index: &Index) -> Value {
    listing(
        "scenes",
        index.of_kind(FileKind::Scene),
        |file| json!({ "path": file.path, "rootType": file.class, "uid": file.uid, "size": file.size }),
    )
}

pub(super) fn scripts(index: &Index) -> Value {
    let is_script = |file: &&FileEntry| matches!(file.kind, FileKind::Script | FileKind::CSharp);
    listing("scripts", index.files().filter(is_script), |file| {
        let script = file.script.as_ref();
        json!({
            "path": file.path,
            "className": script.and_then(|script| script.class_name.as_ref()),
            "extends": script.and_then(|script| script.base.as_ref()),
            "tool": script.is_some_and(|script| script.is_tool),
            "uid": index.uid_of(&file.path),
        })
    })
}

pub(super) fn resources(index: &Index) -> Value {
    let is_resource = |file: &&FileEntry| {
        file.kind == FileKind::Resource || matches!(&*extension(&file.path), "res" | "material")
    };
    listing(
        "resources",
        index.files().filter(is_resource),
        |file| json!({ "path": file.path, "type": file.class, "uid": index.uid_of(&file.path) }),
    )
}

/// How many assets each category has, or the assets of one.
pub(super) fn assets(index: &Index, category: &str) -> Result<Value, ToolError> {
    let of = |extensions: &'static [&str]| {
        index.files().filter(move |file| extensions.contains(&&*extension(&file.path)))
    };
    if category.is_empty() {
        let counts = CATEGORIES.iter().map(|(name, ends)| ((*name).to_owned(), of(ends).count()));
        let counts: Vec<(String, usize)> = counts.collect();
        let total: usize = counts.iter().map(|(_, count)| count).sum();
        let categories: serde_json::Map<String, Value> =
            counts.into_iter().map(|(name, count)| (name, json!(count))).collect();
        return Ok(json!({ "total": total, "categories": categories }));
    }
    let Some((name, ends)) = CATEGORIES.iter().find(|(name, _)| *name == category) else {
        let names: Vec<&str> = categories().collect();
        let otherwise = format!("the categories are {}", names.join(", "));
        let error = format!("no category is called {category}");
        return Err(ToolError::new(ErrorKind::ResourceNotFound, error)
            .hint(suggest::did_you_mean(category, names.iter().copied(), &otherwise)));
    };
    Ok(listing(
        name,
        of(ends),
        |file| json!({ "path": file.path, "size": file.size, "mimeType": mime(&file.path), "uid": index.uid_of(&file.path) }),
    ))
}

/// The uid of a file, or the file of a uid.
pub(super) fn uid(index: &Index, path: &str) -> Result<Value, ToolError> {
    let file = find(index, path)?;
    Ok(json!({ "path": file.path, "uid": index.uid_of(&file.path) }))
}

/// What a check found in code.
pub(super) fn script_errors(checked: Value) -> Value {
    let is_code = |found: &&Value| {
        let file = found["file"].as_str().unwrap_or_default();
        matches!(&*extension(file), "gd" | "cs" | "gdshader" | "gdshaderinc")
    };
    let errors: Vec<&Value> =
        checked["findings"].as_array().into_iter().flatten().filter(is_code).collect();
    json!({
        "errors": errors,
        "note": "found in the files; only the engine's own compiler finds the rest",
    })
}

/// A scene and its nodes, with those of instances and base scenes.
pub(crate) fn find_tree<'a>(
    index: &'a Index,
    path: &str,
) -> Result<(&'a FileEntry, Tree), ToolError> {
    let file = find(index, path)?;
    let tree = Tree::build(&file.res_path(), index).filter(|_| file.kind == FileKind::Scene);
    let missing = || {
        ToolError::new(ErrorKind::ResourceNotFound, format!("{} is no scene", file.path))
            .hint("godot://scenes lists the scenes")
    };
    Ok((file, tree.ok_or_else(missing)?))
}

/// The nodes of a scene, each in its parent.
pub(super) fn tree(index: &Index, path: &str) -> Result<Value, ToolError> {
    let (file, tree) = find_tree(index, path)?;
    Ok(json!({
        "path": file.path,
        "nodeCount": tree.nodes().len(),
        "root": tree_json(&tree),
        "problems": tree.problems().iter().map(|found| {
            json!({ "file": found.file, "line": found.line, "message": found.message })
        }).collect::<Vec<_>>(),
    }))
}

/// A tree as nested objects; what is cut off is counted.
fn tree_json(tree: &Tree) -> Value {
    let nodes = &tree.nodes()[..tree.nodes().len().min(MAX_NODES)];
    let depth = |path: &str| if path == "." { 0 } else { path.matches('/').count() + 1 };
    let mut built: Vec<Value> = vec![Value::Null; nodes.len()];
    // Parents stand before their children, so going backwards finds each child complete.
    for (at, node) in nodes.iter().enumerate().rev() {
        let mut entry = json!({ "name": node.name, "type": node.class, "path": node.path });
        let script = node.script();
        let more = [("script", script), ("instance", node.instance.clone())];
        for (key, value) in more.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            entry[key] = value.into();
        }
        if node.state != NodeState::Plain {
            entry["state"] = format!("{:?}", node.state).to_lowercase().into();
        }
        let is_deep = depth(&node.path) >= MAX_DEPTH;
        let shown = node.children.iter().filter(|child| **child < nodes.len() && !is_deep);
        let children: Vec<Value> = shown.map(|child| built[*child].take()).collect();
        if children.len() < node.children.len() {
            entry["childrenNotShown"] = (node.children.len() - children.len()).into();
        }
        if !children.is_empty() {
            entry["children"] = children.into();
        }
        built[at] = entry;
    }
    built.into_iter().next().unwrap_or_default()
}
