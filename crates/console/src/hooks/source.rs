//! The code of hooks: what a new one has, and what any must have to be taken.

use std::fmt::Write;

use scenewright_world::World;
use scenewright_world::types::Method;

use super::HookError;
use crate::{EvalError, Program};

/// Functions that a hook's source may have.
const FUNCTIONS: [&str; 2] = ["Prefix", "Postfix"];

/// The source that a new hook has: it writes the call into the log.
pub(super) fn generated(
    world: &World,
    owner: &str,
    method: &Method,
) -> Result<(String, Program), HookError> {
    let typed = postfix(owner, method, true);
    if let Ok(program) = crate::compile(world, &typed) {
        return Ok((typed, program));
    }
    // A type of the project that nothing tells of is an object all the same.
    let loose = postfix(owner, method, false);
    let program = crate::compile(world, &loose)?;
    Ok((loose, program))
}

fn postfix(owner: &str, method: &Method, typed: bool) -> String {
    let written = |type_name: &str| match typed {
        true => type_name.replace('+', "."),
        false => "object".to_owned(),
    };
    let mut parameters = Vec::new();
    let mut lines = String::new();
    if !method.is_static {
        parameters.push(format!("{} __instance", written(owner)));
        lines.push_str("\\n- __instance: {__instance}");
    }
    for (type_name, name) in &method.parameters {
        parameters.push(format!("{} {name}", written(type_name)));
        // Writing to a string cannot fail.
        let _ = write!(lines, "\\n- {name}: {{{name}}}");
    }
    if &*method.returns != "System.Void" {
        parameters.push(format!("{} __result", written(&method.returns)));
        lines.push_str("\\n- returned: {__result}");
    }
    format!(
        "static void Postfix({})\n{{\n    Debug.Log($\"{}{lines}\");\n}}\n",
        parameters.join(", "),
        method.signature(owner)
    )
}

/// Compile the source of a hook.
pub(super) fn compiled(
    world: &World,
    parameters: &[&str],
    source: &str,
) -> Result<Program, HookError> {
    let program = crate::with_stack(|| crate::compile(world, source))??;
    let refuse = |message: String| {
        Err(HookError::Compile(EvalError::Compile { line: 1, column: 1, message }))
    };
    let has = |name: &&&str| program.named.iter().any(|(known, _)| known == **name);
    if let Some(name) = ["Finalizer", "Transpiler"].iter().find(has) {
        return refuse(format!("'{name}' is not supported; use Prefix and Postfix"));
    }
    if !FUNCTIONS.iter().any(|name| has(&name)) {
        return refuse("declare static bool Prefix(…) or static void Postfix(…)".to_owned());
    }
    for name in program.parameter_names(&FUNCTIONS) {
        let by_number = name.strip_prefix("__").and_then(|number| number.parse::<usize>().ok());
        let fits = matches!(name, "__instance" | "__result")
            || by_number.is_some_and(|number| number < parameters.len())
            || parameters.contains(&name);
        if !fits {
            let known = parameters.join(", ");
            return refuse(format!("the method has no parameter '{name}'; it has: {known}"));
        }
    }
    Ok(program)
}
