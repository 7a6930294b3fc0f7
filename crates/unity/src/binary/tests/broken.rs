//! Files that are cut off, changed or made to do harm: an error, never a panic and never a wait.

use super::*;

fn read(bytes: &[u8]) -> Result<String, BinaryError> {
    let file = BinaryFile::open(bytes)?;
    file.objects().for_each(|object| _ = (object.name(), object.script(), object.references()));
    describe(&file)
}

fn check(bytes: &[u8], expected: &str) {
    let error = read(bytes).expect_err("it is broken");
    assert_eq!(error.to_string(), expected);
}

/// A file with one object of this layout.
fn one(layout: &str, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut sample = Sample::new(21, false, "2019.4.2f1");
    sample.class(114, Some(layout));
    sample.object(1, 0, write);
    sample.finish()
}

#[test]
fn other_files_are_told_apart() {
    let check = |bytes: &[u8], expected: &str| {
        assert!(!BinaryFile::is_binary(bytes));
        check(bytes, expected);
    };
    check(b"%YAML 1.1\n", "this is no binary file of Unity: it is text");
    check(
        b"version https://git-lfs.github.com/spec/v1\n",
        "this is no binary file of Unity: it is a pointer of Git LFS; `git lfs pull` brings the file",
    );
    check(b"UnityFS\0\0\0\0\x08", "this is no binary file of Unity: it is an asset bundle");
    check(&[b'x'; 100], "this is no binary file of Unity: it does not start like one");
    check(&[], "the file ends inside the header, which starts or goes on at byte 0");
    let mut newer = doors(21, false);
    newer[11] = 24;
    check(&newer, "binary files of format 24 are not known, only 7 (Unity 3) to 23 (Unity 6)");
}

#[test]
fn files_cut_off_anywhere_are_told() {
    for format in [7, 11, 17, 23] {
        let bytes = doors(format, false);
        for length in (0..bytes.len()).step_by(3) {
            let error = read(&bytes[..length]).expect_err("it is cut off");
            assert!(matches!(error, BinaryError::Ends { .. }), "{format} {length} {error}");
        }
    }
}

#[test]
fn files_changed_anywhere_do_no_harm() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for format in [11, 22] {
        let bytes = doors(format, false);
        let change = |places: &[usize], value: u8| {
            let mut changed = bytes.clone();
            places.iter().for_each(|at| changed[at % bytes.len()] = value);
            let _ = read(&changed);
        };
        for (at, value) in (0..bytes.len()).zip([0, 0x7f, 0x80, 0xff, 1].into_iter().cycle()) {
            change(&[at], value);
        }
        for _ in 0..100 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let place = |shift: u32| (random >> shift) as usize & 0xffff;
            change(&[place(0), place(16), place(32)], (random >> 56) as u8);
        }
    }
}

#[test]
fn objects_outside_the_file_are_told_one_by_one() {
    let mut sample = Sample::new(21, false, "2019.4.2f1");
    sample.class(114, Some("MonoBehaviour Base\n int a\n"));
    sample.object(1, 0, |w| _ = w.i32(1));
    sample.object(2, 0, |w| _ = w.i32(2));
    let mut bytes = sample.finish();
    // The size of the second: it is before its class, which is followed by two empty lists.
    let at = bytes.windows(4).rposition(|four| four == 4i32.to_le_bytes()).unwrap();
    bytes[at + 1] = 1;
    let file = BinaryFile::open(&bytes).unwrap();
    let read: Vec<bool> = file.objects().map(|object| object.value().is_ok()).collect();
    assert_eq!(read, [true, false]);
}

const NUMBERS: &str = "\
MonoBehaviour Base
 vector list
  Array Array *
   int size
   int data
";

#[test]
fn lists_longer_than_their_object_are_told() {
    check(&one(NUMBERS, |w| _ = w.i32(-1).i32(0)), "a list at byte 352 says -1, which cannot be");
    check(
        &one(NUMBERS, |w| _ = w.i32(i32::MAX).i32(0)),
        "a list at byte 352 says 2147483647, which cannot be",
    );
    check(
        &one(NUMBERS, |w| _ = w.i32(2).i32(0)),
        "the file ends inside an object, which starts or goes on at byte 352",
    );
    check(
        &one(NUMBERS, |w| _ = w.i32(1).i32(0).i32(0)),
        "the object at byte 352 is not as its layout says",
    );
}

#[test]
fn elements_that_take_no_bytes_take_no_time() {
    let empty = "\
MonoBehaviour Base
 vector lists
  Array Array *
   int size
   vector data
    Array Array *
     int size
     Empty data
";
    let lists = |count: i32, each: i32| {
        let write = |w: &mut Writer| {
            w.i32(count);
            (0..count).for_each(|_| _ = w.i32(each));
        };
        read(&one(empty, write)).is_ok()
    };
    assert!(lists(10, 4000));
    assert!(!lists(10, 5000));
    assert!(!lists(10_000, 40_000));
}

#[test]
fn layouts_that_are_none_are_refused() {
    let layout = |text: &str| BinaryFile::open(&one(text, |_| {})).is_ok();
    assert!(layout("A Base\n int a\n"));
    assert!(!layout("A Base\n  int a\n"), "a level is left out");
    assert!(!layout("A Base\nA Base\n"), "two roots");
    assert!(!layout("A Base\n Array Array *\n  int size\n"), "a list without elements");
    let deep = |levels: usize| (0..levels).map(|level| format!("{:level$}A a\n", "")).collect();
    let [deep_enough, too_deep]: [String; 2] = [deep(60), deep(70)];
    assert!(layout(&deep_enough) && !layout(&too_deep));
}

/// Each element would be thousands of steps for a byte.
#[test]
fn wide_layouts_take_no_time() {
    let mut wide = "\
MonoBehaviour Base
 vector list
  Array Array *
   int size
   A data
    vector list
     Array Array *
      int size
      bool data
"
    .to_owned();
    (0..20_000).for_each(|_| wide.push_str("    Empty e\n"));
    let bytes = one(&wide, |w| {
        w.i32(4_000);
        w.out.resize(16_004, 0);
    });
    assert!(read(&bytes).is_err());
}
