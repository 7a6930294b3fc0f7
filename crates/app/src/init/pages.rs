//! What `scenewright init` writes.

use super::{MARK, Place};

/// The version of this program, which recipes name: another one may judge otherwise.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `scenewright.toml`: what a team may want to say, and nothing that changes anything.
pub(super) fn settings(place: &Place) -> String {
    let (third_party, rule) = match place.engine {
        "Godot" => ("addons/**", "godot-unused-resource"),
        _ => ("Assets/ThirdParty/**", "script-name-differs"),
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
"
    )
}

/// A workflow of GitHub: remarks on the lines of a pull request, the whole project after a merge.
pub(super) fn github(place: &Place) -> String {
    let below = &place.below;
    format!(
        "{MARK}.
name: scenewright

on:
  pull_request:
  push:
    branches: [main]

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
        run: npx -y scenewright@{VERSION} check --project {below} --format github --changed-since \"origin/$GITHUB_BASE_REF\"
      - name: The whole project
        if: github.event_name != 'pull_request'
        run: npx -y scenewright@{VERSION} check --project {below}
"
    )
}

/// A job of GitLab: its merge requests show reports of tests.
pub(super) fn gitlab(place: &Place) -> String {
    let below = &place.below;
    format!(
        "{MARK}.
scenewright:
  image: node:22-slim
  rules:
    - if: $CI_PIPELINE_SOURCE == \"merge_request_event\"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - npx -y scenewright@{VERSION} check --project {below} --format junit --output scenewright.xml
  artifacts:
    when: always
    reports:
      junit: scenewright.xml
"
    )
}

/// A section of AGENTS.md: what an agent has to know before it touches a scene.
pub(super) fn agents(place: &Place) -> String {
    let Place { below, engine, .. } = place;
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
    let at = if below == "." { "here".to_owned() } else { format!("in `{below}`") };
    format!(
        "## Scenes and assets: scenewright

There is a {engine} project {at}. Do not edit {files} files by hand: `scenewright` reads and changes them
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

    fn place(engine: &'static str) -> Place {
        Place { root: "/a/game".into(), top: "/a".into(), below: "game".to_owned(), engine }
    }

    /// What stands in comments is meant to be taken out of them.
    #[test]
    fn the_settings_are_read_also_without_their_comment_marks() {
        for engine in ["Unity", "Godot"] {
            let text = settings(&place(engine));
            crate::config::try_text(&text).unwrap();
            let is_setting = |line: &str| {
                line.trim_start_matches(['#', ' ']).contains(" = ") || line.contains("**")
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
