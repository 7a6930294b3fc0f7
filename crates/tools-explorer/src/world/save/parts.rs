//! Values of objects and of their transforms.

use scenewright_unity::edit::New;
use scenewright_unity::hierarchy::{Node, Opaque};
use scenewright_world::math::{Pose, Quat, Vec2, Vec3};
use scenewright_world::{Object, RectData, Value};

use super::super::load;
use super::draft::{Draft, Spot, is_rect, transform_of};

/// What Unity writes for objects that are static in every way.
const EVERYTHING: i64 = 4_294_967_295;

impl Draft<'_> {
    /// Name, tag, layer, and the boxes of an object.
    pub(super) fn object_values(&mut self, object: &Object, node: &Node<'_>) {
        let was_static = node.static_flags() != 0;
        let flags = if object.is_static() { EVERYTHING } else { 0 };
        let text = |text: &str| New::Text(text.to_owned());
        let layer = i64::from(object.layer());
        let all = [
            (
                "name",
                "m_Name",
                node.name().into_owned(),
                object.name().to_owned(),
                text(object.name()),
            ),
            ("tag", "m_TagString", node.tag(), object.tag().to_owned(), text(object.tag())),
            ("layer", "m_Layer", node.layer().to_string(), layer.to_string(), New::int(layer)),
            (
                "active",
                "m_IsActive",
                node.is_active_self().to_string(),
                object.is_active_self().to_string(),
                New::bool(object.is_active_self()),
            ),
            (
                "isStatic",
                "m_StaticEditorFlags",
                was_static.to_string(),
                object.is_static().to_string(),
                New::int(flags),
            ),
        ];
        for (what, path, before, now, new) in all.into_iter().filter(|one| one.2 != one.3) {
            let Some(stated) = node.stated() else {
                let why = node.opaque().unwrap_or(Opaque::Missing).to_string();
                self.refuse(object.id(), what, &why);
                continue;
            };
            let id = load::file_id(node);
            let (owner, owner_id) = (object.id(), id);
            let spot = Spot { owner, owner_id, id, stated, class: None, node, component: None };
            self.put_told(&spot, path, new, (what, &before, &now));
        }
    }

    /// Where an object is in its parent.
    pub(super) fn place_values(&mut self, object: &Object, node: &Node<'_>) {
        let Some(transform) = transform_of(node) else {
            if object.local() != Pose::default() {
                let why = node.opaque().map(|why| why.to_string());
                let why = why.unwrap_or_else(|| "the file has no transform for it".to_owned());
                self.refuse(object.id(), "transform", &why);
            }
            return;
        };
        let spot = Spot {
            owner: object.id(),
            owner_id: load::file_id(node),
            id: transform.file_id().0,
            stated: transform.stated(),
            class: Some("Transform".to_owned()),
            node,
            component: Some(&transform),
        };
        let (was, is) = (load::pose(&transform), object.local());
        let was_rect = is_rect(transform.class_id());
        if object.rect().is_some() && !was_rect {
            self.refuse(object.id(), "RectTransform", "the file has a Transform in its place");
        }
        // Anchors hold the other two; the file has zeros or what is left of an older place.
        if was_rect {
            if was.position.z != is.position.z {
                let told = (was.position.z.to_string(), is.position.z.to_string());
                let new = New::float(is.position.z);
                self.put_told(
                    &spot,
                    "m_LocalPosition.z",
                    new,
                    ("localPosition.z", &told.0, &told.1),
                );
            }
        } else {
            self.put_vector(&spot, "localPosition", "m_LocalPosition", was.position, is.position);
        }
        self.put_rotation(&spot, was.rotation, is.rotation);
        self.put_vector(&spot, "localScale", "m_LocalScale", was.scale, is.scale);
        if let Some(rect) = object.rect().filter(|_| was_rect) {
            self.rect_values(&spot, load::rect(&transform), *rect);
        }
    }

    fn put_vector(&mut self, spot: &Spot<'_>, what: &str, path: &str, was: Vec3, is: Vec3) {
        if was == is {
            return;
        }
        let told = [was, is].map(|vector| Value::Vec3(vector).to_json().to_string());
        self.put_told(spot, path, vector(is), (what, &told[0], &told[1]));
    }

    fn put_rotation(&mut self, spot: &Spot<'_>, was: Quat, is: Quat) {
        if was == is {
            return;
        }
        let told =
            [was, is].map(|turn| Value::Vec3(rounded(turn.to_euler())).to_json().to_string());
        let new = New::flow([("x", is.x), ("y", is.y), ("z", is.z), ("w", is.w)]);
        self.put_told(spot, "m_LocalRotation", new, ("localEulerAngles", &told[0], &told[1]));
        // The angles that the inspector shows.
        const HINT: &str = "m_LocalEulerAnglesHint";
        if spot.value(HINT).is_some()
            && let Err(why) = self.put(spot, HINT, vector(rounded(is.to_euler())))
        {
            self.refuse(spot.owner, HINT, &why);
        }
    }

    fn rect_values(&mut self, spot: &Spot<'_>, was: RectData, is: RectData) {
        let all = [
            ("anchorMin", "m_AnchorMin", was.anchor_min, is.anchor_min),
            ("anchorMax", "m_AnchorMax", was.anchor_max, is.anchor_max),
            ("anchoredPosition", "m_AnchoredPosition", was.anchored_position, is.anchored_position),
            ("sizeDelta", "m_SizeDelta", was.size_delta, is.size_delta),
            ("pivot", "m_Pivot", was.pivot, is.pivot),
        ];
        for (what, path, was, is) in all.into_iter().filter(|one| one.2 != one.3) {
            let told = [was, is].map(|vector| Value::Vec2(vector).to_json().to_string());
            self.put_told(spot, path, pair(is), (what, &told[0], &told[1]));
        }
    }
}

pub(super) fn vector(vector: Vec3) -> New {
    New::flow([("x", vector.x), ("y", vector.y), ("z", vector.z)])
}

pub(super) fn pair(pair: Vec2) -> New {
    New::flow([("x", pair.x), ("y", pair.y)])
}

/// Angles without what only the way through a rotation left of them.
pub(super) fn rounded(angles: Vec3) -> Vec3 {
    let round = |angle: f32| {
        let short = (angle * 1000.0).round() / 1000.0;
        if (short - angle).abs() < 1e-4 { short } else { angle }
    };
    Vec3::new(round(angles.x), round(angles.y), round(angles.z))
}
