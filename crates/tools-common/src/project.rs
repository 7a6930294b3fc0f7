//! The project as a whole: its settings, its files.

mod architecture_summary;
mod assets_summary;
mod batch;
mod changes;
mod check;
mod dependency_audit;
mod diff;
mod edit_text;
mod get_version;
mod history;
mod info;
mod inspect_script;
mod list_files;
mod merge_conflicts;
mod merge_resolve;
mod migrate_pipeline;
mod open;
mod policy_check;
mod policy_fix;
mod read_file;
mod references_fix_missing;
mod references_missing;
mod replace_reference;
mod scenes_list;
mod search_symbols;
mod search_text;
mod undo_last;
mod write_file;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "project",
    engine: None,
    about: "The project as a whole: settings, versions, files",
    tools: &[
        info::TOOL,
        open::TOOL,
        get_version::TOOL,
        scenes_list::TOOL,
        assets_summary::TOOL,
        references_missing::TOOL,
        references_fix_missing::TOOL,
        check::TOOL,
        changes::TOOL,
        diff::TOOL,
        merge_conflicts::TOOL,
        merge_resolve::TOOL,
        list_files::TOOL,
        read_file::TOOL,
        search_text::TOOL,
        search_symbols::TOOL,
        edit_text::TOOL,
        write_file::TOOL,
        replace_reference::TOOL,
        inspect_script::TOOL,
        dependency_audit::TOOL,
        architecture_summary::TOOL,
        policy_check::TOOL,
        policy_fix::TOOL,
        migrate_pipeline::TOOL,
        batch::TOOL,
        history::TOOL,
        undo_last::TOOL,
    ],
};
