//! Rays through worlds of a few colliders.

use std::sync::Arc;

use super::*;
use crate::CAMERA;
use crate::math::{Pose, Quat};
use crate::value::{AssetRef, StructValue, Value};

/// A screen of 200 × 100 pixels, and a camera at the origin that looks forward and sees as far up
/// as away.
fn stage() -> World {
    let mut world = World::default();
    world.screen = (200, 100);
    let object = world.create("Camera", None).unwrap();
    let camera = world.add_component(object, CAMERA).unwrap();
    world.set_member(camera, "fieldOfView", Value::Float(90.0)).unwrap();
    world
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose { position: Vec3::new(x, y, z), ..Pose::default() }
}

fn turned(pose: Pose, x: f32, y: f32, z: f32) -> Pose {
    Pose { rotation: Quat::from_euler(Vec3::new(x, y, z)), ..pose }
}

fn scaled(pose: Pose, x: f32, y: f32, z: f32) -> Pose {
    Pose { scale: Vec3::new(x, y, z), ..pose }
}

/// An object with a collider of this class.
fn put(world: &mut World, name: &str, class: &str, pose: Pose) -> ComponentId {
    let object = world.create(name, None).unwrap();
    // Files may have odd numbers, which nobody can set.
    world.object_mut(object).unwrap().local = pose;
    world.add_component(object, &format!("UnityEngine.{class}")).unwrap()
}

fn set(world: &mut World, id: ComponentId, member: &str, value: Value) {
    world.set_member(id, member, value).unwrap();
}

fn camera(world: &World) -> ComponentId {
    world.game_camera().unwrap()
}

/// Name and point of what is at a pixel.
fn picked(world: &World, x: f32, y: f32) -> Option<(String, Vec3)> {
    let hit = world.pick_world(x, y)?;
    Some((world.object(hit.object).unwrap().name().to_owned(), hit.point))
}

#[track_caller]
fn check(world: &World, pixel: (f32, f32), name: &str, point: (f32, f32, f32)) {
    let (found, met) = picked(world, pixel.0, pixel.1).expect("something is hit");
    assert_eq!(found, name);
    near(met, point);
}

#[track_caller]
fn near(met: Vec3, point: (f32, f32, f32)) {
    let point = Vec3::new(point.0, point.1, point.2);
    assert!((met - point).length() < 1e-3, "{met:?} is not {point:?}");
}

/// The z where a ray forward from here meets something.
fn depth_at(world: &World, x: f32, y: f32) -> Option<f32> {
    let hits = world.ray(Vec3::new(x, y, -100.0), Vec3::FORWARD, 1000.0);
    hits.first().map(|hit| (hit.point.z * 1000.0).round() / 1000.0)
}

const CENTRE: (f32, f32) = (100.0, 50.0);

#[test]
fn the_nearest_of_a_row_wins() {
    let mut world = stage();
    for (name, z) in [("Far", 15.0), ("Near", 5.0), ("Middle", 10.0)] {
        put(&mut world, name, "BoxCollider", at(0.0, 0.0, z));
    }
    check(&world, CENTRE, "Near", (0.0, 0.0, 4.5));
    let hit = world.pick_world(CENTRE.0, CENTRE.1).unwrap();
    near(hit.normal, (0.0, 0.0, -1.0));
    // From the near plane.
    assert!((hit.distance - 4.2).abs() < 1e-4);
    let hits = world.ray(Vec3::ZERO, Vec3::FORWARD * 7.0, 100.0);
    let distances: Vec<f32> = hits.iter().map(|hit| hit.distance).collect();
    assert_eq!(distances, [4.5, 9.5, 14.5]);
    assert_eq!(world.ray(Vec3::ZERO, Vec3::FORWARD, 9.0).len(), 1);
    assert_eq!(world.ray(Vec3::ZERO, -Vec3::FORWARD, 100.0), []);
}

#[test]
fn pixels_off_the_centre_look_aside() {
    let mut world = stage();
    put(&mut world, "Aside", "BoxCollider", at(10.0, -5.0, 10.0));
    // At a distance of 9.5, half the screen is 9.5 high and 19 wide.
    check(&world, (152.0, 24.0), "Aside", (9.88, -4.94, 9.5));
    assert_eq!(picked(&world, 100.0, 50.0), None);
    assert_eq!(picked(&world, 152.0, 76.0), None);
    assert_eq!(picked(&world, 48.0, 24.0), None);
}

#[test]
fn cameras_have_their_part_of_the_screen() {
    let mut world = stage();
    put(&mut world, "Box", "BoxCollider", at(0.0, 0.0, 10.0));
    let fields = [("x", 0.5), ("y", 0.0), ("width", 0.9), ("height", 1.0)];
    let fields = fields.map(|(name, value)| (name.into(), Value::Float(value))).to_vec();
    let rect = StructValue { type_name: "UnityEngine.Rect".into(), fields };
    let camera = camera(&world);
    set(&mut world, camera, "rect", Value::Struct(Arc::new(rect)));
    check(&world, (150.0, 50.0), "Box", (0.0, 0.0, 9.5));
    // A pixel is 0.19 wide there, because the camera's part is square.
    check(&world, (152.0, 50.0), "Box", (0.38, 0.0, 9.5));
    assert_eq!(picked(&world, 100.0, 50.0), None);
}

#[test]
fn orthographic_cameras_look_straight() {
    let mut world = stage();
    let camera = camera(&world);
    set(&mut world, camera, "orthographic", Value::Bool(true));
    // Ten pixels to a unit.
    set(&mut world, camera, "orthographicSize", Value::Float(5.0));
    put(&mut world, "Box", "BoxCollider", at(7.0, -3.0, 20.0));
    check(&world, (170.0, 20.0), "Box", (7.0, -3.0, 19.5));
    check(&world, (174.0, 16.0), "Box", (7.4, -3.4, 19.5));
    assert_eq!(picked(&world, 176.0, 20.0), None);
    let view = world.find("Camera").unwrap();
    world.set_local(view, turned(at(7.0, -3.0, 40.0), 0.0, 180.0, 0.0)).unwrap();
    check(&world, CENTRE, "Box", (7.0, -3.0, 20.5));
}

#[test]
fn boxes_turn_and_grow() {
    let mut world = stage();
    put(&mut world, "Turned", "BoxCollider", turned(at(0.0, 0.0, 10.0), 0.0, 45.0, 0.0));
    assert_eq!(depth_at(&world, 0.0, 0.0), Some(9.293));
    assert_eq!(depth_at(&world, 0.5, 0.0), Some(9.793));
    assert_eq!(depth_at(&world, 0.75, 0.0), None);

    let pose = scaled(at(50.0, 0.0, 10.0), -4.0, 1.0, 3.0);
    let collider = put(&mut world, "Scaled", "BoxCollider", pose);
    set(&mut world, collider, "size", Value::Vec3(Vec3::new(1.0, 1.0, 2.0)));
    set(&mut world, collider, "center", Value::Vec3(Vec3::new(1.0, 0.0, 0.0)));
    // The mirrored centre is at 46, and the box reaches from 44 to 48.
    assert_eq!(depth_at(&world, 44.1, 0.0), Some(7.0));
    assert_eq!(depth_at(&world, 47.9, 0.0), Some(7.0));
    assert_eq!(depth_at(&world, 48.1, 0.0), None);

    let parent = world.create("Parent", None).unwrap();
    world.set_local(parent, scaled(at(0.0, 0.0, 10.0), 2.0, 2.0, 2.0)).unwrap();
    let scaled = world.find("Scaled").unwrap();
    world.reparent(scaled, Some(parent), false).unwrap();
    // The parent puts it at (100, 0, 30), centre at 92, twice as large.
    assert_eq!(depth_at(&world, 88.1, 0.9), Some(24.0));
    assert_eq!(depth_at(&world, 88.1, 1.1), None);
}

#[test]
fn what_is_set_after_a_pick_counts() {
    let mut world = stage();
    let collider = put(&mut world, "Box", "BoxCollider", at(0.0, 0.0, 10.0));
    assert_eq!(depth_at(&world, 0.0, 0.0), Some(9.5));
    set(&mut world, collider, "size", Value::Vec3(Vec3::new(1.0, 1.0, 4.0)));
    assert_eq!(depth_at(&world, 0.0, 0.0), Some(8.0));
}

#[test]
fn spheres_take_the_largest_scale() {
    let mut world = stage();
    put(&mut world, "Ball", "SphereCollider", scaled(at(0.0, 0.0, 10.0), 1.0, -3.0, 2.0));
    assert_eq!(depth_at(&world, 0.0, 0.0), Some(8.5));
    assert_eq!(depth_at(&world, 1.2, 0.0), Some(9.1));
    assert_eq!(depth_at(&world, 0.0, 1.49).map(f32::round), Some(10.0));
    assert_eq!(depth_at(&world, 1.51, 0.0), None);
}

#[test]
fn small_and_far_is_still_round() {
    let mut world = stage();
    put(&mut world, "Ball", "SphereCollider", at(0.0, 0.0, 9000.0));
    let aside = |x: f32| {
        let hits = world.ray(Vec3::new(x, 0.0, 0.0), Vec3::FORWARD, 10_000.0);
        hits.first().map(|hit| hit.point.z)
    };
    assert!((aside(0.0).unwrap() - 8999.5).abs() < 2e-3);
    assert!((aside(0.3).unwrap() - 8999.6).abs() < 2e-3);
    assert_eq!(aside(0.51), None);
}

#[test]
fn capsules_lie_along_their_direction() {
    let capsule = |direction: i64, pose: Pose| {
        let mut world = stage();
        let collider = put(&mut world, "Capsule", "CapsuleCollider", pose);
        set(&mut world, collider, "height", Value::Float(4.0));
        set(&mut world, collider, "direction", Value::Int(direction));
        world
    };
    let ends = |world: &World| {
        [(0.0, 0.0), (1.9, 0.0), (0.0, 1.9)].map(|(x, y)| depth_at(world, x, y).is_some())
    };
    let straight = at(0.0, 0.0, 10.0);
    assert_eq!(ends(&capsule(0, straight)), [true, true, false]);
    assert_eq!(ends(&capsule(1, straight)), [true, false, true]);
    assert_eq!(ends(&capsule(2, straight)), [true, false, false]);
    assert_eq!(depth_at(&capsule(0, straight), 1.5, 0.0), Some(9.5));
    assert_eq!(depth_at(&capsule(2, straight), 0.0, 0.0), Some(8.0));
    assert_eq!(ends(&capsule(1, turned(straight, 0.0, 0.0, 90.0))), [true, true, false]);
    // The height grows by y, the radius by the larger of x and z.
    let grown = capsule(1, scaled(straight, 2.0, 3.0, 1.0));
    assert_eq!(depth_at(&grown, 0.0, 0.0), Some(9.0));
    assert_eq!(depth_at(&grown, 0.9, 0.0).map(f32::round), Some(10.0));
    assert!(depth_at(&grown, 0.0, 5.9).is_some() && depth_at(&grown, 0.0, 6.1).is_none());
    // Never less high than wide.
    let ball = capsule(1, scaled(straight, 8.0, 1.0, 1.0));
    assert_eq!(depth_at(&ball, 0.0, 0.0), Some(6.0));
    assert_eq!(depth_at(&ball, 0.0, 2.4), Some(6.8));
}

#[test]
fn characters_stay_upright() {
    let mut world = stage();
    let pose = turned(at(0.0, 0.0, 10.0), 0.0, 0.0, 90.0);
    put(&mut world, "Hero", "CharacterController", pose);
    assert_eq!(depth_at(&world, 0.0, 0.5), Some(9.5));
    assert!(depth_at(&world, 0.0, 0.95).is_some());
    assert_eq!(depth_at(&world, 0.95, 0.0), None);
}

#[test]
fn what_is_switched_off_is_not_met() {
    let mut world = stage();
    let collider = put(&mut world, "Box", "BoxCollider", at(0.0, 0.0, 10.0));
    let object = world.find("Box").unwrap();
    let is_met = |world: &World| world.pick_world(CENTRE.0, CENTRE.1).is_some();
    set(&mut world, collider, "isTrigger", Value::Bool(true));
    assert!(is_met(&world));
    set(&mut world, collider, "enabled", Value::Bool(false));
    assert!(!is_met(&world));
    set(&mut world, collider, "enabled", Value::Bool(true));
    world.set_object_member(object, "layer", Value::Int(2)).unwrap();
    assert!(!is_met(&world));
    world.set_object_member(object, "layer", Value::Int(3)).unwrap();
    assert!(is_met(&world));
    let parent = world.create("Parent", None).unwrap();
    world.reparent(object, Some(parent), true).unwrap();
    world.set_active(parent, false).unwrap();
    assert!(!is_met(&world));
    world.set_active(parent, true).unwrap();
    let camera = camera(&world);
    set(&mut world, camera, "enabled", Value::Bool(false));
    assert!(!is_met(&world));
    assert_eq!(World::default().pick_world(1.0, 1.0), None);
}

#[test]
fn nothing_is_met_beyond_the_clip_planes() {
    let mut world = stage();
    put(&mut world, "Box", "BoxCollider", at(0.0, 0.0, 10.0));
    let camera = camera(&world);
    for (near, far, is_met) in [(1.0, 9.4, false), (1.0, 9.6, true), (9.4, 20.0, true)] {
        set(&mut world, camera, "nearClipPlane", Value::Float(near));
        set(&mut world, camera, "farClipPlane", Value::Float(far));
        assert_eq!(world.pick_world(CENTRE.0, CENTRE.1).is_some(), is_met, "{near} to {far}");
    }
    // The planes are flat: in a corner, rays are longer.
    put(&mut world, "Corner", "BoxCollider", at(9.5, 9.5, 10.0));
    set(&mut world, camera, "farClipPlane", Value::Float(9.6));
    check(&world, (149.0, 99.0), "Corner", (9.31, 9.31, 9.5));
    set(&mut world, camera, "farClipPlane", Value::Float(20.0));
    // The ray starts inside the box, so it does not meet it.
    set(&mut world, camera, "nearClipPlane", Value::Float(10.0));
    assert_eq!(world.pick_world(CENTRE.0, CENTRE.1), None);
}

/// Refers to a mesh; without a path it is one that Unity brings.
fn mesh(name: &str, path: &str) -> Value {
    let type_name = "UnityEngine.Mesh".into();
    Value::Asset(Arc::new(AssetRef {
        type_name,
        name: name.into(),
        path: path.into(),
        id: 7,
        source: Default::default(),
    }))
}

fn put_mesh(world: &mut World, mesh: Value, pose: Pose) -> ComponentId {
    let collider = put(world, "Mesh", "MeshCollider", pose);
    set(world, collider, "sharedMesh", mesh);
    collider
}

#[test]
fn built_in_meshes_are_met_at_their_fronts() {
    let first = |name: &str, from: Vec3, to: Vec3| {
        let mut world = stage();
        put_mesh(&mut world, mesh(name, ""), Pose::default());
        let hits = world.ray(from, to - from, 100.0);
        hits.first().map(|hit| (hit.distance * 100.0).round() / 100.0)
    };
    let (front, above) = (Vec3::FORWARD * -10.0, Vec3::UP * 10.0);
    for (name, from_front, from_above) in [
        ("Cube", Some(9.5), Some(9.5)),
        ("Sphere", Some(9.5), Some(9.5)),
        ("Capsule", Some(9.5), Some(9.0)),
        ("Cylinder", Some(9.5), Some(9.0)),
        ("Plane", None, Some(10.0)),
        ("Quad", Some(10.0), None),
        ("Teapot", None, None),
    ] {
        assert_eq!(first(name, front, Vec3::ZERO), from_front, "{name}");
        assert_eq!(first(name, above, Vec3::ZERO), from_above, "{name}");
    }
    // From every side of the closed ones, and from no back of the open ones.
    for name in ["Cube", "Sphere", "Capsule", "Cylinder"] {
        for from in [front, above, -front, -above, Vec3::RIGHT * 10.0, Vec3::new(9.0, 8.0, -7.0)] {
            assert!(first(name, from, Vec3::ZERO).is_some(), "{name} from {from:?}");
        }
        assert_eq!(first(name, Vec3::ZERO, front), None);
    }
    assert_eq!(first("Plane", -above, Vec3::ZERO), None);
    assert_eq!(first("Quad", -front, Vec3::ZERO), None);
    assert_eq!(first("Plane", above, Vec3::new(4.9, 0.0, -4.9)), Some(12.17));
    assert_eq!(first("Plane", above, Vec3::new(5.1, 0.0, 0.0)), None);
}

/// Knows one mesh: two squares beside each other, with a gap of 2 between them.
#[derive(Debug)]
struct Squares(Arc<MeshData>);

impl Squares {
    fn new() -> Squares {
        let square = |x: f32| [(x, -1.0), (x, 1.0), (x + 1.0, 1.0), (x + 1.0, -1.0)];
        let points = [square(-2.0), square(1.0)].concat();
        let points: Vec<Vec3> = points.into_iter().map(|(x, y)| Vec3::new(x, y, 0.0)).collect();
        let mut triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        triangles.push([0, 1, 99]);
        Squares(Arc::new(MeshData::new(&points, triangles)))
    }
}

impl Meshes for Squares {
    fn triangles(&self, asset: &AssetRef) -> Option<Arc<MeshData>> {
        (&*asset.path == "Assets/Squares.fbx").then(|| self.0.clone())
    }
}

#[test]
fn meshes_of_the_project_are_met_and_unknown_ones_counted() {
    let mut world = stage();
    world.meshes = Arc::new(Squares::new());
    let pose = scaled(at(0.0, 0.0, 10.0), 3.0, 1.0, 1.0);
    let collider = put_mesh(&mut world, mesh("Squares", "Assets/Squares.fbx"), pose);
    assert_eq!(depth_at(&world, 4.0, 0.5), Some(10.0));
    assert_eq!(depth_at(&world, 0.0, 0.0), None);
    set(&mut world, collider, "convex", Value::Bool(true));
    assert_eq!(depth_at(&world, 0.0, 0.0), Some(10.0));
    assert_eq!(depth_at(&world, 5.9, 0.9), Some(10.0));
    assert_eq!(depth_at(&world, 6.1, 0.0), None);
    assert_eq!(world.colliders_passed_over(), 0);

    put_mesh(&mut world, mesh("Cube", "Assets/Other.fbx"), at(50.0, 0.0, 0.0));
    put_mesh(&mut world, Value::Null, Pose::default());
    put(&mut world, "Terrain", "TerrainCollider", Pose::default());
    assert_eq!(depth_at(&world, 50.0, 0.0), None);
    assert_eq!(world.colliders_passed_over(), 2);
    let terrain = world.find("Terrain").unwrap();
    world.set_active(terrain, false).unwrap();
    assert_eq!(world.colliders_passed_over(), 1);
}

#[test]
fn uneven_meshes_have_normals_that_stand_on_them() {
    let mut world = stage();
    let pose = scaled(turned(at(0.0, 0.0, 10.0), 45.0, 0.0, 0.0), 1.0, 7.0, 2.0);
    put_mesh(&mut world, mesh("Quad", ""), pose);
    let hit = world.pick_world(CENTRE.0, CENTRE.1).unwrap();
    near(hit.normal, (0.0, 0.5_f32.sqrt(), -(0.5_f32.sqrt())));
    near(hit.point, (0.0, 0.0, 10.0));
    let mut world = stage();
    put_mesh(&mut world, mesh("Cube", ""), scaled(at(0.0, 0.0, 10.0), 5.0, 1.0, -4.0));
    let hit = world.pick_world(CENTRE.0, CENTRE.1).unwrap();
    near(hit.normal, (0.0, 0.0, -1.0));
    near(hit.point, (0.0, 0.0, 8.0));
}

#[test]
fn odd_numbers_meet_nothing() {
    let odd = [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE];
    for number in odd {
        let mut world = stage();
        for class in ["BoxCollider", "SphereCollider", "CapsuleCollider", "CharacterController"] {
            put(&mut world, class, class, scaled(at(0.0, 0.0, 5.0), 1.0, 1.0, number));
            put(&mut world, class, class, at(number, 0.0, 5.0));
        }
        for convex in [false, true] {
            let pose = scaled(at(number, 0.0, 5.0), number, 1.0, 1.0);
            let collider = put_mesh(&mut world, mesh("Sphere", ""), pose);
            set(&mut world, collider, "convex", Value::Bool(convex));
        }
        let camera = camera(&world);
        for member in ["nearClipPlane", "farClipPlane", "fieldOfView", "orthographicSize"] {
            set(&mut world, camera, member, Value::Float(number));
            let hit = world.pick_world(CENTRE.0, CENTRE.1);
            assert!(hit.is_none_or(|hit| hit.distance.is_finite()), "{member} {number}");
        }
        assert_eq!(world.pick_world(f32::NAN, number), None);
        assert_eq!(world.ray(Vec3::new(f32::NAN, 0.0, 0.0), Vec3::FORWARD, 9.0), []);
        assert_eq!(world.ray(Vec3::ZERO, Vec3::ZERO, number), []);
    }
    let empty = MeshData::new(&[], vec![[0, 1, 2]]);
    assert_eq!(empty.reach, 0.0);
}
