//! Values that are of the right type and still not taken: the engine would put another one in their
//! place, or none.

mod kept;
mod layout;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::classes::{Classes, Hint, Property};
use scenewright_godot::{TreeNode, Variant};

/// Flags of which the engine drops all others without a word; of the rest it keeps any number.
const KEPT_FLAGS: [(&str, i64); 1] = [("autowrap_trim_flags", 32 | 64 | 128)];
/// Which way these lay out their children is what they are.
const TURNED: [&str; 6] = [
    "HBoxContainer",
    "VBoxContainer",
    "HFlowContainer",
    "VFlowContainer",
    "HSplitContainer",
    "VSplitContainer",
];

/// Fail when the engine does not take a number for a property.
pub(super) fn check(
    classes: &Classes,
    class: &str,
    property: &Property,
    value: &Variant,
) -> Result<(), ToolError> {
    let Variant::Number(number) = value else {
        return kept::check(classes, class, property.name, value);
    };
    if let Some(bounds) = classes.bounds(class, property.name)
        && !bounds.take(number.as_float())
    {
        return Err(wrong(class, property.name, number.text())
            .hint(format!("it takes {bounds}: Godot itself keeps no other")));
    }
    kept::check_number(classes, class, property.name, number.as_float())?;
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
    let is_flags = matches!(property.hint, Some(Hint::Flags(_)));
    let kept = KEPT_FLAGS.iter().find(|(name, _)| *name == property.name);
    if let Some((_, kept)) = kept.filter(|(_, kept)| number & !kept != 0) {
        return Err(wrong(class, property.name, &number.to_string())
            .hint(format!("Godot keeps no flags but those of {kept}")));
    }
    if is_flags || known.is_some_and(|known| known.is_flags) {
        return Ok(());
    }
    let offered = property.hint.map(|hint| hint.choices()).unwrap_or_default();
    let constants: &[_] = known.map_or(&[], |known| &known.constants);
    if offered.is_empty() && constants.is_empty() {
        return Ok(());
    }
    let values = constants.iter().map(|constant| constant.value);
    if values.chain(offered.iter().map(|(_, value)| *value)).any(|value| value == number) {
        return Ok(());
    }
    let offered: Vec<String> = match offered.is_empty() {
        false => offered.iter().map(|(name, value)| format!("{value} ({name})")).collect(),
        true => constants.iter().map(|it| format!("{} ({})", it.value, it.name)).collect(),
    };
    Err(wrong(class, property.name, &number.to_string())
        .hint(format!("one of {}", offered.join(", "))))
}

/// Where values are going to be set.
#[derive(Clone, Copy)]
pub struct Among<'a> {
    /// The node as it is; nothing for a new one.
    pub node: Option<&'a TreeNode>,
    /// The node above; nothing for a root.
    pub parent: Option<&'a TreeNode>,
    /// The `res://` path of the scene that is written.
    pub scene: &'a str,
    /// Whether that scene puts the node there, and not one that it is made of.
    pub is_put_here: bool,
    /// How many nodes are in it.
    pub children: usize,
}

/// Fail when the engine would not keep a value because of others: those of the same node that are
/// being set, that are set already, or that it has by default, and what the node is below.
pub fn check_among(
    classes: &Classes,
    class: &str,
    among: Among<'_>,
    values: &[(&str, Variant)],
) -> Result<(), ToolError> {
    let others = Others { classes, class, among, values };
    others.check_frame()?;
    others.check_animated()?;
    others.check_range()?;
    others.check_pressed()?;
    others.check_turned()?;
    others.check_scrolled()?;
    others.check_kept()?;
    others.check_layout()
}

struct Others<'a> {
    classes: &'a Classes,
    class: &'a str,
    among: Among<'a>,
    values: &'a [(&'a str, Variant)],
}

impl Others<'_> {
    /// A sprite shows no frame that it does not have.
    fn check_frame(&self) -> Result<(), ToolError> {
        if !["Sprite2D", "Sprite3D"].iter().any(|base| self.classes.inherits(self.class, base)) {
            return Ok(());
        }
        let now = |key: &str| self.now(key).and_then(|value| value.as_int()).unwrap_or(1);
        let count = now("hframes").saturating_mul(now("vframes"));
        match self.given("frame").and_then(Variant::as_int) {
            Some(frame) if !(0..count).contains(&frame) => {
                Err(wrong(self.class, "frame", &frame.to_string()).hint(format!(
                    "hframes * vframes is {count}, so frames are 0 to {}",
                    count.saturating_sub(1)
                )))
            }
            _ => Ok(()),
        }
    }

    /// A sprite that plays animations has no frames and no animations without its SpriteFrames.
    fn check_animated(&self) -> Result<(), ToolError> {
        let bases = ["AnimatedSprite2D", "AnimatedSprite3D"];
        let has_frames = self.now("sprite_frames").is_some_and(|frames| frames != Variant::Nil);
        if has_frames || !bases.iter().any(|base| self.classes.inherits(self.class, base)) {
            return Ok(());
        }
        let frame = self.given("frame").filter(|frame| frame.as_int() != Some(0));
        let animation = self.given("animation").filter(|name| name.as_str() != Some("default"));
        let given = [("frame", frame), ("animation", animation)];
        match given.into_iter().find_map(|(key, value)| Some((key, value?))) {
            Some((key, value)) => Err(wrong(self.class, key, &value.to_text(3)).hint(
                "it has no sprite_frames, so Godot ignores it; make SpriteFrames with \
                 create_resource and set sprite_frames with it",
            )),
            None => Ok(()),
        }
    }

    /// A slider, spin box or progress bar moves its value between its ends, and onto a step.
    fn check_range(&self) -> Result<(), ToolError> {
        let value = self.given("value").and_then(Variant::as_float);
        let Some(value) = value.filter(|_| self.classes.inherits(self.class, "Range")) else {
            return Ok(());
        };
        let number = |key: &str| self.now(key).and_then(|value| value.as_float());
        let is_on = |key: &str| self.now(key) == Some(Variant::Bool(true));
        let low = number("min_value").unwrap_or(0.0);
        let high = number("max_value").unwrap_or(100.0) - number("page").unwrap_or(0.0);
        let step = number("step").filter(|step| *step > 0.0);
        let mut kept = step.map_or(value, |step| ((value - low) / step).round() * step + low);
        if is_on("rounded") {
            kept = kept.round();
        }
        if !is_on("allow_greater") {
            kept = kept.min(high);
        }
        if !is_on("allow_lesser") {
            kept = kept.max(low);
        }
        if (kept - value).abs() <= 1e-4 * value.abs().max(1.0) {
            return Ok(());
        }
        let steps = step.map_or(String::new(), |step| format!(" in steps of {step}"));
        Err(wrong(self.class, "value", &value.to_string()).hint(format!(
            "it goes from {low} to {high}{steps}, so Godot would make it {kept}; set min_value, \
             max_value, step, allow_greater or allow_lesser with it"
        )))
    }

    /// A button that does not stay down is not down when the scene is loaded.
    fn check_pressed(&self) -> Result<(), ToolError> {
        let is_down = self.given("button_pressed") == Some(&Variant::Bool(true));
        let stays_down = self.now("toggle_mode") == Some(Variant::Bool(true));
        if !is_down || stays_down || !self.classes.inherits(self.class, "BaseButton") {
            return Ok(());
        }
        Err(wrong(self.class, "button_pressed", "true")
            .hint("without toggle_mode Godot ignores it; set toggle_mode to true with it"))
    }

    /// A box that is vertical by its class is not turned, nor told so again.
    fn check_turned(&self) -> Result<(), ToolError> {
        let turned = TURNED.iter().find(|class| self.classes.inherits(self.class, class));
        let (Some(turned), Some(given)) = (turned, self.given("vertical")) else { return Ok(()) };
        Err(wrong(self.class, "vertical", &given.to_text(3))
            .hint(format!("use a {}, which can be turned", &turned[1..])))
    }

    /// A text is shown from its beginning once it is in the tree, whatever the file says.
    fn check_scrolled(&self) -> Result<(), ToolError> {
        if !self.classes.inherits(self.class, "TextEdit") {
            return Ok(());
        }
        for key in ["scroll_horizontal", "scroll_vertical"] {
            let place = self.given(key).and_then(Variant::as_float);
            if let Some(place) = place.filter(|place| *place != 0.0) {
                return Err(wrong(self.class, key, &place.to_string())
                    .hint("Godot shows a text from its beginning; scroll it from a script"));
            }
        }
        Ok(())
    }

    fn given(&self, key: &str) -> Option<&Variant> {
        self.values.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// What a property will be.
    fn now(&self, key: &str) -> Option<Variant> {
        let set = || self.set_here(key).or_else(|| self.set_elsewhere(key));
        let default =
            || self.classes.default(self.class, key).and_then(|text| Variant::parse(text).ok());
        self.given(key).cloned().or_else(set).or_else(default)
    }

    /// What the scene that is written says.
    fn set_here(&self, key: &str) -> Option<Variant> {
        self.set(key, |path| path == self.among.scene)
    }

    /// What a scene says that the written one is made of.
    fn set_elsewhere(&self, key: &str) -> Option<Variant> {
        self.set(key, |path| path != self.among.scene)
    }

    fn set(&self, key: &str, is_of: impl Fn(&str) -> bool) -> Option<Variant> {
        let set = self.among.node.and_then(|node| node.property(key));
        set.filter(|set| is_of(set.origin.path())).map(|set| set.decode())
    }
}

fn wrong(class: &str, key: &str, number: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("{class}.{key} cannot be {number}"))
}

#[cfg(test)]
mod tests {
    use scenewright_godot::classes::Version;

    use super::*;

    /// Random edits judged by the engine: it kept none of the flags.
    #[test]
    fn flags_that_the_engine_drops_are_refused() {
        let classes = Classes::of(Version::V4_6);
        let property = classes.property("Button", "autowrap_trim_flags").expect("it has it");
        let is_taken = |text: &str| {
            let value = Variant::parse(text).expect("it is a number");
            check(classes, "Button", property, &value).is_ok()
        };
        assert!(is_taken("192") && is_taken("0") && !is_taken("2"));
    }
}
