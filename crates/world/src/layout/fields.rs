//! Components of layouts, read from what files say of them.

use super::axis::Axis;
use super::grid::{Grid, Limit};
use super::group::{Frame, Group, Line, Manners, Rule};
use super::sprite;
use super::wants::Voice;
use crate::math::Vec2;
use crate::object::{Component, Object};
use crate::value::Value;
use crate::world::World;

const ASPECT: &str = "UnityEngine.UI.AspectRatioFitter";
const COLUMN: &str = "UnityEngine.UI.VerticalLayoutGroup";
const ELEMENT: &str = "UnityEngine.UI.LayoutElement";
const FITTER: &str = "UnityEngine.UI.ContentSizeFitter";
const GRID: &str = "UnityEngine.UI.GridLayoutGroup";
const IMAGE: &str = "UnityEngine.UI.Image";
/// What scrolls its content, and may drive its viewport.
pub(super) const SCROLL: &str = "UnityEngine.UI.ScrollRect";
const ROW: &str = "UnityEngine.UI.HorizontalLayoutGroup";

/// A component that is asked for its fields by their paths in files.
#[derive(Clone, Copy)]
pub(super) struct Fields<'w> {
    pub(super) world: &'w World,
    pub(super) component: &'w Component,
}

/// How an object gets its size along an axis, other than from its anchors or a group.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum Fit {
    #[default]
    Free,
    /// The least that its content asks for.
    Min,
    /// What its content prefers.
    Preferred,
    /// So many times its size along the other axis.
    Other(f32),
    /// As large as its parent lets it be, at a width of so many times its height.
    Inside(f32),
    /// As small as it can be without showing its parent.
    Around(f32),
}

impl Fields<'_> {
    pub(super) fn value(&self, path: &str) -> Option<Value> {
        self.world.field(self.component, path)
    }

    /// A number; zero for what is none.
    pub(super) fn number(&self, path: &str) -> f32 {
        finite(self.value(path).as_ref())
    }

    pub(super) fn whole(&self, path: &str) -> i64 {
        match self.value(path) {
            Some(Value::Enum(value)) => value.number,
            Some(Value::Int(number)) => number,
            other => finite(other.as_ref()) as i64,
        }
    }

    /// Files have zero and one; what was set since is a yes or no.
    pub(super) fn flag(&self, path: &str) -> bool {
        match self.value(path) {
            Some(Value::Bool(flag)) => flag,
            other => finite(other.as_ref()) != 0.0,
        }
    }

    pub(super) fn text(&self, path: &str) -> String {
        // What looks like a number in a file is one here.
        self.value(path).map_or_else(String::new, |value| value.plain_text())
    }

    fn pair(&self, path: &str) -> Vec2 {
        match self.value(path) {
            Some(Value::Vec2(pair)) if pair.x.is_finite() && pair.y.is_finite() => pair,
            _ => Vec2::default(),
        }
    }

    fn frame(&self) -> Frame {
        let padding = self.value("m_Padding");
        let side = |name: &str| match &padding {
            Some(Value::Struct(padding)) => {
                let side = padding.fields.iter().find(|(field, _)| **field == *name);
                finite(side.map(|(_, value)| value))
            }
            _ => 0.0,
        };
        // Nine places, row by row from the upper left.
        let place = self.whole("m_ChildAlignment").clamp(0, 8);
        Frame {
            before: Vec2::new(side("m_Left"), side("m_Top")),
            after: Vec2::new(side("m_Right"), side("m_Bottom")),
            alignment: Vec2::new((place % 3) as f32 * 0.5, (place / 3) as f32 * 0.5),
        }
    }

    fn line(&self, along: Axis) -> Line {
        let manners = |controls: &str, expands: &str, scales: &str| Manners {
            controls: self.flag(controls),
            expands: self.flag(expands),
            scales: self.flag(scales),
        };
        Line {
            along,
            spacing: self.number("m_Spacing"),
            is_reversed: self.flag("m_ReverseArrangement"),
            manners: [
                manners("m_ChildControlWidth", "m_ChildForceExpandWidth", "m_ChildScaleWidth"),
                manners("m_ChildControlHeight", "m_ChildForceExpandHeight", "m_ChildScaleHeight"),
            ],
        }
    }

    fn grid(&self) -> Grid {
        let count = usize::try_from(self.whole("m_ConstraintCount")).unwrap_or(0).max(1);
        let corner = self.whole("m_StartCorner");
        Grid {
            cell: self.pair("m_CellSize"),
            spacing: self.pair("m_Spacing"),
            limit: match self.whole("m_Constraint") {
                1 => Limit::Columns(count),
                2 => Limit::Rows(count),
                _ => Limit::Room,
            },
            along: match self.whole("m_StartAxis") {
                1 => Axis::Vertical,
                _ => Axis::Horizontal,
            },
            from_right: corner == 1 || corner == 3,
            from_bottom: corner == 2 || corner == 3,
        }
    }

    fn element(&self, axis: Axis) -> Voice {
        let [min, preferred, flexible] = match axis {
            Axis::Horizontal => ["m_MinWidth", "m_PreferredWidth", "m_FlexibleWidth"],
            Axis::Vertical => ["m_MinHeight", "m_PreferredHeight", "m_FlexibleHeight"],
        };
        Voice {
            priority: self.whole("m_LayoutPriority"),
            min: self.number(min),
            preferred: self.number(preferred),
            flexible: self.number(flexible),
            guess: None,
        }
    }

    /// What a content size fitter does along an axis.
    fn fit(&self, path: &str) -> Fit {
        match self.whole(path) {
            1 => Fit::Min,
            2 => Fit::Preferred,
            _ => Fit::Free,
        }
    }
}

/// The group that lays out the children of an object, unless it is switched off.
pub(super) fn group_of(world: &World, object: &Object) -> Option<Group> {
    let (component, kind) = find_group(world, object)?;
    let fields = Fields { world, component };
    let rule = match kind {
        ROW => Rule::Line(fields.line(Axis::Horizontal)),
        COLUMN => Rule::Line(fields.line(Axis::Vertical)),
        _ => Rule::Grid(fields.grid()),
    };
    Some(Group { frame: fields.frame(), rule })
}

/// The first group of an object that is switched on, and of which kind it is.
fn find_group<'w>(world: &World, object: &'w Object) -> Option<(&'w Component, &'static str)> {
    enabled(object).find_map(|component| {
        let kind = [ROW, COLUMN, GRID].into_iter().find(|kind| world.is(component, kind))?;
        Some((component, kind))
    })
}

/// How an object gets its width and its height from its content, or the one from the other.
pub(super) fn fit_of(world: &World, object: &Object) -> [Fit; 2] {
    let find = |class| enabled(object).find(|component| world.is(component, class));
    if let Some(component) = find(FITTER) {
        let fields = Fields { world, component };
        return [fields.fit("m_HorizontalFit"), fields.fit("m_VerticalFit")];
    }
    let Some(component) = find(ASPECT) else { return [Fit::Free; 2] };
    let fields = Fields { world, component };
    let ratio = fields.number("m_AspectRatio").clamp(0.001, 1000.0);
    match fields.whole("m_AspectMode") {
        1 => [Fit::Free, Fit::Other(1.0 / ratio)],
        2 => [Fit::Other(ratio), Fit::Free],
        3 => [Fit::Inside(ratio); 2],
        4 => [Fit::Around(ratio); 2],
        _ => [Fit::Free; 2],
    }
}

/// Whether an object stands where its own anchors say, although its parent lays out its children.
/// Components that are switched off count too.
pub(super) fn is_ignored(world: &World, object: &Object) -> bool {
    let components = object.components().iter();
    let mut elements = components.filter(|component| world.is(component, ELEMENT)).peekable();
    let ignores = |component| Fields { world, component }.flag("m_IgnoreLayout");
    elements.peek().is_some() && elements.all(ignores)
}

/// What the components of an object ask for, without those whose say depends on other sizes. `units`
/// is how many of the canvas are one of the world.
pub(super) fn voices(world: &World, object: &Object, axis: Axis, units: f32) -> Vec<Voice> {
    let voice = |component| {
        let fields = Fields { world, component };
        match component {
            element if world.is(element, ELEMENT) => Some(fields.element(axis)),
            image if world.is(image, IMAGE) => Some(sprite::voice(&fields, axis, units)),
            _ => None,
        }
    };
    enabled(object).filter_map(voice).collect()
}

/// Whether anything may give an object another rectangle than its file. Asked for every object that
/// is looked at, so that worlds without layouts need none.
pub(super) fn may_be_driven(world: &World, object: &Object) -> bool {
    let parent = object.parent().and_then(|parent| world.object(parent));
    let scrolls = |parent| enabled(parent).any(|it| world.is(it, SCROLL));
    parent.is_some_and(|parent| find_group(world, parent).is_some() || scrolls(parent))
        || enabled(object).any(|it| world.is(it, FITTER) || world.is(it, ASPECT))
}

pub(super) fn enabled(object: &Object) -> impl Iterator<Item = &Component> {
    object.components().iter().filter(|component| component.is_enabled())
}

fn finite(value: Option<&Value>) -> f32 {
    let number = value.and_then(Value::as_f64).map_or(0.0, |number| number as f32);
    if number.is_finite() { number } else { 0.0 }
}
