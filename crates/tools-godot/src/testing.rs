//! Calls of Godot tools in tests, on copies of the sample.

#![allow(clippy::unwrap_used, reason = "a test may end by a panic")]

use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use scenewright_fixture::{Folder, copy, sample};
use scenewright_toolkit::testing::Bench;
use scenewright_toolkit::{Group, Kept, Kit, Runner, Settings, Workspace};

use crate::{ENGINE, GodotPack};

/// The tools that can be called.
pub trait Tools {
    /// By theme.
    const GROUPS: &'static [&'static Group];
}

/// None at all: for tests of what stands below them.
pub enum None {}

impl Tools for None {
    const GROUPS: &'static [&'static Group] = &[];
}

/// A copy of the sample that may be written, and these tools.
pub struct GodotSample<T> {
    /// Removed with it.
    _folder: Folder,
    bench: Bench,
    tools: PhantomData<T>,
}

impl<T: Tools> GodotSample<T> {
    /// A fresh copy.
    #[allow(clippy::new_without_default, reason = "a default has no files")]
    pub fn new() -> Self {
        Self::open("", true)
    }

    /// A fresh copy in a folder of this name, which has nothing else in it.
    pub fn inside(parent: &str) -> Self {
        Self::open(parent, true)
    }

    /// A fresh copy under a server that may not write.
    pub fn read_only() -> Self {
        Self::open("", false)
    }

    fn open(parent: &str, allow_writes: bool) -> Self {
        let folder = Folder::new();
        let root = match parent {
            "" => folder.root().to_owned(),
            parent => folder.path(parent).join("godot"),
        };
        copy(&sample("godot"), &root);
        let bench = Bench(runner(&root, T::GROUPS, allow_writes));
        Self { _folder: folder, bench, tools: PhantomData }
    }
}

/// A runner of these tools on one project.
pub fn runner(root: &Path, groups: &[&'static Group], allow_writes: bool) -> Arc<Runner> {
    let settings = Settings { allow_writes, allow_runs: allow_writes, ..Settings::default() };
    let workspace = Workspace::open(&[ENGINE], &[root.to_owned()], Kept::default()).unwrap();
    let kit = Kit { groups: groups.to_vec(), packs: vec![Box::new(GodotPack)] };
    Runner::new(kit, workspace, settings, None)
}

impl<T> Deref for GodotSample<T> {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}
