//! What a running tool can reach: the projects, the caller, and other tools.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::{
    Call, Cancel, JsonMap, Level, Limits, Outcome, Reporter, ToolError, ToolInfo,
};

use crate::door::{self, Stage, Turn};
use crate::runner::Runner;
use crate::workspace::{Project, Workspace};

/// The surroundings of one call.
pub struct Cx {
    runner: Arc<Runner>,
    call: Call,
    limits: Limits,
    started: Instant,
    diagnostics: Mutex<Vec<String>>,
    changed: Mutex<Vec<String>>,
    /// Where changes wait when several calls are to be one.
    stage: Option<Arc<Stage>>,
    /// The tool is to change a project.
    writes: bool,
    /// It is to show what it would change.
    dry: bool,
    /// The projects that this call may write now; a call inside it writes in its turn.
    turns: Arc<Turns>,
}

/// The turns that a call has taken, by the project's root.
type Turns = Mutex<Vec<(PathBuf, Turn)>>;

impl Cx {
    /// The surroundings of `call`; a tool gets them from the runner.
    pub fn new(runner: Arc<Runner>, call: Call, limits: Limits) -> Self {
        Self {
            runner,
            call,
            limits,
            started: Instant::now(),
            diagnostics: Mutex::default(),
            changed: Mutex::default(),
            stage: None,
            writes: false,
            dry: false,
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

    /// Whether the tool is to change a project, so that what it reads must stay until it is done.
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Wait until nobody else writes the project; it stays so until this call is over.
    pub fn turn(&self, project: &Project) -> Result<(), ToolError> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.iter().all(|(root, _)| *root != project.root) {
            let (turn, said) = door::take_turn(project, self.cancel())?;
            turns.push((project.root.clone(), turn));
            said.into_iter().for_each(|text| self.diagnose(text));
        }
        Ok(())
    }

    /// Where changes wait when several calls are to be one.
    pub fn stage(&self) -> Option<&Arc<Stage>> {
        self.stage.as_ref()
    }

    /// The projects that are open.
    pub fn workspace(&self) -> &Workspace {
        self.runner.workspace()
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

    /// Run another tool whose changes wait in `stage`.
    pub fn call_staged(
        &self,
        tool: &str,
        arguments: JsonMap,
        stage: Option<Arc<Stage>>,
    ) -> Result<Outcome, ToolError> {
        // What waits in a stage is written by the call around it, and that one was asked about.
        let confirmed = self.call.confirmed || stage.is_some();
        let dry = self.call.dry || (self.dry && stage.is_some());
        let call = Call { tool: tool.to_owned(), arguments, confirmed, dry, ..self.call.clone() };
        let outer = Outer { stage, turns: self.turns.clone() };
        self.runner.admit_nested(call)?.run_inside(outer)
    }

    /// Add a remark to the answer.
    pub fn diagnose(&self, text: impl Into<String>) {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).push(text.into());
    }

    pub(crate) fn take_diagnostics(&self) -> Vec<String> {
        std::mem::take(&mut self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether a person agreed to this call.
    pub fn is_confirmed(&self) -> bool {
        self.call.confirmed
    }

    /// The time that the call may take.
    pub fn timeout(&self) -> Duration {
        self.limits.timeout
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

/// What a call inside another one has from it.
#[derive(Default)]
pub(crate) struct Outer {
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
