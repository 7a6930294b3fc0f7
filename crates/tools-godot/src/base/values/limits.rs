//! Numbers that are of the right type and still not taken: the engine would put another one in their
//! place, or none.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::classes::{Classes, Property};
use scenewright_godot::{TreeNode, Variant};

/// Fail when the engine does not take a number for a property.
pub(super) fn check(
    classes: &Classes,
    class: &str,
    property: &Property,
    value: &Variant,
) -> Result<(), ToolError> {
    let Variant::Number(number) = value else { return Ok(()) };
    if let Some(bounds) = classes.bounds(class, property.name)
        && !bounds.take(number.as_float())
    {
        return Err(wrong(class, property.name, number.text())
            .hint(format!("it takes {bounds}: Godot itself keeps no other")));
    }
    match number.as_int() {
        Some(number) => check_choice(classes, class, property, number),
        None => Ok(()),
    }
}

/// A number that is not one of an enum has no meaning, whether the engine keeps it or not.
fn check_choice(
    classes: &Classes,
    class: &str,
    property: &Property,
    number: i64,
) -> Result<(), ToolError> {
    let known = property.value.enumeration().and_then(|name| classes.enumeration(name));
    let Some(known) = known.filter(|known| !known.is_flags) else { return Ok(()) };
    let offered = property.hint.map(|hint| hint.choices()).unwrap_or_default();
    let constants = known.constants.iter().map(|constant| constant.value);
    if constants.chain(offered.iter().map(|(_, value)| *value)).any(|value| value == number) {
        return Ok(());
    }
    let offered: Vec<String> = match offered.is_empty() {
        false => offered.iter().map(|(name, value)| format!("{value} ({name})")).collect(),
        true => known.constants.iter().map(|it| format!("{} ({})", it.value, it.name)).collect(),
    };
    Err(wrong(class, property.name, &number.to_string())
        .hint(format!("one of {}", offered.join(", "))))
}

/// Fail when a sprite would show a frame that it does not have.
pub fn check_frames(
    classes: &Classes,
    class: &str,
    node: Option<&TreeNode>,
    values: &[(&str, Variant)],
) -> Result<(), ToolError> {
    if !["Sprite2D", "Sprite3D"].iter().any(|base| classes.inherits(class, base)) {
        return Ok(());
    }
    let given = |key: &str| values.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
    let now = |key: &str| {
        let set = || node.and_then(|node| node.property(key)).map(|set| set.decode());
        let value = given(key).cloned().or_else(set);
        value.and_then(|value| value.as_int()).unwrap_or(1)
    };
    let (columns, rows) = (now("hframes"), now("vframes"));
    let count = columns.saturating_mul(rows);
    match given("frame").and_then(Variant::as_int) {
        Some(frame) if !(0..count).contains(&frame) => {
            Err(wrong(class, "frame", &frame.to_string()).hint(format!(
                "hframes * vframes is {count}, so frames are 0 to {}",
                count.saturating_sub(1)
            )))
        }
        _ => Ok(()),
    }
}

fn wrong(class: &str, key: &str, number: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("{class}.{key} cannot be {number}"))
}
