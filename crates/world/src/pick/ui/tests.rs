//! Points on canvases of a few rectangles.

use std::sync::Arc;

use crate::math::{Pose, Quat, Vec2, Vec3, Vec4};
use crate::object::{Data, RectData, Saved};
use crate::scene::{ComponentData, ObjectData, SceneData};
use crate::value::Value;
use crate::{CAMERA, ComponentId, ObjectId, World};

const CANVAS: &str = "UnityEngine.Canvas";
const IMAGE: &str = "UnityEngine.UI.Image";

/// A screen of 400 × 200 pixels with an event system and a canvas over it.
fn stage() -> (World, ObjectId) {
    let mut world = World::default();
    world.screen = (400, 200);
    let events = world.create("Events", None).unwrap();
    world.add_component(events, "UnityEngine.EventSystems.EventSystem").unwrap();
    let root = canvas(&mut world, "Canvas", None);
    (world, root)
}

fn canvas(world: &mut World, name: &str, parent: Option<ObjectId>) -> ObjectId {
    let object = world.create(name, parent).unwrap();
    let filled = RectData {
        anchor_min: Vec2::new(0.0, 0.0),
        anchor_max: Vec2::new(1.0, 1.0),
        ..sized(0.0, 0.0)
    };
    world.set_rect(object, filled).unwrap();
    world.add_component(object, CANVAS).unwrap();
    world.add_component(object, "UnityEngine.UI.GraphicRaycaster").unwrap();
    object
}

fn sized(width: f32, height: f32) -> RectData {
    RectData { size_delta: Vec2::new(width, height), ..RectData::default() }
}

/// An image in the middle of its parent, moved by so much.
fn image(
    world: &mut World,
    name: &str,
    parent: ObjectId,
    rect: RectData,
    x: f32,
    y: f32,
) -> ObjectId {
    let object = world.create(name, Some(parent)).unwrap();
    world.set_rect(object, RectData { anchored_position: Vec2::new(x, y), ..rect }).unwrap();
    world.add_component(object, IMAGE).unwrap();
    object
}

fn add(world: &mut World, object: ObjectId, class: &str, members: &[(&str, Value)]) -> ComponentId {
    let id = world.add_component(object, class).unwrap();
    for (name, value) in members {
        world.set_member(id, name, value.clone()).unwrap();
    }
    id
}

fn set(world: &mut World, object: ObjectId, class: &str, member: &str, value: Value) {
    let id = world.component_of(object, class).unwrap();
    world.set_member(id, member, value).unwrap();
}

/// The names of what is at a pixel, the top-most first.
fn names(world: &World, x: f32, y: f32) -> String {
    let name = |id| world.object(id).unwrap().name().to_owned();
    world.pick_ui(x, y).into_iter().map(name).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn near(found: [Vec2; 4], wanted: [(f32, f32); 4]) {
    for (found, wanted) in found.into_iter().zip(wanted) {
        let off = (found.x - wanted.0).abs().max((found.y - wanted.1).abs());
        assert!(off < 0.01, "{found:?} is not {wanted:?}");
    }
}

#[test]
fn the_test_interface_is_hit_on_every_screen() {
    for screen in [(1920, 1080), (1280, 720), (800, 600), (3840, 1600), (640, 1136), (1, 1)] {
        let mut world = World::default();
        world.screen = screen;
        world.spawn_test_ui().unwrap();
        let at = |x: f32| names(&world, x * screen.0 as f32, 0.5 * screen.1 as f32);
        assert_eq!(at(0.35), "McpTestBlock_Left", "{screen:?}");
        assert_eq!(at(0.65), "McpTestBlock_Right", "{screen:?}");
        assert_eq!(at(0.1), "", "{screen:?}");
        // On narrow screens the blocks meet in the middle.
        if screen.0 >= screen.1 {
            assert_eq!(at(0.5), "", "{screen:?}");
        }
    }
    let mut world = World::default();
    let block = world.spawn_test_ui().unwrap().blocks[0].1;
    let corners = [(582.0, 450.0), (582.0, 630.0), (762.0, 630.0), (762.0, 450.0)];
    near(world.screen_rect(block).unwrap(), corners);
    // Twice the width and the same height: scaled by the root of two.
    world.screen = (3840, 1080);
    let half = 90.0 * 2_f32.sqrt();
    let (x, y) = (1344.0, 540.0);
    let corners = [(-half, -half), (-half, half), (half, half), (half, -half)];
    near(world.screen_rect(block).unwrap(), corners.map(|(dx, dy)| (x + dx, y + dy)));
    world.screen = (0, 0);
    assert_eq!(names(&world, 0.0, 0.0), "");
}

#[test]
fn scalers_fit_the_screen() {
    let (mut world, root) = stage();
    let block = image(&mut world, "Block", root, sized(100.0, 100.0), 0.0, 0.0);
    let width = |world: &World| {
        let [left, _, right, _] = world.screen_rect(block).unwrap();
        ((right.x - left.x) * 10.0).round() / 10.0
    };
    assert_eq!(width(&world), 100.0);
    let mode = world.enum_value("UnityEngine.UI.CanvasScaler+ScaleMode", 0);
    let members = [
        ("uiScaleMode", mode),
        ("scaleFactor", Value::Float(1.5)),
        ("referenceResolution", Value::Vec2(Vec2::new(200.0, 400.0))),
    ];
    let scaler = add(&mut world, root, "UnityEngine.UI.CanvasScaler", &members);
    assert_eq!(width(&world), 150.0);
    let mut set = |member: &str, value: Value| {
        world.set_member(scaler, member, value).unwrap();
        width(&world)
    };
    // The screen is twice as wide and half as high as the reference.
    assert_eq!(set("uiScaleMode", Value::Int(1)), 200.0);
    assert_eq!(set("matchWidthOrHeight", Value::Float(0.5)), 100.0);
    assert_eq!(set("matchWidthOrHeight", Value::Float(1.0)), 50.0);
    assert_eq!(set("screenMatchMode", Value::Int(1)), 50.0);
    assert_eq!(set("screenMatchMode", Value::Int(2)), 200.0);
    assert_eq!(set("referenceResolution", Value::Vec2(Vec2::default())), 100.0);
    // 96 dots and 72 points to an inch.
    assert_eq!(set("uiScaleMode", Value::Int(2)), 133.3);
    assert_eq!(set("enabled", Value::Bool(false)), 100.0);
}

#[test]
fn later_siblings_and_children_are_on_top() {
    let (mut world, root) = stage();
    let first = image(&mut world, "First", root, sized(100.0, 100.0), 0.0, 0.0);
    image(&mut world, "Child", first, sized(20.0, 20.0), 40.0, 0.0);
    image(&mut world, "Second", root, sized(100.0, 100.0), 50.0, 0.0);
    assert_eq!(names(&world, 240.0, 100.0), "Second Child First");
    assert_eq!(names(&world, 210.0, 100.0), "Second First");
    assert_eq!(names(&world, 160.0, 100.0), "First");
    // The left edge belongs to it, the right one does not.
    assert_eq!(names(&world, 150.0, 100.0), "First");
    assert_eq!(names(&world, 300.0, 100.0), "");
    world.set_active(first, false).unwrap();
    assert_eq!(names(&world, 240.0, 100.0), "Second");
}

#[test]
fn graphics_can_be_passed_through() {
    let (mut world, root) = stage();
    let block = image(&mut world, "Block", root, sized(100.0, 100.0), 0.0, 0.0);
    let is_hit = |world: &World| !names(world, 155.0, 100.0).is_empty();
    assert!(is_hit(&world));
    let padding = |left: f32| Value::Vec4(Vec4 { x: left, ..Vec4::default() });
    set(&mut world, block, IMAGE, "raycastPadding", padding(10.0));
    assert!(!is_hit(&world));
    set(&mut world, block, IMAGE, "raycastPadding", padding(-10.0));
    assert_eq!(names(&world, 145.0, 100.0), "Block");
    for (object, class, member) in [
        (block, IMAGE, "raycastTarget"),
        (block, IMAGE, "enabled"),
        (root, CANVAS, "enabled"),
        (root, "UnityEngine.UI.GraphicRaycaster", "enabled"),
        (world.find("Events").unwrap(), "UnityEngine.EventSystems.EventSystem", "enabled"),
    ] {
        set(&mut world, object, class, member, Value::Bool(false));
        assert!(!is_hit(&world), "{class}.{member}");
        set(&mut world, object, class, member, Value::Bool(true));
        assert!(is_hit(&world));
    }
    set(&mut world, root, CANVAS, "targetDisplay", Value::Int(1));
    assert!(!is_hit(&world));
}

#[test]
fn anchors_stretch_and_pivots_turn() {
    let (mut world, root) = stage();
    let panel = RectData {
        anchor_min: Vec2::new(0.5, 0.0),
        anchor_max: Vec2::new(1.0, 1.0),
        size_delta: Vec2::new(-20.0, -40.0),
        ..RectData::default()
    };
    let panel = image(&mut world, "Panel", root, panel, 0.0, 0.0);
    let corners = [(210.0, 20.0), (210.0, 180.0), (390.0, 180.0), (390.0, 20.0)];
    near(world.screen_rect(panel).unwrap(), corners);
    // Held by its lower left corner, and turned about it by a right angle.
    let corner = Vec2::new(0.0, 0.0);
    let flag =
        RectData { anchor_min: corner, anchor_max: corner, pivot: corner, ..sized(80.0, 10.0) };
    let flag = image(&mut world, "Flag", panel, flag, 50.0, 30.0);
    near(
        world.screen_rect(flag).unwrap(),
        [(260.0, 50.0), (260.0, 60.0), (340.0, 60.0), (340.0, 50.0)],
    );
    assert_eq!(names(&world, 330.0, 55.0), "Flag Panel");
    let turn = Quat::from_euler(Vec3::new(0.0, 0.0, 90.0));
    let local = Pose { rotation: turn, scale: Vec3::new(1.0, 2.0, 1.0), ..world.local_pose(flag) };
    world.set_local(flag, local).unwrap();
    near(
        world.screen_rect(flag).unwrap(),
        [(260.0, 50.0), (240.0, 50.0), (240.0, 130.0), (260.0, 130.0)],
    );
    assert_eq!(names(&world, 245.0, 125.0), "Flag Panel");
    assert_eq!(names(&world, 330.0, 55.0), "Panel");
    // Seen from behind, it lets the pointer through.
    let back = Quat::from_euler(Vec3::new(0.0, 180.0, 0.0));
    world.set_local(flag, Pose { rotation: back, ..local }).unwrap();
    assert_eq!(names(&world, 250.0, 55.0), "Panel");
    let raycaster = "UnityEngine.UI.GraphicRaycaster";
    set(&mut world, root, raycaster, "ignoreReversedGraphics", Value::Bool(false));
    assert_eq!(names(&world, 250.0, 55.0), "Flag Panel");
}

#[test]
fn members_of_rectangles_agree_with_the_layout() {
    let (mut world, root) = stage();
    let block = image(&mut world, "Block", root, sized(100.0, 50.0), 10.0, 20.0);
    let transform = world.object(block).unwrap().components()[0].id();
    let text = |world: &World, member: &str| world.member(transform, member).unwrap().plain_text();
    assert_eq!(text(&world, "position"), "(210.00, 120.00, 0.00)");
    assert_eq!(text(&world, "localPosition"), "(10.00, 20.00, 0.00)");
    let size = world.member(transform, "rect").unwrap().to_json();
    assert_eq!(size, serde_json::json!({ "x": -50.0, "y": -25.0, "width": 100.0, "height": 50.0 }));
    let mut set = |member: &str, value: Value| world.set_member(transform, member, value).unwrap();
    set("position", Value::Vec3(Vec3::new(100.0, 100.0, 0.0)));
    set("localEulerAngles", Value::Vec3(Vec3::new(0.0, 0.0, 30.0)));
    assert_eq!(text(&world, "anchoredPosition"), "(-100.00, 0.00)");
    let mut set = |member: &str, x: f32, y: f32| {
        world.set_member(transform, member, Value::Vec2(Vec2::new(x, y))).unwrap();
    };
    set("offsetMin", -200.0, -50.0);
    set("offsetMax", 0.0, 50.0);
    assert_eq!(text(&world, "offsetMin"), "(-200.00, -50.00)");
    assert_eq!(text(&world, "offsetMax"), "(0.00, 50.00)");
    assert_eq!(text(&world, "sizeDelta"), "(200.00, 100.00)");
    assert_eq!(text(&world, "anchoredPosition"), "(-100.00, 0.00)");
    assert_eq!(world.screen_rect(world.find("Events").unwrap()), None);
}

#[test]
fn canvases_are_sorted_by_their_order() {
    let (mut world, root) = stage();
    let nested = canvas(&mut world, "Nested", Some(root));
    image(&mut world, "Inner", nested, sized(100.0, 100.0), 0.0, 0.0);
    image(&mut world, "Outer", root, sized(100.0, 100.0), 0.0, 0.0);
    let other = canvas(&mut world, "Other", None);
    image(&mut world, "Later", other, sized(100.0, 100.0), 0.0, 0.0);
    let at = |world: &World| names(world, 200.0, 100.0);
    assert_eq!(at(&world), "Later Outer Inner");
    // Without an override, the order of a canvas inside another means nothing.
    set(&mut world, nested, CANVAS, "sortingOrder", Value::Int(5));
    assert_eq!(at(&world), "Later Outer Inner");
    set(&mut world, nested, CANVAS, "overrideSorting", Value::Bool(true));
    assert_eq!(at(&world), "Inner Later Outer");
    set(&mut world, root, CANVAS, "sortingOrder", Value::Int(1));
    assert_eq!(at(&world), "Inner Outer Later");
    set(&mut world, other, CANVAS, "sortingOrder", Value::Int(9));
    assert_eq!(at(&world), "Later Inner Outer");
    // A canvas answers only for itself.
    let raycaster = world.component_of(nested, "UnityEngine.UI.GraphicRaycaster").unwrap();
    world.remove_component(raycaster).unwrap();
    assert_eq!(at(&world), "Later Outer");
}

#[test]
fn masks_clip_what_is_inside() {
    for class in ["UnityEngine.UI.Mask", "UnityEngine.UI.RectMask2D"] {
        let (mut world, root) = stage();
        let window = image(&mut world, "Window", root, sized(100.0, 100.0), 0.0, 0.0);
        let mask = add(&mut world, window, class, &[]);
        let content = image(&mut world, "Content", window, sized(200.0, 20.0), 0.0, 0.0);
        assert_eq!(names(&world, 200.0, 100.0), "Content Window");
        assert_eq!(names(&world, 260.0, 100.0), "", "{class}");
        world.set_member(mask, "enabled", Value::Bool(false)).unwrap();
        assert_eq!(names(&world, 260.0, 100.0), "Content");
        world.set_member(mask, "enabled", Value::Bool(true)).unwrap();
        // A canvas with an order of its own is not held by masks above it.
        add(&mut world, content, CANVAS, &[("overrideSorting", Value::Bool(true))]);
        world.add_component(content, "UnityEngine.UI.GraphicRaycaster").unwrap();
        assert_eq!(names(&world, 260.0, 100.0), "Content");
    }
}

#[test]
fn groups_let_pointers_through() {
    let (mut world, root) = stage();
    let panel = image(&mut world, "Panel", root, sized(200.0, 100.0), 0.0, 0.0);
    let inner = image(&mut world, "Inner", panel, sized(100.0, 100.0), 0.0, 0.0);
    image(&mut world, "Leaf", inner, sized(50.0, 50.0), 0.0, 0.0);
    let group = "UnityEngine.CanvasGroup";
    let outer = add(&mut world, panel, group, &[("alpha", Value::Float(0.0))]);
    let at = |world: &World| names(world, 200.0, 100.0);
    assert_eq!(at(&world), "Leaf Inner Panel");
    world.set_member(outer, "blocksRaycasts", Value::Bool(false)).unwrap();
    assert_eq!(at(&world), "");
    let own = add(&mut world, inner, group, &[]);
    assert_eq!(at(&world), "");
    world.set_member(own, "ignoreParentGroups", Value::Bool(true)).unwrap();
    assert_eq!(at(&world), "Leaf Inner");
    world.set_member(own, "blocksRaycasts", Value::Bool(false)).unwrap();
    assert_eq!(at(&world), "");
    world.set_member(own, "enabled", Value::Bool(false)).unwrap();
    world.set_member(outer, "enabled", Value::Bool(false)).unwrap();
    assert_eq!(at(&world), "Leaf Inner Panel");
}

/// Fields of a graphic from a package whose classes are not known.
#[derive(Debug)]
struct Label;

impl Saved for Label {
    fn value(&self, path: &str, _: &dyn Fn(i64) -> Value) -> Option<Data> {
        (path == "m_RaycastTarget").then(|| Data::Text("1".to_owned()))
    }

    fn names(&self) -> Vec<String> {
        vec!["m_RaycastTarget".to_owned()]
    }
}

#[test]
fn graphics_of_packages_are_known_by_their_fields() {
    let (mut world, root) = stage();
    let component = |file_id, class: &str, saved: Option<Arc<dyn Saved>>| ComponentData {
        file_id,
        number: file_id as i32,
        type_name: Some(class.into()),
        enabled: Some(true),
        saved,
    };
    let label = ObjectData {
        file_id: 1,
        number: 1,
        parent: None,
        name: "Label".into(),
        tag: "Untagged".into(),
        layer: 5,
        active: true,
        is_static: false,
        local: Pose::default(),
        rect: Some(sized(100.0, 50.0)),
        components: vec![
            component(2, "UnityEngine.RectTransform", None),
            component(3, "UnityEngine.CanvasRenderer", None),
            component(4, "TMPro.TextMeshProUGUI", Some(Arc::new(Label))),
        ],
    };
    let scene = SceneData {
        name: "UI".into(),
        path: "UI.unity".into(),
        objects: vec![label],
        origin: None,
    };
    world.load(scene, true).unwrap();
    assert_eq!(names(&world, 200.0, 100.0), "");
    world.reparent(world.find("Label").unwrap(), Some(root), false).unwrap();
    assert_eq!(names(&world, 200.0, 100.0), "Label");
}

/// A camera that sees as far up as away.
fn camera(world: &mut World, name: &str) -> ComponentId {
    let object = world.create(name, None).unwrap();
    add(world, object, CAMERA, &[("fieldOfView", Value::Float(90.0))])
}

#[test]
fn signs_in_the_world_are_seen_by_the_camera() {
    let (mut world, root) = stage();
    let view = camera(&mut world, "Camera");
    let mode = world.enum_value("UnityEngine.RenderMode", 2);
    set(&mut world, root, CANVAS, "renderMode", mode);
    world.set_rect(root, sized(400.0, 200.0)).unwrap();
    // A hundredth of its size, at a distance where half the screen is 10 high: 10 pixels a unit.
    let pose = Pose {
        position: Vec3::new(5.0, -2.0, 10.0),
        scale: Vec3::new(0.01, 0.01, 0.01),
        ..Pose::default()
    };
    world.set_local(root, pose).unwrap();
    let block = image(&mut world, "Block", root, sized(100.0, 100.0), 100.0, 0.0);
    let corners = [(255.0, 75.0), (255.0, 85.0), (265.0, 85.0), (265.0, 75.0)];
    near(world.screen_rect(block).unwrap(), corners);
    assert_eq!(names(&world, 260.0, 80.0), "Block");
    assert_eq!(names(&world, 250.0, 80.0), "");
    // From behind, and behind the camera.
    let (_, holder) = (view, world.find("Camera").unwrap());
    let behind = Pose {
        position: Vec3::new(5.0, -2.0, 20.0),
        rotation: Quat::from_euler(Vec3::new(0.0, 180.0, 0.0)),
        ..Pose::default()
    };
    world.set_local(holder, behind).unwrap();
    assert_eq!(names(&world, 190.0, 100.0), "");
    let away = Pose { position: Vec3::new(5.0, -2.0, 20.0), ..Pose::default() };
    world.set_local(holder, away).unwrap();
    assert_eq!(names(&world, 210.0, 100.0), "");
    assert_eq!(world.screen_rect(block), None);
    world.destroy(holder).unwrap();
    assert_eq!(names(&world, 260.0, 80.0), "");
}

#[test]
fn canvases_of_a_camera_fill_its_screen() {
    let (mut world, root) = stage();
    image(&mut world, "Over", root, sized(50.0, 50.0), 0.0, 0.0);
    let far = canvas(&mut world, "Far", None);
    let close = canvas(&mut world, "Close", None);
    let view = camera(&mut world, "Camera");
    let holder = world.find("Camera").unwrap();
    let turned = Quat::from_euler(Vec3::new(10.0, 200.0, 30.0));
    let place =
        Pose { position: Vec3::new(7.0, 8.0, 9.0), rotation: turned, scale: Vec3::ONE * 3.0 };
    world.set_local(holder, place).unwrap();
    for (canvas, distance) in [(far, 50.0), (close, 10.0)] {
        let mode = world.enum_value("UnityEngine.RenderMode", 1);
        set(&mut world, canvas, CANVAS, "renderMode", mode);
        set(&mut world, canvas, CANVAS, "planeDistance", Value::Float(distance));
        near(
            world.screen_rect(canvas).unwrap(),
            [(0.0, 0.0), (0.0, 200.0), (400.0, 200.0), (400.0, 0.0)],
        );
    }
    // Until a camera is named, they are overlays, and the last one is on top.
    image(&mut world, "FarBlock", far, sized(100.0, 100.0), 0.0, 0.0);
    let block = image(&mut world, "CloseBlock", close, sized(100.0, 100.0), 0.0, 0.0);
    assert_eq!(names(&world, 201.0, 101.0), "CloseBlock FarBlock Over");
    for canvas in [close, far] {
        set(&mut world, canvas, CANVAS, "worldCamera", Value::Component(view));
    }
    let corners = [(150.0, 50.0), (150.0, 150.0), (250.0, 150.0), (250.0, 50.0)];
    near(world.screen_rect(block).unwrap(), corners);
    assert_eq!(names(&world, 201.0, 101.0), "Over CloseBlock FarBlock");
    assert_eq!(names(&world, 155.0, 145.0), "CloseBlock FarBlock");
    set(&mut world, far, CANVAS, "sortingOrder", Value::Int(1));
    assert_eq!(names(&world, 155.0, 145.0), "FarBlock CloseBlock");
    // Each inside the other: neither waits for the other's place.
    world.reparent(holder, Some(block), false).unwrap();
    assert!(world.pose(block).position.length().is_finite());
}
