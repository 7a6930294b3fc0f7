//! Members that belong to types.

use scenewright_world::SceneKey;
use scenewright_world::log::Line;

use super::{Ran, Run};
use crate::ty::{Int, Ty};
use crate::value::{ListKind, Val};

impl Run<'_, '_> {
    pub(super) fn get_static(&mut self, owner: &str, name: &str) -> Ran<Val> {
        match (owner, name) {
            ("System.String", "Empty") => Ok(Val::text("")),
            ("UnityEngine.Time", "timeScale") => Ok(Val::Float(self.world.clock().scale())),
            ("UnityEngine.Camera", "main") => Ok(self.main_camera()),
            ("UnityEngine.Camera", "allCamerasCount") => self.camera_count(),
            ("UnityEngine.Screen", "width") => Ok(Val::int(i64::from(self.world.screen.0))),
            ("UnityEngine.Screen", _) => Ok(Val::int(i64::from(self.world.screen.1))),
            ("UnityEngine.SceneManagement.SceneManager", "sceneCount") => {
                Ok(Val::int(self.world.scenes().len() as i64))
            }
            ("UnityEngine.SceneManagement.SceneManager", _) => {
                Ok(Val::int(self.world.build_scenes().len() as i64))
            }
            ("UnityEngine.Mathf" | "System.Math" | "System.Single" | "System.Double", _) => {
                self.number_constant(owner, name)
            }
            _ if Int::named(owner).is_some() => self.number_constant(owner, name),
            _ if super::vectors::make(&Ty::of(owner), &[]).is_some() => {
                self.vector_constant(owner, name)
            }
            _ => self.class_constant(owner, name),
        }
    }

    pub(super) fn set_static(&mut self, owner: &str, name: &str, value: Val) -> Ran<()> {
        if (owner, name) == ("UnityEngine.Time", "timeScale") {
            let scale = value.as_f64().unwrap_or(1.0) as f32;
            if scale.is_nan() || scale < 0.0 {
                // Unity only says so in the log and leaves the scale alone.
                return self.log("error", format!("Time.timeScale is out of range: {scale}"));
            }
            self.world.clock_mut().set_from_game(scale);
            return Ok(());
        }
        self.set_class_constant(owner, name, &value);
        Ok(())
    }

    pub(super) fn call_static(
        &mut self,
        owner: &str,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        match owner {
            "System.Math" => self.call_math(false, name, &args),
            "UnityEngine.Mathf" => self.call_math(true, name, &args),
            "System.String" => self.static_text(name, &args),
            "System.Char" => self.static_char(name, &args),
            "System.Convert" => self.call_convert(name, &args),
            "System.Boolean" | "System.Single" | "System.Double" => {
                self.call_number_type(owner, name, &args)
            }
            _ if Int::named(owner).is_some() => self.call_number_type(owner, name, &args),
            "System.Object" => match args.as_slice() {
                [a, b] => Ok(Val::Bool(a.key() == b.key())),
                _ => self.missing(owner, name),
            },
            "System.Enum" => match args.first() {
                Some(Val::Type(ty)) => {
                    let known = self.types().get_enum(&ty.name).cloned();
                    let names = known.iter().flat_map(|known| &known.members);
                    let names = names.map(|(name, _)| Val::text(&**name)).collect();
                    self.add_list(ListKind::Array, Ty::string(), names)
                }
                _ => self.null(),
            },
            "System.Array" => self.call_array(name, &args),
            "System.Linq.Enumerable" => self.call_enumerable(name, types, &args),
            "UnityEngine.Debug" => {
                let message = match args.first() {
                    Some(value) => self.log_text(value)?,
                    None => String::new(),
                };
                let level = match name {
                    "LogWarning" => "warn",
                    "LogError" => "error",
                    _ => "info",
                };
                self.log(level, message)?;
                Ok(Val::Null)
            }
            "UnityEngine.SceneManagement.SceneManager" => self.call_scenes(name, &args),
            _ if super::vectors::make(&Ty::of(owner), &[]).is_some() => {
                self.call_vector(owner, name, &args)
            }
            _ => self.call_class(owner, name, types, args),
        }
    }

    fn call_array(&mut self, name: &str, args: &[Val]) -> Ran<Val> {
        let Some(array) = args.first() else { return self.missing("Array", name) };
        let items = self.items(array)?;
        let changed = match (name, args.get(1)) {
            ("IndexOf", Some(wanted)) => {
                let found = items.iter().position(|item| self.equal(item, wanted));
                return Ok(Val::int(found.map_or(-1, |at| at as i64)));
            }
            ("Sort", None) => self.sorted(items, |run, a, b| run.compare(a, b))?,
            ("Reverse", None) => items.into_iter().rev().collect(),
            _ => return self.missing("Array", name),
        };
        if let Some(list) = self.list_mut(array) {
            list.items = changed;
        }
        self.write_back(array)?;
        Ok(Val::Null)
    }

    fn call_enumerable(&mut self, name: &str, types: &[Ty], args: &[Val]) -> Ran<Val> {
        match (name, args) {
            ("Range" | "Repeat", [first, Val::Int(_, count)]) => {
                let Ok(count) = usize::try_from(*count) else {
                    return self.throw("System.ArgumentOutOfRangeException", "Specified argument was out of the range of valid values.\nParameter name: count");
                };
                self.take(count.saturating_mul(first.size()))?;
                self.work(count as u64 / 8)?;
                let item = self.type_of(first);
                let items: Vec<Val> = match (name, first) {
                    ("Range", Val::Int(kind, start)) => (0..count as i64)
                        .map(|at| Val::Int(*kind, kind.wrap(start.wrapping_add(at))))
                        .collect(),
                    _ => vec![first.clone(); count],
                };
                self.add_list(ListKind::Sequence, item, items)
            }
            _ => {
                let item = types.first().cloned().unwrap_or_else(Ty::dynamic);
                self.add_list(ListKind::Sequence, item, Vec::new())
            }
        }
    }

    fn call_scenes(&mut self, name: &str, args: &[Val]) -> Ran<Val> {
        let scenes = self.world.scenes();
        let found = match (name, args) {
            ("GetActiveScene", []) => scenes.first(),
            ("GetSceneAt", [index]) => {
                let index = index.as_int().and_then(|index| usize::try_from(index).ok());
                match index.and_then(|index| scenes.get(index)) {
                    Some(scene) => Some(scene),
                    None => {
                        return self.throw("System.ArgumentException", "Scene index out of range.");
                    }
                }
            }
            (_, [Val::Text(name)]) => scenes.iter().find(|scene| scene.name() == &**name),
            _ => None,
        };
        // A scene that is not there is a scene all the same, only not a valid one.
        Ok(Val::Scene(found.map_or(SceneKey::NONE, |scene| scene.key())))
    }

    /// Write a line into the log.
    pub(super) fn log(&mut self, level: &'static str, message: String) -> Ran<()> {
        self.budget.log_lines += 1;
        if self.budget.log_lines > self.budget.limits.log_lines {
            let most = self.budget.limits.log_lines;
            return self.limit(
                "System.InvalidOperationException",
                format!("the code wrote more than {most} lines into the log"),
            );
        }
        self.take(message.len())?;
        self.world.write_log(Line::now(level, self.source, message));
        Ok(())
    }
}
