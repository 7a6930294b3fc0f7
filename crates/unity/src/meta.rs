//! The `.meta` beside an asset: made for a new one as Unity writes it, and copied for a duplicate.
//!
//! What has settings that only the importer knows (textures, models, sounds, fonts, plugins) gets
//! none here: Unity makes it when it sees the file.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::{ClassId, Document, DocumentKind, EditorVersion, FileId, Guid, Object};

/// What every block of an importer ends with.
const TAIL: &str = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n";
/// Importers of packages and of the editor itself, by what their files end in: the script, and the
/// settings that follow it.
const SCRIPTED: [(&str, &str, &str); 6] = [
    ("uxml", "{fileID: 13804, guid: 0000000000000000e000000000000000, type: 0}", ""),
    (
        "uss",
        "{fileID: 12385, guid: 0000000000000000e000000000000000, type: 0}",
        "  disableValidation: 0\n",
    ),
    (
        "tss",
        "{fileID: 12388, guid: 0000000000000000e000000000000000, type: 0}",
        "  disableValidation: 0\n",
    ),
    ("shadergraph", "{fileID: 11500000, guid: 625f186215c104763be7675aa2d941aa, type: 3}", ""),
    ("shadersubgraph", "{fileID: 11500000, guid: 60072b568d64c40a485e0fc55012dc9f, type: 3}", ""),
    (
        "inputactions",
        "{fileID: 11500000, guid: 8404be70184654265930450def6a9037, type: 3}",
        "  generateWrapperCode: 0\n  wrapperCodePath: \n  wrapperClassName: \n  wrapperCodeNamespace: \n",
    ),
];
/// Files of Unity's own format, and the class of what is in them; `.asset` may be of any.
const NATIVE: [(&str, u32); 17] = [
    ("mat", 21),
    ("anim", 74),
    ("controller", 91),
    ("asset", 114),
    ("playable", 114),
    ("guiskin", 114),
    ("overridecontroller", 221),
    ("mask", 319),
    ("mixer", 241),
    ("physicmaterial", 134),
    ("physicsmaterial", 134),
    ("physicsmaterial2d", 62),
    ("rendertexture", 84),
    ("cubemap", 89),
    ("flare", 121),
    ("shadervariants", 200),
    ("brush", 114),
];
/// Text that Unity takes as a `TextAsset`.
const TEXTS: [&str; 10] =
    ["txt", "json", "xml", "md", "csv", "yaml", "html", "htm", "bytes", "fnt"];
/// What is imported with settings of its own.
const FOREIGN: [&str; 42] = [
    "png", "jpg", "jpeg", "tga", "tif", "tiff", "psd", "psb", "bmp", "gif", "exr", "hdr", "pict",
    "iff", "fbx", "obj", "dae", "blend", "3ds", "dxf", "max", "ma", "mb", "c4d", "wav", "mp3",
    "ogg", "aif", "aiff", "flac", "mod", "xm", "ttf", "otf", "ttc", "dll", "so", "mp4", "mov",
    "webm", "avi", "compute",
];

/// The meta of a new file whose content is the usual one of its kind; see [`meta_for_content`].
pub fn meta_for(path: &str, guid: Guid, version: &EditorVersion) -> Option<String> {
    let id = native_class(path).map_or(0, |class| i64::from(class) * 100_000);
    file_meta(path, FileId(id), guid, version)
}

/// The meta of a new file; nothing where only Unity knows the settings of its import, and where it
/// would not import the file at all.
pub fn meta_for_content(
    path: &str,
    content: &[u8],
    guid: Guid,
    version: &EditorVersion,
) -> Option<String> {
    if native_class(path).is_none() {
        return meta_for(path, guid, version);
    }
    let document = Document::of_file(content);
    match main_object(&document, path, None) {
        Some(main) => file_meta(path, main.file_id(), guid, version),
        None => meta_for(path, guid, version),
    }
}

/// The meta of a new folder.
pub fn meta_for_folder(guid: Guid, version: &EditorVersion) -> String {
    let block = format!("folderAsset: yes\nDefaultImporter:\n{}{TAIL}", external(version));
    head(guid) + &block
}

/// The same meta for a copy of the asset; nothing when it has no guid.
pub fn with_guid(meta: &[u8], guid: Guid) -> Option<Vec<u8>> {
    let old = crate::scan_guid(meta)?.to_string();
    let at = meta.windows(old.len()).position(|part| part.eq_ignore_ascii_case(old.as_bytes()))?;
    let mut copy = meta.to_vec();
    copy[at..at + old.len()].copy_from_slice(guid.to_string().as_bytes());
    Some(copy)
}

/// Whether Unity gives a file or folder of this path a meta: not what is hidden, ends in `~` or is
/// somebody's temporary file, and not the two folders that everything is in.
pub fn is_imported(path: &str) -> bool {
    let mut parts = path.split('/');
    let first = parts.next();
    let is_seen = |part: &str| {
        let lower = part.to_ascii_lowercase();
        !(part.is_empty() || part.starts_with('.') || part.ends_with('~'))
            && lower != "cvs"
            && !lower.ends_with(".tmp")
    };
    let rest: Vec<&str> = parts.collect();
    let least = match first {
        Some("Assets") => 1,
        // The folder of a package has none, what is in it does.
        Some("Packages") => 2,
        _ => return false,
    };
    rest.len() >= least && rest.iter().all(|part| is_seen(part)) && !path.ends_with(".meta")
}

/// The object of a file in Unity's own format that has the file's name; none in scenes and prefabs,
/// whose name is that of the file, whatever is in it. `known` is what the meta says.
pub fn main_object<'d>(
    document: &'d Document,
    path: &str,
    known: Option<FileId>,
) -> Option<Object<'d>> {
    if matches!(&*extension(path), "unity" | "prefab" | "scene")
        || document.kind_by_start() != DocumentKind::UnityYaml
    {
        return None;
    }
    if let Some(main) = known.and_then(|id| document.object(id)) {
        return Some(main);
    }
    let is_main = |object: &Object<'_>| {
        object.file_id().0 == i64::from(object.class_id().0) * 100_000
            && object.class_id() != ClassId::GAME_OBJECT
    };
    let mut found = document.objects().filter(is_main);
    let usual = native_class(path);
    match (found.next(), found.next()) {
        (only, None) => {
            only.or_else(|| document.objects().next().filter(|_| document.objects().len() == 1))
        }
        // A file of several has one that it is for.
        _ => document.objects().filter(is_main).find(|object| Some(object.class_id().0) == usual),
    }
}

/// The main object that a meta names.
pub fn main_object_id(meta: &[u8]) -> Option<FileId> {
    let document = Document::parse(meta);
    let id = document.root().get("NativeFormatImporter.mainObjectFileID")?;
    id.text().parse().ok().filter(|id| *id != 0).map(FileId)
}

fn file_meta(path: &str, main: FileId, guid: Guid, version: &EditorVersion) -> Option<String> {
    let block = importer(path, main, version).filter(|_| is_imported(path))?;
    Some(head(guid) + &block)
}

fn head(guid: Guid) -> String {
    format!("fileFormatVersion: 2\nguid: {guid}\n")
}

/// The block of the importer of a kind of file.
fn importer(path: &str, main: FileId, version: &EditorVersion) -> Option<String> {
    let ending = extension(path);
    let objects = external(version);
    let plain = |name: &str| format!("{name}:\n{objects}{TAIL}");
    let scripted = SCRIPTED.iter().find(|(known, ..)| *known == ending);
    if let Some((_, script, settings)) = scripted {
        return Some(format!(
            "ScriptedImporter:\n  internalIDToNameTable: []\n{objects}  serializedVersion: 2\n{TAIL}  \
             script: {script}\n{settings}"
        ));
    }
    if native_class(path).is_some() {
        return Some(native(main, version));
    }
    Some(match &*ending {
        "cs" => format!(
            "MonoImporter:\n{objects}  serializedVersion: 2\n  defaultReferences: []\n  \
             executionOrder: 0\n  icon: {{instanceID: 0}}\n{TAIL}"
        ),
        "prefab" if is_since(version, (2018, 3)) => plain("PrefabImporter"),
        "prefab" => native(FileId::PREFAB, version),
        "asmdef" => plain("AssemblyDefinitionImporter"),
        "asmref" => plain("AssemblyDefinitionReferenceImporter"),
        "shader" => shader(version),
        "hlsl" | "cginc" | "glslinc" if is_since(version, (2021, 2)) => {
            plain("ShaderIncludeImporter")
        }
        "hlsl" | "cginc" | "glslinc" => shader(version),
        "json" if is_manifest(path) => plain("PackageManifestImporter"),
        ending if TEXTS.contains(&ending) => plain("TextScriptImporter"),
        ending if FOREIGN.contains(&ending) => return None,
        _ => plain("DefaultImporter"),
    })
}

fn native(main: FileId, version: &EditorVersion) -> String {
    let main = match is_since(version, (2017, 3)) {
        true => format!("  mainObjectFileID: {main}\n"),
        false => String::new(),
    };
    format!("NativeFormatImporter:\n{}{main}{TAIL}", external(version))
}

fn shader(version: &EditorVersion) -> String {
    let more = match is_since(version, (2018, 3)) {
        true => "  nonModifiableTextures: []\n",
        false => "",
    };
    let chosen = is_since(version, (2020, 2)) && !is_since(version, (2023, 1));
    let chosen = if chosen { "  preprocessorOverride: 0\n" } else { "" };
    format!("ShaderImporter:\n{}  defaultTextures: []\n{more}{chosen}{TAIL}", external(version))
}

/// Metas have told of replaced objects since 2017.3.
fn external(version: &EditorVersion) -> &'static str {
    if is_since(version, (2017, 3)) { "  externalObjects: {}\n" } else { "" }
}

fn is_since(version: &EditorVersion, release: (u32, u32)) -> bool {
    version.release().is_none_or(|own| own >= release)
}

/// The `package.json` of an embedded package.
fn is_manifest(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("Packages") && parts.nth(1) == Some("package.json")
}

fn native_class(path: &str) -> Option<u32> {
    let ending = extension(path);
    NATIVE.iter().find(|(known, _)| *known == ending).map(|(_, class)| *class)
}

/// What a file name ends in, in lower case.
fn extension(path: &str) -> Cow<'_, str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => ending.to_ascii_lowercase().into(),
        false => ending.into(),
    }
}
