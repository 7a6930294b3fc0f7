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
pub(crate) use witness::{Bound, cut, visible};
use witness::{Told, Viewer};

/// Sees what a call that a person makes changes, so that they read it by object and field.
pub(crate) struct Onlooker(Arc<Viewer>);

impl Onlooker {
    /// The onlooker of `call`.
    pub(crate) fn of(runner: &Arc<Runner>, call: &mut Call) -> Result<Self, ToolError> {
        let viewer = Arc::new(Viewer::new(runner.clone(), new_seed()?, false));
        call.witness = Some(viewer.clone());
        Ok(Self(viewer))
    }

    /// What it saw, by meaning.
    pub(crate) fn meaning(&self) -> Vec<String> {
        self.0.take().meaning
    }
}

/// So many lines of a change are in a question.
const QUESTION: usize = 40;
/// So many characters of each of them.
const WIDTH: usize = 160;
/// A terminal shows no more of one, and says so.
const MOST: usize = 2000;
/// Nor more bytes.
const MOST_BYTES: usize = 1 << 20;

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
    let shown = lines.iter().take(most).map(|line| cut(line, WIDTH));
    let mut text = shown.collect::<Vec<_>>().join("\n");
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
    let about = visible(&refused.message);
    let mut asked = Asked {
        about,
        meaning: arguments(&call),
        lines: Vec::new(),
        shown: Shown { seed, plans: None },
    };
    let Some((told, runs)) = foresee(&runner, call, seed, true).await? else { return Ok(asked) };
    asked.shown.plans = (!runs).then_some(told.plans);
    if !told.meaning.is_empty() {
        (asked.meaning, asked.lines) = (bounded(told.meaning), bounded(told.lines));
    }
    Ok(asked)
}

/// What a call would change, and whether it also starts an engine; nothing where that cannot be told
/// beforehand.
async fn foresee(
    runner: &Arc<Runner>,
    call: Call,
    seed: [u8; 32],
    by_lines: bool,
) -> Result<Option<(Told, bool)>, ToolError> {
    let Some(mut dry) = runner.dry(call) else { return Ok(None) };
    // What an engine does cannot be foreseen.
    let runs = runner.known(&dry.tool)?.0.runs != Runs::No;
    let viewer = Arc::new(Viewer::new(runner.clone(), seed, by_lines));
    dry.witness = Some(viewer.clone());
    let tried = match runner.admit(dry) {
        Ok(admitted) => host::run(admitted).await,
        Err(error) => Err(error),
    };
    match tried {
        Ok(_) => Ok(Some((viewer.take(), runs))),
        // To show it would start what the person is asked about.
        Err(error) if error.kind == ErrorKind::ConfirmRequired => Ok(None),
        Err(error) => Err(error),
    }
}

/// What the page shows of a call before it makes it: the question, where there is one, and what would
/// change, by meaning.
pub(crate) async fn preview(
    runner: Arc<Runner>,
    call: Call,
) -> Result<(Option<String>, Vec<String>), ToolError> {
    let question = runner.question(&call).map(|asked| visible(&asked.message));
    if question.is_none() && !runner.shows(&call) {
        return Ok((None, Vec::new()));
    }
    let told = foresee(&runner, call, new_seed()?, false).await?;
    Ok((question, told.map_or_else(Vec::new, |(told, _)| bounded(told.meaning))))
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

/// No more lines than a person can be shown.
pub(crate) fn bounded(mut lines: Vec<String>) -> Vec<String> {
    let mut left = MOST_BYTES;
    let mut fits = |line: &String| match left.checked_sub(line.len()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let fitting = lines.iter().take(MOST).take_while(|line| fits(line)).count();
    if fitting < lines.len() {
        let more = lines.len() - fitting;
        lines.truncate(fitting);
        lines.push(format!("… and {more} more lines"));
    }
    lines
}

/// The arguments of a call, for a person to read.
fn arguments(call: &Call) -> Vec<String> {
    let text = visible(&json!(call.arguments).to_string());
    vec![format!("Arguments: {}", cut(&text, MOST_BYTES))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_said() {
        let lines = vec!["a".repeat(WIDTH + 5), "b".to_owned(), "c".to_owned()];
        let expected = format!("{}… (5 more characters)\nb\n… and 1 more lines", "a".repeat(WIDTH));
        assert_eq!(short(&lines, 2), expected);
        assert_eq!(bounded(lines.clone()), lines);
        let many = bounded(vec!["x".to_owned(); MOST + 3]);
        assert_eq!((many.len(), many[MOST].as_str()), (MOST + 1, "… and 3 more lines"));
        let long = bounded(vec!["x".to_owned(), "y".repeat(MOST_BYTES)]);
        assert_eq!(long, ["x", "… and 1 more lines"]);
    }
}
