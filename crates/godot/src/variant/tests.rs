//! Values read and written again.

use expect_test::{Expect, expect};

use super::*;

/// Each value as it is written after it was read.
fn check(values: &[&str], expected: Expect) {
    let mut shown = String::new();
    for text in values {
        let line = match Variant::parse(text) {
            Ok(value) => {
                let written = value.to_text(3);
                // Compared as text, because `nan` does not equal itself.
                let again = Variant::parse(&written).unwrap();
                assert_eq!(format!("{again:?}"), format!("{value:?}"), "{text}");
                written
            }
            Err(error) => error.to_string(),
        };
        shown += &format!("{text}  =>  {line}\n");
    }
    expected.assert_eq(&shown.replace("\n\n", "\n"));
}

#[test]
fn reads_what_the_engine_reads() {
    check(
        &[
            "null",
            "nil",
            "true",
            "-5",
            "0.10",
            "1e3",
            "-inf",
            "&\"a\\n\"",
            "@\"old\"",
            "#ff8800",
            "\"a\tb\\\"c\\u00e9\\ud83d\\ude00\\x\"",
            "NodePath(\"A/B:x\")",
            "Vector2( 1,2 )",
            "Vector2(inf_neg, nan)",
            "Quat(0, 0, 0, 1)",
            "PackedVector2Array(1, 2, 3)",
            "PoolStringArray( \"a\", )",
            "PackedByteArray(\"AAEC\")",
            "PackedByteArray(300, -1)",
            "[1, [], {},]",
            "{\"a\": 1, 2: &\"b\",}",
            "Array[int]([1])",
            "Array[Resource]([])",
            "Array[ExtResource(\"1_a\")]([SubResource(\"b\"), null])",
            "Dictionary[String, Resource(\"res://a.gd\")]({\"x\": 1})",
            "Object(InputEventKey,\"keycode\":65,\"script\":null)",
            "Resource(\"uid://a\", \"res://a.tres\")",
            "ExtResource( 1 )",
            "RID()",
            "RID(7)",
            "Signal()",
            "Callable()",
        ],
        expect![[r#"
            null  =>  null
            nil  =>  null
            true  =>  true
            -5  =>  -5
            0.10  =>  0.10
            1e3  =>  1e3
            -inf  =>  inf_neg
            &"a\n"  =>  &"a\n"
            @"old"  =>  &"old"
            #ff8800  =>  #ff8800
            "a	b\"c\u00e9\ud83d\ude00\x"  =>  "a	b\"cé😀x"
            NodePath("A/B:x")  =>  NodePath("A/B:x")
            Vector2( 1,2 )  =>  Vector2(1, 2)
            Vector2(inf_neg, nan)  =>  Vector2(inf_neg, nan)
            Quat(0, 0, 0, 1)  =>  Quaternion(0, 0, 0, 1)
            PackedVector2Array(1, 2, 3)  =>  PackedVector2Array(1, 2, 3)
            PoolStringArray( "a", )  =>  PackedStringArray("a")
            PackedByteArray("AAEC")  =>  PackedByteArray(0, 1, 2)
            PackedByteArray(300, -1)  =>  PackedByteArray(44, 255)
            [1, [], {},]  =>  [1, [], {}]
            {"a": 1, 2: &"b",}  =>  {
            "a": 1,
            2: &"b"
            }
            Array[int]([1])  =>  Array[int]([1])
            Array[Resource]([])  =>  Array[Resource]([])
            Array[ExtResource("1_a")]([SubResource("b"), null])  =>  Array[ExtResource("1_a")]([SubResource("b"), null])
            Dictionary[String, Resource("res://a.gd")]({"x": 1})  =>  Dictionary[String, Resource("res://a.gd")]({
            "x": 1
            })
            Object(InputEventKey,"keycode":65,"script":null)  =>  Object(InputEventKey,"keycode":65,"script":null)
            Resource("uid://a", "res://a.tres")  =>  Resource("uid://a", "res://a.tres")
            ExtResource( 1 )  =>  ExtResource("1")
            RID()  =>  RID()
            RID(7)  =>  RID(7)
            Signal()  =>  Signal()
            Callable()  =>  Callable()
        "#]],
    );
}

#[test]
fn refuses_what_the_engine_refuses() {
    check(
        &[
            "",
            "True",
            ".5",
            "+1",
            "-",
            "0x10",
            "1_000",
            "^\"x\"",
            "\"open",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\ude00\"",
            "Vector2(1)",
            "Vector2(1, 2,)",
            "Vector2(\"1\", 2)",
            "Color(1, 1, 1)",
            "PackedByteArray(\"A\")",
            "PackedByteArray(\"AA AA\")",
            "[1 2]",
            "[,]",
            "{a: 1}",
            "{1, 2}",
            "Array([])",
            "Array[int]({})",
            "Object(Node)",
            "Object(Node, a: 1)",
            "NodePath(A)",
            "Signal(1)",
            "1 2",
        ],
        expect![[r#"
              =>  byte 0 of the value: a value is expected, not the end of the file
            True  =>  byte 0 of the value: `True` is not the name of a value
            .5  =>  byte 0 of the value: a value is expected, not `.`
            +1  =>  byte 0 of the value: `+` has no meaning here
            -  =>  byte 0 of the value: `-` has no number after it
            0x10  =>  byte 1 of the value: the end of the value is expected, not `x10`
            1_000  =>  byte 1 of the value: the end of the value is expected, not `_000`
            ^"x"  =>  byte 0 of the value: `^` has no meaning here
            "open  =>  byte 0 of the value: the text has no closing `"`
            "\u12"  =>  byte 2 of the value: hexadecimal digits are missing
            "\ud800"  =>  byte 7 of the value: half of a surrogate pair is missing
            "\ude00"  =>  byte 2 of the value: half of a surrogate pair is missing
            Vector2(1)  =>  byte 0 of the value: Vector2 takes 2 numbers, not 1
            Vector2(1, 2,)  =>  byte 13 of the value: a number is expected, not `)`
            Vector2("1", 2)  =>  byte 8 of the value: a number is expected, not `"1"`
            Color(1, 1, 1)  =>  byte 0 of the value: Color takes 4 numbers, not 3
            PackedByteArray("A")  =>  byte 16 of the value: the text is not base 64
            PackedByteArray("AA AA")  =>  byte 16 of the value: the text is not base 64
            [1 2]  =>  byte 3 of the value: `,` or `]` is expected, not `2`
            [,]  =>  byte 1 of the value: a value is expected, not `,`
            {a: 1}  =>  byte 1 of the value: `a` is not the name of a value
            {1, 2}  =>  byte 2 of the value: `:` is expected, not `,`
            Array([])  =>  byte 5 of the value: `[` is expected, not `(`
            Array[int]({})  =>  byte 11 of the value: `[` is expected, not `{`
            Object(Node)  =>  byte 11 of the value: `,` is expected, not `)`
            Object(Node, a: 1)  =>  byte 13 of the value: the name of a property is expected, not `a`
            NodePath(A)  =>  byte 9 of the value: a text is expected, not `A`
            Signal(1)  =>  byte 7 of the value: `)` is expected, not `1`
            1 2  =>  byte 2 of the value: the end of the value is expected, not `2`
        "#]],
    );
}

/// Godot 4.6 puts U+FFFD for an escaped NUL, and reads no further at one that stands in the file.
#[test]
fn no_text_holds_a_nul() {
    for text in [r#""a\u0000b""#, r#""a\U000000b""#] {
        let value = Variant::parse(text).expect("the escape is whole");
        assert_eq!(value.to_text(4), "\"a\u{fffd}b\"");
    }
    for text in ["\"a\0b\"", "\"a\\\0b\"", "\"a\\"] {
        let error = Variant::parse(text).expect_err("a NUL ends the text");
        assert_eq!(error.message, "the text has no closing `\"`");
    }
}

#[test]
fn writes_numbers_like_godot() {
    let check = |number: f64, component: &str, float: &str| {
        assert_eq!(Number::component(number).text(), component);
        assert_eq!(Number::float(number).text(), float);
    };
    check(0.0, "0", "0.0");
    check(-0.0, "0", "0.0");
    check(1.0, "1", "1.0");
    check(-1.5, "-1.5", "-1.5");
    check(0.1, "0.1", "0.1");
    check(1.0 / 3.0, "0.3333333333333333", "0.3333333333333333");
    check(f64::from(0.3_f32), "0.3", "0.3");
    check(0.1 + 0.2, "0.30000000000000004", "0.30000000000000004");
    check(0.0001, "0.0001", "0.0001");
    check(0.00001, "1e-05", "1e-05");
    check(1.2345e-10, "1.2345e-10", "1.2345e-10");
    check(1_234_567.891, "1234567.891", "1234567.891");
    check(1e14, "100000000000000", "100000000000000.0");
    check(1e15, "1e+15", "1e+15");
    check(1.5e100, "1.5e+100", "1.5e+100");
    check(4_294_967_296.0, "4294967300", "4294967300.0");
    check(f64::INFINITY, "inf", "inf");
    check(f64::NAN, "nan", "nan");
}

#[test]
fn the_format_decides_about_some_forms() {
    let bytes = Variant::Bytes(vec![0; 65]);
    assert_eq!(bytes.needed_format(), 4);
    assert!(bytes.to_text(4).starts_with("PackedByteArray(\"AAAA"));
    assert!(bytes.to_text(3).starts_with("PackedByteArray(0, 0"));
    let infinite = Variant::float(f64::NEG_INFINITY);
    assert_eq!((infinite.to_text(3), infinite.to_text(4)), ("inf_neg".into(), "-inf".into()));
    let old = |text: &str| Variant::parse(text).unwrap().to_text(2);
    assert_eq!(old("PackedVector2Array(1, 2)"), "PoolVector2Array( 1, 2 )");
    assert_eq!(
        old("[ExtResource(\"3\"), Transform3D(1,0,0,0,1,0,0,0,1,0,0,0)]"),
        "[ ExtResource( 3 ), Transform( 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ) ]"
    );
    assert_eq!(Variant::parse("[{1: PackedVector4Array()}]").unwrap().needed_format(), 4);
}

#[test]
fn values_are_made_from_numbers() {
    let vector = Variant::tuple(TupleKind::Vector2, &[1.0, 0.5]).unwrap();
    assert_eq!(vector.to_text(3), "Vector2(1, 0.5)");
    assert_eq!(
        Variant::tuple(TupleKind::Vector2i, &[1.0, 2.0]).unwrap().to_text(3),
        "Vector2i(1, 2)"
    );
    assert_eq!(Variant::tuple(TupleKind::Color, &[1.0]), None);
    assert_eq!(Variant::float(2.0).to_text(3), "2.0");
    let dictionary = Variant::parse("{&\"a\": 1, \"b\": 2}").unwrap();
    assert_eq!(dictionary.get("a").and_then(Variant::as_int), Some(1));
}

#[test]
fn whole_numbers_keep_within_64_bits() {
    let int = |text: &str| Variant::parse(text).unwrap().as_int();
    assert_eq!(int("9223372036854775807"), Some(i64::MAX));
    assert_eq!(int("99999999999999999999"), Some(i64::MAX));
    assert_eq!(int("-99999999999999999999"), Some(i64::MIN));
    assert_eq!(int("1.0"), None);
}

#[test]
fn nesting_has_a_bound() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(Variant::parse(&nested(256)).is_ok());
    for text in [nested(257), "[".repeat(1_000_000), "{1:".repeat(1_000_000)] {
        assert!(Variant::parse(&text).unwrap_err().message.contains("deeper"));
    }
}

#[test]
fn values_of_too_many_parts_are_refused_and_packed_numbers_take_little() {
    let list = |count: usize| format!("[{}]", "1,".repeat(count));
    assert!(Variant::parse(&list(1_000)).is_ok());
    let error = Variant::parse(&list(1_000_001)).unwrap_err();
    assert_eq!(error.message, "a value of more than 1000000 parts is not read");
    let packed = |name: &str, count: usize| format!("{name}({}2)", "1, ".repeat(count - 1));
    let error = Variant::parse(&packed("PackedFloat32Array", 3_000_001)).unwrap_err();
    assert_eq!(error.message, "a value of more than 3000000 numbers is not read");
    let Ok(Variant::Bytes(bytes)) = Variant::parse(&packed("PackedByteArray", 3_000_001)) else {
        panic!("bytes are as large as they are");
    };
    assert_eq!((bytes.len(), bytes.last()), (3_000_001, Some(&2)));
}
