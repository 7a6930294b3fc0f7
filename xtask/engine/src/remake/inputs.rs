//! Takes parts out of the input actions below folders and adds them again: the file must have the same
//! bytes, but for new ids.
//!
//! `--kind input` tries the last binding of every action, the last action of every map, the last map
//! and the last control scheme. What a person moved by hand stands where only time tells; such bindings
//! are counted apart. Before anything else the judge has to notice a binding of another control.

use std::fs;
use std::path::Path;

use scenewright_unity::edit::scene::Refusal;
use scenewright_unity::input::{
    Action, Binding, Composite, InputActions, NewBinding, NewPart, Part,
};

use super::{Tally, difference, files};

pub(super) fn run(dir: &Path) {
    let (mut tally, mut moved, mut passed) = (Tally::default(), 0, 0);
    for path in files(dir, &["inputactions"]) {
        let bytes = fs::read(&path).unwrap_or_default();
        let Ok(real) = InputActions::read(bytes.clone()) else {
            passed += 1;
            continue;
        };
        let shown = path.display().to_string();
        for try_it in tries(&real) {
            let Some(made) = again(&bytes, &try_it, "") else {
                moved += 1;
                continue;
            };
            let name = try_it.name();
            let difference = match made {
                Ok(made) => {
                    if name != "schemes" {
                        let broken = again(&bytes, &try_it, "x");
                        let is_same = matches!(broken, Some(Ok(other)) if other == made);
                        assert!(!is_same, "another control, and nobody notices");
                    }
                    difference(&shown, &without_ids(&bytes), &made)
                }
                Err(refusal) => Some(format!("{shown}: {}", refusal.message)),
            };
            tally.add(name, difference, Vec::new(), 0);
        }
    }
    tally.print("parts of input actions are the same");
    println!("{moved} stand where nothing tells, {passed} files are none of input actions");
}

/// What is taken out and added again: places of maps and actions.
enum Try {
    Binding(usize, usize),
    Action(usize),
    Map,
    Scheme,
}

impl Try {
    fn name(&self) -> &'static str {
        match self {
            Try::Binding(..) => "bindings",
            Try::Action(_) => "actions",
            Try::Map => "maps",
            Try::Scheme => "schemes",
        }
    }
}

fn tries(real: &InputActions) -> Vec<Try> {
    let mut tries = Vec::new();
    for (at, map) in real.asset.maps.iter().enumerate() {
        let has_bindings = |action: &usize| !real.bindings_of(at, *action).is_empty();
        let actions = (0..map.actions.len()).filter(has_bindings);
        tries.extend(actions.map(|action| Try::Binding(at, action)));
        if !map.actions.is_empty() {
            tries.push(Try::Action(at));
        }
    }
    if real.asset.maps.last().is_some_and(|map| !map.bindings.is_empty()) {
        tries.push(Try::Map);
    }
    if !real.asset.control_schemes.is_empty() {
        tries.push(Try::Scheme);
    }
    tries
}

/// The file after a part went and came back, without ids; nothing where it stood in a place that
/// nothing tells. What `other` has is put behind each control.
fn again(bytes: &[u8], try_it: &Try, other: &str) -> Option<Result<String, Refusal>> {
    let mut file = InputActions::read(bytes.to_vec()).ok()?;
    let real = file.asset.clone();
    let made = match try_it {
        Try::Binding(map, action) => {
            let own = file.bindings_of(*map, *action);
            let all = &real.maps[*map].bindings;
            let wholes: Vec<usize> =
                own.iter().copied().filter(|at| !all[*at].is_part_of_composite).collect();
            let first = *wholes.last()?;
            let end = own.last()? + 1;
            // Behind the one that is left, or at the end where none is.
            let before = wholes.len() > 1 && own.contains(&first.wrapping_sub(1));
            (before || end == all.len() && wholes.len() == 1).then_some(())?;
            let map = &real.maps[*map];
            let gone = file.remove(&map.id, Part::Binding(&all[first].id));
            gone.and_then(|_| {
                bind(&mut file, &map.name, &map.actions[*action].name, &all[first..end], other)
            })
        }
        Try::Action(map) => {
            let at = real.maps[*map].actions.len() - 1;
            let own = file.bindings_of(*map, at);
            let map = &real.maps[*map];
            let is_last = own.iter().rev().zip((0..map.bindings.len()).rev()).all(|(a, b)| *a == b);
            is_last.then_some(())?;
            let action = &map.actions[at];
            let others = real.maps.iter().map(|map| map.actions.len()).sum::<usize>() > 1;
            (others || action.initial_state_check.is_some()).then_some(())?;
            let gone = file.remove(&map.id, Part::Action(&action.id));
            gone.and_then(|_| {
                act(&mut file, &map.name, action)?;
                let own: Vec<Binding> = own.iter().map(|at| map.bindings[*at].clone()).collect();
                bind(&mut file, &map.name, &action.name, &own, other)
            })
        }
        Try::Map => {
            let (map, others) = real.maps.split_last()?;
            // Without an action nothing tells which members they have.
            let is_told = |action: &Action| action.initial_state_check.is_some();
            let is_new = map.actions.iter().all(is_told);
            (is_new || others.iter().any(|map| !map.actions.is_empty())).then_some(())?;
            file.remove(&map.id, Part::Map).and_then(|_| {
                file.add_map(&map.name, &mut no_id)?;
                map.actions.iter().try_for_each(|action| act(&mut file, &map.name, action))?;
                let mut rest = map.bindings.as_slice();
                while let Some(first) = rest.first() {
                    let count = rest.iter().take_while(|one| one.action == first.action).count();
                    bind(&mut file, &map.name, &first.action, &rest[..count], other)?;
                    rest = &rest[count..];
                }
                Ok(())
            })
        }
        Try::Scheme => {
            let scheme = real.control_schemes.last()?;
            file.remove_scheme(&scheme.name).and_then(|()| file.add_scheme(scheme))
        }
    };
    Some(made.map(|()| without_ids(file.bytes())))
}

fn act(file: &mut InputActions, map: &str, action: &Action) -> Result<(), Refusal> {
    file.add_action(map, action.clone(), &mut no_id).map(drop)
}

/// Add bindings again, composites from their parts.
fn bind(
    file: &mut InputActions,
    map: &str,
    action: &str,
    bindings: &[Binding],
    other: &str,
) -> Result<(), Refusal> {
    let mut rest = bindings;
    while let [first, behind @ ..] = rest {
        let count = behind.iter().take_while(|part| part.is_part_of_composite).count();
        let mut new = NewBinding {
            path: format!("{}{other}", first.path),
            groups: first.groups.clone(),
            interactions: first.interactions.clone(),
            processors: first.processors.clone(),
            composite: None,
        };
        if first.is_composite {
            new.groups = String::new();
            new.path = String::new();
            let parts = behind[..count].iter().map(|part| NewPart {
                name: part.name.clone(),
                path: format!("{}{other}", part.path),
                groups: Some(part.groups.clone()),
                interactions: part.interactions.clone(),
                processors: part.processors.clone(),
            });
            new.composite = Some(Composite {
                kind: first.path.clone(),
                name: Some(first.name.clone()),
                parts: parts.collect(),
            });
        }
        file.add_binding(map, action, &new, &mut no_id)?;
        rest = if first.is_composite { &behind[count..] } else { behind };
    }
    Ok(())
}

fn no_id() -> Result<String, Refusal> {
    Ok(String::new())
}

/// A file with every id empty.
fn without_ids(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split("\"id\": \"");
    let head = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
    head + &rest.map(|rest| format!("\"id\": \"\"{rest}")).collect::<String>()
}
