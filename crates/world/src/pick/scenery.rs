//! What picking looks at, gathered once and again after a change. A world has many objects, and
//! most have nothing to pick; someone who picks once will likely pick again.

use std::sync::Arc;

use super::collider::{Shape, Solid};
use super::mesh::Meshes;
use crate::camera::{CAMERA, Cameras};
use crate::ids::{ComponentId, ObjectId};
use crate::layout::Placed;
use crate::object::{Component, Object};
use crate::world::World;

/// Objects of this layer are not met by rays, unless someone names the layer.
const IGNORE_RAYCAST: i32 = 2;
const EVENT_SYSTEM: &str = "UnityEngine.EventSystems.EventSystem";

/// What can be picked in a world.
#[derive(Debug)]
pub(crate) struct Scenery {
    /// The game's camera.
    pub(super) camera: Option<ComponentId>,
    /// What rays can meet.
    pub(super) colliders: Vec<(ObjectId, ComponentId, Solid)>,
    /// How many colliders have a shape that is not known.
    pub(super) unknown: usize,
    /// The outermost canvases, in order.
    pub(super) canvases: Vec<ObjectId>,
    /// Whether something sends pointers to canvases.
    pub(super) has_event_system: bool,
    /// What the world had when it was gathered; anyone may set these.
    screen: (u32, u32),
    meshes: Arc<dyn Meshes>,
}

impl World {
    pub(super) fn scenery(&self) -> Arc<Scenery> {
        self.scenery.get(
            |known| known.screen == self.screen && Arc::ptr_eq(&known.meshes, &self.meshes),
            || self.gather(),
        )
    }

    fn gather(&self) -> Scenery {
        let mut scenery = Scenery {
            camera: None,
            colliders: Vec::new(),
            unknown: 0,
            canvases: Vec::new(),
            has_event_system: false,
            screen: self.screen,
            meshes: self.meshes.clone(),
        };
        let mut cameras = Cameras::default();
        let roots: Vec<_> = self.all_roots().iter().map(|id| (*id, Placed::OUTSIDE)).collect();
        self.visit_active(&roots, |outer, object| {
            let placed = outer.child(self, object);
            if placed.in_canvas && !outer.in_canvas {
                scenery.canvases.push(object.id());
            }
            for component in object.components().iter().filter(|component| component.is_enabled()) {
                scenery.has_event_system |= self.is(component, EVENT_SYSTEM);
                if component.type_name() == Some(CAMERA) {
                    cameras.see(object, component);
                }
                if let Some(shape) = Shape::of(self, component) {
                    scenery.add(self, object, component, shape, &placed);
                }
            }
            placed
        });
        scenery.camera = cameras.game_camera();
        scenery
    }
}

impl Scenery {
    fn add(
        &mut self,
        world: &World,
        object: &Object,
        component: &Component,
        shape: &Shape,
        placed: &Placed,
    ) {
        if !shape.is_known(world) {
            self.unknown += 1;
        } else if object.layer() != IGNORE_RAYCAST
            && let Some(solid) = shape.solid(world, &placed.pose)
        {
            self.colliders.push((object.id(), component.id(), solid));
        }
    }
}
