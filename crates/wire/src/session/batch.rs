//! JSON-RPC batches, which MCP had in 2025-03-26 and in no other version: the answers of a batch
//! are held back until all are there, then written as one array.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use scenewright_contract::{Dialect, ErrorKind, ToolError};
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::envelope::{self, Broken, Id, Message};
use crate::mcp;
use crate::reply::{self, ReplyId};

/// The open batches of a conversation.
#[derive(Clone, Default)]
pub(crate) struct Batches(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    allowed: bool,
    open: Vec<Batch>,
}

struct Batch {
    waiting: Vec<String>,
    answers: Vec<String>,
}

impl Batches {
    /// The peers agreed on a version that has batches, or on one that has not.
    pub(crate) fn allow(&self, allowed: bool) {
        self.state().allowed = allowed;
    }

    pub(crate) fn allowed(&self) -> bool {
        self.state().allowed
    }

    /// The ids that will be answered, and answers to what is no request.
    pub(crate) fn read(&self, items: &[&RawValue]) -> (Vec<String>, Vec<String>) {
        let (mut ids, mut broken) = (Vec::new(), Vec::new());
        for item in items {
            let problem = match envelope::parse(item.get().as_bytes()) {
                Ok(Message::Call(message)) => match (mcp::check(&message), message.id) {
                    (Ok(()), Id::Token(token)) => {
                        ids.push(token.to_owned());
                        continue;
                    }
                    (Ok(()), _) => continue,
                    (Err(error), id) => (id.token(), error),
                },
                Ok(Message::Answer) => continue,
                Ok(Message::Batch(_)) => {
                    let message = "Invalid request: a batch inside a batch";
                    (None, ToolError::new(ErrorKind::InvalidRequest, message))
                }
                Err(Broken { id, error }) => (id, error),
            };
            let id = problem.0.map_or(ReplyId::Null, ReplyId::Token);
            broken.push(reply::failure(id, Dialect::Mcp, &problem.1));
        }
        (ids, broken)
    }

    /// Wait for `waiting`; what is answered already comes first.
    pub(crate) async fn open(
        &self,
        waiting: Vec<String>,
        answers: Vec<String>,
        out: &mpsc::Sender<Bytes>,
    ) {
        if !waiting.is_empty() {
            self.state().open.push(Batch { waiting, answers });
        } else if !answers.is_empty() {
            let _ = out.send(array(&answers)).await;
        }
    }

    /// Keep an answer that belongs to a batch; give back what is to be written now.
    pub(crate) fn keep(&self, bytes: Bytes) -> Option<Bytes> {
        let mut state = self.state();
        if state.open.is_empty() {
            return Some(bytes);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some(id) = answer_id(&text) else { return Some(bytes) };
        let is_id = |waiting: &String| *waiting == id;
        let Some(index) = state.open.iter().position(|batch| batch.waiting.iter().any(is_id))
        else {
            return Some(bytes);
        };
        let batch = &mut state.open[index];
        // Once for each request: an id that is used twice is answered twice.
        if let Some(position) = batch.waiting.iter().position(is_id) {
            batch.waiting.remove(position);
        }
        batch.answers.push(text);
        if !batch.waiting.is_empty() {
            return None;
        }
        Some(array(&state.open.remove(index).answers))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn array(answers: &[String]) -> Bytes {
    format!("[{}]", answers.join(",")).into()
}

/// The id token of an answer; none for requests and notifications of ours.
fn answer_id(text: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
        #[serde(borrow)]
        method: Option<&'a RawValue>,
    }
    let answer: Answer<'_> = serde_json::from_str(text).ok()?;
    answer.id.filter(|_| answer.method.is_none()).map(|id| id.get().to_owned())
}
