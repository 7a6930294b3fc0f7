//! Makes the animator controllers of text files below folders again, from their names and values: each
//! object must have the same bytes, but for ids.
//!
//! `--kind controller` prints how many objects
//! do. What the engine does not offer is set field by field, as unity_edit does. Controllers with
//! inner machines, scripts or clips in them are passed over. Before anything else the judge has to notice
//! a state that was broken on purpose.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use scenewright_unity::animator::{
    Child, Condition, Controller, Holds, Mode, Transition, Tree, new_controller,
};
use scenewright_unity::edit::{Habits, New};
use scenewright_unity::types::Version;
use scenewright_unity::{ClassId, Document, FileId, Object, Reference, Value};

use super::files;

/// The file tells not which version wrote it: the one that fits best is taken.
const VERSIONS: [&str; 7] = [
    "2017.1.0f1",
    "2017.4.17f1",
    "2018.1.0f1",
    "2018.4.36f1",
    "2020.3.23f1",
    "2022.3.22f1",
    "6000.0.52f1",
];

/// Ids of the file, and those of what was made for them.
type Ids = HashMap<i64, FileId>;

pub(super) fn run(dir: &Path) {
    let (mut same, mut other, mut passed) = (0, 0, 0);
    for path in files(dir, &["controller"]) {
        let real = Document::parse(fs::read(&path).unwrap_or_default());
        if real.objects().len() == 0 || has_inner_machines(&real) {
            passed += 1;
            continue;
        }
        let versions = VERSIONS.iter().filter_map(|version| {
            let (made, ids) = remade(&real, Version::parse(version)?, release(version))?;
            notice(&real, &made, &ids);
            Some((count(&real, &made, &ids, false), made, ids))
        });
        let Some((wrong, made, ids)) = versions.min_by_key(|(wrong, ..)| *wrong) else {
            println!("{}: not made", path.display());
            passed += 1;
            continue;
        };
        let all = judged(&real, &ids).count();
        println!("{}: {all} objects, {wrong} differ", path.display());
        count(&real, &made, &ids, true);
        same += all - wrong;
        other += wrong;
    }
    println!("{same} objects are the same, {other} are not; {passed} files passed over");
}

/// The objects that are made: those that layers lead to, without states that have scripts.
fn judged<'d>(real: &'d Document, ids: &'d Ids) -> impl Iterator<Item = Object<'d>> {
    let has_script =
        |object: Object<'_>| !list(object.value(), "m_StateMachineBehaviours").is_empty();
    let is_made = |object: &Object<'_>| ids.contains_key(&object.file_id().0);
    real.objects().filter(move |object| is_made(object) && !has_script(*object))
}

fn has_inner_machines(real: &Document) -> bool {
    real.objects().any(|object| !list(object.value(), "m_ChildStateMachines").is_empty())
}

/// The judge has to notice a state that was broken on purpose.
fn notice(real: &Document, made: &Document, ids: &Ids) {
    let text = String::from_utf8_lossy(made.as_bytes());
    let broken = Document::parse(text.replace("m_WriteDefaultValues: ", "m_WriteDefaultValues: 7"));
    let has_states = judged(real, ids).any(|object| object.class_id() == ClassId(1102));
    assert!(!has_states || count(real, &broken, ids, false) > 0, "nobody notices");
}

fn release(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

fn text(value: Value<'_>, key: &str) -> String {
    value.get(key).map(|value| value.text().into_owned()).unwrap_or_default()
}

fn number(value: Value<'_>, key: &str) -> f64 {
    value.get(key).and_then(|value| value.as_f64()).unwrap_or(0.0)
}

fn to(value: Value<'_>, key: &str) -> Option<Reference> {
    value.get(key)?.as_reference()
}

fn list<'d>(value: Value<'d>, key: &str) -> Vec<Value<'d>> {
    value.get(key).into_iter().flat_map(|list| list.items()).collect()
}

/// The same controller made anew, and which id stands for which.
fn remade(
    real: &Document,
    version: Version,
    release: Option<(u32, u32)>,
) -> Option<(Document, Ids)> {
    let main = real.objects().find(|object| object.class_id() == ClassId(91))?.value();
    let habits = Habits { release, folds: None };
    let new = new_controller(&text(main, "m_Name"), version, habits)?;
    let mut made = Controller::open(Arc::new(Document::parse(new)), version, habits).ok()?;
    let mut ids = Ids::from([(9_100_000, FileId(9_100_000))]);
    for value in list(main, "m_AnimatorParameters") {
        let holds = [Holds::Float, Holds::Int, Holds::Bool, Holds::Trigger];
        let holds =
            holds.into_iter().find(|holds| *holds as i64 == number(value, "m_Type") as i64)?;
        let default =
            ["m_DefaultFloat", "m_DefaultInt", "m_DefaultBool"].map(|key| number(value, key));
        let default = default.into_iter().find(|part| *part != 0.0).unwrap_or(0.0);
        made.add_parameter(&text(value, "m_Name"), holds, default).ok()?;
    }
    for (at, layer) in list(main, "m_AnimatorLayers").into_iter().enumerate() {
        let name = text(layer, "m_Name");
        let machine = to(layer, "m_StateMachine")?;
        if at > 0 {
            ids.insert(machine.file_id.0, made.add_layer(&name).ok()?);
        } else if name != "Base Layer" {
            return None;
        }
        states(real, &mut made, &mut ids, &name, real.object(machine.file_id)?)?;
    }
    let bytes = made.to_bytes();
    let document = Document::parse(bytes);
    let first = document.objects().find(|object| object.class_id() == ClassId(91))?;
    let first = to(list(first.value(), "m_AnimatorLayers").first().copied()?, "m_StateMachine")?;
    ids.insert(
        to(list(main, "m_AnimatorLayers").first().copied()?, "m_StateMachine")?.file_id.0,
        first.file_id,
    );
    // What is not offered is set, one field after the other.
    let pairs: Vec<(i64, FileId)> = ids.iter().map(|(real, made)| (*real, *made)).collect();
    for (from, id) in pairs {
        let real = real.object(FileId(from))?;
        for (key, value) in real.fields() {
            let is_plain = value.as_f64().is_some()
                || value.as_reference().is_some_and(|to| to.guid.is_some())
                || key == "m_Tag"
                || key.ends_with("Parameter")
                || key == "m_Name"
                || key.ends_with("Position");
            if is_plain && key != "serializedVersion" {
                let new = match value.as_reference() {
                    Some(reference) => New::Reference(reference),
                    None => New::copy_of(value),
                };
                made.set(id, &key, new).ok()?;
            }
        }
    }
    Some((Document::parse(made.to_bytes()), ids))
}

fn states(
    real: &Document,
    made: &mut Controller,
    ids: &mut Ids,
    layer: &str,
    machine: Object<'_>,
) -> Option<()> {
    let machine = machine.value();
    let default = to(machine, "m_DefaultState")?.file_id;
    let name = |id: FileId| real.object(id).map(|object| text(object.value(), "m_Name"));
    let children = list(machine, "m_ChildStates");
    for child in &children {
        let id = to(*child, "m_State")?.file_id;
        let place = child.get("m_Position")?;
        let place = [number(place, "x") as f32, number(place, "y") as f32];
        let new = made.add_state(Some(layer), &name(id)?, Some(place), id == default).ok()?;
        ids.insert(id.0, new);
        let motion = to(real.object(id)?.value(), "m_Motion")?;
        let tree = real.object(motion.file_id).filter(|tree| tree.class_id() == ClassId(206));
        if let (None, Some(tree)) = (motion.guid, tree) {
            let tree = tree.value();
            let (new, _) = made.add_blend_tree(Some(layer), &name(id)?, &read_tree(tree)).ok()?;
            ids.insert(motion.file_id.0, new);
            for (at, child) in list(tree, "m_Childs").into_iter().enumerate() {
                let place = format!("m_Childs.Array.data[{at}]");
                let motion = New::Reference(to(child, "m_Motion")?);
                made.set(new, &format!("{place}.m_Motion"), motion).ok()?;
                let weight = New::Text(text(child, "m_DirectBlendParameter"));
                made.set(new, &format!("{place}.m_DirectBlendParameter"), weight).ok()?;
            }
        }
    }
    let mut from: Vec<(String, Vec<Value<'_>>)> = vec![
        ("Any State".to_owned(), list(machine, "m_AnyStateTransitions")),
        ("Entry".to_owned(), list(machine, "m_EntryTransitions")),
    ];
    for child in &children {
        let id = to(*child, "m_State")?.file_id;
        from.push((name(id)?, list(real.object(id)?.value(), "m_Transitions")));
    }
    for (from, transitions) in from {
        for transition in transitions {
            let id = transition.as_reference()?.file_id;
            let wanted = read_transition(real.object(id)?.value(), from.clone(), &name)?;
            ids.insert(id.0, made.add_transition(Some(layer), &wanted).ok()?);
        }
    }
    Some(())
}

fn read_tree(tree: Value<'_>) -> Tree {
    let is_even = number(tree, "m_UseAutomaticThresholds") != 0.0;
    let child = |value: Value<'_>| Child {
        threshold: (!is_even).then_some(number(value, "m_Threshold") as f32),
        position: [number(value, "m_Position.x") as f32, number(value, "m_Position.y") as f32],
        time_scale: number(value, "m_TimeScale") as f32,
        weight: None,
    };
    Tree {
        kind: number(tree, "m_BlendType") as u32,
        parameters: [Some(text(tree, "m_BlendParameter")), None],
        children: list(tree, "m_Childs").into_iter().map(child).collect(),
    }
}

fn read_transition(
    value: Value<'_>,
    from: String,
    name: &dyn Fn(FileId) -> Option<String>,
) -> Option<Transition> {
    let modes = [Mode::If, Mode::IfNot, Mode::Greater, Mode::Less, Mode::Equals, Mode::NotEqual];
    let condition = |value: Value<'_>| {
        let mode = number(value, "m_ConditionMode") as i64;
        Some(Condition {
            parameter: text(value, "m_ConditionEvent"),
            mode: modes.into_iter().find(|known| *known as i64 == mode)?,
            threshold: number(value, "m_EventTreshold") as f32,
        })
    };
    let time = |has: bool, key: &str| has.then_some(number(value, key) as f32);
    Some(Transition {
        from,
        to: match number(value, "m_IsExit") != 0.0 {
            true => "Exit".to_owned(),
            false => name(to(value, "m_DstState")?.file_id)?,
        },
        conditions: list(value, "m_Conditions")
            .into_iter()
            .map(condition)
            .collect::<Option<_>>()?,
        exit_time: time(number(value, "m_HasExitTime") != 0.0, "m_ExitTime"),
        duration: time(true, "m_TransitionDuration"),
    })
}

/// How many objects have other bytes.
fn count(real: &Document, made: &Document, ids: &Ids, tell: bool) -> usize {
    let mut wrong = 0;
    for object in judged(real, ids) {
        let mut text =
            String::from_utf8_lossy(&real.as_bytes()[object.span()]).replace("\r\n", "\n");
        for (from, to) in ids {
            text = text.replace(&format!("fileID: {from}}}"), &format!("fileID: \u{1}{to}}}"));
            text = text.replace(&format!("&{from}\n"), &format!("&\u{1}{to}\n"));
        }
        let text = text.replace('\u{1}', "");
        let own = ids.get(&object.file_id().0).and_then(|id| made.object(*id));
        let own = own
            .map(|own| String::from_utf8_lossy(&made.as_bytes()[own.span()]).into_owned())
            .unwrap_or_default();
        if own.trim_end() != text.trim_end() {
            wrong += 1;
            let line = text.lines().zip(own.lines()).find(|(one, other)| one != other);
            if tell {
                println!("  {} real {line:?}", object.class_name());
            }
        }
    }
    wrong
}
