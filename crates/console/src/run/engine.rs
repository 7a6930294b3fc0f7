//! Objects and components of the world: all calls go through the world's door for methods, with the
//! budget of this run standing in it, so that hooks see what code does.

use scenewright_world::types::short_name;
use scenewright_world::{AssetRef, Component, ComponentId, ObjectId, Refused, SceneKey, Value};

use super::{Ran, Run};
use crate::ty::Ty;
use crate::value::{ListKind, Thing, Val};

impl Run<'_, '_> {
    /// That an object was not destroyed.
    pub(super) fn alive(&self, of: &Val) -> Ran<()> {
        let name = match of {
            Val::Null => return self.null(),
            Val::Object(id) if self.world.object(*id).is_none() => "GameObject",
            Val::Component(id) if self.world.component(*id).is_none() => "Component",
            _ => return Ok(()),
        };
        let message = format!(
            "The object of type '{name}' has been destroyed but you are still trying to access it.\nYour script should either check if it is null or you should not destroy the object."
        );
        self.throw("UnityEngine.MissingReferenceException", message)
    }

    pub(super) fn refused<T>(&self, refused: &Refused) -> Ran<T> {
        let ty = match refused {
            Refused::NotFound | Refused::NoComponent => "UnityEngine.MissingReferenceException",
            Refused::NotRun(_) => "System.NotSupportedException",
            _ => "UnityEngine.UnityException",
        };
        self.throw(ty, refused.to_string())
    }

    fn done<T>(&self, given: Result<T, Refused>) -> Ran<T> {
        match given {
            Ok(given) => Ok(given),
            Err(refused) => self.refused(&refused),
        }
    }

    pub(super) fn get(&mut self, of: &Val, name: &str) -> Ran<Val> {
        match of {
            Val::Null if name == "HasValue" => return Ok(Val::Bool(false)),
            Val::Null if name == "Value" => {
                return self.throw(
                    "System.InvalidOperationException",
                    "Nullable object must have a value.",
                );
            }
            Val::Null => return self.null(),
            Val::Object(_) | Val::Component(_) => return self.get_engine(of, name),
            Val::Pair(pair) if name == "Key" => return Ok(pair[0].clone()),
            Val::Pair(pair) if name == "Value" => return Ok(pair[1].clone()),
            Val::Scene(key) => return self.get_scene(*key, name),
            Val::Asset(asset) if name == "name" => return Ok(Val::text(&*asset.name)),
            Val::Text(text) if name == "Length" => {
                return Ok(Val::int(text.encode_utf16().count() as i64));
            }
            Val::Type(ty) if name == "Name" => return Ok(Val::text(short_name(&ty.name))),
            Val::Type(ty) if name == "FullName" => return Ok(Val::text(ty.full_name())),
            Val::Struct(value) => {
                let found = value.fields.iter().find(|(known, _)| &**known == name);
                if let Some((_, value)) = found {
                    return self.value_from(&value.clone(), None);
                }
            }
            Val::Tuple(parts) => {
                let index =
                    name.strip_prefix("Item").and_then(|number| number.parse::<usize>().ok());
                if let Some(part) = index.and_then(|index| parts.get(index.wrapping_sub(1))) {
                    return Ok(part.clone());
                }
            }
            _ if of.reals().is_some() => return self.get_vector(of, name),
            _ => {}
        }
        match (name, self.thing(of)) {
            ("Count" | "Length", Some(Thing::List(list))) => Ok(Val::int(list.items.len() as i64)),
            ("Key", Some(Thing::List(list))) => Ok(list.key.clone().unwrap_or(Val::Null)),
            (_, Some(Thing::Map(_))) => self.get_map(of, name),
            ("Message", Some(Thing::Exception(exception))) => {
                Ok(Val::text(exception.message.as_str()))
            }
            ("Length", Some(Thing::Builder(text))) => {
                Ok(Val::int(text.encode_utf16().count() as i64))
            }
            ("HasValue", _) => Ok(Val::Bool(true)),
            ("Value", _) => Ok(of.clone()),
            _ => {
                let message =
                    format!("'{}' does not contain a definition for '{name}'", self.type_of(of));
                self.throw("Microsoft.CSharp.RuntimeBinder.RuntimeBinderException", message)
            }
        }
    }

    fn get_engine(&mut self, of: &Val, name: &str) -> Ran<Val> {
        self.alive(of)?;
        let target = self.to_value(of);
        let given = self.world.get_property(&target, name, self.budget);
        let value = self.done(given)?;
        let ty = self
            .world
            .types()
            .member(&self.type_of(of).name, name)
            .map(|member| Ty::parse(&member.type_name));
        let made = self.value_from(&value, ty.as_ref())?;
        if let Val::Component(id) = of
            && let Some(list) = self.list_mut(&made)
        {
            list.origin = Some((*id, name.into()));
        }
        Ok(made)
    }

    pub(super) fn set(&mut self, of: &Val, name: &str, value: Val) -> Ran<()> {
        match of {
            Val::Object(_) | Val::Component(_) => {}
            Val::Null => return self.null(),
            _ => {
                let message = format!("'{}.{name}' cannot be set", self.type_of(of));
                return self
                    .throw("Microsoft.CSharp.RuntimeBinder.RuntimeBinderException", message);
            }
        }
        self.alive(of)?;
        let (target, given) = (self.to_value(of), self.to_value(&value));
        let given = self.world.set_property(&target, name, given, self.budget);
        self.done(given)
    }

    pub(super) fn call_engine(
        &mut self,
        of: &Val,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        self.alive(of)?;
        if matches!(name, "Cast" | "OfType") {
            return self.call_linq(of, name, types, args);
        }
        if let Some(ty) = types.first() {
            return self.call_generic(of, name, ty, &args);
        }
        if let Val::Asset(asset) = of
            && name == "GetInstanceID"
        {
            return Ok(Val::int(i64::from(asset.id)));
        }
        let class = self.type_of(of);
        let known = self.types().methods(&class.name).any(|(_, method)| &*method.name == name);
        if !known && self.types().is_a(&class.name, "UnityEngine.Transform") {
            return self.call_linq(of, name, types, args);
        }
        let (target, args) =
            (self.to_value(of), args.iter().map(|arg| self.to_value(arg)).collect());
        let given = self.world.call(&target, name, args, self.budget);
        let value = self.done(given)?;
        self.value_from(&value, None)
    }

    /// Static methods of the world's classes.
    pub(super) fn call_class(
        &mut self,
        owner: &str,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        match (name, types.first(), args.as_slice()) {
            ("Destroy", _, [of]) if owner == "UnityEngine.Object" => {
                self.alive(of)?;
                self.doomed.push(of.clone());
                return Ok(Val::Null);
            }
            ("Instantiate", _, [original, rest @ ..]) => return self.instantiate(original, rest),
            ("FindObjectOfType" | "FindFirstObjectByType" | "FindAnyObjectByType", Some(ty), _) => {
                let found = self.find_all(ty, false)?;
                return Ok(found.into_iter().next().unwrap_or(Val::Null));
            }
            ("FindObjectsOfType" | "FindObjectsByType", Some(ty), args) => {
                let inactive = matches!(args.first(), Some(Val::Bool(true)));
                let found = self.find_all(ty, inactive)?;
                return self.add_list(ListKind::Array, ty.clone(), found);
            }
            _ => {}
        }
        if name == "DestroyImmediate"
            && let Some(of) = args.first()
        {
            self.alive(of)?;
        }
        let args = args.iter().map(|arg| self.to_value(arg)).collect();
        let given = self.world.call_static(owner, name, args, self.budget);
        let value = self.done(given)?;
        let ty = match name {
            "FindGameObjectsWithTag" => Some(Ty::array(Ty::of("UnityEngine.GameObject"))),
            _ => None,
        };
        self.value_from(&value, ty.as_ref())
    }

    pub(super) fn destroy_now(&mut self, of: &Val) {
        // It may be gone already: destroyed twice, or with its parent.
        let _ = match of {
            Val::Object(id) => self.world.destroy(*id),
            Val::Component(id) => self.world.remove_component(*id),
            _ => Ok(()),
        };
    }

    pub(super) fn new_object(&mut self, name: Option<&Val>) -> Ran<Val> {
        let name =
            name.and_then(Val::as_text).map_or("New Game Object".into(), |name| name.to_string());
        self.take_for_good(512)?;
        let made = self.world.create(&name, None);
        self.done(made).map(Val::Object)
    }

    fn instantiate(&mut self, original: &Val, rest: &[Val]) -> Ran<Val> {
        self.alive(original)?;
        let parent = match rest {
            [Val::Component(parent)] => {
                self.alive(&rest[0])?;
                self.world.component(*parent).map(|(object, _)| object.id())
            }
            _ => None,
        };
        let copy = match original {
            Val::Asset(asset) => self.spawn(asset, parent)?,
            _ => {
                let id = self.owner(original)?;
                self.pay_for(self.world.descend(&[id]).count())?;
                let made = self.world.copy(id, parent);
                self.done(made)?
            }
        };
        if let [Val::Vec3(position), Val::Quat(rotation)] = rest {
            let pose = scenewright_world::math::Pose {
                position: *position,
                rotation: *rotation,
                ..self.world.pose(copy)
            };
            let placed = self.world.set_pose(copy, pose);
            self.done(placed)?;
        }
        if let Val::Asset(asset) = original {
            let made = self.world.spawned_as(copy, asset.source.file_id);
            return self.value_from(&made, None);
        }
        let Val::Component(_) = original else { return Ok(Val::Object(copy)) };
        let class = self.type_of(original);
        let found = self.components(&[copy], &class, true);
        Ok(found.into_iter().next().unwrap_or(Val::Object(copy)))
    }

    /// An instance of a prefab.
    fn spawn(&mut self, asset: &AssetRef, parent: Option<ObjectId>) -> Ran<ObjectId> {
        let not = |this: &Self, why: &str| {
            let message = format!("{} cannot be instantiated here: {why}", asset.name);
            this.throw("System.NotSupportedException", message)
        };
        let data = match (self.budget.limits.prefabs)(asset) {
            Ok(data) => data,
            Err(why) => return not(self, &why),
        };
        let root = data.objects.first();
        let is_of_root = root.is_some_and(|root| {
            let mut components = root.components.iter().map(|component| component.file_id);
            root.file_id == asset.source.file_id || components.any(|id| id == asset.source.file_id)
        });
        if !is_of_root {
            return not(self, "it is not the root of its prefab");
        }
        self.pay_for(data.objects.len())?;
        let made = self.world.spawn(data, parent);
        self.done(made)
    }

    /// Count so many objects before they are made.
    fn pay_for(&mut self, objects: usize) -> Ran<()> {
        self.take_for_good(objects.saturating_mul(512))?;
        self.work(objects as u64)
    }

    fn owner(&self, of: &Val) -> Ran<ObjectId> {
        match of {
            Val::Object(id) => Ok(*id),
            Val::Component(id) => match self.world.component(*id) {
                Some((object, _)) => Ok(object.id()),
                None => self.refused(&Refused::NoComponent),
            },
            _ => self.null(),
        }
    }

    fn find_all(&mut self, ty: &Ty, inactive: bool) -> Ran<Vec<Val>> {
        let roots = self.world.all_roots();
        let all: Vec<ObjectId> = self.world.descend(&roots).map(|object| object.id()).collect();
        self.work(all.len() as u64 / 8)?;
        if ty.is("UnityEngine.GameObject") {
            let seen = all.into_iter().filter(|id| inactive || self.world.is_active(*id));
            return Ok(seen.map(Val::Object).collect());
        }
        let found = self.components(&all, ty, inactive).into_iter();
        Ok(found.filter(|component| !matches!(component, Val::Null)).collect())
    }

    /// Components of a class on these objects. As in Unity, one whose script is missing is among
    /// all components, as nothing.
    fn components(&self, of: &[ObjectId], ty: &Ty, inactive: bool) -> Vec<Val> {
        let types = self.world.types();
        let is_one = |component: &&Component| match component.type_name() {
            Some(name) => types.is_a(name, &ty.name),
            None => ty.is(scenewright_world::types::COMPONENT),
        };
        let active = of.iter().filter(|id| inactive || self.world.is_active(**id));
        let objects = active.filter_map(|id| self.world.object(*id));
        let found = objects.flat_map(|object| object.components().iter().filter(is_one));
        let value = |component: &Component| match component.type_name() {
            Some(_) => Val::Component(component.id()),
            None => Val::Null,
        };
        found.map(value).collect()
    }

    /// `GetComponent<T>()` and the like.
    fn call_generic(&mut self, of: &Val, name: &str, ty: &Ty, args: &[Val]) -> Ran<Val> {
        let owner = self.owner(of)?;
        let inactive = matches!(args.first(), Some(Val::Bool(true)));
        let first = |found: Vec<Val>| found.into_iter().next().unwrap_or(Val::Null);
        match name {
            "GetComponent" => Ok(first(self.components(&[owner], ty, true))),
            "TryGetComponent" => {
                let found = first(self.components(&[owner], ty, true));
                self.with_out(!matches!(found, Val::Null), found)
            }
            "GetComponents" => {
                let found = self.components(&[owner], ty, true);
                self.add_list(ListKind::Array, ty.clone(), found)
            }
            "GetComponentInChildren" | "GetComponentsInChildren" => {
                let inside: Vec<ObjectId> =
                    self.world.descend(&[owner]).map(|object| object.id()).collect();
                self.work(inside.len() as u64 / 8)?;
                let found = self.components(&inside, ty, inactive);
                if name == "GetComponentInChildren" {
                    return Ok(first(found));
                }
                self.add_list(ListKind::Array, ty.clone(), found)
            }
            "GetComponentInParent" | "GetComponentsInParent" => {
                let line: Vec<ObjectId> =
                    self.world.line(owner).map(|object| object.id()).collect();
                let found = self.components(&line, ty, inactive);
                if name == "GetComponentInParent" {
                    return Ok(first(found));
                }
                self.add_list(ListKind::Array, ty.clone(), found)
            }
            "AddComponent" => {
                self.take_for_good(256)?;
                let added = self.world.add_component(owner, &ty.name);
                self.done(added).map(Val::Component)
            }
            _ => self.missing(&ty.name, name),
        }
    }

    /// The children of a transform.
    pub(super) fn children_of(&mut self, of: &Val) -> Ran<Vec<Val>> {
        self.alive(of)?;
        let owner = self.owner(of)?;
        let children =
            self.world.object(owner).map(|object| object.children().to_vec()).unwrap_or_default();
        let transform = |id: &ObjectId| {
            let object = self.world.object(*id)?;
            object.components().first().map(|transform| Val::Component(transform.id()))
        };
        Ok(children.iter().filter_map(transform).collect())
    }

    fn get_scene(&mut self, key: SceneKey, name: &str) -> Ran<Val> {
        let scene = self.world.scenes().iter().find(|scene| scene.key() == key);
        let path = scene.map(|scene| scene.path().to_owned()).unwrap_or_default();
        Ok(match name {
            "name" => {
                let other = if key == SceneKey::DONT_DESTROY { "DontDestroyOnLoad" } else { "" };
                Val::text(scene.map_or(other, |scene| scene.name()))
            }
            "path" => Val::text(path),
            "isLoaded" => Val::Bool(scene.is_some() || key == SceneKey::DONT_DESTROY),
            "rootCount" => {
                let kept = if key == SceneKey::DONT_DESTROY { self.world.kept().len() } else { 0 };
                Val::int(scene.map_or(kept, |scene| scene.roots().len()) as i64)
            }
            "buildIndex" => {
                let at = self.world.build_scenes().iter().position(|known| *known.path == *path);
                Val::int(at.map_or(-1, |at| at as i64))
            }
            _ => return self.missing("Scene", name),
        })
    }

    pub(super) fn call_scene(&mut self, key: SceneKey, name: &str) -> Ran<Val> {
        let scene = self.world.scenes().iter().find(|scene| scene.key() == key);
        match name {
            "IsValid" => Ok(Val::Bool(scene.is_some() || key == SceneKey::DONT_DESTROY)),
            _ => {
                let roots = scene.map_or(self.world.kept(), |scene| scene.roots());
                let roots = roots.iter().map(|id| Val::Object(*id)).collect();
                self.add_list(ListKind::Array, Ty::of("UnityEngine.GameObject"), roots)
            }
        }
    }

    /// `Camera.main`.
    pub(super) fn main_camera(&mut self) -> Val {
        let roots = self.world.all_roots();
        let mut tagged = self
            .world
            .descend(&roots)
            .filter(|object| object.tag() == "MainCamera" && self.world.is_active(object.id()));
        let camera = tagged.find_map(|object| {
            object.component(scenewright_world::CAMERA).filter(|camera| camera.is_enabled())
        });
        camera.map_or(Val::Null, |camera| Val::Component(camera.id()))
    }

    pub(super) fn class_constant(&mut self, owner: &str, name: &str) -> Ran<Val> {
        let member = self.world.types().member(owner, name).cloned();
        let Some(member) = member else { return self.missing(owner, name) };
        let ty = Ty::parse(&member.type_name);
        match self.world.static_member(owner, name) {
            Some((_, value)) => self.value_from(&value, Some(&ty)),
            None => self.default_of(&ty),
        }
    }

    pub(super) fn set_class_constant(&mut self, owner: &str, name: &str, value: &Val) {
        let value: Value = self.to_value(value);
        self.world.set_static_member(owner, name, value);
    }

    /// All cameras that are on.
    pub(super) fn camera_count(&mut self) -> Ran<Val> {
        let cameras = self.find_all(&Ty::of(scenewright_world::CAMERA), false)?;
        let on = cameras.iter().filter(|camera| match camera {
            Val::Component(ComponentId(id)) => self
                .world
                .component(ComponentId(*id))
                .is_some_and(|(_, camera)| camera.is_enabled()),
            _ => false,
        });
        Ok(Val::int(on.count() as i64))
    }
}
