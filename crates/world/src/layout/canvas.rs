//! Canvases follow the screen, or a camera, at a scale of their own.

use super::Rect;
use crate::ids::ComponentId;
use crate::lens::Lens;
use crate::math::{Pose, Quat, Vec2, Vec3};
use crate::object::{Component, Object};
use crate::value::Value;
use crate::world::World;

/// Full name of the class.
pub(crate) const CANVAS: &str = "UnityEngine.Canvas";
const SCALER: &str = "UnityEngine.UI.CanvasScaler";
/// How many units of a canvas are one of the world, where nothing else is said.
pub(super) const USUAL_UNITS: f32 = 100.0;

/// What a canvas is drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenderMode {
    /// The screen, over everything else.
    Overlay,
    /// The screen of a camera, at some distance.
    Camera,
    /// A sign in the world.
    World,
}

/// What a canvas is drawn on. One for a camera that has none is drawn over everything.
pub(crate) fn render_mode(world: &World, canvas: &Component) -> RenderMode {
    match world.number(canvas.id(), "renderMode") {
        2.0 => RenderMode::World,
        1.0 if world_camera(world, canvas).is_some() => RenderMode::Camera,
        _ => RenderMode::Overlay,
    }
}

/// The lens through which a canvas is clicked on; nothing when screen and canvas are one. A sign in
/// the world that names no camera is seen by the game's.
pub(crate) fn event_camera(world: &World, canvas: &Component) -> Option<Lens> {
    let camera = match render_mode(world, canvas) {
        RenderMode::Overlay => return None,
        RenderMode::Camera => world_camera(world, canvas),
        RenderMode::World => world_camera(world, canvas).or_else(|| world.game_camera()),
    };
    Lens::of(world, camera?)
}

/// Pose and rectangle of an outermost canvas that follows the screen; nothing for signs in the
/// world.
pub(super) fn drive(world: &World, object: &Object, canvas: &Component) -> Option<(Pose, Rect)> {
    let half = Vec2::new(0.5, 0.5);
    match render_mode(world, canvas) {
        RenderMode::World => None,
        RenderMode::Overlay => {
            let screen = Vec2::new(world.screen.0 as f32, world.screen.1 as f32);
            let scale = scale_factor(world, object);
            let pose = Pose {
                position: Vec3::new(screen.x / 2.0, screen.y / 2.0, 0.0),
                rotation: Quat::IDENTITY,
                scale: Vec3::ONE * scale,
            };
            Some((pose, Rect::about(half, screen * (1.0 / scale))))
        }
        RenderMode::Camera => {
            let lens = Lens::of(world, world_camera(world, canvas)?)?;
            let scale = scale_factor(world, object);
            let distance = world.number(canvas.id(), "planeDistance");
            let pixel = 2.0 * lens.half_size_at(distance).y / lens.size.y;
            let pose = Pose {
                position: lens.pose.point(Vec3::FORWARD * distance),
                rotation: lens.pose.rotation,
                scale: Vec3::ONE * (pixel * scale),
            };
            Some((pose, Rect::about(half, lens.size * (1.0 / scale))))
        }
    }
}

/// The camera that a canvas names, if it still exists.
fn world_camera(world: &World, canvas: &Component) -> Option<ComponentId> {
    match world.member(canvas.id(), "worldCamera")? {
        Value::Component(camera) => world.component(camera).map(|_| camera),
        _ => None,
    }
}

/// How many units of an outermost canvas are one of the world; sprites go by it.
pub(super) fn units(world: &World, object: &Object) -> f32 {
    let Some(scaler) = scaler(world, object) else { return USUAL_UNITS };
    let units = world.number(scaler, "referencePixelsPerUnit");
    if units.is_finite() && units > 0.0 { units } else { USUAL_UNITS }
}

/// The scaler of a canvas, unless it is switched off.
fn scaler(world: &World, object: &Object) -> Option<ComponentId> {
    let scaler = world.component_of(object.id(), SCALER).ok();
    let scaler = scaler.and_then(|id| Some(world.component(id)?.1)).filter(|it| it.is_enabled());
    scaler.map(Component::id)
}

/// How many pixels a unit of the canvas has.
fn scale_factor(world: &World, object: &Object) -> f32 {
    let Some(scaler) = scaler(world, object) else { return 1.0 };
    let scale = match world.number(scaler, "uiScaleMode") {
        1.0 => with_screen_size(world, scaler),
        2.0 => with_dots(world, scaler),
        _ => world.number(scaler, "scaleFactor"),
    };
    // Unity does not stop anyone from saving zero; nothing could be laid out then.
    if scale.is_finite() && scale > 0.0 { scale } else { 1.0 }
}

fn with_screen_size(world: &World, scaler: ComponentId) -> f32 {
    let Some(Value::Vec2(reference)) = world.member(scaler, "referenceResolution") else {
        return 1.0;
    };
    let wide = world.screen.0 as f32 / reference.x;
    let high = world.screen.1 as f32 / reference.y;
    match world.number(scaler, "screenMatchMode") {
        1.0 => wide.min(high),
        2.0 => wide.max(high),
        _ => {
            // Between the logarithms, so that half and double even out.
            let at = world.number(scaler, "matchWidthOrHeight").clamp(0.0, 1.0);
            (wide.log2() + (high.log2() - wide.log2()) * at).exp2()
        }
    }
}

/// For sizes in centimetres or points. A screen in memory has no dots per inch, so the scaler's
/// fallback counts, as on a device that does not tell.
fn with_dots(world: &World, scaler: ComponentId) -> f32 {
    let units_per_inch = match world.member(scaler, "physicalUnit").and_then(|unit| unit.as_f64()) {
        Some(0.0) => 2.54,
        Some(1.0) => 25.4,
        Some(2.0) => 1.0,
        Some(4.0) => 6.0,
        _ => 72.0,
    };
    let dots = world.member(scaler, "fallbackScreenDPI").and_then(|dots| dots.as_f64());
    dots.map_or(96.0, |dots| dots as f32) / units_per_inch
}
