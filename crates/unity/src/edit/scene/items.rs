//! Items of lists that come, go and change places.

use serde_json::Value;

use super::encode::{new_of, zero};
use super::fields::{Known, Owner};
use super::{Done, Editor, Refusal, packed};
use crate::edit::address::{Part, property_path};
use crate::edit::kind::Kind;
use crate::edit::{self, Item, New, json_inside};
use crate::hierarchy::{Data, Stated};

/// What happens to a list.
#[derive(Debug, Clone, PartialEq)]
pub enum ListChange<'v> {
    /// An item comes: last, unless a place is given. Without a value it is like the last one, or
    /// as one begins.
    Insert(Option<usize>, Option<&'v Value>),
    /// An item goes.
    Remove(usize),
    /// An item goes to another place.
    Move(usize, usize),
}

impl Editor<'_> {
    /// Change a list.
    pub fn change_list(
        &mut self,
        object: Option<&str>,
        component: Option<&str>,
        field: &str,
        change: &ListChange<'_>,
    ) -> Result<Done, Refusal> {
        let (owner, seen) = self.owner(object, component)?;
        let mut known = self.field(&owner, field)?;
        self.lead_to_list(&owner, &mut known)?;
        let data = packed::items(&known.kind, known.now.as_ref());
        let is_packed = packed::is_packed(&known.kind, known.now.as_ref());
        let order = self.new_order(&known, &data, change)?;
        let changed = match owner.at {
            Stated::Here(id) if !is_packed => {
                let path = property_path(&known.parts);
                self.sheet
                    .edit(id, |object, manner, edits| {
                        edit::set_list(object, &path, &order, manner, edits)?;
                        Ok(!edits.is_empty())
                    })
                    .map_err(|refused| Refusal::new(refused.to_string()))?
            }
            _ => {
                let item = |item: &Item| match item {
                    Item::Old(at) => new_of(&data[*at]),
                    Item::New(new) => new.clone(),
                };
                let list = New::List(order.iter().map(item).collect());
                self.put_kind(owner.at, &known.parts, &known.kind, &list)?
            }
        };
        self.settle_managed(&owner)?;
        self.forget_values(owner.at);
        Ok(self.done(&owner, seen.as_ref(), &known, changed))
    }

    /// An event stands for the list of its calls.
    fn lead_to_list(&mut self, owner: &Owner, known: &mut Known) -> Result<(), Refusal> {
        let is_event = matches!(known.kind, Kind::Event)
            || matches!(&known.now, Some(Data::Map(fields)) if fields.iter().any(|(key, _)| key == "m_PersistentCalls"));
        if is_event {
            for key in ["m_PersistentCalls", "m_Calls"] {
                known.parts.push(Part::Key(key.to_owned()));
            }
            known.kind = Kind::List(std::sync::Arc::new(Kind::Event));
            known.now = self.now(owner, &known.parts);
        } else if matches!(&*property_path(&known.parts), path if path.ends_with("m_PersistentCalls.m_Calls"))
        {
            known.kind = Kind::List(std::sync::Arc::new(Kind::Event));
        }
        let is_list = match &known.now {
            Some(Data::List(_)) => true,
            Some(Data::Text(text)) => matches!(known.kind, Kind::List(_)) || text == "[]",
            _ => matches!(known.kind, Kind::List(_)),
        };
        match is_list {
            true => Ok(()),
            false => {
                let path = property_path(&known.parts);
                Err(Refusal::new(format!("{path} of {} is no list", owner.shown)))
            }
        }
    }

    fn new_order(
        &mut self,
        known: &Known,
        data: &[Data],
        change: &ListChange<'_>,
    ) -> Result<Vec<Item>, Refusal> {
        let mut order: Vec<Item> = (0..data.len()).map(Item::Old).collect();
        // A new item may also come behind the last.
        let check = |at: usize, end: usize| match at < end {
            true => Ok(at),
            false => {
                let text = format!("the list has {} items, and {at} is none of them", data.len());
                Err(Refusal::new(text))
            }
        };
        match change {
            ListChange::Insert(at, value) => {
                let at = check(at.unwrap_or(data.len()), data.len() + 1)?;
                let new = self.new_item(known, data, *value)?;
                order.insert(at, Item::New(new));
            }
            ListChange::Remove(at) => {
                check(*at, data.len())?;
                order.remove(*at);
            }
            ListChange::Move(from, to) => {
                check(*from, data.len())?;
                check(*to, data.len())?;
                let item = order.remove(*from);
                order.insert(*to, item);
            }
        }
        Ok(order)
    }

    fn new_item(
        &mut self,
        known: &Known,
        data: &[Data],
        value: Option<&Value>,
    ) -> Result<New, Refusal> {
        let kind = known.kind.item().unwrap_or_default();
        let last = data.last();
        match (value, &kind) {
            (Some(value), Kind::Event) => {
                self.event_call(json_inside(value).as_ref().unwrap_or(value))
            }
            (Some(value), Kind::Unknown) => {
                // What the others look like tells what this one is.
                let new = self.item(&kind, value, last, None)?;
                Ok(match (last, new) {
                    (Some(last @ Data::Map(_)), New::Map(given)) => {
                        super::encode::overlaid(new_of(last), New::Map(given))
                    }
                    (_, new) => new,
                })
            }
            (Some(value), _) => self.item(&kind, value, None, last),
            (None, _) => match (last, &kind) {
                (Some(last), _) => Ok(new_of(last)),
                (None, Kind::Unknown | Kind::Event) => {
                    let path = property_path(&known.parts);
                    Err(Refusal::new(format!("{path} has no item that a new one could be like"))
                        .hint("give the change a value"))
                }
                (None, kind) => Ok(zero(kind)),
            },
        }
    }

    /// What a change of a field came to.
    pub(super) fn done(
        &mut self,
        owner: &Owner,
        seen: Option<&super::Seen>,
        known: &Known,
        changed: bool,
    ) -> Done {
        let mut remarks = std::mem::take(&mut self.said);
        let field = property_path(&known.parts);
        if known.is_stray {
            remarks.push(format!("the class has no {field}; the file had it, and keeps it"));
        }
        if !changed {
            remarks.push(format!("{field} had this value already"));
        }
        let id = self.id_of(owner.at);
        let is_object = seen.is_some_and(|seen| seen.at == owner.at);
        let class = owner.full.rsplit('.').next().unwrap_or(&owner.full).to_owned();
        Done {
            path: seen.map(|seen| seen.path.clone()).unwrap_or_default(),
            id: Some(seen.map_or(id, |seen| self.id_of(seen.at))),
            component: (!is_object).then_some((class, id)),
            field: Some(field),
            changed,
            remarks,
        }
    }

    /// Values inside instances are read from the tree, which does not know what came over them.
    pub(super) fn forget_values(&mut self, at: Stated) {
        if let Stated::Override { instance, .. } = at {
            self.stale.insert(instance);
        }
    }
}
