//! Files that change after the index has seen them.

use std::sync::Arc;

use scenewright_contract::{Call, Outcome, ToolError};
use scenewright_fixture::Folder;
use scenewright_toolkit::{Kept, Runner, Settings, Workspace};
use scenewright_tools::{ENGINES, new_runner};
use serde_json::{Value, json};

const SCENE: &str = "%YAML 1.1
--- !u!1 &10
GameObject:
  m_Component:
  - component: {fileID: 11}
  - component: {fileID: 12}
  m_Name: Lamp
--- !u!4 &11
Transform:
  m_GameObject: {fileID: 10}
  m_Father: {fileID: 0}
--- !u!108 &12
Light:
  m_GameObject: {fileID: 10}
  m_Intensity: 2
";
const LAMP: &str =
    "m_SourcePrefab: {fileID: 100100000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}";

/// A project whose index is made once: nobody tells it of changes.
struct Stale {
    folder: Folder,
    runner: Arc<Runner>,
}

impl Stale {
    fn new() -> Self {
        let user = format!("%YAML 1.1\n--- !u!1001 &7\nPrefabInstance:\n  {LAMP}\n");
        let folder = Folder::unity(&format!(
            "//- Assets/Lamp.prefab\n{SCENE}\
             //- Assets/Lamp.prefab.meta\nguid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\
             //- Assets/Room.unity\n{user}\
             //- Assets/Room.unity.meta\nguid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
        ));
        let workspace =
            Workspace::open(ENGINES, &[folder.root().to_owned()], Kept::default()).unwrap();
        workspace.projects().iter().for_each(|project| project.engine.files().set_watched());
        let runner = new_runner(workspace, Settings::default(), None, &[]);
        let stale = Self { folder, runner };
        stale.call("project.assets.summary", json!({})).unwrap();
        stale
    }

    fn call(&self, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.runner.admit(Call::new(tool, arguments))?.run()
    }
}

impl Stale {
    /// Tell the index of a file, as the watcher does.
    fn refresh(&self, path: &str) {
        self.runner.workspace().projects()[0].engine.files().refresh(&[self.folder.path(path)]);
    }
}

const LAMP_PATH: &str = "Assets/Lamp.prefab";
const ROOM_PATH: &str = "Assets/Room.unity";

#[test]
fn a_file_that_went_is_named() {
    let stale = Stale::new();
    std::fs::remove_file(stale.folder.path(LAMP_PATH)).unwrap();
    for tool in ["scene.hierarchy.dump", "scene.objects.find"] {
        let error = stale.call(tool, json!({ "scenePath": LAMP_PATH })).unwrap_err();
        assert!(error.message.starts_with("Assets/Lamp.prefab cannot be read"), "{error}");
        let room = stale.call(tool, json!({ "scenePath": ROOM_PATH })).unwrap().output;
        assert!(room.to_string().contains("Lamp"), "{room}");
    }
    let query = stale.call("scene.query", json!({ "componentType": "Light" })).unwrap();
    assert_eq!((&query.output["searched"], &query.output["totalMatches"]), (&json!(1), &json!(0)));
    assert!(query.diagnostics[0].starts_with("Assets/Lamp.prefab cannot be read"));
    let usages = stale.call("asset.usages", json!({ "assetPath": LAMP_PATH })).unwrap().output;
    assert_eq!(usages["usages"][0]["path"], ROOM_PATH);
    // Checks judge one snapshot, and the next one knows that the prefab is gone.
    stale.refresh(LAMP_PATH);
    let missing = stale.call("project.references.missing", json!({})).unwrap().output;
    assert_eq!(missing["brokenReferences"][0]["path"], ROOM_PATH, "{missing}");
}

#[test]
fn a_file_that_was_cut_is_read_as_it_is() {
    let stale = Stale::new();
    std::fs::write(stale.folder.path(LAMP_PATH), &SCENE[..SCENE.len() - 40]).unwrap();
    let query =
        json!({ "componentType": "Light", "where": [{ "field": "m_Intensity", "op": "exists" }] });
    let found = stale.call("scene.query", query).unwrap().output;
    assert_eq!((&found["searched"], &found["totalMatches"]), (&json!(2), &json!(0)));
    stale.call("project.references.missing", json!({})).unwrap();
}

#[test]
fn a_file_that_became_another_is_named() {
    let stale = Stale::new();
    std::fs::write(stale.folder.path(ROOM_PATH), "nothing of Unity's").unwrap();
    let error = stale.call("scene.hierarchy.dump", json!({ "scenePath": ROOM_PATH })).unwrap_err();
    assert!(error.message.starts_with("Assets/Room.unity cannot be expanded"), "{error}");
    let query = stale.call("scene.query", json!({ "componentType": "Light" })).unwrap();
    assert_eq!((&query.output["searched"], &query.output["totalMatches"]), (&json!(1), &json!(1)));
    assert!(query.diagnostics[0].starts_with("Assets/Room.unity cannot be expanded"));
}
