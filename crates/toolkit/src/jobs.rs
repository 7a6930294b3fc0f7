//! Calls that take longer than clients wait.
//!
//! Many clients give up on a call after a minute, and a game that is exported or a test run takes longer. Such a call goes
//! on here; its answer so far is an id, with which the client asks again.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::{Cancel, ErrorKind, Outcome, ToolError};
use serde_json::json;

/// How long a call keeps its client waiting. The shortest limit seen in real clients is 60 seconds.
pub const PATIENCE: Duration = Duration::from_secs(50);
/// Ended calls whose answers are kept; the oldest makes room.
const MAX_ENDED: usize = 16;

/// The long calls of a server.
#[derive(Default)]
pub struct Jobs {
    kept: Mutex<VecDeque<Arc<Job>>>,
}

/// A call that goes on without its client.
pub struct Job {
    /// What the client asks again with.
    pub id: String,
    /// The id of the tool.
    pub tool: &'static str,
    started: Instant,
    took: Mutex<Option<Duration>>,
    cancel: Cancel,
    ended: Mutex<Option<Result<Outcome, ToolError>>>,
    end: Condvar,
}

impl Jobs {
    /// Keep a call that began at `started`.
    pub fn keep(&self, tool: &'static str, started: Instant, cancel: Cancel) -> Arc<Job> {
        let id = scenewright_text::random_name().unwrap_or_else(|_| "job".to_owned());
        let id = id.chars().take(8).collect();
        let (ended, end) = (Mutex::default(), Condvar::new());
        let took = Mutex::default();
        let job = Arc::new(Job { id, tool, started, took, cancel, ended, end });
        let mut kept = lock(&self.kept);
        let over = kept.iter().filter(|job| job.is_ended()).count().saturating_sub(MAX_ENDED - 1);
        for _ in 0..over {
            if let Some(oldest) = kept.iter().position(|job| job.is_ended()) {
                kept.remove(oldest);
            }
        }
        kept.push_back(job.clone());
        job
    }

    /// All that are kept, the oldest first.
    pub fn all(&self) -> Vec<Arc<Job>> {
        lock(&self.kept).iter().cloned().collect()
    }

    /// The call with this id.
    pub fn find(&self, id: &str) -> Result<Arc<Job>, ToolError> {
        let kept = lock(&self.kept);
        kept.iter().find(|job| job.id == id).cloned().ok_or_else(|| {
            let ids: Vec<&str> = kept.iter().map(|job| job.id.as_str()).collect();
            let hint = match ids.is_empty() {
                true => "no call of this server takes long now".to_owned(),
                false => format!("there are {}", ids.join(", ")),
            };
            ToolError::not_found("long call", id).hint(hint)
        })
    }
}

impl Job {
    /// The call has ended.
    pub fn finish(&self, result: Result<Outcome, ToolError>) {
        *lock(&self.took) = Some(self.started.elapsed());
        *lock(&self.ended) = Some(result);
        self.end.notify_all();
    }

    /// Have it end soon.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// How long it has been running, or ran.
    pub fn elapsed(&self) -> Duration {
        lock(&self.took).unwrap_or_else(|| self.started.elapsed())
    }

    /// Its result, if it ends within this time. The answer is kept: a client may have missed it.
    pub fn wait(&self, patience: Duration, asker: &Cancel) -> Option<Result<Outcome, ToolError>> {
        /// How often it is looked whether whoever asks is still there.
        const LOOK: Duration = Duration::from_millis(200);
        let until = Instant::now() + patience;
        let mut ended = lock(&self.ended);
        while ended.is_none() && !asker.is_cancelled() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.end.wait_timeout(ended, left.min(LOOK));
            ended = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        ended.clone()
    }

    /// What a client reads instead of the answer.
    pub fn outcome(&self) -> Outcome {
        let seconds = self.elapsed().as_secs();
        let ask =
            format!(r#"tools_read {{"tool": "mcp_wait", "arguments": {{"id": "{}"}}}}"#, self.id);
        let text = format!(
            "running: true\nid: {}\nnote: {} goes on after {seconds} s. Do something else, or call {ask}, which answers when it \
             ends; with \"cancel\": true it is ended.",
            self.id, self.tool
        );
        let output = json!({ "running": true, "id": self.id, "seconds": seconds });
        Outcome { tool: self.tool, output: output.into(), text: Some(text), ..Outcome::default() }
    }

    /// Whether its answer is there.
    pub fn is_ended(&self) -> bool {
        lock(&self.ended).is_some()
    }
}

/// A call that was ended because nobody may wait for it any longer.
pub fn timed_out(tool: &str, timeout: Duration) -> ToolError {
    ToolError::new(ErrorKind::Timeout, "Tool execution timed out")
        .hint("ask for less: a smaller folder, a filter, a lower limit")
        .tool(tool)
        .detail("timeoutMs", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
        .detail("tool", tool)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_comes_when_the_call_ends_and_can_be_asked_for_again() {
        let jobs = Jobs::default();
        let job = jobs.keep("a.b", Instant::now(), Cancel::default());
        let asker = Cancel::default();
        assert!(job.wait(Duration::ZERO, &asker).is_none());
        let ends = job.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            ends.finish(Ok(Outcome { tool: "a.b", ..Outcome::default() }));
        });
        let found = jobs.find(&job.id).unwrap();
        assert_eq!(found.wait(Duration::from_secs(60), &asker).unwrap().unwrap().tool, "a.b");
        thread.join().unwrap();
        assert!(jobs.find(&job.id).unwrap().wait(Duration::ZERO, &asker).is_some());
        assert!(jobs.find("nope").is_err_and(|error| error.text().contains(&job.id)));
    }

    #[test]
    fn who_asks_and_goes_away_waits_no_longer() {
        let job = Jobs::default().keep("a.b", Instant::now(), Cancel::default());
        let asker = Cancel::default();
        asker.cancel();
        let began = Instant::now();
        assert!(job.wait(Duration::from_secs(60), &asker).is_none());
        assert!(began.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn what_runs_is_kept_and_of_what_ended_the_latest() {
        let jobs = Jobs::default();
        let running = jobs.keep("a.b", Instant::now(), Cancel::default());
        for _ in 0..50 {
            jobs.keep("c.d", Instant::now(), Cancel::default()).finish(Ok(Outcome::default()));
        }
        assert!(jobs.find(&running.id).is_ok());
        assert!(lock(&jobs.kept).len() <= MAX_ENDED + 1);
    }
}
