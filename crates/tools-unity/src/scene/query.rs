//! The tool `scene.query`: Query Scenes And Prefabs.

mod fields;

use std::time::Duration;

use globset::GlobBuilder;
use rayon::prelude::*;
use scenewright_contract::{JsonMap, Limits, ToolError};
use scenewright_toolkit::cx::weight;
use scenewright_toolkit::{Cx, Example, TimeGuard, Tool, call, files, schema};
use scenewright_unity::Guid;
use scenewright_unity::hierarchy::Node;
use scenewright_unity::index::{Asset, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::conditions::{Condition, Part};
use crate::base::objects::{Criteria, Unseen, cut_short};
use crate::base::{self, InUnity, Unity};
use fields::Seen;

pub(crate) const TOOL: Tool = Tool {
    id: "scene.query",
    keywords: "which have field value above below greater less than intensity in all scenes rigidbody rigidbodies camera light collider canvas audio source every filter objects by component and property missing reference condition across project contain onclick button event empty trigger find lights cameras buttons colliders enemy has",
    title: "Query Scenes And Prefabs",
    notes: Some(
        "An object of a prefab counts in the prefab and in every scene that has an instance of it; includeInstances false leaves the latter out.",
    ),
    category: "scene",
    lean: true,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(1000),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find the lanterns of the Unity sample that start unlit",
        input: r#"{ "componentType": "LanternFlicker", "where": [{ "field": "startsLit", "op": "equals", "value": "false" }] }"#,
        output: r#"{
            "matches": [
                { "assetPath": "Assets/Prefabs/Room.prefab", "objectPath": "Room/GoldenLantern", "component": "LanternFlicker", "values": { "startsLit": 0 } },
                { "assetPath": "Assets/Scenes/Cellar.unity", "objectPath": "Storage Room/GoldenLantern", "component": "LanternFlicker", "values": { "startsLit": 0 } },
                { "assetPath": "Assets/Scenes/Main.unity", "objectPath": "Lanterns/Gate Lantern", "component": "LanternFlicker", "values": { "startsLit": 0 } }
            ],
            "totalMatches": 3,
            "searched": 5,
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find GameObjects in all scenes and prefabs by component, field values, name, tag or layer, overrides
/// applied. All must hold, conditions of one component.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// `Light` or a script's class; `GameObject` for the object itself.
    component_type: Option<String>,
    /// On its fields.
    #[serde(default)]
    r#where: Vec<Condition>,
    /// With `*` and `?`, whatever the case.
    name_pattern: Option<String>,
    /// Tag.
    tag: Option<String>,
    /// The object is on this layer, as an index.
    #[schemars(range(min = 0, max = 31))]
    layer: Option<u32>,
    /// Globs of scenes and prefabs; without a `/`, of their names.
    #[serde(default = "own_assets")]
    #[schemars(length(max = 100))]
    paths: Vec<String>,
    /// Whether to search prefabs and not only scenes.
    #[serde(default = "yes")]
    include_prefabs: bool,
    /// Whether objects count that a file merely has from a prefab. If not, its own objects count,
    /// components that it adds, and those where it overrides a field of a condition.
    #[serde(default = "yes")]
    include_instances: bool,
    /// How many matches to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn own_assets() -> Vec<String> {
    vec!["Assets/**".to_owned()]
}

fn yes() -> bool {
    true
}

fn most() -> usize {
    100
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The matches, by file and then in the order of the hierarchy.
    matches: Vec<Match>,
    /// How many there are in what was searched.
    total_matches: usize,
    /// How many scenes and prefabs were searched.
    searched: usize,
    /// Whether there are more matches than were returned, or the time guard ended the search.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Match {
    /// The scene or prefab.
    asset_path: String,
    /// The object in its hierarchy.
    object_path: String,
    /// Class of the component that matched; `GameObject` for the object itself.
    component: String,
    /// The fields of the conditions with their effective values; references by path or guid.
    values: JsonMap,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    input.r#where.iter().try_for_each(Condition::check)?;
    let globs: Result<Vec<_>, _> = input.paths.iter().map(|glob| files::glob(glob)).collect();
    let globs = globs?;
    let is_asked = |asset: &Asset<'_>| {
        let path = asset.path();
        !cx.cancel().is_cancelled() && globs.iter().any(|glob| glob.is_match(&path))
    };
    let name = input.name_pattern.as_deref().map(|pattern| {
        GlobBuilder::new(pattern)
            .case_insensitive(true)
            .build()
            .map(|glob| glob.compile_matcher())
            .map_err(|error| ToolError::bad_argument("namePattern", &error.to_string()))
    });
    let name = name.transpose()?;
    let unity = cx.unity(input.project.as_deref())?;
    let is_searched = |asset: &Asset<'_>| match asset.kind() {
        AssetKind::Scene => is_asked(asset),
        AssetKind::Prefab => input.include_prefabs && is_asked(asset),
        _ => false,
    };
    let files: Vec<_> = unity.index.assets().filter(is_searched).collect();
    // The name stands for the path: a matcher is made once, a pattern for each object.
    let criteria =
        Criteria { path: name, tag: input.tag.clone(), layer: input.layer, ..Criteria::default() };
    let guard = cx.time_guard();
    let seen = Seen::new(input.r#where.len());
    let search = Search { cx, unity: &unity, guard: &guard, criteria, input: &input, seen };
    let mut output =
        Output { matches: Vec::new(), total_matches: 0, searched: 0, truncated: false };
    let (mut unreadable, mut unseen, mut is_cut) = (Vec::new(), Unseen::default(), false);
    for (number, some) in files.chunks(CHUNK).enumerate() {
        cx.check_cancelled()?;
        cx.progress((number * CHUNK) as f64, Some(files.len() as f64), "files searched");
        let room = input.max_results - output.matches.len();
        let found: Vec<Found> = some.par_iter().map(|file| search.file(*file, room)).collect();
        for found in found {
            output.total_matches += found.total;
            unseen.add(found.unseen);
            is_cut |= found.is_cut;
            output.searched += usize::from(found.end == End::Searched);
            output.truncated |= found.end == End::Stopped;
            let room = input.max_results - output.matches.len();
            output.matches.extend(found.matches.into_iter().take(room));
            if let End::Unreadable(why) = found.end {
                unreadable.push(why);
            }
        }
        if output.truncated {
            guard.report(cx, output.searched, Some(files.len()));
            break;
        }
    }
    cx.check_cancelled()?;
    base::report_unreadable(cx, &unreadable);
    unseen.report(cx);
    if is_cut {
        output.truncated = true;
        cx.diagnose(cut_short());
    }
    output.truncated |= output.total_matches > output.matches.len();
    if output.total_matches == 0 && !output.truncated {
        search.explain_none(&files)?;
    }
    Ok(output)
}

/// What stands for the object itself among its components.
const OBJECT: &str = "GameObject";

/// How many files are searched at a time; bounds how many matches wait to be counted.
const CHUNK: usize = 64;

struct Search<'a> {
    cx: &'a Cx,
    unity: &'a Unity<'a>,
    guard: &'a TimeGuard,
    criteria: Criteria,
    input: &'a Input,
    seen: Seen,
}

/// What one file has.
struct Found {
    matches: Vec<Match>,
    total: usize,
    unseen: Unseen,
    /// There are more objects than are looked at.
    is_cut: bool,
    end: End,
}

#[derive(PartialEq)]
enum End {
    Searched,
    /// The time was over, or nobody waits any more.
    Stopped,
    /// Which file, and why.
    Unreadable(String),
}

/// An object, and the file that is searched.
struct Place<'a, 'h> {
    asset: &'a str,
    file: Guid,
    node: &'a Node<'h>,
    path: &'a mut dyn FnMut() -> String,
}

impl Search<'_> {
    /// The matches of one file, at most `room`.
    fn file(&self, asset: Asset<'_>, room: usize) -> Found {
        let (matches, unseen) = Default::default();
        let mut found = Found { matches, total: 0, unseen, is_cut: false, end: End::Searched };
        let hierarchy = match self.unity.expand(asset) {
            Ok(hierarchy) => hierarchy,
            Err(why) => return Found { end: End::Unreadable(why), ..found },
        };
        let (asset, file) = (asset.path(), hierarchy.guid());
        let mut nodes = hierarchy.objects();
        while let Some(node) = nodes.next() {
            if self.guard.expired() || self.cx.cancel().is_cancelled() {
                found.end = End::Stopped;
                break;
            }
            found.unseen.note(&node, || format!("{asset}: {}", nodes.path()));
            let path = &mut || nodes.path();
            let mut place = Place { asset: &asset, file, node: &node, path };
            self.object(&mut place, room, &mut found);
        }
        found.is_cut = nodes.is_cut();
        found
    }

    /// Adds what matches on one object.
    fn object(&self, place: &mut Place<'_, '_>, room: usize, found: &mut Found) {
        let node = place.node;
        if !self.criteria.meet(self.unity, node, &node.name()) {
            return;
        }
        if self.is_wanted(OBJECT) {
            self.part(place, &Part::Object(node), room, found);
        }
        let is_any = self.input.component_type.is_none();
        if is_any && self.input.r#where.is_empty() {
            return;
        }
        for component in node.components() {
            // To find out the class takes time, and a match is rare.
            if is_any || self.is_wanted(&self.unity.component_name(&component)) {
                self.part(place, &Part::Component(&component), room, found);
            }
        }
    }

    fn is_wanted(&self, class: &str) -> bool {
        let wanted = self.input.component_type.as_deref().map(short);
        wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(class))
    }

    /// What was asked for that cannot be.
    fn explain_none(&self, files: &[Asset<'_>]) -> Result<(), ToolError> {
        let class = self.input.component_type.as_deref();
        if let Some(class) = class.filter(|class| !short(class).eq_ignore_ascii_case(OBJECT)) {
            self.unity.explain_class(self.cx, class)?;
        }
        self.unity.explain_none(self.cx, &self.criteria)?;
        self.check_fields(files)
    }

    fn part(&self, place: &mut Place<'_, '_>, part: &Part<'_, '_>, room: usize, found: &mut Found) {
        self.note_fields(part);
        let conditions = &self.input.r#where;
        let mut values = Vec::with_capacity(conditions.len());
        for asked in conditions {
            let value = asked.value(part);
            if !asked.holds(self.unity, part, value.as_ref()) {
                return;
            }
            values.push(value);
        }
        let file = place.file;
        let is_overridden = || values.iter().flatten().any(|v| v.overridden_by == Some(file));
        if !self.input.include_instances && !part.is_in(file) && !is_overridden() {
            return;
        }
        found.total += 1;
        if found.matches.len() >= room || self.cx.is_full() {
            return;
        }
        let component = match part {
            Part::Object(_) => None,
            Part::Component(component) => Some(*component),
        };
        let shown = conditions.iter().zip(&values).filter_map(|(asked, value)| {
            Some((asked.field.clone(), self.unity.shown_value(component, value.as_ref()?, 0).1))
        });
        let found_here = Match {
            asset_path: place.asset.to_owned(),
            object_path: (place.path)(),
            component: match component {
                None => OBJECT.to_owned(),
                Some(component) => self.unity.component_name(component).into_owned(),
            },
            values: shown.collect(),
        };
        let Match { asset_path, object_path, values, .. } = &found_here;
        let weight = values.values().map(weight).sum::<usize>();
        if self.cx.keep(asset_path.len() + object_path.len() + weight + 64) {
            found.matches.push(found_here);
        }
    }
}

fn short(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

    fn check(arguments: Value, expected: Expect) {
        let output = call_sample(super::TOOL.id, arguments).unwrap().output;
        let mut shown = format!("{} in {}\n", output["totalMatches"], output["searched"]);
        for found in output["matches"].as_array().unwrap() {
            let text = |key: &str| found[key].as_str().unwrap();
            let (file, object) = (text("assetPath"), text("objectPath"));
            shown += &format!("{file} {object}: {} {}\n", text("component"), found["values"]);
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn overrides_count_in_each_file() {
        let unlit = json!([{ "field": "startsLit", "op": "equals", "value": false }]);
        check(
            json!({ "componentType": "LanternFlicker", "where": unlit }),
            expect![[r#"
                3 in 5
                Assets/Prefabs/Room.prefab Room/GoldenLantern: LanternFlicker {"startsLit":0}
                Assets/Scenes/Cellar.unity Storage Room/GoldenLantern: LanternFlicker {"startsLit":0}
                Assets/Scenes/Main.unity Lanterns/Gate Lantern: LanternFlicker {"startsLit":0}
            "#]],
        );
        let own = json!({
            "componentType": "LanternKeep.LanternFlicker", "where": unlit, "includeInstances": false
        });
        check(
            own,
            expect![[r#"
                2 in 5
                Assets/Prefabs/Room.prefab Room/GoldenLantern: LanternFlicker {"startsLit":0}
                Assets/Scenes/Main.unity Lanterns/Gate Lantern: LanternFlicker {"startsLit":0}
            "#]],
        );
    }

    #[test]
    fn fields_may_have_their_names_of_csharp() {
        let both = |field: &str| {
            let conditions = json!([{ "field": field, "op": "greater", "value": 2 }]);
            let asked = json!({ "componentType": "Light", "where": conditions });
            call_sample(super::TOOL.id, asked).unwrap().output["totalMatches"].clone()
        };
        assert_eq!((both("intensity"), both("m_Intensity")), (json!(1), json!(1)));
        let off = json!([{ "field": "active", "op": "equals", "value": false }]);
        let asked = json!({ "componentType": "GameObject", "where": off });
        assert!(
            call_sample(super::TOOL.id, asked).unwrap().output["totalMatches"].as_u64() > Some(0)
        );
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let bright = json!([
            { "field": "m_Intensity", "op": "greater", "value": 2 },
            { "field": "m_Color.r", "op": "less", "value": "1.5" },
        ]);
        check(
            json!({ "where": bright, "paths": ["Assets/Scenes/*"] }),
            expect![[r#"
                1 in 2
                Assets/Scenes/Cellar.unity Storage Room/GoldenLantern/Flame: Light {"m_Intensity":2.5,"m_Color.r":1}
            "#]],
        );
    }

    #[test]
    fn references_are_found_by_what_they_mean() {
        let flame = json!([
            { "field": "m_Materials", "op": "refersTo", "value": "Assets/Materials/Flame.mat" }
        ]);
        check(
            json!({ "where": flame, "includeInstances": false }),
            expect![[r#"
                4 in 5
                Assets/Prefabs/GoldenLantern.prefab GoldenLantern: MeshRenderer {"m_Materials":["Assets/Materials/Flame.mat#2100000"]}
                Assets/Prefabs/GoldenLantern.prefab GoldenLantern/Gilded Ring: MeshRenderer {"m_Materials":["Assets/Materials/Flame.mat#2100000"]}
                Assets/Prefabs/Lantern.prefab Lantern/Flame: MeshRenderer {"m_Materials":["Assets/Materials/Flame.mat#2100000"]}
                Assets/Prefabs/Room.prefab Room/Key: MeshRenderer {"m_Materials":["Assets/Materials/Flame.mat#2100000"]}
            "#]],
        );
        let light = json!([{ "field": "flameLight", "op": "refersTo", "value": "Lantern/Flame" }]);
        check(
            json!({ "where": light, "paths": ["**/Lantern.prefab"] }),
            expect![[r#"
                1 in 1
                Assets/Prefabs/Lantern.prefab Lantern: LanternFlicker {"flameLight":"Lantern/Flame:Light"}
            "#]],
        );
        let none = json!([{ "field": "m_audioClip", "op": "isNull" }]);
        check(
            json!({ "where": none, "includePrefabs": false }),
            expect![[r#"
                1 in 2
                Assets/Scenes/Cellar.unity Drip Sound: AudioSource {"m_audioClip":null}
            "#]],
        );
    }

    #[test]
    fn objects_alone_are_found_too() {
        check(
            json!({ "tag": "Player" }),
            expect![[r#"
                1 in 5
                Assets/Scenes/Main.unity Player: GameObject {}
            "#]],
        );
        check(
            json!({ "namePattern": "*stone*", "where": [{ "field": "m_Layer", "op": "exists" }] }),
            expect![[r#"
                1 in 5
                Assets/Scenes/Cellar.unity Rune Stone ᚠ: GameObject {"m_Layer":6}
            "#]],
        );
    }

    #[test]
    fn a_class_tag_or_field_that_there_is_not_is_refused() {
        let field = |field: &str| json!([{ "field": field, "op": "exists" }]);
        let asked = [
            json!({ "componentType": "Lihgt" }),
            json!({ "componentType": "Material" }),
            json!({ "tag": "Playr" }),
            json!({ "componentType": "Light", "where": field("m_Typo") }),
            json!({ "componentType": "Light", "where": field("m_Color.q") }),
            json!({ "componentType": "LanternFlicker", "where": field("startLit") }),
            json!({ "where": field("m_Intensty") }),
        ];
        let refused = asked.map(|arguments| {
            let error = call_sample(super::TOOL.id, arguments).unwrap_err();
            let problem = error.message.replace("Invalid tool arguments: ", "");
            format!("{problem}; {}\n", error.hint.unwrap_or_default())
        });
        expect![[r#"
            componentType is 'Lihgt', and no class is called that; did you mean Light?
            componentType is Material, and no component is of that class; 
            tag is 'Playr', and the project has no such tag; did you mean Player?
            where names 'm_Typo', and no Light has such a field; did you mean m_Type?
            where names 'm_Color.q', and no Light has such a field; did you mean m_Color?
            where names 'startLit', and no LanternFlicker has such a field; did you mean startsLit?
            where names 'm_Intensty', and no component has such a field; did you mean m_Intensity?
        "#]]
        .assert_eq(&refused.concat());
    }

    #[test]
    fn what_is_known_and_nowhere_is_simply_not_found() {
        let told = |arguments: Value| {
            let outcome = call_sample(super::TOOL.id, arguments).unwrap();
            assert_eq!(outcome.output["totalMatches"], 0);
            outcome.diagnostics.join("\n")
        };
        let nothing = [
            json!({ "componentType": "Terrain" }),
            json!({ "componentType": "UnityEngine.UI.Slider" }),
            json!({ "tag": "Respawn" }),
            json!({ "componentType": "MeshRenderer", "where": [{ "field": "m_Materials.Array.data[90]", "op": "exists" }] }),
            json!({ "componentType": "Terrain", "where": [{ "field": "m_TerrainData", "op": "exists" }] }),
        ];
        nothing.into_iter().for_each(|arguments| assert_eq!(told(arguments), ""));
        expect!["Components count that are a Collider themselves; ask for what derives from it, such as MeshCollider, BoxCollider, SphereCollider, CapsuleCollider, RaycastCollider, CharacterController, WheelCollider, TerrainCollider."].assert_eq(&told(json!({ "componentType": "Collider" })));
        expect!["Layer 30 has no name in this project; those with one are 0 Default, 1 TransparentFX, 2 Ignore Raycast, 4 Water, 5 UI, 6 Interactable, 7 Ground."].assert_eq(&told(json!({ "layer": 30 })));
    }

    #[test]
    fn a_class_that_may_be_in_an_absent_package_is_not_refused() {
        let project = "//- Packages/manifest.json\n{ \"dependencies\": { \"com.vendor.parts\": \"1.0.0\" } }\n";
        let asked = json!({ "componentType": "Lihgt", "tag": "Playr" });
        let told = call_project(project, super::TOOL.id, asked).unwrap().diagnostics;
        expect![[r#"
            No class called 'Lihgt' is known here; did you mean Light? Whether there is one cannot be known: it may be in com.vendor.parts, which is not here.
            Whether there is a tag 'Playr' cannot be known here: ProjectSettings/TagManager.asset cannot be read."#]].assert_eq(&told.join("\n"));
    }

    #[test]
    fn conditions_must_make_sense() {
        let error = |condition: Value| {
            let arguments = json!({ "where": [condition] });
            call_sample(super::TOOL.id, arguments).unwrap_err().message
        };
        let less = error(json!({ "field": "speed", "op": "less", "value": "fast" }));
        assert_eq!(less, "Invalid tool arguments: where the condition on speed needs a number");
        let equals = error(json!({ "field": "speed", "op": "equals" }));
        assert_eq!(equals, "Invalid tool arguments: where the condition on speed needs a value");
        assert!(call_sample(super::TOOL.id, json!({ "paths": ["Assets/{a"] })).is_err());
    }
}
