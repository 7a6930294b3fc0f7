//! `unity://` resources: the world of the Explorer interface, by URI. Each is what a tool answers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use scenewright_contract::resource::{ResourceInfo, TemplateInfo};
use scenewright_contract::{ErrorKind, JsonMap, ToolError};
use scenewright_toolkit::Runner;
use scenewright_toolkit::resources::{JSON, decode, run, template};
use scenewright_world::{Changed, Event};
use serde_json::{Value, json};

use crate::pack::{HasWorld, is_served};
use crate::world::cards::{PAGE, Range};
use crate::world::{relay, scripts};

/// What all of them begin with.
pub(crate) const PREFIX: &str = "unity://";

/// Resources with a fixed URI: the URI's end, the title, what it holds.
const FIXED: [(&str, &str, &str); 10] = [
    ("status", "World status", "Versions, loaded scenes and the selection"),
    ("scenes", "Scenes of the world", "The loaded scenes"),
    ("search", "Search", "Objects by query, name, type, path"),
    ("selection", "Selection", "What is selected in the world"),
    ("camera/active", "Active camera", "The camera that sees"),
    ("logs/tail", "Log of the world", "The last lines of the log"),
    ("console/scripts", "Console scripts", "The scripts of the Scripts folder"),
    ("hooks", "Hooks", "The watched methods"),
    ("clipboard", "Clipboard", "What lies in the clipboard of the world"),
    ("freecam", "Free camera", "Where the free camera is"),
];

/// Families of resources.
#[rustfmt::skip]
pub(crate) const TEMPLATES: [TemplateInfo; 10] = [
    template("unity://scene/{sceneId}/objects", "world-scene", "Objects of a scene", "The objects of a loaded scene", JSON),
    template("unity://object/{id}", "world-object", "Object", "An object of the world, by its id", JSON),
    template("unity://object/{id}/components", "world-components", "Components", "The components of an object", JSON),
    template("unity://object/{id}/children", "world-children", "Children", "The direct children of an object", JSON),
    template("unity://object/{id}/component/members", "world-members", "Members", "The members of a component, by ?componentType=", JSON),
    template("unity://object/{id}/component/member", "world-member", "Member", "The value of a member, by ?componentType= and &name=", JSON),
    template("unity://console/script?path={path}", "console-script", "Console script", "A script of the Scripts folder", JSON),
    template("unity://search/singletons?query={query}", "singletons", "Singletons", "Classes that keep an instance of themselves", JSON),
    template("unity://search/static-classes?query={query}", "static-classes", "Static classes", "Static classes, by a part of their name", JSON),
    template("unity://type/{typeFullName}/static-members", "static-members", "Static members", "The members of a static class", JSON),
];

/// The resources of the world, when there is one.
pub(crate) fn list(runner: &Runner) -> Vec<ResourceInfo> {
    if !is_served(runner) {
        return Vec::new();
    }
    let info = |(end, title, description): &(&str, &str, &str)| ResourceInfo {
        uri: format!("{PREFIX}{end}"),
        name: end.replace('/', "-"),
        title: (*title).to_owned(),
        description: (*description).to_owned(),
        mime: JSON,
    };
    FIXED.iter().map(info).collect()
}

/// The ends of the resources that read otherwise after an event.
pub(crate) fn changed_by(event: &str) -> &'static [&'static str] {
    match event {
        "log" => &["logs/tail"],
        "selection" => &["selection", "status"],
        "scenes" | "scenes_diff" => &["scenes", "scene", "status"],
        // Somebody called a tool at the host; which one changes what is not ours to know.
        "tool_result" => {
            &["object", "scene", "search", "camera/active", "freecam", "clipboard", "hooks"]
        }
        _ => &[],
    }
}

/// Which resources read otherwise after this, each with all that is below it.
pub(crate) fn changed(events: &[Event], changed: &Changed) -> BTreeSet<String> {
    let mut ends: BTreeSet<Cow<'static, str>> = BTreeSet::new();
    for event in events {
        let name = match event {
            Event::Log(_) => "log",
            Event::Selection => "selection",
            Event::SceneLoaded(_) | Event::SceneUnloaded(_) => "scenes_diff",
        };
        ends.extend(changed_by(name).iter().map(|end| Cow::Borrowed(*end)));
    }
    let flags: [(bool, &[&'static str]); 4] = [
        (changed.any_object(), &["scene", "search", "camera/active"]),
        (changed.freecam, &["freecam", "camera/active"]),
        (changed.clipboard, &["clipboard"]),
        (changed.hooks, &["hooks"]),
    ];
    let flags = flags.iter().filter(|(is_so, _)| *is_so).flat_map(|(_, ends)| *ends);
    ends.extend(flags.map(|end| Cow::Borrowed(*end)));
    match changed.objects() {
        Some(ids) => ends.extend(ids.iter().map(|id| Cow::Owned(format!("object/{id}")))),
        None => ends.extend([Cow::Borrowed("object")]),
    }
    ends.iter().map(|end| format!("{PREFIX}{end}")).collect()
}

/// Read a resource of the world, or of the host that stands for it.
pub(crate) fn read(runner: &Arc<Runner>, uri: &str) -> Result<Value, ToolError> {
    if let Some(link) = runner.world().link() {
        return relay::read(link, uri);
    }
    let rest = uri.strip_prefix(PREFIX).unwrap_or(uri);
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let parts: Vec<String> = path.trim_matches('/').split('/').map(decode).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let lower: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let mut given = Query::parse(query);
    let tool = match lower[..] {
        ["status"] => "explorer.getStatus",
        ["scenes"] => "explorer.listScenes",
        ["scene", _, "objects"] => {
            given.set("sceneId", parts[1]);
            "explorer.listObjects"
        }
        ["object", _] => {
            given.set("id", parts[1]);
            "explorer.getObject"
        }
        ["object", _, ref what @ ..] => {
            given.set("objectId", parts[1]);
            match what {
                ["components"] => "explorer.getComponents",
                ["children"] => "explorer.listChildren",
                // The first implementation has the shorter name of the argument.
                ["component", "members"] => {
                    given.rename("type", "componentType");
                    "explorer.listComponentMembers"
                }
                ["component", "member"] => {
                    given.rename("type", "componentType");
                    "explorer.readComponentMember"
                }
                _ => return Err(unsupported(uri)),
            }
        }
        ["search"] => "explorer.searchObjects",
        ["search", "static-classes"] => "explorer.searchStaticClasses",
        ["search", "singletons"] => "explorer.searchSingletons",
        ["type", _, "static-members"] => {
            given.set("typeFullName", parts[1]);
            "explorer.listStaticMembers"
        }
        ["selection"] => "explorer.getSelection",
        ["camera", "active"] => "explorer.getCameraInfo",
        ["logs", "tail"] => "explorer.tailLogs",
        ["clipboard"] => "explorer.getClipboard",
        ["freecam"] => "explorer.getFreecam",
        ["console", "scripts"] => return console_scripts(runner, &given),
        ["console", "script"] => "explorer.readConsoleScript",
        ["hooks"] => return hooks(runner, &given),
        _ => return Err(unsupported(uri)),
    };
    run(runner, tool, given.arguments(runner, tool)?)
}

fn unsupported(uri: &str) -> ToolError {
    ToolError::new(ErrorKind::ResourceNotFound, "resource not supported").detail("uri", uri)
}

/// No tool lists the scripts; the document has only the resource.
fn console_scripts(runner: &Runner, given: &Query) -> Result<Value, ToolError> {
    let folder = runner.world().config().scripts();
    let cards = folder.map(|folder| scripts::list(&folder)).unwrap_or_default();
    Ok(json!(given.range().page(cards, PAGE)))
}

/// No tool lists the hooks; the document has only the resource.
fn hooks(runner: &Arc<Runner>, given: &Query) -> Result<Value, ToolError> {
    let hooks = runner.world().hooks();
    let cards = hooks
        .into_iter()
        .map(|(signature, enabled)| json!({ "Signature": signature, "Enabled": enabled }));
    Ok(json!(given.range().page(cards, PAGE)))
}

/// What follows the `?`.
struct Query(Vec<(String, String)>);

impl Query {
    fn parse(text: &str) -> Query {
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key), decode(&value.replace('+', " ")))
        };
        let pairs = text.split('&').filter(|part| !part.is_empty()).map(pair);
        Query(pairs.filter(|(_, value)| !value.trim().is_empty()).collect())
    }

    fn set(&mut self, key: &str, value: &str) {
        self.0.retain(|(known, _)| !known.eq_ignore_ascii_case(key));
        self.0.push((key.to_owned(), value.to_owned()));
    }

    /// Take one key for another that is not given.
    fn rename(&mut self, from: &str, to: &str) {
        if self.get(to).is_none()
            && let Some(value) = self.get(from).map(str::to_owned)
        {
            self.set(to, &value);
        }
    }

    fn get(&self, key: &str) -> Option<&str> {
        let mut pairs = self.0.iter();
        pairs.find(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| &**value)
    }

    fn range(&self) -> Range {
        let number = |key: &str| self.get(key).and_then(|value| value.parse().ok());
        Range { limit: number("limit"), offset: number("offset") }
    }

    /// The arguments that the tool takes, as its schema has them; numbers that are none are left
    /// out, and so is what the tool does not know.
    fn arguments(&self, runner: &Runner, tool: &str) -> Result<JsonMap, ToolError> {
        let schema = &runner.describe(tool)?.words.input;
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return Ok(JsonMap::new());
        };
        let mut arguments = JsonMap::new();
        for (name, property) in properties {
            let Some(text) = self.get(name) else { continue };
            let is = |kind: &str| match &property["type"] {
                Value::Array(kinds) => kinds.iter().any(|known| known == kind),
                known => known == kind,
            };
            let value = match () {
                () if is("integer") => text.parse::<i64>().ok().map(Value::from),
                () if is("boolean") => text.to_lowercase().parse::<bool>().ok().map(Value::from),
                () if is("number") => text.parse::<f64>().ok().map(Value::from),
                () => Some(json!(text)),
            };
            arguments.extend(value.map(|value| (name.clone(), value)));
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn the_class_of_a_component_goes_by_either_name() {
        let sample = UnitySample::new();
        let read = |what: &str| {
            let uri = format!("unity://object/{PLAYER}/component/{what}");
            super::read(sample.runner(), &uri).unwrap()
        };
        let class = "UnityEngine.Rigidbody";
        let (long, short) = (format!("componentType={class}"), format!("type={class}"));
        assert_eq!(read(&format!("members?{short}")), read(&format!("members?{long}")));
        let mass = |class: &str| read(&format!("member?{class}&name=mass"));
        assert_eq!(mass(&short), mass(&long));
    }
}
