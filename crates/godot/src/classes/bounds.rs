//! Numbers that the engine itself does not take: it refuses them or puts another one in their place.
//!
//! What the inspector offers is often narrower than what the engine takes, so a hint alone refuses
//! nothing. Every row of `data/bounds.txt` was found by asking Godot 4.6: each stored number with a
//! range was set beside its bounds on a new object and read back, those without one below zero, and
//! where the two differed the last number that stayed was found by halving (`data/bounds.gd` does it
//! again). A number that is kept with an error is none that the engine takes. What depends on the
//! rest of the object is not among them. The other versions are assumed to do the same, as they are
//! for defaults.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use super::Classes;

/// `class`, `property`, the smallest and the largest number: `=0`, or `>0` where only larger ones
/// are fine. A class without either takes what the one above it does not.
static DATA: &str = include_str!("../../data/bounds.txt");
/// The engine keeps many of them in 32 bits.
const ROUNDING: f64 = 1e-5;

/// The numbers that the engine takes for a property.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    low: Option<Bound>,
    high: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bound {
    number: f64,
    /// Whether the number itself is fine.
    inclusive: bool,
}

impl Bounds {
    /// Whether the engine keeps this number.
    pub fn take(&self, number: f64) -> bool {
        let above = self.low.is_none_or(|low| match low.inclusive {
            true => number >= low.number - ROUNDING,
            false => number > low.number,
        });
        // What is no number at all is another question.
        number.is_nan() || above && self.high.is_none_or(|high| number <= high + ROUNDING)
    }

    fn parse(low: &str, high: &str) -> Bounds {
        let number = |text: &str| text.get(1..)?.parse::<f64>().ok();
        let low = number(low).map(|number| Bound { number, inclusive: low.starts_with('=') });
        Bounds { low, high: number(high) }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low, self.high) {
            (Some(low), Some(high)) => write!(f, "{} to {high}", low.number),
            (Some(Bound { number, inclusive: true }), None) => write!(f, "{number} or more"),
            (Some(Bound { number, inclusive: false }), None) => write!(f, "more than {number}"),
            (None, Some(high)) => write!(f, "{high} or less"),
            (None, None) => f.write_str("any number"),
        }
    }
}

impl Classes {
    /// The numbers that the engine takes for a property; nothing when it takes all, or when that is
    /// not known.
    pub fn bounds(&self, class: &str, property: &str) -> Option<Bounds> {
        let known = table();
        self.ancestors(class).find_map(|class| known.get(&(class.name, property)).copied())
    }
}

fn table() -> &'static HashMap<(&'static str, &'static str), Bounds> {
    static TABLE: OnceLock<HashMap<(&'static str, &'static str), Bounds>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = DATA.lines().filter_map(|line| {
            let mut fields = line.split('\t');
            let place = (fields.next()?, fields.next()?);
            Some((place, Bounds::parse(fields.next()?, fields.next().unwrap_or_default())))
        });
        rows.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Version;

    #[test]
    fn bounds_are_those_of_the_engine_and_not_of_the_inspector() {
        let classes = Classes::of(Version::V4_6);
        let wait = classes.bounds("Timer", "wait_time").expect("a timer has a shortest time");
        assert_eq!(wait.to_string(), "more than 0");
        // The inspector offers 0.001 and more.
        assert!(wait.take(0.0005) && wait.take(1e9) && !wait.take(0.0) && !wait.take(-5.0));
        let z = classes.bounds("Label", "z_index").expect("it is inherited");
        assert_eq!(z.to_string(), "-4096 to 4096");
        assert!(z.take(4096.0) && !z.take(4097.0));
        assert_eq!(classes.bounds("Light2D", "energy"), None);
    }

    /// Random edits judged by the engine: it kept the number, and complained at every load.
    #[test]
    fn a_number_that_the_engine_complains_about_is_none_that_it_takes() {
        let classes = Classes::of(Version::V4_6);
        let take = |class: &str, number: f64| {
            classes.bounds(class, "collision_priority").is_none_or(|bounds| bounds.take(number))
        };
        assert!(take("CharacterBody2D", 0.5) && !take("CharacterBody2D", -7.5));
        // An area has the property and asks nothing of it.
        assert!(take("Area2D", -7.5));
    }

    /// Random edits judged by the engine: it kept 360, and complained.
    #[test]
    fn properties_that_a_new_object_hides_have_bounds_too() {
        let classes = Classes::of(Version::V4_6);
        let spin = classes.bounds("CSGPolygon3D", "spin_degrees").expect("a turn has an end");
        assert!(spin.take(360.0) && spin.take(0.5) && !spin.take(361.0) && !spin.take(0.01));
        assert_eq!(classes.bounds("CSGPolygon3D", "path_interval"), None);
    }

    /// Random edits judged by the engine: it kept 80 instead of -25.4.
    #[test]
    fn numbers_without_a_range_may_have_to_be_one_or_more() {
        let classes = Classes::of(Version::V4_6);
        let speed = classes.bounds("CodeEdit", "scroll_v_scroll_speed").expect("a text scrolls");
        assert!(speed.take(1.0) && speed.take(1e6) && !speed.take(0.5) && !speed.take(-25.4));
    }

    #[test]
    fn every_row_is_about_a_property_and_takes_its_default() {
        let classes = Classes::of(Version::V4_6);
        assert!(table().len() > 200);
        for ((class, property), bounds) in table() {
            let found = classes.property(class, property);
            assert!(found.is_some_and(|found| found.stored), "{class}.{property}");
            let default = classes.default(class, property).and_then(|text| text.parse().ok());
            assert!(default.is_none_or(|number| bounds.take(number)), "{class}.{property}");
        }
    }
}
