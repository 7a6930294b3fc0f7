//! What earlier steps of a batch answered, and where later ones use it: `$1.nodePath` as a whole
//! value keeps its type, `${1.nodePath}` stands inside of a text.

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use serde_json::Value;

/// Members that are listed where none is near to the one that was asked for.
const MAX_LISTED: usize = 20;

/// What each step answered so far; nothing where it failed.
#[derive(Default)]
pub(super) struct Answers(Vec<(Option<String>, Option<Value>)>);

impl Answers {
    /// The answer of the next step.
    pub(super) fn add(&mut self, name: Option<String>, answer: Option<Value>) {
        self.0.push((name, answer));
    }

    /// Arguments with answers in the places that ask for them.
    pub(super) fn fill(&self, mut arguments: JsonMap) -> Result<JsonMap, ToolError> {
        arguments.values_mut().try_for_each(|value| self.fill_value(value))?;
        Ok(arguments)
    }

    fn fill_value(&self, value: &mut Value) -> Result<(), ToolError> {
        match value {
            Value::String(text) if text.contains('$') => *value = self.read(text)?,
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.fill_value(item))?,
            Value::Object(members) => {
                members.values_mut().try_for_each(|member| self.fill_value(member))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn read(&self, text: &str) -> Result<Value, ToolError> {
        if let Some(path) = text.strip_prefix('$').filter(|path| is_path(path)) {
            return self.find(path).cloned();
        }
        let is_escaped = text.starts_with("$$") && !text.starts_with("$${");
        let mut rest = if is_escaped { &text[1..] } else { text };
        let mut filled = String::with_capacity(text.len());
        while let Some(at) = rest.find("${") {
            let before = &rest[..at];
            let after = &rest[at + 2..];
            // The escaped mark at the beginning is plain already.
            let is_plain = before.ends_with('$') && !(is_escaped && filled.is_empty() && at == 1);
            if is_plain {
                filled.push_str(before);
                filled.push('{');
                rest = after;
                continue;
            }
            let Some(end) = after.find('}').filter(|end| is_path(&after[..*end])) else {
                let what = brief(&rest[at..]).into_owned();
                return Err(bad(&what, "is no answer of a step: ${1.name} is meant")
                    .hint("write $${ for the text itself"));
            };
            filled.push_str(before);
            filled.push_str(&as_text(&after[..end], self.find(&after[..end])?)?);
            rest = &after[end + 1..];
        }
        filled.push_str(rest);
        Ok(Value::String(filled))
    }

    fn find(&self, path: &str) -> Result<&Value, ToolError> {
        let mut parts = path.split('.');
        let step = parts.next().unwrap_or_default();
        let mut found = self.step(path, step)?;
        for part in parts {
            let member = match found {
                Value::Object(members) => members.get(part),
                Value::Array(items) => part.parse().ok().and_then(|at: usize| items.get(at)),
                _ => None,
            };
            found = member.ok_or_else(|| absent(path, part, found))?;
        }
        Ok(found)
    }

    fn step(&self, path: &str, step: &str) -> Result<&Value, ToolError> {
        let by_name = || self.0.iter().rposition(|(name, _)| name.as_deref() == Some(step));
        let number = match step.parse::<usize>() {
            Ok(number) => number.checked_sub(1),
            Err(_) => by_name(),
        };
        match number.and_then(|at| self.0.get(at)) {
            Some((_, Some(answer))) => Ok(answer),
            Some((_, None)) => Err(bad(&dollar(path), &format!("uses step {step}, which failed"))),
            None => {
                let names: Vec<&str> =
                    self.0.iter().filter_map(|(name, _)| name.as_deref()).collect();
                let otherwise = match (self.0.len(), names.as_slice()) {
                    (0, _) => "this is the first step".to_owned(),
                    (1, []) => "before this one there is step 1".to_owned(),
                    (count, []) => format!("before this one there are the steps 1 to {count}"),
                    (count, names) => {
                        format!(
                            "before this one there are 1 to {count}, named {}",
                            names.join(", ")
                        )
                    }
                };
                let hint = suggest::did_you_mean(step, names, &otherwise);
                Err(bad(&dollar(path), "is no answer of an earlier step").hint(format!(
                    "{hint}; write $$ at the beginning for a text that begins with $"
                )))
            }
        }
    }
}

/// Whether this may be the name of a step and of something in its answer.
fn is_path(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    };
    text.split('.').all(is_part)
}

fn as_text(path: &str, value: &Value) -> Result<String, ToolError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
        Value::Null => Err(bad(&dollar(path), "is null, which has no place inside of a text")),
        Value::Array(_) => {
            Err(bad(&dollar(path), "is a list, which has no place inside of a text"))
        }
        Value::Object(_) => {
            Err(bad(&dollar(path), "is an object, which has no place inside of a text"))
        }
    }
}

fn absent(path: &str, part: &str, found: &Value) -> ToolError {
    let part = brief(part);
    let error = bad(&dollar(path), &format!("is not there: the step answered no '{part}'"));
    match found {
        Value::Object(members) => {
            let names = members.keys().map(String::as_str);
            let some: Vec<&str> = names.clone().take(MAX_LISTED).collect();
            let otherwise = format!("there is {}", some.join(", "));
            error.hint(suggest::did_you_mean(&part, names, &otherwise))
        }
        Value::Array(items) => error.hint(format!("there are {} items, from 0", items.len())),
        other => error.hint(format!("there is {}", brief(&other.to_string()))),
    }
}

fn dollar(path: &str) -> String {
    format!("${}", brief(path))
}

fn bad(what: &str, problem: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("{what} {problem}"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(text: &str, expected: Expect) {
        let mut answers = Answers::default();
        let made = json!({ "nodePath": "A/B", "count": 2, "items": [{ "name": "x" }, null] });
        answers.add(Some("made".to_owned()), Some(made));
        answers.add(None, None);
        let arguments = JsonMap::from_iter([("value".to_owned(), json!([text]))]);
        expected.assert_eq(&match answers.fill(arguments) {
            Ok(filled) => filled["value"][0].to_string(),
            Err(error) => error.text(),
        });
    }

    #[test]
    fn a_whole_value_keeps_its_type() {
        check("$1.nodePath", expect![[r#""A/B""#]]);
        check("$made.count", expect!["2"]);
        check("$made.items.0", expect![[r#"{"name":"x"}"#]]);
        check("$1", expect![[r#"{"nodePath":"A/B","count":2,"items":[{"name":"x"},null]}"#]]);
    }

    #[test]
    fn inside_of_a_text_it_is_text() {
        check("${made.nodePath}/C${1.count}", expect![[r#""A/B/C2""#]]);
        check(
            "${1.items}",
            expect![[r#"$1.items is a list, which has no place inside of a text"#]],
        );
    }

    #[test]
    fn other_marks_stay() {
        check("costs 5$ or $5.", expect![[r#""costs 5$ or $5.""#]]);
        check("$Timer.start()", expect![[r#""$Timer.start()""#]]);
        check("$$5", expect![[r#""$5""#]]);
        check("$$$", expect![[r#""$$""#]]);
        check("a $${b} ${1.count}", expect![[r#""a ${b} 2""#]]);
        check("$${b}", expect![[r#""${b}""#]]);
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        check(
            "$1.nodPath",
            expect![[r#"
                $1.nodPath is not there: the step answered no 'nodPath'
                Try: did you mean nodePath?"#]],
        );
        check(
            "$made.zzz",
            expect![[r#"
                $made.zzz is not there: the step answered no 'zzz'
                Try: there is nodePath, count, items"#]],
        );
        check(
            "$1.items.7",
            expect![[r#"
                $1.items.7 is not there: the step answered no '7'
                Try: there are 2 items, from 0"#]],
        );
        check("$2.x", expect!["$2.x uses step 2, which failed"]);
        check(
            "$mad.x",
            expect![[r#"
                $mad.x is no answer of an earlier step
                Try: did you mean made?; write $$ at the beginning for a text that begins with $"#]],
        );
        check(
            "$3",
            expect![[r#"
                $3 is no answer of an earlier step
                Try: before this one there are 1 to 2, named made; write $$ at the beginning for a text that begins with $"#]],
        );
        check(
            "a ${b c}",
            expect![[r#"
                ${b c} is no answer of a step: ${1.name} is meant
                Try: write $${ for the text itself"#]],
        );
    }
}
