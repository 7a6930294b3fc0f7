//! A Godot project of any size: folders of a hundred files in the proportions of a real game, with
//! instances, inherited scenes and resources that use each other. The engine can open it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// Changes with the bytes that are written, so that old projects are made again.
pub(crate) const VERSION: &str = "godot-1";

/// The large scenes and their sizes.
pub(crate) const LARGE: [(&str, usize); 2] =
    [("five.tscn", 5_000_000), ("thirty.tscn", 30_000_000)];

/// How many of each kind a folder has. Scripts, textures and shaders have a file beside them.
const SCRIPTS: usize = 10;
const TEXTURES: usize = 12;
const SHADERS: usize = 3;
const RESOURCES: usize = 20;
const SCENES: usize = 30;
/// Scenes that only have nodes of their own; the next have instances of them, the last inherit.
const PLAIN_SCENES: usize = 15;
const INHERITED_SCENES: usize = 5;

/// Write a project with `files` files into `root`.
pub(crate) fn write(root: &Path, files: usize) -> io::Result<()> {
    fs::create_dir_all(root)?;
    let main = Place { folder: 0, number: 0 };
    fs::write(root.join("project.godot"), settings(&main.uid(Kind::Scene)))?;
    let mut left = files.saturating_sub(1);
    for folder in 0.. {
        for (name, content) in folder_files(folder).into_iter().take(left) {
            let path = root.join(folder_name(folder)).join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder"))?;
            fs::write(path, content)?;
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    Ok(())
}

/// Write the large scenes and what they use into `root`.
pub(crate) fn write_large(root: &Path) -> io::Result<()> {
    fs::create_dir_all(root)?;
    fs::write(root.join("project.godot"), settings(&uid(u64::MAX)))?;
    for (name, content) in folder_files(0).into_iter().filter(|(name, _)| !name.ends_with(".tscn"))
    {
        let path = root.join(folder_name(0)).join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder"))?;
        fs::write(path, content)?;
    }
    for (number, (name, size)) in (0..).zip(LARGE) {
        fs::write(root.join(name), large_scene(u64::MAX - number, size))?;
    }
    Ok(())
}

/// The part of a uid's seed that tells kinds apart.
#[derive(Clone, Copy)]
enum Kind {
    Script,
    Texture,
    Shader,
    Resource,
    Scene,
}

/// A file of a kind: its folder, and its number there.
#[derive(Clone, Copy)]
struct Place {
    folder: usize,
    number: usize,
}

impl Place {
    fn uid(self, kind: Kind) -> String {
        uid((self.folder as u64) << 16 | (kind as u64) << 8 | self.number as u64)
    }

    fn path(self, kind: Kind) -> String {
        let (folder, number) = (folder_name(self.folder), self.number);
        let (name, extension) = match kind {
            Kind::Script => ("scripts/behaviour", "gd"),
            Kind::Texture => ("art/texture", "svg"),
            Kind::Shader => ("shaders/shader", "gdshader"),
            Kind::Resource => ("resources/material", "tres"),
            Kind::Scene => ("scenes/scene", "tscn"),
        };
        format!("res://{folder}/{name}_{number:02}.{extension}")
    }

    fn ext_resource(self, kind: Kind, id: &str) -> String {
        let class = match kind {
            Kind::Script => "Script",
            Kind::Texture => "Texture2D",
            Kind::Shader => "Shader",
            Kind::Resource => "Material",
            Kind::Scene => "PackedScene",
        };
        let (uid, path) = (self.uid(kind), self.path(kind));
        format!("[ext_resource type=\"{class}\" uid=\"{uid}\" path=\"{path}\" id=\"{id}\"]\n")
    }
}

fn folder_name(folder: usize) -> String {
    format!("part_{:02}/set_{folder:04}", folder / 100)
}

fn folder_files(folder: usize) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let places = |count: usize| (0..count).map(move |number| Place { folder, number });
    let local = |place: Place, kind: Kind| {
        let path = place.path(kind);
        path.strip_prefix(&format!("res://{}/", folder_name(folder))).unwrap_or(&path).to_owned()
    };
    for place in places(SCRIPTS) {
        let name = local(place, Kind::Script);
        files.push((format!("{name}.uid"), format!("{}\n", place.uid(Kind::Script))));
        files.push((name, script(place)));
    }
    for place in places(TEXTURES) {
        let name = local(place, Kind::Texture);
        files.push((format!("{name}.import"), import(place)));
        files.push((name, texture(place)));
    }
    for place in places(SHADERS) {
        let name = local(place, Kind::Shader);
        files.push((format!("{name}.uid"), format!("{}\n", place.uid(Kind::Shader))));
        files.push((name, shader(place)));
    }
    files.extend(places(RESOURCES).map(|place| (local(place, Kind::Resource), material(place))));
    files.extend(places(SCENES).map(|place| (local(place, Kind::Scene), scene(place))));
    files
}

fn settings(main_scene: &str) -> String {
    format!(
        "config_version=5\n\n[application]\n\nconfig/name=\"Synth\"\nrun/main_scene=\"{main_scene}\"\nconfig/features=PackedStringArray(\"4.4\")\n\n[rendering]\n\nrenderer/rendering_method=\"gl_compatibility\"\n"
    )
}

fn script(place: Place) -> String {
    let Place { folder, number } = place;
    let texture = Place { folder, number: number % TEXTURES }.path(Kind::Texture);
    let mut text = format!(
        "class_name Behaviour{folder:04}N{number:02}\nextends Node2D\n\nsignal finished(value: int)\n\nconst PICTURE := preload(\"{texture}\")\n\n@export var speed := {number}.5\n@export var title := \"Thing {number}\"\n@export var target: NodePath\n\nvar _time := 0.0\n\n\nfunc _process(delta: float) -> void:\n\t_time += delta * speed\n\tposition.x += sin(_time)\n"
    );
    for step in 0..8 {
        let _ = write!(
            text,
            "\n\nfunc step_{step}(value: int) -> int:\n\tif value > {step}:\n\t\tfinished.emit(value)\n\t\treturn value - {step}\n\treturn value\n"
        );
    }
    text + "\n\nfunc _on_timer_timeout() -> void:\n\tfinished.emit(0)\n"
}

fn texture(place: Place) -> String {
    let shade = place.number * 20;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"16\" height=\"16\"><rect width=\"16\" height=\"16\" fill=\"rgb({shade},80,120)\"/></svg>\n"
    )
}

fn import(place: Place) -> String {
    let (uid, source) = (place.uid(Kind::Texture), place.path(Kind::Texture));
    let name = source.rsplit('/').next().unwrap_or_default();
    // The engine names its copy by a hash of the path; any name of that length reads the same.
    let stored = format!(
        "res://.godot/imported/{name}-{:016x}{:016x}.ctex",
        super::mix(place.folder as u64),
        super::mix(place.number as u64)
    );
    let mut text = format!(
        "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"{uid}\"\npath=\"{stored}\"\nmetadata={{\n\"vram_texture\": false\n}}\n\n[deps]\n\nsource_file=\"{source}\"\ndest_files=[\"{stored}\"]\n\n[params]\n\n"
    );
    for parameter in [
        "compress/mode=0",
        "compress/high_quality=false",
        "compress/lossy_quality=0.7",
        "compress/hdr_compression=1",
        "compress/normal_map=0",
        "mipmaps/generate=false",
        "mipmaps/limit=-1",
        "roughness/mode=0",
        "roughness/src_normal=\"\"",
        "process/fix_alpha_border=true",
        "process/premult_alpha=false",
        "process/size_limit=0",
        "detect_3d/compress_to=1",
        "svg/scale=1.0",
    ] {
        text += parameter;
        text += "\n";
    }
    text
}

fn shader(place: Place) -> String {
    let strength = place.number + 1;
    format!(
        "shader_type canvas_item;\n\nuniform vec4 glow : source_color = vec4(1.0);\nuniform float strength = {strength}.0;\n\nvoid fragment() {{\n\tCOLOR = mix(COLOR, glow, strength * 0.1);\n}}\n"
    )
}

fn material(place: Place) -> String {
    let Place { folder, number } = place;
    let shader = Place { folder, number: number % SHADERS }.ext_resource(Kind::Shader, "1_shade");
    format!(
        "[gd_resource type=\"ShaderMaterial\" load_steps=2 format=3 uid=\"{}\"]\n\n{shader}\n[resource]\nshader = ExtResource(\"1_shade\")\nshader_parameter/glow = Color(1, 0.{number:02}, 0.5, 1)\nshader_parameter/strength = {number}.25\n",
        place.uid(Kind::Resource)
    )
}

fn scene(place: Place) -> String {
    match place.number {
        0..PLAIN_SCENES => plain_scene(place),
        number if number < SCENES - INHERITED_SCENES => composed_scene(place),
        _ => inherited_scene(place),
    }
}

fn header(uid: &str) -> String {
    format!("[gd_scene format=3 uid=\"{uid}\"]\n\n")
}

/// Nodes of many kinds, a few levels deep, as a level or a screen has them.
fn plain_scene(place: Place) -> String {
    let Place { folder, number } = place;
    let mut text = header(&place.uid(Kind::Scene));
    text += &used(folder, number);
    text += "\n";
    for shape in 0..4 {
        text += &inner_resources(shape, 60);
    }
    let _ = write!(
        text,
        "[node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1_script\")\nspeed = {number}.75\ntarget = NodePath(\"Group0/Sprite\")\n\n"
    );
    for group in 0..4 {
        text += &nodes(group, group);
    }
    text + "[connection signal=\"timeout\" from=\"Group0/Timer\" to=\".\" method=\"_on_timer_timeout\"]\n"
}

/// The script, texture and material that a scene uses.
fn used(folder: usize, number: usize) -> String {
    let place = |count: usize| Place { folder, number: number % count };
    place(SCRIPTS).ext_resource(Kind::Script, "1_script")
        + &place(TEXTURES).ext_resource(Kind::Texture, "2_image")
        + &place(RESOURCES).ext_resource(Kind::Resource, "3_stuff")
}

/// A shape and an animation with so many keys.
fn inner_resources(number: usize, keys: usize) -> String {
    let mut text = format!(
        "[sub_resource type=\"RectangleShape2D\" id=\"RectangleShape2D_{number}\"]\nsize = Vector2({number}, 24.5)\n\n[sub_resource type=\"Animation\" id=\"Animation_{number}\"]\nresource_name = \"move {number}\"\nlength = 2.5\ntracks/0/type = \"value\"\ntracks/0/imported = false\ntracks/0/enabled = true\ntracks/0/path = NodePath(\"Group0/Sprite:position\")\ntracks/0/interp = 1\ntracks/0/loop_wrap = true\ntracks/0/keys = {{\n\"times\": PackedFloat32Array("
    );
    let comma = |key: usize| if key == 0 { "" } else { ", " };
    for key in 0..keys {
        let _ = write!(text, "{}{}", comma(key), key as f64 / 8.0);
    }
    text += "),\n\"transitions\": PackedFloat32Array(";
    for key in 0..keys {
        let _ = write!(text, "{}1", comma(key));
    }
    text += "),\n\"update\": 0,\n\"values\": [";
    for key in 0..keys {
        let _ = write!(text, "{}Vector2({}.25, -{key})", comma(key), key * 7 + number);
    }
    text + "]\n}\n\n"
}

/// A group of nodes below the root.
fn nodes(group: usize, inner: usize) -> String {
    let x = group * 16;
    format!(
        "[node name=\"Group{group}\" type=\"Node2D\" parent=\".\"]\nposition = Vector2({x}, -12.5)\n\n\
         [node name=\"Sprite\" type=\"Sprite2D\" parent=\"Group{group}\"]\nmaterial = ExtResource(\"3_stuff\")\nposition = Vector2({x}.5, 3)\nscale = Vector2(1.25, 1.25)\ntexture = ExtResource(\"2_image\")\n\n\
         [node name=\"Body\" type=\"StaticBody2D\" parent=\"Group{group}\" groups=[\"solid\", \"part\"]]\ncollision_layer = 4\ncollision_mask = 3\n\n\
         [node name=\"Shape\" type=\"CollisionShape2D\" parent=\"Group{group}/Body\"]\nshape = SubResource(\"RectangleShape2D_{inner}\")\n\n\
         [node name=\"Outline\" type=\"Polygon2D\" parent=\"Group{group}\"]\ncolor = Color(0.9, 0.85, 0.6, 1)\npolygon = PackedVector2Array(-10, 0, -10, -16, 0, -24.5, 10, -16, 10, 0, {x}, 4)\n\n\
         [node name=\"Timer\" type=\"Timer\" parent=\"Group{group}\"]\nwait_time = 0.5\none_shot = true\n\n\
         [node name=\"Label\" type=\"Label\" parent=\"Group{group}\"]\noffset_right = 40.0\noffset_bottom = 23.0\ntext = \"Part \\\"{group}\\\"\nof a level\"\nmetadata/note = {{\n\"tags\": [&\"a\", &\"b\"],\n\"weight\": {x}\n}}\n\n"
    )
}

/// Instances of plain scenes, some changed, from this folder and the one before.
fn composed_scene(place: Place) -> String {
    let Place { folder, number } = place;
    let mut text = header(&place.uid(Kind::Scene));
    for instance in 0..4 {
        let source = Place {
            folder: if instance == 3 { folder.saturating_sub(1) } else { folder },
            number: (number * 3 + instance) % PLAIN_SCENES,
        };
        text += &source.ext_resource(Kind::Scene, &format!("{}_scene", instance + 1));
    }
    text += "\n[node name=\"World\" type=\"Node2D\"]\n\n";
    for copy in 0..4 {
        let source = copy + 1;
        let _ = write!(
            text,
            "[node name=\"Copy{copy}\" parent=\".\" instance=ExtResource(\"{source}_scene\")]\nposition = Vector2({copy}, 8)\n\n[node name=\"Sprite\" parent=\"Copy{copy}/Group1\" index=\"0\"]\nmodulate = Color(1, 1, 1, 0.5)\n\n"
        );
    }
    text + "[editable path=\"Copy0\"]\n"
}

fn inherited_scene(place: Place) -> String {
    let base = Place { number: place.number % PLAIN_SCENES, ..place };
    header(&place.uid(Kind::Scene))
        + &base.ext_resource(Kind::Scene, "1_base")
        + "\n[node name=\"Special\" instance=ExtResource(\"1_base\")]\nspeed = 9.0\n\n[node name=\"Sprite\" parent=\"Group2\" index=\"0\"]\nvisible = false\n\n[node name=\"Extra\" type=\"Marker2D\" parent=\"Group2\" index=\"2\"]\nposition = Vector2(1, 2)\n"
}

/// Nodes, animations and packed bytes in turn, until the scene has the size.
pub(crate) fn large_scene(seed: u64, size: usize) -> String {
    let mut inner = String::new();
    let mut rest = "[node name=\"Large\" type=\"Node2D\"]\n\n".to_owned();
    for number in 0.. {
        if inner.len() + rest.len() >= size {
            break;
        }
        inner += &inner_resources(number, 40);
        rest += &nodes(number, number);
        let _ = write!(
            rest,
            "[node name=\"Tiles\" type=\"TileMapLayer\" parent=\"Group{number}\"]\ntile_map_data = PackedByteArray(\"{}\")\n\n",
            "AAAhAAwAAAADAAAA".repeat(60)
        );
    }
    format!("[gd_scene format=4 uid=\"{}\"]\n\n{}\n{inner}{rest}", uid(seed), used(0, 0))
}

/// A uid as the engine writes it: 63 bits in the letters a to y and the digits 0 to 8.
fn uid(seed: u64) -> String {
    const LETTERS: &[u8; 34] = b"abcdefghijklmnopqrstuvwxy012345678";
    let mut left = super::mix(seed) >> 1;
    let mut text = Vec::new();
    while left > 0 {
        text.push(LETTERS[(left % 34) as usize]);
        left /= 34;
    }
    let text: String = text.into_iter().rev().map(char::from).collect();
    format!("uid://{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenewright_godot::{Document, Form};

    #[test]
    fn a_folder_has_a_hundred_sound_files() {
        let files = folder_files(7);
        assert_eq!(files.len(), 100);
        for (name, content) in files {
            let Some(form) = Form::of_path(name.as_ref()) else { continue };
            let problems = Document::parse(content, form).problems().to_vec();
            assert_eq!(problems, [], "{name}");
        }
    }

    #[test]
    fn large_scenes_are_as_large_as_said() {
        let scene = large_scene(1, 100_000);
        assert!((100_000..110_000).contains(&scene.len()), "{}", scene.len());
        assert_eq!(Document::parse(scene, Form::Resource).problems(), []);
    }

    #[test]
    fn uids_differ_and_stay_the_same() {
        let mut seen = std::collections::HashSet::new();
        for folder in 0..50 {
            for number in 0..30 {
                assert!(seen.insert(Place { folder, number }.uid(Kind::Scene)));
                assert!(seen.insert(Place { folder, number }.uid(Kind::Script)));
            }
        }
        assert_eq!(uid(3), uid(3));
    }
}
