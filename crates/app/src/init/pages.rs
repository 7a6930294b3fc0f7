//! What `scenewright init` writes.

use super::{MARK, Member, Place};

/// The version of this program, which recipes name: another one may judge otherwise.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `scenewright.toml`: what a team may want to say, and nothing that changes anything.
pub(super) fn settings(project: &Member) -> String {
    let (third_party, rule, file) = match project.engine {
        "Godot" => ("addons/**", "godot-unused-resource", "levels/cave.tscn"),
        _ => ("Assets/ThirdParty/**", "script-name-differs", "Assets/Scripts/Door.cs"),
    };
    format!(
        "{MARK}; yours from now on. `scenewright config` shows what is in force.

# For `scenewright serve --config scenewright.toml`. Without that option nothing of it is read, so that
# a project cannot give anybody powers. The options are those of `scenewright serve --help`.
# toolsets = [\"project\"]
# refuse-while-open = true

# For `scenewright check`, always.
[check]
# Files that nobody here answers for.
exclude = [
    # \"{third_party}\",
]

# How bad the findings of a rule are: \"off\", \"info\", \"warning\" or \"error\".
# `scenewright check --explain` lists the rules.
[check.rules]
# {rule} = \"off\"

# One finding that is as it should be: a rule, where, and why.
# [[check.allow]]
# rule = \"{rule}\"
# file = \"{file}\"
# why = \"…\"
"
    )
}

/// A workflow of GitHub: remarks on the lines of a pull request, everything after a merge. What is in the
/// baseline is accepted in both.
pub(super) fn github(place: &Place) -> String {
    let check = |options: &str| command(place, options, "          ");
    let (changed, all) =
        (check(" --format github --changed-since \"origin/$GITHUB_BASE_REF\""), check(""));
    format!(
        "{MARK}.
name: scenewright

on:
  pull_request:
  push:
    branches: [main, master]

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # What changed is known only with the history.
          lfs: false
      - name: What the pull request breaks
        if: github.event_name == 'pull_request'
        run: {changed}
      # Without what scenewright-baseline.json accepts; `scenewright check --write-baseline` writes it.
      - name: Everything
        if: github.event_name != 'pull_request'
        run: {all}
"
    )
}

/// A check of the projects, as a value of YAML that goes on in lines with this indent.
fn command(place: &Place, options: &str, indent: &str) -> String {
    let below = &place.below;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if below.chars().all(is_plain) && !below.starts_with('-') {
        return format!("npx -y scenewright@{VERSION} check --project {below}{options}");
    }
    // To a shell and to YAML such a name is more than a word.
    let quoted = below.replace('\'', r"'\''");
    format!("|\n{indent}npx -y scenewright@{VERSION} check --project='{quoted}'{options}")
}

/// A job of GitLab: its merge requests show reports of tests.
pub(super) fn gitlab(place: &Place) -> String {
    let check = command(place, " --format junit --output scenewright.xml", "      ");
    format!(
        "{MARK}.
# What scenewright-baseline.json accepts is left out; `scenewright check --write-baseline` writes it.
scenewright:
  image: node:22-slim
  rules:
    - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - {check}
  artifacts:
    when: always
    reports:
      junit: scenewright.xml
"
    )
}

/// A section of AGENTS.md: what an agent has to know before it touches a scene.
pub(super) fn agents(place: &Place) -> String {
    let Some(Member { engine, .. }) = place.projects.first() else { return String::new() };
    let (files, edit, scene) = match *engine {
        "Godot" => (
            "`.tscn`, `.tres` and `project.godot`",
            "`add_node`, `edit_node` and their like",
            "res://scenes/main.tscn",
        ),
        _ => (
            "`.unity`, `.prefab`, `.asset` and `.meta`",
            "`unity_edit`",
            "Assets/Scenes/Main.unity",
        ),
    };
    let at = |member: &Member| match &*member.below {
        "." => format!("a {} project here", member.engine),
        below => format!("a {} project in `{below}`", member.engine),
    };
    let projects: Vec<String> = place.projects.iter().map(at).collect();
    let projects = projects.join(", ");
    format!(
        "## Scenes and assets: scenewright

There is {projects}. Do not edit {files} files by hand: `scenewright` reads and changes them
without the editor, as a whole or not at all, and can undo it. Use its MCP tools where you have them, and
its command line otherwise.

- Look: `scenewright tree {scene}`; `scenewright call tools_search query='who uses a texture'` finds the
  tool for a task, `scenewright call NAME --help` tells what it takes.
- Change: {edit}, with `--dry-run` first. Read the diff, then do it with `--allow-writes`.
- Check: `scenewright check --changed-since HEAD` must end with 0 errors.
- Undo: `scenewright call project_undoLast --allow-writes`."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(engine: &'static str) -> Member {
        Member { root: "/a/game".into(), below: "game".to_owned(), engine }
    }

    /// What stands in comments is meant to be taken out of them.
    #[test]
    fn the_settings_are_read_also_without_their_comment_marks() {
        for engine in ["Unity", "Godot"] {
            let text = settings(&project(engine));
            crate::config::try_text(&text).unwrap();
            let is_setting = |line: &str| {
                let line = line.trim_start_matches(['#', ' ']);
                line.contains(" = ") || line.contains("**") || line.starts_with("[[")
            };
            let open: String = text
                .lines()
                .map(|line| if is_setting(line) && !line.contains('`') { line.replacen("# ", "", 1) } else { line.to_owned() } + "\n")
                .collect();
            assert!(!open.contains("# toolsets") && !open.contains("# \""), "{open}");
            crate::config::try_text(&open).unwrap_or_else(|error| panic!("{error:#}\n{open}"));
        }
    }
}
