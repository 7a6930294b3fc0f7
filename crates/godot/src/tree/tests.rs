//! Trees of files in memory.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};

use super::*;

/// Files in memory, given as one text with each under a `//- path` line.
struct Texts(BTreeMap<String, String>);

impl Texts {
    fn new(text: &str) -> Texts {
        let files = scenewright_fixture::files(text);
        Texts(files.map(|(name, text)| (format!("res://{name}"), text.into())).collect())
    }
}

impl Sources for Texts {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).map(|text| text.clone().into_bytes())
    }

    fn find_uid(&self, uid: &str) -> Option<String> {
        let needle = format!("uid=\"{uid}\"");
        let is_it = |text: &String| text.lines().next().is_some_and(|line| line.contains(&needle));
        self.0.iter().find(|(_, text)| is_it(text)).map(|(path, _)| path.clone())
    }
}

fn check(text: &str, expected: Expect) {
    let texts = Texts::new(text);
    let tree = Tree::build("res://main.tscn", &texts).unwrap();
    let mut shown = String::new();
    for node in tree.nodes() {
        assert_eq!(tree.node(&node.path).unwrap().path, node.path);
        // A name that stands twice is the first one's, and one with `#` is of a lost parent.
        if std::ptr::eq(tree.node(&node.path).unwrap(), node) && !node.path.contains('#') {
            let near = Tree::build_near("res://main.tscn", &texts, &node.path).unwrap();
            assert_eq!(told(&near, near.node(&node.path).unwrap()), told(&tree, node));
        }
        shown += &format!("{} | {}", node.path, node.class.as_deref().unwrap_or("?"));
        if node.state != NodeState::Plain {
            shown += &format!(" | {:?}", node.state);
        }
        if !node.groups.is_empty() {
            shown += &format!(" | {}", node.groups.join(", "));
        }
        shown += if node.editable { " | editable\n" } else { "\n" };
        for property in &node.properties {
            shown += &format!("    {property:?}\n");
        }
    }
    for TreeProblem { file, line, message, .. } in tree.problems() {
        shown += &format!("{file}:{line}: {message}\n");
    }
    expected.assert_eq(&shown);
}

/// What a tree around a node tells of it: what it is, its children, and those it belongs to.
fn told(tree: &Tree, node: &TreeNode) -> String {
    let children = tree.children(node).map(|child| child.name.as_str());
    let children: Vec<_> = children.filter(|name| !name.contains('#')).collect();
    let up = |node: &&TreeNode| node.owner.map(|owner| &tree.nodes()[owner]);
    let owners = std::iter::successors(Some(node), up).skip(1);
    let owners: Vec<_> = owners.map(|owner| (&owner.path, owner.editable)).collect();
    let TreeNode { class, groups, properties, instance, editable, state, section, .. } = node;
    format!(
        "{children:?} {owners:?} {class:?} {groups:?} {properties:?} {instance:?} {editable} {state:?} {section:?}"
    )
}

const COIN: &str = r#"
//- coin.tscn
[gd_scene format=3 uid="uid://coin"]
[node name="Coin" type="Area2D" groups=["coins"]]
value = 1
[node name="Face" type="Sprite2D" parent="."]
[node name="Shape" type="CollisionShape2D" parent="."]
"#;

#[test]
fn instances_bring_their_nodes_and_take_overrides() {
    check(
        &format!(
            r#"{COIN}
//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" uid="uid://coin" path="res://moved.tscn" id="1"]
[node name="Main" type="Node2D"]
[node name="Gold" parent="." groups=["coins", "gold"] instance=ExtResource("1")]
value = 5
[node name="Face" parent="Gold" index="0"]
color = 2
[node name="Glow" type="Node2D" parent="Gold" index="1"]
[node name="Copper" parent="." index="0" instance=ExtResource("1")]
[node name="Lost" parent="Gold" index="3"]
[editable path="Gold"]
"#
        ),
        expect![[r#"
            . | Node2D
            Copper | Area2D | coins
                value = 1 (res://coin.tscn:2)
            Copper/Face | Sprite2D
            Copper/Shape | CollisionShape2D
            Gold | Area2D | coins, gold | editable
                value = 5 (res://main.tscn:4)
            Gold/Face | Sprite2D
                color = 2 (res://main.tscn:6)
            Gold/Glow | Node2D
            Gold/Shape | CollisionShape2D
            res://main.tscn:10: `Gold/Lost` is changed here but is not there any more
        "#]],
    );
}

#[test]
fn a_scene_inherits() {
    check(
        &format!(
            r#"{COIN}
//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="coin.tscn" id="1"]
[node name="Big" instance=ExtResource("1")]
value = 9
[node name="Shape" parent="." index="1"]
size = 3
[node name="Edge" type="Line2D" parent="Face" index="0"]
"#
        ),
        expect![[r#"
            . | Area2D | coins
                value = 9 (res://main.tscn:3)
            Face | Sprite2D
            Face/Edge | Line2D
            Shape | CollisionShape2D
                size = 3 (res://main.tscn:5)
        "#]],
    );
}

#[test]
fn what_cannot_be_built_is_said() {
    check(
        r#"
//- model.glb
//- loop.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://main.tscn" id="1"]
[node name="Loop" type="Node"]
[node name="Again" parent="." instance=ExtResource("1")]
//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://model.glb" id="1"]
[ext_resource type="PackedScene" path="res://gone.tscn" id="2"]
[ext_resource type="PackedScene" path="res://loop.tscn" id="3"]
[node name="Main" type="Node"]
[node name="Model" parent="." instance=ExtResource("1")]
[node name="Mesh" parent="Model" index="0"]
visible = false
[node name="Hat" type="Sprite3D" parent="Model/Bones/Head"]
[node name="Feather" type="Node3D" parent="Model/Bones/Head/Hat"]
[node name="Gone" parent="." instance=ExtResource("2")]
[node name="Loop" parent="." instance=ExtResource("3")]
[node name="Later" parent="." instance_placeholder="res://later.tscn"]
[node name="Stray" type="Node" parent="No/Where"]
"#,
        expect![[r#"
            . | Node
            Model | ? | Opaque
            Model/Bones | ? | Opaque
            Model/Bones/Head | ? | Opaque
            Model/Bones/Head/Hat | Sprite3D
            Model/Bones/Head/Hat/Feather | Node3D
            Gone | ? | Missing
            Loop | Node
            Loop/Again | ? | Cycle
            Later | InstancePlaceholder | Placeholder
            No_Where#Stray | Node
            res://main.tscn:11: the scene of `Gone`, `res://gone.tscn`, is not there
            res://loop.tscn:4: `Again` is an instance of `res://main.tscn`, which it is inside of
            res://main.tscn:14: the parent `No/Where` of `Stray` is not there
        "#]],
    );
}

#[test]
fn paths_lead_through_the_tree() {
    let text = format!(
        r#"{COIN}
//- main.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://coin.tscn" id="1"]
[node name="Main" type="Node2D"]
[node name="Gold" parent="." instance=ExtResource("1")]
[node name="Sign" type="Label" parent="Gold"]
unique_name_in_owner = true
"#
    );
    let tree = Tree::build("res://main.tscn", &Texts::new(&text)).unwrap();
    let resolve = |base: &str, path: &str| Some(tree.resolve(tree.node(base)?, path)?.path.clone());
    assert_eq!(resolve("Gold/Face", "../../Gold/Shape:x").as_deref(), Some("Gold/Shape"));
    assert_eq!(resolve(".", "%Sign").as_deref(), Some("Gold/Sign"));
    assert_eq!(resolve("Gold", "%Sign/..").as_deref(), Some("Gold"));
    assert_eq!(resolve("Gold/Face", "%Sign"), None);
    assert_eq!(resolve(".", ".."), None);
}

#[test]
fn instances_have_a_bound() {
    // Each scene has the next one twice, which would be 2 to the power of 60 nodes.
    let mut text = String::new();
    for number in 0..60 {
        let name = if number == 0 { "main".into() } else { format!("s{number}") };
        text += &format!("//- {name}.tscn\n[gd_scene format=3]\n");
        text += &format!(
            "[ext_resource type=\"PackedScene\" path=\"res://s{}.tscn\" id=\"1\"]\n",
            number + 1
        );
        text += "[node name=\"R\" type=\"Node\"]\n[node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n";
    }
    let tree = Tree::build("res://main.tscn", &Texts::new(&text)).unwrap();
    assert!(tree.nodes().len() < 100_100);
    assert!(!tree.problems().is_empty());
}

#[test]
fn small_files_in_each_other_bring_few_nodes_and_a_large_scene_all_of_its_own() {
    let scene = |next: &str, count: usize| {
        let child =
            |at: usize| format!("[node name=\"N{at}\" parent=\".\" instance=ExtResource(\"1\")]\n");
        let children: String = (0..count).map(child).collect();
        format!(
            "[gd_scene format=3]\n[ext_resource type=\"PackedScene\" path=\"res://{next}.tscn\" id=\"1\"]\n[node name=\"R\" type=\"Node\"]\n{children}"
        )
    };
    let leaf = "[gd_scene format=3]\n[node name=\"R\" type=\"Node\"]\n";
    let mut text = String::new();
    for number in 0..12 {
        text += &format!("//- s{number}.tscn\n{}", scene(&format!("s{}", number + 1), 10));
    }
    text += &format!("//- s12.tscn\n{leaf}//- wide.tscn\n{}", scene("s12", 40_000));
    let texts = Texts::new(&text);
    let tree = Tree::build("res://s0.tscn", &texts).unwrap();
    assert!(tree.nodes().len() < 20_000, "{}", tree.nodes().len());
    assert_eq!(tree.node("N9").map(|node| node.name.as_str()), Some("N9"));
    assert!(tree.problems().iter().all(|problem| problem.kind == TreeProblemKind::TooMuch));
    assert!(tree.is_cut());
    let wide = Tree::build("res://wide.tscn", &texts).unwrap();
    assert_eq!((wide.nodes().len(), wide.is_cut()), (40_001, false));
}

/// A scene in which a hand is no longer where it was.
const MOVED: &str = r#"
//- base.tscn
[gd_scene format=3]
[node name="Base" type="Node2D" unique_id=1]
[node name="Body" type="Node2D" parent="." unique_id=2]
[node name="Arm" type="Node2D" parent="Body" unique_id=3]
//- middle.tscn
[gd_scene format=3]
[ext_resource type="PackedScene" path="res://base.tscn" id="1"]
[node name="Middle" type="Node2D" unique_id=30]
[node name="In" parent="." unique_id=31 instance=ExtResource("1")]
//- main.tscn
[gd_scene format=3]
"#;

#[test]
fn what_moved_in_an_instance_is_found_by_its_id() {
    let main = r#"
[ext_resource type="PackedScene" path="res://base.tscn" id="1"]
[node name="Top" type="Node2D" unique_id=10]
[node name="I" parent="." unique_id=77 instance=ExtResource("1")]
[node name="Hand" parent="I" index="0" unique_id=3]
rotation = 1.0
[node name="Ring" type="Node" parent="I/Hand" parent_id_path=PackedInt32Array(77, 3) unique_id=20]
[node name="Base" parent="I/Body" unique_id=1]
rotation = 2.0
"#;
    check(
        &format!("{MOVED}{main}"),
        expect![[r#"
            . | Node2D
            I | Node2D
            I/Body | Node2D
            I/Body/Arm | Node2D
                rotation = 1.0 (res://main.tscn:6)
            I/Body/Arm/Ring | Node
            res://main.tscn:6: the ids of the nodes still lead to `I/Body/Arm`
            res://main.tscn:8: the ids of the nodes still lead to `I/Body/Arm`
            res://main.tscn:9: `I/Body/Base` is changed here but is not there any more
        "#]],
    );
}

#[test]
fn ids_lead_through_instances_in_instances_one_by_one() {
    let main = r#"
[ext_resource type="PackedScene" path="res://middle.tscn" id="1"]
[node name="Top" type="Node2D" unique_id=10]
[node name="M" parent="." unique_id=40 instance=ExtResource("1")]
[node name="Hand" parent="M/Old" parent_id_path=PackedInt32Array(40, 31) unique_id=3]
rotation = 1.0
[node name="Ring" type="Node" parent="M/Old/Hand" parent_id_path=PackedInt32Array(40, 31, 3) unique_id=20]
[node name="Short" type="Node" parent="M/Old/Hand" parent_id_path=PackedInt32Array(40, 3) index="0" unique_id=21]
[node name="Body" parent="M" unique_id=2]
rotation = 2.0
"#;
    check(
        &format!("{MOVED}{main}"),
        expect![[r#"
            . | Node2D
            M_Old_Hand#Short | Node
            M | Node2D
            M/In | Node2D
            M/In/Body | Node2D
            M/In/Body/Arm | Node2D
                rotation = 1.0 (res://main.tscn:6)
            M/In/Body/Arm/Ring | Node
            res://main.tscn:6: the ids of the nodes still lead to `M/In/Body/Arm`
            res://main.tscn:8: the ids of the nodes still lead to `M/In/Body/Arm`
            res://main.tscn:9: the parent `M/Old/Hand` of `Short` is not there
            res://main.tscn:10: `M/Body` is changed here but is not there any more
        "#]],
    );
}
