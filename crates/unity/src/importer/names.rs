//! What settings and their values are called in Unity's API, where the file has other words.

/// Names of the API, and what the file has.
const TEXTURE: &[(&str, &str)] = &[
    ("readable", "isReadable"),
    ("sRGBTexture", "mipmaps.sRGBTexture"),
    ("sRGB", "mipmaps.sRGBTexture"),
    ("mipmapEnabled", "mipmaps.enableMipMap"),
    ("generateMipMaps", "mipmaps.enableMipMap"),
    ("filterMode", "textureSettings.filterMode"),
    ("anisoLevel", "textureSettings.aniso"),
    ("mipMapBias", "textureSettings.mipBias"),
    ("wrapMode", "textureSettings.wrapU"),
    ("wrapModeU", "textureSettings.wrapU"),
    ("wrapModeV", "textureSettings.wrapV"),
    ("wrapModeW", "textureSettings.wrapW"),
    ("npotScale", "nPOTScale"),
    ("spriteImportMode", "spriteMode"),
    ("spritePixelsPerUnit", "spritePixelsToUnits"),
    ("pixelsPerUnit", "spritePixelsToUnits"),
    ("alphaSource", "alphaUsage"),
    ("convertToNormalmap", "bumpmap.convertToNormalMap"),
    ("maxSize", "maxTextureSize"),
    ("format", "textureFormat"),
    ("compression", "textureCompression"),
    ("spriteAlignment", "alignment"),
];
const MODEL: &[(&str, &str)] = &[
    ("readable", "isReadable"),
    ("globalScale", "meshes.globalScale"),
    ("scaleFactor", "meshes.globalScale"),
    ("meshCompression", "meshes.meshCompression"),
    ("importBlendShapes", "meshes.importBlendShapes"),
    ("addCollider", "meshes.addColliders"),
    ("generateSecondaryUV", "meshes.generateSecondaryUV"),
    ("generateLightmapUVs", "meshes.generateSecondaryUV"),
    ("importAnimation", "importAnimation"),
    ("materialImportMode", "materials.materialImportMode"),
    ("materialLocation", "materials.materialLocation"),
    ("importNormals", "tangentSpace.normalImportMode"),
    ("importTangents", "tangentSpace.tangentImportMode"),
    ("normalSmoothingAngle", "tangentSpace.normalSmoothAngle"),
];
const AUDIO: &[(&str, &str)] = &[
    ("loadType", "defaultSettings.loadType"),
    ("compressionFormat", "defaultSettings.compressionFormat"),
    ("quality", "defaultSettings.quality"),
    ("sampleRateSetting", "defaultSettings.sampleRateSetting"),
    ("sampleRateOverride", "defaultSettings.sampleRateOverride"),
    ("normalize", "normalize"),
];

/// The words for numbers, by setting.
const TEXTURE_CHOICES: &[(&str, &[(&str, i64)])] = &[
    (
        "textureType",
        &[
            ("Default", 0),
            ("NormalMap", 1),
            ("GUI", 2),
            ("Cookie", 4),
            ("Lightmap", 6),
            ("Cursor", 7),
            ("Sprite", 8),
            ("SingleChannel", 10),
            ("Shadowmask", 11),
            ("DirectionalLightmap", 12),
        ],
    ),
    (
        "textureShape",
        &[("Texture2D", 1), ("TextureCube", 2), ("Texture2DArray", 4), ("Texture3D", 8)],
    ),
    ("spriteMode", &[("None", 0), ("Single", 1), ("Multiple", 2), ("Polygon", 3)]),
    ("spriteMeshType", &[("FullRect", 0), ("Tight", 1)]),
    ("filterMode", &[("Point", 0), ("Bilinear", 1), ("Trilinear", 2)]),
    ("wrapU", WRAP),
    ("wrapV", WRAP),
    ("wrapW", WRAP),
    (
        "textureCompression",
        &[
            ("Uncompressed", 0),
            ("None", 0),
            ("Compressed", 1),
            ("Normal", 1),
            ("CompressedHQ", 2),
            ("CompressedLQ", 3),
        ],
    ),
    ("nPOTScale", &[("None", 0), ("ToNearest", 1), ("ToLarger", 2), ("ToSmaller", 3)]),
    ("alphaUsage", &[("None", 0), ("FromInput", 1), ("FromGrayScale", 2)]),
    ("resizeAlgorithm", &[("Mitchell", 0), ("Bilinear", 1)]),
    (
        "alignment",
        &[
            ("Center", 0),
            ("TopLeft", 1),
            ("TopCenter", 2),
            ("TopRight", 3),
            ("LeftCenter", 4),
            ("RightCenter", 5),
            ("BottomLeft", 6),
            ("BottomCenter", 7),
            ("BottomRight", 8),
            ("Custom", 9),
        ],
    ),
    ("textureFormat", FORMATS),
];
/// UnityEditor.TextureImporterFormat, which counts like UnityEngine.TextureFormat.
const FORMATS: &[(&str, i64)] = &[
    ("Automatic", -1),
    ("Alpha8", 1),
    ("ARGB16", 2),
    ("RGB24", 3),
    ("RGBA32", 4),
    ("ARGB32", 5),
    ("RGB16", 7),
    ("R16", 9),
    ("DXT1", 10),
    ("DXT5", 12),
    ("RGBA16", 13),
    ("RHalf", 15),
    ("RGHalf", 16),
    ("RGBAHalf", 17),
    ("RFloat", 18),
    ("RGFloat", 19),
    ("RGBAFloat", 20),
    ("RGB9E5", 22),
    ("BC6H", 24),
    ("BC7", 25),
    ("BC4", 26),
    ("BC5", 27),
    ("DXT1Crunched", 28),
    ("DXT5Crunched", 29),
    ("PVRTC_RGB2", 30),
    ("PVRTC_RGBA2", 31),
    ("PVRTC_RGB4", 32),
    ("PVRTC_RGBA4", 33),
    ("ETC_RGB4", 34),
    ("EAC_R", 41),
    ("EAC_R_SIGNED", 42),
    ("EAC_RG", 43),
    ("EAC_RG_SIGNED", 44),
    ("ETC2_RGB4", 45),
    ("ETC2_RGB4_PUNCHTHROUGH_ALPHA", 46),
    ("ETC2_RGBA8", 47),
    ("ASTC_4x4", 48),
    ("ASTC_5x5", 49),
    ("ASTC_6x6", 50),
    ("ASTC_8x8", 51),
    ("ASTC_10x10", 52),
    ("ASTC_12x12", 53),
    ("RG16", 62),
    ("R8", 63),
    ("ETC_RGB4Crunched", 64),
    ("ETC2_RGBA8Crunched", 65),
];
const WRAP: &[(&str, i64)] = &[("Repeat", 0), ("Clamp", 1), ("Mirror", 2), ("MirrorOnce", 3)];
const MODEL_CHOICES: &[(&str, &[(&str, i64)])] = &[
    ("meshCompression", &[("Off", 0), ("Low", 1), ("Medium", 2), ("High", 3)]),
    ("normalImportMode", &[("Import", 0), ("Calculate", 1), ("None", 2)]),
    (
        "tangentImportMode",
        &[("Import", 0), ("CalculateMikk", 3), ("CalculateLegacy", 1), ("None", 2)],
    ),
    (
        "materialImportMode",
        &[("None", 0), ("ImportStandard", 1), ("ImportViaMaterialDescription", 2)],
    ),
    ("materialLocation", &[("External", 0), ("InPrefab", 1)]),
    ("animationType", &[("None", 0), ("Legacy", 1), ("Generic", 2), ("Human", 3), ("Humanoid", 3)]),
];
const AUDIO_CHOICES: &[(&str, &[(&str, i64)])] = &[
    ("loadType", &[("DecompressOnLoad", 0), ("CompressedInMemory", 1), ("Streaming", 2)]),
    ("compressionFormat", &[("PCM", 0), ("Vorbis", 1), ("ADPCM", 2), ("MP3", 3)]),
    (
        "sampleRateSetting",
        &[("PreserveSampleRate", 0), ("OptimizeSampleRate", 1), ("OverrideSampleRate", 2)],
    ),
];

/// What the file calls a setting.
pub(super) fn in_file<'a>(class: &str, name: &'a str) -> &'a str {
    let names = match class {
        "TextureImporter" => TEXTURE,
        "ModelImporter" => MODEL,
        "AudioImporter" => AUDIO,
        _ => &[],
    };
    names.iter().find(|(known, _)| *known == name).map_or(name, |(_, path)| path)
}

/// The words for the numbers of a setting.
pub(super) fn choices(class: &str, key: &str) -> &'static [(&'static str, i64)] {
    let choices = match class {
        "TextureImporter" => TEXTURE_CHOICES,
        "ModelImporter" => MODEL_CHOICES,
        "AudioImporter" => AUDIO_CHOICES,
        _ => &[],
    };
    choices.iter().find(|(known, _)| *known == key).map_or(&[], |(_, choices)| choices)
}

/// What the file calls a platform.
pub(super) fn platform(name: &str) -> &str {
    match name {
        "Default" | "default" => super::DEFAULT_PLATFORM,
        "iOS" | "IOS" | "ios" => "iPhone",
        "Windows" | "Mac" | "Linux" | "PC" => "Standalone",
        other => other,
    }
}
