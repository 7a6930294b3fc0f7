//! The tool `godotClass.searchClasses`, which MCP clients call `search_classes`.

use scenewright_contract::{Limits, ToolError};
use scenewright_godot::classes::{Classes, Kind};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More hits than this are never of use.
const MAX_HITS: usize = 10_000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotClass.searchClasses",
    keywords: "which class has a property method engine api node types to use find builtin signal type lookup docs",
    mcp: Some("search_classes"),
    title: "Search Godot Classes",
    category: "godot.class",
    limits: Limits { max_items: Some(200), ..Limits::DEFAULT },
    examples: &[
        Example {
            description: "Find how a timer tells that it is over",
            input: r#"{ "projectPath": "godot", "query": "timer timeout", "limit": 2 }"#,
            output: r#"{
                "success": true,
                "godotVersion": "4.4",
                "results": [
                    { "class": "Timer", "member": "timeout", "kind": "signal" },
                    { "class": "SceneTreeTimer", "member": "timeout", "kind": "signal" }
                ],
                "total": 2,
                "truncated": false
            }"#,
            varies: &[],
        },
        Example {
            description: "Find the shapes that a 2D body can have",
            input: r#"{ "projectPath": "godot", "query": "shape", "base": "Shape2D", "instantiable": true, "limit": 2 }"#,
            output: r#"{
                "success": true,
                "godotVersion": "4.4",
                "results": [
                    { "class": "CircleShape2D", "kind": "class" },
                    { "class": "CapsuleShape2D", "kind": "class" }
                ],
                "total": 8,
                "truncated": true
            }"#,
            varies: &[],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find classes, properties, methods, signals and constants by parts of their names, best first.
/// All words must be in the name of the class or of the member.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Words: `timer timeout`.
    query: String,
    /// Only classes below this one: `Control`.
    base: Option<String>,
    /// Only things of this kind.
    kind: Option<Wanted>,
    /// Only classes that nodes and resources can be of.
    #[serde(default)]
    instantiable: bool,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 200))]
    limit: usize,
}

fn most() -> usize {
    20
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
enum Wanted {
    /// Classes.
    Class,
    /// Properties.
    Property,
    /// Methods.
    Method,
    /// Signals.
    Signal,
    /// Enums.
    Enum,
    /// Constants.
    Constant,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The version whose classes were searched.
    godot_version: String,
    /// What was found: scripts of the project first, then the engine's, best first.
    results: Vec<Found>,
    /// How much was found.
    total: usize,
    /// Whether there is more than was returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// The class.
    class: String,
    /// The member of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<String>,
    /// What it is.
    kind: Wanted,
    /// The script that declares the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
}

fn run(cx: &Cx, mut input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let classes = godot.classes();
    if input.query.trim().is_empty() {
        return Err(ToolError::bad_argument("query", "must have a word"));
    }
    if let Some(base) = &input.base
        && godot.index.class(base).is_none()
    {
        input.base = Some(godot.class(base)?.to_owned());
    }
    let words: Vec<String> =
        input.query.split_whitespace().take(16).map(str::to_ascii_lowercase).collect();
    let mut results = Vec::new();
    for (name, script) in godot.index.classes() {
        let lower = name.to_ascii_lowercase();
        let is_kind = input.kind.is_none_or(|kind| kind == Wanted::Class);
        let is_below = |base: &str| is_script_below(&godot.index, classes, name, base);
        if is_kind
            && words.iter().all(|word| lower.contains(word))
            && input.base.as_deref().is_none_or(is_below)
        {
            let script = Some(script.res_path());
            results.push(Found {
                class: name.to_owned(),
                member: None,
                kind: Wanted::Class,
                script,
            });
        }
    }
    for hit in classes.search(&input.query, MAX_HITS) {
        let kind = wanted(hit.kind);
        let is_made = classes.class(hit.class).is_some_and(|class| class.instantiable);
        if input.kind.is_none_or(|wanted| wanted == kind)
            && input.base.as_deref().is_none_or(|base| classes.inherits(hit.class, base))
            && (is_made || !input.instantiable)
        {
            let member = hit.member.map(str::to_owned);
            results.push(Found { class: hit.class.to_owned(), member, kind, script: None });
        }
    }
    let total = results.len();
    results.truncate(input.limit);
    Ok(Output {
        success: true,
        godot_version: classes.version().to_string(),
        truncated: results.len() < total,
        results,
        total,
    })
}

fn is_script_below(
    index: &scenewright_godot::Index,
    classes: &Classes,
    name: &str,
    base: &str,
) -> bool {
    let mut name = name;
    for _ in 0..64 {
        if name == base {
            return true;
        }
        let script = index.class(name).or_else(|| index.find(name));
        match script.and_then(|file| file.script.as_ref()) {
            Some(script) => name = script.base.as_deref().unwrap_or("RefCounted"),
            None => return classes.inherits(name, base),
        }
    }
    false
}

fn wanted(kind: Kind) -> Wanted {
    match kind {
        Kind::Class => Wanted::Class,
        Kind::Property => Wanted::Property,
        Kind::Signal => Wanted::Signal,
        Kind::Method => Wanted::Method,
        Kind::Enum => Wanted::Enum,
        Kind::Constant => Wanted::Constant,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn found(arguments: Value) -> Vec<String> {
        let output = GodotSample::new().call(super::TOOL.id, arguments).unwrap();
        let results = output["results"].as_array().unwrap().iter();
        results
            .map(|hit| match hit["member"].as_str() {
                Some(member) => format!("{}.{member}", hit["class"].as_str().unwrap()),
                None => hit["class"].as_str().unwrap().to_owned(),
            })
            .collect()
    }

    #[test]
    fn scripts_are_classes_too() {
        assert_eq!(found(json!({ "query": "coin" })), ["Coin", "CoinSettings"]);
        assert_eq!(found(json!({ "query": "coin", "base": "Resource" })), ["CoinSettings"]);
        assert_eq!(found(json!({ "query": "player", "base": "Actor" })), ["Player"]);
    }

    #[test]
    fn kinds_and_bases_narrow_the_search() {
        let arguments = json!({ "query": "pressed", "base": "BaseButton", "kind": "signal" });
        assert_eq!(found(arguments)[0], "BaseButton.pressed");
    }

    #[test]
    fn what_is_no_search_is_said() {
        let sample = GodotSample::new();
        let error = sample.error(super::TOOL.id, json!({ "query": "a", "base": "Control9" }));
        assert_eq!(error, "Godot 4.4 has no class 'Control9'; did you mean Control?");
        let read = sample.call(super::TOOL.id, json!({ "query": "slider", "base": "Contrl" }));
        assert_eq!(
            read,
            sample.call(super::TOOL.id, json!({ "query": "slider", "base": "Control" }))
        );
        let error = sample.error(super::TOOL.id, json!({ "query": " " }));
        assert_eq!(error, "Invalid tool arguments: query must have a word");
    }
}
