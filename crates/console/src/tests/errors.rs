//! What is refused or fails, word for word.

use super::{check_errors, run};

#[test]
fn compile_errors_say_where() {
    check_errors(&[
        (
            "var x = 1;\nreturn y;",
            "(2,8): error CS0103: the name 'y' does not exist here; declare it, or find the object with GameObject.Find",
        ),
        ("int x = \"a\";", "(1,9): error CS0029: cannot implicitly convert 'string' to 'int'"),
        (
            "int x = 1.5;",
            "(1,9): error CS0266: cannot implicitly convert 'double' to 'int'; write a cast: (int)",
        ),
        (
            "float f = 1.5;",
            "(1,11): error CS0266: cannot implicitly convert 'double' to 'float'; write a cast: (float)",
        ),
        ("int x = null;", "(1,9): error CS0037: null is no int"),
        ("var x = 1; var x = 2;", "(1,16): error CS0128: a variable named 'x' is already defined"),
        (
            "var x = 1; x = \"a\";",
            "(1,16): error CS0029: cannot implicitly convert 'string' to 'int'",
        ),
        (
            "GameObject.Find(\"Lamp\").nmae",
            "(1,25): error CS1061: 'GameObject' has no member 'nmae' that the console knows",
        ),
        (
            "GameObject.Find(\"Lamp\").Name",
            "(1,25): error CS1061: 'GameObject' has no member 'Name' that the console knows; did you mean 'name'?",
        ),
        (
            "GameObject.Find(3)",
            "(1,12): error CS1503: 'GameObject.Find' does not take (int); it takes (string)",
        ),
        (
            "GameObject.Find(\"a\").SetActive()",
            "(1,22): error CS1503: 'GameObject.SetActive' does not take (); it takes (bool)",
        ),
        (
            "new Foo()",
            "(1,5): error CS0246: the type 'Foo' is unknown: it is no class of the project and none that the console supports",
        ),
        ("1 + true", "(1,1): error CS0019: the operator '+' does not take 'int' and 'bool'"),
        (
            "GameObject.Find(\"Lamp\").transform.position.x = 5;",
            "(1,44): error CS1612: this changes a copy; put the value into a variable, change it, and assign it back",
        ),
        (
            "GameObject.Find(\"Lamp\").activeSelf = true;",
            "(1,25): error CS0200: 'GameObject.activeSelf' is read only; use SetActive",
        ),
        ("foreach (var x in 5) {}", "(1,19): error CS1579: foreach cannot go through 'int'"),
        (
            "foreach (var x in new[] { 1 }) x = 2;",
            "(1,32): error CS1656: 'x' is the variable of a foreach and cannot be set",
        ),
        ("break;", "(1,1): error CS0139: no enclosing loop out of which to break or continue"),
        ("int F() { }", "(1,5): error CS0161: not all code paths of 'F' return a value"),
        (
            "1; 2",
            "(1,1): error CS0201: only assignments, calls and new objects can be statements; a bare expression comes last",
        ),
        ("var x = ;", "(1,9): error an expression is expected, found ';'"),
        ("if (true) {", "(1,12): error '}' is expected, found the end"),
        ("foo(\"abc", "(1,5): error the string has no end"),
        (
            "LightType.Sun",
            "(1,11): error CS0117: 'LightType' has no member 'Sun'; there are Spot, Directional, Point, Area, Rectangle, Disc",
        ),
        (
            "Vector3.magnitude",
            "(1,9): error CS0120: 'Vector3.magnitude' belongs to an object; find the object first",
        ),
        (
            "é + 1",
            "(1,1): error CS0103: the name 'é' does not exist here; declare it, or find the object with GameObject.Find",
        ),
        (
            "var é = 1; é + zz",
            "(1,16): error CS0103: the name 'zz' does not exist here; declare it, or find the object with GameObject.Find",
        ),
    ]);
}

#[test]
fn what_is_not_supported_says_what_to_use() {
    check_errors(&[
        (
            "class Foo { }",
            "(1,1): error declarations of types are not supported; use local functions, tuples and dictionaries",
        ),
        (
            "public void F() { }",
            "(1,1): error declarations of types are not supported; use local functions, tuples and dictionaries",
        ),
        ("unsafe { }", "(1,1): error 'unsafe' is not supported by the console"),
        ("await Foo();", "(1,1): error 'await' is not supported by the console"),
        ("var x = await Foo();", "(1,9): error 'await' is not supported by the console"),
        ("goto end;", "(1,1): error 'goto' is not supported by the console"),
        (
            "System.IO.File.ReadAllText(\"x\")",
            "(1,11): error 'File' is not supported: the console reaches no files; use the project's file tools",
        ),
        (
            "File.ReadAllText(\"x\")",
            "(1,1): error 'File' is not supported: the console reaches no files; use the project's file tools",
        ),
        (
            "new HttpClient()",
            "(1,5): error 'HttpClient' is not supported: the console reaches no network",
        ),
        (
            "using System.IO; 1",
            "(1,1): error System.IO is not supported: the console sees the scene only",
        ),
        ("using Foo; 1", "(1,1): error unknown namespace 'Foo'; the console needs no using lines"),
        (
            "typeof(Light).GetMethod(\"x\")",
            "(1,15): error CS1061: 'Type' has no member 'GetMethod' that the console knows",
        ),
        (
            "new Light()",
            "(1,1): error components are not made with new; use gameObject.AddComponent<Light>()",
        ),
        (
            "new { a = 1 }",
            "(1,5): error anonymous types are not supported; use a tuple: (name: x, value: y)",
        ),
        (
            "from x in y select x",
            "(1,1): error query syntax is not supported; use .Where(…).Select(…)",
        ),
        ("decimal d = 1;", "(1,1): error decimal is not supported; use double"),
        ("1.5m", "(1,1): error decimal is not supported; use double"),
        ("#if X\n1", "(1,1): error preprocessor lines are not supported"),
        ("this.name", "(1,1): error there is no 'this' in the console; find the object first"),
        (
            "Random.value",
            "(1,1): error 'Random' is not supported: runs are repeatable, so there is neither chance nor a clock",
        ),
    ]);
}

#[test]
fn nothing_runs_when_something_is_wrong() {
    let mut world = super::town();
    let source = "GameObject.Find(\"Lamp\").SetActive(false); Nope();";
    assert!(super::eval(&mut world, source, &super::Limits::default()).is_err());
    assert!(world.find("Lamp").is_some());
}

#[test]
fn runtime_errors_name_the_exception_and_the_line() {
    check_errors(&[
        (
            "int z = 0;\nreturn 1 / z;",
            "System.DivideByZeroException: Attempted to divide by zero. (line 2)",
        ),
        (
            "var g = GameObject.Find(\"x\");\n\ng.SetActive(true);",
            "System.NullReferenceException: Object reference not set to an instance of an object (line 3)",
        ),
        (
            "throw new InvalidOperationException(\"no\");",
            "System.InvalidOperationException: no (line 1)",
        ),
        (
            "void F()\n{\n  throw new Exception(\"in F\");\n}\nF();",
            "System.Exception: in F (line 3)",
        ),
        (
            "new[] { 1 }[1]",
            "System.IndexOutOfRangeException: Index was outside the bounds of the array. (line 1)",
        ),
        (
            "new Dictionary<string, int>()[\"k\"]",
            "System.Collections.Generic.KeyNotFoundException: The given key 'k' was not present in the dictionary. (line 1)",
        ),
        (
            "new int[0].First()",
            "System.InvalidOperationException: Sequence contains no elements (line 1)",
        ),
        (
            "int.Parse(\"x\")",
            "System.FormatException: Input string was not in a correct format. (line 1)",
        ),
        (
            "int.Parse(\"99999999999\")",
            "System.OverflowException: Value was either too large or too small. (line 1)",
        ),
        (
            "object o = \"a\"; (int)o",
            "System.InvalidCastException: Unable to cast object of type 'string' to type 'int'. (line 1)",
        ),
        (
            "new int[-1]",
            "System.OverflowException: Array dimensions exceeded supported range (line 1)",
        ),
        (
            "\"abc\".Substring(4)",
            "System.ArgumentOutOfRangeException: Index and length must refer to a location within the string. (line 1)",
        ),
        (
            "GameObject.Find(\"Town\").transform.GetChild(9)",
            "UnityEngine.UnityException: Transform child out of bounds (line 1)",
        ),
        (
            "new[] { int.MaxValue, 1 }.Sum()",
            "System.OverflowException: Arithmetic operation resulted in an overflow. (line 1)",
        ),
    ]);
    let source =
        "var g = GameObject.Find(\"Lamp\"); Object.DestroyImmediate(g); g.SetActive(true);";
    let error = run(source).unwrap_err().to_string();
    assert!(error.starts_with("UnityEngine.MissingReferenceException: The object of type 'GameObject' has been destroyed"), "{error}");
}
