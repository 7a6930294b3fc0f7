//! How much room a text would like. Only its font knows that, and fonts are not measured here: this
//! is an estimate from how wide letters usually are.

use super::axis::Axis;
use super::fields::Fields;
use super::wants::{Guess, Voice};
use crate::math::Vec2;
use crate::object::Object;
use crate::value::Value;
use crate::world::World;

const INPUT: &str = "UnityEngine.UI.InputField";
const LABEL: &str = "UnityEngine.UI.Text";
const MESH_INPUT: &str = "TMPro.TMP_InputField";
const MESH_LABEL: &str = "TMPro.TextMeshProUGUI";

/// From one line to the next, for a font of size 1.
const LINE_HEIGHT: f32 = 1.15;

/// A text that wants room.
#[derive(Debug)]
pub(super) struct Text {
    priority: i64,
    /// The widths of its lines.
    lines: Vec<f32>,
    line_height: f32,
    /// Lines that are too long are broken.
    wraps: bool,
    /// Room that it leaves around itself.
    margin: Vec2,
}

/// What to look for in the fields of a class.
struct Names {
    size: &'static str,
    wraps: fn(&Fields<'_>) -> bool,
    rich: &'static str,
}

const PLAIN: Names = Names {
    size: "m_FontData.m_FontSize",
    wraps: |fields| fields.whole("m_FontData.m_HorizontalOverflow") == 0,
    rich: "m_FontData.m_RichText",
};
/// The newer field has the older one's place; files have one of them.
const MESH: Names = Names {
    size: "m_fontSize",
    wraps: |fields| fields.flag("m_enableWordWrapping") || fields.whole("m_TextWrappingMode") == 1,
    rich: "m_isRichText",
};

/// The texts that an object shows or lets people write.
pub(super) fn texts_of(world: &World, object: &Object) -> Vec<Text> {
    let enabled = object.components().iter().filter(|component| component.is_enabled());
    let read = |component| {
        let fields = Fields { world, component };
        let class = [LABEL, MESH_LABEL, INPUT, MESH_INPUT].into_iter();
        Some(match class.into_iter().find(|class| world.is(component, class))? {
            LABEL => Text::read(&fields, &PLAIN, &fields.text("m_Text"), 0),
            MESH_LABEL => Text::read(&fields, &MESH, &fields.text("m_text"), 0),
            class => {
                let Some(Value::Component(label)) = fields.value("m_TextComponent") else {
                    return None;
                };
                let label = Fields { world, component: world.component(label)?.1 };
                let names = if class == INPUT { &PLAIN } else { &MESH };
                Text::read(&label, names, &fields.text("m_Text"), 1)
            }
        })
    };
    enabled.filter_map(read).collect()
}

impl Text {
    fn read(fields: &Fields<'_>, names: &Names, text: &str, priority: i64) -> Text {
        let size = fields.number(names.size).max(0.0);
        let plain = if fields.flag(names.rich) { without_tags(text) } else { text.to_owned() };
        let margin = match fields.value("m_margin") {
            Some(Value::Vec4(margin)) => Vec2::new(margin.x + margin.z, margin.y + margin.w),
            _ => Vec2::default(),
        };
        Text {
            priority,
            lines: plain.split('\n').map(|line| width(line) * size).collect(),
            line_height: LINE_HEIGHT * size,
            wraps: (names.wraps)(fields),
            margin,
        }
    }

    /// What it asks for along an axis; `own` is its width, once that is known.
    pub(super) fn voice(&self, axis: Axis, own: f32) -> Voice {
        let size = match axis {
            Axis::Horizontal => self.lines.iter().copied().fold(0.0, f32::max),
            Axis::Vertical => self.rows(own - self.margin.x) * self.line_height,
        };
        Voice {
            priority: self.priority,
            min: 0.0,
            preferred: size + axis.of(self.margin),
            flexible: -1.0,
            // A text of no letters is as wide as nothing in any font.
            guess: (size > 0.0).then_some(Guess::Font),
        }
    }

    /// How many rows its lines take in so much room.
    fn rows(&self, room: f32) -> f32 {
        let rows = |line: &f32| match self.wraps && room > 0.0 {
            // An estimate that fills the room it asked for is still one row.
            true => (line / room - 0.001).ceil().max(1.0),
            false => 1.0,
        };
        self.lines.iter().map(rows).sum()
    }
}

/// The width of a line in a font of size 1.
fn width(line: &str) -> f32 {
    line.chars().map(letter_width).sum()
}

fn letter_width(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | 'I' | 't' | 'f' | ' ' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' => 0.28,
        'm' | 'w' | 'M' | 'W' => 0.85,
        // Scripts whose letters are squares.
        '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ff60}' => 1.0,
        letter if letter.is_uppercase() => 0.68,
        letter if letter.is_control() => 0.0,
        _ => 0.55,
    }
}

/// A text without what says how it looks: `<b>`, `<color=red>`.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain += before;
        match tag.split_once('>') {
            Some((_, after)) => rest = after,
            None => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_no_letters() {
        assert_eq!(without_tags("a<b>c</b> 1 < 2"), "ac 1 < 2");
    }

    #[test]
    fn long_lines_are_broken_and_empty_ones_count() {
        let text = Text {
            priority: 0,
            lines: vec![250.0, 0.0, 100.0],
            line_height: 10.0,
            wraps: true,
            margin: Vec2::default(),
        };
        assert_eq!(text.voice(Axis::Horizontal, 0.0).preferred, 250.0);
        assert_eq!(text.voice(Axis::Vertical, 100.0).preferred, 50.0);
        assert_eq!(text.voice(Axis::Vertical, 0.0).preferred, 30.0, "before it has a width");
    }
}
