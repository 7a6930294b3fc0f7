//! Reports of string tables that lack texts.

use serde_json::json;

use crate::testing::call_project;

const PROJECT: &str = "\
//- Assets/L/UI Shared Data.asset
--- !u!114 &11400000
MonoBehaviour:
  m_TableCollectionName: UI
  m_Entries:
  - m_Id: 1
    m_Key: by id
  - m_Id: 2
    m_Key: by key
  - m_Id: 3
    m_Key: by code
  - m_Id: 4
    m_Key: by override
  - m_Id: 5
    m_Key: never
//- Assets/L/UI Shared Data.asset.meta
guid: a0000000000000000000000000000001
//- Assets/L/UI_en.asset
--- !u!114 &11400000
MonoBehaviour:
  m_LocaleId:
    m_Code: en
  m_SharedData: {fileID: 11400000, guid: a0000000000000000000000000000001, type: 2}
  m_TableData:
  - m_Id: 1
    m_Localized: One
  - m_Id: 2
    m_Localized: Two
  - m_Id: 5
    m_Localized: ''
//- Assets/L/Icons Shared Data.asset
--- !u!114 &11400000
MonoBehaviour:
  m_TableCollectionName: Icons
  m_Entries:
  - m_Id: 9
    m_Key: icon
//- Assets/L/Icons Shared Data.asset.meta
guid: a0000000000000000000000000000002
//- Assets/L/Icons_en.asset
--- !u!114 &11400000
MonoBehaviour:
  m_LocaleId:
    m_Code: en
  m_SharedData: {fileID: 11400000, guid: a0000000000000000000000000000002, type: 2}
  m_TableData:
  - m_Id: 9
    m_Localized: b0000000000000000000000000000001
//- Assets/L/French.asset
--- !u!114 &11400000
MonoBehaviour:
  m_Identifier:
    m_Code: fr
//- Assets/A.prefab
--- !u!114 &1
MonoBehaviour:
  m_StringReference:
    m_TableReference:
      m_TableCollectionName: GUID:a0000000000000000000000000000001
    m_TableEntryReference:
      m_KeyId: 1
      m_Key: 
  other:
    m_TableReference:
      m_TableCollectionName: UI
    m_TableEntryReference:
      m_KeyId: 0
      m_Key: by key
  foreign:
    m_TableReference:
      m_TableCollectionName: Elsewhere
    m_TableEntryReference:
      m_KeyId: 5
--- !u!1001 &2
PrefabInstance:
  m_Modification:
    m_Modifications:
    - target: {fileID: 1, guid: a0000000000000000000000000000009, type: 3}
      propertyPath: m_StringReference.m_TableEntryReference.m_KeyId
      value: 4
//- Assets/C.cs
class C { string s = Get(\"by code\"); }
";

fn check(arguments: serde_json::Value) -> serde_json::Value {
    call_project(PROJECT, "localization.coverageReport", arguments).unwrap().output.into_value()
}

#[test]
fn coverage_counts_strings_and_not_assets() {
    let output = check(json!({}));
    assert_eq!(output["totalKeys"], 5);
    assert_eq!(output["coverage"], json!({ "en": 40.0, "fr": 0.0 }));
    assert_eq!(output["missing"].as_array().unwrap().len(), 5);
    let first = json!({ "table": "UI", "key": "by id", "missingIn": ["fr"] });
    assert_eq!(output["missing"][0], first);
    assert_eq!(output["unused"], json!([{ "table": "UI", "key": "never", "unusedIn": [] }]));
}

#[test]
fn one_locale_can_be_asked_for() {
    let output = check(json!({ "locales": ["EN"], "includeUnused": false }));
    assert_eq!(output["coverage"], json!({ "en": 40.0 }));
    assert_eq!(output["missing"].as_array().unwrap().len(), 3);
    assert_eq!(output["unused"], json!([]));
}

#[test]
fn what_is_not_there_is_said() {
    let tool = "localization.coverageReport";
    let error = call_project(PROJECT, tool, json!({ "locales": ["de"] })).unwrap_err();
    assert_eq!(error.text(), "Invalid locale: de\nTry: the locales are en, fr");
    let error = call_project("", tool, json!({})).unwrap_err();
    assert_eq!(error.message, "Localization system not configured");
}
