//! Scenes of a project, made ready for the world.

use std::any::Any;
use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::Shared;
use scenewright_toolkit::Cx;
use scenewright_tools_unity::base::native::native_name;
use scenewright_tools_unity::base::objects::{component_id, node_id};
use scenewright_tools_unity::base::{Unity, instance_id};
use scenewright_unity::ClassId;
use scenewright_unity::hierarchy::{Component, Data, Effective, Hierarchy, Kept, Node};
use scenewright_world::math::{Pose, Quat, Vec2, Vec3};
use scenewright_world::{
    BuildScene, ComponentData, MAX_DEPTH, MAX_OBJECTS, ObjectData, RectData, Saved, SceneData,
};

use super::saved::SavedFields;

/// How often the caller is asked whether anybody waits.
const LOOK_EVERY: usize = 1024;

/// The enabled scenes of the build settings.
pub(super) fn build_scenes(unity: &Unity<'_>) -> Result<Vec<BuildScene>, ToolError> {
    let facts = unity.unity.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
    let enabled = facts.scenes_in_build.into_iter().filter(|scene| scene.enabled);
    Ok(enabled
        .map(|scene| BuildScene { name: stem(&scene.path).into(), path: scene.path.into() })
        .collect())
}

/// The tags that objects may have; nothing when the settings cannot be read.
pub(super) fn tags(unity: &Unity<'_>) -> Option<Vec<Arc<str>>> {
    let tags = unity.tags()?;
    Some(tags.all().map(Arc::from).collect())
}

/// The first enabled scene of the build settings that is there, or else the first of the project.
pub(super) fn first_scene(unity: &Unity<'_>, build: &[BuildScene]) -> Option<String> {
    let in_build = build.iter().find(|scene| unity.index.by_path(&scene.path).is_some());
    if let Some(scene) = in_build {
        return Some(scene.path.to_string());
    }
    let mut scenes: Vec<String> = unity
        .index
        .assets()
        .map(|asset| asset.path())
        .filter(|path| path.ends_with(".unity") && path.starts_with("Assets/"))
        .collect();
    scenes.sort();
    scenes.into_iter().next()
}

/// A scene of the project, expanded.
pub(super) fn scene(cx: &Cx, unity: &Unity<'_>, path: &str) -> Result<SceneData, ToolError> {
    let (path, hierarchy) = unity.hierarchy(path)?;
    expanded(cx, unity, &path, hierarchy)
}

/// The same of a scene that is expanded already.
pub(super) fn expanded(
    cx: &Cx,
    unity: &Unity<'_>,
    path: &str,
    hierarchy: Hierarchy,
) -> Result<SceneData, ToolError> {
    let mut loader = Loader { unity, names: Shared::default() };
    let mut objects = Vec::new();
    let nodes = walk(cx, &hierarchy, |node, parent| objects.push(loader.object(node, parent)))?;
    let origin = Some(Arc::new(Origin { hierarchy, nodes }) as Arc<_>);
    Ok(SceneData { name: stem(path).into(), path: path.into(), objects, origin })
}

/// What is where in a scene: enough to judge a file by, and much less than a world is made of.
pub(super) struct Shape {
    pub(super) origin: Origin,
    /// In the order of the origin's nodes.
    pub(super) objects: Vec<Outline>,
}

/// An object as the file calls it, the place of its parent, and its components.
pub(super) struct Outline {
    pub(super) file_id: i64,
    pub(super) parent: Option<usize>,
    pub(super) components: Vec<i64>,
}

/// The shape of a scene that is expanded already.
pub(super) fn shape(cx: &Cx, hierarchy: Hierarchy) -> Result<Shape, ToolError> {
    let mut objects = Vec::new();
    let nodes = walk(cx, &hierarchy, |node, parent| {
        let components = node.components().iter().map(|it| it.file_id().0).collect();
        objects.push(Outline { file_id: file_id(node), parent, components });
    })?;
    Ok(Shape { origin: Origin { hierarchy, nodes }, objects })
}

/// What a scene was loaded from.
pub(super) struct Origin {
    /// The scene as its file had it.
    pub(super) hierarchy: Hierarchy,
    /// Its objects in the order of [`SceneData::objects`], each with the place of its parent.
    pub(super) nodes: Vec<(Kept, Option<usize>)>,
}

impl Origin {
    /// The origin of a scene that was loaded here.
    pub(super) fn of(data: Option<&Arc<dyn Any + Send + Sync>>) -> Option<Arc<Origin>> {
        data?.clone().downcast().ok()
    }

    /// An object, as the file had it.
    pub(super) fn node(&self, place: usize) -> Option<Node<'_>> {
        self.nodes.get(place).map(|(kept, _)| self.hierarchy.recall(kept))
    }
}

/// What the file calls an object. The root of a source that cannot be read has no id but that of its
/// instance.
pub(super) fn file_id(node: &Node<'_>) -> i64 {
    node.file_id().unwrap_or_else(|| node.origin().1).0
}

/// Look at every object, parents before what is in them, and give them in that order.
fn walk<'h>(
    cx: &Cx,
    hierarchy: &'h Hierarchy,
    mut look: impl FnMut(&Node<'h>, Option<usize>),
) -> Result<Vec<(Kept, Option<usize>)>, ToolError> {
    let mut nodes: Vec<(Kept, Option<usize>)> = Vec::new();
    let mut stack: Vec<(Node<'h>, Option<usize>, usize)> = Vec::new();
    stack.extend(hierarchy.roots().into_iter().rev().map(|node| (node, None, 1)));
    while let Some((node, parent, depth)) = stack.pop() {
        if nodes.len().is_multiple_of(LOOK_EVERY) {
            cx.check_cancelled()?;
        }
        if nodes.len() >= MAX_OBJECTS {
            let message = format!("the scene has more than {MAX_OBJECTS} objects");
            return Err(ToolError::new(ErrorKind::ToolFailed, message));
        }
        let place = nodes.len();
        look(&node, parent);
        nodes.push((node.keep(), parent));
        if depth < MAX_DEPTH {
            let children = node.children().into_iter().rev();
            stack.extend(children.map(|child| (child, Some(place), depth + 1)));
        }
    }
    Ok(nodes)
}

struct Loader<'a> {
    unity: &'a Unity<'a>,
    /// Of classes and tags: few, and many have the same.
    names: Shared,
}

impl Loader<'_> {
    fn object(&mut self, node: &Node<'_>, parent: Option<usize>) -> ObjectData {
        let components = node.components();
        let transform = components.first();
        let is_rect = transform.is_some_and(|t| t.class_id() == ClassId::RECT_TRANSFORM);
        ObjectData {
            file_id: file_id(node),
            number: node_id(node),
            parent,
            name: node.name().as_ref().into(),
            tag: self.names.share(&node.tag()),
            layer: i32::try_from(node.layer()).unwrap_or(0),
            active: node.is_active_self(),
            is_static: node.static_flags() != 0,
            local: transform.map(pose).unwrap_or_default(),
            rect: transform.filter(|_| is_rect).map(rect),
            components: self.components(node, &components),
        }
    }

    /// Every object has a transform, also one whose file we cannot look into.
    fn components(&mut self, node: &Node<'_>, components: &[Component<'_>]) -> Vec<ComponentData> {
        let mut all: Vec<ComponentData> =
            components.iter().map(|component| self.component(component)).collect();
        let has_transform = components.first().is_some_and(is_transform);
        if !has_transform {
            let (file, id) = node.origin();
            let id = id.0.wrapping_add(1);
            all.insert(
                0,
                ComponentData {
                    file_id: id,
                    number: instance_id(file, id),
                    type_name: Some("UnityEngine.Transform".into()),
                    enabled: None,
                    saved: None,
                },
            );
        }
        all
    }

    fn component(&mut self, component: &Component<'_>) -> ComponentData {
        let type_name = match component.class_id() {
            ClassId::MONO_BEHAVIOUR => {
                self.unity.full_class_name(component).map(|name| self.names.share(&name))
            }
            _ => {
                let name = native_name(&self.unity.component_name(component));
                Some(self.names.share(&name))
            }
        };
        let saved = Arc::new(SavedFields::new(component.handle(), self.unity.index.clone()));
        ComponentData {
            file_id: component.file_id().0,
            number: component_id(component),
            type_name,
            enabled: component.enabled(),
            saved: (!is_transform(component)).then_some(saved as Arc<dyn Saved>),
        }
    }
}

pub(super) fn is_transform(component: &Component<'_>) -> bool {
    matches!(component.class_id(), ClassId::TRANSFORM | ClassId::RECT_TRANSFORM)
}

pub(super) fn pose(transform: &Component<'_>) -> Pose {
    let vector = |path: &str, usual: f32| {
        let value = transform.value(path);
        let part = |key: &str| part(value.as_ref(), key).unwrap_or(usual);
        Vec3::new(part("x"), part("y"), part("z"))
    };
    let rotation = transform.value("m_LocalRotation");
    let turn = |key: &str| part(rotation.as_ref(), key).unwrap_or(0.0);
    let rotation = Quat { x: turn("x"), y: turn("y"), z: turn("z"), w: turn("w") };
    Pose {
        position: vector("m_LocalPosition", 0.0),
        rotation: unit(rotation),
        scale: vector("m_LocalScale", 1.0),
    }
}

pub(super) fn rect(transform: &Component<'_>) -> RectData {
    let vector = |path: &str, usual: f32| {
        let value = transform.value(path);
        let part = |key: &str| part(value.as_ref(), key).unwrap_or(usual);
        Vec2::new(part("x"), part("y"))
    };
    RectData {
        anchor_min: vector("m_AnchorMin", 0.5),
        anchor_max: vector("m_AnchorMax", 0.5),
        anchored_position: vector("m_AnchoredPosition", 0.0),
        size_delta: vector("m_SizeDelta", 100.0),
        pivot: vector("m_Pivot", 0.5),
    }
}

/// Of length 1; one that is so but for rounding stays as the file has it.
fn unit(q: Quat) -> Quat {
    let length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (length - 1.0).abs() < 1e-5 { q } else { q.normalized() }
}

fn part(value: Option<&Effective>, key: &str) -> Option<f32> {
    let Data::Map(fields) = &value?.data else { return None };
    fields.iter().find(|(name, _)| name == key)?.1.text()?.parse().ok()
}

/// A file's name without its ending.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
