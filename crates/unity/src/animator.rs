//! Animator controllers: parameters, layers, states, transitions and blend trees that come to a file.
//!
//! What is not told here is set on the new object as on any other; its id comes back for that.

use std::sync::Arc;

use crate::edit::scene::Refusal;
use crate::edit::{self, Habits, Manner, New, NewObject, Refused, Sheet, fresh};
use crate::types::{self, Version};
use crate::{ClassId, Document, FileId, Object, Value};

const CONTROLLER: ClassId = ClassId(91);
const BLEND_TREE: ClassId = ClassId(206);
const STATE_TRANSITION: ClassId = ClassId(1101);
const STATE: ClassId = ClassId(1102);
const STATE_MACHINE: ClassId = ClassId(1107);
const ENTRY_TRANSITION: ClassId = ClassId(1109);
const MAIN_ID: FileId = FileId(9_100_000);
const HEAD: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
/// State machines are not nested deeper than this.
const MAX_DEPTH: usize = 16;

/// What a parameter holds; the numbers are those of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A number.
    Float = 1,
    /// A whole number.
    Int = 3,
    /// True or false.
    Bool = 4,
    /// True until a transition took it.
    Trigger = 9,
}

/// How a condition compares; the numbers are those of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The parameter is true.
    If = 1,
    /// It is false.
    IfNot = 2,
    /// It is more.
    Greater = 3,
    /// It is less.
    Less = 4,
    /// It is the same.
    Equals = 6,
    /// It is another.
    NotEqual = 7,
}

/// What a transition waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The parameter.
    pub parameter: String,
    /// How it is compared.
    pub mode: Mode,
    /// With what.
    pub threshold: f32,
}

/// A new transition.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transition {
    /// The state that it starts from, `Any State`, or `Entry`.
    pub from: String,
    /// The state that it leads to, or `Exit`.
    pub to: String,
    /// All that it waits for.
    pub conditions: Vec<Condition>,
    /// The part of the first state after which it starts; none when that does not matter.
    pub exit_time: Option<f32>,
    /// How long it takes, in seconds.
    pub duration: Option<f32>,
}

/// A motion of a blend tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Child {
    /// Where it is alone, with one parameter.
    pub threshold: Option<f32>,
    /// Where it is alone, with two.
    pub position: [f32; 2],
    /// How fast it plays.
    pub time_scale: f32,
    /// The parameter that is its weight, in a tree of weights.
    pub weight: Option<String>,
}

/// A new blend tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tree {
    /// 0 with one parameter, 1 to 3 with two, 4 with one for each motion.
    pub kind: u32,
    /// Its parameters.
    pub parameters: [Option<String>; 2],
    /// Its motions.
    pub children: Vec<Child>,
}

/// The text of a new controller with one layer.
pub fn new_controller(name: &str, version: Version, habits: Habits) -> Option<String> {
    let empty = Arc::new(Document::parse(HEAD));
    let manner = Manner::fresh().in_project(habits);
    let mut controller =
        Controller { sheet: Sheet::new(empty, manner, true), version, id: MAIN_ID };
    controller.sheet.take_id(MAIN_ID);
    let named = [("m_Name", New::Text(name.to_owned()))];
    controller.add_with(CONTROLLER, MAIN_ID, &named).ok()?;
    controller.add_layer("Base Layer").ok()?;
    String::from_utf8(controller.to_bytes()).ok()
}

/// A controller while it is changed.
pub struct Controller {
    sheet: Sheet,
    version: Version,
    id: FileId,
}

/// The states of a layer by their names, those of inner machines behind the name of that.
type States = Vec<(String, FileId)>;

impl Controller {
    /// Open a file; refused when it has no controller.
    pub fn open(
        document: Arc<Document>,
        version: Version,
        habits: Habits,
    ) -> Result<Controller, Refusal> {
        let found = document.objects().find(|object| object.class_id() == CONTROLLER);
        let id = found.map(|object| object.file_id());
        let id = id.ok_or_else(|| Refusal::new("the file has no animator controller"))?;
        let manner = Manner::of(&document).in_project(habits);
        Ok(Controller { sheet: Sheet::new(document, manner, true), version, id })
    }

    /// The file as it is now.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.sheet.to_bytes()
    }

    /// The names of all parameters, and what they hold.
    pub fn parameters(&self) -> Vec<(String, i64)> {
        let one = |value: Value<'_>| {
            let kind = value.get("m_Type").and_then(Value::as_i64).unwrap_or(0);
            (text(value, "m_Name"), kind)
        };
        self.list(self.id, "m_AnimatorParameters", one)
    }

    /// The names of all layers.
    pub fn layers(&self) -> Vec<String> {
        self.list(self.id, "m_AnimatorLayers", |value| text(value, "m_Name"))
    }

    /// The states of a layer; the first one when none is named.
    pub fn states(&self, layer: Option<&str>) -> Result<Vec<String>, Refusal> {
        let machine = self.machine(layer)?;
        let mut states = Vec::new();
        self.gather(machine, "", 0, &mut states);
        Ok(states.into_iter().map(|(name, _)| name).collect())
    }

    /// Add a parameter.
    pub fn add_parameter(&mut self, name: &str, holds: Holds, value: f64) -> Result<(), Refusal> {
        let known = self.parameters();
        if name.is_empty() || known.iter().any(|(other, _)| other == name) {
            let text = format!("the controller has a parameter {name} already");
            let empty = "a parameter needs a name".to_owned();
            return Err(Refusal::new(if name.is_empty() { empty } else { text }));
        }
        let default = match holds {
            Holds::Float => ("m_DefaultFloat", New::float(value as f32)),
            Holds::Int => ("m_DefaultInt", New::int(value as i64)),
            Holds::Bool | Holds::Trigger => ("m_DefaultBool", New::bool(value != 0.0)),
        };
        let item = self.item(
            CONTROLLER,
            "m_AnimatorParameters",
            &[
                ("m_Name", New::Text(name.to_owned())),
                ("m_Type", New::int(holds as i64)),
                default,
                ("m_Controller", New::local(self.id)),
            ],
        )?;
        self.append(self.id, "m_AnimatorParameters", item)
    }

    /// Add a layer with an empty state machine.
    pub fn add_layer(&mut self, name: &str) -> Result<FileId, Refusal> {
        if name.is_empty() || self.layers().iter().any(|other| other == name) {
            return Err(Refusal::new(format!("the controller has a layer {name:?} already")));
        }
        let named = [("m_Name", New::Text(name.to_owned()))];
        let machine = self.add(STATE_MACHINE, &format!("layer/{name}"), &named)?;
        let values = [
            ("m_Name", New::Text(name.to_owned())),
            ("m_StateMachine", New::local(machine)),
            ("m_Controller", New::local(self.id)),
        ];
        let item = self.item(CONTROLLER, "m_AnimatorLayers", &values)?;
        self.append(self.id, "m_AnimatorLayers", item)?;
        Ok(machine)
    }

    /// Add a state to a layer; the first one is where the layer begins. Without a place it comes
    /// where the editor would put it.
    pub fn add_state(
        &mut self,
        layer: Option<&str>,
        name: &str,
        place: Option<[f32; 2]>,
        is_default: bool,
    ) -> Result<FileId, Refusal> {
        let machine = self.machine(layer)?;
        let mut states = Vec::new();
        self.gather(machine, "", 0, &mut states);
        if name.is_empty() || states.iter().any(|(other, _)| other == name) {
            return Err(Refusal::new(format!("the layer has a state {name:?} already")));
        }
        let place = place.unwrap_or_else(|| self.next_place(machine));
        let named = [("m_Name", New::Text(name.to_owned()))];
        let state = self.add(STATE, &format!("state/{name}"), &named)?;
        let [x, y] = place;
        let values = [
            ("m_State", New::local(state)),
            ("m_Position", New::flow([("x", x), ("y", y), ("z", 0.0)])),
        ];
        let item = self.item(STATE_MACHINE, "m_ChildStates", &values)?;
        self.append(machine, "m_ChildStates", item)?;
        let default = self.object(machine)?.get("m_DefaultState").and_then(Value::as_reference);
        if is_default || default.is_none_or(|default| default.is_null()) {
            self.set(machine, "m_DefaultState", New::local(state))?;
        }
        Ok(state)
    }

    /// Add a transition.
    pub fn add_transition(
        &mut self,
        layer: Option<&str>,
        wanted: &Transition,
    ) -> Result<FileId, Refusal> {
        let machine = self.machine(layer)?;
        self.check_conditions(&wanted.conditions)?;
        let mut values = vec![("m_Conditions", New::List(self.conditions(&wanted.conditions)?))];
        match &*wanted.to {
            "Exit" => values.push(("m_IsExit", New::int(1))),
            to => values.push(("m_DstState", New::local(self.state(machine, to)?))),
        }
        let (holder, list) = match &*wanted.from {
            "Entry" => (machine, "m_EntryTransitions"),
            "Any State" | "AnyState" => (machine, "m_AnyStateTransitions"),
            from => (self.state(machine, from)?, "m_Transitions"),
        };
        let is_exit = wanted.to == "Exit";
        if is_exit && holder == machine {
            let text = format!("nothing leads from {} to Exit", wanted.from);
            return Err(Refusal::new(text).hint("name a state that it starts from"));
        }
        let class = match list {
            "m_EntryTransitions" => ENTRY_TRANSITION,
            _ => STATE_TRANSITION,
        };
        if class == STATE_TRANSITION {
            values.push(("m_HasExitTime", New::bool(wanted.exit_time.is_some())));
            values.extend(wanted.exit_time.map(|time| ("m_ExitTime", New::float(time))));
            values.extend(wanted.duration.map(|time| ("m_TransitionDuration", New::float(time))));
        }
        let seed = format!("transition/{}/{}", wanted.from, wanted.to);
        let id = self.add(class, &seed, &values)?;
        self.append(holder, list, New::local(id))?;
        Ok(id)
    }

    /// Add a blend tree as the motion of a state, which is made when there is none of the name. Its
    /// motions lead nowhere yet. Returns the tree and the state.
    pub fn add_blend_tree(
        &mut self,
        layer: Option<&str>,
        state: &str,
        tree: &Tree,
    ) -> Result<(FileId, FileId), Refusal> {
        let machine = self.machine(layer)?;
        for name in tree
            .parameters
            .iter()
            .flatten()
            .chain(tree.children.iter().flat_map(|child| &child.weight))
        {
            let holds = self.parameter(name)?;
            if holds != Holds::Float as i64 {
                let text =
                    format!("{name} is no Float, and a blend tree takes such parameters only");
                return Err(Refusal::new(text).hint("add a parameter of the type Float"));
            }
        }
        let state = match self.state(machine, state) {
            Ok(known) => {
                let motion = self.object(known)?.get("m_Motion").and_then(Value::as_reference);
                if motion.is_some_and(|motion| !motion.is_null()) {
                    let text = format!("the state {state} has a motion already");
                    return Err(Refusal::new(text)
                        .hint("name another state; one that is not there is made"));
                }
                known
            }
            Err(_) => self.add_state(layer, state, None, false)?,
        };
        let values = self.tree_values(tree)?;
        let id = self.add(BLEND_TREE, &format!("tree/{state}"), &values)?;
        self.set(state, "m_Motion", New::local(id))?;
        Ok((id, state))
    }

    fn tree_values(&self, tree: &Tree) -> Result<Vec<(&'static str, New)>, Refusal> {
        let mut values = vec![
            ("m_Name", New::Text("Blend Tree".to_owned())),
            ("m_BlendType", New::int(tree.kind.into())),
        ];
        let keys = ["m_BlendParameter", "m_BlendParameterY"];
        for (key, name) in keys.into_iter().zip(&tree.parameters) {
            values.extend(name.clone().map(|name| (key, New::Text(name))));
        }
        let last = tree.children.len().saturating_sub(1).max(1) as f32;
        let is_even = tree.children.iter().all(|child| child.threshold.is_none());
        let thresholds = tree.children.iter().enumerate();
        let thresholds: Vec<f32> =
            thresholds.map(|(at, child)| child.threshold.unwrap_or(at as f32 / last)).collect();
        let mut children = Vec::new();
        for (child, threshold) in tree.children.iter().zip(&thresholds) {
            let [x, y] = child.position;
            let mut parts = vec![
                ("m_Threshold", New::float(*threshold)),
                ("m_Position", New::flow([("x", x), ("y", y)])),
                ("m_TimeScale", New::float(child.time_scale)),
            ];
            // Trees of other kinds do not use it, and this is what they have there.
            let weight = child.weight.clone().unwrap_or_else(|| "Blend".to_owned());
            parts.push(("m_DirectBlendParameter", New::Text(weight)));
            children.push(self.item(BLEND_TREE, "m_Childs", &parts)?);
        }
        values.push(("m_Childs", New::List(children)));
        values.push(("m_UseAutomaticThresholds", New::bool(is_even)));
        if let Some((least, most)) = ends(&thresholds) {
            values.push(("m_MinThreshold", New::float(least)));
            values.push(("m_MaxThreshold", New::float(most)));
        }
        Ok(values)
    }

    fn check_conditions(&self, conditions: &[Condition]) -> Result<(), Refusal> {
        for condition in conditions {
            let holds = self.parameter(&condition.parameter)?;
            let fits = match condition.mode {
                Mode::If | Mode::IfNot => {
                    holds == Holds::Bool as i64 || holds == Holds::Trigger as i64
                }
                Mode::Greater | Mode::Less => {
                    holds == Holds::Float as i64 || holds == Holds::Int as i64
                }
                Mode::Equals | Mode::NotEqual => holds == Holds::Int as i64,
            };
            if !fits {
                let Condition { parameter, mode, .. } = condition;
                let text = format!("{mode:?} does not fit {parameter}");
                let hint = "If and IfNot are for Bool and Trigger, Greater and Less for Float and Int, Equals and NotEqual for Int";
                return Err(Refusal::new(text).hint(hint));
            }
        }
        Ok(())
    }

    fn conditions(&self, conditions: &[Condition]) -> Result<Vec<New>, Refusal> {
        let one = |condition: &Condition| {
            let values = [
                ("m_ConditionMode", New::int(condition.mode as i64)),
                ("m_ConditionEvent", New::Text(condition.parameter.clone())),
                ("m_EventTreshold", New::float(condition.threshold)),
            ];
            self.item(STATE_TRANSITION, "m_Conditions", &values)
        };
        conditions.iter().map(one).collect()
    }

    /// What a parameter holds.
    fn parameter(&self, name: &str) -> Result<i64, Refusal> {
        let known = self.parameters();
        let found = known.iter().find(|(other, _)| other == name).map(|(_, holds)| *holds);
        found.ok_or_else(|| {
            let text = format!("the controller has no parameter {name}");
            Refusal::new(text).choices(name, known.into_iter().map(|(name, _)| name).collect())
        })
    }

    /// The state machine of a layer.
    fn machine(&self, layer: Option<&str>) -> Result<FileId, Refusal> {
        let machines = self.list(self.id, "m_AnimatorLayers", |value| {
            let machine = value.get("m_StateMachine").and_then(Value::as_reference);
            (text(value, "m_Name"), machine.map(|machine| machine.file_id))
        });
        let found = match layer {
            Some(layer) => machines.iter().find(|(name, _)| name == layer),
            None => machines.first(),
        };
        match (found, layer) {
            (Some((_, Some(machine))), _) if self.sheet.object(*machine).is_some() => Ok(*machine),
            (Some((name, _)), _) => {
                Err(Refusal::new(format!("the layer {name} has no state machine")))
            }
            (None, Some(layer)) => {
                let known = machines.into_iter().map(|(name, _)| name).collect();
                let text = format!("the controller has no layer {layer}");
                Err(Refusal::new(text).choices(layer, known))
            }
            (None, None) => Err(Refusal::new("the controller has no layer")),
        }
    }

    fn state(&self, machine: FileId, name: &str) -> Result<FileId, Refusal> {
        let mut states = Vec::new();
        self.gather(machine, "", 0, &mut states);
        let found = states.iter().find(|(known, _)| known == name).map(|(_, id)| *id);
        found.ok_or_else(|| {
            let text = format!("the layer has no state {name}");
            Refusal::new(text).choices(name, states.into_iter().map(|(name, _)| name).collect())
        })
    }

    fn gather(&self, machine: FileId, before: &str, depth: usize, states: &mut States) {
        let inside = |list: &str, key: &str| {
            let ids =
                self.list(machine, list, |value| value.get(key).and_then(Value::as_reference));
            ids.into_iter().flatten().map(|to| to.file_id).collect::<Vec<_>>()
        };
        let name = |id: FileId| self.sheet.object(id).map(|object| text(object.value(), "m_Name"));
        for id in inside("m_ChildStates", "m_State") {
            states.extend(name(id).map(|name| (format!("{before}{name}"), id)));
        }
        for id in inside("m_ChildStateMachines", "m_StateMachine") {
            if let Some(name) = name(id).filter(|_| depth < MAX_DEPTH) {
                self.gather(id, &format!("{before}{name}/"), depth + 1, states);
            }
        }
    }

    /// Where the editor puts a new state: below the last one, or first.
    fn next_place(&self, machine: FileId) -> [f32; 2] {
        let place = |value: Value<'_>| {
            let part = |axis: &str| value.get(&format!("m_Position.{axis}"))?.as_f64();
            Some([part("x")? as f32, part("y")? as f32])
        };
        let last = self.list(machine, "m_ChildStates", place).into_iter().flatten().last();
        last.map_or([200.0, 0.0], |[x, y]| [x + 35.0, y + 65.0])
    }

    fn list<T>(&self, id: FileId, list: &str, one: impl Fn(Value<'_>) -> T) -> Vec<T> {
        let object = self.sheet.object(id);
        let items = object.and_then(|object| object.get(list)).into_iter().flat_map(Value::items);
        items.map(one).collect()
    }

    fn object(&self, id: FileId) -> Result<Object<'_>, Refusal> {
        self.sheet.object(id).ok_or_else(|| Refusal::new(format!("the file has no object {id}")))
    }

    /// A new item of a list, with these values.
    fn item(&self, class: ClassId, list: &str, values: &[(&str, New)]) -> Result<New, Refusal> {
        let tree = types::tree(class, self.version);
        let element = tree.and_then(|tree| tree.child(list)?.element());
        let mut item = fresh::zero(element.ok_or_else(unknown)?);
        if let New::Map(fields) = &mut item {
            for (key, value) in values {
                fresh::put(fields, key, value.clone());
            }
        }
        Ok(item)
    }

    fn add(
        &mut self,
        class: ClassId,
        seed: &str,
        values: &[(&str, New)],
    ) -> Result<FileId, Refusal> {
        let id = self.sheet.fresh_ids(seed, 1);
        self.add_with(class, id, values)?;
        Ok(id)
    }

    fn add_with(
        &mut self,
        class: ClassId,
        id: FileId,
        values: &[(&str, New)],
    ) -> Result<(), Refusal> {
        let mut fields = fresh::native(class, self.version).ok_or_else(unknown)?;
        for (key, value) in values {
            fresh::put(&mut fields, key, value.clone());
        }
        let key = fresh::key(class, self.version).ok_or_else(unknown)?.to_owned();
        self.sheet.add(&NewObject { class, id, key, stripped: false, fields });
        Ok(())
    }

    fn append(&mut self, id: FileId, list: &str, item: New) -> Result<(), Refusal> {
        self.edit(id, |object, manner, edits| edit::append(object, list, item, manner, edits))
    }

    /// Give a field of an object another value.
    pub fn set(&mut self, id: FileId, path: &str, value: New) -> Result<(), Refusal> {
        self.edit(id, |object, manner, edits| edit::set(object, path, &value, manner, edits))
    }

    fn edit(
        &mut self,
        id: FileId,
        change: impl FnOnce(Object<'_>, &Manner, &mut scenewright_text::Edits) -> Result<(), Refused>,
    ) -> Result<(), Refusal> {
        self.sheet.edit(id, change).map_err(|refused| Refusal::new(refused.to_string()))
    }
}

fn unknown() -> Refusal {
    Refusal::new("controllers of this version of Unity are not written here")
}

fn text(value: Value<'_>, key: &str) -> String {
    value.get(key).map(|value| value.text().into_owned()).unwrap_or_default()
}

fn ends(numbers: &[f32]) -> Option<(f32, f32)> {
    let least = numbers.iter().copied().reduce(f32::min)?;
    Some((least, numbers.iter().copied().reduce(f32::max)?))
}
