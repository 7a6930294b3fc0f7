//! Input actions (`.inputactions`): maps, actions, bindings and control schemes, read and changed in
//! place.
//!
//! The file is JSON as the Input System's own editor saves it. What is added has the members of that
//! editor in its order and stands where it puts it; everything else keeps its bytes.

mod binding;

use scenewright_text::{Edits, JsonNode, read_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use binding::{Composite, NewBinding, NewPart, check_path};

use crate::edit::scene::Refusal;

/// Makes a new id each time.
pub type Ids<'i> = &'i mut dyn FnMut() -> Result<String, Refusal>;

/// A file of input actions.
pub struct InputActions {
    bytes: Vec<u8>,
    root: JsonNode,
    /// What is in it.
    pub asset: Asset,
}

/// What is in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Asset {
    /// What it is called.
    pub name: String,
    /// Its maps.
    pub maps: Vec<ActionMap>,
    /// Its control schemes.
    pub control_schemes: Vec<Scheme>,
}

/// A set of actions that are on or off together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActionMap {
    /// What it is called.
    pub name: String,
    /// A UUID.
    pub id: String,
    /// Its actions.
    pub actions: Vec<Action>,
    /// What triggers them.
    pub bindings: Vec<Binding>,
}

/// Something that a player does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Action {
    /// What it is called.
    pub name: String,
    /// `Value`, `Button` or `PassThrough`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A UUID.
    pub id: String,
    /// The controls that fit, such as `Vector2`; empty for all.
    pub expected_control_type: String,
    /// What is done to values.
    pub processors: String,
    /// What has to happen, such as `Hold`.
    pub interactions: String,
    /// Whether it looks at its controls when it is turned on; files before 1.1 do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_state_check: Option<bool>,
}

/// A control that triggers an action; a composite, or a part of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Binding {
    /// Of a composite and its parts, what it is called.
    pub name: String,
    /// A UUID.
    pub id: String,
    /// The control, or the kind of a composite.
    pub path: String,
    /// What has to happen.
    pub interactions: String,
    /// What is done to values.
    pub processors: String,
    /// The control schemes that it is for, with `;` between them.
    pub groups: String,
    /// The action, by name or id.
    pub action: String,
    /// Whether the parts behind it belong to it.
    pub is_composite: bool,
    /// Whether it belongs to the composite before it.
    pub is_part_of_composite: bool,
}

/// Devices that are used together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Scheme {
    /// What it is called.
    pub name: String,
    /// What bindings call it.
    pub binding_group: String,
    /// Its devices.
    pub devices: Vec<Device>,
}

/// A device of a control scheme.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Device {
    /// Its kind, such as `<Gamepad>`.
    pub device_path: String,
    /// Whether the scheme works without it.
    pub is_optional: bool,
    /// Whether it stands in for the one before it.
    #[serde(rename = "isOR")]
    pub is_or: bool,
}

/// What is taken out of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// A whole map.
    Map,
    /// An action with its bindings.
    Action(&'a str),
    /// A binding by its id; a composite goes with its parts.
    Binding(&'a str),
}

impl InputActions {
    /// Reads a file; what is none is refused.
    pub fn read(bytes: Vec<u8>) -> Result<InputActions, Refusal> {
        let none = |why: String| Refusal::new(format!("it is no file of input actions: {why}"));
        let root = read_json(&bytes).map_err(none)?;
        if root.get("maps").is_none() {
            return Err(none("it has no maps".to_owned()));
        }
        let asset = serde_json::from_slice(&bytes[root.span.clone()])
            .map_err(|error| none(error.to_string()))?;
        Ok(InputActions { bytes, root, asset })
    }

    /// The file as it is now.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The place of a map, by name or id.
    pub fn map(&self, wanted: &str) -> Result<usize, Refusal> {
        let known = self.asset.maps.iter().map(|map| (map.name.as_str(), map.id.as_str()));
        find(wanted, known).ok_or_else(|| {
            let names = self.asset.maps.iter().map(|map| map.name.clone());
            Refusal::new(format!("the file has no action map {wanted}"))
                .choices(wanted, names.collect())
        })
    }

    /// The place of an action in a map, by name or id.
    pub fn action(&self, map: usize, wanted: &str) -> Result<usize, Refusal> {
        let map = &self.asset.maps[map];
        let known = map.actions.iter().map(|action| (action.name.as_str(), action.id.as_str()));
        find(wanted, known).ok_or_else(|| {
            let names = map.actions.iter().map(|action| action.name.clone());
            Refusal::new(format!("{} has no action {wanted}", map.name))
                .choices(wanted, names.collect())
        })
    }

    /// Adds a map without actions as the last one.
    pub fn add_map(&mut self, name: &str, ids: Ids<'_>) -> Result<String, Refusal> {
        self.check_form()?;
        let known = self.asset.maps.iter().map(|map| map.name.as_str());
        check_name("action map", name, known)?;
        let new = ActionMap { name: name.to_owned(), id: ids()?, ..ActionMap::default() };
        self.change(|root, bytes, edits| root.get("maps")?.push(bytes, &value_of(&new)?, edits))?;
        Ok(new.id)
    }

    /// Adds an action as the last one of a map. Its id is made here, and whether it is looked at when
    /// it is turned on is told only where the file tells it of others.
    pub fn add_action(
        &mut self,
        map: &str,
        mut new: Action,
        ids: Ids<'_>,
    ) -> Result<String, Refusal> {
        self.check_form()?;
        let map = self.map(map)?;
        let known = self.asset.maps[map].actions.iter().map(|action| action.name.as_str());
        check_name("action", &new.name, known)?;
        new.id = ids()?;
        let mut others = self.asset.maps.iter().flat_map(|map| &map.actions).peekable();
        let is_told =
            others.peek().is_none() || others.any(|action| action.initial_state_check.is_some());
        let is_value = new.kind == "Value";
        new.initial_state_check = is_told.then(|| new.initial_state_check.unwrap_or(is_value));
        self.change(|root, bytes, edits| {
            let actions = root.get("maps")?.items().get(map)?.get("actions")?;
            actions.push(bytes, &value_of(&new)?, edits)
        })?;
        Ok(new.id)
    }

    /// Adds a binding, or a composite with its parts, behind those that an action has; their ids come
    /// back.
    pub fn add_binding(
        &mut self,
        map: &str,
        action: &str,
        new: &NewBinding,
        ids: Ids<'_>,
    ) -> Result<Vec<String>, Refusal> {
        self.check_form()?;
        let map = self.map(map)?;
        let action = self.action(map, action)?;
        let new = new.lines(&self.asset.maps[map].actions[action].name, ids)?;
        let own = self.bindings_of(map, action);
        let at = own.last().map_or(self.asset.maps[map].bindings.len(), |last| last + 1);
        self.change(|root, bytes, edits| {
            let bindings = root.get("maps")?.items().get(map)?.get("bindings")?;
            let new: Option<Vec<Value>> = new.iter().map(value_of).collect();
            bindings.insert(bytes, at, &new?, edits)
        })?;
        Ok(new.into_iter().map(|binding| binding.id).collect())
    }

    /// Adds a control scheme as the last one.
    pub fn add_scheme(&mut self, new: &Scheme) -> Result<(), Refusal> {
        self.check_form()?;
        let known = self.asset.control_schemes.iter().map(|scheme| scheme.name.as_str());
        check_name("control scheme", &new.name, known)?;
        self.change(|root, bytes, edits| {
            let mut new = value_of(new)?;
            let schemes = root.get("controlSchemes");
            // Files before 1.0 have a member more.
            let others = schemes.map(JsonNode::items).unwrap_or_default();
            if others.iter().any(|scheme| scheme.get("basedOn").is_some()) {
                new.as_object_mut()?.shift_insert(1, "basedOn".to_owned(), "".into());
            }
            match schemes {
                Some(schemes) => schemes.push(bytes, &new, edits),
                None => {
                    let new = Value::Array(vec![new]);
                    root.put(bytes, "controlSchemes", &new, |_| false, edits)
                }
            }
        })
    }

    /// Takes a control scheme out.
    pub fn remove_scheme(&mut self, name: &str) -> Result<(), Refusal> {
        let known = self.asset.control_schemes.iter().map(|scheme| (scheme.name.as_str(), ""));
        let Some(scheme) = find(name, known) else {
            let names = self.asset.control_schemes.iter().map(|scheme| scheme.name.clone());
            return Err(Refusal::new(format!("the file has no control scheme {name}"))
                .choices(name, names.collect()));
        };
        self.change(|root, _, edits| root.get("controlSchemes")?.retain(|at| at != scheme, edits))
    }

    /// Takes something out; how many actions and bindings went.
    pub fn remove(&mut self, map: &str, part: Part<'_>) -> Result<(usize, usize), Refusal> {
        let map = self.map(map)?;
        let own = &self.asset.maps[map];
        let (actions, bindings): (Vec<usize>, Vec<usize>) = match part {
            Part::Map => {
                let gone = (own.actions.len(), own.bindings.len());
                self.change(|root, _, edits| root.get("maps")?.retain(|at| at != map, edits))?;
                return Ok(gone);
            }
            Part::Action(action) => {
                let action = self.action(map, action)?;
                (vec![action], self.bindings_of(map, action))
            }
            Part::Binding(id) => (Vec::new(), self.binding(map, id)?),
        };
        self.change(|root, _, edits| {
            let map = root.get("maps")?.items().get(map)?;
            if !actions.is_empty() {
                map.get("actions")?.retain(|at| !actions.contains(&at), edits)?;
            }
            match bindings.is_empty() {
                true => Some(()),
                false => map.get("bindings")?.retain(|at| !bindings.contains(&at), edits),
            }
        })?;
        Ok((actions.len(), bindings.len()))
    }

    /// The places of a binding and, of a composite, its parts.
    fn binding(&self, map: usize, id: &str) -> Result<Vec<usize>, Refusal> {
        let all = &self.asset.maps[map].bindings;
        let Some(at) = all.iter().position(|binding| binding.id.eq_ignore_ascii_case(id)) else {
            let text = format!("{} has no binding {id}", self.asset.maps[map].name);
            return Err(Refusal::new(text).hint("nothing was changed; input_read lists them"));
        };
        let parts = all[at + 1..].iter().take_while(|part| part.is_part_of_composite).count();
        let parts = if all[at].is_composite { parts } else { 0 };
        Ok((at..=at + parts).collect())
    }

    /// The places of the bindings of an action.
    pub fn bindings_of(&self, map: usize, action: usize) -> Vec<usize> {
        let map = &self.asset.maps[map];
        let action = &map.actions[action];
        let is_own = |binding: &Binding| {
            binding.action.eq_ignore_ascii_case(&action.name) || binding.action == action.id
        };
        let own = map.bindings.iter().enumerate().filter(|(_, binding)| is_own(binding));
        own.map(|(at, _)| at).collect()
    }

    /// Refuses a binding that an action does not have.
    pub fn check_binding(&self, map: &str, action: &str, id: &str) -> Result<(), Refusal> {
        let map = self.map(map)?;
        let own = self.bindings_of(map, self.action(map, action)?);
        match self.binding(map, id)?.first().is_some_and(|at| own.contains(at)) {
            true => Ok(()),
            false => Err(Refusal::new(format!("{action} has no binding {id}"))
                .hint("nothing was changed; it is one of another action")),
        }
    }

    /// Refuses a binding group that no control scheme of the file has, where it has some: nothing
    /// would ever use its bindings.
    pub fn check_group(&self, group: &str) -> Result<(), Refusal> {
        let known = self.asset.control_schemes.iter().map(|scheme| scheme.binding_group.clone());
        let known: Vec<String> = known.collect();
        match known.is_empty() || known.iter().any(|known| known == group) {
            true => Ok(()),
            false => Err(Refusal::new(format!("no control scheme has the binding group {group}"))
                .choices(group, known)),
        }
    }

    /// Refuses the form that previews of the Input System had: actions without a type, bindings
    /// without an id.
    fn check_form(&self) -> Result<(), Refusal> {
        let maps = self.root.get("maps").map(JsonNode::items).unwrap_or_default();
        let lacks = |list: &str, key: &str| {
            let all = maps.iter().filter_map(|map| map.get(list)).flat_map(JsonNode::items);
            all.into_iter().any(|one| one.get(key).is_none())
        };
        let lists = maps.iter().all(|map| map.get("actions").and(map.get("bindings")).is_some());
        if lists && !lacks("actions", "type") && !lacks("bindings", "id") {
            return Ok(());
        }
        let text = "the file has the form that previews of the Input System saved";
        Err(Refusal::new(text).hint("nothing was changed; open it in Unity and save it first"))
    }

    fn change(
        &mut self,
        make: impl FnOnce(&JsonNode, &[u8], &mut Edits) -> Option<()>,
    ) -> Result<(), Refusal> {
        let mut edits = Edits::default();
        make(&self.root, &self.bytes, &mut edits)
            .ok_or_else(|| Refusal::new("the file has another form than input actions have"))?;
        let after = edits.apply(&self.bytes).map_err(|why| Refusal::new(why.to_string()))?;
        *self = InputActions::read(after)?;
        Ok(())
    }
}

/// A UUID as files have them, of random bytes.
pub fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    parts.join("-")
}

/// What people call something: its name, letter by letter or but for capitals, or its id.
fn find<'k>(
    wanted: &str,
    known: impl Iterator<Item = (&'k str, &'k str)> + Clone,
) -> Option<usize> {
    let by = |is_it: &dyn Fn(&str, &str) -> bool| known.clone().position(|(a, b)| is_it(a, b));
    by(&|name, _| name == wanted)
        .or_else(|| by(&|_, id| !id.is_empty() && id.eq_ignore_ascii_case(wanted)))
        .or_else(|| by(&|name, _| name.eq_ignore_ascii_case(wanted)))
}

/// Names are found without regard to capitals, so two that differ in nothing else are one.
fn check_name<'k>(
    what: &str,
    name: &str,
    mut known: impl Iterator<Item = &'k str>,
) -> Result<(), Refusal> {
    if name.is_empty() || name != name.trim() || name.contains(['\n', '\r', '/']) {
        let text = format!("the {what} cannot be called '{name}'");
        return Err(Refusal::new(text).hint("a name is on one line, without / and not empty"));
    }
    match known.find(|known| known.eq_ignore_ascii_case(name)) {
        Some(known) => {
            let text = format!("the file has the {what} {known} already");
            Err(Refusal::new(text).hint("nothing was changed; choose another name"))
        }
        None => Ok(()),
    }
}

fn value_of(new: &impl Serialize) -> Option<Value> {
    serde_json::to_value(new).ok()
}
