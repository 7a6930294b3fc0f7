//! How a new control is laid out, as the editor writes it.

use scenewright_contract::{ErrorKind, JsonMap, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::base::{Godot, OpenScene};

/// Where a control is in its parent.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "a doc comment would become a description in schemas")]
#[serde(rename_all = "snake_case")]
pub enum AnchorsPreset {
    FullRect,
    Center,
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

/// What the editor writes for a preset.
struct Meaning {
    /// Godot's number of it.
    number: i64,
    /// Left, top, right and bottom, as parts of the parent.
    anchors: [f64; 4],
    /// To which sides it grows: 0 left or up, 1 right or down, 2 both.
    grow: [i64; 2],
}

impl AnchorsPreset {
    fn meaning(self) -> Meaning {
        let (number, anchors, grow) = match self {
            Self::TopLeft => (0, [0.0, 0.0, 0.0, 0.0], [1, 1]),
            Self::TopRight => (1, [1.0, 0.0, 1.0, 0.0], [0, 1]),
            Self::BottomLeft => (2, [0.0, 1.0, 0.0, 1.0], [1, 0]),
            Self::BottomRight => (3, [1.0, 1.0, 1.0, 1.0], [0, 0]),
            Self::Center => (8, [0.5, 0.5, 0.5, 0.5], [2, 2]),
            Self::FullRect => (15, [0.0, 0.0, 1.0, 1.0], [2, 2]),
        };
        Meaning { number, anchors, grow }
    }
}

/// The properties that lay out a new control below a parent.
pub fn layout(
    godot: &Godot<'_>,
    open: &OpenScene,
    parent: &str,
    preset: Option<AnchorsPreset>,
) -> Result<JsonMap, ToolError> {
    let tree = godot.tree_of(open);
    let class = tree.node(parent).and_then(|node| node.class.as_deref()).unwrap_or_default();
    let is = |base: &str| godot.classes().inherits(class, base);
    let mut properties = JsonMap::new();
    if is("Container") {
        if preset.is_some() {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{parent} is {class}, which places its children itself"),
            )
            .hint("leave anchorsPreset out, and set size_flags_horizontal with edit_node"));
        }
        properties.insert("layout_mode".to_owned(), 2.into());
    } else if is("Control") {
        let mode = if preset.is_some() { 1 } else { 0 };
        properties.insert("layout_mode".to_owned(), mode.into());
    }
    let Some(preset) = preset else { return Ok(properties) };
    let Meaning { number, anchors, grow } = preset.meaning();
    properties.insert("anchors_preset".to_owned(), number.into());
    let sides = ["anchor_left", "anchor_top", "anchor_right", "anchor_bottom"];
    properties.extend(sides.iter().zip(anchors).map(|(key, at)| ((*key).to_owned(), json!(at))));
    let ways = ["grow_horizontal", "grow_vertical"];
    properties.extend(ways.iter().zip(grow).map(|(key, side)| ((*key).to_owned(), json!(side))));
    Ok(properties)
}
