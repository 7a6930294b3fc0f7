//! The fields of new scripts, as text.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::edit::{Manner, NewObject};
use crate::script::parse;
use crate::{ClassId, FileId};

/// Checks the fields of the class `Door`, and what is not known of it.
fn check(source: &str, expected: Expect) {
    check_in("2022.3.20f1", source, expected);
}

fn check_in(version: &str, source: &str, expected: Expect) {
    let file = parse(&format!("using UnityEngine;\n{source}"));
    assert_eq!(file.problems, []);
    let set = ScriptSet::new([&file]);
    let version = Version::parse(version).unwrap();
    let (fields, unknown) = script_values(&set, set.get("Door")[0], version);
    let object = NewObject {
        class: ClassId::MONO_BEHAVIOUR,
        id: FileId(1),
        key: "Door".to_owned(),
        stripped: false,
        fields,
    };
    let text = object.text(Manner::PLAIN);
    let mut text: String = text.lines().skip(1).map(|line| format!("{line}|\n")).collect();
    for Unknown { path, ty, what } in unknown {
        writeln!(text, "? {path} {ty} {what:?}").unwrap();
    }
    expected.assert_eq(&text);
}

/// The lines of a new component of the class `Door`, and whether its `Reset` does more.
fn added(source: &str) -> String {
    let file = parse(&format!("using UnityEngine;\n{source}"));
    assert_eq!(file.problems, []);
    let set = ScriptSet::new([&file]);
    let (fields, unknown, does_more) = component_values(&set, set.get("Door")[0], Version::NEWEST);
    let (class, id, key) = (ClassId::MONO_BEHAVIOUR, FileId(1), "Door".to_owned());
    let text = NewObject { class, id, key, stripped: false, fields }.text(Manner::PLAIN);
    let mut lines: Vec<String> = text.lines().skip(2).map(|line| line.trim().to_owned()).collect();
    lines.extend(unknown.into_iter().map(|one| format!("? {}", one.path)));
    lines.extend(does_more.then(|| "and more".to_owned()));
    lines.join(", ")
}

#[test]
fn a_component_that_is_added_has_what_its_reset_sets() {
    let fields = "public Vector2 damping = Vector2.one; public float speed = 2; int hidden; const float Fast = 8f;";
    let door = |body: &str| added(&format!("class Door : MonoBehaviour {{ {fields} {body} }}"));
    let told = [
        door(""),
        door(
            "void Reset() { damping = new Vector2(0.5f, 0.5f); this.speed = Fast; hidden = 3; /* done */ }",
        ),
        door("void Reset() => speed = 4;"),
        door("void Reset() { speed = 4; if (hidden > 0) speed = 5; }"),
        door("void Reset() { damping = Other.Thing(); speed = \"fast\"; }"),
        door("public Vector3 way = Ways.Usual(1, 2); void Reset() { way = Ways.Usual(1,2); }"),
        door("void Reset() { Speed = 4; } float Speed { set { speed = value; } }"),
        door("void Reset(int how) { speed = 4; } static void Reset() { speed = 5; }"),
    ];
    expect![[r#"
        damping: {x: 1, y: 1}, speed: 2
        damping: {x: 0.5, y: 0.5}, speed: 8
        damping: {x: 1, y: 1}, speed: 4
        damping: {x: 1, y: 1}, speed: 4, and more
        damping: {x: 1, y: 1}, speed: 2, and more
        damping: {x: 1, y: 1}, speed: 2, ? way
        damping: {x: 1, y: 1}, speed: 2, and more
        damping: {x: 1, y: 1}, speed: 2"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn a_reset_of_a_base_runs_when_it_is_called_or_alone() {
    let base = "class Base : MonoBehaviour { public int a = 1, b = 1; protected virtual void Reset() { a = 2; b = 2; } }";
    let door =
        |body: &str| added(&format!("{base} class Door : Base {{ public int c = 1; {body} }}"));
    let told = [
        door(""),
        door("protected override void Reset() { c = 3; }"),
        door("protected override void Reset() { b = 3; base.Reset(); c = 3; }"),
        door("protected override void Reset() { base.Reset(); b = 3; }"),
    ];
    expect![[r#"
        a: 2, b: 2, c: 1
        a: 1, b: 1, c: 3
        a: 2, b: 2, c: 3
        a: 2, b: 3, c: 1"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn numbers_and_text_have_their_initializers() {
    check(
        r#"class Door : MonoBehaviour {
            const int Many = 1 << 4;
            enum Side { Left = 3, Right }
            [System.Flags] enum Ways { None, In = 1, Out = 2 }
            public int a = -7, b = Many + 2, c = 0xff, d;
            public float e = 2.5f, f = 1f / 3f, g = 1e-3f, h = float.MaxValue, i = Mathf.Infinity;
            public double j = 0.1; public bool k = true; public char l = 'A'; public long m = 5L;
            public string n = "one: \"two\"" + " three", o, p = nameof(Door);
            [SerializeField] Side q = Side.Right; [SerializeField] Ways r = Ways.In | Ways.Out;
            public KeyCode s = KeyCode.Space; public ForceMode t = UnityEngine.ForceMode.Impulse;
            [field: SerializeField] public int Count { get; private set; } = (int)2.9f;
            public static int never; int hidden = 3; public readonly int fixedOne = 1; }"#,
        expect![[r#"
            Door:|
              a: -7|
              b: 18|
              c: 255|
              d: 0|
              e: 2.5|
              f: 0.33333334|
              g: 0.001|
              h: 3.4028235e+38|
              i: Infinity|
              j: 0.1|
              k: 1|
              l: 65|
              m: 5|
              n: 'one: "two" three'|
              o: |
              p: Door|
              q: 4|
              r: 3|
              s: 32|
              t: 1|
              <Count>k__BackingField: 2|
        "#]],
    );
}

/// C# makes one of the other by itself.
#[test]
fn colours_of_bytes_and_of_numbers_become_each_other() {
    check(
        "class Door : MonoBehaviour {
            public Color32 a = Color.white, b = Color.black, c = new Color(1, 0.5f, 0), d = new(255, 0, 0, 128);
            public Color e = new Color32(255, 128, 0, 255); }",
        expect![[r#"
            Door:|
              a:|
                serializedVersion: 2|
                rgba: 4294967295|
              b:|
                serializedVersion: 2|
                rgba: 4278190080|
              c:|
                serializedVersion: 2|
                rgba: 4278223103|
              d:|
                serializedVersion: 2|
                rgba: 2147483903|
              e: {r: 1, g: 0.5019608, b: 0, a: 1}|
        "#]],
    );
}

#[test]
fn structures_of_the_engine_have_unitys_form() {
    check(
        "class Door : MonoBehaviour {
            public Vector3 a = new Vector3(1, 2.5f), b = Vector3.one * 2, c = -Vector3.up;
            public Quaternion d = Quaternion.identity, e; public Color f = Color.white, g = new Color(1, 0.5f, 0);
            public Color32 h = new Color32(255, 128, 0, 255); public Rect i = new Rect(0, 1, 2, 3);
            public Bounds j = new Bounds(Vector3.zero, new Vector3(2, 2, 2)); public LayerMask k = ~0, l;
            public Vector2Int m = new Vector2Int(1, 2); public Vector2 n = new(3, 4);
            public AnimationCurve o = AnimationCurve.Linear(0, 0, 1, 2), p; public Transform q; public GameObject[] r;
            public UnityEngine.Events.UnityEvent<float> s; }",
        expect![[r#"
            Door:|
              a: {x: 1, y: 2.5, z: 0}|
              b: {x: 2, y: 2, z: 2}|
              c: {x: -0, y: -1, z: -0}|
              d: {x: 0, y: 0, z: 0, w: 1}|
              e: {x: 0, y: 0, z: 0, w: 0}|
              f: {r: 1, g: 1, b: 1, a: 1}|
              g: {r: 1, g: 0.5, b: 0, a: 1}|
              h:|
                serializedVersion: 2|
                rgba: 4278223103|
              i:|
                serializedVersion: 2|
                x: 0|
                y: 1|
                width: 2|
                height: 3|
              j:|
                m_Center: {x: 0, y: 0, z: 0}|
                m_Extent: {x: 1, y: 1, z: 1}|
              k:|
                serializedVersion: 2|
                m_Bits: 4294967295|
              l:|
                serializedVersion: 2|
                m_Bits: 0|
              m: {x: 1, y: 2}|
              n: {x: 3, y: 4}|
              o:|
                serializedVersion: 2|
                m_Curve:|
                - serializedVersion: 3|
                  time: 0|
                  value: 0|
                  inSlope: 0|
                  outSlope: 2|
                  tangentMode: 0|
                  weightedMode: 0|
                  inWeight: 0|
                  outWeight: 0|
                - serializedVersion: 3|
                  time: 1|
                  value: 2|
                  inSlope: 2|
                  outSlope: 0|
                  tangentMode: 0|
                  weightedMode: 0|
                  inWeight: 0|
                  outWeight: 0|
                m_PreInfinity: 2|
                m_PostInfinity: 2|
                m_RotationOrder: 4|
              p:|
                serializedVersion: 2|
                m_Curve: []|
                m_PreInfinity: 2|
                m_PostInfinity: 2|
                m_RotationOrder: 4|
              q: {fileID: 0}|
              r: []|
              s:|
                m_PersistentCalls:|
                  m_Calls: []|
        "#]],
    );
}

#[test]
fn lists_and_classes_in_place_are_filled() {
    check(
        "[System.Serializable] class Slot { public string item = \"none\"; public int count = 1; public Slot[] inner; }
        [System.Serializable] struct Pair<T> { public T first, second; }
        [System.Serializable] class Opened : UnityEngine.Events.UnityEvent<int> {}
        abstract class Part<T> : MonoBehaviour { public T content; public System.Collections.Generic.List<T> more; }
        class Door : Part<Slot> {
            public Slot[] slots = new Slot[2]; public Slot one = new Slot { count = 9 }, two;
            public System.Collections.Generic.List<int> ids = new List<int> { 1, 256 }; public float[] times = { 0.5f, 1 };
            public string[] none; public bool[] flags = new[] { true, false }; public byte[] bytes;
            public Pair<float> range; public Opened opened; }",
        expect![[r#"
            Door:|
              content:|
                item: none|
                count: 1|
                inner: []|
              more: []|
              slots:|
              - item: none|
                count: 1|
                inner: []|
              - item: none|
                count: 1|
                inner: []|
              one:|
                item: none|
                count: 9|
                inner: []|
              two:|
                item: none|
                count: 1|
                inner: []|
              ids: 0100000000010000|
              times:|
              - 0.5|
              - 1|
              none: []|
              flags: 0100|
              bytes: |
              range:|
                first: 0|
                second: 0|
              opened:|
                m_PersistentCalls:|
                  m_Calls: []|
        "#]],
    );
}

#[test]
fn what_cannot_be_known_is_told() {
    check(
        "class Door : Elsewhere.Machine { public float a = Random.value; public Foreign b; public int c = Compute(1);
            [SerializeReference] public ITool d; [SerializeReference] public ITool[] g; public Foreign[] e; public AssetReference f; }",
        expect![[r#"
            Door:|
              d:|
                rid: -2|
              g: []|
              references:|
                version: 2|
                RefIds:|
                - rid: -2|
                  type: {class: , ns: , asm: }|
            ?  Elsewhere.Machine Base
            ? a float Value("Random.value")
            ? b Foreign Field
            ? c int Value("Compute(1)")
            ? e Foreign[] Field
            ? f AssetReference Field
        "#]],
    );
}

#[test]
fn managed_references_need_a_version_whose_form_is_known() {
    let source =
        "interface ITool {} class Door : MonoBehaviour { [SerializeReference] ITool tool; }";
    check_in(
        "2020.3.1f1",
        source,
        expect![[r#"
        Door:|
        ? tool ITool Field
    "#]],
    );
    check_in(
        "6000.0.1f1",
        source,
        expect![[r#"
        Door:|
          tool:|
            rid: -2|
          references:|
            version: 2|
            RefIds:|
            - rid: -2|
              type: {class: , ns: , asm: }|
    "#]],
    );
}

#[test]
fn conditions_are_those_of_the_editor() {
    check(
        "class Door : MonoBehaviour {
#if UNITY_EDITOR
            public int a;
#else
            public int b;
#endif
#if UNITY_2019_1_OR_NEWER && !NEVER_SET
            public int c;
#endif
        }",
        expect![[r#"
            Door:|
              a: 0|
              c: 0|
        "#]],
    );
    // The symbol is one that a package sets: with an object of the class, it is set.
    check(
        "
#if HAS_DOORS
class Door : MonoBehaviour {
            public int a;
#if OTHER
            public int b;
#endif
        }
#endif
",
        expect![[r#"
            Door:|
              a: 0|
        "#]],
    );
}

#[test]
fn a_circle_of_classes_ends() {
    let file = parse(
        "[System.Serializable] class Node { public int id; public Node next; }
        class Door : UnityEngine.MonoBehaviour { public Node first; }",
    );
    let set = ScriptSet::new([&file]);
    let (fields, _) = script_values(&set, set.get("Door")[0], Version::NEWEST);
    let text = format!("{fields:?}");
    assert_eq!(text.matches("\"next\"").count(), 8);
}

#[test]
fn paths_are_understood_in_both_spellings() {
    let file = parse(
        "using UnityEngine; namespace G {
        enum Side { Left, Right }
        [System.Serializable] class Slot { public string item; public Side side; public Vector3 at; }
        [System.Serializable] class Box<T> { public T content; }
        class Door : MonoBehaviour { public Slot[] slots; public Box<Slot> box; public AnimationCurve curve;
            [field: SerializeField] public float Speed { get; set; } public AudioSource voice; public Door other; } }",
    );
    let set = ScriptSet::new([&file]);
    let show = |path: &str| match field_type(&set, set.get("G.Door")[0], path, Version::NEWEST) {
        Ok(FieldAt { path, ty: FieldType::Nested(ty) }) => format!("{path} {}", ty.decl.name),
        Ok(FieldAt { path, ty: FieldType::List(_) }) => format!("{path} list"),
        Ok(found) => format!("{} {:?}", found.path, found.ty),
        Err(none) => format!("no {} in {:?}: {}", none.name, none.within, none.choices.join(" ")),
    };
    let paths = [
        "slots",
        "slots[2]",
        "slots[2].item",
        "slots.Array.data[2].side",
        "slots.Array.size",
        "slots[0].at.y",
        "slots[0].at.r",
        "box.content.item",
        "Speed",
        "<Speed>k__BackingField",
        "curve.m_Curve.Array.data[0].time",
        "curve.m_PreInfinty",
        "voice",
        "other",
        "slots[0].itme",
        "slot",
        "voice.volume",
    ];
    let all: String = paths.iter().map(|path| show(path) + "\n").collect();
    expect![[r#"
        slots list
        slots.Array.data[2] Slot
        slots.Array.data[2].item String
        slots.Array.data[2].side Enum { name: "G.Side", members: [("Left", 0), ("Right", 1)], is_flags: false, number: Int { bytes: 4, is_signed: true } }
        slots.Array.size Primitive(Int { bytes: 4, is_signed: true })
        slots.Array.data[0].at.y Primitive(Float)
        no r in "slots.Array.data[0].at": x y z
        box.content.item String
        <Speed>k__BackingField Primitive(Float)
        <Speed>k__BackingField Primitive(Float)
        curve.m_Curve.Array.data[0].time Native(float time)
        no m_PreInfinty in "curve": m_Curve m_PreInfinity m_PostInfinity m_RotationOrder
        voice Object("AudioSource")
        other Object("G.Door")
        no itme in "slots.Array.data[0]": item side at
        no slot in "": slots box curve voice other Speed
        no volume in "voice": 
    "#]].assert_eq(&all);
}
