//! Prepared questions, filled with facts of the open project, and completions for their blanks:
//! whatever the packs provide.

use std::sync::Arc;

use scenewright_contract::echo::brief;
use scenewright_contract::prompt::{CompletionOf, PromptInfo, PromptValues};
use scenewright_contract::{ErrorKind, ToolError, suggest};

use crate::Runner;
use crate::pack::Pack;

/// At most this many completions are returned; MCP allows no more.
pub const MAX_COMPLETIONS: usize = 100;

/// The text of a prompt with its blanks filled.
pub fn fill(runner: &Arc<Runner>, name: &str, values: &PromptValues) -> Result<String, ToolError> {
    let (pack, prompt) = find(runner, name).ok_or_else(|| unknown(runner, name))?;
    for argument in prompt.arguments.iter().filter(|argument| argument.required) {
        if values.get(argument.name).is_none_or(|value| value.trim().is_empty()) {
            return Err(ToolError::new(
                ErrorKind::BadEnvelope,
                format!(
                    "prompt {name} needs the argument '{}': {}",
                    argument.name, argument.description
                ),
            ));
        }
    }
    pack.fill(runner, &prompt, values).map_err(as_bad_request)
}

/// A prompt whose blank names something that is not there is a bad request, not a missing resource.
fn as_bad_request(error: ToolError) -> ToolError {
    match error.kind {
        ErrorKind::EngineError
        | ErrorKind::BadArguments
        | ErrorKind::UnknownTool
        | ErrorKind::ResourceNotFound => ToolError { kind: ErrorKind::BadEnvelope, ..error },
        _ => error,
    }
}

fn find<'r>(runner: &'r Runner, name: &str) -> Option<(&'r dyn Pack, PromptInfo)> {
    runner.packs().find_map(|pack| {
        let prompt = pack.prompts().into_iter().find(|prompt| prompt.name == name)?;
        Some((pack, prompt))
    })
}

fn unknown(runner: &Runner, name: &str) -> ToolError {
    let known = runner.prompts();
    let known = known.iter().map(|prompt| prompt.name);
    ToolError::new(ErrorKind::BadEnvelope, format!("no prompt is called '{}'", brief(name)))
        .hint(suggest::did_you_mean(name, known, "prompts/list names them"))
}

/// Values that begin with what was typed, for a blank of a prompt or a template. `others` are the
/// blanks that are filled already.
pub fn complete(
    runner: &Runner,
    of: CompletionOf<'_>,
    argument: &str,
    typed: &str,
    others: &PromptValues,
) -> Result<Vec<String>, ToolError> {
    let (owner, has_blank) = match of {
        CompletionOf::Prompt(name) => {
            let (pack, prompt) = find(runner, name).ok_or_else(|| unknown(runner, name))?;
            (pack, prompt.arguments.iter().any(|known| known.name == argument))
        }
        CompletionOf::Template(uri) => {
            let mut packs = runner.packs();
            let pack = packs.find(|pack| pack.templates().iter().any(|known| known.uri == uri));
            let pack = pack.ok_or_else(|| unknown_template(runner, uri))?;
            (pack, uri.contains(&format!("{{{argument}}}")))
        }
    };
    if !has_blank {
        return Ok(Vec::new());
    }
    let mut values = owner.complete(runner, of, argument, others);
    let plain = |text: &str| text.to_lowercase().replace('.', "_");
    let typed = plain(typed.strip_prefix("res://").unwrap_or(typed));
    // Of a path people know the last name best.
    let fits = |value: &str| value.starts_with(&typed) || last_name(value).starts_with(&typed);
    values.retain(|value| fits(&plain(value)));
    values.sort();
    values.dedup();
    Ok(values)
}

fn unknown_template(runner: &Runner, uri: &str) -> ToolError {
    let known = runner.templates().iter().map(|template| template.uri);
    ToolError::new(ErrorKind::BadEnvelope, format!("no template has the URI '{}'", brief(uri)))
        .hint(suggest::did_you_mean(uri, known, "resources/templates/list names them"))
}

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
