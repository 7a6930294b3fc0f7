//! Cameras of Cinemachine, of its second and its third version.

mod batch_adjust;
mod create_virtual_camera;
mod timeline_bind;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::Group;
use scenewright_unity::FileId;
use scenewright_unity::hierarchy::{Hierarchy, Node};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::base::Unity;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "cinemachine",
    engine: Some("unity"),
    about: "Cinemachine: virtual cameras, their offsets, their shots in Timelines",
    tools: &[create_virtual_camera::TOOL, batch_adjust::TOOL, timeline_bind::TOOL],
};

const PACKAGE: &str = "com.unity.cinemachine";
/// The components that are virtual cameras.
const CAMERAS: [&str; 3] = ["CinemachineCamera", "CinemachineVirtualCamera", "CinemachineFreeLook"];

/// Three numbers.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Vector {
    /// To the right.
    #[serde(default)]
    x: f32,
    /// Up.
    #[serde(default)]
    y: f32,
    /// Forward.
    #[serde(default)]
    z: f32,
}

/// The first number of the version of Cinemachine that the project has; `missing` is said when it has
/// none.
fn version(unity: &Unity<'_>, missing: &str) -> Result<u32, ToolError> {
    let package = unity.index.package(PACKAGE).ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, missing)
            .hint(format!("add {PACKAGE} to Packages/manifest.json"))
            .detail("package", PACKAGE)
    })?;
    let text = package.version.as_deref().unwrap_or_default();
    Ok(text.split('.').next().and_then(|first| first.parse().ok()).unwrap_or(3))
}

/// The virtual camera that a call names, by its path or by a name that no other camera has.
fn find_camera<'h>(
    unity: &Unity<'_>,
    hierarchy: &'h Hierarchy,
    wanted: &str,
) -> Result<(Node<'h>, FileId), ToolError> {
    let missing = format!("Virtual Camera not found: {wanted}");
    let camera_of = |node: &Node<'_>| {
        let is_camera = |name: &str| CAMERAS.contains(&name);
        let components = node.components();
        let camera = components.iter().find(|one| is_camera(&unity.component_name(one)));
        camera.map(|camera| camera.file_id())
    };
    let plain = wanted.trim().trim_matches('/');
    let at = |node: Node<'h>| camera_of(&node).map(|id| (node, id));
    if let Some(found) = hierarchy.find_by_path(plain).and_then(at) {
        return Ok(found);
    }
    let mut named = named(hierarchy, plain, |node| camera_of(node).is_some());
    if named.len() > 1 {
        let text = format!("{missing}: {} cameras have that name", named.len());
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint(format!("give the path: {}", named[..named.len().min(5)].join(", "))));
    }
    if let Some(found) = named.pop().and_then(|path| hierarchy.find_by_path(&path)).and_then(at) {
        return Ok(found);
    }
    let node = unity.object(hierarchy, wanted, &missing)?;
    match camera_of(&node) {
        Some(id) => Ok((node, id)),
        None => {
            let has = unity.told_components(&node);
            Err(ToolError::new(ErrorKind::EngineError, format!("{missing}: it has {has}"))
                .hint("scene_objects_find with componentType CinemachineCamera or CinemachineVirtualCamera lists them"))
        }
    }
}

/// The paths of the objects of a name that are meant.
fn named(hierarchy: &Hierarchy, name: &str, is_meant: impl Fn(&Node<'_>) -> bool) -> Vec<String> {
    let mut objects = hierarchy.objects();
    let mut paths = Vec::new();
    while let Some(node) = objects.next() {
        if node.name() == name && is_meant(&node) {
            paths.push(objects.path());
        }
    }
    paths
}
