//! `docs/tools.md` with its pages and `docs/rules.md`, rendered from the one list and from the tables of rules.

use std::fmt::Write;

use scenewright_contract::definition::Definition;
use scenewright_contract::tool::first_sentence;
use scenewright_contract::{Runs, Safety, ToolInfo};
use scenewright_toolkit::Runner;
use serde_json::Value;

use crate::GROUPS;

/// The group that only clients of the Unity Explorer interface use.
const OLDER: &str = "explorer";

/// The reference of every tool that ships, as paths in the repository with their text: a page that lists
/// the tools, and a page for each group.
pub fn render(runner: &Runner) -> Vec<(String, String)> {
    let catalog = runner.catalog();
    let mut pages = vec![("docs/tools.md".to_owned(), index(&catalog))];
    for group in GROUPS {
        let mut page = format!(
            "# {}\n\n{}.\n\nGenerated from the tool list; refresh it with `cargo xtask docs`.\n",
            group.name, group.about
        );
        for tool in catalog.iter().filter(|tool| tool.toolset == group.name) {
            render_tool(&mut page, tool);
        }
        pages.push((format!("docs/{}", page_of(group.name)), page));
    }
    pages
}

/// The page of a group, from the folder of the book.
fn page_of(group: &str) -> String {
    format!("tools/{group}.md")
}

/// A line for each tool.
fn index(catalog: &[&ToolInfo]) -> String {
    let mut page = String::from(
        "# Tools\n\nGenerated from the tool list; refresh it with `cargo xtask docs`.\n\n\
         Each group has a page with the arguments, the output and examples of its tools. The search of the book (the\n\
         magnifying glass, or the key S) finds tools by name and by what they say; `tools_search` and\n\
         `scenewright call tools_search query='...'` find them by what they do.\n\n\
         Tools marked • are in the default list of standard MCP clients; the others are found with\n\
         `tools_search`, listed with `--toolsets`, and can always be called by name.\n\n\
         An argument takes at most 4,096 characters (4,194,304 where it is the content of a file),\n\
         1,000 items or 1,000 members, unless its schema says another number.\n",
    );
    for group in GROUPS.iter().filter(|group| group.name != OLDER) {
        let _ =
            write!(page, "\n## [{}]({})\n\n{}.\n\n", group.name, page_of(group.name), group.about);
        for tool in catalog.iter().filter(|tool| tool.toolset == group.name) {
            let mark = if tool.lean { " •" } else { "" };
            let about = first_sentence(&tool.words.description).replace('\n', " ");
            let link = format!("{}#{}", page_of(group.name), anchor(tool.id));
            let _ = writeln!(page, "- [`{}`]({link}){mark}: {about}", tool.mcp_name);
        }
    }
    let _ = write!(
        page,
        "\n## Older protocols\n\nThe tools of the Unity Explorer interface have [a page of their own]({}).\n",
        page_of(OLDER)
    );
    page
}

/// How a heading is named in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c));
    kept.collect::<String>().to_lowercase()
}

/// The contents of the book, with the pages of the groups below that of the tools.
pub fn contents(contents: &str) -> String {
    let mut lines: Vec<String> = contents.lines().map(str::to_owned).collect();
    lines.retain(|line| {
        !line.starts_with("  - [") || !line.contains("](tools/") || line.contains(&page_of(OLDER))
    });
    if let Some(at) = lines.iter().position(|line| line == "- [Tools](tools.md)") {
        let groups = GROUPS.iter().filter(|group| group.name != OLDER);
        let pages = groups.map(|group| format!("  - [{}]({})", group.name, page_of(group.name)));
        lines.splice(at + 1..at + 1, pages);
    }
    lines.join("\n") + "\n"
}

fn render_tool(page: &mut String, tool: &ToolInfo) {
    let _ = write!(page, "\n## {}\n\n{}\n", tool.id, tool.words.description);
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
        "; {}, timeout {} s",
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
