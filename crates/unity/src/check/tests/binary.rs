//! Assets that are not kept as text.

use super::*;
use crate::binary::tests::doors;

/// An asset whose first reference leads to its script, another out of it and one to its own object 2.
fn project(files: &str) -> Folder {
    let dir = Folder::unity(&format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2019.4.2f1\n\
         //- Assets/Door.asset.meta\nfileFormatVersion: 2\nguid: 11111111111111111111111111111111\nNativeFormatImporter:\n  mainObjectFileID: 11400000\n\
         {files}"
    ));
    fs::write(dir.path("Assets/Door.asset"), doors(21, false)).unwrap();
    dir
}

const SCRIPT: &str = "//- Assets/Door.cs\nclass Door : UnityEngine.ScriptableObject {}\n\
    //- Assets/Door.cs.meta\nfileFormatVersion: 2\nguid: c57a184794a05b349955e5023bbf7e99\nMonoImporter:\n";

#[test]
fn what_a_binary_asset_refers_to_is_judged_as_in_text() {
    let dir = project(SCRIPT);
    let store = Store::open(dir.root(), None);
    let index = store.index();
    let door = index.by_path("Assets/Door.asset").unwrap();
    assert!(door.flags().contains(Flags::BINARY) && door.objects().len() == 1);
    expect![[r#"
        BrokenReference Assets/Door.asset Door.doors[1] is missing: the object is not in the file
    "#]]
    .assert_eq(&said(&run(&store)));
}

#[test]
fn a_script_that_a_binary_asset_lost_is_told() {
    let dir = project("");
    expect![[r#"
        BrokenReference Assets/Door.asset MonoBehaviour.doors[1] is missing: the object is not in the file
        MissingScript Assets/Door.asset no script has the guid c57a184794a05b349955e5023bbf7e99; saved fields: doors, picture, counts, reach, speed
    "#]].assert_eq(&said(&run(&Store::open(dir.root(), None))));
}
