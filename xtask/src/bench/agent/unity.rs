//! Tasks in Unity projects. What no tool does today (two versions of a scene compared) is not here.

mod changes;
mod edits;
mod questions;

use super::task::Task;

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = questions::tasks();
    tasks.extend(edits::tasks());
    tasks.extend(changes::tasks());
    tasks
}
