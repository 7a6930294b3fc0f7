//! The tool `localization.batchImport`: Import Translations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use scenewright_contract::{ErrorKind, JsonMap, Limits, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, paths, schema};
use scenewright_unity::Guid;
use scenewright_unity::index::AssetKind;
use scenewright_unity::localization::import::{self, Imported, Row};
use scenewright_unity::localization::{Counts, Keys, Texts, collection_of, locale_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::draft::{self, Draft};
use crate::base::{InUnity, Unity};

/// More troubles are counted, not listed.
const MAX_ERRORS: usize = 200;
/// Larger tables are not read.
const MAX_TABLE: u64 = 64 << 20;

pub(crate) const TOOL: Tool = Tool {
    id: "localization.batchImport",
    keywords: "import translations csv json xliff string table locale language translate texts keys spreadsheet translators google sheet load",
    title: "Import Translations",
    notes: Some(
        "Excel files are read as CSV, which Excel saves. Empty texts are passed over. A locale needs a table: Unity makes those.",
    ),
    category: "localization",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    idempotent: true,
    limits: Limits { max_items: Some(MAX_ERRORS), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Add a key with two translations to the texts of the Unity sample, and a translation that is missing",
        input: r#"{
            "project": "unity",
            "content": "Key,English(en),German(de)\nmenu.load,Load,Laden\nmenu.quit,Leave,Beenden\n"
        }"#,
        output: r#"{
            "success": true,
            "table": "UI",
            "keysImported": 2,
            "keysAdded": 1,
            "translationsAdded": 3,
            "translationsUpdated": 0,
            "translationsKept": 1,
            "errors": [],
            "dryRun": false,
            "filesChanged": 3,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put translations of a CSV, JSON or XLIFF file into the string tables of a collection. Keys that
/// it does not have are added; texts that are there stay unless `overwrite` is set.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// File of the project with the translations; or give `content`.
    import_path: Option<String>,
    /// The content of such a file.
    #[schemars(length(max = 4_194_304))]
    content: Option<String>,
    /// Kind of the file; by its name, or CSV, by default.
    format: Option<Format>,
    /// Collection of tables; the only one by default.
    table: Option<String>,
    /// Column of CSV with the keys.
    #[serde(default = "key")]
    key_column: String,
    /// Columns of CSV by locale, such as `{"de": "German"}`; columns named `de` or `German(de)` by
    /// default.
    #[serde(default)]
    #[schemars(with = "JsonMap")]
    locale_columns: BTreeMap<String, String>,
    /// Also replace texts that are there.
    #[serde(default)]
    overwrite: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn key() -> String {
    "Key".to_owned()
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
    Json,
    Xliff,
    Excel,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure of the whole call is an error.
    success: bool,
    /// The collection.
    table: String,
    /// Keys that the file has texts for.
    keys_imported: usize,
    /// Of those, keys that the collection did not have.
    keys_added: usize,
    /// Texts that were not there.
    translations_added: usize,
    /// Texts that were replaced.
    translations_updated: usize,
    /// Texts that are others in the tables, and stayed.
    translations_kept: usize,
    /// Rows that could not be used, at most two hundred.
    errors: Vec<Trouble>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Trouble {
    /// The row of the file, from 1.
    row: usize,
    /// The key, where there is one.
    key: String,
    /// What is wrong.
    error: String,
}

/// The files of a collection.
struct Collection {
    name: String,
    shared: Draft,
    tables: BTreeMap<String, Draft>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let mut collection = Collection::open(cx, &unity, project, input.table.as_deref())?;
    let locales: Vec<String> = collection.tables.keys().cloned().collect();
    let Imported { rows, skipped } = read(cx, project, &input, &locales)?;
    let mut wanted = Wanted {
        keys: Keys::read(collection.shared.document()).unwrap_or_default(),
        ..Wanted::default()
    };
    let without_key = |(row, error)| Trouble { row, key: String::new(), error };
    wanted.errors = skipped.into_iter().map(without_key).collect();
    rows.into_iter().for_each(|row| wanted.take(row, &collection));
    let Wanted { keys, texts, seen, mut errors, .. } = wanted;
    collection.shared.change(|document, manner, edits| keys.write(document, manner, edits))?;
    let mut total = Counts::default();
    for (locale, texts) in &texts {
        cx.check_cancelled()?;
        let Some(table) = collection.tables.get_mut(locale) else { continue };
        let Some(compared) = Texts::compare(table.document(), texts, input.overwrite) else {
            continue;
        };
        table.change(|document, manner, edits| compared.write_updates(document, manner, edits))?;
        table.change(|document, manner, edits| compared.write_added(document, manner, edits))?;
        total.added += compared.counts.added;
        total.updated += compared.counts.updated;
        total.kept += compared.counts.kept;
    }
    let written = collection.commit(cx, project, input.dry_run)?;
    if total.kept > 0 {
        cx.diagnose(format!(
            "{} texts are others in the tables and stayed; overwrite replaces them",
            total.kept
        ));
    }
    if errors.len() > MAX_ERRORS {
        cx.diagnose(format!(
            "{} rows could not be used; the first {MAX_ERRORS} are told",
            errors.len()
        ));
        errors.truncate(MAX_ERRORS);
    }
    Ok(Output {
        success: true,
        table: collection.name,
        keys_imported: seen.len(),
        keys_added: keys.added(),
        translations_added: total.added,
        translations_updated: total.updated,
        translations_kept: total.kept,
        errors,
        written,
    })
}

/// The texts that a file has for a collection.
#[derive(Default)]
struct Wanted {
    keys: Keys,
    /// By locale, in the order of the file.
    texts: BTreeMap<String, Vec<(i64, String)>>,
    places: HashMap<(String, i64), usize>,
    seen: BTreeSet<i64>,
    errors: Vec<Trouble>,
}

impl Wanted {
    fn take(&mut self, Row { row, key, locale, text }: Row, collection: &Collection) {
        if !collection.tables.contains_key(&locale) {
            let error = format!("there is no table of {} for {locale}", collection.name);
            return self.errors.push(Trouble { row, key, error });
        }
        if text.is_empty() {
            return;
        }
        let id = self.keys.id(&key);
        self.seen.insert(id);
        let of = self.texts.entry(locale.clone()).or_default();
        // The last row of a key counts.
        match self.places.get(&(locale.clone(), id)) {
            Some(at) => of[*at].1 = text,
            None => {
                self.places.insert((locale, id), of.len());
                of.push((id, text));
            }
        }
    }
}

/// What the file of a call says.
fn read(
    cx: &Cx,
    project: &Project,
    input: &Input,
    locales: &[String],
) -> Result<Imported, ToolError> {
    let text = match (&input.content, &input.import_path) {
        (Some(content), None) => content.clone(),
        (None, Some(path)) => {
            let outside = "importPath must be inside the project";
            let file = paths::find(cx, project, path, outside, "Import file not found")?;
            let bytes = scenewright_toolkit::files::read(cx, project, &file.path, &file.name)
                .map_err(|error| ToolError::failed(format!("{path} cannot be read: {error}")))?;
            String::from_utf8(bytes).map_err(|_| {
                let text = format!("Invalid file format: {path} is not text in UTF-8");
                ToolError::new(ErrorKind::EngineError, text).hint("save it as CSV in UTF-8")
            })?
        }
        _ => {
            return Err(ToolError::bad_argument(
                "importPath",
                "or content must be given, and not both",
            ));
        }
    };
    let name = input.import_path.as_deref().unwrap_or_default().to_ascii_lowercase();
    let by_name = match name.rsplit('.').next().unwrap_or_default() {
        "json" => Format::Json,
        "xlf" | "xliff" => Format::Xliff,
        "xlsx" | "xls" => Format::Excel,
        _ => Format::Csv,
    };
    let imported = match input.format.unwrap_or(by_name) {
        Format::Csv => import::csv(&text, &input.key_column, &input.locale_columns, locales),
        Format::Json => import::json(&text, locales),
        Format::Xliff => import::xliff(&text, locales),
        Format::Excel => {
            Err("Excel's own files are not read here; save the sheet as CSV".to_owned())
        }
    };
    imported.map_err(|why| {
        ToolError::new(ErrorKind::BadArguments, format!("Invalid file format: {why}")).hint(
            "nothing was changed; format, keyColumn and localeColumns say how it is to be read",
        )
    })
}

impl Collection {
    fn open(
        cx: &Cx,
        unity: &Unity<'_>,
        project: &Project,
        wanted: Option<&str>,
    ) -> Result<Collection, ToolError> {
        let (mut shared, mut tables) = (Vec::new(), Vec::new());
        for asset in unity.index.under("Assets") {
            let is_object = asset.main_class_name() == Some("MonoBehaviour");
            if asset.kind() != AssetKind::Asset || !is_object || asset.size() > MAX_TABLE {
                continue;
            }
            cx.check_cancelled()?;
            let (Ok(document), Some(guid)) = (asset.document(), asset.guid()) else { continue };
            if let Some(name) = collection_of(&document) {
                shared.push((name, guid, asset.path()));
            } else if let Some((locale, of)) = locale_of(&document) {
                tables.push((locale, of, asset.path()));
            }
        }
        let has_tables = |guid: &Guid| tables.iter().any(|(_, of, _)| of == guid);
        shared.retain(|(_, guid, _)| has_tables(guid));
        let (name, guid, path) = choose(shared, wanted)?;
        let of_it = tables.into_iter().filter(|(_, of, _)| *of == guid);
        let open = |(locale, _, path): (String, Guid, String)| {
            Draft::open(cx, project, &path).map(|draft| (locale, draft))
        };
        let tables = of_it.map(open).collect::<Result<BTreeMap<_, _>, _>>()?;
        Ok(Collection { name, shared: Draft::open(cx, project, &path)?, tables })
    }

    fn commit(&self, cx: &Cx, project: &Project, dry_run: bool) -> Result<Written, ToolError> {
        let mut plan = Plan::new(project);
        self.shared.add_to(&mut plan);
        self.tables.values().for_each(|table| table.add_to(&mut plan));
        draft::commit_plan(cx, project, plan, dry_run)
    }
}

/// The collection that is meant.
fn choose(
    mut all: Vec<(String, Guid, String)>,
    wanted: Option<&str>,
) -> Result<(String, Guid, String), ToolError> {
    let names: Vec<String> = all.iter().map(|(name, ..)| name.clone()).collect();
    let listed = names.join(", ");
    let error =
        |text: &str, hint: String| Err(ToolError::new(ErrorKind::EngineError, text).hint(hint));
    match wanted {
        Some(wanted) => match all.into_iter().find(|(name, ..)| name == wanted) {
            Some(found) => Ok(found),
            None => {
                let otherwise = format!("the collections are {listed}");
                let hint =
                    suggest::did_you_mean(wanted, names.iter().map(String::as_str), &otherwise);
                error(&format!("Table not found: {wanted}"), hint)
            }
        },
        None if all.len() > 1 => {
            let hint = format!("name one with table: {listed}");
            error(&format!("the project has {} collections of tables", all.len()), hint)
        }
        None => match all.pop() {
            Some(only) => Ok(only),
            None => error(
                "Localization system not configured",
                "there is no string table under Assets".to_owned(),
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{bench, bench_on};

    const CSV: &str =
        "Key,English(en),German(de)\nmenu.load,Load,Laden\nmenu.quit,Leave,\"Spiel\nbeenden\"\n";

    #[test]
    fn keys_and_texts_are_added_and_others_stay() {
        let bench = bench();
        expect![[r#"
            --- a/Assets/Localization/Tables/UI Shared Data.asset
            +++ b/Assets/Localization/Tables/UI Shared Data.asset
            @@ -23,6 +23,10 @@
                 m_Key: menu.quit
                 m_Metadata:
                   m_Items: []
            +  - m_Id: 4873233768448
            +    m_Key: menu.load
            +    m_Metadata:
            +      m_Items: []
               m_Metadata:
                 m_Items: []
               m_KeyGenerator:
            --- a/Assets/Localization/Tables/UI_de.asset
            +++ b/Assets/Localization/Tables/UI_de.asset
            @@ -22,6 +22,16 @@
                 m_Localized: Starten
                 m_Metadata:
                   m_Items: []
            +  - m_Id: 4873233768448
            +    m_Localized: Laden
            +    m_Metadata:
            +      m_Items: []
            +  - m_Id: 4873233764352
            +    m_Localized: 'Spiel
            +
            +      beenden'
            +    m_Metadata:
            +      m_Items: []
               references:
                 version: 2
                 RefIds: []
            --- a/Assets/Localization/Tables/UI_en.asset
            +++ b/Assets/Localization/Tables/UI_en.asset
            @@ -26,6 +26,10 @@
                 m_Localized: Quit
                 m_Metadata:
                   m_Items: []
            +  - m_Id: 4873233768448
            +    m_Localized: Load
            +    m_Metadata:
            +      m_Items: []
               references:
                 version: 2
                 RefIds: []
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "content": CSV })));
        let again = bench.call(super::TOOL.id, json!({ "content": CSV })).unwrap();
        assert_eq!((&again["filesChanged"], &again["translationsKept"]), (&json!(0), &json!(1)));
        let over = json!({ "content": CSV, "overwrite": true });
        expect![[r#"
            --- a/Assets/Localization/Tables/UI_en.asset
            +++ b/Assets/Localization/Tables/UI_en.asset
            @@ -23,7 +23,7 @@
                 m_Metadata:
                   m_Items: []
               - m_Id: 4873233764352
            -    m_Localized: Quit
            +    m_Localized: Leave
                 m_Metadata:
                   m_Items: []
               - m_Id: 4873233768448
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, over));
        let report =
            bench.call("localization.coverageReport", json!({ "includeUnused": false })).unwrap();
        assert_eq!(report["coverage"], json!({ "de": 100.0, "en": 100.0 }));
    }

    #[test]
    fn other_formats_and_what_is_wrong_with_them() {
        let bench = bench();
        let import = |format: &str, content: &str| {
            let arguments = json!({ "format": format, "content": content, "dryRun": true });
            bench.call(super::TOOL.id, arguments)
        };
        let json = import("json", r#"{"menu.quit": {"de": "Beenden", "fr": "Quitter"}}"#).unwrap();
        assert_eq!(json["translationsAdded"], 1);
        expect![[r#"[{"row":1,"key":"menu.quit","error":"there is no table of UI for fr"}]"#]]
            .assert_eq(&json["errors"].to_string());
        let xliff = import(
            "xliff",
            r#"<xliff version="1.2"><file target-language="de"><trans-unit id="menu.quit"><target>Beenden</target></trans-unit></file></xliff>"#,
        );
        assert_eq!(xliff.unwrap()["translationsAdded"], 1);
        let error = |arguments: Value| bench.error(super::TOOL.id, arguments);
        let errors = [
            error(json!({ "content": "Name,en\na,b" })),
            error(json!({ "content": "x", "format": "excel" })),
            error(json!({ "importPath": "Assets/strings.csv" })),
            error(json!({ "content": CSV, "table": "UX" })),
            error(json!({})),
        ];
        expect![[r#"
            Invalid file format: there is no column Key; the columns are Name, en; nothing was changed; format, keyColumn and localeColumns say how it is to be read
            Invalid file format: Excel's own files are not read here; save the sheet as CSV; nothing was changed; format, keyColumn and localeColumns say how it is to be read
            Import file not found: Assets/strings.csv; did you mean Assets/Scripts or Assets/Scripts.meta or Assets/Scenes.meta?
            Table not found: UX; the collections are UI
            Invalid tool arguments: importPath or content must be given, and not both"#]].assert_eq(&errors.join("\n"));
        let none = bench_on("//- Assets/A.cs\nclass A {}\n");
        expect!["Localization system not configured; there is no string table under Assets"]
            .assert_eq(&none.error(super::TOOL.id, json!({ "content": CSV })));
    }
}
