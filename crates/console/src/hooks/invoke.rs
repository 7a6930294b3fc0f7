//! Hooks in the door to methods: the code before a method, the method, the code after it.
//!
//! What counts the steps of running code is also what stands in the door, so that a hook which code
//! meets on its way takes from what that code may take: code cannot get more time by way of hooks.

use scenewright_world::log::Line;
use scenewright_world::{Call, Refused, Value, Watch, World};

use crate::hooks::{Hook, of, of_mut};
use crate::{Arguments, Budget, Limits, call_hook};

/// Call a method of an object or a component: hooks before it, it, hooks after it.
pub fn call(
    world: &mut World,
    target: &Value,
    method: &str,
    args: Vec<Value>,
) -> Result<Value, Refused> {
    budgeted(world, |world, budget| world.call(target, method, args, budget))
}

/// Set a member of an object or a component, as code does.
pub fn set_property(
    world: &mut World,
    target: &Value,
    name: &str,
    value: Value,
) -> Result<(), Refused> {
    budgeted(world, |world, budget| world.set_property(target, name, value, budget))
}

/// Hooks are code, and code has limits and needs a stack.
pub(super) fn budgeted<T: Send>(
    world: &mut World,
    work: impl FnOnce(&mut World, &mut Budget<'_>) -> Result<T, Refused> + Send,
) -> Result<T, Refused> {
    if of(world).list.is_empty() {
        return work(world, &mut Budget::new(&Limits::default()));
    }
    let given = crate::with_stack(|| work(world, &mut Budget::new(&Limits::default())));
    given.map_err(|error| Refused::Other(error.to_string()))?
}

impl Watch for Budget<'_> {
    fn watches(&self, world: &World, accessor: &str, property: &str) -> bool {
        let is_it = |hook: &Hook| hook.method.strip_prefix(accessor) == Some(property);
        of(world).list.iter().any(is_it)
    }

    fn call(&mut self, world: &mut World, call: Call) -> Result<Value, Refused> {
        let hooks = of(world);
        let watching = hooks.list.iter().find(|hook| hook.watches(&call.owner, &call.method));
        // The code of a hook may call what it watches; that call is an ordinary one.
        let hook = watching.filter(|hook| !hooks.running.contains(&hook.signature)).cloned();
        let Some(hook) = hook else { return call.run(world, self) };
        of_mut(world).running.push(hook.signature.clone());
        let given = hooked(world, &hook, call, self);
        of_mut(world).running.pop();
        given
    }
}

fn hooked(
    world: &mut World,
    hook: &Hook,
    mut call: Call,
    budget: &mut Budget<'_>,
) -> Result<Value, Refused> {
    let parameters = call.method.parameters.iter().zip(&call.args);
    let mut arguments = Arguments {
        instance: call.target.clone(),
        result: world.nothing(&call.method.returns),
        named: parameters.map(|((_, name), value)| (name.clone(), value.clone())).collect(),
    };
    let lines = world.log().written();
    let said = run_code(world, hook, "Prefix", &mut arguments, budget);
    let given = match said {
        Some(Value::Bool(false)) => Ok(arguments.result.clone()),
        _ => {
            call.args = arguments.named.iter().map(|(_, value)| value.clone()).collect();
            call.run(world, budget)
        }
    };
    // As with Harmony, nothing comes after a method that failed.
    let given = given.map(|given| {
        arguments.result = given;
        run_code(world, hook, "Postfix", &mut arguments, budget);
        arguments.result
    });
    // Code that writes nothing still leaves a trace of the call.
    if world.log().written() == lines {
        world.write_log(Line::now("info", "hook", hook.signature.clone()));
    }
    given
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
