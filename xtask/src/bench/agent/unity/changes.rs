//! What people have changed in a Unity project: through the world, which is saved into its scene, or as
//! text.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bench::agent::files::{Files, has_all};
use crate::bench::agent::projects::Project;
use crate::bench::agent::task::{
    Check, Kind, Needs, Step, Task, call, find, list, read, same, texts,
};

const MAIN: &str = "Assets/Scenes/Main.unity";
const FLICKER: &str = "Assets/Scripts/LanternFlicker.cs";
const STONE: &str = "Assets/Materials/Stone.mat";
const FLAME: &str = "Assets/Materials/Flame.mat";

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = everyday();
    tasks.extend(others());
    tasks
}

fn change(
    name: &'static str,
    words: &'static str,
    kind: Kind,
    steps: fn() -> Vec<Step>,
    check: Check,
) -> Task {
    Task { name, words, kind, project: Project::Unity, needs: Needs::Files, steps, check }
}

/// Code that the console of the world runs, which is refused until it is allowed, and the scene saved.
fn in_the_world(words: &str, code: &str) -> Vec<Step> {
    vec![
        find(words),
        call("explorer_consoleEval", json!({ "code": code })).refused(),
        call("explorer_setConfig", json!({ "enableConsoleEval": true })),
        call("explorer_consoleEval", json!({ "code": code })),
        call("explorer_saveScene", json!({})),
    ]
}

fn everyday() -> Vec<Task> {
    vec![
        change(
            "light-transform-override",
            "Make the sun brighter and orange, move the player, and move the gate lantern, which is an instance.",
            Kind::Everyday,
            || {
                in_the_world(
                    "run code that changes objects",
                    "var sun = GameObject.Find(\"Directional Light\").GetComponent<Light>(); sun.intensity = 2.5f; sun.color = new Color(1, 0.5f, 0.25f, 1); \
                     GameObject.Find(\"Player\").transform.localPosition = new Vector3(1, 2, 3); \
                     GameObject.Find(\"Gate Lantern\").transform.localPosition = new Vector3(7, 0.4f, 2); sun.intensity",
                )
            },
            Check::Changed(light_transform_override),
        ),
        change(
            "new-object",
            "Add a crate with a box collider and a rigidbody at (1, 2, 3).",
            Kind::Everyday,
            || {
                in_the_world(
                    "run code that makes an object",
                    "var crate = new GameObject(\"Crate\"); crate.AddComponent<BoxCollider>(); crate.AddComponent<Rigidbody>(); \
                     crate.transform.position = new Vector3(1, 2, 3); crate.name",
                )
            },
            Check::Changed(new_object),
        ),
        change(
            "prefab-instantiated",
            "Put another lantern below Lanterns, called Yard Lantern.",
            Kind::Everyday,
            || {
                let parent = json!({ "path": "/Lanterns", "limit": 1 });
                let spawn = call("explorer_spawnPrefab", Value::Null).with(|done| {
                    let parent = &done.data(2)["Items"][0]["Id"];
                    Ok(json!({ "prefabPath": "Assets/Prefabs/Lantern.prefab", "name": "Yard Lantern", "parentId": parent }))
                });
                vec![
                    find("put a prefab into the scene"),
                    find("find an object of the world"),
                    read("explorer_searchObjects", parent),
                    spawn,
                    call("explorer_saveScene", json!({})),
                ]
            },
            Check::Changed(prefab_instantiated),
        ),
    ]
}

fn light_transform_override(files: &Files) -> Result<()> {
    let light = files.object(MAIN, &["\nLight:", "m_Type: 1\n"])?;
    has_all(&light, &["  m_Intensity: 2.5\n", "  m_Color: {r: 1, g: 0.5, b: 0.25, a: 1}\n"])?;
    files.has(MAIN, &["  m_LocalPosition: {x: 1, y: 2, z: 3}\n"])?;
    let gate = files.object(MAIN, &["PrefabInstance:", "value: Gate Lantern\n"])?;
    has_all(&gate, &["propertyPath: m_LocalPosition.x\n      value: 7\n"])
}

fn new_object(files: &Files) -> Result<()> {
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

fn prefab_instantiated(files: &Files) -> Result<()> {
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

fn others() -> Vec<Task> {
    vec![
        change(
            "material-replaced",
            "Use the flame's material wherever the stone's is used.",
            Kind::Other,
            || {
                let replace = json!({ "from": STONE, "to": FLAME });
                vec![
                    find("replace references to one asset by another"),
                    call("project_replaceReference", replace),
                ]
            },
            Check::ChangedAndTold(
                |files| {
                    let left = files.with_text(&files.guid(STONE)?)?;
                    same(
                        "files with the old one",
                        left.into_keys().collect(),
                        vec![format!("{STONE}.meta")],
                    )
                },
                |done| {
                    let files = list(done.data(1), "files")?;
                    let counts: u64 = files.iter().filter_map(|file| file["count"].as_u64()).sum();
                    same("replaced", done.data(1)["replaced"].as_u64(), Some(counts))?;
                    let now = done.files.with_text(&done.files.guid(FLAME)?)?;
                    ensure!(
                        texts(files, "path").iter().all(|path| now.contains_key(path)),
                        "{now:?}"
                    );
                    Ok(())
                },
            ),
        ),
        change(
            "csharp-edited",
            "Lanterns have a fourth point of brightness, and a warning when there is no light.",
            Kind::Other,
            || {
                let edits = json!([
                    { "oldText": "{ 0.6f, 1f, 0.8f }", "newText": "{ 0.6f, 1f, 0.8f, 0.9f }" },
                    { "oldText": "            baseIntensity = flameLight.intensity;", "newText": "            if (flameLight == null)\n            {\n                Debug.LogWarning(\"no light\", this);\n                return;\n            }\n            baseIntensity = flameLight.intensity;" },
                ]);
                vec![
                    find("edit part of a script"),
                    call("project_editText", json!({ "path": FLICKER, "edits": edits })),
                ]
            },
            Check::Changed(|files| {
                files.has(FLICKER, &["{ 0.6f, 1f, 0.8f, 0.9f };\n", "                return;\n            }\n            baseIntensity = flameLight.intensity;\n            SetLit"])
            }),
        ),
        change(
            "a-text-that-occurs-twice",
            "Give SetLit a second parameter; the first try names a text that is there more than once.",
            Kind::Other,
            || {
                let ambiguous = json!({ "path": FLICKER, "oldText": "IsLit", "newText": "isLit" });
                let by_line = call("project_editText", Value::Null).with(|done| {
                    let line = done.files.text(FLICKER)?;
                    let line = line.lines().position(|line| line.contains("public void SetLit(bool lit)"));
                    let line = line.context("no SetLit")? + 1;
                    let expected = "        public void SetLit(bool lit)";
                    Ok(json!({ "path": FLICKER, "startLine": line, "expected": expected, "newText": "        public void SetLit(bool lit, bool quiet = false)" }))
                });
                vec![call("project_editText", ambiguous).refused(), by_line]
            },
            Check::ChangedAndTold(
                |files| {
                    files.has(
                        FLICKER,
                        &["        public void SetLit(bool lit, bool quiet = false)\n        {\n"],
                    )
                },
                |done| {
                    let text = done.files.text(FLICKER)?;
                    let first = (1..).zip(text.lines()).find(|(_, line)| line.contains("IsLit"));
                    let first = first.context("no IsLit")?.0.to_string();
                    ensure!(
                        done.text(0).contains(&first),
                        "the lines are not told: {}",
                        done.text(0)
                    );
                    Ok(())
                },
            ),
        ),
        change(
            "changed-and-undone",
            "Take back the last change of a script, and keep the one before.",
            Kind::Other,
            || {
                let line = |text: &str| json!({ "path": FLICKER, "startLine": 1, "endLine": 0, "newText": text });
                vec![
                    call("project_editText", line("// First.")),
                    call("project_editText", line("// Second.")),
                    call("project_undoLast", json!({})),
                    read("project_history", json!({ "limit": 3 })),
                ]
            },
            Check::ChangedAndTold(
                |files| {
                    ensure!(
                        files.text(FLICKER)?.starts_with("// First.\nusing UnityEngine;"),
                        "it is not as it was"
                    );
                    files.lacks(FLICKER, &["// Second."])
                },
                |done| same("changes", list(done.data(3), "changes")?.len(), 3),
            ),
        ),
        Task {
            name: "dry-run",
            words: "What would change if the stone's material were replaced? Change nothing.",
            kind: Kind::Other,
            project: Project::Unity,
            needs: Needs::Files,
            steps: || {
                vec![read(
                    "project_replaceReference",
                    json!({ "from": STONE, "to": FLAME, "dryRun": true }),
                )]
            },
            check: Check::Told(|done| {
                let told = texts(list(done.data(0), "files")?, "path");
                let own = format!("{STONE}.meta");
                let users = done.files.with_text(&done.files.guid(STONE)?)?;
                same("files", told, users.into_keys().filter(|path| *path != own).collect())
            }),
        },
    ]
}
