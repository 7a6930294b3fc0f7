//! Nodes and components to keep while the hierarchy that they were found in is not borrowed.

use std::fmt;
use std::sync::Arc;

use super::frame::{At, Frame};
use super::{Component, Effective, Hierarchy, Node, Target, references};

/// A component that is kept for longer than one look at its hierarchy.
#[derive(Clone)]
pub struct Handle {
    hierarchy: Hierarchy,
    node: (Arc<Frame>, At),
    frame: Arc<Frame>,
    index: usize,
}

impl Handle {
    /// The component.
    pub fn component(&self) -> Component<'_> {
        let (frame, at) = self.node.clone();
        let node = Node { hierarchy: &self.hierarchy, frame, at };
        Component { node, frame: self.frame.clone(), index: self.index }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.component().fmt(f)
    }
}

/// A node that is kept for longer than one look at its hierarchy, which [`Hierarchy::recall`] takes.
#[derive(Clone)]
pub struct Kept {
    frame: Arc<Frame>,
    at: At,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kept({:?})", self.at)
    }
}

impl Node<'_> {
    /// The same, without a hold on the hierarchy that it was found in.
    pub fn keep(&self) -> Kept {
        Kept { frame: self.frame.clone(), at: self.at }
    }
}

impl Hierarchy {
    /// A node of this hierarchy that was kept.
    pub fn recall(&self, kept: &Kept) -> Node<'_> {
        Node { hierarchy: self, frame: kept.frame.clone(), at: kept.at }
    }
}

impl<'h> Component<'h> {
    /// The same, without a hold on the hierarchy that it was found in.
    pub fn handle(&self) -> Handle {
        Handle {
            hierarchy: self.node.hierarchy.clone(),
            node: (self.node.frame.clone(), self.node.at),
            frame: self.frame.clone(),
            index: self.index,
        }
    }

    /// What one of its values points to, when it is a reference.
    pub fn target(&self, value: &Effective) -> Option<Target<'h>> {
        Some(references::resolve(self, value.reference()?, value.level))
    }
}
