//! Values that the engine gives to members which no file states and nobody has set.

use std::sync::Arc;

use crate::math::{Color, Vec2, Vec3};
use crate::types::Types;
use crate::value::{StructValue, Value};

/// Class, member, value. Members that start at zero, `false` or nothing are not listed.
const DEFAULTS: [(&str, &str, Start); 30] = [
    ("UnityEngine.Camera", "fieldOfView", Start::Number(60.0)),
    ("UnityEngine.Camera", "nearClipPlane", Start::Number(0.3)),
    ("UnityEngine.Camera", "farClipPlane", Start::Number(1000.0)),
    ("UnityEngine.Camera", "orthographicSize", Start::Number(5.0)),
    ("UnityEngine.Camera", "cullingMask", Start::Whole(-1)),
    ("UnityEngine.Camera", "rect", Start::WholeRect),
    ("UnityEngine.BoxCollider", "size", Start::Vector(Vec3::ONE)),
    ("UnityEngine.SphereCollider", "radius", Start::Number(0.5)),
    ("UnityEngine.CapsuleCollider", "radius", Start::Number(0.5)),
    ("UnityEngine.CapsuleCollider", "height", Start::Number(1.0)),
    ("UnityEngine.CapsuleCollider", "direction", Start::Whole(1)),
    ("UnityEngine.CharacterController", "radius", Start::Number(0.5)),
    ("UnityEngine.CharacterController", "height", Start::Number(2.0)),
    ("UnityEngine.CharacterController", "slopeLimit", Start::Number(45.0)),
    ("UnityEngine.CharacterController", "stepOffset", Start::Number(0.3)),
    ("UnityEngine.CharacterController", "skinWidth", Start::Number(0.08)),
    ("UnityEngine.Canvas", "planeDistance", Start::Number(100.0)),
    ("UnityEngine.CanvasGroup", "alpha", Start::Number(1.0)),
    ("UnityEngine.CanvasGroup", "interactable", Start::Yes),
    ("UnityEngine.CanvasGroup", "blocksRaycasts", Start::Yes),
    ("UnityEngine.UI.GraphicRaycaster", "ignoreReversedGraphics", Start::Yes),
    ("UnityEngine.UI.CanvasScaler", "scaleFactor", Start::Number(1.0)),
    ("UnityEngine.UI.CanvasScaler", "referenceResolution", Start::Pair(800.0, 600.0)),
    ("UnityEngine.UI.CanvasScaler", "referencePixelsPerUnit", Start::Number(100.0)),
    ("UnityEngine.UI.Graphic", "color", Start::White),
    ("UnityEngine.UI.Graphic", "raycastTarget", Start::Yes),
    ("UnityEngine.UI.MaskableGraphic", "maskable", Start::Yes),
    ("UnityEngine.UI.Image", "fillAmount", Start::Number(1.0)),
    ("UnityEngine.UI.Selectable", "interactable", Start::Yes),
    ("UnityEngine.UI.Mask", "showMaskGraphic", Start::Yes),
];

#[derive(Clone, Copy)]
enum Start {
    Yes,
    Number(f32),
    Whole(i64),
    Pair(f32, f32),
    Vector(Vec3),
    White,
    /// All of the screen.
    WholeRect,
}

/// The value that a member of a component has from the start, when it is not zero or nothing.
pub(super) fn of(class: &str, member: &str, types: &Types) -> Option<Value> {
    let mut named = DEFAULTS.iter().filter(|(_, name, _)| *name == member);
    let (_, _, start) = named.find(|(owner, _, _)| types.is_a(class, owner))?;
    Some(match *start {
        Start::Yes => Value::Bool(true),
        Start::Number(number) => Value::Float(number),
        Start::Whole(number) => Value::Int(number),
        Start::Pair(x, y) => Value::Vec2(Vec2::new(x, y)),
        Start::Vector(vector) => Value::Vec3(vector),
        Start::White => Value::Color(Color { r: 1.0, g: 1.0, b: 1.0, a: 1.0 }),
        Start::WholeRect => {
            let fields = [("x", 0.0), ("y", 0.0), ("width", 1.0), ("height", 1.0)];
            Value::Struct(Arc::new(StructValue {
                type_name: "UnityEngine.Rect".into(),
                fields: fields.map(|(name, value)| (name.into(), Value::Float(value))).to_vec(),
            }))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_of_a_member_and_fits_it() {
        let types = Types::default();
        for (class, name, _) in DEFAULTS {
            let member = types.member(class, name).expect(name);
            let value = of(class, name, &types).expect(name);
            assert_eq!(
                super::super::cast(value.clone(), &member.type_name, &types),
                Some(value),
                "{class}.{name}"
            );
        }
        assert_eq!(of("UnityEngine.UI.Image", "raycastTarget", &types), Some(Value::Bool(true)));
        assert_eq!(of("UnityEngine.BoxCollider", "center", &types), None);
    }
}
