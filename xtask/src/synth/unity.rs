//! A Unity project of any size: folders of a hundred assets in the proportions of a real game, with
//! references between them, a few of them broken.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// Changes with the bytes that are written, so that old projects are made again.
pub(crate) const VERSION: &str = "unity-1";

/// What each asset of a folder of a hundred is, by its place in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Script,
    Texture,
    Material,
    Data,
    Prefab,
    Scene,
}

fn kind(place: usize) -> Kind {
    match place {
        0..10 => Kind::Script,
        10..32 => Kind::Texture,
        32..55 => Kind::Material,
        55..62 => Kind::Data,
        62..98 => Kind::Prefab,
        _ => Kind::Scene,
    }
}

const HEADER: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

/// Write a project with `assets` assets into `root`.
pub(crate) fn write(root: &Path, assets: usize) -> io::Result<()> {
    settings(root)?;
    let folders = assets.div_ceil(100);
    for folder in 0..folders {
        let name = format!("Assets/Part{:02}/Set{folder:05}", folder / 100);
        let dir = root.join(&name);
        fs::create_dir_all(&dir)?;
        fs::write(root.join(format!("{name}.meta")), folder_meta(&name))?;
        for place in 0..100.min(assets - folder * 100) {
            asset(&dir, folder, place)?;
        }
    }
    for part in 0..folders.div_ceil(100) {
        let name = format!("Assets/Part{part:02}");
        fs::write(root.join(format!("{name}.meta")), folder_meta(&name))?;
    }
    Ok(())
}

fn settings(root: &Path) -> io::Result<()> {
    fs::create_dir_all(root.join("ProjectSettings"))?;
    fs::create_dir_all(root.join("Packages"))?;
    fs::create_dir_all(root.join("Assets"))?;
    fs::write(root.join("ProjectSettings/ProjectVersion.txt"), "m_EditorVersion: 2022.3.20f1\n")?;
    let editor = format!("{HEADER}--- !u!159 &1\nEditorSettings:\n  m_SerializationMode: 2\n");
    fs::write(root.join("ProjectSettings/EditorSettings.asset"), editor)?;
    fs::write(root.join("Packages/manifest.json"), "{\n  \"dependencies\": {}\n}\n")
}

fn asset(dir: &Path, folder: usize, place: usize) -> io::Result<()> {
    let kind = kind(place);
    let (name, content, importer) = match kind {
        Kind::Script => (format!("Behaviour{place}.cs"), script(place), "MonoImporter"),
        Kind::Texture => (format!("Texture{place}.png"), texture(place), "TextureImporter"),
        Kind::Material => {
            (format!("Material{place}.mat"), material(folder, place), "NativeFormatImporter")
        }
        Kind::Data => (format!("Data{place}.asset"), data(folder, place), "NativeFormatImporter"),
        Kind::Prefab => (format!("Prefab{place}.prefab"), prefab(folder, place), "PrefabImporter"),
        Kind::Scene => (format!("Scene{place}.unity"), scene(folder, place), "DefaultImporter"),
    };
    fs::write(dir.join(&name), content)?;
    fs::write(dir.join(format!("{name}.meta")), meta(&guid(folder, place), importer))
}

/// The guid of an asset: its folder and place, spread over the digits.
fn guid(folder: usize, place: usize) -> String {
    let mixed = mix((folder as u64) << 8 | place as u64);
    format!("{mixed:016x}{:016x}", mix(mixed))
}

fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn folder_meta(name: &str) -> String {
    let seed = name.bytes().fold(7, |hash, byte| mix(hash ^ u64::from(byte)));
    let guid = format!("{seed:016x}{:016x}", mix(seed));
    format!(
        "fileFormatVersion: 2\nguid: {guid}\nfolderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n  userData: \n"
    )
}

fn meta(guid: &str, importer: &str) -> String {
    let mut text = format!(
        "fileFormatVersion: 2\nguid: {guid}\n{importer}:\n  externalObjects: {{}}\n  serializedVersion: 12\n"
    );
    if importer == "TextureImporter" {
        // Texture metas are long in real projects, and reading them is part of the cost.
        for platform in ["DefaultTexturePlatform", "Standalone", "Android", "iPhone", "WebGL"] {
            let _ = write!(
                text,
                "  - serializedVersion: 3\n    buildTarget: {platform}\n    maxTextureSize: 2048\n    resizeAlgorithm: 0\n    textureFormat: -1\n    textureCompression: 1\n    compressionQuality: 50\n    crunchedCompression: 0\n    allowsAlphaSplitting: 0\n    overridden: 0\n"
            );
        }
    }
    text + "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
}

fn script(place: usize) -> String {
    format!(
        "using UnityEngine;\n\nnamespace Synth\n{{\n    public class Behaviour{place} : MonoBehaviour\n    {{\n        [SerializeField] private float speed = {place}f;\n        public GameObject target;\n\n        private void Update()\n        {{\n            transform.Rotate(0f, speed * Time.deltaTime, 0f);\n        }}\n    }}\n}}\n"
    )
}

fn texture(place: usize) -> String {
    // No real picture: only its name, its meta and its size are looked at.
    format!("\u{89}PNG\r\n{}", "t".repeat(64 + place))
}

fn material(folder: usize, place: usize) -> String {
    let texture = guid(folder, 10 + place % 22);
    let mut text = format!(
        "{HEADER}--- !u!21 &2100000\nMaterial:\n  serializedVersion: 8\n  m_ObjectHideFlags: 0\n  m_Name: Material{place}\n  m_Shader: {{fileID: 46, guid: 0000000000000000f000000000000000, type: 0}}\n  m_SavedProperties:\n    serializedVersion: 3\n    m_TexEnvs:\n"
    );
    for (slot, name) in ["_BumpMap", "_DetailMask", "_EmissionMap", "_MainTex"].iter().enumerate() {
        let reference = if slot == 3 {
            format!("{{fileID: 2800000, guid: {texture}, type: 3}}")
        } else {
            "{fileID: 0}".to_owned()
        };
        let _ = write!(
            text,
            "    - {name}:\n        m_Texture: {reference}\n        m_Scale: {{x: 1, y: 1}}\n        m_Offset: {{x: 0, y: 0}}\n"
        );
    }
    text + "    m_Floats:\n    - _Cutoff: 0.5\n    - _Glossiness: 0.5\n    - _Metallic: 0\n    m_Colors:\n    - _Color: {r: 1, g: 1, b: 1, a: 1}\n"
}

fn data(folder: usize, place: usize) -> String {
    let script = guid(folder, place % 10);
    let prefab = guid(folder, 62 + place % 36);
    format!(
        "{HEADER}--- !u!114 &11400000\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: 0}}\n  m_Enabled: 1\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n  m_Name: Data{place}\n  speed: {place}\n  target: {{fileID: 1000, guid: {prefab}, type: 3}}\n"
    )
}

/// One object with a mesh, a collider and a script, at `base` in its file.
fn object(
    text: &mut String,
    base: u64,
    parent: u64,
    children: &[u64],
    folder: usize,
    place: usize,
) {
    let material = guid(folder, 32 + place % 23);
    let script = guid(folder, place % 10);
    let target = guid((folder * 7 + place) % (folder + 1), 62 + (place * 5) % 36);
    let list: String = children
        .iter()
        .fold(String::new(), |list, child| list + &format!("\n  - {{fileID: {child}}}"));
    let list = if list.is_empty() { " []".to_owned() } else { list };
    let (transform, filter, renderer, collider, behaviour) =
        (base + 1, base + 2, base + 3, base + 4, base + 5);
    let _ = write!(
        text,
        "--- !u!1 &{base}\nGameObject:\n  m_ObjectHideFlags: 0\n  m_PrefabInstance: {{fileID: 0}}\n  serializedVersion: 6\n  m_Component:\n  - component: {{fileID: {transform}}}\n  - component: {{fileID: {filter}}}\n  - component: {{fileID: {renderer}}}\n  - component: {{fileID: {collider}}}\n  - component: {{fileID: {behaviour}}}\n  m_Layer: 0\n  m_Name: Object {base}\n  m_TagString: Untagged\n  m_IsActive: 1\n\
         --- !u!4 &{transform}\nTransform:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {base}}}\n  m_LocalRotation: {{x: 0, y: 0, z: 0, w: 1}}\n  m_LocalPosition: {{x: {base}, y: 0.5, z: -1.25}}\n  m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_Children:{list}\n  m_Father: {{fileID: {parent}}}\n  m_LocalEulerAnglesHint: {{x: 0, y: 0, z: 0}}\n\
         --- !u!33 &{filter}\nMeshFilter:\n  m_GameObject: {{fileID: {base}}}\n  m_Mesh: {{fileID: 10202, guid: 0000000000000000e000000000000000, type: 0}}\n\
         --- !u!23 &{renderer}\nMeshRenderer:\n  m_GameObject: {{fileID: {base}}}\n  m_Enabled: 1\n  m_CastShadows: 1\n  m_ReceiveShadows: 1\n  m_Materials:\n  - {{fileID: 2100000, guid: {material}, type: 2}}\n\
         --- !u!65 &{collider}\nBoxCollider:\n  m_GameObject: {{fileID: {base}}}\n  m_IsTrigger: 0\n  m_Enabled: 1\n  m_Size: {{x: 1, y: 1, z: 1}}\n  m_Center: {{x: 0, y: 0, z: 0}}\n\
         --- !u!114 &{behaviour}\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: {base}}}\n  m_Enabled: 1\n  m_EditorHideFlags: 0\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n  m_Name: \n  speed: 2.5\n  target: {{fileID: 1000, guid: {target}, type: 3}}\n"
    );
}

fn prefab(folder: usize, place: usize) -> String {
    let mut text = HEADER.to_owned();
    object(&mut text, 1000, 0, &[2001], folder, place);
    object(&mut text, 2000, 1001, &[], folder, place + 1);
    text
}

fn scene(folder: usize, place: usize) -> String {
    let mut text = HEADER.to_owned();
    let mut roots = String::new();
    for number in 0..40_u64 {
        let base = 10_000 + number * 100;
        object(&mut text, base, 0, &[], folder, place + usize::try_from(number).unwrap_or(0));
        let _ = write!(roots, "\n  - {{fileID: {}}}", base + 1);
    }
    for number in 0..20_u64 {
        let id = 900_000 + number;
        let place = 62 + usize::try_from(number).unwrap_or(0);
        // One instance in each scene has lost its prefab.
        let source = if number == 19 { guid(folder, 250) } else { guid(folder, place) };
        let _ = write!(
            text,
            "--- !u!1001 &{id}\nPrefabInstance:\n  m_ObjectHideFlags: 0\n  serializedVersion: 2\n  m_Modification:\n    serializedVersion: 3\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:\n    - target: {{fileID: 1000, guid: {source}, type: 3}}\n      propertyPath: m_Name\n      value: Copy {number}\n      objectReference: {{fileID: 0}}\n    - target: {{fileID: 1001, guid: {source}, type: 3}}\n      propertyPath: m_LocalPosition.x\n      value: {number}\n      objectReference: {{fileID: 0}}\n    m_RemovedComponents: []\n    m_RemovedGameObjects: []\n    m_AddedGameObjects: []\n    m_AddedComponents: []\n  m_SourcePrefab: {{fileID: 100100000, guid: {source}, type: 3}}\n"
        );
        let _ = write!(roots, "\n  - {{fileID: {id}}}");
    }
    let _ = write!(
        text,
        "--- !u!1660057539 &9223372036854775807\nSceneRoots:\n  m_ObjectHideFlags: 0\n  m_Roots:{roots}\n"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_differ_and_stay_the_same() {
        let mut seen = std::collections::HashSet::new();
        for folder in 0..50 {
            for place in 0..100 {
                assert!(seen.insert(guid(folder, place)));
            }
        }
        assert_eq!(guid(3, 7).len(), 32);
        assert_eq!(prefab(1, 62), prefab(1, 62));
    }
}
