//! The projects of tasks: copies of the samples and of synthetic ones, some of them with a fault.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::files::Files;
use crate::{paths, synth};

/// How many assets or files a synthetic project has, which is enough to be more than one screen.
const SYNTH_ASSETS: usize = 200;
const SYNTH_FILES: usize = 200;
/// Objects of the scene that is read to its end.
pub(crate) const LARGE_OBJECTS: u64 = 600;
/// Bytes of Godot's, with seven nodes for some two thousand of them.
const LARGE_BYTES: usize = 400_000;
pub(crate) const LARGE_UNITY: &str = "Assets/Large.unity";
pub(crate) const LARGE_GODOT: &str = "large.tscn";

/// What a task is done in.
pub(crate) enum Project {
    Unity,
    Godot,
    /// A sample that somebody broke or added to.
    UnityAfter(fn(&Files) -> Result<()>),
    GodotAfter(fn(&Files) -> Result<()>),
    /// Made by `cargo xtask synth`, with a large scene.
    SynthUnity,
    SynthUnityAfter(fn(&Files) -> Result<()>),
    SynthGodot,
}

impl Project {
    /// Make it anew in a folder of this name; [`Project::prepare`] comes before.
    pub(crate) fn make(&self, name: &str) -> Result<Files> {
        let folder = paths::target().join("tmp").join("agent").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        copy(&self.source(), &folder)?;
        let files = Files::new(folder);
        match self {
            Project::UnityAfter(change)
            | Project::GodotAfter(change)
            | Project::SynthUnityAfter(change) => change(&files)?,
            _ => {}
        }
        Ok(files)
    }

    /// Make what copies are taken of, where that is not there yet.
    pub(crate) fn prepare(&self) -> Result<()> {
        match self {
            Project::SynthUnity | Project::SynthUnityAfter(_) => {
                let folder = synth::unity_project(SYNTH_ASSETS, Some(self.source()))?;
                synth::add_scene(&folder, "Large", "4", || synth::large_scene(LARGE_OBJECTS))
            }
            Project::SynthGodot => {
                let folder = synth::godot_project(SYNTH_FILES, Some(self.source()))?;
                let scene = folder.join(LARGE_GODOT);
                if !scene.exists() {
                    fs::write(scene, synth::large_godot_scene(LARGE_BYTES))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn source(&self) -> PathBuf {
        let synth = |name: &str| paths::target().join("synth").join(name);
        match self {
            Project::Unity | Project::UnityAfter(_) => paths::root().join("samples/unity"),
            Project::Godot | Project::GodotAfter(_) => paths::root().join("samples/godot"),
            Project::SynthUnity | Project::SynthUnityAfter(_) => synth("agent-unity"),
            Project::SynthGodot => synth("agent-godot"),
        }
    }

    pub(crate) fn engine(&self) -> &'static str {
        match self {
            Project::Unity
            | Project::UnityAfter(_)
            | Project::SynthUnity
            | Project::SynthUnityAfter(_) => "unity",
            Project::Godot | Project::GodotAfter(_) | Project::SynthGodot => "godot",
        }
    }
}

/// A folder without what an engine keeps in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        // What the engine made of a sample on this machine is none of it.
        if name == ".godot" || name == "Library" {
            continue;
        }
        match path.is_dir() {
            true => copy(&path, &to.join(name))?,
            false => drop(fs::copy(&path, to.join(name))?),
        }
    }
    Ok(())
}
