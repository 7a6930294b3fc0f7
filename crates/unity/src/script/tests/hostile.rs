//! Sources that are wrong or enormous on purpose.

use super::*;

/// Reads the source and does with it all there is to do.
fn survives(source: &str) -> ScriptFile {
    let file = parse(source);
    let set = ScriptSet::new([&file]);
    set.outline(&file, "A");
    if let Some(main) = set.main_type(&file, "A") {
        set.all_serialized_fields(main.ty);
    }
    file
}

#[test]
fn nested_braces_do_not_hide_what_follows() {
    let n = 10_000;
    let file = survives(&format!(
        "class A {{ void M() {{ {}{} }} int b; }}",
        "{".repeat(n),
        "}".repeat(n)
    ));
    assert_eq!(file.types[0].fields[0].name, "b");
    assert_eq!(file.problems, []);
}

#[test]
fn nested_types_end_at_a_depth() {
    let file =
        survives(&format!("{}{} class B {{ }}", "class A { ".repeat(1000), "}".repeat(1000)));
    assert_eq!(file.types.last().unwrap().name, "B");
    expect!["nested too deeply, what stands inside was not read"]
        .assert_eq(&file.problems[0].message);
    assert!(file.all_types().count() < 100);
    survives(&"namespace a {".repeat(1000));
    survives(&"#if A\n".repeat(1000));
}

#[test]
fn a_million_braces() {
    assert!(!survives(&"{".repeat(1 << 20)).problems.is_empty());
    assert!(!survives(&"}".repeat(20_000)).problems.is_empty());
}

/// The parser's memory would grow with the square of these.
#[test]
fn ambiguous_nesting_is_passed_over() {
    for tangle in ["a<", "(a<b,", "(a)", "a<b>=", "A<B>(", "a[", "$\"{a<"] {
        let file = survives(&format!(
            "class A {{ int x = {}; int y; }} class B {{ }}",
            tangle.repeat(20_000)
        ));
        assert!(file.problems.iter().any(|p| p.message.contains("nested too deeply")), "{tangle}");
    }
    let file = survives(&format!("class A {{\n  int x = {};\n  int y; }}", "a<".repeat(20_000)));
    expect![[r#"
        1-3 Class A
          3 field int y
        1:10 this statement is nested too deeply and was not read
    "#]]
    .assert_eq(&show(&file));
}

#[test]
fn too_large_is_said() {
    let file = survives(&" ".repeat(MAX_SOURCE_BYTES + 1));
    expect![[r#"
        1:1 the source has 4194305 bytes, and sources of more than 4194304 bytes are not read
    "#]]
    .assert_eq(&show(&file));
}

#[test]
fn unfinished_literals() {
    for end in [
        "\"",
        "@\"",
        "$\"",
        "$@\"{",
        "\"\"\"",
        "$$\"\"\"{{",
        "'",
        "'\\",
        "/*",
        "/// <summary>",
        "[",
        "[A(",
        "#if",
        "#if (",
        "<",
        "\\",
    ] {
        let file = survives(&format!("class A {{ public int a; }} class B {{ int b; {end}"));
        assert_eq!(file.types[0].name, "A", "{end}");
    }
}

#[test]
fn any_cut_reads() {
    let source = "using A; namespace B { [C(\"d\")] public class E<F> : G { [field: H] public I J { get; set; } = @\"k\"; \
                  #if L\n int m = 'n';\n#else\n void O(params P[] q) { $\"{r}\" } \n#endif\n enum S { T = 1 << 2 } } } /// <summary>ü</summary>";
    for (end, _) in source.char_indices() {
        survives(&source[..end]);
        survives(&source[end..]);
    }
}

#[test]
fn repeated_pieces_of_code() {
    for piece in [
        "\"\n",
        "class A{",
        "[A]",
        "#if A\n",
        "#else\n",
        "/// x\n",
        "namespace a.b;",
        "using a = b;",
        "enum A { B = C << 1, }",
        "public int a, b;",
        "@",
        "$",
        "\u{fffd}",
        "\0",
        "-",
        "?",
        "=> ",
    ] {
        survives(&piece.repeat(2000));
        survives(&format!("class A {{ public int x = {}", piece.repeat(500)));
    }
}

#[test]
fn text_shared_by_many_fields_is_kept_once() {
    let long = "x".repeat(100_000);
    let names = (0..1_000).map(|i| format!("f{i}")).collect::<Vec<_>>().join(", ");
    let file = survives(&format!(
        "class A : MonoBehaviour {{ [Tooltip(\"{long}\")] public int {names}; }}"
    ));
    let fields = &file.types[0].fields;
    assert_eq!(fields.len(), 1_000);
    let first = &fields[0].about.attributes;
    assert!(fields.iter().all(|field| Arc::ptr_eq(first, &field.about.attributes)));
}
