//! The bundled sample projects. Tools read folders, so they are unpacked once, into the user's
//! cache, under a name that changes with their content.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use crate::os;

static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../samples");

/// The folders of the samples, Unity first. What someone changed in them stays changed.
pub(crate) fn folders() -> io::Result<Vec<PathBuf>> {
    let name = format!("samples-{:016x}", content_hash());
    let mut result = Err(io::Error::other("there is no cache folder"));
    for parent in os::cache_folder().into_iter().chain([private_temp()]) {
        result = unpack(&parent.join(&name));
        if result.is_ok() {
            break;
        }
    }
    let root = result?;
    Ok(vec![root.join("unity"), root.join("godot")])
}

/// A folder that only this process uses, for machines where the cache cannot be written.
fn private_temp() -> PathBuf {
    std::env::temp_dir().join(format!("scenewright-{}", std::process::id()))
}

#[expect(clippy::disallowed_methods, reason = "the samples are unpacked into our own cache")]
fn unpack(root: &Path) -> io::Result<PathBuf> {
    if root.join("unity").is_dir() && root.join("godot").is_dir() {
        return Ok(root.to_owned());
    }
    // Written aside and moved into place, so that nobody sees half of it.
    let parent = root.parent().unwrap_or(root);
    std::fs::create_dir_all(parent)?;
    let aside = parent.join(format!("unpacking-{}", std::process::id()));
    std::fs::create_dir_all(&aside)?;
    SAMPLES.extract(&aside)?;
    if std::fs::rename(&aside, root).is_err() {
        // Another process was faster; its copy is as good.
        std::fs::remove_dir_all(&aside)?;
        if !root.join("unity").is_dir() {
            return Err(io::Error::other(format!("{} cannot be written", root.display())));
        }
    }
    Ok(root.to_owned())
}

fn content_hash() -> u64 {
    fn add(dir: &Dir<'_>, hasher: &mut DefaultHasher) {
        for file in dir.files() {
            file.path().hash(hasher);
            file.contents().hash(hasher);
        }
        dir.dirs().for_each(|dir| add(dir, hasher));
    }
    let mut hasher = DefaultHasher::new();
    add(&SAMPLES, &mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacks_every_file_as_it_is_in_the_repository() {
        let folder = scenewright_fixture::Folder::new();
        let root = folder.root();
        unpack(root).unwrap();
        unpack(root).unwrap();
        let bundled = SAMPLES.get_file("godot/project.godot").unwrap().contents();
        assert_eq!(std::fs::read(root.join("godot/project.godot")).unwrap(), bundled);
        assert!(root.join("unity/Assets/Scenes/Main.unity").is_file());
    }
}
