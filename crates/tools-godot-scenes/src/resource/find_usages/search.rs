//! Where the files of a project name something.

use scenewright_contract::ToolError;
use scenewright_godot::{
    Config, Document, FileEntry, FileKind, Form, Scene, Script, Use, code_lines,
};
use scenewright_text::has_word;
use scenewright_tools_godot::base::{Godot, use_name};

/// What was found.
#[derive(Default)]
pub(super) struct Search {
    /// Path and line of the declaration.
    pub(super) defined_at: Option<(String, usize)>,
    pub(super) found: Vec<Place>,
}

/// A place that uses something.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) kind: &'static str,
}

impl Search {
    fn add(&mut self, file: &FileEntry, line: usize, kind: &'static str) {
        self.found.push(Place { path: file.path.clone(), line, kind });
    }
}

/// Who uses a file, by path, by uid, or by the class that it declares.
pub(super) fn file(godot: &Godot<'_>, path: &str) -> Result<Search, ToolError> {
    let Some(entry) = godot.index.by_path(path) else { return absent(godot, path) };
    let class = entry.script.as_ref().and_then(|script| script.class_name.clone());
    let mut search = match class {
        Some(class) => self::class(godot, &class)?,
        None => Search::default(),
    };
    search.defined_at = Some((entry.path.clone(), 1));
    for (user, used) in
        godot.index.users(path).filter(|(user, _)| user.companion_of() != Some(path))
    {
        search.add(user, used.line, use_name(used.kind));
    }
    Ok(search)
}

/// Who still names a file that is not there.
fn absent(godot: &Godot<'_>, path: &str) -> Result<Search, ToolError> {
    let full = format!("res://{path}");
    let mut search = Search::default();
    for user in godot.index.files() {
        let names = |used: &&Use| {
            let by_path = used.path.as_deref().map(|path| path.split("::").next());
            by_path == Some(Some(&full)) && godot.index.target_of(used).is_none()
        };
        for used in user.uses.iter().filter(names) {
            search.add(user, used.line, use_name(used.kind));
        }
    }
    if search.found.is_empty() {
        return Err(ToolError::not_found("file", path)
            .hint("nothing names it either; project_listFiles shows what is there"));
    }
    godot.cx.diagnose(format!("{full} is not there: these are the places that still name it."));
    Ok(search)
}

/// Where a class of a script or of the engine is named.
pub(super) fn class(godot: &Godot<'_>, name: &str) -> Result<Search, ToolError> {
    let mut search = Search::default();
    let declared = godot.index.class(name).map(|file| file.path.clone());
    each_file(godot, name, |file, text| match file.kind {
        FileKind::Scene | FileKind::Resource => typed_sections(&mut search, file, text, name),
        FileKind::Script => {
            for (line, code) in
                code_lines(text).iter().enumerate().filter(|(_, c)| has_word(c, name))
            {
                let is_declaration =
                    code.contains("class_name") && Some(&file.path) == declared.as_ref();
                match is_declaration {
                    true => search.defined_at = Some((file.path.clone(), line + 1)),
                    false => search.add(file, line + 1, "code"),
                }
            }
        }
        FileKind::CSharp => cs_words(&mut search, file, text, name),
        _ => {}
    })?;
    Ok(search)
}

/// Nodes and resources of a class, and resources of a script's class.
fn typed_sections(search: &mut Search, file: &FileEntry, text: &str, name: &str) {
    let document = Document::parse(text, Form::Resource);
    for section in document.sections() {
        let is = |key: &str| section.attribute_text(key).as_deref() == Some(name);
        let kind = match &*section.name() {
            "node" if is("type") => "node_type",
            "sub_resource" if is("type") => "resource_type",
            "gd_resource" if is("type") || is("script_class") => "resource_type",
            _ => continue,
        };
        search.add(file, section.line(), kind);
    }
}

/// Who is in a group and who asks for it.
pub(super) fn group(godot: &Godot<'_>, name: &str) -> Result<Search, ToolError> {
    let mut search = Search::default();
    each_file(godot, name, |file, text| match file.kind {
        FileKind::Scene => {
            let scene = Scene::parse(text);
            for node in scene.nodes().filter(|node| node.groups().iter().any(|one| one == name)) {
                search.add(file, node.section().line(), "group");
            }
        }
        FileKind::Settings if file.path == "project.godot" => {
            search.defined_at = declared(file, text, "global_group", name);
        }
        FileKind::Script => literals(&mut search, file, text, name, "group"),
        FileKind::CSharp => quoted(&mut search, file, text, name),
        _ => {}
    })?;
    Ok(search)
}

/// Where an input action is asked for.
pub(super) fn action(godot: &Godot<'_>, name: &str) -> Result<Search, ToolError> {
    let mut search = Search::default();
    each_file(godot, name, |file, text| match file.kind {
        FileKind::Settings if file.path == "project.godot" => {
            search.defined_at = declared(file, text, "input", name);
        }
        FileKind::Script => literals(&mut search, file, text, name, "action"),
        FileKind::CSharp => quoted(&mut search, file, text, name),
        _ => {}
    })?;
    Ok(search)
}

/// Where an autoload is used by its name.
pub(super) fn autoload(godot: &Godot<'_>, name: &str) -> Result<Search, ToolError> {
    let mut search = Search::default();
    let below_root = format!("/root/{name}");
    let is_path = |text: &str| {
        let rest = text.strip_prefix(&below_root);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ':']))
    };
    each_file(godot, name, |file, text| match file.kind {
        FileKind::Settings if file.path == "project.godot" => {
            search.defined_at = declared(file, text, "autoload", name);
        }
        FileKind::Script => {
            for (line, _) in code_lines(text).iter().enumerate().filter(|(_, c)| has_word(c, name))
            {
                search.add(file, line + 1, "code");
            }
            let script = Script::parse(text);
            for found in script.literals.iter().filter(|found| is_path(&found.text)) {
                search.add(file, found.line, "node_path");
            }
            for found in script.node_paths.iter().filter(|found| is_path(&found.name)) {
                search.add(file, found.line, "node_path");
            }
        }
        FileKind::CSharp => cs_words(&mut search, file, text, name),
        _ => {}
    })?;
    Ok(search)
}

/// Calls for every text file that has a name somewhere.
fn each_file(
    godot: &Godot<'_>,
    name: &str,
    mut call: impl FnMut(&FileEntry, &str),
) -> Result<(), ToolError> {
    for file in godot.index.files() {
        let is_read = matches!(
            file.kind,
            FileKind::Scene
                | FileKind::Resource
                | FileKind::Script
                | FileKind::CSharp
                | FileKind::Settings
        );
        if !is_read {
            continue;
        }
        godot.cx.check_cancelled()?;
        let Ok(bytes) = godot.path(&file.path).and_then(|path| godot.read(&path)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        if text.contains(name) {
            call(file, &text);
        }
    }
    Ok(())
}

/// Where a key of the settings stands.
fn declared(file: &FileEntry, text: &str, section: &str, key: &str) -> Option<(String, usize)> {
    let config = Config::parse(text);
    let line = config.keys(section).find(|field| field.key() == key)?.line();
    Some((file.path.clone(), line))
}

/// Texts of a script that are a name: as an argument of what is about such names, or otherwise.
fn literals(search: &mut Search, file: &FileEntry, text: &str, name: &str, kind: &'static str) {
    let script = Script::parse(text);
    let is_named = match kind {
        "group" => script.groups().map(|found| found.offset).collect::<Vec<_>>(),
        _ => script.actions().map(|found| found.offset).collect(),
    };
    for found in script.literals.iter().filter(|found| found.text == name) {
        search.add(file, found.line, if is_named.contains(&found.offset) { kind } else { "text" });
    }
}

fn quoted(search: &mut Search, file: &FileEntry, text: &str, name: &str) {
    let quoted = format!("\"{name}\"");
    for (line, _) in text.lines().enumerate().filter(|(_, line)| line.contains(&quoted)) {
        search.add(file, line + 1, "text");
    }
}

/// Words of C# outside of comments that end the line.
fn cs_words(search: &mut Search, file: &FileEntry, text: &str, name: &str) {
    for (line, code) in text.lines().enumerate() {
        let code = code.split("//").next().unwrap_or_default();
        if has_word(code, name) {
            search.add(file, line + 1, "code");
        }
    }
}
