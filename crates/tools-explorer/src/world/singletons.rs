//! Classes with one instance that their own code keeps in a static member.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_world::types::Type;
use scenewright_world::{ComponentId, World};

/// Names under which classes keep their one instance.
const NAMES: [&str; 8] = [
    "m_instance",
    "m_Instance",
    "s_instance",
    "s_Instance",
    "_instance",
    "_Instance",
    "instance",
    "Instance",
];

/// A class and its one instance in the world.
pub(crate) struct Singleton<'w> {
    /// The class that has the static member.
    pub(crate) ty: &'w Arc<Type>,
    /// The instance.
    pub(crate) instance: ComponentId,
}

/// Every such class whose instance is in a loaded scene, by name. The game's code would put it into
/// the member when it wakes; the world finds the component itself.
pub(crate) fn all(world: &World) -> Vec<Singleton<'_>> {
    let has_member = |ty: &Type| {
        ty.members.iter().any(|member| {
            member.is_static
                && NAMES.contains(&&*member.name)
                && world.types().is_a(&ty.full_name, &member.type_name)
        })
    };
    let roots = world.all_roots();
    let mut found: Vec<Singleton<'_>> = Vec::new();
    for component in world.descend(&roots).flat_map(|object| object.components()) {
        let Some(ty) = component.type_name().and_then(|name| world.types().get(name)) else {
            continue;
        };
        let is_known = found.iter().any(|known| known.ty.full_name == ty.full_name);
        if !is_known && has_member(ty) {
            found.push(Singleton { ty, instance: component.id() });
        }
    }
    found.sort_by(|a, b| a.ty.full_name.cmp(&b.ty.full_name));
    found
}

/// The instance of `singleton:<full name>`.
pub(crate) fn find(world: &World, id: &str) -> Result<ComponentId, ToolError> {
    let name = id.strip_prefix("singleton:").ok_or_else(|| {
        let message = "Invalid id; expected 'singleton:<declaringType>'";
        ToolError::new(ErrorKind::BadArguments, message).detail("id", id)
    })?;
    let found = all(world).into_iter().find(|known| *known.ty.full_name == *name);
    found.map(|known| known.instance).ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, "Not found")
            .hint("SearchSingletons finds them")
            .detail("id", id)
    })
}
