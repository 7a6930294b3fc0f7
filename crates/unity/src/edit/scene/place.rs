//! Values that are set, and objects that change their names and places.

use serde_json::Value;

use super::attach::Child;
use super::create::{Turn, check_name, quaternion, vector};
use super::encode::number_of;
use super::fields::Owner;
use super::{Done, Editor, FileKind, Refusal, Seen};
use crate::edit::New;
use crate::edit::address::{Part, parts, property_path};
use crate::edit::kind::Kind;
use crate::hierarchy::{Data, Stated};
use crate::pose::{Pose, to_euler};
use crate::{ClassId, FileId};

const MATERIAL: ClassId = ClassId(21);
/// More above each other nobody has; a circle ends here.
const MOST: usize = 1000;

impl Editor<'_> {
    /// Set a field of a component; of the object, when none is named; of the only object of an
    /// asset.
    pub fn set(
        &mut self,
        object: Option<&str>,
        component: Option<&str>,
        field: &str,
        value: &Value,
    ) -> Result<Done, Refusal> {
        let (owner, seen) = self.owner(object, component)?;
        let is_transform = owner.class.is_a(ClassId::TRANSFORM);
        // No field of a transform takes a string.
        let inside = crate::edit::json_inside(value).filter(|_| is_transform);
        let value = inside.as_ref().unwrap_or(value);
        if let (Some(seen), true) = (&seen, is_transform)
            && let Some(done) = self.set_place(seen, &owner, field, value)?
        {
            return Ok(done);
        }
        self.set_on(&owner, seen.as_ref(), field, value)
    }

    /// The same where the owner is known.
    pub(super) fn set_field(
        &mut self,
        owner: &Owner,
        field: &str,
        value: &Value,
    ) -> Result<Done, Refusal> {
        self.set_on(owner, None, field, value)
    }

    fn set_on(
        &mut self,
        owner: &Owner,
        seen: Option<&Seen>,
        field: &str,
        value: &Value,
    ) -> Result<Done, Refusal> {
        if owner.class == MATERIAL
            && let Some(done) = self.set_material(owner, field, value)?
        {
            return Ok(done);
        }
        if let Some(done) = self.set_sorting(owner, seen, field, value)? {
            return Ok(done);
        }
        if let Some(done) = self.set_alignment(owner, seen, field, value)? {
            return Ok(done);
        }
        self.set_value(owner, seen, field, value)
    }

    pub(super) fn set_value(
        &mut self,
        owner: &Owner,
        seen: Option<&Seen>,
        field: &str,
        value: &Value,
    ) -> Result<Done, Refusal> {
        let known = self.field(owner, field)?;
        let value = self.by_name(owner, &known.parts, value)?;
        let value = self.read_text(&known.kind, &value, known.now.as_ref());
        let in_words = |mut refusal: Refusal| {
            refusal.message = format!("{field} of {}: {}", owner.shown, refusal.message);
            refusal
        };
        let is_name =
            owner.class == ClassId::GAME_OBJECT && property_path(&known.parts) == "m_Name";
        if is_name {
            self.settle();
        }
        let changed = match self.set_map(owner, &known, &value).map_err(in_words)? {
            Some(changed) => changed,
            None => {
                let new = self.encode(&known.kind, &value, known.now.as_ref()).map_err(in_words)?;
                match known.parts.last() {
                    Some(Part::Size) => self.resize(owner, &known.parts, &new)?,
                    _ => self
                        .put_kind(owner.at, &known.parts, &known.kind, &new)
                        .map_err(in_words)?,
                }
            }
        };
        self.settle_managed(owner)?;
        if is_name {
            self.renamed(owner.at, value.as_str());
        }
        self.forget_values(owner.at);
        let changed = self.set_twin(owner, &known.parts, &value)? | changed;
        let mut done = self.done(owner, seen, &known, changed);
        if is_name && changed {
            done.path = self.find_id(self.id_of(owner.at))?.path;
        }
        Ok(done)
    }

    /// Give a list another size: what is added repeats the last item.
    pub(super) fn resize(
        &mut self,
        owner: &Owner,
        at: &[Part],
        new: &New,
    ) -> Result<bool, Refusal> {
        if let Stated::Override { .. } = owner.at {
            return self.put(owner.at, at, new);
        }
        let New::Number(size) = new else { return Ok(false) };
        let size: usize = size.parse().unwrap_or(0);
        if size > 1 << 16 {
            return Err(Refusal::new(format!("a list of {size} items is more than is made here")));
        }
        let list = &at[..at.len() - 1];
        let kind = super::fields::kind_at(&self.root_kind(owner), list).unwrap_or_default();
        let now = self.data(owner.at, list);
        let items = super::packed::items(&kind, now.as_ref());
        let mut items: Vec<New> = items.iter().map(super::encode::new_of).collect();
        let zero = || super::encode::zero(&kind.item().unwrap_or_default());
        let fill = items.last().cloned().unwrap_or_else(zero);
        items.resize(size, fill);
        self.put_kind(owner.at, list, &kind, &New::List(items))
    }

    /// What C# has of a transform and files have otherwise: places in the world, angles, corners.
    fn set_place(
        &mut self,
        seen: &Seen,
        owner: &Owner,
        field: &str,
        value: &Value,
    ) -> Result<Option<Done>, Refusal> {
        let wrong = || super::encode::wrong(&Kind::Inline(&["x", "y", "z"]), value);
        let three = || three(value).ok_or_else(wrong);
        let is_rect = owner.class == ClassId::RECT_TRANSFORM;
        let changed = match field {
            "position" | "localPosition" if is_rect && self.parent(seen)?.is_some() => {
                let position = three()?;
                let local = match field {
                    "position" => {
                        let world = Pose { position, ..self.world(seen)? };
                        self.in_parent(seen, &world)?.position
                    }
                    _ => position,
                };
                self.set_anchored(seen, owner, local)?
            }
            "position" => {
                let world = Pose { position: three()?, ..self.world(seen)? };
                let local = self.in_parent(seen, &world)?;
                self.put(owner.at, &parts("m_LocalPosition"), &vector(local.position))?
            }
            "rotation" | "eulerAngles" | "localRotation" | "localEulerAngles"
            | "m_LocalRotation"
                if turn(value).is_some() =>
            {
                let turn = turn(value).ok_or_else(wrong)?;
                let turn = match field {
                    "rotation" | "eulerAngles" => {
                        let world = Pose { rotation: turn.quaternion(), ..self.world(seen)? };
                        let has_parent = self.parent(seen)?.is_some();
                        let local = self.in_parent(seen, &world)?;
                        if has_parent { Turn::Quaternion(local.rotation) } else { turn }
                    }
                    _ => turn,
                };
                let mut changed =
                    self.put(owner.at, &parts("m_LocalRotation"), &quaternion(turn.quaternion()))?;
                if self.data(owner.at, &parts("m_LocalEulerAnglesHint")).is_some() {
                    changed |= self.put(
                        owner.at,
                        &parts("m_LocalEulerAnglesHint"),
                        &vector(turn.angles()),
                    )?;
                }
                changed
            }
            "offsetMin" | "offsetMax" if is_rect => {
                self.set_offset(owner, field == "offsetMax", value)?
            }
            _ => return Ok(None),
        };
        self.forget_values(owner.at);
        let id = self.id_of(owner.at);
        let remarks =
            if changed { Vec::new() } else { vec![format!("{field} had this value already")] };
        Ok(Some(Done {
            path: seen.path.clone(),
            id: Some(self.id_of(seen.at)),
            component: Some(("Transform".to_owned(), id)),
            field: Some(field.to_owned()),
            changed,
            remarks,
        }))
    }

    /// Where a rectangle is in its parent: Unity reckons that from the anchors, and reads only the depth of
    /// what is written beside them.
    fn set_anchored(
        &mut self,
        seen: &Seen,
        owner: &Owner,
        [x, y, z]: [f64; 3],
    ) -> Result<bool, Refusal> {
        let (min, max) =
            (self.pair_at(owner.at, "m_AnchorMin"), self.pair_at(owner.at, "m_AnchorMax"));
        let parent = self.parent(seen)?;
        let held = parent.as_ref().and_then(|parent| parent.transform().ok());
        // A canvas that follows the screen is saved without size, and has its pivot in the middle.
        let pivot =
            held.filter(|held| held.class == ClassId::RECT_TRANSFORM).map(|held| {
                match self.number_at(held.at, "m_LocalScale.x") {
                    Some(0.0) => [0.5; 2],
                    _ => self.pair_at(held.at, "m_Pivot"),
                }
            });
        if pivot.is_some_and(|pivot| min != max || min != pivot) {
            let text =
                format!("where {} is follows from its anchors and its parent's size", seen.path);
            return Err(Refusal::new(text).hint(
                "set anchoredPosition, offsetMin or offsetMax; localPosition.z is its depth",
            ));
        }
        let pair = New::flow([("x", x as f32), ("y", y as f32)]);
        let changed = self.put(owner.at, &parts("m_AnchoredPosition"), &pair)?;
        let depth = New::float(z as f32);
        Ok(self.put(owner.at, &parts("m_LocalPosition.z"), &depth)? | changed)
    }

    fn pair_at(&mut self, at: Stated, key: &str) -> [f64; 2] {
        ["x", "y"].map(|part| self.number_at(at, &format!("{key}.{part}")).unwrap_or(0.0))
    }

    /// The lower left or upper right corner, from its anchor.
    fn set_offset(&mut self, owner: &Owner, is_max: bool, value: &Value) -> Result<bool, Refusal> {
        let corner = pair(value);
        let corner =
            corner.ok_or_else(|| super::encode::wrong(&Kind::Inline(&["x", "y"]), value))?;
        let place = self.pair_at(owner.at, "m_AnchoredPosition");
        let size = self.pair_at(owner.at, "m_SizeDelta");
        let pivot = self.pair_at(owner.at, "m_Pivot");
        let min: [f64; 2] = std::array::from_fn(|at| place[at] - size[at] * pivot[at]);
        let max: [f64; 2] = std::array::from_fn(|at| min[at] + size[at]);
        let (min, max) = if is_max { (min, corner) } else { (corner, max) };
        let size: [f64; 2] = std::array::from_fn(|at| max[at] - min[at]);
        let place: [f64; 2] = std::array::from_fn(|at| min[at] + size[at] * pivot[at]);
        let flow = |[x, y]: [f64; 2]| New::flow([("x", x as f32), ("y", y as f32)]);
        let changed = self.put(owner.at, &parts("m_AnchoredPosition"), &flow(place))?;
        Ok(self.put(owner.at, &parts("m_SizeDelta"), &flow(size))? | changed)
    }

    fn number_at(&mut self, at: Stated, path: &str) -> Option<f64> {
        match self.data(at, &parts(path))? {
            Data::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Where an object is in its parent.
    fn local(&mut self, seen: &Seen) -> Result<Pose, Refusal> {
        let pose = self.local_of_whole(seen)?;
        match self.three_at(seen.transform()?.at, "m_LocalScale") {
            Some(_) => Ok(pose),
            None => Err(unread("how large", &seen.path)),
        }
    }

    /// The same of a whole: how large a model is only its importer knows, where no file says it.
    fn local_of_whole(&mut self, seen: &Seen) -> Result<Pose, Refusal> {
        let at = seen.transform()?.at;
        let mut three =
            |field: &str| self.three_at(at, field).ok_or_else(|| unread("where", &seen.path));
        let (position, [x, y, z]) = (three("m_LocalPosition")?, three("m_LocalRotation")?);
        let scale = self.three_at(at, "m_LocalScale").unwrap_or(Pose::default().scale);
        let w = self.number_at(at, "m_LocalRotation.w").unwrap_or(1.0);
        Ok(Pose { position, rotation: [x, y, z, w], scale })
    }

    fn three_at(&mut self, at: Stated, field: &str) -> Option<[f64; 3]> {
        let mut read = |part: &str| self.number_at(at, &format!("{field}.{part}"));
        Some([read("x")?, read("y")?, read("z")?])
    }

    /// Where an object is in the world.
    pub(super) fn world(&mut self, seen: &Seen) -> Result<Pose, Refusal> {
        let pose = self.local(seen)?;
        self.outward(seen, pose)
    }

    fn world_of_whole(&mut self, seen: &Seen) -> Result<Pose, Refusal> {
        let pose = self.local_of_whole(seen)?;
        self.outward(seen, pose)
    }

    /// A place in the parent of an object, as the world sees it.
    fn outward(&mut self, seen: &Seen, pose: Pose) -> Result<Pose, Refusal> {
        match self.parent(seen)? {
            Some(parent) => Ok(self.inside(&parent)?.outward(&pose)),
            None => Ok(pose),
        }
    }

    /// The place that what is in an object is reckoned from. The root of a canvas that follows the screen is
    /// saved with a size of zero, and what is known only when it runs; so a zero counts as one.
    fn inside(&mut self, seen: &Seen) -> Result<Pose, Refusal> {
        let mut pose = Pose::default();
        let mut above = Some(seen.clone());
        for _ in 0..MOST {
            let Some(one) = above else { break };
            let local = self.local(&one)?;
            let scale = local.scale.map(|part| if part == 0.0 { 1.0 } else { part });
            pose = Pose { scale, ..local }.outward(&pose);
            above = self.parent(&one)?;
        }
        Ok(pose)
    }

    /// A place in the world, as the parent of an object sees it.
    fn in_parent(&mut self, seen: &Seen, world: &Pose) -> Result<Pose, Refusal> {
        match self.parent(seen)? {
            Some(parent) => Ok(self.inside(&parent)?.inward(world)),
            None => Ok(*world),
        }
    }

    /// Give an object another name.
    pub fn rename(&mut self, object: &str, name: &str) -> Result<Done, Refusal> {
        check_name(name)?;
        if self.kind == FileKind::Asset {
            return self.set(Some(object), None, "m_Name", &name.into());
        }
        self.settle();
        let seen = self.find_whole(object)?;
        let changed = self.put(seen.at, &parts("m_Name"), &New::Text(name.to_owned()))?;
        self.renamed(seen.at, Some(name));
        let seen = self.find_id(self.id_of(seen.at))?;
        let id = Some(self.id_of(seen.at));
        let remarks =
            if changed { Vec::new() } else { vec!["it had this name already".to_owned()] };
        Ok(Done { path: seen.path, id, changed, remarks, ..Done::default() })
    }

    /// An object has another name now.
    fn renamed(&mut self, at: Stated, name: Option<&str>) {
        match (at, name) {
            (Stated::Here(id), Some(name)) => self.change_tree(|tree| tree.rename(id, name)),
            (Stated::Override { .. }, Some(_)) => self.change_tree(|_| true),
            _ => self.forget_tree(),
        }
    }

    /// Put an object into another parent, or to another place among its siblings.
    pub fn reparent(
        &mut self,
        object: &str,
        parent: Option<&str>,
        index: Option<usize>,
        keep_world: bool,
    ) -> Result<Done, Refusal> {
        let seen = self.find_whole(object)?;
        let before = self.parent(&seen)?;
        let after = match parent {
            Some(path) => self.parent_named(path)?,
            None => before.clone(),
        };
        self.check_move(&seen, before.as_ref(), after.as_ref())?;
        let is_same = before.as_ref().map(|seen| seen.at) == after.as_ref().map(|seen| seen.at);
        let place = self.place_of(&seen, before.as_ref())?;
        let last = self.count_in(before.as_ref()).saturating_sub(1);
        if is_same && index.map(|index| index.min(last)).or(place) == place {
            let remarks = vec!["it is there already".to_owned()];
            let id = Some(self.id_of(seen.at));
            return Ok(Done { path: seen.path, id, remarks, ..Done::default() });
        }
        let world = match keep_world && !is_same {
            true => Some(self.world_of_whole(&seen)?),
            false => None,
        };
        let child = Child::of(&seen)?;
        let above = before.as_ref().and_then(|before| self.stands_for(before.transform().ok()?.at));
        self.left.extend(above);
        self.unhang(child, before.as_ref())?;
        let (place, _) = self.hang(child, after.as_ref(), index)?;
        self.left.extend(self.stands_for(child.transform));
        let hung = self.hung(child, after.as_ref(), place);
        match (seen.at, seen.root_of) {
            _ if after.is_none() && self.hides_roots => self.forget_tree(),
            (Stated::Here(id), _) | (_, Some(id)) => {
                self.change_tree(|tree| tree.reparent(id, hung));
            }
            _ => self.forget_tree(),
        }
        let seen = self.find_id(self.id_of(seen.at))?;
        let remarks = match world {
            Some(world) => self.keep_world(&seen, &world)?,
            None => Vec::new(),
        };
        let id = Some(self.id_of(seen.at));
        Ok(Done { path: seen.path, id, changed: true, remarks, ..Done::default() })
    }

    fn check_move(
        &mut self,
        seen: &Seen,
        before: Option<&Seen>,
        after: Option<&Seen>,
    ) -> Result<(), Refusal> {
        if before.is_none() && self.kind == FileKind::Prefab {
            return Err(Refusal::new(format!(
                "{} is the root of the prefab and stays it",
                seen.path
            )));
        }
        if let (Stated::Override { .. }, None) = (seen.at, seen.root_of) {
            let text = format!(
                "{} is inside a prefab instance and stays where the prefab has it",
                seen.path
            );
            return Err(Refusal::new(text).hint("move it in the prefab itself"));
        }
        let mut above = after.cloned();
        for _ in 0..MOST {
            let Some(one) = above else { return Ok(()) };
            if one.at == seen.at {
                let text = format!("{} cannot go into itself or into what is in it", seen.path);
                return Err(Refusal::new(text));
            }
            above = self.parent(&one)?;
        }
        Ok(())
    }

    /// Stay where it was in the world, in another parent. Returns what could not be kept.
    fn keep_world(&mut self, seen: &Seen, world: &Pose) -> Result<Vec<String>, Refusal> {
        let (at, class) = (seen.transform()?.at, seen.transform()?.class);
        let was = self.local_of_whole(seen)?;
        let local = self.in_parent(seen, world)?;
        let near =
            |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-6);
        let is_rect = class == ClassId::RECT_TRANSFORM;
        if !near(&was.position, &local.position) && !is_rect {
            self.put(at, &parts("m_LocalPosition"), &vector(local.position.map(tidy)))?;
        }
        if !near(&was.rotation, &local.rotation) {
            let turn = local.rotation.map(tidy);
            self.put(at, &parts("m_LocalRotation"), &quaternion(turn))?;
            self.put(at, &parts("m_LocalEulerAnglesHint"), &vector(to_euler(turn)))?;
        }
        if !near(&was.scale, &local.scale) {
            if self.three_at(at, "m_LocalScale").is_none() {
                return Err(unread("how large", &seen.name));
            }
            self.put(at, &parts("m_LocalScale"), &vector(local.scale.map(tidy)))?;
        }
        let remark = "it keeps its anchors and anchored position: where a RectTransform is in the world \
                      depends on sizes that are known when the game runs";
        Ok(is_rect.then(|| remark.to_owned()).into_iter().collect())
    }

    /// Put the children of an object into its parent, where they are in the world.
    pub fn lift_children(&mut self, object: &str) -> Result<(), Refusal> {
        let seen = self.find(object)?;
        let parent = self.parent(&seen)?;
        let parent = parent.map(|parent| format!("#{}", self.id_of(parent.at)));
        for child in self.children(&seen)? {
            let id = format!("#{}", self.id_of(child.at));
            self.reparent(&id, Some(parent.as_deref().unwrap_or_default()), None, true)?;
        }
        Ok(())
    }

    /// The path of the first object with a component of a class.
    pub fn first_with(&mut self, class: &str) -> Result<String, Refusal> {
        let classes = self.project.classes;
        let tree = self.tree();
        let mut known = Vec::new();
        for node in tree.objects() {
            let Ok(seen) = Seen::of(&node, classes) else { continue };
            if seen.component(class).is_ok() {
                return Ok(seen.path);
            }
            known.extend(seen.components.into_iter().map(|held| held.name));
        }
        known.sort();
        known.dedup();
        Err(Refusal::new(format!("no object of the file has a component {class}"))
            .choices(class, known))
    }

    /// The id of an object that a path leads to, for who goes on from here.
    pub fn id_at(&mut self, path: &str) -> Option<FileId> {
        let seen = self.find(path).ok()?;
        Some(self.id_of(seen.at))
    }
}

fn unread(what: &str, object: &str) -> Refusal {
    let hint = "keepWorld false moves it as it is in its parent";
    Refusal::new(format!("{what} {object} is cannot be read")).hint(hint)
}

/// A number without what only reckoning left of it.
fn tidy(number: f64) -> f64 {
    let short = (number * 1e6).round() / 1e6;
    if (short - number).abs() < 1e-9 { short } else { number }
}

fn three(value: &Value) -> Option<[f64; 3]> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [x, y, z] => Some([number_of(x)?, number_of(y)?, number_of(z)?]),
            _ => None,
        },
        Value::Object(map) => {
            let part = |key: &str| map.get(key).and_then(number_of);
            Some([part("x")?, part("y")?, part("z")?])
        }
        _ => None,
    }
}

fn pair(value: &Value) -> Option<[f64; 2]> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [x, y] => Some([number_of(x)?, number_of(y)?]),
            _ => None,
        },
        Value::Object(map) => {
            Some([map.get("x").and_then(number_of)?, map.get("y").and_then(number_of)?])
        }
        _ => None,
    }
}

/// Angles in degrees, or a quaternion.
fn turn(value: &Value) -> Option<Turn> {
    let four = match value {
        Value::Array(items) => match items.as_slice() {
            [x, y, z, w] => Some([number_of(x)?, number_of(y)?, number_of(z)?, number_of(w)?]),
            _ => None,
        },
        Value::Object(map) if map.contains_key("w") => {
            let part = |key: &str| map.get(key).and_then(number_of);
            Some([part("x")?, part("y")?, part("z")?, part("w")?])
        }
        _ => None,
    };
    four.map(Turn::Quaternion).or_else(|| three(value).map(Turn::Euler))
}
