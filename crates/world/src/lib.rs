//! A Unity scene that runs in memory: objects, components, cameras, picking, time, calls.
//! It knows no files and no protocol; whoever holds it fills it with [`SceneData`] and asks.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod attached;
mod call;
mod camera;
mod changed;
mod clock;
mod directory;
mod event;
mod ids;
mod layout;
mod lens;
pub mod log;
pub mod math;
mod members;
mod memo;
mod object;
mod pick;
mod query;
pub mod real;
mod save;
mod scene;
mod selection;
mod test_ui;
pub mod types;
mod value;
mod world;

pub use call::{Call, Watch, methods_of};
pub use camera::{CAMERA, Freecam, MAX_SPEED, View};
pub use changed::Changed;
pub use clock::{Clock, MAX_SCALE};
pub use event::Event;
pub use ids::{BadId, ComponentId, ObjectId};
pub use layout::{Estimated, NoSprites, SpriteSize, Sprites};
pub use members::{BadValue, Told};
pub use object::{Component, Data, Object, RectData, Saved, Spawned};
pub use pick::{Hit, MeshData, Meshes, NoMeshes};
pub use query::{Filter, Found};
pub use save::{SetMember, Written};
pub use scene::{BuildScene, ComponentData, ObjectData, Scene, SceneData, SceneKey};
pub use test_ui::TestUi;
pub use value::{AssetRef, AssetSource, EnumValue, StructValue, Value};
pub use world::{MAX_DEPTH, MAX_OBJECTS, Refused, World};
