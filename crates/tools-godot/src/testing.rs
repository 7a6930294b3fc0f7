//! Calls of this pack's tools in tests, on copies of the sample.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use scenewright_fixture::{Folder, copy, sample};
use scenewright_toolkit::testing::Bench;
use scenewright_toolkit::{Group, Kit, Runner, Settings, Workspace};

use crate::{
    ENGINE, GodotPack, animation, asset, audio, batch, class, engine, lighting, navigation,
    particles, physics, project, resource, scene, script, shader, tilemap, ui, uid,
};

static GROUPS: &[&Group] = &[
    &animation::GROUP,
    &asset::GROUP,
    &audio::GROUP,
    &batch::GROUP,
    &class::GROUP,
    &engine::GROUP,
    &lighting::GROUP,
    &navigation::GROUP,
    &particles::GROUP,
    &physics::GROUP,
    &project::GROUP,
    &resource::GROUP,
    &scene::GROUP,
    &script::GROUP,
    &shader::GROUP,
    &tilemap::GROUP,
    &ui::GROUP,
    &uid::GROUP,
];

/// A copy of the sample that may be written.
pub(crate) struct GodotSample {
    /// Removed with it.
    _folder: Folder,
    bench: Bench,
}

impl GodotSample {
    /// A fresh copy.
    pub(crate) fn new() -> Self {
        Self::open("", true)
    }

    /// A fresh copy in a folder of this name, which has nothing else in it.
    pub(crate) fn inside(parent: &str) -> Self {
        Self::open(parent, true)
    }

    /// A fresh copy under a server that may not write.
    pub(crate) fn read_only() -> Self {
        Self::open("", false)
    }

    fn open(parent: &str, allow_writes: bool) -> Self {
        let folder = Folder::new();
        let root = match parent {
            "" => folder.root().to_owned(),
            parent => folder.path(parent).join("godot"),
        };
        copy(&sample("godot"), &root);
        Self { _folder: folder, bench: Bench(runner(&root, allow_writes)) }
    }
}

/// A runner of this pack's tools on one project.
pub(crate) fn runner(root: &Path, allow_writes: bool) -> Arc<Runner> {
    let settings = Settings { allow_writes, ..Settings::default() };
    let workspace = Workspace::open(&[ENGINE], &[root.to_owned()], None).unwrap();
    let kit = Kit { groups: GROUPS.to_vec(), packs: vec![Box::new(GodotPack)] };
    Runner::new(kit, workspace, settings, None)
}

impl Deref for GodotSample {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}
