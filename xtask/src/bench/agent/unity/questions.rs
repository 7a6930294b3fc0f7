//! What people ask about a Unity project.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bench::agent::files::Files;
use crate::bench::agent::projects::{LARGE_OBJECTS, LARGE_UNITY, Project};
use crate::bench::agent::task::{Done, Kind, Task, find, list, read, same, shortened, texts};
use crate::bench::agent::{task, walk};

const MAIN: &str = "Assets/Scenes/Main.unity";
const CELLAR: &str = "Assets/Scenes/Cellar.unity";
/// A material that one task removes.
const LOST: &str = "Material32.mat";
const SET: &str = "Assets/Part00/Set00000";

pub(super) fn tasks() -> Vec<Task> {
    let mut tasks = everyday();
    tasks.extend(others());
    tasks
}

fn everyday() -> Vec<Task> {
    let question = |name, words, project, steps, told| {
        task::question(Kind::Everyday, name, words, project, steps, told)
    };
    vec![
        question(
            "unity-overview",
            "What is this project? Which scenes are built, which packages does it use, how is it structured?",
            Project::Unity,
            || {
                let steps = ["project_info", "project_scenes_list", "project_architectureSummary"];
                let mut steps: Vec<Value> =
                    steps.iter().map(|tool| json!({ "tool": tool })).collect();
                let manifest = json!({ "path": "Packages/manifest.json" });
                steps.push(json!({ "tool": "project_readFile", "arguments": manifest }));
                vec![read("project_batch", json!({ "steps": steps }))]
            },
            overview,
        ),
        question(
            "missing-scripts",
            "Which objects have a missing script, and which script is it?",
            Project::UnityAfter(|files| {
                files.remove("Assets/Scripts/Collectible.cs.meta")?;
                files.remove("Assets/Scripts/Collectible.cs")
            }),
            || vec![find("missing scripts"), read("project_references_missing", json!({}))],
            |done| {
                let told = list(done.data(1), "missingScripts")?;
                let told: BTreeSet<(String, String)> =
                    texts(told, "path").into_iter().zip(texts(told, "gameObjectPath")).collect();
                let expected = [
                    ("Assets/Prefabs/GoldenLantern.prefab", "GoldenLantern"),
                    ("Assets/Prefabs/Room.prefab", "Room/Key"),
                ];
                let expected = expected.map(|(path, object)| (path.to_owned(), object.to_owned()));
                same("objects", told, BTreeSet::from(expected))?;
                let guid = guid_in(&done.data(1)["causes"][0]["cause"]);
                // The script is gone, but who had it still says its guid.
                done.files.has("Assets/Prefabs/Room.prefab", &[&format!("guid: {guid}, type: 3")])
            },
        ),
        question(
            "who-uses",
            "Who uses this script, this material and this texture?",
            Project::SynthUnity,
            || {
                USED.iter()
                    .map(|name| {
                        let asset = format!("{SET}/{name}");
                        read("asset_usages", json!({ "assetPath": asset, "includeObjects": false }))
                    })
                    .collect()
            },
            |done| (0..).zip(USED).try_for_each(|(step, name)| uses(done, step, name)),
        ),
        question(
            "nested-pose",
            "Where in the world is the lantern on the wall of the storage room, how large is its collider, on which layer is it?",
            Project::Unity,
            || {
                let object = "Storage Room/Wall Lantern";
                let arguments = json!({ "scenePath": CELLAR, "gameObjectPath": object, "types": ["CapsuleCollider"], "fields": ["m_Radius", "m_Height"] });
                vec![read("scene_components_list", arguments)]
            },
            nested_pose,
        ),
        question(
            "dead-buttons",
            "Which buttons do nothing when they are clicked, because their target is gone?",
            Project::UnityAfter(|files| {
                let call = files.text(MAIN)?;
                let target = call.split("m_Calls:\n      - m_Target: ").nth(1);
                let target = target.and_then(|rest| rest.lines().next()).context("no button")?;
                files
                    .replace(
                        MAIN,
                        &format!("      - m_Target: {target}"),
                        "      - m_Target: {fileID: 0}",
                    )
                    .map(drop)
            }),
            || {
                let gone = json!({ "field": "m_OnClick.m_PersistentCalls.m_Calls[0].m_Target", "op": "isNull" });
                vec![read("scene_query", json!({ "componentType": "Button", "where": [gone] }))]
            },
            |done| {
                let told = texts(list(done.data(0), "matches")?, "objectPath");
                same("buttons", told, vec!["UI/Start Button".to_owned()])
            },
        ),
        question(
            "unused-over-1-mb",
            "Which assets of more than a megabyte does nothing use?",
            Project::UnityAfter(|files| {
                for (name, digit, bytes) in [("Big", 'a', 1_500_000), ("Small", 'b', 900_000)] {
                    let path = format!("Assets/{name}.png");
                    files.write(&path, [b"\x89PNG\r\n".to_vec(), vec![b't'; bytes]].concat())?;
                    let guid = digit.to_string().repeat(32);
                    let meta = format!(
                        "fileFormatVersion: 2\nguid: {guid}\nTextureImporter:\n  userData: \n"
                    );
                    files.write(&format!("{path}.meta"), meta)?;
                }
                Ok(())
            }),
            || vec![find("unused assets by size"), read("asset_unused", json!({}))],
            |done| {
                let unused = list(done.data(1), "unused")?;
                let is_large = |asset: &&Value| asset["sizeBytes"].as_u64() > Some(1_000_000);
                let large: Vec<Value> = unused.iter().filter(is_large).cloned().collect();
                same("assets", texts(&large, "path"), vec!["Assets/Big.png".to_owned()])
            },
        ),
    ]
}

const USED: [&str; 3] = ["Behaviour3.cs", "Material41.mat", "Texture15.png"];

fn overview(done: &Done<'_>) -> Result<()> {
    let files = done.files;
    let built = files.text("ProjectSettings/EditorBuildSettings.asset")?;
    let built: Vec<&str> =
        built.lines().filter_map(|line| line.trim().strip_prefix("path: ")).collect();
    let mut scenes = list(done.of_batch(0, 1), "scenes")?.clone();
    scenes.sort_by_key(|scene| scene["buildIndex"].as_u64());
    same(
        "build scenes",
        texts(&scenes, "path"),
        built.iter().map(|path| (*path).to_owned()).collect(),
    )?;
    let settings = files.text("ProjectSettings/ProjectSettings.asset")?;
    let name = settings.lines().find_map(|line| line.trim().strip_prefix("productName: "));
    same("name", done.of_batch(0, 0)["productName"].as_str(), name)?;
    let prefabs = files.all()?.keys().filter(|path| path.ends_with(".prefab")).count();
    same("prefabs", done.of_batch(0, 2)["summary"]["prefabCount"].as_u64(), Some(prefabs as u64))?;
    let content = done.of_batch(0, 3)["content"].as_str();
    same("packages", content, Some(&files.text("Packages/manifest.json")?))
}

/// The files that say the guid of an asset, besides its own meta.
fn users(files: &Files, asset: &str) -> Result<BTreeSet<String>> {
    let guid = files.guid(asset)?;
    let own = format!("{asset}.meta");
    let users = files.with_text(&guid)?.into_keys().filter(|path| *path != own);
    Ok(users.map(|path| path.trim_end_matches(".meta").to_owned()).collect())
}

fn uses(done: &Done<'_>, step: usize, name: &str) -> Result<()> {
    let told = texts(list(done.data(step), "usages")?, "path");
    same(name, told.into_iter().collect(), users(done.files, &format!("{SET}/{name}"))?)
}

/// The instance, the prefab in it and their overrides, added up by hand: nothing there is turned or
/// scaled but the lantern itself.
fn nested_pose(done: &Done<'_>) -> Result<()> {
    let data = done.data(0);
    let files = done.files;
    let place = |path: &str, name: &str, axis: char| -> Result<f64> {
        let instance = files.object(path, &["PrefabInstance:", &format!("value: {name}\n")])?;
        let value =
            instance.split(&format!("propertyPath: m_LocalPosition.{axis}\n      value: ")).nth(1);
        let value = value.and_then(|rest| rest.lines().next()).context("no position")?;
        Ok(value.trim().parse()?)
    };
    for (at, axis) in "xyz".chars().enumerate() {
        let room = place(CELLAR, "Storage Room", axis)?;
        let lantern = place("Assets/Prefabs/Room.prefab", "Wall Lantern", axis)?;
        let told = data["world"]["position"][at].as_f64().context("no world position")?;
        ensure!((told - room - lantern).abs() < 1e-4, "{axis} is {told}, not {}", room + lantern);
    }
    let collider = files.object("Assets/Prefabs/Lantern.prefab", &["\nCapsuleCollider:"])?;
    let fields = list(&data["components"][0], "serializedFields")?;
    for name in ["m_Radius", "m_Height"] {
        let field =
            fields.iter().find(|field| field["name"] == name).context("a field is missing")?;
        ensure!(collider.contains(&format!("  {name}: {}\n", field["value"])), "{field}");
    }
    let tags = files.text("ProjectSettings/TagManager.asset")?;
    let layers = tags.split("  layers:\n").nth(1).context("no layers")?;
    let object = files.object("Assets/Prefabs/Lantern.prefab", &["m_Name: Lantern\n"])?;
    let layer = object.split("m_Layer: ").nth(1).and_then(|rest| rest.lines().next());
    let layer: usize = layer.context("no layer")?.parse()?;
    let layer = layers.lines().nth(layer).map(|line| line.trim_start_matches("  - "));
    same("layer", data["layer"].as_str(), layer)
}

fn others() -> Vec<Task> {
    let question = |name, words, project, steps, told| {
        task::question(Kind::Other, name, words, project, steps, told)
    };
    vec![
        question(
            "missing-by-cause",
            "What is behind all the broken references?",
            Project::SynthUnityAfter(|files| {
                files.remove(&format!("{SET}/{LOST}.meta"))?;
                files.remove(&format!("{SET}/{LOST}"))
            }),
            || vec![read("project_references_missing", json!({}))],
            |done| {
                let data = done.data(0);
                let causes = list(data, "causes")?;
                same("causes", causes.len(), 1)?;
                let guid = guid_in(&causes[0]["cause"]);
                let users = done.files.with_text(guid)?;
                same("files", causes[0]["files"].as_u64(), Some(users.len() as u64))?;
                let places: usize = users.values().sum();
                same("places", causes[0]["count"].as_u64(), Some(places as u64))
            },
        ),
        question(
            "large-scene-to-its-end",
            "Read the whole hierarchy of the large scene.",
            Project::SynthUnity,
            || vec![read("scene_hierarchy_dump", json!({ "scenePath": LARGE_UNITY })).all_pages()],
            |done| {
                let paths = walk::unity_paths(&done.files.text(LARGE_UNITY)?)?;
                same("objects in the file", paths.len() as u64, LARGE_OBJECTS)?;
                walk::each_once(done.pages(0), "rootObjects", &paths)
            },
        ),
        question(
            "fields-of-a-component",
            "How bright is the flame of the altar lantern, and what colour has it?",
            Project::Unity,
            || {
                let arguments = json!({ "scenePath": MAIN, "gameObjectPath": "Lanterns/Altar Lantern/Flame", "types": ["Light"], "fields": ["intensity", "color"] });
                vec![read("scene_components_list", arguments)]
            },
            |done| {
                let fields = list(&done.data(0)["components"][0], "serializedFields")?;
                same("fields", texts(fields, "name").len(), 2)?;
                let value = |name: &str| fields.iter().find(|field| field["name"] == name);
                let light = done.files.object("Assets/Prefabs/Lantern.prefab", &["\nLight:"])?;
                let intensity = value("m_Intensity").context("no intensity")?;
                ensure!(
                    light.contains(&format!("  m_Intensity: {}\n", intensity["value"])),
                    "{intensity}"
                );
                // The variant has another colour.
                let variant = done.files.text("Assets/Prefabs/GoldenLantern.prefab")?;
                let colour = value("m_Color").context("no colour")?;
                let green =
                    format!("propertyPath: m_Color.g\n      value: {}\n", colour["value"]["g"]);
                ensure!(variant.contains(&green), "{colour}");
                Ok(())
            },
        ),
        question(
            "query-by-value",
            "Which lanterns start unlit?",
            Project::Unity,
            || {
                let unlit = json!({ "field": "startsLit", "op": "equals", "value": false });
                vec![read(
                    "scene_query",
                    json!({ "componentType": "LanternFlicker", "where": [unlit], "includeInstances": false }),
                )]
            },
            |done| {
                let told = texts(list(done.data(0), "matches")?, "assetPath");
                let told: BTreeSet<String> = told.into_iter().collect();
                let off = done.files.with_text("propertyPath: startsLit\n      value: 0\n")?;
                same("files", told, off.into_keys().collect())
            },
        ),
        question(
            "a-path-slightly-wrong",
            "What is on the object 'Lantern/Gate Latern'? (It is spelt otherwise.)",
            Project::Unity,
            || {
                let wrong = json!({ "scenePath": MAIN, "gameObjectPath": "Lanterns/Gate Latern", "maxFields": 0 });
                vec![read("scene_components_list", wrong)]
            },
            |done| {
                same(
                    "object",
                    done.data(0)["gameObjectPath"].as_str(),
                    Some("Lanterns/Gate Lantern"),
                )?;
                ensure!(done.text(0).contains("Gate Latern"), "the mistake is not told");
                Ok(())
            },
        ),
        question(
            "a-field-misspelt",
            "Which lights have an intensity over 1? (The field is misspelt at first.)",
            Project::Unity,
            || {
                let bright = |field: &str| json!({ "componentType": "Light", "includeInstances": false, "where": [{ "field": field, "op": "greater", "value": 1 }] });
                let again = read("scene_query", Value::Null).with(|done| {
                    let (_, better) = done.text(0).split_once("did you mean ").context("no better name")?;
                    let better: String = better.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    Ok(json!({ "componentType": "Light", "includeInstances": false, "where": [{ "field": better, "op": "greater", "value": 1 }] }))
                });
                vec![read("scene_query", bright("m_Intensty")).refused(), again]
            },
            |done| {
                let told: BTreeSet<String> =
                    texts(list(done.data(1), "matches")?, "assetPath").into_iter().collect();
                let mut bright = BTreeSet::new();
                for (path, _) in done.files.with_text("m_Intensity")? {
                    let text = done.files.text(&path)?;
                    // Set by an object itself, or by an override.
                    let text =
                        text.replace("propertyPath: m_Intensity\n      value: ", "m_Intensity: ");
                    let mut values =
                        text.lines().filter_map(|line| line.trim().split_once("m_Intensity: "));
                    let is_bright =
                        |value: &str| value.trim().parse::<f64>().is_ok_and(|value| value > 1.0);
                    if path.starts_with("Assets/") && values.any(|(_, value)| is_bright(value)) {
                        bright.insert(path);
                    }
                }
                same("files", told, bright)
            },
        ),
        question(
            "symbols-of-csharp",
            "Where is SetLit declared, and who calls it?",
            Project::Unity,
            || {
                vec![
                    find("where is a method used"),
                    read("project_searchSymbols", json!({ "name": "SetLit" })),
                ]
            },
            |done| {
                let data = done.data(1);
                let mut places = texts(list(data, "definitions")?, "place");
                places.extend(texts(list(data, "uses")?, "place"));
                let told: BTreeSet<String> = places.into_iter().collect();
                same(
                    "places",
                    told,
                    done.files.lines(".cs", "SetLit(", |line, text| line.contains(text))?,
                )
            },
        ),
        question(
            "translations-missing",
            "Which texts lack a German translation?",
            Project::Unity,
            || {
                vec![
                    find("missing translations"),
                    read("localization_coverageReport", json!({ "locales": ["de"] })),
                ]
            },
            |done| {
                let told = texts(list(done.data(1), "missing")?, "key");
                let shared = done.files.text("Assets/Localization/Tables/UI Shared Data.asset")?;
                let german = done.files.text("Assets/Localization/Tables/UI_de.asset")?;
                let mut missing = Vec::new();
                let mut id = "";
                for line in shared.lines() {
                    id = line.trim().strip_prefix("- m_Id: ").unwrap_or(id);
                    let key = line.trim().strip_prefix("m_Key: ");
                    missing.extend(
                        key.filter(|_| !german.contains(&format!("m_Id: {id}\n")))
                            .map(str::to_owned),
                    );
                }
                same("keys", told, missing)
            },
        ),
        question(
            "mixer-snapshot",
            "How loud is the music in the muffled snapshot?",
            Project::Unity,
            || {
                let arguments = json!({ "mixerPath": "Assets/Audio/MainMixer.mixer", "snapshotName": "Muffled" });
                vec![find("audio mixer snapshot"), read("audio_mixer_snapshot_read", arguments)]
            },
            |done| {
                let groups = list(done.data(1), "groups")?;
                let music =
                    groups.iter().find(|group| group["name"] == "Music").context("no music")?;
                let mixer = "Assets/Audio/MainMixer.mixer";
                let group =
                    done.files.object(mixer, &["AudioMixerGroupController:", "m_Name: Music\n"])?;
                let id = group.split("m_Volume: ").nth(1).and_then(|rest| rest.lines().next());
                let snapshot = done
                    .files
                    .object(mixer, &["AudioMixerSnapshotController:", "m_Name: Muffled\n"])?;
                let value = snapshot.split(&format!("{}: ", id.context("no volume")?)).nth(1);
                let value = value.and_then(|rest| rest.lines().next()).context("no value")?;
                same("volume", music["volume"].as_f64(), value.trim().parse().ok())
            },
        ),
        question(
            "world-inspected",
            "In the running world: what is in the middle of the screen, and where is that in the hierarchy?",
            Project::Unity,
            || {
                let middle = json!({ "mode": "world", "x": 0.5, "y": 0.5, "normalized": true });
                let object = read("explorer_getObject", Value::Null)
                    .with(|done| Ok(json!({ "id": done.data(0)["Id"] })));
                vec![read("explorer_mousePick", middle), object]
            },
            |done| {
                let path = done.data(1)["Path"].as_str().context("nothing was picked")?;
                let name = path.rsplit('/').next().unwrap_or_default();
                let text = done.files.text(MAIN)?;
                let is_there = text.contains(&format!("m_Name: {name}\n"))
                    || text.contains(&format!("value: {name}\n"));
                ensure!(is_there && done.data(0)["Hit"] == true, "{}", shortened(done.data(1)));
                Ok(())
            },
        ),
    ]
}

/// The guid in a sentence; what no file has where there is none.
fn guid_in(text: &Value) -> &str {
    let words = text.as_str().unwrap_or_default().split(|c: char| !c.is_ascii_alphanumeric());
    let is_guid = |word: &&str| word.len() == 32 && word.bytes().all(|b| b.is_ascii_hexdigit());
    words.into_iter().find(is_guid).unwrap_or("no guid")
}
