//! What a person reads before they agree to a call, and what their yes is bound to: the changes of a dry
//! run, told by meaning as `scenewright diff` tells them. Who asks them is the client, or a terminal, where
//! calls of clients wait that cannot ask.

mod pending;
mod store;
mod witness;

use std::sync::Arc;

use scenewright_contract::{Call, ErrorKind, Runs, Shown, ToolError};
use scenewright_toolkit::Runner;
use serde_json::{Value, json};

use crate::host;
pub(crate) use pending::{Waiting, settle, unix_ms};
pub(crate) use store::{Listed, waiting};
pub(crate) use witness::{Bound, visible};
use witness::{Told, Viewer};

/// So many lines of a change are in a question.
const QUESTION: usize = 40;
/// A terminal shows no more of one, and says so.
const MOST: usize = 2000;
/// So many bytes of arguments are in a question.
const ARGUMENTS: usize = 600;

/// What a person is asked about a call.
pub(crate) struct Asked {
    /// What the policy says that the call does.
    pub(crate) about: String,
    /// What it would change, by meaning; its arguments where that cannot be told beforehand.
    pub(crate) meaning: Vec<String>,
    /// The same by lines; nothing where that is no other text.
    pub(crate) lines: Vec<String>,
    /// What a yes is bound to.
    pub(crate) shown: Shown,
}

impl Asked {
    /// A text that fits into a dialog.
    pub(crate) fn question(&self) -> String {
        format!("{}\n\n{}", self.about, short(&self.meaning, QUESTION))
    }
}

/// The first lines, and how many more there are.
pub(crate) fn short(lines: &[String], most: usize) -> String {
    let mut text = lines.iter().take(most).map(String::as_str).collect::<Vec<_>>().join("\n");
    if lines.len() > most {
        text.push_str(&format!("\n… and {} more lines", lines.len() - most));
    }
    text
}

/// Find out what a call would change that was refused for want of a person's word.
pub(crate) async fn ask(
    runner: Arc<Runner>,
    call: Call,
    refused: &ToolError,
    seed: [u8; 32],
) -> Result<Asked, ToolError> {
    let about = visible(&refused.message, usize::MAX);
    let mut asked = Asked {
        about,
        meaning: arguments(&call),
        lines: Vec::new(),
        shown: Shown { seed, plans: None },
    };
    let Some(mut dry) = runner.dry(call) else { return Ok(asked) };
    // What an engine does cannot be foreseen.
    let runs = runner.known(&dry.tool)?.0.runs != Runs::No;
    let viewer = Arc::new(Viewer::new(runner.clone(), seed));
    dry.witness = Some(viewer.clone());
    let tried = match runner.admit(dry) {
        Ok(admitted) => host::run(admitted).await,
        Err(error) => Err(error),
    };
    match tried {
        Ok(_) => {}
        // To show it would start what the person is asked about.
        Err(error) if error.kind == ErrorKind::ConfirmRequired => return Ok(asked),
        Err(error) => return Err(error),
    }
    let Told { plans, meaning, lines } = viewer.take();
    asked.shown.plans = (!runs).then_some(plans);
    if !meaning.is_empty() {
        (asked.meaning, asked.lines) = (bounded(meaning), bounded(lines));
    }
    Ok(asked)
}

/// Whether a call was refused for want of a person's word. What an older protocol wants confirmed by an
/// argument is not.
pub(crate) fn needs_a_person(error: &ToolError) -> bool {
    let setting = error.details.get("setting").and_then(Value::as_str);
    error.kind == ErrorKind::ConfirmRequired && setting == Some("require-confirm")
}

/// What new names of one call are drawn from.
pub(crate) fn new_seed() -> Result<[u8; 32], ToolError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| {
        ToolError::new(ErrorKind::Internal, format!("no random numbers: {error}"))
    })?;
    Ok(seed)
}

fn bounded(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() > MOST {
        let more = lines.len() - MOST;
        lines.truncate(MOST);
        lines.push(format!("… and {more} more lines"));
    }
    lines
}

/// The arguments of a call, for a person to read.
fn arguments(call: &Call) -> Vec<String> {
    vec![format!("Arguments: {}", visible(&json!(call.arguments).to_string(), ARGUMENTS))]
}
