//! The tool `prefab.create`: Create Prefab.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::assets::NewFiles;
use crate::base::editing::{Opened, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.create",
    title: "Create Prefab",
    keywords: "new prefab from object save gameobject as prefab make reusable convert scene object turn template asset",
    notes: Some(
        "What outside refers to inside stays, and what inside refers to outside becomes an override of the instance, as in the editor.",
    ),
    category: "prefab",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a prefab of the player of the Unity sample",
        input: r#"{ "hierarchyPath": "Player", "prefabPath": "Assets/Prefabs/Player.prefab" }"#,
        output: r#"{ "success": true, "prefabPath": "Assets/Prefabs/Player.prefab", "guid": "", "hierarchyPath": "Player", "dryRun": false, "filesChanged": 3, "changes": [] }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a prefab of a GameObject with all in it; the object becomes an instance of the prefab.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab that has the object; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object.
    hierarchy_path: String,
    /// Where the prefab comes, such as `Assets/Prefabs/Player.prefab`.
    prefab_path: String,
    /// False leaves the object as it is.
    #[serde(default = "yes")]
    replace: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The prefab.
    prefab_path: String,
    /// Its guid.
    guid: String,
    /// The object, which is an instance of it now.
    hierarchy_path: String,
    /// What else is to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn yes() -> bool {
    true
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let scene = unity.active_scene(input.scene_path)?;
    let opened = Opened::new(&unity, &scene)?;
    let place = super::prefab_place(&unity, &input.prefab_path)?;
    let mut files = NewFiles::default();
    // The guid is known only with the file, and the instance needs it.
    let guid = files.add(&unity, &place, Vec::new())?.unwrap_or_default();
    let mut editor = opened.editor()?;
    let extracted = editor.extract(&input.hierarchy_path, guid).map_err(refused)?;
    files.add_bare(place.clone(), extracted.prefab);
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    if input.replace {
        plan.write(&opened.path, Some(opened.before()), editor.to_bytes());
    }
    let checked = opened.with_files(&files);
    let written = plan.commit(cx, input.dry_run, |path, bytes| match *path == opened.path {
        true => checked.check(bytes),
        false => Ok(()),
    })?;
    Ok(Output {
        success: true,
        prefab_path: place.to_string(),
        guid: guid.to_string(),
        hierarchy_path: extracted.done.path,
        remarks: extracted.done.remarks,
        written,
    })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::{Folder, sample};
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    fn names(folder: &Folder) -> Vec<String> {
        let arguments =
            json!({ "namePattern": "*", "paths": ["Assets/Scenes/Main.unity"], "maxResults": 500 });
        let output = call_writing(folder, "scene.query", arguments).unwrap().output;
        let matches = output["matches"].as_array().unwrap();
        matches.iter().map(|one| one["objectPath"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_object_becomes_an_instance_and_everything_else_stays() {
        let folder = Folder::copy_of(&sample("unity"));
        let scene = || std::fs::read(folder.path("Assets/Scenes/Main.unity")).unwrap();
        let (before, shown) = (scene(), names(&folder));
        let input =
            json!({ "hierarchyPath": "Player", "prefabPath": "Assets/Prefabs/Player.prefab" });
        let output = call_writing(&folder, "prefab.create", input.clone()).unwrap().output;
        assert_eq!(output["filesChanged"], 3);
        assert_eq!(names(&folder), shown);
        let held = json!({ "scenePath": "Assets/Scenes/Main.unity", "gameObjectPath": "Player", "types": ["PlayerController"], "fields": ["heldLantern"] });
        let output = call_writing(&folder, "scene.components.list", held).unwrap().output;
        let field = &output["components"][0]["serializedFields"][0];
        assert_eq!(field["value"], "Player/Hand/Hand Lantern:LanternFlicker", "{field}");
        let again = call_writing(&folder, "prefab.create", input).unwrap_err();
        assert!(again.message.contains("exists already"), "{again:?}");
        let text = String::from_utf8(scene()).unwrap();
        assert_ne!(text.into_bytes(), before);
        let inside: Value =
            json!({ "hierarchyPath": "Player/Hand", "prefabPath": "Assets/Prefabs/Hand.prefab" });
        let error = call_writing(&folder, "prefab.create", inside).unwrap_err();
        assert!(error.message.contains("part of an instance"), "{error:?}");
    }

    #[test]
    fn what_refers_to_the_outside_becomes_an_override() {
        let folder = Folder::copy_of(&sample("unity"));
        let point = json!({ "path": "Assets/Scenes/Main.unity", "changes": [
            { "op": "set", "object": "Player", "component": "PlayerController", "field": "spawnPoint", "value": "Ground" },
        ]});
        call_writing(&folder, "unity.edit", point).unwrap();
        let input =
            json!({ "hierarchyPath": "Player", "prefabPath": "Assets/Prefabs/Player.prefab" });
        call_writing(&folder, "prefab.create", input).unwrap();
        let prefab = std::fs::read_to_string(folder.path("Assets/Prefabs/Player.prefab")).unwrap();
        assert!(prefab.contains("  spawnPoint: {fileID: 0}\n"));
        let scene = std::fs::read_to_string(folder.path("Assets/Scenes/Main.unity")).unwrap();
        let place = "propertyPath: spawnPoint\n      value: \n      objectReference: {fileID: 1684365706}\n";
        assert!(scene.contains(place));
    }

    /// The class and id of each document, and what it says of prefabs.
    fn documents(text: &str) -> Vec<(&str, i64, &str)> {
        let documents = text.split("--- !u!").skip(1).map(|document| {
            let (head, body) = document.split_once('\n').unwrap();
            let (class, id) = head.trim_end_matches(" stripped").split_once(" &").unwrap();
            (class, id.parse().unwrap(), body)
        });
        documents.collect()
    }

    #[test]
    fn what_a_prefab_calls_its_parts_follows_from_ids_of_the_new_one() {
        let folder = Folder::copy_of(&sample("unity"));
        let room = "Assets/Prefabs/Room.prefab";
        let input = json!({ "scenePath": room, "hierarchyPath": "Room/Key", "prefabPath": "Assets/Prefabs/Key.prefab" });
        call_writing(&folder, "prefab.create", input).unwrap();
        let text = std::fs::read_to_string(folder.path(room)).unwrap();
        let number = |body: &str, key: &str| -> Option<i64> {
            let behind = body.split_once(&format!("\n  {key}: {{fileID: "))?.1;
            behind.split([',', '}']).next()?.parse().ok()
        };
        let mut count = 0;
        for (_, id, body) in documents(&text) {
            let source = number(body, "m_CorrespondingSourceObject").filter(|id| *id != 0);
            let Some(source) = source else { continue };
            let instance = number(body, "m_PrefabInstance").unwrap();
            assert_eq!(id, (instance ^ source) & i64::MAX, "{body}");
            count += 1;
        }
        assert_eq!(count, 5);
    }

    #[test]
    fn a_new_prefab_has_each_object_before_its_components_and_instances_last() {
        let folder = Folder::copy_of(&sample("unity"));
        let input =
            json!({ "hierarchyPath": "Player", "prefabPath": "Assets/Prefabs/Player.prefab" });
        call_writing(&folder, "prefab.create", input).unwrap();
        let text = std::fs::read_to_string(folder.path("Assets/Prefabs/Player.prefab")).unwrap();
        let documents = documents(&text);
        let mut rest = documents.as_slice();
        let mut objects = Vec::new();
        while let Some(((_, id, body), after)) =
            rest.split_first().filter(|((it, ..), _)| *it == "1")
        {
            objects.push(*id);
            let listed =
                body.lines().filter_map(|line| line.strip_prefix("  - component: {fileID: "));
            let listed: Vec<i64> =
                listed.map(|id| id.trim_end_matches('}').parse().unwrap()).collect();
            let (components, after) = after.split_at(listed.len());
            assert_eq!(components.iter().map(|(_, id, _)| *id).collect::<Vec<_>>(), listed);
            rest = after;
        }
        assert!(objects.len() > 1 && objects.is_sorted(), "{objects:?}");
        let classes: Vec<&str> = rest.iter().map(|(class, ..)| *class).collect();
        assert_eq!(classes.first(), Some(&"1001"), "{classes:?}");
    }

    #[test]
    fn references_of_an_instance_that_are_cleared_are_told_by_object_and_field() {
        let folder = Folder::copy_of(&sample("unity"));
        let main = "Assets/Scenes/Main.unity";
        let edit = |change: Value| {
            let input = json!({ "path": main, "changes": [change] });
            call_writing(&folder, "unity.edit", input).unwrap().output
        };
        edit(
            json!({ "op": "set", "object": "Player", "component": "PlayerController", "field": "spawnPoint", "value": "Ground" }),
        );
        let input =
            json!({ "hierarchyPath": "Player", "prefabPath": "Assets/Prefabs/Player.prefab" });
        call_writing(&folder, "prefab.create", input).unwrap();
        let output = edit(json!({ "op": "delete", "object": "Ground" }));
        let told = output["results"][0]["remarks"].to_string();
        assert!(told.contains("Player MonoBehaviour.spawnPoint"), "{output}");
    }
}
