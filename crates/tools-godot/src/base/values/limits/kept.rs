//! Values other than numbers, and numbers beside others, that the engine does not keep: it puts another
//! one in their place, or says an error and leaves what was there.
//!
//! Found by asking Godot 4.6: every stored property of every node was set to a few values of its type on
//! a new node, which was put into a tree, and read back.

use scenewright_contract::ToolError;
use scenewright_godot::Variant;
use scenewright_godot::classes::Classes;

use super::{Others, wrong};

/// Texts of one character.
const CHARACTERS: [(&str, &str); 3] =
    [("Label", "ellipsis_char"), ("LinkButton", "ellipsis_char"), ("LineEdit", "secret_character")];
/// Numbers that the inspector offers, or has no range for, and that are not kept all the same.
const NUMBERS: [(&str, &str, f64, f64); 10] = [
    ("CSGSphere3D", "radial_segments", 4.0, f64::INFINITY),
    ("Decal", "lower_fade", 0.0, f64::INFINITY),
    ("Decal", "upper_fade", 0.0, f64::INFINITY),
    ("GPUParticles3D", "draw_passes", 1.0, 4.0),
    ("GraphEdit", "snapping_distance", 1.0, f64::INFINITY),
    ("ReflectionProbe", "max_distance", 0.0, 262_144.0),
    // Jolt keeps no others; no inspector offers them.
    ("SoftBody3D", "damping_coefficient", 0.0, f64::INFINITY),
    ("SoftBody3D", "drag_coefficient", 0.0, f64::INFINITY),
    ("SoftBody3D", "linear_stiffness", 0.0, 1.0),
    ("SoftBody3D", "simulation_precision", 0.0, f64::INFINITY),
];
/// Vectors each part of which is at least so much.
const LEAST: [(&str, &str, f64); 4] = [
    ("Decal", "size", 0.001),
    ("GridMap", "cell_size", 0.001),
    ("SubViewport", "size", 2.0),
    ("VoxelGI", "size", 1.0),
];
/// Vectors that are made one long.
const DIRECTIONS: [(&str, &str); 2] =
    [("CharacterBody2D", "up_direction"), ("CharacterBody3D", "up_direction")];
/// What only something that runs has.
const NEVER: [(&str, &str, &str); 6] = [
    ("AudioStreamPlayer", "stream_paused", "nothing plays yet; pause it from a script"),
    ("AudioStreamPlayer2D", "stream_paused", "nothing plays yet; pause it from a script"),
    ("AudioStreamPlayer3D", "stream_paused", "nothing plays yet; pause it from a script"),
    ("FileDialog", "filename_filter", "it is shown without; set it from a script"),
    ("GraphEdit", "scroll_offset", "it is shown from its beginning; scroll it from a script"),
    ("TileMap", "format", "Godot sets it itself"),
];
/// How far from the length of one a direction may be.
const ROUNDING: f64 = 1e-4;

/// Fail when the engine does not keep a number.
pub(super) fn check_number(
    classes: &Classes,
    class: &str,
    key: &str,
    number: f64,
) -> Result<(), ToolError> {
    let row = NUMBERS.iter().find(|row| row.1 == key && classes.inherits(class, row.0));
    match row {
        Some((_, _, low, high)) if !(*low..=*high).contains(&number) => {
            let most = if high.is_finite() { format!("to {high}") } else { "or more".to_owned() };
            Err(wrong(class, key, &number.to_string())
                .hint(format!("it takes {low} {most}: Godot itself keeps no other")))
        }
        _ => Ok(()),
    }
}

/// Fail when the engine does not keep a value that is no number, whatever the rest of the node is.
pub(super) fn check(
    classes: &Classes,
    class: &str,
    key: &str,
    value: &Variant,
) -> Result<(), ToolError> {
    let is = |row: &(&str, &str)| row.1 == key && classes.inherits(class, row.0);
    let refuse = |hint: String| Err(wrong(class, key, &value.to_text(3)).hint(hint));
    if let Some(text) = value.as_str()
        && text.chars().count() > 1
        && CHARACTERS.iter().any(is)
    {
        return refuse("it takes one character: Godot keeps only the first".to_owned());
    }
    let Variant::Tuple(_, parts) = value else { return Ok(()) };
    let parts: Vec<f64> = parts.iter().map(|part| part.as_float()).collect();
    let least = LEAST.iter().find(|(of, name, _)| is(&(of, name)));
    if let Some((.., least)) = least.filter(|(.., least)| parts.iter().any(|part| part < least)) {
        return refuse(format!("each part of it is {least} or more: Godot itself keeps no other"));
    }
    if is(&("Camera2D", "zoom")) && parts.contains(&0.0) {
        return refuse("no part of it can be 0".to_owned());
    }
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    if DIRECTIONS.iter().any(is) && (length - 1.0).abs() > ROUNDING {
        let unit: Vec<String> = parts.iter().map(|part| format!("{:.4}", part / length)).collect();
        return refuse(match length == 0.0 {
            true => "a direction is not zero".to_owned(),
            false => format!("a direction is one long: Godot makes it ({})", unit.join(", ")),
        });
    }
    Ok(())
}

impl Others<'_> {
    /// What is not kept because of the node's other values.
    pub(super) fn check_kept(&self) -> Result<(), ToolError> {
        self.check_never()?;
        self.check_mass()?;
        self.check_ends()?;
        self.check_caret()?;
        self.check_chosen()?;
        self.check_zoom()?;
        self.check_probe()
    }

    fn inherits(&self, base: &str) -> bool {
        self.classes.inherits(self.class, base)
    }

    fn refuse(&self, key: &str, value: &Variant, hint: impl Into<String>) -> Result<(), ToolError> {
        Err(wrong(self.class, key, &value.to_text(3)).hint(hint.into()))
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.now(key).and_then(|value| value.as_float())
    }

    fn check_never(&self) -> Result<(), ToolError> {
        for (class, key, hint) in NEVER.into_iter().filter(|(class, ..)| self.inherits(class)) {
            let default = self.classes.default(self.class, key);
            let default = default.and_then(|text| Variant::parse(text).ok());
            if let Some(value) = self.given(key).filter(|value| Some(*value) != default.as_ref()) {
                return self.refuse(key, value, format!("a {class} does not keep it: {hint}"));
            }
        }
        Ok(())
    }

    /// A body balances where its shapes say, unless told to balance elsewhere.
    fn check_mass(&self) -> Result<(), ToolError> {
        let is_body = ["RigidBody2D", "RigidBody3D"].iter().any(|base| self.inherits(base));
        let Some(given) = self.given("center_of_mass").filter(|_| is_body) else { return Ok(()) };
        match self.now("center_of_mass_mode").and_then(|mode| mode.as_int()) {
            Some(1) => Ok(()),
            _ => self.refuse(
                "center_of_mass",
                given,
                "it is found from the shapes; set center_of_mass_mode to 1 (Custom) with it",
            ),
        }
    }

    /// The ends of a slider do not cross, and its page is not longer than the way between them.
    fn check_ends(&self) -> Result<(), ToolError> {
        if !self.inherits("Range") {
            return Ok(());
        }
        let low = self.number("min_value").unwrap_or(0.0);
        let high = self.number("max_value").unwrap_or(100.0);
        if let Some(given) = self.given("max_value").filter(|_| high < low) {
            return self.refuse("max_value", given, format!("min_value is {low}"));
        }
        let page = self.given("page");
        match page.filter(|page| page.as_float().is_some_and(|page| page > high - low)) {
            Some(page) => self.refuse("page", page, format!("it goes from {low} to {high}")),
            None => Ok(()),
        }
    }

    fn check_caret(&self) -> Result<(), ToolError> {
        let Some(given) = self.given("caret_column").filter(|_| self.inherits("LineEdit")) else {
            return Ok(());
        };
        let text = self.now("text");
        let length = text.as_ref().and_then(Variant::as_str).map_or(0, |text| text.chars().count());
        match given.as_int() {
            Some(column) if usize::try_from(column).is_ok_and(|column| column > length) => {
                self.refuse("caret_column", given, format!("its text has {length} characters"))
            }
            _ => Ok(()),
        }
    }

    /// An option or tab that is not there is not chosen.
    fn check_chosen(&self) -> Result<(), ToolError> {
        let counted = |key: &str| self.now(key).and_then(|count| count.as_int()).unwrap_or(0);
        let (key, count) = match self.class {
            _ if self.inherits("OptionButton") => ("selected", counted("item_count")),
            _ if self.inherits("TabBar") => ("current_tab", counted("tab_count")),
            _ if self.inherits("TabContainer") => {
                ("current_tab", i64::try_from(self.among.children).unwrap_or(i64::MAX))
            }
            _ => return Ok(()),
        };
        let Some(given) = self.given(key) else { return Ok(()) };
        match given.as_int() {
            Some(-1) => Ok(()),
            Some(place) if (0..count).contains(&place) => Ok(()),
            _ if count == 0 => self.refuse(key, given, "it has none to choose from"),
            _ => self.refuse(key, given, format!("it has {count}, from 0 to {}", count - 1)),
        }
    }

    fn check_zoom(&self) -> Result<(), ToolError> {
        if !self.inherits("GraphEdit") {
            return Ok(());
        }
        let (low, high) = (self.number("zoom_min"), self.number("zoom_max"));
        let (Some(low), Some(high)) = (low, high) else { return Ok(()) };
        for key in ["zoom_min", "zoom_max", "zoom"] {
            let Some(given) = self.given(key) else { continue };
            let is_kept = match key {
                "zoom" => given.as_float().is_some_and(|zoom| (low..=high).contains(&zoom)),
                _ => low <= high,
            };
            if !is_kept {
                return self.refuse(key, given, format!("zoom goes from {low} to {high}"));
            }
        }
        Ok(())
    }

    /// The place that a probe looks from is inside of it.
    fn check_probe(&self) -> Result<(), ToolError> {
        let given = self.given("origin_offset").filter(|_| self.inherits("ReflectionProbe"));
        let (Some(given), Some(Variant::Tuple(_, size))) = (given, self.now("size")) else {
            return Ok(());
        };
        let Variant::Tuple(_, place) = given else { return Ok(()) };
        let is_inside = place
            .iter()
            .zip(&size)
            .all(|(place, size)| place.as_float().abs() <= size.as_float() / 2.0 - 0.01 + ROUNDING);
        match is_inside {
            true => Ok(()),
            false => self.refuse("origin_offset", given, "it is outside of size"),
        }
    }
}

#[cfg(test)]
mod tests {
    use scenewright_godot::classes::Version;

    use super::super::{Among, check_among};
    use super::*;

    fn alone(class: &str, key: &str, value: &str) -> Result<(), ToolError> {
        let (classes, value) = (Classes::of(Version::V4_6), Variant::parse(value).unwrap());
        let property = classes.property(class, key).expect("the class has it");
        super::super::check(classes, class, property, &value)
    }

    fn among(class: &str, children: usize, values: &[(&str, &str)]) -> Result<(), ToolError> {
        let values: Vec<(&str, Variant)> =
            values.iter().map(|(key, text)| (*key, Variant::parse(text).unwrap())).collect();
        let among = Among { node: None, parent: None, scene: "", is_put_here: true, children };
        check_among(Classes::of(Version::V4_6), class, among, &values)
    }

    /// Random edits judged by the engine, and the survey that followed them.
    #[test]
    fn values_that_the_engine_changes_are_refused() {
        for (class, key, kept, lost) in [
            ("Label", "ellipsis_char", r#""…""#, r#""a b""#),
            ("LineEdit", "secret_character", r#""""#, r#""**""#),
            ("CSGSphere3D", "radial_segments", "4", "3"),
            ("Decal", "upper_fade", "0.0", "-0.5"),
            ("GPUParticles3D", "draw_passes", "4", "0"),
            ("SoftBody3D", "linear_stiffness", "1.0", "1000000.0"),
            ("SoftBody3D", "simulation_precision", "100", "-5"),
            ("Decal", "size", "Vector3(1, 1, 1)", "Vector3(1, 0, 1)"),
            ("GridMap", "cell_size", "Vector3(0.5, 2, 2)", "Vector3(0, 2, 2)"),
            ("SubViewport", "size", "Vector2i(2, 2)", "Vector2i(1, 2)"),
            ("Camera2D", "zoom", "Vector2(-1, 2)", "Vector2(0, 2)"),
            ("CharacterBody2D", "up_direction", "Vector2(0.6, 0.8)", "Vector2(5, 15)"),
            ("CharacterBody3D", "up_direction", "Vector3(0, 1, 0)", "Vector3(0, 0, 0)"),
        ] {
            assert!(alone(class, key, kept).is_ok(), "{class}.{key} = {kept}");
            let told = alone(class, key, lost).expect_err(lost);
            assert!(told.hint.is_some() && told.message.contains(key), "{told}");
        }
    }

    #[test]
    fn values_that_others_decide_are_refused() {
        let place = ("center_of_mass", "Vector2(5, 15)");
        assert!(among("RigidBody2D", 0, &[place]).is_err());
        assert!(among("RigidBody2D", 0, &[("center_of_mass_mode", "1"), place]).is_ok());
        assert!(among("HSlider", 0, &[("page", "50")]).is_ok());
        assert!(among("HSlider", 0, &[("page", "150")]).is_err());
        assert!(among("HSlider", 0, &[("max_value", "-5")]).is_err());
        assert!(among("HSlider", 0, &[("max_value", "-5"), ("min_value", "-9")]).is_ok());
        assert!(among("LineEdit", 0, &[("caret_column", "3")]).is_err());
        assert!(among("LineEdit", 0, &[("caret_column", "3"), ("text", r#""äöü""#)]).is_ok());
        assert!(among("OptionButton", 0, &[("selected", "0")]).is_err());
        assert!(among("OptionButton", 0, &[("selected", "-1")]).is_ok());
        assert!(among("TabContainer", 2, &[("current_tab", "1")]).is_ok());
        assert!(among("TabContainer", 2, &[("current_tab", "2")]).is_err());
        assert!(among("GraphEdit", 0, &[("zoom", "40.0")]).is_err());
        assert!(among("AudioStreamPlayer", 0, &[("stream_paused", "true")]).is_err());
        assert!(among("AudioStreamPlayer", 0, &[("stream_paused", "false")]).is_ok());
        assert!(among("ReflectionProbe", 0, &[("origin_offset", "Vector3(9, 0, 0)")]).is_ok());
        assert!(among("ReflectionProbe", 0, &[("origin_offset", "Vector3(15, 0, 0)")]).is_err());
    }
}
