//! Paths that callers name, kept inside the project they are about.

use std::path::{Component, Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_text::beneath;

use crate::door::{self, FOLDER};
use crate::workspace::Layout;
use crate::{Cx, Project, names};

/// Deeper paths are not written; no real project comes near it.
const MAX_DEPTH: usize = 64;

/// A file or folder inside a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inside {
    /// Where it is on disk, without links.
    pub path: PathBuf,
    /// How it is named: from the project's root, with `/`.
    pub name: String,
}

/// Find what `text` names. Both separators, `res://`, and absolute paths inside the project are
/// fine; what leads outside is not, by `..` or by a link. `outside` is what is said then, and
/// `missing` when there is nothing. What waits in a batch is there, too.
pub fn find(
    cx: &Cx,
    project: &Project,
    text: &str,
    outside: &str,
    missing: &str,
) -> Result<Inside, ToolError> {
    if let Some(name) = normal(project, text)
        && let Some(is_there) = staged(cx, project, &name)
    {
        let path = project.root.join(&name);
        return if is_there { Ok(Inside { path, name }) } else { Err(no_such(missing, &name)) };
    }
    find_on_disk(project, text, outside, missing).or_else(|error| {
        // Only one that is not there can be another one.
        let Some(name) = normal(project, text).filter(|_| error.kind == ErrorKind::EngineError)
        else {
            return Err(error);
        };
        let near = near(project, &name);
        let known = || near.iter().map(String::as_str);
        match names::guess(cx, "file or folder", &name, known()) {
            Some(meant) => find_on_disk(project, meant, outside, missing),
            None if near.is_empty() => Err(error),
            None => {
                let otherwise = error.hint.clone().unwrap_or_default();
                let hint = suggest::did_you_mean(&name, known(), &otherwise);
                Err(error.hint(hint))
            }
        }
    })
}

/// How many names of a folder are looked at for one that is meant.
const MAX_NEAR: usize = 5000;

/// What is in the folder that a path leads to, or in the one that its wrong parts mean.
pub(crate) fn near(project: &Project, name: &str) -> Vec<String> {
    let mut folder = String::new();
    let join = |folder: &str, name: &str| match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        let disk = project.root.join(&folder);
        let entries = beneath::list(&project.root, &disk).unwrap_or_default();
        let names = entries.into_iter().filter_map(|entry| entry.name.into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| !name.starts_with('.')).take(MAX_NEAR).collect();
        names.sort();
        if parts.peek().is_none() {
            return names.iter().map(|name| join(&folder, name)).collect();
        }
        let is_there = names.iter().any(|name| name == part);
        let meant = suggest::meant(part, names.iter().map(String::as_str));
        match (is_there, meant) {
            (true, _) => folder = join(&folder, part),
            (false, Some(meant)) => folder = join(&folder, meant),
            (false, None) => return names.iter().map(|name| join(&folder, name)).collect(),
        }
    }
    Vec::new()
}

/// Whether a batch will have a file or folder at a path; nothing where it leaves it as it is.
fn staged(cx: &Cx, project: &Project, name: &str) -> Option<bool> {
    let planned = door::staged_paths(cx, project);
    let file = planned.iter().find(|(path, _)| path.as_str() == name);
    let is_folder = || {
        let below = |path: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        planned.iter().any(|(path, is_there)| *is_there && below(path.as_str()))
    };
    file.map(|(_, is_there)| *is_there).or_else(|| is_folder().then_some(true))
}

fn no_such(missing: &str, name: &str) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{missing}: {name}"))
        .hint("project_listFiles shows what is there")
        .detail("path", name)
}

fn find_on_disk(
    project: &Project,
    text: &str,
    outside: &str,
    missing: &str,
) -> Result<Inside, ToolError> {
    let name = normal(project, text).ok_or_else(|| refused(text, outside))?;
    let path = project.root.join(&name);
    let real = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => no_such(missing, &name),
        _ => ToolError::new(ErrorKind::EngineError, format!("{name} cannot be read: {error}")),
    })?;
    let root = project.root.canonicalize().unwrap_or_else(|_| project.root.clone());
    if !real.starts_with(&root) {
        return Err(refused(text, outside).hint("the path leaves the project through a link"));
    }
    Ok(Inside { path: real, name })
}

fn refused(text: &str, outside: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("{outside}: {text}")).detail("path", text)
}

/// The path from the project's root, with `/`; none when it leads elsewhere or into parts that are
/// not the project's own (Library, Temp, version control).
fn normal(project: &Project, text: &str) -> Option<String> {
    let parts = parts(project, text)?;
    let first = parts.first().map(String::as_str);
    let Layout { own, hidden, .. } = project.engine.layout();
    let is_in = |list: &[&str]| first.is_some_and(|first| list.contains(&first));
    let allowed = (own.is_empty() || is_in(own)) && !is_in(hidden) && !is_in(&[FOLDER]);
    allowed.then(|| parts.join("/"))
}

/// `/Assets/Door.prefab` without its slash, where the project has what it begins with and the disk does not.
pub fn from_root<'t>(root: &Path, text: &'t str) -> Option<&'t str> {
    let inside = text.strip_prefix('/').filter(|inside| !inside.starts_with('/'))?;
    let first = inside.split('/').next().filter(|first| !matches!(*first, "" | "." | ".."))?;
    let is_elsewhere = Path::new("/").join(first).exists();
    (!is_elsewhere && root.join(first).exists()).then_some(inside)
}

/// The names on the way from the project's root; none when the way leads elsewhere.
fn parts(project: &Project, text: &str) -> Option<Vec<String>> {
    let text = text.trim().replace('\\', "/");
    let text = text.strip_prefix("res://").unwrap_or(&text);
    let relative = match Path::new(text).strip_prefix(&project.root) {
        Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
        Err(_) => from_root(&project.root, text).unwrap_or(text).to_owned(),
    };
    let mut parts = Vec::new();
    for component in Path::new(&relative).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?.to_owned()),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(parts)
}

/// A path that may be written: from the project's root, with `/`, and never into version control or
/// what an engine makes for itself. What links make of it is looked at when it is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPath(String);

impl ProjectPath {
    /// Read a path as callers write it: both separators, `res://`, and absolute paths inside the
    /// project are fine.
    pub fn parse(project: &Project, text: &str) -> Result<Self, ToolError> {
        let outside = || {
            refused(text, "Path must be inside the project")
                .hint("name it from the project's root: Assets/Door.prefab, res://door.tscn")
        };
        let parts = parts(project, text).filter(|parts| !parts.is_empty()).ok_or_else(outside)?;
        // A colon is a drive, a stream of a file, or the scheme of an address.
        if parts.len() > MAX_DEPTH || parts.iter().any(|part| part.contains([':', '\0'])) {
            return Err(outside());
        }
        let path = Self(parts.join("/"));
        if let Some(owner) = foreign_owner(project, path.parts()) {
            return Err(refused(text, &format!("That is a place of {owner}, not written here")));
        }
        // On Windows such a name is another file than it says, or none.
        if cfg!(windows)
            && let Some(why) = path.parts().find_map(not_portable)
        {
            return Err(refused(text, &why));
        }
        Ok(path)
    }

    #[cfg(test)]
    pub(crate) fn of_test(path: &str) -> Self {
        Self(path.to_owned())
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names on the way, from the project's root.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

impl std::fmt::Display for ProjectPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose place a path from the root is, if not the project's: version control's, the engine's or our
/// own.
pub fn foreign_owner<'a>(
    project: &Project,
    mut parts: impl Iterator<Item = &'a str>,
) -> Option<&'static str> {
    let own = |name: &str, list: &[&str]| list.iter().any(|other| other.eq_ignore_ascii_case(name));
    let mut first = true;
    parts.find_map(|part| {
        let name = as_disks_read_it(part);
        if is_version_control(part) {
            return Some("version control");
        }
        if !std::mem::take(&mut first) {
            return None;
        }
        let engines = project.engine.layout().engines;
        let owners = [(engines, "the engine"), (&[FOLDER], "scenewright")];
        owners.into_iter().find_map(|(names, owner)| own(&name, names).then_some(owner))
    })
}

/// Whether version control keeps its own files in folders of this name.
pub fn is_version_control(name: &str) -> bool {
    let name = as_disks_read_it(name);
    [".git", "git~1", ".hg", ".svn"].iter().any(|other| other.eq_ignore_ascii_case(&name))
}

/// A name as lenient file systems see it: Windows drops dots and spaces at the end, and macOS
/// characters that have no width.
fn as_disks_read_it(name: &str) -> String {
    let hidden = |c: char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let name: String = name.chars().filter(|c| !hidden(*c)).collect();
    name.trim_end_matches(['.', ' ']).to_owned()
}

/// Why a name cannot be used on every system, if so. Projects travel between them.
pub fn not_portable(name: &str) -> Option<String> {
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let port = ["COM", "LPT"].iter().find_map(|port| stem.strip_prefix(port));
    let is_port = port.is_some_and(|number| {
        let mut digits = number.chars();
        let digit = digits.next().is_some_and(|c| c.is_ascii_digit() || "\u{b9}²³".contains(c));
        digit && digits.next().is_none()
    });
    if is_port || DEVICES.contains(&stem.as_str()) {
        return Some(format!("'{name}' is a device on Windows"));
    }
    if name.ends_with(['.', ' ']) {
        return Some(format!("'{name}' ends in a dot or a space, which Windows drops"));
    }
    if name.contains(|c: char| c.is_control() || "<>:\"|?*\\".contains(c)) {
        return Some(format!("'{}' has characters that Windows refuses", name.escape_debug()));
    }
    (name.len() > 255).then(|| format!("'{:.40}…' is longer than 255 bytes", name))
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::sample;

    use super::*;
    use crate::plain;

    fn check(text: &str) -> Result<String, ErrorKind> {
        let workspace = plain::open(&[&sample("unity"), &sample("godot")], None);
        let engine = if text.starts_with("res:") { "godot" } else { "unity" };
        let project = workspace.named(engine).unwrap();
        find_on_disk(project, text, "Path must be under Assets/", "File not found")
            .map(|inside| inside.name)
            .map_err(|error| error.kind)
    }

    #[test]
    fn every_spelling_of_a_path_inside_is_understood() {
        assert_eq!(check("Assets/Scenes/Main.unity"), Ok("Assets/Scenes/Main.unity".to_owned()));
        assert_eq!(check(r"Assets\Scenes\Main.unity"), Ok("Assets/Scenes/Main.unity".to_owned()));
        assert_eq!(check("/Assets/Scenes/Main.unity"), Ok("Assets/Scenes/Main.unity".to_owned()));
        assert_eq!(check("./Assets//Scenes/"), Ok("Assets/Scenes".to_owned()));
        assert_eq!(check("res://scenes/main.tscn"), Ok("scenes/main.tscn".to_owned()));
    }

    #[test]
    fn nothing_outside_is_read() {
        for text in [
            "../godot/project.godot",
            "Assets/../../x",
            "/etc/passwd",
            "Library/x",
            "",
            "C:/x",
            "res://.scenewright/lock",
        ] {
            assert_eq!(check(text), Err(ErrorKind::BadArguments), "{text}");
        }
        assert_eq!(check("Assets/Nope.unity"), Err(ErrorKind::EngineError));
    }

    fn writable(text: &str) -> Result<String, String> {
        let workspace = plain::open(&[&sample("unity"), &sample("godot")], None);
        let engine = if text.starts_with("res:") { "godot" } else { "unity" };
        let project = workspace.named(engine).unwrap();
        ProjectPath::parse(project, text)
            .map(|path| path.to_string())
            .map_err(|error| error.message)
    }

    #[test]
    fn every_spelling_of_a_new_file_inside_is_understood() {
        let absolute = sample("unity").canonicalize().unwrap().join("Assets/New.cs");
        for text in
            ["Assets/New.cs", r"Assets\New.cs", "./Assets//New.cs", absolute.to_str().unwrap()]
        {
            assert_eq!(writable(text).as_deref(), Ok("Assets/New.cs"), "{text}");
        }
        assert_eq!(writable("res://new.tscn").as_deref(), Ok("new.tscn"));
        assert_eq!(writable("res://Temp/.gitignore").as_deref(), Ok("Temp/.gitignore"));
    }

    #[test]
    fn nothing_outside_is_written() {
        for text in [
            "",
            ".",
            "../x",
            "Assets/../../x",
            r"..\x",
            r"Assets\..\..\x",
            "/etc/passwd",
            "C:/x",
            r"C:\Windows\x",
            "C:x",
            r"\\server\share\x",
            r"\\?\C:\x",
            "Assets/a.cs:stream",
            "user://save.dat",
            "uid://abc",
            "Assets/a\0b",
        ] {
            let error = writable(text).unwrap_err();
            assert_eq!(error, format!("Path must be inside the project: {text}"));
        }
        let deep = "a/".repeat(65);
        assert!(writable(&deep).is_err());
    }

    #[test]
    fn places_of_others_are_not_written() {
        for text in [
            ".git/config",
            "Assets/.GIT/hooks/x",
            "GIT~1/x",
            ".git./x",
            ".git /x",
            ".g\u{200c}it/x",
            "Library/x",
            "library/x",
            "obj/x",
            "res://.godot/x",
            ".scenewright/lock",
            "res://.SceneWright/00000001.intent",
            "res://addons/.svn/x",
        ] {
            let error = writable(text).unwrap_err();
            assert!(error.starts_with("That is a place of "), "{text}: {error}");
        }
    }

    #[test]
    fn names_that_some_systems_refuse_are_known() {
        for name in [
            "con",
            "Aux.txt",
            "NUL.tar.gz",
            "com1",
            "LPT9.x",
            "COM²",
            "con .txt",
            "a.",
            "a ",
            "a?",
            "a\"b",
            "a\n",
            "CONOUT$",
        ] {
            assert!(not_portable(name).is_some(), "{name}");
        }
        assert!(not_portable(&"x".repeat(256)).is_some());
        for name in [
            "console",
            "com",
            "com10",
            "COMA",
            ".gitignore",
            "a b",
            "ä.tscn",
            "lpt",
            "auxiliary.gd",
        ] {
            assert_eq!(not_portable(name), None, "{name}");
        }
    }
}
