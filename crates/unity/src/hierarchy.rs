//! Scenes and prefabs as the editor shows them: instances expanded, overrides applied.
//!
//! Each file is read once into a template; an instance of it is only a way into that template.
//! So a scene of eleven objects that stands for fifty thousand costs eleven, until someone asks
//! for the rest.
//!
//! The way of a file: `read` takes from it what makes the hierarchy, `link` makes a tree of that
//! (a `template`, which knows only its own file), a `frame` is the template in one place of an
//! expansion, and `node` and `component` are what callers see, with all files around applied.
//! Nothing but a frame may answer for more than one file: a template that knew who uses it could
//! not be shared, and the sharing is what keeps the cost down.
//!
//! ```
//! use scenewright_unity::{Document, Guid, hierarchy::{Expander, Loaded, Source}};
//! use std::sync::Arc;
//!
//! struct Nothing;
//! impl Source for Nothing {
//!     fn document(&self, _: Guid) -> Loaded { Loaded::Missing }
//!     fn path(&self, _: Guid) -> Option<String> { None }
//! }
//!
//! let scene = "--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {fileID: 2}\n  m_Name: Door\n\
//!     --- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 0}\n";
//! let expander = Expander::new(Arc::new(Nothing));
//! let hierarchy = expander.scene(Arc::new(Document::parse(scene)), Guid::default());
//! let names: Vec<_> = hierarchy.objects().map(|node| node.name().into_owned()).collect();
//! assert_eq!(names, ["Door"]);
//! ```

mod component;
mod effective;
mod expander;
mod frame;
mod grow;
mod handle;
mod instance;
mod link;
mod locate;
mod node;
mod order;
mod patch;
mod path;
mod portrait;
mod problem;
mod quick;
mod read;
mod references;
mod shelf;
mod survey;
mod template;
mod top;
mod walk;

#[cfg(test)]
mod tests;

pub use component::{Component, Location, Stated};
pub use effective::{Data, Effective};
pub use expander::{Expander, Hierarchy, Loaded, ModelRoot, Opaque, Source};
pub(crate) use grow::{Hung, Order};
pub use handle::{Handle, Kept};
pub use node::{ClosedTransform, Node, PrefabLink};
pub use path::labels;
pub use problem::{Problem, ProblemKind};
pub use references::{Link, Target};
pub use shelf::{MAX_WEIGHT, weight};
pub use top::{Override, Paths};
pub use walk::Objects;

/// How deep prefabs may nest. Deeper ones are shown as opaque.
pub const MAX_NESTING: usize = 64;

/// How many objects one expansion gives. A few files can stand for more than any memory holds, and
/// for more than anybody waits for.
pub const MAX_OBJECTS: usize = 1_000_000;
