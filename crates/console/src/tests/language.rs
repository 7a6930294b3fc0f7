//! The language: values, operators, statements, functions.

use super::check;

#[test]
fn a_script_gives_its_last_value() {
    check(&[
        ("", ""),
        ("1 + 2", "3"),
        ("1 + 2;", "3"),
        ("return 1 + 2;", "3"),
        ("return 1 + 2", "3"),
        ("var x = 4;", ""),
        ("var x = 4; x", "4"),
        ("var x = 4; x = 5", "5"),
        ("Debug.Log(1);", ""),
        ("using System; using System.Linq; using UnityEngine; 7", "7"),
        ("\u{feff}// hello\r\n/* a */ 7 // seven\r\n", "7"),
        ("null", "null"),
        ("string s = null; return s;", "null"),
        ("return;", ""),
    ]);
}

#[test]
fn literals() {
    check(&[
        ("0xFF", "255"),
        ("0b101", "5"),
        ("1_000_000", "1000000"),
        ("3000000000", "3000000000"),
        ("(3000000000).GetType().Name", "UInt32"),
        ("5L.GetType()", "System.Int64"),
        ("1.5", "1.5"),
        ("1.5f", "1.5"),
        ("1e3", "1000"),
        ("2f", "2"),
        (".5", "0.5"),
        ("true", "True"),
        ("'a'", "a"),
        (r"'\n' == '\u000a'", "True"),
        (r#""a\tb\\\"""#, "a\tb\\\""),
        (r#"@"c:\x ""y""""#, r#"c:\x "y""#),
        (r#"var n = 3; $"{n} and {n * 2,4}|{n,-3}|{{x}}""#, "3 and    6|3  |{x}"),
        (
            r#"$"{1.2345:F2} {1234567.891:N1} {0.256:P1} {255:X4} {7:D3} {3.14159:0.0#}""#,
            "1.23 1,234,567.9 25.6 % 00FF 007 3.14",
        ),
        (
            r#"var d = new Dictionary<string, int> { ["a"] = 1 }; $"{d["a"]}{(d.Count > 0 ? "y" : "n")}""#,
            "1y",
        ),
        (r#"$@"a\{1}""b""""#, r#"a\1"b""#),
        ("default(int) + default(float)", "0"),
        ("nameof(Vector3.up)", "up"),
    ]);
}

#[test]
fn arithmetic_has_the_rules_of_csharp() {
    check(&[
        ("7 / 2", "3"),
        ("-7 / 2", "-3"),
        ("-7 % 3", "-1"),
        ("7 / 2.0", "3.5"),
        ("7 / 2f", "3.5"),
        ("1 / 3f", "0.3333333"),
        ("1 / 3.0", "0.333333333333333"),
        ("0.1f + 0.2f", "0.3"),
        ("0.1 + 0.2", "0.3"),
        ("int.MaxValue + 1", "-2147483648"),
        ("-2147483648", "-2147483648"),
        ("long.MaxValue + 1", "-9223372036854775808"),
        ("int.MaxValue + 1L", "2147483648"),
        ("1 / 0.0", "Infinity"),
        ("2 + 3 * 4 - (1 + 1)", "12"),
        ("var x = 5; (x) - 1 * 2", "3"),
        ("5 & 3 | 8 ^ 1", "9"),
        ("~5", "-6"),
        ("1 << 33", "2"),
        ("1L << 33", "8589934592"),
        ("-16 >> 2", "-4"),
        ("int x = 8; x >>= 1; x <<= 3; x", "32"),
        ("'a' + 1", "98"),
        ("(char)('a' + 1)", "b"),
        ("\"a\" + 1 + 2", "a12"),
        ("1 + 2 + \"a\"", "3a"),
        ("\"a\" + null + true", "aTrue"),
        ("(byte)300", "44"),
        ("(int)3.9", "3"),
        ("(int)-3.9f", "-3"),
        ("(float)1 / 4", "0.25"),
        ("byte b = 250; b += 10; b", "4"),
        ("int i = 1; var a = i++ + ++i; $\"{a} {i}\"", "4 3"),
        ("1e20", "1E+20"),
        ("1e-7", "1E-07"),
        ("1e-5f", "1E-05"),
        ("1e-4f", "0.0001"),
        ("123456789f", "1.234568E+08"),
        ("float f = 1; f.GetType().Name", "Single"),
    ]);
}

#[test]
fn comparison_and_logic() {
    check(&[
        ("1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3", "True"),
        ("1 == 1.0", "True"),
        ("!(1 != 2) || false", "False"),
        ("true ^ true", "False"),
        ("\"a\" == \"a\"", "True"),
        ("double.NaN == double.NaN", "False"),
        ("bool f() { throw new Exception(\"no\"); } return false && f();", "False"),
        ("string s = null; s ?? \"none\"", "none"),
        ("string s = null; s ??= \"x\"; s", "x"),
        ("string s = null; s?.Length", "null"),
        ("string s = null; s?.Trim().Length ?? -1", "-1"),
        ("1 + \"abc\"?.Length", "4"),
        ("string s = \"abc\"; 10 - s?.Length", "7"),
        ("int? n = null; n + 1", "null"),
        ("int? n = 4; n.HasValue && n.Value == 4 && n > 3", "True"),
        ("int? n = null; n > 3", "False"),
        ("5 > 3 ? \"yes\" : \"no\"", "yes"),
        ("(true ? 1 : 2.5f) / 2", "0.5"),
        ("(1, 2) == (1, 2)", "True"),
    ]);
}

#[test]
fn types_are_asked_and_changed() {
    check(&[
        ("object o = 5; o is int", "True"),
        ("object o = 5; o is string", "False"),
        ("object o = \"x\"; o is string s && s.Length == 1", "True"),
        ("object o = 5; o is int n ? n + 1 : 0", "6"),
        ("object o = 5; (o as string) == null", "True"),
        ("object o = null; o is null", "True"),
        ("object o = 7; o is > 5 and < 10", "True"),
        ("object o = 7; o is not null and not string", "True"),
        ("typeof(int)", "System.Int32"),
        ("typeof(List<int>)", "System.Collections.Generic.List`1[System.Int32]"),
        ("typeof(Light).Name + typeof(Light).FullName", "LightUnityEngine.Light"),
        ("new int[2].GetType()", "System.Int32[]"),
        ("LightType.Point", "Point"),
        ("(int)LightType.Point", "2"),
        ("(LightType)1", "Directional"),
        ("LightType.Spot == 0", "True"),
        (
            "(RigidbodyConstraints.FreezePositionX | RigidbodyConstraints.FreezePositionY) == (RigidbodyConstraints)6",
            "True",
        ),
        ("RigidbodyConstraints.FreezeAll.HasFlag(RigidbodyConstraints.FreezePositionX)", "True"),
        ("UnityEngine.UI.Image.Type.Filled", "Filled"),
        ("string.Join(\",\", System.Enum.GetNames(typeof(LightShadows)))", "None,Hard,Soft"),
    ]);
}

#[test]
fn statements() {
    check(&[
        ("int s = 0; for (int i = 0; i < 5; i++) s += i; s", "10"),
        ("int s = 0; for (int i = 0, j = 9; i < j; i++, j--) s++; s", "5"),
        ("int i = 0; while (true) { if (++i == 3) continue; if (i > 5) break; } i", "6"),
        ("int i = 0; do { i++; } while (i < 3); i", "3"),
        ("var s = \"\"; foreach (var c in \"abc\") s = c + s; s", "cba"),
        (
            "var s = 0; foreach (int x in new[] { 1, 2, 3 }) { if (x == 2) continue; s += x; } s",
            "4",
        ),
        (
            "var d = new Dictionary<string, int> { { \"a\", 1 }, { \"b\", 2 } }; var s = \"\"; foreach (var (k, v) in d) s += k + v; s",
            "a1b2",
        ),
        ("if (1 > 2) return 1; else if (2 > 1) return 2; return 3;", "2"),
        (
            "int x = 2; switch (x) { case 1: return \"one\"; case 2: case 3: return \"few\"; default: return \"many\"; }",
            "few",
        ),
        (
            "object o = \"hey\"; switch (o) { case int n: return n; case string s when s.Length > 5: return \"long\"; case string s2: return s2 + \"!\"; } return 0;",
            "hey!",
        ),
        (
            "int x = 7; x switch { 1 => \"one\", > 5 and < 8 => \"about seven\", _ => \"many\" }",
            "about seven",
        ),
        ("int a = 1, b = 2; (a, b) = (b, a); $\"{a}{b}\"", "21"),
        ("var (x, y) = (1, \"z\"); x + y", "1z"),
        ("var t = (name: \"n\", age: 3); t.name + t.age + t.Item2", "n33"),
        ("{ int x = 1; } { int x = 2; return x; }", "2"),
        ("const int x = 3; x", "3"),
    ]);
}

#[test]
fn exceptions() {
    check(&[
        (
            "try { int z = 0; return 1 / z; } catch (DivideByZeroException e) { return e.Message; }",
            "Attempted to divide by zero.",
        ),
        ("try { throw new Exception(\"boo\"); } catch (Exception e) { return e.Message; }", "boo"),
        (
            "try { throw new ArgumentException(\"a\"); } catch (InvalidOperationException) { return 1; } catch (SystemException e) when (e.Message == \"a\") { return 2; }",
            "2",
        ),
        ("var s = \"\"; try { s += 1; } finally { s += 2; } s", "12"),
        (
            "var s = \"\"; try { try { throw new Exception(\"x\"); } finally { s += \"f\"; } } catch { s += \"c\"; } s",
            "fc",
        ),
        (
            "try { try { throw new Exception(\"x\"); } catch { throw; } } catch (Exception e) { return \"again \" + e.Message; }",
            "again x",
        ),
        (
            "string s = null; try { return s.Length; } catch (NullReferenceException) { return -1; }",
            "-1",
        ),
        ("int F() { try { return 1; } finally { Debug.Log(\"f\"); } } F()", "1"),
        ("new Exception(\"m\")", "System.Exception: m"),
    ]);
}

#[test]
fn functions_and_lambdas() {
    check(&[
        ("int Twice(int x) => x * 2; Twice(21)", "42"),
        ("int Fib(int n) { if (n < 2) return n; return Fib(n - 1) + Fib(n - 2); } Fib(15)", "610"),
        (
            "return Even(10); bool Even(int n) => n == 0 || Odd(n - 1); bool Odd(int n) => n != 0 && Even(n - 1);",
            "True",
        ),
        ("int total = 0; void Add(int x) { total += x; } Add(2); Add(3); total", "5"),
        (
            "string Hi(string name, string end = \"!\") => \"Hi \" + name + end; Hi(end: \"?\", name: \"Bo\") + Hi(\"Al\")",
            "Hi Bo?Hi Al!",
        ),
        ("Func<int, int> f = x => x + 1; f(f(1))", "3"),
        ("Func<int, int, int> add = (a, b) => { return a + b; }; add.Invoke(1, 2)", "3"),
        ("Action<string> log = s => Debug.Log(s); log(\"a\");", ""),
        ("var c = 0; Action inc = () => c++; inc(); inc(); c", "2"),
        (
            "var fs = new List<Func<int>>(); for (int i = 0; i < 3; i++) { int j = i; fs.Add(() => j * 10); } fs[0]() + fs[2]()",
            "20",
        ),
        (
            "var fs = new List<Func<int>>(); foreach (var x in new[] { 1, 2, 3 }) fs.Add(() => x); fs.Sum(f => f())",
            "6",
        ),
        (
            "var fs = new List<Func<int>>(); for (int i = 0; i < 3; i++) fs.Add(() => i); fs[0]()",
            "3",
        ),
        ("Func<int, Func<int, int>> adder = a => b => a + b; adder(3)(4)", "7"),
        ("bool Big(int x) => x > 1; new[] { 1, 2, 3 }.Where(Big).Count()", "2"),
        ("Func<int, bool> big = x => x > 1; new[] { 1, 2, 3 }.Count(big)", "2"),
        ("float Half(float x) { return x / 2; } Half(3)", "1.5"),
    ]);
}
