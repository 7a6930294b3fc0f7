//! The tool `addressables.analyzeMemory`: Analyze Addressables Memory.

use std::collections::{BTreeMap, BTreeSet};

use scenewright_contract::{ErrorKind, Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::{Asset, AssetId, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::footprint::{human, is_data, reach, weight};
use crate::base::{InUnity, Unity};

/// Where the package keeps its groups, by default under `Assets`.
const GROUPS: &str = "AddressableAssetsData/AssetGroups";
const MAX_ITEMS: usize = 200;

pub(crate) const TOOL: Tool = Tool {
    id: "addressables.analyzeMemory",
    keywords: "asset bundles duplicate duplicated bundle size groups redundant assets memory",
    title: "Analyze Addressables Memory",
    notes: Some("Sizes are of source files; nothing is built or written."),
    category: "addressables",
    tier: Tier::Tier4,
    limits: Limits { max_items: Some(MAX_ITEMS), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Measure the groups of the Unity sample, of which two share materials",
        input: r#"{ "includeDependencies": true }"#,
        output: r#"{
            "success": true,
            "totalMemory": "45.2 KB",
            "totalBytes": 46277,
            "byGroup": { "Lights": "12.8 KB", "Localization": "3.5 KB", "Rooms": "28.8 KB" },
            "groups": [
                { "name": "Lights", "entryCount": 1, "entryBytes": 8034, "dependencyBytes": 5108, "labels": ["lights"] },
                { "name": "Localization", "entryCount": 5, "entryBytes": 3622, "dependencyBytes": 0, "labels": ["Locale", "Locale-de", "Locale-en"] },
                { "name": "Rooms", "entryCount": 1, "entryBytes": 17540, "dependencyBytes": 11973, "labels": ["rooms"] }
            ],
            "duplicates": [
                { "path": "Assets/Materials/Flame.mat", "sizeBytes": 2202, "groups": ["Lights", "Rooms"] },
                { "path": "Assets/Materials/Stone.mat", "sizeBytes": 2188, "groups": ["Lights", "Rooms"] }
            ],
            "loadingPatterns": { "frequent": ["lantern", "UI Shared Data"], "rare": ["German (de)", "English (en)"] }
        }"#,
        // Sizes differ where Git writes other line ends.
        varies: &["totalMemory", "totalBytes", "byGroup", "groups", "duplicates"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Measure the Addressables groups of a Unity project: the size of their entries and of what those
/// bring with them, and assets that end up in several groups. Sizes of source files, read without
/// a build.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Accepted for compatibility; this tool only reads, so no report is written.
    report_path: Option<String>,
    /// Whether to add what the entries refer to, unless it is an entry itself.
    #[serde(default = "yes")]
    include_dependencies: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Size of all groups together, for people.
    total_memory: String,
    /// The same in bytes.
    total_bytes: u64,
    /// Size of each group, for people.
    by_group: BTreeMap<String, String>,
    /// The groups in detail, by name.
    groups: Vec<Group>,
    /// Assets that several groups bring with them, so that each bundle has its own copy; largest
    /// first, at most two hundred. Empty without dependencies.
    duplicates: Vec<Duplicate>,
    /// How often entries are likely to be loaded, told by the assets that refer to them.
    loading_patterns: Patterns,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Group {
    /// The group.
    name: String,
    /// How many entries it has.
    entry_count: usize,
    /// Size of the entries; a folder counts with all that is in it.
    entry_bytes: u64,
    /// Size of what they bring with them; 0 without dependencies.
    dependency_bytes: u64,
    /// The labels of its entries.
    labels: BTreeSet<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Duplicate {
    /// The asset.
    path: String,
    /// Its size.
    size_bytes: u64,
    /// The groups that bring it.
    groups: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Patterns {
    /// Addresses of entries that two or more assets refer to, at most two hundred.
    frequent: Vec<String>,
    /// Addresses of entries that no asset refers to, at most two hundred; code may load them.
    rare: Vec<String>,
}

/// A group as its file has it.
struct Read {
    name: String,
    entries: Vec<Entry>,
    labels: BTreeSet<String>,
}

struct Entry {
    asset: AssetId,
    address: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let groups = read_groups(cx, &unity)?;
    if let Some(path) = &input.report_path {
        cx.diagnose(format!(
            "{path} is not written: this tool only reads, the answer is the report"
        ));
    }
    cx.diagnose(
        "Sizes are of source files; bundles are compressed and memory depends on import settings. \
         frequent and rare are told from references, not from a running game.",
    );
    let members: Vec<BTreeSet<AssetId>> =
        groups.iter().map(|group| members(&unity, &group.entries)).collect();
    let explicit: BTreeSet<AssetId> = members.iter().flatten().copied().collect();
    let mut owners: BTreeMap<AssetId, Vec<String>> = BTreeMap::new();
    let (mut shown, mut by_group, mut total) = (Vec::new(), BTreeMap::new(), 0);
    for (group, members) in groups.iter().zip(&members) {
        cx.check_cancelled()?;
        let entry_bytes = weight(&unity.index, members);
        let mut dependency_bytes = 0;
        if input.include_dependencies {
            let starts = members.iter().filter_map(|id| unity.index.asset(*id));
            let all = reach(&unity.index, starts, |asset| explicit.contains(&asset.id()));
            let brought: Vec<AssetId> = all.difference(members).copied().collect();
            dependency_bytes = weight(&unity.index, &brought);
            for id in brought {
                owners.entry(id).or_default().push(group.name.clone());
            }
        }
        total += entry_bytes + dependency_bytes;
        by_group.insert(group.name.clone(), human(entry_bytes + dependency_bytes));
        shown.push(Group {
            name: group.name.clone(),
            entry_count: group.entries.len(),
            entry_bytes,
            dependency_bytes,
            labels: group.labels.clone(),
        });
    }
    Ok(Output {
        success: true,
        total_memory: human(total),
        total_bytes: total,
        by_group,
        groups: shown,
        duplicates: duplicates(cx, &unity, owners),
        loading_patterns: patterns(cx, &unity, &groups),
    })
}

fn read_groups(cx: &Cx, unity: &Unity<'_>) -> Result<Vec<Read>, ToolError> {
    let mut groups = Vec::new();
    for asset in unity.index.under("Assets").filter(|asset| asset.folder().ends_with(GROUPS)) {
        if asset.kind() == AssetKind::Folder {
            continue;
        }
        let document = match asset.document() {
            Ok(document) => document,
            Err(error) => {
                cx.diagnose(format!("{} cannot be read: {error}", asset.path()));
                continue;
            }
        };
        for object in document.objects() {
            let Some(list) = object.get("m_SerializeEntries") else { continue };
            let text = |key| object.get(key).map(|name| name.text().into_owned());
            let name = text("m_GroupName").or_else(|| text("m_Name")).unwrap_or_default();
            let mut group = Read { name, entries: Vec::new(), labels: BTreeSet::new() };
            let mut lost = 0;
            for item in list.items() {
                let labels = item.get("m_SerializedLabels").or_else(|| item.get("m_Labels"));
                let labels = labels.into_iter().flat_map(|labels| labels.items());
                group.labels.extend(labels.map(|label| label.text().into_owned()));
                // Built-in data has words such as `Resources` for guids.
                let Some(guid) = item.get("m_GUID").and_then(|guid| guid.as_guid()) else {
                    continue;
                };
                let address = item.get("m_Address").map(|text| text.text().into_owned());
                match unity.index.by_guid(guid) {
                    Some(found) => group.entries.push(Entry {
                        asset: found.id(),
                        address: address.unwrap_or_else(|| found.path()),
                    }),
                    None => lost += 1,
                }
            }
            if lost > 0 {
                cx.diagnose(format!("{lost} entries of {} lead to no asset", group.name));
            }
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return Err(ToolError::new(ErrorKind::EngineError, "Addressables package not installed")
            .hint(format!("there is no group in Assets/{GROUPS}")));
    }
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(groups)
}

/// The assets that entries name, those in folders included.
fn members(unity: &Unity<'_>, entries: &[Entry]) -> BTreeSet<AssetId> {
    let mut members = BTreeSet::new();
    for asset in entries.iter().filter_map(|entry| unity.index.asset(entry.asset)) {
        if asset.kind() == AssetKind::Folder {
            let path = asset.path();
            let below = unity.index.under(&path).filter(|below| is_data(*below));
            members.extend(below.map(Asset::id));
        } else {
            members.insert(asset.id());
        }
    }
    members
}

fn duplicates(
    cx: &Cx,
    unity: &Unity<'_>,
    owners: BTreeMap<AssetId, Vec<String>>,
) -> Vec<Duplicate> {
    let several = owners.into_iter().filter(|(_, groups)| groups.len() > 1);
    let mut duplicates: Vec<Duplicate> = several
        .filter_map(|(id, groups)| {
            let asset = unity.index.asset(id)?;
            Some(Duplicate {
                path: asset.path(),
                size_bytes: unity.index.content_size(asset),
                groups,
            })
        })
        .collect();
    duplicates.sort_by_key(|duplicate| std::cmp::Reverse(duplicate.size_bytes));
    shorten(cx, &mut duplicates, "duplicates");
    duplicates
}

fn patterns(cx: &Cx, unity: &Unity<'_>, groups: &[Read]) -> Patterns {
    let (mut frequent, mut rare) = (Vec::new(), Vec::new());
    for entry in groups.iter().flat_map(|group| &group.entries) {
        let guid = unity.index.asset(entry.asset).and_then(Asset::guid);
        let users = guid.map_or(0, |guid| {
            let others = unity.index.incoming(guid);
            others.filter(|asset| !asset.folder().contains("AddressableAssetsData")).count()
        });
        match users {
            0 => rare.push(entry.address.clone()),
            1 => {}
            _ => frequent.push(entry.address.clone()),
        }
    }
    shorten(cx, &mut frequent, "frequent entries");
    shorten(cx, &mut rare, "rare entries");
    Patterns { frequent, rare }
}

fn shorten<T>(cx: &Cx, list: &mut Vec<T>, what: &str) {
    if list.len() > MAX_ITEMS {
        cx.diagnose(format!("{} {what}; the first {MAX_ITEMS} are shown", list.len()));
        list.truncate(MAX_ITEMS);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::call_project;

    const PROJECT: &str = "\
//- Assets/AddressableAssetsData/AssetGroups/One.asset
--- !u!114 &11400000
MonoBehaviour:
  m_GroupName: One
  m_SerializeEntries:
  - m_GUID: a0000000000000000000000000000001
    m_Address: first
    m_SerializedLabels:
    - near
  - m_GUID: Resources
    m_Address: Resources
  - m_GUID: a00000000000000000000000000000ff
    m_Address: lost
//- Assets/AddressableAssetsData/AssetGroups/Two.asset
--- !u!114 &11400000
MonoBehaviour:
  m_GroupName: Two
  m_SerializeEntries:
  - m_GUID: a0000000000000000000000000000002
    m_Address: second
//- Assets/A.asset
--- !u!114 &1
MonoBehaviour:
  icon: {fileID: 2800000, guid: a0000000000000000000000000000003, type: 3}
  other: {fileID: 1, guid: a0000000000000000000000000000002, type: 2}
//- Assets/A.asset.meta
guid: a0000000000000000000000000000001
//- Assets/B.asset
--- !u!114 &1
MonoBehaviour:
  icon: {fileID: 2800000, guid: a0000000000000000000000000000003, type: 3}
//- Assets/B.asset.meta
guid: a0000000000000000000000000000002
//- Assets/icon.png
12345
//- Assets/icon.png.meta
guid: a0000000000000000000000000000003
";

    #[test]
    fn groups_share_what_both_refer_to() {
        let outcome = call_project(PROJECT, "addressables.analyzeMemory", json!({})).unwrap();
        let output = &outcome.output;
        let sizes = |group: usize| {
            let group = &output["groups"][group];
            ["entryCount", "entryBytes", "dependencyBytes"].map(|key| group[key].as_u64().unwrap())
        };
        assert_eq!((sizes(0), sizes(1)), ([1, 174, 6], [1, 104, 6]));
        assert_eq!(output["byGroup"], json!({ "One": "180 B", "Two": "110 B" }));
        assert_eq!(output["totalMemory"], "290 B");
        let twice = json!({ "path": "Assets/icon.png", "sizeBytes": 6, "groups": ["One", "Two"] });
        assert_eq!(output["duplicates"], json!([twice]));
        assert_eq!(output["loadingPatterns"], json!({ "frequent": [], "rare": ["first"] }));
        assert_eq!(outcome.diagnostics[0], "1 entries of One lead to no asset");
    }

    #[test]
    fn without_dependencies_only_entries_count() {
        let arguments = json!({ "includeDependencies": false, "reportPath": "R.json" });
        let outcome = call_project(PROJECT, "addressables.analyzeMemory", arguments).unwrap();
        assert_eq!(outcome.output["totalBytes"], 174 + 104);
        assert_eq!(outcome.output["duplicates"], json!([]));
        assert!(outcome.diagnostics[1].starts_with("R.json is not written"));
    }

    #[test]
    fn a_project_without_groups_is_told_so() {
        let error = call_project("", "addressables.analyzeMemory", json!({})).unwrap_err();
        assert_eq!(error.message, "Addressables package not installed");
    }
}
