//! Code that runs in the world: the console, scripts, and the hooks that it may set.

use scenewright_console::hooks::{self, HookError};
use scenewright_console::{EvalError, Limits, eval};
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::Cx;
use scenewright_world::{AssetRef, World};
use schemars::JsonSchema;
use serde::Serialize;

use crate::world::{InWorld, prefab};

/// What code gave.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Given {
    /// Always true; a failure is an error.
    pub(crate) ok: bool,
    /// What the code returned, as text.
    pub(crate) result: String,
}

/// Run code in the world. Nothing runs when it cannot be compiled.
pub(crate) fn run(cx: &Cx, world: &mut World, code: &str) -> Result<Given, ToolError> {
    if code.trim().is_empty() {
        return Ok(Given { ok: true, result: String::new() });
    }
    let cancel = cx.cancel().clone();
    let is_cancelled = move || cancel.is_cancelled();
    let prefabs = |asset: &AssetRef| prefab(cx, &asset.path).map_err(|error| error.message);
    let limits = Limits { cancel: &is_cancelled, prefabs: &prefabs, ..Limits::default() };
    match eval(world, code, &limits) {
        Ok(given) => Ok(Given { ok: true, result: given.text }),
        Err(error @ EvalError::Compile { line, column, .. }) => {
            let message =
                format!("Unable to compile the code. Evaluator's last output was:\n{error}");
            Err(ToolError::new(ErrorKind::BadArguments, message)
                .detail("line", line)
                .detail("column", column))
        }
        Err(error @ EvalError::Runtime { line, .. }) => {
            Err(ToolError::new(ErrorKind::ToolFailed, error.to_string()).detail("line", line))
        }
    }
}

/// Code may run, for tools that ask last.
pub(crate) fn allowed(cx: &Cx) -> Result<(), ToolError> {
    if cx.holder().config().enable_console_eval {
        return Ok(());
    }
    Err(ToolError::new(ErrorKind::Denied, "ConsoleEval disabled by config")
        .hint("SetConfig sets enableConsoleEval")
        .detail("setting", "console"))
}

/// The class is on the hook allowlist; `message` is what the caller hears when it is not.
pub(crate) fn hook_allowed(cx: &Cx, type_name: &str, message: &str) -> Result<(), ToolError> {
    let config = cx.holder().config();
    if config.allows(&config.hook_allowlist_signatures, type_name) {
        return Ok(());
    }
    Err(ToolError::new(ErrorKind::Denied, message)
        .hint("SetConfig sets hookAllowlistSignatures: full names of types")
        .detail("type", type_name))
}

/// The hook is there and its class on the allowlist.
pub(crate) fn known_hook(cx: &Cx, world: &World, signature: &str) -> Result<(), ToolError> {
    let hook = hooks::of(world).find(signature).ok_or(HookError::NotFound);
    let hook = hook.map_err(hook_error)?;
    hook_allowed(cx, &hook.type_name, "Permission denied")
}

/// Why a hook could not be made or changed, for the caller.
pub(crate) fn hook_error(error: HookError) -> ToolError {
    let kind = match error {
        HookError::NoType | HookError::NoMethod | HookError::NotFound => ErrorKind::EngineError,
        _ => ErrorKind::BadArguments,
    };
    let message = match &error {
        HookError::Compile(cause) => format!("Compile failed: {cause}"),
        error => error.to_string(),
    };
    let hint = error.hint();
    let said = ToolError::new(kind, message);
    match hint {
        Some(hint) => said.hint(hint),
        None => said,
    }
}
