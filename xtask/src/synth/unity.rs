//! A Unity project of any size: folders of a hundred assets in the proportions of a real game, with
//! references between them, a few of them broken.

mod hierarchy;
mod large;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

pub(crate) use hierarchy::{large_scene, large_world};
pub(crate) use large::write as write_large;

use super::mix;

/// Changes with the bytes that are written, so that old projects are made again.
pub(crate) const VERSION: &str = "unity-3";

/// What each asset of a folder of a hundred is, by its place in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Script,
    Assembly,
    Texture,
    Model,
    Material,
    Data,
    Prefab,
    Scene,
}

fn kind(place: usize) -> Kind {
    match place {
        0..SCRIPTS => Kind::Script,
        SCRIPTS => Kind::Assembly,
        10..30 => Kind::Texture,
        30..32 => Kind::Model,
        32..55 => Kind::Material,
        55..62 => Kind::Data,
        62..98 => Kind::Prefab,
        _ => Kind::Scene,
    }
}

/// How many scripts a folder has.
const SCRIPTS: usize = 9;

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
        Kind::Assembly => {
            let importer = "AssemblyDefinitionImporter";
            (format!("Set{folder}.asmdef"), assembly(folder), importer)
        }
        Kind::Texture => (format!("Texture{place}.png"), texture(place), "TextureImporter"),
        Kind::Model => (format!("Model{place}.fbx"), texture(place), "ModelImporter"),
        Kind::Material => {
            (format!("Material{place}.mat"), material(folder, place), "NativeFormatImporter")
        }
        Kind::Data => (format!("Data{place}.asset"), data(folder, place), "NativeFormatImporter"),
        Kind::Prefab => {
            let content = hierarchy::prefab(folder, place);
            (format!("Prefab{place}.prefab"), content, "PrefabImporter")
        }
        Kind::Scene => {
            let content = hierarchy::scene(folder, place);
            (format!("Scene{place}.unity"), content, "DefaultImporter")
        }
    };
    fs::write(dir.join(&name), content)?;
    fs::write(dir.join(format!("{name}.meta")), meta(folder, place, importer))
}

/// The guid of an asset: its folder and place, spread over the digits.
fn guid(folder: usize, place: usize) -> String {
    let mixed = mix((folder as u64) << 8 | place as u64);
    format!("{mixed:016x}{:016x}", mix(mixed))
}

fn folder_meta(name: &str) -> String {
    let seed = name.bytes().fold(7, |hash, byte| mix(hash ^ u64::from(byte)));
    let guid = format!("{seed:016x}{:016x}", mix(seed));
    format!(
        "fileFormatVersion: 2\nguid: {guid}\nfolderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n  userData: \n"
    )
}

fn meta(folder: usize, place: usize, importer: &str) -> String {
    let guid = guid(folder, place);
    let mut text = format!("fileFormatVersion: 2\nguid: {guid}\n{importer}:\n");
    match importer {
        "MonoImporter" => {
            let target = self::guid(folder, 62 + place);
            let _ = write!(
                text,
                "  externalObjects: {{}}\n  serializedVersion: 2\n  defaultReferences:\n  - target: {{fileID: 1000, guid: {target}, type: 3}}\n  executionOrder: 0\n  icon: {{instanceID: 0}}\n"
            );
        }
        "ModelImporter" => {
            let material = self::guid(folder, 32 + place % 23);
            let _ = write!(
                text,
                "  serializedVersion: 22200\n  internalIDToNameTable: []\n  externalObjects:\n  - first:\n      type: UnityEngine:Material\n      assembly: UnityEngine.CoreModule\n      name: Body\n    second: {{fileID: 2100000, guid: {material}, type: 2}}\n  materials:\n    materialImportMode: 2\n"
            );
        }
        "TextureImporter" => text += &texture_settings(),
        _ => text += "  externalObjects: {}\n",
    }
    text + "  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
}

/// Texture metas are long in real projects, and reading them is part of the cost.
fn texture_settings() -> String {
    let mut text = "  internalIDToNameTable: []\n  externalObjects: {}\n  serializedVersion: 12\n  mipmaps:\n    mipMapMode: 0\n    enableMipMap: 1\n    sRGBTexture: 1\n  platformSettings:\n".to_owned();
    for platform in ["DefaultTexturePlatform", "Standalone", "Android", "iPhone", "WebGL"] {
        let _ = write!(
            text,
            "  - serializedVersion: 3\n    buildTarget: {platform}\n    maxTextureSize: 2048\n    resizeAlgorithm: 0\n    textureFormat: -1\n    textureCompression: 1\n    compressionQuality: 50\n    crunchedCompression: 0\n    allowsAlphaSplitting: 0\n    overridden: 0\n"
        );
    }
    text + "  spriteSheet:\n    serializedVersion: 2\n    sprites: []\n    outline: []\n"
}

/// Each assembly uses the one before it, and that of a folder further back.
fn assembly(folder: usize) -> String {
    let uses = [folder.checked_sub(1), folder.checked_sub(17)];
    let uses: Vec<String> = uses
        .into_iter()
        .flatten()
        .map(|other| format!("\"GUID:{}\"", guid(other, SCRIPTS)))
        .collect();
    format!(
        "{{\n    \"name\": \"Synth.Set{folder}\",\n    \"references\": [{}],\n    \"autoReferenced\": true\n}}\n",
        uses.join(", ")
    )
}

fn script(place: usize) -> String {
    format!(
        "using UnityEngine;\n\nnamespace Synth\n{{\n    public class Behaviour{place} : MonoBehaviour\n    {{\n        [SerializeField] private float speed = {place}f;\n        public GameObject target;\n\n        private void Update()\n        {{\n            transform.Rotate(0f, speed * Time.deltaTime, 0f);\n        }}\n    }}\n}}\n"
    )
}

fn texture(place: usize) -> String {
    // No real picture: only its name, its meta and its size are looked at, and the size is one that
    // no Git LFS pointer has.
    format!("\u{89}PNG\r\n{}", "t".repeat(2000 + place))
}

fn material(folder: usize, place: usize) -> String {
    // Now and then a texture was deleted.
    let is_broken = place == 40 && folder % 20 == 11;
    let texture = if is_broken { guid(folder, 251) } else { guid(folder, 10 + place % 20) };
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
    let script = guid(folder, place % SCRIPTS);
    let prefab = guid(folder, 62 + place % 18);
    format!(
        "{HEADER}--- !u!114 &11400000\nMonoBehaviour:\n  m_ObjectHideFlags: 0\n  m_GameObject: {{fileID: 0}}\n  m_Enabled: 1\n  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n  m_Name: Data{place}\n  speed: {place}\n  target: {{fileID: 1000, guid: {prefab}, type: 3}}\n"
    )
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
        assert_eq!(hierarchy::prefab(1, 62), hierarchy::prefab(1, 62));
    }
}
