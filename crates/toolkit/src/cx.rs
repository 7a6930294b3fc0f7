//! What a running tool can reach: the projects, the caller, and other tools.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::call::{Diffs, Reads};
use scenewright_contract::{
    Call, Cancel, Dialect, ErrorKind, Image, JsonMap, Level, Limits, Outcome, Reporter, ToolError,
    ToolInfo, Witness,
};
use serde_json::Value;

use crate::audit::Found;
use crate::door::{self, Stage, Turn};
use crate::protect::Protected;
use crate::runner::Runner;
use crate::workspace::{Project, Workspace};

/// Bytes of one answer; more nobody reads, and several calls run at once.
const MAX_KEPT: usize = 64 << 20;

/// The surroundings of one call.
pub struct Cx {
    runner: Arc<Runner>,
    /// What was open when it began.
    workspace: Arc<Workspace>,
    call: Call,
    limits: Limits,
    started: Instant,
    diagnostics: Mutex<Vec<String>>,
    images: Mutex<Vec<Image>>,
    /// The text of the answer, where another tool has written it.
    text: Mutex<Option<String>>,
    changed: Mutex<Vec<String>>,
    /// Bytes that the answer holds so far.
    kept: AtomicUsize,
    /// Where changes wait when several calls are to be one.
    stage: Option<Arc<Stage>>,
    /// The tool is to change a project.
    writes: bool,
    /// It is to show what it would change.
    dry: bool,
    /// With these arguments it never changes a project.
    only_reads: bool,
    /// It changes or runs something, or shows what that would be.
    acts: bool,
    /// The projects that this call may write now; a call inside it writes in its turn.
    turns: Arc<Turns>,
}

/// The arguments by which tools know a project.
pub(crate) const PROJECT_ARGUMENTS: [&str; 2] = ["project", "projectPath"];
/// An answer names no more projects.
const MAX_NAMED: usize = 12;

/// The turns that a call has taken, by the project's root.
type Turns = Mutex<Vec<(PathBuf, Turn)>>;

impl Cx {
    /// The surroundings of `call`; a tool gets them from the runner.
    pub fn new(runner: Arc<Runner>, call: Call, limits: Limits) -> Self {
        Self {
            workspace: runner.workspace(),
            runner,
            call,
            limits,
            started: Instant::now(),
            diagnostics: Mutex::default(),
            images: Mutex::default(),
            text: Mutex::default(),
            changed: Mutex::default(),
            kept: AtomicUsize::new(0),
            stage: None,
            writes: false,
            dry: false,
            only_reads: false,
            acts: false,
            turns: Arc::default(),
        }
    }

    pub(crate) fn inside(mut self, outer: Outer) -> Self {
        self.stage = outer.stage;
        self.turns = outer.turns;
        self
    }

    pub(crate) fn writing(mut self, writes: bool, dry: bool) -> Self {
        (self.writes, self.dry) = (writes && !dry, dry);
        self
    }

    pub(crate) fn only_reading(mut self, only_reads: bool) -> Self {
        self.only_reads = only_reads;
        self
    }

    pub(crate) fn acting(mut self, acts: bool) -> Self {
        self.acts = acts;
        self
    }

    pub(crate) fn with_workspace(mut self, workspace: Arc<Workspace>) -> Self {
        self.workspace = workspace;
        self
    }

    /// Whether a name that is slightly wrong may be read as the one that is meant. Where something
    /// is written, also in a dry run of it, a guess could be the wrong one.
    pub fn may_guess(&self) -> bool {
        self.only_reads
    }

    /// Whether the caller reads a text, in which ids and such are left out.
    pub fn reads_text(&self) -> bool {
        self.call.reads != Reads::Data
    }

    /// How much of what it changes the answer shows.
    pub(crate) fn diffs(&self) -> Diffs {
        self.call.diffs
    }

    /// Whether the tool is to change a project, so that what it reads must stay until it is done.
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Wait until nobody else writes the project; it stays so until this call is over.
    pub fn turn(&self, project: &Project) -> Result<(), ToolError> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.iter().all(|(root, _)| *root != project.root) {
            self.refuse_while_open(project)?;
            let taken = door::take_turn(project, self.cancel())?;
            turns.push((project.root.clone(), taken.turn));
            for (found, texts) in
                [(Found::Settled, taken.settled), (Found::SetAside, taken.set_aside)]
            {
                for text in texts {
                    self.runner.record_found(found, &project.id, &text);
                    self.diagnose(text);
                }
            }
        }
        Ok(())
    }

    /// What may not be written in a project, whatever a call asks for.
    pub fn protected(&self, project: &Project) -> Result<Protected, ToolError> {
        Protected::read(&project.root, &self.runner.settings().protect)
    }

    /// The operator may want nothing written that an editor has open.
    fn refuse_while_open(&self, project: &Project) -> Result<(), ToolError> {
        if !self.runner.settings().refuse_while_open {
            return Ok(());
        }
        let Some(open) = project.engine.open_elsewhere() else { return Ok(()) };
        let message = format!("nothing is written while {}", open.seen);
        Err(ToolError::new(ErrorKind::Denied, message)
            .hint(format!("{}, or start scenewright without --refuse-while-open", open.hint))
            .detail("setting", "refuse-while-open"))
    }

    /// Say once in the answer that an editor has the project open which is being written.
    pub(crate) fn tell_if_open(&self, project: &Project) {
        let Some(open) = project.engine.open_elsewhere() else { return };
        self.diagnose_once(format!("{}: {}.", upper(open.seen), open.then));
    }

    fn diagnose_once(&self, text: String) {
        let mut said = self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
        if !said.contains(&text) {
            said.push(text);
        }
    }

    /// Where changes wait when several calls are to be one.
    pub fn stage(&self) -> Option<&Arc<Stage>> {
        self.stage.as_ref()
    }

    /// The projects that were open when the call began.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The project that the call is about: the one that it names, or the only one.
    pub fn project(&self, wanted: Option<&str>) -> Result<&Project, ToolError> {
        self.choose(None, wanted, self.acts)
    }

    /// The same, among the projects of an engine.
    pub fn project_of(&self, engine: &str, wanted: Option<&str>) -> Result<&Project, ToolError> {
        self.choose(Some(engine), wanted, self.acts)
    }

    /// The same; where several could be meant, a call that acts is refused, and one that reads is
    /// about the first and says so.
    pub fn choose(
        &self,
        engine: Option<&str>,
        wanted: Option<&str>,
        acts: bool,
    ) -> Result<&Project, ToolError> {
        if let Some(wanted) = wanted {
            return self.workspace.named(wanted);
        }
        let meant: Vec<&Project> = self.workspace.candidates(engine).collect();
        self.among(&meant, acts).unwrap_or_else(|| {
            // The tool says that it is not for this engine.
            self.workspace.candidates(None).next().ok_or_else(|| self.workspace.nothing_open())
        })
    }

    /// The same among these, of which there may be none.
    pub fn choose_among<'p>(
        &self,
        meant: &[&'p Project],
    ) -> Option<Result<&'p Project, ToolError>> {
        self.among(meant, self.acts)
    }

    fn among<'p>(
        &self,
        meant: &[&'p Project],
        acts: bool,
    ) -> Option<Result<&'p Project, ToolError>> {
        let (first, others) = meant.split_first()?;
        if others.is_empty() {
            return Some(Ok(first));
        }
        if acts {
            return Some(Err(self.ambiguous(meant)));
        }
        self.diagnose_once(self.about_first(first, others));
        Some(Ok(first))
    }

    /// The error of a call that could change or run any of these.
    fn ambiguous(&self, meant: &[&Project]) -> ToolError {
        let ids: Vec<String> = meant.iter().map(|project| project.id.to_string()).collect();
        let message =
            format!("{} projects are open, and the call names none: {}", ids.len(), few(&ids));
        let hint = match self.project_argument() {
            Some(name) => format!("call again with `{name}`; nothing was changed"),
            None => {
                let start = "start the server with --project DIR";
                format!(
                    "this tool works where one such project is open: {start}; nothing was changed"
                )
            }
        };
        ToolError::new(ErrorKind::BadArguments, message).hint(hint).detail("projects", ids)
    }

    fn about_first(&self, first: &Project, others: &[&Project]) -> String {
        let others: Vec<String> = others.iter().map(|other| other.id.to_string()).collect();
        let name = self.project_argument().map(|name| format!("; `{name}` names one of them"));
        let (id, others) = (&first.id, few(&others));
        format!("This is about {id}. Also open: {others}{}.", name.unwrap_or_default())
    }

    /// The argument by which the tool knows a project.
    fn project_argument(&self) -> Option<&'static str> {
        let (_, info) = self.runner.known(&self.call.tool).ok()?;
        let properties = info.words.input.get("properties")?.as_object()?;
        PROJECT_ARGUMENTS.into_iter().find(|name| properties.contains_key(*name))
    }

    /// The runner of this call; the tools about tools ask it.
    pub fn runner(&self) -> &Runner {
        &self.runner
    }

    /// The tools that this server offers.
    pub fn catalog(&self) -> Vec<&ToolInfo> {
        self.runner.catalog()
    }

    /// Run another tool. It is admitted like any call, except that it takes no place of its own.
    pub fn call_tool(&self, tool: &str, arguments: JsonMap) -> Result<Outcome, ToolError> {
        self.call_staged(tool, arguments, self.stage.clone())
    }

    /// Whether another tool would change nothing and start nothing with these arguments.
    pub fn would_only_read(&self, tool: &str, arguments: &JsonMap) -> Result<bool, ToolError> {
        let call =
            Call { tool: tool.to_owned(), arguments: arguments.clone(), ..self.call.clone() };
        self.runner.would_only_read(call)
    }

    /// Run another tool whose changes wait in `stage`.
    pub fn call_staged(
        &self,
        tool: &str,
        arguments: JsonMap,
        stage: Option<Arc<Stage>>,
    ) -> Result<Outcome, ToolError> {
        let dry = self.call.dry || (self.dry && stage.is_some());
        // What waits in a stage is written by the call around it, and that one was asked about. One
        // that is only shown was not, and some of it may start the engine.
        let confirmed = self.call.confirmed || (stage.is_some() && !dry);
        let call = Call { tool: tool.to_owned(), arguments, confirmed, dry, ..self.call.clone() };
        let outer = Outer { is_call: true, stage, turns: self.turns.clone() };
        self.runner.admit_nested(call)?.run_inside(outer)
    }

    /// Count bytes that are to be part of the answer. False when it is full: then they are left out,
    /// and the answer says so.
    pub fn keep(&self, bytes: usize) -> bool {
        // More than the limit never matters, and the sum must not start anew.
        let bytes = bytes.min(MAX_KEPT + 1);
        let add = |kept: usize| Some(kept.saturating_add(bytes));
        let before = self.kept.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        let before = before.unwrap_or(usize::MAX);
        let after = before.saturating_add(bytes);
        if before <= MAX_KEPT && after > MAX_KEPT {
            let most = MAX_KEPT >> 20;
            self.diagnose(format!("The answer is full at {most} MiB. Results are partial."));
        }
        after <= MAX_KEPT
    }

    /// Whether the answer holds all that it may, so that no more need be made for it.
    pub fn is_full(&self) -> bool {
        self.kept.load(Ordering::Relaxed) > MAX_KEPT
    }

    /// Add a remark to the answer.
    pub fn diagnose(&self, text: impl Into<String>) {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).push(text.into());
    }

    pub(crate) fn take_diagnostics(&self) -> Vec<String> {
        std::mem::take(&mut self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Add a picture to the answer, for those who can see it.
    pub fn show(&self, image: Image) {
        self.images.lock().unwrap_or_else(PoisonError::into_inner).push(image);
    }

    pub(crate) fn take_images(&self) -> Vec<Image> {
        std::mem::take(&mut self.images.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Pass on the text that another tool's answer has.
    pub fn set_text(&self, text: String) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    pub(crate) fn take_text(&self) -> Option<String> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether a person agreed to this call, or whoever called says so.
    pub fn is_confirmed(&self) -> bool {
        self.call.confirmed || self.call.says_confirm
    }

    /// Who watches what this call changes.
    pub(crate) fn witness(&self) -> Option<&dyn Witness> {
        self.call.witness.as_deref()
    }

    /// Bytes for a name that nothing has yet. A call that a person agreed to makes the names that they
    /// were shown.
    pub fn draw(&self, bytes: &mut [u8]) -> Result<(), ToolError> {
        if let Some(witness) = self.witness() {
            witness.draw(bytes);
            return Ok(());
        }
        getrandom::fill(bytes).map_err(|error| {
            ToolError::new(ErrorKind::Internal, format!("no random numbers: {error}"))
        })
    }

    /// The time that the call may take.
    pub fn timeout(&self) -> Duration {
        self.limits.timeout
    }

    /// The protocol that the call came in.
    pub fn dialect(&self) -> Dialect {
        self.call.dialect
    }

    /// The id of the tool that runs.
    pub fn tool(&self) -> &str {
        &self.call.tool
    }

    /// Note files that this call changed, for the audit.
    pub fn changed(&self, files: impl Iterator<Item = String>) {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
    }

    pub(crate) fn take_changed(&self) -> Vec<String> {
        std::mem::take(&mut self.changed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The flag that says whether anybody still waits for the answer.
    pub fn cancel(&self) -> &Cancel {
        &self.call.cancel
    }

    /// Fails once the caller has given up; call it in every long loop.
    pub fn check_cancelled(&self) -> Result<(), ToolError> {
        if self.call.cancel.is_cancelled() { Err(ToolError::cancelled()) } else { Ok(()) }
    }

    /// The guard of a scan, counting from the start of the call.
    pub fn time_guard(&self) -> TimeGuard {
        TimeGuard { started: self.started, limit: self.limits.time_guard }
    }

    /// Tell the caller how far the work is.
    pub fn progress(&self, done: f64, total: Option<f64>, message: &str) {
        if let Some(reporter) = &self.call.reporter {
            reporter.progress(done, total, Some(message));
        }
    }

    /// Write a line for whoever watches.
    pub fn log(&self, level: Level, message: &str) {
        if let Some(reporter) = &self.call.reporter {
            reporter.log(level, message);
        }
    }

    /// Where this call reports to, for handing on.
    pub fn reporter(&self) -> Option<Arc<dyn Reporter>> {
        self.call.reporter.clone()
    }
}

/// The same text as the beginning of a sentence.
fn upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The first of these names.
fn few(names: &[String]) -> String {
    let shown = names[..names.len().min(MAX_NAMED)].join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// What a call inside another one has from it.
#[derive(Default)]
pub(crate) struct Outer {
    /// There is a call around it.
    pub(crate) is_call: bool,
    stage: Option<Arc<Stage>>,
    turns: Arc<Turns>,
}

/// The time after which a scan stops and returns what it has (spec 000, Timeouts).
pub struct TimeGuard {
    started: Instant,
    limit: Option<Duration>,
}

impl TimeGuard {
    /// Whether it is time to stop.
    pub fn expired(&self) -> bool {
        self.limit.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    /// Say in the answer that the scan stopped early, in the words of spec 000.
    pub fn report(&self, cx: &Cx, processed: usize, total: Option<usize>) {
        let ms = self.limit.unwrap_or_default().as_millis();
        cx.diagnose(match total {
            Some(total) => format!(
                "Scan stopped after {ms}ms. Processed {processed} of {total} items. Results may be partial."
            ),
            None => format!(
                "Scan stopped after {ms}ms. Processed {processed} items. Results may be partial."
            ),
        });
    }
}

/// About how many bytes a value takes in an answer.
pub fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 8,
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + 8,
        Value::Object(members) => {
            members.iter().map(|(key, value)| key.len() + 8 + weight(value)).sum()
        }
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use scenewright_contract::{Call, JsonMap, Limits};

    use super::*;
    use crate::{Kit, Settings};

    #[test]
    fn an_answer_that_is_full_takes_no_more_and_says_so_once() {
        let kit = Kit { groups: Vec::new(), packs: Vec::new() };
        let runner = Runner::new(kit, Workspace::default(), Settings::default(), None);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        assert!(cx.keep(MAX_KEPT - 1) && cx.keep(1));
        assert!(!cx.keep(1) && !cx.keep(usize::MAX) && !cx.keep(1));
        assert_eq!(cx.take_diagnostics(), ["The answer is full at 64 MiB. Results are partial."]);
    }
}
