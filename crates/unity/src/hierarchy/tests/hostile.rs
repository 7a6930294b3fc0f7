//! Files that are wrong on purpose: circles, links to nowhere, more objects than memory.

use expect_test::{Expect, expect};

use super::*;

fn check(files: &[(char, &str, String)], expected: Expect) {
    expected.assert_eq(&show(&expand(files)));
}

#[test]
fn a_prefab_that_contains_itself() {
    let own = object(1, "A", 0, &[51]) + &instance(50, 'e', 2, "") + &stripped(4, 51, 2, 50);
    check(
        &[('e', "A.prefab", own)],
        expect![[r#"
            A
              A <A.prefab> !Cycle
            Cycle line 13 A/A: A.prefab contains itself; it is not expanded again
        "#]],
    );
    let variant = instance(50, 'e', 0, "");
    check(
        &[('e', "A.prefab", variant)],
        expect![[r#"
            A <A.prefab> !Cycle
            Cycle line 1 A: A.prefab contains itself; it is not expanded again
        "#]],
    );
}

#[test]
fn prefabs_that_contain_each_other() {
    let a = object(1, "A", 0, &[]) + &instance(50, '1', 2, "");
    let b = object(1, "B", 0, &[]) + &instance(50, 'e', 2, "");
    check(
        &[('e', "A.prefab", a), ('1', "B.prefab", b)],
        expect![[r#"
            A
              B <B.prefab>
                A <A.prefab> !Cycle
            Cycle line 12 A/B: B.prefab contains itself; it is not expanded again
        "#]],
    );
}

#[test]
fn parents_in_a_circle() {
    let scene = object(1, "A", 4, &[4]) + &object(3, "B", 2, &[2]) + &object(5, "C", 6, &[6]);
    check(
        &[('e', "S.unity", scene)],
        expect![[r#"
        A
          B
        C
        UnresolvedParent line 7 A: the object is its own ancestor; it is shown as a root
        UnresolvedChild line 19 A/B: the child 2 is not in the file or has another parent
        UnresolvedParent line 31 C: the object is its own ancestor; it is shown as a root
        UnresolvedChild line 31 C: the child 6 is not in the file or has another parent
    "#]],
    );
    let instances = instance(50, '1', 61, "")
        + &stripped(4, 51, 11, 50)
        + &instance(60, '1', 51, "")
        + &stripped(4, 61, 11, 60);
    check(
        &[('e', "S.unity", instances), ('1', "P.prefab", object(10, "P", 0, &[]))],
        expect![[r#"
            P <P.prefab>
              P (added) <P.prefab>
            UnresolvedParent line 1 P: the object is its own ancestor; it is shown as a root
        "#]],
    );
}

#[test]
fn links_that_lead_nowhere() {
    let scene = object(1, "A", 99, &[98, 98])
        + &object(3, "B", 0, &[]).replace("{fileID: 4}", "{fileID: 97}").replacen(
            "m_GameObject: {fileID: 3}",
            "m_GameObject: {fileID: 96}",
            1,
        )
        + "--- !u!108 &5\nLight:\n  m_GameObject: {fileID: 95}\n"
        + "--- !u!108 &6\nLight:\n  m_GameObject: {fileID: 1}\n"
        + &stripped(4, 7, 1, 94)
        + &object(1, "Twin", 0, &[])
        + "--- !u!1 &11\n--- !u!4 &12\nTransform: x\n--- !u!1001 &13\nPrefabInstance:\n  m_SourcePrefab: 3\n";
    check(
        &[('e', "S.unity", scene)],
        expect![[r#"
        A
        B

        UnresolvedParent line 7 A: the parent 99 is not in the file; it is shown as a root
        UnresolvedChild line 7 A: the child 98 is not in the file or has another parent
        UnresolvedChild line 7 A: the child 98 is not in the file or has another parent
        UnresolvedComponent line 14 B: the object has no transform; it is shown as a root
        UnresolvedComponent line 14 B: the component 97 is not in the file
        UnresolvedGameObject line 20 -: the object 96 of the transform is not here
        UnresolvedGameObject line 25 -: the object 95 of the component is not in the file
        UnresolvedComponent line 28 A: the object does not list the component 6
        UnresolvedInstance line 31 -: the prefab instance 94 is not in the file
        DuplicateId line 35 -: the id 1 occurs a second time; the second object is ignored
        DuplicateId line 41 -: the id 2 occurs a second time; the second object is ignored
        UnresolvedComponent line 46 : the object has no transform; it is shown as a root
        UnresolvedGameObject line 47 -: the object 0 of the transform is not here
    "#]],
    );
}

#[test]
fn a_stripped_object_that_stands_for_nothing() {
    let scene = instance(50, '1', 0, "") + &stripped(4, 51, 0, 50) + &object(60, "Lost", 51, &[]);
    let prefab = object(10, "P", 0, &[]).replacen("m_GameObject: {fileID: 10}", "x: 1", 1);
    check(
        &[('e', "S.unity", scene), ('1', "P.prefab", prefab)],
        expect![[r#"
        Lost
        P <P.prefab>
        UnresolvedInstance line 6 -: the stripped object does not say what it stands for
        UnresolvedParent line 16 Lost: the parent 51 is not in the file; it is shown as a root
    "#]],
    );
}

#[test]
fn additions_to_what_is_gone() {
    let scene = instance(50, '1', 0, "")
        + &stripped(4, 51, 77, 50)
        + &stripped(1, 52, 76, 50)
        + &object(60, "Lost", 51, &[])
        + "--- !u!108 &80\nLight:\n  m_GameObject: {fileID: 52}\n";
    check(
        &[('e', "S.unity", scene), ('1', "P.prefab", object(10, "P", 0, &[]))],
        expect![[r#"
            P <P.prefab>
            UnresolvedParent line 14 P: 'Lost' is a child of an object of P that is gone
            UnresolvedGameObject line 25 P: Light was added to an object of P that is gone
        "#]],
    );
}

#[test]
fn a_child_that_two_parents_list() {
    let scene = object(1, "A", 0, &[6, 6]) + &object(3, "B", 0, &[6]) + &object(5, "C", 2, &[]);
    check(
        &[('e', "S.unity", scene)],
        expect![[r#"
        A
          C
        B
        UnresolvedChild line 7 A: the child 6 is not in the file or has another parent
        UnresolvedChild line 20 B: the child 6 is not in the file or has another parent
    "#]],
    );
}

#[test]
fn a_long_chain_of_children_needs_no_stack() {
    let scene: String = (0..20_000)
        .map(|n| object(n * 2 + 1, "N", if n == 0 { 0 } else { n * 2 }, &[n * 2 + 4]))
        .collect();
    let hierarchy = expand(&[('e', "S.unity", scene)]);
    assert_eq!(hierarchy.count(), 20_000);
    let last = hierarchy.objects().last().unwrap();
    assert_eq!(last.depth(), 19_999);
    assert_eq!(last.path().len(), 20_000 * 2 - 1);
}

/// A source that makes its files: each holds the next one so many times.
struct Endless {
    times: i64,
    last: u8,
}

impl Source for Endless {
    fn document(&self, guid: Guid) -> Loaded {
        let number = guid.0[15];
        let next = Guid([[1; 15].as_slice(), &[number + 1]].concat().try_into().unwrap());
        let nested = |id: i64| instance(id, '1', 2, "").replace(&"1".repeat(32), &next.to_string());
        let nested =
            (number < self.last).then(|| (0..self.times).map(|n| nested(100 + n)).collect());
        let text = object(1, "N", 0, &[]) + &nested.unwrap_or_else(String::new);
        Loaded::Document(Arc::new(Document::parse(text)))
    }

    fn path(&self, guid: Guid) -> Option<String> {
        Some(format!("{}.prefab", guid.0[15]))
    }
}

fn kinds(hierarchy: &Hierarchy) -> Vec<ProblemKind> {
    hierarchy.problems().into_iter().map(|problem| problem.kind).collect()
}

#[test]
fn nesting_is_cut() {
    let open =
        |last| Expander::new(Arc::new(Endless { times: 1, last })).expand(Guid([1; 16])).unwrap();
    let hierarchy = open(200);
    assert_eq!(hierarchy.count(), MAX_NESTING + 2);
    assert_eq!(hierarchy.objects().last().unwrap().opaque(), Some(Opaque::TooDeep));
    assert_eq!(kinds(&hierarchy), [ProblemKind::TooDeep]);
    let fits = open(1 + MAX_NESTING as u8);
    assert_eq!((fits.count(), kinds(&fits)), (MAX_NESTING + 1, vec![]));
}

#[test]
fn too_many_objects_are_told_without_a_walk() {
    let source = Arc::new(Endless { times: 3, last: 60 });
    let hierarchy = Expander::new(source).expand(Guid([1; 16])).unwrap();
    assert_eq!(kinds(&hierarchy), [ProblemKind::TooMany]);
    assert_eq!(hierarchy.objects().take(1000).count(), 1000);
}

#[test]
fn roots_of_roots_are_opened_in_steps_that_are_counted() {
    // Each prefab is nothing but ten roots, which are prefabs again.
    struct Roots(String);
    impl Source for Roots {
        fn document(&self, guid: Guid) -> Loaded {
            let number = guid.0[15];
            let next = Guid([[1; 15].as_slice(), &[number + 1]].concat().try_into().unwrap());
            let root =
                |id: i64| instance(id, '1', 0, "").replace(&"1".repeat(32), &next.to_string());
            let text = match number {
                40 => self.0.clone(),
                _ => (0..10).map(|n| root(100 + n)).collect(),
            };
            Loaded::Document(Arc::new(Document::parse(text)))
        }

        fn path(&self, guid: Guid) -> Option<String> {
            Some(format!("{}.prefab", guid.0[15]))
        }
    }
    // The last one has an object, or nothing at all, so that no step finds any.
    for leaf in [object(1, "Leaf", 0, &[]), String::from("--- !u!1001 &7\nPrefabInstance:\n")] {
        let expander = Expander::new(Arc::new(Roots(leaf)));
        let hierarchy = expander.expand(Guid([1; 16])).unwrap();
        assert!(hierarchy.roots().len() <= 10_000);
        hierarchy.problems();
        let looked = hierarchy.objects().take(2000).count();
        assert!(looked <= 2000 && expander.entered() < 100_000, "{}", expander.entered());
    }
}

#[test]
fn any_cut_of_a_file_is_read() {
    let lists = format!("m_Modifications:\n{}", set('1', 10, "m_Name", "x"));
    let scene = object(1, "A", 0, &[51]) + &instance(50, '1', 2, &lists) + &stripped(4, 51, 11, 50);
    let prefab = object(10, "P", 0, &[]);
    for end in (0..scene.len()).step_by(3) {
        let files = [
            ('e', "S.unity", format!("%YAML 1.1\n{}", &scene[..end])),
            ('1', "P.prefab", prefab.clone()),
        ];
        let hierarchy = expand(&files);
        hierarchy.problems();
        hierarchy.objects().for_each(|node| _ = (node.path(), node.references()));
    }
}
