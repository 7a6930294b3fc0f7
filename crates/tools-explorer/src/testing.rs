//! Calls of this pack's tools in tests, on copies of the sample.

use std::ops::Deref;

use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::testing::Bench;
use scenewright_toolkit::{Group, Kit, Runner, Settings, Workspace};
use scenewright_tools_unity::ENGINE;

use crate::{ExplorerPack, HasWorld, explorer};

static GROUPS: &[&Group] = &[&explorer::GROUP];

/// A copy of the sample that may be written, with code that may run.
pub(crate) struct UnitySample {
    /// Removed with it.
    _folder: Folder,
    bench: Bench,
}

impl UnitySample {
    /// A fresh copy.
    pub(crate) fn new() -> Self {
        Self::open(Folder::copy_of(&sample("unity")))
    }

    /// A project that is there already.
    pub(crate) fn open(folder: Folder) -> Self {
        let settings = Settings { allow_writes: true, ..Settings::default() };
        let workspace = Workspace::open(&[ENGINE], &[folder.root().to_owned()], None).unwrap();
        let packs: Vec<Box<dyn scenewright_toolkit::Pack>> =
            vec![Box::new(ExplorerPack::new(&settings, &workspace))];
        let kit = Kit { groups: GROUPS.to_vec(), packs };
        let runner = Runner::new(kit, workspace, settings, None);
        runner.world().config().enable_console_eval = true;
        Self { _folder: folder, bench: Bench(runner) }
    }
}

impl Deref for UnitySample {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}
