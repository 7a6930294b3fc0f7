//! Lists of objects as tables: the names of the members once, then a row for each object.

use serde_json::{Map, Value};

use super::in_line;
use super::scalar::{self, Place};

/// A longer collection does not belong into a cell.
const MAX_CELL: usize = 80;
/// In fewer rows a member that is the same everywhere is repeated.
const MANY: usize = 3;

/// A list that is written as a table.
pub(super) struct Table<'v> {
    /// Members that are the same in all rows, for the head.
    pub(super) same: String,
    /// The names of the columns.
    pub(super) head: String,
    pub(super) rows: Vec<Row<'v>>,
}

/// An item of the list.
pub(super) struct Row<'v> {
    pub(super) line: String,
    /// Members that are too long for a cell.
    pub(super) below: Vec<(&'v str, &'v Value)>,
}

/// The table of a list of objects, if they have short members.
///
/// A member that most items have is a column. One that few have stands behind the row with its name, so that it leaves no
/// gap in the other rows. A member with long values stands below its row.
pub(super) fn of(items: &[Value]) -> Option<Table<'_>> {
    let objects: Vec<&Map<String, Value>> = items.iter().map_while(Value::as_object).collect();
    if objects.len() < 2 || objects.len() < items.len() {
        return None;
    }
    let (mut columns, mut shared): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut same = String::new();
    for (name, count) in names(&objects) {
        let values = || objects.iter().filter_map(|object| object.get(name));
        let is_everywhere = objects.len() >= MANY && count == objects.len();
        let first = &objects[0].get(name).unwrap_or(&Value::Null);
        if is_everywhere
            && values().all(|value| value == *first)
            && let Some(value) = in_line(first, Place::Flow, MAX_CELL)
        {
            same.push_str(&format!("; {}: {value}", scalar::key(name)));
            shared.push(name);
        } else if count * 2 >= objects.len()
            && values().all(|value| in_line(value, Place::Cell, MAX_CELL).is_some())
        {
            columns.push(name);
        }
    }
    if columns.is_empty() || columns.len() + shared.len() < 2 {
        return None;
    }
    let rows = objects.iter().map(|object| row(object, &columns, &shared)).collect();
    let head = columns.iter().map(|name| scalar::key(name)).collect::<Vec<_>>().join(" | ");
    Some(Table { same, head, rows })
}

/// The members of all objects in the order in which they first appear, with how many objects have them.
fn names<'v>(objects: &[&'v Map<String, Value>]) -> Vec<(&'v str, usize)> {
    let mut names: Vec<(&str, usize)> = Vec::new();
    for object in objects {
        for (name, _) in object.iter().filter(|(_, value)| !value.is_null()) {
            match names.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => names.push((name, 1)),
            }
        }
    }
    names
}

fn row<'v>(object: &'v Map<String, Value>, columns: &[&str], shared: &[&str]) -> Row<'v> {
    let cell = |value: &Value| in_line(value, Place::Cell, MAX_CELL);
    let columned = columns.iter().map(|column| match object.get(*column) {
        None | Some(Value::Null) => String::new(),
        Some(value) => cell(value).unwrap_or_default(),
    });
    let (mut cells, mut below): (Vec<String>, _) = (columned.collect(), Vec::new());
    for (name, value) in object.iter().filter(|(_, value)| !value.is_null()) {
        if columns.contains(&name.as_str()) || shared.contains(&name.as_str()) {
            continue;
        }
        match cell(value) {
            // An empty list says nothing in a member that is written below its row elsewhere.
            Some(_) if value.as_array().is_some_and(Vec::is_empty) => {}
            Some(value) => cells.push(format!("{}: {value}", scalar::key(name))),
            None => below.push((name.as_str(), value)),
        }
    }
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    Row { line: cells.join(" | "), below }
}
