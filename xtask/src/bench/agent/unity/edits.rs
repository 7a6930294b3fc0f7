//! The everyday changes of a Unity project that its files take: fields, objects, prefabs, scripts,
//! materials, assets that move.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::changes::change;
use crate::bench::agent::files::{Files, has_all};
use crate::bench::agent::task::{Check, Kind, Step, Task, call, find, read, same};

const MAIN: &str = "Assets/Scenes/Main.unity";
const STONE: &str = "Assets/Materials/Stone.mat";
const ROCK: &str = "Assets/Art/Rock.mat";
const PLAYER: &str = "Assets/Prefabs/Player.prefab";
const SPINNER: &str = "Assets/Scripts/Spinner.cs";
const RED: &str = "Assets/Materials/Red.mat";
const SETTINGS: &str = "Assets/Data/LanternSettings.asset";
const INTRO: &str = "Assets/Timelines/Intro.playable";

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = objects();
    tasks.extend(assets());
    tasks.extend(others());
    tasks
}

/// What is in the scene, which who changes it has to know first.
fn hierarchy() -> Step {
    read("scene_hierarchy_dump", json!({ "scenePath": MAIN }))
}

fn edit(path: &str, changes: Value) -> Step {
    call("unity_edit", json!({ "path": path, "changes": changes }))
}

fn objects() -> Vec<Task> {
    vec![
        change(
            "light-transform-override",
            "Make the sun brighter and orange, move the player, and move the gate lantern, which is an instance.",
            Kind::Everyday,
            || {
                let set = |object: &str, component: &str, field: &str, value: Value| json!({ "op": "set", "object": object, "component": component, "field": field, "value": value });
                let changes = json!([
                    set("Directional Light", "Light", "intensity", json!(2.5)),
                    set("Directional Light", "Light", "color", json!([1, 0.5, 0.25, 1])),
                    set("Player", "Transform", "localPosition", json!([1, 2, 3])),
                    set("Lanterns/Gate Lantern", "Transform", "localPosition", json!([7, 0.4, 2])),
                ]);
                vec![hierarchy(), edit(MAIN, changes)]
            },
            Check::Changed(light_transform_override),
        ),
        change(
            "new-object",
            "Add a crate with a box collider and a rigidbody at (1, 2, 3) to the first scene of the build.",
            Kind::Everyday,
            || {
                let scenes = read("project_scenes_list", json!({}));
                let made = call("unity_edit", Value::Null).with(|done| {
                    let scenes = done.data(1)["scenes"].as_array().context("no scenes")?;
                    let first = scenes.iter().find(|scene| scene["buildIndex"] == 0);
                    let path = &first.context("no first scene")?["path"];
                    let components = ["BoxCollider", "Rigidbody"];
                    let crate_ = json!({ "op": "create", "name": "Crate", "components": components, "position": [1, 2, 3] });
                    Ok(json!({ "path": path, "changes": [crate_] }))
                });
                vec![find("list the scenes of the build"), scenes, made]
            },
            Check::Changed(new_object),
        ),
        change(
            "prefab-instantiated",
            "Put another lantern below Lanterns, called Yard Lantern.",
            Kind::Everyday,
            || {
                let files = json!({ "pattern": "**/*Lantern*.prefab" });
                let instance = json!({ "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Lanterns", "name": "Yard Lantern" });
                vec![
                    find("list files by a glob"),
                    read("project_listFiles", files),
                    edit(MAIN, json!([instance])),
                ]
            },
            Check::Changed(prefab_instantiated),
        ),
        change(
            "prefab-from-object",
            "Make a prefab of the player, who stays in the scene as its instance.",
            Kind::Everyday,
            || {
                let prefab =
                    json!({ "scenePath": MAIN, "hierarchyPath": "Player", "prefabPath": PLAYER });
                vec![
                    find("make a prefab from an object"),
                    hierarchy(),
                    call("prefab_create", prefab),
                ]
            },
            Check::Changed(prefab_from_object),
        ),
    ]
}

fn assets() -> Vec<Task> {
    vec![
        change(
            "script-written-and-attached",
            "Write a component that turns its object, and put it on Lanterns with a speed of 45.",
            Kind::Everyday,
            || {
                let text = "using UnityEngine;\n\nnamespace LanternKeep\n{\n    public class Spinner : MonoBehaviour\n    {\n        public float speed = 90f;\n        public Vector3 axis = Vector3.up;\n\n        private void Update()\n        {\n            transform.Rotate(axis, speed * Time.deltaTime);\n        }\n    }\n}\n";
                let attached = json!({ "op": "addComponent", "object": "Lanterns", "component": "Spinner", "values": { "speed": 45 } });
                vec![
                    find("write a new C# MonoBehaviour"),
                    call("script_create", json!({ "path": SPINNER, "content": text })),
                    edit(MAIN, json!([attached])),
                ]
            },
            Check::Changed(script_attached),
        ),
        change(
            "asset-renamed-and-moved",
            "Rename the stone's material to Rock and move it to Assets/Art; everything keeps using it.",
            Kind::Everyday,
            || {
                vec![
                    find("rename and move an asset"),
                    call("asset_move", json!({ "path": STONE, "newPath": ROCK })),
                    read("asset_usages", json!({ "assetPath": ROCK, "includeObjects": false })),
                ]
            },
            Check::ChangedAndTold(asset_moved, |done| {
                same("users", done.data(2)["usages"].as_array().map(Vec::len), Some(4))
            }),
        ),
        change(
            "material-made-and-assigned",
            "Make a red material and put it on the ground.",
            Kind::Everyday,
            || {
                let made = json!({ "path": RED, "shader": "Standard", "properties": { "_Color": "#ff0000" } });
                let assigned = json!({ "op": "set", "object": "Ground", "component": "MeshRenderer", "field": "materials[0]", "value": RED });
                vec![
                    find("create a material"),
                    call("material_create", made),
                    edit(MAIN, json!([assigned])),
                ]
            },
            Check::Changed(material_assigned),
        ),
    ]
}

pub(super) fn light_transform_override(files: &Files) -> Result<()> {
    let light = files.object(MAIN, &["\nLight:", "m_Type: 1\n"])?;
    has_all(&light, &["  m_Intensity: 2.5\n", "  m_Color: {r: 1, g: 0.5, b: 0.25, a: 1}\n"])?;
    files.has(MAIN, &["  m_LocalPosition: {x: 1, y: 2, z: 3}\n"])?;
    let gate = files.object(MAIN, &["PrefabInstance:", "value: Gate Lantern\n"])?;
    has_all(&gate, &["propertyPath: m_LocalPosition.x\n      value: 7\n"])
}

pub(super) fn new_object(files: &Files) -> Result<()> {
    let object = files.object(MAIN, &["\nGameObject:", "m_Name: Crate\n"])?;
    let ids =
        object.split("component: {fileID: ").skip(1).filter_map(|rest| rest.split('}').next());
    let mut classes = Vec::new();
    for id in ids {
        let part = files.object(MAIN, &[&format!(" &{id}\n")])?;
        classes.push(part.lines().nth(1).unwrap_or_default().trim_end_matches(':').to_owned());
        if part.contains("\nTransform:") {
            has_all(&part, &["m_LocalPosition: {x: 1, y: 2, z: 3}"])?;
            // A root is named by the scene as one.
            let roots = files.object(MAIN, &["\nSceneRoots:"]);
            ensure!(roots.is_err() || roots?.contains(id), "the scene does not know its new root");
        }
    }
    same(
        "components",
        classes,
        ["Transform", "BoxCollider", "Rigidbody"].map(str::to_owned).to_vec(),
    )
}

pub(super) fn prefab_instantiated(files: &Files) -> Result<()> {
    let instance = files.object(MAIN, &["PrefabInstance:", "value: Yard Lantern\n"])?;
    let guid = files.guid("Assets/Prefabs/Lantern.prefab")?;
    has_all(
        &instance,
        &[&format!("m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}")],
    )?;
    let parent = instance.split("m_TransformParent: {fileID: ").nth(1);
    let parent = parent.and_then(|rest| rest.split('}').next()).context("no parent")?;
    let transform = files.object(MAIN, &[&format!(" &{parent}\nTransform:")])?;
    let owner =
        transform.split("m_GameObject: {fileID: ").nth(1).and_then(|rest| rest.split('}').next());
    let owner = files.object(MAIN, &[&format!("!u!1 &{}\n", owner.context("no object")?)])?;
    has_all(&owner, &["m_Name: Lanterns\n"])
}

/// The transform of the only object of this name that is not an instance.
fn transform_of(files: &Files, path: &str, name: &str) -> Result<String> {
    let object = files.object(path, &["\nGameObject:", &format!("m_Name: {name}\n")])?;
    let first = object.split("component: {fileID: ").nth(1).and_then(|rest| rest.split('}').next());
    files.object(path, &[&format!(" &{}\n", first.context("no transform")?)])
}

fn prefab_from_object(files: &Files) -> Result<()> {
    let guid = files.guid(PLAYER)?;
    transform_of(files, PLAYER, "Player")?;
    has_all(&files.text(PLAYER)?, &["\nRigidbody:", "\nCapsuleCollider:", "m_Name: Hand\n"])?;
    let instance = files.object(MAIN, &["PrefabInstance:", &format!("guid: {guid}, type: 3")])?;
    has_all(
        &instance,
        &[&format!("m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}")],
    )?;
    // The object itself has left the scene, and the lantern in its hand with it.
    files.lacks(MAIN, &["  m_Name: Player\n", "\nRigidbody:", "value: Hand Lantern\n"])?;
    files.has(PLAYER, &["value: Hand Lantern\n"])
}

fn script_attached(files: &Files) -> Result<()> {
    files.has(SPINNER, &["public class Spinner : MonoBehaviour"])?;
    let guid = files.guid(SPINNER)?;
    let component = files.object(MAIN, &["\nMonoBehaviour:", &format!("guid: {guid}, type: 3")])?;
    has_all(&component, &["  speed: 45\n  axis: {x: 0, y: 1, z: 0}\n"])?;
    let id = component.split('&').nth(1).and_then(|rest| rest.lines().next()).context("no id")?;
    let owner = files.object(MAIN, &["\nGameObject:", "m_Name: Lanterns\n"])?;
    has_all(&owner, &[&format!("  - component: {{fileID: {id}}}\n")])
}

fn asset_moved(files: &Files) -> Result<()> {
    files.has(ROCK, &["  m_Name: Rock\n"])?;
    let guid = files.guid(ROCK)?;
    let users = files.with_text(&guid)?.into_keys().filter(|path| !path.ends_with(".meta"));
    same("users", users.count(), 4)?;
    let all = files.all()?;
    ensure!(all.contains_key("Assets/Art.meta"), "the new folder has no meta");
    ensure!(!all.keys().any(|path| path.starts_with(STONE)), "the old one is still there");
    Ok(())
}

fn material_assigned(files: &Files) -> Result<()> {
    files.has(RED, &["    - _Color: {r: 1, g: 0, b: 0, a: 1}\n"])?;
    let guid = files.guid(RED)?;
    let renderer = files.object(MAIN, &["\nMeshRenderer:", &guid])?;
    let owner = renderer.split("m_GameObject: {fileID: ").nth(1);
    let owner = owner.and_then(|rest| rest.split('}').next()).context("no object")?;
    let owner = files.object(MAIN, &[&format!("!u!1 &{owner}\n")])?;
    has_all(&owner, &["m_Name: Ground\n"])
}

fn others() -> Vec<Task> {
    vec![
        change(
            "settings-of-an-asset",
            "Lanterns burn 90 seconds with the smallest wick, hold 20 of fuel, and have a fourth wick.",
            Kind::Other,
            || {
                let set = |field: &str, value: Value| json!({ "op": "set", "field": field, "value": value });
                let changes = json!([
                    set("burnTimes", json!([90, 120, 300, 600])),
                    set("fuel.capacity", json!(20)),
                ]);
                vec![
                    find("read a file of the project"),
                    read("project_readFile", json!({ "path": SETTINGS })),
                    edit(SETTINGS, changes),
                ]
            },
            Check::Changed(|files| {
                files.has(
                    SETTINGS,
                    &[
                        "  burnTimes: 5a000000780000002c01000058020000\n",
                        "    capacity: 20\n    refillCost: 3\n",
                    ],
                )
            }),
        ),
        change(
            "field-misspelt-in-an-edit",
            "Make the sun brighter; the field is misspelt at first, and the refusal names the right one.",
            Kind::Other,
            || {
                let set = |field: &str| {
                    edit(
                        MAIN,
                        json!([{ "op": "set", "object": "Directional Light", "component": "Light", "field": field, "value": 3 }]),
                    )
                };
                vec![set("intensty").refused(), set("intensity")]
            },
            Check::ChangedAndTold(
                |files| {
                    let light = files.object(MAIN, &["\nLight:", "m_Type: 1\n"])?;
                    has_all(&light, &["  m_Intensity: 3\n"])
                },
                |done| has_all(done.text(0), &["did you mean m_Intensity?"]),
            ),
        ),
        change(
            "timeline-with-a-track",
            "Make a timeline that the player's object plays, with a track that switches the lanterns on for five seconds.",
            Kind::Other,
            || {
                let step =
                    |tool: &str, arguments: Value| json!({ "tool": tool, "arguments": arguments });
                let steps = json!([
                    step(
                        "timeline_create",
                        json!({ "path": INTRO, "scenePath": MAIN, "objectPath": "Player" })
                    ),
                    step(
                        "timeline_createTrack",
                        json!({ "timelinePath": INTRO, "trackType": "activation", "trackName": "Lights" })
                    ),
                    step(
                        "timeline_addClip",
                        json!({ "timelinePath": INTRO, "trackName": "Lights", "start": 0, "duration": 5 })
                    ),
                    step(
                        "timeline_bindObject",
                        json!({ "timelinePath": INTRO, "trackName": "Lights", "sceneName": MAIN, "objectPath": "Lanterns" })
                    ),
                ]);
                vec![
                    find("make a timeline with a track and a clip"),
                    call("project_batch", json!({ "steps": steps })),
                ]
            },
            Check::Changed(|files| {
                files.has(INTRO, &["  m_Name: Lights\n", "    m_Duration: 5\n"])?;
                let guid = files.guid(INTRO)?;
                let director = files.object(MAIN, &["\nPlayableDirector:", &guid])?;
                let lanterns = files.object(MAIN, &["\nGameObject:", "m_Name: Lanterns\n"])?;
                let id = lanterns.split('&').nth(1).and_then(|rest| rest.lines().next());
                has_all(&director, &[&format!("value: {{fileID: {}}}", id.context("no id")?)])
            }),
        ),
    ]
}
