//! The tool `localization.coverageReport`: Localization Coverage Report.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::{Asset, AssetKind, Flags};
use scenewright_unity::{Document, Guid, Object, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, Unity};

const MAX_ITEMS: usize = 500;
/// No table comes near this; what does is data of another kind.
const MAX_TABLE: u64 = 64 << 20;
/// The script of `UnityEngine.Localization.Tables.StringTable`.
const STRING_TABLE: &str = "e9620f8c34305754d8cc9a7e49e852d9";

pub(crate) const TOOL: Tool = Tool {
    id: "localization.coverageReport",
    keywords: "untranslated languages missing translations keys per locale strings texts incomplete german french",
    title: "Localization Coverage Report",
    notes: Some("Keys that code puts together at run time count as unused."),
    category: "localization",
    tier: Tier::Tier4,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(MAX_ITEMS),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find what the table of the Unity sample lacks in German",
        input: "{}",
        output: r#"{
            "success": true,
            "totalKeys": 2,
            "coverage": { "de": 50.0, "en": 100.0 },
            "missing": [{ "table": "UI", "key": "menu.quit", "missingIn": ["de"] }],
            "unused": [
                { "table": "UI", "key": "menu.start", "unusedIn": ["de", "en"] },
                { "table": "UI", "key": "menu.quit", "unusedIn": ["en"] }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find which strings of Unity's Localization tables lack which translation, how complete each
/// locale is, and keys that nothing refers to.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Only these locales, such as `de` or `pt-BR`; all by default.
    #[serde(default)]
    locales: Vec<String>,
    /// Whether to look for keys that nothing refers to.
    #[serde(default = "yes")]
    include_unused: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many keys all string tables have together.
    total_keys: usize,
    /// Keys with a translation by locale, in percent.
    coverage: BTreeMap<String, f64>,
    /// Keys without a translation somewhere, at most five hundred.
    missing: Vec<Missing>,
    /// Keys that no scene, prefab, asset or script in Assets names, at most five hundred.
    unused: Vec<Unused>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Missing {
    /// The table collection.
    table: String,
    /// The key.
    key: String,
    /// The locales that lack it.
    missing_in: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Unused {
    /// The table collection.
    table: String,
    /// The key.
    key: String,
    /// The locales that have it translated all the same.
    unused_in: Vec<String>,
}

/// One collection of string tables: the keys, and the translated ids by locale.
#[derive(Default)]
struct Collection {
    name: String,
    keys: Vec<(i64, String)>,
    translated: BTreeMap<String, HashSet<i64>>,
}

impl Collection {
    fn has(&self, locale: &str, id: i64) -> bool {
        self.translated.get(locale).is_some_and(|ids| ids.contains(&id))
    }
}

#[derive(Default)]
struct Tables {
    /// By the guid of the shared data.
    collections: BTreeMap<Guid, Collection>,
    locales: BTreeSet<String>,
    /// Paths of the tables themselves, which use nothing.
    files: BTreeSet<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let tables = Tables::read(cx, &unity)?;
    let locales = tables.wanted(&input.locales)?;
    let all = || {
        tables.collections.values().flat_map(|table| table.keys.iter().map(move |key| (table, key)))
    };
    let total = all().count();
    let mut have: BTreeMap<String, usize> = locales.iter().map(|code| (code.clone(), 0)).collect();
    let mut missing = Vec::new();
    for (table, (id, key)) in all() {
        let mut missing_in = Vec::new();
        for (code, count) in &mut have {
            if table.has(code, *id) { *count += 1 } else { missing_in.push(code.clone()) }
        }
        if !missing_in.is_empty() {
            missing.push(Missing { table: table.name.clone(), key: key.clone(), missing_in });
        }
    }
    let mut unused = Vec::new();
    let uses = if input.include_unused { Uses::find(cx, &unity, &tables)? } else { None };
    if let Some(uses) = uses {
        for (guid, table) in &tables.collections {
            let keys = table.keys.iter().filter(|(id, key)| !uses.has(*guid, table, *id, key));
            unused.extend(keys.map(|(id, key)| Unused {
                table: table.name.clone(),
                key: key.clone(),
                unused_in: locales.iter().filter(|code| table.has(code, *id)).cloned().collect(),
            }));
        }
        cx.diagnose(
            "unused is what no scene, prefab, asset, UXML file or string in C# under Assets names; \
             keys that code puts together or gets from a server cannot be known.",
        );
    }
    shorten(cx, &mut missing, "keys lack a translation");
    shorten(cx, &mut unused, "keys are unused");
    let share = |count: usize| crate::base::footprint::percent(count as u64, total as u64);
    Ok(Output {
        success: true,
        total_keys: total,
        coverage: have.into_iter().map(|(code, count)| (code, share(count))).collect(),
        missing,
        unused,
    })
}

fn shorten<T>(cx: &Cx, list: &mut Vec<T>, what: &str) {
    if list.len() > MAX_ITEMS {
        cx.diagnose(format!("{} {what}; the first {MAX_ITEMS} are shown", list.len()));
        list.truncate(MAX_ITEMS);
    }
}

impl Tables {
    fn read(cx: &Cx, unity: &Unity<'_>) -> Result<Self, ToolError> {
        let mut tables = Self::default();
        let mut lost = 0;
        let mut strings: Vec<(Guid, String, HashSet<i64>)> = Vec::new();
        for asset in unity.index.under("Assets") {
            let is_object = asset.main_class_name() == Some("MonoBehaviour");
            if asset.kind() != AssetKind::Asset || !is_object || asset.size() > MAX_TABLE {
                continue;
            }
            cx.check_cancelled()?;
            let Some(document) = read(cx, asset) else { continue };
            for object in document.objects() {
                if let (Some(name), Some(entries)) =
                    (text(object, "m_TableCollectionName"), object.get("m_Entries"))
                {
                    let Some(guid) = asset.guid() else { continue };
                    let keys = entries.items().filter_map(|item| {
                        let key = item.get("m_Key")?.text().into_owned();
                        Some((item.get("m_Id")?.as_i64()?, key))
                    });
                    let keys = keys.collect();
                    let found = Collection { name, keys, ..Collection::default() };
                    tables.collections.insert(guid, found);
                    tables.files.insert(asset.path());
                } else if let (Some(code), Some(data)) =
                    (text(object, "m_LocaleId.m_Code"), object.get("m_TableData"))
                {
                    tables.files.insert(asset.path());
                    let shared = object.get("m_SharedData").and_then(Value::as_reference);
                    match shared.and_then(|shared| shared.guid) {
                        Some(shared) if is_string_table(object, data) => {
                            strings.push((shared, code, translated(data)));
                        }
                        Some(_) => {}
                        None => lost += 1,
                    }
                } else if let Some(code) = text(object, "m_Identifier.m_Code") {
                    tables.locales.insert(code);
                }
            }
        }
        for (shared, code, ids) in strings {
            match tables.collections.get_mut(&shared) {
                Some(collection) => {
                    collection.translated.entry(code.clone()).or_default().extend(ids);
                    tables.locales.insert(code);
                }
                None => lost += 1,
            }
        }
        if lost > 0 {
            cx.diagnose(format!("{lost} tables are left out, for their shared data is gone"));
        }
        // What has keys and no string table is a collection of asset tables.
        tables.collections.retain(|_, collection| !collection.translated.is_empty());
        if tables.collections.is_empty() {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                "Localization system not configured",
            )
            .hint("there is no string table under Assets"));
        }
        Ok(tables)
    }

    /// The locales that a call means.
    fn wanted(&self, codes: &[String]) -> Result<BTreeSet<String>, ToolError> {
        if codes.is_empty() {
            return Ok(self.locales.clone());
        }
        let known = |code: &String| {
            let same = self.locales.iter().find(|known| known.eq_ignore_ascii_case(code.trim()));
            same.cloned().ok_or_else(|| {
                let list: Vec<&str> = self.locales.iter().map(String::as_str).collect();
                ToolError::new(ErrorKind::BadArguments, format!("Invalid locale: {code}"))
                    .hint(format!("the locales are {}", list.join(", ")))
                    .detail("locale", code.as_str())
            })
        };
        codes.iter().map(known).collect()
    }
}

/// The content of a file; what cannot be read is named in the answer.
fn read(cx: &Cx, asset: Asset<'_>) -> Option<Document> {
    let read = asset.document();
    read.map_err(|error| cx.diagnose(format!("{} cannot be read: {error}", asset.path()))).ok()
}

fn text(object: Object<'_>, path: &str) -> Option<String> {
    object.get(path).map(|value| value.text().into_owned()).filter(|text| !text.is_empty())
}

/// Asset tables look the same, with guids for texts.
fn is_string_table(object: Object<'_>, data: Value<'_>) -> bool {
    let script = object.get("m_Script").and_then(Value::as_reference);
    if script.and_then(|script| script.guid) == Guid::parse(STRING_TABLE) {
        return true;
    }
    let mut texts = data.items().filter_map(|item| item.get("m_Localized")).peekable();
    texts.peek().is_none() || texts.any(|text| !text.is_empty() && text.as_guid().is_none())
}

fn translated(data: Value<'_>) -> HashSet<i64> {
    let with_text =
        data.items().filter(|item| item.get("m_Localized").is_some_and(|text| !text.is_empty()));
    with_text.filter_map(|item| item.get("m_Id")?.as_i64()).collect()
}

/// What files name: keys and ids, with the table where that stands before them.
#[derive(Default)]
struct Uses {
    ids: HashSet<(String, i64)>,
    keys: HashSet<(String, String)>,
    literals: HashSet<String>,
}

impl Uses {
    /// Nothing when there was no time to read every file.
    fn find(cx: &Cx, unity: &Unity<'_>, tables: &Tables) -> Result<Option<Self>, ToolError> {
        let mut uses = Self::default();
        let guard = cx.time_guard();
        let assets = unity.index.under("Assets");
        let total = assets.len();
        for (done, asset) in assets.enumerate() {
            cx.check_cancelled()?;
            if guard.expired() {
                guard.report(cx, done, Some(total));
                return Ok(None);
            }
            let is_code = asset.kind() == AssetKind::Script || asset.name().ends_with(".uxml");
            let is_data =
                matches!(asset.kind(), AssetKind::Scene | AssetKind::Prefab | AssetKind::Asset);
            let is_there = !asset.flags().contains(Flags::ASSET_MISSING);
            let is_read = is_there && (is_code || is_data);
            if !is_read || tables.files.contains(&asset.path()) {
                continue;
            }
            let Some(document) = read(cx, asset) else { continue };
            let text = String::from_utf8_lossy(document.as_bytes());
            if is_code {
                uses.literals.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
            } else if text.contains("m_KeyId") || text.contains("m_TableEntryReference") {
                uses.scan(&text);
            }
        }
        Ok(Some(uses))
    }

    /// References stand as three lines, or as overrides of a prefab, which name no table.
    fn scan(&mut self, text: &str) {
        let (mut table, mut path) = (String::new(), "");
        for line in text.lines() {
            let Some((field, value)) = line.trim_start_matches([' ', '-']).split_once(':') else {
                continue;
            };
            let value = value.trim().trim_matches(['\'', '"']);
            match field {
                "m_TableCollectionName" => table = value.to_owned(),
                "m_KeyId" => self.add_id(&table, value),
                "m_Key" => self.add_key(&table, value),
                "propertyPath" => path = value,
                "value" if path.ends_with("m_KeyId") => self.add_id("", value),
                "value" if path.ends_with("m_TableEntryReference.m_Key") => self.add_key("", value),
                _ => {}
            }
        }
    }

    fn add_id(&mut self, table: &str, value: &str) {
        if let Some(id) = value.parse().ok().filter(|id| *id != 0) {
            self.ids.insert((table.to_owned(), id));
        }
    }

    fn add_key(&mut self, table: &str, value: &str) {
        if !value.is_empty() {
            self.keys.insert((table.to_owned(), value.to_owned()));
        }
    }

    fn has(&self, guid: Guid, table: &Collection, id: i64, key: &str) -> bool {
        let names = [String::new(), table.name.clone(), format!("GUID:{guid}")];
        names.into_iter().any(|name| {
            self.ids.contains(&(name.clone(), id)) || self.keys.contains(&(name, key.to_owned()))
        }) || self.literals.contains(key)
            || self.literals.contains(&format!("Id({id})"))
    }
}

#[cfg(test)]
mod tests;
