//! Diffs of small texts, and random ones applied again.

use expect_test::{Expect, expect};

use super::*;

fn check(before: &str, after: &str, expected: Expect) {
    let diff = unified(before.as_bytes(), after.as_bytes(), "a/x", "b/x", 1);
    let cut = if diff.cut { ", cut" } else { "" };
    expected.assert_eq(&format!("{}+{} -{}{cut}\n", diff.text, diff.added, diff.removed));
}

#[test]
fn changes_have_context_and_line_numbers() {
    check(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n",
        expect![[r#"
            --- a/x
            +++ b/x
            @@ -3,3 +3,3 @@
             3
            -4
            +four
             5
            @@ -9 +9,2 @@
             9
            +10
            +2 -1
        "#]],
    );
    check(
        "1\n2\n3\n",
        "1\n3\n",
        expect![[r#"
            --- a/x
            +++ b/x
            @@ -1,3 +1,2 @@
             1
            -2
             3
            +0 -1
        "#]],
    );
}

#[test]
fn files_come_and_go_and_stay() {
    check(
        "same\n",
        "same\n",
        expect![[r#"
        +0 -0
    "#]],
    );
    check(
        "",
        "a\nb\n",
        expect![[r#"
            --- a/x
            +++ b/x
            @@ -0,0 +1,2 @@
            +a
            +b
            +2 -0
        "#]],
    );
    check(
        "\n",
        "",
        expect![[r#"
            --- a/x
            +++ b/x
            @@ -1 +0,0 @@
            -
            +0 -1
        "#]],
    );
}

#[test]
fn a_missing_last_newline_is_told() {
    check(
        "a\nb",
        "a\nb\n",
        expect![[r#"
            --- a/x
            +++ b/x
            @@ -1,2 +1,2 @@
             a
            -b
            \ No newline at end of file
            +b
            +1 -1
        "#]],
    );
}

#[test]
fn line_ends_are_part_of_lines() {
    let diff = unified(b"a\r\nb\r\n", b"a\r\nc\r\n", "x", "x", 3);
    assert_eq!(diff.text, "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
}

#[test]
fn long_lines_and_long_diffs_are_cut_and_it_is_said() {
    let diff = unified(b"a\n", "ä".repeat(1000).as_bytes(), "x", "x", 3);
    assert!(diff.cut && diff.text.len() < 600);
    let expected = format!("+{}… (2000 bytes)\n\\ No newline at end of file\n", "ä".repeat(250));
    assert!(diff.text.ends_with(&expected), "{}", diff.text);

    let many: String = (0..10_000).map(|n| format!("{n}\n")).collect();
    let diff = unified(b"", many.as_bytes(), "x", "x", 3);
    assert_eq!((diff.added, diff.removed, diff.cut), (10_000, 0, true));
    assert!(diff.text.len() <= MAX_BYTES + 60);
    let shown = diff.text.lines().count() - 4;
    let last = diff.text.lines().last().unwrap();
    assert_eq!(last, format!("… {} more lines of this diff are not shown", 10_000 - shown));
}

#[test]
fn binary_files_are_told_by_size() {
    let diff = unified(b"\0abc", b"\0abcd", "x", "y", 3);
    assert_eq!(diff.text, "--- x\n+++ y\nBinary files differ: 4 bytes before, 5 after\n");
    assert!(diff.binary && !diff.cut);
}

#[test]
fn common_ends_are_found_across_blocks() {
    let long = vec![b'x'; 10_000];
    for at in [0, 1, 4095, 4096, 4097, 8192, 9999] {
        let mut other = long.clone();
        other[at] = b'y';
        assert_eq!(common_prefix(&long, &other), at);
        assert_eq!(common_suffix(&long, &other), 9999 - at);
    }
    assert_eq!(common_prefix(&long, &long[..5000]), 5000);
    assert_eq!(common_suffix(&long[..5000], &long), 5000);
}

/// Applies a unified diff, to check that it tells the whole truth.
fn patched(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut patched, mut at) = (String::new(), 0);
    for line in diff.split_inclusive('\n').skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (start, length) = header
                .split_once(' ')
                .unwrap()
                .0
                .split_once(',')
                .unwrap_or((header.split_once(' ').unwrap().0, "1"));
            let start: usize = start.parse().unwrap();
            let start = if length == "0" { start } else { start - 1 };
            patched.extend(old[at..start].iter().copied());
            at = start;
        } else if let Some(added) = line.strip_prefix('+') {
            patched.push_str(added);
        } else if let Some(kept) = line.strip_prefix(' ') {
            assert_eq!(kept, old[at]);
            patched.push_str(kept);
            at += 1;
        } else if let Some(gone) = line.strip_prefix('-') {
            assert_eq!(gone, old[at]);
            at += 1;
        } else {
            panic!("{line}");
        }
    }
    patched.extend(old[at..].iter().copied());
    patched
}

#[test]
fn random_diffs_lead_from_one_text_to_the_other() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for _ in 0..3000 {
        let text = |random: &mut dyn FnMut(u64) -> u64| -> String {
            (0..random(14)).map(|_| ["a\n", "b\n", "\n", "c\r\n"][random(4) as usize]).collect()
        };
        let (before, after) = (text(&mut random), text(&mut random));
        for context in 0..4 {
            let diff = unified(before.as_bytes(), after.as_bytes(), "x", "x", context);
            assert_eq!(patched(&before, &diff.text), after, "{before:?} {diff:?}");
        }
    }
}

#[test]
fn a_changed_line_in_a_large_file_is_found() {
    let before: Vec<u8> = (0..300_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
    let mut after = before.clone();
    let place = before.len() / 2;
    after[place] = b'#';
    let diff = unified(&before, &after, "x", "x", 3);
    assert_eq!((diff.added, diff.removed, diff.cut), (1, 1, false));
}
