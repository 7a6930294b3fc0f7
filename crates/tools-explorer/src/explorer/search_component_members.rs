//! The tool `explorer.searchComponentMembers`, `SearchComponentMembers` in the Explorer interface.

use std::collections::HashMap;

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::types::{Member, MemberKind};
use scenewright_world::{Told, World};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::{PAGE, Page, Range};
use crate::world::search::Query;
use crate::world::values::kind;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.searchComponentMembers",
    keywords: "field on any component in loaded scenes has variable named",
    explorer: Some("SearchComponentMembers"),
    title: "Search Members",
    category: "explorer",
    examples: &[Example {
        description: "Find members called radius in the Unity sample",
        input: r#"{ "query": "radius", "limit": 1 }"#,
        output: r#"{ "Total": 1, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MemberPlace>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find fields and properties by name over all components of the loaded scenes.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Part of the member's name, in any case.
    query: String,
    /// Part of the full name of the component's class, in any case.
    component_type: Option<String>,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

/// Where a member is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct MemberPlace {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Names from the root on.
    object_path: String,
    /// Full name of the component's class.
    component_type: String,
    /// Its name.
    member: String,
    /// `field` or `property`.
    kind: &'static str,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberPlace>, ToolError> {
    let query = Query::parse(&input.query)?;
    let class = input.component_type.unwrap_or_default().to_lowercase();
    let (offset, limit) = Range { limit: input.limit, offset: input.offset }.bounds(PAGE);
    cx.world(|world| {
        let mut page = Page { total: 0, items: Vec::new() };
        // Most components share their class with many others.
        let mut classes: HashMap<&str, Option<(Vec<Member>, Told<'_>)>> = HashMap::new();
        for object in world.descend(&world.roots()) {
            cx.check_cancelled()?;
            for component in object.components() {
                let Some(type_name) = component.type_name() else { continue };
                let known = classes.entry(type_name).or_insert_with(|| {
                    let is_asked = type_name.to_lowercase().contains(&class);
                    is_asked.then(|| (told(world, type_name, &query), world.told_by(type_name)))
                });
                let Some((known, told)) = known else { continue };
                let mut more = world.untold_members(component.id(), told);
                more.retain(|member| query.is_in(&member.name));
                for member in known.iter().chain(&more) {
                    if page.total >= offset && page.items.len() < limit {
                        page.items.push(MemberPlace {
                            object_id: object.id().to_string(),
                            object_path: world.path(object.id()),
                            component_type: type_name.to_owned(),
                            member: member.name.to_string(),
                            kind: kind(member),
                        });
                    }
                    page.total += 1;
                }
            }
        }
        Ok(page)
    })
}

/// The members that a class tells of and that are asked for; fields first, as in every list.
fn told(world: &World, type_name: &str, query: &Query) -> Vec<Member> {
    let members = world.types().members(type_name).into_iter();
    let mut members: Vec<Member> =
        members.filter(|member| query.is_in(&member.name)).cloned().collect();
    members.sort_by_key(|member| member.kind == MemberKind::Property);
    members
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn names_and_classes_are_parts_in_any_case() {
        let sample = UnitySample::new();
        let search = |given| sample.page(super::TOOL.id, given, "Member");
        expect!["2 of 2: maxHealth, Health"].assert_eq(&search(json!({ "query": "HEALTH" })));
        expect!["5 of 5: radius, radius, radius, radius, radius"]
            .assert_eq(&search(json!({ "query": "radius", "componentType": "capsule" })));
        expect!["0 of 0: "]
            .assert_eq(&search(json!({ "query": "health", "componentType": "Light" })));
        expect!["0 of 0: "].assert_eq(&search(json!({ "query": "größe" })));
        let refuse = sample.refusal(super::TOOL.id, json!({ "query": "\t" }));
        assert_eq!(refuse, "BadArguments: query is required");
    }

    #[test]
    fn it_finds_what_the_lists_of_members_have() {
        let sample = UnitySample::new();
        let found = sample.ask(super::TOOL.id, json!({ "query": "s", "limit": 10_000 }));
        let mut listed = Vec::new();
        let objects = sample.ask("explorer.listObjects", json!({ "limit": 1000 }));
        for object in objects["Items"].as_array().unwrap() {
            let components = json!({ "objectId": object["Id"], "limit": 100 });
            let components = sample.ask("explorer.getComponents", components);
            for component in components["Items"].as_array().unwrap() {
                let class = &component["Type"];
                let of = json!({ "objectId": object["Id"], "componentType": class, "limit": 500 });
                // Of several of a class none can be named.
                let Ok(members) = sample.call("explorer.listComponentMembers", of) else {
                    continue;
                };
                let members = members["Items"].as_array().unwrap().clone();
                let names =
                    members.iter().map(|member| member["Name"].as_str().unwrap().to_owned());
                let asked = names.filter(|name| name.to_lowercase().contains('s'));
                listed.extend(asked.map(|name| format!("{} {class} {name}", object["Id"])));
            }
        }
        let found: Vec<String> = found["Items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|place| {
                let name = place["Member"].as_str().unwrap();
                format!("{} {} {name}", place["ObjectId"], place["ComponentType"])
            })
            .collect();
        assert!(listed.len() > 500, "{} members", listed.len());
        let missing: Vec<_> = listed.iter().filter(|one| !found.contains(one)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn pages_count_what_they_leave_out() {
        let sample = UnitySample::new();
        let search = |given| sample.page(super::TOOL.id, given, "ObjectPath");
        let lit = |limit: i64, offset: i64| {
            search(json!({ "query": "startsLit", "limit": limit, "offset": offset }))
        };
        expect!["2 of 4: /Player/Hand/Hand Lantern, /Lanterns/Gate Lantern"].assert_eq(&lit(2, 0));
        expect!["1 of 4: /Lanterns/Altar Lantern"].assert_eq(&lit(0, 3));
        expect!["0 of 4: "].assert_eq(&lit(100, 4));
        expect!["4 of 4: /Player/Hand/Hand Lantern, /Lanterns/Gate Lantern, /Lanterns/Well Lantern, /Lanterns/Altar Lantern"].assert_eq(&lit(i64::MAX, i64::MIN));
    }
}
