//! What a request shows the model, in the same words for every API.

use std::collections::BTreeSet;

use serde_json::Value;

/// A tool that the client offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in super::super) struct Offered {
    pub(in super::super) name: String,
    pub(in super::super) namespace: Option<String>,
    pub(in super::super) schema: Value,
    /// Whether only its name is known until a search shows it.
    pub(in super::super) is_deferred: bool,
    /// Whether it is the API's own search for tools, not a function.
    pub(in super::super) is_search: bool,
}

/// What the client says that a tool answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in super::super) struct Returned {
    /// The id of the call.
    pub(in super::super) id: String,
    /// Every text in it.
    pub(in super::super) texts: Vec<String>,
    pub(in super::super) pictures: usize,
}

/// A request.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Seen {
    pub(in super::super) tools: Vec<Offered>,
    /// In the order of the calls.
    pub(in super::super) results: Vec<Returned>,
    /// Deferred tools that a search has shown.
    pub(in super::super) loaded: BTreeSet<String>,
    /// Every text of the request, tools left out.
    pub(in super::super) texts: Vec<String>,
}

impl Seen {
    pub(super) fn new(body: &Value) -> Seen {
        let all = body.as_object().into_iter().flatten();
        let talk = all.filter(|(key, _)| *key != "tools").map(|(_, value)| value);
        Seen { texts: talk.flat_map(all_strings).map(str::to_owned).collect(), ..Seen::default() }
    }

    pub(super) fn offer(&mut self, name: &Value, schema: &Value) -> &mut Offered {
        let name = name.as_str().unwrap_or_default().to_owned();
        self.tools.push(Offered { name, schema: schema.clone(), ..Offered::default() });
        self.tools.last_mut().expect("it was just put there")
    }

    pub(super) fn receive(&mut self, id: &Value, content: &Value) {
        let texts = all_strings(content).into_iter().map(str::to_owned).collect();
        let id = id.as_str().unwrap_or_default().to_owned();
        self.results.push(Returned { id, texts, pictures: pictures(content) });
    }

    /// Pictures that follow the last result, where an API cannot have them in it.
    pub(super) fn add_pictures(&mut self, content: &Value) {
        if let Some(last) = self.results.last_mut() {
            last.pictures += pictures(content);
        }
    }

    /// The tool that the client made of ours.
    pub(in super::super) fn find(&self, base: &str) -> Option<&Offered> {
        let ends = |tool: &&Offered| plain(&tool.name).ends_with(&plain(base));
        let found = self.tools.iter().filter(|tool| !tool.is_search).filter(ends);
        found.min_by_key(|tool| tool.name.len())
    }

    /// A tool of exactly one of these names.
    pub(in super::super) fn named(&self, names: &[&str]) -> Option<&Offered> {
        self.tools.iter().find(|tool| names.contains(&&*tool.name))
    }

    /// A name that ends like ours and is written somewhere, where the list of tools has it not.
    pub(in super::super) fn mentioned(&self, base: &str) -> Option<&str> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let words = self.texts.iter().flat_map(|text| text.split(move |c| !is_name(c)));
        words.filter(|word| word.contains("scenewright")).find(|word| word.ends_with(base))
    }
}

/// A name without what clients put between and behind its words: `scenewright_project_info_0a1b2c3d4e5f`.
fn plain(name: &str) -> String {
    let is_mark = |end: &str| end.len() >= 8 && end.bytes().all(|b| b.is_ascii_hexdigit());
    let name = match name.rsplit_once('_') {
        Some((start, end)) if is_mark(end) => start,
        _ => name,
    };
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Every text in a value.
pub(super) fn all_strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(all_strings).collect(),
        Value::Object(members) => members.values().flat_map(all_strings).collect(),
        _ => Vec::new(),
    }
}

/// How many pictures are in a value, as the APIs mark them.
fn pictures(value: &Value) -> usize {
    let kinds = ["image", "image_url", "input_image"];
    match value {
        Value::Array(items) => items.iter().map(pictures).sum(),
        Value::Object(members) => {
            let kind = members.get("type").and_then(Value::as_str);
            let data = ["inlineData", "inline_data"].iter().any(|key| members.contains_key(*key));
            match data || kind.is_some_and(|kind| kinds.contains(&kind)) {
                true => 1,
                false => members.values().map(pictures).sum(),
            }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_our_tools_under_their_new_names() {
        for name in [
            "project_info",
            "mcp__scenewright__project_info",
            "scenewright-project_info",
            "scenewright_project_info_0a1b2c3d4e5f",
        ] {
            let mut seen = Seen::new(&json!({}));
            seen.offer(&json!("info"), &json!({}));
            seen.offer(&json!(name), &json!({}));
            assert_eq!(seen.find("project_info").map(|tool| &*tool.name), Some(name));
            assert_eq!(seen.find("project_check"), None);
        }
    }

    #[test]
    fn counts_pictures_and_gathers_texts() {
        let content = json!([{ "type": "text", "text": "a" }, { "type": "image", "data": "b" }, { "inlineData": {} }]);
        assert_eq!(pictures(&content), 2);
        assert_eq!(all_strings(&content), ["text", "a", "image", "b"]);
    }
}
