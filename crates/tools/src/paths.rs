//! Paths that callers name, kept inside the project they are about.

use std::path::{Component, Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError};

use crate::{EngineKind, Project};

/// A file or folder inside a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inside {
    /// Where it is on disk, without links.
    pub(crate) path: PathBuf,
    /// How it is named: from the project's root, with `/`.
    pub(crate) name: String,
}

/// Find what `text` names. Both separators, `res://`, and absolute paths inside the project are
/// fine; what leads outside is not, by `..` or by a link. `outside` is what is said then, and
/// `missing` when there is nothing.
pub(crate) fn find(
    project: &Project,
    text: &str,
    outside: &str,
    missing: &str,
) -> Result<Inside, ToolError> {
    let name = normal(project, text).ok_or_else(|| refused(text, outside))?;
    let path = project.root.join(&name);
    let real = path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            ToolError::new(ErrorKind::EngineError, format!("{missing}: {name}"))
                .hint("project_listFiles shows what is there")
                .detail("path", name.as_str())
        }
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
    let text = text.trim().replace('\\', "/");
    let text = text.strip_prefix("res://").unwrap_or(&text);
    let relative = match Path::new(text).strip_prefix(&project.root) {
        Ok(inside) => inside.to_string_lossy().replace('\\', "/"),
        Err(_) => text.to_owned(),
    };
    let mut parts = Vec::new();
    for component in Path::new(&relative).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?.to_owned()),
            Component::CurDir => {}
            _ => return None,
        }
    }
    let first = parts.first().map(String::as_str);
    let allowed = match &project.engine {
        EngineKind::Unity(_) => {
            matches!(first, Some("Assets" | "Packages" | "ProjectSettings"))
        }
        EngineKind::Godot(_) => !matches!(first, Some(".godot" | ".git")),
    };
    allowed.then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;

    fn check(text: &str) -> Result<String, ErrorKind> {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let workspace = Workspace::open(&[samples.join("unity"), samples.join("godot")]).unwrap();
        let engine = if text.starts_with("res:") { "godot" } else { "unity" };
        let project = workspace.find(Some(engine)).unwrap();
        find(project, text, "Path must be under Assets/", "File not found")
            .map(|inside| inside.name)
            .map_err(|error| error.kind)
    }

    #[test]
    fn every_spelling_of_a_path_inside_is_understood() {
        assert_eq!(check("Assets/Scenes/Main.unity"), Ok("Assets/Scenes/Main.unity".to_owned()));
        assert_eq!(check(r"Assets\Scenes\Main.unity"), Ok("Assets/Scenes/Main.unity".to_owned()));
        assert_eq!(check("./Assets//Scenes/"), Ok("Assets/Scenes".to_owned()));
        assert_eq!(check("res://scenes/main.tscn"), Ok("scenes/main.tscn".to_owned()));
    }

    #[test]
    fn nothing_outside_is_read() {
        for text in
            ["../godot/project.godot", "Assets/../../x", "/etc/passwd", "Library/x", "", "C:/x"]
        {
            assert_eq!(check(text), Err(ErrorKind::BadArguments), "{text}");
        }
        assert_eq!(check("Assets/Nope.unity"), Err(ErrorKind::EngineError));
    }
}
