//! What people have changed in a Unity project: through the world, which is saved into its scene, or as
//! text.

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::edits;
use crate::bench::agent::projects::Project;
use crate::bench::agent::task::{
    Check, Kind, Needs, Step, Task, call, find, list, read, same, texts,
};

const FLICKER: &str = "Assets/Scripts/LanternFlicker.cs";
const STONE: &str = "Assets/Materials/Stone.mat";
const FLAME: &str = "Assets/Materials/Flame.mat";

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = in_world_tasks();
    tasks.extend(others());
    tasks
}

pub(super) fn change(
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
        find("save the scenes of the running world"),
        call("explorer_consoleEval", json!({ "code": code })).refused(),
        call("explorer_setConfig", json!({ "enableConsoleEval": true })),
        call("explorer_consoleEval", json!({ "code": code })),
        call("explorer_saveScene", json!({})),
    ]
}

/// The same as through the files, by the world that the console changes.
fn in_world_tasks() -> Vec<Task> {
    vec![
        change(
            "light-in-the-world",
            "Make the sun brighter and orange, move the player, and move the gate lantern, which is an instance.",
            Kind::Other,
            || {
                in_the_world(
                    "run C# code in the world",
                    "var sun = GameObject.Find(\"Directional Light\").GetComponent<Light>(); sun.intensity = 2.5f; sun.color = new Color(1, 0.5f, 0.25f, 1); \
                     GameObject.Find(\"Player\").transform.localPosition = new Vector3(1, 2, 3); \
                     GameObject.Find(\"Gate Lantern\").transform.localPosition = new Vector3(7, 0.4f, 2); sun.intensity",
                )
            },
            Check::Changed(edits::light_transform_override),
        ),
        change(
            "object-in-the-world",
            "Add a crate with a box collider and a rigidbody at (1, 2, 3).",
            Kind::Other,
            || {
                in_the_world(
                    "run code in the console of the running world",
                    "var crate = new GameObject(\"Crate\"); crate.AddComponent<BoxCollider>(); crate.AddComponent<Rigidbody>(); \
                     crate.transform.position = new Vector3(1, 2, 3); crate.name",
                )
            },
            Check::Changed(edits::new_object),
        ),
        change(
            "prefab-in-the-world",
            "Put another lantern below Lanterns, called Yard Lantern.",
            Kind::Other,
            || {
                let parent = json!({ "path": "/Lanterns", "limit": 1 });
                let spawn = call("explorer_spawnPrefab", Value::Null).with(|done| {
                    let parent = &done.data(3)["Items"][0]["Id"];
                    Ok(json!({ "prefabPath": "Assets/Prefabs/Lantern.prefab", "name": "Yard Lantern", "parentId": parent }))
                });
                vec![
                    find("put a prefab into the scene"),
                    find("find an object of the world"),
                    find("save the scenes of the running world"),
                    read("explorer_searchObjects", parent),
                    spawn,
                    call("explorer_saveScene", json!({})),
                ]
            },
            Check::Changed(edits::prefab_instantiated),
        ),
    ]
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
