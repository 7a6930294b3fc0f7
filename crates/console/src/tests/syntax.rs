//! What is easily read otherwise than C# reads it.

use super::{check, check_errors, run};

#[test]
fn angles_compare_or_hold_types() {
    check(&[
        ("int a = 1, b = 2, c = 3, d = 2; a < b && c > d", "True"),
        ("int a = 1, b = 2; bool f = a < b; f", "True"),
        ("int a = 1, b = 2, c = 3; (a < b) == (c > b)", "True"),
        ("var l = new List<List<int>> { new List<int> { 1 } }; l[0][0] >> 0", "1"),
        ("int i = 5; i<3 || i>4", "True"),
        ("for (int i = 0; i<3; i++) { if (i<1) continue; return i; } return 9;", "1"),
        ("GameObject.Find(\"Lamp\").GetComponent<Light>().intensity < 2f", "True"),
        ("new Dictionary<string, Dictionary<int, List<bool>>>().Count", "0"),
        ("typeof(Dictionary<string, List<int>>).Name", "Dictionary"),
    ]);
}

#[test]
fn brackets_cast_or_group() {
    check(&[
        ("double x = 3.7; (int)x", "3"),
        ("double x = 3.7; (int)x * 2", "6"),
        ("double x = 3.7; (int)(x * 2)", "7"),
        ("Vector2 v = new Vector2(1, 2); ((Vector3)v).y", "2"),
        ("int x = 5; (x) - 1", "4"),
        ("int x = 5; (x) + 1 * 2", "7"),
        ("int x = 6, y = 3; (x) & y", "2"),
        ("int x = 6, y = 3; (x) * y", "18"),
        ("int x = 6, y = 3; x * y", "18"),
        ("int x = 6, y = 3; x * y;", "18"),
        ("var a = new[] { 4, 5 }; (a)[1]", "5"),
        ("var a = new[] { 4, 5 }; (a)[1].ToString() + (a).Length", "52"),
        ("(int)-3.9 + -(int)2.5", "-5"),
        ("(long)int.MaxValue + 1", "2147483648"),
        ("object o = \"abc\"; ((string)o).Length", "3"),
        ("object o = \"abc\"; (o as string).Length", "3"),
        ("((1 + 2)) * (3)", "9"),
        ("(LightType)(1)", "Directional"),
        ("(int)LightType.Point + 1", "3"),
    ]);
}

#[test]
fn operators_bind_as_in_csharp() {
    check(&[
        ("string s = \"ab\"; 1 + s?.Length * 2", "5"),
        ("string s = null; 1 + s?.Length ?? 7", "7"),
        ("string s = \"ab\"; s?.Length == 2 ? s?.ToUpper() : \"n\"", "AB"),
        ("string s = \"ab\"; s?[0]", "a"),
        ("string s = \"ab\"; s?.Trim()?.ToUpper()?.Length + 1", "3"),
        ("string s = null; !(s?.Length > 1)", "True"),
        ("string a = null, b = null; a ?? b ?? \"c\"", "c"),
        ("string a = null; a ?? (a ??= \"d\")", "d"),
        ("object o = 5; o is null || o is int && true", "True"),
        ("object o = 7; o is > 5 && true", "True"),
        ("object o = 7; o is not string && o is not null", "True"),
        ("int n = 2; n is 1 or 2 && n > 0", "True"),
        ("int n = 3; n is not 1 and not 2", "True"),
        ("int n = 3; n is not (1 or 3)", "False"),
        ("object o = 3; o is int ? 1 : 2", "1"),
        ("object o = 3; o is int n && n == 3 ? \"three\" : \"no\"", "three"),
        ("object o = new List<int>(); o is List<int> && true", "True"),
        ("object o = new int[1]; o is int[] a && a.Length == 1", "True"),
        ("int? n = null; n is null ? 1 : 2", "1"),
        ("1 - 2 - 3", "-4"),
        ("2 + 3 * 4 % 5 << 1", "8"),
        ("1 | 2 ^ 3 & 4 + 1", "3"),
        ("true ? false ? 1 : 2 : 3", "2"),
        ("int a, b; a = b = 4; a + b", "8"),
        ("int x = 1; -x switch { -1 => \"minus\", _ => \"plus\" }", "minus"),
        ("int x = 1; 10 + x switch { 1 => 5, _ => 6 }", "15"),
        ("int x = 3; x++ + ++x", "8"),
        ("var v = Vector3.up; v.y += 1; -v.y", "-2"),
        ("string s = \"a\"; s!.Length", "1"),
    ]);
}

#[test]
fn lambdas_stand_anywhere() {
    check(&[
        ("new[] { 1, 2, 3 }.Where(x => x > 1 && x < 3).Count()", "1"),
        ("new[] { 1, 2 }.Select(x => { var y = x * 2; return y + 1; }).Sum()", "8"),
        ("new[] { 1, 2 }.Select((x, i) => x * i).Sum()", "2"),
        ("Func<int, int> f = (int x) => x > 1 ? x : -x; f(1)", "-1"),
        ("Func<int> f = () => 4; f() + f()", "8"),
        ("Func<string, int> f = s => s?.Length ?? 0; f(null)", "0"),
        ("new[] { 3, 1 }.OrderBy(x => x).First(x => x is > 0)", "1"),
        ("Action a = () => { }; a();", ""),
    ]);
}

#[test]
fn strings_of_every_kind() {
    check(&[
        (r#"$"""#, ""),
        (r#"$"" + """#, ""),
        (r#"int x = 5; $"{{{x}}}""#, "{5}"),
        (r#"var d = new Dictionary<string, int> { ["a"] = 1 }; $"{{{d["a"]}}}""#, "{1}"),
        (r#"$"{{}}{1}}}{{""#, "{}1}{"),
        (r#"$"{1,3}|{1,-3}|{1.5,6:F2}|""#, "  1|1  |  1.50|"),
        (r#"$"{$"{1}{"a"}"}b""#, "1ab"),
        (r#"$"{(true ? "y" : "n")}""#, "y"),
        (r#"$"{new[] { 1, 2 }.Sum(x => x * 2)}""#, "6"),
        (r#"$"a\t{1}\\\"{2}\u0041""#, "a\t1\\\"2A"),
        (r#"$"// {1} /* ; #""#, "// 1 /* ; #"),
        (r#"int x = 1; $@"{x}""""#, "1\""),
        (r#"$@"""""#, "\""),
        (r#"@$"a ""{1}"" \""#, r#"a "1" \"#),
        ("@\"a\nb\"", "a\nb"),
        (r#"@"""""#, "\""),
        (r#"@"""" + @"a""b""#, "\"a\"b"),
        (r#""// no /* comment" + "it's; {}""#, "// no /* commentit's; {}"),
        (r#""é\u00e9ß🎲""#, "ééß🎲"),
        (r#""\x41\0".Length"#, "2"),
        (r#"'\'' == "'"[0] && '"' == "\""[0] && '\\' == 92"#, "True"),
        (r"'é' + 0", "233"),
        (r"'{' + 0", "123"),
    ]);
    check_errors(&[
        (r#"1 + "a\qb""#, "(1,7): error CS1009: unrecognized escape sequence"),
        (r#""\ud800""#, "(1,2): error CS1009: unrecognized escape sequence"),
        ("''", "(1,1): error a character is one letter or escape in single quotes"),
        ("'ab'", "(1,1): error a character is one letter or escape in single quotes"),
        ("'🎲'", "(1,1): error a character is one letter or escape in single quotes"),
        (
            "1 +\n \"\"\"raw\"\"\"",
            "(2,2): error raw strings are not supported; use a verbatim string @\"…\"",
        ),
        (
            "$\"\"\"{1}\"\"\"",
            "(1,1): error raw strings are not supported; use a verbatim string @\"…\"",
        ),
        ("$\"a}\"", "(1,4): error a single '}' in an interpolated string; write '}}'"),
        ("$\"{1", "(1,1): error the string has no end"),
        ("@\"a", "(1,1): error the string has no end"),
        ("1 /* a", "(1,3): error the comment has no end"),
    ]);
}

#[test]
fn numbers_of_every_kind() {
    check(&[
        ("0xFF + 0Xff + 0b11 + 0B1_1", "516"),
        ("1_000 + 0x1_0", "1016"),
        ("10u.GetType().Name + 10L.GetType().Name", "UInt32Int64"),
        ("1.5e3 + 1E-1 + .5", "1500.6"),
        ("1f + 2d", "3"),
        ("1_0.5_0f", "10.5"),
        ("0xFFl", "255"),
        ("3.ToString() + 1.5.ToString()", "31.5"),
    ]);
    check_errors(&[
        ("99999999999999999999", "(1,1): error CS1021: the integral constant is too large"),
        ("1ul", "(1,1): error ulong is not supported; use long"),
    ]);
}

#[test]
fn objects_and_tuples_are_made() {
    check(&[
        ("Vector3 v = new(1, 2, 3); v.z", "3"),
        ("new Vector3 { x = 1, y = 2 }.y", "2"),
        ("new List<int> { 1, 2, }.Count", "2"),
        ("new Dictionary<string, int> { { \"a\", 1 }, { \"b\", 2 } }[\"b\"]", "2"),
        ("new Dictionary<string, int> { [\"a\"] = 1, [\"b\"] = 2 }.Count", "2"),
        ("new int[3].Length + new int[] { 1, 2 }.Length + new[] { 1 }.Length", "6"),
        ("new int[2][].Length", "2"),
        ("int[] a = { 1, 2, 3 }; a.Sum()", "6"),
        ("int[][] a = { new[] { 1 }, new[] { 2, 3 } }; a[1][1]", "3"),
        ("(int, string) t = (1, \"a\"); t.Item2", "a"),
        ("(int n, string s) t = (1, \"a\"); t.n + t.s", "1a"),
        ("(int a, (int b, int c) d) t = (1, (2, 3)); t.d.c", "3"),
        ("var (a, b) = (1, 2); a + b", "3"),
        ("new Dictionary<string, int>().TryGetValue(\"a\", out var n) ? 1 : n", "0"),
        ("int n; new Dictionary<string, int>().TryGetValue(\"a\", out n); n", "0"),
    ]);
}

#[test]
fn switches_and_patterns() {
    check(&[
        (
            "string F(object o) => o switch { null => \"null\", int n when n > 5 => \"big\", int => \"int\", string s => s, LightType.Spot => \"spot\", _ => \"?\" }; F(null) + F(9) + F(1) + F(\"s\") + F(1.5)",
            "nullbigints?",
        ),
        (
            "int n = 4; switch (n) { case < 0: return \"neg\"; case 1 or 2: return \"few\"; case > 3 and < 9: { return \"some\"; } default: return \"many\"; }",
            "some",
        ),
        (
            "switch (LightType.Point) { case LightType.Spot: return 1; case LightType.Point: return 2; } return 3;",
            "2",
        ),
        ("switch (\"b\") { case \"a\": case \"b\": return 1; default: return 2; }", "1"),
        ("object o = 'c'; o is char c ? c : 'x'", "c"),
        ("object o = 2.5; o is var v && v != null", "True"),
    ]);
}

#[test]
fn comments_and_line_ends_stand_anywhere() {
    check(&[
        ("// only a comment", ""),
        ("/* only */ /* two */", ""),
        ("\r\n\t ", ""),
        ("\u{feff}", ""),
        ("var /*a*/ x /*b*/ = /*c*/ 4 /*d*/ ; // e\r\nx /*f*/ + // g\r\n 1 /*h*/ // i", "5"),
        (
            "F( /*a*/ 1 /*b*/ , /*c*/ 2 ); int F(int a /*x*/, int b) { return /*y*/ a - b; /*z*/ }",
            "",
        ),
        ("int F(int a) /*x*/ => /*y*/ a; F(/*z*/3)", "3"),
        ("new /*a*/ int /*b*/ [] /*c*/ { 1, /*d*/ 2 } /*e*/ . /*f*/ Length", "2"),
        ("if (true) // a\n  return 1; // b\nelse // c\n  return 2;", "1"),
        ("switch (1) { /*a*/ case 1: /*b*/ return 1; /*c*/ }", "1"),
        ("\"a\".Length\r\n", "1"),
        ("-1 // ;", "-1"),
        ("1; // the end", "1"),
    ]);
    check_errors(&[(
        "var a = 1;\r\n// é\r\n  return b;",
        "(3,10): error CS0103: the name 'b' does not exist here; declare it, or find the object with GameObject.Find",
    )]);
}

#[test]
fn names_may_be_of_any_language() {
    check(&[
        ("var größe = 2; var 数 = 3; größe * 数", "6"),
        ("int @class = 4, @x = 1; @class + x", "5"),
        (
            "int value = 1, when = 2, from = 3, async = 4, record = 5; record += value; value + when + from + async + record",
            "16",
        ),
        ("string nameOf = nameof(Vector3); nameOf", "Vector3"),
    ]);
}

#[test]
fn the_last_line_may_do_without_its_end() {
    check(&[
        ("int F() { return 1; } F()", "1"),
        ("if (false) { } 3", "3"),
        ("{ } 1 + 1", "2"),
        ("if (true) { } else { } 2 switch { 2 => \"two\", _ => \"?\" }", "two"),
        ("new Dictionary<string, int> { { \"a\", 1 } }[\"a\"]", "1"),
        ("var x = new[] { 1 }; x", "System.Int32[]"),
        ("foreach (var i in new[] { 1 }) { Debug.Log(i); } \"done\"", "done"),
        ("int x = 1; { x = 2; } { x += 1; } x", "3"),
        ("using System; { } 5", "5"),
        ("var s = \"a;b}\"; s", "a;b}"),
    ]);
    assert!(run("if (true)").is_err());
    assert!(run("while (false)").is_err());
    assert!(run("int F()").is_err());
}

#[test]
fn syntax_errors_say_where_and_what() {
    check_errors(&[
        ("var x = (1 + 2;", "(1,15): error ')' is expected, found ';'"),
        ("F(1;", "(1,4): error ')' is expected, found ';'"),
        ("var x = 1\nvar y = 2;", "(2,1): error ';' is expected, found 'var'"),
        ("var a = new[] { 1, 2 ;", "(1,22): error '}' is expected, found ';'"),
        ("F(1];", "(1,4): error ')' is expected, found ']'"),
        ("x }", "(1,3): error '}' closes nothing"),
        ("int x = 1 +;", "(1,12): error an expression is expected, found ';'"),
        ("if (a { }", "(1,10): error ')' is expected, found the end"),
        ("else { }", "(1,1): error unexpected 'else'"),
        ("var x = 1; x +", "(1,15): error an expression is expected, found the end"),
        (
            "var x = 1;\nif (x > 0) {\n  x;\n}",
            "(3,3): error CS0201: only assignments, calls and new objects can be statements; a bare expression comes last",
        ),
    ]);
}

#[test]
fn what_the_grammar_knows_and_the_console_does_not() {
    check_errors(&[
        ("async void F() { }", "(1,1): error 'async' is not supported by the console"),
        ("Func<int> f = async () => 1;", "(1,15): error 'async' is not supported by the console"),
        ("var x = delegate { };", "(1,9): error 'delegate' is not supported by the console"),
        ("lock (x) { }", "(1,1): error 'lock' is not supported by the console"),
        ("yield return 1;", "(1,1): error 'yield' is not supported by the console"),
        ("checked { }", "(1,1): error 'checked' is not supported by the console"),
        ("var x = checked(1);", "(1,9): error 'checked' is not supported by the console"),
        ("var x = sizeof(int);", "(1,9): error 'sizeof' is not supported by the console"),
        ("end: ;", "(1,1): error labels are not supported here"),
        ("[Foo] void F() { }", "(1,1): error attributes are not supported here"),
        (
            "using var x = y;",
            "(1,1): error using lines come first, and using blocks are not supported",
        ),
        (
            "1.ToString(); using System;",
            "(1,15): error using lines come first, and using blocks are not supported",
        ),
        (
            "using X = System.Int32; 1",
            "(1,7): error aliases are not supported; write the full name",
        ),
        (
            "namespace A { }",
            "(1,1): error declarations of types are not supported; use local functions, tuples and dictionaries",
        ),
        (
            "record R(int X);",
            "(1,1): error declarations of types are not supported; use local functions, tuples and dictionaries",
        ),
        (
            "T F<T>(T x) => x;",
            "(1,4): error generic functions are not supported; use object or a concrete type",
        ),
        (
            "void F(out int x) { }",
            "(1,8): error out, in and params are not supported here; return a tuple",
        ),
        (
            "void F(params int[] x) { }",
            "(1,8): error out, in and params are not supported here; return a tuple",
        ),
        ("F(ref x);", "(1,3): error ref arguments are not supported"),
        (
            "var a = new int[2, 3];",
            "(1,18): error arrays of several dimensions are not supported; use arrays of arrays",
        ),
        ("int* p = null;", "(1,1): error pointers are not supported"),
        ("var x = a->b;", "(1,10): error pointers are not supported"),
        (
            "var x = a[^1];",
            "(1,11): error ranges and indexes from the end are not supported; use Length - n",
        ),
        (
            "var x = a[1..2];",
            "(1,11): error ranges and indexes from the end are not supported; use Length - n",
        ),
        (
            "int[] a = [1, 2];",
            "(1,11): error collection expressions are not supported; use new[] { … }",
        ),
        (
            "var x = o is { A: 1 };",
            "(1,14): error property and list patterns are not supported; use && with members",
        ),
        ("var x = y with { A = 1 };", "(1,9): error 'with' is not supported by the console"),
        ("try { }", "(1,8): error 'catch' or 'finally' is expected"),
        (
            "if (true) int x = 1;",
            "(1,11): error CS1023: an embedded statement cannot be a declaration; use braces",
        ),
        ("#region a\n1", "(1,1): error preprocessor lines are not supported"),
    ]);
}
