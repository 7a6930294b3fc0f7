//! Where objects are: transforms follow their parents, rectangles their anchors or whoever lays them
//! out, canvases the screen.

mod axis;
mod canvas;
mod driven;
mod fields;
mod grid;
mod group;
mod scroll;
mod sprite;
mod text;
mod wants;

use crate::ids::ObjectId;
use crate::math::{Pose, Vec2, Vec3};
use crate::object::{Object, RectData};
use crate::world::World;

pub use driven::Estimated;
pub use sprite::{NoSprites, SpriteSize, Sprites};

pub(crate) use canvas::{CANVAS, RenderMode, event_camera, render_mode};
pub(crate) use driven::Driven;

/// An object's place in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    pub(crate) pose: Pose,
    /// For objects of a user interface: its rectangle, seen from its pivot, before scaling.
    pub(crate) rect: Option<Rect>,
    /// Whether it is a canvas or inside one; canvases inside others do not follow the screen.
    pub(crate) in_canvas: bool,
}

/// A rectangle without rotation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Rect {
    /// Its lower left corner.
    pub(crate) min: Vec2,
    /// Width and height.
    pub(crate) size: Vec2,
}

impl Placed {
    /// What is around the roots.
    pub(crate) const OUTSIDE: Placed = Placed {
        pose: Pose {
            position: Vec3::ZERO,
            rotation: crate::math::Quat::IDENTITY,
            scale: Vec3::ONE,
        },
        rect: None,
        in_canvas: false,
    };

    /// The place of a child.
    pub(crate) fn child(&self, world: &World, object: &Object) -> Placed {
        let Some(rect) = world.laid_rect(object) else {
            return Placed { pose: self.pose.of_child(&object.local), rect: None, ..*self };
        };
        let in_canvas = self.in_canvas || object.component(CANVAS).is_some();
        if let Some((pose, rect)) = self.driven(world, object) {
            return Placed { pose, rect: Some(rect), in_canvas };
        }
        let pose = self.pose.of_child(&self.local_of(object, &rect));
        let outer = self.rect.unwrap_or_default().size;
        let size = outer.scale(rect.anchor_max - rect.anchor_min) + rect.size_delta;
        Placed { pose, rect: Some(Rect::about(rect.pivot, size)), in_canvas }
    }

    /// Pose and rectangle of a child that is an outermost canvas and follows the screen.
    fn driven(&self, world: &World, object: &Object) -> Option<(Pose, Rect)> {
        let canvas = object.component(CANVAS).filter(|_| !self.in_canvas)?;
        canvas::drive(world, object, canvas)
    }

    /// The pose of a child's rectangle, seen from here. Files leave its x and y at zero; they come
    /// from the anchors.
    fn local_of(&self, object: &Object, rect: &RectData) -> Pose {
        let at = self.anchor(rect) + rect.anchored_position;
        let position = Vec3::new(at.x, at.y, object.local.position.z);
        Pose { position, ..object.local }
    }

    /// The point that a child's anchored position starts from.
    fn anchor(&self, child: &RectData) -> Vec2 {
        let outer = self.rect.unwrap_or_default();
        let span = child.anchor_max - child.anchor_min;
        outer.min + outer.size.scale(child.anchor_min + span.scale(child.pivot))
    }

    /// The corners of its rectangle in the world: lower left, upper left, upper right, lower right.
    pub(crate) fn corners(&self) -> Option<[Vec3; 4]> {
        let Rect { min, size } = self.rect?;
        let max = min + size;
        let corners = [(min.x, min.y), (min.x, max.y), (max.x, max.y), (max.x, min.y)];
        Some(corners.map(|(x, y)| self.pose.point(Vec3::new(x, y, 0.0))))
    }
}

impl Rect {
    /// A rectangle seen from its pivot.
    pub(crate) fn about(pivot: Vec2, size: Vec2) -> Rect {
        Rect { min: size.scale(pivot * -1.0), size }
    }
}

impl World {
    /// Where an object is in the world.
    pub fn pose(&self, id: ObjectId) -> Pose {
        self.placed(id).pose
    }

    /// Where an object is in its parent. For objects of a user interface that is where their
    /// anchors hold them, whatever their file says.
    pub fn local_pose(&self, id: ObjectId) -> Pose {
        let Some(object) = self.object(id) else { return Pose::default() };
        let Some(rect) = self.laid_rect(object) else { return object.local };
        let outer = object.parent().map_or(Placed::OUTSIDE, |parent| self.placed(parent));
        match outer.driven(self, object) {
            Some((pose, _)) => outer.pose.to_child(&pose),
            None => outer.local_of(object, &rect),
        }
    }

    /// The place of an object.
    pub(crate) fn placed(&self, id: ObjectId) -> Placed {
        let mut line: Vec<&Object> = self.line(id).collect();
        line.reverse();
        line.into_iter().fold(Placed::OUTSIDE, |outer, object| outer.child(self, object))
    }

    /// Where an object would be if no rectangle were laid out. Cameras are asked for this one: a
    /// canvas may follow a camera that is inside a canvas.
    pub(crate) fn bare_pose(&self, id: ObjectId) -> Pose {
        let mut line: Vec<&Object> = self.line(id).collect();
        line.reverse();
        line.into_iter().fold(Pose::default(), |outer, object| outer.of_child(&object.local))
    }

    /// The point that an object's anchored position starts from; nothing for other objects, and for
    /// those whose position is not theirs to have.
    pub(crate) fn anchor(&self, id: ObjectId) -> Option<Vec2> {
        let object = self.object(id)?;
        let rect = object.rect()?;
        if self.is_placed_by_group(object) {
            return None;
        }
        let outer = object.parent().map_or(Placed::OUTSIDE, |parent| self.placed(parent));
        Some(outer.anchor(rect))
    }

    /// Look at every active object at or under some roots, parents before children. `look` is given
    /// what it made of the parent, or what came with the root.
    pub(crate) fn visit_active<'w, C: Copy>(
        &'w self,
        roots: &[(ObjectId, C)],
        mut look: impl FnMut(&C, &'w Object) -> C,
    ) {
        let mut stack: Vec<(ObjectId, C)> = roots.iter().rev().copied().collect();
        while let Some((id, outer)) = stack.pop() {
            let Some(object) = self.object(id).filter(|object| object.is_active_self()) else {
                continue;
            };
            let made = look(&outer, object);
            stack.extend(object.children().iter().rev().map(|child| (*child, made)));
        }
    }
}

#[cfg(test)]
mod tests;
