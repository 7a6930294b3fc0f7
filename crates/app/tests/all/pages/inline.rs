//! Commands in running text: each is one that this program has, with options that it has.

use clap::CommandFactory;
use scenewright::cli::Cli;

use super::blocks::prose;
use super::pages;

/// What is wrong with a command, if anything. Words in capitals stand for what a reader puts there.
fn wrong(words: &[&str]) -> Option<String> {
    let mut all = Cli::command();
    all.build();
    let mut command = &all;
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.peek() {
        let Some(below) = command.find_subcommand(word) else { break };
        command = below;
        words.next();
    }
    let rest: Vec<&str> = words.collect();
    let is_bare = std::ptr::eq(command, &all);
    if let Some(word) = rest.first().filter(|word| is_bare && !word.starts_with('-')) {
        return Some(format!("there is no command {word}"));
    }
    let options = rest.iter().take_while(|word| **word != "--" && !["|", "&&", ">"].contains(word));
    for option in options.filter_map(|word| word.strip_prefix("--")) {
        let name = option.split(['=', '|', ']', ')']).next().unwrap_or_default();
        let known = command.get_arguments().any(|one| one.get_long() == Some(name));
        if !known && !["help", "version"].contains(&name) {
            return Some(format!("{} has no option --{name}", command.get_name()));
        }
    }
    None
}

#[test]
fn commands_in_running_text_are_there() {
    let (mut count, mut bad) = (0, Vec::new());
    for page in pages() {
        for code in prose(&page.text).replace('\n', " ").split('`').skip(1).step_by(2) {
            let Some(rest) = code.strip_prefix("scenewright ") else { continue };
            let words: Vec<&str> = rest.split_whitespace().collect();
            bad.extend(wrong(&words).map(|why| format!("{}: `{code}`: {why}", page.name)));
            count += 1;
        }
    }
    assert_eq!(bad, Vec::<String>::new());
    assert!(count > 30, "{count}");
}

#[test]
fn what_is_not_there_is_said() {
    let check = |line: &str| wrong(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(check("tools list --dialect mcp"), None);
    assert_eq!(check("install CLIENT --dry-run"), None);
    assert!(check("instal zed").unwrap().contains("no command instal"));
    assert!(check("check --chnged").unwrap().contains("no option --chnged"));
}
