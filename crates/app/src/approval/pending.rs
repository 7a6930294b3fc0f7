//! Calls of clients that cannot ask: each waits until a person has agreed in a terminal, and is carried
//! out once when the client calls again with the same arguments. So the answer reaches who asked.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use scenewright_contract::{By, Call, Consent, ErrorKind, JsonMap, Outcome, ToolError};
use scenewright_text::proof;
use scenewright_toolkit::Runner;
use serde_json::{Value, json};

use super::store::{Card, Run};
use super::{Asked, Bound, ask, cut, new_seed, short, visible};
use crate::host::{self, on_a_worker};

/// So many wait at once.
const MOST: usize = 32;
/// So long.
pub(crate) const GOOD_FOR: Duration = Duration::from_secs(30 * 60);
/// So many lines of the change are in the answer.
const LINES: usize = 12;

/// The calls of one server that wait.
pub(crate) struct Waiting {
    /// The user's folder, where a terminal finds them.
    state: Option<PathBuf>,
    good_for: Duration,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Made with the first call that waits.
    run: Option<Run>,
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    id: String,
    /// The call, and who made it.
    key: [u8; 32],
    seed: [u8; 32],
    secret: String,
    /// What was shown.
    digest: String,
    until: Instant,
}

/// A call that waits already, and what a person said.
struct Before {
    entry: Entry,
    answer: Option<bool>,
}

impl Waiting {
    /// For a server whose user has this state folder.
    pub(crate) fn new(state: Option<PathBuf>) -> Arc<Self> {
        Arc::new(Self { state, good_for: GOOD_FOR, inner: Mutex::default() })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let Inner { run, entries } = &mut *inner;
        entries.retain(|entry| {
            let waits = entry.until > now;
            if !waits && let Some(run) = run {
                run.forget(&entry.id);
            }
            waits
        });
        inner
    }

    fn look(&self, key: &[u8; 32]) -> Option<Before> {
        let inner = self.inner();
        let entry = inner.entries.iter().find(|entry| entry.key == *key)?.clone();
        let answer = inner.run.as_ref()?.answer(&entry.id, &entry.digest, &entry.secret);
        Some(Before { entry, answer })
    }

    /// Take a call out. Only one succeeds.
    fn take(&self, id: &str) -> bool {
        let mut inner = self.inner();
        let count = inner.entries.len();
        inner.entries.retain(|entry| entry.id != id);
        if let Some(run) = &inner.run {
            run.forget(id);
        }
        inner.entries.len() < count
    }

    /// Have a call wait. Gives its id, and whether it waited already for another change.
    fn put(&self, key: [u8; 32], call: &Call, asked: &Asked) -> Result<(String, bool), ToolError> {
        let digest = digest(&key, asked);
        let mut inner = self.inner();
        let Inner { run, entries } = &mut *inner;
        let known = entries.iter().position(|entry| entry.key == key);
        if let Some(known) = known.filter(|known| entries[*known].digest == digest) {
            return Ok((entries[known].id.clone(), false));
        }
        if known.is_none() && entries.len() >= MOST {
            let message = format!("{MOST} calls wait for a person already");
            return Err(ToolError::new(ErrorKind::RateLimited, message).hint(
                "a person lets them through or not with `scenewright approve`; call again then",
            ));
        }
        let run = match run {
            Some(run) => run,
            None => run.insert(self.begin()?),
        };
        let entry = match known {
            Some(known) => {
                let entry = &mut entries[known];
                (entry.digest, entry.seed) = (digest, asked.shown.seed);
                entry.clone()
            }
            None => Entry {
                id: proof::hex(&new_seed()?[..3]),
                key,
                seed: asked.shown.seed,
                secret: proof::hex(&new_seed()?),
                digest,
                until: Instant::now() + self.good_for,
            },
        };
        let left = entry.until.saturating_duration_since(Instant::now());
        let card = Card {
            id: entry.id.clone(),
            client: call.who.client.as_ref().map(|name| cut(&visible(name), 80)),
            about: asked.about.clone(),
            meaning: asked.meaning.clone(),
            lines: asked.lines.clone(),
            changed: known.is_some(),
            until_unix_ms: unix_ms() + u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
            digest: entry.digest.clone(),
            secret: entry.secret.clone(),
        };
        run.put(&card).map_err(|error| nowhere(&error.to_string()))?;
        if known.is_none() {
            entries.push(entry);
        }
        Ok((card.id, known.is_some()))
    }

    fn begin(&self) -> Result<Run, ToolError> {
        let state = self.state.as_ref().ok_or_else(|| nowhere("this user has no state folder"))?;
        Run::begin(state).map_err(|error| nowhere(&format!("{}: {error}", state.display())))
    }
}

/// Carry a call out that a person has agreed to, or have it wait for them.
pub(crate) async fn settle(
    waiting: Arc<Waiting>,
    runner: Arc<Runner>,
    mut call: Call,
    refused: ToolError,
) -> Result<Outcome, ToolError> {
    let key = key(&runner, &call);
    let before = {
        let waiting = waiting.clone();
        on_a_worker(move || Ok(waiting.look(&key))).await?
    };
    let Before { entry, answer } = match before {
        Some(before) => before,
        None => {
            let asked = ask(runner, call.clone(), &refused, new_seed()?).await?;
            return Err(wait(waiting, key, call, asked, false).await?);
        }
    };
    let by = By::Terminal(entry.id.clone());
    if answer == Some(false) {
        if waiting.take(&entry.id) {
            runner.record_declined(&call, &by);
        }
        return Err(ToolError::declined());
    }
    // With the same seed the same change has the same names.
    let asked = match ask(runner.clone(), call.clone(), &refused, entry.seed).await {
        Ok(asked) => asked,
        Err(error) => {
            // It would fail now, so nobody need be asked about it any more.
            waiting.take(&entry.id);
            return Err(error);
        }
    };
    let is_same = digest(&key, &asked) == entry.digest;
    if answer == Some(true) && is_same && waiting.take(&entry.id) {
        call.witness = Some(Arc::new(Bound::new(&asked.shown)));
        call.consent = Some(Arc::new(Consent { by, shown: asked.shown }));
        return host::run(runner.admit(call)?).await;
    }
    let was_agreed = answer == Some(true) && !is_same;
    Err(wait(waiting, key, call, asked, was_agreed).await?)
}

/// Have a call wait; gives the answer that says so.
async fn wait(
    waiting: Arc<Waiting>,
    key: [u8; 32],
    call: Call,
    asked: Asked,
    was_agreed: bool,
) -> Result<ToolError, ToolError> {
    let good_for = waiting.good_for.as_secs();
    on_a_worker(move || {
        let (id, changed) = waiting.put(key, &call, &asked)?;
        let about = asked.about.strip_suffix(" Run it?").unwrap_or(&asked.about);
        let state = match (was_agreed, changed) {
            (true, _) => "A person agreed, but the files changed since, so they are asked anew",
            (false, true) => "The files changed since it was shown, so a person is asked anew",
            (false, false) => "It waits until a person has agreed",
        };
        let change = short(&asked.meaning, LINES);
        let message = format!("{about}. {state}: it is pending as {id}.\n\n{change}\n");
        let hint = format!(
            "ask the person you work for to type `scenewright approve {id}` in a terminal; then call \
             again with the same arguments, which carries it out"
        );
        Ok(ToolError::new(ErrorKind::ConfirmRequired, message)
            .hint(hint)
            .tool(&call.tool)
            .detail("setting", "require-confirm")
            .detail("pending", json!({ "id": id, "goodForSeconds": good_for })))
    })
    .await
}

fn nowhere(why: &str) -> ToolError {
    ToolError::new(
        ErrorKind::Denied,
        format!(
            "A person has to agree first, this client cannot ask one, and nothing can wait: {why}"
        ),
    )
    .hint("nothing was changed; use a client that can ask (MCP elicitation), or mend that folder")
}

/// What makes two calls the same: the tool, its arguments, and who calls.
fn key(runner: &Runner, call: &Call) -> [u8; 32] {
    let tool = runner.known(&call.tool).map_or(call.tool.as_str(), |(tool, _)| tool.id);
    let arguments = sorted(&Value::Object(call.arguments.clone())).to_string();
    let client = call.who.client.as_deref().unwrap_or_default();
    let who = [call.dialect.as_str(), call.listener.as_str(), client];
    let parts = [tool, &arguments, who[0], who[1], who[2]].map(str::as_bytes);
    proof::of(b"call", &parts)
}

/// The same value, whatever the order of its members.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            let members: JsonMap =
                names.into_iter().map(|name| (name.clone(), sorted(&members[name]))).collect();
            Value::Object(members)
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        value => value.clone(),
    }
}

/// What was shown of a call.
fn digest(key: &[u8; 32], asked: &Asked) -> String {
    let shown = json!([asked.about, asked.meaning, asked.shown.plans]).to_string();
    proof::hex(&proof::of(key, &[shown.as_bytes()]))
}

pub(crate) fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use scenewright_contract::Shown;
    use scenewright_fixture::Folder;

    use super::super::store;
    use super::*;

    fn asked(meaning: &str) -> Asked {
        let shown = Shown { seed: [0; 32], plans: Some(vec![[7; 32]]) };
        let meaning = vec![meaning.to_owned()];
        Asked { about: "Write. Run it?".to_owned(), meaning, lines: Vec::new(), shown }
    }

    fn waiting(folder: &Folder, good_for: Duration) -> Waiting {
        let state = Some(folder.root().to_owned());
        Waiting { state, good_for, inner: Mutex::default() }
    }

    #[test]
    fn no_more_wait_than_a_person_can_read() {
        let folder = Folder::empty();
        let waiting = waiting(&folder, GOOD_FOR);
        let call = Call::new("x", JsonMap::new());
        for number in 0..MOST {
            let key = [u8::try_from(number).unwrap(); 32];
            waiting.put(key, &call, &asked("a")).unwrap();
            waiting.put(key, &call, &asked("a")).unwrap();
        }
        let error = waiting.put([99; 32], &call, &asked("a")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::RateLimited);
        // What waits already may still change.
        assert!(waiting.put([0; 32], &call, &asked("b")).unwrap().1);
        assert_eq!(store::waiting(folder.root(), 0).unwrap().len(), MOST);
    }

    #[test]
    fn what_waits_too_long_is_forgotten() {
        let folder = Folder::empty();
        let waiting = waiting(&folder, Duration::ZERO);
        waiting.put([1; 32], &Call::new("x", JsonMap::new()), &asked("a")).unwrap();
        assert!(waiting.look(&[1; 32]).is_none());
        assert!(store::waiting(folder.root(), 0).unwrap().is_empty());
    }

    #[test]
    fn a_yes_is_for_what_was_shown_and_is_used_once() {
        let folder = Folder::empty();
        let waiting = waiting(&folder, GOOD_FOR);
        let call = Call::new("x", JsonMap::new());
        let (id, _) = waiting.put([1; 32], &call, &asked("a")).unwrap();
        let seen = store::waiting(folder.root(), 0).unwrap().remove(0);
        assert_eq!(waiting.put([1; 32], &call, &asked("b")).unwrap(), (id.clone(), true));
        // The person says yes to what they saw, which is no longer what would be done.
        seen.say(true).unwrap();
        assert_eq!(waiting.look(&[1; 32]).unwrap().answer, None);
        seen.again().unwrap().say(true).unwrap();
        assert_eq!(waiting.look(&[1; 32]).unwrap().answer, Some(true));
        assert!(waiting.take(&id) && !waiting.take(&id));
        assert!(waiting.look(&[1; 32]).is_none());
    }

    #[test]
    fn the_order_of_arguments_makes_no_other_call() {
        let value = |text: &str| sorted(&serde_json::from_str(text).unwrap()).to_string();
        assert_eq!(
            value(r#"{"b":[{"d":1,"c":2}],"a":0}"#),
            value(r#"{"a":0,"b":[{"c":2,"d":1}]}"#)
        );
        assert!(value(r#"{"a":[1,2]}"#) != value(r#"{"a":[2,1]}"#));
    }
}
