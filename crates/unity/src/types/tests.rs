//! The embedded table against the list of classes, and what is known of real files.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use super::*;

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn class(name: &str) -> ClassId {
    class_named(name).unwrap()
}

fn of(name: &str, unity: &str) -> Node<'static> {
    tree(class(name), version(unity)).unwrap()
}

fn check_fields(node: Node<'_>, expected: Expect) {
    let lines = node.children().map(|child| match child.version() {
        1 => format!("{child:?}\n"),
        version => format!("{child:?} {version}\n"),
    });
    expected.assert_eq(&lines.collect::<String>());
}

#[test]
fn the_table_has_the_classes_of_the_list() {
    let listed = include_str!("../../data/class-ids.tsv").lines();
    let listed: BTreeMap<u32, &str> = listed
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(id, rest)| (id.parse().unwrap(), rest.split('\t').next().unwrap()))
        .collect();
    let table = table::get();
    let newest = |changes: &[table::Change]| {
        changes.iter().rev().find_map(|change| table.name(change)).unwrap_or_default().to_owned()
    };
    let known: BTreeMap<u32, String> =
        table.classes().map(|(class, changes)| (class.0, newest(changes))).collect();
    let known: BTreeMap<u32, &str> = known.iter().map(|(id, name)| (*id, &**name)).collect();
    assert_eq!(known, listed, "`cargo xtask typetrees` makes the table");
}

#[test]
fn every_layout_can_be_walked() {
    fn walk(node: Node<'_>, deep: usize) -> usize {
        assert!(deep < 32 && !node.type_name().is_empty() && !node.name().is_empty());
        if node.is_array() {
            let names: Vec<&str> = node.children().map(Node::name).collect();
            assert_eq!(names, ["size", "data"]);
        }
        1 + node.children().map(|child| walk(child, deep + 1)).sum::<usize>()
    }
    let trees = table::get().classes().flat_map(|(class, _)| trees(class));
    let (trees, nodes) =
        trees.fold((0, 0), |(trees, nodes), tree| (trees + 1, nodes + walk(tree, 0)));
    expect!["(4403, 1209930)"].assert_eq(&format!("{:?}", (trees, nodes)));
}

#[test]
fn fields_are_those_of_the_version() {
    check_fields(
        of("MeshFilter", "2022.3.20f1"),
        expect![[r#"
        unsigned int m_ObjectHideFlags
        PPtr<EditorExtension> m_CorrespondingSourceObject
        PPtr<PrefabInstance> m_PrefabInstance
        PPtr<Prefab> m_PrefabAsset
        PPtr<GameObject> m_GameObject
        PPtr<Mesh> m_Mesh
    "#]],
    );
    check_fields(
        of("Transform", "2021.1.0f1"),
        expect![[r#"
        unsigned int m_ObjectHideFlags
        PPtr<EditorExtension> m_CorrespondingSourceObject
        PPtr<PrefabInstance> m_PrefabInstance
        PPtr<Prefab> m_PrefabAsset
        PPtr<GameObject> m_GameObject
        Quaternionf m_LocalRotation
        Vector3f m_LocalPosition
        Vector3f m_LocalScale
        vector m_Children
        PPtr<Transform> m_Father
        int m_RootOrder
        Vector3f m_LocalEulerAnglesHint
    "#]],
    );
    check_fields(
        of("Transform", "2022.3.20f1"),
        expect![[r#"
        unsigned int m_ObjectHideFlags
        PPtr<EditorExtension> m_CorrespondingSourceObject
        PPtr<PrefabInstance> m_PrefabInstance
        PPtr<Prefab> m_PrefabAsset
        PPtr<GameObject> m_GameObject
        Quaternionf m_LocalRotation
        Vector3f m_LocalPosition
        Vector3f m_LocalScale
        bool m_ConstrainProportionsScale
        vector m_Children
        PPtr<Transform> m_Father
        Vector3f m_LocalEulerAnglesHint
    "#]],
    );
    check_fields(
        of("BoxCollider", "6000.0.23f1"),
        expect![[r#"
        unsigned int m_ObjectHideFlags
        PPtr<EditorExtension> m_CorrespondingSourceObject
        PPtr<PrefabInstance> m_PrefabInstance
        PPtr<Prefab> m_PrefabAsset
        PPtr<GameObject> m_GameObject
        PPtr<PhysicsMaterial> m_Material
        BitField m_IncludeLayers 2
        BitField m_ExcludeLayers 2
        int m_LayerOverridePriority
        bool m_IsTrigger
        bool m_ProvidesContacts
        bool m_Enabled
        Vector3f m_Size
        Vector3f m_Center
    "#]],
    );
}

#[test]
fn unknown_versions_take_the_nearest() {
    let light = |unity| of("Light", unity);
    assert_eq!(light("9999.1.0f1"), light("6000.7.0a3"));
    assert_eq!(light("2.6.1f1"), light("3.4.0f1"));
    // `ParticleRenderer` went with 2018.3, `Grid` came with 2017.2.
    let (gone, new) = (class("ParticleRenderer"), class("Grid"));
    assert!(tree(gone, version("2018.2.0f1")).is_some());
    assert_eq!(tree(gone, version("2022.3.1f1")), None);
    assert!(nearest_tree(gone, version("2022.3.1f1")).is_some());
    assert_eq!(tree(new, version("5.6.1f1")), None);
    assert_eq!(nearest_tree(new, version("5.6.1f1")), tree(new, version("2017.2.0f1")));
    assert_eq!(tree(ClassId(4_000_000_000), version("2022.3.1f1")), None);
    assert_eq!(tree(class("Object"), version("2022.3.1f1")), None);
}

#[test]
fn fields_are_found_by_path() {
    let check = |class: &str, path: &str, expected: &str| {
        let found = of(class, "2022.3.20f1").find(path);
        assert_eq!(found.map(|node| format!("{node:?}")).unwrap_or_default(), expected, "{path}");
    };
    check("Light", "m_Shadows", "ShadowSettings m_Shadows");
    check("Light", "m_Shadows.m_Strength", "float m_Strength");
    check("Light", "m_Shadows.m_Strenght", "");
    check("Light", "m_Shadow", "");
    check("Light", "m_Shadows.", "");
    check("Light", "", "");
    check("MeshRenderer", "m_Materials.Array.size", "int size");
    check("MeshRenderer", "m_Materials.Array.data[0]", "PPtr<Material> data");
    check("MeshRenderer", "m_Materials[12]", "PPtr<Material> data");
    check("MeshRenderer", "m_Materials[12].m_FileID", "int m_FileID");
    check("MeshRenderer", "m_Materials[x]", "");
    check("MeshRenderer", "m_Materials[12", "");
    check("MeshRenderer", "m_Enabled[0]", "");
    check("Material", "m_SavedProperties.m_TexEnvs.Array.data[3].second.m_Scale.x", "float x");
    check("PolygonCollider2D", "m_Points.m_Paths[0][1].y", "float y");
    check("PolygonCollider2D", "m_Points.m_Paths.Array.data[0].Array.data[1].y", "float y");
    check("LightProbes", "m_BakedCoefficients[2].sh[12]", "float sh[12]");
}

#[test]
fn references_say_what_they_lead_to() {
    let renderer = of("MeshRenderer", "2022.3.20f1");
    let class_at = |path| renderer.find(path).and_then(Node::reference_class);
    assert_eq!(class_at("m_Materials[0]"), Some("Material"));
    assert_eq!(class_at("m_GameObject"), Some("GameObject"));
    assert_eq!(class_at("m_Enabled"), None);
}

#[test]
fn every_class_that_a_reference_asks_for_is_known() {
    fn gather(node: Node<'static>, into: &mut BTreeSet<&'static str>) {
        into.extend(node.reference_class());
        node.children().for_each(|child| gather(child, into));
    }
    let mut asked = BTreeSet::new();
    for (class, _) in table::get().classes() {
        trees(class).for_each(|tree| gather(tree, &mut asked));
    }
    assert_eq!(asked.len(), 99);
    let unknown: Vec<_> = asked.iter().filter(|name| !is_a(name, "Object")).collect();
    expect!["[]"].assert_eq(&format!("{unknown:?}"));
}

#[test]
fn classes_are_known_by_old_names() {
    assert!(is_a("PhysicMaterial", "PhysicsMaterial"));
    assert!(is_a("State", "Object"));
    assert!(is_a("Object", "Object"));
    assert!(!is_a("NoSuchClass", "Object"));
    assert_eq!(
        bases("RectTransform").join(" "),
        "RectTransform Transform Component EditorExtension Object"
    );
    assert_eq!(bases("NoSuchClass"), [""; 0]);
}

#[test]
fn fields_of_all_versions_are_known() {
    let fields = all_fields(class("Rigidbody"));
    assert!(["m_Drag", "m_LinearDamping", "m_Mass"].iter().all(|name| fields.contains(name)));
    assert!(!fields.contains("m_LinearDampening"));
    assert!(ever_had(class("GameObject"), "m_PrefabInternal.m_FileID"));
    assert!(all_fields(ClassId(4_000_000_000)).is_empty());
}

#[test]
fn names_that_files_leave_out_depend_on_the_version() {
    let at = |offset, unity| common_name(offset, version(unity)).unwrap_or_default();
    assert_eq!(at(0, "2022.3.20f1"), "AABB");
    assert_eq!(at(1209, "6000.5.1f1"), "LoadableReference");
    assert_eq!(at(1209, "6000.6.0b1"), "LoadableObjectId");
    assert_eq!(at(1, "2022.3.20f1"), "");
}
