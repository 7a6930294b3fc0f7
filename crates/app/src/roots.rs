//! Waiting for a client to say which folders it works in. Until then nobody knows which project a call
//! is about, so calls wait, but no longer than [`PATIENCE`].

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::watch;

/// Calls wait no longer for an answer. One that comes later still counts.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the client was asked, and whether it has answered.
pub(crate) struct Roots {
    /// How often it was, or will be, asked.
    asked: AtomicU64,
    waits: watch::Sender<bool>,
    patience: Duration,
}

impl Default for Roots {
    fn default() -> Self {
        Self { asked: AtomicU64::new(0), waits: watch::Sender::new(false), patience: PATIENCE }
    }
}

impl Roots {
    /// The client is going to be asked: from now on calls wait.
    pub(crate) fn expect(&self) {
        self.asked.fetch_add(1, Ordering::AcqRel);
        self.waits.send_replace(true);
    }

    /// The number of the last question.
    pub(crate) fn last(&self) -> u64 {
        self.asked.load(Ordering::Acquire)
    }

    /// The question with this number is settled: calls go on, unless the client is asked again.
    pub(crate) fn settle(&self, number: u64) {
        if number == self.last() {
            self.waits.send_replace(false);
        }
    }

    /// Whether an answer is awaited.
    pub(crate) fn are_awaited(&self) -> bool {
        *self.waits.borrow()
    }

    /// Wait for the answer; none when there is nothing to wait for.
    pub(crate) fn wait(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        if !self.are_awaited() {
            return None;
        }
        let (waits, patience) = (self.waits.clone(), self.patience);
        Some(Box::pin(async move {
            let mut answered = waits.subscribe();
            let answered = answered.wait_for(|waits| !*waits);
            if tokio::time::timeout(patience, answered).await.is_err() {
                tracing::warn!("the client does not say which folders it works in");
                // Nobody waits a second time.
                waits.send_replace(false);
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn calls_wait_for_the_last_answer_and_only_once_in_vain() {
        let roots = Roots { patience: Duration::from_millis(50), ..Roots::default() };
        assert!(roots.wait().is_none());
        roots.expect();
        roots.expect();
        let first = roots.wait().unwrap();
        roots.settle(1);
        assert!(roots.are_awaited(), "the second question is open");
        roots.settle(2);
        first.await;
        assert!(roots.wait().is_none());
        roots.expect();
        roots.wait().unwrap().await;
        assert!(roots.wait().is_none(), "the client did not answer");
    }
}
