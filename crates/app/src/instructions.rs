//! What a client's model is told at the beginning: which projects are open, what may be done, and by
//! which tools one reads, changes, checks and sees them. It is read in every conversation, so it is
//! short, whatever is open.

use scenewright_toolkit::{Runner, Settings};

/// About 300 tokens. Some clients cut what is longer.
#[cfg(test)]
const MAX_BYTES: usize = 1200;
/// The projects that are named take no more of it.
const MAX_PROJECTS: usize = 320;
/// Nor does what is said where there is none.
const MAX_REMARK: usize = 520;

/// The tools for a task in projects of one engine.
struct Road {
    engine: &'static str,
    task: &'static str,
    tools: &'static [&'static str],
    /// What is said where none of them is on offer, or after them.
    note: &'static str,
}

const ROADS: &[Road] = &[
    Road {
        engine: "unity",
        task: "read",
        tools: &["scene_hierarchy_dump", "scene_components_list", "scene_query", "asset_usages"],
        note: "",
    },
    Road {
        engine: "unity",
        task: "change",
        tools: &["unity_edit", "prefab_create", "script_create", "asset_move", "project_batch"],
        note: "",
    },
    Road {
        engine: "unity",
        task: "check",
        tools: &["project_check", "project_references_missing"],
        note: "",
    },
    Road { engine: "unity", task: "see", tools: &[], note: "only in the editor" },
    Road {
        engine: "godot",
        task: "read",
        tools: &["get_node_tree", "get_node_properties", "find_nodes", "find_usages"],
        note: "",
    },
    Road {
        engine: "godot",
        task: "change",
        tools: &["add_node", "edit_node", "write_script", "project_batch"],
        note: "",
    },
    Road {
        engine: "godot",
        task: "check",
        tools: &["project_check", "get_script_errors", "run_project"],
        note: "",
    },
    Road { engine: "godot", task: "see", tools: &["take_screenshot"], note: "" },
];

/// The text for the projects and settings of a runner. Where the client is going to say which folders
/// it works in, others may be open soon.
pub(crate) fn of(runner: &Runner, awaits_folders: bool) -> String {
    let workspace = runner.workspace();
    let projects = workspace.projects().iter();
    let projects: Vec<(String, &str)> =
        projects.map(|project| (project.id.to_string(), project.engine.name())).collect();
    let open = open(&projects, workspace.remark(), awaits_folders);
    write(&open, &projects, runner.settings(), &|tool| runner.describe(tool).is_ok())
}

/// What is open, or will be; `remark` is what every answer says where that is no project of the user's.
fn open(projects: &[(String, &str)], remark: Option<String>, awaits_folders: bool) -> String {
    match remark {
        Some(_) if awaits_folders => {
            "No project is open yet: that of the folders which this client announces will be, and \
             mcp_server_info names it."
                .to_owned()
        }
        // It names folders, which may be many.
        Some(remark) if remark.len() > MAX_REMARK => {
            format!("{}…", &remark[..remark.floor_char_boundary(MAX_REMARK)])
        }
        Some(remark) => remark,
        None if awaits_folders => format!(
            "{} Should this client announce folders with another project, that one is open instead; \
             mcp_server_info names it.",
            named(projects)
        ),
        None => named(projects),
    }
}

fn write(
    open: &str,
    projects: &[(String, &str)],
    settings: &Settings,
    is_offered: &dyn Fn(&str) -> bool,
) -> String {
    let mode = match (settings.allow_writes, settings.allow_runs) {
        (true, true) => {
            "Writes and runs are allowed: try with dryRun, take back with project_undoLast."
        }
        (true, false) => "Writes are allowed: try with dryRun, take back with project_undoLast.",
        (false, true) => "Runs are allowed; changes need --allow-writes.",
        (false, false) => "Read-only: changes need --allow-writes, running a game --allow-runs.",
    };
    let mut text = format!(
        "Unity and Godot projects from their files; no editor needed. {open} {mode} Few tools are \
         listed: find others with tools_search, run any by name with tools_call."
    );
    for (engine, title) in [("unity", "Unity"), ("godot", "Godot")] {
        if projects.iter().any(|(_, name)| *name == engine) {
            text += &format!("\n{title}: {}.", roads(engine, is_offered));
        }
    }
    text
}

/// The open projects, as many as have room. Where several are, a change has to name one.
fn named(projects: &[(String, &str)]) -> String {
    let mut named = String::new();
    let mut count = 0;
    for (id, engine) in projects {
        let more = format!("{}{id} ({engine})", if count == 0 { "" } else { ", " });
        if named.len() + more.len() > MAX_PROJECTS {
            break;
        }
        named += &more;
        count += 1;
    }
    match (count, projects.len() - count) {
        (0, 0) => "No project is open.".to_owned(),
        (_, 0) if count > 1 => format!("Open: {named}; changes name theirs in `project`."),
        (_, 0) => format!("Open: {named}."),
        (0, left) => format!("Open: {left} projects, which mcp_health lists."),
        (_, left) => format!("Open: {named} and {left} more, which mcp_health lists."),
    }
}

/// `read a, b; change c`, with the tools that are on offer.
fn roads(engine: &str, is_offered: &dyn Fn(&str) -> bool) -> String {
    let of_engine = ROADS.iter().filter(|road| road.engine == engine);
    let told = of_engine.filter_map(|road| {
        let tools: Vec<&str> = road.tools.iter().copied().filter(|name| is_offered(name)).collect();
        let way = if tools.is_empty() { road.note.to_owned() } else { tools.join(", ") };
        // A batch of nothing that changes is no way to change.
        let leads = !way.is_empty() && tools != ["project_batch"];
        leads.then(|| format!("{} {way}", road.task))
    });
    told.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_toolkit::Workspace;
    use scenewright_tools::{GROUPS, new_runner};

    use super::*;

    fn settings(allow_writes: bool, allow_runs: bool) -> Settings {
        Settings { allow_writes, allow_runs, ..Settings::default() }
    }

    fn of_projects(projects: &[(String, &str)], settings: Settings) -> String {
        let runner = new_runner(Workspace::default(), settings, None, &[]);
        write(&named(projects), projects, runner.settings(), &|tool| runner.describe(tool).is_ok())
    }

    #[test]
    fn it_is_short_for_any_number_of_projects() {
        for count in [0, 1, 2, 7, 100, 10_000] {
            for length in [1, 20, 255] {
                for (writes, runs) in [(true, true), (true, false), (false, true), (false, false)] {
                    let engine = |number| if number % 2 == 0 { "unity" } else { "godot" };
                    let id = |number| format!("{}{number}", "p".repeat(length));
                    let projects: Vec<_> =
                        (0..count).map(|number| (id(number), engine(number))).collect();
                    let remark = (count == 0).then(|| "é".repeat(length * 10));
                    for awaits_folders in [false, true] {
                        let open = open(&projects, remark.clone(), awaits_folders);
                        let settings = settings(writes, runs);
                        let text = write(&open, &projects, &settings, &|_| true);
                        assert!(text.len() <= MAX_BYTES, "{count}: {} bytes: {text}", text.len());
                    }
                }
            }
        }
    }

    #[test]
    fn every_tool_of_a_road_is_one() {
        for name in ROADS.iter().flat_map(|road| road.tools) {
            let mut tools = GROUPS.iter().flat_map(|group| group.tools);
            let tool = tools.find(|tool| tool.mcp_name() == *name);
            assert!(tool.is_some(), "{name}");
        }
    }

    #[test]
    fn the_roads_are_those_of_the_open_engines() {
        let projects = [("Keep".to_owned(), "unity"), ("Run".to_owned(), "godot")];
        expect![[r#"
            Unity and Godot projects from their files; no editor needed. Open: Keep (unity), Run (godot); changes name theirs in `project`. Writes and runs are allowed: try with dryRun, take back with project_undoLast. Few tools are listed: find others with tools_search, run any by name with tools_call.
            Unity: read scene_hierarchy_dump, scene_components_list, scene_query, asset_usages; change unity_edit, prefab_create, script_create, asset_move, project_batch; check project_check, project_references_missing; see only in the editor.
            Godot: read get_node_tree, get_node_properties, find_nodes, find_usages; change add_node, edit_node, write_script, project_batch; check project_check, get_script_errors, run_project; see take_screenshot."#]].assert_eq(&of_projects(&projects, settings(true, true)));
        expect![[r#"
            Unity and Godot projects from their files; no editor needed. Open: Keep (unity). Read-only: changes need --allow-writes, running a game --allow-runs. Few tools are listed: find others with tools_search, run any by name with tools_call.
            Unity: read scene_hierarchy_dump, scene_components_list, scene_query, asset_usages; check project_check, project_references_missing; see only in the editor."#]].assert_eq(&of_projects(&projects[..1], settings(false, false)));
        expect![[r#"
            Unity and Godot projects from their files; no editor needed. Open: Run (godot). Read-only: changes need --allow-writes, running a game --allow-runs. Few tools are listed: find others with tools_search, run any by name with tools_call.
            Godot: read get_node_tree, get_node_properties, find_nodes, find_usages; check project_check."#]].assert_eq(&of_projects(&projects[1..], settings(false, false)));
    }
}
