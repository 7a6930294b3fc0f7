//! How a control is laid out once its scene is read. Properties of the layout overwrite each other in
//! the order in which they stand in files, and the parent has the last word: what is asked for may be
//! another when the engine is done.

use scenewright_contract::ToolError;
use scenewright_godot::Variant;

use super::{Others, wrong};

const SIDES: [&str; 4] = ["anchor_left", "anchor_top", "anchor_right", "anchor_bottom"];

/// Left, top, right and bottom for each preset, by its number.
const PRESETS: [[f64; 4]; 16] = [
    [0.0, 0.0, 0.0, 0.0],
    [1.0, 0.0, 1.0, 0.0],
    [0.0, 1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0, 1.0],
    [0.0, 0.5, 0.0, 0.5],
    [0.5, 0.0, 0.5, 0.0],
    [1.0, 0.5, 1.0, 0.5],
    [0.5, 1.0, 0.5, 1.0],
    [0.5, 0.5, 0.5, 0.5],
    [0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 0.0],
    [1.0, 0.0, 1.0, 1.0],
    [0.0, 1.0, 1.0, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.0, 0.5, 1.0, 0.5],
    [0.0, 0.0, 1.0, 1.0],
];

// The modes of a layout.
const POSITION: i64 = 0;
const ANCHORS: i64 = 1;
const CONTAINER: i64 = 2;
const UNCONTROLLED: i64 = 3;

/// What the engine knows of a control's layout while it reads a scene.
#[derive(Default)]
struct Layout {
    mode: i64,
    is_custom: bool,
    anchors: [f64; 4],
}

impl Layout {
    fn set(&mut self, key: &str, value: &Variant) {
        match (key, value.as_int(), value.as_float()) {
            ("layout_mode", Some(mode), _) => {
                self.mode = mode;
                if mode == POSITION {
                    (self.is_custom, self.anchors) = (false, [0.0; 4]);
                }
            }
            ("anchors_preset", Some(-1), _) => self.is_custom = true,
            ("anchors_preset", Some(preset), _) if self.has_anchors() => {
                self.is_custom = false;
                let known = usize::try_from(preset).ok().and_then(|at| PRESETS.get(at));
                self.anchors = *known.unwrap_or(&self.anchors);
            }
            (_, _, Some(anchor)) => {
                let Some(side) = SIDES.iter().position(|side| *side == key) else { return };
                self.anchors[side] = anchor;
                // An anchor takes along the one opposite that it would pass.
                let opposite = (side + 2) % 4;
                let passes = if side < 2 {
                    anchor > self.anchors[opposite]
                } else {
                    anchor < self.anchors[opposite]
                };
                if passes {
                    self.anchors[opposite] = anchor;
                }
            }
            _ => {}
        }
    }

    fn has_anchors(&self) -> bool {
        [ANCHORS, UNCONTROLLED].contains(&self.mode)
    }

    /// Put the control below its parent.
    fn place(&mut self, by_parent: Option<i64>) {
        self.mode = self.mode_below(by_parent);
    }

    /// What the engine says of a property when all are set.
    fn get(&self, key: &str, by_parent: Option<i64>) -> Option<f64> {
        match key {
            "layout_mode" => Some(self.mode_below(by_parent) as f64),
            "anchors_preset" => Some(self.preset() as f64),
            _ => SIDES.iter().position(|side| *side == key).map(|side| self.anchors[side]),
        }
    }

    fn mode_below(&self, by_parent: Option<i64>) -> i64 {
        let own = match self.mode {
            _ if self.preset() != 0 => ANCHORS,
            ANCHORS => ANCHORS,
            _ => POSITION,
        };
        by_parent.unwrap_or(own)
    }

    fn preset(&self) -> i64 {
        let found = || PRESETS.iter().position(|anchors| *anchors == self.anchors);
        match self {
            _ if !self.has_anchors() => 0,
            Layout { is_custom: true, .. } => -1,
            _ => found().and_then(|at| i64::try_from(at).ok()).unwrap_or(-1),
        }
    }
}

impl Others<'_> {
    /// Fail when a property of the layout would be another one.
    pub(super) fn check_layout(&self) -> Result<(), ToolError> {
        let Some(by_parent) = self.mode_by_parent() else { return Ok(()) };
        let keys: Vec<&str> = ["layout_mode", "anchors_preset"].into_iter().chain(SIDES).collect();
        let mut layout = Layout::default();
        // Scenes that this one is made of come first, and then what this file says. A node has its
        // parent when the file that puts it there is read.
        let is_below = self.among.parent.is_some();
        for key in &keys {
            if let Some(value) = self.set_elsewhere(key) {
                layout.set(key, &value);
            }
        }
        if is_below && !self.among.is_put_here {
            layout.place(by_parent);
        }
        for key in &keys {
            if let Some(value) = self.given(key).cloned().or_else(|| self.set_here(key)) {
                layout.set(key, &value);
            }
        }
        // Of what was ignored the reason is told, of the rest what it comes to.
        let has_anchors = layout.has_anchors();
        if is_below && self.among.is_put_here {
            layout.place(by_parent);
        }
        for key in keys {
            let given = self.given(key).and_then(Variant::as_float);
            let (Some(given), Some(kept)) = (given, layout.get(key, by_parent)) else { continue };
            if (given - kept).abs() > 1e-4 {
                return Err(wrong(self.class, key, &given.to_string()).hint(hint(
                    key,
                    kept,
                    has_anchors,
                    by_parent,
                )));
            }
        }
        Ok(())
    }

    /// The mode that the parent of a control decides, if it does; nothing where that is not known.
    fn mode_by_parent(&self) -> Option<Option<i64>> {
        let is = |class: &str, base: &str| self.classes.inherits(class, base);
        if !is(self.class, "Control") {
            return None;
        }
        let Some(parent) = self.among.parent else { return Some(Some(UNCONTROLLED)) };
        let class = parent.class.as_deref().filter(|class| self.classes.class(class).is_some())?;
        Some(match class {
            _ if is(class, "Container") => Some(CONTAINER),
            _ if is(class, "Control") => None,
            _ => Some(UNCONTROLLED),
        })
    }
}

fn hint(key: &str, kept: f64, has_anchors: bool, by_parent: Option<i64>) -> String {
    match (key, by_parent) {
        ("layout_mode", Some(mode)) => format!(
            "its parent makes it {mode}: 2 in a container, 3 below what is no control, otherwise 0 or 1"
        ),
        ("layout_mode", None) => format!("its anchors make it {kept}"),
        ("anchors_preset", Some(CONTAINER)) => {
            "a container places it; set size_flags_horizontal and size_flags_vertical".to_owned()
        }
        ("anchors_preset", _) if !has_anchors => {
            let mode = by_parent.unwrap_or(ANCHORS);
            format!("without anchors Godot ignores it; set layout_mode to {mode} with it")
        }
        ("anchors_preset", _) => format!(
            "its anchors make it {kept}; set anchor_left, anchor_top, anchor_right and anchor_bottom with it"
        ),
        _ => {
            format!("the opposite one makes it {kept}, as anchors do not pass each other; set both")
        }
    }
}
