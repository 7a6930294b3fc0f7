//! Prompts are about the projects that are open.

use scenewright_contract::prompt::PromptValues;
use scenewright_fixture::sample;
use scenewright_toolkit::{Settings, prompts};
use scenewright_tools::{new_runner, open};

fn listed(samples: &[&str]) -> Vec<&'static str> {
    let folders: Vec<_> = samples.iter().map(|name| sample(name)).collect();
    let runner = new_runner(open(&folders).unwrap(), Settings::default(), None, &[]);
    runner.prompts().iter().map(|prompt| prompt.name).collect()
}

#[test]
fn prompts_are_those_of_the_open_engines() {
    let common = ["project_overview", "find_the_right_tool", "explain_tool"];
    assert_eq!(listed(&["unity"]), common);
    let godot = listed(&["godot"]);
    assert!(godot.starts_with(&common) && godot.contains(&"debug_script"), "{godot:?}");
    assert_eq!(listed(&["unity", "godot"]), godot);
}

#[test]
fn the_right_tool_is_in_the_prompt_with_a_call() {
    let plan = |engine: &str, task: &str| {
        let runner = new_runner(open(&[sample(engine)]).unwrap(), Settings::default(), None, &[]);
        let values = PromptValues::from([("task".to_owned(), task.to_owned())]);
        prompts::fill(&runner, "find_the_right_tool", &values).unwrap()
    };
    let text = plan("unity", "who uses this material");
    assert!(text.contains("- `unity`, a Unity project in "), "{text}");
    assert!(text.contains("- `asset_usages("), "{text}");
    assert!(text.contains(r#"{"tool":"asset_usages","arguments":{"#), "{text}");
    assert!(!text.contains("`find_usages("), "that is Godot's: {text}");
    let text = plan("godot", "add a node");
    assert!(text.contains("- `add_node(") && text.contains("Needs --allow-writes."), "{text}");
}
