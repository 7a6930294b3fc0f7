//! Arguments against a tool's schema, before it runs: every problem at once, sorted into the three
//! lists of spec 000 (missing parameters, type mismatches, constraint violations).

pub mod check;
mod respell;
pub mod spellings;

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use serde_json::{Value, json};

use self::check::{Fault, Rule};
use self::respell::Members;

/// What a tool takes: its input schema, compiled, and other names of its own for what is in it.
pub struct Arguments {
    rule: Rule,
    schema: JsonMap,
    aliases: &'static [(&'static str, &'static str)],
}

/// Arguments that every tool takes, and that stand in no schema.
const OF_EVERY_TOOL: [&str; 5] = ["confirm", "cursor", "diff", "maxTokens", "max_tokens"];

impl Arguments {
    /// Compile `schema`; ours are valid, which the table test proves. `aliases` are other names for its
    /// properties: `("toolId", "tool")` reads `toolId` as `tool`.
    pub fn new(
        schema: &JsonMap,
        aliases: &'static [(&'static str, &'static str)],
    ) -> Result<Self, ToolError> {
        let rule = Rule::of(schema).map_err(|problem| {
            let message = format!("the tool's own schema is bad: {problem}");
            ToolError::new(ErrorKind::Internal, message)
        })?;
        Ok(Self { rule, schema: schema.clone(), aliases })
    }

    /// Read what callers write as what is meant: other words for an argument, `snake_case` as
    /// `camelCase` and the other way round; `null` for what is left out; `2.0` as the whole number that
    /// it is; words of a list in any case; and JSON that was given as a string.
    pub fn respell(&self, arguments: &mut JsonMap) {
        self.take_nulls(arguments);
        for (from, to) in self.aliases {
            if let Some(value) = arguments.shift_remove(*from) {
                arguments.entry(*to).or_insert(value);
            }
        }
        if let Some(members) = self.members() {
            members.respell(arguments);
        }
    }

    /// Drop each `null` that stands for an argument that is left out.
    pub fn take_nulls(&self, arguments: &mut JsonMap) {
        let is_ours = |name: &str| {
            OF_EVERY_TOOL.contains(&name) || self.aliases.iter().any(|(from, _)| *from == name)
        };
        arguments.retain(|name, value| {
            let is_known =
                self.schema.get("properties").and_then(|known| known.get(name)).is_some();
            !value.is_null() || is_known || !is_ours(name)
        });
        if let Some(members) = self.members() {
            members.take_nulls(arguments);
        }
    }

    /// Drop each empty text that stands for an argument that is left out: some clients have their model give every
    /// argument. A tool that writes may be given one as a value, but no project or cursor has such a name.
    pub fn take_blanks(&self, arguments: &mut JsonMap, only_reads: bool) {
        const NEVER: [&str; 3] = ["project", "projectPath", "cursor"];
        let members = self.members();
        let may_go = |name: &str| match &members {
            Some(members) if only_reads => NEVER.contains(&name) || members.is_optional_text(name),
            _ => NEVER.contains(&name),
        };
        arguments.retain(|name, value| value != "" || !may_go(name));
    }

    /// What the tool takes. There can be nothing else.
    fn members(&self) -> Option<Members<'_>> {
        Members::of_object(&self.schema).map(Members::closed)
    }

    /// Check `arguments`; the error lists everything that is wrong.
    pub fn check(&self, arguments: &Value) -> Result<(), ToolError> {
        let mut problems = Problems::default();
        self.rule.check(arguments, "", &mut |at, fault| problems.add(at, fault));
        problems.into_result()
    }
}

#[derive(Default)]
struct Problems {
    texts: Vec<String>,
    missing: Vec<Value>,
    mismatches: Vec<Value>,
    violations: Vec<Value>,
    /// Problems beyond those that are told.
    more: usize,
}

/// So many problems are told; who has more can mend these first.
const MAX_PROBLEMS: usize = 50;

impl Problems {
    fn add(&mut self, parameter: &str, fault: Fault<'_, '_>) {
        if self.texts.len() == MAX_PROBLEMS {
            self.more += 1;
            return;
        }
        let parameter = &*brief(parameter);
        match fault {
            Fault::Missing(name) => {
                let name = join(parameter, name);
                self.texts.push(format!("{name} is required"));
                self.missing.push(json!(name));
            }
            Fault::Type { expected, actual } => {
                let actual = type_name(actual);
                let name = if parameter.is_empty() { "arguments" } else { parameter };
                self.texts.push(format!("{name} must be {expected}, not {actual}"));
                self.mismatches
                    .push(json!({ "parameter": name, "expected": expected, "actual": actual }));
            }
            Fault::Unknown(name, rule) => {
                let hint = suggest::did_you_mean_in_order(name, rule.names(), "no such parameter");
                let name = join(parameter, &brief(name));
                self.violation(&name, &format!("is not known: {hint}"));
            }
            Fault::NotOneOf(options, given) => {
                self.violation(parameter, &format!("must be {}", one_of(options, given)));
            }
            Fault::Below(limit) => {
                self.violation(parameter, &format!("must be at least {limit}"));
            }
            Fault::Above(limit) => {
                self.violation(parameter, &format!("must be at most {limit}"));
            }
            Fault::TooMany { noun, count, most } => {
                self.violation(
                    parameter,
                    &format!("has {count} {noun}s, at most {most} are taken"),
                );
            }
            Fault::Other(problem) => {
                self.violation(parameter, &format!("is not valid: {problem}"));
            }
        }
    }

    fn violation(&mut self, parameter: &str, problem: &str) {
        self.texts.push(format!("{parameter} {problem}"));
        self.violations.push(json!({ "parameter": parameter, "problem": problem }));
    }

    fn into_result(self) -> Result<(), ToolError> {
        if self.texts.is_empty() {
            return Ok(());
        }
        let mut message = format!("Invalid tool arguments: {}", self.texts.join("; "));
        if self.more > 0 {
            message.push_str(&format!("; and {} more problems", self.more));
        }
        let mut error = ToolError::new(ErrorKind::BadArguments, message);
        for (key, list) in [
            ("missingParameters", self.missing),
            ("typeMismatches", self.mismatches),
            ("constraintViolations", self.violations),
        ] {
            if !list.is_empty() {
                error = error.detail(key, list);
            }
        }
        Err(error)
    }
}

/// A few words as a sentence has them; more as the list that they are, those first that may be meant.
fn one_of(options: &Value, given: &Value) -> String {
    let words = options.as_array().filter(|words| words.len() <= 3).map(Vec::as_slice);
    match words {
        Some([only]) => only.to_string(),
        Some([a, b]) => format!("{a} or {b}"),
        Some([a, b, c]) => format!("{a}, {b} or {c}"),
        _ => format!("one of {}", nearest_first(options, given)),
    }
}

/// The rest keeps the order of the schema: sorted by how much their letters are alike, words that nobody
/// meant seem to come in another order with every call.
fn nearest_first(options: &Value, given: &Value) -> Value {
    let words = options.as_array().into_iter().flatten().map(Value::as_str);
    match (words.collect::<Option<Vec<&str>>>(), given.as_str()) {
        (Some(words), Some(given)) => {
            let near = suggest::nearest(given, words.iter().copied());
            let rest = words.iter().copied().filter(|word| !near.contains(word));
            json!(near.iter().copied().chain(rest).collect::<Vec<_>>())
        }
        _ => options.clone(),
    }
}

fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests;
