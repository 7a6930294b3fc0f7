//! Calls of methods, functions and lambdas, by what kind of value they are called on.

use std::rc::Rc;

use super::{Flow, Ran, Run};
use crate::ir::{Call, Callee, Code, Node};
use crate::ty::Ty;
use crate::value::{Cell, Closure, ClosureCode, Exception, ListKind, Map, Thing, Val};

impl Run<'_, '_> {
    pub(super) fn call(&mut self, at: u32, call: &Call) -> Ran<Val> {
        let given = match &call.of {
            Callee::Value(of) => {
                let of = self.eval(of)?;
                let args = self.eval_all(&call.args)?;
                self.at = at;
                self.call_method(&of, &call.name, &call.types, args)?
            }
            Callee::Type(owner) => {
                let args = self.eval_all(&call.args)?;
                self.at = at;
                self.call_static(owner, &call.name, &call.types, args)?
            }
        };
        let Some(out) = &call.out else { return Ok(given) };
        let Val::Tuple(parts) = given else { return Ok(given) };
        let [given, value] = &**parts else { return Ok(Val::Null) };
        let spot = self.spot(out)?;
        self.put(&spot, value.clone())?;
        Ok(given.clone())
    }

    /// What a method with an `out` parameter gives: itself, and what goes out.
    pub(super) fn with_out(&mut self, found: bool, value: Val) -> Ran<Val> {
        self.tuple(vec![Val::Bool(found), value])
    }

    pub(super) fn call_method(
        &mut self,
        of: &Val,
        name: &str,
        types: &[Ty],
        args: Vec<Val>,
    ) -> Ran<Val> {
        match (name, args.as_slice()) {
            ("GetValueOrDefault", [] | [_]) if self.map(of).is_none() => {
                let other = args.into_iter().next().unwrap_or(Val::int(0));
                return Ok(if matches!(of, Val::Null) { other } else { of.clone() });
            }
            (_, _) if matches!(of, Val::Null) => return self.null(),
            ("ToString", []) => {
                self.alive(of)?;
                let text = self.text_of(of)?;
                return self.text(text);
            }
            ("ToString", [format]) => {
                let format = format.as_text().cloned().unwrap_or_else(|| "".into());
                let text = self.formatted(of, &format)?;
                return self.text(text);
            }
            ("Equals", [other]) => return Ok(Val::Bool(self.same(of, other))),
            ("GetHashCode", []) => return Ok(Val::int(hash(of))),
            ("GetType", []) => return Ok(Val::Type(self.type_of(of))),
            ("CompareTo", [other]) => {
                let order = self.compare(of, other)?;
                return Ok(Val::int(order as i64));
            }
            ("HasFlag", [flag]) => {
                let (value, flag) = (of.as_int().unwrap_or(0), flag.as_int().unwrap_or(0));
                return Ok(Val::Bool(value & flag == flag));
            }
            _ => {}
        }
        match of {
            Val::Text(text) => self.call_text(&text.clone(), of, name, args),
            Val::Object(_) | Val::Component(_) | Val::Asset(_) => {
                self.call_engine(of, name, types, args)
            }
            Val::Scene(key) => self.call_scene(*key, name),
            Val::Ref(_) => match self.thing(of) {
                Some(Thing::List(_)) => self.call_list(of, name, types, args),
                Some(Thing::Map(_)) => self.call_map(of, name, types, args),
                Some(Thing::Builder(_)) => self.call_builder(of, name, &args),
                Some(Thing::Func(_)) if name == "Invoke" => {
                    self.call_func(of, args).map(|given| given.unwrap_or(Val::Null))
                }
                _ => self.missing("the value", name),
            },
            _ => {
                let ty = self.type_of(of).to_string();
                self.missing(&ty, name)
            }
        }
    }

    pub(super) fn call_function(&mut self, at: u32, index: usize, args: &[Node]) -> Ran<Val> {
        let args = self.eval_all(args)?;
        self.at = at;
        let program = self.program;
        let Some(code) = program.functions.get(index) else { return self.null() };
        let cells = self.frame.iter().take(code.base).cloned().collect();
        let (given, _) = self.call_code(code, cells, args)?;
        Ok(given.unwrap_or(Val::Null))
    }

    pub(super) fn function_value(&mut self, index: usize) -> Ran<Val> {
        let base = self.program.functions.get(index).map_or(0, |code| code.base);
        let cells = self.frame.iter().take(base).cloned().collect();
        self.take(base * 8)?;
        self.add(Thing::Func(Rc::new(Closure { code: ClosureCode::Function(index), cells })))
    }

    /// Call a lambda or a function that is a value.
    pub(super) fn call_func(&mut self, of: &Val, args: Vec<Val>) -> Ran<Option<Val>> {
        let Some(Thing::Func(closure)) = self.thing(of) else { return self.null() };
        let closure = closure.clone();
        let cells = closure.cells.clone();
        let program = self.program;
        match &closure.code {
            ClosureCode::Lambda(code) => self.call_code(code, cells, args).map(|(given, _)| given),
            ClosureCode::Function(index) => match program.functions.get(*index) {
                Some(code) => self.call_code(code, cells, args).map(|(given, _)| given),
                None => self.null(),
            },
        }
    }

    /// Run a body with the variables around it, and give its own back.
    pub(super) fn call_code(
        &mut self,
        code: &Code,
        mut cells: Vec<Cell>,
        args: Vec<Val>,
    ) -> Ran<(Option<Val>, Vec<Cell>)> {
        let most = self.budget.limits.calls;
        if self.budget.calls >= most {
            let message = format!(
                "calls are nested deeper than {most}; does a function call itself for ever?"
            );
            return self.limit("System.StackOverflowException", message);
        }
        let own = code.slots.saturating_sub(code.base);
        self.take(own * super::CELL)?;
        cells.truncate(code.base);
        let missing = code.base - cells.len();
        cells.extend(self.cells(missing + own));
        for (parameter, value) in code.parameters.iter().zip(args) {
            let value = self.convert(value, &parameter.ty)?;
            if let Some(cell) = cells.get(parameter.slot) {
                *cell.borrow_mut() = value;
            }
        }
        let outer = std::mem::replace(&mut self.frame, cells);
        self.budget.calls += 1;
        let flow = self.statements(&code.body);
        self.budget.calls -= 1;
        let cells = std::mem::replace(&mut self.frame, outer);
        let given = match (flow?, &code.returns) {
            (Flow::Return(Some(value)), Some(ty)) => Some(self.convert(value, ty)?),
            _ => None,
        };
        Ok((given, cells))
    }

    /// A new object of a type of the table.
    pub(super) fn make(&mut self, ty: &Ty, args: Vec<Val>) -> Ran<Val> {
        if let Some(made) = super::vectors::make(ty, &args) {
            return Ok(made);
        }
        match &*ty.name {
            "List" => {
                let items = match args.first() {
                    Some(Val::Int(..)) | None => Vec::new(),
                    Some(of) => self.items(of)?,
                };
                self.add_list(ListKind::List, ty.arg(0), items)
            }
            "HashSet" => {
                let items = args.first().map(|of| self.items(of)).transpose()?.unwrap_or_default();
                self.take(items.iter().map(Val::size).sum())?;
                let mut map = Map::new(true, ty.arg(0), Ty::dynamic());
                for item in items {
                    map.set(item, Val::Null);
                }
                self.add(Thing::Map(map))
            }
            "Dictionary" => self.add(Thing::Map(Map::new(false, ty.arg(0), ty.arg(1)))),
            "KeyValuePair" => match args.as_slice() {
                [key, value] => self.pair(key.clone(), value.clone()),
                _ => self.missing("KeyValuePair", "new"),
            },
            "System.String" => self.new_text(&args),
            "System.Text.StringBuilder" => {
                let text = args.first().and_then(Val::as_text).map(|text| text.to_string());
                self.add(Thing::Builder(text.unwrap_or_default()))
            }
            "UnityEngine.GameObject" => self.new_object(args.first()),
            _ if self.is_exception(&ty.name, "System.Exception") => {
                let message = match args.first() {
                    Some(Val::Text(text)) => text.to_string(),
                    _ => format!("Exception of type '{}' was thrown.", ty.name),
                };
                self.add(Thing::Exception(Exception { ty: ty.name.clone(), message }))
            }
            _ => self.default_of(ty),
        }
    }
}

fn hash(value: &Val) -> i64 {
    use std::hash::{Hash, Hasher};
    match value {
        Val::Int(_, value) => i64::from(*value as i32),
        Val::Bool(value) => i64::from(*value),
        Val::Object(id) => i64::from(id.0),
        Val::Component(id) => i64::from(id.0),
        _ => {
            let mut hasher = std::hash::DefaultHasher::new();
            value.key().hash(&mut hasher);
            i64::from(hasher.finish() as i32)
        }
    }
}
