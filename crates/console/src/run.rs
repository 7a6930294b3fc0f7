//! Running code: a walk over the tree that `bind` made.
//!
//! Everything is counted before it is done ([`Budget`]): steps, memory, calls, levels. A limit stops
//! the run for good ([`Stop::Limit`]); if code could catch it, `while (true) try { … } catch { }` would
//! never end. Values with an identity live in one heap that goes with the run; what nothing leads to
//! any more is taken out of it now and then (`tidy`), so that the limit on memory counts what lives.
//! Texts have no identity and go when nobody has them: of long ones only those count that are still
//! there, for code that puts a text together piece by piece makes many of them.

mod calls;
mod convert;
mod engine;
mod expressions;
mod format;
mod linq;
mod lists;
mod maps;
mod numbers;
mod operators;
mod places;
mod statements;
mod statics;
mod strings;
mod tidy;
mod vectors;

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::Instant;

use scenewright_world::{Value, World};

use super::ir::{Code, Program};
use super::limits::MAX_EVALUATIONS;
use super::ty::Ty;
use super::value::{Cell, Exception, List, ListKind, Map, Parts, Thing, Val};
use super::{EvalError, Evaluated, Limits, position};

/// How often the clock is looked at and the caller asked.
const PAUSE: u64 = 256;
/// Texts of so many bytes are looked after: whether they are still there.
const LONG_TEXT: usize = 1024;
/// Bytes that a variable takes.
const CELL: usize = 64;

/// What is left of the limits. A hook that code meets on its way uses the budget of that code.
pub(crate) struct Budget<'l> {
    limits: Limits<'l>,
    steps: u64,
    memory: usize,
    /// Long texts, and how many bytes they have together, as far as it is known that some went.
    texts: Vec<Weak<str>>,
    text_memory: usize,
    depth: usize,
    calls: usize,
    log_lines: usize,
    started: Instant,
}

impl<'l> Budget<'l> {
    pub(crate) fn new(limits: &Limits<'l>) -> Budget<'l> {
        Budget {
            limits: *limits,
            steps: 0,
            memory: 0,
            texts: Vec::new(),
            text_memory: 0,
            depth: 0,
            calls: 0,
            log_lines: 0,
            started: Instant::now(),
        }
    }
}

/// Why code stops.
#[derive(Debug)]
enum Stop {
    Thrown(Box<Exception>),
    /// A limit was met; nothing catches it.
    Limit(Box<Exception>),
    /// `?.` met null: the chain around it gives null.
    Chain,
}

type Ran<T> = Result<T, Stop>;

/// What a statement leads to.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Val>),
}

struct Run<'r, 'l> {
    world: &'r mut World,
    program: &'r Program,
    budget: &'r mut Budget<'l>,
    heap: Vec<Thing>,
    /// Places in the heap that nothing is in.
    free: Vec<usize>,
    /// Bytes from which on it is worth a look what of the heap is still needed.
    tidy_at: usize,
    /// Bytes of what stays when it is over: objects of the world.
    kept: usize,
    /// Values that statements work with beside the variables.
    held: Vec<Vec<Val>>,
    /// Expressions inside each other that are under way.
    evaluating: usize,
    /// It is the script itself and no hook, whose budget belongs to the script.
    is_script: bool,
    /// The variables of the code that runs.
    frame: Vec<Cell>,
    /// Where in the source it is.
    at: u32,
    /// Exceptions whose catch blocks are running.
    caught: Vec<Exception>,
    /// What `Destroy` was called with: as in Unity, it goes when the run is over.
    doomed: Vec<Val>,
    /// Who writes into the log.
    source: &'static str,
}

/// Run a script.
pub(super) fn run_script(
    world: &mut World,
    program: &Program,
    budget: &mut Budget<'_>,
) -> Result<Evaluated, EvalError> {
    let mut run = Run::new(world, program, budget, "console");
    run.is_script = true;
    run.frame = run.cells(program.main.slots);
    let given = run.statements(&program.main.body).and_then(|flow| match flow {
        Flow::Return(Some(value)) => {
            let text = run.text_of(&value)?;
            Ok((run.to_value(&value), text))
        }
        _ => Ok((Value::Null, String::new())),
    });
    run.finish();
    match given {
        Ok((value, mut text)) => {
            let mut most = run.budget.limits.text.min(text.len());
            while !text.is_char_boundary(most) {
                most -= 1;
            }
            text.truncate(most);
            Ok(Evaluated { value, text })
        }
        Err(stop) => Err(run.error(stop)),
    }
}

/// What a hooked method was called with, and what it gave. Code changes those it takes by `ref`.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) instance: Value,
    pub(crate) result: Value,
    /// Names of parameters, and their values.
    pub(crate) named: Vec<(Arc<str>, Value)>,
}

impl Arguments {
    /// What a parameter of a hook's function stands for: `__instance`, `__result`, a parameter of
    /// the method by its name or as `__0`.
    fn place(&mut self, name: &str) -> Option<&mut Value> {
        match name {
            "__instance" => Some(&mut self.instance),
            "__result" => Some(&mut self.result),
            _ => {
                let number = name.strip_prefix("__").and_then(|number| number.parse().ok());
                let at =
                    number.or_else(|| self.named.iter().position(|(known, _)| **known == *name));
                self.named.get_mut(at?).map(|(_, value)| value)
            }
        }
    }
}

/// Run a function of a hook's source; nothing when the source has none of that name.
pub(crate) fn call_hook(
    world: &mut World,
    program: &Program,
    function: &str,
    arguments: &mut Arguments,
    budget: &mut Budget<'_>,
) -> Result<Option<Value>, EvalError> {
    let Some((_, index)) = program.named.iter().find(|(name, _)| name == function) else {
        return Ok(None);
    };
    let Some(code) = program.functions.get(*index) else { return Ok(None) };
    let mut run = Run::new(world, program, budget, "hook");
    run.frame = run.cells(program.main.slots);
    let given = run.hook(code, arguments);
    run.finish();
    given.map(Some).map_err(|stop| run.error(stop))
}

impl<'r, 'l> Run<'r, 'l> {
    fn new(
        world: &'r mut World,
        program: &'r Program,
        budget: &'r mut Budget<'l>,
        source: &'static str,
    ) -> Run<'r, 'l> {
        let tidy_at = budget.limits.memory / 2;
        Run {
            world,
            program,
            budget,
            heap: Vec::new(),
            free: Vec::new(),
            tidy_at,
            kept: 0,
            held: Vec::new(),
            evaluating: 0,
            is_script: false,
            frame: Vec::new(),
            at: 0,
            caught: Vec::new(),
            doomed: Vec::new(),
            source,
        }
    }

    fn cells(&self, count: usize) -> Vec<Cell> {
        (0..count).map(|_| Rc::new(RefCell::new(Val::Null))).collect()
    }

    fn hook(&mut self, code: &Code, arguments: &mut Arguments) -> Ran<Value> {
        let mut args = Vec::new();
        for parameter in &code.parameters {
            let value = arguments.place(&parameter.name).map_or(Value::Null, |place| place.clone());
            args.push(self.value_from(&value, Some(&parameter.ty))?);
        }
        let (given, cells) = self.call_code(code, self.frame.clone(), args)?;
        for parameter in code.parameters.iter().filter(|parameter| parameter.by_ref) {
            let Some(cell) = cells.get(parameter.slot) else { continue };
            let value = self.to_value(&cell.borrow());
            if let Some(place) = arguments.place(&parameter.name) {
                *place = value;
            }
        }
        Ok(given.map_or(Value::Null, |given| self.to_value(&given)))
    }

    /// Destroy what was to be destroyed.
    fn finish(&mut self) {
        for doomed in std::mem::take(&mut self.doomed) {
            self.destroy_now(&doomed);
        }
    }

    fn error(&self, stop: Stop) -> EvalError {
        let exception = match stop {
            Stop::Thrown(exception) | Stop::Limit(exception) => *exception,
            Stop::Chain => {
                Exception { ty: "System.NullReferenceException".into(), message: String::new() }
            }
        };
        EvalError::Runtime {
            exception: exception.ty.to_string(),
            message: exception.message,
            line: position(&self.program.source, self.at).0,
        }
    }

    fn throw<T>(&self, ty: &str, message: impl Into<String>) -> Ran<T> {
        Err(Stop::Thrown(Box::new(Exception { ty: ty.into(), message: message.into() })))
    }

    fn limit<T>(&self, ty: &str, message: String) -> Ran<T> {
        Err(Stop::Limit(Box::new(Exception { ty: ty.into(), message })))
    }

    fn null<T>(&self) -> Ran<T> {
        let message = "Object reference not set to an instance of an object";
        self.throw("System.NullReferenceException", message)
    }

    /// Count work; looks at the clock now and then.
    fn work(&mut self, steps: u64) -> Ran<()> {
        let before = self.budget.steps;
        self.budget.steps = before.saturating_add(steps);
        let limits = &self.budget.limits;
        if self.budget.steps > limits.steps {
            let message =
                format!("the code ran for more than {} steps; is a loop endless?", limits.steps);
            return self.limit("System.TimeoutException", message);
        }
        if before / PAUSE == self.budget.steps / PAUSE {
            return Ok(());
        }
        if self.budget.started.elapsed() > limits.time {
            let message = format!("the code ran for more than {} ms", limits.time.as_millis());
            return self.limit("System.TimeoutException", message);
        }
        if (limits.cancel)() {
            return self
                .limit("System.OperationCanceledException", "the run was cancelled".to_owned());
        }
        Ok(())
    }

    /// Count memory before it is taken.
    fn take(&mut self, bytes: usize) -> Ran<()> {
        self.budget.memory = self.budget.memory.saturating_add(bytes);
        if self.is_full() && !self.budget.texts.is_empty() {
            self.forget_texts()?;
        }
        if self.is_full() {
            let message =
                format!("the code holds values of more than {} bytes", self.budget.limits.memory);
            return self.limit("System.OutOfMemoryException", message);
        }
        Ok(())
    }

    /// The same for what is counted when it is made.
    fn room(&mut self, bytes: usize) -> Ran<()> {
        self.take(bytes)?;
        self.budget.memory = self.budget.memory.saturating_sub(bytes);
        Ok(())
    }

    /// The same for what is not freed while code runs.
    fn take_for_good(&mut self, bytes: usize) -> Ran<()> {
        self.kept = self.kept.saturating_add(bytes);
        self.take(bytes)
    }

    fn is_full(&self) -> bool {
        self.budget.memory.saturating_add(self.budget.text_memory) > self.budget.limits.memory
    }

    /// Count only the long texts that are still there.
    fn forget_texts(&mut self) -> Ran<()> {
        self.work(self.budget.texts.len() as u64 / 16)?;
        self.budget.texts.retain(|text| text.strong_count() > 0);
        let lengths = self.budget.texts.iter().filter_map(Weak::upgrade).map(|text| text.len());
        self.budget.text_memory = lengths.sum();
        Ok(())
    }

    /// Go a level deeper.
    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Ran<T>) -> Ran<T> {
        if self.budget.depth >= MAX_EVALUATIONS {
            return self
                .limit("System.StackOverflowException", "calls are nested too deep".to_owned());
        }
        self.budget.depth += 1;
        let given = run(self);
        self.budget.depth -= 1;
        given
    }

    fn text(&mut self, text: String) -> Ran<Val> {
        self.work(text.len() as u64 / 256)?;
        if text.len() < LONG_TEXT {
            self.take(text.len())?;
            return Ok(Val::text(text));
        }
        self.budget.text_memory = self.budget.text_memory.saturating_add(text.len());
        self.take(0)?;
        let text: Rc<str> = text.into();
        self.budget.texts.push(Rc::downgrade(&text));
        Ok(Val::Text(text))
    }

    fn tuple(&mut self, parts: Vec<Val>) -> Ran<Val> {
        self.take(parts.iter().map(Val::size).sum())?;
        match Parts::new(parts) {
            Some(parts) => Ok(Val::Tuple(parts)),
            None => self.throw("System.InvalidOperationException", "tuples are nested too deep"),
        }
    }

    fn pair(&mut self, key: Val, value: Val) -> Ran<Val> {
        match self.tuple(vec![key, value])? {
            Val::Tuple(parts) => Ok(Val::Pair(parts)),
            other => Ok(other),
        }
    }

    fn add(&mut self, thing: Thing) -> Ran<Val> {
        self.take(std::mem::size_of::<Thing>())?;
        if let Some(place) = self.free.pop() {
            self.heap[place] = thing;
            return Ok(Val::Ref(place));
        }
        self.heap.push(thing);
        Ok(Val::Ref(self.heap.len() - 1))
    }

    fn add_list(&mut self, kind: ListKind, item: Ty, items: Vec<Val>) -> Ran<Val> {
        self.take(items.iter().map(Val::size).sum())?;
        self.add(Thing::List(List::new(kind, item, items)))
    }

    fn thing(&self, value: &Val) -> Option<&Thing> {
        match value {
            Val::Ref(index) => self.heap.get(*index),
            _ => None,
        }
    }

    fn list(&self, value: &Val) -> Option<&List> {
        match self.thing(value)? {
            Thing::List(list) => Some(list),
            _ => None,
        }
    }

    fn list_mut(&mut self, value: &Val) -> Option<&mut List> {
        match value {
            Val::Ref(index) => match self.heap.get_mut(*index)? {
                Thing::List(list) => Some(list),
                _ => None,
            },
            _ => None,
        }
    }

    fn map(&self, value: &Val) -> Option<&Map> {
        match self.thing(value)? {
            Thing::Map(map) => Some(map),
            _ => None,
        }
    }

    fn map_mut(&mut self, value: &Val) -> Option<&mut Map> {
        match value {
            Val::Ref(index) => match self.heap.get_mut(*index)? {
                Thing::Map(map) => Some(map),
                _ => None,
            },
            _ => None,
        }
    }

    /// A method that the table has and nothing runs. A test calls everything in the table, so that
    /// this cannot happen to a user.
    fn missing<T>(&self, ty: &str, name: &str) -> Ran<T> {
        self.throw(
            "System.MissingMethodException",
            format!("{ty}.{name} is not supported with these arguments"),
        )
    }
}
