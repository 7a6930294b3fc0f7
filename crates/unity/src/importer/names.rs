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
];
const MODEL: &[(&str, &str)] = &[
    ("isReadable", "meshes.isReadable"),
    ("readable", "meshes.isReadable"),
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
