//! What the model does: a call after the other, under the names that the client gave the tools.

use serde_json::{Map, Value, json};

use super::model::{Offered, Seen, Turn};

/// The model's last words.
pub(super) const END: &str = "That is all.";
/// A search that finds nothing is not repeated for ever.
const MOST_SEARCHES: usize = 3;

/// A call, and what has to come of it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) tool: &'static str,
    /// As JSON.
    arguments: &'static str,
    pub(super) wants: Wants,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    Answer,
    Error,
    Picture,
    /// An answer with a cursor.
    Page,
    /// What the cursor of the step before leads to.
    Rest,
    /// More than any client should have to pass on; how much it does is measured, not judged.
    TooMuch,
}

impl Step {
    /// Whether a text is to be found again.
    pub(super) fn has_text(&self) -> bool {
        !matches!(self.wants, Wants::Picture | Wants::TooMuch)
    }
}

const fn step(tool: &'static str, arguments: &'static str, wants: Wants) -> Step {
    Step { tool, arguments, wants }
}

const MANY: &str = r#"{"pattern":"a","maxResults":500}"#;

/// Eight tools on a copy of the Unity sample with two defects, an error, a picture and a second page; at last an answer
/// of more than a hundred thousand characters.
pub(super) const MEASURED: &[Step] = &[
    step("project_info", "{}", Wants::Answer),
    step("scene_hierarchy_dump", r#"{"scenePath":"Assets/Scenes/Main.unity"}"#, Wants::Answer),
    step("project_check", "{}", Wants::Answer),
    step("tools_search", r#"{"query":"rename an object everywhere"}"#, Wants::Answer),
    step(
        "unity_edit",
        r#"{"path":"Assets/Scenes/Main.unity","dryRun":true,"changes":[
            {"op":"set","object":"Directional Light","component":"Light","field":"intensity","value":2.5}]}"#,
        Wants::Answer,
    ),
    step("scene_hierarchy_dump", r#"{"scenePath":"Assets/Scenes/Nope.unity"}"#, Wants::Error),
    step("tools_read", r#"{"tool":"project_architectureSummary","arguments":{}}"#, Wants::Answer),
    step("test_image_content", "{}", Wants::Picture),
    step("project_searchText", MANY, Wants::Page),
    step("project_searchText", MANY, Wants::Rest),
    // Passed on: some clients hold their model to the arguments that are listed.
    step(
        "tools_read",
        r#"{"tool":"project_searchText","arguments":{"pattern":"e","maxResults":5000,"maxTokens":60000}}"#,
        Wants::TooMuch,
    ),
];

/// The same without what is only measured.
pub(super) const STEPS: &[Step] = MEASURED.split_at(MEASURED.len() - 1).0;

/// The id of a step's call. Whoever reads it knows the step.
pub(super) fn id_of_call(step: usize, serial: usize) -> String {
    format!("call_sw{step}x{serial}")
}

/// An id of a call in a text.
pub(super) fn find_id(text: &str) -> Option<&str> {
    let start = text.find("call_sw")?;
    let rest = &text[start..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    step_of(&rest[..end]).map(|_| &rest[..end])
}

/// The step that an id is of.
pub(super) fn step_of(id: &str) -> Option<usize> {
    id.strip_prefix("call_sw")?.split_once('x')?.0.parse().ok()
}

fn id_of_search(step: usize, serial: usize) -> String {
    format!("call_look{step}x{serial}")
}

/// What the model does now, and whether that is the end.
pub(super) fn next(steps: &[Step], seen: &Seen, serial: usize) -> (Turn, bool) {
    // Titles and summaries are asked for without tools.
    if seen.tools.is_empty() {
        return (Turn::Say(r#"{"title":"Scene work","isNewTopic":false}"#.to_owned()), false);
    }
    let done = seen.results.iter().filter_map(|result| step_of(&result.id)).max();
    let at = done.map_or(0, |step| step + 1);
    let Some(step) = steps.get(at) else { return (end(seen, serial), true) };
    let turn = match arguments(steps, at, seen) {
        Some(arguments) => call(step.tool, arguments, seen, at, serial),
        None => Turn::Say("I see no cursor.".to_owned()),
    };
    (turn, false)
}

/// The last words, which some clients take from a tool alone.
fn end(seen: &Seen, serial: usize) -> Turn {
    match seen.named(&["final_answer"]) {
        None => Turn::Say(END.to_owned()),
        Some(tool) => Turn::Call {
            tool: tool.clone(),
            arguments: json!({ "answer": END }),
            id: format!("call_end{serial}"),
        },
    }
}

/// The arguments of a step; those of a second page have the cursor that the model was shown.
fn arguments(steps: &[Step], at: usize, seen: &Seen) -> Option<Map<String, Value>> {
    let step = &steps[at];
    let mut arguments: Map<String, Value> =
        serde_json::from_str(step.arguments).expect("the plan is JSON");
    if step.wants == Wants::Rest {
        let page = seen.results.iter().rfind(|result| step_of(&result.id) == Some(at - 1))?;
        let cursor = page.texts.iter().find_map(|text| cursor(text))?;
        arguments.insert("cursor".to_owned(), json!(cursor));
    }
    Some(arguments)
}

/// What a text says to go on with: the word after the last `cursor` that begins with `@`.
fn cursor(text: &str) -> Option<&str> {
    let said = text.rmatch_indices("ursor").filter_map(|(at, _)| {
        let rest = &text[at..];
        let start = rest[..rest.len().min(24)].find('@')?;
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let word = &rest[start + 1..];
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        Some(&rest[start..start + 1 + end.min(word.len())])
    });
    said.map(|word| word.trim_end_matches('.')).next()
}

/// Call a tool in whichever way the client has it called.
fn call(
    base: &str,
    mut arguments: Map<String, Value>,
    seen: &Seen,
    at: usize,
    serial: usize,
) -> Turn {
    let id = id_of_call(at, serial);
    let looked = seen.results.iter().filter(|one| one.id.starts_with(&format!("call_look{at}x")));
    let may_look = looked.count() < MOST_SEARCHES;
    let look = |tool: &Offered, arguments: Value| Turn::Call {
        tool: tool.clone(),
        arguments,
        id: id_of_search(at, serial),
    };
    if let Some(tool) = seen.find(base)
        && (!tool.is_deferred || seen.loaded.contains(&tool.name))
    {
        arguments.extend(wanted_by_client(tool, &arguments));
        return Turn::Call { tool: tool.clone(), arguments: arguments.into(), id };
    }
    let words = base.replace('_', " ");
    // Mistral Vibe: tools are functions of a program that the model writes.
    if let Some(program) = seen.named(&["run_typescript"]) {
        if let Some(search) = seen.named(&["search_tool_functions"])
            && at == 0
            && !seen.results.iter().any(|one| one.id.starts_with("call_look"))
        {
            return look(search, json!({ "mode": "best_match", "query": words }));
        }
        let arguments = Value::from(arguments);
        let code = format!(
            "async function main() {{ return await tools.mcp_scenewright.{base}({arguments}); }}"
        );
        return Turn::Call { tool: program.clone(), arguments: json!({ "code": code }), id };
    }
    // Qwen Code: a search shows the tool, another tool calls it.
    let name = seen.mentioned(base).unwrap_or(base);
    if let Some(bridge) = seen.named(&["tool_call"]) {
        let has_looked = !may_look
            || seen.results.iter().any(|one| one.id.starts_with(&format!("call_look{at}x")));
        return match seen.named(&["tool_search"]) {
            Some(search) if !has_looked => {
                look(search, json!({ "query": format!("select:{name}") }))
            }
            _ => Turn::Call {
                tool: bridge.clone(),
                arguments: json!({ "name": name, "arguments": arguments }),
                id,
            },
        };
    }
    let search = seen.tools.iter().find(|tool| tool.is_search);
    match (seen.named(&["ToolSearch"]), search) {
        (Some(search), _) if may_look => {
            let query = format!("select:mcp__scenewright__{base}");
            look(search, json!({ "query": query, "max_results": 5 }))
        }
        (None, Some(search)) if may_look => look(search, json!({ "query": words, "limit": 8 })),
        _ => Turn::Say(format!("I see no tool {base}.")),
    }
}

/// What the client asks of the model and the server does not, such as how risky a call is.
fn wanted_by_client(tool: &Offered, arguments: &Map<String, Value>) -> Map<String, Value> {
    let required = tool.schema["required"].as_array().into_iter().flatten();
    let missing = required.filter_map(Value::as_str).filter(|key| !arguments.contains_key(*key));
    missing.map(|key| (key.to_owned(), likely(&tool.schema["properties"][key]))).collect()
}

/// What a model that has to say something says where it has nothing to say.
fn likely(argument: &Value) -> Value {
    let words = argument["description"].as_str().unwrap_or_default();
    let default = words.rsplit_once("Default ").map(|(_, default)| default.trim_end_matches('.'));
    let choices = [argument["enum"].get(0).cloned(), argument.get("default").cloned()];
    let known = choices.into_iter().flatten().next();
    let alternatives = [&argument["type"], &argument["anyOf"]].map(Value::as_array);
    let mut alternatives = alternatives.into_iter().flatten().flatten();
    let takes_null = alternatives.any(|one| one == "null" || one["type"] == "null");
    let known = known.or_else(|| takes_null.then_some(Value::Null));
    known.or_else(|| serde_json::from_str(default?).ok()).unwrap_or_else(|| match argument["type"]
        .as_str()
    {
        Some("boolean") => json!(false),
        Some("integer" | "number") => json!(10),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!(""),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(tools: &[&str]) -> Seen {
        let mut seen = Seen::default();
        for name in tools {
            seen.tools.push(Offered { name: (*name).to_owned(), ..Offered::default() });
        }
        seen
    }

    fn answer(seen: &mut Seen, id: String, text: &str) {
        let texts = vec![text.to_owned()];
        seen.results.push(super::super::model::Returned { id, texts, pictures: 0 });
    }

    #[test]
    fn arguments_are_json() {
        for (at, step) in STEPS.iter().enumerate() {
            let is_rest = step.wants == Wants::Rest;
            assert_eq!(arguments(STEPS, at, &Seen::default()).is_none(), is_rest);
        }
    }

    #[test]
    fn reads_cursors_as_a_model_does() {
        for text in [
            "nextCursor: @d47f88.2.98\nhint: go on with cursor = nextCursor",
            "402 more: cursor=@d47f88.2.98",
            r#"{\"nextCursor\":\"@d47f88.2.98\"}"#,
            "Go on with cursor `@d47f88.2.98`.",
        ] {
            assert_eq!(cursor(text), Some("@d47f88.2.98"), "{text}");
        }
        assert_eq!(cursor("a cursor is a pointer"), None);
    }

    #[test]
    fn says_what_a_client_wants_to_hear() {
        let schema = json!({
            "properties": {
                "risk": { "type": "string", "enum": ["LOW", "HIGH"] },
                "most": { "type": "integer", "description": "So many. Default 100." },
                "root": { "type": "string", "description": "The folder, `Assets/` by default." },
                "given": { "type": "boolean" },
                "open": { "type": "boolean" },
                "depth": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
            },
            "required": ["risk", "most", "root", "given", "depth"],
        });
        let tool = Offered { schema, ..Offered::default() };
        let given = Map::from_iter([("given".to_owned(), json!(true))]);
        let wanted = Value::from(wanted_by_client(&tool, &given));
        assert_eq!(wanted, json!({ "risk": "LOW", "most": 100, "root": "", "depth": null }));
    }

    #[test]
    fn goes_on_where_it_was_and_ends() {
        let mut seen = seen(&["sw_project_info", "sw_scene_hierarchy_dump"]);
        let (turn, is_over) = next(&STEPS[..2], &seen, 1);
        assert!(matches!(turn, Turn::Call { tool, .. } if tool.name == "sw_project_info"));
        assert!(!is_over);
        answer(&mut seen, id_of_call(0, 1), "");
        let (turn, _) = next(&STEPS[..2], &seen, 2);
        assert!(matches!(turn, Turn::Call { id, .. } if id == "call_sw1x2"));
        answer(&mut seen, id_of_call(1, 2), "");
        assert_eq!(next(&STEPS[..2], &seen, 3), (Turn::Say(END.to_owned()), true));
    }

    #[test]
    fn looks_for_tools_that_are_not_shown_but_not_for_ever() {
        let mut seen = seen(&["ToolSearch"]);
        for serial in 0..MOST_SEARCHES {
            let (turn, _) = next(STEPS, &seen, serial);
            assert!(matches!(&turn, Turn::Call { tool, .. } if tool.name == "ToolSearch"));
            answer(&mut seen, id_of_search(0, serial), "");
        }
        assert_eq!(next(STEPS, &seen, 9).0, Turn::Say("I see no tool project_info.".to_owned()));
    }
}
