//! Which render pipeline a project uses, from its settings.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use scenewright_text::beneath::{self, Entry, Kind};

use crate::file::{self, Content};
use crate::project::MANIFEST;
use crate::settings::{Settings, find_guid};

/// The render pipeline of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderPipeline {
    /// Unity's own pipeline, in use when no pipeline asset is set.
    BuiltIn,
    /// The Universal Render Pipeline.
    Urp,
    /// The High Definition Render Pipeline.
    Hdrp,
    /// A pipeline of the project's own, or one the files do not tell.
    Unknown,
}

impl fmt::Display for RenderPipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RenderPipeline::BuiltIn => "Built-in",
            RenderPipeline::Urp => "URP",
            RenderPipeline::Hdrp => "HDRP",
            RenderPipeline::Unknown => "Unknown",
        })
    }
}

/// Script guids of the pipeline asset classes, fixed by the metas inside Unity's packages.
const SCRIPTS: [(&str, RenderPipeline); 2] = [
    // UnityEngine.Rendering.Universal.UniversalRenderPipelineAsset
    ("bf2edee5c58d82540a51f03df9d42094", RenderPipeline::Urp),
    // UnityEngine.Rendering.HighDefinition.HDRenderPipelineAsset
    ("0cf1dab834d4ec34195b920ea7bbf9ec", RenderPipeline::Hdrp),
];

const PACKAGES: [(&str, RenderPipeline); 3] = [
    ("com.unity.render-pipelines.universal", RenderPipeline::Urp),
    // The name of URP before 2019.3.
    ("com.unity.render-pipelines.lightweight", RenderPipeline::Urp),
    ("com.unity.render-pipelines.high-definition", RenderPipeline::Hdrp),
];

/// Finds the pipeline in use; settings that could not be read are `None`.
pub(crate) fn find(
    root: &Path,
    graphics: Option<&Settings<'_>>,
    quality: Option<&Settings<'_>>,
    packages: &BTreeMap<String, String>,
    notes: &mut Vec<String>,
) -> RenderPipeline {
    let guids = references(graphics, quality);
    if guids.is_empty() {
        let no_package = PACKAGES.iter().all(|(name, _)| !packages.contains_key(*name));
        if graphics.is_some() && (quality.is_some() || no_package) {
            return RenderPipeline::BuiltIn;
        }
        return by_packages("the settings could not be read", packages, notes);
    }
    let assets = find_assets(root, &guids, notes);
    for guid in &guids {
        let Some(path) = assets.get(*guid) else { continue };
        let shown = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
        let shown = shown.replace(MAIN_SEPARATOR, "/");
        return match script(root, path) {
            Ok(Some(script)) => match SCRIPTS.iter().find(|(guid, _)| *guid == script) {
                Some((_, pipeline)) => *pipeline,
                None => {
                    notes.push(format!(
                        "the render pipeline asset {shown} is of an unknown kind (script {script})"
                    ));
                    RenderPipeline::Unknown
                }
            },
            Ok(None) => by_packages(&format!("{shown} names no script"), packages, notes),
            Err(why) => by_packages(&format!("{shown} {why}"), packages, notes),
        };
    }
    let why = format!("no asset in the project has the guid {} that the settings name", guids[0]);
    by_packages(&why, packages, notes)
}

/// Guids of the pipeline assets set in the project, the default one first.
fn references<'a>(
    graphics: Option<&'a Settings<'_>>,
    quality: Option<&'a Settings<'_>>,
) -> Vec<&'a str> {
    let keys = ["m_CustomRenderPipeline", "customRenderPipeline"];
    let mut guids: Vec<&str> = Vec::new();
    for entry in [graphics, quality].into_iter().flatten().flat_map(|file| &file.entries) {
        let guid = find_guid(&entry.value).filter(|guid| !guids.contains(guid));
        if keys.contains(&entry.key) {
            guids.extend(guid);
        }
        // Quality levels are few; a crafted file with more must not make the search slow.
        if guids.len() == 32 {
            break;
        }
    }
    guids
}

fn by_packages(
    why: &str,
    packages: &BTreeMap<String, String>,
    notes: &mut Vec<String>,
) -> RenderPipeline {
    let found: Vec<_> = PACKAGES.iter().filter(|(name, _)| packages.contains_key(*name)).collect();
    if let [(name, pipeline)] = found[..] {
        notes.push(format!("render pipeline told by the package {name} in {MANIFEST}: {why}"));
        return *pipeline;
    }
    let count = if found.is_empty() { "no" } else { "more than one" };
    notes.push(format!(
        "render pipeline unknown: {why}, and {MANIFEST} names {count} render pipeline package"
    ));
    RenderPipeline::Unknown
}

/// The most folder entries visited in search of an asset.
const MAX_ENTRIES: usize = 500_000;

/// Finds the `.asset` files with these guids under `Assets` and `Packages`.
fn find_assets<'a>(
    root: &Path,
    guids: &[&'a str],
    notes: &mut Vec<String>,
) -> BTreeMap<&'a str, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.join("Packages"), root.join("Assets")];
    let mut visited = 0;
    while let Some(folder) = folders.pop() {
        // A folder that cannot be listed only means that the asset is not found there.
        for Entry { name, kind } in beneath::list(root, &folder).unwrap_or_default() {
            visited += 1;
            if visited > MAX_ENTRIES {
                notes.push(format!("the search for assets ended after {MAX_ENTRIES} entries"));
                return found;
            }
            let path = folder.join(&name);
            let name = name.to_string_lossy();
            // Unity does not import these.
            if name.starts_with('.') || name.ends_with('~') {
                continue;
            }
            // Links are not followed: they could lead in circles.
            if kind == Kind::Folder {
                folders.push(path);
            } else if name.ends_with(".asset.meta")
                && let Some(guid) = meta_guid(root, &path)
                && let Some(guid) = guids.iter().find(|wanted| **wanted == guid)
            {
                found.insert(*guid, path.with_extension(""));
                if found.len() == guids.len() {
                    return found;
                }
            }
        }
    }
    found
}

/// The guid of a meta file, which stands in its second line.
fn meta_guid(root: &Path, path: &Path) -> Option<String> {
    let mut head = Vec::new();
    beneath::open(root, path).ok()?.take(256).read_to_end(&mut head).ok()?;
    find_guid(&String::from_utf8_lossy(&head)).map(str::to_owned)
}

/// The script guid of an asset, or why the asset cannot be read.
fn script(root: &Path, path: &Path) -> Result<Option<String>, String> {
    match file::read_inside(root, path) {
        Ok(Content::Bytes(bytes)) => {
            let text = file::text(&bytes);
            if !Settings::is_text(&text) {
                return Err("is binary, not text".into());
            }
            let asset = Settings::parse(&text);
            Ok(asset.find("m_Script").and_then(find_guid).map(str::to_owned))
        }
        Ok(Content::Absent) => Err("is missing beside its meta file".into()),
        Ok(Content::LfsPointer) => Err("is a Git LFS pointer".into()),
        Err(error) => Err(format!("could not be read ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_fixture::Folder;

    use crate::Project;

    /// Reads a project whose `m_CustomRenderPipeline` is `reference`, with more files after it.
    fn check(reference: &str, more: &str, expected: Expect) {
        let dir = Folder::files(&format!(
            "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n\
             //- ProjectSettings/GraphicsSettings.asset\n%YAML 1.1\n--- !u!30 &1\n\
             GraphicsSettings:\n  m_CustomRenderPipeline: {reference}\n{more}"
        ));
        let facts = Project::open(dir.root()).unwrap().facts().unwrap();
        let mut shown = facts.render_pipeline.to_string();
        for note in facts.notes.iter().filter(|note| note.contains("render pipeline ")) {
            shown += &format!("\n{}", dir.hide(note));
        }
        expected.assert_eq(&shown);
    }

    const SET: &str = "{fileID: 11400000, guid: c57a184794a05b349955e5023bbf7e99,\n    type: 2}";
    const META: &str = "\
//- Assets/Deep/High.asset.meta
\u{feff}fileFormatVersion: 2
guid: c57a184794a05b349955e5023bbf7e99
";

    fn asset(script: &str) -> String {
        format!(
            "{META}//- Assets/Deep/High.asset\n%YAML 1.1\n--- !u!114 &11400000\nMonoBehaviour:\n  \
             m_Script: {{fileID: 11500000, guid: {script}, type: 3}}\n"
        )
    }

    #[test]
    fn no_asset_is_built_in() {
        check("{fileID: 0}", "", expect!["Built-in"]);
    }

    #[test]
    fn the_script_of_the_asset_tells() {
        check(SET, &asset("bf2edee5c58d82540a51f03df9d42094"), expect!["URP"]);
        check(SET, &asset("0cf1dab834d4ec34195b920ea7bbf9ec"), expect!["HDRP"]);
        check(
            SET,
            &asset("11111111111111111111111111111111"),
            expect![[r#"
            Unknown
            the render pipeline asset Assets/Deep/High.asset is of an unknown kind (script 11111111111111111111111111111111)"#]],
        );
    }

    #[test]
    fn a_quality_level_may_set_the_pipeline() {
        let quality = "//- ProjectSettings/QualitySettings.asset\n%YAML 1.1\n--- !u!47 &1\n\
             QualitySettings:\n  m_QualitySettings:\n  - name: High\n    customRenderPipeline: ";
        let urp = asset("bf2edee5c58d82540a51f03df9d42094");
        check("{fileID: 0}", &format!("{quality}{SET}\n{urp}"), expect!["URP"]);
    }

    #[test]
    fn packages_tell_when_the_asset_does_not() {
        let urp = r#""com.unity.render-pipelines.universal": "14.0.10""#;
        let hdrp = r#""com.unity.render-pipelines.high-definition": "14.0.10""#;
        let manifest =
            |list: &str| format!("//- Packages/manifest.json\n{{\"dependencies\": {{{list}}}}}\n");
        check(
            SET,
            &manifest(urp),
            expect![[r#"
                URP
                render pipeline told by the package com.unity.render-pipelines.universal in Packages/manifest.json: no asset in the project has the guid c57a184794a05b349955e5023bbf7e99 that the settings name"#]],
        );
        check(
            SET,
            &format!("{META}{}", manifest(hdrp)),
            expect![[r#"
            HDRP
            render pipeline told by the package com.unity.render-pipelines.high-definition in Packages/manifest.json: Assets/Deep/High.asset is missing beside its meta file"#]],
        );
        check(
            SET,
            &manifest(&format!("{urp}, {hdrp}")),
            expect![[r#"
                Unknown
                render pipeline unknown: no asset in the project has the guid c57a184794a05b349955e5023bbf7e99 that the settings name, and Packages/manifest.json names more than one render pipeline package"#]],
        );
        check(
            SET,
            "",
            expect![[r#"
                Unknown
                render pipeline unknown: no asset in the project has the guid c57a184794a05b349955e5023bbf7e99 that the settings name, and Packages/manifest.json names no render pipeline package"#]],
        );
    }
}
