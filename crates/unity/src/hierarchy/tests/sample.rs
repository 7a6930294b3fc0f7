//! The sample project's scenes and prefabs, expanded.

use expect_test::{Expect, expect};

use super::*;

const MAIN: &str = "5a0098e77509371cb967eb145ea31b37";
const CELLAR: &str = "5ed7c18fead47ec3d5f44386c7cf0a38";
const GOLDEN: &str = "da90853f91e6c4810b8c702af8b250da";
const ROOM: &str = "f755b277b36ec092bed9651617f3a926";

fn open(guid: &str) -> Hierarchy {
    let root = scenewright_fixture::sample("unity");
    Expander::new(Arc::new(read_folder(&root))).expand(Guid::parse(guid).unwrap()).unwrap()
}

fn check_tree(guid: &str, expected: Expect) {
    expected.assert_eq(&show(&open(guid)));
}

/// Values of components, as `path: Class.property`.
fn check_values(guid: &str, queries: &[&str], expected: Expect) {
    let hierarchy = open(guid);
    let mut shown = String::new();
    for query in queries {
        let (path, query) = query.split_once(": ").unwrap();
        let (class, property) = query.split_once('.').unwrap();
        let node = hierarchy.find_by_path(path).unwrap();
        let components = node.components();
        let component = components.iter().find(|component| component.class_name() == class);
        let value = component.unwrap().value(property);
        let by = value.as_ref().and_then(|value| value.overridden_by);
        let by = by.and_then(|guid| hierarchy.expander.path(guid)).unwrap_or_else(|| "-".into());
        let data = value.map_or("nothing".into(), |value| spell(&value));
        writeln!(shown, "{path} {property}: {data} by {}", by.rsplit('/').next().unwrap()).unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn main_scene() {
    check_tree(
        MAIN,
        expect![[r#"
            Main Camera Camera AudioListener
            Directional Light Light
            Ground MeshFilter MeshRenderer BoxCollider
            Player CapsuleCollider Rigidbody MonoBehaviour
              Hand
                Hand Lantern <Lantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour
                  Flame MeshFilter MeshRenderer Light SphereCollider
            Lanterns
              Gate Lantern <Lantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour
                Flame MeshFilter MeshRenderer Light SphereCollider
              Well Lantern <Lantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour
                Flame MeshFilter MeshRenderer Light SphereCollider
              Altar Lantern <GoldenLantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour +MonoBehaviour
                Flame MeshFilter MeshRenderer Light SphereCollider
                Gilded Ring (added) MeshFilter MeshRenderer
            UI RectTransform Canvas MonoBehaviour MonoBehaviour
              Start Button RectTransform CanvasRenderer MonoBehaviour MonoBehaviour
                Label RectTransform CanvasRenderer MonoBehaviour
            EventSystem MonoBehaviour MonoBehaviour
            Debug Marker (inactive) SphereCollider
        "#]],
    );
}

#[test]
fn cellar_scene() {
    check_tree(
        CELLAR,
        expect![[r#"
            Cellar Camera Camera AudioListener
            Floor MeshFilter MeshRenderer BoxCollider
            Rune Stone ᚠ MeshFilter MeshRenderer MeshCollider
            Storage Room <Room.prefab>
              Floor MeshFilter MeshRenderer BoxCollider
              Wall North MeshFilter MeshRenderer BoxCollider
              Key MeshFilter MeshRenderer SphereCollider MonoBehaviour
              GoldenLantern <GoldenLantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour +MonoBehaviour
                Flame MeshFilter MeshRenderer Light SphereCollider
                Gilded Ring (added) MeshFilter MeshRenderer
              Wall Lantern <Lantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour
                Flame MeshFilter MeshRenderer Light
            Drip Sound AudioSource
        "#]],
    );
}

#[test]
fn variant_and_room() {
    check_tree(
        GOLDEN,
        expect![[r#"
            GoldenLantern <Lantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour +MonoBehaviour
              Flame MeshFilter MeshRenderer Light SphereCollider
              Gilded Ring (added) MeshFilter MeshRenderer
        "#]],
    );
    check_tree(
        ROOM,
        expect![[r#"
            Room
              Floor MeshFilter MeshRenderer BoxCollider
              Wall North MeshFilter MeshRenderer BoxCollider
              Key MeshFilter MeshRenderer SphereCollider MonoBehaviour
              GoldenLantern <GoldenLantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour +MonoBehaviour
                Flame MeshFilter MeshRenderer Light SphereCollider
                Gilded Ring (added) MeshFilter MeshRenderer
              Wall Lantern <Lantern.prefab> MeshFilter MeshRenderer CapsuleCollider MonoBehaviour
                Flame MeshFilter MeshRenderer Light
        "#]],
    );
}

#[test]
fn values_through_three_files() {
    check_values(
        CELLAR,
        &[
            "Storage Room/GoldenLantern/Flame: Light.m_Color",
            "Storage Room/GoldenLantern/Flame: Light.m_Color.g",
            "Storage Room/GoldenLantern/Flame: Light.m_Intensity",
            "Storage Room/Wall Lantern/Flame: Light.m_Intensity",
            "Storage Room/GoldenLantern: MonoBehaviour.startsLit",
            "Storage Room/Wall Lantern: MonoBehaviour.flickerOffset",
            "Storage Room/Wall Lantern: MonoBehaviour.style",
            "Storage Room/GoldenLantern: MeshRenderer.m_Materials.Array.data[0]",
            "Storage Room/GoldenLantern: MeshRenderer.m_Materials.Array.size",
            "Storage Room/GoldenLantern: CapsuleCollider.m_IsTrigger",
            "Storage Room: Transform.m_LocalPosition",
            "Storage Room: Transform.m_NoSuchThing",
        ],
        expect![[r#"
            Storage Room/GoldenLantern/Flame m_Color: {r: "1", g: "0.84", b: "0.2", a: "1"} by GoldenLantern.prefab
            Storage Room/GoldenLantern/Flame m_Color.g: "0.84" by GoldenLantern.prefab
            Storage Room/GoldenLantern/Flame m_Intensity: "2.5" by Cellar.unity
            Storage Room/Wall Lantern/Flame m_Intensity: "1.5" by -
            Storage Room/GoldenLantern startsLit: "0" by Room.prefab
            Storage Room/Wall Lantern flickerOffset: "0.6" by Cellar.unity
            Storage Room/Wall Lantern style: "1" by Room.prefab
            Storage Room/GoldenLantern m_Materials.Array.data[0]: &2100000 by GoldenLantern.prefab
            Storage Room/GoldenLantern m_Materials.Array.size: "1" by GoldenLantern.prefab
            Storage Room/GoldenLantern m_IsTrigger: "1" by GoldenLantern.prefab
            Storage Room m_LocalPosition: {x: "0", y: "0.2", z: "4"} by Cellar.unity
            Storage Room m_NoSuchThing: nothing by -
        "#]],
    );
}

#[test]
fn ids_follow_the_rule_and_stand_ins() {
    let hierarchy = open(CELLAR);
    let node = hierarchy.find_by_path("Storage Room/Wall Lantern").unwrap();
    // Cellar's instance, Room's instance and Lantern's own id.
    let expected = (743507975 ^ ((387122345392171106 ^ 8188168328921076751) & i64::MAX)) & i64::MAX;
    assert_eq!(node.file_id().unwrap().0, expected);
    let location = node.location();
    assert_eq!(location.file_id.0, 8188168328921076751);
    assert!(hierarchy.expander.path(location.file).unwrap().ends_with("Lantern.prefab"));
    assert!(location.line > 1);
    // Main gives its own id to a script inside an instance.
    let main = open(MAIN);
    let node = main.find_by_id(crate::FileId(1985487171)).unwrap();
    let components = node.components();
    let script = components.iter().find(|component| component.script().is_some()).unwrap();
    assert_eq!(script.file_id().0, 1985487171);
}

#[test]
fn references_lead_to_objects() {
    let mut shown = String::new();
    for guid in [MAIN, CELLAR] {
        let hierarchy = open(guid);
        for node in hierarchy.objects() {
            for link in node.references() {
                let target = match &link.target {
                    Target::Null | Target::OtherAsset { .. } => continue,
                    Target::Node(node) => node.path(),
                    Target::Component(component) => {
                        format!("{} of {}", component.class_name(), component.node().path())
                    }
                    other => format!("{other:?}"),
                };
                writeln!(shown, "{} {} -> {target}", node.path(), link.path).unwrap();
            }
        }
    }
    expect![[r#"
        Player heldLantern -> MonoBehaviour of Player/Hand/Hand Lantern
        Player/Hand/Hand Lantern flameLight -> Light of Player/Hand/Hand Lantern/Flame
        Lanterns/Gate Lantern flameLight -> Light of Lanterns/Gate Lantern/Flame
        Lanterns/Well Lantern flameLight -> Light of Lanterns/Well Lantern/Flame
        Lanterns/Altar Lantern flameLight -> Light of Lanterns/Altar Lantern/Flame
        Lanterns/Altar Lantern lantern -> MonoBehaviour of Lanterns/Altar Lantern
        UI/Start Button m_TargetGraphic -> MonoBehaviour of UI/Start Button
        UI/Start Button m_OnClick.m_PersistentCalls.m_Calls.Array.data[0].m_Target -> MonoBehaviour of Player
        EventSystem m_FirstSelected -> UI/Start Button
        Storage Room/Key lantern -> MonoBehaviour of Storage Room/GoldenLantern
        Storage Room/Key onCollected.m_PersistentCalls.m_Calls.Array.data[0].m_Target -> MonoBehaviour of Storage Room/Wall Lantern
        Storage Room/GoldenLantern flameLight -> Light of Storage Room/GoldenLantern/Flame
        Storage Room/GoldenLantern lantern -> MonoBehaviour of Storage Room/GoldenLantern
        Storage Room/Wall Lantern flameLight -> Light of Storage Room/Wall Lantern/Flame
    "#]].assert_eq(&shown);
}

#[test]
fn tags_layers_and_activity() {
    let hierarchy = open(MAIN);
    let lantern = hierarchy.find_by_path("Lanterns/Gate Lantern").unwrap();
    assert_eq!(
        (lantern.tag().as_str(), lantern.layer(), lantern.static_flags()),
        ("Lantern", 6, 0)
    );
    let marker = hierarchy.find_by_path("Debug Marker").unwrap();
    assert!(!marker.is_active_self() && !marker.is_active_in_hierarchy());
    assert_eq!(hierarchy.find_by_path("Debug"), None);
    assert_eq!(hierarchy.find_by_path(""), None);
}
