//! Paths that nobody wrote: some properties lead to the parent unless a file says otherwise, and a
//! node that gets another parent would take them along to the wrong one.

use scenewright_godot::classes::{Classes, Hint, Version};
use scenewright_godot::{
    ChangeError, Repointed, Scene, Tree, TreeNode, Variant, relative_path, resolve_path,
};

use crate::base::Godot;
use crate::base::values::EngineOrder;

/// A path that a node has by default, and the node that it leads to.
struct Unwritten {
    key: &'static str,
    path: String,
    target: String,
}

/// What a node's unwritten paths lead to, kept while it gets another parent.
pub struct DefaultPaths {
    found: Vec<Unwritten>,
    order: EngineOrder,
}

impl DefaultPaths {
    /// Those of a node that lead to another one: `..` of an `AnimationPlayer`'s `root_node`.
    pub fn of(godot: &Godot<'_>, tree: &Tree, node: &TreeNode) -> Self {
        let kind = godot.kind_of(node);
        let classes = godot.classes();
        let found = classes.properties(&kind.class).filter(|property| property.stored);
        let found = found.filter_map(|property| {
            let path = default_path(classes, &kind.class, property.name)?;
            let is_written = node.property(property.name).is_some();
            let target = resolve_path(&node.path, &path).filter(|_| !is_written)?;
            // What is the node itself or below it comes along.
            let leads_out =
                path.starts_with("..") && is_of_use(classes, property.hint, tree.node(&target)?);
            leads_out.then_some(Unwritten { key: property.name, path, target })
        });
        Self { found: found.collect(), order: EngineOrder::of(godot, kind.expected()) }
    }

    /// Write them out where the node is now, if they lead elsewhere from there.
    pub fn keep(
        &self,
        scene: &mut Scene,
        now: &str,
        done: &mut Repointed,
    ) -> Result<(), ChangeError> {
        for Unwritten { key, path, target } in &self.found {
            if resolve_path(now, path).as_ref() == Some(target) {
                continue;
            }
            let value = Variant::NodePath(relative_path(now, target));
            let Some(node) = scene.node(now) else { continue };
            let rank = self.order.rank(key);
            let next = {
                let mut keys = node.properties().map(|field| field.key().into_owned());
                keys.find(|other| self.order.rank(other) > rank)
            };
            let section = node.section().index();
            scene.change(|document| {
                document.set_property_before(section, key, &value, next.as_deref())
            })?;
            done.paths += 1;
        }
        Ok(())
    }
}

fn default_path(classes: &Classes, class: &str, key: &str) -> Option<String> {
    // The tables have the defaults of 4.6, and this one is new in it.
    if key == "skeleton" && class == "MeshInstance3D" && classes.version() < Version::V4_6 {
        return Some("..".to_owned());
    }
    match Variant::parse(classes.default(class, key)?).ok()? {
        Variant::NodePath(path) => Some(path),
        _ => None,
    }
}

/// Whether the engine does anything with this target: a mesh below another node than a skeleton
/// has a path to its parent all the same.
fn is_of_use(classes: &Classes, hint: Option<Hint>, target: &TreeNode) -> bool {
    let Some(Hint::Nodes(wanted)) = hint else { return true };
    let class = target.class.as_deref().unwrap_or_default();
    class.is_empty() || wanted.split(',').any(|wanted| classes.inherits(class, wanted))
}
