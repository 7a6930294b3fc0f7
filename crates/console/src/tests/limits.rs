//! Nothing that is given to the console ends the process or takes for ever.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{Limits, eval, run, town};
use crate::{EvalError, MAX_SOURCE};

/// Less than the usual limit, which a slow machine may not reach in time.
const FEW_STEPS: Limits<'_> = Limits {
    steps: 1_000_000,
    memory: 32 * 1024 * 1024,
    time: Duration::from_secs(600),
    calls: 400,
    text: 1024,
    log_lines: 1000,
    cancel: &|| false,
    prefabs: &|_| Err(String::new()),
};

fn exception(source: &str) -> String {
    match eval(&mut town(), source, &FEW_STEPS) {
        Err(EvalError::Runtime { exception, .. }) => exception,
        other => panic!("{} gives {other:?}", &source[..source.len().min(80)]),
    }
}

#[test]
fn loops_end() {
    for source in [
        "while (true) { }",
        "for (;;) ;",
        "var i = 0; do { i++; } while (true);",
        "while (true) { try { throw new Exception(\"x\"); } catch { } }",
        "try { while (true) { } } catch (Exception) { return 1; } finally { while (true) { } }",
        "var l = new List<int> { 1 }; for (int i = 0; i < l.Count; i++) { l[0]++; i--; }",
    ] {
        assert_eq!(exception(source), "System.TimeoutException", "{source}");
    }
}

#[test]
fn memory_ends() {
    for source in [
        "new string('x', int.MaxValue)",
        "var l = new List<string>(); while (true) l.Add(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" + l.Count + new string('y', 3000));",
        "var s = \"x\"; while (true) s += s;",
        "new int[2000000000]",
        "new Vector3[100000000]",
        "\"x\".PadLeft(2000000000)",
        "Enumerable.Range(0, 2000000000).Sum()",
        "Enumerable.Repeat(\"x\", 2000000000).Count()",
        "var l = new List<int> { 1 }; while (true) l.AddRange(l);",
        "$\"{1,2000000000}\"",
        "var s = new string('a', 1000000); s.Replace(\"a\", s)",
        "var d = new Dictionary<int, string>(); for (int i = 0; ; i++) d[i] = new string('y', 1000);",
    ] {
        assert_eq!(exception(source), "System.OutOfMemoryException", "{source}");
    }
}

#[test]
fn ordinary_work_is_within_the_limits() {
    let patient = Limits { time: Duration::from_secs(600), ..Limits::default() };
    for (source, gives) in [
        ("var s = 0; for (int i = 0; i < 100000; i++) s += i % 7; s", "299995"),
        (
            "Enumerable.Range(0, 50000).Where(n => n % 2 == 0).OrderBy(n => -n).Select(n => n + 1).First()",
            "49999",
        ),
        // Each text is a little longer than the one before it, which nobody has any more.
        (
            "var s = \"\"; for (int i = 0; i < 5000; i++) s += \"abcdefghijklmnop\"; s.Length",
            "80000",
        ),
    ] {
        assert_eq!(eval(&mut town(), source, &patient).unwrap().text, gives, "{source}");
    }
}

#[test]
fn what_nothing_leads_to_is_forgotten() {
    let patient = Limits { time: Duration::from_secs(600), ..Limits::default() };
    // More than is allowed at once, in lists, maps, functions and tuples of which one is needed.
    for (source, gives) in [
        (
            "var n = 0; for (int i = 0; i < 200000; i++) { var l = new List<int> { i, i, i, i, i, i, i, i, i, i }; n += l.Count; } n",
            "2000000",
        ),
        (
            "var n = 0; foreach (var i in Enumerable.Range(0, 100000)) { var d = new Dictionary<int, int[]> { [i] = new int[20] }; n += d[i].Length; } n",
            "2000000",
        ),
        (
            "var n = 0; var i = 0; while (i < 200000) { i++; var t = (i, \"abcdefghijklmnopqrstuvwxyz\" + i); Func<int> f = () => t.Item1; n += f() - i + 1; } n",
            "200000",
        ),
    ] {
        assert_eq!(eval(&mut town(), source, &patient).unwrap().text, gives, "{source}");
    }
}

#[test]
fn what_is_still_needed_is_never_forgotten() {
    // So little that all is looked at again and again.
    let tight = Limits { memory: 60_000, time: Duration::from_secs(600), ..Limits::default() };
    let waste = "for (int w = 0; w < 300; w++) { var x = new int[60]; }";
    for (source, gives) in [
        // In a list of lists, by two names, in a circle.
        (format!("var a = new List<List<int>> {{ new List<int> {{ 1 }} }}; var b = a[0]; {waste} b.Add(2); a[0].Count"), "2"),
        (format!("var o = new List<object>(); o.Add(o); o.Add(7); {waste} ((List<object>)o[0])[1]"), "7"),
        // In a map, a tuple, a function and what that remembers.
        (format!("var d = new Dictionary<string, int[]> {{ [\"k\"] = new[] {{ 5 }} }}; {waste} d[\"k\"][0]"), "5"),
        (format!("var t = (1, new List<int> {{ 3 }}); {waste} t.Item2[0]"), "3"),
        (format!("Func<int> F() {{ var l = new List<int> {{ 4 }}; return () => l[0]; }} var f = F(); {waste} f()"), "4"),
        // The items of a loop whose list is emptied meanwhile.
        (format!("var l = new List<List<int>> {{ new List<int> {{ 1 }}, new List<int> {{ 2 }} }}; var s = 0; foreach (var i in l) {{ l = new List<List<int>>(); {waste} s += i[0]; }} s"), "3"),
        // What is returned, while the end of it is run.
        (format!("try {{ return new List<int> {{ 9 }}; }} finally {{ {waste} }}"), "System.Collections.Generic.List`1[System.Int32]"),
        // Inside of an expression nothing is forgotten at all.
        ("int W(int n) { for (int w = 0; w < 3; w++) { var x = new int[60]; } return n; } var n = new List<int> { W(1), W(2) }.Count + new[] { W(3) }[0]; n".to_owned(), "5"),
    ] {
        assert_eq!(eval(&mut town(), &source, &tight).unwrap().text, gives, "{source}");
    }
}

#[test]
fn recursion_ends() {
    for source in [
        "int F(int n) => F(n + 1); F(0)",
        "int F(int n) => 1 + F(n + 1) * 2; F(0)",
        "Func<int, int> f = null; f = x => f(x + 1); f(0)",
        "int F(int n) { try { return F(n + 1); } catch (Exception) { return 0; } } F(0)",
        "int F(int n) => new[] { n }.Select(x => F(x)).Sum(); F(0)",
        "bool F(int n) { foreach (var x in new[] { 1 }) { if (F(n)) { while (true) { return F(n); } } } return true; } F(0)",
    ] {
        assert_eq!(exception(source), "System.StackOverflowException", "{source}");
    }
    // Whatever the caller allows, the stack is not used up.
    let limits = Limits { calls: usize::MAX, ..Limits::default() };
    for source in [
        "int F(int n) => 1 + F(n + 1) * 2; F(0)",
        "int F(int n) => new[] { n }.Select(x => F(x)).Sum(); F(0)",
        "Func<int, int> f = null; f = x => { try { return f(x); } finally { } }; f(0)",
    ] {
        let error = eval(&mut town(), source, &limits).unwrap_err().to_string();
        assert!(error.starts_with("System.StackOverflowException"), "{source}: {error}");
    }
    assert_eq!(run("int F(int n) => n == 0 ? 0 : 1 + F(n - 1); F(390)").unwrap(), "390");
}

#[test]
fn objects_and_lines_of_the_log_end() {
    assert_eq!(exception("while (true) new GameObject(\"x\");"), "System.OutOfMemoryException");
    assert_eq!(exception("while (true) Debug.Log(1);"), "System.InvalidOperationException");
    assert_eq!(
        exception("var g = GameObject.Find(\"Town\"); while (true) Instantiate(g, g.transform);"),
        "System.OutOfMemoryException"
    );
}

#[test]
fn whoever_waits_can_stop_it() {
    let asked = AtomicUsize::new(0);
    let cancel = || asked.fetch_add(1, Ordering::Relaxed) > 3;
    let limits = Limits { cancel: &cancel, ..Limits::default() };
    let error = eval(&mut town(), "while (true) { }", &limits).unwrap_err();
    assert!(error.to_string().starts_with("System.OperationCanceledException"), "{error}");
    let limits = Limits { time: Duration::from_millis(20), steps: u64::MAX, ..Limits::default() };
    let error = eval(&mut town(), "while (true) { }", &limits).unwrap_err();
    assert!(error.to_string().starts_with("System.TimeoutException"), "{error}");
}

#[test]
fn long_results_are_cut() {
    let limits = Limits { text: 5, ..Limits::default() };
    let given = eval(&mut town(), "\"ab\u{e9}\u{e9}\u{e9}\"", &limits).unwrap();
    assert_eq!(given.text, "ab\u{e9}");
}

#[test]
fn huge_and_deep_sources_are_refused() {
    let compile = |source: String| match run(&source) {
        Err(EvalError::Compile { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    assert!(compile(" ".repeat(MAX_SOURCE + 1)).contains("at most"));
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("!", ""),
        ("-", ""),
        ("new[] {", "}"),
        ("F(", ")"),
        ("a[", "]"),
        ("if (true) ", ""),
        ("x => ", ""),
        ("1 + (", ")"),
        ("a ? b : ", ""),
        ("(int)", ""),
        ("a ?? ", ""),
        ("List<", ">"),
        ("$\"{", "}\""),
        ("a is not ", ""),
        ("x switch { _ => ", "}"),
        ("Func<int> f = () => { ", "}"),
    ] {
        let source = format!("{}1{}", open.repeat(9000), close.repeat(9000));
        assert!(run(&source).is_err(), "{open}");
    }
    assert!(compile(format!("return {}1;", "1 + ".repeat(60_000))).contains("too long"));
    assert!(compile(format!("return a{};", ".b".repeat(60_000))).contains("too long"));
    let many = format!("var s = 0; {} s", "s += 1;".repeat(20_000));
    assert_eq!(run(&many).unwrap(), "20000");
}

/// Repetition of what parsers like least.
#[test]
fn endless_repetition_is_answered() {
    // As long as a source may be.
    let refused_at_sight = [
        "(",
        "[",
        "{",
        "<",
        "\"",
        "'",
        "$\"{",
        "$\"{{{",
        "/*",
        "#",
        ")",
        "}",
        "F(",
        "List<",
        "a.b<c.",
        "a<b<",
        "a is not ",
        "a is 1 or ",
        "get {",
    ];
    // Shorter, because they are read to their end before they are refused.
    let read = [
        "(a)", "!", "x => ", "a ? b : ", "if (a) ", "a < b, ", "a.b?.c", "where ", "@\"", "$\"",
        "\0", "\\u0041", "é", "a;", "a as ", "a b ",
    ];
    let all = refused_at_sight.map(|part| (part, MAX_SOURCE));
    for (part, size) in all.into_iter().chain(read.map(|part| (part, 16 * 1024))) {
        assert!(run(&part.repeat(size / part.len())).is_err(), "{part}");
    }
    let parens = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(run(&parens).unwrap_err().to_string().contains("nested too deep"));
    let parens = format!("{}1{}", "(".repeat(100), ")".repeat(100));
    assert_eq!(run(&parens).unwrap(), "1");
}

/// No input may panic or hang.
#[test]
fn nasty_inputs_are_answered() {
    let sources = [
        "\0",
        "\"",
        "'",
        "'\\",
        "$\"",
        "$\"{",
        "$\"{1",
        "$\"{1:",
        "@\"",
        "@",
        "/*",
        "//",
        "#",
        "0x",
        "0b2",
        "1e",
        "1e999",
        "99999999999999999999",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ";",
        ",",
        ".",
        "?",
        "?.",
        "=>",
        "->",
        "..",
        "new",
        "new int[",
        "new []",
        "typeof",
        "typeof(",
        "default(",
        "is",
        "as",
        "var",
        "var x",
        "var x =",
        "int",
        "int.",
        "int x = x;",
        "x => x",
        "() => ",
        "(a, b)",
        "(a, b) = ",
        "a < b > c",
        "a<b>(c)",
        "List<>",
        "List<int",
        "foreach",
        "foreach (var",
        "switch",
        "switch (1)",
        "switch (1) {",
        "switch (1) { case",
        "1 switch {",
        "try",
        "try {} ",
        "catch",
        "throw",
        "throw;",
        "return return",
        "else",
        "do",
        "for (",
        "for (;;",
        "int F(",
        "int F()",
        "int F() =>",
        "void F() => 1;",
        "F F F",
        "int.MinValue / -1",
        "long.MinValue / -1L",
        "int.MinValue % -1",
        "Math.Abs(int.MinValue)",
        "(int)double.NaN",
        "(int)1e300",
        "(byte)-1",
        "new int[1][5]",
        "\"\"[0]",
        "new List<int>()[0]",
        "\"abc\".Substring(-1)",
        "\"abc\".Remove(9)",
        "\"abc\".Insert(4, \"x\")",
        "\"a\".Split()",
        "string.Format(\"{9}\", 1)",
        "string.Format(\"{\", 1)",
        "1.ToString(\"F999\")",
        "1.ToString(\"Q\")",
        "1.5.ToString(\"D\")",
        "1.ToString(\"F99999999999999999999\")",
        "$\"{1:Z}\"",
        "Enumerable.Range(0, -1).Count()",
        "new string('x', -1)",
        "Mathf.Clamp(1, 5, 0)",
        "Math.Round(1.5, 99)",
        "Mathf.Repeat(1, 0)",
        "var l = new List<object>(); l.Add(l); l",
        "var l = new List<object>(); l.Add(l); return new[] { l }.SelectMany(x => x).Count();",
        "new List<int> { 3, 1 }.OrderBy(x => double.NaN).First()",
        "var l = new List<int> { 3, 1, 2 }; l.Sort((a, b) => 1); l.Count",
        "new object[] { 1, \"a\" }.OrderBy(x => x).First()",
        "new object[] { 1, \"a\" }.Max()",
        "((object)null).ToString()",
        "object o = null; o.GetType()",
        "var t = GameObject.Find(\"Town\").transform; t.SetParent(t)",
        "var t = GameObject.Find(\"Town\").transform; t.parent = t.GetChild(0);",
        "GameObject.Find(\"Town\").layer = 99;",
        "GameObject.Find(null)",
        "GameObject.Find(\"\")",
        "GameObject.Find(\"/\")",
        "Object.Destroy(null)",
        "Object.Instantiate<GameObject>(null)",
        "DestroyImmediate(GameObject.Find(\"Lamp\").transform)",
        "GameObject.Find(\"Lamp\").AddComponent<Transform>()",
        "GameObject.Find(\"Lamp\").transform.localScale = Vector3.one / 0; 1",
        "object t = 1; for (int i = 0; i < 60; i++) t = (t, t); t == t",
        "object t = 1; for (int i = 0; i < 100000; i++) t = (t, 1); t",
        "var l = new List<object>(); for (int i = 0; i < 12; i++) l.Add(l); l",
        "var a = (1, 1); var b = (a, a); var c = (b, b); var d = (c, c); var e = (d, d); var f = (e, e); var g = (f, f); var h = (g, g); h",
        "var x = 1; { var x = 2; }",
        "int x; x",
        "Action a = null; a();",
        "Func<int> f = () => { }; f()",
        "string s = null; s.Length",
        "string s = null; s + s",
        "1 = 2",
        "F() = 2",
        "\"a\" = 2",
        "null",
        "null.x",
        "null + null",
        "default",
        "_ = 5",
        "_",
        "__",
        "é",
        "\u{1F600}",
        "int a = 1; a.b.c.d",
        "int? n = null; n.Value",
        "(1, 2).Item3",
        "(1, 2).Item0",
        "var (a, b) = 5;",
        "var (a, b, c) = (1, 2);",
        "typeof(void)",
        "void x;",
        "new void()",
        "new int()",
        "new int[]",
        "new Vector3(1)",
        "new Vector3(1, 2, 3, 4)",
        "Vector3 v; v.x",
        "new Exception().Message.Length",
    ];
    for source in sources {
        let given = run(source);
        // Every prefix of a source is a source too.
        if given.is_ok() {
            assert_eq!(run(source).ok(), given.ok(), "{source}");
        }
    }
    let whole = "var d = new Dictionary<string, List<int>> { [\"a\"] = new List<int> { 1 } }; foreach (var (k, v) in d) { Debug.Log($\"{k,5}: {v.Sum(x => x * 2):F1}\"); } try { int F(int? n) => n ?? 0; return F(null) switch { 0 => 'a', _ => @\"b\"[0] }; } catch (Exception e) when (e is not null) { throw; } finally { }";
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let _ = run(&whole[..end]);
    }
    assert_eq!(run(whole).unwrap(), "a");
}

/// Random tokens, the same at every run.
#[test]
fn random_tokens_are_answered() {
    let words = [
        "var",
        "x",
        "y",
        "=",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ",",
        ";",
        ".",
        "?",
        ":",
        "=>",
        "+",
        "-",
        "!",
        "1",
        "\"s\"",
        "'c'",
        "1.5f",
        "new",
        "int",
        "List",
        "return",
        "if",
        "for",
        "foreach",
        "in",
        "while",
        "is",
        "as",
        "switch",
        "case",
        "GameObject",
        "Find",
        "transform",
        "Select",
        "null",
        "out",
        "??",
        "&&",
        "==",
        "++",
        "$\"{x}\"",
        "typeof",
        "try",
        "catch",
        "throw",
        "void",
        "F",
    ];
    let mut next = random();
    let mut good = 0;
    for _ in 0..3000 {
        let count = 1 + next(14);
        let source: Vec<&str> = (0..count).map(|_| words[next(words.len())]).collect();
        good += usize::from(run(&source.join(" ")).is_ok());
    }
    assert!(good > 0, "some of them are programs");
}

/// Programs with something missing, doubled or in another place, the same at every run.
#[test]
fn broken_programs_are_answered() {
    let whole = [
        "var d = new Dictionary<string, List<int>> { [\"a\"] = new List<int> { 1 } };\nforeach (var (k, v) in d) { Debug.Log($\"{k,5}: {v.Sum(x => x * 2):F1} {{é}}\"); }",
        "int F(int? n, string s = @\"a\"\"b\") => n is > 1 and not 3 ? (int)1.5f : s?.Length ?? -1;\r\nF(2) switch { 0 => 'a', var o when o > 1 => '\\n', _ => \"b\"[0] }",
        "try { for (int i = 0, j = 1; i < 2 && j > 0; i++) { if (i == 1) throw new Exception(\"x\"); } }\ncatch (Exception e) when (e.Message == \"x\") { return (a: 1, b: new[] { 2 }[0]); } /* c */ finally { }",
    ];
    let mut next = random();
    let mut good = 0;
    for round in 0..1500 {
        let mut letters: Vec<char> = whole[round % whole.len()].chars().collect();
        for _ in 0..1 + next(3) {
            let at = next(letters.len());
            let end = (at + 1 + next(4)).min(letters.len());
            match next(3) {
                0 => drop(letters.drain(at..end)),
                1 => drop(letters.splice(at..at, letters[at..end].to_vec())),
                _ => {
                    let other = next(letters.len());
                    letters.swap(at, other);
                }
            }
        }
        let source: String = letters.into_iter().collect();
        good += usize::from(run(&source).is_ok());
    }
    assert!(good > 0, "some of them are still programs");
}

/// Numbers below a limit, the same at every run.
fn random() -> impl FnMut(usize) -> usize {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    }
}
