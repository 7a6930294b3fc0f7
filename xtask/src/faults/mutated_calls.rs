//! Calls as no client sends them: the example of every tool with its arguments changed at random, over every
//! transport. Each is answered, none hits a defect, ends the server or brings a secret out.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::Ground;
use super::client::{Client, Host, SECRET, Transport};
use super::examples::{self, Tool};
use super::mutated::is_defect;
use super::places::{self, Tree};
use super::report::{Report, Tally};
use crate::random::Random;

/// Tries until the server starts again, in fresh projects.
const A_START: usize = 600;
/// The limit of a call, and the time to say that it was reached.
const LATEST: Duration = Duration::from_secs(35);

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let mut tallies: [Tally; 4] = Default::default();
    let mut slowest = (Duration::ZERO, String::new());
    let tries = ground.tries(1_200, 57_600);
    for first in (0..tries).step_by(A_START) {
        try_on_one_server(ground, first..tries.min(first + A_START), &mut tallies, &mut slowest)?;
    }
    for (transport, mut tally) in Transport::ALL.iter().zip(tallies) {
        tally.notes = format!("slowest of all {} ms ({})", slowest.0.as_millis(), slowest.1);
        report.add(&format!("mutated calls over {}", transport.name()), tally);
    }
    Ok(())
}

fn try_on_one_server(
    ground: &Ground,
    steps: std::ops::Range<usize>,
    tallies: &mut [Tally; 4],
    slowest: &mut (Duration, String),
) -> Result<()> {
    let folder = ground.folder("mutated-calls")?;
    let (projects, home, outside) =
        (folder.join("projects"), folder.join("home"), folder.join("outside"));
    for sample in ["unity", "godot"] {
        places::copy_sample(sample, &projects)?;
    }
    places::empty(&home)?;
    places::empty(&outside)?;
    std::fs::write(outside.join("secret.txt"), SECRET)?;
    let outside_before = Tree::read(&outside)?;
    let extra = ["--allow-writes", "--toolsets", "all", "--tier", "tier4"];
    let mut host = Host::start(ground, &projects, &home, &extra)?;
    let mut clients = Transport::ALL
        .iter()
        .map(|transport| host.client(*transport))
        .collect::<Result<Vec<_>>>()?;
    let tools = examples::all(&mut clients[0])?;
    for step in steps {
        let mut random = ground.random("mutated-calls", step);
        let tool = random.pick(&tools).clone();
        let arguments = mutate(&mut random, &tool.arguments, &outside.to_string_lossy());
        let number = step % clients.len();
        tallies[number].tries += 1;
        let asked = Instant::now();
        let problem = try_once(&mut clients[number], &tool, &arguments);
        if asked.elapsed() > slowest.0 {
            *slowest = (asked.elapsed(), format!("{} in step {step}", tool.name));
        }
        if let Err(error) = problem {
            let shown: String = arguments.to_string().chars().take(300).collect();
            tallies[number].fail(format!("step {step}: {} {shown}: {error:#}", tool.name));
        }
        if let Some(line) = host.server.log().lines().find(|line| line.contains("panicked")) {
            bail!("step {step}: {} panicked: {line}", tool.name);
        }
    }
    let alive = clients[0].call("mcp_health", &json!({}));
    alive.with_context(|| format!("the server is gone: {}", host.server.stderr_tail()))?;
    if Tree::read(&outside)? != outside_before {
        bail!("something outside of the projects was changed");
    }
    Ok(())
}

fn try_once(client: &mut Client, tool: &Tool, arguments: &Value) -> Result<()> {
    let asked = Instant::now();
    let answer = client.call(&tool.name, arguments).context("not answered")?;
    if is_defect(&answer) {
        bail!("it hit a defect");
    }
    if answer.contains(SECRET) {
        bail!("the secret came back");
    }
    if asked.elapsed() > LATEST {
        bail!("answered after {} s", asked.elapsed().as_secs());
    }
    Ok(())
}

/// One to three changes of an example's arguments.
fn mutate(random: &mut Random, arguments: &Value, outside: &str) -> Value {
    let mut arguments = arguments.clone();
    for _ in 0..=random.below(3) {
        let strange = strange(random, outside);
        change(random, &mut arguments, strange);
    }
    arguments
}

/// Change one value somewhere in it: replaced, taken away, doubled, or joined by another.
fn change(random: &mut Random, value: &mut Value, strange: Value) {
    let goes_deeper = random.below(3) > 0;
    match value {
        Value::Object(members) if !members.is_empty() && goes_deeper => {
            let at = random.below(members.len());
            let (name, member) = members.iter_mut().nth(at).expect("it has so many");
            let name = name.clone();
            match random.below(8) {
                0 => drop(members.remove(&name)),
                1 => drop(members.insert(format!("{name}x"), strange)),
                _ => change(random, member, strange),
            }
        }
        Value::Array(items) if !items.is_empty() && goes_deeper => {
            let at = random.below(items.len());
            match random.below(8) {
                0 => drop(items.remove(at)),
                // Not of what is large already: three times that would be all memory.
                1 if items[at].to_string().len() < 100 => *items = vec![items[at].clone(); 2000],
                2 => items.push(strange),
                _ => change(random, &mut items[at], strange),
            }
        }
        Value::Object(members) if random.below(2) == 0 => {
            members.insert("unknown".to_owned(), strange);
        }
        Value::String(text) if random.below(2) == 0 => *text = cut(random, text),
        other => *other = strange,
    }
}

/// The text with another end, or twice, or with something in it that means something to a reader.
fn cut(random: &mut Random, text: &str) -> String {
    let at = text.char_indices().nth(random.below(text.chars().count().max(1)));
    let (before, after) = text.split_at(at.map_or(0, |(at, _)| at));
    const PARTS: [&str; 12] =
        ["", "..", "/", "\\", ":", "\0", "\n", "\"", "{{", "é\u{301}", "&1 *a", "%00"];
    format!("{before}{}{after}", random.pick(&PARTS))
}

/// What no tool expects.
fn strange(random: &mut Random, outside: &str) -> Value {
    match random.below(16) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(i64::MIN),
        5 => json!(1e308),
        6 => json!(0.1),
        7 => json!(""),
        8 => json!("x".repeat(100_000)),
        9 => json!(format!("{outside}/secret.txt")),
        10 => json!("../../outside/secret.txt"),
        11 => json!("\u{feff}\u{202e}\u{0}\u{1f468}\u{200d}\u{1f469}"),
        12 => json!([]),
        13 => json!({ "a": { "a": [1, "b", null] } }),
        14 => (0..100).fold(json!(1), |inner, _| json!([inner])),
        _ => {
            let many = (0..2000).map(|number| (format!("key{number}"), json!(number)));
            Value::Object(many.collect::<Map<_, _>>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_any_form_are_changed() {
        for arguments in [json!({}), json!({ "a": [1, { "b": "c" }], "d": "" }), json!([])] {
            let changed = (0..50).filter(|step| {
                let mut random = Random::new(1, "arguments", *step);
                mutate(&mut random, &arguments, "/outside") != arguments
            });
            assert!(changed.count() > 40, "{arguments}");
        }
    }
}
