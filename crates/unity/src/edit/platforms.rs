//! Platforms that games are built for: what settings call them, and their numbers
//! (`BuildTargetGroup`). Older files have the numbers, others the names.

/// Number, name in files, and other names of the same.
type Platform = (u32, &'static str, &'static [&'static str]);

/// No number; only files with names tell it from `Standalone`.
const NONE: u32 = u32::MAX;

const PLATFORMS: [Platform; 32] = [
    (1, "Standalone", &["Desktop", "PC"]),
    (NONE, "Server", &["DedicatedServer"]),
    (2, "WebPlayer", &["Web"]),
    (4, "iPhone", &["iOS"]),
    (5, "PS3", &[]),
    (6, "XBOX360", &[]),
    (7, "Android", &[]),
    (13, "WebGL", &[]),
    (14, "Windows Store Apps", &["WSA", "UWP", "Metro", "WindowsStoreApps"]),
    (15, "WP8", &[]),
    (16, "BlackBerry", &[]),
    (17, "Tizen", &[]),
    (18, "PSP2", &[]),
    (19, "PS4", &[]),
    (20, "PSM", &[]),
    (21, "XboxOne", &[]),
    (22, "Samsung TV", &["SamsungTV"]),
    (23, "Nintendo 3DS", &["N3DS"]),
    (24, "WiiU", &[]),
    (25, "tvOS", &[]),
    (26, "Facebook", &[]),
    (27, "Nintendo Switch", &["Switch", "NintendoSwitch"]),
    (28, "Lumin", &[]),
    (29, "Stadia", &[]),
    (30, "LinuxHeadlessSimulation", &["CloudRendering"]),
    (31, "GameCoreScarlett", &["GameCoreXboxSeries"]),
    (32, "GameCoreXboxOne", &[]),
    (33, "PS5", &[]),
    (34, "EmbeddedLinux", &[]),
    (35, "QNX", &[]),
    (36, "VisionOS", &[]),
    (37, "Nintendo Switch 2", &["Switch2", "NintendoSwitch2"]),
];

/// Maps of settings that have platforms as their keys.
const FIELDS: [&str; 13] = [
    "additionalCompilerArguments",
    "apiCompatibilityLevelPerPlatform",
    "applicationIdentifier",
    "buildNumber",
    "il2cppCodeGeneration",
    "il2cppCompilerConfiguration",
    "incrementalIl2cppBuild",
    "m_PerPlatformDefaultQuality",
    "managedStrippingLevel",
    "mobileMTRendering",
    "platformArchitecture",
    "scriptingBackend",
    "scriptingDefineSymbols",
];

/// Whether the keys of a map are platforms.
pub(super) fn are_keys_of(field: &str) -> bool {
    FIELDS.contains(&field)
}

/// The name and number of a platform, by any of its names or its number.
pub(super) fn find(wanted: &str) -> Option<(&'static str, Option<u32>)> {
    let number = wanted.parse::<u32>().ok();
    let is_it = |(its, name, others): &&Platform| {
        let is_named = |name: &str| name.eq_ignore_ascii_case(wanted);
        is_named(name) || others.iter().any(|name| is_named(name)) || number == Some(*its)
    };
    let (number, name, _) = PLATFORMS.iter().find(is_it)?;
    Some((name, Some(*number).filter(|number| *number != NONE)))
}

/// What they are called, or those that have a number.
pub(super) fn names(has_numbers: bool) -> Vec<String> {
    let known = PLATFORMS.iter().filter(|(number, ..)| !has_numbers || *number != NONE);
    known.map(|(_, name, _)| (*name).to_owned()).collect()
}
