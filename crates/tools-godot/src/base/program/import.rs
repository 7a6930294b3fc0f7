//! Assets imported again by the engine, with the settings that they have.
//!
//! Godot imports a file whose content it knows only when what it made of it is gone. So that is put
//! aside, and comes back when nothing new takes its place.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Config, Variant};
use scenewright_toolkit::door::ProjectPath;

use crate::base::Godot;

/// The first import of a large project takes minutes.
const IMPORT_TIME: Duration = Duration::from_secs(600);
/// So much of what the engine says is told.
const MAX_LINES: usize = 12;
/// The ending of what is put aside; Godot knows no files that end so.
const ASIDE: &str = "scenewright-aside";

/// Where Godot keeps what it imported.
const CACHE: &str = "res://.godot/imported/";

/// What the engine makes of an asset.
pub struct Products {
    asset: ProjectPath,
    /// Its settings, and where they are.
    import: (PathBuf, Vec<u8>),
    /// From the project's root.
    files: Vec<String>,
}

impl Products {
    /// As the asset's .import file names them.
    pub fn of(godot: &Godot<'_>, asset: &ProjectPath) -> Result<Self, ToolError> {
        let path = godot.path(&format!("{asset}.import"))?;
        let bytes = godot.read(&path)?;
        let named = Config::parse(bytes.clone()).find("deps", "dest_files").map(|v| v.decode());
        let named = named.as_ref().and_then(Variant::as_array).unwrap_or_default();
        let files = named.iter().filter_map(Variant::as_str).map(|text| product(godot, text));
        let files = files.collect::<Result<Vec<_>, ToolError>>()?;
        if files.is_empty() {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                format!("{path} names nothing that Godot would make of {asset}"),
            )
            .hint("nothing was changed; it is kept as it is, or its last import failed"));
        }
        let import = (godot.project.root.join(path.as_str()), bytes);
        Ok(Self { asset: asset.clone(), import, files })
    }

    /// The files, from the project's root.
    pub fn files(&self) -> Vec<String> {
        self.files.iter().map(|file| format!("res://{file}")).collect()
    }
}

/// A file that the engine makes: in its cache, or like those of translations in the project.
fn product(godot: &Godot<'_>, text: &str) -> Result<String, ToolError> {
    let cached = text.strip_prefix(CACHE).filter(|name| !name.contains(['/', '\\']));
    match cached {
        Some(name) => Ok(format!(".godot/imported/{name}")),
        None => Ok(godot.path(text)?.to_string()),
    }
}

/// Let the engine import assets again. All are made anew, or those that are not are as before.
#[expect(clippy::disallowed_methods, reason = "what the program itself rewrote is given back")]
pub fn reimport(godot: &Godot<'_>, assets: &[Products]) -> Result<(), ToolError> {
    let program = godot.program()?;
    let root = &godot.project.root;
    let mut aside = Vec::new();
    for product in assets.iter().flat_map(|asset| &asset.files) {
        aside.extend(Aside::put(root.join(product))?);
    }
    let mut command = program.headless(root);
    command.arg("--import");
    let finished = godot.run_told(&program, command, IMPORT_TIME);
    let failed: Vec<&Products> = assets
        .iter()
        .filter(|asset| asset.files.iter().any(|file| !root.join(file).is_file()))
        .collect();
    // Their settings say by now that they cannot be imported.
    let lost: Vec<String> = failed
        .iter()
        .filter_map(|asset| {
            let (path, before) = &asset.import;
            let error = fs::write(path, before).err()?;
            Some(format!("{} could not be given back as it was: {error}", path.display()))
        })
        .collect();
    // What is not there comes back.
    drop(aside);
    if let Some(store) = godot.godot.open_store() {
        store.rebuild();
    }
    let finished = finished?;
    if failed.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = failed.iter().map(|asset| asset.asset.as_str()).collect();
    let is_about = |line: &&str| names.iter().any(|name| line.contains(name));
    let about: Vec<&str> = finished.stderr.lines().filter(is_about).take(MAX_LINES).collect();
    let words = match about.is_empty() {
        true => finished.last_words(MAX_LINES),
        false => about.join("\n"),
    };
    Err(ToolError::failed(format!(
        "Godot {} and did not import {}:\n{words}",
        finished.how(),
        names.join(", ")
    ))
    .hint(match lost.is_empty() {
        true => "what was imported before is still there".to_owned(),
        false => lost.join("; "),
    }))
}

/// A file that waits for another in its place.
struct Aside {
    place: PathBuf,
    aside: PathBuf,
}

impl Aside {
    /// Put a file aside; none when there is no such file.
    #[expect(clippy::disallowed_methods, reason = "what the engine makes for itself has no door")]
    fn put(place: PathBuf) -> Result<Option<Self>, ToolError> {
        if !place.is_file() {
            return Ok(None);
        }
        let mut aside = place.clone().into_os_string();
        aside.push(format!(".{ASIDE}"));
        let aside = PathBuf::from(aside);
        fs::rename(&place, &aside).map_err(|error| {
            ToolError::failed(format!("{} cannot be replaced: {error}", place.display()))
                .hint("nothing was changed; another program may have it open")
        })?;
        Ok(Some(Self { place, aside }))
    }
}

impl Drop for Aside {
    #[expect(clippy::disallowed_methods, reason = "what the engine makes for itself has no door")]
    fn drop(&mut self) {
        let _ = match self.place.is_file() {
            true => fs::remove_file(&self.aside),
            false => fs::rename(&self.aside, &self.place),
        };
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn what_nothing_replaces_comes_back() {
        let folder = Folder::files("//- a.ctex\nold\n//- b.ctex\nold\n");
        let put = |name| Aside::put(folder.path(name)).expect("it can be moved");
        let (a, b) = (put("a.ctex"), put("b.ctex"));
        assert!(a.is_some() && b.is_some() && put("c.ctex").is_none());
        assert!(!folder.path("a.ctex").exists());
        fs::write(folder.path("b.ctex"), "new").expect("the folder is ours");
        drop((a, b));
        let read = |name| fs::read_to_string(folder.path(name)).expect("it is there");
        assert_eq!((read("a.ctex").trim(), read("b.ctex").trim()), ("old", "new"));
        assert_eq!(fs::read_dir(folder.path("")).expect("it is there").count(), 2);
    }
}
