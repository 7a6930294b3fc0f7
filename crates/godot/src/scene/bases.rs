//! Which node the paths in a section start from.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::{Node, Scene, path};
use crate::{MentionKind, Section};

/// A node path in a value, with the nodes it starts from.
#[derive(Clone, Debug)]
pub(crate) struct PathUse {
    /// The text with its quotes.
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
    pub(crate) section: usize,
    /// Paths of the nodes it starts from. None when nothing tells it, and several when resources
    /// are shared.
    pub(crate) bases: Vec<String>,
}

impl Scene {
    /// All node paths of the file.
    pub(crate) fn path_uses(&self) -> Vec<PathUse> {
        let inner = InnerBases::new(self);
        let mut uses = Vec::new();
        let mut nodes = self.nodes().peekable();
        for section in self.document.sections() {
            let node = nodes.next_if(|node| node.section().index() == section.index());
            let mut paths = section
                .mentions()
                .filter(|mention| mention.kind == MentionKind::NodePath)
                .peekable();
            if paths.peek().is_none() {
                continue;
            }
            let bases = match node {
                Some(node) => vec![node.path().to_owned()],
                None => inner.of(section),
            };
            uses.extend(paths.map(|mention| PathUse {
                span: mention.span,
                text: mention.text.into_owned(),
                section: section.index(),
                bases: bases.clone(),
            }));
        }
        uses
    }
}

/// From which nodes the paths in inner resources start.
struct InnerBases<'a> {
    /// The nodes whose paths each resource's paths start from, by its id.
    bases: HashMap<String, BTreeSet<String>>,
    scene: &'a Scene,
}

impl<'a> InnerBases<'a> {
    fn new(scene: &'a Scene) -> InnerBases<'a> {
        let mut inner = InnerBases { bases: HashMap::new(), scene };
        for node in scene.nodes() {
            if let Some(base) = base_of_resources(node) {
                inner.reach(node.section(), &base);
            }
        }
        inner
    }

    /// Follows the resources that a section names. Resources stand above their users, so going
    /// upwards once finds all.
    fn reach(&mut self, start: Section<'_>, base: &str) {
        let mut wanted: BTreeSet<String> = named(start).collect();
        let document = &self.scene.document;
        let above: Vec<_> = document.sub_resources().collect();
        for resource in above.into_iter().rev() {
            let id = resource.id().0;
            let holds_paths = !matches!(&*resource.class(), "PackedScene" | "Script" | "GDScript");
            if wanted.contains(&id) && holds_paths {
                wanted.extend(named(resource.0));
                self.bases.entry(id).or_default().insert(base.to_owned());
            }
        }
    }

    fn of(&self, section: Section<'_>) -> Vec<String> {
        let id = section.attribute_text("id").unwrap_or_default();
        self.bases.get(&*id).map_or_else(Vec::new, |bases| bases.iter().cloned().collect())
    }
}

fn named(section: Section<'_>) -> impl Iterator<Item = String> {
    let inner = section.mentions().filter(|mention| mention.kind == MentionKind::SubResource);
    inner.map(|mention| mention.text.into_owned())
}

/// The node that paths in the resources of a node start from: animations have a root, and so have
/// the lists of what is sent over the network.
fn base_of_resources(node: Node<'_>) -> Option<String> {
    let property = match &*node.class().unwrap_or_default() {
        "AnimationPlayer" | "AnimationTree" | "AnimationMixer" => "root_node",
        "MultiplayerSynchronizer" => "root_path",
        _ => return None,
    };
    let written = node.property(property).map(|value| value.decode());
    let root = written.as_ref().and_then(|value| value.as_str()).unwrap_or("..");
    path::resolve_path(node.path(), root)
}
