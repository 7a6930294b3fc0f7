//! `docs/tools.md` and `docs/rules.md`, rendered from the one list and from the tables of rules.

use std::fmt::Write;

use scenewright_contract::definition::Definition;
use scenewright_contract::{Runs, Safety, ToolInfo};
use scenewright_toolkit::Runner;
use serde_json::Value;

use crate::GROUPS;

/// The reference page of every tool that ships.
pub fn render(runner: &Runner) -> String {
    let mut page = String::from(
        "# Tools\n\nGenerated from the tool list; refresh it with `cargo xtask docs`.\n\
         Tools marked • are in the default list of standard MCP clients; the others are found with\n\
         `tools_search`, listed with `--toolsets`, and can always be called by name.\n\n\
         An argument takes at most 4,096 characters (4,194,304 where it is the content of a file),\n\
         1,000 items or 1,000 members, unless its schema says another number.\n",
    );
    let catalog = runner.catalog();
    for group in GROUPS {
        let _ = write!(page, "\n## {}\n\n{}.\n", group.name, group.about);
        for tool in catalog.iter().filter(|tool| tool.toolset == group.name) {
            render_tool(&mut page, tool);
        }
    }
    page
}

fn render_tool(page: &mut String, tool: &ToolInfo) {
    let mark = if tool.lean { " •" } else { "" };
    let _ = write!(page, "\n### {}{mark}\n\n{}\n", tool.id, tool.words.description);
    if let Some(notes) = tool.notes {
        let _ = write!(page, "\n{notes}\n");
    }
    let _ = write!(page, "\nMCP name `{}`", tool.mcp_name);
    if let Some(explorer) = tool.explorer {
        let _ = write!(page, ", Explorer name `{explorer}`");
    }
    if !tool.aliases.is_empty() {
        let _ = write!(page, ", also `{}`", tool.aliases.join("`, `"));
    }
    let _ = write!(
        page,
        "; category {}, tier {}, {}, timeout {} s",
        tool.category,
        tool.tier.as_str(),
        match (tool.runs, tool.safety) {
            (Runs::No, safety) => safety.as_str().to_owned(),
            (Runs::Only, _) => "runs the engine".to_owned(),
            (Runs::AndWrites, safety) => format!("runs the engine, {}", safety.as_str()),
        },
        tool.limits.timeout.as_secs()
    );
    if let Some(guard) = tool.limits.time_guard {
        let _ = write!(page, ", partial results after {} s", guard.as_secs());
    }
    if let Some(most) = tool.limits.max_items {
        let _ = write!(page, ", at most {most} items");
    }
    if tool.safety != Safety::ReadOnly && tool.idempotent {
        page.push_str(", idempotent");
    }
    page.push_str(".\n");
    let definition = Definition::of(tool);
    render_table(page, "Argument", &definition.inputs);
    render_table(page, "Output", &definition.outputs);
    for example in &tool.words.examples {
        let _ = write!(page, "\n{}: `{}`\n", example.description, example.input);
    }
}

fn render_table(page: &mut String, what: &str, properties: &scenewright_contract::JsonMap) {
    if properties.is_empty() {
        return;
    }
    let _ = write!(page, "\n| {what} | Type | |\n|---|---|---|\n");
    for (name, property) in properties {
        let text = |key: &str| property.get(key).and_then(Value::as_str).unwrap_or("");
        let mut about = text("description").replace('|', "\\|").replace('\n', " ");
        if property.get("required") == Some(&Value::Bool(true)) {
            about = format!("**Required.** {about}");
        }
        if let Some(default) = property.get("default") {
            let _ = write!(about, " Default `{default}`.");
        }
        let _ = writeln!(page, "| `{name}` | {} | {} |", text("type"), about.trim());
    }
}

/// The rules of `check` as a page.
pub fn render_rules() -> String {
    let mut page = String::from(
        "# What `check` looks for\n\n\
         Made from the code by `cargo xtask docs`. `scenewright check --explain RULE` shows the same.\n\n\
         An **error** is wrong for certain; a **warning** is probably wrong, or cannot be known from the\n\
         files that are here; **info** is usually harmless and shown with `--all`. A team sets its own in\n\
         the `scenewright.toml` of the project:\n\n\
         ```toml\n[check]\nexclude = [\"Assets/ThirdParty/**\"]\n\n[check.rules]\nasset-without-meta = \"error\"\nlfs-pointer = \"off\"\n```\n",
    );
    for engine in crate::ENGINES {
        page.push_str(&format!("\n## {}\n", engine.title));
        for rule in (engine.rules)() {
            page.push_str(&format!(
                "\n### {}\n\n{} ({}). {}\n\n{}\n",
                rule.id,
                rule.title,
                rule.severity.as_str(),
                rule.about,
                rule.help
            ));
        }
    }
    page
}
