//! Every kind of declaration, and errors among them.

use super::*;

#[test]
fn reads_usings_and_namespaces() {
    check(
        "using System; using static System.Math; using V = UnityEngine.Vector3;\nglobal using Everywhere;\n\
         namespace A.B { using Inner; namespace C { class D { class E { } } } } class F { }",
        expect![[r#"
            using System
            using static System.Math
            using V = UnityEngine.Vector3
            using Everywhere
            using Inner in A.B
            namespace A.B
            namespace A.B.C
            3-3 Class A.B.C.D
            3-3 Class A.B.C.D.E
            3-3 Class F
        "#]],
    );
    check(
        "namespace A.B;\nusing C;\nclass D { }\nenum E { }",
        expect![[r#"
        using C in A.B
        namespace A.B
        3-3 Class A.B.D
        4-4 Enum A.B.E
    "#]],
    );
}

#[test]
fn reads_every_kind_of_type() {
    check(
        r#"
/// <summary>A <see cref="Door"/> that
/// opens &amp; closes.</summary>
/// <remarks>No.</remarks>
[Serializable, AddComponentMenu("A/B", order = 3)]
[Help(@"c:\d")]
public sealed partial class A<TKey, TValue> : Base<TKey, TValue>, IOne where TKey : class
{
}
readonly struct B { }
internal interface IC<in T> : ID { void Do(); int Get { get; } }
/// Plain text.
enum E : byte { One = 1, Two, Four = 1 << 2, Both = Two | Four, Hex = 0x1F, Far = Other.X, Next, Minus = -1, Zero }
record R(int X, string Y = "y") : Q(X);
record struct S(int Z);
public delegate bool F<T>(T one, ref int two);
class Primary(int x) : Base(x) { }
"#,
        expect![[r#"
            7-9 Class A<TKey, TValue> : Base<TKey, TValue> + IOne [Serializable()] [AddComponentMenu("A/B", order = 3)] [Help(@"c:\d")] public sealed partial "A Door that opens & closes."
            10-10 Struct B readonly
            11-11 Interface IC<T> : ID internal
              11 property int Get {get;}
              11 Method void Do()
            13-13 Enum E : byte "Plain text."
              13 One = 1
              13 Two = 2
              13 Four = 4
              13 Both = 6
              13 Hex = 31
              13 Far = ?
              13 Next = ?
              13 Minus = -1
              13 Zero = 0
            14-14 Record R(int X, string Y = "y") : Q
            15-15 RecordStruct S(int Z)
            16-16 Delegate F<T>(T one, ref int two) -> bool public
            17-17 Class Primary(int x) : Base
        "#]],
    );
}

#[test]
fn reads_members() {
    check(
        r#"
class A
{
    public int a = 1, b;
    private readonly Dictionary<string, List<int>> map = new Dictionary<string, List<int>>();
    float[] many = { 1f,
        2f };
    const string Text = "x;y}";
    static volatile int s;
    public unsafe fixed byte buffer[10];

    /// <summary>Name of it.</summary>
    public string Name { get; private set; } = "n";
    public int Short => 3;
    public abstract int Abs { get; }
    int Full { get { return 1; } set => a = value; }
    string IThing.Other { get; set; }
    public int this[int i] => i;

    public event Action<int> Changed, Lost;
    event Action Both { add { } remove { } }

    public A(int x) : base(x) { }
    ~A() { }
    public static A operator +(A l, A r) => l;
    public static implicit operator int(A a) => 1;
    [ContextMenu("Run")]
    protected internal virtual async Task<int> Run<T>(this A self, [In] ref int b, string c = "d", params object[] rest)
    {
        int Local() => 1;
        return await Local();
    }
    void IThing.Do() { }
}
"#,
        expect![[r#"
            2-34 Class A
              4 field int a = 1 public
              4 field int b public
              5 field Dictionary<string, List<int>> map = new Dictionary<string, List<int>>() private readonly
              6 field float[] many = { 1f, 2f }
              8 field string Text = "x;y}" const
              9 field int s static volatile
              10 field byte buffer public unsafe fixed
              13 property string Name auto {get; private set;} = "n" public "Name of it."
              14 property int Short {} public
              15 property int Abs {get;} public abstract
              16 property int Full {get; set;}
              17 property string IThing.Other auto {get; set;}
              18 property int this {} public
              23 Constructor  A(int x) public
              24 Destructor  ~A()
              25 Operator A operator +(A l, A r) public static
              26 Operator int operator int(A a) public static
              28 Method Task<int> Run<T>(this A self, ref int b, string c = "d", params object[] rest) [ContextMenu("Run")] protected internal virtual async
              33 Method void IThing.Do()
              20 event Action<int> Changed public
              20 event Action<int> Lost public
              21 event Action Both
        "#]],
    );
}

#[test]
fn reads_all_branches_with_their_conditions() {
    check(
        "#define X\nclass A {\n#if UNITY_EDITOR\n  /// <summary>One.\n  /// Two.</summary>\n  int a;\n#if B\n  int b;\n#endif\n\
         #elif C && !D\n  int c;\n#else\n  int d;\n#endif\n  #region R\n  int e;\n  #endregion\n}\n\
         #if UNITY_EDITOR\nclass E : Editor { }\n#endif\n",
        expect![[r#"
            2-18 Class A
              6 field int a "One. Two." #if UNITY_EDITOR
              8 field int b #if UNITY_EDITOR && B
              11 field int c #if C && !D
              13 field int d #if !(UNITY_EDITOR) && !(C && !D)
              16 field int e
            20-20 Class E : Editor #if UNITY_EDITOR
        "#]],
    );
}

#[test]
fn a_branch_may_hold_half_a_declaration() {
    check(
        "#if UNITY_EDITOR && UNITY_2020_1_OR_NEWER\nclass A : Editor {\n#else\nclass A : MonoBehaviour {\n#endif\n  int a;\n\
         #if !(FOO || BAR) == true\n  int b\n#else\n  int c\n#endif\n  ;\n}\n",
        expect![[r#"
            2-13 Class A : Editor
              6 field int a
              8 field int b
        "#]],
    );
}

#[test]
fn strings_hide_what_looks_like_code() {
    check(
        "class A {\n  string a = @\"c:\\\"; // }\n  string b = \"\\\"}{\"; /* } */\n  char c = '\"', d = '\\'', e = '}';\n\
         \x20 string f = $\"{(a == \"x\" ? \"}\" : b)}}}\";\n  string g = $@\"{a}\"\"}}\";\n  string h = \"\"\"\n    \"raw\" }\n    \"\"\";\n\
         \x20 string i = @\"\n#if NO\n\";\n  int last;\n}",
        expect![[r#"
            1-14 Class A
              2 field string a = @"c:\"
              3 field string b = "\"}{"
              4 field char c = '"'
              4 field char d = '\''
              4 field char e = '}'
              5 field string f = $"{(a == "x" ? "}" : b)}}}"
              6 field string g = $@"{a}""}}"
              7 field string h = """ "raw" } """
              10 field string i = @" #if NO "
              13 field int last
        "#]],
    );
}

#[test]
fn lists_syntax_errors_and_reads_the_rest() {
    check(
        "class A {\n  int a\n  int b = ;\n  void M() { if (x { } }\n  int c;\n}\nclass B { int d; }",
        expect![[r#"
            1-6 Class A
              2 field int a
              5 field int c
              4 Method void M()
            7-7 Class B
              7 field int d
            3:3 unexpected `int b =`
            4:18 unexpected `x { } }`
        "#]],
    );
    check(
        "class A {\n  int a\n  int b;\n  void M() { }\n}",
        expect![[r#"
        1-5 Class A
          2 field int a
          4 Method void M()
        3:3 unexpected `int b`
    "#]],
    );
    check(
        "class A {\n  void M() { if (x { y = ; }\n  }\n  int c;\n}",
        expect![[r#"
        1-5 Class A
          4 field int c
          2 Method void M()
        2:14 unexpected `if (x { y =`
        2:18 unexpected `x`
        5:1 unexpected `}`
    "#]],
    );
    check(
        "class A : MonoBehaviour {\n  public int a;\n  void Start() {\n    a = 1;\n",
        expect![[r#"
            1-5 Class A : MonoBehaviour
              2 field int a public
              3 Method void Start()
            3:16 this `{` is not closed before the end of the file
        "#]],
    );
    check(
        "class A {\n  string s = \"open;\n  int b;\n}",
        expect![[r#"
        1-4 Class A
          2 field string s = "open; int
        2:14 unexpected `"open;`
    "#]],
    );
    check(
        "class A { int a; }\n}\nclass B { int b; }",
        expect![[r#"
        1-1 Class A
          1 field int a
        3-3 Class B
          3 field int b
        2:1 unexpected `}`
    "#]],
    );
}

#[test]
fn reads_bom_crlf_and_unicode() {
    check(
        "\u{feff}class Größe {\r\n  int π = 3;\r\n  string s = \"日本\";\r\n}\r\n",
        expect![[r#"
            1-4 Class Größe
              2 field int π = 3
              3 field string s = "日本"
        "#]],
    );
    let file = parse_bytes(b"class A { string s = \"\xff\xfe\"; int b; }");
    expect![[r#"
        1-1 Class A
          1 field string s = "��"
          1 field int b
    "#]]
    .assert_eq(&show(&file));
}

#[test]
fn values_with_braces_are_kept() {
    check(
        "class A { B b = new B() { C = 1 }; Action d = () => { E(); }; int F { get { if (g) { return 1; } return 2; } }\n\
         //// no\n/// yes\n void H<T>() where T : new() { } }\nrecord R(int x) { int y; }",
        expect![[r#"
            1-4 Class A
              1 field B b = new B() { C = 1 }
              1 field Action d = () => { E(); }
              1 property int F {get;}
              4 Method void H<T>() "yes"
            5-5 Record R(int x)
              5 field int y
        "#]],
    );
}

#[test]
fn decodes_string_arguments() {
    let value = |text: &str| text::string_literal(text).unwrap_or("-".into());
    assert_eq!(value(r#""a\n\"bé\\""#), "a\n\"bé\\");
    assert_eq!(value(r#"@"a\""b""#), r#"a\"b"#);
    assert_eq!(value("nameof(A.b)"), "b");
    assert_eq!(value(r#""a" + "b""#), "-");
    assert_eq!(value(r#"@"a" + @"b""#), "-");
    assert_eq!(value("3f"), "-");
    assert_eq!(value("\""), "-");
}
