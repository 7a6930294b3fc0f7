//! What the embedded tables say, against counts and values of the engine's own dumps.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

fn check(shown: impl std::fmt::Display, expected: Expect) {
    expected.assert_eq(&shown.to_string());
}

fn v4_6() -> &'static Classes {
    Classes::of(Version::V4_6)
}

#[test]
fn every_version_has_its_counts() {
    let mut shown = String::new();
    for version in Version::ALL {
        let classes = Classes::of(version);
        let sum = |count: fn(&Class) -> usize| classes.all().iter().map(count).sum::<usize>();
        writeln!(
            shown,
            "{}: {} classes, {} instantiable, {} of the editor; {} properties, {} signals, \
             {} methods, {} enums, {} constants",
            classes.version(),
            classes.all().len(),
            sum(|class| usize::from(class.instantiable)),
            sum(|class| usize::from(class.editor)),
            sum(|class| class.properties().len()),
            sum(|class| class.signals().len()),
            sum(|class| class.methods().len()),
            sum(|class| class.enums().len()),
            sum(|class| class.constants().len()),
        )
        .expect("a string takes everything");
    }
    check(
        shown,
        expect![[r#"
        4.2: 876 classes, 771 instantiable, 63 of the editor; 4305 properties, 427 signals, 13449 methods, 607 enums, 147 constants
        4.3: 920 classes, 810 instantiable, 66 of the editor; 4585 properties, 447 signals, 14379 methods, 647 enums, 155 constants
        4.4: 952 classes, 837 instantiable, 72 of the editor; 4752 properties, 466 signals, 15247 methods, 679 enums, 155 constants
        4.5: 971 classes, 854 instantiable, 78 of the editor; 4911 properties, 486 signals, 15889 methods, 716 enums, 161 constants
        4.6: 1023 classes, 900 instantiable, 79 of the editor; 4983 properties, 490 signals, 16349 methods, 736 enums, 161 constants
        4.7: 1036 classes, 912 instantiable, 82 of the editor; 5090 properties, 503 signals, 16822 methods, 764 enums, 161 constants
    "#]],
    );
}

#[test]
fn every_version_has_its_globals() {
    let mut shown = String::new();
    for version in Version::ALL {
        let globals = Classes::of(version).globals();
        writeln!(
            shown,
            "{version}: {} builtins, {} utilities, {} singletons, {} enums, {} constants",
            globals.builtins.len(),
            globals.utilities.len(),
            globals.singletons.len(),
            globals.enums.len(),
            globals.constants.len(),
        )
        .expect("a string takes everything");
    }
    check(
        shown,
        expect![[r#"
        4.2: 37 builtins, 114 utilities, 36 singletons, 21 enums, 0 constants
        4.3: 38 builtins, 114 utilities, 37 singletons, 22 enums, 0 constants
        4.4: 38 builtins, 114 utilities, 37 singletons, 22 enums, 0 constants
        4.5: 38 builtins, 114 utilities, 37 singletons, 22 enums, 0 constants
        4.6: 38 builtins, 114 utilities, 39 singletons, 22 enums, 0 constants
        4.7: 38 builtins, 114 utilities, 41 singletons, 22 enums, 11 constants
    "#]],
    );
}

#[test]
fn every_class_leads_to_object() {
    for version in Version::ALL {
        let classes = Classes::of(version);
        let lost: Vec<_> =
            classes.names().filter(|name| !classes.inherits(name, "Object")).collect();
        assert_eq!(lost, Vec::<&str>::new(), "{version}");
    }
}

#[test]
fn every_builtin_is_known_by_name() {
    let unknown: Vec<_> =
        v4_6().globals().builtins.iter().filter(|name| Builtin::named(name).is_none()).collect();
    assert_eq!(unknown, Vec::<&&str>::new());
}

#[test]
fn classes_have_parents_and_children() {
    let names = |classes: Vec<&Class>| classes.iter().map(|class| class.name).collect::<Vec<_>>();
    assert_eq!(
        names(v4_6().ancestors("Sprite2D").collect()),
        ["Sprite2D", "Node2D", "CanvasItem", "Node", "Object"]
    );
    assert_eq!(
        names(v4_6().children_of("CollisionObject2D").collect()),
        ["Area2D", "PhysicsBody2D"]
    );
    assert!(!v4_6().inherits("Sprite2D", "Node3D"));
    assert!(v4_6().ancestors("Spatial").next().is_none());
    let canvas_item = v4_6().class("CanvasItem").expect("there since ever");
    assert!(!canvas_item.instantiable && !canvas_item.editor);
    assert!(v4_6().class("EditorPlugin").expect("there since ever").editor);
}

#[test]
fn versions_differ() {
    let shown =
        |name| Classes::versions_of(name).iter().map(Version::to_string).collect::<Vec<_>>();
    assert_eq!(shown("AreaLight3D"), ["4.7"]);
    assert_eq!(shown("TileMapLayer"), ["4.3", "4.4", "4.5", "4.6", "4.7"]);
    assert_eq!(shown("Spatial"), Vec::<String>::new());
    let has = |version| Classes::of(version).property("Timer", "ignore_time_scale").is_some();
    assert_eq!((has(Version::V4_3), has(Version::V4_4)), (false, true));
}

#[test]
fn properties_say_what_they_hold() {
    let property = |class, name| v4_6().property(class, name).expect("it exists");
    let region = property("Sprite2D", "region_rect");
    assert_eq!(region.value.builtin(), Some(Builtin::Rect2));
    assert!(region.stored && region.shown && !region.read_only);

    let callback = property("Timer", "process_callback");
    assert_eq!(callback.value.builtin(), Some(Builtin::Int));
    assert_eq!(callback.value.enumeration(), Some("Timer.TimerProcessCallback"));
    assert_eq!(callback.value.to_string(), "Timer.TimerProcessCallback");

    let left = property("Timer", "time_left");
    assert!(!left.stored && !left.shown && left.read_only);

    // Only the engine itself tells of these.
    assert_eq!(
        property("HingeJoint3D", "angular_limit/enable").value.builtin(),
        Some(Builtin::Bool)
    );
    assert_eq!(property("AnimationLibrary", "_data").value.builtin(), Some(Builtin::Dictionary));
    assert_eq!(property("Label", "theme_override_colors/font_color").value.to_string(), "Color");
    assert_eq!(property("Sprite2D", "script").value.class(), Some("Script"));
    assert_eq!(v4_6().property("Sprite2D", "textur"), None);
}

#[test]
fn types_accept_what_inherits() {
    let accepts = |class, name, value| {
        v4_6().property(class, name).expect("it exists").value.accepts(v4_6(), value)
    };
    assert!(accepts("Sprite2D", "texture", "AtlasTexture"));
    assert!(!accepts("Sprite2D", "texture", "Texture3D"));
    assert!(!accepts("Sprite2D", "texture", "NoSuchClass"));
    assert!(!accepts("Sprite2D", "offset", "Texture2D"));
    // One of two, and one with exceptions.
    assert!(accepts("CanvasItem", "material", "ShaderMaterial"));
    assert!(!accepts("CanvasItem", "material", "StandardMaterial3D"));
    assert!(accepts("CSGMesh3D", "mesh", "BoxMesh"));
    assert!(!accepts("CSGMesh3D", "mesh", "PlaneMesh"));
    let effects = v4_6().property("Compositor", "compositor_effects").expect("it exists").value;
    assert_eq!(
        (effects.to_string(), effects.builtin()),
        ("Array[CompositorEffect]".into(), Some(Builtin::Array))
    );
}

#[test]
fn defaults_are_those_of_the_class() {
    let default = |class, name| v4_6().default(class, name);
    assert_eq!(default("Timer", "wait_time"), Some("1.0"));
    assert_eq!(default("Sprite2D", "texture"), Some("null"));
    assert_eq!(default("Sprite2D", "modulate"), Some("Color(1, 1, 1, 1)"));
    assert_eq!(default("Control", "mouse_filter"), Some("0"));
    assert_eq!(default("Label", "mouse_filter"), Some("2"));
    assert_eq!(default("VBoxContainer", "mouse_filter"), Some("1"));
    assert_eq!(default("Timer", "time_left"), None);
    assert_eq!(default("Timer", "no_such"), None);
    assert_eq!(Classes::of(Version::V4_2).default("Timer", "wait_time"), Some("1.0"));
}

#[test]
fn hints_tell_bounds_and_choices() {
    let hint = |class, name| v4_6().property(class, name).and_then(|property| property.hint);
    let wait = hint("Timer", "wait_time").and_then(Hint::range).expect("a range");
    assert_eq!(
        (wait.min, wait.max, wait.open_above, wait.open_below),
        (0.001, 4096.0, true, false)
    );
    let callback = hint("Timer", "process_callback").expect("choices");
    assert_eq!(callback.choices(), [("Physics", 0), ("Idle", 1)]);
    assert_eq!(callback.range(), None);
    let trim = hint("Label", "autowrap_trim_flags").expect("flags").choices();
    assert_eq!(trim, [("Trim Spaces After Break", 64), ("Trim Spaces Before Break", 128)]);
    let stencil = hint("BaseMaterial3D", "stencil_flags").expect("flags").choices();
    assert_eq!(stencil, [("Read", 1), ("Write", 2), ("Write Depth Fail", 4)]);
    assert_eq!(hint("AnimationTree", "anim_player"), Some(Hint::Nodes("AnimationPlayer")));
    assert_eq!(Hint::Range("a,b").range(), None);
    assert_eq!(Hint::Choices("A:5,B,C:x").choices(), [("A", 5), ("B", 6), ("C:x", 7)]);
}

#[test]
fn signals_and_methods_have_their_arguments() {
    let entered = v4_6().signal("Area2D", "body_entered").expect("it exists");
    let shown = |argument: &Argument| format!("{}: {}", argument.name, argument.value);
    assert_eq!(entered.arguments.iter().map(shown).collect::<Vec<_>>(), ["body: Node2D"]);
    assert!(v4_6().signal("Area2D", "tree_exited").is_some(), "an inherited one");

    let start = v4_6().method("Timer", "start").expect("it exists");
    assert_eq!(start.arguments[0].default, Some("-1"));
    assert_eq!(start.returns, None);
    let child = v4_6().method("Timer", "get_child").expect("an inherited one");
    assert!(child.is_const && !child.is_static);
    assert_eq!(child.returns.map(|value| value.to_string()).as_deref(), Some("Node"));
    assert!(v4_6().method("Node", "_ready").expect("it exists").is_virtual);
    assert!(v4_6().method("Object", "call").expect("it exists").is_vararg);
    assert!(v4_6().method("FileAccess", "open").expect("it exists").is_static);
}

#[test]
fn enums_are_found_by_the_names_of_types() {
    let values = |name: &str| {
        let found = v4_6().enumeration(name).expect("it exists");
        let shown = found.constants.iter().take(2).map(|it| format!("{}={}", it.name, it.value));
        (found.is_flags, shown.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(
        values("Timer.TimerProcessCallback"),
        (false, "TIMER_PROCESS_PHYSICS=0 TIMER_PROCESS_IDLE=1".into())
    );
    assert_eq!(values("Side"), (false, "SIDE_LEFT=0 SIDE_TOP=1".into()));
    assert_eq!(values("Variant.Type"), (false, "TYPE_NIL=0 TYPE_BOOL=1".into()));
    assert_eq!(
        values("MouseButtonMask"),
        (true, "MOUSE_BUTTON_MASK_LEFT=1 MOUSE_BUTTON_MASK_RIGHT=2".into())
    );
    assert_eq!(v4_6().enumeration("Timer.Nothing"), None);
    let node = v4_6().class("Node").expect("it exists");
    assert_eq!(node.constants()[0], Constant { name: "NOTIFICATION_ENTER_TREE", value: 10 });
}

#[test]
fn properties_come_in_the_order_they_are_saved_in() {
    let names: Vec<_> = v4_6()
        .class("Sprite2D")
        .expect("it exists")
        .properties()
        .iter()
        .map(|it| it.name)
        .collect();
    assert_eq!(names[..4], ["texture", "centered", "offset", "flip_h"]);
}
