//! The console: C# that runs over the world, a safe part of it. Text is read (`parse`), names get
//! their meaning and everything unsupported is refused (`bind`), and only then something runs
//! (`run`).

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files of their own"))]

mod bind;
mod flow;
pub mod hooks;
mod ir;
mod library;
mod limits;
mod parse;
mod refused;
mod run;
mod syntax;
mod ty;
mod value;

use scenewright_world::{Value, World};

pub(crate) use ir::Program;
pub use limits::{Limits, MAX_SOURCE, Prefabs};
pub(crate) use run::{Arguments, Budget, call_hook};

/// Stack of the thread that runs code, so that nesting is bounded by limits and not by the caller.
const STACK: usize = 64 * 1024 * 1024;

/// What a script gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The value; null for one that the world has no word for, such as a function.
    pub value: Value,
    /// What `ToString()` gives: `null` for null, nothing when nothing was returned.
    pub text: String,
}

/// Why a script gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// It is wrong or uses what the console has not; nothing ran.
    #[error("({line},{column}): error {message}")]
    Compile {
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// What is wrong and what to do instead.
        message: String,
    },
    /// It threw an exception or met a limit.
    #[error("{exception}: {message} (line {line})")]
    Runtime {
        /// Full name of the exception's class.
        exception: String,
        /// Its message.
        message: String,
        /// The line that was running, from 1.
        line: u32,
    },
}

/// Run a script over the world.
///
/// ```
/// use scenewright_world::World;
///
/// let mut world = World::default();
/// let source = "var go = new GameObject(\"Lamp\"); go.transform.position = Vector3.up * 2; go.transform.position";
/// let given = scenewright_console::eval(&mut world, source, &scenewright_console::Limits::default())?;
/// assert_eq!(given.text, "(0.00, 2.00, 0.00)");
/// # Ok::<(), scenewright_console::EvalError>(())
/// ```
pub fn eval(world: &mut World, source: &str, limits: &Limits<'_>) -> Result<Evaluated, EvalError> {
    with_stack(|| {
        let program = compile(world, source)?;
        run::run_script(world, &program, &mut Budget::new(limits))
    })?
}

/// The value of a static property of the engine that code can read, such as `timeScale` of
/// `UnityEngine.Time`, and the full name of its type; nothing when code knows none of that name.
///
/// ```
/// let mut world = scenewright_world::World::default();
/// let scale = scenewright_console::static_property(&mut world, "UnityEngine.Time", "timeScale");
/// let (type_name, value) = scale.expect("code knows it")?;
/// assert_eq!((type_name.as_str(), value.plain_text().as_str()), ("System.Single", "1"));
/// # Ok::<(), scenewright_console::EvalError>(())
/// ```
pub fn static_property(
    world: &mut World,
    type_name: &str,
    name: &str,
) -> Option<Result<(String, Value), EvalError>> {
    let entries = &library::section(type_name)?.entries;
    let declared = entries.iter().find_map(|entry| match &entry.kind {
        library::EntryKind::Property { ty, .. } if entry.is_static && *entry.name == *name => {
            Some(ty.full_name())
        }
        _ => None,
    })?;
    // Both names are of our own table, so this is all that runs.
    let given = eval(world, &format!("{type_name}.{name}"), &Limits::default());
    Some(given.map(|given| (declared, given.value)))
}

/// Read a source and give its names their meaning.
pub(crate) fn compile(world: &World, source: &str) -> Result<Program, EvalError> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if source.len() > MAX_SOURCE {
        let message =
            format!("the source has {} bytes; at most {MAX_SOURCE} are read", source.len());
        return Err(EvalError::Compile { line: 1, column: 1, message });
    }
    let script = parse::parse(source)?;
    bind::bind(world, source, &script)
}

/// Do something on a stack that is large enough for everything the limits allow.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, EvalError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("console".into()).stack_size(STACK);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => match thread.join() {
                Ok(given) => Ok(given),
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(error) => Err(EvalError::Runtime {
                exception: "System.OutOfMemoryException".to_owned(),
                message: format!("no thread to run on: {error}"),
                line: 1,
            }),
        }
    })
}

impl EvalError {
    fn compile(source: &str, at: u32, message: &str) -> EvalError {
        let (line, column) = position(source, at);
        EvalError::Compile { line, column, message: message.to_owned() }
    }
}

/// Line and column of a byte, from 1; columns count characters.
fn position(source: &str, at: u32) -> (u32, u32) {
    let at = (at as usize).min(source.len());
    let before = &source.as_bytes()[..at];
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count();
    (line as u32 + 1, column as u32 + 1)
}

#[cfg(test)]
pub(crate) mod tests;
