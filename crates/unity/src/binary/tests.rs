//! Files written here, in every format, whole and broken.

mod broken;
mod sample;

use expect_test::{Expect, expect};

use super::*;
use sample::{Sample, Writer};

/// A script with one of everything.
const DOOR: &str = "\
MonoBehaviour Base
 PPtr<GameObject> m_GameObject
  int m_FileID
  SInt64 m_PathID
 bool m_Enabled !
 PPtr<MonoScript> m_Script
  int m_FileID
  SInt64 m_PathID
 string m_Name
  Array Array *!
   int size
   char data
 vector doors
  Array Array *
   int size
   PPtr<$Door> data
    int m_FileID
    SInt64 m_PathID
 vector picture
  Array Array *!
   int size
   UInt8 data
 map counts
  Array Array *
   int size
   pair data
    string first
     Array Array *!
      int size
      char data
    SInt16 second !
 AABB reach
  float x
 float speed
";

fn door(w: &mut Writer) {
    w.reference(0, 1);
    w.u8(1).align();
    w.reference(1, 11_500_000);
    w.text("Front door");
    w.i32(3).reference(0, 0);
    w.reference(0, 2);
    w.reference(2, -77);
    w.i32(5).bytes(&[1, 2, 3, 4, 5]).align();
    w.i32(2).text("a").u16(7).align();
    w.text("bcdef").u16(0xffff).align();
    w.i32(2.5f32.to_bits() as i32).i32(1.5f32.to_bits() as i32);
}

pub(crate) fn doors(format: u32, big_endian: bool) -> Vec<u8> {
    let mut sample = Sample::new(format, big_endian, "2019.4.2f1");
    sample.class(114, Some(DOOR));
    sample.object(-5, 0, door);
    sample.external("c57a184794a05b349955e5023bbf7e99", 3, "");
    sample.external("0000000000000000e000000000000000", 0, "library/unity default resources");
    sample.finish()
}

/// All that a file has, as text.
fn describe(file: &BinaryFile<'_>) -> Result<String, BinaryError> {
    fn add(text: &mut String, deep: usize, value: Value<'_>) {
        let (name, kind) = (value.name(), value.kind());
        let shown = match &kind {
            Kind::Reference(reference) => format!("-> {}", short(reference)),
            kind => format!("{kind:?}"),
        };
        *text += &format!("{:deep$}{name} {shown}\n", "");
        match kind {
            Kind::Struct => value.fields().for_each(|(_, field)| add(text, deep + 1, field)),
            _ => value.items().take(100).for_each(|item| add(text, deep + 1, item)),
        }
    }
    let mut text = String::new();
    for object in file.objects() {
        let script = object.script().and_then(|script| script.guid);
        text += &format!("{object:?} {:?} {script:?}\n", object.name());
        for (_, field) in object.value()?.fields() {
            add(&mut text, 1, field);
        }
        text += &format!(" {:?}\n", object.references()?.iter().map(short).collect::<Vec<_>>());
    }
    Ok(text)
}

fn short(reference: &crate::Reference) -> String {
    match reference.guid {
        Some(guid) => format!("{} {:.4} {}", reference.file_id, guid.to_string(), reference.kind),
        None => reference.file_id.to_string(),
    }
}

fn check(bytes: &[u8], expected: Expect) {
    let file = BinaryFile::open(bytes).unwrap();
    expected.assert_eq(&describe(&file).unwrap());
}

#[test]
fn it_reads_as_the_text_that_unity_would_write() {
    let bytes = doors(21, false);
    let document = crate::Document::of_file(bytes.clone());
    expect![[r#"
        %YAML 1.1
        %TAG !u! tag:unity3d.com,2011:
        --- !u!114 &-5
        MonoBehaviour:
          m_GameObject: {fileID: 1}
          m_Enabled: 1
          m_Script: {fileID: 11500000, guid: c57a184794a05b349955e5023bbf7e99, type: 3}
          m_Name: Front door
          doors:
          - {fileID: 0}
          - {fileID: 2}
          - {fileID: -77, guid: 0000000000000000e000000000000000, type: 0}
          picture: 0102030405
          counts:
          - a: 7
          - bcdef: -1
          reach:
            x: 2.5
          speed: 1.5
    "#]]
    .assert_eq(std::str::from_utf8(document.as_bytes()).unwrap());
    let door = document.object(FileId(-5)).unwrap();
    assert_eq!(door.get("m_Name").unwrap().text(), "Front door");
    assert_eq!(door.references().filter(|(_, to)| !to.is_null()).count(), 4);
    // What has no reference is left out where only those are asked for.
    let outline = BinaryFile::open(&bytes).unwrap().to_text(Detail::Outline, 1 << 20).unwrap();
    assert!(outline.contains("doors:") && !outline.contains("picture:"));
    assert_eq!(BinaryFile::open(&bytes).unwrap().to_text(Detail::Outline, 100), None);
}

#[test]
fn every_format_in_both_orders_tells_the_same() {
    for (format, big_endian) in (7..=23).flat_map(|format| [(format, false), (format, true)]) {
        let bytes = doors(format, big_endian);
        assert!(BinaryFile::is_binary(&bytes[..48]));
        let file = BinaryFile::open(&bytes).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((file.format(), file.unity_version()), (format, "2019.4.2f1"));
        assert!(file.has_layouts() && file.object(FileId(-5)).is_some());
        let told = describe(&file).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(told, describe(&BinaryFile::open(&doors(21, false)).unwrap()).unwrap());
    }
    check(
        &doors(21, false),
        expect![[r#"
            MonoBehaviour &-5 Some("Front door") Some(c57a184794a05b349955e5023bbf7e99)
             m_GameObject -> 1
             m_Enabled Bool(true)
             m_Script -> 11500000 c57a 3
             m_Name Text("Front door")
             doors List(3)
              data -> 0
              data -> 2
              data -> -77 0000 0
             picture Bytes([1, 2, 3, 4, 5])
             counts Map(2)
              data Struct
               first Text("a")
               second Int(7)
              data Struct
               first Text("bcdef")
               second Int(-1)
             reach Struct
              x Float(2.5)
             speed Float(1.5)
             ["1", "11500000 c57a 3", "2", "-77 0000 0"]
        "#]],
    );
}

#[test]
fn files_without_layouts_are_read_with_the_table() {
    let mut sample = Sample::new(21, false, "2019.4.2f1");
    sample.class(33, None);
    sample.class(114, None);
    sample.object(10, 0, |w| {
        w.i32(0).reference(0, 0);
        w.reference(0, 0);
        w.reference(0, 0);
        w.reference(0, 4);
        w.reference(1, 10202);
    });
    // What a script adds is not known, and left alone.
    sample.object(11, 1, |w| {
        w.i32(0).reference(0, 0);
        w.reference(0, 0);
        w.reference(0, 0);
        w.reference(0, 4);
        w.u8(1).align();
        w.i32(0).reference(1, 12);
        w.text("Door").text("");
        w.i32(42).i32(43);
    });
    sample.external("0000000000000000e000000000000000", 0, "library/unity default resources");
    check(
        &sample.finish(),
        expect![[r#"
            MeshFilter &10 None None
             m_ObjectHideFlags Unsigned(0)
             m_CorrespondingSourceObject -> 0
             m_PrefabInstance -> 0
             m_PrefabAsset -> 0
             m_GameObject -> 4
             m_Mesh -> 10202 0000 0
             ["4", "10202 0000 0"]
            MonoBehaviour &11 Some("Door") Some(0000000000000000e000000000000000)
             m_ObjectHideFlags Unsigned(0)
             m_CorrespondingSourceObject -> 0
             m_PrefabInstance -> 0
             m_PrefabAsset -> 0
             m_GameObject -> 4
             m_Enabled Unsigned(1)
             m_EditorHideFlags Unsigned(0)
             m_Script -> 12 0000 0
             m_Name Text("Door")
             m_EditorClassIdentifier Text("")
             ["4", "12 0000 0"]
        "#]],
    );
}

#[test]
fn objects_inside_of_others_have_fields_of_their_own() {
    let mut sample = Sample::new(21, false, "2021.3.1f1");
    sample.class(114, Some(&format!("MonoBehaviour Base\n int before\n{REGISTRY}")));
    sample.inner(["Lock", "Game", "Assembly-CSharp"], &format!("Lock Base\n int pins\n{REGISTRY}"));
    sample.object(1, 0, |w| {
        w.i32(9).i32(2).i32(2);
        w.i64(1000).text("Lock").text("Game").text("Assembly-CSharp").i32(6);
        w.i64(-2).text("").text("").text("");
    });
    check(
        &sample.finish(),
        expect![[r#"
            MonoBehaviour &1 None None
             before Int(9)
             references Struct
              version Int(2)
              RefIds List(2)
               data Struct
                rid Int(1000)
                type Struct
                 class Text("Lock")
                 ns Text("Game")
                 asm Text("Assembly-CSharp")
                data Struct
                 pins Int(6)
               data Struct
                rid Int(-2)
                type Struct
                 class Text("")
                 ns Text("")
                 asm Text("")
                data Struct
             []
        "#]],
    );
}

#[test]
fn objects_inside_of_others_end_with_a_mark_in_older_files() {
    let mut sample = Sample::new(21, false, "2019.4.2f1");
    sample.class(114, Some(&format!("MonoBehaviour Base\n{REGISTRY_1} int after\n")));
    sample.inner(["Lock", "", "Game"], "Lock Base\n int pins\n");
    sample.object(1, 0, |w| {
        w.i32(1);
        w.text("Lock").text("").text("Game").i32(6);
        w.text("Lock").text("").text("Game").i32(7);
        w.text("Terminus").text("UnityEngine.DMAT").text("FAKE_ASM");
        w.i32(5);
    });
    check(
        &sample.finish(),
        expect![[r#"
            MonoBehaviour &1 None None
             references Struct
              version Int(1)
              00000000 Struct
               type Struct
                class Text("Lock")
                ns Text("")
                asm Text("Game")
               data Struct
                pins Int(6)
              00000000 Struct
               type Struct
                class Text("Lock")
                ns Text("")
                asm Text("Game")
               data Struct
                pins Int(7)
              00000000 Struct
               type Struct
                class Text("Terminus")
                ns Text("UnityEngine.DMAT")
                asm Text("FAKE_ASM")
               data Struct
             after Int(5)
             []
        "#]],
    );
}

const REGISTRY: &str = " ManagedReferencesRegistry references
  int version
  vector RefIds
   Array Array *
    int size
    ReferencedObject data
     SInt64 rid
     ReferencedManagedType type
      string class
       Array Array *!
        int size
        char data
      string ns
       Array Array *!
        int size
        char data
      string asm
       Array Array *!
        int size
        char data
     ReferencedObjectData data
";

const REGISTRY_1: &str = " ManagedReferencesRegistry references
  int version
  ReferencedObject 00000000
   ReferencedManagedType type
    string class
     Array Array *!
      int size
      char data
    string ns
     Array Array *!
      int size
      char data
    string asm
     Array Array *!
      int size
      char data
   ReferencedObjectData data
";
