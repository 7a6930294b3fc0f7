//! Any text is a script of the console: it gives a value or an error that stands in its source,
//! within its limits, and the same one over the same world.

use std::time::Duration;

use scenewright_console::{self as console, EvalError, Evaluated, Limits};
use scenewright_world::World;

pub(crate) fn run(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let first = evaluate(source);
    match &first {
        Ok(given) => assert!(given.text.len() <= limits().text + 64, "{} bytes", given.text.len()),
        Err(EvalError::Compile { line, column, message }) => {
            let lines = source.split('\n').count() as u32;
            assert!((1..=lines).contains(line) && *column > 0, "({line},{column}) of {lines}");
            assert!(!message.is_empty());
        }
        Err(EvalError::Runtime { exception, line, .. }) => {
            assert!(*line > 0 && !exception.is_empty());
        }
    }
    if !CHANCE.iter().any(|word| source.contains(word)) {
        assert_eq!(evaluate(source).map(shown), first.map(shown));
    }
}

/// What differs from run to run: numbers by chance, the clock, and the time limit.
const CHANCE: [&str; 5] = ["Random", "Time", "Date", "Guid", "Hash"];

/// Not compared as a value, because what is no number does not equal itself.
fn shown(given: Evaluated) -> String {
    given.text
}

fn limits() -> Limits<'static> {
    Limits {
        steps: 20_000,
        memory: 4 << 20,
        time: Duration::from_secs(8),
        text: 1 << 16,
        log_lines: 100,
        ..Limits::default()
    }
}

fn evaluate(source: &str) -> Result<Evaluated, EvalError> {
    console::eval(&mut town(), source, &limits())
}

/// A few objects to find.
fn town() -> World {
    let mut world = World::default();
    let house = world.create("House", None).expect("there is room");
    let door = world.create("Door", Some(house)).expect("there is room");
    world.create("Lamp", Some(house)).expect("there is room");
    world.add_component(door, "UnityEngine.BoxCollider").expect("a class of the engine");
    world
}
