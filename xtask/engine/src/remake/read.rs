//! A value of a file as one to be written, by the layout of its type: every number is read and spelled
//! anew, so that the spelling is judged with the rest.

use scenewright_unity::edit::New;
use scenewright_unity::types::Node;
use scenewright_unity::{Value, ValueKind};

/// The value, or nothing when the file has another form than the layout: another version wrote it.
pub(super) fn read(value: Value<'_>, node: Node<'_>) -> Option<New> {
    if node.reference_class().is_some() {
        return value.as_reference().map(New::Reference);
    }
    match node.type_name() {
        "string" => return Some(New::Text(value.text().into_owned())),
        "GUID" => return Some(New::Number(value.text().into_owned())),
        "Hash128" => return hash(value),
        _ => {}
    }
    let is_list = node.is_array()
        || node.children().len() == 1 && node.children().all(|child| child.is_array());
    match node.element().filter(|_| is_list) {
        Some(element) => list(value, node, element),
        None if node.children().len() == 0 => scalar(&value.text(), node.type_name()),
        None => structure(value, node),
    }
}

fn hash(value: Value<'_>) -> Option<New> {
    let fields = value
        .fields()
        .map(|(key, value)| (key.into_owned(), New::Number(value.text().into_owned())));
    Some(New::Map(fields.collect()))
}

fn scalar(text: &str, ty: &str) -> Option<New> {
    match ty {
        "float" => number(text).map(|value: f32| New::float(value)),
        "double" => number(text).map(|value: f64| New::double(value)),
        _ => text.parse::<i128>().ok().map(|number| New::Number(number.to_string())),
    }
}

/// Rust reads `Infinity`, and `inf` as Unity never writes it.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn list(value: Value<'_>, node: Node<'_>, element: Node<'_>) -> Option<New> {
    let is_map = node.type_name() == "map";
    let is_whole = element.children().len() == 0
        && element.reference_class().is_none()
        && !matches!(element.type_name(), "float" | "double");
    match value.kind() {
        ValueKind::Scalar if is_whole || value.is_null() => {
            Some(New::Text(value.text().into_owned()))
        }
        ValueKind::Map if is_map => {
            let second = element.child("second")?;
            let pairs =
                value.fields().map(|(key, value)| Some((key.into_owned(), read(value, second)?)));
            pairs.collect::<Option<_>>().map(New::Map)
        }
        ValueKind::Sequence => {
            let items = value.items().map(|item| match is_map {
                true => pair(item, element),
                false => read(item, element),
            });
            items.collect::<Option<_>>().map(New::List)
        }
        _ => None,
    }
}

/// `first` and `second`, or a name with its value.
fn pair(item: Value<'_>, element: Node<'_>) -> Option<New> {
    let mut fields = item.fields();
    let ((first, one), second) = (fields.next()?, fields.next());
    if first == "first" && second.is_some() {
        return structure(item, element);
    }
    let value = read(one, element.child("second")?)?;
    Some(New::Map(vec![(first.into_owned(), value)]))
}

fn structure(value: Value<'_>, node: Node<'_>) -> Option<New> {
    // The form of a new one tells which keys there are, and how they stand.
    let shape = scenewright_unity::edit::fresh::zero(node);
    let (New::Map(shape) | New::Flow(shape)) = &shape else { return None };
    let fields: Vec<_> = value.fields().collect();
    let keys = fields.iter().map(|(key, _)| key.as_ref());
    if value.kind() != ValueKind::Map || !keys.eq(shape.iter().map(|(key, _)| key.as_str())) {
        return None;
    }
    let read = fields.into_iter().map(|(key, value)| {
        let new = match node.child(&key) {
            Some(child) => read(value, child)?,
            None => New::int(value.as_i64()?),
        };
        Some((key.into_owned(), new))
    });
    let read: Vec<_> = read.collect::<Option<_>>()?;
    Some(match scenewright_unity::edit::fresh::zero(node) {
        New::Flow(_) => New::Flow(read),
        _ => New::Map(read),
    })
}
