//! Takes every mesh of text files below folders apart and makes it again: the bytes must be the same.
//!
//! `--kind mesh` prints how many are, and
//! the first line of each that is another. What hangs on bones is copied, everything else made anew.
//! Before anything else the judge has to notice a mesh that was broken on purpose.

use std::fs;
use std::path::Path;

use scenewright_unity::edit::{Habits, New, NewObject, fresh, new_file};
use scenewright_unity::mesh::{Part, Shape};
use scenewright_unity::types::Version;
use scenewright_unity::{ClassId, Document, Object, Value};

use super::files;

/// One version of each layout, and its release.
const VERSIONS: [(&str, (u32, u32)); 9] = [
    ("2017.1.0f1", (2017, 1)),
    ("2017.4.17f1", (2017, 4)),
    ("2018.4.36f1", (2018, 4)),
    ("2019.4.18f1", (2019, 4)),
    ("2020.3.23f1", (2020, 3)),
    ("2022.1.1f1", (2022, 1)),
    ("2022.3.22f1", (2022, 3)),
    ("6000.0.52f1", (6000, 0)),
    ("6000.2.11f1", (6000, 2)),
];
/// Fields that say nothing of vertices and parts; these are copied.
const COPIED: [&str; 15] = [
    "m_BindPose",
    "m_BoneNameHashes",
    "m_BonesAABB",
    "m_CookingOptions",
    "m_IsReadable",
    "m_KeepIndices",
    "m_KeepVertices",
    "m_MeshMetrics[0]",
    "m_MeshMetrics[1]",
    "m_MeshOptimizationFlags",
    "m_MeshOptimized",
    "m_MeshUsageFlags",
    "m_RootBoneNameHash",
    "m_ObjectHideFlags",
    "m_Skin",
];

pub(super) fn run(dir: &Path) {
    let (mut same, mut other, mut unread, mut bounds, mut is_awake) = (0, 0, 0, 0, false);
    for path in files(dir, &["asset", "mesh", "prefab", "unity"]) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let document = Document::parse(bytes);
        for object in document.objects().filter(|object| object.class_id() == ClassId::MESH) {
            let place = format!("{} &{}", path.display(), object.file_id());
            let shape = match Shape::read(object) {
                Ok(shape) => shape,
                Err(why) => {
                    unread += 1;
                    println!("{place}: {why}");
                    continue;
                }
            };
            if !is_awake {
                notice(object, &shape);
                is_awake = true;
            }
            let is_own = has_own_bounds(object, &shape) || has_own_part_bounds(object, &shape);
            bounds += usize::from(is_own);
            match difference(object, &shape) {
                None => same += 1,
                Some(text) => {
                    other += 1;
                    println!("{place}\n  {text}");
                }
            }
        }
    }
    println!("{same} the same ({bounds} with bounds of their own), {other} not, {unread} not read");
}

fn notice(object: Object<'_>, shape: &Shape) {
    let mut broken = shape.clone();
    broken.attributes[0].data[0] ^= 1;
    assert!(difference(object, &broken).is_some(), "a point is another and nobody notices");
    let mut broken = shape.clone();
    broken.parts[0].corners.swap(0, 1);
    assert!(difference(object, &broken).is_some(), "a corner is another and nobody notices");
}

/// The first line that differs; in the version that comes closest.
fn difference(object: Object<'_>, shape: &Shape) -> Option<String> {
    let real = &object.document().as_bytes()[object.span()];
    let real = String::from_utf8_lossy(real).replace("\r\n", "\n");
    let mut closest = (0, String::from("no version writes it"));
    for (version, release) in VERSIONS {
        let Some(made) = made(object, shape, version, release) else { continue };
        let lines = real.trim_end().lines().zip(made.trim_end().lines());
        let alike = lines.clone().take_while(|(real, made)| real == made).count();
        if real.trim_end() == made.trim_end() {
            return None;
        }
        if alike >= closest.0 {
            let (real, made) = lines.clone().nth(alike).unwrap_or_default();
            let short = |line: &str| line.chars().take(150).collect::<String>();
            closest = (alike, format!("{version}: real {} made {}", short(real), short(made)));
        }
    }
    Some(closest.1)
}

fn made(object: Object<'_>, shape: &Shape, text: &str, release: (u32, u32)) -> Option<String> {
    let version = Version::parse(text)?;
    let name = object.get("m_Name")?.text().into_owned();
    let mut fields = shape.fields(&name, version).ok()?;
    let more = has_own_bounds(object, shape).then_some("m_LocalAABB");
    if has_own_part_bounds(object, shape) {
        let real = object.get("m_SubMeshes")?.items().map(|part| part.get("localAABB"));
        let made = fields.iter_mut().find(|(key, _)| key == "m_SubMeshes");
        let Some((_, New::List(parts))) = made else { return None };
        for (part, real) in parts.iter_mut().zip(real) {
            let New::Map(part) = part else { return None };
            fresh::put(part, "localAABB", New::copy_of(real?));
        }
    }
    for (key, value) in object.fields() {
        if COPIED.iter().copied().chain(more).any(|copied| copied == key) {
            fresh::put(&mut fields, &key, New::copy_of(value));
        }
    }
    let id = object.file_id();
    let object =
        NewObject { class: ClassId::MESH, id, key: "Mesh".to_owned(), stripped: false, fields };
    let file = new_file(&object, Habits { release: Some(release), folds: None });
    file.split_once("--- ").map(|(_, text)| format!("--- {text}"))
}

/// Scripts give a mesh bounds that have nothing to do with its points.
fn has_own_bounds(object: Object<'_>, shape: &Shape) -> bool {
    object.get("m_LocalAABB").is_some_and(|real| apart(real, shape.bounds()) > 0.0)
}

/// Importers that reckon in another order come to a last digit of their own.
fn has_own_part_bounds(object: Object<'_>, shape: &Shape) -> bool {
    let real = object.get("m_SubMeshes").into_iter().flat_map(|parts| parts.items());
    let one = |part: &Part| shape.with_parts(vec![part.clone()]).bounds();
    let apart = real
        .zip(&shape.parts)
        .filter_map(|(real, part)| Some(apart(real.get("localAABB")?, one(part))));
    let most = apart.fold(0.0, f64::max);
    most > 0.0 && most < 1e-6
}

/// How far bounds are from others, for their size.
fn apart(real: Value<'_>, (center, extent): ([f32; 3], [f32; 3])) -> f64 {
    let size = 1.0 + extent.iter().chain(&center).fold(0.0_f32, |most, part| most.max(part.abs()));
    let mut most = 0.0_f64;
    for (key, numbers) in [("m_Center", center), ("m_Extent", extent)] {
        for (axis, number) in ["x", "y", "z"].iter().zip(numbers) {
            let real = real.get(key).and_then(|real| real.get(axis)?.as_f64()).unwrap_or(f64::MAX);
            // Files have the digits of floats.
            let is_it = real as f32 == number;
            most = most.max(if is_it {
                0.0
            } else {
                (real - f64::from(number)).abs() / f64::from(size)
            });
        }
    }
    most
}
