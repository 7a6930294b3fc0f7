//! A call that was admitted: it runs, panics caught, and what came of it is recorded.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use scenewright_contract::call::Reads;
use scenewright_contract::echo::LongTexts;
use scenewright_contract::{Call, Cancel, ErrorKind, Level, Listener, Outcome, ToolError};
use serde_json::Value;

use super::{Entry, Runner};
use crate::budget::Form;
use crate::cx::Outer;
use crate::tool::Powers;
use crate::workspace::{NOTHING, Workspace};
use crate::{Cx, Tool, budget, clients, jobs, pictures};

/// A call that may run. It holds its place among the running calls until it is dropped.
pub struct Admitted {
    pub(super) runner: Arc<Runner>,
    pub(super) entry: usize,
    pub(super) call: Call,
    pub(super) _place: Option<Place>,
}

/// A place among the running calls, until it is dropped.
pub struct Place(pub(super) Arc<Runner>);

impl Admitted {
    /// The id of the tool.
    pub fn tool(&self) -> &'static str {
        self.runner.entries[self.entry].tool.id
    }

    /// The time that the call may take. A tool that runs another takes the time of that one.
    pub fn timeout(&self) -> Duration {
        let entry = &self.runner.entries[self.entry];
        let inner = self.call.arguments.get("tool").and_then(Value::as_str);
        inner
            .filter(|_| entry.tool.delegates)
            .and_then(|name| self.runner.find(name, self.call.dialect).ok())
            .map_or(entry.tool.limits.timeout, |index| {
                self.runner.entries[index].tool.limits.timeout
            })
    }

    /// Whether a client waits that may give up after a minute, so that a long call has to go on without it.
    pub fn may_outlast_its_client(&self) -> bool {
        self.call.reads != Reads::Data && self.timeout() > jobs::PATIENCE
    }

    /// The runner that admitted it.
    pub fn runner(&self) -> &Arc<Runner> {
        &self.runner
    }

    /// Whether it needs no worker thread.
    pub fn is_instant(&self) -> bool {
        let tool = self.runner.entries[self.entry].tool;
        // Looking for a project takes a moment.
        tool.instant && !self.runner.workspace().may_find() && self.runner.elsewhere(tool).is_none()
    }

    /// The flag that ends it.
    pub fn cancel(&self) -> Cancel {
        self.call.cancel.clone()
    }

    /// Run the tool on this thread.
    pub fn run(self) -> Result<Outcome, ToolError> {
        self.run_inside(Outer::default())
    }

    /// The same inside another call.
    pub(crate) fn run_inside(mut self, outer: Outer) -> Result<Outcome, ToolError> {
        let tool = self.runner.entries[self.entry].tool;
        let entry = &self.runner.entries[self.entry];
        let (powers, is_dry) = (entry.powers(&self.call), entry.is_dry(&self.call));
        let writes = powers != Powers::default();
        let at_all = tool.powers_with(&self.call.arguments);
        let audit = self.runner.audit.as_ref().filter(|_| writes && !tool.delegates);
        let audited = audit.map(|audit| (audit.begin(&self.call, tool), self.call.clone()));
        let started = Instant::now();
        let long = LongTexts::of(&self.call.arguments);
        let workspace = self.runner.look_for(&self.call);
        let remark = self.remark(&workspace, &outer);
        let arguments = Value::Object(std::mem::take(&mut self.call.arguments));
        let mut budget = self.call.budget.take();
        if let (Some(budget), Some(remark)) = (&mut budget, &remark) {
            budget.bytes = budget.bytes.saturating_sub(remark.len()).max(budget.bytes / 2);
        }
        let (inner, budget) = if tool.passes_on() { (budget, None) } else { (None, budget) };
        let reads = self.call.reads;
        let call = Call { tool: tool.id.to_owned(), budget: inner, ..self.call.clone() };
        let cx = Cx::new(self.runner.clone(), call, tool.limits)
            .with_workspace(workspace)
            .inside(outer)
            .writing(powers.writes && !tool.delegates, is_dry)
            .only_reading(!at_all.writes)
            .acting(at_all != Powers::default());
        let own = arguments.get("cursor").cloned();
        let result = run_caught(tool, &cx, arguments)
            .and_then(|outcome| match &budget {
                Some(budget) => {
                    let text = |output: &Value| tool.text_of(output);
                    fit(outcome, &Form { budget, reads, text: &text, own: own.as_ref() }, entry)
                }
                None => Ok(outcome),
            })
            .map(|outcome| Outcome { wants_data: reads == Reads::Both, ..outcome })
            .map(|outcome| with_pictures(outcome, &self.call))
            .map_err(|error| long.cut_from(error.tool(&self.call.tool)));
        // It may have opened a project.
        let remark = remark.filter(|_| self.runner.workspace().remark().is_some());
        let result = remarked(result, remark);
        let changed = cx.take_changed();
        tell(&cx, tool, &result, &changed, started.elapsed());
        if let (Some(audit), Some((begun, call))) = (&self.runner.audit, audited) {
            audit.wrote(begun, &call, tool, &result, &changed, started.elapsed());
        }
        result
    }

    /// What every answer says, also one that needs no project. Whoever typed a command knows it.
    fn remark(&self, workspace: &Workspace, outer: &Outer) -> Option<String> {
        let tool = self.runner.entries[self.entry].tool;
        let is_inner = outer.is_call || self.call.listener == Listener::CommandLine;
        if is_inner || self.runner.elsewhere(tool).is_some() {
            return None;
        }
        workspace.remark()
    }
}

/// An answer that says it, too: first, since clients that cut an answer cut its middle.
fn remarked(
    result: Result<Outcome, ToolError>,
    remark: Option<String>,
) -> Result<Outcome, ToolError> {
    let mut outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => return Err(with_remark(error, remark)),
    };
    // An answer that is given once more says it already.
    if let Some(remark) = remark.filter(|remark| !outcome.diagnostics.contains(remark)) {
        if let Some(text) = &mut outcome.text {
            text.insert_str(0, &format!("note: {remark}\n"));
        }
        outcome.diagnostics.insert(0, remark);
    }
    Ok(outcome)
}

/// An error has no room for remarks but its hint.
pub(super) fn with_remark(mut error: ToolError, remark: Option<String>) -> ToolError {
    let Some(remark) = remark.filter(|_| !error.details.contains_key(NOTHING)) else {
        return error;
    };
    error.hint = Some(match error.hint {
        Some(hint) if hint.ends_with(['.', '?', '!']) => format!("{hint} {remark}"),
        Some(hint) => format!("{hint}. {remark}"),
        None => remark,
    });
    error
}

fn fit(mut outcome: Outcome, form: &Form<'_>, entry: &Entry) -> Result<Outcome, ToolError> {
    let names = entry.info.words.input.get("properties").and_then(Value::as_object);
    let names = names.into_iter().flat_map(|names| names.keys().cloned());
    let output = std::mem::take(&mut outcome.output);
    (outcome.output, outcome.text) = budget::fit(output, form, &mut outcome.diagnostics, names)?;
    Ok(outcome)
}

/// The pictures as the client can take them. A call inside of another leaves them to that one.
fn with_pictures(mut outcome: Outcome, call: &Call) -> Outcome {
    let Some(text) = &mut outcome.text else { return outcome };
    let pictures = std::mem::take(&mut outcome.images).into_iter().map(pictures::small);
    let is_shown = clients::shows_pictures(call.who.client.as_deref());
    outcome.images = pictures
        .filter(|picture| match (!is_shown).then(|| pictures::to_file(picture)).flatten() {
            Some(path) => {
                text.push_str(&format!("\npicture: {}", path.display()));
                false
            }
            None => true,
        })
        .collect();
    outcome
}

/// Log lines for a client that wants them: what was changed, and at its most curious every call.
fn tell(
    cx: &Cx,
    tool: &Tool,
    result: &Result<Outcome, ToolError>,
    changed: &[String],
    took: Duration,
) {
    if cx.reporter().is_none() {
        return;
    }
    for path in changed {
        cx.log(Level::Info, &format!("{} wrote {path}", tool.id));
    }
    let came_to = match result {
        Ok(_) => "done",
        Err(error) => error.kind.as_str(),
    };
    cx.log(Level::Debug, &format!("{}: {came_to}, {} ms", tool.id, took.as_millis()));
}

fn run_caught(tool: &Tool, cx: &Cx, arguments: Value) -> Result<Outcome, ToolError> {
    cx.check_cancelled()?;
    let run = || match cx.runner().elsewhere(tool) {
        Some(pack) => pack.run_elsewhere(tool, cx, arguments),
        None => (tool.call)(cx, arguments),
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(output)) => Ok(Outcome {
            tool: tool.id,
            output,
            text: cx.take_text(),
            wants_data: false,
            diagnostics: cx.take_diagnostics(),
            images: cx.take_images(),
        }),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(ToolError::new(
            ErrorKind::Internal,
            format!("{} hit a defect in scenewright; the server goes on", tool.id),
        )
        .hint("the log on stderr has the place; please report it")),
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut traffic = self.0.traffic();
        traffic.running = traffic.running.saturating_sub(1);
    }
}
