//! Overrides of fields that are not there.

use super::*;

const BASE: u32 = 0xb0000001;
const INNER: u32 = 0xb0000002;

fn set(id: i64, path: &str) -> String {
    change(BASE, id).replace("propertyPath: m_Name", &format!("propertyPath: {path}"))
}

/// What is told of overrides of a Door, or of the object's transform.
fn told(script: &str, paths: &[(i64, &str)]) -> String {
    let changes: String = paths.iter().map(|(id, path)| set(*id, path)).collect();
    let text = [
        file("Door.cs", DOOR, script),
        file(
            "Opening.cs",
            0xd0000002,
            "public abstract class Opening : UnityEngine.MonoBehaviour { protected int width; }",
        ),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Main.unity", INNER, &instance(BASE, &changes)),
    ];
    let dir = Folder::unity(&text.concat());
    said(&run(&Store::open(dir.root(), None)))
}

#[test]
fn an_override_of_a_name_that_no_source_has_is_told() {
    let door = "class Door : Opening { [FormerlySerializedAs(\"colour\")] public int color; [field: SerializeField] int Locks { get; set; } Item[] items; }";
    let right = [
        "color",
        "colour",
        "width",
        "<Locks>k__BackingField",
        "items.Array.data[3].name",
        "items.Array.size",
        "m_Enabled",
    ];
    assert_eq!(told(door, &right.map(|path| (3, path))), "");
    expect![[r#"
        UnknownOverride Assets/Main.unity:12 [Base] the override of itms.Array.size has no effect: Door has no field itms
        UnknownOverride Assets/Main.unity:16 [Base] the override of m_LocalPositoin.x has no effect: Transform has no field m_LocalPositoin
        UnknownOverride Assets/Main.unity:20 [Base] the override of m_Nam has no effect: GameObject has no field m_Nam
        UnknownOverride Assets/Main.unity:8 [Base] the override of colr has no effect: Door has no field colr
    "#]].assert_eq(&told(
        door,
        &[(3, "colr"), (3, "itms.Array.size"), (2, "m_LocalPositoin.x"), (1, "m_Nam")],
    ));
}

#[test]
fn a_weaver_may_make_a_field_of_a_property() {
    let told = |members: &str| {
        let door = format!("class Door : MonoBehaviour {{\n{members}\n}}");
        told(&door, &[(3, "openSound")]).contains("UnknownOverride")
    };
    assert!(!told("[Serialized]\n[field: DocumentedByXml]\npublic Clip OpenSound { get; set; }"));
    assert!(!told("[Serialized] public Clip[] OpenSound\n{\n  get;\n  private set;\n}"));
    // Without an attribute nothing does, nor of what has a body or is a field of another name.
    assert!(told("int a;\npublic Clip[] OpenSound { get; set; }"));
    assert!(told("[Serialized] public Clip OpenSound { get { return sound; } }"));
    assert!(told("[SerializeField] Clip OpenSound;"));
    // The compiler's own field has the name of its property.
    let door =
        "class Door : MonoBehaviour {\n[field: SerializeField] Clip OpenSound { get; set; }\n}";
    assert!(self::told(door, &[(3, "<openSound>k__BackingField")]).contains("UnknownOverride"));
}

#[test]
fn the_same_override_of_two_instances_is_told_with_the_object_of_each() {
    let renamed = |name: &str| change(BASE, 1).replace("value: x", &format!("value: {name}"));
    let first = instance(BASE, &(renamed("Left") + &set(3, "colr")));
    let second = instance(BASE, &(renamed("Right") + &set(3, "colr"))).replace("&100", "&101");
    let text = [
        file("Door.cs", DOOR, DOOR_CS),
        file("Base.prefab", BASE, &prefab("Base", DOOR, "")),
        file("Main.unity", INNER, &(first + "\n" + second.trim_start_matches("%YAML 1.1\n"))),
    ];
    let dir = Folder::unity(&text.concat());
    expect![[r#"
        UnknownOverride Assets/Main.unity:12 [Left] the override of colr has no effect: Door has no field colr
        UnknownOverride Assets/Main.unity:27 [Right] the override of colr has no effect: Door has no field colr
    "#]]
    .assert_eq(&said(&run(&Store::open(dir.root(), None))));
}

#[test]
fn a_class_that_is_not_known_whole_is_not_judged() {
    let colr = &[(3, "colr")];
    for script in [
        "partial class Door : MonoBehaviour {}",
        "class Door : Vendor.Part {}",
        "class Gate : MonoBehaviour {}",
        "class Door : Opening<int>, IDoor { }  // colr",
    ] {
        assert!(!told(script, colr).contains("UnknownOverride"), "{script}");
    }
    assert!(told(DOOR_CS, colr).contains("UnknownOverride"));
}
