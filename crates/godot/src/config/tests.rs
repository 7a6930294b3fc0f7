use super::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let config = Config::parse(text);
    let mut shown = String::new();
    for Entry { section, key, value, line } in &config.entries {
        shown += &format!("{line} [{section}] {key} = {}\n", value.0.replace('\n', "⏎"));
    }
    for Problem { line, text } in &config.problems {
        shown += &format!("{line} PROBLEM {text}\n");
    }
    expected.assert_eq(&shown);
}

#[test]
fn reads_sections_keys_and_comments() {
    check(
        "; a comment\nconfig_version=5\n\n[application] ; another\n\n\"quoted key\" = 1 ; third\na / b=true c=-2.5e-3\n",
        expect![[r#"
            2 [] config_version = 5
            6 [application] quoted key = 1
            7 [application] a/b = true
            7 [application] c = -2.5e-3
        "#]],
    );
}

#[test]
fn values_span_lines() {
    check(
        "text=\"one\ntwo \\\" [x] ; not a comment\"\njump={\n\"events\": [Object(InputEventKey,\"a\":null) ; here\n, 1]\n}\nlast=Array[int]([\n1])\r\nname=&\"n\"\ncolor=#ff00aa\n",
        expect![[r#"
            1 [] text = "one⏎two \" [x] ; not a comment"
            3 [] jump = {⏎"events": [Object(InputEventKey,"a":null) ; here⏎, 1]⏎}
            7 [] last = Array[int]([⏎1])
            9 [] name = &"n"
            10 [] color = #ff00aa
        "#]],
    );
}

#[test]
fn what_is_not_understood_is_a_problem_with_its_line() {
    check(
        "a=1\nnonsense\nb=2\n[open\nc=True\nd=3\n",
        expect![[r#"
        1 [] a = 1
        3 [] b = 2
        6 [] d = 3
        2 PROBLEM `nonsense` is neither a section nor `key=value`
        4 PROBLEM the section `[open` has no `]`
        5 PROBLEM the value of `c` is `True`, which is no value
    "#]],
    );
    check(
        "a={\nb=2\nc=[1)\nd=\"x\n",
        expect![[r#"
        2 [] b = 2
        1 PROBLEM the value of `a` has a `)` without its partner
        3 PROBLEM the value of `c` has a `)` without its partner
        4 PROBLEM the value of `d` has no closing `"`
    "#]],
    );
    check(
        "a=\n[next]\nb= ; nothing\n",
        expect![[r#"
        1 PROBLEM the value of `a` is missing
        3 PROBLEM the value of `b` is missing
    "#]],
    );
    check(
        "a=1_000\nb=?\nc=&x\n\"k\" 1\n",
        expect![[r#"
        1 [] a = 1
        1 PROBLEM `_000` is neither a section nor `key=value`
        2 PROBLEM the value of `b` starts with `?`, which is no value
        3 PROBLEM the value of `c` has a `&` or `@` without a text after it
        4 PROBLEM no `=` after the key `k`
    "#]],
    );
}

#[test]
fn gives_up_after_many_problems() {
    let text = "a={\n".repeat(100_000);
    let config = Config::parse(&text);
    assert_eq!(config.problems.len(), MAX_PROBLEMS + 1);
    assert_eq!(config.entries.len(), 0);
}

#[test]
fn deep_nesting_is_no_danger() {
    let deep = format!("a={}{}\nb=1", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_eq!(Config::parse(&deep).entries.len(), 2);
}

#[test]
fn decodes_strings() {
    let text = r#""a\n\t\"\\\x \u00e9 \ud83d\ude00 \U01F600 \ud800 \u1""#;
    let expected = "a\n\t\"\\x é 😀 😀 \u{fffd} \u{fffd}1";
    assert_eq!(Value(text).string().as_deref(), Some(expected));
    assert_eq!(Value("&\"name\"").string().as_deref(), Some("name"));
    assert_eq!(Value("5").string(), None);
}

#[test]
fn collects_the_strings_of_a_list() {
    let list = "PackedStringArray(\"4.3\", ; \"no\"\n \"a, \\\"b\\\"\")";
    assert_eq!(Value(list).strings(), ["4.3", "a, \"b\""]);
    assert_eq!(Value("5").strings(), Vec::<String>::new());
}

#[test]
fn the_last_of_two_keys_wins() {
    let config = Config::parse("[a]\nk=1\n[b]\nk=2\n[a]\nk=3\n");
    assert_eq!(config.find("a", "k").and_then(Value::int), Some(3));
    assert_eq!(config.find("c", "k"), None);
}

#[test]
fn any_cut_reads() {
    let text = "[é]\n\"ké\\é\"=\"\\u00é\\\"\" ; é\nb={\"é\": [&\"é\", #é]}\né=Array[é]({é})\n@é=-é";
    for (at, _) in text.char_indices() {
        for part in [&text[..at], &text[at..]] {
            for entry in Config::parse(part).entries {
                entry.value.string();
                entry.value.strings();
            }
        }
    }
}
