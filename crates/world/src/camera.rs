//! Cameras: the game's, and one that flies freely.

use crate::ids::{ComponentId, ObjectId};
use crate::math::{Pose, Quat, Vec3};
use crate::object::{Component, Object};
use crate::value::Value;
use crate::world::World;

/// Full name of the class.
pub const CAMERA: &str = "UnityEngine.Camera";
/// The fastest that the free camera flies.
pub const MAX_SPEED: f32 = 1000.0;

/// A camera that is moved from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Freecam {
    /// Whether it is the one that sees.
    pub enabled: bool,
    /// How fast it flies.
    pub speed: f32,
    /// Where it is, once someone said so.
    pub place: Option<(Vec3, Vec3)>,
}

impl Default for Freecam {
    fn default() -> Freecam {
        Freecam { enabled: false, speed: 10.0, place: None }
    }
}

/// What is seen, from where.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// The camera's object; nothing for the free camera.
    pub object: Option<ObjectId>,
    /// Its name.
    pub name: String,
    /// Whether it is the free one.
    pub is_freecam: bool,
    /// The angle from bottom to top, in degrees.
    pub fov: f32,
    /// Half the height of what is seen, when everything is seen at the same size.
    pub orthographic_size: Option<f32>,
    /// Where it is.
    pub pose: Pose,
}

/// Chooses the game's camera while active objects go by in order.
#[derive(Debug, Default)]
pub(crate) struct Cameras {
    main: Option<ComponentId>,
    first: Option<ComponentId>,
}

impl Cameras {
    pub(crate) fn see(&mut self, object: &Object, camera: &Component) {
        if !camera.is_enabled() {
            return;
        }
        self.first = self.first.or(Some(camera.id()));
        if object.tag() == "MainCamera" {
            self.main = self.main.or(Some(camera.id()));
        }
    }

    pub(crate) fn game_camera(&self) -> Option<ComponentId> {
        self.main.or(self.first)
    }
}

impl World {
    /// The camera that sees: the free one, the main one, or else the first.
    pub fn view(&self) -> Option<View> {
        if !self.freecam.enabled {
            return self.game_view();
        }
        let game = self.game_view();
        let (position, angles) = self.freecam_place();
        Some(View {
            object: None,
            name: "UE_Freecam".to_owned(),
            is_freecam: true,
            fov: game.as_ref().map_or(60.0, |view| view.fov),
            orthographic_size: None,
            pose: Pose { position, rotation: Quat::from_euler(angles), scale: Vec3::ONE },
        })
    }

    /// `Camera.main`, or else the first camera.
    pub fn game_view(&self) -> Option<View> {
        let (object, camera) = self.component(self.game_camera()?)?;
        Some(self.view_of(object, camera))
    }

    /// The component of `Camera.main`, or else of the first camera.
    pub(crate) fn game_camera(&self) -> Option<ComponentId> {
        let roots: Vec<_> = self.all_roots().into_iter().map(|id| (id, ())).collect();
        let mut cameras = Cameras::default();
        self.visit_active(&roots, |(), object| {
            object.component(CAMERA).into_iter().for_each(|camera| cameras.see(object, camera));
        });
        cameras.game_camera()
    }

    fn view_of(&self, object: &Object, camera: &Component) -> View {
        let number = |name: &str| self.member(camera.id(), name).and_then(|value| value.as_f64());
        let flat = self.member(camera.id(), "orthographic") == Some(Value::Bool(true));
        View {
            object: Some(object.id()),
            name: object.name().to_owned(),
            is_freecam: false,
            fov: number("fieldOfView").map_or(60.0, |fov| fov as f32),
            orthographic_size: flat
                .then(|| number("orthographicSize").map_or(5.0, |size| size as f32)),
            pose: self.pose(object.id()),
        }
    }

    /// The free camera.
    pub fn freecam(&self) -> &Freecam {
        &self.freecam
    }

    /// Change the free camera.
    pub fn freecam_mut(&mut self) -> &mut Freecam {
        self.changed.freecam = true;
        &mut self.freecam
    }

    /// Where the free camera is: where it was put, or where the game's camera is. Position, then
    /// degrees about the axes.
    pub fn freecam_place(&self) -> (Vec3, Vec3) {
        self.freecam.place.unwrap_or_else(|| {
            let pose = self.game_view().map(|view| view.pose).unwrap_or_default();
            (pose.position, pose.rotation.to_euler())
        })
    }
}
