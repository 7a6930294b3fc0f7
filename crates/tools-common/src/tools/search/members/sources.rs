//! Where the classes and fields come from: Unity's layouts and packages, Godot's class tables. What
//! people say for a class beside its name is here, too.

use scenewright_godot::classes::{Builtin, Classes, Hint, Property};
use scenewright_toolkit::Workspace;
use scenewright_tools_godot::base::GodotProject;
use scenewright_tools_unity::base::UnityProject;
use scenewright_unity::members::{self, Holds};
use scenewright_unity::packages;
use scenewright_unity::types::Version;
use serde_json::{Value, json};

use super::{Class, Field, Members, Place, words};

/// What people call a class. Parts of its own name need not be here.
const ALSO: &[(&str, &[&str])] = &[
    ("AudioSource", &["sound source", "music"]),
    ("TextMeshProUGUI", &["text mesh pro", "tmp text", "tmp", "ui text", "label"]),
    ("TextMeshPro", &["text mesh pro"]),
    ("Text", &["ui text"]),
    ("Image", &["ui image"]),
    ("Light", &["sun", "lamp", "torch", "lantern"]),
    ("PointLight2D", &["lamp", "torch", "lantern"]),
    ("DirectionalLight3D", &["sun"]),
    ("OmniLight3D", &["lamp", "torch", "lantern"]),
    ("CollisionShape2D", &["hitbox", "hurtbox"]),
    ("ProgressBar", &["health bar", "hp bar"]),
    ("Label", &["caption"]),
    ("MeshRenderer", &["renderer"]),
    ("SpriteRenderer", &["sprite"]),
    ("ParticleSystem", &["particles"]),
    ("PhysicsManager", &["physics settings", "physics"]),
    ("Physics2DSettings", &["physics 2d settings"]),
    ("PlayerSettings", &["player settings"]),
    ("QualitySettings", &["quality"]),
    ("TimeManager", &["time settings"]),
    ("UniversalRenderPipelineAsset", &["urp asset", "urp", "render pipeline asset"]),
    ("TextureImporter", &["texture", "sprite"]),
    ("ModelImporter", &["model"]),
    ("AudioImporter", &["audio clip", "sound"]),
    ("GameObject", &["object"]),
    ("Transform", &["object"]),
    ("ProjectSettings", &["project settings", "project", "game"]),
    ("AudioStreamPlayer", &["music", "sound"]),
    ("GPUParticles2D", &["particles"]),
    ("GPUParticles3D", &["particles"]),
];

/// What the inspector calls fields of Unity whose names in files are others.
const LABELS: &[(&str, &[&str])] = &[
    ("m_SortingOrder", &["order in layer"]),
    ("m_Constraints", &["freeze rotation", "freeze position", "constraints"]),
    ("m_CollisionDetection", &["collision detection"]),
    ("m_ActiveColorSpace", &["color space"]),
    ("applicationIdentifier", &["bundle identifier", "package name"]),
    ("bundleVersion", &["version"]),
    ("m_FillAmount", &["fill amount"]),
    ("m_UiScaleMode", &["ui scale mode", "scale mode"]),
    ("m_FlipX", &["flip x"]),
];

/// The classes that are meant most, of those that have the same field.
const LIKELY: &[&str] = &[
    "Transform",
    "GameObject",
    "Rigidbody",
    "Light",
    "Camera",
    "AudioSource",
    "SpriteRenderer",
    "MeshRenderer",
    "ParticleSystem",
    "BoxCollider",
    "Animator",
    "Canvas",
    "Image",
    "TextMeshProUGUI",
    "QualitySettings",
    "PlayerSettings",
    "Node",
    "CanvasItem",
    "Node2D",
    "Control",
    "Node3D",
    "Sprite2D",
    "Label",
    "Button",
    "Timer",
    "Camera2D",
    "CollisionShape2D",
    "AudioStreamPlayer",
];

/// Names that people have for a class, beside its own.
pub(super) fn also(name: &str) -> &'static [&'static str] {
    ALSO.iter().find(|(class, _)| *class == name).map_or(&[], |(_, names)| names)
}

/// A little more for what is meant most, and for what has the dimensions that are asked for.
pub(super) fn likely(name: &str, asked: &[(String, f32)]) -> f32 {
    let dimension = name.get(name.len().saturating_sub(2)..).unwrap_or_default().to_lowercase();
    let is_asked = asked.iter().any(|(word, _)| *word == dimension);
    let likely = if LIKELY.contains(&name) { 0.2 } else { 0.0 };
    if is_asked { likely + 0.3 } else { likely }
}

/// The classes of the engines of the open projects, in the versions that these have.
pub(in super::super) fn of(workspace: &Workspace) -> Members {
    let projects = workspace.projects();
    let unity = projects.iter().find_map(|project| project.of::<UnityProject>());
    let godot = projects.iter().find_map(|project| project.of::<GodotProject>());
    let none = projects.is_empty();
    let mut classes = Vec::new();
    if none || unity.is_some() {
        let version = unity.and_then(|unity| Version::parse(&unity.settings.version.text));
        let packages = unity.map(|unity| packages::read(&unity.settings.root).installed);
        let has = |package: &str| {
            // These are part of Unity, or as good as that.
            let is_usual = ["com.unity.ugui", "com.unity.textmeshpro"].contains(&package);
            let is_there =
                packages.as_ref().is_none_or(|all| all.iter().any(|one| one.name == package));
            is_usual || is_there
        };
        classes.extend(of_unity(version.unwrap_or(Version::NEWEST), &has));
    }
    if none || godot.is_some() {
        let version = godot.and_then(|godot| godot.settings.facts().ok()?.engine_version);
        let version = version.map_or_else(Default::default, |version| {
            scenewright_godot::classes::Version::of(&version)
        });
        classes.extend(of_godot(Classes::of(version)));
        classes.push(of_settings());
    }
    Members::new(classes)
}

fn of_unity(version: Version, has_package: &dyn Fn(&str) -> bool) -> Vec<Class> {
    let class = |found: members::Class| {
        let place = match found.place {
            members::Place::Object => Place::Component,
            members::Place::Settings(file) => Place::Asset(file),
            members::Place::Importer => Place::Imported,
            members::Place::Asset => Place::Asset("Assets/Path/To/Asset.asset"),
        };
        let bases = found.bases.iter().map(|base| (*base).to_owned()).collect();
        let mut class = Class::new(found.name, bases, place);
        class.fields = found.fields.into_iter().map(of_file).collect();
        // What C# has and files have otherwise.
        let more: &[(&str, Value)] = match found.name {
            "GameObject" => &[("active", json!(false)), ("static", json!(true))],
            "Transform" => &[
                ("position", json!([0, 1, 0])),
                ("eulerAngles", json!([0, 45, 0])),
                ("rotation", json!([0, 45, 0])),
                ("localScale", json!([2, 2, 2])),
                ("scale", json!([2, 2, 2])),
            ],
            _ => &[],
        };
        class.fields.extend(more.iter().map(|(path, sample)| Field {
            path: (*path).to_owned(),
            names: vec![words::name_stems(path)],
            sample: sample.clone(),
        }));
        class
    };
    members::classes(version, has_package).into_iter().map(class).collect()
}

fn of_file(field: members::Field) -> Field {
    // Of what is inside of something the last name may be enough.
    let labels = LABELS.iter().filter(|(path, _)| *path == field.path);
    let labels = labels.flat_map(|(_, labels)| labels.iter().map(|label| (*label).to_owned()));
    let parts = field.names.iter().map(|name| plain(name)).chain(labels);
    let last = |name: &String| name.rsplit_once('.').map(|(_, last)| last.to_owned());
    let names = parts.flat_map(|name| [last(&name), Some(name)].into_iter().flatten());
    let mut names: Vec<_> = names.map(|name| words::name_stems(&name)).collect();
    names.retain(|name| !name.is_empty());
    names.sort();
    names.dedup();
    let csharp = field.names.iter().skip(1).min_by_key(|name| name.len());
    let path = csharp.cloned().unwrap_or_else(|| shown(&field.path));
    let sample = match field.holds {
        Holds::Truth => json!(true),
        Holds::Number => json!(2),
        Holds::Text => json!("text"),
        Holds::Colour => json!("#ff8800"),
        Holds::Vector(count) => json!(vec![1; count]),
        Holds::Turn => json!([0, 45, 0]),
        Holds::Reference => json!({ "asset": "Assets/Path/To/Asset" }),
        Holds::Other => json!(1),
    };
    Field { path, names, sample }
}

/// A path without what only files say: `m_Shadows.m_Strength` is `Shadows.Strength`.
fn plain(path: &str) -> String {
    let parts = path.split('.').map(|part| {
        let part = part.strip_prefix("m_").unwrap_or(part);
        part.strip_suffix("[0]").unwrap_or(part).trim_end_matches("Module")
    });
    parts.collect::<Vec<_>>().join(".")
}

/// As C# has it, where that follows from the file: `m_Intensity` is `intensity`.
fn shown(path: &str) -> String {
    let Some(name) = path.strip_prefix("m_").filter(|_| !path.contains('.')) else {
        return path.to_owned();
    };
    let mut letters = name.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

fn of_godot(classes: &Classes) -> Vec<Class> {
    // Windows are mostly the project's own, which its settings make.
    let is_meant =
        |class: &&scenewright_godot::classes::Class| !class.editor && class.name != "Window";
    let place = |name: &str| {
        if classes.inherits(name, "Node") {
            Some(Place::Node)
        } else {
            classes.inherits(name, "Resource").then_some(Place::Resource)
        }
    };
    let class = |found: &scenewright_godot::classes::Class| {
        let parent = found.parent.map(str::to_owned).into_iter().collect();
        let mut class = Class::new(found.name, parent, place(found.name)?);
        let settable = found.properties().iter();
        let settable = settable.filter(|property| {
            // Scripts have tools of their own.
            !property.read_only && property.shown && property.name != "script"
        });
        class.fields = settable.map(of_property).collect();
        Some(class)
    };
    classes.all().iter().filter(is_meant).filter_map(class).collect()
}

/// Settings of `project.godot` that people change, with a value of their kind. They are in no table of the
/// engine's.
const SETTINGS: &[(&str, &str)] = &[
    ("application/config/name", "\"My Game\""),
    ("application/config/description", "\"text\""),
    ("application/config/icon", "\"res://icon.svg\""),
    ("application/config/version", "\"1.0\""),
    ("application/run/main_scene", "\"res://main.tscn\""),
    ("application/run/max_fps", "60"),
    ("application/boot_splash/image", "\"res://icon.svg\""),
    ("application/boot_splash/bg_color", "\"#ff8800\""),
    ("audio/buses/default_bus_layout", "\"res://default_bus_layout.tres\""),
    ("debug/gdscript/warnings/enable", "true"),
    ("display/mouse_cursor/custom_image", "\"res://icon.svg\""),
    ("display/window/handheld/orientation", "1"),
    ("display/window/size/viewport_width", "1280"),
    ("display/window/size/viewport_height", "720"),
    ("display/window/size/mode", "3"),
    ("display/window/size/fullscreen", "3"),
    ("display/window/size/resizable", "true"),
    ("display/window/size/borderless", "true"),
    ("display/window/size/always_on_top", "true"),
    ("display/window/size/transparent", "true"),
    ("display/window/stretch/mode", "\"canvas_items\""),
    ("display/window/stretch/aspect", "\"keep\""),
    ("display/window/stretch/scale", "1.0"),
    ("display/window/stretch/scale_mode", "\"integer\""),
    ("display/window/vsync/vsync_mode", "0"),
    ("gui/theme/custom", "\"res://theme.tres\""),
    ("gui/theme/custom_font", "\"res://font.ttf\""),
    ("gui/theme/default_theme_scale", "1.0"),
    ("input_devices/pointing/emulate_touch_from_mouse", "true"),
    ("input_devices/pointing/emulate_mouse_from_touch", "true"),
    ("internationalization/locale/fallback", "\"en\""),
    ("internationalization/locale/translations", "[]"),
    ("physics/2d/default_gravity", "980"),
    ("physics/2d/default_linear_damp", "0.1"),
    ("physics/3d/default_gravity", "9.8"),
    ("physics/3d/physics_engine", "\"Jolt Physics\""),
    ("physics/common/physics_ticks_per_second", "60"),
    ("physics/common/physics_interpolation", "true"),
    ("rendering/anti_aliasing/quality/msaa_2d", "2"),
    ("rendering/anti_aliasing/quality/msaa_3d", "2"),
    ("rendering/anti_aliasing/quality/use_taa", "true"),
    ("rendering/environment/defaults/default_clear_color", "\"#202030\""),
    ("rendering/renderer/rendering_method", "\"mobile\""),
    ("rendering/textures/canvas_textures/default_texture_filter", "0"),
    ("rendering/2d/snap/snap_2d_transforms_to_pixel", "true"),
];

fn of_settings() -> Class {
    let mut class = Class::new("ProjectSettings", Vec::new(), Place::Setting);
    let field = |(path, sample): &(&str, &str)| {
        let mut parts: Vec<&str> = path.split('/').collect();
        let last = parts.pop().unwrap_or_default();
        let near = parts.last().copied().unwrap_or_default();
        // `stretch mode`, `viewport width`, `window mode`.
        let said = [last.to_owned(), format!("{near} {last}"), format!("window {last}")];
        let is_of_window = path.starts_with("display/window");
        let said = said.iter().take(if is_of_window { 3 } else { 2 }).map(String::as_str);
        let is_size = last.starts_with("viewport_");
        let said = said.chain(["window size", "resolution"].into_iter().filter(|_| is_size));
        Field {
            path: (*path).to_owned(),
            names: said.map(words::name_stems).collect(),
            sample: serde_json::from_str(sample).unwrap_or_default(),
        }
    };
    class.fields = SETTINGS.iter().map(field).collect();
    class
}

fn of_property(property: &Property) -> Field {
    let sample: Value = match (property.value.builtin(), property.hint) {
        (Some(Builtin::Bool), _) => json!(true),
        (Some(Builtin::Int), Some(hint @ Hint::Choices(_))) => {
            hint.choices().get(1).map_or(json!(1), |(_, number)| json!(number))
        }
        (Some(Builtin::Int), _) => json!(2),
        (Some(Builtin::Float), _) => json!(1.5),
        (Some(Builtin::Color), _) => json!("#ff8800"),
        (Some(Builtin::Vector2 | Builtin::Vector2i), _) => json!({ "x": 100, "y": 200 }),
        (Some(Builtin::Vector3 | Builtin::Vector3i), _) => json!({ "x": 1, "y": 2, "z": 3 }),
        (Some(Builtin::Object), _) => json!("res://path/to/resource.tres"),
        _ => json!("text"),
    };
    let names = vec![words::name_stems(property.name)];
    Field { path: property.name.to_owned(), names, sample }
}
