//! The one door to methods and properties: hooks run here.

use std::sync::Arc;

use super::{Hook, methods_of, native};
use crate::console::{self, Arguments, Budget, Limits, call_hook};
use crate::log::Line;
use crate::members::cast;
use crate::types::Method;
use crate::value::Value;
use crate::world::{Refused, World};

impl World {
    /// Call a method of an object or a component: hooks before it, it, hooks after it.
    pub fn invoke(
        &mut self,
        target: &Value,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, Refused> {
        self.budgeted(|world, budget| call(world, target, method, args, budget))
    }

    /// Call a method that belongs to a class.
    pub fn invoke_static(
        &mut self,
        type_name: &str,
        method: &str,
        args: Vec<Value>,
    ) -> Result<Value, Refused> {
        self.budgeted(|world, budget| call_static(world, type_name, method, args, budget))
    }

    /// Read a member of an object or a component, as code does.
    pub fn get_property(&mut self, target: &Value, name: &str) -> Result<Value, Refused> {
        self.budgeted(|world, budget| get(world, target, name, budget))
    }

    /// Set a member of an object or a component, as code does.
    pub fn set_property(
        &mut self,
        target: &Value,
        name: &str,
        value: Value,
    ) -> Result<(), Refused> {
        self.budgeted(|world, budget| set(world, target, name, value, budget))
    }

    /// Hooks are code, and code has limits and needs a stack.
    fn budgeted<T: Send>(
        &mut self,
        work: impl FnOnce(&mut World, &mut Budget<'_>) -> Result<T, Refused> + Send,
    ) -> Result<T, Refused> {
        if self.hooks.list.is_empty() {
            return work(self, &mut Budget::new(&Limits::default()));
        }
        let given = console::with_stack(|| work(self, &mut Budget::new(&Limits::default())));
        given.map_err(|error| Refused::Other(error.to_string()))?
    }
}

/// A method that is called.
struct Called {
    target: Value,
    owner: Arc<str>,
    method: Method,
    args: Vec<Value>,
}

pub(crate) fn call(
    world: &mut World,
    target: &Value,
    method: &str,
    args: Vec<Value>,
    budget: &mut Budget<'_>,
) -> Result<Value, Refused> {
    let class = class_of(world, target)?;
    let (owner, method, args) = overload(world, &class, method, args, false)?;
    run(world, Called { target: target.clone(), owner, method, args }, budget)
}

pub(crate) fn call_static(
    world: &mut World,
    type_name: &str,
    method: &str,
    args: Vec<Value>,
    budget: &mut Budget<'_>,
) -> Result<Value, Refused> {
    let (owner, method, args) = overload(world, type_name, method, args, true)?;
    run(world, Called { target: Value::Null, owner, method, args }, budget)
}

pub(crate) fn get(
    world: &mut World,
    target: &Value,
    name: &str,
    budget: &mut Budget<'_>,
) -> Result<Value, Refused> {
    match accessor(world, target, "get_", name)? {
        Some((owner, method)) => {
            run(world, Called { target: target.clone(), owner, method, args: Vec::new() }, budget)
        }
        None => native::read(world, target, name),
    }
}

pub(crate) fn set(
    world: &mut World,
    target: &Value,
    name: &str,
    value: Value,
    budget: &mut Budget<'_>,
) -> Result<(), Refused> {
    match accessor(world, target, "set_", name)? {
        Some((owner, method)) => {
            let called = Called { target: target.clone(), owner, method, args: vec![value] };
            run(world, called, budget).map(|_| ())
        }
        None => native::write(world, target, name, value),
    }
}

/// The accessor of a property, when someone watches it; nobody does most of the time.
fn accessor(
    world: &World,
    target: &Value,
    prefix: &str,
    name: &str,
) -> Result<Option<(Arc<str>, Method)>, Refused> {
    let is_it = |known: &str| known.strip_prefix(prefix) == Some(name);
    if !world.hooks.list.iter().any(|hook| is_it(&hook.method)) {
        return Ok(None);
    }
    let class = class_of(world, target)?;
    Ok(methods_of(world.types(), &class).into_iter().find(|(_, method)| is_it(&method.name)))
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

fn run(world: &mut World, called: Called, budget: &mut Budget<'_>) -> Result<Value, Refused> {
    let mut watching = world.hooks.list.iter();
    let watching = watching.find(|hook| hook.watches(&called.owner, &called.method));
    // The code of a hook may call what it watches; that call is an ordinary one.
    let hook = watching.filter(|hook| !world.hooks.running.contains(&hook.signature)).cloned();
    let Some(hook) = hook else { return original(world, &called, budget) };
    world.hooks.running.push(hook.signature.clone());
    let given = hooked(world, &hook, called, budget);
    world.hooks.running.pop();
    given
}

fn hooked(
    world: &mut World,
    hook: &Hook,
    mut called: Called,
    budget: &mut Budget<'_>,
) -> Result<Value, Refused> {
    let parameters = called.method.parameters.iter().zip(&called.args);
    let mut arguments = Arguments {
        instance: called.target.clone(),
        result: native::nothing(world, &called.method.returns),
        named: parameters.map(|((_, name), value)| (name.clone(), value.clone())).collect(),
    };
    let lines = world.log().written();
    let said = run_code(world, hook, "Prefix", &mut arguments, budget);
    if said != Some(Value::Bool(false)) {
        called.args = arguments.named.iter().map(|(_, value)| value.clone()).collect();
        arguments.result = original(world, &called, budget)?;
    }
    run_code(world, hook, "Postfix", &mut arguments, budget);
    // Code that writes nothing still leaves a trace of the call.
    if world.log().written() == lines {
        world.write_log(Line::now("info", "hook", hook.signature.clone()));
    }
    Ok(arguments.result)
}

/// Run a function of a hook. One that fails is a line in the log, not a failure of the method.
fn run_code(
    world: &mut World,
    hook: &Hook,
    function: &str,
    arguments: &mut Arguments,
    budget: &mut Budget<'_>,
) -> Option<Value> {
    let program = hook.code.0.clone();
    match call_hook(world, &program, function, arguments, budget) {
        Ok(given) => given,
        Err(error) => {
            let message = format!("{function} of {} failed: {error}", hook.signature);
            world.write_log(Line::now("error", "hook", message));
            None
        }
    }
}

/// The method itself.
fn original(world: &mut World, called: &Called, budget: &mut Budget<'_>) -> Result<Value, Refused> {
    let name = &*called.method.name;
    if let (Some(member), []) = (name.strip_prefix("get_"), called.args.as_slice()) {
        return native::read(world, &called.target, member);
    }
    if let (Some(member), [value]) = (name.strip_prefix("set_"), called.args.as_slice()) {
        native::write(world, &called.target, member, value.clone())?;
        return Ok(Value::Null);
    }
    if let ("SendMessage" | "BroadcastMessage", [Value::Text(method)]) = (name, &*called.args) {
        return send(world, &called.target, name, method, budget);
    }
    let given = match called.method.is_static {
        true => native::run_static(world, name, &called.args),
        false => native::run(world, &called.target, name, &called.args),
    };
    if let Some(given) = given {
        return given;
    }
    let owner = &called.owner;
    let message = format!("{owner}.{name}: the bodies of the project's methods do not run here");
    world.write_log(Line::now("warn", "unity", message));
    Ok(native::nothing(world, &called.method.returns))
}

/// Call a method of every script of an object that has it, or of all objects inside it too.
fn send(
    world: &mut World,
    target: &Value,
    name: &str,
    method: &str,
    budget: &mut Budget<'_>,
) -> Result<Value, Refused> {
    let receivers = native::receivers(world, target, name == "BroadcastMessage", method);
    if receivers.is_empty() {
        let message = format!("{name} {method} has no receiver!");
        world.write_log(Line::now("error", "unity", message));
    }
    for receiver in receivers {
        call(world, &Value::Component(receiver), method, Vec::new(), budget)?;
    }
    Ok(Value::Null)
}
