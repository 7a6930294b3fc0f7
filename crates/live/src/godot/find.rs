//! Where the Godot program may be.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError};

/// Names of the program on the search path, best first.
const NAMES: [&str; 2] = ["godot", "godot4"];

/// The first program there is. `variable` reads the environment.
pub(super) fn find(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, ToolError> {
    if let Some(named) = variable("GODOT_PATH").filter(|path| !path.is_empty()) {
        let named = PathBuf::from(named);
        // The operator's word is not passed over in silence.
        return program(&named).ok_or_else(|| {
            missing(format!("GODOT_PATH is {}, and there is no program", named.display()))
        });
    }
    let places = places(variable);
    let on_path = search_path(variable);
    on_path.chain(places.iter().cloned()).find_map(|path| program(&path)).ok_or_else(|| {
        missing(format!(
            "Godot was not found: GODOT_PATH is not set, there is no {} on the search path, and nothing at {}",
            NAMES.join(" or "),
            places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
        ))
    })
}

fn missing(message: String) -> ToolError {
    ToolError::new(ErrorKind::NotReady, message)
        .hint("install Godot 4, or set GODOT_PATH to its program before this server starts")
        .detail("setting", "GODOT_PATH")
}

/// A file that can be run; on macOS also the application that it is in.
fn program(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let inside = path.join("Contents/MacOS/Godot");
    (path.extension().is_some_and(|end| end == "app") && inside.is_file()).then_some(inside)
}

fn search_path(variable: &dyn Fn(&str) -> Option<OsString>) -> impl Iterator<Item = PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    // What the search path says of the current folder is not meant for a server.
    let folders: Vec<PathBuf> =
        std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    NAMES.into_iter().flat_map(move |name| {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().map(|folder| folder.join(&file)).collect::<Vec<_>>()
    })
}

/// Where installers, stores and package managers put it.
fn places(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let below = |name: &str, rest: &str| variable(name).map(|base| PathBuf::from(base).join(rest));
    let places = if cfg!(windows) {
        vec![
            below("ProgramFiles", "Godot/Godot.exe"),
            below("LOCALAPPDATA", "Programs/Godot/Godot.exe"),
            below("LOCALAPPDATA", "Microsoft/WinGet/Links/godot.exe"),
            below("USERPROFILE", "scoop/apps/godot/current/godot.exe"),
            below(
                "ProgramFiles(x86)",
                "Steam/steamapps/common/Godot Engine/godot.windows.opt.tools.64.exe",
            ),
        ]
    } else if cfg!(target_os = "macos") {
        vec![
            Some("/Applications/Godot.app".into()),
            Some("/Applications/Godot_mono.app".into()),
            below("HOME", "Applications/Godot.app"),
            Some("/opt/homebrew/bin/godot".into()),
        ]
    } else {
        vec![
            Some("/usr/local/bin/godot".into()),
            Some("/var/lib/flatpak/exports/bin/org.godotengine.Godot".into()),
            below("HOME", ".local/share/flatpak/exports/bin/org.godotengine.Godot"),
            Some("/snap/bin/godot4".into()),
            below(
                "HOME",
                ".local/share/Steam/steamapps/common/Godot Engine/godot.x11.opt.tools.64",
            ),
        ]
    };
    places.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    fn check(variables: &[(&str, OsString)]) -> Result<PathBuf, ToolError> {
        find(&|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone()))
    }

    fn program_name(name: &str) -> String {
        format!("{name}{}", std::env::consts::EXE_SUFFIX)
    }

    #[test]
    fn the_operators_word_comes_first() {
        let (mine, other) = (program_name("mine"), program_name("godot"));
        let folder = Folder::files(&format!("//- {mine}\n//- {other}\n"));
        let named = folder.path(&mine);
        let path = folder.path("");
        let found = check(&[("GODOT_PATH", named.clone().into()), ("PATH", path.into())]).unwrap();
        assert_eq!(found, named);
    }

    #[test]
    fn the_operators_word_is_not_passed_over() {
        let folder = Folder::files(&format!("//- {}\n", program_name("godot")));
        let gone = folder.path("gone");
        let variables = [("GODOT_PATH", gone.clone().into()), ("PATH", folder.path("").into())];
        let error = check(&variables).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotReady);
        assert_eq!(
            error.message,
            format!("GODOT_PATH is {}, and there is no program", gone.display())
        );
    }

    #[test]
    fn names_are_looked_for_in_their_order() {
        let (first, second) = (program_name("godot4"), program_name("godot"));
        let folder = Folder::files(&format!("//- a/{first}\n//- b/{second}\n"));
        let folders = [folder.path("a"), folder.path("b")];
        let path = std::env::join_paths(&folders).unwrap();
        assert_eq!(check(&[("PATH", path)]).unwrap(), folders[1].join(second));
        let only = check(&[("PATH", folders[0].clone().into())]).unwrap();
        assert_eq!(only, folders[0].join(first));
    }

    #[test]
    fn an_application_is_looked_into() {
        let folder = Folder::files("//- Godot.app/Contents/MacOS/Godot\n");
        let found = check(&[("GODOT_PATH", folder.path("Godot.app").into())]).unwrap();
        assert_eq!(found, folder.path("Godot.app").join("Contents/MacOS/Godot"));
    }

    #[test]
    fn folders_without_a_root_are_not_searched() {
        let folders = search_path(&|_| Some(".".into()));
        assert_eq!(folders.count(), 0);
    }
}
