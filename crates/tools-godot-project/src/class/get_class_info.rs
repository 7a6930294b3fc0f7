//! The tool `godotClass.getClassInfo`, which MCP clients call `get_class_info`.

use scenewright_contract::{Limits, ToolError, suggest};
use scenewright_godot::classes::{Argument, Class, Classes, Hint, Method, Property, Signal};
use scenewright_godot::{Declared, FileEntry, Script};
use scenewright_toolkit::{Cx, Example, Tool, call, names, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// No list is longer.
const MAX_MEMBERS: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotClass.getClassInfo",
    keywords: "documentation methods signals properties of a class docs reference engine what can it do does have api constants node default value inherit",
    mcp: Some("get_class_info"),
    title: "Get Godot Class Info",
    notes: Some(
        "Defaults are those of Godot 4.6. Of a script's class only what stands at its top level is told.",
    ),
    category: "godot.class",
    limits: Limits { max_items: Some(MAX_MEMBERS), ..Limits::DEFAULT },
    examples: &[
        Example {
            description: "Look up what a timer has",
            input: r#"{ "projectPath": "godot", "className": "Timer", "filter": "wait_time" }"#,
            output: r#"{
                "success": true,
                "className": "Timer",
                "godotVersion": "4.4",
                "inherits": ["Node", "Object"],
                "children": [],
                "instantiable": true,
                "properties": [
                    { "name": "wait_time", "type": "float", "default": "1.0", "hint": "range 0.001,4096,0.001,or_greater,exp,suffix:s" }
                ],
                "methods": [
                    { "name": "set_wait_time", "signature": "set_wait_time(time_sec: float)" },
                    { "name": "get_wait_time", "signature": "get_wait_time() -> float" }
                ],
                "signals": [],
                "enums": [],
                "constants": {},
                "truncated": false
            }"#,
            varies: &[],
        },
        Example {
            description: "Look up a class of a script",
            input: r#"{ "projectPath": "godot", "className": "Coin" }"#,
            output: r#"{
                "success": true,
                "className": "Coin",
                "godotVersion": "4.4",
                "script": "res://scripts/coin.gd",
                "inherits": ["Area2D", "CollisionObject2D", "Node2D", "CanvasItem", "Node", "Object"],
                "children": [],
                "instantiable": true,
                "properties": [
                    { "name": "settings", "type": "CoinSettings", "exported": true },
                    { "name": "_time", "type": "float", "default": "0.0" },
                    { "name": "_face", "type": "Polygon2D", "default": "$Face" }
                ],
                "methods": [
                    { "name": "_ready", "signature": "_ready() -> void" },
                    { "name": "_process", "signature": "_process(delta: float) -> void" },
                    { "name": "_on_body_entered", "signature": "_on_body_entered(body: Node2D) -> void" }
                ],
                "signals": [{ "name": "collected", "signature": "collected(value: int)" }],
                "enums": [],
                "constants": {},
                "truncated": false
            }"#,
            varies: &[],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what a class has: parents, properties with types and defaults, methods, signals, enums. It
/// may be one of the engine's, in the project's version, or one that a script declares.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The class: `Sprite2D`, or a script's `class_name` or path.
    class_name: String,
    /// Only members whose name, or whose constants' names, have this in them.
    filter: Option<String>,
    /// Only members of these kinds.
    #[serde(default)]
    members: Vec<Part>,
    /// What it inherits, too.
    #[serde(default)]
    inherited: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// Properties.
    Properties,
    /// Methods.
    Methods,
    /// Signals.
    Signals,
    /// Enums.
    Enums,
    /// Constants.
    Constants,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The class.
    class_name: String,
    /// The version of Godot that this is true for.
    godot_version: String,
    /// The script that declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// What it inherits from, the nearest first.
    inherits: Vec<String>,
    /// The classes that inherit from it directly, sorted.
    children: Vec<String>,
    /// Whether there can be an object of exactly this class.
    instantiable: bool,
    /// Its properties.
    properties: Vec<PropertyInfo>,
    /// Its methods.
    methods: Vec<Member>,
    /// Its signals.
    signals: Vec<Member>,
    /// Its enums.
    enums: Vec<EnumInfo>,
    /// Its other constants.
    constants: serde_json::Map<String, serde_json::Value>,
    /// Whether a list is cut; use `filter`.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PropertyInfo {
    /// Its name.
    name: String,
    /// What it holds.
    #[serde(rename = "type")]
    value: String,
    /// Its value at first, as Godot writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    /// What the inspector offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// Whether it cannot be set.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    read_only: bool,
    /// Of a script's variable: whether the inspector shows it and scenes keep it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exported: bool,
    /// The class that declares it, if another.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Member {
    /// Its name.
    name: String,
    /// How it is declared.
    signature: String,
    /// The class that declares it, if another.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct EnumInfo {
    /// Its name.
    name: String,
    /// Whether its values are combined.
    flags: bool,
    /// Its constants.
    constants: serde_json::Map<String, serde_json::Value>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let classes = godot.classes();
    let script_of = |name: &str| {
        let script = godot.index.class(name).or_else(|| godot.index.find(name));
        script.filter(|file| file.script.is_some())
    };
    let mut wanted = input.class_name.trim();
    if classes.class(wanted).is_none() && script_of(wanted).is_none() {
        let mut known: Vec<&str> = classes.names().collect();
        known.extend(godot.index.classes().map(|(name, _)| name));
        let meant = names::guess(cx, "class", wanted, known.iter().copied());
        wanted = meant.ok_or_else(|| unknown(&godot, wanted))?;
    }
    let script = script_of(wanted);
    let scripts = script.map(|file| script_chain(&godot, file)).unwrap_or_default();
    let base = match scripts.last() {
        Some((_, _, last)) => last.base.as_deref().unwrap_or("RefCounted"),
        None => wanted,
    };
    let mut output = Output {
        success: true,
        class_name: scripts.first().map_or_else(|| wanted.to_owned(), |(name, ..)| name.clone()),
        godot_version: classes.version().to_string(),
        script: script.map(FileEntry::res_path),
        inherits: scripts
            .iter()
            .map(|(name, ..)| name.clone())
            .chain(classes.ancestors(base).map(|class| class.name.to_owned()))
            .skip(1)
            .collect(),
        children: children(&godot, wanted),
        instantiable: classes.class(base).is_some_and(|class| class.instantiable),
        properties: Vec::new(),
        methods: Vec::new(),
        signals: Vec::new(),
        enums: Vec::new(),
        constants: serde_json::Map::new(),
        truncated: false,
    };
    let levels = if input.inherited { usize::MAX } else { 1 };
    for (level, (name, _, script)) in scripts.iter().take(levels).enumerate() {
        add_script(&mut output, &input, script, (level > 0).then_some(name.as_str()));
    }
    let own = base.to_owned();
    for (level, class) in
        classes.ancestors(base).take(levels.saturating_sub(scripts.len())).enumerate()
    {
        let from = (level + scripts.len() > 0).then_some(class.name);
        add_class(&mut output, &input, classes, class, &own, from);
    }
    cut(&mut output);
    Ok(output)
}

fn unknown(godot: &Godot<'_>, name: &str) -> ToolError {
    let Err(error) = godot.class(name) else { return ToolError::not_found("class", name) };
    let scripts = godot.index.classes().map(|(name, _)| name);
    match suggest::nearest(name, scripts).first() {
        Some(near) => error.hint(format!("did you mean {near}, a class of this project?")),
        None => error,
    }
}

/// A script and those that it extends, the nearest first, with the names that they go by.
fn script_chain<'a>(
    godot: &'a Godot<'_>,
    first: &'a FileEntry,
) -> Vec<(String, &'a FileEntry, &'a Script)> {
    let mut chain: Vec<(String, &FileEntry, &Script)> = Vec::new();
    let mut next = Some(first);
    while let Some(file) = next {
        let Some(script) = file.script.as_ref() else { break };
        // A script that extends itself would lead round and round.
        if chain.iter().any(|(_, known, _)| known.path == file.path) {
            break;
        }
        chain.push((script.class_name.clone().unwrap_or_else(|| file.res_path()), file, script));
        let base = script.base.as_deref().unwrap_or("RefCounted");
        next = godot.index.class(base).or_else(|| godot.index.find(base));
    }
    chain
}

fn children(godot: &Godot<'_>, name: &str) -> Vec<String> {
    let engine = godot.classes().children_of(name).map(|class| class.name.to_owned());
    let is_below = |file: &FileEntry| {
        file.script.as_ref().is_some_and(|script| script.base.as_deref() == Some(name))
    };
    let scripts = godot.index.classes().filter(|(_, file)| is_below(file));
    let mut all: Vec<String> = engine.chain(scripts.map(|(name, _)| name.to_owned())).collect();
    all.sort();
    all
}

impl Input {
    fn wants(&self, part: Part) -> bool {
        self.members.is_empty() || self.members.contains(&part)
    }

    fn passes(&self, name: &str) -> bool {
        let lower = |text: &str| text.to_ascii_lowercase();
        self.filter.as_deref().is_none_or(|filter| lower(name).contains(&lower(filter)))
    }
}

fn add_class(
    output: &mut Output,
    input: &Input,
    classes: &Classes,
    class: &Class,
    own: &str,
    from: Option<&str>,
) {
    let from = from.map(str::to_owned);
    if input.wants(Part::Properties) {
        let found = class.properties().iter().filter(|property| input.passes(property.name));
        let told = found.map(|property| property_info(classes, own, property, from.clone()));
        output.properties.extend(told);
    }
    let member = |name: &str, signature: String| Member {
        name: name.to_owned(),
        signature,
        from: from.clone(),
    };
    if input.wants(Part::Methods) {
        let found = class.methods().iter().filter(|method| input.passes(method.name));
        output.methods.extend(found.map(|method| member(method.name, method_text(method))));
    }
    if input.wants(Part::Signals) {
        let found = class.signals().iter().filter(|signal| input.passes(signal.name));
        output.signals.extend(found.map(|signal| member(signal.name, signal_text(signal))));
    }
    if input.wants(Part::Enums) {
        let found = class.enums().iter().filter(|found| {
            input.passes(found.name) || found.constants.iter().any(|c| input.passes(c.name))
        });
        output.enums.extend(found.map(|found| EnumInfo {
            name: found.name.to_owned(),
            flags: found.is_flags,
            constants:
                found.constants.iter().map(|c| (c.name.to_owned(), c.value.into())).collect(),
        }));
    }
    if input.wants(Part::Constants) {
        let found = class.constants().iter().filter(|constant| input.passes(constant.name));
        output.constants.extend(found.map(|c| (c.name.to_owned(), c.value.into())));
    }
}

fn property_info(
    classes: &Classes,
    own: &str,
    property: &Property,
    from: Option<String>,
) -> PropertyInfo {
    PropertyInfo {
        name: property.name.to_owned(),
        value: property.value.to_string(),
        default: classes.default(own, property.name).map(str::to_owned),
        hint: property.hint.map(hint_text),
        read_only: property.read_only,
        exported: false,
        from,
    }
}

fn hint_text(hint: Hint) -> String {
    match hint {
        Hint::Range(text) => format!("range {text}"),
        Hint::Choices(text) => format!("one of {text}"),
        Hint::Suggestions(text) => format!("such as {text}"),
        Hint::Flags(text) => format!("flags {text}"),
        Hint::Files(text) => format!("file {text}"),
        Hint::Nodes(text) => format!("path to {text}"),
        Hint::Unit(text) => text.to_owned(),
    }
}

fn arguments_text(arguments: &[Argument], is_vararg: bool) -> String {
    let mut parts: Vec<String> = arguments
        .iter()
        .map(|argument| match argument.default {
            Some(default) => format!("{}: {} = {default}", argument.name, argument.value),
            None => format!("{}: {}", argument.name, argument.value),
        })
        .collect();
    if is_vararg {
        parts.push("...".to_owned());
    }
    parts.join(", ")
}

fn method_text(method: &Method) -> String {
    let kind = if method.is_static { "static " } else { "" };
    let arguments = arguments_text(&method.arguments, method.is_vararg);
    let returns = method.returns.map(|value| format!(" -> {value}")).unwrap_or_default();
    format!("{kind}{}({arguments}){returns}", method.name)
}

fn signal_text(signal: &Signal) -> String {
    format!("{}({})", signal.name, arguments_text(&signal.arguments, false))
}

fn add_script(output: &mut Output, input: &Input, script: &Script, from: Option<&str>) {
    let from = from.map(str::to_owned);
    let passes = |declared: &&Declared| input.passes(&declared.name);
    if input.wants(Part::Properties) {
        let exported = script.exports.iter().map(|declared| (declared, true));
        let others = script.variables.iter().map(|declared| (declared, false));
        for (declared, exported) in exported.chain(others).filter(|(found, _)| passes(found)) {
            let (value, default) = variable(&declared.detail);
            output.properties.push(PropertyInfo {
                name: declared.name.clone(),
                value,
                default,
                hint: None,
                read_only: false,
                exported,
                from: from.clone(),
            });
        }
    }
    let member = |declared: &Declared| Member {
        name: declared.name.clone(),
        signature: match declared.detail.is_empty() {
            true => format!("{}()", declared.name),
            false => format!("{}{}", declared.name, declared.detail),
        },
        from: from.clone(),
    };
    if input.wants(Part::Methods) {
        output.methods.extend(script.functions.iter().filter(passes).map(member));
    }
    if input.wants(Part::Signals) {
        output.signals.extend(script.signals.iter().filter(passes).map(member));
    }
}

/// The type and the value at first of `: float = 1.0`, as far as they are written.
fn variable(detail: &str) -> (String, Option<String>) {
    let (value, default) = match detail.split_once('=') {
        Some((value, default)) => (value, Some(default.trim().to_owned())),
        None => (detail, None),
    };
    let value = value.trim().trim_start_matches(':').trim();
    let default = default.filter(|text| !text.is_empty());
    (if value.is_empty() { "Variant" } else { value }.to_owned(), default)
}

fn cut(output: &mut Output) {
    fn keep<T>(list: &mut Vec<T>, cut: &mut bool) {
        *cut |= list.len() > MAX_MEMBERS;
        list.truncate(MAX_MEMBERS);
    }
    let cut = &mut output.truncated;
    keep(&mut output.properties, cut);
    keep(&mut output.methods, cut);
    keep(&mut output.signals, cut);
    keep(&mut output.enums, cut);
    keep(&mut output.children, cut);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn info(arguments: Value) -> Value {
        GodotSample::new().call(super::TOOL.id, arguments).unwrap()
    }

    #[test]
    fn defaults_are_those_of_the_class_that_was_asked_for() {
        let label = info(json!({
            "className": "Label", "filter": "mouse_filter", "members": ["properties"], "inherited": true,
        }));
        assert_eq!(label["properties"][0]["default"], "2");
        assert_eq!(label["properties"][0]["from"], "Control");
        assert_eq!(label["methods"], json!([]));
    }

    #[test]
    fn a_script_inherits_from_scripts_and_from_the_engine() {
        let player = info(json!({ "className": "Player", "filter": "puffed", "inherited": true }));
        assert_eq!(player["inherits"][0], "Actor");
        assert_eq!(player["inherits"][1], "CharacterBody2D");
        assert_eq!(
            player["signals"],
            json!([{ "name": "puffed", "signature": "puffed(strength: float)", "from": "Actor" }])
        );
        let speed = info(json!({ "className": "res://scripts/player.gd", "filter": "jump_speed" }));
        assert_eq!(
            speed["properties"],
            json!([{ "name": "jump_speed", "type": "float", "default": "300.0", "exported": true }])
        );
        let actor = info(json!({ "className": "Actor" }));
        assert_eq!(actor["children"], json!(["Player"]));
    }

    #[test]
    fn long_lists_are_cut_and_it_is_said() {
        let object = info(json!({ "className": "Control", "inherited": true }));
        assert_eq!(object["truncated"], false);
        let many = info(json!({ "className": "CodeEdit", "inherited": true }));
        assert_eq!(many["methods"].as_array().unwrap().len(), super::MAX_MEMBERS);
        assert_eq!(many["truncated"], true);
    }

    #[test]
    fn unknown_classes_get_a_suggestion() {
        let sample = GodotSample::new();
        let refuse = |name: &str| sample.error(super::TOOL.id, json!({ "className": name }));
        let error = refuse("Sprite9D");
        assert!(error.starts_with("Godot 4.4 has no class 'Sprite9D'; did you mean "), "{error}");
        for (name, meant) in [("Sprit2D", "Sprite2D"), ("CoinSetings", "CoinSettings")] {
            let read = sample.call(super::TOOL.id, json!({ "className": name })).unwrap();
            assert_eq!(read["className"], meant);
        }
        assert_eq!(
            refuse("Spatial"),
            "Godot 4.4 has no class 'Spatial'; it is called Node3D since Godot 4"
        );
    }
}
