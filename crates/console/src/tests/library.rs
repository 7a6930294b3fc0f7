//! Types of .NET and the engine's plain values; everything in the table can be called.

use super::check;
use crate::{EvalError, library};

#[test]
fn strings() {
    check(&[
        ("\"Hello\".Length", "5"),
        ("\"Hello\"[1]", "e"),
        ("\"Hello\".ToUpper() + \"Hello\".ToLower()", "HELLOhello"),
        ("\"Hello\".Substring(1, 3) + \"Hello\".Substring(3)", "elllo"),
        (
            "\" a \".Trim() + \"xxax\".Trim('x') + \"xa\".TrimStart('x') + \"ax\".TrimEnd('x')",
            "aaaa",
        ),
        ("\"abc\".Replace(\"b\", \"--\").Replace('a', 'z')", "z--c"),
        (
            "\"abc\".Contains(\"bc\") && \"abc\".StartsWith(\"a\") && \"abc\".EndsWith(\"c\")",
            "True",
        ),
        (
            "$\"{\"abcb\".IndexOf('b')} {\"abcb\".LastIndexOf(\"b\")} {\"abcb\".IndexOf(\"b\", 2)} {\"abc\".IndexOf(\"z\")}\"",
            "1 3 3 -1",
        ),
        ("string.Join(\"|\", \"a,b;c\".Split(',', ';'))", "a|b|c"),
        ("string.Join(\"|\", \"a--b\".Split(\"--\"))", "a|b"),
        ("\"7\".PadLeft(3, '0') + \"7\".PadRight(3) + \"|\"", "0077  |"),
        ("\"abc\".Insert(1, \"Z\").Remove(0, 1)", "Zbc"),
        ("new string('x', 3) + string.Concat(\"a\", 1)", "xxxa1"),
        ("string.Join(\", \", new List<int> { 1, 2 }) + string.Join(\"-\", 1, \"b\")", "1, 21-b"),
        ("string.Format(\"{0:F1} {1,4} {{{0}}}\", 1.25, \"x\")", "1.3    x {1.25}"),
        (
            "string.IsNullOrEmpty(\"\") && string.IsNullOrEmpty(null) && string.IsNullOrWhiteSpace(\" \")",
            "True",
        ),
        ("\"b\".CompareTo(\"a\") + string.Compare(\"a\", \"B\")", "0"),
        ("new string(\"abc\".Reverse().ToArray())", "cba"),
        (
            "\"a1b2\".Where(char.IsDigit).Count()",
            "! (1,19): error CS0428: 'IsDigit' is a method; call it with (), or write a lambda: x => …",
        ),
        ("\"a1b2\".Count(c => char.IsDigit(c))", "2"),
        ("char.ToUpper('a')", "A"),
        ("\"\u{1F600}\".Length", "2"),
        (
            "var sb = new System.Text.StringBuilder(); sb.Append(1).Append(\"a\").AppendLine(\"b\"); sb.Length + sb.ToString()",
            "41ab\n",
        ),
    ]);
}

#[test]
fn numbers() {
    check(&[
        ("int.Parse(\" 42 \") + long.Parse(\"1\")", "43"),
        ("int.TryParse(\"12\", out var n) ? n : -1", "12"),
        ("int n; int.TryParse(\"x\", out n) ? 1 : n", "0"),
        ("float.Parse(\"1.5\") + double.Parse(\"1e2\")", "101.5"),
        ("bool.Parse(\"True\")", "True"),
        ("Convert.ToInt32(\"7\") + Convert.ToInt32(2.5) + Convert.ToInt32(3.5)", "13"),
        ("Convert.ToString(5) + Convert.ToDouble(\"1.5\") + Convert.ToBoolean(1)", "51.5True"),
        ("Math.Max(1, 2) + Math.Min(1.5, 2)", "3.5"),
        ("Math.Round(2.5) + Math.Round(1.2345, 2)", "3.23"),
        ("Math.Sqrt(2)", "1.4142135623731"),
        ("Math.PI", "3.14159265358979"),
        ("Mathf.PI", "3.141593"),
        ("Mathf.Max(1, 5, 3) + Mathf.Clamp(7, 0, 5)", "10"),
        ("Mathf.Lerp(0, 10, 0.25f) + Mathf.Clamp01(3)", "3.5"),
        ("Mathf.RoundToInt(2.6f) + Mathf.FloorToInt(-1.5f) + Mathf.CeilToInt(1.1f)", "3"),
        ("Mathf.Sin(Mathf.PI / 2) + Mathf.Pow(2, 3)", "9"),
        ("Mathf.Repeat(7, 3) + Mathf.PingPong(4, 3) + Mathf.DeltaAngle(350, 10)", "23"),
        ("Mathf.Approximately(0.1f + 0.2f, 0.3f)", "True"),
        ("Mathf.Abs(-3) + Mathf.Sign(-2f)", "2"),
        ("5.ToString(\"D3\") + 1.5f.ToString(\"F2\")", "0051.50"),
        (
            "$\"{1234.5:#,##0.00} {0.5:0%} {12:000} {1e10:E2} {1.5:G}\"",
            "1,234.50 50% 012 1.00E+010 1.5",
        ),
    ]);
}

#[test]
fn collections() {
    check(&[
        ("var a = new int[3]; a[1] = 5; a[1]++; a[0] + a[1] + a.Length", "9"),
        (
            "int[] a = { 3, 1, 2 }; Array.Sort(a); string.Join(\"\", a) + Array.IndexOf(a, 3)",
            "1232",
        ),
        ("new[] { 1, 2.5f }[0] / 2", "0.5"),
        ("var g = new int[2][]; g[0] = new[] { 7 }; g[0][0]", "7"),
        ("new List<int> { 1, 2 }", "System.Collections.Generic.List`1[System.Int32]"),
        ("var l = new List<float>(); l.Add(1); l[0] / 2", "0.5"),
        (
            "var l = new List<int> { 3, 1, 2 }; l.Sort(); l.Reverse(); l.Insert(0, 9); l.RemoveAt(1); l.Remove(1); string.Join(\",\", l)",
            "9,2",
        ),
        (
            "var l = new List<string> { \"bb\", \"a\" }; l.Sort((x, y) => x.Length - y.Length); l[0] + l.IndexOf(\"bb\") + l.Contains(\"z\") + l.Count",
            "a1False2",
        ),
        (
            "var l = new List<int>(new[] { 1, 2, 3, 4 }); l.RemoveAll(x => x % 2 == 0) + l.FindIndex(x => x == 3) + l.Find(x => x > 1) + l.GetRange(0, 1).Count",
            "7",
        ),
        (
            "var l = new List<int> { 1 }; l.AddRange(l); l.ForEach(x => Debug.Log(x)); l.Exists(x => x == 1) && l.TrueForAll(x => x == 1)",
            "True",
        ),
        (
            "var d = new Dictionary<string, int>(); d[\"a\"] = 1; d[\"a\"] += 2; d.Add(\"b\", 5); d.Count + d[\"a\"] + d[\"b\"]",
            "10",
        ),
        (
            "var d = new Dictionary<int, string> { [1] = \"x\" }; d.TryGetValue(1, out var v) && !d.TryGetValue(2, out string w) && w == null ? v : \"no\"",
            "x",
        ),
        (
            "var d = new Dictionary<string, int> { { \"a\", 1 } }; d.ContainsKey(\"a\") && d.Remove(\"a\") && !d.ContainsKey(\"a\")",
            "True",
        ),
        (
            "var d = new Dictionary<string, int> { { \"b\", 2 }, { \"a\", 1 } }; string.Join(\",\", d.Keys) + d.Values.Sum() + d.First()",
            "b,a3[b, 2]",
        ),
        (
            "var h = new HashSet<int> { 1, 1, 2 }; h.Add(2) + \" \" + h.Add(3) + h.Count + h.Contains(9)",
            "False True3False",
        ),
        (
            "var d = new Dictionary<string, List<int>>(); d[\"x\"] = new List<int>(); d[\"x\"].Add(4); d[\"x\"][0]",
            "4",
        ),
    ]);
}

#[test]
fn linq() {
    let numbers = "var n = new[] { 5, 3, 8, 1 };";
    let table = [
        ("string.Join(\",\", n.Select(x => x * 2))", "10,6,16,2"),
        ("string.Join(\",\", n.Select((x, i) => x * i).Where(x => x > 0))", "3,16,3"),
        ("n.First() + n.Last() + n.First(x => x > 5)", "14"),
        ("n.FirstOrDefault(x => x > 100) + n.SingleOrDefault(x => x == 8)", "8"),
        ("n.Any() && n.Any(x => x > 7) && n.All(x => x > 0) && !n.Contains(2)", "True"),
        ("n.Count() + n.Count(x => x < 5) + n.Sum() + n.Min() + n.Max()", "32"),
        ("n.Average()", "4.25"),
        ("n.Average(x => x * 1f)", "4.25"),
        ("n.Sum(x => x * 0.5f)", "8.5"),
        ("string.Join(\",\", n.OrderBy(x => x))", "1,3,5,8"),
        ("string.Join(\",\", n.OrderByDescending(x => x).Skip(1).Take(2))", "5,3"),
        ("string.Join(\",\", n.OrderBy(x => x % 2).ThenByDescending(x => x))", "8,5,3,1"),
        ("string.Join(\",\", n.Concat(n).Distinct().Reverse())", "1,8,3,5"),
        ("n.Aggregate((a, b) => a * b) + n.Aggregate(\"\", (s, x) => s + x)", "1205381"),
        ("n.ToList().Count + n.ToArray().Length + n.ToHashSet().Count", "12"),
        ("n.ToDictionary(x => x, x => \"v\" + x)[8]", "v8"),
        (
            "string.Join(\";\", n.GroupBy(x => x % 2).Select(g => g.Key + \":\" + string.Join(\",\", g)))",
            "1:5,3,1;0:8",
        ),
        ("string.Join(\",\", n.SelectMany(x => new[] { x, -x }).Take(3))", "5,-5,3"),
        ("string.Join(\",\", n.Zip(new[] { \"a\", \"b\" }, (x, s) => s + x))", "a5,b3"),
        ("new object[] { 1, \"a\", 2 }.OfType<int>().Sum()", "3"),
        ("new object[] { 1, 2 }.Cast<int>().Max()", "2"),
        ("string.Join(\",\", n.TakeWhile(x => x != 8)) + n.ElementAt(2)", "5,38"),
        (
            "string.Join(\",\", n.Union(new[] { 9 }).Intersect(new[] { 9, 5 }).Except(new[] { 5 }))",
            "9",
        ),
        ("n.SequenceEqual(new List<int> { 5, 3, 8, 1 })", "True"),
        (
            "string.Join(\",\", Enumerable.Range(3, 3)) + Enumerable.Repeat(\"x\", 2).Count() + Enumerable.Empty<int>().Count()",
            "3,4,520",
        ),
        ("n.Where(x => x > 2).OrderBy(x => x).Select(x => (id: x, half: x / 2f)).Last().half", "4"),
    ];
    let table: Vec<(String, &str)> =
        table.iter().map(|(source, wanted)| (format!("{numbers} {source}"), *wanted)).collect();
    let table: Vec<(&str, &str)> =
        table.iter().map(|(source, wanted)| (source.as_str(), *wanted)).collect();
    check(&table);
}

#[test]
fn vectors_rotations_and_colours() {
    check(&[
        ("new Vector3(1, 2, 3)", "(1.00, 2.00, 3.00)"),
        ("Vector3.up * 2 + Vector3.right", "(1.00, 2.00, 0.00)"),
        ("2 * Vector3.one / 4 - Vector3.forward", "(0.50, 0.50, -0.50)"),
        ("-Vector3.up == Vector3.down", "True"),
        ("new Vector3(3, 4, 0).magnitude", "5"),
        ("new Vector3(0, 5, 0).normalized", "(0.00, 1.00, 0.00)"),
        (
            "Vector3.Distance(Vector3.zero, new Vector3(0, 3, 4)) + Vector3.Dot(Vector3.one, Vector3.one)",
            "8",
        ),
        ("Vector3.Cross(Vector3.right, Vector3.up)", "(0.00, 0.00, 1.00)"),
        ("Vector3.Lerp(Vector3.zero, Vector3.one, 0.5f)", "(0.50, 0.50, 0.50)"),
        ("Vector3.Angle(Vector3.up, Vector3.right)", "90"),
        ("Vector3.MoveTowards(Vector3.zero, Vector3.right * 10, 3)", "(3.00, 0.00, 0.00)"),
        ("var v = Vector3.zero; v.x = 1; v.y += 2; v[0] + v.y", "3"),
        ("new Vector3(1, 2, 3) { x = 9 }", "(9.00, 2.00, 3.00)"),
        ("Vector2 v = new Vector3(1, 2, 3); v", "(1.00, 2.00)"),
        ("new Vector2(3, 4).magnitude + Vector2.Distance(Vector2.zero, Vector2.up)", "6"),
        ("new Vector4(1, 2, 3, 4)", "(1.00, 2.00, 3.00, 4.00)"),
        ("new Vector3(1.256f, 0, 0).ToString(\"F1\")", "(1.3, 0.0, 0.0)"),
        ("Quaternion.identity", "(0.00000, 0.00000, 0.00000, 1.00000)"),
        ("Quaternion.Euler(0, 90, 0) * Vector3.forward", "(1.00, 0.00, 0.00)"),
        (
            "(Quaternion.Euler(0, 45, 0) * Quaternion.Euler(0, 45, 0)).eulerAngles",
            "(0.00, 90.00, 0.00)",
        ),
        (
            "Quaternion.Angle(Quaternion.identity, Quaternion.AngleAxis(30, Vector3.up)).ToString(\"F1\")",
            "30.0",
        ),
        ("Quaternion.LookRotation(Vector3.right).eulerAngles", "(0.00, 90.00, 0.00)"),
        (
            "Quaternion.Slerp(Quaternion.identity, Quaternion.Euler(0, 90, 0), 0.5f).eulerAngles",
            "(0.00, 45.00, 0.00)",
        ),
        ("Color.red", "RGBA(1.000, 0.000, 0.000, 1.000)"),
        ("Color.Lerp(Color.black, Color.white, 0.5f)", "RGBA(0.500, 0.500, 0.500, 1.000)"),
        ("new Color(1, 0.5f, 0).a + Color.white.grayscale", "2"),
        ("Color.red * 0.5f", "RGBA(0.500, 0.000, 0.000, 0.500)"),
    ]);
}

/// Everything that the table promises can be called: whatever happens, it is not that nothing runs.
#[test]
fn the_table_promises_nothing_that_is_not_there() {
    let (mut wrong, mut called) = (Vec::new(), 0);
    for (owner, section) in library::all() {
        for entry in &section.entries {
            let source = call_of(owner, entry, &section.parameters);
            let source = source.unwrap_or_else(|| panic!("no call of {owner}.{}", entry.name));
            called += 1;
            match super::run(&source) {
                Err(EvalError::Compile { message, .. }) => {
                    wrong.push(format!("{source}\n   {message}"))
                }
                Err(error) if error.to_string().contains("not supported") => {
                    wrong.push(format!("{source}\n   {error}"));
                }
                _ => {}
            }
        }
    }
    assert!(called > 400, "{called} of the table were called");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub(super) fn call_of(
    owner: &str,
    entry: &library::Entry,
    parameters: &[crate::ty::Ty],
) -> Option<String> {
    use library::EntryKind;
    let ty = match parameters.len() {
        0 => owner.to_owned(),
        1 => format!("{owner}<int>"),
        _ => format!("{owner}<int, string>"),
    };
    let value = value_of(owner, &ty);
    let of = if entry.is_static { ty.clone() } else { format!("({value})") };
    match &entry.kind {
        EntryKind::Property { .. } => Some(format!("{of}.{}", entry.name)),
        EntryKind::Method(signature) => {
            let mut args = Vec::new();
            for (index, (_, parameter)) in signature.parameters.iter().enumerate() {
                let last = index + 1 == signature.parameters.len();
                if signature.has_out && last {
                    args.push("out var given".to_owned());
                } else {
                    args.push(argument(&parameter.to_string(), owner)?);
                }
            }
            let args = args.join(", ");
            if &*entry.name == library::NEW {
                return Some(format!("new {ty}({args})"));
            }
            let generic = match signature.type_parameters.len() {
                0 => "",
                _ if owner.starts_with("UnityEngine") && entry.name.contains("AddComponent") => {
                    "<Light>"
                }
                _ if owner.starts_with("UnityEngine") => "<Transform>",
                _ => "<int>",
            };
            Some(format!("{of}.{}{generic}({args})", entry.name))
        }
    }
}

/// An expression of a type of the table.
fn value_of(owner: &str, ty: &str) -> String {
    match owner {
        "System.Object" => "(object)1".to_owned(),
        "System.Type" => "typeof(int)".to_owned(),
        "System.Nullable" => "(int?)1".to_owned(),
        "System.Boolean" => "true".to_owned(),
        "System.Char" => "'a'".to_owned(),
        "System.String" => "\"abc\"".to_owned(),
        "System.Enum" => "LightType.Point".to_owned(),
        "IEnumerable" => "new List<int> { 1 }.Where(x => true)".to_owned(),
        "IGrouping" => "new[] { \"a\" }.GroupBy(x => x.Length).First()".to_owned(),
        "Array" => "new int[] { 1 }".to_owned(),
        "List" | "HashSet" => format!("new {ty} {{ 1 }}"),
        "Dictionary" => format!("new {ty} {{ {{ 7, \"x\" }} }}"),
        "KeyValuePair" => format!("new {ty}(1, \"a\")"),
        "UnityEngine.Object" | "UnityEngine.GameObject" => "GameObject.Find(\"Ork\")".to_owned(),
        "UnityEngine.Component" => "GameObject.Find(\"Ork\").transform".to_owned(),
        "UnityEngine.SceneManagement.Scene" => {
            "UnityEngine.SceneManagement.SceneManager.GetActiveScene()".to_owned()
        }
        _ if owner.starts_with("UnityEngine.") && !owner.contains("Exception") => {
            format!("default({owner})")
        }
        _ if crate::ty::Int::named(owner).is_some() => format!("({owner})1"),
        "System.Single" => "1f".to_owned(),
        "System.Double" => "1.0".to_owned(),
        _ => format!("new {owner}()"),
    }
}

/// An expression that fits a parameter, by how its type is written.
pub(super) fn argument(ty: &str, owner: &str) -> Option<String> {
    let text = owner == "System.String" || owner == "IEnumerable" && ty == "string";
    Some(match ty {
        "T" if owner == "UnityEngine.Object" => "GameObject.Find(\"Ork\")".to_owned(),
        "int" => "0".to_owned(),
        "T" | "K" | "uint" | "long" | "byte" => "1".to_owned(),
        "string" if owner == "System.Boolean" => "\"true\"".to_owned(),
        // Of sines and the like, 0 is what every machine agrees on to the last digit.
        "float" if owner == "UnityEngine.Mathf" => "0f".to_owned(),
        "double" if owner == "System.Math" => "0.0".to_owned(),
        "U" | "R" => "2".to_owned(),
        "V" | "string" => "\"1\"".to_owned(),
        "object" => "1".to_owned(),
        "bool" => "true".to_owned(),
        "char" => "'a'".to_owned(),
        "float" => "1f".to_owned(),
        "double" => "1.0".to_owned(),
        "Enum" => "LightType.Point".to_owned(),
        "Type" => "typeof(LightType)".to_owned(),
        "Transform" => "GameObject.Find(\"Lamp\").transform".to_owned(),
        "FindObjectsSortMode" => "FindObjectsSortMode.None".to_owned(),
        "Vector2" | "Vector3" | "Vector4" | "Color" | "Quaternion" => format!("default({ty})"),
        "char[]" if text => "new[] { 'a' }".to_owned(),
        "object[]" => "new object[] { 1 }".to_owned(),
        "int[]" | "T[]" => "new[] { 2, 1 }".to_owned(),
        "float[]" => "new[] { 2f, 1f }".to_owned(),
        "IEnumerable<T>" | "IEnumerable<U>" => "new[] { 1 }".to_owned(),
        "Func<T, bool>" => "x => true".to_owned(),
        "Func<T, int, bool>" => "(x, i) => true".to_owned(),
        "Func<T, R>" | "Func<T, K>" | "Func<T, V>" => "x => x".to_owned(),
        "Func<T, int, R>" => "(x, i) => i".to_owned(),
        "Func<T, IEnumerable<R>>" => "x => new[] { x }".to_owned(),
        "Func<T, U, R>" | "Func<T, T, T>" => "(x, y) => x".to_owned(),
        "Func<T, T, int>" => "(x, y) => 0".to_owned(),
        "Func<R, T, R>" => "(a, x) => a".to_owned(),
        "Action<T>" => "x => Debug.Log(x)".to_owned(),
        _ => return None,
    })
}
