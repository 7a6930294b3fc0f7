//! Graphics at a pixel, in the order in which an event system would ask them.

use std::cmp::Ordering;

use crate::ids::ObjectId;
use crate::layout::{CANVAS, Placed, RenderMode, event_camera, render_mode};
use crate::lens::{Lens, Ray};
use crate::math::{Vec2, Vec3, Vec4};
use crate::object::{Component, Object};
use crate::types::GRAPHIC;
use crate::value::Value;
use crate::world::World;

const CANVAS_GROUP: &str = "UnityEngine.CanvasGroup";
const MASK: &str = "UnityEngine.UI.Mask";
const RAYCASTER: &str = "UnityEngine.UI.GraphicRaycaster";
const RECT_MASK: &str = "UnityEngine.UI.RectMask2D";

/// A canvas while its graphics are tried.
#[derive(Debug, Clone, Copy)]
struct Sheet {
    /// How the pointer looks at it; nothing when it cannot be hit at all.
    gaze: Option<Gaze>,
    rank: Rank,
    /// Whether it is drawn; what is inside a canvas that is switched off is not.
    is_shown: bool,
    /// Whether it has something that answers to pointers.
    has_raycaster: bool,
    /// Whether graphics that are seen from behind are left out.
    front_only: bool,
}

/// The line from the pointer into the world.
#[derive(Debug, Clone, Copy)]
struct Gaze {
    ray: Ray,
    lens: Option<Lens>,
}

/// What decides between graphics of different canvases.
#[derive(Debug, Clone, Copy)]
struct Rank {
    is_overlay: bool,
    camera_depth: f32,
    order: i64,
    /// The order of the outermost canvas.
    root_order: i64,
    /// How far away the outermost canvas is.
    distance: f32,
    /// How many outermost canvases came before.
    root: usize,
}

/// A graphic at the pointer.
struct Touched {
    object: ObjectId,
    rank: Rank,
    /// How many objects were drawn before it.
    depth: usize,
}

/// What is known of an object for the sake of its children.
#[derive(Debug, Clone, Copy)]
struct Spot {
    placed: Placed,
    sheet: Option<Sheet>,
    shade: Shade,
}

/// What keeps the pointer from graphics that it is on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Shade {
    /// A group lets pointers through.
    in_group: bool,
    /// A mask shows nothing there.
    behind_mask: bool,
}

impl World {
    /// The objects whose graphics are at a pixel, counted from the lower left corner of the screen:
    /// as `EventSystem.RaycastAll`, top-most first. Nothing without an event system.
    pub fn pick_ui(&self, x: f32, y: f32) -> Vec<ObjectId> {
        let scenery = self.scenery();
        if !scenery.has_event_system {
            return Vec::new();
        }
        let pointer = Vec2::new(x, y);
        let mut touched: Vec<Touched> = Vec::new();
        let (mut depth, mut roots) = (0, 0);
        let canvases: Vec<_> = scenery.canvases.iter().map(|id| (*id, self.around(*id))).collect();
        self.visit_active(&canvases, |outer, object| {
            depth += 1;
            let placed = outer.placed.child(self, object);
            let mut sheet = outer.sheet;
            if let Some(canvas) = object.component(CANVAS).filter(|_| placed.rect.is_some()) {
                sheet = Some(match sheet {
                    Some(sheet) => self.nested(&sheet, object, canvas),
                    None => {
                        roots += 1;
                        self.outermost(object, canvas, &placed, pointer, roots)
                    }
                });
            }
            let Some(on) = &sheet else { return Spot { placed, ..*outer } };
            let shade = self.shade(outer.shade, object, &placed, on);
            if shade == Shade::default() && self.is_touched(object, &placed, on) {
                touched.push(Touched { object: object.id(), rank: on.rank, depth });
            }
            Spot { placed, sheet, shade }
        });
        touched.sort_by(|a, b| b.rank.compare(&a.rank).then(b.depth.cmp(&a.depth)));
        touched.into_iter().map(|touched| touched.object).collect()
    }

    /// The corners of an object of a user interface on the screen: lower left, upper left, upper
    /// right, lower right, as the object itself is turned. Nothing for other objects, without a
    /// canvas, and for what is not in front of the camera.
    pub fn screen_rect(&self, id: ObjectId) -> Option<[Vec2; 4]> {
        let corners = self.placed(id).corners()?;
        let canvases = self.line(id).filter(|object| object.rect().is_some());
        let canvas = canvases.filter_map(|object| object.component(CANVAS)).last()?;
        if render_mode(self, canvas) == RenderMode::Overlay {
            return Some(corners.map(|corner| Vec2::new(corner.x, corner.y)));
        }
        let lens = event_camera(self, canvas)?;
        let [a, b, c, d] = corners.map(|corner| lens.project(corner));
        Some([a?, b?, c?, d?])
    }

    /// What an outermost canvas is in.
    fn around(&self, canvas: ObjectId) -> Spot {
        let parent = self.object(canvas).and_then(Object::parent);
        let placed = parent.map_or(Placed::OUTSIDE, |parent| self.placed(parent));
        Spot { placed, sheet: None, shade: Shade::default() }
    }

    fn outermost(
        &self,
        object: &Object,
        canvas: &Component,
        placed: &Placed,
        pointer: Vec2,
        root: usize,
    ) -> Sheet {
        let is_overlay = render_mode(self, canvas) == RenderMode::Overlay;
        let gaze = match is_overlay {
            true => self.screen_gaze(canvas, pointer),
            false => event_camera(self, canvas)
                .filter(|lens| lens.shows(pointer))
                .map(|lens| Gaze { ray: lens.ray(pointer), lens: Some(lens) }),
        };
        let order = self.number(canvas.id(), "sortingOrder") as i64;
        let rank = Rank {
            is_overlay,
            camera_depth: gaze.and_then(|gaze| gaze.lens).map_or(0.0, |lens| lens.depth),
            order,
            root_order: order,
            distance: gaze.and_then(|gaze| gaze.meet(placed)).unwrap_or(f32::INFINITY),
            root,
        };
        self.sheet(gaze, rank, object, canvas, true)
    }

    /// A canvas inside another one. It is drawn with it, unless it has an order of its own.
    fn nested(&self, outer: &Sheet, object: &Object, canvas: &Component) -> Sheet {
        let order = match self.flag(canvas.id(), "overrideSorting") {
            true => self.number(canvas.id(), "sortingOrder") as i64,
            false => outer.rank.order,
        };
        self.sheet(outer.gaze, Rank { order, ..outer.rank }, object, canvas, outer.is_shown)
    }

    fn sheet(
        &self,
        gaze: Option<Gaze>,
        rank: Rank,
        object: &Object,
        canvas: &Component,
        is_shown: bool,
    ) -> Sheet {
        let raycaster = self.enabled(object, RAYCASTER);
        Sheet {
            gaze,
            rank,
            is_shown: is_shown && canvas.is_enabled(),
            has_raycaster: raycaster.is_some(),
            front_only: raycaster.is_some_and(|it| self.flag(it.id(), "ignoreReversedGraphics")),
        }
    }

    /// Straight through the screen, when the pointer is on it and the canvas too.
    fn screen_gaze(&self, canvas: &Component, pointer: Vec2) -> Option<Gaze> {
        let (width, height) = (self.screen.0 as f32, self.screen.1 as f32);
        let is_on_it = (0.0..=width).contains(&pointer.x) && (0.0..=height).contains(&pointer.y);
        if !is_on_it || width * height == 0.0 || self.number(canvas.id(), "targetDisplay") != 0.0 {
            return None;
        }
        let origin = Vec3::new(pointer.x, pointer.y, 0.0);
        let ray = Ray { origin, direction: Vec3::FORWARD, max: f32::INFINITY };
        Some(Gaze { ray, lens: None })
    }

    /// Whether an object has a graphic that takes the pointer.
    fn is_touched(&self, object: &Object, placed: &Placed, sheet: &Sheet) -> bool {
        let Some(gaze) = sheet.gaze.filter(|_| sheet.is_shown && sheet.has_raycaster) else {
            return false;
        };
        if placed.rect.is_none() || (sheet.front_only && !gaze.sees_front(placed)) {
            return false;
        }
        let mut graphics = object.components().iter().filter(|component| {
            component.is_enabled()
                && self.is_graphic(component)
                && self.flag(component.id(), "raycastTarget")
        });
        graphics.any(|graphic| gaze.is_on(placed, self.padding(graphic, "raycastPadding")))
    }

    /// What keeps the pointer from an object and what is inside it. A canvas with an order of its
    /// own is not held by what is above it.
    fn shade(&self, outer: Shade, object: &Object, placed: &Placed, sheet: &Sheet) -> Shade {
        let canvas = object.component(CANVAS);
        let is_free = canvas.is_some_and(|canvas| self.flag(canvas.id(), "overrideSorting"));
        let mut shade = if is_free { Shade::default() } else { outer };
        for component in object.components().iter().filter(|component| component.is_enabled()) {
            if self.is(component, CANVAS_GROUP) {
                let ignores_outer = self.flag(component.id(), "ignoreParentGroups");
                let lets_through = !self.flag(component.id(), "blocksRaycasts");
                shade.in_group = lets_through || (shade.in_group && !ignores_outer);
            }
            let padding = match component {
                mask if self.is(mask, MASK) => Vec4::default(),
                mask if self.is(mask, RECT_MASK) => self.padding(mask, "padding"),
                _ => continue,
            };
            shade.behind_mask |= !sheet.gaze.is_some_and(|gaze| gaze.is_on(placed, padding));
        }
        shade
    }

    fn padding(&self, component: &Component, name: &str) -> Vec4 {
        match self.member(component.id(), name) {
            Some(Value::Vec4(padding)) => padding,
            _ => Vec4::default(),
        }
    }

    /// Whether a component is drawn on a canvas.
    fn is_graphic(&self, component: &Component) -> bool {
        component.type_name().is_some_and(|class| self.types().is_a(class, GRAPHIC))
    }

    fn enabled<'w>(&self, object: &'w Object, class: &str) -> Option<&'w Component> {
        let mut enabled = object.components().iter().filter(|component| component.is_enabled());
        enabled.find(|component| self.is(component, class))
    }

    /// Whether a component is of a class. The engine's own have no base that is looked for, and
    /// there are many of them.
    pub(crate) fn is(&self, component: &Component, class: &str) -> bool {
        component.type_name().is_some_and(|name| {
            name == class || (!name.starts_with("UnityEngine.") && self.types().is_a(name, class))
        })
    }
}

impl Rank {
    /// Which one is above: overlays over cameras, then as each is drawn.
    fn compare(&self, other: &Rank) -> Ordering {
        self.is_overlay
            .cmp(&other.is_overlay)
            .then(self.camera_depth.total_cmp(&other.camera_depth))
            .then(self.order.cmp(&other.order))
            .then(match self.is_overlay {
                true => self.root_order.cmp(&other.root_order),
                false => other.distance.total_cmp(&self.distance),
            })
            .then(self.root.cmp(&other.root))
    }
}

impl Gaze {
    /// How far away it meets the plane of a rectangle.
    fn meet(&self, placed: &Placed) -> Option<f32> {
        let normal = placed.pose.rotation.rotate(Vec3::FORWARD);
        let towards = normal.dot(self.ray.direction);
        if towards.abs() < 1e-6 {
            return None;
        }
        let distance = normal.dot(placed.pose.position - self.ray.origin) / towards;
        (self.lens.is_none() || (0.0..=self.ray.max).contains(&distance)).then_some(distance)
    }

    /// Whether it meets a rectangle; the padding is taken off at the left, bottom, right and top.
    fn is_on(&self, placed: &Placed, padding: Vec4) -> bool {
        let (Some(rect), Some(distance)) = (placed.rect, self.meet(placed)) else { return false };
        if placed.pose.scale.x == 0.0 || placed.pose.scale.y == 0.0 {
            return false;
        }
        let at = placed.pose.inverse_point(self.ray.at(distance));
        let min = rect.min + Vec2::new(padding.x, padding.y);
        let max = rect.min + rect.size - Vec2::new(padding.z, padding.w);
        (min.x..max.x).contains(&at.x) && (min.y..max.y).contains(&at.y)
    }

    /// Whether a graphic shows its front, as raycasters judge it.
    fn sees_front(&self, placed: &Placed) -> bool {
        let forward = placed.pose.rotation.rotate(Vec3::FORWARD);
        let Some(lens) = &self.lens else { return forward.z > 0.0 };
        let near = lens.pose.point(Vec3::FORWARD * lens.near);
        (placed.pose.position - near).dot(forward) >= 0.0
    }
}

#[cfg(test)]
mod tests;
