//! Places of assets that version control leaves out.

use std::path::Path;

use scenewright_text::{Ignored, ignore_rules};

/// Rules of the usual lists for Unity projects: what they leave out holds nothing that a scene refers to.
const HARMLESS: [&str; 11] = [
    "Assets/AddressableAssetsData",
    "Assets/Addressables_Temp",
    "Assets/AssetStoreTools",
    "Assets/BuildReports",
    "Assets/InitTestScene",
    "Assets/NetCodeGenerated",
    "Assets/Plugins/Editor/JetBrains",
    "Assets/SceneDependencyCache",
    "Assets/StreamingAssets",
    "Assets/TextMesh Pro/Examples & Extras",
    "Assets/Unity.VisualScripting.Generated",
];
/// Files that a scene may refer to; others of their own are keys, notes and builds.
const ASSETS: [&str; 6] = ["asset", "cs", "dll", "mat", "prefab", "unity"];

/// The places among a project's assets that rules name and that are not here, sorted: whoever wrote the
/// project may have assets there.
pub(super) fn left_out(project: &Path) -> Vec<Box<str>> {
    let inside = project.join("Assets");
    let mut rules = Ignored::new(project);
    let mut found: Vec<Box<str>> = Vec::new();
    for folder in rules.folders().chain([&*inside]) {
        let text = ignore_rules(folder);
        let named = text.lines().filter_map(|line| named(project, folder, line));
        found.extend(named.filter(|path| rules.has(path, true)).map(Into::into));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The one place that a rule names, from the project's root, if it is among the assets and not here.
fn named(project: &Path, folder: &Path, line: &str) -> Option<String> {
    let rule = line.trim();
    if rule.starts_with(['#', '!']) {
        return None;
    }
    let rule = either_case(rule);
    let rule = rule.trim_end_matches("/**").trim_end_matches("/*").trim_end_matches('/');
    // A name alone may be anywhere.
    rule.contains('/').then_some(())?;
    let (rule, is_start) = match rule.strip_suffix('*') {
        Some(start) => (start, true),
        None => (rule, false),
    };
    let rule = rule.strip_prefix("**/").unwrap_or(rule);
    let full = folder.join(rule.trim_start_matches('/'));
    let path = full.strip_prefix(project).ok()?.to_str()?.replace('\\', "/");
    let extension = Path::new(&path).extension().and_then(|extension| extension.to_str());
    let is_wanted = path.starts_with("Assets/") || path.starts_with("Packages/");
    let is_harmless = HARMLESS.iter().any(|known| path.starts_with(known));
    let is_asset = extension.is_none_or(|extension| ASSETS.contains(&extension));
    (is_wanted && !is_harmless && is_asset && !path.contains(['*', '?', '['])).then_some(())?;
    let is_here = if is_start { has_such(&full) } else { full.exists() };
    (!is_here).then_some(path)
}

/// Whether a folder has something whose name begins so.
fn has_such(start: &Path) -> bool {
    let (Some(folder), Some(start)) = (start.parent(), start.file_name()) else { return false };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let start = start.as_encoded_bytes();
    entries.into_iter().any(|entry| entry.file_name().as_encoded_bytes().starts_with(start))
}

/// A rule with `[Aa]` as `A`: the usual lists write names so.
fn either_case(rule: &str) -> String {
    let mut plain = String::with_capacity(rule.len());
    let mut rest = rule;
    while let Some((before, after)) = rest.split_once('[') {
        plain.push_str(before);
        let mut letters = after.chars();
        let one_two = (letters.next(), letters.next(), letters.next());
        match one_two {
            (Some(one), Some(two), Some(']')) if one.eq_ignore_ascii_case(&two) => {
                plain.push(one);
                rest = letters.as_str();
            }
            _ => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain + rest
}
