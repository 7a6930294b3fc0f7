//! Objects: made, moved, nested, found, destroyed.

use super::*;
use crate::math::{Quat, Vec3};
use crate::query::Filter;
use crate::scene::{ComponentData, ObjectData, SceneData};

/// A scene whose objects are given as `name:parent`, parents before children.
fn scene(objects: &[(&str, Option<usize>)]) -> SceneData {
    let object = |(index, (name, parent)): (usize, &(&str, Option<usize>))| ObjectData {
        file_id: index as i64 + 1,
        number: index as i32 + 1,
        parent: *parent,
        name: (*name).into(),
        tag: "Untagged".into(),
        layer: 0,
        active: true,
        is_static: false,
        local: Pose { position: Vec3::new(1.0, 0.0, 0.0), ..Pose::default() },
        rect: None,
        components: vec![ComponentData {
            file_id: index as i64 + 1001,
            number: index as i32 + 1001,
            type_name: Some("UnityEngine.Transform".into()),
            enabled: None,
            saved: None,
        }],
    };
    SceneData {
        name: "Town".into(),
        path: "Assets/Town.unity".into(),
        objects: objects.iter().enumerate().map(object).collect(),
        origin: None,
    }
}

fn town() -> World {
    let mut world = World::default();
    let objects = [("Houses", None), ("House", Some(0)), ("Door", Some(1)), ("Well", None)];
    world.load(scene(&objects), false).unwrap();
    world
}

fn id(world: &World, path: &str) -> ObjectId {
    world.find(path).unwrap()
}

#[test]
fn ids_are_the_same_at_every_load() {
    let (one, mut other) = (town(), town());
    let door = id(&one, "/Houses/House/Door");
    assert_eq!(door, id(&other, "Door"));
    assert!(door.0 > 0);
    other.load(scene(&[("Houses", None), ("House", Some(0)), ("Door", Some(1))]), false).unwrap();
    assert_eq!(door, id(&other, "Door"));
    // A second copy beside the first gets ids of its own.
    other.load(scene(&[("Houses", None)]), true).unwrap();
    let ids: Vec<_> = other.descend(&other.roots()).map(Object::id).collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 4);
}

#[test]
fn what_is_inside_goes_with_it() {
    let mut world = town();
    let (house, door) = (id(&world, "House"), id(&world, "Door"));
    world.select(door).unwrap();
    world.take_events();
    world.destroy(house).unwrap();
    assert!(world.object(door).is_none());
    assert_eq!(world.selection(), []);
    assert_eq!(world.take_events(), [Event::Selection]);
    assert_eq!(world.destroy(house), Err(Refused::NotFound));
    assert_eq!(world.len(), 2);
}

#[test]
fn a_new_parent_leaves_it_in_its_place() {
    let mut world = town();
    let (house, door, well) = (id(&world, "House"), id(&world, "Door"), id(&world, "Well"));
    let turned = Pose { rotation: Quat::from_euler(Vec3::new(0.0, 90.0, 0.0)), ..Pose::default() };
    world.set_local(well, turned).unwrap();
    let before = world.pose(door).position;
    world.reparent(door, Some(well), true).unwrap();
    assert!((world.pose(door).position - before).length() < 1e-4);
    assert_eq!(world.path(door), "/Well/Door");
    assert_eq!(world.reparent(well, Some(door), true), Err(Refused::Cycle));
    assert_eq!(world.reparent(well, Some(well), true), Err(Refused::Cycle));
    world.reparent(door, None, false).unwrap();
    assert_eq!(world.path(door), "/Door");
    assert_eq!(world.object(house).unwrap().children(), []);
}

#[test]
fn a_tower_of_objects_ends_somewhere() {
    let mut world = town();
    let mut top = id(&world, "Well");
    let made = (0..2 * MAX_DEPTH).take_while(|_| match world.create("Block", Some(top)) {
        Ok(block) => {
            top = block;
            true
        }
        Err(refused) => {
            assert_eq!(refused, Refused::TooDeep);
            false
        }
    });
    assert_eq!(made.count(), MAX_DEPTH - 1);
}

#[test]
fn pages_count_everything_that_matches() {
    let world = town();
    let roots = world.roots();
    let search = |filter: Filter, offset, limit| {
        let found = world.find_objects(&roots, &filter, offset, limit);
        let names = found.items.iter().map(|id| world.object(*id).unwrap().name().to_owned());
        (found.total, names.collect::<Vec<_>>())
    };
    let hou = Filter { name: Some("hou".into()), ..Filter::default() };
    assert_eq!(search(hou.clone(), 0, 1), (2, vec!["Houses".to_owned()]));
    assert_eq!(search(hou, 1, 9), (2, vec!["House".to_owned()]));
    let in_path = Filter { query: Some("HOUSE/d".into()), ..Filter::default() };
    assert_eq!(search(in_path, 0, 9), (1, vec!["Door".to_owned()]));
    let all = Filter { type_name: Some("transform".into()), ..Filter::default() };
    assert_eq!(search(all, 3, 9), (4, vec!["Well".to_owned()]));
    let none = Filter { type_name: Some("Nothing".into()), ..Filter::default() };
    assert_eq!(search(none, 0, 9).0, 0);
}

#[test]
fn inactive_parents_hide_their_children() {
    let mut world = town();
    let (houses, door) = (id(&world, "Houses"), id(&world, "Door"));
    world.set_active(houses, false).unwrap();
    assert!(!world.is_active(door) && world.object(door).unwrap().is_active_self());
    assert_eq!(world.find("Door"), None);
    let active = Filter { active_only: true, ..Filter::default() };
    assert_eq!(world.find_objects(&world.roots(), &active, 0, 9).total, 1);
}

#[test]
fn components_come_and_go_but_transforms_stay() {
    let mut world = town();
    let well = id(&world, "Well");
    let light = world.add_component(well, "UnityEngine.Light").unwrap();
    assert_eq!(world.object(well).unwrap().components().len(), 2);
    assert_eq!(world.add_component(well, "UnityEngine.GameObject"), Err(Refused::NoType));
    assert!(world.add_component(well, "UnityEngine.Transform").is_err());
    world.remove_component(light).unwrap();
    assert_eq!(world.remove_component(light), Err(Refused::NoComponent));
    let transform = world.object(well).unwrap().components()[0].id();
    assert!(matches!(world.remove_component(transform), Err(Refused::Transform(_))));
}

#[test]
fn the_test_interface_is_there_once() {
    let mut world = town();
    let first = world.spawn_test_ui().unwrap();
    assert_eq!(world.spawn_test_ui().unwrap(), first);
    assert_eq!(world.path(first.blocks[0].1), "/McpTestCanvas/McpTestBlock_Left");
    assert!(world.find("McpTest_EventSystem").is_some());
    world.destroy_test_ui();
    world.destroy_test_ui();
    assert!(world.object(first.root).is_none());
    assert!(world.find("McpTest_EventSystem").is_some());
}

#[test]
fn what_is_kept_outlives_its_scene() {
    let mut world = town();
    let door = id(&world, "Door");
    world.keep(door).unwrap();
    world.load(scene(&[("Other", None)]), false).unwrap();
    assert_eq!(world.path(door), "/Door");
    assert_eq!(world.scenes().len(), 1);
    assert_eq!(world.kept(), [door]);
}
