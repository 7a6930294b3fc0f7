//! Searches, and what their rows say.

use super::*;

/// The same by looking at one object after the other.
fn slowly(world: &World, roots: &[ObjectId], filter: &Filter) -> Vec<ObjectId> {
    let has = |text: &Option<String>, whole: &str| {
        text.as_ref().is_none_or(|text| whole.to_lowercase().contains(&text.to_lowercase()))
    };
    let is_wanted = |object: &&Object| {
        let path = world.path(object.id());
        let mut classes = object.components().iter().filter_map(|component| component.type_name());
        has(&filter.name, object.name())
            && has(&filter.path, &path)
            && has(&filter.query, &path)
            && (!filter.active_only || world.is_active(object.id()))
            && filter
                .type_name
                .as_ref()
                .is_none_or(|wanted| classes.any(|class| crate::types::short_name(class) == wanted))
    };
    world.descend(roots).filter(is_wanted).map(Object::id).collect()
}

/// Numbers that look like chance and are the same at every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

const NAMES: [&str; 6] = ["Door", "door hinge", "Ä/B", "", "a", "aDOORa"];
const TEXTS: [&str; 9] = ["door", "r/d", "/", "ä/b", "a", "ra", "/a/", "oorad", "hinge/"];

fn change(world: &mut World, ids: &mut Vec<ObjectId>, chance: &mut Chance) {
    let some = ids[chance.below(ids.len())];
    let other = ids[chance.below(ids.len())];
    let name = chance.one_of(&NAMES);
    // Some are gone, and some changes are not possible; that is part of it.
    let _ = match chance.below(10) {
        0..4 => world.create(name, Some(some)).map(|id| ids.push(id)),
        4 => world.create(name, None).map(|id| ids.push(id)),
        5 => world.rename(some, name),
        6 => world.reparent(some, Some(other), true),
        7 => world.set_active(some, chance.below(2) == 0),
        8 if chance.below(3) == 0 => world.destroy(some),
        _ => world.set_rect(some, crate::object::RectData::default()),
    };
}

#[test]
fn rows_say_what_the_objects_say() {
    let mut world = World::default();
    let mut chance = Chance(7);
    let mut ids = vec![world.create("First", None).unwrap()];
    for round in 0..1500 {
        change(&mut world, &mut ids, &mut chance);
        let mut text =
            |often: usize| (chance.below(often) == 0).then(|| chance.one_of(&TEXTS).to_owned());
        let (name, path, query) = (text(2), text(3), text(4));
        let type_name = (chance.below(3) == 0).then(|| "RectTransform".to_owned());
        let filter = Filter { name, path, query, type_name, active_only: chance.below(2) == 0 };
        let roots = world.all_roots();
        let expected = slowly(&world, &roots, &filter);
        let all = world.find_objects(&roots, &filter, 0, usize::MAX);
        assert_eq!((all.total, &all.items), (expected.len(), &expected), "{round}: {filter:?}");
        let page = world.find_objects(&roots, &filter, 2, 3);
        let wanted: Vec<ObjectId> = expected.iter().copied().skip(2).take(3).collect();
        assert_eq!((page.total, page.items), (expected.len(), wanted), "{round}: {filter:?}");
    }
    assert!(world.len() > 300, "{}", world.len());
}
