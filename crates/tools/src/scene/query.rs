use std::borrow::Cow;
use std::time::Duration;

use globset::GlobBuilder;
use scenewright_contract::{JsonMap, Limits, ToolError};
use scenewright_unity::Guid;
use scenewright_unity::hierarchy::Node;
use scenewright_unity::index::{Asset, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unity::Unity;
use crate::unity::conditions::{Condition, Part};
use crate::unity::objects::Criteria;
use crate::{Cx, Example, Tool, call, files, schema};

pub(crate) const TOOL: Tool = Tool {
    id: "scene.query",
    title: "Query Scenes And Prefabs",
    notes: Some(
        "An object of a prefab counts in the prefab and in every scene that has an instance of it; includeInstances false leaves the latter out.",
    ),
    category: "scene",
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

/// Find objects in all scenes and prefabs of a Unity project by component and by the values of its
/// fields, overrides applied. All criteria must hold, and all conditions on one component.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Class of the component, such as `Light` or a script's class; `GameObject` for the object
    /// itself. Any of them by default.
    component_type: Option<String>,
    /// Conditions on the fields of that component.
    #[serde(default)]
    r#where: Vec<Condition>,
    /// Name of the object with `*` and `?`, whatever the case.
    name_pattern: Option<String>,
    /// The object has this tag.
    tag: Option<String>,
    /// The object is on this layer, as an index.
    #[schemars(range(min = 0, max = 31))]
    layer: Option<u32>,
    /// Globs over the paths of scenes and prefabs; without a `/`, over their names.
    #[serde(default = "own_assets")]
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
    #[schemars(range(min = 1, max = 1000))]
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
        globs.iter().any(|glob| glob.is_match(&path))
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
    let guard = cx.time_guard();
    let mut search = Search {
        unity: &unity,
        criteria: Criteria {
            // The name stands for the path: a matcher is made once, a pattern for each object.
            path: name,
            tag: input.tag.clone(),
            layer: input.layer,
            ..Criteria::default()
        },
        input: &input,
        found: Vec::new(),
        total: 0,
    };
    let (mut searched, mut unreadable, mut stopped) = (0, Vec::new(), false);
    for (done, file) in files.iter().enumerate() {
        cx.check_cancelled()?;
        cx.progress(done as f64, Some(files.len() as f64), "files searched");
        let Some(hierarchy) = file.guid().and_then(|guid| unity.expander.expand(guid).ok()) else {
            unreadable.push(file.path());
            continue;
        };
        let (path, mut nodes) = (file.path(), hierarchy.objects());
        while let Some(node) = nodes.next() {
            cx.check_cancelled()?;
            stopped = guard.expired();
            if stopped {
                break;
            }
            search.object(&path, hierarchy.guid(), &node, || nodes.path());
        }
        if stopped {
            guard.report(cx, done, Some(files.len()));
            break;
        }
        searched += 1;
    }
    if !unreadable.is_empty() {
        let names = unreadable.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let count = unreadable.len();
        cx.diagnose(format!("{count} files have no meta or no readable text, such as {names}"));
    }
    let truncated = stopped || search.total > search.found.len();
    Ok(Output { matches: search.found, total_matches: search.total, searched, truncated })
}

struct Search<'a> {
    unity: &'a Unity<'a>,
    criteria: Criteria,
    input: &'a Input,
    found: Vec<Match>,
    total: usize,
}

impl Search<'_> {
    /// Adds what matches on one object of `file`.
    fn object(
        &mut self,
        asset: &str,
        file: Guid,
        node: &Node<'_>,
        mut path: impl FnMut() -> String,
    ) {
        if !self.criteria.meet(self.unity, node, &node.name()) {
            return;
        }
        let wanted = self.input.component_type.as_deref().map(short);
        let is_wanted = |name: &str| wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(name));
        if is_wanted("GameObject") {
            self.part(asset, file, &Part::Object(node), "GameObject".into(), &mut path);
        }
        if wanted.is_none() && self.input.r#where.is_empty() {
            return;
        }
        for component in node.components() {
            let name = self.unity.component_name(&component);
            if is_wanted(&name) {
                self.part(asset, file, &Part::Component(&component), name.into(), &mut path);
            }
        }
    }

    fn part(
        &mut self,
        asset: &str,
        file: Guid,
        part: &Part<'_, '_>,
        name: Cow<'_, str>,
        path: &mut dyn FnMut() -> String,
    ) {
        let conditions = &self.input.r#where;
        let values: Vec<_> = conditions.iter().map(|asked| part.value(&asked.field)).collect();
        let all = conditions.iter().zip(&values);
        if !all.clone().all(|(asked, value)| asked.holds(self.unity, part, value.as_ref())) {
            return;
        }
        let is_overridden = || values.iter().flatten().any(|v| v.overridden_by == Some(file));
        if !self.input.include_instances && !part.is_in(file) && !is_overridden() {
            return;
        }
        self.total += 1;
        if self.found.len() >= self.input.max_results {
            return;
        }
        let shown = all.filter_map(|(asked, value)| {
            Some((asked.field.clone(), self.unity.shown_value(value.as_ref()?, 0).1))
        });
        let values = shown.collect();
        self.found.push(Match {
            asset_path: asset.to_owned(),
            object_path: path(),
            component: name.into_owned(),
            values,
        });
    }
}

fn short(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use crate::testing::call_sample;
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

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
            expect![[r##"
                1 in 1
                Assets/Prefabs/Lantern.prefab Lantern: LanternFlicker {"flameLight":"#8251994606675419957"}
            "##]],
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
