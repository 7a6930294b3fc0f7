//! Writers take turns: in this process in the order they came, and among processes by a lock that
//! lies in the project.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scenewright_contract::Cancel;

use super::hot::Hot;

/// How long a writer waits for others, in this process or another.
const MAX_WAIT: Duration = Duration::from_secs(25);
/// How often a waiting writer looks whether another process is done, or whether nobody waits for it.
const LOOK: Duration = Duration::from_millis(2);
/// After writing for so long without a break, a process lets others come first.
const STREAK: Duration = Duration::from_millis(200);
/// Long enough for somebody who looks every now and then.
const BREAK: Duration = Duration::from_millis(6);

/// Who waits in this process to write one project.
#[derive(Debug, Default)]
pub(super) struct Queue {
    line: Mutex<Line>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Line {
    /// The first one writes, the others wait.
    numbers: VecDeque<u64>,
    next: u64,
    /// Since when turn has followed turn.
    streak: Option<Instant>,
    ended: Option<Instant>,
}

/// The right to write a project, until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Turn {
    queue: Arc<Queue>,
    number: u64,
    /// The folder in the project and the lock in it.
    held: Option<(Hot, File)>,
}

/// Wait until nobody else writes the project.
pub(super) fn take(queue: &Arc<Queue>, hot: &Hot, cancel: &Cancel) -> io::Result<Turn> {
    let until = Instant::now() + MAX_WAIT;
    let number = queue.stand_in_line();
    let mut turn = Turn { queue: queue.clone(), number, held: None };
    queue.wait(number, until, cancel)?;
    if queue.is_long_streak() {
        std::thread::sleep(BREAK);
    }
    loop {
        if let Some(lock) = hot.try_lock()? {
            turn.held = Some((hot.clone(), lock));
            return Ok(turn);
        }
        look_on(until, cancel)?;
        cancel.wait(LOOK);
    }
}

fn look_on(until: Instant, cancel: &Cancel) -> io::Result<()> {
    if cancel.is_cancelled() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    if Instant::now() > until {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    Ok(())
}

impl Queue {
    fn stand_in_line(&self) -> u64 {
        let mut line = self.line();
        line.next += 1;
        let number = line.next;
        line.numbers.push_back(number);
        number
    }

    fn wait(&self, number: u64, until: Instant, cancel: &Cancel) -> io::Result<()> {
        let mut line = self.line();
        while line.numbers.front() != Some(&number) {
            look_on(until, cancel)?;
            // Nobody wakes a call that is given up, so it looks itself now and then.
            let waited = self.moved.wait_timeout(line, Duration::from_millis(50));
            line = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }

    /// Whether other processes have had no chance for a while.
    fn is_long_streak(&self) -> bool {
        let mut line = self.line();
        let now = Instant::now();
        let goes_on = line.ended.is_some_and(|ended| now - ended < BREAK);
        match line.streak {
            Some(since) if goes_on && now - since < STREAK => false,
            since => {
                line.streak = Some(now);
                goes_on && since.is_some()
            }
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let held = self.held.take();
        let mut line = self.queue.line();
        // Whoever comes next in this process needs the folder just as well.
        if let Some((hot, lock)) = held {
            if line.numbers.len() <= 1 {
                hot.tidy();
            }
            drop(lock);
            line.ended = Some(Instant::now());
        }
        line.numbers.retain(|number| *number != self.number);
        self.queue.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn the_folder_is_there_only_while_somebody_writes() {
        let folder = Folder::unity("");
        let (queue, hot) = (Arc::new(Queue::default()), Hot::new(folder.root()));
        let turn = take(&queue, &hot, &Cancel::default()).unwrap();
        assert_eq!(std::fs::read_to_string(hot.folder.join(".gitignore")).unwrap(), "*\n");
        drop(turn);
        assert!(!hot.folder.exists());
    }

    #[test]
    fn a_call_that_is_given_up_leaves_the_line() {
        let folder = Folder::unity("");
        let (queue, hot) = (Arc::new(Queue::default()), Hot::new(folder.root()));
        let turn = take(&queue, &hot, &Cancel::default()).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        let error = take(&queue, &hot, &cancel).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        drop(turn);
        assert!(queue.line().numbers.is_empty());
        take(&queue, &hot, &Cancel::default()).unwrap();
    }

    #[test]
    fn two_that_know_nothing_of_each_other_never_write_at_once() {
        let folder = Folder::unity("");
        let busy = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    // A queue each, as in processes of their own.
                    let (queue, hot) = (Arc::new(Queue::default()), Hot::new(folder.root()));
                    for _ in 0..50 {
                        let turn = take(&queue, &hot, &Cancel::default()).unwrap();
                        assert!(!busy.swap(true, std::sync::atomic::Ordering::SeqCst));
                        std::thread::yield_now();
                        busy.store(false, std::sync::atomic::Ordering::SeqCst);
                        drop(turn);
                    }
                });
            }
        });
        assert!(!folder.path(".scenewright").exists());
    }
}
