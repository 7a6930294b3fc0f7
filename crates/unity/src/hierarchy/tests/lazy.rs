//! A look at the start of an expansion costs no more than that.

use super::*;

/// An id as large as Unity's; small ones would meet each other by exclusive or.
fn large(number: u8) -> i64 {
    i64::from(number).wrapping_mul(0x1e37_79b9_7f4a_7c15) & i64::MAX
}

/// Prefabs that each hold the one before twice beside an object of their own, as in
/// EntityComponentSystemSamples: a scene of a few documents that stands for 49,151 objects.
fn doubling() -> Hierarchy {
    let pair = |inner: char, seed: u8| {
        object(10, "Pair", 0, &[])
            + &instance(large(seed), inner, 11, "")
            + &instance(large(seed + 100), inner, 11, "")
    };
    let leaf = object(10, "Leaf", 0, &[21]) + &object(20, "Bud", 11, &[]);
    let mut files = vec![('1', "Leaf.prefab", leaf)];
    let digits: Vec<char> = "123456789abcdf".chars().collect();
    for (seed, two) in (1..).zip(digits.windows(2)) {
        files.push((two[1], "Pair.prefab", pair(two[0], seed)));
    }
    files.push(('e', "S.unity", pair('f', 50)));
    expand(&files)
}

/// So many objects are read by several threads; one of them is written in an unusual way.
#[test]
fn a_large_file_keeps_its_order() {
    let name =
        |number: i64| if number == 5000 { "'Odd: one'".into() } else { format!("N{number}") };
    let objects = (1..=11_000).map(|number| object(number * 10, &name(number), 0, &[]));
    let hierarchy = expand(&[('e', "S.unity", objects.collect())]);
    let roots = hierarchy.roots();
    let names: Vec<_> = roots.iter().map(|node| node.name()).collect();
    assert_eq!((names.len(), &*names[0], &*names[4999]), (11_000, "N1", "Odd: one"));
    assert!(names.iter().zip(1..).all(|(shown, number)| number == 5000 || *shown == name(number)));
    assert_eq!(hierarchy.problems(), []);
}

#[test]
fn the_first_page_costs_a_page() {
    let hierarchy = doubling();
    assert_eq!(hierarchy.objects().take(100).count(), 100);
    // Two of three objects are in a leaf, and one instance of each level is open.
    let entered = hierarchy.expander.entered();
    assert!(entered < 100, "{entered} instances were entered for 100 objects");
}

#[test]
fn the_whole_is_walked_and_counted() {
    let hierarchy = doubling();
    assert_eq!(hierarchy.count(), 49_151);
    assert_eq!(hierarchy.problems(), []);
    // Each instance is entered once, whatever the number of objects in it.
    assert_eq!(hierarchy.expander.entered(), (1 << 15) - 2);
}

#[test]
fn a_late_object_is_found_by_its_id() {
    let hierarchy = doubling();
    let last = hierarchy.objects().last().unwrap();
    let before = hierarchy.expander.entered();
    let found = hierarchy.find_by_id(last.file_id().unwrap()).unwrap();
    assert!(hierarchy.expander.entered() - before < 20);
    assert_eq!(found, last);
    assert_eq!(found.components()[0].file_id(), last.components()[0].file_id());
}

#[test]
fn children_can_be_skipped() {
    let hierarchy = doubling();
    let mut objects = hierarchy.objects();
    let mut count = 0;
    while objects.next().is_some() {
        count += 1;
        if objects.depth() == 2 {
            objects.skip_children();
        }
    }
    assert_eq!(count, 1 + 2 + 4);
}

#[test]
fn threads_share_an_expander() {
    let hierarchy = doubling();
    let counts: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| hierarchy.objects().take(5000).count())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(counts, [5000; 4]);
}
