//! Projects written as one text, in folders that are removed again, for tests.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder under the system's temporary folder, removed when dropped.
pub(crate) struct Dir(PathBuf);

/// Writes a whole project given as one text, each file under a `//- path` line.
pub(crate) fn project(text: &str) -> Dir {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let dir = Dir(env::temp_dir().join(format!("scenewright-godot-{}-{id}", process::id())));
    fs::create_dir_all(&dir.0).unwrap();
    for file in text.split("//- ").skip(1) {
        let (name, content) = file.split_once('\n').unwrap_or((file, ""));
        let path = dir.0.join(name.trim());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}

impl Dir {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The text with this folder's path, which differs in every run, written as `DIR`.
    pub(crate) fn hide(&self, text: &str) -> String {
        let name = self.0.file_name().unwrap().to_str().unwrap();
        text.replace(self.0.to_str().unwrap(), "DIR").replace(name, "DIR").replace("DIR\\", "DIR/")
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
