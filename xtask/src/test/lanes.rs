//! Runs steps in the order of their table, beside each other where they leave cores idle.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::step::{Ended, Room, Running, Step};

/// Between two looks at what runs.
const LOOK: Duration = Duration::from_millis(50);
/// How often what runs is named, so that nobody has to wonder.
const SIGN: Duration = Duration::from_secs(60);

/// The step that compiles what the others run.
const BUILD: &str = "build";

/// Run steps to the end; a failure stops none of the others.
pub(super) fn run_all(steps: &[&'static Step]) -> Result<Vec<Ended>> {
    let places = thread::available_parallelism().map_or(1, usize::from);
    let mut waiting = steps.iter().copied().peekable();
    let mut running: Vec<Running> = Vec::new();
    let mut ended = Vec::new();
    let mut has_built = false;
    let mut last_sign = Instant::now();
    loop {
        while let Some(step) = waiting.next_if(|step| has_room(step, &running, places)) {
            println!("\n== {} ({} of {})", step.name, ended.len() + running.len() + 1, steps.len());
            running.push(Running::start(step, step.room == Room::Whole, has_built)?);
        }
        if running.is_empty() && waiting.peek().is_none() {
            return Ok(ended);
        }
        let mut at = 0;
        while let Some(one) = running.get_mut(at) {
            match one.ended()? {
                None => at += 1,
                Some((how, printed)) => {
                    has_built |= how.name == BUILD && how.failure.is_none();
                    tell(one.step, &how, &printed);
                    ended.push(how);
                    drop(running.remove(at));
                    last_sign = Instant::now();
                }
            }
        }
        if last_sign.elapsed() > SIGN {
            let named = |one: &Running| {
                format!("{} for {} s", one.step.name, one.started.elapsed().as_secs())
            };
            println!(".. {}", running.iter().map(named).collect::<Vec<_>>().join(", "));
            last_sign = Instant::now();
        }
        thread::sleep(LOOK);
    }
}

/// Whether a step may start beside what runs.
fn has_room(step: &Step, running: &[Running], places: usize) -> bool {
    let mut beside = running.iter().map(|one| one.step.room).filter(|room| *room != Room::Aside);
    match step.room {
        Room::Aside => true,
        Room::Whole => beside.next().is_none(),
        Room::Shared => {
            let rooms: Vec<Room> = beside.collect();
            !rooms.contains(&Room::Whole) && rooms.len() < places
        }
    }
}

fn tell(step: &Step, how: &Ended, printed: &str) {
    if step.room != Room::Whole {
        println!("\n== what {} printed\n{}", step.name, printed.trim_end());
    }
    match &how.failure {
        Some(failure) => println!("{failure}"),
        None => println!("== {}: passed in {:.1} s", step.name, how.wall),
    }
}
