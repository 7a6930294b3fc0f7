//! Tasks in Unity projects. What no tool does today (prefabs made of objects, assets moved, materials
//! made, scenes compared) is not here.

mod changes;
mod questions;

use super::task::Task;

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = questions::tasks();
    tasks.extend(changes::tasks());
    tasks
}
