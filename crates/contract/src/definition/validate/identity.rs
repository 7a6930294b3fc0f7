//! The fields that say what a tool is: id, name, description, category, safety level and tier.

use serde_json::Value;

use super::words::{choices, quoted, sentences, title_cased};
use super::{Cx, Profile, Rule};
use crate::JsonMap;

const CATEGORIES: [&str; 6] = ["mcp.platform", "project", "scene", "asset", "audio", "editor"];

const SAFETY_LEVELS: [&str; 3] = ["read-only", "safe-write", "destructive"];

/// Spec 003's tiers, then the names that the later packages use for them.
const TIERS: [&str; 9] =
    ["core", "tier1", "tier2", "tier3", "tier4", "pro", "studio", "enterprise", "base"];

pub(super) fn check_id<'a>(cx: &mut Cx<'a>, at: &str, value: &'a Value) {
    let Some(id) = cx.text(at, value) else { return };
    check_id_segments(cx, at, id);
    check_dotted_characters(cx, at, id);
    check_id_case(cx, at, id);
    check_id_is_new(cx, at, id);
}

fn check_id_segments(cx: &mut Cx<'_>, at: &str, id: &str) {
    if !id.contains('.') {
        let message =
            format!("{} has no dot; write category.action, such as \"scene.list\"", quoted(id));
        cx.error(at, Rule::Constraint, message);
    }
    check_no_empty_segment(cx, at, id);
}

fn check_no_empty_segment(cx: &mut Cx<'_>, at: &str, dotted: &str) {
    if dotted.split('.').any(str::is_empty) {
        let message = format!(
            "{} has an empty segment; write one dot between words and none at the ends",
            quoted(dotted)
        );
        cx.error(at, Rule::Constraint, message);
    }
}

fn check_dotted_characters(cx: &mut Cx<'_>, at: &str, dotted: &str) {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    if let Some(other) = dotted.chars().find(|c| !allowed(*c)) {
        let message = format!(
            "{} holds {other:?}; use only letters, digits, dots and hyphens",
            quoted(dotted)
        );
        cx.error(at, Rule::Constraint, message);
    }
}

fn check_id_case(cx: &mut Cx<'_>, at: &str, id: &str) {
    if cx.profile == Profile::V01 {
        return check_lowercase(cx, at, id);
    }
    let capital = |segment: &&str| segment.starts_with(char::is_uppercase);
    if let Some(segment) = id.split('.').find(capital) {
        let message =
            format!("segment {} starts with a capital; prefer camelCase", quoted(segment));
        cx.warn(at, Rule::Advice, message);
    }
}

fn check_lowercase(cx: &mut Cx<'_>, at: &str, text: &str) {
    let lower = text.to_lowercase();
    if lower != text {
        let message =
            format!("{} is not lowercase; spec v0.1 wants it so: {}", quoted(text), quoted(&lower));
        cx.error(at, Rule::Constraint, message);
    }
}

fn check_id_is_new<'a>(cx: &mut Cx<'a>, at: &str, id: &'a str) {
    let Some((source, pointer)) = cx.ids.get(id) else {
        cx.ids.insert(id, (cx.source, at.to_owned()));
        return;
    };
    let message =
        format!("{} is already the id at {source}#{pointer}; give each tool its own", quoted(id));
    cx.error(at, Rule::IdUniqueness, message);
}

pub(super) fn check_name(cx: &mut Cx<'_>, at: &str, value: &Value) {
    let Some(name) = cx.text(at, value) else { return };
    let length = name.chars().count();
    if length >= 50 {
        let message = format!("{length} characters long; prefer fewer than 50");
        cx.warn(at, Rule::Advice, message);
    }
    if let Some(title) = title_cased(name) {
        let message = format!("{} is not in title case; write {}", quoted(name), quoted(&title));
        cx.warn(at, Rule::Advice, message);
    }
}

pub(super) fn check_description(cx: &mut Cx<'_>, at: &str, value: &Value) {
    let Some(description) = cx.text(at, value) else { return };
    let count = sentences(description);
    if count > 3 {
        let message = format!("{count} sentences; write one to three and put the rest in notes");
        cx.warn(at, Rule::Advice, message);
    }
}

pub(super) fn check_category(cx: &mut Cx<'_>, at: &str, value: &Value, definition: &JsonMap) {
    let Some(category) = cx.text(at, value) else { return };
    check_no_empty_segment(cx, at, category);
    check_dotted_characters(cx, at, category);
    if cx.profile == Profile::Open {
        return;
    }
    check_lowercase(cx, at, category);
    if is_standard(&category.to_lowercase()) {
        check_id_agrees(cx, at, category, definition);
    } else {
        let hint = category_hint(category);
        let message = format!("{} is not a standard category; {hint}", quoted(category));
        cx.error(at, Rule::CategoryValidity, message);
    }
}

/// Whether `category` is on the list or below an entry of it, as `audio.mixer` is.
fn is_standard(category: &str) -> bool {
    CATEGORIES.iter().any(|standard| {
        category
            .strip_prefix(standard)
            .is_some_and(|below| below.is_empty() || below.starts_with('.'))
    })
}

fn category_hint(category: &str) -> String {
    let first = |dotted: &str| dotted.split('.').next().unwrap_or(dotted).to_lowercase();
    match CATEGORIES.iter().find(|standard| first(standard) == first(category)) {
        Some(same_root) => format!("did you mean {same_root:?}?"),
        None => choices(category, CATEGORIES),
    }
}

/// The spec's ids are `category.action`; only the first words agree in its own list.
fn check_id_agrees(cx: &mut Cx<'_>, at: &str, category: &str, definition: &JsonMap) {
    let Some(id) = definition.get("id").and_then(Value::as_str) else { return };
    let first = |dotted: &str| dotted.split('.').next().unwrap_or(dotted).to_lowercase();
    if id.contains('.') && first(id) != first(category) {
        let message = format!(
            "the id {} starts with another category than {}; make the first words agree",
            quoted(id),
            quoted(category)
        );
        cx.warn(at, Rule::Advice, message);
    }
}

pub(super) fn check_safety_level(cx: &mut Cx<'_>, at: &str, value: &Value) {
    check_choice(cx, at, value, &SAFETY_LEVELS);
}

pub(super) fn check_tier(cx: &mut Cx<'_>, at: &str, value: &Value) {
    check_choice(cx, at, value, &TIERS);
}

/// In v0.1 only the first of `known` is allowed.
fn check_choice(cx: &mut Cx<'_>, at: &str, value: &Value, known: &[&str]) {
    let Some(text) = cx.text(at, value) else { return };
    let (first, _) = known.split_at(1);
    let allowed = if cx.profile == Profile::V01 { first } else { known };
    if allowed.contains(&text) {
        return;
    }
    let message = if known.contains(&text) {
        format!("{} is not in spec v0.1; {}", quoted(text), choices("", allowed.iter().copied()))
    } else {
        let hint = choices(text, allowed.iter().copied());
        format!("{} is not a known value; {hint}", quoted(text))
    };
    cx.error(at, Rule::SafetyCompliance, message);
}
