//! Which assets of a Unity project something leads to.

use std::collections::HashSet;

use scenewright_contract::ToolError;
use scenewright_toolkit::Cx;
use scenewright_unity::index::{Asset, AssetId, AssetKind, Flags, Index, RootKind};
use scenewright_unity::script::package_script;
use scenewright_unity::{BuildScene, FileId, Guid};

/// What can be reached so far.
pub struct Reached<'a> {
    index: &'a Index,
    seen: HashSet<AssetId>,
    open: Vec<Asset<'a>>,
    /// Assets that should refer to others and cannot be read.
    pub opaque: usize,
}

impl<'a> Reached<'a> {
    /// Nothing yet.
    pub fn new(index: &'a Index) -> Self {
        Self { index, seen: HashSet::new(), open: Vec::new(), opaque: 0 }
    }

    /// Whether it was reached.
    pub fn contains(&self, asset: Asset<'_>) -> bool {
        self.seen.contains(&asset.id())
    }

    fn add(&mut self, asset: Asset<'a>) {
        if self.seen.insert(asset.id()) {
            self.open.push(asset);
        }
    }

    fn add_guid(&mut self, guid: Guid) {
        self.index.all_with_guid(guid).for_each(|asset| self.add(asset));
    }

    /// A folder stands for all that is in it.
    fn add_with_content(&mut self, asset: Asset<'a>) {
        self.add(asset);
        if asset.kind() == AssetKind::Folder {
            self.index.under(&asset.path()).for_each(|inner| self.add(inner));
        }
    }

    /// Goes on from what was added to all that it refers to.
    pub fn follow(&mut self, cx: &Cx) -> Result<(), ToolError> {
        while let Some(asset) = self.open.pop() {
            cx.check_cancelled()?;
            self.opaque += usize::from(is_hidden(asset));
            asset.outgoing().for_each(|out| self.add_guid(out.target.guid));
        }
        Ok(())
    }

    /// Everything that is there without being referred to.
    pub fn add_starts(&mut self, cx: &Cx, scenes: &[BuildScene]) {
        let find = |scene: &BuildScene| {
            let guid = scene.guid.as_deref().and_then(Guid::parse);
            let by_guid = guid.and_then(|guid| self.index.by_guid(guid));
            by_guid.or_else(|| self.index.by_path(&scene.path))
        };
        let (enabled, disabled): (Vec<_>, Vec<_>) = scenes.iter().partition(|scene| scene.enabled);
        let enabled: Vec<_> = enabled.into_iter().filter_map(find).collect();
        let disabled: Vec<_> = disabled.into_iter().filter_map(find).collect();
        let any_scene = enabled.is_empty();
        if any_scene {
            cx.diagnose(
                "No enabled scene of the build settings is known, so every scene counts as used",
            );
        }
        if !any_scene && !disabled.is_empty() {
            cx.diagnose(format!("{} scenes of the build settings are not enabled and count as unused unless something else refers to them", disabled.len()));
        }
        enabled.into_iter().for_each(|scene| self.add(scene));
        for asset in self.index.assets() {
            let is_code = matches!(asset.kind(), AssetKind::Script | AssetKind::Dll);
            if asset.root().kind == RootKind::Settings || is_code {
                self.opaque += usize::from(is_hidden(asset));
                let targets = asset.outgoing().map(|out| out.target.guid);
                let is_off = |guid| disabled.iter().any(|scene| scene.guid() == Some(guid));
                targets.filter(|guid| !is_off(*guid)).for_each(|guid| self.add_guid(guid));
            } else if is_start(asset) || any_scene && asset.kind() == AssetKind::Scene {
                self.add(asset);
            }
            if is_addressables_group(asset) {
                self.add(asset);
                let entries =
                    asset.outgoing().filter_map(|out| self.index.by_guid(out.target.guid));
                entries.for_each(|entry| self.add_with_content(entry));
            }
        }
    }

    /// Assets and folders with the name of an asset bundle, which only metas tell. True when the
    /// time guard ended this.
    pub fn add_bundles(&mut self, cx: &Cx) -> Result<bool, ToolError> {
        let guard = cx.time_guard();
        let candidates: Vec<_> = self.index.under("Assets").collect();
        let total = candidates.len();
        for (done, asset) in candidates.into_iter().enumerate() {
            cx.check_cancelled()?;
            if guard.expired() {
                guard.report(cx, done, Some(total));
                return Ok(true);
            }
            if !self.seen.contains(&asset.id()) && has_bundle(asset) {
                self.add_with_content(asset);
            }
        }
        Ok(false)
    }
}

/// Whether it should refer to others and cannot be read.
fn is_hidden(asset: Asset<'_>) -> bool {
    use AssetKind::{Animation, Asset, Material, Prefab, Scene};
    let hidden = [Flags::LFS_POINTER, Flags::UNREADABLE, Flags::TOO_LARGE];
    let holds_objects = matches!(asset.kind(), Scene | Prefab | Material | Animation | Asset);
    let is_closed = asset.flags().contains(Flags::BINARY) && asset.objects().len() == 0;
    holds_objects && (is_closed || hidden.iter().any(|flag| asset.flags().contains(*flag)))
}

/// Packages are always there, and the special folders are copied into builds as a whole.
fn is_start(asset: Asset<'_>) -> bool {
    if asset.kind() == AssetKind::Folder {
        return false;
    }
    let folder = asset.folder();
    let in_resources = folder.split('/').any(|part| part.eq_ignore_ascii_case("Resources"));
    let copied = ["Assets/StreamingAssets", "Assets/AddressableAssetsData"];
    asset.root().kind != RootKind::Assets
        || in_resources
        || copied.iter().any(|start| is_below(folder, start))
        || is_editor(asset)
}

/// A group of Addressables names its entries by guid alone.
fn is_addressables_group(asset: Asset<'_>) -> bool {
    asset.kind() == AssetKind::Asset
        && asset.outgoing().any(|out| out.target.file_id == FileId::NULL)
        && asset.read().is_ok_and(|text| contains(&text, b"m_SerializeEntries:"))
}

fn has_bundle(asset: Asset<'_>) -> bool {
    let Ok(text) = asset.read_meta() else { return false };
    let name = text.split(|byte| *byte == b'\n').find_map(|line| {
        line.trim_ascii().strip_prefix(b"assetBundleName:").map(<[u8]>::trim_ascii)
    });
    name.is_some_and(|name| !name.is_empty())
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Whether it is for the editor alone.
pub fn is_editor(asset: Asset<'_>) -> bool {
    let path = asset.folder();
    let in_folder = path.split('/').any(|part| part.eq_ignore_ascii_case("Editor"));
    in_folder
        || is_below(path, "Assets/Editor Default Resources")
        || is_below(path, "Assets/Gizmos")
        || is_of_editor_class(asset)
}

/// What packages keep for their windows, such as the collections of localization tables.
fn is_of_editor_class(asset: Asset<'_>) -> bool {
    let class = asset.main_script().and_then(|script| package_script(script.guid.0));
    class.is_some_and(|class| class.namespace.split('.').next() == Some("UnityEditor"))
}

/// Whether `path` is `folder` or in it.
pub fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
