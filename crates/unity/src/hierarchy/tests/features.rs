//! What prefabs can do: additions, removals, order, nesting, variants.

use expect_test::{Expect, expect};

use super::*;

fn check(files: &[(char, &str, String)], expected: Expect) {
    expected.assert_eq(&show(&expand(files)));
}

/// `Box` with children `Lid` and `Nail`, ids from 10.
fn crate_prefab() -> String {
    object(10, "Box", 0, &[21, 31]) + &object(20, "Lid", 11, &[]) + &object(30, "Nail", 11, &[])
}

fn light(id: i64, owner: i64) -> String {
    format!("--- !u!108 &{id}\nLight:\n  m_GameObject: {{fileID: {owner}}}\n  m_Enabled: 1\n")
}

fn with_component(object: String, component: i64) -> String {
    object.replacen("  m_Name", &format!("  - component: {{fileID: {component}}}\n  m_Name"), 1)
}

#[test]
fn a_name_of_megabytes_is_not_repeated_by_every_path() {
    let long = "é".repeat(1 << 20);
    let other = format!("{long}!");
    let scene = object(1, &long, 0, &[4]) + &object(3, "B", 2, &[]) + &object(5, &other, 0, &[]);
    let hierarchy = expand(&[('e', "S.unity", scene)]);
    let shown = format!("{}…", "é".repeat(500));
    let paths: Vec<_> = hierarchy.objects().map(|node| node.path()).collect();
    assert_eq!(paths, [format!("{shown}[0]"), format!("{shown}[0]/B"), format!("{shown}[1]")]);
    let mut objects = hierarchy.objects();
    while let Some(node) = objects.next() {
        assert_eq!(hierarchy.find_by_path(&objects.path()), Some(node));
    }
}

#[test]
fn siblings_of_one_name_are_numbered() {
    let scene = object(1, "A", 0, &[4, 6])
        + &object(3, "B", 2, &[])
        + &object(5, "B", 2, &[8])
        + &object(7, "B", 6, &[]);
    let hierarchy = expand(&[('e', "S.unity", scene)]);
    let paths: Vec<_> = hierarchy.objects().map(|node| node.path()).collect();
    assert_eq!(paths, ["A", "A/B[0]", "A/B[1]", "A/B[1]/B"]);
    assert_eq!(hierarchy.find_by_path("A/B").unwrap().path(), "A/B[0]");
    assert_eq!(hierarchy.find_by_path("/A/B[1]/B").unwrap().path(), "A/B[1]/B");
    assert_eq!(hierarchy.find_by_path("A/B[2]"), None);
}

#[test]
fn names_with_slashes_are_found() {
    let scene = object(1, "A", 0, &[4]) + &object(3, "B/C", 2, &[6]) + &object(5, "D", 4, &[]);
    let hierarchy = expand(&[('e', "S.unity", scene)]);
    assert_eq!(hierarchy.find_by_path("A/B/C/D").unwrap().name(), "D");
}

#[test]
fn roots_by_scene_roots() {
    let roots = "--- !u!1660057539 &9\nSceneRoots:\n  m_Roots:\n  - {fileID: 50}\n  - {fileID: 4}\n  - {fileID: 77}\n";
    let scene =
        object(1, "A", 0, &[]) + &object(3, "B", 0, &[]) + &instance(50, '1', 0, "") + roots;
    check(
        &[('e', "S.unity", scene), ('1', "Box.prefab", crate_prefab())],
        expect![[r#"
            Box <Box.prefab>
              Lid
              Nail
            B
            A
            UnresolvedRoot line 28 -: the root 77 of the scene is not in the file or no root
        "#]],
    );
}

#[test]
fn roots_by_root_order() {
    let order = |text: String, order| {
        text.replace("  m_Father", &format!("  m_RootOrder: {order}\n  m_Father"))
    };
    let modifications = format!("m_Modifications:\n{}", set('1', 11, "m_RootOrder", "1"));
    let scene = order(object(1, "A", 0, &[]), 2)
        + &order(object(3, "B", 0, &[]), 0)
        + &instance(50, '1', 0, &modifications);
    check(
        &[('e', "S.unity", scene), ('1', "Box.prefab", crate_prefab())],
        expect![[r#"
        B
        Box <Box.prefab>
          Lid
          Nail
        A
    "#]],
    );
}

#[test]
fn children_added_with_lists() {
    let lists = "m_AddedGameObjects:\n- targetCorrespondingSourceObject: {fileID: 11}\n  insertIndex: -1\n  addedObject: {fileID: 61}\n- targetCorrespondingSourceObject: {fileID: 11}\n  insertIndex: 1\n  addedObject: {fileID: 71}\nm_AddedComponents:\n- targetCorrespondingSourceObject: {fileID: 20}\n  insertIndex: -1\n  addedObject: {fileID: 80}";
    let scene = instance(50, '1', 0, lists)
        + &stripped(4, 51, 11, 50)
        + &stripped(1, 52, 20, 50)
        + &object(60, "Last", 51, &[])
        + &object(70, "Second", 51, &[])
        + &light(80, 52);
    check(
        &[('e', "S.unity", scene), ('1', "Box.prefab", crate_prefab())],
        expect![[r#"
            Box <Box.prefab>
              Lid +Light
              Second (added)
              Nail
              Last (added)
        "#]],
    );
}

#[test]
fn components_are_added_in_the_order_of_the_list() {
    let added = |id: i64| {
        format!(
            "- targetCorrespondingSourceObject: {{fileID: 20}}\n  insertIndex: -1\n  addedObject: {{fileID: {id}}}\n"
        )
    };
    let lists = format!("m_AddedComponents:\n{}{}", added(90), added(80).trim_end());
    let scene =
        instance(50, '1', 0, &lists) + &stripped(1, 52, 20, 50) + &light(80, 52) + &light(90, 52);
    let hierarchy = expand(&[('e', "S.unity", scene), ('1', "Box.prefab", crate_prefab())]);
    let lid = hierarchy.find_by_path("Box/Lid").unwrap();
    let ids: Vec<i64> = lid.components().iter().map(|held| held.file_id().0).collect();
    assert_eq!(ids[ids.len() - 2..], [90, 80]);
}

#[test]
fn children_added_without_lists() {
    let order = |text: String, order| {
        text.replace("  m_Father", &format!("  m_RootOrder: {order}\n  m_Father"))
    };
    let nested = format!("m_Modifications:\n{}", set('1', 11, "m_RootOrder", "2"));
    let scene = instance(50, '1', 0, "")
        + &stripped(4, 51, 11, 50)
        + &order(object(60, "Fourth", 51, &[]), 3)
        + &order(object(70, "First", 51, &[]), 0)
        + &instance(5500, '1', 51, &nested);
    check(
        &[('e', "S.unity", scene), ('1', "Box.prefab", crate_prefab())],
        expect![[r#"
            Box <Box.prefab>
              First (added)
              Lid
              Box (added) <Box.prefab>
                Lid
                Nail
              Fourth (added)
              Nail
        "#]],
    );
}

#[test]
fn children_moved_by_overrides_of_old_files() {
    let moved = set('1', 11, "m_RootOrder", "0") + &set('1', 31, "m_RootOrder", "0");
    let files = |lists: &str| {
        let lists = format!("m_Modifications:\n{moved}{lists}");
        let prefab = crate_prefab();
        [('e', "S.unity", instance(50, '1', 0, &lists)), ('1', "Box.prefab", prefab)]
    };
    check(
        &files(""),
        expect![[r#"
        Box <Box.prefab>
          Nail
          Lid
    "#]],
    );
    check(
        &files("m_AddedGameObjects: []"),
        expect![[r#"
        Box <Box.prefab>
          Lid
          Nail
    "#]],
    );
}

#[test]
fn removed_objects_and_components() {
    let lists = "m_RemovedComponents:\n- {fileID: 40}\n- {fileID: 99}\nm_RemovedGameObjects:\n- {fileID: 20}\n- {fileID: 98}";
    let prefab = with_component(object(10, "Box", 0, &[21]), 40)
        + &light(40, 10)
        + &object(20, "Lid", 11, &[31])
        + &object(30, "Screw", 21, &[]);
    check(
        &[('e', "S.unity", instance(50, '1', 0, lists)), ('1', "Box.prefab", prefab)],
        expect![[r#"
            Box <Box.prefab>
            StaleRemoval line 1 Box: the file removes an object of Box that is gone
            StaleRemoval line 1 Box: the file removes an object of Box that is gone
        "#]],
    );
}

#[test]
fn variants_of_variants() {
    let name =
        |source, target, name| format!("m_Modifications:\n{}", set(source, target, "m_Name", name));
    let middle = instance(100, '1', 0, &name('1', 10, "Middle"));
    let outer = instance(200, '2', 0, &name('2', 100 ^ 20, "New Lid"));
    let scene = object(1, "Root", 0, &[301])
        + &instance(300, '3', 2, "")
        + &stripped(4, 301, 200 ^ 100 ^ 11, 300);
    check(
        &[
            ('e', "S.unity", scene),
            ('1', "Box.prefab", crate_prefab()),
            ('2', "Middle.prefab", middle),
            ('3', "Outer.prefab", outer),
        ],
        expect![[r#"
            Root
              Middle <Outer.prefab>
                New Lid
                Nail
        "#]],
    );
}

#[test]
fn the_old_format() {
    let prefab = "--- !u!1001 &100100000\nPrefab:\n  m_ParentPrefab: {fileID: 0}\n  m_RootGameObject: {fileID: 10}\n  m_IsPrefabParent: 1\n".to_owned()
        + &with_component(object(10, "Box", 0, &[]).replace("- component:", "- 4:"), 40)
        + &light(40, 10);
    let scene =
        instance(50, '1', 2, &format!("m_Modifications:\n{}", set('1', 10, "m_IsActive", "0")))
            .replace("PrefabInstance:", "Prefab:")
            .replace("m_SourcePrefab", "m_ParentPrefab")
            + &stripped(4, 51, 11, 50)
                .replace("m_CorrespondingSourceObject", "m_PrefabParentObject")
                .replace("m_PrefabInstance", "m_PrefabInternal")
            + &object(1, "Root", 0, &[51]);
    check(
        &[('e', "S.unity", scene), ('1', "Box.prefab", prefab)],
        expect![[r#"
        Root
          Box (inactive) <Box.prefab> Light
    "#]],
    );
}

#[test]
fn models_and_missing_sources_are_opaque() {
    let named = format!("m_Modifications:\n{}", set('1', 100000, "m_Name", "Hull"));
    let scene = instance(50, '1', 0, &named)
        + &stripped(4, 51, 400002, 50)
        + &stripped(1, 52, 100000, 50)
        + &object(60, "Flag", 51, &[])
        + &light(80, 52)
        + &instance(55, '2', 0, "")
        + &instance(56, '3', 0, "");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".into();
    check(
        &[('e', "S.unity", scene), ('1', "Boat.fbx", String::new()), ('3', "Big.prefab", pointer)],
        expect![[r#"
            Hull <Boat.fbx> !Model +Light
              Flag (added)
            Missing Prefab <22222222222222222222222222222222> !Missing
            Big <Big.prefab> !LfsPointer
            MissingSource line 34 Missing Prefab: no asset of the project has the guid 22222222222222222222222222222222
        "#]],
    );
}

#[test]
fn children_of_opaque_objects_further_in() {
    let prefab =
        object(10, "Boat", 0, &[51]) + &instance(50, '2', 11, "") + &stripped(4, 51, 400000, 50);
    let scene =
        instance(90, '1', 0, "") + &stripped(4, 91, 50 ^ 400004, 90) + &object(60, "Flag", 91, &[]);
    check(
        &[('e', "S.unity", scene), ('1', "Boat.prefab", prefab), ('2', "Hull.fbx", String::new())],
        expect![[r#"
            Boat <Boat.prefab>
              Hull <Hull.fbx> !Model
                Flag (added)
        "#]],
    );
}

#[test]
fn stale_overrides_are_quiet() {
    let lists = format!(
        "m_Modifications:\n{}{}{}",
        set('1', 77, "m_Name", "x"),
        set('1', 77, "m_Layer", "1"),
        set('2', 10, "m_Name", "x")
    );
    let hierarchy = expand(&[
        ('e', "S.unity", instance(50, '1', 0, &lists)),
        ('1', "Box.prefab", crate_prefab()),
    ]);
    assert!(hierarchy.problems().iter().all(|problem| problem.kind.is_quiet()));
    expect![[r#"
        Box <Box.prefab>
          Lid
          Nail
        StaleOverride line 6 Box: 2 overrides of an object of Box that is gone: m_Name first
        StaleOverride line 14 Box: the override is of an object in another file than the source
    "#]]
    .assert_eq(&show(&hierarchy));
}

#[test]
fn forgotten_files_are_read_again() {
    struct Changing(std::sync::Mutex<String>);
    impl Source for Changing {
        fn document(&self, _: Guid) -> Loaded {
            Loaded::Document(Arc::new(Document::parse(self.0.lock().unwrap().as_bytes())))
        }
        fn path(&self, _: Guid) -> Option<String> {
            None
        }
    }
    let source = Arc::new(Changing(object(10, "Old", 0, &[]).into()));
    let expander = Expander::new(source.clone());
    let name = || expander.expand(guid('1')).unwrap().roots()[0].name().into_owned();
    assert_eq!(name(), "Old");
    *source.0.lock().unwrap() = object(10, "New", 0, &[]);
    assert_eq!(name(), "Old");
    expander.forget(guid('1'));
    assert_eq!(name(), "New");
}
