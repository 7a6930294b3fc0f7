//! What an asset is, by its name, and how much of it is read for that.

/// What an asset is, by its name; folders and text assets by what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
#[repr(u8)]
pub enum AssetKind {
    Folder,
    Scene,
    Prefab,
    Material,
    /// Clips, controllers, masks and timelines.
    Animation,
    /// Any other file of Unity's own objects, ScriptableObjects among them.
    Asset,
    Script,
    Texture,
    Model,
    Audio,
    Video,
    /// Shader sources, includes and graphs.
    Shader,
    Font,
    /// A managed or native library.
    Dll,
    /// An assembly definition or a reference to one.
    AsmDef,
    Text,
    #[default]
    Other,
}

impl AssetKind {
    /// Every kind, in the order of the declaration.
    pub const ALL: [AssetKind; 17] = [
        AssetKind::Folder,
        AssetKind::Scene,
        AssetKind::Prefab,
        AssetKind::Material,
        AssetKind::Animation,
        AssetKind::Asset,
        AssetKind::Script,
        AssetKind::Texture,
        AssetKind::Model,
        AssetKind::Audio,
        AssetKind::Video,
        AssetKind::Shader,
        AssetKind::Font,
        AssetKind::Dll,
        AssetKind::AsmDef,
        AssetKind::Text,
        AssetKind::Other,
    ];
}

/// How much of a file is read. Opening files is what an index costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The whole file, for its objects and references.
    Objects,
    /// The start, and the whole when it has objects.
    Start,
    /// The whole file, for guids in any notation.
    Guids,
    /// The whole file, for the class that components have of it.
    Script,
    /// Only a file as small as a Git LFS pointer.
    Pointer,
    /// Not at all.
    Nothing,
}

pub(super) fn of_name(name: &str) -> (AssetKind, Reading) {
    use AssetKind::*;
    let Some((_, extension)) = name.rsplit_once('.') else { return (Other, Reading::Start) };
    let is_lower = !extension.bytes().any(|byte| byte.is_ascii_uppercase());
    let lower = if is_lower { extension } else { &extension.to_ascii_lowercase() };
    match lower {
        "unity" => (Scene, Reading::Objects),
        "prefab" => (Prefab, Reading::Objects),
        "mat" => (Material, Reading::Objects),
        "anim" | "controller" | "overridecontroller" | "mask" | "playable" | "signal" => {
            (Animation, Reading::Objects)
        }
        "asset"
        | "mixer"
        | "physicmaterial"
        | "physicsmaterial2d"
        | "physicsmaterial"
        | "spriteatlas"
        | "rendertexture"
        | "customrendertexture"
        | "lighting"
        | "guiskin"
        | "flare"
        | "fontsettings"
        | "cubemap"
        | "terrainlayer"
        | "brush"
        | "preset"
        | "shadervariants"
        | "giparams"
        | "scenetemplate"
        | "vfx"
        | "vfxoperator"
        | "vfxblock"
        | "colors"
        | "gradients"
        | "curves"
        | "state"
        | "mesh" => (Asset, Reading::Objects),
        "cs" => (Script, Reading::Script),
        "js" => (Script, Reading::Nothing),
        "asmdef" | "asmref" => (AsmDef, Reading::Guids),
        "shadergraph" | "shadersubgraph" => (Shader, Reading::Guids),
        "shader" | "compute" | "cginc" | "hlsl" | "glslinc" | "raytrace" | "cg" | "glsl" => {
            (Shader, Reading::Nothing)
        }
        "uxml" | "uss" | "tss" => (Text, Reading::Guids),
        "txt" | "json" | "xml" | "html" | "htm" | "csv" | "yaml" | "yml" | "md" | "pdf"
        | "inputactions" | "rsp" => (Text, Reading::Nothing),
        "png" | "jpg" | "jpeg" | "tga" | "psd" | "psb" | "tif" | "tiff" | "bmp" | "gif" | "exr"
        | "hdr" | "iff" | "pict" | "dds" | "ktx" | "astc" | "svg" | "webp" => {
            (Texture, Reading::Pointer)
        }
        "fbx" | "obj" | "dae" | "blend" | "3ds" | "dxf" | "max" | "ma" | "mb" | "c4d" | "lxo"
        | "skp" | "spm" | "st" | "glb" | "gltf" | "abc" | "usd" | "usdz" | "ply" | "stl" => {
            (Model, Reading::Pointer)
        }
        "wav" | "mp3" | "ogg" | "aif" | "aiff" | "flac" | "mod" | "it" | "s3m" | "xm" => {
            (Audio, Reading::Pointer)
        }
        "mp4" | "mov" | "avi" | "webm" | "mpg" | "mpeg" | "m4v" | "asf" | "ogv" | "wmv" | "dv"
        | "vp8" => (Video, Reading::Pointer),
        "ttf" | "otf" | "ttc" | "dfont" => (Font, Reading::Pointer),
        "dll" | "so" | "a" | "dylib" | "aar" | "jar" | "bundle" | "winmd" | "pdb" | "mdb" => {
            (Dll, Reading::Pointer)
        }
        "zip" | "7z" | "bytes" | "unitypackage" => (Other, Reading::Pointer),
        _ => (Other, Reading::Start),
    }
}

/// True for names that Unity does not import.
pub(super) fn is_hidden(name: &str) -> bool {
    let bytes = name.as_bytes();
    let ends_in_tmp = bytes.len() >= 4 && bytes[bytes.len() - 4..].eq_ignore_ascii_case(b".tmp");
    bytes.starts_with(b".")
        || bytes.ends_with(b"~")
        || ends_in_tmp
        || name.eq_ignore_ascii_case("cvs")
}

/// The importers whose settings never refer to another asset, so that the start of a meta is enough.
pub(super) fn has_no_references(importer: &str) -> bool {
    matches!(
        importer,
        "NativeFormatImporter"
            | "DefaultImporter"
            | "PrefabImporter"
            | "PluginImporter"
            | "AudioImporter"
            | "VideoClipImporter"
            | "TextScriptImporter"
            | "AssemblyDefinitionImporter"
            | "AssemblyDefinitionReferenceImporter"
    )
}
