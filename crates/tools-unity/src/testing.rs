//! Calls of this pack's tools in tests: on the sample, or on a project written as one text.

use std::path::Path;
use std::sync::Arc;

use scenewright_contract::{Outcome, ToolError};
use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::{Group, Kept, Kit, Runner, Settings, Workspace, testing};
use serde_json::Value;

use crate::{
    ENGINE, addressables, animation, animator, api, asmdef, asset, audio, batch, build,
    cinemachine, component, conventions, editor, go, input, localization, material, mesh, packages,
    prefab, runtime, scene, script, sdk, settings, sobj, texture, timeline, ui, unity, yaml,
};

static GROUPS: &[&Group] = &[
    &addressables::GROUP,
    &animation::GROUP,
    &animator::GROUP,
    &api::GROUP,
    &asmdef::GROUP,
    &asset::GROUP,
    &audio::GROUP,
    &batch::GROUP,
    &build::GROUP,
    &cinemachine::GROUP,
    &component::GROUP,
    &conventions::GROUP,
    &editor::GROUP,
    &go::GROUP,
    &input::GROUP,
    &localization::GROUP,
    &material::GROUP,
    &mesh::GROUP,
    &packages::GROUP,
    &prefab::GROUP,
    &runtime::GROUP,
    &scene::GROUP,
    &script::GROUP,
    &settings::GROUP,
    &sobj::GROUP,
    &timeline::GROUP,
    &sdk::GROUP,
    &texture::GROUP,
    &ui::GROUP,
    &unity::GROUP,
    &yaml::GROUP,
];

/// Call a tool on the sample.
pub(crate) fn call_sample(tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    testing::call(&runner(&sample("unity"), Settings::default()), tool, arguments)
}

/// Call a tool on a project, each file of which stands under a `//- path` line.
pub(crate) fn call_project(
    project: &str,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let folder = Folder::unity(project);
    testing::call(&runner(folder.root(), Settings::default()), tool, arguments)
}

/// A runner of this pack's tools on one project.
pub(crate) fn runner(root: &Path, settings: Settings) -> Arc<Runner> {
    let workspace = Workspace::open(&[ENGINE], &[root.to_owned()], Kept::default()).unwrap();
    let kit = Kit { groups: GROUPS.to_vec(), packs: Vec::new() };
    Runner::new(kit, workspace, settings, None)
}

/// Call a tool that may write on a project that stays.
pub(crate) fn call_writing(
    folder: &Folder,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let settings = Settings { allow_writes: true, ..Settings::default() };
    testing::call(&runner(folder.root(), settings), tool, arguments)
}

/// A project in a folder of its own, where tools may write.
pub(crate) struct Site {
    bench: testing::Bench,
    _folder: Folder,
}

impl std::ops::Deref for Site {
    type Target = testing::Bench;

    fn deref(&self) -> &testing::Bench {
        &self.bench
    }
}

/// A copy of the sample.
pub(crate) fn bench() -> Site {
    site(Folder::copy_of(&sample("unity")))
}

/// A project, each file of which stands under a `//- path` line.
pub(crate) fn bench_on(project: &str) -> Site {
    site(Folder::unity(project))
}

fn site(folder: Folder) -> Site {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    Site { bench: testing::Bench(runner(folder.root(), settings)), _folder: folder }
}

/// The lines that a diff takes away and adds, below the name of each file.
pub(crate) fn lines_of(diff: &str) -> String {
    let is_kept = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-')) && !line.starts_with("--- a/")
    };
    let kept = diff.lines().filter(is_kept);
    kept.map(|line| format!("{}\n", line.strip_prefix("+++ b/").unwrap_or(line))).collect()
}

/// What a scene or prefab shows, by names alone.
pub(crate) fn portrait(site: &Site, path: &str) -> Vec<String> {
    let project = site.project();
    let unity = project.of::<crate::UnityProject>().unwrap();
    let (index, expander) = unity.view();
    let guid = index.by_path(path).and_then(|asset| asset.guid()).unwrap();
    let document = scenewright_unity::Document::parse(std::fs::read(site.path(path)).unwrap());
    expander.scene(Arc::new(document), guid).portrait()
}

/// What the check finds in a project.
pub(crate) fn findings(site: &Site) -> std::collections::BTreeSet<String> {
    let cancel = scenewright_contract::Cancel::default();
    let steps = scenewright_toolkit::workspace::Steps { progress: &|_, _| {}, cancel: &cancel };
    let report = site.project().engine.check(&steps).unwrap();
    let told = report.findings.into_iter();
    told.map(|found| format!("{} {}: {}", found.rule.id, found.file, found.message)).collect()
}
