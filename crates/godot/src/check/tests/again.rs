//! A check after a change finds what a fresh one finds, and looks at less.

use std::cell::Cell;

use super::*;

const PROJECT: &str = "//- project.godot
config_version=5
[application]
config/features=PackedStringArray(\"4.6\")
//- base.gd
class_name Base
extends Node2D
signal hurt
func hit():
	pass
//- hero.gd
extends Base
//- hero.tscn
[gd_scene format=3]
[ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1\"]
[node name=\"Hero\" type=\"Node2D\"]
script = ExtResource(\"1\")
[node name=\"Hand\" type=\"Node2D\" parent=\".\"]
//- main.tscn
[gd_scene format=3]
[ext_resource type=\"PackedScene\" path=\"res://hero.tscn\" id=\"1\"]
[node name=\"Main\" type=\"Node2D\"]
[node name=\"Hero\" parent=\".\" instance=ExtResource(\"1\")]
[node name=\"Sword\" type=\"Node2D\" parent=\"Hero/Hand\"]
[connection signal=\"hurt\" from=\"Hero\" to=\"Hero\" method=\"hit\"]
//- other.tscn
[gd_scene format=3]
[node name=\"Other\" type=\"Node2D\"]
//- own.tscn
[gd_scene format=3]
[sub_resource type=\"GDScript\" id=\"1\"]
script/source = \"extends Base\\n\"
[node name=\"Own\" type=\"Node2D\"]
script = SubResource(\"1\")
[connection signal=\"hurt\" from=\".\" to=\".\" method=\"hit\"]
//- loader.gd
extends Node
var a = load(\"res://.hidden/a.txt\")
";

struct Counting(Cell<Option<usize>>);

impl Watcher for Counting {
    fn step(&self, done: usize, total: usize) -> bool {
        self.0.set(self.0.get().or(Some(total - done)));
        true
    }
}

#[test]
fn after_a_change_the_same_is_found_as_from_the_start() {
    let dir = Folder::files(PROJECT);
    let facts = crate::Project::open(dir.root()).unwrap().facts().unwrap();
    let store = crate::Store::open(dir.root());
    let mut kept = None;
    let mut check_again = |path: &str, text: Option<String>| {
        if let Some(text) = text {
            dir.write(path, text);
            store.refresh(&[dir.path(path)]);
        }
        let count = Counting(Cell::new(None));
        let again = check(&store.index(), &facts, &mut kept, &count);
        let fresh = Index::build(dir.root(), None);
        let fresh = check(&fresh.into(), &facts, &mut None, &Patient);
        assert_eq!(again.findings, fresh.findings, "{path}");
        assert_eq!((again.checked, again.total), (fresh.total, fresh.total));
        (again.findings.len(), count.0.get().unwrap_or(0))
    };
    let replaced = |path: &str, from: &str, to: &str| {
        let text = dir.read(path);
        assert!(text.contains(from), "{path} has no {from}");
        Some(text.replace(from, to))
    };
    // What is loaded from a hidden folder is not there, and that is looked up each time.
    let all = 8;
    assert_eq!(check_again("", None), (1, all));
    assert_eq!(check_again("", None), (1, 2));
    let other = replaced("other.tscn", "Node2D", "Node3D");
    assert_eq!(check_again("other.tscn", other), (1, 3));
    // The heirs of a script, the scenes that have these, and the scenes around them.
    let base = replaced("base.gd", "func hit", "func hat");
    assert_eq!(check_again("base.gd", base), (3, 6));
    let base = replaced("base.gd", "func hat", "func hit");
    assert_eq!(check_again("base.gd", base), (1, 6));
    let hero = replaced("hero.tscn", "Hand", "Arm");
    assert_eq!(check_again("hero.tscn", hero), (2, 4));
    // A file that comes may be what any other looks for.
    assert_eq!(check_again("new.gd", Some("extends Base\n".into())), (2, all + 1));
    // Nobody tells of files in hidden folders.
    dir.write(".hidden/a.txt", "a");
    assert_eq!(check_again("", None).0, 1);
    // A class that goes is missed wherever it is used.
    let base = replaced("base.gd", "class_name Base\n", "");
    assert_eq!(check_again("base.gd", base).1, all + 1);
}
