//! The one door to methods and properties of objects.
//!
//! Tools and code call methods only through here, and each caller brings a [`Watch`] that stands in
//! the door: that is why a hook sees a call whoever makes it. The world asks it and knows no more of
//! it; in particular not what else it counts, such as the steps of the code that called.

mod methods;
mod native;

use std::sync::Arc;

use crate::log::Line;
use crate::members::{cast, default_of};
use crate::types::Method;
use crate::value::Value;
use crate::world::{Refused, World};

pub use methods::methods_of;

/// Who stands between a caller and the methods of a world.
pub trait Watch {
    /// Whether the accessor of a property, `get_` or `set_`, may be watched. The property is read or
    /// set without looking for the accessor otherwise, which is most of the time.
    fn watches(&self, world: &World, accessor: &str, property: &str) -> bool;

    /// A method is called: do what is to be done instead. [`Call::run`] is the method itself.
    fn call(&mut self, world: &mut World, call: Call) -> Result<Value, Refused>;
}

/// A method that is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The object or component; null for a method that belongs to a class.
    pub target: Value,
    /// Full name of the class that declares the method.
    pub owner: Arc<str>,
    /// The method.
    pub method: Method,
    /// As many values as it has parameters.
    pub args: Vec<Value>,
}

impl World {
    /// Call a method of an object or a component.
    pub fn call(
        &mut self,
        target: &Value,
        method: &str,
        args: Vec<Value>,
        watch: &mut dyn Watch,
    ) -> Result<Value, Refused> {
        let class = class_of(self, target)?;
        let (owner, method, args) = overload(self, &class, method, args, false)?;
        watch.call(self, Call { target: target.clone(), owner, method, args })
    }

    /// Call a method that belongs to a class.
    pub fn call_static(
        &mut self,
        type_name: &str,
        method: &str,
        args: Vec<Value>,
        watch: &mut dyn Watch,
    ) -> Result<Value, Refused> {
        let (owner, method, args) = overload(self, type_name, method, args, true)?;
        watch.call(self, Call { target: Value::Null, owner, method, args })
    }

    /// Read a member of an object or a component, as code does.
    pub fn get_property(
        &mut self,
        target: &Value,
        name: &str,
        watch: &mut dyn Watch,
    ) -> Result<Value, Refused> {
        match accessor(self, target, "get_", name, watch)? {
            Some((owner, method)) => {
                watch.call(self, Call { target: target.clone(), owner, method, args: Vec::new() })
            }
            None => native::read(self, target, name),
        }
    }

    /// Set a member of an object or a component, as code does.
    pub fn set_property(
        &mut self,
        target: &Value,
        name: &str,
        value: Value,
        watch: &mut dyn Watch,
    ) -> Result<(), Refused> {
        match accessor(self, target, "set_", name, watch)? {
            Some((owner, method)) => {
                let call = Call { target: target.clone(), owner, method, args: vec![value] };
                watch.call(self, call).map(|_| ())
            }
            None => native::write(self, target, name, value),
        }
    }

    /// What a method gives that did nothing: the default of the type that it returns.
    pub fn nothing(&self, type_name: &str) -> Value {
        default_of(type_name, self.types())
    }
}

impl Call {
    /// Run the method itself. What it calls in its turn goes through the door again.
    pub fn run(&self, world: &mut World, watch: &mut dyn Watch) -> Result<Value, Refused> {
        let name = &*self.method.name;
        if let (Some(member), []) = (name.strip_prefix("get_"), self.args.as_slice()) {
            return native::read(world, &self.target, member);
        }
        if let (Some(member), [value]) = (name.strip_prefix("set_"), self.args.as_slice()) {
            native::write(world, &self.target, member, value.clone())?;
            return Ok(Value::Null);
        }
        if let ("SendMessage" | "BroadcastMessage", [Value::Text(method)]) = (name, &*self.args) {
            return send(world, &self.target, name, method, watch);
        }
        let given = match self.method.is_static {
            // A class of the project may give its own methods the names of the engine's.
            _ if !world.types().is_native(&self.owner) => None,
            true => native::run_static(world, name, &self.args),
            false => native::run(world, &self.target, name, &self.args),
        };
        given.unwrap_or_else(|| Err(Refused::NotRun(format!("{}.{name}", self.owner))))
    }
}

/// Call a method of every script of an object that has it, or of all objects inside it too.
fn send(
    world: &mut World,
    target: &Value,
    name: &str,
    method: &str,
    watch: &mut dyn Watch,
) -> Result<Value, Refused> {
    let receivers = native::receivers(world, target, name == "BroadcastMessage", method);
    if receivers.is_empty() {
        let message = format!("{name} {method} has no receiver!");
        world.write_log(Line::now("error", "unity", message));
    }
    for receiver in receivers {
        world.call(&Value::Component(receiver), method, Vec::new(), watch)?;
    }
    Ok(Value::Null)
}

/// The accessor of a property, when someone watches it; nobody does most of the time.
fn accessor(
    world: &World,
    target: &Value,
    prefix: &str,
    name: &str,
    watch: &dyn Watch,
) -> Result<Option<(Arc<str>, Method)>, Refused> {
    if !watch.watches(world, prefix, name) {
        return Ok(None);
    }
    let class = class_of(world, target)?;
    let is_it = |method: &Method| method.name.strip_prefix(prefix) == Some(name);
    Ok(methods_of(world.types(), &class).into_iter().find(|(_, method)| is_it(method)))
}

fn class_of(world: &World, target: &Value) -> Result<Arc<str>, Refused> {
    match target {
        Value::Object(id) if world.object(*id).is_none() => Err(Refused::NotFound),
        Value::Component(id) if world.component(*id).is_none() => Err(Refused::NoComponent),
        Value::Object(_) | Value::Component(_) | Value::Asset(_) => Ok(world.type_of(target)),
        _ => Err(Refused::NotFound),
    }
}

/// The first method that takes these arguments, and the arguments as it takes them.
fn overload(
    world: &World,
    class: &str,
    name: &str,
    args: Vec<Value>,
    is_static: bool,
) -> Result<(Arc<str>, Method, Vec<Value>), Refused> {
    let types = world.types();
    let mut named = false;
    for (owner, method) in methods_of(types, class) {
        if *method.name != *name || method.is_static != is_static {
            continue;
        }
        named = true;
        if method.parameters.len() != args.len() {
            continue;
        }
        let fitting =
            args.iter().zip(&method.parameters).map(|(arg, (ty, _))| match (&**ty, arg) {
                // Types are given by their names.
                ("System.Type", Value::Text(_)) => Some(arg.clone()),
                _ => cast(arg.clone(), ty, types),
            });
        if let Some(args) = fitting.collect::<Option<Vec<Value>>>() {
            return Ok((owner, method, args));
        }
    }
    let message = if named { "Method overload not found" } else { "Method not found" };
    Err(Refused::Other(message.to_owned()))
}

#[cfg(test)]
mod tests;
