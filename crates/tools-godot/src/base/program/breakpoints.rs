//! Lines that a debugger can stop at. Godot's own believes any line and then never stops.

use scenewright_contract::{ErrorKind, ToolError};

use super::OpenScript;

/// Refuse a line at which the engine would never stop.
pub fn check_breakpoint(script: &OpenScript, line: usize) -> Result<(), ToolError> {
    let stops = stops(&script.text);
    if stops.contains(&line) {
        return Ok(());
    }
    let lines = script.text.lines().count();
    let problem = match line {
        line if line == 0 || line > lines => format!("{} has {lines} lines", script.path),
        _ => format!("line {line} of {} has no statement to stop at", script.path),
    };
    let error = ToolError::new(ErrorKind::BadArguments, problem);
    let next = stops.iter().find(|stop| **stop > line).or(stops.last());
    Err(match next {
        Some(next) => error.hint(format!("line {next} has one")),
        None => error.hint("the script has none at all"),
    })
}

/// The first lines of all statements in functions, and of values that variables begin with.
fn stops(text: &str) -> Vec<usize> {
    let mut stops = Vec::new();
    // How far the function is indented whose body is being read.
    let mut function: Option<usize> = None;
    let mut depth = 0_i64;
    let mut goes_on = false;
    for (number, code) in (1..).zip(scenewright_godot::code_lines(text)) {
        let trimmed = code.trim();
        let is_first = depth == 0 && !goes_on;
        depth += count(trimmed, &['(', '[', '{']) - count(trimmed, &[')', ']', '}']);
        depth = depth.max(0);
        if trimmed.is_empty() {
            continue;
        }
        goes_on = trimmed.ends_with('\\');
        if !is_first {
            continue;
        }
        let indent = code.len() - code.trim_start().len();
        function = function.filter(|outer| indent > *outer);
        let word = trimmed.split(|char: char| !char.is_alphanumeric() && char != '_').next();
        let is_declared = trimmed.starts_with("func ") || trimmed.starts_with("static func ");
        if is_declared {
            function = Some(indent);
        } else if function.is_some() {
            // `else:` is a label, and an annotation is nothing that runs.
            let is_label = trimmed.starts_with("else:") && trimmed.len() == 5;
            if !is_label && !trimmed.starts_with('@') {
                stops.push(number);
            }
        } else if word == Some("var") && trimmed.contains('=')
            || trimmed.starts_with("@onready var")
        {
            stops.push(number);
        }
    }
    stops
}

fn count(text: &str, of: &[char]) -> i64 {
    text.chars().filter(|char| of.contains(char)).count() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_lines_to_stop_at_and_nothing_else_is() {
        let text = "extends Node\n# a\nvar a\nvar b = 2\n\nfunc f(\n\t\tx\n):\n\tif x: # c\n\t\tg(\n\t\t\t1)\n\telse:\n\t\tpass\n\n\tvar s = \"\"\"\nfunc no():\n\"\"\"\n\nclass C:\n\tvar y\n\tfunc h():\n\t\treturn\n";
        assert_eq!(stops(text), [4, 9, 10, 13, 15, 22]);
        assert_eq!(stops(""), [0; 0]);
    }
}
